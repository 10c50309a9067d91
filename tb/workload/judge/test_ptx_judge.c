/* SPDX-License-Identifier: Apache-2.0 */
/* From PTX to annotated streams, judged: random kernels through the slow model of tb/workload/judge/slow_ptx.h and through the
 * chain, in seven and more ways to give registers. RF_JUDGE_KERNELS=10000 (and RF_JUDGE_FIRST=1) for a longer campaign. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tb/workload/judge/random_ptx.h"
#include "tb/workload/judge/slow_judge.h"

static const judge_way ways[] = {{0, 0, 0},  {255, 7, 0}, {63, 3, 0}, {24, 7, 0}, {16, 3, 0},
                                 {16, 7, 0}, {24, 3, 0},  {63, 7, 0}, {255, 3, 0}};
static const judge_way scheduled[] = {{255, 7, 255}, {63, 7, 32}, {24, 7, 24}, {63, 3, 63}};
#define WAYS ((uint32_t)(sizeof ways / sizeof *ways))

static uint64_t number_of(const char *name, uint64_t otherwise) {
    const char *const text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

/* Every kernel goes through the numbering without a limit, through four of the others, in turn (all nine are met by two kernels
 * in a row), and through one with its instructions in another order. */
static void test_random_kernels(void **state) {
    (void)state;
    const uint64_t first = number_of("RF_JUDGE_FIRST", 1), kernels = number_of("RF_JUDGE_KERNELS", 200);
    judge_counts counts = {0};
    uint32_t failures = 0;
    (void)mkdir("build", 0777);
    for (uint64_t seed = first; seed < first + kernels && failures < 5; seed++) {
        judge_way some[6] = {ways[0]};
        for (uint32_t w = 1; w < 5; w++) some[w] = ways[1 + (seed * 4 + w) % 8];
        some[5] = scheduled[seed % 4];
        char path[64], error[2048] = "";
        (void)snprintf(path, sizeof path, "build/judge_%016" PRIx64 ".ptx", seed);
        if (judge_seed(seed, some, 6, &counts, path, error, sizeof error)) continue;
        failures++;
        print_error("seed %016" PRIx64 ": %s\n    the kernel: %s\n    again: RF_JUDGE_FIRST=%#" PRIx64 " RF_JUDGE_KERNELS=1 %s\n",
                    seed, error, path, seed, "build/san/tests/test_ptx_judge");
    }
    print_message("%" PRIu64 " kernels, %" PRIu64 " runs, %" PRIu64 " warp instructions, %" PRIu64 " steps of threads, %" PRIu64
                  " values, %" PRIu64 " addresses, %" PRIu64 " added by the allocation; hints: %" PRIu64 " dead, %" PRIu64
                  " near, %" PRIu64 " Rfree, %" PRIu64 " ends of strands, %" PRIu64 " long latencies\n",
                  counts.kernels, counts.runs, counts.instructions, counts.steps, counts.values, counts.accesses, counts.spills,
                  counts.dead, counts.near, counts.frees, counts.strands, counts.long_latency);
    assert_int_equal(failures, 0);
    assert_int_equal(counts.kernels, kernels);
    if (kernels < 100) return;
    for (uint32_t f = 0; random_ptx_feature(f); f++)
        if (!(counts.features >> f & 1)) fail_msg("no kernel had %s", random_ptx_feature(f));
    assert_true(counts.streams > counts.runs / 2 && counts.spills > 0 && counts.accesses > 0);
    assert_true(counts.dead > 0 && counts.near > 0 && counts.frees > 0 && counts.strands > 0 && counts.long_latency > 0);
}

/* --- the slow model by itself: values from the tables and formulas of the PTX ISA ---------------------------------------------
 */

#define HEAD                                                                                                                     \
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(\n.param .u64 p_out)\n{\n.reg .b64 %d<8>; .reg .b32 "      \
    "%r<8>;\n"                                                                                                                   \
    ".reg .b16 %h<4>; .reg .f32 %f<8>; .reg .f64 %g<4>; .reg .pred %p<4>;\nld.param.u64 %d0, [p_out];\n"

static uint64_t slow_result(const char *body) {
    char text[4096];
    (void)snprintf(text, sizeof text, "%s%s\nst.global.u64 [%%d0], %%d1;\nret;\n}\n", HEAD, body);
    slow_ptx ptx;
    slow_ptx_read(&ptx, text);
    uint64_t out[2] = {0, 0}, param = 4096;
    slow_ptx_map(&ptx, 4096, out, sizeof out);
    const slow_launch launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .param = (const uint8_t *)&param, .limit = 1000};
    (void)slow_ptx_run(&ptx, &launch, NULL);
    assert_string_equal(ptx.error, "");
    slow_ptx_free(&ptx);
    return out[0];
}

static void test_slow_model(void **state) {
    (void)state;
    static const struct {
        const char *body;
        uint64_t result;
    } cases[] = {
        {"mov.u32 %r0, 0x80000001; bfe.s32 %r1, %r0, 28, 8; cvt.s64.s32 %d1, %r1;", 0xfffffffffffffff8},
        {"mov.u32 %r0, 5; bfi.b32 %r1, %r0, 0xffff, 4, 8; cvt.u64.u32 %d1, %r1;", 0xf05f},
        {"mov.u32 %r0, 0x33221100; prmt.b32 %r1, %r0, 0xf7665544, 0xf123; cvt.u64.u32 %d1, %r1;", 0xff112233},
        {"mov.u32 %r0, 0x33221100; prmt.b32.f4e %r1, %r0, 0x77665544, 1; cvt.u64.u32 %d1, %r1;", 0x44332211},
        {"lop3.b32 %r1, 0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa, 0x96; cvt.u64.u32 %d1, %r1;", 0x96969696},
        {"shf.l.wrap.b32 %r1, 0x80000001, 0x00000010, 33; cvt.u64.u32 %d1, %r1;", 0x21},
        {"shf.r.clamp.b32 %r1, 0x12345678, 0x9abcdef0, 40; cvt.u64.u32 %d1, %r1;", 0x9abcdef0},
        {"mul.hi.s64 %d1, -1, 5;", UINT64_MAX},
        {"mul.wide.u16 %r1, 65535, 65535; cvt.u64.u32 %d1, %r1;", 0xfffe0001},
        {"div.s32 %r1, -7, 2; cvt.s64.s32 %d1, %r1;", (uint64_t)-3},
        {"rem.s32 %r1, -7, 2; cvt.s64.s32 %d1, %r1;", (uint64_t)-1},
        {"bfind.s32 %r1, -1; cvt.u64.u32 %d1, %r1;", 0xffffffff},
        {"bfind.shiftamt.u32 %r1, 1; cvt.u64.u32 %d1, %r1;", 31},
        {"clz.b32 %r1, 0; cvt.u64.u32 %d1, %r1;", 32},
        {"add.cc.u32 %r1, 0xffffffff, 1; addc.u32 %r2, 0, 0; cvt.u64.u32 %d1, %r2;", 1},
        {"sub.cc.u32 %r1, 0, 1; subc.u32 %r2, 5, 0; cvt.u64.u32 %d1, %r2;", 4},
        {"cvt.sat.s8.s32 %r1, 300; cvt.s64.s32 %d1, %r1;", 127},
        {"cvt.rni.s32.f32 %r1, 0f40200000; cvt.s64.s32 %d1, %r1;", 2},
        {"cvt.rzi.u32.f32 %r1, 0fBF800000; cvt.u64.u32 %d1, %r1;", 0},
        {"cvt.rzi.s64.f64 %d1, 0d7FF8000000000000;", UINT64_C(1) << 63},
        {"add.rm.f32 %f0, 0f3F800000, 0fBF800000; mov.b32 %r1, %f0; cvt.u64.u32 %d1, %r1;", 0x80000000},
        {"mul.rp.f32 %f0, 0f00000001, 0f3F000000; mov.b32 %r1, %f0; cvt.u64.u32 %d1, %r1;", 1},
        {"mul.rz.ftz.f32 %f0, 0f00800000, 0f3F000000; mov.b32 %r1, %f0; cvt.u64.u32 %d1, %r1;", 0},
        {"fma.rn.sat.f32 %f0, 0f40000000, 0f40000000, 0f3F800000; mov.b32 %r1, %f0; cvt.u64.u32 %d1, %r1;", 0x3f800000},
        {"min.f32 %f0, 0f7FC00000, 0f40000000; mov.b32 %r1, %f0; cvt.u64.u32 %d1, %r1;", 0x40000000},
        {"setp.neu.f32 %p0, 0f7FC00000, 0f7FC00000; selp.u64 %d1, 7, 8, %p0;", 7},
        {"setp.lt.and.s32 %p0|%p1, 1, 2, %p2; selp.u64 %d1, 7, 8, %p1;", 8},
        {"dp4a.s32.u32 %r1, 0xff01ff02, 0xff020304, 10; cvt.s64.s32 %d1, %r1;", (uint64_t)(-255 + 2 - 3 + 8 + 10)},
        {"mov.u32 %r0, 3; $back: sub.u32 %r0, %r0, 1; add.u64 %d1, %d1, 10; setp.ne.u32 %p0, %r0, 0; @%p0 bra $back;", 30},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const uint64_t result = slow_result(cases[k].body);
        if (result != cases[k].result) fail_msg("%s: %#" PRIx64 " instead of %#" PRIx64, cases[k].body, result, cases[k].result);
    }
}

/* What the slow model does not know it names; a loop without an end, a wild address and a barrier that can never open too. */
static void test_slow_errors(void **state) {
    (void)state;
    static const struct {
        const char *body, *error;
    } cases[] = {
        {"tex.1d.v4.f32 %r0;", "line 10: unknown operation"},
        {"add.q7 %r0, %r1, %r2;", "line 10: unknown modifier"},
        {"add.u32 %r0, %r99, %r2;", "line 10: unknown name"},
        {"$l: bra $l;", "too many steps"},
        {"bra $m;", "branch to nowhere"},
        {"ld.global.u32 %r0, [%d0+8];", "no memory at"},
        {"ld.global.u32 %r0, [%d0+2];", "misaligned address"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[2048];
        (void)snprintf(text, sizeof text, "%s%s\nret;\n}\n", HEAD, cases[k].body);
        slow_ptx ptx;
        slow_ptx_read(&ptx, text);
        uint64_t out = 0, param = 4096;
        slow_ptx_map(&ptx, 4096, &out, sizeof out);
        const slow_launch launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .param = (const uint8_t *)&param, .limit = 1000};
        assert_false(slow_ptx_run(&ptx, &launch, NULL));
        if (!strstr(ptx.error, cases[k].error)) fail_msg("%s: %s", cases[k].body, ptx.error);
        slow_ptx_free(&ptx);
    }
}

/* --- faults that the judge must find
 * -------------------------------------------------------------------------------------------- */

/* The first instruction of a warp's second half that has what a fault needs. */
#define PLANT(name, when, needs, change)                                                                                         \
    static void name(rf_warp *warp, bool hinted) {                                                                               \
        for (size_t k = warp->count / 2; k < warp->count && hinted == when; k++) {                                               \
            rf_inst *const e = &warp->inst[k];                                                                                   \
            if (e->mask == 0 || !(needs)) continue;                                                                              \
            change;                                                                                                              \
            return;                                                                                                              \
        }                                                                                                                        \
    }
PLANT(plant_value, false, e->ndst > 0 && !e->address, e->value[__builtin_ctz(e->mask)] ^= 1)
PLANT(plant_inactive, false, e->ndst > 0 && e->mask != UINT32_MAX, e->value[__builtin_ctz(~e->mask)] = 1)
PLANT(plant_mask, false, true, e->mask &= e->mask - 1)
PLANT(plant_address, false, e->address, e->address[__builtin_ctz(e->mask)] += 4)
PLANT(plant_source, false, e->nsrc > 1 && e->src[0] != e->src[1], e->src[0] = e->src[1])
PLANT(plant_lost, false, k + 1 < warp->count && e->ndst > 0, memmove(e, e + 1, (warp->count-- - k - 1) * sizeof *e))
PLANT(plant_long, true, e->hint.flags &RF_HINT_LONG_LATENCY, e->hint.flags &= (uint8_t)~RF_HINT_LONG_LATENCY)
PLANT(plant_absent, true, true, e->hint.flags = 0)
static void plant_strand(rf_warp *warp, bool hinted) {
    for (size_t k = 0; k < warp->count && hinted; k++)
        warp->inst[k].hint.flags &= (uint8_t) ~(RF_HINT_STRAND_END | RF_HINT_DESCHEDULE);
}
static void plant_dead(rf_warp *warp, bool hinted) { /* in one instruction alone, of those that read an address that lives on */
    for (size_t k = 0; k < warp->count && hinted; k++)
        if (strcmp(warp->inst[k].mnemonic, "add.s64") == 0 && warp->inst[k].mask != 0 && warp->inst[k].nsrc == 4) {
            warp->inst[k].hint.src_dead = 15;
            return;
        }
}
static void plant_far(rf_warp *warp, bool hinted) {
    for (size_t k = 0; k < warp->count && hinted; k++) warp->inst[k].hint.src_near = warp->inst[k].hint.dst_near = 0;
}
static void plant_free(rf_warp *warp, bool hinted) { /* what is written in the middle is named free at once */
    if (!hinted) return;
    for (size_t k = warp->count / 2; k < warp->count; k++) {
        rf_inst *const e = &warp->inst[k];
        if (e->mask == 0 || e->ndst == 0 || (e->hint.dst_dead & 1) != 0 || strncmp(e->mnemonic, "xor.b64", 7) != 0) continue;
        e->hint.nfree = 1;
        e->hint.free_reg[0] = e->dst[0];
        return;
    }
}

static void test_planted(void **state) {
    (void)state;
    static const struct {
        const char *name;
        judge_plant *plant;
    } plants[] = {{"value", plant_value},    {"inactive lane", plant_inactive},
                  {"mask", plant_mask},      {"address", plant_address},
                  {"source", plant_source},  {"lost", plant_lost},
                  {"dead", plant_dead},      {"long latency", plant_long},
                  {"no hint", plant_absent}, {"strand", plant_strand},
                  {"far", plant_far},        {"Rfree", plant_free}};
    for (size_t k = 0; k < sizeof plants / sizeof *plants; k++) {
        char error[2048] = "";
        assert_true(judge_planted(3, NULL, error, sizeof error));
        if (judge_planted(3, plants[k].plant, error, sizeof error)) fail_msg("not found: %s", plants[k].name);
        if (!strstr(error, "stream:") && !strstr(error, "hints:")) fail_msg("%s: %s", plants[k].name, error);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slow_model),
        cmocka_unit_test(test_slow_errors),
        cmocka_unit_test(test_planted),
        cmocka_unit_test(test_random_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
