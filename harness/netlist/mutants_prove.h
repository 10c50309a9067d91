/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a mutant of a netlist can be told from the netlist at all: berkeley-abc's sequential equivalence checker on an AIGER
 * miter of both. They are equivalent when, after one cycle of reset, no sequence of inputs (resets among them) makes any output
 * or any register of the field list differ. Every register and every bit of a memory starts with a value that is free, and the
 * same in both, as in a run: what reset does not set may be anything. */
#ifndef LS_MUTANTS_PROVE_H
#define LS_MUTANTS_PROVE_H

#include "harness/netlist/netlist.h"

typedef enum ls_proof {
    LS_PROOF_EQUIVALENT,
    LS_PROOF_DIFFERENT,
    LS_PROOF_UNDECIDED,
    LS_PROOF_BROKEN /* the prover cannot be run or was killed from outside, or its question cannot be written */
} ls_proof;

/* Prepares the netlist's folder, once for all its mutants; a no-op when that was done. NULL, or an error to free. */
char *ls_prove_prepare(const ls_netlist_request *request, const ls_netlist *netlist);

/* Compares mutant `number` with the netlist without a mutant, for at most about `seconds`; a verdict is kept in the netlist's
 * folder. A text to free in *why says why it is undecided or broken. */
ls_proof ls_prove(const ls_netlist *netlist, uint32_t number, unsigned seconds, char **why);

#endif
