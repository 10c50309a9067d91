/* SPDX-License-Identifier: Apache-2.0 */
/* Symbolic execution: a C function on values that are literals of an and-inverter graph, all paths at once. Where paths meet they
 * become one again, so that the graph grows with the program and not with its paths (the loops of a model end after a number of
 * turns that its parameters fix). What C gives no meaning to is not done but asked: each such place has a literal that says when
 * it is reached. */
#ifndef LS_EXECUTE_H
#define LS_EXECUTE_H

#include "harness/proof/objects.h"

/* A place where the program may leave C: `when` is the literal. */
typedef struct ls_misuse {
    const char *file; /* of the module; NULL: not known */
    uint32_t line;
    const char *what;
    uint32_t when;
} ls_misuse;

typedef struct ls_execution {
    const ls_ir *ir;
    ls_values values;
    uint32_t objects;     /* the next one's number */
    uint32_t *global;     /* the object of each global */
    struct ls_flow *flow; /* of each function, made when it is first called */
    ls_misuse *misuse;
    size_t misuse_count;
    const ls_ir_inst *now;
    uint64_t steps, limit; /* instructions executed, and at most so many */
    char *error;           /* why it went no further, to free; NULL: nothing did */
    /* Whether a literal is 0 in all states that the caller speaks of; asked of the turns of loops whose end the graph does not
     * show. NULL: nobody knows. */
    bool (*never)(void *asked, uint32_t literal);
    void *asked;
    uint32_t *cut; /* literals of paths that were left out because they never are */
    size_t cut_count;
} ls_execution;

/* The globals as objects of `memory`. The maker may grow, and must outlive the execution. */
void ls_execution_begin(ls_execution *x, const ls_ir *ir, ls_aig_maker *maker, ls_memory *memory);
void ls_execution_end(ls_execution *x);

/* The number of a new object. */
uint32_t ls_execution_object(ls_execution *x, ls_memory *memory, size_t size, const uint8_t *bytes);

/* Whether function `number` was called. */
bool ls_execution_called(const ls_execution *x, uint32_t number);

/* Calls function `number` where `pc` holds; `memory` becomes what it leaves. What it returns, or NULL: nothing, or there is an
 * error. */
const ls_value *ls_execute(ls_execution *x, uint32_t number, uint32_t pc, ls_memory *memory, const ls_value *const *argument,
                           uint32_t arguments);

#endif
