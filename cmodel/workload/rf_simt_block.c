/* SPDX-License-Identifier: Apache-2.0 */
/* A block: its warps' memory, barriers, and the order in which the warps run. */
#include <stdio.h>
#include <stdlib.h>

#include "cmodel/workload/rf_simt_machine.h"

/* --- memory ----------------------------------------------------------------------------------------------------------------- */

/* At least one byte, so that NULL always means that there was no memory. */
static void *zeros(size_t count, size_t size) { return calloc(count ? count : 1, size); }

int rf_simt_open(rf_simt_grid *g) {
    const size_t warps = g->warps, rows = g->rows, predicates = g->kernel->npred;
    g->warp = zeros(warps, sizeof *g->warp);
    g->registers = zeros(warps * rows, RF_LANES * sizeof *g->registers);
    g->predicates = zeros(warps * predicates, sizeof *g->predicates);
    g->shared = zeros(g->shared_bytes, 1);
    g->local = zeros(warps * RF_LANES, g->local_bytes ? g->local_bytes : 1);
    g->param = zeros(g->kernel->param_bytes, 1);
    if (!g->warp || !g->registers || !g->predicates || !g->shared || !g->local || !g->param) {
        (void)snprintf(g->error, g->error_size, "kernel %s: no memory for a block", g->kernel->name);
        return -1;
    }
    if (g->kernel->param_bytes) memcpy(g->param, g->launch->param, g->kernel->param_bytes);
    for (uint32_t i = 0; i < g->warps; i++) {
        rf_simt_warp *const w = &g->warp[i];
        w->number = i;
        w->row = g->registers + i * rows * RF_LANES;
        w->pred = g->predicates + i * predicates;
        w->local = g->local + (size_t)i * RF_LANES * g->local_bytes;
    }
    return 0;
}

void rf_simt_close(rf_simt_grid *g) {
    for (uint32_t i = 0; g->warp && i < g->warps; i++) rf_warp_free(&g->warp[i].stream);
    for (uint32_t i = 0; i < g->spares; i++) rf_warp_free(&g->spare[i]);
    free(g->warp);
    free(g->registers);
    free(g->predicates);
    free(g->shared);
    free(g->local);
    free(g->param);
}

/* --- barriers --------------------------------------------------------------------------------------------------------------- */

/* Lets the warps go that wait at barrier `number` when it is complete: as many threads as were asked for (each warp counts as
 * 32), or every warp of the block that still runs. 0, or -1 and the message. */
static int release(rf_simt_grid *g, uint32_t number) {
    uint32_t waiting = 0, running = 0, threads = 0;
    const rf_simt_warp *first = NULL;
    for (uint32_t i = 0; i < g->warps; i++) {
        const rf_simt_warp *const w = &g->warp[i];
        running += w->state != RF_WARP_DONE;
        if (w->state != RF_WARP_WAITS || w->barrier != number) continue;
        if (first && threads != w->threads)
            return rf_simt_fail(g, w, w->waits_at, RF_KNONE, "barrier %u for %u threads, for %u in warp %u", number, w->threads,
                                threads, first->number);
        if (!first) first = w;
        threads = w->threads;
        waiting++;
    }
    if (!first || waiting != (threads ? threads / RF_LANES : running)) return 0;
    for (uint32_t i = 0; i < g->warps; i++) {
        rf_simt_warp *const w = &g->warp[i];
        if (w->state == RF_WARP_WAITS && w->barrier == number) w->state = RF_WARP_READY;
    }
    g->waiting -= waiting;
    g->counts.barriers++;
    return 0;
}

/* --- the block -------------------------------------------------------------------------------------------------------------- */

static void start(rf_simt_grid *g, rf_simt_warp *w) {
    const uint32_t left = g->threads - w->number * RF_LANES;
    const uint32_t lanes = left >= RF_LANES ? UINT32_MAX : (UINT32_C(1) << left) - 1;
    w->state = RF_WARP_READY;
    w->carry = 0;
    w->executed = 0;
    w->depth = 1;
    w->way[0] = (rf_simt_way){.pc = 0, .mask = lanes, .join = RF_KNONE};
    memset(w->row, 0, (size_t)g->rows * RF_LANES * sizeof *w->row);
    memset(w->pred, 0, g->kernel->npred * sizeof *w->pred);
    rf_simt_specials(g, w);
    w->stream = g->spares ? g->spare[--g->spares] : (rf_warp){0};
    w->stream.count = w->stream.address_count = w->stream.value_count = 0;
    memcpy(w->stream.block, g->block, sizeof g->block);
    w->stream.warp = w->number;
    g->counts.warps++;
}

/* Hands out the streams of finished warps in the order of their numbers; false: the sink wants no more. */
static bool deliver(rf_simt_grid *g) {
    for (; g->delivered < g->warps && g->warp[g->delivered].state == RF_WARP_DONE; g->delivered++) {
        rf_warp *const stream = &g->warp[g->delivered].stream;
        rf_warp_link(stream);
        const bool more = !g->sink || g->sink(g->ctx, stream);
        g->spare[g->spares++] = *stream;
        *stream = (rf_warp){0};
        if (!more) return false;
    }
    return true;
}

/* Everybody that can run has run: a barrier that completes lets warps go; none means that none ever will. */
static int stuck(const rf_simt_grid *g) {
    for (uint32_t i = 0; i < g->warps; i++) {
        const rf_simt_warp *const w = &g->warp[i];
        if (w->state != RF_WARP_WAITS) continue;
        return rf_simt_fail(g, w, w->waits_at, RF_KNONE, "barrier %u can never complete", w->barrier);
    }
    return 0;
}

/* A warp starts when it first gets its turn, so that without barriers one stream's memory serves all. */
int rf_simt_block(rf_simt_grid *g) {
    uint32_t started = 0;
    memset(g->shared, 0, g->shared_bytes);
    memset(g->local, 0, (size_t)g->warps * RF_LANES * g->local_bytes);
    for (uint32_t i = 0; i < g->warps; i++) g->warp[i].state = RF_WARP_READY;
    g->delivered = g->waiting = 0;
    g->counts.blocks++;
    for (bool progress = true; progress;) {
        progress = false;
        for (uint32_t i = 0; i < g->warps; i++) {
            rf_simt_warp *const w = &g->warp[i];
            if (w->state != RF_WARP_READY) continue;
            if (i == started) {
                start(g, w);
                started++;
            }
            progress = true;
            if (rf_simt_warp_run(g, w) != 0) return -1;
            /* An arrival may complete the warp's barrier; an exit any that waits for all. */
            for (uint32_t b = 0; b < RF_BARRIERS && g->waiting; b++)
                if (release(g, b) != 0) return -1;
            if (!deliver(g)) return 1;
        }
    }
    return stuck(g);
}
