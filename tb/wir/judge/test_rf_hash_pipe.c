/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_hash_pipe: the slow model is a row of seats. Who sits in the last one leaves when called, then each of the others,
 * the rearmost first, moves up when the seat before it is free, then somebody may sit down on the first. */
#include "cmodel/wir/rf_hash_pipe.h"

#include "tb/common/judge/judge_unit.h"
#include "tb/wir/judge/judge_h3.h"

extern const ls_unit rf_hash_pipe_unit;

typedef struct slow_result {
    uint32_t warp, dst, mask, data[32];
    uint64_t info;
} slow_result;

typedef struct slow_pipe {
    rf_hash_pipe_cfg cfg;
    bool taken[5];
    slow_result seat[5]; /* who sits there, or sat there last; 0 before the first */
    uint32_t hash;       /* of the last seat's data, whoever sat there last; 0 before the first */
    uint64_t since[5];   /* cycles since the result was accepted */
} slow_pipe;

/* clang-format off */
#define SEEN(X) \
    X(ACCEPTED, "result accepted") \
    X(REFUSED, "result refused") \
    X(LEAVES, "result taken") \
    X(TAKE_EMPTY, "take of an empty end") \
    X(FULL, "all stages full and nothing goes") \
    X(FULL_MOVES, "all stages full, everything moves and a result is accepted") \
    X(FULL_MOVES_ALONE, "all stages full, everything moves and nothing comes") \
    X(CLOSES, "a bubble closes behind a result that waits at the end") \
    X(BEHIND, "a result is accepted into a pipe whose end waits") \
    X(WAITS, "a result waits at the end for more than five cycles") \
    X(SOONEST, "a result is at the end after STAGES cycles") \
    X(LATER, "a result is at the end later than that") \
    X(EMPTIES, "the last one leaves") \
    X(ZERO, "the hash of 0") \
    X(TOP_INFO, "all bits of a 64-bit info") \
    X(TOP_LANE, "bit 31 of lane 31 alone") \
    X(RESET, "reset with results inside")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static uint32_t hash_of(const slow_pipe *s, const uint32_t *data) { return slow_h3(data, s->cfg.lanes); }

static void slow_reset(slow_pipe *s) {
    const rf_hash_pipe_cfg cfg = s->cfg;
    memset(s, 0, sizeof *s);
    s->cfg = cfg;
}

/* The end leaves and the others move up. */
static void slow_move(slow_pipe *s, bool take) {
    const uint32_t last = s->cfg.stages - 1;
    if (take) s->taken[last] = false;
    for (uint32_t i = last; i > 0; i--) {
        if (s->taken[i] || !s->taken[i - 1]) continue;
        s->seat[i] = s->seat[i - 1];
        s->since[i] = s->since[i - 1];
        s->taken[i] = true;
        s->taken[i - 1] = false;
        if (i == last) s->hash = hash_of(s, s->seat[i].data);
    }
}

static bool slow_ready(const slow_pipe *s, bool take) {
    slow_pipe moved = *s;
    slow_move(&moved, take);
    return !moved.taken[0];
}

static void slow_clock(slow_pipe *s, const rf_hash_pipe_in *in) {
    slow_move(s, in->take != 0);
    for (uint32_t i = 0; i < s->cfg.stages; i++) s->since[i]++;
    if (!in->valid || s->taken[0]) return;
    s->taken[0] = true;
    s->since[0] = 1;
    s->seat[0].warp = in->warp;
    s->seat[0].dst = in->dst;
    s->seat[0].mask = in->mask;
    s->seat[0].info = in->info;
    for (uint32_t lane = 0; lane < 32; lane++) s->seat[0].data[lane] = in->data.lane[lane];
    if (s->cfg.stages == 1) s->hash = hash_of(s, s->seat[0].data);
}

static void compare_out(judge *j, const slow_pipe *s, bool take, const rf_hash_pipe_out *out) {
    static const slow_result nothing;
    const uint32_t last = s->cfg.stages - 1;
    const slow_result *end = s->taken[last] ? &s->seat[last] : &nothing;
    judge_words(j, "out_data", 0, out->out_data.lane, end->data, 32);
    judge_equal(j, "ready", 0, out->ready, slow_ready(s, take));
    judge_equal(j, "out_valid", 0, out->out_valid, s->taken[last]);
    judge_equal(j, "out_warp", 0, out->out_warp, end->warp);
    judge_equal(j, "out_dst", 0, out->out_dst, end->dst);
    judge_equal(j, "out_mask", 0, out->out_mask, end->mask);
    judge_equal(j, "out_info", 0, out->out_info, end->info);
    judge_equal(j, "out_hash", 0, out->out_hash, s->taken[last] ? s->hash : 0);
}

static void compare_state(judge *j, const slow_pipe *s, const rf_hash_pipe *m) {
    judge_equal(j, "valid_q", 0, m->valid_q, judge_pack(s->taken, s->cfg.stages));
    for (uint32_t i = 0; i < s->cfg.stages; i++) {
        judge_equal(j, "warp_q", i, m->warp_q[i], s->seat[i].warp);
        judge_equal(j, "dst_q", i, m->dst_q[i], s->seat[i].dst);
        judge_equal(j, "mask_q", i, m->mask_q[i], s->seat[i].mask);
        judge_words(j, "data_q", i, m->data_q[i].lane, s->seat[i].data, 32);
        judge_equal(j, "info_q", i, m->info_q[i], s->seat[i].info);
    }
    judge_equal(j, "hash_q", 0, m->hash_q, s->hash);
}

static void start(judge *j, uint64_t seed, rf_hash_pipe *m, slow_pipe *s, const rf_hash_pipe_cfg *cfg) {
    judge_begin(j, seed, "rf_hash_pipe stages=%" PRIu32 " lanes=%" PRIu32 " warps=%" PRIu32 " regs=%" PRIu32 " infow=%" PRIu32,
                cfg->stages, cfg->lanes, cfg->warps, cfg->regs, cfg->infow);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_hash_pipe_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    s->cfg = *cfg;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb must leave the model alone, and of its inputs only `take` may matter. */
static void step(judge *j, rf_hash_pipe *m, slow_pipe *s, const rf_hash_pipe_in *in) {
    rf_hash_pipe before;
    rf_hash_pipe_out out;
    rf_hash_pipe_in take_alone;
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_hash_pipe_comb(m, in, &out);
    assert_memory_equal(&before, m, sizeof before);
    compare_out(j, s, in->take != 0, &out);
    memset(&take_alone, 0, sizeof take_alone);
    take_alone.take = in->take;
    memset(&out, 0x5a, sizeof out);
    rf_hash_pipe_comb(m, &take_alone, &out);
    compare_out(j, s, in->take != 0, &out);
    JUDGE_CLOCK(rf_hash_pipe, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
}

static void count(const slow_pipe *s, const rf_hash_pipe_in *in, uint32_t waited, uint64_t *seen) {
    const uint32_t last = s->cfg.stages - 1;
    const bool ready = slow_ready(s, in->take != 0), end = s->taken[last];
    uint32_t inside = 0, ones = 0;
    for (uint32_t i = 0; i <= last; i++) inside += s->taken[i];
    for (uint32_t lane = 0; lane < 32; lane++) ones += (uint32_t)__builtin_popcount(in->data.lane[lane]);
    const bool full = inside == s->cfg.stages, accepted = in->valid && ready;
    seen[ACCEPTED] += accepted;
    seen[REFUSED] += in->valid && !ready;
    seen[LEAVES] += in->take && end;
    seen[TAKE_EMPTY] += in->take && !end;
    seen[FULL] += full && !in->take;
    seen[FULL_MOVES] += full && in->take && in->valid && last > 0;
    seen[FULL_MOVES_ALONE] += full && in->take && !in->valid && last > 0;
    if (end && !in->take)
        for (uint32_t i = last; i > 0; i--)
            if (s->taken[i - 1] && !s->taken[i]) {
                seen[CLOSES]++;
                break;
            }
    seen[BEHIND] += accepted && end && !in->take;
    seen[WAITS] += waited > 5;
    seen[SOONEST] += end && s->since[last] == s->cfg.stages;
    seen[LATER] += end && waited == 0 && s->since[last] > s->cfg.stages;
    seen[EMPTIES] += in->take && end && inside == 1 && !in->valid;
    seen[ZERO] += accepted && ones == 0;
    seen[TOP_INFO] += accepted && s->cfg.infow == 64 && in->info == UINT64_MAX;
    seen[TOP_LANE] += accepted && ones == 1 && in->data.lane[31] == UINT32_C(1) << 31;
}

static const rf_hash_pipe_cfg sets[] = {
    {.stages = 3, .lanes = 4, .warps = 8, .regs = 16, .infow = 13},
    {.stages = 1, .lanes = 1, .warps = 1, .regs = 1, .infow = 1},
    {.stages = 2, .lanes = 32, .warps = 48, .regs = 64, .infow = 32},
    {.stages = 5, .lanes = 32, .warps = 64, .regs = 256, .infow = 64},
    {.stages = 4, .lanes = 7, .warps = 5, .regs = 63, .infow = 33},
    {.stages = 1, .lanes = 32, .warps = 33, .regs = 255, .infow = 64},
    {.stages = 5, .lanes = 31, .warps = 3, .regs = 2, .infow = 63},
};

static void draw_data(ls_rng *rng, uint32_t lanes, rf_vec *data) {
    const uint32_t kind = ls_rng_below(rng, 8);
    memset(data, 0, sizeof *data);
    if (kind == 0) return;
    if (kind == 1) data->lane[ls_rng_below(rng, lanes)] = UINT32_C(1) << ls_rng_below(rng, 32);
    if (kind == 2) data->lane[lanes - 1] = UINT32_C(1) << 31;
    if (kind > 2) ls_rng_lanes(rng, data->lane, lanes);
}

static void run(const rf_hash_pipe_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    rf_hash_pipe m;
    slow_pipe s;
    judge j;
    ls_rng rng;
    rf_hash_pipe_in in;
    uint32_t p_valid = 0, p_take = 0, waited = 0;
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&rng, seed);
    memset(&in, 0, sizeof in);
    while (j.cycle < cycles) {
        if (j.cycle % 256 == 0) {
            static const uint32_t often[] = {0, 16, 64, 128, 240, 256};
            p_valid = often[ls_rng_below(&rng, 6)];
            p_take = often[ls_rng_below(&rng, 6)];
        }
        in.valid = ls_rng_chance(&rng, p_valid);
        in.take = ls_rng_chance(&rng, p_take);
        /* Indexes that no element has are carried along like any other. */
        in.warp = (uint8_t)ls_rng_value(&rng, rf_index_bits(cfg->warps));
        in.dst = (uint8_t)ls_rng_value(&rng, rf_index_bits(cfg->regs));
        in.mask = (uint32_t)ls_rng_value(&rng, cfg->lanes);
        in.info = ls_rng_value(&rng, cfg->infow);
        draw_data(&rng, cfg->lanes, &in.data);
        count(&s, &in, waited, seen);
        waited = s.taken[cfg->stages - 1] && !in.take ? waited + 1 : 0;
        step(&j, &m, &s, &in);
        if (ls_rng_chance(&rng, 1)) {
            seen[RESET] += m.valid_q != 0;
            rf_hash_pipe_reset(&m);
            slow_reset(&s);
            compare_state(&j, &s, &m);
            waited = 0;
        }
    }
    judge_passes(&j);
}

static void random_results(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        run(&sets[i], ls_seed_derive(i, "judge rf_hash_pipe"), 30000, seen);
        cycles += 30000;
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* Offers result number n: every field tells it. */
static rf_hash_pipe_in offer(uint32_t n) {
    rf_hash_pipe_in in;
    memset(&in, 0, sizeof in);
    in.valid = 1;
    in.warp = (uint8_t)(n % 8), in.dst = (uint8_t)(n % 16), in.mask = n % 16;
    for (uint32_t lane = 0; lane < 4; lane++) in.data.lane[lane] = n << 8 | lane;
    in.info = n * 5;
    return in;
}

/* Accepted in t, at the end with its hash in t + STAGES; one after the other in every cycle when each is taken at once. */
static void the_timing_of_the_header(void **state) {
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        rf_hash_pipe_cfg cfg = sets[i];
        rf_hash_pipe m;
        slow_pipe s;
        judge j;
        (void)state;
        cfg.lanes = 4, cfg.warps = 8, cfg.regs = 16, cfg.infow = 64;
        start(&j, 0, &m, &s, &cfg);
        for (uint32_t t = 0; t < 12; t++) {
            rf_hash_pipe_in in = offer(t + 1);
            rf_hash_pipe_out out;
            in.take = 1;
            rf_hash_pipe_comb(&m, &in, &out);
            assert_int_equal(out.ready, 1);
            assert_int_equal(out.out_valid, t >= cfg.stages);
            if (t >= cfg.stages) {
                const rf_hash_pipe_in was = offer(t + 1 - cfg.stages);
                assert_int_equal(out.out_warp, was.warp);
                assert_int_equal(out.out_dst, was.dst);
                assert_int_equal(out.out_mask, was.mask);
                assert_int_equal(out.out_info, was.info);
                assert_memory_equal(&out.out_data, &was.data, sizeof was.data);
                assert_int_equal(out.out_hash, slow_h3(was.data.lane, 4));
            }
            step(&j, &m, &s, &in);
        }
        judge_passes(&j);
    }
}

/* Nobody takes: the pipe of three accepts three results, bubbles between them or not, then refuses; with take it accepts. */
static void bubbles_close(void **state) {
    rf_hash_pipe m;
    slow_pipe s;
    judge j;
    rf_hash_pipe_in in;
    rf_hash_pipe_out out;
    static const bool offered[] = {true, false, false, false, true, false, true, true, true};
    static const uint8_t valid_after[] = {1, 2, 4, 4, 5, 6, 7, 7, 7};
    (void)state;
    start(&j, 0, &m, &s, &sets[0]);
    for (uint32_t t = 0; t < 9; t++) {
        in = offer(t);
        in.valid = offered[t];
        rf_hash_pipe_comb(&m, &in, &out);
        assert_int_equal(out.ready, t < 7);
        assert_int_equal(out.out_valid, t >= 3);
        step(&j, &m, &s, &in);
        assert_int_equal(m.valid_q, valid_after[t]);
    }
    in = offer(9);
    in.take = 1; /* 0 leaves, 4 and 6 move up, 9 comes in */
    rf_hash_pipe_comb(&m, &in, &out);
    assert_int_equal(out.ready, 1);
    assert_int_equal(out.out_info, 0);
    step(&j, &m, &s, &in);
    assert_int_equal(m.valid_q, 7);
    for (uint32_t n = 4; n < 12; n = n == 4 ? 6 : n == 6 ? 9 : 12) {
        memset(&in, 0, sizeof in);
        in.take = 1;
        rf_hash_pipe_comb(&m, &in, &out);
        assert_int_equal(out.out_valid, 1);
        assert_int_equal(out.out_info, n * 5);
        step(&j, &m, &s, &in);
    }
    rf_hash_pipe_comb(&m, &in, &out); /* empty: all 0 */
    assert_int_equal(out.out_valid, 0);
    assert_int_equal(out.out_info, 0);
    assert_int_equal(out.out_hash, 0);
    assert_int_equal(out.out_data.lane[0], 0);
    assert_int_equal(m.info_q[2], 9 * 5); /* but its register is kept */
    assert_true(m.hash_q != 0);
    judge_passes(&j);
}

/* A pipe of three stopped in the middle: the end waits, the stage before it is empty, the first is full. */
static void stop_half_way(judge *j, rf_hash_pipe *m, slow_pipe *s) {
    rf_hash_pipe_in in;
    start(j, 0, m, s, &sets[0]);
    for (uint32_t n = 21; n < 24; n++) {
        in = offer(n);
        step(j, m, s, &in);
    }
    memset(&in, 0, sizeof in);
    in.take = 1;
    step(j, m, s, &in);
    in = offer(24);
    in.take = 1;
    step(j, m, s, &in);
    judge_passes(j);
}

static void reset_clears_every_register(void **state) {
    rf_hash_pipe m;
    slow_pipe s;
    judge j;
    (void)state;
    stop_half_way(&j, &m, &s);
    rf_hash_pipe_reset(&m);
    slow_reset(&s);
    compare_state(&j, &s, &m);
    judge_passes(&j);
    assert_memory_equal(&m.cfg, &sets[0], sizeof m.cfg);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    (void)state;
    JUDGE_RANGES(rf_hash_pipe, sets);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    const rf_hash_pipe_in idle = {0};
    rf_hash_pipe m;
    slow_pipe s;
    judge j;
    rf_hash_pipe_out out;
    (void)state;
    stop_half_way(&j, &m, &s);
    assert_int_equal(m.valid_q, 5);
    rf_hash_pipe_comb(&m, &idle, &out);
    JUDGE_FLIPS(&j, rf_hash_pipe, LS_OUT, &m, &out, compare_out(&j, &s, false, &out));
    JUDGE_FLIPS(&j, rf_hash_pipe, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_results),
        cmocka_unit_test(the_timing_of_the_header),
        cmocka_unit_test(bubbles_close),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_hash_pipe", tests, NULL, NULL);
}
