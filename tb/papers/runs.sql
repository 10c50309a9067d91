-- SPDX-License-Identifier: Apache-2.0
-- What pages of runs have in common, from the tables that paper.c makes of the records: workload (w, kind, name and what `lockstep workload
-- info` says of it), config (c, base: what it is compared with) and run (w, c, its counters, param_NAME).
CREATE UNIQUE INDEX workload_w ON workload(w);
CREATE UNIQUE INDEX config_c ON config(c);
CREATE UNIQUE INDEX run_w_c ON run(w, c);
SELECT must(0, 'no workload is a kernel') WHERE NOT EXISTS (SELECT 1 FROM workload WHERE kind = 'kernel');
SELECT must(0, c || ' is compared with ' || base || ', which is no configuration') FROM config
    WHERE base NOT IN (SELECT c FROM config);
SELECT must(0, w || '-' || c || ': a run of no workload or no configuration') FROM run
    WHERE w NOT IN (SELECT w FROM workload) OR c NOT IN (SELECT c FROM config);
SELECT must(0, 'no run ' || CAST(w AS INTEGER) || '-' || c) FROM workload JOIN config
    WHERE (c, kind) IN (SELECT c, kind FROM run JOIN workload USING (w)) AND (w, c) NOT IN (SELECT w, c FROM run)
    OR c NOT IN (SELECT c FROM run);

-- Traces of so few warps that no scheduler has a choice are in no mean.
UPDATE workload SET kind = 'few' WHERE kind = 'trace' AND warps < 8;

-- A row is a workload (at: its number), or the mean of the kernels (0), the traces (-1) or the kernels apart (-2), in the order of the
-- tables. A paper may add means of other sets (from -3). member: the workloads of each.
CREATE TABLE row AS SELECT CAST(w AS INTEGER) AS at, * FROM workload WHERE kind = 'kernel' ORDER BY w;
INSERT INTO row(at, kind, name) VALUES (0, 'kernel', '**mean of the kernels**');
INSERT INTO row SELECT CAST(w AS INTEGER), * FROM workload WHERE kind = 'trace' ORDER BY w;
INSERT INTO row(at, kind, name) SELECT DISTINCT -1, kind, '**mean of the traces**' FROM row WHERE kind = 'trace';
INSERT INTO row SELECT CAST(w AS INTEGER), * FROM workload WHERE kind IN ('few', 'apart') ORDER BY kind = 'apart', w;
INSERT INTO row(at, kind, name) SELECT DISTINCT -2, kind, '**mean of the kernels apart**' FROM row WHERE kind = 'apart';
CREATE TABLE member AS SELECT at, w FROM row WHERE at > 0
    UNION ALL SELECT m.at, row.w FROM row AS m JOIN row USING (kind) WHERE m.at <= 0 AND row.at > 0;

-- One row: how many there are, and the constants that the command line has (paper.c).
CREATE TABLE given AS SELECT sum(kind = 'kernel') AS kernels, sum(kind = 'trace') AS traces, (SELECT count(*) FROM run) AS runs,
    iif(sum(kind = 'trace') > 0, 'The ' || sum(kind = 'trace') ||
        ' real traces stand below the kernels and have a mean of their own' || iif(sum(kind = 'few') > 0,
        '; ' || sum(kind = 'few') || ' of fewer than 8 warps are in no mean.', '.'),
        'No real traces were there when this page was written.') AS trace_text,
    group_concat(name, ', ') FILTER (WHERE kind = 'apart') AS apart,
    'Verdicts are computed. *holds*: within the tolerance, or the statement is true. *larger*, *weaker*: an effect of the
same sign, at least a quarter of the paper''s. *sign only*: the same sign, less than that. *no*: no effect (0.05 % or
less), the other sign, or the statement is false. Of shares: *higher*, *lower*.' AS verdict_text FROM workload;

-- The kernel in the middle by cycles, of each configuration.
CREATE VIEW middle AS SELECT c, cycles FROM (
    SELECT c, cycles, row_number() OVER (PARTITION BY c ORDER BY cycles) AS i, count(*) OVER (PARTITION BY c) AS n
    FROM figure JOIN row USING (at) WHERE at > 0 AND kind = 'kernel') WHERE i = (n + 1) / 2;
