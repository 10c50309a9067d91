/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/regress/report_format.h"
#include "harness/regress/report_parts.h"

enum { COLUMNS = 72, LINES = 30, FINDINGS = 6, COMMAND_LINES = 6, NAMES = 3 };

/* `text` wrapped, and cut after `most` lines. */
static void lines(ls_text *to, const char *text, size_t most, const char *indent) {
    ls_text all = {0};
    ls_report_wrap(&all, text, COLUMNS, indent);
    size_t length = 0;
    for (size_t i = 0; i < most && length < all.size; i++) {
        const char *end = strchr(all.data + length, '\n');
        length = end != NULL ? (size_t)(end - all.data) + 1 : all.size;
    }
    while (length > 0 && all.data[length - 1] == '\n') length--;
    ls_text_put(to, all.data != NULL ? all.data : "", length);
    ls_text_add(to, "\n");
    free(all.data);
}

static size_t lines_of(const ls_text *text) {
    size_t count = 0;
    for (size_t i = 0; i < text->size; i++) count += text->data[i] == '\n';
    return count;
}

/* At most `most` of them, and where the others are. */
static void findings(const ls_report *n, ls_text *to, size_t most) {
    size_t shown = 0;
    if (n->counting > 0) ls_text_add(to, "\n%" PRId64 " %s:\n", n->counting, ls_report_plural(n->counting, "finding", "findings"));
    for (size_t i = 0; i < n->finding_count && shown < most; i++) {
        const ls_report_finding *f = &n->findings[i];
        if (!f->counts) continue;
        char *line = ls_format("- %s: %s", f->kind, f->name);
        lines(to, line, 1, "");
        free(line);
        shown++;
    }
    if ((int64_t)shown < n->counting)
        ls_text_add(to, "- and %" PRId64 " more: summary.md has them\n", n->counting - (int64_t)shown);
    const size_t told = ls_report_count_information(n);
    if (told > 0)
        ls_text_add(to, "%s%zu for information: summary.md has %s.\n", n->counting == 0 ? "\n" : "", told,
                    ls_report_plural((int64_t)told, "it", "them"));
}

/* Buckets that began or ended in this one, by name, a line each. */
static void changes(const ls_report *n, ls_text *to) {
    for (int fixed = 0; fixed < 2; fixed++) {
        ls_text all = {0};
        int64_t count = 0;
        for (size_t i = 0; i < n->story_count; i++) {
            const ls_report_story *s = &n->stories[i];
            if (fixed != 0 ? s->fixed != n->id : s->first != n->id) continue;
            if (count++ < NAMES) ls_text_add(&all, "%s%s", count > 1 ? ", " : "", s->name);
        }
        if (count > 0) {
            char *line =
                ls_format("%s (%" PRId64 "): %s%s", fixed != 0 ? "Fixed" : "New", count, all.data, count > NAMES ? ", ..." : "");
            lines(to, line, 2, "  ");
            free(line);
        }
        free(all.data);
    }
}

/* The command that repeats the first failure that is no known issue. */
static void first_failure(const ls_report *n, ls_text *to) {
    const bool any = n->bucket_count > 0 && n->buckets[0].known == NULL;
    const ls_report_result *j = any ? ls_report_find(n, n->buckets[0].earliest) : NULL;
    if (j == NULL) return;
    ls_text made = {0};
    char *command = ls_report_shown(n, j->command);
    size_t count = 1;
    bool fits = ls_report_command(&made, command, COLUMNS) == 0;
    for (const char *c = made.data; fits && *c != '\0'; c++) count += *c == '\n';
    fits = fits && count <= COMMAND_LINES;
    ls_text_add(to, "\nThe first failure again:\n%s\n", fits ? made.data : "    (too long for a mail: summary.md has it)");
    free(command);
    free(made.data);
}

void ls_report_mail(const ls_report *n, ls_text *to) {
    char *title = ls_report_title(n), *facts = ls_report_facts(n), *source = ls_report_source(n);
    char *state = n->counting > 0 ? ls_format("%" PRId64 " %s", n->counting, ls_report_plural(n->counting, "finding", "findings"))
                                  : ls_format("%s jobs", ls_report_count((int64_t)n->job_count).text);
    char *subject = ls_format("Subject: [rf-lockstep] %s %.24s: %s, %s known", ls_report_verdict(n), title, state,
                              ls_report_count(n->known).text);
    lines(to, subject, 1, "");
    char *verdict =
        ls_format("%s. %s. %s cycles in lockstep.", ls_report_verdict(n), facts, ls_report_short((double)n->cycles).text);
    ls_text_add(to, "\n");
    lines(to, verdict, 3, "");
    if (n->filter[0] != '\0') {
        char *line = ls_format("Filtered, says nothing about the rest: %s", n->filter);
        lines(to, line, 1, "");
        free(line);
    }
    if (n->lost_count > 0)
        ls_text_add(to, "%zu lost %s, tried again.\n", n->lost_count,
                    ls_report_plural((int64_t)n->lost_count, "attempt", "attempts"));
    ls_text rest = {0};
    changes(n, &rest);
    first_failure(n, &rest);
    ls_text_add(&rest, "\n");
    char *line = ls_format("Source: %s", source);
    lines(&rest, line, 2, "  ");
    free(line);
    line = ls_format("Fresh seeds: %s", n->fresh);
    lines(&rest, line, 1, "");
    /* A path is of use only whole. */
    if (n->times && strlen(n->folder) + strlen("/report.html") + 4 <= COLUMNS)
        ls_text_add(&rest, "Report:\n    %s/report.html\n", n->folder);
    else ls_text_add(&rest, "Report: report.html in the folder of the regression.\n");
    /* Around the findings: an empty line, how many, how many more, what is for information. */
    const size_t others = lines_of(to) + lines_of(&rest) + 4, left = others + 1 < LINES ? LINES - others : 1;
    findings(n, to, left < FINDINGS ? left : FINDINGS);
    ls_text_put(to, rest.data, rest.size);
    free(ls_text_take(&rest));
    free(line);
    free(verdict);
    free(subject);
    free(state);
    free(source);
    free(facts);
    free(title);
}
