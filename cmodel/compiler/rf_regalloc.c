/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/compiler/rf_regalloc.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmodel/compiler/rf_regalloc_graph.h"

#define IDENTITY_MAX 65534u /* registers are 16 bits in a stream's lists */
#define PREDICATES_MIN 2u
#define PREDICATES_MAX 64u

/* "kernel NAME: why"; -1. */
__attribute__((format(printf, 4, 5))) static int fail(const rf_kernel *kernel, char *error, size_t size, const char *why, ...) {
    va_list args;
    const int head = snprintf(error, size, "kernel %s: ", kernel->name ? kernel->name : "?");
    if (head < 0 || (size_t)head >= size) return -1;
    va_start(args, why);
    (void)vsnprintf(error + head, size - (size_t)head, why, args);
    va_end(args);
    return -1;
}

static void rename_operands(rf_koperand *operand, uint32_t count, const uint32_t *place) {
    for (uint32_t i = 0; i < count; i++)
        if (operand[i].kind == RF_O_REG || operand[i].kind == RF_O_PRED) operand[i].reg = place[operand[i].reg];
}

/* Gives every operand and guard the number that place[] has for its variable, and takes the variables away. */
static void rename_variables(rf_kernel *kernel, const uint32_t *place) {
    for (uint32_t i = 0; i < kernel->ninst; i++) {
        rf_kinst *const inst = &kernel->inst[i];
        rename_operands(inst->dst, inst->ndst, place);
        rename_operands(inst->src, inst->nsrc, place);
        if (inst->guard != RF_KNONE) inst->guard = place[inst->guard];
    }
    for (uint32_t v = 0; v < kernel->nvar; v++) free(kernel->var[v].name);
    free(kernel->var);
    kernel->var = NULL;
    kernel->nvar = 0;
    kernel->allocated = true;
}

int rf_regalloc_identity(rf_kernel *kernel, char *error, size_t size) {
    uint64_t count[3] = {0}; /* of predicates, one-word and two-word variables */
    if (kernel->allocated) return fail(kernel, error, size, "its registers are allocated already");
    uint32_t *const place = malloc(((size_t)kernel->nvar + 1) * sizeof *place);
    if (!place) return fail(kernel, error, size, "no memory");
    for (uint32_t v = 0; v < kernel->nvar; v++) {
        const uint32_t bits = rf_ktype_bits((rf_ktype)kernel->var[v].type);
        place[v] = bits == 1 ? 0 : bits <= 32 ? 1 : 2;
        count[place[v]]++;
    }
    const uint64_t nreg = 2 * count[2] + count[1];
    if (nreg > IDENTITY_MAX || count[0] > IDENTITY_MAX) {
        free(place);
        return fail(kernel, error, size, "%" PRIu64 " registers and %" PRIu64 " predicates (at most %u)", nreg, count[0],
                    IDENTITY_MAX);
    }
    uint32_t next[3] = {0, (uint32_t)(2 * count[2]), 0}; /* pairs first: all of them even, no gap */
    for (uint32_t v = 0; v < kernel->nvar; v++) {
        const uint32_t width = place[v];
        place[v] = next[width];
        next[width] += width == 2 ? 2 : 1;
    }
    kernel->nreg = (uint32_t)nreg;
    kernel->npred = (uint32_t)count[0];
    rename_variables(kernel, place);
    free(place);
    return 0;
}

/* Takes out copies of a register to itself, then the blocks that are empty now: what goes to one goes to the next. There is a
 * next one: the last block of a way ends in a branch or an exit. */
static bool remove_copies(rf_kernel *kernel) {
    uint32_t *const moved = malloc(((size_t)kernel->nblock + 1) * sizeof *moved);
    uint32_t blocks = 0, insts = 0;
    if (!moved) return false;
    for (uint32_t b = 0; b < kernel->nblock; b++) {
        rf_kblock block = kernel->block[b];
        const uint32_t first = insts;
        for (uint32_t i = block.first; i < block.first + block.count; i++) {
            uint32_t to, from;
            if (!rf_ra_is_move(&kernel->inst[i], &to, &from) || to != from) kernel->inst[insts++] = kernel->inst[i];
        }
        moved[b] = blocks;
        free(block.pred);
        block.pred = NULL;
        block.first = first;
        block.count = insts - first;
        if (block.count) kernel->block[blocks++] = block;
    }
    for (uint32_t b = 0; b < blocks; b++)
        for (uint32_t s = 0; s < kernel->block[b].nsucc; s++) kernel->block[b].succ[s] = moved[kernel->block[b].succ[s]];
    for (uint32_t i = 0; i < insts; i++)
        if (kernel->inst[i].op == RF_K_BRA) kernel->inst[i].target = moved[kernel->inst[i].target];
    for (uint32_t b = blocks; b < kernel->nblock; b++) kernel->block[b].pred = NULL;
    kernel->nblock = blocks;
    kernel->ninst = insts;
    free(moved);
    return rf_kernel_flow(kernel) == 0;
}

/* Every variable gets its node's register. *cost: of what was put in for want of registers, weighted. */
static bool finish(rf_kernel *kernel, const rf_ra_graph *graph, double *cost) {
    uint32_t *const place = calloc((size_t)graph->nodes + 1, sizeof *place);
    if (!place) return false;
    *cost = 0;
    for (uint32_t b = 0; b < kernel->nblock; b++) {
        const rf_kblock *const block = &kernel->block[b];
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            const rf_kinst *const inst = &kernel->inst[i];
            if (inst->line == 0) *cost += graph->weight[b] * (inst->space == RF_S_LOCAL ? RF_RA_MEMORY_COST : 1.0);
        }
    }
    kernel->nreg = kernel->npred = 0;
    for (uint32_t v = 0; v < graph->nodes; v++) {
        const rf_ra_node *const node = &graph->node[rf_ra_find(graph, v)];
        if (node->color == RF_KNONE) continue; /* nothing mentions it */
        uint32_t *const used = node->width == 0 ? &kernel->npred : &kernel->nreg;
        const uint32_t end = node->color + (node->width == 2 ? 2 : 1);
        place[v] = node->color;
        if (end > *used) *used = end;
    }
    rename_variables(kernel, place);
    free(place);
    return remove_copies(kernel);
}

typedef enum outcome { OUT_DONE, OUT_NO_MEMORY, OUT_PREDICATES, OUT_REGISTERS } outcome;

/* Rounds of building, coalescing and colouring, until nothing has to go to memory. */
static outcome rounds(rf_kernel *kernel, const uint32_t limit[2], const double *weight, uint32_t power, uint8_t **flags,
                      double *cost) {
    for (;;) {
        rf_ra_graph graph = {.kernel = kernel, .limit = {limit[0], limit[1]}, .weight = weight, .power = power};
        uint32_t spilled = 0;
        bool room = rf_ra_build(&graph, *flags) && rf_ra_coalesce(&graph) && rf_ra_color(&graph, &spilled);
        const uint32_t short_of = room ? graph.short_of : RF_KNONE;
        const bool fits = short_of == RF_KNONE && spilled == 0;
        if (room && fits) room = finish(kernel, &graph, cost);
        else if (room && short_of == RF_KNONE) room = rf_ra_spill(kernel, &graph, flags);
        rf_ra_free(&graph);
        if (!room) return OUT_NO_MEMORY;
        if (short_of != RF_KNONE) return short_of ? OUT_REGISTERS : OUT_PREDICATES;
        if (fits) return OUT_DONE;
    }
}

/* One allocation of a copy of `kernel` into *made, which is only there when it is done. */
static outcome attempt(const rf_kernel *kernel, const uint32_t limit[2], uint32_t power, rf_kernel *made, double *cost) {
    if (rf_kernel_copy(made, kernel) != 0) return OUT_NO_MEMORY;
    double *const weight = calloc((size_t)made->nblock + 1, sizeof *weight);
    uint8_t *flags = calloc((size_t)made->nvar + 1, sizeof *flags);
    outcome result = OUT_NO_MEMORY;
    if (weight && flags && rf_ra_weights(made, weight)) result = rounds(made, limit, weight, power, &flags, cost);
    free(weight);
    free(flags);
    if (result != OUT_DONE) rf_kernel_free(made);
    return result;
}

int rf_regalloc(rf_kernel *kernel, uint32_t registers, uint32_t predicates, char *error, size_t size) {
    const uint32_t limit[2] = {predicates, registers};
    rf_kernel made, other;
    double cost, other_cost;
    if (kernel->allocated) return fail(kernel, error, size, "its registers are allocated already");
    if (registers < RF_REGALLOC_MIN || registers > RF_REGALLOC_MAX)
        return fail(kernel, error, size, "%u registers (%u .. %u)", registers, RF_REGALLOC_MIN, RF_REGALLOC_MAX);
    if (predicates < PREDICATES_MIN || predicates > PREDICATES_MAX)
        return fail(kernel, error, size, "%u predicates (%u .. %u)", predicates, PREDICATES_MIN, PREDICATES_MAX);
    const outcome result = attempt(kernel, limit, 1, &made, &cost);
    if (result == OUT_NO_MEMORY) return fail(kernel, error, size, "no memory");
    if (result != OUT_DONE)
        return fail(kernel, error, size, "%u %s do not suffice: an instruction needs more at one time",
                    limit[result == OUT_REGISTERS], result == OUT_REGISTERS ? "registers" : "predicates");
    if (cost > 0 && attempt(kernel, limit, 2, &other, &other_cost) == OUT_DONE) {
        rf_kernel *const worse = other_cost < cost ? &made : &other;
        rf_kernel_free(worse);
        if (worse == &made) made = other;
    }
    rf_kernel_free(kernel);
    *kernel = made;
    return 0;
}
