/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_result_queue.h"

#include "cmodel/wir/rf_result_queue_parts.h"

const char *rf_result_queue_check(const rf_result_queue_cfg *cfg) {
    if (cfg->depth < 1 || cfg->depth > RF_RESULT_DEPTH_MAX) return "DEPTH must be 1 to 16";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->pregs < 2 || cfg->pregs > RF_PREGS_MAX) return "PREGS must be 2 to 1024";
    if (cfg->infow < 1 || cfg->infow > 64) return "INFOW must be 1 to 64";
    return NULL;
}

int rf_result_queue_init(rf_result_queue *m, const rf_result_queue_cfg *cfg) {
    if (rf_result_queue_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    m->ctrl.cfg.depth = cfg->depth;
    rf_result_queue_reset(m);
    return 0;
}

void rf_result_queue_reset(rf_result_queue *m) {
    *m = (rf_result_queue){.cfg = m->cfg, .ctrl.cfg = m->ctrl.cfg};
    rf_fifo_ctrl_reset(&m->ctrl);
}

/* The outputs, given those of the control. */
static inline void show_head(const rf_result_queue *m, const rf_fifo_ctrl_out *ctrl, rf_result_queue_out *out) {
    if (!ctrl->valid) {
        *out = (rf_result_queue_out){.ready = ctrl->ready};
        return;
    }
    const uint32_t head = ctrl->rd_ptr;
    out->data = m->data_q[head];
    out->ready = ctrl->ready;
    out->valid = 1;
    out->op = m->op_q[head];
    out->warp = m->warp_q[head];
    out->dst = m->dst_q[head];
    out->preg = m->preg_q[head];
    out->cand = m->cand_q[head];
    out->mask = m->mask_q[head];
    out->info = m->info_q[head];
}

static inline void store_tail(rf_result_queue *m, const rf_fifo_ctrl_out *ctrl, const rf_result_queue_in *in) {
    if (ctrl->write) rf_result_queue_store(m, ctrl->wr_ptr, in, &in->push_data);
}

void rf_result_queue_comb(const rf_result_queue *m, const rf_result_queue_in *in, rf_result_queue_out *out) {
    rf_fifo_ctrl_out ctrl;
    rf_fifo_ctrl_comb(&m->ctrl, &(rf_fifo_ctrl_in){.push = in->push, .pop = in->pop}, &ctrl);
    show_head(m, &ctrl, out);
}

void rf_result_queue_clock(rf_result_queue *m, const rf_result_queue_in *in) {
    if (!(in->push | in->pop)) return;
    rf_fifo_ctrl_out ctrl;
    rf_fifo_ctrl_step(&m->ctrl, &(rf_fifo_ctrl_in){.push = in->push, .pop = in->pop}, &ctrl);
    store_tail(m, &ctrl, in);
}

void rf_result_queue_step(rf_result_queue *m, const rf_result_queue_in *in, rf_result_queue_out *out) {
    rf_fifo_ctrl_out ctrl;
    rf_fifo_ctrl_step(&m->ctrl, &(rf_fifo_ctrl_in){.push = in->push, .pop = in->pop}, &ctrl);
    show_head(m, &ctrl, out);
    store_tail(m, &ctrl, in);
}
