/* SPDX-License-Identifier: Apache-2.0 */
/* Where the files of a unit are: in our own tree by the unit's group, in a project where its lockstep.project says. */
#ifndef LS_PLACE_H
#define LS_PLACE_H

#include "harness/core/unit.h"

typedef enum ls_unit_part {
    LS_PART_RTL,   /* rtl/<group>/<unit>.sv; in a project rtl/<unit>.sv */
    LS_PART_MODEL, /* cmodel/<group>/<unit>.c; model/<unit>.c */
    LS_PART_LIST,  /* tb/<group>/<unit>.fields; tb/<unit>.fields */
    LS_PART_BENCH, /* tb/<group>/<unit>.c; tb/<unit>.c */
    LS_PART_CHECK, /* its properties, tb/<group>/<unit>_check.sv; tb/<unit>_check.sv */
    LS_PART_JUDGE  /* tb/<group>/judge/test_<unit>.c; tb/test_<unit>.c */
} ls_unit_part;

/* The folder that the unit's paths start at: the project's, or ours. */
const char *ls_unit_root(const ls_unit *unit);

/* A file of the unit, from there; to be freed. */
char *ls_unit_part_name(const ls_unit *unit, ls_unit_part part);
/* The same, absolute; to be freed. It need not be there. */
char *ls_unit_part_path(const ls_unit *unit, ls_unit_part part);

/* A file that the unit's bench names, "rtl/common/rf_fifo.sv", absolute; to be freed. What a project does not have itself is one
 * of ours. */
char *ls_unit_path(const ls_unit *unit, const char *name);

#endif
