# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Projects of others: blocks that are not ours in style, what is rebuilt and what is refused, `lockstep new` there and in this tree, and all of
# it with what is installed alone. Read by tb/tests/engine_tests.sh.
sections="$sections foreign refused_projects new_from new_in_tree installed_project"

# A command of the tool in the project at $here/p.
in_project() { (cd "$here/p" && "$lockstep" "$@"); }

foreign() {
    lockstep=$(realpath "$tool")
    cp -r tb/tests/foreign "$here/p"
    for unit in stream_fifo arb_tree lru_tags picker; do
        demand "$unit" 0 "pass $unit" in_project run "$unit" --cycles 20k
    done
    demand 'all parameter sets' 0 'stream_fifo: 4 4' in_project run stream_fifo --all-sets --brief --cycles 20k
    demand 'planted faults are of the project alone' 0 '11 11 faults' in_project faults
    demand 'a unit that is nowhere' 2 'unit my_fifo project' in_project run my_fifo
    expect '... is not missed for want of a project' "$(cat "$here/text")" not grep -q lockstep.project "$here/text"
    demand '... outside of a project' 2 'unit my_fifo|no lockstep.project' "$lockstep" run my_fifo
    demand 'units of the project come before ours' 0 'picker p|rf_rr common' in_project list
    expect '... first' "$(head -n 1 "$here/text")" sh -c "head -n 1 '$here/text' | grep -q '^arb_tree '"
    demand 'files of a unit' 0 'rtl/common/rf_pkg.sv rtl/common/rf_rr.sv rtl/picker.sv|rtl/lru_tags.v' in_project list --files
    in_project run lru_tags --cycles 1k --quiet --record r.jsonl
    sum=$(sha256sum <"$here/p/model/lru_tags.c" | cut -d ' ' -f 1)
    expect 'the record has the digest of the model' "$(cat "$here/p/r.jsonl")" grep -q "\"model\":\"$sum\"" "$here/p/r.jsonl"
    # What changes is built anew, and nothing else.
    object() { find "$here/p/build/lockstep/plain/model/$1.o" -printf '%C@'; }
    before=$(object arb_tree)
    vary tb/tests/foreign/model/lru_tags.c "$here/p/model/lru_tags.c" -e 's/m->age\[row + way\] = 0;/m->age[row + way] = 1;/'
    demand 'a model that changed' 1 'mismatch lru_tags|register age' in_project run lru_tags --cycles 1k
    expect '... is built alone' "$before, $(object arb_tree)" test "$before" = "$(object arb_tree)"
    cp tb/tests/foreign/model/lru_tags.c "$here/p/model/lru_tags.c"
    demand '... back' 0 'pass' in_project run lru_tags --cycles 1k
    vary tb/tests/foreign/model/stream_fifo.h "$here/p/model/stream_fifo.h" -e 's/uint16_t core_store\[16\]/uint16_t core_store[2]/'
    demand 'a header that changed' 2 'core_store 4 2' in_project run stream_fifo
    cp tb/tests/foreign/model/stream_fifo.h "$here/p/model/stream_fifo.h"
    vary tb/tests/foreign/rtl/stream_fifo.sv "$here/p/rtl/stream_fifo.sv" -e "s/rptr == AW'(DEPTH - 1)/rptr == AW'(DEPTH - 2)/"
    demand 'RTL that changed' 1 'register core_rptr|failure.case' in_project run stream_fifo
    case=$(sed -n 's/^  shrunk   //p' "$here/text")
    demand '... replayed' 1 'register core_rptr' in_project replay "$case"
    cp "$here/p/$case" "$here/away.case"
    demand '... from outside of the project, in which the case lies' 1 'register core_rptr' "$tool" replay "$here/p/$case"
    demand '... with the case elsewhere' 2 "away.case:2 stream_fifo project" "$tool" replay "$here/away.case"
    demand '... shrunk' 1 'shrunk' in_project shrink "$case"
    demand '... its waves' 1 'failure.gtkw' in_project waves "$case" --output w
    cp tb/tests/foreign/rtl/stream_fifo.sv "$here/p/rtl/stream_fifo.sv"
    demand 'RTL of its own for one unit' 0 'pass' in_project run picker --rtl rtl/picker.sv --cycles 2k
    # The others of the commands.
    demand 'coverage of RTL and model' 0 'pass' in_project run stream_fifo --cycles 20k --coverage c/1.dat
    demand '... is merged' 1 'model branch|stream_fifo' in_project coverage c
    expect '... with lines of the model' "$(cat "$here/text")" grep -q '^stream_fifo .*/1[0-9] \|^stream_fifo .*[0-9]/2[0-9]' "$here/text"
    demand 'mutants of the model' 0 'model stream_fifo made 3 killed' in_project mutants stream_fifo --side model --sample 3
    printf '1 stream_fifo default random fixed:1 5k\n1 arb_tree default random fixed:1 5k\n' >"$here/p/small.plan"
    demand 'a regression' 0 '2 passed' in_project regress small.plan --output night --history h.db
}

# A lockstep.project of these lines is refused with these facts.
says_no() { # facts, lines
    printf '%b' "$2" >"$here/p/lockstep.project"
    demand "lockstep.project: $1" 2 "$here/p/lockstep.project:$1" in_project list
}

refused_projects() {
    lockstep=$(realpath "$tool")
    here=$PWD/$here
    mkdir "$here/p" "$here/p/tb" "$here/p/model"
    says_no '1 KEY = WORD' 'rtl\n'
    says_no '2 modles models' '# mine\nmodles = model\n'
    says_no '1 x rtl models' 'x = y\n'
    says_no '3 models' 'models = model\n\nmodels = model\n'
    says_no '1 rtl gates folder' 'rtl = gates\n'
    says_no '1 rtl "/tmp" path' 'rtl = /tmp\n'
    says_no '1 benches "../p" path' 'benches = ../p\n'
    says_no '1 sources tb/x.c' 'sources = tb/x.c\n'
    : >"$here/p/lockstep.project"
    demand 'a project without units has ours' 0 'rf_rr' in_project list
    cp tb/tests/foreign/tb/arb_tree.* "$here/p/tb"
    demand 'a model that is missing' 2 'arb_tree.c|model/arb_tree.h' in_project list
    cp tb/tests/foreign/model/arb_tree.h "$here/p/model"
    demand 'functions that are missing' 2 '=arb_tree_|lockstep.project models sources' in_project list
    sed 's/^void arb_tree_clock/int arb_tree_clock/' tb/tests/foreign/model/arb_tree.c >"$here/p/model/arb_tree.c"
    demand 'a model that does not compile' 2 "$here/p/model/arb_tree.c:|conflicting types" in_project run arb_tree
    demand '... is in nobody'"'"'s way for help' 0 'lockstep run UNIT' in_project run --help
    cp tb/tests/foreign/model/arb_tree.c "$here/p/model"
    mkdir "$here/p/rtl"
    demand 'RTL that is missing' 2 "$here/p/rtl/arb_tree.sv: No such file" in_project run arb_tree
    mv "$here/p/tb/arb_tree.fields" "$here/p/tb/rf_rr.fields"
    cp "$here/p/tb/arb_tree.c" "$here/p/tb/rf_rr.c"
    demand 'a name of ours' 2 'rf_rr lockstep' in_project list
    mv "$here/p/tb/rf_rr.fields" "$here/p/tb/arb_tree.fields"
    rm "$here/p/tb/rf_rr.c"
    cp "$here/p/tb/arb_tree.fields" "$here/p/tb/other.fields"
    sed 's/arb_tree_unit/&/' "$here/p/tb/arb_tree.c" >"$here/p/tb/other.c"
    rm "$here/p/tb/arb_tree.c"
    demand 'a unit of another name than its file' 2 'tb/other.c: LS_UNIT other' in_project list
    mv "$here/p/tb/other.c" "$here/p/tb/arb_tree.c"
    demand 'a list without a bench is no unit' 0 'arb_tree' in_project list
    demand 'the folder may be named' 0 'arb_tree' env LOCKSTEP_PROJECT="$here/p" "$lockstep" list
    demand '... and must be there' 2 "LOCKSTEP_PROJECT: $here/no: No such file" env LOCKSTEP_PROJECT="$here/no" "$lockstep" list
    demand 'a folder below it will do' 0 'arb_tree' sh -c "cd '$here/p/model' && '$lockstep' list"
    if [ "$(id -u)" = 0 ]; then
        chown 65534 "$here/p/lockstep.project"
        demand 'of another user' 2 "$here/p/lockstep.project user" in_project list
        demand '... when it is named' 0 'arb_tree' env LOCKSTEP_PROJECT="$here/p" "$lockstep" list
    fi
}

# What --from finds in a module, as lines of its field list.
finds() { # unit, line of the list
    expect "of $1: $2" "$(cat "$here/p/tb/$1.fields")" grep -qxF "$2" "$here/p/tb/$1.fields"
}

# A module that --from refuses with these facts.
cannot() { # facts, module
    printf '%b' "$2" >"$here/bad.sv"
    demand "new: $1" 2 "$1" "$tool" new "$here/no" --from "$here/bad.sv"
    expect '... writes nothing' "$(ls "$here/no" 2>/dev/null)" test ! -e "$here/no"
}

# A unit of a project, exported as a checker for bind, compiles as its README.md says.
compiles_exported() { # unit, folder of the project, command that runs the tool there…
    unit=$1 folder=$2/exported
    shift 2
    demand "export $unit" 0 'exported/README.md' "$@" export "$unit" --to sv-bind -o exported
    sed -n '/^    cc /,/^$/s/^    //p' "$folder/README.md" >"$folder/compile.sh"
    demand '... compiles without a warning' 0 '' env -C "$folder" sh -e compile.sh
    expect '... and makes a library' "$(cat "$here/text")" test -s "$folder/${unit}_lockstep.so" -a ! -s "$here/text"
    rm -r "$folder"
}

new_from() {
    lockstep=$(realpath "$tool")
    demand 'new without a folder' 2 'new|folder' "$tool" new
    demand 'new' 0 'q/tb/counter.fields' "$tool" new "$here/q" --unit counter
    ! command -v yosys >/dev/null || demand 'the netlist of its gates' 0 'pass counter' sh -c "cd '$here/q' && '$lockstep' run counter --netlist --cycles 2k"
    demand 'new with a bad name' 2 'a-b unit' "$tool" new "$here/no" --unit a-b
    demand 'new with a word of C' 2 'switch C' "$tool" new "$here/no" --unit switch
    demand 'new with a word of the tool' 2 'ls C' "$tool" new "$here/no" --unit ls
    demand 'new with a name of ours' 2 'rf_rr lockstep' "$tool" new "$here/no" --unit rf_rr
    for file in stream_fifo.sv arb_tree.sv lru_tags.v; do
        demand "new --from $file" 0 "tb/${file%.*}.fields|cd $here/p && make run" "$tool" new "$here/p" --from "tb/tests/foreign/rtl/$file"
    done
    expect 'what is written has no licence of ours' "$(head -n 1 "$here/q/rtl/counter.sv")" sh -c "! grep -rq SPDX '$here/q'/*"
    finds stream_fifo 'CLOCK(clk)'
    finds stream_fifo 'RESET(reset, HIGH)'
    finds stream_fifo 'PARAM(DEPTH, depth, 4, 2, 16, "parameter DEPTH")'
    finds stream_fifo 'RECORD(STATE, core_store, stream_fifo_core_store_t, cfg->depth, "register core.store", "core.store")'
    finds stream_fifo 'MEMBER(stream_fifo_core_store_t, dest, 4, 1, "dest")'
    finds stream_fifo 'FIELD(STATE, core_used, stream_fifo_log2(cfg->depth) + 1, 1, "register core.used", "core.used")'
    finds arb_tree 'PARAM(LEVELS, levels, 3, 3, 3, "parameter LEVELS")'
    finds arb_tree 'FIELD(STATE, node_7_n_turn, 1, 1, "register node[7].n.turn", "node[7].n.turn")'
    finds lru_tags 'FIELD(IN, set, lru_tags_log2(cfg->sets), 1, "port set")'
    finds lru_tags 'RESET(reset, HIGH)'
    finds lru_tags 'FIELD(OUT, hit, 1, 1, "port hit")'
    finds lru_tags 'FIELD(STATE, hit, 1, 1, "register hit")'
    finds lru_tags 'FIELD(STATE, tags, cfg->tagw, 4 * cfg->sets, "register tags")'
    demand 'the skeletons compile and say what to write: an output' 1 'next model/arb_tree.c arb_tree_comb any' in_project run arb_tree --no-shrink
    demand '... a register after reset' 1 'next model/lru_tags.c lru_tags_reset age' in_project run lru_tags --no-shrink
    demand '... with RTL of another place nothing is said to be missing' 1 'mismatch arb_tree' in_project run arb_tree --no-shrink --rtl rtl/arb_tree.sv
    expect '... at all' "$(cat "$here/text")" not grep -q '^  next' "$here/text"
    cp "$here/p/tb/lru_tags.fields" "$here/lru_tags.fields"
    sed -i 's/^FIELD(STATE, age, 2, 4 \* cfg->sets, /MEMORY(age, 2, 4 * cfg->sets, none, none, /' "$here/p/tb/lru_tags.fields"
    demand '... a memory with a reset' 1 'next tb/lru_tags.fields age MEMORY FIELD(STATE, age, ...)' in_project run lru_tags --no-shrink
    cp "$here/lru_tags.fields" "$here/p/tb/lru_tags.fields"
    demand 'without planted faults nothing is said of the bench' 1 'arb_tree: fault tb/arb_tree.c' in_project faults arb_tree --record faults.json
    expect '... and that is recorded' "$(cat "$here/p/faults.json")" grep -q '"unit":"arb_tree","status":"missed","planted":0' "$here/p/faults.json"
    expect '... and not for units of ours' "$(in_project run rf_rr --cycles 100)" sh -c "! (cd '$here/p' && '$lockstep' run rf_rr --cycles 100 | grep -q next)"
    compiles_exported arb_tree "$here/p" in_project
    sed -i '/^void stream_fifo_comb/,/^}/s/memset(out, 0, sizeof \*out);/&\n    out->s_ready = 1;/' "$here/p/model/stream_fifo.c"
    demand '... a register at the edge' 1 'next model/stream_fifo.c stream_fifo_clock core_store' in_project run stream_fifo --no-shrink
    demand 'new does not write over a unit' 2 'model/stream_fifo.c: already' "$tool" new "$here/p" --from tb/tests/foreign/rtl/stream_fifo.sv
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
    demand 'new --from widths of all forms' 0 'parameter L default|parameter T default|odd_q' "$tool" new "$here/p" --from "$here/shapes.sv"
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
    expect 'what is ours in style needs no lines for names' "$(cat "$here/p/tb/shapes.fields")" not grep -q 'CLOCK\|RESET\|SUFFIXES' "$here/p/tb/shapes.fields"
    demand '... compiles and runs' 1 'mismatch shapes' in_project run shapes --no-shrink
    # A word of C++ as a name, which Verilator's sources have otherwise; the newest one gives a member another name.
    printf '%s\n' 'module words (input logic clk, input logic reset, input struct packed { logic [1:0] set; logic v; } touch, output logic [1:0] q);' \
        '  logic [1:0] template;' '  assign q = template;' '  always_ff @(posedge clk) if (reset) template <= 0; else if (touch.v) template <= touch.set;' 'endmodule' >"$here/words.sv"
    demand 'new --from names that are words of C++' 0 'tb/words.fields' "$tool" new "$here/p" --from "$here/words.sv"
    demand '... have waves' 1 'failure.gtkw' in_project run words --output w
    member=set
    ! newer 5006 || member=set__0
    expect '... with these names, and the reset'"'"'s by its level' "$(grep -h '^+' "$here/p/w/failure.gtkw")" \
        says "$here/p/w/failure.gtkw" "rtl.touch.$member[1:0]|rtl.template[1:0]|TOP.words_waves.rst"
    expect '... and no others' "$(grep -h '^+' "$here/p/w/failure.gtkw")" not grep -q 'SYM\|rst_n' "$here/p/w/failure.gtkw"
    # Parameters come from the elaboration: whatever stands before them, and with what their types hold.
    cat >"$here/params.sv" <<'END'
package sizes; localparam int D = 6; typedef enum logic [1:0] {A, B, C} kind_t; endpackage
module params import sizes::*; #(parameter int N = 4, parameter bit FAST = 0, parameter logic [7:0] SEED = 8'hA5,
  parameter logic signed [3:0] S = 5, parameter K = 2*4, parameter M = sizes::D, parameter L = N + 1, parameter string T = "x",
  parameter int NEG = -1, parameter logic [31:0] LARGE = 32'hdeadbeef, localparam int Q = 2 * N)
 (input logic clk, rst, input logic [N-1:0] a, output logic [K-1:0] k, output logic [L-1:0] l, output logic [M-1:0] m, output logic [Q-1:0] q);
  always_ff @(posedge clk) if (rst) begin k <= 0; l <= 0; m <= 0; q <= 0; end
    else begin k <= K'(a); l <= L'(a) ^ L'(LARGE); m <= M'(SEED); q <= Q'(a) + Q'(FAST) + Q'(S) + Q'(NEG); end
endmodule
END
    demand 'new --from parameters behind an import' 0 'parameter L default|parameter T default|parameter NEG default|LARGE 3735928559' "$tool" new "$here/p" --from "$here/params.sv"
    finds params 'PARAM(N, n, 4, 1, 16, "parameter N")'
    finds params 'PARAM(FAST, fast, 0, 0, 1, "parameter FAST")'
    finds params 'PARAM(SEED, seed, 165, 1, 166, "parameter SEED")'
    finds params 'PARAM(S, s, 5, 1, 6, "parameter S")'
    finds params 'PARAM(K, k, 8, 1, 32, "parameter K")'
    finds params 'PARAM(M, m, 6, 1, 24, "parameter M")'
    finds params 'FIELD(OUT, l, cfg->n + 1, 1, "port l")'
    finds params 'FIELD(STATE, q, 2 * cfg->n, 1, "register q")'
    demand '... and run' 1 'mismatch params' in_project run params --no-shrink --param N=7
    # Packed structs: records, a struct in one flattened, arrays of them and in them, widths that follow parameters, no unions.
    cat >"$here/records.sv" <<'END'
package rec_pkg;
  typedef struct packed { logic hi; logic [1:0] lo; } kid_t;
  typedef struct packed { logic valid; kid_t kid; logic [2:0][7:0] bytes; } touch_t;
endpackage
module records #(parameter int N = 2, W = 5) (input logic clk, rst, input rec_pkg::touch_t access, input rec_pkg::touch_t [N-1:0] req,
  output rec_pkg::touch_t last, output struct packed {logic [W-1:0] a; logic [N-1:0][W-1:0] c;} dyn, output logic ok);
  import rec_pkg::*;
  touch_t [N-1:0] st; touch_t arr [2];
  union packed {logic [3:0] x; logic [3:0] y;} u;
  always_ff @(posedge clk)
    if (rst) begin last <= '0; st <= '0; u <= 0; foreach (arr[i]) arr[i] <= '0; end
    else begin last <= access; st <= req; u.x <= u.y + 4'd1; arr[access.valid] <= access; end
  always_comb begin dyn = '0; dyn.a = W'(access.kid.lo); dyn.c[N-1] = W'(st[0].bytes[1]); end
  assign ok = arr[1].kid.hi;
endmodule
END
    demand 'new --from packed structs' 0 'tb/records.fields' "$tool" new "$here/p" --from "$here/records.sv"
    finds records 'RECORD(IN, req, records_access_t, cfg->n, "port req")'
    finds records 'MEMBER(records_access_t, kid_lo, 2, 1, "kid_lo")'
    finds records 'MEMBER(records_access_t, bytes, 8, 3, "bytes")'
    finds records 'RECORD(OUT, last, records_access_t, 1, "port last")'
    finds records 'RECORD(STATE, arr, records_access_t, 2, "register arr")'
    finds records 'MEMBER(records_dyn_t, c, cfg->w, cfg->n, "c")'
    finds records 'FIELD(STATE, u, 4, 1, "register u")'
    demand '... compile and run' 1 'mismatch records' in_project run records --no-shrink
    sed -i -e '/^void records_clock/,$s/(void)in;/m->last = in->access; memcpy(m->st, in->req, sizeof m->st); m->u = (m->u + 1) \& 15; m->arr[in->access.valid] = in->access;/' \
        -e 's/    out->last = m->last;/&\n    out->ok = m->arr[1].kid_hi;\n    out->dyn.a = in->access.kid_lo \& ((1u << m->cfg.w) - 1);\n    out->dyn.c[m->cfg.n - 1] = m->st[0].bytes[1] \& ((1u << m->cfg.w) - 1);/' \
        "$here/p/model/records.c"
    demand '... and pass at all sizes' 0 'records: 5 5' in_project run records --all-sets --brief --cycles 5k
    sed -i 's/st <= req;/st <= req; st[0].kid.lo <= 2\x27d1;/' "$here/p/rtl/records.sv"
    demand '... a difference is one of a member' 1 'register st.kid_lo element 0 2' in_project run records --no-shrink
    # File lists: include folders, macros, libraries; a testbench in the list is left out, and the project stands without their folders.
    mkdir -p "$here/fl/inc/sub" "$here/fl/src" "$here/fl/lib"
    printf '`define STEP 3\n' >"$here/fl/inc/sub/defs.svh"
    printf 'package fl_pkg; localparam int W = 6; endpackage\n' >"$here/fl/src/fl_pkg.sv"
    printf '`include "sub/defs.svh"\nmodule listed #(parameter int N = fl_pkg::W) (input wire clk, rst, output reg [N-1:0] q, output wire [N-1:0] n, output wire b);\n  always @(posedge clk) if (rst) q <= 0; else q <= q + `STEP + `HC;\n  inv #(N) i(q, n); buf1 k(q[0], b);\nendmodule\n' >"$here/fl/src/listed.sv"
    printf 'module inv #(parameter N = 1)(input [N-1:0] a, output [N-1:0] y); assign y = ~a; endmodule\n' >"$here/fl/lib/inv.v"
    printf 'module buf1(input a, output y); assign y = a; endmodule\nmodule buf2(input a, output y); assign y = a; endmodule\n' >"$here/fl/lib/cells.v"
    printf 'module tbx; listed dut(); endmodule\n' >"$here/fl/tbx.sv"
    printf '+incdir+inc\nsrc/fl_pkg.sv\nsrc/listed.sv\ntbx.sv\n-y lib\n+libext+.v\n-v lib/cells.v\n' >"$here/fl/listed.f"
    demand 'new from a file list' 0 'rtl/listed_macros.sv|rtl/fl_pkg.sv|rtl/sub/defs.svh|rtl/cells.v|rtl/inv.v' "$tool" new "$here/p" --unit listed -F "$here/fl/listed.f" --define HC=2
    expect '... names what is not found by itself' "$(cat "$here/p/tb/listed.c")" grep -qF '{"rtl/listed_macros.sv", "rtl/fl_pkg.sv", "rtl/cells.v", NULL}' "$here/p/tb/listed.c"
    expect '... without the testbench' "$(ls "$here/p/rtl")" test ! -e "$here/p/rtl/tbx.sv"
    finds listed 'PARAM(N, n, 6, 1, 24, "parameter N")'
    mv "$here/fl" "$here/fl_gone"
    demand '... runs without the list' 1 'mismatch listed|next model/listed.c listed_comb n' in_project run listed --no-shrink
    mv "$here/fl_gone" "$here/fl"
    demand 'new from a list without its macro' 2 'HC' "$tool" new "$here/no" --unit listed -F "$here/fl/listed.f"
    sed 's/fl_pkg/other_pkg/' "$here/fl/src/fl_pkg.sv" >"$here/fl/fl_pkg.sv"
    demand 'two files of one name' 2 'fl/src/fl_pkg.sv fl/fl_pkg.sv rtl/fl_pkg.sv' "$tool" new "$here/no" --unit listed -F "$here/fl/listed.f" --define HC=2 --from "$here/fl/fl_pkg.sv"
    # Several modules that are nobody's part: the last, and the others are named.
    printf 'module part(input a, output b); assign b = ~a; endmodule\nmodule first(input clk, output q); assign q = clk; endmodule\nmodule second(input clk, output q); part p(clk, q); endmodule\n' >"$here/two.sv"
    demand 'new --from two modules' 0 'tb/second.fields|two.sv first second --unit first' "$tool" new "$here/p" --from "$here/two.sv"
    expect '... and their parts are not' "$(cat "$here/text")" not grep -q 'two.sv.* part' "$here/text"
    demand '... by name' 0 'tb/first.fields' "$tool" new "$here/p" --unit first --from "$here/two.sv"
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
    # A synchronous reset by what its level does; names count only as words.
    level() { # unit, TODO (-: none), line of the list, ports, body
        printf 'module %s(input wire clk, %s, input wire [3:0] d, output reg [3:0] q, output reg v, output wire z);\n%b\nendmodule\n' "$1" "$4" "$5" >"$here/$1.sv"
        todo=$2
        [ "$todo" != - ] || todo="cd $here/p"
        demand "new --from $1" 0 "$todo" "$tool" new "$here/p" --from "$here/$1.sv"
        [ "$2" != - ] || expect '... it is no guess' "$(cat "$here/text")" not grep -q 'RESET(' "$here/text"
        finds "$1" "$3"
    }
    level bursts - 'RESET(reset, HIGH)' 'first, burst_en, reset' 'assign z = first; always @(posedge clk) if (reset) begin q <= 0; v <= 0; end else begin v <= first; if (burst_en) q <= d; end'
    level clears 'tb/clears.fields: RESET(clear, HIGH) constants' 'RESET(clear, HIGH)' 'clear, we' \
        'assign z = 0; always @(posedge clk) if (clear) q <= 4; else if (we) q <= d; always @(posedge clk) v <= we & ~clear;'
    level lows - 'RESET(core_rst_x, LOW)' 'core_rst_x, we' 'wire r = !core_rst_x; assign z = we; always @(posedge clk) begin q <= d; v <= 1; if (r) begin q <= 0; v <= 0; end end'
    level stats - 'RESET(rst, HIGH)' 'rst_stats, rst' 'assign z = 0; always @(posedge clk) if (rst) q <= 0; else q <= d; always @(posedge clk) if (rst_stats) v <= 0; else v <= d[0];'
    level nexts 'tb/nexts.fields: RESET(core_reset_n, LOW) name' 'RESET(core_reset_n, LOW)' 'we, core_reset_n' \
        'assign z = 0; wire [3:0] n = d & {4{core_reset_n}}; always @(posedge clk) begin q <= n; if (we) v <= ^n; end'
    # An output register: prove needs it in the list, in reset its value counts from the first edge on, and the waves show it.
    sed -i '/^void bursts_clock/,$s/(void)in;/m->v = in->first; if (in->burst_en) m->q = in->d;/' "$here/p/model/bursts.c"
    sed -i 's/    out->v = m->v;/&\n    out->z = in->first;/' "$here/p/model/bursts.c"
    demand 'a module with output registers' 0 'pass bursts' in_project run bursts --cycles 20k
    demand '... is proved' 0 'proved bursts' in_project prove bursts
    sed -i 's/q <= d;/q <= d ^ 4'"'"'d8;/' "$here/p/rtl/bursts.sv"
    demand '... and a difference in one of them is' 1 'register q|waves' in_project run bursts
    expect '... shown as a register' "$(cat "$here"/p/build/runs/bursts-*/failure.gtkw)" grep -q 'bursts_waves.diff.registers.q' "$here"/p/build/runs/bursts-*/failure.gtkw
    printf 'module bursts(input wire clk, first, burst_en, reset, input wire [3:0] d, output wire [3:0] q, output reg w, output wire z);\n  reg [1:0] hi, lo; assign q = {hi, lo}, z = first;\n  always @(posedge clk) if (reset) begin {hi, lo} <= 0; w <= 1; end else begin w <= ~first; if (burst_en) {hi, lo} <= d; end\nendmodule\n' >"$here/p/theirs.sv"
    printf 'q = {hi, lo}\nv = ~w\n' >"$here/p/theirs.map"
    demand '... a map names its register alone, or both' 0 'pass bursts' in_project run bursts --cycles 5k --rtl theirs.sv --map theirs.map
    sed -i 's/w <= ~first;/w <= ~first \& d != 5;/' "$here/p/theirs.sv"
    demand '... and a difference there' 1 'register v ~w|waves' in_project run bursts --cycles 5k --rtl theirs.sv --map theirs.map
    sed -i "s/q <= d ^ 4'd8;/q <= d;/; s/assign z = first;/assign z = reset ? q[1] : first;/" "$here/p/rtl/bursts.sv"
    demand '... an output that reset changes, too' 1 'output z 0 reset' in_project prove bursts
    cannot 'tick clock reset' 'module m(input logic tick, b, output logic x, y);\n always_ff @(posedge tick) x <= b;\n always_ff @(posedge b or posedge tick) if (tick) y <= 0; else y <= x;\nendmodule\n'
    cannot 'clock tick both' 'module m(input logic tick, rst, output logic x, y);\n always_ff @(posedge tick) x <= !rst;\n always_ff @(negedge tick) y <= x;\nendmodule\n'
    cannot 'clock tick falling' 'module m(input logic tick, rst, output logic x);\n always_ff @(negedge tick) x <= !rst;\nendmodule\n'
    cannot 'bad.sv: module' 'package p; endpackage\n'
    cannot 'm clocks tick tock' 'module m(input logic tick, tock, rst, output logic x, y);\n always_ff @(posedge tick) x <= !rst;\n always_ff @(posedge tock) y <= !rst;\nendmodule\n'
    cannot 'bad.sv:1 io inout' 'module m(input logic clk, inout wire io); endmodule\n'
    cannot 'm registers reset' 'module m(input logic clk, input logic d, output logic q); always_ff @(posedge clk) q <= d; endmodule\n'
    cannot 'bad.sv:2:14 interface' 'interface bus; logic d; endinterface\nmodule m(bus b, input logic clk, output logic q); assign q = b.d; endmodule\n'
    cannot 'bad.sv:2: nothing' 'module m(input logic clk, output logic q);\n assign q = nothing;\nendmodule\n'
    demand 'new --from a file that is not there' 2 'none.sv: module' "$tool" new "$here/no" --from "$here/none.sv"
}

# A unit of a copy of this tree: what is written builds, fails and says what to write; then the counter of the project's skeleton, which is whole.
new_in_tree() {
    tree=$PWD/$here/tree
    copy_tree "$tree"
    export LOCKSTEP_CACHE="${LOCKSTEP_CACHE:-$PWD/build/dut}"
    unset LOCKSTEP_ROOT
    in_tree() { env -C "$tree" "$@"; }
    own=build/lockstep
    demand 'neither a folder nor a group' 2 'new|folder|--group' in_tree $own new
    demand 'a folder and a group' 2 '--group folder' in_tree $own new p --group common
    demand 'a group without a name' 2 '--group unit' in_tree $own new --group common
    demand 'a group that is misspelled' 2 'comon common' in_tree $own new --group comon --unit rf_sat
    demand 'no group at all' 2 'x/y banked|tb/x/y' in_tree $own new --group x/y --unit rf_sat
    demand 'another name than the tree has' 2 'sat: rf_NAME' in_tree $own new --group common --unit sat
    demand 'a unit that is there' 2 'rf_rr lockstep' in_tree $own new --group common --unit rf_rr
    printf 'module m(input logic clk_i, rst_ni, output logic q_o);\n  always_ff @(posedge clk_i) q_o <= rst_ni;\nendmodule\n' >"$tree/m.sv"
    demand 'a module of another name' 2 'm.sv: m rf_sat' in_tree $own new --group common --unit rf_sat --from m.sv
    expect '... nothing of it was written' "$(cd "$tree" && ls -- */common/rf_sat.* 2>/dev/null)" test -z "$(cd "$tree" && ls -- */common/rf_sat.* 2>/dev/null)"
    # RTL that is there, with packages and modules of the tree: they stay where they are.
    printf '// SPDX-License-Identifier: Apache-2.0\nmodule rf_two #(parameter int unsigned N = 4) (input logic clk_i, rst_ni, input logic [N-1:0] req_i, input logic take_i,\n  output logic [N-1:0] grant_o, output logic [rf_pkg::index_bits(N)-1:0] first_o);\n  assign first_o = 0;\n  rf_rr #(.N(N)) u_rr (.clk_i, .rst_ni, .req_i, .take_i, .grant_o, .valid_o());\nendmodule\n' >"$tree/rtl/banked/rf_two.sv"
    demand 'RTL with parts of ours' 0 'cmodel/banked/rf_two.h' in_tree $own new --group banked --unit rf_two --from rtl/common/rf_pkg.sv rtl/banked/rf_two.sv
    expect '... which are not copied' "$(cat "$tree/tb/banked/rf_two.c")" grep -q '^static const char \*const rtl\[\] = {"rtl/common/rf_pkg.sv", "rtl/common/rf_rr.sv", NULL};' "$tree/tb/banked/rf_two.c"
    expect '... but named' "$(ls "$tree/rtl/banked")" test ! -e "$tree/rtl/banked/rf_rr.sv" -a ! -e "$tree/rtl/banked/rf_pkg.sv"
    files='rtl/common/rf_sat.sv|cmodel/common/rf_sat.h|cmodel/common/rf_sat.c|tb/common/rf_sat.fields|tb/common/rf_sat.c|tb/common/judge/test_rf_sat.c|docs/units/rf_sat.md'
    demand 'a unit of the tree' 0 "$files|docs/units/README.md:|[\`rf_sat\`](rf_sat.md)|make all && build/lockstep run rf_sat" in_tree $own new --group common --unit rf_sat
    echo '/* mine */' >>"$tree/cmodel/common/rf_sat.c"
    demand '... is not written over' 2 'cmodel/common/rf_sat.c: already' in_tree $own new --group common --unit rf_sat
    expect '... in any line' "$(tail -n 1 "$tree/cmodel/common/rf_sat.c")" test "$(tail -n 1 "$tree/cmodel/common/rf_sat.c")" = '/* mine */'
    expect '... each with its licence' "$(grep -L SPDX "$tree"/*/common/rf_sat.[chsf]*)" test -z "$(grep -L SPDX "$tree"/*/common/rf_sat.[chsf]* "$tree/tb/common/judge/test_rf_sat.c")"
    expect '... its page has ports and registers' "$(cat "$tree/docs/units/rf_sat.md")" grep -q '^| `count_o` | W | TODO |$' "$tree/docs/units/rf_sat.md"
    demand '... builds' 0 '' in_tree make -s tool
    demand '... and says what to write' 1 'mismatch rf_sat|next cmodel/common/rf_sat.c rf_sat_clock count_q' in_tree $own run rf_sat --no-shrink
    demand '... with parts of ours, too' 1 'next cmodel/banked/rf_two.c rf_two_comb grant' in_tree $own run rf_two --no-shrink
    judge() { # tests of the judge are built without sanitizers: there are no such objects in the copy
        demand "$1: the judge builds" 0 '' in_tree sh -c "gcc -std=gnu11 -O1 -I. -o judge tb/common/judge/test_rf_sat.c \$(find build/obj -name '*.o' ! -name main.o ! -name ir_llvm.o ! -name workload_stats.o ! -path '*/papers/*' ! -path '*/speed/*') build/librfmodel.a build/sources.o -rdynamic $gold -llzma -lsqlite3 -ldl -lm -lcmocka"
        demand "$1: the judge" "$2" "$3" in_tree ./judge
    }
    judge 'not written' 1 'test_rf_sat.c: random_inputs|=[  PASSED  ] 2 test'
    for file in model/my_unit.h=cmodel/common/rf_sat.h model/my_unit.c=cmodel/common/rf_sat.c tb/my_unit.fields=tb/common/rf_sat.fields \
        tb/my_unit.c=tb/common/rf_sat.c tb/test_my_unit.c=tb/common/judge/test_rf_sat.c; do
        sed 's/my_unit/rf_sat/g; s/MY_UNIT/RF_SAT/g; s|"model/|"cmodel/common/|; s|"tb/rf_sat|"tb/common/rf_sat|; s|^#define LS_UNIT .*|&\n#define LS_GROUP "common"|' \
            "harness/project/skeleton/${file%=*}" >"$tree/${file#*=}"
    done
    demand 'written, it builds' 0 '' in_tree make -s tool
    demand '... and passes' 0 'rf_sat: 4 4' in_tree $own run rf_sat --all-sets --brief --cycles 20k
    demand '... its faults are caught' 0 '4 4 faults caught' in_tree $own faults rf_sat
    judge 'written' 0 '=[  PASSED  ] 3 test'
}

# With what is installed and nothing of this tree: a folder outside of it, and a PATH without it.
installed_project() {
    outside=$(mktemp -d)
    usr=$outside/usr
    demand 'make install' 0 '' make -s install PREFIX="$usr"
    expect 'nothing that is installed for compiling names this tree' "$(grep -rlF "$PWD" "$usr/include" "$usr/share" "$usr/lib/pkgconfig")" \
        not grep -rqF "$PWD" "$usr/include" "$usr/share" "$usr/lib/pkgconfig"
    mkdir "$outside/cache" "$outside/home"
    # Verilator's own runtime, which takes half a minute to compile, is the one that is there; it is no part of this tree.
    ln -s "$(realpath "${LOCKSTEP_CACHE:-build/dut}")"/verilator-* "$outside/cache"
    alone() { (cd "$outside/$1" && shift && env -i PATH="$usr/bin:/usr/bin:/bin" HOME="$outside/home" LOCKSTEP_CACHE="$outside/cache" \
        "$@"); }
    demand 'lockstep new' 0 'mine/tb/counter.fields|cd mine && make run' alone . lockstep new mine --unit counter
    demand 'it runs at once' 0 'counter: 4 4' alone mine make run
    demand 'its faults are caught, its judge passes' 0 '4 4 faults|=[  PASSED  ] 3 test' alone mine make test
    demand 'its plan is run' 0 '0 failed' alone mine lockstep regress regress.plan --output first --history h.db --tier 1
    sed -i "s/count_q + 1'b1/count_q + W'(in_first)/; s/^  logic \[W-1:0\] count_q;/&\n  wire in_first = count_q != W'(5);/" "$outside/mine/rtl/counter.sv"
    demand 'a planted bug' 1 'mismatch counter|register count_q|waves' alone mine lockstep run counter
    expect '... has waves of its own' "$(ls "$outside"/mine/build/runs/*)" sh -c "ls '$outside'/mine/build/runs/*/failure.fst >/dev/null"
    printf '1 counter default random fixed:1 20k\n' >"$outside/mine/one.plan"
    demand '... and a report' 1 'FAIL' alone mine lockstep regress one.plan --output night --history h.db
    expect '... with the failure' "$(head -n 5 "$outside/mine/night/summary.md")" grep -q count_q "$outside/mine/night/report.html"
    # Units of ours.
    demand 'the model of a unit of ours is proved' 0 'proved rf_rr N=4' alone . lockstep prove rf_rr --param N=4
    demand '... its mutants are judged' 0 'model rf_rr made 2 killed 2' alone . lockstep mutants rf_rr --side model --sample 2
    sed 's/mask_q/ptr_q/g' $rr >"$outside/other.sv"
    demand 'messages name pages that are installed' 2 "$usr/share/rf-lockstep/docs/guide/your-rtl.md" alone . lockstep run rf_rr --rtl other.sv
    page=$(grep -o "$usr/share[a-z/-]*\.md" "$here/text")
    expect '... and that are there' "$page" grep -q '^# Your RTL' "$page"
    demand '... help does' 0 "$usr/share/rf-lockstep/docs/README.md" alone . lockstep run --help
    demand 'the list of our RTL is installed' 0 'pass rf_rr' alone . lockstep run rf_rr -F "$usr/share/rf-lockstep/rtl/rf_lockstep.f" --cycles 2k
    shared=$(PKG_CONFIG_PATH=$usr/lib/pkgconfig pkg-config --variable=shared rfmodel)
    expect 'models as a shared library are' "$shared" sh -c "nm -D '$shared' | grep -q ' T rf_rr_step'"
    cp -r tb/tests/foreign "$outside/theirs"
    for unit in stream_fifo arb_tree lru_tags picker; do # the last has a part of ours
        demand "a foreign block: $unit" 0 "pass $unit" alone theirs lockstep run "$unit" --cycles 20k
    done
    compiles_exported lru_tags "$outside/theirs" alone theirs lockstep
    demand 'new --from a foreign block' 0 'from/tb/arb_tree.fields|cd from && make run' alone . lockstep new from --from theirs/rtl/arb_tree.sv
    demand '... says what to write' 1 'next model/arb_tree.c arb_tree_comb any' alone from lockstep run arb_tree --no-shrink
    compiles_exported arb_tree "$outside/from" alone from lockstep
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
