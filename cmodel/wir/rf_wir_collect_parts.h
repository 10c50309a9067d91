/* SPDX-License-Identifier: Apache-2.0 */
/* The cycle of rf_wir_collect as functions that a caller compiles in: private to the unit and rf_wir. In this order:
 *   rf_wir_collectors      who is busy, who has collected everything, for which port, and who asks for a bank
 *   rf_wir_deliver         the operands of what is offered (rf_stage_offer says the rest)
 *   rf_wir_move_collector, rf_wir_load    the edge: a collector moves on, or takes an instruction
 * A collector that is not busy is not looked at. Its data is filled by the caller, who knows where that is. */
#ifndef RF_WIR_COLLECT_PARTS_H
#define RF_WIR_COLLECT_PARTS_H

#include "cmodel/banked/rf_stage_parts.h"
#include "cmodel/wir/rf_wir_collect.h"
#include "cmodel/wir/rf_wir_front.h"
#include "cmodel/wir/rf_wir_words.h"

#include <string.h>

/* Where a physical register lies; `banks` is a power of two. */
RF_WIR_PART uint32_t rf_wir_preg_bank(uint32_t banks, uint32_t preg) { return preg & (banks - 1); }
RF_WIR_PART uint32_t rf_wir_preg_row(uint32_t banks, uint32_t preg) { return preg >> __builtin_ctz(banks); }

/* What the collectors say. `bank` and `row`, element collector * slots + slot, are set for collectors that ask. */
typedef struct rf_wir_collected {
    uint32_t busy, collected; /* collectors bits */
    uint64_t asks;            /* readers bits */
} rf_wir_collected;

RF_WIR_PART rf_wir_collected rf_wir_collectors(const rf_wir_collect *m, const rf_wir_collect_cfg *cfg, uint8_t *port,
                                               uint8_t *bank, uint16_t *row) {
    const uint32_t slots = cfg->slots;
    rf_wir_collected now = {0, 0, 0};
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        const rf_ocu *u = &m->ocu[c];
        if (u->busy_q == 0) continue;
        const uint32_t base = c * slots;
        port[c] = u->port_q;
        now.busy |= 1u << c;
        now.collected |= (uint32_t)rf_ocu_ready(u) << c;
        if (rf_ocu_unread(u) == 0) continue;
        now.asks |= (uint64_t)rf_ocu_asks(u) << base;
        for (uint32_t s = 0; s < slots; s++) {
            bank[base + s] = u->bank_q[s];
            row[base + s] = u->row_q[s];
        }
    }
    return now;
}

/* The operands of what is offered, element port * slots + slot; sources that are not mapped are 0 (D-zero). */
RF_WIR_PART void rf_wir_deliver(const rf_wir_collect *m, const rf_wir_collect_cfg *cfg, const rf_dispatch_out *dispatch,
                                rf_vec *ex_data) {
    rf_stage_deliver(m->ocu, cfg->exports, cfg->slots, dispatch, ex_data);
    for (uint32_t left = dispatch->ex_valid; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        for (uint32_t zero = m->zero_q[dispatch->ex_sel[e]]; zero != 0; zero &= zero - 1)
            memset(&ex_data[e * cfg->slots + rf_lowest(zero)], 0, sizeof ex_data[0]);
    }
}

/* Collector c: slots of it that are granted among all readers', and dispatch. */
RF_WIR_PART void rf_wir_move_collector(rf_wir_collect *m, const rf_wir_collect_cfg *cfg, uint32_t c, uint64_t rd_grant,
                                       uint32_t dispatched) {
    const uint32_t slots = cfg->slots, all = (1u << slots) - 1;
    rf_stage_move_collector(&m->ocu[c], (uint32_t)(rd_grant >> (c * slots)) & all, (dispatched >> c & 1) != 0);
}

/* Collector c takes the lane's instruction, and what is to come back with the result. */
RF_WIR_PART void rf_wir_load(rf_wir_collect *m, const rf_wir_collect_cfg *cfg, uint32_t c, const rf_wir_laned *lane,
                             uint64_t info) {
    uint8_t bank[RF_REUSE_SLOTS_MAX];
    uint16_t row[RF_REUSE_SLOTS_MAX];
    for (uint32_t s = 0; s < cfg->slots; s++) {
        bank[s] = (uint8_t)rf_wir_preg_bank(cfg->banks, lane->operand[s]);
        row[s] = (uint16_t)rf_wir_preg_row(cfg->banks, lane->operand[s]);
    }
    rf_stage_instr inst = {.src = {0},
                           .src_valid = lane->mapped,
                           .port = lane->port,
                           .dst = lane->dst,
                           .dst_valid = lane->dst_valid,
                           .mask = lane->mask,
                           .tag = lane->tag,
                           .warp = lane->warp};
    for (uint32_t s = 0; s < cfg->slots; s++) inst.src[s] = lane->src[s];
    rf_ocu_take(&m->ocu[c], &inst, bank, row, 0);
    m->zero_q[c] = (uint8_t)(lane->src_valid & ~(uint32_t)lane->mapped);
    m->info_q[c] = info;
}

#endif
