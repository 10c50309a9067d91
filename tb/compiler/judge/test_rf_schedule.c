/* SPDX-License-Identifier: Apache-2.0 */
/* List scheduling: random kernels, PTX kernels and ours, each judged pair by pair (judge_schedule.h), the random ones by
 * execution too (alloc_check.h); refusals, determinism, a large block; our kernels' results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>
#include <time.h>

#include "cmodel/compiler/rf_regalloc.h"
#include "cmodel/workload/rf_ptx.h"
#include "harness/base/xzio.h"
#include "tb/compiler/judge/judge_schedule.h"
#include "tb/compiler/judge/random_kernel.h"
#include "tb/workload/judge/random_ptx.h"
#include "tb/workload/rf_kernels.h"
#include "tb/workload/rf_memory.h"

/* --- random kernels --------------------------------------------------------------------------------------------------------- */

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
    tally = (judge_tally){0};
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
                  (unsigned)tally.pairs, (unsigned)tally.swapped);
    for (uint32_t r = 0; r < RULES; r++) print_message(" %s %u", rule_names[r], (unsigned)tally.only[r]);
    print_message("\n");
    assert_true(10 * ended > 9 * runs && 20 * tally.swapped > tally.pairs);
    for (uint32_t r = 0; r < RULES; r++) assert_true(tally.only[r] > 500);
}

/* Every instruction of PTX, as the front end makes it. What the kernels compute: test_ptx_judge. */
static void test_random_ptx(void **state) {
    (void)state;
    tally = (judge_tally){0};
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
    print_message("of %u pairs %u changed their order\n", (unsigned)tally.pairs, (unsigned)tally.swapped);
    assert_true(50 * tally.swapped > tally.pairs);
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
    tally = (judge_tally){0};
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
    assert_true(tally.kernels > 4 * 20 && 2 * after[2] > 3 * before[2] && after[3] >= after[2]);
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
        cmocka_unit_test(test_random),        cmocka_unit_test(test_random_ptx), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_deterministic), cmocka_unit_test(test_large),      cmocka_unit_test(test_real),
        cmocka_unit_test(test_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
