/* SPDX-License-Identifier: Apache-2.0 */
/* The counters of a run of rf_banked, counted in the slow model by the words of docs/units/rf_banked.md ("Counters"), beside
 * those of tb/banked/env/rf_banked_count.h, which counts in the model's wires. */
#ifndef RF_JUDGE_BANKED_COUNT_H
#define RF_JUDGE_BANKED_COUNT_H

#include "tb/banked/judge/judge_stage.h"
#include "tb/banked/env/rf_banked_count.h"

/* clang-format off */
#define COUNTERS(X)                                                                                                               \
    X(reads) X(writes) X(unpriced_arbiter_requests) X(read_read_conflicts) X(read_write_conflicts) X(write_write_conflicts)       \
    X(stall_hazard) X(stall_no_collector) X(stall_nothing_ready) X(stall_drained) SLOT_COUNTERS(X)
/* clang-format on */
#include "tb/banked/judge/judge_slots.h"

/* What the slow model counts, and what rf_banked_count.c does. */
typedef struct banked_counts {
    uint64_t of[COUNTS], cycles, delivered, busy, collectors;
    rf_banked_count model;
} banked_counts;

/* Group g: what it issues, or why it does not. */
static inline void count_group(banked_counts *c, const slow_stage *s, const rf_banked_in *in, const slow_cycle *now, uint32_t g,
                               uint64_t live) {
    const uint32_t w = now->goes[g];
    bool hazard = false, there = false;
    for (uint32_t v = g; v < s->cfg.warps; v += s->cfg.issues) hazard |= now->hazard[v], there |= judge_bit(live, v);
    if (w != NONE) {
        for (uint32_t k = 0; k < s->cfg.slots && in->ib_mask[w] != 0; k++) c->delivered += judge_bit(in->ib_src_valid[w], k);
        return;
    }
    if (now->chosen[g] != NONE) c->of[C_stall_no_collector]++;
    else if (hazard) c->of[C_stall_hazard]++;
    else if (there) c->of[C_stall_nothing_ready]++;
    else c->of[C_stall_drained]++;
}

/* One cycle of the slow model, before its edge; `waits`: of the surroundings. */
static inline void count_cycle(banked_counts *c, const slow_stage *s, const rf_banked_in *in, const slow_cycle *now,
                               const rf_stage_waits *waits) {
    static const uint32_t own[4] = {NONE, NONE, NONE, NONE};
    uint64_t *n = c->of;
    c->cycles++;
    for (uint32_t g = 0; g < s->cfg.issues; g++) count_group(c, s, in, now, g, waits->live);
    count_slots(n, s, now, now->hazard, own, &in->stage, waits);
    for (uint32_t i = 0; i < s->cfg.collectors; i++) {
        c->collectors += s->collector[i].busy;
        for (uint32_t k = 0; k < s->cfg.slots; k++) {
            if (!now->asks[i][k]) continue;
            n[C_unpriced_arbiter_requests]++;
            if (now->read[i][k]) n[C_reads]++;
            else if (now->reader[s->collector[i].slot[k].bank] != NONE) n[C_read_read_conflicts]++;
            else n[C_read_write_conflicts]++;
        }
    }
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        if (s->queue[e].length == 0) continue;
        n[C_unpriced_arbiter_requests]++;
        n[now->write[e] ? C_writes : C_write_write_conflicts]++;
    }
    for (uint32_t b = 0; b < s->cfg.banks; b++) c->busy += now->reader[b] != NONE || now->writer[b] != NONE;
}

typedef struct counts_check {
    judge *j;
    const banked_counts *c;
    const rf_banked_cfg *cfg;
    uint32_t found;
} counts_check;

static inline void count_reported(void *ctx, const char *name, double value) {
    counts_check *k = ctx;
    const banked_counts *c = k->c;
    const double cycles = c->cycles != 0 ? (double)c->cycles : 1;
    const double reads = (double)c->of[C_reads], writes = (double)c->of[C_writes];
    double is = judge_wire(name);
    k->found++;
    if (judge_counter(k->j, name, value, c->of)) return;
    if (strcmp(name, "bank_busy_share") == 0) is = (double)c->busy / cycles / k->cfg->banks;
    else if (strcmp(name, "collectors_busy_mean") == 0) is = (double)c->collectors / cycles;
    else if (strcmp(name, "energy_uj") == 0) /* [hierarchy Table V], four lanes an access: bank, collector, crossbar */
        is = k->cfg->lanes / 4.0 * 1e-6 *
             (8 * reads + 11 * writes + 0.7 * (double)c->delivered + 2 * reads +
              7.6 * (JUDGE_BANK_COLLECTOR * reads + JUDGE_RESULT_BANK * writes));
    judge_figure(k->j, name, value, is);
}

/* Both have counted the same; the next run begins. */
static inline void compare_counts(judge *j, banked_counts *c, const rf_banked_cfg *cfg) {
    counts_check check = {j, c, cfg, 0};
    rf_banked_count_report(&c->model, cfg, &judge_wires, count_reported, &check);
    judge_passes(j);
    assert_int_equal(check.found, COUNTS + 5);
    judge_add_counts(c->of);
    memset(c, 0, sizeof *c);
}

#endif
