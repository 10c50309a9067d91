/* SPDX-License-Identifier: Apache-2.0 */
/* A script played on the model alone: many times as fast as in lockstep, to find out what it reaches. */
#ifndef LS_PLAYER_H
#define LS_PLAYER_H

#include "harness/core/script.h"
#include "harness/core/source.h"
#include "harness/fuzz/novelty.h"

typedef struct ls_player {
    const ls_unit *unit;
    const void *cfg;
    ls_script script; /* what is played */
    ls_source source;
    void *model, *in, *out;
    uint64_t cycles; /* all that were played */
} ls_player;

/* `warps`: the run has time warps. `settings`: the surroundings; NULL: none. */
void ls_player_open(ls_player *player, const ls_unit *unit, const void *cfg, const ls_settings *settings, bool warps);
void ls_player_close(ls_player *player);

/* Forgets the script, and starts with the next one from a reset. */
void ls_player_begin(ls_player *player);
/* A cycle more, resets included: *reset says of which kind, *bins what it hit (of a system: ls_novelty_cycle). False: the script is at its end. */
bool ls_player_cycle(ls_player *player, bool *reset, uint64_t *bins);
/* Plays the script from where it stands to its end, as a piece of its own. True when a cycle was fresh: *last then
 * says how many cycles of the script, resets included, there are up to the last such one since the last ls_player_begin. */
bool ls_player_play(ls_player *player, ls_novelty *novelty, uint64_t *last);

#endif
