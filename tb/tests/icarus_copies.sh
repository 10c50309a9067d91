# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Read with `. tb/tests/icarus_copies.sh`.

# Icarus 11 reads copies of the RTL, in which three things are said in its words. None changes a value:
# - `parameter int unsigned`, which it cannot parse, is `parameter logic [31:0]`: unsigned and of 32 bits, too.
# - `$error` outside of processes, of a parameter out of range, which it cannot parse, is `initial $error`.
# - `always_comb` is `always @*`: its own may wake itself for ever. They differ until the first change of what is read, and what has
#   not run by then is X.
# Assertions are left out with -DSYNTHESIS: its $onehot0 is wrong of concatenations of more than 32 bits.
# Prints the copies' names.
icarus_copies() { # folder, file…
    folder=$1
    shift
    for file; do
        # shellcheck disable=SC2016
        sed -E 's/\b(parameter|localparam) int unsigned\b/\1 logic [31:0]/; s/^    \$error\(/    initial $error(/; s/\balways_comb\b/always @*/' "$file" \
            >"$folder/$(basename "$file")" || return
        echo "$folder/$(basename "$file")"
    done
}
