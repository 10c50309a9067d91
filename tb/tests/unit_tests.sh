#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds and runs the cmocka tests (tb/harness, tb/*/judge) under ASan and UBSan; ends with "N passed, N failed".
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
. tb/tests/checks.sh
jobs=${JOBS:-1}
# TURN=K (tb/README.md): a third of them, of the longest a sixth, others with each K; always test_units, which samples itself, and that whose
# page `report` looks at.
longest='test_mutants test_rf_steal test_build test_netlist_gates test_rf_hierarchy test_ptx_judge'
tests=$({
    for name in $longest; do ! sampled 6 || echo "$name"; done
    for name in $(find tb -name 'test_*.c' | sed 's|.*/||; s|\.c$||' | sort); do
        case " $longest " in *" $name "*) continue ;; esac
        case $name in test_units | test_report_write) ;; *) sampled 3 || continue ;; esac
        echo "$name"
    done
} | sed 's|^|build/san/tests/|')
# shellcheck disable=SC2086 # a list
make -s -j"$jobs" $tests || { echo "the tests do not build"; exit 2; }
mkdir -p build/test
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 LOCKSTEP_CACHE="$PWD/build/dut"
echo "$tests" | xargs -P "$jobs" -I{} sh -c '
    log=build/test/$(basename {}).log
    begin=$(date +%s)
    if {} >"$log" 2>&1; then verdict=ok; else verdict=FAIL; fi
    echo "$(($(date +%s) - begin)) s $verdict {}"' >build/test/unit.list
while read -r _ _ verdict binary; do
    log=build/test/$(basename "$binary").log
    p=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test(s).*/\1/p' "$log" | tail -n 1)
    f=$(sed -n 's/^\[  FAILED  \] .*: \([0-9]*\) test(s).*/\1/p' "$log" | tail -n 1)
    [ "$verdict" = ok ] || [ "${f:-0}" -gt 0 ] || f=1 # died without counting
    [ "$verdict" = FAIL ] || [ "${p:-0}" -gt 0 ] || f=1 # ran nothing
    passed=$((passed + ${p:-0}))
    failed=$((failed + ${f:-0}))
    if [ "${f:-0}" -gt 0 ]; then
        echo "FAIL $binary"
        grep -vE '^\[ *(RUN|OK)' "$log" | head -n 15 | sed 's/^/     /'
    fi
done <build/test/unit.list
slowest build/test/unit.list
tally
