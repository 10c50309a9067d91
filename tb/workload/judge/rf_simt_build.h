/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels made by hand, and single operations run over arrays of operands, for the tests of the SIMT machine. */
#ifndef RF_SIMT_BUILD_H
#define RF_SIMT_BUILD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_opcode.h"
#include "cmodel/workload/rf_simt.h"

enum { KB_INSTS = 1024, KB_BLOCKS = 256, KB_TEXT = 48, KB_REGS = 64, KB_PREDS = 8 };

typedef struct kbuild {
    rf_kernel kernel;
    rf_module module;
    rf_kinst inst[KB_INSTS];
    rf_kblock block[KB_BLOCKS];
    char text[KB_INSTS][KB_TEXT];
    char *texts[KB_INSTS];
} kbuild;

static inline rf_koperand kb_reg(uint32_t reg) { return (rf_koperand){.kind = RF_O_REG, .words = 1, .reg = reg}; }
static inline rf_koperand kb_pair(uint32_t reg) { return (rf_koperand){.kind = RF_O_REG, .words = 2, .reg = reg}; }
static inline rf_koperand kb_pred(uint32_t reg) { return (rf_koperand){.kind = RF_O_PRED, .reg = reg}; }
static inline rf_koperand kb_imm(uint64_t imm) { return (rf_koperand){.kind = RF_O_IMM, .imm = imm}; }
static inline rf_koperand kb_special(uint32_t special) { return (rf_koperand){.kind = RF_O_SPECIAL, .reg = special}; }

static inline void kb_init(kbuild *k) {
    memset(k, 0, sizeof *k);
    static char name[] = "k";
    k->kernel = (rf_kernel){.name = name,
                            .allocated = true,
                            .nreg = KB_REGS,
                            .npred = KB_PREDS,
                            .inst = k->inst,
                            .block = k->block,
                            .texts = k->texts};
    k->module = (rf_module){.address_bits = 64, .kernel = &k->kernel, .nkernel = 1};
}

/* Starts a block; its number. */
static inline uint32_t kb_block(kbuild *k) {
    assert_true(k->kernel.nblock < KB_BLOCKS);
    k->block[k->kernel.nblock].first = k->kernel.ninst;
    return k->kernel.nblock++;
}

/* One more instruction, on line 100 + its number; fields left 0 get what every instruction has: counts from the operands, no
 * guard. */
static inline rf_kinst *kb_add(kbuild *k, const char *text, rf_kinst inst) {
    if (k->kernel.nblock == 0) (void)kb_block(k);
    const uint32_t n = k->kernel.ninst++;
    assert_true(n < KB_INSTS);
    (void)snprintf(k->text[n], KB_TEXT, "%s", text);
    k->texts[n] = k->text[n];
    k->kernel.ntext = n + 1;
    while (inst.nsrc < RF_KSRC_MAX && inst.src[inst.nsrc].kind != RF_O_NONE) inst.nsrc++;
    while (inst.ndst < RF_KDST_MAX && inst.dst[inst.ndst].kind != RF_O_NONE) inst.ndst++;
    if (inst.src_type == RF_T_NONE) inst.src_type = inst.type;
    if (inst.vector == 0) inst.vector = 1;
    inst.guard = RF_KNONE;
    inst.line = 100 + n;
    inst.text = n;
    k->inst[n] = inst;
    return &k->inst[n];
}

static inline rf_kinst *kb_guard(rf_kinst *inst, uint32_t pred, bool negated) {
    inst->guard = pred;
    inst->guard_negated = negated;
    return inst;
}

/* Blocks' ends and successors, then the control-flow graph. */
static inline void kb_finish(kbuild *k) {
    rf_kernel *const kernel = &k->kernel;
    for (uint32_t b = 0; b < kernel->nblock; b++) {
        rf_kblock *const block = &k->block[b];
        const uint32_t end = b + 1 < kernel->nblock ? k->block[b + 1].first : kernel->ninst;
        block->count = end - block->first;
        const rf_kinst *const last = &k->inst[end - 1];
        block->nsucc = 0;
        if (last->op == RF_K_BRA) block->succ[block->nsucc++] = last->target;
        const bool leaves = last->op == RF_K_BRA || last->op == RF_K_EXIT || last->op == RF_K_TRAP;
        if ((!leaves || last->guard != RF_KNONE) && b + 1 < kernel->nblock) block->succ[block->nsucc++] = b + 1;
    }
    assert_int_equal(rf_kernel_flow(kernel), 0);
}

static inline void kb_free(kbuild *k) {
    for (uint32_t b = 0; b < k->kernel.nblock; b++) free(k->block[b].pred);
}

/* --- short forms ------------------------------------------------------------------------------------------------------------ */

static inline rf_kinst *kb_mov(kbuild *k, uint32_t dst, rf_koperand src) {
    return kb_add(k, "mov.u32", (rf_kinst){.op = RF_K_MOV, .type = RF_T_U32, .dst = {kb_reg(dst)}, .src = {src}});
}
static inline rf_kinst *kb_binary(kbuild *k, const char *text, rf_kop op, rf_ktype type, uint32_t dst, rf_koperand a,
                                  rf_koperand b) {
    return kb_add(k, text, (rf_kinst){.op = (uint8_t)op, .type = (uint8_t)type, .dst = {kb_reg(dst)}, .src = {a, b}});
}
static inline rf_kinst *kb_setp(kbuild *k, rf_kcmp cmp, uint32_t pred, rf_koperand a, rf_koperand b) {
    return kb_add(
        k, "setp.u32",
        (rf_kinst){
            .op = RF_K_SETP, .type = RF_T_U32, .src_type = RF_T_U32, .cmp = (uint8_t)cmp, .dst = {kb_pred(pred)}, .src = {a, b}});
}
static inline rf_kinst *kb_bra(kbuild *k, uint32_t target) {
    return kb_add(k, "bra", (rf_kinst){.op = RF_K_BRA, .target = target});
}
static inline rf_kinst *kb_exit(kbuild *k) { return kb_add(k, "ret", (rf_kinst){.op = RF_K_EXIT}); }
static inline rf_kinst *kb_bar(kbuild *k, uint32_t number) {
    return kb_add(k, "bar.sync", (rf_kinst){.op = RF_K_BAR, .src = {kb_imm(number)}});
}
static inline rf_kinst *kb_load(kbuild *k, const char *text, rf_kspace space, rf_ktype type, rf_koperand dst, rf_koperand address,
                                int64_t offset) {
    return kb_add(
        k, text,
        (rf_kinst){
            .op = RF_K_LD, .type = (uint8_t)type, .space = (uint8_t)space, .dst = {dst}, .src = {address}, .offset = offset});
}
static inline rf_kinst *kb_store(kbuild *k, const char *text, rf_kspace space, rf_ktype type, rf_koperand address, int64_t offset,
                                 rf_koperand value) {
    return kb_add(
        k, text,
        (rf_kinst){.op = RF_K_ST, .type = (uint8_t)type, .space = (uint8_t)space, .src = {address, value}, .offset = offset});
}
/* R[dst] : R[dst + 1] = the 64-bit parameter at offset 0, + R[index] * scale. */
static inline void kb_element(kbuild *k, uint32_t dst, uint32_t index, uint64_t scale) {
    k->kernel.param_bytes = 8;
    (void)kb_load(k, "ld.param.u64", RF_S_PARAM, RF_T_U64, kb_pair(dst), kb_imm(0), 0);
    (void)kb_add(k, "mad.wide.u32",
                 (rf_kinst){.op = RF_K_MAD,
                            .type = RF_T_U32,
                            .part = RF_PART_WIDE,
                            .dst = {kb_pair(dst)},
                            .src = {kb_reg(index), kb_imm(scale), kb_pair(dst)}});
}

/* --- one operation over many operands ----------------------------------------------------------------------------------------
 */

/* One lane's operands and results; 64 bytes, in device memory as here. */
typedef struct kb_item {
    uint64_t src[4];
    uint64_t preds; /* in: bit i, source i; the carry: bit 7 */
    uint64_t dst;
    uint64_t pred_out; /* bit i, destination i; the carry: bit 7 */
    uint64_t spare;
} kb_item;

/* Runs `inst` over n items. `shape` lists the sources, then > and the destinations: 4 a word, 8 a pair, p a predicate; c: the
 * carry in or out. An operand given in inst.src (an immediate) stays: its place in `shape` is i. */
static inline int kb_run_status(const char *shape, rf_kinst inst, kb_item *item, uint32_t n, char *error, size_t size) {
    kbuild *const k = malloc(sizeof *k);
    assert_non_null(k);
    kb_init(k);
    kb_mov(k, 0, kb_special(RF_SR_TID_X));
    kb_mov(k, 1, kb_special(RF_SR_CTAID_X));
    kb_add(k, "mad.lo.u32",
           (rf_kinst){.op = RF_K_MAD, .type = RF_T_U32, .dst = {kb_reg(0)}, .src = {kb_reg(1), kb_imm(256), kb_reg(0)}});
    kb_element(k, 2, 0, sizeof(kb_item));
    /* items behind n: none */
    kb_setp(k, RF_C_HS, 7, kb_reg(0), kb_imm(n));
    kb_guard(kb_exit(k), 7, false);
    (void)kb_block(k);
    uint32_t s = 0, d = 0;
    bool carry_in = false, carry_out = false, sources = true;
    for (const char *c = shape; *c; c++) {
        if (*c == '>') {
            sources = false;
        } else if (*c == 'c') {
            if (sources) carry_in = true;
            else carry_out = true;
        } else if (!sources) {
            inst.dst[d] = *c == 'p' ? kb_pred(4 + d) : *c == '8' ? kb_pair(30 + 2 * d) : kb_reg(30 + 2 * d);
            d++;
        } else if (*c == 'i') {
            s++;
        } else if (*c == 'p') {
            kb_load(k, "ld.global.b32", RF_S_GLOBAL, RF_T_B32, kb_reg(4), kb_pair(2), offsetof(kb_item, preds));
            kb_binary(k, "and.b32", RF_K_AND, RF_T_B32, 4, kb_reg(4), kb_imm(UINT64_C(1) << s));
            kb_setp(k, RF_C_NE, s, kb_reg(4), kb_imm(0));
            const bool negated = inst.src[s].negated;
            inst.src[s] = kb_pred(s);
            inst.src[s++].negated = negated;
        } else {
            const bool pair = *c == '8';
            inst.src[s] = pair ? kb_pair(10 + 2 * s) : kb_reg(10 + 2 * s);
            kb_load(k, "ld.global", RF_S_GLOBAL, pair ? RF_T_B64 : RF_T_B32, inst.src[s], kb_pair(2), 8 * (int64_t)s);
            s++;
        }
    }
    inst.nsrc = (uint8_t)s;
    inst.ndst = (uint8_t)d;
    if (carry_in) {
        kb_load(k, "ld.global.b32", RF_S_GLOBAL, RF_T_B32, kb_reg(4), kb_pair(2), offsetof(kb_item, preds));
        kb_binary(k, "and.b32", RF_K_AND, RF_T_B32, 4, kb_reg(4), kb_imm(0x80));
        kb_binary(k, "add.cc.u32", RF_K_ADD, RF_T_U32, 4, kb_reg(4), kb_imm(0xffffffff))->flags = RF_F_CC;
    }
    kb_add(k, "op", inst);
    kb_mov(k, 5, kb_imm(0));
    for (uint32_t i = 0; i < d; i++) {
        if (inst.dst[i].kind == RF_O_REG) {
            kb_store(k, "st.global", RF_S_GLOBAL, inst.dst[i].words == 2 ? RF_T_B64 : RF_T_B32, kb_pair(2),
                     offsetof(kb_item, dst), inst.dst[i]);
            continue;
        }
        kb_add(k, "selp.b32",
               (rf_kinst){.op = RF_K_SELP,
                          .type = RF_T_B32,
                          .dst = {kb_reg(4)},
                          .src = {kb_imm(UINT64_C(1) << i), kb_imm(0), inst.dst[i]}});
        kb_binary(k, "or.b32", RF_K_OR, RF_T_B32, 5, kb_reg(5), kb_reg(4));
    }
    if (carry_out) {
        kb_binary(k, "addc.u32", RF_K_ADDC, RF_T_U32, 4, kb_imm(0), kb_imm(0));
        kb_binary(k, "shl.b32", RF_K_SHL, RF_T_B32, 4, kb_reg(4), kb_imm(7));
        kb_binary(k, "or.b32", RF_K_OR, RF_T_B32, 5, kb_reg(5), kb_reg(4));
    }
    kb_store(k, "st.global.b32", RF_S_GLOBAL, RF_T_B32, kb_pair(2), offsetof(kb_item, pred_out), kb_reg(5));
    kb_exit(k);
    kb_finish(k);
    rf_simt *const simt = rf_simt_new(&k->module);
    assert_non_null(simt);
    const uint64_t memory = rf_simt_alloc(simt, n * sizeof *item);
    assert_true(memory != 0);
    for (uint32_t i = 0; i < n; i++) item[i].dst = item[i].pred_out = 0;
    assert_int_equal(rf_simt_write(simt, memory, item, n * sizeof *item), 0);
    const rf_simt_launch launch = {.grid = {(n + 255) / 256, 1, 1}, .block = {256, 1, 1}, .param = &memory};
    const int status = rf_simt_run(simt, &k->kernel, &launch, NULL, NULL, NULL, error, size);
    assert_int_equal(rf_simt_read(simt, memory, item, n * sizeof *item), 0);
    rf_simt_free(simt);
    kb_free(k);
    free(k);
    return status;
}

static inline void kb_run(const char *shape, rf_kinst inst, kb_item *item, uint32_t n) {
    char error[512] = "";
    if (kb_run_status(shape, inst, item, n, error, sizeof error) != 0) fail_msg("%s", error);
}

#endif
