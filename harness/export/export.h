/* SPDX-License-Identifier: Apache-2.0 */
/* The check of a unit inside other simulators: files that need no lockstep. */
#ifndef LS_EXPORT_H
#define LS_EXPORT_H

#include "harness/core/unit.h"
#include "harness/dut/elab.h"

/* A unit at its parameters, and RTL that fits its field list (ls_design_elaborate): which of its registers are arrays. */
typedef struct ls_export {
    const ls_unit *unit;
    const void *cfg;
    const ls_elab *elab;
    const char *folder;              /* it is there; files of other names in it stay */
    const char *command;             /* that makes the files, for their first lines */
    bool ports_only;                 /* registers and memories are not compared */
    uint64_t seed, cycles;           /* of vectors: the stimulus, and how long at most ... */
    const char *workload;            /* ... or NULL */
    const ls_settings *surroundings; /* of a system; NULL: none */
} ls_export;

/* Where an export goes. */
typedef struct ls_export_target {
    const char *name;                   /* "vectors" */
    char *(*write)(const ls_export *e); /* NULL, or an error to be freed */
    bool stimulus;                      /* it has some of its own: seed, cycles and workload count */
} ls_export_target;

/* The target of that name, or NULL. */
const ls_export_target *ls_export_find(const char *name);

/* "sv-bind, vectors or vpi". */
extern const char ls_export_targets[];

#endif
