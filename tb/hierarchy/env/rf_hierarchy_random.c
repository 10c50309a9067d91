/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/hierarchy/env/rf_hierarchy_random.h"

#include <string.h>

#include "cmodel/compiler/rf_not_l0.h"

void rf_hierarchy_random_init(rf_hierarchy_random *r, const rf_hierarchy_cfg *cfg, uint64_t seed) {
    memset(r, 0, sizeof *r);
    r->cfg = *cfg;
    ls_rng_seed(&r->rng, seed);
}

void rf_hierarchy_random_phase(rf_hierarchy_random *r) {
    static const uint32_t shares[] = {0, 32, 96, 160, 224, 256};
    uint32_t *const each[] = {&r->close, &r->last, &r->around, &r->low, &r->upper, &r->hidden, &r->above, &r->keep};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) *each[i] = shares[ls_rng_below(&r->rng, 6)];
    r->last /= 2;                                                            /* somebody has to read, too */
    if (ls_rng_chance(&r->rng, 96)) r->close = 256, r->last = r->around = 0; /* all sources are in the files, if they can be */
    r->ends = 8u << ls_rng_below(&r->rng, 5);
    r->leave = shares[1 + ls_rng_below(&r->rng, 5)];
}

void rf_hierarchy_random_launch(rf_hierarchy_random *r, uint32_t w) {
    rf_random_warp *p = &r->warp[w];
    memset(p, 0, sizeof *p);
    for (uint32_t reg = 0; reg < r->cfg.regs; reg++) p->main[reg] = UINT32_MAX;
}

bool rf_hierarchy_reaches(const rf_hierarchy_cfg *cfg, uint32_t name, bool is_shared, uint32_t slot) {
    if (name < RF_LEVEL_L0) return name < cfg->entries;
    if (is_shared || cfg->levels < 3) return false;
    if (cfg->split == 0) return name == RF_LEVEL_L0;
    return name - RF_LEVEL_L0 < cfg->slots && (slot == RF_SLOTS_MAX || name - RF_LEVEL_L0 == slot);
}

/* A name that the instruction can write, or RF_LEVEL_NAMES. */
static uint32_t any_name(rf_hierarchy_random *r, bool is_shared) {
    for (uint32_t tries = 0; tries < 8; tries++) {
        const uint32_t name = ls_rng_chance(&r->rng, 96) ? RF_LEVEL_L0 + ls_rng_below(&r->rng, r->cfg.slots)
                                                         : ls_rng_below(&r->rng, r->cfg.entries);
        if (rf_hierarchy_reaches(&r->cfg, name, is_shared, RF_SLOTS_MAX)) return name;
    }
    return RF_LEVEL_NAMES;
}

/* A name from which `slot` can read all lanes of `mask` of the register, or RF_LEVEL_NAMES. */
static uint32_t name_of(const rf_hierarchy_random *r, const rf_random_warp *p, uint32_t reg, uint32_t mask, bool is_shared,
                        uint32_t slot) {
    for (uint32_t name = 0; name < RF_LEVEL_NAMES; name++)
        if (p->owner[name] == reg && p->has[name] != 0 && (mask & ~p->has[name]) == 0 &&
            rf_hierarchy_reaches(&r->cfg, name, is_shared, slot))
            return name;
    return RF_LEVEL_NAMES;
}

/* Place of source i if it can be read, its own or that of another register put in its stead; false: of none. */
static bool place(rf_hierarchy_random *r, const rf_random_warp *p, rf_inst *inst, uint32_t i) {
    const uint32_t slot = i % r->cfg.slots;
    for (uint32_t tries = 0; tries < 12; tries++) {
        const uint32_t reg = inst->src[i];
        const bool main = (inst->mask & ~p->main[reg]) == 0;
        const uint32_t name =
            r->cfg.managed ? name_of(r, p, reg, inst->mask, rf_opclass_shared(inst->opclass), slot) : RF_LEVEL_NAMES;
        if (name != RF_LEVEL_NAMES && (!main || ls_rng_chance(&r->rng, r->above))) {
            inst->hint.src_from[i] = (uint8_t)(RF_FROM_UPPER | name);
            return true;
        }
        if (main) return true;
        inst->src[i] = (uint8_t)ls_rng_below(&r->rng, r->cfg.regs);
    }
    return false;
}

/* `reg` has a new value in the lanes of `mask`: in `name` (or RF_LEVEL_NAMES) and, with `main`, in the MRF; no other place has.
 */
static void define(rf_random_warp *p, uint32_t reg, uint32_t mask, uint32_t name, bool main) {
    for (uint32_t other = 0; other < RF_LEVEL_NAMES; other++)
        if (p->owner[other] == reg) p->has[other] &= ~mask;
    p->main[reg] = main ? p->main[reg] | mask : p->main[reg] & ~mask;
    if (name == RF_LEVEL_NAMES) return;
    p->has[name] = p->owner[name] == reg ? p->has[name] | mask : mask;
    p->owner[name] = (uint8_t)reg;
}

static void read_last(rf_hierarchy_random *r, rf_random_warp *p, rf_inst *inst) {
    for (uint32_t i = 0; i < inst->nsrc; i++) {
        if (!ls_rng_chance(&r->rng, r->last)) continue;
        inst->hint.src_dead |= 1u << i;
        p->main[inst->src[i]] = 0;
    }
}

/* One operand that is read from the MRF, under a name that no other operand of the instruction has. */
static void keep(rf_hierarchy_random *r, rf_random_warp *p, rf_inst *inst) {
    if (inst->nsrc == 0 || !ls_rng_chance(&r->rng, r->keep)) return;
    const uint32_t i = ls_rng_below(&r->rng, inst->nsrc), name = any_name(r, rf_opclass_shared(inst->opclass));
    if (name == RF_LEVEL_NAMES || inst->hint.src_from[i] != 0) return;
    for (uint32_t k = 0; k < inst->nsrc; k++)
        if (inst->hint.src_from[k] == (RF_FROM_UPPER | name)) return;
    inst->hint.src_from[i] = (uint8_t)(RF_FROM_KEEP | name);
    if (p->owner[name] != inst->src[i]) p->has[name] = 0;
    p->owner[name] = inst->src[i];
    p->has[name] |= inst->mask;
}

static void write(rf_hierarchy_random *r, rf_random_warp *p, rf_inst *inst, uint32_t i) {
    uint32_t name =
        r->cfg.managed && ls_rng_chance(&r->rng, r->upper) ? any_name(r, rf_opclass_shared(inst->opclass)) : RF_LEVEL_NAMES;
    for (uint32_t k = 0; k < inst->nsrc; k++) /* what is kept is under way until its name is written */
        if (inst->hint.src_from[k] == (RF_FROM_KEEP | name)) name = RF_LEVEL_NAMES;
    const bool hidden = name != RF_LEVEL_NAMES && ls_rng_chance(&r->rng, r->hidden);
    if (name != RF_LEVEL_NAMES) inst->hint.dst_to[i] = (uint8_t)(RF_TO_UPPER | name | (hidden ? RF_TO_NOT_MRF : 0));
    define(p, inst->dst[i], inst->mask, name, !hidden);
    memmove(p->recent + 1, p->recent, RF_RANDOM_RECENT - 1);
    p->recent[0] = inst->dst[i];
}

void rf_hierarchy_random_compile(rf_hierarchy_random *r, uint32_t w, rf_inst *inst) {
    rf_random_warp *p = &r->warp[w];
    rf_hint *hint = &inst->hint;
    *hint = (rf_hint){.flags = RF_HINT_PRESENT};
    if (inst->mask != 0) {
        if (r->close == 256) /* and as many as there can be */
            while (inst->nsrc < r->cfg.slots) inst->src[inst->nsrc++] = 0;
        for (uint32_t i = 0; i < inst->nsrc; i++) {
            if (ls_rng_chance(&r->rng, r->close))
                inst->src[i] =
                    p->recent[ls_rng_below(&r->rng, r->cfg.entries < RF_RANDOM_RECENT ? r->cfg.entries : RF_RANDOM_RECENT)];
            if (!place(r, p, inst, i)) inst->nsrc = (uint8_t)i;
        }
        if (r->cfg.managed) keep(r, p, inst);
        else read_last(r, p, inst);
        for (uint32_t i = 0; i < inst->ndst; i++) write(r, p, inst, i);
    }
    if (ls_rng_chance(&r->rng, r->around)) hint->flags |= RF_HINT_LONG_LATENCY;
    if (ls_rng_chance(&r->rng, r->low)) hint->flags |= RF_HINT_NOT_L0;
    if (!ls_rng_chance(&r->rng, r->ends)) return;
    hint->flags |= RF_HINT_STRAND_END;
    if (ls_rng_chance(&r->rng, r->leave)) hint->flags |= RF_HINT_DESCHEDULE;
    memset(p->has, 0, sizeof p->has);
}
