/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_crossbar.h"

#include <string.h>

const char *rf_crossbar_check(const rf_crossbar_cfg *cfg) {
    if (cfg->src < 1 || cfg->src > 64) return "SRC must be 1 to 64";
    if (cfg->dst < 1 || cfg->dst > 64) return "DST must be 1 to 64";
    if (cfg->width < 1 || cfg->width > 1024) return "WIDTH must be 1 to 1024";
    return NULL;
}

int rf_crossbar_init(rf_crossbar *m, const rf_crossbar_cfg *cfg) {
    if (rf_crossbar_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    return 0;
}

void rf_crossbar_reset(rf_crossbar *m) { (void)m; }

void rf_crossbar_comb(const rf_crossbar *m, const rf_crossbar_in *in, rf_crossbar_out *out) {
    memset(out->data, 0, m->cfg.dst * sizeof out->data[0]);
    for (uint64_t used = in->valid; used != 0; used &= used - 1) {
        const uint32_t d = rf_lowest(used);
        if (in->sel[d] < m->cfg.src) out->data[d] = in->data[in->sel[d]];
    }
}

void rf_crossbar_clock(rf_crossbar *m, const rf_crossbar_in *in) {
    (void)m;
    (void)in;
}

void rf_crossbar_step(rf_crossbar *m, const rf_crossbar_in *in, rf_crossbar_out *out) { rf_crossbar_comb(m, in, out); }
