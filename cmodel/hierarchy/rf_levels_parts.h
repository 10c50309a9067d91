/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_levels on its own registers: private to rf_levels.c, to its bench and to the system that holds the levels, so
 * that a 128-byte vector is copied where a register takes it, nowhere else.
 *
 * One cycle: rf_levels_look_up, rf_levels_pend and rf_levels_hold, from the registers; rf_levels_route, once the keep is known;
 * rf_levels_done, once the grants are; then the edge, rf_levels_move. */
#ifndef RF_LEVELS_PARTS_H
#define RF_LEVELS_PARTS_H

#include "cmodel/hierarchy/rf_levels.h"
#include "cmodel/hierarchy/rf_orf_parts.h"
#include "cmodel/hierarchy/rf_rfc_parts.h"

#define RF_LEVELS_NO_SLOT RF_ACTIVE_MAX

/* The scheduler's slots. */
typedef struct rf_levels_slots {
    uint32_t held, leaving, enter;
    const uint8_t *warp; /* per slot */
} rf_levels_slots;

/* An instruction that issues. */
typedef struct rf_levels_issue {
    uint32_t slot;
    uint32_t valid;
    const uint8_t *reg, *from;
    uint32_t last;
    bool read; /* it does issue */
    bool shared, ends, dst_valid;
    uint8_t to;
} rf_levels_issue;

/* An operand that is kept. */
typedef struct rf_levels_keep {
    bool valid, shared;
    uint8_t warp, name;
    uint32_t mask;
    const rf_vec *data;
} rf_levels_keep;

/* Heads of the queues. */
typedef struct rf_levels_heads {
    uint32_t valid;
    uint8_t warp[RF_EXPORTS_MAX], reg[RF_EXPORTS_MAX], note[RF_EXPORTS_MAX];
    uint32_t mask[RF_EXPORTS_MAX];
    const rf_vec *data[RF_EXPORTS_MAX];
} rf_levels_heads;

/* What an issue finds above the MRF. */
typedef struct rf_levels_found {
    uint32_t hit, hit_l0;
    uint8_t place[RF_SLOTS_MAX]; /* hardware: per slot that hits */
} rf_levels_found;

/* Where the results of a cycle go. */
typedef struct rf_levels_way {
    uint32_t offers, offer; /* queues */
    uint32_t queue, slot;   /* of the one that is offered; counts with offer */
    rf_rfc_result result;   /* hardware: the same as its file gets it */
    rf_rfc_left left;       /* hardware: what reads leave of its file */
    rf_rfc_plan plan;       /* hardware: what it does there */
    uint32_t flush;         /* slots, at most one: it sends an entry because it leaves */
    rf_rfc_left flush_left; /* of it */
    rf_rfc_plan flush_plan;
    bool drops;         /* it has dead entries alone: they are gone at once, and nothing is asked for */
    bool sends, evicts; /* of the one that is offered: something goes to the MRF; an entry */
    bool goes;          /* ... which asks for it */
    /* requests of the writers of the MRF */
    uint32_t ask;
    uint8_t ask_warp[RF_EXPORTS_MAX], ask_reg[RF_EXPORTS_MAX];
    uint32_t ask_mask[RF_EXPORTS_MAX];
    const rf_vec *ask_data[RF_EXPORTS_MAX];
} rf_levels_way;

/* What the inputs of a cycle say, and what follows from them but for the grants. */
typedef struct rf_levels_cycle {
    rf_levels_slots slots;
    rf_levels_issue issue;
    rf_levels_keep keep;
    rf_levels_heads heads;
    rf_levels_found found;
    rf_levels_way way;
} rf_levels_cycle;

/* The lowest slot that has the warp, one hot; 0: none. */
static inline uint32_t rf_levels_has(const rf_levels_slots *slots, uint32_t warp) {
    for (uint32_t left = slots->held; left != 0; left &= left - 1)
        if (slots->warp[rf_lowest(left)] == warp) return 1u << rf_lowest(left);
    return 0;
}

/* Its number, or RF_LEVELS_NO_SLOT. */
static inline uint32_t rf_levels_slot(const rf_levels_slots *slots, uint32_t warp) {
    const uint32_t has = rf_levels_has(slots, warp);
    return has != 0 ? rf_lowest(has) : RF_LEVELS_NO_SLOT;
}

/* ---- from the registers ---- */

/* Outputs hit and hit_l0. */
static inline rf_levels_found rf_levels_look_up(const rf_levels *m, const rf_levels_issue *issue) {
    rf_levels_found found;
    memset(&found, 0, sizeof found);
    if (issue->slot >= m->cfg.active) return found;
    if (m->cfg.managed == 0) {
        found.hit = rf_rfc_lookup(&m->rfc[issue->slot], issue->valid, issue->reg, found.place);
        found.hit_l0 = rf_rfc_hit_l0(found.hit, found.place);
        return found;
    }
    for (uint32_t left = issue->valid; left != 0; left &= left - 1) {
        const uint32_t s = rf_lowest(left);
        if ((issue->from[s] & RF_NOTE_UPPER) == 0) continue;
        found.hit |= 1u << s;
        found.hit_l0 |= (uint32_t)((issue->from[s] & RF_NOTE_NAME) >= RF_LEVEL_L0) << s;
    }
    return found;
}

/* The value of slot s, which hits. */
static inline void rf_levels_value(const rf_levels *m, const rf_levels_issue *issue, const rf_levels_found *found, uint32_t s,
                                   rf_vec *to) {
    if (m->cfg.managed == 0) *to = *rf_rfc_value(&m->rfc[issue->slot], found->place[s]);
    else rf_orf_read(&m->orf[issue->slot], s, issue->from[s] & RF_NOTE_NAME, issue->shared, to);
}

/* Output pend of a slot. */
static inline uint32_t rf_levels_pend(const rf_levels *m, uint32_t slot) {
    return m->cfg.managed == 0 ? 0 : rf_orf_pending(&m->orf[slot]);
}

/* An instruction with these operands names what is among `pend`. */
static inline bool rf_levels_waits(uint32_t pend, uint32_t src_valid, const uint8_t *from, bool dst_valid, uint8_t to) {
    uint32_t names = 0;
    for (uint32_t left = src_valid; left != 0; left &= left - 1) {
        const uint8_t place = from[rf_lowest(left)];
        if ((place & (RF_NOTE_UPPER | RF_NOTE_KEEP)) != 0) names |= 1u << (place & RF_NOTE_NAME);
    }
    if (dst_valid && (to & RF_NOTE_UPPER) != 0) names |= 1u << (to & RF_NOTE_NAME);
    return (names & pend) != 0;
}

/* The operand that an instruction keeps, one hot: the lowest source that says so; 0: none. */
static inline uint32_t rf_levels_kept(uint32_t src_valid, const uint8_t *from) {
    for (uint32_t left = src_valid; left != 0; left &= left - 1) {
        const uint32_t s = rf_lowest(left);
        if ((from[s] & (RF_NOTE_UPPER | RF_NOTE_KEEP)) == RF_NOTE_KEEP) return 1u << s;
    }
    return 0;
}

/* Output hold. */
static inline uint32_t rf_levels_hold(const rf_levels *m) {
    uint32_t hold = 0;
    for (uint32_t a = 0; a < m->cfg.active; a++)
        hold |= (uint32_t)(m->cfg.managed == 0 ? rf_rfc_valid(&m->rfc[a]) != 0 : m->orf[a].pend_q != 0) << a;
    return hold;
}

/* ---- results ---- */

/* What the reads of this cycle leave of slot a's file. */
static inline rf_rfc_left rf_levels_left(const rf_levels *m, uint32_t a, const rf_levels_issue *issue,
                                         const rf_levels_found *found) {
    const bool counts = issue->read && issue->slot == a;
    return rf_rfc_reads(&m->rfc[a], counts ? found->hit : 0, found->place, issue->last);
}

/* A queue or the flush asks for the MRF. */
static inline void rf_levels_ask(rf_levels_way *way, uint32_t writer, uint32_t warp, uint32_t reg, uint32_t mask,
                                 const rf_vec *data) {
    way->ask |= 1u << writer;
    way->ask_warp[writer] = (uint8_t)warp;
    way->ask_reg[writer] = (uint8_t)reg;
    way->ask_mask[writer] = mask;
    way->ask_data[writer] = data;
}

/* Hardware: what the file does with the result that is offered, and whether an entry can be read for it. */
static inline void rf_levels_offer(const rf_levels *m, const rf_levels_slots *slots, const rf_levels_issue *issue,
                                   const rf_levels_found *found, const rf_levels_heads *heads, uint32_t reads,
                                   rf_levels_way *way) {
    const uint32_t e = way->queue, note = heads->note[e];
    const rf_rfc *file = &m->rfc[way->slot];
    way->result.data = heads->data[e];
    way->result.mask = heads->mask[e];
    way->result.reg = heads->reg[e];
    way->result.around = (note & RF_NOTE_UPPER) == 0 || (slots->leaving >> way->slot & 1) != 0;
    way->result.low = note & 1;
    way->left = rf_levels_left(m, way->slot, issue, found);
    way->plan = rf_rfc_write(file, &way->left, &way->result);
    way->sends = rf_rfc_mrf_valid(&way->plan);
    way->evicts = rf_rfc_mrf_entry(&way->plan);
    way->goes = way->sends && (!way->evicts || reads < m->cfg.slots);
    if (way->goes)
        rf_levels_ask(way, e, heads->warp[e], rf_rfc_mrf_reg(file, &way->plan, &way->result),
                      rf_rfc_mrf_mask(file, &way->plan, &way->result), rf_rfc_mrf_data(file, &way->plan, &way->result));
}

/* Hardware: the lowest slot that leaves, holds something and gets no result sends an entry, if one can be read. */
static inline void rf_levels_flush(const rf_levels *m, const rf_levels_slots *slots, const rf_levels_issue *issue,
                                   const rf_levels_found *found, uint32_t reads, rf_levels_way *way) {
    uint32_t left = slots->held & slots->leaving;
    if (way->offer != 0) left &= ~(1u << way->slot);
    while (left != 0 && rf_rfc_valid(&m->rfc[rf_lowest(left)]) == 0) left &= left - 1;
    if (left == 0) return;
    const uint32_t a = rf_lowest(left);
    const rf_rfc *file = &m->rfc[a];
    way->flush_left = rf_levels_left(m, a, issue, found);
    way->flush_plan = rf_rfc_flush(file, &way->flush_left);
    way->drops = !rf_rfc_mrf_valid(&way->flush_plan);
    if (!way->drops && reads + way->evicts >= m->cfg.slots) return;
    way->flush = 1u << a;
    if (way->drops) return;
    rf_levels_ask(way, m->cfg.exports, slots->warp[a], rf_rfc_mrf_reg(file, &way->flush_plan, NULL),
                  rf_rfc_mrf_mask(file, &way->flush_plan, NULL), rf_rfc_mrf_data(file, &way->flush_plan, NULL));
}

/* Everything but what depends on the grants: from all other members of the cycle, its way. */
static inline void rf_levels_route(const rf_levels *m, rf_levels_cycle *c) {
    const rf_levels_slots *slots = &c->slots;
    const rf_levels_issue *issue = &c->issue;
    const rf_levels_found *found = &c->found;
    const rf_levels_heads *heads = &c->heads;
    rf_levels_way *way = &c->way;
    const bool hardware = m->cfg.managed == 0;
    const uint32_t reads = issue->read ? (uint32_t)__builtin_popcount(found->hit) : 0;
    way->offers = way->offer = way->ask = way->flush = 0;
    way->sends = way->evicts = way->goes = way->drops = false;
    for (uint32_t left = heads->valid; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        if ((hardware || (heads->note[e] & RF_NOTE_UPPER) != 0) && rf_levels_has(slots, heads->warp[e]) != 0)
            way->offers |= 1u << e;
        else rf_levels_ask(way, e, heads->warp[e], heads->reg[e], heads->mask[e], heads->data[e]);
    }
    if (way->offers != 0 && (hardware || !c->keep.valid)) {
        way->offer = (uint32_t)rf_rr_pick(way->offers, m->port.mask_q);
        way->queue = rf_lowest(way->offer);
        way->slot = rf_lowest(rf_levels_has(slots, heads->warp[way->queue]));
        const uint32_t e = way->queue;
        if (hardware) rf_levels_offer(m, slots, issue, found, heads, reads, way);
        else if ((way->goes = (heads->note[e] & RF_NOTE_MRF) != 0))
            rf_levels_ask(way, e, heads->warp[e], heads->reg[e], heads->mask[e], heads->data[e]);
    }
    if (hardware) rf_levels_flush(m, slots, issue, found, reads, way);
}

static inline void rf_levels_decide(const rf_levels *m, const rf_levels_in *in, rf_levels_cycle *c) {
    c->slots = (rf_levels_slots){.held = in->held, .leaving = in->leaving, .enter = in->enter, .warp = in->slot_warp};
    c->issue = (rf_levels_issue){.slot = in->rd_slot,
                                 .valid = in->rd_valid,
                                 .reg = in->rd_reg,
                                 .from = in->rd_from,
                                 .last = in->last,
                                 .read = in->read != 0,
                                 .shared = in->shared != 0,
                                 .ends = in->ends != 0,
                                 .dst_valid = in->dst_valid != 0,
                                 .to = in->to};
    c->keep = (rf_levels_keep){.valid = in->keep != 0,
                               .shared = in->keep_shared != 0,
                               .warp = in->keep_warp,
                               .name = in->keep_name,
                               .mask = in->keep_mask,
                               .data = &in->keep_data};
    c->heads.valid = in->wr_valid;
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        c->heads.warp[e] = in->wr_warp[e];
        c->heads.reg[e] = in->wr_reg[e];
        c->heads.note[e] = in->wr_note[e];
        c->heads.mask[e] = in->wr_mask[e];
        c->heads.data[e] = &in->wr_data[e];
    }
    c->found = rf_levels_look_up(m, &c->issue);
    rf_levels_route(m, c);
}

/* The result that is offered is taken. */
static inline bool rf_levels_taken(const rf_levels_way *way, uint32_t grant) {
    return way->offer != 0 && (way->goes ? (way->offer & grant) != 0 : !way->sends);
}

/* Output done. */
static inline uint32_t rf_levels_done(const rf_levels_way *way, uint32_t exports, uint32_t grant) {
    const uint32_t own = way->ask & ~way->offers & (uint32_t)rf_mask64(exports);
    return (own & grant) | (rf_levels_taken(way, grant) ? way->offer : 0);
}

/* ---- the edge ---- */

static inline void rf_levels_move_hardware(rf_levels *m, const rf_levels_cycle *c, uint32_t grant, bool taken) {
    const rf_levels_issue *issue = &c->issue;
    const rf_levels_found *found = &c->found;
    const rf_levels_way *way = &c->way;
    if (issue->read && found->hit != 0) {
        const rf_rfc_left left = rf_levels_left(m, issue->slot, issue, found);
        rf_rfc_leave(&m->rfc[issue->slot], &left);
    }
    if (taken) rf_rfc_take(&m->rfc[way->slot], &way->plan, &way->result);
    if (way->flush != 0 && (way->drops || (grant >> m->cfg.exports & 1) != 0))
        rf_rfc_take(&m->rfc[rf_lowest(way->flush)], &way->flush_plan, NULL);
}

static inline void rf_levels_move_software(rf_levels *m, const rf_levels_cycle *c, bool taken) {
    const rf_levels_slots *slots = &c->slots;
    const rf_levels_issue *issue = &c->issue;
    const rf_levels_keep *keep = &c->keep;
    const bool reads = issue->read && issue->slot < m->cfg.active;
    for (uint32_t left = slots->enter; left != 0; left &= left - 1) rf_orf_clear(&m->orf[rf_lowest(left)]);
    if (reads && issue->ends) rf_orf_clear(&m->orf[issue->slot]);
    if (keep->valid) {
        const uint32_t has = rf_levels_has(slots, keep->warp);
        if (has != 0) rf_orf_write(&m->orf[rf_lowest(has)], keep->name, keep->mask, keep->data, keep->shared);
    } else if (taken) {
        const rf_levels_heads *heads = &c->heads;
        const uint32_t e = c->way.queue, note = heads->note[e];
        rf_orf_write(&m->orf[c->way.slot], note & RF_NOTE_NAME, heads->mask[e], heads->data[e], (note & RF_NOTE_SHARED) != 0);
    }
    if (!reads) return;
    const uint32_t kept = rf_levels_kept(issue->valid, issue->from);
    if (issue->dst_valid && (issue->to & RF_NOTE_UPPER) != 0) rf_orf_set(&m->orf[issue->slot], issue->to & RF_NOTE_NAME);
    if (kept != 0) rf_orf_set(&m->orf[issue->slot], issue->from[rf_lowest(kept)] & RF_NOTE_NAME);
}

static inline void rf_levels_move(rf_levels *m, const rf_levels_cycle *c, uint32_t grant) {
    const bool taken = rf_levels_taken(&c->way, grant);
    if (m->cfg.managed == 0) rf_levels_move_hardware(m, c, grant, taken);
    else rf_levels_move_software(m, c, taken);
    if (taken) m->port.mask_q = rf_rr_next(c->way.offer, m->cfg.exports);
}

#endif
