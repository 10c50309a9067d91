/* SPDX-License-Identifier: Apache-2.0 */
/* The one file that knows LLVM. It is in a library of its own, which `prove` loads: no other command waits for LLVM's start. */
#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/proof/ir.h"

typedef struct reader {
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    ls_ir *ir;
    LLVMValueRef *functions, *globals; /* those of the module, in the order of ours */
    /* Of the function that is read: its values and blocks, in the order of their numbers. */
    struct number {
        LLVMValueRef value;
        uint32_t number;
    } * numbers;
    size_t number_count;
    LLVMBasicBlockRef *blocks;
    const char *where;
    uint32_t line;
    char *error;
    jmp_buf out;
} reader;

__attribute__((noreturn)) static void refuse(reader *r, const char *what) {
    r->error = ls_format("%s:%u: %s, which the proof does not read", r->where != NULL ? r->where : "?", r->line, what);
    longjmp(r->out, 1);
}

/* Types ---------------------------------------------------------------------------------------------------------------------- */

static uint32_t type_bits(reader *r, LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
    case LLVMMetadataTypeKind:
    case LLVMLabelTypeKind:
        return 0;
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type);
    case LLVMPointerTypeKind:
        return 64;
    case LLVMStructTypeKind: {
        uint32_t bits = 0;
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) bits += type_bits(r, LLVMStructGetTypeAtIndex(type, i));
        return bits;
    }
    case LLVMArrayTypeKind:
        return LLVMGetArrayLength(type) * type_bits(r, LLVMGetElementType(type));
    default:
        refuse(r, "a floating-point number or a vector");
    }
}

static bool is_aggregate(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMStructTypeKind || LLVMGetTypeKind(type) == LLVMArrayTypeKind;
}

/* Operands ------------------------------------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b) {
    const uintptr_t x = (uintptr_t)((const struct number *)a)->value, y = (uintptr_t)((const struct number *)b)->value;
    return (x > y) - (x < y);
}

static uint32_t number_of(LLVMValueRef *list, uint32_t count, LLVMValueRef value) {
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == value) return i;
    return LS_IR_NONE;
}

static uint64_t element_offset(const reader *r, LLVMTypeRef *type, LLVMValueRef index, int64_t *scale) {
    *scale = 0;
    if (LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
        const unsigned at = (unsigned)LLVMConstIntGetZExtValue(index);
        const uint64_t offset = LLVMOffsetOfElement(r->layout, *type, at);
        *type = LLVMStructGetTypeAtIndex(*type, at);
        return offset;
    }
    *type = LLVMGetElementType(*type);
    *scale = (int64_t)LLVMABISizeOfType(r->layout, *type);
    return 0;
}

/* A global plus a constant; false when it is none. */
static bool constant_address(reader *r, LLVMValueRef value, uint32_t *global, int64_t *offset) {
    if (LLVMIsAGlobalVariable(value) != NULL) {
        *global = number_of(r->globals, r->ir->globals, value);
        return *global != LS_IR_NONE;
    }
    if (LLVMIsAConstantExpr(value) == NULL) return false;
    const LLVMOpcode op = LLVMGetConstOpcode(value);
    if (op == LLVMBitCast) return constant_address(r, LLVMGetOperand(value, 0), global, offset);
    if (op != LLVMGetElementPtr || !constant_address(r, LLVMGetOperand(value, 0), global, offset)) return false;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(value);
    for (int i = 1; i < LLVMGetNumOperands(value); i++) {
        LLVMValueRef index = LLVMGetOperand(value, (unsigned)i);
        if (LLVMIsAConstantInt(index) == NULL) return false;
        int64_t scale;
        if (i == 1) scale = (int64_t)LLVMABISizeOfType(r->layout, type);
        else *offset += (int64_t)element_offset(r, &type, index, &scale);
        *offset += scale * LLVMConstIntGetSExtValue(index);
    }
    return true;
}

static ls_ir_operand read_operand(reader *r, LLVMValueRef value) {
    ls_ir_operand o = {.bits = type_bits(r, LLVMTypeOf(value))};
    const struct number key = {.value = value}, *found = bsearch(&key, r->numbers, r->number_count, sizeof key, by_value);
    uint32_t global = 0;
    if (found != NULL) {
        o.kind = LS_IR_RESULT;
        o.value = found->number;
    } else if (LLVMIsUndef(value) || LLVMIsPoison(value)) {
        o.kind = LS_IR_UNDEF;
    } else if (LLVMIsAConstantInt(value) != NULL) {
        if (o.bits > 64) refuse(r, "a constant of more than 64 bits");
        o.value = LLVMConstIntGetZExtValue(value);
    } else if (LLVMIsAConstantPointerNull(value) != NULL || LLVMIsAConstantAggregateZero(value) != NULL) {
        o.value = 0;
    } else if (constant_address(r, value, &global, &o.offset)) {
        o.kind = LS_IR_GLOBAL;
        o.value = global;
    } else if (LLVMIsAConstantStruct(value) != NULL && o.bits <= 64) {
        uint32_t at = 0;
        for (int i = 0; i < LLVMGetNumOperands(value); i++) {
            const ls_ir_operand part = read_operand(r, LLVMGetOperand(value, (unsigned)i));
            if (part.kind != LS_IR_NUMBER) refuse(r, "a constant struct with an address, or a part without a value");
            o.value |= part.value << at;
            at += part.bits;
        }
    } else {
        refuse(r, LLVMIsAFunction(value) != NULL ? "the address of a function" : "a constant expression");
    }
    return o;
}

static void add_operand(reader *r, ls_ir_inst *i, LLVMValueRef value, int64_t scale) {
    i->operand = ls_grow(i->operand, i->operands, sizeof *i->operand);
    i->operand[i->operands] = read_operand(r, value);
    i->operand[i->operands++].scale = scale;
}

static uint32_t block_number(const reader *r, const ls_ir_function *f, LLVMBasicBlockRef block) {
    uint32_t i = 0;
    while (i < f->blocks && r->blocks[i] != block) i++;
    return i;
}

static void add_target(const reader *r, const ls_ir_function *f, ls_ir_inst *i, LLVMBasicBlockRef block) {
    i->to = ls_grow(i->to, i->targets, sizeof *i->to);
    i->to[i->targets++] = block_number(r, f, block);
}

/* Instructions --------------------------------------------------------------------------------------------------------------- */

static const struct {
    LLVMOpcode from;
    ls_ir_op to;
} plain[] = {
    {LLVMAdd, LS_IR_ADD},        {LLVMSub, LS_IR_SUB},
    {LLVMMul, LS_IR_MUL},        {LLVMUDiv, LS_IR_UDIV},
    {LLVMSDiv, LS_IR_SDIV},      {LLVMURem, LS_IR_UREM},
    {LLVMSRem, LS_IR_SREM},      {LLVMShl, LS_IR_SHL},
    {LLVMLShr, LS_IR_LSHR},      {LLVMAShr, LS_IR_ASHR},
    {LLVMAnd, LS_IR_AND},        {LLVMOr, LS_IR_OR},
    {LLVMXor, LS_IR_XOR},        {LLVMSelect, LS_IR_SELECT},
    {LLVMZExt, LS_IR_ZEXT},      {LLVMSExt, LS_IR_SEXT},
    {LLVMTrunc, LS_IR_TRUNC},    {LLVMBitCast, LS_IR_COPY},
    {LLVMPtrToInt, LS_IR_TRUNC}, {LLVMIntToPtr, LS_IR_ZEXT},
    {LLVMFreeze, LS_IR_COPY},    {LLVMLoad, LS_IR_LOAD},
    {LLVMStore, LS_IR_STORE},    {LLVMRet, LS_IR_RETURN},
    {LLVMICmp, LS_IR_COMPARE},   {LLVMUnreachable, LS_IR_UNREACHABLE},
};

static const struct {
    const char *name; /* without "llvm." and types */
    ls_ir_op op;
    uint32_t extra, operands;
} intrinsics[] = {
    {"memcpy", LS_IR_COPY_BYTES, 0, 3},
    {"memmove", LS_IR_COPY_BYTES, 0, 3},
    {"memset", LS_IR_FILL, 0, 3},
    {"ctpop", LS_IR_COUNT_ONES, 0, 1},
    {"ctlz", LS_IR_LEADING_ZEROS, 0, 2},
    {"cttz", LS_IR_TRAILING_ZEROS, 0, 2},
    {"bswap", LS_IR_SWAP_BYTES, 0, 1},
    {"bitreverse", LS_IR_REVERSE_BITS, 0, 1},
    {"fshl", LS_IR_FUNNEL_LEFT, 0, 3},
    {"fshr", LS_IR_FUNNEL_RIGHT, 0, 3},
    {"abs", LS_IR_ABS, 0, 1},
    {"umin", LS_IR_MIN, 0, 2},
    {"umax", LS_IR_MAX, 0, 2},
    {"smin", LS_IR_MIN, 1, 2},
    {"smax", LS_IR_MAX, 1, 2},
    {"uadd.with.overflow", LS_IR_CHECKED_ADD, 0, 2},
    {"sadd.with.overflow", LS_IR_CHECKED_ADD, 1, 2},
    {"usub.with.overflow", LS_IR_CHECKED_SUB, 0, 2},
    {"ssub.with.overflow", LS_IR_CHECKED_SUB, 1, 2},
    {"umul.with.overflow", LS_IR_CHECKED_MUL, 0, 2},
    {"smul.with.overflow", LS_IR_CHECKED_MUL, 1, 2},
    {"uadd.sat", LS_IR_SATURATED_ADD, 0, 2},
    {"sadd.sat", LS_IR_SATURATED_ADD, 1, 2},
    {"usub.sat", LS_IR_SATURATED_SUB, 0, 2},
    {"ssub.sat", LS_IR_SATURATED_SUB, 1, 2},
    {"trap", LS_IR_TRAP, 0, 0},
    {"expect", LS_IR_COPY, 0, 1},
    {"lifetime.start", LS_IR_FORGET, 0, 2},
    {"lifetime.end", LS_IR_NOTHING, 0, 0},
    {"dbg.value", LS_IR_NOTHING, 0, 0},
    {"dbg.declare", LS_IR_NOTHING, 0, 0},
    {"dbg.label", LS_IR_NOTHING, 0, 0},
    {"assume", LS_IR_ASSUME, 0, 1},
    {"experimental.noalias.scope.decl", LS_IR_NOTHING, 0, 0},
};

static void read_call(reader *r, LLVMValueRef value, ls_ir_inst *i) {
    LLVMValueRef callee = LLVMGetCalledValue(value);
    const unsigned arguments = LLVMGetNumArgOperands(value);
    if (LLVMIsAFunction(callee) == NULL) refuse(r, "a call through a pointer");
    size_t length;
    const char *name = LLVMGetValueName2(callee, &length);
    if (strncmp(name, "llvm.", 5) != 0) {
        i->op = LS_IR_CALL;
        i->extra = number_of(r->functions, r->ir->functions, callee);
        i->bytes = ls_alloc(arguments + 1, sizeof *i->bytes);
        const unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
        for (unsigned a = 0; a < arguments; a++) {
            LLVMAttributeRef copied = LLVMGetCallSiteEnumAttribute(value, a + 1, byval);
            add_operand(r, i, LLVMGetOperand(value, a), 0);
            if (copied != NULL) i->bytes[a] = (uint32_t)LLVMABISizeOfType(r->layout, LLVMGetTypeAttributeValue(copied));
        }
        return;
    }
    if (strcmp(name, "llvm.ubsantrap") == 0) {
        i->op = LS_IR_TRAP;
        i->extra = 1 + (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(value, 0));
        return;
    }
    for (size_t k = 0; k < sizeof intrinsics / sizeof intrinsics[0]; k++) {
        const size_t end = strlen(intrinsics[k].name);
        if (strncmp(name + 5, intrinsics[k].name, end) != 0 || (name[5 + end] != '.' && name[5 + end] != '\0')) continue;
        i->op = intrinsics[k].op;
        i->extra = intrinsics[k].extra;
        for (unsigned a = 0; a < intrinsics[k].operands; a++) add_operand(r, i, LLVMGetOperand(value, a), 0);
        return;
    }
    refuse(r, name);
}

static void read_address(reader *r, LLVMValueRef value, ls_ir_inst *i) {
    i->op = LS_IR_ADDRESS;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(value);
    add_operand(r, i, LLVMGetOperand(value, 0), 1);
    for (int k = 1; k < LLVMGetNumOperands(value); k++) {
        LLVMValueRef index = LLVMGetOperand(value, (unsigned)k);
        int64_t scale;
        if (k == 1) scale = (int64_t)LLVMABISizeOfType(r->layout, type);
        else i->offset += (int64_t)element_offset(r, &type, index, &scale);
        if (scale == 0) continue;
        if (LLVMIsAConstantInt(index) != NULL) i->offset += scale * LLVMConstIntGetSExtValue(index);
        else add_operand(r, i, index, scale);
    }
}

static uint32_t part_offset(reader *r, LLVMTypeRef type, LLVMValueRef value) {
    const unsigned *indices = LLVMGetIndices(value);
    uint32_t at = 0;
    for (unsigned i = 0; i < LLVMGetNumIndices(value); i++) {
        if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
            type = LLVMGetElementType(type);
            at += indices[i] * type_bits(r, type);
            continue;
        }
        for (unsigned k = 0; k < indices[i]; k++) at += type_bits(r, LLVMStructGetTypeAtIndex(type, k));
        type = LLVMStructGetTypeAtIndex(type, indices[i]);
    }
    return at;
}

static const char *file_of(reader *r, LLVMValueRef value) {
    unsigned length = 0;
    const char *name = LLVMGetDebugLocFilename(value, &length);
    if (name == NULL) return "";
    for (size_t i = 0; i < r->ir->file_count; i++)
        if (strlen(r->ir->files[i]) == length && memcmp(r->ir->files[i], name, length) == 0) return r->ir->files[i];
    r->ir->files = ls_grow(r->ir->files, r->ir->file_count, sizeof *r->ir->files);
    return r->ir->files[r->ir->file_count++] = ls_format("%.*s", (int)length, name);
}

static void read_instruction(reader *r, const ls_ir_function *f, LLVMValueRef value, ls_ir_inst *i) {
    const LLVMOpcode op = LLVMGetInstructionOpcode(value);
    LLVMTypeRef type = LLVMTypeOf(value);
    i->line = LLVMGetDebugLocLine(value);
    i->file = file_of(r, value);
    r->where = i->file;
    r->line = i->line;
    i->bits = type_bits(r, type);
    if (i->bits > LS_IR_BITS_MAX) refuse(r, "a value of more than 1024 bits");
    i->pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    const struct number key = {.value = value}, *found = bsearch(&key, r->numbers, r->number_count, sizeof key, by_value);
    i->result = found != NULL ? found->number : LS_IR_NONE;
    for (size_t k = 0; k < sizeof plain / sizeof plain[0]; k++) {
        if (plain[k].from != op) continue;
        i->op = plain[k].to;
        for (int a = 0; a < LLVMGetNumOperands(value); a++) add_operand(r, i, LLVMGetOperand(value, (unsigned)a), 0);
        if (op == LLVMICmp) i->extra = (uint32_t)(LLVMGetICmpPredicate(value) - LLVMIntEQ) + LS_IR_EQ;
        if (op == LLVMLoad || op == LLVMStore) {
            LLVMTypeRef of = op == LLVMLoad ? type : LLVMTypeOf(LLVMGetOperand(value, 0));
            i->align = LLVMGetAlignment(value);
            if (is_aggregate(of) || LLVMGetVolatile(value)) refuse(r, "a load or store of a struct, or a volatile one");
        }
        return;
    }
    switch (op) {
    case LLVMAlloca: {
        LLVMValueRef count = LLVMGetOperand(value, 0);
        if (LLVMIsAConstantInt(count) == NULL) refuse(r, "an array of variable length");
        i->op = LS_IR_ALLOCA;
        i->extra = (uint32_t)(LLVMABISizeOfType(r->layout, LLVMGetAllocatedType(value)) * LLVMConstIntGetZExtValue(count));
        return;
    }
    case LLVMGetElementPtr:
        read_address(r, value, i);
        return;
    case LLVMBr:
        i->op = LS_IR_BRANCH;
        if (LLVMIsConditional(value)) add_operand(r, i, LLVMGetCondition(value), 0);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(value); k++) add_target(r, f, i, LLVMGetSuccessor(value, k));
        return;
    case LLVMSwitch:
        i->op = LS_IR_SWITCH;
        add_operand(r, i, LLVMGetOperand(value, 0), 0);
        add_target(r, f, i, LLVMGetSwitchDefaultDest(value));
        i->cases = ls_alloc(LLVMGetNumSuccessors(value), sizeof *i->cases);
        for (unsigned k = 1; k < LLVMGetNumSuccessors(value); k++) {
            i->cases[k - 1] = LLVMConstIntGetZExtValue(LLVMGetOperand(value, 2 * k));
            add_target(r, f, i, LLVMGetSuccessor(value, k));
        }
        return;
    case LLVMPHI:
        i->op = LS_IR_PHI;
        for (unsigned k = 0; k < LLVMCountIncoming(value); k++) {
            add_operand(r, i, LLVMGetIncomingValue(value, k), 0);
            add_target(r, f, i, LLVMGetIncomingBlock(value, k));
        }
        return;
    case LLVMExtractValue:
        i->op = LS_IR_EXTRACT;
        add_operand(r, i, LLVMGetOperand(value, 0), 0);
        i->extra = part_offset(r, LLVMTypeOf(LLVMGetOperand(value, 0)), value);
        return;
    case LLVMInsertValue:
        i->op = LS_IR_INSERT;
        add_operand(r, i, LLVMGetOperand(value, 0), 0);
        add_operand(r, i, LLVMGetOperand(value, 1), 0);
        i->extra = part_offset(r, type, value);
        return;
    case LLVMCall:
        read_call(r, value, i);
        return;
    default:
        refuse(r, "an instruction");
    }
}

static void number_values(reader *r, LLVMValueRef from, ls_ir_function *f) {
    uint32_t count = 0;
    r->number_count = 0;
    for (LLVMValueRef a = LLVMGetFirstParam(from); a != NULL; a = LLVMGetNextParam(a)) {
        r->numbers = ls_grow(r->numbers, r->number_count, sizeof *r->numbers);
        r->numbers[r->number_count++] = (struct number){a, count++};
    }
    f->arguments = count;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(from); b != NULL; b = LLVMGetNextBasicBlock(b)) {
        r->blocks = ls_grow(r->blocks, f->blocks, sizeof *r->blocks);
        r->blocks[f->blocks++] = b;
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v != NULL; v = LLVMGetNextInstruction(v)) {
            if (type_bits(r, LLVMTypeOf(v)) == 0) continue;
            r->numbers = ls_grow(r->numbers, r->number_count, sizeof *r->numbers);
            r->numbers[r->number_count++] = (struct number){v, count++};
        }
    }
    f->results = count;
    qsort(r->numbers, r->number_count, sizeof *r->numbers, by_value);
}

static void read_function(reader *r, LLVMValueRef from, ls_ir_function *f) {
    r->where = f->name;
    r->line = 0;
    if (LLVMIsDeclaration(from)) return;
    number_values(r, from, f);
    f->block = ls_alloc(f->blocks, sizeof *f->block);
    for (uint32_t b = 0; b < f->blocks; b++) {
        ls_ir_block *block = &f->block[b];
        for (LLVMValueRef v = LLVMGetFirstInstruction(r->blocks[b]); v != NULL; v = LLVMGetNextInstruction(v)) {
            block->inst = ls_grow(block->inst, block->count, sizeof *block->inst);
            block->inst[block->count] = (ls_ir_inst){0};
            read_instruction(r, f, v, &block->inst[block->count++]);
            if (block->inst[block->count - 1].op == LS_IR_NOTHING) block->count--;
        }
    }
}

/* Globals -------------------------------------------------------------------------------------------------------------------- */

static void read_initial(reader *r, LLVMValueRef value, ls_ir_global *g, size_t at) {
    LLVMTypeRef type = LLVMTypeOf(value);
    const LLVMTypeKind kind = LLVMGetTypeKind(type);
    uint32_t global;
    int64_t offset = 0;
    if (LLVMIsAConstantAggregateZero(value) || LLVMIsAConstantPointerNull(value) || LLVMIsUndef(value)) return;
    if (LLVMIsAConstantInt(value) != NULL) {
        const uint64_t number = LLVMConstIntGetZExtValue(value);
        for (uint32_t i = 0; i < (LLVMGetIntTypeWidth(type) + 7) / 8 && i < 8; i++) g->bytes[at + i] = (uint8_t)(number >> 8 * i);
    } else if (kind == LLVMArrayTypeKind) {
        LLVMTypeRef element = LLVMGetElementType(type);
        const size_t size = LLVMABISizeOfType(r->layout, element);
        for (unsigned i = 0; i < LLVMGetArrayLength(type); i++) {
            LLVMValueRef part =
                LLVMIsAConstantDataSequential(value) != NULL ? LLVMGetElementAsConstant(value, i) : LLVMGetOperand(value, i);
            read_initial(r, part, g, at + i * size);
        }
    } else if (kind == LLVMStructTypeKind) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            read_initial(r, LLVMGetOperand(value, i), g, at + LLVMOffsetOfElement(r->layout, type, i));
    } else if (kind == LLVMPointerTypeKind && constant_address(r, value, &global, &offset)) {
        g->places = ls_grow(g->places, g->place_count, sizeof *g->places);
        g->places[g->place_count++] = (ls_ir_place){at, global, offset};
    } else {
        g->constant = false; /* a float or a function's address: nothing may be read of it */
    }
}

static void read_globals(reader *r) {
    for (LLVMValueRef v = LLVMGetFirstGlobal(r->module); v != NULL; v = LLVMGetNextGlobal(v)) {
        r->globals = ls_grow(r->globals, r->ir->globals, sizeof *r->globals);
        r->globals[r->ir->globals] = v;
        r->ir->global = ls_grow(r->ir->global, r->ir->globals, sizeof *r->ir->global);
        size_t length;
        r->ir->global[r->ir->globals++] = (ls_ir_global){.name = ls_copy(LLVMGetValueName2(v, &length))};
    }
    for (uint32_t i = 0; i < r->ir->globals; i++) {
        ls_ir_global *g = &r->ir->global[i];
        LLVMValueRef v = r->globals[i];
        r->where = g->name;
        g->size = LLVMABISizeOfType(r->layout, LLVMGlobalGetValueType(v));
        g->constant = LLVMIsGlobalConstant(v);
        if (LLVMGetInitializer(v) == NULL) continue;
        g->bytes = ls_alloc(g->size + 1, 1);
        read_initial(r, LLVMGetInitializer(v), g, 0);
    }
}

static void read_functions(reader *r) {
    for (LLVMValueRef v = LLVMGetFirstFunction(r->module); v != NULL; v = LLVMGetNextFunction(v)) {
        size_t length;
        r->functions = ls_grow(r->functions, r->ir->functions, sizeof *r->functions);
        r->functions[r->ir->functions] = v;
        r->ir->function = ls_grow(r->ir->function, r->ir->functions, sizeof *r->ir->function);
        r->ir->function[r->ir->functions++] = (ls_ir_function){.name = ls_copy(LLVMGetValueName2(v, &length))};
    }
    for (uint32_t i = 0; i < r->ir->functions; i++) {
        ls_ir_function *f = &r->ir->function[i];
        if (setjmp(r->out) == 0) {
            read_function(r, r->functions[i], f);
        } else {
            ls_ir_drop_blocks(f);
            f->refused = r->error;
            r->error = NULL;
        }
    }
}

static char *run_passes(LLVMModuleRef module) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef failed = LLVMRunPasses(module, "function(sroa,loop-simplify,lcssa)", NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (failed == NULL) return NULL;
    char *text = LLVMGetErrorMessage(failed), *error = ls_copy(text);
    LLVMDisposeErrorMessage(text);
    return error;
}

/* One file of bitcode; NULL and *error. */
static LLVMModuleRef read_module(LLVMContextRef context, const char *path, char **error) {
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module = NULL;
    char *text = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &text)) {
        *error = ls_format("%s: %s", path, text);
        LLVMDisposeMessage(text);
        return NULL;
    }
    if (LLVMParseBitcodeInContext2(context, buffer, &module)) *error = ls_format("%s: no bitcode of LLVM", path);
    LLVMDisposeMemoryBuffer(buffer);
    return *error == NULL ? module : NULL;
}

/* ls_ir_read, as this library has it (ir.c). */
char *ls_ir_read_bitcode(const char *const *paths, size_t count, ls_ir *ir);

char *ls_ir_read_bitcode(const char *const *paths, size_t count, ls_ir *ir) {
    *ir = (ls_ir){0};
    LLVMContextRef context = LLVMContextCreate();
    reader r = {.ir = ir};
    for (size_t i = 0; i < count && r.error == NULL; i++) {
        LLVMModuleRef next = read_module(context, paths[i], &r.error);
        if (r.module == NULL) r.module = next;
        else if (next != NULL && LLVMLinkModules2(r.module, next))
            r.error = ls_format("%s: it does not fit the others", paths[i]);
    }
    if (r.error == NULL) r.error = run_passes(r.module);
    if (r.error == NULL) {
        r.layout = LLVMGetModuleDataLayout(r.module);
        read_globals(&r);
        read_functions(&r);
    }
    if (r.module != NULL) LLVMDisposeModule(r.module);
    LLVMContextDispose(context);
    free(r.functions);
    free(r.globals);
    free(r.numbers);
    free(r.blocks);
    if (r.error != NULL) ls_ir_free(ir);
    return r.error;
}
