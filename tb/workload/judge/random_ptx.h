/* SPDX-License-Identifier: Apache-2.0 */
/* Random PTX kernels that are valid, end, and have no races: two right machines must agree on every bit they leave in memory.
 * Each seed leaves out features at random, so that rare ones meet each other (Groce et al., "Swarm testing", ISSTA 2012).
 *
 * Every thread writes only its own slots of the output, reads others' shared words only between barriers, and ends by storing a
 * hash of all its registers. A NaN never becomes bits before it was made the one NaN; a result of an atomic on a shared cell is
 * never read. */
#ifndef RANDOM_PTX_H
#define RANDOM_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RANDOM_PTX_IN_BYTES 4096u   /* read only */
#define RANDOM_PTX_OUT_BYTES 256u   /* a thread's */
#define RANDOM_PTX_ATOM_BYTES 1024u /* of atomics alone */
#define RANDOM_PTX_PARAM_MAX 256u

typedef struct random_ptx {
    char *text;
    size_t size;
    uint32_t grid[3], block[3], threads; /* threads: of the grid */
    uint8_t param[RANDOM_PTX_PARAM_MAX];
    uint32_t param_bytes;
    uint32_t out_at, in_at, atom_at; /* where in `param` the three buffers' addresses go */
    uint64_t features;               /* bit F: used feature (random_ptx.c lists them) */
} random_ptx;

/* A kernel "k" of a seed; free with random_ptx_free. */
void random_ptx_make(random_ptx *kernel, uint64_t seed);
void random_ptx_free(random_ptx *kernel);

/* What the input buffer holds: RANDOM_PTX_IN_BYTES bytes of a seed. */
void random_ptx_input(uint64_t seed, uint8_t *bytes);

/* Name of a feature, or NULL behind the last. */
const char *random_ptx_feature(uint32_t feature);

#endif
