/* SPDX-License-Identifier: Apache-2.0 */
/* Where a run's inputs come from: the unit's stimulus (seeded, in epochs that each draw their own knobs), a workload, a script
 * or a case file. In one epoch in four the stimulus of a unit is searched for coincidences: it draws a cycle's inputs several
 * times, and those are taken whose pair of bins was hit least so far. Two rare events in one cycle are where control logic is
 * wrong. A source needs the model only: it can be run again without a DUT and gives the same inputs. */
#ifndef LS_SOURCE_H
#define LS_SOURCE_H

#include "harness/core/script.h"
#include "harness/core/unit.h"

/* Another copy of the system, model alone, in the surroundings of the one that is run (ls_unit.copies). */
typedef struct ls_source_copy {
    void *model, *stim, *in, *out;
} ls_source_copy;

typedef struct ls_source {
    const ls_unit *unit;
    const struct ls_case *replay; /* NULL, or the case to play back */
    void *stim;
    uint64_t seed;
    bool workload;
    uint64_t cycle;
    uint64_t epoch_start; /* its reset begins in this cycle ... */
    uint64_t epoch_end;   /* ... and the next one's in this; never with a workload */
    ls_fields fields;     /* for the inputs during reset */
    uint64_t legal;       /* cycles with legal inputs so far: those in which a system's properties are checked */
    uint64_t legal_left;  /* ... and those that this epoch still has */
    uint32_t epoch;
    const ls_settings *surroundings; /* of a system; NULL: none */
    ls_source_copy *copies;          /* from number 1 on */
    uint32_t copy_count;
    char wrong[1024]; /* the property of a copy that does not hold */
    ls_rng rng;
    struct ls_search *search; /* for coincidences; NULL: there is none */
    bool warps;               /* time warps are drawn */
    bool warped;              /* one goes before the coming cycle */
    bool started;             /* the case's start state was told */
    uint64_t warp;            /* with LS_NEXT_WARP: where to */
    ls_script *script;        /* NULL, or what is played, ... */
    const ls_author *author;  /* ... NULL, or who goes on with it, ... */
    size_t span;              /* ... the one that is played, and ... */
    uint32_t in_span;         /* ... cycles of it that were */
    ls_rng_choices choices;   /* of the coming cycle */
} ls_source;

#define LS_RESET_CYCLES 2u /* reset stays low for this long at the start of a run and of each epoch */

/* Stimulus (workload == NULL) or a workload for `model`, which must have been initialised. 0, or -1 and a message. */
int ls_source_open(ls_source *source, const ls_unit *unit, const void *model, uint64_t seed, const char *workload, char *error,
                   size_t size);
/* The surroundings of the system, checked, from here on, which is before the first cycle; `settings` must outlive the source.
 * With a workload, further copies of the system, of configuration `cfg`, that share them. */
void ls_source_surround(ls_source *source, const ls_settings *settings, const void *cfg);
/* A case file's cycles. */
void ls_source_replay(ls_source *source, const ls_unit *unit, const struct ls_case *replay);
/* A script, which the author goes on with when it is at its end; NULL: it has one. */
void ls_source_script(ls_source *source, const ls_unit *unit, const void *model, ls_script *script, const ls_author *author);
/* How a run without a workload has its epochs: cycles of the `number`-th one, which begins in this cycle, when the stimulus is
 * `endless`, legal to any end; and whether it is searched for coincidences. */
uint32_t ls_source_epoch(ls_rng *rng, uint32_t number, uint64_t cycle, bool endless);
bool ls_source_searched(const ls_unit *unit, uint32_t number);
/* Whether a script of the unit may have new knobs without a reset. */
static inline bool ls_source_renews(const ls_unit *unit) { return unit->stim_rng != SIZE_MAX && unit->property == NULL; }
/* Time warps are drawn from here on, when the unit has them: for who can change the registers of model and DUT. */
void ls_source_warps(ls_source *source);
/* No search for coincidences from here on: random input as the unit draws it. */
void ls_source_plain(ls_source *source);
void ls_source_close(ls_source *source);

/* Whether the unit, at parameters that it accepts, can open the workload: to be asked before what takes long. What can be read
 * only once (a pipe) is left alone. 0, or -1 and a message. */
int ls_source_try(const ls_unit *unit, const void *cfg, const char *workload, char *error, size_t size);

typedef enum ls_source_next { LS_NEXT_CYCLE, LS_NEXT_RESET, LS_NEXT_START, LS_NEXT_WARP, LS_NEXT_END } ls_source_next;

/* The coming cycle: inputs in `in`, a cycle with rst_ni low (any inputs in `in`: reset must win), or the end. Or no cycle, but a
 * time warp: the caller calls unit->warp with source->warp, does the same to its DUT, and asks again. So does the state that a
 * case begins in (LS_NEXT_START, source->replay->start; start.h). */
ls_source_next ls_source_step(ls_source *source, const void *model, void *in);

/* On to the next epoch, which begins in the cycle and with the knobs that it would have had. Of stimulus, after its epoch's
 * reset. */
void ls_source_skip(ls_source *source);

/* Whether a workload ran to its end: at least one of its warps ran, and the last one is over. Not when there was none, nor when
 * the rest cannot be read. */
bool ls_source_drained(const ls_source *source);

/* NULL, or the property that does not hold, of the system or of one of its copies; NULL where there is none. */
const char *ls_source_property(ls_source *source);

void ls_source_run_copies(ls_source *source);

/* Tells the stimulus what the model answered; the copies run their cycle. */
static inline void ls_source_observe(ls_source *source, const void *in, const void *out) {
    if (source->unit->observe != NULL && source->replay == NULL) source->unit->observe(source->stim, in, out);
    if (source->copies != NULL) ls_source_run_copies(source);
}

#endif
