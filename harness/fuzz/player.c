/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/fuzz/player.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

void ls_player_open(ls_player *p, const ls_unit *unit, const void *cfg, const ls_settings *settings, bool warps) {
    *p = (ls_player){
        .unit = unit,
        .cfg = cfg,
    };
    p->model = ls_zeroed(unit->model_size);
    p->in = ls_zeroed(unit->in_size);
    p->out = ls_zeroed(unit->out_size);
    if (unit->init(p->model, cfg) != 0) ls_die("%s: init failed after its own check", unit->name);
    ls_source_script(&p->source, unit, p->model, &p->script, NULL);
    ls_source_surround(&p->source, settings, cfg);
    if (warps) ls_source_warps(&p->source);
}

void ls_player_close(ls_player *p) {
    ls_source_close(&p->source);
    ls_script_free(&p->script);
    free(p->model);
    free(p->in);
    free(p->out);
}

void ls_player_begin(ls_player *p) {
    p->script.count = 0;
    p->source.span = 0;
    p->source.in_span = 0;
    p->source.cycle = 0;
}

bool ls_player_cycle(ls_player *p, bool *reset, uint64_t *bins) {
    const ls_unit *u = p->unit;
    ls_source_next next;
    while ((next = ls_source_step(&p->source, p->model, p->in)) == LS_NEXT_WARP) (void)u->warp(p->model, p->source.warp);
    if (next == LS_NEXT_END) return false;
    p->cycles++;
    *reset = next == LS_NEXT_RESET;
    if (*reset) {
        u->reset(p->model);
        return true;
    }
    const bool stepped = u->step != NULL && u->stim_rng == SIZE_MAX;
    if (stepped) u->step(p->model, p->in, p->out);
    else u->comb(p->model, p->in, p->out);
    *bins = stepped ? 0 : u->bins(p->model, p->in, p->out);
    if (!stepped) u->clock(p->model, p->in);
    ls_source_observe(&p->source, p->in, p->out);
    return true;
}

bool ls_player_play(ls_player *p, ls_novelty *novelty, uint64_t *last) {
    bool fresh = false, begun = false, reset;
    uint64_t bins;
    while (ls_player_cycle(p, &reset, &bins)) {
        if (reset) continue;
        if (!begun) ls_novelty_begin(novelty, p->model, p->in, p->out);
        else if (ls_novelty_cycle(novelty, p->model, p->in, p->out, bins)) {
            fresh = true;
            if (last != NULL) *last = p->source.cycle;
        }
        begun = true;
    }
    return fresh;
}
