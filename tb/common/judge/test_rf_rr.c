/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_rr: the slow model remembers the index of the last taken grant and walks from the next one. */
#include "cmodel/common/rf_rr.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_rr_unit;

typedef struct slow_rr {
    uint32_t n;
    uint32_t last; /* requester of the last taken grant; n - 1 after reset */
} slow_rr;

typedef struct slow_out {
    uint32_t winner; /* n when nobody asks */
} slow_out;

/* clang-format off */
#define SEEN(X) \
    X(NOBODY, "nobody asks") X(EVERYBODY, "everybody asks") X(NEXT_ABOVE, "the next one is granted") \
    X(SKIPPED, "idle ones are skipped") X(WRAPPED, "wrapped around") X(SAME_AGAIN, "the same one again") \
    X(NOT_TAKEN, "granted but not taken") X(TAKE_OF_NOTHING, "take without a grant") X(TOP_TAKEN, "the top one taken") \
    X(RESET, "reset while running")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_rr *s) { s->last = s->n - 1; }

static slow_out slow_comb(const slow_rr *s, const rf_rr_in *in) {
    bool asks[64] = {false};
    for (uint32_t i = 0; i < s->n; i++) asks[i] = judge_bit(in->req, i);
    return (slow_out){judge_walk(s->last, asks, s->n)};
}

static void slow_clock(slow_rr *s, const rf_rr_in *in) {
    const slow_out out = slow_comb(s, in);
    if (in->take && out.winner < s->n) s->last = out.winner;
}

static void compare_out(judge *j, const slow_rr *s, const rf_rr_out *out, const slow_out *expected) {
    judge_equal(j, "grant", 0, out->grant, expected->winner < s->n ? UINT64_C(1) << expected->winner : 0);
    judge_equal(j, "valid", 0, out->valid, expected->winner < s->n);
}

static void compare_state(judge *j, const slow_rr *s, const rf_rr *m) {
    judge_equal(j, "mask_q", 0, m->mask_q, judge_above(s->last, s->n));
}

static void start(rf_rr *m, slow_rr *s, uint32_t n) {
    const rf_rr_cfg cfg = {n};
    assert_int_equal(rf_rr_init(m, &cfg), 0);
    assert_int_equal(m->cfg.n, n);
    s->n = n;
    slow_reset(s);
}

/* One cycle of both, everything compared; the two calls of comb start from different garbage and must leave the model alone. */
static slow_out step(judge *j, rf_rr *m, slow_rr *s, const rf_rr_in *in) {
    const slow_out expected = slow_comb(s, in);
    rf_rr before;
    rf_rr_out out;
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_rr_comb(m, in, &out);
    compare_out(j, s, &out, &expected);
    memset(&out, 0x5a, sizeof out);
    rf_rr_comb(m, in, &out);
    compare_out(j, s, &out, &expected);
    assert_memory_equal(&before, m, sizeof before);
    JUDGE_CLOCK(rf_rr, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
    return expected;
}

static void count(const slow_rr *s, const rf_rr_in *in, uint32_t winner, uint64_t *seen) {
    const bool any = winner < s->n;
    seen[NOBODY] += in->req == 0;
    seen[EVERYBODY] += in->req == ls_mask(s->n);
    seen[NEXT_ABOVE] += any && winner == s->last + 1;
    seen[SKIPPED] += any && winner > s->last + 1;
    seen[WRAPPED] += any && winner < s->last;
    seen[SAME_AGAIN] += any && winner == s->last && s->n > 1;
    seen[NOT_TAKEN] += any && !in->take;
    seen[TAKE_OF_NOTHING] += !any && in->take;
    seen[TOP_TAKEN] += any && in->take && winner == s->n - 1 && s->n > 1;
}

/* Random requests for `cycles` cycles; also counts for each requester the grants taken by others while it kept asking. */
static void run(uint32_t n, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    static const uint32_t densities[] = {8, 32, 128, 240, 256};
    rf_rr m;
    slow_rr s;
    judge j;
    ls_rng rng;
    uint32_t passed_over[64] = {0};
    rf_rr_in in = {0, 0};
    start(&m, &s, n);
    judge_begin(&j, seed, "rf_rr n=%" PRIu32, n);
    compare_state(&j, &s, &m);
    ls_rng_seed(&rng, seed);
    const uint32_t density = densities[ls_rng_below(&rng, 5)];
    const uint32_t take = ls_rng_chance(&rng, 64) ? 256 : ls_rng_below(&rng, 257);
    const uint32_t hold = ls_rng_below(&rng, 200);
    while (j.cycle < cycles) {
        if (!ls_rng_chance(&rng, hold)) in.req = ls_rng_chance(&rng, 32) ? ls_rng_value(&rng, n) : ls_rng_bits(&rng, n, density);
        in.take = ls_rng_chance(&rng, take);
        count(&s, &in, slow_comb(&s, &in).winner, seen);
        const uint32_t winner = step(&j, &m, &s, &in).winner;
        for (uint32_t i = 0; i < n; i++) {
            if (!judge_bit(in.req, i) || (i == winner && in.take)) passed_over[i] = 0;
            else if (in.take) passed_over[i]++;
            assert_in_range(passed_over[i], 0, n - 1);
        }
        if (ls_rng_chance(&rng, 1)) {
            rf_rr_reset(&m);
            slow_reset(&s);
            memset(passed_over, 0, sizeof passed_over);
            compare_state(&j, &s, &m);
            seen[RESET]++;
        }
    }
    judge_passes(&j);
}

static void random_requests_of_every_size(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (uint32_t n = 1; n <= 64; n++)
        for (uint64_t k = 0; k < 8; k++) {
            run(n, ls_seed_derive(k * 64 + n, "judge rf_rr"), 800, seen);
            cycles += 800;
        }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* All pointers x all requests x take, for 1 to 8 requesters; a pointer is reached by granting its requester alone. */
static void every_pointer_and_request_of_small_sizes(void **state) {
    judge j;
    (void)state;
    for (uint32_t n = 1; n <= 8; n++) {
        judge_begin(&j, 0, "rf_rr n=%" PRIu32 ", all states", n);
        for (uint32_t last = 0; last < n; last++)
            for (uint64_t req = 0; req <= ls_mask(n); req++)
                for (uint8_t take = 0; take <= 1; take++) {
                    rf_rr m;
                    slow_rr s;
                    start(&m, &s, n);
                    step(&j, &m, &s, &(rf_rr_in){UINT64_C(1) << last, 1});
                    step(&j, &m, &s, &(rf_rr_in){req, take});
                }
        judge_passes(&j);
    }
}

/* "Requester 0 is first" after reset; then each in turn, and only taken grants count. */
static void everybody_in_turn(void **state) {
    static const uint32_t sizes[] = {1, 2, 3, 5, 33, 64};
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const uint32_t n = sizes[k];
        rf_rr m;
        slow_rr s;
        rf_rr_out out;
        start(&m, &s, n);
        for (uint32_t t = 0; t < 3 * n; t++) {
            for (uint8_t take = 0; take <= 1; take++) {
                const rf_rr_in in = {ls_mask(n), take};
                rf_rr_comb(&m, &in, &out);
                assert_int_equal(out.valid, 1);
                assert_int_equal(out.grant, UINT64_C(1) << (t % n));
                rf_rr_clock(&m, &in);
            }
        }
    }
}

static void reset_puts_requester_0_first(void **state) {
    const rf_rr_in third = {4, 1}, all = {0x1f, 0};
    rf_rr m;
    slow_rr s;
    rf_rr_out out;
    (void)state;
    start(&m, &s, 5);
    rf_rr_clock(&m, &third);
    assert_int_equal(m.mask_q, 0x18);
    rf_rr_reset(&m);
    assert_int_equal(m.mask_q, 0);
    assert_int_equal(m.cfg.n, 5);
    rf_rr_comb(&m, &all, &out);
    assert_int_equal(out.grant, 1);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    static const rf_rr_cfg good[] = {{1}, {2}, {33}, {64}};
    (void)state;
    JUDGE_RANGES(rf_rr, good);
}

static void the_comparer_sees_every_flipped_bit(void **state) {
    const rf_rr_in in = {UINT64_C(0x8000000000000421), 1};
    rf_rr m;
    slow_rr s;
    judge j;
    rf_rr_out out;
    (void)state;
    start(&m, &s, 64);
    rf_rr_clock(&m, &in);
    slow_clock(&s, &in);
    rf_rr_comb(&m, &in, &out);
    const slow_out expected = slow_comb(&s, &in);
    JUDGE_FLIPS(&j, rf_rr, LS_OUT, &m, &out, compare_out(&j, &s, &out, &expected));
    JUDGE_FLIPS(&j, rf_rr, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_requests_of_every_size),
        cmocka_unit_test(every_pointer_and_request_of_small_sizes),
        cmocka_unit_test(everybody_in_turn),
        cmocka_unit_test(reset_puts_requester_0_first),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_every_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_rr", tests, NULL, NULL);
}
