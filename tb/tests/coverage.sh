#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# coverage.sh [UNIT...]: runs the units (default: all) at all their parameter sets with coverage of RTL and model, and prints what is
# covered and what is not. JOBS=N runs at a time; CYCLES=N cycles of each (default 100000); the files are in build/coverage.
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
. tb/tests/lock.sh
take_lock coverage
tool=build/lockstep
out=build/coverage
for t in "$tool" build/gcov/lockstep; do
    [ -x "$t" ] || { echo "no $t: make all gcov-tool" >&2; exit 2; }
done
rm -rf "$out"
mkdir -p "$out" || exit 2
if [ $# -eq 0 ]; then
    "$tool" list --all-sets >"$out/sets" || exit 2
else
    for unit in "$@"; do "$tool" list "$unit" --all-sets || exit 2; done >"$out/sets"
fi

n=0
while read -r unit set; do
    n=$((n + 1))
    line="run $unit --brief --no-shrink --cycles ${CYCLES:-100000} --output $out/$n.failure --coverage $out/$n.dat"
    for p in $set; do line="$line --param $p"; done
    echo "$line"
done <"$out/sets" >"$out/jobs"
failed=0
xargs -P "${JOBS:-1}" -L 1 "$tool" <"$out/jobs" || failed=1
"$tool" coverage "$out" || { [ $? -eq 1 ] || exit 2; failed=1; }
exit $failed
