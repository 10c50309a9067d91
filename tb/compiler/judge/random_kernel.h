/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels for the compiler half's tests: a builder for graphs made by hand, a generator of random ones that are like compiled
 * code (loops, both kinds of if, guards, early exits, vectors, pairs, predicates; every read variable is written before). */
#ifndef TB_RANDOM_KERNEL_H
#define TB_RANDOM_KERNEL_H

#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_kernel.h"
#include "harness/base/rng.h"

/* --- builder ---------------------------------------------------------------------------------------------------------------- */

/* Line of an instruction: its index + 1, unique. */
static inline rf_kinst *kb_inst(rf_kernel *k, rf_kop op, rf_ktype type) {
    if (k->ninst % 64 == 0) k->inst = realloc(k->inst, (k->ninst + 64) * sizeof *k->inst);
    rf_kinst *const inst = &k->inst[k->ninst++];
    *inst = (rf_kinst){
        .op = (uint8_t)op, .type = (uint8_t)type, .src_type = (uint8_t)type, .vector = 1, .guard = RF_KNONE, .line = k->ninst};
    k->block[k->nblock - 1].count++;
    return inst;
}

static inline uint32_t kb_block(rf_kernel *k) {
    if (k->nblock % 64 == 0) k->block = realloc(k->block, (k->nblock + 64) * sizeof *k->block);
    k->block[k->nblock] = (rf_kblock){.first = k->ninst};
    return k->nblock++;
}

static inline uint32_t kb_var(rf_kernel *k, rf_ktype type) {
    if (k->nvar % 64 == 0) k->var = realloc(k->var, (k->nvar + 64) * sizeof *k->var);
    k->var[k->nvar] = (rf_kvar){.type = (uint8_t)type};
    return k->nvar++;
}

static inline rf_koperand kb_reg(const rf_kernel *k, uint32_t v) {
    const uint32_t bits = rf_ktype_bits((rf_ktype)k->var[v].type);
    const uint8_t words = bits == 1 ? 0 : bits == 64 ? 2 : 1;
    return (rf_koperand){.kind = bits == 1 ? RF_O_PRED : RF_O_REG, .words = words, .reg = v};
}

static inline rf_koperand kb_imm(uint64_t imm) { return (rf_koperand){.kind = RF_O_IMM, .imm = imm}; }
static inline void kb_dst(const rf_kernel *k, rf_kinst *inst, uint32_t v) { inst->dst[inst->ndst++] = kb_reg(k, v); }
static inline void kb_src(const rf_kernel *k, rf_kinst *inst, uint32_t v) { inst->src[inst->nsrc++] = kb_reg(k, v); }
static inline void kb_src_imm(rf_kinst *inst, uint64_t imm) { inst->src[inst->nsrc++] = kb_imm(imm); }

/* A branch as the last instruction of the open block; RF_KNONE for `guard`: always. */
static inline void kb_bra(rf_kernel *k, uint32_t target, uint32_t guard, bool negated) {
    rf_kinst *const inst = kb_inst(k, RF_K_BRA, RF_T_NONE);
    inst->target = target;
    inst->guard = guard;
    inst->guard_negated = negated;
}

/* Successors from the last instructions, then control flow and the one text. */
static inline void kb_finish(rf_kernel *k, const char *name) {
    for (uint32_t b = 0; b < k->nblock; b++) {
        rf_kblock *const block = &k->block[b];
        const rf_kinst *const last = &k->inst[block->first + block->count - 1];
        const bool ends = (last->op == RF_K_EXIT || last->op == RF_K_BRA) && last->guard == RF_KNONE;
        block->nsucc = 0;
        if (last->op == RF_K_BRA) block->succ[block->nsucc++] = last->target;
        if (!ends) block->succ[block->nsucc++] = b + 1;
    }
    k->name = strdup(name);
    k->texts = malloc(sizeof *k->texts);
    k->texts[k->ntext++] = strdup("test");
    if (rf_kernel_flow(k) != 0) abort();
}

/* --- random kernels --------------------------------------------------------------------------------------------------------- */

typedef struct random_options {
    uint32_t variables; /* about as many */
    uint32_t length;    /* instructions, about as many */
    uint32_t fresh;     /* of 256: how often a result goes to a new variable */
    uint32_t guards;    /* of 256: how many instructions have one */
    uint32_t local;     /* of 256: how often an operand is one of the last dozen variables */
    bool all_kinds;     /* else one-word variables and the branches' predicates only */
    uint32_t near;      /* of 256: how many loads and stores are of shared memory */
    uint32_t special;   /* of 256: how much of the arithmetic is a division, for a shared unit */
    uint32_t uniform;   /* of 256: how many forward branches are .uni */
} random_options;

typedef struct random_maker {
    rf_kernel *k;
    ls_rng rng;
    random_options o;
    bool *defined; /* per variable: on every way to here */
    uint32_t budget;
} random_maker;

#define RANDOM_VARIABLES 16384u /* room of `defined` */

/* A defined variable of that type, or RF_KNONE. Late ones are taken more often. */
static inline uint32_t rm_use(random_maker *m, rf_ktype type) {
    for (uint32_t tries = 0; tries < 24; tries++) {
        const uint32_t n = m->k->nvar, near = n > 12 && ls_rng_chance(&m->rng, m->o.local) ? 12 : n;
        if (n == 0) return RF_KNONE;
        const uint32_t v = n - 1 - ls_rng_below(&m->rng, near);
        if (m->defined[v] && m->k->var[v].type == type) return v;
    }
    for (uint32_t v = 0; v < m->k->nvar; v++)
        if (m->defined[v] && m->k->var[v].type == type) return v;
    return RF_KNONE;
}

/* A variable to write. The caller says when it is defined. */
static inline uint32_t rm_target(random_maker *m, rf_ktype type) {
    if (m->k->nvar < m->o.variables && ls_rng_chance(&m->rng, m->o.fresh)) return kb_var(m->k, type);
    const uint32_t v = rm_use(m, type);
    return v == RF_KNONE ? kb_var(m->k, type) : v;
}

static inline void rm_source(random_maker *m, rf_kinst *inst, rf_ktype type) {
    const uint32_t v = ls_rng_chance(&m->rng, 232) ? rm_use(m, type) : RF_KNONE;
    if (v == RF_KNONE) kb_src_imm(inst, type == RF_T_PRED ? ls_rng_below(&m->rng, 2) : ls_rng_u64(&m->rng));
    else kb_src(m->k, inst, v);
}

/* True for `of256` of 256; chance is not asked for none. */
static inline bool rm_some(random_maker *m, uint32_t of256) { return of256 && ls_rng_chance(&m->rng, of256); }

static inline rf_ktype rm_type(random_maker *m) {
    if (!m->o.all_kinds) return RF_T_B32;
    const uint32_t r = ls_rng_below(&m->rng, 16);
    return r < 8 ? RF_T_B32 : r < 13 ? RF_T_B64 : RF_T_PRED;
}

/* Writes a destination: defined from now on when nothing guards it. Different from the ones before it in the instruction. */
static inline void rm_dst(random_maker *m, rf_kinst *inst, rf_ktype type) {
    uint32_t v = rm_target(m, type);
    for (uint32_t d = 0; d < inst->ndst; d++)
        if (inst->dst[d].reg == v) v = kb_var(m->k, type);
    kb_dst(m->k, inst, v);
}

static inline void rm_inst(random_maker *m) {
    const rf_ktype type = rm_type(m);
    const bool wide = m->o.all_kinds;
    rf_kinst *const inst = kb_inst(m->k, RF_K_ADD, type);
    const uint32_t guard = ls_rng_chance(&m->rng, m->o.guards) ? rm_use(m, RF_T_PRED) : RF_KNONE;
    m->budget -= m->budget > 0;
    inst->guard = guard;
    inst->guard_negated = ls_rng_chance(&m->rng, 128);
    if (type == RF_T_PRED) {
        inst->op = RF_K_SETP;
        inst->cmp = RF_C_LT;
        inst->type = inst->src_type = RF_T_U32;
        inst->boolean = ls_rng_chance(&m->rng, 128) ? RF_B_XOR : RF_B_NONE;
        rm_source(m, inst, RF_T_B32);
        rm_source(m, inst, RF_T_B32);
        if (inst->boolean) rm_source(m, inst, RF_T_PRED);
        rm_dst(m, inst, RF_T_PRED);
        if (ls_rng_chance(&m->rng, 64)) rm_dst(m, inst, RF_T_PRED);
        if (ls_rng_chance(&m->rng, 24)) {
            inst->op = RF_K_MOV;
            inst->type = inst->src_type = RF_T_PRED;
            inst->ndst = inst->nsrc = 0;
            rm_source(m, inst, RF_T_PRED);
            rm_dst(m, inst, RF_T_PRED);
        }
    } else {
        const uint32_t kind = ls_rng_below(&m->rng, wide ? 16 : 8);
        if (kind < 2) {
            inst->op = RF_K_MOV; /* register or constant */
            rm_source(m, inst, type);
            rm_dst(m, inst, type);
        } else if (kind < 7) {
            static const rf_kop ops[] = {RF_K_ADD, RF_K_SUB, RF_K_XOR, RF_K_MAD};
            inst->op = (uint8_t)ops[ls_rng_below(&m->rng, 4)];
            if (rm_some(m, m->o.special)) inst->op = RF_K_DIV;
            for (uint32_t s = 0; s < (inst->op == RF_K_MAD ? 3u : 2u); s++) rm_source(m, inst, type);
            rm_dst(m, inst, type);
        } else if (kind < 9) {
            inst->op = RF_K_SELP;
            rm_source(m, inst, type);
            rm_source(m, inst, type);
            rm_source(m, inst, RF_T_PRED);
            rm_dst(m, inst, type);
        } else if (kind < 11) {
            inst->op = RF_K_LD;
            inst->space = rm_some(m, m->o.near) ? RF_S_SHARED : RF_S_GLOBAL;
            inst->vector = (uint8_t)(type == RF_T_B32 ? 1u << ls_rng_below(&m->rng, 3) : 1u << ls_rng_below(&m->rng, 2));
            rm_source(m, inst, RF_T_B64);
            for (uint32_t d = 0; d < inst->vector; d++) rm_dst(m, inst, type);
            if (ls_rng_chance(&m->rng, 32)) inst->dst[0] = (rf_koperand){0};
        } else if (kind < 13) {
            inst->op = RF_K_ST;
            inst->space = rm_some(m, m->o.near) ? RF_S_SHARED : RF_S_GLOBAL;
            inst->vector = (uint8_t)(type == RF_T_B32 ? 1u << ls_rng_below(&m->rng, 3) : 1);
            rm_source(m, inst, RF_T_B64);
            for (uint32_t d = 0; d < inst->vector; d++) rm_source(m, inst, type);
        } else if (kind == 13) {
            inst->op = RF_K_LD;
            inst->space = RF_S_PARAM;
            inst->offset = 8 * (int64_t)ls_rng_below(&m->rng, 8);
            kb_src_imm(inst, 0);
            rm_dst(m, inst, type);
        } else if (kind == 14) {
            inst->op = RF_K_PACK;
            inst->type = RF_T_B64;
            inst->vector = 2;
            rm_source(m, inst, RF_T_B32);
            rm_source(m, inst, RF_T_B32);
            rm_dst(m, inst, RF_T_B64);
        } else {
            inst->op = RF_K_UNPACK;
            inst->type = RF_T_B64;
            inst->vector = 2;
            rm_source(m, inst, RF_T_B64);
            rm_dst(m, inst, RF_T_B32);
            rm_dst(m, inst, RF_T_B32);
        }
    }
    for (uint32_t d = 0; d < inst->ndst; d++)
        if (guard == RF_KNONE && inst->dst[d].kind != RF_O_NONE) m->defined[inst->dst[d].reg] = true;
}

/* A fresh predicate from a comparison, defined. */
static inline uint32_t rm_condition(random_maker *m) {
    rf_kinst *const inst = kb_inst(m->k, RF_K_SETP, RF_T_U32);
    const uint32_t p = kb_var(m->k, RF_T_PRED);
    inst->cmp = RF_C_LT;
    rm_source(m, inst, RF_T_B32);
    rm_source(m, inst, RF_T_B32);
    kb_dst(m->k, inst, p);
    m->defined[p] = true;
    return p;
}

static inline bool *rm_keep(const random_maker *m) {
    bool *const copy = malloc(RANDOM_VARIABLES * sizeof *copy);
    memcpy(copy, m->defined, RANDOM_VARIABLES * sizeof *copy);
    return copy;
}

static inline void rm_body(random_maker *m, uint32_t depth);

/* if, or if and else: a branch over it, its target put in when it is known. */
static inline void rm_if(random_maker *m, uint32_t depth, bool with_else) {
    const uint32_t p = rm_condition(m), branch = m->k->ninst;
    kb_bra(m->k, 0, p, ls_rng_chance(&m->rng, 128));
    if (rm_some(m, m->o.uniform)) m->k->inst[branch].flags |= RF_F_UNIFORM;
    kb_block(m->k);
    bool *const at_branch = rm_keep(m);
    rm_body(m, depth + 1);
    uint32_t jump = RF_KNONE;
    bool *const after_then = rm_keep(m);
    memcpy(m->defined, at_branch, RANDOM_VARIABLES * sizeof *at_branch);
    if (with_else) {
        jump = m->k->ninst;
        kb_bra(m->k, 0, RF_KNONE, false);
        m->k->inst[branch].target = kb_block(m->k);
        rm_body(m, depth + 1);
    }
    for (uint32_t v = 0; v < RANDOM_VARIABLES; v++) m->defined[v] = m->defined[v] && after_then[v];
    const uint32_t join = kb_block(m->k);
    m->k->inst[with_else ? jump : branch].target = join;
    free(at_branch);
    free(after_then);
}

/* A loop of 1 to 3 rounds, counted in a variable that nothing else writes. */
static inline void rm_loop(random_maker *m, uint32_t depth) {
    const uint32_t counter = kb_var(m->k, RF_T_U32), p = kb_var(m->k, RF_T_PRED);
    rf_kinst *inst = kb_inst(m->k, RF_K_MOV, RF_T_U32);
    kb_dst(m->k, inst, counter);
    kb_src_imm(inst, 0);
    const uint32_t head = kb_block(m->k);
    rm_body(m, depth + 1);
    inst = kb_inst(m->k, RF_K_ADD, RF_T_U32);
    kb_dst(m->k, inst, counter);
    kb_src(m->k, inst, counter);
    kb_src_imm(inst, 1);
    inst = kb_inst(m->k, RF_K_SETP, RF_T_U32);
    inst->cmp = RF_C_LT;
    kb_dst(m->k, inst, p);
    kb_src(m->k, inst, counter);
    kb_src_imm(inst, 1 + ls_rng_below(&m->rng, 3));
    kb_bra(m->k, head, p, false);
    kb_block(m->k);
}

static inline void rm_body(random_maker *m, uint32_t depth) {
    const uint32_t length = 1 + ls_rng_below(&m->rng, 12);
    for (uint32_t i = 0; i < length && m->budget; i++) {
        const uint32_t kind = ls_rng_below(&m->rng, 32);
        if (kind < 2 && depth < 5) rm_if(m, depth, kind == 1);
        else if (kind == 2 && depth < 4) rm_loop(m, depth);
        else if (kind == 3 && depth > 0 && ls_rng_chance(&m->rng, 32)) {
            const uint32_t p = rm_condition(m);
            rf_kinst *const leave = kb_inst(m->k, RF_K_EXIT, RF_T_NONE);
            leave->guard = p;
            kb_block(m->k);
        } else rm_inst(m);
    }
    if (m->k->block[m->k->nblock - 1].count == 0) rm_inst(m);
}

/* Its results are what it stores. */
static inline void random_kernel(rf_kernel *k, uint64_t seed, const random_options *options) {
    random_maker m = {.k = k, .o = *options, .budget = options->length};
    *k = (rf_kernel){.param_bytes = 64};
    ls_rng_seed(&m.rng, seed);
    m.defined = calloc(RANDOM_VARIABLES, sizeof *m.defined);
    kb_block(k);
    rf_kinst *const inst = kb_inst(k, RF_K_MOV, RF_T_U32);
    const uint32_t lane = kb_var(k, RF_T_B32);
    kb_dst(k, inst, lane);
    inst->src[inst->nsrc++] = (rf_koperand){.kind = RF_O_SPECIAL, .reg = RF_SR_TID_X};
    m.defined[lane] = true;
    while (m.budget) rm_body(&m, 0);
    (void)kb_inst(k, RF_K_EXIT, RF_T_NONE);
    kb_finish(k, "random");
    free(m.defined);
}

#endif
