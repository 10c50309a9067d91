/* SPDX-License-Identifier: Apache-2.0 */
/* The judge of list scheduling: every pair of a block's instructions by a rule of its own, what lives by a liveness of its own.
 *
 * The rule. Two instructions X, Y of a block, X in front, may change their order if and only if all of this holds:
 * - registers: neither writes what the other reads, its guard among that, or writes;
 * - carry: neither writes it (.cc) while the other reads it (addc, subc, madc) or writes it;
 * - events (fences and whatever else is a NOP, barriers, bar.warp.sync, exchanges that wait for lanes (.sync), activemask, clock
 *   reads, volatile accesses, accesses with .acquire, .release or .acq_rel): not both are events;
 * - an event that is no exchange keeps its place among accesses to memory that other threads can see: global, shared, generic;
 * - memory: of two accesses of which one writes (st, atom, red), one is of parameters or constants, or both have other spaces
 *   and neither is generic; or they have one space and disjoint byte ranges behind the same base: one register that nothing
 *   between them writes, or constants;
 * - neither is a branch, exit or trap. */
#ifndef TB_JUDGE_SCHEDULE_H
#define TB_JUDGE_SCHEDULE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cmodel/compiler/rf_liveness.h"
#include "cmodel/compiler/rf_names.h"
#include "cmodel/compiler/rf_schedule.h"
#include "tb/compiler/judge/alloc_check.h"

/* --- the rule --------------------------------------------------------------------------------------------------------------- */

enum { REGISTERS, GUARDS, CARRY, EVENTS, SEEN, MEMORY, ENDS, RULES };
static const char *const rule_names[RULES] = {"registers", "guards", "carry", "events", "events and memory", "memory", "ends"};

static inline bool is_end(const rf_kinst *x) { return x->op == RF_K_BRA || x->op == RF_K_EXIT || x->op == RF_K_TRAP; }

static inline bool is_access(const rf_kinst *x) {
    return x->op == RF_K_LD || x->op == RF_K_ST || x->op == RF_K_ATOM || x->op == RF_K_RED;
}

static inline bool is_fixed(const rf_kinst *x) { return x->space == RF_S_PARAM || x->space == RF_S_CONST; }

/* Lanes wait for each other there; activemask tells which have come. */
static inline bool is_exchange(const rf_kinst *x) { return x->flags & RF_F_SYNC || x->op == RF_K_ACTIVEMASK; }

static inline bool is_ordering(const rf_kernel *k, const rf_kinst *x) {
    const char *const text = k->texts[x->text];
    return is_access(x) && (strstr(text, ".acquire") || strstr(text, ".release") || strstr(text, ".acq_rel"));
}

static inline bool is_event(const rf_kernel *k, const rf_kinst *x) {
    if (x->op == RF_K_NOP || x->op == RF_K_BAR || x->op == RF_K_WARPSYNC || is_exchange(x) || is_ordering(k, x)) return true;
    for (uint32_t s = 0; s < x->nsrc; s++)
        if (ac_clock(&x->src[s])) return true;
    return is_access(x) && x->flags & RF_F_VOLATILE;
}

static inline bool is_seen(const rf_kinst *x) { return is_access(x) && x->space != RF_S_LOCAL && !is_fixed(x); }

static inline bool mentions(const rf_koperand *list, uint32_t n, uint32_t variable) {
    for (uint32_t o = 0; o < n; o++)
        if (ac_is_register(&list[o]) && list[o].reg == variable) return true;
    return false;
}

static inline bool registers_meet(const rf_kinst *x, const rf_kinst *y) {
    for (uint32_t d = 0; d < x->ndst; d++)
        if (ac_is_register(&x->dst[d]) && (mentions(y->dst, y->ndst, x->dst[d].reg) || mentions(y->src, y->nsrc, x->dst[d].reg)))
            return true;
    for (uint32_t d = 0; d < y->ndst; d++)
        if (ac_is_register(&y->dst[d]) && mentions(x->src, x->nsrc, y->dst[d].reg)) return true;
    return false;
}

static inline bool guards_meet(const rf_kinst *x, const rf_kinst *y) {
    return (x->guard != RF_KNONE && mentions(y->dst, y->ndst, x->guard)) ||
           (y->guard != RF_KNONE && mentions(x->dst, x->ndst, y->guard));
}

static inline bool carries_meet(const rf_kinst *x, const rf_kinst *y) {
    const bool xr = x->op == RF_K_ADDC || x->op == RF_K_SUBC || x->op == RF_K_MADC, xw = (x->flags & RF_F_CC) != 0;
    const bool yr = y->op == RF_K_ADDC || y->op == RF_K_SUBC || y->op == RF_K_MADC, yw = (y->flags & RF_F_CC) != 0;
    return (xw && (yr || yw)) || (yw && xr);
}

static inline uint64_t bytes_of(const rf_kinst *x) { return (uint64_t)x->vector * rf_ktype_bits((rf_ktype)x->type) / 8; }

/* Instructions i, j, i in front. Address arithmetic is that of the base's width. */
static inline bool memory_meets(const rf_kernel *k, uint32_t i, uint32_t j) {
    const rf_kinst *const x = &k->inst[i], *const y = &k->inst[j];
    if (!is_access(x) || !is_access(y) || (x->op == RF_K_LD && y->op == RF_K_LD) || is_fixed(x) || is_fixed(y)) return false;
    if (x->space != y->space) return x->space == RF_S_GENERIC || y->space == RF_S_GENERIC;
    const rf_koperand *const a = &x->src[0], *const b = &y->src[0];
    uint64_t distance = (uint64_t)y->offset - (uint64_t)x->offset;
    if (a->kind != b->kind) return true;
    if (a->kind == RF_O_IMM) distance += b->imm - a->imm;
    else if (a->kind != RF_O_REG || a->reg != b->reg) return true;
    for (uint32_t m = i; m < j && a->kind == RF_O_REG; m++)
        if (mentions(k->inst[m].dst, k->inst[m].ndst, a->reg)) return true;
    const uint64_t mask = a->words == 1 ? UINT32_MAX : UINT64_MAX;
    return (distance & mask) < bytes_of(x) || (-distance & mask) < bytes_of(y);
}

/* The rules that keep i in front of j, a bit each. */
static inline uint32_t kept(const rf_kernel *k, uint32_t i, uint32_t j) {
    const rf_kinst *const x = &k->inst[i], *const y = &k->inst[j];
    const bool ex = is_event(k, x), ey = is_event(k, y);
    uint32_t rules = 0;
    rules |= (uint32_t)registers_meet(x, y) << REGISTERS;
    rules |= (uint32_t)guards_meet(x, y) << GUARDS;
    rules |= (uint32_t)carries_meet(x, y) << CARRY;
    rules |= (uint32_t)(ex && ey) << EVENTS;
    rules |= (uint32_t)((ex && !is_exchange(x) && is_seen(y)) || (ey && !is_exchange(y) && is_seen(x))) << SEEN;
    rules |= (uint32_t)memory_meets(k, i, j) << MEMORY;
    rules |= (uint32_t)(is_end(x) || is_end(y)) << ENDS;
    return rules;
}

/* --- what lives ------------------------------------------------------------------------------------------------------------- */

typedef struct height {
    uint32_t words, predicates;
} height;

/* Who lives at a place of a walk up a block, how much that is, and the most so far. */
typedef struct judge_life {
    const rf_kernel *k;
    bool *lives; /* per variable */
    height now, most;
} judge_life;

static inline void judge_live(judge_life *l, uint32_t v, bool lives) {
    const uint32_t bits = rf_ktype_bits((rf_ktype)l->k->var[v].type), words = bits == 64 ? 2 : bits > 1;
    if (lives == l->lives[v]) return;
    l->now.words += lives ? words : -words;
    l->now.predicates += lives ? bits == 1 : -(uint32_t)(bits == 1);
    l->lives[v] = lives;
}

static inline void judge_peak(judge_life *l) {
    if (l->now.words > l->most.words) l->most.words = l->now.words;
    if (l->now.predicates > l->most.predicates) l->most.predicates = l->now.predicates;
}

/* Most words, and predicates, that live at one time in block b, results that nothing reads among them. `out`: live behind it. */
static inline height pressure(const rf_kernel *k, uint32_t b, const uint64_t *out) {
    judge_life l = {.k = k, .lives = calloc(k->nvar + 1, sizeof *l.lives)};
    for (uint32_t v = 0; v < k->nvar; v++) judge_live(&l, v, rf_set_has(out, v));
    for (uint32_t i = k->block[b].first + k->block[b].count; i-- > k->block[b].first;) {
        const rf_kinst *const x = &k->inst[i];
        bool before[RF_KDST_MAX] = {0};
        for (uint32_t d = 0; d < x->ndst; d++) {
            if (!ac_is_register(&x->dst[d])) continue;
            before[d] = l.lives[x->dst[d].reg];
            judge_live(&l, x->dst[d].reg, true);
        }
        judge_peak(&l);
        for (uint32_t d = 0; d < x->ndst; d++)
            if (ac_is_register(&x->dst[d])) judge_live(&l, x->dst[d].reg, x->guard != RF_KNONE && before[d]);
        for (uint32_t s = 0; s < x->nsrc; s++)
            if (ac_is_register(&x->src[s])) judge_live(&l, x->src[s].reg, true);
        if (x->guard != RF_KNONE) judge_live(&l, x->guard, true);
        judge_peak(&l);
    }
    free(l.lives);
    return l.most;
}

/* --- the judge -------------------------------------------------------------------------------------------------------------- */

typedef struct judge_tally {
    uint64_t kernels, blocks, pairs, swapped;
    uint64_t only[RULES]; /* pairs that one rule alone keeps */
} judge_tally;

/* Of all that was judged since it was set to 0. */
static judge_tally tally;

static inline void judge_block(const rf_kernel *before, const rf_kernel *after, uint32_t b, const char *what) {
    const rf_kblock *const block = &before->block[b];
    uint32_t *const place = malloc(block->count * sizeof *place);
    for (uint32_t n = 0; n < block->count; n++) place[n] = RF_KNONE;
    for (uint32_t n = 0; n < block->count; n++) {
        const rf_kinst *const x = &after->inst[block->first + n];
        const uint32_t from = x->line - 1 - block->first;
        if (x->line <= block->first || from >= block->count || place[from] != RF_KNONE)
            fail_msg("%s, block %u: line %u is not the block's, or twice", what, b, x->line);
        if (memcmp(x, &before->inst[x->line - 1], sizeof *x) != 0) fail_msg("%s: line %u was changed", what, x->line);
        place[from] = n;
    }
    for (uint32_t i = 0; i < block->count; i++) {
        for (uint32_t j = i + 1; j < block->count; j++) {
            const uint32_t rules = kept(before, block->first + i, block->first + j);
            tally.pairs++;
            tally.swapped += place[j] < place[i];
            for (uint32_t r = 0; r < RULES; r++) tally.only[r] += rules == 1u << r;
            if (rules == 0 || place[i] < place[j]) continue;
            char x[200], y[200];
            uint32_t rule = 0;
            while (!(rules >> rule & 1)) rule++;
            fail_msg("%s, block %u: line %u (%s) behind line %u (%s): %s", what, b, block->first + i + 1,
                     rf_kinst_print(before, block->first + i, x, sizeof x), block->first + j + 1,
                     rf_kinst_print(before, block->first + j, y, sizeof y), rule_names[rule]);
        }
    }
    free(place);
}

/* `after` is `before` scheduled: its lines are index + 1. */
static inline void judge_order(const rf_kernel *before, const rf_kernel *after, uint32_t words, uint32_t predicates,
                               const char *what) {
    rf_liveness live;
    assert_int_equal(after->ninst, before->ninst);
    assert_int_equal(after->nblock, before->nblock);
    assert_int_equal(after->nvar, before->nvar);
    assert_false(after->allocated);
    for (uint32_t v = 0; v < before->nvar; v++) assert_int_equal(after->var[v].type, before->var[v].type);
    assert_int_equal(rf_liveness_compute(&live, before, RF_LIVE_LANE), 0);
    for (uint32_t b = 0; b < before->nblock; b++) {
        const rf_kblock *const x = &before->block[b], *const y = &after->block[b];
        assert_true(x->first == y->first && x->count == y->count && x->nsucc == y->nsucc && x->npred == y->npred);
        assert_true(x->ipdom == y->ipdom && x->idom == y->idom && x->reachable == y->reachable && x->loop_head == y->loop_head);
        assert_memory_equal(x->succ, y->succ, x->nsucc * sizeof *x->succ);
        if (x->npred) assert_memory_equal(x->pred, y->pred, x->npred * sizeof *x->pred);
        judge_block(before, after, b, what);
        const uint64_t *const out = live.out + (size_t)b * live.set_words;
        const height was = pressure(before, b, out), is = pressure(after, b, out);
        if (is.words > words && is.words > was.words)
            fail_msg("%s, block %u: %u words live, %u before, bound %u", what, b, is.words, was.words, words);
        if (is.predicates > predicates && is.predicates > was.predicates)
            fail_msg("%s, block %u: %u predicates live, %u before, bound %u", what, b, is.predicates, was.predicates, predicates);
        tally.blocks++;
    }
    rf_liveness_free(&live);
    tally.kernels++;
}

/* Schedules a copy; the caller frees it. */
static inline void judged(const rf_kernel *before, rf_kernel *after, uint32_t words, uint32_t predicates, const char *what) {
    char error[256] = "", where[160];
    (void)snprintf(where, sizeof where, "%s at %u, %u", what, words, predicates);
    assert_int_equal(rf_kernel_copy(after, before), 0);
    if (rf_schedule(after, words, predicates, error, sizeof error) != 0) fail_msg("%s: %s", where, error);
    judge_order(before, after, words, predicates, where);
}

static inline void number_lines(rf_kernel *k) {
    for (uint32_t i = 0; i < k->ninst; i++) k->inst[i].line = i + 1;
}

#endif
