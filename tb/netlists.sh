#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The netlist of gates of every unit in lockstep with its model, at the parameters of synth_scripts/synth.sets (a unit that has no
# line there: its defaults), and what is proved of it. Arguments: units, none: all.
#   CYCLES   of a run (default 20000); one that shows too little is done again, ten times as long
#   SECONDS_EACH  (default 1200) after which a unit's run is ended, which counts as failed, or its proof, which then is none
#   PROVE    seconds of work for each question of a proof (default 0: no proofs)
#   JOBS     units at a time
# One line a unit as it ends; records in build/netlists.jsonl and build/netlists.proofs.jsonl. Ends with a table and "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 2
tool=${LOCKSTEP:-build/lockstep}
work=build/netlists
records=build/netlists.jsonl
proofs=build/netlists.proofs.jsonl
limit=${SECONDS_EACH:-1200}

# The job of one unit: what this script calls itself for.
if [ "${1:-}" = --one ]; then
    shift
    unit=$1
    shift
    options=''
    for p in "$@"; do options="$options --param $p"; done
    start=$(date +%s)
    cycles=${CYCLES:-20000}
    again=false
    while :; do # what is too short to show anything is run for ten times as long
        # shellcheck disable=SC2086 # words
        timeout "$limit" "$tool" run "$unit" $options --netlist --cycles "$cycles" --record "$records" >"$work/$unit.log" 2>&1
        status=$?
        $again || ! grep -q '^vacuous' "$work/$unit.log" || [ "$status" -ne 1 ] && break
        again=true
        cycles=${cycles}0
    done
    said=$(sed -nE '/^  netlist: /{s///p;q;}' "$work/$unit.log")
    [ "$status" -ne 124 ] || echo "ended after $limit s" >>"$work/$unit.log"
    [ -n "$said" ] || said="exit status $status: $(tail -n 1 "$work/$unit.log")"
    echo "$(sed -n 1p "$work/$unit.log" | cut -d ' ' -f 1)  $unit${1:+ }$*  $(($(date +%s) - start)) s  $said"
    proved=0
    if [ "${PROVE:-0}" -gt 0 ]; then
        # shellcheck disable=SC2086
        timeout "$limit" "$tool" prove "$unit" $options --seconds "$PROVE" --record "$proofs" >"$work/$unit.proof" 2>&1
        proved=$?
        sed -n 1,2p "$work/$unit.proof" | sed 's/^/    /'
    fi
    [ "$status" -eq 0 ] && { [ "$proved" -eq 0 ] || [ "$proved" -eq 124 ]; }
    exit
fi

rm -rf "$work"
mkdir -p "$work"
: >"$records"
: >"$proofs"
"$tool" list >"$work/list" || { echo "$tool list: exit status $?"; exit 2; }
awk -v want="$*" 'NR == FNR { if ($1 ~ /^rf_/) { set = $0; sub(/^[^ ]+ */, "", set); sets[$1] = set; order[++n] = $1 } next }
    /^rf_/ { known[$1] = 1; all[++m] = $1 }
    END {
        k = split(want, w, " ")
        for (i = 1; i <= k; i++) if (!(w[i] in known)) { print "no unit " w[i] > "/dev/stderr"; exit 2 } else chosen[w[i]] = 1
        for (i = 1; i <= n; i++) if ((order[i] in known) && (k == 0 || order[i] in chosen)) print order[i], sets[order[i]]
        for (i = 1; i <= m; i++) if (!(all[i] in sets) && (k == 0 || all[i] in chosen)) print all[i]
    }' synth_scripts/synth.sets "$work/list" >"$work/jobs" || exit 2
total=$(wc -l <"$work/jobs")
echo "$total netlists, ${JOBS:-1} at a time; each is synthesized and built the first time"
xargs -r -P "${JOBS:-1}" -L 1 "$0" --one <"$work/jobs"
status=$?

# A unit without a record failed too; of two records of one the later counts.
awk '
    function text(key,    at, rest) {
        at = index($0, "\"" key "\":")
        if (at == 0) return ""
        rest = substr($0, at + length(key) + 3)
        sub(/^"/, "", rest)
        sub(/["},].*/, "", rest)
        return rest
    }
    FNR == NR && proofs { verdict[text("unit")] = text("status"); next }
    {
        unit = text("unit")
        if (!(unit in status)) order[++n] = unit
        status[unit] = text("status")
        cycles[unit] = text("cycles")
        field[unit] = text("field")
        whole[unit] = text("flop") + text("macro")
        replaced[unit] = text("shared") + text("constant") + text("logic")
        lost[unit] = text("undefined") + text("gone")
    }
    END {
        form = "%-18s %-9s %9s %10s %10s %10s %-10s %s\n"
        printf "\n" form, "", "", "", "bits:", "constant", "not in the", "", ""
        printf form, "unit", "status", "cycles", "compared", "or equal", "netlist", "proof", "differs in"
        for (i = 1; i <= n; i++) {
            u = order[i]
            printf form, u, status[u], cycles[u], whole[u], replaced[u], lost[u], verdict[u], field[u]
            if (status[u] == "pass" && verdict[u] != "different") passed++; else failed++
        }
        if (n < expected) { printf "%d of %d netlists left no record\n", expected - n, expected; failed += expected - n }
        if (xargs != 0 && failed == 0) { printf "xargs: exit status %d\n", xargs; failed = 1 }
        printf "%d passed, %d failed\n", passed, failed
        exit failed > 0 || passed == 0
    }' expected="$total" xargs="$status" proofs=1 "$proofs" proofs=0 "$records"
