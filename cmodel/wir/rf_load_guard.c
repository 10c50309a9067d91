/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_load_guard.h"

#include <string.h>

#include "cmodel/wir/rf_load_guard_parts.h"

const char *rf_load_guard_check(const rf_load_guard_cfg *cfg) {
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->blocks < 1 || cfg->blocks > RF_BLOCKS_MAX) return "BLOCKS must be 1 to 16";
    if (cfg->entries < 1 || cfg->entries > RF_REUSE_ENTRIES_MAX || (cfg->entries & (cfg->entries - 1)) != 0)
        return "ENTRIES must be a power of two, 1 to 512";
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    return NULL;
}

int rf_load_guard_init(rf_load_guard *m, const rf_load_guard_cfg *cfg) {
    if (rf_load_guard_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_load_guard_reset(m);
    return 0;
}

void rf_load_guard_reset(rf_load_guard *m) {
    const rf_load_guard_cfg cfg = m->cfg;
    memset(m, 0, sizeof *m);
    m->cfg = cfg;
}

static inline void outputs(const rf_load_guard *m, const rf_load_guard_in *in, rf_load_guard_out *out) {
    uint32_t allow = 0;
    for (uint32_t l = 0; l < m->cfg.issues; l++)
        allow |=
            (uint32_t)rf_load_guard_answer(m, in->block, in->q_warp[l], in->q_space[l], &out->tag_block[l], &out->tag_barrier[l])
            << l;
    out->allow = (uint8_t)allow;
    rf_load_guard_show_sweep(m, out);
}

void rf_load_guard_comb(const rf_load_guard *m, const rf_load_guard_in *in, rf_load_guard_out *out) { outputs(m, in, out); }

void rf_load_guard_clock(rf_load_guard *m, const rf_load_guard_in *in) { rf_load_guard_edge(m, in, in->block); }

void rf_load_guard_step(rf_load_guard *m, const rf_load_guard_in *in, rf_load_guard_out *out) {
    outputs(m, in, out);
    rf_load_guard_edge(m, in, in->block);
}
