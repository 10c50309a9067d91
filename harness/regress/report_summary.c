/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/regress/report_format.h"
#include "harness/regress/report_parts.h"

static void bullet(ls_text *to, const char *what, const char *text) {
    ls_text_add(to, "- %s", what);
    ls_report_markdown(to, text);
    ls_text_add(to, "\n");
}

static void finding(const ls_report *n, const ls_report_finding *f, ls_text *to) {
    char *text = ls_report_shown(n, f->text);
    ls_text_add(to, "- **");
    ls_report_markdown(to, f->kind);
    ls_text_add(to, "** ");
    ls_report_markdown(to, f->name);
    if (text[0] != '\0') ls_text_add(to, ": ");
    ls_report_markdown(to, text);
    ls_text_add(to, "\n");
    free(text);
}

/* Those that count, or those that are told, at most `most` of `all`. */
static void finding_list(const ls_report *n, bool counts, size_t all, size_t most, ls_text *to) {
    size_t shown = 0;
    for (size_t i = 0; i < n->finding_count && shown < most; i++) {
        const ls_report_finding *f = &n->findings[i];
        if (counts ? !f->counts : !ls_report_is_information(n, f)) continue;
        finding(n, f, to);
        shown++;
    }
    if (shown < all) ls_text_add(to, "- and %zu more: report.html has them all\n", all - shown);
}

static void findings(const ls_report *n, ls_text *to) {
    const size_t told = ls_report_count_information(n);
    ls_text_add(to, "\n## Findings\n\n");
    if (n->counting == 0) ls_text_add(to, "None%s.\n", told > 0 ? " that makes the regression fail" : "");
    finding_list(n, true, (size_t)n->counting, 100, to);
    if (told > 0) ls_text_add(to, "\nFor information: %zu\n\n", told);
    finding_list(n, false, told, 20, to);
}

static void job_line(const ls_report *n, const char *what, int64_t number, ls_text *to) {
    const ls_report_result *j = ls_report_find(n, number);
    if (j == NULL) return;
    ls_text_add(to, "- %s: ", what);
    ls_report_markdown(to, j->name);
    ls_text_add(to, " (%s cycles)\n", ls_report_count(j->cycles).text);
}

static void bucket(const ls_report *n, const ls_report_bucket *b, ls_text *to) {
    const ls_report_result *j = ls_report_find(n, b->earliest);
    ls_text_add(to, "\n### ");
    ls_report_markdown(to, b->name);
    ls_text_add(to, "\n\n- %s %s\n", ls_report_count(b->jobs).text, ls_report_plural(b->jobs, "job", "jobs"));
    if (b->known != NULL) {
        ls_text_add(to, "- known: ");
        ls_report_markdown(to, b->known);
        ls_text_add(to, " (");
        ls_report_markdown(to, b->owner);
        ls_text_add(to, ", ");
        ls_report_markdown(to, b->since);
        ls_text_add(to, ")\n");
    }
    for (size_t i = 0; i < n->story_count; i++)
        if (strcmp(n->stories[i].name, b->name) == 0)
            ls_text_add(to, "- first seen in regression %" PRId64 ", in %" PRId64 " %s by now\n", n->stories[i].first,
                        n->stories[i].regressions, ls_report_plural(n->stories[i].regressions, "regression", "regressions"));
    job_line(n, "earliest", b->earliest, to);
    if (b->shortest != b->earliest) job_line(n, "shortest", b->shortest, to);
    if (b->other >= 0) job_line(n, "other parameters", b->other, to);
    if (b->reproduced == 0) ls_text_add(to, "- **not reproducible**: the earliest did not fail again\n");
    if (b->shrunk_cycles >= 0) ls_text_add(to, "- shrunk to %s cycles\n", ls_report_count(b->shrunk_cycles).text);
    if (b->folder[0] != '\0') bullet(to, "looked into in ", b->folder);
    if (b->note[0] != '\0') {
        char *note = ls_report_shown(n, b->note);
        bullet(to, "", note);
        free(note);
    }
    if (j == NULL) return;
    char *message = ls_report_message(n, j), *command = ls_report_shown(n, j->command);
    if (message[0] != '\0') bullet(to, "message: ", message);
    ls_text_add(to, "\nRepeat the earliest:\n\n");
    ls_report_fence(to, "", "sh", command);
    free(message);
    free(command);
}

static void buckets(const ls_report *n, ls_text *to) {
    ls_text_add(to, "\n## Failures by bucket\n");
    if (n->bucket_count == 0) ls_text_add(to, "\nNone.\n");
    for (size_t i = 0; i < n->bucket_count; i++) bucket(n, &n->buckets[i], to);
}

static void units(const ls_report *n, ls_text *to) {
    ls_text_add(to, "\n## Units\n\n| unit | jobs | cycles | bits compared | failed | known | line | toggle | model line | model "
                    "branch | bins |"
                    " mutants, RTL | mutants, model |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for (size_t i = 0; i < n->unit_count; i++) {
        const ls_report_unit *u = &n->units[i];
        ls_text_add(to, "| ");
        ls_report_markdown(to, u->name);
        ls_text_add(to, " | %s | %s |", ls_report_count(u->jobs).text, ls_report_count(u->cycles).text);
        ls_text_add(to, " %s | %s | %s |", ls_report_count(u->bits).text, ls_report_count(u->failed).text,
                    ls_report_count(u->known).text);
        for (size_t k = 0; k < LS_REPORT_KINDS; k++)
            ls_text_add(to, " %s |", ls_report_percentage(ls_report_percent(&u->cover[k])).text);
        ls_text_add(to, " %" PRId64 " of %" PRId64 " |", u->bins.hit, u->bins.total);
        for (size_t k = 0; k < LS_REPORT_SIDES; k++)
            ls_text_add(to, " %s |", ls_report_percentage(ls_report_score(&u->mutation[k])).text);
        ls_text_add(to, "\n");
    }
    ls_text_add(to, "\nCoverage is of the points that are not waived; mutants are killed of those not proved equivalent.\n");
    for (size_t k = 0; k < LS_MUTANTS_PARTS; k++)
        if (n->part[k].made > 0)
            ls_text_add(to, "Of the %s %" PRId64 " of %" PRId64 " mutants were killed.\n", ls_mutants_part(k), n->part[k].killed,
                        n->part[k].made);
}

static void not_run(const ls_report *n, ls_text *to) {
    ls_text_add(to, "\n## Not run\n\n");
    if (n->filter[0] == '\0') ls_text_add(to, "No filter: every job of the plan is in this regression.\n");
    else {
        ls_text_add(to, "This regression was filtered and says nothing about what it left out: ");
        ls_report_markdown(to, n->filter);
        ls_text_add(to, "\n");
    }
    if (strcmp(ls_report_verdict(n), "INCOMPLETE") == 0)
        ls_text_add(to, "\nIncomplete: not every job has ended; `--resume` runs the rest.\n");
    if (n->absent_count == 0) return;
    ls_text_add(to, "\nIn regression %" PRId64 ", but not in this one: ", n->before);
    for (size_t i = 0; i < n->absent_count && i < LS_REPORT_ABSENT; i++) {
        if (i > 0) ls_text_add(to, ", ");
        ls_report_markdown(to, n->absent[i]);
    }
    if (n->absent_count > LS_REPORT_ABSENT) ls_text_add(to, " and %zu more", n->absent_count - LS_REPORT_ABSENT);
    ls_text_add(to, "\n");
}

static void lost(const ls_report *n, ls_text *to) {
    if (!n->times) return;
    ls_text_add(to, "\n## Lost attempts\n\n");
    if (n->lost_count == 0) ls_text_add(to, "None.\n");
    for (size_t i = 0; i < n->lost_count; i++) {
        const ls_report_lost *l = &n->lost[i];
        ls_text_add(to, "- ");
        ls_report_markdown(to, l->name);
        ls_text_add(to, ", attempt %" PRId64 " on ", l->attempt);
        ls_report_markdown(to, l->host);
        ls_text_add(to, ": ");
        ls_report_markdown(to, l->how);
        ls_text_add(to, "\n");
    }
}

static void made(const ls_report *n, ls_text *to) {
    char *source = ls_report_source(n), *again = ls_report_again(n);
    ls_text_add(to, "\n## Made with\n\n");
    bullet(to, "plan: ", n->plan);
    bullet(to, "source: ", source);
    bullet(to, "base of the fresh seeds: ", n->fresh);
    for (size_t i = 0; i < n->tool_count; i++) {
        ls_text_add(to, "- ");
        ls_report_markdown(to, n->tools[2 * i]);
        ls_text_add(to, ": ");
        ls_report_markdown(to, n->tools[2 * i + 1]);
        ls_text_add(to, "\n");
    }
    if (n->times) {
        ls_text_add(to, "- %" PRId64 " %s at a time%s", n->width, ls_report_plural(n->width, "job", "jobs"),
                    n->launch[0] != '\0' ? ", through " : "");
        ls_report_markdown(to, n->launch);
        ls_text_add(to, "\n");
        bullet(to, "folder: ", n->folder);
    }
    ls_text_add(to, "\nThe same jobs again:\n\n");
    ls_report_fence(to, "", "sh", again);
    free(source);
    free(again);
}

void ls_report_summary(const ls_report *n, ls_text *to) {
    char *title = ls_report_title(n), *facts = ls_report_facts(n);
    ls_text_add(to, "# %s: ", ls_report_verdict(n));
    ls_report_markdown(to, title);
    ls_text_add(to, "\n\n%s.\n%s cycles in lockstep, ", facts, ls_report_count(n->cycles).text);
    ls_text_add(to, "%s bits compared.\n%" PRId64 " %s", ls_report_count(n->bits).text, n->counting,
                ls_report_plural(n->counting, "finding", "findings"));
    if (n->times) {
        ls_text_add(to, ". Started ");
        ls_report_markdown(to, ls_report_date(n->started).text);
    }
    ls_text_add(to, ".\n");
    if (n->dirty > 0) ls_text_add(to, "**The work tree differed from the commit.**\n");
    free(title);
    free(facts);
    findings(n, to);
    buckets(n, to);
    units(n, to);
    not_run(n, to);
    lost(n, to);
    made(n, to);
}
