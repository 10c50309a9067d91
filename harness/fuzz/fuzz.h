/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage-guided stimulus: the author of a script that is run in lockstep. It gives the run pieces of stimulus, and looks at
 * what the model does in them (novelty.h). Those that reach something new are kept and changed again (mutate.h). What it does
 * follows from unit, parameters, seed and the entries that it begins with, and from nothing that the DUT does. */
#ifndef LS_FUZZ_H
#define LS_FUZZ_H

#include "harness/fuzz/corpus.h"
#include "harness/fuzz/novelty.h"

typedef struct ls_fuzz ls_fuzz;

typedef struct ls_fuzz_request {
    const ls_unit *unit;
    const void *cfg;
    const ls_settings *surroundings; /* of a system; NULL: none */
    uint64_t seed;
    const ls_corpus *start; /* entries to begin with; NULL: none */
    bool warps;             /* the run has time warps */
    bool guided;            /* no epochs that nobody looks at */
    int found;              /* entries are written to this file as they are found (ls_fuzz_found); -1: to none */
} ls_fuzz_request;

/* Adds the entries that a fuzzer wrote, also one that has died, to the corpus. */
void ls_fuzz_found(int file, ls_corpus *corpus);

ls_fuzz *ls_fuzz_new(const ls_fuzz_request *request);
void ls_fuzz_free(ls_fuzz *fuzz);

/* For the run's request: who plays it tells it what the model does. */
const ls_author *ls_fuzz_author(const ls_fuzz *fuzz);

/* What a run would play, on the model alone, for so many cycles or seconds of work (0: as long as the other says); appended to
 * `played`, if not NULL. False when a property does not hold, *property, valid until ls_fuzz_free. */
bool ls_fuzz_alone(ls_fuzz *fuzz, uint64_t cycles, double seconds, ls_script *played, const char **property);

#endif
