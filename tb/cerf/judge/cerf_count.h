/* SPDX-License-Identifier: Apache-2.0 */
/* The counters of a run of rf_cerf, counted in the slow system by the words of docs/units/rf_cerf.md ("Counters"), beside those
 * of tb/cerf/env/rf_cerf_count.h, which counts in the model's wires. */
#ifndef RF_CERF_JUDGE_COUNT_H
#define RF_CERF_JUDGE_COUNT_H

#include "tb/cerf/env/rf_cerf_count.h"
#include "tb/cerf/judge/slow_cerf.h"

/* clang-format off */
#define LINE_COUNTERS(X) \
    X(line_loads) X(line_load_hits) X(line_stores) X(line_store_hits) X(line_atomics) X(access_conflicts) X(tag_lookups) \
    X(tag_refusals) X(tag_writes) X(line_fills) X(row_writes) X(victim_registers) X(victim_lines) X(victim_dirty_lines) \
    X(registers_by_registers) X(lines_by_lines) X(sent_fetches) X(sent_writes) X(sent_atomics)
#define USE_COUNTERS(X) /* of cerf_use.h */ \
    X(register_reuses) X(register_reuses_100) X(register_reuses_1000) X(line_reuses) X(line_reuses_100) X(line_reuses_1000) \
    X(lines_used) X(lines_used_often)
#define COUNTERS(X) \
    LINE_COUNTERS(X) USE_COUNTERS(X) X(reads) X(read_hits) X(writes) X(write_hits) X(last_reads) X(deaths) X(read_conflicts) X(write_conflicts) \
    X(operands) X(stall_hazard) X(stall_no_collector) X(stall_nothing_ready) X(stall_drained) SLOT_COUNTERS(X)
/* clang-format on */
#include "tb/banked/judge/judge_slots.h"

#define COUNT_ONE(name) +1
#define STAGE_COUNTS (COUNTS - (USE_COUNTERS(COUNT_ONE))) /* all but those of cerf_use.h */
#define LINE_FIGURES 3u                                   /* line_load_hit_share, register_share, line_share */

/* What the slow system counts, and what rf_cerf_count.c does. */
typedef struct cerf_counts {
    uint64_t of[COUNTS], cycles, collectors, scans, registers, lines;
    rf_cerf_count model;
} cerf_counts;

static inline void count_request(uint64_t *n, const slow_cerf_turn *now, uint32_t b) {
    const slow_turn *t = &now->memory.bank[b];
    const uint32_t op = now->memory.in[b].req_op;
    const bool hits = t->out.accept && t->out.hit;
    if (now->memory.granted[b] == NOBODY || op > RF_CACHE_FLUSH) return; /* others are none */
    n[C_tag_lookups]++;
    n[C_tag_refusals] += t->out.refuse;
    n[C_line_loads] += op == RF_CACHE_LOAD && t->out.accept;
    n[C_line_load_hits] += op == RF_CACHE_LOAD && hits;
    n[C_line_stores] += op == RF_CACHE_STORE && t->out.accept;
    n[C_line_store_hits] += op == RF_CACHE_STORE && hits;
    n[C_line_atomics] += op == RF_CACHE_ATOMIC && t->out.accept;
    n[C_reads] += op == RF_CACHE_READ_REG && t->out.accept;
    n[C_read_hits] += op == RF_CACHE_READ_REG && hits;
    n[C_writes] += op == RF_CACHE_WRITE_REG && t->out.accept;
    n[C_write_hits] += op == RF_CACHE_WRITE_REG && hits;
    n[C_deaths] += t->did[READ_REG_DIES] || t->did[READ_REG_OF_CACHE]; /* the latter of illegal inputs alone */
}

/* Of a bank in which an entry changes: the newcomer is a register. */
static inline bool brings_register(const slow_turn *t) { return t->event == RF_LINE_WRITE_REG || t->event == RF_LINE_FILL_REG; }

static inline void count_banks(uint64_t *n, const slow_cerf *s, const slow_cerf_turn *now, const rf_cerf_in *in) {
    const rf_cerf_memory_out *o = &now->memory.out;
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        const slow_turn *t = &now->memory.bank[b];
        count_request(n, now, b);
        n[C_tag_writes] += t->allocates;
        n[C_row_writes] += writes_row(&s->memory.bank[b].access);
        n[C_victim_registers] += t->out.victim && t->out.victim_state == RF_LINE_REG;
        n[C_victim_lines] += t->out.victim && t->out.victim_state == RF_LINE_CACHE;
        n[C_victim_dirty_lines] += t->out.victim && t->out.victim_state == RF_LINE_DIRTY;
        n[C_registers_by_registers] += t->out.victim && t->out.victim_state == RF_LINE_REG && brings_register(t);
        n[C_lines_by_lines] += t->out.victim && holds_cache(t->out.victim_state) && t->event == RF_LINE_FILL_CACHE;
        n[C_line_fills] += is_filled(&now->in, b) && t->out.fill_ready;
    }
    n[C_sent_fetches] += o->l2_valid && in->l2_ready && o->l2_op == RF_MISS_FETCH;
    n[C_sent_writes] += o->l2_valid && in->l2_ready && o->l2_op == RF_MISS_WRITE;
    n[C_sent_atomics] += o->l2_valid && in->l2_ready && o->l2_op == RF_MISS_ATOMIC;
}

/* Who asked a bank that was ready, and another one was granted. */
static inline void count_conflicts(uint64_t *n, const slow_cerf *s, const slow_cerf_turn *now) {
    for (uint32_t a = 0; a < askers_of(&s->memory); a++) {
        const uint32_t b = asked_bank(&s->memory, &now->in, a);
        if (!asks(&s->memory, &now->in, a) || !now->memory.free[b] || now->memory.granted[b] == a) continue;
        n[is_reader(&s->memory, a) ? C_read_conflicts : is_writer(&s->memory, a) ? C_write_conflicts : C_access_conflicts]++;
    }
}

/* One cycle of the slow system, before its edge; `waits`: of the surroundings. */
static inline void count_cycle(cerf_counts *c, const slow_cerf *s, const rf_cerf_in *in, const slow_cerf_turn *now,
                               const rf_stage_waits *waits) {
    static const uint32_t own[4] = {NONE, NONE, NONE, NONE};
    uint64_t *n = c->of;
    c->cycles++;
    count_banks(n, s, now, in);
    count_conflicts(n, s, now);
    if (!s->cfg.integrated) return;
    count_slots(n, &s->stage.units, &now->stage.units, now->stage.units.hazard, own, &in->stage, waits);
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        const uint32_t w = now->stage.units.goes[g];
        for (uint32_t k = 0; w != NONE && k < s->cfg.slots && in->ib_mask[w] != 0; k++)
            n[C_operands] += judge_bit(in->ib_src_valid[w], k);
    }
    for (uint32_t i = 0; i < s->cfg.collectors; i++) {
        c->collectors += s->stage.units.collector[i].busy;
        for (uint32_t k = 0; k < s->cfg.slots; k++) n[C_last_reads] += now->stage.units.read[i][k] && now->stage.last[i][k];
    }
}

/* Behind the edge of every 256th cycle, from the first on. */
static inline void count_entries(cerf_counts *c, const slow_cerf *s) {
    if ((c->cycles - 1) % RF_CERF_SCAN != 0) return;
    c->scans++;
    for (uint32_t b = 0; b < s->cfg.banks; b++)
        for (uint32_t i = 0; i < s->cfg.sets / s->cfg.banks * s->cfg.ways; i++) {
            c->registers += s->memory.bank[b].entry[i].state == RF_LINE_REG;
            c->lines += holds_cache(s->memory.bank[b].entry[i].state);
        }
}

typedef struct counts_check {
    judge *j;
    const cerf_counts *c;
    const rf_cerf_cfg *cfg;
    uint32_t found;
} counts_check;

static inline void count_reported(void *ctx, const char *name, double value) {
    counts_check *k = ctx;
    const cerf_counts *c = k->c;
    const double entries = (double)c->scans * k->cfg->sets * k->cfg->ways;
    double is = -1;
    k->found++;
    if (judge_counter(k->j, name, value, c->of)) return;
    if (strcmp(name, "line_load_hit_share") == 0) {
        if (c->of[C_line_loads] == 0 && isnan(value)) return;
        is = (double)c->of[C_line_load_hits] / (double)c->of[C_line_loads];
    } else if (strcmp(name, "register_share") == 0) is = (double)c->registers / entries;
    else if (strcmp(name, "line_share") == 0) is = (double)c->lines / entries;
    else if (strcmp(name, "collectors_busy_mean") == 0) is = (double)c->collectors / (double)c->cycles;
    judge_figure(k->j, name, value, is);
}

/* Both have counted the same. */
static inline void compare_counts(judge *j, cerf_counts *c, const rf_cerf_cfg *cfg) {
    counts_check check = {j, c, cfg, 0};
    uint64_t *n = c->of;
    if (c->cycles == 0) return;
    n[C_stall_hazard] = n[C_slot_hazard_memory] + n[C_slot_hazard_other];
    n[C_stall_no_collector] = n[C_slot_collector];
    n[C_stall_nothing_ready] = n[C_slot_empty] + n[C_slot_barrier] + n[C_slot_drain];
    n[C_stall_drained] = n[C_slot_no_warp];
    rf_cerf_count_report(&c->model, cfg, count_reported, &check);
    judge_passes(j);
    assert_int_equal(check.found, cfg->integrated ? STAGE_COUNTS + LINE_FIGURES + 1 : (LINE_COUNTERS(COUNT_ONE)) + LINE_FIGURES);
    if (cfg->integrated) judge_add_counts(c->of);
}

#endif
