/* SPDX-License-Identifier: Apache-2.0 */
/* Two judges of a register allocation that share nothing with it (the first judges schedules, too): a lane that executes a kernel
 * and keeps a record of every value read, and a proof over all paths that every read finds the value of the variable that was
 * there before. Both know an instruction by its line, which must be unique in the kernel before allocation and is 0 in what
 * allocation made. */
#ifndef TB_ALLOC_CHECK_H
#define TB_ALLOC_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_kernel.h"

static inline bool ac_is_register(const rf_koperand *o) { return o->kind == RF_O_REG || o->kind == RF_O_PRED; }

/* Copies and constants: an allocator may drop, repeat or add them. */
static inline bool ac_movable(const rf_kinst *inst) {
    return inst->op == RF_K_MOV || (inst->op == RF_K_LD && inst->space == RF_S_PARAM);
}

/* --- execution -------------------------------------------------------------------------------------------------------------- */

#define AC_BYTES 512u /* of global, and of shared memory; addresses are taken modulo that */
#define AC_STEPS 20000u

typedef struct ac_lane {
    const rf_kernel *k;
    uint64_t seed, lane; /* of the launch, what special registers and parameters are; of what only this lane has */
    uint64_t *var;       /* before allocation */
    uint32_t word[256];
    bool pred[64];
    bool carry;
    uint8_t memory[2 * AC_BYTES]; /* global, then shared */
    uint8_t *local;
    uint32_t events, accesses; /* what others can tell apart, so far: events in their order; how often memory was accessed */
    uint32_t steps;            /* of the record */
    struct ac_read {
        uint32_t line;
        uint64_t values;
    } * record;
} ac_lane;

static inline uint64_t ac_mix(uint64_t a, uint64_t b) {
    uint64_t x = (a ^ b * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xd6e8feb86659fd93);
    return x ^ x >> 32;
}

static inline uint64_t ac_get(const ac_lane *l, const rf_koperand *o, uint32_t bits) {
    uint64_t value = o->imm;
    if (o->kind == RF_O_SPECIAL) value = ac_mix(o->reg == RF_SR_TID_X ? l->lane : l->seed, o->reg);
    if (o->kind == RF_O_PRED) value = (l->k->allocated ? l->pred[o->reg] : l->var[o->reg] & 1) ^ o->negated;
    if (o->kind == RF_O_REG && !l->k->allocated) value = l->var[o->reg];
    if (o->kind == RF_O_REG && l->k->allocated)
        value = l->word[o->reg] | (o->words == 2 ? (uint64_t)l->word[o->reg + 1] << 32 : 0);
    return bits >= 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

static inline void ac_set(ac_lane *l, const rf_koperand *o, uint64_t value) {
    if (o->kind == RF_O_NONE) return;
    if (!l->k->allocated) {
        l->var[o->reg] = o->kind == RF_O_PRED ? value & 1 : o->words == 2 ? value : (uint32_t)value;
    } else if (o->kind == RF_O_PRED) {
        l->pred[o->reg] = value & 1;
    } else {
        l->word[o->reg] = (uint32_t)value;
        if (o->words == 2) l->word[o->reg + 1] = (uint32_t)(value >> 32);
    }
}

static inline uint32_t ac_bits(const rf_koperand *o, rf_ktype type) {
    return o->kind == RF_O_PRED ? 1 : o->kind == RF_O_REG ? 32u * o->words : rf_ktype_bits(type);
}

static inline bool ac_clock(const rf_koperand *o) {
    return o->kind == RF_O_SPECIAL && o->reg >= RF_SR_CLOCK && o->reg <= RF_SR_GLOBALTIMER;
}

/* Byte `address` of a space. A generic address is one of global or shared memory; spilled values lie in local memory. */
static inline uint8_t *ac_byte(ac_lane *l, uint8_t space, uint64_t address) {
    if (space == RF_S_LOCAL) return l->local + address;
    if (space == RF_S_GENERIC) return l->memory + address % (2 * AC_BYTES);
    return l->memory + (space == RF_S_SHARED ? AC_BYTES : 0) + address % AC_BYTES;
}

static inline uint64_t ac_load(ac_lane *l, uint8_t space, uint64_t address, uint32_t bytes) {
    uint64_t value = 0;
    for (uint32_t b = 0; b < bytes; b++) {
        const bool fixed = space == RF_S_PARAM || space == RF_S_CONST;
        const uint8_t byte = fixed ? (uint8_t)ac_mix(l->seed + space, address + b) : *ac_byte(l, space, address + b);
        value |= (uint64_t)byte << 8 * b;
    }
    return value;
}

static inline void ac_store(ac_lane *l, uint8_t space, uint64_t address, uint32_t bytes, uint64_t value) {
    for (uint32_t b = 0; b < bytes; b++) *ac_byte(l, space, address + b) = (uint8_t)(value >> 8 * b);
}

/* Other threads read and write all memory that they share: what a barrier or a fence lets happen. */
static inline uint64_t ac_others(ac_lane *l) {
    uint64_t seen = l->events;
    for (uint32_t b = 0; b < 2 * AC_BYTES; b++) {
        seen = ac_mix(seen, l->memory[b]);
        l->memory[b] = (uint8_t)(5 * l->memory[b] + b + l->events);
    }
    return seen;
}

static inline void ac_execute(ac_lane *l, const rf_kinst *inst) {
    const rf_ktype type = (rf_ktype)inst->type;
    const uint32_t bits = rf_ktype_bits(type), bytes = bits / 8;
    uint64_t s[RF_KSRC_MAX] = {0}, result[RF_KDST_MAX] = {0}, all = 0;
    for (uint32_t i = 0; i < inst->nsrc; i++) {
        s[i] = ac_get(l, &inst->src[i], ac_bits(&inst->src[i], type));
        all = ac_mix(all, s[i]);
    }
    const bool access = inst->op == RF_K_LD || inst->op == RF_K_ST || inst->op == RF_K_ATOM || inst->op == RF_K_RED;
    if (access && inst->space != RF_S_LOCAL && inst->space != RF_S_PARAM && inst->space != RF_S_CONST) l->accesses++;
    if (inst->flags & (RF_F_VOLATILE | RF_F_SYNC)) all = ac_mix(all, ++l->events);
    if (inst->op == RF_K_NOP || inst->op == RF_K_BAR || inst->op == RF_K_WARPSYNC) l->events++, all = ac_others(l);
    if (inst->line && !ac_movable(inst)) {
        l->record = l->steps % 1024 ? l->record : realloc(l->record, (l->steps + 1024) * sizeof *l->record);
        l->record[l->steps++] = (struct ac_read){inst->line, all};
    }
    const uint64_t address = s[0] + (uint64_t)inst->offset;
    switch (inst->op) {
    case RF_K_MOV:
        result[0] = ac_clock(&inst->src[0]) ? ac_mix(++l->events, l->accesses) : s[0];
        break;
    case RF_K_ADDC:
    case RF_K_ADD:
        result[0] = s[0] + s[1] + (inst->op == RF_K_ADDC && l->carry);
        if (inst->flags & RF_F_CC) l->carry = bits < 64 ? result[0] >> bits & 1 : result[0] < s[0];
        break;
    case RF_K_SUB:
        result[0] = s[0] - s[1];
        break;
    case RF_K_XOR:
        result[0] = s[0] ^ s[1];
        break;
    case RF_K_MAD:
        result[0] = s[0] * s[1] + s[2];
        break;
    case RF_K_SELP:
        result[0] = s[2] ? s[0] : s[1];
        break;
    case RF_K_PACK:
        result[0] = s[0] | s[1] << 32;
        break;
    case RF_K_UNPACK:
        result[0] = (uint32_t)s[0];
        result[1] = s[0] >> 32;
        break;
    case RF_K_SETP:
        result[0] = (inst->cmp == RF_C_LT ? s[0] < s[1] : s[0] != s[1]) ^ (inst->boolean ? s[2] : 0);
        result[1] = !result[0];
        break;
    case RF_K_LD:
        for (uint32_t e = 0; e < inst->vector; e++) result[e] = ac_load(l, inst->space, address + e * bytes, bytes);
        break;
    case RF_K_ST:
        for (uint32_t e = 0; e < inst->vector; e++) ac_store(l, inst->space, address + e * bytes, bytes, s[1 + e]);
        break;
    case RF_K_ATOM:
    case RF_K_RED:
        result[0] = ac_load(l, inst->space, address, bytes);
        ac_store(l, inst->space, address, bytes, 3 * result[0] + s[1]);
        break;
    case RF_K_SHFL:
        result[0] = s[0] ^ 1;
        break;
    case RF_K_BAR:
    case RF_K_WARPSYNC:
    case RF_K_NOP:
        break;
    default:
        abort();
    }
    for (uint32_t d = 0; d < inst->ndst; d++) ac_set(l, &inst->dst[d], result[d]);
}

/* A lane in front of the entry: every register and the memories are random. */
static inline void ac_start(ac_lane *l, const rf_kernel *k, uint64_t seed, uint64_t lane) {
    *l = (ac_lane){.k = k,
                   .seed = seed,
                   .lane = ac_mix(seed, lane + 77),
                   .var = malloc((k->nvar + 1) * sizeof *l->var),
                   .local = malloc(k->local_bytes + 8)};
    for (uint32_t v = 0; v < k->nvar; v++) l->var[v] = ac_mix(l->lane + 2, v);
    for (uint32_t w = 0; w < 256; w++) l->word[w] = (uint32_t)ac_mix(l->lane + 3, w);
    for (uint32_t p = 0; p < 64; p++) l->pred[p] = ac_mix(l->lane + 4, p) & 1;
    for (uint32_t b = 0; b < sizeof l->memory; b++) l->memory[b] = (uint8_t)ac_mix(l->lane + 5, b);
    memset(l->local, 0x5a, k->local_bytes + 8);
}

static inline bool ac_takes_part(const ac_lane *l, const rf_kinst *inst) {
    const rf_koperand guard = {.kind = RF_O_PRED, .negated = inst->guard_negated, .reg = inst->guard};
    return inst->guard == RF_KNONE || ac_get(l, &guard, 1);
}

/* Runs one lane from the entry to its exit, or AC_STEPS instructions. */
static inline void ac_run(ac_lane *l, const rf_kernel *k, uint64_t seed, uint64_t lane) {
    ac_start(l, k, seed, lane);
    uint32_t b = 0, i = 0;
    while (l->steps < AC_STEPS) {
        const rf_kblock *const block = &k->block[b];
        const rf_kinst *const inst = &k->inst[block->first + i];
        const bool on = ac_takes_part(l, inst), jumps = on && inst->op == RF_K_BRA;
        if (inst->op == RF_K_EXIT && on) break;
        if (inst->op != RF_K_BRA && inst->op != RF_K_EXIT && on) ac_execute(l, inst);
        i++;
        if (!jumps && i < block->count) continue;
        b = jumps ? inst->target : block->succ[block->nsucc - 1];
        i = 0;
    }
}

static inline void ac_lane_free(ac_lane *l) {
    free(l->var);
    free(l->local);
    free(l->record);
}

/* Whether both read the same values at the same instructions in the same order and left the same memory; else a message. */
static inline bool ac_same(const ac_lane *a, const ac_lane *b, char *why, size_t size) {
    const uint32_t n = a->steps < b->steps ? a->steps : b->steps;
    for (uint32_t i = 0; i < n; i++) {
        if (a->record[i].line == b->record[i].line && a->record[i].values == b->record[i].values) continue;
        (void)snprintf(why, size, "step %u: line %u and line %u", i, a->record[i].line, b->record[i].line);
        return false;
    }
    (void)snprintf(why, size, "%u and %u steps, or the memory", a->steps, b->steps);
    return a->steps == b->steps && (a->steps == AC_STEPS || memcmp(a->memory, b->memory, sizeof a->memory) == 0);
}

/* --- proof ------------------------------------------------------------------------------------------------------------------ */

/* Tokens: word w of variable v is 2 v + w. Places: register words, predicates, words of local memory from `local_from` on, and
 * one for each constant that has lost its instruction. A state has for each place the tokens whose newest value surely is there
 * (or which have no value yet); it meets another by intersection. */
typedef struct ac_proof {
    const rf_kernel *before, *after;
    uint32_t words; /* of a set of tokens */
    uint32_t places, pred, local, constant;
    uint64_t *in;              /* a state a block */
    bool *reached, *present;   /* blocks; instructions of `before` that are in `after` */
    uint32_t *makers, nmakers; /* dropped constants: instruction indices */
    char *why;
    size_t size;
} ac_proof;

static inline uint64_t *ac_place(const ac_proof *p, uint64_t *state, uint32_t place) { return state + (size_t)place * p->words; }

static inline void ac_forget(const ac_proof *p, uint64_t *state, uint32_t token) {
    for (uint32_t q = 0; q < p->places; q++) ac_place(p, state, q)[token / 64] &= ~(UINT64_C(1) << token % 64);
}

static inline uint32_t ac_place_of(const ac_proof *p, const rf_koperand *o, uint32_t w) {
    return o->kind == RF_O_PRED ? p->pred + o->reg : o->reg + w;
}

/* place <- the newest value of one token. */
static inline void ac_define(const ac_proof *p, uint64_t *state, uint32_t place, uint32_t token) {
    ac_forget(p, state, token);
    memset(ac_place(p, state, place), 0, p->words * sizeof *state);
    ac_place(p, state, place)[token / 64] |= UINT64_C(1) << token % 64;
}

static inline void ac_copy(const ac_proof *p, uint64_t *state, uint32_t to, uint32_t from) {
    if (to != from) memcpy(ac_place(p, state, to), ac_place(p, state, from), p->words * sizeof *state);
}

static inline void ac_meet(const ac_proof *p, uint64_t *state, const uint64_t *other) {
    for (size_t i = 0; i < (size_t)p->places * p->words; i++) state[i] &= other[i];
}

/* An instruction that allocation made: a move of tokens. */
static inline bool ac_made(const ac_proof *p, uint64_t *state, const rf_kinst *inst) {
    const rf_koperand *const dst = &inst->dst[0];
    const uint32_t slot = p->local + (uint32_t)inst->offset / 4 - p->before->local_bytes / 4;
    if (inst->op == RF_K_ST && inst->space == RF_S_LOCAL) {
        for (uint32_t w = 0; w < inst->src[1].words; w++) ac_copy(p, state, slot + w, ac_place_of(p, &inst->src[1], w));
        return inst->offset % (4 * inst->src[1].words) == 0;
    }
    if (inst->op == RF_K_LD && inst->space == RF_S_LOCAL) {
        for (uint32_t w = 0; w < dst->words; w++) ac_copy(p, state, ac_place_of(p, dst, w), slot + w);
        return inst->guard == RF_KNONE && inst->offset % (4 * dst->words) == 0;
    }
    if (inst->op == RF_K_SELP && inst->src[2].kind == RF_O_PRED && inst->src[0].imm == 1 && inst->src[1].imm == 0)
        return ac_copy(p, state, ac_place_of(p, dst, 0), ac_place_of(p, &inst->src[2], 0)), true;
    if (inst->op == RF_K_SETP && inst->src[1].kind == RF_O_IMM && inst->src[1].imm == 0 && inst->cmp == RF_C_NE)
        return ac_copy(p, state, ac_place_of(p, dst, 0), ac_place_of(p, &inst->src[0], 0)), true;
    bool known = false;
    for (uint32_t m = 0; m < p->nmakers; m++) { /* a constant: the tokens of all that have lost theirs */
        const rf_kinst *const maker = &p->before->inst[p->makers[m]];
        const rf_koperand *const x = &maker->src[0], *const y = &inst->src[0];
        if (maker->op != inst->op || maker->type != inst->type || maker->space != inst->space || maker->offset != inst->offset ||
            x->kind != y->kind || x->reg != y->reg || x->imm != y->imm || inst->guard != RF_KNONE)
            continue;
        for (uint32_t w = 0; w < dst->words; w++) {
            const uint64_t *const from = ac_place(p, state, p->constant + 2 * m + w);
            uint64_t *const to = ac_place(p, state, dst->reg + w);
            if (!known) memset(to, 0, p->words * sizeof *to);
            for (uint32_t i = 0; i < p->words; i++) to[i] |= from[i];
        }
        known = true;
    }
    return known;
}

static inline bool ac_reads(const ac_proof *p, uint64_t *state, const rf_koperand *before, const rf_koperand *after) {
    if (!ac_is_register(before)) return before->kind == after->kind && before->reg == after->reg && before->imm == after->imm;
    if (before->kind != after->kind || before->words != after->words || before->negated != after->negated) return false;
    if (after->words == 2 && after->reg % 2) return false;
    for (uint32_t w = 0; w < (after->words ? after->words : 1u); w++) {
        const uint32_t token = 2 * before->reg + w;
        if (!(ac_place(p, state, ac_place_of(p, after, w))[token / 64] >> token % 64 & 1)) return false;
    }
    return true;
}

static inline bool ac_guard(const ac_proof *p, uint64_t *state, const rf_kinst *before, const rf_kinst *after) {
    const rf_koperand x = {.kind = RF_O_PRED, .reg = before->guard}, y = {.kind = RF_O_PRED, .reg = after->guard};
    return before->guard_negated == after->guard_negated && ac_reads(p, state, &x, &y);
}

/* Token 2 nvar is the value of the guard in front of the instruction, which may write that variable. */
static inline void ac_mark_guard(const ac_proof *p, uint64_t *state, uint32_t variable) {
    const uint32_t token = 2 * p->before->nvar;
    for (uint32_t q = 0; q < p->places; q++) {
        uint64_t *const set = ac_place(p, state, q);
        set[token / 64] &= ~(UINT64_C(1) << token % 64);
        set[token / 64] |= (set[2 * variable / 64] >> 2 * variable % 64 & 1) << token % 64;
    }
}

/* One kept instruction: what it reads is checked, what it writes is new there. */
static inline bool ac_kept(const ac_proof *p, uint64_t *state, const rf_kinst *a, const rf_kinst *b) {
    if (a->op != b->op || a->ndst != b->ndst || a->nsrc != b->nsrc) return false;
    if ((a->guard == RF_KNONE) != (b->guard == RF_KNONE)) return false;
    if (a->guard != RF_KNONE && !ac_guard(p, state, a, b)) return false;
    for (uint32_t s = 0; s < a->nsrc; s++)
        if (!ac_reads(p, state, &a->src[s], &b->src[s])) return false;
    for (uint32_t d = 0; d < a->ndst; d++) {
        const rf_koperand *const x = &a->dst[d], *const y = &b->dst[d];
        if (x->kind != y->kind || x->words != y->words || (y->words == 2 && y->reg % 2)) return false;
        for (uint32_t w = 0; ac_is_register(x) && w < (x->words ? x->words : 1u); w++)
            ac_define(p, state, ac_place_of(p, y, w), 2 * x->reg + w);
    }
    for (uint32_t d = 0; d < a->ndst; d++) /* no two of them in one place */
        if (ac_is_register(&a->dst[d]) && !ac_reads(p, state, &a->dst[d], &b->dst[d])) return false;
    return true;
}

/* An instruction that is gone: a copy, or a constant; none with a guard. */
static inline bool ac_gone(const ac_proof *p, uint64_t *state, uint32_t index) {
    const rf_kinst *const inst = &p->before->inst[index];
    const rf_koperand *const dst = &inst->dst[0], *const src = &inst->src[0];
    if (inst->guard != RF_KNONE) return false;
    if (inst->op == RF_K_MOV && ac_is_register(src)) {
        if (dst->reg == src->reg) return true;
        for (uint32_t w = 0; w < (dst->words ? dst->words : 1u); w++) {
            const uint32_t to = 2 * dst->reg + w, from = 2 * src->reg + w;
            for (uint32_t q = 0; q < p->places; q++) {
                uint64_t *const set = ac_place(p, state, q);
                set[to / 64] &= ~(UINT64_C(1) << to % 64);
                set[to / 64] |= (set[from / 64] >> from % 64 & 1) << to % 64;
            }
        }
        return true;
    }
    for (uint32_t m = 0; m < p->nmakers; m++) {
        if (p->makers[m] != index) continue;
        for (uint32_t w = 0; w < dst->words; w++) ac_define(p, state, p->constant + 2 * m + w, 2 * dst->reg + w);
        return true;
    }
    return false;
}

/* What allocation made behind an instruction with a guard, up to its last store under that guard (`marked` has token 2 nvar for
 * it): stores in `state`, of lanes that took part; the rest also in `spare`, of the others. Then lanes of both kinds. */
static inline bool ac_stores(const ac_proof *p, const rf_kinst *marked, uint32_t *j, uint32_t end, uint64_t *state,
                             uint64_t *spare) {
    uint32_t last = *j;
    for (uint32_t e = *j; e < end && p->after->inst[e].line == 0; e++)
        if (p->after->inst[e].guard != RF_KNONE) last = e + 1;
    for (; *j < last; (*j)++) {
        const rf_kinst *const made = &p->after->inst[*j];
        if (made->guard != RF_KNONE ? !ac_guard(p, state, marked, made) : !ac_made(p, spare, made)) return false;
        if (!ac_made(p, state, made)) return false;
    }
    ac_meet(p, state, spare);
    return true;
}

/* A block from its start to its end: `state` changes; false at the first read that may find another value. */
static inline bool ac_block(const ac_proof *p, uint32_t b, uint64_t *state, uint64_t *spare) {
    const rf_kblock *const x = &p->before->block[b], *const y = &p->after->block[b];
    uint32_t j = y->first;
    const uint32_t end = y->first + y->count;
    for (uint32_t i = x->first; i < x->first + x->count; i++) {
        const rf_kinst *const a = &p->before->inst[i];
        (void)snprintf(p->why, p->size, "line %u, instruction %u", a->line, j);
        if (!p->present[i]) {
            if (!ac_gone(p, state, i)) return false;
            continue;
        }
        for (; j < end && p->after->inst[j].line == 0; j++)
            if (p->after->inst[j].guard != RF_KNONE || !ac_made(p, state, &p->after->inst[j])) return false;
        if (a->guard != RF_KNONE) {
            ac_mark_guard(p, state, a->guard);
            memcpy(spare, state, (size_t)p->places * p->words * sizeof *spare);
        }
        if (j >= end || p->after->inst[j].line != a->line || !ac_kept(p, state, a, &p->after->inst[j++])) return false;
        rf_kinst marked = *a;
        marked.guard = p->before->nvar;
        if (a->guard != RF_KNONE && !ac_stores(p, &marked, &j, end, state, spare)) return false;
    }
    for (; j < end; j++)
        if (p->after->inst[j].line || p->after->inst[j].guard != RF_KNONE || !ac_made(p, state, &p->after->inst[j])) return false;
    return true;
}

/* Whether `after` is `before` with every value found where it was put. Both have the same blocks: each starts with a NOP. No copy
 * has a guard: one that is gone would leave a store under a guard that belongs to nothing here. */
static inline bool ac_prove(const rf_kernel *before, const rf_kernel *after, char *why, size_t size) {
    ac_proof p = {.before = before, .after = after, .words = (2 * before->nvar + 63) / 64 + 1, .why = why, .size = size};
    bool good = after->nblock == before->nblock, changed = true;
    (void)snprintf(why, size, "other blocks");
    if (!good) return false;
    p.present = calloc(before->ninst + 1, sizeof *p.present);
    p.makers = calloc(before->ninst + 1, sizeof *p.makers);
    for (uint32_t i = 0; i < after->ninst; i++)
        if (after->inst[i].line) p.present[after->inst[i].line - 1] = true;
    for (uint32_t i = 0; i < before->ninst; i++)
        if (!p.present[i] && ac_movable(&before->inst[i]) && !ac_is_register(&before->inst[i].src[0])) p.makers[p.nmakers++] = i;
    p.pred = after->nreg;
    p.local = p.pred + after->npred;
    p.constant = p.local + (after->local_bytes - before->local_bytes) / 4 + 4;
    p.places = p.constant + 2 * p.nmakers;
    const size_t state = (size_t)p.places * p.words;
    p.in = malloc(state * before->nblock * sizeof *p.in);
    p.reached = calloc(before->nblock, sizeof *p.reached);
    uint64_t *const now = malloc(2 * state * sizeof *now);
    memset(p.in, 0xff, state * before->nblock * sizeof *p.in); /* nothing has a value yet: every token may be anywhere */
    p.reached[0] = true;
    while (changed && good) {
        changed = false;
        for (uint32_t b = 0; b < before->nblock && good; b++) {
            if (!p.reached[b]) continue;
            memcpy(now, p.in + b * state, state * sizeof *now);
            good = ac_block(&p, b, now, now + state);
            for (uint32_t s = 0; s < before->block[b].nsucc && good; s++) {
                uint64_t *const to = p.in + before->block[b].succ[s] * state;
                changed |= !p.reached[before->block[b].succ[s]];
                p.reached[before->block[b].succ[s]] = true;
                for (size_t i = 0; i < state; i++) {
                    changed |= (to[i] & ~now[i]) != 0;
                    to[i] &= now[i];
                }
            }
        }
    }
    free(p.present);
    free(p.makers);
    free(p.in);
    free(p.reached);
    free(now);
    return good;
}

#endif
