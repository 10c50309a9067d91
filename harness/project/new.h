/* SPDX-License-Identifier: Apache-2.0 */
/* `lockstep new`: a project, another unit of one, or a unit of this tree; from nothing or from a module that is there. */
#ifndef LS_NEW_H
#define LS_NEW_H

#include <stdbool.h>

#include "harness/base/text.h"

typedef struct ls_new {
    const char *folder;
    const char *group;   /* of a unit of this tree, whose folder `folder` then is; NULL: of a project */
    const char *unit;    /* NULL: the module's name, or that of the folder */
    const ls_args *from; /* the module's SystemVerilog: its file last or the one that declares `unit`; empty: a counter */
    bool listed;         /* they are of file lists: those that the module does not use are left out */
    const ls_args *defines, *extra; /* for them, as in ls_rtl */
} ls_new;

/* Writes all files, or none; files of a project that are there already stay. Their names, from the folder on, are added to
 * `written`, what is left to do by hand to `todo`; *unit gets the unit's name, to be freed (NULL: none is known). 0; or -1 and a
 * text to free in *error. */
int ls_project_new(const ls_new *what, char **unit, ls_args *written, ls_args *todo, char **error);

/* Between the two: one file, from the project's folder on. */
typedef struct ls_new_file {
    char *name, *text;
} ls_new_file;

typedef struct ls_new_files {
    ls_new_file *list;
    size_t count;
} ls_new_files;

/* Whether a word cannot be a name in a model's C. */
bool ls_new_is_keyword(const char *word);

/* Adds a file; both texts are taken. */
void ls_new_add(ls_new_files *files, char *name, char *text);

/* The files of a unit. */
typedef enum ls_new_part {
    LS_NEW_RTL,
    LS_NEW_HEADER,
    LS_NEW_MODEL,
    LS_NEW_LIST,
    LS_NEW_BENCH,
    LS_NEW_JUDGE,
    LS_NEW_PAGE
} ls_new_part;

/* Where one of them is, from the project's or the tree's folder on (group NULL: a project, which has no pages); to be freed. */
char *ls_new_path(ls_new_part part, const char *unit, const char *group);

/* Adds the unit that Verilator finds in the files of `what`: field list, header, model, bench, judge, RTL, and in the tree its
 * page. Its name, to be freed, in *name: what->unit, or the module's. NULL, or an error to free. */
char *ls_new_from(const ls_new *what, ls_new_files *files, char **name, ls_args *todo);

#endif
