/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/regress/report_format.h"
#include "harness/regress/report_parts.h"

const char *ls_report_verdict(const ls_report *n) {
    if (strcmp(n->verdict, "pass") == 0) return "PASS";
    return strcmp(n->verdict, "fail") == 0 ? "FAIL" : "INCOMPLETE";
}

char *ls_report_title(const ls_report *n) { return n->times ? ls_format("%s #%" PRId64, n->title, n->id) : ls_copy(n->title); }

char *ls_report_facts(const ls_report *n) {
    ls_text out = {0};
    size_t units = 0;
    for (size_t i = 0; i < n->unit_count; i++) units += n->units[i].jobs > 0;
    ls_text_add(&out, "%s %s of %zu %s: %s passed, ", ls_report_count((int64_t)n->job_count).text,
                ls_report_plural((int64_t)n->job_count, "job", "jobs"), units, ls_report_plural((int64_t)units, "unit", "units"),
                ls_report_count(n->passed).text);
    ls_text_add(&out, "%s failed, %s known", ls_report_count(n->failed).text, ls_report_count(n->known).text);
    if (n->open > 0) ls_text_add(&out, ", %s not ended", ls_report_count(n->open).text);
    if (n->times) ls_text_add(&out, ", in %s", ls_report_duration(n->seconds).text);
    return ls_text_take(&out);
}

char *ls_report_source(const ls_report *n) {
    if (n->source[0] == '\0') return ls_copy("outside git: no commit is known");
    return ls_format("%s, %s", n->source,
                     n->dirty == 0  ? "a clean work tree"
                     : n->dirty > 0 ? "but the work tree differed from it: changes that are in no commit"
                                    : "and it is not known whether the work tree differed from it");
}

bool ls_report_is_information(const ls_report *n, const ls_report_finding *f) {
    return !f->counts && (n->times || (strcmp(f->kind, "lost") != 0 && strcmp(f->kind, "clock") != 0));
}

size_t ls_report_count_information(const ls_report *n) {
    size_t told = 0;
    for (size_t i = 0; i < n->finding_count; i++) told += ls_report_is_information(n, &n->findings[i]);
    return told;
}

/* The word behind `option` in a command that ls_shell_word made, as the shell reads it, to be freed; NULL: none. */
static char *option_word(const char *command, const char *option) {
    const char *c = strstr(command, option);
    ls_text word = {0};
    bool quoted = false;
    if (c == NULL) return NULL;
    for (c += strlen(option); *c != '\0' && (quoted || *c != ' '); c++) {
        if (*c == '\'') quoted = !quoted;
        else ls_text_put(&word, !quoted && *c == '\\' && c[1] != '\0' ? ++c : c, 1);
    }
    return word.size > 0 ? ls_text_take(&word) : NULL;
}

/* The folder below which the regression's traces lie, as their jobs name it, to be freed; NULL: it has none. */
static char *traces_of(const ls_report *n) {
    for (size_t i = 0; i < n->job_count; i++) {
        const ls_report_result *j = &n->jobs[i];
        const bool trace = strncmp(j->stimulus, "trace:", 6) == 0;
        char *path = trace ? option_word(j->command, " --workload ") : NULL;
        if (path == NULL) continue;
        const size_t all = strlen(path), below = strlen(j->stimulus + 6);
        if (all > below + 1 && strcmp(path + all - below, j->stimulus + 6) == 0) {
            path[all - below - 1] = '\0'; /* the slash */
            return path;
        }
        free(path);
    }
    return NULL;
}

/* The program as the regression was started, which begins the commands of its jobs, quoted as the shell needs it; to be freed. */
static char *tool_of(const ls_report *n) {
    for (size_t i = 0; i < n->job_count; i++) {
        const char *command = n->jobs[i].command, *c = command;
        for (bool quoted = false; *c != '\0' && (quoted || *c != ' '); c++) {
            if (*c == '\'') quoted = !quoted;
            else if (!quoted && *c == '\\' && c[1] != '\0') c++;
        }
        if (c > command) return ls_format("%.*s", (int)(c - command), command);
    }
    return ls_copy("build/lockstep");
}

char *ls_report_again(const ls_report *n) {
    /* "--only PATTERN --tier N, no traces": the last part is no option. */
    const char *words = strstr(n->filter, "no traces");
    const size_t all = words != NULL ? (size_t)(words - n->filter) : strlen(n->filter),
                 length = all >= 2 && words != NULL ? all - 2 : all;
    char *plan = ls_shell_word(n->plan), *folder = traces_of(n), *traces = folder != NULL ? ls_shell_word(folder) : NULL;
    char *tool = tool_of(n);
    char *again = ls_format("%s regress %s --fresh %s%s%s%s%.*s", tool, plan, n->fresh, traces != NULL ? " --traces " : "",
                            traces != NULL ? traces : "", length > 0 ? " " : "", (int)length, n->filter);
    free(tool);
    free(plan);
    free(folder);
    free(traces);
    return again;
}
