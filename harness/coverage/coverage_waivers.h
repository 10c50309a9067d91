/* SPDX-License-Identifier: Apache-2.0 */
/* The waivers of coverage: which points need not be covered, and why. */
#ifndef LS_COVERAGE_WAIVERS_H
#define LS_COVERAGE_WAIVERS_H

#include "harness/coverage/coverage_points.h"

typedef struct ls_waiver {
    const ls_unit *unit;
    ls_point_kind kind;
    char *file, *name, *reason;
    size_t line;               /* in the file of waivers */
    size_t uncovered, covered; /* points that it names: for who weighs them */
} ls_waiver;

typedef struct ls_waivers {
    ls_waiver *list;
    size_t count;
} ls_waivers;

/* Reads lines "UNIT KIND FILE NAME -- REASON"; KIND is "line", "toggle", "model-line" or "model-branch", NAME a point's name as
 * the reports have it, of a toggle with * for any text. A missing file is an empty one. 0, or -1 and a message "file:line: …". */
int ls_waivers_read(ls_waivers *waivers, const char *path, char *error, size_t size);
void ls_waivers_free(ls_waivers *waivers);

/* The first waiver for the point, or NULL; counts it in all waivers that name it. */
const ls_waiver *ls_waivers_find(ls_waivers *waivers, const ls_unit *unit, const ls_point *point, const char *name);

#endif
