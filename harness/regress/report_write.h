/* SPDX-License-Identifier: Apache-2.0 */
/* The reports of a regression, from the history alone (tables: harness/history/store_schema.h). */
#ifndef LS_REPORT_WRITE_H
#define LS_REPORT_WRITE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes results.jsonl, junit.xml, summary.md and report.html into `folder`, each at once. Without `times` nothing is
 * in them that differs between two runs of the same jobs (durations, dates, hosts, speeds). 0, or -1 and a message that names the
 * file. */
int ls_report_write(sqlite3 *db, int64_t regression, const char *folder, bool times, char *error, size_t size);

#endif
