/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_h3: the table comes out of the generator that docs/units/rf_h3.md describes, and each bit of the hash is the parity
 * of the value bits that its column of the table names. */
#include "cmodel/wir/rf_h3.h"

#include "tb/common/judge/judge_unit.h"
#include "tb/wir/judge/judge_h3.h"

extern const ls_unit rf_h3_unit;

/* clang-format off */
#define SEEN(X) \
    X(ZERO, "0") \
    X(ONES, "all ones") \
    X(ONE_HOT, "one bit") \
    X(ONE_COLD, "all bits but one") \
    X(ONE_LANE, "one lane") \
    X(EQUAL, "all lanes equal") \
    X(UNEQUAL, "all kinds of lanes") \
    X(LAST_BIT, "the last bit of 1024") \
    X(FEW_LANES, "less than 32 lanes")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void compare_out(judge *j, uint32_t expected, const rf_h3_out *out) { judge_equal(j, "hash", 0, out->hash, expected); }

static void start(judge *j, uint64_t seed, rf_h3 *m, const rf_h3_cfg *cfg) {
    judge_begin(j, seed, "rf_h3 lanes=%" PRIu32, cfg->lanes);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_h3_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
}

/* One cycle; neither comb nor the edge may change anything. */
static void step(judge *j, rf_h3 *m, const rf_h3_in *in) {
    rf_h3 before;
    rf_h3_out out;
    const uint32_t expected = slow_h3(in->data.lane, m->cfg.lanes);
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_h3_comb(m, in, &out);
    compare_out(j, expected, &out);
    judge_equal(j, "rf_h3_hash", 0, rf_h3_hash(&in->data), expected);
    if (j->cycle % 8 == 0) JUDGE_CLOCK(rf_h3, m, in); /* all in one would be most of this test's time */
    else rf_h3_clock(m, in);
    assert_memory_equal(&before, m, sizeof before);
    j->cycle++;
}

static void draw(ls_rng *rng, uint32_t lanes, rf_vec *data) {
    const uint32_t kind = ls_rng_below(rng, 8), lane = ls_rng_below(rng, lanes);
    const uint32_t bit = UINT32_C(1) << ls_rng_below(rng, 32);
    memset(data, 0, sizeof *data);
    if (kind == 0) return;
    if (kind == 1 || kind == 2)
        for (uint32_t i = 0; i < lanes; i++) data->lane[i] = UINT32_MAX;
    if (kind == 2 || kind == 3) data->lane[lane] ^= bit;
    if (kind == 4) data->lane[lane] = (uint32_t)ls_rng_u64(rng);
    if (kind > 4) ls_rng_lanes(rng, data->lane, lanes);
}

static void count(uint32_t lanes, const rf_vec *data, uint64_t *seen) {
    uint32_t ones = 0, used = 0, equal = 0;
    for (uint32_t i = 0; i < lanes; i++) {
        ones += (uint32_t)__builtin_popcount(data->lane[i]);
        used += data->lane[i] != 0;
        equal += data->lane[i] == data->lane[0];
    }
    seen[ZERO] += ones == 0;
    seen[ONES] += ones == lanes * 32;
    seen[ONE_HOT] += ones == 1;
    seen[ONE_COLD] += ones == lanes * 32 - 1;
    seen[ONE_LANE] += used == 1 && lanes > 1 && ones > 1;
    seen[EQUAL] += equal == lanes && lanes > 1 && ones != 0 && ones != lanes * 32;
    seen[UNEQUAL] += lanes > 1 && equal == 1 && used == lanes;
    seen[LAST_BIT] += lanes == 32 && data->lane[31] >> 31 != 0;
    seen[FEW_LANES] += lanes < 32;
}

static const rf_h3_cfg sets[] = {{.lanes = 32}, {.lanes = 1}, {.lanes = 4}, {.lanes = 7}, {.lanes = 16}, {.lanes = 31}};

static void random_values(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        const uint64_t seed = ls_seed_derive(i, "judge rf_h3");
        rf_h3 m;
        judge j;
        ls_rng rng;
        rf_h3_in in;
        start(&j, seed, &m, &sets[i]);
        ls_rng_seed(&rng, seed);
        while (j.cycle < 35000) {
            draw(&rng, sets[i].lanes, &in.data);
            count(sets[i].lanes, &in.data, seen);
            step(&j, &m, &in);
        }
        judge_passes(&j);
        cycles += j.cycle;
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* The model's table row by row: the hash of one bit is its row, the same for every LANES that has the bit. */
static void every_row_of_the_table(void **state) {
    rf_h3 m;
    judge j;
    rf_h3_in in;
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        start(&j, 0, &m, &sets[i]);
        for (uint32_t row = 0; row < sets[i].lanes * 32; row++) {
            rf_h3_out out;
            memset(&in, 0, sizeof in);
            in.data.lane[row / 32] = UINT32_C(1) << row % 32;
            rf_h3_comb(&m, &in, &out);
            judge_equal(&j, "row", row, out.hash, slow_h3_table()[row]);
        }
        judge_passes(&j);
        assert_int_equal(j.compared, sets[i].lanes * 32);
    }
}

/* The generator gives what is published for it, and the two rows that the page shows. */
static void the_generator_is_the_published_one(void **state) {
    static const uint64_t published[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                         UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
                                         UINT64_C(16408922859458223821)};
    uint64_t counter = 1234567;
    (void)state;
    for (uint32_t i = 0; i < 5; i++) assert_true(slow_h3_next(&counter) == published[i]);
    assert_int_equal(slow_h3_table()[0], 0x89025cc1);
    assert_int_equal(slow_h3_table()[1], 0x910a2dec);
}

/* What a hash of 32 bits needs: every value of it occurs, with one lane already (the page: why seed 1); no bit of the value is
 * without effect; no two single bits have the same hash. */
static void the_table_is_a_good_one(void **state) {
    const uint32_t *row = slow_h3_table();
    (void)state;
    for (uint32_t a = 0; a < 1024; a++) {
        assert_int_not_equal(row[a], 0);
        for (uint32_t b = 0; b < a; b++) assert_int_not_equal(row[a], row[b]);
    }
    for (uint32_t rows = 32; rows <= 1024; rows *= 2) { /* rank, by elimination */
        uint32_t basis[32] = {0}, rank = 0;
        for (uint32_t i = 0; i < rows; i++) {
            uint32_t left = row[i];
            for (uint32_t bit = 32; bit-- > 0 && left != 0;) {
                if ((left >> bit & 1) == 0) continue;
                if (basis[bit] == 0) {
                    basis[bit] = left, rank++;
                    break;
                }
                left ^= basis[bit];
            }
        }
        assert_int_equal(rank, 32);
    }
}

/* h(a ^ b) = h(a) ^ h(b), h(0) = 0. */
static void the_hash_is_linear(void **state) {
    ls_rng rng;
    rf_vec a, b, both;
    (void)state;
    ls_rng_seed(&rng, 4);
    memset(&a, 0, sizeof a);
    assert_int_equal(rf_h3_hash(&a), 0);
    for (uint32_t n = 0; n < 1000; n++) {
        draw(&rng, 32, &a);
        draw(&rng, 32, &b);
        for (uint32_t i = 0; i < 32; i++) both.lane[i] = a.lane[i] ^ b.lane[i];
        assert_int_equal(rf_h3_hash(&both), rf_h3_hash(&a) ^ rf_h3_hash(&b));
    }
}

static void reset_changes_nothing(void **state) {
    rf_h3 m;
    judge j;
    rf_h3_in in;
    (void)state;
    start(&j, 0, &m, &sets[2]);
    memset(&in, 0, sizeof in);
    in.data.lane[3] = 0x80000001;
    step(&j, &m, &in);
    rf_h3_reset(&m);
    assert_memory_equal(&m.cfg, &sets[2], sizeof m.cfg);
    step(&j, &m, &in);
    judge_passes(&j);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    (void)state;
    JUDGE_RANGES(rf_h3, sets);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    rf_h3 m;
    judge j;
    rf_h3_in in;
    rf_h3_out out;
    (void)state;
    start(&j, 0, &m, &sets[0]);
    for (uint32_t i = 0; i < 32; i++) in.data.lane[i] = 0x9e3779b9u * (i + 1);
    rf_h3_comb(&m, &in, &out);
    JUDGE_FLIPS(&j, rf_h3, LS_OUT, &m, &out, compare_out(&j, slow_h3(in.data.lane, 32), &out));
    for (uint32_t bit = 0; bit < 1024; bit++) { /* a row left out is seen too */
        rf_h3_comb(&m, &in, &out);
        in.data.lane[bit / 32] ^= UINT32_C(1) << bit % 32;
        judge_begin(&j, 0, "tampered");
        compare_out(&j, slow_h3(in.data.lane, 32), &out);
        judge_caught(&j, "hash", 0, 0);
        in.data.lane[bit / 32] ^= UINT32_C(1) << bit % 32;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_values),
        cmocka_unit_test(every_row_of_the_table),
        cmocka_unit_test(the_generator_is_the_published_one),
        cmocka_unit_test(the_table_is_a_good_one),
        cmocka_unit_test(the_hash_is_linear),
        cmocka_unit_test(reset_changes_nothing),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_h3", tests, NULL, NULL);
}
