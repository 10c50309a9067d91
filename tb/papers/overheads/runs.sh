# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034 # read by paper.sh
# What is synthesised, and whose storage is counted, for the page of what the papers' mechanisms cost.
model=''
constants=''

figures() {
    # Bank stealing: eight banks, three writers, two issue groups.
    synth arbiter rf_arbiter BANKS=8 COLLECTORS=8 SLOTS=3 WRITERS=3
    synth steal rf_arbiter_steal BANKS=8 COLLECTORS=8 SLOTS=3 ISSUES=2 WRITERS=3
    synth host rf_sched_lrr WARPS=32
    synth candidate rf_steal_scheduler WARPS=32
    synth reads rf_steal_reads ISSUES=2 SLOTS=3 REGS=64 BANKS=8
    synth rfree rf_rfree_table BANKS=8 WARPS=32 PER_WARP=4
    storage rfree rf_rfree_table BANKS=8 WARPS=32 PER_WARP=4

    # Malekeh: the caching collector against the same unit as a collector only; data paths of one lane, since data is not what changes.
    synth ccu rf_ccu ENTRIES=8 SLOTS=3 REGS=256 LANES=1
    synth collector rf_ccu ENTRIES=8 SLOTS=3 REGS=256 LANES=1 CACHE=0
    storage ccu rf_ccu ENTRIES=8 SLOTS=8 REGS=256 LANES=1 CACHE=1
    synth sthld rf_sthld

    # Warp instruction reuse at the paper's sizes, but two tables whose synthesis does not end within 8 minutes (figures.sql).
    synth h3 rf_h3 LANES=32
    synth rename rf_rename WARPS=2 REGS=63 PREGS=1024
    synth reuse rf_reuse_buffer ENTRIES=256 PREGS=1024
    synth vsb rf_vsb ENTRIES=256 PREGS=1024
    synth pool rf_free_list PREGS=1024
    synth refcount rf_refcount PREGS=64 INCS=6 DECS=6
    synth vcache rf_verify_cache ENTRIES=8 PREGS=1024 LANES=32
    storage rename rf_rename WARPS=24 REGS=63 PREGS=1024
    storage reuse rf_reuse_buffer ENTRIES=256 SLOTS=3 PREGS=1024 BLOCKS=8 ISSUES=1
    storage vsb rf_vsb ENTRIES=256 PREGS=1024 ISSUES=1
    storage vcache rf_verify_cache ENTRIES=8 PREGS=1024 LANES=32 ISSUES=1
    storage refcount rf_refcount PREGS=1024 COUNTW=10 INCS=1 DECS=1

    # Register file hierarchy: one lane, at the sizes of Table IV; the paper's choice of 3 entries for 8 warps, by software and by hardware,
    # and the units of one warp.
    for active in 4 6 8; do
        for entries in 4 6 8; do synth "orf${entries}x$active" rf_levels MANAGED=1 LANES=1 ACTIVE=$active ENTRIES=$entries; done
    done
    synth orf3x8 rf_levels MANAGED=1 LANES=1 ACTIVE=8 ENTRIES=3
    synth rfc3x8 rf_levels MANAGED=0 LANES=1 ACTIVE=8 ENTRIES=3
    synth rfc rf_rfc LANES=4 L0=0 ENTRIES=3
    synth orf rf_orf LANES=4 L0=2 ENTRIES=3
    synth two rf_sched_two_level WARPS=32 ACTIVE=8
    synth single rf_sched_gto WARPS=32
    storage levels rf_levels LANES=1 ACTIVE=8 ENTRIES=3

    # Cache-emulated register file: a bank of the tag array, at the paper's size, and of the L1D of 16 KB that it replaces; re-indexing; the
    # state machine of an entry.
    synth tags rf_tag_bank SETS=64 WAYS=4 TAG_W=17
    synth reindex rf_reindex
    synth state rf_line_state
    storage tags rf_tag_bank SETS=64 WAYS=4 TAG_W=17
    storage l1d rf_tag_bank SETS=8 WAYS=4 TAG_W=20
}
