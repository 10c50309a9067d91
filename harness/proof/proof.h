/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the C model is the RTL, for every state and every input. The field list gives each register of the RTL a member of the
 * model, so that one step decides: from any state and any input, outputs and next state are the same. docs/proof.md says how. */
#ifndef LS_MODEL_PROOF_H
#define LS_MODEL_PROOF_H

#include "harness/core/case.h"

typedef enum ls_verdict {
    LS_PROVED,
    LS_PROVED_UNDER_INVARIANT, /* what the field list says of the state holds after reset, and in each next state */
    LS_REFUTED,                /* there is a state and an input for which something is not so: `witness` */
    LS_UNDECIDED               /* no answer in time, or the model does what this cannot follow: `message` */
} ls_verdict;

/* What is not so. */
typedef enum ls_proof_kind {
    LS_ASKED_MEANING,  /* C says what the model does: no shift out of range, no index out of bounds, nothing read before it is set
                        */
    LS_ASKED_LANES,    /* lanes are independent and alike */
    LS_ASKED_UNITS,    /* what proofs of cut units suppose of their states follows from the system's invariants */
    LS_ASKED_RTL,      /* the model is the RTL: a replay of the witness shows it */
    LS_ASKED_STEP,     /* step is comb, then clock: seen on the compiled model, like the next */
    LS_ASKED_HIDDEN,   /* the model has no state but its fields */
    LS_ASKED_INVARIANT /* what the field list claims holds after reset, and is kept */
} ls_proof_kind;

typedef struct ls_proof_query {
    const ls_unit *unit;
    const void *cfg;
    const char *const *rtl; /* files in place of ours; NULL: ours */
    size_t rtl_count;
    unsigned seconds;       /* of work of the solver */
    unsigned trials;        /* states and inputs with which the graph is compared with the compiled model */
    bool lanes;             /* whether lanes are independent, too */
    const char *const *cut; /* units inside that their models stand for; "all": all that are */
    size_t cut_count;
} ls_proof_query;

/* A state and an input, as the model has them. */
typedef struct ls_witness {
    void *model, *in;
    bool reset; /* of a cycle of reset */
} ls_witness;

/* All memory belongs to the struct. */
typedef struct ls_proof_answer {
    ls_verdict verdict;
    char *message;      /* what differs, or why nothing is decided; "" else */
    ls_proof_kind kind; /* of LS_REFUTED, like the next */
    ls_witness witness;
    bool unconfirmed;       /* the compiled model does not do what the graph says it does with this witness */
    size_t outputs, states; /* bits of outputs and of registers and memories that are asked for */
    size_t misuses;         /* places of the C sources at which C could be left */
    size_t questions, open; /* and those that were not answered by the structure of the graph */
    uint32_t gates, invariants;
    uint32_t lanes; /* when they are asked about: so many, each with `lane_bits` of outputs and next states, and those of none */
    size_t lane_bits, shared_bits;
    size_t sources;
    char **cut; /* the units that are to be proved by themselves, each once: "rf_rr N=4" */
    size_t cuts;
    char *model_hash, *rtl_hash; /* of the sources */
    double model_seconds, rtl_seconds, solver_seconds;
    uint64_t trials;
} ls_proof_answer;

/* 0; or -1 and a text to free in *error: a tool is missing, the sources cannot be read, there is nothing to ask, the graph is not
 * what the compiled model does. */
int ls_prove_model(const ls_proof_query *query, ls_proof_answer *answer, char **error);
/* The witness as a case; ls_case_free it. */
void ls_proof_case(const ls_proof_answer *answer, const ls_unit *unit, const void *cfg, ls_case *c);
void ls_proof_answer_free(ls_proof_answer *answer);

#endif
