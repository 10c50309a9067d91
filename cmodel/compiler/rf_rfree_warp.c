/* SPDX-License-Identifier: Apache-2.0 */
/* Rfree of a stream without a graph. The path is known, so a register that holds nothing of use stays so until a known
 * instruction writes it; of several the best is the one for which that is farthest away (Belady, IBM Systems Journal 5(2),
 * 1966). */
#include "cmodel/compiler/rf_rfree.h"

#include <stdlib.h>
#include <string.h>

#define NONE RF_REG_NO_FREE
#define NOT_FREE ((size_t)0)       /* as an end: the register is needed, or what replaces it could not say so */
#define NEVER_AGAIN (SIZE_MAX - 1) /* the warp does not touch it any more */
#define NEVER SIZE_MAX             /* the warp does not touch it at all: better still */

typedef struct analysis {
    rf_warp *warp;
    uint32_t registers, banks;
    size_t *ends;                /* for each operand of each instruction that touches registers, in order: its end behind it */
    size_t end[RF_REGS_MAX];     /* per register, at some place: the instruction that ends its being free, or NOT_FREE */
    uint8_t rfree[RF_BANKS_MAX]; /* per bank, or NONE */
    uint32_t open;               /* banks bits: without Rfree, and a register may be free */
} analysis;

static uint32_t operands(const rf_inst *inst) { return inst->mask != 0 ? (uint32_t)inst->nsrc + inst->ndst : 0; }

static uint32_t operand(const rf_inst *inst, uint32_t i) { return i < inst->nsrc ? inst->src[i] : inst->dst[i - inst->nsrc]; }

/* From the end up: ends behind each instruction; `end` is left as in front of the first. */
static void look_ahead(analysis *a, size_t count) {
    uint32_t needed[RF_REGS_MAX] = {0}; /* lanes whose content is read later */
    size_t next[RF_REGS_MAX];           /* next touch, as an end */
    bool used[RF_REGS_MAX] = {false};
    for (uint32_t r = 0; r < RF_REGS_MAX; r++) next[r] = NEVER_AGAIN;
    for (size_t i = a->warp->count; i-- > 0;) {
        const rf_inst *const inst = &a->warp->inst[i];
        const uint32_t n = operands(inst);
        count -= n;
        for (uint32_t k = 0; k < n; k++) {
            const uint32_t r = operand(inst, k);
            a->ends[count + k] = needed[r] == 0 ? next[r] : NOT_FREE;
        }
        for (uint32_t k = inst->nsrc; k < n; k++) needed[operand(inst, k)] &= ~inst->mask;
        for (uint32_t k = 0; k < inst->nsrc && k < n; k++) needed[operand(inst, k)] |= inst->mask;
        for (uint32_t k = 0; k < n; k++) {
            next[operand(inst, k)] = inst->ndst <= RF_HINT_FREE_MAX ? i : NOT_FREE; /* a wide one could not carry all updates */
            used[operand(inst, k)] = true;
        }
    }
    for (uint32_t r = 0; r < RF_REGS_MAX; r++) a->end[r] = needed[r] != 0 ? NOT_FREE : used[r] ? next[r] : NEVER;
}

/* The register of a bank that stays free longest from instruction i on, which does not touch it: what it touches ends there. */
static uint8_t longest_free(const analysis *a, size_t i, uint32_t bank) {
    uint32_t best = NONE;
    for (uint32_t r = bank; r < a->registers; r += a->banks)
        if (a->end[r] > i && (best == NONE || a->end[r] > a->end[best])) best = r;
    return (uint8_t)best;
}

static void update(analysis *a, size_t i, uint32_t bank, uint8_t reg) {
    rf_hint *const hint = &a->warp->inst[i].hint;
    hint->free_reg[hint->nfree] = reg;
    hint->free_was[hint->nfree++] = a->rfree[bank];
    a->rfree[bank] = reg;
}

static void step(analysis *a, size_t i, const size_t *ends) {
    const rf_inst *const inst = &a->warp->inst[i];
    const bool last = i + 1 == a->warp->count; /* its registers go to another warp */
    for (uint32_t d = 0; d < inst->ndst; d++) {
        const uint32_t bank = inst->dst[d] % a->banks;
        if (a->rfree[bank] == inst->dst[d] && inst->dst[d] != NONE) update(a, i, bank, last ? NONE : longest_free(a, i, bank));
    }
    for (uint32_t left = a->open; left != 0 && !last && inst->hint.nfree < RF_HINT_FREE_MAX; left &= left - 1) {
        const uint32_t bank = rf_lowest(left);
        const uint8_t reg = longest_free(a, i, bank);
        a->open &= ~(UINT32_C(1) << bank);
        if (reg != NONE) update(a, i, bank, reg);
    }
    for (uint32_t k = 0; k < operands(inst); k++) {
        const uint32_t r = operand(inst, k), bank = r % a->banks;
        a->end[r] = ends[k];
        if (ends[k] != NOT_FREE && a->rfree[bank] == NONE) a->open |= UINT32_C(1) << bank;
    }
}

int rf_rfree_of_warp(rf_warp *warp, uint32_t registers, uint32_t banks) {
    analysis a = {.warp = warp, .registers = registers, .banks = banks, .open = (uint32_t)rf_mask64(banks)};
    size_t count = 0;
    for (size_t i = 0; i < warp->count; i++) count += operands(&warp->inst[i]);
    a.ends = malloc((count + 1) * sizeof *a.ends);
    if (!a.ends) return -1;
    memset(a.rfree, NONE, sizeof a.rfree);
    look_ahead(&a, count);
    const size_t *ends = a.ends;
    for (size_t i = 0; i < warp->count; i++) {
        warp->inst[i].hint.nfree = 0;
        if (warp->inst[i].mask != 0) step(&a, i, ends);
        ends += operands(&warp->inst[i]);
    }
    free(a.ends);
    return 0;
}
