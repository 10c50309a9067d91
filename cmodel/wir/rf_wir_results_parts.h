/* SPDX-License-Identifier: Apache-2.0 */
/* The cycle of rf_wir_results as functions that a caller compiles in: private to the unit and rf_wir. In this order:
 *   rf_wir_pool          how many registers are free
 *   rf_wir_begin         which results at the ends of the pipes are tried
 *   rf_wir_allocate      what becomes of them (reuse 0: rf_wir_pass_on)
 *   rf_wir_names         which references that begins and ends
 *   rf_wir_clock_tables, rf_wir_clock_ports    the edge
 * A result's value stays in its pipe until the edge takes it into its queue; values are handed over by pointer. */
#ifndef RF_WIR_RESULTS_PARTS_H
#define RF_WIR_RESULTS_PARTS_H

#include "cmodel/wir/rf_hash_pipe_parts.h"
#include "cmodel/wir/rf_result_queue_parts.h"
#include "cmodel/wir/rf_verify_cache_parts.h"
#include "cmodel/wir/rf_vsb_parts.h"
#include "cmodel/wir/rf_wir_results.h"
#include "cmodel/wir/rf_wir_words.h"

#include <string.h>

RF_WIR_PART bool rf_wir_at_end(const rf_hash_pipe *p) { return (p->valid_q >> (p->cfg.stages - 1) & 1) != 0; }

/* ---- registers ---- */

/* How many registers are free, which come back at the edge, and low register mode. */
RF_WIR_PART void rf_wir_pool(const rf_wir_results *m, const rf_wir_results_cfg *cfg, uint32_t back, const uint16_t *back_reg,
                             uint32_t limit, rf_wir_results_wires *x) {
    x->free_in.pop = 0;
    x->free_in.push = (uint8_t)back;
    if (back != 0) memcpy(x->free_in.push_reg, back_reg, RF_WIR_FREES * sizeof x->free_in.push_reg[0]);
    rf_free_list_comb(&m->free, &x->free_in, &x->free);
    x->bound = (uint16_t)(cfg->capped != 0 && limit < cfg->pregs ? limit : cfg->pregs);
    x->low = cfg->pregs - x->free.count + cfg->issues > x->bound;
}

/* ---- allocation ---- */

/* REUSE 0: a result goes from its pipe into its queue, its register is D-map's. */
RF_WIR_PART void rf_wir_pass_on(const rf_wir_results *m, const rf_wir_results_cfg *cfg, rf_wir_results_wires *x) {
    x->left = 0;
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const rf_hash_pipe *p = &m->pipe[e];
        const uint32_t end = p->cfg.stages - 1;
        rf_result_queue_in *to = &x->push[e];
        if (!rf_wir_at_end(p) || !rf_result_queue_ready(&m->queue[e])) continue;
        x->left |= (uint8_t)(1u << e);
        to->push_op = RF_RESULT_WRITE;
        to->push_warp = p->warp_q[end];
        to->push_dst = p->dst_q[end];
        to->push_preg = rf_wir_fixed_preg(cfg->banks, cfg->regs, cfg->pregs, p->warp_q[end], p->dst_q[end]);
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
RF_WIR_PART void rf_wir_begin_turn(const rf_wir_results *m, const rf_wir_results_cfg *cfg, rf_wir_results_wires *x, uint32_t g,
                                   uint32_t ends, rf_wir_turn *t) {
    t->there = ends != 0;
    t->looks = t->wants = t->in_place = t->goes = false;
    t->op = RF_RESULT_WRITE;
    t->port = 0;
    x->vsb_in.lk_hash[g] = 0; /* looked at and masked all the same */
    x->push[g].push_op = RF_RESULT_WRITE;
    if (!t->there) return;
    t->port = (uint8_t)rf_lowest(rf_rr_pick(ends, m->take_rr[g].mask_q));
    const rf_hash_pipe *p = &m->pipe[t->port];
    t->looks = cfg->vsb != 0 && p->mask_q[p->cfg.stages - 1] == rf_mask64(cfg->lanes);
    x->vsb_in.lk_valid |= (uint8_t)((uint32_t)t->looks << g);
    x->vsb_in.lk_hash[g] = p->hash_q;
}

RF_WIR_PART void rf_wir_try_result(const rf_wir_results *m, const rf_wir_results_cfg *cfg, rf_wir_results_wires *x, uint32_t g,
                                   rf_wir_turn *t) {
    const rf_hash_pipe *p = &m->pipe[t->port];
    const uint32_t end = p->cfg.stages - 1;
    if (t->looks && (x->vsb.hit >> g & 1) != 0) {
        const uint32_t lines = cfg->vcache == 0 ? 0 : rf_verify_cache_lines(&m->vcache, m->vcache.valid_q, x->vsb.hit_reg[g]);
        const rf_vec *const line = &m->vcache.data_q[lines != 0 ? rf_lowest(lines) : 0];
        const bool there = lines != 0, equal = there && memcmp(line, &p->data_q[end], cfg->lanes * sizeof line->lane[0]) == 0;
        x->vcache_hit |= (uint8_t)((uint32_t)there << g);
        x->vcache_equal |= (uint8_t)((uint32_t)equal << g);
        if (!there) t->op = RF_RESULT_VERIFY;
        if (equal) t->op = RF_RESULT_SHARE;
    } else if (p->mask_q[end] != rf_mask64(cfg->lanes)) {
        const bool old_valid = rf_wir_old_valid(p->info_q[end]), pin = rf_wir_pinned(p->info_q[end]);
        t->in_place = old_valid && pin;
        if (old_valid && !pin) t->op = RF_RESULT_MERGE;
    }
    t->wants = !t->in_place && (t->op == RF_RESULT_WRITE || t->op == RF_RESULT_MERGE);
}

/* The old register of the result that is tried, 0 without one. */
RF_WIR_PART uint16_t rf_wir_tried_old(const rf_wir_results *m, const rf_wir_results_cfg *cfg, const rf_wir_turn *t) {
    return t->there ? rf_wir_old_preg(cfg->pregs, m->pipe[t->port].info_q[cfg->stages - 1]) : 0;
}

/* No register may be given to the result: it overwrites its old one if nobody else names that (`own`). Returns whether it does.
 */
RF_WIR_PART bool rf_wir_overwrite(const rf_wir_results *m, const rf_wir_results_cfg *cfg, bool own, rf_wir_turn *t) {
    if (cfg->capped == 0 || !own || !rf_wir_old_valid(m->pipe[t->port].info_q[cfg->stages - 1])) return false;
    t->op = RF_RESULT_WRITE;
    t->wants = false;
    t->in_place = true;
    return true;
}

/* The entry for the queue but for its value; `fresh`: the new register, if it wants one. */
RF_WIR_PART void rf_wir_fill_entry(const rf_wir_results *m, const rf_wir_results_cfg *cfg, const rf_wir_results_wires *x,
                                   uint32_t g, const rf_wir_turn *t, uint16_t fresh, rf_result_queue_in *to) {
    const rf_hash_pipe *p = &m->pipe[t->port];
    const uint32_t end = p->cfg.stages - 1, all = (uint32_t)rf_mask64(cfg->lanes), mask = p->mask_q[end];
    const uint64_t info = p->info_q[end];
    const uint16_t old = rf_wir_old_preg(cfg->pregs, info);
    to->push_op = (uint8_t)t->op;
    to->push_warp = p->warp_q[end];
    to->push_dst = p->dst_q[end];
    to->push_preg = t->wants ? fresh : t->in_place ? old : t->op == RF_RESULT_SHARE ? x->vsb.hit_reg[g] : 0;
    to->push_cand = t->op == RF_RESULT_VERIFY ? x->vsb.hit_reg[g] : t->op == RF_RESULT_MERGE ? old : 0;
    to->push_mask = t->in_place || t->op == RF_RESULT_MERGE ? mask : all;
    to->push_info = (info & ~UINT64_C(3)) | (uint64_t)(rf_wir_old_valid(info) && !t->in_place) << 1 | (uint64_t)(mask != all);
}

/* Group g's turn is decided: whether its result goes, and whether one of its verifiers, those in `need`, gets a register.
 * `own`: nobody else names the result's old register; `spare`: registers that may be given and are not promised. Returns whether
 * it takes one. */
RF_WIR_PART bool rf_wir_end_turn(const rf_wir_results *m, const rf_wir_results_cfg *cfg, rf_wir_results_wires *x, uint32_t g,
                                 uint32_t need, bool own, rf_wir_turn *t, uint32_t *spare) {
    const bool gave = need != 0; /* it was promised one */
    x->give[g] = (uint8_t)(gave ? rf_lowest(need) : cfg->verifiers);
    x->gave |= (uint8_t)((uint32_t)gave << g);
    x->take[g] = t->port;
    if (!t->there) return gave;
    rf_wir_try_result(m, cfg, x, g, t);
    const bool asks = t->wants || t->op == RF_RESULT_VERIFY, gets = asks && !gave && *spare > 0;
    const bool over = asks && !gets && !gave && rf_wir_overwrite(m, cfg, own, t);
    t->goes = !asks || gets || over;
    x->over |= (uint8_t)((uint32_t)over << g);
    *spare -= (uint32_t)gets;
    x->starved |= (uint8_t)((uint32_t)!t->goes << g);
    x->took |= (uint8_t)((uint32_t)t->goes << g);
    x->left |= (uint8_t)((uint32_t)t->goes << t->port);
    return gave || (t->goes && t->wants);
}

/* Registers that may be given, but for those that are promised: a count of rf_wir_bits(pregs + 1) bits. */
RF_WIR_PART uint32_t rf_wir_spare(const rf_wir_results *m, const rf_wir_results_cfg *cfg, const rf_wir_results_wires *x) {
    const uint32_t bits = (uint32_t)rf_mask64(rf_wir_bits(cfg->pregs + 1));
    const uint32_t spoken = (cfg->pregs - x->free.count + m->promised_q) & bits; /* in use or promised */
    return cfg->capped != 0 && spoken >= x->bound ? 0 : (x->bound - spoken) & bits;
}

/* Which results at the ends of the pipes are tried, one a group. */
RF_WIR_PART void rf_wir_begin(const rf_wir_results *m, const rf_wir_results_cfg *cfg, rf_wir_results_wires *x,
                              rf_wir_turn *turns) {
    uint32_t ends[RF_ISSUES_MAX] = {0};
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const rf_hash_pipe *p = &m->pipe[e];
        if (rf_wir_at_end(p) && rf_result_queue_ready(&m->queue[e]))
            ends[rf_wir_group_of(p->warp_q[p->cfg.stages - 1], cfg->issues)] |= 1u << e;
    }
    x->vsb_in.lk_valid = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) rf_wir_begin_turn(m, cfg, x, g, ends[g], &turns[g]);
}

/* What becomes of the results that are tried, and of the verifiers that need a register: bit group * verifiers + verifier. `own`,
 * issues bits (capped): nobody else names the result's old register. */
RF_WIR_PART void rf_wir_allocate(const rf_wir_results *m, const rf_wir_results_cfg *cfg, uint32_t need, uint32_t random,
                                 uint32_t own, rf_wir_turn *turns, rf_wir_results_wires *x) {
    uint32_t looked = 0, want = 0, spare = rf_wir_spare(m, cfg, x);
    x->vsb_in.write = x->vsb_in.drop = 0;
    x->vcache_hit = x->vcache_equal = 0;
    x->took = x->left = x->gave = x->starved = x->over = 0;
    if (x->vsb_in.lk_valid != 0) rf_vsb_lookups(&m->vsb, &x->vsb_in, &x->vsb);
    else x->vsb.hit = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const uint32_t needs = need >> (g * cfg->verifiers) & ((1u << cfg->verifiers) - 1);
        want |= (uint32_t)rf_wir_end_turn(m, cfg, x, g, needs, (own >> g & 1) != 0, &turns[g], &spare) << g;
        looked |= (uint32_t)(turns[g].goes && turns[g].looks);
    }
    x->free_in.pop = (uint8_t)want;
    if (want != 0) rf_free_list_comb(&m->free, &x->free_in, &x->free);
    for (uint32_t left = x->took; left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left);
        const bool miss = turns[g].looks && (x->vsb.hit >> g & 1) == 0;
        rf_wir_fill_entry(m, cfg, x, g, &turns[g], x->free.reg[g], &x->push[g]);
        x->vsb_in.write |= (uint8_t)((uint32_t)(miss && !x->low && turns[g].wants) << g);
        x->vsb_in.drop |= (uint8_t)((uint32_t)(miss && x->low) << g);
        x->vsb_in.write_reg[g] = x->free.reg[g];
    }
    x->vsb_in.rnd_drop = cfg->vsb != 0 && x->low && looked == 0 && (x->gave & 1) == 0;
    x->vsb_in.rnd_index = (uint16_t)(random & (cfg->ventries - 1));
    if ((x->vsb_in.write | x->vsb_in.drop | x->vsb_in.rnd_drop) != 0) rf_vsb_removals(&m->vsb, &x->vsb_in, &x->vsb);
    else x->vsb.freed = x->vsb.rnd_freed = 0;
}

/* The references of group g that begin, by its result and by buffer or verifier, and the one that ends. Registers where none does
 * are of no meaning. */
typedef struct rf_wir_named {
    bool result, table, ends;
    uint16_t result_reg, table_reg, ends_reg;
} rf_wir_named;

/* `cand`: what the verifier that gets a register gives up for it. */
RF_WIR_PART rf_wir_named rf_wir_names(const rf_wir_results_wires *x, uint32_t g, uint16_t cand) {
    const rf_result_queue_in *push = &x->push[g];
    const bool gave = (x->gave >> g & 1) != 0, freed = (x->vsb.freed >> g & 1) != 0, random = g == 0 && x->vsb.rnd_freed != 0;
    const bool shares = push->push_op == RF_RESULT_SHARE || push->push_op == RF_RESULT_VERIFY;
    rf_wir_named n;
    n.result = (x->took >> g & 1) != 0 && (shares || ((x->free_in.pop >> g & 1) != 0 && !gave)); /* else it is in place */
    n.result_reg = push->push_op == RF_RESULT_VERIFY ? push->push_cand : push->push_preg;
    n.table = gave || (x->vsb_in.write >> g & 1) != 0;
    n.table_reg = x->free.reg[g];
    n.ends = gave || freed || random;
    n.ends_reg = gave ? cand : freed ? x->vsb.freed_reg[g] : x->vsb.rnd_freed_reg;
    return n;
}

/* Ports that accept a result. */
RF_WIR_PART uint32_t rf_wir_accepting(const rf_wir_results *m, const rf_wir_results_cfg *cfg, const rf_wir_results_wires *x) {
    uint32_t ready = x->left;
    for (uint32_t e = 0; e < cfg->exports; e++) ready |= (uint32_t)(m->pipe[e].valid_q != (1u << m->pipe[e].cfg.stages) - 1) << e;
    return ready;
}

/* ---- the edge ---- */

/* Verify cache, buffer, free registers, turns, promises. `fill`, fill_reg, `data`: what verify-reads have fetched; `shared`:
 * groups of which a result in VERIFY retires without a register. */
RF_WIR_PART void rf_wir_clock_tables(rf_wir_results *m, const rf_wir_results_cfg *cfg, rf_wir_results_wires *x, uint32_t fill,
                                     const uint16_t *fill_reg, const rf_vec *const *data, uint32_t shared) {
    rf_verify_cache_in *c = &x->vcache_in;
    uint32_t promised = m->promised_q;
    c->fill = (uint8_t)fill;
    c->evict = x->free_in.pop;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const bool took = (x->took >> g & 1) != 0;
        c->evict_reg[g] = x->free.reg[g];
        c->fill_reg[g] = fill_reg[g];
        if (took) m->take_rr[g].mask_q = rf_rr_next(UINT64_C(1) << x->take[g], cfg->exports);
        promised += (uint32_t)(took && x->push[g].push_op == RF_RESULT_VERIFY) - (shared >> g & 1) - (x->gave >> g & 1);
    }
    m->promised_q = (uint16_t)(promised & rf_mask64(rf_wir_bits(cfg->pregs + 1)));
    if (cfg->vcache != 0 && (c->fill | c->evict) != 0) rf_verify_cache_edge(&m->vcache, c, data);
    if ((x->vsb_in.write | x->vsb_in.drop | x->vsb_in.rnd_drop) != 0) rf_vsb_clock(&m->vsb, &x->vsb_in);
    if ((x->free_in.pop | x->free_in.push) != 0) rf_free_list_clock(&m->free, &x->free_in);
}

/* A result from the end of its pipe into its queue. Its value is zero in lanes that it does not have if it is to be written with
 * all lanes: where `push` has more of them than the pipe. */
RF_WIR_PART void rf_wir_push(const rf_wir_results_cfg *cfg, const rf_hash_pipe *p, const rf_result_queue_in *push,
                             rf_result_queue *q) {
    const uint32_t at = q->ctrl.wr_ptr_q, end = p->cfg.stages - 1, mask = p->mask_q[end];
    rf_result_queue_store(q, at, push, &p->data_q[end]);
    if (push->push_mask == mask) return;
    for (uint32_t l = 0; l < cfg->lanes; l++)
        if ((mask >> l & 1) == 0) q->data_q[at].lane[l] = 0;
}

/* What the ports are offered, as rf_wir_results_in has it, by pointer. */
typedef struct rf_wir_offer {
    uint32_t valid; /* exports bits */
    const uint8_t *warp, *dst;
    const uint32_t *mask;
    const rf_vec *data;
    const uint64_t *info;
} rf_wir_offer;

/* Queues and pipes; `pops`: heads that leave. */
RF_WIR_PART void rf_wir_clock_ports(rf_wir_results *m, const rf_wir_results_cfg *cfg, const rf_wir_results_wires *x,
                                    uint32_t pops, const rf_wir_offer *in) {
    const rf_result_queue_in *push[RF_EXPORTS_MAX];
    if (cfg->reuse == 0) {
        for (uint32_t e = 0; e < cfg->exports; e++) push[e] = &x->push[e];
    } else {
        for (uint32_t left = x->took; left != 0; left &= left - 1) push[x->take[rf_lowest(left)]] = &x->push[rf_lowest(left)];
    }
    for (uint32_t e = 0; e < cfg->exports; e++) {
        rf_result_queue *q = &m->queue[e];
        rf_hash_pipe *p = &m->pipe[e];
        const uint32_t pushed = x->left >> e & 1u, popped = pops >> e & 1;
        if (pushed != 0) rf_wir_push(cfg, p, push[e], q);
        if ((pushed | popped) != 0) {
            const rf_fifo_ctrl_in edge = {(uint8_t)pushed, (uint8_t)popped};
            rf_fifo_ctrl_clock(&q->ctrl, &edge);
        }
        if (p->valid_q == 0 && (in->valid >> e & 1) == 0) continue;
        rf_hash_pipe_in edge;
        edge.valid = in->valid >> e & 1;
        edge.warp = in->warp[e];
        edge.dst = in->dst[e];
        edge.mask = in->mask[e];
        edge.info = cfg->reuse == 0 ? 0 : in->info[e];
        rf_hash_pipe_edge(p, rf_hash_pipe_takers(p, pushed), &edge, &in->data[e]);
    }
}

#endif
