/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/cerf/env/rf_cerf_count.h"

#include <math.h>

static uint64_t ones(uint64_t set) { return (uint64_t)__builtin_popcountll(set); }

/* Each bank's request of this cycle. */
static void count_requests(rf_cerf_count *n, const rf_cerf_memory_wires *x) {
    for (uint32_t left = x->asked; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left), op = x->op[b];
        if (op > RF_CACHE_FLUSH) continue;
        n->asked[op]++;
        n->accepted[op] += x->accept >> b & 1;
        n->refused[op] += x->refuse >> b & 1;
        n->hits[op] += (uint32_t)(x->accept & x->hit) >> b & 1;
    }
    for (uint32_t left = x->victim; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left);
        n->victims[x->by_register >> b & 1][x->victim_state[b] & 3]++;
    }
    n->fills += ones(x->filled);
    n->rows_written += ones(x->row_write);
    n->tags_written += ones(x->tag_write);
}

/* Who asked and was not granted. */
static void count_losers(rf_cerf_count *n, const rf_cerf_cfg *cfg, const rf_cerf_memory_wires *x) {
    const uint64_t lost = x->arbiter_in.rd_valid & ~x->arbiter.rd_grant, readers = rf_mask64(cfg->collectors * cfg->slots);
    n->lost_reads += ones(lost & readers);
    n->lost_accesses += ones(lost & ~readers);
    n->lost_writes += ones(x->arbiter_in.wr_valid & ~(uint32_t)x->arbiter.wr_grant);
}

static void count_stage(rf_cerf_count *n, const rf_cerf_cfg *cfg, const rf_cerf_in *in, const rf_cerf_out *out,
                        const rf_stage_waits *waits) {
    const rf_cerf_wires *x = &out->wires;
    const rf_stage_did did = {.issues = cfg->issues, .issued = out->issue_valid, .chosen = x->chosen, .hazard = x->hazard};
    n->last_reads += ones(x->rd_accept & x->rd_last);
    for (uint64_t left = x->rd_accept & x->rd_dead; left != 0; left &= left - 1) /* what misses has no entry */
        n->deaths += x->memory.hit >> x->memory.arbiter_in.rd_bank[rf_lowest(left)] & 1;
    n->collectors_busy += ones(x->busy);
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const uint32_t w = out->issue_warp[g];
        if ((out->issue_valid >> g & 1) != 0 && in->ib_mask[w] != 0) n->delivered += ones(in->ib_src_valid[w]);
    }
    rf_stage_slots_cycle(&n->slots, &did, waits);
    rf_stage_slots_dispatch(&n->slots, x->collected, x->dispatch.grant, in->ex_ready);
    rf_stage_slots_took(&n->slots, &in->stage, &out->stage, x->alloc.sel);
}

static void scan(rf_cerf_count *n, const rf_cerf_memory *m) {
    n->scans++;
    for (uint32_t b = 0; b < m->cfg.banks; b++)
        for (uint32_t s = 0; s < m->cfg.sets / m->cfg.banks; s++)
            for (uint32_t w = 0; w < m->cfg.ways; w++) n->entries[m->bank[b].tags.state_q[s] >> (2 * w) & 3]++;
}

void rf_cerf_count_cycle(rf_cerf_count *n, const rf_cerf *m, const rf_cerf_in *in, const rf_cerf_out *out,
                         const rf_stage_waits *waits) {
    if (n->cycles++ % RF_CERF_SCAN == 0) scan(n, &m->memory);
    count_requests(n, &out->wires.memory);
    count_losers(n, &m->cfg, &out->wires.memory);
    if (out->l2_valid && in->l2_ready && out->l2_op < 3) n->messages[out->l2_op]++;
    if (waits != NULL) count_stage(n, &m->cfg, in, out, waits);
}

void rf_cerf_count_report(const rf_cerf_count *n, const rf_cerf_cfg *cfg, ls_counter_fn *sink, void *ctx) {
    const double cycles = n->cycles != 0 ? (double)n->cycles : (double)NAN;
    const double entries = n->scans != 0 ? (double)n->scans * cfg->sets * cfg->ways : (double)NAN;
    const uint64_t loads = n->accepted[RF_CACHE_LOAD], stores = n->accepted[RF_CACHE_STORE];
    uint64_t lookups = 0, refused = 0;
    for (uint32_t op = 0; op < 6; op++) lookups += n->asked[op], refused += n->refused[op];
    if (cfg->integrated) {
        sink(ctx, "reads", (double)n->accepted[RF_CACHE_READ_REG]);
        sink(ctx, "read_hits", (double)n->hits[RF_CACHE_READ_REG]);
        sink(ctx, "writes", (double)n->accepted[RF_CACHE_WRITE_REG]);
        sink(ctx, "write_hits", (double)n->hits[RF_CACHE_WRITE_REG]);
        sink(ctx, "last_reads", (double)n->last_reads);
        sink(ctx, "deaths", (double)n->deaths);
        sink(ctx, "read_conflicts", (double)n->lost_reads);
        sink(ctx, "write_conflicts", (double)n->lost_writes);
        sink(ctx, "operands", (double)n->delivered);
        sink(ctx, "collectors_busy_mean", (double)n->collectors_busy / cycles);
        rf_stage_slots_stalls(&n->slots, sink, ctx);
        rf_stage_slots_report(&n->slots, NULL, NULL, sink, ctx);
    }
    sink(ctx, "line_loads", (double)loads);
    sink(ctx, "line_load_hits", (double)n->hits[RF_CACHE_LOAD]);
    sink(ctx, "line_load_hit_share", (double)n->hits[RF_CACHE_LOAD] / (loads != 0 ? (double)loads : (double)NAN));
    sink(ctx, "line_stores", (double)stores);
    sink(ctx, "line_store_hits", (double)n->hits[RF_CACHE_STORE]);
    sink(ctx, "line_atomics", (double)n->accepted[RF_CACHE_ATOMIC]);
    sink(ctx, "access_conflicts", (double)n->lost_accesses);
    sink(ctx, "tag_lookups", (double)lookups);
    sink(ctx, "tag_refusals", (double)refused);
    sink(ctx, "tag_writes", (double)n->tags_written);
    sink(ctx, "line_fills", (double)n->fills);
    sink(ctx, "row_writes", (double)n->rows_written);
    const uint64_t *by_line = n->victims[0], *by_register = n->victims[1];
    sink(ctx, "victim_registers", (double)(by_line[RF_LINE_REG] + by_register[RF_LINE_REG]));
    sink(ctx, "victim_lines", (double)(by_line[RF_LINE_CACHE] + by_register[RF_LINE_CACHE]));
    sink(ctx, "victim_dirty_lines", (double)(by_line[RF_LINE_DIRTY] + by_register[RF_LINE_DIRTY]));
    sink(ctx, "registers_by_registers", (double)by_register[RF_LINE_REG]);
    sink(ctx, "lines_by_lines", (double)(by_line[RF_LINE_CACHE] + by_line[RF_LINE_DIRTY]));
    sink(ctx, "sent_fetches", (double)n->messages[RF_MISS_FETCH]);
    sink(ctx, "sent_writes", (double)n->messages[RF_MISS_WRITE]);
    sink(ctx, "sent_atomics", (double)n->messages[RF_MISS_ATOMIC]);
    sink(ctx, "register_share", (double)n->entries[RF_LINE_REG] / entries);
    sink(ctx, "line_share", (double)(n->entries[RF_LINE_CACHE] + n->entries[RF_LINE_DIRTY]) / entries);
}
