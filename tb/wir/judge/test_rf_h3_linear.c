/* SPDX-License-Identifier: Apache-2.0 */
/* What the hash is, proved: its 1024 rows are the generator's, it is linear, and its columns need XOR trees as deep as its page
 * says. And what makes values with equal hashes does. */
#include "cmodel/wir/rf_h3.h"

#include "tb/common/judge/judge.h"
#include "tb/wir/env/rf_h3_collide.h"

static rf_vec basis(uint32_t i) {
    rf_vec v = {{0}};
    v.lane[i / 32] = UINT32_C(1) << i % 32;
    return v;
}

static uint32_t row[RF_H3_ROWS]; /* the hashes of the basis vectors, of the tests that do not ask for them themselves */

static int fill_rows(void **state) {
    (void)state;
    for (uint32_t i = 0; i < RF_H3_ROWS; i++) {
        const rf_vec e = basis(i);
        row[i] = rf_h3_hash(&e);
    }
    return 0;
}

static rf_vec sum_of(const rf_vec *a, const rf_vec *b) {
    rf_vec v;
    for (uint32_t l = 0; l < RF_LANES_MAX; l++) v.lane[l] = a->lane[l] ^ b->lane[l];
    return v;
}

/* SplitMix64 as its authors wrote it, with a state that walks. */
static uint64_t next_output(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* The generator is the known one: for seed 1234567 Rosetta Code ("Pseudo-random numbers/Splitmix64") prints these. */
static void every_row_is_the_generators(void **state) {
    static const uint64_t known[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973), UINT64_C(9817491932198370423),
                                     UINT64_C(4593380528125082431), UINT64_C(16408922859458223821)};
    uint64_t walk = 1234567;
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) assert_true(next_output(&walk) == known[i]);
    walk = 1;
    for (uint32_t i = 0; i < RF_H3_ROWS; i += 2) {
        const uint64_t output = next_output(&walk);
        const rf_vec low = basis(i), high = basis(i + 1);
        assert_int_equal(rf_h3_hash(&low), (uint32_t)output);
        assert_int_equal(rf_h3_hash(&high), (uint32_t)(output >> 32));
    }
}

/* h(0) = 0, and adding any basis vector to any value adds its row: 64 values x 1024 rows. */
static void it_is_linear_on_all_basis_vectors(void **state) {
    const rf_vec zero = {{0}};
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, ls_seed_derive(0, "test rf_h3 basis"));
    assert_int_equal(rf_h3_hash(&zero), 0);
    for (uint32_t k = 0; k < 64; k++) {
        rf_vec v = zero;
        if (k > 0) ls_rng_lanes(&rng, v.lane, RF_LANES_MAX);
        const uint32_t hash = rf_h3_hash(&v);
        for (uint32_t i = 0; i < RF_H3_ROWS; i++) {
            const rf_vec e = basis(i), both = sum_of(&v, &e);
            if (rf_h3_hash(&both) != (hash ^ row[i])) fail_msg("value %" PRIu32 ", row %" PRIu32, k, i);
        }
    }
}

static void it_is_linear_on_random_sums(void **state) {
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, ls_seed_derive(0, "test rf_h3 sums"));
    for (uint32_t k = 0; k < 50000; k++) {
        rf_vec a, b;
        uint32_t rows = 0;
        ls_rng_lanes(&rng, a.lane, RF_LANES_MAX);
        ls_rng_lanes(&rng, b.lane, RF_LANES_MAX);
        const rf_vec both = sum_of(&a, &b);
        if (rf_h3_hash(&both) != (rf_h3_hash(&a) ^ rf_h3_hash(&b))) fail_msg("sum %" PRIu32, k);
        if (k % 64 != 0) continue; /* and a value is the sum of its bits */
        for (uint32_t i = 0; i < RF_H3_ROWS; i++)
            if (judge_bit(a.lane[i / 32], i % 32)) rows ^= row[i];
        if (rf_h3_hash(&a) != rows) fail_msg("bits of value %" PRIu32, k);
    }
}

/* Rank of `n` rows from `first` on. */
static uint32_t rank_of(uint32_t first, uint32_t n) {
    uint32_t led[32] = {0}, rank = 0; /* per highest bit: a row reduced to it */
    for (uint32_t i = first; i < first + n; i++) {
        uint32_t rest = row[i];
        for (uint32_t b = 32; b-- > 0;) {
            if (!judge_bit(rest, b)) continue;
            if (led[b] == 0) {
                led[b] = rest;
                rank++;
                break;
            }
            rest ^= led[b];
        }
    }
    return rank;
}

/* The table of the page: of the column with most ones, levels of 2-input XOR gates; gates of all columns, nothing shared. */
static void the_xor_trees_are_as_the_page_says(void **state) {
    static const struct {
        uint32_t lanes, ones, levels, gates;
    } page[] = {
        {1, 22, 5, 488}, {2, 42, 6, 1005}, {4, 76, 7, 2005}, {8, 145, 8, 4050}, {16, 273, 9, 8120}, {32, 538, 10, 16341},
    };
    (void)state;
    for (size_t k = 0; k < sizeof page / sizeof *page; k++) {
        uint32_t most = 0, levels = 0, gates = 0;
        for (uint32_t c = 0; c < 32; c++) {
            uint32_t ones = 0;
            for (uint32_t i = 0; i < page[k].lanes * 32; i++) ones += judge_bit(row[i], c);
            if (ones > most) most = ones;
            gates += ones - 1;
        }
        while (UINT32_C(1) << levels < most) levels++;
        assert_int_equal(most, page[k].ones);
        assert_int_equal(levels, page[k].levels);
        assert_int_equal(gates, page[k].gates);
    }
}

static void the_rows_of_lane_0_are_independent(void **state) {
    uint32_t lowest = 32;
    (void)state;
    assert_int_equal(rank_of(0, 32), 32);
    for (uint32_t l = 0; l < RF_LANES_MAX; l++) {
        const uint32_t rank = rank_of(l * 32, 32);
        if (rank < lowest) lowest = rank;
    }
    assert_int_equal(lowest, 30); /* of the other lanes, as the page says */
}

static void one_lane_has_no_collision(void **state) {
    rf_h3_collider k;
    ls_rng rng;
    rf_vec v = {{0x12345678}}, other;
    (void)state;
    ls_rng_seed(&rng, 1);
    for (uint32_t i = 0; i < 100; i++) {
        rf_h3_collider_init(&k, 1, &rng);
        memset(&other, 0xa5, sizeof other);
        assert_false(rf_h3_collide(&k, &rng, &v, &other));
        assert_memory_equal(&other, &v, sizeof v);
    }
}

/* Every value but the same hash; few bits, few lanes and many bits all come; every bit of the value differs now and then. */
static void colliding_values_differ_and_collide(void **state) {
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, ls_seed_derive(0, "test rf_h3_collide"));
    for (uint32_t lanes = 2; lanes <= RF_LANES_MAX; lanes++) {
        rf_vec flipped = {{0}}, before = {{0}};
        uint32_t few_bits = 0, many_bits = 0, few_lanes = 0, same_change = 0;
        for (uint32_t base = 0; base < 64; base++) {
            rf_h3_collider k;
            rf_h3_collider_init(&k, lanes, &rng);
            for (uint32_t i = 0; i < 16; i++) {
                rf_vec v = {{0}}, other;
                uint32_t bits = 0, changed = 0;
                ls_rng_lanes(&rng, v.lane, lanes);
                memset(&other, 0xa5, sizeof other);
                assert_true(rf_h3_collide(&k, &rng, &v, &other));
                assert_int_equal(rf_h3_hash(&other), rf_h3_hash(&v));
                const rf_vec change = sum_of(&v, &other);
                for (uint32_t l = 0; l < RF_LANES_MAX; l++) {
                    bits += (uint32_t)__builtin_popcount(change.lane[l]);
                    changed += change.lane[l] != 0;
                    flipped.lane[l] |= change.lane[l];
                    if (l >= lanes) assert_int_equal(change.lane[l], 0);
                }
                assert_true(bits > 0);
                few_bits += bits < 32;
                many_bits += bits > lanes * 12;
                few_lanes += changed <= 4;
                same_change += memcmp(&change, &before, sizeof change) == 0;
                before = change;
            }
        }
        for (uint32_t l = 0; l < lanes; l++) assert_int_equal(flipped.lane[l], UINT32_MAX);
        assert_true(few_bits > 128 && many_bits > 128 && few_lanes > 128);
        assert_true(same_change < 50);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_the_generators),         cmocka_unit_test(it_is_linear_on_all_basis_vectors),
        cmocka_unit_test(it_is_linear_on_random_sums),         cmocka_unit_test(the_rows_of_lane_0_are_independent),
        cmocka_unit_test(the_xor_trees_are_as_the_page_says),  cmocka_unit_test(one_lane_has_no_collision),
        cmocka_unit_test(colliding_values_differ_and_collide),
    };
    return cmocka_run_group_tests_name("rf_h3 is linear", tests, fill_rows, NULL);
}
