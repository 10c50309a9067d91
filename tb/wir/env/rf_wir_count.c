/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/wir/env/rf_wir_count.h"

#include <math.h>
#include <stdio.h>

#include "cmodel/energy/rf_energy.h"

/* Of an instruction on its way to the lane. */
#define MAY_LOOK 1u
#define LOADS 2u
#define REPEATS 4u
#define LATER 8u /* word of an instruction: what is counted once an instruction is counted for the first */

static uint32_t ones(uint64_t x) { return (uint32_t)__builtin_popcountll(x); }

static void count_slots(rf_wir_count *n, const rf_wir_cfg *cfg, const rf_wir_in *in, const rf_wir_out *out,
                        const rf_stage_waits *waits) {
    const rf_wir_wires *x = &out->wires;
    rf_stage_did did = {.issues = cfg->issues,
                        .issued = out->issue_valid,
                        .chosen = x->chosen,
                        .kept = in->ib_valid & ~x->hazard & ~x->ready,
                        .hazard = x->hazard};
    for (uint32_t g = 0; g < cfg->issues; g++) did.held |= (uint8_t)(x->front[g].want_port << g);
    rf_stage_slots_cycle(&n->slots, &did, waits);
    rf_stage_slots_dispatch(&n->slots, x->collected, x->dispatch.grant, in->ex_ready);
    for (uint32_t left = x->alloc.grant; left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left);
        n->slots.ports[x->alloc.sel[g]] = x->front[g].lane.port;
    }
}

static void count_issue(rf_wir_count *n, const rf_wir_cfg *cfg, const rf_wir_in *in, const rf_wir_out *out) {
    for (uint32_t left = out->issue_valid; left != 0; left &= left - 1) {
        const uint32_t w = out->issue_warp[rf_lowest(left)];
        n->issued++;
        n->partial += in->ib_mask[w] != rf_mask64(cfg->lanes);
        n->stores += in->ib_store >> w & 1;
        n->loads += in->ib_space[w] != RF_SPACE_NONE;
    }
}

void rf_wir_count_instruction(rf_wir_count *n, const rf_wir_cfg *cfg, uint32_t g, const rf_inst *inst, rf_wir_why why,
                              uint64_t key) {
    /* The WIR paper itself excludes the first reasons and partial masks; what our instructions add comes behind them */
    const bool excluded = why == RF_WIR_FLOW || why == RF_WIR_STORES || why == RF_WIR_NO_RESULT;
    const bool partial = (inst->mask & rf_mask64(cfg->lanes)) != rf_mask64(cfg->lanes);
    const uint32_t kind = partial && !excluded ? RF_WIR_PARTIAL : (uint32_t)why;
    const bool repeats = rf_repeat_add(&n->repeat, key);
    n->kind[kind]++;
    n->kind_repeated[kind] += repeats;
    n->issuing[g] = repeats ? REPEATS : 0;
}

void rf_wir_count_later(rf_wir_count *n, uint32_t g) { n->issuing[g] = LATER; }

void rf_wir_count_reused(rf_wir_count *n, const rf_wir_front_out *front) {
    n->all_reused++;
    n->all_retried += front->lane_retry;
    n->all_reused_loads += front->lane.space != RF_SPACE_NONE;
}

/* The rename register of the group before it takes what issues in this cycle. */
static void count_renamed(rf_wir_count *n, const rf_wir_cfg *cfg, uint32_t g, const rf_wir_wires *x) {
    const rf_wir_front_out *lane = &x->front[g];
    const rf_wir_front_in *asked = &x->front_in[g];
    const uint8_t of_reuse = n->looking[g], of_rename = n->renaming[g];
    if (lane->leaves && !lane->lane_retry && (of_reuse & (MAY_LOOK | LATER)) == MAY_LOOK) {
        n->kept_by_guard += !lane->lk_valid;
        n->looked_up += lane->lk_valid;
        n->looked_up_repeated += lane->lk_valid && (of_reuse & REPEATS) != 0;
        n->reused_repeated += lane->act == RF_WIR_REUSE && (of_reuse & REPEATS) != 0;
    }
    if (!lane->moves || !lane->rn_valid) return;
    n->looking[g] = 0;
    if ((of_rename & MAY_LOOK) == 0) return;
    const bool mapped = (lane->rn.src_valid & ~asked->map_src_valid) == 0,
               pinned = (lane->rn.src_valid & asked->map_src_pin) != 0;
    const bool off = cfg->loads == 0 && (of_rename & LOADS) != 0;
    if ((of_rename & LATER) == 0) {
        n->unmapped += !mapped;
        n->pinned += mapped && pinned;
        n->loads_off += mapped && !pinned && off;
    }
    if (mapped && !pinned && !off) n->looking[g] = of_rename;
}

static void count_entering(rf_wir_count *n, const rf_wir_cfg *cfg, const rf_wir_in *in, const rf_wir_out *out) {
    for (uint32_t left = out->issue_valid; left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left), w = out->issue_warp[g];
        const bool may = (in->ib_reuse & in->ib_dst_valid & UINT64_C(1) << w) != 0 && in->ib_mask[w] == rf_mask64(cfg->lanes);
        n->renaming[g] = (uint8_t)((may ? MAY_LOOK : 0) | (in->ib_space[w] != RF_SPACE_NONE ? LOADS : 0) | n->issuing[g]);
        n->issuing[g] = 0;
    }
}

static void count_lanes(rf_wir_count *n, const rf_wir_cfg *cfg, const rf_wir_out *out) {
    const rf_wir_wires *x = &out->wires;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const rf_wir_front_out *lane = &x->front[g];
        const rf_wir_front_in *asked = &x->front_in[g];
        const bool moved = lane->act != RF_WIR_NOTHING;
        const bool kept = (lane->lane_retry || (n->looking[g] & MAY_LOOK) != 0) && lane->lane_valid && !asked->allow;
        count_renamed(n, cfg, g, x);
        n->executed += lane->act == RF_WIR_EXECUTE;
        n->retries += lane->lane_retry && lane->lk_valid && moved;
        n->guarded += kept && lane->lane.space != RF_SPACE_NONE;
        n->saturated += moved && kept && lane->lane.space >= RF_SPACE_SHARED && x->reuse_in.lk_barrier[g] == RF_BARRIERS_END;
        if (lane->moves) n->rename_reads += ones(lane->rn.src_valid) + (lane->rn_valid != 0);
        if (!lane->lk_valid || !moved) continue;
        n->reuse_reads++;
        n->lookups += lane->leaves;
        n->reused += lane->act == RF_WIR_REUSE;
        n->retried += lane->act == RF_WIR_REUSE && lane->lane_retry;
        n->reused_loads += lane->act == RF_WIR_REUSE && lane->lane.space != RF_SPACE_NONE;
        n->queued += lane->act == RF_WIR_QUEUE;
        n->queue_full += cfg->retry != 0 && lane->act == RF_WIR_EXECUTE && asked->wait;
        n->held += lane->leads && (x->reuse.held >> g & 1) != 0;
    }
    n->leaders += ones(x->reuse.reserved);
    n->reuse_writes += ones(x->reuse.reserved) + ones(x->reuse.filled);
}

static void count_results(rf_wir_count *n, const rf_wir_cfg *cfg, const rf_wir_out *out) {
    const rf_wir_wires *x = &out->wires;
    n->gave_collisions += ones(x->gave);
    for (uint32_t left = x->took; left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left);
        const rf_result_queue_in *push = &x->push[g];
        const bool looked = (x->vsb_in.lk_valid >> g & 1) != 0, hit = looked && (x->vsb.hit >> g & 1) != 0;
        const bool cached = hit && (x->vcache_hit >> g & 1) != 0;
        n->results++;
        n->hashed += looked;
        n->vsb_reads += looked;
        n->vsb_hits += hit;
        n->cache_reads += hit && cfg->vcache != 0;
        n->shared_cached += push->push_op == RF_RESULT_SHARE;
        n->cached_collisions += cached && push->push_op == RF_RESULT_WRITE;
        n->moves += push->push_op == RF_RESULT_MERGE;
        n->in_place += push->push_op == RF_RESULT_WRITE && (push->push_info & 1) != 0; /* some lanes: it will be pinned */
    }
    n->fresh += ones(x->free_in.pop);
    n->overwritten += ones(x->over);
    n->vsb_writes += ones(x->vsb_in.write);
    n->verify_reads += ones(x->check_fill);
    n->merge_reads += ones(x->check & ~(uint32_t)x->check_fill);
    n->cache_writes += cfg->vcache != 0 ? ones(x->check_fill) : 0; /* not vcache_in, which is made at the edge */
    for (uint32_t left = x->retired; left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left);
        n->shared_read += x->retire_port[g] >= cfg->exports && (x->retire_write >> g & 1) == 0;
    }
    n->random_vsb += x->vsb.rnd_freed;
    /* a removal that acts has lane 0's places in `freed` to itself */
    n->random_reuse += x->low && x->reuse_in.rm && !x->guard.sweep_valid && x->reuse.rm_ready &&
                       (x->reuse.freed & ((2u << cfg->slots) - 1)) != 0;
    n->sweeps += x->guard.sweep_valid;
    n->pool_ops += ones(x->free_in.pop) + ones(x->count.free);
    n->count_ops += ones(x->count_in.inc) + ones(x->count_in.dec);
    n->count_ops += cfg->capped != 0 ? ones(x->starved | x->over) : 0; /* the old register's is looked at */
    n->low += x->low;
    n->no_register += ones(x->starved);
}

void rf_wir_count_cycle(rf_wir_count *n, const rf_wir_cfg *cfg, const rf_wir_in *in, const rf_wir_out *out,
                        const rf_stage_waits *waits) {
    const rf_wir_wires *x = &out->wires;
    const uint64_t operands = rf_mask64(cfg->collectors * cfg->slots);
    n->cycles++;
    count_issue(n, cfg, in, out);
    count_slots(n, cfg, in, out, waits);
    n->operand_reads += ones(x->arbiter.rd_grant & operands);
    n->writes += ones(x->arbiter.wr_grant);
    for (uint64_t left = x->arbiter_in.rd_valid & ~x->arbiter.rd_grant; left != 0; left &= left - 1) {
        const uint32_t r = rf_lowest(left);
        const bool read = (x->arbiter.bank_re >> x->arbiter_in.rd_bank[r] & 1) != 0;
        n->read_read += read;
        n->read_write += !read;
        n->verify_lost += r >= cfg->collectors * cfg->slots;
    }
    n->write_write += ones(x->arbiter_in.wr_valid & ~(uint32_t)x->arbiter.wr_grant);
    n->bank_busy += ones(x->arbiter.bank_re | x->arbiter.bank_we);
    n->limit_sum += in->limit;
    if (cfg->reuse == 0) {
        for (uint32_t g = 0; g < cfg->issues; g++) n->executed += x->front[g].act == RF_WIR_EXECUTE;
        n->results += ones(x->left);
        return;
    }
    count_lanes(n, cfg, out);
    count_entering(n, cfg, in, out);
    count_results(n, cfg, out);
    const uint32_t used = cfg->pregs - x->free.count;
    n->in_use_sum += used;
    if (used > n->in_use_peak) n->in_use_peak = used;
    n->over_limit += used > in->limit;
    n->over_limit_sum += used > in->limit ? used - in->limit : 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        n->walks += x->rename_in[g].walk;
        n->rename_writes += (uint32_t)x->rename_in[g].wr_valid + x->rename_in[g].walk;
    }
}

static void report_kinds(const rf_wir_count *n, ls_counter_fn *sink, void *ctx) {
    static const char *const kinds[RF_WIR_KINDS] = {
        "may_look_up",   "control_flow", "stores",           "no_result",         "wide_result", "cracked",     "hidden_input",
        "unnamed_space", "no_values",    "special_register", "several_constants", "no_number",   "partial_mask"};
    char text[64];
    for (uint32_t k = 0; k < RF_WIR_KINDS; k++) {
        (void)snprintf(text, sizeof text, "kind_%s", kinds[k]);
        sink(ctx, text, (double)n->kind[k]);
        (void)snprintf(text, sizeof text, "repeats_%s", kinds[k]);
        sink(ctx, text, (double)n->kind_repeated[k]);
    }
    sink(ctx, "repeat_instructions", (double)n->repeat.instructions);
    sink(ctx, "repeated", (double)n->repeat.repeated);
    sink(ctx, "repeated_often", (double)n->repeat.often);
    sink(ctx, "repeated_near", (double)n->repeat.near);
    sink(ctx, "source_not_mapped", (double)n->unmapped);
    sink(ctx, "source_pinned", (double)n->pinned);
    sink(ctx, "loads_off", (double)n->loads_off);
    sink(ctx, "load_guarded", (double)n->kept_by_guard);
    sink(ctx, "looked_up", (double)n->looked_up);
    sink(ctx, "repeats_looked_up", (double)n->looked_up_repeated);
    sink(ctx, "repeats_reused_at_once", (double)n->reused_repeated);
}

static void report_energy(const rf_wir_count *n, const rf_wir_cfg *cfg, ls_counter_fn *sink, void *ctx) {
    const rf_energy_wir_counts counts = {.bank_reads = n->operand_reads + n->verify_reads + n->merge_reads,
                                         .bank_writes = n->writes,
                                         .rename = n->rename_reads + n->rename_writes,
                                         .reuse_buffer = n->reuse_reads + n->reuse_writes,
                                         .hashes = n->hashed,
                                         .vsb = n->vsb_reads + n->vsb_writes,
                                         .pool = n->pool_ops,
                                         .references = n->count_ops,
                                         .verify_cache = n->cache_reads + n->cache_writes};
    sink(ctx, "energy_banks_uj", rf_energy_wir_banks(&counts, cfg->lanes) * 1e-6);
    sink(ctx, "energy_added_uj", rf_energy_wir_added(&counts) * 1e-6);
}

static double share(uint64_t part, uint64_t of) { return of == 0 ? (double)NAN : (double)part / (double)of; }

void rf_wir_count_report(const rf_wir_count *n, const rf_wir_cfg *cfg, ls_counter_fn *sink, void *ctx) {
    const struct {
        const char *name;
        uint64_t value;
    } all[] = {{"issued", n->issued},
               {"executed", n->executed},
               {"partial", n->partial},
               {"loads", n->loads},
               {"stores", n->stores},
               {"lookups", n->lookups},
               {"reused", n->reused},
               {"reused_after_waiting", n->retried},
               {"reused_loads", n->reused_loads},
               {"reused_instructions", n->all_reused},
               {"reused_instructions_after_waiting", n->all_retried},
               {"reused_load_instructions", n->all_reused_loads},
               {"queued", n->queued},
               {"queue_full", n->queue_full},
               {"retries", n->retries},
               {"leaders", n->leaders},
               {"entry_held", n->held},
               {"guarded", n->guarded},
               {"barrier_count_full", n->saturated},
               {"results", n->results},
               {"hashed", n->hashed},
               {"vsb_hits", n->vsb_hits},
               {"shared_cached", n->shared_cached},
               {"shared_read", n->shared_read},
               {"collisions", n->gave_collisions + n->cached_collisions},
               {"new_registers", n->fresh},
               {"in_place", n->in_place},
               {"overwritten", n->overwritten},
               {"dummy_moves", n->moves},
               {"no_register", n->no_register},
               {"low_register_cycles", n->low},
               {"random_drops_reuse", n->random_reuse},
               {"random_drops_vsb", n->random_vsb},
               {"operand_reads", n->operand_reads},
               {"verify_reads", n->verify_reads},
               {"merge_reads", n->merge_reads},
               {"bank_writes", n->writes},
               {"conflicts_read_read", n->read_read},
               {"conflicts_read_write", n->read_write},
               {"conflicts_write_write", n->write_write},
               {"verify_conflicts", n->verify_lost},
               {"registers_peak", n->in_use_peak},
               {"over_limit_cycles", n->over_limit},
               {"rename_reads", n->rename_reads},
               {"rename_writes", n->rename_writes},
               {"reuse_buffer_reads", n->reuse_reads},
               {"reuse_buffer_writes", n->reuse_writes},
               {"vsb_reads", n->vsb_reads},
               {"vsb_writes", n->vsb_writes},
               {"verify_cache_reads", n->cache_reads},
               {"verify_cache_writes", n->cache_writes},
               {"register_pool_operations", n->pool_ops},
               {"reference_operations", n->count_ops},
               {"mappings_released", n->walks},
               {"sweep_cycles", n->sweeps},
               {"stall_front", n->slots.of[RF_SLOT_COLLECTOR] + n->slots.of[RF_SLOT_CHOSEN]},
               {"stall_release", n->slots.of[RF_SLOT_READY]},
               {"stall_hazard", rf_stage_slots_hazard(&n->slots)},
               {"stall_no_instruction", rf_stage_slots_headless(&n->slots)},
               {"stall_drained", n->slots.of[RF_SLOT_NO_WARP]}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) sink(ctx, all[i].name, (double)all[i].value);
    rf_stage_slots_report(&n->slots, "slot_rename_port", "slot_release", sink, ctx);
    sink(ctx, "reused_share", share(n->reused, n->issued));
    sink(ctx, "vsb_hit_share", share(n->vsb_hits, n->hashed));
    sink(ctx, "registers_average", share(n->in_use_sum, n->cycles));
    sink(ctx, "registers_logical_average", share(n->limit_sum, n->cycles));
    sink(ctx, "registers_over_limit_average", share(n->over_limit_sum, n->cycles));
    report_kinds(n, sink, ctx);
    report_energy(n, cfg, sink, ctx);
    sink(ctx, "bank_use", share(n->bank_busy, n->cycles * cfg->banks));
}
