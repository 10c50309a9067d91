/* SPDX-License-Identifier: Apache-2.0 */
/* What can be done to an entry, a script that begins with a reset: each makes another entry. Positions are cycles from the one
 * behind the reset on. */
#ifndef LS_MUTATE_H
#define LS_MUTATE_H

#include "harness/base/rng.h"
#include "harness/core/script.h"

/* A reset with knobs of its own, with `skewed` perhaps drawn by choices that are not uniform, and nothing behind it yet. */
void ls_mutate_new(ls_script *to, bool skewed, ls_rng *rng);
/* Appends other knobs, without a reset. */
void ls_mutate_knobs(ls_script *to, ls_rng *rng);
/* `from` up to cycle `at`. */
void ls_mutate_cut(const ls_script *from, uint64_t at, ls_script *to);
/* Appends `cycles` cycles that are drawn anew; with `skewed` perhaps by choices that are not uniform, or that return. */
void ls_mutate_extend(ls_script *to, uint32_t cycles, bool skewed, ls_rng *rng);
/* Appends cycles [a, b) of another entry; with `knobs` also the knobs with which they were drawn there. */
void ls_mutate_splice(ls_script *to, const ls_script *from, uint64_t a, uint64_t b, bool knobs);
/* `from`, but with the cycles [a, b) drawn anew. */
void ls_mutate_redraw(const ls_script *from, uint64_t a, uint64_t b, ls_script *to, ls_rng *rng);

#endif
