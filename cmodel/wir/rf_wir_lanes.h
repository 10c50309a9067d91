/* SPDX-License-Identifier: Apache-2.0 */
/* The lanes of rf_wir: who is in them, what rename table, load guard and reuse buffer say, and what becomes of the instruction.
 * The front is asked once a cycle for what it holds; its decision is made here with its rules, when each answer is there. */
#ifndef RF_WIR_LANES_H
#define RF_WIR_LANES_H

#include "cmodel/wir/rf_load_guard_parts.h"
#include "cmodel/wir/rf_wir_parts.h"

/* What the rename table, or D-map, says of the instruction in group g's rename register, if there is one. */
RF_WIR_PART void rf_wir_map(const rf_wir *m, const rf_wir_cfg *cfg, uint32_t g, rf_wir_wires *x) {
    const rf_wir_front *f = &m->front[g];
    const uint32_t slots = cfg->slots;
    rf_wir_front_in *in = &x->front_in[g];
    if (cfg->reuse == 0) {
        if (f->rn_valid_q == 0) return;
        in->map_src_valid = (uint8_t)rf_mask64(slots);
        for (uint32_t s = 0; s < slots; s++) in->map_src_preg[s] = rf_wir_fixed_preg(cfg, f->rn_warp_q, f->rn_src_q[s]);
        in->map_src_pin = in->map_dst_valid = in->map_dst_pin = 0;
        in->map_dst_preg = 0;
        return;
    }
    rf_rename_in *read = &x->rename_in[g];
    rf_rename_out *r = &x->rename[g];
    if (f->rn_valid_q == 0 && m->rename[g].walking_q == 0) {
        r->walk_valid = 0;
        return;
    }
    read->rd_warp = (uint8_t)(f->rn_valid_q ? rf_wir_local(f->rn_warp_q, cfg->issues) : 0);
    read->rd_dst = f->rn_dst_q;
    for (uint32_t s = 0; s < slots; s++) read->rd_src[s] = f->rn_src_q[s];
    rf_rename_comb(&m->rename[g], read, r);
    in->map_src_valid = r->src_valid;
    in->map_src_pin = r->src_pin;
    in->map_dst_valid = r->dst_valid;
    in->map_dst_preg = r->dst_preg;
    in->map_dst_pin = r->dst_pin;
    for (uint32_t s = 0; s < slots; s++) in->map_src_preg[s] = r->src_preg[s];
}

/* The head of group g's pending queue, where the front looks at it. */
RF_WIR_PART void rf_wir_head(const rf_wir *m, const rf_wir_cfg *cfg, uint32_t g, rf_wir_front_in *in) {
    const rf_pending_queue *q = &m->queue[g];
    const uint32_t slots = cfg->slots, at = q->rd_ptr_q;
    in->q_ready = cfg->retry != 0 && cfg->reuse != 0 && q->level_q < cfg->queue;
    in->q_valid = q->level_q != 0;
    if (q->level_q == 0 || m->front[g].ru_valid_q != 0) return;
    in->q_warp = q->warp_q[at];
    in->q_tag = q->tag_q[at];
    in->q_port = q->port_q[at];
    in->q_dst = q->dst_q[at];
    in->q_src_valid = q->src_valid_q[at];
    in->q_opcode = q->opcode_q[at];
    in->q_space = q->space_q[at];
    in->q_old_valid = q->old_valid_q[at];
    in->q_old_preg = q->old_preg_q[at];
    in->q_old_pin = q->old_pin_q[at];
    for (uint32_t s = 0; s < slots; s++) {
        in->q_src[s] = q->src_q[at * slots + s];
        in->q_operand[s] = q->operand_q[at * slots + s];
    }
}

/* What the lane's instruction wants, once guard and reuse buffer have answered. */
RF_WIR_PART void rf_wir_want(const rf_wir_cfg *cfg, const rf_wir_front_in *f, rf_wir_front_out *lane) {
    const uint32_t lk = lane->lk_valid & f->allow, hit = lk & f->hit, wait = lk & f->wait & ~hit & cfg->retry;
    const uint32_t stays = wait & (uint32_t)(f->q_ready | lane->lane_retry); /* goes to the queue, or to its tail */
    lane->lk_valid = (uint8_t)lk;
    lane->want_port = (uint8_t)hit;
    lane->want_collector = (uint8_t)(lane->lane_valid & ~(hit | stays) & 1);
}

/* What becomes of it, once rename port and collectors have. */
RF_WIR_PART void rf_wir_act_on(const rf_wir_front *m, const rf_wir_front_in *f, rf_wir_front_out *lane) {
    const uint32_t reused = lane->want_port & f->port, executed = lane->want_collector & f->collector;
    const uint32_t stays = lane->lane_valid & ~(uint32_t)(lane->want_port | lane->want_collector), retry = lane->lane_retry;
    const uint32_t leaves = reused | executed | (stays & ~retry), moves = m->rn_valid_q & ((m->ru_valid_q ^ 1u) | leaves);
    lane->act = (uint8_t)(reused * RF_WIR_REUSE + executed * RF_WIR_EXECUTE + (stays & ~retry) * RF_WIR_QUEUE +
                          (stays & retry) * RF_WIR_ROTATE);
    lane->leads = (uint8_t)(executed & lane->lk_valid & ~(uint32_t)f->wait);
    lane->leaves = (uint8_t)leaves;
    lane->moves = (uint8_t)moves;
    lane->ready = (uint8_t)((m->rn_valid_q ^ 1u) | moves);
    lane->st_valid = (uint8_t)(moves & m->rn_store_q);
    lane->st_shared = (uint8_t)(lane->st_valid & m->rn_store_shared_q);
}

/* The reuse buffer is asked for those that look. Without any it is not asked, and says no. */
RF_WIR_PART void rf_wir_find(const rf_wir *m, rf_wir_wires *x) {
    rf_reuse_buffer_in *r = &x->reuse_in;
    rf_reuse_buffer_out *o = &x->reuse;
    r->reserve = r->drop = r->fill = r->rm = 0;
    if (r->lk_valid != 0) {
        rf_reuse_buffer_comb(&m->reuse, r, o);
        return;
    }
    o->hit = o->wait = o->held = o->reserved = o->filled = 0;
    o->freed = 0;
    o->rm_ready = 1;
    for (uint32_t g = 0; g < RF_ISSUES_MAX; g++) o->result[g] = o->index[g] = 0;
}

/* Who is in the lanes, and what guard and reuse buffer say to them. */
RF_WIR_PART void rf_wir_look_up(const rf_wir *m, const rf_wir_cfg *cfg, const rf_wir_in *in, rf_wir_wires *x) {
    const uint32_t slots = cfg->slots;
    uint32_t looks = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        rf_wir_front_in *f = &x->front_in[g];
        rf_wir_front_out *lane = &x->front[g];
        rf_wir_map(m, cfg, g, x);
        rf_wir_head(m, cfg, g, f);
        f->issue_valid = f->hit = f->wait = f->port = f->collector = 0;
        f->allow = 1;
        rf_wir_front_comb(&m->front[g], f, lane);
        if (cfg->reuse == 0) {
            f->allow = 0;
            rf_wir_want(cfg, f, lane);
            continue;
        }
        f->allow = rf_load_guard_answer(&m->guard, in->block, lane->lane_warp, lane->lane_space, &x->reuse_in.lk_block[g],
                                        &x->reuse_in.lk_barrier[g]);
        looks |= (uint32_t)(lane->lk_valid & f->allow) << g;
        x->reuse_in.lk_opcode[g] = lane->lane_opcode;
        for (uint32_t s = 0; s < slots; s++) x->reuse_in.lk_operand[g * slots + s] = lane->lane_operand[s];
    }
    if (cfg->reuse == 0) return;
    rf_load_guard_show_sweep(&m->guard, &x->guard);
    x->reuse_in.lk_valid = (uint8_t)looks;
    rf_wir_find(m, x);
    for (uint32_t g = 0; g < cfg->issues; g++) {
        rf_wir_front_in *f = &x->front_in[g];
        f->hit = x->reuse.hit >> g & 1;
        f->wait = x->reuse.wait >> g & 1;
        rf_wir_want(cfg, f, &x->front[g]);
    }
}

/* The collectors answer: what becomes of the lanes' instructions, and what the cycle does to reuse buffer and load guard.
 * `moves`: the reuse buffer, which makes its edge now that its last inputs are known, or NULL. */
RF_WIR_PART void rf_wir_decide(const rf_wir *m, const rf_wir_cfg *cfg, const rf_wir_in *in, rf_wir_wires *x,
                               rf_reuse_buffer *moves) {
    rf_ocu_alloc_in ask = {.busy = x->busy, .req = 0};
    uint32_t looked = 0, reserve = 0, st_valid = 0, st_shared = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) ask.req |= (uint8_t)((uint32_t)x->front[g].want_collector << g);
    rf_ocu_alloc_comb(&m->stage.alloc, &ask, &x->alloc);
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const rf_wir_front_out *o = &x->front[g];
        x->front_in[g].collector = x->alloc.grant >> g & 1;
        rf_wir_act_on(&m->front[g], &x->front_in[g], &x->front[g]);
        looked |= (uint32_t)(o->lk_valid & o->leaves);
        reserve |= (uint32_t)o->leads << g;
        st_valid |= (uint32_t)o->st_valid << g;
        st_shared |= (uint32_t)o->st_shared << g;
        x->guard_in.st_warp[g] = o->rn_warp;
    }
    if (cfg->reuse == 0) return;
    rf_reuse_buffer_in *r = &x->reuse_in;
    r->reserve = (uint8_t)(x->low ? 0 : reserve);
    r->drop = (uint8_t)(x->low ? reserve : 0);
    for (uint32_t left = x->retired; left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left);
        const rf_wir_info i = rf_wir_unpack(cfg, x->retire_info[g]);
        r->fill |= (uint8_t)((uint32_t)i.leader << g);
        r->fill_index[g] = i.index;
        r->fill_reg[g] = x->retire_preg[g];
    }
    const bool random = x->low && looked == 0;
    r->rm = x->guard.sweep_valid || random;
    r->rm_all = x->guard.sweep_valid ? x->guard.sweep_all : 1;
    r->rm_index = x->guard.sweep_valid ? x->guard.sweep_index : (uint16_t)(m->lfsr.value_q & (cfg->entries - 1));
    r->rm_block = x->guard.sweep_block;
    if ((r->reserve | r->drop | r->fill | r->rm) != 0) {
        if (moves != NULL) rf_reuse_buffer_step(moves, r, &x->reuse);
        else rf_reuse_buffer_comb(&m->reuse, r, &x->reuse);
    }
    x->guard_in.st_valid = (uint8_t)st_valid;
    x->guard_in.st_shared = (uint8_t)st_shared;
    x->guard_in.sweep_ready = x->guard.sweep_valid && x->reuse.rm_ready;
    x->guard_in.launch = in->launch;
    x->guard_in.start = in->start;
    x->guard_in.flush = in->flush;
    x->guard_in.bar = in->bar;
    x->guard_in.fence = in->fence;
}

#endif
