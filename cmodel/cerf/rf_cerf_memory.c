/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/cerf/rf_cerf_memory_parts.h"

static rf_cache_bank_cfg bank_cfg(const rf_cerf_memory_cfg *cfg) {
    return (rf_cache_bank_cfg){.sets = cfg->sets / cfg->banks,
                               .ways = cfg->ways,
                               .lanes = cfg->lanes,
                               .tag_w = cfg->line_w - rf_log2(cfg->sets),
                               .id_w = RF_CERF_ID_W + 1,
                               .mshrs = cfg->mshrs,
                               .targets = cfg->targets,
                               .reserve = cfg->reserve,
                               .queue = cfg->queue,
                               .policy = cfg->policy};
}

const char *rf_cerf_memory_check(const rf_cerf_memory_cfg *cfg) {
    if (cfg->collectors < 1 || cfg->collectors >= RF_COLLECTORS_MAX) return "COLLECTORS must be 1 to 15";
    if (cfg->slots < 1 || cfg->slots > RF_SLOTS_MAX) return "SLOTS must be 1 to 8";
    if ((cfg->collectors + 1) * cfg->slots > RF_READERS_MAX) return "(COLLECTORS + 1) x SLOTS must be at most 64";
    if (cfg->writers < 1 || cfg->writers > RF_EXPORTS_MAX) return "WRITERS must be 1 to 8";
    if (cfg->registers < 1 || cfg->registers > 16384) return "REGISTERS must be 1 to 16384";
    if (!rf_power_of_two(cfg->banks) || cfg->banks > RF_CERF_BANKS_MAX) return "BANKS must be a power of two, 1 to 8";
    if (!rf_power_of_two(cfg->sets) || cfg->sets < cfg->banks || cfg->sets > RF_LINE_SETS_MAX * cfg->banks)
        return "SETS must be a power of two, BANKS to 256 x BANKS";
    if (cfg->ways < 1 || cfg->ways > RF_LINE_WAYS_MAX || cfg->sets * cfg->ways > RF_BANK_ROWS_MAX * cfg->banks)
        return "WAYS must be 1 to 8, SETS x WAYS at most 1024 x BANKS";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->line_w > RF_LINE_NUMBER_MAX || cfg->line_w <= rf_log2(cfg->sets) || cfg->line_w <= rf_index_bits(cfg->registers))
        return "LINE_W must be at most 25, more than log2(SETS) and than the bits of a register's number";
    if (cfg->prefix > 16777215) return "PREFIX must be 0 to 16777215";
    if (cfg->mshrs < 2 || cfg->mshrs > RF_MSHRS_MAX) return "MSHRS must be 2 to 16";
    if (cfg->targets < 1 || cfg->targets > RF_MSHR_TARGETS_MAX) return "TARGETS must be 1 to 8";
    if (cfg->queue < 1 || cfg->queue > RF_MISS_QUEUE_MAX) return "QUEUE must be 1 to 16";
    if (cfg->reserve > 1) return "RESERVE must be 0 or 1";
    if (cfg->policy > RF_POLICY_CACHE) return "POLICY must be 0 to 2";
    return NULL;
}

int rf_cerf_memory_init(rf_cerf_memory *m, const rf_cerf_memory_cfg *cfg) {
    if (rf_cerf_memory_check(cfg) != NULL) return RF_E_CONFIG;
    const rf_cache_bank_cfg bank = bank_cfg(cfg);
    int bad = rf_arbiter_init(&m->arbiter, &(rf_arbiter_cfg){.banks = cfg->banks,
                                                             .collectors = cfg->collectors + 1,
                                                             .slots = cfg->slots,
                                                             .writers = cfg->writers,
                                                             .rows = 1,
                                                             .ports = 1});
    m->cfg = *cfg;
    bad |= rf_rr_init(&m->l2, &(rf_rr_cfg){.n = cfg->banks});
    for (uint32_t b = 0; b < RF_CERF_BANKS_MAX; b++) bad |= rf_cache_bank_init(&m->bank[b], &bank);
    rf_cerf_memory_reset(m);
    return bad;
}

void rf_cerf_memory_reset(rf_cerf_memory *m) {
    rf_arbiter_reset(&m->arbiter);
    rf_rr_reset(&m->l2);
    for (uint32_t b = 0; b < RF_CERF_BANKS_MAX; b++) rf_cache_bank_reset(&m->bank[b]);
    m->rd_wait_q = 0;
    m->wr_wait_q = 0;
    m->mem_wait_q = 0;
}

static rf_cerf_memory_asks asks_of(const rf_cerf_memory *m, const rf_cerf_memory_in *in) {
    rf_cerf_memory_asks a = {.rd_valid = in->rd_valid,
                             .rd_dead = in->rd_dead,
                             .rd_number = in->rd_number,
                             .wr_valid = in->wr_valid,
                             .wr_number = in->wr_number,
                             .wr_mask = in->wr_mask,
                             .sides = &in->sides};
    for (uint32_t e = 0; e < m->cfg.writers; e++) a.wr_data[e] = &in->wr_data[e];
    return a;
}

/* Of two banks that answer one reader the lowest counts. */
static void put_operands(const rf_cerf_memory *m, rf_cerf_memory_out *out) {
    memset(out->rd_data, 0, m->cfg.collectors * m->cfg.slots * sizeof out->rd_data[0]);
    out->rd_fill = 0;
    for (uint32_t b = 0; b < m->cfg.banks; b++) {
        const rf_cerf_memory_answer a = rf_cerf_memory_answers(m, b);
        if (!a.valid || a.of_mem || (out->rd_fill >> a.id & 1) != 0) continue;
        out->rd_fill |= UINT64_C(1) << a.id;
        out->rd_data[a.id] = *a.data;
    }
}

static void put_out(const rf_cerf_memory *m, const rf_cerf_memory_cycle *c, rf_cerf_memory_out *out) {
    put_operands(m, out);
    rf_cerf_memory_show(m, out->wires.sends, c, &out->sides);
    out->rd_accept = c->rd_accept;
    out->wr_accept = (uint8_t)c->wr_accept;
}

void rf_cerf_memory_comb(const rf_cerf_memory *m, const rf_cerf_memory_in *in, rf_cerf_memory_out *out) {
    const rf_cerf_memory_asks a = asks_of(m, in);
    rf_cerf_memory_cycle c;
    rf_cerf_memory_decide(m, &a, &out->wires, &c);
    put_out(m, &c, out);
}

void rf_cerf_memory_clock(rf_cerf_memory *m, const rf_cerf_memory_in *in) {
    const rf_cerf_memory_asks a = asks_of(m, in);
    rf_cerf_memory_wires wires;
    rf_cerf_memory_cycle c;
    rf_cerf_memory_decide(m, &a, &wires, &c);
    rf_cerf_memory_move(m, &a, &wires, &c);
}

void rf_cerf_memory_step(rf_cerf_memory *m, const rf_cerf_memory_in *in, rf_cerf_memory_out *out) {
    const rf_cerf_memory_asks a = asks_of(m, in);
    rf_cerf_memory_cycle c;
    rf_cerf_memory_decide(m, &a, &out->wires, &c);
    put_out(m, &c, out);
    rf_cerf_memory_move(m, &a, &out->wires, &c);
}
