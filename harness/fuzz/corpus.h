/* SPDX-License-Identifier: Apache-2.0 */
/* Entries that are worth keeping, and the file that they are in (format: docs/fuzz.md). */
#ifndef LS_CORPUS_H
#define LS_CORPUS_H

#include "harness/core/script.h"
#include "harness/core/unit.h"

typedef struct ls_corpus {
    ls_script *list; /* each begins with a reset, the only one in it */
    size_t count;
    uint64_t fill; /* power-up contents of the DUT, for who plays it again; 0: any */
} ls_corpus;

void ls_corpus_add(ls_corpus *corpus, const ls_script *entry);
void ls_corpus_free(ls_corpus *corpus);

/* Adds the entries of another. */
void ls_corpus_join(ls_corpus *corpus, const ls_corpus *other);
/* All entries as one script. */
void ls_corpus_script(const ls_corpus *corpus, ls_script *script);

/* Keeps of the entries, or beginnings of them, those that reach most features for their cycles, the best first, until they reach
 * all, or are as many as fit into a small file. Returns how many features they reach. */
uint64_t ls_corpus_minimise(ls_corpus *corpus, const ls_unit *unit, const void *cfg, const ls_settings *surroundings);

/* Whether the file begins as a corpus does, of whatever version. */
bool ls_corpus_is(const char *path);
/* Writes the file, at once. 0, or -1 and a message. */
int ls_corpus_write(const ls_corpus *corpus, const ls_unit *unit, const void *cfg, const char *path, char *error, size_t size);
/* Reads a file: its unit, a new configuration (free it), its entries added to the corpus. 0, or -1 and a message
 * "file:line: what", with nothing to free and the corpus as it was. */
int ls_corpus_read(ls_corpus *corpus, const ls_unit **unit, void **cfg, const char *path, char *error, size_t size);

/* Adds the entries of the files *.corpus in a folder that are of this unit and configuration; none when it is not there. 0, or -1
 * and a message: a file is none, or of no unit. */
int ls_corpus_folder(ls_corpus *corpus, const char *folder, const ls_unit *unit, const void *cfg, char *error, size_t size);

#endif
