/* SPDX-License-Identifier: Apache-2.0 */
/* The bound on entries by strand (rf_level_limit.h): energies of a kernel that is counted by hand; of random kernels against the
 * dual of the linear program, over the strands one at a time, and against allocations of whole entries drawn at random. */
#include "tb/compiler/judge/level_kernel.h"
#include "tb/workload/rf_level_limit.h"

#include <math.h>

#include "cmodel/workload/rf_program.h"

#define MOST RF_LEVEL_ENTRIES_MAX
#define WARP 4000u

/* A warp of chosen instructions of a kernel. */
typedef struct chosen {
    rf_warp warp;
    rf_inst inst[WARP];
} chosen;

static void choose(chosen *c, const rf_kernel *k, uint32_t index, uint32_t mask) {
    assert_true(c->warp.count < WARP);
    rf_inst *const inst = &c->inst[c->warp.count++];
    rf_program_inst(k, index, inst);
    inst->mask = mask;
    c->warp.inst = c->inst;
}

static void near(double is, double expected) {
    if (!(fabs(is - expected) <= 1e-9 * (1 + fabs(expected)))) fail_msg("%.17g is not %.17g", is, expected);
}

/* MRF 1000 a read and 2000 a write; L1 1 and 10, 100 and 500 of shared units. */
static rf_level_options simple(void) {
    rf_level_options o = rf_level_defaults();
    o.l0 = 0;
    o.mrf = (rf_level_energy){1000, 1000, 2000, 2000};
    o.l1 = (rf_level_energy){1, 100, 10, 500};
    return o;
}

/* R2 and R3 live at one time: with two entries both are above the MRF, with one one of them. */
static void test_by_hand(void **state) {
    (void)state;
    rf_kernel k;
    chosen *const c = calloc(1, sizeof *c);
    rf_level_options o = simple();
    o.keep = false;
    hand_kernel(&k, "B0:\nadd R2, R0, R0\nadd R3, R0, R1\nadd R4, R2, R3\nst R4, R1\nexit\n");
    rf_level_limit *const limit = rf_level_limit_new(&o, 0, false);
    for (uint32_t i = 0; i < k.ninst; i++) choose(c, &k, i, UINT32_MAX);
    choose(c, &k, 0, 0); /* takes time alone */
    assert_int_equal(rf_level_limit_warp(limit, &k, &c->warp), 0);
    /* MRF: R0; R0, R1; R1. With two entries R2 and R3, then R4 in either, are written and read above. */
    near(rf_level_limit_fixed(limit, 2), 4 * 1000 + 3 * 10 + 2 * 1 + 100);
    /* With one, R4 and one of R2, R3, the other written to the MRF and read there. */
    near(rf_level_limit_fixed(limit, 1), 4 * 1000 + 2 * 10 + 1 + 100 + 2000 + 1000);
    near(rf_level_limit_least(limit, 1), rf_level_limit_fixed(limit, 1));
    near(rf_level_limit_least(limit, 2), rf_level_limit_fixed(limit, 2));
    near(rf_level_limit_least(limit, 1.25), 0.75 * rf_level_limit_fixed(limit, 1) + 0.25 * rf_level_limit_fixed(limit, 2));
    near(rf_level_limit_least(limit, 8), rf_level_limit_fixed(limit, 2));
    rf_level_limit_free(limit);
    rf_kernel_free(&k);
    free(c);
}

/* Kept: the first of two reads in a strand keeps R0. */
static void test_kept(void **state) {
    (void)state;
    rf_kernel k;
    chosen *const c = calloc(1, sizeof *c);
    const rf_level_options o = simple();
    hand_kernel(&k, "B0:\nst R1, R0\nst R2, R0\nst R3, R0\nexit\n");
    rf_level_limit *const limit = rf_level_limit_new(&o, 0, false);
    for (uint32_t i = 0; i < k.ninst; i++) choose(c, &k, i, 1);
    assert_int_equal(rf_level_limit_warp(limit, &k, &c->warp), 0);
    near(rf_level_limit_fixed(limit, 1), 4 * 1000 + 500 + 2 * 100);
    rf_level_limit_free(limit);
    rf_kernel_free(&k);
    free(c);
}

/* Prices of as many entries as are allocated: those of the options with that number. */
static void test_own_prices(void **state) {
    (void)state;
    for (uint64_t seed = 50; seed < 60; seed++) {
        level_kernel l;
        rf_level_options o = rf_level_defaults();
        chosen *const c = calloc(1, sizeof *c);
        random_level(&l, seed);
        o.l0 = (uint32_t)(seed % 3);
        for (uint32_t i = 0; i < l.k.ninst && i < WARP; i++) choose(c, &l.k, i, 1);
        rf_level_limit *const own = rf_level_limit_new(&o, 6, false);
        assert_int_equal(rf_level_limit_warp(own, &l.k, &c->warp), 0);
        for (uint32_t entries = 1; entries <= MOST; entries++) {
            o.entries = entries;
            rf_level_energies(&o, 6);
            rf_level_limit *const same = rf_level_limit_new(&o, 0, false);
            assert_int_equal(rf_level_limit_warp(same, &l.k, &c->warp), 0);
            near(rf_level_limit_fixed(own, entries), rf_level_limit_fixed(same, entries));
            rf_level_limit_free(same);
        }
        rf_level_limit_free(own);
        level_free(&l);
        free(c);
    }
}

/* R2 is loaded: behind its strand it is read from the MRF. Unflushed there is one strand, so it is written and read above. */
static void test_unflushed(void **state) {
    (void)state;
    static const double expected[] = {1000 + 2000 + 1000 + 10 + 100 + 1000, 1000 + 500 + 1 + 10 + 100 + 1000};
    for (uint32_t unflushed = 0; unflushed < 2; unflushed++) {
        rf_kernel k;
        chosen *const c = calloc(1, sizeof *c);
        rf_level_options o = simple();
        o.keep = false;
        hand_kernel(&k, "B0:\nld R2, R0\nadd R3, R2, R2\nst R3, R1\nexit\n");
        rf_level_limit *const limit = rf_level_limit_new(&o, 0, unflushed);
        for (uint32_t i = 0; i < k.ninst; i++) choose(c, &k, i, 1);
        assert_int_equal(rf_level_limit_warp(limit, &k, &c->warp), 0);
        near(rf_level_limit_fixed(limit, 2), expected[unflushed]);
        rf_level_limit_free(limit);
        rf_kernel_free(&k);
        free(c);
    }
}

/* Energies and times of one strand's executions alone. */
typedef struct alone {
    double energy[MOST], time;
} alone;

/* The dual of the linear program at one price of an entry for an instruction's time. */
static double dual(const alone *a, uint32_t strands, double entries, double price) {
    double sum = 0;
    for (uint32_t s = 0; s < strands; s++) {
        double least = INFINITY;
        for (uint32_t n = 0; n < MOST; n++) least = fmin(least, a[s].energy[n] + price * a[s].time * (n + 1.0 - entries));
        sum += least;
    }
    return sum;
}

/* The most of the dual is at a price at which a strand is indifferent between two numbers of entries, or at 0. */
static double most_of_dual(const alone *a, uint32_t strands, double entries) {
    double most = dual(a, strands, entries, 0);
    for (uint32_t s = 0; s < strands; s++)
        for (uint32_t n = 0; n < MOST && a[s].time > 0; n++)
            for (uint32_t more = n + 1; more < MOST; more++) {
                const double price = (a[s].energy[n] - a[s].energy[more]) / (a[s].time * (more - n));
                if (price > 0) most = fmax(most, dual(a, strands, entries, price));
            }
    return most;
}

static void check_whole(const alone *a, uint32_t strands, double entries, double least, uint64_t *rng) {
    for (uint32_t tries = 0; tries < 50; tries++) {
        double held = 0, time = 0, energy = 0;
        for (uint32_t s = 0; s < strands; s++) {
            const uint32_t n = hand_below(rng, MOST);
            held += a[s].time * (n + 1.0);
            time += a[s].time;
            energy += a[s].energy[n];
        }
        if (held <= entries * time && !(least <= energy * (1 + 1e-9))) fail_msg("%.17g is above %.17g", least, energy);
    }
}

static void check_kernel(uint64_t seed) {
    level_kernel l;
    rf_level_options o = rf_level_defaults();
    uint64_t rng = seed * 3 + 1;
    chosen *const c = calloc(1, sizeof *c), *const one = calloc(1, sizeof *one);
    random_level(&l, seed);
    alone *const a = calloc(l.strands.count, sizeof *a);
    rf_level_limit *const limit = rf_level_limit_new(&o, 0, false);
    for (uint32_t s = 0; s < l.strands.count; s++) { /* as often as chance has it */
        const uint32_t runs = hand_below(&rng, 6);
        one->warp.count = 0;
        for (uint32_t i = 0; i < l.k.ninst; i++)
            for (uint32_t r = 0; r < runs && l.strands.of[i] == s && c->warp.count < WARP; r++) {
                const uint32_t mask = hand_below(&rng, 4);
                choose(c, &l.k, i, mask);
                choose(one, &l.k, i, mask);
            }
        rf_level_limit *const strand = rf_level_limit_new(&o, 0, false);
        assert_int_equal(rf_level_limit_warp(strand, &l.k, &one->warp), 0);
        for (uint32_t n = 0; n < MOST; n++) a[s].energy[n] = rf_level_limit_fixed(strand, n + 1);
        a[s].time = (double)one->warp.count;
        rf_level_limit_free(strand);
    }
    assert_int_equal(rf_level_limit_warp(limit, &l.k, &c->warp), 0);
    static const double means[] = {1, 1.5, 3, 4, 8};
    for (size_t m = 0; m < sizeof means / sizeof means[0]; m++) {
        const double least = rf_level_limit_least(limit, means[m]);
        near(least, most_of_dual(a, l.strands.count, means[m]));
        check_whole(a, l.strands.count, means[m], least, &rng);
    }
    rf_level_limit_free(limit);
    level_free(&l);
    free(a);
    free(c);
    free(one);
}

static void test_random(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) check_kernel(seed);
}

/* The average is kept in each kernel by itself. */
static void test_two_kernels(void **state) {
    (void)state;
    rf_kernel k[2];
    chosen *const c = calloc(1, sizeof *c);
    const rf_level_options o = simple();
    double each = 0;
    rf_level_limit *const both = rf_level_limit_new(&o, 0, false);
    hand_kernel(&k[0], "B0:\nadd R2, R0, R0\nadd R3, R0, R1\nadd R4, R2, R3\nst R4, R1\nexit\n");
    hand_kernel(&k[1], "B0:\nst R1, R0\nst R1, R0\nexit\n");
    for (uint32_t n = 0; n < 2; n++) {
        rf_level_limit *const one = rf_level_limit_new(&o, 0, false);
        c->warp.count = 0;
        for (uint32_t i = 0; i < k[n].ninst; i++) choose(c, &k[n], i, 1);
        assert_int_equal(rf_level_limit_warp(both, &k[n], &c->warp), 0);
        assert_int_equal(rf_level_limit_warp(both, &k[n], &c->warp), 0);
        assert_int_equal(rf_level_limit_warp(one, &k[n], &c->warp), 0);
        each += 2 * rf_level_limit_least(one, 1.5);
        rf_level_limit_free(one);
    }
    near(rf_level_limit_least(both, 1.5), each);
    rf_level_limit_free(both);
    for (uint32_t n = 0; n < 2; n++) rf_kernel_free(&k[n]);
    free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_by_hand),    cmocka_unit_test(test_kept),
                                       cmocka_unit_test(test_random),     cmocka_unit_test(test_two_kernels),
                                       cmocka_unit_test(test_own_prices), cmocka_unit_test(test_unflushed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
