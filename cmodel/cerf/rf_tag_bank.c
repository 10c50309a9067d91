/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/cerf/rf_tag_bank_parts.h"

#include <string.h>

const char *rf_tag_bank_check(const rf_tag_bank_cfg *cfg) {
    if (cfg->sets > RF_LINE_SETS_MAX || !rf_power_of_two(cfg->sets)) return "SETS must be a power of two, 1 to 256";
    if (cfg->ways < 1 || cfg->ways > RF_LINE_WAYS_MAX) return "WAYS must be 1 to 8";
    if (cfg->tag_w < 1 || cfg->tag_w > RF_LINE_NUMBER_MAX) return "TAG_W must be 1 to 25";
    if (cfg->policy > RF_POLICY_CACHE) return "POLICY must be 0 to 2";
    return NULL;
}

int rf_tag_bank_init(rf_tag_bank *m, const rf_tag_bank_cfg *cfg) {
    if (rf_tag_bank_check(cfg) != NULL) return RF_E_CONFIG;
    memset(m, 0, sizeof *m);
    m->cfg = *cfg;
    rf_tag_bank_reset(m);
    return 0;
}

void rf_tag_bank_reset(rf_tag_bank *m) {
    uint32_t ages = 0;
    for (uint32_t w = 0; w < m->cfg.ways; w++) ages |= w << rf_line_age_bits(m->cfg.ways) * w;
    for (uint32_t s = 0; s < m->cfg.sets; s++) {
        m->state_q[s] = 0;
        m->age_q[s] = ages;
    }
}

static rf_tag_bank_entry look_up(const rf_tag_bank *m, const rf_tag_bank_in *in) {
    if (in->by_way) return rf_tag_bank_at(m, in->set, in->tag, in->way);
    return rf_tag_bank_look(m, in->set, in->tag, in->cache != 0);
}

static void drive_outputs(const rf_tag_bank *m, const rf_tag_bank_entry *entry, rf_tag_bank_out *out) {
    out->hit = entry->hit;
    out->way = entry->way;
    out->state = entry->state;
    out->spill = rf_line_state_spill(entry->state);
    out->old_tag = rf_tag_bank_tag(m, entry->set, entry->way);
    out->victim = entry->victim;
}

static void edge(rf_tag_bank *m, const rf_tag_bank_in *in, const rf_tag_bank_entry *entry) {
    if (in->update) rf_tag_bank_change(m, entry, in->event, in->allocate != 0, in->tag, in->touch != 0);
}

void rf_tag_bank_comb(const rf_tag_bank *m, const rf_tag_bank_in *in, rf_tag_bank_out *out) {
    const rf_tag_bank_entry entry = look_up(m, in);
    drive_outputs(m, &entry, out);
}

void rf_tag_bank_clock(rf_tag_bank *m, const rf_tag_bank_in *in) {
    const rf_tag_bank_entry entry = look_up(m, in);
    edge(m, in, &entry);
}

void rf_tag_bank_step(rf_tag_bank *m, const rf_tag_bank_in *in, rf_tag_bank_out *out) {
    const rf_tag_bank_entry entry = look_up(m, in);
    drive_outputs(m, &entry, out);
    edge(m, in, &entry);
}
