/* SPDX-License-Identifier: Apache-2.0 */
/* The counters of a run of rf_wir, counted in the slow model by the words of docs/units/rf_wir.md ("Counters"), beside those of
 * tb/wir/env/rf_wir_count.h, which counts in the model's wires: neither lockstep nor the other comparisons see these. What only a
 * workload's instructions have (kinds, repetitions) is 0 here. */
#ifndef RF_JUDGE_WIR_COUNT_H
#define RF_JUDGE_WIR_COUNT_H

#include "tb/wir/judge/judge_wir.h"
#include "tb/wir/env/rf_wir_count.h"

/* clang-format off */
#define COUNTERS(X)                                                                                                               \
    X(issued) X(executed) X(partial) X(loads) X(stores) X(lookups) X(reused) X(reused_after_waiting) X(reused_loads) X(queued)    \
    X(queue_full) X(retries) X(leaders) X(entry_held) X(guarded) X(barrier_count_full) X(results) X(hashed) X(vsb_hits)           \
    X(shared_cached) X(shared_read) X(collisions) X(new_registers) X(in_place) X(overwritten) X(dummy_moves) X(no_register)       \
    X(low_register_cycles) X(random_drops_reuse) X(random_drops_vsb) X(operand_reads) X(verify_reads) X(merge_reads)              \
    X(bank_writes) X(conflicts_read_read) X(conflicts_read_write) X(conflicts_write_write) X(verify_conflicts) X(registers_peak)  \
    X(over_limit_cycles) X(rename_reads) X(rename_writes) X(reuse_buffer_reads) X(reuse_buffer_writes) X(vsb_reads)               \
    X(vsb_writes) X(verify_cache_reads) X(verify_cache_writes) X(register_pool_operations) X(reference_operations)                \
    X(mappings_released) X(sweep_cycles) X(stall_front) X(stall_release) X(stall_hazard) X(stall_no_instruction)                  \
    X(stall_drained) X(slot_rename_port) X(slot_release) SLOT_COUNTERS(X) X(source_not_mapped)                                    \
    X(source_pinned) X(loads_off) X(load_guarded) X(looked_up)
/* clang-format on */
#include "tb/banked/judge/judge_slots.h"

/* What the slow model counts, and what rf_wir_count.c does: in the wires that comb leaves and in those that step leaves. */
typedef struct wir_counts {
    uint64_t of[COUNTS], cycles, busy, registers, limits, over;
    rf_wir_count model, stepped;
} wir_counts;

/* Why a group does not issue: the counter of a cause that the other stages do not have, or NONE. `waiting`, by warp: for a
 * register. */
static inline uint32_t count_stall(uint64_t *n, const slow_wir *s, const slow_turn *now, uint32_t g, uint64_t live,
                                   bool *waiting) {
    bool barred = false, hazard = false, there = false;
    for (uint32_t w = g; w < s->cfg.warps; w += s->cfg.issues) {
        const bool waits = now->stage.hazard[w] || (now->stage.valid[w] && (now->overtakes[w] || now->orders[w]));
        waiting[w] = waits;
        hazard |= waits;
        barred |= now->stage.valid[w] && !waits && now->barred[w];
        there |= judge_bit(live, w);
    }
    if (now->stage.chosen[g] != NONE) n[C_stall_front]++;
    else if (barred) n[C_stall_release]++;
    else if (hazard) n[C_stall_hazard]++;
    else if (there) n[C_stall_no_instruction]++;
    else n[C_stall_drained]++;
    if (now->stage.chosen[g] != NONE) return now->hit[g] ? C_slot_rename_port : NONE;
    return barred ? C_slot_release : NONE;
}

static inline void count_banks(uint64_t *n, const slow_wir *s, const slow_turn *now) {
    const rf_wir_cfg *cfg = &s->cfg;
    for (uint32_t c = 0; c < cfg->collectors; c++)
        for (uint32_t k = 0; k < cfg->slots; k++) {
            if (!now->stage.asks[c][k]) continue;
            const bool reads = now->reader[s->stage.collector[c].slot[k].bank] != NONE;
            if (now->stage.read[c][k]) n[C_operand_reads]++;
            else n[reads ? C_conflicts_read_read : C_conflicts_read_write]++;
        }
    for (uint32_t b = 0; b < cfg->banks; b++) n[C_bank_writes] += now->writer[b] != NONE;
    for (uint32_t e = 0; e < cfg->exports && cfg->reuse == 0; e++)
        n[C_conflicts_write_write] += s->results[e] > 0 && !now->queue_writes[e];
    for (uint32_t g = 0; g < cfg->issues && cfg->reuse != 0; g++) {
        n[C_conflicts_write_write] += now->writes[g] && !now->retires[g];
        if (now->read_port[g] == NONE || now->reads[g]) continue;
        n[now->reader[s->result[now->read_port[g]][0].cand % cfg->banks] != NONE ? C_conflicts_read_read
                                                                                 : C_conflicts_read_write]++;
        n[C_verify_conflicts]++;
    }
}

/* Group g's rename register and lane. */
static inline void count_lane(uint64_t *n, const slow_wir *s, const slow_turn *now, uint32_t g) {
    const rf_wir_act act = now->act[g];
    const slow_instr *i = &now->lane[g], *r = &s->rename[g];
    const bool load = i->space != RF_SPACE_NONE, ends = act != RF_WIR_NOTHING;
    if (now->moves[g]) {
        bool mapped = true, pinned = false;
        n[C_rename_reads]++;
        for (uint32_t k = 0; k < s->cfg.slots; k++) {
            if (!r->src_valid[k]) continue;
            n[C_rename_reads]++;
            mapped &= mapping_of(s, r->warp, r->src[k]).valid;
            pinned |= mapping_of(s, r->warp, r->src[k]).pin;
        }
        if (r->reuse && r->dst_valid && r->mask == all_lanes(s)) {
            if (!mapped) n[C_source_not_mapped]++;
            else if (pinned) n[C_source_pinned]++;
            else if (r->space != RF_SPACE_NONE && s->cfg.loads == 0) n[C_loads_off]++;
        }
    }
    if (!i->valid) return;
    n[C_executed] += act == RF_WIR_EXECUTE;
    const bool kept = (i->look || now->retry[g]) && load && !now->allow[g];
    n[C_guarded] += kept;
    n[C_barrier_count_full] += kept && ends && now->tag_barrier[g] == 31;
    if (i->look && now->leaves[g] && !now->retry[g]) n[now->looks[g] ? C_looked_up : C_load_guarded]++;
    if (!now->looks[g] || !ends) return;
    n[C_reuse_buffer_reads]++;
    n[C_lookups] += now->leaves[g];
    n[C_reused] += act == RF_WIR_REUSE;
    n[C_reused_after_waiting] += act == RF_WIR_REUSE && now->retry[g];
    n[C_reused_loads] += act == RF_WIR_REUSE && load;
    n[C_queued] += act == RF_WIR_QUEUE;
    n[C_queue_full] += act == RF_WIR_EXECUTE && now->wait[g] && s->cfg.retry != 0;
    n[C_retries] += now->retry[g];
    n[C_leaders] += now->reserved[g];
    n[C_entry_held] += now->leads[g] && s->entry[now->index[g]].pending;
    n[C_reuse_buffer_writes] += now->reserved[g];
}

/* Group g's result, and what its verifiers and its rename port do. */
static inline void count_result(uint64_t *n, const slow_wir *s, const slow_turn *now, uint32_t g) {
    const slow_late *l = &now->pushed[g];
    for (uint32_t v = 0; v < s->cfg.verifiers; v++) {
        const slow_verifier *u = &s->verifier[g][v];
        if (u->state != RF_VERIFY_CHECK) continue; /* its read was granted in the cycle before */
        n[u->late.op == RF_RESULT_MERGE ? C_merge_reads : C_verify_reads]++;
        n[C_verify_cache_writes] += u->late.op == RF_RESULT_VERIFY && s->cfg.vcache != 0;
    }
    n[C_collisions] += now->gives[g] != NONE;
    n[C_no_register] += now->starved[g];
    n[C_new_registers] += now->got[g] != NOBODY;
    n[C_overwritten] += now->over[g];
    n[C_reference_operations] += s->cfg.capped != 0 && (now->starved[g] || now->over[g]); /* its old register's is looked at */
    n[C_shared_read] += now->retires[g] && now->late_from[g] >= 8 && !now->writes[g];
    n[C_rename_writes] += now->act[g] == RF_WIR_REUSE || now->port[g] == 1 ||
                          (now->retires[g] && now->late[g].warp < s->cfg.warps); /* others have no table */
    n[C_mappings_released] += now->port[g] == 1;
    n[C_reuse_buffer_writes] += now->filled[g];
    n[C_register_pool_operations] += now->got[g] != NOBODY;
    if (!now->took[g]) return;
    n[C_results]++;
    n[C_hashed] += now->looked[g];
    n[C_vsb_reads] += now->looked[g];
    n[C_vsb_hits] += now->vhit[g];
    n[C_vsb_writes] += now->put[g];
    n[C_verify_cache_reads] += now->vhit[g] && s->cfg.vcache != 0;
    n[C_shared_cached] += l->op == RF_RESULT_SHARE;
    n[C_collisions] += now->chit[g] && !now->same[g];
    n[C_in_place] += l->partial && l->op == RF_RESULT_WRITE;
    n[C_dummy_moves] += l->op == RF_RESULT_MERGE;
}

/* One cycle of the slow model, before its edge; `waits`: of the surroundings. */
static inline void count_cycle(wir_counts *c, const slow_wir *s, const rf_wir_in *in, const slow_turn *now,
                               const rf_stage_waits *waits) {
    const rf_wir_cfg *cfg = &s->cfg;
    const uint32_t used = cfg->pregs - free_count(s);
    uint64_t *n = c->of;
    bool waiting[64] = {false};
    uint32_t own[4] = {NONE, NONE, NONE, NONE};
    c->cycles++;
    c->limits += in->limit;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const uint32_t w = now->stage.goes[g];
        if (w == NONE) {
            own[g] = count_stall(n, s, now, g, waits->live, waiting);
            continue;
        }
        n[C_issued]++;
        n[C_partial] += in->ib_mask[w] != all_lanes(s);
        n[C_loads] += in->ib_space[w] != RF_SPACE_NONE;
        n[C_stores] += judge_bit(in->ib_store, w);
    }
    count_slots(n, &s->stage, &now->stage, waiting, own, &in->stage, waits);
    count_banks(n, s, now);
    for (uint32_t b = 0; b < cfg->banks; b++) c->busy += now->reader[b] != NONE || now->writer[b] != NONE;
    if (cfg->reuse == 0) {
        for (uint32_t g = 0; g < cfg->issues; g++) n[C_executed] += now->act[g] == RF_WIR_EXECUTE;
        for (uint32_t e = 0; e < cfg->exports; e++) n[C_results] += now->left[e];
        return;
    }
    for (uint32_t g = 0; g < cfg->issues; g++) count_lane(n, s, now, g), count_result(n, s, now, g);
    n[C_low_register_cycles] += now->low;
    n[C_random_drops_reuse] += now->removed && !s->guard.pass;
    n[C_random_drops_vsb] += now->rnd_removed;
    n[C_register_pool_operations] += now->offers;
    n[C_reference_operations] += now->references;
    n[C_sweep_cycles] += s->guard.pass;
    n[C_over_limit_cycles] += used > in->limit;
    c->over += used > in->limit ? used - in->limit : 0;
    c->registers += used;
    if (used > n[C_registers_peak]) n[C_registers_peak] = used;
}

typedef struct counts_check {
    judge *j;
    const wir_counts *c;
    const rf_wir_cfg *cfg;
    uint32_t found;
} counts_check;

static inline void count_reported(void *ctx, const char *name, double value) {
    counts_check *k = ctx;
    const wir_counts *c = k->c;
    const uint64_t *n = c->of;
    const double cycles = c->cycles != 0 ? (double)c->cycles : 1;
    double is = 0; /* of an instruction's kind */
    if (judge_counter(k->j, name, value, n)) {
        k->found++;
        return;
    }
    if (strcmp(name, "reused_share") == 0) is = n[C_issued] == 0 ? 0 : (double)n[C_reused] / (double)n[C_issued];
    else if (strcmp(name, "vsb_hit_share") == 0) is = n[C_hashed] == 0 ? 0 : (double)n[C_vsb_hits] / (double)n[C_hashed];
    else if (strcmp(name, "registers_average") == 0) is = (double)c->registers / cycles;
    else if (strcmp(name, "registers_logical_average") == 0) is = (double)c->limits / cycles;
    else if (strcmp(name, "registers_over_limit_average") == 0) is = (double)c->over / cycles;
    else if (strcmp(name, "bank_use") == 0) is = (double)c->busy / cycles / k->cfg->banks;
    else if (strcmp(name, "energy_banks_uj") == 0) /* 45 nm, CACTI: rf_energy.h; a macro has four lanes */
        is = k->cfg->lanes / 4.0 * 1e-6 *
             (5.26 * (double)(n[C_operand_reads] + n[C_verify_reads] + n[C_merge_reads]) + 13.91 * (double)n[C_bank_writes]);
    else if (strcmp(name, "energy_added_uj") == 0) /* [WIR Table III] */
        is = 1e-6 *
             (3.50 * (double)(n[C_rename_reads] + n[C_rename_writes]) + 4.85 * (double)n[C_hashed] +
              4.71 * (double)(n[C_reuse_buffer_reads] + n[C_reuse_buffer_writes]) +
              4.96 * (double)(n[C_vsb_reads] + n[C_vsb_writes]) + 1.35 * (double)n[C_register_pool_operations] +
              0.32 * (double)n[C_reference_operations] + 2.93 * (double)(n[C_verify_cache_reads] + n[C_verify_cache_writes]));
    judge_figure(k->j, name, value, is);
}

/* All have counted the same; the next run begins. */
static inline void compare_counts(judge *j, wir_counts *c, const rf_wir_cfg *cfg) {
    counts_check check = {j, c, cfg, 0};
    rf_wir_count_report(&c->model, cfg, count_reported, &check);
    rf_wir_count_report(&c->stepped, cfg, count_reported, &check);
    assert_int_equal(check.found, 2 * COUNTS);
    judge_add_counts(c->of);
    memset(c, 0, sizeof *c);
}

#endif
