/* SPDX-License-Identifier: Apache-2.0 */
/* Folders and files: made, locked, sealed against damage, and kept in the cache. */
#ifndef LS_FOLDER_H
#define LS_FOLDER_H

#include <stdbool.h>

#include "harness/base/text.h"

/* Adds the names in a folder, sorted; none when there is no such folder. */
void ls_folder_names(const char *path, ls_args *names);

bool ls_readable(const char *path);

/* A new folder for temporary files, in $TMPDIR or /tmp: "…/NAME.XXXXXX" in *folder, to be freed. NULL, or an error to free. */
char *ls_temporary_folder(const char *name, char **folder);

/* Makes a directory and those above it. Returns 0 or a negative errno. */
int ls_make_directories(const char *path);

/* Whether what is there, or what a link leads to, belongs to this user (or root) and can be written by no other. */
bool ls_only_ours(const char *path);

/* Whether the folder takes 64 KB more: 0 or a negative errno (-ENOSPC, -EDQUOT, …). */
int ls_room(const char *folder);

#define LS_SEAL "seal" /* its name in the folder */

/* Writes folder/seal, when all is made: the names of the regular files in the folder, and a digest of each. 0 or a negative
 * errno. */
int ls_seal(const char *folder);

/* Whether the files that folder/seal names are what they were: a machine that goes down may leave them empty, cut off or with
 * holes. A folder without a seal is one of an older version, and taken as it is. What another user could have written is none,
 * sealed or not. */
bool ls_sealed(const char *folder);

/* A symbolic link at `path` to `target`, in place of one that is there. Returns 0 or a negative errno. */
int ls_link(const char *target, const char *path);

/* Links folder/dir-0, dir-1 ... to the folders in `dirs`, for tools that misread some paths; adds these names to `names`. NULL,
 * or an error to free. */
char *ls_link_dirs(const ls_args *dirs, const char *folder, ls_args *names);

/* Takes the exclusive lock of that name, waiting for it. Returns a descriptor for ls_unlock, or a negative errno. */
int ls_lock(const char *path);
void ls_unlock(int fd, const char *path);

/* One folder of the cache, named by all it depends on, and sealed. */
typedef struct ls_cached {
    const char *folder;      /* its path; the one above it is there or is made */
    bool (*take)(void *ctx); /* whether it is there, whole: it is read */
    char *(*make)(void *ctx,
                  const char *temporary); /* fills an empty folder, which then gets the name; NULL or an error to free */
    void *ctx;
} ls_cached;

/* Takes the folder, or has it made first; of processes that want the same one, one makes it and the others wait. `*was_there`:
 * not made now. NULL, or an error to be freed. What a killed process left is removed. */
char *ls_cached_folder(const ls_cached *cached, bool *was_there);

#endif
