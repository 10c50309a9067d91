#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Storage of a unit, counted in its netlist: Yosys elaborates it with its parameters and flattens it; every flip-flop and every bit of a
# memory that reaches an output is counted under the name of its RTL register. Beside it the paper's number, where storage.paper has one.
#
#   storage.sh [--json] [--rtl FILE] UNIT [NAME=VALUE ...]       --rtl FILE: in place of our file of that name
#   storage.sh --all                                               every row of storage.paper: paper, ours, difference
#
# Exit status 2 when it cannot be counted.
set -u
tool=${LOCKSTEP:-build/lockstep}
json=0
all=0
rtl=''
unit=''
params=''
fail() { echo "storage.sh: $*" >&2; exit 2; }

while [ $# -gt 0 ]; do
    case $1 in
    --json) json=1 ;;
    --all) all=1 ;;
    --rtl) [ $# -gt 1 ] || fail "--rtl needs a file"; shift; [ -r "$1" ] || fail "cannot read $1"; rtl=$(realpath "$1") ;;
    -*) fail "no option $1: storage.sh [--json] [--rtl FILE] UNIT [NAME=VALUE ...]" ;;
    *=*) params="$params $1" ;;
    *) [ -z "$unit" ] || fail "one unit at a time: $unit, then $1"; unit=$1 ;;
    esac
    shift
done
CDPATH='' cd "$(dirname "$0")/.." || exit 2
if [ "$all" -eq 1 ]; then
    [ -z "$unit$rtl" ] && [ "$json" -eq 0 ] || fail '--all goes with nothing else'
    work=$(mktemp -d) || exit 2
    trap 'rm -rf "$work"' EXIT
    sed -n 's/^\(rf_[a-z0-9_]*\) *|/\1|/p' synth_scripts/storage.paper >"$work/rows"
    [ -s "$work/rows" ] || fail 'storage.paper has no rows'
    printf '%10s %10s %10s  %s\n' paper ours difference unit
    status=0
    while IFS='|' read -r unit params paper where _ more; do
        # shellcheck disable=SC2086 # blanks go
        paper=$(echo $paper)
        # shellcheck disable=SC2086 # words
        if sh synth_scripts/storage.sh --json $unit $params $more >"$work/one" 2>"$work/error"; then
            difference=$(sed -n 's/.*"difference":\([-0-9]*\).*/\1/p' "$work/one")
            printf '%10d %10d %+10d  %s %s(%s)\n' "$paper" "$((paper + difference))" "$difference" "$unit" "${params# }" "$(echo "$where" | sed 's/^ *//; s/ *$//')"
        else
            status=2
            printf '%10d %10s %10s  %s: %s\n' "$paper" - - "$unit" "$(tail -n 1 "$work/error")"
        fi
    done <"$work/rows"
    exit $status
fi
[ -n "$unit" ] || fail "which unit? storage.sh [--json] [--rtl FILE] UNIT [NAME=VALUE ...]; $tool list names them"
[ -x "$tool" ] || fail "$tool is not there: make all"
command -v yosys >/dev/null 2>&1 || fail "yosys is not installed: make deps-test"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# The parameters: the unit's defaults, replaced by those given.
"$tool" list "$unit" >"$work/list" 2>"$work/error" || fail "$(sed -n '1s/^lockstep: //p' "$work/error")"
chparam=''
for p in $params; do
    name=${p%%=*} value=${p#*=}
    awk -v name="$name" 'NR > 1 && $1 == name { found = 1 } END { exit !found }' "$work/list" || fail "$unit has no parameter $name: $(awk 'NR > 1 { printf "%s%s", (NR > 2 ? ", " : "it has "), $1 }' "$work/list")"
    case "$chparam " in *" -set $name "*) fail "$name is there twice" ;; esac
    case $value in '' | *[!0-9]* | ??????????*) fail "$name=$value: not a number" ;; esac
    chparam="$chparam -set $name $value"
done
set=$(awk -v given="$params" 'BEGIN { n = split(given, g, " "); for (i = 1; i <= n; i++) { split(g[i], p, "="); value[p[1]] = p[2] } }
    NR > 1 { printf "%s%s=%s", (NR > 2 ? " " : ""), $1, ($1 in value ? value[$1] : $2) }' "$work/list")

files=''
replaced=false
for f in $("$tool" list "$unit" --files); do
    if [ -n "$rtl" ] && [ "$(basename "$f")" = "$(basename "$rtl")" ]; then
        cp "$rtl" "$work/$(basename "$f")" || exit 2
        f=$work/$(basename "$f") replaced=true
    fi
    files="$files $f"
done
[ -z "$rtl" ] || $replaced || fail "$(basename "$rtl") is none of $unit's files"

# All registers with their names, bit by bit; then what is left of them when what reaches no output is gone.
cat >"$work/script.ys" <<LINES
read_verilog -defer -sv$files
${chparam:+chparam$chparam $unit}
hierarchy -check -top $unit
proc
flatten
simplemap t:\$*ff* t:\$*latch* t:\$sr
select -module $unit
dump -o $work/all
select -clear
opt_clean
select -module $unit
dump -o $work/used
LINES
yosys -q -w 'Replacing memory' "$work/script.ys" >"$work/log" 2>&1 || fail "$unit $set: $(grep -m 1 ERROR "$work/log" | sed 's/.*ERROR: //')"
awk -v unit="$unit" -v set="$set" -v json="$json" -f synth_scripts/storage.awk synth_scripts/storage.paper "$work/used" "$work/all" || exit 2
