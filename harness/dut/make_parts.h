/* SPDX-License-Identifier: Apache-2.0 */
/* What make.c, make_table.c and make_units.c share; nobody else includes this. All return 0 or a negative errno. */
#ifndef LS_MAKE_PARTS_H
#define LS_MAKE_PARTS_H

#include "harness/base/text.h"
#include "harness/dut/build.h"

/* The Verilator configuration that publishes every register, once for a module and name, and leaves out coverage. */
ls_text ls_make_configuration(const ls_elab *elab, const ls_build_request *request);

/* The clock among the ports, or NULL. */
const ls_elab_signal *ls_make_clock(const ls_elab *elab, const ls_rtl *rtl);

/* Writes the list of signals that shim.cpp includes; `header` declares Verilator's class. */
int ls_make_table(const ls_elab *elab, const ls_rtl *rtl, const char *header, const char *path);

/* Has the generated sources in that folder publish registers that Verilator leaves out. */
int ls_make_publish(const char *objects);

/* Has the generated sources compute what follows from inputs only when an input has changed (ls_dut_api.edge); `clock`: the
 * member of Verilator's class that is the clock. Where anything but a trigger reads the clock they stay as they are. */
int ls_make_held(const char *objects, const char *clock);

/* The translation units of a DUT. */
typedef struct ls_units {
    ls_args files;
    bool once;   /* asked for: what runs once, at the start, may be a unit of its own; then: it is, the last one */
    bool system; /* so much code that its compilation is waited for */
} ls_units;

/* Divides the generated sources and the shim into at most that many units, and one for what runs once. */
int ls_make_units(const char *objects, const char *shim, bool coverage, size_t most, ls_units *units);

#endif
