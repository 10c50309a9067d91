/* SPDX-License-Identifier: Apache-2.0 */
/* The counters of a run of rf_malekeh, counted in the slow model by the words of docs/units/rf_malekeh.md ("Counters"), beside
 * those of tb/malekeh/env/rf_malekeh_count.h, which counts in the model's wires: neither lockstep nor the other comparisons see
 * these. */
#ifndef RF_JUDGE_MALEKEH_COUNT_H
#define RF_JUDGE_MALEKEH_COUNT_H

#include "tb/malekeh/judge/judge_malekeh.h"
#include "tb/malekeh/env/rf_malekeh_count.h"

/* clang-format off */
#define COUNTERS(X)                                                                                                               \
    X(operands) X(hits) X(reads) X(writes) X(near_writes) X(ccu_writes) X(unpriced_arbiter_requests)                              \
    X(flushes) X(flushes_near) X(read_read_conflicts) X(read_write_conflicts) X(write_write_conflicts) X(stall_sthld)             \
    X(stall_own_ccu_busy) X(stall_hazard) X(stall_no_collector) X(stall_nothing_ready) X(stall_drained)                           \
    X(slot_sthld) X(slot_own_ccu) SLOT_COUNTERS(X)
/* clang-format on */
#include "tb/banked/judge/judge_slots.h"

/* What the slow model counts, and what rf_malekeh_count.c does. */
typedef struct malekeh_counts {
    uint64_t of[COUNTS], cycles, ideal, bow, delivered, sthld, busy, collectors;
    bool kept[64][256];      /* by warp and register: in a cache without end */
    bool window[2][64][256]; /* registers of the warp's last uop, of the one before */
    rf_malekeh_count model;
} malekeh_counts;

/* Warp w issues, in CCU `at`; `control`: a control instruction. */
static inline void count_uop(malekeh_counts *c, const slow_malekeh *s, const rf_malekeh_in *in, const slow_turn *now, uint32_t w,
                             uint32_t at, bool control) {
    uint64_t *n = c->of;
    bool regs[256] = {false};
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        const uint32_t r = in->ib_src[w * s->cfg.slots + k];
        if (!is_source(in, w, k)) continue;
        c->delivered++;
        if (regs[r]) continue;
        regs[r] = true;
        n[C_operands]++;
        n[C_hits] += now->hit[at][k];
        c->ideal += c->kept[w][r];
        c->bow += c->window[0][w][r] || c->window[1][w][r];
        c->kept[w][r] = true;
    }
    if (in->ib_mask[w] != 0 && judge_bit(in->ib_dst_valid, w)) regs[in->ib_dst[w]] = true;
    memcpy(c->window[1][w], c->window[0][w], sizeof regs);
    memcpy(c->window[0][w], regs, sizeof regs);
    if (control) memset(c->window[0][w], 0, sizeof regs), memset(c->window[1][w], 0, sizeof regs);
}

static inline void count_written(malekeh_counts *c, const slow_malekeh *s, const slow_turn *now) {
    uint64_t *n = c->of;
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        const slow_queue *q = &s->stage.queue[e];
        const bool near = s->near_stored[e][q->popped % s->cfg.wbdepth];
        if (q->length == 0) continue;
        n[C_unpriced_arbiter_requests]++;
        n[now->stage.write[e] ? C_writes : C_write_write_conflicts]++;
        if (!now->stage.write[e]) continue;
        n[C_near_writes] += near;
        c->kept[q->waiting[0].warp][q->waiting[0].reg] = near; /* [Malekeh 4.2] */
    }
    for (uint32_t i = 0; i < s->cfg.collectors; i++) n[C_ccu_writes] += now->on_d[i] != NONE;
}

/* Returns the counter of a cause that the other stages do not have, or NONE. */
static inline uint32_t count_stall(uint64_t *n, const slow_malekeh *s, const slow_turn *now, uint32_t g, uint64_t live) {
    bool own = false, hazard = false, there = false;
    for (uint32_t w = g; w < s->cfg.warps; w += s->cfg.issues) {
        own |= now->stage.valid[w] && !now->stage.hazard[w] && now->own_busy[w];
        hazard |= now->stage.hazard[w];
        there |= judge_bit(live, w);
    }
    if (now->stage.chosen[g] != NONE) n[now->waits[g] ? C_stall_sthld : C_stall_no_collector]++;
    else if (own) n[C_stall_own_ccu_busy]++;
    else if (hazard) n[C_stall_hazard]++;
    else if (there) n[C_stall_nothing_ready]++;
    else n[C_stall_drained]++;
    if (now->stage.chosen[g] != NONE) return now->waits[g] ? C_slot_sthld : NONE;
    return own ? C_slot_own_ccu : NONE;
}

/* One cycle of the slow model, before its edge; what the surroundings say, and warps whose head is a control instruction. */
static inline void count_cycle(malekeh_counts *c, const slow_malekeh *s, const rf_malekeh_in *in, const slow_turn *now,
                               const rf_stage_waits *waits, uint64_t control) {
    uint64_t *n = c->of;
    uint32_t own[4] = {NONE, NONE, NONE, NONE};
    c->cycles++;
    c->sthld += s->cfg.adapt ? s->sthld : s->cfg.sthld;
    count_written(c, s, now);
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        const uint32_t w = now->stage.goes[g];
        if (w == NONE) own[g] = count_stall(n, s, now, g, waits->live);
        else count_uop(c, s, in, now, w, now->stage.given[g], judge_bit(control, w));
    }
    count_slots(n, &s->stage, &now->stage, now->stage.hazard, own, &in->stage, waits);
    for (uint32_t i = 0; i < s->cfg.collectors; i++) {
        c->collectors += s->stage.collector[i].busy;
        n[C_flushes] += now->replaced[i] && holds(s, i, false) > 0;
        n[C_flushes_near] += now->replaced[i] && holds(s, i, true) > 0;
        for (uint32_t k = 0; k < s->cfg.slots; k++) {
            if (!now->stage.asks[i][k]) continue;
            n[C_unpriced_arbiter_requests]++;
            if (now->stage.read[i][k]) n[C_reads]++;
            else if (now->stage.reader[s->stage.collector[i].slot[k].bank] != NONE) n[C_read_read_conflicts]++;
            else n[C_read_write_conflicts]++;
        }
    }
    for (uint32_t b = 0; b < s->cfg.banks; b++) c->busy += now->stage.reader[b] != NONE || now->stage.writer[b] != NONE;
}

/* A new warp in slot w. */
static inline void count_launch(malekeh_counts *c, uint32_t w) {
    rf_malekeh_count_launch(&c->model, w);
    memset(c->kept[w], 0, sizeof c->kept[w]);
    for (uint32_t i = 0; i < 2; i++) memset(c->window[i][w], 0, sizeof c->window[i][w]);
}

typedef struct counts_check {
    judge *j;
    const malekeh_counts *c;
    const rf_malekeh_cfg *cfg;
    uint32_t found;
} counts_check;

static inline void count_reported(void *ctx, const char *name, double value) {
    counts_check *k = ctx;
    const malekeh_counts *c = k->c;
    const uint64_t *n = c->of;
    const double cycles = c->cycles != 0 ? (double)c->cycles : 1, operands = n[C_operands] != 0 ? (double)n[C_operands] : 1;
    const double reads = (double)n[C_reads], writes = (double)n[C_writes], kept = (double)n[C_ccu_writes];
    double is = judge_wire(name);
    k->found++;
    if (judge_counter(k->j, name, value, n)) return;
    if (strcmp(name, "hit_share") == 0) is = (double)n[C_hits] / operands;
    else if (strcmp(name, "ideal_share") == 0) is = (double)c->ideal / operands;
    else if (strcmp(name, "bow_share") == 0) is = (double)c->bow / operands;
    else if (strcmp(name, "sthld_mean") == 0) is = (double)c->sthld / cycles;
    else if (strcmp(name, "bank_busy_share") == 0) is = (double)c->busy / cycles / k->cfg->banks;
    else if (strcmp(name, "collectors_busy_mean") == 0) is = (double)c->collectors / cycles;
    else if (strcmp(name, "energy_uj") == 0) /* [hierarchy Table V], four lanes an access: bank, collector, crossbar */
        is = k->cfg->lanes / 4.0 * 1e-6 *
             (8 * reads + 11 * writes + 0.7 * (double)c->delivered + 2 * (reads + kept) +
              7.6 * (JUDGE_BANK_COLLECTOR * reads + JUDGE_RESULT_BANK * writes + JUDGE_RESULT_CCU * kept));
    else if (strcmp(name, "energy_tags_uj") == 0) is = k->cfg->cache ? 0.75e-6 * (double)n[C_operands] : 0; /* [CERF Table III] */
    judge_figure(k->j, name, value, is);
}

/* Both have counted the same; the next run begins. */
static inline void compare_counts(judge *j, malekeh_counts *c, const rf_malekeh_cfg *cfg) {
    counts_check check = {j, c, cfg, 0};
    rf_malekeh_count_report(&c->model, cfg, &judge_wires, count_reported, &check);
    judge_passes(j);
    assert_int_equal(check.found, COUNTS + 11);
    judge_add_counts(c->of);
    memset(c, 0, sizeof *c);
}

#endif
