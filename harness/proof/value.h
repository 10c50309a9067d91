/* SPDX-License-Identifier: Apache-2.0 */
/* Values of a symbolic execution: numbers, or a literal of an and-inverter graph for each bit. */
#ifndef LS_VALUE_H
#define LS_VALUE_H

#include "harness/netlist/aig.h"
#include "harness/proof/ir.h"

typedef enum ls_form {
    LS_CONSTANT, /* `number`, at most 64 bits */
    LS_LITERALS, /* `bit` */
    LS_ADDRESS,  /* `number`, plus each index times its scale: `bit` is made when somebody asks */
    LS_CHOICE    /* an address: `then` when the literal `number` is true, `otherwise` when not */
} ls_form;

typedef struct ls_value ls_value;

typedef struct ls_term {
    const ls_value *index; /* 64 bits */
    int64_t scale;
} ls_term;

struct ls_value {
    ls_form form;
    uint32_t bits;
    uint64_t number;
    uint32_t *bit;         /* literals, lowest first; NULL: not made yet */
    const uint32_t *undef; /* literals: the bit has no value when it is true; NULL: all have one, always */
    const ls_term *term;
    uint32_t terms;
    const ls_value *then, *otherwise;
    const ls_value *whole; /* what it was before ls_limit; NULL: it is that */
};

/* What all values of an execution share. Values live until ls_values_free. */
typedef struct ls_values {
    ls_aig_maker *maker;
    struct ls_value_room *room;
    size_t used, rooms; /* of the last one; and how many, of a megabyte each */
} ls_values;

void ls_values_free(ls_values *v);

const ls_value *ls_constant(ls_values *v, uint32_t bits, uint64_t number);
/* Takes a copy of the literals; a constant when they are. `undef` may be NULL. */
const ls_value *ls_literals(ls_values *v, uint32_t bits, const uint32_t *bit, const uint32_t *undef);
const ls_value *ls_undefined(ls_values *v, uint32_t bits);
/* The value where it is known to be below `limit`: bits that only a larger number has are 0. */
const ls_value *ls_limit(ls_values *v, const ls_value *value, uint64_t limit);
/* `base` plus an offset and terms. */
const ls_value *ls_address(ls_values *v, const ls_value *base, int64_t offset, const ls_term *term, uint32_t terms);

/* Its literals; `bits` of them. */
const uint32_t *ls_bits(ls_values *v, const ls_value *value);
/* The literal: some bit of it has no value. */
uint32_t ls_undef(ls_values *v, const ls_value *value);

/* `c` ? a : b, of the same width. */
const ls_value *ls_choose(ls_values *v, uint32_t c, const ls_value *a, const ls_value *b, bool pointer);
/* Instructions without memory or control: the operands' values to the result's. */
const ls_value *ls_operate(ls_values *v, const ls_ir_inst *inst, const ls_value *const *operand);

/* One of them is true. */
uint32_t ls_any(ls_aig_maker *m, const uint32_t *bit, uint32_t count);
/* a + b + carry, or with `invert` 1 a + ~b + carry; `sum` may be one of them. Returns the carry out of the top. */
uint32_t ls_add(ls_aig_maker *m, const uint32_t *a, const uint32_t *b, uint32_t invert, uint32_t carry, uint32_t bits,
                uint32_t *sum);
/* a < b, of unsigned numbers. */
uint32_t ls_below(ls_aig_maker *m, const uint32_t *a, const uint32_t *b, uint32_t bits);

#endif
