/* SPDX-License-Identifier: Apache-2.0 */
/* Configuration and reset of rf_wir. */
#include "cmodel/wir/rf_wir_parts.h"

#include <string.h>

static bool power_of_two(uint32_t n, uint32_t max) { return n >= 1 && n <= max && (n & (n - 1)) == 0; }

const char *rf_wir_check(const rf_wir_cfg *cfg) {
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX || cfg->warps % cfg->issues != 0)
        return "WARPS must be 1 to 64, a multiple of ISSUES";
    if (cfg->collectors < 1 || cfg->collectors > RF_COLLECTORS_MAX - cfg->issues)
        return "COLLECTORS must be 1 to 15, COLLECTORS + ISSUES at most 16";
    if (!power_of_two(cfg->banks, RF_BANKS_MAX)) return "BANKS must be a power of two from 1 to 32";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->slots < 1 || cfg->slots > RF_REUSE_SLOTS_MAX) return "SLOTS must be 1 to 6";
    if ((cfg->collectors + cfg->issues) * cfg->slots > RF_READERS_MAX) return "(COLLECTORS + ISSUES) x SLOTS must be at most 64";
    if (cfg->issues * (cfg->slots + 3) > RF_REFCOUNT_PORTS_MAX) return "ISSUES x (SLOTS + 3) must be at most 24";
    if (cfg->exports < cfg->issues || cfg->exports > RF_EXPORTS_MAX || cfg->exports + cfg->issues > RF_EXPORTS_MAX)
        return "EXPORTS must be at least ISSUES, EXPORTS + ISSUES at most 8";
    if (cfg->ports < 1 || cfg->ports > 2) return "PORTS must be 1 or 2";
    if (cfg->sched > 2) return "SCHED must be 0 to 2";
    if (cfg->fetch < 1 || cfg->fetch > RF_WARPS_MAX) return "FETCH must be 1 to 64";
    if (cfg->wbdepth < 1 || cfg->wbdepth > RF_RESULT_DEPTH_MAX) return "WBDEPTH must be 1 to 16";
    if (cfg->delay < 3 || cfg->delay > 7) return "DELAY must be 3 to 7";
    if (cfg->pregs < 2 || cfg->pregs > RF_PREGS_MAX || cfg->pregs % cfg->banks != 0)
        return "PREGS must be 2 to 1024, a multiple of BANKS";
    if (cfg->reuse > 1 || cfg->vsb > 1 || cfg->loads > 1 || cfg->retry > 1 || cfg->capped > 1)
        return "REUSE, VSB, LOADS, RETRY and CAPPED must be 0 or 1";
    if (cfg->reuse == 0 && cfg->warps * rf_map_rows_per_warp(cfg->regs, cfg->banks) * cfg->banks > cfg->pregs)
        return "without REUSE, PREGS must be at least WARPS x ceil(REGS / BANKS) x BANKS";
    if (cfg->vcache > RF_VERIFY_CACHE_MAX) return "VCACHE must be 0 to 16";
    if (!power_of_two(cfg->entries, RF_REUSE_ENTRIES_MAX)) return "ENTRIES must be a power of two from 1 to 512";
    if (!power_of_two(cfg->ventries, RF_VSB_ENTRIES_MAX)) return "VENTRIES must be a power of two from 1 to 512";
    if (cfg->queue < 1 || cfg->queue > RF_PENDING_DEPTH_MAX) return "QUEUE must be 1 to 16";
    if (cfg->blocks < 1 || cfg->blocks > RF_BLOCKS_MAX) return "BLOCKS must be 1 to 16";
    if (cfg->verifiers < 1 || cfg->verifiers > RF_VERIFIERS_MAX) return "VERIFIERS must be 1 to 4";
    if (cfg->countw < 2 || cfg->countw > 16) return "COUNTW must be 2 to 16";
    return NULL;
}

/* ---- the units' configurations ---- */

static uint32_t info_width(const rf_wir_cfg *cfg) {
    return rf_wir_bits(cfg->pregs) + RF_WIR_BACK_BITS + 1 + rf_wir_bits(cfg->entries);
}

static rf_wir_issue_cfg issue_cfg(const rf_wir_cfg *cfg) {
    return (rf_wir_issue_cfg){.warps = cfg->warps,
                              .collectors = cfg->collectors,
                              .regs = cfg->regs,
                              .lanes = cfg->lanes,
                              .slots = cfg->slots,
                              .exports = cfg->exports,
                              .issues = cfg->issues,
                              .sched = cfg->sched,
                              .fetch = cfg->fetch,
                              .pregs = cfg->pregs,
                              .places = 2 + (cfg->reuse != 0 && cfg->retry != 0 ? cfg->queue : 0),
                              .reuse = cfg->reuse};
}

static rf_wir_collect_cfg collect_cfg(const rf_wir_cfg *cfg) {
    return (rf_wir_collect_cfg){.warps = cfg->warps,
                                .collectors = cfg->collectors,
                                .banks = cfg->banks,
                                .regs = cfg->regs,
                                .lanes = cfg->lanes,
                                .slots = cfg->slots,
                                .exports = cfg->exports,
                                .issues = cfg->issues,
                                .pregs = cfg->pregs,
                                .infow = info_width(cfg)};
}

static rf_wir_reuse_cfg reuse_cfg(const rf_wir_cfg *cfg) {
    return (rf_wir_reuse_cfg){.warps = cfg->warps,
                              .blocks = cfg->blocks,
                              .entries = cfg->entries,
                              .issues = cfg->issues,
                              .slots = cfg->slots,
                              .pregs = cfg->pregs,
                              .countw = cfg->countw};
}

static rf_wir_lane_cfg lane_cfg(const rf_wir_cfg *cfg) {
    return (rf_wir_lane_cfg){.warps = cfg->warps,
                             .issues = cfg->issues,
                             .regs = cfg->regs,
                             .lanes = cfg->lanes,
                             .slots = cfg->slots,
                             .exports = cfg->exports,
                             .pregs = cfg->pregs,
                             .banks = cfg->banks,
                             .queue = cfg->queue,
                             .reuse = cfg->reuse,
                             .loads = cfg->loads,
                             .retry = cfg->retry};
}

static rf_wir_results_cfg results_cfg(const rf_wir_cfg *cfg) {
    return (rf_wir_results_cfg){.warps = cfg->warps,
                                .regs = cfg->regs,
                                .lanes = cfg->lanes,
                                .exports = cfg->exports,
                                .issues = cfg->issues,
                                .banks = cfg->banks,
                                .stages = cfg->delay - 2,
                                .wbdepth = cfg->wbdepth,
                                .pregs = cfg->pregs,
                                .infow = info_width(cfg),
                                .verifiers = cfg->verifiers,
                                .reuse = cfg->reuse,
                                .vsb = cfg->vsb,
                                .ventries = cfg->ventries,
                                .vcache = cfg->vcache,
                                .capped = cfg->capped};
}

static rf_wir_retire_cfg retire_cfg(const rf_wir_cfg *cfg) {
    return (rf_wir_retire_cfg){.warps = cfg->warps,
                               .regs = cfg->regs,
                               .lanes = cfg->lanes,
                               .exports = cfg->exports,
                               .issues = cfg->issues,
                               .pregs = cfg->pregs,
                               .infow = info_width(cfg),
                               .verifiers = cfg->verifiers,
                               .reuse = cfg->reuse};
}

/* ---- init and reset ---- */

/* Arbiter and banks; rows follow from PREGS. Verify-reads ask as collectors of their own. */
static int init_banks(rf_wir *m, const rf_wir_cfg *cfg) {
    const uint32_t rows = cfg->pregs / cfg->banks;
    int bad = rf_arbiter_init(&m->arbiter, &(rf_arbiter_cfg){.banks = cfg->banks,
                                                             .collectors = cfg->collectors + cfg->issues,
                                                             .slots = cfg->slots,
                                                             .writers = cfg->exports,
                                                             .rows = rows,
                                                             .ports = cfg->ports});
    for (uint32_t i = 0; i < RF_BANKS_MAX; i++)
        bad |= rf_bank_init(&m->bank[i], &(rf_bank_cfg){.rows = rows, .lanes = cfg->lanes, .ports = cfg->ports});
    return bad;
}

int rf_wir_init(rf_wir *m, const rf_wir_cfg *cfg) {
    if (rf_wir_check(cfg) != NULL) return RF_E_CONFIG;
    const rf_wir_issue_cfg issue = issue_cfg(cfg);
    const rf_wir_lane_cfg lane = lane_cfg(cfg);
    const rf_wir_collect_cfg collect = collect_cfg(cfg);
    const rf_wir_results_cfg results = results_cfg(cfg);
    const rf_wir_retire_cfg retire = retire_cfg(cfg);
    const rf_wir_reuse_cfg reuse = reuse_cfg(cfg);
    m->cfg = *cfg;
    int bad = init_banks(m, cfg) | rf_wir_issue_init(&m->issue, &issue) | rf_wir_collect_init(&m->collect, &collect);
    for (uint32_t g = 0; g < RF_ISSUES_MAX; g++) bad |= rf_wir_lane_init(&m->lane[g], &lane);
    bad |= rf_wir_results_init(&m->results, &results) | rf_wir_retire_init(&m->retire, &retire);
    bad |= rf_wir_reuse_init(&m->reuse, &reuse);
    return bad;
}

/* Only what the configuration has: the rest stays as rf_wir_init left it. */
void rf_wir_reset(rf_wir *m) {
    const rf_wir_cfg *cfg = &m->cfg;
    rf_wir_issue_reset(&m->issue);
    rf_wir_collect_reset(&m->collect);
    rf_arbiter_reset(&m->arbiter);
    for (uint32_t b = 0; b < cfg->banks; b++) rf_bank_reset(&m->bank[b]);
    for (uint32_t g = 0; g < cfg->issues; g++) rf_wir_lane_reset(&m->lane[g]);
    rf_wir_results_reset(&m->results);
    rf_wir_retire_reset(&m->retire);
    rf_wir_reuse_reset(&m->reuse);
}
