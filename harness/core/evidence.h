/* SPDX-License-Identifier: Apache-2.0 */
/* Evidence of a run: which fields, and members of records, have changed since its first cycle. */
#ifndef LS_EVIDENCE_H
#define LS_EVIDENCE_H

#include "harness/core/pair.h"
#include "harness/core/run.h"

/* A field, or a member of its records. */
typedef struct ls_pending {
    const ls_field *field;
    uint32_t member;
} ls_pending;

/* Which of them have not changed yet since the first cycle. */
typedef struct ls_evidence {
    uint8_t *first; /* all three structs as they were: in, out, model */
    ls_pending *pending;
    size_t count;
    size_t open; /* of these, those that must change: not listed as constant */
} ls_evidence;

/* Notes the first cycle's values; `e` is zeroed. Then one call of the last. */
void ls_evidence_start(ls_evidence *e, const ls_pair *pair);
/* Forgets what has changed. */
void ls_evidence_sample(ls_evidence *e, const ls_pair *pair);
/* Writes the counts and names into the result, and frees `e`. */
void ls_evidence_end(ls_evidence *e, const ls_pair *pair, ls_result *r);

#endif
