/* SPDX-License-Identifier: Apache-2.0 */
/* Netlists in RTLIL, the text format of Yosys (its manual, "Textual RTLIL representation"), bit by bit: wires, cells and what is
 * connected to what. Processes, memories and parameters are not kept: a mapped netlist has none that matter here. */
#ifndef LS_RTLIL_H
#define LS_RTLIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/base/text.h"

/* A bit is a number: these four, or one of a wire of its module. */
enum { LS_IL_0, LS_IL_1, LS_IL_X, LS_IL_Z, LS_IL_FIRST };

typedef struct ls_il_wire {
    const char *name;      /* without the backslash; of a name that Yosys made up with its "$" */
    uint32_t width, first; /* its bits are first .. first + width - 1, lowest first */
    uint32_t port;         /* from 1; 0: none */
    bool input, output, made_up;
} ls_il_wire;

typedef struct ls_il_pin {
    const char *name;
    uint32_t *bits; /* lowest first */
    uint32_t width;
} ls_il_pin;

typedef struct ls_il_cell {
    const char *type, *name;
    ls_il_pin *pins;
    uint32_t pin_count;
} ls_il_cell;

typedef struct ls_il_module {
    const char *name;
    ls_il_wire *wires;
    size_t wire_count;
    ls_il_cell *cells;
    size_t cell_count;
    uint32_t bit_count; /* all numbers are below */
    uint32_t *same;  /* per bit: of all bits that are connected the one that stands for them, a constant if one is among them */
    uint32_t *table; /* wires by name: see ls_il_find_wire */
    uint32_t table_size;
} ls_il_module;

/* All memory belongs to the struct; ls_il_free releases it. */
typedef struct ls_il {
    char *text; /* names point into it */
    ls_il_module *modules;
    size_t module_count;
} ls_il;

/* Reads a file. 0; or -1 and "FILE:LINE: what is wrong" to free in *error, with nothing else to free. */
int ls_il_read(const char *path, ls_il *il, char **error);
void ls_il_free(ls_il *il);

/* NULL when there is none of that name. */
const ls_il_module *ls_il_find(const ls_il *il, const char *module);
const ls_il_wire *ls_il_find_wire(const ls_il_module *module, const char *name);
const ls_il_pin *ls_il_find_pin(const ls_il_cell *cell, const char *name);

/* Takes the scopes "genblk1." out of a wire's name that Yosys makes for each "else if" of a generate, and nobody else. Whether
 * there was one. */
bool ls_il_drop_scopes(char *name);

#endif
