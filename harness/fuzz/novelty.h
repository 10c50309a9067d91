/* SPDX-License-Identifier: Apache-2.0 */
/* What a walk has reached: features, read from the model's fields,
 * the ports and the bins in each cycle. A feature is
 *
 *   the value of a register element of up to 8 bits      a bit of a wider one, or of an output, at 0 or at 1
 *   two bins in one cycle, a bin with itself too         a bin for so many cycles in a row: 2, 4, 8, ...
 *   the values of two control elements in one cycle: of registers and ports of up to 8 bits, the narrowest, as many as fit
 *
 * Pairs of values share a table by hashes (as coverage maps of fuzzers do): two that fall together count as one. A cycle costs
 * what changes in it. */
#ifndef LS_NOVELTY_H
#define LS_NOVELTY_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/core/unit.h"

typedef struct ls_novelty ls_novelty;

ls_novelty *ls_novelty_new(const ls_unit *unit, const void *cfg);
void ls_novelty_free(ls_novelty *novelty);

/* A piece of stimulus begins with a cycle with these ports, and this state behind it. What the last piece reached is forgotten, unless it
 * was kept. */
void ls_novelty_begin(ls_novelty *novelty, const void *model, const void *in, const void *out);
/* A cycle of it: its ports and bins, and the state behind its edge (of a system its bins are asked there, too: then one step of
 * the model does, and `bins` are ignored). True when it reaches what no piece that was kept has, nor the piece before. */
bool ls_novelty_cycle(ls_novelty *novelty, const void *model, const void *in, const void *out, uint64_t bins);
/* The features of the piece that nothing kept has reached; how many. Valid until the next call. */
size_t ls_novelty_touched(const ls_novelty *novelty, const uint32_t **list);
/* How many features there are. */
uint32_t ls_novelty_features(const ls_novelty *novelty);
/* The piece is kept: its features are not fresh any more. */
void ls_novelty_keep(ls_novelty *novelty);
/* Features reached by what was kept. */
uint64_t ls_novelty_reached(const ls_novelty *novelty);

#endif
