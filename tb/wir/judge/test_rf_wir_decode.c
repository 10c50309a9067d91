/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder in front of rf_wir: which opcode texts may be looked up and which not, and why; their constants in the tag; what
 * they do to memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/workload/rf_kernel.h"
#include "cmodel/workload/rf_traceg.h"
#include "tb/wir/env/rf_wir_decode.h"

/* The only uop of an instruction that is one. */
static rf_uop only(const rf_inst *inst) {
    rf_uop uop;
    rf_crack(inst, 3, 0, &uop);
    return uop;
}

/* Decodes the text as an instruction of one uop with a result in R1 (a store: none) and sources in slots 0 and 1. */
static rf_wir_decoded decode_by(rf_wir_decoder *decoder, const char *text, uint32_t mask, uint64_t *address) {
    const bool store = strncmp(text, "st", 2) == 0 || strncmp(text, "ST", 2) == 0,
               load = strncmp(text, "ld", 2) == 0 || strncmp(text, "atom", 4) == 0;
    uint32_t value[32] = {0};
    rf_inst inst = {.mnemonic = text, .opcode = 1, .mask = mask, .load = load, .store = store, .address = address};
    inst.opclass = load || store ? RF_OP_MEM : RF_OP_ALU;
    inst.nsrc = 2;
    inst.src[0] = 2;
    inst.src[1] = 3;
    inst.ndst = store ? 0 : 1;
    inst.dst[0] = 1;
    inst.value = value;
    inst.index = RF_INDEX_NONE;
    rf_wir_decoded out;
    const rf_uop uop = only(&inst);
    rf_wir_decode(decoder, &inst, &uop, 3, 0, &out);
    assert_int_equal(out.reuse, out.why == RF_WIR_MAY);
    assert_int_not_equal(out.why, RF_WIR_NO_NUMBER);
    return out;
}

static rf_wir_decoded decode(const char *text) {
    rf_wir_decoder *decoder = rf_wir_decoder_new(3, 64);
    const rf_wir_decoded out = decode_by(decoder, text, UINT32_MAX, NULL);
    rf_wir_decoder_free(decoder);
    return out;
}

static void check_why(const char *const *list, rf_wir_why why) {
    for (; *list != NULL; list++)
        if (decode(*list).why != why) fail_msg("%s: not %d", *list, (int)why);
}

/* Predicates, carries, other lanes and the lane's own state are no operands of an rf_inst. */
static void hidden_inputs(void **state) {
    (void)state;
    static const char *const hidden[] = {"addc.u32",
                                         "set.lt.and.u32.u32",
                                         "set.eq.or.f32.f32",
                                         "set.gt.xor.ftz.s32.f32",
                                         "addc.cc.u32",
                                         "subc.u32",
                                         "madc.lo.u32",
                                         "selp.b32",
                                         "slct.s32.s32",
                                         "shfl.sync.idx.b32",
                                         "vote.sync.ballot.b32",
                                         "IADD3.X",
                                         "IADD.X",
                                         "IMAD.X",
                                         "IMAD.HI.X",
                                         "LEA.HI.X",
                                         "LEA.HI.X.SX32",
                                         "SEL",
                                         "FSEL.FTZ",
                                         "FMNMX",
                                         "IMNMX.U32",
                                         "P2R",
                                         "FSET.BF.GT.AND",
                                         "ISET.BF.LT.U32.AND",
                                         "HSET2.BF.GT.AND",
                                         "HMNMX2",
                                         "VHMNMX",
                                         "VIMNMX",
                                         "VIMNMX3.U32",
                                         "VIADDMNMX",
                                         "FSWZADD",
                                         "B2R",
                                         "BMOV.32",
                                         "ELECT",
                                         "REDUX.SUM",
                                         "CREDUX.MAX",
                                         NULL};
    static const char *const shown[] = {
        "add.u32", "set.lt.u32.u32", "set.gt.ftz.f32.f32", "add.cc.u32", "mad.lo.u32", "IADD3", "IMAD.MOV.U32", "IMAD.WIDE",
        "LEA.HI",  "LEA.HI.SX32",    "LOP3.LUT",           "FADD.FTZ",   "F2I.XYZ",    "XMAD",  "PRMT",         "vadd.vv",
        NULL};
    check_why(hidden, RF_WIR_HIDDEN);
    check_why(shown, RF_WIR_MAY);
}

/* Of a store's text or addresses: which flag it sets, and whether loads from scratchpad are looked up afterwards. */
static void stores(void **state) {
    (void)state;
    enum { GLOBAL = 0x10000 };
    static const struct {
        const char *text;
        uint64_t address; /* of all lanes, 0: not known */
        uint64_t odd;     /* of lane 5, 0: as the others */
        bool lane_5, shared, looked_up;
    } cases[] = {
        {"st.shared.u32", 64, 0, true, true, true},
        {"st.shared::cta.u32", 64, 0, true, true, true},
        {"atom.shared.add.u32", 64, 0, true, true, true},
        {"STS", 64, 0, true, true, true},
        {"st.global.u32", GLOBAL, 0, true, false, true},
        {"st.local.u32", 64, 0, true, false, true},
        {"st.global.u32", 0, 0, true, false, true},
        {"st.u32", GLOBAL, 0, true, false, true},
        {"st.u32", RF_SHARED_WINDOW, 0, true, true, true},
        {"st.volatile.u32", RF_LOCAL_WINDOW - 4, 0, true, true, true},
        {"st.u32", RF_LOCAL_WINDOW, 0, true, false, true},
        {"atom.add.u32", RF_SHARED_WINDOW + 8, 0, true, true, true},
        {"red.add.u32", RF_SHARED_WINDOW + 8, 0, true, true, true},
        {"st.u32", RF_SHARED_WINDOW, GLOBAL, true, false, false},
        {"st.u32", RF_SHARED_WINDOW, GLOBAL, false, true, true},
        {"st.u32", GLOBAL, RF_SHARED_WINDOW, true, false, false},
        {"st.u32", RF_SHARED_WINDOW_32, 0, true, false, false},
        {"st.u32", RF_LOCAL_WINDOW_32, 0, true, false, true},
        {"st.u32", 0, 0, true, false, false},
        {"ST", 0, 0, true, false, true},
        {"ST.E", 0, 0, true, false, true},
        {"ST.E", RF_SHARED_WINDOW, 0, true, false, true}, /* global memory of a GPU may lie there */
        {"ST.E", RF_SHARED_WINDOW_32, 0, true, false, true},
        {"ST.E", RF_TRACEG_SHARED_WINDOW, 0, true, true, true},
        {"ST.E.64", RF_TRACEG_SHARED_WINDOW + RF_TRACEG_WINDOW_BYTES - 8, 0, true, true, true},
        {"ST.E", RF_TRACEG_SHARED_WINDOW + RF_TRACEG_WINDOW_BYTES, 0, true, false, true},
        {"ST.E", RF_TRACEG_SHARED_WINDOW - 4, 0, true, false, true},
        {"ST.E", RF_TRACEG_LOCAL_WINDOW, 0, true, false, true},
        {"ST.E", RF_TRACEG_SHARED_WINDOW, GLOBAL, true, false, false},
        {"ST.E", RF_TRACEG_SHARED_WINDOW, GLOBAL, false, true, true},
        {"STG.E", RF_SHARED_WINDOW, 0, true, false, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t address[32];
        for (uint32_t l = 0; l < 32; l++) address[l] = l == 5 && cases[i].odd != 0 ? cases[i].odd : cases[i].address;
        rf_wir_decoder *decoder = rf_wir_decoder_new(3, 64);
        assert_int_equal(decode_by(decoder, "ld.shared.u32", UINT32_MAX, address).why, RF_WIR_MAY);
        const rf_wir_decoded out = decode_by(decoder, cases[i].text, cases[i].lane_5 ? UINT32_MAX : ~UINT32_C(32),
                                             cases[i].address == 0 ? NULL : address);
        assert_int_equal(decode_by(decoder, "ld.global.u32", UINT32_MAX, address).why, RF_WIR_MAY);
        if (!out.store || out.store_shared != cases[i].shared ||
            (decode_by(decoder, "ld.shared.u32", UINT32_MAX, address).why == RF_WIR_MAY) != cases[i].looked_up)
            fail_msg("%s, case %zu", cases[i].text, i);
        rf_wir_decoder_free(decoder);
    }
}

/* Constants lie in the operand fields that no register takes [WIR V-C]: 10 bits each at 1024 registers, as they are or by their
 * upper bits; the two forms are two functions. */
static void constants(void **state) {
    static const struct {
        uint32_t sources; /* their slots */
        int64_t constant;
        bool fits, upper;
        uint16_t imm[3];
    } cases[] = {
        {7, 0, true, false, {0}},
        {7, 1, false, false, {0}},
        {3, 511, true, false, {0, 0, 511}},
        {3, -512, true, false, {0, 0, 512}},
        {3, 512, false, false, {0}},
        {3, -513, false, false, {0}},
        {3, INT64_C(0xbf800000), true, true, {0, 0, 0x2fe}}, /* -1.0f */
        {3, INT64_C(0x3fa00000), false, false, {0}},         /* 1.25f has 11 upper bits */
        {5, 3, true, false, {0, 3, 0}},
        {6, -1, true, false, {1023, 0, 0}},
        {1, 512, true, false, {0, 512, 0}},
        {1, -1, true, false, {0, 1023, 1023}},
        {1, INT64_C(0x7ffff), true, false, {0, 1023, 511}},
        {1, INT64_C(0x80000), true, true, {0, 0x80, 0}},
        {1, INT64_C(0x3fa00000), true, true, {0, 0x200, 0xfe}},
        {1, INT64_C(0x3dcccccd), false, false, {0}}, /* 0.1f */
        {1, UINT32_MAX, false, false, {0}},
        {0, INT64_C(0x1fffffff), true, false, {1023, 1023, 511}},
        {0, INT64_C(0x3dcccccd), false, false, {0}},
        {0, INT64_C(0x3dccccd0), true, true, {0x334, 0xcc, 0xf7}},
    };
    uint32_t value[32] = {0};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rf_wir_decoder *decoder = rf_wir_decoder_new(3, 1024);
        rf_inst inst = {.mnemonic = "add.u32", .opcode = 1, .mask = UINT32_MAX, .opclass = RF_OP_ALU, .ndst = 1, .value = value};
        rf_wir_decoded plain, out;
        inst.nsrc = (uint8_t)__builtin_popcount(cases[i].sources);
        const rf_uop uop = only(&inst);
        rf_wir_decode(decoder, &inst, &uop, cases[i].sources, 0, &plain);
        inst.immediate = cases[i].constant;
        rf_wir_decode(decoder, &inst, &uop, cases[i].sources, 0, &out);
        assert_int_equal(out.why, cases[i].fits ? RF_WIR_MAY : RF_WIR_CONSTANTS);
        if (cases[i].fits) {
            assert_memory_equal(out.imm, cases[i].imm, sizeof cases[i].imm);
            assert_int_equal(out.op != plain.op, cases[i].upper);
        }
        rf_wir_decoder_free(decoder);
    }
}

/* 32 functions for each set of slots that are registers; without values the PC is a constant if it fits, else of the function. */
static void functions(void **state) {
    rf_wir_decoder *decoder = rf_wir_decoder_new(3, 1024);
    rf_inst inst = {.mnemonic = "FADD", .mask = UINT32_MAX, .opclass = RF_OP_ALU, .ndst = 1, .nsrc = 2};
    const rf_uop uop = only(&inst);
    rf_wir_decoded out;
    (void)state;
    for (uint32_t i = 0; i < 40; i++) {
        inst.opcode = i / 2 + 1;
        inst.pc = i % 2 == 0 ? 16 * i : 512 + 16 * i;
        rf_wir_decode(decoder, &inst, &uop, 3, 0, &out);
        assert_int_equal(out.why, i < 32 ? RF_WIR_MAY : RF_WIR_NO_NUMBER);
        if (i >= 32) continue;
        assert_int_equal(out.op, i);
        assert_int_equal(out.imm[2], i % 2 == 0 ? 16 * i : 0);
    }
    rf_wir_decode(decoder, &inst, &uop, 5, 0, &out);
    assert_int_equal(out.op, 0);
    inst.opcode = 1, inst.pc = 48;
    rf_wir_decode(decoder, &inst, &uop, 3, 0, &out);
    assert_int_equal(out.op, 0);
    assert_int_equal(out.imm[2], 48);
    rf_wir_decoder_free(decoder);
}

/* Decodes all words of an instruction, which is cracked as the decoder says, into `out`. */
static void decode_words(rf_wir_decoder *decoder, const rf_inst *inst, uint32_t slots, uint32_t order, rf_wir_decoded *out) {
    const bool words = rf_wir_words(decoder, inst);
    for (uint32_t i = 0; i < rf_crack_count(inst, slots); i++) {
        rf_uop uop;
        (words ? rf_crack_word : rf_crack)(inst, slots, i, &uop);
        rf_wir_decode(decoder, inst, &uop, (1u << uop.nsrc) - 1, order, &out[i]);
        assert_true(!out[i].reuse || words || inst->ndst == 1);
    }
}

static rf_inst wide(uint32_t nsrc, uint32_t ndst, const uint32_t *value) {
    return (rf_inst){.mnemonic = "mul.wide.u32",
                     .opcode = 1,
                     .mask = UINT32_MAX,
                     .opclass = RF_OP_ALU,
                     .nsrc = (uint8_t)nsrc,
                     .src = {1, 2, 3, 4, 5, 6},
                     .ndst = (uint8_t)ndst,
                     .dst = {11, 12, 13, 14},
                     .value = (uint32_t *)(uintptr_t)value};
}

/* A result of several words is looked up word by word when one uop has room for all sources, else not at all. */
static void several_words(void **state) {
    static const uint32_t value[4 * 32];
    (void)state;
    for (uint32_t slots = 1; slots <= 6; slots++)
        for (uint32_t nsrc = 1; nsrc <= 6; nsrc++)
            for (uint32_t ndst = 1; ndst <= 4; ndst++) {
                rf_wir_decoder *decoder = rf_wir_decoder_new(slots, 1024);
                const rf_inst inst = wide(nsrc, ndst, value);
                rf_wir_decoded out[16];
                decode_words(decoder, &inst, slots, 0, out);
                assert_int_equal(rf_wir_words(decoder, &inst), ndst > 1 && nsrc <= slots);
                for (uint32_t i = 0; i < rf_crack_count(&inst, slots); i++) {
                    assert_int_equal(out[i].why, nsrc <= slots ? RF_WIR_MAY : ndst > 1 ? RF_WIR_WIDE : RF_WIR_CRACKED);
                    if (out[i].reuse) assert_int_equal(out[i].op, i);
                }
                rf_wir_decoder_free(decoder);
            }
}

/* Results of more words than the limit. */
static void a_limit_of_words(void **state) {
    static const uint32_t value[4 * 32];
    (void)state;
    for (uint32_t limit = 1; limit <= 4; limit++)
        for (uint32_t ndst = 1; ndst <= 4; ndst++) {
            rf_wir_decoder *decoder = rf_wir_decoder_new(3, 1024);
            const rf_inst inst = wide(2, ndst, value);
            rf_wir_decoded out[4];
            rf_wir_decoder_limit(decoder, limit);
            decode_words(decoder, &inst, 3, 0, out);
            for (uint32_t i = 0; i < ndst; i++) assert_int_equal(out[i].why, ndst <= limit ? RF_WIR_MAY : RF_WIR_WIDE);
            rf_wir_decoder_free(decoder);
        }
}

/* A uop that would read what an earlier one wrote, and what may not be looked up whatever its width. */
static void words_that_are_not_looked_up(void **state) {
    static const uint32_t value[4 * 32];
    rf_wir_decoder *decoder = rf_wir_decoder_new(3, 1024);
    rf_wir_decoded out[4];
    (void)state;
    rf_inst inst = wide(2, 2, value);
    inst.dst[0] = inst.src[1];
    decode_words(decoder, &inst, 3, 0, out);
    assert_int_equal(out[0].why, RF_WIR_WIDE);
    assert_int_equal(out[1].why, RF_WIR_WIDE);
    inst = wide(2, 2, value);
    inst.dst[1] = inst.src[0];
    decode_words(decoder, &inst, 3, 0, out);
    assert_int_equal(out[1].why, RF_WIR_MAY);
    static const struct {
        const char *text;
        rf_opclass opclass;
        rf_wir_why why;
    } cases[] = {{"addc.u64", RF_OP_ALU, RF_WIR_HIDDEN},
                 {"ld.v2.u32", RF_OP_MEM, RF_WIR_SPACE},
                 {"atom.global.add.u64", RF_OP_MEM, RF_WIR_STORES},
                 {"ld.global.v2.u32", RF_OP_MEM, RF_WIR_MAY},
                 {"ld.global.v4.u32", RF_OP_MEM, RF_WIR_HIDDEN}, /* which two of the four? */
                 {"ld.shared.v2.f64", RF_OP_MEM, RF_WIR_HIDDEN},
                 {"ld.global.f64", RF_OP_MEM, RF_WIR_MAY}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        inst = wide(1, 2, value);
        inst.mnemonic = cases[i].text;
        inst.opclass = cases[i].opclass;
        inst.load = cases[i].opclass == RF_OP_MEM;
        decode_words(decoder, &inst, 3, 0, out);
        assert_int_equal(out[0].why, cases[i].why);
        assert_int_equal(rf_wir_words(decoder, &inst), cases[i].why == RF_WIR_MAY);
    }
    rf_wir_decoder_free(decoder);
}

/* Each word of each instruction is a function of its own, whichever way its sources lie; all words of one have numbers or none. */
static void numbers_of_words(void **state) {
    static const uint32_t value[4 * 32];
    rf_wir_decoder *decoder = rf_wir_decoder_new(3, 1024);
    bool taken[32] = {false};
    (void)state;
    for (uint32_t time = 0; time < 2; time++) {
        uint32_t used = 0;
        bool now[32] = {false};
        for (uint32_t ndst = 1; ndst <= 4; ndst++)
            for (uint32_t order = 0; order < 2; order++)
                for (uint64_t opcode = 1; opcode <= 2; opcode++) {
                    rf_inst inst = wide(3, ndst, value);
                    rf_wir_decoded out[4];
                    inst.opcode = opcode;
                    decode_words(decoder, &inst, 3, order, out);
                    const bool room = used + ndst <= 32;
                    for (uint32_t i = 0; i < ndst; i++) {
                        assert_int_equal(out[i].why, room ? RF_WIR_MAY : RF_WIR_NO_NUMBER);
                        if (!room) continue;
                        assert_false(now[out[i].op]);
                        now[out[i].op] = true;
                    }
                    used += room ? ndst : 0;
                }
        assert_int_equal(used, 32);
        if (time == 1) assert_memory_equal(taken, now, sizeof now);
        memcpy(taken, now, sizeof now);
    }
    rf_wir_decoder_free(decoder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(hidden_inputs),
                                       cmocka_unit_test(stores),
                                       cmocka_unit_test(constants),
                                       cmocka_unit_test(functions),
                                       cmocka_unit_test(several_words),
                                       cmocka_unit_test(a_limit_of_words),
                                       cmocka_unit_test(words_that_are_not_looked_up),
                                       cmocka_unit_test(numbers_of_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
