#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# proofs.sh [UNIT…]: the model of each unit in tb/proof.sets is proved to be its RTL (docs/proof.md). One line a proof; the last is
# "N passed, N failed". With TURN=N (tb/README.md) one in four of the lines. Records in build/proofs.jsonl.
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
# A line: unit, parameters, options…
prove() {
    unit=$1
    shift
    options=
    for word; do
        case $word in
            *=*) options="$options --param $word" ;;
            *) options="$options $word" ;;
        esac
    done
    # shellcheck disable=SC2086 # words
    if said=$(build/lockstep prove "$unit" $options --record build/proofs.jsonl --output "build/proofs/$unit" 2>&1) && [ "${said%% *}" = proved ]
    then echo "$said" | head -n 1
    else echo "FAIL $unit $*: $(echo "$said" | head -n 4 | tr '\n' ' ')"
    fi
}
if [ "${1-}" = --line ]; then
    shift
    prove "$@"
    exit
fi
rm -f build/proofs.jsonl
mkdir -p build/proofs
wanted=" $* "
# shellcheck disable=SC2016 # the inner shell's
grep -v '^#' tb/proof.sets | awk -v wanted="$wanted" -v turn="${TURN:-}" \
    '(wanted ~ /^ *$/ || index(wanted, " " $1 " ")) && (turn == "" || NR % 4 == turn % 4)' |
    xargs -P "${JOBS:-1}" -I LINE sh -c 'tb/tests/proofs.sh --line $1' - LINE | tee build/proofs/table
# The table of docs/proof.md.
awk 'function of(key, at, text) { # of a record: a text or a number
        at = index($0, "\"" key "\":")
        text = substr($0, at + length(key) + 3)
        if (text ~ /^"/) { text = substr(text, 2); sub(/".*/, "", text) } else sub(/[,}].*/, "", text)
        return text
    }
    { printf "| %s | %s%s%s | %d | %d | %s | %.1f |\n", of("unit"), of("params"), (/"lanes":/ ? " --lanes" : ""), (/"follows_from"/ ? " --cut all" : "") (/"follows_from":\[[^]]*"status"/ ? " --units" : ""), of("output_bits"), of("state_bits"), of("invariants"), of("seconds") }' \
    build/proofs.jsonl | LC_ALL=C sort >build/proofs/table.md
awk '/^proved / { p++ } !/^proved / { f++ } END { printf "%d passed, %d failed\n", p, (p + f > 0 ? f : 1); exit p == 0 || f > 0 }' build/proofs/table
