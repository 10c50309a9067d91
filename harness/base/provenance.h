/* SPDX-License-Identifier: Apache-2.0 */
/* Whether this program is what the source tree holds. At every compilation the SHA-256 of each source that the compiler read is
 * noted (harness/compile.sh), and all of them are linked into the program (Makefile): a model that was not built anew, or could
 * not be, must not pass for the one that stands there. */
#ifndef LS_PROVENANCE_H
#define LS_PROVENANCE_H

#include "harness/base/text.h"

/* Compares the noted sources with those below ls_root(), by content. 0; or -1 and a message that names the first one that differs
 * or is gone. In folders without any of the noted .c files, as in an installation, there is nothing to compare. */
int ls_provenance_check(char *error, size_t size);

/* The members of a record that say so: "tree", and the digests of all sources, of the model, list and bench of that unit. */
void ls_provenance_json(const char *group, const char *unit, ls_text *to);

/* The lines of the noted sources whose path from the root begins with one of `prefixes`; none in a program without notes. */
void ls_provenance_lines(const char *const *prefixes, size_t count, ls_text *to);

#endif
