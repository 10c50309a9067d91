/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/cerf/env/rf_cerf_use.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

static void make_room(rf_cerf_use *u) { u->line = ls_resize(u->line, rf_line_table_room(&u->table) * sizeof *u->line); }

void rf_cerf_use_init(rf_cerf_use *u, uint32_t slots) {
    memset(u, 0, sizeof *u);
    u->slots = slots;
    rf_line_table_init(&u->table);
    make_room(u);
}

void rf_cerf_use_free(rf_cerf_use *u) {
    rf_line_table_free(&u->table);
    free(u->line);
}

static void add(rf_cerf_reuse *r, uint64_t distance) {
    r->all++;
    r->near += distance <= 100;
    r->far += distance <= 1000;
}

/* ---- registers ---- */

static void launch(rf_cerf_use *u, uint32_t w) {
    u->alive[w] = 0;
    memset(u->set[w], 0, sizeof u->set[w]);
    memset(u->last[w], 0, sizeof u->last[w]);
}

static void lives(rf_cerf_use *u, uint32_t w, uint32_t reg, bool now) {
    const uint64_t bit = UINT64_C(1) << reg % 64;
    uint64_t *set = &u->set[w][reg / 64];
    if (((*set & bit) != 0) == now) return;
    *set ^= bit;
    if (now) u->alive[w]++;
    else u->alive[w]--;
}

static void issue(rf_cerf_use *u, const rf_cerf_in *in, uint32_t w) {
    const uint8_t *src = &in->ib_src[w * u->slots];
    for (uint32_t left = in->ib_src_valid[w]; left != 0; left &= left - 1) {
        const uint32_t k = rf_lowest(left);
        uint64_t *last = &u->last[w][src[k]];
        if (*last != 0 && *last != u->cycles + 1) add(&u->registers, u->cycles + 1 - *last); /* once an instruction */
        *last = u->cycles + 1;
        if ((in->ib_last[w] >> k & 1) != 0) lives(u, w, src[k], false);
    }
    if ((in->ib_dst_valid >> w & 1) == 0) return;
    u->last[w][in->ib_dst[w]] = u->cycles + 1;
    lives(u, w, in->ib_dst[w], true);
}

/* ---- lines ---- */

static void access_line(rf_cerf_use *u, uint32_t number) {
    const uint32_t room = rf_line_table_room(&u->table), count = u->table.count, at = rf_line_table_add(&u->table, number);
    if (rf_line_table_room(&u->table) != room) make_room(u);
    if (at == count) u->line[at] = (rf_cerf_line_use){0};
    else add(&u->lines, u->cycles - u->line[at].last);
    u->line[at].uses++;
    u->line[at].last = u->cycles;
}

/* ---- a cycle ---- */

void rf_cerf_use_cycle(rf_cerf_use *u, const rf_cerf_in *in, const rf_cerf_out *out, uint64_t warps) {
    for (uint64_t left = in->launch; left != 0; left &= left - 1) launch(u, rf_lowest(left));
    for (uint32_t left = out->issue_valid; left != 0; left &= left - 1) {
        const uint32_t w = out->issue_warp[rf_lowest(left)];
        if (in->ib_mask[w] != 0) issue(u, in, w);
    }
    if (in->mem_valid && out->mem_accept && (in->mem_op == RF_CACHE_LOAD || in->mem_op == RF_CACHE_STORE))
        access_line(u, in->mem_line);
    for (uint64_t left = warps; left != 0; left &= left - 1) {
        u->warps++;
        u->live += u->alive[rf_lowest(left)];
    }
    u->cycles++;
}

static void report(const char *const *name, const rf_cerf_reuse *r, ls_counter_fn *sink, void *ctx) {
    sink(ctx, name[0], (double)r->all);
    sink(ctx, name[1], (double)r->near);
    sink(ctx, name[2], (double)r->far);
}

void rf_cerf_use_report(const rf_cerf_use *u, ls_counter_fn *sink, void *ctx) {
    static const char *const registers[] = {"register_reuses", "register_reuses_100", "register_reuses_1000"};
    static const char *const lines[] = {"line_reuses", "line_reuses_100", "line_reuses_1000"};
    const double cycles = u->cycles != 0 ? (double)u->cycles : (double)NAN;
    uint64_t often = 0;
    for (uint32_t i = 0; i < u->table.count; i++) often += u->line[i].uses > 4;
    sink(ctx, "warps_mean", (double)u->warps / cycles);
    sink(ctx, "live_registers_mean", (double)u->live / cycles);
    report(registers, &u->registers, sink, ctx);
    report(lines, &u->lines, sink, ctx);
    sink(ctx, "lines_used", (double)u->table.count);
    sink(ctx, "lines_used_often", (double)often);
}
