#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Fuzzes the workload reader (fuzz_rf_traceg.c) with libFuzzer under ASan and UBSan for FUZZ_SECONDS (default 60), from a copy of the
# corpus. Everything stays in build/fuzz. Exit 0: nothing found; 1: a finding, its file is named; 2: it does not build.
set -u
cd "$(dirname "$0")/../.." || exit 2
work=build/fuzz
seconds=${FUZZ_SECONDS:-60}
case $seconds in
'' | *[!0-9]* | 0) echo "FUZZ_SECONDS=$seconds: expected a whole number from 1"; exit 2 ;;
esac
rm -rf "$work/corpus" "$work/findings"
mkdir -p "$work/corpus" "$work/findings" || exit 2
clang-14 -std=c11 -D_GNU_SOURCE -I. -O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer,address,undefined \
    -fno-sanitize-recover=undefined -o "$work/fuzz_rf_traceg" tb/workload/fuzz_rf_traceg.c cmodel/workload/*.c || exit 2
cp tb/workload/corpus/* "$work/corpus/"
"$work/fuzz_rf_traceg" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -dict=tb/workload/rf_traceg.dict -artifact_prefix="$work/findings/" "$work/corpus" >"$work/log" 2>&1
status=$?
executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
new=$(sed -n 's/^stat::new_units_added: *//p' "$work/log")
for finding in "$work"/findings/*; do
    [ -f "$finding" ] || continue
    grep -E 'ERROR|SUMMARY|runtime error' "$work/log"
    echo "finding: $finding (again: $work/fuzz_rf_traceg $finding; all of it: $work/log)"
    exit 1
done
if [ "$status" -ne 0 ] || [ "${executions:-0}" -eq 0 ]; then
    tail -n 20 "$work/log"
    echo "the fuzzer ended with exit status $status; all of it: $work/log"
    exit 1
fi
echo "$executions executions in $seconds s, $new new inputs, no finding"
