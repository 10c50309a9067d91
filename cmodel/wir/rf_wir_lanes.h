/* SPDX-License-Identifier: Apache-2.0 */
/* The lanes of rf_wir: what load guard and reuse buffer say to those who are in them, and what becomes of the instruction. */
#ifndef RF_WIR_LANES_H
#define RF_WIR_LANES_H

#include "cmodel/wir/rf_load_guard_parts.h"
#include "cmodel/wir/rf_wir_parts.h"

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
    const rf_wir_lane_cfg of = rf_wir_lane_cfg_of(cfg);
    const uint32_t slots = cfg->slots;
    uint32_t looks = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        rf_wir_front_in *f = &x->front_in[g];
        rf_wir_front_out *lane = &x->front[g];
        const rf_wir_lane_wires wires = rf_wir_lane_of(x, g);
        rf_wir_lane_show(&m->lane[g], &of, &wires);
        if (cfg->reuse == 0) {
            f->allow = 0;
            rf_wir_want(&of, f, lane);
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
        rf_wir_want(&of, f, &x->front[g]);
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
        rf_wir_act_on(&m->lane[g].front, &x->front_in[g], &x->front[g]);
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
