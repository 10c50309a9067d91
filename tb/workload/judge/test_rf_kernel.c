/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel container: hand-worked graphs, and random ones against dominators as sets: a block's are itself and what all its
 * predecessors' sets have in common. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cmodel/workload/rf_kernel.h"

#define N RF_KNONE
#define BLOCKS_MAX 64u

/* A kernel of one instruction a block; succ[b] ends in N. */
static void make(rf_kernel *k, uint32_t nblock, const uint32_t (*succ)[2]) {
    *k = (rf_kernel){.inst = calloc(nblock, sizeof(rf_kinst)), .ninst = nblock, .block = calloc(nblock, sizeof(rf_kblock))};
    assert_non_null(k->inst);
    assert_non_null(k->block);
    k->nblock = nblock;
    for (uint32_t b = 0; b < nblock; b++) {
        rf_kblock *const block = &k->block[b];
        block->first = b;
        block->count = 1;
        for (uint32_t s = 0; s < 2 && succ[b][s] != N; s++) block->succ[block->nsucc++] = succ[b][s];
    }
}

typedef struct expected {
    uint32_t idom, ipdom;
    bool reachable, loop_head;
} expected;

static void check_graph(uint32_t nblock, const uint32_t (*succ)[2], const expected *want) {
    rf_kernel k;
    make(&k, nblock, succ);
    assert_int_equal(rf_kernel_flow(&k), 0);
    for (uint32_t b = 0; b < nblock; b++) {
        assert_int_equal(k.block[b].idom, want[b].idom);
        assert_int_equal(k.block[b].ipdom, want[b].ipdom);
        assert_int_equal(k.block[b].reachable, want[b].reachable);
        assert_int_equal(k.block[b].loop_head, want[b].loop_head);
    }
    rf_kernel_free(&k);
    assert_null(k.block);
}

static void test_one_block(void **state) {
    (void)state;
    static const uint32_t succ[][2] = {{N, N}};
    static const expected want[] = {{N, N, true, false}};
    check_graph(1, succ, want);
}

/* if (0) 1 else 2; 3 */
static void test_diamond(void **state) {
    (void)state;
    static const uint32_t succ[][2] = {{2, 1}, {3, N}, {3, N}, {N, N}};
    static const expected want[] = {{N, 3, true, false}, {0, 3, true, false}, {0, 3, true, false}, {0, N, true, false}};
    check_graph(4, succ, want);
}

/* A loop in a loop: 1 is the outer head, 2 the inner one and its own latch. */
static void test_loops(void **state) {
    (void)state;
    static const uint32_t succ[][2] = {{1, N}, {2, N}, {2, 3}, {1, 4}, {N, N}};
    static const expected want[] = {
        {N, 1, true, false}, {0, 2, true, true}, {1, 3, true, true}, {2, 4, true, false}, {3, N, true, false}};
    check_graph(5, succ, want);
}

/* Two exits: nothing joins again. 4 cannot be reached; it leads back to 3. */
static void test_exits_and_unreachable(void **state) {
    (void)state;
    static const uint32_t succ[][2] = {{2, 1}, {N, N}, {3, N}, {N, N}, {3, N}};
    static const expected want[] = {
        {N, N, true, false}, {0, N, true, false}, {0, 3, true, false}, {2, N, true, true}, {N, 3, false, false}};
    check_graph(5, succ, want);
}

/* 1 turns for ever: it has no way to the end, and 0 leaves only through 2. */
static void test_endless(void **state) {
    (void)state;
    static const uint32_t succ[][2] = {{2, 1}, {1, N}, {N, N}};
    static const expected want[] = {{N, 2, true, false}, {0, N, true, true}, {0, N, true, false}};
    check_graph(3, succ, want);
}

/* An irreducible loop: 1 and 2 jump into each other, both entered from 0. */
static void test_irreducible(void **state) {
    (void)state;
    static const uint32_t succ[][2] = {{2, 1}, {2, 3}, {1, N}, {N, N}};
    static const expected want[] = {{N, 1, true, false}, {0, 3, true, true}, {0, 1, true, false}, {1, N, true, false}};
    check_graph(4, succ, want);
}

/* Both ways of a branch to the next block: one predecessor. */
static void test_same_successor(void **state) {
    (void)state;
    static const uint32_t succ[][2] = {{1, 1}, {N, N}};
    rf_kernel k;
    make(&k, 2, succ);
    assert_int_equal(rf_kernel_flow(&k), 0);
    assert_int_equal(rf_kernel_flow(&k), 0); /* again: nothing is leaked or doubled */
    assert_int_equal(k.block[1].npred, 1);
    assert_int_equal(k.block[1].pred[0], 0);
    assert_int_equal(k.block[0].npred, 0);
    assert_int_equal(k.block[0].ipdom, 1);
    rf_kernel_free(&k);
}

/* --- random graphs ---------------------------------------------------------------------------------------------------------- */

static uint64_t next_random(uint64_t *s) { /* xorshift64* (Vigna 2016) */
    *s ^= *s >> 12;
    *s ^= *s << 25;
    *s ^= *s >> 27;
    return *s * UINT64_C(0x2545f4914f6cdd1d);
}

/* from[b]: nodes with an edge into b. dom[b]: nodes on every path from `root` to b; all ones where there is none. */
static void dominator_sets(uint32_t nodes, uint32_t root, const uint64_t from[], uint64_t dom[]) {
    for (uint32_t b = 0; b < nodes; b++) dom[b] = ~UINT64_C(0);
    dom[root] = UINT64_C(1) << root;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < nodes; b++) {
            uint64_t common = ~UINT64_C(0);
            if (b == root) continue;
            for (uint32_t p = 0; p < nodes; p++)
                if (from[b] >> p & 1) common &= dom[p];
            if (common != ~UINT64_C(0)) common |= UINT64_C(1) << b;
            changed |= common != dom[b];
            dom[b] = common;
        }
    }
}

/* The strict dominator that every other strict dominator dominates. */
static uint32_t immediate(uint32_t nodes, uint32_t b, const uint64_t dom[]) {
    const uint64_t strict = dom[b] & ~(UINT64_C(1) << b);
    if (dom[b] == ~UINT64_C(0)) return N;
    for (uint32_t d = 0; d < nodes; d++)
        if (strict >> d & 1 && dom[d] == strict) return d;
    return N;
}

static void test_random_graphs(void **state) {
    (void)state;
    uint64_t seed = UINT64_C(0x5eed000000000003), joined = 0, unreachable = 0, endless = 0;
    for (uint32_t round = 0; round < 20000; round++) {
        const uint32_t n = 1 + (uint32_t)(next_random(&seed) % 24), end = n;
        uint32_t succ[BLOCKS_MAX][2];
        uint64_t in[BLOCKS_MAX] = {0}, out[BLOCKS_MAX] = {0}, dom[BLOCKS_MAX], pdom[BLOCKS_MAX];
        bool head[BLOCKS_MAX] = {0};
        rf_kernel k;
        for (uint32_t b = 0; b < n; b++) {
            const uint32_t kind = (uint32_t)(next_random(&seed) % 8), target = (uint32_t)(next_random(&seed) % n);
            const bool last = b + 1 == n;
            succ[b][0] = kind < 1 || (last && kind < 5) ? N : kind < 3 || last ? target : kind < 5 ? b + 1 : target;
            succ[b][1] = kind < 5 || last ? N : b + 1;
            for (uint32_t s = 0; s < 2; s++) {
                if (succ[b][s] == N) continue;
                in[succ[b][s]] |= UINT64_C(1) << b;
                out[b] |= UINT64_C(1) << succ[b][s];
                if (succ[b][s] <= b) head[succ[b][s]] = true;
            }
            if (succ[b][0] == N) out[b] |= UINT64_C(1) << end;
        }
        make(&k, n, (const uint32_t(*)[2])succ);
        assert_int_equal(rf_kernel_flow(&k), 0);
        dominator_sets(n + 1, 0, in, dom);
        dominator_sets(n + 1, end, out, pdom);
        for (uint32_t b = 0; b < n; b++) {
            const rf_kblock *const block = &k.block[b];
            const uint32_t ipdom = immediate(n + 1, b, pdom);
            uint64_t pred = 0;
            assert_int_equal(block->idom, immediate(n + 1, b, dom));
            assert_int_equal(block->ipdom, ipdom == end ? N : ipdom);
            assert_int_equal(block->reachable, dom[b] != ~UINT64_C(0));
            assert_int_equal(block->loop_head, head[b]);
            for (uint32_t p = 0; p < block->npred; p++) pred |= UINT64_C(1) << block->pred[p];
            assert_true(pred == in[b]);
            assert_int_equal(block->npred, __builtin_popcountll(in[b]));
            joined += block->nsucc == 2 && block->ipdom != N;
            unreachable += !block->reachable;
            endless += pdom[b] == ~UINT64_C(0);
        }
        rf_kernel_free(&k);
    }
    assert_true(joined > 10000 && unreachable > 10000 && endless > 1000);
}

/* --- the rest --------------------------------------------------------------------------------------------------------------- */

static void test_types(void **state) {
    (void)state;
    static const struct {
        rf_ktype type;
        uint32_t bits;
        bool is_signed, is_float;
    } want[] = {{RF_T_NONE, 0, false, false}, {RF_T_PRED, 1, false, false}, {RF_T_B8, 8, false, false},
                {RF_T_B16, 16, false, false}, {RF_T_B32, 32, false, false}, {RF_T_B64, 64, false, false},
                {RF_T_U8, 8, false, false},   {RF_T_U16, 16, false, false}, {RF_T_U32, 32, false, false},
                {RF_T_U64, 64, false, false}, {RF_T_S8, 8, true, false},    {RF_T_S16, 16, true, false},
                {RF_T_S32, 32, true, false},  {RF_T_S64, 64, true, false},  {RF_T_F16, 16, false, true},
                {RF_T_F32, 32, false, true},  {RF_T_F64, 64, false, true}};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        assert_int_equal(rf_ktype_bits(want[i].type), want[i].bits);
        assert_int_equal(rf_ktype_signed(want[i].type), want[i].is_signed);
        assert_int_equal(rf_ktype_float(want[i].type), want[i].is_float);
    }
    assert_string_equal(rf_kspecial_name(RF_SR_TID_X), "%tid.x");
    assert_string_equal(rf_kspecial_name(RF_SR_LANEMASK_GT), "%lanemask_gt");
    assert_string_equal(rf_kspecial_name(RF_SR_ENVREG6), "%envreg6");
    assert_null(rf_kspecial_name(RF_SR_COUNT));
}

static void test_block_of(void **state) {
    (void)state;
    rf_kblock block[] = {{.first = 0, .count = 1}, {.first = 1, .count = 3}, {.first = 4, .count = 2}};
    const rf_kernel k = {.block = block, .nblock = 3};
    static const uint32_t want[] = {0, 1, 1, 1, 2, 2};
    for (uint32_t i = 0; i < 6; i++) assert_int_equal(rf_kernel_block_of(&k, i), want[i]);
}

static void test_words(void **state) {
    (void)state;
    const rf_kinst inst = {.ndst = 3,
                           .dst = {{.kind = RF_O_REG, .words = 2, .reg = 6}, {.kind = RF_O_NONE}, {.kind = RF_O_PRED, .reg = 1}},
                           .nsrc = 5,
                           .src = {{.kind = RF_O_REG, .words = 1, .reg = 3},
                                   {.kind = RF_O_IMM, .imm = 7},
                                   {.kind = RF_O_REG, .words = 2, .reg = 8},
                                   {.kind = RF_O_SPECIAL, .reg = RF_SR_TID_X},
                                   {.kind = RF_O_REG, .words = 1, .reg = 3}}};
    uint16_t src[RF_KSRC_MAX * 2], dst[RF_KDST_MAX * 2];
    uint32_t nsrc = 99, ndst = 99;
    rf_kinst_words(&inst, src, &nsrc, dst, &ndst);
    assert_int_equal(nsrc, 4);
    assert_int_equal(src[0], 3);
    assert_int_equal(src[1], 8);
    assert_int_equal(src[2], 9);
    assert_int_equal(src[3], 3);
    assert_int_equal(ndst, 2);
    assert_int_equal(dst[0], 6);
    assert_int_equal(dst[1], 7);
}

#define REG(n)                                                                                                                   \
    { .kind = RF_O_REG, .words = 1, .reg = (n) }
#define PREDICATE(n, not )                                                                                                       \
    { .kind = RF_O_PRED, .reg = (n), .negated = (not ) }
#define IMM(v)                                                                                                                   \
    { .kind = RF_O_IMM, .imm = (uint64_t)(v) }

static void test_print(void **state) {
    (void)state;
    char *texts[] = {"ld.global.f32", "st.shared.v2.u32", "shfl.sync.up.b32", "bra",  "add.f64", "mov.b64",
                     "atom.cas.b32",  "mov.u32",          "setp.lt.f32",      "exit", "add.s32", "mov.b64"};
    rf_kinst inst[] = {
        {.op = RF_K_LD,
         .text = 0,
         .type = RF_T_F32,
         .vector = 1,
         .guard = 1,
         .guard_negated = true,
         .ndst = 1,
         .dst = {REG(4)},
         .nsrc = 1,
         .src = {REG(2)},
         .offset = 16},
        {.op = RF_K_ST,
         .text = 1,
         .type = RF_T_U32,
         .vector = 2,
         .guard = N,
         .nsrc = 3,
         .src = {IMM(64), REG(0), IMM(-1)},
         .offset = 0},
        {.op = RF_K_SHFL,
         .text = 2,
         .type = RF_T_B32,
         .vector = 1,
         .guard = N,
         .ndst = 2,
         .dst = {REG(1), PREDICATE(0, false)},
         .nsrc = 4,
         .src = {REG(2), IMM(1), IMM(0), IMM(0xffffffff)}},
        {.op = RF_K_BRA, .text = 3, .vector = 1, .guard = 0, .target = 7},
        {.op = RF_K_ADD,
         .text = 4,
         .type = RF_T_F64,
         .src_type = RF_T_F64,
         .vector = 1,
         .guard = N,
         .ndst = 1,
         .dst = {REG(2)},
         .nsrc = 2,
         .src = {REG(4), IMM(0x3ff0000000000000)}},
        {.op = RF_K_UNPACK,
         .text = 5,
         .type = RF_T_B64,
         .vector = 2,
         .guard = N,
         .ndst = 2,
         .dst = {REG(1), {.kind = RF_O_NONE}},
         .nsrc = 1,
         .src = {REG(2)}},
        {.op = RF_K_ATOM,
         .text = 6,
         .type = RF_T_B32,
         .vector = 1,
         .guard = N,
         .ndst = 1,
         .dst = {REG(1)},
         .nsrc = 3,
         .src = {REG(2), REG(3), REG(4)},
         .offset = -4},
        {.op = RF_K_MOV,
         .text = 7,
         .type = RF_T_U32,
         .vector = 1,
         .guard = N,
         .ndst = 1,
         .dst = {REG(0)},
         .nsrc = 1,
         .src = {{.kind = RF_O_SPECIAL, .reg = RF_SR_CTAID_Y}}},
        {.op = RF_K_SETP,
         .text = 8,
         .type = RF_T_F32,
         .src_type = RF_T_F32,
         .vector = 1,
         .guard = N,
         .ndst = 1,
         .dst = {PREDICATE(2, false)},
         .nsrc = 3,
         .src = {REG(1), IMM(0x3f800000), PREDICATE(0, true)}},
        {.op = RF_K_EXIT, .text = 9, .vector = 1, .guard = N},
        {.op = RF_K_ADD,
         .text = 10,
         .type = RF_T_S32,
         .vector = 1,
         .guard = N,
         .ndst = 1,
         .dst = {REG(0)},
         .nsrc = 2,
         .src = {REG(1), IMM(0x12345678)}},
        {.op = RF_K_PACK,
         .text = 11,
         .type = RF_T_B64,
         .vector = 2,
         .guard = N,
         .ndst = 1,
         .dst = {REG(0)},
         .nsrc = 2,
         .src = {REG(1), REG(2)}},
    };
    static const char *const want[] = {"@!p1 ld.global.f32 R4, [R2+16]",
                                       "st.shared.v2.u32 [64], {R0, -1}",
                                       "shfl.sync.up.b32 R1|p0, R2, 1, 0, 0xffffffff",
                                       "@p0 bra B7",
                                       "add.f64 R2, R4, 0d3ff0000000000000",
                                       "mov.b64 {R1, _}, R2",
                                       "atom.cas.b32 R1, [R2-4], R3, R4",
                                       "mov.u32 R0, %ctaid.y",
                                       "setp.lt.f32 p2, R1, 0f3f800000, !p0",
                                       "exit",
                                       "add.s32 R0, R1, 0x12345678",
                                       "mov.b64 R0, {R1, R2}"};
    const rf_kernel k = {.inst = inst, .ninst = sizeof inst / sizeof inst[0], .texts = texts, .ntext = 12, .allocated = true};
    char text[128], cut[8];
    for (uint32_t i = 0; i < k.ninst; i++) assert_string_equal(rf_kinst_print(&k, i, text, sizeof text), want[i]);
    assert_string_equal(rf_kinst_print(&k, 0, cut, sizeof cut), "@!p1 ld");
    assert_string_equal(rf_kinst_print(&k, 0, cut, 1), "");
}

static void test_copy(void **state) {
    (void)state;
    rf_kparam param[] = {{.name = "a", .type = RF_T_U64, .size = 8}};
    rf_kvar var[] = {{.name = "%r1", .type = RF_T_B32}, {.name = "%p1", .type = RF_T_PRED}};
    char *texts[] = {"mov.u32", "exit"};
    rf_kinst inst[] = {{.op = RF_K_MOV, .text = 0, .ndst = 1, .dst = {REG(0)}, .nsrc = 1, .src = {IMM(5)}, .guard = N},
                       {.op = RF_K_EXIT, .text = 1, .guard = N}};
    uint32_t pred[] = {0};
    rf_kblock block[] = {{.first = 0, .count = 1, .nsucc = 1, .succ = {1}}, {.first = 1, .count = 1, .npred = 1, .pred = pred}};
    const rf_kernel from = {.name = "k",
                            .param = param,
                            .nparam = 1,
                            .param_bytes = 8,
                            .shared_bytes = 16,
                            .local_bytes = 4,
                            .dynamic_shared = true,
                            .reqntid = {32, 1, 1},
                            .var = var,
                            .nvar = 2,
                            .inst = inst,
                            .ninst = 2,
                            .block = block,
                            .nblock = 2,
                            .texts = texts,
                            .ntext = 2};
    rf_kernel to;
    char text[32];
    assert_int_equal(rf_kernel_copy(&to, &from), 0);
    assert_string_equal(to.name, "k");
    assert_true(to.name != from.name && to.texts[0] != texts[0] && to.block[1].pred != pred && to.var[0].name != var[0].name);
    assert_string_equal(to.param[0].name, "a");
    assert_int_equal(to.param[0].size, 8);
    assert_string_equal(to.var[1].name, "%p1");
    assert_int_equal(to.block[1].pred[0], 0);
    assert_null(to.block[0].pred);
    assert_int_equal(to.shared_bytes, 16);
    assert_int_equal(to.reqntid[0], 32);
    assert_true(to.dynamic_shared);
    assert_memory_equal(to.inst, inst, sizeof inst);
    assert_string_equal(rf_kinst_print(&to, 0, text, sizeof text), "mov.u32 %r1, 5");
    rf_kernel_free(&to);
    assert_int_equal(to.ninst, 0);
    rf_kernel_free(&to); /* of an empty one: nothing */
}

static void test_module_free(void **state) {
    (void)state;
    rf_module m = {.path = calloc(1, 8),
                   .kernel = calloc(1, sizeof(rf_kernel)),
                   .nkernel = 1,
                   .global = calloc(1, sizeof(rf_kglobal)),
                   .nglobal = 1};
    assert_true(m.path && m.kernel && m.global);
    m.global[0].name = calloc(1, 8);
    m.global[0].init = calloc(1, 8);
    rf_module_free(&m);
    assert_null(m.kernel);
    assert_null(m.global);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_block),      cmocka_unit_test(test_diamond),
        cmocka_unit_test(test_loops),          cmocka_unit_test(test_exits_and_unreachable),
        cmocka_unit_test(test_endless),        cmocka_unit_test(test_irreducible),
        cmocka_unit_test(test_same_successor), cmocka_unit_test(test_random_graphs),
        cmocka_unit_test(test_types),          cmocka_unit_test(test_block_of),
        cmocka_unit_test(test_words),          cmocka_unit_test(test_print),
        cmocka_unit_test(test_copy),           cmocka_unit_test(test_module_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
