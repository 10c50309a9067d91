/* SPDX-License-Identifier: Apache-2.0 */
/* berkeley-abc, which the proof of a netlist and that of a model share, and how a netlist's flip-flops are written for it. */
#ifndef LS_PROVER_H
#define LS_PROVER_H

/* Verilog for Yosys' techmap: flip-flops with asynchronous pins as plain ones with gates before and behind, so that what is seen
 * of them changes at once. */
extern const char ls_prover_flip_flops[];

/* What berkeley-abc says to the commands, to free, and `seconds` of work at most (and 5); a machine that is busy elsewhere
 * changes no verdict. NULL and *error: it cannot be run. */
char *ls_prover_run(const char *commands, unsigned seconds, char **error);

#endif
