#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The papers' claims on area, storage and delay beside what our RTL takes in this flow: writes docs/papers/overheads.md, every figure and every
# verdict computed. What it asks is in the cache after the first time, which takes some minutes. claims.sh [FILE]
# "N passed, N failed" at the end: figures that could be had.
set -u
CDPATH='' cd "$(dirname "$0")/.." || exit 2
tool=${LOCKSTEP:-build/lockstep}
page=${1:-docs/papers/overheads.md}
fail() { echo "claims.sh: $*" >&2; exit 2; }
[ $# -le 1 ] || fail 'claims.sh [FILE]'
[ -x "$tool" ] || fail "$tool is not there: make all"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# A value of a JSON object of one line, by its key, the first there is.
value() { sed -n "s/.*\"$2\":\([-0-9.e+]*\).*/\1/p" "$1"; } # file, key

# One line of figures: synth NAME UNIT [PARAM=VALUE…]; "NAME.kge 1.23" and so on. Of a unit outside its gates, too, which is exit status 1.
synth() {
    name=$1 unit=$2
    shift 2
    printf '  %-24s %s\n' "$name" "$unit $*" >&2
    words=''
    for p; do words="$words --param $p"; done
    # shellcheck disable=SC2086 # parameters have no blanks
    "$tool" synth "$unit" $words --json >"$work/json" 2>"$work/error"
    if [ $? -le 1 ] && sed 's/"paths".*//' "$work/json" >"$work/head" && [ -n "$(value "$work/head" fo4)" ]; then
        passed=$((passed + 1))
        for key in kge um2 flops fo4 levels; do echo "$name.$key $(value "$work/head" $key)"; done >>"$work/figures"
        across=$(sed -n 's/.*"in_out":{"ns":[0-9.]*,"fo4":\([0-9.]*\).*/\1/p' "$work/json") # from input to output
        [ -z "$across" ] || echo "$name.across $across" >>"$work/figures"
        echo "$name.what $unit${*:+ $*}" >>"$work/figures"
        version=$(sed -n 's/.*"tools":"\([^"]*\)".*/\1/p' "$work/json")
    else
        failed=$((failed + 1))
        echo "FAIL $name: $unit $*: $(tail -n 1 "$work/error")"
    fi
}

# Storage bits, all and of each register: bits NAME UNIT [PARAM=VALUE…]; "NAME.bits 12", "NAME.valid_q 3" and so on.
bits() {
    name=$1 unit=$2
    shift 2
    printf '  %-24s %s\n' "$name" "storage of $unit $*" >&2
    if synth_scripts/storage.sh --json "$unit" "$@" >"$work/json" 2>"$work/error"; then
        passed=$((passed + 1))
        echo "$name.bits $(value "$work/json" total)" >>"$work/figures"
        tr '{' '\n' <"$work/json" | sed -n "s/^\"name\":\"\([^\"]*\.\)\{0,1\}\([a-z0-9_]*\)[^\"]*\",.*\"bits\":\([0-9]*\).*/$name.\2 \3/p" >>"$work/figures"
        paper=$(value "$work/json" paper)
        [ -z "$paper" ] || echo "$name.paper $paper" >>"$work/figures"
        difference=$(value "$work/json" difference)
        [ -z "$difference" ] || echo "$name.difference $difference" >>"$work/figures"
    else
        failed=$((failed + 1))
        echo "FAIL $name: storage of $unit $*: $(tail -n 1 "$work/error")"
    fi
}

: >"$work/figures"
version=''

# Bank stealing: eight banks, three writers, two issue groups.
synth arbiter rf_arbiter BANKS=8 COLLECTORS=8 SLOTS=3 WRITERS=3
synth steal rf_arbiter_steal BANKS=8 COLLECTORS=8 SLOTS=3 ISSUES=2 WRITERS=3
synth host rf_sched_lrr WARPS=32
synth candidate rf_steal_scheduler WARPS=32
synth reads rf_steal_reads ISSUES=2 SLOTS=3 REGS=64 BANKS=8
synth rfree rf_rfree_table BANKS=8 WARPS=32 PER_WARP=4
bits rfree rf_rfree_table BANKS=8 WARPS=32 PER_WARP=4

# Malekeh: the caching collector against the same unit as a collector only; data paths of one lane, since data is not what changes.
synth ccu rf_ccu ENTRIES=8 SLOTS=3 REGS=256 LANES=1
synth collector rf_ccu ENTRIES=8 SLOTS=3 REGS=256 LANES=1 CACHE=0
bits ccu rf_ccu ENTRIES=8 SLOTS=8 REGS=256 LANES=1 CACHE=1
synth sthld rf_sthld

# Warp instruction reuse: logic at reduced tables, storage at the paper's.
synth h3 rf_h3 LANES=32
synth rename rf_rename WARPS=2 REGS=63 PREGS=1024
synth reuse rf_reuse_buffer ENTRIES=16 PREGS=256
synth vsb rf_vsb ENTRIES=32 PREGS=1024
synth pool rf_free_list PREGS=128
synth refcount rf_refcount PREGS=64 INCS=6 DECS=6
synth vcache rf_verify_cache ENTRIES=8 LANES=4
bits rename rf_rename WARPS=24 REGS=63 PREGS=1024
bits reuse rf_reuse_buffer ENTRIES=256 SLOTS=3 PREGS=1024 BLOCKS=8 ISSUES=1
bits vsb rf_vsb ENTRIES=256 PREGS=1024 ISSUES=1
bits vcache rf_verify_cache ENTRIES=8 PREGS=1024 LANES=32 ISSUES=1
bits refcount rf_refcount PREGS=1024 COUNTW=10 INCS=1 DECS=1

# Register file hierarchy: one lane, at the sizes of Table IV; the paper's choice of 3 entries for 8 warps, by software and by hardware, and the
# units of one warp.
for active in 4 6 8; do
    for entries in 4 6 8; do synth "orf${entries}x$active" rf_levels MANAGED=1 LANES=1 ACTIVE=$active ENTRIES=$entries; done
done
synth orf3x8 rf_levels MANAGED=1 LANES=1 ACTIVE=8 ENTRIES=3
synth rfc3x8 rf_levels MANAGED=0 LANES=1 ACTIVE=8 ENTRIES=3
synth rfc rf_rfc LANES=4 L0=0 ENTRIES=3
synth orf rf_orf LANES=4 L0=2 ENTRIES=3
synth two rf_sched_two_level WARPS=32 ACTIVE=8
synth single rf_sched_gto WARPS=32
bits levels rf_levels LANES=1 ACTIVE=8 ENTRIES=3

# Cache-emulated register file: a bank of the tag array, at the paper's size, and of the L1D of 16 KB that it replaces; re-indexing; the state machine of an entry.
synth tags rf_tag_bank SETS=64 WAYS=4 TAG_W=17
synth reindex rf_reindex
synth state rf_line_state
bits tags rf_tag_bank SETS=64 WAYS=4 TAG_W=17
bits l1d rf_tag_bank SETS=8 WAYS=4 TAG_W=20

if [ "$failed" -eq 0 ]; then
    awk -v version="$version" -f synth_scripts/claims.awk synth_scripts/sram.table "$work/figures" >"$work/page" || fail 'the page could not be made'
    mv "$work/page" "$page" || exit 2
    echo "written: $page"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
