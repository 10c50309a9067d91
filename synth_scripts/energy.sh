#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Energy per unit and workload, both ways, as a page: writes docs/energy-table.md and docs/energy-table.tsv (all of its figures, one a line) anew.
# energy.sh [PAGE [SETS]]   PAGE.md in place of docs/energy-table.md; SETS in place of synth_scripts/energy.sets, which says what is asked
#   CYCLES   of random stimulus (default 100000)
#   JOBS     questions at a time
# Netlists are in the cache after the first time. Ends with "N passed, N failed"; the page stays as it is when something failed.
set -u
CDPATH='' cd "$(dirname "$0")/.." || exit 2
tool=${LOCKSTEP:-build/lockstep}
fail() { echo "energy.sh: $*" >&2; exit 2; }

# The job of one question: what this script calls itself for. FILE COMMAND UNIT INPUTS [PARAMETER=VALUE…]; INPUTS: stimulus, idle, or a stream.
if [ "${1:-}" = --one ]; then
    shift
    to=$1 command=$2 unit=$3 inputs=$4
    shift 4
    options=''
    for p; do options="$options --param $p"; done
    case $inputs in
        stimulus) options="$options --cycles ${CYCLES:-100000}" ;;
        idle) options="$options --idle --cycles 2000" ;;
        *) options="$options --workload $inputs" ;;
    esac
    # shellcheck disable=SC2086 # words
    if "$tool" "$command" "$unit" $options --json >"$to.new" 2>"$to.error" && [ -s "$to.new" ]; then
        mv "$to.new" "$to"
        echo "ok   $command $unit${*:+ $*}: $(basename "$inputs" .rfs)"
    else
        echo "FAIL $command $unit${*:+ $*}: $(basename "$inputs" .rfs): $(head -n 1 "$to.error")"
        exit 1
    fi
    exit 0
fi

[ $# -le 2 ] || fail 'energy.sh [PAGE [SETS]]'
page=${1:-docs/energy-table.md}
sets=${2:-synth_scripts/energy.sets}
case $page in *.md) ;; *) fail "$page: a page ends in .md" ;; esac
[ -r "$sets" ] || fail "$sets cannot be read"
[ -x "$tool" ] || fail "$tool is not there: make all"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

"$tool" list >"$work/units" || fail "$tool list failed"
"$tool" workload list >"$work/kernels" || fail "$tool workload list failed"
awk -v sets="$sets" -v folder="$work" '
    function bad(why) { printf "energy.sh: %s:%d: %s\n", sets, FNR, why > "/dev/stderr"; broken = 1; exit 2 }
    FILENAME == ARGV[1] { known[$1] = 1; next }
    FILENAME == ARGV[2] { program[$1] = 1; next }
    FILENAME == ARGV[3] { if ($1 ~ /^rf_/) { it = $1; $1 = ""; sub(/^ /, ""); small[it] = $0 } next }
    /^#/ || NF == 0 { next }
    { row = $0; $1 = $1; if ($0 in stands) bad("line " stands[$0] " again"); stands[$0] = FNR; $0 = row }
    $1 != "unit" && $1 != "netlist" && $1 != "model" && $1 != "kernel" { bad("\"" $1 "\": expected unit, netlist, model or kernel") }
    $1 == "kernel" {
        if (!($2 in program)) bad("no kernel " $2 ": lockstep workload list names them")
        if ($3 !~ /^[0-9]+$/) bad("registers \"" $3 "\": expected a number")
        if (($4 != "netlist" && $4 != "model") || NF != 4) bad("expected netlist or model behind the registers, and no more")
        kernels[$4] = kernels[$4] " " $2 ":" $3
        next
    }
    !($2 in known) { bad("no unit " $2 ": lockstep list names them") }
    { for (i = 3; i <= NF; i++) if ($i !~ /^[A-Z][A-Z0-9]*=[0-9]+$/) bad("\"" $i "\": expected PARAMETER=NUMBER")
      words = $0; sub(/^[^ ]+ +[^ ]+ */, "", words)
      if ($1 == "unit" && words == "") words = small[$2]
      kind[++n] = $1; name[n] = $2; params[n] = words }
    END {
        if (broken) exit 2
        if (n == 0) { printf "energy.sh: %s: nothing is asked\n", sets > "/dev/stderr"; exit 2 }
        for (i = 1; i <= n; i++) {
            if (kind[i] == "unit") {
                ask("energy", "stimulus", i)
                ask("energy", "idle", i)
                continue
            }
            m = split(kernels[kind[i]], list, " ")
            if (m == 0) { printf "energy.sh: %s: no kernel for %s %s\n", sets, kind[i], name[i] > "/dev/stderr"; exit 2 }
            for (k = 1; k <= m; k++) {
                split(list[k], part, ":")
                stream = folder "/" part[1] "-" part[2] ".rfs"
                if (!(stream in built)) print part[1], part[2], stream > (folder "/streams")
                built[stream] = 1
                if (kind[i] == "netlist") ask("energy", stream, i)
                ask("model", stream, i)
            }
        }
    }
    function ask(command, inputs, i,    file) {
        file = folder "/" ++asked ".json"
        print file, command, name[i], inputs (params[i] != "" ? " " params[i] : "") > (folder "/jobs") # xargs joins a line that ends in a blank
        printf "%s\t%s\t%s\t%s\t%s\t%s\n", file, kind[i], command, name[i], params[i], inputs > (folder "/questions")
    }' "$work/units" "$work/kernels" synth_scripts/synth.sets "$sets" || exit 2

touch "$work/streams"
while read -r kernel registers stream; do
    "$tool" workload build "$kernel" --registers "$registers" -o "$stream" >"$stream.log" 2>&1 || fail "kernel $kernel: $(tail -n 1 "$stream.log")"
done <"$work/streams"

total=$(wc -l <"$work/jobs")
echo "$total questions, ${JOBS:-1} at a time; a netlist is made the first time"
xargs -r -P "${JOBS:-1}" -L 1 "$0" --one <"$work/jobs" | tee "$work/said"
passed=$(grep -c '^ok ' "$work/said")
if [ "$passed" -eq "$total" ]; then
    # A question with its answer, which is one line.
    while IFS= read -r question; do
        file=${question%%"	"*}
        printf '%s\t' "${question#*"	"}"
        cat "$file"
    done <"$work/questions" >"$work/answers"
    data=${page%.md}.tsv
    awk -v data="$work/data" -v cycles="${CYCLES:-100000}" -v sets="$sets" -f synth_scripts/energy.awk "$work/answers" >"$work/page" || fail 'the page could not be made'
    { mv "$work/page" "$page" && mv "$work/data" "$data"; } || exit 2
    echo "written: $page, $data"
fi
echo "$passed passed, $((total - passed)) failed"
[ "$passed" -eq "$total" ]
