/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/cerf/rf_mshr_parts.h"

const char *rf_mshr_check(const rf_mshr_cfg *cfg) {
    if (cfg->mshrs < 1 || cfg->mshrs > RF_MSHRS_MAX) return "MSHRS must be 1 to 16";
    if (cfg->targets < 1 || cfg->targets > RF_MSHR_TARGETS_MAX) return "TARGETS must be 1 to 8";
    if (cfg->line_w < 1 || cfg->line_w > RF_LINE_NUMBER_MAX) return "LINE_W must be 1 to 25";
    if (cfg->id_w < 1 || cfg->id_w > 8) return "ID_W must be 1 to 8";
    if (cfg->reserve > 1) return "RESERVE must be 0 or 1";
    if (cfg->reserve == 1 && cfg->mshrs < 2) return "with RESERVE, MSHRS must be 2 to 16";
    return NULL;
}

int rf_mshr_init(rf_mshr *m, const rf_mshr_cfg *cfg) {
    if (rf_mshr_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_mshr_reset(m);
    return 0;
}

void rf_mshr_reset(rf_mshr *m) { *m = (rf_mshr){.cfg = m->cfg}; }

void rf_mshr_comb(const rf_mshr *m, const rf_mshr_in *in, rf_mshr_out *out) {
    const uint32_t with = rf_mshr_with(m, in->line), free = rf_mshr_free(m), done = in->done_entry;
    *out = (rf_mshr_out){.room_reg = rf_mshr_room_for(m, true), .room_cache = rf_mshr_room_for(m, false)};
    if (with != 0) {
        out->match = 1;
        out->match_entry = (uint8_t)rf_lowest(with);
        out->match_room = rf_mshr_room(m, rf_lowest(with));
    }
    if (free != 0) {
        out->free = 1;
        out->free_entry = (uint8_t)rf_lowest(free);
    }
    if (rf_mshr_busy(m, done)) {
        out->done_busy = 1;
        out->done_line = m->line_q[done];
        out->done_reg = m->reg_q >> done & 1;
        out->done_keep = m->keep_q >> done & 1;
        out->done_count = m->count_q[done];
        for (uint32_t t = 0; t < m->cfg.targets; t++) out->done_id[t] = m->id_q[done * m->cfg.targets + t];
    }
}

void rf_mshr_clock(rf_mshr *m, const rf_mshr_in *in) {
    const uint32_t with = rf_mshr_with(m, in->line), free = rf_mshr_free(m);
    const bool done = in->done && rf_mshr_busy(m, in->done_entry);
    if (in->merge && with != 0) {
        const uint32_t entry = rf_lowest(with);
        const bool lost = done && entry == in->done_entry;
        if (rf_mshr_room(m, entry) && !lost) rf_mshr_merge(m, entry, in->keep, in->id);
    }
    if (in->allocate && free != 0) rf_mshr_allocate(m, rf_lowest(free), in->line, in->reg, in->keep, in->target, in->id);
    if (done) rf_mshr_done(m, in->done_entry);
}

void rf_mshr_step(rf_mshr *m, const rf_mshr_in *in, rf_mshr_out *out) {
    rf_mshr_comb(m, in, out);
    rf_mshr_clock(m, in);
}
