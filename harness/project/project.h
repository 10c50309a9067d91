/* SPDX-License-Identifier: Apache-2.0 */
/* A project of one's own: a folder with a file lockstep.project, whose units are found, compiled and loaded. */
#ifndef LS_PROJECT_H
#define LS_PROJECT_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/text.h"

#define LS_PROJECT_FILE "lockstep.project"
#define LS_PROJECT_BUILD "build/lockstep" /* below the project's folder: what is compiled of it */

/* What lockstep.project says, or does not say: all have defaults. Folders and files are as written, from the root on. */
typedef struct ls_project {
    char *root;       /* absolute */
    char *name;       /* of that folder: the group of its units */
    ls_args rtl;      /* folders of SystemVerilog; "rtl" */
    ls_args models;   /* folders of C models, of which each .c is compiled; "model" */
    ls_args benches;  /* folders of units: NAME.fields with NAME.c beside it; "tb" */
    ls_args sources;  /* further C files; none */
    ls_args includes; /* further folders of headers; none */
    ls_args cflags;   /* "-O2" */
} ls_project;

/* Finds the project: $LOCKSTEP_PROJECT, or the folder of the first lockstep.project from the current folder upwards, or from that
 * of `file` (NULL: none), and reads it. 1: there is none; 0; or -1 and "FILE:LINE: KEY: ...". */
int ls_project_find(ls_project *project, const char *file, char *error, size_t size);
void ls_project_free(ls_project *project);

/* Has the project's units stand before ours (ls_units): compiles what changed since, loads them. With `coverage` the models count
 * what of them runs. 0; or -1 and a text to free in *error: what the compiler says, a unit without a model, ... */
int ls_project_load(ls_project *project, bool coverage, char **error);

#endif
