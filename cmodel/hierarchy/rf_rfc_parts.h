/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_rfc on its own registers, piece by piece: private to rf_rfc.c and to the systems that hold register file
 * caches, so that a system copies a 128-byte vector only where a register takes it.
 *
 * One cycle of one unit. From the registers, in this order:
 *  1 rf_rfc_lookup  the sources of an instruction: which place has each; rf_rfc_value is its data
 *  2 rf_rfc_reads   what the reads leave (of no hit, when none counts)
 *  3 rf_rfc_write   what a write does, or rf_rfc_flush, what a step of the flush does; rf_rfc_mrf_* is what goes to the MRF
 * Then the edge:
 *  4 rf_rfc_leave   always, unless no read counted
 *  5 rf_rfc_take    of 3, with input `take` */
#ifndef RF_RFC_PARTS_H
#define RF_RFC_PARTS_H

#include "cmodel/hierarchy/rf_rfc.h"

#include <string.h>

/* A place is an entry of the L1, by its number, or the L0, by its name. Sets of places have a bit for each. */
#define RF_RFC_L0 RF_LEVEL_L0
#define RF_RFC_NONE (RF_RFC_L0 + 1) /* no place */

/* What the reads of a cycle leave: the write and the flush of the cycle meet this. */
typedef struct rf_rfc_left {
    uint32_t dead; /* places, of valid ones */
    uint8_t rank[RF_LEVEL_ENTRIES_MAX];
} rf_rfc_left;

/* A result as inputs wr_* bring it. */
typedef struct rf_rfc_result {
    const rf_vec *data;
    uint32_t mask;
    uint8_t reg;
    uint8_t around;
    uint8_t low;
} rf_rfc_result;

/* What a write, or a step of the flush, does. */
typedef struct rf_rfc_plan {
    uint8_t into;       /* place that the result's lanes go to, or RF_RFC_NONE */
    uint8_t moved;      /* entry of the L1 that the L0's value goes to, before that, or RF_RFC_NONE */
    uint8_t newest;     /* entry of the L1 that becomes the newest, or RF_RFC_NONE */
    uint8_t sent;       /* place whose value goes to the MRF, or RF_RFC_NONE */
    uint8_t sends_self; /* the result itself goes to the MRF */
    uint32_t freed;     /* places */
} rf_rfc_plan;

/* ---- places ---- */

static inline uint32_t rf_rfc_valid(const rf_rfc *m) { return m->valid_q | (uint32_t)m->l0_valid_q << RF_RFC_L0; }
static inline uint32_t rf_rfc_dead(const rf_rfc *m) { return m->dead_q | (uint32_t)m->l0_dead_q << RF_RFC_L0; }

static inline uint8_t rf_rfc_reg(const rf_rfc *m, uint32_t place) { return place == RF_RFC_L0 ? m->l0_reg_q : m->reg_q[place]; }

static inline const rf_vec *rf_rfc_value(const rf_rfc *m, uint32_t place) {
    return place == RF_RFC_L0 ? &m->l0_data_q : &m->data_q[place];
}

/* The place, of those in `valid`, that has the register, or RF_RFC_NONE. */
static inline uint32_t rf_rfc_find(const rf_rfc *m, uint32_t valid, uint32_t reg) {
    for (uint32_t left = valid; left != 0; left &= left - 1)
        if (rf_rfc_reg(m, rf_lowest(left)) == reg) return rf_lowest(left);
    return RF_RFC_NONE;
}

/* `entry` becomes the newest: those that were newer grow by one. */
static inline void rf_rfc_renew(uint8_t *rank, uint32_t entries, uint32_t entry) {
    const uint32_t was = rank[entry];
    for (uint32_t e = 0; e < entries; e++)
        if (rank[e] < was) rank[e]++;
    rank[entry] = 0;
}

/* ---- reads ---- */

/* Output hit; in `place` the place of each slot that hits (no others). */
static inline uint32_t rf_rfc_lookup(const rf_rfc *m, uint32_t rd_valid, const uint8_t *rd_reg, uint8_t *place) {
    const uint32_t valid = rf_rfc_valid(m);
    uint32_t hit = 0;
    if (valid == 0) return 0;
    for (uint32_t left = rd_valid; left != 0; left &= left - 1) {
        const uint32_t s = rf_lowest(left), found = rf_rfc_find(m, valid, rd_reg[s]);
        if (found == RF_RFC_NONE) continue;
        hit |= 1u << s;
        place[s] = (uint8_t)found;
    }
    return hit;
}

/* Output hit_l0. */
static inline uint32_t rf_rfc_hit_l0(uint32_t hit, const uint8_t *place) {
    uint32_t hit_l0 = 0;
    for (uint32_t left = hit; left != 0; left &= left - 1)
        hit_l0 |= (uint32_t)(place[rf_lowest(left)] == RF_RFC_L0) << rf_lowest(left);
    return hit_l0;
}

/* What counted reads of the slots in `hit` leave; without a counted read, `hit` is 0. */
static inline rf_rfc_left rf_rfc_reads(const rf_rfc *m, uint32_t hit, const uint8_t *place, uint32_t last) {
    rf_rfc_left left;
    left.dead = rf_rfc_dead(m);
    memcpy(left.rank, m->rank_q, sizeof left.rank);
    for (uint32_t slots = hit; slots != 0; slots &= slots - 1) {
        const uint32_t s = rf_lowest(slots);
        if ((last >> s & 1) != 0) left.dead |= 1u << place[s];
        if (m->cfg.policy == 1 && place[s] != RF_RFC_L0) rf_rfc_renew(left.rank, m->cfg.entries, place[s]);
    }
    return left;
}

/* ---- the write and the flush ---- */

/* The plan of a cycle without a write and without a flush. */
static inline rf_rfc_plan rf_rfc_nothing(void) {
    const rf_rfc_plan plan = {RF_RFC_NONE, RF_RFC_NONE, RF_RFC_NONE, RF_RFC_NONE, 0, 0};
    return plan;
}

/* The L1's oldest entry gives way: to the result, or to the L0's value. It goes to the MRF unless it is dead, or `freed`. */
static inline uint32_t rf_rfc_oldest(const rf_rfc *m, const rf_rfc_left *left, rf_rfc_plan *plan) {
    uint32_t e = 0;
    while (left->rank[e] != m->cfg.entries - 1) e++;
    if (((m->valid_q & ~left->dead & ~plan->freed) >> e & 1) != 0) plan->sent = (uint8_t)e;
    plan->newest = (uint8_t)e;
    return e;
}

static inline rf_rfc_plan rf_rfc_write(const rf_rfc *m, const rf_rfc_left *left, const rf_rfc_result *result) {
    rf_rfc_plan plan = rf_rfc_nothing();
    const uint32_t valid = rf_rfc_valid(m), has = rf_rfc_find(m, valid, result->reg);
    const bool full = result->mask == rf_all_lanes(m->cfg.lanes), to_l0 = m->cfg.l0 == 1 && !result->low;
    const bool merge = has != RF_RFC_NONE && !full;                      /* rule 1 */
    const bool over = has != RF_RFC_NONE && (has == RF_RFC_L0) == to_l0; /* rule 3a */
    if (merge || (full && !result->around && over)) {
        plan.into = (uint8_t)has;
        if (m->cfg.policy == 1 && has != RF_RFC_L0) plan.newest = (uint8_t)has;
        return plan;
    }
    if (has != RF_RFC_NONE) plan.freed = 1u << has; /* rules 2 and 3b, of a full result */
    if (result->around || !full) plan.sends_self = 1;
    else if (!to_l0) plan.into = (uint8_t)rf_rfc_oldest(m, left, &plan);
    else {
        if (((valid & ~left->dead) >> RF_RFC_L0 & 1) != 0) plan.moved = (uint8_t)rf_rfc_oldest(m, left, &plan);
        plan.into = RF_RFC_L0;
    }
    return plan;
}

static inline rf_rfc_plan rf_rfc_flush(const rf_rfc *m, const rf_rfc_left *left) {
    rf_rfc_plan plan = rf_rfc_nothing();
    const uint32_t live = rf_rfc_valid(m) & ~left->dead;
    plan.freed = left->dead;
    if (live == 0) return plan;
    plan.sent = (uint8_t)((live >> RF_RFC_L0 & 1) != 0 ? RF_RFC_L0 : rf_lowest(live));
    plan.freed |= 1u << plan.sent;
    return plan;
}

/* Outputs mrf_valid and mrf_entry; of a plan with mrf_valid the others. `result` is the write's; a flush looks at none. */
static inline bool rf_rfc_mrf_entry(const rf_rfc_plan *plan) { return plan->sent != RF_RFC_NONE; }
static inline bool rf_rfc_mrf_valid(const rf_rfc_plan *plan) { return plan->sends_self || rf_rfc_mrf_entry(plan); }
static inline uint8_t rf_rfc_mrf_reg(const rf_rfc *m, const rf_rfc_plan *plan, const rf_rfc_result *result) {
    return plan->sends_self ? result->reg : rf_rfc_reg(m, plan->sent);
}
static inline uint32_t rf_rfc_mrf_mask(const rf_rfc *m, const rf_rfc_plan *plan, const rf_rfc_result *result) {
    return plan->sends_self ? result->mask : rf_all_lanes(m->cfg.lanes);
}
static inline const rf_vec *rf_rfc_mrf_data(const rf_rfc *m, const rf_rfc_plan *plan, const rf_rfc_result *result) {
    return plan->sends_self ? result->data : rf_rfc_value(m, plan->sent);
}

/* ---- the edge ---- */

/* The registers take these places as valid and dead. */
static inline void rf_rfc_mark(rf_rfc *m, uint32_t valid, uint32_t dead) {
    const uint32_t l1 = (uint32_t)rf_mask64(m->cfg.entries);
    m->valid_q = (uint8_t)(valid & l1);
    m->dead_q = (uint8_t)(dead & l1);
    m->l0_valid_q = valid >> RF_RFC_L0 & 1;
    m->l0_dead_q = dead >> RF_RFC_L0 & 1;
}

static inline void rf_rfc_leave(rf_rfc *m, const rf_rfc_left *left) {
    rf_rfc_mark(m, rf_rfc_valid(m), left->dead);
    memcpy(m->rank_q, left->rank, sizeof m->rank_q);
}

/* The write, or the step of the flush, happens: to the registers as rf_rfc_leave has left them. */
static inline void rf_rfc_take(rf_rfc *m, const rf_rfc_plan *plan, const rf_rfc_result *result) {
    uint32_t written = 0; /* places: valid, and no longer dead */
    if (plan->moved != RF_RFC_NONE) {
        m->reg_q[plan->moved] = m->l0_reg_q;
        m->data_q[plan->moved] = m->l0_data_q;
        written |= 1u << plan->moved;
    }
    if (plan->into != RF_RFC_NONE) {
        const bool l0 = plan->into == RF_RFC_L0;
        rf_vec *data = l0 ? &m->l0_data_q : &m->data_q[plan->into];
        if (l0) m->l0_reg_q = result->reg;
        else m->reg_q[plan->into] = result->reg;
        if (result->mask == rf_all_lanes(m->cfg.lanes)) *data = *result->data;
        else rf_vec_merge(data, result->data, result->mask);
        written |= 1u << plan->into;
    }
    if (plan->newest != RF_RFC_NONE) rf_rfc_renew(m->rank_q, m->cfg.entries, plan->newest);
    rf_rfc_mark(m, (rf_rfc_valid(m) & ~plan->freed) | written, rf_rfc_dead(m) & ~(plan->freed | written));
}

#endif
