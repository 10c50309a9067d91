/* SPDX-License-Identifier: Apache-2.0 */
/* Register allocation: random kernels at many limits, each judged by execution and by a proof over all paths (alloc_check.h);
 * small kernels with a known answer; limits that cannot be met; determinism; a large kernel. */
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
#include "cmodel/workload/rf_ptx.h"
#include "harness/base/xzio.h"
#include "tb/compiler/judge/alloc_check.h"
#include "tb/compiler/judge/random_kernel.h"

/* For the proof: a NOP in front of every block, so that none gets empty; copies under a guard, which might be dropped, become
 * something else (execution judges them); lines are unique again. */
static void with_nops(rf_kernel *to, const rf_kernel *from) {
    assert_int_equal(rf_kernel_copy(to, from), 0);
    to->inst = realloc(to->inst, (from->ninst + from->nblock) * sizeof *to->inst);
    uint32_t n = 0;
    for (uint32_t b = 0; b < from->nblock; b++) {
        const rf_kblock *const block = &from->block[b];
        to->block[b].first = n;
        to->block[b].count = block->count + 1;
        to->inst[n++] = (rf_kinst){.op = RF_K_NOP, .vector = 1, .guard = RF_KNONE};
        for (uint32_t i = 0; i < block->count; i++) to->inst[n++] = from->inst[block->first + i];
    }
    to->ninst = n;
    for (uint32_t i = 0; i < n; i++) {
        to->inst[i].line = i + 1;
        if (to->inst[i].op == RF_K_MOV && to->inst[i].guard != RF_KNONE) to->inst[i].op = RF_K_NOT;
    }
}

/* Words, and predicates, that live at one time at most, with those that an instruction writes. */
static void pressure(const rf_kernel *k, uint32_t *words, uint32_t *predicates) {
    rf_liveness live;
    assert_int_equal(rf_liveness_compute(&live, k, RF_LIVE_LANE), 0);
    uint64_t *const set = malloc((live.set_words + 1) * sizeof *set);
    *words = *predicates = 0;
    for (uint32_t i = 0; i < k->ninst; i++) {
        uint32_t w = 0, p = 0;
        rf_liveness_after(&live, i, set);
        for (uint32_t d = 0; d < k->inst[i].ndst; d++)
            if (k->inst[i].dst[d].kind != RF_O_NONE) rf_set_add(set, k->inst[i].dst[d].reg);
        for (uint32_t v = 0; v < k->nvar; v++) {
            if (!rf_set_has(set, v)) continue;
            const uint32_t bits = rf_ktype_bits((rf_ktype)k->var[v].type);
            w += bits == 64 ? 2 : bits > 1;
            p += bits == 1;
        }
        *words = w > *words ? w : *words;
        *predicates = p > *predicates ? p : *predicates;
    }
    free(set);
    rf_liveness_free(&live);
}

static void check_ranges(const rf_kernel *k, uint32_t registers, uint32_t predicates) {
    assert_true(k->allocated && k->nvar == 0 && k->nreg <= registers && k->npred <= predicates);
    for (uint32_t i = 0; i < k->ninst; i++) {
        const rf_kinst *const inst = &k->inst[i];
        assert_true(inst->guard == RF_KNONE || inst->guard < k->npred);
        for (uint32_t o = 0; o < inst->ndst + inst->nsrc; o++) {
            const rf_koperand *const op = o < inst->ndst ? &inst->dst[o] : &inst->src[o - inst->ndst];
            if (op->kind == RF_O_PRED) assert_true(op->reg < k->npred);
            if (op->kind == RF_O_REG) assert_true(op->reg + op->words <= k->nreg && (op->words == 1 || op->reg % 2 == 0));
        }
    }
}

/* Most predicates that one instruction mentions. */
static uint32_t most_predicates(const rf_kernel *k) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < k->ninst; i++) {
        const rf_kinst *const inst = &k->inst[i];
        uint32_t seen[RF_KSRC_MAX + RF_KDST_MAX + 1], count = 0;
        if (inst->guard != RF_KNONE) seen[count++] = inst->guard;
        for (uint32_t o = 0; o < inst->ndst + inst->nsrc; o++) {
            const rf_koperand *const op = o < inst->ndst ? &inst->dst[o] : &inst->src[o - inst->ndst];
            uint32_t at = 0;
            while (at < count && seen[at] != op->reg) at++;
            if (op->kind == RF_O_PRED && at == count) seen[count++] = op->reg;
        }
        most = count > most ? count : most;
    }
    return most;
}

/* Both judges. False: refused, which may only be for want of predicates in one instruction. */
static bool judged(const rf_kernel *before, uint32_t registers, uint32_t predicates, const char *what) {
    char error[256] = "", why[256] = "";
    rf_kernel plain, after, nops;
    ac_lane a, b;
    assert_int_equal(rf_kernel_copy(&after, before), 0);
    if (rf_regalloc(&after, registers, predicates, error, sizeof error) != 0) {
        rf_kernel_free(&after);
        if (!strstr(error, "predicates do not suffice") || most_predicates(before) <= predicates)
            fail_msg("%s at %u, %u: %s", what, registers, predicates, error);
        return false;
    }
    check_ranges(&after, registers, predicates);
    for (uint64_t lane = 0; lane < 3; lane++) {
        ac_run(&a, before, 5, lane);
        ac_run(&b, &after, 5, lane);
        if (!ac_same(&a, &b, why, sizeof why)) fail_msg("%s at %u, %u: %s", what, registers, predicates, why);
        ac_lane_free(&a);
        ac_lane_free(&b);
    }
    rf_kernel_free(&after);
    with_nops(&plain, before);
    assert_int_equal(rf_kernel_copy(&nops, &plain), 0);
    assert_int_equal(rf_regalloc(&nops, registers, predicates, error, sizeof error), 0);
    if (!ac_prove(&plain, &nops, why, sizeof why)) fail_msg("%s at %u, %u: %s", what, registers, predicates, why);
    rf_kernel_free(&plain);
    rf_kernel_free(&nops);
    return true;
}

static void test_random(void **state) {
    (void)state;
    static const uint32_t registers[] = {16, 20, 32, 63, 255}, predicates[] = {2, 3, 7, 64};
    uint32_t refused = 0, allocated = 0;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        rf_kernel k;
        char what[32];
        const random_options options = {.variables = 20 + (uint32_t)(seed * 7 % 90),
                                        .length = 40 + (uint32_t)(seed * 31 % 300),
                                        .fresh = seed % 3 ? 140 : 60,
                                        .local = (uint32_t)(seed % 7) * 36,
                                        .guards = seed % 2 ? 30 : 90,
                                        .all_kinds = seed % 5 != 0};
        random_kernel(&k, seed, &options);
        (void)snprintf(what, sizeof what, "seed %u", (unsigned)seed);
        for (size_t r = 0; r < sizeof registers / sizeof registers[0]; r++) {
            if (judged(&k, registers[r], predicates[(seed + r) % 4], what)) allocated++;
            else refused++;
        }
        rf_kernel_free(&k);
    }
    print_message("%u allocated, %u refused\n", allocated, refused);
    assert_true(allocated > 500 && refused > 0);
}

/* --- the judges ------------------------------------------------------------------------------------------------------------- */

/* Each fault planted into a good allocation is found: another register or guard, a lost load, a lost store, a lost instruction.
 */
static void test_judges(void **state) {
    (void)state;
    const random_options options = {.variables = 60, .length = 150, .fresh = 140, .local = 90, .guards = 50, .all_kinds = true};
    uint32_t planted = 0, found = 0;
    char error[256], why[256];
    for (uint64_t seed = 1; seed <= 40; seed++) {
        rf_kernel k, plain, good;
        ls_rng rng;
        ls_rng_seed(&rng, seed);
        random_kernel(&k, seed + 500, &options);
        with_nops(&plain, &k);
        assert_int_equal(rf_kernel_copy(&good, &plain), 0);
        if (rf_regalloc(&good, 20, 7, error, sizeof error) == 0) {
            for (uint32_t fault = 0; fault < 40; fault++) {
                rf_kernel bad;
                assert_int_equal(rf_kernel_copy(&bad, &good), 0);
                rf_kinst *const inst = &bad.inst[ls_rng_below(&rng, bad.ninst)];
                const bool memory = inst->line == 0 && inst->space == RF_S_LOCAL;
                if (inst->op == RF_K_NOP || inst->op == RF_K_BRA || (inst->nsrc == 0 && inst->ndst == 0)) {
                    rf_kernel_free(&bad);
                    continue;
                }
                if (memory && fault % 2) inst->offset ^= 8; /* another place */
                else if (memory) *inst = (rf_kinst){.op = RF_K_NOP, .guard = RF_KNONE};
                else if (inst->nsrc && inst->src[0].kind == RF_O_REG)
                    inst->src[0].reg = (inst->src[0].reg + 2) % (good.nreg & ~1u);
                else if (inst->ndst && inst->dst[0].kind == RF_O_REG)
                    inst->dst[0].reg = (inst->dst[0].reg + 2) % (good.nreg & ~1u);
                else if (inst->guard != RF_KNONE) inst->guard_negated ^= true;
                else inst->line = 0;
                planted++;
                found += !ac_prove(&plain, &bad, why, sizeof why);
                rf_kernel_free(&bad);
            }
        }
        rf_kernel_free(&k);
        rf_kernel_free(&plain);
        rf_kernel_free(&good);
    }
    print_message("%u faults planted, %u found\n", planted, found);
    assert_true(planted > 500 && found * 100 > planted * 90); /* a destination that nothing reads may lie anywhere */
}

/* --- known answers ---------------------------------------------------------------------------------------------------------- */

static rf_kinst *op2(rf_kernel *k, rf_kop op, rf_ktype type, uint32_t d, uint32_t s, uint32_t t) {
    rf_kinst *const inst = kb_inst(k, op, type);
    if (d != RF_KNONE) kb_dst(k, inst, d);
    if (s == RF_KNONE) kb_src_imm(inst, 1);
    else kb_src(k, inst, s);
    if (t != RF_KNONE) kb_src(k, inst, t);
    return inst;
}

static void end(rf_kernel *k, const char *name) {
    (void)kb_inst(k, RF_K_EXIT, RF_T_NONE);
    kb_finish(k, name);
}

/* n values made, then used in the same order: no more registers than n; spilled when there are fewer, and then n + 2 do. */
static void fan(rf_kernel *k, uint32_t n, rf_ktype type) {
    uint32_t v[64];
    *k = (rf_kernel){0};
    kb_block(k);
    const uint32_t t = kb_var(k, type);
    (void)op2(k, RF_K_LD, type, t, RF_KNONE, RF_KNONE);
    for (uint32_t i = 0; i < n; i++) {
        v[i] = kb_var(k, type);
        (void)op2(k, RF_K_ADD, type, v[i], t, t);
    }
    for (uint32_t i = 0; i < n; i++) (void)op2(k, RF_K_ST, type, RF_KNONE, RF_KNONE, v[i]);
    end(k, "fan");
}

static void test_fan(void **state) {
    (void)state;
    char error[200];
    rf_kernel k;
    fan(&k, 40, RF_T_B32);
    assert_int_equal(rf_regalloc(&k, 40, 7, error, sizeof error), 0); /* the last add takes t's place */
    assert_int_equal(k.nreg, 40);
    assert_int_equal(k.spilled, 0);
    assert_int_equal(k.ninst, 82);
    assert_int_equal(k.local_bytes, 0);
    rf_kernel_free(&k);
    fan(&k, 40, RF_T_B32);
    assert_int_equal(rf_regalloc(&k, 39, 7, error, sizeof error), 0);
    assert_int_equal(k.nreg, 39);
    assert_in_range(k.spilled, 1, 2);
    assert_int_equal(k.spill_bytes, 4 * k.spilled);
    assert_int_equal(k.ninst, 82 + 2 * k.spilled);
    rf_kernel_free(&k);
    fan(&k, 20, RF_T_B64);
    k.local_bytes = 4;                                                /* the kernel's own: spills come behind it, aligned */
    assert_int_equal(rf_regalloc(&k, 39, 7, error, sizeof error), 0); /* 19 pairs */
    assert_int_equal(k.nreg, 38);
    assert_in_range(k.spilled, 1, 2);
    assert_int_equal(k.local_bytes, 8 + 8 * k.spilled);
    for (uint32_t i = 0; i < k.ninst; i++) {
        if (k.inst[i].line) continue;
        assert_true(k.inst[i].space == RF_S_LOCAL && k.inst[i].offset >= 8 && k.inst[i].offset % 8 == 0);
        assert_string_equal(k.texts[k.inst[i].text], k.inst[i].op == RF_K_LD ? "ld.local.b64" : "st.local.b64");
    }
    rf_kernel_free(&k);
}

/* x <- tid; y <- x; y <- y + y ... : one register and no copy; a block of nothing but copies is gone. */
static void test_copies(void **state) {
    (void)state;
    char error[200];
    rf_kernel k = {0};
    uint32_t last = kb_var(&k, RF_T_B64);
    kb_block(&k);
    (void)op2(&k, RF_K_LD, RF_T_B64, last, RF_KNONE, RF_KNONE);
    kb_block(&k);
    for (uint32_t i = 0; i < 5; i++) {
        const uint32_t next = kb_var(&k, RF_T_B64);
        (void)op2(&k, RF_K_MOV, RF_T_B64, next, last, RF_KNONE);
        last = next;
    }
    kb_block(&k);
    (void)op2(&k, RF_K_ST, RF_T_B64, RF_KNONE, RF_KNONE, last);
    end(&k, "copies");
    assert_int_equal(rf_regalloc(&k, 16, 7, error, sizeof error), 0);
    assert_int_equal(k.ninst, 3);
    assert_int_equal(k.nblock, 2);
    assert_int_equal(k.block[0].nsucc, 1);
    assert_int_equal(k.block[0].succ[0], 1);
    assert_int_equal(k.block[1].npred, 1);
    assert_int_equal(k.nreg, 2);
    assert_int_equal(k.npred, 0);
    rf_kernel_free(&k);
}

/* A copy that lives together with what it was copied from, and none of them written again: one register. */
static void test_shared_copy(void **state) {
    (void)state;
    char error[200];
    rf_kernel k = {0};
    const uint32_t x = kb_var(&k, RF_T_B32), y = kb_var(&k, RF_T_B32);
    kb_block(&k);
    (void)op2(&k, RF_K_LD, RF_T_B32, x, RF_KNONE, RF_KNONE);
    (void)op2(&k, RF_K_MOV, RF_T_B32, y, x, RF_KNONE);
    (void)op2(&k, RF_K_ST, RF_T_B32, RF_KNONE, y, x);
    end(&k, "shared");
    assert_int_equal(rf_regalloc(&k, 16, 7, error, sizeof error), 0);
    assert_int_equal(k.ninst, 3);
    assert_int_equal(k.nreg, 1);
    rf_kernel_free(&k);
}

/* A word goes where a pair is broken already: the second pair finds R0 and R1 whole. */
static void test_whole_pairs(void **state) {
    (void)state;
    char error[200];
    rf_kernel k = {0};
    const uint32_t a = kb_var(&k, RF_T_B64), b = kb_var(&k, RF_T_B32), d = kb_var(&k, RF_T_B32), e = kb_var(&k, RF_T_B64);
    kb_block(&k);
    (void)op2(&k, RF_K_LD, RF_T_B64, a, RF_KNONE, RF_KNONE);
    (void)op2(&k, RF_K_LD, RF_T_B32, b, RF_KNONE, RF_KNONE);
    (void)op2(&k, RF_K_ST, RF_T_B64, RF_KNONE, RF_KNONE, a);
    (void)op2(&k, RF_K_LD, RF_T_B32, d, RF_KNONE, RF_KNONE);
    (void)op2(&k, RF_K_LD, RF_T_B64, e, RF_KNONE, RF_KNONE);
    (void)op2(&k, RF_K_ST, RF_T_B32, RF_KNONE, b, d);
    (void)op2(&k, RF_K_ST, RF_T_B64, RF_KNONE, RF_KNONE, e);
    end(&k, "pairs");
    assert_int_equal(rf_regalloc(&k, 16, 7, error, sizeof error), 0);
    assert_int_equal(k.nreg, 4);
    rf_kernel_free(&k);
}

/* Constants and parameters are made anew, not stored. */
static void test_remake(void **state) {
    (void)state;
    char error[200];
    rf_kernel k = {0};
    uint32_t v[24];
    kb_block(&k);
    for (uint32_t i = 0; i < 24; i++) {
        v[i] = kb_var(&k, RF_T_B32);
        rf_kinst *const inst = op2(&k, i % 2 ? RF_K_MOV : RF_K_LD, RF_T_B32, v[i], RF_KNONE, RF_KNONE);
        inst->space = i % 2 ? RF_S_GENERIC : RF_S_PARAM;
        inst->src[0].imm = i % 2 ? i : 0;
        inst->offset = i % 2 ? 0 : 4 * i;
    }
    for (uint32_t i = 0; i < 24; i++) op2(&k, RF_K_ST, RF_T_B32, RF_KNONE, RF_KNONE, v[i])->space = RF_S_GLOBAL;
    end(&k, "remake");
    assert_true(judged(&k, 16, 7, "remake"));
    assert_int_equal(rf_regalloc(&k, 16, 7, error, sizeof error), 0);
    assert_int_equal(k.spilled, 0);
    assert_int_equal(k.local_bytes, 0);
    assert_int_equal(k.ninst, 49);
    rf_kernel_free(&k);
}

/* --- refusals, determinism, size -------------------------------------------------------------------------------------------- */

static void test_refusals(void **state) {
    (void)state;
    char error[200];
    rf_kernel k;
    fan(&k, 4, RF_T_B32);
    const uint32_t p = kb_var(&k, RF_T_PRED), q = kb_var(&k, RF_T_PRED), r = kb_var(&k, RF_T_PRED);
    assert_int_equal(rf_regalloc(&k, 15, 7, error, sizeof error), -1);
    assert_string_equal(error, "kernel fan: 15 registers (16 .. 255)");
    assert_int_equal(rf_regalloc(&k, 256, 7, error, sizeof error), -1);
    assert_string_equal(error, "kernel fan: 256 registers (16 .. 255)");
    assert_int_equal(rf_regalloc(&k, 16, 1, error, sizeof error), -1);
    assert_string_equal(error, "kernel fan: 1 predicates (2 .. 64)");
    assert_int_equal(rf_regalloc(&k, 16, 65, error, sizeof error), -1);
    assert_string_equal(error, "kernel fan: 65 predicates (2 .. 64)");
    for (uint32_t i = 1; i <= 3; i++) /* as many predicates in one instruction, all needed behind it */
        k.inst[i] = (rf_kinst){.op = RF_K_SETP,
                               .vector = 1,
                               .guard = RF_KNONE,
                               .line = i,
                               .ndst = 1,
                               .nsrc = 2,
                               .dst = {kb_reg(&k, i == 1   ? p
                                                  : i == 2 ? q
                                                           : r)},
                               .src = {kb_imm(1), kb_imm(2)}};
    k.inst[4] = (rf_kinst){.op = RF_K_SETP,
                           .vector = 1,
                           .guard = p,
                           .line = 4,
                           .ndst = 2,
                           .nsrc = 3,
                           .dst = {kb_reg(&k, q), kb_reg(&k, r)},
                           .src = {kb_imm(1), kb_imm(2), kb_reg(&k, r)}};
    k.inst[5] = k.inst[4];
    k.inst[5].dst[0].reg = p;
    k.inst[5].guard = q;
    const uint32_t ninst = k.ninst;
    assert_int_equal(rf_regalloc(&k, 16, 2, error, sizeof error), -1);
    assert_string_equal(error, "kernel fan: 2 predicates do not suffice: an instruction needs more at one time");
    assert_true(!k.allocated && k.ninst == ninst && k.local_bytes == 0); /* untouched */
    assert_int_equal(rf_regalloc(&k, 16, 3, error, sizeof error), 0);
    assert_int_equal(rf_regalloc(&k, 16, 3, error, sizeof error), -1);
    assert_string_equal(error, "kernel fan: its registers are allocated already");
    assert_int_equal(rf_regalloc_identity(&k, error, sizeof error), -1);
    rf_kernel_free(&k);

    k = (rf_kernel){.name = strdup("big")};
    for (uint32_t i = 0; i < 32768; i++) (void)kb_var(&k, RF_T_B64);
    assert_int_equal(rf_regalloc_identity(&k, error, sizeof error), -1);
    assert_string_equal(error, "kernel big: 65536 registers and 0 predicates (at most 65534)");
    k.nvar--;
    assert_int_equal(rf_regalloc_identity(&k, error, sizeof error), 0);
    assert_int_equal(k.nreg, 65534);
    rf_kernel_free(&k);
}

/* Trivial numbering: pairs even, nothing shared, the same results. */
static void test_identity(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        const random_options options = {
            .variables = 40, .length = 100, .fresh = 140, .local = 90, .guards = 50, .all_kinds = true};
        rf_kernel k, after;
        ac_lane a, b;
        char error[200], why[200];
        random_kernel(&k, seed, &options);
        assert_int_equal(rf_kernel_copy(&after, &k), 0);
        assert_int_equal(rf_regalloc_identity(&after, error, sizeof error), 0);
        check_ranges(&after, 255, 64);
        assert_int_equal(after.ninst, k.ninst);
        ac_run(&a, &k, seed, 1);
        ac_run(&b, &after, seed, 1);
        assert_true(ac_same(&a, &b, why, sizeof why));
        ac_lane_free(&a);
        ac_lane_free(&b);
        rf_kernel_free(&k);
        rf_kernel_free(&after);
    }
}

static void test_deterministic(void **state) {
    (void)state;
    const random_options options = {.variables = 80, .length = 300, .fresh = 140, .local = 90, .guards = 50, .all_kinds = true};
    rf_kernel k, a, b;
    char error[200];
    random_kernel(&k, 3, &options);
    assert_int_equal(rf_kernel_copy(&a, &k), 0);
    assert_int_equal(rf_kernel_copy(&b, &k), 0);
    void *const between = malloc(100000); /* other addresses for the second */
    assert_int_equal(rf_regalloc(&a, 20, 7, error, sizeof error), 0);
    assert_int_equal(rf_regalloc(&b, 20, 7, error, sizeof error), 0);
    assert_int_equal(a.ninst, b.ninst);
    for (uint32_t i = 0; i < a.ninst; i++) assert_memory_equal(&a.inst[i], &b.inst[i], sizeof a.inst[i]);
    free(between);
    rf_kernel_free(&k);
    rf_kernel_free(&a);
    rf_kernel_free(&b);
}

/* 20,000 instructions and 10,000 variables in seconds, under sanitizers. */
static void test_large(void **state) {
    (void)state;
    const random_options options = {.variables = 10000, .length = 16000, .fresh = 230, .local = 253, .all_kinds = true};
    rf_kernel k;
    char error[200];
    random_kernel(&k, 7, &options);
    assert_true(k.ninst > 19000 && k.nvar > 9000);
    const clock_t start = clock();
    assert_int_equal(rf_regalloc(&k, 63, 7, error, sizeof error), 0);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    print_message("%u instructions: %.2f s\n", k.ninst, seconds);
    assert_true(seconds < 10);
    rf_kernel_free(&k);
}

/* --- real kernels ----------------------------------------------------------------------------------------------------------- */

/* Every kernel at five limits: proved; without spills close to what lives at one time. */
static void test_real(void **state) {
    (void)state;
    static const uint32_t registers[] = {16, 24, 32, 63, 255};
    glob_t files;
    uint32_t kernels = 0, used = 0, needed = 0;
    assert_int_equal(glob("tb/workload/kernels/*.ptx", 0, NULL, &files), 0);
    for (size_t f = 0; f < files.gl_pathc; f++) {
        rf_module module;
        char error[512] = "", why[256];
        if (rf_ptx_read(&ls_xzio, files.gl_pathv[f], &module, error, sizeof error) != 0) fail_msg("%s", error);
        for (uint32_t i = 0; i < module.nkernel; i++) {
            const rf_kernel *const k = &module.kernel[i];
            uint32_t words, predicates;
            rf_kernel plain;
            pressure(k, &words, &predicates);
            with_nops(&plain, k);
            for (size_t r = 0; r < sizeof registers / sizeof registers[0]; r++) {
                rf_kernel after;
                assert_int_equal(rf_kernel_copy(&after, &plain), 0);
                if (rf_regalloc(&after, registers[r], RF_PREDICATES, error, sizeof error) != 0) fail_msg("%s", error);
                check_ranges(&after, registers[r], RF_PREDICATES);
                if (!ac_prove(&plain, &after, why, sizeof why)) fail_msg("%s at %u: %s", k->name, registers[r], why);
                if (registers[r] >= words + 4) {
                    assert_int_equal(after.spilled, 0);
                    assert_in_range(after.nreg, words, words + 4);
                }
                used += registers[r] == 255 ? after.nreg : 0;
                rf_kernel_free(&after);
            }
            rf_kernel_free(&plain);
            kernels++;
            needed += words;
        }
        rf_module_free(&module);
    }
    globfree(&files);
    print_message("%u kernels: %u registers, %u words live at one time\n", kernels, used, needed);
    assert_true(kernels > 20 && used * 100 <= needed * 105);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fan),         cmocka_unit_test(test_copies),        cmocka_unit_test(test_remake),
        cmocka_unit_test(test_shared_copy), cmocka_unit_test(test_whole_pairs),   cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_identity),    cmocka_unit_test(test_deterministic), cmocka_unit_test(test_judges),
        cmocka_unit_test(test_random),      cmocka_unit_test(test_large),         cmocka_unit_test(test_real),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
