/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/steal/env/rf_steal_count.h"

#include <math.h>

static uint64_t ones(uint64_t set) { return (uint64_t)__builtin_popcountll(set); }

/* Operands that ask and are not served. */
static void count_waits(rf_steal_count *n, const rf_steal_cfg *cfg, const rf_steal_wires *x) {
    const rf_arbiter_steal_in *ask = &x->arbiter_in;
    const rf_arbiter_steal_out *did = &x->arbiter;
    uint8_t collector[RF_BANKS_MAX];
    const uint64_t waiting = ask->rd_valid & ~did->rd_grant;
    if (waiting == 0) return;
    for (uint64_t left = did->rd_grant; left != 0; left &= left - 1) {
        const uint32_t r = rf_lowest(left);
        collector[ask->rd_bank[r]] = (uint8_t)(r / cfg->slots);
    }
    for (uint64_t left = waiting; left != 0; left &= left - 1) {
        const uint32_t r = rf_lowest(left), b = ask->rd_bank[r];
        if ((ask->rd_blocked >> r & 1) != 0) n->wait_stolen++;
        else if ((did->bank_we >> b & 1) != 0) n->wait_write++;
        else if ((did->recall >> b & 1) != 0) n->wait_recall++;
        else if (collector[b] == r / cfg->slots) n->wait_own++;
        else n->wait_read++;
    }
}

static void count_writes(rf_steal_count *n, const rf_steal_cfg *cfg, const rf_steal_wires *x) {
    const rf_arbiter_steal_in *ask = &x->arbiter_in;
    const rf_arbiter_steal_out *did = &x->arbiter;
    const uint32_t forced = (uint32_t)did->wr_grant & did->wr_forced, stolen = (uint32_t)did->wr_grant & did->wr_stolen;
    n->writes_stolen += ones(stolen);
    n->writes_forced += ones(forced);
    n->writes_normal += ones(did->wr_grant & ~(forced | stolen));
    n->writes_wait += ones(ask->wr_valid & ~(uint32_t)did->wr_grant);
    for (uint32_t left = did->link; left != 0; left &= left - 1) n->since[rf_lowest(left)] = n->cycles;
    n->linked += ones(ask->linked);
    if (did->recall != 0) {
        const uint64_t away = n->cycles - n->since[rf_lowest(did->recall)];
        n->back_in_1 += away <= 1;
        n->back_in_3 += away <= 3;
        n->back_forced += (did->recall & ask->force) != 0;
        n->back_idle += (did->recall & ask->force) == 0;
    }
    if (!did->ret_valid) return;
    for (uint32_t b = 0; b < cfg->banks; b++) {
        if ((did->bank_we >> b & 1) == 0 || did->bank_wsel[b] != did->ret_bus || (did->link >> b & 1) != 0) continue;
        bool wanted = false;
        for (uint64_t left = ask->rd_valid & ~ask->rd_blocked; left != 0; left &= left - 1)
            wanted |= ask->rd_bank[rf_lowest(left)] == b;
        n->back_stall += wanted;
        return;
    }
}

static void count_issues(rf_steal_count *n, const rf_steal_cfg *cfg, const rf_steal_in *in, const rf_steal_out *out,
                         const rf_stage_waits *waits) {
    const rf_steal_wires *x = &out->wires;
    n->issues_ahead += ones(x->steal);
    for (uint32_t left = out->issue_valid; left != 0; left &= left - 1) {
        const uint32_t w = out->issue_warp[rf_lowest(left)];
        if (in->ib_mask[w] != 0) n->delivered += ones(in->ib_src_valid[w]); /* with mask 0 it has no operands */
        n->names += ones(in->ib_name_valid[w]);
        for (uint32_t names = in->ib_name_valid[w]; names != 0; names &= names - 1) {
            const uint32_t b = (w + in->ib_name[w * RF_FREES_MAX + rf_lowest(names)]) % cfg->banks;
            n->names_lost += (((x->arbiter_in.linked & ~x->arbiter.recall) | x->arbiter.link) >> b & 1) != 0;
        }
    }
    const rf_stage_did did = {.issues = cfg->issues, .issued = out->issue_valid, .chosen = x->chosen, .hazard = x->hazard};
    rf_stage_slots_cycle(&n->slots, &did, waits);
    rf_stage_slots_dispatch(&n->slots, x->collected, x->dispatch.grant, in->ex_ready);
    rf_stage_slots_took(&n->slots, &in->stage, &out->stage, x->alloc.sel);
}

void rf_steal_count_cycle(rf_steal_count *n, const rf_steal_cfg *cfg, const rf_steal_in *in, const rf_steal_out *out,
                          const rf_stage_waits *waits) {
    const rf_steal_wires *x = &out->wires;
    n->cycles++;
    n->reads += ones(x->arbiter.rd_grant);
    n->reads_ahead += ones(x->arbiter.sr_grant);
    n->bank_busy += ones(x->arbiter.bank_re | x->arbiter.bank_we);
    n->bank_reads += ones(x->arbiter.bank_re);
    n->bank_writes += ones(x->arbiter.bank_we);
    n->recalls += ones(x->arbiter.recall);
    n->returns += x->arbiter.ret_valid;
    n->asked += ones(x->arbiter_in.rd_valid) + ones(x->arbiter_in.sr_valid) + ones(x->arbiter_in.wr_valid);
    n->collectors_busy += ones(x->busy);
    count_waits(n, cfg, x);
    count_writes(n, cfg, x);
    count_issues(n, cfg, in, out, waits);
}

/* At the prices of [hierarchy Table V]: the bank-stealing paper has its picojoules from a memory compiler and a layout, and
 * states shares alone. A stolen result is written twice, read once and moved over a result bus twice; what that adds is told
 * apart as well. No paper prices arbiter and Rfree table: how often they did something is told, and not counted. */
static void report_energy(const rf_steal_count *n, const rf_steal_cfg *cfg, const rf_energy_wires *wires, ls_counter_fn *sink,
                          void *ctx) {
    const rf_energy_counts all = {.bank_reads = n->bank_reads,
                                  .bank_writes = n->bank_writes,
                                  .collector_reads = n->delivered,
                                  .collector_writes = n->reads + n->reads_ahead,
                                  .bank_collector = n->reads + n->reads_ahead,
                                  .result_bank = n->bank_writes};
    const rf_energy_counts back = {.bank_reads = n->recalls, .bank_writes = n->returns, .result_bank = n->returns};
    sink(ctx, "bank_reads", (double)n->bank_reads);
    sink(ctx, "bank_writes", (double)n->bank_writes);
    sink(ctx, "operands_delivered", (double)n->delivered);
    sink(ctx, "energy_uj", rf_energy(&all, wires, cfg->lanes) * 1e-6);
    sink(ctx, "energy_of_stealing_uj", rf_energy(&back, wires, cfg->lanes) * 1e-6);
    sink(ctx, "energy_bank_collector_mm", wires->bank_collector);
    sink(ctx, "energy_result_bank_mm", wires->result_bank);
    sink(ctx, "unpriced_arbiter_requests", (double)n->asked);
    sink(ctx, "unpriced_rfree_table_writes", (double)(n->names + n->writes_stolen + n->recalls));
}

void rf_steal_count_report(const rf_steal_count *n, const rf_steal_cfg *cfg, const rf_energy_wires *wires, ls_counter_fn *sink,
                           void *ctx) {
    const double cycles = n->cycles != 0 ? (double)n->cycles : (double)NAN;
    sink(ctx, "reads", (double)n->reads);
    sink(ctx, "reads_ahead", (double)n->reads_ahead);
    sink(ctx, "issues_ahead", (double)n->issues_ahead);
    sink(ctx, "wait_read", (double)n->wait_read);
    sink(ctx, "wait_own", (double)n->wait_own);
    sink(ctx, "wait_write", (double)n->wait_write);
    sink(ctx, "wait_recall", (double)n->wait_recall);
    sink(ctx, "wait_stolen", (double)n->wait_stolen);
    sink(ctx, "writes_normal", (double)n->writes_normal);
    sink(ctx, "writes_stolen", (double)n->writes_stolen);
    sink(ctx, "writes_forced", (double)n->writes_forced);
    sink(ctx, "writes_wait", (double)n->writes_wait);
    sink(ctx, "back_idle", (double)n->back_idle);
    sink(ctx, "back_forced", (double)n->back_forced);
    sink(ctx, "back_in_1", (double)n->back_in_1);
    sink(ctx, "back_in_3", (double)n->back_in_3);
    sink(ctx, "back_stall", (double)n->back_stall);
    sink(ctx, "names", (double)n->names);
    sink(ctx, "names_lost", (double)n->names_lost);
    sink(ctx, "linked_mean", (double)n->linked / cycles);
    report_energy(n, cfg, wires, sink, ctx);
    sink(ctx, "bank_busy_share", (double)n->bank_busy / cycles / cfg->banks);
    sink(ctx, "collectors_busy_mean", (double)n->collectors_busy / cycles);
    rf_stage_slots_stalls(&n->slots, sink, ctx);
    rf_stage_slots_report(&n->slots, NULL, NULL, sink, ctx);
}
