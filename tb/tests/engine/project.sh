# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Projects of others: blocks that are not ours in style, what is rebuilt and what is refused, `lockstep new`, and all of it with what is
# installed alone. Read by tb/tests/engine_tests.sh.
sections="$sections foreign refused_projects new_from installed_project"

# A command of the tool in the project at $here/p.
in_project() { (cd "$here/p" && "$lockstep" "$@"); }

foreign() {
    lockstep=$(realpath "$tool")
    cp -r tb/tests/foreign "$here/p"
    for unit in stream_fifo arb_tree lru_tags picker; do
        demand "$unit" 0 "pass  $unit" in_project run "$unit" --cycles 20k
    done
    demand 'all parameter sets' 0 'stream_fifo: 4 of 4 parameter sets pass' in_project run stream_fifo --all-sets --brief --cycles 20k
    demand 'planted faults are of the project alone' 0 '11 of 11 planted faults' in_project faults
    demand 'units of the project come before ours' 0 'picker           p |rf_rr            common' in_project list
    expect '... first' "$(head -n 1 "$here/text")" sh -c "head -n 1 '$here/text' | grep -q '^arb_tree '"
    demand 'files of a unit' 0 'rtl/common/rf_pkg.sv rtl/common/rf_rr.sv rtl/picker.sv|rtl/lru_tags.v' in_project list --files
    in_project run lru_tags --cycles 1k --quiet --record r.jsonl
    sum=$(sha256sum <"$here/p/model/lru_tags.c" | cut -d ' ' -f 1)
    expect 'the record has the digest of the model' "$(cat "$here/p/r.jsonl")" grep -q "\"model\":\"$sum\"" "$here/p/r.jsonl"
    # What changes is built anew, and nothing else.
    object() { find "$here/p/build/lockstep/plain/model/$1.o" -printf '%C@'; }
    before=$(object arb_tree)
    vary tb/tests/foreign/model/lru_tags.c "$here/p/model/lru_tags.c" -e 's/m->age\[row + way\] = 0;/m->age[row + way] = 1;/'
    demand 'a model that changed' 1 'mismatch  lru_tags|register  age' in_project run lru_tags --cycles 1k
    expect '... is built alone' "$before, $(object arb_tree)" test "$before" = "$(object arb_tree)"
    cp tb/tests/foreign/model/lru_tags.c "$here/p/model/lru_tags.c"
    demand '... back' 0 'pass' in_project run lru_tags --cycles 1k
    vary tb/tests/foreign/model/stream_fifo.h "$here/p/model/stream_fifo.h" -e 's/uint16_t core_store\[16\]/uint16_t core_store[2]/'
    demand 'a header that changed' 2 'core_store has 4 elements of 2 bytes' in_project run stream_fifo
    cp tb/tests/foreign/model/stream_fifo.h "$here/p/model/stream_fifo.h"
    vary tb/tests/foreign/rtl/stream_fifo.sv "$here/p/rtl/stream_fifo.sv" -e "s/rptr == AW'(DEPTH - 1)/rptr == AW'(DEPTH - 2)/"
    demand 'RTL that changed' 1 'register  core_rptr|failure.case' in_project run stream_fifo
    case=$(sed -n 's/^  shrunk   //p' "$here/text")
    demand '... replayed' 1 'register  core_rptr' in_project replay "$case"
    cp "$here/p/$case" "$here/away.case"
    demand '... from outside of the project, in which the case lies' 1 'register  core_rptr' "$tool" replay "$here/p/$case"
    demand '... with the case elsewhere' 2 "away.case:2: there is no unit stream_fifo here: a project's are known in its folder" "$tool" replay "$here/away.case"
    demand '... shrunk' 1 'shrunk' in_project shrink "$case"
    demand '... its waves' 1 'failure.gtkw' in_project waves "$case" --output w
    cp tb/tests/foreign/rtl/stream_fifo.sv "$here/p/rtl/stream_fifo.sv"
    demand 'RTL of its own for one unit' 0 'pass' in_project run picker --rtl rtl/picker.sv --cycles 2k
    # The others of the commands.
    demand 'coverage of RTL and model' 0 'pass' in_project run stream_fifo --cycles 20k --coverage c/1.dat
    demand '... is merged' 1 'model branch|stream_fifo' in_project coverage c
    expect '... with lines of the model' "$(cat "$here/text")" grep -q '^stream_fifo .*/1[0-9] \|^stream_fifo .*[0-9]/2[0-9]' "$here/text"
    demand 'mutants of the model' 0 'model     stream_fifo      made   3, killed' in_project mutants stream_fifo --side model --sample 3
    printf '1 stream_fifo default random fixed:1 5k\n1 arb_tree default random fixed:1 5k\n' >"$here/p/small.plan"
    demand 'a regression' 0 '2 passed' in_project regress small.plan --output night --history h.db
}

# A lockstep.project of these lines is refused in these words.
says_no() { # words, lines
    printf '%b' "$2" >"$here/p/lockstep.project"
    demand "lockstep.project: $1" 2 "$here/p/lockstep.project:$1" in_project list
}

refused_projects() {
    lockstep=$(realpath "$tool")
    here=$PWD/$here
    mkdir "$here/p" "$here/p/tb" "$here/p/model"
    says_no '1: expected KEY = WORD' 'rtl\n'
    says_no '2: no key modles: did you mean models?' '# mine\nmodles = model\n'
    says_no '1: no key x: expected rtl, models' 'x = y\n'
    says_no '3: models: the key stands there already' 'models = model\n\nmodels = model\n'
    says_no '1: rtl: "gates": there is no such folder' 'rtl = gates\n'
    says_no '1: rtl: "/tmp": expected a path below' 'rtl = /tmp\n'
    says_no '1: benches: "../p": expected a path below' 'benches = ../p\n'
    says_no '1: sources: "tb/x.c": there is no such file' 'sources = tb/x.c\n'
    : >"$here/p/lockstep.project"
    demand 'a project without units has ours' 0 'rf_rr' in_project list
    cp tb/tests/foreign/tb/arb_tree.* "$here/p/tb"
    demand 'a model that is missing' 2 'arb_tree.c|model/arb_tree.h' in_project list
    cp tb/tests/foreign/model/arb_tree.h "$here/p/model"
    demand 'functions that are missing' 2 'arb_tree_|is called, and no C file of the project defines it' in_project list
    sed 's/^void arb_tree_clock/int arb_tree_clock/' tb/tests/foreign/model/arb_tree.c >"$here/p/model/arb_tree.c"
    demand 'a model that does not compile' 2 "$here/p/model/arb_tree.c:|conflicting types" in_project run arb_tree
    demand '... is in nobody'"'"'s way for help' 0 'lockstep run UNIT' in_project run --help
    cp tb/tests/foreign/model/arb_tree.c "$here/p/model"
    mkdir "$here/p/rtl"
    demand 'RTL that is missing' 2 "$here/p/rtl/arb_tree.sv: No such file" in_project run arb_tree
    mv "$here/p/tb/arb_tree.fields" "$here/p/tb/rf_rr.fields"
    cp "$here/p/tb/arb_tree.c" "$here/p/tb/rf_rr.c"
    demand 'a name of ours' 2 'rf_rr is a unit that lockstep comes with' in_project list
    mv "$here/p/tb/rf_rr.fields" "$here/p/tb/arb_tree.fields"
    rm "$here/p/tb/rf_rr.c"
    cp "$here/p/tb/arb_tree.fields" "$here/p/tb/other.fields"
    sed 's/arb_tree_unit/&/' "$here/p/tb/arb_tree.c" >"$here/p/tb/other.c"
    rm "$here/p/tb/arb_tree.c"
    demand 'a unit of another name than its file' 2 'tb/other.c: LS_UNIT is not other' in_project list
    mv "$here/p/tb/other.c" "$here/p/tb/arb_tree.c"
    demand 'a list without a bench is no unit' 0 'arb_tree ' in_project list
    demand 'the folder may be named' 0 'arb_tree ' env LOCKSTEP_PROJECT="$here/p" "$lockstep" list
    demand '... and must be there' 2 "LOCKSTEP_PROJECT: $here/no: No such file" env LOCKSTEP_PROJECT="$here/no" "$lockstep" list
    demand 'a folder below it will do' 0 'arb_tree ' sh -c "cd '$here/p/model' && '$lockstep' list"
    if [ "$(id -u)" = 0 ]; then
        chown 65534 "$here/p/lockstep.project"
        demand 'of another user' 2 "$here/p/lockstep.project belongs to another user" in_project list
        demand '... when it is named' 0 'arb_tree ' env LOCKSTEP_PROJECT="$here/p" "$lockstep" list
    fi
}

# What --from finds in a module, as lines of its field list.
finds() { # unit, line of the list
    expect "of $1: $2" "$(cat "$here/p/tb/$1.fields")" grep -qxF "$2" "$here/p/tb/$1.fields"
}

# A module that --from refuses in these words.
cannot() { # words, module
    printf '%b' "$2" >"$here/bad.sv"
    demand "new: $1" 2 "$1" "$tool" new "$here/no" --from "$here/bad.sv"
    expect '... writes nothing' "$(ls "$here/no" 2>/dev/null)" test ! -e "$here/no"
}

new_from() {
    lockstep=$(realpath "$tool")
    demand 'new without a folder' 2 'new needs a folder' "$tool" new
    demand 'new' 0 'q/tb/counter.fields' "$tool" new "$here/q" --unit counter
    ! command -v yosys >/dev/null || demand 'the netlist of its gates' 0 'pass  counter' sh -c "cd '$here/q' && '$lockstep' run counter --netlist --cycles 2k"
    demand 'new with a bad name' 2 '"a-b" is no name for a unit' "$tool" new "$here/no" --unit a-b
    demand 'new with a name of ours' 2 'rf_rr is a unit that lockstep comes with' "$tool" new "$here/no" --unit rf_rr
    for file in stream_fifo.sv arb_tree.sv lru_tags.v; do
        demand "new --from $file" 0 "tb/${file%.*}.fields|now: cd $here/p && make run" "$tool" new "$here/p" --from "tb/tests/foreign/rtl/$file"
    done
    expect 'what is written has no licence of ours' "$(head -n 1 "$here/q/rtl/counter.sv")" sh -c "! grep -rq SPDX '$here/q'/*"
    finds stream_fifo 'CLOCK(clk)'
    finds stream_fifo 'RESET(reset, HIGH)'
    finds stream_fifo 'PARAM(DEPTH, depth, 4, 2, 16, "parameter DEPTH")'
    finds stream_fifo 'FIELD(STATE, core_store, 13, cfg->depth, "register core.store", "core.store")'
    finds stream_fifo 'FIELD(STATE, core_used, stream_fifo_log2(cfg->depth) + 1, 1, "register core.used", "core.used")'
    finds arb_tree 'PARAM(LEVELS, levels, 3, 3, 3, "parameter LEVELS")'
    finds arb_tree 'FIELD(STATE, node_7_n_turn, 1, 1, "register node[7].n.turn", "node[7].n.turn")'
    finds lru_tags 'FIELD(IN, set, lru_tags_log2(cfg->sets), 1, "port set")'
    finds lru_tags 'MEMORY(tags, cfg->tagw, 4 * cfg->sets, none, none, "memory tags")'
    demand 'the skeletons compile and say what to write: an output' 1 'next     model/arb_tree.c: arb_tree_comb has no any' in_project run arb_tree --no-shrink
    demand '... a register after reset' 1 'next     model/lru_tags.c: lru_tags_reset has another' in_project run lru_tags --no-shrink
    demand 'without planted faults nothing is said of the bench' 1 'arb_tree: no fault is planted: tb/arb_tree.c lists them' in_project faults arb_tree --record faults.json
    expect '... and that is recorded' "$(cat "$here/p/faults.json")" grep -q '"unit":"arb_tree","status":"missed","planted":0' "$here/p/faults.json"
    expect '... and not for units of ours' "$(in_project run rf_rr --cycles 100)" sh -c "! (cd '$here/p' && '$lockstep' run rf_rr --cycles 100 | grep -q next)"
    sed -i '/^void stream_fifo_comb/,/^}/s/memset(out, 0, sizeof \*out);/&\n    out->s_ready = 1;/' "$here/p/model/stream_fifo.c"
    demand '... a register at the edge' 1 'next     model/stream_fifo.c: stream_fifo_clock has no core_store' in_project run stream_fifo --no-shrink
    demand 'new does not write over a unit' 2 'model/stream_fifo.c: is there already: nothing was written' "$tool" new "$here/p" --from tb/tests/foreign/rtl/stream_fifo.sv
    # Widths that follow from parameters, in other forms.
    cat >"$here/shapes.sv" <<'END'
module shapes #(parameter int W = 5, parameter int D = 3, parameter type T = logic, parameter int L = W + 1) (
  input logic clk_i, rst_ni, input logic [D-1:0][W-1:0] a_i, output logic [W+D-1:0] s_o, output logic [(1<<D)-1:0] p_o);
  logic [D*W-1:0] flat_q; logic [$clog2(W+1)-1:0] n_q; logic [2*W+3:0] l_q; logic odd_q [D*D]; logic [70:0] wide_q; logic \int ;
  assign s_o = (W+D)'(flat_q) ^ (W+D)'(wide_q), p_o = (1<<D)'(n_q ^ l_q[0] ^ odd_q[0] ^ \int );
  always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) begin flat_q <= 0; n_q <= 0; l_q <= 0; wide_q <= 0; \int <= 0; end
    else begin flat_q <= a_i; n_q <= n_q + 1'b1; l_q <= l_q + 1'b1; odd_q[n_q % D] <= a_i[0][0]; wide_q <= wide_q + 71'(l_q); \int <= l_q[0]; end
endmodule
END
    demand 'new --from widths of all forms' 0 'parameter L keeps its default|parameter T keeps its default|odd_q' "$tool" new "$here/p" --from "$here/shapes.sv"
    finds shapes 'PARAM(W, w, 5, 1, 20, "parameter W")'
    finds shapes 'PARAM(D, d, 3, 1, 12, "parameter D")'
    finds shapes 'FIELD(IN, a, cfg->w, cfg->d, "port a_i")'
    finds shapes 'FIELD(OUT, s, cfg->w + cfg->d, 1, "port s_o")'
    finds shapes 'FIELD(OUT, p, (1u << cfg->d), 1, "port p_o")'
    finds shapes 'FIELD(STATE, n_q, shapes_log2(cfg->w + 1), 1, "register n_q")'
    finds shapes 'FIELD(STATE, l_q, 2 * cfg->w + 4, 1, "register l_q")'
    finds shapes 'FIELD(STATE, wide_q, 71, 1, "register wide_q")'
    finds shapes 'FIELD(STATE, int_, 1, 1, "register int", "int")'
    finds shapes 'MEMORY(odd_q, 1, 9, none, none, "memory odd_q")'
    expect 'what is ours in style needs no lines for names' "$(cat "$here/p/tb/shapes.fields")" sh -c "! grep -q 'CLOCK\|RESET\|SUFFIXES' '$here/p/tb/shapes.fields'"
    demand '... compiles and runs' 1 'mismatch  shapes' in_project run shapes --no-shrink
    # A word of C++ as a name, which Verilator's sources have otherwise; the newest one gives a member another name.
    printf '%s\n' 'module words (input logic clk, input logic reset, input struct packed { logic [1:0] set; logic v; } touch, output logic [1:0] q);' \
        '  logic [1:0] template;' '  assign q = template;' '  always_ff @(posedge clk) if (reset) template <= 0; else if (touch.v) template <= touch.set;' 'endmodule' >"$here/words.sv"
    demand 'new --from names that are words of C++' 0 'tb/words.fields' "$tool" new "$here/p" --from "$here/words.sv"
    demand '... have waves' 1 'failure.gtkw' in_project run words --output w
    member=set
    ! newer 5006 || member=set__0
    expect '... with these names, and the reset'"'"'s by its level' "$(grep -h '^+' "$here/p/w/failure.gtkw")" \
        says "$here/p/w/failure.gtkw" "rtl.touch.$member[1:0]|rtl.template[1:0]|TOP.words_waves.rst"
    expect '... and no others' "$(grep -h '^+' "$here/p/w/failure.gtkw")" sh -c "! grep -q 'SYM\|rst_n' '$here/p/w/failure.gtkw'"
    # Clock and reset by the edges that processes wait for, whatever their names: through instances, wires and an inverter.
    cat >"$here/outer.sv" <<'END'
module inner(input wire go, input wire halt, input wire [3:0] d, output reg [3:0] q);
  always @(posedge go or posedge halt) if (halt) q <= 4'd5; else q <= d + 4'd1; // posedge other
endmodule
module outer(input wire tick, input wire wipe, input wire other, input wire [3:0] a, output wire [3:0] b);
  wire beat = tick;
  inner i0 (.go(beat), .halt(~wipe), .d(a ^ {4{other}}), .q(b));
endmodule
END
    demand 'new --from a clock and a reset behind instances' 0 'tb/outer.fields' "$tool" new "$here/p" --from "$here/outer.sv"
    finds outer 'CLOCK(tick)'
    finds outer 'RESET(wipe, LOW)'
    finds outer 'FIELD(IN, other, 1, 1, "port other")'
    cannot 'a is a clock and a reset' 'module m(input logic a, b, output logic x, y);\n always_ff @(posedge a) x <= b;\n always_ff @(posedge b or posedge a) if (a) y <= 0; else y <= x;\nendmodule\n'
    cannot 'its clock a counts at both edges' 'module m(input logic a, rst, output logic x, y);\n always_ff @(posedge a) x <= !rst;\n always_ff @(negedge a) y <= x;\nendmodule\n'
    cannot 'its clock a counts at the falling edge' 'module m(input logic a, rst, output logic x);\n always_ff @(negedge a) x <= !rst;\nendmodule\n'
    cannot 'bad.sv: declares no module' 'package p; endpackage\n'
    cannot 'm has two clocks, a and b' 'module m(input logic a, b, rst, output logic x, y);\n always_ff @(posedge a) x <= !rst;\n always_ff @(posedge b) y <= !rst;\nendmodule\n'
    cannot 'bad.sv:1: io is an inout port' 'module m(input logic clk, inout wire io); endmodule\n'
    cannot 'm has registers and no reset' 'module m(input logic clk, input logic d, output logic q); always_ff @(posedge clk) q <= d; endmodule\n'
    cannot 'bad.sv:2:' 'module m(input logic clk, output logic q);\n assign q = nothing;\nendmodule\n'
    demand 'new --from a file that is not there' 2 'none.sv: declares no module, or cannot be read' "$tool" new "$here/no" --from "$here/none.sv"
}

# With what is installed and nothing of this tree: a folder outside of it, and a PATH without it.
installed_project() {
    outside=$(mktemp -d)
    usr=$outside/usr
    demand 'make install' 0 '' make -s install PREFIX="$usr"
    expect 'nothing that is installed for compiling names this tree' "$(grep -rlF "$PWD" "$usr/include" "$usr/share" "$usr/lib/pkgconfig")" \
        sh -c "! grep -rqF '$PWD' '$usr/include' '$usr/share' '$usr/lib/pkgconfig'"
    mkdir "$outside/cache" "$outside/home"
    # Verilator's own runtime, which takes half a minute to compile, is the one that is there; it is no part of this tree.
    ln -s "$(realpath "${LOCKSTEP_CACHE:-build/dut}")"/verilator-* "$outside/cache"
    alone() { (cd "$outside/$1" && shift && env -i PATH="$usr/bin:/usr/bin:/bin" HOME="$outside/home" LOCKSTEP_CACHE="$outside/cache" \
        "$@"); }
    demand 'lockstep new' 0 'mine/tb/counter.fields|now: cd mine && make run' alone . lockstep new mine --unit counter
    demand 'it runs at once' 0 'counter: 4 of 4 parameter sets pass' alone mine make run
    demand 'its faults are caught, its judge passes' 0 '4 of 4 planted faults|[  PASSED  ] 1 test' alone mine make test
    demand 'its plan is run' 0 'jobs in |, 0 failed' alone mine lockstep regress regress.plan --output first --history h.db --tier 1
    sed -i "s/count_q + 1'b1/count_q + W'(in_first)/; s/^  logic \[W-1:0\] count_q;/&\n  wire in_first = count_q != W'(5);/" "$outside/mine/rtl/counter.sv"
    demand 'a planted bug' 1 'mismatch  counter|register  count_q|waves    ' alone mine lockstep run counter
    expect '... has waves of its own' "$(ls "$outside"/mine/build/runs/*)" sh -c "ls '$outside'/mine/build/runs/*/failure.fst >/dev/null"
    printf '1 counter default random fixed:1 20k\n' >"$outside/mine/one.plan"
    demand '... and a report' 1 'FAIL' alone mine lockstep regress one.plan --output night --history h.db
    expect '... with the failure' "$(head -n 5 "$outside/mine/night/summary.md")" grep -q count_q "$outside/mine/night/report.html"
    # Units of ours.
    demand 'the model of a unit of ours is proved' 0 'proved  rf_rr N=4' alone . lockstep prove rf_rr --param N=4
    demand '... its mutants are judged' 0 'model     rf_rr            made   2, killed   2' alone . lockstep mutants rf_rr --side model --sample 2
    sed 's/mask_q/ptr_q/g' $rr >"$outside/other.sv"
    demand 'messages name pages that are installed' 2 "$usr/share/rf-lockstep/docs/guide/your-rtl.md" alone . lockstep run rf_rr --rtl other.sv
    page=$(grep -o "$usr/share[a-z/-]*\.md" "$here/text")
    expect '... and that are there' "$page" grep -q '^# Your RTL' "$page"
    demand '... help does' 0 "Pages: $usr/share/rf-lockstep/docs/README.md" alone . lockstep run --help
    demand 'the list of our RTL is installed' 0 'pass  rf_rr' alone . lockstep run rf_rr -F "$usr/share/rf-lockstep/rtl/rf_lockstep.f" --cycles 2k
    shared=$(PKG_CONFIG_PATH=$usr/lib/pkgconfig pkg-config --variable=shared rfmodel)
    expect 'models as a shared library are' "$shared" sh -c "nm -D '$shared' | grep -q ' T rf_rr_step'"
    cp -r tb/tests/foreign "$outside/theirs"
    demand 'a foreign block, and a part of ours' 0 'pass  picker' alone theirs lockstep run picker --cycles 2k
    for shell in zsh fish; do
        ! command -v $shell >/dev/null || demand "the completion of $shell is good" 0 '' $shell -n "$(find "$usr/share/$shell" -type f)"
        for word in run rf_rr mutants --from --all-sets; do
            expect "the completion of $shell has $word" "$(find "$usr/share/$shell" -type f)" grep -rq -e "${word#--}" "$usr/share/$shell"
        done
    done
    demand 'make uninstall' 0 '' make -s uninstall PREFIX="$usr"
    expect '... leaves nothing' "$(find "$usr" -type f)" test -z "$(find "$usr" -type f)"
    rm -rf "$outside"
}
