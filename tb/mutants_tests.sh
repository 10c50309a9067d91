#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `lockstep mutants` from outside: exit codes, records, messages, the caches. One line a check; the last is "N passed, N failed".
# What kills a mutant, and what a proof is worth, is tested in tb/harness/test_mutants.c.
set -u
cd "$(dirname "$0")/.." || exit 2
. tb/checks.sh
work=${WORK:-build/mutants-test}
rm -rf "$work"
mkdir -p "$work"
here=$work

check() { name=$1 code=$2 words=$3 && shift 3 && demand "$name" "$code" "$words" "$tool" "$@"; } # name, exit code, words, arguments…

needs_tool
make_record_of "$work"
field() { "$work/record_of" "$1" <"$work/record"; }

check 'an unknown side' 2 '--side seven|expected rtl, model or comparer' mutants rf_rr --side seven
check 'a side that needs a unit' 2 'mutants --side model needs a unit' mutants --side model
check 'an option of other commands' 2 'takes no --cycles' mutants rf_rr --cycles 5
check 'no such unit' 2 'no unit rf_nothing' mutants rf_nothing

check 'the RTL side of a unit' 0 'rtl |rf_rr|pass' mutants rf_rr --side rtl --sample 20 --record "$work/record"
expect 'its record: status' "$(field status)" test "$(field status)" = pass
expect 'its record: cycles were run' "$(field cycles)" test "$(field cycles)" -ge 400000
sums=$(sed -E 's/.*"mutants":\[(.*)\],"message".*/\1/; s/\},\{"side"/}\n{"side"/g' "$work/record" |
    sed -nE 's/.*"made":([0-9]+),"killed":([0-9]+),"equivalent":([0-9]+),"survived":([0-9]+),"undecided":([0-9]+).*/\1 \2 \3 \4 \5/p' |
    awk '{ sets++; made += $1; if ($1 != $2 + $3 + $4 + $5) bad = 1; killed += $2 } END { print sets, made, (killed > 10 && !bad) }')
expect "its record: two parameter sets, 20 mutants, each with one fate ($sums)" "$sums" test "$sums" = '2 20 1'
kinds=$(sed 's/"kills"/\n&/g' "$work/record" | sed -nE 's/^"kills":\{([^}]*)\}.*/\1/p' | tr ',' '\n' | awk -F: '{ n += $2 } END { print n }')
killed=$(sed 's/"killed"/\n&/g' "$work/record" | sed -nE 's/^"killed":([0-9]+),.*/\1/p' | awk '{ n += $1 } END { print n }')
expect 'its record: every kill is of a kind' "$kinds of $killed" test "$kinds" = "$killed"
expect 'its record: mutants in loops are counted' "$(cat "$work/record")" grep -q '"undecided":[0-9]*,"looped":0,"kills":{"mismatch":' "$work/record"
start=$(date +%s)
check 'once more, from the caches' 0 'pass' mutants rf_rr --side rtl --sample 20
cp "$work/text" "$work/again"
"$tool" mutants rf_rr --side rtl --sample 20 --json >"$work/record"
expect 'and once more: as JSON' "$(field status)" test "$(field status)" = pass
echo "     two runs from the caches: $(($(date +%s) - start)) s"
check 'the model side' 0 'model |rf_rr|pass' mutants rf_rr --side model --sample 12
check 'a record that cannot be written' 2 '/nowhere/record' mutants rf_rr --side model --sample 2 --record /nowhere/record

# Without its tools it says which are missing.
mkdir -p "$work/bin"
for t in sh gcc g++ as ld verilator perl verilator_bin ar make cat rm; do [ -z "$(command -v $t)" ] || ln -sf "$(command -v $t)" "$work/bin/$t"; done
PATH=$work/bin
export PATH
"$tool" mutants rf_rr --side rtl --sample 20 >"$work/text" 2>&1
got=$?
PATH=/usr/local/bin:/usr/bin:/bin
expect 'without Yosys' "exit $got, $(tail -n 1 "$work/text")" sh -c "[ $got -eq 2 ] && grep -q 'Yosys' '$work/text'"

tally
