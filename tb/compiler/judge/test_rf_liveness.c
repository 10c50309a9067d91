/* SPDX-License-Identifier: Apache-2.0 */
/* Liveness and divergence: graphs with a known answer; on random graphs the sets against two slow models (a search from every
 * place, and all states of two lanes on a reconvergence stack), and warps that run and must never read what was said to be dead.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cmodel/compiler/rf_divergence.h"
#include "cmodel/compiler/rf_liveness.h"
#include "cmodel/compiler/rf_names.h"
#include "cmodel/compiler/rf_regalloc.h"
#include "tb/compiler/judge/alloc_check.h"
#include "tb/compiler/judge/random_kernel.h"

#define SET_WORDS 8u

/* --- graphs made by hand ---------------------------------------------------------------------------------------------------- */

/* d <- s + t, words; RF_KNONE: an immediate, or no destination. */
static uint32_t add(rf_kernel *k, uint32_t d, uint32_t s, uint32_t t) {
    rf_kinst *const inst = kb_inst(k, d == RF_KNONE ? RF_K_ST : RF_K_ADD, RF_T_B32);
    if (d != RF_KNONE) kb_dst(k, inst, d);
    if (s == RF_KNONE) kb_src_imm(inst, 1);
    else kb_src(k, inst, s);
    if (t == RF_KNONE) kb_src_imm(inst, 1);
    else kb_src(k, inst, t);
    return k->ninst - 1;
}

static uint32_t special(rf_kernel *k, uint32_t d, rf_kspecial which) {
    rf_kinst *const inst = kb_inst(k, RF_K_MOV, RF_T_B32);
    kb_dst(k, inst, d);
    inst->src[inst->nsrc++] = (rf_koperand){.kind = RF_O_SPECIAL, .reg = (uint32_t)which};
    return k->ninst - 1;
}

static uint32_t compare(rf_kernel *k, uint32_t p, uint32_t s) {
    rf_kinst *const inst = kb_inst(k, RF_K_SETP, RF_T_U32);
    kb_dst(k, inst, p);
    kb_src(k, inst, s);
    kb_src_imm(inst, 5);
    return k->ninst - 1;
}

static bool live_after(const rf_kernel *k, rf_live_view view, uint32_t inst, uint32_t name) {
    rf_liveness live;
    uint64_t set[SET_WORDS];
    assert_int_equal(rf_liveness_compute(&live, k, view), 0);
    assert_true(live.set_words <= SET_WORDS);
    rf_liveness_after(&live, inst, set);
    const bool is = rf_set_has(set, name);
    rf_liveness_free(&live);
    return is;
}

/* The case of [CERF III-D-2]: an if and else; x is read on both sides, y on one, z is written and read on one, w written on both
 * and read where they meet. */
typedef struct diamond {
    rf_kernel k;
    uint32_t x, y, z, w, p, read_x_then, read_y_then, last_z, read_x_else, write_w_then, write_w_else, read_w;
} diamond;

static void make_diamond(diamond *d, rf_kspecial condition, uint16_t flags) {
    *d = (diamond){0};
    rf_kernel *const k = &d->k;
    d->x = kb_var(k, RF_T_B32);
    d->y = kb_var(k, RF_T_B32);
    d->z = kb_var(k, RF_T_B32);
    d->w = kb_var(k, RF_T_B32);
    d->p = kb_var(k, RF_T_PRED);
    kb_block(k);
    (void)special(k, d->x, RF_SR_TID_X);
    (void)special(k, d->y, condition);
    (void)compare(k, d->p, d->y);
    kb_bra(k, 2, d->p, false);
    k->inst[k->ninst - 1].flags = flags;
    kb_block(k); /* 1: then */
    d->read_x_then = add(k, d->z, d->x, RF_KNONE);
    d->read_y_then = add(k, d->z, d->z, d->y);
    d->write_w_then = add(k, d->w, d->z, RF_KNONE);
    d->last_z = d->write_w_then;
    kb_bra(k, 3, RF_KNONE, false);
    kb_block(k); /* 2: else */
    d->read_x_else = add(k, RF_KNONE, d->x, d->x);
    d->write_w_else = add(k, d->w, RF_KNONE, RF_KNONE);
    kb_block(k); /* 3: both */
    d->read_w = add(k, RF_KNONE, d->w, RF_KNONE);
    (void)kb_inst(k, RF_K_EXIT, RF_T_NONE);
    kb_finish(k, "diamond");
    assert_int_equal(k->block[0].ipdom, 3);
}

static void test_diamond(void **state) {
    (void)state;
    diamond d;
    make_diamond(&d, RF_SR_TID_X, 0);
    const rf_kernel *const k = &d.k;
    /* a lane is through with x after its own side's read; the warp not before both sides have run */
    assert_false(live_after(k, RF_LIVE_LANE, d.read_x_then, d.x));
    assert_false(live_after(k, RF_LIVE_LANE, d.read_x_else, d.x));
    assert_true(live_after(k, RF_LIVE_WARP, d.read_x_then, d.x));
    assert_true(live_after(k, RF_LIVE_WARP, d.read_x_else, d.x));
    assert_true(live_after(k, RF_LIVE_WARP, d.write_w_else, d.x));
    assert_false(live_after(k, RF_LIVE_WARP, d.read_w, d.x));
    rf_liveness live;
    assert_int_equal(rf_liveness_compute(&live, k, RF_LIVE_WARP), 0);
    assert_false(rf_set_has(live.in + 3 * live.set_words, d.x)); /* dead at the common post-dominator */
    assert_true(rf_set_has(live.in + 3 * live.set_words, d.w));
    assert_true(rf_set_has(live.pending + 1 * live.set_words, d.x));
    assert_true(rf_set_has(live.pending + 2 * live.set_words, d.y));
    rf_liveness_free(&live);
    /* y is read on one side only: there its last read ends it, while on the other side, which may run first, it lives */
    assert_false(live_after(k, RF_LIVE_WARP, d.read_y_then, d.y));
    assert_true(live_after(k, RF_LIVE_WARP, d.read_x_else, d.y));
    /* z is written and read on one side only: of no other lane's interest */
    assert_false(live_after(k, RF_LIVE_WARP, d.last_z, d.z));
    assert_true(live_after(k, RF_LIVE_WARP, d.read_x_then, d.z));
    /* w, written on both sides: from the first write on it lives, also in front of the other side's write */
    assert_true(live_after(k, RF_LIVE_WARP, d.write_w_then, d.w));
    assert_false(live_after(k, RF_LIVE_LANE, d.read_x_else, d.w));
    assert_true(live_after(k, RF_LIVE_WARP, d.read_x_else, d.w));
    rf_kernel_free(&d.k);
}

/* Without divergence, by analysis or by .uni, the warp is as one lane. */
static void test_uniform_diamond(void **state) {
    (void)state;
    for (uint32_t way = 0; way < 2; way++) {
        diamond d;
        make_diamond(&d, way ? RF_SR_TID_X : RF_SR_CTAID_X, way ? RF_F_UNIFORM : 0);
        assert_false(live_after(&d.k, RF_LIVE_WARP, d.read_x_then, d.x));
        assert_false(live_after(&d.k, RF_LIVE_WARP, d.read_x_else, d.y));
        rf_kernel_free(&d.k);
    }
}

/* A loop that lanes leave one by one: what is read behind it lives in it, even where a lane in the loop will write it again. */
static void test_loop(void **state) {
    (void)state;
    rf_kernel k = {0};
    const uint32_t i = kb_var(&k, RF_T_B32), r = kb_var(&k, RF_T_B32), t = kb_var(&k, RF_T_B32), p = kb_var(&k, RF_T_PRED);
    kb_block(&k);
    (void)special(&k, i, RF_SR_TID_X);
    kb_block(&k); /* 1: the loop */
    const uint32_t a = add(&k, t, i, RF_KNONE), b = add(&k, i, t, t), c = add(&k, r, i, RF_KNONE), d = compare(&k, p, i);
    kb_bra(&k, 1, p, false);
    kb_block(&k);
    const uint32_t e = add(&k, RF_KNONE, r, RF_KNONE);
    (void)kb_inst(&k, RF_K_EXIT, RF_T_NONE);
    kb_finish(&k, "loop");
    assert_false(live_after(&k, RF_LIVE_LANE, a, r)); /* written again before it is read */
    assert_true(live_after(&k, RF_LIVE_WARP, a, r));  /* lanes that left wait with theirs */
    assert_true(live_after(&k, RF_LIVE_WARP, d, i));
    assert_false(live_after(&k, RF_LIVE_WARP, a, i));
    assert_false(live_after(&k, RF_LIVE_WARP, b, t));
    assert_true(live_after(&k, RF_LIVE_WARP, c, r));
    assert_false(live_after(&k, RF_LIVE_WARP, e, r));
    rf_kernel_free(&k);
}

/* Values that differ between lanes though no source does: written on one side only, under a guard that differs, and one that
 * differed before a write that not every lane must make. */
static void test_divergence(void **state) {
    (void)state;
    for (uint32_t way = 0; way < 6; way++) {
        rf_kernel k = {0};
        rf_divergence divergence;
        const uint32_t x = kb_var(&k, RF_T_B32), t = kb_var(&k, RF_T_B32), p = kb_var(&k, RF_T_PRED), q = kb_var(&k, RF_T_PRED);
        kb_block(&k);
        (void)special(&k, t, way % 2 ? RF_SR_TID_X : RF_SR_CTAID_X);
        (void)compare(&k, p, t);
        (void)special(&k, x, way == 4 ? RF_SR_TID_X : RF_SR_NTID_X);
        if (way < 2) kb_bra(&k, 2, p, false);
        kb_block(&k); /* 1: one side only, or under p */
        const uint32_t write = special(&k, x, RF_SR_CTAID_X);
        if (way >= 2) k.inst[write].guard = p;
        kb_block(&k);
        (void)compare(&k, q, x);
        kb_bra(&k, 4, q, false);
        kb_block(&k);
        (void)add(&k, t, t, t);
        kb_block(&k);
        (void)kb_inst(&k, RF_K_EXIT, RF_T_NONE);
        kb_finish(&k, "divergence");
        assert_int_equal(rf_divergence_compute(&divergence, &k), 0);
        assert_int_equal(divergence.branch[0], way == 1);
        assert_int_equal(divergence.block[1], way == 1);
        assert_int_equal(divergence.branch[2], way % 2 == 1 || way == 4);
        assert_int_equal(divergence.block[3], way % 2 == 1 || way == 4);
        assert_false(divergence.block[0] || divergence.block[2] || divergence.block[4]);
        rf_divergence_free(&divergence);
        rf_kernel_free(&k);
    }
}

/* A guarded write does not end the old value; an unguarded one does. Pairs are two names after allocation. */
static void test_guard_and_pair(void **state) {
    (void)state;
    rf_kernel k = {0};
    char error[100];
    const uint32_t x = kb_var(&k, RF_T_B32), p = kb_var(&k, RF_T_PRED), q = kb_var(&k, RF_T_B64);
    kb_block(&k);
    const uint32_t a = special(&k, x, RF_SR_TID_X), b = compare(&k, p, x), c = special(&k, x, RF_SR_LANEID);
    k.inst[c].guard = p;
    rf_kinst *const wide = kb_inst(&k, RF_K_PACK, RF_T_B64);
    wide->vector = 2;
    kb_dst(&k, wide, q);
    kb_src(&k, wide, x);
    kb_src(&k, wide, x);
    const uint32_t d = k.ninst - 1;
    rf_kinst *const st = kb_inst(&k, RF_K_ST, RF_T_B64);
    kb_src_imm(st, 0);
    kb_src(&k, st, q);
    (void)kb_inst(&k, RF_K_EXIT, RF_T_NONE);
    kb_finish(&k, "guard");
    assert_true(live_after(&k, RF_LIVE_LANE, a, x));
    assert_true(live_after(&k, RF_LIVE_LANE, b, x)); /* through the guarded write */
    assert_true(live_after(&k, RF_LIVE_LANE, b, p));
    assert_false(live_after(&k, RF_LIVE_LANE, c, p));
    k.inst[c].guard = RF_KNONE;
    assert_false(live_after(&k, RF_LIVE_LANE, b, x));

    rf_liveness live;
    uint32_t read[16], written[10], nread, nwritten;
    bool partial;
    assert_int_equal(rf_regalloc_identity(&k, error, sizeof error), 0);
    assert_int_equal(k.nreg, 3);
    assert_int_equal(rf_liveness_compute(&live, &k, RF_LIVE_LANE), 0);
    assert_int_equal(live.names, 4);
    rf_liveness_names(&live, &k.inst[d], read, &nread, written, &nwritten, &partial);
    assert_int_equal(nread, 1); /* mentioned twice */
    assert_int_equal(nwritten, 2);
    assert_int_equal(written[0], 0);
    assert_int_equal(written[1], 1);
    assert_false(partial);
    rf_liveness_free(&live);
    assert_true(live_after(&k, RF_LIVE_LANE, d, 0) && live_after(&k, RF_LIVE_LANE, d, 1));
    assert_false(live_after(&k, RF_LIVE_LANE, d, 2));
    rf_kernel_free(&k);
}

/* --- random graphs ---------------------------------------------------------------------------------------------------------- */

/* Blocks with a few instructions each over a dozen variables, all ends and targets random. */
static void random_graph(rf_kernel *k, uint64_t seed, uint32_t blocks) {
    random_maker m = {.k = k, .o = {.guards = 60, .local = 0, .all_kinds = true}, .budget = UINT32_MAX};
    *k = (rf_kernel){.param_bytes = 64};
    ls_rng_seed(&m.rng, seed);
    m.defined = malloc(RANDOM_VARIABLES * sizeof *m.defined);
    memset(m.defined, true, RANDOM_VARIABLES * sizeof *m.defined);
    for (uint32_t v = 0; v < 12; v++) (void)kb_var(k, v < 5 ? RF_T_B32 : v < 8 ? RF_T_B64 : RF_T_PRED);
    for (uint32_t b = 0; b < blocks; b++) {
        const uint32_t length = 1 + ls_rng_below(&m.rng, 4), end = ls_rng_below(&m.rng, 16);
        const uint32_t guard = 8 + ls_rng_below(&m.rng, 4), target = ls_rng_below(&m.rng, blocks);
        kb_block(k);
        if (b == 0 && seed % 3) { /* the same in all lanes, to begin with */
            for (uint32_t v = 0; v < 5; v++) (void)special(k, v, RF_SR_CTAID_X);
            for (uint32_t v = 8; v < 12; v++) (void)compare(k, v, v - 8);
        }
        for (uint32_t i = 0; i < length; i++) {
            if (ls_rng_chance(&m.rng, 80))
                (void)special(k, ls_rng_below(&m.rng, 5), ls_rng_chance(&m.rng, 60) ? RF_SR_TID_X : RF_SR_CTAID_X);
            else rm_inst(&m);
        }
        if (b + 1 == blocks || end == 0) {
            (void)kb_inst(k, RF_K_EXIT, RF_T_NONE);
        } else if (end < 10) {
            kb_bra(k, target, guard, end & 1);
            if (end == 9) k->inst[k->ninst - 1].flags = RF_F_UNIFORM;
        } else if (end < 12) {
            kb_bra(k, target, RF_KNONE, false);
        } else if (end == 12) {
            kb_inst(k, RF_K_EXIT, RF_T_NONE)->guard = guard;
        }
    }
    free(m.defined);
    kb_finish(k, "graph");
}

/* Whether `name` is read on some way from instruction i of block b before it is written unguarded: a search without any set. */
static bool read_on_some_way(const rf_liveness *names, uint32_t b, uint32_t i, uint32_t name, bool *seen) {
    const rf_kernel *const k = names->kernel;
    const rf_kblock *const block = &k->block[b];
    for (; i < block->first + block->count; i++) {
        uint32_t read[16], written[10], nread, nwritten;
        bool partial;
        rf_liveness_names(names, &k->inst[i], read, &nread, written, &nwritten, &partial);
        for (uint32_t r = 0; r < nread; r++)
            if (read[r] == name) return true;
        for (uint32_t w = 0; w < nwritten; w++)
            if (written[w] == name && !partial) return false;
    }
    for (uint32_t s = 0; s < block->nsucc; s++) {
        const uint32_t next = block->succ[s];
        if (seen[next]) continue;
        seen[next] = true;
        if (read_on_some_way(names, next, k->block[next].first, name, seen)) return true;
    }
    return false;
}

static void search(const rf_liveness *names, uint32_t b, uint32_t i, uint64_t *set) {
    bool *const seen = malloc(names->kernel->nblock * sizeof *seen);
    memset(set, 0, names->set_words * sizeof *set);
    for (uint32_t n = 0; n < names->names; n++) {
        memset(seen, 0, names->kernel->nblock * sizeof *seen);
        if (read_on_some_way(names, b, i, n, seen)) rf_set_add(set, n);
    }
    free(seen);
}

/* All states of two lanes on a stack: one runs block `run`, the other waits in front of block `wait`; they meet at `meet`. With
 * `run` at `meet`, the waiting one runs, while the first waits there. waits[run * (n + 1) + wait]: seen; n is the kernel's end.
 */
static void two_lanes(const rf_kernel *k, uint32_t run, uint32_t wait, uint32_t meet, bool second, bool *seen, bool *waits) {
    const uint32_t n = k->nblock;
    if (run == meet && second) return; /* both there */
    if (run == meet) {
        if (wait != meet) two_lanes(k, wait, meet, meet, true, seen, waits);
        return;
    }
    bool *const flag = &seen[((run * (n + 1) + wait) * (n + 1) + meet) * 2 + second];
    if (*flag) return;
    *flag = true;
    waits[run * (n + 1) + wait] = true;
    for (uint32_t s = 0; s < k->block[run].nsucc; s++) two_lanes(k, k->block[run].succ[s], wait, meet, second, seen, waits);
}

/* Where the second lane may wait while the first runs a block. */
static bool *all_waits(const rf_kernel *k, const rf_divergence *divergence) {
    const uint32_t n = k->nblock;
    bool *const waits = calloc((size_t)n * (n + 1), sizeof *waits);
    bool *const seen = calloc((size_t)n * (n + 1) * (n + 1) * 2, sizeof *seen);
    for (uint32_t b = 0; b < n; b++) {
        const rf_kblock *const block = &k->block[b];
        const uint32_t meet = block->ipdom == RF_KNONE ? n : block->ipdom;
        for (uint32_t way = 0; way < 2 && divergence->branch[b]; way++) {
            two_lanes(k, block->succ[way], block->succ[1 - way], meet, false, seen, waits);
            two_lanes(k, block->succ[way], meet, meet, true, seen, waits);
        }
    }
    free(seen);
    return waits;
}

static void check_sets(const rf_kernel *k) {
    rf_liveness lane, warp;
    rf_divergence divergence;
    uint64_t set[SET_WORDS], got[SET_WORDS];
    assert_int_equal(rf_liveness_compute(&lane, k, RF_LIVE_LANE), 0);
    assert_int_equal(rf_liveness_compute(&warp, k, RF_LIVE_WARP), 0);
    assert_int_equal(rf_divergence_compute(&divergence, k), 0);
    assert_true(lane.set_words <= SET_WORDS);
    const size_t bytes = lane.set_words * sizeof *set;
    uint64_t *const starts = calloc((size_t)k->nblock * lane.set_words, sizeof *starts);
    for (uint32_t b = 0; b < k->nblock; b++) search(&lane, b, k->block[b].first, starts + (size_t)b * lane.set_words);
    bool *const waits = all_waits(k, &divergence);
    for (uint32_t b = 0; b < k->nblock; b++) {
        const rf_kblock *const block = &k->block[b];
        const uint64_t *const start = starts + (size_t)b * lane.set_words;
        uint64_t others[SET_WORDS] = {0};
        assert_memory_equal(lane.in + (size_t)b * lane.set_words, start, bytes);
        for (uint32_t q = 0; q < k->nblock; q++)
            if (waits[b * (k->nblock + 1) + q]) (void)rf_set_join(others, starts + (size_t)q * lane.set_words, lane.set_words);
        if (block->reachable) assert_memory_equal(warp.pending + (size_t)b * lane.set_words, others, bytes);
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            search(&lane, b, i + 1, set);
            rf_liveness_after(&lane, i, got);
            assert_memory_equal(got, set, bytes);
            (void)rf_set_join(set, others, lane.set_words);
            rf_liveness_after(&warp, i, got);
            if (block->reachable) assert_memory_equal(got, set, bytes);
        }
        (void)rf_set_join(set, others, lane.set_words); /* behind the last instruction */
        if (block->reachable) assert_memory_equal(warp.out + (size_t)b * lane.set_words, set, bytes);
    }
    free(starts);
    free(waits);
    rf_divergence_free(&divergence);
    rf_liveness_free(&lane);
    rf_liveness_free(&warp);
}

static void test_random_sets(void **state) {
    (void)state;
    uint32_t divergent = 0, uniform = 0;
    for (uint64_t seed = 1; seed <= 250; seed++) {
        rf_kernel k;
        char error[100];
        random_graph(&k, seed, 2 + (uint32_t)(seed % 11));
        rf_divergence divergence;
        assert_int_equal(rf_divergence_compute(&divergence, &k), 0);
        for (uint32_t b = 0; b < k.nblock; b++) {
            const bool two = k.block[b].reachable && k.block[b].nsucc == 2 && k.block[b].succ[0] != k.block[b].succ[1];
            divergent += two && divergence.branch[b];
            uniform += two && !divergence.branch[b];
        }
        rf_divergence_free(&divergence);
        check_sets(&k);
        assert_int_equal(rf_regalloc_identity(&k, error, sizeof error), 0);
        check_sets(&k);
        rf_kernel_free(&k);
    }
    print_message("%u branches that can diverge, %u that cannot\n", divergent, uniform);
    assert_true(divergent > 200 && uniform > 100);
}

/* --- warps that run --------------------------------------------------------------------------------------------------------- */

#define LANES 6u
#define NAMES_MAX 64u
#define STEPS 400u

typedef struct warp {
    const rf_kernel *k;
    rf_liveness live;
    rf_divergence divergence;
    ls_rng rng;
    ac_lane lane[LANES];
    uint32_t ended;              /* lanes */
    bool dead[LANES][NAMES_MAX]; /* what is there was said to be dead and was not written since */
    struct level {
        uint32_t block, meet, mask;
    } stack[2 * 64];
    uint32_t depth;
    uint64_t reads, deaths, splits; /* counted over all */
} warp;

/* What is not in the set is dead in every lane, wherever it waits. */
static void bury(warp *w, const uint64_t *set) {
    for (uint32_t n = 0; n < w->live.names; n++) {
        for (uint32_t l = 0; l < LANES && !rf_set_has(set, n); l++) w->dead[l][n] = true;
        w->deaths += !rf_set_has(set, n);
    }
}

static void run_instruction(warp *w, uint32_t i, uint32_t mask) {
    const rf_kinst *const inst = &w->k->inst[i];
    uint32_t read[16], written[10], nread, nwritten;
    bool partial;
    uint64_t set[SET_WORDS];
    rf_liveness_names(&w->live, inst, read, &nread, written, &nwritten, &partial);
    for (uint32_t l = 0; l < LANES; l++) {
        if (!(mask >> l & 1)) continue;
        const bool on = ac_takes_part(&w->lane[l], inst);
        if (partial) assert_false(w->dead[l][rf_names_of_predicate(w->k, inst->guard)]);
        if (inst->op == RF_K_EXIT && on) w->ended |= 1u << l;
        if (!on || inst->op == RF_K_EXIT || inst->op == RF_K_BRA) continue;
        for (uint32_t r = 0; r < nread; r++) {
            if (w->dead[l][read[r]]) fail_msg("instruction %u, lane %u reads name %u, which was dead", i, l, read[r]);
            w->reads++;
        }
        for (uint32_t d = 0; d < nwritten; d++) w->dead[l][written[d]] = false;
        ac_execute(&w->lane[l], inst);
    }
    rf_liveness_after(&w->live, i, set);
    bury(w, set);
}

/* One block for the lanes on top of the stack, then its branch. */
static void run_block(warp *w) {
    struct level *const top = &w->stack[w->depth - 1];
    const uint32_t mask = top->mask & ~w->ended, b = top->block;
    if (mask == 0 || b == top->meet) {
        w->depth--;
        return;
    }
    const rf_kblock *const block = &w->k->block[b];
    uint32_t taken = 0;
    bury(w, w->live.in + (size_t)b * w->live.set_words);
    if (!w->divergence.block[b]) assert_int_equal(mask, ((1u << LANES) - 1) & ~w->ended);
    for (uint32_t i = block->first; i < block->first + block->count; i++) run_instruction(w, i, mask);
    const rf_kinst *const last = &w->k->inst[block->first + block->count - 1];
    for (uint32_t l = 0; l < LANES && last->op == RF_K_BRA; l++) taken |= (uint32_t)ac_takes_part(&w->lane[l], last) << l;
    const uint32_t on = mask & ~w->ended;
    taken &= on;
    if (last->flags & RF_F_UNIFORM) taken = taken ? on : 0; /* what it promises */
    if (block->nsucc == 2 && block->succ[0] != block->succ[1] && taken && taken != on) {
        assert_true(w->divergence.branch[b]);
        const uint32_t first = ls_rng_below(&w->rng, 2), ways[2] = {taken, on & ~taken};
        w->splits++;
        top->block = block->ipdom;
        if (block->ipdom == RF_KNONE) top->mask = 0;
        for (uint32_t s = 0; s < 2; s++)
            w->stack[w->depth++] = (struct level){block->succ[s ^ first], block->ipdom, ways[s ^ first]};
        assert_true(w->depth < 126);
    } else if (block->nsucc) {
        top->block = taken ? block->succ[0] : block->succ[block->nsucc - 1];
    } else {
        assert_int_equal(on, 0);
    }
}

static void run_warp(warp *w, const rf_kernel *k, uint64_t seed) {
    w->k = k;
    w->ended = 0;
    memset(w->dead, 0, sizeof w->dead);
    ls_rng_seed(&w->rng, seed);
    for (uint32_t l = 0; l < LANES; l++) ac_start(&w->lane[l], k, seed, l);
    w->stack[0] = (struct level){0, RF_KNONE, (1u << LANES) - 1};
    w->depth = 1;
    for (uint32_t step = 0; step < STEPS && w->depth && w->depth < 120; step++) run_block(w);
    for (uint32_t l = 0; l < LANES; l++) ac_lane_free(&w->lane[l]);
}

static void run_warps(warp *w, const rf_kernel *k, uint64_t seed) {
    assert_int_equal(rf_liveness_compute(&w->live, k, RF_LIVE_WARP), 0);
    assert_int_equal(rf_divergence_compute(&w->divergence, k), 0);
    assert_true(w->live.names <= NAMES_MAX);
    for (uint64_t run = 0; run < 4; run++) run_warp(w, k, 100 * seed + run);
    rf_divergence_free(&w->divergence);
    rf_liveness_free(&w->live);
}

static void test_running(void **state) {
    (void)state;
    static warp w;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        rf_kernel k;
        char error[100];
        random_graph(&k, seed + 1000, 2 + (uint32_t)(seed % 13));
        run_warps(&w, &k, seed);
        assert_int_equal(rf_regalloc_identity(&k, error, sizeof error), 0);
        run_warps(&w, &k, seed);
        rf_kernel_free(&k);

        const random_options options = {
            .variables = 30, .length = 80, .fresh = 100, .local = 60, .guards = 50, .all_kinds = true};
        random_kernel(&k, seed, &options);
        if (rf_regalloc(&k, 24, 7, error, sizeof error) == 0) run_warps(&w, &k, seed);
        rf_kernel_free(&k);
    }
    print_message("%llu reads, %llu deaths, %llu splits\n", (unsigned long long)w.reads, (unsigned long long)w.deaths,
                  (unsigned long long)w.splits);
    assert_true(w.reads > 100000 && w.deaths > 100000 && w.splits > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diamond),    cmocka_unit_test(test_uniform_diamond), cmocka_unit_test(test_loop),
        cmocka_unit_test(test_divergence), cmocka_unit_test(test_guard_and_pair),  cmocka_unit_test(test_random_sets),
        cmocka_unit_test(test_running),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
