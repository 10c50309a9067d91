/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_steal_scheduler: the slow model keeps a flag a warp for the candidate and decides with ifs, in the paper's words
 * [bank stealing IV-B-2, IV-B-3]: the scheduler is "overridden in the next cycle to prioritize the candidate warp for issue if
 * their operands have been read ahead". */
#include "cmodel/steal/rf_steal_scheduler.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_steal_scheduler_unit;

typedef struct slow_stealer {
    uint32_t warps;
    bool candidate[64];
} slow_stealer;

typedef struct slow_out {
    bool valid, ahead, host; /* a candidate counts; it issues ahead of its turn; the host's own choice issues */
    uint32_t candidate, warp;
    bool next[64]; /* the next candidate */
} slow_out;

/* clang-format off */
#define SEEN(X) \
    X(NOBODY, "no current, no candidate") \
    X(HOST_ISSUES, "the host's choice issues") \
    X(AHEAD, "the candidate issues ahead of its turn") \
    X(AHEAD_TWICE, "a warp goes ahead in two cycles in a row") \
    X(OWN_TURN, "the candidate that issues is current: other is the next candidate") \
    X(OWN_TURN_ALONE, "the candidate that issues is current and there is no other") \
    X(CURRENT_NEXT, "current is the next candidate") \
    X(OTHER_NEXT, "other is the next candidate") \
    X(CANDIDATE_AGAIN, "the candidate remains the candidate") \
    X(NO_OTHER, "there is no other: no next candidate") \
    X(NOT_READY, "a candidate that is not ready any more") \
    X(STEAL_NOT_READY, "steal while the candidate is not ready") \
    X(STEAL_OF_NOTHING, "steal without a candidate") \
    X(STEAL_WITHOUT_TAKE, "steal without take") \
    X(TAKE_WITHOUT_CHOICE, "take without a current") \
    X(NOT_TAKEN, "a choice that is not taken") \
    X(SEVERAL_CURRENT, "more than one bit in current") \
    X(SEVERAL_OTHER, "more than one bit in other") \
    X(SEVERAL_CANDIDATES, "more than one candidate counts") \
    X(SOME_CANDIDATES, "some of several candidates count") \
    X(SHARED, "current and the candidates that count differ and share a bit") \
    X(CURRENT_IS_OTHER, "current and other are the same warp") \
    X(TOP, "the highest warp goes ahead") \
    X(ONE_WARP, "a single warp goes ahead") \
    X(RESET, "reset with a candidate")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_stealer *s) { memset(s->candidate, 0, sizeof s->candidate); }

static void unpack(const slow_stealer *s, uint64_t word, bool *bit) {
    memset(bit, 0, 64 * sizeof *bit);
    for (uint32_t w = 0; w < s->warps; w++) bit[w] = judge_bit(word, w);
}

static bool any(const slow_stealer *s, const bool *bit) {
    for (uint32_t w = 0; w < s->warps; w++)
        if (bit[w]) return true;
    return false;
}

/* As an encoder of a one-hot vector gives it: every index that is set, ORed. */
static uint32_t index_of(const slow_stealer *s, const bool *bit) {
    uint32_t index = 0;
    for (uint32_t w = 0; w < s->warps; w++)
        if (bit[w]) index |= w;
    return index;
}

static void slow_comb(const slow_stealer *s, const rf_steal_scheduler_in *in, slow_out *out) {
    bool current[64], other[64], counts[64];
    memset(out, 0, sizeof *out);
    unpack(s, in->current, current);
    unpack(s, in->other, other);
    unpack(s, in->ready, counts);
    for (uint32_t w = 0; w < s->warps; w++)
        if (!s->candidate[w]) counts[w] = false;
    out->valid = any(s, counts);
    out->candidate = index_of(s, counts);
    out->ahead = out->valid && in->steal;
    bool shared = false;
    for (uint32_t w = 0; w < s->warps; w++)
        if (counts[w] && current[w]) shared = true;
    if (out->ahead) {
        out->warp = out->candidate;
        out->host = in->take && shared;
        memcpy(out->next, shared ? other : current, sizeof out->next);
    } else {
        out->warp = index_of(s, current);
        out->host = in->take && any(s, current);
        memcpy(out->next, other, sizeof out->next);
    }
}

static void slow_clock(slow_stealer *s, const slow_out *out) { memcpy(s->candidate, out->next, sizeof s->candidate); }

static void compare_out(judge *j, const rf_steal_scheduler_out *out, const slow_out *expected) {
    judge_equal(j, "candidate_valid", 0, out->candidate_valid, expected->valid);
    judge_equal(j, "candidate", 0, out->candidate, expected->candidate);
    judge_equal(j, "warp", 0, out->warp, expected->warp);
    judge_equal(j, "host_take", 0, out->host_take, expected->host);
}

static void compare_state(judge *j, const slow_stealer *s, const rf_steal_scheduler *m) {
    judge_equal(j, "candidate_q", 0, m->candidate_q, judge_pack(s->candidate, s->warps));
}

static void start(judge *j, uint64_t seed, rf_steal_scheduler *m, slow_stealer *s, uint32_t warps) {
    const rf_steal_scheduler_cfg cfg = {warps};
    judge_begin(j, seed, "rf_steal_scheduler warps=%" PRIu32, warps);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_steal_scheduler_init(m, &cfg), 0);
    assert_int_equal(m->cfg.warps, warps);
    s->warps = warps;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb must leave the model alone. Returns the slow model's answer. */
static slow_out step(judge *j, rf_steal_scheduler *m, slow_stealer *s, const rf_steal_scheduler_in *in) {
    slow_out expected;
    rf_steal_scheduler before;
    rf_steal_scheduler_out out;
    slow_comb(s, in, &expected);
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_steal_scheduler_comb(m, in, &out);
    compare_out(j, &out, &expected);
    memset(&out, 0x5a, sizeof out);
    rf_steal_scheduler_comb(m, in, &out);
    compare_out(j, &out, &expected);
    assert_memory_equal(&before, m, sizeof before);
    JUDGE_CLOCK(rf_steal_scheduler, m, in);
    slow_clock(s, &expected);
    compare_state(j, s, m);
    j->cycle++;
    return expected;
}

static uint32_t bits_of(uint64_t word, uint32_t warps) {
    uint32_t n = 0;
    for (uint32_t w = 0; w < warps; w++) n += judge_bit(word, w);
    return n;
}

static void count(const slow_stealer *s, const rf_steal_scheduler_in *in, bool was_ahead, uint64_t *seen) {
    const uint64_t held = judge_pack(s->candidate, s->warps), counts = held & in->ready;
    slow_out out;
    slow_comb(s, in, &out);
    const uint64_t next = judge_pack(out.next, s->warps);
    const bool legal = bits_of(in->current, s->warps) <= 1 && bits_of(in->other, s->warps) <= 1 && bits_of(held, s->warps) <= 1;
    const bool own = out.ahead && counts == in->current;
    seen[NOBODY] += in->current == 0 && held == 0;
    seen[HOST_ISSUES] += legal && out.host && !out.ahead;
    seen[AHEAD] += legal && out.ahead && in->take && !own && in->current != 0;
    seen[AHEAD_TWICE] += legal && out.ahead && was_ahead && in->take && s->warps > 1;
    seen[OWN_TURN] += legal && own && out.host && in->other != 0;
    seen[OWN_TURN_ALONE] += legal && own && out.host && in->other == 0;
    seen[CURRENT_NEXT] += legal && out.ahead && !own && next != 0;
    seen[OTHER_NEXT] += legal && !out.ahead && next != 0 && next != held;
    seen[CANDIDATE_AGAIN] += legal && next != 0 && next == held;
    seen[NO_OTHER] += legal && !out.ahead && in->current != 0 && next == 0;
    seen[NOT_READY] += held != 0 && counts == 0;
    seen[STEAL_NOT_READY] += held != 0 && counts == 0 && in->steal && in->take && in->current != 0;
    seen[STEAL_OF_NOTHING] += held == 0 && in->steal && in->take && in->current != 0;
    seen[STEAL_WITHOUT_TAKE] += out.ahead && !in->take && next != in->other;
    seen[TAKE_WITHOUT_CHOICE] += in->take && in->current == 0 && !out.ahead;
    seen[NOT_TAKEN] += !in->take && !in->steal && in->current != 0;
    seen[SEVERAL_CURRENT] += bits_of(in->current, s->warps) > 1 && !out.ahead;
    seen[SEVERAL_OTHER] += bits_of(in->other, s->warps) > 1 && !out.ahead;
    seen[SEVERAL_CANDIDATES] += bits_of(counts, s->warps) > 1 && out.ahead;
    seen[SOME_CANDIDATES] += counts != 0 && counts != held;
    seen[SHARED] += out.ahead && counts != in->current && (counts & in->current) != 0;
    seen[CURRENT_IS_OTHER] += in->current != 0 && in->current == in->other;
    seen[TOP] += legal && out.ahead && s->warps > 1 && judge_bit(counts, s->warps - 1);
    seen[ONE_WARP] += out.ahead && s->warps == 1;
}

/* What 256 cycles have in common, in 256ths. */
typedef struct knobs {
    uint32_t ready, change, take, steal, stay, illegal, alone;
} knobs;

/* A lane of warps as a host drives it: current stands while its warp is ready with chance `stay`, else it is any ready warp;
 * other is any ready warp but current. */
static void stimulate(ls_rng *rng, uint32_t warps, const knobs *k, rf_steal_scheduler_in *in) {
    if (ls_rng_chance(rng, k->change)) in->ready = ls_rng_bits(rng, warps, k->ready);
    in->take = ls_rng_chance(rng, k->take);
    in->steal = ls_rng_chance(rng, k->steal);
    if (ls_rng_chance(rng, k->illegal)) {
        in->current = ls_rng_value(rng, warps);
        in->other = ls_rng_chance(rng, 32) ? in->current : ls_rng_value(rng, warps);
        return;
    }
    uint32_t warp[64], n = 0;
    if ((in->current & in->ready) == 0 || bits_of(in->current, warps) != 1 || !ls_rng_chance(rng, k->stay)) in->current = 0;
    for (uint32_t w = 0; w < warps; w++)
        if (judge_bit(in->ready, w)) warp[n++] = w;
    if (in->current == 0 && n > 0) in->current = UINT64_C(1) << warp[ls_rng_below(rng, n)];
    in->other = n > 0 && !ls_rng_chance(rng, k->alone) ? UINT64_C(1) << warp[ls_rng_below(rng, n)] & ~in->current : 0;
}

static void run(uint32_t warps, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    rf_steal_scheduler m;
    slow_stealer s;
    judge j;
    ls_rng rng;
    knobs k = {0};
    rf_steal_scheduler_in in = {0};
    bool ahead = false;
    start(&j, seed, &m, &s, warps);
    ls_rng_seed(&rng, seed);
    while (j.cycle < cycles) {
        if (j.cycle % 256 == 0) {
            k.ready = ls_rng_below(&rng, 257);
            k.change = ls_rng_chance(&rng, 64) ? 256 : ls_rng_below(&rng, 257);
            k.take = ls_rng_chance(&rng, 64) ? 256 : ls_rng_below(&rng, 257);
            k.steal = ls_rng_chance(&rng, 64) ? 256 : ls_rng_below(&rng, 257);
            k.stay = ls_rng_below(&rng, 257);
            k.illegal = ls_rng_chance(&rng, 128) ? 0 : ls_rng_below(&rng, 128);
            k.alone = ls_rng_below(&rng, 128);
        }
        stimulate(&rng, warps, &k, &in);
        count(&s, &in, ahead, seen);
        ahead = step(&j, &m, &s, &in).ahead;
        if (ls_rng_chance(&rng, 1)) {
            seen[RESET] += judge_pack(s.candidate, warps) != 0;
            rf_steal_scheduler_reset(&m);
            slow_reset(&s);
            compare_state(&j, &s, &m);
        }
    }
    judge_passes(&j);
}

static void random_warps(void **state) {
    static const uint32_t sizes[] = {1, 2, 3, 5, 8, 16, 24, 32, 33, 48, 63, 64};
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        run(sizes[i], ls_seed_derive(i, "judge rf_steal_scheduler"), 20000, seen);
        cycles += 20000;
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* All candidates x all inputs, for 1 to 3 warps. */
static void every_state_and_input_of_small_sizes(void **state) {
    judge j;
    (void)state;
    for (uint32_t warps = 1; warps <= 3; warps++) {
        const uint64_t sets = UINT64_C(1) << warps;
        rf_steal_scheduler m;
        slow_stealer s;
        start(&j, 0, &m, &s, warps);
        for (uint64_t code = 0; code < sets * sets * sets * sets * 4; code++) {
            const uint64_t vectors = code / 4;
            const rf_steal_scheduler_in in = {.ready = vectors % sets,
                                              .current = vectors / sets % sets,
                                              .other = vectors / sets / sets % sets,
                                              .take = code & 1,
                                              .steal = (code >> 1) & 1};
            m.candidate_q = vectors / sets / sets / sets;
            unpack(&s, m.candidate_q, s.candidate);
            step(&j, &m, &s, &in);
        }
        judge_passes(&j);
    }
}

/* "the original scheduling sequence of Wa, Wa, Wb, Wb, ..., may be changed to Wa, Wb, Wa, Wb": two warps of two instructions each
 * under a greedy host, without and with stealing in every cycle that has a candidate. */
static void greedy_order_is_interleaved(void **state) {
    static const uint32_t order[2][4] = {{4, 4, 1, 1}, {4, 1, 4, 1}};
    (void)state;
    for (uint32_t stealing = 0; stealing < 2; stealing++) {
        rf_steal_scheduler m;
        slow_stealer s;
        judge j;
        uint32_t left[5] = {0, 2, 0, 0, 2}, greedy = 4;
        start(&j, 0, &m, &s, 5);
        for (uint32_t t = 0; t < 4; t++) {
            if (left[greedy] == 0) greedy = 5 - greedy;
            const uint32_t rest = 5 - greedy;
            const rf_steal_scheduler_in in = {.ready = (left[1] > 0 ? 2u : 0u) | (left[4] > 0 ? 16u : 0u),
                                              .current = UINT64_C(1) << greedy,
                                              .other = left[rest] > 0 ? UINT64_C(1) << rest : 0,
                                              .take = 1,
                                              .steal = (uint8_t)stealing};
            const slow_out out = step(&j, &m, &s, &in);
            judge_passes(&j);
            assert_int_equal(out.warp, order[stealing][t]);
            assert_int_equal(out.host, out.warp == greedy); /* the host hears of its own choice alone: it stays greedy */
            left[out.warp]--;
        }
    }
}

/* Fig. 7: what the registers and multiplexers hold, cycle by cycle. */
static void the_three_multiplexers(void **state) {
    rf_steal_scheduler m;
    rf_steal_scheduler_out out;
    (void)state;
    assert_int_equal(rf_steal_scheduler_init(&m, &(rf_steal_scheduler_cfg){8}), 0);
#define CYCLE(...)                                                                                                               \
    do {                                                                                                                         \
        const rf_steal_scheduler_in in_ = {__VA_ARGS__};                                                                         \
        rf_steal_scheduler_step(&m, &in_, &out);                                                                                 \
    } while (0)
    CYCLE(0xff, 1u << 2, 1u << 6, 1, 1); /* no candidate yet: steal means nothing */
    assert_int_equal(out.candidate_valid, 0);
    assert_int_equal(out.candidate, 0);
    assert_int_equal(out.warp, 2);
    assert_int_equal(out.host_take, 1);
    assert_int_equal(m.candidate_q, 1u << 6);
    CYCLE(0xff, 1u << 3, 1u << 7, 1, 1); /* 6 goes ahead of 3: 3 is the next candidate */
    assert_int_equal(out.candidate_valid, 1);
    assert_int_equal(out.candidate, 6);
    assert_int_equal(out.warp, 6);
    assert_int_equal(out.host_take, 0);
    assert_int_equal(m.candidate_q, 1u << 3);
    CYCLE(0xff, 1u << 3, 1u << 5, 1, 1); /* 3 is current too */
    assert_int_equal(out.candidate, 3);
    assert_int_equal(out.warp, 3);
    assert_int_equal(m.candidate_q, 1u << 5);
    CYCLE(0xdf, 1u << 3, 1u << 4, 1, 1); /* 5 has lost its readiness */
    assert_int_equal(out.candidate_valid, 0);
    assert_int_equal(out.candidate, 0);
    assert_int_equal(out.warp, 3);
    assert_int_equal(out.host_take, 1);
    assert_int_equal(m.candidate_q, 1u << 4);
    CYCLE(0xff, 1u << 3, 0, 0, 0); /* nothing issues, nobody else is ready: the candidate is forgotten all the same */
    assert_int_equal(out.candidate, 4);
    assert_int_equal(out.warp, 3);
    assert_int_equal(out.host_take, 0);
    assert_int_equal(m.candidate_q, 0);
#undef CYCLE
}

static void reset_forgets_the_candidate(void **state) {
    rf_steal_scheduler m;
    slow_stealer s;
    judge j;
    (void)state;
    start(&j, 0, &m, &s, 64);
    step(&j, &m, &s, &(rf_steal_scheduler_in){ls_mask(64), 1, UINT64_C(1) << 63, 1, 0});
    assert_int_equal(m.candidate_q, UINT64_C(1) << 63);
    rf_steal_scheduler_reset(&m);
    slow_reset(&s);
    compare_state(&j, &s, &m);
    judge_passes(&j);
    assert_int_equal(m.cfg.warps, 64);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    static const rf_steal_scheduler_cfg good[] = {{1}, {2}, {8}, {33}, {64}};
    (void)state;
    JUDGE_RANGES(rf_steal_scheduler, good);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    const rf_steal_scheduler_in in = {ls_mask(64), 1, UINT64_C(1) << 41, 1, 1};
    rf_steal_scheduler m;
    slow_stealer s;
    judge j;
    slow_out expected;
    rf_steal_scheduler_out out;
    (void)state;
    start(&j, 0, &m, &s, 64);
    step(&j, &m, &s, &in);
    judge_passes(&j);
    slow_comb(&s, &in, &expected);
    rf_steal_scheduler_comb(&m, &in, &out);
    JUDGE_FLIPS(&j, rf_steal_scheduler, LS_OUT, &m, &out, compare_out(&j, &out, &expected));
    JUDGE_FLIPS(&j, rf_steal_scheduler, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_warps),
        cmocka_unit_test(every_state_and_input_of_small_sizes),
        cmocka_unit_test(greedy_order_is_interleaved),
        cmocka_unit_test(the_three_multiplexers),
        cmocka_unit_test(reset_forgets_the_candidate),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_steal_scheduler", tests, NULL, NULL);
}
