#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A unit read by Icarus Verilog: compiled with -Wall, then run beside what the model does (tb/tests/testbench.c), ports, registers and memories in
# every cycle. Says nothing when all is equal; else what Icarus says, or the first difference, and status 1.
#   tb/tests/icarus.sh FOLDER UNIT "NAME=VALUE ..." FILE...
set -u
work=$1 unit=$2 set=$3
shift 3
cycles=200
mkdir -p "$work"

# Icarus 11 reads a copy of the RTL, in which three things are said in its words. None changes a value:
# - `parameter int unsigned`, which it cannot parse, is `parameter logic [31:0]`: unsigned and of 32 bits, too.
# - `$error` outside of processes, of a parameter out of range, which it cannot parse, is `initial $error`.
# - `always_comb` is `always @*`: its own may wake itself for ever. They differ until the first change of what is read, and what has
#   not run by then is X.
# Assertions are left out: its $onehot0 is wrong of concatenations of more than 32 bits.
copies=''
for file; do
    copy=$work/$(basename "$file")
    # shellcheck disable=SC2016
    sed -E 's/\b(parameter|localparam) int unsigned\b/\1 logic [31:0]/; s/^    \$error\(/    initial $error(/; s/\balways_comb\b/always @*/' "$file" \
        >"$copy" || exit
    copies="$copies $copy"
done
build/testbench "$unit" "$cycles" "$set" "$@" >"$work/testbench.sv" || exit

# shellcheck disable=SC2086
iverilog -g2012 -Wall -DSYNTHESIS -s testbench -o "$work/vvp" $copies "$work/testbench.sv" >"$work/said" 2>&1
status=$?
# Of what it could synthesize, and that it looks at all words of an array, it need not tell us.
if grep -vE 'to be synthesized in an always_(ff|comb) process|@\* is sensitive to all [0-9]+ words in array' "$work/said" || [ "$status" -ne 0 ]; then exit 1; fi
timeout "${ICARUS_SECONDS:-60}" vvp -n "$work/vvp" >"$work/out" 2>&1
status=$?
[ "$status" -eq 0 ] && [ "$(cat "$work/out")" = "$cycles cycles are equal" ] && exit
cat "$work/out"
[ "$status" -ne 124 ] || echo "it does not end"
exit 1
