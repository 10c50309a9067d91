/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "harness/base/json.h"
#include "harness/core/report.h"
#include "harness/regress/report_parts.h"

/* JSON as it stands in a record, which is valid but for bytes that are no UTF-8 in its strings. */
static char *valid(const char *json) {
    ls_text quoted = {0}, text = {0};
    ls_json_string(&quoted, json);
    /* ls_json_string has made the bytes good: take its escapes away again. */
    for (size_t i = 1; i + 1 < quoted.size; i++) {
        const bool escaped = quoted.data[i] == '\\' && (quoted.data[i + 1] == '"' || quoted.data[i + 1] == '\\');
        if (escaped) i++;
        ls_text_put(&text, quoted.data + i, 1);
    }
    free(quoted.data);
    return ls_text_take(&text);
}

void ls_report_results(const ls_report *report, ls_text *to) {
    ls_report bare = *report; /* the same regression without its times */
    bare.times = false;
    for (size_t i = 0; i < report->job_count; i++) {
        const ls_report_result *j = &report->jobs[i];
        char *message = ls_report_message(&bare, j), *command = ls_report_portable(&bare, j->command);
        ls_json_open(to, NULL, '{');
        ls_json_text(to, "name", j->name);
        ls_json_text(to, "unit", j->unit);
        ls_json_text(to, "params", j->params);
        ls_json_text(to, "stimulus", j->stimulus);
        ls_json_text(to, "block", j->block);
        ls_json_int(to, "tier", j->tier);
        ls_json_text(to, "seed", j->seed);
        ls_json_text(to, "status", j->status);
        ls_json_text(to, "verdict", j->verdict);
        ls_json_text(to, "bucket", j->bucket);
        ls_json_int(to, "cycles", j->cycles);
        ls_json_int(to, "compared_bits", j->bits);
        ls_json_text(to, "message", message);
        char *mismatch = j->mismatch != NULL ? valid(j->mismatch) : NULL;
        ls_json_raw(to, "mismatch", mismatch != NULL ? mismatch : "null");
        free(mismatch);
        ls_json_text(to, "command", command);
        ls_json_close(to, '{');
        ls_text_put(to, "\n", 1);
        free(message);
        free(command);
    }
}
