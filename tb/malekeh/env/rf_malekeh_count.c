/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/malekeh/env/rf_malekeh_count.h"

#include <math.h>
#include <string.h>

static uint64_t ones(uint64_t set) { return (uint64_t)__builtin_popcountll(set); }

static bool has(const uint64_t *seen, uint32_t reg) { return (seen[reg / 64] >> (reg % 64) & 1) != 0; }

static bool in_window(const rf_bow *w, uint32_t reg) {
    for (uint32_t i = 0; i < RF_BOW_WINDOW - 1; i++)
        for (uint32_t k = 0; k < w->count[i]; k++)
            if (w->reg[i][k] == reg) return true;
    return false;
}

/* The window moves on by the instruction at the head of warp w. */
static void push_window(rf_bow *window, const rf_malekeh_cfg *cfg, const rf_malekeh_in *in, uint32_t w, bool active,
                        bool branch) {
    if (branch) {
        memset(window->count, 0, sizeof window->count);
        return;
    }
    uint8_t regs[RF_BOW_OPERANDS], count = 0;
    for (uint32_t s = 0; active && s < cfg->slots; s++)
        if ((in->ib_src_valid[w] >> s & 1) != 0) regs[count++] = in->ib_src[w * cfg->slots + s];
    if (active && (in->ib_dst_valid >> w & 1) != 0) regs[count++] = in->ib_dst[w];
    memmove(window->reg[0], window->reg[1], (RF_BOW_WINDOW - 2) * sizeof window->reg[0]);
    memmove(window->count, window->count + 1, RF_BOW_WINDOW - 2);
    memcpy(window->reg[RF_BOW_WINDOW - 2], regs, count);
    window->count[RF_BOW_WINDOW - 2] = count;
}

static void count_issue(rf_malekeh_count *n, const rf_malekeh_cfg *cfg, const rf_malekeh_in *in, const rf_malekeh_out *out,
                        uint32_t g, bool branch) {
    const uint32_t w = out->issue_warp[g], hit = out->wires.hit[out->wires.alloc.sel[g]];
    const bool active = in->ib_mask[w] != 0;
    const uint32_t valid = active ? in->ib_src_valid[w] : 0;
    n->delivered += ones(valid);
    const uint8_t *src = &in->ib_src[w * cfg->slots];
    n->issued++;
    for (uint32_t left = valid; left != 0; left &= left - 1) {
        const uint32_t s = rf_lowest(left);
        bool again = false;
        for (uint32_t low = valid & ((1u << s) - 1); low != 0; low &= low - 1) again |= src[rf_lowest(low)] == src[s];
        if (again) continue;
        n->operands++;
        n->hits += hit >> s & 1;
        n->bow += in_window(&n->window[w], src[s]);
        n->outside += (hit >> s & 1) != 0 && !in_window(&n->window[w], src[s]);
        n->ideal += has(n->seen[w], src[s]);
        n->seen[w][src[s] / 64] |= UINT64_C(1) << (src[s] % 64);
    }
    push_window(&n->window[w], cfg, in, w, active, branch);
}

static void count_writes(rf_malekeh_count *n, const rf_malekeh_wires *x) {
    n->writes += ones(x->arbiter.wr_grant);
    n->near_writes += ones(x->arbiter.wr_grant & x->wr_near);
    n->d_writes += ones(x->d_valid);
    for (uint32_t left = x->arbiter.wr_grant; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left), w = x->wr_warp[e], reg = x->wr_reg[e];
        const uint64_t bit = UINT64_C(1) << (reg % 64);
        if ((x->wr_near >> e & 1) != 0) n->seen[w][reg / 64] |= bit;
        else n->seen[w][reg / 64] &= ~bit;
    }
}

static void count_slots(rf_malekeh_count *n, const rf_malekeh_cfg *cfg, const rf_malekeh_in *in, const rf_malekeh_out *out,
                        const rf_stage_waits *waits) {
    const rf_malekeh_wires *x = &out->wires;
    const rf_stage_did did = {.issues = cfg->issues,
                              .issued = out->issue_valid,
                              .chosen = x->chosen,
                              .held = x->alloc.wait,
                              .kept = in->ib_valid & ~x->hazard & x->own_busy,
                              .hazard = x->hazard};
    rf_stage_slots_cycle(&n->slots, &did, waits);
    rf_stage_slots_dispatch(&n->slots, x->collected, x->dispatch.grant, in->ex_ready);
    rf_stage_slots_took(&n->slots, &in->stage, &out->stage, x->alloc.sel);
}

void rf_malekeh_count_cycle(rf_malekeh_count *n, const rf_malekeh_cfg *cfg, const rf_malekeh_in *in, const rf_malekeh_out *out,
                            const rf_stage_waits *waits, uint64_t control) {
    const rf_malekeh_wires *x = &out->wires;
    n->cycles++;
    count_writes(n, x); /* what is written in this cycle nobody who issues in it reads */
    for (uint32_t left = out->issue_valid; left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left);
        count_issue(n, cfg, in, out, g, (control >> out->issue_warp[g] & 1) != 0);
    }
    n->reads += ones(x->arbiter.rd_grant);
    for (uint64_t left = x->arbiter_in.rd_valid & ~x->arbiter.rd_grant; left != 0; left &= left - 1) {
        const bool read = (x->arbiter.bank_re >> x->arbiter_in.rd_bank[rf_lowest(left)] & 1) != 0;
        n->read_read += read;
        n->read_write += !read;
    }
    n->write_write += ones(x->arbiter_in.wr_valid & ~(uint32_t)x->arbiter.wr_grant);
    n->flushes += ones(x->alloc.replace & x->full);
    n->flushes_near += ones(x->alloc.replace & x->alloc_in.near);
    n->asked += ones(x->arbiter_in.rd_valid) + ones(x->arbiter_in.wr_valid);
    n->bank_busy += ones(x->arbiter.bank_re | x->arbiter.bank_we);
    n->collectors_busy += ones(x->busy);
    n->sthld_sum += x->alloc_in.sthld;
    count_slots(n, cfg, in, out, waits);
}

void rf_malekeh_count_launch(rf_malekeh_count *n, uint32_t warp) {
    memset(n->seen[warp], 0, sizeof n->seen[warp]);
    memset(n->window[warp].count, 0, sizeof n->window[warp].count);
}

void rf_malekeh_count_report(const rf_malekeh_count *n, const rf_malekeh_cfg *cfg, const rf_energy_wires *wires,
                             ls_counter_fn *sink, void *ctx) {
    const double cycles = n->cycles != 0 ? (double)n->cycles : (double)NAN,
                 operands = n->operands != 0 ? (double)n->operands : (double)NAN;
    sink(ctx, "operands", (double)n->operands);
    sink(ctx, "hits", (double)n->hits);
    sink(ctx, "hit_share", (double)n->hits / operands);
    sink(ctx, "ideal_share", (double)n->ideal / operands);
    sink(ctx, "bow_share", (double)n->bow / operands);
    sink(ctx, "reads", (double)n->reads);
    sink(ctx, "writes", (double)n->writes);
    sink(ctx, "near_writes", (double)n->near_writes);
    sink(ctx, "ccu_writes", (double)n->d_writes);
    /* What leaves is read from the collectors: every operand, a register named twice twice; that part is as in rf_banked. */
    const rf_energy_counts done = {.bank_reads = n->reads,
                                   .bank_writes = n->writes,
                                   .collector_reads = n->delivered,
                                   .collector_writes = n->reads + n->d_writes,
                                   .bank_collector = n->reads,
                                   .result_bank = n->writes,
                                   .result_ccu = n->d_writes};
    sink(ctx, "energy_uj", rf_energy(&done, wires, cfg->lanes) * 1e-6);
    sink(ctx, "energy_tags_uj", cfg->cache ? RF_ENERGY_TAG * (double)n->operands * 1e-6 : 0); /* each is looked up once */
    sink(ctx, "energy_bank_collector_mm", wires->bank_collector);
    sink(ctx, "energy_result_bank_mm", wires->result_bank);
    sink(ctx, "energy_result_ccu_mm", wires->result_ccu);
    sink(ctx, "unpriced_arbiter_requests", (double)n->asked); /* no paper states picojoules of an arbiter */
    sink(ctx, "flushes", (double)n->flushes);
    sink(ctx, "flushes_near", (double)n->flushes_near);
    sink(ctx, "sthld_mean", (double)n->sthld_sum / cycles);
    sink(ctx, "read_read_conflicts", (double)n->read_read);
    sink(ctx, "read_write_conflicts", (double)n->read_write);
    sink(ctx, "write_write_conflicts", (double)n->write_write);
    sink(ctx, "bank_busy_share", (double)n->bank_busy / cycles / cfg->banks);
    sink(ctx, "collectors_busy_mean", (double)n->collectors_busy / cycles);
    sink(ctx, "stall_sthld", (double)n->slots.of[RF_SLOT_CHOSEN]);
    sink(ctx, "stall_own_ccu_busy", (double)n->slots.of[RF_SLOT_READY]);
    rf_stage_slots_stalls(&n->slots, sink, ctx);
    rf_stage_slots_report(&n->slots, "slot_sthld", "slot_own_ccu", sink, ctx);
}
