#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The netlist of gates of every unit in lockstep with its model, and what is proved of it. Parameters: those of synth_scripts/netlist.sets, else
# of synth_scripts/synth.sets, else the defaults. Arguments: units, none: all.
#   CYCLES   of a run (default 20000); one that shows too little is done again, ten times as long
#   SECONDS_EACH  (default 1200) after which a unit's run is ended, which counts as failed, or its proof, which then is none
#   PROVE    seconds of work for each question of a proof (default 0: no proofs)
#   ALL_SETS not empty: at every set of parameters of the unit's bench instead, as `make lockstep-all` runs the RTL
#   JOBS     units at a time
# One line a run as it ends; records in build/netlists.jsonl and build/netlists.proofs.jsonl. Ends with a table and "N passed, N failed".
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
tool=${LOCKSTEP:-build/lockstep}
work=build/netlists
records=build/netlists.jsonl
proofs=build/netlists.proofs.jsonl
limit=${SECONDS_EACH:-1200}

# The job of one run: what this script calls itself for. NUMBER UNIT [PARAMETER=VALUE…]
if [ "${1:-}" = --one ]; then
    log=$work/$2-$3.log proof=$work/$2-$3.proof unit=$3
    shift 3
    options=''
    for p in "$@"; do options="$options --param $p"; done
    start=$(date +%s)
    cycles=${CYCLES:-20000}
    again=false
    while :; do # what is too short to show anything is run for ten times as long
        # shellcheck disable=SC2086 # words
        timeout "$limit" "$tool" run "$unit" $options --netlist --cycles "$cycles" --record "$records" >"$log" 2>&1
        status=$?
        $again || ! grep -q '^vacuous' "$log" || [ "$status" -ne 1 ] && break
        again=true
        cycles=${cycles}0
    done
    said=$(sed -nE '/^  netlist: /{s///p;q;}' "$log")
    [ "$status" -ne 124 ] || echo "ended after $limit s" >>"$log"
    [ -n "$said" ] || said="exit status $status: $(tail -n 1 "$log")"
    echo "$(grep -v '^lockstep: ' "$log" | sed -n 1p | cut -d ' ' -f 1)  $unit${1:+ }$*  $(($(date +%s) - start)) s  $said"
    proved=0
    if [ "${PROVE:-0}" -gt 0 ]; then
        # shellcheck disable=SC2086
        timeout "$limit" "$tool" prove --netlist "$unit" $options --seconds "$PROVE" --record "$proofs" >"$proof" 2>&1
        proved=$?
        ! grep -q '^undecided' "$proof" || proved=124
        sed -n 1,2p "$proof" | sed 's/^/    /'
    fi
    [ "$status" -eq 0 ] && { [ "$proved" -eq 0 ] || [ "$proved" -eq 124 ]; }
    exit
fi

. tb/tests/lock.sh
take_lock netlists
rm -rf "$work"
mkdir -p "$work"
: >"$records"
: >"$proofs"
"$tool" list >"$work/list" || { echo "$tool list: exit status $?"; exit 2; }
: >"$work/sets"
if [ -n "${ALL_SETS:-}" ]; then
    awk '/^rf_/ { print $1 }' "$work/list" | while read -r unit; do "$tool" list "$unit" --all-sets; done >"$work/sets" || exit 2
else
    awk '/^rf_/ { $1 = $1; if ($0 in line) { print FILENAME ":" FNR ": " $0 " stands in line " line[$0] " already" >"/dev/stderr"; exit 2 } line[$0] = FNR }' \
        synth_scripts/netlist.sets || exit 2
    cat synth_scripts/netlist.sets >"$work/sets"
    # Of a unit that has a line above, none of these.
    awk 'NR == FNR { if ($1 ~ /^rf_/) has[$1] = 1; next } !($1 in has)' "$work/sets" synth_scripts/synth.sets >"$work/others"
    cat "$work/others" >>"$work/sets"
fi
awk -v want="$*" '
    function job(unit, set) { sub(/ +$/, "", set); print ++jobs, unit set }
    NR == FNR { if ($1 ~ /^rf_/) { unit = $1; $1 = ""; order[++n] = unit; sets[n] = $0; has[unit] = 1 } next }
    /^rf_/ { known[$1] = 1; all[++m] = $1 }
    END {
        k = split(want, w, " ")
        for (i = 1; i <= k; i++) if (!(w[i] in known)) { print "no unit " w[i] > "/dev/stderr"; exit 2 } else chosen[w[i]] = 1
        for (i = 1; i <= n; i++) if ((order[i] in known) && (k == 0 || order[i] in chosen)) job(order[i], sets[i])
        for (i = 1; i <= m; i++) if (!(all[i] in has) && (k == 0 || all[i] in chosen)) job(all[i], "")
    }' "$work/sets" "$work/list" >"$work/jobs" || exit 2
total=$(wc -l <"$work/jobs")
echo "$total netlists, ${JOBS:-1} at a time; each is synthesized and built the first time"
xargs -r -P "${JOBS:-1}" -L 1 "$0" --one <"$work/jobs"
status=$?

# A run without a record failed too; of two records of one unit and set the later counts.
awk '
    function text(key,    at, rest) {
        at = index($0, "\"" key "\":")
        if (at == 0) return ""
        rest = substr($0, at + length(key) + 3)
        sub(/^"/, "", rest)
        sub(/["},].*/, "", rest)
        return rest
    }
    # Unit and parameters of a run.
    function whole_set(    rest) {
        rest = substr($0, index($0, "\"params\":{") + 10)
        sub(/}.*/, "", rest)
        return text("unit") " " rest
    }
    FNR == NR && proofs { proof[++proved] = text("unit"); verdict[proved] = text("status"); next }
    {
        id = whole_set()
        if (!(id in status)) { order[++n] = id; unit[id] = text("unit") }
        status[id] = text("status")
        cycles[id] = text("cycles")
        field[id] = text("field")
        whole[id] = text("flop") + text("macro")
        replaced[id] = text("shared") + text("constant") + text("logic")
        lost[id] = text("undefined") + text("gone")
    }
    END {
        form = "%-18s %-9s %9s %10s %10s %10s %s\n"
        printf "\n" form, "", "", "", "bits:", "constant", "not in the", ""
        printf form, "unit", "status", "cycles", "compared", "or equal", "netlist", "differs in"
        for (i = 1; i <= n; i++) {
            u = order[i]
            printf form, unit[u], status[u], cycles[u], whole[u], replaced[u], lost[u], field[u]
            if (status[u] == "pass") passed++; else failed++
        }
        for (i = 1; i <= proved; i++) {
            printf "%s%-18s %s\n", i == 1 ? "\nproofs\n" : "", proof[i], verdict[i]
            if (verdict[i] == "different") failed++
        }
        if (n < expected) { printf "%d of %d netlists left no record\n", expected - n, expected; failed += expected - n }
        if (xargs != 0 && failed == 0) { printf "xargs: exit status %d\n", xargs; failed = 1 }
        printf "%d passed, %d failed\n", passed, failed
        exit failed > 0 || passed == 0
    }' expected="$total" xargs="$status" proofs=1 "$proofs" proofs=0 "$records"
