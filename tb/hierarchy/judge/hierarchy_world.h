/* SPDX-License-Identifier: Apache-2.0 */
/* What surrounds rf_hierarchy in its judge's random runs: the world of judge_world.h, whose instructions get hints. In a lawful
 * world the hints are right: an interpreter of each warp's program knows, lane by lane, where a register's newest value is, and
 * lets a source be read only there. Else they are anything. */
#ifndef RF_HIERARCHY_WORLD_H
#define RF_HIERARCHY_WORLD_H

#include "tb/banked/judge/judge_world.h"
#include "tb/hierarchy/judge/slow_hierarchy.h"

/* Behind the instructions of a warp that have issued. */
typedef struct knowledge {
    uint32_t main[RF_REGS_MAX];                          /* lanes that the MRF, or the cache, has or will have */
    uint32_t reg[RF_LEVEL_NAMES], lanes[RF_LEVEL_NAMES]; /* a name has these lanes of this register, or will have */
} knowledge;

typedef struct hints {
    bool lie; /* the compiler forgets that a register is written, or that it was read for the last time */
    knowledge of[RF_WARPS_MAX];
    uint32_t note[RF_WARPS_MAX][RF_REGS_MAX]; /* that was delivered for a register's result */
    /* chances, in 256ths */
    uint32_t p_last, p_upper, p_low, p_named, p_only, p_keep, p_shared, p_ends, p_leave, p_right;
} hints;

static inline void draw_hints(hints *h, ls_rng *rng) {
    h->p_last = ls_rng_chance(rng, 96) ? 0 : ls_rng_below(rng, 128);
    h->p_upper = ls_rng_chance(rng, 96) ? 256 : ls_rng_below(rng, 257);
    h->p_low = ls_rng_below(rng, 192);
    h->p_named = ls_rng_chance(rng, 96) ? 256 : ls_rng_below(rng, 257);
    h->p_only = ls_rng_below(rng, 257);
    h->p_keep = ls_rng_below(rng, 200);
    h->p_shared = ls_rng_below(rng, 128);
    h->p_ends = ls_rng_below(rng, 40);
    h->p_leave = ls_rng_chance(rng, 32) ? 0 : ls_rng_below(rng, 64);
    h->p_right = 128 + ls_rng_below(rng, 129);
}

/* All registers are in the banks. */
static inline void forget_hints(hints *h) {
    memset(h->of, 0, sizeof h->of);
    for (uint32_t w = 0; w < RF_WARPS_MAX; w++)
        for (uint32_t r = 0; r < RF_REGS_MAX; r++) h->of[w].main[r] = UINT32_MAX;
}

static inline void put_bit(uint64_t *word, uint32_t i, bool value) {
    *word = (*word & ~(UINT64_C(1) << i)) | (uint64_t)value << i;
}

/* A name that exists, of the L1 or (not for shared units) of the L0; of a split one source k's bank only. ABSENT: none. */
static inline uint32_t some_place(const slow_hierarchy *s, ls_rng *rng, uint32_t k, bool shared) {
    for (uint32_t tries = 0; tries < 4; tries++) {
        const uint32_t name = ls_rng_chance(rng, 128) ? ls_rng_below(rng, s->cfg.entries) : 8 + ls_rng_below(rng, s->cfg.slots);
        const bool l0 = name_is_l0(name), other = s->levels.cfg.l0 == 2 && k != ABSENT && name % 8 != k;
        if (name_exists(&s->levels.cfg, name) && !(l0 && (shared || other))) return name;
    }
    return ABSENT;
}

/* Source k of warp w's head is read where the value is, or not at all; perhaps it is kept. True if it is. */
static inline bool hint_source(const slow_hierarchy *s, hints *h, ls_rng *rng, rf_hierarchy_in *in, uint32_t w, uint32_t k,
                               bool may_keep) {
    const knowledge *n = &h->of[w];
    const uint32_t mask = in->ib_mask[w], i = w * s->cfg.slots + k, reg = in->ib_src[i];
    const bool shared = judge_bit(in->ib_shared, w), in_main = reg < s->cfg.regs && (mask & ~n->main[reg]) == 0;
    uint32_t place = some_place(s, rng, k, shared);
    in->ib_from[i] = (uint8_t)ls_rng_below(rng, RF_LEVEL_NAMES);
    for (uint32_t name = 0; name < RF_LEVEL_NAMES; name++) {
        const bool way = name_exists(&s->levels.cfg, name) && n->reg[name] == reg && (mask & ~n->lanes[name]) == 0 &&
                         !(name_is_l0(name) && (shared || (s->levels.cfg.l0 == 2 && name % 8 != k)));
        if (!way || mask == 0 || (in_main && ls_rng_chance(rng, 64))) continue;
        in->ib_from[i] = (uint8_t)(RF_NOTE_UPPER | name);
        return false;
    }
    if (!in_main) in->ib_src_valid[w] &= (uint8_t) ~(1u << k);
    if (!in_main || !may_keep || place == ABSENT || mask == 0 || !judge_bit(in->ib_src_valid[w], k)) return false;
    if (!ls_rng_chance(rng, h->p_keep)) return false;
    in->ib_from[i] = (uint8_t)(RF_NOTE_KEEP | place);
    return true;
}

/* The head of warp w has come: its hints. */
static inline void hint_lawfully(const slow_hierarchy *s, hints *h, ls_rng *rng, rf_hierarchy_in *in, uint32_t w) {
    const bool software = s->cfg.managed == 1 && s->cfg.levels > 1, shared = ls_rng_chance(rng, h->p_shared);
    uint32_t kept = ABSENT;
    put_bit(&in->ib_shared, w, shared);
    put_bit(&in->ib_ends, w, ls_rng_chance(rng, h->p_ends));
    put_bit(&in->ib_leave, w, ls_rng_chance(rng, h->p_leave));
    in->ib_last[w] = (uint8_t)ls_rng_bits(rng, s->cfg.slots, h->p_last);
    in->ib_to[w] = (uint8_t)((ls_rng_chance(rng, h->p_upper) ? RF_NOTE_UPPER : 0) | (ls_rng_chance(rng, h->p_low) ? 1 : 0));
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        const uint32_t i = w * s->cfg.slots + k, reg = in->ib_src[i];
        if (software) {
            if (hint_source(s, h, rng, in, w, k, kept == ABSENT)) kept = in->ib_from[i] & RF_NOTE_NAME;
            continue;
        }
        in->ib_from[i] = (uint8_t)ls_rng_below(rng, 64);
        if (reg >= s->cfg.regs || (in->ib_mask[w] & ~h->of[w].main[reg]) != 0) in->ib_src_valid[w] &= (uint8_t) ~(1u << k);
    }
    if (!software) return;
    const uint32_t place = some_place(s, rng, ABSENT, shared);
    in->ib_to[w] = (uint8_t)(RF_NOTE_MRF | ls_rng_below(rng, RF_LEVEL_NAMES));
    if (place == ABSENT || place == kept || !ls_rng_chance(rng, h->p_named)) return;
    in->ib_to[w] = (uint8_t)(RF_NOTE_UPPER | place | (ls_rng_chance(rng, h->p_only) ? 0 : RF_NOTE_MRF));
}

/* Hints that need not be right; mostly names that exist. */
static inline void hint_anything(const slow_hierarchy *s, hints *h, ls_rng *rng, rf_hierarchy_in *in, uint32_t w) {
    put_bit(&in->ib_shared, w, ls_rng_chance(rng, h->p_shared));
    put_bit(&in->ib_ends, w, ls_rng_chance(rng, h->p_ends));
    put_bit(&in->ib_leave, w, ls_rng_chance(rng, h->p_leave));
    in->ib_last[w] = (uint8_t)ls_rng_bits(rng, s->cfg.slots, h->p_last);
    for (uint32_t k = 0; k <= s->cfg.slots; k++) {
        const uint32_t place = some_place(s, rng, k < s->cfg.slots ? k : ABSENT, false);
        uint32_t hint = ls_rng_chance(rng, 8) || place == ABSENT ? ls_rng_below(rng, RF_LEVEL_NAMES) : place;
        if (ls_rng_chance(rng, h->p_named)) hint |= RF_NOTE_UPPER;
        if (ls_rng_chance(rng, k < s->cfg.slots ? h->p_keep : 255 - h->p_only % 256)) hint |= RF_NOTE_KEEP;
        if (k < s->cfg.slots) in->ib_from[w * s->cfg.slots + k] = (uint8_t)hint;
        else in->ib_to[w] = (uint8_t)hint;
    }
}

/* The hints of heads that have come, the notes of results. */
static inline void add_hints(const slow_hierarchy *s, hints *h, world *x, rf_hierarchy_in *in) {
    for (uint32_t w = 0; w < s->cfg.warps; w++) {
        if (!judge_bit(x->fetched, w)) continue;
        if (x->lawful) hint_lawfully(s, h, &x->rng, in, w);
        else hint_anything(s, h, &x->rng, in, w);
    }
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        if (!judge_bit(in->res_valid, e)) continue;
        in->res_to[e] = (uint8_t)h->note[in->res_warp[e]][in->res_dst[e]];
        if (!x->lawful && !ls_rng_chance(&x->rng, h->p_right)) in->res_to[e] = (uint8_t)ls_rng_below(&x->rng, 1u << RF_NOTE_W);
    }
}

/* Before the edge: the head of warp w issues. */
static inline void know_issue(const slow_hierarchy *s, hints *h, const rf_hierarchy_in *in, uint32_t w) {
    knowledge *n = &h->of[w];
    const uint32_t mask = in->ib_mask[w], sources = sources_of(in, w), reg = in->ib_dst[w];
    const bool software = s->cfg.managed == 1, writes = has_destination(in, w);
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        const uint32_t i = w * s->cfg.slots + k, name = in->ib_from[i] & RF_NOTE_NAME;
        if (!judge_bit(sources, k)) continue;
        if (software && (in->ib_from[i] & RF_NOTE_KEEP) != 0) n->reg[name] = in->ib_src[i], n->lanes[name] = mask;
        if (!software && !h->lie && s->cfg.liveness && judge_bit(in->ib_last[w], k)) n->main[in->ib_src[i]] = 0;
    }
    for (uint32_t name = 0; writes && !h->lie && name < RF_LEVEL_NAMES; name++)
        if (n->reg[name] == reg) n->lanes[name] &= ~mask;
    if (writes && software && (in->ib_to[w] & RF_NOTE_UPPER) != 0) {
        const uint32_t name = in->ib_to[w] & RF_NOTE_NAME;
        if (n->reg[name] != reg) n->lanes[name] = 0;
        n->reg[name] = reg;
        n->lanes[name] |= mask;
        if ((in->ib_to[w] & RF_NOTE_MRF) != 0) n->main[reg] |= mask;
        else n->main[reg] &= ~mask;
    } else if (writes) n->main[reg] |= mask;
    if (judge_bit(in->ib_ends | in->ib_leave, w)) memset(n->lanes, 0, sizeof n->lanes);
}

static inline void note_hints(const slow_hierarchy *s, hints *h, const rf_hierarchy_in *in, const slow_round *now) {
    const uint32_t w = now->stage.goes[0];
    if (w != NONE) know_issue(s, h, in, w);
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        const uint32_t c = now->stage.offered[e];
        if (c == NONE || !now->stage.leaves[c]) continue;
        const rf_stage_carried *of = &s->stage.collector[c].carried;
        if (of->dst_valid) h->note[of->warp][of->dst] = s->to[c];
    }
}

#endif
