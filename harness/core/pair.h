/* SPDX-License-Identifier: Apache-2.0 */
/* A model and a DUT, walked together. One cycle is
 *
 *   1 inputs to both   2 model comb, DUT eval with the clock low, every output compared
 *   3 rising edge on both, every register compared
 *
 * While the reset acts the inputs are what the caller left there, and comparing starts with the first edge, so that synchronous
 * and asynchronous resets both serve. Memories over LS_SWEEP_BYTES: the rows that the model writes and the row that the DUT's
 * write port names are compared at once, and one further row in every cycle, through all memories in turn, so that a wild write
 * is found within `period` cycles. */
#ifndef LS_PAIR_H
#define LS_PAIR_H

#include "harness/core/plan.h"
#include "harness/core/start.h"
#include "harness/core/unit.h"

typedef enum ls_where { LS_EQUAL, LS_AT_OUTPUTS, LS_AT_STATE } ls_where;

typedef struct ls_pair {
    const ls_unit *unit;
    void *model, *in, *out;
    void *model_room, *out_room; /* what they lie in */
    ls_fields fields;
    const ls_dut_api *api;
    ls_dut *dut;
    uint8_t *clock, *reset;
    uint8_t low; /* the clock before its edge: 1 when registers change at the falling one */
    ls_binding binding;
    size_t memory; /* of the rolling sweep, and its */
    uint64_t row;
    uint64_t period;   /* cycles of a full sweep; 0: nothing is swept */
    uint64_t compares; /* bits compared so far */
    ls_touch touch[64];
    uint32_t touched;
    uint64_t written; /* bit per swept memory: its write port in the DUT is enabled */
    bool in_reset;    /* the cycle before was one of reset */
} ls_pair;

/* Loads a DUT's shared object. NULL and a message when it is none. Never unloaded. */
const ls_dut_api *ls_dut_load(const char *so_path, char *error, size_t size);

/* A new model and a new DUT, bound; memories of the model hold the DUT's power-up contents. `masks`: what the DUT lacks;
 * NULL: nothing. 0, or -1 and a message. */
int ls_pair_open(ls_pair *pair, const ls_unit *unit, const void *cfg, const ls_dut_api *api, uint64_t fill,
                 ls_dut_stop_fn *on_stop, bool ports_only, const ls_masks *masks, char *error, size_t size);
void ls_pair_close(ls_pair *pair);

/* One cycle of reset, whatever is in pair->in. */
ls_where ls_pair_reset(ls_pair *pair);
/* One cycle with the inputs in pair->in; leaves the model's outputs in pair->out. With `bins` the bins that the cycle hits are
 * stored there; without, the model may use its step function, which is faster. */
ls_where ls_pair_cycle(ls_pair *pair, uint64_t *bins);
/* A time warp (harness/core/unit.h): the model's registers move, and the DUT's follow. All registers must be bound: neither ports
 * only, nor masks, nor a netlist. False when the unit knows no such warp. */
bool ls_pair_warp(ls_pair *pair, uint64_t to);
/* The state that a case begins in, into model and DUT: after the case's reset. 0, or -1 and a message: the DUT does not have, or
 * cannot hold, what is given. */
int ls_pair_start(ls_pair *pair, const ls_start *start, char *error, size_t size);
/* Compares everything once, memories whole. */
ls_where ls_pair_all(ls_pair *pair);

/* The DUT alone: the cost that lockstep is measured against. */
void ls_pair_dut_only(ls_pair *pair, const void *in);

/* The first differing field (index in *index) at `where`, in field order, or NULL. */
const ls_bound *ls_pair_first(const ls_pair *pair, ls_where where, int64_t *index);
/* Whether a row of a swept memory that differs may have done so for some cycles: the last one did not touch it. */
bool ls_pair_swept(const ls_pair *pair, const ls_bound *bound, int64_t row);
/* The first such row (*row) of any swept memory: what differs elsewhere may have been read from it. NULL: none. */
const ls_field *ls_pair_stale(const ls_pair *pair, uint32_t *row);
/* The struct that holds the model's side of a field. */
const void *ls_pair_side(const ls_pair *pair, const ls_field *field);

#endif
