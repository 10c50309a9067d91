/* SPDX-License-Identifier: Apache-2.0 */
/* Digests that name what is kept in the cache. */
#ifndef LS_HASH_H
#define LS_HASH_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
