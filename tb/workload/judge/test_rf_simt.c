/* SPDX-License-Identifier: Apache-2.0 */
/* The SIMT machine: launches and their limits, special registers, barriers, the stream's hand-over, errors, kernels that make no
 * sense, the caller's floating-point environment. Operations, memory, lanes and control flow have tests of their own
 * (test_rf_simt_*). */
#include <fenv.h>

#include "harness/base/rng.h"
#include "tb/workload/judge/rf_simt_build.h"

static kbuild k;
static char error[512];

typedef struct setup {
    rf_simt_launch launch;
    uint64_t bytes, memory; /* of device memory: the kernel's parameter */
    rf_simt_warp_fn *sink;
    void *ctx;
    rf_simt_counts counts;
    uint32_t data[4096];
} setup;

static int run(setup *s) {
    error[0] = '\0';
    kb_finish(&k);
    rf_simt *const simt = rf_simt_new(&k.module);
    assert_non_null(simt);
    s->memory = rf_simt_alloc(simt, sizeof s->data);
    if (!s->launch.param) s->launch.param = &s->memory;
    const int status = rf_simt_run(simt, &k.kernel, &s->launch, s->sink, s->ctx, &s->counts, error, sizeof error);
    assert_int_equal(rf_simt_read(simt, s->memory, s->data, sizeof s->data), 0);
    rf_simt_free(simt);
    kb_free(&k);
    return status;
}

/* The global thread number in R0 and the address of its element in R2:R3. */
static void number_threads(uint64_t element) {
    kb_mov(&k, 0, kb_special(RF_SR_TID_X));
    kb_mov(&k, 1, kb_special(RF_SR_CTAID_X));
    kb_mov(&k, 4, kb_special(RF_SR_NTID_X));
    kb_add(&k, "mad", (rf_kinst){.op = RF_K_MAD, .type = RF_T_U32, .dst = {kb_reg(0)}, .src = {kb_reg(1), kb_reg(4), kb_reg(0)}});
    kb_element(&k, 2, 0, element);
}

static void store(uint32_t reg, int64_t offset) {
    kb_store(&k, "st.global.u32", RF_S_GLOBAL, RF_T_U32, kb_pair(2), offset, kb_reg(reg));
}

/* --- launches ----------------------------------------------------------------------------------------------------------------
 */

static void test_special_registers(void **state) {
    (void)state;
    static const uint32_t grid[3] = {2, 3, 2}, block[3] = {5, 4, 3};
    const uint32_t threads = 60, blocks = 12;
    for (uint32_t special = 0; special < RF_SR_COUNT; special++) {
        setup s = {.launch = {.grid = {2, 3, 2}, .block = {5, 4, 3}}};
        kb_init(&k);
        /* linear thread: ((z * ny + y) * nx + x), block alike */
        for (uint32_t i = 0; i < 2; i++) {
            const uint32_t base = i ? RF_SR_CTAID_X : RF_SR_TID_X;
            kb_mov(&k, 10 + i, kb_special(base + 2));
            for (uint32_t d = 2; d-- > 0;)
                kb_add(&k, "mad",
                       (rf_kinst){
                           .op = RF_K_MAD,
                           .type = RF_T_U32,
                           .dst = {kb_reg(10 + i)},
                           .src = {kb_reg(10 + i), kb_special((i ? RF_SR_NCTAID_X : RF_SR_NTID_X) + d), kb_special(base + d)}});
        }
        kb_add(
            &k, "mad",
            (rf_kinst){.op = RF_K_MAD, .type = RF_T_U32, .dst = {kb_reg(0)}, .src = {kb_reg(11), kb_imm(threads), kb_reg(10)}});
        kb_element(&k, 2, 0, 4);
        kb_mov(&k, 6, kb_special(special));
        store(6, 0);
        kb_exit(&k);
        assert_int_equal(run(&s), 0);
        for (uint32_t b = 0; b < blocks; b++)
            for (uint32_t t = 0; t < threads; t++) {
                const uint32_t lane = t % 32, bit = 1u << lane;
                const uint32_t tid[3] = {t % 5, t / 5 % 4, t / 20}, cta[3] = {b % 2, b / 2 % 3, b / 6};
                uint32_t want = 0;
                if (special <= RF_SR_TID_Z) want = tid[special - RF_SR_TID_X];
                else if (special <= RF_SR_NTID_Z) want = block[special - RF_SR_NTID_X];
                else if (special <= RF_SR_CTAID_Z) want = cta[special - RF_SR_CTAID_X];
                else if (special <= RF_SR_NCTAID_Z) want = grid[special - RF_SR_NCTAID_X];
                else if (special == RF_SR_LANEID) want = lane;
                else if (special == RF_SR_WARPID) want = t / 32;
                else if (special == RF_SR_NWARPID) want = 32;
                else if (special == RF_SR_NSMID || special == RF_SR_GRIDID) want = 1;
                else if (special == RF_SR_LANEMASK_EQ) want = bit;
                else if (special == RF_SR_LANEMASK_LT) want = bit - 1;
                else if (special == RF_SR_LANEMASK_LE) want = bit - 1 + bit;
                else if (special == RF_SR_LANEMASK_GT) want = ~(bit - 1 + bit);
                else if (special == RF_SR_LANEMASK_GE) want = ~(bit - 1);
                else if (special == RF_SR_CLOCK || special == RF_SR_CLOCK64) want = 9;   /* instructions of the warp before */
                else if (special == RF_SR_GLOBALTIMER) want = 9 + (b * 2 + t / 32) * 12; /* of the launch */
                if (s.data[b * threads + t] != want)
                    fail_msg("%s, thread %u of block %u: %u, not %u", rf_kspecial_name((rf_kspecial)special), t, b,
                             s.data[b * threads + t], want);
            }
        assert_true(s.counts.blocks == 12 && s.counts.warps == 24 && s.counts.warp_instructions == 24 * 12);
        assert_true(s.counts.lane_instructions == 12 * 60 * 12 && s.counts.barriers == 0 && s.counts.divergent_branches == 0);
    }
}

/* Registers, predicates, shared and local memory are zero in every block, whatever the one before left there. */
static void test_fresh_blocks(void **state) {
    (void)state;
    setup s = {.launch = {.grid = {3, 1, 1}, .block = {64, 1, 1}}};
    kb_init(&k);
    k.kernel.shared_bytes = k.kernel.local_bytes = 4;
    number_threads(16);
    kb_load(&k, "ld.shared", RF_S_SHARED, RF_T_U32, kb_reg(7), kb_imm(0), 0);
    kb_load(&k, "ld.local", RF_S_LOCAL, RF_T_U32, kb_reg(8), kb_imm(0), 0);
    kb_add(&k, "selp",
           (rf_kinst){.op = RF_K_SELP, .type = RF_T_B32, .dst = {kb_reg(9)}, .src = {kb_imm(1), kb_imm(0), kb_pred(5)}});
    for (uint32_t i = 0; i < 4; i++) store(6 + i, 4 * i);
    kb_bar(&k, 0);
    kb_mov(&k, 6, kb_imm(99));
    kb_store(&k, "st.shared", RF_S_SHARED, RF_T_U32, kb_imm(0), 0, kb_reg(6));
    kb_store(&k, "st.local", RF_S_LOCAL, RF_T_U32, kb_imm(0), 0, kb_reg(6));
    kb_setp(&k, RF_C_EQ, 5, kb_reg(6), kb_imm(99));
    kb_exit(&k);
    memset(s.data, 0xff, sizeof s.data);
    assert_int_equal(run(&s), 0);
    for (uint32_t i = 0; i < 3 * 64 * 4; i++) assert_int_equal(s.data[i], 0);
}

/* Lanes that a guard keeps out keep their carry. */
static void test_guarded_carry(void **state) {
    (void)state;
    setup s = {.launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}}};
    kb_init(&k);
    number_threads(4);
    kb_binary(&k, "and", RF_K_AND, RF_T_B32, 6, kb_reg(0), kb_imm(1));
    kb_setp(&k, RF_C_NE, 0, kb_reg(6), kb_imm(0));
    kb_binary(&k, "add.cc", RF_K_ADD, RF_T_U32, 6, kb_imm(UINT32_MAX), kb_imm(1))->flags = RF_F_CC;
    kb_guard(kb_binary(&k, "add.cc", RF_K_ADD, RF_T_U32, 6, kb_imm(1), kb_imm(1)), 0, false)->flags = RF_F_CC;
    kb_binary(&k, "addc", RF_K_ADDC, RF_T_U32, 6, kb_imm(40), kb_imm(2));
    store(6, 0);
    kb_exit(&k);
    assert_int_equal(run(&s), 0);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(s.data[i], i % 2 ? 42 : 43);
}

static void minimal(void) {
    kb_init(&k);
    kb_exit(&k);
}

static void check_launch(setup s, const char *want) {
    assert_int_equal(run(&s), -1);
    assert_string_equal(error, want);
}

static void test_launch_limits(void **state) {
    (void)state;
    const setup good = {.launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}}};
    setup s;
    for (uint32_t d = 0; d < 3; d++) {
        minimal();
        s = good, s.launch.grid[d] = 0;
        check_launch(s, "kernel k: launch: grid (x 1 .. 2147483647, y and z 1 .. 65535)");
        minimal();
        s = good, s.launch.grid[d] = d ? 65536 : 0x80000000;
        check_launch(s, "kernel k: launch: grid (x 1 .. 2147483647, y and z 1 .. 65535)");
        minimal();
        s = good, s.launch.block[d] = d == 2 ? 65 : 1025;
        check_launch(s, "kernel k: launch: block (x and y 1 .. 1024, z 1 .. 64)");
        minimal();
        k.kernel.reqntid[d] = 2;
        check_launch(good, "kernel k: launch: block (the kernel requires another size)");
    }
    minimal();
    s = good, s.launch.block[0] = 32, s.launch.block[1] = 33;
    check_launch(s, "kernel k: launch: block (at most 1024 threads)");
    minimal();
    k.kernel.shared_bytes = 1;
    s = good, s.launch.dynamic_shared = 232448;
    check_launch(s, "kernel k: launch: shared memory (at most 232448 bytes a block)");
    minimal();
    k.kernel.local_bytes = 524289;
    check_launch(good, "kernel k: launch: local memory (at most 524288 bytes a thread)");
    minimal();
    k.kernel.param_bytes = 32765;
    check_launch(good, "kernel k: launch: parameters (at most 32764 bytes)");
    minimal();
    k.kernel.allocated = false;
    check_launch(good, "kernel k: launch: registers are not allocated");
    minimal();
    k.kernel.nreg = 65536;
    check_launch(good, "kernel k: launch: registers (at most 65535)");
    /* without parameters: NULL is missing only when there are some */
    minimal();
    kb_finish(&k);
    rf_simt *const simt = rf_simt_new(&k.module);
    assert_int_equal(rf_simt_run(simt, &k.kernel, &good.launch, NULL, NULL, NULL, error, sizeof error), 0);
    k.kernel.param_bytes = 4;
    assert_int_equal(rf_simt_run(simt, &k.kernel, &good.launch, NULL, NULL, NULL, error, sizeof error), -1);
    assert_string_equal(error, "kernel k: launch: parameters are missing");
    rf_simt_free(simt);
    kb_free(&k);
}

static void test_limit_and_trap(void **state) {
    (void)state;
    setup s = {.launch = {.grid = {3, 1, 1}, .block = {40, 1, 1}, .instruction_limit = 1000}};
    kb_init(&k);
    kb_mov(&k, 0, kb_imm(1));
    kb_bra(&k, 0);
    assert_int_equal(run(&s), -1);
    assert_string_equal(error, "kernel k, line 100: mov.u32: block (0,0,0), warp 0: more than 1000 warp instructions");
    assert_true(s.counts.warp_instructions == 1000);
    kb_init(&k);
    kb_mov(&k, 0, kb_special(RF_SR_TID_X));
    kb_mov(&k, 1, kb_special(RF_SR_CTAID_X));
    kb_setp(&k, RF_C_EQ, 1, kb_reg(1), kb_imm(2));
    kb_guard(kb_setp(&k, RF_C_HS, 0, kb_reg(0), kb_imm(35)), 1, false);
    kb_guard(kb_add(&k, "trap", (rf_kinst){.op = RF_K_TRAP}), 0, false);
    kb_block(&k);
    kb_exit(&k);
    assert_int_equal(run(&s), -1);
    assert_string_equal(error, "kernel k, line 104: trap: block (2,0,0), thread (35,0,0): trap");
}

/* --- barriers ----------------------------------------------------------------------------------------------------------------
 */

/* Eight warps pass numbers round the block through shared memory, a barrier before each read and each write. */
static void test_producer_consumer(void **state) {
    (void)state;
    enum { N = 250, ROUNDS = 5 };
    setup s = {.launch = {.grid = {2, 1, 1}, .block = {N, 1, 1}, .dynamic_shared = 4 * N}};
    kb_init(&k);
    k.kernel.dynamic_shared = true;
    number_threads(4);
    kb_mov(&k, 8, kb_special(RF_SR_TID_X));
    kb_binary(&k, "shl", RF_K_SHL, RF_T_B32, 9, kb_reg(8), kb_imm(2));
    kb_binary(&k, "add", RF_K_ADD, RF_T_U32, 10, kb_reg(8), kb_imm(33)); /* neighbour in another warp */
    kb_binary(&k, "rem", RF_K_REM, RF_T_U32, 10, kb_reg(10), kb_imm(N));
    kb_binary(&k, "shl", RF_K_SHL, RF_T_B32, 10, kb_reg(10), kb_imm(2));
    kb_mov(&k, 11, kb_reg(0));
    for (uint32_t r = 0; r < ROUNDS; r++) {
        kb_store(&k, "st.shared", RF_S_SHARED, RF_T_U32, kb_reg(9), 0, kb_reg(11));
        kb_bar(&k, 0);
        kb_load(&k, "ld.shared", RF_S_SHARED, RF_T_U32, kb_reg(11), kb_reg(10), 0);
        kb_bar(&k, 0);
    }
    store(11, 0);
    kb_exit(&k);
    assert_int_equal(run(&s), 0);
    for (uint32_t b = 0; b < 2; b++)
        for (uint32_t t = 0; t < N; t++) assert_int_equal(s.data[b * N + t], b * N + (t + 33 * ROUNDS) % N);
    assert_true(s.counts.barriers == 2 * 2 * ROUNDS);
}

/* Warps 0, 1 meet at barrier 1 and warps 2, 3 at barrier 2, each for 64 threads; warp 4 leaves early; the rest meet at 0. */
static void test_partial_barriers(void **state) {
    (void)state;
    setup s = {.launch = {.grid = {1, 1, 1}, .block = {160, 1, 1}}};
    kb_init(&k);
    k.kernel.shared_bytes = 640;
    number_threads(4);
    kb_binary(&k, "shr", RF_K_SHR, RF_T_U32, 8, kb_reg(0), kb_imm(6)); /* pair of warps */
    kb_binary(&k, "shl", RF_K_SHL, RF_T_B32, 9, kb_reg(0), kb_imm(2));
    kb_binary(&k, "xor", RF_K_XOR, RF_T_B32, 10, kb_reg(9), kb_imm(128)); /* same lane, other warp */
    kb_setp(&k, RF_C_HS, 0, kb_reg(0), kb_imm(128));
    kb_guard(kb_exit(&k), 0, false);
    kb_block(&k);
    kb_store(&k, "st.shared", RF_S_SHARED, RF_T_U32, kb_reg(9), 0, kb_reg(0));
    kb_binary(&k, "add", RF_K_ADD, RF_T_U32, 8, kb_reg(8), kb_imm(1));
    kb_add(&k, "bar.sync", (rf_kinst){.op = RF_K_BAR, .src = {kb_reg(8), kb_imm(64)}});
    kb_load(&k, "ld.shared", RF_S_SHARED, RF_T_U32, kb_reg(11), kb_reg(10), 0);
    kb_bar(&k, 0);
    kb_store(&k, "st.shared", RF_S_SHARED, RF_T_U32, kb_reg(9), 0, kb_reg(11));
    kb_bar(&k, 0);
    kb_binary(&k, "sub", RF_K_SUB, RF_T_U32, 10, kb_imm(127 * 4), kb_reg(9));
    kb_load(&k, "ld.shared", RF_S_SHARED, RF_T_U32, kb_reg(11), kb_reg(10), 0);
    store(11, 0);
    kb_exit(&k);
    if (run(&s) != 0) fail_msg("%s", error);
    for (uint32_t t = 0; t < 128; t++) assert_int_equal(s.data[t], (127 - t) ^ 32);
    assert_true(s.counts.barriers == 4);
}

/* A barrier as the last instruction before ways meet: in code that all lanes take. */
static void test_barrier_before_join(void **state) {
    (void)state;
    setup s = {.launch = {.grid = {1, 1, 1}, .block = {64, 1, 1}}};
    kb_init(&k);
    kb_setp(&k, RF_C_EQ, 0, kb_special(RF_SR_LANEID), kb_imm(99));
    kb_guard(kb_bra(&k, 2), 0, false);
    kb_block(&k);
    kb_bar(&k, 0);
    kb_block(&k);
    kb_exit(&k);
    assert_int_equal(run(&s), 0);
    assert_true(s.counts.barriers == 1);
}

/* Threads behind the end leave at once, through the common exit at which the rest of their warp will join them; the others go on
 * to meet and to exchange. A store before that exit is still to be done, so the same is refused. */
static void test_return_before_barrier(void **state) {
    (void)state;
    for (uint32_t refused = 0; refused < 3; refused++) {
        setup s = {.launch = {.grid = {1, 1, 1}, .block = {64, 1, 1}}};
        kb_init(&k);
        number_threads(4);
        kb_setp(&k, RF_C_HS, 0, kb_reg(0), kb_imm(40));
        kb_guard(kb_bra(&k, 2), 0, false);
        kb_block(&k);
        kb_bar(&k, 0);
        kb_add(&k, "vote.sync",
               (rf_kinst){.op = RF_K_VOTE,
                          .type = RF_T_B32,
                          .mode = RF_M_BALLOT,
                          .flags = RF_F_SYNC,
                          .dst = {kb_reg(6)},
                          .src = {kb_pred(0), kb_imm(UINT32_MAX)}})
            ->src[0]
            .negated = true;
        store(6, 0);
        kb_block(&k);
        if (refused == 1) store(0, 0);
        if (refused == 2) {
            kb_guard(kb_exit(&k), 1, false);
            kb_block(&k);
        }
        kb_exit(&k);
        assert_int_equal(run(&s), refused ? -1 : 0);
        if (refused) {
            assert_non_null(
                strstr(error, "bar.sync: block (0,0,0), warp 1: only lanes 0x000000ff of 0xffffffff come to the barrier"));
            continue;
        }
        for (uint32_t t = 0; t < 64; t++) assert_int_equal(s.data[t], t < 32 ? UINT32_MAX : t < 40 ? 0xff : 0);
        assert_true(s.counts.barriers == 1 && s.counts.divergent_branches == 1);
    }
}

static void check_barrier(rf_koperand number, rf_koperand threads, uint32_t guard, const char *want) {
    setup s = {.launch = {.grid = {1, 1, 1}, .block = {96, 1, 1}}};
    kb_init(&k);
    kb_mov(&k, 0, kb_special(RF_SR_TID_X));
    kb_mov(&k, 1, kb_special(RF_SR_WARPID));
    kb_binary(&k, "add", RF_K_ADD, RF_T_U32, 2, kb_reg(1), kb_imm(1));
    kb_binary(&k, "shl", RF_K_SHL, RF_T_B32, 2, kb_reg(2), kb_imm(5));
    kb_setp(&k, RF_C_EQ, 0, kb_special(RF_SR_LANEID), kb_imm(3));
    kb_setp(&k, RF_C_EQ, 1, kb_reg(1), kb_imm(1));
    rf_kinst *const bar = kb_add(&k, "bar.sync", (rf_kinst){.op = RF_K_BAR, .src = {number, threads}});
    if (guard != RF_KNONE) kb_guard(bar, guard, false);
    kb_exit(&k);
    assert_int_equal(run(&s), -1);
    char text[256];
    (void)snprintf(text, sizeof text, "kernel k, line 106: bar.sync: block (0,0,0), %s", want);
    assert_string_equal(error, text);
}

static void test_barrier_errors(void **state) {
    (void)state;
    const rf_koperand none = {0};
    check_barrier(kb_imm(0), none, 0, "warp 0: only lanes 0x00000008 of 0xffffffff come to the barrier");
    check_barrier(kb_imm(0), kb_imm(96), 1, "warp 1: barrier 0 can never complete");
    check_barrier(kb_reg(1), none, RF_KNONE, "warp 0: barrier 0 can never complete");
    check_barrier(kb_imm(16), none, RF_KNONE, "warp 0: barrier 16 (0 .. 15)");
    check_barrier(kb_imm(0), kb_imm(33), RF_KNONE, "warp 0: barrier for 33 threads (a multiple of 32)");
    check_barrier(kb_imm(0), kb_imm(0), RF_KNONE, "warp 0: barrier for 0 threads (a multiple of 32)");
    check_barrier(kb_imm(0), kb_imm(1024), RF_KNONE, "warp 0: barrier 0 can never complete");
    check_barrier(kb_reg(0), none, RF_KNONE, "warp 0: lanes name different barriers");
    check_barrier(kb_imm(3), kb_reg(2), 1, "warp 1: barrier 3 can never complete");
    /* warp 0 asks for 32 and goes through at once; 1 and 2 ask for different numbers */
    check_barrier(kb_imm(3), kb_reg(2), RF_KNONE, "warp 2: barrier 3 for 96 threads, for 64 in warp 1");
}

/* --- the stream --------------------------------------------------------------------------------------------------------------
 */

typedef struct collector {
    rf_warp warp[64];
    uint32_t count, most;
    bool keep;
} collector;

static bool collect(void *ctx, rf_warp *warp) {
    collector *const c = ctx;
    assert_true(c->count < 64);
    if (c->keep) { /* swaps its own, empty one in */
        c->warp[c->count] = *warp;
        *warp = (rf_warp){0};
    }
    c->count++;
    return c->count < c->most;
}

static void barrier_kernel(void) {
    kb_init(&k);
    number_threads(4);
    kb_bar(&k, 0);
    store(0, 0);
    kb_exit(&k);
}

/* The warps come in order though all run between barriers; what the callee keeps stays whole. */
static void test_hand_over(void **state) {
    (void)state;
    for (uint32_t keep = 0; keep < 2; keep++) {
        static setup s;
        static collector c;
        s = (setup){.launch = {.grid = {3, 1, 2}, .block = {70, 1, 1}}, .sink = collect, .ctx = &c};
        c = (collector){.most = 100, .keep = keep};
        barrier_kernel();
        assert_int_equal(run(&s), 0);
        assert_int_equal(c.count, 18);
        for (uint32_t i = 0; keep && i < c.count; i++) {
            rf_warp *const w = &c.warp[i];
            assert_int_equal(w->warp, i % 3);
            assert_int_equal(w->block[0], i / 3 % 3);
            assert_int_equal(w->block[2], i / 9);
            assert_int_equal(w->count, 9);
            const rf_inst *const st = &w->inst[7];
            assert_true(st->store && !st->load && st->width == 4 && st->opclass == RF_OP_MEM && st->ndst == 0 &&
                        st->value == NULL);
            assert_int_equal(st->mask, i % 3 == 2 ? 0x3f : UINT32_MAX);
            const rf_inst *const number = &w->inst[3];
            assert_true(number->ndst == 1 && number->dst[0] == 0 && number->nsrc == 3);
            for (uint32_t l = 0; l < 32; l++) {
                const bool on = st->mask >> l & 1;
                const uint32_t thread = i / 3 % 3 * 70 + i % 3 * 32 + l;
                assert_int_equal(number->value[l], on ? thread : 0);
                assert_true(st->address[l] == (on ? s.memory + 4 * thread : 0));
            }
            const rf_inst *const bar = &w->inst[6];
            assert_true(bar->opclass == RF_OP_CTRL && bar->nsrc == 0 && bar->ndst == 0 && bar->width == 0 &&
                        bar->address == NULL);
            const rf_inst *const ld = &w->inst[4];
            assert_true(ld->load && ld->width == 8 && ld->ndst == 2 && ld->dst[0] == 2 && ld->dst[1] == 3 && ld->nsrc == 0);
            assert_true(ld->value[0] == (uint32_t)s.memory && ld->value[32] == (uint32_t)(s.memory >> 32));
            rf_warp_free(w);
        }
    }
}

static void test_stop(void **state) {
    (void)state;
    static setup s;
    static collector c;
    for (uint32_t most = 1; most < 18; most += 4) {
        s = (setup){.launch = {.grid = {3, 1, 2}, .block = {70, 1, 1}}, .sink = collect, .ctx = &c};
        c = (collector){.most = most};
        barrier_kernel();
        assert_int_equal(run(&s), 1);
        assert_int_equal(c.count, most);
    }
    s = (setup){.launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}}, .sink = collect, .ctx = &c};
    minimal();
    k.kernel.nreg = 256;
    check_launch(s, "kernel k: launch: registers (at most 255 in a stream)");
}

/* --- robustness --------------------------------------------------------------------------------------------------------------
 */

/* Good instructions, of which the next test changes a few fields at random. Operands: 4 a word, 8 a pair, p a predicate, i a
 * number. */
static const struct {
    const char *shape;
    rf_kinst inst;
} seeds[] = {
    {"44>4", {.op = RF_K_ADD, .type = RF_T_U32}},
    {"88>8", {.op = RF_K_DIV, .type = RF_T_S64}},
    {"44>4", {.op = RF_K_REM, .type = RF_T_S32}},
    {"44>8", {.op = RF_K_MUL, .type = RF_T_S32, .part = RF_PART_WIDE}},
    {"444>4", {.op = RF_K_MADC, .type = RF_T_U32, .flags = RF_F_CC}},
    {"44>4", {.op = RF_K_SHL, .type = RF_T_B32}},
    {"444>4", {.op = RF_K_SHF_L, .type = RF_T_B32, .mode = RF_M_CLAMP}},
    {"444>4", {.op = RF_K_BFE, .type = RF_T_S32}},
    {"8844>8", {.op = RF_K_BFI, .type = RF_T_B64}},
    {"444>4", {.op = RF_K_PRMT, .type = RF_T_B32, .mode = RF_M_ECL}},
    {"444i>4", {.op = RF_K_LOP3, .type = RF_T_B32}},
    {"444>4", {.op = RF_K_FNS, .type = RF_T_B32}},
    {"444>4", {.op = RF_K_FMA, .type = RF_T_F32, .round = RF_R_RP}},
    {"88>8", {.op = RF_K_MUL, .type = RF_T_F64, .round = RF_R_RZ}},
    {"8>8", {.op = RF_K_RSQRT, .type = RF_T_F64, .flags = RF_F_APPROX}},
    {"4>4", {.op = RF_K_SIN, .type = RF_T_F32, .flags = RF_F_APPROX}},
    {"44p>pp", {.op = RF_K_SETP, .type = RF_T_F32, .cmp = RF_C_GEU, .boolean = RF_B_AND}},
    {"44p>4", {.op = RF_K_SELP, .type = RF_T_B32}},
    {"pp>p", {.op = RF_K_XOR, .type = RF_T_PRED}},
    {"8>4", {.op = RF_K_CVT, .type = RF_T_S8, .src_type = RF_T_F64, .round = RF_R_RZI}},
    {"8>4", {.op = RF_K_CVT, .type = RF_T_F16, .src_type = RF_T_U64, .round = RF_R_RM}},
    {"4444>8", {.op = RF_K_PACK, .type = RF_T_B64, .vector = 4}},
    {"8>44", {.op = RF_K_UNPACK, .type = RF_T_B64, .vector = 2}},
    {"8>8", {.op = RF_K_CVTA, .type = RF_T_U64, .space = RF_S_SHARED}},
    {"8>4444", {.op = RF_K_LD, .type = RF_T_F32, .space = RF_S_GLOBAL, .vector = 4}},
    {"844>", {.op = RF_K_ST, .type = RF_T_B16, .space = RF_S_GENERIC, .vector = 2}},
    {"i>4", {.op = RF_K_LD, .type = RF_T_S8, .space = RF_S_LOCAL}},
    {"i8>", {.op = RF_K_ST, .type = RF_T_B64, .space = RF_S_SHARED}},
    {"844>4", {.op = RF_K_ATOM, .type = RF_T_B32, .space = RF_S_GLOBAL, .mode = RF_M_CAS}},
    {"i4>", {.op = RF_K_RED, .type = RF_T_F32, .space = RF_S_SHARED, .mode = RF_M_ADD}},
    {"i>", {.op = RF_K_BAR}},
    {">", {.op = RF_K_BRA}},
    {">", {.op = RF_K_EXIT}},
    {"4444>4p", {.op = RF_K_SHFL, .type = RF_T_B32, .mode = RF_M_BFLY, .flags = RF_F_SYNC}},
    {"p>4", {.op = RF_K_VOTE, .type = RF_T_B32, .mode = RF_M_BALLOT}},
    {"84>4p", {.op = RF_K_MATCH, .type = RF_T_B64, .mode = RF_M_ALL, .flags = RF_F_SYNC}},
    {"4>4p", {.op = RF_K_ELECT, .type = RF_T_B32, .flags = RF_F_SYNC}},
    {"4>", {.op = RF_K_WARPSYNC, .flags = RF_F_SYNC}},
};

static rf_kinst good_instruction(ls_rng *rng) {
    const uint32_t n = ls_rng_below(rng, sizeof seeds / sizeof seeds[0]);
    rf_kinst inst = seeds[n].inst;
    if (inst.src_type == RF_T_NONE) inst.src_type = inst.type;
    if (inst.vector == 0) inst.vector = 1;
    inst.guard = ls_rng_below(rng, 3) ? RF_KNONE : 1;
    bool sources = true;
    for (const char *c = seeds[n].shape; *c; c++) {
        const uint32_t reg = *c == '8' ? 2 * ls_rng_below(rng, 4) : ls_rng_below(rng, 8);
        const rf_koperand operand = *c == '8'   ? kb_pair(*c == seeds[n].shape[0] && inst.space ? 2 : reg)
                                    : *c == '4' ? kb_reg(reg)
                                    : *c == 'p' ? kb_pred(reg)
                                                : kb_imm(8 * (uint64_t)ls_rng_below(rng, 7));
        if (*c == '>') sources = false;
        else if (sources) inst.src[inst.nsrc++] = operand;
        else inst.dst[inst.ndst++] = operand;
    }
    return inst;
}

static void change(ls_rng *rng, rf_kinst *inst) {
    rf_koperand *const operand =
        ls_rng_below(rng, 2) ? &inst->src[ls_rng_below(rng, RF_KSRC_MAX)] : &inst->dst[ls_rng_below(rng, RF_KDST_MAX)];
    const uint32_t small = ls_rng_below(rng, 20);
    switch (ls_rng_below(rng, 20)) {
    case 0:
        inst->op = (uint8_t)ls_rng_below(rng, RF_KOPS + 1);
        break;
    case 1:
        inst->type = (uint8_t)small;
        break;
    case 2:
        inst->src_type = (uint8_t)small;
        break;
    case 3:
        inst->part = (uint8_t)(small / 5);
        break;
    case 4:
        inst->round = (uint8_t)small;
        break;
    case 5:
        inst->cmp = (uint8_t)small;
        break;
    case 6:
        inst->boolean = (uint8_t)(small / 4);
        break;
    case 7:
        inst->space = (uint8_t)(small / 3);
        break;
    case 8:
        inst->mode = (uint8_t)ls_rng_below(rng, RF_M_MAX + 2);
        break;
    case 9:
        inst->flags = (uint16_t)(1u << small);
        break;
    case 10:
        inst->vector = (uint8_t)(small / 3);
        break;
    case 11:
        inst->nsrc = (uint8_t)(small / 2);
        break;
    case 12:
        inst->ndst = (uint8_t)(small / 3);
        break;
    case 13:
        inst->guard = small;
        break;
    case 14:
        inst->offset = small < 15 ? small : (int64_t)ls_rng_u64(rng);
        break;
    case 15:
        operand->kind = (uint8_t)(small / 3);
        break;
    case 16:
        operand->words = (uint8_t)(small / 4);
        break;
    case 17:
        operand->reg = small < 15 ? small : (uint32_t)ls_rng_u64(rng);
        break;
    case 18:
        operand->imm = ls_rng_u64(rng);
        break;
    default:
        operand->negated = small & 1;
        break;
    }
}

/* Whatever an instruction says, it is refused or runs (the sanitizers watch). */
static void test_random_kernels(void **state) {
    (void)state;
    ls_rng rng;
    ls_rng_seed(&rng, 1);
    uint32_t ran = 0, refused = 0;
    for (uint32_t n = 0; n < 40000; n++) {
        static setup s;
        static collector c;
        s = (setup){.launch = {.grid = {1, 1, 1}, .block = {1 + ls_rng_below(&rng, 70), 1, 1}, .instruction_limit = 100},
                    .sink = collect,
                    .ctx = &c};
        c = (collector){.most = 60};
        kb_init(&k);
        number_threads(16);
        k.kernel.shared_bytes = 64;
        k.kernel.local_bytes = 64;
        kb_setp(&k, RF_C_LO, 1, kb_reg(0), kb_imm(ls_rng_below(&rng, 40)));
        for (uint32_t i = 1 + ls_rng_below(&rng, 2); i-- > 0;) {
            rf_kinst inst = good_instruction(&rng);
            for (uint32_t changes = ls_rng_below(&rng, 3); changes-- > 0;) change(&rng, &inst);
            const rf_kinst *const made = kb_add(&k, "random", inst);
            inst.line = made->line;
            inst.text = made->text;
            k.inst[k.kernel.ninst - 1] = inst; /* as it is: kb_add completes what is missing */
            if (inst.op == RF_K_BRA || inst.op == RF_K_EXIT || inst.op == RF_K_TRAP) kb_block(&k);
        }
        if (k.block[k.kernel.nblock - 1].first != k.kernel.ninst) kb_block(&k);
        kb_exit(&k);
        const int status = run(&s);
        ran += status == 0;
        refused += status < 0;
        assert_true(status == 0 ? error[0] == '\0' : strncmp(error, "kernel k", 8) == 0);
    }
    if (ran < 10000 || refused < 10000) fail_msg("%u ran, %u were refused", ran, refused);
}

/* Blocks that do not fit the instructions. */
static void test_bad_flow(void **state) {
    (void)state;
    static const char *const want[] = {
        "kernel k, line 101: bra: branch to no block",
        "kernel k, line 102: ret: blocks do not follow each other",
        "kernel k, line 100: mov.u32: blocks do not follow each other",
        "kernel k, line 101: bra: a branch inside its block",
        "kernel k, line 102: ret: the kernel's last instruction must leave it",
        "kernel k, line 101: bra: post-dominator out of range",
        "kernel k, line 100: mov.u32: not an instruction",
    };
    for (uint32_t fault = 0; fault < 7; fault++) {
        kb_init(&k);
        kb_mov(&k, 0, kb_imm(1));
        kb_bra(&k, 1);
        kb_block(&k);
        kb_exit(&k);
        kb_finish(&k);
        if (fault == 0) k.inst[1].target = 2;
        if (fault == 1) k.block[1].count = 2;
        if (fault == 2) k.block[0].first = 1;
        if (fault == 3) k.block[0].count = 3, k.kernel.nblock = 1;
        if (fault == 4) k.inst[2].guard = 0;
        if (fault == 5) k.block[0].ipdom = 7;
        if (fault == 6) k.inst[0].op = RF_KOPS;
        rf_simt *const simt = rf_simt_new(&k.module);
        const rf_simt_launch launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
        assert_int_equal(rf_simt_run(simt, &k.kernel, &launch, NULL, NULL, NULL, error, sizeof error), -1);
        assert_string_equal(error, want[fault]);
        rf_simt_free(simt);
        k.kernel.nblock = 2;
        kb_free(&k);
    }
}

/* The caller's rounding neither changes results nor is changed. */
static void test_environment(void **state) {
    (void)state;
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (uint32_t m = 0; m < 4; m++) {
        static setup s;
        s = (setup){.launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}}};
        kb_init(&k);
        number_threads(16);
        for (uint32_t round = 0; round < 4; round++) {
            kb_add(&k, "div",
                   (rf_kinst){.op = RF_K_DIV,
                              .type = RF_T_F32,
                              .round = (uint8_t)(RF_R_RN + round),
                              .dst = {kb_reg(5)},
                              .src = {kb_imm(0xbf800000), kb_imm(0x40400000)}}); /* -1 / 3 */
            store(5, 4 * round);
        }
        kb_exit(&k);
        assert_int_equal(fesetround(modes[m]), 0);
        const int status = run(&s), left = fegetround();
        assert_int_equal(fesetround(FE_TONEAREST), 0);
        assert_int_equal(status, 0);
        assert_int_equal(left, modes[m]);
        static const uint32_t want[] = {0xbeaaaaab, 0xbeaaaaaa, 0xbeaaaaab, 0xbeaaaaaa}; /* rn rz rm rp */
        for (uint32_t round = 0; round < 4; round++) assert_int_equal(s.data[round], want[round]);
    }
}

static void test_classes(void **state) {
    (void)state;
    static const struct {
        rf_kop op;
        rf_ktype type, from;
        rf_opclass want;
    } cases[] = {
        {RF_K_ADD, RF_T_F64, RF_T_F64, RF_OP_ALU},    {RF_K_LD, RF_T_U32, RF_T_U32, RF_OP_MEM},
        {RF_K_RED, RF_T_U32, RF_T_U32, RF_OP_MEM},    {RF_K_SIN, RF_T_F32, RF_T_F32, RF_OP_SFU},
        {RF_K_DIV, RF_T_U32, RF_T_U32, RF_OP_SFU},    {RF_K_CVT, RF_T_F32, RF_T_S32, RF_OP_SFU},
        {RF_K_CVT, RF_T_U64, RF_T_U32, RF_OP_ALU},    {RF_K_BRA, RF_T_NONE, RF_T_NONE, RF_OP_CTRL},
        {RF_K_BAR, RF_T_NONE, RF_T_NONE, RF_OP_CTRL}, {RF_K_SHFL, RF_T_B32, RF_T_B32, RF_OP_ALU},
        {RF_K_NOP, RF_T_NONE, RF_T_NONE, RF_OP_CTRL}, {RF_K_WARPSYNC, RF_T_NONE, RF_T_NONE, RF_OP_CTRL},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const rf_kinst inst = {.op = (uint8_t)cases[c].op, .type = (uint8_t)cases[c].type, .src_type = (uint8_t)cases[c].from};
        assert_int_equal(rf_kinst_class(&inst), cases[c].want);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_special_registers),
        cmocka_unit_test(test_fresh_blocks),
        cmocka_unit_test(test_guarded_carry),
        cmocka_unit_test(test_launch_limits),
        cmocka_unit_test(test_limit_and_trap),
        cmocka_unit_test(test_producer_consumer),
        cmocka_unit_test(test_partial_barriers),
        cmocka_unit_test(test_barrier_before_join),
        cmocka_unit_test(test_return_before_barrier),
        cmocka_unit_test(test_barrier_errors),
        cmocka_unit_test(test_hand_over),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_random_kernels),
        cmocka_unit_test(test_bad_flow),
        cmocka_unit_test(test_environment),
        cmocka_unit_test(test_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
