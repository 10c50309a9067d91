/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a history of regressions, as SQL: what the runner's records become and what every report is made of
 * (docs/regression.md). A regression is a row of `night`, and `night` its id in the other tables: a history that is there already
 * stays what it is. Who queries it has the view `regression`. */
#ifndef LS_STORE_SCHEMA_H
#define LS_STORE_SCHEMA_H

#include "harness/history/store.h"

#define LS_STORE_VERSION 1 /* PRAGMA user_version */

/* Views are text: a history that has none or another text gets this one when it is opened. */
#define LS_STORE_REGRESSION "CREATE VIEW regression AS SELECT * FROM night"

/* A bucket over all regressions, in the order in which they were started: seen first, seen last, and the first later regression
 * in which a job that had shown it ran again, went at least as far and did not (LS_PROVES). Filtered and incomplete regressions
 * do not count (without traces is not filtered: such a regression has all other jobs), nor fresh seeds, which are others every
 * time. */
#define LS_STORE_BUCKETS                                                                                                         \
    "CREATE VIEW bucket_history AS"                                                                                              \
    "  WITH seen AS (SELECT b.name, b.unit, b.kind, b.night, b.earliest,"                                                        \
    "      row_number() OVER (PARTITION BY b.name ORDER BY n.started, n.id) AS place,"                                           \
    "      count(*) OVER (PARTITION BY b.name) AS nights,"                                                                       \
    "      first_value(b.night) OVER (PARTITION BY b.name ORDER BY n.started, n.id) AS first_seen, n.started"                    \
    "    FROM bucket b JOIN night n ON n.id = b.night)"                                                                          \
    "  SELECT s.name AS name, s.first_seen AS first_seen, s.night AS last_seen, s.nights AS nights,"                             \
    "    (SELECT n.id FROM night n WHERE (n.started, n.id) > (s.started, s.night) AND n.filter IN ('', '" LS_NO_TRACES "')"      \
    "       AND n.verdict <> 'incomplete'"                                                                                       \
    "       AND EXISTS (SELECT 1 FROM job old JOIN job j ON j.night = n.id AND j.name = old.name"                                \
    "         WHERE old.night = s.night AND (old.bucket = s.name OR old.number = s.earliest) AND old.block <> 'fresh'"           \
    "           AND " LS_PROVES("j", "old", "s.kind") ")"                                                                        \
                                                      "       ORDER BY n.started, n.id LIMIT 1) AS fixed_in"                     \
                                                      "  FROM seen s WHERE s.place = s.nights"

static const char ls_store_schema[] =
    /* One run of a plan. `id` counts from 1. */
    "CREATE TABLE night ("
    "  id INTEGER PRIMARY KEY,"
    "  plan TEXT NOT NULL,"        /* as given: "tb/plans/nightly.plan" */
    "  folder TEXT NOT NULL,"      /* absolute */
    "  started TEXT NOT NULL,"     /* UTC, "2030-01-31T02:00:00Z" */
    "  seconds REAL NOT NULL,"     /* of the runner, resumed parts added up */
    "  source TEXT NOT NULL,"      /* commit, "" outside git */
    "  dirty INTEGER NOT NULL,"    /* 1: the work tree differed from it; -1: not known */
    "  tools TEXT NOT NULL,"       /* JSON object: name to version */
    "  fresh TEXT NOT NULL,"       /* base of the fresh seeds, 16 hex digits */
    "  launch TEXT NOT NULL,"      /* prefix of the jobs, "" for none */
    "  width INTEGER NOT NULL,"    /* jobs at a time */
    "  jobs INTEGER NOT NULL,"     /* of the plan, filters applied */
    "  filter TEXT NOT NULL,"      /* --only, --tier, LS_NO_TRACES; "" for all: it says nothing about what it left out */
    "  verdict TEXT NOT NULL,"     /* "pass", "fail" (a finding that is no known issue), "incomplete" */
    "  UNIQUE (folder, started));" /* a folder that was removed and made anew is another regression */
    /* One job of a regression, in the plan's order. */
    "CREATE TABLE job ("
    "  night INTEGER NOT NULL REFERENCES night(id) ON DELETE CASCADE,"
    "  number INTEGER NOT NULL," /* from 0 */
    "  name TEXT NOT NULL,"      /* unique in the regression, the same in every regression: "rf_bank/ROWS=8/random/fixed.3" */
    "  unit TEXT NOT NULL,"
    "  params TEXT NOT NULL,"   /* "ROWS=8 LANES=1", "" for the defaults */
    "  stimulus TEXT NOT NULL," /* as in a plan: "random", "kernel:bfs", "trace:…", "proof" */
    "  block TEXT NOT NULL,"    /* "corpus", "fixed", "fresh", "" where nothing is seeded */
    "  tier INTEGER NOT NULL,"
    "  seed TEXT NOT NULL,"      /* 16 hex digits, or "" */
    "  status TEXT NOT NULL,"    /* pass, mismatch, vacuous, crash, hang, usage, build, missed (fault), survived (mutant) */
    "  verdict TEXT NOT NULL,"   /* pass, known, fail; open: its record is not final */
    "  bucket TEXT NOT NULL,"    /* of several the first that is not known; "" when it passed */
    "  cycles INTEGER NOT NULL," /* of lockstep */
    "  compared_bits INTEGER NOT NULL,"
    "  seconds REAL NOT NULL,"       /* wall time of the job */
    "  build_seconds REAL NOT NULL," /* of these, building the DUT */
    "  host TEXT NOT NULL,"
    "  attempts INTEGER NOT NULL,"
    "  message TEXT NOT NULL,"
    "  command TEXT NOT NULL," /* that repeats it, to be copied into a shell */
    "  record TEXT NOT NULL,"  /* the whole record, JSON */
    "  PRIMARY KEY (night, number));"
    "CREATE UNIQUE INDEX job_name ON job(night, name);"
    /* Attempts of a job that ended without a record although another one did not: a node died, a launcher failed. */
    "CREATE TABLE lost ("
    "  night INTEGER NOT NULL REFERENCES night(id) ON DELETE CASCADE,"
    "  number INTEGER NOT NULL, attempt INTEGER NOT NULL, host TEXT NOT NULL, how TEXT NOT NULL,"
    "  PRIMARY KEY (night, number, attempt));"
    /* Failures of one cause, told apart by structure: unit, field without index, kind. */
    "CREATE TABLE bucket ("
    "  night INTEGER NOT NULL REFERENCES night(id) ON DELETE CASCADE,"
    "  name TEXT NOT NULL," /* "rf_bank mem_q mismatch": unit, field, kind; "-" for none */
    "  unit TEXT NOT NULL, field TEXT NOT NULL, kind TEXT NOT NULL,"
    "  jobs INTEGER NOT NULL,"
    "  earliest INTEGER NOT NULL,"          /* job: first in the plan's order */
    "  shortest INTEGER NOT NULL,"          /* job: fewest cycles to the failure */
    "  other INTEGER,"                      /* job: earliest of another parameter set, NULL when there is none */
    "  known TEXT, owner TEXT, since TEXT," /* reason, owner and date of the known issue; NULL: none */
    "  reproduced INTEGER,"                 /* 1, 0 (a finding of its own), NULL: not tried */
    "  shrunk_cycles INTEGER,"              /* NULL: not shrunk */
    "  folder TEXT NOT NULL,"               /* "buckets/rf_bank-mem_q-mismatch", in the regression's folder; "" for none */
    "  shrunk TEXT NOT NULL, waves TEXT NOT NULL, view TEXT NOT NULL, picture TEXT NOT NULL," /* files in it, "" for none */
    "  note TEXT NOT NULL," /* what the triage says in words, "" for nothing */
    "  PRIMARY KEY (night, name));"
    /* Functional bins, summed over the regression. */
    "CREATE TABLE bin ("
    "  night INTEGER NOT NULL REFERENCES night(id) ON DELETE CASCADE,"
    "  unit TEXT NOT NULL, name TEXT NOT NULL, cycles INTEGER NOT NULL," /* sampled cycles that hit it */
    "  PRIMARY KEY (night, unit, name));"
    /* Coverage, merged over the regression. kind: "line", "toggle" (RTL); "model line", "model branch" (C model). */
    "CREATE TABLE coverage ("
    "  night INTEGER NOT NULL REFERENCES night(id) ON DELETE CASCADE,"
    "  unit TEXT NOT NULL, kind TEXT NOT NULL,"
    "  total INTEGER NOT NULL, hit INTEGER NOT NULL, waived INTEGER NOT NULL," /* waived: of those not hit */
    "  PRIMARY KEY (night, unit, kind));"
    "CREATE TABLE uncovered ("
    "  night INTEGER NOT NULL REFERENCES night(id) ON DELETE CASCADE,"
    "  unit TEXT NOT NULL, kind TEXT NOT NULL,"
    "  place TEXT NOT NULL," /* "rtl/banked/rf_bank.sv:40" */
    "  name TEXT NOT NULL,"  /* what is not covered there: signal and bit, branch */
    "  waived TEXT,"         /* the reason; NULL: not waived */
    "  PRIMARY KEY (night, unit, kind, place, name));"
    /* Mutation scores. side: "rtl", "model", or of the tool: "comparer", "prover" (unit ""). */
    "CREATE TABLE mutation ("
    "  night INTEGER NOT NULL REFERENCES night(id) ON DELETE CASCADE,"
    "  unit TEXT NOT NULL, side TEXT NOT NULL,"
    "  made INTEGER NOT NULL, killed INTEGER NOT NULL, equivalent INTEGER NOT NULL," /* equivalent: proved */
    "  survived INTEGER NOT NULL, undecided INTEGER NOT NULL," /* undecided: not killed, and the proof did not end */
    "  PRIMARY KEY (night, unit, side));"
    "CREATE TABLE survivor ("
    "  night INTEGER NOT NULL REFERENCES night(id) ON DELETE CASCADE,"
    "  unit TEXT NOT NULL, side TEXT NOT NULL, mutant TEXT NOT NULL,"
    "  what TEXT NOT NULL," /* the mutated cell or line, and how */
    "  waived TEXT,"        /* the reason; NULL: not waived */
    "  PRIMARY KEY (night, unit, side, mutant));"
    /* What a person must look at. kind: "failure" (a bucket), "not reproducible", "unexpected pass", "stale waiver", "uncovered",
     * "survivor", "lost", "not checked" (by workloads that were not run to their ends), "clock" (the regression is out of order).
     */
    "CREATE TABLE finding ("
    "  night INTEGER NOT NULL REFERENCES night(id) ON DELETE CASCADE,"
    "  kind TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL,"
    "  counts INTEGER NOT NULL," /* 1: it makes the regression fail; 0: known, or told for information */
    "  PRIMARY KEY (night, kind, name));" LS_STORE_BUCKETS ";" LS_STORE_REGRESSION;

/* All that are renewed. */
static const struct {
    const char *name, *sql;
} ls_store_views[] = {{"bucket_history", LS_STORE_BUCKETS}, {"regression", LS_STORE_REGRESSION}};

#endif
