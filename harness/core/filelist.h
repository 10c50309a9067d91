/* SPDX-License-Identifier: Apache-2.0 */
/* File lists as simulators take them with -f: files, +incdir+, +define+, -y, -v, +libext+, further lists, comments, environment.
 */
#ifndef LS_FILELIST_H
#define LS_FILELIST_H

#include "harness/base/text.h"

/* What lists say, in their order. */
typedef struct ls_filelist {
    ls_args files;   /* absolute, if they are there */
    ls_args defines; /* NAME or NAME=VALUE */
    ls_args extra;   /* the rest, as Verilator takes it: "+incdir+/a/b", "-y", "/a/lib", "-v", "/a/cells.v", "+libext+.v" */
} ls_filelist;

/* Appends what the list says; a macro that is there already is not there again, and with another value is an error. Names in it begin at the current folder or, with `beside`, at the list's own. 0, or -1 and a
 * message "FILE:LINE: ...". */
int ls_filelist_read(const char *path, bool beside, ls_filelist *to, char *error, size_t size);
void ls_filelist_free(ls_filelist *list);

#endif
