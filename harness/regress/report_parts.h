/* SPDX-License-Identifier: Apache-2.0 */
/* The reports of a regression, each from its data alone, and the words that they share. Without `times` in the data nothing that
 * differs between two runs of the same jobs is written. */
#ifndef LS_REPORT_PARTS_H
#define LS_REPORT_PARTS_H

#include "harness/base/text.h"
#include "harness/regress/report_data.h"

/* One JSON object a job, in the plan's order; the same with and without `times`. */
void ls_report_results(const ls_report *report, ls_text *to);

/* JUnit's XML as Jenkins, GitLab and others read it. */
void ls_report_junit(const ls_report *report, ls_text *to);

/* Markdown. */
void ls_report_summary(const ls_report *report, ls_text *to);

/* One page that needs nothing but itself. `folder` is where it will lie: pictures are read from there, and links lead into it. */
void ls_report_html(const ls_report *report, const char *folder, ls_text *to);

/* "PASS", "FAIL", "INCOMPLETE". */
const char *ls_report_verdict(const ls_report *report);

/* "nightly #12", without `times` "nightly". To be freed, as all that follow. */
char *ls_report_title(const ls_report *report);

/* "1,500 jobs of 45 units: 1,490 passed, 6 failed, 4 known", and with `times` how long it took. */
char *ls_report_facts(const ls_report *report);

/* Whether a finding is told for information; how many are. What differs between two runs of the same jobs takes `times`. */
bool ls_report_is_information(const ls_report *report, const ls_report_finding *finding);
size_t ls_report_count_information(const ls_report *report);

/* The commit and, in words, whether the work tree differed from it. */
char *ls_report_source(const ls_report *report);

/* The command that runs the same jobs again, by the program that its jobs were run by. */
char *ls_report_again(const ls_report *report);

#endif
