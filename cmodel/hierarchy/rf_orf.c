/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/hierarchy/rf_orf_parts.h"

const char *rf_orf_check(const rf_orf_cfg *cfg) {
    if (cfg->entries < 1 || cfg->entries > RF_LEVEL_ENTRIES_MAX) return "ENTRIES must be 1 to 8";
    if (cfg->l0 > 2) return "L0 must be 0 to 2";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->slots < 1 || cfg->slots > RF_SLOTS_MAX) return "SLOTS must be 1 to 8";
    return NULL;
}

int rf_orf_init(rf_orf *m, const rf_orf_cfg *cfg) {
    if (rf_orf_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_orf_reset(m);
    return 0;
}

void rf_orf_reset(rf_orf *m) { *m = (rf_orf){.cfg = m->cfg}; }

void rf_orf_comb(const rf_orf *m, const rf_orf_in *in, rf_orf_out *out) {
    *out = (rf_orf_out){.pend = rf_orf_pending(m)};
    for (uint32_t left = in->rd_valid; left != 0; left &= left - 1) {
        const uint32_t s = rf_lowest(left);
        rf_orf_read(m, s, in->rd_name[s], in->shared, &out->rd_data[s]);
    }
}

void rf_orf_clock(rf_orf *m, const rf_orf_in *in) {
    if (in->clear) rf_orf_clear(m);
    if (in->write) rf_orf_write(m, in->wr_name, in->wr_mask, &in->wr_data, in->wr_shared);
    for (uint32_t left = in->set; left != 0; left &= left - 1) rf_orf_set(m, in->set_name[rf_lowest(left)]);
}

void rf_orf_step(rf_orf *m, const rf_orf_in *in, rf_orf_out *out) {
    rf_orf_comb(m, in, out);
    rf_orf_clock(m, in);
}
