/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/hierarchy/rf_hierarchy.h"

#include "cmodel/banked/rf_stage_parts.h"
#include "cmodel/hierarchy/rf_sched_two_level_parts.h"

static bool two_level(const rf_hierarchy_cfg *cfg) { return cfg->sched >= 2; }

/* Of the units that rf_banked has, too; the arbiter and the queues differ. */
static rf_banked_cfg stage_cfg(const rf_hierarchy_cfg *cfg) {
    return (rf_banked_cfg){.warps = cfg->warps,
                           .collectors = cfg->collectors,
                           .banks = cfg->banks,
                           .regs = cfg->regs,
                           .lanes = cfg->lanes,
                           .slots = cfg->slots,
                           .exports = cfg->exports,
                           .issues = 1,
                           .ports = 2,
                           .sched = cfg->sched & 1,
                           .fetch = 1,
                           .wbdepth = cfg->wbdepth};
}

const char *rf_hierarchy_check(const rf_hierarchy_cfg *cfg) {
    const rf_banked_cfg stage = stage_cfg(cfg);
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->exports < 1 || cfg->exports >= RF_EXPORTS_MAX) return "EXPORTS must be 1 to 7";
    if (cfg->issues != 1) return "ISSUES must be 1";
    const char *wrong = rf_banked_check(&stage);
    if (wrong != NULL) return wrong;
    if (cfg->sched > 3) return "SCHED must be 0 to 3";
    if (cfg->active < 1 || cfg->active > RF_ACTIVE_MAX || cfg->active > cfg->warps)
        return "ACTIVE must be 1 to 32, at most WARPS";
    if (cfg->levels < 1 || cfg->levels > 3 || (cfg->levels > 1 && !two_level(cfg)))
        return "LEVELS must be 1 to 3, 1 with SCHED 0 or 1";
    if (cfg->managed > 1) return "MANAGED must be 0 or 1";
    if (cfg->entries < 1 || cfg->entries > RF_LEVEL_ENTRIES_MAX) return "ENTRIES must be 1 to 8";
    if (cfg->split > 1) return "SPLIT must be 0 or 1";
    if (cfg->policy > 1) return "POLICY must be 0 or 1";
    if (cfg->liveness > 1) return "LIVENESS must be 0 or 1";
    return NULL;
}

int rf_hierarchy_init(rf_hierarchy *m, const rf_hierarchy_cfg *cfg) {
    if (rf_hierarchy_check(cfg) != NULL) return RF_E_CONFIG;
    const rf_banked_cfg stage = stage_cfg(cfg);
    const uint32_t rows = cfg->warps * rf_map_rows_per_warp(cfg->regs, cfg->banks);
    int bad = rf_banked_init(&m->stage, &stage);
    m->cfg = *cfg;
    bad |= rf_sched_two_level_init(
        &m->sched, &(rf_sched_two_level_cfg){.warps = cfg->warps, .active = cfg->active, .policy = cfg->sched & 1});
    bad |= rf_levels_init(&m->levels, &(rf_levels_cfg){.warps = cfg->warps,
                                                       .regs = cfg->regs,
                                                       .lanes = cfg->lanes,
                                                       .slots = cfg->slots,
                                                       .exports = cfg->exports,
                                                       .active = cfg->active,
                                                       .managed = cfg->managed,
                                                       .entries = cfg->entries,
                                                       .l0 = cfg->levels < 3 ? 0 : 1 + (cfg->managed & cfg->split),
                                                       .policy = cfg->policy});
    bad |= rf_rr_init(&m->keep, &(rf_rr_cfg){.n = cfg->collectors});
    bad |= rf_arbiter_init(&m->stage.arbiter, &(rf_arbiter_cfg){.banks = cfg->banks,
                                                                .collectors = cfg->collectors,
                                                                .slots = cfg->slots,
                                                                .writers = cfg->exports + 1,
                                                                .rows = rows,
                                                                .ports = 2});
    for (uint32_t e = 0; e < RF_EXPORTS_MAX; e++)
        bad |= rf_wbq_init(&m->stage.wbq[e], &(rf_wbq_cfg){.depth = cfg->wbdepth,
                                                           .lanes = cfg->lanes,
                                                           .warps = cfg->warps,
                                                           .regs = cfg->regs,
                                                           .banks = cfg->banks,
                                                           .rows = rows,
                                                           .note = RF_NOTE_W});
    rf_hierarchy_reset(m);
    return bad;
}

void rf_hierarchy_reset(rf_hierarchy *m) {
    rf_banked_reset(&m->stage);
    rf_sched_two_level_reset(&m->sched);
    rf_levels_reset(&m->levels);
    rf_rr_reset(&m->keep);
    m->fill_q = 0;
    m->fill_slots_q = 0;
    memset(m->fill_data_q, 0, sizeof m->fill_data_q);
    memset(m->to_q, 0, sizeof m->to_q);
    memset(m->keep_q, 0, sizeof m->keep_q);
    memset(m->keep_name_q, 0, sizeof m->keep_name_q);
}

/* ---- issue ---- */

/* Warps whose head names what is under way to their slot's file. */
static inline uint64_t pends(const rf_hierarchy *m, const rf_hierarchy_in *in) {
    uint64_t warps = 0;
    if (m->cfg.levels == 1 || m->cfg.managed == 0) return 0;
    for (uint32_t left = m->sched.held_q; left != 0; left &= left - 1) {
        const uint32_t a = rf_lowest(left), w = m->sched.warp_q[a], pend = rf_levels_pend(&m->levels, a);
        const bool waits = pend != 0 && rf_levels_waits(pend, rf_stage_sources(&in->stage, w), &in->ib_from[w * m->cfg.slots],
                                                        rf_stage_writes(&in->stage, w), in->ib_to[w]);
        warps |= (uint64_t)waits << w;
    }
    return warps;
}

/* The warp that the scheduler chooses among those that are ready. */
static inline void choose(const rf_hierarchy *m, rf_hierarchy_wires *wires) {
    wires->slot = 0;
    wires->free = 0;
    wires->enters = 0;
    if (!two_level(&m->cfg)) {
        wires->chosen = wires->ready != 0;
        wires->warp = (uint8_t)(wires->chosen ? rf_stage_choose(&m->stage, 0, wires->ready) : 0);
        return;
    }
    const uint32_t slots = rf_sched_two_level_ready(&m->sched, wires->ready);
    wires->chosen = slots != 0;
    wires->slot = (uint8_t)(slots != 0 ? rf_sched_two_level_choose(&m->sched, slots) : 0);
    wires->warp = slots != 0 ? m->sched.warp_q[wires->slot] : 0;
    if (!rf_sched_two_level_outer(&m->sched)) return;
    wires->free = rf_sched_two_level_free(&m->sched);
    wires->enters = rf_sched_two_level_enter(&m->sched, wires->ready, wires->free);
}

static inline void issue(const rf_hierarchy *m, const rf_hierarchy_in *in, uint64_t overtakes, rf_hierarchy_out *out) {
    rf_hierarchy_wires *wires = &out->wires;
    wires->hazard = rf_stage_hazards(&m->stage, &in->stage, overtakes);
    wires->pend = pends(m, in);
    wires->ready = in->ib_valid & ~(wires->hazard | wires->pend);
    choose(m, wires);
    rf_ocu_alloc_comb(&m->stage.alloc, &(rf_ocu_alloc_in){.busy = wires->busy, .req = wires->chosen}, &wires->alloc);
    out->issue_valid = wires->alloc.grant;
    out->issue_warp[0] = out->issue_valid != 0 ? wires->warp : 0;
}

/* ---- upper levels ---- */

/* What the levels are told of the scheduler and of the instruction that issues. */
static inline void drive_levels(const rf_hierarchy *m, const rf_hierarchy_in *in, rf_hierarchy_out *out) {
    rf_hierarchy_wires *wires = &out->wires;
    const uint32_t w = wires->warp;
    wires->levels.slots = (rf_levels_slots){.held = m->sched.held_q,
                                            .leaving = m->sched.leaving_q,
                                            .enter = wires->enters != 0 ? wires->free : 0,
                                            .warp = m->sched.warp_q};
    wires->levels.issue = (rf_levels_issue){.slot = wires->slot,
                                            .valid = rf_stage_sources(&in->stage, w),
                                            .reg = &in->ib_src[w * m->cfg.slots],
                                            .from = &in->ib_from[w * m->cfg.slots],
                                            .last = m->cfg.liveness != 0 ? in->ib_last[w] : 0,
                                            .read = out->issue_valid != 0,
                                            .shared = in->ib_shared >> w & 1,
                                            .ends = in->ib_ends >> w & 1,
                                            .dst_valid = rf_stage_writes(&in->stage, w),
                                            .to = in->ib_to[w]};
    if (m->cfg.levels == 1) wires->levels.found = (rf_levels_found){0};
    else wires->levels.found = rf_levels_look_up(&m->levels, &wires->levels.issue);
}

/* Collectors that keep an operand, all operands there: one of them a cycle may be dispatched. Returns what may be. */
static inline uint32_t offered(const rf_hierarchy *m, rf_hierarchy_wires *wires) {
    uint32_t keepers = 0;
    wires->keeps = 0;
    if (m->cfg.levels == 1 || m->cfg.managed == 0) return wires->collected;
    for (uint32_t left = wires->collected; left != 0; left &= left - 1)
        keepers |= (uint32_t)(m->keep_q[rf_lowest(left)] != 0) << rf_lowest(left);
    wires->keeps = (uint16_t)rf_rr_pick(keepers, m->keep.mask_q);
    return wires->collected & (~keepers | wires->keeps);
}

/* The operand that is kept in this cycle. */
static inline void keep(const rf_hierarchy *m, rf_hierarchy_wires *wires) {
    wires->levels.keep.valid = (wires->keeps & wires->dispatch.grant) != 0;
    if (!wires->levels.keep.valid) return;
    const uint32_t c = rf_lowest(wires->keeps);
    const rf_ocu *u = &m->stage.ocu[c];
    wires->levels.keep = (rf_levels_keep){.valid = true,
                                          .shared = (m->to_q[c] & RF_NOTE_SHARED) != 0,
                                          .warp = (uint8_t)u->carried_q.warp,
                                          .name = m->keep_name_q[c],
                                          .mask = u->carried_q.mask,
                                          .data = &u->data_q[rf_lowest(m->keep_q[c])]};
}

/* Heads of the queues, and who asks for the banks. */
static inline void results(const rf_hierarchy *m, rf_hierarchy_wires *wires) {
    rf_levels_heads *heads = &wires->levels.heads;
    rf_levels_way *way = &wires->levels.way;
    rf_arbiter_in *ask = &wires->arbiter_in;
    heads->valid = 0;
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        const rf_wbq *q = &m->stage.wbq[e];
        const uint32_t head = rf_wbq_head(q);
        if (!rf_wbq_asks(q)) continue;
        heads->valid |= 1u << e;
        heads->warp[e] = q->warp_q[head];
        heads->reg[e] = q->reg_q[head];
        heads->note[e] = q->note_q[head];
        heads->mask[e] = q->mask_q[head];
        heads->data[e] = &q->data_q[head];
    }
    /* With one level no head has a slot: each asks for itself. */
    const uint32_t held = wires->levels.slots.held;
    if (m->cfg.levels == 1) wires->levels.slots.held = 0;
    rf_levels_route(&m->levels, &wires->levels);
    wires->levels.slots.held = held;
    ask->wr_valid = (uint8_t)way->ask;
    for (uint32_t left = way->ask; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        ask->wr_bank[e] = (uint8_t)rf_map_bank(way->ask_warp[e], way->ask_reg[e], m->cfg.banks);
        ask->wr_row[e] = rf_stage_row(&m->stage.cfg, way->ask_warp[e], way->ask_reg[e]);
    }
}

/* ---- a cycle ---- */

static void control(const rf_hierarchy *m, const rf_hierarchy_in *in, rf_hierarchy_out *out) {
    rf_hierarchy_wires *wires = &out->wires;
    rf_arbiter_in *ask = &wires->arbiter_in;
    rf_dispatch_in dispatch_in;
    const uint64_t overtakes = rf_stage_collectors(&m->stage, &in->stage, &wires->busy, &wires->collected, dispatch_in.port,
                                                   &ask->rd_valid, ask->rd_bank, ask->rd_row);
    issue(m, in, overtakes, out);
    drive_levels(m, in, out);
    dispatch_in.ready = (uint16_t)offered(m, wires);
    dispatch_in.ex_ready = in->ex_ready;
    rf_stage_offer(&m->stage.dispatch, m->stage.ocu, m->cfg.exports, &dispatch_in, &wires->dispatch, &out->stage);
    for (uint32_t e = 0; e < m->cfg.exports; e++)
        out->ex_to[e] = (out->ex_valid >> e & 1) != 0 ? m->to_q[wires->dispatch.ex_sel[e]] : 0;
    keep(m, wires);
    results(m, wires);
    out->res_ready = 0;
    for (uint32_t e = 0; e < m->cfg.exports; e++) out->res_ready |= (uint8_t)(rf_wbq_ready(&m->stage.wbq[e]) << e);
    rf_arbiter_comb(&m->stage.arbiter, ask, &wires->arbiter);
    wires->written = (uint8_t)rf_levels_done(&wires->levels.way, m->cfg.exports, wires->arbiter.wr_grant);
}

/* The banks that were granted read, then write what was granted. */
static inline void move_rows(rf_hierarchy *m, const rf_hierarchy_wires *wires) {
    const rf_levels_way *way = &wires->levels.way;
    rf_stage_read(m->stage.bank, wires->arbiter.bank_re, wires->arbiter.bank_raddr);
    for (uint32_t left = wires->arbiter.wr_grant; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        rf_bank_write(&m->stage.bank[wires->arbiter_in.wr_bank[e]], wires->arbiter_in.wr_row[e], way->ask_mask[e],
                      way->ask_data[e]);
    }
}

/* What fills a collector from above in the next cycle. */
static inline void move_fill(rf_hierarchy *m, const rf_hierarchy_out *out) {
    const rf_hierarchy_wires *wires = &out->wires;
    const bool fills = out->issue_valid != 0 && wires->levels.found.hit != 0;
    m->fill_q = fills ? wires->alloc.alloc : 0;
    if (!fills) return;
    m->fill_slots_q = (uint8_t)wires->levels.found.hit;
    for (uint32_t s = 0; s < m->cfg.slots; s++) {
        if ((wires->levels.found.hit >> s & 1) != 0)
            rf_levels_value(&m->levels, &wires->levels.issue, &wires->levels.found, s, &m->fill_data_q[s]);
        else memset(&m->fill_data_q[s], 0, sizeof m->fill_data_q[s]);
    }
}

/* The collector that takes an instruction takes its note and what it keeps. */
static inline void move_notes(rf_hierarchy *m, const rf_hierarchy_in *in, const rf_hierarchy_out *out) {
    const rf_hierarchy_wires *wires = &out->wires;
    if (out->issue_valid == 0) return;
    const uint32_t c = rf_lowest(wires->alloc.alloc), w = wires->warp;
    const uint32_t kept =
        m->cfg.levels > 1 && m->cfg.managed != 0 ? rf_levels_kept(wires->levels.issue.valid, wires->levels.issue.from) : 0;
    m->to_q[c] = (uint8_t)(in->ib_to[w] | (wires->levels.issue.shared ? RF_NOTE_SHARED : 0));
    m->keep_q[c] = (uint8_t)kept;
    m->keep_name_q[c] = kept != 0 ? wires->levels.issue.from[rf_lowest(kept)] & RF_NOTE_NAME : 0;
}

/* The crossbar and the registers of the upper levels fill collectors. */
static inline void fill(rf_hierarchy *m) {
    rf_stage_fill(&m->stage);
    if (m->fill_q == 0) return;
    rf_ocu *u = &m->stage.ocu[rf_lowest(m->fill_q)];
    for (uint32_t left = u->fill_q & m->fill_slots_q; left != 0; left &= left - 1)
        rf_ocu_fill(u, rf_lowest(left), &m->fill_data_q[rf_lowest(left)]);
}

static inline void clock_scheduler(rf_hierarchy *m, const rf_hierarchy_in *in, const rf_hierarchy_out *out) {
    const rf_hierarchy_wires *wires = &out->wires;
    if (!two_level(&m->cfg)) {
        rf_stage_clock_schedulers(&m->stage, &in->stage, wires->ready, out->issue_valid);
        return;
    }
    const rf_sched_two_level_in edge = {.ready = wires->ready,
                                        .launch = in->launch,
                                        .take = out->issue_valid,
                                        .leave = in->ib_leave >> wires->warp & 1,
                                        .hold = m->cfg.levels > 1 ? rf_levels_hold(&m->levels) : 0};
    rf_sched_two_level_move(&m->sched, &edge, out->issue_valid != 0, wires->slot, wires->enters, wires->free);
}

/* The sources' banks were granted, the heads of `written` leave their queues. Levels are read before the scheduler moves on. */
static void edge(rf_hierarchy *m, const rf_hierarchy_in *in, const rf_hierarchy_out *out) {
    const rf_hierarchy_wires *wires = &out->wires;
    rf_stage_clock_scoreboard(&m->stage, &in->stage, &out->stage, wires->written);
    rf_arbiter_move(&m->stage.arbiter, &wires->arbiter_in, &wires->arbiter);
    rf_dispatch_move(&m->stage.dispatch, &wires->dispatch, in->ex_ready);
    fill(m);
    move_rows(m, wires);
    move_fill(m, out);
    rf_stage_clock_collectors(&m->stage, &in->stage, &out->stage, wires->arbiter.rd_grant, wires->dispatch.grant, &wires->alloc,
                              wires->levels.found.hit);
    clock_scheduler(m, in, out);
    if (m->cfg.levels > 1) {
        rf_levels_move(&m->levels, &wires->levels, wires->arbiter.wr_grant);
        if (wires->levels.keep.valid) m->keep.mask_q = rf_rr_next(wires->keeps, m->cfg.collectors);
    }
    move_notes(m, in, out);
    rf_stage_clock_queues(&m->stage, &in->stage, in->res_to, wires->written);
}

void rf_hierarchy_comb(const rf_hierarchy *m, const rf_hierarchy_in *in, rf_hierarchy_out *out) {
    control(m, in, out);
    rf_stage_deliver(m->stage.ocu, m->cfg.exports, m->cfg.slots, &out->wires.dispatch, out->ex_data);
}

void rf_hierarchy_clock(rf_hierarchy *m, const rf_hierarchy_in *in) {
    rf_hierarchy_out out;
    control(m, in, &out);
    edge(m, in, &out);
}

void rf_hierarchy_step(rf_hierarchy *m, const rf_hierarchy_in *in, rf_hierarchy_out *out) {
    control(m, in, out);
    rf_stage_deliver(m->stage.ocu, m->cfg.exports, m->cfg.slots, &out->wires.dispatch, out->ex_data);
    edge(m, in, out);
}
