/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel to steps: every operand checked, its row found, its function chosen, once a launch. */
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmodel/workload/rf_program.h"
#include "cmodel/workload/rf_simt_machine.h"

/* How many operands an operation has. */
static const struct shape {
    uint8_t kind, min_src, max_src, min_dst, max_dst;
} shapes[RF_KOPS] = {
    [RF_K_NOP] = {RF_STEP_NOTHING, 0, 0, 0, 0},      [RF_K_MOV] = {RF_STEP_LANES, 1, 1, 1, 1},
    [RF_K_PACK] = {RF_STEP_LANES, 2, 4, 1, 1},       [RF_K_UNPACK] = {RF_STEP_LANES, 1, 1, 2, 4},
    [RF_K_ADD] = {RF_STEP_LANES, 2, 2, 1, 1},        [RF_K_SUB] = {RF_STEP_LANES, 2, 2, 1, 1},
    [RF_K_MUL] = {RF_STEP_LANES, 2, 2, 1, 1},        [RF_K_MAD] = {RF_STEP_LANES, 3, 3, 1, 1},
    [RF_K_MUL24] = {RF_STEP_LANES, 2, 2, 1, 1},      [RF_K_MAD24] = {RF_STEP_LANES, 3, 3, 1, 1},
    [RF_K_SAD] = {RF_STEP_LANES, 3, 3, 1, 1},        [RF_K_DIV] = {RF_STEP_LANES, 2, 2, 1, 1},
    [RF_K_REM] = {RF_STEP_LANES, 2, 2, 1, 1},        [RF_K_ABS] = {RF_STEP_LANES, 1, 1, 1, 1},
    [RF_K_NEG] = {RF_STEP_LANES, 1, 1, 1, 1},        [RF_K_MIN] = {RF_STEP_LANES, 2, 2, 1, 1},
    [RF_K_MAX] = {RF_STEP_LANES, 2, 2, 1, 1},        [RF_K_FMA] = {RF_STEP_LANES, 3, 3, 1, 1},
    [RF_K_COPYSIGN] = {RF_STEP_LANES, 2, 2, 1, 1},   [RF_K_TESTP] = {RF_STEP_LANES, 1, 1, 1, 1},
    [RF_K_ADDC] = {RF_STEP_LANES, 2, 2, 1, 1},       [RF_K_SUBC] = {RF_STEP_LANES, 2, 2, 1, 1},
    [RF_K_MADC] = {RF_STEP_LANES, 3, 3, 1, 1},       [RF_K_AND] = {RF_STEP_LANES, 2, 2, 1, 1},
    [RF_K_OR] = {RF_STEP_LANES, 2, 2, 1, 1},         [RF_K_XOR] = {RF_STEP_LANES, 2, 2, 1, 1},
    [RF_K_NOT] = {RF_STEP_LANES, 1, 1, 1, 1},        [RF_K_CNOT] = {RF_STEP_LANES, 1, 1, 1, 1},
    [RF_K_SHL] = {RF_STEP_LANES, 2, 2, 1, 1},        [RF_K_SHR] = {RF_STEP_LANES, 2, 2, 1, 1},
    [RF_K_SHF_L] = {RF_STEP_LANES, 3, 3, 1, 1},      [RF_K_SHF_R] = {RF_STEP_LANES, 3, 3, 1, 1},
    [RF_K_LOP3] = {RF_STEP_LANES, 4, 4, 1, 1},       [RF_K_PRMT] = {RF_STEP_LANES, 3, 3, 1, 1},
    [RF_K_POPC] = {RF_STEP_LANES, 1, 1, 1, 1},       [RF_K_CLZ] = {RF_STEP_LANES, 1, 1, 1, 1},
    [RF_K_BFIND] = {RF_STEP_LANES, 1, 1, 1, 1},      [RF_K_BREV] = {RF_STEP_LANES, 1, 1, 1, 1},
    [RF_K_BFE] = {RF_STEP_LANES, 3, 3, 1, 1},        [RF_K_BFI] = {RF_STEP_LANES, 4, 4, 1, 1},
    [RF_K_FNS] = {RF_STEP_LANES, 3, 3, 1, 1},        [RF_K_DP4A] = {RF_STEP_LANES, 3, 3, 1, 1},
    [RF_K_SET] = {RF_STEP_LANES, 2, 3, 1, 1},        [RF_K_SETP] = {RF_STEP_LANES, 2, 3, 1, 2},
    [RF_K_SELP] = {RF_STEP_LANES, 3, 3, 1, 1},       [RF_K_SLCT] = {RF_STEP_LANES, 3, 3, 1, 1},
    [RF_K_CVT] = {RF_STEP_LANES, 1, 1, 1, 1},        [RF_K_CVTA] = {RF_STEP_LANES, 1, 1, 1, 1},
    [RF_K_RCP] = {RF_STEP_LANES, 1, 1, 1, 1},        [RF_K_SQRT] = {RF_STEP_LANES, 1, 1, 1, 1},
    [RF_K_RSQRT] = {RF_STEP_LANES, 1, 1, 1, 1},      [RF_K_SIN] = {RF_STEP_LANES, 1, 1, 1, 1},
    [RF_K_COS] = {RF_STEP_LANES, 1, 1, 1, 1},        [RF_K_LG2] = {RF_STEP_LANES, 1, 1, 1, 1},
    [RF_K_EX2] = {RF_STEP_LANES, 1, 1, 1, 1},        [RF_K_TANH] = {RF_STEP_LANES, 1, 1, 1, 1},
    [RF_K_LD] = {RF_STEP_MEMORY, 1, 1, 1, 4},        [RF_K_ST] = {RF_STEP_MEMORY, 2, 5, 0, 0},
    [RF_K_ATOM] = {RF_STEP_MEMORY, 2, 3, 1, 1},      [RF_K_RED] = {RF_STEP_MEMORY, 2, 2, 0, 0},
    [RF_K_BRA] = {RF_STEP_BRANCH, 0, 0, 0, 0},       [RF_K_EXIT] = {RF_STEP_EXIT, 0, 0, 0, 0},
    [RF_K_BAR] = {RF_STEP_BARRIER, 1, 2, 0, 0},      [RF_K_SHFL] = {RF_STEP_LANES, 3, 4, 1, 2},
    [RF_K_VOTE] = {RF_STEP_LANES, 1, 2, 1, 1},       [RF_K_MATCH] = {RF_STEP_LANES, 2, 2, 1, 2},
    [RF_K_ACTIVEMASK] = {RF_STEP_LANES, 0, 0, 1, 1}, [RF_K_ELECT] = {RF_STEP_LANES, 1, 1, 1, 2},
    [RF_K_WARPSYNC] = {RF_STEP_LANES, 1, 1, 0, 0},   [RF_K_TRAP] = {RF_STEP_TRAP, 0, 0, 0, 0},
};

/* Whether source, or destination, i is a predicate. */
static bool predicate_source(const rf_kinst *inst, uint32_t i) {
    switch (inst->op) {
    case RF_K_SET:
    case RF_K_SETP:
    case RF_K_SELP:
        return i == 2;
    case RF_K_VOTE:
        return i == 0;
    case RF_K_MOV:
    case RF_K_AND:
    case RF_K_OR:
    case RF_K_XOR:
    case RF_K_NOT:
        return inst->type == RF_T_PRED;
    default:
        return false;
    }
}

static bool predicate_destination(const rf_kinst *inst, uint32_t i) {
    switch (inst->op) {
    case RF_K_SETP:
    case RF_K_TESTP:
        return true;
    case RF_K_VOTE:
        return inst->mode != RF_M_BALLOT;
    case RF_K_SHFL:
    case RF_K_MATCH:
    case RF_K_ELECT:
        return i == 1;
    case RF_K_MOV:
    case RF_K_AND:
    case RF_K_OR:
    case RF_K_XOR:
    case RF_K_NOT:
        return inst->type == RF_T_PRED;
    default:
        return false;
    }
}

/* Bits of the result in a register. */
static uint32_t result_bits(const rf_kinst *inst) {
    const uint32_t bits = rf_ktype_bits(inst->type);
    switch (inst->op) {
    case RF_K_MUL:
    case RF_K_MAD:
        return inst->part == RF_PART_WIDE ? 2 * bits : bits;
    case RF_K_UNPACK:
        return bits / inst->vector;
    case RF_K_POPC:
    case RF_K_CLZ:
    case RF_K_BFIND:
    case RF_K_SHFL:
    case RF_K_VOTE:
    case RF_K_MATCH:
    case RF_K_ACTIVEMASK:
    case RF_K_ELECT:
        return 32;
    default:
        return bits;
    }
}

static rf_simt_fn *find_function(const rf_kinst *inst) {
    static rf_simt_fn *(*const files[])(const rf_kinst *) = {
        rf_simt_move,  rf_simt_integer, rf_simt_bits,    rf_simt_approximate,
        rf_simt_float, rf_simt_compare, rf_simt_convert, rf_simt_exchange,
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        rf_simt_fn *const found = files[i](inst);
        if (found) return found;
    }
    return NULL;
}

/* Whether a memory instruction is one that PTX has: NULL, or what is wrong with it. */
static const char *memory_fault(const rf_kinst *inst) {
    const uint32_t bits = rf_ktype_bits(inst->type);
    if (inst->space > RF_S_LOCAL) return "no such space";
    if (bits < 8) return "no such type";
    if (inst->op == RF_K_ATOM || inst->op == RF_K_RED) {
        if (inst->space != RF_S_GENERIC && inst->space != RF_S_GLOBAL && inst->space != RF_S_SHARED) return "not in this space";
        if (!rf_simt_atomic_known(inst)) return "no such atomic operation";
        if (inst->nsrc != (inst->mode == RF_M_CAS ? 3 : 2)) return "number of operands";
        return NULL;
    }
    if (inst->vector != 1 && inst->vector != 2 && inst->vector != 4) return "no such vector";
    if (inst->op == RF_K_LD) return inst->ndst == inst->vector ? NULL : "number of operands";
    if (inst->space == RF_S_PARAM || inst->space == RF_S_CONST) return "not in this space";
    return inst->nsrc == inst->vector + 1 ? NULL : "number of operands";
}

/* --- operands --------------------------------------------------------------------------------------------------------------- */

static uint32_t constant_row(rf_simt_grid *g, uint32_t word) {
    if (word == 0) return RF_STEP_CONSTANT;
    const uint32_t place = (uint32_t)g->constants++ * RF_LANES;
    for (uint32_t l = 0; l < RF_LANES; l++) g->constant[place + l] = word;
    return RF_STEP_CONSTANT | place;
}

static bool has_high_word(uint32_t special) {
    return special == RF_SR_CLOCK64 || special == RF_SR_GLOBALTIMER || special == RF_SR_GRIDID;
}

static bool moves_on(uint32_t special) { return special >= RF_SR_CLOCK && special <= RF_SR_GLOBALTIMER; }

static const char *decode_source(rf_simt_grid *g, rf_simt_step *step, uint32_t i) {
    const rf_koperand *const operand = &step->inst->src[i];
    uint32_t *const low = &step->row[2 * i], *const high = &step->row[2 * i + 1];
    *low = *high = constant_row(g, 0);
    if (predicate_source(step->inst, i)) {
        const uint8_t n = step->nsrc_pred++;
        step->src_pred[n].source = (uint8_t)i;
        if (operand->kind == RF_O_IMM) {
            step->src_pred[n].constant = true;
            step->src_pred[n].flip = operand->imm != 0 ? UINT32_MAX : 0;
            return NULL;
        }
        if (operand->kind != RF_O_PRED) return "a source must be a predicate";
        if (operand->reg >= g->kernel->npred) return "predicate out of range";
        step->src_pred[n].reg = operand->reg;
        step->src_pred[n].flip = operand->negated ? UINT32_MAX : 0;
        return NULL;
    }
    switch (operand->kind) {
    case RF_O_REG:
        if ((operand->words != 1 && operand->words != 2) || operand->words > g->kernel->nreg ||
            operand->reg > g->kernel->nreg - operand->words)
            return "register out of range";
        *low = operand->reg * RF_LANES;
        if (operand->words == 2) *high = *low + RF_LANES;
        return NULL;
    case RF_O_IMM:
        *low = constant_row(g, (uint32_t)operand->imm);
        *high = constant_row(g, (uint32_t)(operand->imm >> 32));
        return NULL;
    case RF_O_SPECIAL:
        if (operand->reg >= RF_SR_COUNT) return "no such special register";
        if (g->special_row[operand->reg] == RF_KNONE) {
            g->special_row[operand->reg] = g->rows * RF_LANES;
            g->rows += 2;
        }
        step->clock |= moves_on(operand->reg);
        *low = g->special_row[operand->reg];
        if (has_high_word(operand->reg)) *high = *low + RF_LANES;
        return NULL;
    default:
        return "a source must be a register or a number";
    }
}

static const char *decode_destination(rf_simt_grid *g, rf_simt_step *step, uint32_t i) {
    const rf_kinst *const inst = step->inst;
    const rf_koperand *const operand = &inst->dst[i];
    if (operand->kind == RF_O_NONE) return NULL;
    if (predicate_destination(inst, i)) {
        if (operand->kind != RF_O_PRED) return "a destination must be a predicate";
        if (operand->reg >= g->kernel->npred) return "predicate out of range";
        step->dst_pred[step->ndst_pred].reg = operand->reg;
        step->dst_pred[step->ndst_pred++].out = (uint8_t)i;
        return NULL;
    }
    if (operand->kind != RF_O_REG) return "a destination must be a register";
    if ((operand->words != 1 && operand->words != 2) || operand->words > g->kernel->nreg ||
        operand->reg > g->kernel->nreg - operand->words)
        return "register out of range";
    const uint32_t bits = result_bits(inst);
    const bool may_be_wider = inst->op == RF_K_LD || inst->op == RF_K_CVT;
    if (bits > 32u * operand->words || (bits <= 32 && operand->words == 2 && !may_be_wider))
        return "a destination of another size";
    for (uint32_t word = 0; word < operand->words; word++) {
        step->word[step->nword].place = (operand->reg + word) * RF_LANES;
        step->word[step->nword++].out = (uint8_t)(2 * i + word);
    }
    return NULL;
}

/* --- instructions ----------------------------------------------------------------------------------------------------------- */

static int rounding_of(const rf_kinst *inst) {
    if (inst->op == RF_K_CVT) return FE_TONEAREST; /* rounds on its own */
    switch (inst->round) {
    case RF_R_RZ:
        return FE_TOWARDZERO;
    case RF_R_RM:
        return FE_DOWNWARD;
    case RF_R_RP:
        return FE_UPWARD;
    default:
        return FE_TONEAREST;
    }
}

static const char *decode_step(rf_simt_grid *g, rf_simt_step *step) {
    const rf_kinst *const inst = step->inst;
    if (inst->op >= RF_KOPS || inst->type > RF_T_F64 || inst->src_type > RF_T_F64 || inst->text >= g->kernel->ntext)
        return "not an instruction";
    const struct shape *const shape = &shapes[inst->op];
    if (inst->nsrc < shape->min_src || inst->nsrc > shape->max_src || inst->ndst < shape->min_dst || inst->ndst > shape->max_dst)
        return "number of operands";
    if ((inst->op == RF_K_PACK && inst->nsrc != inst->vector) || (inst->op == RF_K_UNPACK && inst->ndst != inst->vector) ||
        (inst->boolean != RF_B_NONE && inst->nsrc != 3) ||
        ((inst->flags & RF_F_SYNC) && inst->nsrc != shape->max_src && inst->op != RF_K_ELECT))
        return "number of operands";
    step->kind = shape->kind;
    step->guard = inst->guard;
    step->guard_flip = inst->guard_negated ? UINT32_MAX : 0;
    if (inst->guard != RF_KNONE && inst->guard >= g->kernel->npred) return "guard out of range";
    if (step->kind == RF_STEP_LANES) {
        step->run = find_function(inst);
        if (!step->run) return "not supported with this type and these modifiers";
    }
    if (step->kind == RF_STEP_MEMORY) {
        const char *const fault = memory_fault(inst);
        if (fault) return fault;
        step->bytes = rf_ktype_bits(inst->type) / 8 * (inst->op == RF_K_LD || inst->op == RF_K_ST ? inst->vector : 1u);
    }
    step->rounding = rounding_of(inst);
    const char *fault = NULL;
    step->nsrc = inst->nsrc;
    for (uint32_t i = 0; i < step->nsrc && !fault; i++) fault = decode_source(g, step, i);
    for (uint32_t i = 0; i < inst->ndst && !fault; i++) fault = decode_destination(g, step, i);
    if (!fault) rf_program_inst(g->kernel, (uint32_t)(inst - g->kernel->inst), &step->record);
    return fault;
}

/* Blocks one behind the other, every one with instructions, and branches that end them. */
static const char *decode_flow(rf_simt_grid *g, uint32_t *inst) {
    const rf_kernel *const kernel = g->kernel;
    uint32_t next = 0;
    for (uint32_t b = 0; b < kernel->nblock; b++) {
        const rf_kblock *const block = &kernel->block[b];
        *inst = next < kernel->ninst ? next : kernel->ninst - 1;
        if (block->first != next || block->count == 0 || block->count > kernel->ninst - next)
            return "blocks do not follow each other";
        next += block->count;
        for (uint32_t i = block->first; i < next; i++) {
            if (g->step[i].kind != RF_STEP_BRANCH) continue;
            *inst = i;
            if (i != next - 1) return "a branch inside its block";
            if (kernel->inst[i].target >= kernel->nblock) return "branch to no block";
            if (block->ipdom != RF_KNONE && block->ipdom >= kernel->nblock) return "post-dominator out of range";
            g->step[i].target = kernel->block[kernel->inst[i].target].first;
            g->step[i].join = block->ipdom == RF_KNONE ? RF_KNONE : kernel->block[block->ipdom].first;
        }
    }
    *inst = kernel->ninst - 1;
    if (next != kernel->ninst) return "blocks do not follow each other";
    const rf_simt_step *const last = &g->step[kernel->ninst - 1];
    const bool ends = last->kind == RF_STEP_BRANCH || last->kind == RF_STEP_EXIT || last->kind == RF_STEP_TRAP;
    return ends && last->guard == RF_KNONE ? NULL : "the kernel's last instruction must leave it";
}

int rf_simt_decode(rf_simt_grid *g) {
    const rf_kernel *const kernel = g->kernel;
    size_t constants = 1;
    for (uint32_t i = 0; i < kernel->ninst; i++)
        for (uint32_t s = 0; s < RF_KSRC_MAX; s++) constants += kernel->inst[i].src[s].kind == RF_O_IMM ? 2 : 0;
    for (uint32_t i = 0; i < RF_SR_COUNT; i++) g->special_row[i] = RF_KNONE;
    g->rows = kernel->nreg;
    g->step = calloc(kernel->ninst, sizeof *g->step);
    g->constant = calloc(constants, RF_LANES * sizeof *g->constant);
    g->constants = 1;
    if (!g->step || !g->constant || constants > UINT32_MAX / 2 / RF_LANES) {
        (void)snprintf(g->error, g->error_size, "kernel %s: no memory", kernel->name);
        return -1;
    }
    uint32_t inst = 0;
    const char *fault = NULL;
    for (; inst < kernel->ninst && !fault; inst++) {
        g->step[inst].inst = &kernel->inst[inst];
        fault = decode_step(g, &g->step[inst]);
    }
    if (fault) inst--;
    if (!fault) fault = decode_flow(g, &inst);
    if (!fault) return 0;
    const rf_kinst *const at = &kernel->inst[inst];
    (void)snprintf(g->error, g->error_size, "kernel %s, line %u: %s: %s", kernel->name, at->line,
                   at->text < kernel->ntext ? kernel->texts[at->text] : "?", fault);
    return -1;
}

void rf_simt_undecode(rf_simt_grid *g) {
    free(g->step);
    free(g->constant);
}
