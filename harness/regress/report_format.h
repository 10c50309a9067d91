/* SPDX-License-Identifier: Apache-2.0 */
/* Texts and numbers for the reports of a regression: whatever a job printed becomes harmless in XML, HTML and Markdown. */
#ifndef LS_REPORT_FORMAT_H
#define LS_REPORT_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#include "harness/base/text.h"

/* A short text by value. */
typedef struct ls_word {
    char text[48];
} ls_word;

/* Appends `text` to XML or HTML, in an element or in an attribute with either quote: markup is escaped, and what XML 1.0 forbids
 * (control characters, bytes that are no UTF-8, U+FFFE and U+FFFF) becomes U+FFFD. Line ends and tabs stay in elements, and
 * become character references with ls_report_attribute. */
void ls_report_xml(ls_text *to, const char *text);
void ls_report_attribute(ls_text *to, const char *text);

/* Appends `text` with U+FFFD in place of what ls_report_xml replaces, and nothing escaped. */
void ls_report_plain(ls_text *to, const char *text);

/* Appends a relative path as a URL in an attribute: everything but letters, digits and "/._-" in percent codes. */
void ls_report_url(ls_text *to, const char *path);

/* Appends `text` as one line of Markdown: markup is escaped, also within tables; line ends become blanks; what ls_report_xml
 * replaces is replaced. */
void ls_report_markdown(ls_text *to, const char *text);

/* Appends `text` as a fenced code block, each line behind `indent`. */
void ls_report_fence(ls_text *to, const char *indent, const char *language, const char *text);

/* Appends `text` in ASCII as lines of at most `width` characters, broken at blanks, where a line that follows another begins with
 * `indent`; without a line's end. Words that are longer are cut, with "~" at their end. */
void ls_report_wrap(ls_text *to, const char *text, size_t width, const char *indent);

/* Appends a shell command in lines of at most `width` characters, broken at blanks outside quotes with a backslash, behind four
 * blanks. Returns 0, or -1 and appends nothing when it cannot be broken so. */
int ls_report_command(ls_text *to, const char *command, size_t width);

/* "1,234,567"; "12.3 M" (three digits, for 10,000 and more); "3 h 12 min"; "98.2 %" or "-" for what is below 0. */
ls_word ls_report_count(int64_t n);
ls_word ls_report_short(double n);
ls_word ls_report_duration(double seconds);
ls_word ls_report_percentage(double percent);

/* "2030-01-31 02:00 UTC" for "2030-01-31T02:00:00Z"; other texts as they are, cut. */
ls_word ls_report_date(const char *started);

/* `one` for 1, else `many`. */
const char *ls_report_plural(int64_t n, const char *one, const char *many);

#endif
