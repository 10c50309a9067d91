/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_result_queue: the slow model is a row of people: the first is served, the others move up. Where an entry is stored
 * follows from how many came before it. */
#include "cmodel/wir/rf_result_queue.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_result_queue_unit;

typedef struct slow_entry {
    uint32_t op, warp, dst, preg, cand, mask, data[32];
    uint64_t info;
} slow_entry;

typedef struct slow_queue {
    rf_result_queue_cfg cfg;
    slow_entry queue[16]; /* queue[0] is the head */
    uint32_t length;
    uint64_t pushed, popped; /* since reset */
    slow_entry stored[16];   /* what each register of the storage took last */
} slow_queue;

/* clang-format off */
#define SEEN(X) \
    X(PUSH, "push") \
    X(PUSH_FULL, "push into a full queue") \
    X(POP, "pop") \
    X(POP_EMPTY, "pop of an empty queue") \
    X(PUSH_AND_POP, "push and pop in one cycle") \
    X(PUSH_FULL_AND_POP, "push into a full queue whose head leaves") \
    X(PUSH_EMPTY_AND_POP, "push into an empty queue that is popped") \
    X(BECOMES_FULL, "the queue becomes full") \
    X(BECOMES_EMPTY, "the queue becomes empty") \
    X(HEAD_WAITS, "the head waits for more than five cycles with others behind it") \
    X(WRAPPED, "the storage has wrapped around") \
    X(OP_WRITE, "a WRITE at the head") \
    X(OP_VERIFY, "a VERIFY at the head") \
    X(OP_MERGE, "a MERGE at the head") \
    X(OP_SHARE, "a SHARE at the head") \
    X(FULL_MASK, "a result for every lane") \
    X(NO_MASK, "a result for no lane") \
    X(TOP_PREG, "the highest physical register") \
    X(APART, "preg and cand differ") \
    X(RESET, "reset with results inside")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_queue *s) {
    const rf_result_queue_cfg cfg = s->cfg;
    memset(s, 0, sizeof *s);
    s->cfg = cfg;
}

static void slow_clock(slow_queue *s, const rf_result_queue_in *in) {
    const bool room = s->length < s->cfg.depth;
    if (in->pop && s->length > 0) {
        for (uint32_t i = 1; i < s->length; i++) s->queue[i - 1] = s->queue[i];
        s->length--;
        s->popped++;
    }
    if (in->push && room) {
        slow_entry *entry = &s->queue[s->length];
        entry->op = in->push_op;
        entry->warp = in->push_warp;
        entry->dst = in->push_dst;
        entry->preg = in->push_preg;
        entry->cand = in->push_cand;
        entry->mask = in->push_mask;
        entry->info = in->push_info;
        for (uint32_t lane = 0; lane < 32; lane++) entry->data[lane] = in->push_data.lane[lane];
        s->stored[s->pushed % s->cfg.depth] = *entry;
        s->length++;
        s->pushed++;
    }
}

static void compare_out(judge *j, const slow_queue *s, const rf_result_queue_out *out) {
    static const slow_entry nothing;
    const slow_entry *head = s->length > 0 ? &s->queue[0] : &nothing;
    judge_words(j, "data", 0, out->data.lane, head->data, 32);
    judge_equal(j, "ready", 0, out->ready, s->length < s->cfg.depth);
    judge_equal(j, "valid", 0, out->valid, s->length > 0);
    judge_equal(j, "op", 0, out->op, head->op);
    judge_equal(j, "warp", 0, out->warp, head->warp);
    judge_equal(j, "dst", 0, out->dst, head->dst);
    judge_equal(j, "preg", 0, out->preg, head->preg);
    judge_equal(j, "cand", 0, out->cand, head->cand);
    judge_equal(j, "mask", 0, out->mask, head->mask);
    judge_equal(j, "info", 0, out->info, head->info);
}

static void compare_state(judge *j, const slow_queue *s, const rf_result_queue *m) {
    judge_equal(j, "u_ctrl.wr_ptr_q", 0, m->ctrl.wr_ptr_q, s->pushed % s->cfg.depth);
    judge_equal(j, "u_ctrl.rd_ptr_q", 0, m->ctrl.rd_ptr_q, s->popped % s->cfg.depth);
    judge_equal(j, "u_ctrl.level_q", 0, m->ctrl.level_q, s->length);
    for (uint32_t i = 0; i < s->cfg.depth; i++) {
        judge_equal(j, "op_q", i, m->op_q[i], s->stored[i].op);
        judge_equal(j, "warp_q", i, m->warp_q[i], s->stored[i].warp);
        judge_equal(j, "dst_q", i, m->dst_q[i], s->stored[i].dst);
        judge_equal(j, "preg_q", i, m->preg_q[i], s->stored[i].preg);
        judge_equal(j, "cand_q", i, m->cand_q[i], s->stored[i].cand);
        judge_equal(j, "mask_q", i, m->mask_q[i], s->stored[i].mask);
        judge_words(j, "data_q", i, m->data_q[i].lane, s->stored[i].data, 32);
        judge_equal(j, "info_q", i, m->info_q[i], s->stored[i].info);
    }
}

static void start(judge *j, uint64_t seed, rf_result_queue *m, slow_queue *s, const rf_result_queue_cfg *cfg) {
    judge_begin(j, seed,
                "rf_result_queue depth=%" PRIu32 " lanes=%" PRIu32 " warps=%" PRIu32 " regs=%" PRIu32 " pregs=%" PRIu32
                " infow=%" PRIu32,
                cfg->depth, cfg->lanes, cfg->warps, cfg->regs, cfg->pregs, cfg->infow);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_result_queue_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    s->cfg = *cfg;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb must leave the model alone. */
static void step(judge *j, rf_result_queue *m, slow_queue *s, const rf_result_queue_in *in) {
    rf_result_queue before;
    rf_result_queue_out out;
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_result_queue_comb(m, in, &out);
    assert_memory_equal(&before, m, sizeof before);
    compare_out(j, s, &out);
    JUDGE_CLOCK(rf_result_queue, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
}

static void count(const slow_queue *s, const rf_result_queue_in *in, uint32_t waited, uint64_t *seen) {
    const bool full = s->length == s->cfg.depth, empty = s->length == 0;
    const bool pushes = in->push && !full, pops = in->pop && !empty;
    seen[PUSH] += pushes;
    seen[PUSH_FULL] += in->push && full && !in->pop;
    seen[POP] += pops;
    seen[POP_EMPTY] += in->pop && empty;
    seen[PUSH_AND_POP] += pushes && pops;
    seen[PUSH_FULL_AND_POP] += in->push && full && in->pop;
    seen[PUSH_EMPTY_AND_POP] += in->push && empty && in->pop;
    seen[BECOMES_FULL] += pushes && !pops && s->length + 1 == s->cfg.depth;
    seen[BECOMES_EMPTY] += pops && !pushes && s->length == 1;
    seen[HEAD_WAITS] += waited > 5 && s->length > 1;
    seen[WRAPPED] += s->cfg.depth > 1 && s->pushed > s->cfg.depth;
    seen[OP_WRITE] += !empty && s->queue[0].op == RF_RESULT_WRITE;
    seen[OP_VERIFY] += !empty && s->queue[0].op == RF_RESULT_VERIFY;
    seen[OP_MERGE] += !empty && s->queue[0].op == RF_RESULT_MERGE;
    seen[OP_SHARE] += !empty && s->queue[0].op == RF_RESULT_SHARE;
    seen[FULL_MASK] += pushes && s->cfg.lanes == 32 && in->push_mask == UINT32_MAX;
    seen[NO_MASK] += pushes && in->push_mask == 0;
    seen[TOP_PREG] += pushes && s->cfg.pregs == 1024 && in->push_preg == 1023;
    seen[APART] += pushes && in->push_preg != in->push_cand;
}

static const rf_result_queue_cfg sets[] = {
    {.depth = 4, .lanes = 4, .warps = 8, .regs = 16, .pregs = 32, .infow = 8},
    {.depth = 1, .lanes = 1, .warps = 1, .regs = 1, .pregs = 2, .infow = 1},
    {.depth = 2, .lanes = 32, .warps = 32, .regs = 64, .pregs = 1024, .infow = 64},
    {.depth = 3, .lanes = 5, .warps = 48, .regs = 63, .pregs = 513, .infow = 33},
    {.depth = 5, .lanes = 3, .warps = 33, .regs = 33, .pregs = 3, .infow = 31},
    {.depth = 16, .lanes = 32, .warps = 64, .regs = 256, .pregs = 1000, .infow = 40},
    {.depth = 15, .lanes = 31, .warps = 3, .regs = 3, .pregs = 65, .infow = 63},
};

static void run(const rf_result_queue_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    rf_result_queue m;
    slow_queue s;
    judge j;
    ls_rng rng;
    rf_result_queue_in in;
    uint32_t p_push = 0, p_pop = 0, waited = 0;
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&rng, seed);
    memset(&in, 0, sizeof in);
    while (j.cycle < cycles) {
        if (j.cycle % 256 == 0) {
            p_push = ls_rng_below(&rng, 257);
            p_pop = ls_rng_below(&rng, 257);
        }
        in.push = ls_rng_chance(&rng, p_push);
        in.pop = ls_rng_chance(&rng, p_pop);
        /* Numbers that no element has are carried along like any other. */
        in.push_op = (uint8_t)ls_rng_below(&rng, 4);
        in.push_warp = (uint8_t)ls_rng_value(&rng, rf_index_bits(cfg->warps));
        in.push_dst = (uint8_t)ls_rng_value(&rng, rf_index_bits(cfg->regs));
        in.push_preg = (uint16_t)ls_rng_value(&rng, rf_index_bits(cfg->pregs));
        in.push_cand = (uint16_t)ls_rng_value(&rng, rf_index_bits(cfg->pregs));
        in.push_mask = (uint32_t)ls_rng_value(&rng, cfg->lanes);
        in.push_info = ls_rng_value(&rng, cfg->infow);
        if (ls_rng_chance(&rng, 200)) ls_rng_lanes(&rng, in.push_data.lane, cfg->lanes);
        waited = s.length > 0 && !in.pop ? waited + 1 : 0;
        count(&s, &in, waited, seen);
        step(&j, &m, &s, &in);
        if (ls_rng_chance(&rng, 1)) {
            seen[RESET] += s.length > 0;
            rf_result_queue_reset(&m);
            slow_reset(&s);
            compare_state(&j, &s, &m);
        }
    }
    judge_passes(&j);
}

static void random_results(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        run(&sets[i], ls_seed_derive(i, "judge rf_result_queue"), 30000, seen);
        cycles += 30000;
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* Offers result number n: every field tells it. */
static rf_result_queue_in offer(uint32_t n) {
    rf_result_queue_in in;
    memset(&in, 0, sizeof in);
    in.push = 1;
    in.push_op = (uint8_t)(n % 4), in.push_warp = (uint8_t)(n % 8), in.push_dst = (uint8_t)(n % 16);
    in.push_preg = (uint16_t)(n % 32), in.push_cand = (uint16_t)(31 - n % 32);
    in.push_mask = n % 16;
    in.push_info = 200 - n;
    for (uint32_t lane = 0; lane < 4; lane++) in.push_data.lane[lane] = n << 8 | lane;
    return in;
}

/* The order stays, a full queue refuses, an entry shows in the cycle after its push. */
static void results_wait_in_order(void **state) {
    rf_result_queue m;
    slow_queue s;
    judge j;
    rf_result_queue_out out;
    rf_result_queue_in in;
    (void)state;
    start(&j, 0, &m, &s, &sets[0]);
    in = offer(1);
    in.pop = 1; /* of the empty queue: ignored */
    rf_result_queue_comb(&m, &in, &out);
    assert_int_equal(out.ready, 1);
    assert_int_equal(out.valid, 0);
    step(&j, &m, &s, &in);
    for (uint32_t n = 2; n <= 9; n++) {
        in = offer(n);
        rf_result_queue_comb(&m, &in, &out);
        assert_int_equal(out.ready, n <= 4);
        assert_int_equal(out.valid, 1);
        assert_int_equal(out.dst, 1);
        assert_int_equal(out.data.lane[3], 0x103);
        in.pop = n == 9; /* the head leaves, but the queue was full: 9 is refused too */
        step(&j, &m, &s, &in);
    }
    in = offer(10);
    step(&j, &m, &s, &in);
    for (uint32_t n = 2; n <= 10; n = n == 4 ? 10 : n + 1) {
        memset(&in, 0, sizeof in);
        in.pop = 1;
        rf_result_queue_comb(&m, &in, &out);
        assert_int_equal(out.valid, 1);
        assert_int_equal(out.op, n % 4);
        assert_int_equal(out.warp, n % 8);
        assert_int_equal(out.dst, n);
        assert_int_equal(out.preg, n);
        assert_int_equal(out.cand, 31 - n);
        assert_int_equal(out.mask, n);
        assert_int_equal(out.info, 200 - n);
        assert_int_equal(out.data.lane[0], n << 8);
        step(&j, &m, &s, &in);
    }
    rf_result_queue_comb(&m, &in, &out);
    assert_int_equal(out.valid, 0);
    assert_int_equal(out.preg, 0); /* of an empty queue: 0 */
    assert_int_equal(out.info, 0);
    assert_int_equal(out.data.lane[0], 0);
    judge_passes(&j);
}

/* A queue of three with its storage full of results, two of them still waiting. */
static void fill(judge *j, rf_result_queue *m, slow_queue *s) {
    rf_result_queue_in in;
    start(j, 0, m, s, &sets[3]);
    for (uint32_t n = 21; n < 24; n++) {
        in = offer(n);
        step(j, m, s, &in);
    }
    memset(&in, 0, sizeof in);
    in.pop = 1;
    step(j, m, s, &in);
    judge_passes(j);
}

static void reset_clears_every_register(void **state) {
    rf_result_queue m;
    slow_queue s;
    judge j;
    (void)state;
    fill(&j, &m, &s);
    rf_result_queue_reset(&m);
    slow_reset(&s);
    compare_state(&j, &s, &m);
    judge_passes(&j);
    assert_memory_equal(&m.cfg, &sets[3], sizeof m.cfg);
    assert_int_equal(m.ctrl.cfg.depth, 3);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    (void)state;
    JUDGE_RANGES(rf_result_queue, sets);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    const rf_result_queue_in idle = {0};
    rf_result_queue m;
    slow_queue s;
    judge j;
    rf_result_queue_out out;
    (void)state;
    fill(&j, &m, &s);
    rf_result_queue_comb(&m, &idle, &out);
    JUDGE_FLIPS(&j, rf_result_queue, LS_OUT, &m, &out, compare_out(&j, &s, &out));
    JUDGE_FLIPS(&j, rf_result_queue, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_results),
        cmocka_unit_test(results_wait_in_order),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_result_queue", tests, NULL, NULL);
}
