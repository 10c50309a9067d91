/* SPDX-License-Identifier: Apache-2.0 */
/* What was found out about the contents of files, kept until one of them changes: as version control does, by inode, size and
 * times of change alone. */
#ifndef LS_STAMP_H
#define LS_STAMP_H

#include <sys/stat.h>
#include <time.h>

#include "harness/base/hash.h"

/* Of a set of files, taken before they are read. */
typedef struct ls_stamp {
    ls_hash hash;
    struct timespec latest; /* change of a file */
} ls_stamp;

/* `about`: whatever else the finding depends on. */
ls_stamp ls_stamp_begin(const char *about);

/* A file of that path; `is` NULL: there is none. */
void ls_stamp_add(ls_stamp *stamp, const char *path, const struct stat *is);

/* The finding that was noted in the file `note` when the files were as in the stamp, to be freed, or NULL: they have to be read.
 * So they have when others could have written the note. */
char *ls_stamp_noted(const ls_stamp *stamp, const char *note);

/* Of the files as in the stamp, with a finding of them: the first line of its note. To be freed. */
char *ls_stamp_mark(const ls_stamp *stamp, const char *finding);

/* The mark for which the file `note` has this finding, whatever the files are now, to be freed; NULL: there is none, or others
 * could have written it. */
char *ls_stamp_marked(const char *note, const char *finding);

/* Notes a finding, unless a file changed in the last seconds: another change may then leave all times as they are. What cannot be
 * written is not noted. */
void ls_stamp_note(const ls_stamp *stamp, const char *note, const char *finding);

#endif
