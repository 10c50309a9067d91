/* SPDX-License-Identifier: Apache-2.0 */
/* What build.c stands on: keys, locks, commands, and Verilator's runtime compiled once. Not for other files. */
#ifndef LS_TOOLCHAIN_H
#define LS_TOOLCHAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/dut/build.h"
#include "harness/base/text.h"

/* Part of every key: to be raised when the same inputs are to be built in another way. */
#define LS_RECIPE "lockstep-dut-4"

/* 128-bit FNV-1a (Fowler, Noll, Vo; IETF draft-eastlake-fnv). */
typedef struct ls_hash {
    __extension__ unsigned __int128 state;
} ls_hash;

ls_hash ls_hash_begin(void);
void ls_hash_bytes(ls_hash *h, const void *data, size_t size);
void ls_hash_number(ls_hash *h, size_t number);
/* A text and where it ends: "ab", "c" is not "a", "bc". */
void ls_hash_text(ls_hash *h, const char *text);
void ls_hash_texts(ls_hash *h, const char *const *list, size_t count);
/* A file's contents, or that it cannot be read. Returns whether it could. */
bool ls_hash_file(ls_hash *h, const char *path);
/* The names in a search directory: a new file there can hide one that was found further on. */
void ls_hash_directory(ls_hash *h, const char *path);
/* A source and what it reads: its contents, then those of each file that it names in quotes (`include, $readmemh), beside itself
 * or absolute, and what those name. Returns whether it could be read. */
bool ls_hash_source(ls_hash *h, const char *path);
/* All sources in a directory that modules are looked for in: their names, and each as above. */
void ls_hash_sources(ls_hash *h, const char *path);
/* 32 hex digits, to be freed by the caller. */
char *ls_hash_end(const ls_hash *h);

void ls_args_sort(ls_args *args);
bool ls_readable(const char *path);

/* Makes a directory and those above it. Returns 0 or a negative errno. */
int ls_make_directories(const char *path);

/* Whether what is there, or what a link leads to, belongs to this user (or root) and can be written by no other. */
bool ls_only_ours(const char *path);

/* Whether the folder takes 64 KB more: 0 or a negative errno (-ENOSPC, -EDQUOT, …). */
int ls_room(const char *folder);

/* Writes folder/seal, when all is made: the names of the regular files in the folder, and a digest of each. 0 or a negative errno. */
int ls_seal(const char *folder);

/* Whether the files that folder/seal names are what they were: a machine that goes down may leave them empty, cut off or with holes.
 * A folder without a seal is one of an older version, and taken as it is. What another user could have written is none, sealed or not. */
bool ls_sealed(const char *folder);

/* A symbolic link at `path` to `target`, in place of one that is there. Returns 0 or a negative errno. */
int ls_link(const char *target, const char *path);

/* Links folder/dir-0, dir-1 ... to the folders in `dirs`, for tools that misread some paths; adds these names to `names`. NULL, or
 * an error to free. */
char *ls_link_dirs(const ls_args *dirs, const char *folder, ls_args *names);

/* Takes the exclusive lock of that name, waiting for it. Returns a descriptor for ls_unlock, or a negative errno. */
int ls_lock(const char *path);
void ls_unlock(int fd, const char *path);

/* One folder of the cache, named by all it depends on, and sealed. */
typedef struct ls_cached {
    const char *folder;                              /* its path; the one above it is there or is made */
    bool (*take)(void *ctx);                         /* whether it is there, whole: it is read */
    char *(*make)(void *ctx, const char *temporary); /* fills an empty folder, which then gets the name; NULL or an error to free */
    void *ctx;
} ls_cached;

/* Takes the folder, or has it made first; of processes that want the same one, one makes it and the others wait. `*was_there`: not
 * made now. NULL, or an error to be freed. What a killed process left is removed. */
char *ls_cached_folder(const ls_cached *cached, bool *was_there);

/* What `yosys -V` prints, without the end of the line, or NULL when it cannot be run; to be freed. */
char *ls_yosys_version(void);

/* Runs a command. Returns NULL when it succeeded, else its output and how it ended; `*refused`: by itself, with a status. */
char *ls_command(const ls_args *args, unsigned timeout_ms, bool *refused);

/* Starts the arguments of a compilation: the compiler and the flags that the runtime and every DUT share. */
void ls_compiler(ls_args *args, const ls_tools *tools);

/* One compilation, and its error once it has run (NULL: none). */
typedef struct ls_compile {
    ls_args args;
    unsigned timeout_ms;
    char *text;
} ls_compile;

/* Runs compilations, as many at a time as there are processors, and frees their arguments. Returns NULL or the first error. */
char *ls_compile_all(ls_compile *jobs, size_t count);

/* Finds or builds the runtime: libverilated.a and the precompiled runtime.h. Returns NULL with its directory in `*directory`, or
 * the error; both to be freed by the caller. */
char *ls_runtime_find(const ls_tools *tools, const char *cache, unsigned timeout_ms, char **directory);

#endif
