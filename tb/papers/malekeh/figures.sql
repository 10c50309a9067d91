-- SPDX-License-Identifier: Apache-2.0
-- The figures of Malekeh's evaluation (section 9). r: the run, b: collectors that do not cache, of the same sizes; z: of the usual ones.

-- Kernels in two: whether rf_banked keeps three quarters of its IPC with loads of 400 cycles. And those whose IPC falls least and
-- most from STHLD 0 to 64.
INSERT INTO row(at, name) VALUES (-2, 'keep'), (-3, 'stand'), (-4, 'gentle'), (-5, 'steep');
CREATE VIEW kernel AS SELECT at AS w, name FROM row WHERE at > 0 AND kind = 'kernel';
INSERT INTO member SELECT CASE WHEN r.ipc >= 0.75 * z.ipc THEN -2 ELSE -3 END, w
    FROM kernel JOIN run AS r USING (w) JOIN run AS z USING (w) WHERE r.c = 'base_load400' AND z.c = 'base';
CREATE TABLE fall AS SELECT w, name, r.ipc / z.ipc AS left
    FROM kernel JOIN run AS r USING (w) JOIN run AS z USING (w) WHERE r.c = 'sthld64' AND z.c = 'sthld0';
INSERT INTO member SELECT -4, w FROM (SELECT w FROM fall ORDER BY left DESC, w LIMIT 1);
INSERT INTO member SELECT -5, w FROM (SELECT w FROM fall ORDER BY left, w LIMIT 1);

CREATE TABLE figure AS SELECT *,
    hits - bow AS above,
    cells(percent(hits), signed(reads), signed(gain), signed(energy), decimals(100 * flushes, 1), percent(flushes_near),
          percent(stall_sthld), decimals(sthld, 1)) AS parts,
    cells(percent(issue), percent(stall_sthld), percent(stall_own_ccu_busy), percent(stall_no_collector), percent(stall_hazard),
          percent(stall_nothing_ready), percent(stall_drained), decimals(collectors, 1), decimals(conflict, 3)) AS limits,
    cells(percent(hits), signed(gain), signed(energy), percent(issue), percent(stall_sthld), percent(stall_own_ccu_busy),
          percent(stall_no_collector), percent(stall_hazard), decimals(sthld, 1)) AS loads
FROM (SELECT m.at, r.c, count(*) AS workloads, mean(r.param_STHLD) AS fixed, mean(r.param_REGS) AS registers,
    mean(r.param_INTERVAL) AS interval,
    mean(r.param_LARGE) AS large,
    mean(r.cycles) AS cycles, mean(r.ipc) AS ipc, geomean(r.ipc, 1) AS speed, geomean(r.ipc, b.ipc) - 1 AS gain,
    mean(r.hit_share) AS hits, mean(r.ideal_share) AS ideal, mean(r.bow_share) AS bow,
    change(r.reads, b.reads) AS reads, change(r.energy_uj, b.energy_uj) AS energy, mean(r.sthld_mean) AS sthld,
    share(r.uops, r.param_ISSUES * r.cycles) AS issue,
    share(r.stall_sthld, r.param_ISSUES * r.cycles) AS stall_sthld,
    share(r.stall_own_ccu_busy, r.param_ISSUES * r.cycles) AS stall_own_ccu_busy,
    share(r.stall_no_collector, r.param_ISSUES * r.cycles) AS stall_no_collector,
    share(r.stall_hazard, r.param_ISSUES * r.cycles) AS stall_hazard,
    share(r.stall_nothing_ready, r.param_ISSUES * r.cycles) AS stall_nothing_ready,
    share(r.stall_drained, r.param_ISSUES * r.cycles) AS stall_drained,
    share(r.flushes, r.uops) AS flushes, share(r.flushes_near, r.flushes) AS flushes_near,
    share(r.near_writes, r.writes) AS near, share(r.ccu_writes, r.near_writes) AS kept,
    share(r.read_read_conflicts + r.read_write_conflicts, z.operands) AS conflict, mean(r.collectors_busy_mean) AS collectors,
    -- the operands' ways from the banks into the collectors: what hits can save
    share(r.reads * (pj_bank_read + pj_crossbar + pj_collector_write) * 32 / 4 * 1e-6, r.energy_uj) AS by_reads
  FROM given, member AS m JOIN run AS r USING (w) JOIN config USING (c) JOIN run AS b ON b.w = r.w AND b.c = config.base
    JOIN run AS z ON z.w = r.w AND z.c = 'base'
  GROUP BY m.at, r.c);

-- Fixed STHLDs; "best" is that of the highest mean IPC, "own" each workload's fastest.
CREATE TABLE sthld AS SELECT * FROM figure WHERE c GLOB 'sthld[0-9]' OR c GLOB 'sthld[0-9][0-9]';
CREATE TABLE best AS SELECT * FROM sthld WHERE fixed = (SELECT fixed FROM sthld WHERE at = 0 ORDER BY gain DESC, fixed LIMIT 1);
UPDATE best SET c = 'best';
CREATE TABLE own AS SELECT * FROM sthld AS s
    WHERE fixed = (SELECT fixed FROM sthld WHERE at = s.at ORDER BY ipc DESC, fixed LIMIT 1);
UPDATE own SET c = 'own';
INSERT INTO figure SELECT * FROM best UNION ALL SELECT * FROM own;

-- Over STHLD, means: whether hits rise to the next one; the largest within 1 % of the best IPC (the knee), and whether IPC falls
-- beyond.
CREATE TABLE steps AS SELECT fixed, hits, gain, lag(hits) OVER w AS hits_before, lag(gain) OVER w AS gain_before
    FROM sthld WHERE at = 0 WINDOW w AS (ORDER BY fixed);
CREATE TABLE shape AS SELECT
    (SELECT count(*) = 0 FROM steps WHERE hits < hits_before - 0.0005) AS rise,
    (SELECT max(fixed) FROM steps WHERE 1 + gain >= 0.99 * (1 + (SELECT max(gain) FROM steps))) AS knee,
    (SELECT min(fixed) FROM steps WHERE hits >= 0.485) AS enough;
ALTER TABLE shape ADD falls;
UPDATE shape SET falls = knee < 64 AND NOT EXISTS (SELECT 1 FROM steps WHERE fixed > knee AND gain >= gain_before);
CREATE TABLE least AS SELECT * FROM sthld WHERE fixed = (SELECT enough FROM shape);
UPDATE least SET c = 'enough';
INSERT INTO figure SELECT * FROM least;

-- What longer loads make of the loss of IPC, and how far two sweeps move it.
CREATE TABLE loss AS SELECT c, CASE WHEN now >= -0.0005 THEN 'gone' WHEN before >= -0.0005 THEN 'new'
        WHEN now / before < 0.75 THEN 'smaller' WHEN now / before > 1.25 THEN 'larger' ELSE 'about the same' END AS word
    FROM (SELECT f.c, f.gain AS now, before.gain AS before FROM figure AS f
        JOIN figure AS before ON before.at = f.at AND before.c = iif(f.c GLOB 'sthld0*', 'sthld0', 'main')
        WHERE f.at = 0 AND f.c IN ('sthld0_load100', 'sthld0_load400', 'load100', 'load400'));
CREATE TABLE span AS SELECT sweep, max(gain) - min(gain) AS width
    FROM (SELECT 'rthld' AS sweep UNION ALL SELECT 'ccus') JOIN figure WHERE at = 0
    AND (c GLOB sweep || '*' OR c = 'main') GROUP BY sweep;
