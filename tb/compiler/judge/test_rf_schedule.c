/* SPDX-License-Identifier: Apache-2.0 */
/* List scheduling: random kernels, PTX kernels and ours, each judged pair by pair by a rule of its own, by liveness of its own
 * and by execution (alloc_check.h); small kernels with a known answer; refusals, determinism, a large block; our kernels'
 * results.
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
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>
#include <time.h>

#include "cmodel/compiler/rf_liveness.h"
#include "cmodel/compiler/rf_names.h"
#include "cmodel/compiler/rf_regalloc.h"
#include "cmodel/compiler/rf_schedule.h"
#include "cmodel/workload/rf_ptx.h"
#include "harness/base/xzio.h"
#include "tb/compiler/judge/alloc_check.h"
#include "tb/compiler/judge/random_kernel.h"
#include "tb/workload/judge/random_ptx.h"
#include "tb/workload/rf_kernels.h"
#include "tb/workload/rf_memory.h"

/* --- the rule --------------------------------------------------------------------------------------------------------------- */

enum { REGISTERS, GUARDS, CARRY, EVENTS, SEEN, MEMORY, ENDS, RULES };
static const char *const rule_names[RULES] = {"registers", "guards", "carry", "events", "events and memory", "memory", "ends"};

static bool is_end(const rf_kinst *x) { return x->op == RF_K_BRA || x->op == RF_K_EXIT || x->op == RF_K_TRAP; }

static bool is_access(const rf_kinst *x) {
    return x->op == RF_K_LD || x->op == RF_K_ST || x->op == RF_K_ATOM || x->op == RF_K_RED;
}

static bool is_fixed(const rf_kinst *x) { return x->space == RF_S_PARAM || x->space == RF_S_CONST; }

/* Lanes wait for each other there; activemask tells which have come. */
static bool is_exchange(const rf_kinst *x) { return x->flags & RF_F_SYNC || x->op == RF_K_ACTIVEMASK; }

static bool is_ordering(const rf_kernel *k, const rf_kinst *x) {
    const char *const text = k->texts[x->text];
    return is_access(x) && (strstr(text, ".acquire") || strstr(text, ".release") || strstr(text, ".acq_rel"));
}

static bool is_event(const rf_kernel *k, const rf_kinst *x) {
    if (x->op == RF_K_NOP || x->op == RF_K_BAR || x->op == RF_K_WARPSYNC || is_exchange(x) || is_ordering(k, x)) return true;
    for (uint32_t s = 0; s < x->nsrc; s++)
        if (ac_clock(&x->src[s])) return true;
    return is_access(x) && x->flags & RF_F_VOLATILE;
}

static bool is_seen(const rf_kinst *x) { return is_access(x) && x->space != RF_S_LOCAL && !is_fixed(x); }

static bool mentions(const rf_koperand *list, uint32_t n, uint32_t variable) {
    for (uint32_t o = 0; o < n; o++)
        if (ac_is_register(&list[o]) && list[o].reg == variable) return true;
    return false;
}

static bool registers_meet(const rf_kinst *x, const rf_kinst *y) {
    for (uint32_t d = 0; d < x->ndst; d++)
        if (ac_is_register(&x->dst[d]) && (mentions(y->dst, y->ndst, x->dst[d].reg) || mentions(y->src, y->nsrc, x->dst[d].reg)))
            return true;
    for (uint32_t d = 0; d < y->ndst; d++)
        if (ac_is_register(&y->dst[d]) && mentions(x->src, x->nsrc, y->dst[d].reg)) return true;
    return false;
}

static bool guards_meet(const rf_kinst *x, const rf_kinst *y) {
    return (x->guard != RF_KNONE && mentions(y->dst, y->ndst, x->guard)) ||
           (y->guard != RF_KNONE && mentions(x->dst, x->ndst, y->guard));
}

static bool carries_meet(const rf_kinst *x, const rf_kinst *y) {
    const bool xr = x->op == RF_K_ADDC || x->op == RF_K_SUBC || x->op == RF_K_MADC, xw = (x->flags & RF_F_CC) != 0;
    const bool yr = y->op == RF_K_ADDC || y->op == RF_K_SUBC || y->op == RF_K_MADC, yw = (y->flags & RF_F_CC) != 0;
    return (xw && (yr || yw)) || (yw && xr);
}

static uint64_t bytes_of(const rf_kinst *x) { return (uint64_t)x->vector * rf_ktype_bits((rf_ktype)x->type) / 8; }

/* Instructions i, j, i in front. Address arithmetic is that of the base's width. */
static bool memory_meets(const rf_kernel *k, uint32_t i, uint32_t j) {
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
static uint32_t kept(const rf_kernel *k, uint32_t i, uint32_t j) {
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

/* Most words, and predicates, that live at one time in block b, results that nothing reads among them. `out`: live behind it. */
static height pressure(const rf_kernel *k, uint32_t b, const uint64_t *out) {
    bool *const lives = calloc(k->nvar + 1, sizeof *lives);
    height now = {0, 0}, most = {0, 0};
#define LIFE(v, life)                                                                                                            \
    do {                                                                                                                         \
        const uint32_t bits = rf_ktype_bits((rf_ktype)k->var[v].type), words = bits == 64 ? 2 : bits > 1;                        \
        if ((life) && !lives[v]) now.words += words, now.predicates += bits == 1;                                                \
        if (!(life) && lives[v]) now.words -= words, now.predicates -= bits == 1;                                                \
        lives[v] = life;                                                                                                         \
    } while (0)
#define PEAK                                                                                                                     \
    most = (height) {                                                                                                            \
        now.words > most.words ? now.words : most.words, now.predicates > most.predicates ? now.predicates : most.predicates     \
    }
    for (uint32_t v = 0; v < k->nvar; v++) LIFE(v, rf_set_has(out, v));
    for (uint32_t i = k->block[b].first + k->block[b].count; i-- > k->block[b].first;) {
        const rf_kinst *const x = &k->inst[i];
        bool before[RF_KDST_MAX] = {0};
        for (uint32_t d = 0; d < x->ndst; d++) {
            if (!ac_is_register(&x->dst[d])) continue;
            before[d] = lives[x->dst[d].reg];
            LIFE(x->dst[d].reg, true);
        }
        PEAK;
        for (uint32_t d = 0; d < x->ndst; d++)
            if (ac_is_register(&x->dst[d])) LIFE(x->dst[d].reg, x->guard != RF_KNONE && before[d]);
        for (uint32_t s = 0; s < x->nsrc; s++)
            if (ac_is_register(&x->src[s])) LIFE(x->src[s].reg, true);
        if (x->guard != RF_KNONE) LIFE(x->guard, true);
        PEAK;
    }
    free(lives);
    return most;
}

/* --- the judge -------------------------------------------------------------------------------------------------------------- */

typedef struct tally {
    uint64_t kernels, blocks, pairs, swapped;
    uint64_t only[RULES]; /* pairs that one rule alone keeps */
} tally;

static tally all;

/* The records of a lane in the order of their lines: each line's own as they came. */
static void by_line(ac_lane *l) {
    uint32_t *const at = calloc(l->k->ninst + 2, sizeof *at);
    struct ac_read *const sorted = malloc((l->steps + 1) * sizeof *sorted);
    for (uint32_t s = 0; s < l->steps; s++) at[l->record[s].line + 1]++;
    for (uint32_t n = 1; n < l->k->ninst + 2; n++) at[n] += at[n - 1];
    for (uint32_t s = 0; s < l->steps; s++) sorted[at[l->record[s].line]++] = l->record[s];
    free(at);
    free(l->record);
    l->record = sorted;
}

static void judge_block(const rf_kernel *before, const rf_kernel *after, uint32_t b, const char *what) {
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
            all.pairs++;
            all.swapped += place[j] < place[i];
            for (uint32_t r = 0; r < RULES; r++) all.only[r] += rules == 1u << r;
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
static void judge_order(const rf_kernel *before, const rf_kernel *after, uint32_t words, uint32_t predicates, const char *what) {
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
        all.blocks++;
    }
    rf_liveness_free(&live);
    all.kernels++;
}

/* Schedules a copy; the caller frees it. */
static void judged(const rf_kernel *before, rf_kernel *after, uint32_t words, uint32_t predicates, const char *what) {
    char error[256] = "", where[160];
    (void)snprintf(where, sizeof where, "%s at %u, %u", what, words, predicates);
    assert_int_equal(rf_kernel_copy(after, before), 0);
    if (rf_schedule(after, words, predicates, error, sizeof error) != 0) fail_msg("%s: %s", where, error);
    judge_order(before, after, words, predicates, where);
}

static void number_lines(rf_kernel *k) {
    for (uint32_t i = 0; i < k->ninst; i++) k->inst[i].line = i + 1;
}

/* --- random kernels --------------------------------------------------------------------------------------------------------- */

static void space_out(rf_kernel *k, ls_rng *rng, rf_kinst *x, const rf_koperand *base) {
    static const rf_kspace spaces[] = {RF_S_GLOBAL, RF_S_GLOBAL, RF_S_SHARED, RF_S_SHARED, RF_S_GENERIC, RF_S_LOCAL, RF_S_CONST};
    const bool load = x->op == RF_K_LD;
    x->space = (uint8_t)spaces[ls_rng_below(rng, load ? 7 : 6)];
    x->offset = 4 * (int64_t)ls_rng_below(rng, 24) - 32;
    if (base && ls_rng_chance(rng, 190)) x->src[0] = *base;
    if (ls_rng_chance(rng, 40)) x->src[0] = kb_imm(32 + 4 * (uint64_t)ls_rng_below(rng, 8));
    if (x->space == RF_S_LOCAL) x->src[0] = kb_imm(32 + 4 * (uint64_t)ls_rng_below(rng, 8));
    if (x->space != RF_S_CONST && ls_rng_chance(rng, 30)) x->flags |= RF_F_VOLATILE;
    if (x->vector == 1 && x->space != RF_S_CONST && x->space != RF_S_LOCAL && ls_rng_chance(rng, 40)) {
        x->op = load ? RF_K_ATOM : RF_K_RED;
        x->flags = 0;
        if (load) x->src[x->nsrc++] = kb_imm(5);
    }
    k->local_bytes = 512;
}

/* Puts into a random kernel what it lacks: spaces, common bases, volatile, atomics, carries, clocks, barriers, exchanges. */
static void season(rf_kernel *k, ls_rng *rng) {
    for (uint32_t b = 0; b < k->nblock; b++) {
        const rf_koperand *base = NULL;
        for (uint32_t i = k->block[b].first; i < k->block[b].first + k->block[b].count; i++) {
            rf_kinst *const x = &k->inst[i];
            const bool free_to = x->ndst == 1 && ac_is_register(&x->dst[0]) && k->var[x->dst[0].reg].type != RF_T_U32;
            if (is_access(x) && x->space == RF_S_GLOBAL) {
                space_out(k, rng, x, base);
                if (x->src[0].kind == RF_O_REG && (!base || ls_rng_chance(rng, 60))) base = &x->src[0];
            } else if (x->op == RF_K_ADD && free_to && ls_rng_chance(rng, 150)) {
                x->op = ls_rng_chance(rng, 128) ? RF_K_ADD : RF_K_ADDC;
                x->flags = x->op == RF_K_ADD || ls_rng_chance(rng, 90) ? RF_F_CC : 0;
            } else if (x->op == RF_K_MOV && free_to && x->type == RF_T_B32 && ls_rng_chance(rng, 40)) {
                x->src[0] = (rf_koperand){.kind = RF_O_SPECIAL, .reg = RF_SR_CLOCK + ls_rng_below(rng, 4)};
            } else if (x->op == RF_K_XOR && free_to && ls_rng_chance(rng, 80)) {
                static const rf_kop ops[] = {RF_K_NOP, RF_K_BAR, RF_K_WARPSYNC, RF_K_SHFL};
                x->op = (uint8_t)ops[ls_rng_below(rng, 4)];
                if (x->op != RF_K_SHFL) x->ndst = x->nsrc = 0;
                else if (ls_rng_chance(rng, 200)) x->flags |= RF_F_SYNC;
            }
        }
    }
}

static void test_random(void **state) {
    (void)state;
    static const uint32_t words[] = {0, 8, 16, 32, 64, 255}, predicates[] = {0, 2, 7, 64};
    uint32_t ended = 0, runs = 0;
    all = (tally){0};
    for (uint64_t seed = 1; seed <= 400; seed++) {
        const random_options options = {.variables = 20 + (uint32_t)(seed * 7 % 90),
                                        .length = 40 + (uint32_t)(seed * 31 % 300),
                                        .fresh = seed % 3 ? 140 : 60,
                                        .local = (uint32_t)(seed % 7) * 36,
                                        .guards = seed % 2 ? 30 : 90,
                                        .all_kinds = seed % 9 != 0};
        rf_kernel k, after;
        ls_rng rng;
        char what[32], why[200];
        ls_rng_seed(&rng, seed);
        random_kernel(&k, seed, &options);
        if (seed % 8) season(&k, &rng);
        (void)snprintf(what, sizeof what, "seed %u", (unsigned)seed);
        for (uint32_t w = 0; w < 3; w++) {
            judged(&k, &after, words[(seed + 2 * w) % 6], predicates[(seed + w) % 4], what);
            for (uint64_t lane = 0; lane < 2; lane++) {
                ac_lane a, b;
                ac_run(&a, &k, seed, lane);
                ac_run(&b, &after, seed, lane);
                const bool end = a.steps < AC_STEPS && b.steps < AC_STEPS;
                by_line(&a);
                by_line(&b);
                if (end && !ac_same(&a, &b, why, sizeof why)) fail_msg("%s: %s", what, why);
                ended += end;
                runs++;
                ac_lane_free(&a);
                ac_lane_free(&b);
            }
            rf_kernel_free(&after);
        }
        rf_kernel_free(&k);
    }
    print_message("%u of %u runs ended; of %u pairs %u changed their order; pairs that one rule alone keeps:", ended, runs,
                  (unsigned)all.pairs, (unsigned)all.swapped);
    for (uint32_t r = 0; r < RULES; r++) print_message(" %s %u", rule_names[r], (unsigned)all.only[r]);
    print_message("\n");
    assert_true(10 * ended > 9 * runs && 20 * all.swapped > all.pairs);
    for (uint32_t r = 0; r < RULES; r++) assert_true(all.only[r] > 500);
}

/* Every instruction of PTX, as the front end makes it. What the kernels compute: test_ptx_judge. */
static void test_random_ptx(void **state) {
    (void)state;
    all = (tally){0};
    for (uint64_t seed = 1; seed <= 120; seed++) {
        random_ptx random;
        rf_module module;
        rf_kernel after;
        char error[512] = "", what[32];
        random_ptx_make(&random, seed);
        rf_memory_file file = {.path = "k.ptx", .text = random.text, .size = strlen(random.text), .piece = 4096};
        rf_memory memory = {&file, 1};
        const rf_source source = rf_memory_source(&memory);
        if (rf_ptx_read(&source, "k.ptx", &module, error, sizeof error) != 0) fail_msg("%s", error);
        (void)snprintf(what, sizeof what, "PTX of seed %u", (unsigned)seed);
        number_lines(&module.kernel[0]);
        judged(&module.kernel[0], &after, 16 << seed % 4, 7, what);
        rf_kernel_free(&after);
        rf_module_free(&module);
        random_ptx_free(&random);
    }
    print_message("of %u pairs %u changed their order\n", (unsigned)all.pairs, (unsigned)all.swapped);
    assert_true(50 * all.swapped > all.pairs);
}

/* --- known answers ---------------------------------------------------------------------------------------------------------- */

/* A block under construction; what it makes is stored in the next. */
typedef struct maker {
    rf_kernel k;
    uint32_t result[128], results;
} maker;

static void begin(maker *m) {
    *m = (maker){0};
    kb_block(&m->k);
}

/* A new variable, read behind the block if `read`. */
static uint32_t fresh(maker *m, rf_ktype type, bool read) {
    const uint32_t v = kb_var(&m->k, type);
    if (read) m->result[m->results++] = v;
    return v;
}

/* d <- op(s, 1); RF_KNONE for s: a constant. Returns the line. */
static uint32_t op(maker *m, rf_kop code, rf_ktype type, uint32_t d, uint32_t s) {
    rf_kinst *const x = kb_inst(&m->k, code, type);
    if (d != RF_KNONE) kb_dst(&m->k, x, d);
    if (s == RF_KNONE) kb_src_imm(x, 7);
    else kb_src(&m->k, x, s);
    kb_src_imm(x, 1);
    return x->line;
}

static rf_kinst *last(maker *m) { return &m->k.inst[m->k.ninst - 1]; }

/* A load of d, or a store of a constant for RF_KNONE, at [base + offset]; base RF_KNONE: [64 + offset]. Returns the line. */
static uint32_t access_to(maker *m, rf_kop code, rf_kspace space, uint32_t d, uint32_t base, int64_t offset) {
    rf_kinst *const x = kb_inst(&m->k, code, RF_T_U32);
    x->space = (uint8_t)space;
    x->offset = offset;
    if (d != RF_KNONE) kb_dst(&m->k, x, d);
    if (base == RF_KNONE) kb_src_imm(x, 64);
    else kb_src(&m->k, x, base);
    if (code != RF_K_LD) kb_src_imm(x, 3);
    return x->line;
}

static uint32_t chain(maker *m, uint32_t from, uint32_t length, bool read, uint32_t *lines) {
    for (uint32_t n = 0; n < length; n++) {
        const uint32_t next = fresh(m, RF_T_U32, read && n + 1 == length), line = op(m, RF_K_ADD, RF_T_U32, next, from);
        if (lines) lines[n] = line;
        from = next;
    }
    return from;
}

/* Ends the kernel, schedules and judges it; `place` gets the place of each line, from 0. */
static void finish(maker *m, uint32_t words, uint32_t predicates, uint32_t *place) {
    rf_kernel after;
    kb_block(&m->k);
    for (uint32_t r = 0; r < m->results; r++) {
        const bool predicate = m->k.var[m->result[r]].type == RF_T_PRED;
        rf_kinst *const x = kb_inst(&m->k, predicate ? RF_K_SELP : RF_K_ST, RF_T_U32);
        kb_src_imm(x, 0);
        kb_src(&m->k, x, m->result[r]);
        x->space = RF_S_GLOBAL;
    }
    (void)kb_inst(&m->k, RF_K_EXIT, RF_T_NONE);
    kb_finish(&m->k, "known");
    judged(&m->k, &after, words, predicates, "known answer");
    for (uint32_t i = 0; place && i < after.ninst; i++) place[after.inst[i].line] = i;
    rf_kernel_free(&after);
}

/* A load, its use and six adds, the load at either end: load, adds, use. */
static void test_load_first(void **state) {
    (void)state;
    for (uint32_t at_end = 0; at_end < 2; at_end++) {
        maker m;
        uint32_t place[64], load = 0, use = 0;
        begin(&m);
        for (uint32_t part = 0; part < 2; part++) {
            if (part == at_end) {
                const uint32_t l = fresh(&m, RF_T_U32, false);
                load = access_to(&m, RF_K_LD, RF_S_GLOBAL, l, RF_KNONE, 0);
                use = op(&m, RF_K_ADD, RF_T_U32, fresh(&m, RF_T_U32, true), l);
            } else {
                for (uint32_t n = 0; n < 6; n++) (void)op(&m, RF_K_ADD, RF_T_U32, fresh(&m, RF_T_U32, true), RF_KNONE);
            }
        }
        finish(&m, 64, 7, place);
        assert_int_equal(place[load], 0);
        assert_int_equal(place[use], 7);
        rf_kernel_free(&m.k);
    }
}

/* Two chains, one behind the other, take turns; three do. */
static void test_interleave(void **state) {
    (void)state;
    for (uint32_t chains = 2; chains <= 3; chains++) {
        maker m;
        uint32_t place[64], line[3][6];
        begin(&m);
        for (uint32_t c = 0; c < chains; c++) (void)chain(&m, RF_KNONE, 6, true, line[c]);
        finish(&m, 64, 7, place);
        for (uint32_t n = 0; n < 6; n++)
            for (uint32_t c = 0; c < chains; c++) assert_int_equal(place[line[c][n]] / chains, n);
        rf_kernel_free(&m.k);
    }
}

/* A long chain stays as it is. */
static void test_chain(void **state) {
    (void)state;
    maker m;
    uint32_t place[64];
    begin(&m);
    (void)chain(&m, RF_KNONE, 30, true, NULL);
    finish(&m, 64, 7, place);
    for (uint32_t n = 1; n <= 30; n++) assert_int_equal(place[n], n - 1);
    rf_kernel_free(&m.k);
}

/* Of two heads, written short one first, the one with the longer way goes first: heads and lengths of what hangs on them. */
static void test_latencies(void **state) {
    (void)state;
    static const struct {
        rf_kop op;
        rf_kspace space;
        uint32_t then; /* adds behind it */
    } ways[] = {
        /* each longer than the one before it */
        {RF_K_ADD, RF_S_GENERIC, 1},  {RF_K_SIN, RF_S_GENERIC, 1},  {RF_K_ADD, RF_S_GENERIC, 4},  {RF_K_LD, RF_S_SHARED, 4},
        {RF_K_ADD, RF_S_GENERIC, 10}, {RF_K_LD, RF_S_CONST, 10},    {RF_K_ADD, RF_S_GENERIC, 14}, {RF_K_LD, RF_S_GLOBAL, 1},
        {RF_K_ADD, RF_S_GENERIC, 60}, {RF_K_ATOM, RF_S_GLOBAL, 20}, {RF_K_ADD, RF_S_GENERIC, 80}, {RF_K_LD, RF_S_GENERIC, 40},
    };
    for (uint32_t w = 0; w + 1 < sizeof ways / sizeof *ways; w++) {
        maker m;
        uint32_t place[256], head[2];
        begin(&m);
        for (uint32_t h = 0; h < 2; h++) {
            const uint32_t v = fresh(&m, RF_T_U32, false);
            const bool memory = ways[w + h].op == RF_K_LD || ways[w + h].op == RF_K_ATOM;
            head[h] = memory ? access_to(&m, ways[w + h].op, ways[w + h].space, v, RF_KNONE, 0)
                             : op(&m, ways[w + h].op, RF_T_U32, v, RF_KNONE);
            (void)chain(&m, v, ways[w + h].then, true, NULL);
        }
        finish(&m, 64, 7, place);
        if (place[head[1]] != 0 || place[head[0]] == 0) fail_msg("way %u goes before the longer one", w);
        rf_kernel_free(&m.k);
    }
}

/* Sixteen loads, each used at once in a chain of sums: those that rise take most of the room and no more; none rises without
 * room. The same with predicates. */
static void test_bound(void **state) {
    (void)state;
    for (uint32_t bound = 0; bound <= 24; bound++) {
        for (uint32_t predicates = 0; predicates < 2; predicates++) {
            maker m;
            uint32_t place[128], loads[16], uses[16], early = 0, first = RF_KNONE;
            begin(&m);
            uint32_t sum = chain(&m, RF_KNONE, 1, false, NULL);
            for (uint32_t n = 0; n < 16; n++) {
                const uint32_t v = fresh(&m, predicates ? RF_T_PRED : RF_T_U32, false), next = fresh(&m, RF_T_U32, n == 15);
                loads[n] = predicates ? op(&m, RF_K_SETP, RF_T_U32, v, RF_KNONE)
                                      : access_to(&m, RF_K_LD, RF_S_GLOBAL, v, RF_KNONE, 4 * n);
                uses[n] = op(&m, RF_K_SELP, RF_T_U32, next, sum);
                kb_src(&m.k, last(&m), v);
                sum = next;
            }
            finish(&m, predicates ? 64 : bound, predicates ? bound : 7, place);
            for (uint32_t n = 0; n < 16; n++) first = place[uses[n]] < first ? place[uses[n]] : first;
            for (uint32_t n = 0; n < 16; n++) early += place[loads[n]] < first;
            if (!predicates) { /* one word is the sum's */
                const uint32_t room = bound < 2 ? 1 : bound > 17 ? 16 : bound - 1;
                assert_in_range(early, room - room / 3, room);
            }
            rf_kernel_free(&m.k);
        }
    }
}

/* Eight short values, stored at once, then twelve loads into a sum that is live from the start, each sum and value read twice:
 * loads rise until exactly the bound is in use; then what ends two lives goes before a short value, though it waits. */
static void test_bound_filled(void **state) {
    (void)state;
    for (uint32_t bound = 2; bound <= 13; bound++) {
        maker m;
        uint32_t place[128], loads[12], early = 0, first = RF_KNONE, sum;
        begin(&m);
        sum = fresh(&m, RF_T_U32, false);
        for (uint32_t n = 0; n < 8; n++) {
            const uint32_t v = fresh(&m, RF_T_U32, false);
            (void)op(&m, RF_K_ADD, RF_T_U32, v, RF_KNONE);
            (void)access_to(&m, RF_K_ST, RF_S_SHARED, RF_KNONE, RF_KNONE, 4 * n);
            last(&m)->src[1] = kb_reg(&m.k, v);
        }
        for (uint32_t n = 0; n < 12; n++) {
            const uint32_t v = fresh(&m, RF_T_U32, false), next = fresh(&m, RF_T_U32, n == 11);
            loads[n] = access_to(&m, RF_K_LD, RF_S_GLOBAL, v, RF_KNONE, 4 * n);
            (void)access_to(&m, RF_K_ST, RF_S_SHARED, RF_KNONE, RF_KNONE, 64 + 8 * n);
            last(&m)->vector = 2;
            last(&m)->src[1] = kb_reg(&m.k, sum);
            kb_src(&m.k, last(&m), v);
            (void)op(&m, RF_K_SELP, RF_T_U32, next, sum);
            kb_src(&m.k, last(&m), v);
            sum = next;
        }
        finish(&m, bound, 7, place);
        for (uint32_t n = 1; n <= 16 + 36; n++)
            if (m.k.inst[n - 1].op != RF_K_LD && place[n] < first) first = place[n];
        for (uint32_t n = 0; n < 12; n++) early += place[loads[n]] < first;
        assert_int_equal(early, bound - 1);
        rf_kernel_free(&m.k);
    }
}

/* X, then a load that is used: whether the load passes X. Only what may not pass, and what surely is independent, is here. */
static void test_memory(void **state) {
    (void)state;
    enum { A, B, NUMBER };
    static const struct {
        rf_kop op;
        rf_kspace space;
        uint8_t base;
        int64_t offset;
        uint8_t vector;
        uint16_t flags;
        rf_kspace load;
        uint8_t load_base;
        int64_t load_offset;
        uint8_t load_vector;
        uint16_t load_flags;
        bool passes;
    } cases[] = {
        {RF_K_ST, RF_S_GLOBAL, A, 0, 1, 0, RF_S_GLOBAL, A, 0, 1, 0, false},
        {RF_K_ST, RF_S_GLOBAL, A, 0, 1, 0, RF_S_GLOBAL, A, 4, 1, 0, true},
        {RF_K_ST, RF_S_GLOBAL, A, 4, 1, 0, RF_S_GLOBAL, A, 0, 1, 0, true},
        {RF_K_ST, RF_S_GLOBAL, A, 0, 1, 0, RF_S_GLOBAL, A, 3, 1, 0, false},
        {RF_K_ST, RF_S_GLOBAL, A, 3, 1, 0, RF_S_GLOBAL, A, 0, 1, 0, false},
        {RF_K_ST, RF_S_GLOBAL, A, 0, 2, 0, RF_S_GLOBAL, A, 4, 1, 0, false},
        {RF_K_ST, RF_S_GLOBAL, A, 0, 2, 0, RF_S_GLOBAL, A, 8, 1, 0, true},
        {RF_K_ST, RF_S_GLOBAL, A, 12, 1, 0, RF_S_GLOBAL, A, 0, 4, 0, false},
        {RF_K_ST, RF_S_GLOBAL, A, -4, 1, 0, RF_S_GLOBAL, A, 0, 4, 0, true},
        {RF_K_ST, RF_S_GLOBAL, A, 0, 1, 0, RF_S_GLOBAL, B, 4, 1, 0, false},
        {RF_K_ST, RF_S_GLOBAL, A, 0, 1, 0, RF_S_GLOBAL, NUMBER, 0, 1, 0, false},
        {RF_K_ST, RF_S_SHARED, NUMBER, 0, 1, 0, RF_S_SHARED, NUMBER, 0, 1, 0, false},
        {RF_K_ST, RF_S_SHARED, NUMBER, 0, 1, 0, RF_S_SHARED, NUMBER, 8, 1, 0, true},
        {RF_K_ST, RF_S_LOCAL, A, 0, 1, 0, RF_S_LOCAL, A, 0, 1, 0, false},
        {RF_K_ST, RF_S_LOCAL, A, 0, 1, 0, RF_S_GLOBAL, A, 0, 1, 0, true},
        {RF_K_ST, RF_S_SHARED, A, 0, 1, 0, RF_S_GLOBAL, A, 0, 1, 0, true},
        {RF_K_ST, RF_S_GLOBAL, A, 0, 1, 0, RF_S_SHARED, A, 0, 1, 0, true},
        {RF_K_ST, RF_S_GENERIC, A, 0, 1, 0, RF_S_GLOBAL, A, 0, 1, 0, false},
        {RF_K_ST, RF_S_GENERIC, A, 0, 1, 0, RF_S_SHARED, B, 0, 1, 0, false},
        {RF_K_ST, RF_S_SHARED, A, 0, 1, 0, RF_S_GENERIC, B, 0, 1, 0, false},
        {RF_K_ST, RF_S_GENERIC, A, 0, 1, 0, RF_S_LOCAL, B, 0, 1, 0, false},
        {RF_K_ST, RF_S_GENERIC, A, 0, 1, 0, RF_S_PARAM, NUMBER, 0, 1, 0, true},
        {RF_K_ST, RF_S_GLOBAL, A, 0, 1, 0, RF_S_CONST, B, 0, 1, 0, true},
        {RF_K_LD, RF_S_GLOBAL, A, 0, 1, 0, RF_S_GLOBAL, A, 0, 1, 0, true},
        {RF_K_LD, RF_S_GENERIC, A, 0, 1, 0, RF_S_GLOBAL, B, 0, 1, 0, true},
        {RF_K_LD, RF_S_GLOBAL, A, 0, 1, RF_F_VOLATILE, RF_S_GLOBAL, A, 64, 1, RF_F_VOLATILE, false},
        {RF_K_ST, RF_S_GLOBAL, A, 0, 1, RF_F_VOLATILE, RF_S_SHARED, A, 64, 1, RF_F_VOLATILE, false},
        {RF_K_ST, RF_S_SHARED, A, 0, 1, RF_F_VOLATILE, RF_S_SHARED, A, 64, 1, 0, false},
        {RF_K_RED, RF_S_GLOBAL, A, 0, 1, 0, RF_S_GLOBAL, A, 0, 1, 0, false},
        {RF_K_RED, RF_S_GLOBAL, A, 0, 1, 0, RF_S_GLOBAL, B, 0, 1, 0, false},
        {RF_K_RED, RF_S_SHARED, A, 0, 1, 0, RF_S_GLOBAL, B, 0, 1, 0, true},
        {RF_K_BAR, RF_S_GENERIC, A, 0, 1, 0, RF_S_SHARED, A, 0, 1, 0, false},
        {RF_K_BAR, RF_S_GENERIC, A, 0, 1, 0, RF_S_GLOBAL, A, 0, 1, 0, false},
        {RF_K_NOP, RF_S_GENERIC, A, 0, 1, 0, RF_S_GLOBAL, A, 0, 1, 0, false},
        {RF_K_WARPSYNC, RF_S_GENERIC, A, 0, 1, 0, RF_S_SHARED, A, 0, 1, 0, false},
    };
    for (uint32_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        maker m;
        uint32_t place[64], base[3];
        begin(&m);
        base[A] = fresh(&m, RF_T_U64, true);
        base[B] = fresh(&m, RF_T_U64, true);
        base[NUMBER] = RF_KNONE;
        uint32_t x;
        if (cases[c].op == RF_K_BAR || cases[c].op == RF_K_NOP || cases[c].op == RF_K_WARPSYNC) {
            x = kb_inst(&m.k, cases[c].op, RF_T_NONE)->line;
        } else {
            const uint32_t d = cases[c].op == RF_K_LD ? fresh(&m, RF_T_U32, true) : RF_KNONE;
            x = access_to(&m, cases[c].op, cases[c].space, d, base[cases[c].base], cases[c].offset);
            last(&m)->vector = cases[c].vector;
            last(&m)->flags = cases[c].flags;
            if (cases[c].vector == 2) kb_src_imm(last(&m), 4);
        }
        const uint32_t d = fresh(&m, RF_T_U32, false);
        const uint32_t load = access_to(&m, RF_K_LD, cases[c].load, d, base[cases[c].load_base], cases[c].load_offset);
        last(&m)->vector = cases[c].load_vector;
        last(&m)->flags = cases[c].load_flags;
        for (uint32_t e = 1; e < cases[c].load_vector; e++) last(&m)->dst[last(&m)->ndst++] = (rf_koperand){0};
        (void)chain(&m, d, 2, true, NULL);
        finish(&m, 64, 7, place);
        if ((place[load] < place[x]) != cases[c].passes)
            fail_msg("case %u: the load %s", c, cases[c].passes ? "waits" : "passes");
        rf_kernel_free(&m.k);
    }
}

/* The base moves between two accesses of what look like disjoint ranges; or it wraps. What PTX alone says: .acquire, .release,
 * clocks, exchanges. */
static void test_orders(void **state) {
    (void)state;
    maker m;
    begin(&m);
    const uint32_t a = fresh(&m, RF_T_U64, true), d = fresh(&m, RF_T_U32, false);
    (void)access_to(&m, RF_K_ST, RF_S_GLOBAL, RF_KNONE, a, 0);
    (void)op(&m, RF_K_SUB, RF_T_U64, a, a);
    (void)access_to(&m, RF_K_LD, RF_S_GLOBAL, d, a, 4);
    (void)chain(&m, d, 20, true, NULL);
    finish(&m, 64, 7, NULL);
    rf_kernel_free(&m.k);
    for (uint32_t wide = 0; wide < 2; wide++) { /* 2^32 bytes apart: the same bytes for a base of 32 bits */
        uint32_t place[64];
        begin(&m);
        const uint32_t base = fresh(&m, wide ? RF_T_U64 : RF_T_U32, true), e = fresh(&m, RF_T_U32, false);
        const uint32_t x = access_to(&m, RF_K_ST, RF_S_GLOBAL, RF_KNONE, base, -(INT64_C(1) << 31));
        const uint32_t y = access_to(&m, RF_K_LD, RF_S_GLOBAL, e, base, INT64_C(1) << 31);
        (void)chain(&m, e, 2, true, NULL);
        finish(&m, 64, 7, place);
        assert_int_equal(place[y] < place[x], wide);
        rf_kernel_free(&m.k);
    }
    static const char head[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
                               ".reg .b64 %d<2>; .reg .b32 %r<9>; .reg .pred %p<2>;\nld.param.u64 %d0, [p];\n";
    static const char *const bodies[] = {
        "ld.acquire.gpu.global.u32 %r0, [%d0]; ld.global.u32 %r1, [%d0+64]; mul.lo.u32 %r2, %r1, %r1; add.u32 %r3, %r2, %r0;",
        "add.u32 %r1, %r0, 1; st.global.u32 [%d0+64], %r1; mov.u32 %r2, 5; st.release.gpu.global.u32 [%d0], %r2;",
        "atom.acquire.gpu.global.add.u32 %r0, [%d0], 1; ld.global.u32 %r1, [%d0+64]; mul.lo.u32 %r2, %r1, %r1;",
        "mul.lo.u32 %r1, %r0, %r0; st.global.u32 [%d0+64], %r1; red.release.gpu.global.add.u32 [%d0], 1;",
        "st.global.u32 [%d0+64], %r1; membar.gl; ld.global.u32 %r2, [%d0];",
        "mov.u32 %r0, %clock; ld.global.u32 %r1, [%d0]; mov.u32 %r2, %clock; sub.u32 %r3, %r2, %r0;",
        "mov.u32 %r0, %clock; mov.u64 %d1, %globaltimer; cvt.u32.u64 %r1, %d1; mul.lo.u32 %r2, %r1, %r1;",
        "mov.u64 %d1, %globaltimer; mov.u32 %r0, %clock; mul.lo.u32 %r2, %r0, %r0;",
        "shfl.sync.idx.b32 %r0|%p0, %r1, 0, 31, -1; activemask.b32 %r3; vote.sync.ballot.b32 %r2, %p1, -1; mul.lo.u32 %r4, %r2, "
        "%r2;",
    };
    for (uint32_t c = 0; c < sizeof bodies / sizeof *bodies; c++) {
        char text[1024], error[512] = "", what[32];
        rf_module module;
        rf_kernel after;
        (void)snprintf(text, sizeof text, "%s%s\nst.global.u32 [%%d0+128], %%r2; st.global.u32 [%%d0+132], %%r3;\nret;\n}\n",
                       head, bodies[c]);
        rf_memory_file file = {.path = "k.ptx", .text = text, .size = strlen(text), .piece = 4096};
        rf_memory memory = {&file, 1};
        const rf_source source = rf_memory_source(&memory);
        if (rf_ptx_read(&source, "k.ptx", &module, error, sizeof error) != 0) fail_msg("%s", error);
        (void)snprintf(what, sizeof what, "body %u", c);
        number_lines(&module.kernel[0]);
        judged(&module.kernel[0], &after, 64, 7, what);
        rf_kernel_free(&after);
        rf_module_free(&module);
    }
}

/* The second of two instructions has a long chain behind it and would go first, but for a register: read before it is replaced,
 * replaced twice, a guard, a word that stays under a guard, the carry. */
static void test_registers(void **state) {
    (void)state;
    enum { REPLACED, TWICE, GUARD, STAYS, CARRY_READ, CARRY_TWICE, CASES };
    for (uint32_t c = 0; c < CASES; c++) {
        maker m;
        uint32_t place[64], v;
        begin(&m);
        const uint32_t t = fresh(&m, RF_T_U32, true), u = fresh(&m, RF_T_U32, true), p = fresh(&m, RF_T_PRED, true);
        const uint32_t x = op(&m, c == CARRY_READ ? RF_K_ADDC : RF_K_ADD, RF_T_U32, c == TWICE || c == STAYS ? t : u,
                              c == REPLACED ? t : RF_KNONE);
        if (c == GUARD) last(&m)->guard = p;
        if (c == CARRY_TWICE) last(&m)->flags = RF_F_CC;
        const bool carry = c == CARRY_READ || c == CARRY_TWICE;
        v = c == GUARD ? p : carry ? fresh(&m, RF_T_U32, false) : t;
        const uint32_t y = op(&m, c == GUARD ? RF_K_SETP : RF_K_ADD, RF_T_U32, v, RF_KNONE);
        if (c == STAYS) last(&m)->guard = p;
        if (carry) last(&m)->flags = RF_F_CC;
        if (c == GUARD) {
            v = fresh(&m, RF_T_U32, false);
            (void)op(&m, RF_K_SELP, RF_T_U32, v, RF_KNONE);
            kb_src(&m.k, last(&m), p);
        }
        (void)chain(&m, v, 20, true, NULL);
        finish(&m, 64, 7, place);
        assert_true(place[x] < place[y]);
        rf_kernel_free(&m.k);
    }
}

/* The last instruction stays, whatever it is, with and without a guard, when it is the only one, and when it falls through. */
static void test_ends(void **state) {
    (void)state;
    static const rf_kop ends[] = {RF_K_BRA, RF_K_EXIT, RF_K_TRAP};
    for (uint32_t e = 0; e < 6; e++) {
        maker m;
        uint32_t place[64];
        begin(&m);
        const uint32_t p = fresh(&m, RF_T_PRED, true);
        if (e % 2) (void)access_to(&m, RF_K_LD, RF_S_GLOBAL, fresh(&m, RF_T_U32, true), RF_KNONE, 0);
        (void)chain(&m, RF_KNONE, 4, true, NULL);
        rf_kinst *const end = kb_inst(&m.k, ends[e / 2], RF_T_NONE);
        const uint32_t line = end->line;
        end->guard = p;
        end->target = 1;
        kb_block(&m.k);
        (void)kb_inst(&m.k, RF_K_NOP, RF_T_NONE);
        finish(&m, 64, 7, place);
        assert_int_equal(place[line], line - 1);
        rf_kernel_free(&m.k);
    }
}

/* --- refusals, determinism, size -------------------------------------------------------------------------------------------- */

static void test_refusals(void **state) {
    (void)state;
    const random_options options = {.variables = 30, .length = 90, .fresh = 140, .local = 90, .guards = 50, .all_kinds = true};
    rf_kernel k, copy;
    char error[200] = "";
    random_kernel(&k, 5, &options);
    assert_int_equal(rf_regalloc(&k, 63, 7, error, sizeof error), 0);
    assert_int_equal(rf_kernel_copy(&copy, &k), 0);
    assert_int_equal(rf_schedule(&k, 32, 7, error, sizeof error), -1);
    assert_string_equal(error, "kernel random: its registers are allocated already");
    assert_true(k.allocated && k.ninst == copy.ninst && k.nreg == copy.nreg && k.npred == copy.npred);
    assert_memory_equal(k.inst, copy.inst, k.ninst * sizeof *k.inst);
    rf_kernel_free(&k);
    rf_kernel_free(&copy);
}

static void test_deterministic(void **state) {
    (void)state;
    const random_options options = {.variables = 80, .length = 300, .fresh = 140, .local = 90, .guards = 50, .all_kinds = true};
    for (uint64_t seed = 1; seed <= 10; seed++) {
        rf_kernel k, a, b;
        char error[200];
        random_kernel(&k, seed, &options);
        assert_int_equal(rf_kernel_copy(&a, &k), 0);
        void *const between = malloc(100000); /* other addresses for the second */
        assert_int_equal(rf_kernel_copy(&b, &k), 0);
        assert_int_equal(rf_schedule(&a, 20, 7, error, sizeof error), 0);
        assert_int_equal(rf_schedule(&b, 20, 7, error, sizeof error), 0);
        assert_memory_equal(a.inst, b.inst, k.ninst * sizeof *k.inst);
        free(between);
        rf_kernel_free(&k);
        rf_kernel_free(&a);
        rf_kernel_free(&b);
    }
}

/* One block of 20,000 instructions: half independent of each other, a load in five, all ready at once at first. */
static void wide_block(rf_kernel *k, uint32_t length) {
    ls_rng rng;
    ls_rng_seed(&rng, length);
    *k = (rf_kernel){0};
    kb_block(k);
    const uint32_t base = kb_var(k, RF_T_U64);
    for (uint32_t i = 0; i + 1 < length; i++) {
        rf_kinst *const x = kb_inst(k, i % 5 == 0 ? RF_K_LD : i % 25 == 4 ? RF_K_ST : RF_K_ADD, RF_T_U32);
        if (x->op == RF_K_ADD) {
            for (uint32_t s = 0; s < 2; s++) {
                if (ls_rng_chance(&rng, 128) || k->nvar < 3) kb_src_imm(x, i);
                else kb_src(k, x, 1 + ls_rng_below(&rng, k->nvar - 1));
            }
        } else {
            x->space = RF_S_GLOBAL;
            kb_src(k, x, base);
            x->offset = 4 * (int64_t)ls_rng_below(&rng, length / 8);
            if (x->op == RF_K_ST) kb_src(k, x, k->nvar - 1);
        }
        if (x->op != RF_K_ST) {
            const uint32_t v = kb_var(k, RF_T_U32);
            kb_dst(k, &k->inst[i], v);
        }
    }
    (void)kb_inst(k, RF_K_EXIT, RF_T_NONE);
    kb_finish(k, "wide");
}

static void test_large(void **state) {
    (void)state;
    static const uint32_t bounds[] = {32, 100000};
    for (uint32_t b = 0; b < 2; b++) {
        for (uint32_t length = 5000; length <= 20000; length *= 4) {
            rf_kernel k, after;
            char error[200];
            wide_block(&k, length);
            assert_int_equal(k.ninst, length);
            assert_int_equal(rf_kernel_copy(&after, &k), 0);
            const clock_t start = clock();
            assert_int_equal(rf_schedule(&after, bounds[b], 7, error, sizeof error), 0);
            const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
            print_message("%u instructions in one block, %u words: %.2f s\n", length, bounds[b], seconds);
            assert_true(seconds < 20);
            if (length == 5000) judge_order(&k, &after, bounds[b], 7, "wide");
            rf_kernel_free(&k);
            rf_kernel_free(&after);
        }
    }
}

/* --- real kernels ----------------------------------------------------------------------------------------------------------- */

/* Instructions between a load from global or shared memory and the first that reads its result in its block, all together. */
static uint64_t distances(const rf_kernel *k) {
    uint64_t sum = 0;
    for (uint32_t b = 0; b < k->nblock; b++) {
        const uint32_t end = k->block[b].first + k->block[b].count;
        for (uint32_t i = k->block[b].first; i < end; i++) {
            if (k->inst[i].op != RF_K_LD || !is_seen(&k->inst[i]) || k->inst[i].ndst == 0) continue;
            for (uint32_t j = i + 1; j < end; j++) {
                if (!mentions(k->inst[j].src, k->inst[j].nsrc, k->inst[i].dst[0].reg)) continue;
                sum += j - i;
                break;
            }
        }
    }
    return sum;
}

static void test_real(void **state) {
    (void)state;
    static const uint32_t bounds[] = {0, 16, 32, 255};
    glob_t files;
    uint64_t before[4] = {0}, after[4] = {0};
    assert_int_equal(glob("tb/workload/kernels/*.ptx", 0, NULL, &files), 0);
    all = (tally){0};
    for (size_t f = 0; f < files.gl_pathc; f++) {
        rf_module module;
        char error[512] = "";
        if (rf_ptx_read(&ls_xzio, files.gl_pathv[f], &module, error, sizeof error) != 0) fail_msg("%s", error);
        for (uint32_t i = 0; i < module.nkernel; i++) {
            rf_kernel *const k = &module.kernel[i], scheduled;
            number_lines(k);
            for (uint32_t b = 0; b < 4; b++) {
                judged(k, &scheduled, bounds[b], RF_PREDICATES, k->name);
                before[b] += distances(k);
                after[b] += distances(&scheduled);
                rf_kernel_free(&scheduled);
            }
        }
        rf_module_free(&module);
    }
    globfree(&files);
    for (uint32_t b = 0; b < 4; b++)
        print_message("%u words: from loads to uses %u instructions, before %u\n", bounds[b], (unsigned)after[b],
                      (unsigned)before[b]);
    assert_true(all.kernels > 4 * 20 && 2 * after[2] > 3 * before[2] && after[3] >= after[2]);
}

/* What our workloads compute, scheduled. */
static void test_results(void **state) {
    (void)state;
    static const uint32_t registers[] = {16, 24, 63, 255};
    uint32_t moved = 0, spilled = 0;
    for (size_t i = 0; i < rf_kernels_count; i++) {
        for (uint32_t r = 0; r < 4; r++) {
            rf_kernels_result plain, scheduled;
            rf_kernels_options options = {.source = &ls_xzio, .registers = registers[r]};
            char error[512];
            if (rf_kernels_build(&rf_kernels_list[i], &options, &plain, error, sizeof error) != 0) fail_msg("%s", error);
            options.schedule = true;
            if (rf_kernels_build(&rf_kernels_list[i], &options, &scheduled, error, sizeof error) != 0)
                fail_msg("%u registers: %s", registers[r], error);
            assert_int_equal(scheduled.outputs, plain.outputs);
            assert_in_range(scheduled.registers, 1, registers[r]);
            if (scheduled.spilled > plain.spilled)
                fail_msg("%s: %u registers: %u spilled, %u without", rf_kernels_list[i].name, registers[r], scheduled.spilled,
                         plain.spilled);
            spilled += plain.spilled;
            moved += scheduled.registers != plain.registers;
        }
    }
    print_message("%u runs used other numbers of registers\n", moved);
    assert_true(moved > 20 && spilled > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load_first), cmocka_unit_test(test_interleave), cmocka_unit_test(test_chain),
        cmocka_unit_test(test_latencies),  cmocka_unit_test(test_bound),      cmocka_unit_test(test_bound_filled),
        cmocka_unit_test(test_memory),     cmocka_unit_test(test_orders),     cmocka_unit_test(test_registers),
        cmocka_unit_test(test_ends),       cmocka_unit_test(test_refusals),   cmocka_unit_test(test_deterministic),
        cmocka_unit_test(test_random),     cmocka_unit_test(test_random_ptx), cmocka_unit_test(test_large),
        cmocka_unit_test(test_real),       cmocka_unit_test(test_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
