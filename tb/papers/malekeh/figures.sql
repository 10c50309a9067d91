-- SPDX-License-Identifier: Apache-2.0
-- The figures of Malekeh's evaluation (section 9), of a whole SM. r: the run, b: collectors that do not cache, with the same surroundings.
CREATE VIEW sm AS SELECT *, slot_issued + slot_collector + slot_sthld + slot_own_ccu + slot_hazard_memory + slot_hazard_other + slot_empty +
    slot_barrier + slot_drain + slot_no_warp AS slots, (dram_read_bytes + dram_written_bytes) / ("machine_dram.bytes" / 1000 * cycles) AS dram FROM run;

-- Kernels in two: whether the baseline is more than a tenth faster when bandwidth has no limit. And those whose IPC falls least and most
-- from STHLD 0 to 64.
INSERT INTO row(at, name) VALUES (-3, 'bound'), (-4, 'free'), (-5, 'gentle'), (-6, 'steep');
CREATE VIEW kernel AS SELECT at AS w, name FROM row WHERE at > 0 AND kind = 'kernel';
INSERT INTO member SELECT iif(r.ipc > 1.1 * z.ipc, -3, -4), w FROM kernel JOIN run AS r USING (w) JOIN run AS z USING (w)
    WHERE r.c = 'base_bandwidth' AND z.c = 'base';
CREATE TABLE fall AS SELECT w, name, r.ipc / z.ipc AS left
    FROM kernel JOIN run AS r USING (w) JOIN run AS z USING (w) WHERE r.c = 'sthld64' AND z.c = 'sthld0';
INSERT INTO member SELECT -5, w FROM (SELECT w FROM fall ORDER BY left DESC, w LIMIT 1);
INSERT INTO member SELECT -6, w FROM (SELECT w FROM fall ORDER BY left, w LIMIT 1);

CREATE TABLE figure AS SELECT *, hits - bow AS above, energy - bow_energy AS above_energy,
    cells(percent(hits), points(hits - bow), signed(reads), signed(gain), signed(energy)) AS effects,
    cells(percent(hits), points(hits - bow), signed(gain), signed(energy), decimals(100 * flushes, 1), percent(flushes_near), decimals(sthld, 1)) AS parts
FROM (SELECT m.at, r.c, count(*) AS workloads, mean(r.param_STHLD) AS fixed, mean(r.param_INTERVAL) AS interval,
    mean(r.param_LARGE) AS large, mean(r.param_CLEAR) AS clear,
    mean(r.cycles) AS cycles, mean(r.ipc) AS ipc, geomean(r.ipc, 1) AS speed, geomean(r.ipc, b.ipc) - 1 AS gain,
    share(r.hits, r.operands) AS hits, mean(r.ideal_share) AS ideal, mean(r.bow_share) AS bow,
    change(r.reads, b.reads) AS reads, change(r.energy_uj, b.energy_uj) AS energy, mean(r.sthld_mean) AS sthld, mean(r.dram) AS dram,
    share(r.slot_issued, r.slots) AS issued, share(r.slot_hazard_memory, r.slots) AS memory, share(r.slot_hazard_other, r.slots) AS hazard,
    share(r.slot_collector, r.slots) AS collector, share(r.slot_sthld, r.slots) AS held, share(r.slot_own_ccu, r.slots) AS own_ccu,
    share(r.slot_barrier, r.slots) AS barrier, share(r.slot_empty + r.slot_drain, r.slots) AS empty,
    share(r.slot_no_warp, r.slots) AS no_warp,
    share(r.flushes, r.uops) AS flushes, share(r.flushes_near, r.flushes) AS flushes_near,
    share(r.near_writes, r.writes) AS near, share(r.ccu_writes, r.near_writes) AS kept,
    -- BOW [Malekeh 9.3]: a hit saves the bank and the crossbar and moves the value within the window; each result goes there, too
    change(b.energy_uj + 32 / 4 * 1e-6 * (b.operands * r.bow_share * (pj_collector_read - pj_bank_read - pj_crossbar) +
        b.writes * (pj_crossbar + pj_collector_write)), b.energy_uj) AS bow_energy,
    -- the operands' ways from the banks into the collectors: what hits can save
    share(r.reads * (pj_bank_read + pj_crossbar + pj_collector_write) * 32 / 4 * 1e-6, r.energy_uj) AS by_reads
  FROM given, member AS m JOIN sm AS r USING (w) JOIN config USING (c) JOIN run AS b ON b.w = r.w AND b.c = config.base
  GROUP BY m.at, r.c);

-- What the paper leaves open, chosen on the kernels apart: of those within half a percent of the highest mean IPC the one with most hits.
CREATE TABLE choice AS SELECT large, clear, gain, hits, energy, sthld,
    (SELECT max(gain) FROM figure WHERE at = -2 AND c GLOB 'large*_clear*') AS best
    FROM figure WHERE at = -2 AND c GLOB 'large*_clear*';
CREATE TABLE chosen AS SELECT * FROM choice WHERE gain >= best - 0.005 ORDER BY hits DESC, large LIMIT 1;
SELECT must(0, 'LARGE or CLEAR of main are not those chosen: ' || chosen.large || ' ' || chosen.clear) FROM chosen, figure AS m
    WHERE m.at = -2 AND m.c = 'main' AND (m.large <> chosen.large OR m.clear <> chosen.clear) AND m.workloads > 1;

-- Over fixed STHLDs, means: whether hits rise to the next one; the largest within 1 % of the best IPC (the knee), and whether IPC falls
-- beyond.
CREATE TABLE sthld AS SELECT * FROM figure WHERE c GLOB 'sthld[0-9]*';
CREATE TABLE steps AS SELECT fixed, hits, speed, lag(hits) OVER w AS hits_before, lag(speed) OVER w AS speed_before
    FROM sthld WHERE at = 0 WINDOW w AS (ORDER BY fixed);
CREATE TABLE shape AS SELECT (SELECT count(*) = 0 FROM steps WHERE hits < hits_before - 0.0005) AS rise,
    (SELECT max(fixed) FROM steps WHERE speed >= 0.99 * (SELECT max(speed) FROM steps)) AS knee,
    (SELECT max(speed) FROM steps) AS best, (SELECT speed FROM steps WHERE fixed = 0) AS zero,
    (SELECT fixed FROM steps ORDER BY speed DESC LIMIT 1) AS best_fixed;
ALTER TABLE shape ADD falls;
UPDATE shape SET falls = knee < 64 AND NOT EXISTS (SELECT 1 FROM steps WHERE fixed > knee AND speed >= speed_before);

-- The surroundings' causes: what each of them does to the figures when it alone is changed.
CREATE TABLE cause(c, text);
INSERT INTO cause VALUES ('main', '**declared**'), ('unscheduled', 'code as it comes from clang, unscheduled'),
    ('narrow', '32-bit addresses'), ('one', 'one core of 32 warps: two instructions a cycle, 8 CCUs, 16 banks'),
    ('alu8', 'ALU latency 8 for 4'), ('bandwidth', 'DRAM and links without a limit of bandwidth'),
    ('fast', 'no memory side: global and local loads of 20 cycles'), ('ports1', 'banks with one port for reads and writes'),
    ('together', '`SERIAL=0`: all operands of a cycle arrive in it, as in stock'), ('together0', 'the same, and STHLD 0'),
    ('wires', '0.2 mm of wire for a result into a CCU'), ('wires0', 'no wire for a result into a CCU'),
    ('light', 'no memory side, SFUs as fast as ALUs, SLOTS=3, one port'), ('light0', 'the same, and STHLD 0'),
    ('bare', 'all but the bandwidth, and SLOTS=3, single-ported banks');

-- Each kernel's fastest fixed STHLD.
CREATE TABLE own AS SELECT at, fixed, speed FROM (SELECT at, fixed, speed, row_number() OVER (PARTITION BY at ORDER BY ipc DESC, fixed) AS i
    FROM sthld JOIN row USING (at) WHERE at > 0 AND kind = 'kernel') WHERE i = 1;
