/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "cmodel/workload/rf_kernel.h"

const char *rf_kspecial_name(rf_kspecial special) {
    static const char *const name[] = {
        "%tid.x",       "%tid.y",       "%tid.z",    "%ntid.x",   "%ntid.y",      "%ntid.z",      "%ctaid.x",
        "%ctaid.y",     "%ctaid.z",     "%nctaid.x", "%nctaid.y", "%nctaid.z",    "%laneid",      "%warpid",
        "%nwarpid",     "%smid",        "%nsmid",    "%gridid",   "%lanemask_eq", "%lanemask_le", "%lanemask_lt",
        "%lanemask_ge", "%lanemask_gt", "%clock",    "%clock_hi", "%clock64",     "%globaltimer", "%envreg0",
        "%envreg1",     "%envreg2",     "%envreg3",  "%envreg4",  "%envreg5",     "%envreg6",
    };
    _Static_assert(sizeof name / sizeof name[0] == RF_SR_COUNT, "a name for each");
    return (unsigned)special < RF_SR_COUNT ? name[special] : NULL;
}

/* A text that grows at its end and is cut where its room ends. */
typedef struct line {
    char *text;
    size_t size, used;
} line;

__attribute__((format(printf, 2, 3))) static void append(line *l, const char *format, ...) {
    va_list args;
    if (l->used + 1 >= l->size) return;
    va_start(args, format);
    const int n = vsnprintf(l->text + l->used, l->size - l->used, format, args);
    va_end(args);
    if (n > 0) l->used = l->used + (size_t)n < l->size ? l->used + (size_t)n : l->size - 1;
}

/* Bits of a float in PTX's own notation; an integer in the shorter reading. */
static void put_immediate(line *l, rf_ktype type, uint64_t imm) {
    if (type == RF_T_F64) append(l, "0d%016" PRIx64, imm);
    else if (rf_ktype_float(type)) append(l, "0f%08" PRIx64, imm);
    else if (imm < UINT64_C(0x100000) || imm > UINT64_MAX - UINT64_C(0x100000)) append(l, "%" PRId64, (int64_t)imm);
    else append(l, "0x%" PRIx64, imm);
}

static void put_operand(line *l, const rf_kernel *kernel, rf_ktype type, const rf_koperand *o) {
    switch ((rf_kokind)o->kind) {
    case RF_O_NONE:
        append(l, "_");
        break;
    case RF_O_REG:
    case RF_O_PRED:
        if (o->negated) append(l, "!");
        if (kernel->allocated) append(l, "%c%" PRIu32, o->kind == RF_O_PRED ? 'p' : 'R', o->reg);
        else append(l, "%s", kernel->var[o->reg].name);
        break;
    case RF_O_IMM:
        put_immediate(l, type, o->imm);
        break;
    case RF_O_SPECIAL:
        append(l, "%s", rf_kspecial_name((rf_kspecial)o->reg));
        break;
    }
}

/* Operands first .. last-1, in braces when `vector`. */
static void put_list(line *l, const rf_kernel *kernel, rf_ktype type, const rf_koperand *o, uint32_t count, bool vector,
                     const char *between) {
    if (vector) append(l, "{");
    for (uint32_t i = 0; i < count; i++) {
        if (i) append(l, "%s", between);
        put_operand(l, kernel, type, &o[i]);
    }
    if (vector) append(l, "}");
}

const char *rf_kinst_print(const rf_kernel *kernel, uint32_t index, char *text, size_t size) {
    const rf_kinst *const inst = &kernel->inst[index];
    const rf_ktype type = (rf_ktype)inst->type, src_type = (rf_ktype)(inst->src_type ? inst->src_type : inst->type);
    const bool memory = inst->op == RF_K_LD || inst->op == RF_K_ST || inst->op == RF_K_ATOM || inst->op == RF_K_RED;
    const bool vector_dst = inst->vector > 1 && (inst->op == RF_K_LD || inst->op == RF_K_UNPACK);
    const bool vector_src = inst->vector > 1 && (inst->op == RF_K_ST || inst->op == RF_K_PACK);
    line l = {text, size, 0};
    if (size) text[0] = '\0';
    if (inst->guard != RF_KNONE) {
        const rf_koperand guard = {.kind = RF_O_PRED, .reg = inst->guard, .negated = inst->guard_negated};
        append(&l, "@");
        put_operand(&l, kernel, RF_T_PRED, &guard);
        append(&l, " ");
    }
    append(&l, "%s", kernel->texts[inst->text]);
    const char *between = " ";
    if (inst->ndst) {
        append(&l, " ");
        put_list(&l, kernel, type, inst->dst, inst->ndst, vector_dst, vector_dst ? ", " : "|");
        between = ", ";
    }
    uint32_t first = 0;
    if (memory && inst->nsrc) {
        append(&l, "%s[", between);
        put_operand(&l, kernel, RF_T_B64, &inst->src[first++]);
        if (inst->offset) append(&l, "%+" PRId64, inst->offset);
        append(&l, "]");
        between = ", ";
    }
    if (first < inst->nsrc) {
        append(&l, "%s", between);
        put_list(&l, kernel, src_type, &inst->src[first], inst->nsrc - first, vector_src, ", ");
    }
    if (inst->op == RF_K_BRA) append(&l, " B%" PRIu32, inst->target);
    return text;
}
