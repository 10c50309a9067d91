/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting a regression into buckets and findings, as SQL (tables: harness/history/store_schema.h). For triage.c alone. */
#ifndef LS_TRIAGE_SQL_H
#define LS_TRIAGE_SQL_H

#include "harness/history/store.h"

/* clang-format off */
static const char ls_triage_tables[] =
    "CREATE TEMP TABLE IF NOT EXISTS known_issue (unit TEXT, field TEXT, kind TEXT, owner TEXT, since TEXT, reason TEXT);"
    /* One row for each failure that a final record tells of. */
    "CREATE TEMP TABLE IF NOT EXISTS occurrence ("
    "  number INTEGER,"  /* job */
    "  name TEXT, unit TEXT, field TEXT, kind TEXT," /* bucket */
    "  params TEXT,"
    "  cycles INTEGER,"  /* to the failure */
    "  text TEXT);"      /* in words */
    "DELETE FROM known_issue;"
    "DELETE FROM occurrence;";

/* What was there of the regression. */
static const char *const ls_triage_forget[] = {
    "DELETE FROM bucket WHERE night = ?",
    "DELETE FROM finding WHERE night = ?"
    "  AND kind IN ('failure', 'survivor', 'unexpected pass', 'lost', 'not reproducible', 'not checked', 'clock')"};

static const char *const ls_triage_occurrences[] = {
    /* Runs, and whatever does not say more than its status. */
    "INSERT INTO occurrence"
    "  SELECT number, NULL, CASE unit WHEN '-' THEN '' ELSE unit END," /* a job of the tool's mutants */
    "    bucket_field(CASE status WHEN 'mismatch' THEN json_extract(record, '$.run.mismatch.field') END), status, params,"
    "    coalesce(json_extract(record, '$.run.mismatch.cycle'), cycles),"
    "    CASE WHEN message <> '' THEN message"
    "      WHEN status = 'mismatch' THEN 'differs in cycle ' || coalesce(json_extract(record, '$.run.mismatch.cycle'), '?')"
    "      ELSE status END"
    "  FROM job WHERE night = ? AND json_extract(record, '$.final') AND CASE status"
    "    WHEN 'pass' THEN 0"
    "    WHEN 'missed' THEN coalesce(json_array_length(record, '$.run.missed'), 0) = 0"
    "    WHEN 'survived' THEN NOT EXISTS (SELECT 1 FROM json_each(record, '$.run.mutants') m,"
    "      json_each(m.value, '$.survivors') WHERE json_extract(m.value, '$.side') = 'rtl')"
    "    ELSE 1 END"
    "  ORDER BY number",
    /* Planted faults. */
    "INSERT INTO occurrence"
    "  SELECT j.number, NULL, j.unit, bucket_field(e.value), j.status, j.params, j.cycles,"
    "    'the planted fault is not caught: ' || e.value"
    "  FROM job j, json_each(j.record, '$.run.missed') e"
    "  WHERE j.night = ? AND json_extract(j.record, '$.final') AND j.status = 'missed'"
    "  ORDER BY j.number, e.id",
    /* Mutants of the RTL, which are proved different; of the others there is no proof, and they are no failures. */
    "INSERT INTO occurrence"
    "  SELECT j.number, NULL, j.unit, bucket_cell(json_extract(s.value, '$.what')), j.status, j.params, j.cycles,"
    "    'rtl mutant ' || json_extract(s.value, '$.mutant') || ': ' ||"
    "      json_extract(s.value, '$.what')"
    "  FROM job j, json_each(j.record, '$.run.mutants') m, json_each(m.value, '$.survivors') s"
    "  WHERE j.night = ? AND json_extract(j.record, '$.final') AND j.status = 'survived'"
    "    AND json_extract(m.value, '$.side') = 'rtl'"
    "  ORDER BY j.number, m.id, s.id"};

static const char ls_triage_names[] =
    "UPDATE occurrence SET name = CASE unit WHEN '' THEN '-' ELSE unit END || ' ' || field || ' ' || kind";

/* The regressions e that the history had before regression n, by their numbers: by its date a regression whose clock is set back comes before all
 * others, and then nothing could pass unexpectedly. */
#define LS_BEFORE "e.id < n.id"

/* Of known issue k in regression n: which jobs show it is known, by their kind or by an earlier regression that has it. */
#define LS_SHOWN                                                                                                                 \
    "(k.kind IN ('missed', 'survived') OR EXISTS (SELECT 1 FROM bucket b JOIN night e ON e.id = b.night"                         \
    " WHERE b.unit = k.unit AND b.field = k.field AND b.kind = k.kind AND " LS_BEFORE "))"

/* Job s, of any regression, lists a survivor of known issue k, as one of model or tool is, which is in no bucket. */
#define LS_LISTS                                                                                                                 \
    "(s.stimulus = 'mutants' AND s.unit = CASE k.unit WHEN '' THEN '-' ELSE k.unit END AND EXISTS (SELECT 1 FROM"                  \
    " json_each(s.record, '$.run.mutants') m, json_each(m.value, '$.survivors') x"                                               \
    " WHERE bucket_cell(json_extract(x.value, '$.what')) = k.field))"

/* What follows from the occurrences; the regression is the one parameter. */
static const char *const ls_triage_sorting[] = {
    "INSERT INTO bucket"
    "  SELECT ?, o.name, o.unit, o.field, o.kind, count(DISTINCT o.number), min(o.number),"
    "    (SELECT number FROM occurrence s WHERE s.name = o.name ORDER BY cycles, number LIMIT 1),"
    "    (SELECT min(number) FROM occurrence s WHERE s.name = o.name AND s.params <>"
    "      (SELECT params FROM occurrence f WHERE f.name = o.name ORDER BY number LIMIT 1)),"
    "    k.reason, k.owner, k.since, NULL, NULL, '', '', '', '', '', ''"
    "  FROM occurrence o LEFT JOIN known_issue k ON k.unit = o.unit AND k.field = o.field AND k.kind = o.kind"
    "  GROUP BY o.name",
    "UPDATE job SET"
    "    bucket = coalesce((SELECT o.name FROM occurrence o JOIN bucket b ON b.night = ?1 AND b.name = o.name"
    "      WHERE o.number = job.number ORDER BY b.known IS NOT NULL, o.rowid LIMIT 1), ''),"
    "    verdict = CASE"
    "      WHEN NOT json_extract(record, '$.final') THEN 'open'"
    "      WHEN status = 'pass' THEN 'pass'"
    "      WHEN EXISTS (SELECT 1 FROM occurrence o JOIN bucket b ON b.night = ?1 AND b.name = o.name"
    "        WHERE o.number = job.number AND b.known IS NULL) THEN 'fail'"
    "      WHEN EXISTS (SELECT 1 FROM occurrence o WHERE o.number = job.number) THEN 'known'"
    "      ELSE 'fail' END"
    "  WHERE night = ?1",
    "INSERT INTO finding"
    "  SELECT b.night, CASE b.kind WHEN 'survived' THEN 'survivor' ELSE 'failure' END, b.name,"
    "    CASE WHEN b.known IS NULL THEN '' ELSE 'known since ' || b.since || ' (' || b.owner || '): ' || b.known || '; ' END ||"
    "    b.jobs || CASE b.jobs WHEN 1 THEN ' job, ' ELSE ' jobs, first ' END || j.name || ': ' ||"
    "    (SELECT text FROM occurrence WHERE name = b.name AND number = b.earliest ORDER BY rowid LIMIT 1) ||"
    "    (SELECT CASE count(*) WHEN 1 THEN '' ELSE ' and ' || (count(*) - 1) || ' more' END FROM occurrence"
    "      WHERE name = b.name AND number = b.earliest),"
    "    b.known IS NULL"
    "  FROM bucket b JOIN job j ON j.night = b.night AND j.number = b.earliest WHERE b.night = ?",
    "INSERT INTO finding"
    "  SELECT l.night, 'lost', j.name, group_concat('attempt ' || l.attempt || ' on ' || l.host || ': ' || l.how, '; '), 0"
    "  FROM lost l JOIN job j ON j.night = l.night AND j.number = l.number WHERE l.night = ? GROUP BY j.number",
    /* What a workload did not check although it passed, as it was not run to its end. */
    "INSERT INTO finding"
    "  SELECT j.night, 'not checked', json_extract(j.record, '$.run.message'),"
    "    count(*) || CASE count(*) WHEN 1 THEN ' job of ' ELSE ' jobs of ' END || replace(group_concat(DISTINCT j.unit), ',', ', ') ||"
    "    CASE count(*) WHEN 1 THEN ', ' ELSE ', first ' END || j.name, 0 * min(j.number)"
    "  FROM job j WHERE j.night = ? AND json_extract(j.record, '$.final') AND j.status = 'pass'"
    "    AND (j.stimulus GLOB 'kernel:*' OR j.stimulus GLOB 'trace:*') AND json_extract(j.record, '$.run.message') <> '' GROUP BY 3",
    /* A regression that is out of order. */
    "INSERT INTO finding"
    "  SELECT n.id, 'clock', n.started, 'it came into the history after regression ' || e.id || ', which began later (' || e.started ||"
    "    '): a clock that was set back, an old folder, or a regression that took longer; new, back and fixed go by these dates', 0"
    "  FROM night n JOIN night e ON " LS_BEFORE " AND e.started > n.started WHERE n.id = ? ORDER BY e.started DESC, e.id DESC LIMIT 1",
    "UPDATE survivor SET waived = (SELECT reason FROM known_issue k"
    "    WHERE k.kind = 'survived' AND k.unit = survivor.unit AND k.field = bucket_cell(survivor.what))"
    "  WHERE night = ?",
    /* Survivors of model and tool, for information, one for each line of the source. */
    "INSERT INTO finding"
    "  SELECT s.night, 'survivor', CASE s.unit WHEN '' THEN '-' ELSE s.unit END || ' ' || bucket_cell(s.what) || ' survived',"
    "    CASE WHEN s.waived IS NULL THEN '' ELSE 'known: ' || s.waived || '; ' END || s.side || ' mutant ' || s.mutant || ': ' ||"
    "    s.what || CASE count(*) WHEN 1 THEN '' ELSE ' and ' || (count(*) - 1) || ' more' END || ' (no proof: may be equivalent)',"
    "    0 * min(s.rowid)" /* of the first row, then, are the columns above */
    "  FROM survivor s WHERE s.night = ? AND s.side <> 'rtl' GROUP BY s.unit, bucket_cell(s.what)"
    "  ON CONFLICT (night, kind, name) DO UPDATE SET text = text || '; ' || excluded.text",
    /* Unexpected passes: known buckets that no job shows, while jobs that can show them (docs/regression.md) ended well. */
    "INSERT INTO finding"
    "  SELECT ?1, 'unexpected pass', CASE k.unit WHEN '' THEN '-' ELSE k.unit END || ' ' || k.field || ' ' || k.kind,"
    "    'known since ' || k.since || ' (' || k.owner || '): ' || k.reason || '; ' || count(*) ||"
    "    CASE count(*) WHEN 1 THEN ' job' ELSE ' jobs' END || ' that can show it did not, first ' || min(j.name) ||"
    "    CASE WHEN " LS_SHOWN " THEN ': take it out of the known issues' ELSE ', but no regression says which jobs show it' END,"
    "    " LS_SHOWN
    "  FROM known_issue k JOIN night n ON n.id = ?1 JOIN job j ON j.night = n.id AND (j.unit = k.unit OR k.unit = '')"
    "  WHERE n.filter IN ('', '" LS_NO_TRACES "')"
    "    AND NOT EXISTS (SELECT 1 FROM job o WHERE o.night = n.id AND NOT json_extract(o.record, '$.final'))"
    "    AND NOT EXISTS (SELECT 1 FROM bucket b"
    "      WHERE b.night = n.id AND b.unit = k.unit AND b.field = k.field AND b.kind = k.kind)"
    "    AND NOT EXISTS (SELECT 1 FROM survivor s"
    "      WHERE k.kind = 'survived' AND s.night = n.id AND s.unit = k.unit AND bucket_cell(s.what) = k.field)"
    "    AND j.block <> 'fresh'"
    "    AND CASE k.kind"
    "      WHEN 'missed' THEN j.stimulus = 'faults' AND j.status IN ('pass', 'missed')"
    "      WHEN 'survived' THEN j.stimulus = 'mutants' AND j.status IN ('pass', 'survived') AND (k.unit <> '' OR EXISTS"
    "        (SELECT 1 FROM json_each(j.record, '$.run.mutants') m WHERE json_extract(m.value, '$.side') NOT IN ('rtl', 'model')))"
    "      ELSE j.stimulus NOT IN ('faults', 'mutants') AND j.status = 'pass' END"
    /* The last regression before this one that has it says which jobs show it: those of another plan may be shorter, and fewer, and all
     * must have ended well here and gone as far. A survivor of model or tool has no bucket, but jobs that list it. Without such a
     * regression it is told of all jobs of the unit (but not in a regression without traces, where the one that shows it may be a trace's), and
     * counts for faults and mutants alone: those jobs show all. */
    "    AND coalesce((SELECT EXISTS (SELECT 1 FROM job s WHERE s.night = b.night AND s.name = j.name"
    "          AND (s.bucket = b.name OR s.number = b.earliest))"
    "        AND NOT EXISTS (SELECT 1 FROM job s WHERE s.night = b.night AND (s.bucket = b.name OR s.number = b.earliest)"
    "          AND s.block <> 'fresh' AND NOT EXISTS (SELECT 1 FROM job again WHERE again.night = n.id AND again.name = s.name"
    "            AND " LS_PROVES("again", "s", "k.kind") "))"
    "        FROM bucket b JOIN night e ON e.id = b.night"
    "        WHERE b.unit = k.unit AND b.field = k.field AND b.kind = k.kind AND " LS_BEFORE
    "        ORDER BY e.id DESC LIMIT 1),"
    "      (SELECT EXISTS (SELECT 1 FROM job s WHERE s.night = v.night AND s.name = j.name AND " LS_LISTS ")"
    "        AND NOT EXISTS (SELECT 1 FROM job s WHERE s.night = v.night AND " LS_LISTS
    "          AND s.block <> 'fresh' AND NOT EXISTS (SELECT 1 FROM job again WHERE again.night = n.id AND again.name = s.name"
    "            AND " LS_PROVES("again", "s", "k.kind") "))"
    "        FROM survivor v JOIN night e ON e.id = v.night"
    "        WHERE k.kind = 'survived' AND v.unit = k.unit AND bucket_cell(v.what) = k.field AND " LS_BEFORE
    "        ORDER BY e.id DESC LIMIT 1), n.filter = '' OR k.kind IN ('missed', 'survived'))"
    "  GROUP BY k.rowid"};
/* clang-format on */

#endif
