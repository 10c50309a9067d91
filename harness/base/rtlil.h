/* SPDX-License-Identifier: Apache-2.0 */
/* Designs in RTLIL, the text format of Yosys (its manual, "Textual RTLIL representation"), bit by bit: wires, cells and what is
 * connected to what; memories; processes. */
#ifndef LS_RTLIL_H
#define LS_RTLIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/base/text.h"

/* A bit is a number: these five, or one of a wire of its module. ANY: of a case, whatever the bit is. */
enum { LS_IL_0, LS_IL_1, LS_IL_X, LS_IL_Z, LS_IL_ANY, LS_IL_FIRST };

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

typedef struct ls_il_param {
    const char *name, *text; /* as the file has it */
} ls_il_param;

typedef struct ls_il_cell {
    const char *type, *name;
    ls_il_pin *pins;
    uint32_t pin_count;
    ls_il_param *params;
    uint32_t param_count;
} ls_il_cell;

typedef struct ls_il_memory {
    const char *name;
    uint32_t width, size, offset; /* words offset .. offset + size - 1 */
} ls_il_memory;

/* Processes are trees. A case has assignments, then switches; a later one wins. A switch does the first of its cases that says a
 * value of its signal, or has none. Of all processes of a module the cases, switches and assignments are in the file's order. */
#define LS_IL_NONE UINT32_MAX
typedef struct ls_il_case {
    uint32_t in;           /* the switch; LS_IL_NONE: a process */
    uint32_t place;        /* its number there */
    uint32_t first, count; /* its values: bits from pool[first] on, each as wide as the switch's signal */
} ls_il_case;

typedef struct ls_il_switch {
    uint32_t in;           /* the case */
    uint32_t first, width; /* its signal: pool[first] .. */
    uint32_t cases;
} ls_il_switch;

/* Of one bit. */
typedef struct ls_il_assign {
    uint32_t to, from, in; /* the case */
} ls_il_assign;

/* What a process does at an edge: registers that it updates bit by bit, and writes to memories. Edges of one process have the same
 * number. Updates that wait for nothing are connections. */
typedef struct ls_il_edge {
    uint32_t process, signal;
    bool rising;
} ls_il_edge;

typedef struct ls_il_update {
    uint32_t edge, to, from;
} ls_il_update;

typedef struct ls_il_write {
    uint32_t edge;
    const char *memory;
    uint32_t address, address_width, data, enable, width; /* in the pool */
} ls_il_write;

typedef struct ls_il_module {
    const char *name;
    ls_il_wire *wires;
    size_t wire_count;
    ls_il_cell *cells;
    size_t cell_count;
    ls_il_memory *memories;
    size_t memory_count;
    ls_il_case *cases;
    ls_il_switch *switches;
    ls_il_assign *assigns;
    ls_il_edge *edges;
    ls_il_update *updates;
    ls_il_write *writes;
    size_t case_count, switch_count, assign_count, edge_count, update_count, write_count;
    uint32_t *pool, pool_count, pool_room;
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

/* Reads a file; `processes`: it may have some. 0; or -1 and "FILE:LINE: what is wrong" to free in *error, with nothing else to
 * free. */
int ls_il_read(const char *path, bool processes, ls_il *il, char **error);
void ls_il_free(ls_il *il);

/* NULL when there is none of that name. */
const ls_il_module *ls_il_find(const ls_il *il, const char *module);
const ls_il_wire *ls_il_find_wire(const ls_il_module *module, const char *name);
const ls_il_pin *ls_il_find_pin(const ls_il_cell *cell, const char *name);
const char *ls_il_find_param(const ls_il_cell *cell, const char *name);

/* Takes the scopes "genblk1." out of a wire's name that Yosys makes for each "else if" of a generate, and nobody else. Whether
 * there was one. */
bool ls_il_drop_scopes(char *name);

#endif
