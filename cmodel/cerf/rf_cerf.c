/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/cerf/rf_cerf.h"

#include "cmodel/cerf/rf_cerf_memory_parts.h"
#include "cmodel/cerf/rf_cerf_stage_parts.h"

static rf_banked_cfg separate_cfg(const rf_cerf_cfg *cfg) {
    return (rf_banked_cfg){RF_BANKED_SIZES_OF(cfg), .banks = cfg->banks, .ports = 1};
}

static rf_cerf_stage_cfg stage_cfg(const rf_cerf_cfg *cfg) {
    return (rf_cerf_stage_cfg){RF_BANKED_SIZES_OF(cfg), .liveness = cfg->liveness};
}

static rf_cerf_memory_cfg memory_cfg(const rf_cerf_cfg *cfg) {
    return (rf_cerf_memory_cfg){.collectors = cfg->collectors,
                                .slots = cfg->slots,
                                .writers = cfg->exports,
                                .registers = cfg->warps * cfg->regs,
                                .banks = cfg->banks,
                                .sets = cfg->sets,
                                .ways = cfg->ways,
                                .lanes = cfg->lanes,
                                .line_w = RF_CERF_LINE_W,
                                .prefix = cfg->prefix,
                                .mshrs = cfg->mshrs,
                                .targets = cfg->targets,
                                .queue = cfg->queue,
                                .reserve = cfg->integrated && cfg->policy != RF_POLICY_REGISTERS,
                                .policy = cfg->integrated ? cfg->policy : RF_POLICY_FAIR};
}

const char *rf_cerf_check(const rf_cerf_cfg *cfg) {
    const rf_banked_cfg separate = separate_cfg(cfg);
    const rf_cerf_memory_cfg memory = memory_cfg(cfg);
    if (cfg->integrated > 1) return "INTEGRATED must be 0 or 1";
    if (cfg->liveness > 1) return "LIVENESS must be 0 or 1";
    if (cfg->policy > RF_POLICY_CACHE) return "POLICY must be 0 to 2";
    if (cfg->banks > RF_CERF_BANKS_MAX || !rf_power_of_two(cfg->banks)) return "BANKS must be a power of two, 1 to 8";
    if (cfg->collectors < 1 || cfg->collectors >= RF_COLLECTORS_MAX) return "COLLECTORS must be 1 to 15";
    const char *wrong = rf_banked_check(&separate);
    if (wrong == NULL) wrong = rf_cerf_memory_check(&memory);
    if (wrong != NULL) return wrong;
    if (cfg->integrated && cfg->policy == RF_POLICY_REGISTERS && cfg->warps * cfg->regs > cfg->sets * cfg->ways)
        return "WARPS x REGS must be at most SETS x WAYS with POLICY 1";
    return NULL;
}

int rf_cerf_init(rf_cerf *m, const rf_cerf_cfg *cfg) {
    if (rf_cerf_check(cfg) != NULL) return RF_E_CONFIG;
    const rf_cerf_stage_cfg stage = stage_cfg(cfg);
    const rf_banked_cfg separate = separate_cfg(cfg);
    const rf_cerf_memory_cfg memory = memory_cfg(cfg);
    int bad = rf_cerf_stage_init(&m->stage, &stage) | rf_cerf_memory_init(&m->memory, &memory);
    m->cfg = *cfg;
    if (!cfg->integrated) bad |= rf_banked_init(&m->stage.units, &separate);
    return bad;
}

void rf_cerf_reset(rf_cerf *m) {
    rf_cerf_stage_reset(&m->stage);
    rf_cerf_memory_reset(&m->memory);
}

/* Everything but 1024-bit wires. `stage` holds what `asks` points to. */
static void control(const rf_cerf *m, const rf_cerf_in *in, rf_cerf_stage_asks *stage, rf_cerf_memory_asks *asks,
                    rf_cerf_memory_cycle *cycle, rf_cerf_out *out) {
    rf_cerf_wires *wires = &out->wires;
    *asks = (rf_cerf_memory_asks){.sides = &in->sides};
    if (m->cfg.integrated) {
        rf_cerf_stage_control(&m->stage, &in->stage, &wires->stage, stage, &out->stage);
        asks->rd_valid = stage->rd_valid;
        asks->rd_number = wires->number;
        asks->rd_dead = wires->rd_dead;
        asks->wr_valid = stage->wr_valid;
        asks->wr_number = stage->wr_number;
        asks->wr_mask = stage->wr_mask;
        memcpy(asks->wr_data, stage->wr_data, sizeof asks->wr_data);
    }
    rf_cerf_memory_decide(&m->memory, asks, &wires->memory, cycle);
    wires->rd_accept = cycle->rd_accept;
    wires->wr_accept = (uint8_t)cycle->wr_accept;
}

/* ---- edge ---- */

/* What the memory answers fills collectors: before its banks read again. Of two banks the lowest counts. */
static void fill(rf_cerf *m) {
    for (uint32_t b = 0; b < m->cfg.banks; b++) {
        const rf_cerf_memory_answer a = rf_cerf_memory_answers(&m->memory, b);
        if (a.valid && !a.of_mem) rf_cerf_stage_fill(&m->stage, a.id, a.data);
    }
}

static void edge(rf_cerf *m, const rf_cerf_in *in, const rf_cerf_out *out, const rf_cerf_memory_asks *asks,
                 const rf_cerf_memory_cycle *cycle) {
    const rf_cerf_wires *wires = &out->wires;
    if (m->cfg.integrated) fill(m);
    rf_cerf_memory_move(&m->memory, asks, &wires->memory, cycle);
    if (m->cfg.integrated)
        rf_cerf_stage_move(&m->stage, &in->stage, in->ib_last, &wires->stage, &out->stage, wires->rd_accept, wires->wr_accept);
}

/* ---- a cycle ---- */

/* The instruction buffers, ports and results are the first thing in both. */
static const rf_banked_in *separate(const rf_cerf_in *in) { return (const rf_banked_in *)&in->stage; }

void rf_cerf_comb(const rf_cerf *m, const rf_cerf_in *in, rf_cerf_out *out) {
    rf_cerf_memory_asks asks;
    rf_cerf_memory_cycle cycle;
    rf_cerf_stage_asks stage;
    control(m, in, &stage, &asks, &cycle, out);
    rf_cerf_memory_show(&m->memory, out->wires.memory.sends, &cycle, &out->sides);
    if (m->cfg.integrated) rf_cerf_stage_deliver(&m->stage, &out->wires.dispatch, out->ex_data);
    else rf_banked_comb(&m->stage.units, separate(in), &out->separate);
}

void rf_cerf_clock(rf_cerf *m, const rf_cerf_in *in) {
    rf_cerf_memory_asks asks;
    rf_cerf_memory_cycle cycle;
    rf_cerf_out out;
    rf_cerf_stage_asks stage;
    control(m, in, &stage, &asks, &cycle, &out);
    if (!m->cfg.integrated) rf_banked_clock(&m->stage.units, separate(in));
    edge(m, in, &out, &asks, &cycle);
}

void rf_cerf_step(rf_cerf *m, const rf_cerf_in *in, rf_cerf_out *out) {
    rf_cerf_memory_asks asks;
    rf_cerf_memory_cycle cycle;
    rf_cerf_stage_asks stage;
    control(m, in, &stage, &asks, &cycle, out);
    rf_cerf_memory_show(&m->memory, out->wires.memory.sends, &cycle, &out->sides);
    if (m->cfg.integrated) rf_cerf_stage_deliver(&m->stage, &out->wires.dispatch, out->ex_data);
    else rf_banked_step(&m->stage.units, separate(in), &out->separate);
    edge(m, in, out, &asks, &cycle);
}
