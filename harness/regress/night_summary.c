/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/regress/night_format.h"
#include "harness/regress/night_parts.h"

static void bullet(ls_text *to, const char *what, const char *text) {
    ls_text_add(to, "- %s", what);
    ls_night_markdown(to, text);
    ls_text_add(to, "\n");
}

static void finding(const ls_night *n, const ls_night_finding *f, ls_text *to) {
    char *text = ls_night_shown(n, f->text);
    ls_text_add(to, "- **");
    ls_night_markdown(to, f->kind);
    ls_text_add(to, "** ");
    ls_night_markdown(to, f->name);
    if (text[0] != '\0') ls_text_add(to, ": ");
    ls_night_markdown(to, text);
    ls_text_add(to, "\n");
    free(text);
}

/* Those that count, or those that are told, at most `most` of `all`. */
static void finding_list(const ls_night *n, bool counts, size_t all, size_t most, ls_text *to) {
    size_t shown = 0;
    for (size_t i = 0; i < n->finding_count && shown < most; i++) {
        const ls_night_finding *f = &n->findings[i];
        if (counts ? !f->counts : !ls_night_tells(n, f)) continue;
        finding(n, f, to);
        shown++;
    }
    if (shown < all) ls_text_add(to, "- and %zu more: report.html has them all\n", all - shown);
}

static void findings(const ls_night *n, ls_text *to) {
    const size_t told = ls_night_told(n);
    ls_text_add(to, "\n## Findings\n\n");
    if (n->counting == 0) ls_text_add(to, "None%s.\n", told > 0 ? " that makes the night fail" : "");
    finding_list(n, true, (size_t)n->counting, 100, to);
    if (told > 0) ls_text_add(to, "\nFor information: %zu\n\n", told);
    finding_list(n, false, told, 20, to);
}

static void job_line(const ls_night *n, const char *what, int64_t number, ls_text *to) {
    const ls_night_result *j = ls_night_find(n, number);
    if (j == NULL) return;
    ls_text_add(to, "- %s: ", what);
    ls_night_markdown(to, j->name);
    ls_text_add(to, " (%s cycles)\n", ls_night_count(j->cycles).text);
}

static void bucket(const ls_night *n, const ls_night_bucket *b, ls_text *to) {
    const ls_night_result *j = ls_night_find(n, b->earliest);
    ls_text_add(to, "\n### ");
    ls_night_markdown(to, b->name);
    ls_text_add(to, "\n\n- %s %s\n", ls_night_count(b->jobs).text, ls_night_plural(b->jobs, "job", "jobs"));
    if (b->known != NULL) {
        ls_text_add(to, "- known: ");
        ls_night_markdown(to, b->known);
        ls_text_add(to, " (");
        ls_night_markdown(to, b->owner);
        ls_text_add(to, ", ");
        ls_night_markdown(to, b->since);
        ls_text_add(to, ")\n");
    }
    for (size_t i = 0; i < n->story_count; i++)
        if (strcmp(n->stories[i].name, b->name) == 0)
            ls_text_add(to, "- first seen in night %" PRId64 ", in %" PRId64 " %s by now\n", n->stories[i].first,
                        n->stories[i].nights, ls_night_plural(n->stories[i].nights, "night", "nights"));
    job_line(n, "earliest", b->earliest, to);
    if (b->shortest != b->earliest) job_line(n, "shortest", b->shortest, to);
    if (b->other >= 0) job_line(n, "other parameters", b->other, to);
    if (b->reproduced == 0) ls_text_add(to, "- **not reproducible**: the earliest did not fail again\n");
    if (b->shrunk_cycles >= 0) ls_text_add(to, "- shrunk to %s cycles\n", ls_night_count(b->shrunk_cycles).text);
    if (b->folder[0] != '\0') bullet(to, "looked into in ", b->folder);
    if (b->note[0] != '\0') {
        char *note = ls_night_shown(n, b->note);
        bullet(to, "", note);
        free(note);
    }
    if (j == NULL) return;
    char *message = ls_night_message(n, j), *command = ls_night_shown(n, j->command);
    if (message[0] != '\0') bullet(to, "message: ", message);
    ls_text_add(to, "\nRepeat the earliest:\n\n");
    ls_night_fence(to, "", "sh", command);
    free(message);
    free(command);
}

static void buckets(const ls_night *n, ls_text *to) {
    ls_text_add(to, "\n## Failures by bucket\n");
    if (n->bucket_count == 0) ls_text_add(to, "\nNone.\n");
    for (size_t i = 0; i < n->bucket_count; i++) bucket(n, &n->buckets[i], to);
}

static void units(const ls_night *n, ls_text *to) {
    ls_text_add(to, "\n## Units\n\n| unit | jobs | cycles | bits compared | failed | known | line | toggle | model line | model "
                    "branch | bins |"
                    " mutants, RTL | mutants, model |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for (size_t i = 0; i < n->unit_count; i++) {
        const ls_night_unit *u = &n->units[i];
        ls_text_add(to, "| ");
        ls_night_markdown(to, u->name);
        ls_text_add(to, " | %s | %s |", ls_night_count(u->jobs).text, ls_night_count(u->cycles).text);
        ls_text_add(to, " %s | %s | %s |", ls_night_count(u->bits).text, ls_night_count(u->failed).text,
                    ls_night_count(u->known).text);
        for (size_t k = 0; k < LS_NIGHT_KINDS; k++)
            ls_text_add(to, " %s |", ls_night_percentage(ls_night_percent(&u->cover[k])).text);
        ls_text_add(to, " %" PRId64 " of %" PRId64 " |", u->bins.hit, u->bins.total);
        for (size_t k = 0; k < LS_NIGHT_SIDES; k++)
            ls_text_add(to, " %s |", ls_night_percentage(ls_night_score(&u->mutation[k])).text);
        ls_text_add(to, "\n");
    }
    ls_text_add(to, "\nCoverage is of the points that are not waived; mutants are killed of those not proved equivalent.\n");
    if (n->comparer.made > 0)
        ls_text_add(to, "Comparer: %" PRId64 " of %" PRId64 " mutants killed.\n", n->comparer.killed, n->comparer.made);
}

static void not_run(const ls_night *n, ls_text *to) {
    ls_text_add(to, "\n## Not run\n\n");
    if (n->filter[0] == '\0') ls_text_add(to, "No filter: every job of the plan is in this night.\n");
    else {
        ls_text_add(to, "This night was filtered and says nothing about what it left out: ");
        ls_night_markdown(to, n->filter);
        ls_text_add(to, "\n");
    }
    if (strcmp(ls_night_verdict(n), "INCOMPLETE") == 0)
        ls_text_add(to, "\nIncomplete: not every job has ended; `--resume` runs the rest.\n");
    if (n->absent_count == 0) return;
    ls_text_add(to, "\nIn night %" PRId64 ", but not in this one: ", n->before);
    for (size_t i = 0; i < n->absent_count && i < LS_NIGHT_ABSENT; i++) {
        if (i > 0) ls_text_add(to, ", ");
        ls_night_markdown(to, n->absent[i]);
    }
    if (n->absent_count > LS_NIGHT_ABSENT) ls_text_add(to, " and %zu more", n->absent_count - LS_NIGHT_ABSENT);
    ls_text_add(to, "\n");
}

static void lost(const ls_night *n, ls_text *to) {
    if (!n->times) return;
    ls_text_add(to, "\n## Lost attempts\n\n");
    if (n->lost_count == 0) ls_text_add(to, "None.\n");
    for (size_t i = 0; i < n->lost_count; i++) {
        const ls_night_lost *l = &n->lost[i];
        ls_text_add(to, "- ");
        ls_night_markdown(to, l->name);
        ls_text_add(to, ", attempt %" PRId64 " on ", l->attempt);
        ls_night_markdown(to, l->host);
        ls_text_add(to, ": ");
        ls_night_markdown(to, l->how);
        ls_text_add(to, "\n");
    }
}

static void made(const ls_night *n, ls_text *to) {
    char *source = ls_night_source(n), *again = ls_night_again(n);
    ls_text_add(to, "\n## Made with\n\n");
    bullet(to, "plan: ", n->plan);
    bullet(to, "source: ", source);
    bullet(to, "base of the fresh seeds: ", n->fresh);
    for (size_t i = 0; i < n->tool_count; i++) {
        ls_text_add(to, "- ");
        ls_night_markdown(to, n->tools[2 * i]);
        ls_text_add(to, ": ");
        ls_night_markdown(to, n->tools[2 * i + 1]);
        ls_text_add(to, "\n");
    }
    if (n->times) {
        ls_text_add(to, "- %" PRId64 " %s at a time%s", n->width, ls_night_plural(n->width, "job", "jobs"),
                    n->launch[0] != '\0' ? ", through " : "");
        ls_night_markdown(to, n->launch);
        ls_text_add(to, "\n");
        bullet(to, "folder: ", n->folder);
    }
    ls_text_add(to, "\nThe same jobs again:\n\n");
    ls_night_fence(to, "", "sh", again);
    free(source);
    free(again);
}

void ls_night_summary(const ls_night *n, ls_text *to) {
    char *title = ls_night_title(n), *facts = ls_night_facts(n);
    ls_text_add(to, "# %s: ", ls_night_verdict(n));
    ls_night_markdown(to, title);
    ls_text_add(to, "\n\n%s.\n%s cycles in lockstep, ", facts, ls_night_count(n->cycles).text);
    ls_text_add(to, "%s bits compared.\n%" PRId64 " %s", ls_night_count(n->bits).text, n->counting,
                ls_night_plural(n->counting, "finding", "findings"));
    if (n->times) {
        ls_text_add(to, ". Started ");
        ls_night_markdown(to, ls_night_date(n->started).text);
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
