/* SPDX-License-Identifier: Apache-2.0 */
/* A unit's gate-level netlist that lockstep can run: the cells of the mapped netlist (synth.h) become the functions that their
 * library gives them, macros their behaviour, and every register of the RTL that the netlist still has is bound by its name,
 * bit by bit. What synthesis made of the others is told: docs/netlist.md. */
#ifndef LS_GATES_H
#define LS_GATES_H

#include "harness/base/rtlil.h"
#include "harness/core/field.h"
#include "harness/core/run.h"
#include "harness/dut/build.h"
#include "harness/synth/synth.h"

/* The cells as Yosys reads them; those that it has no function for (a clock gate's statetable) are left out, and missed where a
 * netlist uses one. */
#define LS_GATES_READ_LIBERTY "read_liberty -ignore_miss_func -ignore_miss_dir -ignore_miss_data_latch"

/* Rising edges become falling ones, and the other way round, as in synth.tcl. */
#define LS_GATES_TURN_EDGES                                                                                                      \
    "select -set rising r:CLK_POLARITY=1'1\nselect -set falls r:CLK_POLARITY=1'0\n"                                              \
    "setparam -set CLK_POLARITY 1'0 @rising\nsetparam -set CLK_POLARITY 1'1 @falls\n"

/* What a bit of a register became. All but the last two are compared. */
typedef enum ls_gates_fate {
    LS_GATES_FLOP,     /* a flip-flop of its own */
    LS_GATES_SHARED,   /* the flip-flop of another bit of a register, because both are always equal */
    LS_GATES_LOGIC,    /* gates behind other flip-flops */
    LS_GATES_CONSTANT, /* 0 or 1 */
    LS_GATES_MACRO,    /* in a macro */
    LS_GATES_OPEN,     /* "x": synthesis was free to choose, and nothing in the netlist reads it */
    LS_GATES_GONE      /* no such net: nothing that reaches an output reads it */
} ls_gates_fate;
#define LS_GATES_FATES 7u

/* Bits low .. high of a register, counted through its elements, that all became the same. */
typedef struct ls_gates_run {
    uint32_t low, high;
    ls_gates_fate fate;
    uint32_t value; /* of a constant */
    char *other;    /* of LS_GATES_SHARED: the register; else NULL */
    uint32_t other_low;
} ls_gates_run;

typedef struct ls_gates_register {
    char *name;
    uint32_t bits, count, fates[LS_GATES_FATES];
    ls_gates_run *runs;
    size_t run_count;
} ls_gates_register;

typedef struct ls_gates_request {
    const ls_unit *unit;
    const void *cfg;
    const char *folder;  /* of the mapped netlist: gates.il, macros.v (synth.h) */
    const char *liberty; /* the Liberty file whose functions the cells have */
    unsigned timeout_ms; /* of each command; 0: none */
    bool ports_only;     /* registers are not looked at: the RTL has others than the field list */
} ls_gates_request;

/* All memory belongs to the struct; ls_gates_free releases it. */
typedef struct ls_gates {
    char *folder, *liberty;       /* as in the request */
    char *verilog;                /* the netlist, to be built; the file stays in the cache */
    char *macros;                 /* macros.v, or NULL when it has no module */
    ls_args vars, names;          /* vars.list[i] of `verilog` stands for register names.list[i] */
    ls_gates_register *registers; /* of the RTL, in the order of ls_signals_of */
    size_t register_count;
    ls_masks masks;                 /* what of them can be compared */
    uint64_t fates[LS_GATES_FATES]; /* bits */
    size_t cells, flops, nameless;  /* `nameless` of the flip-flops hold no bit of a register */
    char *misclocked;               /* a register, or cell, with a flip-flop that the clock's edge does not clock; NULL: none */
    size_t floating;                /* nets that are read and not driven: 0 in simulation */
    bool ports_only;                /* as in the request */
    char *rtl;                      /* JSON of the RTL's files that went into synthesis, for the record; NULL: not noted */
    ls_netlist_note note;           /* of ls_gates_note; zeroed before */
} ls_gates;

/* Appends to `problems`, a line each, what the netlist's ports are not that the field list says (of signals.h): one is missing,
 * has another direction or width, or is not in the list. `file` is named. Returns how many. */
size_t ls_gates_check_ports(const ls_fields *fields, const ls_il_module *top, const char *file, ls_text *problems);

/* Makes it. 0; or -1 and a text to free in *error: a tool is missing, the netlist or the library cannot be read, a cell has no
 * function, or is a latch; the ports are not those of the unit; of registers there are, no bit has its name in the netlist. */
int ls_gates_make(const ls_gates_request *request, ls_gates *gates, char **error);
void ls_gates_free(ls_gates *gates);

/* Builds gates->verilog as a DUT and checks it against the field list. 0 and `result` (ls_build_free it), or -1 and a text to
 * free in *error. */
int ls_gates_build(const ls_gates_request *request, const ls_gates *gates, ls_build_result *result, char **error);

/* What became of the registers, as lines for the screen. */
void ls_gates_text(const ls_gates *gates, ls_text *to);

/* The same for a run of it, made once: it belongs to `gates`. */
const ls_netlist_note *ls_gates_note(ls_gates *gates);

#endif
