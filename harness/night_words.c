/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/night_format.h"
#include "harness/night_parts.h"

const char *ls_night_verdict(const ls_night *n) {
    if (strcmp(n->verdict, "pass") == 0) return "PASS";
    return strcmp(n->verdict, "fail") == 0 ? "FAIL" : "INCOMPLETE";
}

char *ls_night_title(const ls_night *n) { return n->times ? ls_format("%s #%" PRId64, n->title, n->id) : ls_copy(n->title); }

char *ls_night_facts(const ls_night *n) {
    ls_text out = {0};
    size_t units = 0;
    for (size_t i = 0; i < n->unit_count; i++) units += n->units[i].jobs > 0;
    ls_text_add(&out, "%s %s of %zu %s: %s passed, ", ls_night_count((int64_t)n->job_count).text,
                ls_night_plural((int64_t)n->job_count, "job", "jobs"), units, ls_night_plural((int64_t)units, "unit", "units"),
                ls_night_count(n->passed).text);
    ls_text_add(&out, "%s failed, %s known", ls_night_count(n->failed).text, ls_night_count(n->known).text);
    if (n->open > 0) ls_text_add(&out, ", %s not ended", ls_night_count(n->open).text);
    if (n->times) ls_text_add(&out, ", in %s", ls_night_duration(n->seconds).text);
    return ls_text_take(&out);
}

char *ls_night_source(const ls_night *n) {
    if (n->source[0] == '\0') return ls_copy("outside git: no commit is known");
    return ls_format("%s, %s", n->source,
                     n->dirty == 0  ? "a clean work tree"
                     : n->dirty > 0 ? "but the work tree differed from it: changes that are in no commit"
                                    : "and it is not known whether the work tree differed from it");
}

char *ls_night_again(const ls_night *n) {
    /* "--only PATTERN --tier N, no traces": the last part is no option. */
    const char *words = strstr(n->filter, "no traces");
    const size_t all = words != NULL ? (size_t)(words - n->filter) : strlen(n->filter),
                 length = all >= 2 && words != NULL ? all - 2 : all;
    return ls_format("build/lockstep regress %s --fresh %s%s%.*s", n->plan, n->fresh, length > 0 ? " " : "", (int)length,
                     n->filter);
}
