/* SPDX-License-Identifier: Apache-2.0 */
/* Fields bound to a DUT's signals, and the flat programs that move and compare them: no field is looked at by name in a cycle. */
#ifndef LS_PLAN_H
#define LS_PLAN_H

#include <string.h>

#include "harness/core/field.h"
#include "harness/dut/dut.h"

static inline uint64_t ls_load64(const uint8_t *p) {
    uint64_t x;
    memcpy(&x, p, sizeof x);
    return x;
}

/* Compares up to 64 bits: those that `dut_bits` selects of the 8 bytes at `dut`, put where `model_bits` selects, against the
 * 8 bytes at `model`, of which `cover` says what belongs to the fields. One covers all neighbours that fit. */
typedef struct ls_compare_bits {
    const uint8_t *dut;
    size_t model;                  /* offset in the model's struct */
    uint64_t dut_bits, model_bits; /* as many in one as in the other */
    uint64_t cover;                /* model_bits, and what must be 0 above each field */
} ls_compare_bits;

/* Whole bytes: to compare a multiple of 32 of them, to copy any number. */
typedef struct ls_block {
    uint8_t *dut;
    size_t model, bytes;
} ls_block;

/* Writes `count` elements of `bits` bits into a packed vector, or one scalar of `bytes` bytes when count is 0. */
typedef struct ls_drive_bits {
    uint8_t *dut;
    size_t model;
    uint32_t count, bits, size, bytes;
    uint64_t spread; /* of elements of up to 8 bytes: their bits in 8 bytes full of them */
} ls_drive_bits;

/* Writes the records of one vector of `bytes` bytes: `count` members from `first` on, the lowest bits first. */
typedef struct ls_drive_record {
    uint8_t *dut;
    size_t first;
    uint32_t count, bytes;
} ls_drive_record;

typedef struct ls_drive_member {
    size_t model;
    uint32_t bits, size;
} ls_drive_member;

/* A memory too large to be compared whole in every cycle. */
typedef struct ls_sweep {
    const ls_field *field;
    const uint8_t *dut;
    size_t dut_stride, row_bytes;
    const uint8_t *write_enable, *write_row; /* the DUT's write port: 8 bytes each, of which */
    uint64_t enable_bits, row_bits;          /* ... these bits count */
    uint64_t dut_row, model_row;             /* what the port named before the edge, what the model wrote last */
} ls_sweep;

/* Moves up to 57 bits of a mapped field, or whole bytes of it, from the DUT to where they are compared; inputs go back. */
typedef struct ls_move {
    uint8_t *dut, *field;
    uint32_t bytes; /* 0: bits */
    uint8_t dut_shift, field_shift, bits;
    uint64_t flip; /* XORed to them */
} ls_move;

typedef struct ls_moves {
    ls_move *list;
    size_t count;
} ls_moves;

#define LS_SWEEPS_MAX 64u /* a bit each in ls_pair.written */

typedef struct ls_plan {
    ls_compare_bits *bits;
    size_t bits_count;
    ls_block *blocks;
    size_t block_count;
    ls_block *halves; /* elements of 4 bytes in the DUT, of 8 in the model; `bytes` as in the model */
    size_t half_count;
    ls_block run;           /* while the plan is made: bytes that are the same in both, which the next field may continue */
    uint64_t compared_bits; /* per cycle */
    ls_moves moves;         /* of mapped fields, before they are compared */
    uint64_t (*code)(const void *model); /* all of the above as machine code (plan_code.h), or NULL */
    size_t code_bytes;
} ls_plan;

typedef struct ls_bound { /* a field and the signal that carries it */
    const ls_field *field;
    const ls_signal *signal;
    bool swept;
} ls_bound;

typedef struct ls_binding {
    ls_bound *list; /* in the order of the field list */
    size_t count;
    ls_bound *copied; /* with ports_only: memories that the DUT has too, which are not compared and whose power-up contents are
                         copied */
    size_t copied_count;
    ls_plan outputs, state;
    ls_drive_bits *drive_bits;
    size_t drive_bits_count;
    ls_block *drive_blocks;
    size_t drive_block_count;
    ls_drive_record *drive_records;
    size_t drive_record_count;
    ls_drive_member *drive_members;
    size_t drive_member_count;
    ls_sweep *sweeps; /* all memories, in field order, or none (ls_sweeps) */
    size_t sweep_count;
    ls_moves inputs;       /* of mapped inputs, after they were driven: back */
    ls_moves copied_moves; /* of mapped memories among `copied` */
    ls_signal *made; /* what mapped fields are bound to: one for each, or with addr NULL, by their place in the field list */
    size_t made_count;
    const char **mapped_memories; /* signals of the DUT that mapped memories lie in */
    size_t mapped_memory_count;
} ls_binding;

#define LS_SWEEP_BYTES 4096u /* a unit whose memories have more has them compared by touched rows and a rolling sweep */

/* Whether the memories are swept. MUST: one alone has more than LS_SWEEP_BYTES. MAY: all together, and the unit says which rows it
 * writes; if the DUT shows a write port of each. */
typedef enum ls_sweeping { LS_SWEEP_NOT, LS_SWEEP_MAY, LS_SWEEP_MUST } ls_sweeping;
ls_sweeping ls_sweeps(const ls_fields *fields);

/* Binds every field to a signal. 0, or -1 and a message in `error` that names the field, what was expected and what is there. */
int ls_bind(ls_binding *binding, const ls_fields *fields, const ls_signal *signals, size_t signal_count, bool ports_only,
            char *error, size_t size);
void ls_binding_free(ls_binding *binding);

/* The port's name in the RTL: "req_i", "grant_o"; registers as they are. Returns `text`. */
const char *ls_rtl_name(const ls_field *field, char *text, size_t size);
/* The same of one element: "mem_q[17]"; "mask_q" when there is but one. */
const char *ls_element_name(const ls_field *field, uint32_t index, char *text, size_t size);

/* The port that names the row which a memory writes, or with `enable` the one that says that it does, with the memory's scope if
 * `scoped`: "u_bank.waddr_i"; to be freed. */
char *ls_write_port(const ls_field *field, bool enable, bool scoped);

/* Copies all inputs from the model's input struct to the DUT's ports. */
void ls_drive(const ls_binding *binding, const void *in);

/* (moves.c) What a mapped field is bound to, number `i` of the list: an array of its elements, which its pieces are moved to and
 * from. NULL and a message: the DUT has no such signal. */
const ls_signal *ls_moves_plan(ls_binding *binding, const ls_field *f, size_t i, bool ports_only, const ls_signal *signals,
                               size_t count, char *error, size_t size);
/* Bits of a mapped field that are constants of the map, into its elements: nothing moves them. */
void ls_put_constants(const ls_field *f, uint8_t *made);
/* Moves mapped fields from the DUT, and to it. */
void ls_gather(const ls_moves *moves);
void ls_scatter(const ls_moves *moves);

/* 0 when DUT and `model` (rf_x_out for outputs, rf_x for state) agree in every bit of the plan; the first walks through it as it
 * is. */
uint64_t ls_differs_interpreted(const ls_plan *plan, const void *model);
static inline uint64_t ls_differs(const ls_plan *plan, const void *model) {
    if (plan->moves.count > 0) ls_gather(&plan->moves);
    return plan->code != NULL ? plan->code(model) : plan->compared_bits == 0 ? 0 : ls_differs_interpreted(plan, model);
}

/* By how many bytes, a multiple of `step` below 64, the struct at `model` should be moved so that long blocks lie in both sides'
 * cache lines at the same place: to compare vectors that lie across lines takes twice as long. 0 when little would be gained, and
 * for `step` 0. */
size_t ls_plan_shift(const ls_plan *plan, const void *model, size_t step);

/* Bit `index` .. of one element as 32-bit words, low word first: from the model or from the DUT. `words` must hold 32. */
void ls_model_element(const ls_field *field, const void *model, uint32_t index, uint32_t *words);
void ls_dut_element(const ls_bound *bound, uint32_t index, uint32_t *words);
/* Writes one element of the DUT's register or memory; of a mapped field where ls_scatter takes it from. */
void ls_dut_store(const ls_bound *bound, uint32_t index, const uint32_t *words);
/* The first element with a bit beyond the field's width, or -1. Not of records: of their parts. */
int ls_model_unfit(const ls_field *field, const void *model);
/* Writes one element of the model's struct. */
void ls_model_store(const ls_field *field, void *model, uint32_t index, const uint32_t *words);

/* Clears the bits of an element that the DUT does not have. */
void ls_seen_element(const ls_field *field, uint32_t index, uint32_t *words);

/* The first element of the field in which both differ, or -1. */
int64_t ls_first_difference(const ls_bound *bound, const void *model);

/* Reads the DUT's write ports: dut_row of each memory, and a bit for each that is enabled. */
uint64_t ls_written(ls_sweep *sweeps, size_t count);

/* 0 when row `row` of the memory agrees. */
int ls_row_differs(const ls_sweep *sweep, const void *model, uint64_t row);

/* Copies a memory's power-up contents from the DUT into the model: the one flow in that direction. */
void ls_copy_memory(const ls_bound *bound, void *model);

#endif
