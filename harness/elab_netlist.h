/* SPDX-License-Identifier: Apache-2.0 */
/* What elab.c, elab_types.c and elab_state.c share about an elaborated design; nobody else includes this. */
#ifndef LS_ELAB_NETLIST_H
#define LS_ELAB_NETLIST_H

#include <string.h>

#include "harness/elab.h"
#include "harness/xml.h"

/* What the scan of the clocked blocks finds out about a variable; TASK_* on a task that was followed already. */
enum { MARK_REG = 1, MARK_LATCH = 2, MARK_LOOP = 4, MARK_UNPACKED = 8, TASK_REG = 16, TASK_LATCH = 32 };

typedef ls_xml_node node;

typedef struct ls_netlist {
    ls_xml document;
    const node *netlist;
    node **types; /* by id; NULL where there is none */
    size_t type_count;
    node **modules; /* modules, interfaces, packages */
    size_t module_count;
    const ls_rtl_wire *wires;
    size_t wire_count;
    ls_elab *elab;
} ls_netlist;

typedef struct ls_elab_origin { /* where something is written */
    char file[16]; /* Verilator's id of the file */
    unsigned line, column, end_line, end_column;
} ls_elab_origin;

static inline const char *get(const node *n, const char *key) { return ls_xml_get(n, key); }

static inline bool is(const node *n, const char *tag) { return strcmp(n->tag, tag) == 0; }

static inline bool is_module(const node *n) { return is(n, "module") || is(n, "iface") || is(n, "package") || is(n, "program"); }

/* The value of a constant as Verilator prints it: 32'sh1f, 8'h3. */
long ls_elab_constant(const node *n);

/* Bits of a packed type, 0 when it has no bits. Type tables are shallow; `depth`, 0 at first, stops a malformed one. */
uint32_t ls_elab_bits(const ls_netlist *d, const char *id, unsigned depth);

/* The type behind references. */
node *ls_elab_type(const ls_netlist *d, const char *id);

/* Bits of an element of a variable, elements, and whether they are unpacked. */
void ls_elab_shape(const ls_netlist *d, const node *var, ls_elab_signal *signal);

/* Whether a variable belongs to the module itself or to a generate block, not to a procedure. */
bool ls_elab_is_static(const node *var);

/* Where a node is written, with all zeros when Verilator does not say. */
ls_elab_origin ls_elab_place(const node *n);

/* Finds the procedures below `n` and marks all variables that hold state; also notes which structs are unpacked: only their members
 * are selected by <structsel>, those of packed ones by bit position. */
void ls_elab_scan(const ls_netlist *d, node *n);

#endif
