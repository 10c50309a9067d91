/* SPDX-License-Identifier: Apache-2.0 */
/* One Verilated design as a table of C functions: all that the engine ever sees of a DUT (docs/harness.md). */
#ifndef LS_DUT_H
#define LS_DUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LS_DUT_ABI 4u
#define LS_DUT_SYMBOL "ls_dut_table" /* the one symbol a DUT's shared object exports */

typedef enum ls_signal_kind { LS_SIGNAL_IN, LS_SIGNAL_OUT, LS_SIGNAL_REG } ls_signal_kind;

/* A port of the top module or a clocked register. Elements lie `stride` bytes apart, each little-endian, with every bit above
 * `bits` zero; a packed vector has count 1. `name` is as the RTL says it below the top module: "req_i", "u_arbiter.rr_q",
 * "gen_ocu[3].u_ocu.data_q". */
typedef struct ls_signal {
    const char *name;
    void *addr;
    uint32_t bits;
    uint32_t count;
    uint32_t stride;
    ls_signal_kind kind;
} ls_signal;

/* The signal of that name, or NULL. */
static inline const ls_signal *ls_signal_find(const ls_signal *signals, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(signals[i].name, name) == 0) return &signals[i];
    return NULL;
}

/* Bytes from one element to the next: Verilator keeps it in the smallest of 1, 2, 4, 8 or a multiple of 4 bytes. */
static inline uint32_t ls_stride(uint32_t bits) {
    return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : bits <= 64 ? 8 : (bits + 31) / 32 * 4;
}

typedef enum ls_dut_stop { LS_STOP_FINISH, LS_STOP_STOP, LS_STOP_FATAL } ls_dut_stop;

/* Called by the DUT instead of ending the process: $finish, $stop, or $fatal / non-convergence / internal error. `text` says
 * where. Must not return for LS_STOP_FATAL. */
typedef void ls_dut_stop_fn(ls_dut_stop what, const char *text);

#define LS_X_RANDOM 2

typedef struct ls_dut ls_dut;

typedef struct ls_dut_api {
    uint32_t abi;          /* LS_DUT_ABI */
    const char *top;       /* name of the top module */
    const char *verilator; /* version that made it */
    /* A new instance; every register and memory starts with bits drawn from `fill`. Inputs are 0, clock and reset too. NULL: no
     * memory.
     */
    ls_dut *(*open)(uint64_t fill, ls_dut_stop_fn *on_stop);
    void (*close)(ls_dut *dut);
    void (*eval)(ls_dut *dut);
    /* The same when of the inputs the clock alone has changed since the last time: what follows from the others is not computed
     * again. One thread at a time, over all instances. */
    void (*edge)(ls_dut *dut);
    /* Computes anew all that follows from the registers, which the caller has changed. */
    void (*settle)(ls_dut *dut);
    /* All ports but clock and reset, in declaration order, then all registers. Valid until close. */
    size_t (*signals)(ls_dut *dut, const ls_signal **list);
    uint8_t *(*clock)(ls_dut *dut); /* address of the clock's port, NULL for a combinational unit */
    uint8_t *(*reset)(ls_dut *dut); /* address of the reset's port, NULL when there is none */
    /* Waves exist only in a DUT built with tracing (wave_open is NULL otherwise). 0, or -1 when the file cannot be made. */
    int (*wave_open)(ls_dut *dut, const char *path);
    void (*wave_dump)(ls_dut *dut, uint64_t time);
    void (*wave_close)(ls_dut *dut);
    int (*coverage_write)(ls_dut *dut, const char *path); /* NULL unless built with coverage */
    /* What is X in instances that are opened from now on, and a variable that nobody drives: 0 or 1 in every bit, 2 random (at
     * first). */
    void (*x_value)(int value);
} ls_dut_api;

#ifdef __cplusplus
}
#endif
#endif
