/* SPDX-License-Identifier: Apache-2.0 */
/* The parameter sets at which all units are synthesized (synth_scripts/synth.sets), and the gates: between which bounds each
 * one's area and delay were when a person last accepted them (synth_scripts/gates). */
#ifndef LS_SYNTH_GATES_H
#define LS_SYNTH_GATES_H

#include "harness/base/text.h"
#include "harness/core/unit.h"

/* A unit at parameters. */
typedef struct ls_synth_set {
    const ls_unit *unit;
    void *cfg;
    char *params; /* as ls_config_text */
} ls_synth_set;

typedef struct ls_synth_sets {
    ls_synth_set *list;
    size_t count;
} ls_synth_sets;

/* Reads the sets, in the file's order; units that the file does not name follow at their defaults. 0; or -1 and "FILE:LINE:
 * FIELD: …". */
int ls_synth_sets_read(const char *path, ls_synth_sets *sets, char *error, size_t size);
void ls_synth_sets_free(ls_synth_sets *sets);

/* Bounds of one unit at one set, all four included. */
typedef struct ls_synth_gate {
    char *unit, *params;
    double kge[2], fo4[2];
} ls_synth_gate;

typedef struct ls_synth_gates {
    char *tools; /* with which they were taken: other tools or another library give other figures */
    ls_synth_gate *list;
    size_t count;
} ls_synth_gates;

/* Reads the gates; a file that is not there has none. 0; or -1 and "FILE:LINE: FIELD: …". */
int ls_synth_gates_read(const char *path, ls_synth_gates *gates, char *error, size_t size);
/* Writes them anew. 0; or a negative errno. */
int ls_synth_gates_write(const char *path, const ls_synth_gates *gates);
void ls_synth_gates_free(ls_synth_gates *gates);

/* The unit's gates at these parameters, or NULL. */
const ls_synth_gate *ls_synth_gates_find(const ls_synth_gates *gates, const char *unit, const char *params);

/* Adds bounds around these figures: 2 % of area, the flow's own noise of 1.5 FO4. */
void ls_synth_gates_add(ls_synth_gates *gates, const char *unit, const char *params, double kge, double fo4);

/* What is outside, in words, a line each ("kGE 4.52 is 0.34 (8.1 %) above 3.94 to 4.18"); returns how many. fo4 < 0: not known,
 * not checked. */
unsigned ls_synth_gates_check(const ls_synth_gate *gate, double kge, double fo4, ls_text *text);

#endif
