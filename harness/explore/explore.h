/* SPDX-License-Identifier: Apache-2.0 */
/* All states of a unit's model that can be reached from reset, breadth first, each with every input. */
#ifndef LS_EXPLORE_H
#define LS_EXPLORE_H

#include "harness/explore/explore_input.h"
#include "harness/explore/explore_key.h"

typedef struct ls_explore_request {
    const ls_unit *unit;
    const void *cfg;
    const ls_args *fixed; /* inputs that keep a value, as ls_explore_inputs_make takes them */
    size_t states_max;    /* stop there; up to LS_EXPLORE_STATES */
    bool edges;           /* keep what follows on each state and input, for a walk, if they are fewer than LS_EXPLORE_EDGES */
    bool progress;        /* on stderr */
} ls_explore_request;

#define LS_EXPLORE_STATES 100000000u
#define LS_EXPLORE_EDGES 100000000u

typedef struct ls_explored {
    ls_fields fields;
    ls_explore_inputs inputs;
    ls_explore_key key;
    uint8_t *states; /* key.bytes each; number 0 is the one after reset */
    size_t count, room;
    uint32_t *parent, *parent_input; /* of each but the first: the state and input that led there first */
    uint32_t *next;                  /* of state s and input i at [s * inputs.count + i]; NULL: not kept */
    bool complete;                   /* states_max was not met */
    uint64_t transitions;
    uint32_t depth;            /* the furthest state is so many cycles from reset */
    uint64_t bins;             /* one bit for each that some transition hits */
    uint64_t hit_first[64][2]; /* of each bin: state and input of the first */
    size_t stuck;              /* states that no input leaves, if there are others ... */
    size_t first_stuck;        /* ... and the first */
    const char *broken; /* an invariant of the field list that does not hold in state `broken_state`, in words; NULL: none */
    size_t broken_state;
    bool hidden; /* the model remembers what no field names: this state, on two ways, went on differently */
    size_t hidden_state, hidden_byte;
    uint32_t register_bits, constant_bits; /* of all registers; of these, those that are the same in all states */
    double seconds;
} ls_explored;

/* 0, or -1 and a message with nothing to free. */
int ls_explore(const ls_explore_request *request, ls_explored *to, char **error);
void ls_explore_free(ls_explored *e);

/* "mask_q=3 count_q[1]=2": the registers of a state that are not 0; free() it. */
char *ls_explore_text(const ls_explored *e, size_t state);
/* How many cycles from reset. */
size_t ls_explore_depth(const ls_explored *e, size_t state);

#endif
