/* SPDX-License-Identifier: Apache-2.0 */
/* PTX reader, everything around instructions: module directives, variables and their initial values, parameters, scopes, labels
 * and blocks, calls, whole files of both compilers, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cmodel/workload/rf_ptx.h"
#include "tb/workload/rf_memory.h"

#define HEAD ".version 7.8\n.target sm_80\n.address_size 64\n"

static int read_pieces(const char *text, size_t piece, size_t fail_at, rf_module *module, char *error, size_t size) {
    const rf_memory_file file = {.path = "t.ptx", .text = text, .size = strlen(text), .piece = piece, .fail_at = fail_at};
    rf_memory memory = {&file, 1};
    const rf_source source = rf_memory_source(&memory);
    return rf_ptx_read(&source, "t.ptx", module, error, size);
}

static void read_good(const char *text, rf_module *module) {
    char error[512] = "";
    const int got = read_pieces(text, 64, 0, module, error, sizeof error);
    assert_string_equal(error, "");
    assert_int_equal(got, 0);
}

static void check_inst(const rf_kernel *k, uint32_t inst, const char *want) {
    char text[160];
    assert_true(inst < k->ninst);
    assert_string_equal(rf_kinst_print(k, inst, text, sizeof text), want);
}

/* --- module ----------------------------------------------------------------------------------------------------------------- */

static void test_module(void **state) {
    (void)state;
    rf_module m;
    read_good("/* a\n comment */ .version 9.0 // another\n"
              ".target sm_100a, texmode_independent\n.address_size 64\n.pragma \"x\", \"y\";\n"
              ".file 1 \"a.cu\"\n.file 2 \"b.h\", 17, 4\n.section .debug_info { .b32 1 \n { L: .b8 1,2 } }\n"
              ".visible .entry one(.param .u64 a, .param .align 16 .b8 b[20], .param .u16 c, .param .f64 d)\n"
              ".reqntid 64, 2\n.maxntid 128, 1, 1 .minnctapersm 2 .maxnctapersm 3 .maxnreg 32 .pragma \"z\";\n{ ret; }\n"
              ".weak .entry two { exit; } .entry three() .reqntid 7 { ret; } .entry declared();",
              &m);
    assert_string_equal(m.path, "t.ptx");
    assert_int_equal(m.address_bits, 64);
    assert_int_equal(m.nkernel, 3);
    assert_int_equal(m.nglobal, 0);
    const rf_kernel *const k = &m.kernel[0];
    assert_string_equal(k->name, "one");
    assert_int_equal(k->nparam, 4);
    static const struct {
        const char *name;
        uint32_t type, offset, size;
    } want[] = {{"a", RF_T_U64, 0, 8}, {"b", RF_T_B8, 16, 20}, {"c", RF_T_U16, 36, 2}, {"d", RF_T_F64, 40, 8}};
    for (uint32_t i = 0; i < 4; i++) {
        assert_string_equal(k->param[i].name, want[i].name);
        assert_int_equal(k->param[i].type, want[i].type);
        assert_int_equal(k->param[i].offset, want[i].offset);
        assert_int_equal(k->param[i].size, want[i].size);
    }
    assert_int_equal(k->param_bytes, 48);
    assert_int_equal(k->reqntid[0], 64);
    assert_int_equal(k->reqntid[1], 2);
    assert_int_equal(k->reqntid[2], 1);
    assert_int_equal(m.kernel[1].reqntid[0], 0);
    assert_int_equal(m.kernel[2].reqntid[0], 7);
    assert_int_equal(k->allocated, false);
    assert_ptr_equal(rf_module_kernel(&m, "two"), &m.kernel[1]);
    assert_null(rf_module_kernel(&m, "four"));
    assert_null(rf_module_kernel(&m, NULL));
    rf_module_free(&m);
    read_good(".version 3.2\n.target sm_20\n.entry k { ret; }", &m);
    assert_int_equal(m.address_bits, 32);
    assert_ptr_equal(rf_module_kernel(&m, NULL), &m.kernel[0]);
    rf_module_free(&m);
}

static void test_globals(void **state) {
    (void)state;
    rf_module m;
    read_good(HEAD ".global .b8 a = -1;\n.const .align 16 .f32 b[2][2] = {{1.0, 0f40000000}, {-0.5}};\n"
                   ".visible .global .u64 c[3] = {b+4, generic(a), 7};\n.global .v2 .u16 d[2] = {{1, 65535}, {3, -2}};\n"
                   ".global .f64 e, f = 1.0;\n.weak .global .s32 g[5];\n"
                   ".global .b32 h = a;\n.common .global .b8 z[0];\n.entry k { ret; }",
              &m);
    static const struct {
        const char *name;
        uint32_t space;
        uint64_t address, size;
        const char *init; /* in hex */
    } want[] = {
        {"a", RF_S_GLOBAL, 0x10000, 1, "ff"},
        {"b", RF_S_CONST, 0x10010, 16, "0000803f00000040000000bf00000000"},
        {"c", RF_S_GLOBAL, 0x10020, 24, "140001000000000000000100000000000700000000000000"},
        {"d", RF_S_GLOBAL, 0x10038, 8, "0100ffff0300feff"},
        {"e", RF_S_GLOBAL, 0x10040, 8, NULL},
        {"f", RF_S_GLOBAL, 0x10048, 8, "000000000000f03f"},
        {"g", RF_S_GLOBAL, 0x10050, 20, NULL},
        {"h", RF_S_GLOBAL, 0x10064, 4, "00000100"},
        {"z", RF_S_GLOBAL, 0x10068, 0, NULL},
    };
    assert_int_equal(m.nglobal, sizeof want / sizeof want[0]);
    for (uint32_t i = 0; i < m.nglobal; i++) {
        const rf_kglobal *const g = &m.global[i];
        assert_string_equal(g->name, want[i].name);
        assert_int_equal(g->space, want[i].space);
        assert_int_equal(g->address, want[i].address);
        assert_int_equal(g->size, want[i].size);
        assert_int_equal(g->init == NULL, want[i].init == NULL);
        for (uint64_t b = 0; g->init && b < g->size; b++) {
            char hex[3];
            (void)snprintf(hex, sizeof hex, "%02x", g->init[b]);
            assert_memory_equal(hex, want[i].init + 2 * b, 2);
        }
    }
    rf_module_free(&m);
}

/* Module variables first, then each entry's own; dynamic memory behind, at its alignment. */
static void test_shared_and_local(void **state) {
    (void)state;
    rf_module m;
    read_good(HEAD
              ".shared .b8 a[3];\n.extern .shared .align 16 .b8 dyn[];\n.shared .b32 b;\n.local .u16 l;\n"
              ".entry one { .shared .align 8 .b8 c[20]; .local .align 8 .b8 depot[12]; .reg .b64 d<3>; .reg .b32 r<2>;\n"
              "mov.u64 d0, dyn+4; mov.u64 d1, c; mov.u64 d2, depot; ld.shared.u32 r0, [b]; st.shared.u32 [dyn+8], r0; ret; }\n"
              ".entry two { .shared .b32 e; ret; }",
              &m);
    const rf_kernel *const k = &m.kernel[0];
    check_inst(k, 0, "mov.u64 d0, 36"); /* 3, 4..8, 8..28: dynamic from 32 */
    check_inst(k, 1, "mov.u64 d1, 8");
    check_inst(k, 2, "mov.u64 d2, 8");
    check_inst(k, 3, "ld.shared.u32 r0, [4]");
    check_inst(k, 4, "st.shared.u32 [40], r0");
    assert_int_equal(k->shared_bytes, 32);
    assert_int_equal(k->dynamic_shared, true);
    assert_int_equal(k->local_bytes, 20);
    assert_int_equal(m.kernel[1].shared_bytes, 12);
    assert_int_equal(m.kernel[1].dynamic_shared, false);
    assert_int_equal(m.kernel[1].local_bytes, 2);
    rf_module_free(&m);
}

/* --- bodies ----------------------------------------------------------------------------------------------------------------- */

/* Inner names hide outer ones; each scope's labels are its own. %r1<3> and %r<20> both could hold %r12. */
static void test_scopes(void **state) {
    (void)state;
    rf_module m;
    read_good(HEAD ".entry k { .reg .b32 %r<20>; .reg .pred p; L: mov.u32 %r12, 1;\n"
                   "{ .reg .b32 %r1<3>; .reg .b32 %r5; mov.u32 %r12, 2; @p bra L; mov.u32 %r5, 3;\n"
                   "L: mov.u32 %r13, 4; { bra OUT; } }\n"
                   "{ L: @p bra L; } mov.u32 %r5, 5; bra L; OUT: }",
              &m);
    const rf_kernel *const k = &m.kernel[0];
    assert_int_equal(k->ninst, 10);
    assert_int_not_equal(k->inst[0].dst[0].reg, k->inst[1].dst[0].reg);
    assert_string_equal(k->var[k->inst[0].dst[0].reg].name, "%r12");
    assert_string_equal(k->var[k->inst[1].dst[0].reg].name, "%r12");
    assert_int_not_equal(k->inst[3].dst[0].reg, k->inst[7].dst[0].reg);
    assert_int_equal(k->inst[2].target, rf_kernel_block_of(k, 4)); /* the inner L, behind it */
    assert_int_equal(k->inst[5].target, rf_kernel_block_of(k, 9)); /* OUT: at the end */
    assert_int_equal(k->inst[6].target, rf_kernel_block_of(k, 6)); /* its own L */
    assert_int_equal(k->inst[8].target, 0);
    assert_int_equal(k->inst[9].op, RF_K_EXIT); /* ours: OUT lies behind the last instruction */
    rf_module_free(&m);
}

static void test_blocks(void **state) {
    (void)state;
    static const struct {
        uint32_t first, count, nsucc, succ[2], idom, ipdom;
        bool reachable, loop_head;
    } want[] = {
        {0, 2, 2, {2, 1}, RF_KNONE, RF_KNONE, true, false}, /* B1 may end the kernel */
        {2, 1, 1, {2, 0}, 0, 2, true, false},               /* @p exit: the others go on */
        {3, 1, 2, {2, 3}, 0, 3, true, true},
        {4, 1, 1, {5, 0}, 2, 5, true, false},
        {5, 1, 1, {5, 0}, RF_KNONE, 5, false, false}, /* behind the bra: not reachable */
        {6, 1, 2, {6, 6}, 3, 6, true, false},         /* a branch to the next block */
        {7, 1, 0, {0, 0}, 5, RF_KNONE, true, false},  /* trap */
        {8, 1, 0, {0, 0}, RF_KNONE, RF_KNONE, false, false},
    };
    rf_module m;
    read_good(HEAD ".entry k { .reg .pred p; .reg .b32 r; mov.u32 r, 1; @p bra B; @p exit; B: @!p bra B; bra C; mov.u32 r, 2;\n"
                   "C: @p bra D; D: trap; mov.u32 r, 3;\n}\n\n.func f { }",
              &m);
    const rf_kernel *const k = &m.kernel[0];
    assert_int_equal(k->nblock, sizeof want / sizeof want[0]);
    for (uint32_t b = 0; b < k->nblock; b++) {
        const rf_kblock *const block = &k->block[b];
        assert_int_equal(block->first, want[b].first);
        assert_int_equal(block->nsucc, want[b].nsucc);
        for (uint32_t s = 0; s < block->nsucc; s++) assert_int_equal(block->succ[s], want[b].succ[s]);
        assert_int_equal(block->idom, want[b].idom);
        assert_int_equal(block->reachable, want[b].reachable);
        assert_int_equal(block->loop_head, want[b].loop_head);
    }
    assert_int_equal(k->block[0].ipdom, 2); /* @p exit is no way to the end: who leaves meets nobody */
    assert_int_equal(k->block[2].ipdom, 3);
    assert_int_equal(k->block[7].count, 2); /* mov and our exit */
    check_inst(k, 9, "exit");
    assert_int_equal(k->inst[9].line, 6); /* that of the brace */
    rf_module_free(&m);
    read_good(HEAD ".entry k { }", &m);
    assert_int_equal(m.kernel[0].ninst, 1);
    assert_int_equal(m.kernel[0].nblock, 1);
    rf_module_free(&m);
}

/* --- calls ------------------------------------------------------------------------------------------------------------------ */

static const char call_text[] =
    HEAD ".func (.param .b32 res) twice (.param .b32 x, .param .align 8 .b8 s[16]);\n"
         ".entry k { .reg .b32 %r<4>; .param .b32 p0; .param .align 8 .b8 p1[16]; .param .b32 q;\n"
         "st.param.b32 [p0], 5; st.param.b32 [p1+4], 6; call.uni (q), twice, (p0, p1); ld.param.b32 %r1, [q]; { .param .b32 q2;\n"
         "call (q2), twice, (p0, p1); ld.param.b32 %r2, [q2+0]; } call nothing; call nothing, (); ret; }\n"
         ".func (.param .b32 res) twice (.param .b32 x, .param .align 8 .b8 s[16]) .noinline\n"
         "{ .reg .b32 %r<4>; .reg .b64 d; .reg .pred p; .local .b64 own;\n"
         "ld.param.b32 %r1, [x]; mov.b64 d, s; ld.param.b32 %r2, [d+4]; setp.eq.s32 p, %r1, 0; @p bra L;\n"
         "st.param::func.b32 [res], %r2; @p ret;\n"
         "L: st.local.b32 [own], %r2; call nothing; ret; }\n"
         ".func nothing { }";

static void test_calls(void **state) {
    (void)state;
    rf_module m;
    read_good(call_text, &m);
    const rf_kernel *const k = &m.kernel[0];
    static const char *const want[] = {
        "st.local.b32 [0], 5",
        "st.local.b32 [12], 6",
        "ld.local.b32 %r1, [0]",
        "mov.b64 d, 8",
        "ld.local.b32 %r2, [d+4]",
        "setp.eq.s32 p, %r1, 0",
        "@p bra B2",
        "st.local.b32 [24], %r2",
        "@p ret B3",
        "st.local.b32 [32], %r2",
        "ret B3",
        "ld.local.b32 %r1, [24]",
        "ld.local.b32 %r1, [0]",
        "mov.b64 d, 8",
        "ld.local.b32 %r2, [d+4]",
        "setp.eq.s32 p, %r1, 0",
        "@p bra B5",
        "st.local.b32 [40], %r2",
        "@p ret B6",
        "st.local.b32 [48], %r2",
        "ret B6",
        "ld.local.b32 %r2, [40]",
        "ret",
    };
    assert_int_equal(k->ninst, sizeof want / sizeof want[0]);
    for (uint32_t i = 0; i < k->ninst; i++) check_inst(k, i, want[i]);
    for (uint32_t i = 0; i < k->ninst; i++)
        if (k->inst[i].op == RF_K_LD || k->inst[i].op == RF_K_ST) assert_int_equal(k->inst[i].space, RF_S_LOCAL);
    assert_int_equal(k->inst[10].op, RF_K_BRA);
    assert_int_equal(k->local_bytes, 56);
    assert_int_not_equal(k->inst[2].dst[0].reg, k->inst[11].dst[0].reg); /* the function's %r1 is not the entry's */
    assert_int_not_equal(k->inst[2].dst[0].reg, k->inst[12].dst[0].reg); /* nor that of another call */
    assert_int_equal(k->block[0].ipdom, 3);
    rf_module_free(&m);
}

/* What a function declares outside registers and local memory is one variable, however often the function is called: in shared
 * memory of the entry that calls it, elsewhere of the module. */
static void test_variables_of_functions(void **state) {
    (void)state;
    rf_module m;
    read_good(HEAD
              ".shared .b32 first;\n"
              ".func f { .shared .b32 s; .local .b32 l; .global .b32 g = 5, z; .const .u32 c[2] = {7}; .global .u64 at = g;\n"
              ".reg .b32 r; { .shared .b16 s; ld.shared.b16 r, [s]; } ld.shared.b32 r, [s]; st.local.b32 [l], r;\n"
              "ld.global.b32 r, [g]; ld.global.b32 r, [z]; ld.const.b32 r, [c+4]; }\n"
              ".func h { .shared .b32 s; .reg .b32 r; ld.shared.b32 r, [s]; call f; }\n"
              ".entry one { call f; call h; call f; ret; }\n"
              ".entry two { .shared .b64 own; .reg .b64 r; ld.shared.b64 r, [own]; call f; call f; ret; }",
              &m);
    static const char *const one[] = {
        "ld.shared.b16 r, [8]",     "ld.shared.b32 r, [4]",     "st.local.b32 [0], r",      "ld.global.b32 r, [65536]",
        "ld.global.b32 r, [65540]", "ld.const.b32 r, [65548]",  "ld.shared.b32 r, [12]",    "ld.shared.b16 r, [8]",
        "ld.shared.b32 r, [4]",     "st.local.b32 [4], r",      "ld.global.b32 r, [65536]", "ld.global.b32 r, [65540]",
        "ld.const.b32 r, [65548]",  "ld.shared.b16 r, [8]",     "ld.shared.b32 r, [4]",     "st.local.b32 [8], r",
        "ld.global.b32 r, [65536]", "ld.global.b32 r, [65540]", "ld.const.b32 r, [65548]",  "ret",
    };
    static const char *const two[] = {
        "ld.shared.b64 r, [8]",     "ld.shared.b16 r, [20]",
        "ld.shared.b32 r, [16]",    "st.local.b32 [0], r",
        "ld.global.b32 r, [65536]", "ld.global.b32 r, [65540]",
        "ld.const.b32 r, [65548]",  "ld.shared.b16 r, [20]",
        "ld.shared.b32 r, [16]",    "st.local.b32 [4], r",
        "ld.global.b32 r, [65536]", "ld.global.b32 r, [65540]",
        "ld.const.b32 r, [65548]",  "ret",
    };
    assert_int_equal(m.kernel[0].ninst, sizeof one / sizeof one[0]);
    for (uint32_t i = 0; i < m.kernel[0].ninst; i++) check_inst(&m.kernel[0], i, one[i]);
    assert_int_equal(m.kernel[1].ninst, sizeof two / sizeof two[0]);
    for (uint32_t i = 0; i < m.kernel[1].ninst; i++) check_inst(&m.kernel[1], i, two[i]);
    assert_int_equal(m.kernel[0].shared_bytes, 16);
    assert_int_equal(m.kernel[1].shared_bytes, 22);
    assert_int_equal(m.kernel[0].local_bytes, 12);
    assert_int_equal(m.nglobal, 4);
    assert_string_equal(m.global[3].name, "at");
    assert_int_equal(m.global[3].init[2], 1);
    rf_module_free(&m);
}

/* --- files ------------------------------------------------------------------------------------------------------------------ */

static int open_file(void *ctx, const char *path, void **handle, char *error, size_t size) {
    (void)ctx;
    *handle = fopen(path, "rb");
    if (!*handle) (void)snprintf(error, size, "%s: cannot be opened", path);
    return *handle ? 0 : -1;
}

static long read_file(void *handle, void *buffer, size_t size, char *error, size_t error_size) {
    (void)error;
    (void)error_size;
    return (long)fread(buffer, 1, size, handle);
}

static void close_file(void *handle) { (void)fclose(handle); }

static void test_files(void **state) {
    (void)state;
    static const struct {
        const char *path;
        uint32_t kernels, instructions, blocks, shared, local;
    } want[] = {
        {"tb/workload/ptx/clang-O0.ptx", 6, 399, 59, 1024, 340},
        {"tb/workload/ptx/clang-O2.ptx", 6, 279, 49, 1024, 128},
        {"tb/workload/ptx/nvcc.ptx", 2, 62, 9, 1044, 24},
    };
    const rf_source source = {.open = open_file, .read = read_file, .close = close_file};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        char error[512] = "";
        rf_module m;
        const int got = rf_ptx_read(&source, want[i].path, &m, error, sizeof error);
        uint32_t instructions = 0, blocks = 0, shared = 0, local = 0;
        assert_string_equal(error, "");
        assert_int_equal(got, 0);
        for (uint32_t k = 0; k < m.nkernel; k++) {
            instructions += m.kernel[k].ninst;
            blocks += m.kernel[k].nblock;
            shared += m.kernel[k].shared_bytes;
            local += m.kernel[k].local_bytes;
        }
        assert_int_equal(m.nkernel, want[i].kernels);
        assert_int_equal(instructions, want[i].instructions);
        assert_int_equal(blocks, want[i].blocks);
        assert_int_equal(shared, want[i].shared);
        assert_int_equal(local, want[i].local);
        rf_module_free(&m);
    }
}

/* Every cut of a file is an error, never a crash; cuts at the same place in pieces of any size say the same. */
static void test_truncated(void **state) {
    (void)state;
    char text[sizeof call_text], error[512], again[512];
    for (size_t n = 0; n + 1 < sizeof call_text; n++) {
        rf_module m;
        memcpy(text, call_text, n);
        text[n] = '\0';
        const int got = read_pieces(text, 1000, 0, &m, error, sizeof error);
        if (got == 0) {
            rf_module_free(&m);
            continue;
        }
        assert_null(m.path);
        assert_memory_equal(error, "t.ptx:", 6);
        assert_int_equal(read_pieces(text, 3, 0, &m, again, sizeof again), -1);
        assert_string_equal(error, again);
    }
}

static void test_source_fails(void **state) {
    (void)state;
    char error[512] = "";
    rf_module m;
    assert_int_equal(read_pieces(call_text, 16, 100, &m, error, sizeof error), -1);
    assert_string_equal(error, "t.ptx: disk on fire");
    rf_memory memory = {NULL, 0};
    const rf_source source = rf_memory_source(&memory);
    assert_int_equal(rf_ptx_read(&source, "none", &m, error, sizeof error), -1);
    assert_string_equal(error, "none: no such text");
}

/* --- what is refused -------------------------------------------------------------------------------------------------------- */

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *error;
    } refused[] = {
        {"", "1: module: the file ends here, expected .version: not a PTX file"},
        {"-kernel name = x", "1: module: '-' is not .version: not a PTX file"},
        {".version 10.0", "1: .version: '10.0' is not a version 2.0 .. 9.9"},
        {".version 1.4", "1: .version: '1.4' is not a version 2.0 .. 9.9"},
        {".version 7.0 .target sm_80, map_f64_to_f32", "1: .target: 'map_f64_to_f32' is not a supported target"},
        {".version 7.0 .address_size 48", "1: .address_size: 48 is not 32 or 64"},
        {HEAD, "4: module: no .entry with a body"},
        {HEAD ".func f { ret; }", "4: module: no .entry with a body"},
        {HEAD "\n.texref t;", "5: directive: '.texref' is not supported"},
        {HEAD ".alias a, b;", "4: directive: '.alias' is not supported"},
        {HEAD "entry", "4: module: 'entry' is not a directive"},
        {HEAD ".entry k { ret;", "4: body: the file ends before its '}'"},
        {HEAD ".entry k", "4: function: the file ends here, expected a body or ';'"},
        {HEAD ".entry k { } .entry k { }", "4: function: 'k' has two bodies"},
        {HEAD ".entry k { } .func k { }", "4: function: 'k' is declared as something else"},
        {HEAD ".global .b32 k; .entry k { }", "4: function: 'k' is declared as something else"},
        {HEAD ".entry k .maxclusterrank 8 { }", "4: entry: '.maxclusterrank' is not a supported directive"},
        {HEAD ".entry k .reqntid 0 { }", "4: .reqntid: '0' is not a whole number, 1 .. 65535"},
        {HEAD ".entry k (.reg .b32 x) { }", "4: parameter: '.reg' is not .param"},
        {HEAD ".entry k (.param .texref x) { }", "4: declaration: '.texref' is not supported here"},
        {HEAD ".entry k (.param .b32 x[]) { }", "4: parameter: an array without a size"},
        {HEAD ".entry k (.param .b32 x, .param .b32 x) { }", "4: declaration: 'x' is declared twice"},
        {HEAD ".entry k (.param .b8 x[32765]) { }", "4: parameters: more than 32764 bytes"},
        {HEAD ".file \"a\" 1", "4: location: 'a' is not a number"},
        {HEAD ".loc 1 2 3, inlined_at 1 2 3", "4: location: 'inlined_at' is not function_name"},
        {HEAD ".pragma nounroll;", "4: .pragma: 'nounroll' is not a string"},
        {HEAD ".section .debug_info x", "4: .section: 'x' is not '{'"},

        {HEAD ".global .b32 a; .global .b32 a;", "4: declaration: 'a' is declared twice"},
        {HEAD ".global .b128 a;", "4: declaration: '.b128' is not supported here"},
        {HEAD ".global .attribute(.managed) .b32 a;", "4: declaration: '.attribute' is not supported here"},
        {HEAD ".global .b32 .b32 a;", "4: declaration: '.b32' is not supported here"},
        {HEAD ".global a;", "4: declaration: 'a' is not a type"},
        {HEAD ".global .align 3 .b32 a;", "4: .align: 3 is not a power of two"},
        {HEAD ".global .align 8192 .b32 a;", "4: .align: '8192' is not a whole number, 1 .. 4096"},
        {HEAD ".global .b32 a[];", "4: array: without a size"},
        {HEAD ".global .b32 a[2] = {1, 2, 3};", "4: initialiser: more than 2 elements"},
        {HEAD ".global .b32 a[2] = 1;", "4: initialiser: '1' is not '{'"},
        {HEAD ".global .b32 a[1][1][1][1][1][1][1][1];", "4: declaration: more than 7 dimensions"},
        {HEAD ".global .b32 a = 1.0;", "4: immediate: a floating-point constant for .b32"},
        {HEAD ".global .b32 a = b;", "4: initialiser: 'b' is not a variable in global or constant memory declared before"},
        {HEAD ".shared .b32 s; .global .b32 a = s;",
         "4: initialiser: 's' is not a variable in global or constant memory declared before"},
        {HEAD ".global .b32 b; .global .b16 a = b;", "4: initialiser: an address needs an integer of 32 or 64 bits"},
        {HEAD ".global .b8 a[1073741824]; .global .b8 b;", "4: global memory: more than 1073807360 bytes"},
        {HEAD ".global .b64 a[1073741824];", "4: array: more than 1073741824 bytes"},
        {HEAD ".shared .b8 a[1048577];", "4: shared memory: more than 1048576 bytes"},
        {HEAD ".local .b8 a[1048577];", "4: local memory: more than 1048576 bytes"},
        {HEAD ".shared .b32 a = 1;", "4: declaration: '=' is not ';'"},
        {HEAD ".extern .global .b32 a;", "4: .extern: a variable that is not in this file"},
        {HEAD ".extern .shared .b32 a[4];", "4: .extern: a variable that is not in this file"},

        {HEAD ".entry k { .reg .b128 x; }", "4: .reg: '.b128' is not a supported type of registers"},
        {HEAD ".entry k { .reg .v2 .b32 x; }", "4: .reg: '.v2' is not a supported type of registers"},
        {HEAD ".entry k { .reg .b32 x, x; }", "4: declaration: 'x' is declared twice"},
        {HEAD ".entry k { .reg .b32 x<0>; }", "4: .reg: '0' is not a whole number, 1 .. 2147483647"},
        {HEAD ".entry k { .reg .b32 x\n}", "5: .reg: '}' is not ';'"},
        {HEAD ".entry k { L: L: }", "4: label: 'L' is declared twice"},
        {HEAD ".entry k { { L: } \n@x bra L; }", "5: name: 'x' is not declared"},
        {HEAD ".entry k { { L: } \nbra L; }", "5: label: 'L' is not declared"},
        {HEAD ".entry k { bra k; }", "4: label: 'k' is not a label"},

        {HEAD ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
              ".entry k { .param .b64 a, b; .param .b32 r; call.uni (r), vprintf, (a, b); }",
         "5: call: 'vprintf' has no body in this file"},
        {HEAD ".entry k { call get_global_id; }", "4: call: 'get_global_id' is not a function of this file"},
        {HEAD ".entry k { .reg .b64 d; .param .b32 r; call (r), d, (r), proto; }", "4: call: 'd' is not a function of this file"},
        {HEAD ".entry k { call k; }", "4: call: 'k' is not a function of this file"},
        {HEAD ".func f { call f; } .entry k { call f; }", "4: call: 'f' is recursive"},
        {HEAD ".func f { call g; } .func g { call f; } .entry k { call f; }", "4: call: 'f' is recursive"},
        {HEAD ".func f (.param .b32 x) { } .entry k { .param .b64 a; call f, (a); }", "4: parameter: called with 8 bytes for 4"},
        {HEAD ".func f (.param .align 16 .b8 x[4]) { } .entry k { .param .b32 b, a; call f, (a); }",
         "4: parameter: called with less than .align 16"},
        {HEAD ".func f (.param .b32 x) { } .entry k { call f; }", "4: call: only 0 parameters passed"},
        {HEAD ".func f (.param .b32 x) { } .entry k { .param .b32 a, b; call f, (a, b); }",
         "4: call: 2 parameters passed, 1 expected"},
        {HEAD ".func f { } .entry k { .param .b32 a; call (a), f; }", "4: call: parameters for a function without any"},
        {HEAD ".func (.param .b32 x) f (.param .b32 y, .param .b32 z) { } .entry k { .param .b32 a, b;\ncall (b), f, (a, b); }",
         "5: call: 'b' is an argument and a result"},
        {HEAD ".func f (.reg .b32 x) { } .entry k { .param .b32 a; call f, (a); }", "4: parameter: '.reg' is not .param"},
        {HEAD ".func f (.param .b32 x) { } .entry k { .reg .b32 a; call f, (a); }",
         "4: call: 'a' is not a .param variable of this body"},
        {HEAD ".func f (.param .b32 x) { } .entry k (.param .b32 a) { call f, (a); }",
         "4: call: 'a' is not a .param variable of this body"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        char error[512] = "", want[512];
        rf_module m;
        const int got = read_pieces(refused[i].text, 5, 0, &m, error, sizeof error);
        (void)snprintf(want, sizeof want, "t.ptx:%s", refused[i].error);
        assert_string_equal(error, want);
        assert_int_equal(got, -1);
        assert_null(m.kernel);
        assert_null(m.global);
    }
}

/* Long texts of one kind: depth, count and work are bounded. */
static void test_limits(void **state) {
    (void)state;
    char error[512] = "";
    rf_module m;
    char *const text = malloc(4u << 20);
    assert_non_null(text);
    size_t n = (size_t)sprintf(text, HEAD ".entry k { ");
    for (uint32_t i = 0; i < 65; i++) n += (size_t)sprintf(text + n, "{");
    for (uint32_t i = 0; i < 66; i++) n += (size_t)sprintf(text + n, "}");
    assert_int_equal(read_pieces(text, 4096, 0, &m, error, sizeof error), -1);
    assert_string_equal(error, "t.ptx:4: body: scopes nested more than 64 deep");

    /* Each function calls the next one twice: 2^40 bodies. */
    n = (size_t)sprintf(text, HEAD);
    for (uint32_t i = 0; i < 40; i++) n += (size_t)sprintf(text + n, ".func f%u { call f%u; call f%u; }\n", i, i + 1, i + 1);
    (void)sprintf(text + n, ".func f40 { } .entry k { call f0; }");
    assert_int_equal(read_pieces(text, 4096, 0, &m, error, sizeof error), -1);
    assert_string_equal(error, "t.ptx:41: call: calls that read more than 33554432 bytes");

    n = (size_t)sprintf(text, HEAD ".entry k { .reg .pred p;\n");
    for (uint32_t i = 0; i < 32768; i++) n += (size_t)sprintf(text + n, "@p bra L;\n");
    (void)sprintf(text + n, "L: ret; }");
    assert_int_equal(read_pieces(text, 4096, 0, &m, error, sizeof error), -1);
    assert_string_equal(error, "t.ptx:32773: entry: more than 32768 blocks");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_module),
        cmocka_unit_test(test_globals),
        cmocka_unit_test(test_shared_and_local),
        cmocka_unit_test(test_scopes),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_variables_of_functions),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_source_fails),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
