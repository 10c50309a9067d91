# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What a DUT or the machine does: crashes, endless loops, wild writes, processes that die. Read by tb/tests/engine_tests.sh.
sections="$sections disasters memory processes"

disasters() {
    at100='always_ff @(posedge clk_i) if (rst_ni \&\& age == 100)'
    with_age "$here/segfault.sv" "  $at100 \$c(\"*(volatile int *)8 = 0;\");"
    check 'a segmentation fault' 1 crash 'crash rf_rr|signal 11|Segmentation fault|cycle 102' run rf_rr --rtl "$here/segfault.sv" --allow-system --ports-only
    with_age "$here/abort.sv" "  $at100 \$c(\"std::abort();\");"
    check 'abort' 1 crash 'signal 6|cycle 102' run rf_rr --rtl "$here/abort.sv" --allow-system --ports-only
    with_age "$here/exit.sv" "  $at100 \$c(\"std::exit(0);\");"
    check 'an exit with status 0 is no pass' 1 crash 'status 0 cycle 102' run rf_rr --rtl "$here/exit.sv" --allow-system --ports-only
    with_age "$here/quick_exit.sv" "  $at100 \$c(\"std::_Exit(2);\");"
    check 'an exit with status 2' 1 crash 'status 2 cycle 102' run rf_rr --rtl "$here/quick_exit.sv" --allow-system --ports-only
    with_age "$here/throw.sv" "  $at100 \$c(\"throw 1;\");"
    check 'a C++ exception' 1 crash 'signal 6|cycle 102' run rf_rr --rtl "$here/throw.sv" --allow-system --ports-only
    with_age "$here/finish.sv" "  $at100 \$finish;"
    check '$finish' 1 crash '$finish|finish.sv:|cycle 102' run rf_rr --rtl "$here/finish.sv" --ports-only
    with_age "$here/stop.sv" "  $at100 \$stop;"
    check '$stop' 1 crash '$stop|stop.sv:|cycle 102' run rf_rr --rtl "$here/stop.sv" --ports-only
    with_age "$here/fatal.sv" "  $at100 \$fatal(1, \"on-fire\");"
    check '$fatal' 1 crash 'on-fire|fatal.sv:|cycle 102' run rf_rr --rtl "$here/fatal.sv" --ports-only
    with_age "$here/oscillates.sv" "  logic a, b;\n  always_comb a = (age == 100) ? ~b : 1'b0;\n  always_comb b = a;\n  always_ff @(posedge clk_i) if (b) \$display(\"b\");"
    check 'a loop that does not converge' 1 crash 'converge|oscillates.sv:|cycle 101' run rf_rr --rtl "$here/oscillates.sv" --ports-only
    with_age "$here/endless.sv" "  $at100 \$c(\"for (volatile int i = 1; i;) {}\");"
    check 'an endless loop' 1 hang 'hang rf_rr|cycle 102' run rf_rr --rtl "$here/endless.sv" --allow-system --ports-only --timeout 3
    with_age "$here/loud.sv" "  $at100 \$c(\"for (;;) std::putchar(120);\");"
    begin=$(date +%s)
    check 'an endless loop that prints' 1 hang '' run rf_rr --rtl "$here/loud.sv" --allow-system --ports-only --timeout 2
    expect 'is as short' "$(($(date +%s) - begin)) s" test $(($(date +%s) - begin)) -lt 20
    rm "$here/text" # a large one
    expect 'and told like it' "$(field message)" says "$here/record" 'cycle 102'
    with_age "$here/while.sv" "  logic [7:0] n;\n  always_comb begin\n    n = 0;\n    while (age == 100 \&\& n != 8'hff) begin n = n + 8'd2; \$c(\"asm volatile(\\\\\"\\\\\");\"); end\n  end\n  always_ff @(posedge clk_i) if (n == 8'h1) \$display(\"n\");"
    check 'an endless while in always_comb' 1 hang 'cycle 101' run rf_rr --rtl "$here/while.sv" --allow-system --ports-only --timeout 3
    vary $rr "$here/finite.sv" -e "s/assign valid_o = .*/logic [31:0] n;\n  always_comb begin\n    n = 0;\n    while (n != 32'(req_i) || req_i == '1) n = n + 1;\n  end\n  assign valid_o = n != 0;/"
    check 'an endless while that C++ takes for a finite one' 1 hang 'cycle' run rf_rr --rtl "$here/finite.sv" --timeout 3
    vary $rr "$here/initial.sv" -e 's|^endmodule|  initial $finish;\nendmodule|'
    check '$finish before the first cycle' 1 crash '$finish|cycle 0' run rf_rr --rtl "$here/initial.sv"
    vary $rr "$here/final.sv" -e 's|^endmodule|  final $finish;\nendmodule|'
    check '$finish when all is over' 0 pass 'pass rf_rr' run rf_rr --rtl "$here/final.sv"
    with_age "$here/age.sv" ''
    vary "$here/age.sv" "$here/late.sv" -e 's/assign valid_o = req_i/assign valid_o = (age == 5000) ^ req_i/'
    "$tool" run rf_rr --rtl "$here/late.sv" --ports-only --cycles 1 --quiet >"$here/text" 2>&1 # builds it
    (ulimit -f 64 && "$tool" run rf_rr --rtl "$here/late.sv" --ports-only --output "$here/small" >"$here/text" 2>&1)
    expect 'a mismatch whose case cannot be written is one' "$(cat "$here/text")" says "$here/text" 'mismatch rf_rr|valid_o|File size limit exceeded|case'
    (trap '' XFSZ && ulimit -f 64 && "$tool" run rf_rr --rtl "$here/late.sv" --ports-only --output "$here/cut" >"$here/text" 2>&1)
    expect '... and leaves no part of it' "$(ls "$here/cut"; cat "$here/text")" sh -c "grep -q 'failure.case: File too large' '$here/text' && [ ! -e '$here/cut/failure.case' ]"
    end='final if (mask_q != 0) while (n >= 0) begin n = n ^ 3; if (n == 77) $display("x"); end'
    vary $rr "$here/last.sv" -e 's/assign valid_o = req_i/assign valid_o = (mask_q == 8\x27hf0 \&\& req_i[7]) ^ req_i/' -e "s|^endmodule|  int n; $end\nendmodule|"
    check 'an endless loop after a mismatch' 1 mismatch 'valid_o|case' run rf_rr --rtl "$here/last.sv" --ports-only --timeout 2
    vary $rr "$here/fill.sv" -e 's/assign valid_o = req_i/assign valid_o = !lost_q ^ req_i/' \
        -e 's|^endmodule|  logic lost_q, spin;\n  always_ff @(posedge clk_i) if (rst_ni) lost_q <= 1;\n  always_comb begin\n    spin = 0;\n    if (lost_q \&\& !rst_ni) while (req_i[0] \| !req_i[0]) begin spin = !spin; if (spin == take_i) $write(""); end\n  end\nendmodule|'
    check 'an endless loop after a reset with one fill' 1 hang 'cycle 0' run rf_rr --rtl "$here/fill.sv" --ports-only --timeout 2
    vary $rr "$here/slow.sv" -e 's|^endmodule|  always_ff @(posedge clk_i) $system("sleep 0.003");\nendmodule|'
    check 'RTL that is slow is no endless loop' 1 vacuous 'bin' run rf_rr --rtl "$here/slow.sv" --allow-system --ports-only --timeout 1 --cycles 300
    vary $rr "$here/prints.sv" -e 's|^endmodule|  always_ff @(posedge clk_i) if (req_i == 8\x27h11) $display("by_the_DUT");\nendmodule|'
    "$tool" run rf_rr --rtl "$here/prints.sv" --json >"$here/stdout" 2>"$here/stderr"
    expect 'what the DUT prints is not in the record' "$(head -n 2 "$here/stdout")" sh -c "'$work/record_of' <'$here/stdout' && grep -q by_the_DUT '$here/stderr'"
    vary $rr "$here/forges.sv" -e 's|^endmodule|  initial $fwrite(32\x27h8000_0001, "{\\"status\\":\\"forged\\"}\\n");\n  initial $system("echo by_the_shell");\n  always_ff @(posedge clk_i) if (req_i == 8\x27h11) $display("a\\033[31mb\\007");\nendmodule|'
    "$tool" run rf_rr --rtl "$here/forges.sv" --allow-system --json >"$here/stdout" 2>"$here/stderr"
    expect 'nor what it writes to stdout itself' "$(head -n 2 "$here/stdout")" sh -c "'$work/record_of' <'$here/stdout' && ! grep -q forged '$here/stdout'"
    expect 'but on stderr, without control characters' "$(head -n 3 "$here/stderr" | cat -v)" says "$here/stderr" 'forged|by_the_shell|a\x1b[31mb\x07'
    expect 'none at all' "$(grep -c "$(printf '\033')" "$here/stderr") lines" sh -c "! LC_ALL=C grep -q '[^[:print:][:space:]]' '$here/stderr'"
    "$tool" speed rf_rr --rtl "$here/forges.sv" --allow-system --json >"$here/stdout" 2>"$here/stderr"
    expect 'nor in the results of speed' "$(head -n 2 "$here/stdout")" sh -c "'$work/record_of' <'$here/stdout' && ! grep -q forged '$here/stdout'"
    check 'speed of a DUT that ends itself' 1 - '$finish' speed rf_rr --rtl "$here/initial.sv"
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
    check 'a write to the wrong row' 1 mismatch 'register mem_q element' run rf_bank --rtl "$here/astray.sv"
    expect 'is found in that cycle' "$(field mismatch.cycle) and not $(first_write "$here/out/failure.case" '')" test "$(field mismatch.cycle)" = "$(first_write "$here/out/failure.case" '')"
    wild_bank "$here/wild.sv"
    for seed in 1 2 3; do
        check "seed $seed: a wild write to another row" 1 mismatch 'register mem_q element 42 64|@mismatch.index=42|@sweep_period=64|@mismatch.cycles_earlier=64' run rf_bank --rtl "$here/wild.sv" --seed $seed
        wild=$(wild_since "$here/out/failure.case")
        found=$(field mismatch.cycle)
        expect "seed $seed: is found within the printed period" "written in $wild, found in $found, period $(field sweep_period)" test "$((found - wild))" -le "$(field sweep_period)"
    done
    check 'the waves tell its cycle' 1 mismatch "cycle $wild|@mismatch.since=$wild" run rf_bank --rtl "$here/wild.sv" --seed 3 --waves
    expect 'and so does the record' "since $(field mismatch.since)" test "$(field mismatch.since) $(field mismatch.cycle)" = "$wild $found"
    together='rf_stage_banks --param BANKS=2 --param LANES=4 --seed 1'
    # shellcheck disable=SC2086 # words
    check 'memories over 4 KB only together are swept' 1 mismatch 'mem_q element 42 160|@sweep_period=320|@mismatch.cycles_earlier=320|@mismatch.since' \
        run $together --param ROWS=160 --rtl "$here/wild.sv" --waves
    # shellcheck disable=SC2086 # words
    check 'those of 4 KB are not' 1 mismatch 'mem_q element 42 128|@sweep_period=0' run $together --param ROWS=128 --rtl "$here/wild.sv"
    check 'a wild write in the last cycle' 1 mismatch "element 42 64|@mismatch.at=register|@mismatch.cycle=$wild" run rf_bank --rtl "$here/wild.sv" --seed 3 --cycles $((wild + 1))
    expect 'is found by the comparison at the end' "in cycle $(field mismatch.cycle)" test "$(field mismatch.cycle)" -eq "$wild"
    cp "$here/out/failure.case" "$here/last.case"
    check 'its case again' 1 mismatch "@mismatch.at=register|@mismatch.cycle=$wild" replay "$here/last.case" --rtl "$here/wild.sv"
    "$tool" run rf_bank --rtl "$here/wild.sv" --seed 3 --cycles "$wild" --json >"$here/record" 2>&1
    expect 'one cycle less shows no difference' "$(field status)" says "$here/record" '"status":"pass"'
    "$tool" shrink "$here/last.case" --rtl "$here/wild.sv" >"$here/text" 2>&1
    expect 'its case shrinks' "$(cat "$here/text")" says "$here/text" 'last.case.shrunk: mem_q|minimal'
    start='lockstep-case 1\nunit rf_bank\nparams \nfill 0000000000000001\nfield %s\nreset\ncycle we=1 waddr=11 wmask=1\ncycle we=0 waddr=0 wmask=0\ncycle\n'
    # shellcheck disable=SC2059 # the format is ours
    { printf "${start}cycle re=1 raddr=2a\nend 5\n" rdata_q >"$here/read.case"; printf "${start}cycle we=1 waddr=2a wmask=2\nend 5\n" mem_q >"$here/again.case"; }
    check 'a row that is read before the sweep comes to it' 1 mismatch 'register rdata_q|mem_q[42] 4|@mismatch.row=mem_q[42]|@mismatch.cycles_earlier=4' \
        replay "$here/read.case" --rtl "$here/wild.sv"
    check 'the waves tell where it began' 1 mismatch 'register rdata_q|cycle 1 mem_q[42]|@mismatch.cycle=4|@mismatch.since=1|@mismatch.began=mem_q[42]' \
        replay "$here/read.case" --rtl "$here/wild.sv" --waves
    check 'a row that is written before the sweep comes to it' 1 mismatch 'mem_q element 42 64|cycle 1|@mismatch.cycle=4|@mismatch.since=1' \
        replay "$here/again.case" --rtl "$here/wild.sv" --waves
    vary $bank "$here/initial.sv" -e 's/always_ff @(posedge clk_i) begin/always @(posedge clk_i) begin/' -e "s/^endmodule/  initial for (int i = 0; i < ROWS; i++) mem_q[i] = '0;\nendmodule/"
    check 'power-up contents are copied, whatever they are' 0 pass '@memories_copied_at_power_up=1' run rf_bank --rtl "$here/initial.sv"
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
    compiles() { pgrep -f "(cc1plus|clang).*$cold" >/dev/null; }
    ended() { ! pgrep -f "$cold" >/dev/null; }
    LOCKSTEP_CACHE="$cold" env --default-signal=INT "$tool" run rf_rr >"$here/text" 2>&1 &
    within 20 compiles || bad 'a compiler works' 'none did'
    kill -INT $!
    wait $!
    got=$?
    expect 'Ctrl-C in a first build ends by that' "exit $got" test $got -eq 130
    expect '... with all compilers' "$(pgrep -af "$cold" | cut -c1-200)" within 10 ended
    demand '... and leaves nothing that is taken for whole' 0 'pass rf_rr' env LOCKSTEP_CACHE="$cold" "$tool" run rf_rr --output "$here/out"
    # No memory, no thread and a kill from outside are not the DUT's doing: it could not run.
    with_age "$here/eats.sv" "  always_ff @(posedge clk_i) if (rst_ni \\&\\& age == 100) \$c(\"for (;;) { static char *volatile p; p = new char[1 << 20]; }\");"
    with_age "$here/killed.sv" "  always_ff @(posedge clk_i) if (rst_ni \\&\\& age == 100) \$system(\"kill -KILL \\\$PPID\");"
    for f in eats killed; do "$tool" run rf_rr --rtl "$here/$f.sv" --allow-system --ports-only --cycles 50 --quiet >/dev/null 2>&1; done # builds them
    "$tool" run rf_rr --quiet
    (ulimit -v 400000 && check 'a DUT that gets no memory' 2 usage 'usage rf_rr|memory cycle 102' run rf_rr --rtl "$here/eats.sv" --allow-system --ports-only)
    (ulimit -v 400000 && check '... in speed' 2 - 'memory' speed rf_rr --rtl "$here/eats.sv" --allow-system --ports-only)
    for kb in 10000 12000 14000 16000 18000 20000 22000 24000 26000 28000 30000 32000 34000 36000 40000; do
        (ulimit -v $kb && "$tool" run rf_rr --output "$here/out" >"$here/text" 2>&1; echo "$? $kb KB: $(head -n 2 "$here/text" | tr '\n' ' ')")
    done >"$here/rooms"
    expect 'with little to begin with it passes or could not run' "$(cat "$here/rooms")" not grep -qv '^[02] ' "$here/rooms"
    why='usage rf_rr|memory cycle 0'
    [ -z "${VERILATOR:-}" ] || why='=: exit status' # another Verilator, often a script, says its version each time, and needs more to say it
    expect 'and says why' "$(cat "$here/rooms")" says "$here/rooms" "$why"
    check 'a DUT that is killed from outside' 2 usage 'usage rf_rr|signal 9 (Killed) cycle 102' run rf_rr --rtl "$here/killed.sv" --allow-system --ports-only
    check '... in speed' 2 - 'signal 9' speed rf_rr --rtl "$here/killed.sv" --allow-system --ports-only
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
