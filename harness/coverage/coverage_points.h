/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage points: read from Verilator's coverage.dat and from gcov, merged, and kept in a file of our own that needs neither the
 * sources nor the builds that they come from (docs/regression.md). */
#ifndef LS_COVERAGE_POINTS_H
#define LS_COVERAGE_POINTS_H

#include <stddef.h>
#include <stdint.h>

#include "harness/core/unit.h"

typedef enum ls_point_kind {
    LS_POINT_LINE,
    LS_POINT_TOGGLE,
    LS_POINT_MODEL_LINE,
    LS_POINT_MODEL_BRANCH,
    LS_POINT_KINDS
} ls_point_kind;

/* "line", "toggle" (RTL), "model line", "model branch", as in the tables of a regression. */
const char *ls_point_kind_name(ls_point_kind kind);

/* One thing that can be covered. RTL lines are Verilator's: a block, or a way out of an if or case. */
typedef struct ls_point {
    ls_point_kind kind;
    char *file;            /* from the project's folder: "rtl/common/rf_rr.sv" */
    uint32_t line, column; /* column 0: not known (C) */
    char *what;            /* "block", "if", "else"; the signal; "" for a model line; "branch" */
    uint32_t index;        /* bit of the signal, number of the branch; LS_POINT_WHOLE: the point has none */
    char *text;            /* the source line, blanks made one; "" for a toggle */
    uint64_t count;        /* how often it was reached; 0: not covered */
    const char *from;      /* the file it was read from, which belongs to whoever read it; NULL: none */
} ls_point;

#define LS_POINT_WHOLE UINT32_MAX

typedef struct ls_points {
    ls_point *list;
    size_t count, room;
} ls_points;

/* Adds a point; texts are copied. Points that are equal but for their counts become one in ls_points_settle. */
void ls_points_add(ls_points *points, const ls_point *point);
/* Sorts by kind, file, line, column, what and index, and adds the counts of equal points. */
void ls_points_settle(ls_points *points);
void ls_points_free(ls_points *points);
/* Of other points, the first at a source line of the settled `points` that reads otherwise there, or NULL: they are of one
 * source. *of is then the settled point. */
const ls_point *ls_points_clash(const ls_points *points, const ls_points *others, const ls_point **of);

/* Sets the texts of all points that have none but toggles, from the source files below `root`; "" where there is no such line. */
void ls_points_take_text(ls_points *points, const char *root);

/* Writes the settled points of a run of `unit`, at once. 0, or -1 and a message that names the file. */
int ls_points_write(const ls_points *points, const ls_unit *unit, const char *path, char *error, size_t size);
/* Adds a file's points and says whose run it was. 0, or -1 and a message "file:line: …": it is none, or is cut off. */
int ls_points_read(ls_points *points, const ls_unit **unit, const char *path, char *error, size_t size);

/* Adds lines and toggles of Verilator's file; names below `root` lose it, and files that are another unit's are left out. 0, or
 * -1 and "file:line: …". Names of RTL files must not contain the bytes 1 and 2 nor tabs. */
int ls_coverage_dat(ls_points *points, const ls_unit *unit, const char *path, const char *root, char *error, size_t size);

/* Adds model lines and branches from the counters that a run with GCOV_PREFIX=`prefix` left there, of objects in `objects` (with
 * their .gcno), through $GCOV or gcov. Only files in the folders of units and not another unit's; of files that are not its own
 * only functions that were called, and branches only where the file is of the unit's group. 0, or -1 and a message. */
int ls_coverage_gcov(ls_points *points, const ls_unit *unit, const char *prefix, const char *objects, char *error, size_t size);

#endif
