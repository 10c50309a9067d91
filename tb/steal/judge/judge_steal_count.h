/* SPDX-License-Identifier: Apache-2.0 */
/* The counters of a run of rf_steal, counted in the slow model by the words of docs/units/rf_steal.md ("Counters"), beside those
 * of tb/steal/env/rf_steal_count.h, which counts in the model's wires: neither lockstep nor the other comparisons see these. */
#ifndef RF_JUDGE_STEAL_COUNT_H
#define RF_JUDGE_STEAL_COUNT_H

#include "tb/steal/judge/judge_steal.h"
#include "tb/steal/env/rf_steal_count.h"

/* clang-format off */
#define COUNTERS(X)                                                                                                               \
    X(reads) X(reads_ahead) X(issues_ahead) X(wait_read) X(wait_own) X(wait_write) X(wait_recall) X(wait_stolen)                  \
    X(writes_normal) X(writes_stolen) X(writes_forced) X(writes_wait) X(back_idle) X(back_forced) X(back_in_1) X(back_in_3)       \
    X(back_stall) X(names) X(names_lost) X(bank_reads) X(bank_writes) X(operands_delivered) X(unpriced_arbiter_requests)          \
    X(unpriced_rfree_table_writes) X(stall_hazard) X(stall_no_collector) X(stall_nothing_ready) X(stall_drained) SLOT_COUNTERS(X)
/* clang-format on */
#include "tb/banked/judge/judge_slots.h"

/* What the slow model counts, and what rf_steal_count.c does. */
typedef struct steal_counts {
    uint64_t of[COUNTS], cycles, busy, lent, collectors, recalls, returns;
    uint64_t lent_in[32]; /* by bank: cycle of its last loan */
    rf_steal_count model;
} steal_counts;

static inline bool is_linked(const slow_steal *s, const slow_theft *now, uint32_t bank) {
    for (uint32_t e = 0; e < s->cfg.exports; e++)
        if (now->stolen[e] && now->place[e] == bank) return true;
    return false;
}

static inline void count_operands(uint64_t *n, const slow_steal *s, const slow_theft *now) {
    bool stalls = false;
    for (uint32_t c = 0; c < s->cfg.collectors; c++)
        for (uint32_t k = 0; k < s->cfg.slots; k++) {
            const uint32_t b = s->stage.collector[c].slot[k].bank;
            if (!now->stage.asks[c][k]) continue;
            n[C_unpriced_arbiter_requests]++;
            stalls |= is_return_to(s, b) && !now->rd_blocked[c][k];
            if (now->stage.read[c][k]) n[C_reads]++;
            else if (now->rd_blocked[c][k]) n[C_wait_stolen]++;
            else if (now->stage.writer[b] != NONE) n[C_wait_write]++;
            else if (now->recalled == b) n[C_wait_recall]++;
            else if (now->stage.reader[b] == c) n[C_wait_own]++;
            else n[C_wait_read]++;
        }
    n[C_back_stall] += stalls;
    for (uint32_t g = 0; g < s->cfg.issues; g++)
        for (uint32_t k = 0; k < s->cfg.slots; k++) {
            n[C_unpriced_arbiter_requests] += now->ahead_asks[g][k];
            n[C_reads_ahead] += now->ahead_read[g][k];
        }
}

static inline void count_groups(uint64_t *n, const slow_steal *s, const rf_steal_in *in, const slow_theft *now, uint64_t live) {
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        const uint32_t w = now->stage.goes[g];
        bool hazard = false, there = false;
        n[C_issues_ahead] += now->steals[g];
        for (uint32_t v = g; v < s->cfg.warps; v += s->cfg.issues) hazard |= now->stage.hazard[v], there |= judge_bit(live, v);
        if (w == NONE) {
            if (now->stage.chosen[g] != NONE) n[C_stall_no_collector]++;
            else if (hazard) n[C_stall_hazard]++;
            else if (there) n[C_stall_nothing_ready]++;
            else n[C_stall_drained]++;
            continue;
        }
        for (uint32_t k = 0; k < s->cfg.slots && in->ib_mask[w] != 0; k++)
            n[C_operands_delivered] += judge_bit(in->ib_src_valid[w], k);
        for (uint32_t u = 0; u < RF_FREES_MAX; u++) {
            if (!judge_bit(in->ib_name_valid[w], u)) continue;
            const uint32_t b = bank_of(&s->stage.cfg, w, in->ib_name[w * RF_FREES_MAX + u]);
            n[C_names]++;
            n[C_unpriced_rfree_table_writes]++;
            n[C_names_lost] += (s->loan[b].lent && now->recalled != b) || is_linked(s, now, b);
        }
    }
}

static inline void count_loans(steal_counts *c, const slow_steal *s, const slow_theft *now) {
    uint64_t *n = c->of;
    for (uint32_t b = 0; b < s->cfg.banks; b++) c->lent += s->loan[b].lent;
    c->returns += s->coming;
    if (now->recalled != NONE) {
        const uint64_t away = c->cycles - c->lent_in[now->recalled];
        c->recalls++;
        n[C_unpriced_rfree_table_writes]++;
        n[now->recall_forced ? C_back_forced : C_back_idle]++;
        n[C_back_in_1] += away == 1;
        n[C_back_in_3] += away <= 3;
    }
    for (uint32_t e = 0; e < s->cfg.exports; e++)
        if (now->stolen[e]) c->lent_in[now->place[e]] = c->cycles;
}

/* One cycle of the slow model, before its edge; `waits`: of the surroundings. */
static inline void count_cycle(steal_counts *c, const slow_steal *s, const rf_steal_in *in, const slow_theft *now,
                               const rf_stage_waits *waits) {
    static const uint32_t own[4] = {NONE, NONE, NONE, NONE};
    uint64_t *n = c->of;
    c->cycles++;
    count_operands(n, s, now);
    count_groups(n, s, in, now, waits->live);
    count_slots(n, &s->stage, &now->stage, now->stage.hazard, own, &in->stage, waits);
    count_loans(c, s, now);
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        if (s->stage.queue[e].length == 0) continue;
        n[C_unpriced_arbiter_requests]++;
        if (!now->stage.write[e]) n[C_writes_wait]++;
        else n[now->stolen[e] ? C_writes_stolen : now->forced[e] ? C_writes_forced : C_writes_normal]++;
        n[C_unpriced_rfree_table_writes] += now->stolen[e];
    }
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        const bool reads = now->stage.reader[b] != NONE || now->thief[b] != NONE || now->recalled == b;
        n[C_bank_reads] += reads;
        n[C_bank_writes] += now->stage.writer[b] != NONE;
        c->busy += reads || now->stage.writer[b] != NONE;
    }
    for (uint32_t i = 0; i < s->cfg.collectors; i++) c->collectors += s->stage.collector[i].busy;
}

typedef struct counts_check {
    judge *j;
    const steal_counts *c;
    const rf_steal_cfg *cfg;
    uint32_t found;
} counts_check;

static inline void count_reported(void *ctx, const char *name, double value) {
    counts_check *k = ctx;
    const steal_counts *c = k->c;
    const uint64_t *n = c->of;
    const double cycles = c->cycles != 0 ? (double)c->cycles : 1, four = k->cfg->lanes / 4.0 * 1e-6;
    double is = judge_wire(name);
    k->found++;
    if (judge_counter(k->j, name, value, n)) return;
    if (strcmp(name, "linked_mean") == 0) is = (double)c->lent / cycles;
    else if (strcmp(name, "bank_busy_share") == 0) is = (double)c->busy / cycles / k->cfg->banks;
    else if (strcmp(name, "collectors_busy_mean") == 0) is = (double)c->collectors / cycles;
    else if (strcmp(name, "energy_uj") == 0) /* [hierarchy Table V], four lanes an access: bank, collector, crossbar */
        is = four * (8 * (double)n[C_bank_reads] + 11 * (double)n[C_bank_writes] + 0.7 * (double)n[C_operands_delivered] +
                     2 * (double)(n[C_reads] + n[C_reads_ahead]) +
                     7.6 * (JUDGE_BANK_COLLECTOR * (double)(n[C_reads] + n[C_reads_ahead]) +
                            JUDGE_RESULT_BANK * (double)n[C_bank_writes]));
    else if (strcmp(name, "energy_of_stealing_uj") == 0)
        is = four * (8 * (double)c->recalls + (11 + 7.6 * JUDGE_RESULT_BANK) * (double)c->returns);
    judge_figure(k->j, name, value, is);
}

/* Both have counted the same; the next run begins. */
static inline void compare_counts(judge *j, steal_counts *c, const rf_steal_cfg *cfg) {
    counts_check check = {j, c, cfg, 0};
    rf_steal_count_report(&c->model, cfg, &judge_wires, count_reported, &check);
    assert_int_equal(check.found, COUNTS + 7);
    judge_add_counts(c->of);
    memset(c, 0, sizeof *c);
}

#endif
