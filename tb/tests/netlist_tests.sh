#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `lockstep run --netlist` and `lockstep prove --netlist` from outside: exit codes, records, cases, messages. One line a check; the last is
# "N passed, N failed". What a wrong netlist is worth is tested in tb/harness/test_netlist_gates.c.
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
. tb/tests/checks.sh
work=${WORK:-build/netlist-test}
rm -rf "$work"
mkdir -p "$work"
here=$work

# Name, exit code, facts, arguments…
check() { name=$1 code=$2 facts=$3 && shift 3 && demand "$name" "$code" "$facts" "$tool" "$@"; }

needs_tool

check 'a netlist that is the model' 0 'pass rf_rr|netlist:|8 8|mask_q[0]: constant 0' \
    run rf_rr --netlist --cycles 20000 --record "$work/record"
check 'its record' 0 '"netlist":{"folder":|"register_bits":{"flop":7,"shared":0,"logic":0,"constant":1|--netlist' \
    run rf_rr --netlist --cycles 20000 --json
rtl=$PWD/rtl/common/rf_rr.sv
check 'its record: the RTL that it is of' 0 "\"rtl\":[{\"file\":\"$rtl\",\"sha256\":\"$(sha256sum <"$rtl" | cut -c 1-64)\"}]" run rf_rr --netlist --cycles 20000 --json
check 'its record: what a register became' 0 '"register":"mask_q","bits":"0:0","became":"constant","value":0' \
    run rf_rr --netlist --cycles 20000 --json
check 'ports alone' 0 'pass rf_rr|ports|registers' run rf_rr --netlist --ports-only --cycles 20000
check 'it goes not with --define' 2 '--netlist --define' run rf_rr --netlist --define X
check 'no such library' 2 '/nowhere/cells.lib' run rf_rr --netlist --lib /nowhere/cells.lib
check 'a library that is none' 2 'Makefile' run rf_rr --netlist --lib Makefile
check 'an option of other commands' 2 'speed --netlist' speed rf_rr --netlist
check 'a proof' 0 'equivalent rf_rr|8 0 0' prove --netlist rf_rr --record "$work/record"
check 'its record' 0 '"status":"equivalent","method":"registers"|"register_bits_bound":8|"command":"' prove --netlist rf_rr --json
check 'a proof of no unit' 2 'rf_nothing' prove --netlist rf_nothing
check 'a proof that needs a unit' 2 'prove|unit' prove
check 'seconds that are none' 2 '--seconds x' prove --netlist rf_rr --seconds x

# A clock gate has a statetable and no function, of which Yosys knows nothing; no netlist of ours uses one.
library=/usr/share/qflow/tech/osu018/osu018_stdcells.lib
awk '/^cell *\(/ && !n++ { print "cell (ICG) { area : 50; clock_gating_integrated_cell : \"latch_posedge\"; statetable (\"CK E\", \"IQ\") {"
        print " table : \"L L : - : L , L H : - : H , H - : - : N\"; } pin (IQ) { direction : internal; internal_node : \"IQ\"; }"
        print " pin (CK) { direction : input; clock : true; } pin (E) { direction : input; }"
        print " pin (GCK) { direction : output; state_function : \"CK IQ\"; } }" } 1' "$library" >"$work/gating.lib"
check 'a library with a clock gate: a run' 0 'pass|rf_rr' run rf_rr --netlist --lib "$work/gating.lib" --cycles 5000
check '... and a proof' 0 'equivalent|rf_rr' prove --netlist rf_rr --lib "$work/gating.lib"

# RTL in which something is missing: neither run nor proof takes the rest for all.
cat >"$work/noout.sv" <<'END'
module rf_lfsr #(parameter SEED = 1) (input clk_i, input rst_ni, input step_i);
  reg [15:0] value_q;
  always @(posedge clk_i or negedge rst_ni) if (!rst_ni) value_q <= 1; else if (step_i) value_q <= ~value_q;
endmodule
END
cat >"$work/other.sv" <<'END'
module rf_lfsr #(parameter SEED = 1) (input clk_i, input rst_ni, input step_i, output x_o);
  assign x_o = step_i;
endmodule
END
sed 's/mask_q/msk_q/g' rtl/common/rf_rr.sv >"$work/ren.sv"
sed 's/logic \[N-1:0\] grant_o/logic [N:0] grant_o/' rtl/common/rf_rr.sv >"$work/wide.sv"
for what in 'run --netlist --cycles 20000' 'prove --netlist'; do
    # shellcheck disable=SC2086 # words
    set -- $what
    check "$1: no output" 2 'missing output value_o 1 16' "$@" rf_lfsr --rtl "$work/noout.sv"
    check "$1: another output" 2 'missing output value_o|port x_o' "$@" rf_lfsr --rtl "$work/other.sv"
    check "$1: an output of another width" 2 'wide.sv: width output grant_o 1 9 1 8' "$@" rf_rr --rtl "$work/wide.sv"
    check "$1: a register of another name" 2 'missing register mask_q' "$@" rf_rr --rtl "$work/ren.sv"
done
check 'run: with --ports-only' 0 'pass rf_rr|ports|registers' \
    run rf_rr --netlist --rtl "$work/ren.sv" --ports-only --cycles 20000
check 'prove: with --ports-only' 0 'equivalent rf_rr|0 0 8' prove --netlist rf_rr --rtl "$work/ren.sv" --ports-only
check 'its record' 0 '"register_bits_bound":0,"register_bits_free":0,"register_bits_not_in_rtl":8' prove --netlist rf_rr --rtl "$work/ren.sv" --ports-only --json
demand 'prove: no such TMPDIR' 2 "TMPDIR=/nonexistent/tmp: No such file or directory" env TMPDIR=/nonexistent/tmp "$tool" prove --netlist rf_rr
mkdir -p "$work/empty"
demand 'run: no such TMPDIR' 2 "TMPDIR=/nonexistent/tmp: No such file or directory" \
    env LOCKSTEP_CACHE="$work/empty" TMPDIR=/nonexistent/tmp "$tool" run rf_rr --netlist

# What a machine that went down left of the files on the way.
cut=$work/cut
mkdir -p "$cut"
"$tool" run rf_rr --netlist --cycles 20000 --quiet # so that the runtime is there
ln -s "$(realpath "${LOCKSTEP_CACHE:-build/dut}")"/verilator-* "$cut"
demand 'a cache of its own' 0 'pass rf_rr' env LOCKSTEP_CACHE="$cut" "$tool" run rf_rr --netlist --cycles 20000
truncate -s 700 "$cut"/gates/* "$cut"/synth/rf_rr-*/gates.il
demand 'netlist, cells and Verilog that are cut off are made again' 0 'pass rf_rr' env LOCKSTEP_CACHE="$cut" "$tool" run rf_rr --netlist --cycles 20000
expect 'all of them' "$(find "$cut/gates" "$cut/synth" -size 700c)" test -z "$(find "$cut/gates" "$cut/synth" -size 700c)"

# RTL that Yosys reads differently: a finding of the run, with a case that says it is a netlist's.
sed "s/assign mask_d = (take_i && valid_o) ?/localparam logic [N-1:0] ALL = '1;\n  assign mask_d = (take_i \&\& (req_i \& ALL) != '0) ?/" \
    rtl/common/rf_rr.sv >"$work/rf_rr.sv"
check 'RTL that Yosys misreads, in simulation' 0 'pass' run rf_rr --rtl "$work/rf_rr.sv" --cycles 20000
check 'and as a netlist' 1 'mismatch rf_rr|register mask_q|netlist|again --netlist' \
    run rf_rr --rtl "$work/rf_rr.sv" --netlist --cycles 20000 --output "$work/found"
expect 'its case names the netlist' \
    "$(head -n 12 "$work/found/failure.case")" grep -q '^netlist /' "$work/found/failure.case"
check 'the case replayed' 1 'mismatch rf_rr|register mask_q|netlist:' replay "$work/found/shrunk.case"
grep -v '^netlist ' "$work/found/shrunk.case" >"$work/rtl.case"
check 'without that line it is the RTL, and passes' 0 'pass rf_rr|case mask_q' replay "$work/rtl.case"
check 'a proof reads RTL with Yosys too, and says so' 0 'equivalent rf_rr|Yosys' prove --netlist rf_rr --rtl "$work/rf_rr.sv"
demand 'make netlists of one unit' 0 'pass rf_lfsr|=1 passed, 0 failed' \
    env JOBS=1 LOCKSTEP="$tool" CYCLES=5000 PROVE=10 tb/tests/netlists.sh rf_lfsr
demand '... at each of its sets of parameters' 0 'pass rf_steal_reads WHEN=2|=2 passed, 0 failed' env JOBS=1 LOCKSTEP="$tool" CYCLES=5000 tb/tests/netlists.sh rf_steal_reads
demand '... at those of its bench' 0 "=$("$tool" list rf_lfsr --all-sets | wc -l) passed, 0 failed" env JOBS=1 LOCKSTEP="$tool" CYCLES=5000 ALL_SETS=1 tb/tests/netlists.sh rf_lfsr
mkdir -p "$work/tree/tb/tests"
cp tb/tests/netlists.sh tb/tests/lock.sh "$work/tree/tb/tests" && cp -r synth_scripts "$work/tree"
echo 'rf_lfsr' >>"$work/tree/synth_scripts/netlist.sets" && echo 'rf_lfsr ' >>"$work/tree/synth_scripts/netlist.sets"
demand '... whose set is there twice' 2 'netlist.sets: rf_lfsr line' env LOCKSTEP="$(realpath "$tool")" CYCLES=5000 "$work/tree/tb/tests/netlists.sh" rf_lfsr
demand 'make netlists of no unit' 2 'rf_nothing' env LOCKSTEP="$tool" tb/tests/netlists.sh rf_nothing

# As a row of a plan.
printf '1 rf_rr default netlist fixed:1 5k\n' >"$work/netlist.plan"
check 'a plan with a netlist' 0 '' regress "$work/netlist.plan" --output "$work/regression" --history "$work/history.db"
expect 'its job runs the netlist' "$(cat "$work/regression/jobs.tsv")" grep -q 'rf_rr/default/netlist/fixed.0.*--netlist' "$work/regression/jobs.tsv"
expect 'and passed' "$(cat "$work/regression/results.jsonl")" grep -q '"stimulus":"netlist".*"status":"pass"' "$work/regression/results.jsonl"
printf '1 rf_rr default netlist - 5k\n' >"$work/netlist.plan"
check 'a plan with a netlist and no seeds' 2 'seeds "-": netlist fixed:N fresh:N' regress "$work/netlist.plan" --output "$work/regression2"

# Without its tools it says which are missing.
mkdir -p "$work/bin"
for t in sh gcc g++ as ld verilator perl verilator_bin ar make cat rm; do
    [ -z "$(command -v $t)" ] || ln -sf "$(command -v $t)" "$work/bin/$t"
done
PATH=$work/bin
export PATH
"$tool" run rf_rr --netlist --quiet >"$work/text" 2>&1
run=$?
PATH=/usr/local/bin:/usr/bin:/bin
cp "$work/text" "$work/run"
[ -z "$(command -v yosys)" ] || ln -sf "$(command -v yosys)" "$work/bin/yosys"
for t in yosys-abc prlimit; do [ -z "$(command -v $t)" ] || ln -sf "$(command -v $t)" "$work/bin/$t"; done
PATH=$work/bin
"$tool" prove --netlist rf_rr >"$work/text" 2>&1
prove=$?
PATH=/usr/local/bin:/usr/bin:/bin
expect 'without Yosys' "exit $run, $(tail -n 1 "$work/run")" sh -c "[ $run -eq 2 ] && grep -q 'Yosys' '$work/run'"
expect 'without berkeley-abc' \
    "exit $prove, $(tail -n 1 "$work/text")" sh -c "[ $prove -eq 2 ] && grep -q 'apt-get install berkeley-abc' '$work/text'"

tally
