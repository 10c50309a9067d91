/* SPDX-License-Identifier: Apache-2.0 */
/* One warp's stream against the steps of its threads in the slow model. The register file is replayed from the recorded values
 * alone, so that whatever an instruction reads must have been written by the stream itself; which lanes are together follows from
 * a stack of this file's own, on which the ways of a branch meet at its block's immediate post-dominator. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tb/workload/judge/slow_judge.h"

#define WAYS 160u

typedef struct way {
    uint32_t pc, mask, join; /* join: instruction, or RF_KNONE */
    bool either;             /* the entry below is the other way of the same branch: which comes first is free */
} way;

typedef struct replay {
    const slow_ptx *slow;
    const slow_log *log;
    const rf_kernel *kernel;
    const rf_warp *warp;
    size_t at;         /* instruction of the warp */
    size_t cursor[32]; /* per lane: steps done */
    way way[WAYS];
    uint32_t depth;
    uint32_t file[256][32]; /* registers */
    judge_counts *counts;
    uint64_t unordered, unordered_bytes;
    char *error;
    size_t size;
} replay;

static bool fail(const replay *r, uint32_t lane, const char *format, ...) __attribute__((format(printf, 3, 4)));
static bool fail(const replay *r, uint32_t lane, const char *format, ...) {
    const rf_inst *const e = r->at < r->warp->count ? &r->warp->inst[r->at] : NULL;
    int n = snprintf(r->error, r->size,
                     "stream: block %u,%u warp %u lane %u instruction %zu (index %d, line %u, %s): ", (unsigned)r->warp->block[0],
                     (unsigned)r->warp->block[1], (unsigned)r->warp->warp, (unsigned)lane, r->at, e ? (int)e->index : -1,
                     e && e->index < r->kernel->ninst ? (unsigned)r->kernel->inst[e->index].line : 0, e ? e->mnemonic : "end");
    if (n < 0 || (size_t)n >= r->size) return false;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(r->error + n, r->size - (size_t)n, format, args);
    va_end(args);
    return false;
}

static bool is_nan32(uint32_t v) { return (v & 0x7fffffffu) > 0x7f800000u; }
static bool is_nan64(uint32_t low, uint32_t high) {
    return (high & 0x7fffffffu) > 0x7ff00000u || ((high & 0x7fffffffu) == 0x7ff00000u && low != 0);
}

/* Word k of a list against what the slow model has there. */
static bool same(const char *kind, uint32_t k, const uint32_t *have, const uint32_t *want) {
    if (have[k] == want[k]) return true;
    switch (kind[k]) {
    case 'h':
        return (uint16_t)have[k] == (uint16_t)want[k];
    case 'f':
        return is_nan32(have[k]) && is_nan32(want[k]);
    case 'd':
        return is_nan64(have[k], have[k + 1]) && is_nan64(want[k], want[k + 1]);
    case 'e':
        return is_nan64(have[k - 1], have[k]) && is_nan64(want[k - 1], want[k]);
    default:
        return false;
    }
}

/* Whether the kernel still has an instruction of that line: the allocation may join the two ends of a copy, and remake constants
 * and parameters where they are read. */
static bool line_is_there(const rf_kernel *kernel, uint32_t line) {
    for (uint32_t i = 0; i < kernel->ninst; i++)
        if (kernel->inst[i].line == line) return true;
    return false;
}

/* The next step of a lane that the stream must show, or NULL. */
static const slow_step *next_step(replay *r, uint32_t lane, const bool *gone) {
    const slow_log *const log = &r->log[lane];
    while (r->cursor[lane] < log->steps && gone[log->step[r->cursor[lane]].inst]) r->cursor[lane]++;
    return r->cursor[lane] < log->steps ? &log->step[r->cursor[lane]] : NULL;
}

/* --- which lanes are together -------------------------------------------------------------------------------------------------
 */

static void settle(replay *r) {
    while (r->depth > 0 && (r->way[r->depth - 1].mask == 0 || r->way[r->depth - 1].pc == r->way[r->depth - 1].join)) r->depth--;
}

/* The entry that runs now, for an instruction `index`; NULL: the warp has ended, or it is elsewhere. */
static way *running(replay *r, uint32_t index) {
    settle(r);
    if (r->depth == 0) return NULL;
    way *const top = &r->way[r->depth - 1];
    if (top->pc == index) return top;
    if (!top->either) return NULL;
    const way other = top[-1];
    top[-1] = *top;
    top[-1].either = false;
    *top = other;
    settle(r); /* the other way may be empty: it starts where it ends */
    return r->way[r->depth - 1].pc == index ? &r->way[r->depth - 1] : NULL;
}

static bool advance(replay *r, const rf_kinst *k, uint32_t mask) {
    way *const top = &r->way[r->depth - 1];
    top->either = false;
    if (k->op == RF_K_EXIT) {
        for (uint32_t w = 0; w < r->depth; w++) r->way[w].mask &= ~mask;
    }
    if (k->op != RF_K_BRA || mask == 0) {
        top->pc++;
        return true;
    }
    const uint32_t target = r->kernel->block[k->target].first, next = top->pc + 1, rest = top->mask & ~mask;
    if (rest == 0) {
        top->pc = target;
        return true;
    }
    const uint32_t block = r->kernel->block[rf_kernel_block_of(r->kernel, top->pc)].ipdom;
    uint32_t join = block == RF_KNONE ? RF_KNONE : r->kernel->block[block].first;
    if (r->depth + 2 > WAYS) return fail(r, 0, "the stack is too deep");
    if (join == RF_KNONE) {
        join = top->join;
        r->depth--;
    } else {
        top->pc = join;
    }
    r->way[r->depth++] = (way){target, mask, join, false};
    r->way[r->depth++] = (way){next, rest, join, true};
    return true;
}

/* --- instructions ------------------------------------------------------------------------------------------------------------
 */

/* What a lane reads, writes and accesses. */
static bool lane_step(replay *r, const rf_inst *e, uint32_t lane, const slow_step *step) {
    const slow_inst *const i = &r->slow->inst[step->inst];
    if (e->nsrc != i->nsrc || e->ndst != i->ndst)
        return fail(r, lane, "%u sources, %u results instead of %u, %u", e->nsrc, e->ndst, (unsigned)i->nsrc, (unsigned)i->ndst);
    uint32_t have[SLOW_SRC_WORDS + 1] = {0};
    for (uint32_t k = 0; k < i->nsrc; k++) have[k] = r->file[e->src[k]][lane];
    for (uint32_t k = 0; k < i->nsrc; k++)
        if (!same(i->src_kind, k, have, step->src))
            return fail(r, lane, "source word %u, R%u, holds %#x instead of %#x", (unsigned)k, e->src[k], (unsigned)have[k],
                        (unsigned)step->src[k]);
    const bool memory = i->op == OP_ld || i->op == OP_st || i->op == OP_atom || i->op == OP_red;
    if (memory && e->address) {
        if (e->address[lane] != step->address)
            return fail(r, lane, "address %#" PRIx64 " instead of %#" PRIx64, e->address[lane], step->address);
        r->counts->accesses++;
    }
    const bool any = i->op == OP_atom && step->address - r->unordered < r->unordered_bytes;
    for (uint32_t k = 0; k < i->ndst && !any; k++) have[k] = e->value[k * 32 + lane];
    for (uint32_t k = 0; k < i->ndst && !any; k++)
        if (!same(i->dst_kind, k, have, step->dst))
            return fail(r, lane, "result word %u, R%u, is %#x instead of %#x", (unsigned)k, e->dst[k], (unsigned)have[k],
                        (unsigned)step->dst[k]);
    r->counts->values += i->nsrc + i->ndst;
    r->counts->steps++;
    return true;
}

static bool instruction(replay *r, const bool *gone, uint32_t lanes) {
    const rf_inst *const e = &r->warp->inst[r->at];
    if (e->index >= r->kernel->ninst) return fail(r, 0, "no such index");
    const rf_kinst *const k = &r->kernel->inst[e->index];
    const way *const top = running(r, e->index);
    if (!top) return fail(r, 0, "the warp is at index %d", r->depth ? (int)r->way[r->depth - 1].pc : -1);
    if ((e->mask & ~top->mask) != 0 || (k->guard == RF_KNONE && e->mask != top->mask))
        return fail(r, 0, "mask %#x where lanes %#x are together", (unsigned)e->mask, (unsigned)top->mask);
    if (e->ndst > 0 && e->mask != 0 && !e->value) return fail(r, 0, "no values");
    if (k->line == 0) r->counts->spills++;
    for (uint32_t lane = 0; lane < lanes && k->line != 0; lane++) {
        const bool on = (e->mask >> lane & 1) != 0;
        if (!(top->mask >> lane & 1)) continue;
        const slow_step *const step = next_step(r, lane, gone);
        if (!step) return fail(r, lane, "the thread has ended");
        if (r->slow->inst[step->inst].line != k->line)
            return fail(r, lane, "the thread is at line %u", (unsigned)r->slow->inst[step->inst].line);
        if (step->on != on) return fail(r, lane, "its guard lets the thread %s", step->on ? "through" : "not through");
        if (on && !lane_step(r, e, lane, step)) return false;
        r->cursor[lane]++;
    }
    for (uint32_t d = 0; d < e->ndst && e->value; d++)
        for (uint32_t lane = 0; lane < 32; lane++) {
            if (e->mask >> lane & 1) r->file[e->dst[d]][lane] = e->value[d * 32 + lane];
            else if (e->value[d * 32 + lane] != 0) return fail(r, lane, "a value where the mask has no lane");
        }
    return advance(r, k, e->mask);
}

/* Whether the kernel's end can be reached from block `from` without block `without`. */
static bool reaches_end(const rf_kernel *kernel, uint32_t from, uint32_t without, bool *seen) {
    if (from == without || seen[from]) return false;
    seen[from] = true;
    const rf_kblock *const block = &kernel->block[from];
    bool reaches = block->nsucc == 0; /* lanes that leave at a guarded exit need not be waited for */
    for (uint32_t s = 0; s < block->nsucc && !reaches; s++) reaches = reaches_end(kernel, block->succ[s], without, seen);
    return reaches;
}

static bool post_dominates(const rf_kernel *kernel, uint32_t by, uint32_t block) {
    static bool seen[2048];
    memset(seen, 0, sizeof seen);
    return !reaches_end(kernel, block, by, seen);
}

bool judge_flow(const rf_kernel *kernel, char *error, size_t size) {
    for (uint32_t b = 0; b < kernel->nblock && kernel->nblock <= 2048; b++) {
        const rf_kblock *const block = &kernel->block[b];
        if (block->nsucc < 2 || !block->reachable) continue;
        uint32_t nearest =
            RF_KNONE; /* the one that no other post-dominator of b comes before: it is post-dominated by all others */
        for (uint32_t j = 0; j < kernel->nblock; j++) {
            if (j == b || !kernel->block[j].reachable || !post_dominates(kernel, j, b)) continue;
            if (nearest == RF_KNONE || post_dominates(kernel, nearest, j)) nearest = j;
        }
        if (nearest == block->ipdom) continue;
        (void)snprintf(error, size, "flow: block %u meets at %d, not %d", (unsigned)b, (int)nearest, (int)block->ipdom);
        return false;
    }
    return true;
}

bool judge_warp(const slow_ptx *slow, const slow_log *log, uint32_t lanes, const rf_kernel *kernel, const rf_warp *warp,
                uint64_t unordered, uint64_t unordered_bytes, judge_counts *counts, char *error, size_t size) {
    static replay r;
    static bool gone[16384];
    r = (replay){.slow = slow,
                 .log = log,
                 .kernel = kernel,
                 .warp = warp,
                 .counts = counts,
                 .unordered = unordered,
                 .unordered_bytes = unordered_bytes,
                 .error = error,
                 .size = size};
    r.way[0] = (way){0, lanes == 32 ? UINT32_MAX : (UINT32_C(1) << lanes) - 1, RF_KNONE, false};
    r.depth = 1;
    memset(r.file, 0xa5, sizeof r.file);
    for (uint32_t i = 0; i < slow->insts && i < 16384; i++) {
        const slow_inst *const s = &slow->inst[i];
        gone[i] = (s->op == OP_mov || (s->op == OP_ld && SLOW_HAS(s, param))) && !line_is_there(kernel, s->line);
    }
    for (; r.at < warp->count; r.at++)
        if (!instruction(&r, gone, lanes)) return false;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        const slow_step *const step = next_step(&r, lane, gone);
        if (step) return fail(&r, lane, "the thread goes on, at line %u", (unsigned)slow->inst[step->inst].line);
    }
    counts->warps++;
    counts->instructions += warp->count;
    return true;
}
