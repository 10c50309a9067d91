/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/cerf/rf_line_state_parts.h"

const char *rf_line_state_check(const rf_line_state_cfg *cfg) {
    if (cfg->entries < 1 || cfg->entries > RF_LINE_WAYS_MAX) return "ENTRIES must be 1 to 8";
    return NULL;
}

int rf_line_state_init(rf_line_state *m, const rf_line_state_cfg *cfg) {
    if (rf_line_state_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    return 0;
}

void rf_line_state_reset(rf_line_state *m) { (void)m; }

void rf_line_state_comb(const rf_line_state *m, const rf_line_state_in *in, rf_line_state_out *out) {
    uint32_t next = 0, spill = 0;
    for (uint32_t e = 0; e < m->cfg.entries; e++) {
        const uint32_t state = in->state >> 2 * e & 3, event = in->event >> 3 * e & 7;
        next |= (uint32_t)rf_line_state_next(state, event) << 2 * e;
        spill |= (uint32_t)rf_line_state_spill(state) << e;
    }
    out->next = (uint16_t)next;
    out->spill = (uint8_t)spill;
}

void rf_line_state_clock(rf_line_state *m, const rf_line_state_in *in) {
    (void)m;
    (void)in;
}

void rf_line_state_step(rf_line_state *m, const rf_line_state_in *in, rf_line_state_out *out) { rf_line_state_comb(m, in, out); }
