/* SPDX-License-Identifier: Apache-2.0 */
/* The lanes of rf_wir: what load guard and reuse buffer say to those who are in them, and what becomes of the instruction. */
#ifndef RF_WIR_LANES_H
#define RF_WIR_LANES_H

#include "cmodel/wir/rf_wir_parts.h"

/* Who is in the lanes, and what guard and reuse buffer say to them. */
RF_WIR_PART void rf_wir_look_up(const rf_wir *m, const rf_wir_in *in, rf_wir_wires *x) {
    const rf_wir_cfg *cfg = &m->cfg;
    const rf_wir_lane_cfg *of = &m->lane[0].cfg;
    const uint32_t slots = cfg->slots;
    uint32_t looks = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        rf_wir_front_in *f = &x->front_in[g];
        rf_wir_front_out *lane = &x->front[g];
        const rf_wir_lane_wires wires = rf_wir_lane_of(x, g);
        rf_wir_lane_show(&m->lane[g], of, &wires);
        if (cfg->reuse == 0) {
            f->allow = 0;
            rf_wir_front_want(of->retry, f, lane);
            continue;
        }
        f->allow = rf_wir_ask_guard(&m->reuse, in->block, g, lane->lane.warp, lane->lane.space, &x->lookups);
        looks |= (uint32_t)(lane->lk_valid & f->allow) << g;
        x->reuse_in.lk_opcode[g] = (uint8_t)lane->lane.opcode;
        for (uint32_t s = 0; s < slots; s++) x->reuse_in.lk_operand[g * slots + s] = lane->lane.operand[s];
    }
    if (cfg->reuse == 0) return;
    rf_wir_find(&m->reuse, looks, &x->lookups);
    for (uint32_t g = 0; g < cfg->issues; g++) {
        rf_wir_front_in *f = &x->front_in[g];
        f->hit = x->reuse.hit >> g & 1;
        f->wait = x->reuse.wait >> g & 1;
        rf_wir_front_want(of->retry, f, &x->front[g]);
    }
}

/* The collectors answer: what becomes of the lanes' instructions, and what the cycle does to reuse buffer and load guard.
 * `moves`: the reuse buffer, which makes its edge now that its last inputs are known, or NULL. */
RF_WIR_PART void rf_wir_decide(const rf_wir *m, const rf_wir_in *in, rf_wir_wires *x, rf_reuse_buffer *moves) {
    const rf_wir_cfg *cfg = &m->cfg;
    rf_ocu_alloc_in ask = {.busy = x->busy, .req = 0};
    rf_wir_acts acts = {0, 0, 0, 0, x->retired, x->retire_preg, x->retire_info, cfg->reuse != 0 && x->low};
    for (uint32_t g = 0; g < cfg->issues; g++) ask.req |= (uint8_t)((uint32_t)x->front[g].want_collector << g);
    rf_ocu_alloc_comb(&m->collect.alloc, &ask, &x->alloc);
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const rf_wir_front_out *o = &x->front[g];
        x->front_in[g].collector = x->alloc.grant >> g & 1;
        rf_wir_front_act(&m->lane[g].front, &x->front_in[g], &x->front[g]);
        acts.looked |= (uint32_t)(o->lk_valid & o->leaves) << g;
        acts.leads |= (uint32_t)o->leads << g;
        acts.st_valid |= (uint32_t)o->st_valid << g;
        acts.st_shared |= (uint32_t)o->st_shared << g;
        x->guard_in.st_warp[g] = o->rn.warp;
    }
    if (cfg->reuse == 0) return;
    const rf_wir_reuse_cfg *of = &m->reuse.cfg;
    const rf_wir_happens now = RF_WIR_HAPPENS(in);
    rf_wir_change(&m->reuse, of, &acts, &now, moves, &x->lookups);
}

#endif
