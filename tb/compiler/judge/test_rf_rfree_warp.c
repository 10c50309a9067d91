/* SPDX-License-Identifier: Apache-2.0 */
/* Rfree hints of a stream without a graph: examples by hand; random warps against searches of the stream from every instruction,
 * and against a warp whose Rfree registers are overwritten all the time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "cmodel/compiler/rf_rfree.h"
#include "harness/base/rng.h"

#define NONE RF_REG_NO_FREE
#define ALL UINT32_MAX

static void append(rf_warp *warp, uint32_t mask, uint32_t nsrc, const uint8_t *src, uint32_t ndst, const uint8_t *dst) {
    assert_int_equal(rf_warp_reserve(warp, 0, 0), 0);
    rf_inst *const inst = &warp->inst[warp->count++];
    *inst = (rf_inst){.pc = 16 * warp->count, .mask = mask, .nsrc = (uint8_t)nsrc, .ndst = (uint8_t)ndst};
    memset(&inst->hint, 0xa5, sizeof inst->hint); /* what it does not fill must stay */
    for (uint32_t i = 0; i < nsrc; i++) inst->src[i] = src[i];
    for (uint32_t i = 0; i < ndst; i++) inst->dst[i] = dst[i];
}

/* --- by hand ---------------------------------------------------------------------------------------------------------------- */

/* dst <- a, b */
static void add(rf_warp *warp, uint32_t mask, uint8_t dst, uint8_t a, uint8_t b) {
    append(warp, mask, 2, (const uint8_t[]){a, b}, 1, &dst);
}

static void store(rf_warp *warp, uint32_t mask, uint8_t a, uint8_t b) { append(warp, mask, 2, (const uint8_t[]){a, b}, 0, NULL); }

static void leave(rf_warp *warp) { append(warp, ALL, 0, NULL, 0, NULL); }

static void expect(const rf_warp *warp, size_t inst, uint32_t count, uint32_t n, uint32_t reg, uint32_t was) {
    assert_int_equal(warp->inst[inst].hint.nfree, count);
    if (count == 0) return;
    assert_int_equal(warp->inst[inst].hint.free_reg[n], reg);
    assert_int_equal(warp->inst[inst].hint.free_was[n], was);
}

/* [bank stealing IV-C-2] with four registers in one bank: ra is what is written last of R2 and R3. */
static void test_paper(void **state) {
    (void)state;
    rf_warp warp = {0};
    add(&warp, ALL, 1, 0, 0); /* 0 */
    add(&warp, ALL, 2, 1, 0); /* 1 */
    add(&warp, ALL, 0, 2, 1); /* 2 */
    add(&warp, ALL, 3, 0, 0); /* 3: uses ra */
    add(&warp, ALL, 3, 3, 0); /* 4 */
    store(&warp, ALL, 3, 0);  /* 5 */
    leave(&warp);
    assert_int_equal(rf_rfree_of_warp(&warp, 4, 1), 0);
    for (size_t i = 0; i < warp.count; i++) expect(&warp, i, i == 0 || i == 3, 0, i == 0 ? 3 : 1, i == 0 ? NONE : 3);
    assert_int_equal(warp.inst[0].hint.src_dead, 0xa5a5a5a5);
    assert_int_equal(warp.inst[0].hint.flags, 0xa5);
    /* not limited by registers: one that is never used, the lowest */
    assert_int_equal(rf_rfree_of_warp(&warp, 6, 1), 0);
    for (size_t i = 0; i < warp.count; i++) expect(&warp, i, i == 0, 0, 4, NONE);
    rf_warp_free(&warp);
}

/* No register to spare: Rfree becomes invalid; another is named behind its last use. The last instruction names none. */
static void test_none_left(void **state) {
    (void)state;
    rf_warp warp = {0};
    add(&warp, ALL, 1, 0, 0);
    add(&warp, ALL, 2, 1, 0);
    add(&warp, ALL, 0, 1, 2);
    add(&warp, ALL, 0, 0, 0);
    store(&warp, ALL, 0, 0);
    store(&warp, ALL, 0, 0);
    assert_int_equal(rf_rfree_of_warp(&warp, 3, 1), 0);
    expect(&warp, 0, 1, 0, 2, NONE);
    expect(&warp, 1, 1, 0, NONE, 2);
    expect(&warp, 2, 0, 0, 0, 0);
    expect(&warp, 3, 1, 0, 1, NONE);
    expect(&warp, 4, 0, 0, 0, 0);
    warp.count = 1;
    assert_int_equal(rf_rfree_of_warp(&warp, 3, 1), 0);
    expect(&warp, 0, 0, 0, 0, 0);
    rf_warp_free(&warp);
}

/* R1 is written in two halves: dead in front of the first one only if both come before the read. */
static void test_lanes(void **state) {
    (void)state;
    for (uint32_t half = 0; half < 2; half++) {
        rf_warp warp = {0};
        store(&warp, ALL, 0, 0);                             /* 0 */
        add(&warp, 0x0000ffff, 1, 0, 0);                     /* 1 */
        add(&warp, half ? 0x7fff0000 : 0xffff0000, 1, 0, 0); /* 2 */
        store(&warp, ALL, 1, 0);                             /* 3 */
        leave(&warp);
        assert_int_equal(rf_rfree_of_warp(&warp, 2, 1), 0);
        if (half) expect(&warp, 0, 0, 0, 0, 0); /* lane 31 is needed all along */
        else expect(&warp, 0, 1, 0, 1, NONE);
        if (half) expect(&warp, 1, 0, 0, 0, 0);
        else expect(&warp, 1, 1, 0, NONE, 1); /* a part is written: active */
        expect(&warp, 2, 0, 0, 0, 0);
        rf_warp_free(&warp);
    }
}

/* Four with the first instruction, the others with the next that a lane takes part in; what five results write is not named. */
static void test_room(void **state) {
    (void)state;
    rf_warp warp = {0};
    leave(&warp);
    append(&warp, 0, 1, (const uint8_t[]){1}, 1, (const uint8_t[]){0});
    append(&warp, 1, 0, NULL, 4, (const uint8_t[]){0, 1, 2, 3});
    append(&warp, 1, 0, NULL, 5, (const uint8_t[]){0, 1, 2, 3, 4});
    leave(&warp);
    assert_int_equal(rf_rfree_of_warp(&warp, 6, 8), 0);
    for (uint32_t n = 0; n < 4; n++) expect(&warp, 0, 4, n, n, NONE);
    expect(&warp, 1, 0, 0, 0, 0);
    for (uint32_t n = 0; n < 4; n++) expect(&warp, 2, 4, n, NONE, n);
    expect(&warp, 3, 1, 0, 5, NONE);
    expect(&warp, 4, 0, 0, 0, 0);
    rf_warp_free(&warp);
    assert_int_equal(rf_rfree_of_warp(&warp, 6, 8), 0); /* an empty one */
}

/* --- random warps ----------------------------------------------------------------------------------------------------------- */

static bool mentions(const uint8_t *list, uint32_t count, uint32_t reg) {
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == reg) return true;
    return false;
}

static bool touches(const rf_inst *inst, uint32_t reg) {
    return inst->mask != 0 && (mentions(inst->src, inst->nsrc, reg) || mentions(inst->dst, inst->ndst, reg));
}

/* For how many instructions behind i register reg is inactive, by search: 0 where a lane needs what it holds, or i touches it;
 * beyond the warp where nothing touches it again, one more where nothing ever does. */
static size_t inactive_for(const rf_warp *warp, size_t i, uint32_t reg) {
    uint32_t kept = ALL; /* lanes that still hold what they held behind i */
    size_t first = 0;
    if (touches(&warp->inst[i], reg)) return 0;
    for (size_t j = i + 1; j < warp->count && kept; j++) {
        const rf_inst *const inst = &warp->inst[j];
        if (!touches(inst, reg)) continue;
        if (mentions(inst->src, inst->nsrc, reg) && (inst->mask & kept)) return 0;
        if (mentions(inst->dst, inst->ndst, reg)) kept &= ~inst->mask;
        if (first == 0) first = inst->ndst > RF_HINT_FREE_MAX ? 1 : j - i + 1; /* 1: written by one that cannot say so */
    }
    if (first == 1) return 0;
    if (first != 0) return first - 1;
    for (size_t j = 0; j < i; j++)
        if (touches(&warp->inst[j], reg)) return warp->count + 1;
    return warp->count + 2;
}

typedef struct walker {
    const rf_warp *warp;
    uint32_t registers, banks;
    uint8_t rfree[RF_BANKS_MAX];  /* of each bank, or NONE */
    uint32_t spoilt[RF_REGS_MAX]; /* lanes overwritten by stolen writes */
    uint64_t named, replaced, ended, held;
} walker;

static void steal(walker *w) {
    for (uint32_t b = 0; b < w->banks; b++)
        if (w->rfree[b] != NONE) w->spoilt[w->rfree[b]] = ALL;
}

/* Form, and the promise: nobody reads what was overwritten, and who writes Rfree says so. NULL, or what is broken. */
static const char *walk(walker *w, size_t i) {
    const rf_inst *const inst = &w->warp->inst[i];
    const rf_hint *const hint = &inst->hint;
    uint32_t seen = 0, said = 0; /* banks bits */
    if (hint->nfree > RF_HINT_FREE_MAX || (hint->nfree && inst->mask == 0)) return "updates";
    for (uint32_t k = 0; k < hint->nfree; k++) {
        const uint32_t reg = hint->free_reg[k], was = hint->free_was[k], bank = (reg == NONE ? was : reg) % w->banks;
        if (reg >= w->registers && !(reg == NONE && was != NONE)) return "no such register";
        if (reg != NONE && i + 1 == w->warp->count) return "the last instruction names one";
        if (seen >> bank & 1) return "two updates of a bank";
        seen |= UINT32_C(1) << bank;
        if (reg != NONE && touches(inst, reg)) return "touches what it names";
        w->named += reg != NONE;
        w->replaced += was != NONE;
        w->ended += reg == NONE;
        if (was != w->rfree[bank]) return "replaces what is not Rfree";
        if (was == NONE) continue;
        if (was % w->banks != bank || !mentions(inst->dst, inst->ndst, was)) return "replaces what it does not write";
        said |= UINT32_C(1) << bank;
    }
    for (uint32_t d = 0; d < inst->ndst && inst->mask; d++)
        if (w->rfree[inst->dst[d] % w->banks] == inst->dst[d] && !(said >> inst->dst[d] % w->banks & 1)) return "not said";
    for (uint32_t k = 0; k < hint->nfree; k++)
        w->rfree[(hint->free_reg[k] == NONE ? hint->free_was[k] : hint->free_reg[k]) % w->banks] = hint->free_reg[k];
    steal(w); /* before its operands are read, and again behind it */
    for (uint32_t s = 0; s < inst->nsrc; s++)
        if (w->spoilt[inst->src[s]] & inst->mask) return "reads a register that was lent out";
    for (uint32_t d = 0; d < inst->ndst; d++) w->spoilt[inst->dst[d]] &= ~inst->mask;
    steal(w);
    for (uint32_t b = 0; b < w->banks; b++) w->held += w->rfree[b] != NONE;
    return NULL;
}

/* What is named is inactive longest; a bank has none only where none is inactive, or the instruction is full. */
static void check_choice(const walker *w, size_t i) {
    const rf_inst *const inst = &w->warp->inst[i];
    if (inst->mask == 0 || i + 1 == w->warp->count) return;
    for (uint32_t b = 0; b < w->banks; b++) {
        size_t best = 0;
        uint32_t which = NONE;
        bool named = false, updated = false;
        for (uint32_t r = b; r < w->registers; r += w->banks) {
            const size_t n = inactive_for(w->warp, i, r);
            if (n > best) best = n, which = r;
        }
        for (uint32_t k = 0; k < inst->hint.nfree; k++) {
            const uint32_t reg = inst->hint.free_reg[k], was = inst->hint.free_was[k];
            if ((reg == NONE ? was : reg) % w->banks != b) continue;
            updated = true;
            named = reg != NONE;
            assert_int_equal(reg, which);
        }
        if (w->rfree[b] == NONE && !updated && inst->hint.nfree < RF_HINT_FREE_MAX) assert_int_equal(which, NONE);
        if (w->rfree[b] != NONE) assert_true(inactive_for(w->warp, i, w->rfree[b]) > 0);
        if (w->rfree[b] == NONE) assert_false(named);
    }
}

static void random_warp(ls_rng *rng, rf_warp *warp, size_t count, uint32_t registers) {
    const uint32_t sources = ls_rng_below(rng, 4), partial = 64 * ls_rng_below(rng, 5), wide = ls_rng_below(rng, 24);
    const uint32_t range = 1 + ls_rng_below(rng, registers), lanes = 1 + ls_rng_below(rng, 32);
    while (warp->count < count) {
        uint8_t src[RF_INST_SRC_MAX], dst[RF_INST_DST_MAX];
        const uint32_t nsrc = ls_rng_below(rng, sources + 1);
        const uint32_t ndst = ls_rng_chance(rng, wide) ? ls_rng_below(rng, 9) : ls_rng_chance(rng, 200);
        uint32_t mask = (uint32_t)ls_mask(lanes);
        for (uint32_t n = 0; n < nsrc; n++) src[n] = (uint8_t)ls_rng_below(rng, range);
        for (uint32_t n = 0; n < ndst; n++) dst[n] = (uint8_t)ls_rng_below(rng, range);
        if (ls_rng_chance(rng, partial)) mask &= (uint32_t)ls_rng_value(rng, 32); /* 0 as well */
        append(warp, mask, nsrc, src, ndst, dst);
    }
}

/* Walks the whole warp. */
static const char *walk_all(walker *w, bool choice) {
    memset(w->rfree, NONE, sizeof w->rfree);
    for (size_t i = 0; i < w->warp->count; i++) {
        const char *const wrong = walk(w, i);
        if (wrong) return wrong;
        if (choice) check_choice(w, i);
    }
    return NULL;
}

static void test_random(void **state) {
    (void)state;
    ls_rng rng;
    uint64_t steps = 0, named = 0, replaced = 0, ended = 0, held = 0, banks_steps = 0, planted = 0, caught = 0;
    ls_rng_seed(&rng, 6);
    for (uint32_t round = 0; round < 4000; round++) {
        rf_warp warp = {0};
        const uint32_t registers = 1 + ls_rng_below(&rng, round % 16 == 0 ? 255 : 24);
        const uint32_t banks = 1 + ls_rng_below(&rng, 32) % (registers + 2);
        random_warp(&rng, &warp, 1 + ls_rng_below(&rng, 60), registers);
        assert_int_equal(rf_rfree_of_warp(&warp, registers, banks), 0);
        walker w = {.warp = &warp, .registers = registers, .banks = banks};
        const char *const wrong = walk_all(&w, true);
        if (wrong) fail_msg("round %u: %s", round, wrong);
        steps += warp.count;
        banks_steps += warp.count * banks;
        named += w.named;
        replaced += w.replaced;
        ended += w.ended;
        held += w.held;
        /* an update that does not say what it replaces must be seen */
        for (size_t i = 0; i < warp.count; i++) {
            if (warp.inst[i].hint.nfree == 0 || warp.inst[i].hint.free_was[0] == NONE) continue;
            walker again = {.warp = &warp, .registers = registers, .banks = banks};
            const uint8_t was = warp.inst[i].hint.free_was[0];
            warp.inst[i].hint.free_was[0] = NONE;
            planted++;
            caught += walk_all(&again, false) != NULL;
            warp.inst[i].hint.free_was[0] = was;
        }
        rf_warp_free(&warp);
    }
    print_message(
        "%llu steps; a bank has a register in %llu of 1000; %llu updates, %llu replacements, %llu without a successor\n",
        (unsigned long long)steps, (unsigned long long)(held * 1000 / banks_steps), (unsigned long long)named,
        (unsigned long long)replaced, (unsigned long long)ended);
    assert_true(steps > 100000 && named > 10000 && replaced > 3000 && ended > 500);
    assert_true(planted > 1000 && caught == planted);
}

/* A million instructions. */
static void test_long(void **state) {
    (void)state;
    ls_rng rng;
    rf_warp warp = {0};
    ls_rng_seed(&rng, 7);
    while (warp.count < 1000000) random_warp(&rng, &warp, warp.count + 10000, 64);
    assert_int_equal(rf_rfree_of_warp(&warp, 64, 16), 0);
    walker w = {.warp = &warp, .registers = 64, .banks = 16};
    const char *const wrong = walk_all(&w, false);
    if (wrong) fail_msg("%s", wrong);
    assert_true(w.named > 1000);
    rf_warp_free(&warp);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_paper),  cmocka_unit_test(test_none_left),
                                       cmocka_unit_test(test_lanes),  cmocka_unit_test(test_room),
                                       cmocka_unit_test(test_random), cmocka_unit_test(test_long)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
