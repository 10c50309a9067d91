/* SPDX-License-Identifier: Apache-2.0 */
/* The opcode table, line by line as docs/workloads.md says it: listed registers in, real registers out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "cmodel/workload/rf_opcode.h"

enum { A = RF_OP_ALU, S = RF_OP_SFU, M = RF_OP_MEM, T = RF_OP_TENSOR, C = RF_OP_CTRL };

/* Every operand is listed as a multiple of 16, so that "16:4" reads: four registers from R16. */
static const struct {
    const char *text;
    int opclass;
    const char *listed;   /* destinations / sources; # before a source: an immediate is there */
    const char *expected; /* base:count of each operand left */
    bool load, store, known;
} cases[] = {
    {"FADD", A, "16/32 48", "16:1/32:1 48:1", false, false, true},
    {"FADD.FTZ", A, "16/32 32", "16:1/32:1 32:1", false, false, true},
    {"IADD3.X", A, "16/255 32 255", "16:1/32:1", false, false, true},
    {"ISETP.GE.AND", A, "/32 255", "/32:1", false, false, true},
    {"SHF.R.S64", A, "16/255 32", "16:1/32:1", false, false, true},
    {"HFMA2.MMA", A, "16/255 255", "16:1/", false, false, true},
    {"LOP3.LUT", A, "/255 32 48", "/32:1 48:1", false, false, true},
    {"SHFL.BFLY", A, "/16 32", "16:1/32:1", false, false, true},
    {"SHFL.BFLY", A, "16/32", "16:1/32:1", false, false, true},
    {"MATCH.ALL", A, "/16 32", "16:1/32:1", false, false, true},
    {"MATCH.ALL.U64", A, "/16 32", "16:1/32:2", false, false, true},
    {"MATCH.ANY.U64", A, "16/32", "16:1/32:2", false, false, true},
    {"IADD.64", A, "16/32 48", "16:1/32:1 48:1", false, false, false},
    {"MOV.64", A, "16/32", "16:1/32:1", false, false, false},
    {"SEL.U64", A, "16/32 48", "16:1/32:1 48:1", false, false, false},
    {"LOP3.S64", A, "16/32 48", "16:1/32:1 48:1", false, false, false},
    {"FADD.F32x2", A, "16/32 48", "16:1/32:1 48:1", false, false, false},
    {"HFMA2.F16x2", A, "16/32 48 64", "16:1/32:1 48:1 64:1", false, false, true},
    {"USHF.L.U64.HI", A, "/", "/", false, false, true},
    {"ARRIVES.LDGSTSBAR.64", M, "/", "/", false, false, true},
    {"IMAD", A, "16/32 48 64", "16:1/32:1 48:1 64:1", false, false, true},
    {"IMAD.MOV.U32", A, "16/255 255 64", "16:1/64:1", false, false, true},
    {"IMAD.WIDE", A, "16/32 48 64", "16:2/32:1 48:1 64:2", false, false, true},
    {"IMAD.WIDE", A, "16/32 48", "16:2/32:1 48:1", false, false, true},
    {"IMAD.WIDE", A, "16/32 #48", "16:2/32:1 48:2", false, false, true},
    {"IMAD.WIDE", A, "16/32 #49", "16:2/32:1 49:1", false, false, true}, /* at an odd register: no addend */
    {"LDG.E", M, "16/33", "16:1/33:1", true, false, true},               /* [R33.U32+UR4] */
    {"STG.E.64", M, "/33 48", "/33:1 48:2", false, true, true},
    {"LDGSTS.E.128", M, "/32 49", "/32:1 49:1", true, true, true},
    {"IMAD.WIDE.U32", A, "16/32 48 255", "16:2/32:1 48:1", false, false, true},
    {"IMAD.HI.U32", A, "16/32 48 64", "16:1/32:1 48:1 64:2", false, false, true},
    {"DADD", A, "16/32 48", "16:2/32:2 48:2", false, false, true},
    {"DFMA", A, "16/32 48 64", "16:2/32:2 48:2 64:2", false, false, true},
    {"DSETP.GT.AND", A, "/32 48", "/32:2 48:2", false, false, true},
    {"CS2R", A, "16/", "16:2/", false, false, true},
    {"CS2R.32", A, "16/", "16:1/", false, false, true},
    {"MUFU.RCP", S, "16/32", "16:1/32:1", false, false, true},
    {"MUFU.RCP64H", S, "16/32", "16:1/32:1", false, false, true},
    {"I2F.U32.RP", S, "16/32", "16:1/32:1", false, false, true},
    {"I2F.F64", S, "16/32", "16:2/32:1", false, false, true},
    {"I2F.S64", S, "16/32", "16:1/32:2", false, false, true},
    {"I2F.F64.U64", S, "16/32", "16:2/32:2", false, false, true},
    {"F2I.FTZ.U32.TRUNC.NTZ", S, "16/32", "16:1/32:1", false, false, true},
    {"F2I.F64.TRUNC", S, "16/32", "16:1/32:2", false, false, true},
    {"F2I.U64.TRUNC", S, "16/32", "16:2/32:1", false, false, true},
    {"F2I.S64.F64.TRUNC", S, "16/32", "16:2/32:2", false, false, true},
    {"F2F.F64.F32", S, "16/32", "16:2/32:1", false, false, true},
    {"F2F.F32.F64", S, "16/32", "16:1/32:2", false, false, true},
    {"F2F.FTZ.F64.F16", S, "16/32", "16:2/32:1", false, false, true},
    {"F2F.F16.F32", S, "16/32", "16:1/32:1", false, false, true},
    {"FRND.F64.FLOOR", S, "16/32", "16:2/32:2", false, false, true},
    {"LDG.E", M, "16/32", "16:1/32:2", true, false, true},
    {"LDG.E.U8", M, "16/32", "16:1/32:2", true, false, true},
    {"LDG.E.64.CONSTANT", M, "16/32", "16:2/32:2", true, false, true},
    {"LDG.E.LTC128B.128", M, "16/32", "16:4/32:2", true, false, true},
    {"LDG.E.LTC128B", M, "16/32", "16:1/32:2", true, false, true},
    {"LDG", M, "16/32", "16:1/32:1", true, false, true},
    {"LDS.128", M, "16/32", "16:4/32:1", true, false, true},
    {"LDL.64", M, "16/32", "16:2/32:1", true, false, true},
    {"LDC.64", M, "16/", "16:2/", true, false, true},
    {"STG.E.128", M, "/32 48", "/32:2 48:4", false, true, true},
    {"STG.E", M, "/32 255", "/32:2", false, true, true},
    {"STL.64", M, "/32 48", "/32:1 48:2", false, true, true},
    {"STS.U16", M, "/32 48", "/32:1 48:1", false, true, true},
    {"RED.E.ADD.F64.RN.STRONG.GPU", M, "/32 48", "/32:2 48:2", true, true, true},
    {"ATOMG.E.ADD.STRONG.GPU", M, "/16 32 48", "16:1/32:2 48:1", true, true, true},
    {"ATOMG.E.CAS.64.STRONG.GPU", M, "/16 32 48 64", "16:2/32:2 48:2 64:2", true, true, true},
    {"RED.E.ADD.F32x2.RN", M, "/32 48", "/32:2 48:2", true, true, true},
    {"REDG.E.ADD.F32x4.RN.STRONG.GPU", M, "/32 48", "/32:2 48:4", true, true, true},
    {"REDG.E.ADD.F16x2.RN", M, "/32 48", "/32:2 48:1", true, true, true},
    {"REDG.E.ADD.BF16x8", M, "/32 48", "/32:2 48:4", true, true, true},
    {"REDG.E.ADD.F64x8", M, "/32 48", "/32:1 48:1", true, true, false},
    {"REDG.E.ADD.64x2", M, "/32 48", "/32:2 48:1", true, true, true},
    {"REDG.E.ADD.F32x21", M, "/32 48", "/32:2 48:1", true, true, true},
    {"ATOMG.E.ADD.F16x4.RN", M, "/16 32 48", "16:2/32:2 48:2", true, true, true},
    {"LDG.E.ENL2.256", M, "16 32/48", "16:1 32:1/48:1", true, false, false},
    {"STG.E.ENL2.256", M, "/32 48 64", "/32:1 48:1 64:1", false, true, false},
    {"QSPC.E.S", M, "/255 32", "/32:1", false, false, false},
    {"CCTL.E.IVALL", M, "/32", "/32:2", false, false, true},
    {"ATOMS.CAS", M, "16/32 48 64", "16:1/32:1 48:1 64:1", true, true, true},
    {"LDGSTS.E.BYPASS.LTC128B.128", M, "/32 48", "/32:1 48:2", true, true, true},
    {"LDSM.16.M88.4", M, "16/32", "16:4/32:1", true, false, true},
    {"LDSM.16.MT88.2", M, "16/32", "16:2/32:1", true, false, true},
    {"LDSM.16.M88", M, "16/32", "16:1/32:1", true, false, true},
    {"STSM.16.M88.4", M, "/32 48", "/32:1 48:4", false, true, true},
    {"TEX.SCR.LL", M, "16/32 48", "16:1/32:1 48:1", true, false, false},
    {"HMMA.884.F32.F32.STEP0", T, "16/32 48 64", "16:2/32:2 48:2 64:2", false, false, true},
    {"HMMA.1688.F32", T, "16/32 48 64", "16:4/32:2 48:1 64:4", false, false, true},
    {"HMMA.1688.F16", T, "16/32 48 64", "16:2/32:2 48:1 64:2", false, false, true},
    {"HMMA.1688.F32.TF32", T, "16/32 48 64", "16:4/32:4 48:2 64:4", false, false, true},
    {"HMMA.16816.F32.BF16", T, "16/32 48 64", "16:4/32:4 48:2 64:4", false, false, true},
    {"HMMA.16816.F16", T, "16/32 48 255", "16:2/32:4 48:2", false, false, true},
    {"HMMA.SP.16832.F32", T, "16/32 48 64 80", "16:1/32:1 48:1 64:1 80:1", false, false, false},
    {"IMMA.8816.S8.S8.SAT", T, "16/32 48 64", "16:2/32:1 48:1 64:2", false, false, true},
    {"IMMA.16832.S8.S8", T, "16/32 48 64", "16:4/32:4 48:2 64:4", false, false, true},
    {"IMMA.16832.U4.S4", T, "16/32 48 64", "16:4/32:2 48:1 64:4", false, false, true},
    {"BMMA.168256.XOR.POPC", T, "16/32 48 64", "16:4/32:4 48:2 64:4", false, false, true},
    {"DMMA.884", T, "16/32 48 64", "16:4/32:2 48:2 64:4", false, false, true},
    {"DMMA.16816", T, "16/32 48 64", "16:1/32:1 48:1 64:1", false, false, false},
    {"HGMMA.64x128x16.F32", T, "16/", "16:1/", false, false, false},
    {"IGMMA.64x64x32.S8.S8", T, "16/", "16:1/", false, false, false},
    {"OMMA.SF.16864.F32.E2M1.E2M1.UE8", T, "16/32 48 64 80", "16:1/32:1 48:1 64:1 80:1", false, false, false},
    {"QMMA.SF.16832.F32.E4M3.E4M3.E8", T, "16/32 48 64 80", "16:1/32:1 48:1 64:1 80:1", false, false, false},
    {"UTCHMMA", T, "/255 255", "/", false, false, true},
    {"UTCQMMA.2CTA", T, "/255 255", "/", false, false, true},
    {"UTCBAR.MULTICAST", T, "/255", "/", false, false, true},
    {"FADD2", A, "16/32 48", "16:2/32:1 48:1", false, false, false},
    {"FFMA2.FTZ", A, "16/32 48 64", "16:2/32:1 48:1 64:1", false, false, false},
    {"FMUL2", A, "16/32 255", "16:2/32:1", false, false, false},
    {"FMNMX3.FTZ", A, "16/32 48 64", "16:1/32:1 48:1 64:1", false, false, true},
    {"FHFMA", A, "16/32 48 64", "16:1/32:1 48:1 64:1", false, false, true},
    {"LDCU.64", A, "255/", "/", false, false, true},
    {"LDCU.128", A, "255/255", "/", false, false, true},
    {"UFADD", A, "255/255 255", "/", false, false, true},
    {"UFFMA.FTZ", A, "255/255 255 255", "/", false, false, true},
    {"UFMUL", A, "255/255 255", "/", false, false, true},
    {"UFSETP.GT.AND", A, "/255", "/", false, false, true},
    {"UFSEL", A, "255/255 255", "/", false, false, true},
    {"UI2F.F64", A, "255/255", "/", false, false, true},
    {"UF2I.U64.TRUNC", A, "255/255", "/", false, false, true},
    {"LDTM.x32", M, "16/255", "16:1/", true, false, false},
    {"STTM.16dp256bit.x4", M, "/255 32", "/32:1", false, true, false},
    {"SYNCS.PHASECHK.TRANS64.TRYWAIT", M, "/255 32", "/32:1", false, false, false},
    {"LDGMC.E.ADD.F32x4.RN", M, "16/32", "16:1/32:1", true, false, false},
    {"CGAERRBAR", C, "/", "/", false, false, true},
    {"BRA", C, "/", "/", false, false, true},
    {"RET.REL.NODEC", C, "/32", "/32:2", false, false, true},
    {"BAR.SYNC.DEFER_BLOCKING", C, "/", "/", false, false, true},
    {"EXIT", C, "/", "/", false, false, true},
    {"ULDC.64", A, "/", "/", false, false, true},
    {"XYZZY.64", A, "16/32 48", "16:1/32:1 48:1", false, false, false},
    {"IMADX", A, "16/32", "16:1/32:1", false, false, false},
    {"IMA", A, "16/32", "16:1/32:1", false, false, false},
};

static void parse_listed(const char *text, rf_listed *listed) {
    bool sources = false;
    *listed = (rf_listed){0};
    for (const char *p = text; *p; p++) {
        if (*p == '/') sources = true;
        if (*p == '#') listed->immediate = true;
        if (*p < '0' || *p > '9') continue;
        unsigned value = 0;
        int used = 0;
        assert_int_equal(sscanf(p, "%u%n", &value, &used), 1);
        if (sources) listed->src[listed->nsrc++] = (uint8_t)value;
        else listed->dst[listed->ndst++] = (uint8_t)value;
        p += used - 1;
    }
}

/* Registers as "base:count" words: a new word at every multiple of 16. */
static void print_registers(const uint8_t *list, uint32_t count, char *out) {
    for (uint32_t i = 0; i < count;) {
        uint32_t n = 1;
        while (i + n < count && list[i + n] == list[i] + n && list[i + n] % 16 != 0) n++;
        out += sprintf(out, "%s%u:%u", i ? " " : "", list[i], n);
        i += n;
    }
}

static void test_rules(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rf_opcode op;
        rf_listed listed;
        rf_inst inst = {0};
        uint8_t base = 0;
        bool odd = true;
        char got[256] = "";
        assert_int_equal(rf_opcode_decode(cases[i].text, strlen(cases[i].text), &op), 0);
        parse_listed(cases[i].listed, &listed);
        assert_null(rf_opcode_expand(&op, &listed, &inst, &base, &odd));
        print_registers(inst.dst, inst.ndst, got);
        strcat(got, "/");
        print_registers(inst.src, inst.nsrc, got + strlen(got));
        if (strcmp(got, cases[i].expected) != 0)
            fail_msg("%s %s: %s, not %s", cases[i].text, cases[i].listed, got, cases[i].expected);
        if ((int)op.opclass != cases[i].opclass || op.load != cases[i].load || op.store != cases[i].store ||
            op.known != cases[i].known)
            fail_msg("%s: class, load, store or known", cases[i].text);
        if (odd) fail_msg("%s %s: at an odd register", cases[i].text, cases[i].listed);
    }
}

static void test_limits(void **state) {
    (void)state;
    rf_opcode op;
    rf_inst inst = {0};
    uint8_t base = 0;
    bool odd = false;
    assert_int_equal(rf_opcode_decode("", 0, &op), -1);
    assert_int_equal(rf_opcode_decode("A", RF_OPCODE_TEXT_MAX + 1, &op), -1);
    assert_int_equal(rf_opcode_decode("DADD", 4, &op), 0);
    assert_null(rf_opcode_expand(&op, &(rf_listed){.ndst = 1, .dst = {253}}, &inst, &base, &odd));
    assert_int_equal(inst.dst[1], 254);
    assert_true(odd); /* no pair begins there */
    assert_null(rf_opcode_expand(&op, &(rf_listed){.ndst = 1, .dst = {252}, .nsrc = 1, .src = {7}}, &inst, &base, &odd));
    assert_true(odd);
    assert_string_equal(rf_opcode_expand(&op, &(rf_listed){.ndst = 1, .dst = {254}}, &inst, &base, &odd), "reaches above R254");
    assert_int_equal(base, 254);
    assert_int_equal(rf_opcode_decode("LDG.E.128", 9, &op), 0); /* several destinations are all listed */
    assert_null(rf_opcode_expand(&op, &(rf_listed){.ndst = 4, .dst = {8, 9, 10, 11}}, &inst, &base, &odd));
    assert_int_equal(inst.ndst, 4);
    assert_int_equal(rf_opcode_decode("LDSM.16.M88.4", 13, &op), 0);
    assert_int_equal(op.width, 16);
    assert_true(rf_fnv1a("", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(rf_fnv1a("foobar", 6) == UINT64_C(0x85944171f73967e8)); /* published test vector */
}

static void test_table(void **state) {
    (void)state;
    rf_optable *const table = rf_optable_new();
    char text[32];
    const rf_opcode *entry[RF_OPCODE_DISTINCT];
    assert_non_null(table);
    for (unsigned i = 0; i < RF_OPCODE_DISTINCT; i++) {
        entry[i] = rf_optable_find(table, text, (size_t)sprintf(text, "OP%u", i));
        assert_non_null(entry[i]);
    }
    for (unsigned i = 0; i < RF_OPCODE_DISTINCT; i++) {
        const int length = sprintf(text, "OP%u", i);
        assert_ptr_equal(rf_optable_find(table, text, (size_t)length), entry[i]);
        assert_string_equal(entry[i]->text, text);
    }
    assert_null(rf_optable_find(table, "MORE", 4));
    assert_null(rf_optable_find(table, "", 0));
    rf_optable_free(table);
    rf_optable_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules), cmocka_unit_test(test_limits), cmocka_unit_test(test_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
