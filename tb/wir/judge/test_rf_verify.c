/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_verify: the slow model is the life of one result, told in the order of the header: when it was loaded, how many
 * cycles ago, and what it has learned since. */
#include "cmodel/wir/rf_verify.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_verify_unit;

typedef struct slow_verify {
    rf_verify_cfg cfg;
    bool on_its_way; /* loaded, and not done yet */
    bool fresh;      /* loaded in the cycle before: data arrives now */
    bool same;       /* a verify-read that was equal */
    bool registered; /* it has a register to be written to */
    bool merge;      /* a dummy MOV; like all below, of the last result that was loaded */
    bool lane_on[32];
    uint32_t cand, reg, data[32];
    uint64_t info;
} slow_verify;

/* clang-format off */
#define SEEN(X) \
    X(VERIFY, "a verify-read is loaded") \
    X(MERGE, "a dummy MOV is loaded") \
    X(LOAD_BUSY, "load while busy") \
    X(LOAD_DONE, "load in the cycle in which the one before is done") \
    X(EQUAL, "equal") \
    X(EQUAL_DONE, "equal and done in one cycle") \
    X(SHARE_WAITS, "share waits for done") \
    X(SHARE_DONE, "done after a wait with share") \
    X(UNEQUAL, "not equal") \
    X(UNEQUAL_BIT, "one bit of one lane differs") \
    X(UNEQUAL_OUTSIDE, "only a lane outside the mask differs") \
    X(UNEQUAL_DONE, "done when the data arrives and is not equal") \
    X(NEED_WAITS, "need waits for a register") \
    X(NEED_DONE, "done while a register is needed") \
    X(GIVE, "a register is given") \
    X(GIVE_EARLY, "give when the data arrives") \
    X(GIVE_WRITE, "give while the write waits") \
    X(GIVE_SHARE, "give while share waits") \
    X(GIVE_IDLE, "give while idle") \
    X(DONE_IDLE, "done while idle") \
    X(WRITE_DONE_VERIFY, "a result that was not equal is written") \
    X(WRITE_DONE_MERGE, "a merged result is written") \
    X(MERGED_SOME, "some lanes come from the candidate") \
    X(MERGED_NONE, "no lane comes from the candidate") \
    X(MERGED_ALL, "all lanes come from the candidate") \
    X(MERGE_EQUAL, "a dummy MOV whose candidate is equal") \
    X(RESET, "reset of a busy one")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_verify *s) {
    const rf_verify_cfg cfg = s->cfg;
    memset(s, 0, sizeof *s);
    s->cfg = cfg;
}

/* Every lane of the register that is read holds the result. */
static bool all_lanes_equal(const slow_verify *s, const rf_vec *rdata) {
    for (uint32_t lane = 0; lane < s->cfg.lanes; lane++)
        if (rdata->lane[lane] != s->data[lane]) return false;
    return true;
}

static bool shares(const slow_verify *s, const rf_verify_in *in) {
    if (!s->on_its_way || s->merge) return false;
    return s->fresh ? all_lanes_equal(s, &in->rdata) : s->same;
}

static bool needs(const slow_verify *s) { return s->on_its_way && !s->fresh && !s->merge && !s->same && !s->registered; }

static bool writes(const slow_verify *s) { return s->on_its_way && !s->fresh && s->registered; }

static void slow_clock(slow_verify *s, const rf_verify_in *in) {
    if (!s->on_its_way) {
        if (!in->load) return;
        s->on_its_way = s->fresh = true;
        s->same = s->registered = false;
        s->merge = in->load_merge != 0;
        s->cand = in->load_cand;
        s->reg = in->load_reg; /* of a verify-read it does not count: give replaces it before anybody sees it */
        s->info = in->load_info;
        for (uint32_t lane = 0; lane < s->cfg.lanes; lane++) {
            s->lane_on[lane] = judge_bit(in->load_mask, lane);
            s->data[lane] = in->load_data.lane[lane];
        }
        return;
    }
    const bool finished = in->done && (shares(s, in) || writes(s));
    if (s->fresh) {
        s->same = shares(s, in);
        s->registered = s->merge;
        for (uint32_t lane = 0; s->merge && lane < s->cfg.lanes; lane++)
            if (!s->lane_on[lane]) s->data[lane] = in->rdata.lane[lane];
        s->fresh = false;
    } else if (needs(s) && in->give) {
        s->registered = true;
        s->reg = in->give_reg;
    }
    if (finished) s->on_its_way = false;
}

static void compare_out(judge *j, const slow_verify *s, const rf_verify_in *in, const rf_verify_out *out) {
    const bool check = s->on_its_way && s->fresh;
    judge_words(j, "data", 0, out->data.lane, s->data, 32);
    judge_equal(j, "busy", 0, out->busy, s->on_its_way);
    judge_equal(j, "check", 0, out->check, check);
    judge_equal(j, "merge", 0, out->merge, s->merge);
    judge_equal(j, "equal", 0, out->equal, check && shares(s, in));
    judge_equal(j, "share", 0, out->share, shares(s, in));
    judge_equal(j, "need", 0, out->need, needs(s));
    judge_equal(j, "write", 0, out->write, writes(s));
    judge_equal(j, "cand", 0, out->cand, s->cand);
    judge_equal(j, "reg", 0, out->reg, shares(s, in) ? s->cand : writes(s) ? s->reg : 0);
    judge_equal(j, "info", 0, out->info, s->info);
}

static uint32_t slow_state(const slow_verify *s) {
    if (!s->on_its_way) return 0;
    if (s->fresh) return 1;
    if (s->same) return 2;
    return s->registered ? 4 : 3;
}

static void compare_state(judge *j, const slow_verify *s, const rf_verify *m) {
    judge_equal(j, "state_q", 0, m->state_q, slow_state(s));
    judge_equal(j, "merge_q", 0, m->merge_q, s->merge);
    judge_equal(j, "cand_q", 0, m->cand_q, s->cand);
    judge_equal(j, "reg_q", 0, m->reg_q, s->reg);
    judge_equal(j, "mask_q", 0, m->mask_q, judge_pack(s->lane_on, s->cfg.lanes));
    judge_words(j, "data_q", 0, m->data_q.lane, s->data, 32);
    judge_equal(j, "info_q", 0, m->info_q, s->info);
}

static void start(judge *j, uint64_t seed, rf_verify *m, slow_verify *s, const rf_verify_cfg *cfg) {
    judge_begin(j, seed, "rf_verify lanes=%" PRIu32 " pregs=%" PRIu32 " infow=%" PRIu32, cfg->lanes, cfg->pregs, cfg->infow);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_verify_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    s->cfg = *cfg;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb must leave the model alone. */
static void step(judge *j, rf_verify *m, slow_verify *s, const rf_verify_in *in) {
    rf_verify before;
    rf_verify_out out;
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_verify_comb(m, in, &out);
    assert_memory_equal(&before, m, sizeof before);
    compare_out(j, s, in, &out);
    JUDGE_CLOCK(rf_verify, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
}

static void count(const slow_verify *s, const rf_verify_in *in, uint64_t *seen) {
    const bool busy = s->on_its_way, check = busy && s->fresh, verify = check && !s->merge;
    const bool share = shares(s, in), need = needs(s), write = writes(s), equal = all_lanes_equal(s, &in->rdata);
    uint32_t differ = 0, bits = 0, differ_inside = 0, from_cand = 0;
    for (uint32_t lane = 0; lane < s->cfg.lanes; lane++) {
        const uint32_t x = in->rdata.lane[lane] ^ s->data[lane];
        differ += x != 0;
        bits += (uint32_t)__builtin_popcount(x);
        differ_inside += x != 0 && s->lane_on[lane];
        from_cand += !s->lane_on[lane];
    }
    seen[VERIFY] += !busy && in->load && !in->load_merge;
    seen[MERGE] += !busy && in->load && in->load_merge;
    seen[LOAD_BUSY] += busy && in->load;
    seen[LOAD_DONE] += in->load && in->done && (share || write);
    seen[EQUAL] += verify && equal;
    seen[EQUAL_DONE] += verify && equal && in->done;
    seen[SHARE_WAITS] += share && !in->done;
    seen[SHARE_DONE] += share && !check && in->done;
    seen[UNEQUAL] += verify && !equal;
    seen[UNEQUAL_BIT] += verify && bits == 1;
    seen[UNEQUAL_OUTSIDE] += verify && differ > 0 && differ_inside == 0;
    seen[UNEQUAL_DONE] += verify && !equal && in->done;
    seen[NEED_WAITS] += need && !in->give;
    seen[NEED_DONE] += need && in->done && !in->give;
    seen[GIVE] += need && in->give;
    seen[GIVE_EARLY] += verify && !equal && in->give;
    seen[GIVE_WRITE] += write && in->give && in->give_reg != s->reg;
    seen[GIVE_SHARE] += share && !check && in->give;
    seen[GIVE_IDLE] += !busy && in->give;
    seen[DONE_IDLE] += !busy && in->done;
    seen[WRITE_DONE_VERIFY] += write && in->done && !s->merge;
    seen[WRITE_DONE_MERGE] += write && in->done && s->merge;
    seen[MERGED_SOME] += check && s->merge && from_cand > 0 && from_cand < s->cfg.lanes;
    seen[MERGED_NONE] += check && s->merge && from_cand == 0;
    seen[MERGED_ALL] += check && s->merge && from_cand == s->cfg.lanes;
    seen[MERGE_EQUAL] += check && s->merge && equal;
}

static const rf_verify_cfg sets[] = {
    {.lanes = 4, .pregs = 64, .infow = 20},   {.lanes = 1, .pregs = 2, .infow = 1},     {.lanes = 32, .pregs = 1024, .infow = 64},
    {.lanes = 3, .pregs = 1000, .infow = 33}, {.lanes = 31, .pregs = 513, .infow = 63}, {.lanes = 16, .pregs = 3, .infow = 8},
};

/* What the bank reads: now and then exactly the result, or the result but for one bit or one lane. */
static void draw_rdata(ls_rng *rng, const slow_verify *s, rf_vec *rdata) {
    const uint32_t kind = ls_rng_below(rng, 8), lane = ls_rng_below(rng, s->cfg.lanes);
    if (kind >= 6) {
        ls_rng_lanes(rng, rdata->lane, s->cfg.lanes);
        return;
    }
    for (uint32_t l = 0; l < s->cfg.lanes; l++) rdata->lane[l] = s->data[l];
    if (kind == 4) rdata->lane[lane] ^= UINT32_C(1) << ls_rng_below(rng, 32);
    if (kind == 5) rdata->lane[lane] = (uint32_t)ls_rng_u64(rng);
}

static void run(const rf_verify_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    rf_verify m;
    slow_verify s;
    judge j;
    ls_rng rng;
    rf_verify_in in;
    uint32_t p_load = 0, p_give = 0, p_done = 0;
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&rng, seed);
    memset(&in, 0, sizeof in);
    while (j.cycle < cycles) {
        if (j.cycle % 256 == 0) {
            p_load = 32 + ls_rng_below(&rng, 225);
            p_give = 16 + ls_rng_below(&rng, 241);
            p_done = 16 + ls_rng_below(&rng, 241);
        }
        in.load = ls_rng_chance(&rng, p_load);
        in.load_merge = ls_rng_chance(&rng, 128);
        in.load_cand = (uint16_t)ls_rng_value(&rng, rf_index_bits(cfg->pregs));
        in.load_reg = (uint16_t)ls_rng_value(&rng, rf_index_bits(cfg->pregs));
        in.load_mask = (uint32_t)(ls_rng_chance(&rng, 64) ? rf_mask64(cfg->lanes) : ls_rng_value(&rng, cfg->lanes));
        if (ls_rng_chance(&rng, 200)) ls_rng_lanes(&rng, in.load_data.lane, cfg->lanes);
        in.load_info = ls_rng_value(&rng, cfg->infow);
        draw_rdata(&rng, &s, &in.rdata);
        in.give = ls_rng_chance(&rng, p_give);
        in.give_reg = (uint16_t)ls_rng_value(&rng, rf_index_bits(cfg->pregs));
        in.done = ls_rng_chance(&rng, p_done);
        count(&s, &in, seen);
        step(&j, &m, &s, &in);
        if (ls_rng_chance(&rng, 1)) {
            seen[RESET] += s.on_its_way;
            rf_verify_reset(&m);
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
        run(&sets[i], ls_seed_derive(i, "judge rf_verify"), 36000, seen);
        cycles += 36000;
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* A result of four lanes that is loaded; all its fields tell it. */
static rf_verify_in offer(bool merge, uint32_t mask) {
    rf_verify_in in;
    memset(&in, 0, sizeof in);
    in.load = 1, in.load_merge = merge, in.load_cand = 21, in.load_reg = 42, in.load_mask = mask, in.load_info = 0x54321;
    for (uint32_t lane = 0; lane < 4; lane++) in.load_data.lane[lane] = 0x1000 + lane;
    return in;
}

/* The cycles of the header, by hand: what a verify-read shows when it is equal, and that done may come at once. */
static void an_equal_verify_read_shares_in_the_next_cycle(void **state) {
    (void)state;
    for (uint32_t wait = 0; wait < 3; wait++) {
        rf_verify m;
        slow_verify s;
        judge j;
        rf_verify_out out;
        start(&j, 0, &m, &s, &sets[0]);
        rf_verify_in in = offer(false, 0x5);
        rf_verify_comb(&m, &in, &out);
        assert_int_equal(out.busy, 0);
        assert_int_equal(out.reg, 0);
        step(&j, &m, &s, &in);
        in.load = 0;
        in.rdata = in.load_data;
        for (uint32_t t = 0; t <= wait; t++) {
            in.done = t == wait;
            rf_verify_comb(&m, &in, &out);
            assert_int_equal(out.busy, 1);
            assert_int_equal(out.check, t == 0);
            assert_int_equal(out.equal, t == 0);
            assert_int_equal(out.share, 1);
            assert_int_equal(out.need, 0);
            assert_int_equal(out.write, 0);
            assert_int_equal(out.reg, 21);
            assert_int_equal(out.cand, 21);
            assert_int_equal(out.info, 0x54321);
            step(&j, &m, &s, &in);
            in.rdata.lane[0] = 7; /* looked at in t+1 only */
        }
        rf_verify_comb(&m, &in, &out);
        assert_int_equal(out.busy, 0);
        assert_int_equal(out.share, 0);
        judge_passes(&j);
    }
}

/* A hash collision: one lane outside the mask differs; the result needs a register and is written whole and unchanged. */
static void a_collision_needs_a_register(void **state) {
    rf_verify m;
    slow_verify s;
    judge j;
    rf_verify_out out;
    (void)state;
    start(&j, 0, &m, &s, &sets[0]);
    rf_verify_in in = offer(false, 0x7);
    step(&j, &m, &s, &in);
    memset(&in, 0, sizeof in);
    for (uint32_t lane = 0; lane < 4; lane++) in.rdata.lane[lane] = lane < 3 ? 0x1000 + lane : 0;
    in.done = 1;
    in.give = 1; /* too early, both */
    in.give_reg = 9;
    rf_verify_comb(&m, &in, &out);
    assert_int_equal(out.check, 1);
    assert_int_equal(out.share, 0);
    assert_int_equal(out.need, 0);
    step(&j, &m, &s, &in);
    for (uint32_t t = 0; t < 3; t++) {
        in.give = t == 2;
        in.give_reg = 33;
        rf_verify_comb(&m, &in, &out);
        assert_int_equal(out.need, 1);
        assert_int_equal(out.write, 0);
        assert_int_equal(out.reg, 0);
        step(&j, &m, &s, &in);
    }
    in.done = 0;
    rf_verify_comb(&m, &in, &out);
    assert_int_equal(out.need, 0);
    assert_int_equal(out.write, 1);
    assert_int_equal(out.reg, 33);
    for (uint32_t lane = 0; lane < 4; lane++) assert_int_equal(out.data.lane[lane], 0x1000 + lane);
    in.give_reg = 1; /* has one already */
    in.done = 1;
    step(&j, &m, &s, &in);
    rf_verify_comb(&m, &in, &out);
    assert_int_equal(out.busy, 0);
    assert_int_equal(out.reg, 0);
    judge_passes(&j);
}

/* [WIR V-D]: the inactive lanes are copied from the register that the destination is mapped to. */
static void a_dummy_mov_fills_the_lanes_outside_the_mask(void **state) {
    rf_verify m;
    slow_verify s;
    judge j;
    rf_verify_out out;
    (void)state;
    start(&j, 0, &m, &s, &sets[0]);
    rf_verify_in in = offer(true, 0x6);
    step(&j, &m, &s, &in);
    memset(&in, 0, sizeof in);
    for (uint32_t lane = 0; lane < 4; lane++) in.rdata.lane[lane] = 0x2000 + lane;
    rf_verify_comb(&m, &in, &out);
    assert_int_equal(out.check, 1);
    assert_int_equal(out.merge, 1);
    assert_int_equal(out.write, 0);
    step(&j, &m, &s, &in);
    rf_verify_comb(&m, &in, &out);
    assert_int_equal(out.write, 1);
    assert_int_equal(out.reg, 42);
    assert_int_equal(out.data.lane[0], 0x2000);
    assert_int_equal(out.data.lane[1], 0x1001);
    assert_int_equal(out.data.lane[2], 0x1002);
    assert_int_equal(out.data.lane[3], 0x2003);
    judge_passes(&j);
}

/* One that waits for a register, with its fields full. */
static void fill(judge *j, rf_verify *m, slow_verify *s, const rf_verify_cfg *cfg) {
    rf_verify_in in;
    start(j, 0, m, s, cfg);
    in = offer(false, 0x6);
    in.load_cand = 1;
    in.load_reg = 1;
    in.load_info = 1;
    step(j, m, s, &in);
    memset(&in, 0, sizeof in);
    step(j, m, s, &in);
    judge_passes(j);
}

static void reset_clears_every_register(void **state) {
    rf_verify m;
    slow_verify s;
    judge j;
    (void)state;
    fill(&j, &m, &s, &sets[0]);
    rf_verify_reset(&m);
    slow_reset(&s);
    compare_state(&j, &s, &m);
    judge_passes(&j);
    assert_memory_equal(&m.cfg, &sets[0], sizeof m.cfg);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    (void)state;
    JUDGE_RANGES(rf_verify, sets);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    const rf_verify_in idle = {0};
    rf_verify m;
    slow_verify s;
    judge j;
    rf_verify_out out;
    (void)state;
    fill(&j, &m, &s, &sets[2]);
    rf_verify_comb(&m, &idle, &out);
    JUDGE_FLIPS(&j, rf_verify, LS_OUT, &m, &out, compare_out(&j, &s, &idle, &out));
    JUDGE_FLIPS(&j, rf_verify, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_results),
        cmocka_unit_test(an_equal_verify_read_shares_in_the_next_cycle),
        cmocka_unit_test(a_collision_needs_a_register),
        cmocka_unit_test(a_dummy_mov_fills_the_lanes_outside_the_mask),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_verify", tests, NULL, NULL);
}
