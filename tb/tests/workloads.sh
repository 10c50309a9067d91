#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the streams of all kernels, small and large, into build/workloads/, each result checked against its reference, and prints the
# table of their figures beside the papers' (docs/kernels.md; also in build/workloads/stats.jsonl). `workloads.sh --lockstep` does the
# small ones alone and then runs rf_banked and its RTL on each, records in build/workloads/lockstep.jsonl. All other words are options of
# `workload build`: --m32, --schedule. With TURN one large input in two, the others with the next turn. Ends with "N passed, N failed".
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
. tb/tests/lock.sh
. tb/tests/checks.sh
take_lock workloads
tool=build/lockstep
stats=build/workload_stats
work=build/workloads
jobs=${JOBS:-1}
sizes='small large'
lockstep=false
if [ "${1:-}" = --lockstep ]; then
    lockstep=true sizes=small
    shift
fi
rm -rf "$work"
mkdir -p "$work" || exit 2
begin=$(date +%s)

"$stats" list >"$work/list" || exit 2
while read -r kernel _; do
    for size in $sizes; do
        [ $size = small ] || sampled 3 || continue
        echo "$kernel $size"
    done
done <"$work/list" >"$work/jobs"
expected=$(wc -l <"$work/jobs")

# One stream: built, its results checked, read back for its figures. Each leaves a line in NAME.json, or what went wrong in NAME.log.
one="
name=\$0-\$1 large=
[ \"\$1\" = small ] || large=--large
if $tool workload build \"\$0\" \$large $* --json -o $work/\$name.rfs.xz >$work/\$name.log 2>&1 &&
    $stats stats $work/\$name.rfs.xz >$work/\$name.new 2>>$work/\$name.log; then
    mv $work/\$name.new $work/\$name.json
else
    echo \"FAIL \$name: \$(tail -n 1 $work/\$name.log)\"
fi"
xargs -P "$jobs" -L 1 sh -c "$one" <"$work/jobs"
find "$work" -name '*.json' | sort | xargs -r cat >"$work/stats.jsonl"
built=$(wc -l <"$work/stats.jsonl")
awk -f tb/tests/workloads.awk "$work/stats.jsonl"
echo "$built of $expected streams built and checked, $(du -sm "$work" | cut -f 1) MB, $(($(date +%s) - begin)) s"
passed=$built
failed=$((expected - built))

if $lockstep; then
    for file in "$work"/*-small.rfs.xz; do
        [ -f "$file" ] && echo "rf_banked --param REGS=64 --workload $file --timeout 60"
    done >"$work/runs"
    xargs -P "$jobs" -L 1 "$tool" run --brief --record "$work/lockstep.jsonl" <"$work/runs"
    ran=$(grep -c '"status":"pass"' "$work/lockstep.jsonl")
    passed=$((passed + ran))
    failed=$((failed + expected - ran))
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
