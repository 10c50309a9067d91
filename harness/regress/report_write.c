/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/regress/report_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/regress/report_data.h"
#include "harness/regress/report_parts.h"

static int write_report(const ls_text *text, const char *folder, const char *name, char *error, size_t size) {
    char *path = ls_format("%s/%s", folder, name);
    const int status = ls_text_write(text, path);
    if (status != 0) (void)snprintf(error, size, "cannot write %s: %s", path, strerror(-status));
    free(path);
    return status == 0 ? 0 : -1;
}

int ls_report_write(sqlite3 *db, int64_t id, const char *folder, bool times, char *error, size_t size) {
    static const struct {
        const char *name;
        void (*make)(const ls_report *, ls_text *);
    } reports[] = {{"results.jsonl", ls_report_results}, {"junit.xml", ls_report_junit}, {"summary.md", ls_report_summary}};
    ls_report report;
    int status = ls_report_read(&report, db, id, times, error, size);
    for (size_t i = 0; status == 0 && i < sizeof reports / sizeof reports[0]; i++) {
        ls_text text = {0};
        reports[i].make(&report, &text);
        status = write_report(&text, folder, reports[i].name, error, size);
        free(text.data);
    }
    if (status == 0) {
        ls_text page = {0};
        ls_report_html(&report, folder, &page);
        status = write_report(&page, folder, "report.html", error, size);
        free(page.data);
    }
    ls_report_free(&report);
    return status;
}
