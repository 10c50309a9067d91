/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation of rf_wir: what each result at the end of a hash pipe comes to, and which registers are given out. The result's
 * value stays in its pipe until the edge takes it into its queue. */
#ifndef RF_WIR_ALLOCATION_H
#define RF_WIR_ALLOCATION_H

#include "cmodel/wir/rf_verify_cache_parts.h"
#include "cmodel/wir/rf_vsb_parts.h"
#include "cmodel/wir/rf_wir_parts.h"

RF_WIR_PART bool rf_wir_at_end(const rf_hash_pipe *p) { return (p->valid_q >> (p->cfg.stages - 1) & 1) != 0; }

/* REUSE 0: a result goes from its pipe into its queue, its register is D-map's. */
RF_WIR_PART void rf_wir_pass_on(const rf_wir *m, const rf_wir_cfg *cfg, rf_wir_wires *x) {
    x->left = 0;
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const rf_hash_pipe *p = &m->pipe[e];
        const uint32_t end = p->cfg.stages - 1;
        rf_result_queue_in *to = &x->push[e];
        if (!rf_wir_at_end(p) || m->result[e].ctrl.level_q >= cfg->wbdepth) continue;
        x->left |= (uint8_t)(1u << e);
        to->push_op = RF_RESULT_WRITE;
        to->push_warp = p->warp_q[end];
        to->push_dst = p->dst_q[end];
        to->push_preg = rf_wir_fixed_preg(cfg, p->warp_q[end], p->dst_q[end]);
        to->push_cand = 0;
        to->push_mask = p->mask_q[end];
        to->push_info = p->info_q[end];
    }
}

/* What a group's turn at allocation comes to, but for the number of a new register. */
typedef struct rf_wir_turn {
    bool there, looks; /* a result is tried; its hash is looked up */
    bool wants;        /* it needs a new register */
    bool in_place;     /* it keeps its register */
    bool goes;
    uint8_t port;
    rf_result_op op;
} rf_wir_turn;

/* The result whose turn it is in group g, of the ports in `ends`. */
RF_WIR_PART void rf_wir_begin_turn(const rf_wir *m, const rf_wir_cfg *cfg, rf_wir_wires *x, uint32_t g, uint32_t ends,
                                   rf_wir_turn *t) {
    t->there = ends != 0;
    t->looks = t->wants = t->in_place = t->goes = false;
    t->op = RF_RESULT_WRITE;
    t->port = 0;
    if (!t->there) return;
    t->port = (uint8_t)rf_lowest(rf_rr_pick(ends, m->take_rr[g].mask_q));
    const rf_hash_pipe *p = &m->pipe[t->port];
    t->looks = cfg->vsb != 0 && p->mask_q[p->cfg.stages - 1] == rf_mask64(cfg->lanes);
    x->vsb_in.lk_valid |= (uint8_t)((uint32_t)t->looks << g);
    x->vsb_in.lk_hash[g] = p->hash_q;
}

RF_WIR_PART void rf_wir_try_result(const rf_wir *m, const rf_wir_cfg *cfg, rf_wir_wires *x, uint32_t g, rf_wir_turn *t) {
    const rf_hash_pipe *p = &m->pipe[t->port];
    const uint32_t end = p->cfg.stages - 1;
    if (t->looks && (x->vsb.hit >> g & 1) != 0) {
        const uint32_t lines = cfg->vcache == 0 ? 0 : rf_verify_cache_lines(&m->vcache, m->vcache.valid_q, x->vsb.hit_reg[g]);
        const bool there = lines != 0, equal = there && rf_wir_same(cfg, &m->vcache.data_q[rf_lowest(lines)], &p->data_q[end]);
        x->vcache_hit |= (uint8_t)((uint32_t)there << g);
        x->vcache_equal |= (uint8_t)((uint32_t)equal << g);
        if (!there) t->op = RF_RESULT_VERIFY;
        if (equal) t->op = RF_RESULT_SHARE;
    } else if (p->mask_q[end] != rf_mask64(cfg->lanes)) {
        const rf_wir_info i = rf_wir_unpack(cfg, p->info_q[end]);
        t->in_place = i.old_valid && i.pin;
        if (i.old_valid && !i.pin) t->op = RF_RESULT_MERGE;
    }
    t->wants = !t->in_place && (t->op == RF_RESULT_WRITE || t->op == RF_RESULT_MERGE);
}

/* The entry for the queue but for its value; `fresh`: the new register, if it wants one. */
RF_WIR_PART void rf_wir_fill_entry(const rf_wir *m, const rf_wir_cfg *cfg, const rf_wir_wires *x, uint32_t g,
                                   const rf_wir_turn *t, uint16_t fresh, rf_result_queue_in *to) {
    const rf_hash_pipe *p = &m->pipe[t->port];
    const uint32_t end = p->cfg.stages - 1, all = (uint32_t)rf_mask64(cfg->lanes), mask = p->mask_q[end];
    rf_wir_info i = rf_wir_unpack(cfg, p->info_q[end]);
    to->push_op = (uint8_t)t->op;
    to->push_warp = p->warp_q[end];
    to->push_dst = p->dst_q[end];
    to->push_preg = t->wants ? fresh : t->in_place ? i.old_preg : t->op == RF_RESULT_SHARE ? x->vsb.hit_reg[g] : 0;
    to->push_cand = t->op == RF_RESULT_VERIFY ? x->vsb.hit_reg[g] : t->op == RF_RESULT_MERGE ? i.old_preg : 0;
    to->push_mask = t->in_place || t->op == RF_RESULT_MERGE ? mask : all;
    if (t->in_place) i.old_valid = false;
    i.pin = mask != all;
    to->push_info = rf_wir_pack(cfg, &i);
}

/* Group g's turn is decided: whether its result goes, and whether one of its verifiers gets a register. `spare`: registers that
 * are free and not promised. Returns whether it takes one. */
RF_WIR_PART bool rf_wir_end_turn(const rf_wir *m, const rf_wir_cfg *cfg, rf_wir_wires *x, uint32_t g, rf_wir_turn *t,
                                 uint32_t *spare) {
    const uint32_t verifiers = cfg->verifiers;
    uint32_t needy = verifiers;
    for (uint32_t v = verifiers; v-- > 0;)
        if (m->verify[g * verifiers + v].state_q == RF_VERIFY_NEED) needy = v;
    const bool gave = needy < verifiers; /* it was promised one */
    x->give[g] = (uint8_t)needy;
    x->gave |= (uint8_t)((uint32_t)gave << g);
    x->take[g] = t->port;
    if (!t->there) return gave;
    rf_wir_try_result(m, cfg, x, g, t);
    const bool asks = t->wants || t->op == RF_RESULT_VERIFY;
    t->goes = !asks || (!gave && *spare > 0);
    *spare -= (uint32_t)(t->goes && asks);
    x->starved |= (uint8_t)((uint32_t)!t->goes << g);
    x->took |= (uint8_t)((uint32_t)t->goes << g);
    x->left |= (uint8_t)((uint32_t)t->goes << t->port);
    return gave || (t->goes && t->wants);
}

/* The results at the ends of the pipes: one a group, and the verifiers that need a register. */
RF_WIR_PART void rf_wir_allocate(const rf_wir *m, const rf_wir_cfg *cfg, rf_wir_wires *x) {
    rf_wir_turn turns[RF_ISSUES_MAX];
    uint32_t ends[RF_ISSUES_MAX] = {0}, looked = 0, want = 0;
    uint32_t spare = (uint32_t)x->free.count - m->promised_q; /* never below 0 */
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const rf_hash_pipe *p = &m->pipe[e];
        if (rf_wir_at_end(p) && m->result[e].ctrl.level_q < cfg->wbdepth)
            ends[rf_wir_group_of(p->warp_q[p->cfg.stages - 1], cfg->issues)] |= 1u << e;
    }
    x->vsb_in.lk_valid = x->vsb_in.write = x->vsb_in.drop = 0;
    x->vcache_hit = x->vcache_equal = 0;
    x->took = x->left = x->gave = x->starved = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) rf_wir_begin_turn(m, cfg, x, g, ends[g], &turns[g]);
    if (x->vsb_in.lk_valid != 0) rf_vsb_lookups(&m->vsb, &x->vsb_in, &x->vsb);
    else x->vsb.hit = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        want |= (uint32_t)rf_wir_end_turn(m, cfg, x, g, &turns[g], &spare) << g;
        looked |= (uint32_t)(turns[g].goes && turns[g].looks);
    }
    x->free_in.pop = (uint8_t)want;
    if (want != 0) rf_free_list_comb(&m->free, &x->free_in, &x->free);
    for (uint32_t left = x->took; left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left);
        const bool miss = turns[g].looks && (x->vsb.hit >> g & 1) == 0;
        rf_wir_fill_entry(m, cfg, x, g, &turns[g], x->free.reg[g], &x->push[g]);
        x->vsb_in.write |= (uint8_t)((uint32_t)(miss && !x->low) << g);
        x->vsb_in.drop |= (uint8_t)((uint32_t)(miss && x->low) << g);
        x->vsb_in.write_reg[g] = x->free.reg[g];
    }
    x->vsb_in.rnd_drop = cfg->vsb != 0 && x->low && looked == 0 && (x->gave & 1) == 0;
    x->vsb_in.rnd_index = (uint16_t)(m->lfsr.value_q & (cfg->ventries - 1));
    if ((x->vsb_in.write | x->vsb_in.drop | x->vsb_in.rnd_drop) != 0) rf_vsb_removals(&m->vsb, &x->vsb_in, &x->vsb);
    else x->vsb.freed = x->vsb.rnd_freed = 0;
}

#endif
