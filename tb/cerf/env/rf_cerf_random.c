/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/cerf/env/rf_cerf_random.h"

#include <string.h>

void rf_cerf_random_init(rf_cerf_random *r, const rf_cerf_cfg *cfg, uint64_t seed) {
    memset(r, 0, sizeof *r);
    r->cfg = *cfg;
    ls_rng_seed(&r->rng, seed);
    rf_cerf_random_phase(r);
}

void rf_cerf_random_phase(rf_cerf_random *r) {
    static const uint32_t shares[] = {0, 24, 64, 128, 192, 256};
    static const uint32_t rates[] = {0, 16, 64, 256, 1024};
    const uint32_t entries = r->cfg.sets * r->cfg.ways;
    r->last = shares[ls_rng_below(&r->rng, 5)] / 2; /* somebody has to read, too */
    r->store = shares[ls_rng_below(&r->rng, 6)];
    r->atomic = shares[ls_rng_below(&r->rng, 4)] / 2;
    r->ghost = rates[ls_rng_below(&r->rng, 5)];
    r->lines = 1 + ls_rng_below(&r->rng, ls_rng_chance(&r->rng, 128) ? 2 * r->cfg.ways : 2 * entries);
    r->stride = ls_rng_chance(&r->rng, 128) ? 1 : r->cfg.sets;
    r->most = 1 + ls_rng_below(&r->rng, 6);
}

void rf_cerf_random_storm(rf_cerf_random *r) {
    r->store = 128;
    r->atomic = 0;
    r->ghost = 1024;
    r->lines = r->cfg.sets * r->cfg.ways;
    r->stride = 1;
    r->most = 6;
}

void rf_cerf_random_launch(rf_cerf_random *r, uint32_t w) {
    for (uint32_t reg = 0; reg < r->cfg.regs; reg++) r->alive[w][reg] = UINT32_MAX;
}

/* Source i is a register whose active lanes may be read, its own or another in its stead; false: none was found. */
static bool readable(rf_cerf_random *r, uint32_t w, rf_inst *inst, uint32_t i) {
    for (uint32_t tries = 0; tries < 12; tries++) {
        if ((inst->mask & ~r->alive[w][inst->src[i]]) == 0) return true;
        inst->src[i] = (uint8_t)ls_rng_below(&r->rng, r->cfg.regs);
    }
    return false;
}

void rf_cerf_random_compile(rf_cerf_random *r, uint32_t w, rf_inst *inst) {
    const bool dies = r->cfg.integrated != 0 && r->cfg.liveness != 0;
    memset(&inst->hint, 0, sizeof inst->hint);
    for (uint32_t i = 0; dies && i < inst->nsrc; i++)
        if (!readable(r, w, inst, i)) inst->nsrc = (uint8_t)i;
    for (uint32_t i = 0; dies && i < inst->nsrc && inst->mask != 0; i++) {
        if (!ls_rng_chance(&r->rng, r->last)) continue;
        inst->hint.src_dead |= 1u << i;
        r->alive[w][inst->src[i]] = 0;
    }
    for (uint32_t i = 0; i < inst->ndst; i++) r->alive[w][inst->dst[i]] |= inst->mask;
}

void rf_cerf_random_access(rf_cerf_random *r, const rf_vec *data, rf_cerf_access *access) {
    const bool one_line = ls_rng_chance(&r->rng, 128);
    access->op = RF_CACHE_LOAD;
    if (ls_rng_chance(&r->rng, r->store)) access->op = RF_CACHE_STORE;
    else if (ls_rng_chance(&r->rng, r->atomic)) access->op = RF_CACHE_ATOMIC;
    access->count = one_line ? 1 : 1 + ls_rng_below(&r->rng, r->most);
    const uint32_t first = ls_rng_below(&r->rng, r->lines);
    for (uint32_t i = 0; i < access->count; i++) {
        access->line[i] = (first + i) % r->lines * r->stride;
        access->mask[i] = (uint32_t)ls_rng_bits(&r->rng, r->cfg.lanes, 192);
    }
    access->data = *data;
}
