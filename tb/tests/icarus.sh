#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A unit read by Icarus Verilog: compiled with -Wall, then run beside what the model does (lockstep export --to vectors), ports, registers and
# memories in every cycle. Says nothing when all is equal; else what Icarus says, or the first difference, and status 1.
#   tb/tests/icarus.sh FOLDER UNIT "NAME=VALUE ..." FILE...
set -u
work=$1 unit=$2 set=$3
shift 3
cycles=200
mkdir -p "$work"

. tb/tests/icarus_copies.sh
copies=$(icarus_copies "$work" "$@") || exit
params=''
for p in $set; do params="$params --param $p"; done
# shellcheck disable=SC2086
build/lockstep export "$unit" $params --to vectors --cycles "$cycles" -o "$work" --quiet || exit

# shellcheck disable=SC2086
iverilog -g2012 -Wall -DSYNTHESIS -s "${unit}_tb" -o "$work/vvp" $copies "$work/${unit}_tb.sv" >"$work/said" 2>&1
status=$?
# Of what it could synthesize, and that it looks at all words of an array, it need not tell us.
if grep -vE 'to be synthesized in an always_(ff|comb) process|@\* is sensitive to all [0-9]+ words in array' "$work/said" || [ "$status" -ne 0 ]; then exit 1; fi
timeout "${ICARUS_SECONDS:-60}" vvp -n "$work/vvp" +vectors="$work" >"$work/out" 2>&1
status=$?
[ "$status" -eq 0 ] && [ "$(grep -c "^$unit: $cycles .*equal$" "$work/out") $(wc -l <"$work/out")" = '1 1' ] && exit
cat "$work/out"
[ "$status" -ne 124 ] || echo "it does not end"
exit 1
