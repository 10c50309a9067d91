/* SPDX-License-Identifier: Apache-2.0 */
/* Whether pairs of literals are equal in all states and for all inputs, by berkeley-abc. */
#ifndef LS_SOLVE_H
#define LS_SOLVE_H

#include "harness/netlist/aig.h"
#include "harness/proof/proof.h"

/* Two literals that must be equal: in a cycle where the invariants hold, in one of reset always. */
typedef struct ls_question {
    char *what;
    uint32_t left, right;
    ls_proof_kind kind;
    bool reset, answered; /* answered: they are, known before or found */
} ls_question;

typedef struct ls_solver {
    const ls_aig_maker *maker;
    ls_question *list;
    size_t count;
    uint32_t invariant; /* the literal that holds in the states that the questions of a cycle speak of */
    const char *folder; /* for temporary files */
    unsigned seconds;   /* of the solver's work */
    bool alone;         /* only the last way: each question alone. For its test */
} ls_solver;

/* Answers the questions. 1: all are equal. 0: not all are answered, or `*example` is a state and an input, by variable, for which
 * the graph says that one is not so; to be freed. -1 and a text to free in *error: the solver cannot be run. `*open`: so many
 * questions were not answered by structure. */
int ls_solve(const ls_solver *solver, size_t *open, uint8_t **example, char **error);

#endif
