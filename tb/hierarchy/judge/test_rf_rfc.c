/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_rfc: the slow model keeps the L1 as a shelf of boxes, newest in front [hierarchy 4.1]. A box that is used goes to
 * the front, what is new takes the last one; the rank of an entry is where its box stands. Beside it, what a write-back cache is
 * for, whatever a slow model says: who looks into the RFC and then into the MRF finds the newest value. */
#include "cmodel/hierarchy/rf_rfc.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_rfc_unit;

#define BOXES 8u
#define TOP 8u      /* number of the L0's box */
#define NOWHERE 99u /* no box */

typedef struct box {
    uint32_t number; /* entry of the L1, or TOP */
    bool live;
    uint32_t reg, value[RF_LANES_MAX]; /* also of a box that is no longer live */
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

/* clang-format off */
#define SEEN(X) \
    X(HIT_L1, "hit in the L1") \
    X(HIT_L0, "hit in the L0") \
    X(HIT_BOTH, "one instruction hits both levels") \
    X(HIT_TWICE, "two slots hit one entry") \
    X(HIT_BEYOND, "hit of a register that does not exist") \
    X(HIT_WRITTEN, "hit of the register that is written in this cycle") \
    X(MISS, "miss") \
    X(MISS_FREED, "miss of a register that a freed entry names") \
    X(NO_SOURCE, "a slot without a source names a register that is there") \
    X(UNCOUNTED, "a hit for the last time that is not counted") \
    X(LAST_L1, "last read of an entry of the L1") \
    X(LAST_L0, "last read of the L0") \
    X(LAST_MISS, "last read of a register that is not there") \
    X(LAST_MUTE, "a last read of a slot without a source") \
    X(LAST_ONE, "two slots hit one entry, one of them for the last time") \
    X(READ_TOUCH, "LRU: a read makes an entry the newest") \
    X(READ_ORDER, "LRU: two slots read two entries") \
    X(READ_FIFO, "FIFO: a read of an entry that is not the newest") \
    X(LAST_TOUCH, "LRU: an entry is read for the last time and was not the newest") \
    X(MERGE_L1, "lanes are merged into an entry of the L1") \
    X(MERGE_L0, "lanes are merged into the L0") \
    X(MERGE_LOW, "lanes are merged into the L0 although the result is low") \
    X(MERGE_AROUND, "lanes are merged although the result goes around") \
    X(MERGE_EMPTY, "a write of no lane to a register that is there") \
    X(MERGE_TOUCH, "LRU: a merge makes an entry the newest") \
    X(MERGE_FIFO, "FIFO: a merge into an entry that is not the newest") \
    X(PARTIAL, "a result of some lanes goes to the MRF") \
    X(PARTIAL_EMPTY, "a result of no lane goes to the MRF") \
    X(PARTIAL_FREED, "a result of some lanes goes to the MRF as its entry is freed by a read") \
    X(AROUND, "a whole result goes around") \
    X(AROUND_L1, "a whole result goes around and frees an entry of the L1") \
    X(AROUND_L0, "a whole result goes around and frees the L0") \
    X(OVER_L1, "a register is overwritten in the L1") \
    X(OVER_L0, "a register is overwritten in the L0") \
    X(OVER_TOUCH, "LRU: an overwritten entry becomes the newest") \
    X(OVER_FIFO, "FIFO: an overwritten entry keeps its place") \
    X(DOWN, "a low result of a register that the L0 has") \
    X(UP, "a result of a register that the L1 has goes to the L0") \
    X(UP_FREE, "... and the L0 is not valid") \
    X(UP_OLDEST, "... and the L1's oldest, freed, takes the L0's value") \
    X(NEW_L1, "a result takes an entry of the L1 that is not valid") \
    X(NEW_EVICTS, "a result takes an entry of the L1, whose value goes to the MRF") \
    X(NEW_HOLE, "the oldest goes to the MRF although another entry is not valid") \
    X(NEW_L0, "a result takes the L0, which is not valid") \
    X(MOVE, "a result takes the L0, whose value takes an entry that is not valid") \
    X(MOVE_EVICTS, "a result takes the L0, whose value takes an entry, whose value goes to the MRF") \
    X(READ_ROOM, "a read frees the oldest, which nothing has to leave") \
    X(READ_ROOM_L0, "a read frees the L0, whose value does not move") \
    X(READ_SAVES, "LRU: a read of the oldest lets another one give way") \
    X(REWRITTEN, "a register is read for the last time and written") \
    X(WAITS, "a write that does not happen") \
    X(WAITS_READ, "a write that does not happen while a read frees an entry") \
    X(FLUSH_L0, "the L0 is flushed") \
    X(FLUSH_L1, "an entry of the L1 is flushed") \
    X(FLUSH_LOW, "the lowest of several, not the oldest, is flushed") \
    X(FLUSH_WAITS, "a flush that does not happen") \
    X(FLUSH_LAST, "the last entry is flushed") \
    X(FLUSH_READ, "a read frees what would be flushed, the next one is") \
    X(FLUSH_READ_ALL, "a read frees all that would be flushed") \
    X(FLUSH_WRITE, "a flush and a write in one cycle") \
    X(FLUSH_EMPTY, "a flush of nothing") \
    X(TAKE_NOTHING, "take without write or flush") \
    X(FULL, "all entries are valid") \
    X(RESET, "reset while an entry is valid")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

/* ---- the slow model ---- */

static void copy_lanes(uint32_t *to, const uint32_t *from) {
    for (uint32_t l = 0; l < RF_LANES_MAX; l++) to[l] = from[l];
}

static void slow_reset(slow_rfc *s) {
    memset(s->shelf, 0, sizeof s->shelf);
    memset(&s->top, 0, sizeof s->top);
    s->top.number = TOP;
    for (uint32_t place = 0; place < s->cfg.entries; place++) s->shelf[place].number = s->cfg.entries - 1 - place;
}

/* Where the box with this number stands on the shelf. */
static uint32_t place_of(const slow_rfc *s, uint32_t number) {
    uint32_t place = 0;
    while (s->shelf[place].number != number) place++;
    return place;
}

static const box *numbered(const slow_rfc *s, uint32_t number) {
    return number == TOP ? &s->top : &s->shelf[place_of(s, number)];
}

static box *own_box(slow_rfc *s, uint32_t number) { return number == TOP ? &s->top : &s->shelf[place_of(s, number)]; }

/* The number of the live box of a register, NOWHERE without one. */
static uint32_t find(const slow_rfc *s, uint32_t reg) {
    if (s->top.live && s->top.reg == reg) return TOP;
    for (uint32_t place = 0; place < s->cfg.entries; place++)
        if (s->shelf[place].live && s->shelf[place].reg == reg) return s->shelf[place].number;
    return NOWHERE;
}

static void to_front(slow_rfc *s, uint32_t place) {
    const box used = s->shelf[place];
    for (; place > 0; place--) s->shelf[place] = s->shelf[place - 1];
    s->shelf[0] = used;
}

/* LRU: a box that is used goes to the front; the L0's stands alone. */
static void use(slow_rfc *s, uint32_t number) {
    if (s->cfg.policy == 1 && number != TOP) to_front(s, place_of(s, number));
}

static uint32_t every_lane(const slow_rfc *s) {
    uint32_t mask = 0;
    for (uint32_t l = 0; l < s->cfg.lanes; l++) mask |= UINT32_C(1) << l;
    return mask;
}

static transfer send_box(const slow_rfc *s, const box *b) {
    transfer t = {.any = true, .entry = true, .reg = b->reg, .mask = every_lane(s)};
    copy_lanes(t.value, b->value);
    return t;
}

/* The counted reads: all of them find what was there before any of them frees it. */
static void slow_reads(slow_rfc *s, const rf_rfc_in *in) {
    uint32_t number[RF_SLOTS_MAX];
    if (!in->read) return;
    for (uint32_t k = 0; k < s->cfg.slots; k++) number[k] = judge_bit(in->rd_valid, k) ? find(s, in->rd_reg[k]) : NOWHERE;
    for (uint32_t k = 0; k < s->cfg.slots; k++)
        if (number[k] != NOWHERE) use(s, number[k]);
    for (uint32_t k = 0; k < s->cfg.slots; k++)
        if (number[k] != NOWHERE && judge_bit(in->last, k)) own_box(s, number[k])->live = false;
}

/* The last box of the shelf takes the value and goes to the front; what was alive in it goes to the MRF. */
static transfer put_on_shelf(slow_rfc *s, uint32_t reg, const uint32_t *value) {
    box *oldest = &s->shelf[s->cfg.entries - 1];
    transfer t = {0};
    if (oldest->live) t = send_box(s, oldest);
    oldest->live = true;
    oldest->reg = reg;
    copy_lanes(oldest->value, value);
    to_front(s, s->cfg.entries - 1);
    return t;
}

static transfer slow_write(slow_rfc *s, const rf_rfc_in *in) {
    const uint32_t number = find(s, in->wr_reg);
    const bool full = in->wr_mask == every_lane(s), high = s->cfg.l0 == 1 && !in->low;
    transfer t = {0};
    if (!full && number != NOWHERE) {
        box *own = own_box(s, number);
        for (uint32_t l = 0; l < s->cfg.lanes; l++)
            if (judge_bit(in->wr_mask, l)) own->value[l] = in->wr_data.lane[l];
        use(s, number);
        return t;
    }
    if (in->around || !full) {
        t = (transfer){.any = true, .reg = in->wr_reg, .mask = in->wr_mask};
        copy_lanes(t.value, in->wr_data.lane);
        if (number != NOWHERE) own_box(s, number)->live = false;
        return t;
    }
    if (number != NOWHERE && (number == TOP) == high) {
        copy_lanes(own_box(s, number)->value, in->wr_data.lane);
        use(s, number);
        return t;
    }
    if (number != NOWHERE) own_box(s, number)->live = false;
    if (!high) return put_on_shelf(s, in->wr_reg, in->wr_data.lane);
    if (s->top.live) t = put_on_shelf(s, s->top.reg, s->top.value);
    s->top.live = true;
    s->top.reg = in->wr_reg;
    copy_lanes(s->top.value, in->wr_data.lane);
    return t;
}

/* The number of the box that a flush writes back next. */
static uint32_t next_out(const slow_rfc *s) {
    if (s->top.live) return TOP;
    for (uint32_t number = 0; number < s->cfg.entries; number++)
        if (numbered(s, number)->live) return number;
    return NOWHERE;
}

static transfer slow_flush(slow_rfc *s) {
    const uint32_t number = next_out(s);
    if (number == NOWHERE) return (transfer){0};
    own_box(s, number)->live = false;
    return send_box(s, numbered(s, number));
}

/* One cycle: what the outputs are, and the state behind the edge. */
static void slow_step(slow_rfc *s, const rf_rfc_in *in, slow_answer *a) {
    slow_rfc done;
    memset(a, 0, sizeof *a);
    a->holds = next_out(s) != NOWHERE;
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

/* ---- the comparison ---- */

static void compare_out(judge *j, const slow_answer *a, const rf_rfc_out *out) {
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

static void compare_state(judge *j, const slow_rfc *s, const rf_rfc *m) {
    bool valid[BOXES] = {false};
    for (uint32_t place = 0; place < s->cfg.entries; place++) {
        const box *b = &s->shelf[place];
        valid[b->number] = b->live;
        judge_equal(j, "reg_q", b->number, m->reg_q[b->number], b->reg);
        judge_equal(j, "rank_q", b->number, m->rank_q[b->number], place);
        judge_words(j, "data_q", b->number, m->data_q[b->number].lane, b->value, RF_LANES_MAX);
    }
    judge_equal(j, "valid_q", 0, m->valid_q, judge_pack(valid, BOXES));
    judge_equal(j, "l0_valid_q", 0, m->l0_valid_q, s->top.live);
    judge_equal(j, "l0_reg_q", 0, m->l0_reg_q, s->top.reg);
    judge_words(j, "l0_data_q", 0, m->l0_data_q.lane, s->top.value, RF_LANES_MAX);
}

/* What holds whatever happened: a register has one valid entry at most, in both levels together; each rank is there once. */
static void check_entries(judge *j, const rf_rfc *m) {
    const uint32_t n = m->cfg.entries;
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

static void start(judge *j, uint64_t seed, rf_rfc *m, slow_rfc *s, const rf_rfc_cfg *cfg) {
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
static void step(judge *j, rf_rfc *m, slow_rfc *s, const rf_rfc_in *in, rf_rfc_out *out) {
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

/* ---- what a cycle is ---- */

/* Whether a box of the register is not live any more. */
static bool freed_names(const slow_rfc *s, uint32_t reg) {
    bool found = s->cfg.l0 == 1 && !s->top.live && s->top.reg == reg;
    for (uint32_t place = 0; place < s->cfg.entries; place++)
        found = found || (!s->shelf[place].live && s->shelf[place].reg == reg);
    return found && find(s, reg) == NOWHERE && reg != 0;
}

static uint32_t live_boxes(const slow_rfc *s) {
    uint32_t live = s->top.live;
    for (uint32_t place = 0; place < s->cfg.entries; place++) live += s->shelf[place].live;
    return live;
}

static void count_reads(const slow_rfc *s, const rf_rfc_in *in, uint64_t *seen) {
    const bool lru = s->cfg.policy == 1;
    uint32_t in_top = 0, on_shelf = 0, first = NOWHERE;
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        const uint32_t reg = in->rd_reg[k], number = find(s, reg);
        const bool there = number != NOWHERE, last = judge_bit(in->last, k), source = judge_bit(in->rd_valid, k);
        if (!source) {
            seen[NO_SOURCE] += there;
            seen[LAST_MUTE] += in->read && there && last;
            continue;
        }
        seen[MISS] += !there;
        seen[MISS_FREED] += freed_names(s, reg);
        seen[LAST_MISS] += in->read && last && !there;
        if (!there) continue;
        const bool back = number != TOP && place_of(s, number) > 0;
        in_top += number == TOP;
        on_shelf += number != TOP;
        seen[HIT_L1] += number != TOP;
        seen[HIT_L0] += number == TOP;
        seen[HIT_BEYOND] += reg >= s->cfg.regs;
        seen[HIT_WRITTEN] += in->write && in->take && in->wr_reg == reg && in->wr_mask != 0;
        seen[UNCOUNTED] += !in->read && last;
        seen[LAST_L1] += in->read && last && number != TOP;
        seen[LAST_L0] += in->read && last && number == TOP;
        seen[READ_TOUCH] += in->read && back && lru;
        seen[READ_FIFO] += in->read && back && !lru;
        seen[LAST_TOUCH] += in->read && back && lru && last;
        seen[READ_ORDER] += in->read && lru && number != TOP && first != NOWHERE && first != number;
        seen[REWRITTEN] += in->read && last && in->write && in->take && in->wr_reg == reg && in->wr_mask == every_lane(s);
        if (number != TOP) first = number;
        for (uint32_t low = 0; low < k; low++) {
            const bool twin = judge_bit(in->rd_valid, low) && in->rd_reg[low] == reg;
            seen[HIT_TWICE] += twin;
            seen[LAST_ONE] += in->read && twin && judge_bit(in->last, low) != last;
        }
    }
    seen[HIT_BOTH] += in_top > 0 && on_shelf > 0;
}

/* `s`: as the reads left it; `before`: as they found it. */
static void count_write(const slow_rfc *before, const slow_rfc *s, const rf_rfc_in *in, uint64_t *seen) {
    const uint32_t number = find(s, in->wr_reg), old = find(before, in->wr_reg), all = every_lane(s);
    const bool there = number != NOWHERE, full = in->wr_mask == all, high = s->cfg.l0 == 1 && !in->low, lru = s->cfg.policy == 1;
    const bool back = there && number != TOP && place_of(s, number) > 0, freed = old != NOWHERE && !there;
    const box *oldest = &s->shelf[s->cfg.entries - 1], *was = numbered(before, oldest->number);
    const box *due = &before->shelf[s->cfg.entries - 1]; /* that would have been the oldest without the reads */
    seen[WAITS] += !in->take;
    seen[WAITS_READ] += !in->take && live_boxes(s) != live_boxes(before);
    if (!in->take) return;
    if (!full) {
        seen[MERGE_L1] += there && number != TOP && in->wr_mask != 0;
        seen[MERGE_L0] += number == TOP && in->wr_mask != 0;
        seen[MERGE_LOW] += number == TOP && in->low && in->wr_mask != 0;
        seen[MERGE_AROUND] += there && in->around && in->wr_mask != 0;
        seen[MERGE_EMPTY] += there && in->wr_mask == 0;
        seen[MERGE_TOUCH] += back && lru;
        seen[MERGE_FIFO] += back && !lru;
        seen[PARTIAL] += !there && in->wr_mask != 0;
        seen[PARTIAL_EMPTY] += !there && in->wr_mask == 0;
        seen[PARTIAL_FREED] += freed;
        return;
    }
    if (in->around) {
        seen[AROUND] += !there;
        seen[AROUND_L1] += there && number != TOP;
        seen[AROUND_L0] += number == TOP;
        return;
    }
    if (there && (number == TOP) == high) {
        seen[OVER_L1] += number != TOP;
        seen[OVER_L0] += number == TOP;
        seen[OVER_TOUCH] += back && lru;
        seen[OVER_FIFO] += back && !lru;
        return;
    }
    const bool shelved = !high || s->top.live;                    /* a box of the shelf is taken */
    const bool leaves = oldest->live && oldest->number != number; /* ... and what is in it goes to the MRF */
    seen[DOWN] += there && !high;
    seen[UP] += there && high && s->top.live;
    seen[UP_FREE] += there && high && !s->top.live;
    seen[UP_OLDEST] += there && high && s->top.live && number == oldest->number;
    seen[NEW_L1] += !high && !oldest->live;
    seen[NEW_EVICTS] += !high && leaves;
    seen[NEW_HOLE] += shelved && leaves && live_boxes(s) - s->top.live < s->cfg.entries;
    seen[NEW_L0] += high && !s->top.live && !there;
    seen[MOVE] += high && s->top.live && !oldest->live;
    seen[MOVE_EVICTS] += high && s->top.live && leaves;
    seen[READ_ROOM] += shelved && was->live && !oldest->live;
    seen[READ_ROOM_L0] += high && before->top.live && !s->top.live;
    seen[READ_SAVES] += shelved && leaves && lru && due->number != oldest->number && numbered(s, due->number)->live;
}

static void count_flush(const slow_rfc *before, const slow_rfc *s, const rf_rfc_in *in, uint64_t *seen) {
    const uint32_t number = next_out(s), old = next_out(before);
    seen[FLUSH_WAITS] += !in->take && number != NOWHERE;
    seen[FLUSH_EMPTY] += in->take && old == NOWHERE;
    seen[FLUSH_READ] += in->take && number != NOWHERE && number != old;
    seen[FLUSH_READ_ALL] += in->take && number == NOWHERE && old != NOWHERE;
    if (!in->take || number == NOWHERE) return;
    seen[FLUSH_L0] += number == TOP;
    seen[FLUSH_L1] += number != TOP;
    seen[FLUSH_LAST] += live_boxes(s) == 1;
    for (uint32_t place = 0; place < s->cfg.entries && number != TOP; place++)
        seen[FLUSH_LOW] += place > place_of(s, number) && s->shelf[place].live;
}

static void count(const slow_rfc *s, const rf_rfc_in *in, uint64_t *seen) {
    static slow_rfc read;
    read = *s;
    slow_reads(&read, in);
    count_reads(s, in, seen);
    if (in->write) count_write(s, &read, in, seen);
    else if (in->flush) count_flush(s, &read, in, seen);
    seen[FLUSH_WRITE] += in->write && in->flush && in->take;
    seen[TAKE_NOTHING] += in->take && !in->write && !in->flush && next_out(s) != NOWHERE;
    seen[FULL] += live_boxes(s) == s->cfg.entries + s->cfg.l0;
}

/* ---- traffic ---- */

/* A working set of registers that changes, and how busy the ports are, in 256ths. */
typedef struct traffic {
    ls_rng rng;
    uint32_t pool[24], used;
    uint32_t read, source, last, write, full, around, low, flush, take;
} traffic;

static void new_phase(traffic *t, const rf_rfc_cfg *cfg) {
    ls_rng *rng = &t->rng;
    t->used = 1 + ls_rng_below(rng, 2 * cfg->entries + 4);
    for (uint32_t i = 0; i < t->used; i++)
        t->pool[i] = ls_rng_below(rng, ls_rng_chance(rng, 240) ? cfg->regs : judge_codes(cfg->regs));
    t->read = ls_rng_below(rng, 257);
    t->source = 64 + ls_rng_below(rng, 193);
    t->last = ls_rng_chance(rng, 96) ? 0 : ls_rng_below(rng, 128);
    t->write = ls_rng_chance(rng, 64) ? 256 : ls_rng_below(rng, 257);
    t->full = ls_rng_chance(rng, 64) ? 256 : 64 + ls_rng_below(rng, 193);
    t->around = ls_rng_chance(rng, 64) ? 0 : ls_rng_below(rng, 96);
    t->low = ls_rng_chance(rng, 64) ? 0 : ls_rng_below(rng, 257);
    t->flush = ls_rng_chance(rng, 128) ? 0 : ls_rng_below(rng, 257);
    t->take = ls_rng_chance(rng, 64) ? 256 : 32 + ls_rng_below(rng, 225);
}

static uint8_t some_reg(traffic *t, const rf_rfc_cfg *cfg) {
    if (ls_rng_chance(&t->rng, 4)) return (uint8_t)ls_rng_below(&t->rng, judge_codes(cfg->regs));
    return (uint8_t)t->pool[ls_rng_below(&t->rng, t->used)];
}

static void next_inputs(traffic *t, const rf_rfc_cfg *cfg, rf_rfc_in *in) {
    ls_rng *rng = &t->rng;
    memset(in, 0, sizeof *in);
    in->read = ls_rng_chance(rng, t->read);
    in->rd_valid = (uint8_t)ls_rng_bits(rng, cfg->slots, t->source);
    in->last = (uint8_t)ls_rng_bits(rng, cfg->slots, t->last);
    for (uint32_t k = 0; k < cfg->slots; k++) in->rd_reg[k] = some_reg(t, cfg);
    in->write = ls_rng_chance(rng, t->write);
    in->wr_reg = ls_rng_chance(rng, 48) ? in->rd_reg[ls_rng_below(rng, cfg->slots)] : some_reg(t, cfg);
    in->wr_mask = (uint32_t)ls_mask(cfg->lanes);
    if (!ls_rng_chance(rng, t->full)) in->wr_mask = (uint32_t)ls_rng_value(rng, cfg->lanes);
    if (ls_rng_chance(rng, 6)) in->wr_mask = 0;
    for (uint32_t l = 0; l < cfg->lanes; l++) in->wr_data.lane[l] = (uint32_t)ls_rng_u64(rng);
    in->around = ls_rng_chance(rng, t->around);
    in->low = ls_rng_chance(rng, t->low);
    in->flush = ls_rng_chance(rng, t->flush);
    in->take = ls_rng_chance(rng, t->take);
}

/* Every number of entries, with and without an L0, of both policies; the other sizes go round. */
#define CONFIGS 32u
static rf_rfc_cfg config(uint32_t i) {
    static const uint32_t lanes[] = {2, 1, 3, 32, 5, 1, 31, 4, 2}, regs[] = {16, 5, 2, 64, 33, 256, 12, 1, 8, 20, 7};
    return (rf_rfc_cfg){.entries = 1 + i % 8,
                        .l0 = i / 8 % 2,
                        .policy = i / 16,
                        .regs = regs[i % (sizeof regs / sizeof *regs)],
                        .lanes = lanes[i % (sizeof lanes / sizeof *lanes)],
                        .slots = 1 + (i * 3 + i / 8) % 8};
}

static void run(const rf_rfc_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    static rf_rfc m;
    static slow_rfc s;
    judge j;
    traffic t;
    rf_rfc_in in;
    rf_rfc_out out;
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&t.rng, seed);
    while (j.cycle < cycles) {
        if (j.cycle % 64 == 0) new_phase(&t, cfg);
        next_inputs(&t, cfg, &in);
        count(&s, &in, seen);
        step(&j, &m, &s, &in, &out);
        if (ls_rng_below(&t.rng, 1024) != 0) continue;
        seen[RESET] += live_boxes(&s) != 0;
        rf_rfc_reset(&m);
        slow_reset(&s);
        compare_state(&j, &s, &m);
    }
    judge_passes(&j);
}

static void random_traffic_of_every_size_and_policy(void **state) {
    uint64_t seen[EVENTS] = {0};
    (void)state;
    for (uint32_t i = 0; i < CONFIGS; i++) {
        const rf_rfc_cfg cfg = config(i);
        run(&cfg, ls_seed_derive(i, "judge rf_rfc"), JUDGE_CYCLES / CONFIGS, seen);
    }
    judge_saw_all(event_names, seen, EVENTS);
}

/* ---- the property of a write-back cache ---- */

#define REACHED(X)                                                                                                               \
    X(IN_L0, "the newest value is in the L0")                                                                                    \
    X(IN_L1, "the newest value is in the L1")                                                                                    \
    X(IN_MRF, "the newest value is in the MRF")                                                                                  \
    X(MRF_OLD, "the MRF's value is older than an entry")                                                                         \
    X(NOT_READ_AGAIN, "a register whose last read has been announced, and that is lost")                                         \
    X(SOME_LANES, "a register is alive again in some lanes")                                                                     \
    X(ENTRY_OUT, "an entry goes to the MRF")                                                                                     \
    X(RESULT_OUT, "a result goes to the MRF")                                                                                    \
    X(DRAINED, "all entries have been flushed, the MRF has all that is alive")
enum { REACHED(JUDGE_NAME) REACHED_ALL };
static const char *const reached_names[REACHED_ALL] = {REACHED(JUDGE_TEXT)};

/* All registers: the newest value, which of its lanes somebody may read again, and the MRF. */
typedef struct world {
    uint32_t newest[256][RF_LANES_MAX], mrf[256][RF_LANES_MAX];
    bool alive[256][RF_LANES_MAX];
} world;

/* The edge: first the reads of this cycle, which are of older instructions, then the result. */
static void world_clock(world *w, const rf_rfc_cfg *cfg, const rf_rfc_in *in, const rf_rfc_out *out, uint64_t *seen) {
    for (uint32_t k = 0; k < cfg->slots; k++)
        for (uint32_t l = 0; l < cfg->lanes; l++)
            if (in->read && judge_bit(in->rd_valid, k) && judge_bit(in->last, k)) w->alive[in->rd_reg[k]][l] = false;
    if (!in->take) return;
    seen[ENTRY_OUT] += out->mrf_valid && out->mrf_entry;
    seen[RESULT_OUT] += out->mrf_valid && !out->mrf_entry;
    for (uint32_t l = 0; l < cfg->lanes; l++) {
        if (out->mrf_valid && judge_bit(out->mrf_mask, l)) w->mrf[out->mrf_reg][l] = out->mrf_data.lane[l];
        if (!in->write || !judge_bit(in->wr_mask, l)) continue;
        w->newest[in->wr_reg][l] = in->wr_data.lane[l];
        w->alive[in->wr_reg][l] = true;
    }
}

/* Somebody reads all registers, SLOTS in a look, and counts none of it: the unit has what it hits, the MRF the rest. */
static void world_look(judge *j, const world *w, const rf_rfc *m, uint64_t *seen) {
    const uint32_t codes = judge_codes(m->cfg.regs), slots = m->cfg.slots, lanes = m->cfg.lanes;
    rf_rfc_out out;
    for (uint32_t base = 0; base < codes; base += slots) {
        rf_rfc_in look;
        memset(&look, 0, sizeof look);
        for (uint32_t k = 0; k < slots && base + k < codes; k++) {
            look.rd_valid |= (uint8_t)(1u << k);
            look.rd_reg[k] = (uint8_t)(base + k);
        }
        rf_rfc_comb(m, &look, &out);
        for (uint32_t k = 0; k < slots && base + k < codes; k++) {
            const uint32_t reg = base + k;
            const uint32_t *found = judge_bit(out.hit, k) ? out.rd_data[k].lane : w->mrf[reg];
            bool older = false, lost = false;
            uint32_t alive = 0;
            for (uint32_t l = 0; l < lanes; l++) {
                alive += w->alive[reg][l];
                lost = lost || (!w->alive[reg][l] && found[l] != w->newest[reg][l]);
                older = older || (judge_bit(out.hit, k) && w->mrf[reg][l] != found[l]);
                if (w->alive[reg][l]) judge_equal(j, "what a reader finds", reg, found[l], w->newest[reg][l]);
            }
            seen[MRF_OLD] += older;
            seen[NOT_READ_AGAIN] += alive == 0 && lost;
            seen[SOME_LANES] += alive > 0 && lost;
            seen[IN_L0] += alive > 0 && judge_bit(out.hit_l0, k);
            seen[IN_L1] += alive > 0 && judge_bit(out.hit, k) && !judge_bit(out.hit_l0, k);
            seen[IN_MRF] += alive > 0 && !judge_bit(out.hit, k);
        }
    }
}

static void world_cycle(judge *j, world *w, rf_rfc *m, const rf_rfc_in *in, uint64_t *seen) {
    rf_rfc_out out;
    memset(&out, 0xa5, sizeof out);
    rf_rfc_comb(m, in, &out);
    world_clock(w, &m->cfg, in, &out, seen);
    rf_rfc_clock(m, in);
    world_look(j, w, m, seen);
    j->cycle++;
}

/* The slot's warp leaves: a flush until nothing is held, with a transfer for every entry. */
static void world_drain(judge *j, world *w, rf_rfc *m, traffic *t, uint64_t *seen) {
    const uint32_t entries = (uint32_t)__builtin_popcount(m->valid_q) + m->l0_valid_q;
    uint32_t taken = 0;
    for (uint32_t cycles = 0; cycles < 1000; cycles++) {
        rf_rfc_in in;
        rf_rfc_out out;
        next_inputs(t, &m->cfg, &in);
        in.write = in.read = 0;
        in.flush = 1;
        in.take = ls_rng_chance(&t->rng, 128);
        rf_rfc_comb(m, &in, &out);
        if (!out.holds) break;
        judge_equal(j, "a step of the flush sends an entry", 0, out.mrf_valid && out.mrf_entry, true);
        taken += in.take;
        world_cycle(j, w, m, &in, seen);
    }
    judge_equal(j, "steps of the flush", 0, taken, entries);
    for (uint32_t reg = 0; reg < judge_codes(m->cfg.regs); reg++)
        for (uint32_t l = 0; l < m->cfg.lanes; l++)
            if (w->alive[reg][l]) judge_equal(j, "MRF after the flush", reg, w->mrf[reg][l], w->newest[reg][l]);
    seen[DRAINED] += entries > 0;
}

static void a_reader_finds_the_newest_value_in_the_rfc_or_the_mrf(void **state) {
    static world w;
    static rf_rfc m;
    uint64_t seen[REACHED_ALL] = {0};
    (void)state;
    for (uint32_t i = 0; i < CONFIGS; i++) {
        const rf_rfc_cfg cfg = config(i);
        const uint64_t seed = ls_seed_derive(i, "judge rf_rfc property");
        judge j;
        traffic t;
        judge_begin(&j, seed, "rf_rfc property, configuration %" PRIu32, i);
        memset(&w, 0, sizeof w);
        for (uint32_t reg = 0; reg < 256; reg++) memset(w.alive[reg], true, sizeof w.alive[reg]);
        assert_int_equal(rf_rfc_init(&m, &cfg), 0);
        ls_rng_seed(&t.rng, seed);
        new_phase(&t, &cfg);
        while (j.cycle < 1500) {
            rf_rfc_in in;
            if (ls_rng_below(&t.rng, 48) == 0) new_phase(&t, &cfg);
            next_inputs(&t, &cfg, &in);
            world_cycle(&j, &w, &m, &in, seen);
            if (ls_rng_below(&t.rng, 128) == 0) world_drain(&j, &w, &m, &t, seen);
        }
        judge_passes(&j);
    }
    judge_saw_all(reached_names, seen, REACHED_ALL);
}

/* ---- each rule by itself; in all of them lane 1 is behind lane 0 by 1000 ---- */

typedef struct bench {
    judge j;
    rf_rfc m;
    slow_rfc s;
    rf_rfc_out out; /* of the last cycle */
} bench;

#define EVERY 3u /* both lanes */

static void bench_start(bench *b, uint32_t entries, uint32_t l0, uint32_t policy) {
    start(&b->j, 0, &b->m, &b->s,
          &(rf_rfc_cfg){.entries = entries, .l0 = l0, .policy = policy, .regs = 32, .lanes = 2, .slots = 3});
}

static rf_rfc_in a_write(uint32_t reg, uint32_t mask, uint32_t value) {
    rf_rfc_in in;
    memset(&in, 0, sizeof in);
    in.write = in.take = 1;
    in.wr_reg = (uint8_t)reg;
    in.wr_mask = mask;
    in.wr_data.lane[0] = value;
    in.wr_data.lane[1] = value + 1000;
    return in;
}

static rf_rfc_in a_read(uint32_t reg, bool last) {
    rf_rfc_in in;
    memset(&in, 0, sizeof in);
    in.read = 1;
    in.rd_valid = 2; /* slot 1 */
    in.rd_reg[1] = (uint8_t)reg;
    in.last = last ? 2 : 0;
    return in;
}

static void cycle(bench *b, rf_rfc_in in) { step(&b->j, &b->m, &b->s, &in, &b->out); }

/* Whole results of the L0's level (or the L1's, when there is none), register r with value 10 r. */
static void results(bench *b, uint32_t first, uint32_t last) {
    for (uint32_t reg = first; reg <= last; reg++) cycle(b, a_write(reg, EVERY, 10 * reg));
}

static void nothing_sent(const bench *b) {
    assert_int_equal(b->out.mrf_valid, 0);
    assert_int_equal(b->out.mrf_entry, 0);
    assert_int_equal(b->out.mrf_reg, 0);
    assert_int_equal(b->out.mrf_mask, 0);
    assert_int_equal(b->out.mrf_data.lane[0], 0);
    assert_int_equal(b->out.mrf_data.lane[1], 0);
}

static void sent(const bench *b, bool entry, uint32_t reg, uint32_t mask, uint32_t lane0, uint32_t lane1) {
    assert_int_equal(b->out.mrf_valid, 1);
    assert_int_equal(b->out.mrf_entry, entry);
    assert_int_equal(b->out.mrf_reg, reg);
    assert_int_equal(b->out.mrf_mask, mask);
    assert_int_equal(b->out.mrf_data.lane[0], lane0);
    assert_int_equal(b->out.mrf_data.lane[1], lane1);
}

/* Reads the register, uncounted: 0 not there, 1 in the L1, 2 in the L0, with these lanes. */
static void found(bench *b, uint32_t reg, uint32_t level, uint32_t lane0, uint32_t lane1) {
    rf_rfc_in in = a_read(reg, true);
    in.read = 0;
    cycle(b, in);
    assert_int_equal(b->out.hit, level > 0 ? 2 : 0);
    assert_int_equal(b->out.hit_l0, level == 2 ? 2 : 0);
    assert_int_equal(b->out.rd_data[1].lane[0], lane0);
    assert_int_equal(b->out.rd_data[1].lane[1], lane1);
}

/* Rule 1: never allocate a partial value, but what is there takes its lanes, even those of a result that goes around. */
static void some_lanes_are_merged_into_the_entry(void **state) {
    bench b;
    (void)state;
    bench_start(&b, 2, 1, 0);
    results(&b, 1, 2); /* 1 in the L1, 2 in the L0 */
    cycle(&b, a_write(1, 1, 77));
    nothing_sent(&b);
    found(&b, 1, 1, 77, 1010);
    rf_rfc_in in = a_write(2, 2, 88);
    in.low = in.around = 1;
    cycle(&b, in);
    nothing_sent(&b);
    found(&b, 2, 2, 20, 1088);
    cycle(&b, a_write(2, 0, 99)); /* no lane */
    nothing_sent(&b);
    found(&b, 2, 2, 20, 1088);
    judge_passes(&b.j);
}

/* Rule 2. */
static void what_takes_no_entry_goes_to_the_mrf(void **state) {
    bench b;
    (void)state;
    bench_start(&b, 2, 1, 0);
    cycle(&b, a_write(5, 2, 50)); /* inactive lanes as they come */
    sent(&b, false, 5, 2, 50, 1050);
    found(&b, 5, 0, 0, 0);
    results(&b, 1, 2);
    for (uint32_t reg = 1; reg <= 3; reg++) { /* in the L1, in the L0, nowhere */
        rf_rfc_in in = a_write(reg, EVERY, 100 * reg);
        in.around = 1;
        cycle(&b, in);
        sent(&b, false, reg, EVERY, 100 * reg, 100 * reg + 1000);
        found(&b, reg, 0, 0, 0);
    }
    assert_int_equal(b.out.holds, 0);
    judge_passes(&b.j);
}

/* Rule 3a. */
static void a_register_is_overwritten_in_its_level(void **state) {
    bench b;
    (void)state;
    bench_start(&b, 2, 1, 0);
    results(&b, 1, 2);
    cycle(&b, a_write(2, EVERY, 22));
    nothing_sent(&b);
    found(&b, 2, 2, 22, 1022);
    rf_rfc_in in = a_write(1, EVERY, 11);
    in.low = 1;
    cycle(&b, in);
    nothing_sent(&b);
    found(&b, 1, 1, 11, 1011);
    judge_passes(&b.j);
}

/* Rule 3b, into the L1: low, or without an L0. */
static void a_result_takes_the_oldest_entry(void **state) {
    bench b;
    (void)state;
    bench_start(&b, 3, 0, 0);
    for (uint32_t reg = 1; reg <= 3; reg++) {
        cycle(&b, a_write(reg, EVERY, 10 * reg));
        nothing_sent(&b);
        assert_int_equal(b.m.reg_q[reg - 1], reg); /* entry e has rank ENTRIES - 1 - e at first */
    }
    cycle(&b, a_write(4, EVERY, 40));
    sent(&b, true, 1, EVERY, 10, 1010);
    assert_int_equal(b.m.reg_q[0], 4);

    bench_start(&b, 2, 1, 0);
    cycle(&b, a_write(6, EVERY, 60));
    rf_rfc_in in = a_write(6, EVERY, 61);
    in.low = 1; /* from the L0 down into the L1 */
    cycle(&b, in);
    nothing_sent(&b);
    found(&b, 6, 1, 61, 1061);
    assert_int_equal(b.m.l0_valid_q, 0);
    assert_int_equal(b.m.l0_reg_q, 6); /* a freed entry keeps register and data */
    assert_int_equal(b.m.l0_data_q.lane[0], 60);
    judge_passes(&b.j);
}

/* Rule 3b, into the L0. */
static void the_l0_moves_into_the_l1_and_the_oldest_out(void **state) {
    bench b;
    (void)state;
    bench_start(&b, 2, 1, 0);
    results(&b, 1, 3); /* L1: 1 2, L0: 3 */
    nothing_sent(&b);
    cycle(&b, a_write(4, EVERY, 40));
    sent(&b, true, 1, EVERY, 10, 1010);
    found(&b, 3, 1, 30, 1030);
    found(&b, 4, 2, 40, 1040);
    cycle(&b, a_write(2, EVERY, 21)); /* the oldest is its own old entry: freed, not sent; 4 moves there */
    nothing_sent(&b);
    found(&b, 2, 2, 21, 1021);
    found(&b, 4, 1, 40, 1040);
    found(&b, 3, 1, 30, 1030);
    cycle(&b, a_write(4, EVERY, 41)); /* 4 is the newest: 3, the oldest, goes although 4's entry is freed */
    sent(&b, true, 3, EVERY, 30, 1030);
    found(&b, 4, 2, 41, 1041);
    found(&b, 2, 1, 21, 1021);
    assert_int_equal(__builtin_popcount(b.m.valid_q), 1);
    judge_passes(&b.j);
}

/* The order of a FIFO is that of allocation; a read or a write of LRU changes it. */
static void the_policies_differ_in_what_is_used(void **state) {
    bench b;
    (void)state;
    for (uint32_t policy = 0; policy < 2; policy++) {
        bench_start(&b, 3, 0, policy);
        results(&b, 1, 3);
        cycle(&b, a_read(1, false));
        cycle(&b, a_write(4, EVERY, 40));
        sent(&b, true, policy == 1 ? 2 : 1, EVERY, policy == 1 ? 20 : 10, policy == 1 ? 1020 : 1010);
        bench_start(&b, 3, 0, policy);
        results(&b, 1, 3);
        cycle(&b, a_write(1, EVERY, 11)); /* rule 3a */
        cycle(&b, a_write(2, 1, 22));     /* rule 1 */
        cycle(&b, a_write(4, EVERY, 40));
        if (policy == 1) sent(&b, true, 3, EVERY, 30, 1030);
        else sent(&b, true, 1, EVERY, 11, 1011);
        bench_start(&b, 3, 0, policy);
        results(&b, 1, 3);
        rf_rfc_in in = a_read(1, false); /* the slots in their order: 1, then 2 is the newest */
        in.rd_valid = 6;
        in.rd_reg[2] = 2;
        cycle(&b, in);
        assert_int_equal(b.m.rank_q[0], policy == 1 ? 1 : 2);
        assert_int_equal(b.m.rank_q[1], policy == 1 ? 0 : 1);
        assert_int_equal(b.m.rank_q[2], policy == 1 ? 2 : 0);
        in.read = 0; /* uncounted */
        in.rd_reg[1] = 3;
        in.rd_valid = 2;
        cycle(&b, in);
        assert_int_equal(b.m.rank_q[2], policy == 1 ? 2 : 0);
    }
    judge_passes(&b.j);
}

/* Liveness: "to prevent the writeback of dead values" [hierarchy 4.7]. */
static void a_value_that_is_read_for_the_last_time_goes_nowhere(void **state) {
    bench b;
    rf_rfc_in in;
    (void)state;
    bench_start(&b, 2, 1, 0);
    results(&b, 1, 3);
    cycle(&b, a_read(1, true));
    assert_int_equal(b.out.hit, 2); /* served, freed at the edge */
    found(&b, 1, 0, 0, 0);
    cycle(&b, a_write(4, EVERY, 40)); /* 3 takes 1's entry */
    nothing_sent(&b);
    in = a_write(5, EVERY, 50); /* 2 would go, but it is read for the last time in this cycle */
    in.read = 1;
    in.rd_valid = in.last = 1;
    in.rd_reg[0] = 2;
    cycle(&b, in);
    nothing_sent(&b);
    found(&b, 2, 0, 0, 0);
    in = a_write(6, EVERY, 60); /* the L0's 5 would move */
    in.read = 1;
    in.rd_valid = in.last = 4;
    in.rd_reg[2] = 5;
    cycle(&b, in);
    nothing_sent(&b);
    found(&b, 5, 0, 0, 0);
    in = a_write(6, 1, 66); /* the entry is gone: lanes that nobody has go to the MRF */
    in.read = 1;
    in.rd_valid = in.last = 1;
    in.rd_reg[0] = 6;
    cycle(&b, in);
    sent(&b, false, 6, 1, 66, 1066);
    found(&b, 6, 0, 0, 0);
    in = a_read(3, true); /* not a source */
    in.rd_valid = 0;
    cycle(&b, in);
    found(&b, 3, 1, 30, 1030);
    in = a_read(3, false); /* one of two slots is the last */
    in.rd_valid = 6;
    in.rd_reg[2] = 3;
    in.last = 4;
    cycle(&b, in);
    assert_int_equal(b.out.hit, 6);
    found(&b, 3, 0, 0, 0);
    judge_passes(&b.j);
}

/* LRU: the write of a cycle meets the order that its reads leave. */
static void a_read_saves_the_oldest_from_the_write_of_its_cycle(void **state) {
    bench b;
    (void)state;
    bench_start(&b, 2, 0, 1);
    results(&b, 1, 2);
    rf_rfc_in in = a_write(3, EVERY, 30);
    in.read = 1;
    in.rd_valid = 1;
    in.rd_reg[0] = 1;
    cycle(&b, in);
    sent(&b, true, 2, EVERY, 20, 1020);
    found(&b, 1, 1, 10, 1010);
    judge_passes(&b.j);
}

/* Without take a write and a flush change nothing, a read of the cycle does; what would be sent is shown. */
static void nothing_happens_before_it_is_taken(void **state) {
    bench b;
    rf_rfc_in in;
    (void)state;
    bench_start(&b, 2, 1, 0);
    results(&b, 1, 3);
    in = a_write(4, EVERY, 40);
    in.take = 0;
    for (uint32_t i = 0; i < 3; i++) {
        cycle(&b, in);
        sent(&b, true, 1, EVERY, 10, 1010);
    }
    in.read = 1;
    in.rd_valid = in.last = 1;
    in.rd_reg[0] = 1;
    cycle(&b, in);
    nothing_sent(&b);
    found(&b, 1, 0, 0, 0);
    found(&b, 4, 0, 0, 0);
    memset(&in, 0, sizeof in);
    in.flush = 1;
    for (uint32_t i = 0; i < 3; i++) {
        cycle(&b, in);
        sent(&b, true, 3, EVERY, 30, 1030);
    }
    in.flush = 0;
    in.take = 1;
    cycle(&b, in);
    nothing_sent(&b);
    found(&b, 3, 2, 30, 1030);
    judge_passes(&b.j);
}

static void a_flush_sends_the_l0_then_the_lowest_entry(void **state) {
    bench b;
    rf_rfc_in in;
    (void)state;
    bench_start(&b, 3, 1, 0);
    results(&b, 1, 5); /* entries: 4 2 3, L0: 5 */
    memset(&in, 0, sizeof in);
    in.flush = in.take = 1;
    rf_rfc_in both = a_write(5, EVERY, 55);
    both.flush = 1; /* a write goes first */
    cycle(&b, both);
    nothing_sent(&b);
    cycle(&b, in);
    sent(&b, true, 5, EVERY, 55, 1055);
    cycle(&b, in);
    sent(&b, true, 4, EVERY, 40, 1040);
    rf_rfc_in read = in; /* 2 is freed, 3 goes */
    read.read = 1;
    read.rd_valid = read.last = 1;
    read.rd_reg[0] = 2;
    cycle(&b, read);
    sent(&b, true, 3, EVERY, 30, 1030);
    assert_int_equal(b.out.holds, 1);
    cycle(&b, in);
    nothing_sent(&b);
    assert_int_equal(b.out.holds, 0);
    assert_int_equal(b.m.reg_q[1], 2); /* freed entries keep register and data */
    assert_int_equal(b.m.data_q[1].lane[0], 20);
    judge_passes(&b.j);
}

/* Three entries and the L0 with something in every register, LRU. */
static void fill(bench *b) {
    bench_start(b, 3, 1, 1);
    results(b, 1, 6);
    cycle(b, a_read(4, false));
    judge_passes(&b->j);
}

static void reset_clears_every_register(void **state) {
    bench b;
    (void)state;
    fill(&b);
    const rf_rfc_cfg cfg = b.m.cfg;
    rf_rfc_reset(&b.m);
    slow_reset(&b.s);
    compare_state(&b.j, &b.s, &b.m);
    judge_passes(&b.j);
    assert_memory_equal(&b.m.cfg, &cfg, sizeof cfg);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    rf_rfc_cfg good[CONFIGS];
    (void)state;
    for (uint32_t i = 0; i < CONFIGS; i++) good[i] = config(i);
    JUDGE_RANGES(rf_rfc, good);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    bench b;
    rf_rfc_out out;
    slow_answer a;
    slow_rfc copy;
    (void)state;
    fill(&b);
    rf_rfc_in in = a_write(7, EVERY, 70);
    in.rd_valid = 7;
    in.rd_reg[0] = 6;
    in.rd_reg[1] = 4;
    in.rd_reg[2] = 9;
    rf_rfc_comb(&b.m, &in, &out);
    copy = b.s;
    slow_step(&copy, &in, &a);
    assert_int_equal(out.hit, 3);
    assert_int_equal(out.hit_l0, 1);
    assert_int_equal(out.mrf_valid, 1);
    JUDGE_FLIPS(&b.j, rf_rfc, LS_OUT, &b.m, &out, compare_out(&b.j, &a, &out));
    JUDGE_FLIPS(&b.j, rf_rfc, LS_STATE, &b.m, &b.m, compare_state(&b.j, &b.s, &b.m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traffic_of_every_size_and_policy),
        cmocka_unit_test(a_reader_finds_the_newest_value_in_the_rfc_or_the_mrf),
        cmocka_unit_test(some_lanes_are_merged_into_the_entry),
        cmocka_unit_test(what_takes_no_entry_goes_to_the_mrf),
        cmocka_unit_test(a_register_is_overwritten_in_its_level),
        cmocka_unit_test(a_result_takes_the_oldest_entry),
        cmocka_unit_test(the_l0_moves_into_the_l1_and_the_oldest_out),
        cmocka_unit_test(the_policies_differ_in_what_is_used),
        cmocka_unit_test(a_value_that_is_read_for_the_last_time_goes_nowhere),
        cmocka_unit_test(a_read_saves_the_oldest_from_the_write_of_its_cycle),
        cmocka_unit_test(nothing_happens_before_it_is_taken),
        cmocka_unit_test(a_flush_sends_the_l0_then_the_lowest_entry),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_rfc", tests, NULL, NULL);
}
