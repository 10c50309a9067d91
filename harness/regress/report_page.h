/* SPDX-License-Identifier: Apache-2.0 */
/* The sections of report.html, and what they share. The page is also well-formed XML: every element is closed, every attribute
 * quoted. */
#ifndef LS_REPORT_PAGE_H
#define LS_REPORT_PAGE_H

#include "harness/base/text.h"
#include "harness/regress/report_data.h"

/* report.css and report.js, whole. Neither has a character that XML would take for markup. */
extern const char ls_page_css[], ls_page_js[];

/* Sections, each from its <section> to its </section>; nothing where there is nothing to show. */
void ls_page_findings(const ls_report *report, ls_text *to);
void ls_page_failures(const ls_report *report, const char *folder, ls_text *to);
void ls_page_units(const ls_report *report, ls_text *to);
void ls_page_trend(const ls_report *report, ls_text *to);
void ls_page_coverage(const ls_report *report, ls_text *to);
void ls_page_mutation(const ls_report *report, ls_text *to);
void ls_page_speed(const ls_report *report, ls_text *to);
void ls_page_jobs(const ls_report *report, ls_text *to);

/* "pass", "fail", "known", "open": a class of the style sheet for the verdict of a job or a regression. */
const char *ls_page_class(const char *verdict);

/* The sign that stands beside the colour of such a class. */
const char *ls_page_sign(const char *class);

/* A command to be copied. */
void ls_page_command(ls_text *to, const char *command);

/* The start of a table in a box of its own that scrolls sideways; `caption` names it. Ends with "</table></div>". */
void ls_page_table(ls_text *to, const char *class, const char *caption);

/* A head row: `heads` ends with NULL; those that begin with "#" are for numbers. */
void ls_page_heads(ls_text *to, const char *const *heads);

/* The number of the bucket in the page ("#bucket-3"), or 0. */
size_t ls_page_bucket(const ls_report *report, const char *name);

#endif
