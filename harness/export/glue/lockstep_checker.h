/* SPDX-License-Identifier: Apache-2.0 */
/* A C model beside a DUT in any simulator: what `lockstep export` copies beside the models. The simulator's side (a checker in
 * SystemVerilog through DPI, or lockstep_vpi.c) brings the values; what differs becomes lines of text.
 *
 * One clock cycle:
 *   inputs, outputs                      as they are just before the rising edge
 *   lockstep_edge                        model's outputs compared; the model's edge
 *   registers, rows of memories          as they are after it
 *   lockstep_settled                     registers compared */
#ifndef LOCKSTEP_CHECKER_H
#define LOCKSTEP_CHECKER_H

#include <stddef.h>
#include <stdint.h>

/* 32 four-state bits, as svLogicVecVal and s_vpi_vecval: 0 is 00, 1 is 10, Z is 01, X is 11. */
typedef struct lockstep_bits {
    uint32_t value, unknown;
} lockstep_bits;

enum { LOCKSTEP_IN, LOCKSTEP_OUT, LOCKSTEP_REGISTER, LOCKSTEP_MEMORY };

/* A port, register or memory, or one member of those that are packed structs. It lies in the words that the simulator brings, and
 * in the model's structs. */
typedef struct lockstep_field {
    const char *name;            /* as in the RTL, below the unit; of one in pieces the model's */
    int kind;                    /* one of the above */
    uint32_t word, at;           /* which word of its kind, and its lowest bit there; of a memory its number, and 0 */
    size_t offset;               /* in the struct of inputs, of outputs, or of the model */
    uint32_t count, bits, bytes; /* elements (of a member: in each record); bits of one; bytes of one in C */
    uint32_t records;            /* of a member: of how many records; else 1, and the next three are 0 */
    uint32_t record_bits, record_bytes, low;
} lockstep_field;

/* A unit at its parameters. */
typedef struct lockstep_unit {
    const char *name, *params;
    const void *cfg;
    size_t model_size, in_size, out_size;
    int (*init)(void *model, const void *cfg); /* 0, or the configuration is refused */
    void (*reset)(void *model);
    void (*comb)(const void *model, const void *in, void *out);
    void (*clock)(void *model, const void *in);
    const lockstep_field *fields;
    uint32_t field_count;
    uint32_t words[3], bits[3]; /* of each kind but memories: how many words, and bits of each */
    uint32_t memories;
    int clocked;    /* it has a clock and a reset */
    int ports_only; /* memories are there for their first contents alone */
    int swept;      /* memories are large: of each only the rows that are written and one more are compared in a cycle */
} lockstep_unit;

typedef struct lockstep lockstep;

#define LOCKSTEP_INSTANCE "u_lockstep" /* the checker's, in SystemVerilog */

/* A new model for the instance at `path`, which may be that of something in its checker. NULL: no memory is left. */
lockstep *lockstep_open(const lockstep_unit *unit, const char *path);

/* Bits that are X or Z in the DUT are compared too, and differ, unless `pass` is 1. */
void lockstep_pass_unknown(lockstep *l, int pass);

/* A word of inputs, outputs or registers. */
void lockstep_put(lockstep *l, int kind, uint32_t word, const lockstep_bits *bits);

/* Whether the first contents of memories are wanted, before this edge: once, before the first edge without reset. */
int lockstep_wants_memories(const lockstep *l, int in_reset);
/* A memory's row: its first contents, or after an edge a row to be compared. */
void lockstep_put_row(lockstep *l, uint32_t memory, uint32_t row, const lockstep_bits *bits);

/* The rising edge. Nothing happens before the first one in reset. Returns how many fields differ. */
uint32_t lockstep_edge(lockstep *l, int in_reset, uint64_t time);

/* After it: how many rows of a memory to put, and which the i-th is. With `all`: all of them. */
uint32_t lockstep_rows(const lockstep *l, uint32_t memory, int all);
uint32_t lockstep_row(const lockstep *l, uint32_t memory, uint32_t i, int all);

/* After it, registers and rows are put. `reset_began`: in the same step of time the reset began, so that registers may have
 * either value. Returns how many fields differ. */
uint32_t lockstep_settled(lockstep *l, int reset_began);

/* The next line of text, "" when there is none. It stays until the next call. */
const char *lockstep_line(lockstep *l);

/* The end: adds a line on what was compared. Returns 0 when something was, and nothing differed. */
int lockstep_end(lockstep *l);
void lockstep_close(lockstep *l);

/* ---- what a VPI module looks for ---- */

/* Bits that are no whole field of the RTL. */
typedef struct lockstep_piece {
    int kind;
    uint32_t word, at, bits; /* where they go: as in lockstep_field; of a memory `at` counts through its rows */
    const char *signal;      /* below the unit; NULL: a constant */
    int index;               /* of an array's element; -1: it is no array */
    uint32_t low;            /* the lowest of them there */
    uint64_t value;          /* of a constant */
    int invert;              /* they are the inverse */
} lockstep_piece;

typedef struct lockstep_rtl {
    const char *module, *params; /* "N=8": of the module */
    const char *clock, *reset;
    int falling, high; /* the clock's edge, and the level with which it resets */
    const lockstep_piece *pieces;
    uint32_t piece_count;
} lockstep_rtl;

/* The functions that the checker of unit `u` imports. */
#define LOCKSTEP_DPI(u, unit)                                                                                                    \
    void *u##_lockstep_open(const char *path, int pass_unknown) {                                                                \
        lockstep *l = lockstep_open(unit, path);                                                                                 \
        if (l != NULL) lockstep_pass_unknown(l, pass_unknown);                                                                   \
        return l;                                                                                                                \
    }                                                                                                                            \
    void u##_lockstep_inputs(void *l, int word, const lockstep_bits *bits) {                                                     \
        lockstep_put(l, LOCKSTEP_IN, (uint32_t)word, bits);                                                                      \
    }                                                                                                                            \
    void u##_lockstep_outputs(void *l, int word, const lockstep_bits *bits) {                                                    \
        lockstep_put(l, LOCKSTEP_OUT, (uint32_t)word, bits);                                                                     \
    }                                                                                                                            \
    void u##_lockstep_registers(void *l, int word, const lockstep_bits *bits) {                                                  \
        lockstep_put(l, LOCKSTEP_REGISTER, (uint32_t)word, bits);                                                                \
    }                                                                                                                            \
    int u##_lockstep_wants_memories(void *l, int in_reset) { return lockstep_wants_memories(l, in_reset); }                      \
    void u##_lockstep_put_row(void *l, int memory, int row, const lockstep_bits *bits) {                                         \
        lockstep_put_row(l, (uint32_t)memory, (uint32_t)row, bits);                                                              \
    }                                                                                                                            \
    int u##_lockstep_edge(void *l, int in_reset, int64_t time) { return (int)lockstep_edge(l, in_reset, (uint64_t)time); }       \
    int u##_lockstep_rows(void *l, int memory, int all) { return (int)lockstep_rows(l, (uint32_t)memory, all); }                 \
    int u##_lockstep_row(void *l, int memory, int i, int all) {                                                                  \
        return (int)lockstep_row(l, (uint32_t)memory, (uint32_t)i, all);                                                         \
    }                                                                                                                            \
    int u##_lockstep_settled(void *l, int reset_began) { return (int)lockstep_settled(l, reset_began); }                         \
    const char *u##_lockstep_line(void *l) { return lockstep_line(l); }                                                          \
    int u##_lockstep_end(void *l) { return lockstep_end(l); }                                                                    \
    void u##_lockstep_close(void *l) { lockstep_close(l); }

#endif
