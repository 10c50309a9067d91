/* SPDX-License-Identifier: Apache-2.0 */
/* A mapped netlist bound to its cell library: what drives what, the load of each net, and to whom each cell belongs. */
#ifndef LS_MAPPED_H
#define LS_MAPPED_H

#include "harness/base/liberty.h"
#include "harness/base/rtlil.h"
#include "harness/base/text.h"
#include "harness/synth/synth_sram.h"

#define LS_MAPPED_NONE UINT32_MAX
#define LS_MAPPED_INPUTS "inputs" /* to whom the nets count that nothing here drives */

typedef struct ls_mapped_pin {
    const ls_liberty_pin *pin; /* NULL: of a macro */
    uint32_t net;
    bool output;
} ls_mapped_pin;

typedef struct ls_mapped_cell {
    const ls_il_cell *cell;
    const ls_liberty_cell *type; /* NULL: a macro */
    const ls_sram_figure *macro; /* what an access of it costs; NULL: it is none */
    uint32_t first, count;       /* its pins, in ls_mapped.pins */
    uint32_t owner;
    bool clock; /* it passes the clock on */
} ls_mapped_cell;

typedef struct ls_mapped_net {
    uint32_t driver; /* a cell, or LS_MAPPED_NONE: an input, a constant, or nothing */
    double load;     /* farads: the input pins on it; no wires, and nothing beyond the unit's outputs */
    bool clock;
    uint32_t bit; /* of the module: the one that stands for it */
} ls_mapped_net;

/* A netlist bound to its library. All memory belongs to the struct; ls_mapped_close releases it. */
typedef struct ls_mapped {
    char *path; /* of the netlist */
    ls_il netlist;
    ls_liberty liberty;
    const ls_il_module *top;
    ls_sram_table macros;
    ls_mapped_cell *cells;
    ls_mapped_pin *pins;
    ls_mapped_net *nets; /* 0 and 1 are the constants */
    uint32_t cell_count, pin_count, net_count, flop_count;
    uint32_t *net_of; /* by bit of the module, LS_MAPPED_NONE: on no cell and no port */
    uint32_t *order;  /* combinational cells, drivers first */
    uint32_t order_count;
    ls_args owners; /* registers, instances and ports that cells are counted to; the last is LS_MAPPED_INPUTS */
} ls_mapped;

/* Reads netlist (gates.il, module `top`), library and the macros' table (NULL: none). 0; or -1 and a text to free in *error: a
 * file that cannot be read, a cell that is neither in the library nor in the table, a latch, a flip-flop of another edge, a gated
 * clock, a loop of gates, a cell without a function. */
int ls_mapped_open(ls_mapped *design, const char *gates, const char *top, const char *library, const char *macros, char **error);
void ls_mapped_close(ls_mapped *design);

/* The names of all nets, by net, of the RTL where they have one, with their bit; free() each and the list. */
char **ls_mapped_net_names(const ls_mapped *design);
/* The name of a net: of the RTL where it has one, with its bit; free() it. */
char *ls_mapped_net_name(const ls_mapped *design, uint32_t net);

#endif
