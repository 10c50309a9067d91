/* SPDX-License-Identifier: Apache-2.0 */
/* Whether this program is what the source tree holds. At every compilation the SHA-256 of each source that the compiler read is
 * noted (harness/compile.sh), and all of them are linked into the program (Makefile): a model that was not built anew, or could
 * not be, must not pass for the one that stands there. */
#ifndef LS_PROVENANCE_H
#define LS_PROVENANCE_H

#include <stdbool.h>

#include "harness/base/text.h"

/* Compares the noted sources with those below ls_root(), by content. 0; or -1 and a message that names the first one that differs
 * or is gone. In folders without any of the noted .c files, as in an installation, there is nothing to compare. */
int ls_provenance_check(char *error, size_t size);

/* A project's units are loaded (harness/project): `sources`, in the form of what is linked in, are those of its files that they
 * were compiled from, in which they are looked for first; the objects are in `objects`; `dump`, or NULL, writes the counters of
 * models that are built for gcov. All must outlive the program's use of them. */
void ls_provenance_project(const char *sources, const char *objects, void (*dump)(void));

/* Those sources, "" without a project. */
const char *ls_provenance_of_project(void);

/* Whether there are models that are built for gcov: the project's, or this program's own. */
bool ls_gcov_built(void);
/* Writes their counters, if there are any. */
void ls_gcov_dump(void);
/* The folder of objects of a project that are built for gcov; NULL: there are none, or they are this program's own. */
const char *ls_gcov_objects(void);

/* The members of a record that say so: "tree", and the digests of all sources, of these files of a unit, from its root on. */
void ls_provenance_json(const char *model, const char *list, const char *bench, bool of_project, ls_text *to);

/* The lines of the noted sources whose path from the root begins with one of `prefixes`; none in a program without notes. */
void ls_provenance_lines(const char *const *prefixes, size_t count, ls_text *to);

#endif
