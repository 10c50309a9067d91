/* SPDX-License-Identifier: Apache-2.0 */
/* Reuse distance: worked by hand, then against a breadth-first search over the instructions of random kernels. */
#include "tb/compiler/judge/hand_kernel.h"

#include "cmodel/compiler/rf_reuse.h"

#define NONE RF_REUSE_NONE

static void expect(const rf_reuse *reuse, uint32_t inst, uint32_t src0, uint32_t src1, uint32_t dst0) {
    assert_int_equal(reuse->src[inst * RF_REUSE_SRC], src0);
    assert_int_equal(reuse->src[inst * RF_REUSE_SRC + 1], src1);
    assert_int_equal(reuse->dst[inst * RF_REUSE_DST], dst0);
}

static void test_straight(void **state) {
    (void)state;
    rf_kernel k;
    rf_reuse reuse;
    hand_kernel(&k, "B0:\n"
                    "add R2, R0, R1\n"     /* 0 */
                    "add R3, R2, R2\n"     /* 1: both mentions of R2 have the same distance, to instruction 3 */
                    "add R0, R0, R1\n"     /* 2: R0 is replaced by this very instruction */
                    "add R2, R2, R0\n"     /* 3 */
                    "@P0 add R3, R0, R0\n" /* 4: guarded: R3's old value lives on */
                    "st R3, R1\n"          /* 5 */
                    "add R3, R1, R1\n"     /* 6: never read */
                    "exit\n");
    assert_int_equal(rf_reuse_compute(&reuse, &k), 0);
    expect(&reuse, 0, 2, 2, 1);       /* R0 and R1 again in 2; R2 in 1 */
    expect(&reuse, 1, 2, 2, 4);       /* R3 in 5, past the guarded write */
    expect(&reuse, 2, NONE, 3, 1);    /* R1 in 5 */
    expect(&reuse, 3, NONE, 1, NONE); /* R2's result is not read; R0 in 4 */
    expect(&reuse, 4, NONE, NONE, 1);
    expect(&reuse, 5, NONE, 1, NONE); /* R3 is replaced in 6; st has no destination */
    expect(&reuse, 6, NONE, NONE, NONE);
    rf_reuse_free(&reuse);
    rf_kernel_free(&k);
}

/* Two ways of different length, one of which kills; a loop's back edge; words of a pair on their own. */
static void test_graph(void **state) {
    (void)state;
    rf_kernel k;
    rf_reuse reuse;
    hand_kernel(&k, "B0:\nadd R4, R0, R1\n"        /* 0 */
                    "setp P0, R1, R1\n"            /* 1 */
                    "@P0 bra B2\n"                 /* 2 */
                    "B1:\nadd R4, R1, R1\n"        /* 3: kills R4 */
                    "nop\nnop\nbra B3\n"           /* 4 5 6 */
                    "B2:\nnop\n"                   /* 7 */
                    "B3:\ndadd R2:2, R4:2, R4:2\n" /* 8: reads R4, R5 twice */
                    "nop\n"                        /* 9 */
                    "st R3, R2\n"                  /* 10 */
                    "setp P0, R2, R2\n"            /* 11 */
                    "@P0 bra B3\n"                 /* 12 */
                    "B4:\nst R0, R2\nexit\n");     /* 13 14 */
    assert_int_equal(rf_reuse_compute(&reuse, &k), 0);
    expect(&reuse, 0, 9, 1, 4);       /* R0 in 13, R4 in 8, both the short way: 0 1 2 7 8 9 10 11 12 13 */
    expect(&reuse, 3, NONE, NONE, 4); /* R4: 3 4 5 6 8 */
    expect(&reuse, 8, 5, 5, 2);       /* R4 and R5 around the loop: 8 9 10 11 12 8 */
    assert_int_equal(reuse.src[8 * RF_REUSE_SRC + 2], 5);
    assert_int_equal(reuse.dst[8 * RF_REUSE_DST + 1], 2);
    expect(&reuse, 10, NONE, 1, NONE); /* R3 is replaced in 8 */
    expect(&reuse, 11, 2, 2, NONE);    /* R2 in 13; the way around the loop replaces it */
    rf_reuse_free(&reuse);
    rf_kernel_free(&k);
}

static bool names(const uint16_t *list, uint32_t count, uint32_t reg) {
    bool found = false;
    for (uint32_t i = 0; i < count; i++) found |= list[i] == reg;
    return found;
}

static uint32_t successors(const rf_kernel *k, uint32_t inst, uint32_t next[2]) {
    const rf_kblock *const block = &k->block[rf_kernel_block_of(k, inst)];
    if (inst + 1 < block->first + block->count) {
        next[0] = inst + 1;
        return 1;
    }
    for (uint32_t s = 0; s < block->nsucc; s++) next[s] = k->block[block->succ[s]].first;
    return block->nsucc;
}

/* Level by level from behind an instruction. replaced: its own unguarded result is in the register. */
static uint32_t search(const rf_kernel *k, uint32_t inst, uint32_t reg, bool replaced) {
    bool seen[HAND_INSTS] = {false};
    uint32_t level[HAND_INSTS], next[HAND_INSTS], count = 0;
    if (!replaced) count = successors(k, inst, level);
    for (uint32_t distance = 1; count; distance++) {
        bool waiting[HAND_INSTS] = {false};
        uint32_t found = 0;
        for (uint32_t i = 0; i < count; i++) {
            uint16_t src[RF_REUSE_SRC], dst[RF_REUSE_DST];
            uint32_t nsrc, ndst, to[2];
            rf_kinst_words(&k->inst[level[i]], src, &nsrc, dst, &ndst);
            if (names(src, nsrc, reg)) return distance;
            if (seen[level[i]] || (names(dst, ndst, reg) && k->inst[level[i]].guard == RF_KNONE)) continue;
            seen[level[i]] = true;
            for (uint32_t t = successors(k, level[i], to); t-- > 0;)
                if (!seen[to[t]] && !waiting[to[t]]) waiting[next[found++] = to[t]] = true;
        }
        memcpy(level, next, found * sizeof *level);
        count = found;
    }
    return NONE;
}

static void test_search(void **state) {
    (void)state;
    uint64_t rng = 1;
    uint32_t finite = 0, none = 0, far_away = 0;
    for (uint32_t round = 0; round < 3000; round++) {
        rf_kernel k;
        rf_reuse reuse;
        hand_random(&k, &rng, 2 + 2 * hand_below(&rng, 6), false);
        assert_int_equal(rf_reuse_compute(&reuse, &k), 0);
        for (uint32_t i = 0; i < k.ninst; i++) {
            uint16_t src[RF_REUSE_SRC], dst[RF_REUSE_DST];
            uint32_t nsrc, ndst;
            rf_kinst_words(&k.inst[i], src, &nsrc, dst, &ndst);
            for (uint32_t s = 0; s < RF_REUSE_SRC; s++) {
                const bool replaced = s < nsrc && k.inst[i].guard == RF_KNONE && names(dst, ndst, src[s]);
                const uint32_t wanted = s < nsrc ? search(&k, i, src[s], replaced) : NONE;
                assert_int_equal(reuse.src[i * RF_REUSE_SRC + s], wanted);
                none += s < nsrc && wanted == NONE;
                finite += wanted != NONE;
                far_away += wanted != NONE && wanted >= 10;
            }
            for (uint32_t d = 0; d < RF_REUSE_DST; d++)
                assert_int_equal(reuse.dst[i * RF_REUSE_DST + d], d < ndst ? search(&k, i, dst[d], false) : NONE);
        }
        rf_reuse_free(&reuse);
        rf_kernel_free(&k);
    }
    assert_true(finite > 10000 && none > 10000 && far_away > 300);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_straight), cmocka_unit_test(test_graph),
                                       cmocka_unit_test(test_search)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
