/* SPDX-License-Identifier: Apache-2.0 */
/* One unit's area and timing: found, and as a page, a record and an entry of the history. */
#ifndef LS_SYNTH_RECORD_H
#define LS_SYNTH_RECORD_H

#include <stdio.h>

#include "harness/history/store.h"
#include "harness/synth/synth.h"
#include "harness/synth/synth_area.h"
#include "harness/synth/synth_gates.h"
#include "harness/synth/synth_time.h"

/* The entry of the history that a result is compared with: the last of another commit that the same tools made with the same
 * library. */
typedef struct ls_synth_before {
    bool there, first;         /* the history has one; it was asked and has none */
    char source[41], made[24]; /* commit, date */
    double kge, fo4;           /* fo4 < 0: it had none */
} ls_synth_before;

/* What of the area belongs to a register, an instance or a port (a gate to what its output reaches first). */
typedef struct ls_synth_share {
    char *owner;
    double kge;
} ls_synth_share;

typedef struct ls_synth_result {
    const ls_unit *unit;
    char *params;     /* as ls_config_text */
    bool macros, own; /* SRAM macros were wanted; RTL of the user's */
    ls_synth synth;
    ls_liberty liberty;
    ls_sram_table table;
    ls_synth_area area;
    ls_timing timing;
    ls_synth_before before;
    ls_text outside;       /* what is outside the gates, a line each */
    char *not_checked;     /* NULL, or why no gates were looked at */
    ls_synth_share *where; /* the largest first; empty unless asked for */
    size_t where_count;
    char *where_missing; /* NULL, or why it cannot be told */
    unsigned findings;
} ls_synth_result;

/* Maps, counts and times. 0; or -1 and a text to free in *error. ls_synth_result_free it. */
int ls_synth_result_make(const ls_synth_request *request, ls_synth_result *result, char **error);
void ls_synth_result_free(ls_synth_result *result);

/* Fills `where`: whose area it is. A netlist that `lockstep energy` refuses (a latch, a gated clock) has none, and where_missing
 * says why. */
void ls_synth_result_where(ls_synth_result *result);

/* Tools and library with which figures were made, in one line; free() it. */
char *ls_synth_result_tools(const ls_synth_result *result);

/* Looks at the gates: fills outside, not_checked, findings. */
void ls_synth_result_check(ls_synth_result *result, const ls_synth_gates *gates);

/* FO4 of the worst path; -1 without timing. */
double ls_synth_result_fo4(const ls_synth_result *result);

/* The record, one JSON object without a line's end. */
void ls_synth_record(const ls_synth_result *result, ls_text *to);

/* The result as one screen. */
void ls_synth_page(const ls_synth_result *result, FILE *to);

/* The rows of a table, with a header. */
void ls_synth_table_header(FILE *to);
void ls_synth_table_row(const ls_synth_result *result, FILE *to);

/* What a tree is: its commit ("" outside git) and whether files differ from it. */
typedef struct ls_synth_source {
    char commit[41];
    bool dirty;
} ls_synth_source;
ls_synth_source ls_synth_source_now(void);

/* Looks up what it was before, then enters the result (one of the same commit, parameters and tools is replaced). 0, or -1 and a
 * message. */
int ls_synth_history(sqlite3 *db, const ls_synth_source *source, ls_synth_result *result, char *error, size_t size);

#endif
