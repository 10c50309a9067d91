#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The main job: every unit at every parameter set in lockstep with its RTL, then the systems on the real traces in $TRACES.
# One line a run; the records go to build/lockstep.jsonl. Ends with a table and "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 2
tool=build/lockstep
records=build/lockstep.jsonl
cycles=${CYCLES:-300000}
jobs=${JOBS:-1}
traces=${TRACES:-../shared/traces}
rm -f "$records"

# A line of the list: unit, then its parameters as NAME=VALUE words, then further options.
{
    $tool list --all-sets | while read -r unit set; do
        options=''
        for p in $set; do options="$options --param $p"; done
        echo "$unit$options --cycles $cycles"
    done
    if [ -d "$traces/accel-sim" ]; then
        for list in "$traces"/accel-sim/*/kernelslist.g; do
            echo "rf_banked --workload $list --timeout 60"
            echo "rf_banked --param BANKS=8 --workload $list --timeout 60"
            echo "rf_banked --param REGS=64 --workload $list --timeout 60"
        done
    fi
} >build/lockstep.list
[ -d "$traces/accel-sim" ] || {
    echo "no traces in $traces: running without. Accel-Sim publishes trace sets and a tracer; TRACES=folder with"
    echo "accel-sim/<name>/kernelslist.g in it makes this job use them."
}
total=$(wc -l <build/lockstep.list)
echo "$total runs, $jobs at a time; the first time each DUT is built (1 to 2 s for a unit)"
xargs -P "$jobs" -L 1 "$tool" run --brief --record "$records" <build/lockstep.list

awk '
    function text(key,    at, rest) { at = index($0, "\"" key "\":"); rest = substr($0, at + length(key) + 3); sub(/^"/, "", rest); sub(/["},].*/, "", rest); return rest }
    { unit = text("unit"); status = text("status"); runs[unit]++; cycles[unit] += text("cycles"); bits[unit] += text("compared_bits")
      if (status == "pass") passed++; else { failed++; bad[unit]++ } }
    END {
        printf "\n%-16s %6s %14s %20s %7s\n", "unit", "runs", "cycles", "bits compared", "failed"
        for (u in runs) { printf "%-16s %6d %14.0f %20.0f %7d\n", u, runs[u], cycles[u], bits[u], bad[u] | "sort"; c += cycles[u]; b += bits[u] }
        close("sort")
        printf "%-16s %6d %14.0f %20.0f %7d\n", "all", NR, c, b, failed
        printf "%d passed, %d failed\n", passed, failed + (expected - NR)
        exit failed > 0 || NR != expected || NR == 0
    }' expected="$total" "$records"
