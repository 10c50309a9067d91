/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/cerf/rf_miss_queue_parts.h"

const char *rf_miss_queue_check(const rf_miss_queue_cfg *cfg) {
    if (cfg->depth < 1 || cfg->depth > RF_MISS_QUEUE_MAX) return "DEPTH must be 1 to 16";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->line_w < 1 || cfg->line_w > RF_LINE_NUMBER_MAX) return "LINE_W must be 1 to 25";
    if (cfg->entry_w < 1 || cfg->entry_w > 4) return "ENTRY_W must be 1 to 4";
    return NULL;
}

int rf_miss_queue_init(rf_miss_queue *m, const rf_miss_queue_cfg *cfg) {
    if (rf_miss_queue_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    m->ctrl.cfg.depth = cfg->depth;
    rf_miss_queue_reset(m);
    return 0;
}

void rf_miss_queue_reset(rf_miss_queue *m) {
    *m = (rf_miss_queue){.cfg = m->cfg, .ctrl.cfg = m->ctrl.cfg};
    rf_fifo_ctrl_reset(&m->ctrl);
}

void rf_miss_queue_comb(const rf_miss_queue *m, const rf_miss_queue_in *in, rf_miss_queue_out *out) {
    const uint32_t head = rf_miss_queue_head(m);
    (void)in;
    *out = (rf_miss_queue_out){.count = (uint8_t)rf_miss_queue_count(m)};
    if (!rf_miss_queue_valid(m)) return;
    out->valid = 1;
    out->op = m->op_q[head];
    out->line = m->line_q[head];
    out->entry = m->entry_q[head];
    if (rf_miss_queue_has_words(m->op_q[head])) {
        out->mask = m->mask_q[head];
        out->data = m->data_q[head];
    }
}

void rf_miss_queue_clock(rf_miss_queue *m, const rf_miss_queue_in *in) {
    const rf_miss_queue_message push = {
        .data = &in->push_data, .line = in->push_line, .mask = in->push_mask, .op = in->push_op, .entry = in->push_entry};
    rf_miss_queue_move(m, in->push ? &push : NULL, in->pop);
}

void rf_miss_queue_step(rf_miss_queue *m, const rf_miss_queue_in *in, rf_miss_queue_out *out) {
    rf_miss_queue_comb(m, in, out);
    rf_miss_queue_clock(m, in);
}
