/* SPDX-License-Identifier: Apache-2.0 */
/* From a unit, its parameters and perhaps the user's own RTL to a DUT that is known to fit the field list. */
#ifndef LS_DESIGN_H
#define LS_DESIGN_H

#include "harness/base/text.h"
#include "harness/core/unit.h"
#include "harness/dut/build.h"

typedef struct ls_design_request {
    const ls_unit *unit;
    const void *cfg;
    const char *const *rtl; /* the user's files in place of ours; NULL: ours */
    size_t rtl_count;
    const char *const *defines;
    size_t define_count;
    const ls_args *extra; /* what file lists say besides (filelist.h); NULL: nothing */
    unsigned flags;       /* of ls_build_flag */
    bool strict; /* `rtl` is a person's: what makes a run of it say less than it seems to is an error, too (ls_design_strict) */
    bool ports_only;   /* registers are neither required nor compared */
    bool allow_system; /* a person's files may run commands and C code */
} ls_design_request;

/* Builds the DUT, and checks ports, widths and that the list names every clocked register. 0 and `result` (ls_build_free it), or
 * -1 and a text to free in *error, one problem a line. */
int ls_design_build(const ls_design_request *request, ls_build_result *result, char **error);

/* The check of ls_design_build without the building: the RTL is read by Verilator and its ports and registers (unless ports_only)
 * must be those of the field list. 0; or -1 and a text to free in *error, one problem a line. */
int ls_design_fits(const ls_design_request *request, char **error);
/* The same, and leaves what Verilator says of the design in `elab`: ls_elab_free it, when 0 is returned. */
int ls_design_elaborate(const ls_design_request *request, ls_elab *elab, char **error);

/* The RTL as it is: the top module is the map's, or the one that no other has an instance of; with its own parameters, or if
 * `params` with those of unit and map. 0 and `elab`; or -1 and a text to free in *error. */
int ls_design_look(const ls_design_request *request, bool params, ls_elab *elab, char **error);

/* Checks a field list against an elaborated design; problems are appended to `text`, one a line. Returns how many. */
size_t ls_design_check(const ls_fields *fields, const ls_elab *elab, bool ports_only, ls_text *text);

/* What a person's files may not do, one problem a line in `text`; `elab` is the design that they are part of. Returns how many:
 * a file with a module that the design takes from another, an include that one of our folders would answer, commands and C code
 * unless they are allowed, a clock or reset that is no input of one bit. */
size_t ls_design_strict(const ls_design_request *request, const ls_elab *elab, ls_text *text);
/* The request's files with modules of which the design has none: no error, a list of a whole project holds much that one unit
 * does not need. To be freed with ls_args_free. */
void ls_design_unused(const ls_design_request *request, const ls_elab *elab, ls_args *files);

/* With ports_only: memories of the field list that the RTL does not have by name and shape; none of them can be copied into the
 * model. To be freed with ls_args_free. */
void ls_design_uncopied(const ls_design_request *request, const ls_elab *elab, ls_args *names);

/* Folders in which Verilator finds what the user's files do not define: ours. "--rtl my_arbiter.sv" needs no list of all the
 * rest. Nothing is added when `rtl_count` is 0. To be freed with ls_args_free. */
void ls_design_dirs(const ls_unit *unit, size_t rtl_count, ls_args *dirs);

/* The user's files, absolute (a relative name would be looked for in our folders first); in front of them our packages that the
 * unit needs and they do not declare (a package is not found by its folder), behind them our top module when they declare parts
 * of the unit and not itself. To be freed with ls_args_free. */
void ls_design_user_files(const ls_unit *unit, const char *const *rtl, size_t count, ls_args *files);

/* The RTL files of a unit, absolute, to be freed with ls_args_free. */
void ls_design_files(const ls_unit *unit, ls_args *files);

#endif
