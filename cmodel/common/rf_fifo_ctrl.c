/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/common/rf_fifo_ctrl.h"

const char *rf_fifo_ctrl_check(const rf_fifo_ctrl_cfg *cfg) {
    if (cfg->depth < 1 || cfg->depth > 64) return "DEPTH must be 1 to 64";
    return NULL;
}

int rf_fifo_ctrl_init(rf_fifo_ctrl *m, const rf_fifo_ctrl_cfg *cfg) {
    if (rf_fifo_ctrl_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_fifo_ctrl_reset(m);
    return 0;
}

void rf_fifo_ctrl_reset(rf_fifo_ctrl *m) {
    m->wr_ptr_q = 0;
    m->rd_ptr_q = 0;
    m->level_q = 0;
}

void rf_fifo_ctrl_comb(const rf_fifo_ctrl *m, const rf_fifo_ctrl_in *in, rf_fifo_ctrl_out *out) {
    out->ready = rf_fifo_ctrl_ready(m);
    out->valid = rf_fifo_ctrl_valid(m);
    out->write = in->push & out->ready;
    out->wr_ptr = m->wr_ptr_q;
    out->rd_ptr = m->rd_ptr_q;
    out->level = m->level_q;
}

/* The pointer after `step` (0 or 1) entries. */
static uint8_t advance(uint32_t pointer, uint32_t step, uint32_t depth) {
    const uint32_t next = pointer + step;
    return (uint8_t)(next == depth ? 0 : next);
}

void rf_fifo_ctrl_clock(rf_fifo_ctrl *m, const rf_fifo_ctrl_in *in) {
    const uint32_t depth = m->cfg.depth;
    const uint32_t write = in->push & (uint32_t)rf_fifo_ctrl_ready(m);
    const uint32_t read = in->pop & (uint32_t)rf_fifo_ctrl_valid(m);
    m->wr_ptr_q = advance(m->wr_ptr_q, write, depth);
    m->rd_ptr_q = advance(m->rd_ptr_q, read, depth);
    m->level_q = (uint8_t)(m->level_q + write - read);
}
void rf_fifo_ctrl_step(rf_fifo_ctrl *m, const rf_fifo_ctrl_in *in, rf_fifo_ctrl_out *out) {
    rf_fifo_ctrl_comb(m, in, out);
    rf_fifo_ctrl_clock(m, in);
}
