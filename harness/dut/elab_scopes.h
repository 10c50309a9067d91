/* SPDX-License-Identifier: Apache-2.0 */
/* The hierarchy of an elaborated design, and what a hierarchical name means in it (IEEE 1800-2017, 23.8). */
#ifndef LS_ELAB_SCOPES_H
#define LS_ELAB_SCOPES_H

#include "harness/dut/elab_netlist.h"

/* An instance, or a generate block in one. */
typedef struct ls_elab_scope {
    char *name;
    const node *block;            /* module, interface or <begin> */
    const node *instance;         /* <instance>; NULL of the top module and of blocks */
    long index, span;             /* of an array of instances: its place in it, from the left, and how many there are */
    struct ls_elab_scope *module; /* the instance itself, or the one that the block is in */
    struct ls_elab_scope *parent, *child, *last, *next;
} ls_elab_scope;

typedef struct ls_elab_hierarchy {
    const ls_elab_netlist *d;
    ls_elab_scope *root; /* NULL: the design has no top module */
} ls_elab_hierarchy;

void ls_elab_hierarchy_make(ls_elab_hierarchy *h, const ls_elab_netlist *d);
void ls_elab_hierarchy_free(ls_elab_hierarchy *h);

/* The scope in which a node of the instance `s` stands. */
const ls_elab_scope *ls_elab_scope_around(const ls_elab_scope *s, const node *n);

/* The scope that a hierarchical name means in scope `from`: its first part is looked for outwards. NULL: none. `depth`, 0 at
 * first. */
const ls_elab_scope *ls_elab_scope_follow(const ls_elab_hierarchy *h, const ls_elab_scope *from, const char *path,
                                          unsigned depth);

/* What the hierarchical name that ends in `n` lies in. The XML has the last part alone: the others are read in the RTL. */
const ls_elab_scope *ls_elab_scope_before(const ls_elab_hierarchy *h, const ls_elab_scope *from, const node *n, unsigned depth);

/* The range of an instance or a variable: left and right are its children. NULL: it has none. */
const node *ls_elab_range_of(const node *n);

/* The module of an instance, by the name in the XML. NULL: none. */
const node *ls_elab_module_named(const ls_elab_netlist *d, const char *mangled);

/* A name as the RTL has it, to be freed. */
char *ls_elab_plain(const char *name);

/* The file in which a node is written; "" when it is not known. */
const char *ls_elab_file_of(const ls_elab_netlist *d, const node *n);

#endif
