#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The engine with another Verilator than the system's: VERILATOR=path. The unit tests that start it, the engine from outside, then every unit and
# system at its defaults. Ends with "N passed, N failed". TESTS=0: without the tests. JOBS: at a time.
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
. tb/tests/checks.sh
[ -n "${VERILATOR:-}" ] || { echo 'which one? make test-verilator VERILATOR=path'; exit 2; }
needs_tool
version=$("$tool" version) || exit 2
echo "$version"
export VERILATOR LOCKSTEP_CACHE="${LOCKSTEP_CACHE:-$PWD/build/dut}" UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
log=build/verilator
mkdir -p "$log"
echo 'leak:VerilatedFst::open' >"$log/leaks" # 5.050 forgets its writer in close()
export LSAN_OPTIONS="suppressions=$PWD/$log/leaks:print_suppressions=0"

# The last line of a script's log is its count.
count() { # name, log, exit code
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$2" | tail -n 1)
    p=${line%% *} f=${line#*, }
    f=${f%% *}
    [ "$3" -eq 0 ] || [ "${f:-0}" -gt 0 ] || f=1
    [ -n "$line" ] || f=1
    passed=$((passed + ${p:-0})) failed=$((failed + ${f:-0}))
    echo "$1: ${p:-0} passed, ${f:-0} failed"
    [ "${f:-0}" -eq 0 ] || grep -vE '^(ok|pass) ' "$2" | head -n 30
}

if [ "${TESTS:-1}" != 0 ]; then
    tests=$(grep -lE 'tb/harness/elaborate\.h|ls_elab_run|ls_design_build|ls_build_dut|ls_tools_once' tb/harness/test_*.c | sed 's|.*/||; s|\.c$||')
    # shellcheck disable=SC2086 # a list
    make -s -j"${JOBS:-1}" $(printf 'build/san/tests/%s ' $tests) || { echo 'the tests do not build'; exit 2; }
    for t in $tests; do
        if "build/san/tests/$t" >"$log/$t.log" 2>&1; then ok "$t"; else bad "$t" "$(grep -vE '^\[ *(RUN|OK)' "$log/$t.log" | head -n 15)"; fi
    done
    tb/tests/engine_tests.sh >"$log/engine.log" 2>&1
    count 'engine tests' "$log/engine.log" $?
fi
KERNELS=0 TRACES='' tb/tests/lockstep.sh >"$log/lockstep.log" 2>&1
count 'units and systems' "$log/lockstep.log" $?
tally
