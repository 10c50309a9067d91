#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Everything that must hold, each part with its time and the processors' time; the last line is "N passed, N failed". Logs in build/test/.
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
. tb/tests/lock.sh
. tb/tests/checks.sh
export JOBS="${JOBS:-1}"
work=build/test

# Of two outputs of `times`, each with a line of the shell and one of what it ran: what was run between them.
processor_seconds() { tr 'ms' '  ' | awk '{ sum[NR] = 60 * ($1 + $3) + $2 + $4 } END { printf "%d\n", sum[4] - sum[2] }'; }

# A part ends with "… N passed, N failed" and with exit status 0 when nothing failed; otherwise it counts as one failure at least.
part() { # name, command…
    name=$1
    shift
    start=$(date +%s)
    times >"$work/$name.times"
    "$@" >"$work/$name.log" 2>&1
    status=$?
    counts=$(sed -nE 's/^(.*[^0-9])?([0-9]+) passed, ([0-9]+) failed$/\2 \3/p' "$work/$name.log" | tail -n 1)
    p=${counts% *}
    f=${counts#* }
    [ -n "$counts" ] || { p=0; f=1; }
    uncounted=false
    [ "$status" -eq 0 ] || [ "$f" -ne 0 ] || { f=1; uncounted=true; }
    times >>"$work/$name.times"
    printf '%-10s %5d passed %4d failed %5d s %5d CPU s\n' "$name" "$p" "$f" "$(($(date +%s) - start))" "$(processor_seconds <"$work/$name.times")"
    echo "$p $f" >"$work/$name.count"
    if [ "$f" -ne 0 ]; then
        # What failed, each with the indented lines below it.
        awk '/^(FAIL|MISSED|NOT RUN|mismatch|vacuous|crash|hang|usage|build)|\[  FAILED  \]|ERROR/ { print; more = 1; next }
            /^     / && more { print; next } { more = 0 }' "$work/$name.log" | head -n 40 | sed 's/^/    /'
        [ -n "$counts" ] || tail -n 5 "$work/$name.log" | sed 's/^/    /'
        ! $uncounted || echo "    exit status $status, though it counted no failure"
        echo "    all of it: $work/$name.log"
    fi
}

# What is sampled (tb/README.md), another with most commits.
export TURN=$((0x$(git rev-parse --short=4 HEAD 2>/dev/null | cut -c 1-4 | grep . || echo 0) + 1))
# Of half of the units one planted fault each; `make faults` and the nightly regression plant all. A fault without a row is missed too.
faults() {
    build/lockstep list | awk '/^rf_/ { print $1 }' | while read -r unit; do ! sampled 2 || echo "$unit"; done |
        xargs -P "$JOBS" -I{} build/lockstep faults {} --sample 1 --turn "$((TURN / 2))" >"$work/faults.table"
    ended=$?
    grep -v '^ *unit  ' "$work/faults.table"
    awk '$1 == "caught" { p++ } / planted faults caught / { all += $3 }
        END { printf "%d passed, %d failed\n", p, (all > 0 ? all - p : 1) }' "$work/faults.table"
    return "$ended"
}

# Of each unit one parameter set, and few kernels; all: `make lockstep-all`.
lockstep() { SETS=1 KERNELS=3 tb/tests/lockstep.sh; }

# Two lines of parts at a time, or the ends of each part would leave processors idle; the parts of a line run one after the other, since they use the
# same files. Those that take long come first.
parts='unit report
synth energy netlist mutants gtkwave
engine
lint rules export proofs
lockstep
faults
regress
workloads
papers
storage'
if [ "${1:-}" = --parts ]; then
    shift
    for name in "$@"; do
        case $name in
        faults | lockstep) part "$name" "$name" ;;
        lint) part lint env SETS=1 tb/tests/lint.sh ;; # `make lint` at all sets
        workloads) part workloads tb/tests/workloads.sh ;;
        proofs) part proofs tb/tests/proofs.sh ;;
        gtkwave | report) part "$name" "tb/tests/${name}_check.sh" ;; # report: of a page that a test of `unit` makes
        rules) part rules env -u TURN tb/tests/lint_tests.sh ;;
        papers) part papers tb/tests/paper_tests.sh ;;
        *) part "$name" "tb/tests/${name}_tests.sh" ;;
        esac
    done
    exit
fi

take_lock test
rm -rf "$work"
mkdir -p "$work"
begin=$(date +%s)
# In a session of its own, so that it ends with us.
echo "$parts" | setsid xargs -P 2 -L 1 tb/tests/test.sh --parts &
others=-$!
trap 'kill -TERM $others 2>/dev/null; exit 130' INT TERM HUP # dash takes no -- here
wait

passed=0
failed=0
for name in $parts; do
    if [ -s "$work/$name.count" ]; then
        read -r p f <"$work/$name.count"
        passed=$((passed + p))
        failed=$((failed + f))
    else
        echo "$name: did not end"
        failed=$((failed + 1))
    fi
done
echo "$(($(date +%s) - begin)) s in all, TURN=$TURN"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
