/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_miss_queue: the slow model is a row of letters to L2, the first of which is fetched; what each pigeonhole of the
 * storage holds follows from how many letters came before [CERF III-B]. */
#include "cmodel/cerf/rf_miss_queue.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_miss_queue_unit;

typedef struct letter {
    uint32_t op, line, entry, mask, data[32];
} letter;

typedef struct slow_queue {
    rf_miss_queue_cfg cfg;
    letter row[16]; /* row[0] is the head */
    uint32_t length;
    uint64_t came, went; /* since reset */
    letter hole[16];     /* what each entry of the storage took last */
} slow_queue;

/* clang-format off */
#define SEEN(X) \
    X(PUSH, "push") X(PUSH_FULL, "push into a full queue") X(POP, "pop") X(POP_EMPTY, "pop of an empty queue") \
    X(PUSH_AND_POP, "push and pop in one cycle") X(PUSH_FULL_AND_POP, "push into a full queue whose head leaves") \
    X(PUSH_EMPTY_AND_POP, "push into an empty queue that is popped") X(BECOMES_FULL, "the queue becomes full") \
    X(BECOMES_EMPTY, "the queue becomes empty") X(WRAPPED, "the storage has wrapped around") \
    X(HEAD_FETCH, "a fetch at the head") X(HEAD_WRITE, "a write at the head") X(HEAD_ATOMIC, "an atomic at the head") \
    X(HEAD_UNUSED, "an operation that is not used at the head") \
    X(FETCH_HIDES, "a fetch at the head lies in front of a mask and data of before") \
    X(FETCH_BEHIND_WRITE, "a fetch behind the write of its line") \
    X(FETCH_OFFERS_DATA, "a fetch is pushed with a mask and data") X(FULL_MASK, "all of 32 words") \
    X(NO_MASK, "a write of no word") X(DATA_BESIDE_MASK, "data of words that are not in the mask") \
    X(ONE_DEEP, "a queue of one is full") X(RESET, "reset with messages inside")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_queue *s) {
    const rf_miss_queue_cfg cfg = s->cfg;
    memset(s, 0, sizeof *s);
    s->cfg = cfg;
}

static void slow_clock(slow_queue *s, const rf_miss_queue_in *in) {
    const bool was_full = s->length == s->cfg.depth;
    if (in->pop && s->length > 0) {
        for (uint32_t i = 1; i < s->length; i++) s->row[i - 1] = s->row[i];
        s->length--;
        s->went++;
    }
    if (!in->push || was_full) return;
    letter written = {.op = in->push_op, .line = in->push_line, .entry = in->push_entry, .mask = in->push_mask};
    letter *hole = &s->hole[s->came % s->cfg.depth];
    for (uint32_t i = 0; i < 32; i++) written.data[i] = in->push_data.lane[i];
    if (in->push_op == RF_MISS_FETCH) { /* an address alone */
        memset(written.data, 0, sizeof written.data);
        written.mask = 0;
        hole->op = written.op;
        hole->line = written.line;
        hole->entry = written.entry;
    } else *hole = written;
    s->row[s->length++] = written;
    s->came++;
}

static void compare_out(judge *j, const slow_queue *s, const rf_miss_queue_out *out) {
    static const letter nothing;
    const letter *head = s->length > 0 ? &s->row[0] : &nothing;
    judge_equal(j, "valid", 0, out->valid, s->length > 0);
    judge_equal(j, "op", 0, out->op, head->op);
    judge_equal(j, "line", 0, out->line, head->line);
    judge_equal(j, "entry", 0, out->entry, head->entry);
    judge_equal(j, "mask", 0, out->mask, head->mask);
    judge_words(j, "data", 0, out->data.lane, head->data, 32);
    judge_equal(j, "count", 0, out->count, s->length);
}

static void compare_state(judge *j, const slow_queue *s, const rf_miss_queue *m) {
    judge_equal(j, "u_ctrl.wr_ptr_q", 0, m->ctrl.wr_ptr_q, s->came % s->cfg.depth);
    judge_equal(j, "u_ctrl.rd_ptr_q", 0, m->ctrl.rd_ptr_q, s->went % s->cfg.depth);
    judge_equal(j, "u_ctrl.level_q", 0, m->ctrl.level_q, s->length);
    for (uint32_t i = 0; i < s->cfg.depth; i++) {
        judge_equal(j, "op_q", i, m->op_q[i], s->hole[i].op);
        judge_equal(j, "line_q", i, m->line_q[i], s->hole[i].line);
        judge_equal(j, "entry_q", i, m->entry_q[i], s->hole[i].entry);
        judge_equal(j, "mask_q", i, m->mask_q[i], s->hole[i].mask);
        judge_words(j, "data_q", i, m->data_q[i].lane, s->hole[i].data, 32);
    }
}

static void start(judge *j, uint64_t seed, rf_miss_queue *m, slow_queue *s, const rf_miss_queue_cfg *cfg) {
    judge_begin(j, seed, "rf_miss_queue depth=%" PRIu32 " lanes=%" PRIu32 " line_w=%" PRIu32 " entry_w=%" PRIu32, cfg->depth,
                cfg->lanes, cfg->line_w, cfg->entry_w);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_miss_queue_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    assert_int_equal(m->ctrl.cfg.depth, cfg->depth);
    s->cfg = *cfg;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb must leave the model alone. */
static void step(judge *j, rf_miss_queue *m, slow_queue *s, const rf_miss_queue_in *in) {
    rf_miss_queue before;
    rf_miss_queue_out out;
    memcpy(&before, m, sizeof before);
    memset(&out, 0x5a, sizeof out);
    rf_miss_queue_comb(m, in, &out);
    if (memcmp(&before, m, sizeof before) != 0) assert_memory_equal(&before, m, sizeof before);
    compare_out(j, s, &out);
    JUDGE_CLOCK(rf_miss_queue, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
}

static bool any(const uint32_t *word) {
    for (uint32_t i = 0; i < 32; i++)
        if (word[i] != 0) return true;
    return false;
}

static void count(const slow_queue *s, const rf_miss_queue_in *in, uint64_t *seen) {
    const bool full = s->length == s->cfg.depth, empty = s->length == 0;
    const bool pushes = in->push && !full, pops = in->pop && !empty;
    const letter *head = &s->row[0], *hole = &s->hole[s->went % s->cfg.depth];
    bool beside = false;
    for (uint32_t i = 0; i < s->cfg.lanes; i++) beside = beside || (!judge_bit(in->push_mask, i) && in->push_data.lane[i] != 0);
    seen[PUSH] += pushes;
    seen[PUSH_FULL] += in->push && full && !in->pop;
    seen[POP] += pops;
    seen[POP_EMPTY] += in->pop && empty && !in->push;
    seen[PUSH_AND_POP] += pushes && pops;
    seen[PUSH_FULL_AND_POP] += in->push && full && in->pop;
    seen[PUSH_EMPTY_AND_POP] += in->push && empty && in->pop;
    seen[BECOMES_FULL] += pushes && !pops && s->length + 1 == s->cfg.depth;
    seen[BECOMES_EMPTY] += pops && !pushes && s->length == 1;
    seen[WRAPPED] += s->cfg.depth > 1 && s->came > s->cfg.depth;
    seen[HEAD_FETCH] += !empty && head->op == RF_MISS_FETCH;
    seen[HEAD_WRITE] += !empty && head->op == RF_MISS_WRITE;
    seen[HEAD_ATOMIC] += !empty && head->op == RF_MISS_ATOMIC;
    seen[HEAD_UNUSED] += !empty && head->op == 3 && any(head->data);
    seen[FETCH_HIDES] += !empty && head->op == RF_MISS_FETCH && hole->mask != 0 && any(hole->data);
    seen[FETCH_BEHIND_WRITE] += pushes && !empty && in->push_op == RF_MISS_FETCH && s->row[s->length - 1].op == RF_MISS_WRITE &&
                                s->row[s->length - 1].line == in->push_line;
    seen[FETCH_OFFERS_DATA] += pushes && in->push_op == RF_MISS_FETCH && in->push_mask != 0 && any(in->push_data.lane);
    seen[FULL_MASK] += pushes && in->push_op == RF_MISS_WRITE && s->cfg.lanes == 32 && in->push_mask == UINT32_MAX;
    seen[NO_MASK] += pushes && in->push_op == RF_MISS_WRITE && in->push_mask == 0 && any(in->push_data.lane);
    seen[DATA_BESIDE_MASK] += pushes && in->push_op != RF_MISS_FETCH && beside;
    seen[ONE_DEEP] += s->cfg.depth == 1 && full;
}

static const rf_miss_queue_cfg sets[] = {
    {.depth = 8, .lanes = 4, .line_w = 25, .entry_w = 3},   {.depth = 1, .lanes = 1, .line_w = 1, .entry_w = 1},
    {.depth = 2, .lanes = 32, .line_w = 23, .entry_w = 4},  {.depth = 3, .lanes = 5, .line_w = 2, .entry_w = 2},
    {.depth = 16, .lanes = 32, .line_w = 25, .entry_w = 4}, {.depth = 15, .lanes = 31, .line_w = 13, .entry_w = 1},
    {.depth = 5, .lanes = 2, .line_w = 24, .entry_w = 3},
};

static void run(const rf_miss_queue_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    rf_miss_queue m;
    slow_queue s;
    judge j;
    ls_rng rng;
    rf_miss_queue_in in;
    uint32_t p_push = 0, p_pop = 0, p_fetch = 0;
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&rng, seed);
    memset(&in, 0, sizeof in);
    while (j.cycle < cycles) {
        if (j.cycle % 256 == 0) {
            p_push = ls_rng_below(&rng, 257);
            p_pop = ls_rng_below(&rng, 257);
            p_fetch = ls_rng_below(&rng, 257);
        }
        in.push = ls_rng_chance(&rng, p_push);
        in.pop = ls_rng_chance(&rng, p_pop);
        in.push_op = (uint8_t)(ls_rng_chance(&rng, p_fetch) ? RF_MISS_FETCH : ls_rng_below(&rng, 4));
        if (ls_rng_chance(&rng, 160)) in.push_line = (uint32_t)ls_rng_value(&rng, cfg->line_w); /* or the line of before */
        in.push_entry = (uint8_t)ls_rng_value(&rng, cfg->entry_w);
        in.push_mask = (uint32_t)ls_rng_value(&rng, cfg->lanes);
        if (ls_rng_chance(&rng, 200)) ls_rng_lanes(&rng, in.push_data.lane, cfg->lanes);
        count(&s, &in, seen);
        step(&j, &m, &s, &in);
        if (ls_rng_below(&rng, 512) == 0) {
            seen[RESET] += s.length > 0;
            rf_miss_queue_reset(&m);
            slow_reset(&s);
            compare_state(&j, &s, &m);
        }
    }
    judge_passes(&j);
}

static void random_messages(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        run(&sets[i], ls_seed_derive(i, "judge rf_miss_queue"), 29000, seen);
        cycles += 29000;
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* Message number n: every field tells it. */
static rf_miss_queue_in offer(uint32_t n, uint32_t op) {
    rf_miss_queue_in in;
    memset(&in, 0, sizeof in);
    in.push = 1;
    in.push_op = (uint8_t)op, in.push_line = 0x1000000 | n, in.push_entry = (uint8_t)(n % 8), in.push_mask = n % 16;
    for (uint32_t lane = 0; lane < 4; lane++) in.push_data.lane[lane] = n << 8 | lane;
    return in;
}

/* What is at the head: number, operation; data of a fetch are 0. */
static void head_is(const rf_miss_queue *m, uint32_t n, uint32_t op, uint32_t left) {
    const rf_miss_queue_in idle = {0};
    rf_miss_queue_out out;
    rf_miss_queue_comb(m, &idle, &out);
    assert_int_equal(out.valid, 1);
    assert_int_equal(out.op, op);
    assert_int_equal(out.line, 0x1000000 | n);
    assert_int_equal(out.entry, n % 8);
    assert_int_equal(out.mask, op == RF_MISS_FETCH ? 0 : n % 16);
    for (uint32_t lane = 0; lane < 4; lane++) assert_int_equal(out.data.lane[lane], op == RF_MISS_FETCH ? 0 : n << 8 | lane);
    assert_int_equal(out.count, left);
}

/* Eight deep: messages leave in the order in which they came; a ninth is refused, also when one leaves in that cycle. */
static void messages_leave_in_order(void **state) {
    static const uint8_t ops[] = {RF_MISS_WRITE, RF_MISS_FETCH, RF_MISS_ATOMIC, 3};
    rf_miss_queue m;
    slow_queue s;
    judge j;
    rf_miss_queue_in in;
    rf_miss_queue_out out;
    const rf_miss_queue_in pop = {.pop = 1};
    (void)state;
    start(&j, 0, &m, &s, &sets[0]);
    in = offer(5, RF_MISS_WRITE);
    in.pop = 1; /* of the empty queue: ignored */
    rf_miss_queue_comb(&m, &in, &out);
    assert_int_equal(out.valid, 0); /* at the head in the next cycle at the earliest */
    assert_int_equal(out.line, 0);
    assert_int_equal(out.data.lane[1], 0);
    assert_int_equal(out.count, 0);
    step(&j, &m, &s, &in);
    for (uint32_t n = 6; n <= 12; n++) {
        in = offer(n, ops[(n - 5) % 4]);
        step(&j, &m, &s, &in);
        head_is(&m, 5, RF_MISS_WRITE, n - 4);
    }
    in = offer(13, RF_MISS_WRITE);
    step(&j, &m, &s, &in); /* full */
    head_is(&m, 5, RF_MISS_WRITE, 8);
    in.pop = 1;
    step(&j, &m, &s, &in); /* the head leaves, the message is refused all the same */
    head_is(&m, 6, RF_MISS_FETCH, 7);
    in = offer(14, RF_MISS_FETCH);
    in.pop = 1;
    step(&j, &m, &s, &in); /* both */
    head_is(&m, 7, RF_MISS_ATOMIC, 7);
    for (uint32_t n = 8; n <= 12; n++) {
        step(&j, &m, &s, &pop);
        head_is(&m, n, ops[(n - 5) % 4], 14 - n);
    }
    step(&j, &m, &s, &pop);
    head_is(&m, 14, RF_MISS_FETCH, 1);
    assert_int_equal(m.mask_q[0], 5); /* where 14 lies there is the data of 5, which nobody sees */
    assert_int_equal(m.data_q[0].lane[3], 0x503);
    assert_int_equal(m.line_q[0], 0x100000e);
    step(&j, &m, &s, &pop);
    rf_miss_queue_comb(&m, &pop, &out);
    assert_int_equal(out.valid, 0);
    assert_int_equal(out.op, 0);
    assert_int_equal(out.line, 0);
    assert_int_equal(out.entry, 0);
    assert_int_equal(out.count, 0);
    judge_passes(&j);
}

/* A queue of five with its storage full, three messages still waiting; the head is a write. */
static void fill(judge *j, rf_miss_queue *m, slow_queue *s) {
    const rf_miss_queue_cfg cfg = {.depth = 5, .lanes = 32, .line_w = 25, .entry_w = 3};
    rf_miss_queue_in in;
    start(j, 0, m, s, &cfg);
    for (uint32_t n = 21; n < 26; n++) {
        in = offer(n, n == 24 ? RF_MISS_ATOMIC : RF_MISS_WRITE);
        for (uint32_t lane = 4; lane < 32; lane++) in.push_data.lane[lane] = ~n * lane;
        step(j, m, s, &in);
    }
    memset(&in, 0, sizeof in);
    in.pop = 1;
    step(j, m, s, &in);
    step(j, m, s, &in);
    in = offer(26, RF_MISS_FETCH);
    step(j, m, s, &in);
    judge_passes(j);
}

static void reset_clears_every_register(void **state) {
    rf_miss_queue m;
    slow_queue s;
    judge j;
    rf_vec zero[5];
    (void)state;
    fill(&j, &m, &s);
    const rf_miss_queue_cfg cfg = m.cfg;
    rf_miss_queue_reset(&m);
    slow_reset(&s);
    compare_state(&j, &s, &m);
    judge_passes(&j);
    assert_memory_equal(&m.cfg, &cfg, sizeof cfg);
    assert_int_equal(m.ctrl.cfg.depth, 5);
    memset(zero, 0, sizeof zero);
    assert_memory_equal(m.data_q, zero, sizeof zero);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    (void)state;
    JUDGE_RANGES(rf_miss_queue, sets);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    const rf_miss_queue_in idle = {0};
    rf_miss_queue m;
    slow_queue s;
    judge j;
    rf_miss_queue_out out;
    (void)state;
    fill(&j, &m, &s);
    rf_miss_queue_comb(&m, &idle, &out);
    JUDGE_FLIPS(&j, rf_miss_queue, LS_OUT, &m, &out, compare_out(&j, &s, &out));
    JUDGE_FLIPS(&j, rf_miss_queue, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_messages),
        cmocka_unit_test(messages_leave_in_order),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_miss_queue", tests, NULL, NULL);
}
