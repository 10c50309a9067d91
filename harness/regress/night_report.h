/* SPDX-License-Identifier: Apache-2.0 */
/* The reports of a night, from the history alone (tables: harness/history/store_schema.h). */
#ifndef LS_NIGHT_REPORT_H
#define LS_NIGHT_REPORT_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes results.jsonl, junit.xml, summary.md, mail.txt and report.html into `folder`, each at once. Without `times` nothing is
 * in them that differs between two runs of the same jobs (durations, dates, hosts, speeds). 0, or -1 and a message that names the
 * file. */
int ls_night_report(sqlite3 *db, int64_t night, const char *folder, bool times, char *error, size_t size);

#endif
