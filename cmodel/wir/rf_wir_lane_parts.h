/* SPDX-License-Identifier: Apache-2.0 */
/* The cycle of rf_wir_lane as functions that a caller compiles in: private to the unit and rf_wir. In this order:
 *   rf_wir_lane_show     what rename and reuse registers hold, what the tables say, who is in the lane
 *   rf_wir_front_want    what the lane's instruction wants, once `allow`, `hit` and `wait` of rf_wir_front_in are known
 *   rf_wir_front_act     what becomes of it, once `port` and `collector` are
 *   rf_wir_write_table   what the tables take
 *   rf_wir_ends          the reference that ends
 *   rf_wir_clock_lane    the edge
 * The front is asked once a cycle for what it holds; it decides when each answer is there. */
#ifndef RF_WIR_LANE_PARTS_H
#define RF_WIR_LANE_PARTS_H

#include "cmodel/wir/rf_pending_queue_parts.h"
#include "cmodel/wir/rf_wir_front_parts.h"
#include "cmodel/wir/rf_wir_lane.h"
#include "cmodel/wir/rf_wir_words.h"

#include <string.h>

/* The wires between the front and the tables. */
typedef struct rf_wir_lane_wires {
    rf_wir_front_in *front_in;
    rf_wir_front_out *front;
    rf_rename_in *rename_in;
    rf_rename_out *rename; /* walk_valid alone is always set; the rest when somebody reads */
} rf_wir_lane_wires;

/* ---- what is there ---- */

/* What the rename table, or D-map, says of the instruction in the rename register, if there is one. */
RF_WIR_PART void rf_wir_map(const rf_wir_lane *m, const rf_wir_lane_cfg *cfg, const rf_wir_lane_wires *x) {
    const rf_wir_front *f = &m->front;
    const uint32_t slots = cfg->slots;
    rf_wir_front_in *in = x->front_in;
    if (cfg->reuse == 0) {
        if (f->rn_valid_q == 0) return;
        in->map_src_valid = (uint8_t)rf_mask64(slots);
        for (uint32_t s = 0; s < slots; s++)
            in->map_src_preg[s] = rf_wir_fixed_preg(cfg->banks, cfg->regs, cfg->pregs, f->rn_q.warp, f->rn_q.src[s]);
        in->map_src_pin = in->map_dst_valid = in->map_dst_pin = 0;
        in->map_dst_preg = 0;
        return;
    }
    rf_rename_in *read = x->rename_in;
    rf_rename_out *r = x->rename;
    if (f->rn_valid_q == 0 && m->rename.walking_q == 0) {
        r->walk_valid = 0;
        return;
    }
    read->rd_warp = (uint8_t)(f->rn_valid_q ? rf_wir_local(f->rn_q.warp, cfg->issues) &
                                                  (uint32_t)rf_mask64(rf_wir_bits(cfg->warps / cfg->issues))
                                            : 0);
    read->rd_dst = f->rn_q.dst;
    for (uint32_t s = 0; s < slots; s++) read->rd_src[s] = f->rn_q.src[s];
    rf_rename_comb(&m->rename, read, r);
    in->map_src_valid = r->src_valid;
    in->map_src_pin = r->src_pin;
    in->map_dst_valid = r->dst_valid;
    in->map_dst_preg = r->dst_preg;
    in->map_dst_pin = r->dst_pin;
    for (uint32_t s = 0; s < slots; s++) in->map_src_preg[s] = r->src_preg[s];
}

/* The head of the pending queue, where the front looks at it. */
RF_WIR_PART void rf_wir_head(const rf_wir_lane *m, const rf_wir_lane_cfg *cfg, rf_wir_front_in *in) {
    const rf_pending_queue *q = &m->queue;
    in->q_ready = cfg->retry != 0 && cfg->reuse != 0 && rf_pending_queue_ready(q);
    in->q_valid = rf_pending_queue_valid(q);
    if (!rf_pending_queue_valid(q) || m->front.ru_valid_q != 0) return;
    in->q = *rf_pending_queue_head(q);
}

/* Everything that depends on no answer; lk_valid is what it is with `allow`. */
RF_WIR_PART void rf_wir_lane_show(const rf_wir_lane *m, const rf_wir_lane_cfg *cfg, const rf_wir_lane_wires *x) {
    rf_wir_front_in *f = x->front_in;
    rf_wir_map(m, cfg, x);
    rf_wir_head(m, cfg, f);
    f->issue_valid = f->hit = f->wait = f->port = f->collector = 0;
    f->allow = 1;
    rf_wir_front_comb(&m->front, f, x->front);
}

/* ---- what retires ---- */

/* What retires beside the lane's instruction: a result of the group; and the register that a reuse hit gets. */
typedef struct rf_wir_done {
    bool valid;
    uint8_t warp, dst;
    uint16_t reg, old; /* old: {old register, its reference ends, pinned} */
    uint16_t result;
} rf_wir_done;

/* The tables' writes and releases: a reuse hit, or else the result that retires. `clear`: warps of the group. */
RF_WIR_PART void rf_wir_write_table(const rf_wir_lane_cfg *cfg, const rf_wir_lane_wires *x, const rf_wir_done *done,
                                    uint64_t clear) {
    const rf_wir_front_out *lane = x->front;
    const bool reuse = lane->act == RF_WIR_REUSE;
    rf_rename_in *table = x->rename_in;
    const uint32_t warp = reuse ? lane->lane.warp : done->warp;
    table->wr_valid = (reuse || done->valid) && warp < cfg->warps;
    table->clear = clear;
    table->wr_warp = table->wr_reg = 0;
    if (!table->wr_valid) return;
    table->wr_warp = (uint8_t)rf_wir_local(warp, cfg->issues);
    table->wr_reg = reuse ? lane->lane.dst : done->dst;
    table->wr_preg = reuse ? done->result : done->reg;
    table->wr_pin = !reuse && rf_wir_pinned(done->old);
}

/* Whether a reference to a register ends by what retires or is released, and to which (of no meaning when not). */
RF_WIR_PART bool rf_wir_ends(const rf_wir_lane_cfg *cfg, const rf_wir_lane_wires *x, const rf_wir_done *done, uint16_t *reg) {
    const rf_wir_front_out *lane = x->front;
    const bool walks = x->rename_in->walk != 0 && x->rename->walk_valid != 0, reuse = lane->act == RF_WIR_REUSE;
    *reg = walks ? x->rename->walk_preg : reuse ? lane->lane.old_preg : rf_wir_old_preg(cfg->pregs, done->old);
    return walks || (reuse ? lane->lane.old_valid != 0 : done->valid && rf_wir_old_valid(done->old));
}

/* ---- the edge ---- */

RF_WIR_PART void rf_wir_clock_pending(rf_wir_lane *m, const rf_wir_front_out *lane) {
    const bool pop = lane->lane_retry && lane->leaves;
    if (lane->act != RF_WIR_QUEUE && lane->act != RF_WIR_ROTATE && !pop) return;
    rf_pending_queue_in edge;
    edge.push = lane->act == RF_WIR_QUEUE;
    edge.entry = lane->lane.renamed;
    edge.pop = pop;
    edge.rotate = lane->act == RF_WIR_ROTATE;
    rf_pending_queue_clock(&m->queue, &edge);
}

/* Tables, queue, and the front with all its inputs as they are in front_in by now. */
RF_WIR_PART void rf_wir_clock_lane(rf_wir_lane *m, const rf_wir_lane_cfg *cfg, const rf_wir_lane_wires *x) {
    if (cfg->reuse != 0) {
        if ((x->rename_in->wr_valid | x->rename_in->clear | m->rename.walking_q) != 0) rf_rename_clock(&m->rename, x->rename_in);
        rf_wir_clock_pending(m, x->front);
    }
    rf_wir_front_clock(&m->front, x->front_in);
}

#endif
