/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/compiler/rf_divergence.h"

#include <stdlib.h>
#include <string.h>

#include "cmodel/compiler/rf_names.h"

uint32_t rf_divergence_region(const rf_kernel *kernel, uint32_t from, uint32_t stop, uint32_t *list, bool *seen) {
    uint32_t count = 0;
    if (from != stop) {
        list[count++] = from;
        seen[from] = true;
    }
    for (uint32_t at = 0; at < count; at++) {
        const rf_kblock *const block = &kernel->block[list[at]];
        for (uint32_t s = 0; s < block->nsucc; s++) {
            const uint32_t next = block->succ[s];
            if (next == stop || seen[next]) continue;
            seen[next] = true;
            list[count++] = next;
        }
    }
    for (uint32_t at = 0; at < count; at++) seen[list[at]] = false;
    return count;
}

/* One value for all lanes of a warp. Clocks are left out: not every machine reads them once for a warp. */
static bool uniform_special(rf_kspecial special) {
    switch (special) {
    case RF_SR_NTID_X:
    case RF_SR_NTID_Y:
    case RF_SR_NTID_Z:
    case RF_SR_CTAID_X:
    case RF_SR_CTAID_Y:
    case RF_SR_CTAID_Z:
    case RF_SR_NCTAID_X:
    case RF_SR_NCTAID_Y:
    case RF_SR_NCTAID_Z:
    case RF_SR_WARPID:
    case RF_SR_NWARPID:
    case RF_SR_SMID:
    case RF_SR_NSMID:
    case RF_SR_GRIDID:
        return true;
    default:
        return false;
    }
}

/* Operations whose result is the same in all lanes when all their sources are. Not those that depend on the lane, on an order of
 * lanes, on memory that a lane may have to itself or that may change meanwhile, or on the carry, which is no name. */
static bool uniform_op(const rf_kinst *inst) {
    switch (inst->op) {
    case RF_K_LD:
        return inst->space == RF_S_PARAM || inst->space == RF_S_CONST;
    case RF_K_ATOM:
    case RF_K_ADDC:
    case RF_K_SUBC:
    case RF_K_MADC:
    case RF_K_SHFL:
    case RF_K_MATCH:
    case RF_K_ELECT:
        return false;
    default:
        return true;
    }
}

static bool varies(const rf_kernel *kernel, const rf_koperand *operand, const uint64_t *varying) {
    uint32_t first = 0;
    if (operand->kind == RF_O_SPECIAL) return !uniform_special((rf_kspecial)operand->reg);
    for (uint32_t n = rf_names_of(kernel, operand, &first); n-- > 0;)
        if (rf_set_has(varying, first + n)) return true;
    return false;
}

static bool guard_varies(const rf_kernel *kernel, const rf_kinst *inst, const uint64_t *varying) {
    return inst->guard != RF_KNONE && rf_set_has(varying, rf_names_of_predicate(kernel, inst->guard));
}

/* `varying`, the names that may differ between lanes, from in front of the instruction to behind it. */
static void step(const rf_kernel *kernel, const rf_kinst *inst, bool apart, uint64_t *varying) {
    bool differs = apart || !uniform_op(inst) || guard_varies(kernel, inst, varying);
    for (uint32_t s = 0; s < inst->nsrc && !differs; s++) differs = varies(kernel, &inst->src[s], varying);
    for (uint32_t d = 0; d < inst->ndst; d++) {
        uint32_t first = 0;
        for (uint32_t n = rf_names_of(kernel, &inst->dst[d], &first); n-- > 0;) {
            if (differs) rf_set_add(varying, first + n);
            else if (inst->guard == RF_KNONE) rf_set_remove(varying, first + n);
        }
    }
}

/* Marks the blocks of both ways from block b's branch to where they meet: whether one is new. */
static bool mark_region(const rf_kernel *kernel, uint32_t b, rf_divergence *divergence, uint32_t *list, bool *seen) {
    const rf_kblock *const block = &kernel->block[b];
    bool news = false;
    for (uint32_t way = 0; way < 2; way++) {
        const uint32_t count = rf_divergence_region(kernel, block->succ[way], block->ipdom, list, seen);
        for (uint32_t i = 0; i < count; i++) {
            news |= !divergence->block[list[i]];
            divergence->block[list[i]] = true;
        }
    }
    return news;
}

/* Forward flow of the varying names, and with them branches and regions, round by round until nothing is added: every step only
 * adds. `in` has a set a block and one more to work in. */
static void flow(const rf_kernel *kernel, rf_divergence *divergence, uint64_t *in, uint32_t words, uint32_t *list, bool *seen) {
    uint64_t *const varying = in + (size_t)kernel->nblock * words;
    memset(in, 0xff, words * sizeof *in); /* nothing is known of what was there before the kernel */
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < kernel->nblock; b++) {
            const rf_kblock *const block = &kernel->block[b];
            if (!block->reachable) continue;
            memcpy(varying, in + (size_t)b * words, words * sizeof *varying);
            for (uint32_t i = 0; i < block->count; i++)
                step(kernel, &kernel->inst[block->first + i], divergence->block[b], varying);
            for (uint32_t s = 0; s < block->nsucc; s++)
                changed |= rf_set_join(in + (size_t)block->succ[s] * words, varying, words);

            const rf_kinst *const last = &kernel->inst[block->first + block->count - 1];
            const bool parts = block->nsucc == 2 && block->succ[0] != block->succ[1] && !(last->flags & RF_F_UNIFORM);
            if (divergence->branch[b] || !parts || !guard_varies(kernel, last, varying)) continue;
            divergence->branch[b] = true;
            changed |= mark_region(kernel, b, divergence, list, seen);
        }
    }
}

int rf_divergence_compute(rf_divergence *divergence, const rf_kernel *kernel) {
    const size_t blocks = kernel->nblock, words = ((size_t)rf_names_count(kernel) + 63) / 64 + 1; /* never none */
    *divergence = (rf_divergence){.branch = calloc(blocks + 1, sizeof(bool)), .block = calloc(blocks + 1, sizeof(bool))};
    uint64_t *const in = calloc((blocks + 1) * words, sizeof *in);
    uint32_t *const list = malloc((blocks + 1) * sizeof *list);
    bool *const seen = calloc(blocks + 1, sizeof *seen);
    const bool room = divergence->branch && divergence->block && in && list && seen;
    if (room && blocks) flow(kernel, divergence, in, (uint32_t)words, list, seen);
    else if (!room) rf_divergence_free(divergence);
    free(in);
    free(list);
    free(seen);
    return room ? 0 : -1;
}

void rf_divergence_free(rf_divergence *divergence) {
    free(divergence->branch);
    free(divergence->block);
    *divergence = (rf_divergence){0};
}
