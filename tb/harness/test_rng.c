/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/base/rng.c. The known answers come from the published algorithms (Blackman and Vigna; Steele, Lea and Flood;
 * Fowler, Noll and Vo), computed by a program of its own in another language. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/base/rng.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void xoshiro256_gives_the_published_values(void **state) {
    static const uint64_t expected[] = {11520, 0, 1509978240, UINT64_C(1215971899390074240), UINT64_C(1216172134540287360)};
    ls_rng rng = {{1, 2, 3, 4}};
    (void)state;
    for (size_t i = 0; i < COUNT(expected); i++) assert_int_equal(ls_rng_u64(&rng), expected[i]);
}

static void seeds_give_known_streams(void **state) {
    static const struct {
        uint64_t seed, start[4], first[4], last; /* the 1000th value */
    } known[] = {
        {0,
         {UINT64_C(0xe220a8397b1dcdaf), UINT64_C(0x6e789e6aa1b965f4), UINT64_C(0x06c45d188009454f), UINT64_C(0xf88bb8a8724c81ec)},
         {UINT64_C(0x99ec5f36cb75f2b4), UINT64_C(0xbf6e1f784956452a), UINT64_C(0x1a5f849d4933e6e0), UINT64_C(0x6aa594f1262d2d2c)},
         UINT64_C(0x7aac8c483a2edd2f)},
        {1,
         {UINT64_C(0x910a2dec89025cc1), UINT64_C(0xbeeb8da1658eec67), UINT64_C(0xf893a2eefb32555e), UINT64_C(0x71c18690ee42c90b)},
         {UINT64_C(0xb3f2af6d0fc710c5), UINT64_C(0x853b559647364cea), UINT64_C(0x92f89756082a4514), UINT64_C(0x642e1c7bc266a3a7)},
         UINT64_C(0xb8517c33c344d153)},
        {UINT64_C(0x123456789abcdef0),
         {UINT64_C(0x161922c645ce50e8), UINT64_C(0xad760cafa1697b60), UINT64_C(0x3501ff44902ca50d), UINT64_C(0x417cb9a826d831df)},
         {UINT64_C(0xe01d6fafc557f1b9), UINT64_C(0xbd627ebe4406b404), UINT64_C(0x2c23132b578b57db), UINT64_C(0x2e8b319d4d1f276a)},
         UINT64_C(0xac68b7e3ab62a7c2)},
        {UINT64_MAX,
         {UINT64_C(0xe4d971771b652c20), UINT64_C(0xe99ff867dbf682c9), UINT64_C(0x382ff84cb27281e9), UINT64_C(0x6d1db36ccba982d2)},
         {UINT64_C(0x8f5520d52a7ead08), UINT64_C(0xc476a018caa1802d), UINT64_C(0x81de31c0d260469e), UINT64_C(0xbf658d7e065f3c2f)},
         UINT64_C(0xc3c93ea5cde434cc)}};
    (void)state;
    for (size_t k = 0; k < COUNT(known); k++) {
        ls_rng rng;
        uint64_t last = 0;
        ls_rng_seed(&rng, known[k].seed);
        assert_memory_equal(rng.s, known[k].start, sizeof rng.s);
        for (size_t i = 0; i < 1000; i++) {
            last = ls_rng_u64(&rng);
            if (i < 4) assert_int_equal(last, known[k].first[i]);
        }
        assert_int_equal(last, known[k].last);
    }
}

static void derived_seeds_are_known_and_depend_on_nothing_else(void **state) {
    static const struct {
        uint64_t seed;
        const char *name;
        uint64_t derived;
    } known[] = {{0, "", UINT64_C(0xc3817c016ba4ff30)},
                 {1, "fill", UINT64_C(0x83d4e4630e9e7645)},
                 {1, "stimulus 0", UINT64_C(0x0ae87f81fbed2c6f)},
                 {UINT64_MAX, "rf_rr N=5", UINT64_C(0xfd0764a32dde917f)}};
    (void)state;
    for (size_t i = 0; i < COUNT(known); i++) assert_int_equal(ls_seed_derive(known[i].seed, known[i].name), known[i].derived);
    for (size_t i = COUNT(known); i-- > 0;) assert_int_equal(ls_seed_derive(known[i].seed, known[i].name), known[i].derived);
}

static void derived_seeds_differ(void **state) {
    enum { NAMES = 2000 };
    static uint64_t seen[NAMES];
    char name[] = "epoch 0000";
    (void)state;
    for (uint32_t i = 0; i < NAMES; i++) {
        for (uint32_t digit = 0, rest = i; digit < 4; digit++, rest /= 10) name[9 - digit] = (char)('0' + rest % 10);
        seen[i] = ls_seed_derive(i % 7, name);
        for (uint32_t j = 0; j < i; j++) assert_int_not_equal(seen[i], seen[j]);
    }
}

/* `hits` of `n` draws of probability p / 256: within six standard deviations. */
static void assert_share(uint64_t hits, uint64_t n, uint32_t p, const char *what, uint32_t detail) {
    const double expected = (double)n * p / 256, variance = expected * (256 - p) / 256, off = (double)hits - expected;
    if (off * off > 36 * variance)
        fail_msg("%s %u, p %u: %llu of %llu", what, detail, p, (unsigned long long)hits, (unsigned long long)n);
}

static void bits_have_the_density_that_was_asked_for(void **state) {
    static const uint32_t densities[] = {0, 1, 2, 8, 64, 100, 128, 200, 255, 256}, widths[] = {0, 1, 7, 8, 33, 63, 64};
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, 1);
    for (size_t d = 0; d < COUNT(densities); d++)
        for (size_t w = 0; w < COUNT(widths); w++) {
            uint64_t each[64] = {0}, pairs = 0;
            for (uint32_t n = 0; n < 4000; n++) {
                const uint64_t x = ls_rng_bits(&rng, widths[w], densities[d]);
                assert_int_equal(x & ~ls_mask(widths[w]), 0);
                for (uint32_t bit = 0; bit < widths[w]; bit++) each[bit] += x >> bit & 1;
                pairs += (x & x >> 1 & 1) != 0;
            }
            for (uint32_t bit = 0; bit < widths[w]; bit++) assert_share(each[bit], 4000, densities[d], "bit", bit);
            if (widths[w] > 1 && densities[d] == 128) assert_share(pairs, 4000, 64, "bits 0 and 1", 0); /* independent */
        }
}

static void chance_and_below_are_uniform(void **state) {
    static const uint32_t chances[] = {0, 1, 77, 128, 255, 256}, ranges[] = {1, 2, 3, 5, 8, 33};
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, 2);
    for (size_t c = 0; c < COUNT(chances); c++) {
        uint64_t hits = 0;
        for (uint32_t n = 0; n < 20000; n++) hits += ls_rng_chance(&rng, chances[c]);
        assert_share(hits, 20000, chances[c], "chance", 0);
    }
    for (size_t r = 0; r < COUNT(ranges); r++) {
        uint64_t hits[33] = {0};
        for (uint32_t n = 0; n < 256 * ranges[r]; n++) {
            const uint32_t x = ls_rng_below(&rng, ranges[r]);
            assert_in_range(x, 0, ranges[r] - 1);
            hits[x]++;
        }
        for (uint32_t i = 0; i < ranges[r]; i++) assert_in_range(hits[i], ranges[r] == 1 ? 256 : 160, 352);
    }
    for (uint32_t n = 0; n < 1000; n++) assert_true(ls_rng_below(&rng, UINT32_MAX) < UINT32_MAX);
}

static void values_reach_every_boundary(void **state) {
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, 3);
    for (uint32_t bits = 1; bits <= 64; bits++) {
        const uint64_t all = ls_mask(bits), top = UINT64_C(1) << (bits - 1);
        const uint64_t wanted[] = {0, 1, all, top, all & ~top, all & UINT64_C(0x5555555555555555), all - 1, top - 1};
        bool seen[COUNT(wanted)] = {false};
        for (uint32_t n = 0; n < 100000; n++) {
            const uint64_t x = ls_rng_value(&rng, bits);
            assert_int_equal(x & ~all, 0);
            for (size_t i = 0; i < COUNT(wanted); i++) seen[i] |= x == wanted[i];
        }
        for (size_t i = 0; i < COUNT(wanted); i++)
            if (!seen[i]) fail_msg("%u bits: %#llx never drawn", bits, (unsigned long long)wanted[i]);
    }
}

static void lanes_take_every_pattern_and_no_more_than_asked_for(void **state) {
    ls_rng rng;
    uint32_t equal = 0, zero = 0, stride = 0, mixed = 0;
    (void)state;
    ls_rng_seed(&rng, 4);
    for (uint32_t n = 0; n < 4000; n++) {
        uint32_t lane[34];
        const uint32_t lanes = 1 + n % 32;
        memset(lane, 0xa5, sizeof lane);
        ls_rng_lanes(&rng, lane, lanes);
        for (uint32_t i = lanes; i < 34; i++) assert_int_equal(lane[i], UINT32_C(0xa5a5a5a5));
        if (lanes < 4) continue;
        const uint32_t step = lane[1] - lane[0];
        bool same = true;
        for (uint32_t i = 2; i < lanes; i++) same &= lane[i] - lane[i - 1] == step;
        if (!same) mixed++;
        else if (step != 0) stride++;
        else if (lane[0] != 0) equal++;
        else zero++;
    }
    assert_true(equal > 100 && zero > 30 && stride > 100 && mixed > 1000);
}

/* As the comment has it, with a division and one value after the other. */
static uint64_t plain_value(ls_rng *rng, uint32_t bits) {
    const uint64_t how = ls_rng_u64(rng), random = ls_rng_u64(rng), hot = UINT64_C(1) << random % bits;
    uint64_t value = random;
    if (how % 4 == 0) {
        switch (how / 256 % 8) {
        case 0:
            value = 0;
            break;
        case 1:
            value = 1;
            break;
        case 2:
            value = UINT64_MAX;
            break;
        case 3:
            value = hot;
            break;
        case 4:
            value = ~hot;
            break;
        case 5:
            value = UINT64_C(0x5555555555555555);
            break;
        case 6:
            value = hot - 1;
            break;
        default:
            value = UINT64_MAX - 1;
        }
    }
    return bits == 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

static void values_are_the_plain_ones(void **state) {
    (void)state;
    for (uint32_t bits = 1; bits <= 64; bits++) {
        ls_rng a, b;
        ls_rng_seed(&a, bits);
        ls_rng_seed(&b, bits);
        for (uint32_t i = 0; i < 20000; i++) assert_int_equal(ls_rng_value(&a, bits), plain_value(&b, bits));
    }
}

/* The remainder at its limits: the second number that the generator gives is rotl(s1' * 5, 7) * 9, so any can be had. */
static void a_hot_bit_is_right_for_the_largest_numbers(void **state) {
    (void)state;
    static const uint64_t inverse_of_5 = UINT64_C(0xcccccccccccccccd), inverse_of_9 = UINT64_C(0x8e38e38e38e38e39);
    for (uint32_t bits = 1; bits <= 64; bits++) {
        const uint64_t whole = UINT64_MAX / bits * bits;
        const uint64_t numbers[] = {
            0, 1, bits - 1u, bits, bits + 1u, whole - 1, whole, whole - bits, whole - bits - 1, UINT64_MAX, UINT64_MAX - 1};
        for (size_t i = 0; i < COUNT(numbers); i++) {
            const uint64_t wanted = numbers[i] * inverse_of_9, second = (wanted >> 7 | wanted << 57) * inverse_of_5;
            const uint64_t first = UINT64_C(0x300) * inverse_of_9,
                           s1 = (first >> 7 | first << 57) * inverse_of_5; /* a boundary value: one hot */
            ls_rng rng = {{s1 ^ second, s1, 0, 0}}, same = rng;            /* the next s1 is s1 ^ s2 ^ s0 */
            assert_int_equal(ls_rng_u64(&same), 0x300);
            assert_int_equal(ls_rng_u64(&same), numbers[i]);
            assert_int_equal(ls_rng_value(&rng, bits), UINT64_C(1) << numbers[i] % bits);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(xoshiro256_gives_the_published_values),
        cmocka_unit_test(seeds_give_known_streams),
        cmocka_unit_test(derived_seeds_are_known_and_depend_on_nothing_else),
        cmocka_unit_test(derived_seeds_differ),
        cmocka_unit_test(bits_have_the_density_that_was_asked_for),
        cmocka_unit_test(chance_and_below_are_uniform),
        cmocka_unit_test(values_reach_every_boundary),
        cmocka_unit_test(values_are_the_plain_ones),
        cmocka_unit_test(a_hot_bit_is_right_for_the_largest_numbers),
        cmocka_unit_test(lanes_take_every_pattern_and_no_more_than_asked_for),
    };
    return cmocka_run_group_tests_name("harness/base/rng.c", tests, NULL, NULL);
}
