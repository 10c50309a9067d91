/* SPDX-License-Identifier: Apache-2.0 */
/* The banks of rf_wir in its control: which collectors, verify-reads and results ask for them, and so which results retire. */
#ifndef RF_WIR_BANKS_H
#define RF_WIR_BANKS_H

#include "cmodel/wir/rf_wir_parts.h"

/* REUSE 0: every queue writes on its own, and what is granted retires. */
RF_WIR_PART void rf_wir_banks_plain(const rf_wir *m, const rf_wir_cfg *cfg, rf_wir_wires *x) {
    rf_arbiter_in *ask = &x->arbiter_in;
    uint32_t asks = 0;
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const rf_result_queue *q = &m->result[e];
        const uint32_t preg = q->preg_q[q->ctrl.rd_ptr_q];
        asks |= (uint32_t)(q->ctrl.level_q != 0) << e;
        ask->wr_bank[e] = (uint8_t)rf_wir_preg_bank(cfg, preg);
        ask->wr_row[e] = (uint16_t)rf_wir_preg_row(cfg, preg);
    }
    ask->wr_valid = (uint8_t)asks;
    rf_arbiter_comb(&m->stage.arbiter, ask, &x->arbiter);
    x->retired = x->retire_write = x->arbiter.wr_grant;
    for (uint32_t left = x->retired; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left), at = m->result[e].ctrl.rd_ptr_q;
        x->retire_warp[e] = m->result[e].warp_q[at];
        x->retire_dst[e] = m->result[e].dst_q[at];
        x->retire_preg[e] = m->result[e].preg_q[at];
    }
}

/* What the verifiers of group g say: the lowest idle one and the lowest that shares or writes, or verifiers when there is none.
 */
RF_WIR_PART void rf_wir_verifiers(const rf_wir *m, const rf_wir_cfg *cfg, uint32_t g, uint32_t *idle, uint32_t *done) {
    const uint32_t count = cfg->verifiers;
    *idle = *done = count;
    for (uint32_t v = count; v-- > 0;) {
        const rf_verify *u = &m->verify[g * count + v];
        const uint32_t state = u->state_q;
        if (state == RF_VERIFY_IDLE) *idle = v;
        else if (state == RF_VERIFY_WRITE || state == RF_VERIFY_SHARE) *done = v;
        else if (state == RF_VERIFY_CHECK && u->merge_q == 0 && rf_wir_same(cfg, rf_wir_read_data(m, cfg, u), &u->data_q))
            *done = v;
    }
}

/* Queue e's head goes to verifier v of group g when its bank reads. */
RF_WIR_PART void rf_wir_ask_read(const rf_wir *m, const rf_wir_cfg *cfg, rf_wir_wires *x, uint32_t g, uint32_t e, uint32_t v) {
    const uint32_t reader = (cfg->collectors + g) * cfg->slots;
    const rf_result_queue *q = &m->result[e];
    const uint32_t cand = q->cand_q[q->ctrl.rd_ptr_q];
    rf_arbiter_in *ask = &x->arbiter_in;
    x->read |= (uint8_t)(1u << g);
    x->read_port[g] = (uint8_t)e;
    x->read_verifier[g] = (uint8_t)v;
    ask->rd_valid |= UINT64_C(1) << reader;
    ask->rd_bank[reader] = (uint8_t)rf_wir_preg_bank(cfg, cand);
    ask->rd_row[reader] = (uint16_t)rf_wir_preg_row(cfg, cand);
}

/* The result that `from`, a queue or exports + verifier of group g, holds retires when its bank writes, if it does. */
RF_WIR_PART void rf_wir_ask_retire(const rf_wir *m, const rf_wir_cfg *cfg, rf_wir_wires *x, uint32_t g, uint32_t from) {
    rf_arbiter_in *ask = &x->arbiter_in;
    bool write;
    x->retired |= (uint8_t)(1u << g);
    x->retire_port[g] = (uint8_t)from;
    if (from < cfg->exports) {
        const rf_result_queue *q = &m->result[from];
        const uint32_t at = q->ctrl.rd_ptr_q;
        write = q->op_q[at] == RF_RESULT_WRITE;
        x->retire_preg[g] = q->preg_q[at];
        x->retire_warp[g] = q->warp_q[at];
        x->retire_dst[g] = q->dst_q[at];
        x->retire_info[g] = q->info_q[at];
    } else {
        const rf_verify *v = &m->verify[g * cfg->verifiers + from - cfg->exports];
        const uint32_t bits = 3 + rf_wir_bits(cfg->pregs) + rf_wir_bits(cfg->entries), warp = rf_wir_bits(cfg->warps);
        write = v->state_q == RF_VERIFY_WRITE;
        x->retire_preg[g] = write ? v->reg_q : v->cand_q;
        x->retire_warp[g] = (uint8_t)(v->info_q >> bits & rf_mask64(warp));
        x->retire_dst[g] = (uint8_t)(v->info_q >> (bits + warp));
        x->retire_info[g] = v->info_q & rf_mask64(bits);
    }
    if (!write) return;
    x->retire_write |= (uint8_t)(1u << g);
    ask->wr_valid |= (uint8_t)(1u << g);
    ask->wr_bank[g] = (uint8_t)rf_wir_preg_bank(cfg, x->retire_preg[g]);
    ask->wr_row[g] = (uint16_t)rf_wir_preg_row(cfg, x->retire_preg[g]);
}

/* Verify-reads and retiring results of group g ask for their banks. `reads`, `writes`: its queues whose heads want the one or
 * the other. */
RF_WIR_PART void rf_wir_ask_group(const rf_wir *m, const rf_wir_cfg *cfg, rf_wir_wires *x, uint32_t g, uint32_t reads,
                                  uint32_t writes) {
    uint32_t idle, done;
    rf_wir_verifiers(m, cfg, g, &idle, &done);
    if (reads != 0 && idle < cfg->verifiers)
        rf_wir_ask_read(m, cfg, x, g, rf_lowest(rf_rr_pick(reads, m->read_rr[g].mask_q)), idle);
    const bool candidate = done < cfg->verifiers || writes != 0;
    const uint64_t wants = (uint64_t)x->front[g].want_port << RF_WIR_PORT_REUSE |
                           (uint64_t)x->rename[g].walk_valid << RF_WIR_PORT_WALK | (uint64_t)candidate << RF_WIR_PORT_RETIRE;
    const uint64_t grant = rf_rr_pick(wants, m->port_rr[g].mask_q);
    x->port_grant[g] = (uint8_t)grant;
    x->front_in[g].port = grant >> RF_WIR_PORT_REUSE & 1;
    x->rename_in[g].walk = grant >> RF_WIR_PORT_WALK & 1;
    if ((grant >> RF_WIR_PORT_RETIRE & 1) == 0) return;
    if (done < cfg->verifiers) rf_wir_ask_retire(m, cfg, x, g, cfg->exports + done);
    else rf_wir_ask_retire(m, cfg, x, g, rf_lowest(rf_rr_pick(writes, m->retire_rr[g].mask_q)));
}

/* What the collectors say: who is busy, who has collected everything, for which port, and their requests. */
RF_WIR_PART void rf_wir_collectors(const rf_wir *m, const rf_wir_cfg *cfg, rf_wir_wires *x, uint8_t *port) {
    const uint32_t slots = cfg->slots;
    rf_arbiter_in *ask = &x->arbiter_in;
    uint32_t busy = 0, collected = 0;
    uint64_t asks = 0;
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        const rf_ocu *u = &m->stage.ocu[c];
        if (u->busy_q == 0) continue;
        const uint32_t open = rf_stage_unread(u), base = c * slots;
        port[c] = u->port_q;
        busy |= 1u << c;
        collected |= (uint32_t)((u->src_valid_q & ~u->ready_q) == 0) << c;
        if (open == 0) continue;
        asks |= (uint64_t)rf_stage_asks(u, open) << base;
        for (uint32_t s = 0; s < slots; s++) {
            ask->rd_bank[base + s] = u->bank_q[s];
            ask->rd_row[base + s] = u->row_q[s];
        }
    }
    x->busy = (uint16_t)busy;
    x->collected = (uint16_t)collected;
    ask->rd_valid = asks;
}

/* Who asks the banks, what they get, and so what retires. */
RF_WIR_PART void rf_wir_banks(const rf_wir *m, const rf_wir_cfg *cfg, rf_wir_wires *x, uint8_t *collector_port) {
    rf_arbiter_in *ask = &x->arbiter_in;
    uint32_t reads[RF_ISSUES_MAX] = {0}, writes[RF_ISSUES_MAX] = {0};
    rf_wir_collectors(m, cfg, x, collector_port);
    x->read = x->retired = x->retire_write = 0;
    if (cfg->reuse == 0) {
        rf_wir_banks_plain(m, cfg, x);
        return;
    }
    ask->wr_valid = 0;
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const rf_result_queue *q = &m->result[e];
        const uint32_t at = q->ctrl.rd_ptr_q, g = rf_wir_group_of(q->warp_q[at], cfg->issues);
        if (q->ctrl.level_q == 0) continue;
        if (q->op_q[at] == RF_RESULT_WRITE || q->op_q[at] == RF_RESULT_SHARE) writes[g] |= 1u << e;
        else if (m->unwritten.bit_q[q->cand_q[at]] == 0) reads[g] |= 1u << e;
    }
    for (uint32_t g = 0; g < cfg->issues; g++) rf_wir_ask_group(m, cfg, x, g, reads[g], writes[g]);
    rf_arbiter_comb(&m->stage.arbiter, ask, &x->arbiter);
    for (uint32_t left = x->read; left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left);
        if ((x->arbiter.rd_grant >> ((cfg->collectors + g) * cfg->slots) & 1) == 0) x->read &= (uint8_t) ~(1u << g);
    }
    x->retired &= (uint8_t)(~(uint32_t)x->retire_write | x->arbiter.wr_grant);
    x->retire_write &= x->retired;
}

#endif
