/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_hash_pipe.h"

#include "cmodel/wir/rf_h3.h"

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

/* The stages that take what comes, one bit each: all of them when the end is taken, else those at and below the last empty one.
 */
static inline uint32_t takers(const rf_hash_pipe *m, uint32_t take) {
    const uint32_t all = (UINT32_C(1) << m->cfg.stages) - 1;
    uint32_t below = all & ~(uint32_t)m->valid_q;
    below |= below >> 1;
    below |= below >> 2;
    below |= below >> 4;
    return take != 0 ? all : below;
}

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

static inline void advance(rf_hash_pipe *m, uint32_t takes, const rf_hash_pipe_in *in) {
    const uint32_t end = m->cfg.stages - 1;
    const uint32_t coming = (uint32_t)m->valid_q << 1 | in->valid;
    const uint32_t moves = takes & coming;
    m->valid_q = (uint8_t)(moves | (m->valid_q & ~takes));
    if ((moves >> end & 1) != 0) m->hash_q = rf_h3_hash(end == 0 ? &in->data : &m->data_q[end - 1]);
    for (uint32_t s = end; s > 0; s--) {
        if ((moves >> s & 1) == 0) continue;
        m->warp_q[s] = m->warp_q[s - 1];
        m->dst_q[s] = m->dst_q[s - 1];
        m->mask_q[s] = m->mask_q[s - 1];
        m->data_q[s] = m->data_q[s - 1];
        m->info_q[s] = m->info_q[s - 1];
    }
    if ((moves & 1) == 0) return;
    m->warp_q[0] = in->warp;
    m->dst_q[0] = in->dst;
    m->mask_q[0] = in->mask;
    m->data_q[0] = in->data;
    m->info_q[0] = in->info;
}

void rf_hash_pipe_comb(const rf_hash_pipe *m, const rf_hash_pipe_in *in, rf_hash_pipe_out *out) {
    show_end(m, takers(m, in->take), out);
}

void rf_hash_pipe_clock(rf_hash_pipe *m, const rf_hash_pipe_in *in) { advance(m, takers(m, in->take), in); }

void rf_hash_pipe_step(rf_hash_pipe *m, const rf_hash_pipe_in *in, rf_hash_pipe_out *out) {
    const uint32_t takes = takers(m, in->take);
    show_end(m, takes, out);
    advance(m, takes, in);
}
