/* SPDX-License-Identifier: Apache-2.0 */
/* What surrounds rf_levels in its judge's random runs: slots that warps enter and leave, instructions, queues of results, an
 * arbiter of banks (`lawful`), or any input at all. */
#ifndef RF_LEVELS_WORLD_H
#define RF_LEVELS_WORLD_H

#include "tb/hierarchy/judge/slow_levels.h"

#define OWED_MAX 64u

/* A result on its way, or (in `keeps`) an operand that is to be kept. */
typedef struct owed {
    uint32_t warp, reg, note, mask;
    rf_vec data;
} owed;

typedef struct owed_list {
    owed of[OWED_MAX];
    uint32_t n;
} owed_list;

typedef struct levels_world {
    ls_rng rng;
    bool lawful;
    rf_levels_in in;
    owed_list queue[RF_EXPORTS_MAX], keeps;
    uint32_t held, leaving;
    bool leaves; /* the instruction of this cycle deschedules its warp */
    uint32_t regs, banks;
    /* chances, in 256ths */
    uint32_t p_read, p_source, p_last, p_upper, p_named, p_mrf, p_keep, p_whole, p_shared, p_ends, p_leave, p_enter, p_result,
        p_grant, p_change;
} levels_world;

static inline uint32_t drawn(levels_world *x, uint32_t n) { return ls_rng_below(&x->rng, n); }
static inline bool happens(levels_world *x, uint32_t p) { return ls_rng_chance(&x->rng, p); }

static inline void draw_levels_mix(levels_world *x, const rf_levels_cfg *cfg) {
    x->regs = happens(x, 96) ? cfg->regs : 1 + drawn(x, cfg->regs < 6 ? cfg->regs : 6);
    x->banks = 1 + drawn(x, 8);
    x->p_read = drawn(x, 257);
    x->p_source = happens(x, 64) ? 256 : drawn(x, 257);
    x->p_last = happens(x, 96) ? 0 : drawn(x, 160);
    x->p_upper = happens(x, 96) ? 256 : drawn(x, 257);
    x->p_named = drawn(x, 257);
    x->p_mrf = drawn(x, 257);
    x->p_keep = drawn(x, 160);
    x->p_whole = happens(x, 64) ? 256 : drawn(x, 257);
    x->p_shared = drawn(x, 160);
    x->p_ends = drawn(x, 64);
    x->p_leave = drawn(x, 48);
    x->p_enter = 32 + drawn(x, 225);
    x->p_result = 16 + drawn(x, 241);
    x->p_grant = 16 + drawn(x, 241);
    x->p_change = happens(x, 128) ? 256 : drawn(x, 64);
}

static inline uint8_t drawn_reg(levels_world *x, const rf_levels_cfg *cfg) {
    const uint32_t reg = drawn(x, x->regs);
    if (!x->lawful && happens(x, 8)) return (uint8_t)drawn(x, judge_codes(cfg->regs));
    return (uint8_t)(happens(x, 32) ? cfg->regs - 1 - reg : reg);
}

static inline uint32_t drawn_mask(levels_world *x, const rf_levels_cfg *cfg) {
    return happens(x, x->p_whole) ? (uint32_t)ls_mask(cfg->lanes) : (uint32_t)ls_rng_value(&x->rng, cfg->lanes);
}

/* A name that exists; seldom any. Lawful: one that slot a may name, ABSENT if there is none. */
static inline uint32_t drawn_name(levels_world *x, const slow_levels *s, uint32_t a, uint32_t source) {
    uint32_t name = drawn(x, RF_LEVEL_NAMES);
    if (!x->lawful && happens(x, 16)) return name;
    for (uint32_t tries = 0; tries < RF_LEVEL_NAMES; tries++, name = (name + 1) % RF_LEVEL_NAMES) {
        if (!name_exists(&s->cfg, name)) continue;
        if (s->cfg.l0 == 2 && name_is_l0(name) && source != ABSENT && name % 8 != source && happens(x, 224)) continue;
        if (!x->lawful || !s->names[a].of[name].pending) return name;
    }
    return x->lawful ? ABSENT : name;
}

/* An instruction of slot a. */
static inline void draw_issue(levels_world *x, const slow_levels *s, uint32_t a) {
    const rf_levels_cfg *cfg = &s->cfg;
    rf_levels_in *in = &x->in;
    uint32_t kept = ABSENT;
    in->read = 1;
    in->rd_slot = (uint8_t)a;
    in->rd_valid = (uint8_t)ls_rng_bits(&x->rng, cfg->slots, x->p_source);
    in->last = (uint8_t)ls_rng_bits(&x->rng, cfg->slots, x->p_last);
    in->shared = happens(x, x->p_shared);
    in->ends = happens(x, x->p_ends);
    for (uint32_t k = 0; k < cfg->slots; k++) {
        const uint32_t name = drawn_name(x, s, a, k);
        in->rd_reg[k] = drawn_reg(x, cfg);
        in->rd_from[k] = (uint8_t)(name % RF_LEVEL_NAMES);
        if (name == ABSENT) continue;
        if (happens(x, x->p_named)) in->rd_from[k] |= RF_NOTE_UPPER;
        if (happens(x, x->p_keep) && (!x->lawful || (in->rd_from[k] & RF_NOTE_UPPER) == 0)) in->rd_from[k] |= RF_NOTE_KEEP;
        if (kept == ABSENT && judge_bit(in->rd_valid, k) && (in->rd_from[k] & RF_NOTE_KEEP) != 0) kept = name;
    }
    const uint32_t name = drawn_name(x, s, a, ABSENT);
    in->dst_valid = happens(x, 192);
    in->to = (uint8_t)(name % RF_LEVEL_NAMES);
    if (happens(x, x->p_mrf)) in->to |= RF_NOTE_MRF;
    if (happens(x, x->p_upper) && (!x->lawful || cfg->managed == 0 || (name != ABSENT && name != kept))) in->to |= RF_NOTE_UPPER;
}

/* What a lawful instruction owes: its result, the operand that it keeps. */
static inline void owe(levels_world *x, const slow_levels *s) {
    const rf_levels_cfg *cfg = &s->cfg;
    const rf_levels_in *in = &x->in;
    const uint32_t kept = kept_source(s, in->rd_valid, in->rd_from), shared = in->shared ? RF_NOTE_SHARED : 0;
    owed o = {.warp = in->slot_warp[in->rd_slot], .mask = drawn_mask(x, cfg)};
    if (cfg->managed == 1 && kept != ABSENT) {
        o.note = (in->rd_from[kept] & RF_NOTE_NAME) | shared;
        x->keeps.of[x->keeps.n++] = o;
    }
    o.reg = drawn_reg(x, cfg);
    o.note = in->to | shared;
    owed_list *q = &x->queue[drawn(x, cfg->exports)];
    if (in->dst_valid) q->of[q->n++] = o;
}

static inline void draw_lawful_issue(levels_world *x, const slow_levels *s) {
    const uint32_t a = drawn(x, s->cfg.active);
    uint32_t longest = x->keeps.n;
    for (uint32_t e = 0; e < s->cfg.exports; e++) longest = x->queue[e].n > longest ? x->queue[e].n : longest;
    draw_issue(x, s, a);
    x->in.read = longest < OWED_MAX && judge_bit(x->held & ~x->leaving, a) && happens(x, x->p_read);
    x->leaves = x->in.read && happens(x, x->p_leave);
    if (x->in.read) owe(x, s);
}

/* The lowest free slot takes a warp that has none. */
static inline void draw_entry(levels_world *x, const slow_levels *s) {
    const uint32_t warp = drawn(x, s->cfg.warps);
    x->in.enter = 0;
    for (uint32_t a = 0; a < s->cfg.active; a++)
        if (judge_bit(x->held, a) && x->in.slot_warp[a] == warp) return;
    for (uint32_t a = 0; a < s->cfg.active; a++) {
        if (judge_bit(x->held, a)) continue;
        if (happens(x, x->p_enter)) x->in.enter = UINT32_C(1) << a, x->in.slot_warp[a] = (uint8_t)warp;
        return;
    }
}

static inline void draw_lawful(levels_world *x, const slow_levels *s) {
    const rf_levels_cfg *cfg = &s->cfg;
    rf_levels_in *in = &x->in;
    in->held = x->held;
    in->leaving = x->leaving;
    draw_entry(x, s);
    in->keep = x->keeps.n > 0 && happens(x, 128);
    if (in->keep) {
        const owed *o = &x->keeps.of[0];
        in->keep_warp = (uint8_t)o->warp;
        in->keep_name = o->note & RF_NOTE_NAME;
        in->keep_shared = (o->note & RF_NOTE_SHARED) != 0;
        in->keep_mask = o->mask;
        ls_rng_lanes(&x->rng, in->keep_data.lane, cfg->lanes);
    }
    draw_lawful_issue(x, s);
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const owed *o = &x->queue[e].of[0];
        if (judge_bit(in->wr_valid, e) || x->queue[e].n == 0 || !happens(x, x->p_result)) continue;
        in->wr_valid |= (uint8_t)(1u << e);
        in->wr_warp[e] = (uint8_t)o->warp;
        in->wr_reg[e] = (uint8_t)o->reg;
        in->wr_note[e] = (uint8_t)o->note;
        in->wr_mask[e] = o->mask;
        ls_rng_lanes(&x->rng, in->wr_data[e].lane, cfg->lanes);
    }
}

/* Of anything one in so many cycles changes. */
static inline void draw_anything(levels_world *x, const slow_levels *s) {
    const rf_levels_cfg *cfg = &s->cfg;
    rf_levels_in *in = &x->in;
    if (happens(x, x->p_change)) in->held = (uint32_t)ls_rng_bits(&x->rng, cfg->active, 192);
    if (happens(x, x->p_change)) in->leaving = (uint32_t)ls_rng_bits(&x->rng, cfg->active, x->p_leave * 4);
    in->enter = (uint32_t)ls_rng_bits(&x->rng, cfg->active, x->p_ends);
    for (uint32_t a = 0; a < cfg->active; a++)
        if (happens(x, 8)) in->slot_warp[a] = (uint8_t)drawn(x, happens(x, 224) ? cfg->warps : judge_codes(cfg->warps));
    const uint32_t a = drawn(x, happens(x, 240) ? cfg->active : judge_codes(cfg->active));
    draw_issue(x, s, a);
    in->read = happens(x, x->p_read);
    in->keep = happens(x, x->p_keep);
    in->keep_warp = (uint8_t)(happens(x, 224) ? in->slot_warp[drawn(x, cfg->active)] : drawn(x, judge_codes(cfg->warps)));
    in->keep_name = (uint8_t)drawn_name(x, s, 0, ABSENT);
    in->keep_shared = happens(x, x->p_shared);
    in->keep_mask = drawn_mask(x, cfg);
    ls_rng_lanes(&x->rng, in->keep_data.lane, cfg->lanes);
    for (uint32_t e = 0; e < cfg->exports; e++) {
        if (!happens(x, x->p_change)) continue;
        in->wr_valid &= (uint8_t) ~(1u << e);
        in->wr_valid |= (uint8_t)((uint32_t)happens(x, x->p_result) << e);
        in->wr_warp[e] = (uint8_t)(happens(x, 224) ? in->slot_warp[drawn(x, cfg->active)] : drawn(x, judge_codes(cfg->warps)));
        in->wr_reg[e] = drawn_reg(x, cfg);
        in->wr_note[e] = (uint8_t)(drawn_name(x, s, 0, ABSENT) | (happens(x, x->p_upper) ? RF_NOTE_UPPER : 0) |
                                   (happens(x, x->p_mrf) ? RF_NOTE_MRF : 0) | (happens(x, x->p_shared) ? RF_NOTE_SHARED : 0));
        in->wr_mask[e] = drawn_mask(x, cfg);
        ls_rng_lanes(&x->rng, in->wr_data[e].lane, cfg->lanes);
    }
}

/* Banks with one write port each: of the writers that ask for a bank one is granted. Anything: any bits. */
static inline void draw_grants(levels_world *x, const slow_levels *s) {
    bool taken[16] = {false};
    slow_way now;
    x->in.grant = 0;
    levels_comb(s, &x->in, &now);
    for (uint32_t n = 0, e = drawn(x, s->cfg.exports + 1); n <= s->cfg.exports; n++, e = (e + 1) % (s->cfg.exports + 1)) {
        const uint32_t bank = (now.ask[e].warp + now.ask[e].reg) % x->banks;
        if (!happens(x, x->p_grant) || (x->lawful && now.ask[e].any && taken[bank])) continue;
        taken[bank] = taken[bank] || now.ask[e].any;
        x->in.grant |= (uint8_t)(1u << e);
    }
}

static inline void draw_levels_in(levels_world *x, const slow_levels *s) {
    if (x->lawful) draw_lawful(x, s);
    else draw_anything(x, s);
    draw_grants(x, s);
}

static inline void drop_first(owed_list *l) {
    l->n--;
    for (uint32_t i = 0; i < l->n; i++) l->of[i] = l->of[i + 1];
}

/* Before the edge: which heads are gone behind it, and which slots are free. */
static inline void note_levels(levels_world *x, const slow_levels *s, const slow_way *now) {
    if (!x->lawful) return;
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        if (!now->done[e]) continue;
        drop_first(&x->queue[e]);
        x->in.wr_valid &= (uint8_t) ~(1u << e);
    }
    if (x->in.keep) drop_first(&x->keeps);
    for (uint32_t a = 0; a < s->cfg.active; a++)
        if (judge_bit(x->leaving, a) && !slot_holds(s, a)) x->held &= ~(UINT32_C(1) << a), x->leaving &= ~(UINT32_C(1) << a);
    if (x->leaves) x->leaving |= UINT32_C(1) << x->in.rd_slot;
    x->held |= x->in.enter;
}

static inline void forget_levels(levels_world *x) {
    for (uint32_t e = 0; e < RF_EXPORTS_MAX; e++) x->queue[e].n = 0;
    x->keeps.n = x->held = x->leaving = 0;
    memset(&x->in, 0, sizeof x->in);
}

#endif
