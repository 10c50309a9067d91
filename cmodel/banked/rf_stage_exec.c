/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/banked/rf_stage_exec.h"

#include <string.h>

const char *rf_stage_exec_check(const rf_stage_exec_cfg *cfg) {
    if (cfg->collectors < 1 || cfg->collectors > RF_COLLECTORS_MAX) return "COLLECTORS must be 1 to 16";
    if (cfg->slots < 1 || cfg->slots > RF_SLOTS_MAX) return "SLOTS must be 1 to 8";
    if (cfg->collectors * cfg->slots > RF_READERS_MAX) return "COLLECTORS x SLOTS must be at most 64";
    if (cfg->exports < 1 || cfg->exports > RF_EXPORTS_MAX) return "EXPORTS must be 1 to 8";
    if (cfg->meta_w < 1 || cfg->meta_w > RF_STAGE_EXEC_META_MAX) return "META_W must be 1 to 128";
    if (cfg->data_w < 32 || cfg->data_w > RF_LANES_MAX * 32 || cfg->data_w % 32 != 0)
        return "DATA_W must be 32 to 1024, a multiple of 32";
    return NULL;
}

int rf_stage_exec_init(rf_stage_exec *m, const rf_stage_exec_cfg *cfg) {
    if (rf_stage_exec_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    return rf_dispatch_init(&m->dispatch, &(rf_dispatch_cfg){.collectors = cfg->collectors, .exports = cfg->exports});
}

void rf_stage_exec_reset(rf_stage_exec *m) { rf_dispatch_reset(&m->dispatch); }

static inline void ports_of_dispatch(const rf_stage_exec_in *in, rf_dispatch_in *to) {
    to->ready = in->collected;
    memcpy(to->port, in->port, sizeof to->port);
    to->ex_ready = in->ex_ready;
}

/* The crossbars behind the dispatch. */
static inline void carry(const rf_stage_exec *m, const rf_stage_exec_in *in, const rf_dispatch_out *chosen,
                         rf_stage_exec_out *out) {
    static const rf_stage_exec_meta no_meta;
    static const rf_vec no_operand;
    const uint32_t collectors = m->cfg.collectors, slots = m->cfg.slots;
    out->dispatched = chosen->grant;
    out->ex_valid = chosen->ex_valid;
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        const bool offered = (chosen->ex_valid >> e & 1) != 0;
        const uint32_t c = chosen->ex_sel[e];
        out->ex_meta[e] = *(offered ? &in->meta[c] : &no_meta);
        for (uint32_t s = 0; s < slots; s++)
            out->ex_data[e * slots + s] = *(offered ? &in->data[s * collectors + c] : &no_operand);
    }
}

void rf_stage_exec_comb(const rf_stage_exec *m, const rf_stage_exec_in *in, rf_stage_exec_out *out) {
    rf_dispatch_in asked;
    rf_dispatch_out chosen;
    ports_of_dispatch(in, &asked);
    rf_dispatch_comb(&m->dispatch, &asked, &chosen);
    carry(m, in, &chosen, out);
}

void rf_stage_exec_clock(rf_stage_exec *m, const rf_stage_exec_in *in) {
    rf_dispatch_in asked;
    ports_of_dispatch(in, &asked);
    rf_dispatch_clock(&m->dispatch, &asked);
}

void rf_stage_exec_step(rf_stage_exec *m, const rf_stage_exec_in *in, rf_stage_exec_out *out) {
    rf_dispatch_in asked;
    rf_dispatch_out chosen;
    ports_of_dispatch(in, &asked);
    rf_dispatch_step(&m->dispatch, &asked, &chosen);
    carry(m, in, &chosen, out);
}
