#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The engine put to the test from outside: whatever a DUT, its user or the machine does has a name, an exit code and a message that helps.
# One line a check, "ok …" or "FAIL … why"; the last line is "N passed, N failed". JOBS: sections at a time (default 2).
# engine_tests.sh [SECTION…] runs those sections alone.
# shellcheck disable=SC2016,SC2317,SC3045 # RTL holds $finish and the like; functions are called by name
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
. tb/tests/checks.sh # $tool, the tool under test ...
objects=${OBJECTS:-build/obj}     # ... and the objects it was linked from
work=${WORK:-build/engine}
sections='disasters rtl hidden_state wrong_rtl evidence determinism shrink plan_mutants pair_mutants model assertions usage json memory processes folders names one_at_a_time installed stale'


# Runs the tool and demands exit code, status of the record ("-": no record) and words in what it prints.
check() { # name, exit code, status, words, arguments…
    name=$1 code=$2 status=$3 words=$4
    shift 4
    rm -rf "$here/record" "$here/out"
    case $1 in
    run) set -- "$@" --record "$here/record" --output "$here/out" --no-shrink ;;
    replay) set -- "$@" --record "$here/record" --output "$here/out" ;;
    esac
    "$tool" "$@" >"$here/text" 2>&1
    got=$?
    seen=-
    [ ! -f "$here/record" ] || seen=$("$work/record_of" status <"$here/record" 2>&1)
    if [ "$got" -ne "$code" ]; then bad "$name" "exit $got and not $code: $(head -n 3 "$here/text" | tr '\n' ' ')"
    elif [ "$seen" != "$status" ]; then bad "$name" "status $seen and not $status"
    elif ! says "$here/text" "$words"; then bad "$name" "\"$missing\" is not in: $(head -n 4 "$here/text" | tr '\n' ' ')"
    else ok "$name"; return 0
    fi
    return 1
}

# A changed copy of an RTL file: sed expressions that must change something.
vary() { # from, to, sed arguments…
    from=$1 to=$2
    shift 2
    sed "$@" "$from" >"$to"
    if cmp -s "$from" "$to"; then bad "$to" "sed changed nothing"; fi
}

field() { "$work/record_of" "$1" <"$here/record"; }

rr=rtl/common/rf_rr.sv

# A counter that nothing compares (hence --ports-only): `age` is 0 in cycle 2, the first after the reset, and 100 in cycle 102, which is
# from the edge of cycle 101 on.
with_age() { # to, line to add
    vary $rr "$1" -e "s|^endmodule|  logic [15:0] age;\n  always_ff @(posedge clk_i) age <= rst_ni ? age + 1'b1 : '0;\n$2\nendmodule|"
}

disasters() {
    at100='always_ff @(posedge clk_i) if (rst_ni \&\& age == 100)'
    with_age "$here/segfault.sv" "  $at100 \$c(\"*(volatile int *)8 = 0;\");"
    check 'a segmentation fault' 1 crash 'crash  rf_rr|signal 11|Segmentation fault|cycle 102' run rf_rr --rtl "$here/segfault.sv" --allow-system --ports-only
    with_age "$here/abort.sv" "  $at100 \$c(\"std::abort();\");"
    check 'abort' 1 crash 'signal 6|cycle 102' run rf_rr --rtl "$here/abort.sv" --allow-system --ports-only
    with_age "$here/exit.sv" "  $at100 \$c(\"std::exit(0);\");"
    check 'an exit with status 0 is no pass' 1 crash 'ended with exit status 0|cycle 102' run rf_rr --rtl "$here/exit.sv" --allow-system --ports-only
    with_age "$here/quick_exit.sv" "  $at100 \$c(\"std::_Exit(2);\");"
    check 'an exit with status 2' 1 crash 'ended with exit status 2|cycle 102' run rf_rr --rtl "$here/quick_exit.sv" --allow-system --ports-only
    with_age "$here/throw.sv" "  $at100 \$c(\"throw 1;\");"
    check 'a C++ exception' 1 crash 'signal 6|cycle 102' run rf_rr --rtl "$here/throw.sv" --allow-system --ports-only
    with_age "$here/finish.sv" "  $at100 \$finish;"
    check '$finish' 1 crash '$finish|finish.sv:|cycle 102' run rf_rr --rtl "$here/finish.sv" --ports-only
    with_age "$here/stop.sv" "  $at100 \$stop;"
    check '$stop' 1 crash '$stop|stop.sv:|cycle 102' run rf_rr --rtl "$here/stop.sv" --ports-only
    with_age "$here/fatal.sv" "  $at100 \$fatal(1, \"the arbiter is on fire\");"
    check '$fatal' 1 crash 'the arbiter is on fire|fatal.sv:|cycle 102' run rf_rr --rtl "$here/fatal.sv" --ports-only
    with_age "$here/oscillates.sv" "  logic a, b;\n  always_comb a = (age == 100) ? ~b : 1'b0;\n  always_comb b = a;\n  always_ff @(posedge clk_i) if (b) \$display(\"b\");"
    check 'a loop that does not converge' 1 crash 'converge|oscillates.sv:|cycle 101' run rf_rr --rtl "$here/oscillates.sv" --ports-only
    with_age "$here/endless.sv" "  $at100 \$c(\"for (volatile int i = 1; i;) {}\");"
    check 'an endless loop' 1 hang 'hang  rf_rr|did not finish cycle 102' run rf_rr --rtl "$here/endless.sv" --allow-system --ports-only --timeout 3
    with_age "$here/loud.sv" "  $at100 \$c(\"for (;;) std::putchar(120);\");"
    begin=$(date +%s)
    check 'an endless loop that prints' 1 hang 'did not finish cycle 102' run rf_rr --rtl "$here/loud.sv" --allow-system --ports-only --timeout 2
    expect 'is as short' "$(($(date +%s) - begin)) s" test $(($(date +%s) - begin)) -lt 20
    rm -f "$here/text" # a large one
    with_age "$here/while.sv" "  logic [7:0] n;\n  always_comb begin\n    n = 0;\n    while (age == 100 \&\& n != 8'hff) begin n = n + 8'd2; \$c(\"asm volatile(\\\\\"\\\\\");\"); end\n  end\n  always_ff @(posedge clk_i) if (n == 8'h1) \$display(\"n\");"
    check 'an endless while in always_comb' 1 hang 'did not finish cycle 101' run rf_rr --rtl "$here/while.sv" --allow-system --ports-only --timeout 3
    vary $rr "$here/finite.sv" -e "s/assign valid_o = .*/logic [31:0] n;\n  always_comb begin\n    n = 0;\n    while (n != 32'(req_i) || req_i == '1) n = n + 1;\n  end\n  assign valid_o = n != 0;/"
    check 'an endless while that C++ takes for a finite one' 1 hang 'did not finish cycle' run rf_rr --rtl "$here/finite.sv" --timeout 3
    vary $rr "$here/initial.sv" -e 's|^endmodule|  initial $finish;\nendmodule|'
    check '$finish before the first cycle' 1 crash '$finish|cycle 0' run rf_rr --rtl "$here/initial.sv"
    vary $rr "$here/final.sv" -e 's|^endmodule|  final $finish;\nendmodule|'
    check '$finish when all is over' 0 pass 'pass  rf_rr' run rf_rr --rtl "$here/final.sv"
    with_age "$here/age.sv" ''
    vary "$here/age.sv" "$here/late.sv" -e 's/assign valid_o = req_i/assign valid_o = (age == 5000) ^ req_i/'
    "$tool" run rf_rr --rtl "$here/late.sv" --ports-only --cycles 1 --quiet >"$here/text" 2>&1 # builds it
    (ulimit -f 64 && "$tool" run rf_rr --rtl "$here/late.sv" --ports-only --output "$here/small" >"$here/text" 2>&1)
    expect 'a mismatch whose case cannot be written is one' "$(cat "$here/text")" says "$here/text" 'mismatch  rf_rr|valid_o|File size limit exceeded|with no case written'
    (trap '' XFSZ && ulimit -f 64 && "$tool" run rf_rr --rtl "$here/late.sv" --ports-only --output "$here/cut" >"$here/text" 2>&1)
    expect '... and leaves no part of it' "$(ls "$here/cut"; cat "$here/text")" sh -c "grep -q 'failure.case: File too large' '$here/text' && [ ! -e '$here/cut/failure.case' ]"
    end='final if (mask_q != 0) while (n >= 0) begin n = n ^ 3; if (n == 77) $display("x"); end'
    vary $rr "$here/last.sv" -e 's/assign valid_o = req_i/assign valid_o = (mask_q == 8\x27hf0 \&\& req_i[7]) ^ req_i/' -e "s|^endmodule|  int n; $end\nendmodule|"
    check 'an endless loop after a mismatch' 1 mismatch 'did not finish|valid_o|case   ' run rf_rr --rtl "$here/last.sv" --ports-only --timeout 2
    vary $rr "$here/fill.sv" -e 's/assign valid_o = req_i/assign valid_o = !lost_q ^ req_i/' \
        -e 's|^endmodule|  logic lost_q, spin;\n  always_ff @(posedge clk_i) if (rst_ni) lost_q <= 1;\n  always_comb begin\n    spin = 0;\n    if (lost_q \&\& !rst_ni) while (req_i[0] \| !req_i[0]) begin spin = !spin; if (spin == take_i) $write(""); end\n  end\nendmodule|'
    check 'an endless loop after a reset with one fill' 1 hang 'did not finish cycle 0' run rf_rr --rtl "$here/fill.sv" --ports-only --timeout 2
    vary $rr "$here/slow.sv" -e 's|^endmodule|  always_ff @(posedge clk_i) $system("sleep 0.003");\nendmodule|'
    check 'RTL that is slow is no endless loop' 1 vacuous 'too little was seen' run rf_rr --rtl "$here/slow.sv" --allow-system --ports-only --timeout 1 --cycles 300
    vary $rr "$here/prints.sv" -e 's|^endmodule|  always_ff @(posedge clk_i) if (req_i == 8\x27h11) $display("said by the DUT");\nendmodule|'
    "$tool" run rf_rr --rtl "$here/prints.sv" --json >"$here/stdout" 2>"$here/stderr"
    expect 'what the DUT prints is not in the record' "$(head -n 2 "$here/stdout")" sh -c "'$work/record_of' <'$here/stdout' && grep -q 'said by the DUT' '$here/stderr'"
    vary $rr "$here/forges.sv" -e 's|^endmodule|  initial $fwrite(32\x27h8000_0001, "{\\"status\\":\\"forged\\"}\\n");\n  initial $system("echo by the shell");\n  always_ff @(posedge clk_i) if (req_i == 8\x27h11) $display("a\\033[31mb\\007");\nendmodule|'
    "$tool" run rf_rr --rtl "$here/forges.sv" --allow-system --json >"$here/stdout" 2>"$here/stderr"
    expect 'nor what it writes to stdout itself' "$(head -n 2 "$here/stdout")" sh -c "'$work/record_of' <'$here/stdout' && ! grep -q forged '$here/stdout'"
    expect 'but on stderr, without control characters' "$(head -n 3 "$here/stderr" | cat -v)" says "$here/stderr" 'forged|by the shell|a\x1b[31mb\x07'
    expect 'none at all' "$(grep -c "$(printf '\033')" "$here/stderr") lines" sh -c "! LC_ALL=C grep -q '[^[:print:][:space:]]' '$here/stderr'"
    "$tool" speed rf_rr --rtl "$here/forges.sv" --allow-system --json >"$here/stdout" 2>"$here/stderr"
    expect 'nor in the results of speed' "$(head -n 2 "$here/stdout")" sh -c "'$work/record_of' <'$here/stdout' && ! grep -q forged '$here/stdout'"
    check 'speed of a DUT that ends itself' 1 - 'ended itself|$finish' speed rf_rr --rtl "$here/initial.sv"
}

rtl() {
    cp $rr "$here/my_arbiter.sv"
    cat rtl/banked/rf_banked_pkg.sv rtl/steal/rf_steal_pkg.sv rtl/steal/rf_steal.sv >"$here/one.sv"
    check 'packages in the same file' 0 pass pass run rf_steal --rtl "$here/one.sv" --cycles 20000
    cp rtl/steal/rf_steal_reads.sv "$here/part.sv"
    check 'a part of a system' 0 pass pass run rf_steal --rtl "$here/part.sv" --cycles 20000
    check 'the same RTL under another name' 0 pass 'pass  rf_rr|bins 5 of 5' run rf_rr --rtl "$here/my_arbiter.sv"
    check 'with a parameter' 0 pass 'pass  rf_rr N=5' run rf_rr --rtl "$here/my_arbiter.sv" --param N=5
    vary $rr "$here/sync.sv" -e 's/ or negedge rst_ni//'
    check 'a synchronous reset' 0 pass 'pass' run rf_rr --rtl "$here/sync.sv"
    vary $rr "$here/unreset.sv" -e "s/if (!rst_ni) mask_q <= '0;/if (!rst_ni) mask_q <= mask_q;/"
    check 'an unreset register' 1 mismatch 'mask_q|fill' run rf_rr --rtl "$here/unreset.sv"
    vary $rr "$here/one_bit.sv" -e "s/if (!rst_ni) mask_q <= '0;/if (!rst_ni) mask_q <= N'({mask_q[0]});/"
    for seed in 1 2 3 4 5 6 7 8; do # some show it with the second fill alone
        rm -rf "$here/second"
        "$tool" run rf_rr --rtl "$here/one_bit.sv" --seed $seed --output "$here/second" >"$here/text" 2>&1
        if grep -q 'second fill' "$here/text"; then break; fi
    done
    expect 'found with the second fill it leaves what every mismatch leaves' "$(cat "$here/text")" \
        says "$here/text" 'with the second fill|shrunk   |waves    |--cycles 1 '
    expect 'and its waves show it' "$(head -n 5 "$here/second/failure.gtkw" 2>&1)" says "$here/second/failure.gtkw" 'registers differ'
    verdict=$(fst2vcd -f "$here/second/failure.fst" | awk '$1 == "$var" && $5 == "verdict" { id = $4 } /^#/ { t = $1 } t == "#0" && $2 == id { print $1 }')
    expect 'from the edge on and not before it' "the verdict begins with $verdict" test "$verdict" = b00
    check 'its case fails again' 1 mismatch 'with the second fill|mask_q' replay "$here/second/failure.case" --rtl "$here/one_bit.sv"
    check 'and has waves' 1 - 'with the second fill|waves    |again    ' waves "$here/second/shrunk.case" --rtl "$here/one_bit.sv" --output "$here/w"
    check 'waves of the unit too' 1 - 'with the second fill|waves    |waves rf_rr --seed' waves rf_rr --rtl "$here/one_bit.sv" --seed $seed --output "$here/w"
    for seed in 1 2 3 4 5 6 7 8; do
        "$tool" run rf_rr --rtl "$here/one_bit.sv" --seed $seed --no-shrink --quiet --output "$here/out" >/dev/null 2>&1 || echo found
    done >"$here/found"
    expect 'one unreset bit, whatever the seed' "in $(grep -c found "$here/found") of 8 runs" test "$(grep -c found "$here/found")" -eq 8
    vary rtl/common/rf_fifo_ctrl.sv "$here/empty.sv" -e "s/^      rd_ptr_q <= '0;/      rd_ptr_q <= (level_q == '0) ? rd_ptr_q : '0;/"
    check 'a reset that leaves something in one state' 1 mismatch 'register  rd_ptr_q' run rf_fifo_ctrl --rtl "$here/empty.sv" --seed c
    vary $rr "$here/other.sv" -e 's/mask_q/pointer_q/g'
    vary $rr "$here/value.sv" -e "s/if (!rst_ni) mask_q <= '0;/if (!rst_ni) mask_q <= N'(1);/"
    check 'a wrong value after reset' 1 mismatch 'after reset, with either fill of the registers|mask_q' run rf_rr --rtl "$here/value.sv"
    expect 'is not put down to the second fill' "$(head -n 2 "$here/text")" sh -c "! grep -q 'second fill' '$here/text' '$here/out/failure.case'"
    cp "$here/out/failure.case" "$here/value.case"
    check 'and its case fails again' 1 mismatch mask_q replay "$here/value.case" --rtl "$here/value.sv"
    check 'so does that of the second fill, which is not put down to it' 1 mismatch 'with either fill of the registers|mask_q' \
        replay "$here/second/failure.case" --rtl "$here/value.sv"
    check '--ports-only takes other registers' 0 pass 'ports only' run rf_rr --rtl "$here/other.sv" --ports-only
    vary "$here/other.sv" "$here/other_bad.sv" -e "s/(above != '0) ? above : req_i/above/"
    check '--ports-only sees a wrong output' 1 mismatch 'output    grant_o|before the edge' run rf_rr --rtl "$here/other_bad.sv" --ports-only
    vary $rr "$here/switch.sv" -e 's/^  assign valid_o.*/`ifdef BROKEN\n  assign valid_o = 1\x27b0;\n`else\n&\n`endif/'
    check 'without --define' 0 pass 'pass' run rf_rr --rtl "$here/switch.sv"
    check 'with --define' 1 mismatch 'valid_o' run rf_rr --rtl "$here/switch.sv" --define BROKEN
    cp rtl/banked/rf_bank.sv "$here/bank.sv"
    check '--ports-only copies what a memory holds' 0 pass 'power-up contents of 1 memory copied' run rf_bank --rtl "$here/bank.sv" --ports-only --cycles 30000
    vary "$here/bank.sv" "$here/other_bank.sv" -e 's/mem_q/rows_q/g'
    "$tool" run rf_bank --rtl "$here/other_bank.sv" --ports-only --no-shrink --quiet --output "$here/out" >"$here/text" 2>&1
    expect 'and says when it cannot' "$(head -n 2 "$here/text")" says "$here/text" 'rf_bank: the RTL has no memory mem_q of this name and shape'
    cp $rr "$here/it's_a&b.sv"
    check 'a name that a shell would break' 0 pass 'pass' run rf_rr --rtl "$here/it's_a&b.sv"
    vary $rr "$here/array.sv" -e 's/input  logic \[N-1:0\] req_i/input  logic [0:0] req_i [0:N-1]/' -e 's/req_i/req/g' \
        -e "s/ req \[0:N-1\]/ req_i [0:N-1]/" -e 's/^  logic \[N-1:0\] mask_q.*/&\n  logic [N-1:0] req;\n  always_comb for (int i = 0; i < N; i++) req[i] = req_i[i];/'
    check 'a port as an array where the list says a vector' 2 build 'wrong width: input port req_i' run rf_rr --rtl "$here/array.sv"
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
        expect "a file of ours by name, given as $path" "exit $?: $(head -n 2 "$here/own/text")" says "$here/own/text" 'mismatch  rf_rr|mask_q'
    done
    vary $rr "$here/own/inc/top.sv" -e 's/^module rf_rr/`include "width.svh"\n&/' -e 's/^  logic \[N-1:0\] mask_q, mask_d;/  logic [`WIDTH-1:0] mask_q, mask_d;/'
    echo '`define WIDTH N' >"$here/own/inc/width.svh"
    check 'an include beside the file' 0 pass 'pass' run rf_rr --rtl "$here/own/inc/top.sv"
    vary rtl/common/rf_lfsr.sv "$here/lfsr.sv" -e '/assign value_o/d' -e 's/logic \[15:0\] value_q, value_d/logic [15:0] value_d/' -e 's/value_q/value_o/g'
    check 'an output that is a register' 0 pass 'ports only' run rf_lfsr --rtl "$here/lfsr.sv" --ports-only
    check 'and of large ones' 0 pass 'pass' run rf_crossbar --param WIDTH=67 --param SRC=5 --param DST=3
}

wrong_rtl() {
    vary $rr "$here/no_port.sv" -e '/input  logic         take_i/d' -e "s/take_i/1'b1/"
    check 'a missing port' 2 build 'build  rf_rr|missing input port|take_i|the grant is used' run rf_rr --rtl "$here/no_port.sv"
    vary $rr "$here/more.sv" -e 's/^  input  logic         take_i,/&\n  input  logic         spare_i,/'
    check 'an extra port' 2 build 'more.sv:|port spare_i is not in the field list' run rf_rr --rtl "$here/more.sv"
    vary $rr "$here/wide.sv" -e 's/output logic \[N-1:0\] grant_o/output logic [N:0] grant_o/'
    check 'a port of the wrong width' 2 build 'wide.sv:|wrong width: output port grant_o has 1 x 9 bits|1 x 8' run rf_rr --rtl "$here/wide.sv"
    vary $rr "$here/turned.sv" -e 's/output logic         valid_o/input  logic         valid_o/' -e '/assign valid_o/d' -e 's/(take_i \&\& valid_o)/take_i/'
    check 'a port of the wrong direction' 2 build 'valid_o is not an output port' run rf_rr --rtl "$here/turned.sv"
    vary $rr "$here/no_register.sv" -e '/always_ff/,/^  end/d' -e 's/^endmodule/  always_comb mask_q = mask_d \& {N{rst_ni}};\nendmodule/'
    check 'a missing register' 2 build 'missing register|mask_q|requesters above|there is no mapping|--ports-only compares ports alone' run rf_rr --rtl "$here/no_register.sv"
    vary $rr "$here/more_q.sv" -e 's/^endmodule/  logic [2:0] more_q;\n  always_ff @(posedge clk_i) more_q <= more_q + 1;\nendmodule/'
    check 'an extra register' 2 build 'more_q.sv:|register more_q (1 x 3 bits) is not in the field list: nothing would compare it' run rf_rr --rtl "$here/more_q.sv"
    vary $rr "$here/latch.sv" -e 's/^endmodule/  logic kept;\n  always_latch if (take_i) kept = valid_o;\nendmodule/'
    check 'a latch' 2 build 'latch.sv:|latch kept (1 x 1 bits) is not in the field list' run rf_rr --rtl "$here/latch.sv"
    vary $rr "$here/narrow.sv" -e 's/logic \[N-1:0\] mask_q, mask_d;/logic [N-2:0] mask_q; logic [N-1:0] mask_d;/' -e 's/mask_q <= mask_d/mask_q <= mask_d[N-2:0]/'
    check 'a register of the wrong width' 2 build 'wrong width: register mask_q has 1 x 7 bits|1 x 8' run rf_rr --rtl "$here/narrow.sv"
    vary $rr "$here/syntax.sv" -e "s/assign valid_o = req_i != '0;/assign valid_o = req_i != ;/"
    line=$(grep -n 'req_i != ;' "$here/syntax.sv" | cut -d: -f1)
    vary rtl/banked/rf_wbq.sv "$here/ascending.sv" -e 's/logic \[DATA_W-1:0\] data_q \[0:DEPTH-1\];/logic [0:DEPTH-1][DATA_W-1:0] data_q;/'
    check 'elements that lie the other way round' 2 build 'ascending.sv:|wrong order: register data_q' run rf_wbq --rtl "$here/ascending.sv" --param LANES=3
    vary "$here/ascending.sv" "$here/descending.sv" -e 's/logic \[0:DEPTH-1\]\[DATA_W-1:0\] data_q;/logic [DEPTH-1:0][DATA_W-1:0] data_q;/'
    vary rtl/banked/rf_wbq.sv "$here/ascending_bits.sv" -e 's/logic  *near_q *\[0:DEPTH-1\];/logic [0:DEPTH-1] near_q;/'
    check 'elements of one bit that do' 2 build 'ascending_bits.sv:|wrong order: register near_q' run rf_wbq --rtl "$here/ascending_bits.sv" --param LANES=3
    vary $rr "$here/labels.sv" -e 's/^  logic \[N-1:0\] mask_q, mask_d;/  logic [0:N-1] mask_q; logic [N-1:0] mask_d;/'
    check 'of one value the names of the bits are its own' 0 pass pass run rf_rr --rtl "$here/labels.sv"
    check 'a packed array' 0 pass pass run rf_wbq --rtl "$here/descending.sv" --param LANES=3
    check 'a syntax error' 2 build "syntax.sv:$line|syntax error" run rf_rr --rtl "$here/syntax.sv"
    vary $rr "$here/renamed.sv" -e 's/module rf_rr/module my_rr/'
    check 'another top module' 2 build 'rf_rr|was not found' run rf_rr --rtl "$here/renamed.sv"
    check 'a file that is missing' 2 build "$here/nowhere.sv" run rf_rr --rtl "$here/nowhere.sv"
    : >"$here/empty.sv"
    check 'an empty file' 2 build 'rf_rr|was not found' run rf_rr --rtl "$here/empty.sv"
    check 'a folder' 2 build "$here" run rf_rr --rtl "$here"
    vary $rr "$here/no_param.sv" -e 's/parameter int unsigned N = 8/parameter int unsigned SIZE = 8, localparam int unsigned N = SIZE/'
    check 'a parameter that the RTL lacks' 2 build "N" run rf_rr --rtl "$here/no_param.sv" --param N=5
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
    vary rtl/banked/rf_wbq.sv "$here/rare_x.sv" -e "s/wr_near_o = 1'b0;/wr_near_o = (push_i \&\& push_row_i == '1 \&\& push_reg_i == '0) ? 1'bx : 1'b0;/"
    "$tool" run rf_wbq --rtl "$here/rare_x.sv" --seed 4 --no-shrink --waves --output "$here/rare" >"$here/text" 2>&1
    expect 'waves in which the X is another constant show it all the same' "$(head -n 3 "$here/rare/failure.gtkw" 2>&1)" \
        says "$here/rare/failure.gtkw" 'outputs differ, with 1 for every bit that is X in the RTL|wr_near'
    for place in x late_x; do # without shrinking there would be no waves
        "$tool" run rf_rr --rtl "$here/$place.sv" --ports-only --seed 7 --output "$here/case" >"$here/text" 2>&1
        expect "$place: what every mismatch leaves" "$(cat "$here/text")" says "$here/text" 'an X reaches this field|shrunk   |waves    '
        for kind in failure shrunk; do
            value=$(sed -n 's/^x //p' "$here/case/$kind.case")
            check "$place: its $kind case fails again" 1 mismatch "with ${value:-no value} for every bit that is X|valid_o" replay "$here/case/$kind.case" --rtl "$here/$place.sv" --ports-only
        done
        cycles() { sed -n 's/^end //p' "$here/case/$1.case"; }
        expect "$place: with less in the shrunk one" "$(cycles failure), $(cycles shrunk)" test "$(cycles shrunk)" -lt "$(cycles failure)"
        expect "$place: waves of the same value" "$(head -n 3 "$here/case/failure.gtkw")" says "$here/case/failure.gtkw" "with $value for every bit that is X"
    done
    vary "$here/late_x.sv" "$here/no_x.sv" -e "s/1'bx/1'b0/"
    check 'the case of an X on RTL that has none and is wrong' 1 mismatch 'with 0 and with 1 for every bit that is X in the RTL: no X is the cause|valid_o' \
        replay "$here/case/failure.case" --rtl "$here/no_x.sv" --ports-only
    vary $rr "$here/x_final.sv" -e "s/assign valid_o = req_i/logic unknown; assign unknown = 1'bx; assign valid_o = (mask_q == 8'hf0 \&\& unknown) ^ req_i/" \
        -e 's|^endmodule|  final if (mask_q == 8\x27hf0) $fatal(1, "left");\nendmodule|'
    check 'an X whose DUT ends itself at last' 1 mismatch 'valid_o|left|case   ' run rf_rr --rtl "$here/x_final.sv" --ports-only --seed 3
    expect 'has its case' "$(cat "$here/text")" sh -c "! grep -q 'no case written' '$here/text'"
    vary $rr "$here/x_fatal.sv" -e "s|^endmodule|  logic [3:0] unknown; assign unknown = 4'bx;\n  always_ff @(posedge clk_i) if (rst_ni \&\& unknown == 4'hf \&\& req_i == 8'h11) \$fatal(1, \"taken\");\nendmodule|"
    vary $rr "$here/long.sv" -e "s/assign valid_o = req_i != '0;/int n = 0; always_ff @(posedge clk_i) n <= n + 1;\n  assign valid_o = (req_i != '0) ^ (n > 2500000);/"
    demand 'a case that lacks what the RTL kept over its first reset' 1 'not shrunk: the case does not fail when it is played again: it has |cycles, and what the RTL|waves    ' \
        "$tool" run rf_rr --rtl "$here/long.sv" --ports-only --cycles 3M --output "$here/case"
    check 'what ends with an X alone' 1 crash 'in cycle 128|taken|with 1 for every bit that is X in the RTL|--cycles 129 ' run rf_rr --rtl "$here/x_fatal.sv" --ports-only --seed 3
    vary rtl/banked/rf_bank.sv "$here/x_row.sv" -e "s/^  assign read /  logic unknown; assign unknown = 1'bx;\n&/" \
        -e "s/^    if (write \&\& rst_ni)/    if (write \&\& rst_ni \&\& wdata_i[9:0] == 10'h3ff) mem_q[waddr_i ^ 10'h200] <= mem_q[waddr_i ^ 10'h200] ^ DATA_W'(!unknown);\n&/"
    for seed in 1 2 3; do # the last words of a run of which 300 cycles are too few to sweep all rows
        check "an X in a row that is only swept, seed $seed" 1 mismatch 'mem_q' run rf_bank --param ROWS=1024 --rtl "$here/x_row.sv" --cycles 300 --seed $seed
    done
    vary $rr "$here/defined.sv" -e 's/assign valid_o = req_i/assign valid_o = `WRONG req_i/'
    "$tool" run rf_rr --rtl "$here/defined.sv" --define 'WRONG=req_i[0] ^' --ports-only --output "$here/case" --quiet --no-shrink >"$here/text" 2>&1
    check 'a case keeps its macros when its RTL is given' 1 mismatch 'valid_o' replay "$here/case/failure.case" --rtl "$here/defined.sv"
    check 'unless others are' 0 pass 'does not fail any more' replay "$here/case/failure.case" --rtl "$here/defined.sv" --define WRONG=
    vary $rr "$here/edited.sv" -e 's/assign valid_o = req_i/assign valid_o = req_i[0] ^ req_i/' \
        -e "s|^endmodule|  initial \$system(\"sed -i s/once/again/ $here/edited.sv\");\n&|"
    demand 'RTL that is edited while it runs' 1 'valid_o|the RTL has changed since the run began|waves    ' "$tool" run rf_rr --rtl "$here/edited.sv" --allow-system --seed 1 --output "$here/case"
    demand 'and then no more' 1 'valid_o|waves    ' "$tool" run rf_rr --rtl "$here/edited.sv" --allow-system --seed 1 --output "$here/case"
    expect 'is not said to be' "$(cat "$here/text")" sh -c "! grep -q 'has changed' '$here/text'"
    vary $rr "$here/undriven.sv" -e 's/(take_i && valid_o)/(take_i \&\& valid_o \&\& !spare)/' -e 's/^  logic \[N-1:0\] mask_q.*/&\n  logic spare;/'
    check 'a net that nothing drives' 2 build "undriven.sv:|Signal is not driven: 'spare'" run rf_rr --rtl "$here/undriven.sv"
    two() { # name, what drives valid_o
        vary $rr "$here/two.sv" -e "s/^  assign valid_o = .*/$2/" -e '$amodule drv(input logic r, output logic v); assign v = r; endmodule'
        check "$1" 2 build "two.sv:|has two drivers of one bit: " run rf_rr --rtl "$here/two.sv"
    }
    two 'two drivers of a port' "  assign valid_o = req_i != '0; assign valid_o = req_i[0];"
    two 'two drivers of a wire' "  wire v; assign v = req_i != '0; assign v = req_i[0]; assign valid_o = v;"
    two 'a wire that an instance drives too' "  wire v; assign v = req_i != '0; drv u_drv (.r(req_i[0]), .v(v)); assign valid_o = v;"
    two 'two always_comb' "  always_comb valid_o = req_i != '0; always_comb valid_o = req_i[0];"
    clocked() { # name, variable, line to add to rf_fifo_ctrl
        vary rtl/common/rf_fifo_ctrl.sv "$here/clocked.sv" -e "s/^endmodule/$3\n&/"
        check "$1" 2 build "clocked.sv:|: $2 has two drivers of one bit: " run rf_fifo_ctrl --rtl "$here/clocked.sv"
    }
    other="always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) level_q <= 3'd5; else level_q <= 3'd7;"
    clocked 'two always_ff of a register' level_q "$other"
    clocked 'a clocked driver of a wire' write_o "always @(posedge clk_i) write_o = 1'b1;"
    clocked 'an assign beside the always_comb' level_d 'assign level_d = level_q;'
    sed '$amodule other(input logic clk_i, input logic rst_ni); '"$(echo "$other" | sed 's/level_q/rf_fifo_ctrl.&/g')"' endmodule\nbind rf_fifo_ctrl other u_other(.clk_i, .rst_ni);' \
        rtl/common/rf_fifo_ctrl.sv >"$here/bound.sv"
    check 'a driver in a module that is bound' 2 build 'bound.sv:|: level_q has two drivers of one bit: an always_ff here and an always_ff at ' run rf_fifo_ctrl --rtl "$here/bound.sv"
    vary $rr "$here/bits.sv" -e 's/^  assign grant_o = .*/  for (genvar i = 0; i < N; i++) begin : gen_bit\n    logic [N-1:0] one;\n    assign one = pool \& (~pool + 1\x27b1);\n    assign grant_o[i] = one[i];\n  end/'
    check 'a driver for each bit is none too many' 0 pass pass run rf_rr --rtl "$here/bits.sv"
    vary $rr "$here/always.sv" -e "s/if (!rst_ni) mask_q <= '0;/if (!rst_ni) mask_q[0] <= '0;/" -e 's/else         mask_q <= mask_d;/else         mask_q[0] <= mask_d[0];/' \
        -e 's/^endmodule/  for (genvar i = 1; i < N; i++) begin : gen_mask\n    always_ff @(posedge clk_i) if (!rst_ni) mask_q[i] <= 1\x27b0; else mask_q[i] <= mask_d[i];\n  end\nendmodule/'
    check 'nor are processes of one vector, with other sensitivity' 0 pass pass run rf_rr --rtl "$here/always.sv"
    vary $rr "$here/delay.sv" -e 's/assign valid_o = /assign #700 valid_o = /' -e 's/mask_q <= mask_d/mask_q <= #500 mask_d/'
    check 'delays are told to be left out' 0 pass 'delay.sv:|this delay (the first of 2) is left out' run rf_rr --rtl "$here/delay.sv"
    check 'and when the DUT is there already' 0 pass 'delay.sv:|this delay (the first of 2) is left out' run rf_rr --rtl "$here/delay.sv"
    vary $rr "$here/struct.sv" -e 's/^  logic \[N-1:0\] mask_q, mask_d;/  typedef struct { logic [N-1:0] m; } open_t;\n  open_t mask_q;\n  logic [N-1:0] mask_d;/' \
        -e 's/mask_q <= /mask_q.m <= /g' -e 's/req_i \& mask_q/req_i \& mask_q.m/' -e 's/: mask_q;/: mask_q.m;/'
    check 'a register without bits' 2 build 'struct.sv:|register mask_q|of a type without bits: unpacked struct, real' run rf_rr --rtl "$here/struct.sv"
    cp $rr "$here/twice.sv"
    check 'a module twice' 2 build "twice.sv:|Duplicate declaration of module: 'rf_rr'" run rf_rr --rtl "$here/undriven.sv" "$here/twice.sv"
    vary rtl/common/rf_fifo_ctrl.sv "$here/typo.sv" -e 's/module rf_fifo_ctrl/module rf_fifo_ctl/'
    "$tool" run rf_wbq --rtl rtl/banked/rf_wbq.sv "$here/typo.sv" --quiet --no-shrink --output "$here/out" >"$here/text" 2>&1
    expect 'a file more than is needed is told' "exit $?: $(cat "$here/text")" says "$here/text" 'typo.sv: no module of this file is part of the unit'
    sed -e '1i`ifdef NEVER' -e '$a`endif' rtl/common/rf_fifo_ctrl.sv >"$here/never.sv"
    check 'a module that no define lets in' 2 build 'never.sv:|this module is taken from |rf_fifo_ctrl.sv' run rf_wbq --rtl "$here/never.sv"
    mkdir -p "$here/own"
    echo '`include "rf_rr.sv"' >"$here/own/all.sv"
    check 'an include that ours would answer' 2 build 'all.sv:1: `include "rf_rr.sv" would find' run rf_rr --rtl "$here/own/all.sv"
    vary $rr "$here/clock.sv" -e 's/input  logic         clk_i/input  logic [1:0]   clk_i/' -e 's/posedge clk_i/posedge clk_i[0]/'
    check 'a clock of two bits' 2 build 'clock.sv:|wrong width: input port clk_i has 1 x 2 bits' run rf_rr --rtl "$here/clock.sv"
    vary $rr "$here/no_reset.sv" -e '/input  logic         rst_ni/d' -e 's/ or negedge rst_ni//' -e "s/if (!rst_ni) mask_q <= '0;//" -e 's/else         mask_q/mask_q/'
    check 'no reset' 2 build 'missing input port: the RTL has no rst_ni' run rf_rr --rtl "$here/no_reset.sv"
    vary rtl/banked/rf_ocu_alloc.sv "$here/clocked.sv" -e 's/^) (/&\n  input  logic [4:0] clk_i,/'
    check 'a clock that the unit has not' 2 build 'port clk_i: rf_ocu_alloc has none' run rf_ocu_alloc --rtl "$here/clocked.sv"
    { sed '/^endmodule/,$d' $rr; for n in $(seq 40); do echo "  logic [3:0] r$n; always_ff @(posedge clk_i) r$n <= r$n + 1;"; done; echo endmodule; } >"$here/many.sv"
    check 'a message that is cut says so' 2 build 'register r1 |(cut: ' run rf_rr --rtl "$here/many.sv"
    sed 's/mask_q/\\mask_q\x1b[31m /g' $rr >"$here/escape.sv"
    check 'a name with control characters' 2 build 'mask_q\x1b[31m' run rf_rr --rtl "$here/escape.sv"
    expect 'does not command the terminal' "$(cat -v "$here/text")" sh -c "! LC_ALL=C grep -q '[^[:print:][:space:]]' '$here/text'"
    check '--ports-only still demands the ports' 2 build 'missing input port' run rf_rr --rtl "$here/no_port.sv" --ports-only
}

evidence() {
    check 'five cycles prove nothing' 1 vacuous 'vacuous  rf_rr|too little was seen|mask_q|bin "idle" never hit|bin "all ask" never hit' run rf_rr --cycles 5
    check 'one cycle' 1 vacuous 'no cycle was compared' run rf_rr --cycles 1
    check 'two cycles of reset' 1 vacuous 'no cycle was compared' run rf_rr --cycles 2
    check 'five cycles of a system' 1 vacuous 'never changed' run rf_fifo_ctrl --cycles 5
    printf 'lockstep-case 1\nunit rf_rr\nparams \nfill 0000000000000001\nfield mask_q\nend 0\n' >"$here/empty.case"
    check 'a case without a cycle' 1 vacuous 'no cycle was compared' replay "$here/empty.case"
    printf 'lockstep-case 1\nunit rf_rr\nparams \nfill 0000000000000001\nfield mask_q\nreset\nreset\nend 2\n' >"$here/resets.case"
    check 'a case of resets alone' 1 vacuous 'no cycle was compared' replay "$here/resets.case"
    printf 'lockstep-case 1\nunit rf_rr\nparams \nfill 0000000000000001\nfield mask_q\nreset\ncycle req=3 take=1\nend 2\n' >"$here/good.case"
    check 'a case with a cycle' 0 pass 'pass  rf_rr' replay "$here/good.case"
    "$tool" run rf_rr --output /dev/null/x >/dev/null 2>"$here/text"
    expect 'a folder for the results that cannot be made' "exit $?: $(cat "$here/text")" says "$here/text" '/dev/null/x'
    "$tool" run rf_rr --cycles 5 --quiet >"$here/text"
    expect '--quiet does not hide a finding' "nothing printed" test -s "$here/text"
    "$tool" run rf_rr --quiet >"$here/text"
    expect '--quiet is quiet' "$(head -n 1 "$here/text")" test ! -s "$here/text"
    check 'what a parameter set cannot reach is counted apart' 0 pass 'bins 4 of 4 (and 1 unreachable)' run rf_rr --param N=1
    expect '... and in the record with its reason' "$(cat "$here/record")" \
        says "$here/record" '"unreachable_bins":{"granted above the pointer":"one requester: nobody is above the one that was served"}'
    check 'intervals of 10,000 cycles end in a run of 40,000' 0 pass 'bins 36 of 36| time warps' run rf_sthld --cycles 40000
    expect '... and the record counts the warps' "$(cat "$here/record")" grep -q '"time_warps":[0-9]' "$here/record"
    check '... not when registers are not known' 1 vacuous 'bin "rest, large: speculate" never hit' run rf_sthld --cycles 20000 --ports-only --rtl rtl/malekeh/rf_sthld.sv
    expect '... which has no warps' "$(cat "$here/record")" test "$(grep -c time_warps "$here/record")" -eq 0
    vary rtl/malekeh/rf_sthld.sv "$here/warp.sv" -e "s/sum\[8\] ? 8'd255/sum[8] ? 8'd254/"
    demand 'STHLD held at 254' 1 'sthld_q|after a warp to ' "$tool" run rf_sthld --rtl "$here/warp.sv" --output "$here/warp"
    check '... by its case' 1 mismatch 'sthld_q|after a warp to ' replay "$here/warp/failure.case"
    expect '... which is shrunk, with warps' "$(tail -n 5 "$here/warp/shrunk.case")" grep -q '^warp ' "$here/warp/shrunk.case"
    check '... and fails the same way' 1 mismatch 'sthld_q' replay "$here/warp/shrunk.case"
    sed '/^warp/d' "$here/warp/shrunk.case" >"$here/warp/still.case"
    check '... not without the warps' 0 pass '' replay "$here/warp/still.case"
    mkdir "$here/tree"
    for d in harness cmodel tb; do ln -s "$PWD/$d" "$here/tree/$d"; done
    cp -r rtl "$here/tree/rtl"
    vary rtl/common/rf_lfsr.sv "$here/tree/rtl/common/rf_lfsr.sv" -e 's/value_o = value_q/value_o = {value_q}/'
    LOCKSTEP_ROOT=$here/tree LOCKSTEP_CACHE=${LOCKSTEP_CACHE:-$PWD/build/dut} "$tool" faults rf_lfsr --sample 1 >"$here/text"
    expect 'a fault that the RTL has outlived is told in every sample' "exit $?: $(tail -n 1 "$here/text")" \
        says "$here/text" 'caught  rf_lfsr        tap x|MISSED  rf_lfsr        the value is that of the next step|does not contain "value_o = value_q"|1 of 2'
}

# A record without what differs from run to run.
stable() { sed -E 's/"(build_)?seconds":[0-9.e+-]*,//g; s/"build_cached":(true|false),//' "$1"; }

determinism() {
    vary $rr "$here/bug.sv" -e "s/(above != '0) ? above : req_i/req_i/"
    for unit in rf_ocu rf_bank; do
        "$tool" run $unit --seed 5 --cycles 30000 --json >"$here/1"
        "$tool" run $unit --seed 5 --cycles 30000 --json >"$here/2"
        stable "$here/1" >"$here/1.stable"
        stable "$here/2" >"$here/2.stable"
        expect "$unit: one command, one record" "$(diff "$here/1.stable" "$here/2.stable" | head -n 2)" cmp -s "$here/1.stable" "$here/2.stable"
        "$tool" run $unit --seed 6 --cycles 30000 --json >"$here/3"
        expect "$unit: another seed, other bins" 'the same bins' test "$("$work/record_of" bins <"$here/1")" != "$("$work/record_of" bins <"$here/3")"
    done
    for seed in 1 1 2; do
        n=$((${n:-0} + 1))
        "$tool" run rf_rr --rtl "$here/bug.sv" --seed $seed --no-shrink --output "$here/run$n" --record "$here/record" >/dev/null 2>&1
        mv "$here/record" "$here/record$n"
        cp "$here/run$n/failure.case" "$here/case$n"
    done
    expect 'one seed, one case' 'the cases differ' cmp -s "$here/case1" "$here/case2"
    expect 'another seed, another case' 'the cases are the same' sh -c "! cmp -s '$here/case1' '$here/case3'"
    field=$("$work/record_of" mismatch.field <"$here/record1") cycle=$("$work/record_of" mismatch.cycle <"$here/record1")
    check 'the case again' 1 mismatch 'grant' replay "$here/case1" --rtl "$here/bug.sv"
    expect 'fails in the same field and cycle' "$(field mismatch.field) in $(field mismatch.cycle)" test -n "$field" -a "$field $cycle" = "$(field mismatch.field) $(field mismatch.cycle)"
    sed 's/^field .*/field valid/' "$here/case1" >"$here/otherfield.case"
    check 'a case that fails in another field' 1 mismatch "not as the case says: $field differs first|valid did" replay "$here/otherfield.case" --rtl "$here/bug.sv"
    check 'speed of RTL that differs' 1 - 'RTL and model differ' speed rf_rr --rtl "$here/bug.sv"
    check 'the case on good RTL' 0 pass 'does not fail any more' replay "$here/case1" --rtl rtl/common/rf_rr.sv
    check 'its waves say so too' 0 - 'does not fail any more|waves    ' waves "$here/case1" --rtl rtl/common/rf_rr.sv --output "$here/w"
    check '... and when another field differs' 1 - "not as the case says: $field differs first|waves    " waves "$here/otherfield.case" --rtl "$here/bug.sv" --output "$here/w"
    sed 's/^reset/netlist any.lib\n&/;t end;b;:end;n;b end' "$here/case1" >"$here/netlist.case"
    check '... or when it is of a netlist' 0 - 'the RTL does not differ: the case is of its netlist|waves    ' waves "$here/netlist.case" --rtl rtl/common/rf_rr.sv --output "$here/w"
    "$tool" replay "$here/run1/failure.case" --rtl rtl/common/rf_rr.sv --output "$here/run1" >"$here/text" 2>&1
    expect 'a replay leaves the case that it reads' "$(ls "$here/run1")" test -f "$here/run1/failure.case"
    for name in shrunk.case failure.fst failure.gtkw; do echo of an earlier run >"$here/run1/$name"; done
    "$tool" run rf_rr --output "$here/run1" >"$here/text" 2>&1
    expect 'what an earlier run left goes when the next one begins' "$(ls "$here/run1" 2>/dev/null)" test ! -e "$here/run1"
    command=$("$work/record_of" command <"$here/record1" | sed "s|^[^ ]*|$tool|")
    sh -c "$command --no-shrink --output $here/again --json" >"$here/record" 2>&1
    expect 'the printed command does it again' "$command" test -n "$field" -a "$field $cycle" = "$(field mismatch.field) $(field mismatch.cycle)"
}

# The case of $1 in lines that each name every input, in $2: without cycle $3, or with input $4 of cycle $3 at 0. Cycles count from 0.
rewrite() {
    awk -v drop="$3" -v zero="${4:-}" '
        /^#/ { next }
        /^end/ { print "end", kept; next }
        /^reset|^cycle/ {
            for (i = 2; i <= NF; i++) { split($i, part, "="); value[part[1]] = part[2] }
            if (n == drop && zero == "") { n++; next }
            line = $1
            if ($1 == "cycle") for (k in value) line = line " " k "=" (n == drop && k == zero ? 0 : value[k])
            print line
            n++
            kept++
            next
        }
        { print }' "$1" >"$2"
}

# Every cycle but the first reset and every input that is not 0, as "cycle" or "cycle input".
removable() {
    awk '/^reset|^cycle/ {
            for (i = 2; i <= NF; i++) { split($i, part, "="); value[part[1]] = part[2] }
            if (n > 0) print n
            if ($1 == "cycle") for (k in value) if (value[k] != "0") print n, k
            n++
        }' "$1"
}

# The case shrinks to one that fails in the same field, and of which nothing can go, as `replay` says of each smaller one.
check_shrunk() { # name, unit, rtl, most cycles allowed
    "$tool" run "$2" --rtl "$3" --no-shrink --output "$here/$1" --record "$here/$1.record" >/dev/null 2>&1
    fails_in=$("$work/record_of" mismatch.field <"$here/$1.record")
    "$tool" shrink "$here/$1/failure.case" --rtl "$3" >"$here/text" 2>&1
    got=$?
    [ -n "$fails_in" ] || { bad "$1" 'does not fail'; return; }
    small=$here/$1/failure.case.shrunk
    if [ $got -ne 1 ] || ! says "$here/text" "still fails in $fails_in|minimal"; then bad "$1 shrinks" "exit $got: $(head -n 2 "$here/text")"; return; fi
    check "$1: the shrunk case fails" 1 mismatch "$fails_in" replay "$small" --rtl "$3"
    expect "$1: in the same field" "$(field mismatch.field)" test "$fails_in" = "$(field mismatch.field)"
    cycles=$(grep -cE '^(reset|cycle)' "$small")
    expect "$1: $cycles cycles" "more than $4" test "$cycles" -le "$4"
    removable "$small" >"$here/removable"
    fewer=
    while read -r cycle input; do
        rewrite "$small" "$here/smaller.case" "$cycle" "$input"
        rm -f "$here/record"
        "$tool" replay "$here/smaller.case" --rtl "$3" --record "$here/record" --output "$here/out" >/dev/null 2>&1
        case "$(field status) $(field mismatch.field)" in
        'pass -' | 'vacuous -' | mismatch*) [ "$(field mismatch.field)" != "$fails_in" ] || fewer="$fewer, $cycle $input" ;;
        *) fewer="$fewer, $cycle $input (replay says $(field status))" ;;
        esac
    done <"$here/removable"
    expect "$1: none of $(wc -l <"$here/removable") cycles and inputs can go" "without${fewer#,} it still fails" test -z "$fewer" -a -s "$here/removable"
}

shrink() {
    vary $rr "$here/grant.sv" -e "s/(above != '0) ? above : req_i/req_i/"
    check_shrunk grant rf_rr "$here/grant.sv" 3
    vary $rr "$here/deep.sv" -e "s/pool    = (above != '0) ? above : req_i/pool    = (above != '0 \&\& mask_q != 8'hf0) ? above : req_i/"
    check_shrunk deep rf_rr "$here/deep.sv" 3
    vary rtl/common/rf_fifo_ctrl.sv "$here/full.sv" -e 's/ready_o  = level_q != FULL/ready_o  = 1\x27b1/'
    check_shrunk full rf_fifo_ctrl "$here/full.sv" 7
    wild_bank "$here/wild.sv"
    check_shrunk wild rf_bank "$here/wild.sv" 3
    check 'a case that does not fail' 2 - 'does not fail in field' shrink "$here/grant/failure.case" --rtl $rr
    sed 's/^field .*/field /' "$here/grant/failure.case" >"$here/any.case"
    demand 'a case that names no field' 1 'still fails in grant|minimal' "$tool" shrink "$here/any.case" --rtl "$here/grant.sv"
    demand '... as its record says' 1 '"field":"grant"' "$tool" shrink "$here/any.case" --rtl "$here/grant.sv" --json
    expect '... and it fails in it' "$(head -n 5 "$here/any.case.shrunk")" grep -qx 'field grant' "$here/any.case.shrunk"
    check 'one that fails in none' 2 - 'does not fail in any field' shrink "$here/any.case" --rtl $rr
    check 'no file' 2 - 'needs a case file' shrink
    check 'a file that is missing' 2 - 'nowhere.case' shrink "$here/nowhere.case"
    echo 'hello' >"$here/odd.case"
    check 'a file that is no case' 2 - 'odd.case:1: not a case file' shrink "$here/odd.case"
}

# A bank whose writes to row 17 also turn lane 0 of row 42 around.
wild_bank() {
    vary rtl/banked/rf_bank.sv "$1" -e "s/if (write \&\& rst_ni) mem_q\[waddr_i\] <= .*/if (write \&\& rst_ni) begin\n      mem_q[waddr_i] <= merge(mem_q[waddr_i], wdata_i, wmask_i);\n      if (waddr_i == 6'd17) mem_q[42][31:0] <= ~mem_q[42][31:0];\n    end/"
}

# Mutants of the comparer: the tests of plan.c must fail on each.
plan_mutants() {
    for part in core/field core/pair base/memory base/text base/rng; do cp "$objects/harness/$part.o" "$here/"; done
    compile='gcc -std=c11 -D_GNU_SOURCE -I. -O1 -march=native -w'
    file=plan
    $compile -c harness/core/plan_code.c -o "$here/plan_code.o" || { bad 'plan_code.c' 'does not build'; return; }
    $compile -c tb/harness/test_plan.c -o "$here/test.o" || { bad 'the test of plan.c' 'does not build'; return; }
    mutant() { # name, sed arguments…
        name=$1
        shift
        vary "harness/core/$file.c" "$here/$file.c" "$@"
        if ! $compile -c "$here/$file.c" -o "$here/$file.o" || ! gcc -o "$here/test" "$here"/*.o -lcmocka; then bad "$name" 'does not build'; return; fi
        if timeout 60 "$here/test" >"$here/log" 2>&1; then bad "$name" 'survives tb/harness/test_plan.c'; else ok "caught: $name"; fi
    }
    $compile -c harness/core/plan.c -o "$here/plan.o" && gcc -o "$here/test" "$here"/*.o -lcmocka && "$here/test" >"$here/log" 2>&1
    expect 'the comparer itself passes' "$(tail -n 3 "$here/log")" grep -q 'PASSED' "$here/log"
    mutant 'blocks are not compared' -e 's/\*end = b + plan->block_count/*end = b/'
    mutant 'bits are not compared' -e 's/\*end = op + plan->bits_count/*end = op/'
    mutant 'the last group of bits is not compared' -e 's/\*end = op + plan->bits_count/*end = op + (plan->bits_count > 1 ? plan->bits_count - 1 : 1)/'
    mutant 'rows are not compared' -e 's/return bytes_differ(.*!= 0;/return 0;/'
    mutant 'the last bytes of a row are not compared' -e 's/bytes_differ(sweep->dut + row \* sweep->dut_stride, m, sweep->row_bytes)/bytes_differ(sweep->dut + row * sweep->dut_stride, m, sweep->row_bytes - 4)/'
    mutant 'a quarter of each wide word is not compared' -e 's/return x\[0\] | x\[1\] | x\[2\] | x\[3\];/return x[0] | x[1] | x[3];/'
    mutant 'differences cancel out' -e 's/diff |= unpack_bits/diff ^= unpack_bits/'
    mutant 'blocks are not driven' -e 's/b < binding->drive_blocks + binding->drive_block_count/b < binding->drive_blocks/'
    mutant 'elements after the first are not driven' -e 's/is_packed(b) ? 1 : f->count;/1;/'
    mutant 'the search begins at element 1' -e 's/for (uint32_t i = 0; i < bound->field->count; i++) {/for (uint32_t i = 1; i < bound->field->count; i++) {/'
    mutant 'the top bit of a group is not compared' -e 's/\.dut_bits = ls_mask(bits) <</.dut_bits = ls_mask(bits > 1 ? bits - 1 : 1) <</'
    mutant 'joined operations lose bits' -e 's/    low->model_bits |= model_bits;//; s/    low->dut_bits |= dut_bits;//'
    mutant 'operations in another order are joined' -e 's/    if (!above) return false;//'
    mutant 'fields that do not follow each other become one' -e 's/plan->run.dut + plan->run.bytes == dut \&\& //'
    mutant 'the last run is forgotten' -e 's/^    end_run(&binding->state);//'
    grep -q avx2 /proc/cpuinfo || return 0
    $compile -c harness/core/plan.c -o "$here/plan.o"
    file=plan_code
    mutant 'code: the last bits are not compared' -e 's/i < plan->bits_count; i++) emit_bits/i + 1 < plan->bits_count; i++) emit_bits/'
    mutant 'code: bits that differ are forgotten' -e 's/EMIT(as, 0x48, 0x09, 0xc2);.*//'
    mutant 'code: neighbours are not masked' -e 's/if (mask != ls_mask(bytes \* 8)) emit_and_rax(as, mask);//'
    mutant 'code: bits with gaps are not packed' -e 's/if (!is_low(from) || is_low(to)) {/if (false) {/'
    mutant 'code: bits are not spread' -e 's/if (!is_low(to)) {/if (false) {/'
    mutant 'code: too few bytes are loaded' -e 's/used <= 4 \&\& low <= 4 ? 4 : 8;/low <= 4 ? 4 : 8;/'
    mutant 'code: half vectors are not compared' -e 's/else emit_half(as, dut, block->model + i, halves);//'
    mutant 'code: what half vectors found is lost' -e 's/EMIT(&as, 0x0f, 0x95, 0xc0);.*//'
    grep -q avx512f /proc/cpuinfo || return 0
    mutant 'code: differences of whole vectors cancel out' -e 's/EMIT(as, 0xf6);/EMIT(as, 0x96);/'
    mutant 'code: what whole vectors found is lost' -e 's/EMIT(&as, 0xc5, 0xf8, 0x93, 0xc1);.*//'
    grep -q avx512bw /proc/cpuinfo || return 0
    mutant 'code: the first line of a block is not compared' -e 's/emit_masked(as, dut, model, 1, UINT64_MAX << first);//'
    mutant 'code: the last line of a block is not compared' -e 's/if (last != 0) emit_masked(.*//'
    mutant 'code: what lies before a block is compared' -e 's/UINT64_MAX << first/UINT64_MAX/'
    mutant 'code: what lies behind a block is compared' -e 's/2, ls_mask(last))/2, UINT64_MAX)/'
    mutant 'code: the mask of the block before' -e 's/if (as->mask\[k\] != mask)/if (as->mask[k] == 0)/'
}

# State that the field list cannot name is refused, whatever form it has; --ports-only takes it.
hidden_state() {
    refused() { # name, what the message says, line of RTL
        sed "s/^endmodule/  $3\nendmodule/" $rr >"$here/hidden.sv"
        check "$1" 2 build "hidden.sv|$2|not in the field list" run rf_rr --rtl "$here/hidden.sv"
    }
    refused 'a static variable of a block' 'register b.age' "always_ff @(posedge clk_i) begin : b static logic [7:0] age; age = age + 8'd1; end"
    refused 'one that its initial value does not give away' 'register b.age' 'always_ff @(posedge clk_i) begin : b static logic [31:0] age; age = rst_ni ? age + 1 : 0; end'
    refused 'a latch in always_comb' 'latch l ' 'logic l; always_comb if (take_i) l = req_i[0];'
    refused 'a latch in always @*' 'latch l ' 'logic l; always @* if (take_i) l = req_i[0];'
    refused 'a counter of two latches' 'latch a |latch s ' 'logic [31:0] a, s; always @* if (!clk_i) a = rst_ni ? s + 1 : 0; always @* if (clk_i) s = a;'
    refused 'a counter without an edge' 'register s ' 'logic [31:0] s; always @(clk_i) if (clk_i) s = rst_ni ? s + 1 : 0;'
    refused 'a variable without an edge' 'register l ' 'logic l; always @(clk_i) l = take_i;'
    refused 'an assignment of itself' 'latch l ' 'logic l; assign l = take_i ? req_i[0] : l;'
    refused 'a loop variable that keeps its value' 'register age ' 'logic [31:0] age; always_ff @(posedge clk_i) for (age = age + 1; age[0] \&\& age[31]; age = age + 1) begin end'
    refused 'a queue' 'register q ' 'int q[$]; always @(posedge clk_i) q.push_back(1);'
    refused 'a static member of a class' 'the class c keeps state' 'class c; static int age; endclass always @(posedge clk_i) c::age = c::age + 1;'
    sed -e '1i package p; int age; endpackage' -e 's/^endmodule/  always @(posedge clk_i) p::age <= p::age + 1;\nendmodule/' $rr >"$here/hidden.sv"
    check 'a variable of a package' 2 build 'hidden.sv:1: the variable age of package p keeps state|not in the field list' run rf_rr --rtl "$here/hidden.sv"
    refused 'a seed' 'register seed |$random keeps state' 'int seed; logic l; always @(posedge clk_i) l <= 1\x27($random(seed));'
    refused 'a forced wire' 'force keeps state|release keeps state' 'wire l; always @(posedge clk_i) if (take_i) force l = 1; else release l;'
    refused '$value$plusargs' 'register age ' 'int age; always @(posedge clk_i) if ($value$plusargs("x=%d", age)) ;'
    refused '$c' '$c keeps state' 'logic l; assign l = $c("1");'
    refused 'a function in C' 'the C function getpid keeps state' 'import "DPI-C" function int getpid(); logic l; always_comb l = getpid() == 5 \&\& take_i;'
    sed 's/^endmodule/  integer i; logic [N-1:0] up, down; always @* for (i = 0; i < N; i = i + 1) up[i] = req_i[i];\n  always @* for (i = 0; i < N; i = i + 1) down[i] = up[i];\nendmodule/' $rr >"$here/index.sv"
    check 'an index of loops that all begin by writing it' 0 pass pass run rf_rr --rtl "$here/index.sv"
    check 'only the ports of it' 0 pass 'ports only' run rf_rr --rtl "$here/hidden.sv" --ports-only --allow-system
    refused 'a variable of the C++ class' '`systemc_implementation keeps state' '`systemc_implementation\nstatic int age;\n`verilog'
    refused 'a variable that only C can write' 'register age ' 'int age; export "DPI-C" function set; function void set(input int x); age = x; endfunction'
    # What runs commands or C code is refused whatever is compared, until somebody allows it.
    outside() { # name, what the message says, line of RTL
        sed "s/^endmodule/  $3\nendmodule/" $rr >"$here/outside.sv"
        rm -f "$here/owned"
        check "$1" 2 build "outside.sv|$2|--allow-system" run rf_rr --rtl "$here/outside.sv" --ports-only
        expect '... and it was not run' 'it was' test ! -e "$here/owned"
    }
    outside 'C++ of the RTL' '`systemc_implementation runs' '`systemc_implementation\nstatic int age;\n`verilog'
    outside '$c in an initial' '$c runs' 'initial $c("(void)0;");'
    outside 'a C function in an initial' 'the C function system runs' "import \"DPI-C\" function int system(input string s); int code; initial code = system(\"touch $(echo "$here" | sed 's|/|\\/|g')\\/owned\");"
    outside '$system in an initial' '$system runs' "initial \$system(\"touch $(echo "$here" | sed 's|/|\\/|g')\\/owned\");"
    check 'the same, allowed' 0 pass 'pass  rf_rr' run rf_rr --rtl "$here/outside.sv" --allow-system
    expect '... is run' 'it was not' test -e "$here/owned"
}

# Mutants of the pair and of the run: a private tool with one of them must miss a planted fault or pass what it must not.
pair_mutants() {
    others=$(find "$objects" -name '*.o' ! -path '*/cmodel/*' ! -path '*/harness/core/pair.o' ! -path '*/harness/core/run.o' ! -path '*/harness/core/plan_code.o' ! -path '*/tb/workload/workload_stats.o' ! -path '*/tb/tests/testbench.o')
    vary $rr "$here/register.sv" -e 's/(take_i \&\& valid_o)/(take_i)/'
    vary $rr "$here/output.sv" -e "s/valid_o = req_i != '0/valid_o = req_i[0]/"
    wild_bank "$here/wild.sv"
    vary $rr "$here/one_bit.sv" -e "s/if (!rst_ni) mask_q <= '0;/if (!rst_ni) mask_q <= N'({mask_q[0]});/"
    with_age "$here/exit.sv" '  always_ff @(posedge clk_i) if (rst_ni \&\& age == 100) $c("std::exit(0);");'
    verdict() { echo "$(field status) $(field mismatch.field) $(field mismatch.cycle)"; }
    # As the tool itself judges these, so a mutant must not.
    private() { # name, file, the tool's own status and field, sed expression, arguments…
        name=$1 file=$2 own=$3 expression=$4
        shift 4
        rm -f "$here/record"
        "$tool" "$@" --record "$here/record" --output "$here/out" --no-shrink >/dev/null 2>&1
        right=$(verdict)
        if [ "${right% *}" != "$own" ]; then bad "$name" "the tool itself says $right"; return; fi
        for part in pair run plan_code; do cp "$objects/harness/core/$part.o" "$here/"; done
        vary "harness/core/$file.c" "$here/$file.c" -e "$expression"
        # shellcheck disable=SC2086
        if ! gcc -std=c11 -D_GNU_SOURCE -DLS_VERSION='"0"' -I. -O1 -w -c "$here/$file.c" -o "$here/$file.o" ||
            ! gcc -rdynamic -o "$here/lockstep" "$here/pair.o" "$here/run.o" "$here/plan_code.o" $others "$(dirname "$objects")/librfmodel.a" -llzma -lsqlite3 -ldl -lm; then
            bad "$name" 'does not build'
            return
        fi
        rm -f "$here/record"
        LOCKSTEP_ROOT=${LOCKSTEP_ROOT:-$PWD} LOCKSTEP_CACHE=${LOCKSTEP_CACHE:-$PWD/build/dut} "$here/lockstep" "$@" --record "$here/record" --output "$here/out" --no-shrink >"$here/text" 2>&1
        wrong=$(verdict)
        if [ ! -s "$here/record" ]; then bad "$name" "no record: $(head -n 2 "$here/text")"
        elif [ "$wrong" = "$right" ]; then bad "$name" "still $right: no test would fail"
        else ok "noticed: $name ($right becomes $wrong)"
        fi
    }
    private 'registers are not compared' pair 'mismatch mask_q' 's/uint64_t diff = ls_differs(&pair->binding.state, pair->model);/uint64_t diff = 0;/; s/ls_differs(&b->state, pair->model) != 0/false/' run rf_rr --rtl "$here/register.sv"
    private 'outputs are not compared' pair 'mismatch valid' 's/return ls_differs(&pair->binding.outputs, pair->out) != 0;/return false;/; s/ls_differs(&b->outputs, pair->out) != 0/false/' run rf_rr --rtl "$here/output.sv"
    private 'machine code forgets what differs' plan_code 'mismatch mask_q' 's/EMIT(as, 0x48, 0x09, 0xc2);/(void)0;/' run rf_rr --rtl "$here/register.sv"
    private 'there is no sweep, and no comparison at the end' pair 'mismatch mem_q' 's/if (pair->binding.sweep_count > 0) diff |= sweeps_differ(pair);//; s/if (b->field->kind != LS_MEMORY) continue;/continue;/' run rf_bank --rtl "$here/wild.sv"
    private 'there is no second fill' run 'mismatch mask_q' 's/check_second_fill(rq, api, r) != LS_EQUAL/false/' run rf_rr --rtl "$here/one_bit.sv" --cycles 1
    private 'evidence is not judged' run 'vacuous -' 's/judge_evidence(rq, r);/r->status = LS_PASS;/' run rf_rr --cycles 5
    private 'whoever exits with 0 has passed' run 'crash -' 's/WEXITSTATUS(status) != CHILD_DONE/WEXITSTATUS(status) == 99/' run rf_rr --rtl "$here/exit.sv" --allow-system --ports-only
}

# A model of a system, with one of its sources changed, breaks a property and names it.
broken() { # system, source, what sed does to it, words, parameters…
    system=$1 source=$2 what=$3 words=$4
    shift 4
    mkdir -p "$here/$(dirname "$source")"
    vary "$source" "$here/$source" -e "$what"
    others=$(find "$objects" -name '*.o' ! -path '*/cmodel/*' ! -path '*/tb/workload/workload_stats.o' ! -path '*/tb/tests/testbench.o')
    case $source in
    *.h) compile=$(ls cmodel/*/"$system.c") ;;
    *) compile=$here/$source ;;
    esac
    # shellcheck disable=SC2086
    if gcc -std=c11 -I"$here" -I. -O1 -w -c "$compile" -o "$here/broken.o" &&
        gcc -rdynamic -o "$here/lockstep" "$here/broken.o" $others "$(dirname "$objects")/librfmodel.a" -llzma -lsqlite3 -ldl -lm; then
        "$here/lockstep" model "$system" --param LANES=4 --cycles 100000 "$@" >"$here/text" 2>&1
        got=$?
        if [ $got -ne 1 ]; then bad "a broken $source" "exit $got and not 1: $(head -n 2 "$here/text")"
        elif ! says "$here/text" "violation|$words"; then bad "a broken $source" "it says: $(head -n 2 "$here/text")"
        else ok "a broken $source is a violation: $words"
        fi
    else
        bad "a broken $source" 'does not build'
    fi
    rm -f "$here/$source"
}

# The model alone. A broken model breaks a property and says so.
model() {
    check 'a model alone passes and counts' 0 - 'rf_banked: pass|since the last reset:|ipc|read_write_conflicts' model rf_banked --param LANES=4 --cycles 20000
    check 'a unit without properties only runs' 0 - 'rf_rr: ran, 5000 cycles|nothing was checked' model rf_rr --cycles 5000
    check 'a run of the reset alone' 2 - '--cycles is too small' model rf_banked --cycles 2
    check 'the model alone as JSON' 0 - '"model":"rf_banked"|"status":"pass"|"counters":{"cycles":' model rf_banked --param LANES=4 --cycles 20000 --json
    rm -f "$here/a" "$here/b"
    for to in a b; do "$tool" model rf_banked --param LANES=4 --cycles 20000 --quiet --record "$here/$to" || bad 'the same seed' 'does not pass'; done
    for to in a b; do stable "$here/$to" >"$here/$to.stable"; done
    expect 'the same seed is the same run' 'records differ' cmp -s "$here/a.stable" "$here/b.stable"
    check 'a workload that is missing' 2 - 'nowhere.rfs' model rf_banked --workload "$here/nowhere.rfs"
    check 'a workload for a unit that takes none' 2 - 'rf_rr' model rf_rr --workload "$here/nowhere.rfs"
    check 'parameters that do not go together, model alone' 2 - 'COLLECTORS x SLOTS must be at most 64' model rf_arbiter --param COLLECTORS=16 --param SLOTS=8
    "$tool" workload build vecadd -o "$here/vecadd.rfs" --json >/dev/null || bad 'a stream' 'is not built'
    for n in 20 400; do
        "$tool" model rf_banked --workload "$here/vecadd.rfs" --load-latency $n --quiet --record "$here/load$n" || bad "loads of $n cycles" 'do not pass'
    done
    expect 'loads of 400 cycles take longer than loads of 20' 'not so' test "$("$work/record_of" cycles <"$here/load400")" -gt "$("$work/record_of" cycles <"$here/load20")"
    check 'a workload that is cut off, model alone' 0 - "rf_banked: pass|stopped by --cycles before the workload's end" model rf_banked --workload "$here/vecadd.rfs" --cycles 1000
    check 'the same as JSON' 0 - '"drained":false|"cycles":1000' model rf_banked --workload "$here/vecadd.rfs" --cycles 1000 --json
    check 'a workload that ends, as JSON' 0 - '"drained":true,"unknown_opcodes":0,"cycles"' model rf_banked --workload "$here/vecadd.rfs" --json
    expect 'a workload that ends is not cut off' 'it says so' test "$(grep -c 'stopped by' "$here/text")" = 0
    head='-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n-nregs = 4\n-accelsim tracer version = 3\n\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\n'
    printf '%b' "${head}insts = 0\n#END_TB\n" >"$here/none.traceg"
    check 'a workload without an instruction has not run to its end' 2 - '"drained":false|"status":"usage"|the workload has no instruction' model rf_malekeh --workload "$here/none.traceg" --json
    expect '... and nothing was counted' 'there are counters' test "$(grep -c counters "$here/text")" = 0
    printf '%b' "${head}insts = 1\n0000 ffffffff 0 EXIT 0 0\nwarp = 1\ninsts = 1\n0000 ffffffff 0 EXIT 0 0\n#END_TB\n" >"$here/exit.traceg"
    check 'a share of nothing is no number' 0 - '"drained":true|"operands":0|"hit_share":null|"ideal_share":null|"bow_share":null' model rf_malekeh --workload "$here/exit.traceg" --json
    check '... as text' 0 - 'hit_share              -' model rf_malekeh --workload "$here/exit.traceg"
    printf '%b' "${head}insts = 1\n0000 ffffffff 0 EXIT 0 0\nwarp = 1\ninsts = 1\n" >"$here/cut.traceg"
    check 'nor has one that cannot be read to its end' 2 - '"drained":false|"status":"usage"|cut.traceg' model rf_banked --workload "$here/cut.traceg" --json
    printf '%b' '-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-nregs = 4\n-accelsim tracer version = 3\n\n#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 3\n0000 ffffffff 1 R1 WHAT 1 R2 0\n0010 ffffffff 1 R1 NOSUCH 1 R2 0\n0020 ffffffff 0 EXIT 0 0\n#END_TB\n' >"$here/what.traceg"
    check 'unknown opcodes, model alone' 0 - 'opcodes    2 instructions of unknown ones, first WHAT: their registers may be too few' model rf_banked --workload "$here/what.traceg"
    check 'the same as JSON' 0 - '"drained":true,"unknown_opcodes":2,"cycles"' model rf_banked --workload "$here/what.traceg" --json
    for system in rf_steal rf_malekeh rf_wir; do
        check "unknown opcodes, $system" 0 - 'opcodes    2 instructions of unknown ones, first WHAT' model $system --workload "$here/what.traceg"
    done
    head -c "$(($(wc -c <"$here/vecadd.rfs") * 3 / 4))" "$here/vecadd.rfs" >"$here/cut.rfs"
    "$tool" model rf_banked --workload "$here/cut.rfs" --record "$here/cut.jsonl" >"$here/text" 2>"$here/error"
    got=$?
    expect 'a workload that is damaged in its middle, model alone: an error' "exit $got: $(cat "$here/error")" test $got = 2
    expect '... on stderr, with the file' "$(cat "$here/error")" says "$here/error" "lockstep: rf_banked: |cut.rfs"
    expect '... and nothing else: no counters' "$(head -n 3 "$here/text")" test ! -s "$here/text"
    expect '... of which the record has none either' "$(cat "$here/cut.jsonl")" sh -c "grep -q '\"status\":\"usage\"' '$here/cut.jsonl' && ! grep -q counters '$here/cut.jsonl'"
    check 'a load latency without a workload' 2 - '--load-latency is of a workload' model rf_banked --load-latency 400
    check 'a load latency out of range' 2 - '--load-latency: expected 1 to 100000' model rf_banked --load-latency 100001
    check 'the model alone takes no RTL' 2 - 'model takes no --rtl' model rf_rr --rtl rtl/common/rf_rr.sv
    broken rf_banked cmodel/banked/rf_bank_parts.h 's/rf_vec_merge(&m->mem_q\[row\], data, mask);/m->mem_q[row] = *data;/' 'golden'
    vary rtl/banked/rf_bank.sv "$here/rf_bank.sv" -e 's/mask\[l\] ? value\[l\*32 +: 32\] : row\[l\*32 +: 32\]/value[l*32 +: 32]/'
    rm -rf "$here/w"
    demand 'waves of a property that fails, RTL and model being equal' 1 'a delivered operand is the golden one|in cycle|waves    ' \
        env LOCKSTEP_ROOT="${LOCKSTEP_ROOT:-$PWD}" LOCKSTEP_CACHE="${LOCKSTEP_CACHE:-$PWD/build/dut}" "$here/lockstep" waves rf_banked --param WARPS=8 --param REGS=8 \
        --param BANKS=2 --param LANES=4 --param COLLECTORS=2 --cycles 2000 --rtl "$here/rf_bank.sv" --output "$here/w"
    expect '... show no difference and miss none' "$(grep waves: "$here/text"; head -n 5 "$here/w/failure.gtkw" 2>&1)" sh -c "grep -q 'nothing differs' '$here/w/failure.gtkw' && ! grep -q waves: '$here/text'"
    expect '... and end where it fails' "$(head -n 5 "$here/w/failure.gtkw" 2>&1)" grep -q "^-cycle $(sed -n 's/^ *in cycle \([0-9]*\) of the run.*/\1/p' "$here/text"):" "$here/w/failure.gtkw"
    broken rf_malekeh cmodel/malekeh/rf_ccu_parts.h 's/m->ct_valid_q &= (uint8_t)~rf_ccu_tagged(m, wr_reg.*/;/' 'no entry is older than the banks'
    broken rf_malekeh cmodel/malekeh/rf_ccu_allocator.c 's/own\[i\] = owned_by(.*;/own[i] = 0;/' 'a warp owns one CCU'
    broken rf_malekeh cmodel/malekeh/rf_ccu_parts.h 's/return rf_dup_first(\(.*\));/return rf_dup_first(\1) \& (0u - rf_dup_first(\1));/' 'without caches it is rf_banked' --param CACHE=0 --param SCHED=0
    broken rf_wir cmodel/wir/rf_wir_lane_parts.h 's/(reuse ? lane->lane_old_valid != 0 :/(reuse ? false :/' 'the count is the number of references' --param REGS=8 --param WARPS=8 --param PREGS=96
    # A lost clear of the scoreboard: the stage stands, on random input and on a workload.
    lost='s/if (exists(m, w, reg)) \(.*\) &= /if (!(p == 2 \&\& (in->clr \& 1) != 0) \&\& exists(m, w, reg)) \1 \&= /'
    "$tool" workload build saxpy -o "$here/saxpy.rfs" --json >/dev/null || bad 'a stream' 'is not built'
    broken rf_banked cmodel/banked/rf_scoreboard.c "$lost" 'the stage goes on|of the run; the message counts from the last reset|since the last reset:'
    broken rf_banked cmodel/banked/rf_scoreboard.c "$lost" 'the stage goes on' --param REGS=64 --workload "$here/saxpy.rfs"
    broken rf_wir cmodel/wir/rf_load_guard_parts.h 's/ \&\& !(is_warp \&\& (m->shared_q >> warp \& 1) != 0) \&\&/ \&\&/' 'reused load from scratchpad' --param REGS=8 --param WARPS=8 --param PREGS=96 --param BLOCKS=2
    broken rf_wir cmodel/wir/rf_load_guard_parts.h 's/else if (m->count_q\[b\] != RF_BARRIERS_END) m->count_q\[b\]++;/else m->count_q[b] = (m->count_q[b] + 1) \& 31;/' 'reused load from scratchpad' --param REGS=4 --param WARPS=8 --param PREGS=64 --param BLOCKS=2
    broken rf_wir cmodel/wir/rf_load_guard_parts.h 's/ \&\& m->gcount_q != RF_BARRIERS_END) {/) {/;s/m->gcount_q++;/m->gcount_q = (m->gcount_q + 1) \& 31;/;s/full = m->gcount_q == RF_BARRIERS_END;/full = false;/' 'reused load from global' --param REGS=8 --param WARPS=8 --param PREGS=96 --param BLOCKS=1
    broken rf_wir cmodel/wir/rf_wir_results_parts.h 's/c->evict = x->free_in.pop;/c->evict = 0;/' 'plain execution' --param REGS=5 --param WARPS=8 --param PREGS=48 --param CAPPED=1 --param VENTRIES=4 --param ENTRIES=16 --cycles 300000
    broken rf_wir cmodel/wir/rf_wir_results_parts.h 's/x->low = x->free.count < cfg->issues ||/x->low = /' 'something moves' --param REGS=8 --param WARPS=8 --param PREGS=72 --param ENTRIES=64 --param VENTRIES=64 --param VCACHE=0
    broken rf_wir cmodel/wir/rf_wir_reuse_parts.h 's/r->fill |= (uint8_t)((uint32_t)rf_wir_is_leader(cfg->pregs, info) << g);/r->fill |= 0;/' 'a pending entry has one leader'
    broken rf_wir cmodel/wir/rf_wir_lane_parts.h 's/in->q_valid = q->level_q != 0;/in->q_valid = 0;/' 'something moves' --param REGS=8 --param WARPS=8 --param PREGS=96
    broken rf_wir cmodel/wir/rf_load_guard_parts.h 's/ \&\& !(is_warp \&\& (m->global_q >> warp \& 1) != 0)//' 'reused load from global memory' --param REGS=8 --param WARPS=8 --param PREGS=96 --param BLOCKS=2
    broken rf_wir cmodel/wir/rf_wir_front.c 's/(src_valid \& in->map_src_pin) == 0 \&\&/1 \&\&/' 'plain execution' --param SLOTS=1 --param REGS=2 --param WARPS=8 --param PREGS=48 --cycles 600000
    broken rf_wir cmodel/wir/rf_free_list.c 's/== 0 || pushed == used) continue/== 0 || pushed == used || k == 1) continue/' 'no register is lost' --param REGS=8 --param WARPS=8 --param PREGS=96
    broken rf_wir cmodel/wir/rf_wir_results_parts.h 's/if (!rf_wir_at_end(p) || m->queue/if (!rf_wir_at_end(p) || e == 1 || m->queue/' 'everything off it is rf_banked' --param REUSE=0 --param WARPS=8 --param REGS=8
    broken rf_wir cmodel/wir/rf_wir_ready.h 's/^    if (cfg->reuse != 0) x->ready/    static uint32_t now;\n    if (now++ % 2 != 0) x->ready = 0;\n&/' 'issues nothing, where rf_banked issues' --param REUSE=0 --param WARPS=8 --param REGS=8
}

# The RTL's own assertions, on demand: one that fails is a crash with its line, in the cycle in which it fails.
assertions() {
    set -- --param WARPS=8 --param COLLECTORS=4 --param BANKS=4 --param REGS=8 --param LANES=1 --param READS=2 --cycles 20000
    check 'assertions that hold' 0 pass 'pass|since the last reset:' run rf_steal "$@" --assert
    vary rtl/steal/rf_arbiter_steal.sv "$here/early.sv" -e 's/rd_valid_i\[r\] \&\& !rd_blocked_i\[r\]/rd_valid_i[r]/'
    check 'an assertion that fails' 1 crash 'rf_steal_check.sv|not_early' run rf_steal "$@" --rtl "$here/early.sv" --assert
    check 'the same without assertions' 1 mismatch 'fill_q' run rf_steal "$@" --rtl "$here/early.sv"
    # Registers are compared before the next edge, and so stop most runs before an assertion can: here ports only.
    "$tool" workload build bfs -o "$here/bfs.rfs" --json >/dev/null || bad 'a stream' 'is not built'
    set -- --param WARPS=8 --param COLLECTORS=3 --param BANKS=4 --param LANES=1 --workload "$here/bfs.rfs" --assert
    check 'properties that hold in rf_malekeh' 0 pass 'pass' run rf_malekeh "$@"
    check 'a workload that is cut off' 0 pass "stopped by --cycles before the workload's end" run rf_malekeh "$@" --cycles 1000
    vary rtl/malekeh/rf_ccu.sv "$here/stale.sv" -e 's/(d_data_i & d_lanes)/(~d_data_i \& d_lanes)/'
    check 'a cache entry that is not what the banks hold' 1 crash 'rf_malekeh_check.sv|copies' run rf_malekeh "$@" --ports-only --rtl "$here/stale.sv"
    vary rtl/malekeh/rf_ccu_allocator.sv "$here/owners.sv" -e "s/mine    = own\\[i\\*COLLECTORS +: COLLECTORS\\];/mine    = '0;/" -e "s/kept = kept | own/kept = kept \\& own/"
    check 'a warp with two caching collectors' 1 crash 'rf_malekeh_check.sv|owners' run rf_malekeh "$@" --ports-only --rtl "$here/owners.sv"
}

# Names from outside, with an escape sequence and with lines that look like ours: nothing that is printed has them as they are.
plain_names() {
    esc=$(printf '\033')
    evil="$here/e$esc[31m
lockstep: pass
pass  rf_rr"
    mkdir -p "$evil"
    printf '1 rf_%s[1m default random fixed:1 40k\n' "$esc" >"$here/unit.plan"
    printf '1 rf_rr default random fixed:1 5\n' >"$here/good.plan"
    cp "$here/good.plan" "$evil/plan"
    printf 'lockstep-case 1\nunit rf_%s[1m\n' "$esc" >"$here/unit.case"
    printf 'lockstep-case 1\nunit rf_rr\nparams N%s[1m=1\n' "$esc" >"$here/param.case"
    printf '%b' "-kernel name = v$esc[1m\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-nregs = 4\n-accelsim tracer version = 3\n\n#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 1\n0020 ffffffff 0 EXIT 0 0\n#END_TB\n" >"$evil/k.traceg"
    sed "s/EXIT/EX$esc[1m/" "$evil/k.traceg" >"$here/op.traceg"
    sed "s/^  assign valid_o/  wire \\\\a$esc[1m = nothing;\n&/" $rr >"$here/name.sv"
    for line in 'run evil' 'run rf_rr --param evil' 'run rf_rr --seed evil' 'run rf_rr --rtl evil' 'run rf_rr --record evil/no/r' 'run rf_banked --workload evil/k.traceg --cycles 50 --output evil' \
        'run rf_rr --cycles 5 --output evil' 'run rf_rr --define evil --rtl x' "run rf_rr --rtl $here/name.sv" 'run rf_rr --lib evil --netlist' "replay $here/unit.case" "replay $here/param.case" \
        'replay evil' 'shrink evil' 'waves evil' 'coverage evil' 'faults evil' 'mutants rf_rr --side evil' 'model rf_banked --workload evil/k.traceg' 'workload info evil/k.traceg' \
        'workload dump evil/k.traceg' "workload dump $here/op.traceg" 'workload build evil/k.traceg -o evil/k.rfs' 'workload info evil/k.rfs' 'workload build evil' "regress $here/unit.plan" \
        'regress evil/plan --output evil/regression --history evil/h.db' 'regress --resume evil/regression --history evil/h.db' 'report evil/regression --history evil/h.db' 'report evil' \
        "regress $here/good.plan --only evil" "regress $here/good.plan --launch evil" "regress $here/good.plan --traces evil" 'job evil --number 1' 'evil' 'list --evil' 'energy rf_rr --lib evil' \
        'prove rf_rr --lib evil' 'synth rf_rr --lib evil'; do
        set -- # words; the name in place of "evil"
        for word in $line; do
            case $word in
            *evil*) set -- "$@" "${word%%evil*}$evil${word#*evil}" ;;
            *) set -- "$@" "$word" ;;
            esac
        done
        "$tool" "$@" >"$here/text" 2>&1
        expect "no raw names: $line" "$(cat -v "$here/text" | head -n 8 | tr '\n' '|')" sh -c "[ -s '$here/text' ] && ! grep -q '$esc' '$here/text' && ! grep -Eq '^(lockstep: pass|pass  rf_rr)$' '$here/text'"
    done
    for variable in LOCKSTEP_CACHE LOCKSTEP_ROOT VERILATOR CXX; do
        env "$variable=$evil/no" "$tool" run rf_rr --cycles 5 --output "$here/out" >"$here/text" 2>&1
        expect "no raw names: $variable" "$(cat -v "$here/text" | head -n 8 | tr '\n' '|')" sh -c "[ -s '$here/text' ] && ! grep -q '$esc' '$here/text' && ! grep -Eq '^(lockstep: pass|pass  rf_rr)$' '$here/text'"
    done
    for file in junit.xml summary.md report.html; do
        expect "no raw names: $file" "$(grep -c "$esc" "$evil/regression/$file")" sh -c "[ -s '$evil/regression/$file' ] && ! grep -q '$esc' '$evil/regression/$file'"
    done
}

# Help of every command, its examples copied into a shell, and the pages that are made of the same tables.
helps() {
    options() { grep -oE -e '--[a-z][a-z-]*' | sort -u; }
    self=$(realpath "$tool")
    mkdir "$here/copied"
    ln -s "$PWD/rtl" "$PWD/tb" "$here/copied"
    "$tool" help | sed -nE 's/^  ([a-z]+( [a-z]+)?)  .*/\1/p' >"$here/commands"
    expect 'help lists the commands' "$(cat "$here/commands")" test "$(wc -l <"$here/commands")" -ge 20
    : >"$here/pages"
    while read -r c; do
        # shellcheck disable=SC2086
        LOCKSTEP_CACHE="$here/nothing" "$self" $c --help >"$here/page" 2>"$here/stderr" </dev/null
        got=$?
        expect "$c --help" "exit $got: $(cat "$here/stderr")" test "$got $(wc -c <"$here/stderr")" = '0 0'
        cat "$here/page" >>"$here/pages"
        sed -n '/^Example/,/^Exit code/s/^  //p' "$here/page" | sed '/^[012]  /,$d' >"$here/example.sh"
        case $c in
        list | run | model | replay | shrink | waves | workload* | version | help) ;; # the others take longer
        *) continue ;;
        esac
        (cd "$here/copied" && grep -q . ../example.sh && sh ../example.sh </dev/null >../text 2>&1)
        got=$? want=$([ "$c" != shrink ] || echo 1)
        expect "... its example works when copied" "exit $got: $(cat "$here/example.sh" "$here/text")" test "$got" = "${want:-0}"
    done <"$here/commands"
    expect 'no help builds anything' "$(ls "$here/nothing" 2>&1)" test ! -e "$here/nothing"
    "$tool" help --man >"$here/man"
    sed -n '/^\.SH COMMANDS/,/^\.SH EXIT STATUS/p' docs/lockstep.1 | sed '$d' >"$here/manual"
    expect 'the manual page is what the tables say (else: make man)' "$(diff "$here/man" "$here/manual" | head -n 4)" cmp -s "$here/man" "$here/manual"
    sed 's/\\-/-/g' docs/lockstep.1 | options >"$here/manual"
    options <"$here/pages" >"$here/helped"
    expect 'help and manual page have the same options' "$(diff "$here/helped" "$here/manual" | tr '\n' ' ')" cmp -s "$here/helped" "$here/manual"
    ! command -v groff >/dev/null || expect 'the manual page is good roff' "$(groff -man -ww -Tutf8 docs/lockstep.1 2>&1 >/dev/null | head -n 3)" \
        test -z "$(groff -man -ww -Tutf8 docs/lockstep.1 2>&1 >/dev/null)"
    "$tool" help --completion >"$here/completion"
    completed() { # what is completed, words of the line, the last of which is completed
        wanted=$1
        shift
        got=$(bash -c '. "$1"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _lockstep; echo "${COMPREPLY[*]}"' - "$here/completion" "$@" 2>&1)
        expect "completion of '$*'" "it is '$got' and not '$wanted'" test "$got" = "$wanted"
    }
    completed 'replay' lockstep repl
    completed 'rf_sched_groups rf_sched_gto rf_sched_lrr' lockstep run rf_sched_
    completed '--seed' lockstep run rf_rr --se
    completed '' lockstep run rf_rr --rtl rf_r
    completed 'build' lockstep workload b
    completed 'speed' lockstep workload s
    completed 'speed' lockstep sp
    completed '' lockstep be
    completed '--limit' lockstep workload dump --l
    completed 'synth' lockstep help sy
    # What was called otherwise in the version before is taken still, and shown nowhere.
    for of in '' 'workload '; do
        old=${of}bench now=${of}speed
        # shellcheck disable=SC2086
        expect "$old is $now" "$("$tool" $old --help 2>&1 | head -n 1)" test "$("$tool" $old --help 2>&1)" = "$("$tool" $now --help)"
        # shellcheck disable=SC2086
        expect "help $old is help $now" "$("$tool" help $old 2>&1 | head -n 1)" test "$("$tool" help $old 2>&1)" = "$("$tool" help $now)"
    done
    check 'workload bench runs' 0 - 'vecadd' workload bench vecadd
    expect 'no page shows the old words' "$(grep -n 'lockstep bench\|workload bench' "$here/pages" "$here/man")" sh -c "! grep -q 'lockstep bench\|workload bench' '$here/pages' '$here/man' '$here/completion'"
}

usage() {
    plain_names
    check 'an unknown command' 2 - 'no command fly|help' fly
    check 'run without a unit' 2 - 'run needs a unit|list' run
    check 'an unknown unit' 2 - 'no unit rf_nothing|list' run rf_nothing
    check 'a record that cannot be written' 2 - "$here/nowhere/r.jsonl: No such file or directory" model rf_rr --record "$here/nowhere/r.jsonl"
    check 'an unknown option' 2 - 'unknown option --fast|help' run rf_rr --fast
    check 'a parameter out of range' 2 - 'parameter N of rf_rr|"65"|1 to 64' run rf_rr --param N=65
    check 'an unknown parameter' 2 - 'no parameter M|it has N' run rf_rr --param M=1
    check 'parameters that do not go together' 2 build 'rf_arbiter|64' run rf_arbiter --param COLLECTORS=16 --param SLOTS=8
    check 'the tried parameters are named' 2 build 'tried: BANKS=8 COLLECTORS=16 SLOTS=8' run rf_arbiter --param COLLECTORS=16 --param SLOTS=8
    check 'a unit behind --rtl' 2 - 'rf_rr was taken as an RTL file: the unit comes before --rtl' run --rtl "$rr" rf_rr
    check 'a bad seed' 2 - '--seed 0x1|hexadecimal' run rf_rr --seed 0x1
    check 'bad cycles' 2 - '--cycles 1e6|whole number' run rf_rr --cycles 1e6
    check 'a missing value' 2 - '--seed: expected a value' run rf_rr --seed
    check 'replay without a file' 2 - 'needs a case file' replay
    check 'a case that is missing' 2 - 'nowhere.case: No such file' replay "$here/nowhere.case"
    printf 'lockstep-case 1\nunit rf_rr\nparams \nfill 0000000000000001\nfield mask_q\ncycle req=zz\nend 1\n' >"$here/odd.case"
    check 'a case with a bad value' 2 - 'odd.case:6: req: "zz" is not hexadecimal' replay "$here/odd.case"
    printf 'lockstep-case 1\nunit rf_rr\nparams \nfill 0000000000000001\nfield mask_q\ncycle \033[31m=1\nend 1\n' >"$here/odd.case"
    check 'a case with control characters' 2 - 'odd.case:6: \x1b: bad index' replay "$here/odd.case"
    check 'help' 0 - 'lockstep COMMAND|Exit code' help
    expect 'no line of help is there twice' "$(sort "$here/text" | uniq -d | grep .)" test -z "$(sort "$here/text" | uniq -d | grep .)"
    helps
    check 'version' 0 - 'lockstep|Verilator' version
    env LANGUAGE=xx LC_ALL=xx_YY.UTF-8 "$tool" version >"$here/abroad" 2>&1
    expect 'version in a locale that is not installed' "$(head -n 3 "$here/abroad" | tr '\n' ' ')" cmp -s "$here/abroad" "$here/text"
    cp $rr "$here/größe.sv"
    demand 'a build in a locale that is not installed' 0 'pass  rf_rr' env LC_ALL=xx_YY.UTF-8 LOCKSTEP_CACHE="$here/räu,me" "$tool" run rf_rr --rtl "$here/größe.sv" --output "$here/out"
    printf 'module rf_rr(;\n' >"$here/größe.sv"
    demand 'and what Verilator says of a file there' 2 'größe.sv:1:|syntax error' env LC_ALL=xx_YY.UTF-8 "$tool" run rf_rr --rtl "$here/größe.sv" --output "$here/out"
    check 'list' 0 - 'rf_rr|rf_banked|(1 to 64)' list
    exec 3>&1
    unprinted() { # name, exit code, command…, with a stdout that takes nothing: it must say so
        name=$1 code=$2
        shift 2
        "$@" 2>"$here/text"
        got=$?
        if [ $got -ne "$code" ]; then bad "$name" "exit $got and not $code: $(head -n 3 "$here/text")"
        elif ! says "$here/text" 'lockstep: stdout: '; then bad "$name" "it says: $(head -n 3 "$here/text")"
        else ok "$name"
        fi >&3
    }
    unprinted 'no stdout' 2 "$tool" list >&-
    unprinted 'no stdout for a run that passes' 2 "$tool" run rf_rr --cycles 2000 >&-
    unprinted 'no stdout for a vacuous run' 1 "$tool" run rf_rr --cycles 5 >&-
    if mknod "$here/full" c 1 7 2>/dev/null && ! { echo x >"$here/full"; } 2>/dev/null; then # root; a disk without space, its own node
        unprinted 'a full disk behind stdout' 2 "$tool" list >"$here/full"
        unprinted 'a full disk behind stdout, flushed on the way' 2 "$tool" workload speed vecadd >"$here/full"
    fi
    rm -f "$here/full"
    printf 'lockstep-case 1\nunit rf_rr\nparams \nfill 0000000000000001\nfield mask_q\nreset\ncycle req=3 take=1\nend 2\n' >"$here/good.case"
    check 'a library for the replay of a case of RTL' 2 - 'good.case: a case of RTL: replay takes no --lib without --netlist' replay "$here/good.case" --lib "$here/x"
    check '... and for its shrinking' 2 - 'good.case: a case of RTL: shrink takes no --lib without --netlist' shrink "$here/good.case" --lib "$here/x"
    for c in replay shrink; do
        sed 's/^reset/x 1\nreset/' "$here/good.case" >"$here/x.case"
        check "$c: a netlist for a case of an X" 2 - 'x.case: a case with 1 for every bit that is X in the RTL: a netlist has no X' $c "$here/x.case" --netlist
    done
    for name in '' 2=3 'A B' =1; do
        check "--define '$name'" 2 - "--define \"$name\": expected NAME or NAME=VALUE" run rf_rr --define "$name"
    done
    for c in run 'run --netlist' waves energy; do
        # shellcheck disable=SC2086
        demand "$c: a workload that is missing" 2 'nowhere.traceg: No such file' env LOCKSTEP_CACHE="$here/nothing" "$tool" $c rf_banked --workload "$here/nowhere.traceg"
        expect "$c: ... is told before anything is built" "$(find "$here/nothing" 2>&1 | head -n 3 | tr '\n' ' ')" test ! -e "$here/nothing"
    done
    check 'a workload for a unit' 2 usage 'usage  rf_rr|takes no workload: only systems do' run rf_rr --workload "$here/x"
    small='rf_banked --param WARPS=2 --param COLLECTORS=1 --param BANKS=1 --param REGS=4 --param LANES=1 --param SLOTS=1 --param EXPORTS=1'
    # shellcheck disable=SC2086
    workload() { check "$1" 2 usage "$2" run $small --workload "$3"; }
    workload 'a workload that is missing' 'nowhere.traceg: No such file' "$here/nowhere.traceg"
    printf 'this is not xz' >"$here/odd.traceg.xz"
    workload 'a workload that is no xz' 'odd.traceg.xz' "$here/odd.traceg.xz"
    head='-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 4\n-binary version = 80\n-cuda stream id = 0\n-shmem base_addr = 0x0\n-local mem base_addr = 0x0\n-nvbit version = 1.5\n-accelsim tracer version = 3\n\n'
    printf '%b' "$head"'#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 2\n0000 ffffffff 1 R1 IADD3 1 R2 0\n0010 ffffffff one R1 IADD3 1 R2 0\n#END_TB\n' >"$here/line.traceg"
    mkfifo "$here/fifo"
    workload 'a workload that is a FIFO' 'fifo: no regular file: a workload is read more than once; write it into a file first' "$here/fifo"
    rm "$here/fifo"
    printf '%b' "$head"'#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 2\n0000 ffffffff 1 R1 WHAT 1 R2 0\n0010 ffffffff 0 EXIT 0 0\n#END_TB\n' >"$here/what.traceg"
    # shellcheck disable=SC2086
    demand 'unknown opcodes' 0 'opcodes    1 instruction of unknown ones, first WHAT: their registers may be too few' "$tool" run $small --workload "$here/what.traceg" --output "$here/out"
    # shellcheck disable=SC2086
    demand 'the same in the record' 0 '"drained":true,"unknown_opcodes":1,' "$tool" run $small --workload "$here/what.traceg" --output "$here/out" --json
    workload 'a malformed line' "line.traceg:$(grep -n ' one ' "$here/line.traceg" | cut -d: -f1)" "$here/line.traceg"
    printf '%b' "$head"'#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 2\n0000 ffffffff 1 R1 IADD3 1 R2 0\n' >"$here/cut.traceg"
    workload 'a workload that is cut off' 'cut.traceg:' "$here/cut.traceg"
    : >"$here/empty.traceg"
    workload 'an empty workload' 'empty.traceg' "$here/empty.traceg"
    if command -v xz >/dev/null; then
        xz -9 -c "$here/line.traceg" | head -c 200 >"$here/half.traceg.xz"
        workload 'a cut xz' 'half.traceg.xz' "$here/half.traceg.xz"
    fi
    mkdir -p "$here/list"
    echo 'kernel-9.traceg' >"$here/list/kernelslist.g"
    workload 'a list that names a missing file' 'kernel-9.traceg' "$here/list/kernelslist.g"
}

json() {
    valid() { # name, exit code, command…
        name=$1 code=$2
        shift 2
        "$@" >"$here/stdout" 2>"$here/stderr"
        got=$?
        if [ $got -ne "$code" ]; then bad "$name" "exit $got: $(head -n 2 "$here/stderr")"
        elif ! "$work/record_of" <"$here/stdout" 2>"$here/why"; then bad "$name" "$(cat "$here/why")"
        else ok "$name"
        fi
    }
    valid 'list' 0 "$tool" list --json
    expect 'list names every unit' "$("$tool" list --json | wc -l) lines" test "$("$tool" list --json | wc -l)" -eq "$(find tb -name 'rf_*.fields' | wc -l)"
    valid 'version' 0 "$tool" version --json
    valid 'run' 0 "$tool" run rf_rr --json
    valid 'a vacuous run' 1 "$tool" run rf_rr --cycles 5 --json
    vary $rr "$here/taken.sv" -e "s/(take_i \&\& valid_o)/(valid_o)/"
    valid 'a mismatch, with a quote in the name of the folder' 1 "$tool" run rf_rr --rtl "$here/taken.sv" --json --no-shrink --output "$here/a\"b"
    valid 'and its shrunk case' 1 "$tool" shrink "$here/a\"b/failure.case" --rtl "$here/taken.sv" --json
    valid 'a build that fails' 2 "$tool" run rf_rr --rtl "$here/\"nowhere\".sv" --json
    valid 'faults' 0 "$tool" faults rf_rr --json
    valid 'speed' 0 "$tool" speed rf_rr --json
    overhead=$("$work/record_of" overhead <"$here/stdout")
    expect '... its overhead is called tax too' "$(cat "$here/stdout")" grep -q "\"overhead\":$overhead,\"tax\":$overhead," "$here/stdout"
    # Which files were compared, each by its digest, and the modules of the design that are in it: none in an include, one at two parameter sets once.
    sha() { sha256sum <"$1" | cut -c 1-64; }
    mkdir "$here/own"
    vary $rr "$here/own/rf_rr.sv" -e 's/^module rf_rr/`include "words.svh"\nmodule rf_rr/' -e 's/^endmodule/  rf_leaf #(1) a ();\n  rf_leaf #(2) b ();\nendmodule\nmodule rf_leaf #(parameter W = 1) ();\nendmodule/'
    echo '// words' >"$here/own/words.svh"
    "$tool" run rf_rr --rtl "$here/own/rf_rr.sv" --json >"$here/text" 2>&1
    for file in rf_rr.sv:'"rf_rr","rf_leaf"' words.svh:; do
        path=$PWD/$here/own/${file%%:*}
        expect "the record of a run has ${file%%:*}" "$(cat "$here/text")" says "$here/text" "{\"file\":\"$path\",\"sha256\":\"$(sha "$path")\",\"modules\":[${file#*:}]}"
    done
    rm -f "$here/records"
    for n in 1 2 3 4 5 6; do "$tool" run rf_rr --seed $n --quiet --record "$here/records" & done
    wait
    expect 'jobs append whole lines to one file' "$(wc -l <"$here/records") lines" sh -c "'$work/record_of' <'$here/records' && test \$(wc -l <'$here/records') -eq 6"
    "$tool" run rf_rr --record /nowhere/r >/dev/null 2>"$here/text"
    expect 'a record that cannot be written' "exit $?" says "$here/text" '/nowhere/r'
    demand '... at the end' 2 'pass  rf_rr|/dev/full: No space left' "$tool" run rf_rr --record /dev/full
    demand '... of a finding, which stays one' 1 'mismatch  rf_rr|/dev/full: No space left' "$tool" run rf_rr --rtl "$here/taken.sv" --no-shrink --record /dev/full --output "$here/out"
}

# Cycle of the case's first line after which `waddr` is $2 (hexadecimal) while `we` is 1 and some lane is written.
first_write() {
    awk -v row="$2" '/^reset|^cycle/ {
            for (i = 2; i <= NF; i++) { split($i, part, "="); value[part[1]] = part[2] }
            if ($1 == "cycle" && value["we"] == 1 && (row == "" || value["waddr"] == row) && value["wmask"] != "" && value["wmask"] != 0) { print n + 0; exit }
            n++
        }' "$1"
}

# Cycle of the wild write that was not made good (by another, or by a write of row 42, lane 0) until the case's end.
wild_since() {
    awk '/^reset|^cycle/ {
            for (i = 2; i <= NF; i++) { split($i, part, "="); value[part[1]] = part[2] }
            if ($1 == "cycle" && value["we"] == 1 && value["waddr"] == "11") { wrong = !wrong; since = n + 0 }
            if ($1 == "cycle" && value["we"] == 1 && value["waddr"] == "2a" && value["wmask"] ~ /[13579bdf]$/) wrong = 0
            n++
        }
        END { print since }' "$1"
}

memory() {
    bank=rtl/banked/rf_bank.sv
    vary $bank "$here/astray.sv" -e "s/mem_q\[waddr_i\] <=/mem_q[waddr_i ^ 6'd1] <=/"
    check 'a write to the wrong row' 1 mismatch 'register  mem_q|element' run rf_bank --rtl "$here/astray.sv"
    expect 'is found in that cycle' "$(field mismatch.cycle) and not $(first_write "$here/out/failure.case" '')" test "$(field mismatch.cycle)" = "$(first_write "$here/out/failure.case" '')"
    wild_bank "$here/wild.sv"
    for seed in 1 2 3; do
        check "seed $seed: a wild write to another row" 1 mismatch 'register  mem_q|element 42 of 64|all rows every 64 cycles|found by the sweep: it happened up to 64 cycles earlier' run rf_bank --rtl "$here/wild.sv" --seed $seed
        wild=$(wild_since "$here/out/failure.case")
        found=$(field mismatch.cycle)
        expect "seed $seed: is found within the printed period" "written in $wild, found in $found, period $(field sweep_period)" test "$((found - wild))" -le "$(field sweep_period)"
    done
    check 'the waves tell its cycle' 1 mismatch "found by the sweep: it happened in cycle $wild|, up to where it happened" run rf_bank --rtl "$here/wild.sv" --seed 3 --waves
    expect 'and so does the record' "since $(field mismatch.since)" test "$(field mismatch.since) $(field mismatch.cycle)" = "$wild $found"
    check 'a wild write in the last cycle' 1 mismatch "element 42 of 64|after the edge of cycle $wild" run rf_bank --rtl "$here/wild.sv" --seed 3 --cycles $((wild + 1))
    expect 'is found by the comparison at the end' "in cycle $(field mismatch.cycle)" test "$(field mismatch.cycle)" -eq "$wild"
    cp "$here/out/failure.case" "$here/last.case"
    check 'its case again' 1 mismatch "after the edge of cycle $wild" replay "$here/last.case" --rtl "$here/wild.sv"
    "$tool" run rf_bank --rtl "$here/wild.sv" --seed 3 --cycles "$wild" --json >"$here/record" 2>&1
    expect 'one cycle less shows no difference' "$(field status)" says "$here/record" '"status":"pass"'
    "$tool" shrink "$here/last.case" --rtl "$here/wild.sv" >"$here/text" 2>&1
    expect 'its case shrinks' "$(cat "$here/text")" says "$here/text" 'still fails in mem_q|minimal'
    start='lockstep-case 1\nunit rf_bank\nparams \nfill 0000000000000001\nfield %s\nreset\ncycle we=1 waddr=11 wmask=1\ncycle we=0 waddr=0 wmask=0\ncycle\n'
    # shellcheck disable=SC2059 # the format is ours
    { printf "${start}cycle re=1 raddr=2a\nend 5\n" rdata_q >"$here/read.case"; printf "${start}cycle we=1 waddr=2a wmask=2\nend 5\n" mem_q >"$here/again.case"; }
    check 'a row that is read before the sweep comes to it' 1 mismatch 'register  rdata_q|so does mem_q[42], which the cycle did not touch: it may have begun up to 4 cycles earlier' \
        replay "$here/read.case" --rtl "$here/wild.sv"
    check 'the waves tell where it began' 1 mismatch 'register  rdata_q|after the edge of cycle 4|it began in cycle 1 with mem_q[42], as the waves show|, up to where it happened' \
        replay "$here/read.case" --rtl "$here/wild.sv" --waves
    expect 'and so does the record' "$(field mismatch.since) $(field mismatch.began)" test "$(field mismatch.since) $(field mismatch.began)" = '1 mem_q[42]'
    check 'a row that is written before the sweep comes to it' 1 mismatch 'mem_q  element 42 of 64|after the edge of cycle 4|it happened in cycle 1, as the waves show' \
        replay "$here/again.case" --rtl "$here/wild.sv" --waves
    vary $bank "$here/initial.sv" -e 's/always_ff @(posedge clk_i) begin/always @(posedge clk_i) begin/' -e "s/^endmodule/  initial for (int i = 0; i < ROWS; i++) mem_q[i] = '0;\nendmodule/"
    check 'power-up contents are copied, whatever they are' 0 pass 'power-up contents copied' run rf_bank --rtl "$here/initial.sv"
}

has_child() { child=$(cat "/proc/$1/task/$1/children" 2>/dev/null); child=${child%% *}; [ -n "$child" ]; }

processes() {
    with_age "$here/endless.sv" "  always_ff @(posedge clk_i) if (rst_ni \&\& age == 100) \$c(\"for (volatile int i = 1; i;) {}\");"
    "$tool" run rf_rr --rtl "$here/endless.sv" --allow-system --ports-only --timeout 2 --output "$here/out" >/dev/null 2>&1 # builds it
    "$tool" run rf_rr --rtl "$here/endless.sv" --allow-system --ports-only --timeout 600 --output "$here/out" >/dev/null 2>&1 &
    parent=$!
    spins() { has_child "$parent" && [ "$(tr '\0' ' ' <"/proc/$child/cmdline" 2>/dev/null | cut -d' ' -f2)" = run ]; }
    within 10 spins
    expect 'the DUT runs in a child' 'no child within 10 s' test -n "${child:-}"
    kill -KILL "$parent"
    wait "$parent" 2>/dev/null
    expect 'a killed parent leaves no child' "process $child lives on" within 5 gone "${child:-0}"
    # Ctrl-C while the compiler works.
    cold=$PWD/$here/cold
    mkdir "$cold"
    compiles() { pgrep -f "cc1plus.*$cold" >/dev/null; }
    ended() { ! pgrep -f "$cold" >/dev/null; }
    LOCKSTEP_CACHE="$cold" env --default-signal=INT "$tool" run rf_rr >"$here/text" 2>&1 &
    within 20 compiles
    kill -INT $!
    wait $!
    got=$?
    expect 'Ctrl-C in a first build ends by that' "exit $got" test $got -eq 130
    expect '... with all compilers' "$(pgrep -af "$cold" | cut -c1-200)" within 10 ended
    demand '... and leaves nothing that is taken for whole' 0 'pass  rf_rr' env LOCKSTEP_CACHE="$cold" "$tool" run rf_rr --output "$here/out"
    # No memory, no thread and a kill from outside are not the DUT's doing: it could not run.
    with_age "$here/eats.sv" "  always_ff @(posedge clk_i) if (rst_ni \\&\\& age == 100) \$c(\"for (;;) { static char *volatile p; p = new char[1 << 20]; }\");"
    with_age "$here/killed.sv" "  always_ff @(posedge clk_i) if (rst_ni \\&\\& age == 100) \$system(\"kill -KILL \\\$PPID\");"
    for f in eats killed; do "$tool" run rf_rr --rtl "$here/$f.sv" --allow-system --ports-only --cycles 50 --quiet >/dev/null 2>&1; done # builds them
    "$tool" run rf_rr --quiet
    (ulimit -v 400000 && check 'a DUT that gets no memory' 2 usage 'usage  rf_rr|no memory or no thread left|in cycle 102' run rf_rr --rtl "$here/eats.sv" --allow-system --ports-only)
    (ulimit -v 400000 && check '... in speed' 2 - 'no memory or no thread left' speed rf_rr --rtl "$here/eats.sv" --allow-system --ports-only)
    for kb in 10000 12000 14000 16000 18000 20000 22000 24000 26000 28000 30000 32000 34000 36000 40000; do
        (ulimit -v $kb && "$tool" run rf_rr --output "$here/out" >"$here/text" 2>&1; echo "$? $kb KB: $(head -n 2 "$here/text" | tr '\n' ' ')")
    done >"$here/rooms"
    expect 'with little to begin with it passes or could not run' "$(cat "$here/rooms")" sh -c "! grep -qv '^[02] ' '$here/rooms'"
    expect 'and says why' "$(cat "$here/rooms")" says "$here/rooms" "usage  rf_rr|no memory or no thread left for the DUT's process, in cycle 0"
    check 'a DUT that is killed from outside' 2 usage 'usage  rf_rr|killed by signal 9 (Killed) in cycle 102, from outside' run rf_rr --rtl "$here/killed.sv" --allow-system --ports-only
    check '... in speed' 2 - 'killed by signal 9' speed rf_rr --rtl "$here/killed.sv" --allow-system --ports-only
    # Two builds of one new DUT at the same time: both wait for one, both pass.
    { cat $rr; echo "// $$ $(date +%s)"; } >"$here/new.sv"
    "$tool" run rf_rr --rtl "$here/new.sv" --json >"$here/1" 2>&1 &
    "$tool" run rf_rr --rtl "$here/new.sv" --json >"$here/2" 2>&1
    wait
    expect 'two builds at a time' "$(cat "$here/1" "$here/2")" sh -c "grep -q '\"status\":\"pass\"' '$here/1' && grep -q '\"status\":\"pass\"' '$here/2'"
    expect 'make one DUT' 'two' test "$("$work/record_of" build <"$here/1")" = "$("$work/record_of" build <"$here/2")"
    expect 'and one of them waits' 'both compiled' test "$(cat "$here/1" "$here/2" | grep -c '"build_cached":false')" -le 1
    built=$("$work/record_of" build <"$here/1")
    cache=${LOCKSTEP_CACHE:-build/dut}
    expect 'a build leaves no lock and no temporary folder' "$(ls -d "$cache"/rf_rr-*.tmp 2>/dev/null)" sh -c "! grep -l new.sv '$cache'/rf_rr-*.lock 2>/dev/null | grep -q ."
    rm -rf "$cache/rf_rr-$built"
}

folders() {
    vary $rr "$here/taken.sv" -e "s/(take_i \&\& valid_o)/(valid_o)/"
    root=$PWD
    (cd "$here" && "$root/$tool" run rf_rr --rtl taken.sv --seed 5 --no-shrink >1 2>&1; "$root/$tool" waves rf_rr --rtl taken.sv --seed 5 --cycles 1 >2 2>&1)
    expect 'waves of cycles that pass leave the case of the run that failed' "$(cat "$here/1" "$here/2"; find "$here/build/runs")" \
        sh -c "ls '$here'/build/runs/rf_rr-????????/failure.case >/dev/null && ls '$here'/build/runs/rf_rr-????????-waves/failure.case >/dev/null"
    mkdir "$here/beside" "$here/other"
    sed -e 's/take_i && valid_o/take_i `AND valid_o/' -e '/^`default_nettype none/a `include "and.svh"' $rr >"$here/beside/rf_rr.sv"
    echo '`define AND &&' >"$here/beside/and.svh"
    (cd "$here/other" && "$root/$tool" run rf_rr --rtl ../beside/rf_rr.sv) >"$here/text" 2>&1
    expect 'an include beside the file' "$(head -n 3 "$here/text")" says "$here/text" 'pass  rf_rr'
    echo '`define AND ||' >"$here/other/and.svh"
    (cd "$here/other" && "$root/$tool" run rf_rr --rtl ../beside/rf_rr.sv --no-shrink) >"$here/text" 2>&1
    expect '... and one that comes to lie in the current folder, where Verilator looks first' "$(head -n 3 "$here/text")" says "$here/text" 'mismatch'
}

# Names of folders and files: every one works or is refused in one line, before anything is built.
names() {
    root=$PWD
    runtime=$(realpath "${LOCKSTEP_CACHE:-build/dut}")
    "$tool" run rf_rr --quiet # the runtime is there
    vary $rr "$here/taken.sv" -e "s/(take_i \&\& valid_o)/(valid_o)/"
    name_of() { case $1 in *' '*) echo blank ;; *'$'*) echo '$' ;; *'"'*) echo quote ;; *) echo ;; esac }
    for n in 'a b' 'a"b' 'a$b' 'a$(HOME)' 'a${' "it's" 'a#b' 'a:b' 'a,b' 'a%sb' 'dés' 'a*b' 'a\b' '-x'; do
        tree=$root/$here/$n
        mkdir -p "$tree/build/dut" "$tree/tb"
        cp -r rtl harness "$tree"
        cp "$here/taken.sv" "$tree/mine.sv"
        cp "$tool" "$tree/build/lockstep"
        ln -s "$runtime"/verilator-* "$tree/build/dut"
        sign=$(name_of "$n")
        for run in 'run rf_rr' 'run rf_rr --rtl mine.sv'; do
            # shellcheck disable=SC2086 # words
            (cd "$tree" && LOCKSTEP_ROOT='' && unset LOCKSTEP_ROOT LOCKSTEP_CACHE && build/lockstep $run --output "o $n" --cycles 20000) >"$here/text" 2>&1
            got=$?
            if [ -n "$sign" ]; then
                expect "$n: $run is refused" "exit $got: $(cat "$here/text")" sh -c "[ $got -eq 2 ] && [ \$(grep -c 'Verilator can take no path with a $sign in it\$' '$here/text') -eq 1 ]"
                expect '... before anything is built' "$(ls "$tree/build/dut")" test -z "$(ls "$tree/build/dut" | grep -v "^verilator-")"
            elif [ "$run" = 'run rf_rr' ]; then
                expect "$n: $run" "$(cat "$here/text")" test $got -eq 0
            else
                expect "$n: $run" "$(cat "$here/text")" says "$here/text" "mismatch  rf_rr|shrunk   o $n/shrunk.case|view     $tree/o $n/failure.gtkw"
            fi
        done
        case $n in *'"'* | *'$'*)
            mkdir -p "$here/cache/$n"
            demand "a cache: $n" 2 "$n: Verilator can take no path with a $sign in it" env LOCKSTEP_CACHE="$here/cache/$n" "$tool" run rf_rr
            expect '... before anything is built' "$(ls "$here/cache/$n")" test -z "$(ls "$here/cache/$n")" ;;
        esac
    done
}

# Scripts that keep their files in build/ (tb/tests/lock.sh).
one_at_a_time() {
    root=$PWD
    cat >"$here/job.sh" <<'EOF'
. "$1/tb/tests/lock.sh"
take_lock job
touch "$2.in"
while [ -n "${3:-}" ] && [ ! -e "$3" ]; do sleep 0.1; done
EOF
    (cd "$here" && exec sh job.sh "$root" first go) >"$here/1" 2>&1 &
    expect 'the first begins' 'not within 10 s' within 10 test -e "$here/first.in"
    (cd "$here" && exec sh job.sh "$root" second) >"$here/2" 2>&1 &
    expect 'the second says that it waits' "$(cat "$here/2")" within 10 says "$here/2" 'make job already runs in this folder: waiting for its end'
    expect 'and waits' 'both run' test ! -e "$here/second.in"
    touch "$here/go"
    wait
    expect 'for its turn' 'it never had it' test -e "$here/second.in"
    expect 'who waits for nobody says nothing' "$(cat "$here/1")" test ! -s "$here/1"
    rm "$here/go"
    (cd "$here" && exec sh job.sh "$root" killed go) >"$here/3" 2>&1 &
    within 10 test -e "$here/killed.in"
    kill -KILL $!
    wait
    expect 'what a killed one held is free' 'it is not' sh -c "cd '$here' && timeout 10 sh job.sh '$root' third"
    mkdir -p "$here/tb"
    demand 'and none of another checkout: CDPATH' 2 'no unit rf_nothing' env CDPATH="$root/$here" sh tb/tests/netlists.sh rf_nothing
    lanes=$PWD/$here/lanes
    mkdir -p "$lanes/tb/tests"
    cp tb/tests/test.sh tb/tests/lock.sh "$lanes/tb/tests"
    printf '#!/bin/sh\necho "2 passed, 0 failed"\n' >"$lanes/tb/tests/unit_tests.sh"
    printf '#!/bin/sh\necho $$ >"$0.pid"\nexec sleep 600\n' | tee "$lanes/tb/tests/storage_tests.sh" >"$lanes/tb/tests/report_check.sh"
    printf '#!/bin/sh\ncd "${0%%/*}"\nuntil [ -s storage_tests.sh.pid ] && [ -s report_check.sh.pid ]; do sleep 0.1; done\n: >lint.in\nuntil [ -e go ]; do sleep 0.1; done\n' >"$lanes/tb/tests/lint.sh"
    chmod +x "$lanes"/tb/tests/*.sh
    "$lanes/tb/tests/test.sh" >"$here/4" 2>&1 &
    main=$!
    within 20 test -e "$lanes/tb/tests/lint.in"
    kill -TERM $main
    : >"$lanes/tb/tests/go"
    wait $main
    code=$?
    expect 'a stopped make test says so' "exit $code" test $code -eq 130
    gone() { ! kill -0 "$(cat "$lanes/tb/tests/storage_tests.sh.pid")" 2>/dev/null && ! kill -0 "$(cat "$lanes/tb/tests/report_check.sh.pid")" 2>/dev/null; }
    expect 'and takes what runs beside it along' "$(cat "$here/4")" within 5 gone
    for script in lockstep test lint coverage netlists workloads; do
        expect "tb/tests/$script.sh is one" 'it does not wait for another' grep -q "^take_lock $script\$" "tb/tests/$script.sh"
    done
}

# A program that is not of the sources that stand there: a model that was not built anew, or does not build, must not pass.
stale() {
    tree=$PWD/$here/tree from=$(dirname "$objects") case=$PWD/$here/good.case
    export LOCKSTEP_CACHE="${LOCKSTEP_CACHE:-$PWD/build/dut}"
    unset LOCKSTEP_ROOT
    mkdir -p "$tree/build"
    cp -a Makefile harness cmodel tb waves rtl "$tree"
    cp -a "$objects" "$tree/build/obj"
    cp -a "$from/lockstep" "$from/librfmodel.a" "$from/units.c" "$from/sources.o" "$from/sources.sum" "$tree/build"
    printf 'lockstep-case 1\nunit rf_rr\nparams \nfill 0000000000000001\nfield mask_q\nreset\ncycle req=3 take=1\nend 2\n' >"$case"
    model=cmodel/common/rf_rr.c
    inside() { env -C "$tree" "$@"; }
    passes() { demand "$1" 0 'pass  rf_rr' inside build/lockstep run rf_rr --record "$tree/record"; }
    refused() { # name, file
        demand "$1" 2 "$2 is not what this program was compiled from|make all" inside build/lockstep run rf_rr
    }
    builds() { demand "$1" 0 "$2" inside make all; }
    change() { # file, sed expression
        sed -i "$2" "$tree/$1"
        cmp -s "$1" "$tree/$1" && bad "$1" 'sed changed nothing'
        touch -d 2001-01-01 "$tree/$1" # older than its object
    }
    restore() { cp -a "$1" "$tree/$1"; }
    passes 'a program of its sources'
    expect '... and its record says of which' "$(cat "$tree/record")" grep -qF "\"sources\":{\"tree\":\"as compiled\",\"compiled\":\"$(sha256sum <"$tree/build/sources.sum" | cut -c 1-64)\",\"model\":\"$(sha256sum <$model | cut -c 1-64)\",\"list\":\"$(sha256sum <tb/common/rf_rr.fields | cut -c 1-64)\",\"bench\":\"$(sha256sum <tb/common/rf_rr.c | cut -c 1-64)\"" "$tree/record"
    change $model 's/(take != 0) & (grant != 0)/(take != 0) | (grant != 0)/'
    for words in 'run rf_rr' 'run rf_rr --netlist' 'run rf_rr --coverage 1.dat' 'model rf_rr' "replay $case" "shrink $case" 'waves rf_rr' "waves $case" 'faults rf_rr' 'faults' \
        'mutants rf_rr' 'mutants' 'speed rf_rr' 'energy rf_rr' 'prove rf_rr' 'coverage .' 'regress tb/plans/smoke.plan' 'synth rf_rr' 'workload info x'; do
        # shellcheck disable=SC2086 # words
        demand "a broken model that was not built: $words" 2 "$tree/$model is not what this program was compiled from|make all" inside build/lockstep $words
    done
    demand 'what says nothing of a unit is answered' 0 'rf_rr' inside build/lockstep list rf_rr
    builds '... make builds it, though it is older than its object' "CC    $model"
    demand '... and it is found' 1 'mismatch  rf_rr|mask_q' inside build/lockstep run rf_rr --no-shrink
    change $model '$a #error'
    demand 'a model that does not build' 2 '#error' inside make all
    refused '... is not the one that was built' $model
    restore $model
    refused 'nor is the good one' $model
    builds '... until it is built' "CC    $model"
    passes '... and passes'
    for file in tb/common/rf_rr.fields tb/common/rf_rr.c cmodel/common/rf_types.h cmodel/wir/rf_wir.c harness/core/plan.c harness/core/field.h; do
        change $file '$a /* */'
        refused "a changed $file" $file
        restore $file
    done
    passes 'all as it was, whatever its time is'
    for line in '^PARAM(N,' '^FIELD(STATE, *mask_q,'; do
        sed -i "/$line/{p;}" "$tree/tb/common/rf_rr.fields"
        builds "a field list in which a line is there twice" 'CC    tb/common/rf_rr.c'
        of='parameter N'
        [ "$line" = '^PARAM(N,' ] || of='STATE mask_q'
        at=$(grep -n "$line" tb/common/rf_rr.fields | cut -d : -f 1)
        demand "... is refused: $of" 2 "tb/common/rf_rr.fields:$((at + 1)): $of stands in line $at already" inside build/lockstep list
        restore tb/common/rf_rr.fields
    done
    builds '... and the good one is built' 'CC    tb/common/rf_rr.c'
    checked() { # name, whether the DUT was there already
        rm -f "$tree/record"
        demand "$1" 0 'pass  rf_rr' inside build/lockstep run rf_rr --rtl rtl/common/rf_rr.sv --record "$tree/record"
        expect "... build_cached $2" "$(cat "$tree/record")" grep -q "\"build_cached\":$2" "$tree/record"
    }
    inside build/lockstep run rf_rr --rtl rtl/common/rf_rr.sv --quiet >"$here/text" 2>&1
    checked 'RTL of a person that was checked' true
    change harness/dut/elab_drivers.c '$a /* checks more */'
    builds 'a program with other checks' 'CC    harness/dut/elab_drivers.c'
    checked '... takes no DUT that it has not checked' false
    restore harness/dut/elab_drivers.c
    builds 'the program as it was' 'CC    harness/dut/elab_drivers.c'
    mv "$tree/cmodel/common/rf_types.h" "$tree/gone"
    demand 'a header that is gone' 2 'cmodel/common/rf_types.h is gone' inside build/lockstep run rf_rr
    mv "$tree/gone" "$tree/cmodel/common/rf_types.h"
    rm "$tree/build/obj/cmodel/common/rf_lfsr.sum"
    builds 'an object that was not finished is made again' 'CC    cmodel/common/rf_lfsr.c'
    printf '#!/bin/sh\ngcc "$@" || exit\ncase "$*" in *rf_lfsr.c*) echo "/* */" >>cmodel/common/rf_lfsr.c ;; esac\n' >"$tree/editor"
    chmod +x "$tree/editor"
    change cmodel/common/rf_lfsr.c '$a /* */'
    demand 'a source that changes while it is compiled' 2 'rf_lfsr.o: changed while it was compiled' inside make all CC=./editor
    expect '... leaves no object' 'it does' test ! -e "$tree/build/obj/cmodel/common/rf_lfsr.o"
    restore cmodel/common/rf_lfsr.c
    builds '... and is compiled when it rests' 'CC    cmodel/common/rf_lfsr.c'
    passes '... and passes'
    builds 'what is of its sources is left alone' ''
    expect '... no object is made again' "$(cat "$here/text")" test ! -s "$here/text"
    LOCKSTEP_ROOT=$tree "$tool" run rf_rr --quiet || bad 'a tree with the same sources' 'is refused'
    change $model 's/(take != 0) & (grant != 0)/(take != 0) | (grant != 0)/'
    demand 'a tree with others, through LOCKSTEP_ROOT' 2 "$tree/$model is not what" env LOCKSTEP_ROOT="$tree" "$tool" run rf_rr
}

installed() {
    usr=$PWD/$here/usr
    demand 'make install' 0 '' make -s install PREFIX="$usr"
    echo 'module old_pick; endmodule' >"$usr/share/rf-lockstep/rtl/common/old_pick.sv"
    echo '#error' >"$usr/include/rfmodel/cmodel/common/old.h"
    demand '... over an older one' 0 '' make -s install PREFIX="$usr"
    expect 'keeps nothing of that' "$(find "$usr" -name 'old*')" test -z "$(find "$usr" -name 'old*')"
    expect 'a completion is installed' "$(ls "$usr/share/bash-completion/completions")" grep -q '^complete .* lockstep$' "$usr/share/bash-completion/completions/lockstep"
    mkdir "$here/user"
    export LOCKSTEP_CACHE="${LOCKSTEP_CACHE:-$PWD/build/dut}"
    unset LOCKSTEP_ROOT
    (cd "$here/user" && "$usr/bin/lockstep" run rf_sched_lrr --coverage 1.dat --record r.jsonl && "$usr/bin/lockstep" coverage .) >"$here/text" 2>&1
    expect 'what is installed runs, and has our waivers' "$(tail -n 3 "$here/text")" grep -q '^0 lines and branches neither' "$here/text"
    expect 'where there are no sources, the record says so' "$(cat "$here/user/r.jsonl")" grep -q "\"sources\":{\"tree\":\"not there\",\"compiled\":\"" "$here/user/r.jsonl"
    # Without a home: in /tmp, where others may make folders first.
    own=/tmp/rf-lockstep-$(id -u)
    there=$([ ! -e "$own" ] || echo there)
    mkdir -p "$own"
    chmod 755 "$own"
    demand 'without HOME, with a folder in /tmp that others may enter' 2 "$own, for built DUTs, is not a folder that this user alone|LOCKSTEP_CACHE" \
        env -u HOME -u LOCKSTEP_CACHE "$usr/bin/lockstep" run rf_rr
    chmod 700 "$own"
    [ -n "$there" ] || ln -s "$(realpath "$LOCKSTEP_CACHE")"/verilator-* "$own"
    demand '... that are kept out' 0 'pass  rf_rr' env -u HOME -u LOCKSTEP_CACHE "$usr/bin/lockstep" run rf_rr --output "$here/out"
    expect 'it is used' "$(ls "$own")" sh -c "ls $own/rf_rr-*/dut.so >/dev/null"
    [ -n "$there" ] || rm -rf "$own"
    # A cache in which others could put DUTs for us to run.
    mkdir "$here/mine" "$here/open"
    ln -s "$(realpath "$LOCKSTEP_CACHE")"/verilator-* "$here/mine"
    refused() { # name, words, cache
        demand "a cache $1" 2 "$3, for built DUTs, $2|set LOCKSTEP_CACHE to a folder of your own" env LOCKSTEP_CACHE="$3" "$tool" run rf_rr --output "$here/out"
    }
    for mode in 775 757; do
        chmod $mode "$here/mine"
        refused "with mode $mode" 'can be written by others' "$here/mine"
    done
    chmod 755 "$here/mine"
    ln -s mine "$here/link"
    if [ "$(id -u)" = 0 ]; then
        chown 65534 "$here/open"
        refused 'of another user' 'belongs to another user' "$here/open"
        chown -h 65534 "$here/link"
        refused 'behind a link of another user' 'is a link that another user made' "$here/link"
        chown -h 0 "$here/link"
        chown 0 "$here/open"
    fi
    mkdir "$here/open/cache"
    chmod 777 "$here/open"
    refused 'that anybody may replace' 'is in a folder in which anybody may replace it' "$here/open/cache"
    (umask 0 && demand '... that is ours' 0 'pass  rf_rr' env LOCKSTEP_CACHE="$here/link" "$tool" run rf_rr --output "$here/out")
    so=$(ls "$here"/mine/rf_rr-*/dut.so)
    expect 'has only what we alone may write' "$(find "$here/mine" ! -type l -perm /022)" test -z "$(find "$here/mine" ! -type l -perm /022)"
    chmod 777 "$so"
    demand 'a DUT that others may write' 0 'pass  rf_rr' env LOCKSTEP_CACHE="$here/mine" "$tool" run rf_rr --output "$here/out"
    expect 'is made again' "$(ls -l "$so")" test "$(stat -c %a "$so")" = 755
    demand 'make uninstall' 0 '' make -s uninstall PREFIX="$usr"
    expect 'leaves no file' "$(find "$usr" -type f)" test -z "$(find "$usr" -type f)"
}

run_sections "$@"
