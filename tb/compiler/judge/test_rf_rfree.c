/* SPDX-License-Identifier: Apache-2.0 */
/* Rfree hints: the example of [bank stealing IV-C-2] and others worked by hand; random kernels by walks of a diverging warp whose
 * Rfree registers are overwritten all the time. */
#include "tb/compiler/judge/hand_kernel.h"

#include "cmodel/compiler/rf_rfree.h"

#define NONE RF_REG_NO_FREE

typedef struct made {
    rf_kernel k;
    rf_liveness live;
    rf_hint hint[HAND_INSTS];
} made;

static void make(made *m, uint32_t registers, uint32_t banks) {
    memset(m->hint, 0xa5, sizeof m->hint); /* what it does not fill must stay */
    assert_int_equal(rf_liveness_compute(&m->live, &m->k, RF_LIVE_WARP), 0);
    assert_int_equal(rf_rfree_compute(&m->live, registers, banks, m->hint), 0);
    for (uint32_t i = 0; i < m->k.ninst; i++) assert_int_equal(m->hint[i].src_dead, 0xa5a5a5a5);
}

static void drop(made *m) {
    rf_liveness_free(&m->live);
    rf_kernel_free(&m->k);
}

/* free_reg, free_was of update n of an instruction with so many updates. */
static void expect(const made *m, uint32_t inst, uint32_t count, uint32_t n, uint32_t reg, uint32_t was) {
    assert_int_equal(m->hint[inst].nfree, count);
    if (count == 0) return;
    assert_int_equal(m->hint[inst].free_reg[n], reg);
    assert_int_equal(m->hint[inst].free_was[n], was);
}

/* One bank, four registers: ra = R2 in the first instruction; the one that uses it brings rb = R3; that one's brings R1, dead by
 * then. */
static void test_paper(void **state) {
    (void)state;
    static const char text[] = "B0:\n"
                               "add R1, R0, R0\n" /* 0 */
                               "add R2, R1, R0\n" /* 1: uses ra */
                               "add R0, R2, R1\n" /* 2 */
                               "add R3, R0, R0\n" /* 3: uses rb */
                               "add R3, R3, R0\n" /* 4 */
                               "st R3, R0\n"      /* 5 */
                               "exit\n";
    made m;
    hand_kernel(&m.k, text);
    make(&m, 4, 1);
    expect(&m, 0, 1, 0, 2, NONE);
    expect(&m, 1, 1, 0, 3, 2);
    expect(&m, 2, 0, 0, 0, 0);
    expect(&m, 3, 1, 0, 2, 3); /* R1 and R2 are dead: R2 is named twice, R1 three times */
    for (uint32_t i = 4; i < m.k.ninst; i++) expect(&m, i, 0, 0, 0, 0);
    drop(&m);
    /* not limited by registers: one that is never used, once and for all */
    hand_kernel(&m.k, text);
    make(&m, 5, 1);
    expect(&m, 0, 1, 0, 4, NONE);
    for (uint32_t i = 1; i < m.k.ninst; i++) expect(&m, i, 0, 0, 0, 0);
    drop(&m);
    /* no register to spare: rb does not exist, Rfree becomes invalid; it is named again as soon as one dies */
    hand_kernel(&m.k, "B0:\nadd R1, R0, R0\nadd R2, R1, R0\nadd R0, R1, R2\nadd R0, R0, R0\nst R0, R0\nexit\n");
    make(&m, 3, 1);
    expect(&m, 0, 1, 0, 2, NONE);
    expect(&m, 1, 1, 0, NONE, 2);
    expect(&m, 2, 0, 0, 0, 0); /* still reads R1 and R2 */
    expect(&m, 3, 1, 0, 2, NONE);
    expect(&m, 4, 0, 0, 0, 0);
    drop(&m);
}

/* As many as an instruction carries, room kept for what it writes: three with the first, the fourth bank with the second. */
static void test_banks(void **state) {
    (void)state;
    made m;
    hand_kernel(&m.k, "B0:\nadd R1, R0, R0\nst R1, R0\nexit\n");
    make(&m, 8, 4);
    expect(&m, 0, 3, 0, 4, NONE);
    expect(&m, 0, 3, 1, 5, NONE);
    expect(&m, 0, 3, 2, 2, NONE);
    expect(&m, 1, 1, 0, 3, NONE);
    expect(&m, 2, 0, 0, 0, 0);
    drop(&m);
    /* predicates lie in no bank: P0 alive does not keep R2, which nobody uses, busy */
    hand_kernel(&m.k, "B0:\nsetp P0, R0, R1\n@P0 st R0, R1\nexit\n");
    make(&m, 3, 1);
    expect(&m, 0, 1, 0, 2, NONE);
    drop(&m);
}

/* Both words of a pair are Rfree of their banks. */
static void test_pair(void **state) {
    (void)state;
    made m;
    hand_kernel(&m.k, "B0:\nst R0, R1\ndadd R2:2, R0:2, R0:2\nst R2, R3\nst R0, R1\nexit\n");
    make(&m, 4, 2);
    expect(&m, 0, 2, 0, 2, NONE);
    expect(&m, 0, 2, 1, 3, NONE);
    expect(&m, 1, 2, 0, NONE, 2);
    expect(&m, 1, 2, 1, NONE, 3);
    drop(&m);
}

/* Eight words at once are more than it could replace: none of them is ever named. */
static void test_wide(void **state) {
    (void)state;
    made m;
    hand_kernel(&m.k, "B0:\nst R0, R1\nunpack R2:2, R4:2, R6:2, R8:2, R0:2\nst R0, R1\nexit\n");
    make(&m, 11, 16);
    expect(&m, 0, 1, 0, 10, NONE);
    for (uint32_t i = 1; i < m.k.ninst; i++) expect(&m, i, 0, 0, 0, 0);
    drop(&m);
}

/* The first way replaces R2 by R3. A diverging warp runs the second way behind it, so that R3, which the second way writes, may
 * be Rfree there; a warp that stays together never has it there. */
static void test_hammock(void **state) {
    (void)state;
#define HAMMOCK(branch)                                                                                                          \
    "B0:\nadd R1, R1, R0\nsetp P0, R0, R1\n@P0 " branch " B2\n" /* 0 1 2: R2 */                                                  \
    "B1:\nadd R2, R0, R1\nst R0, R2\nbra B3\n"                  /* 3 4 5: uses R2, names R3 */                                   \
    "B2:\nadd R3, R0, R1\nst R3, R3\n"                          /* 6 7: uses R3 */                                               \
    "B3:\nst R0, R1\nexit\n"                                    /* 8 9 */
    made m;
    hand_kernel(&m.k, HAMMOCK("bra.uni"));
    make(&m, 4, 1);
    expect(&m, 0, 1, 0, 2, NONE);
    expect(&m, 3, 1, 0, 3, 2);
    expect(&m, 6, 0, 0, 0, 0);
    drop(&m);
    hand_kernel(&m.k, HAMMOCK("bra"));
    make(&m, 4, 1);
    expect(&m, 0, 1, 0, 2, NONE);
    expect(&m, 3, 1, 0, 3, 2);
    expect(&m, 6, 1, 0, 2, 3);
    drop(&m);
}

/* --- walks ------------------------------------------------------------------------------------------------------------------ */

typedef struct walker {
    const made *m;
    uint32_t banks;
    uint8_t rfree[RF_BANKS_MAX]; /* of each bank, or NONE */
    uint8_t spoilt[RF_REGS_MAX]; /* lanes whose content was overwritten by a stolen write */
    uint64_t steps, named, updates;
} walker;

static void steal(walker *w) {
    for (uint32_t b = 0; b < w->banks; b++)
        if (w->rfree[b] != NONE) w->spoilt[w->rfree[b]] = (1u << HAND_LANES) - 1;
}

static void walk_step(void *ctx, uint32_t inst, uint32_t mask) {
    walker *const w = ctx;
    const rf_hint *const hint = &w->m->hint[inst];
    uint16_t src[2 * RF_KSRC_MAX], dst[2 * RF_KDST_MAX];
    uint32_t nsrc, ndst;
    rf_kinst_words(&w->m->k.inst[inst], src, &nsrc, dst, &ndst);
    for (uint32_t d = 0; d < ndst; d++) { /* what becomes active is said to */
        bool said = w->rfree[dst[d] % w->banks] != dst[d];
        for (uint32_t k = 0; k < hint->nfree; k++)
            said |= hint->free_was[k] != NONE && hint->free_was[k] % w->banks == dst[d] % w->banks;
        assert_true(said);
    }
    for (uint32_t k = 0; k < hint->nfree; k++) {
        const uint32_t reg = hint->free_reg[k], was = hint->free_was[k];
        w->rfree[(reg == NONE ? was : reg) % w->banks] = (uint8_t)reg;
    }
    steal(w); /* before its operands are read, and again behind it */
    for (uint32_t s = 0; s < nsrc; s++) assert_int_equal(w->spoilt[src[s]] & mask, 0);
    for (uint32_t d = 0; d < ndst; d++) w->spoilt[dst[d]] &= (uint8_t)~mask;
    steal(w);
    w->steps++;
    w->updates += hint->nfree;
    for (uint32_t b = 0; b < w->banks; b++) w->named += w->rfree[b] != NONE;
}

/* What an update may be. */
static void check_form(const made *m, uint32_t registers, uint32_t banks) {
    for (uint32_t i = 0; i < m->k.ninst; i++) {
        const rf_hint *const hint = &m->hint[i];
        uint16_t src[2 * RF_KSRC_MAX], dst[2 * RF_KDST_MAX];
        uint32_t nsrc, ndst;
        uint64_t seen = 0;
        rf_kinst_words(&m->k.inst[i], src, &nsrc, dst, &ndst);
        assert_true(hint->nfree <= RF_HINT_FREE_MAX);
        for (uint32_t k = 0; k < hint->nfree; k++) {
            const uint32_t reg = hint->free_reg[k], was = hint->free_was[k], bank = (reg == NONE ? was : reg) % banks;
            bool writes_was = false;
            assert_true(reg < registers || (reg == NONE && was != NONE));
            assert_false(seen >> bank & 1);
            seen |= UINT64_C(1) << bank;
            for (uint32_t s = 0; s < nsrc; s++) assert_int_not_equal(src[s], reg);
            for (uint32_t d = 0; d < ndst; d++) {
                assert_int_not_equal(dst[d], reg);
                writes_was |= dst[d] == was;
            }
            if (was == NONE) continue;
            assert_int_equal(was % banks, bank);
            assert_true(writes_was);
        }
    }
}

static void test_walks(void **state) {
    (void)state;
    uint64_t rng = 4, steps = 0, named = 0, updates = 0, banks_steps = 0;
    for (uint32_t round = 0; round < 6000; round++) {
        made m;
        hand_random(&m.k, &rng, 2 + 2 * hand_below(&rng, 8), hand_below(&rng, 3) == 0);
        const uint32_t most = m.k.nreg + hand_below(&rng, 3), registers = most ? most : 1, banks = 1 + hand_below(&rng, 9);
        make(&m, registers, banks);
        check_form(&m, registers, banks);
        for (uint32_t n = 0; n < 6; n++) {
            walker w = {.m = &m, .banks = banks};
            memset(w.rfree, NONE, sizeof w.rfree);
            hand_walk(&m.k, &rng, 200, walk_step, &w);
            steps += w.steps;
            named += w.named;
            updates += w.updates;
            banks_steps += w.steps * banks;
        }
        drop(&m);
    }
    print_message("%llu steps; a bank has a register in %llu of 1000; updates a step %llu of 1000\n", (unsigned long long)steps,
                  (unsigned long long)(named * 1000 / banks_steps), (unsigned long long)(updates * 1000 / steps));
    assert_true(steps > 200000 && named * 4 > banks_steps);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_paper),   cmocka_unit_test(test_banks),
                                       cmocka_unit_test(test_pair),    cmocka_unit_test(test_wide),
                                       cmocka_unit_test(test_hammock), cmocka_unit_test(test_walks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
