/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_wir_front.h"

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

/* SHARED and GLOBAL are the two with the higher bit. */
static inline uint8_t is_load(uint32_t space) { return (uint8_t)(space >> 1); }

/* The rename and the reuse register for the hazards. Fields of an empty one are 0: masks, not branches, for both are full at
 * random. */
static inline void registers(const rf_wir_front *m, rf_wir_front_out *out) {
    const uint32_t rn = 0u - m->rn_valid_q, ru = 0u - m->ru_valid_q;
    out->rn_valid = m->rn_valid_q;
    out->rn_warp = (uint8_t)(m->rn_warp_q & rn);
    out->rn_dst = (uint8_t)(m->rn_dst_q & rn);
    out->rn_src_valid = (uint8_t)(m->rn_src_valid_q & rn);
    out->rn_load = (uint8_t)(is_load(m->rn_space_q) & rn);
    out->ru_valid = m->ru_valid_q;
    out->ru_warp = (uint8_t)(m->ru_warp_q & ru);
    out->ru_src_valid = (uint8_t)(m->ru_src_valid_q & ru);
    out->ru_load = (uint8_t)(is_load(m->ru_space_q) & ru);
    for (uint32_t s = 0; s < RF_REUSE_SLOTS_MAX; s++) {
        out->rn_src[s] = (uint8_t)(m->rn_src_q[s] & rn);
        out->ru_src[s] = (uint8_t)(m->ru_src_q[s] & ru);
    }
}

/* The instruction in the lane; 1 when it may look the buffer up. */
static inline uint32_t lane(const rf_wir_front *m, const rf_wir_front_in *in, rf_wir_front_out *out) {
    if (m->ru_valid_q) {
        out->lane_valid = 1;
        out->lane_retry = 0;
        out->lane_warp = m->ru_warp_q;
        out->lane_tag = m->ru_tag_q;
        out->lane_port = m->ru_port_q;
        out->lane_mask = m->ru_mask_q;
        out->lane_dst_valid = m->ru_dst_valid_q;
        out->lane_dst = m->ru_dst_q;
        out->lane_src_valid = m->ru_src_valid_q;
        out->lane_mapped = m->ru_mapped_q;
        memcpy(out->lane_src, m->ru_src_q, sizeof out->lane_src);
        out->lane_opcode = m->ru_opcode_q;
        memcpy(out->lane_operand, m->ru_operand_q, sizeof out->lane_operand);
        out->lane_space = m->ru_space_q;
        out->lane_old_valid = m->ru_old_valid_q;
        out->lane_old_preg = m->ru_old_preg_q;
        out->lane_old_pin = m->ru_old_pin_q;
        return m->ru_look_q;
    }
    if (m->cfg.retry != 0 && in->q_valid) {
        out->lane_valid = 1;
        out->lane_retry = 1;
        out->lane_warp = in->q_warp;
        out->lane_tag = in->q_tag;
        out->lane_port = in->q_port;
        out->lane_mask = (uint32_t)rf_mask64(m->cfg.lanes);
        out->lane_dst_valid = 1;
        out->lane_dst = in->q_dst;
        out->lane_src_valid = in->q_src_valid;
        out->lane_mapped = in->q_src_valid;
        memcpy(out->lane_src, in->q_src, sizeof out->lane_src);
        out->lane_opcode = in->q_opcode;
        memcpy(out->lane_operand, in->q_operand, sizeof out->lane_operand);
        out->lane_space = in->q_space;
        out->lane_old_valid = in->q_old_valid;
        out->lane_old_preg = in->q_old_preg;
        out->lane_old_pin = in->q_old_pin;
        return 1;
    }
    out->lane_valid = 0;
    out->lane_retry = 0;
    out->lane_warp = 0;
    out->lane_tag = 0;
    out->lane_port = 0;
    out->lane_mask = 0;
    out->lane_dst_valid = 0;
    out->lane_dst = 0;
    out->lane_src_valid = 0;
    out->lane_mapped = 0;
    memset(out->lane_src, 0, sizeof out->lane_src);
    out->lane_opcode = 0;
    memset(out->lane_operand, 0, sizeof out->lane_operand);
    out->lane_space = 0;
    out->lane_old_valid = 0;
    out->lane_old_preg = 0;
    out->lane_old_pin = 0;
    return 0;
}

typedef struct decision {
    uint8_t lk_valid, want_port, want_collector, act, leads, leaves;
} decision;

/* What becomes of an instruction in the lane, if `valid`; `retry`: it is the queue's. */
static inline decision decide(const rf_wir_front *m, const rf_wir_front_in *in, uint32_t valid, uint32_t retry, uint32_t look) {
    decision d = {0};
    const uint32_t lk = look & in->allow;
    const uint32_t hit = lk & in->hit, wait = lk & in->wait & ~hit;
    const uint32_t waits = wait & m->cfg.retry;
    const uint32_t queues = waits & in->q_ready & ~retry, rotates = waits & retry;
    const uint32_t executes = valid & ~(hit | queues | rotates);
    const uint32_t reused = hit & in->port, executed = executes & in->collector;
    d.lk_valid = (uint8_t)lk;
    d.want_port = (uint8_t)hit;
    d.want_collector = (uint8_t)executes;
    d.act = (uint8_t)(reused * RF_WIR_REUSE + queues * RF_WIR_QUEUE + executed * RF_WIR_EXECUTE + rotates * RF_WIR_ROTATE);
    d.leads = (uint8_t)(executed & lk & ~wait);
    d.leaves = (uint8_t)(reused | queues | executed);
    return d;
}

static inline uint8_t moves(const rf_wir_front *m, uint32_t leaves) {
    return (uint8_t)(m->rn_valid_q & ((m->ru_valid_q ^ 1u) | leaves));
}

void rf_wir_front_comb(const rf_wir_front *m, const rf_wir_front_in *in, rf_wir_front_out *out) {
    registers(m, out);
    const uint32_t look = lane(m, in, out);
    const decision d = decide(m, in, out->lane_valid, out->lane_retry, look);
    out->lk_valid = d.lk_valid;
    out->want_port = d.want_port;
    out->want_collector = d.want_collector;
    out->act = d.act;
    out->leads = d.leads;
    out->leaves = d.leaves;
    out->moves = moves(m, d.leaves);
    out->ready = (uint8_t)((m->rn_valid_q ^ 1u) | out->moves);
    out->st_valid = (uint8_t)(out->moves & m->rn_store_q);
    out->st_shared = (uint8_t)(out->st_valid & m->rn_store_shared_q);
}

/* The renamed instruction into the reuse register. */
static inline void rename_moves(rf_wir_front *m, const rf_wir_front_in *in) {
    const uint32_t src_valid = m->rn_src_valid_q, mapped = src_valid & in->map_src_valid;
    const uint32_t dst = m->rn_dst_valid_q;
    m->ru_warp_q = m->rn_warp_q;
    m->ru_tag_q = m->rn_tag_q;
    m->ru_port_q = m->rn_port_q;
    m->ru_mask_q = m->rn_mask_q;
    m->ru_dst_valid_q = m->rn_dst_valid_q;
    m->ru_dst_q = m->rn_dst_q;
    m->ru_src_valid_q = m->rn_src_valid_q;
    m->ru_mapped_q = (uint8_t)mapped;
    memcpy(m->ru_src_q, m->rn_src_q, sizeof m->ru_src_q);
    m->ru_look_q = m->rn_reuse_q && dst && m->rn_mask_q == (uint32_t)rf_mask64(m->cfg.lanes) && mapped == src_valid &&
                   (src_valid & in->map_src_pin) == 0 && (m->rn_space_q == RF_SPACE_NONE || m->cfg.loads != 0);
    m->ru_opcode_q = (uint8_t)((uint32_t)m->rn_op_q << m->cfg.slots | src_valid);
    for (uint32_t s = 0; s < RF_REUSE_SLOTS_MAX; s++) {
        const uint32_t preg = in->map_src_preg[s] & (0u - (mapped >> s & 1));
        const uint32_t imm = m->rn_imm_q[s] & ((src_valid >> s & 1) - 1u);
        m->ru_operand_q[s] = (uint16_t)(preg | imm);
    }
    m->ru_space_q = m->rn_space_q;
    m->ru_old_valid_q = (uint8_t)(dst & in->map_dst_valid);
    m->ru_old_preg_q = (uint16_t)((0u - dst) & in->map_dst_preg);
    m->ru_old_pin_q = (uint8_t)(dst & in->map_dst_pin);
}

static inline void issue(rf_wir_front *m, const rf_wir_front_in *in) {
    m->rn_warp_q = in->issue_warp;
    m->rn_tag_q = in->issue_tag;
    m->rn_port_q = in->issue_port;
    m->rn_mask_q = in->issue_mask;
    m->rn_dst_valid_q = in->issue_dst_valid;
    m->rn_dst_q = in->issue_dst;
    m->rn_src_valid_q = in->issue_src_valid;
    memcpy(m->rn_src_q, in->issue_src, sizeof m->rn_src_q);
    m->rn_reuse_q = in->issue_reuse;
    m->rn_op_q = in->issue_op;
    memcpy(m->rn_imm_q, in->issue_imm, sizeof m->rn_imm_q);
    m->rn_space_q = in->issue_space;
    m->rn_store_q = in->issue_store;
    m->rn_store_shared_q = in->issue_store_shared;
}

/* The edge; `leaves`: what is in the lane does, `moved`: what is in the rename register does. */
static inline void advance(rf_wir_front *m, const rf_wir_front_in *in, uint32_t leaves, uint32_t moved) {
    m->ru_valid_q = (uint8_t)(moved | (m->ru_valid_q & (leaves ^ 1u)));
    if (moved) rename_moves(m, in);
    if (m->rn_valid_q && !moved) return;
    m->rn_valid_q = in->issue_valid;
    if (in->issue_valid) issue(m, in);
}

void rf_wir_front_clock(rf_wir_front *m, const rf_wir_front_in *in) {
    const uint32_t ru = m->ru_valid_q, retry = (ru ^ 1u) & m->cfg.retry & in->q_valid;
    const uint32_t leaves = decide(m, in, ru | retry, retry, ru ? m->ru_look_q : retry).leaves;
    advance(m, in, leaves, moves(m, leaves));
}

void rf_wir_front_step(rf_wir_front *m, const rf_wir_front_in *in, rf_wir_front_out *out) {
    rf_wir_front_comb(m, in, out);
    advance(m, in, out->leaves, out->moves);
}
