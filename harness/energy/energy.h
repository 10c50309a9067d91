/* SPDX-License-Identifier: Apache-2.0 */
/* Energy of a mapped netlist: how often each of its nets toggles while the model runs, times what the library says of its cells.
 *
 * The netlist is not simulated by a tool: the model gives every flip-flop's state and every input of each cycle, so that the
 * gates between them are evaluated for LS_ENERGY_WORDS * 64 cycles at once, each net one bit a cycle, settled and without delay.
 * What the gates say of every flip-flop's next state and of every output must be what the model says, or the run ends: netlist
 * and model stay in lockstep. docs/energy.md says what the figures mean and do not mean. */
#ifndef LS_ENERGY_H
#define LS_ENERGY_H

#include "harness/core/unit.h"
#include "harness/synth/mapped.h"

#define LS_ENERGY_WORDS 4u /* of 64 cycles */

/* How often everything toggled. All memory belongs to the struct; ls_energy_counts_free releases it. */
typedef struct ls_energy_counts {
    uint64_t cycles;          /* steps from one cycle to the next, both out of reset: what the toggles are counted over */
    uint64_t steps;           /* cycles out of reset, the first ones included */
    uint64_t checked;         /* bits of flip-flops and outputs that were compared with the model */
    uint64_t *toggles;        /* by net; clock nets 2 a cycle */
    uint64_t *reads, *writes; /* by cell: of macros */
} ls_energy_counts;

/* Receives the model's counters at the run's end. */
typedef struct ls_energy_request {
    const ls_unit *unit;
    const void *cfg;
    uint64_t seed, cycles;           /* 0: to the workload's end */
    const char *workload;            /* or NULL: stimulus */
    const ls_settings *surroundings; /* of a system */
    bool idle;                       /* all inputs are 0 after the reset, instead */
    ls_counter_fn *sink;             /* or NULL */
    void *ctx;
} ls_energy_request;

typedef enum ls_energy_status { LS_ENERGY_OK, LS_ENERGY_DIFFERS, LS_ENERGY_FAILED } ls_energy_status;

/* Runs the model and evaluates the netlist beside it. Otherwise a text to free in *error: netlist and model differ (where, and in
 * which cycle), or a bad workload, or a netlist that has not this unit's ports, or nothing was compared. */
ls_energy_status ls_energy_count(const ls_mapped *design, const ls_energy_request *request, ls_energy_counts *counts,
                                 char **error);
void ls_energy_counts_free(ls_energy_counts *counts);

typedef struct ls_energy_point {
    double period;     /* of the clock, seconds */
    double transition; /* of every input pin, seconds */
} ls_energy_point;

/* Joules a cycle. Clock: clock pins, clock nets, cells that pass the clock on. Flops: their outputs and other inputs. Logic: what
 * happens inside all other cells. Switching: nets other than the clock's. */
typedef struct ls_energy {
    double clock, flops, logic, switching, leakage;
    double macros; /* in their own node, in no sum */
    double *owner; /* by owner of the design: of clock, flops, logic and switching */
    double *net;   /* by net: 1/2 C V^2, and what happens in its driver */
    double rate;   /* toggles a net and cycle, without clocks and constants */
} ls_energy;

void ls_energy_sum(const ls_mapped *design, const ls_energy_counts *counts, const ls_energy_point *point, ls_energy *energy);
void ls_energy_free(ls_energy *energy);

#endif
