/* SPDX-License-Identifier: Apache-2.0 */
/* What elab.c, elab_document.c, elab_types.c, elab_state.c, elab_hidden.c, elab_scopes.c, elab_drivers.c and elab_edges.c share
 * about an elaborated design; nobody else includes this. */
#ifndef LS_ELAB_NETLIST_H
#define LS_ELAB_NETLIST_H

#include <string.h>

#include "harness/base/text.h"
#include "harness/base/tree.h"
#include "harness/dut/elab.h"

/* What the scan of the clocked blocks finds out about a variable; MARK_HIDDEN is on what keeps state without being one,
 * MARK_OUTSIDE on what runs commands or C code, MARK_CLEARED on a register that a reset clears as a whole. TASK_* on a task: that it was followed already, and whether it reaches variables
 * that are not its own. */
enum {
    MARK_REG = 1,
    MARK_LATCH = 2,
    MARK_LOOP = 4,
    MARK_UNPACKED = 8,
    MARK_HIDDEN = 16,
    TASK_REG = 32,
    TASK_LATCH = 64,
    TASK_OUT = 128,
    TASK_PURE = 256,
    MARK_OUTSIDE = 512,
    MARK_CLEARED = 1024
};

typedef ls_tree_node node;

typedef struct ls_elab_netlist {
    ls_tree document;
    ls_text text, meta; /* what it was read from */
    const node *netlist;
    node **types; /* by id; NULL where there is none */
    size_t type_count;
    node **modules; /* modules, interfaces, packages */
    size_t module_count;
    const ls_rtl_wire *wires;
    size_t wire_count;
    ls_elab *elab;
} ls_elab_netlist;

typedef struct ls_elab_origin { /* where something is written */
    char file[16];              /* Verilator's id of the file */
    unsigned line, column, end_line, end_column;
} ls_elab_origin;

static inline const char *get(const node *n, const char *key) { return ls_tree_get(n, key); }

/* Asked of every node of every design, a dozen times a run: nearly always the first letter tells. */
static inline bool is(const node *n, const char *tag) { return n->tag[0] == tag[0] && strcmp(n->tag, tag) == 0; }

static inline bool is_module(const node *n) { return is(n, "module") || is(n, "iface") || is(n, "package") || is(n, "program"); }

/* Reads what ls_elab_run left at `path` into the document. NULL or the error, to be freed. */
char *ls_elab_document(ls_elab_netlist *d, const char *path);

/* The number of an attribute that names a type; SIZE_MAX: it names none. */
size_t ls_elab_id(const char *text);

/* The value of a constant as Verilator prints it: 32'sh1f, 8'h3. */
long ls_elab_constant(const node *n);

/* Bits of a packed type, 0 when it has no bits. Type tables are shallow; `depth`, 0 at first, stops a malformed one. */
uint32_t ls_elab_bits(const ls_elab_netlist *d, const char *id, unsigned depth);

/* The largest value of a packed type, of 32 bits at most; 0: it is none. */
uint32_t ls_elab_limit(const ls_elab_netlist *d, const char *id);

/* The type behind references. */
node *ls_elab_type(const ls_elab_netlist *d, const char *id);

/* The variable of `module` that a connection `port` of an instance names, or counts to; NULL: an interface, or there is none. */
const node *ls_elab_port_variable(const node *module, const node *port);

/* Bits of an element of a variable, elements, and whether they are unpacked. */
void ls_elab_shape(const ls_elab_netlist *d, const node *var, ls_elab_signal *signal);

/* Whether a variable belongs to the module itself or to a generate block, not to a procedure. */
bool ls_elab_is_static(const node *var);

/* Where a node is written, with all zeros when Verilator does not say. */
ls_elab_origin ls_elab_place(const node *n);

/* Finds the procedures below `n` and marks all variables that hold state; also notes which structs are unpacked: only their
 * members are selected by <structsel>, those of packed ones by bit position. */
void ls_elab_scan(const ls_elab_netlist *d, node *n);

/* After all scans: a variable of a module that is the index of a loop stays out (MARK_LOOP) only if nothing can see what an
 * earlier run of a procedure left in it. */
void ls_elab_settle_loops(const ls_elab_netlist *d);

/* Marks the variables that an assignment to `target` writes; indexes inside it are only read. */
void ls_elab_mark_target(const ls_elab_netlist *d, node *target, unsigned mark);

/* The task or function that a call names, as far as its name says, else NULL. */
node *ls_elab_callee(const ls_elab_netlist *d, const node *call);

/* Notes which inputs of the top module processes wait for the edges of, and whose levels give registers constants. */
void ls_elab_find_edges(const ls_elab_netlist *d, const node *top);

/* Says which variables have two drivers of one bit, one a line, to be freed by the caller; NULL: none has. After all scans. */
char *ls_elab_two_drivers(const ls_elab_netlist *d);

/* Whether a task or function may write or read variables that are not its own. */
bool ls_elab_reaches_out(const ls_elab_netlist *d, node *task);

/* Finds the state below `n` that no assignment gives away: marks variables that something else writes, MARK_HIDDEN what is no
 * variable, and MARK_OUTSIDE what runs commands or C code. `once`: in a procedure that runs once. */
void ls_elab_scan_hidden(const ls_elab_netlist *d, node *n, bool once);

/* What a node that is marked MARK_HIDDEN, or a variable of a package, is called in a message; to be freed by the caller. NULL: it
 * hides nothing. */
char *ls_elab_hidden_name(const node *n);

/* What a node that is marked MARK_OUTSIDE is called in a message; to be freed by the caller. */
char *ls_elab_outside_name(const node *n);

#endif
