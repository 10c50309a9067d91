/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder in front of rf_wir: which opcode texts may be looked up and which not, and why; what they do to memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tb/wir/rf_wir_decode.h"

/* Decodes the text as an instruction of one uop with a result in R1 and sources in slots 0 and 1. */
static rf_wir_decoded decode(const char *text, rf_opclass opclass, bool load, bool store) {
    uint32_t value[32] = {0};
    rf_inst inst = {.mnemonic = text, .opcode = 1, .mask = UINT32_MAX, .opclass = opclass, .load = load, .store = store};
    inst.nsrc = 2;
    inst.src[0] = 2;
    inst.src[1] = 3;
    inst.ndst = store ? 0 : 1;
    inst.dst[0] = 1;
    inst.value = value;
    inst.index = RF_INDEX_NONE;
    rf_wir_decoder *decoder = rf_wir_decoder_new(3, 64);
    rf_wir_decoded out;
    rf_wir_decode(decoder, &inst, true, 3, 0, &out);
    assert_int_equal(out.reuse, out.why == RF_WIR_MAY);
    assert_int_equal(rf_wir_decoder_refused(decoder), 0);
    rf_wir_decoder_free(decoder);
    return out;
}

static void check_why(const char *const *list, rf_wir_why why) {
    for (; *list != NULL; list++)
        if (decode(*list, RF_OP_ALU, false, false).why != why) fail_msg("%s: not %d", *list, (int)why);
}

/* Predicates, carries, other lanes and the lane's own state are no operands of an rf_inst. */
static void hidden_inputs(void **state) {
    (void)state;
    static const char *const hidden[] = {"addc.u32",
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
    static const char *const shown[] = {"add.u32",   "add.cc.u32", "mad.lo.u32",  "IADD3",    "IMAD.MOV.U32",
                                        "IMAD.WIDE", "LEA.HI",     "LEA.HI.SX32", "LOP3.LUT", "FADD.FTZ",
                                        "F2I.XYZ",   "XMAD",       "PRMT",        "vadd.vv",  NULL};
    check_why(hidden, RF_WIR_HIDDEN);
    check_why(shown, RF_WIR_MAY);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(hidden_inputs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
