/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/hierarchy/rf_rfc_parts.h"

const char *rf_rfc_check(const rf_rfc_cfg *cfg) {
    if (cfg->entries < 1 || cfg->entries > RF_LEVEL_ENTRIES_MAX) return "ENTRIES must be 1 to 8";
    if (cfg->l0 > 1) return "L0 must be 0 or 1";
    if (cfg->policy > 1) return "POLICY must be 0 or 1";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->slots < 1 || cfg->slots > RF_SLOTS_MAX) return "SLOTS must be 1 to 8";
    return NULL;
}

int rf_rfc_init(rf_rfc *m, const rf_rfc_cfg *cfg) {
    if (rf_rfc_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_rfc_reset(m);
    return 0;
}

void rf_rfc_reset(rf_rfc *m) {
    *m = (rf_rfc){.cfg = m->cfg};
    for (uint32_t e = 0; e < m->cfg.entries; e++) m->rank_q[e] = (uint8_t)(m->cfg.entries - 1 - e);
}

/* What the inputs of a cycle mean for the registers. */
typedef struct rf_rfc_cycle {
    uint32_t hit; /* slots */
    uint8_t place[RF_SLOTS_MAX];
    rf_rfc_left left;
    rf_rfc_result result;
    rf_rfc_plan plan;
} rf_rfc_cycle;

static void plan_cycle(const rf_rfc *m, const rf_rfc_in *in, rf_rfc_cycle *c) {
    c->result =
        (rf_rfc_result){.data = &in->wr_data, .mask = in->wr_mask, .reg = in->wr_reg, .around = in->around, .low = in->low};
    c->hit = rf_rfc_lookup(m, in->rd_valid, in->rd_reg, c->place);
    c->left = rf_rfc_reads(m, in->read ? c->hit : 0, c->place, in->last);
    c->plan = in->write ? rf_rfc_write(m, &c->left, &c->result) : in->flush ? rf_rfc_flush(m, &c->left) : rf_rfc_nothing();
}

static void drive_outputs(const rf_rfc *m, const rf_rfc_cycle *c, rf_rfc_out *out) {
    *out = (rf_rfc_out){.hit = (uint8_t)c->hit,
                        .hit_l0 = (uint8_t)rf_rfc_hit_l0(c->hit, c->place),
                        .mrf_valid = rf_rfc_mrf_valid(&c->plan),
                        .mrf_entry = rf_rfc_mrf_entry(&c->plan),
                        .holds = rf_rfc_valid(m) != 0};
    for (uint32_t left = c->hit; left != 0; left &= left - 1)
        out->rd_data[rf_lowest(left)] = *rf_rfc_value(m, c->place[rf_lowest(left)]);
    if (!out->mrf_valid) return;
    out->mrf_reg = rf_rfc_mrf_reg(m, &c->plan, &c->result);
    out->mrf_mask = rf_rfc_mrf_mask(m, &c->plan, &c->result);
    out->mrf_data = *rf_rfc_mrf_data(m, &c->plan, &c->result);
}

static void edge(rf_rfc *m, const rf_rfc_cycle *c, bool take) {
    rf_rfc_leave(m, &c->left);
    if (take) rf_rfc_take(m, &c->plan, &c->result);
}

void rf_rfc_comb(const rf_rfc *m, const rf_rfc_in *in, rf_rfc_out *out) {
    rf_rfc_cycle c;
    plan_cycle(m, in, &c);
    drive_outputs(m, &c, out);
}

void rf_rfc_clock(rf_rfc *m, const rf_rfc_in *in) {
    rf_rfc_cycle c;
    plan_cycle(m, in, &c);
    edge(m, &c, in->take);
}

void rf_rfc_step(rf_rfc *m, const rf_rfc_in *in, rf_rfc_out *out) {
    rf_rfc_cycle c;
    plan_cycle(m, in, &c);
    drive_outputs(m, &c, out);
    edge(m, &c, in->take);
}
