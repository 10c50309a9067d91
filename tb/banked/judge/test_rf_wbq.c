/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_wbq: the slow model is a row of people: the first is served, the others move up. Where an entry is stored follows
 * from how many came before it. */
#include "cmodel/banked/rf_wbq.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_wbq_unit;

typedef struct slow_entry {
    uint32_t warp, reg, note, bank, row, mask, data[32];
} slow_entry;

typedef struct slow_wbq {
    rf_wbq_cfg cfg;
    slow_entry queue[16]; /* queue[0] is the head */
    uint32_t length;
    uint64_t pushed, popped; /* since reset */
    slow_entry stored[16];   /* what each register of the storage took last */
} slow_wbq;

/* clang-format off */
#define SEEN(X) \
    X(PUSH, "push") \
    X(PUSH_FULL, "push into a full queue") \
    X(GRANT, "grant") \
    X(GRANT_EMPTY, "grant of an empty queue") \
    X(PUSH_AND_GRANT, "push and grant in one cycle") \
    X(PUSH_FULL_AND_GRANT, "push into a full queue whose head leaves") \
    X(PUSH_EMPTY_AND_GRANT, "push into an empty queue that is granted") \
    X(BECOMES_FULL, "the queue becomes full") \
    X(BECOMES_EMPTY, "the queue becomes empty") \
    X(HEAD_WAITS, "the head waits for more than five cycles with others behind it") \
    X(WRAPPED, "the storage has wrapped around") \
    X(FULL_MASK, "a result for every lane") \
    X(NO_MASK, "a result for no lane") \
    X(NOTE_SET, "a result with a note behind one without") \
    X(NOTE_CLEAR, "a result without a note behind one with") \
    X(TOP_ROW, "the highest row of the highest bank") \
    X(RESET, "reset with results inside")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_wbq *s) {
    const rf_wbq_cfg cfg = s->cfg;
    memset(s, 0, sizeof *s);
    s->cfg = cfg;
}

static void slow_clock(slow_wbq *s, const rf_wbq_in *in) {
    const bool room = s->length < s->cfg.depth;
    if (in->grant && s->length > 0) {
        for (uint32_t i = 1; i < s->length; i++) s->queue[i - 1] = s->queue[i];
        s->length--;
        s->popped++;
    }
    if (in->push && room) {
        slow_entry *entry = &s->queue[s->length];
        entry->warp = in->push_warp;
        entry->reg = in->push_reg;
        entry->note = in->push_note;
        entry->bank = in->push_bank;
        entry->row = in->push_row;
        entry->mask = in->push_mask;
        for (uint32_t lane = 0; lane < 32; lane++) entry->data[lane] = in->push_data.lane[lane];
        s->stored[s->pushed % s->cfg.depth] = *entry;
        s->length++;
        s->pushed++;
    }
}

static void compare_out(judge *j, const slow_wbq *s, const rf_wbq_out *out) {
    static const slow_entry nothing;
    const slow_entry *head = s->length > 0 ? &s->queue[0] : &nothing;
    judge_equal(j, "ready", 0, out->ready, s->length < s->cfg.depth);
    judge_equal(j, "wr_valid", 0, out->wr_valid, s->length > 0);
    judge_equal(j, "wr_warp", 0, out->wr_warp, head->warp);
    judge_equal(j, "wr_reg", 0, out->wr_reg, head->reg);
    judge_equal(j, "wr_note", 0, out->wr_note, head->note);
    judge_equal(j, "wr_bank", 0, out->wr_bank, head->bank);
    judge_equal(j, "wr_row", 0, out->wr_row, head->row);
    judge_equal(j, "wr_mask", 0, out->wr_mask, head->mask);
    judge_words(j, "wr_data", 0, out->wr_data.lane, head->data, 32);
}

static void compare_state(judge *j, const slow_wbq *s, const rf_wbq *m) {
    judge_equal(j, "u_ctrl.wr_ptr_q", 0, m->ctrl.wr_ptr_q, s->pushed % s->cfg.depth);
    judge_equal(j, "u_ctrl.rd_ptr_q", 0, m->ctrl.rd_ptr_q, s->popped % s->cfg.depth);
    judge_equal(j, "u_ctrl.level_q", 0, m->ctrl.level_q, s->length);
    for (uint32_t i = 0; i < s->cfg.depth; i++) {
        judge_equal(j, "warp_q", i, m->warp_q[i], s->stored[i].warp);
        judge_equal(j, "reg_q", i, m->reg_q[i], s->stored[i].reg);
        judge_equal(j, "note_q", i, m->note_q[i], s->stored[i].note);
        judge_equal(j, "bank_q", i, m->bank_q[i], s->stored[i].bank);
        judge_equal(j, "row_q", i, m->row_q[i], s->stored[i].row);
        judge_equal(j, "mask_q", i, m->mask_q[i], s->stored[i].mask);
        judge_words(j, "data_q", i, m->data_q[i].lane, s->stored[i].data, 32);
    }
}

static void start(judge *j, uint64_t seed, rf_wbq *m, slow_wbq *s, const rf_wbq_cfg *cfg) {
    judge_begin(j, seed,
                "rf_wbq depth=%" PRIu32 " lanes=%" PRIu32 " warps=%" PRIu32 " regs=%" PRIu32 " banks=%" PRIu32 " rows=%" PRIu32,
                cfg->depth, cfg->lanes, cfg->warps, cfg->regs, cfg->banks, cfg->rows);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_wbq_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    s->cfg = *cfg;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb must leave the model alone. */
static void step(judge *j, rf_wbq *m, slow_wbq *s, const rf_wbq_in *in) {
    rf_wbq before;
    rf_wbq_out out;
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_wbq_comb(m, in, &out);
    assert_memory_equal(&before, m, sizeof before);
    compare_out(j, s, &out);
    JUDGE_CLOCK(rf_wbq, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
}

static void count(const slow_wbq *s, const rf_wbq_in *in, uint32_t waited, uint64_t *seen) {
    const bool full = s->length == s->cfg.depth, empty = s->length == 0;
    const bool pushes = in->push && !full, pops = in->grant && !empty;
    seen[PUSH] += pushes;
    seen[PUSH_FULL] += in->push && full && !in->grant;
    seen[GRANT] += pops;
    seen[GRANT_EMPTY] += in->grant && empty;
    seen[PUSH_AND_GRANT] += pushes && pops;
    seen[PUSH_FULL_AND_GRANT] += in->push && full && in->grant;
    seen[PUSH_EMPTY_AND_GRANT] += in->push && empty && in->grant;
    seen[BECOMES_FULL] += pushes && !pops && s->length + 1 == s->cfg.depth;
    seen[BECOMES_EMPTY] += pops && !pushes && s->length == 1;
    seen[HEAD_WAITS] += waited > 5 && s->length > 1;
    seen[WRAPPED] += s->cfg.depth > 1 && s->pushed > s->cfg.depth;
    seen[FULL_MASK] += pushes && s->cfg.lanes == 32 && in->push_mask == UINT32_MAX;
    seen[NO_MASK] += pushes && in->push_mask == 0;
    const bool behind = pushes && s->length > 0, note_ahead = behind && s->queue[s->length - 1].note != 0;
    seen[NOTE_SET] += behind && in->push_note != 0 && !note_ahead;
    seen[NOTE_CLEAR] += note_ahead && in->push_note == 0;
    seen[TOP_ROW] += pushes && s->cfg.rows > 1 && in->push_row == s->cfg.rows - 1 && in->push_bank == s->cfg.banks - 1;
}

static const rf_wbq_cfg sets[] = {
    {.depth = 4, .lanes = 4, .warps = 8, .regs = 16, .banks = 4, .rows = 32, .note = 1},
    {.depth = 1, .lanes = 1, .warps = 1, .regs = 1, .banks = 1, .rows = 1, .note = 1},
    {.depth = 2, .lanes = 32, .warps = 32, .regs = 64, .banks = 16, .rows = 128, .note = 1},
    {.depth = 3, .lanes = 5, .warps = 48, .regs = 33, .banks = 3, .rows = 33, .note = 3},
    {.depth = 5, .lanes = 3, .warps = 33, .regs = 63, .banks = 5, .rows = 429, .note = 6},
    {.depth = 16, .lanes = 32, .warps = 64, .regs = 256, .banks = 32, .rows = 512, .note = 8},
    {.depth = 15, .lanes = 31, .warps = 3, .regs = 3, .banks = 2, .rows = 1024, .note = 1},
};

static void run(const rf_wbq_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    rf_wbq m;
    slow_wbq s;
    judge j;
    ls_rng rng;
    rf_wbq_in in;
    uint32_t p_push = 0, p_grant = 0, waited = 0;
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&rng, seed);
    memset(&in, 0, sizeof in);
    while (j.cycle < cycles) {
        if (j.cycle % 256 == 0) {
            p_push = ls_rng_below(&rng, 257);
            p_grant = ls_rng_below(&rng, 257);
        }
        in.push = ls_rng_chance(&rng, p_push);
        in.grant = ls_rng_chance(&rng, p_grant);
        /* Indexes that no element has are carried along like any other. */
        in.push_warp = (uint8_t)ls_rng_value(&rng, rf_index_bits(cfg->warps));
        in.push_reg = (uint8_t)ls_rng_value(&rng, rf_index_bits(cfg->regs));
        in.push_note = (uint8_t)(ls_rng_chance(&rng, 128) ? 0 : ls_rng_value(&rng, cfg->note));
        in.push_bank = (uint8_t)ls_rng_value(&rng, rf_index_bits(cfg->banks));
        in.push_row = (uint16_t)ls_rng_value(&rng, rf_index_bits(cfg->rows));
        in.push_mask = (uint32_t)ls_rng_value(&rng, cfg->lanes);
        if (ls_rng_chance(&rng, 200)) ls_rng_lanes(&rng, in.push_data.lane, cfg->lanes);
        waited = s.length > 0 && !in.grant ? waited + 1 : 0;
        count(&s, &in, waited, seen);
        step(&j, &m, &s, &in);
        if (ls_rng_chance(&rng, 1)) {
            seen[RESET] += s.length > 0;
            rf_wbq_reset(&m);
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
        run(&sets[i], ls_seed_derive(i, "judge rf_wbq"), 30000, seen);
        cycles += 30000;
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* Offers result number n: every field tells it. */
static rf_wbq_in offer(uint32_t n) {
    rf_wbq_in in;
    memset(&in, 0, sizeof in);
    in.push = 1;
    in.push_warp = (uint8_t)(n % 8), in.push_reg = (uint8_t)(n % 16), in.push_bank = (uint8_t)(n % 4),
    in.push_row = (uint16_t)(n % 32);
    in.push_note = n / 2 % 2;
    in.push_mask = n % 16;
    for (uint32_t lane = 0; lane < 4; lane++) in.push_data.lane[lane] = n << 8 | lane;
    return in;
}

/* D-write-stall: the head waits and so does everything behind it; the order stays; a full queue refuses. */
static void results_wait_in_order(void **state) {
    rf_wbq m;
    slow_wbq s;
    judge j;
    rf_wbq_out out;
    rf_wbq_in in;
    (void)state;
    start(&j, 0, &m, &s, &sets[0]);
    in = offer(1);
    in.grant = 1; /* of the empty queue: ignored */
    rf_wbq_comb(&m, &in, &out);
    assert_int_equal(out.ready, 1);
    assert_int_equal(out.wr_valid, 0); /* the head asks in the cycle after its push at the earliest */
    step(&j, &m, &s, &in);
    for (uint32_t n = 2; n <= 9; n++) {
        in = offer(n);
        rf_wbq_comb(&m, &in, &out);
        assert_int_equal(out.ready, n <= 4);
        assert_int_equal(out.wr_valid, 1);
        assert_int_equal(out.wr_reg, 1);
        assert_int_equal(out.wr_data.lane[3], 0x103);
        in.grant = n == 9; /* the head leaves, but the queue was full: 9 is refused too */
        step(&j, &m, &s, &in);
    }
    in = offer(10);
    step(&j, &m, &s, &in);
    for (uint32_t n = 2; n <= 10; n = n == 4 ? 10 : n + 1) {
        memset(&in, 0, sizeof in);
        in.grant = 1;
        rf_wbq_comb(&m, &in, &out);
        assert_int_equal(out.wr_valid, 1);
        assert_int_equal(out.wr_warp, n % 8);
        assert_int_equal(out.wr_note, n == 2 || n == 3 || n == 10); /* the note stays with its result */
        assert_int_equal(out.wr_bank, n % 4);
        assert_int_equal(out.wr_row, n);
        assert_int_equal(out.wr_mask, n);
        assert_int_equal(out.wr_data.lane[0], n << 8);
        step(&j, &m, &s, &in);
    }
    rf_wbq_comb(&m, &in, &out);
    assert_int_equal(out.wr_valid, 0);
    assert_int_equal(out.wr_row, 0); /* of an empty queue: 0 */
    assert_int_equal(out.wr_note, 0);
    assert_int_equal(out.wr_data.lane[0], 0);
    judge_passes(&j);
}

/* A queue of three with its storage full of results, two of them still waiting. */
static void fill(judge *j, rf_wbq *m, slow_wbq *s) {
    rf_wbq_in in;
    start(j, 0, m, s, &sets[3]);
    for (uint32_t n = 21; n < 24; n++) {
        in = offer(n);
        step(j, m, s, &in);
    }
    memset(&in, 0, sizeof in);
    in.grant = 1;
    step(j, m, s, &in);
    judge_passes(j);
}

static void reset_clears_every_register(void **state) {
    rf_wbq m;
    slow_wbq s;
    judge j;
    (void)state;
    fill(&j, &m, &s);
    rf_wbq_reset(&m);
    slow_reset(&s);
    compare_state(&j, &s, &m);
    judge_passes(&j);
    assert_memory_equal(&m.cfg, &sets[3], sizeof m.cfg);
    assert_int_equal(m.ctrl.cfg.depth, 3);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    (void)state;
    JUDGE_RANGES(rf_wbq, sets);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    const rf_wbq_in idle = {0};
    rf_wbq m;
    slow_wbq s;
    judge j;
    rf_wbq_out out;
    (void)state;
    fill(&j, &m, &s);
    rf_wbq_comb(&m, &idle, &out);
    JUDGE_FLIPS(&j, rf_wbq, LS_OUT, &m, &out, compare_out(&j, &s, &out));
    JUDGE_FLIPS(&j, rf_wbq, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_results),
        cmocka_unit_test(results_wait_in_order),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_wbq", tests, NULL, NULL);
}
