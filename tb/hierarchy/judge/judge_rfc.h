/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model of rf_rfc, written from its contract: the L1 is a shelf of boxes, newest in front [hierarchy 4.1]. A box that is
 * used goes to the front, what is new takes the last one; the rank of an entry is where its box stands. */
#ifndef RF_JUDGE_RFC_H
#define RF_JUDGE_RFC_H

#include "cmodel/hierarchy/rf_rfc.h"

#include "tb/common/judge/judge.h"

#define BOXES 8u
#define TOP 8u      /* number of the L0's box */
#define NOWHERE 99u /* no box */

typedef struct box {
    uint32_t number;                   /* entry of the L1, or TOP */
    bool valid, dead;                  /* dead: valid, and read for the last time */
    uint32_t reg, value[RF_LANES_MAX]; /* also of a box that is no longer valid */
} box;

typedef struct slow_rfc {
    rf_rfc_cfg cfg;
    box shelf[BOXES]; /* the L1, newest first */
    box top;          /* the L0 */
} slow_rfc;

/* What goes to the MRF. */
typedef struct transfer {
    bool any, entry;
    uint32_t reg, mask, value[RF_LANES_MAX];
} transfer;

typedef struct slow_answer {
    uint32_t where[RF_SLOTS_MAX]; /* per slot: number of the box that has its source */
    uint32_t data[RF_SLOTS_MAX][RF_LANES_MAX];
    transfer mrf;
    bool holds;
} slow_answer;

static inline void copy_lanes(uint32_t *to, const uint32_t *from) {
    for (uint32_t l = 0; l < RF_LANES_MAX; l++) to[l] = from[l];
}

static inline void slow_reset(slow_rfc *s) {
    memset(s->shelf, 0, sizeof s->shelf);
    memset(&s->top, 0, sizeof s->top);
    s->top.number = TOP;
    for (uint32_t place = 0; place < s->cfg.entries; place++) s->shelf[place].number = s->cfg.entries - 1 - place;
}

/* Where the box with this number stands on the shelf. */
static inline uint32_t place_of(const slow_rfc *s, uint32_t number) {
    uint32_t place = 0;
    while (s->shelf[place].number != number) place++;
    return place;
}

static inline box *numbered(slow_rfc *s, uint32_t number) { return number == TOP ? &s->top : &s->shelf[place_of(s, number)]; }

/* The number of the valid box of a register, NOWHERE without one. */
static inline uint32_t find(const slow_rfc *s, uint32_t reg) {
    if (s->top.valid && s->top.reg == reg) return TOP;
    for (uint32_t place = 0; place < s->cfg.entries; place++)
        if (s->shelf[place].valid && s->shelf[place].reg == reg) return s->shelf[place].number;
    return NOWHERE;
}

/* Nothing is in the box any more; register and value stay. */
static inline void empty(box *b) { b->valid = b->dead = false; }

/* Somebody may read what is in the box. */
static inline bool wanted(const box *b) { return b->valid && !b->dead; }

static inline void to_front(slow_rfc *s, uint32_t place) {
    const box used = s->shelf[place];
    for (; place > 0; place--) s->shelf[place] = s->shelf[place - 1];
    s->shelf[0] = used;
}

/* LRU: a box that is used goes to the front; the L0's stands alone. */
static inline void use(slow_rfc *s, uint32_t number) {
    if (s->cfg.policy == 1 && number != TOP) to_front(s, place_of(s, number));
}

static inline uint32_t every_lane(const slow_rfc *s) {
    uint32_t mask = 0;
    for (uint32_t l = 0; l < s->cfg.lanes; l++) mask |= UINT32_C(1) << l;
    return mask;
}

static inline transfer send_box(const slow_rfc *s, const box *b) {
    transfer t = {.any = true, .entry = true, .reg = b->reg, .mask = every_lane(s)};
    copy_lanes(t.value, b->value);
    return t;
}

/* The counted reads: all of them find what was there before any of them marks it dead. */
static inline void slow_reads(slow_rfc *s, const rf_rfc_in *in) {
    uint32_t number[RF_SLOTS_MAX];
    if (!in->read) return;
    for (uint32_t k = 0; k < s->cfg.slots; k++) number[k] = judge_bit(in->rd_valid, k) ? find(s, in->rd_reg[k]) : NOWHERE;
    for (uint32_t k = 0; k < s->cfg.slots; k++)
        if (number[k] != NOWHERE) use(s, number[k]);
    for (uint32_t k = 0; k < s->cfg.slots; k++)
        if (number[k] != NOWHERE && judge_bit(in->last, k)) numbered(s, number[k])->dead = true;
}

/* The last box of the shelf takes the value and goes to the front; what was wanted in it goes to the MRF. */
static inline transfer put_on_shelf(slow_rfc *s, uint32_t reg, const uint32_t *value) {
    box *oldest = &s->shelf[s->cfg.entries - 1];
    transfer t = {0};
    if (wanted(oldest)) t = send_box(s, oldest);
    oldest->valid = true;
    oldest->dead = false;
    oldest->reg = reg;
    copy_lanes(oldest->value, value);
    to_front(s, s->cfg.entries - 1);
    return t;
}

static inline transfer slow_write(slow_rfc *s, const rf_rfc_in *in) {
    const uint32_t number = find(s, in->wr_reg);
    const bool full = in->wr_mask == every_lane(s), high = s->cfg.l0 == 1 && !in->low;
    transfer t = {0};
    if (!full && number != NOWHERE) {
        box *own = numbered(s, number);
        for (uint32_t l = 0; l < s->cfg.lanes; l++)
            if (judge_bit(in->wr_mask, l)) own->value[l] = in->wr_data.lane[l];
        own->dead = false;
        use(s, number);
        return t;
    }
    if (in->around || !full) {
        t = (transfer){.any = true, .reg = in->wr_reg, .mask = in->wr_mask};
        copy_lanes(t.value, in->wr_data.lane);
        if (number != NOWHERE) empty(numbered(s, number));
        return t;
    }
    if (number != NOWHERE && (number == TOP) == high) {
        copy_lanes(numbered(s, number)->value, in->wr_data.lane);
        numbered(s, number)->dead = false;
        use(s, number);
        return t;
    }
    if (number != NOWHERE) empty(numbered(s, number));
    if (!high) return put_on_shelf(s, in->wr_reg, in->wr_data.lane);
    if (wanted(&s->top)) t = put_on_shelf(s, s->top.reg, s->top.value);
    s->top.valid = true;
    s->top.dead = false;
    s->top.reg = in->wr_reg;
    copy_lanes(s->top.value, in->wr_data.lane);
    return t;
}

static inline uint32_t valid_boxes(const slow_rfc *s) {
    uint32_t valid = s->top.valid;
    for (uint32_t place = 0; place < s->cfg.entries; place++) valid += s->shelf[place].valid;
    return valid;
}

/* The number of the box that a flush writes back next. */
static inline uint32_t next_out(slow_rfc *s) {
    if (wanted(&s->top)) return TOP;
    for (uint32_t number = 0; number < s->cfg.entries; number++)
        if (wanted(numbered(s, number))) return number;
    return NOWHERE;
}

/* Whatever is dead goes without a transfer. */
static inline transfer slow_flush(slow_rfc *s) {
    const uint32_t number = next_out(s);
    transfer t = {0};
    if (number != NOWHERE) {
        t = send_box(s, numbered(s, number));
        empty(numbered(s, number));
    }
    if (s->top.dead) empty(&s->top);
    for (uint32_t place = 0; place < s->cfg.entries; place++)
        if (s->shelf[place].dead) empty(&s->shelf[place]);
    return t;
}

/* One cycle: what the outputs are, and the state behind the edge. */
static inline void slow_step(slow_rfc *s, const rf_rfc_in *in, slow_answer *a) {
    slow_rfc done;
    memset(a, 0, sizeof *a);
    a->holds = valid_boxes(s) > 0;
    for (uint32_t k = 0; k < RF_SLOTS_MAX; k++) {
        a->where[k] = k < s->cfg.slots && judge_bit(in->rd_valid, k) ? find(s, in->rd_reg[k]) : NOWHERE;
        if (a->where[k] != NOWHERE) copy_lanes(a->data[k], numbered(s, a->where[k])->value);
    }
    slow_reads(s, in);
    done = *s;
    if (in->write) a->mrf = slow_write(&done, in);
    else if (in->flush) a->mrf = slow_flush(&done);
    if (in->take) *s = done;
}

static inline void compare_out(judge *j, const slow_answer *a, const rf_rfc_out *out) {
    bool hit[RF_SLOTS_MAX], hit_l0[RF_SLOTS_MAX];
    for (uint32_t k = 0; k < RF_SLOTS_MAX; k++) {
        hit[k] = a->where[k] != NOWHERE;
        hit_l0[k] = a->where[k] == TOP;
        judge_words(j, "rd_data", k, out->rd_data[k].lane, a->data[k], RF_LANES_MAX);
    }
    judge_equal(j, "hit", 0, out->hit, judge_pack(hit, RF_SLOTS_MAX));
    judge_equal(j, "hit_l0", 0, out->hit_l0, judge_pack(hit_l0, RF_SLOTS_MAX));
    judge_equal(j, "mrf_valid", 0, out->mrf_valid, a->mrf.any);
    judge_equal(j, "mrf_entry", 0, out->mrf_entry, a->mrf.entry);
    judge_equal(j, "mrf_reg", 0, out->mrf_reg, a->mrf.reg);
    judge_equal(j, "mrf_mask", 0, out->mrf_mask, a->mrf.mask);
    judge_words(j, "mrf_data", 0, out->mrf_data.lane, a->mrf.value, RF_LANES_MAX);
    judge_equal(j, "holds", 0, out->holds, a->holds);
}

static inline void compare_state(judge *j, const slow_rfc *s, const rf_rfc *m) {
    bool valid[BOXES] = {false}, dead[BOXES] = {false};
    for (uint32_t place = 0; place < s->cfg.entries; place++) {
        const box *b = &s->shelf[place];
        valid[b->number] = b->valid;
        dead[b->number] = b->dead;
        judge_equal(j, "reg_q", b->number, m->reg_q[b->number], b->reg);
        judge_equal(j, "rank_q", b->number, m->rank_q[b->number], place);
        judge_words(j, "data_q", b->number, m->data_q[b->number].lane, b->value, RF_LANES_MAX);
    }
    judge_equal(j, "valid_q", 0, m->valid_q, judge_pack(valid, BOXES));
    judge_equal(j, "dead_q", 0, m->dead_q, judge_pack(dead, BOXES));
    judge_equal(j, "l0_valid_q", 0, m->l0_valid_q, s->top.valid);
    judge_equal(j, "l0_dead_q", 0, m->l0_dead_q, s->top.dead);
    judge_equal(j, "l0_reg_q", 0, m->l0_reg_q, s->top.reg);
    judge_words(j, "l0_data_q", 0, m->l0_data_q.lane, s->top.value, RF_LANES_MAX);
}

/* What holds whatever happened: a register has one valid entry at most, in both levels together; each rank is there once;
 * what is dead is valid. */
static inline void check_entries(judge *j, const rf_rfc *m) {
    const uint32_t n = m->cfg.entries;
    judge_equal(j, "dead and not valid", 0, (m->dead_q & ~m->valid_q) != 0 || m->l0_dead_q > m->l0_valid_q, false);
    for (uint32_t e = 0; e < n; e++) {
        uint32_t ranks = 0, twins = 0;
        for (uint32_t other = 0; other < n; other++) {
            ranks += m->rank_q[other] == e;
            twins += other < e && judge_bit(m->valid_q, other) && m->reg_q[other] == m->reg_q[e];
        }
        twins += m->l0_valid_q && m->l0_reg_q == m->reg_q[e];
        judge_equal(j, "entries of one rank", e, ranks, 1);
        judge_equal(j, "other entries with the register", e, judge_bit(m->valid_q, e) ? twins : 0, 0);
    }
}

static inline void start(judge *j, uint64_t seed, rf_rfc *m, slow_rfc *s, const rf_rfc_cfg *cfg) {
    judge_begin(j, seed,
                "rf_rfc entries=%" PRIu32 " l0=%" PRIu32 " policy=%" PRIu32 " regs=%" PRIu32 " lanes=%" PRIu32 " slots=%" PRIu32,
                cfg->entries, cfg->l0, cfg->policy, cfg->regs, cfg->lanes, cfg->slots);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_rfc_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    s->cfg = *cfg;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb must leave the model alone, and none of its outputs depends on `take`. */
static inline void step(judge *j, rf_rfc *m, slow_rfc *s, const rf_rfc_in *in, rf_rfc_out *out) {
    rf_rfc before;
    rf_rfc_in other = *in;
    rf_rfc_out again;
    slow_answer a;
    memcpy(&before, m, sizeof before);
    memset(out, 0xa5, sizeof *out);
    rf_rfc_comb(m, in, out);
    assert_memory_equal(&before, m, sizeof before);
    other.take = !in->take;
    memset(&again, 0xa5, sizeof again);
    rf_rfc_comb(m, &other, &again);
    assert_memory_equal(&again, out, sizeof again);
    slow_step(s, in, &a);
    compare_out(j, &a, out);
    JUDGE_CLOCK(rf_rfc, m, in);
    compare_state(j, s, m);
    check_entries(j, m);
    j->cycle++;
}

#endif
