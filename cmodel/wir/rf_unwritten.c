/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_unwritten.h"

#include <string.h>

const char *rf_unwritten_check(const rf_unwritten_cfg *cfg) {
    if (cfg->pregs < 2 || cfg->pregs > RF_PREGS_MAX) return "PREGS must be 2 to 1024";
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    return NULL;
}

int rf_unwritten_init(rf_unwritten *m, const rf_unwritten_cfg *cfg) {
    if (rf_unwritten_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_unwritten_reset(m);
    return 0;
}

void rf_unwritten_reset(rf_unwritten *m) { memset(m->bit_q, 0, sizeof m->bit_q); }

/* A register that does not exist never has its bit set, so that no range is checked. */
void rf_unwritten_comb(const rf_unwritten *m, const rf_unwritten_in *in, rf_unwritten_out *out) {
    uint32_t waits = 0;
    for (uint32_t p = 0; p < RF_EXPORTS_MAX; p++) waits |= (uint32_t)m->bit_q[in->lk_reg[p]] << p;
    out->waits = (uint8_t)waits;
}

/* Ports are random to a branch predictor: no branch asks. */
void rf_unwritten_clock(rf_unwritten *m, const rf_unwritten_in *in) {
    for (uint32_t p = 0; p < m->cfg.issues; p++) {
        uint8_t *const bit = &m->bit_q[in->clr_reg[p]];
        *bit = (uint8_t)(*bit & ~(in->clr >> p & 1));
    }
    for (uint32_t p = 0; p < m->cfg.issues; p++) {
        uint8_t *const bit = &m->bit_q[in->set_reg[p]];
        *bit = (uint8_t)(*bit | ((in->set >> p & 1) & (in->set_reg[p] < m->cfg.pregs)));
    }
}

void rf_unwritten_step(rf_unwritten *m, const rf_unwritten_in *in, rf_unwritten_out *out) {
    rf_unwritten_comb(m, in, out);
    rf_unwritten_clock(m, in);
}
