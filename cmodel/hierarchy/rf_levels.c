/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/hierarchy/rf_levels_parts.h"

const char *rf_levels_check(const rf_levels_cfg *cfg) {
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->slots < 1 || cfg->slots > RF_SLOTS_MAX) return "SLOTS must be 1 to 8";
    if (cfg->exports < 1 || cfg->exports >= RF_EXPORTS_MAX) return "EXPORTS must be 1 to 7";
    if (cfg->active < 1 || cfg->active > RF_ACTIVE_MAX) return "ACTIVE must be 1 to 32";
    if (cfg->managed > 1) return "MANAGED must be 0 or 1";
    if (cfg->entries < 1 || cfg->entries > RF_LEVEL_ENTRIES_MAX) return "ENTRIES must be 1 to 8";
    if (cfg->l0 > 1 + cfg->managed) return "L0 must be 0 to 1, with MANAGED 1 to 2";
    if (cfg->policy > 1) return "POLICY must be 0 or 1";
    return NULL;
}

int rf_levels_init(rf_levels *m, const rf_levels_cfg *cfg) {
    if (rf_levels_check(cfg) != NULL) return RF_E_CONFIG;
    const rf_rfc_cfg rfc = {.entries = cfg->entries,
                            .l0 = cfg->l0 != 0,
                            .policy = cfg->policy,
                            .regs = cfg->regs,
                            .lanes = cfg->lanes,
                            .slots = cfg->slots};
    const rf_orf_cfg orf = {.entries = cfg->entries, .l0 = cfg->l0, .lanes = cfg->lanes, .slots = cfg->slots};
    int bad = rf_rr_init(&m->port, &(rf_rr_cfg){.n = cfg->exports});
    m->cfg = *cfg;
    for (uint32_t a = 0; a < RF_ACTIVE_MAX; a++) bad |= rf_rfc_init(&m->rfc[a], &rfc) | rf_orf_init(&m->orf[a], &orf);
    return bad;
}

void rf_levels_reset(rf_levels *m) {
    rf_rr_reset(&m->port);
    for (uint32_t a = 0; a < RF_ACTIVE_MAX; a++) {
        rf_rfc_reset(&m->rfc[a]);
        rf_orf_reset(&m->orf[a]);
    }
}

static void put_out(const rf_levels *m, const rf_levels_in *in, const rf_levels_cycle *c, rf_levels_out *out) {
    memset(out, 0, sizeof *out);
    out->hit = (uint8_t)c->found.hit;
    out->hit_l0 = (uint8_t)c->found.hit_l0;
    for (uint32_t left = c->found.hit; left != 0; left &= left - 1)
        rf_levels_value(m, &c->issue, &c->found, rf_lowest(left), &out->hit_data[rf_lowest(left)]);
    out->hold = rf_levels_hold(m);
    for (uint32_t a = 0; a < m->cfg.active; a++) out->pend[a] = (uint16_t)rf_levels_pend(m, a);
    out->ask = (uint8_t)c->way.ask;
    for (uint32_t left = c->way.ask; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        out->ask_warp[e] = c->way.ask_warp[e];
        out->ask_reg[e] = c->way.ask_reg[e];
        out->ask_mask[e] = c->way.ask_mask[e];
        out->ask_data[e] = *c->way.ask_data[e];
    }
    out->done = (uint8_t)rf_levels_done(&c->way, m->cfg.exports, in->grant);
    out->offers = (uint8_t)c->way.offers;
    out->offer = (uint8_t)c->way.offer;
    out->evicts = c->way.evicts;
}

void rf_levels_comb(const rf_levels *m, const rf_levels_in *in, rf_levels_out *out) {
    rf_levels_cycle c;
    rf_levels_decide(m, in, &c);
    put_out(m, in, &c, out);
}

void rf_levels_clock(rf_levels *m, const rf_levels_in *in) {
    rf_levels_cycle c;
    rf_levels_decide(m, in, &c);
    rf_levels_move(m, &c, in->grant);
}

void rf_levels_step(rf_levels *m, const rf_levels_in *in, rf_levels_out *out) {
    rf_levels_cycle c;
    rf_levels_decide(m, in, &c);
    put_out(m, in, &c, out);
    rf_levels_move(m, &c, in->grant);
}
