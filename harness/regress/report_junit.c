/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/regress/report_format.h"
#include "harness/regress/report_parts.h"

typedef enum outcome { PASSED, SKIPPED, FAILED, ERRED } outcome;

static const char *const elements[] = {"", "skipped", "failure", "error"};

/* A known issue counts as skipped: a reader shows it, and it makes no build fail. What never came to a comparison is an error. */
static outcome outcome_of(const ls_report_result *j) {
    static const char *const errors[] = {"crash", "hang", "usage", "build"};
    if (strcmp(j->verdict, "pass") == 0) return PASSED;
    if (strcmp(j->verdict, "known") == 0) return SKIPPED;
    if (strcmp(j->verdict, "open") == 0) return ERRED;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (strcmp(j->status, errors[i]) == 0) return ERRED;
    return FAILED;
}

static void attribute(ls_text *to, const char *key, const char *value) {
    ls_text_add(to, " %s=\"", key);
    ls_report_attribute(to, value);
    ls_text_add(to, "\"");
}

static void property(ls_text *to, const char *name, const char *value) {
    ls_text_add(to, "      <property");
    attribute(to, "name", name);
    attribute(to, "value", value);
    ls_text_add(to, "/>\n");
}

static void properties(const ls_report *n, ls_text *to) {
    ls_text_add(to, "    <properties>\n");
    property(to, "plan", n->plan);
    property(to, "source", n->source);
    property(to, "dirty", n->dirty < 0 ? "unknown" : n->dirty > 0 ? "true" : "false");
    property(to, "fresh", n->fresh);
    if (n->filter[0] != '\0') property(to, "filter", n->filter);
    for (size_t i = 0; i < n->tool_count; i++) {
        char *name = ls_format("tool.%s", n->tools[2 * i]);
        property(to, name, n->tools[2 * i + 1]);
        free(name);
    }
    ls_text_add(to, "    </properties>\n");
}

static const ls_report_bucket *bucket_of(const ls_report *n, const ls_report_result *j) {
    for (size_t i = 0; i < n->bucket_count; i++)
        if (strcmp(n->buckets[i].name, j->bucket) == 0) return &n->buckets[i];
    return NULL;
}

static void test_case(const ls_report *n, const ls_report_result *j, ls_text *to) {
    const outcome is = outcome_of(j);
    const char *type = strcmp(j->verdict, "open") == 0 ? "not ended" : j->status;
    const size_t prefix = strlen(j->unit);
    char *class = ls_format("%s.%s", n->title, j->unit);
    ls_text_add(to, "    <testcase");
    attribute(to, "classname", class);
    attribute(to, "name", strncmp(j->name, j->unit, prefix) == 0 && j->name[prefix] == '/' ? j->name + prefix + 1 : j->name);
    if (n->times) ls_text_add(to, " time=\"%.3f\"", j->seconds);
    free(class);
    if (is == PASSED) {
        ls_text_add(to, "/>\n");
        return;
    }
    char *message = ls_report_message(n, j), *command = ls_report_shown(n, j->command);
    char *line = ls_format("%s%s%s", type, message[0] != '\0' ? ": " : "", message);
    const ls_report_bucket *b = bucket_of(n, j);
    if (is == SKIPPED && b != NULL && b->known != NULL) {
        free(line);
        line = ls_format("known issue: %s (%s, %s)", b->known, b->owner, b->since);
    }
    ls_text_add(to, ">\n      <%s", elements[is]);
    if (is != SKIPPED) attribute(to, "type", type);
    attribute(to, "message", line);
    ls_text_add(to, ">");
    if (message[0] != '\0') {
        ls_report_xml(to, message);
        ls_text_add(to, "\n");
    }
    if (j->bucket[0] != '\0') {
        ls_text_add(to, "bucket: ");
        ls_report_xml(to, j->bucket);
        ls_text_add(to, "\n");
    }
    ls_text_add(to, "repeat: ");
    ls_report_xml(to, command);
    ls_text_add(to, "\n</%s>\n    </testcase>\n", elements[is]);
    free(line);
    free(message);
    free(command);
}

static void suite_head(const ls_report *n, const char *name, const int64_t count[4], double seconds, ls_text *to) {
    ls_text_add(to, "  <testsuite");
    attribute(to, "name", name);
    ls_text_add(to, " tests=\"%" PRId64 "\" failures=\"%" PRId64 "\" errors=\"%" PRId64 "\" skipped=\"%" PRId64 "\"",
                count[PASSED] + count[SKIPPED] + count[FAILED] + count[ERRED], count[FAILED], count[ERRED], count[SKIPPED]);
    if (n->times) {
        ls_text_add(to, " time=\"%.3f\"", seconds);
        /* Without the zone, which not every reader takes. */
        if (strlen(n->started) == 20 && n->started[10] == 'T' && n->started[19] == 'Z')
            ls_text_add(to, " timestamp=\"%.19s\"", n->started);
    }
    ls_text_add(to, ">\n");
    properties(n, to);
}

/* Findings that are no job's: a reader of this file alone must see that the regression failed. */
static bool is_case(const ls_report *n, const ls_report_finding *f) {
    if (!f->counts || strcmp(f->kind, "failure") == 0) return false;
    if (strcmp(f->kind, "survivor") != 0) return true;
    for (size_t i = 0; i < n->bucket_count; i++)
        if (strcmp(n->buckets[i].name, f->name) == 0) return false;
    return true;
}

static void findings(const ls_report *n, const int64_t count[4], ls_text *to) {
    suite_head(n, "findings", count, 0, to);
    for (size_t i = 0; i < n->finding_count; i++) {
        const ls_report_finding *f = &n->findings[i];
        if (!is_case(n, f)) continue;
        char *class = ls_format("%s.findings", n->title), *name = ls_format("%s: %s", f->kind, f->name),
             *text = ls_report_shown(n, f->text);
        ls_text_add(to, "    <testcase");
        attribute(to, "classname", class);
        attribute(to, "name", name);
        ls_text_add(to, ">\n      <failure");
        attribute(to, "type", f->kind);
        attribute(to, "message", text);
        ls_text_add(to, "/>\n    </testcase>\n");
        free(class);
        free(name);
        free(text);
    }
    if (count[ERRED] > 0) {
        ls_text_add(to, "    <testcase");
        attribute(to, "classname", "findings");
        ls_text_add(
            to, " name=\"regression is complete\">\n      <error type=\"incomplete\" message=\"not every job has ended\"/>\n  "
                "  </testcase>\n");
    }
    ls_text_add(to, "  </testsuite>\n");
}

void ls_report_junit(const ls_report *n, ls_text *to) {
    int64_t all[4] = {0}, others[4] = {0};
    for (size_t i = 0; i < n->job_count; i++) all[outcome_of(&n->jobs[i])]++;
    for (size_t i = 0; i < n->finding_count; i++) others[FAILED] += is_case(n, &n->findings[i]);
    others[ERRED] = strcmp(ls_report_verdict(n), "INCOMPLETE") == 0;
    int64_t tests = 0;
    for (int i = 0; i < 4; i++) tests += all[i] + others[i];
    char *name = ls_format("rf-lockstep %s", n->title);
    ls_text_add(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    attribute(to, "name", name);
    free(name);
    ls_text_add(to, " tests=\"%" PRId64 "\" failures=\"%" PRId64 "\" errors=\"%" PRId64 "\"", tests, all[FAILED] + others[FAILED],
                all[ERRED] + others[ERRED]);
    if (n->times) ls_text_add(to, " time=\"%.3f\"", n->seconds);
    ls_text_add(to, ">\n");
    for (size_t u = 0; u < n->unit_count; u++) {
        const ls_report_unit *unit = &n->units[u];
        if (unit->jobs == 0) continue;
        int64_t count[4] = {0};
        for (size_t i = 0; i < n->job_count; i++)
            if (strcmp(n->jobs[i].unit, unit->name) == 0) count[outcome_of(&n->jobs[i])]++;
        suite_head(n, unit->name, count, unit->seconds, to);
        for (size_t i = 0; i < n->job_count; i++)
            if (strcmp(n->jobs[i].unit, unit->name) == 0) test_case(n, &n->jobs[i], to);
        ls_text_add(to, "  </testsuite>\n");
    }
    if (others[FAILED] + others[ERRED] > 0) findings(n, others, to);
    ls_text_add(to, "</testsuites>\n");
}
