/* SPDX-License-Identifier: Apache-2.0 */
/* Loads, stores and atomic operations of the SIMT machine: types, vectors, spaces, windows, every refusal. */
#include "harness/base/rng.h"
#include "tb/workload/judge/rf_simt_build.h"

/* A kernel that has been started once: what is left of it. */
typedef struct ran {
    int status;
    char error[512];
    uint64_t memory;
    rf_simt_counts counts;
} ran;

/* Runs k with one parameter, the address of `bytes` of device memory that `data` initialises and receives. */
static ran run(kbuild *k, uint32_t threads, void *data, uint64_t bytes) {
    ran r = {.status = 0};
    kb_finish(k);
    rf_simt *const simt = rf_simt_new(&k->module);
    assert_non_null(simt);
    r.memory = rf_simt_alloc(simt, bytes);
    assert_true(r.memory != 0 && r.memory % 256 == 0);
    assert_int_equal(rf_simt_write(simt, r.memory, data, bytes), 0);
    k->kernel.param_bytes = 8;
    const rf_simt_launch launch = {.grid = {1, 1, 1}, .block = {threads, 1, 1}, .param = &r.memory};
    r.status = rf_simt_run(simt, &k->kernel, &launch, NULL, NULL, &r.counts, r.error, sizeof r.error);
    assert_int_equal(rf_simt_read(simt, r.memory, data, bytes), 0);
    rf_simt_free(simt);
    kb_free(k);
    return r;
}

static kbuild k;

/* --- types and vectors -------------------------------------------------------------------------------------------------------
 */

/* Loads 64 bytes a lane with every type and width of register, stores what came. */
static void test_types(void **state) {
    (void)state;
    static const rf_ktype types[] = {RF_T_B8,  RF_T_U8,  RF_T_S8,  RF_T_B16, RF_T_U16, RF_T_S16, RF_T_F16, RF_T_B32,
                                     RF_T_U32, RF_T_S32, RF_T_F32, RF_T_B64, RF_T_U64, RF_T_S64, RF_T_F64};
    for (uint32_t t = 0; t < sizeof types / sizeof types[0]; t++)
        for (uint32_t words = 1; words <= 2; words++) {
            const uint32_t bytes = rf_ktype_bits(types[t]) / 8;
            if (bytes > 4 * words) continue;
            uint64_t data[32][2];
            ls_rng rng;
            ls_rng_seed(&rng, t);
            for (uint32_t l = 0; l < 32; l++) data[l][0] = ls_rng_u64(&rng), data[l][1] = 0;
            kb_init(&k);
            kb_mov(&k, 0, kb_special(RF_SR_LANEID));
            kb_element(&k, 2, 0, 16);
            kb_load(&k, "ld", RF_S_GLOBAL, types[t], words == 2 ? kb_pair(6) : kb_reg(6), kb_pair(2), 0);
            kb_store(&k, "st", RF_S_GLOBAL, words == 2 ? RF_T_B64 : RF_T_B32, kb_pair(2), 8, words == 2 ? kb_pair(6) : kb_reg(6));
            kb_exit(&k);
            assert_int_equal(run(&k, 32, data, sizeof data).status, 0);
            for (uint32_t l = 0; l < 32; l++) {
                uint64_t want = data[l][0];
                if (bytes < 8) want &= (UINT64_C(1) << 8 * bytes) - 1;
                if (rf_ktype_signed(types[t]) && bytes < 8 && want >> (8 * bytes - 1)) want |= UINT64_MAX << 8 * bytes;
                assert_true(data[l][1] == (words == 2 ? want : (uint32_t)want));
            }
        }
}

/* Stores cut; bytes beside stay; vectors move element by element. */
static void test_vectors(void **state) {
    (void)state;
    static const rf_ktype types[] = {RF_T_U8, RF_T_B16, RF_T_F32, RF_T_B64};
    for (uint32_t t = 0; t < 4; t++)
        for (uint8_t vector = 1; vector <= 4; vector *= 2) {
            const uint32_t bytes = rf_ktype_bits(types[t]) / 8;
            uint8_t data[32][64], before[32][64];
            ls_rng rng;
            ls_rng_seed(&rng, t * 8u + vector);
            for (uint32_t i = 0; i < sizeof data; i++) data[i / 64][i % 64] = (uint8_t)ls_rng_u64(&rng);
            memcpy(before, data, sizeof data);
            kb_init(&k);
            kb_mov(&k, 0, kb_special(RF_SR_TID_X));
            kb_element(&k, 2, 0, 64);
            rf_kinst ld = {.op = RF_K_LD, .type = (uint8_t)types[t], .space = RF_S_GLOBAL, .vector = vector, .src = {kb_pair(2)}};
            rf_kinst st = {.op = RF_K_ST,
                           .type = (uint8_t)types[t],
                           .space = RF_S_GLOBAL,
                           .vector = vector,
                           .src = {kb_pair(2)},
                           .offset = 32};
            for (uint32_t e = 0; e < vector; e++) {
                ld.dst[e] = bytes == 8 ? kb_pair(10 + 2 * e) : kb_reg(10 + 2 * e);
                st.src[vector - e] = ld.dst[e]; /* stored in the other order */
            }
            if (vector == 4) {
                ld.dst[2] = (rf_koperand){0}; /* `_` */
                ld.ndst = 4;
                st.src[2] = st.src[1];
            }
            kb_add(&k, "ld.v", ld);
            kb_add(&k, "st.v", st);
            kb_exit(&k);
            const ran r = run(&k, 21, data, sizeof data);
            if (r.status != 0) fail_msg("%s", r.error);
            for (uint32_t l = 0; l < 32; l++) {
                if (l < 21)
                    for (uint32_t e = 0; e < vector; e++) {
                        const uint32_t from = vector == 4 && e == 1 ? 3 : vector - 1 - e;
                        memcpy(&before[l][32 + e * bytes], &before[l][from * bytes], bytes);
                    }
                assert_memory_equal(data[l], before[l], 64);
            }
        }
}

/* --- spaces ------------------------------------------------------------------------------------------------------------------
 */

/* Each thread writes local and shared memory through the space and reads it back through a generic address, and the other way
 * round; local memory is each thread's own, shared memory the block's and zero at its start. */
static void test_spaces(void **state) {
    (void)state;
    for (uint32_t narrow = 0; narrow < 2; narrow++) {
        uint32_t data[64][4] = {{0}};
        kb_init(&k);
        k.module.address_bits = narrow ? 32 : 64;
        k.kernel.local_bytes = 24;
        k.kernel.shared_bytes = 64 * 4;
        kb_mov(&k, 0, kb_special(RF_SR_TID_X));
        kb_element(&k, 2, 0, 16);
        kb_binary(&k, "shl", RF_K_SHL, RF_T_B32, 1, kb_reg(0), kb_imm(2));
        const rf_koperand base = narrow ? kb_reg(8) : kb_pair(8), type_dst = base;
        const uint8_t type = narrow ? RF_T_U32 : RF_T_U64;
        kb_mov(&k, 8, kb_imm(8));
        kb_mov(&k, 9, kb_imm(0));
        kb_store(&k, "st.local", RF_S_LOCAL, RF_T_U32, kb_imm(8), 0, kb_reg(0));
        kb_add(&k, "cvta.local",
               (rf_kinst){.op = RF_K_CVTA, .type = type, .space = RF_S_LOCAL, .dst = {type_dst}, .src = {base}});
        kb_load(&k, "ld", RF_S_GENERIC, RF_T_U32, kb_reg(10), base, 0);
        kb_store(&k, "st", RF_S_GENERIC, RF_T_U32, base, 4, kb_reg(1));
        kb_load(&k, "ld.local", RF_S_LOCAL, RF_T_U32, kb_reg(11), kb_imm(12), 0);
        kb_load(&k, "ld.shared", RF_S_SHARED, RF_T_U32, kb_reg(12), kb_reg(1), 0); /* 0 so far */
        kb_mov(&k, 8, kb_reg(1));
        kb_mov(&k, 9, kb_imm(0));
        kb_add(&k, "cvta.shared",
               (rf_kinst){.op = RF_K_CVTA, .type = type, .space = RF_S_SHARED, .dst = {type_dst}, .src = {base}});
        kb_mov(&k, 13, kb_imm(1000));
        kb_binary(&k, "add", RF_K_ADD, RF_T_U32, 13, kb_reg(13), kb_reg(0));
        kb_store(&k, "st", RF_S_GENERIC, RF_T_U32, base, 0, kb_reg(13));
        kb_bar(&k, 0);
        kb_binary(&k, "sub", RF_K_SUB, RF_T_U32, 14, kb_imm(63 * 4), kb_reg(1));
        kb_load(&k, "ld.shared", RF_S_SHARED, RF_T_U32, kb_reg(15), kb_reg(14), 0);
        kb_add(&k, "st.v4",
               (rf_kinst){.op = RF_K_ST,
                          .type = RF_T_U32,
                          .space = RF_S_GLOBAL,
                          .vector = 4,
                          .src = {kb_pair(2), kb_reg(10), kb_reg(11), kb_reg(12), kb_reg(15)}});
        kb_exit(&k);
        const ran r = run(&k, 64, data, sizeof data);
        if (r.status != 0) fail_msg("%s", r.error);
        for (uint32_t i = 0; i < 64; i++) {
            assert_int_equal(data[i][0], i);
            assert_int_equal(data[i][1], 4 * i);
            assert_int_equal(data[i][2], 0);
            assert_int_equal(data[i][3], 1000 + 63 - i);
        }
    }
}

/* A 32-bit address and its offset wrap at 32 bits, a 64-bit one at 64. */
static void test_wrapping(void **state) {
    (void)state;
    for (uint32_t wide = 0; wide < 2; wide++) {
        uint32_t data[2] = {0};
        kb_init(&k);
        k.kernel.shared_bytes = 64;
        kb_load(&k, "ld.param.u64", RF_S_PARAM, RF_T_U64, kb_pair(2), kb_imm(0), 0);
        kb_mov(&k, 4, kb_imm(0xfffffff8));
        kb_mov(&k, 5, kb_imm(0));
        kb_mov(&k, 6, kb_imm(77));
        kb_store(&k, "st.shared", RF_S_SHARED, RF_T_U32, wide ? kb_pair(4) : kb_reg(4), 12, kb_reg(6));
        kb_load(&k, "ld.shared", RF_S_SHARED, RF_T_U32, kb_reg(7), kb_imm(8), -4);
        kb_store(&k, "st.global", RF_S_GLOBAL, RF_T_U32, kb_pair(2), 0, kb_reg(7));
        kb_exit(&k);
        const ran r = run(&k, 1, data, sizeof data);
        assert_int_equal(r.status, wide ? -1 : 0);
        assert_int_equal(data[0], wide ? 0 : 77);
        if (wide) assert_non_null(strstr(r.error, "address 0x100000004, 4 bytes, shared memory: outside"));
    }
}

/* Generic addresses of one warp in three spaces at once. */
static void test_mixed_generic(void **state) {
    (void)state;
    uint32_t data[32];
    for (uint32_t i = 0; i < 32; i++) data[i] = 100 + i;
    kb_init(&k);
    k.kernel.local_bytes = 128;
    k.kernel.shared_bytes = 128;
    kb_mov(&k, 0, kb_special(RF_SR_TID_X));
    kb_element(&k, 2, 0, 4);
    kb_binary(&k, "shl", RF_K_SHL, RF_T_B32, 1, kb_reg(0), kb_imm(2));
    kb_binary(&k, "add", RF_K_ADD, RF_T_U32, 6, kb_reg(0), kb_imm(200));
    kb_store(&k, "st.shared", RF_S_SHARED, RF_T_U32, kb_reg(1), 0, kb_reg(6));
    kb_binary(&k, "add", RF_K_ADD, RF_T_U32, 6, kb_reg(0), kb_imm(300));
    kb_store(&k, "st.local", RF_S_LOCAL, RF_T_U32, kb_reg(1), 0, kb_reg(6));
    /* lane % 3: 0 global, 1 shared, 2 local */
    kb_binary(&k, "rem", RF_K_REM, RF_T_U32, 7, kb_reg(0), kb_imm(3));
    for (uint32_t s = 1; s < 3; s++) {
        kb_setp(&k, RF_C_EQ, 0, kb_reg(7), kb_imm(s));
        kb_mov(&k, 8, kb_reg(1));
        kb_mov(&k, 9, kb_imm(0));
        kb_guard(kb_add(&k, "cvta",
                        (rf_kinst){.op = RF_K_CVTA,
                                   .type = RF_T_U64,
                                   .space = s == 1 ? RF_S_SHARED : RF_S_LOCAL,
                                   .dst = {kb_pair(2)},
                                   .src = {kb_pair(8)}}),
                 0, false);
    }
    kb_load(&k, "ld", RF_S_GENERIC, RF_T_U32, kb_reg(10), kb_pair(2), 0);
    kb_element(&k, 2, 0, 4);
    kb_store(&k, "st.global", RF_S_GLOBAL, RF_T_U32, kb_pair(2), 0, kb_reg(10));
    kb_exit(&k);
    const ran r = run(&k, 32, data, sizeof data);
    if (r.status != 0) fail_msg("%s", r.error);
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(data[i], 100 * (i % 3 + 1) + i);
}

/* Module variables: initialised, found by the host, constant ones not writable by kernels. */
static void test_variables(void **state) {
    (void)state;
    uint8_t init[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    rf_kglobal global[2] = {{.space = RF_S_GLOBAL, .address = RF_GLOBAL_BASE + 256, .size = 8},
                            {.space = RF_S_CONST, .address = RF_GLOBAL_BASE, .size = 8, .init = init}};
    for (uint32_t write = 0; write < 2; write++) {
        kb_init(&k);
        k.module.global = global;
        k.module.nglobal = 2;
        kb_load(&k, "ld.const", RF_S_CONST, RF_T_U64, kb_pair(2), kb_imm(RF_GLOBAL_BASE), 0);
        kb_store(&k, "st.global", RF_S_GLOBAL, RF_T_U64, kb_imm(write ? RF_GLOBAL_BASE : RF_GLOBAL_BASE + 256), 0, kb_pair(2));
        kb_exit(&k);
        kb_finish(&k);
        rf_simt *const simt = rf_simt_new(&k.module);
        const rf_simt_launch launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
        char error[512] = "";
        assert_int_equal(rf_simt_run(simt, &k.kernel, &launch, NULL, NULL, NULL, error, sizeof error), write ? -1 : 0);
        uint8_t got[8];
        assert_int_equal(rf_simt_read(simt, RF_GLOBAL_BASE + 256, got, 8), 0);
        if (!write) assert_memory_equal(got, init, 8);
        else
            assert_string_equal(error, "kernel k, line 101: st.global: block (0,0,0), thread (0,0,0): address 0x10000, 8 bytes, "
                                       "global memory: read only");
        rf_simt_free(simt);
        kb_free(&k);
    }
}

/* Allocations: aligned, apart, zero; copies stay inside one. */
static void test_allocations(void **state) {
    (void)state;
    kb_init(&k);
    rf_simt *const simt = rf_simt_new(&k.module);
    uint64_t address[100], end = 0;
    for (uint32_t i = 0; i < 100; i++) {
        address[i] = rf_simt_alloc(simt, i * 7);
        assert_true(address[i] % 256 == 0 && address[i] > end);
        end = address[i] + i * 7;
    }
    uint8_t bytes[700], zeros[700] = {0};
    for (uint32_t i = 0; i < 100; i++) {
        memset(bytes, 1, sizeof bytes);
        assert_int_equal(rf_simt_read(simt, address[i], bytes, i * 7), 0);
        assert_memory_equal(bytes, zeros, i * 7);
        assert_int_equal(rf_simt_read(simt, address[i], bytes, i * 7 + 1), -1);
        assert_int_equal(rf_simt_write(simt, address[i] + 1, bytes, i * 7), -1);
        assert_int_equal(rf_simt_write(simt, address[i] - 1, bytes, 1), -1);
        memset(bytes, (int)i, sizeof bytes);
        assert_int_equal(rf_simt_write(simt, address[i], bytes, i * 7), 0);
    }
    for (uint32_t i = 1; i < 100; i++) {
        assert_int_equal(rf_simt_read(simt, address[i] + i * 7 - 1, bytes, 1), 0);
        assert_int_equal(bytes[0], i);
    }
    assert_true(rf_simt_alloc(simt, UINT64_MAX) == 0);
    assert_true(rf_simt_alloc(simt, RF_SHARED_WINDOW) == 0);
    assert_int_equal(rf_simt_read(simt, 0, bytes, 1), -1);
    assert_int_equal(rf_simt_read(simt, UINT64_MAX, bytes, 8), -1);
    rf_simt_free(simt);
    rf_simt_free(NULL);
}

/* --- refusals ----------------------------------------------------------------------------------------------------------------
 */

/* One access by lane `bad` (of two warps) to an address that is wrong, by all others to a right one. */
static void check_error(rf_kspace space, rf_koperand address, int64_t offset, rf_ktype type, uint8_t vector, const char *want) {
    uint64_t data[64] = {0};
    kb_init(&k);
    k.kernel.shared_bytes = 64;
    k.kernel.local_bytes = 64;
    kb_load(&k, "ld.param.u64", RF_S_PARAM, RF_T_U64, kb_pair(2), kb_imm(0), 0);
    kb_mov(&k, 0, kb_special(RF_SR_TID_X));
    kb_setp(&k, RF_C_EQ, 0, kb_reg(0), kb_imm(37));
    rf_kinst ld = {
        .op = RF_K_LD, .type = (uint8_t)type, .space = (uint8_t)space, .vector = vector, .src = {address}, .offset = offset};
    for (uint32_t i = 0; i < vector; i++) ld.dst[i] = kb_pair(10 + 2 * i);
    kb_guard(kb_add(&k, "ld.bad", ld), 0, false);
    kb_exit(&k);
    const ran r = run(&k, 64, data, sizeof data);
    assert_int_equal(r.status, -1);
    char text[256], hex[32];
    (void)snprintf(hex, sizeof hex, "0x%lx", r.memory + (uint64_t)offset);
    (void)snprintf(text, sizeof text, "kernel k, line 103: ld.bad: block (0,0,0), thread (37,0,0): address %s%s%s",
                   address.kind == RF_O_REG ? hex : "", address.kind == RF_O_REG ? ", " : "", want);
    assert_string_equal(r.error, text);
}

static void test_errors(void **state) {
    (void)state;
    check_error(RF_S_GLOBAL, kb_pair(2), 512, RF_T_U32, 1, "4 bytes, global memory: outside");
    check_error(RF_S_GLOBAL, kb_pair(2), -4, RF_T_U32, 1, "4 bytes, global memory: outside");
    check_error(RF_S_GLOBAL, kb_pair(2), 509, RF_T_U8, 4, "4 bytes, global memory: not aligned to its size");
    check_error(RF_S_GENERIC, kb_pair(2), 512, RF_T_U64, 2, "16 bytes, generic memory: outside");
    check_error(RF_S_GLOBAL, kb_pair(2), 8, RF_T_U64, 2, "16 bytes, global memory: not aligned to its size");
    check_error(RF_S_GENERIC, kb_pair(2), 2, RF_T_F32, 1, "4 bytes, generic memory: not aligned to its size");
    check_error(RF_S_SHARED, kb_imm(0), 64, RF_T_U32, 1, "0x40, 4 bytes, shared memory: outside");
    check_error(RF_S_SHARED, kb_imm(0), 62, RF_T_U32, 1, "0x3e, 4 bytes, shared memory: not aligned to its size");
    check_error(RF_S_LOCAL, kb_imm(0), 64, RF_T_U8, 1, "0x40, 1 bytes, local memory: outside");
    check_error(RF_S_PARAM, kb_imm(0), 8, RF_T_U8, 1, "0x8, 1 bytes, parameter memory: outside");
    check_error(RF_S_PARAM, kb_imm(0), 0, RF_T_U64, 2, "0x0, 16 bytes, parameter memory: outside");
    check_error(RF_S_CONST, kb_imm(0), 0, RF_T_U8, 1, "0x0, 1 bytes, constant memory: outside");
    check_error(RF_S_GENERIC, kb_imm(RF_SHARED_WINDOW), 64, RF_T_U32, 1, "0x7f0000000040, 4 bytes, generic memory: outside");
    check_error(RF_S_GENERIC, kb_imm(RF_LOCAL_WINDOW), -4, RF_T_U32, 1, "0x7f7ffffffffc, 4 bytes, generic memory: outside");
    check_error(RF_S_GENERIC, kb_imm(UINT64_C(0x800000000000)), 0, RF_T_U32, 1,
                "0x800000000000, 4 bytes, generic memory: outside");
    check_error(RF_S_GLOBAL, kb_imm(UINT64_MAX), 0, RF_T_U8, 1, "0xffffffffffffffff, 1 bytes, global memory: outside");
}

/* Instructions that PTX does not have. */
static void test_refused(void **state) {
    (void)state;
    static const struct {
        rf_kinst inst;
        const char *want;
    } cases[] = {
        {{.op = RF_K_ST, .type = RF_T_U32, .space = RF_S_PARAM, .src = {{.kind = RF_O_IMM}, {.kind = RF_O_IMM}}},
         "not in this space"},
        {{.op = RF_K_ST, .type = RF_T_U32, .space = RF_S_CONST, .src = {{.kind = RF_O_IMM}, {.kind = RF_O_IMM}}},
         "not in this space"},
        {{.op = RF_K_ATOM,
          .type = RF_T_U32,
          .mode = RF_M_ADD,
          .space = RF_S_LOCAL,
          .ndst = 1,
          .src = {{.kind = RF_O_IMM}, {.kind = RF_O_IMM}}},
         "not in this space"},
        {{.op = RF_K_RED,
          .type = RF_T_F16,
          .mode = RF_M_ADD,
          .space = RF_S_GLOBAL,
          .src = {{.kind = RF_O_IMM}, {.kind = RF_O_IMM}}},
         "no such atomic operation"},
        {{.op = RF_K_RED,
          .type = RF_T_F32,
          .mode = RF_M_MIN,
          .space = RF_S_GLOBAL,
          .src = {{.kind = RF_O_IMM}, {.kind = RF_O_IMM}}},
         "no such atomic operation"},
        {{.op = RF_K_RED,
          .type = RF_T_U64,
          .mode = RF_M_INC,
          .space = RF_S_GLOBAL,
          .src = {{.kind = RF_O_IMM}, {.kind = RF_O_IMM}}},
         "no such atomic operation"},
        {{.op = RF_K_LD, .type = RF_T_PRED, .ndst = 1, .space = RF_S_GLOBAL, .src = {{.kind = RF_O_IMM}}}, "no such type"},
        {{.op = RF_K_LD, .type = RF_T_U32, .ndst = 1, .vector = 2, .space = RF_S_GLOBAL, .src = {{.kind = RF_O_IMM}}},
         "number of operands"},
        {{.op = RF_K_LD, .type = RF_T_U32, .ndst = 3, .vector = 3, .space = RF_S_GLOBAL, .src = {{.kind = RF_O_IMM}}},
         "no such vector"},
        {{.op = RF_K_LD,
          .type = RF_T_U64,
          .space = RF_S_GLOBAL,
          .dst = {{.kind = RF_O_REG, .words = 1}},
          .src = {{.kind = RF_O_IMM}}},
         "a destination of another size"},
        {{.op = RF_K_ATOM,
          .type = RF_T_B32,
          .mode = RF_M_CAS,
          .ndst = 1,
          .space = RF_S_GLOBAL,
          .src = {{.kind = RF_O_IMM}, {.kind = RF_O_IMM}}},
         "number of operands"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        uint32_t data = 0;
        char want[128];
        kb_init(&k);
        kb_add(&k, "x.bad", cases[c].inst);
        kb_exit(&k);
        const ran r = run(&k, 1, &data, sizeof data);
        assert_int_equal(r.status, -1);
        (void)snprintf(want, sizeof want, "kernel k, line 100: x.bad: %s", cases[c].want);
        assert_string_equal(r.error, want);
    }
}

/* --- atomic operations -------------------------------------------------------------------------------------------------------
 */

static double as_f64(uint64_t bits) {
    double v;
    memcpy(&v, &bits, 8);
    return v;
}

static uint64_t f64_bits(double v) {
    uint64_t bits;
    memcpy(&bits, &v, 8);
    return bits;
}

/* The manual's formulas. */
static uint64_t operate(rf_kmode mode, rf_ktype type, uint64_t r, uint64_t s, uint64_t t) {
    const bool narrow = rf_ktype_bits(type) == 32;
    const int64_t sr = narrow ? (int32_t)r : (int64_t)r, ss = narrow ? (int32_t)s : (int64_t)s;
    float fr, fs;
    uint32_t low = (uint32_t)r;
    memcpy(&fr, &low, 4);
    low = (uint32_t)s;
    memcpy(&fs, &low, 4);
    switch (mode) {
    case RF_M_AND:
        return r & s;
    case RF_M_OR:
        return r | s;
    case RF_M_XOR:
        return r ^ s;
    case RF_M_EXCH:
        return s;
    case RF_M_CAS:
        return r == s ? t : r;
    case RF_M_INC:
        return r >= s ? 0 : r + 1;
    case RF_M_DEC:
        return r == 0 || r > s ? s : r - 1;
    case RF_M_MIN:
        return rf_ktype_signed(type) ? (sr < ss ? r : s) : r < s ? r : s;
    case RF_M_MAX:
        return rf_ktype_signed(type) ? (sr > ss ? r : s) : r > s ? r : s;
    default:
        break;
    }
    if (type == RF_T_F64) return f64_bits(as_f64(r) + as_f64(s));
    if (type != RF_T_F32) return r + s;
    fr += fs;
    memcpy(&low, &fr, 4);
    return low;
}

/* 32 lanes, guard on some of them, on a few shared cells, in lane order: the old values and what is left. */
static void check_atomic(rf_kmode mode, rf_ktype type, rf_kspace space, bool red) {
    const uint32_t bytes = rf_ktype_bits(type) / 8;
    struct {
        uint64_t cell[8], s[32], t[32], old[32];
    } data, want;
    ls_rng rng;
    ls_rng_seed(&rng, mode * 64u + type * 4u + red);
    memset(&data, 0, sizeof data);
    for (uint32_t i = 0; i < 8; i++)
        data.cell[i] = type == RF_T_F64 ? f64_bits(i) : type == RF_T_F32 ? 0x3f800000 : ls_rng_below(&rng, 4);
    for (uint32_t i = 0; i < 32; i++) {
        data.s[i] = ls_rng_below(&rng, 4);
        if (type == RF_T_F32) data.s[i] = 0x40000000 + (ls_rng_u64(&rng) & 0x7fffff);
        else if (type == RF_T_F64) data.s[i] = f64_bits((double)ls_rng_below(&rng, 1000) / 7);
        else if (ls_rng_below(&rng, 4) == 0) data.s[i] = ls_rng_u64(&rng) | UINT64_C(1) << 63 | 1u << 31;
        data.t[i] = ls_rng_u64(&rng);
        data.old[i] = 0;
    }
    if (bytes == 4)
        for (uint32_t i = 0; i < 32; i++) data.s[i] = (uint32_t)data.s[i], data.t[i] = (uint32_t)data.t[i];
    want = data;
    kb_init(&k);
    k.kernel.shared_bytes = 64;
    kb_mov(&k, 0, kb_special(RF_SR_TID_X));
    kb_element(&k, 2, 0, 8);
    kb_load(&k, "ld s", RF_S_GLOBAL, RF_T_U64, kb_pair(10), kb_pair(2), 64);
    kb_load(&k, "ld t", RF_S_GLOBAL, RF_T_U64, kb_pair(12), kb_pair(2), 64 + 256);
    kb_binary(&k, "rem", RF_K_REM, RF_T_U32, 1, kb_reg(0), kb_imm(5));
    kb_element(&k, 4, 1, 8); /* cell lane % 5 */
    kb_load(&k, "ld cell", RF_S_GLOBAL, RF_T_U64, kb_pair(14), kb_pair(4), 0);
    kb_binary(&k, "shl", RF_K_SHL, RF_T_B32, 1, kb_reg(1), kb_imm(3));
    if (space == RF_S_SHARED) kb_store(&k, "st.shared", RF_S_SHARED, RF_T_U64, kb_reg(1), 0, kb_pair(14));
    kb_binary(&k, "and", RF_K_AND, RF_T_B32, 6, kb_reg(0), kb_imm(7));
    kb_setp(&k, RF_C_NE, 0, kb_reg(6), kb_imm(3)); /* every eighth lane stays out */
    rf_kinst atom = {.op = red ? RF_K_RED : RF_K_ATOM, .type = (uint8_t)type, .mode = (uint8_t)mode, .space = (uint8_t)space};
    atom.src[0] = space == RF_S_SHARED ? kb_reg(1) : kb_pair(4);
    atom.src[1] = bytes == 8 ? kb_pair(10) : kb_reg(10);
    if (mode == RF_M_CAS) atom.src[2] = bytes == 8 ? kb_pair(12) : kb_reg(12);
    if (!red) atom.dst[0] = bytes == 8 ? kb_pair(16) : kb_reg(16);
    kb_guard(kb_add(&k, "atom", atom), 0, false);
    kb_store(&k, "st old", RF_S_GLOBAL, RF_T_U64, kb_pair(2), 64 + 512, kb_pair(16));
    if (space == RF_S_SHARED) {
        kb_load(&k, "ld.shared", RF_S_SHARED, RF_T_U64, kb_pair(14), kb_reg(1), 0);
        kb_store(&k, "st cell", RF_S_GLOBAL, RF_T_U64, kb_pair(4), 0, kb_pair(14));
    }
    kb_exit(&k);
    const ran r = run(&k, 32, &data, sizeof data);
    if (r.status != 0) fail_msg("%s", r.error);
    for (uint32_t i = 0; i < 32; i++) {
        if ((i & 7) == 3) continue;
        uint64_t *const cell = &want.cell[i % 5];
        const uint64_t cut = bytes == 4 ? UINT32_MAX : UINT64_MAX;
        if (!red) want.old[i] = *cell & cut;
        *cell = (*cell & ~cut) | (operate(mode, type, *cell & cut, want.s[i], want.t[i]) & cut);
    }
    assert_memory_equal(&data, &want, sizeof data);
}

static void test_atomics(void **state) {
    (void)state;
    static const struct {
        rf_kmode mode;
        rf_ktype types[6];
    } cases[] = {
        {RF_M_AND, {RF_T_B32, RF_T_B64}},
        {RF_M_OR, {RF_T_B32, RF_T_B64}},
        {RF_M_XOR, {RF_T_B32, RF_T_B64}},
        {RF_M_EXCH, {RF_T_B32, RF_T_B64}},
        {RF_M_CAS, {RF_T_B32, RF_T_B64, RF_T_U32, RF_T_S64}},
        {RF_M_ADD, {RF_T_U32, RF_T_S32, RF_T_U64, RF_T_S64, RF_T_F32, RF_T_F64}},
        {RF_M_INC, {RF_T_U32}},
        {RF_M_DEC, {RF_T_U32}},
        {RF_M_MIN, {RF_T_U32, RF_T_S32, RF_T_U64, RF_T_S64}},
        {RF_M_MAX, {RF_T_U32, RF_T_S32, RF_T_U64, RF_T_S64}},
    };
    static const rf_kspace spaces[] = {RF_S_GLOBAL, RF_S_SHARED, RF_S_GENERIC};
    for (uint32_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        for (uint32_t t = 0; t < 6 && cases[c].types[t] != RF_T_NONE; t++)
            for (uint32_t s = 0; s < 3; s++)
                for (uint32_t red = 0; red < (cases[c].mode == RF_M_CAS ? 1 : 2); red++)
                    check_atomic(cases[c].mode, cases[c].types[t], spaces[s], red);
}

/* atom.add.f32 takes subnormal numbers for zeros in global memory, not in shared memory (PTX ISA, atom). */
static void test_atomic_flush(void **state) {
    (void)state;
    for (uint32_t shared = 0; shared < 2; shared++) {
        uint32_t data[2] = {0x00000003, 0};
        kb_init(&k);
        k.kernel.shared_bytes = 4;
        kb_load(&k, "ld.param.u64", RF_S_PARAM, RF_T_U64, kb_pair(2), kb_imm(0), 0);
        kb_load(&k, "ld", RF_S_GLOBAL, RF_T_U32, kb_reg(4), kb_pair(2), 0);
        kb_store(&k, "st", RF_S_SHARED, RF_T_U32, kb_imm(0), 0, kb_reg(4));
        kb_add(&k, "red",
               (rf_kinst){.op = RF_K_RED,
                          .type = RF_T_F32,
                          .mode = RF_M_ADD,
                          .space = shared ? RF_S_SHARED : RF_S_GLOBAL,
                          .src = {shared ? kb_imm(0) : kb_pair(2), kb_imm(0x00000004)}});
        kb_load(&k, "ld", RF_S_SHARED, RF_T_U32, kb_reg(4), kb_imm(0), 0);
        kb_store(&k, "st", RF_S_GLOBAL, RF_T_U32, kb_pair(2), 4, kb_reg(4));
        kb_exit(&k);
        assert_int_equal(run(&k, 1, data, sizeof data).status, 0);
        assert_int_equal(data[0], shared ? 3 : 0);
        assert_int_equal(data[1], shared ? 7 : 3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),       cmocka_unit_test(test_vectors),       cmocka_unit_test(test_spaces),
        cmocka_unit_test(test_wrapping),    cmocka_unit_test(test_mixed_generic), cmocka_unit_test(test_variables),
        cmocka_unit_test(test_allocations), cmocka_unit_test(test_errors),        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_atomics),     cmocka_unit_test(test_atomic_flush),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
