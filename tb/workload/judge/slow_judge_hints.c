/* SPDX-License-Identifier: Apache-2.0 */
/* The hints of one warp's executed path against their meaning, with a table per register and no graph. */
#include <stdio.h>
#include <string.h>

#include "tb/workload/judge/slow_judge.h"

typedef struct state {
    uint32_t dead[256];         /* lanes whose value nobody may read */
    uint32_t garbage[256];      /* lanes whose value was lost while the register was named free */
    uint32_t named[32];         /* per bank: the register named free, or RF_REG_NO_FREE */
    size_t long_at[256];        /* 1 + the instruction whose long-latency result is on its way to the register; 0: none */
    size_t touched[256][32];    /* 1 + the instruction that last read or wrote it, per lane */
    bool touched_near[256][32]; /* whether that operand was said to be near */
} state;

static bool fail(char *error, size_t size, const rf_warp *warp, size_t at, const char *what, uint32_t reg) {
    const rf_inst *const e = &warp->inst[at];
    (void)snprintf(error, size, "hints: block %u,%u warp %u instruction %zu (index %u, %s): %s R%u", (unsigned)warp->block[0],
                   (unsigned)warp->block[1], (unsigned)warp->warp, at, (unsigned)e->index, e->mnemonic, what, (unsigned)reg);
    return false;
}

/* Loads that may go to memory, and atomics that give a result: by the opcode's own text. */
static bool long_latency(const rf_inst *e) {
    const char *const m = e->mnemonic;
    if (e->ndst == 0) return false;
    if (strncmp(m, "atom", 4) == 0) return strstr(m, ".shared") == NULL;
    if (strncmp(m, "ld", 2) != 0) return false;
    return strstr(m, ".shared") == NULL && strstr(m, ".param") == NULL && strstr(m, ".const") == NULL;
}

static bool reads(state *s, const rf_warp *warp, size_t at, uint32_t rthld, char *error, size_t size) {
    const rf_inst *const e = &warp->inst[at];
    for (uint32_t k = 0; k < e->nsrc; k++) {
        const uint32_t r = e->src[k];
        if ((s->dead[r] & e->mask) != 0) return fail(error, size, warp, at, "reads a value that was said to be dead:", r);
        if ((s->garbage[r] & e->mask) != 0)
            return fail(error, size, warp, at, "reads a value from before or while named free:", r);
        if (s->long_at[r] != 0) return fail(error, size, warp, at, "reads a long-latency result without a wait:", r);
        for (uint32_t l = 0; l < 32; l++) {
            if (!(e->mask >> l & 1) || s->touched[r][l] == 0) continue;
            if (at + 1 - s->touched[r][l] < rthld && !s->touched_near[r][l])
                return fail(error, size, warp, at, "comes back sooner than its far bit says:", r);
        }
    }
    return true;
}

/* Whether a strand may not go on from the instruction before: a loop's start or a branch back lies between. Without a graph, any
 * way back. */
static bool cut(const rf_warp *warp, const rf_kernel *kernel, size_t at) {
    const uint32_t now = warp->inst[at].index, before = warp->inst[at - 1].index;
    if (!kernel) return now <= before;
    const rf_kinst *const b = &kernel->inst[before];
    const rf_kblock *const block = &kernel->block[rf_kernel_block_of(kernel, now)];
    return (block->loop_head && block->first == now) || (b->op == RF_K_BRA && kernel->block[b->target].first <= before);
}

/* Which strand an instruction lies in follows from the ends executed before it. */
static bool strands(state *s, const rf_warp *warp, const rf_kernel *kernel, size_t at, bool fresh, char *error, size_t size) {
    const rf_inst *const e = &warp->inst[at];
    if (!fresh && cut(warp, kernel, at)) return fail(error, size, warp, at, "goes back inside a strand,", 0);
    for (uint32_t k = 0; k < e->ndst; k++)
        if (s->long_at[e->dst[k]] != 0)
            return fail(error, size, warp, at, "overwrites a long-latency result without a wait:", e->dst[k]);
    if (e->mask != 0 && long_latency(e) != ((e->hint.flags & RF_HINT_LONG_LATENCY) != 0))
        return fail(error, size, warp, at, "long latency and its flag differ,", 0);
    if ((e->hint.flags & RF_HINT_DESCHEDULE) != 0 && (e->hint.flags & RF_HINT_STRAND_END) == 0)
        return fail(error, size, warp, at, "descheduled inside a strand,", 0);
    return true;
}

static bool rfree_updates(state *s, const rf_warp *warp, size_t at, uint32_t banks, char *error, size_t size) {
    const rf_hint *const h = &warp->inst[at].hint;
    uint32_t seen = 0;
    if (h->nfree > RF_HINT_FREE_MAX) return fail(error, size, warp, at, "too many Rfree updates", h->nfree);
    for (uint32_t k = 0; k < h->nfree; k++) {
        const uint32_t now = h->free_reg[k], was = h->free_was[k];
        const uint32_t bank = (now != RF_REG_NO_FREE ? now : was) % banks;
        if ((seen >> bank & 1) != 0) return fail(error, size, warp, at, "two Rfree updates of one bank, of", now);
        seen |= UINT32_C(1) << bank;
        s->named[bank] = now;
    }
    return true;
}

bool judge_hints(const rf_warp *warp, const rf_kernel *kernel, const rf_hint_options *options, judge_counts *counts, char *error,
                 size_t size) {
    static state s;
    memset(&s, 0, sizeof s);
    const uint32_t rthld = options->rthld ? options->rthld : RF_RTHLD_DEFAULT, banks = options->banks ? options->banks : 16;
    for (uint32_t b = 0; b < 32; b++) s.named[b] = RF_REG_NO_FREE;
    bool fresh = true; /* the instruction begins a strand */
    for (size_t at = 0; at < warp->count; at++) {
        const rf_inst *const e = &warp->inst[at];
        const rf_hint *const h = &e->hint;
        if ((h->flags & RF_HINT_PRESENT) == 0) return fail(error, size, warp, at, "has no hints,", 0);
        if (!reads(&s, warp, at, rthld, error, size) || !strands(&s, warp, kernel, at, fresh, error, size)) return false;
        if (kernel && !rfree_updates(&s, warp, at, banks, error, size)) return false;
        for (uint32_t k = 0; k < e->nsrc; k++) {
            const uint32_t r = e->src[k];
            if (h->src_dead >> k & 1) s.dead[r] = UINT32_MAX, counts->dead++;
            counts->near += h->src_near >> k & 1;
            for (uint32_t l = 0; l < 32; l++)
                if (e->mask >> l & 1) s.touched[r][l] = at + 1, s.touched_near[r][l] = false;
        }
        for (uint32_t k = 0; k < e->nsrc; k++) /* a register named twice is near when either mention says so */
            for (uint32_t l = 0; l < 32; l++)
                if (e->mask >> l & 1) s.touched_near[e->src[k]][l] |= (h->src_near >> k & 1) != 0;
        for (uint32_t k = 0; k < e->ndst; k++) {
            const uint32_t r = e->dst[k];
            s.garbage[r] &= ~e->mask;
            s.dead[r] &= ~e->mask;
            if (h->dst_dead >> k & 1) s.dead[r] |= e->mask, counts->dead++;
            counts->near += h->dst_near >> k & 1;
            for (uint32_t l = 0; l < 32; l++)
                if (e->mask >> l & 1) s.touched[r][l] = at + 1, s.touched_near[r][l] = (h->dst_near >> k & 1) != 0;
            if (h->flags & RF_HINT_LONG_LATENCY) s.long_at[r] = at + 1;
        }
        counts->long_latency += (h->flags & RF_HINT_LONG_LATENCY) != 0;
        counts->frees += h->nfree;
        for (uint32_t b = 0; b < banks && kernel; b++)
            if (s.named[b] != RF_REG_NO_FREE) s.garbage[s.named[b]] = UINT32_MAX;
        fresh = (h->flags & RF_HINT_STRAND_END) != 0;
        counts->strands += fresh;
        if (h->flags & RF_HINT_DESCHEDULE) memset(s.long_at, 0, sizeof s.long_at);
    }
    return true;
}

bool judge_strands(const rf_warp *warp, const rf_strands *strands, const uint64_t *live_out, uint32_t words, char *error,
                   size_t size) {
    static size_t writer[256][32];  /* 1 + the instruction that wrote the value */
    static size_t entered[256][32]; /* ... and its strand's run: the instruction with which the strand was entered */
    memset(writer, 0, sizeof writer);
    size_t run = 0;
    for (size_t at = 0; at < warp->count; at++) {
        const rf_inst *const e = &warp->inst[at];
        const uint32_t strand = strands->of[e->index];
        const bool fresh = at == 0 || (strands->flags[warp->inst[at - 1].index] & RF_HINT_STRAND_END) != 0;
        if (fresh) run = at;
        if (fresh && e->index != strands->first[strand])
            return fail(error, size, warp, at, "enters a strand in its middle,", strand);
        if (!fresh && strand != strands->of[warp->inst[at - 1].index])
            return fail(error, size, warp, at, "leaves a strand before its end,", strand);
        for (uint32_t k = 0; k < e->nsrc; k++) {
            const uint32_t r = e->src[k];
            for (uint32_t l = 0; l < 32; l++) {
                if (!(e->mask >> l & 1) || writer[r][l] == 0 || entered[r][l] == run) continue;
                const uint32_t from = strands->of[warp->inst[writer[r][l] - 1].index];
                if (!(live_out[(size_t)from * words + r / 64] >> r % 64 & 1))
                    return fail(error, size, warp, at, "reads a value that was not said to leave its strand:", r);
            }
        }
        for (uint32_t k = 0; k < e->ndst; k++)
            for (uint32_t l = 0; l < 32; l++)
                if (e->mask >> l & 1) writer[e->dst[k]][l] = at + 1, entered[e->dst[k]][l] = run;
    }
    return true;
}
