/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/hierarchy/env/rf_hierarchy_count.h"

#include <math.h>
#include <string.h>

#include "cmodel/compiler/rf_level_alloc.h"

static uint64_t ones(uint64_t set) { return (uint64_t)__builtin_popcountll(set); }

/* Operands of the instruction that issues, each register once. */
static void count_issue(rf_hierarchy_count *n, const rf_hierarchy_cfg *cfg, const rf_hierarchy_in *in,
                        const rf_hierarchy_out *out) {
    const rf_hierarchy_wires *x = &out->wires;
    const rf_levels_issue *issue = &x->levels.issue;
    uint64_t last[RF_REGS_MAX / 64] = {0};
    if (out->issue_valid == 0) return;
    n->suspended += cfg->sched >= 2 && cfg->active < cfg->warps && (in->ib_leave >> x->warp & 1) != 0;
    n->delivered_shared += issue->shared ? ones(issue->valid) : 0;
    for (uint32_t left = issue->valid; left != 0; left &= left - 1) {
        const uint32_t s = rf_lowest(left), reg = issue->reg[s];
        const bool hit = (x->levels.found.hit >> s & 1) != 0, l0 = (x->levels.found.hit_l0 >> s & 1) != 0;
        bool again = false;
        for (uint32_t low = issue->valid & ((1u << s) - 1); low != 0; low &= low - 1)
            again |= issue->reg[rf_lowest(low)] == reg && ((x->levels.found.hit >> rf_lowest(low) & 1) != 0) == hit;
        if (cfg->managed == 0 && hit && (issue->last >> s & 1) != 0) last[reg / 64] |= UINT64_C(1) << (reg % 64);
        if (again) continue;
        rf_level_count *level = l0 ? &n->l0 : &n->l1;
        n->operands++;
        level->reads += hit;
        level->shared_reads += hit && issue->shared;
    }
    for (uint32_t i = 0; i < RF_REGS_MAX / 64; i++) n->last_reads += ones(last[i]);
}

static void count_write(rf_hierarchy_count *n, bool l0, bool shared) {
    rf_level_count *level = l0 ? &n->l0 : &n->l1;
    level->writes++;
    level->shared_writes += shared;
}

/* What the upper levels take and send. */
static void count_levels(rf_hierarchy_count *n, const rf_hierarchy_cfg *cfg, const rf_hierarchy_wires *x) {
    const rf_levels_way *way = &x->levels.way;
    if (cfg->levels == 1) return;
    if (x->levels.keep.valid && rf_levels_slot(&x->levels.slots, x->levels.keep.warp) != RF_LEVELS_NO_SLOT) {
        n->kept++;
        count_write(n, x->levels.keep.name >= RF_LEVEL_L0, x->levels.keep.shared);
    }
    if ((x->arbiter.wr_grant >> cfg->exports & 1) != 0) {
        n->flushes++;
        (way->flush_plan.sent == RF_RFC_L0 ? &n->l0 : &n->l1)->sent++;
    }
    if ((x->written & way->offer) == 0) return;
    const uint32_t note = x->levels.heads.note[way->queue];
    const bool shared = (note & RF_NOTE_SHARED) != 0;
    if (cfg->managed != 0) {
        count_write(n, (note & RF_NOTE_NAME) >= RF_LEVEL_L0, shared);
        return;
    }
    if (way->evicts) {
        n->evictions++;
        (way->plan.sent == RF_RFC_L0 ? &n->l0 : &n->l1)->sent++;
    }
    if (way->plan.moved != RF_RFC_NONE) {
        n->moves++;
        count_write(n, false, false);
    }
    if (way->plan.into != RF_RFC_NONE) count_write(n, way->plan.into == RF_RFC_L0, shared);
}

static uint32_t filled_find(const rf_filled *f, uint32_t reg) {
    uint32_t left = f->valid;
    while (left != 0 && f->reg[rf_lowest(left)] != reg) left &= left - 1;
    return left != 0 ? rf_lowest(left) : RF_LEVEL_ENTRIES_MAX;
}

static void filled_take(rf_hierarchy_count *n, rf_filled *f, uint32_t entries, uint32_t reg, bool dirty) {
    const uint32_t bit = 1u << f->oldest;
    n->filled_writes += (f->valid & f->dirty & bit) != 0;
    f->reg[f->oldest] = (uint8_t)reg;
    f->valid |= (uint8_t)bit;
    f->dirty = (uint8_t)(dirty ? f->dirty | bit : f->dirty & ~bit);
    f->oldest = (uint8_t)((f->oldest + 1u) % entries);
}

/* The rules of rf_rfc.h without an L0. */
static void filled_write(rf_hierarchy_count *n, rf_filled *f, const rf_hierarchy_cfg *cfg, const rf_rfc_result *result) {
    const uint32_t at = filled_find(f, result->reg), bit = at < RF_LEVEL_ENTRIES_MAX ? 1u << at : 0;
    const bool full = result->mask == rf_all_lanes(cfg->lanes);
    if (bit != 0 && !(full && result->around)) {
        f->dirty |= (uint8_t)bit;
    } else if (full && !result->around) {
        filled_take(n, f, cfg->entries, result->reg, true);
    } else {
        n->filled_writes++;
        f->valid &= (uint8_t)~bit;
    }
}

/* What the instruction that issues lacks is read from the MRF, and takes entries once all sources were looked up. */
static void count_filled(rf_hierarchy_count *n, const rf_hierarchy_cfg *cfg, const rf_hierarchy_out *out) {
    const rf_hierarchy_wires *x = &out->wires;
    const rf_levels_issue *issue = &x->levels.issue;
    const rf_levels_way *way = &x->levels.way;
    uint8_t missed[RF_SLOTS_MAX];
    uint32_t misses = 0;
    if (!rf_hierarchy_fills(cfg)) return;
    for (uint32_t left = out->issue_valid != 0 ? issue->valid : 0; left != 0; left &= left - 1) {
        const uint8_t reg = issue->reg[rf_lowest(left)];
        if (filled_find(&n->filled[issue->slot], reg) < RF_LEVEL_ENTRIES_MAX || memchr(missed, reg, misses) != NULL) continue;
        missed[misses++] = reg;
    }
    n->filled_reads += misses;
    for (uint32_t m = 0; m < misses; m++) filled_take(n, &n->filled[issue->slot], cfg->entries, missed[m], false);
    if ((x->written & way->offer) != 0) filled_write(n, &n->filled[way->slot], cfg, &way->result);
}

static void count_slots(rf_hierarchy_count *n, const rf_hierarchy_cfg *cfg, const rf_hierarchy_in *in,
                        const rf_hierarchy_out *out, const rf_stage_waits *waits) {
    const rf_hierarchy_wires *x = &out->wires;
    uint64_t active = UINT64_MAX;
    if (cfg->sched >= 2) {
        active = 0;
        for (uint32_t left = x->levels.slots.held & ~x->levels.slots.leaving; left != 0; left &= left - 1)
            active |= UINT64_C(1) << x->levels.slots.warp[rf_lowest(left)];
    }
    const rf_stage_did did = {.issues = 1,
                              .issued = out->issue_valid,
                              .chosen = x->chosen,
                              .kept = x->ready & ~active,
                              .hazard = x->hazard | (x->pend & in->ib_valid)};
    rf_stage_slots_cycle(&n->slots, &did, waits);
    rf_stage_slots_dispatch(&n->slots, x->collected, x->dispatch.grant, in->ex_ready);
    rf_stage_slots_took(&n->slots, &in->stage, &out->stage, x->alloc.sel);
}

void rf_hierarchy_count_cycle(rf_hierarchy_count *n, const rf_hierarchy_cfg *cfg, const rf_hierarchy_in *in,
                              const rf_hierarchy_out *out, const rf_stage_waits *waits) {
    const rf_hierarchy_wires *x = &out->wires;
    n->cycles++;
    count_issue(n, cfg, in, out);
    count_levels(n, cfg, x);
    count_filled(n, cfg, out);
    n->reads += ones(x->arbiter.rd_grant);
    n->writes += ones(x->arbiter.wr_grant);
    n->read_read += ones(x->arbiter_in.rd_valid & ~x->arbiter.rd_grant);
    n->write_write += ones(x->arbiter_in.wr_valid & ~(uint32_t)x->arbiter.wr_grant);
    n->asked += ones(x->arbiter_in.rd_valid) + ones(x->arbiter_in.wr_valid);
    n->bank_busy += ones(x->arbiter.bank_re | x->arbiter.bank_we);
    n->collectors_busy += ones(x->busy);
    n->entered += x->enters != 0;
    if (cfg->sched >= 2) {
        n->active += ones(x->levels.slots.held & ~x->levels.slots.leaving);
        n->leaving += ones(x->levels.slots.leaving);
    }
    count_slots(n, cfg, in, out, waits);
}

static void report_level(const rf_level_count *level, const char *const names[5], ls_counter_fn *sink, void *ctx) {
    sink(ctx, names[0], (double)level->reads);
    sink(ctx, names[1], (double)level->shared_reads);
    sink(ctx, names[2], (double)level->writes);
    sink(ctx, names[3], (double)level->shared_writes);
    sink(ctx, names[4], (double)level->sent);
}

/* Microjoules of accesses and wires by the paper's prices for this many entries and active warps; the prices are counters too, in
 * picojoules, so that a page can price one run as another. What an entry that is sent to the MRF costs on its way is that of the
 * write there. */
static double price(const rf_level_count *level, uint64_t moves, const rf_level_energy *each, uint32_t lanes) {
    const double reads = (double)(level->reads - level->shared_reads + level->sent + moves) * each->read_private +
                         (double)level->shared_reads * each->read_shared;
    const double writes =
        (double)(level->writes - level->shared_writes) * each->write_private + (double)level->shared_writes * each->write_shared;
    return (reads + writes) * lanes / RF_LANES_MAX * 1e-6;
}

static void report_energy(const rf_hierarchy_count *n, const rf_hierarchy_cfg *cfg, ls_counter_fn *sink, void *ctx) {
    const rf_level_count banks = {.reads = n->reads, .writes = n->writes};
    rf_level_options prices = rf_level_defaults();
    prices.entries = cfg->entries;
    rf_level_energies(&prices, cfg->active);
    const double mrf = price(&banks, 0, &prices.mrf, cfg->lanes), l1 = price(&n->l1, 0, &prices.l1, cfg->lanes),
                 l0 = price(&n->l0, n->moves, &prices.l0_energy, cfg->lanes);
    sink(ctx, "energy_uj", mrf + l1 + l0);
    sink(ctx, "energy_banks_uj", mrf);
    sink(ctx, "energy_l1_uj", l1);
    sink(ctx, "energy_l0_uj", l0);
    sink(ctx, "pj_banks_read", prices.mrf.read_private);
    sink(ctx, "pj_banks_write", prices.mrf.write_private);
    sink(ctx, "pj_l1_read", prices.l1.read_private);
    sink(ctx, "pj_l1_shared_read", prices.l1.read_shared);
    sink(ctx, "pj_l1_write", prices.l1.write_private);
    sink(ctx, "pj_l1_shared_write", prices.l1.write_shared);
    sink(ctx, "pj_l0_read", prices.l0_energy.read_private);
    sink(ctx, "pj_l0_write", prices.l0_energy.write_private);
}

void rf_hierarchy_count_report(const rf_hierarchy_count *n, const rf_hierarchy_cfg *cfg, const rf_energy_wires *wires,
                               ls_counter_fn *sink, void *ctx) {
    static const char *const l1[] = {"l1_reads", "l1_shared_reads", "l1_writes", "l1_shared_writes", "l1_sent"};
    static const char *const l0[] = {"l0_reads", "l0_shared_reads", "l0_writes", "l0_shared_writes", "l0_sent"};
    const double cycles = n->cycles != 0 ? (double)n->cycles : (double)NAN;
    (void)wires; /* the paper's own: its Table V */
    report_energy(n, cfg, sink, ctx);
    sink(ctx, "operands", (double)n->operands);
    sink(ctx, "delivered_shared", (double)n->delivered_shared);
    sink(ctx, "reads", (double)n->reads);
    sink(ctx, "writes", (double)n->writes);
    report_level(&n->l1, l1, sink, ctx);
    report_level(&n->l0, l0, sink, ctx);
    sink(ctx, "l0_moves", (double)n->moves);
    sink(ctx, "evictions", (double)n->evictions);
    sink(ctx, "flushes", (double)n->flushes);
    sink(ctx, "filled_reads", rf_hierarchy_fills(cfg) ? (double)n->filled_reads : (double)NAN);
    sink(ctx, "filled_writes", rf_hierarchy_fills(cfg) ? (double)n->filled_writes : (double)NAN);
    sink(ctx, "kept", (double)n->kept);
    sink(ctx, "last_reads", (double)n->last_reads);
    sink(ctx, "suspended", (double)n->suspended);
    sink(ctx, "entered", (double)n->entered);
    sink(ctx, "active_mean", (double)n->active / cycles);
    sink(ctx, "leaving_mean", (double)n->leaving / cycles);
    sink(ctx, "unpriced_arbiter_requests", (double)n->asked);
    sink(ctx, "read_read_conflicts", (double)n->read_read);
    sink(ctx, "write_write_conflicts", (double)n->write_write);
    sink(ctx, "bank_busy_share", (double)n->bank_busy / cycles / cfg->banks);
    sink(ctx, "collectors_busy_mean", (double)n->collectors_busy / cycles);
    rf_stage_slots_stalls(&n->slots, sink, ctx);
    rf_stage_slots_report(&n->slots, NULL, "slot_inactive", sink, ctx);
}
