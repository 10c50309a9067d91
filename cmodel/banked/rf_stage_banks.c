/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_stage_banks.h"

#include "cmodel/banked/rf_bank_parts.h"

const char *rf_stage_banks_check(const rf_stage_banks_cfg *cfg) {
    if (cfg->banks < 1 || cfg->banks > RF_BANKS_MAX) return "BANKS must be 1 to 32";
    if (cfg->rows < 1 || cfg->rows > RF_BANK_ROWS_MAX) return "ROWS must be 1 to 1024";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->ports < 1 || cfg->ports > 2) return "PORTS must be 1 or 2";
    if (cfg->buses < 1 || cfg->buses > RF_EXPORTS_MAX) return "BUSES must be 1 to 8";
    if (cfg->readers < 1 || cfg->readers > RF_READERS_MAX) return "READERS must be 1 to 64";
    return NULL;
}

int rf_stage_banks_init(rf_stage_banks *m, const rf_stage_banks_cfg *cfg) {
    if (rf_stage_banks_check(cfg) != NULL) return RF_E_CONFIG;
    int bad = 0;
    m->cfg = *cfg;
    for (uint32_t b = 0; b < RF_BANKS_MAX; b++)
        bad |= rf_bank_init(&m->bank[b], &(rf_bank_cfg){.rows = cfg->rows, .lanes = cfg->lanes, .ports = cfg->ports});
    return bad;
}

void rf_stage_banks_reset(rf_stage_banks *m) {
    for (uint32_t b = 0; b < RF_BANKS_MAX; b++) rf_bank_reset(&m->bank[b]);
}

void rf_stage_banks_comb(const rf_stage_banks *m, const rf_stage_banks_in *in, rf_stage_banks_out *out) {
    static const rf_vec nothing;
    const uint32_t banks = m->cfg.banks, readers = m->cfg.readers;
    for (uint32_t r = 0; r < readers; r++) {
        const uint32_t b = in->fill_bank[r];
        const bool fills = ((in->fill_valid >> r & 1) != 0) & (b < banks);
        out->fill_data[r] = *(fills ? &m->bank[b].rdata_q : &nothing);
    }
    for (uint32_t b = 0; b < banks; b++) out->rdata[b] = m->bank[b].rdata_q;
}

/* No bank is visited that does nothing. The reads first: they return rows as they were before this cycle's writes. */
void rf_stage_banks_clock(rf_stage_banks *m, const rf_stage_banks_in *in) {
    for (uint32_t left = in->re; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left);
        if (rf_bank_reads(&m->bank[b], (in->we >> b & 1) != 0)) rf_bank_read(&m->bank[b], in->raddr[b]);
    }
    for (uint32_t left = in->we; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left), bus = in->wsel[b];
        if (bus < m->cfg.buses) rf_bank_write(&m->bank[b], in->waddr[b], in->mask[bus], &in->data[bus]);
    }
}

void rf_stage_banks_step(rf_stage_banks *m, const rf_stage_banks_in *in, rf_stage_banks_out *out) {
    rf_stage_banks_comb(m, in, out);
    rf_stage_banks_clock(m, in);
}
