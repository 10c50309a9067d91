/* SPDX-License-Identifier: Apache-2.0 */
/* Scripts: a unit's stimulus written down as the choices that its bench makes, not as inputs. A bench draws from ls_rng; while a
 * script is played each cycle has a stream of its own, so that cycles can be redrawn, repeated and put together with those of
 * other scripts, and whatever comes out is stimulus that the bench could have made: legal where the bench's is. */
#ifndef LS_SCRIPT_H
#define LS_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ls_span_kind {
    LS_SPAN_RESET, /* a reset; then a new stimulus, whose knobs follow from the seed */
    LS_SPAN_KNOBS, /* a new stimulus without a reset: not of systems, nor of units with properties */
    LS_SPAN_EPOCH, /* a reset and `cycles` cycles as a run has them, searched for coincidences when `first` is 1 (source.h) */
    LS_SPAN_DRAW   /* `cycles` cycles, the choices of which are those of cycles `first` .. of the seed */
} ls_span_kind;

typedef struct ls_span {
    ls_span_kind kind;
    uint32_t first, cycles;
    uint32_t period;        /* not 0: the choices of cycle `first` + n are those of `first` + n mod period */
    uint8_t extreme, again; /* how choices or knobs are drawn (ls_rng_choices) */
    uint64_t seed;
} ls_span;

typedef struct ls_script {
    ls_span *list;
    size_t count, room;
} ls_script;

/* Who goes on with a script while it is played, by what it makes the model do. */
typedef struct ls_author {
    void *ctx;
    bool (*more)(void *ctx, ls_script *script); /* appends spans, with at least one cycle; false: that is all */
    /* Called in each cycle of the script but those of a reset, behind its edge, with its ports and bins, while `looks` is true. */
    void (*saw)(void *ctx, const void *model, const void *in, const void *out, uint64_t bins);
    bool looks;
} ls_author;

void ls_script_add(ls_script *script, ls_span span);
/* Appends spans [from, to) of another. */
void ls_script_append(ls_script *script, const ls_script *other, size_t from, size_t to);
/* Cycles of the spans [from, to), without those of resets. */
uint64_t ls_script_cycles(const ls_script *script, size_t from, size_t to);
void ls_script_free(ls_script *script);

#endif
