/* SPDX-License-Identifier: Apache-2.0 */
/* The SIMT machine's state: device memory, a launch, its block, its warps. Internal to rf_simt*.c. */
#ifndef RF_SIMT_MACHINE_H
#define RF_SIMT_MACHINE_H

#include "cmodel/workload/rf_simt.h"
#include "cmodel/workload/rf_simt_lanes.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_BLOCK_THREADS 1024u
#define RF_BLOCK_WARPS (RF_BLOCK_THREADS / RF_LANES)
#define RF_BARRIERS 16u
#define RF_SHARED_MAX (227u * 1024u) /* bytes a block: compute capability 9.0 */
#define RF_LOCAL_MAX (512u * 1024u)  /* bytes a thread: every compute capability */
#define RF_PARAM_MAX 32764u          /* bytes: CUDA 12.1, sm_70 and up */
#define RF_STREAM_REGS 255u          /* word registers that an rf_inst can name */

/* Bytes of device memory: an allocation or a variable of the module. */
typedef struct rf_simt_region {
    uint64_t address, size;
    uint8_t *bytes;
    bool read_only; /* for kernels */
} rf_simt_region;

struct rf_simt {
    const rf_module *module;
    rf_simt_region *region;                    /* by rising address, never overlapping */
    uint32_t count, capacity, last;            /* `last`: where the last access was */
    uint64_t next;                             /* address of the next allocation */
    uint64_t shared_window, local_window, end; /* generic addresses: end is behind the local window */
    uint64_t launches;
};

typedef enum rf_simt_kind {
    RF_STEP_NOTHING,
    RF_STEP_LANES,
    RF_STEP_MEMORY,
    RF_STEP_BRANCH,
    RF_STEP_EXIT,
    RF_STEP_BARRIER,
    RF_STEP_TRAP
} rf_simt_kind;

#define RF_STEP_CONSTANT UINT32_C(0x80000000) /* in rf_simt_step.row: of the constants, not of the warp */

/* An instruction, decoded once a launch. */
typedef struct rf_simt_step {
    const rf_kinst *inst;
    rf_simt_fn *run;
    uint8_t kind; /* rf_simt_kind */
    uint8_t nsrc, nsrc_pred, nword, ndst_pred;
    bool clock;                    /* reads a special register that changes while the warp runs */
    int rounding;                  /* of fesetround */
    uint32_t guard, guard_flip;    /* the guard's predicate, or RF_KNONE; all ones: negated */
    uint32_t row[2 * RF_KSRC_MAX]; /* of each source's low and high words: place of lane 0 */
    struct {
        uint32_t place;
        uint8_t out;
    } word[2 * RF_KDST_MAX]; /* registers written: place of lane 0, row of out */
    struct {
        uint32_t reg, flip;
        uint8_t source;
        bool constant;
    } src_pred[RF_KSRC_MAX]; /* value ^ flip; constant: flip */
    struct {
        uint32_t reg;
        uint8_t out;
    } dst_pred[RF_KDST_MAX];
    uint32_t target, join; /* of a branch: instructions; join: where both ways meet, or RF_KNONE */
    uint32_t bytes;        /* of memory: a lane moves */
    rf_inst record;        /* what every execution says of it */
} rf_simt_step;

/* Lanes that share a way: until the instruction `join`, where those below in the stack wait for them. */
typedef struct rf_simt_way {
    uint32_t pc, mask, join;
} rf_simt_way;

/* A divergent branch leaves at most two entries above its own, each with fewer lanes: 2 * 32 - 1 are enough. */
#define RF_SIMT_WAYS 64u

typedef enum rf_simt_state { RF_WARP_READY, RF_WARP_WAITS, RF_WARP_DONE } rf_simt_state;

typedef struct rf_simt_warp {
    uint32_t number; /* in its block */
    rf_simt_state state;
    uint32_t *row; /* registers, then the special registers that the kernel reads */
    uint32_t *pred;
    uint8_t *local; /* lane after lane */
    uint32_t carry;
    uint64_t executed;
    const rf_kinst *waits_at;
    uint32_t barrier, threads; /* which barrier it waits at; how many threads that needs, or 0: all */
    uint32_t depth;
    rf_simt_way way[RF_SIMT_WAYS];
    rf_warp stream;
} rf_simt_warp;

typedef struct rf_simt_grid {
    rf_simt *simt;
    const rf_kernel *kernel;
    const rf_simt_launch *launch;
    rf_simt_warp_fn *sink;
    void *ctx;
    rf_simt_counts counts;
    uint64_t limit;
    char *error;
    size_t error_size;

    rf_simt_step *step;
    uint32_t *constant; /* rows; the first is zero */
    size_t constants;
    uint32_t special_row[RF_SR_COUNT]; /* place in a warp's rows of the low words, high ones behind; RF_KNONE: not read */
    uint32_t rows;                     /* of a warp */

    uint32_t block[3], threads, warps;
    uint8_t *param, *shared, *local;
    uint32_t shared_bytes, local_bytes;
    uint32_t *registers, *predicates; /* of all warps */
    rf_simt_warp *warp;
    uint32_t waiting;   /* warps at barriers */
    uint32_t delivered; /* warps of the block whose streams were handed out */
    rf_warp spare[RF_BLOCK_WARPS];
    uint32_t spares;

    uint64_t address[RF_LANES]; /* of the memory instruction at hand; 0 where inactive */
    rf_simt_lanes lanes;
} rf_simt_grid;

/* Writes "kernel K, line L: OPCODE: block (x,y,z), thread (x,y,z): ..."; for lane RF_KNONE "warp w" instead of the thread. -1. */
__attribute__((format(printf, 5, 6))) int rf_simt_fail(const rf_simt_grid *g, const rf_simt_warp *w, const rf_kinst *inst,
                                                       uint32_t lane, const char *format, ...);

/* Decodes and checks every instruction: 0, or -1 and the message. rf_simt_undecode frees. */
int rf_simt_decode(rf_simt_grid *g);
void rf_simt_undecode(rf_simt_grid *g);

/* Memory of a block's warps: 0, or -1 and the message; rf_simt_close frees, also after a failure. */
int rf_simt_open(rf_simt_grid *g);
void rf_simt_close(rf_simt_grid *g);
/* Runs the block g->block to its end: 0, 1: the sink stopped it, or -1 and the message. */
int rf_simt_block(rf_simt_grid *g);

/* Runs a warp until it waits or is done: 0, or -1 and the message. */
int rf_simt_warp_run(rf_simt_grid *g, rf_simt_warp *w);

/* The rows of the special registers that a kernel reads: those that stay while a warp runs, and those that do not. */
void rf_simt_specials(const rf_simt_grid *g, rf_simt_warp *w);
void rf_simt_clocks(const rf_simt_grid *g, rf_simt_warp *w);

/* LD, ST, ATOM, RED for the lanes of g->lanes.mask: 0, or -1 and the message. */
int rf_simt_memory(rf_simt_grid *g, rf_simt_warp *w, const rf_simt_step *step);
/* One lane's atomic operation on `bytes`: `a` and `b` are its operands; what was there before. `flush`: subnormal f32 are zeros.
 */
uint64_t rf_simt_atomic(const rf_kinst *inst, uint8_t *bytes, uint64_t a, uint64_t b, bool flush);
/* Whether there is such an atomic operation. */
bool rf_simt_atomic_known(const rf_kinst *inst);

/* The instruction's record into the warp's stream: 0, or -1: no memory. */
int rf_simt_record(const rf_simt_grid *g, rf_simt_warp *w, const rf_simt_step *step, uint32_t mask);

#ifdef __cplusplus
}
#endif
#endif
