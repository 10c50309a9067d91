/* SPDX-License-Identifier: Apache-2.0 */
/* What the cells of a design of words (Yosys' manual, "Internal cell library") make of their inputs, as literals. */
#ifndef LS_CELLS_H
#define LS_CELLS_H

#include "harness/netlist/aig.h"

/* A cell's inputs and the width of its output Y; literals, lowest first. */
typedef struct ls_cell {
    const char *type;
    const uint32_t *a, *b, *s;
    uint32_t a_bits, b_bits, bits;
    bool a_signed, b_signed;
} ls_cell;

/* Whether there is such a type; bit i of *bitwise ones depends on bits i of the inputs alone, and on S. */
bool ls_cell_known(const char *type, bool *bitwise);

/* Y, `bits` literals. For bitwise types the inputs may be those of one bit. */
void ls_cell_make(ls_aig_maker *maker, const ls_cell *cell, uint32_t *y);

#endif
