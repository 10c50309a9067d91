# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# RTL that is right, in other words, and RTL that is wrong: what is compared, and what is refused and why. Read by tb/tests/engine_tests.sh.
sections="$sections rtl hidden_state wrong_rtl optimized"

rtl() {
    cp $rr "$here/my_arbiter.sv"
    small='--param WARPS=8 --param COLLECTORS=4 --param BANKS=4 --param REGS=8 --param LANES=1 --param READS=2'
    cat rtl/banked/rf_banked_pkg.sv rtl/steal/rf_steal_pkg.sv rtl/steal/rf_steal.sv >"$here/one.sv"
    # shellcheck disable=SC2086
    check 'packages in the same file' 0 pass pass run rf_steal $small --rtl "$here/one.sv" --cycles 20000
    cp rtl/steal/rf_steal_reads.sv "$here/part.sv"
    # shellcheck disable=SC2086
    check 'a part of a system' 0 pass pass run rf_steal $small --rtl "$here/part.sv" --cycles 20000
    check 'the same RTL under another name' 0 pass 'pass rf_rr|bins 5 5' run rf_rr --rtl "$here/my_arbiter.sv"
    check 'with a parameter' 0 pass 'pass rf_rr N=5' run rf_rr --rtl "$here/my_arbiter.sv" --param N=5
    vary $rr "$here/sync.sv" -e 's/ or negedge rst_ni//'
    check 'a synchronous reset' 0 pass 'pass' run rf_rr --rtl "$here/sync.sv"
    vary $rr "$here/unreset.sv" -e "s/if (!rst_ni) mask_q <= '0;/if (!rst_ni) mask_q <= mask_q;/"
    check 'an unreset register' 1 mismatch '@mismatch.field=mask_q|@mismatch.cycle=0|fills' run rf_rr --rtl "$here/unreset.sv"
    vary $rr "$here/one_bit.sv" -e "s/if (!rst_ni) mask_q <= '0;/if (!rst_ni) mask_q <= N'({mask_q[0]});/"
    for seed in 1 2 3 4 5 6 7 8; do # some show it with the second fill alone
        rm -rf "$here/second"
        "$tool" run rf_rr --rtl "$here/one_bit.sv" --seed $seed --output "$here/second" >"$here/text" 2>&1
        if grep -qsx second-fill "$here/second/failure.case"; then break; fi
    done
    expect 'found with the second fill it leaves what every mismatch leaves' "$(cat "$here/text")" \
        says "$here/text" 'second fill|shrunk|waves|--cycles 1'
    expect 'and its waves show it' "$(head -n 5 "$here/second/failure.gtkw" 2>&1)" says "$here/second/failure.gtkw" 'registers differ'
    verdict=$(fst2vcd -f "$here/second/failure.fst" | awk '$1 == "$var" && $5 == "verdict" { id = $4 } /^#/ { t = $1 } t == "#0" && $2 == id { print $1 }')
    expect 'from the edge on and not before it' "the verdict begins with $verdict" test "$verdict" = b00
    check 'its case fails again' 1 mismatch 'second fill|@mismatch.field=mask_q' replay "$here/second/failure.case" --rtl "$here/one_bit.sv"
    check 'and has waves' 1 - 'second fill|waves|again' waves "$here/second/shrunk.case" --rtl "$here/one_bit.sv" --output "$here/w"
    check 'waves of the unit too' 1 - 'second fill|waves|waves rf_rr --seed' waves rf_rr --rtl "$here/one_bit.sv" --seed $seed --output "$here/w"
    for seed in 1 2 3 4 5 6 7 8; do
        "$tool" run rf_rr --rtl "$here/one_bit.sv" --seed $seed --no-shrink --quiet --output "$here/out" >/dev/null 2>&1 || echo found
    done >"$here/found"
    expect 'one unreset bit, whatever the seed' "in $(grep -c found "$here/found") of 8 runs" test "$(grep -c found "$here/found")" -eq 8
    vary rtl/common/rf_fifo_ctrl.sv "$here/empty.sv" -e "s/^      rd_ptr_q <= '0;/      rd_ptr_q <= (level_q == '0) ? rd_ptr_q : '0;/"
    check 'a reset that leaves something in one state' 1 mismatch '@mismatch.at=register|@mismatch.field=rd_ptr_q' run rf_fifo_ctrl --rtl "$here/empty.sv" --seed c
    vary $rr "$here/other.sv" -e 's/mask_q/pointer_q/g'
    vary $rr "$here/value.sv" -e "s/if (!rst_ni) mask_q <= '0;/if (!rst_ni) mask_q <= N'(1);/"
    check 'a wrong value after reset' 1 mismatch 'either fill|@mismatch.field=mask_q' run rf_rr --rtl "$here/value.sv"
    expect 'is not put down to the second fill' "$(head -n 2 "$here/text")" not grep -qx second-fill "$here/out/failure.case"
    cp "$here/out/failure.case" "$here/value.case"
    check 'and its case fails again' 1 mismatch mask_q replay "$here/value.case" --rtl "$here/value.sv"
    check 'so does that of the second fill, which is not put down to it' 1 mismatch 'either fill|@mismatch.field=mask_q' \
        replay "$here/second/failure.case" --rtl "$here/value.sv"
    check '--ports-only takes other registers' 0 pass '@registers_compared=false' run rf_rr --rtl "$here/other.sv" --ports-only
    vary "$here/other.sv" "$here/other_bad.sv" -e "s/(above != '0) ? above : req_i/above/"
    check '--ports-only sees a wrong output' 1 mismatch 'output grant_o|@mismatch.at=output|@registers_compared=false' run rf_rr --rtl "$here/other_bad.sv" --ports-only
    vary $rr "$here/switch.sv" -e 's/^  assign valid_o.*/`ifdef BROKEN\n  assign valid_o = 1\x27b0;\n`else\n&\n`endif/'
    check 'without --define' 0 pass 'pass' run rf_rr --rtl "$here/switch.sv"
    check 'with --define' 1 mismatch 'valid_o' run rf_rr --rtl "$here/switch.sv" --define BROKEN
    cp rtl/banked/rf_bank.sv "$here/bank.sv"
    check '--ports-only copies what a memory holds' 0 pass '@memories_copied_at_power_up=1' run rf_bank --rtl "$here/bank.sv" --ports-only --cycles 30000
    vary "$here/bank.sv" "$here/other_bank.sv" -e 's/mem_q/rows_q/g'
    "$tool" run rf_bank --rtl "$here/other_bank.sv" --ports-only --no-shrink --quiet --output "$here/out" >"$here/text" 2>&1
    expect 'and says when it cannot' "$(head -n 2 "$here/text")" says "$here/text" 'rf_bank: mem_q memory'
    cp $rr "$here/it's_a&b.sv"
    check 'a name that a shell would break' 0 pass 'pass' run rf_rr --rtl "$here/it's_a&b.sv"
    vary $rr "$here/array.sv" -e 's/input  logic \[N-1:0\] req_i/input  logic [0:0] req_i [0:N-1]/' -e 's/req_i/req/g' \
        -e "s/ req \[0:N-1\]/ req_i [0:N-1]/" -e 's/^  logic \[N-1:0\] mask_q.*/&\n  logic [N-1:0] req;\n  always_comb for (int i = 0; i < N; i++) req[i] = req_i[i];/'
    check 'a port as an array where the list says a vector' 2 build 'array.sv: width req_i 1 8' run rf_rr --rtl "$here/array.sv"
    sed -e 's/input  logic \[SLOTS\*REG_W-1:0\] *alloc_src_i/input logic [REG_W-1:0] alloc_src_i [0:SLOTS-1]/' rtl/banked/rf_ocu.sv >"$here/slots.sv"
    if grep -q 'alloc_src_i \[0:SLOTS-1\]' "$here/slots.sv"; then
        sed -i -e 's/alloc_src_i;/alloc_src;/; s/<= alloc_src_i/<= alloc_src/; s/= alloc_src_i/= alloc_src/' \
            -e 's/^endmodule/  logic [SLOTS*REG_W-1:0] alloc_src;\n  always_comb for (int s = 0; s < SLOTS; s++) alloc_src[s*REG_W +: REG_W] = alloc_src_i[s];\nendmodule/' "$here/slots.sv"
        check 'a port as an array of elements' 0 pass 'pass' run rf_ocu --rtl "$here/slots.sv"
    fi
    check 'a vector of elements that are not whole bytes' 0 pass 'pass' run rf_crossbar --param WIDTH=5 --param SRC=3 --param DST=2
    # Files of the user's own: as they are named from here, and nothing of ours in their place.
    mkdir -p "$here/own/inc"
    vary $rr "$here/own/rf_rr.sv" -e 's/(take_i && valid_o)/take_i/'
    root=$PWD
    for path in rf_rr.sv ./rf_rr.sv ../own/rf_rr.sv; do
        (cd "$here/own" && "$root/$tool" run rf_rr --rtl "$path" --no-shrink --output out >text 2>&1)
        expect "a file of ours by name, given as $path" "exit $?: $(head -n 2 "$here/own/text")" says "$here/own/text" 'mismatch rf_rr|mask_q'
    done
    vary $rr "$here/own/inc/top.sv" -e 's/^module rf_rr/`include "width.svh"\n&/' -e 's/^  logic \[N-1:0\] mask_q, mask_d;/  logic [`WIDTH-1:0] mask_q, mask_d;/'
    echo '`define WIDTH N' >"$here/own/inc/width.svh"
    check 'an include beside the file' 0 pass 'pass' run rf_rr --rtl "$here/own/inc/top.sv"
    vary rtl/common/rf_lfsr.sv "$here/lfsr.sv" -e '/assign value_o/d' -e 's/logic \[15:0\] value_q, value_d/logic [15:0] value_d/' -e 's/value_q/value_o/g'
    check 'an output that is a register' 0 pass '@registers_compared=false' run rf_lfsr --rtl "$here/lfsr.sv" --ports-only
    check 'and of large ones' 0 pass 'pass' run rf_crossbar --param WIDTH=67 --param SRC=5 --param DST=3
}

wrong_rtl() {
    vary $rr "$here/no_port.sv" -e '/input  logic         take_i/d' -e "s/take_i/1'b1/"
    check 'a missing port' 2 build 'build rf_rr|missing input take_i|=the grant is used' run rf_rr --rtl "$here/no_port.sv"
    vary $rr "$here/more.sv" -e 's/^  input  logic         take_i,/&\n  input  logic         spare_i,/'
    check 'an extra port' 2 build 'more.sv: port spare_i' run rf_rr --rtl "$here/more.sv"
    vary $rr "$here/wide.sv" -e 's/output logic \[N-1:0\] grant_o/output logic [N:0] grant_o/'
    check 'a port of the wrong width' 2 build 'wide.sv: width output grant_o 1 9 1 8' run rf_rr --rtl "$here/wide.sv"
    vary $rr "$here/turned.sv" -e 's/output logic         valid_o/input  logic         valid_o/' -e '/assign valid_o/d' -e 's/(take_i \&\& valid_o)/take_i/'
    check 'a port of the wrong direction' 2 build 'turned.sv: valid_o output' run rf_rr --rtl "$here/turned.sv"
    vary $rr "$here/no_register.sv" -e '/always_ff/,/^  end/d' -e 's/^endmodule/  always_comb mask_q = mask_d \& {N{rst_ni}};\nendmodule/'
    check 'a missing register' 2 build 'missing register mask_q|--map|--ports-only' run rf_rr --rtl "$here/no_register.sv"
    vary $rr "$here/more_q.sv" -e 's/^endmodule/  logic [2:0] more_q;\n  always_ff @(posedge clk_i) more_q <= more_q + 1;\nendmodule/'
    check 'an extra register' 2 build 'more_q.sv: register more_q 1 3' run rf_rr --rtl "$here/more_q.sv"
    vary $rr "$here/latch.sv" -e 's/^endmodule/  logic kept;\n  always_latch if (take_i) kept = valid_o;\nendmodule/'
    check 'a latch' 2 build 'latch.sv: latch kept 1 1' run rf_rr --rtl "$here/latch.sv"
    vary $rr "$here/narrow.sv" -e 's/logic \[N-1:0\] mask_q, mask_d;/logic [N-2:0] mask_q; logic [N-1:0] mask_d;/' -e 's/mask_q <= mask_d/mask_q <= mask_d[N-2:0]/'
    check 'a register of the wrong width' 2 build 'narrow.sv: width register mask_q 1 7 1 8' run rf_rr --rtl "$here/narrow.sv"
    vary $rr "$here/syntax.sv" -e "s/assign valid_o = req_i != '0;/assign valid_o = req_i != ;/"
    line=$(grep -n 'req_i != ;' "$here/syntax.sv" | cut -d: -f1)
    vary rtl/banked/rf_wbq.sv "$here/ascending.sv" -e 's/logic \[DATA_W-1:0\] data_q \[0:DEPTH-1\];/logic [0:DEPTH-1][DATA_W-1:0] data_q;/'
    check 'elements that lie the other way round' 2 build 'ascending.sv: order register data_q' run rf_wbq --rtl "$here/ascending.sv" --param LANES=3
    vary "$here/ascending.sv" "$here/descending.sv" -e 's/logic \[0:DEPTH-1\]\[DATA_W-1:0\] data_q;/logic [DEPTH-1:0][DATA_W-1:0] data_q;/'
    vary rtl/banked/rf_wbq.sv "$here/ascending_bits.sv" -e 's/logic  *\[NOTE-1:0\]  *note_q *\[0:DEPTH-1\];/logic [0:DEPTH-1] note_q;/'
    check 'elements of one bit that do' 2 build 'ascending_bits.sv: order register note_q' run rf_wbq --rtl "$here/ascending_bits.sv" --param LANES=3
    vary $rr "$here/labels.sv" -e 's/^  logic \[N-1:0\] mask_q, mask_d;/  logic [0:N-1] mask_q; logic [N-1:0] mask_d;/'
    check 'of one value the names of the bits are its own' 0 pass pass run rf_rr --rtl "$here/labels.sv"
    check 'a packed array' 0 pass pass run rf_wbq --rtl "$here/descending.sv" --param LANES=3
    check 'a syntax error' 2 build "syntax.sv:$line: syntax error" run rf_rr --rtl "$here/syntax.sv"
    vary $rr "$here/renamed.sv" -e 's/module rf_rr/module my_rr/'
    first_says() { sed -n 2p "$here/text" >"$here/first" && says "$here/first" "$1"; }
    begins() { expect "... and the cause is the first line" "$(head -n 3 "$here/text")" first_says "$1"; } # facts
    check 'another top module' 2 build 'rf_rr my_rr' run rf_rr --rtl "$here/renamed.sv"
    begins "rf_rr my_rr $here/renamed.sv:$(grep -n '^module' "$here/renamed.sv" | cut -d: -f1) map"
    demand '... nor for synthesis' 2 "rf_rr my_rr $here/renamed.sv:$(grep -n '^module' "$here/renamed.sv" | cut -d: -f1)" "$tool" prove rf_rr --rtl "$here/renamed.sv"
    for n in 1 2 3 4 5 6; do echo "module m$n; endmodule"; done >"$here/modules.sv"
    check 'many modules and no top' 2 build 'rf_rr m1 m4 2 map' run rf_rr --rtl "$here/modules.sv"
    { echo '`ifdef TAKE'; cat $rr; echo '`endif'; } >"$here/behind.sv"
    check 'a top module that no define lets in' 2 build 'rf_rr rf_rr|preprocessor' run rf_rr --rtl "$here/behind.sv"
    check '... with it' 0 pass 'pass rf_rr' run rf_rr --rtl "$here/behind.sv" --define TAKE
    vary $rr "$here/package.sv" -e 's/^  logic \[N-1:0\] mask_q/  localparam int unsigned W = rf_pkg::index_bits(N);\n&/'
    check 'a package of ours that the unit has not' 2 build 'rf_pkg' run rf_rr --rtl "$here/package.sv"
    begins "package rf_pkg $PWD/rtl/common/rf_pkg.sv --rtl"
    check '... with it' 0 pass 'pass rf_rr' run rf_rr --rtl rtl/common/rf_pkg.sv "$here/package.sv"
    sed -i 's/rf_pkg::index_bits(N)/my_pkg::WIDTH/' "$here/package.sv"
    echo 'package my_pkg; localparam int unsigned WIDTH = 3; endpackage' >"$here/my_pkg.sv"
    if newer 5006; then check 'a package behind its user' 0 pass 'pass rf_rr' run rf_rr --rtl "$here/package.sv" "$here/my_pkg.sv"
    else
        check 'a package behind its user' 2 build 'my_pkg' run rf_rr --rtl "$here/package.sv" "$here/my_pkg.sv"
        begins "package my_pkg $here/my_pkg.sv before"
    fi
    check 'a package that nobody has' 2 build 'package my_pkg --rtl' run rf_rr --rtl "$here/package.sv"
    check 'a file that is missing' 2 build "$here/nowhere.sv" run rf_rr --rtl "$here/nowhere.sv"
    : >"$here/empty.sv"
    check 'an empty file' 2 build 'rf_rr module' run rf_rr --rtl "$here/empty.sv"
    check 'a folder' 2 build "$here" run rf_rr --rtl "$here"
    vary $rr "$here/no_param.sv" -e 's/parameter int unsigned N = 8/parameter int unsigned SIZE = 8, localparam int unsigned N = SIZE/'
    check 'a parameter that the RTL lacks' 2 build "rf_rr N" run rf_rr --rtl "$here/no_param.sv" --param N=5
    vary $rr "$here/submodule.sv" -e 's/^endmodule/  rf_helper u_helper (.*);\nendmodule/'
    check 'a module that is missing' 2 build 'rf_helper' run rf_rr --rtl "$here/submodule.sv"
    vary $rr "$here/x.sv" -e "s/assign valid_o = req_i != '0;/assign valid_o = req_i != '0 ? 1'b1 : 1'bx;/"
    for seed in 1 2 3 4 5 6; do
        check "an output that is X, seed $seed" 1 mismatch 'valid_o' run rf_rr --rtl "$here/x.sv" --seed $seed
    done
    # X in every eighth epoch, and none in the first 2,000 cycles of these seeds.
    vary $rr "$here/late_x.sv" -e "s/assign valid_o = req_i != '0;/logic [2:0] kind;\n  always_ff @(posedge clk_i) if (!rst_ni) kind <= req_i[2:0];\n  assign valid_o = req_i != '0 ? (kind == 3'd5 ? 1'bx : 1'b1) : 1'b0;/"
    for seed in 2 3 5 7; do
        check "an X in a later epoch, seed $seed" 1 mismatch 'valid_o' run rf_rr --rtl "$here/late_x.sv" --ports-only --seed $seed
    done
    vary rtl/banked/rf_wbq.sv "$here/rare_x.sv" -e "s/wr_note_o = '0;/wr_note_o = (push_i \&\& push_row_i == '1 \&\& push_reg_i == '0) ? 1'bx : 1'b0;/"
    # An X is a constant that follows from the seed, with each Verilator another: seeds are tried for one that is needed.
    for seed in 1 2 3 4 5 6 7 8 9; do # for a 1, which this run sees
        "$tool" run rf_wbq --rtl "$here/rare_x.sv" --seed $seed --no-shrink --waves --output "$here/rare" >"$here/text" 2>&1
        [ ! -f "$here/rare/failure.gtkw" ] || break
    done
    expect 'waves in which the X is another constant show it all the same' "$(head -n 3 "$here/rare/failure.gtkw" 2>&1)" \
        says "$here/rare/failure.gtkw" 'outputs differ 1 X|=wr_note'
    for place in x late_x; do # without shrinking there would be no waves
        for seed in 7 1 2 3 4 5 6 8 9; do # for one that hides it, until it is 0 or 1 in all bits
            "$tool" run rf_rr --rtl "$here/$place.sv" --ports-only --seed $seed --output "$here/case" >"$here/text" 2>&1
            ! grep -q '^x ' "$here/case/failure.case" || break
        done
        expect "$place: what every mismatch leaves" "$(cat "$here/text")" says "$here/text" 'X field|shrunk|waves'
        for kind in failure shrunk; do
            value=$(sed -n 's/^x //p' "$here/case/$kind.case")
            check "$place: its $kind case fails again" 1 mismatch "${value:-no value} X|@mismatch.field=valid" replay "$here/case/$kind.case" --rtl "$here/$place.sv" --ports-only
        done
        cycles() { sed -n 's/^end //p' "$here/case/$1.case"; }
        expect "$place: with less in the shrunk one" "$(cycles failure), $(cycles shrunk)" test "$(cycles shrunk)" -lt "$(cycles failure)"
        expect "$place: waves of the same value" "$(head -n 3 "$here/case/failure.gtkw")" says "$here/case/failure.gtkw" "$value X"
    done
    vary "$here/late_x.sv" "$here/no_x.sv" -e "s/1'bx/1'b0/"
    check 'the case of an X on RTL that has none and is wrong' 1 mismatch '0 1 X|@mismatch.field=valid' \
        replay "$here/case/failure.case" --rtl "$here/no_x.sv" --ports-only
    vary $rr "$here/x_final.sv" -e "s/assign valid_o = req_i/logic unknown; assign unknown = 1'bx; assign valid_o = (mask_q == 8'hf0 \&\& unknown) ^ req_i/" \
        -e 's|^endmodule|  final if (mask_q == 8\x27hf0) $fatal(1, "left");\nendmodule|'
    check 'an X whose DUT ends itself at last' 1 mismatch 'valid_o|left|=  case  ' run rf_rr --rtl "$here/x_final.sv" --ports-only --seed 3
    expect 'has its case' "$(cat "$here/text")" test -s "$(field case)"
    vary $rr "$here/x_fatal.sv" -e "s|^endmodule|  logic [3:0] unknown; assign unknown = 4'bx;\n  always_ff @(posedge clk_i) if (rst_ni \&\& unknown == 4'hf \&\& req_i == 8'h11) \$fatal(1, \"taken\");\nendmodule|"
    vary $rr "$here/long.sv" -e "s/assign valid_o = req_i != '0;/int n = 0; always_ff @(posedge clk_i) n <= n + 1;\n  assign valid_o = (req_i != '0) ^ (n > 2500000);/"
    demand 'a case that lacks what the RTL kept over its first reset' 1 'shrunk case cycles RTL|waves' \
        "$tool" run rf_rr --rtl "$here/long.sv" --ports-only --cycles 3M --output "$here/case"
    check 'what ends with an X alone' 1 crash 'cycle 128|taken|1 X|--cycles 129' run rf_rr --rtl "$here/x_fatal.sv" --ports-only --seed 3
    vary rtl/banked/rf_bank.sv "$here/x_row.sv" -e "s/^  assign read /  logic unknown; assign unknown = 1'bx;\n&/" \
        -e "s/^    if (write \&\& rst_ni)/    if (write \&\& rst_ni \&\& wdata_i[9:0] == 10'h3ff) mem_q[waddr_i ^ 10'h200] <= mem_q[waddr_i ^ 10'h200] ^ DATA_W'(!unknown);\n&/"
    for seed in 1 2 3; do # the last words of a run of which 300 cycles are too few to sweep all rows
        check "an X in a row that is only swept, seed $seed" 1 mismatch 'mem_q' run rf_bank --param ROWS=1024 --rtl "$here/x_row.sv" --cycles 300 --seed $seed
    done
    vary $rr "$here/defined.sv" -e 's/assign valid_o = req_i/assign valid_o = `WRONG req_i/'
    "$tool" run rf_rr --rtl "$here/defined.sv" --define 'WRONG=req_i[0] ^' --ports-only --output "$here/case" --quiet --no-shrink >"$here/text" 2>&1
    check 'a case keeps its macros when its RTL is given' 1 mismatch 'valid_o' replay "$here/case/failure.case" --rtl "$here/defined.sv"
    check 'unless others are' 0 pass 'case valid' replay "$here/case/failure.case" --rtl "$here/defined.sv" --define WRONG=
    vary $rr "$here/edited.sv" -e 's/assign valid_o = req_i/assign valid_o = req_i[0] ^ req_i/' \
        -e "s|^endmodule|  initial \$system(\"sed -i s/once/again/ $here/edited.sv\");\n&|"
    demand 'RTL that is edited while it runs' 1 'valid_o|RTL changed|waves' "$tool" run rf_rr --rtl "$here/edited.sv" --allow-system --seed 1 --output "$here/case"
    demand 'and then no more' 1 'valid_o|waves' "$tool" run rf_rr --rtl "$here/edited.sv" --allow-system --seed 1 --output "$here/case"
    expect 'is not said to be' "$(cat "$here/text")" not says "$here/text" 'RTL changed'
    vary $rr "$here/undriven.sv" -e 's/(take_i && valid_o)/(take_i \&\& valid_o \&\& !spare)/' -e 's/^  logic \[N-1:0\] mask_q.*/&\n  logic spare;/'
    check 'a net that nothing drives' 2 build "undriven.sv: driven 'spare'" run rf_rr --rtl "$here/undriven.sv"
    two() { # name, what drives valid_o
        vary $rr "$here/two.sv" -e "s/^  assign valid_o = .*/$2/" -e '$amodule drv(input logic r, output logic v); assign v = r; endmodule'
        check "$1" 2 build "two.sv: two drivers" run rf_rr --rtl "$here/two.sv"
    }
    two 'two drivers of a port' "  assign valid_o = req_i != '0; assign valid_o = req_i[0];"
    two 'two drivers of a wire' "  wire v; assign v = req_i != '0; assign v = req_i[0]; assign valid_o = v;"
    two 'a wire that an instance drives too' "  wire v; assign v = req_i != '0; drv u_drv (.r(req_i[0]), .v(v)); assign valid_o = v;"
    two 'two always_comb' "  always_comb valid_o = req_i != '0; always_comb valid_o = req_i[0];"
    clocked() { # name, variable, line to add to rf_fifo_ctrl
        vary rtl/common/rf_fifo_ctrl.sv "$here/clocked.sv" -e "s/^endmodule/$3\n&/"
        check "$1" 2 build "clocked.sv: $2 two drivers" run rf_fifo_ctrl --rtl "$here/clocked.sv"
    }
    other="always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) level_q <= 3'd5; else level_q <= 3'd7;"
    clocked 'two always_ff of a register' level_q "$other"
    clocked 'a clocked driver of a wire' write_o "always @(posedge clk_i) write_o = 1'b1;"
    clocked 'an assign beside the always_comb' level_d 'assign level_d = level_q;'
    sed '$amodule other(input logic clk_i, input logic rst_ni); '"$(echo "$other" | sed 's/level_q/rf_fifo_ctrl.&/g')"' endmodule\nbind rf_fifo_ctrl other u_other(.clk_i, .rst_ni);' \
        rtl/common/rf_fifo_ctrl.sv >"$here/bound.sv"
    check 'a driver in a module that is bound' 2 build 'bound.sv: level_q two drivers always_ff always_ff' run rf_fifo_ctrl --rtl "$here/bound.sv"
    vary $rr "$here/bits.sv" -e 's/^  assign grant_o = .*/  for (genvar i = 0; i < N; i++) begin : gen_bit\n    logic [N-1:0] one;\n    assign one = pool \& (~pool + 1\x27b1);\n    assign grant_o[i] = one[i];\n  end/'
    check 'a driver for each bit is none too many' 0 pass pass run rf_rr --rtl "$here/bits.sv"
    vary $rr "$here/always.sv" -e "s/if (!rst_ni) mask_q <= '0;/if (!rst_ni) mask_q[0] <= '0;/" -e 's/else         mask_q <= mask_d;/else         mask_q[0] <= mask_d[0];/' \
        -e 's/^endmodule/  for (genvar i = 1; i < N; i++) begin : gen_mask\n    always_ff @(posedge clk_i) if (!rst_ni) mask_q[i] <= 1\x27b0; else mask_q[i] <= mask_d[i];\n  end\nendmodule/'
    check 'nor are processes of one vector, with other sensitivity' 0 pass pass run rf_rr --rtl "$here/always.sv"
    vary $rr "$here/delay.sv" -e 's/assign valid_o = /assign #700 valid_o = /' -e 's/mask_q <= mask_d/mask_q <= #500 mask_d/'
    check 'delays are told to be left out' 0 pass 'delay.sv: delay 2' run rf_rr --rtl "$here/delay.sv"
    check 'and when the DUT is there already' 0 pass 'delay.sv: delay 2' run rf_rr --rtl "$here/delay.sv"
    vary $rr "$here/struct.sv" -e 's/^  logic \[N-1:0\] mask_q, mask_d;/  typedef struct { logic [N-1:0] m; } open_t;\n  open_t mask_q;\n  logic [N-1:0] mask_d;/' \
        -e 's/mask_q <= /mask_q.m <= /g' -e 's/req_i \& mask_q/req_i \& mask_q.m/' -e 's/: mask_q;/: mask_q.m;/'
    check 'a register without bits' 2 build 'struct.sv: register mask_q type' run rf_rr --rtl "$here/struct.sv"
    cp $rr "$here/twice.sv"
    check 'a module twice' 2 build "twice.sv: 'rf_rr'" run rf_rr --rtl "$here/undriven.sv" "$here/twice.sv"
    vary rtl/common/rf_fifo_ctrl.sv "$here/typo.sv" -e 's/module rf_fifo_ctrl/module rf_fifo_ctl/'
    "$tool" run rf_wbq --rtl rtl/banked/rf_wbq.sv "$here/typo.sv" --quiet --no-shrink --output "$here/out" >"$here/text" 2>&1
    expect 'a file more than is needed is told' "exit $?: $(cat "$here/text")" says "$here/text" 'typo.sv: module'
    sed -e '1i`ifdef NEVER' -e '$a`endif' rtl/common/rf_fifo_ctrl.sv >"$here/never.sv"
    check 'a module that no define lets in' 2 build 'never.sv: rf_fifo_ctrl.sv' run rf_wbq --rtl "$here/never.sv"
    mkdir -p "$here/own"
    echo '`include "rf_rr.sv"' >"$here/own/all.sv"
    check 'an include that ours would answer' 2 build 'all.sv:1: `include "rf_rr.sv"' run rf_rr --rtl "$here/own/all.sv"
    # The line and the name, without the list of places where Verilator looked.
    short() { expect '... in four lines, without a temporary folder' "$(cat "$here/text")" sh -c "! grep -q 'ooked in\|current working\|ls_elab' '$here/text' && test \$(grep -c '^  [^ ]' '$here/text') -eq 3"; }
    vary $rr "$here/parts.sv" -e 's/^endmodule/  my_part u_part (.a(clk_i));\nendmodule/'
    check 'an instance of a module that is nowhere' 2 build "parts.sv:$(grep -n my_part "$here/parts.sv" | cut -d: -f1):3: 'my_part'" run rf_rr --rtl "$here/parts.sv"
    short
    vary $rr "$here/words.sv" -e 's/^module/`include "my_words.svh"\n&/'
    check 'an include that is nowhere' 2 build 'my_words.svh' run rf_rr --rtl "$here/words.sv"
    short
    vary $rr "$here/clock.sv" -e 's/input  logic         clk_i/input  logic [1:0]   clk_i/' -e 's/posedge clk_i/posedge clk_i[0]/'
    check 'a clock of two bits' 2 build 'clock.sv: width input clk_i 1 2' run rf_rr --rtl "$here/clock.sv"
    vary $rr "$here/no_reset.sv" -e '/input  logic         rst_ni/d' -e 's/ or negedge rst_ni//' -e "s/if (!rst_ni) mask_q <= '0;//" -e 's/else         mask_q/mask_q/'
    check 'no reset' 2 build 'missing input rst_ni' run rf_rr --rtl "$here/no_reset.sv"
    vary rtl/banked/rf_ocu_alloc.sv "$here/clocked.sv" -e 's/^) (/&\n  input  logic [4:0] clk_i,/'
    check 'a clock that the unit has not' 2 build 'port clk_i rf_ocu_alloc' run rf_ocu_alloc --rtl "$here/clocked.sv"
    { sed '/^endmodule/,$d' $rr; for n in $(seq 40); do echo "  logic [3:0] r$n; always_ff @(posedge clk_i) r$n <= r$n + 1;"; done; echo endmodule; } >"$here/many.sv"
    check 'many registers of its own are all named' 2 build "register r1 |register r2 |register r39 |register r40 " run rf_rr --rtl "$here/many.sv"
    # Not only what is missing: also what the RTL has in its place.
    vary $rr "$here/other.sv" -e 's/mask_q/ptr_q/g' -e 's/^endmodule/  logic [2:0] age_q;\n  always_ff @(posedge clk_i) age_q <= age_q + 1;\nendmodule/'
    check 'registers without a partner, in many instances' 2 build \
        'missing gen_bank[0].u_rd_rr.mask_q|--map|other.sv: register gen_bank[0].u_rd_rr.ptr_q 1 8' \
        run rf_arbiter --rtl "$here/other.sv"
    named=$(grep -c ' gen_bank.*_rr\.mask_q ' "$here/text") own=$(grep -c ' gen_bank.*_rr\.\(ptr\|age\)_q ' "$here/text")
    expect '... all are named, a line each' "$(cat "$here/text")" test "$named $own" = '16 32'
    expect '... and nothing is cut' "$(cat "$here/text")" not grep -q 'cut: ' "$here/text"
    { sed 's/^) (/&\n  input logic spare_i,/' $rr | sed "s/^  input logic spare_i,/$(for n in $(seq 40); do printf '  input logic spare%s_i,\\n' "$n"; done)/"; } >"$here/spare.sv"
    check 'a long list of ports is whole' 2 build 'port spare1_i|port spare40_i' run rf_rr --rtl "$here/spare.sv"
    sed 's/mask_q/\\mask_q\x1b[31m /g' $rr >"$here/escape.sv"
    check 'a name with control characters' 2 build '=mask_q\x1b[31m' run rf_rr --rtl "$here/escape.sv"
    expect 'does not command the terminal' "$(cat -v "$here/text")" sh -c "! LC_ALL=C grep -q '[^[:print:][:space:]]' '$here/text'"
    check '--ports-only still demands the ports' 2 build 'missing input take_i' run rf_rr --rtl "$here/no_port.sv" --ports-only
}

# State that the field list cannot name is refused, whatever form it has; --ports-only takes it.
hidden_state() {
    refused() { # name, facts, line of RTL
        sed "s/^endmodule/  $3\nendmodule/" $rr >"$here/hidden.sv"
        check "$1" 2 build "hidden.sv $2" run rf_rr --rtl "$here/hidden.sv"
    }
    refused 'a static variable of a block' 'register b.age' "always_ff @(posedge clk_i) begin : b static logic [7:0] age; age = age + 8'd1; end"
    refused 'one that its initial value does not give away' 'register b.age' 'always_ff @(posedge clk_i) begin : b static logic [31:0] age; age = rst_ni ? age + 1 : 0; end'
    refused 'a latch in always_comb' 'latch l' 'logic l; always_comb if (take_i) l = req_i[0];'
    refused 'a latch in always @*' 'latch l' 'logic l; always @* if (take_i) l = req_i[0];'
    refused 'a counter of two latches' 'latch a|hidden.sv latch s' 'logic [31:0] a, s; always @* if (!clk_i) a = rst_ni ? s + 1 : 0; always @* if (clk_i) s = a;'
    refused 'a counter without an edge' 'register s' 'logic [31:0] s; always @(clk_i) if (clk_i) s = rst_ni ? s + 1 : 0;'
    refused 'a variable without an edge' 'register l' 'logic l; always @(clk_i) l = take_i;'
    refused 'an assignment of itself' 'latch l' 'logic l; assign l = take_i ? req_i[0] : l;'
    refused 'a loop variable that keeps its value' 'register age' 'logic [31:0] age; always_ff @(posedge clk_i) for (age = age + 1; age[0] \&\& age[31]; age = age + 1) begin end'
    refused 'a queue' 'register q' 'int q[$]; always @(posedge clk_i) q.push_back(1);'
    refused 'a static member of a class' 'class c state' 'class c; static int age; endclass always @(posedge clk_i) c::age = c::age + 1;'
    sed -e '1i package p; int age; endpackage' -e 's/^endmodule/  always @(posedge clk_i) p::age <= p::age + 1;\nendmodule/' $rr >"$here/hidden.sv"
    check 'a variable of a package' 2 build 'hidden.sv:1: age package p state' run rf_rr --rtl "$here/hidden.sv"
    refused 'a seed' 'register seed|hidden.sv $random state' 'int seed; logic l; always @(posedge clk_i) l <= 1\x27($random(seed));'
    refused 'a forced wire' 'force state|hidden.sv release state' 'wire l; always @(posedge clk_i) if (take_i) force l = 1; else release l;'
    refused '$value$plusargs' 'register age' 'int age; always @(posedge clk_i) if ($value$plusargs("x=%d", age)) ;'
    refused '$c' '$c state' 'logic l; assign l = $c("1");'
    refused 'a function in C' 'getpid state' 'import "DPI-C" function int getpid(); logic l; always_comb l = getpid() == 5 \&\& take_i;'
    sed 's/^endmodule/  integer i; logic [N-1:0] up, down; always @* for (i = 0; i < N; i = i + 1) up[i] = req_i[i];\n  always @* for (i = 0; i < N; i = i + 1) down[i] = up[i];\nendmodule/' $rr >"$here/index.sv"
    check 'an index of loops that all begin by writing it' 0 pass pass run rf_rr --rtl "$here/index.sv"
    check 'only the ports of it' 0 pass '@registers_compared=false' run rf_rr --rtl "$here/hidden.sv" --ports-only --allow-system
    implementation='`systemc_implementation' # which one, the XML of newer Verilators does not say
    ! newer 5006 || newer 5045 || implementation='`systemc'
    refused 'a variable of the C++ class' "$implementation state" '`systemc_implementation\nstatic int age;\n`verilog'
    refused 'a variable that only C can write' 'register age' 'int age; export "DPI-C" function set; function void set(input int x); age = x; endfunction'
    # What runs commands or C code is refused whatever is compared, until somebody allows it.
    outside() { # name, facts, line of RTL
        sed "s/^endmodule/  $3\nendmodule/" $rr >"$here/outside.sv"
        rm -f "$here/owned"
        check "$1" 2 build "outside.sv $2 --allow-system" run rf_rr --rtl "$here/outside.sv" --ports-only
        expect '... and it was not run' 'it was' test ! -e "$here/owned"
    }
    outside 'C++ of the RTL' "$implementation" '`systemc_implementation\nstatic int age;\n`verilog'
    outside '$c in an initial' '$c' 'initial $c("(void)0;");'
    outside 'a C function in an initial' 'function system' "import \"DPI-C\" function int system(input string s); int code; initial code = system(\"touch $(echo "$here" | sed 's|/|\\/|g')\\/owned\");"
    outside '$system in an initial' '$system' "initial \$system(\"touch $(echo "$here" | sed 's|/|\\/|g')\\/owned\");"
    check 'the same, allowed' 0 pass 'pass rf_rr' run rf_rr --rtl "$here/outside.sv" --allow-system
    expect '... is run' 'it was not' test -e "$here/owned"
}

# By either compiler: the same run, and what a DUT runs in every cycle is optimized, although the start, which is not, calls it too: then nothing
# of Verilator's arrays is called, all is inlined. Of rf_rfree_table the start is, by clang, a unit of its own.
optimized() {
    for unit in 'rf_arbiter --param BANKS=4' rf_rfree_table; do
        for cxx in clang++-14 g++; do
            export CXX=$cxx
            # shellcheck disable=SC2086 # options
            check "$unit, $cxx: outputs that follow from inputs alone" 0 pass pass run $unit --cycles 50000
            stable "$here/record" | sed 's/"build":"[^"]*"//g; s/"tools":"[^"]*"//g' >"$here/$cxx"
            dut=${LOCKSTEP_CACHE:-build/dut}/${unit%% *}-$(field build)/dut.so
            readelf -p .comment "$dut" >"$here/comment"
            expect '... are its code' "$(cat "$here/comment")" test "$(grep -c clang "$here/comment")" -eq "$(case $cxx in clang*) echo 1 ;; *) echo 0 ;; esac)"
            objdump -d --no-show-raw-insn "$dut" | sed -n '/^[0-9a-f]* <.*\(ico\|nba\)_sequent.*>:/,/^$/p' >"$here/code"
            expect '... have functions of their own' "$dut has none" test -s "$here/code"
            called=$(grep -c 'VlUnpacked\|VlWide' "$here/code")
            expect '... that are optimized' "$called calls" test "$called" -eq 0
        done
        expect 'both saw the same' "$(diff "$here/clang++-14" "$here/g++" | head -c 400)" cmp -s "$here/clang++-14" "$here/g++"
    done
    unset CXX
}
