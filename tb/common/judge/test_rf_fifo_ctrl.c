/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_fifo_ctrl: the slow model is a list of numbered entries that moves up when its head leaves, and the counts of all
 * entries that ever came and went; the pointers are these counts modulo DEPTH. A storage of DEPTH entries, used as the unit
 * tells, must give the list's head back. */
#include "cmodel/common/rf_fifo_ctrl.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_fifo_ctrl_unit;

typedef struct slow_fifo {
    uint32_t depth;
    uint32_t level;
    uint64_t entry[64];  /* the oldest first */
    uint64_t came, went; /* since the reset */
} slow_fifo;

typedef struct slow_out {
    bool ready, valid, write;
    uint32_t wr_ptr, rd_ptr, level;
} slow_out;

/* clang-format off */
#define SEEN(X) \
    X(EMPTY, "empty") X(FULL, "full") X(PUSHED, "pushed") X(POPPED, "popped") X(PUSH_WHEN_FULL, "push when full") \
    X(PUSH_AND_POP_WHEN_FULL, "push and pop when full") X(POP_WHEN_EMPTY, "pop when empty") \
    X(PUSH_AND_POP_WHEN_EMPTY, "push and pop when empty") X(BOTH, "push and pop in between") \
    X(WR_WRAP, "write pointer wraps") X(RD_WRAP, "read pointer wraps") X(WRAPPED_CONTENT, "content across the end") \
    X(RESET, "reset while running")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_fifo *s) {
    s->level = 0;
    s->came = 0;
    s->went = 0;
}

static slow_out slow_comb(const slow_fifo *s, const rf_fifo_ctrl_in *in) {
    slow_out out;
    out.ready = s->level != s->depth;
    out.valid = s->level != 0;
    out.write = in->push != 0 && s->level != s->depth;
    out.wr_ptr = (uint32_t)(s->came % s->depth);
    out.rd_ptr = (uint32_t)(s->went % s->depth);
    out.level = s->level;
    return out;
}

static void slow_clock(slow_fifo *s, const rf_fifo_ctrl_in *in) {
    const bool push = in->push != 0 && s->level < s->depth;
    const bool pop = in->pop != 0 && s->level > 0;
    if (pop) {
        for (uint32_t i = 1; i < s->level; i++) s->entry[i - 1] = s->entry[i];
        s->level--;
        s->went++;
    }
    if (push) {
        s->entry[s->level] = s->came;
        s->level++;
        s->came++;
    }
}

static void compare_out(judge *j, const rf_fifo_ctrl_out *out, const slow_out *expected) {
    judge_equal(j, "ready", 0, out->ready, expected->ready);
    judge_equal(j, "valid", 0, out->valid, expected->valid);
    judge_equal(j, "write", 0, out->write, expected->write);
    judge_equal(j, "wr_ptr", 0, out->wr_ptr, expected->wr_ptr);
    judge_equal(j, "rd_ptr", 0, out->rd_ptr, expected->rd_ptr);
    judge_equal(j, "level", 0, out->level, expected->level);
}

static void compare_state(judge *j, const slow_fifo *s, const rf_fifo_ctrl *m) {
    judge_equal(j, "wr_ptr_q", 0, m->wr_ptr_q, s->came % s->depth);
    judge_equal(j, "rd_ptr_q", 0, m->rd_ptr_q, s->went % s->depth);
    judge_equal(j, "level_q", 0, m->level_q, s->level);
}

static void start(rf_fifo_ctrl *m, slow_fifo *s, uint32_t depth) {
    const rf_fifo_ctrl_cfg cfg = {depth};
    assert_int_equal(rf_fifo_ctrl_init(m, &cfg), 0);
    assert_int_equal(m->cfg.depth, depth);
    memset(s, 0, sizeof *s);
    s->depth = depth;
}

/* One cycle of both, everything compared; `storage` is the user's memory, written and read as the model's outputs tell. */
static void step(judge *j, rf_fifo_ctrl *m, slow_fifo *s, uint64_t *storage, const rf_fifo_ctrl_in *in) {
    const slow_out expected = slow_comb(s, in);
    rf_fifo_ctrl before;
    rf_fifo_ctrl_out out;
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_fifo_ctrl_comb(m, in, &out);
    compare_out(j, &out, &expected);
    memset(&out, 0x5a, sizeof out);
    rf_fifo_ctrl_comb(m, in, &out);
    compare_out(j, &out, &expected);
    assert_memory_equal(&before, m, sizeof before);
    assert_in_range(out.wr_ptr, 0, s->depth - 1);
    assert_in_range(out.rd_ptr, 0, s->depth - 1);
    if (out.valid) judge_equal(j, "entry at rd_ptr", out.rd_ptr, storage[out.rd_ptr], s->entry[0]);
    if (out.write) storage[out.wr_ptr] = s->came;
    JUDGE_CLOCK(rf_fifo_ctrl, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
}

static void count(const slow_fifo *s, const rf_fifo_ctrl_in *in, uint64_t *seen) {
    const bool full = s->level == s->depth, empty = s->level == 0;
    seen[EMPTY] += empty;
    seen[FULL] += full;
    seen[PUSHED] += in->push && !full;
    seen[POPPED] += in->pop && !empty;
    seen[PUSH_WHEN_FULL] += in->push && !in->pop && full;
    seen[PUSH_AND_POP_WHEN_FULL] += in->push && in->pop && full;
    seen[POP_WHEN_EMPTY] += in->pop && !in->push && empty;
    seen[PUSH_AND_POP_WHEN_EMPTY] += in->push && in->pop && empty;
    seen[BOTH] += in->push && in->pop && !full && !empty;
    seen[WR_WRAP] += in->push && !full && s->depth > 1 && s->came % s->depth == s->depth - 1;
    seen[RD_WRAP] += in->pop && !empty && s->depth > 1 && s->went % s->depth == s->depth - 1;
    seen[WRAPPED_CONTENT] += !empty && s->came % s->depth < s->went % s->depth;
}

static void run(uint32_t depth, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    rf_fifo_ctrl m;
    slow_fifo s;
    judge j;
    ls_rng rng;
    uint64_t storage[64] = {0};
    uint32_t push = 128, pop = 128;
    start(&m, &s, depth);
    judge_begin(&j, seed, "rf_fifo_ctrl depth=%" PRIu32, depth);
    compare_state(&j, &s, &m);
    ls_rng_seed(&rng, seed);
    while (j.cycle < cycles) {
        if (ls_rng_chance(&rng, 2)) { /* tides, so that deep queues fill and drain */
            push = ls_rng_below(&rng, 257);
            pop = ls_rng_below(&rng, 257);
        }
        const rf_fifo_ctrl_in in = {ls_rng_chance(&rng, push), ls_rng_chance(&rng, pop)};
        count(&s, &in, seen);
        step(&j, &m, &s, storage, &in);
        if (ls_rng_below(&rng, 2048) == 0) {
            rf_fifo_ctrl_reset(&m);
            slow_reset(&s);
            compare_state(&j, &s, &m);
            seen[RESET]++;
        }
    }
    judge_passes(&j);
}

static void random_traffic_at_every_depth(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (uint32_t depth = 1; depth <= 64; depth++)
        for (uint64_t k = 0; k < 2; k++) {
            run(depth, ls_seed_derive(k * 64 + depth, "judge rf_fifo_ctrl"), 3200, seen);
            cycles += 3200;
        }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* From every reachable state (level x read pointer) all four inputs, at every depth. */
static void every_state_and_input_at_every_depth(void **state) {
    judge j;
    (void)state;
    for (uint32_t depth = 1; depth <= 64; depth += depth < 9 ? 1 : 11) {
        judge_begin(&j, 0, "rf_fifo_ctrl depth=%" PRIu32 ", all states", depth);
        for (uint32_t rd = 0; rd < depth; rd++)
            for (uint32_t level = 0; level <= depth; level++)
                for (uint32_t input = 0; input < 4; input++) {
                    rf_fifo_ctrl m;
                    slow_fifo s;
                    uint64_t storage[64] = {0};
                    start(&m, &s, depth);
                    m.rd_ptr_q = (uint8_t)rd;
                    m.wr_ptr_q = (uint8_t)((rd + level) % depth);
                    m.level_q = (uint8_t)level;
                    s.went = rd;
                    s.came = rd + level;
                    s.level = level;
                    for (uint32_t i = 0; i < level; i++) {
                        s.entry[i] = rd + i;
                        storage[(rd + i) % depth] = rd + i;
                    }
                    step(&j, &m, &s, storage, &(rf_fifo_ctrl_in){(uint8_t)(input & 1), (uint8_t)(input >> 1)});
                }
        judge_passes(&j);
    }
}

/* "A push into a full queue is ignored even when an entry leaves in that cycle"; a pop from an empty one likewise. */
static void full_and_empty_ignore(void **state) {
    static const uint32_t depths[] = {1, 2, 3, 5, 33, 64};
    (void)state;
    for (size_t k = 0; k < sizeof depths / sizeof *depths; k++) {
        const uint32_t depth = depths[k];
        const rf_fifo_ctrl_in push = {1, 0}, pop = {0, 1}, both = {1, 1};
        rf_fifo_ctrl m;
        slow_fifo s;
        rf_fifo_ctrl_out out;
        start(&m, &s, depth);
        rf_fifo_ctrl_clock(&m, &pop);
        assert_int_equal(m.rd_ptr_q, 0);
        assert_int_equal(m.level_q, 0);
        rf_fifo_ctrl_clock(&m, &both); /* empty: the push counts, the pop does not */
        assert_int_equal(m.rd_ptr_q, 0);
        assert_int_equal(m.level_q, 1);
        for (uint32_t i = 1; i < depth; i++) rf_fifo_ctrl_clock(&m, &push);
        assert_int_equal(m.level_q, depth);
        assert_int_equal(m.wr_ptr_q, 0); /* once around */
        rf_fifo_ctrl_comb(&m, &both, &out);
        assert_int_equal(out.ready, 0);
        assert_int_equal(out.write, 0);
        assert_int_equal(out.valid, 1);
        rf_fifo_ctrl_clock(&m, &push);
        assert_int_equal(m.level_q, depth);
        rf_fifo_ctrl_clock(&m, &both); /* full: the pop counts, the push does not */
        assert_int_equal(m.level_q, depth - 1);
        assert_int_equal(m.wr_ptr_q, 0);
        assert_int_equal(m.rd_ptr_q, 1 % depth);
    }
}

static void reset_empties_the_queue(void **state) {
    const rf_fifo_ctrl_in push = {1, 0}, both = {1, 1};
    rf_fifo_ctrl m;
    slow_fifo s;
    (void)state;
    start(&m, &s, 5);
    rf_fifo_ctrl_clock(&m, &push);
    rf_fifo_ctrl_clock(&m, &push);
    rf_fifo_ctrl_clock(&m, &both);
    assert_int_equal(m.wr_ptr_q, 3);
    assert_int_equal(m.rd_ptr_q, 1);
    assert_int_equal(m.level_q, 2);
    rf_fifo_ctrl_reset(&m);
    assert_int_equal(m.cfg.depth, 5);
    assert_int_equal(m.wr_ptr_q, 0);
    assert_int_equal(m.rd_ptr_q, 0);
    assert_int_equal(m.level_q, 0);
}

static void a_depth_out_of_range_is_refused_by_name(void **state) {
    static const rf_fifo_ctrl_cfg good[] = {{1}, {2}, {33}, {64}};
    (void)state;
    JUDGE_RANGES(rf_fifo_ctrl, good);
}

static void the_comparer_sees_every_flipped_bit(void **state) {
    const rf_fifo_ctrl_in in = {1, 0};
    rf_fifo_ctrl m;
    slow_fifo s;
    judge j;
    rf_fifo_ctrl_out out;
    (void)state;
    start(&m, &s, 33);
    rf_fifo_ctrl_clock(&m, &in);
    slow_clock(&s, &in);
    rf_fifo_ctrl_comb(&m, &in, &out);
    const slow_out expected = slow_comb(&s, &in);
    JUDGE_FLIPS(&j, rf_fifo_ctrl, LS_OUT, &m, &out, compare_out(&j, &out, &expected));
    JUDGE_FLIPS(&j, rf_fifo_ctrl, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traffic_at_every_depth),
        cmocka_unit_test(every_state_and_input_at_every_depth),
        cmocka_unit_test(full_and_empty_ignore),
        cmocka_unit_test(reset_empties_the_queue),
        cmocka_unit_test(a_depth_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_every_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_fifo_ctrl", tests, NULL, NULL);
}
