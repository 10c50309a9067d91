/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of cells in Liberty's notation, as steps of bitwise operations: an operand is one of the names, a constant or the
 * result of an earlier step. */
#ifndef LS_LIBERTY_FUNCTION_H
#define LS_LIBERTY_FUNCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LS_LIBERTY_NAMES_MAX 16u
#define LS_LIBERTY_STEPS_MAX 200u
#define LS_LIBERTY_TRUTH_MAX 6u /* names of a truth table */

/* Operands: 0 .. 15 names, then 0, 1, and the results of steps 0, 1, … */
enum { LS_LIBERTY_ZERO = LS_LIBERTY_NAMES_MAX, LS_LIBERTY_ONE, LS_LIBERTY_STEP };

typedef enum ls_liberty_op { LS_LIBERTY_NOT, LS_LIBERTY_AND, LS_LIBERTY_OR, LS_LIBERTY_XOR } ls_liberty_op;

typedef struct ls_liberty_step {
    uint8_t op, a, b; /* b of NOT does not matter */
} ls_liberty_step;

typedef struct ls_liberty_code {
    ls_liberty_step steps[LS_LIBERTY_STEPS_MAX];
    uint32_t count;
    uint8_t result; /* an operand */
} ls_liberty_code;

/* Compiles a function of up to LS_LIBERTY_NAMES_MAX names. Returns whether the notation is right and no other name is in it; with
 * names NULL any name may be in it, and is 0. */
bool ls_liberty_compile(const char *function, const char *const *names, size_t count, ls_liberty_code *code);

/* Whether `name` is one of the names in it. */
bool ls_liberty_names(const char *function, const char *name);

#endif
