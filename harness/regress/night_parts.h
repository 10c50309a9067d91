/* SPDX-License-Identifier: Apache-2.0 */
/* The reports of a night, each from the night alone, and the words that they share. Without `times` in the night nothing that
 * differs between two runs of the same jobs is written. */
#ifndef LS_NIGHT_PARTS_H
#define LS_NIGHT_PARTS_H

#include "harness/base/text.h"
#include "harness/regress/night_data.h"

/* One JSON object a job, in the plan's order; the same with and without `times`. */
void ls_night_results(const ls_night *night, ls_text *to);

/* JUnit's XML as Jenkins, GitLab and others read it. */
void ls_night_junit(const ls_night *night, ls_text *to);

/* Markdown; plain text of 72 columns and at most 30 lines, the first of which is a subject. */
void ls_night_summary(const ls_night *night, ls_text *to);
void ls_night_mail(const ls_night *night, ls_text *to);

/* One page that needs nothing but itself. `folder` is where it will lie: pictures are read from there, and links lead into it. */
void ls_night_html(const ls_night *night, const char *folder, ls_text *to);

/* "PASS", "FAIL", "INCOMPLETE". */
const char *ls_night_verdict(const ls_night *night);

/* "nightly #12", without `times` "nightly". To be freed, as all that follow. */
char *ls_night_title(const ls_night *night);

/* "1,500 jobs of 45 units: 1,490 passed, 6 failed, 4 known", and with `times` how long it took. */
char *ls_night_facts(const ls_night *night);

/* Whether a finding is told for information; how many are. What differs between two runs of the same jobs takes `times`. */
bool ls_night_tells(const ls_night *night, const ls_night_finding *finding);
size_t ls_night_told(const ls_night *night);

/* The commit and, in words, whether the work tree differed from it. */
char *ls_night_source(const ls_night *night);

/* The command that runs the same jobs again, by the program that its jobs were run by. */
char *ls_night_again(const ls_night *night);

#endif
