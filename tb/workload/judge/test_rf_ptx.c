/* SPDX-License-Identifier: Apache-2.0 */
/* PTX reader, instructions: every row of its table with the fields that it must set, every operand and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cmodel/workload/rf_ptx.h"
#include "tb/workload/rf_memory.h"

#define HEAD                                                                                                                     \
    ".version 7.8\n.target sm_80\n.address_size 64\n"                                                                            \
    ".global .align 4 .b8 gl[16];\n.const .b32 co = 1;\n.shared .align 8 .b8 sh[16];\n"                                          \
    ".entry k(.param .u64 pa, .param .align 4 .b8 pb[12])\n{\n"                                                                  \
    ".reg .pred p<4>; .reg .b8 c<4>; .reg .b16 h<4>; .reg .f16 e<4>; .reg .b32 r<8>; .reg .u32 u<4>; .reg .s32 s<4>;"            \
    ".reg .f32 f<8>; .reg .b64 d<8>; .reg .f64 g<4>; .param .b32 arg;\n"
#define TAIL "\nEND: ret;\n}\n"

static int read_text(const char *text, rf_module *module, char *error, size_t size) {
    const rf_memory_file file = {.path = "t.ptx", .text = text, .size = strlen(text), .piece = 7};
    rf_memory memory = {&file, 1};
    const rf_source source = rf_memory_source(&memory);
    return rf_ptx_read(&source, "t.ptx", module, error, size);
}

/* The one entry with `line` before its ret. */
static int read_line(const char *line, rf_module *module, char *error, size_t size) {
    char text[4096];
    const int n = snprintf(text, sizeof text, "%s%s%s", HEAD, line, TAIL);
    assert_true(n > 0 && (size_t)n < sizeof text);
    return read_text(text, module, error, size);
}

/* --- every instruction ------------------------------------------------------------------------------------------------------ */

typedef struct sample {
    const char *text;    /* PTX, without its semicolon */
    const char *printed; /* NULL: as `text` */
    rf_kop op;
    rf_ktype type, src_type; /* src_type NONE: as type */
    uint8_t part, round, cmp, boolean, space, mode;
    uint16_t flags;
    uint8_t vector; /* 0: 1 */
    uint8_t ndst, nsrc;
    int64_t offset;
} sample;

static const sample samples[] = {
    {"mov.u32 r1, r2", .op = RF_K_MOV, .type = RF_T_U32, .ndst = 1, .nsrc = 1},
    {"mov.f64 g1, 0d3ff0000000000000", .op = RF_K_MOV, .type = RF_T_F64, .ndst = 1, .nsrc = 1},
    {"mov.pred p1, !p2", .op = RF_K_MOV, .type = RF_T_PRED, .ndst = 1, .nsrc = 1},
    {"mov.pred p1, -1", "mov.pred p1, 1", .op = RF_K_MOV, .type = RF_T_PRED, .ndst = 1, .nsrc = 1},
    {"mov.u32 r1, %ctaid.y", .op = RF_K_MOV, .type = RF_T_U32, .ndst = 1, .nsrc = 1},
    {"mov.u64 d1, %clock64", .op = RF_K_MOV, .type = RF_T_U64, .ndst = 1, .nsrc = 1},
    {"mov.u64 d1, gl+4", "mov.u64 d1, 65540", .op = RF_K_MOV, .type = RF_T_U64, .ndst = 1, .nsrc = 1},
    {"mov.u64 d1, co", "mov.u64 d1, 65552", .op = RF_K_MOV, .type = RF_T_U64, .ndst = 1, .nsrc = 1},
    {"mov.u32 r1, sh", "mov.u32 r1, 0", .op = RF_K_MOV, .type = RF_T_U32, .ndst = 1, .nsrc = 1},
    {"mov.b64 d1, pb", "mov.b64 d1, 8", .op = RF_K_MOV, .type = RF_T_B64, .ndst = 1, .nsrc = 1},
    {"mov.b64 d1, {r1, r2}", .op = RF_K_PACK, .type = RF_T_B64, .vector = 2, .ndst = 1, .nsrc = 2},
    {"mov.b64 {r1, _}, d1", .op = RF_K_UNPACK, .type = RF_T_B64, .vector = 2, .ndst = 2, .nsrc = 1},
    {"mov.b64 {h0, h1, h2, h3}, d1", .op = RF_K_UNPACK, .type = RF_T_B64, .vector = 4, .ndst = 4, .nsrc = 1},
    {"mov.b32 r1, {c0, c1, c2, c3}", .op = RF_K_PACK, .type = RF_T_B32, .vector = 4, .ndst = 1, .nsrc = 4},
    {"mov.b32 f1, {h1, 7}", .op = RF_K_PACK, .type = RF_T_B32, .vector = 2, .ndst = 1, .nsrc = 2},

    {"add.s32 r1, r2, -5", .op = RF_K_ADD, .type = RF_T_S32, .ndst = 1, .nsrc = 2},
    {"add.u16 h1, h2, h3", .op = RF_K_ADD, .type = RF_T_U16, .ndst = 1, .nsrc = 2},
    {"add.sat.s32 r1, r2, r3", .op = RF_K_ADD, .type = RF_T_S32, .flags = RF_F_SAT, .ndst = 1, .nsrc = 2},
    {"add.cc.u32 r1, r2, r3", .op = RF_K_ADD, .type = RF_T_U32, .flags = RF_F_CC, .ndst = 1, .nsrc = 2},
    {"add.f32 f1, f2, 0f3f800000", .op = RF_K_ADD, .type = RF_T_F32, .ndst = 1, .nsrc = 2},
    {"add.rz.ftz.sat.f32 f1, f2, f3", .op = RF_K_ADD, .type = RF_T_F32, .round = RF_R_RZ, .flags = RF_F_FTZ | RF_F_SAT, .ndst = 1,
     .nsrc = 2},
    {"add.rn.f64 g1, g2, g3", .op = RF_K_ADD, .type = RF_T_F64, .round = RF_R_RN, .ndst = 1, .nsrc = 2},
    {"sub.s64 d1, d2, d3", .op = RF_K_SUB, .type = RF_T_S64, .ndst = 1, .nsrc = 2},
    {"sub.sat.s32 r1, r2, r3", .op = RF_K_SUB, .type = RF_T_S32, .flags = RF_F_SAT, .ndst = 1, .nsrc = 2},
    {"sub.cc.s64 d1, d2, d3", .op = RF_K_SUB, .type = RF_T_S64, .flags = RF_F_CC, .ndst = 1, .nsrc = 2},
    {"sub.rp.f32 f1, f2, f3", .op = RF_K_SUB, .type = RF_T_F32, .round = RF_R_RP, .ndst = 1, .nsrc = 2},
    {"sub.f64 g1, g2, g3", .op = RF_K_SUB, .type = RF_T_F64, .ndst = 1, .nsrc = 2},
    {"mul.lo.s32 r1, r2, r3", .op = RF_K_MUL, .type = RF_T_S32, .part = RF_PART_LO, .ndst = 1, .nsrc = 2},
    {"mul.hi.u64 d1, d2, d3", .op = RF_K_MUL, .type = RF_T_U64, .part = RF_PART_HI, .ndst = 1, .nsrc = 2},
    {"mul.wide.s32 d1, r2, 4", .op = RF_K_MUL, .type = RF_T_S32, .part = RF_PART_WIDE, .ndst = 1, .nsrc = 2},
    {"mul.wide.u16 r1, h2, h3", .op = RF_K_MUL, .type = RF_T_U16, .part = RF_PART_WIDE, .ndst = 1, .nsrc = 2},
    {"mul.rm.ftz.f32 f1, f2, f3", .op = RF_K_MUL, .type = RF_T_F32, .round = RF_R_RM, .flags = RF_F_FTZ, .ndst = 1, .nsrc = 2},
    {"mul.f64 g1, g2, g3", .op = RF_K_MUL, .type = RF_T_F64, .ndst = 1, .nsrc = 2},
    {"mad.lo.s32 r1, r2, r3, r4", .op = RF_K_MAD, .type = RF_T_S32, .part = RF_PART_LO, .ndst = 1, .nsrc = 3},
    {"mad.wide.s16 r1, h2, h3, r4", .op = RF_K_MAD, .type = RF_T_S16, .part = RF_PART_WIDE, .ndst = 1, .nsrc = 3},
    {"mad.hi.sat.s32 r1, r2, r3, r4", .op = RF_K_MAD, .type = RF_T_S32, .part = RF_PART_HI, .flags = RF_F_SAT, .ndst = 1,
     .nsrc = 3},
    {"mad.lo.cc.u32 r1, r2, r3, r4", .op = RF_K_MAD, .type = RF_T_U32, .flags = RF_F_CC, .ndst = 1, .nsrc = 3},
    {"mad.rn.f32 f1, f2, f3, f4", .op = RF_K_FMA, .type = RF_T_F32, .round = RF_R_RN, .ndst = 1, .nsrc = 3},
    {"mad.rz.f64 g1, g2, g3, g0", .op = RF_K_FMA, .type = RF_T_F64, .round = RF_R_RZ, .ndst = 1, .nsrc = 3},
    {"fma.rn.ftz.f32 f1, f2, f3, f4", .op = RF_K_FMA, .type = RF_T_F32, .round = RF_R_RN, .flags = RF_F_FTZ, .ndst = 1,
     .nsrc = 3},
    {"fma.rp.f64 g1, g2, g3, g0", .op = RF_K_FMA, .type = RF_T_F64, .round = RF_R_RP, .ndst = 1, .nsrc = 3},
    {"addc.cc.s32 r1, r2, r3", .op = RF_K_ADDC, .type = RF_T_S32, .flags = RF_F_CC, .ndst = 1, .nsrc = 2},
    {"subc.u64 d1, d2, d3", .op = RF_K_SUBC, .type = RF_T_U64, .ndst = 1, .nsrc = 2},
    {"madc.hi.cc.u32 r1, r2, r3, r4", .op = RF_K_MADC, .type = RF_T_U32, .part = RF_PART_HI, .flags = RF_F_CC, .ndst = 1,
     .nsrc = 3},
    {"mul24.hi.s32 r1, r2, r3", .op = RF_K_MUL24, .type = RF_T_S32, .part = RF_PART_HI, .ndst = 1, .nsrc = 2},
    {"mad24.lo.u32 r1, r2, r3, r4", .op = RF_K_MAD24, .type = RF_T_U32, .ndst = 1, .nsrc = 3},
    {"mad24.hi.sat.s32 r1, r2, r3, r4", .op = RF_K_MAD24, .type = RF_T_S32, .part = RF_PART_HI, .flags = RF_F_SAT, .ndst = 1,
     .nsrc = 3},
    {"sad.u64 d1, d2, d3, d4", .op = RF_K_SAD, .type = RF_T_U64, .ndst = 1, .nsrc = 3},
    {"div.s16 h1, h2, h3", .op = RF_K_DIV, .type = RF_T_S16, .ndst = 1, .nsrc = 2},
    {"div.approx.ftz.f32 f1, f2, f3", .op = RF_K_DIV, .type = RF_T_F32, .flags = RF_F_APPROX | RF_F_FTZ, .ndst = 1, .nsrc = 2},
    {"div.full.f32 f1, f2, f3", .op = RF_K_DIV, .type = RF_T_F32, .flags = RF_F_FULL, .ndst = 1, .nsrc = 2},
    {"div.rn.f32 f1, f2, f3", .op = RF_K_DIV, .type = RF_T_F32, .round = RF_R_RN, .ndst = 1, .nsrc = 2},
    {"div.rz.f64 g1, g2, g3", .op = RF_K_DIV, .type = RF_T_F64, .round = RF_R_RZ, .ndst = 1, .nsrc = 2},
    {"rem.u32 r1, r2, r3", .op = RF_K_REM, .type = RF_T_U32, .ndst = 1, .nsrc = 2},
    {"abs.s32 r1, r2", .op = RF_K_ABS, .type = RF_T_S32, .ndst = 1, .nsrc = 1},
    {"abs.ftz.f32 f1, f2", .op = RF_K_ABS, .type = RF_T_F32, .flags = RF_F_FTZ, .ndst = 1, .nsrc = 1},
    {"abs.f64 g1, g2", .op = RF_K_ABS, .type = RF_T_F64, .ndst = 1, .nsrc = 1},
    {"neg.s64 d1, d2", .op = RF_K_NEG, .type = RF_T_S64, .ndst = 1, .nsrc = 1},
    {"neg.f32 f1, f2", .op = RF_K_NEG, .type = RF_T_F32, .ndst = 1, .nsrc = 1},
    {"neg.f64 g1, g2", .op = RF_K_NEG, .type = RF_T_F64, .ndst = 1, .nsrc = 1},
    {"min.u16 h1, h2, h3", .op = RF_K_MIN, .type = RF_T_U16, .ndst = 1, .nsrc = 2},
    {"min.ftz.NaN.f32 f1, f2, f3", .op = RF_K_MIN, .type = RF_T_F32, .flags = RF_F_FTZ | RF_F_NAN, .ndst = 1, .nsrc = 2},
    {"min.f64 g1, g2, g3", .op = RF_K_MIN, .type = RF_T_F64, .ndst = 1, .nsrc = 2},
    {"max.s64 d1, d2, d3", .op = RF_K_MAX, .type = RF_T_S64, .ndst = 1, .nsrc = 2},
    {"max.f32 f1, f2, f3", .op = RF_K_MAX, .type = RF_T_F32, .ndst = 1, .nsrc = 2},
    {"max.f64 g1, g2, g3", .op = RF_K_MAX, .type = RF_T_F64, .ndst = 1, .nsrc = 2},
    {"copysign.f32 f1, f2, f3", .op = RF_K_COPYSIGN, .type = RF_T_F32, .ndst = 1, .nsrc = 2},
    {"copysign.f64 g1, g2, g3", .op = RF_K_COPYSIGN, .type = RF_T_F64, .ndst = 1, .nsrc = 2},
    {"testp.infinite.f32 p1, f2", .op = RF_K_TESTP, .type = RF_T_F32, .mode = RF_M_INFINITE, .ndst = 1, .nsrc = 1},
    {"testp.subnormal.f64 p1, g2", .op = RF_K_TESTP, .type = RF_T_F64, .mode = RF_M_SUBNORMAL, .ndst = 1, .nsrc = 1},
    {"rcp.approx.f32 f1, f2", .op = RF_K_RCP, .type = RF_T_F32, .flags = RF_F_APPROX, .ndst = 1, .nsrc = 1},
    {"rcp.rm.ftz.f32 f1, f2", .op = RF_K_RCP, .type = RF_T_F32, .round = RF_R_RM, .flags = RF_F_FTZ, .ndst = 1, .nsrc = 1},
    {"rcp.rn.f64 g1, g2", .op = RF_K_RCP, .type = RF_T_F64, .round = RF_R_RN, .ndst = 1, .nsrc = 1},
    {"rcp.approx.ftz.f64 g1, g2", .op = RF_K_RCP, .type = RF_T_F64, .flags = RF_F_APPROX | RF_F_FTZ, .ndst = 1, .nsrc = 1},
    {"sqrt.approx.ftz.f32 f1, f2", .op = RF_K_SQRT, .type = RF_T_F32, .flags = RF_F_APPROX | RF_F_FTZ, .ndst = 1, .nsrc = 1},
    {"sqrt.rn.f32 f1, f2", .op = RF_K_SQRT, .type = RF_T_F32, .round = RF_R_RN, .ndst = 1, .nsrc = 1},
    {"sqrt.rz.f64 g1, g2", .op = RF_K_SQRT, .type = RF_T_F64, .round = RF_R_RZ, .ndst = 1, .nsrc = 1},
    {"rsqrt.approx.f32 f1, f2", .op = RF_K_RSQRT, .type = RF_T_F32, .flags = RF_F_APPROX, .ndst = 1, .nsrc = 1},
    {"rsqrt.approx.f64 g1, g2", .op = RF_K_RSQRT, .type = RF_T_F64, .flags = RF_F_APPROX, .ndst = 1, .nsrc = 1},
    {"sin.approx.f32 f1, f2", .op = RF_K_SIN, .type = RF_T_F32, .flags = RF_F_APPROX, .ndst = 1, .nsrc = 1},
    {"cos.approx.ftz.f32 f1, f2", .op = RF_K_COS, .type = RF_T_F32, .flags = RF_F_APPROX | RF_F_FTZ, .ndst = 1, .nsrc = 1},
    {"lg2.approx.f32 f1, f2", .op = RF_K_LG2, .type = RF_T_F32, .flags = RF_F_APPROX, .ndst = 1, .nsrc = 1},
    {"ex2.approx.f32 f1, f2", .op = RF_K_EX2, .type = RF_T_F32, .flags = RF_F_APPROX, .ndst = 1, .nsrc = 1},
    {"tanh.approx.f32 f1, f2", .op = RF_K_TANH, .type = RF_T_F32, .flags = RF_F_APPROX, .ndst = 1, .nsrc = 1},

    {"and.b32 r1, r2, 255", .op = RF_K_AND, .type = RF_T_B32, .ndst = 1, .nsrc = 2},
    {"and.pred p1, p2, !p3", .op = RF_K_AND, .type = RF_T_PRED, .ndst = 1, .nsrc = 2},
    {"or.b64 d1, d2, d3", .op = RF_K_OR, .type = RF_T_B64, .ndst = 1, .nsrc = 2},
    {"xor.b16 h1, h2, -1", .op = RF_K_XOR, .type = RF_T_B16, .ndst = 1, .nsrc = 2},
    {"not.pred p1, p2", .op = RF_K_NOT, .type = RF_T_PRED, .ndst = 1, .nsrc = 1},
    {"cnot.b32 r1, r2", .op = RF_K_CNOT, .type = RF_T_B32, .ndst = 1, .nsrc = 1},
    {"shl.b64 d1, d2, r3", .op = RF_K_SHL, .type = RF_T_B64, .ndst = 1, .nsrc = 2},
    {"shr.s16 h1, h2, 3", .op = RF_K_SHR, .type = RF_T_S16, .ndst = 1, .nsrc = 2},
    {"shf.l.wrap.b32 r1, r2, r3, 5", .op = RF_K_SHF_L, .type = RF_T_B32, .mode = RF_M_WRAP, .ndst = 1, .nsrc = 3},
    {"shf.r.clamp.b32 r1, r2, r3, r4", .op = RF_K_SHF_R, .type = RF_T_B32, .mode = RF_M_CLAMP, .ndst = 1, .nsrc = 3},
    {"lop3.b32 r1, r2, r3, r4, 0xe8", "lop3.b32 r1, r2, r3, r4, 232", .op = RF_K_LOP3, .type = RF_T_B32, .ndst = 1, .nsrc = 4},
    {"prmt.b32 r1, r2, r3, 0x3210", "prmt.b32 r1, r2, r3, 12816", .op = RF_K_PRMT, .type = RF_T_B32, .ndst = 1, .nsrc = 3},
    {"prmt.b32.rc16 r1, r2, r3, r4", .op = RF_K_PRMT, .type = RF_T_B32, .mode = RF_M_RC16, .ndst = 1, .nsrc = 3},
    {"popc.b64 r1, d2", .op = RF_K_POPC, .type = RF_T_B64, .ndst = 1, .nsrc = 1},
    {"clz.b32 r1, r2", .op = RF_K_CLZ, .type = RF_T_B32, .ndst = 1, .nsrc = 1},
    {"bfind.shiftamt.u64 r1, d2", .op = RF_K_BFIND, .type = RF_T_U64, .flags = RF_F_SHIFTAMT, .ndst = 1, .nsrc = 1},
    {"brev.b64 d1, d2", .op = RF_K_BREV, .type = RF_T_B64, .ndst = 1, .nsrc = 1},
    {"bfe.s64 d1, d2, r3, 255", .op = RF_K_BFE, .type = RF_T_S64, .ndst = 1, .nsrc = 3},
    {"bfi.b32 r1, r2, r3, 4, r5", .op = RF_K_BFI, .type = RF_T_B32, .ndst = 1, .nsrc = 4},
    {"fns.b32 r1, r2, r3, r4", .op = RF_K_FNS, .type = RF_T_B32, .ndst = 1, .nsrc = 3},
    {"dp4a.u32.s32 r1, r2, r3, r4", .op = RF_K_DP4A, .type = RF_T_U32, .src_type = RF_T_S32, .ndst = 1, .nsrc = 3},

    {"setp.ne.b64 p1, d2, 0", .op = RF_K_SETP, .type = RF_T_B64, .cmp = RF_C_NE, .ndst = 1, .nsrc = 2},
    {"setp.gt.or.s32 p1|p2, r2, r3, !p3", .op = RF_K_SETP, .type = RF_T_S32, .cmp = RF_C_GT, .boolean = RF_B_OR, .ndst = 2,
     .nsrc = 3},
    {"setp.hs.u16 p1, h2, h3", .op = RF_K_SETP, .type = RF_T_U16, .cmp = RF_C_HS, .ndst = 1, .nsrc = 2},
    {"setp.nan.ftz.f32 _|p1, f2, f3", .op = RF_K_SETP, .type = RF_T_F32, .cmp = RF_C_NAN, .flags = RF_F_FTZ, .ndst = 2,
     .nsrc = 2},
    {"setp.geu.xor.f64 p1, g2, g3, p0", .op = RF_K_SETP, .type = RF_T_F64, .cmp = RF_C_GEU, .boolean = RF_B_XOR, .ndst = 1,
     .nsrc = 3},
    {"set.eq.s32.b16 r1, h2, h3", .op = RF_K_SET, .type = RF_T_S32, .src_type = RF_T_B16, .ndst = 1, .nsrc = 2},
    {"set.le.u32.s64 r1, d2, d3", .op = RF_K_SET, .type = RF_T_U32, .src_type = RF_T_S64, .cmp = RF_C_LE, .ndst = 1, .nsrc = 2},
    {"set.hi.and.f32.u32 f1, r2, r3, p1", .op = RF_K_SET, .type = RF_T_F32, .src_type = RF_T_U32, .cmp = RF_C_HI,
     .boolean = RF_B_AND, .ndst = 1, .nsrc = 3},
    {"set.ltu.ftz.u32.f32 r1, f2, f3", .op = RF_K_SET, .type = RF_T_U32, .src_type = RF_T_F32, .cmp = RF_C_LTU, .flags = RF_F_FTZ,
     .ndst = 1, .nsrc = 2},
    {"set.num.f32.f64 f1, g2, g3", .op = RF_K_SET, .type = RF_T_F32, .src_type = RF_T_F64, .cmp = RF_C_NUM, .ndst = 1, .nsrc = 2},
    {"selp.f64 g1, g2, g3, !p1", .op = RF_K_SELP, .type = RF_T_F64, .ndst = 1, .nsrc = 3},
    {"slct.u64.s32 d1, d2, d3, s1", .op = RF_K_SLCT, .type = RF_T_U64, .src_type = RF_T_S32, .ndst = 1, .nsrc = 3},
    {"slct.ftz.b32.f32 r1, r2, r3, f1", .op = RF_K_SLCT, .type = RF_T_B32, .src_type = RF_T_F32, .flags = RF_F_FTZ, .ndst = 1,
     .nsrc = 3},

    {"cvt.sat.u8.s32 h1, r2", .op = RF_K_CVT, .type = RF_T_U8, .src_type = RF_T_S32, .flags = RF_F_SAT, .ndst = 1, .nsrc = 1},
    {"cvt.u64.u32 d1, %tid.x", .op = RF_K_CVT, .type = RF_T_U64, .src_type = RF_T_U32, .ndst = 1, .nsrc = 1},
    {"cvt.rzi.ftz.s32.f32 r1, f2", .op = RF_K_CVT, .type = RF_T_S32, .src_type = RF_T_F32, .round = RF_R_RZI, .flags = RF_F_FTZ,
     .ndst = 1, .nsrc = 1},
    {"cvt.rni.u64.f64 d1, g2", .op = RF_K_CVT, .type = RF_T_U64, .src_type = RF_T_F64, .round = RF_R_RNI, .ndst = 1, .nsrc = 1},
    {"cvt.rmi.s16.f16 h1, e2", .op = RF_K_CVT, .type = RF_T_S16, .src_type = RF_T_F16, .round = RF_R_RMI, .ndst = 1, .nsrc = 1},
    {"cvt.rn.f32.s32 f1, r2", .op = RF_K_CVT, .type = RF_T_F32, .src_type = RF_T_S32, .round = RF_R_RN, .ndst = 1, .nsrc = 1},
    {"cvt.rp.f64.u64 g1, d2", .op = RF_K_CVT, .type = RF_T_F64, .src_type = RF_T_U64, .round = RF_R_RP, .ndst = 1, .nsrc = 1},
    {"cvt.rn.f16.u16 h1, h2", .op = RF_K_CVT, .type = RF_T_F16, .src_type = RF_T_U16, .round = RF_R_RN, .ndst = 1, .nsrc = 1},
    {"cvt.f32.f16 f1, h2", .op = RF_K_CVT, .type = RF_T_F32, .src_type = RF_T_F16, .ndst = 1, .nsrc = 1},
    {"cvt.ftz.f64.f32 g1, f2", .op = RF_K_CVT, .type = RF_T_F64, .src_type = RF_T_F32, .flags = RF_F_FTZ, .ndst = 1, .nsrc = 1},
    {"cvt.f64.f16 g1, e2", .op = RF_K_CVT, .type = RF_T_F64, .src_type = RF_T_F16, .ndst = 1, .nsrc = 1},
    {"cvt.rpi.sat.f32.f32 f1, f2", .op = RF_K_CVT, .type = RF_T_F32, .round = RF_R_RPI, .flags = RF_F_SAT, .ndst = 1, .nsrc = 1},
    {"cvt.rzi.f64.f64 g1, g2", .op = RF_K_CVT, .type = RF_T_F64, .round = RF_R_RZI, .ndst = 1, .nsrc = 1},
    {"cvt.f16.f16 e1, e2", .op = RF_K_CVT, .type = RF_T_F16, .ndst = 1, .nsrc = 1},
    {"cvt.rz.f32.f64 f1, g2", .op = RF_K_CVT, .type = RF_T_F32, .src_type = RF_T_F64, .round = RF_R_RZ, .ndst = 1, .nsrc = 1},
    {"cvt.rn.f16.f32 h1, f2", .op = RF_K_CVT, .type = RF_T_F16, .src_type = RF_T_F32, .round = RF_R_RN, .ndst = 1, .nsrc = 1},
    {"cvt.rn.f16.f64 e1, g2", .op = RF_K_CVT, .type = RF_T_F16, .src_type = RF_T_F64, .round = RF_R_RN, .ndst = 1, .nsrc = 1},
    {"cvta.to.global.u64 d1, d2", .op = RF_K_CVTA, .type = RF_T_U64, .space = RF_S_GLOBAL, .flags = RF_F_TO, .ndst = 1,
     .nsrc = 1},
    {"cvta.shared.u64 d1, sh", "cvta.shared.u64 d1, 0", .op = RF_K_CVTA, .type = RF_T_U64, .space = RF_S_SHARED, .ndst = 1,
     .nsrc = 1},
    {"cvta.local.u32 r1, r2", .op = RF_K_CVTA, .type = RF_T_U32, .space = RF_S_LOCAL, .ndst = 1, .nsrc = 1},

    {"ld.global.f32 f1, [d2+-4]", "ld.global.f32 f1, [d2-4]", .op = RF_K_LD, .type = RF_T_F32, .space = RF_S_GLOBAL, .ndst = 1,
     .nsrc = 1, .offset = -4},
    {"ld.u8 h1, [d2]", .op = RF_K_LD, .type = RF_T_U8, .ndst = 1, .nsrc = 1},
    {"ld.param.u64 d1, [pa]", "ld.param.u64 d1, [0]", .op = RF_K_LD, .type = RF_T_U64, .space = RF_S_PARAM, .ndst = 1, .nsrc = 1},
    {"ld.param.v2.u32 {r1, r2}, [pb+4]", "ld.param.v2.u32 {r1, r2}, [12]", .op = RF_K_LD, .type = RF_T_U32, .space = RF_S_PARAM,
     .vector = 2, .ndst = 2, .nsrc = 1},
    {"ld.param.u32 r1, [d2+4]", .op = RF_K_LD, .type = RF_T_U32, .space = RF_S_PARAM, .ndst = 1, .nsrc = 1, .offset = 4},
    {"ld.param.b32 r1, [arg]", "ld.local.b32 r1, [0]", .op = RF_K_LD, .type = RF_T_B32, .space = RF_S_LOCAL, .ndst = 1,
     .nsrc = 1},
    {"ld.shared::cta.v4.f32 {f1, _, f3, f4}, [r1+16]", .op = RF_K_LD, .type = RF_T_F32, .space = RF_S_SHARED, .vector = 4,
     .ndst = 4, .nsrc = 1, .offset = 16},
    {"ld.const.b32 r1, [co]", "ld.const.b32 r1, [65552]", .op = RF_K_LD, .type = RF_T_B32, .space = RF_S_CONST, .ndst = 1,
     .nsrc = 1},
    {"ld.b32 r1, [sh+8]", "ld.b32 r1, [8]", .op = RF_K_LD, .type = RF_T_B32, .space = RF_S_SHARED, .ndst = 1, .nsrc = 1},
    {"ld.local.s8 d1, [24]", .op = RF_K_LD, .type = RF_T_S8, .space = RF_S_LOCAL, .ndst = 1, .nsrc = 1},
    {"ld.weak.global.cg.u16 r1, [d2]", .op = RF_K_LD, .type = RF_T_U16, .space = RF_S_GLOBAL, .ndst = 1, .nsrc = 1},
    {"ld.global.ca.L2::128B.b64 d1, [d2]", .op = RF_K_LD, .type = RF_T_B64, .space = RF_S_GLOBAL, .ndst = 1, .nsrc = 1},
    {"ld.global.L1::evict_last.L2::64B.b64 d1, [d2]", .op = RF_K_LD, .type = RF_T_B64, .space = RF_S_GLOBAL, .ndst = 1,
     .nsrc = 1},
    {"ld.global.nc.L1::no_allocate.f32 f1, [d2]", .op = RF_K_LD, .type = RF_T_F32, .space = RF_S_GLOBAL, .ndst = 1, .nsrc = 1},
    {"ld.global.cs.nc.v2.f64 {g1, g2}, [d2]", .op = RF_K_LD, .type = RF_T_F64, .space = RF_S_GLOBAL, .vector = 2, .ndst = 2,
     .nsrc = 1},
    {"ld.volatile.shared.u32 r1, [r2]", .op = RF_K_LD, .type = RF_T_U32, .space = RF_S_SHARED, .flags = RF_F_VOLATILE, .ndst = 1,
     .nsrc = 1},
    {"ld.volatile.global.L2::256B.u32 r1, [d2]", .op = RF_K_LD, .type = RF_T_U32, .space = RF_S_GLOBAL, .flags = RF_F_VOLATILE,
     .ndst = 1, .nsrc = 1},
    {"ld.relaxed.gpu.global.u32 r1, [d2]", .op = RF_K_LD, .type = RF_T_U32, .space = RF_S_GLOBAL, .ndst = 1, .nsrc = 1},
    {"ld.acquire.sys.L1::evict_first.u32 r1, [d2]", .op = RF_K_LD, .type = RF_T_U32, .ndst = 1, .nsrc = 1},
    {"ld.acquire.cta.L2::64B.u32 r1, [d2]", .op = RF_K_LD, .type = RF_T_U32, .ndst = 1, .nsrc = 1},
    {"ldu.global.f32 f1, [d2]", .op = RF_K_LD, .type = RF_T_F32, .space = RF_S_GLOBAL, .ndst = 1, .nsrc = 1},
    {"st.global.f32 [d1+8], f2", .op = RF_K_ST, .type = RF_T_F32, .space = RF_S_GLOBAL, .nsrc = 2, .offset = 8},
    {"st.shared.v4.u8 [r1], {h1, h2, 3, h0}", .op = RF_K_ST, .type = RF_T_U8, .space = RF_S_SHARED, .vector = 4, .nsrc = 5},
    {"st.param.b32 [arg+0], r1", "st.local.b32 [0], r1", .op = RF_K_ST, .type = RF_T_B32, .space = RF_S_LOCAL, .nsrc = 2},
    {"st.local.cs.u8 [d1], r2", .op = RF_K_ST, .type = RF_T_U8, .space = RF_S_LOCAL, .nsrc = 2},
    {"st.global.L1::no_allocate.b32 [d1], r2", .op = RF_K_ST, .type = RF_T_B32, .space = RF_S_GLOBAL, .nsrc = 2},
    {"st.volatile.u32 [d1], r2", .op = RF_K_ST, .type = RF_T_U32, .flags = RF_F_VOLATILE, .nsrc = 2},
    {"st.release.gpu.global.u32 [d1], r2", .op = RF_K_ST, .type = RF_T_U32, .space = RF_S_GLOBAL, .nsrc = 2},
    {"st.relaxed.sys.L1::evict_last.u32 [d1], r2", .op = RF_K_ST, .type = RF_T_U32, .nsrc = 2},
    {"atom.global.or.b64 d1, [d2+8], d3", .op = RF_K_ATOM, .type = RF_T_B64, .space = RF_S_GLOBAL, .mode = RF_M_OR, .ndst = 1,
     .nsrc = 2, .offset = 8},
    {"atom.acq_rel.gpu.shared.exch.b32 r1, [r2], r3", .op = RF_K_ATOM, .type = RF_T_B32, .space = RF_S_SHARED, .mode = RF_M_EXCH,
     .ndst = 1, .nsrc = 2},
    {"atom.cas.b32 r1, [d2], r3, r4", .op = RF_K_ATOM, .type = RF_T_B32, .mode = RF_M_CAS, .ndst = 1, .nsrc = 3},
    {"atom.relaxed.gpu.global.add.f32 _, [d2], f3", .op = RF_K_ATOM, .type = RF_T_F32, .space = RF_S_GLOBAL, .mode = RF_M_ADD,
     .ndst = 1, .nsrc = 2},
    {"atom.global.inc.u32 r1, [gl], 7", "atom.global.inc.u32 r1, [65536], 7", .op = RF_K_ATOM, .type = RF_T_U32,
     .space = RF_S_GLOBAL, .mode = RF_M_INC, .ndst = 1, .nsrc = 2},
    {"atom.shared.max.s64 d1, [d2], d3", .op = RF_K_ATOM, .type = RF_T_S64, .space = RF_S_SHARED, .mode = RF_M_MAX, .ndst = 1,
     .nsrc = 2},
    {"red.global.xor.b32 [d2], r3", .op = RF_K_RED, .type = RF_T_B32, .space = RF_S_GLOBAL, .mode = RF_M_XOR, .nsrc = 2},
    {"red.global.add.f64 [d2], g3", .op = RF_K_RED, .type = RF_T_F64, .space = RF_S_GLOBAL, .mode = RF_M_ADD, .nsrc = 2},
    {"red.shared.dec.u32 [r2], r3", .op = RF_K_RED, .type = RF_T_U32, .space = RF_S_SHARED, .mode = RF_M_DEC, .nsrc = 2},
    {"red.release.sys.global.min.u64 [d2], d3", .op = RF_K_RED, .type = RF_T_U64, .space = RF_S_GLOBAL, .mode = RF_M_MIN,
     .nsrc = 2},

    {"bra.uni END", "bra.uni B1", .op = RF_K_BRA, .flags = RF_F_UNIFORM},
    {"exit", .op = RF_K_EXIT},
    {"ret.uni", .op = RF_K_EXIT, .flags = RF_F_UNIFORM},
    {"trap", .op = RF_K_TRAP},
    {"bar.sync 0", .op = RF_K_BAR, .nsrc = 1},
    {"barrier.cta.sync.aligned r1, 64", .op = RF_K_BAR, .nsrc = 2},
    {"shfl.bfly.b32 r1, r2, 16, 31", .op = RF_K_SHFL, .type = RF_T_B32, .mode = RF_M_BFLY, .ndst = 1, .nsrc = 3},
    {"shfl.sync.down.b32 f1|p1, f2, r3, 0x1f, -1", "shfl.sync.down.b32 f1|p1, f2, r3, 31, -1", .op = RF_K_SHFL, .type = RF_T_B32,
     .mode = RF_M_DOWN, .flags = RF_F_SYNC, .ndst = 2, .nsrc = 4},
    {"vote.any.pred p1, !p2", .op = RF_K_VOTE, .type = RF_T_PRED, .mode = RF_M_ANY, .ndst = 1, .nsrc = 1},
    {"vote.ballot.b32 r1, p2", .op = RF_K_VOTE, .type = RF_T_B32, .mode = RF_M_BALLOT, .ndst = 1, .nsrc = 1},
    {"vote.sync.uni.pred p1, p2, r3", .op = RF_K_VOTE, .type = RF_T_PRED, .mode = RF_M_UNI, .flags = RF_F_SYNC, .ndst = 1,
     .nsrc = 2},
    {"vote.sync.ballot.b32 r1, 1, -1", .op = RF_K_VOTE, .type = RF_T_B32, .mode = RF_M_BALLOT, .flags = RF_F_SYNC, .ndst = 1,
     .nsrc = 2},
    {"match.any.sync.b64 r1, d2, r3", .op = RF_K_MATCH, .type = RF_T_B64, .mode = RF_M_ANY, .flags = RF_F_SYNC, .ndst = 1,
     .nsrc = 2},
    {"match.all.sync.b32 r1|p1, r2, r3", .op = RF_K_MATCH, .type = RF_T_B32, .mode = RF_M_ALL, .flags = RF_F_SYNC, .ndst = 2,
     .nsrc = 2},
    {"activemask.b32 r1", .op = RF_K_ACTIVEMASK, .type = RF_T_B32, .ndst = 1},
    {"elect.sync r1|p1, r2", .op = RF_K_ELECT, .flags = RF_F_SYNC, .ndst = 2, .nsrc = 1},
    {"bar.warp.sync r1", .op = RF_K_WARPSYNC, .flags = RF_F_SYNC, .nsrc = 1},
    {"membar.gl", .op = RF_K_NOP},
    {"fence.acq_rel.gpu", .op = RF_K_NOP},
    {"prefetch.global.L2 [d1+4]", "prefetch.global.L2", .op = RF_K_NOP, .space = RF_S_GLOBAL},
    {"prefetchu.L1 [d1]", "prefetchu.L1", .op = RF_K_NOP},
    {"nanosleep.u32 r1", "nanosleep.u32", .op = RF_K_NOP, .type = RF_T_U32},
};

static void test_instructions(void **state) {
    (void)state;
    bool seen[RF_KOPS] = {0};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const sample *const s = &samples[i];
        char error[512] = "", line[128], printed[128];
        rf_module m;
        (void)snprintf(line, sizeof line, "%s;", s->text);
        const int got = read_line(line, &m, error, sizeof error);
        assert_string_equal(error, "");
        assert_int_equal(got, 0);
        const rf_kernel *const k = &m.kernel[0];
        const rf_kinst *const inst = &k->inst[0];
        assert_int_equal(k->ninst, 2);
        assert_string_equal(rf_kinst_print(k, 0, printed, sizeof printed), s->printed ? s->printed : s->text);
        assert_int_equal(inst->op, s->op);
        assert_int_equal(inst->type, s->type);
        assert_int_equal(inst->src_type, s->src_type ? s->src_type : s->type);
        assert_int_equal(inst->part, s->part);
        assert_int_equal(inst->round, s->round);
        assert_int_equal(inst->cmp, s->cmp);
        assert_int_equal(inst->boolean, s->boolean);
        assert_int_equal(inst->space, s->space);
        assert_int_equal(inst->mode, s->mode);
        assert_int_equal(inst->flags, s->flags);
        assert_int_equal(inst->vector, s->vector ? s->vector : 1);
        assert_int_equal(inst->ndst, s->ndst);
        assert_int_equal(inst->nsrc, s->nsrc);
        assert_int_equal(inst->offset, s->offset);
        assert_int_equal(inst->guard, RF_KNONE);
        assert_int_equal(inst->line, 10);
        seen[inst->op] = true;
        rf_module_free(&m);
    }
    for (uint32_t op = 0; op < RF_KOPS; op++) assert_true(seen[op]);
}

/* --- operands --------------------------------------------------------------------------------------------------------------- */

static void test_operands(void **state) {
    (void)state;
    char error[512] = "";
    rf_module m;
    assert_int_equal(read_line("@!p1 ld.global.v2.f64 {g1, g2}, [d3+8]; @p2 mov.b32 r1, 0f40490FDB; setp.eq.s32 p1, r1, -2;\n"
                               "mov.u32 r2, 0xFFFFFFFE; mov.f32 f1, 1.5; mov.f64 g1, 0f3F800000; mov.f64 g2, -2.5e0;"
                               "add.u16 h1, h2, 65535;"
                               "mov.u32 r3, (1 + 2) - ~4 - -010; mov.u32 r4, 0b101U; mov.u32 r5, WARP_SZ;"
                               "mov.u64 d1, 18446744073709551615;",
                               &m, error, sizeof error),
                     0);
    const rf_kernel *const k = &m.kernel[0];
    const rf_kinst *const i = k->inst;
    assert_int_equal(i[0].guard_negated, true);
    assert_int_equal(k->var[i[0].guard].type, RF_T_PRED);
    assert_string_equal(k->var[i[0].guard].name, "p1");
    assert_int_equal(i[0].dst[1].kind, RF_O_REG);
    assert_int_equal(i[0].dst[1].words, 2);
    assert_string_equal(k->var[i[0].dst[1].reg].name, "g2");
    assert_int_equal(k->var[i[0].dst[1].reg].type, RF_T_F64);
    assert_int_equal(i[0].src[0].words, 2);
    assert_int_equal(i[0].offset, 8);
    assert_int_equal(i[1].guard_negated, false);
    assert_int_equal(i[1].src[0].imm, 0x40490fdb);
    assert_int_equal(i[2].dst[0].kind, RF_O_PRED);
    assert_int_equal(i[2].dst[0].words, 0);
    assert_int_equal(i[2].dst[0].reg, i[0].guard);
    assert_int_equal(i[2].src[1].imm, UINT64_MAX - 1);
    assert_int_equal(i[3].src[0].imm, UINT64_MAX - 1); /* every integer sign-extended from the type's width */
    assert_int_equal(i[4].src[0].imm, 0x3fc00000);
    assert_int_equal(i[5].src[0].imm, 0x3ff0000000000000);
    assert_int_equal(i[6].src[0].imm, 0xc004000000000000);
    assert_int_equal(i[7].src[1].imm, UINT64_MAX);
    assert_int_equal(i[8].src[0].imm, 3 + 5 + 8);
    assert_int_equal(i[9].src[0].imm, 5);
    assert_int_equal(i[10].src[0].imm, 32);
    assert_int_equal(i[11].src[0].imm, UINT64_MAX);
    assert_int_equal(k->nvar, 14); /* those that are mentioned */
    rf_module_free(&m);
}

/* --- what is refused -------------------------------------------------------------------------------------------------------- */

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *line, *error;
    } refused[] = {
        {"foo.bar r1, r2;", "instruction: 'foo.bar' is not supported"},
        {"brx.idx r1, ts;", "instruction: 'brx.idx' is not supported"},
        {"createpolicy.fractional.L2::evict_last.b64 d1, 1.0;",
         "instruction: 'createpolicy.fractional.L2::evict_last.b64' is not supported"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {r1}, [d1];",
         "instruction: 'wmma.load.a.sync.aligned.row.m16n16k16.global.f16' is not supported"},
        {"add.f16 h1, h2, h3;", "instruction: 'add.f16': '.f16' is not supported here"},
        {"add.rn.s32 r1, r2, r3;", "instruction: 'add.rn.s32': '.s32' is not supported here"},
        {"mul.s32 r1, r2, r3;", "instruction: 'mul.s32': '.s32' is not supported here"},
        {"mul.wide.s64 d1, d2, d3;", "instruction: 'mul.wide.s64': '.s64' is not supported here"},
        {"div.f32 f1, f2, f3;", "instruction: 'div.f32': '.f32' is not supported here"},
        {"add r1, r2, r3;", "instruction: 'add': a suffix is missing"},
        {"cvt.rn.f32 f1, r1;", "instruction: 'cvt.rn.f32': a suffix is missing"},
        {"add.ftz.rn.f32 f1, f2, f3;", "instruction: 'add.ftz.rn.f32': '.rn' is not supported here"},
        {"ld.global.L2::cache_hint.f32 f1, [d1], d2;",
         "instruction: 'ld.global.L2::cache_hint.f32': '.L2::cache_hint' is not supported here"},
        {"ld.global.v4.f64 {g0, g1, g2, g3}, [d1];", "instruction: 'ld.global.v4.f64': more than 128 bits"},
        {"setp.lo.s32 p1, r1, r2;", "instruction: 'setp.lo.s32': '.s32' is not supported here"},
        {"cvt.f32.s32 f1, r1;", "instruction: 'cvt.f32.s32': '.s32' is not supported here"},
        {"lop3.and.b32 r1|p1, r2, r3, r4, 1, p2;", "instruction: 'lop3.and.b32': '.and' is not supported here"},

        {"add.s32 r1, r2;", "operand: ';' is not ','"},
        {"add.s32 r1, r2, r3, r4;", "operand: ',' is not ';'"},
        {"add.s32 r1, r2, r3", "operand: 'END' is not ';'"},
        {"add.s32 r1, r2, d3;", "operand: 'd3' is .b64, not .s32"},
        {"add.s32 f1, r2, r3;", "operand: 'f1' is .f32, not .s32"},
        {"add.f64 r1, g2, g3;", "operand: 'r1' is .b32, not .f64"},
        {"add.f32 f1, f2, s3;", "operand: 's3' is .s32, not .f32"},
        {"add.s32 r1, r2, p3;", "operand: 'p3' is .pred, not .s32"},
        {"selp.b32 r1, r2, r3, r4;", "operand: 'r4' is .b32, not .pred"},
        {"mul.wide.s32 r1, r2, r3;", "operand: 'r1' is .b32, not .s64"},
        {"shl.b64 d1, d2, d3;", "operand: 'd3' is .b64, not .u32"},
        {"cvt.u32.u64 r1, r2;", "operand: 'r2' is .b32, not .u64"},
        {"add.s32 1, r2, r3;", "operand: '1' is not a register"},
        {"add.s32 _, r2, r3;", "operand: '_' is not allowed here"},
        {"add.s32 r1, -r2, r3;", "immediate: 'r2' is not a constant"},
        {"add.s32 END, r2, r3;", "name: 'END' is not declared"},
        {"add.s32 r1, r2, r9;", "name: 'r9' is not declared"},
        {"add.s32 r1, r2, r03;", "name: 'r03' is not declared"},
        {"add.s32 r1, r2, gl;", "operand: 'gl' is not a register"},
        {"add.u32 r1, %tid.x, 1;", "name: '%tid.x' is not declared"},
        {"mov.u32 r1, %tid.w;", "name: '%tid.w' is not declared"},
        {"mov.u64 d1, %tid.x;", "operand: '%tid.x' is .u32, not .u64"},
        {"mov.f32 f1, gl;", "operand: an address needs an integer of 32 or 64 bits"},
        {"mov.u16 h1, sh;", "operand: an address needs an integer of 32 or 64 bits"},
        {"mov.u32 r1, 4294967296;", "immediate: 4294967296 is out of range for .u32"},
        {"add.u16 h1, h2, -32769;", "immediate: -32769 is out of range for .u16"},
        {"st.global.u8 [d1], 256;", "immediate: 256 is out of range for .u8"},
        {"mov.u32 r1, 0f3F800000;", "immediate: a floating-point constant for .u32"},
        {"add.f32 f1, f2, 1;", "immediate: an integer constant for .f32"},
        {"mov.u32 r1, 1 + 1.0;", "immediate: a sum of floats"},
        {"mov.f32 f1, -0f3F800000;", "immediate: '-' before a float"},
        {"mov.u32 r1, ((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))));",
         "immediate: a constant nested more than 32 deep"},
        {"mov.u32 r1, 18446744073709551616;", "number: '18446744073709551616' is not a number of PTX (64 bits)"},
        {"mov.u32 r1, 09;", "number: '09' is not a number of PTX (64 bits)"},
        {"mov.f32 f1, 0f3F8;", "number: '0f3F8' is not a number of PTX (64 bits)"},
        {"mov.f32 f1, 1e999;", "number: '1e999' is not a number of PTX (64 bits)"},
        {"mov.u32 r1, 0x;", "number: '0x' is not a number of PTX (64 bits)"},
        {"mov.f32 f1, 1.0000000000000000000000000000000000000000000000000000000000000000;",
         "number: '1.0000000000000000000000000000000000000000000000000000000000000000' is not a number of at most 63 characters"},
        {"mov.b64 {r1, r2, r3}, d1;", "vector: mov of 2 or 4 elements of 8 to 32 bits, and a .b type"},
        {"mov.b32 r1, {c1, c2};", "operand: 'c1' is .b8, not .b16"},
        {"mov.u64 d1, {r1, r2};", "vector: mov of 2 or 4 elements of 8 to 32 bits, and a .b type"},
        {"ld.global.v2.f32 f1, [d1];", "vector: 'f1' is not '{'"},
        {"ld.global.v2.f32 {f1, f2, f3}, [d1];", "vector: ',' is not '}'"},
        {"ld.global.f32 f1, [d1+4294967296];", "address: offset 4294967296 is beyond 32 bits"},
        {"ld.global.f32 f1, [d1-4];", "address: '-' is not ']'"},
        {"ld.global.f32 f1, [d1+1.0];", "offset: a floating-point constant"},
        {"ld.global.f32 f1, d1;", "address: 'd1' is not '['"},
        {"ld.global.f32 f1, [f2];", "operand: 'f2' is .f32, not .u32"},
        {"ld.global.f32 f1, [sh];", "address: 'sh' is in another state space"},
        {"ld.global.f32 f1, [pa];", "address: 'pa' is in another state space"},
        {"ld.u32 r1, [pa];", "address: 'pa' is in another state space"},
        {"ld.global.b32 r1, [co];", "address: 'co' is in another state space"},
        {"cvta.shared.u64 d1, gl;", "address: 'gl' is in another state space"},
        {"ld.param.f32 f1, [gl];", "address: 'gl' is in another state space"},
        {"st.param.b64 [pa], d1;", "address: 'pa' is read only"},
        {"st.b32 [co], r1;", "address: 'co' is read only"},
        {"atom.add.u32 r1, [co+0], 1;", "address: 'co' is read only"},
        {"st.const.b32 [d1], r1;", "instruction: 'st.const.b32': '.const' is not supported here"},
        {"bar.sync 16;", "operand: 16 is not a multiple of 1 up to 15"},
        {"bar.sync 0, 48;", "operand: 48 is not a multiple of 32 up to 1024"},
        {"bfe.u32 r1, r2, 256, 1;", "operand: 256 is not a multiple of 1 up to 255"},
        {"lop3.b32 r1, r2, r3, r4, r5;", "operand: 'r5' is not an immediate 0 .. 255"},
        {"bra 5;", "operand: '5' is not a label"},
        {"bra nowhere;", "label: 'nowhere' is not declared"},
        {"bra gl;", "label: 'gl' is not a label"},
        {"gl2: gl2: exit;", "label: 'gl2' is declared twice"},
        {"@r1 exit;", "operand: 'r1' is .b32, not .pred"},
        {"@5 exit;", "guard: '5' is not a predicate"},
        {"@p1 L: exit;", "instruction: 'L' is not supported"},
        {"@p1 call f;", "call: a guarded call is not supported"},
        {";", "statement: ';' is not an instruction, a label or a directive"},
        {".callprototype;", "directive: '.callprototype' is not supported in a body"},
        {"ts: .branchtargets END;", "directive: '.branchtargets' is not supported in a body"},
        {"add.s32 r1, r2, #;", "character: 0x23 is not of PTX"},
        {"/* open", "comment: does not end"},
        {".pragma \"open;", "string: does not end on its line"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        char error[512] = "", want[512];
        rf_module m;
        assert_int_equal(read_line(refused[i].line, &m, error, sizeof error), -1);
        const bool end = strstr(refused[i].error, "'END' is not ';'") || strstr(refused[i].error, "'END' is not '}'");
        (void)snprintf(want, sizeof want, "t.ptx:%d: %s", end ? 11 : 10, refused[i].error);
        assert_string_equal(error, want);
        assert_null(m.kernel);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instructions),
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
