#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The engine's layers, from the table of harness/README.md: a wing includes and calls no wing below it in the table, and no files call each other
# in a circle. Prints what is wrong. layers.sh OBJECTS, a folder with the engine's objects.
set -u
objects=$1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
sed -n 's/^| `\([a-z]*\)` |.*/\1/p' harness/README.md >"$work/wings"
[ -s "$work/wings" ] || echo "harness/README.md: no table of wings"
for folder in harness/*/; do
    name=$(basename "$folder")
    grep -qx "$name" "$work/wings" || echo "$folder: not in the table of harness/README.md"
done
grep -rn --include='*.[ch]' --include='*.cpp' '^#include "\(harness\|waves\)/' harness waves >"$work/includes"
[ -s "$work/includes" ] || echo "no includes were found"
awk -F '[:"]' '
    function wing(path, part) { split(path, part, "/"); return part[1] == "waves" ? "wave" : part[2] }
    FILENAME ~ /wings$/ { layer[$1] = FNR; next }
    layer[wing($4)] > layer[wing($1)] { print $1 ":" $2 ": includes " $4 ", which is below it" }' "$work/wings" "$work/includes"

# Calls, from what each object defines and what it needs.
find "$objects/harness" "$objects/waves" -name '*.o' | sed "s|^$objects/||" >"$work/objects"
(cd "$objects" && xargs nm -A) <"$work/objects" | awk -F '[: ]+' '
    { n = split($1, part, "/"); file = part[n]; sub(/\.o$/, "", file); wing = part[1] == "waves" ? "wave" : part[2] } # waves/…, harness/WING/…
    $3 ~ /^[TDRBC]$/ { print "def", $4, file, wing }
    $2 == "U" { print "use", $3, file, wing }' >"$work/symbols"
awk '
    FILENAME ~ /wings$/ { layer[$1] = FNR; next }
    $1 == "def" { where[$2] = $3; in_wing[$2] = $4; next }
    $1 == "use" { uses[++n] = $0 }
    END {
        for (i = 1; i <= n; i++) {
            split(uses[i], u, " ")
            if (!(u[2] in where) || where[u[2]] == u[3]) continue
            if (layer[in_wing[u[2]]] > layer[u[4]]) print u[4] "/" u[3] " calls " u[2] " of " in_wing[u[2]] ", which is below it" > "/dev/stderr"
            print u[3], where[u[2]]
        }
    }' "$work/wings" "$work/symbols" 2>&1 >"$work/calls"
[ -s "$work/calls" ] || echo "no calls were found in $objects"
tsort "$work/calls" 2>&1 >/dev/null | sed -n 's/^tsort: \([a-z_]*\)$/\1: calls in a circle/p' | sort -u
