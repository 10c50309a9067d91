/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_wir_front.h"
#include "cmodel/wir/rf_wir_front_parts.h"

#include <string.h>

const char *rf_wir_front_check(const rf_wir_front_cfg *cfg) {
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->slots < 1 || cfg->slots > RF_REUSE_SLOTS_MAX) return "SLOTS must be 1 to 6";
    if (cfg->exports < 1 || cfg->exports > RF_EXPORTS_MAX) return "EXPORTS must be 1 to 8";
    if (cfg->pregs < 2 || cfg->pregs > RF_PREGS_MAX) return "PREGS must be 2 to 1024";
    if (cfg->loads > 1) return "LOADS must be 0 or 1";
    if (cfg->retry > 1) return "RETRY must be 0 or 1";
    return NULL;
}

int rf_wir_front_init(rf_wir_front *m, const rf_wir_front_cfg *cfg) {
    if (rf_wir_front_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_wir_front_reset(m);
    return 0;
}

void rf_wir_front_reset(rf_wir_front *m) { *m = (rf_wir_front){.cfg = m->cfg}; }

/* What a register's instruction has to read; 0 without one. */
static inline void reads(const rf_wir_common *of, uint32_t valid, rf_wir_reads *out) {
    if (valid) *out = rf_wir_reads_of(of);
    else memset(out, 0, sizeof *out);
}

/* The rename and the reuse register for the hazards. */
static inline void registers(const rf_wir_front *m, rf_wir_front_out *out) {
    out->rn_valid = m->rn_valid_q;
    out->rn_dst = m->rn_valid_q ? m->rn_q.dst : 0;
    reads(&m->rn_q.common, m->rn_valid_q, &out->rn);
    out->ru_valid = m->ru_valid_q;
    reads(&m->ru_q.renamed.common, m->ru_valid_q, &out->ru);
}

/* The instruction in the lane; 1 when it may look the buffer up. */
static inline uint32_t lane(const rf_wir_front *m, const rf_wir_front_in *in, rf_wir_front_out *out) {
    const bool retry = m->ru_valid_q == 0 && m->cfg.retry != 0 && in->q_valid != 0;
    out->lane_valid = m->ru_valid_q | retry;
    out->lane_retry = retry;
    if (m->ru_valid_q) {
        out->lane = m->ru_q;
        return m->ru_look_q;
    }
    if (retry) {
        out->lane.renamed = in->q;
        out->lane.mask = (uint32_t)rf_mask64(m->cfg.lanes);
        out->lane.dst_valid = 1;
        out->lane.mapped = in->q.src_valid;
        return 1;
    }
    memset(&out->lane, 0, sizeof out->lane);
    return 0;
}

void rf_wir_front_comb(const rf_wir_front *m, const rf_wir_front_in *in, rf_wir_front_out *out) {
    registers(m, out);
    out->lk_valid = (uint8_t)lane(m, in, out);
    rf_wir_front_want(m->cfg.retry, in, out);
    rf_wir_front_act(m, in, out);
}

/* The renamed instruction into the reuse register. */
static inline void rename_moves(rf_wir_front *m, const rf_wir_front_in *in) {
    const rf_wir_issued *rn = &m->rn_q;
    rf_wir_laned *ru = &m->ru_q;
    const uint32_t src_valid = rn->src_valid, mapped = src_valid & in->map_src_valid, dst = rn->dst_valid;
    m->ru_look_q = rn->reuse && dst && rn->mask == (uint32_t)rf_mask64(m->cfg.lanes) && mapped == src_valid &&
                   (src_valid & in->map_src_pin) == 0 && (rn->space == RF_SPACE_NONE || m->cfg.loads != 0);
    ru->renamed.common = rn->common;
    ru->mask = rn->mask;
    ru->dst_valid = rn->dst_valid;
    ru->mapped = (uint16_t)mapped;
    ru->opcode = (uint16_t)((uint32_t)rn->op << m->cfg.slots | src_valid);
    for (uint32_t s = 0; s < RF_REUSE_SLOTS_MAX; s++) {
        if ((mapped >> s & 1) != 0) ru->operand[s] = in->map_src_preg[s];
        else ru->operand[s] = (src_valid >> s & 1) != 0 ? 0 : rn->imm[s];
    }
    ru->old_valid = (uint8_t)(dst & in->map_dst_valid);
    ru->old_preg = dst ? in->map_dst_preg : 0;
    ru->old_pin = (uint8_t)(dst & in->map_dst_pin);
}

/* The edge; `leaves`: what is in the lane does, `moved`: what is in the rename register does. */
static inline void advance(rf_wir_front *m, const rf_wir_front_in *in, uint32_t leaves, uint32_t moved) {
    m->ru_valid_q = (uint8_t)(moved | (m->ru_valid_q & (leaves ^ 1u)));
    if (moved) rename_moves(m, in);
    if (m->rn_valid_q && !moved) return;
    m->rn_valid_q = in->issue_valid;
    if (in->issue_valid) m->rn_q = in->issue;
}

void rf_wir_front_clock(rf_wir_front *m, const rf_wir_front_in *in) {
    rf_wir_front_out out;
    out.lk_valid = (uint8_t)lane(m, in, &out);
    rf_wir_front_want(m->cfg.retry, in, &out);
    rf_wir_front_act(m, in, &out);
    advance(m, in, out.leaves, out.moves);
}

void rf_wir_front_step(rf_wir_front *m, const rf_wir_front_in *in, rf_wir_front_out *out) {
    rf_wir_front_comb(m, in, out);
    advance(m, in, out->leaves, out->moves);
}
