#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Who may know whom, in C. The engine's wings: one includes and calls none below it in the table of harness/README.md, and each has a README of at
# most 20 lines. The engine, models and benches: no folders (harness/WING, cmodel/GROUP, tb/GROUP) include each other in a circle, no files call
# each other in one. Prints what is wrong. layers.sh OBJECTS, a folder with their objects.
set -u
objects=$1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trees='harness waves cmodel tb'
sed -n 's/^| `\([a-z]*\)` |.*/\1/p' harness/README.md >"$work/wings"
[ -s "$work/wings" ] || echo "harness/README.md: no table of wings"
for folder in harness/*/; do
    name=$(basename "$folder")
    grep -qx "$name" "$work/wings" || echo "$folder: not in the table of harness/README.md"
    lines=$(cat "${folder}README.md" 2>/dev/null | wc -l)
    [ "$lines" -ge 1 ] && [ "$lines" -le 20 ] || echo "${folder}README.md: $lines lines, not 1 .. 20"
done

# Both lists: the file, its line or 0, what it needs, and the file that has that. waves/ is a wing of its own.
for tree in $trees; do
    [ ! -d "$tree" ] || grep -rnE --include='*.[ch]' --include='*.cpp' "^#include \"(harness|waves|cmodel|tb)/" "$tree"
done | awk -F '[:"]' '{ print $1, $2, "includes", $4, $4 }' >"$work/includes"
[ -s "$work/includes" ] || echo "no includes were found"

# Calls, from what each object defines and what it needs.
for tree in $trees; do
    [ ! -d "$objects/$tree" ] || (cd "$objects" && find "$tree" -name '*.o')
done >"$work/objects"
(cd "$objects" && xargs nm -A -g) <"$work/objects" | awk -F '[: ]+' '
    { file = $1; sub(/\.o$/, "", file) }
    $3 ~ /^[TDRBC]$/ { where[$4] = file }
    $2 == "U" { symbol[++n] = $3; user[n] = file }
    END { for (i = 1; i <= n; i++) if (symbol[i] in where) print user[i], 0, "calls", symbol[i], where[symbol[i]] }' >"$work/calls"
[ -s "$work/calls" ] || echo "no calls were found in $objects"

awk '
    function folder(path, part) { split(path, part, "/"); return part[1] == "waves" ? "waves" : part[1] "/" part[2] }
    function layer(path, part) { split(path, part, "/"); return rank[part[1] == "waves" ? "waves" : part[1] == "harness" ? part[2] : ""] }
    FILENAME ~ /wings$/ { rank[$1] = FNR; next }
    layer($1) && layer($5) > layer($1) {
        print $1 ($2 ? ":" $2 : "") ": " $3 " " $4 ($3 == "calls" ? " of " $5 : "") ", which is below it"
    }
    $3 == "includes" && folder($1) != folder($5) { print folder($1), folder($5) >folders }
    $3 == "calls" && $1 != $5 { print $1, $5 >files }' folders="$work/folders" files="$work/files" "$work/wings" "$work/includes" "$work/calls"
circle() { # edges, what they do
    tsort "$1" 2>&1 >/dev/null | sed -n "s|^tsort: \\([a-z][A-Za-z0-9_/]*\\)\$|\\1: $2 in a circle|p" | sort -u
}
circle "$work/folders" 'files of such folders include each other'
circle "$work/files" calls
