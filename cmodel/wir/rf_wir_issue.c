/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_wir_issue.h"

#include "cmodel/wir/rf_wir_issue_parts.h"

const char *rf_wir_issue_check(const rf_wir_issue_cfg *cfg) {
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX || cfg->warps % cfg->issues != 0)
        return "WARPS must be 1 to 64, a multiple of ISSUES";
    if (cfg->collectors < 1 || cfg->collectors >= RF_COLLECTORS_MAX) return "COLLECTORS must be 1 to 15";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->slots < 1 || cfg->slots > RF_REUSE_SLOTS_MAX) return "SLOTS must be 1 to 6";
    if (cfg->collectors * cfg->slots > RF_READERS_MAX) return "COLLECTORS x SLOTS must be at most 64";
    if (cfg->exports < 1 || cfg->exports > RF_EXPORTS_MAX || cfg->exports + cfg->issues > RF_EXPORTS_MAX)
        return "EXPORTS must be at least 1, EXPORTS + ISSUES at most 8";
    if (cfg->sched > 2) return "SCHED must be 0 to 2";
    if (cfg->fetch < 1 || cfg->fetch > RF_WARPS_MAX) return "FETCH must be 1 to 64";
    if (cfg->pregs < 2 || cfg->pregs > RF_PREGS_MAX) return "PREGS must be 2 to 1024";
    if (cfg->places < 2 || cfg->places > RF_WIR_PLACES_MAX) return "PLACES must be 2 to 18";
    if (cfg->reuse > 1) return "REUSE must be 0 or 1";
    return NULL;
}

int rf_wir_issue_init(rf_wir_issue *m, const rf_wir_issue_cfg *cfg) {
    if (rf_wir_issue_check(cfg) != NULL) return RF_E_CONFIG;
    const uint32_t warps = cfg->warps / cfg->issues;
    int bad = 0;
    m->cfg = *cfg;
    for (uint32_t g = 0; g < RF_ISSUES_MAX; g++) {
        bad |= rf_sched_gto_init(&m->gto[g], &(rf_sched_gto_cfg){.warps = warps});
        bad |= rf_sched_lrr_init(&m->lrr[g], &(rf_sched_lrr_cfg){.warps = warps});
        bad |= rf_sched_groups_init(&m->groups[g], &(rf_sched_groups_cfg){.warps = warps, .fetch = cfg->fetch});
    }
    bad |= rf_scoreboard_init(&m->scoreboard, &(rf_scoreboard_cfg){.warps = cfg->warps,
                                                                   .regs = cfg->regs,
                                                                   .slots = cfg->slots,
                                                                   .readers = cfg->collectors * cfg->slots,
                                                                   .issues = cfg->issues,
                                                                   .writers = cfg->exports + cfg->issues});
    return bad;
}

/* Only what the configuration has: the rest stays as init left it. */
void rf_wir_issue_reset(rf_wir_issue *m) {
    for (uint32_t g = 0; g < m->cfg.issues; g++) {
        rf_sched_gto_reset(&m->gto[g]);
        rf_sched_lrr_reset(&m->lrr[g]);
        rf_sched_groups_reset(&m->groups[g]);
    }
    rf_scoreboard_reset(&m->scoreboard);
}

/* What a cycle decides: who is ready, and per group the head that is shown. */
typedef struct cycle {
    uint64_t ready;
    uint32_t issue_valid;
    uint8_t issue_warp[RF_ISSUES_MAX];
    rf_wir_issued head[RF_ISSUES_MAX];
} cycle;

/* Warps whose head must wait. */
static uint64_t hazards(const rf_wir_issue *m, const rf_wir_issue_in *in, const rf_wir_buffers *ib) {
    const rf_wir_issue_cfg *cfg = &m->cfg;
    uint64_t hazard = rf_wir_pending(&m->scoreboard, ib);
    for (uint64_t left = in->rdp; left != 0; left &= left - 1) {
        const uint32_t r = rf_lowest(left);
        hazard |= rf_wir_unread_by(ib, &m->scoreboard, in->rdp_warp[r], 1, &in->rdp_reg[r]);
    }
    for (uint32_t g = 0; g < cfg->issues; g++) {
        for (uint32_t left = in->at_valid[g]; left != 0; left &= left - 1) {
            hazard |= rf_wir_overtakes(ib, &in->at[g * cfg->places + rf_lowest(left)]);
        }
    }
    return hazard;
}

static uint64_t releasing(const rf_wir_issue *m, const rf_wir_issue_in *in) {
    uint64_t warps = in->launch | in->exit;
    if (m->cfg.reuse == 0) return 0;
    for (uint32_t g = 0; g < m->cfg.issues; g++) warps |= rf_wir_to_warps(m->cfg.issues, in->walking[g], g);
    return warps;
}

static void decide(const rf_wir_issue *m, const rf_wir_issue_in *in, cycle *c) {
    const rf_wir_issue_cfg *cfg = &m->cfg;
    const rf_wir_buffers ib = RF_WIR_BUFFERS(in);
    c->ready = in->ib_valid & ~(hazards(m, in, &ib) | releasing(m, in));
    c->issue_valid = 0;
    memset(c->head, 0, sizeof c->head);
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const uint64_t ready = rf_stage_every(c->ready, cfg->warps, cfg->issues, g);
        const bool issues = ready != 0 && (in->lane_ready >> g & 1) != 0;
        rf_wir_take_head(&ib, cfg->slots, ready != 0 ? rf_wir_choose(m, cfg, g, ready) : g, &c->head[g]);
        c->issue_valid |= (uint32_t)issues << g;
        c->issue_warp[g] = issues ? c->head[g].warp : 0;
    }
}

static void drive_outputs(const rf_wir_issue *m, const rf_wir_issue_in *in, const cycle *c, rf_wir_issue_out *out) {
    const uint32_t issues = m->cfg.issues;
    out->issue_valid = (uint8_t)c->issue_valid;
    for (uint32_t g = 0; g < issues; g++) {
        out->issue_warp[g] = c->issue_warp[g];
        out->clear[g] = rf_stage_every(in->launch | in->exit, m->cfg.warps, issues, g);
        out->head[g] = c->head[g];
    }
}

static void edge(rf_wir_issue *m, const rf_wir_issue_in *in, const cycle *c) {
    rf_scoreboard_in change;
    change.set = 0;
    change.clr = in->clr;
    for (uint32_t g = 0; g < m->cfg.issues; g++) {
        change.set |= (uint8_t)((c->issue_valid >> g & c->head[g].dst_valid & 1) << g);
        change.set_warp[g] = c->head[g].warp;
        change.set_reg[g] = c->head[g].dst;
    }
    memcpy(change.clr_warp, in->clr_warp, sizeof change.clr_warp);
    memcpy(change.clr_reg, in->clr_reg, sizeof change.clr_reg);
    rf_scoreboard_clock(&m->scoreboard, &change);
    rf_wir_clock_schedulers(m, &m->cfg, c->ready, in->launch, c->issue_valid, c->issue_warp);
}

void rf_wir_issue_comb(const rf_wir_issue *m, const rf_wir_issue_in *in, rf_wir_issue_out *out) {
    cycle c;
    decide(m, in, &c);
    drive_outputs(m, in, &c, out);
}

void rf_wir_issue_clock(rf_wir_issue *m, const rf_wir_issue_in *in) {
    cycle c;
    decide(m, in, &c);
    edge(m, in, &c);
}

void rf_wir_issue_step(rf_wir_issue *m, const rf_wir_issue_in *in, rf_wir_issue_out *out) {
    cycle c;
    decide(m, in, &c);
    drive_outputs(m, in, &c, out);
    edge(m, in, &c);
}
