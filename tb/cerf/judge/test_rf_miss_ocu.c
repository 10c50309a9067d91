/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_miss_ocu: the slow model writes an order for each register that an instruction reads, with the slots that want it;
 * an order is written, placed, and delivered [CERF III-B]. */
#include "cmodel/cerf/rf_miss_ocu.h"

#include "tb/banked/env/rf_stage_carried.h"
#include "tb/banked/judge/judge_carried.h"
#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_miss_ocu_unit;

typedef enum order_state { WRITTEN, PLACED, DELIVERED } order_state;

typedef struct order {
    order_state state;
    uint32_t reg;     /* as the instruction names it */
    uint32_t slot[8]; /* who wants it, the lowest first: that one asks */
    uint32_t slots;   /* how many */
    bool last;        /* for one of them it is the last read */
    uint64_t placed;  /* cycle */
} order;

typedef struct slow_ocu {
    rf_miss_ocu_cfg cfg;
    uint64_t now;
    bool busy;
    order order[8];
    uint32_t orders;
    /* of the last instruction, whether it is still here or not */
    rf_stage_carried carried;
    uint32_t port, last, src[8], number[8], data[8][32];
} slow_ocu;

/* clang-format off */
#define SEEN(X) \
    X(SEVERAL_ACCEPTED, "several slots are accepted in one cycle") \
    X(ONE_REFUSED, "a slot is refused while another is accepted") X(WAITED_LONG, "a slot asks for more than five cycles") \
    X(ACCEPT_EMPTY, "accept of a slot without a source") \
    X(ACCEPT_SHARER, "accept of a slot that shares the register of a lower one") \
    X(ACCEPT_TWICE, "accept of an accepted slot") X(TWO_SHARE, "what comes is for two slots") \
    X(THREE_SHARE, "what comes is for three slots or more") X(ALL_SHARE, "what comes is for all of several slots") \
    X(FILL, "a fill") X(SEVERAL_FILLS, "several fills in one cycle") \
    X(FILL_LATE, "a fill more than eight cycles after the accept") X(FILL_NEXT, "a fill in the cycle after the accept") \
    X(FILL_EARLY, "a fill before the accept") X(FILL_WITH_ACCEPT, "a fill in the cycle of the accept") \
    X(FILL_SHARER, "a fill of a slot that shares the register of a lower one") \
    X(FILL_AGAIN, "a fill of a slot that has its data") X(FILL_EMPTY, "a fill of a slot without a source") \
    X(FILL_FREE, "a fill of a free unit") X(OUT_OF_ORDER, "what was asked for later comes first") \
    X(FILL_AND_ACCEPT, "a fill while another slot is accepted") X(LAST, "a slot asks for the last read") \
    X(LAST_OF_SHARER, "only a slot that shares it has the last read") \
    X(LAST_INVALID, "a slot without a source has the last read of the register") \
    X(NOT_LAST, "a slot asks, not for the last read") X(LAST_PLACED, "the last read was accepted") \
    X(SAME_SRC, "two slots with one name but two numbers") X(SAME_NUMBER, "two slots with one number but two names") \
    X(INVALID_SRC, "a slot without a source has the name of a higher one") X(NO_SOURCE, "an instruction without sources") \
    X(ALL_SLOTS, "an instruction that uses every slot of several") X(ALLOC_BUSY, "alloc while busy") \
    X(ALLOC_AT_DISPATCH, "alloc in the cycle of the dispatch") X(EARLY_DISPATCH, "dispatch before all operands are there") \
    X(LAST_FILL_DISPATCH, "dispatch in the cycle of the last fill") X(IDLE_DISPATCH, "dispatch of a free unit") \
    X(HELD_READY, "ready and not dispatched") X(NEXT_AFTER_FREE, "alloc in the cycle after the dispatch") \
    X(OLD_DATA, "a slot that waits shows what was there before") X(TOP_NUMBER, "the highest number") \
    X(RESET, "reset while busy")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_ocu *s) {
    const rf_miss_ocu_cfg cfg = s->cfg;
    memset(s, 0, sizeof *s);
    s->cfg = cfg;
}

static bool is_ready(const slow_ocu *s) {
    for (uint32_t i = 0; i < s->orders; i++)
        if (s->order[i].state != DELIVERED) return false;
    return s->busy;
}

/* Adds the slot to the order of its register, or writes one. */
static void want(slow_ocu *s, uint32_t slot, uint32_t reg, bool last) {
    order *of = s->order;
    while (of < s->order + s->orders && of->reg != reg) of++;
    if (of == s->order + s->orders) {
        memset(of, 0, sizeof *of);
        of->reg = reg;
        s->orders++;
    }
    of->slot[of->slots++] = slot;
    of->last = of->last || last;
}

static void slow_clock(slow_ocu *s, const rf_miss_ocu_in *in) {
    const bool was_busy = s->busy, leaves = is_ready(s) && in->dispatch;
    for (order *of = s->order; of < s->order + s->orders; of++) {
        if (of->state == WRITTEN && judge_bit(in->rd_accept, of->slot[0])) {
            of->state = PLACED;
            of->placed = s->now;
        } else if (of->state == PLACED && judge_bit(in->fill, of->slot[0])) {
            of->state = DELIVERED;
            for (uint32_t i = 0; i < of->slots; i++)
                for (uint32_t lane = 0; lane < s->cfg.lanes; lane++)
                    s->data[of->slot[i]][lane] = in->fill_data[of->slot[0]].lane[lane];
        }
    }
    s->now++;
    if (leaves) s->busy = false, s->orders = 0;
    if (was_busy || !in->alloc) return;
    s->busy = true;
    s->carried = in->alloc_inst.carried;
    s->port = in->alloc_inst.port;
    s->last = in->alloc_last & in->alloc_inst.src_valid;
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        s->src[k] = in->alloc_inst.src[k];
        s->number[k] = in->alloc_number[k];
        if (judge_bit(in->alloc_inst.src_valid, k)) want(s, k, s->src[k], judge_bit(s->last, k));
    }
}

/* The slots that want what is in this state, as a port. */
static uint64_t slots_in(const slow_ocu *s, order_state state) {
    bool bit[8] = {false};
    for (uint32_t i = 0; i < s->orders; i++)
        for (uint32_t n = 0; n < s->order[i].slots; n++) bit[s->order[i].slot[n]] = s->order[i].state == state;
    return judge_pack(bit, s->cfg.slots);
}

static uint64_t asking(const slow_ocu *s, bool last_alone) {
    bool bit[8] = {false};
    for (uint32_t i = 0; i < s->orders; i++)
        if (s->order[i].state == WRITTEN && (s->order[i].last || !last_alone)) bit[s->order[i].slot[0]] = true;
    return judge_pack(bit, s->cfg.slots);
}

static void compare_out(judge *j, const slow_ocu *s, const rf_miss_ocu_out *out) {
    judge_equal(j, "busy", 0, out->busy, s->busy);
    judge_equal(j, "ready", 0, out->ready, is_ready(s));
    judge_equal(j, "rd_valid", 0, out->rd_valid, asking(s, false));
    judge_equal(j, "rd_last", 0, out->rd_last, asking(s, true));
    judge_equal(j, "unread", 0, out->unread, slots_in(s, WRITTEN));
    judge_equal(j, "warp", 0, out->warp, s->carried.warp);
    judge_equal(j, "port", 0, out->port, s->port);
    judge_carried(j, 0, &out->carried, &s->carried);
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        judge_equal(j, "rd_number", k, out->rd_number[k], s->number[k]);
        judge_equal(j, "src", k, out->src[k], s->src[k]);
        judge_words(j, "data", k, out->data[k].lane, s->data[k], 32);
    }
}

static void compare_state(judge *j, const slow_ocu *s, const rf_miss_ocu *m) {
    judge_equal(j, "busy_q", 0, m->busy_q, s->busy);
    judge_equal(j, "port_q", 0, m->port_q, s->port);
    judge_carried(j, 0, &m->carried_q, &s->carried);
    judge_equal(j, "src_valid_q", 0, m->src_valid_q, slots_in(s, WRITTEN) | slots_in(s, PLACED) | slots_in(s, DELIVERED));
    judge_equal(j, "last_q", 0, m->last_q, s->last);
    judge_equal(j, "wait_q", 0, m->wait_q, slots_in(s, PLACED));
    judge_equal(j, "ready_q", 0, m->ready_q, slots_in(s, DELIVERED));
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        judge_equal(j, "src_q", k, m->src_q[k], s->src[k]);
        judge_equal(j, "number_q", k, m->number_q[k], s->number[k]);
        judge_words(j, "data_q", k, m->data_q[k].lane, s->data[k], 32);
    }
}

static void start(judge *j, uint64_t seed, rf_miss_ocu *m, slow_ocu *s, const rf_miss_ocu_cfg *cfg) {
    judge_begin(j, seed, "rf_miss_ocu slots=%" PRIu32 " lanes=%" PRIu32 " warps=%" PRIu32 " regs=%" PRIu32 " exports=%" PRIu32,
                cfg->slots, cfg->lanes, cfg->warps, cfg->regs, cfg->exports);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_miss_ocu_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    s->cfg = *cfg;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb must leave the model alone, and looks at no input. */
static void step(judge *j, rf_miss_ocu *m, slow_ocu *s, const rf_miss_ocu_in *in) {
    static const rf_miss_ocu_in idle;
    rf_miss_ocu before;
    rf_miss_ocu_out out, without;
    memcpy(&before, m, sizeof before);
    memset(&out, 0x5a, sizeof out);
    memset(&without, 0x5a, sizeof without);
    rf_miss_ocu_comb(m, in, &out);
    rf_miss_ocu_comb(m, &idle, &without);
    if (memcmp(&out, &without, sizeof out) != 0) assert_memory_equal(&out, &without, sizeof out);
    if (memcmp(&before, m, sizeof before) != 0) assert_memory_equal(&before, m, sizeof before);
    compare_out(j, s, &out);
    JUDGE_CLOCK(rf_miss_ocu, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
}

static uint32_t ones(uint64_t word) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < 64; i++) n += judge_bit(word, i);
    return n;
}

static void count_alloc(const slow_ocu *s, const rf_miss_ocu_in *in, uint64_t *seen) {
    const uint32_t slots = s->cfg.slots, valid = in->alloc_inst.src_valid;
    seen[NO_SOURCE] += valid == 0;
    seen[ALL_SLOTS] += slots > 1 && valid == ls_mask(slots);
    for (uint32_t k = 1; k < slots; k++)
        for (uint32_t low = 0; low < k; low++) {
            const bool number = in->alloc_number[low] == in->alloc_number[k],
                       src = in->alloc_inst.src[low] == in->alloc_inst.src[k];
            const bool both = judge_bit(valid, k) && judge_bit(valid, low);
            seen[SAME_SRC] += both && src && !number;
            seen[SAME_NUMBER] += both && number && !src;
            seen[INVALID_SRC] += judge_bit(valid, k) && !judge_bit(valid, low) && src;
            seen[LAST_INVALID] += src && judge_bit(valid, k) && !judge_bit(in->alloc_last, k) && !judge_bit(valid, low) &&
                                  judge_bit(in->alloc_last, low);
        }
    for (uint32_t k = 0; k < slots; k++)
        seen[TOP_NUMBER] += s->cfg.warps * s->cfg.regs == 16384 && judge_bit(valid, k) && in->alloc_number[k] == 16383;
}

static void count(const slow_ocu *s, const rf_miss_ocu_in *in, uint32_t waited, bool just_freed, uint64_t *seen) {
    const uint32_t slots = s->cfg.slots;
    const uint64_t accepted = asking(s, false) & in->rd_accept;
    const uint64_t wanted = slots_in(s, WRITTEN) | slots_in(s, PLACED) | slots_in(s, DELIVERED);
    const bool ready = is_ready(s);
    uint32_t fills = 0, undelivered = 0;
    uint64_t newest = 0; /* of those that come now */
    for (uint32_t i = 0; i < s->orders; i++) {
        const order *of = &s->order[i];
        const uint32_t asker = of->slot[0];
        const bool comes = of->state == PLACED && judge_bit(in->fill, asker);
        uint32_t sharers = 0;
        for (uint32_t n = 1; n < of->slots; n++) sharers |= 1u << of->slot[n];
        fills += comes;
        undelivered += of->state != DELIVERED;
        if (comes && of->placed > newest) newest = of->placed;
        seen[ACCEPT_SHARER] += of->state == WRITTEN && !judge_bit(in->rd_accept, asker) && (in->rd_accept & sharers) != 0;
        seen[ACCEPT_TWICE] += of->state == PLACED && judge_bit(in->rd_accept, asker);
        seen[TWO_SHARE] += comes && of->slots == 2;
        seen[THREE_SHARE] += comes && of->slots > 2;
        seen[ALL_SHARE] += comes && slots > 1 && of->slots == slots;
        seen[FILL_LATE] += comes && s->now > of->placed + 8;
        seen[FILL_NEXT] += comes && s->now == of->placed + 1;
        seen[FILL_EARLY] += of->state == WRITTEN && judge_bit(in->fill, asker) && !judge_bit(in->rd_accept, asker);
        seen[FILL_WITH_ACCEPT] += of->state == WRITTEN && judge_bit(in->fill, asker) && judge_bit(in->rd_accept, asker);
        seen[FILL_SHARER] += of->state == PLACED && !comes && (in->fill & sharers) != 0;
        seen[FILL_AGAIN] += of->state == DELIVERED && judge_bit(in->fill, asker);
        seen[LAST] += of->state == WRITTEN && of->last;
        seen[LAST_OF_SHARER] += of->state == WRITTEN && of->last && !judge_bit(s->last, asker);
        seen[NOT_LAST] += of->state == WRITTEN && !of->last;
        seen[LAST_PLACED] += of->state == PLACED && of->last;
        seen[OLD_DATA] += of->state == PLACED && s->data[asker][0] != 0;
    }
    for (uint32_t i = 0; i < s->orders; i++)
        seen[OUT_OF_ORDER] +=
            fills > 0 && s->order[i].state == PLACED && s->order[i].placed < newest && !judge_bit(in->fill, s->order[i].slot[0]);
    seen[SEVERAL_ACCEPTED] += ones(accepted) > 1;
    seen[ONE_REFUSED] += accepted != 0 && accepted != asking(s, false);
    seen[WAITED_LONG] += waited > 5;
    seen[ACCEPT_EMPTY] += s->busy && (in->rd_accept & ~wanted) != 0;
    seen[FILL] += fills > 0;
    seen[SEVERAL_FILLS] += fills > 1;
    seen[FILL_EMPTY] += s->busy && (in->fill & ~wanted) != 0;
    seen[FILL_FREE] += !s->busy && in->fill != 0;
    seen[FILL_AND_ACCEPT] += fills > 0 && accepted != 0;
    seen[ALLOC_BUSY] += s->busy && in->alloc;
    seen[ALLOC_AT_DISPATCH] += ready && in->dispatch && in->alloc;
    seen[EARLY_DISPATCH] += s->busy && !ready && in->dispatch;
    seen[LAST_FILL_DISPATCH] += fills > 0 && fills == undelivered && in->dispatch;
    seen[IDLE_DISPATCH] += !s->busy && in->dispatch;
    seen[HELD_READY] += ready && !in->dispatch;
    seen[NEXT_AFTER_FREE] += just_freed && in->alloc;
    if (!s->busy && in->alloc) count_alloc(s, in, seen);
}

static const rf_miss_ocu_cfg sets[] = {
    {.slots = 3, .lanes = 4, .warps = 8, .regs = 16, .exports = 2},
    {.slots = 7, .lanes = 1, .warps = 32, .regs = 256, .exports = 4},
    {.slots = 3, .lanes = 32, .warps = 48, .regs = 63, .exports = 5},
    {.slots = 1, .lanes = 1, .warps = 1, .regs = 1, .exports = 1},
    {.slots = 5, .lanes = 3, .warps = 33, .regs = 33, .exports = 3},
    {.slots = 8, .lanes = 32, .warps = 64, .regs = 256, .exports = 8},
    {.slots = 2, .lanes = 31, .warps = 2, .regs = 2, .exports = 2},
};

/* Random cycles. A new mix of densities is drawn every 512 cycles; few registers make shared reads, few fills a long wait. */
static void run(const rf_miss_ocu_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    rf_miss_ocu m;
    slow_ocu s;
    judge j;
    ls_rng rng;
    rf_miss_ocu_in in;
    const uint32_t number_bits = rf_index_bits(cfg->warps * cfg->regs);
    uint32_t p_alloc = 0, p_accept = 0, p_fill = 0, p_valid = 0, p_dispatch = 0, p_last = 0, names = 1, waited = 0;
    uint32_t name[8] = {0};
    bool just_freed = false, illegal = false;
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&rng, seed);
    memset(&in, 0, sizeof in);
    while (j.cycle < cycles) {
        if (j.cycle % 512 == 0) {
            p_alloc = ls_rng_below(&rng, 257);
            p_accept = 16 + ls_rng_below(&rng, 241);
            p_fill = 8 + ls_rng_below(&rng, ls_rng_chance(&rng, 128) ? 40 : 249);
            p_valid = ls_rng_below(&rng, 257);
            p_dispatch = 16 + ls_rng_below(&rng, 241);
            p_last = ls_rng_below(&rng, 257);
            names = 1 + ls_rng_below(&rng, 8);
            illegal = ls_rng_chance(&rng, 64);
            for (uint32_t i = 0; i < 8; i++) name[i] = (uint32_t)ls_rng_value(&rng, number_bits);
        }
        in.alloc = ls_rng_chance(&rng, p_alloc);
        in.alloc_inst.warp = (uint8_t)ls_rng_value(&rng, rf_index_bits(cfg->warps));
        rf_stage_draw_carried(&rng, &in.alloc_inst.carried);
        in.alloc_inst.port = (uint8_t)ls_rng_value(&rng, rf_index_bits(cfg->exports));
        in.alloc_inst.mask = (uint32_t)ls_rng_value(&rng, cfg->lanes);
        in.alloc_inst.dst_valid = ls_rng_chance(&rng, 128);
        in.alloc_inst.dst = (uint8_t)ls_rng_value(&rng, rf_index_bits(cfg->regs));
        in.alloc_inst.src_valid = (uint8_t)ls_rng_bits(&rng, cfg->slots, p_valid);
        in.alloc_last = (uint8_t)ls_rng_bits(&rng, cfg->slots, p_last);
        in.rd_accept = (uint8_t)ls_rng_bits(&rng, cfg->slots, p_accept);
        in.fill = (uint8_t)ls_rng_bits(&rng, cfg->slots, p_fill);
        in.dispatch = ls_rng_chance(&rng, p_dispatch);
        for (uint32_t k = 0; k < cfg->slots; k++) {
            in.alloc_number[k] = (uint16_t)name[ls_rng_below(&rng, names)];
            if (illegal) in.alloc_inst.src[k] = (uint8_t)ls_rng_below(&rng, judge_codes(cfg->regs) < 4 ? 2 : 4);
            else in.alloc_inst.src[k] = (uint8_t)(in.alloc_number[k] % judge_codes(cfg->regs));
            if (judge_bit(in.fill, k) || ls_rng_chance(&rng, 32)) ls_rng_lanes(&rng, in.fill_data[k].lane, cfg->lanes);
        }
        waited = asking(&s, false) != 0 && (asking(&s, false) & in.rd_accept) == 0 ? waited + 1 : 0;
        count(&s, &in, waited, just_freed, seen);
        just_freed = is_ready(&s) && in.dispatch;
        step(&j, &m, &s, &in);
        if (ls_rng_below(&rng, 1024) == 0) {
            seen[RESET] += s.busy;
            rf_miss_ocu_reset(&m);
            slow_reset(&s);
            compare_state(&j, &s, &m);
        }
    }
    judge_passes(&j);
}

static void random_instructions(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        run(&sets[i], ls_seed_derive(i, "judge rf_miss_ocu"), 30000, seen);
        cycles += 30000;
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* A trial: both models, and what the last cycle showed. */
typedef struct trial {
    judge j;
    rf_miss_ocu m;
    slow_ocu s;
    rf_miss_ocu_in in; /* of the next cycle */
    rf_miss_ocu_out out;
} trial;

static void trial_start(trial *t, const rf_miss_ocu_cfg *cfg) {
    start(&t->j, 0, &t->m, &t->s, cfg);
    memset(&t->in, 0, sizeof t->in);
}

/* A cycle with these accepts, fills and dispatch; data n comes for slot k: n + k in lane 0. `t->out` is as before the edge. */
static void cycle(trial *t, uint32_t accept, uint32_t fill, uint32_t n, bool dispatch) {
    t->in.rd_accept = (uint8_t)accept;
    t->in.fill = (uint8_t)fill;
    t->in.dispatch = dispatch;
    for (uint32_t k = 0; k < 8; k++) t->in.fill_data[k].lane[0] = n + k;
    rf_miss_ocu_comb(&t->m, &t->in, &t->out);
    step(&t->j, &t->m, &t->s, &t->in);
    judge_passes(&t->j);
    t->in.alloc = 0;
}

static void takes(trial *t, uint32_t valid, uint32_t last, const char *numbers) {
    memset(&t->in, 0, sizeof t->in);
    t->in.alloc = 1;
    t->in.alloc_inst.src_valid = (uint16_t)valid;
    t->in.alloc_last = (uint8_t)last;
    for (uint32_t k = 0; numbers[k] != '\0'; k++) {
        t->in.alloc_number[k] = (uint16_t)(90 + numbers[k] - '0');
        t->in.alloc_inst.src[k] = (uint8_t)(numbers[k] - '0');
    }
    cycle(t, 0, 0, 0, false);
}

/* The header's timing table, cycle by cycle: two sources, the second of which comes first. */
static void the_timing_of_the_header(void **state) {
    trial t;
    (void)state;
    trial_start(&t, &sets[0]);
    t.in.alloc = 1;
    t.in.alloc_inst.warp = 5, t.in.alloc_inst.tag = 0xbeef, t.in.alloc_inst.port = 1, t.in.alloc_inst.mask = 0xd;
    t.in.alloc_inst.dst_valid = 1, t.in.alloc_inst.dst = 9;
    t.in.alloc_inst.src_valid = 5, t.in.alloc_inst.src[0] = 3, t.in.alloc_inst.src[1] = 6, t.in.alloc_inst.src[2] = 4;
    t.in.alloc_number[0] = 83, t.in.alloc_number[2] = 84;
    t.in.alloc_last = 6;
    cycle(&t, 7, 7, 1000, true); /* t: nothing to accept, fill or dispatch */
    assert_int_equal(t.out.busy, 0);
    assert_int_equal(t.out.rd_valid, 0);
    t.in.alloc = 1, t.in.alloc_inst.warp = 1, t.in.alloc_inst.src_valid = 7, t.in.alloc_inst.tag = 1; /* to a busy unit */
    cycle(&t, 4, 5, 2000, true); /* t + 1: slot 2 is accepted; the fills and the dispatch are too early */
    assert_int_equal(t.out.busy, 1);
    assert_int_equal(t.out.ready, 0);
    assert_int_equal(t.out.rd_valid, 5);
    assert_int_equal(t.out.rd_last, 4);
    assert_int_equal(t.out.unread, 5);
    assert_int_equal(t.out.rd_number[0], 83);
    assert_int_equal(t.out.rd_number[2], 84);
    assert_int_equal(t.m.wait_q, 4);
    assert_int_equal(t.m.ready_q, 0);
    cycle(&t, 4, 1, 3000, false); /* slot 2 does not ask any more, slot 0 waits for nothing */
    assert_int_equal(t.out.rd_valid, 1);
    assert_int_equal(t.out.rd_last, 0);
    assert_int_equal(t.out.unread, 1);
    assert_int_equal(t.m.ready_q, 0);
    cycle(&t, 1, 0, 4000, false); /* slot 0 is accepted */
    cycle(&t, 0, 0, 5000, false);
    assert_int_equal(t.out.rd_valid, 0);
    assert_int_equal(t.out.unread, 0);
    assert_int_equal(t.out.ready, 0);
    assert_int_equal(t.m.wait_q, 5);
    cycle(&t, 0, 4, 6000, false); /* slot 2 */
    assert_int_equal(t.out.data[2].lane[0], 0);
    assert_int_equal(t.m.ready_q, 4);
    assert_int_equal(t.m.wait_q, 1);
    cycle(&t, 0, 4, 7000, true); /* it has its data; not ready */
    assert_int_equal(t.out.data[2].lane[0], 6002);
    assert_int_equal(t.out.ready, 0);
    cycle(&t, 0, 1, 8000, true); /* g: slot 0; dispatch is not looked at before g + 1 */
    assert_int_equal(t.out.ready, 0);
    assert_int_equal(t.out.busy, 1);
    t.in.alloc = 1, t.in.alloc_inst.tag = 2;
    cycle(&t, 0, 7, 9000, false); /* g + 1 */
    assert_int_equal(t.out.ready, 1);
    assert_int_equal(t.out.data[0].lane[0], 8000);
    assert_int_equal(t.out.data[2].lane[0], 6002);
    assert_int_equal(t.out.warp, 5);
    assert_int_equal(t.out.carried.tag, 0xbeef);
    assert_int_equal(t.out.carried.mask, 0xd);
    assert_int_equal(t.out.carried.dst_valid, 1);
    assert_int_equal(t.out.carried.dst, 9);
    assert_int_equal(t.out.port, 1);
    assert_int_equal(t.out.src[1], 6); /* kept although it is no source */
    t.in.alloc = 1;
    cycle(&t, 0, 0, 0, true); /* d: dispatched; the alloc is ignored */
    assert_int_equal(t.out.ready, 1);
    cycle(&t, 7, 7, 10000, true);
    assert_int_equal(t.out.busy, 0);
    assert_int_equal(t.out.ready, 0);
    assert_int_equal(t.out.carried.tag, 0xbeef); /* metadata, numbers and data keep their values */
    assert_int_equal(t.out.rd_number[2], 84);
    assert_int_equal(t.out.data[2].lane[0], 6002);
    assert_int_equal(t.m.last_q, 4); /* slot 1 has no source */
    assert_int_equal(t.m.src_valid_q, 0);
    assert_int_equal(t.m.ready_q, 0);
    assert_int_equal(t.m.wait_q, 0);
}

static void without_sources_it_is_ready_in_the_next_cycle(void **state) {
    trial t;
    (void)state;
    trial_start(&t, &sets[0]);
    takes(&t, 0, 7, "123");
    cycle(&t, 0, 0, 0, true);
    assert_int_equal(t.out.ready, 1);
    assert_int_equal(t.out.rd_valid, 0);
    assert_int_equal(t.out.rd_last, 0);
    takes(&t, 0, 0, "123"); /* in the cycle after its dispatch */
    assert_int_equal(t.out.busy, 0);
    cycle(&t, 0, 0, 0, false);
    assert_int_equal(t.out.ready, 1);
}

/* D-dup: slots 1, 2 and 4 name register 6; slot 0 names it too but is not valid. Slot 1 asks, and what comes for it is for all.
 */
static void a_register_named_thrice_is_asked_for_once(void **state) {
    const rf_miss_ocu_cfg cfg = {.slots = 5, .lanes = 2, .warps = 16, .regs = 8, .exports = 1};
    trial t;
    (void)state;
    trial_start(&t, &cfg);
    takes(&t, 0x1e, 0x10, "66636"); /* slot 3 another one; the last read is that of slot 4 */
    cycle(&t, 0x15, 0, 0, false);   /* of the slots that do not ask: ignored */
    assert_int_equal(t.out.rd_valid, 0xa);
    assert_int_equal(t.out.rd_last, 2);
    assert_int_equal(t.out.unread, 0x1e);
    cycle(&t, 2, 0, 0, false);
    assert_int_equal(t.out.unread, 0x1e);
    assert_int_equal(t.m.wait_q, 0x16);
    cycle(&t, 8, 0x1d, 100, false); /* fills of those that share it, and of slot 3 in the cycle of its accept: ignored */
    assert_int_equal(t.out.rd_valid, 8);
    assert_int_equal(t.out.rd_last, 0);
    assert_int_equal(t.out.unread, 8);
    assert_int_equal(t.m.wait_q, 0x1e);
    assert_int_equal(t.m.ready_q, 0);
    cycle(&t, 0, 2, 200, false);
    assert_int_equal(t.m.ready_q, 0x16);
    assert_int_equal(t.m.wait_q, 8);
    cycle(&t, 0, 8, 300, false);
    assert_int_equal(t.out.ready, 0);
    cycle(&t, 0, 0x1f, 400, false);
    assert_int_equal(t.out.ready, 1);
    assert_int_equal(t.out.data[0].lane[0], 0);
    assert_int_equal(t.out.data[1].lane[0], 201);
    assert_int_equal(t.out.data[2].lane[0], 201); /* that of the slot that asked */
    assert_int_equal(t.out.data[3].lane[0], 303);
    assert_int_equal(t.out.data[4].lane[0], 201);
}

/* The name decides, whatever the numbers: each slot shows its own. */
static void names_and_numbers(void **state) {
    trial t;
    (void)state;
    trial_start(&t, &sets[0]);
    takes(&t, 7, 0, "112");
    t.in.alloc_number[1] = 7, t.in.alloc_number[2] = 91; /* too late: it is taken */
    cycle(&t, 0, 0, 0, false);
    assert_int_equal(t.out.rd_valid, 5);
    assert_int_equal(t.out.rd_number[1], 91);
    trial_start(&t, &sets[0]);
    t.in.alloc = 1, t.in.alloc_inst.src_valid = 7;
    t.in.alloc_inst.src[0] = t.in.alloc_inst.src[1] = 4, t.in.alloc_inst.src[2] = 5;
    t.in.alloc_number[0] = t.in.alloc_number[2] = 20, t.in.alloc_number[1] = 21;
    cycle(&t, 0, 0, 0, false);
    cycle(&t, 5, 0, 0, false);
    assert_int_equal(t.out.rd_valid, 5);
    assert_int_equal(t.out.rd_number[0], 20);
    assert_int_equal(t.out.rd_number[1], 21);
    assert_int_equal(t.out.rd_number[2], 20);
    cycle(&t, 0, 1, 50, false);
    assert_int_equal(t.m.ready_q, 3);
    assert_int_equal(t.m.wait_q, 4);
}

/* A slot's bit of `last` counts for its register, where the slot is valid. */
static void the_last_read_of_a_register(void **state) {
    static const struct {
        uint32_t valid, last;
        const char *numbers;
        uint32_t asks, rd_last;
    } by_hand[] = {
        {7, 0, "123", 7, 0}, {7, 5, "123", 7, 5}, {7, 4, "113", 5, 4}, {7, 2, "113", 5, 1}, {7, 2, "131", 3, 2},
        {7, 4, "131", 3, 1}, {3, 4, "131", 3, 0}, {6, 1, "113", 6, 0}, {7, 6, "111", 1, 1}, {4, 7, "111", 4, 4},
    };
    trial t;
    (void)state;
    for (size_t i = 0; i < sizeof by_hand / sizeof *by_hand; i++) {
        trial_start(&t, &sets[0]);
        takes(&t, by_hand[i].valid, by_hand[i].last, by_hand[i].numbers);
        cycle(&t, 0, 0, 0, false);
        assert_int_equal(t.out.rd_valid, by_hand[i].asks);
        assert_int_equal(t.out.rd_last, by_hand[i].rd_last);
        assert_int_equal(t.out.unread, by_hand[i].valid);
    }
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    (void)state;
    JUDGE_RANGES(rf_miss_ocu, sets);
}

/* A unit stopped in the middle, 32 lanes, three slots: one here, one on its way, one asks, for a last read. */
static void stop_half_way(trial *t) {
    trial_start(t, &sets[2]);
    t->in.alloc = 1;
    t->in.alloc_inst.warp = 47, t->in.alloc_inst.tag = 0xffff, t->in.alloc_inst.port = 4, t->in.alloc_inst.mask = 0xffffffff;
    t->in.alloc_inst.dst_valid = 1, t->in.alloc_inst.dst = 62, t->in.alloc_inst.src_valid = 7, t->in.alloc_last = 6;
    for (uint32_t k = 0; k < 3; k++) {
        t->in.alloc_inst.src[k] = (uint8_t)(60 + k), t->in.alloc_number[k] = (uint16_t)(3021 + k);
        for (uint32_t lane = 1; lane < 32; lane++) t->in.fill_data[k].lane[lane] = 0x01010101u * lane + k;
    }
    cycle(t, 0, 0, 0, false);
    cycle(t, 3, 0, 0, false);
    cycle(t, 0, 2, 77, false);
    assert_int_equal(t->m.ready_q, 2);
    assert_int_equal(t->m.wait_q, 1);
}

static void reset_clears_every_register(void **state) {
    trial t;
    rf_vec zero[3];
    (void)state;
    stop_half_way(&t);
    rf_miss_ocu_reset(&t.m);
    slow_reset(&t.s);
    compare_state(&t.j, &t.s, &t.m);
    judge_passes(&t.j);
    assert_memory_equal(&t.m.cfg, &sets[2], sizeof t.m.cfg);
    memset(zero, 0, sizeof zero);
    assert_memory_equal(t.m.data_q, zero, sizeof zero);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    trial t;
    rf_miss_ocu_out out;
    (void)state;
    stop_half_way(&t);
    rf_miss_ocu_comb(&t.m, &t.in, &out);
    assert_int_equal(out.rd_last, 4);
    JUDGE_FLIPS(&t.j, rf_miss_ocu, LS_OUT, &t.m, &out, compare_out(&t.j, &t.s, &out));
    JUDGE_FLIPS(&t.j, rf_miss_ocu, LS_STATE, &t.m, &t.m, compare_state(&t.j, &t.s, &t.m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_instructions),
        cmocka_unit_test(the_timing_of_the_header),
        cmocka_unit_test(without_sources_it_is_ready_in_the_next_cycle),
        cmocka_unit_test(a_register_named_thrice_is_asked_for_once),
        cmocka_unit_test(names_and_numbers),
        cmocka_unit_test(the_last_read_of_a_register),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_miss_ocu", tests, NULL, NULL);
}
