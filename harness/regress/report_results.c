/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>

#include "harness/core/report.h"
#include "harness/regress/report_parts.h"

static void member(ls_text *to, const char *key, const char *value) {
    ls_text_add(to, ",\"%s\":", key);
    ls_json_string(to, value);
}

/* JSON as it stands in a record, which is valid but for bytes that are no UTF-8 in its strings. */
static void embed(ls_text *to, const char *json) {
    ls_text quoted = {0};
    ls_json_string(&quoted, json);
    /* ls_json_string has made the bytes good: take its escapes away again. */
    for (size_t i = 1; i + 1 < quoted.size; i++) {
        const bool escaped = quoted.data[i] == '\\' && (quoted.data[i + 1] == '"' || quoted.data[i + 1] == '\\');
        if (escaped) i++;
        ls_text_put(to, quoted.data + i, 1);
    }
    free(quoted.data);
}

void ls_report_results(const ls_report *report, ls_text *to) {
    ls_report bare = *report; /* the same regression without its times */
    bare.times = false;
    for (size_t i = 0; i < report->job_count; i++) {
        const ls_report_result *j = &report->jobs[i];
        char *message = ls_report_message(&bare, j), *command = ls_report_portable(&bare, j->command);
        ls_text_add(to, "{\"name\":");
        ls_json_string(to, j->name);
        member(to, "unit", j->unit);
        member(to, "params", j->params);
        member(to, "stimulus", j->stimulus);
        member(to, "block", j->block);
        ls_text_add(to, ",\"tier\":%" PRId64, j->tier);
        member(to, "seed", j->seed);
        member(to, "status", j->status);
        member(to, "verdict", j->verdict);
        member(to, "bucket", j->bucket);
        ls_text_add(to, ",\"cycles\":%" PRId64 ",\"compared_bits\":%" PRId64, j->cycles, j->bits);
        member(to, "message", message);
        ls_text_add(to, ",\"mismatch\":");
        if (j->mismatch != NULL) embed(to, j->mismatch);
        else ls_text_add(to, "null");
        member(to, "command", command);
        ls_text_add(to, "}\n");
        free(message);
        free(command);
    }
}
