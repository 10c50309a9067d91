/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of the generator of random PTX: its state, and the steps that its files share. */
#ifndef RANDOM_PTX_INSIDE_H
#define RANDOM_PTX_INSIDE_H

#include "harness/base/rng.h"
#include "tb/workload/judge/random_ptx.h"

/* clang-format off */
#define RANDOM_FEATURES(X)                                                                                                       \
    X(IF)                                                                                                                        \
    X(LOOP) X(BREAK) X(JUMP) X(SWITCH) X(EXIT) X(GUARD) X(W16) X(W64) X(F32) X(F64) X(FTZ) X(ROUND) X(BITS) X(DIV) X(SHARED)     \
        X(LOCAL) X(ATOM) X(TABLE) X(VECTOR) X(WARP) X(GENERIC) X(CARRY) X(PACK) X(SCOPE) X(APPROX) X(UNIFORM) X(CVT) X(SELECT)   \
            X(BYTE) X(PRESSURE) X(SAT) X(LATE)
/* clang-format on */
#define RANDOM_ENUM(name) F_##name,
typedef enum random_feature { RANDOM_FEATURES(RANDOM_ENUM) F_COUNT } random_feature;

/* The files of registers: %h, %r, %d, %f, %g, %p. */
typedef enum random_file { R16, R32, R64, FL, DB, PR, FILES } random_file;

#define RANDOM_ATOM_CELLS 8u /* of each kind of atomic */

typedef struct random_gen {
    ls_rng rng;
    uint64_t features;
    char *text; /* of the body */
    size_t size, room;
    uint32_t pool[FILES], used[FILES]; /* variables that live from start to end; registers named so far */
    uint32_t labels, target[64], targets;
    uint32_t depth, loop_depth;
    bool convergent; /* all threads of the block are here together */
    bool together;   /* inside a loop that all threads go through together: nobody may end here */
    bool ended;      /* some thread may have ended already */
    uint32_t threads;
    bool sync; /* shfl.sync and the like, or those of older machines */
    bool whole_warps;
} random_gen;

static inline bool has(const random_gen *g, random_feature f) { return (g->features >> f & 1) != 0; }
static inline uint32_t below(random_gen *g, uint32_t n) { return ls_rng_below(&g->rng, n); }
static inline bool chance(random_gen *g, uint32_t p) { return ls_rng_chance(&g->rng, p); }

/* A line as it is. */
void random_line(random_gen *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Instructions from a template, separated by ';', filled in from left to right: '~' and a letter is a register, a number or a
 * modifier (random_ptx_text.c lists them), <a|b|c> one of several texts. An instruction may get a guard unless it starts with
 * '!'. */
void random_emit(random_gen *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A register that no one has used yet: its number. */
uint32_t random_temp(random_gen *g, random_file file);

/* A predicate that depends on data, its number: fresh, or a variable. */
uint32_t random_predicate(random_gen *g);

/* One instruction or a few that compute something into variables of the pool. */
void random_compute(random_gen *g);

/* One access to memory, with its address. */
void random_memory(random_gen *g);

#endif
