#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Everything that must hold, each part with its time; the last line is "N passed, N failed". Logs in build/test/.
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
. tb/tests/lock.sh
export JOBS="${JOBS:-1}"
work=build/test

# A part ends with "… N passed, N failed" and with exit status 0 when nothing failed; otherwise it counts as one failure at least.
part() { # name, command…
    name=$1
    shift
    start=$(date +%s)
    "$@" >"$work/$name.log" 2>&1
    status=$?
    counts=$(sed -nE 's/^(.*[^0-9])?([0-9]+) passed, ([0-9]+) failed$/\2 \3/p' "$work/$name.log" | tail -n 1)
    p=${counts% *}
    f=${counts#* }
    [ -n "$counts" ] || { p=0; f=1; }
    uncounted=false
    [ "$status" -eq 0 ] || [ "$f" -ne 0 ] || { f=1; uncounted=true; }
    printf '%-10s %5d passed %4d failed %5d s\n' "$name" "$p" "$f" "$(($(date +%s) - start))"
    echo "$p $f" >"$work/$name.count"
    if [ "$f" -ne 0 ]; then
        grep -E '^(FAIL|MISSED|NOT RUN|mismatch|vacuous|crash|hang|usage|build)|\[  FAILED  \]|ERROR' "$work/$name.log" | head -n 20 | sed 's/^/    /'
        [ -n "$counts" ] || tail -n 5 "$work/$name.log" | sed 's/^/    /'
        ! $uncounted || echo "    exit status $status, though it counted no failure"
        echo "    all of it: $work/$name.log"
    fi
}

# Of each unit 3 planted faults; `make faults` plants all. A fault without a row is missed too.
sample=3
faults() {
    build/lockstep faults --jobs "$JOBS" --sample "$sample" >"$work/faults.table"
    ended=$?
    cat "$work/faults.table"
    awk '$1 == "caught" { p++ } / planted faults caught / { all = $3 }
        END { printf "%d passed, %d failed\n", p, (all > 0 ? all - p : 1) }' "$work/faults.table"
    return "$ended"
}

# Shorter runs of fewer parameter sets and kernels than `make lockstep-all`.
lockstep() { CYCLES=50000 SETS=2 KERNELS=3 tb/tests/lockstep.sh; }

# The parts that do one thing after the other run beside those that keep all processors busy except at their ends: in sessions of their own, so that
# they end with us.
beside='storage synth energy netlist gtkwave mutants papers workloads'
if [ "${1:-}" = --beside ]; then
    part storage tb/tests/storage_tests.sh
    part synth tb/tests/synth_tests.sh
    part energy tb/tests/energy_tests.sh
    part netlist tb/tests/netlist_tests.sh
    part gtkwave tb/tests/gtkwave_check.sh
    part mutants tb/tests/mutants_tests.sh
    part papers tb/tests/paper_tests.sh
    part workloads tb/tests/workloads.sh
    exit
elif [ "${1:-}" = --report ]; then
    part report tb/tests/report_check.sh # of a page that a test of `unit` makes
    exit
fi

take_lock test
rm -rf "$work"
mkdir -p "$work"
begin=$(date +%s)
setsid tb/tests/test.sh --beside &
others=-$!
trap 'kill -TERM $others 2>/dev/null; exit 130' INT TERM HUP # dash takes no -- here
part unit tb/tests/unit_tests.sh
part rules tb/tests/lint_tests.sh
setsid tb/tests/test.sh --report &
others="$others -$!"
part lint tb/tests/lint.sh
part engine tb/tests/engine_tests.sh
part regress tb/tests/regress_tests.sh
part faults faults
part lockstep lockstep
wait

passed=0
failed=0
for name in unit rules report lint engine regress faults lockstep $beside; do
    if [ -s "$work/$name.count" ]; then
        read -r p f <"$work/$name.count"
        passed=$((passed + p))
        failed=$((failed + f))
    else
        echo "$name: did not end"
        failed=$((failed + 1))
    fi
done
echo "$(($(date +%s) - begin)) s in all"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
