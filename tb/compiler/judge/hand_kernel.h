/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels for the compiler's tests: written as a few lines of text or at random, and warps that walk through them at random.
 *
 * Text: a line an instruction, "[@[!]Pn] op operands", a block begins at its label "Bn:", in order from B0. Operands: Rn, a pair
 * Rn:2, Pn, Bn, %tid, a number. Destinations first. */
#ifndef HAND_KERNEL_H
#define HAND_KERNEL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_kernel.h"

typedef struct hand_op {
    const char *name, *text;
    rf_kop op;
    rf_ktype type;
    rf_kspace space;
    uint8_t ndst;
    uint16_t flags;
} hand_op;

static const hand_op hand_ops[] = {
    {"add", "add.u32", RF_K_ADD, RF_T_U32, RF_S_GENERIC, 1, 0},
    {"sub", "sub.u32", RF_K_SUB, RF_T_U32, RF_S_GENERIC, 1, 0},
    {"mov", "mov.u32", RF_K_MOV, RF_T_U32, RF_S_GENERIC, 1, 0},
    {"dadd", "add.f64", RF_K_ADD, RF_T_F64, RF_S_GENERIC, 1, 0},
    {"unpack", "mov.b64", RF_K_UNPACK, RF_T_B64, RF_S_GENERIC, 4, 0},
    {"sin", "sin.approx.f32", RF_K_SIN, RF_T_F32, RF_S_GENERIC, 1, 0},
    {"setp", "setp.lt.s32", RF_K_SETP, RF_T_PRED, RF_S_GENERIC, 1, 0},
    {"ld", "ld.global.u32", RF_K_LD, RF_T_U32, RF_S_GLOBAL, 1, 0},
    {"ldl", "ld.local.u32", RF_K_LD, RF_T_U32, RF_S_LOCAL, 1, 0},
    {"ldg", "ld.u32", RF_K_LD, RF_T_U32, RF_S_GENERIC, 1, 0},
    {"lds", "ld.shared.u32", RF_K_LD, RF_T_U32, RF_S_SHARED, 1, 0},
    {"ldc", "ld.const.u32", RF_K_LD, RF_T_U32, RF_S_CONST, 1, 0},
    {"ldp", "ld.param.u32", RF_K_LD, RF_T_U32, RF_S_PARAM, 1, 0},
    {"atom", "atom.global.add.u32", RF_K_ATOM, RF_T_U32, RF_S_GLOBAL, 1, 0},
    {"atoms", "atom.shared.add.u32", RF_K_ATOM, RF_T_U32, RF_S_SHARED, 1, 0},
    {"red", "red.global.add.u32", RF_K_RED, RF_T_U32, RF_S_GLOBAL, 0, 0},
    {"st", "st.global.u32", RF_K_ST, RF_T_U32, RF_S_GLOBAL, 0, 0},
    {"bra", "bra", RF_K_BRA, RF_T_NONE, RF_S_GENERIC, 0, 0},
    {"bra.uni", "bra.uni", RF_K_BRA, RF_T_NONE, RF_S_GENERIC, 0, RF_F_UNIFORM},
    {"nop", "membar.gl", RF_K_NOP, RF_T_NONE, RF_S_GENERIC, 0, 0},
    {"exit", "exit", RF_K_EXIT, RF_T_NONE, RF_S_GENERIC, 0, 0},
};
#define HAND_OPS (sizeof hand_ops / sizeof hand_ops[0])
#define HAND_INSTS 256u
#define HAND_BLOCKS 64u

static inline void hand_operand(rf_kernel *k, rf_kinst *inst, const char *word, rf_koperand *o) {
    char *end = NULL;
    if (word[0] == 'R') {
        o->kind = RF_O_REG;
        o->reg = (uint32_t)strtoul(word + 1, &end, 10);
        o->words = *end == ':' ? 2 : 1;
        if (o->reg + o->words > k->nreg) k->nreg = o->reg + o->words;
    } else if (word[0] == 'P') {
        o->kind = RF_O_PRED;
        o->reg = (uint32_t)strtoul(word + 1, &end, 10);
        if (o->reg + 1 > k->npred) k->npred = o->reg + 1;
    } else if (word[0] == 'B') {
        inst->target = (uint32_t)strtoul(word + 1, &end, 10);
    } else if (word[0] == '%') {
        o->kind = RF_O_SPECIAL;
        o->reg = RF_SR_TID_X;
    } else {
        o->kind = RF_O_IMM;
        o->imm = strtoull(word, &end, 0);
    }
}

/* One line without its label. */
static inline void hand_line(rf_kernel *k, char *line) {
    char *save = NULL, *word = strtok_r(line, " ,", &save);
    rf_kinst *const inst = &k->inst[k->ninst++];
    *inst = (rf_kinst){.guard = RF_KNONE, .vector = 1, .line = k->ninst};
    assert_true(k->ninst <= HAND_INSTS);
    if (word[0] == '@') {
        inst->guard_negated = word[1] == '!';
        inst->guard = (uint32_t)strtoul(word + 2 + inst->guard_negated, NULL, 10);
        if (inst->guard + 1 > k->npred) k->npred = inst->guard + 1;
        word = strtok_r(NULL, " ,", &save);
    }
    uint32_t op = 0;
    while (op < HAND_OPS && strcmp(hand_ops[op].name, word) != 0) op++;
    assert_true(op < HAND_OPS);
    inst->op = (uint8_t)hand_ops[op].op;
    inst->type = inst->src_type = (uint8_t)hand_ops[op].type;
    inst->space = (uint8_t)hand_ops[op].space;
    inst->flags = hand_ops[op].flags;
    inst->text = op;
    for (word = strtok_r(NULL, " ,", &save); word; word = strtok_r(NULL, " ,", &save)) {
        const bool dst = inst->ndst < hand_ops[op].ndst;
        rf_koperand operand = {0};
        hand_operand(k, inst, word, &operand);
        if (word[0] == 'B') continue;
        if (dst) inst->dst[inst->ndst++] = operand;
        else inst->src[inst->nsrc++] = operand;
    }
}

static inline void hand_blocks(rf_kernel *k) {
    for (uint32_t b = 0; b < k->nblock; b++) {
        rf_kblock *const block = &k->block[b];
        block->count = (b + 1 < k->nblock ? k->block[b + 1].first : k->ninst) - block->first;
        assert_true(block->count > 0);
        const rf_kinst *const last = &k->inst[block->first + block->count - 1];
        if (last->op == RF_K_BRA) block->succ[block->nsucc++] = last->target;
        if (last->guard != RF_KNONE || (last->op != RF_K_BRA && last->op != RF_K_EXIT)) {
            assert_true(b + 1 < k->nblock);
            block->succ[block->nsucc++] = b + 1;
        }
    }
}

/* The kernel of a text; rf_kernel_free gives it back. */
static inline void hand_kernel(rf_kernel *k, const char *text) {
    char *const copy = strdup(text), *save = NULL;
    *k = (rf_kernel){.name = strdup("hand"), .allocated = true};
    k->inst = calloc(HAND_INSTS, sizeof *k->inst);
    k->block = calloc(HAND_BLOCKS, sizeof *k->block);
    k->texts = calloc(HAND_OPS, sizeof *k->texts);
    for (uint32_t t = 0; t < HAND_OPS; t++) k->texts[k->ntext++] = strdup(hand_ops[t].text);
    for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *const colon = line[0] == 'B' ? strchr(line, ':') : NULL;
        if (colon) {
            assert_int_equal(strtoul(line + 1, NULL, 10), k->nblock);
            assert_true(k->nblock < HAND_BLOCKS);
            k->block[k->nblock++].first = k->ninst;
            line = colon + 1;
        }
        if (line[strspn(line, " ")]) hand_line(k, line);
    }
    free(copy);
    hand_blocks(k);
    assert_int_equal(rf_kernel_flow(k), 0);
}

/* --- chance ----------------------------------------------------------------------------------------------------------------- */

/* SplitMix64 (Steele, Lea, Flood, 2014). */
static inline uint64_t hand_draw(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline uint32_t hand_below(uint64_t *state, uint32_t n) { return (uint32_t)(hand_draw(state) % n); }

/* A kernel of up to ten blocks over `registers` registers and two predicates, any jump between its blocks. Every value differs
 * between lanes as far as the compiler can know. together: no branch diverges. */
static inline void hand_random(rf_kernel *k, uint64_t *rng, uint32_t registers, bool together) {
    char text[16384];
    size_t n = 0;
    const uint32_t blocks = 1 + hand_below(rng, 10);
#define HAND_PUT(...) n += (size_t)snprintf(text + n, sizeof text - n, __VA_ARGS__)
#define HAND_R hand_below(rng, registers)
    for (uint32_t b = 0; b < blocks; b++) {
        HAND_PUT("B%u:\n", b);
        for (uint32_t i = 0, count = 1 + hand_below(rng, 5); i < count; i++) {
            if (hand_below(rng, 6) == 0) HAND_PUT("@%sP%u ", hand_below(rng, 2) ? "!" : "", hand_below(rng, 2));
            switch (hand_below(rng, 10)) {
            case 0:
                HAND_PUT("ld R%u, R%u\n", HAND_R, HAND_R);
                break;
            case 1:
                HAND_PUT("lds R%u, R%u\n", HAND_R, HAND_R);
                break;
            case 2:
                HAND_PUT("atom R%u, R%u, R%u\n", HAND_R, HAND_R, HAND_R);
                break;
            case 3:
                HAND_PUT("st R%u, R%u\n", HAND_R, HAND_R);
                break;
            case 4:
                HAND_PUT("setp P%u, R%u, R%u\n", hand_below(rng, 2), HAND_R, HAND_R);
                break;
            case 5:
                HAND_PUT("dadd R%u:2, R%u:2, R%u:2\n", 2 * (HAND_R / 2), 2 * (HAND_R / 2), 2 * (HAND_R / 2));
                break;
            default:
                HAND_PUT("add R%u, R%u, R%u\n", HAND_R, HAND_R, HAND_R);
                break;
            }
        }
        const char *const bra = together ? "bra.uni" : hand_below(rng, 8) ? "bra" : "bra.uni";
        const uint32_t end = b + 1 == blocks ? 5 : hand_below(rng, 8);
        if (end < 4) HAND_PUT("@P%u %s B%u\n", hand_below(rng, 2), bra, hand_below(rng, blocks));
        if (end == 4) HAND_PUT("bra B%u\n", hand_below(rng, blocks));
        if (end == 5) HAND_PUT("%sexit\n", b + 1 < blocks && hand_below(rng, 2) ? "@P0 " : "");
    }
    assert_true(n < sizeof text);
    hand_kernel(k, text);
}

/* --- a warp's walk ---------------------------------------------------------------------------------------------------------- */

#define HAND_LANES 4u
#define HAND_DEPTH 64u

typedef struct hand_entry {
    uint32_t block, mask, meet;
} hand_entry;

/* Called for every instruction with the lanes that take part, none among them too. */
typedef void hand_step(void *ctx, uint32_t inst, uint32_t mask);

/* The lanes of `mask` whose guard holds at an instruction; RF_KNONE: the walk ends here. */
typedef uint32_t hand_takes(void *ctx, uint32_t inst, uint32_t mask);

/* A warp of four lanes from the entry until all have ended, or `limit` instructions. Lanes that part meet at the branch's
 * immediate post-dominator; either way may come first. takes: NULL: every guard and branch falls as chance has it, lane by lane,
 * a .uni branch the same for all. */
static inline void hand_walk_by(const rf_kernel *k, uint64_t *rng, uint32_t limit, hand_takes *takes, hand_step *step,
                                void *ctx) {
    hand_entry stack[HAND_DEPTH] = {{0, (1u << HAND_LANES) - 1, RF_KNONE}};
    uint32_t depth = 1, steps = 0, ended = 0;
    while (depth) {
        hand_entry *const top = &stack[depth - 1];
        const uint32_t mask = top->mask & ~ended;
        if (mask == 0 || top->block == top->meet) {
            depth--;
            continue;
        }
        const rf_kblock *const block = &k->block[top->block];
        uint32_t took = mask;
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            const rf_kinst *const inst = &k->inst[i];
            if (steps++ == limit) return;
            if (inst->guard == RF_KNONE) took = mask;
            else if (takes) took = takes(ctx, i, mask);
            else if (inst->flags & RF_F_UNIFORM) took = hand_below(rng, 2) ? mask : 0;
            else took = mask & (uint32_t)hand_draw(rng);
            if (took == RF_KNONE) return;
            step(ctx, i, inst->op == RF_K_BRA ? mask : took);
            if (inst->op == RF_K_EXIT) ended |= took;
        }
        if (block->nsucc == 2 && took != 0 && took != mask && block->succ[0] != block->succ[1]) {
            const uint32_t first = hand_below(rng, 2), part[2] = {took, mask & ~took};
            const hand_entry ways[2] = {{block->succ[first], part[first], block->ipdom},
                                        {block->succ[1 - first], part[1 - first], block->ipdom}};
            if (depth + 2 > HAND_DEPTH) return;
            top->block = block->ipdom;
            stack[depth++] = ways[0];
            stack[depth++] = ways[1];
        } else if (block->nsucc) {
            top->block = block->succ[block->nsucc == 2 && took == 0];
        } else {
            top->mask = 0;
        }
    }
}

static inline void hand_walk(const rf_kernel *k, uint64_t *rng, uint32_t limit, hand_step *step, void *ctx) {
    hand_walk_by(k, rng, limit, NULL, step, ctx);
}

#endif
