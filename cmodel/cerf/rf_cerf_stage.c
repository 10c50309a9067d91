/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/cerf/rf_cerf_stage_parts.h"

/* Of the units that rf_banked has, too. Places in banks are not used: 16 banks are in range whatever REGS is. */
static rf_banked_cfg units_cfg(const rf_cerf_stage_cfg *cfg) {
    return (rf_banked_cfg){RF_BANKED_SIZES_OF(cfg), .banks = 16, .ports = 1};
}

const char *rf_cerf_stage_check(const rf_cerf_stage_cfg *cfg) {
    const rf_banked_cfg units = units_cfg(cfg);
    const char *wrong = rf_banked_check(&units);
    if (wrong != NULL) return wrong;
    return cfg->liveness > 1 ? "LIVENESS must be 0 or 1" : NULL;
}

int rf_cerf_stage_init(rf_cerf_stage *m, const rf_cerf_stage_cfg *cfg) {
    if (rf_cerf_stage_check(cfg) != NULL) return RF_E_CONFIG;
    const rf_banked_cfg units = units_cfg(cfg);
    const rf_miss_ocu_cfg ocu = {
        .slots = cfg->slots, .lanes = cfg->lanes, .warps = cfg->warps, .regs = cfg->regs, .exports = cfg->exports};
    int bad = rf_banked_init(&m->units, &units);
    m->cfg = *cfg;
    for (uint32_t c = 0; c < RF_COLLECTORS_MAX; c++) bad |= rf_miss_ocu_init(&m->ocu[c], &ocu);
    for (uint32_t e = 0; e < RF_EXPORTS_MAX; e++)
        bad |= rf_wbq_init(&m->units.wbq[e], &(rf_wbq_cfg){.depth = cfg->wbdepth,
                                                           .lanes = cfg->lanes,
                                                           .warps = cfg->warps,
                                                           .regs = cfg->regs,
                                                           .banks = 1,
                                                           .rows = 1,
                                                           .note = 1});
    return bad;
}

void rf_cerf_stage_reset(rf_cerf_stage *m) {
    rf_banked_reset(&m->units);
    for (uint32_t c = 0; c < RF_COLLECTORS_MAX; c++) rf_miss_ocu_reset(&m->ocu[c]);
}

static void control(const rf_cerf_stage *m, const rf_cerf_stage_in *in, rf_cerf_stage_asks *asks, rf_cerf_stage_out *out) {
    rf_cerf_stage_control(m, &in->stage, &out->wires, asks, &out->stage);
}

static void put_out(const rf_cerf_stage *m, const rf_cerf_stage_asks *asks, rf_cerf_stage_out *out) {
    rf_cerf_stage_deliver(m, &out->wires.dispatch, out->ex_data);
    out->rd_valid = asks->rd_valid;
    out->rd_dead = out->wires.rd_dead;
    memcpy(out->rd_number, out->wires.number, m->cfg.collectors * m->cfg.slots * sizeof out->rd_number[0]);
    out->wr_valid = (uint8_t)asks->wr_valid;
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        const bool valid = (asks->wr_valid >> e & 1) != 0;
        out->wr_number[e] = asks->wr_number[e];
        out->wr_mask[e] = valid ? asks->wr_mask[e] : 0;
        if (valid) out->wr_data[e] = *asks->wr_data[e];
        else memset(&out->wr_data[e], 0, sizeof out->wr_data[e]);
    }
}

static void edge(rf_cerf_stage *m, const rf_cerf_stage_in *in, const rf_cerf_stage_asks *asks, const rf_cerf_stage_out *out) {
    for (uint64_t left = in->rd_fill; left != 0; left &= left - 1)
        rf_cerf_stage_fill(m, rf_lowest(left), &in->rd_data[rf_lowest(left)]);
    rf_cerf_stage_move(m, &in->stage, in->ib_last, &out->wires, &out->stage, in->rd_accept & asks->rd_valid,
                       in->wr_accept & asks->wr_valid);
}

void rf_cerf_stage_comb(const rf_cerf_stage *m, const rf_cerf_stage_in *in, rf_cerf_stage_out *out) {
    rf_cerf_stage_asks asks;
    control(m, in, &asks, out);
    put_out(m, &asks, out);
}

void rf_cerf_stage_clock(rf_cerf_stage *m, const rf_cerf_stage_in *in) {
    rf_cerf_stage_asks asks;
    rf_cerf_stage_out out;
    control(m, in, &asks, &out);
    edge(m, in, &asks, &out);
}

void rf_cerf_stage_step(rf_cerf_stage *m, const rf_cerf_stage_in *in, rf_cerf_stage_out *out) {
    rf_cerf_stage_asks asks;
    control(m, in, &asks, out);
    put_out(m, &asks, out);
    edge(m, in, &asks, out);
}
