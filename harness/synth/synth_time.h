/* SPDX-License-Identifier: Apache-2.0 */
/* Timing of a mapped netlist by OpenSTA: FO4 of the library, and the worst path of each kind. */
#ifndef LS_SYNTH_TIME_H
#define LS_SYNTH_TIME_H

#include "harness/base/liberty.h"
#include "harness/synth/synth.h"
#include "harness/synth/synth_sram.h"

typedef enum ls_path_kind { LS_PATH_REG_REG, LS_PATH_IN_REG, LS_PATH_REG_OUT, LS_PATH_IN_OUT, LS_PATH_KINDS } ls_path_kind;

/* A pin on a path, with the RTL's names where there are any: "u_rr.mask_q[3]" for a flip-flop of that register. */
typedef struct ls_path_step {
    char *name;
    char *cell;     /* "" for a port */
    double seconds; /* since the clock edge */
} ls_path_step;

typedef struct ls_path {
    double seconds;      /* delay, and setup when it ends at a register; 0 with no steps: the unit has no such path */
    unsigned levels;     /* cells on it, without the register at its start */
    ls_path_step *steps; /* starting port or register, outputs of cells, ending port or register */
    size_t count;
} ls_path;

typedef struct ls_timing {
    char *missing; /* NULL, or why there is no timing: OpenSTA is not there, and how to get it */
    char *tool;    /* "OpenSTA 2.0.17" */
    double fo4;    /* of the library, in seconds */
    ls_path paths[LS_PATH_KINDS];
    const ls_path *worst; /* NULL: the unit has no path */
    bool cached;
    double seconds, megabytes; /* that OpenSTA took when it ran */
} ls_timing;

/* "register to register" and so on. */
extern const char *const ls_path_kinds[LS_PATH_KINDS];

/* Finds the paths, or what an earlier call with the same netlist, scripts and SRAM figures found. `list`: the macros that the
 * netlist uses; those without figures have no timing (`missing` says so). 0, also without OpenSTA; or -1 and a text to free in
 * *error. */
int ls_timing_make(const ls_synth *synth, const ls_unit *unit, const ls_liberty *library, const ls_sram *list, size_t count,
                   unsigned timeout_ms, ls_timing *timing, char **error);
void ls_timing_free(ls_timing *timing);

/* The worst path's delay in FO4; 0 without one. */
double ls_timing_fo4(const ls_timing *timing);

#endif
