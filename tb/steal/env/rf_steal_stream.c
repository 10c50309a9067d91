/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/steal/env/rf_steal_stream.h"

#include <string.h>

#define NONE RF_REG_NO_FREE

static bool has(const rf_bits256 *set, uint32_t reg) { return (set->w[reg >> 6] >> (reg & 63) & 1) != 0; }
static void add(rf_bits256 *set, uint32_t reg) { set->w[reg >> 6] |= UINT64_C(1) << (reg & 63); }

static void activate(rf_steal_stream *s, uint32_t warp, uint32_t reg) {
    s->inactive[warp].w[reg >> 6] &= ~(UINT64_C(1) << (reg & 63));
    s->count[warp]--;
}

static void deactivate(rf_steal_stream *s, uint32_t warp, uint32_t reg) {
    add(&s->inactive[warp], reg);
    s->count[warp]++;
    if (s->revived[warp] == reg) s->revived[warp] = NONE;
}

void rf_steal_stream_init(rf_steal_stream *s, uint32_t warps, uint32_t banks, uint32_t regs, uint32_t lanes, uint32_t frees,
                          uint64_t seed) {
    memset(s, 0, sizeof *s);
    s->warps = warps;
    s->banks = banks;
    s->regs = regs;
    s->lanes = lanes;
    s->frees = frees;
    memset(s->revived, NONE, sizeof s->revived);
    ls_rng_seed(&s->rng, seed);
}

void rf_steal_stream_phase(rf_steal_stream *s) {
    static const uint32_t shares[] = {0, 8, 32, 128, 224};
    ls_rng *const rng = &s->rng;
    const uint32_t room = s->regs - 1;
    const uint32_t few = room < s->banks ? room : s->banks;
    s->most = ls_rng_chance(rng, 24) ? 0 : ls_rng_chance(rng, 128) ? few : ls_rng_below(rng, room + 1);
    s->name = shares[1 + ls_rng_below(rng, 4)];
    s->repeat = shares[ls_rng_below(rng, 5)];
    s->revive = shares[ls_rng_below(rng, 5)];
    s->reuse = shares[ls_rng_below(rng, 4)];
}

void rf_steal_stream_launch(rf_steal_stream *s, uint32_t warp) {
    s->inactive[warp] = (rf_bits256){{0}};
    s->count[warp] = 0;
    s->revived[warp] = s->last[warp] = NONE;
    s->unnamed[warp] = ls_rng_below(&s->rng, s->most + 1);
    for (uint32_t n = s->unnamed[warp]; n > 0; n--) {
        const uint32_t reg = ls_rng_below(&s->rng, s->regs);
        if (reg != NONE && !has(&s->inactive[warp], reg)) deactivate(s, warp, reg);
    }
}

/* An active register in place of an inactive one, the same as long as nothing changes; of the same bank if there is one. */
static uint8_t active_for(const rf_steal_stream *s, uint32_t warp, uint32_t reg) {
    const rf_bits256 *const inactive = &s->inactive[warp];
    if (!has(inactive, reg)) return (uint8_t)reg;
    for (uint32_t r = reg % s->banks; r < s->regs; r += s->banks)
        if (!has(inactive, r)) return (uint8_t)r;
    uint32_t r = reg;
    while (has(inactive, r)) r = (r + 1) % s->regs; /* one register stays active */
    return (uint8_t)r;
}

static bool bank_taken(const rf_steal_stream *s, const rf_hint *hint, uint32_t reg) {
    bool taken = false;
    for (uint32_t k = 0; k < hint->nfree; k++)
        taken |= (hint->free_reg[k] == NONE ? hint->free_was[k] : hint->free_reg[k]) % s->banks == reg % s->banks;
    return taken;
}

static void append(rf_hint *hint, uint32_t reg, uint32_t was) {
    hint->free_reg[hint->nfree] = (uint8_t)reg;
    hint->free_was[hint->nfree++] = (uint8_t)was;
}

/* An inactive register of a bank, or NONE. */
static uint32_t inactive_of_bank(rf_steal_stream *s, uint32_t warp, uint32_t bank) {
    const uint32_t count = (s->regs - bank + s->banks - 1) / s->banks; /* registers of the bank */
    const uint32_t start = ls_rng_below(&s->rng, count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t r = bank + (start + i) % count * s->banks;
        if (has(&s->inactive[warp], r)) return r;
    }
    return NONE;
}

/* Any inactive register; there is one. */
static uint32_t some_inactive(rf_steal_stream *s, uint32_t warp) {
    uint32_t r = ls_rng_below(&s->rng, s->regs);
    while (!has(&s->inactive[warp], r)) r = (r + 1) % s->regs;
    return r;
}

/* Destinations of an instruction of all lanes that become inactive registers, and so active ones. */
static void revive(rf_steal_stream *s, uint32_t warp, rf_inst *inst) {
    rf_hint *const hint = &inst->hint;
    const uint32_t full = (uint32_t)ls_mask(s->lanes);
    if ((inst->mask & full) != full) return;
    for (uint32_t d = 0; d < inst->ndst; d++) {
        if (s->count[warp] == 0 || hint->nfree == s->frees || !ls_rng_chance(&s->rng, s->revive)) continue;
        const uint32_t reg = some_inactive(s, warp);
        if (bank_taken(s, hint, reg)) continue;
        activate(s, warp, reg);
        inst->dst[d] = s->revived[warp] = (uint8_t)reg;
        append(hint, ls_rng_chance(&s->rng, 192) ? inactive_of_bank(s, warp, reg % s->banks) : NONE, reg);
    }
}

/* Names registers that are inactive, or become so; none that the instruction touches. */
static void name(rf_steal_stream *s, uint32_t warp, rf_inst *inst) {
    rf_hint *const hint = &inst->hint;
    rf_bits256 touched = {{0}};
    for (uint32_t i = 0; i < inst->nsrc; i++) add(&touched, inst->src[i]);
    for (uint32_t i = 0; i < inst->ndst; i++) add(&touched, inst->dst[i]);
    for (uint32_t k = hint->nfree; k < s->frees; k++) {
        const bool first = s->unnamed[warp] > 0;
        s->unnamed[warp] -= first;
        uint32_t reg = NONE;
        if (!first && s->count[warp] < s->most && ls_rng_chance(&s->rng, s->name)) {
            /* what the instruction before touched, so that it may not even have been read yet; or any */
            reg = ls_rng_chance(&s->rng, 96) ? s->last[warp] : ls_rng_below(&s->rng, s->regs);
        } else if (s->count[warp] > 0 && (first || ls_rng_chance(&s->rng, s->repeat))) {
            reg = some_inactive(s, warp);
        }
        if (reg == NONE || has(&touched, reg) || bank_taken(s, hint, reg)) continue;
        if (!has(&s->inactive[warp], reg)) deactivate(s, warp, reg);
        append(hint, reg, NONE);
    }
}

void rf_steal_stream_edit(rf_steal_stream *s, uint32_t warp, rf_inst *inst) {
    for (uint32_t i = 0; i < inst->nsrc; i++) inst->src[i] = active_for(s, warp, inst->src[i]);
    for (uint32_t i = 0; i < inst->ndst; i++) inst->dst[i] = active_for(s, warp, inst->dst[i]);
    if (inst->nsrc > 0 && s->revived[warp] != NONE && ls_rng_chance(&s->rng, s->reuse))
        inst->src[ls_rng_below(&s->rng, inst->nsrc)] = s->revived[warp];
    inst->hint = (rf_hint){.flags = RF_HINT_PRESENT};
    revive(s, warp, inst);
    name(s, warp, inst);
    if (inst->nsrc > 0) s->last[warp] = inst->src[ls_rng_below(&s->rng, inst->nsrc)];
    else if (inst->ndst > 0) s->last[warp] = inst->dst[0];
}
