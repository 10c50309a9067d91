/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model of rf_load_guard, for its judge and for that of rf_wir_reuse, which has one: two flags a warp, a count a block
 * and what the sweep is doing; it asks the questions of the header one after the other ([WIR VI-A]: "a warp must not reuse any
 * prior loads as soon as a warp executes a store until reaching the next barrier", "a warp must not reuse any loads that executed
 * before the latest barrier"). */
#ifndef RF_JUDGE_LOAD_GUARD_H
#define RF_JUDGE_LOAD_GUARD_H

#include "cmodel/wir/rf_load_guard.h"
#include "tb/common/judge/judge.h"

#define FULL RF_BARRIERS_END

typedef struct slow_guard {
    rf_load_guard_cfg cfg;
    bool shared[RF_WARPS_MAX], global[RF_WARPS_MAX];
    uint32_t count[RF_BLOCKS_MAX], gcount;
    bool flush, sweep[RF_BLOCKS_MAX]; /* under way */
    bool active, all;
    uint32_t target, index;
} slow_guard;

typedef struct slow_guard_out {
    bool allow[RF_ISSUES_MAX];
    uint32_t tag_block[RF_ISSUES_MAX], tag_barrier[RF_ISSUES_MAX];
    bool valid, all;
    uint32_t index, block;
} slow_guard_out;

static inline void slow_guard_reset(slow_guard *s) {
    const rf_load_guard_cfg cfg = s->cfg;
    memset(s, 0, sizeof *s);
    s->cfg = cfg;
}

static inline void slow_guard_comb(const slow_guard *s, const rf_load_guard_in *in, slow_guard_out *out) {
    const uint32_t none = judge_codes(s->cfg.blocks);
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < s->cfg.issues; i++) {
        const uint32_t w = in->q_warp[i];
        const bool exists = w < s->cfg.warps;
        const uint32_t block = exists ? in->block[w] : 0;
        const bool real = block < s->cfg.blocks;
        out->tag_block[i] = none;
        switch (in->q_space[i]) {
        case RF_SPACE_NONE:
            out->allow[i] = true;
            break;
        case RF_SPACE_CONST:
            out->allow[i] = !s->flush;
            break;
        case RF_SPACE_SHARED:
            out->tag_block[i] = block;
            out->tag_barrier[i] = real ? s->count[block] : 0;
            out->allow[i] = !s->flush;
            if (real && (s->sweep[block] || s->count[block] == FULL)) out->allow[i] = false;
            if (exists && s->shared[w]) out->allow[i] = false;
            break;
        default:
            out->tag_barrier[i] = s->gcount;
            out->allow[i] = !s->flush && s->gcount != FULL;
            if (exists && s->global[w]) out->allow[i] = false;
        }
    }
    if (!s->active) return;
    out->valid = true;
    out->index = s->index;
    out->all = s->all;
    out->block = s->target;
}

/* The block's barrier is over. */
static inline bool block_is_over(const slow_guard *s, const rf_load_guard_in *in, uint32_t block) {
    return block < s->cfg.blocks && judge_bit(in->bar, block);
}

static inline bool block_fences(const slow_guard *s, const rf_load_guard_in *in, uint32_t block) {
    for (uint32_t w = 0; w < s->cfg.warps; w++)
        if (judge_bit(in->fence, w) && in->block[w] == block) return true;
    return false;
}

static inline bool counts_globally(const slow_guard *s, const rf_load_guard_in *in) {
    for (uint32_t w = 0; w < s->cfg.warps; w++)
        if (judge_bit(in->fence, w) || (block_is_over(s, in, in->block[w]) && s->global[w])) return true;
    return false;
}

static inline void slow_guard_clock(slow_guard *s, const rf_load_guard_in *in) {
    const bool last = s->active && in->sweep_ready && s->index + 1 == s->cfg.entries;
    const slow_guard old = *s;
    /* Counts. */
    for (uint32_t b = 0; b < s->cfg.blocks; b++) {
        if ((judge_bit(in->bar, b) || block_fences(s, in, b)) && s->count[b] < FULL) s->count[b]++;
        if (judge_bit(in->start, b)) s->count[b] = 0;
    }
    if (counts_globally(s, in) && s->gcount < FULL) s->gcount++;
    if (last && s->all) s->gcount = 0;
    /* What waits. */
    if (last && s->all) {
        s->flush = false;
        memset(s->sweep, 0, sizeof s->sweep);
    } else if (last) s->sweep[s->target] = false;
    if (in->flush || (s->gcount == FULL && old.gcount != FULL)) s->flush = true;
    for (uint32_t b = 0; b < s->cfg.blocks; b++)
        if (judge_bit(in->start, b)) s->sweep[b] = true;
    /* The pass. */
    if (last) {
        s->active = false;
        s->index = 0;
    } else if (s->active && in->sweep_ready) s->index++;
    else if (!s->active && old.flush) s->active = s->all = true;
    else if (!s->active) {
        for (uint32_t b = s->cfg.blocks; b-- > 0;) {
            if (!old.sweep[b]) continue;
            s->active = true;
            s->all = false;
            s->target = b;
        }
    }
    /* Flags. */
    for (uint32_t w = 0; w < s->cfg.warps; w++)
        if (block_is_over(s, in, in->block[w]) || judge_bit(in->fence, w) || judge_bit(in->launch, w))
            s->shared[w] = s->global[w] = false;
    for (uint32_t i = 0; i < s->cfg.issues; i++) {
        const uint32_t w = in->st_warp[i];
        if (!judge_bit(in->st_valid, i) || w >= s->cfg.warps) continue;
        if (judge_bit(in->st_shared, i)) s->shared[w] = true;
        else s->global[w] = true;
    }
}

#endif
