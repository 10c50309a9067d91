/* SPDX-License-Identifier: Apache-2.0 */
/* The counter of repeated computations against one that compares all pairs of a window, on streams of few computations, with
 * windows that are full of them and gaps as long as a window. Then the key: every part of a computation matters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/base/rng.h"
#include "tb/wir/env/rf_repeat.h"

#define LENGTH 20000u

/* ---- slow counter: from the paper's sentences alone ---- */

static void slow(const uint64_t *key, uint64_t count, uint64_t *repeated, uint64_t *often, uint64_t *near) {
    *repeated = *often = *near = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (key[i] == 0) continue;
        const uint64_t begin = i / 1024 * 1024, end = begin + 1024 < count ? begin + 1024 : count;
        uint64_t same = 0;
        bool before = false, close = false;
        for (uint64_t j = begin; j < end; j++) {
            same += key[j] == key[i];
            before |= j < i && key[j] == key[i];
        }
        for (uint64_t j = i < 1024 ? 0 : i - 1024; j < i; j++) close |= key[j] == key[i];
        *repeated += before;
        *often += same > 10;
        *near += close;
    }
}

static void streams(void **state) {
    (void)state;
    static const uint32_t kinds[] = {1, 3, 90, 1000, 5000, 1000000};
    uint64_t *key = malloc(LENGTH * sizeof *key), seen = 0;
    rf_repeat *r = malloc(sizeof *r);
    assert_non_null(key);
    assert_non_null(r);
    for (uint32_t t = 0; t < 18; t++) {
        ls_rng rng;
        ls_rng_seed(&rng, 100 + t);
        const uint64_t count = t % 3 == 0 ? LENGTH : ls_rng_below(&rng, LENGTH);
        /* keys that share a bucket, too: multiples of a power of two; every third stream repeats after about a window */
        const uint64_t step = t % 2 == 0 ? 1 : 2 * RF_REPEAT_BUCKETS;
        memset(r, 0, sizeof *r);
        uint64_t near = 0;
        for (uint64_t i = 0; i < count; i++) {
            key[i] = ls_rng_below(&rng, 8) == 0 ? 0 : step * (1 + ls_rng_below(&rng, kinds[t % 6]));
            if (t % 3 == 2 && i >= 1026 && ls_rng_below(&rng, 4) == 0) key[i] = key[i - 1022 - ls_rng_below(&rng, 5)];
            near += rf_repeat_add(r, key[i]);
        }
        uint64_t repeated, often, close;
        slow(key, count, &repeated, &often, &close);
        assert_int_equal(r->instructions, count);
        assert_int_equal(r->repeated, repeated);
        assert_int_equal(r->often, often);
        assert_int_equal(r->near, close);
        assert_int_equal(near, close);
        seen |= (uint64_t)(repeated != 0) | (uint64_t)(often != 0) << 1 | (uint64_t)(close > repeated) << 2 |
                (uint64_t)(often < repeated) << 3;
    }
    assert_int_equal(seen, 15);
    free(r);
    free(key);
}

/* ---- the key ---- */

typedef struct computation {
    rf_inst inst;
    rf_vec operand[2];
    uint32_t value[RF_LANES_MAX];
    uint64_t address[RF_LANES_MAX];
} computation;

static uint64_t key_of(const computation *c) {
    const rf_vec *const operand[2] = {&c->operand[0], &c->operand[1]};
    return rf_repeat_key(&c->inst, operand);
}

static void fill(computation *c) {
    *c = (computation){.inst = {.opcode = 7, .mask = UINT32_MAX, .nsrc = 2, .ndst = 1, .immediate = 5}};
    for (uint32_t l = 0; l < RF_LANES_MAX; l++) {
        c->operand[0].lane[l] = l;
        c->operand[1].lane[l] = 3 * l;
        c->value[l] = 4 * l;
        c->address[l] = 0x1000 + l;
    }
    c->inst.value = c->value;
}

static void every_part(void **state) {
    (void)state;
    computation c;
    fill(&c);
    const uint64_t plain = key_of(&c);
    assert_int_not_equal(plain, 0);
    for (uint32_t l = 0; l < RF_LANES_MAX; l++) {
        for (uint32_t part = 0; part < 3; part++) {
            uint32_t *const word = part == 0 ? &c.operand[0].lane[l] : part == 1 ? &c.operand[1].lane[l] : &c.value[l];
            *word ^= 1u << l;
            assert_int_not_equal(key_of(&c), plain);
            c.inst.mask ^= 1u << l; /* an inactive lane's value is of no matter, but the mask is */
            const uint64_t without = key_of(&c);
            *word ^= 1u << l;
            assert_int_equal(key_of(&c), without);
            assert_int_not_equal(without, plain);
            c.inst.mask ^= 1u << l;
        }
    }
    c.inst.opcode++;
    assert_int_not_equal(key_of(&c), plain);
    fill(&c);
    c.inst.immediate++;
    assert_int_not_equal(key_of(&c), plain);
    fill(&c);
    const rf_vec swapped = c.operand[0];
    c.operand[0] = c.operand[1];
    c.operand[1] = swapped;
    assert_int_not_equal(key_of(&c), plain);
    fill(&c); /* registers' numbers, program counter and addresses do not matter where values are recorded */
    c.inst.src[0] = c.inst.dst[0] = 9;
    c.inst.pc = 77;
    c.inst.address = c.address;
    assert_int_equal(key_of(&c), plain);
}

static void without_values(void **state) {
    (void)state;
    computation c;
    fill(&c);
    c.inst.value = NULL;
    const uint64_t plain = key_of(&c);
    c.inst.pc = 16;
    assert_int_not_equal(key_of(&c), plain);
    c.inst.pc = 0;
    c.inst.address = c.address;
    const uint64_t at = key_of(&c);
    assert_int_not_equal(at, plain);
    c.address[31]++;
    assert_int_not_equal(key_of(&c), at);
}

static void never(void **state) {
    (void)state;
    computation c;
    fill(&c);
    c.inst.store = true;
    assert_int_equal(key_of(&c), 0);
    fill(&c);
    c.inst.opclass = RF_OP_CTRL;
    assert_int_equal(key_of(&c), 0);
    fill(&c);
    c.inst.mask = 0;
    assert_int_equal(key_of(&c), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(streams), cmocka_unit_test(every_part), cmocka_unit_test(without_values),
                                       cmocka_unit_test(never)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
