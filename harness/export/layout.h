/* SPDX-License-Identifier: Apache-2.0 */
/* Where each field is in what an export moves: vectors of inputs, of outputs and of registers, a few words each. A field begins
 * at a hexadecimal digit and lies in one word, element i at [i*bits +: bits] from there. Rows of memories are moved by
 * themselves. */
#ifndef LS_LAYOUT_H
#define LS_LAYOUT_H

#include "harness/base/text.h"
#include "harness/export/export.h"

#define LS_WORD_BITS 32768u /* of a word with several fields: half of what every simulator must take (IEEE 1800-2017, 7.4.1) */
#define LS_RESET_BITS 4u    /* of the first word of inputs: rst_ni */

typedef struct ls_spot {
    const ls_field *field;
    uint32_t word; /* of its kind; of a memory its number */
    size_t at;
    bool array;    /* the RTL has it as an unpacked array, from index 0 on */
    bool apart;    /* each of its elements is an expression (ls_export_element): of several signals, inverted, of another array */
    bool compared; /* outputs, registers and memories; with ports_only a memory is there for its first contents alone */
} ls_spot;

typedef struct ls_layout {
    void *model; /* the unit's, after init: until ls_layout_free */
    ls_fields fields;
    ls_spot *list; /* what is compared or driven, in the order of the field list */
    size_t count;
    uint32_t words[3]; /* of LS_IN, LS_OUT, LS_STATE; 0: there are no such fields */
    size_t bits[3];    /* of each of these words */
    uint32_t memories;
    bool clocked; /* it has a clock and a reset, which the RTL calls: */
    const char *clock, *reset;
    ls_args params, values; /* of the top module */
    bool swept;             /* a memory is too large to be compared whole in every cycle (plan.h) */
    uint64_t compared;      /* bits of outputs and registers */
} ls_layout;

/* NULL, or an error to be freed: a port is an array, a parameter is fixed at another value. */
char *ls_layout_make(const ls_export *e, ls_layout *layout);
void ls_layout_free(ls_layout *layout);

/* Puts blanks before the lines of SystemVerilog: two for each module, task, function, case and begin that a line is in. */
void ls_export_indent(ls_text *text);

/* A folder's file, whole or not at all; takes the text. NULL, or an error to be freed. */
char *ls_export_file(const ls_export *e, const char *name, ls_text *text);

/* "N=8 LANES=4", all of them; "" when the unit has none. To be freed. */
char *ls_export_params(const ls_export *e);

/* One element of a field as an expression over the RTL's signals; `scope` stands before each name: "dut.". With `row`, a
 * variable, it stands for the index of elements of that number. To be freed. */
char *ls_export_element(const ls_export *e, const ls_field *field, uint32_t element, const char *scope, const char *row);

/* Whether one index from 0 on names each element of an array of the RTL. */
bool ls_export_plain(const ls_export *e, const char *name);

/* An element of a signal of the RTL: "u_low.cell_q[7]", or with the variable in place of the number. To be freed. */
char *ls_export_signal(const ls_export *e, const char *name, uint32_t element, const char *row);

/* The RTL's port or register, of one that is apart the model's name; a member's own name behind it, if any: "rn_q", "rn_q.dst".
 * To be freed. */
char *ls_export_name(const ls_field *field, const ls_member *member);

/* "input port", "register", ... */
const char *ls_export_kind(ls_kind kind);

#endif
