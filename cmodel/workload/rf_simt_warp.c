/* SPDX-License-Identifier: Apache-2.0 */
/* A warp: its instructions one after the other, and the stack that keeps divergent lanes apart until they meet again. */
#include <fenv.h>
#include <inttypes.h>

#include "cmodel/workload/rf_simt_machine.h"

/* --- the stack -------------------------------------------------------------------------------------------------------------- */

/* Drops ways without lanes and those that have come to where the ones below wait. */
static void settle(rf_simt_warp *w) {
    while (w->depth) {
        const rf_simt_way *const top = &w->way[w->depth - 1];
        if (top->mask && top->pc != top->join) return;
        w->depth--;
    }
}

/* Both ways of a branch, the fall-through on top. The branch's own entry stays below as the place where they meet; where they
 * never do, they take its place. A way may start where it ends: it is dropped when its turn comes. */
static void diverge(rf_simt_warp *w, const rf_simt_step *step, uint32_t taken) {
    rf_simt_way *const top = &w->way[w->depth - 1];
    const uint32_t next = top->pc + 1, rest = top->mask & ~taken;
    uint32_t join = step->join;
    if (join == RF_KNONE) {
        join = top->join;
        w->depth--;
    } else {
        top->pc = join;
    }
    w->way[w->depth++] = (rf_simt_way){step->target, taken, join};
    w->way[w->depth++] = (rf_simt_way){next, rest, join};
}

static void branch(rf_simt_grid *g, rf_simt_warp *w, const rf_simt_step *step, uint32_t taken) {
    rf_simt_way *const top = &w->way[w->depth - 1];
    if (taken == top->mask) {
        top->pc = step->target;
    } else if (taken == 0) {
        top->pc++;
    } else {
        g->counts.divergent_branches++;
        diverge(w, step, taken);
    }
}

/* The lanes leave every entry. */
static void leave(rf_simt_warp *w, uint32_t lanes) {
    for (uint32_t i = 0; i < w->depth; i++) w->way[i].mask &= ~lanes;
}

/* The lanes that still have something to do: those on top, which are at work, and the others but those that wait at an exit. */
static uint32_t staying(const rf_simt_grid *g, const rf_simt_warp *w) {
    uint32_t stay = w->way[w->depth - 1].mask, seen = stay;
    for (uint32_t i = w->depth - 1; i-- > 0;) { /* a lane is where its topmost entry says */
        const rf_simt_way *const way = &w->way[i];
        const rf_simt_step *const step = &g->step[way->pc];
        if (step->kind != RF_STEP_EXIT || step->guard != RF_KNONE) stay |= way->mask & ~seen;
        seen |= way->mask;
    }
    return stay;
}

/* --- instructions ----------------------------------------------------------------------------------------------------------- */

static void fetch(rf_simt_grid *g, rf_simt_warp *w, const rf_simt_step *step) {
    const uint32_t *const base[2] = {w->row, g->constant};
    rf_simt_lanes *const x = &g->lanes;
    if (step->clock) rf_simt_clocks(g, w);
    for (uint32_t i = 0; i < 2u * step->nsrc; i++) x->src[i] = base[step->row[i] >> 31] + (step->row[i] & ~RF_STEP_CONSTANT);
    for (uint32_t i = 0; i < step->nsrc_pred; i++)
        x->pred[step->src_pred[i].source] =
            (step->src_pred[i].constant ? 0 : w->pred[step->src_pred[i].reg]) ^ step->src_pred[i].flip;
}

static void commit(rf_simt_grid *g, rf_simt_warp *w, const rf_simt_step *step, uint32_t mask) {
    const rf_simt_lanes *const x = &g->lanes;
    for (uint32_t i = 0; i < step->nword; i++) {
        uint32_t *const to = w->row + step->word[i].place;
        const uint32_t *const from = x->out[step->word[i].out];
        if (mask == UINT32_MAX) memcpy(to, from, RF_LANES * sizeof *to);
        else
            for (uint32_t l = 0; l < RF_LANES; l++) to[l] = mask >> l & 1 ? from[l] : to[l];
    }
    for (uint32_t i = 0; i < step->ndst_pred; i++) {
        uint32_t *const to = &w->pred[step->dst_pred[i].reg];
        *to = (*to & ~mask) | (x->pred_out[step->dst_pred[i].out] & mask);
    }
    if (step->inst->flags & RF_F_CC) w->carry = (w->carry & ~mask) | (x->carry & mask);
}

static int compute(rf_simt_grid *g, rf_simt_warp *w, const rf_simt_step *step, uint32_t mask) {
    rf_simt_lanes *const x = &g->lanes;
    x->mask = mask;
    if (step->inst->flags & RF_F_SYNC) x->staying = staying(g, w);
    x->carry = w->carry;
    fetch(g, w, step);
    if (step->kind == RF_STEP_MEMORY) {
        if (rf_simt_memory(g, w, step) != 0) return -1;
    } else if (step->rounding == FE_TONEAREST) {
        step->run(step->inst, x);
    } else {
        (void)fesetround(step->rounding);
        step->run(step->inst, x);
        (void)fesetround(FE_TONEAREST);
    }
    if (x->fault) return rf_simt_fail(g, w, step->inst, RF_KNONE, "%s: mask 0x%08" PRIx32, x->fault, mask);
    commit(g, w, step, mask);
    return 0;
}

/* The value that all lanes of the mask have in source i; false: they differ. */
static bool same(const rf_simt_lanes *x, uint32_t i, uint32_t mask, uint32_t *value) {
    *value = rf_get_u32(x, i, rf_lowest(mask));
    for (uint32_t m = mask; m; m &= m - 1)
        if (rf_get_u32(x, i, rf_lowest(m)) != *value) return false;
    return true;
}

/* bar.sync is for whole warps: all lanes that still have something to do execute it together. */
static int barrier(rf_simt_grid *g, rf_simt_warp *w, const rf_simt_step *step, uint32_t mask) {
    const uint32_t due = staying(g, w);
    if (mask != due)
        return rf_simt_fail(g, w, step->inst, RF_KNONE, "only lanes 0x%08" PRIx32 " of 0x%08" PRIx32 " come to the barrier", mask,
                            due);
    fetch(g, w, step);
    uint32_t number = 0, threads = 0;
    if (!same(&g->lanes, 0, mask, &number) || (step->nsrc > 1 && !same(&g->lanes, 1, mask, &threads)))
        return rf_simt_fail(g, w, step->inst, RF_KNONE, "lanes name different barriers");
    if (number >= RF_BARRIERS) return rf_simt_fail(g, w, step->inst, RF_KNONE, "barrier %u (0 .. %u)", number, RF_BARRIERS - 1);
    if (step->nsrc > 1 && (threads == 0 || threads % RF_LANES != 0))
        return rf_simt_fail(g, w, step->inst, RF_KNONE, "barrier for %u threads (a multiple of %u)", threads, RF_LANES);
    w->waits_at = step->inst;
    w->barrier = number;
    w->threads = threads;
    w->state = RF_WARP_WAITS;
    g->waiting++;
    return 0;
}

int rf_simt_warp_run(rf_simt_grid *g, rf_simt_warp *w) {
    for (settle(w); w->depth && w->state == RF_WARP_READY; settle(w)) {
        rf_simt_way *const top = &w->way[w->depth - 1];
        const rf_simt_step *const step = &g->step[top->pc];
        const uint32_t guard = step->guard == RF_KNONE ? UINT32_MAX : w->pred[step->guard] ^ step->guard_flip;
        const uint32_t mask = top->mask & guard;
        if (g->counts.warp_instructions == g->limit)
            return rf_simt_fail(g, w, step->inst, RF_KNONE, "more than %" PRIu64 " warp instructions", g->limit);
        if (mask && (step->kind == RF_STEP_LANES || step->kind == RF_STEP_MEMORY) && compute(g, w, step, mask) != 0) return -1;
        g->counts.warp_instructions++;
        g->counts.lane_instructions += (uint32_t)__builtin_popcount(mask);
        w->executed++;
        if (g->sink && rf_simt_record(g, w, step, mask) != 0) return rf_simt_fail(g, w, step->inst, RF_KNONE, "no memory");
        if (step->kind == RF_STEP_BRANCH) {
            branch(g, w, step, mask);
            continue;
        }
        top->pc++;
        if (mask == 0) continue;
        if (step->kind == RF_STEP_EXIT) leave(w, mask);
        if (step->kind == RF_STEP_BARRIER && barrier(g, w, step, mask) != 0) return -1;
        if (step->kind == RF_STEP_TRAP) return rf_simt_fail(g, w, step->inst, rf_lowest(mask), "trap");
    }
    if (w->depth == 0) w->state = RF_WARP_DONE;
    return 0;
}
