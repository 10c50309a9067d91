/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_pending_queue: the slow model is a row of people. The first leaves, or goes to the end of the row; a new one goes
 * to the end. A person is what was pushed, whole. Where each stands in the storage follows from how many have been first and are
 * not any more. */
#include "cmodel/wir/rf_pending_queue.h"

#include "tb/common/judge/judge_fields.h"

extern const ls_unit rf_pending_queue_unit;

typedef struct slow_queue {
    rf_pending_queue_cfg cfg;
    rf_wir_renamed queue[16]; /* queue[0] is the head */
    uint32_t length;
    uint64_t left;             /* heads that left or went to the tail since reset */
    rf_wir_renamed stored[16]; /* what each register of the storage took last */
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
    X(ROTATE, "rotate with others behind the head") \
    X(ROTATE_FULL, "rotate of a full queue") \
    X(ROTATE_ALONE, "rotate of a head that is alone") \
    X(ROTATE_EMPTY, "rotate of an empty queue") \
    X(ROTATE_PUSH, "rotate in a cycle with push") \
    X(ROTATE_PUSH_FULL, "rotate in a cycle with a push into a full queue") \
    X(ROTATE_POP, "rotate in a cycle with pop") \
    X(ROTATE_BOTH, "rotate in a cycle with push and pop") \
    X(ROUND, "the same instruction is head again") \
    X(WRAPPED, "places wrap around the end of the storage") \
    X(LOAD, "a load behind the head") \
    X(NO_LOAD, "a read of constants behind the head") \
    X(SOURCE_KEPT, "a source that is not valid, of a valid place") \
    X(TOP_PREG, "the highest physical register") \
    X(RESET, "reset with instructions inside")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_queue *s) {
    const rf_pending_queue_cfg cfg = s->cfg;
    memset(s, 0, sizeof *s);
    s->cfg = cfg;
}

static void slow_first_leaves(slow_queue *s) {
    for (uint32_t i = 1; i < s->length; i++) s->queue[i - 1] = s->queue[i];
    s->length--;
    s->left++;
}

/* One more at the end of the row; it stands in the storage where its place is. */
static void slow_last(slow_queue *s, const rf_wir_renamed *entry) {
    s->queue[s->length] = *entry;
    s->stored[(s->left + s->length) % s->cfg.depth] = *entry;
    s->length++;
}

static void slow_clock(slow_queue *s, const rf_pending_queue_in *in) {
    const bool room = s->length < s->cfg.depth;
    if (in->rotate && !in->push && !in->pop) {
        if (s->length == 0) return;
        const rf_wir_renamed head = s->queue[0];
        slow_first_leaves(s);
        slow_last(s, &head);
        return;
    }
    if (in->pop && s->length > 0) slow_first_leaves(s);
    if (in->push && room) slow_last(s, &in->entry);
}

static judge_list outputs, registers; /* at the configuration of the run */

static void compare_out(judge *j, const slow_queue *s, const rf_pending_queue_out *out) {
    rf_pending_queue_out e;
    memset(&e, 0, sizeof e);
    e.ready = s->length<s->cfg.depth, e.valid = s->length> 0;
    if (s->length > 0) e.head = s->queue[0];
    for (uint32_t p = 0; p < s->length; p++) {
        const rf_wir_renamed *i = &s->queue[p];
        e.at_valid |= (uint16_t)(1u << p);
        e.at[p].warp = i->warp, e.at[p].src_valid = i->src_valid;
        e.at[p].load = i->space == RF_SPACE_SHARED || i->space == RF_SPACE_GLOBAL;
        for (uint32_t k = 0; k < s->cfg.slots; k++) e.at[p].src[k] = i->src[k];
    }
    judge_fields(j, &outputs, out, &e);
}

static void compare_state(judge *j, const slow_queue *s, const rf_pending_queue *m) {
    static rf_pending_queue e;
    memset(&e, 0, sizeof e);
    e.rd_ptr_q = (uint8_t)(s->left % s->cfg.depth), e.level_q = (uint8_t)s->length;
    for (uint32_t i = 0; i < s->cfg.depth; i++) e.entry_q[i] = s->stored[i];
    judge_fields(j, &registers, m, &e);
}

static void start(judge *j, uint64_t seed, rf_pending_queue *m, slow_queue *s, const rf_pending_queue_cfg *cfg) {
    judge_begin(j, seed,
                "rf_pending_queue depth=%" PRIu32 " warps=%" PRIu32 " regs=%" PRIu32 " slots=%" PRIu32 " pregs=%" PRIu32
                " exports=%" PRIu32,
                cfg->depth, cfg->warps, cfg->regs, cfg->slots, cfg->pregs, cfg->exports);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_pending_queue_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    s->cfg = *cfg;
    slow_reset(s);
    judge_list_of(&outputs, &rf_pending_queue_unit, LS_OUT, m);
    judge_list_of(&registers, &rf_pending_queue_unit, LS_STATE, m);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb must leave the model alone. */
static void step(judge *j, rf_pending_queue *m, slow_queue *s, const rf_pending_queue_in *in) {
    rf_pending_queue before;
    rf_pending_queue_out out;
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_pending_queue_comb(m, in, &out);
    assert_memory_equal(&before, m, sizeof before);
    compare_out(j, s, &out);
    JUDGE_CLOCK(rf_pending_queue, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
}

static void count(const slow_queue *s, const rf_pending_queue_in *in, uint64_t *seen) {
    const uint32_t depth = s->cfg.depth;
    const bool full = s->length == depth, empty = s->length == 0;
    const bool rotates = in->rotate && !in->push && !in->pop && !empty;
    seen[PUSH] += in->push && !full;
    seen[PUSH_FULL] += in->push && full && !in->pop;
    seen[POP] += in->pop && !empty;
    seen[POP_EMPTY] += in->pop && empty;
    seen[PUSH_AND_POP] += in->push && in->pop && !full && !empty;
    seen[PUSH_FULL_AND_POP] += in->push && in->pop && full;
    seen[PUSH_EMPTY_AND_POP] += in->push && in->pop && empty;
    seen[ROTATE] += rotates && s->length > 1 && !full;
    seen[ROTATE_FULL] += rotates && full && depth > 1;
    seen[ROTATE_ALONE] += rotates && s->length == 1 && depth > 1;
    seen[ROTATE_EMPTY] += in->rotate && !in->push && !in->pop && empty;
    seen[ROTATE_PUSH] += in->rotate && in->push && !in->pop && !empty && !full;
    seen[ROTATE_PUSH_FULL] += in->rotate && in->push && !in->pop && full && depth > 1;
    seen[ROTATE_POP] += in->rotate && !in->push && in->pop && s->length > 1;
    seen[ROTATE_BOTH] += in->rotate && in->push && in->pop && s->length > 1;
    seen[WRAPPED] += s->left % depth + s->length > depth;
    for (uint32_t p = 1; p < s->length; p++) {
        seen[LOAD] += s->queue[p].space >= RF_SPACE_SHARED;
        seen[NO_LOAD] += s->queue[p].space == RF_SPACE_CONST;
        seen[SOURCE_KEPT] += (s->queue[p].src_valid & 1) == 0 && s->queue[p].src[0] != 0;
    }
    seen[TOP_PREG] += in->push && !full && s->cfg.pregs == 1024 && in->entry.operand[s->cfg.slots - 1] == 1023;
}

static const rf_pending_queue_cfg sets[] = {
    {.depth = 4, .warps = 8, .regs = 16, .slots = 3, .pregs = 32, .exports = 4},
    {.depth = 1, .warps = 1, .regs = 1, .slots = 1, .pregs = 2, .exports = 1},
    {.depth = 16, .warps = 64, .regs = 256, .slots = 6, .pregs = 1024, .exports = 8},
    {.depth = 16, .warps = 24, .regs = 63, .slots = 3, .pregs = 1000, .exports = 3},
    {.depth = 3, .warps = 48, .regs = 63, .slots = 2, .pregs = 513, .exports = 5},
    {.depth = 5, .warps = 3, .regs = 33, .slots = 4, .pregs = 3, .exports = 7},
    {.depth = 2, .warps = 2, .regs = 2, .slots = 5, .pregs = 64, .exports = 2},
};

static void draw_offer(ls_rng *rng, const rf_pending_queue_cfg *cfg, rf_pending_queue_in *in) {
    /* Numbers that no element has are carried along like any other. */
    in->entry.warp = (uint8_t)ls_rng_value(rng, rf_index_bits(cfg->warps));
    in->entry.tag = (uint16_t)ls_rng_u64(rng);
    in->entry.port = (uint8_t)ls_rng_value(rng, rf_index_bits(cfg->exports));
    in->entry.dst = (uint8_t)ls_rng_value(rng, rf_index_bits(cfg->regs));
    in->entry.src_valid = (uint8_t)ls_rng_bits(rng, cfg->slots, 160);
    in->entry.opcode = (uint8_t)ls_rng_value(rng, 8);
    in->entry.space = (uint8_t)ls_rng_below(rng, 4);
    in->entry.old_valid = ls_rng_chance(rng, 128);
    in->entry.old_preg = (uint16_t)ls_rng_value(rng, rf_index_bits(cfg->pregs));
    in->entry.old_pin = ls_rng_chance(rng, 128);
    for (uint32_t k = 0; k < cfg->slots; k++) {
        in->entry.src[k] = (uint8_t)ls_rng_value(rng, rf_index_bits(cfg->regs));
        in->entry.operand[k] = (uint16_t)ls_rng_value(rng, rf_index_bits(cfg->pregs));
    }
}

static void run(const rf_pending_queue_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    rf_pending_queue m;
    slow_queue s;
    judge j;
    ls_rng rng;
    rf_pending_queue_in in;
    uint32_t p_push = 0, p_pop = 0, p_rotate = 0, turns = 0;
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&rng, seed);
    memset(&in, 0, sizeof in);
    while (j.cycle < cycles) {
        if (j.cycle % 128 == 0) {
            p_push = ls_rng_below(&rng, 257);
            p_pop = ls_rng_below(&rng, 257);
            p_rotate = ls_rng_below(&rng, 257);
            if (ls_rng_chance(&rng, 64)) p_push = p_pop = 4, p_rotate = 240; /* everybody waits */
        }
        in.push = ls_rng_chance(&rng, p_push);
        in.pop = ls_rng_chance(&rng, p_pop);
        in.rotate = ls_rng_chance(&rng, p_rotate);
        if (ls_rng_chance(&rng, 200)) draw_offer(&rng, cfg, &in);
        count(&s, &in, seen);
        turns = in.rotate && !in.push && !in.pop && s.length > 0 ? turns + 1 : 0;
        seen[ROUND] += s.length > 2 && turns == s.length;
        step(&j, &m, &s, &in);
        if (ls_rng_chance(&rng, 1)) {
            seen[RESET] += s.length > 0;
            rf_pending_queue_reset(&m);
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
        run(&sets[i], ls_seed_derive(i, "judge rf_pending_queue"), 30000, seen);
        cycles += 30000;
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* Offers instruction number n: every field tells it. */
static rf_pending_queue_in offer(uint32_t n) {
    rf_pending_queue_in in;
    memset(&in, 0, sizeof in);
    in.push = 1;
    in.entry.warp = (uint8_t)(n % 8), in.entry.tag = (uint16_t)(0x1000 + n), in.entry.port = (uint8_t)(n % 4);
    in.entry.dst = (uint8_t)(n % 16), in.entry.src_valid = (uint8_t)(n % 8), in.entry.opcode = (uint8_t)(0x80 | n);
    in.entry.space = (uint8_t)(n % 4);
    in.entry.old_valid = n % 2, in.entry.old_preg = (uint16_t)(31 - n % 32), in.entry.old_pin = n / 2 % 2;
    for (uint32_t k = 0; k < 3; k++) {
        in.entry.src[k] = (uint8_t)((n + k) % 16);
        in.entry.operand[k] = (uint16_t)((n + 4 * k) % 32);
    }
    return in;
}

static void shows(const rf_pending_queue *m, uint32_t head, uint32_t level) {
    const rf_pending_queue_in idle = {0};
    const rf_pending_queue_in was = offer(head);
    rf_pending_queue_out out;
    memset(&out, 0xa5, sizeof out);
    rf_pending_queue_comb(m, &idle, &out);
    assert_int_equal(out.valid, level > 0);
    assert_int_equal(out.ready, level < 4);
    assert_int_equal(out.at_valid, (1u << level) - 1);
    if (level == 0) {
        assert_int_equal(out.head.tag, 0);
        assert_int_equal(out.at[0].warp, 0);
        return;
    }
    assert_int_equal(out.head.warp, was.entry.warp);
    assert_int_equal(out.head.tag, was.entry.tag);
    assert_int_equal(out.head.port, was.entry.port);
    assert_int_equal(out.head.dst, was.entry.dst);
    assert_int_equal(out.head.src_valid, was.entry.src_valid);
    assert_int_equal(out.head.opcode, was.entry.opcode);
    assert_int_equal(out.head.space, was.entry.space);
    assert_int_equal(out.head.old_valid, was.entry.old_valid);
    assert_int_equal(out.head.old_preg, was.entry.old_preg);
    assert_int_equal(out.head.old_pin, was.entry.old_pin);
    assert_int_equal(out.at[0].warp, was.entry.warp);
    assert_int_equal(out.at[0].load, was.entry.space >= 2);
    for (uint32_t k = 0; k < 3; k++) {
        assert_int_equal(out.head.src[k], was.entry.src[k]);
        assert_int_equal(out.at[0].src[k], was.entry.src[k]);
        assert_int_equal(out.head.operand[k], was.entry.operand[k]);
    }
}

/* Three wait, their head goes round, is overtaken by the others, and a fourth comes in behind all. */
static void the_head_retries_behind_the_others(void **state) {
    rf_pending_queue m;
    slow_queue s;
    judge j;
    rf_pending_queue_in in;
    const rf_pending_queue_in rotate = {.rotate = 1}, pop = {.pop = 1};
    (void)state;
    start(&j, 0, &m, &s, &sets[0]);
    for (uint32_t n = 5; n < 8; n++) {
        shows(&m, 5, n - 5);
        in = offer(n);
        step(&j, &m, &s, &in);
    }
    shows(&m, 5, 3);
    step(&j, &m, &s, &rotate);
    shows(&m, 6, 3);
    in = offer(9);
    in.rotate = 1; /* the push comes first: nobody goes round */
    step(&j, &m, &s, &in);
    shows(&m, 6, 4);
    in = offer(10); /* full, though the head leaves */
    in.pop = 1;
    step(&j, &m, &s, &in);
    shows(&m, 7, 3);
    step(&j, &m, &s, &rotate);
    shows(&m, 5, 3);
    step(&j, &m, &s, &pop);
    shows(&m, 9, 2);
    step(&j, &m, &s, &pop);
    shows(&m, 7, 1);
    step(&j, &m, &s, &rotate);
    shows(&m, 7, 1);
    step(&j, &m, &s, &pop);
    shows(&m, 0, 0);
    step(&j, &m, &s, &pop);
    step(&j, &m, &s, &rotate);
    shows(&m, 0, 0);
    judge_passes(&j);
}

/* A queue of three with its storage full, two of them still waiting. */
static void fill(judge *j, rf_pending_queue *m, slow_queue *s) {
    rf_pending_queue_in in;
    start(j, 0, m, s, &sets[4]);
    for (uint32_t n = 21; n < 24; n++) {
        in = offer(n);
        in.entry.src_valid &= 3; /* it has two slots */
        step(j, m, s, &in);
    }
    memset(&in, 0, sizeof in);
    in.pop = 1;
    step(j, m, s, &in);
    judge_passes(j);
}

static void reset_clears_every_register(void **state) {
    rf_pending_queue m;
    slow_queue s;
    judge j;
    (void)state;
    fill(&j, &m, &s);
    rf_pending_queue_reset(&m);
    slow_reset(&s);
    compare_state(&j, &s, &m);
    judge_passes(&j);
    assert_memory_equal(&m.cfg, &sets[4], sizeof m.cfg);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    (void)state;
    JUDGE_RANGES(rf_pending_queue, sets);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    const rf_pending_queue_in idle = {0};
    rf_pending_queue m;
    slow_queue s;
    judge j;
    rf_pending_queue_out out;
    (void)state;
    fill(&j, &m, &s);
    rf_pending_queue_comb(&m, &idle, &out);
    JUDGE_FLIPS(&j, rf_pending_queue, LS_OUT, &m, &out, compare_out(&j, &s, &out));
    JUDGE_FLIPS(&j, rf_pending_queue, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_instructions),
        cmocka_unit_test(the_head_retries_behind_the_others),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_pending_queue", tests, NULL, NULL);
}
