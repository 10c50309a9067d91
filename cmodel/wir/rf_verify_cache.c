/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_verify_cache.h"

const char *rf_verify_cache_check(const rf_verify_cache_cfg *cfg) {
    if (cfg->entries < 1 || cfg->entries > RF_VERIFY_CACHE_MAX) return "ENTRIES must be 1 to 16";
    if (cfg->pregs < 2 || cfg->pregs > RF_PREGS_MAX) return "PREGS must be 2 to 1024";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    return NULL;
}

int rf_verify_cache_init(rf_verify_cache *m, const rf_verify_cache_cfg *cfg) {
    if (rf_verify_cache_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_verify_cache_reset(m);
    return 0;
}

void rf_verify_cache_reset(rf_verify_cache *m) { *m = (rf_verify_cache){.cfg = m->cfg}; }

/* The lines with this register among `valid`: one at most. All tags are compared, without a branch. */
static inline uint32_t lines_of(const rf_verify_cache *m, uint32_t valid, uint16_t reg) {
    uint32_t same = 0;
    for (uint32_t e = 0; e < RF_VERIFY_CACHE_MAX; e++) same |= (uint32_t)(m->tag_q[e] == reg) << e;
    return same & valid;
}

void rf_verify_cache_comb(const rf_verify_cache *m, const rf_verify_cache_in *in, rf_verify_cache_out *out) {
    out->hit = 0;
    for (uint32_t i = 0; i < RF_ISSUES_MAX; i++) {
        const uint32_t line = (in->lk_valid >> i & 1) != 0 ? lines_of(m, m->valid_q, in->lk_reg[i]) : 0;
        out->hit |= (uint8_t)((line != 0) << i);
        if (line != 0) out->data[i] = m->data_q[rf_lowest(line)];
        else out->data[i] = (rf_vec){0};
    }
}

/* Which line a register takes that has none: the lowest invalid one, else the one whose turn it is. */
static inline uint32_t take_line(rf_verify_cache *m, uint32_t valid) {
    const uint32_t entries = m->cfg.entries, free = ~valid & (uint32_t)rf_mask64(entries), next = m->next_q;
    if (free != 0) return rf_lowest(free);
    m->next_q = (uint8_t)(next + 1 == entries ? 0 : next + 1);
    return next;
}

void rf_verify_cache_clock(rf_verify_cache *m, const rf_verify_cache_in *in) {
    uint32_t valid = m->valid_q;
    for (uint32_t set = in->fill; set != 0; set &= set - 1) {
        const uint32_t i = rf_lowest(set), found = lines_of(m, valid, in->fill_reg[i]);
        const uint32_t line = found != 0 ? rf_lowest(found) : take_line(m, valid);
        valid |= UINT32_C(1) << line;
        m->tag_q[line] = in->fill_reg[i];
        m->data_q[line] = in->fill_data[i];
    }
    for (uint32_t set = in->evict; set != 0; set &= set - 1) valid &= ~lines_of(m, valid, in->evict_reg[rf_lowest(set)]);
    m->valid_q = (uint16_t)valid;
}

void rf_verify_cache_step(rf_verify_cache *m, const rf_verify_cache_in *in, rf_verify_cache_out *out) {
    rf_verify_cache_comb(m, in, out);
    rf_verify_cache_clock(m, in);
}
