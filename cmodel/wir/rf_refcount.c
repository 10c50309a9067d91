/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_refcount_parts.h"

const char *rf_refcount_check(const rf_refcount_cfg *cfg) {
    if (cfg->pregs < 2 || cfg->pregs > RF_PREGS_MAX) return "PREGS must be 2 to 1024";
    if (cfg->incs < 1 || cfg->incs > RF_REFCOUNT_PORTS_MAX) return "INCS must be 1 to 24";
    if (cfg->decs < 1 || cfg->decs > RF_REFCOUNT_PORTS_MAX) return "DECS must be 1 to 24";
    if (cfg->frees < 1 || cfg->frees > RF_REFCOUNT_FREES_MAX) return "FREES must be 1 to 4";
    if (cfg->asks < 1 || cfg->asks > RF_REFCOUNT_ASKS_MAX) return "ASKS must be 1 to 4";
    if (cfg->countw < 2 || cfg->countw > 16) return "COUNTW must be 2 to 16";
    return NULL;
}

int rf_refcount_init(rf_refcount *m, const rf_refcount_cfg *cfg) {
    if (rf_refcount_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_refcount_reset(m);
    return 0;
}

void rf_refcount_reset(rf_refcount *m) {
    const rf_refcount_cfg cfg = m->cfg;
    memset(m, 0, sizeof *m);
    m->cfg = cfg;
}

static void answer(const rf_refcount *m, const rf_refcount_in *in, rf_refcount_out *out) {
    out->one = 0;
    for (uint32_t a = 0; a < m->cfg.asks; a++) out->one |= (uint8_t)((uint32_t)rf_refcount_one(m, in->ask_reg[a]) << a);
}

void rf_refcount_comb(const rf_refcount *m, const rf_refcount_in *in, rf_refcount_out *out) {
    uint16_t reg[RF_REFCOUNT_FREES_MAX];
    rf_refcount_show(rf_refcount_offer(m, reg), reg, out);
    answer(m, in, out);
}

void rf_refcount_clock(rf_refcount *m, const rf_refcount_in *in) {
    uint16_t reg[RF_REFCOUNT_FREES_MAX];
    rf_refcount_count(m, rf_refcount_offer(m, reg), reg);
    rf_refcount_schedule(m, in);
}

void rf_refcount_step(rf_refcount *m, const rf_refcount_in *in, rf_refcount_out *out) {
    uint16_t reg[RF_REFCOUNT_FREES_MAX];
    const uint32_t found = rf_refcount_offer(m, reg);
    rf_refcount_show(found, reg, out);
    answer(m, in, out);
    rf_refcount_count(m, found, reg);
    rf_refcount_schedule(m, in);
}
