/* SPDX-License-Identifier: Apache-2.0 */
/* `lockstep new`: a project, or another unit of one; from nothing or from a module that is there. */
#ifndef LS_NEW_H
#define LS_NEW_H

#include "harness/base/text.h"

typedef struct ls_new {
    const char *folder;
    const char *unit;    /* NULL: the module's name, or that of the folder */
    const ls_args *from; /* the module's SystemVerilog: its file last, what it needs before; empty: a counter of our own */
} ls_new;

/* Writes all files, or none; files of a project that are there already stay. Their names, from the folder on, are added to
 * `written`, what is left to do by hand to `todo`. 0; or -1 and a text to free in *error. */
int ls_project_new(const ls_new *what, ls_args *written, ls_args *todo, char **error);

/* Between the two: one file, from the project's folder on. */
typedef struct ls_new_file {
    char *name, *text;
} ls_new_file;

typedef struct ls_new_files {
    ls_new_file *list;
    size_t count;
} ls_new_files;

/* Adds a file; both texts are taken. */
void ls_new_add(ls_new_files *files, char *name, char *text);

/* Adds the unit that Verilator finds in the files: field list, header, model, bench, RTL. `unit` as above, and then the module's
 * name, to be freed, in *name. NULL, or an error to free. */
char *ls_new_from(const ls_args *from, const char *unit, ls_new_files *files, char **name, ls_args *todo);

#endif
