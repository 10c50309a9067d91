/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the netlist of gates is the RTL, for all inputs: both as and-inverter graphs by Yosys, compared by berkeley-abc. They
 * are equivalent when, after one cycle of reset, no sequence of inputs (resets among them) makes an output or a register differ
 * that the netlist still has. Registers that reset does not reach, and memories, start with values that are free and the same in
 * both. docs/netlist.md says how it is decided. */
#ifndef LS_PROVE_H
#define LS_PROVE_H

#include "harness/netlist/gates.h"
#include "harness/netlist/mutants_prove.h"

typedef struct ls_prove_request {
    ls_gates_request gates;
    const char *const *rtl; /* files in place of ours; NULL: ours */
    size_t rtl_count;
    unsigned seconds; /* of work, for each question */
} ls_prove_request;

/* All memory belongs to the struct; ls_prove_result_free releases it. */
typedef struct ls_prove_result {
    ls_proof proof;
    const char *method;     /* what decided it: "structure", "registers", "trace", "sequential"; "" when nothing did */
    char *message;          /* what differs and when, or why it is not decided; "" else */
    size_t registers;       /* bits of the RTL that are bound to what the netlist has of them */
    size_t free;            /* bits that it does not have */
    size_t unfound;         /* bits of the field list that are no flip-flop of the RTL as Yosys reads it: not asked for */
    size_t questions, open; /* outputs and next states; those that were not equal by structure alone */
} ls_prove_result;

/* Decides it. 0; or -1 and a text to free in *error: a tool is missing or fails, the RTL or the netlist cannot be read, one has
 * not the ports of the unit, or there is nothing to ask. */
int ls_prove_gates(const ls_prove_request *request, ls_prove_result *result, char **error);
void ls_prove_result_free(ls_prove_result *result);

#endif
