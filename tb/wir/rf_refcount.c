/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_refcount. */
#include "cmodel/wir/rf_refcount.h"

#include "harness/core/unit.h"

#define PATIENCE                                                                                                                 \
    512u /* cycles that any phase may spend on filling one count; more than these only the first one and few others */

/* Probabilities in 256ths. Registers of a phase are `first` .. `first` + `pool` - 1. */
typedef struct rf_refcount_stim {
    ls_rng rng;
    uint32_t inc, dec; /* a port asks */
    uint32_t legal;    /* a -1 is of a register that has a reference, if one is found soon */
    uint32_t same;     /* a port names the register of the port below it, or of the first +1 port */
    uint32_t again;    /* a +1 is of a register that was offered in the cycle before: it is used again */
    uint32_t noise;    /* any number that the port can carry */
    uint32_t special;  /* the cycle is one of the special ones */
    uint32_t first, pool;
    uint32_t left;       /* cycles until the next phase */
    uint32_t fill;       /* of them, those that all +1 ports give to the first register */
    bool gently;         /* ... one by one where the highest bit turns and near the end, with a while there */
    bool risk;           /* registers that may get full do so in this phase */
    bool turned, nearly; /* gently: it has gone back where the highest bit turns, and up and down at once at one below full */
    bool begun;          /* the first phase has been drawn */
    uint32_t goal;       /* the register that a phase spent more than PATIENCE on: the next such phase goes on with it */
    rf_refcount_out out;
} rf_refcount_stim;

static void stim_init(rf_refcount_stim *s, const rf_refcount *m, uint64_t seed) {
    (void)m;
    *s = (rf_refcount_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->legal = 192 + ls_rng_below(&s->rng, 64);
    s->same = 8 + ls_rng_below(&s->rng, 56);
    s->again = 8 + ls_rng_below(&s->rng, 120);
    s->noise = 2 + ls_rng_below(&s->rng, 8);
    s->special = 4 + ls_rng_below(&s->rng, 20);
}

/* Only these registers may get full: what is full stays so, and the others are to live as long as the run. */
static bool may_fill(const rf_refcount_stim *s, uint32_t reg) { return s->risk && reg % 4 == 1; }

static void draw_phase(rf_refcount_stim *s, const rf_refcount *m) {
    static const uint32_t rates[] = {0, 4, 24, 96, 224};
    const uint32_t pregs = m->cfg.pregs, full = (uint32_t)rf_mask64(m->cfg.countw);
    s->left = 32 + ls_rng_below(&s->rng, 224);
    s->inc = rates[1 + ls_rng_below(&s->rng, 4)];
    s->dec = rates[ls_rng_below(&s->rng, 5)];
    s->pool = ls_rng_chance(&s->rng, 160) ? 1 + ls_rng_below(&s->rng, 12) : pregs;
    if (s->pool > pregs) s->pool = pregs;
    s->first = ls_rng_below(&s->rng, pregs - s->pool + 1);
    s->fill = 0;
    /* Wide counts get full in a long run from reset to reset alone. */
    const bool wide = full / m->cfg.incs > PATIENCE && (!s->begun || ls_rng_chance(&s->rng, 8));
    s->begun = true;
    s->risk = ls_rng_chance(&s->rng, wide ? 192 : pregs < 8 ? 16 : 64);
    s->gently = wide || ls_rng_chance(&s->rng, 128);
    if (!s->risk || (!wide && ls_rng_chance(&s->rng, 64))) return;
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t reg = wide && i == 0 ? s->goal : ls_rng_below(&s->rng, pregs),
                       need = (full - m->count_q[reg]) / m->cfg.incs;
        const uint32_t cycles = need + need / 16 + 4;
        if (!may_fill(s, reg) || m->count_q[reg] == full || (need > PATIENCE && !wide)) continue;
        s->first = reg;
        s->pool = 1;
        if (wide) s->goal = reg;
        s->fill = cycles + (s->gently ? 8 * m->cfg.incs + 24 : 0);
        s->left = s->fill + 16;
        s->turned = s->nearly = false;
        return;
    }
}

static uint32_t draw(rf_refcount_stim *s, const rf_refcount *m) {
    if (ls_rng_chance(&s->rng, s->noise)) return (uint32_t)ls_rng_value(&s->rng, rf_index_bits(m->cfg.pregs));
    if (ls_rng_chance(&s->rng, 4)) return m->cfg.pregs - 1;
    return s->first + ls_rng_below(&s->rng, s->pool);
}

/* One more reference could make the count full, when all that are on the way are counted. */
static bool nearly_full(const rf_refcount *m, const rf_refcount_in *in, uint32_t below, uint32_t reg) {
    const uint32_t full = (uint32_t)rf_mask64(m->cfg.countw);
    uint32_t most;
    if (reg >= m->cfg.pregs) return false;
    most = m->count_q[reg] + 1;
    if (most + 2 * m->cfg.incs < full) return false;
    for (uint32_t p = 0; p < m->cfg.incs + m->cfg.decs; p++)
        if (m->reg_q[p] == reg && m->delta_q[p] < 32) most += m->delta_q[p];
    for (uint32_t i = 0; i < below; i++) most += (in->inc >> i & 1) != 0 && in->inc_reg[i] == reg;
    return most >= full;
}

static void draw_incs(rf_refcount_stim *s, const rf_refcount *m, rf_refcount_in *in) {
    const uint32_t incs = m->cfg.incs;
    in->inc = (uint32_t)ls_rng_bits(&s->rng, incs, s->fill != 0 ? 248 : s->inc);
    for (uint32_t i = 0; i < incs; i++) {
        uint32_t reg = draw(s, m);
        if (s->fill != 0) reg = s->first;
        else if (i > 0 && ls_rng_chance(&s->rng, s->same)) reg = in->inc_reg[i - 1];
        else if (s->out.free != 0 && ls_rng_chance(&s->rng, s->again)) reg = s->out.free_reg[0];
        if (!may_fill(s, reg) && nearly_full(m, in, i, reg)) in->inc &= ~(UINT32_C(1) << i);
        in->inc_reg[i] = (uint16_t)reg;
    }
}

/* It has references, and a -1 counts. */
static bool live(const rf_refcount *m, uint32_t reg) {
    return reg < m->cfg.pregs && m->count_q[reg] != 0 && m->count_q[reg] != rf_mask64(m->cfg.countw);
}

static void draw_decs(rf_refcount_stim *s, const rf_refcount *m, rf_refcount_in *in) {
    const uint32_t decs = m->cfg.decs;
    in->dec = (uint32_t)ls_rng_bits(&s->rng, decs, s->fill != 0 ? 0 : s->dec);
    for (uint32_t i = 0; i < decs; i++) {
        uint32_t reg = draw(s, m);
        if (ls_rng_chance(&s->rng, s->same)) reg = i > 0 ? in->dec_reg[i - 1] : in->inc_reg[0];
        else if (ls_rng_chance(&s->rng, s->legal))
            for (uint32_t k = 0; k < 4 && !live(m, reg); k++) reg = s->first + ls_rng_below(&s->rng, s->pool);
        in->dec_reg[i] = (uint16_t)reg;
    }
}

/* A fill that goes gently: where the highest bit turns, and at one below full, it also goes back, or up and down at once. */
static void gently(rf_refcount_stim *s, const rf_refcount *m, rf_refcount_in *in) {
    const uint32_t full = (uint32_t)rf_mask64(m->cfg.countw), half = full / 2 + 1, count = m->count_q[s->first];
    const uint32_t reach = count + 3 * m->cfg.incs;
    uint32_t coming = count; /* with what is on its way */
    if (reach < half || (count >= half && reach < full)) return;
    for (uint32_t p = 0; p < m->cfg.incs + m->cfg.decs; p++)
        if (m->reg_q[p] == s->first) coming += m->delta_q[p] < 32 ? m->delta_q[p] : m->delta_q[p] - 64u;
    in->inc &= 1;
    if (coming != full - 1 && coming != half - 1 && coming != half) return;
    uint32_t kind = ls_rng_below(&s->rng, 8);
    if (coming == half && !s->turned) s->turned = true, kind = 5;
    else if (coming == full - 1 && !s->nearly) s->nearly = true, kind = 4;
    in->inc = kind < 5;
    if (kind == 0 && coming == full - 1) in->inc = (uint32_t)rf_mask64(m->cfg.incs); /* more than full */
    in->dec = kind >= 2 && kind < 6;
    in->dec_reg[0] = (uint16_t)s->first;
}

/* Cycles that the mix of knobs may never reach by itself. */
static void special(rf_refcount_stim *s, const rf_refcount *m, rf_refcount_in *in) {
    const uint32_t incs = m->cfg.incs, decs = m->cfg.decs, kind = ls_rng_below(&s->rng, 7);
    uint32_t reg = s->first + ls_rng_below(&s->rng, s->pool);
    if (kind == 0) { /* nothing */
        in->inc = in->dec = 0;
    } else if (kind == 1) { /* every +1, no -1, mostly of a register that may get full */
        if (may_fill(s, reg) || m->count_q[reg] + 3 * incs < rf_mask64(m->cfg.countw)) {
            in->inc = (uint32_t)rf_mask64(incs);
            for (uint32_t i = 0; i < incs; i++) in->inc_reg[i] = (uint16_t)reg;
        }
        in->dec = 0;
    } else if (kind == 2) { /* every -1 of one register */
        in->inc = 0;
        in->dec = (uint32_t)rf_mask64(decs);
        for (uint32_t i = 0; i < decs; i++) in->dec_reg[i] = (uint16_t)reg;
    } else if (kind == 3) { /* as many -1 as a register has references, or one less or more */
        const uint32_t n = (reg < m->cfg.pregs ? m->count_q[reg] : 0u) + ls_rng_below(&s->rng, 3);
        in->dec = (uint32_t)rf_mask64(n < 1 ? 0 : n - 1 < decs ? n - 1 : decs);
        for (uint32_t i = 0; i < decs; i++) in->dec_reg[i] = (uint16_t)reg;
    } else if (kind == 4) { /* a register that will be offered goes up and down at once: it is marked again */
        if (s->out.free != 0 && ls_rng_chance(&s->rng, 128)) reg = s->out.free_reg[0];
        in->inc |= 1;
        in->dec |= 1;
        in->inc_reg[0] = in->dec_reg[0] = (uint16_t)reg;
        if (!may_fill(s, reg) && nearly_full(m, in, 0, reg)) in->inc &= ~UINT32_C(1);
    } else if (kind == 5) { /* as many -1 as several registers have references, which have few */
        in->inc = in->dec = 0;
        for (uint32_t k = 0, at = 0; k < 16; k++, reg = s->first + ls_rng_below(&s->rng, s->pool)) {
            bool named = false;
            for (uint32_t i = 0; i < at; i++) named |= in->dec_reg[i] == reg;
            const bool fits = !named && live(m, reg) && m->count_q[reg] <= decs - at;
            for (uint32_t left = fits ? m->count_q[reg] : 0; left > 0; left--, at++) {
                in->dec |= UINT32_C(1) << at;
                in->dec_reg[at] = (uint16_t)reg;
            }
        }
    } else { /* everybody, each of another register */
        in->inc = (uint32_t)rf_mask64(incs);
        in->dec = (uint32_t)rf_mask64(decs);
        for (uint32_t i = 0; i < decs; i++) in->dec_reg[i] = (uint16_t)((reg + i) % m->cfg.pregs);
        for (uint32_t i = 0; i < incs; i++) {
            uint32_t other = (reg + decs + i) % m->cfg.pregs;
            if (s->risk && nearly_full(m, in, i, other)) other = 1;
            in->inc_reg[i] = (uint16_t)other;
            if (!may_fill(s, other) && nearly_full(m, in, i, other)) in->inc &= ~(UINT32_C(1) << i);
        }
    }
}

/* Registers of the phase, some with one reference, some that somebody has just named. */
static void draw_asks(rf_refcount_stim *s, const rf_refcount *m, rf_refcount_in *in) {
    for (uint32_t a = 0; a < m->cfg.asks; a++) {
        uint32_t reg = draw(s, m);
        if (ls_rng_chance(&s->rng, 64)) reg = m->reg_q[ls_rng_below(&s->rng, m->cfg.incs + m->cfg.decs)];
        for (uint32_t k = 0; k < 4 && reg < m->cfg.pregs && m->count_q[reg] != 1 && ls_rng_chance(&s->rng, 128); k++)
            reg = s->first + ls_rng_below(&s->rng, s->pool);
        in->ask_reg[a] = (uint16_t)reg;
    }
}

static void stim(rf_refcount_stim *s, const rf_refcount *m, rf_refcount_in *in) {
    if (s->left == 0) draw_phase(s, m);
    s->left--;
    draw_incs(s, m, in);
    draw_decs(s, m, in);
    if (s->fill != 0 && s->gently) gently(s, m, in);
    draw_asks(s, m, in);
    if (s->fill != 0) s->fill--;
    else if (ls_rng_chance(&s->rng, s->special)) special(s, m, in);
}

static void observe(rf_refcount_stim *s, const rf_refcount_in *in, const rf_refcount_out *out) {
    (void)in;
    s->out = *out;
}

/* clang-format off */
#define BINS(X) \
    X(IDLE, "nobody asks") X(ALL, "every port asks") X(ONE_UP, "a single +1") X(ONE_DOWN, "a single -1") \
    X(MERGE_UP, "two +1 of a register") X(MERGE_DOWN, "two -1 of a register") X(MERGE_BOTH, "+1 and -1 of a register") \
    X(MUTE, "a lower port that does not ask names the register") X(RANGE_UP, "+1 of a register that does not exist") \
    X(RANGE_DOWN, "-1 of a register that does not exist") X(MOST_UP, "all +1 ports of one register, no -1") \
    X(MOST_DOWN, "all -1 ports of one register, no +1") X(LAST_PORT, "the last port has a place") \
    X(NOTHING, "a sum of 0") X(FIRST, "the first reference to a register") X(UP, "a count above 0 goes up") \
    X(DOWN, "a count goes down and not to 0") X(DIES, "the last reference ends") X(ZERO_DEAD, "a sum of 0 marks a count of 0") \
    X(ZERO_LIVE, "a sum of 0 leaves another count alone") X(BELOW, "a sum below 0") X(FILLS, "a count gets full exactly") \
    X(OVER, "a count would get more than full") X(NEARLY, "a count gets one below full") \
    X(FULL_DOWN, "a full count is counted down") \
    X(FULL_UP, "a full count is counted up") X(BACK_TO_BACK, "a register is asked for in two cycles running") \
    X(NONE, "no register is free") X(FREE, "one port offers") X(FREE_ALL, "every port offers") \
    X(MORE, "more are dead than are offered") X(SAME_WORD, "two ports offer registers of one word") \
    X(WORDS, "two ports offer registers of two words") X(FREE_FIRST, "register 0 is free") \
    X(FREE_LAST, "the last register is free") \
    X(MARK_AGAIN, "a register is marked again while it is offered") X(OTHER_MARK, "another one is marked while one is offered") \
    X(REVIVED, "a register is offered though it has references again") \
    X(DIES_TWO, "the last references to two registers end") \
    X(FIRST_OFFERED, "the first reference to a register while it is offered") \
    X(ZERO_NEARLY, "a sum of 0 leaves a count one below full") X(CARRY, "one more turns the highest bit on") \
    X(BORROW, "one less turns the highest bit off") X(ONE, "a register with one reference is asked for") \
    X(ONE_CHANGES, "one whose count changes at the edge") X(ASK_MORE, "one with more references is asked for") \
    X(ASK_OUTSIDE, "a register that does not exist is asked for")
/* clang-format on */
#define NAME(name, text) name,
#define TEXT(name, text) text,
enum { BINS(NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(TEXT) NULL};

#define HIT(name, when) hit |= (uint64_t)(when) << (name)

/* Stage 1: what is asked for. */
static uint64_t bins_asked(const rf_refcount *m, const rf_refcount_in *in) {
    const uint32_t incs = m->cfg.incs, decs = m->cfg.decs, pregs = m->cfg.pregs;
    const bool up_all = in->inc == rf_mask64(incs), down_all = in->dec == rf_mask64(decs);
    bool one_up = up_all, one_down = down_all;
    uint64_t hit = 0;
    HIT(IDLE, (in->inc | in->dec) == 0);
    HIT(ALL, up_all && down_all);
    HIT(ONE_UP, in->dec == 0 && in->inc != 0 && (in->inc & (in->inc - 1)) == 0);
    HIT(ONE_DOWN, in->inc == 0 && in->dec != 0 && (in->dec & (in->dec - 1)) == 0);
    for (uint32_t i = 0; i < incs; i++) {
        const uint32_t reg = in->inc_reg[i], asks = in->inc >> i & 1;
        one_up = one_up && reg == in->inc_reg[0];
        HIT(RANGE_UP, asks && reg >= pregs);
        for (uint32_t k = 0; k < i; k++) {
            HIT(MERGE_UP, asks && (in->inc >> k & 1) != 0 && in->inc_reg[k] == reg && reg < pregs);
            HIT(MUTE, asks && (in->inc >> k & 1) == 0 && in->inc_reg[k] == reg && reg < pregs);
        }
        for (uint32_t k = 0; k < decs; k++) {
            HIT(MERGE_BOTH, asks && (in->dec >> k & 1) != 0 && in->dec_reg[k] == reg && reg < pregs);
            HIT(MUTE, !asks && (in->dec >> k & 1) != 0 && in->dec_reg[k] == reg && reg < pregs);
        }
    }
    for (uint32_t i = 0; i < decs; i++) {
        const uint32_t reg = in->dec_reg[i], asks = in->dec >> i & 1;
        one_down = one_down && reg == in->dec_reg[0];
        HIT(RANGE_DOWN, asks && reg >= pregs);
        for (uint32_t k = 0; k < i; k++) HIT(MERGE_DOWN, asks && (in->dec >> k & 1) != 0 && in->dec_reg[k] == reg && reg < pregs);
    }
    HIT(MOST_UP, one_up && in->dec == 0 && in->inc_reg[0] < pregs);
    HIT(MOST_DOWN, one_down && in->inc == 0 && in->dec_reg[0] < pregs);
    return hit;
}

/* Stage 2: what is counted. */
static uint64_t bins_counted(const rf_refcount *m, const rf_refcount_in *in, const rf_refcount_out *out) {
    const int32_t full = (int32_t)rf_mask64(m->cfg.countw);
    uint32_t ends = 0; /* registers whose last reference ends */
    uint64_t hit = 0;
    HIT(LAST_PORT, m->place_q >> (m->cfg.incs + m->cfg.decs - 1) & 1);
    for (uint64_t set = m->place_q; set != 0; set &= set - 1) {
        const uint32_t p = rf_lowest(set), reg = m->reg_q[p];
        const int32_t old = m->count_q[reg], delta = m->delta_q[p] < 32 ? m->delta_q[p] : m->delta_q[p] - 64, sum = old + delta;
        const bool dies = old != full && sum <= 0;
        HIT(NOTHING, delta == 0);
        HIT(FIRST, old == 0 && delta > 0);
        HIT(UP, old > 0 && delta > 0 && sum < full);
        HIT(DOWN, delta < 0 && sum > 0 && old != full);
        HIT(DIES, delta < 0 && sum == 0 && old != full);
        HIT(ZERO_DEAD, delta == 0 && old == 0);
        HIT(ZERO_LIVE, delta == 0 && old > 0 && old != full);
        HIT(BELOW, sum < 0 && old != full);
        HIT(FILLS, old != full && sum == full);
        HIT(OVER, old != full && sum > full);
        HIT(NEARLY, delta > 0 && sum == full - 1);
        HIT(ZERO_NEARLY, delta == 0 && old == full - 1);
        HIT(CARRY, delta == 1 && old == full / 2);
        HIT(BORROW, delta == -1 && old == full / 2 + 1);
        HIT(FULL_DOWN, old == full && delta < 0);
        HIT(FULL_UP, old == full && delta > 0);
        for (uint32_t i = 0; i < m->cfg.incs; i++) HIT(BACK_TO_BACK, (in->inc >> i & 1) != 0 && in->inc_reg[i] == reg);
        for (uint32_t f = 0; f < m->cfg.frees; f++) {
            HIT(MARK_AGAIN, dies && (out->free >> f & 1) != 0 && out->free_reg[f] == reg);
            HIT(OTHER_MARK, dies && (out->free >> f & 1) != 0 && out->free_reg[f] != reg);
            HIT(FIRST_OFFERED, old == 0 && sum > 0 && (out->free >> f & 1) != 0 && out->free_reg[f] == reg);
        }
        ends += dies && old > 0;
    }
    HIT(DIES_TWO, ends > 1);
    return hit;
}

static uint64_t bins_offered(const rf_refcount *m, const rf_refcount_out *out) {
    const uint32_t frees = m->cfg.frees, words = (m->cfg.pregs + 63) / 64;
    uint32_t dead = 0, offered = (uint32_t)__builtin_popcount(out->free);
    uint64_t hit = 0;
    for (uint32_t w = 0; w < words; w++) dead += (uint32_t)__builtin_popcountll(m->dead_q[w]);
    HIT(NONE, dead == 0);
    HIT(FREE, offered == 1);
    HIT(FREE_ALL, offered == frees);
    HIT(MORE, dead > offered);
    for (uint32_t f = 0; f < offered; f++) {
        const uint32_t reg = out->free_reg[f];
        HIT(FREE_FIRST, reg == 0);
        HIT(FREE_LAST, reg == m->cfg.pregs - 1);
        HIT(REVIVED, m->count_q[reg] != 0);
        HIT(SAME_WORD, f > 0 && reg / 64 == out->free_reg[f - 1] / 64u);
        HIT(WORDS, f > 0 && reg / 64 != out->free_reg[f - 1] / 64u);
    }
    return hit;
}

/* Counts that are looked at. */
static uint64_t bins_looked(const rf_refcount *m, const rf_refcount_in *in, const rf_refcount_out *out) {
    uint64_t hit = 0;
    for (uint32_t a = 0; a < m->cfg.asks; a++) {
        const uint32_t reg = in->ask_reg[a];
        HIT(ONE, out->one >> a & 1);
        HIT(ASK_OUTSIDE, reg >= m->cfg.pregs);
        HIT(ASK_MORE, reg < m->cfg.pregs && m->count_q[reg] > 1);
        for (uint64_t set = m->place_q; set != 0; set &= set - 1)
            HIT(ONE_CHANGES, (out->one >> a & 1) != 0 && m->reg_q[rf_lowest(set)] == reg && m->delta_q[rf_lowest(set)] != 0);
    }
    return hit;
}

static uint64_t bins(const rf_refcount *m, const rf_refcount_in *in, const rf_refcount_out *out) {
    return bins_asked(m, in) | bins_counted(m, in, out) | bins_offered(m, out) | bins_looked(m, in, out);
}

/* No more registers die in a cycle than there are -1 ports: as many free ports offer them all in the next one. */
static void unreachable(const rf_refcount_cfg *cfg, ls_unreachable *to) {
    const bool exact = cfg->pregs == UINT32_C(1) << rf_index_bits(cfg->pregs);
    ls_unreachable_if(to, cfg->incs == 1, MERGE_UP, "one +1 port");
    ls_unreachable_if(to, cfg->decs == 1, MERGE_DOWN, "one -1 port");
    ls_unreachable_if(to, exact, RANGE_UP, "every number is a register's");
    ls_unreachable_if(to, exact, RANGE_DOWN, "every number is a register's");
    ls_unreachable_if(to, exact, ASK_OUTSIDE, "every number is a register's");
    ls_unreachable_if(to, cfg->incs == 1, OVER, "one +1 port: a count gets full exactly");
    ls_unreachable_if(to, cfg->decs < cfg->frees, FREE_ALL, "fewer die in a cycle than can be offered");
    ls_unreachable_if(to, cfg->pregs < cfg->frees, FREE_ALL, "there are fewer registers than can be offered");
    ls_unreachable_if(to, cfg->decs <= cfg->frees, MORE, "all that die in a cycle are offered in the next");
    ls_unreachable_if(to, cfg->pregs <= cfg->frees, MORE, "all registers can be offered at once");
    ls_unreachable_if(to, cfg->decs <= cfg->frees, REVIVED, "all that die in a cycle are offered in the next");
    ls_unreachable_if(to, cfg->pregs <= cfg->frees, REVIVED, "all registers can be offered at once");
    ls_unreachable_if(to, cfg->frees == 1, SAME_WORD, "one is offered at a time");
    ls_unreachable_if(to, cfg->decs == 1, SAME_WORD, "one dies in a cycle, and is offered in the next");
    ls_unreachable_if(to, cfg->frees == 1, WORDS, "one is offered at a time");
    ls_unreachable_if(to, cfg->decs == 1, WORDS, "one dies in a cycle, and is offered in the next");
    ls_unreachable_if(to, cfg->pregs <= 64, WORDS, "there is one word");
    ls_unreachable_if(to, cfg->decs == 1, DIES_TWO, "one -1 port");
}

#define SMALL "PREGS=12 INCS=3 DECS=3 COUNTW=3"
static const ls_fault faults[] = {
    {"every request has a place of its own", NULL, "valid[p] && (same & BELOW) == '0", "valid[p]", "place_q", SMALL},
    {"a port that does not ask takes the place", NULL, "same       = ~miss & valid", "same       = ~miss", "place_q", SMALL},
    {"the highest bit of a number is not compared", NULL, "k < REG_W; k++) miss", "k < REG_W-1; k++) miss", "place_q", SMALL},
    {"+1 of a register that does not exist", NULL, "inc_i[i] && {1'b0, asked[i]} < (REG_W+1)'(PREGS)", "inc_i[i]", "place_q",
     SMALL},
    {"-1 of a register that does not exist", NULL, "dec_i[d] && {1'b0, asked[INCS+d]} < (REG_W+1)'(PREGS)", "dec_i[d]", "place_q",
     SMALL},
    {"an empty place keeps the number asked for", NULL, "place_d[p] ? asked[p] : '0", "asked[p]", "reg_q", SMALL},
    {"an empty place has a sum", NULL, "place_d[p] ? 6'(", "valid[p] ? 6'(", "delta_q", SMALL},
    {"requests are not merged", NULL, "$countones(same ^ IS_DEC)", "$countones((same & (PLACES'(1) << p)) ^ IS_DEC)", "delta_q",
     SMALL},
    {"-1 does not count", NULL, "$countones(same ^ IS_DEC)) - ALL_DEC", "$countones(same & ~IS_DEC))", "delta_q", SMALL},
    {"-1 counts up", NULL, "$countones(same ^ IS_DEC)) - ALL_DEC", "$countones(same))", "delta_q", SMALL},
    {"a full count is counted down", NULL, "(old == FULL) ? FULL : ", "", "count_q", SMALL},
    {"a sum above full wraps", NULL, "(sum[SUM_W-2:COUNTW] != '0) ? FULL : ", "", "count_q", SMALL},
    {"a sum below 0 is full", NULL, "sum[SUM_W-1] ? '0 : ", "", "count_q", SMALL},
    {"a sum of -1 is 63", NULL, "{delta_q[p][5]}", "{1'b0}", "count_q", SMALL},
    {"one below full gets full with a sum of 0", NULL, "(old == FULL) ? FULL",
     "(old == FULL || (old == FULL - 1'b1 && delta_q[p] == '0)) ? FULL", "count_q", NULL},
    {"the carry into the highest bit is lost", NULL, "sum[COUNTW-1:0];",
     "{sum[COUNTW-1] && (old[COUNTW-1] || delta_q[p] != 6'd1), sum[COUNTW-2:0]};", "count_q", NULL},
    {"the borrow from the highest bit is lost", NULL, "sum[COUNTW-1:0];",
     "{sum[COUNTW-1] || (old[COUNTW-1] && &delta_q[p]), sum[COUNTW-2:0]};", "count_q", NULL},
    {"full is one less", NULL, "FULL    = {COUNTW{1'b1}}", "FULL    = {{(COUNTW-1){1'b1}}, 1'b0}", "count_q", SMALL},
    {"a count is looked at with what is to come", NULL, "count_q[at] == COUNTW'(1)",
     "count_q[at] + COUNTW'({place_q[0] && reg_q[0] == at}) == COUNTW'(1)", "one", SMALL},
    {"a count of 0 is one of 1", NULL, "count_q[at] == COUNTW'(1)", "count_q[at] <= COUNTW'(1)", "one", SMALL},
    {"a register that does not exist has one reference", NULL, "{1'b0, at} < (REG_W+1)'(PREGS) && count_q",
     "{1'b0, at} >= (REG_W+1)'(PREGS) || count_q", "one", SMALL},
    {"a sum of 0 does not mark", NULL, "place_q[p] && count_d[p] == '0", "place_q[p] && count_d[p] == '0 && delta_q[p] != '0",
     "dead_q", SMALL},
    {"marked with one reference left", NULL, "count_d[p] == '0", "count_d[p] <= COUNTW'(1)", "dead_q", SMALL},
    {"a mark is lost while its register is offered", NULL, "if (dies[p]) dead_q",
     "if (dies[p] && !(free_o[0] && free_reg_o[REG_W-1:0] == reg_q[p])) dead_q", "dead_q", SMALL},
    {"an offered register keeps its mark on port 1", NULL, "if (free_o[f]) dead_q", "if (free_o[f] && f == 0) dead_q", "dead_q",
     SMALL},
    {"a word is offered from once a cycle", NULL, "(rest != '0) ? gen_free[f-1].words : ", "", "free", SMALL},
    {"several of a word at once", NULL, "first = `RF_LOWEST(dead)", "first = dead", "free_reg", SMALL " FREES=1"},
    {"several words at once", NULL, "word  = `RF_LOWEST(words)", "word  = words", "free_reg", "PREGS=256 INCS=2 DECS=2 FREES=1"},
    {"the word is not in the number", NULL, "REG_W'({at_word, at_bit})", "REG_W'(at_bit)", "free_reg", "PREGS=128 INCS=2 DECS=2"},
    {"a mark goes to the word below", NULL, "WORD_W'({reg_q[p] >> BIT_W})", "WORD_W'(0)", "dead_q", "PREGS=128 INCS=2 DECS=2"},
    {"reset leaves the last count", NULL, "c < PREGS; c++) count_q", "c < PREGS-1; c++) count_q", "count_q", SMALL},
    {"a request beats reset", NULL, "if (!rst_ni) begin", "if (!rst_ni && inc_i == '0) begin", "place_q", SMALL},
    {0},
};

static const char *const sets[] = {"",
                                   "PREGS=2 INCS=1 DECS=1 FREES=1 ASKS=1 COUNTW=2",
                                   "PREGS=16 INCS=3 DECS=2 FREES=4 ASKS=4 COUNTW=3",
                                   "PREGS=65 INCS=3 DECS=3 FREES=3 COUNTW=4", /* one register more than a word has bits */
                                   "PREGS=100 INCS=6 DECS=6 FREES=1 COUNTW=6",
                                   "PREGS=1000 INCS=24 DECS=24 FREES=4 COUNTW=12",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_refcount
#define LS_GROUP "wir"
#define LS_BRIEF "reference counts of the physical registers"
#define LS_FIELDS "tb/wir/rf_refcount.fields"
#define LS_UNREACHABLE
#define LS_OBSERVE
#define LS_STEP
#include "harness/core/unit_define.h"
