/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/banked/env/rf_banked_count.h"

#include <math.h>

static void count_slots(rf_banked_count *c, const rf_banked_cfg *cfg, const rf_banked_in *in, const rf_banked_out *out,
                        const rf_stage_waits *waits) {
    const rf_banked_wires *x = &out->wires;
    const rf_stage_did did = {.issues = cfg->issues, .issued = out->issue_valid, .chosen = x->chosen, .hazard = x->hazard};
    rf_stage_slots_cycle(&c->slots, &did, waits);
    rf_stage_slots_dispatch(&c->slots, x->collected, x->dispatch.grant, in->ex_ready);
    rf_stage_slots_took(&c->slots, &in->stage, &out->stage, x->alloc.sel);
}

/* Operands that the instructions issued in this cycle will hand to execution units; one with mask 0 has none. */
static void count_issues(rf_banked_count *c, const rf_banked_cfg *cfg, const rf_banked_in *in, const rf_banked_out *out) {
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const uint32_t w = out->issue_warp[g];
        if ((out->issue_valid >> g & 1) != 0 && in->ib_mask[w] != 0)
            c->delivered += (uint64_t)__builtin_popcount(in->ib_src_valid[w]);
    }
}

void rf_banked_count_cycle(rf_banked_count *c, const rf_banked_cfg *cfg, const rf_banked_in *in, const rf_banked_out *out,
                           const rf_stage_waits *waits) {
    const rf_banked_wires *x = &out->wires;
    const uint64_t lost = x->arbiter_in.rd_valid & ~x->arbiter.rd_grant;
    c->cycles++;
    c->reads += (uint64_t)__builtin_popcountll(x->arbiter.rd_grant);
    c->writes += (uint64_t)__builtin_popcount(x->arbiter.wr_grant);
    c->write_write += (uint64_t)__builtin_popcount(x->arbiter_in.wr_valid & ~(uint32_t)x->arbiter.wr_grant);
    for (uint64_t left = lost; left != 0; left &= left - 1) {
        const bool read = (x->arbiter.bank_re >> x->arbiter_in.rd_bank[rf_lowest(left)] & 1) != 0;
        c->read_read += read;
        c->read_write += !read;
    }
    c->asked += (uint64_t)__builtin_popcountll(x->arbiter_in.rd_valid);
    c->asked += (uint64_t)__builtin_popcount(x->arbiter_in.wr_valid);
    c->bank_busy += (uint64_t)__builtin_popcount(x->arbiter.bank_re | x->arbiter.bank_we);
    c->collectors_busy += (uint64_t)__builtin_popcount(x->busy);
    count_issues(c, cfg, in, out);
    count_slots(c, cfg, in, out, waits);
}

void rf_banked_count_report(const rf_banked_count *c, const rf_banked_cfg *cfg, const rf_energy_wires *wires, ls_counter_fn *sink,
                            void *ctx) {
    const double cycles = c->cycles != 0 ? (double)c->cycles : (double)NAN;
    sink(ctx, "reads", (double)c->reads);
    sink(ctx, "writes", (double)c->writes);
    const rf_energy_counts done = {.bank_reads = c->reads,
                                   .bank_writes = c->writes,
                                   .collector_reads = c->delivered,
                                   .collector_writes = c->reads,
                                   .bank_collector = c->reads,
                                   .result_bank = c->writes};
    sink(ctx, "energy_uj", rf_energy(&done, wires, cfg->lanes) * 1e-6);
    sink(ctx, "energy_bank_collector_mm", wires->bank_collector);
    sink(ctx, "energy_result_bank_mm", wires->result_bank);
    sink(ctx, "unpriced_arbiter_requests", (double)c->asked); /* no paper states picojoules of an arbiter */
    sink(ctx, "read_read_conflicts", (double)c->read_read);
    sink(ctx, "read_write_conflicts", (double)c->read_write);
    sink(ctx, "write_write_conflicts", (double)c->write_write);
    sink(ctx, "bank_busy_share", (double)c->bank_busy / cycles / cfg->banks);
    sink(ctx, "collectors_busy_mean", (double)c->collectors_busy / cycles);
    rf_stage_slots_stalls(&c->slots, sink, ctx);
    rf_stage_slots_report(&c->slots, NULL, NULL, sink, ctx);
}
