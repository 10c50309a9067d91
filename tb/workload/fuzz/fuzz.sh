#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Fuzzes the readers (fuzz_rf_<name>.c) with libFuzzer under ASan and UBSan, each for FUZZ_SECONDS (default 60), or only those that are
# named. Each starts from a copy of corpus_<name>/, if there is one, with <name>.dict. Everything stays in
# build/fuzz. Exit 0: nothing found; 1: a finding, its file is named; 2: it does not build.
set -u
CDPATH='' cd "$(dirname "$0")/../../.." || exit 2
seconds=${FUZZ_SECONDS:-60}
case $seconds in
'' | *[!0-9]* | 0) echo "FUZZ_SECONDS=$seconds: expected a whole number from 1"; exit 2 ;;
esac

fuzz() { # name
    name=$1
    work=build/fuzz/$name
    corpus=tb/workload/fuzz/corpus_$name
    rm -rf "$work/corpus" "$work/findings"
    mkdir -p "$work/corpus" "$work/findings" || return 2
    clang-14 -std=c11 -D_GNU_SOURCE -I. -O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer,address,undefined \
        -fno-sanitize-recover=undefined -o "$work/fuzz" "tb/workload/fuzz/fuzz_$name.c" cmodel/*/*.c -lm || return 2
    [ ! -d "$corpus" ] || cp "$corpus"/* "$work/corpus/"
    dictionary=tb/workload/fuzz/$name.dict
    [ -f "$dictionary" ] || dictionary=/dev/null
    "$work/fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -dict="$dictionary" -artifact_prefix="$work/findings/" "$work/corpus" >"$work/log" 2>&1
    status=$?
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
    new=$(sed -n 's/^stat::new_units_added: *//p' "$work/log")
    for finding in "$work"/findings/*; do
        [ -f "$finding" ] || continue
        grep -E 'ERROR|SUMMARY|runtime error' "$work/log"
        echo "$name: finding: $finding (again: $work/fuzz $finding; all of it: $work/log)"
        return 1
    done
    if [ "$status" -ne 0 ] || [ "${executions:-0}" -eq 0 ]; then
        tail -n 20 "$work/log"
        echo "$name: the fuzzer ended with exit status $status; all of it: $work/log"
        return 1
    fi
    echo "$name: $executions executions in $seconds s, $new new inputs, no finding"
}

[ $# -gt 0 ] || set -- $(ls tb/workload/fuzz/fuzz_rf_*.c | sed 's|.*/fuzz_||; s|\.c$||')
worst=0
for name in "$@"; do
    fuzz "$name"
    ended=$?
    [ "$ended" -le "$worst" ] || worst=$ended
done
exit "$worst"
