/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/compiler/rf_rfree.h"

#include <stdlib.h>
#include <string.h>

#include "cmodel/compiler/rf_names.h"
#include "cmodel/compiler/rf_warpflow.h"

#define NONE RF_REG_NO_FREE
#define WORDS 4u /* of a set of registers */

typedef struct analysis {
    const rf_liveness *live;
    const rf_kernel *kernel;
    uint32_t registers, banks;
    rf_hint *hint;
    rf_warpflow flow;
    uint32_t uses[RF_REGS_MAX];
    uint64_t unfit[WORDS]; /* registers that are never named */
    uint64_t *busy;        /* a set an instruction: it touches them, or they are live behind it */
    uint64_t *out;         /* a set a block: what may be the Rfree of its bank behind the block, of all passes */
    bool changed;
} analysis;

/* Names live behind every instruction, and those that it reads and writes. `set` is room for a set of names. */
static void find_busy(analysis *a, uint64_t *set) {
    const uint32_t words = a->live->set_words, used = words < WORDS ? words : WORDS;
    for (uint32_t b = 0; b < a->kernel->nblock; b++) {
        const rf_kblock *const block = &a->kernel->block[b];
        const uint64_t *const pending = a->live->pending + (size_t)b * words;
        memcpy(set, a->live->out + (size_t)b * words, words * sizeof *set);
        for (uint32_t i = block->first + block->count; i-- > block->first;) {
            uint64_t *const busy = a->busy + (size_t)i * WORDS;
            uint16_t src[2 * RF_KSRC_MAX], dst[2 * RF_KDST_MAX];
            uint32_t nsrc = 0, ndst = 0;
            for (uint32_t w = 0; w < used; w++) busy[w] = set[w] | pending[w];
            rf_liveness_step(a->live, &a->kernel->inst[i], set);
            rf_kinst_words(&a->kernel->inst[i], src, &nsrc, dst, &ndst);
            for (uint32_t s = 0; s < nsrc; s++) rf_set_add(busy, src[s]), a->uses[src[s]]++;
            for (uint32_t d = 0; d < ndst; d++) {
                rf_set_add(busy, dst[d]);
                a->uses[dst[d]]++;
                if (ndst > RF_HINT_FREE_MAX) rf_set_add(a->unfit, dst[d]); /* it could not carry all replacements */
            }
            for (uint32_t r = a->kernel->nreg; r < a->registers; r++)
                busy[r / 64] &= ~(UINT64_C(1) << r % 64); /* predicates' names */
        }
    }
}

/* The least used register of a bank among those inactive at an instruction; NONE: there is none. */
static uint8_t least_used(const analysis *a, uint32_t inst, uint32_t bank) {
    const uint64_t *const busy = a->busy + (size_t)inst * WORDS;
    uint32_t best = NONE;
    for (uint32_t r = bank; r < a->registers; r += a->banks)
        if (!rf_set_has(busy, r) && !rf_set_has(a->unfit, r) && (best == NONE || a->uses[r] < a->uses[best])) best = r;
    return (uint8_t)best;
}

static bool bank_has(const analysis *a, const uint64_t *maybe, uint32_t bank) {
    bool has = false;
    for (uint32_t r = bank; r < a->registers; r += a->banks) has |= rf_set_has(maybe, r);
    return has;
}

/* The bank of an instruction's update k. */
static uint32_t bank_of(const analysis *a, const rf_hint *hint, uint32_t k) {
    return (hint->free_reg[k] == NONE ? hint->free_was[k] : hint->free_reg[k]) % a->banks;
}

static uint32_t find(const analysis *a, const rf_hint *hint, uint32_t bank) {
    uint32_t k = 0;
    while (k < hint->nfree && bank_of(a, hint, k) != bank) k++;
    return k;
}

static void append(analysis *a, uint32_t inst, uint8_t reg, uint8_t was) {
    rf_hint *const hint = &a->hint[inst];
    hint->free_reg[hint->nfree] = reg;
    hint->free_was[hint->nfree++] = was;
    a->changed = true;
}

/* One instruction: `maybe`, what may be Rfree, from in front of it to behind it. It must replace what it writes; and as far as it
 * can carry more, it names a register for banks that have none. An update once made stays. */
static void step(analysis *a, uint32_t inst, uint64_t *maybe) {
    rf_hint *const hint = &a->hint[inst];
    uint16_t src[2 * RF_KSRC_MAX], dst[2 * RF_KDST_MAX];
    uint32_t nsrc = 0, ndst = 0;
    rf_kinst_words(&a->kernel->inst[inst], src, &nsrc, dst, &ndst);
    for (uint32_t d = 0; d < ndst; d++) {
        if (!rf_set_has(maybe, dst[d])) continue;
        const uint32_t bank = dst[d] % a->banks, k = find(a, hint, bank);
        if (k == hint->nfree) append(a, inst, least_used(a, inst, bank), (uint8_t)dst[d]);
        else if (hint->free_was[k] == NONE) hint->free_was[k] = (uint8_t)dst[d];
    }
    if (a->kernel->inst[inst].op == RF_K_EXIT) return;         /* its registers go to another warp */
    const uint32_t kept = ndst <= RF_HINT_FREE_MAX ? ndst : 0; /* for replacements that later passes may find */
    for (uint32_t bank = 0; bank < a->banks && hint->nfree + kept < RF_HINT_FREE_MAX; bank++) {
        if (bank_has(a, maybe, bank) || find(a, hint, bank) < hint->nfree) continue;
        const uint8_t reg = least_used(a, inst, bank);
        if (reg != NONE) append(a, inst, reg, NONE);
    }
    for (uint32_t k = 0; k < hint->nfree; k++) {
        for (uint32_t r = bank_of(a, hint, k); r < a->registers; r += a->banks) rf_set_remove(maybe, r);
        if (hint->free_reg[k] != NONE) rf_set_add(maybe, hint->free_reg[k]);
    }
}

/* Forward over the blocks in a warp's order. Updates and sets only grow, so that it ends. */
static void solve(analysis *a) {
    do {
        a->changed = false;
        for (uint32_t b = 0; b < a->kernel->nblock; b++) {
            const rf_kblock *const block = &a->kernel->block[b];
            uint64_t maybe[WORDS] = {0};
            for (uint32_t e = a->flow.start[b]; e < a->flow.start[b + 1]; e++)
                (void)rf_set_join(maybe, a->out + (size_t)a->flow.pred[e] * WORDS, WORDS);
            for (uint32_t i = block->first; i < block->first + block->count; i++) step(a, i, maybe);
            a->changed |= rf_set_join(a->out + (size_t)b * WORDS, maybe, WORDS);
        }
    } while (a->changed);
}

int rf_rfree_compute(const rf_liveness *live, uint32_t registers, uint32_t banks, rf_hint *hint) {
    const rf_kernel *const kernel = live->kernel;
    analysis a = {.live = live, .kernel = kernel, .registers = registers, .banks = banks, .hint = hint};
    a.busy = calloc((size_t)kernel->ninst * WORDS + 1, sizeof *a.busy);
    a.out = calloc((size_t)kernel->nblock * WORDS + 1, sizeof *a.out);
    uint64_t *const set = malloc((live->set_words + 1u) * sizeof *set);
    const bool room = a.busy && a.out && set && rf_warpflow_compute(&a.flow, kernel) == 0;
    if (room) {
        for (uint32_t i = 0; i < kernel->ninst; i++) hint[i].nfree = 0;
        find_busy(&a, set);
        solve(&a);
    }
    rf_warpflow_free(&a.flow);
    free(a.busy);
    free(a.out);
    free(set);
    return room ? 0 : -1;
}
