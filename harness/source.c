/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/case.h"
#include "harness/memory.h"
#include "harness/xzio.h"

#define EPOCH_MIN 1000u
#define EPOCH_SPAN 8000u

int ls_source_open(ls_source *source, const ls_unit *unit, const void *model, uint64_t seed, const char *workload, char *error,
                   size_t size) {
    *source = (ls_source){.unit = unit, .seed = seed, .workload = workload != NULL};
    ls_rng_seed(&source->rng, ls_seed_derive(seed, "epochs"));
    if (workload == NULL) return 0;
    if (unit->workload == NULL) {
        (void)snprintf(error, size, "%s takes no workload: only systems do", unit->name);
        return -1;
    }
    source->stim = ls_zeroed(unit->stim_size);
    unit->stim_init(source->stim, model, ls_seed_derive(seed, "stimulus 0"));
    source->epoch_end = UINT64_MAX;
    return unit->workload(source->stim, model, &ls_xzio, workload, error, size);
}

void ls_source_replay(ls_source *source, const ls_unit *unit, const ls_case *replay) {
    *source = (ls_source){.unit = unit, .replay = replay};
}

static void free_stim(ls_source *source) {
    if (source->stim != NULL && source->unit->stim_free != NULL) source->unit->stim_free(source->stim);
    free(source->stim);
    source->stim = NULL;
}

void ls_source_close(ls_source *source) { free_stim(source); }

static ls_source_next replay_step(ls_source *source, void *in) {
    const ls_case *c = source->replay;
    if (source->cycle >= c->count) return LS_NEXT_END;
    memcpy(in, ls_case_in(c, source->cycle), c->unit->in_size);
    return c->reset[source->cycle++] != 0 ? LS_NEXT_RESET : LS_NEXT_CYCLE;
}

static void start_epoch(ls_source *source, const void *model) {
    char name[32];
    (void)snprintf(name, sizeof name, "stimulus %u", source->epoch++);
    free_stim(source);
    source->stim = ls_zeroed(source->unit->stim_size);
    source->unit->stim_init(source->stim, model, ls_seed_derive(source->seed, name));
    source->epoch_end = source->cycle + EPOCH_MIN + ls_rng_below(&source->rng, EPOCH_SPAN);
}

ls_source_next ls_source_step(ls_source *source, const void *model, void *in) {
    if (source->replay != NULL) return replay_step(source, in);
    if (source->workload) {
        if (source->cycle++ < LS_RESET_CYCLES) return LS_NEXT_RESET;
        if (source->unit->done(source->stim)) return LS_NEXT_END;
    } else if (source->cycle - source->epoch_end < LS_RESET_CYCLES) {
        memset(in, 0, source->unit->in_size);
        source->cycle++;
        return LS_NEXT_RESET;
    } else {
        if (source->stim == NULL || source->cycle - source->epoch_end == LS_RESET_CYCLES) start_epoch(source, model);
        source->cycle++;
    }
    source->unit->stim(source->stim, model, in);
    return LS_NEXT_CYCLE;
}
