/* SPDX-License-Identifier: Apache-2.0 */
/* Which access an instruction makes: mnemonics of PTX, SASS and Ventus, windows of addresses, masks, widths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "cmodel/workload/rf_kernel.h"
#include "cmodel/workload/rf_opcode.h"
#include "cmodel/workload/rf_traceg.h"
#include "tb/machine/env/rf_memory_access.h"

#define GLOBAL RF_MEMORY_GLOBAL
#define LOCAL RF_MEMORY_LOCAL
#define SHARED RF_MEMORY_SHARED
#define CONSTANT RF_MEMORY_CONSTANT
#define TEXTURE RF_MEMORY_TEXTURE
#define NOWHERE (TEXTURE + 1) /* no access */

#define WARP 7u

static uint64_t address[RF_LANES_MAX], lane[RF_LANES_MAX];

typedef enum moves { LOADS = 1, STORES = 2 } moves;

static rf_inst inst_of(const char *text, uint32_t flags) {
    return (rf_inst){.mnemonic = text,
                     .opclass = RF_OP_MEM,
                     .load = (flags & LOADS) != 0,
                     .store = (flags & STORES) != 0,
                     .mask = UINT32_MAX,
                     .width = 4,
                     .address = address};
}

static void fill(uint64_t base, uint64_t stride) {
    for (uint32_t l = 0; l < RF_LANES_MAX; l++) address[l] = base + l * stride;
}

/* The access of an instruction whose address is its own, or none. */
static void expect(const rf_inst *inst, uint32_t space, uint32_t kind) {
    rf_memory_access a;
    const bool makes = rf_memory_access_of(inst, WARP, lane, &a);
    if (makes != (space != NOWHERE)) fail_msg("%s: %s", inst->mnemonic, makes ? "an access" : "no access");
    if (!makes) return;
    if (a.space != space) fail_msg("%s: space %u, not %u", inst->mnemonic, (unsigned)a.space, (unsigned)space);
    if (a.kind != kind) fail_msg("%s: kind %u, not %u", inst->mnemonic, (unsigned)a.kind, (unsigned)kind);
    assert_int_equal(a.mask, inst->mask);
    assert_int_equal(a.width, inst->width);
    assert_ptr_equal(a.address, inst->address);
    assert_int_equal(a.warp, WARP);
}

static void test_sass(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t space, kind;
    } cases[] = {
        {"LDG.E", GLOBAL, RF_ACCESS_LOAD},
        {"LDG.E.128.CONSTANT", GLOBAL, RF_ACCESS_LOAD},
        {"LDG", GLOBAL, RF_ACCESS_LOAD},
        {"LD.E", GLOBAL, RF_ACCESS_LOAD},
        {"LDGSTS.E.BYPASS.128", GLOBAL, RF_ACCESS_LOAD},
        {"STG.E.U8", GLOBAL, RF_ACCESS_STORE},
        {"ST.E", GLOBAL, RF_ACCESS_STORE},
        {"ATOM.E.ADD", GLOBAL, RF_ACCESS_ATOMIC},
        {"ATOMG.E.CAS", GLOBAL, RF_ACCESS_ATOMIC},
        {"RED.E.ADD.S32.STRONG.GPU", GLOBAL, RF_ACCESS_ATOMIC},
        {"REDG.E.ADD", GLOBAL, RF_ACCESS_ATOMIC},
        {"LDS.U.64", SHARED, RF_ACCESS_LOAD},
        {"LDSM.16.M88.4", SHARED, RF_ACCESS_LOAD},
        {"STS", SHARED, RF_ACCESS_STORE},
        {"STSM.16.M88.2", SHARED, RF_ACCESS_STORE},
        {"STAS", SHARED, RF_ACCESS_STORE},
        {"ATOMS.POPC.INC.32", SHARED, RF_ACCESS_ATOMIC},
        {"REDAS.ADD", SHARED, RF_ACCESS_ATOMIC},
        {"LDL.64", LOCAL, RF_ACCESS_LOAD},
        {"STL", LOCAL, RF_ACCESS_STORE},
        {"LDC.64", CONSTANT, RF_ACCESS_LOAD},
        {"TEX.SCR.LL", TEXTURE, RF_ACCESS_LOAD},
        {"TLD", TEXTURE, RF_ACCESS_LOAD},
        {"TLD4.R", TEXTURE, RF_ACCESS_LOAD},
        {"TMML", TEXTURE, RF_ACCESS_LOAD},
        {"TXD", TEXTURE, RF_ACCESS_LOAD},
        {"TXQ", TEXTURE, RF_ACCESS_LOAD},
        {"SULD.D.BA", TEXTURE, RF_ACCESS_LOAD},
        {"SUST.D.BA", TEXTURE, RF_ACCESS_STORE},
        {"SUATOM.D.ADD", TEXTURE, RF_ACCESS_ATOMIC},
        {"SURED.D.ADD", TEXTURE, RF_ACCESS_ATOMIC},
        {"LDGMC.E", GLOBAL, RF_ACCESS_LOAD},
        {"LDTM.16dp", NOWHERE, 0},
        {"STT", NOWHERE, 0},
        {"LDGDEPBAR", NOWHERE, 0},
        {"LDCU.64", NOWHERE, 0},
        {"ULDC.64", NOWHERE, 0},
        {"CCTL.IVALL", NOWHERE, 0},
        {"MEMBAR.SC.GPU", NOWHERE, 0},
        {"UTMALDG.2D", NOWHERE, 0},
        {"SYNCS.ARRIVE", NOWHERE, 0},
        {"REDUX.SUM", NOWHERE, 0},
        {"IADD3", NOWHERE, 0},
        {"NEVERSEEN.LDG", NOWHERE, 0},
    };
    /* NVIDIA's global addresses may lie where our windows are */
    fill(RF_SHARED_WINDOW + 0x1269c00008, 4);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rf_opcode opcode;
        assert_int_equal(rf_opcode_decode(cases[i].text, strlen(cases[i].text), &opcode), 0);
        rf_inst inst = inst_of(cases[i].text, 0);
        inst.load = opcode.load;
        inst.store = opcode.store;
        inst.opclass = opcode.opclass;
        expect(&inst, cases[i].space, cases[i].kind);
    }
}

static void test_ptx(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t flags, space, kind;
    } cases[] = {
        {"ld.global.f32", LOADS, GLOBAL, RF_ACCESS_LOAD},
        {"ld.global.nc.v4.f32", LOADS, GLOBAL, RF_ACCESS_LOAD},
        {"ldu.global.u32", LOADS, GLOBAL, RF_ACCESS_LOAD},
        {"ld.volatile.shared.u32", LOADS, SHARED, RF_ACCESS_LOAD},
        {"ld.shared::cta.u8", LOADS, SHARED, RF_ACCESS_LOAD},
        {"ld.acquire.gpu.global.L1::no_allocate.u32", LOADS, GLOBAL, RF_ACCESS_LOAD},
        {"ld.param.u64", LOADS, CONSTANT, RF_ACCESS_LOAD},
        {"ld.param::entry.u64", LOADS, CONSTANT, RF_ACCESS_LOAD},
        {"ld.const.f32", LOADS, CONSTANT, RF_ACCESS_LOAD},
        {"ld.local.b32", LOADS, LOCAL, RF_ACCESS_LOAD},
        {"ld.f32", LOADS, GLOBAL, RF_ACCESS_LOAD},
        {"st.global.wt.f32", STORES, GLOBAL, RF_ACCESS_STORE},
        {"st.shared.f32", STORES, SHARED, RF_ACCESS_STORE},
        {"st.local.v2.u32", STORES, LOCAL, RF_ACCESS_STORE},
        {"st.u32", STORES, GLOBAL, RF_ACCESS_STORE},
        {"atom.global.add.u32", LOADS | STORES, GLOBAL, RF_ACCESS_ATOMIC},
        {"atom.relaxed.gpu.shared.cas.b32", LOADS | STORES, SHARED, RF_ACCESS_ATOMIC},
        {"red.add.f32", LOADS | STORES, GLOBAL, RF_ACCESS_ATOMIC},
        {"red.shared.max.s32", LOADS | STORES, SHARED, RF_ACCESS_ATOMIC},
        {"add.f32", 0, NOWHERE, 0},
        {"membar.gl", 0, NOWHERE, 0},
    };
    fill(0x100000, 4);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const rf_inst inst = inst_of(cases[i].text, cases[i].flags);
        expect(&inst, cases[i].space, cases[i].kind);
    }
}

static void test_ventus(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t flags, kind;
    } cases[] = {
        {"vlw12.v", LOADS, RF_ACCESS_LOAD},
        {"vlbu12.v", LOADS, RF_ACCESS_LOAD},
        {"vsw12.v", STORES, RF_ACCESS_STORE},
        {"vsb12.v", STORES, RF_ACCESS_STORE},
        {"vlw.v", LOADS, RF_ACCESS_LOAD},
        {"vsh.v", STORES, RF_ACCESS_STORE},
        {"vle32.v", LOADS, RF_ACCESS_LOAD},
        {"vsuxei32.v", STORES, RF_ACCESS_STORE},
        {"lw", LOADS, RF_ACCESS_LOAD},
        {"fsw", STORES, RF_ACCESS_STORE},
        {"amoadd.w", LOADS | STORES, RF_ACCESS_ATOMIC},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const rf_inst inst = inst_of(cases[i].text, cases[i].flags);
        rf_memory_access a;
        fill(0x80000000, 4);
        expect(&inst, GLOBAL, cases[i].kind);
        fill(0x6fffff80, 4); /* the last below the window */
        expect(&inst, GLOBAL, cases[i].kind);
        fill(0x7fffffff, 0);
        assert_true(rf_memory_access_of(&inst, WARP, lane, &a));
        assert_int_equal(a.space, SHARED);
        fill(0x70000000, 4);
        assert_true(rf_memory_access_of(&inst, WARP, lane, &a));
        assert_int_equal(a.space, SHARED);
        assert_int_equal(a.kind, cases[i].kind);
        for (uint32_t l = 0; l < RF_LANES_MAX; l++) assert_int_equal(a.address[l], 4 * l);
    }
    const rf_inst other = inst_of("vadd.vv", 0);
    expect(&other, NOWHERE, 0);
    /* no window of Ventus in PTX */
    const rf_inst ptx = inst_of("ld.f32", LOADS);
    fill(0x70000000, 4);
    expect(&ptx, GLOBAL, RF_ACCESS_LOAD);
}

/* Generic addresses at the first and the last byte of each window, and beside them. */
static void test_windows(void **state) {
    (void)state;
    static const struct {
        uint64_t address, base;
        uint32_t space;
    } cases[] = {
        {0, 0, GLOBAL},
        {RF_SHARED_WINDOW_32 - 1, 0, GLOBAL},
        {RF_SHARED_WINDOW_32, RF_SHARED_WINDOW_32, SHARED},
        {RF_LOCAL_WINDOW_32 - 1, RF_SHARED_WINDOW_32, SHARED},
        {RF_LOCAL_WINDOW_32, RF_LOCAL_WINDOW_32, LOCAL},
        {UINT32_MAX, RF_LOCAL_WINDOW_32, LOCAL},
        {UINT64_C(1) << 32, 0, GLOBAL},
        {RF_SHARED_WINDOW - 1, 0, GLOBAL},
        {RF_SHARED_WINDOW, RF_SHARED_WINDOW, SHARED},
        {RF_LOCAL_WINDOW - 1, RF_SHARED_WINDOW, SHARED},
        {RF_LOCAL_WINDOW, RF_LOCAL_WINDOW, LOCAL},
        {UINT64_C(0x7fffffffffff), RF_LOCAL_WINDOW, LOCAL},
        {UINT64_C(0x800000000000), 0, GLOBAL},
        {UINT64_MAX, 0, GLOBAL},
    };
    static const char *const texts[] = {"ld.u8", "st.u8", "atom.add.u32", "red.add.u32", "ld.volatile.u8"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
            const rf_inst inst = inst_of(texts[t], LOADS);
            rf_memory_access a;
            fill(cases[i].address, 0);
            assert_true(rf_memory_access_of(&inst, WARP, lane, &a));
            if (a.space != cases[i].space) fail_msg("%s at %llx", texts[t], (unsigned long long)cases[i].address);
            assert_int_equal(a.address[31], cases[i].address - cases[i].base);
        }
    /* a space that is named has no window */
    const rf_inst named = inst_of("ld.global.u8", LOADS);
    fill(RF_SHARED_WINDOW, 4);
    expect(&named, GLOBAL, RF_ACCESS_LOAD);
}

/* SASS has windows of its own, where the reader of traces moves generic addresses; ours of PTX are global memory to it. */
static void test_sass_windows(void **state) {
    (void)state;
    static const uint64_t shared = RF_TRACEG_SHARED_WINDOW, local = RF_TRACEG_LOCAL_WINDOW, bytes = RF_TRACEG_WINDOW_BYTES;
    const struct {
        uint64_t address, base;
        uint32_t space;
    } cases[] = {{0, 0, GLOBAL},
                 {RF_SHARED_WINDOW_32, 0, GLOBAL},
                 {RF_SHARED_WINDOW, 0, GLOBAL},
                 {RF_LOCAL_WINDOW, 0, GLOBAL},
                 {shared - 1, 0, GLOBAL},
                 {shared, shared, SHARED},
                 {shared + bytes - 1, shared, SHARED},
                 {shared + bytes, 0, GLOBAL},
                 {local - 1, 0, GLOBAL},
                 {local, local, LOCAL},
                 {local + bytes - 1, local, LOCAL},
                 {local + bytes, 0, GLOBAL},
                 {UINT64_MAX, 0, GLOBAL}};
    static const char *const texts[] = {"LD.E", "LD", "ST.E.U8", "ATOM.E.ADD", "RED.E.ADD.S32.STRONG.GPU"};
    static const char *const ptx[] = {"ld.u8", "st.u8"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fill(cases[i].address, 0);
        for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
            const rf_inst inst = inst_of(texts[t], LOADS);
            rf_memory_access a;
            assert_true(rf_memory_access_of(&inst, WARP, lane, &a));
            if (a.space != cases[i].space) fail_msg("%s at %llx", texts[t], (unsigned long long)cases[i].address);
            assert_true(a.address[31] == cases[i].address - cases[i].base);
        }
        const rf_inst named = inst_of("LDG.E", LOADS);
        expect(&named, GLOBAL, RF_ACCESS_LOAD);
        for (size_t t = 0; t < sizeof ptx / sizeof ptx[0]; t++) {
            const rf_inst inst = inst_of(ptx[t], LOADS);
            if (cases[i].address >= UINT64_C(1) << 48) expect(&inst, GLOBAL, RF_ACCESS_LOAD);
        }
    }
}

/* Lanes in several spaces: the first active lane decides. */
static void test_mixed(void **state) {
    (void)state;
    rf_inst inst = inst_of("ld.f32", LOADS);
    rf_memory_access a;
    fill(0x100000, 4);
    address[3] = RF_SHARED_WINDOW + 12;
    address[9] = RF_LOCAL_WINDOW + 36;
    const struct {
        uint32_t mask, space;
    } cases[] = {{UINT32_MAX, GLOBAL}, {0xfffffff8, SHARED}, {0xffffff08, SHARED},
                 {0x200, LOCAL},       {0xfffffe00, LOCAL},  {0xfffffc00, GLOBAL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        inst.mask = cases[i].mask;
        assert_true(rf_memory_access_of(&inst, WARP, lane, &a));
        assert_int_equal(a.space, cases[i].space);
        assert_int_equal(a.mask, cases[i].mask);
        if (cases[i].space == SHARED) {
            assert_int_equal(a.address[3], 12);
            assert_int_equal(a.address[31], 0x100000 + 4 * 31 - RF_SHARED_WINDOW);
        }
        if (cases[i].space == LOCAL) assert_int_equal(a.address[9], 36);
    }
    assert_int_equal(address[3], RF_SHARED_WINDOW + 12); /* the instruction's own stay */
    /* no lane, no address: nothing says that it is not global */
    inst.mask = 0;
    fill(RF_SHARED_WINDOW, 4);
    expect(&inst, GLOBAL, RF_ACCESS_LOAD);
}

static void test_widths(void **state) {
    (void)state;
    rf_memory_access a;
    rf_inst inst = inst_of("ld.v4.f64", LOADS);
    fill(RF_SHARED_WINDOW, 4);
    for (uint32_t width = 1; width <= 64; width++) {
        inst.width = width;
        assert_true(rf_memory_access_of(&inst, WARP, lane, &a));
        assert_int_equal(a.width, width < 16 ? width : 16);
        assert_int_equal(a.space, SHARED);
    }
    /* width 0, as LDC has it: no addresses, a legal width */
    inst.width = 0;
    assert_true(rf_memory_access_of(&inst, WARP, lane, &a));
    assert_null(a.address);
    assert_in_range(a.width, 1, 16);
    assert_int_equal(a.space, GLOBAL);
    inst = inst_of("LDC", LOADS);
    inst.width = 0;
    inst.address = NULL;
    assert_true(rf_memory_access_of(&inst, WARP, lane, &a));
    assert_int_equal(a.space, CONSTANT);
    assert_null(a.address);
    /* a width, but no addresses */
    inst = inst_of("ld.f32", LOADS);
    inst.address = NULL;
    expect(&inst, GLOBAL, RF_ACCESS_LOAD);
    inst = inst_of("vlw12.v", LOADS);
    inst.address = NULL;
    expect(&inst, GLOBAL, RF_ACCESS_LOAD);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sass),         cmocka_unit_test(test_ptx),   cmocka_unit_test(test_ventus),
        cmocka_unit_test(test_windows),      cmocka_unit_test(test_mixed), cmocka_unit_test(test_widths),
        cmocka_unit_test(test_sass_windows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
