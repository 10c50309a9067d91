/* SPDX-License-Identifier: Apache-2.0 */
/* What gates.c, gates_find.c, gates_build.c and gates_verilog.c share; nobody else includes this. */
#ifndef LS_GATES_PARTS_H
#define LS_GATES_PARTS_H

#include "harness/netlist/gates.h"

#define LS_NONE UINT32_MAX

/* A cell of the library, from the module that Yosys makes of it: its gates, and its flip-flop if it has one. */
typedef struct ls_gates_type {
    const ls_il_module *module;
    uint32_t *driver; /* per bit: the inner cell that drives it, or LS_NONE */
    uint32_t *input;  /* per bit: the pin (wire of the module) that it is, or LS_NONE */
    uint32_t flop;    /* the inner cell that is a flip-flop, or LS_NONE */
    bool black;       /* a macro: it has no contents here */
} ls_gates_type;

typedef struct ls_gates_cell {
    const ls_il_cell *cell;
    const ls_gates_type *type;
    uint32_t store, place; /* of a flip-flop: which vector of the Verilog holds it, and where */
} ls_gates_cell;

/* How a flip-flop is clocked and set from outside; nets of the top module. */
typedef struct ls_gates_clock {
    uint32_t clock, reset, set; /* LS_NONE: none */
    bool clock_low, reset_low, set_low;
} ls_gates_clock;

/* A vector of flip-flops with one clocking. */
typedef struct ls_gates_store {
    ls_gates_clock clock;
    uint32_t *cells; /* lowest first */
    uint32_t width;
    uint32_t field; /* whose bits it holds, or LS_NONE */
} ls_gates_store;

typedef struct ls_gates_net { /* by the bit that stands for it */
    uint32_t cell, pin;       /* its driver, or LS_NONE */
    uint32_t port;            /* the wire of an input port that it belongs to, or LS_NONE */
    uint32_t uses;            /* reads in expressions */
    bool named;               /* it is a wire of the Verilog */
} ls_gates_net;

typedef struct ls_gates_work {
    const ls_gates_request *request;
    ls_gates *gates;
    ls_il netlist, liberty;
    const ls_il_module *top;
    ls_gates_type *types;
    size_t type_count;
    ls_gates_cell *cells;
    ls_gates_net *nets;
    ls_gates_store *stores;
    size_t store_count;
    ls_fields fields;   /* as the RTL has them (signals.h) */
    uint32_t **columns; /* per field: the macros that hold it, lowest bits first, or NULL */
    uint32_t *column_count;
    uint32_t *queue; /* nets that are wires */
    size_t queue_count;
    char **scoped; /* names without the scopes that only Yosys makes, sorted by name; each with its wire */
    uint32_t *scoped_wire;
    size_t scoped_count;
    char *error;
} ls_gates_work;

/* Keeps the first error; frees any other. */
void ls_gates_fail(ls_gates_work *work, char *text);

/* The net of a pin that the inner bit is, with "not"s in between; false when it is something else. */
bool ls_gates_outer(const ls_gates_work *work, const ls_gates_cell *cell, uint32_t bit, uint32_t *net, bool *low);

/* Where the bits of a register are in the netlist: per bit, through its elements, a net, a constant, or LS_NONE. */
uint32_t *ls_gates_bits(const ls_gates_work *work, const ls_field *field);

/* The width of a macro's rows: of its output Q; 0 when it has none. */
uint32_t ls_gates_macro_width(const ls_gates_type *type);

/* The inner pin's bit of a cell of the library. */
uint32_t ls_gates_inner(const ls_gates_type *type, uint32_t cell, const char *pin);

/* How the flip-flop of that cell is clocked. False with an error when it cannot be said. */
bool ls_gates_clocking(ls_gates_work *work, const ls_gates_cell *cell, ls_gates_clock *clock);

/* Writes the netlist as Verilog and fills vars and names. */
void ls_gates_verilog(ls_gates_work *work, ls_text *out);

/* Whether a field is an array of the Verilog, not a vector: memories, that the model takes its contents from, and what a map has
 * by its elements. */
static inline bool ls_gates_array(const ls_field *f) { return f->kind == LS_MEMORY || (f->pieces != NULL && f->count > 1); }

#endif
