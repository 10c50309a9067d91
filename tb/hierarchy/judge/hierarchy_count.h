/* SPDX-License-Identifier: Apache-2.0 */
/* The counters of a run of rf_hierarchy, counted in the slow system, beside those of tb/hierarchy/env/rf_hierarchy_count.h, which
 * counts in the model's wires. Accesses are whole warp registers; a register that an instruction names several times is read once
 * each way (D-dup). */
#ifndef RF_SLOW_HIERARCHY_COUNT_H
#define RF_SLOW_HIERARCHY_COUNT_H

#include "tb/hierarchy/env/rf_hierarchy_count.h"
#include "tb/hierarchy/judge/slow_hierarchy.h"

/* clang-format off */
#define COUNTERS(X) \
    X(operands) X(delivered_shared) X(reads) X(writes) X(l1_reads) X(l1_shared_reads) X(l1_writes) X(l1_shared_writes) \
    X(l1_sent) X(l0_reads) X(l0_shared_reads) X(l0_writes) X(l0_shared_writes) X(l0_sent) X(l0_moves) X(evictions) X(flushes) \
    X(filled_reads) X(filled_writes) X(kept) X(last_reads) X(suspended) X(entered) X(unpriced_arbiter_requests) X(read_read_conflicts) X(write_write_conflicts) \
    X(stall_hazard) X(stall_no_collector) X(stall_nothing_ready) X(stall_drained) X(slot_inactive) SLOT_COUNTERS(X)
/* clang-format on */
#include "tb/banked/judge/judge_slots.h"

/* An entry of a cache that source operands fill, too; of each slot the newest first. */
typedef struct filled_entry {
    bool there, dirty;
    uint32_t reg;
} filled_entry;

/* What the slow system counts, and what rf_hierarchy_count.c does. */
typedef struct hierarchy_counts {
    uint64_t of[COUNTS], cycles, busy, collectors, active, leaving;
    filled_entry filled[RF_ACTIVE_MAX][RF_LEVEL_ENTRIES_MAX];
    rf_hierarchy_count model;
} hierarchy_counts;

static inline void count_level(uint64_t *n, bool l0, uint32_t l1_counter, uint32_t l0_counter, bool counts) {
    n[l0 ? l0_counter : l1_counter] += counts;
}

static inline void count_write(uint64_t *n, bool l0, bool shared) {
    count_level(n, l0, C_l1_writes, C_l0_writes, true);
    count_level(n, l0, C_l1_shared_writes, C_l0_shared_writes, shared);
}

static inline void count_sources(uint64_t *n, const slow_hierarchy *s, const rf_hierarchy_in *in, const slow_round *now) {
    const uint32_t w = now->stage.goes[0];
    const uint8_t *src = &in->ib_src[w * s->cfg.slots];
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        const bool hit = now->way.hit[k], shared = judge_bit(in->ib_shared, w);
        bool again = false, freed = false;
        if (!judge_bit(sources_of(in, w), k)) continue;
        for (uint32_t low = 0; low < k; low++) {
            const bool same = judge_bit(sources_of(in, w), low) && src[low] == src[k] && now->way.hit[low] == hit;
            again = again || same;
            freed = freed || (same && judge_bit(now->in.last, low));
        }
        n[C_delivered_shared] += shared;
        n[C_last_reads] += !by_software(&s->levels) && hit && judge_bit(now->in.last, k) && !freed;
        n[C_operands] += !again;
        if (!hit || again) continue;
        count_level(n, now->way.hit_l0[k], C_l1_reads, C_l0_reads, true);
        count_level(n, now->way.hit_l0[k], C_l1_shared_reads, C_l0_shared_reads, shared);
    }
}

/* The file of a slot, as the reads of this cycle leave it: in which level it has a register. */
static inline bool is_in_l0(const slow_hierarchy *s, const slow_round *now, uint32_t a, uint32_t reg) {
    const slow_cache c = cache_after_reads(&s->levels, &now->in, a);
    return cache_find(&c, reg) == TOP;
}

static inline void count_result(uint64_t *n, const slow_hierarchy *s, const slow_round *now) {
    const uint32_t e = now->way.offered, a = now->way.slot[e], note = now->in.wr_note[e];
    const bool shared = (note & RF_NOTE_SHARED) != 0;
    if (by_software(&s->levels)) {
        count_write(n, name_is_l0(note & RF_NOTE_NAME), shared);
        return;
    }
    const slow_sent *sends = &now->way.sends;
    const slow_cache old = cache_after_reads(&s->levels, &now->in, a);
    slow_cache new = old;
    (void)write_head(&s->levels, &now->in, e, a, &new);
    n[C_evictions] += sends->entry;
    if (sends->entry) count_level(n, is_in_l0(s, now, a, sends->reg), C_l1_sent, C_l0_sent, true);
    const uint32_t was = old.at[TOP].there ? cache_find(&new, old.at[TOP].reg) : ABSENT;
    if (was < TOP && old.at[TOP].reg != now->in.wr_reg[e]) { /* the L0's value is in the L1 now */
        n[C_l0_moves]++;
        count_write(n, false, false);
    }
    if (!sends->any || sends->entry) count_write(n, cache_find(&new, now->in.wr_reg[e]) == TOP, shared);
}

static inline void count_files(uint64_t *n, const slow_hierarchy *s, const slow_round *now) {
    if (!has_levels(s)) return;
    if (now->in.keep && slot_of_warp(&s->levels, &now->in, now->in.keep_warp) != ABSENT) {
        n[C_kept]++;
        count_write(n, name_is_l0(now->in.keep_name), now->in.keep_shared != 0);
    }
    if (now->granted[s->cfg.exports]) {
        n[C_flushes]++;
        count_level(n, is_in_l0(s, now, now->way.flushes, now->way.ask[s->cfg.exports].reg), C_l1_sent, C_l0_sent, true);
    }
    if (now->way.offered != ABSENT && now->way.done[now->way.offered]) count_result(n, s, now);
}

/* [hierarchy 4.1]: "additionally allocates RFC entries for an instruction's source operands"; of a cache that is never flushed.
 */
static inline bool has_filled(const rf_hierarchy_cfg *c) {
    return c->levels == 2 && !c->managed && !c->policy && !c->liveness && c->active == c->warps;
}

static inline filled_entry *filled_of(filled_entry *f, uint32_t entries, uint32_t reg) {
    for (uint32_t e = 0; e < entries; e++)
        if (f[e].there && f[e].reg == reg) return &f[e];
    return NULL;
}

static inline void filled_push(uint64_t *n, filled_entry *f, uint32_t entries, uint32_t reg, bool dirty) {
    n[C_filled_writes] += f[entries - 1].there && f[entries - 1].dirty;
    memmove(f + 1, f, (entries - 1) * sizeof *f);
    f[0] = (filled_entry){true, dirty, reg};
}

static inline void count_filled(hierarchy_counts *c, const slow_hierarchy *s, const rf_hierarchy_in *in, const slow_round *now) {
    const uint32_t w = now->stage.goes[0], entries = s->cfg.entries, e = now->way.offered;
    bool missing[RF_REGS_MAX] = {false};
    if (!has_filled(&s->cfg)) return;
    for (uint32_t k = 0; k < s->cfg.slots && w != NONE; k++) {
        const uint32_t reg = in->ib_src[w * s->cfg.slots + k];
        if (judge_bit(sources_of(in, w), k) && !filled_of(c->filled[now->seat], entries, reg)) missing[reg] = true;
    }
    for (uint32_t k = 0; k < s->cfg.slots && w != NONE; k++) { /* in the order of the slots */
        const uint32_t reg = in->ib_src[w * s->cfg.slots + k];
        if (!judge_bit(sources_of(in, w), k) || !missing[reg]) continue;
        c->of[C_filled_reads]++;
        filled_push(c->of, c->filled[now->seat], entries, reg, false);
        missing[reg] = false;
    }
    if (e == ABSENT || !now->way.done[e]) return;
    filled_entry *f = c->filled[now->way.slot[e]], *at = filled_of(f, entries, now->in.wr_reg[e]);
    const bool all = now->in.wr_mask[e] == (s->cfg.lanes == 32 ? UINT32_MAX : (1u << s->cfg.lanes) - 1),
               may = (now->in.wr_note[e] & RF_NOTE_UPPER) != 0;
    if (at && (!all || may)) at->dirty = true;
    else if (all && may) filled_push(c->of, f, entries, now->in.wr_reg[e], true);
    else {
        c->of[C_filled_writes]++;
        if (at) at->there = false;
    }
}

/* One cycle of the slow system, before its edge; `waits`: of the surroundings. */
static inline void count_cycle(hierarchy_counts *c, const slow_hierarchy *s, const rf_hierarchy_in *in, const slow_round *now,
                               const rf_stage_waits *waits) {
    uint64_t *n = c->of;
    const uint32_t w = now->stage.goes[0];
    bool waiting[64] = {false}, inactive = false;
    c->cycles++;
    if (w != NONE) count_sources(n, s, in, now);
    n[C_suspended] += w != NONE && has_seats(s) && !all_active(s) && judge_bit(in->ib_leave, w);
    n[C_entered] += now->enters != NONE;
    count_files(n, s, now);
    count_filled(c, s, in, now);
    for (uint32_t a = 0; a < s->cfg.active && has_seats(s); a++) {
        c->active += s->seat[a].held && !s->seat[a].leaving;
        c->leaving += s->seat[a].leaving;
    }
    for (uint32_t i = 0; i < s->cfg.collectors; i++) {
        c->collectors += s->stage.collector[i].busy;
        for (uint32_t k = 0; k < s->cfg.slots; k++) {
            n[C_unpriced_arbiter_requests] += now->stage.asks[i][k];
            n[C_reads] += now->stage.read[i][k];
            n[C_read_read_conflicts] += now->stage.asks[i][k] && !now->stage.read[i][k];
        }
    }
    for (uint32_t e = 0; e < writers_of(s); e++) {
        n[C_unpriced_arbiter_requests] += now->way.ask[e].any;
        n[C_writes] += now->granted[e];
        n[C_write_write_conflicts] += now->way.ask[e].any && !now->granted[e];
    }
    for (uint32_t b = 0; b < s->cfg.banks; b++) c->busy += now->stage.reader[b] != NONE || now->stage.writer[b] != NONE;
    for (uint32_t v = 0; v < s->cfg.warps; v++) {
        const uint32_t a = has_seats(s) ? seat_of(s, v) : 0;
        waiting[v] = now->stage.hazard[v] || (now->pend[v] && now->stage.valid[v]);
        inactive = inactive || (has_seats(s) && now->stage.ready[v] && (a == NONE || s->seat[a].leaving));
    }
    const uint32_t own[4] = {now->stage.chosen[0] == NONE && inactive ? C_slot_inactive : NONE, NONE, NONE, NONE};
    count_slots(n, &s->stage, &now->stage, waiting, own, &in->stage, waits);
}

typedef struct counts_check {
    judge *j;
    const hierarchy_counts *c;
    const rf_hierarchy_cfg *cfg;
    uint32_t found;
} counts_check;

static inline void count_reported(void *ctx, const char *name, double value) {
    counts_check *k = ctx;
    const hierarchy_counts *c = k->c;
    const double cycles = c->cycles != 0 ? (double)c->cycles : 1;
    double is = -1;
    if (strncmp(name, "energy_", 7) == 0 || strncmp(name, "pj_", 3) == 0) return; /* the_energy_is_the_papers */
    k->found++;
    if (strncmp(name, "filled_", 7) == 0 && !has_filled(k->cfg)) {
        assert_true(isnan(value));
        return;
    }
    if (judge_counter(k->j, name, value, c->of)) return;
    if (strcmp(name, "bank_busy_share") == 0) is = (double)c->busy / cycles / k->cfg->banks;
    else if (strcmp(name, "collectors_busy_mean") == 0) is = (double)c->collectors / cycles;
    else if (strcmp(name, "active_mean") == 0) is = (double)c->active / cycles;
    else if (strcmp(name, "leaving_mean") == 0) is = (double)c->leaving / cycles;
    judge_figure(k->j, name, value, is);
}

/* Both have counted the same; the next run begins. */
static inline void compare_counts(judge *j, hierarchy_counts *c, const rf_hierarchy_cfg *cfg) {
    counts_check check = {j, c, cfg, 0};
    uint64_t *n = c->of;
    if (c->cycles == 0) return;
    n[C_stall_hazard] = n[C_slot_hazard_memory] + n[C_slot_hazard_other];
    n[C_stall_no_collector] = n[C_slot_collector];
    n[C_stall_nothing_ready] = n[C_slot_empty] + n[C_slot_barrier] + n[C_slot_drain];
    n[C_stall_drained] = n[C_slot_no_warp];
    rf_hierarchy_count_report(&c->model, cfg, &judge_wires, count_reported, &check);
    judge_passes(j);
    assert_int_equal(check.found, COUNTS + 4);
    judge_add_counts(c->of);
    memset(c, 0, sizeof *c);
}

#endif
