/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_hash_pipe_parts.h"

const char *rf_hash_pipe_check(const rf_hash_pipe_cfg *cfg) {
    if (cfg->stages < 1 || cfg->stages > RF_HASH_STAGES_MAX) return "STAGES must be 1 to 5";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->infow < 1 || cfg->infow > 64) return "INFOW must be 1 to 64";
    return NULL;
}

int rf_hash_pipe_init(rf_hash_pipe *m, const rf_hash_pipe_cfg *cfg) {
    if (rf_hash_pipe_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_hash_pipe_reset(m);
    return 0;
}

void rf_hash_pipe_reset(rf_hash_pipe *m) { *m = (rf_hash_pipe){.cfg = m->cfg}; }

static inline void show_end(const rf_hash_pipe *m, uint32_t takes, rf_hash_pipe_out *out) {
    const uint32_t end = m->cfg.stages - 1;
    if ((m->valid_q >> end & 1) == 0) {
        *out = (rf_hash_pipe_out){.ready = takes & 1};
        return;
    }
    out->out_data = m->data_q[end];
    out->ready = takes & 1;
    out->out_valid = 1;
    out->out_warp = m->warp_q[end];
    out->out_dst = m->dst_q[end];
    out->out_mask = m->mask_q[end];
    out->out_info = m->info_q[end];
    out->out_hash = m->hash_q;
}

void rf_hash_pipe_comb(const rf_hash_pipe *m, const rf_hash_pipe_in *in, rf_hash_pipe_out *out) {
    show_end(m, rf_hash_pipe_takers(m, in->take), out);
}

void rf_hash_pipe_clock(rf_hash_pipe *m, const rf_hash_pipe_in *in) {
    rf_hash_pipe_edge(m, rf_hash_pipe_takers(m, in->take), in, &in->data);
}

void rf_hash_pipe_step(rf_hash_pipe *m, const rf_hash_pipe_in *in, rf_hash_pipe_out *out) {
    const uint32_t takes = rf_hash_pipe_takers(m, in->take);
    show_end(m, takes, out);
    rf_hash_pipe_edge(m, takes, in, &in->data);
}
