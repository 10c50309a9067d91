-- SPDX-License-Identifier: Apache-2.0
-- The figures of the bank-stealing paper's evaluation (III, VI). r: the run, b: no stealing with as many banks and the same surroundings.
-- reads and results: all of its operands read, and written.
CREATE VIEW sm AS SELECT *, slot_issued + slot_collector + slot_hazard_memory + slot_hazard_other + slot_empty + slot_barrier + slot_drain +
    slot_no_warp AS slots, reads + reads_ahead AS operands_read, writes_normal + writes_stolen + writes_forced AS results,
    (dram_read_bytes + dram_written_bytes) / ("machine_dram.bytes" / 1000 * cycles) AS dram FROM run;

CREATE TABLE figure AS SELECT *, bank + recall + away AS write, read + bank + recall + away AS both,
    forced + back_forced AS stall,
    cells(decimals(read, 3), decimals(bank + recall + away, 3), decimals(bank, 3), decimals(recall, 3), decimals(away, 3),
          decimals(own, 3)) AS waits,
    cells(percent(normal), percent(stolen), percent(forced), percent(in_1), percent(in_3), percent(unforced), percent(back_forced),
          percent(forced + back_forced), percent(back_stall), percent(lost)) AS fates
FROM (SELECT m.at, r.c, count(*) AS workloads, CAST(mean(r.param_BANKS) AS INTEGER) AS banks, mean(r.param_READS) AS reads_rule, mean(r.param_YIELD) AS yield,
    mean(r.cycles) AS cycles, mean(r.ipc) AS ipc, geomean(r.ipc, 1) AS speed, geomean(r.ipc, b.ipc) - 1 AS gain,
    mean(r.bank_busy_share) AS use, mean(r.dram) AS dram,
    share(r.slot_issued, r.slots) AS issued, share(r.slot_hazard_memory, r.slots) AS memory, share(r.slot_hazard_other, r.slots) AS hazard,
    share(r.slot_collector, r.slots) AS collector, share(r.slot_barrier, r.slots) AS barrier,
    share(r.slot_empty + r.slot_drain, r.slots) AS empty, share(r.slot_no_warp, r.slots) AS no_warp,
    share(r.dispatch_port, r.slots) AS port, share(r.dispatch_lost, r.slots) AS lost_port,
    share(r.reads_ahead, r.operands_read) AS ahead, share(r.wait_read, r.operands_read) AS read, share(r.wait_own, r.operands_read) AS own,
    share(r.wait_write, r.operands_read) AS bank, share(r.wait_recall, r.operands_read) AS recall,
    share(r.wait_stolen, r.operands_read) AS away,
    share(r.writes_normal, r.results) AS normal, share(r.writes_stolen, r.results) AS stolen, share(r.writes_forced, r.results) AS forced,
    share(r.back_forced, r.results) AS back_forced, share(r.back_stall, r.results) AS back_stall,
    share(r.back_in_1, r.writes_stolen) AS in_1, share(r.back_in_3, r.writes_stolen) AS in_3,
    share(r.back_idle, r.writes_stolen) AS unforced, share(r.names_lost, r.names) AS lost
  FROM member AS m JOIN sm AS r USING (w) JOIN config USING (c) JOIN run AS b ON b.w = r.w AND b.c = config.base
  GROUP BY m.at, r.c);

-- What the paper leaves open, chosen on the kernels apart: the YIELD of the highest mean IPC with READS=1, the rule of the text; within a
-- tenth of a percent 0.
CREATE TABLE choice AS SELECT reads_rule, yield, gain, speed, read, write FROM figure WHERE at = -2 AND c GLOB 'reads*_yield*';
CREATE TABLE chosen AS SELECT * FROM choice WHERE reads_rule = 1 AND speed >= 0.999 * (SELECT max(speed) FROM choice WHERE reads_rule = 1)
    ORDER BY yield LIMIT 1;
SELECT must(0, 'YIELD of steal8 is not that chosen: ' || chosen.yield) FROM chosen, figure AS m
    WHERE m.at = -2 AND m.c = 'steal8' AND m.yield <> chosen.yield AND m.workloads > 1;

-- Means: what stealing gains over none with as many banks.
CREATE TABLE gain AS SELECT straight.banks, straight.ipc, steal.gain, straight.speed / z.speed AS straight_speed,
        steal.speed / z.speed AS steal_speed, straight.read AS straight_read, steal.read AS steal_read, straight.write AS straight_write,
        steal.write AS steal_write
    FROM figure AS steal JOIN figure AS straight ON straight.c = 'straight' || steal.banks AND straight.at = 0
    JOIN figure AS z ON z.c = 'straight16' AND z.at = 0 WHERE steal.at = 0 AND steal.c = 'steal' || steal.banks ORDER BY straight.banks;

-- Each line changes one thing of the declared machine.
CREATE TABLE cause(name, text);
INSERT INTO cause VALUES ('', '**declared**'), ('_lrr', 'loose round-robin'), ('_levels', 'two-level scheduler'),
    ('_kb256', '256 KB, 64 warps'), ('_unscheduled', 'code as it comes from clang, unscheduled'),
    ('_wide', '64-bit addresses'), ('_alu8', 'ALU latency 8 for 4'), ('_collectors16', '16 collectors for 8'),
    ('_collectors4', '4 collectors for 8'),
    ('_bandwidth', 'DRAM and links without a limit of bandwidth'), ('_fast', 'no memory side: loads of 3 cycles'),
    ('_busy', 'no memory side and loose round-robin'), ('_ahead', 'the same, and READS=2');
CREATE TABLE effect AS SELECT cause.rowid AS i, name, text, s16.speed / z.speed AS base, s8.speed / s16.speed - 1 AS narrow,
        t8.gain, t8.speed / s16.speed - 1 AS both, t8.read / s8.read - 1 AS read, t8.write / s8.write - 1 AS write,
        s8.both / s16.both AS narrower, s16.use AS use16, t8.use AS use8, s8.collector, s8.memory, s8.issued
    FROM cause JOIN figure AS s16 ON s16.c = 'straight16' || name AND s16.at = 0 JOIN figure AS s8 ON s8.c = 'straight8' || name AND s8.at = 0
    JOIN figure AS t8 ON t8.c = 'steal8' || name AND t8.at = 0 JOIN figure AS z ON z.c = 'straight16' AND z.at = 0 ORDER BY cause.rowid;

-- The banks of 128 KB, without crossbar. CACTI 7 (github.com/HewlettPackard/cacti) with its cache.cfg but for: ram, one port, 128 bytes
-- a block, 1024 bits of bus, 32 nm [bank stealing V-B], 350 K. Of all banks: mm2, share of it that are cells, mW of leakage; of one: ns, pJ
-- of a read.
CREATE TABLE bank(banks, mm2, cells, ns, pj, mw);
INSERT INTO bank VALUES (4, 0.4443, 0.397, 0.345, 56.9, 42.4), (8, 0.7019, 0.251, 0.297, 54.7, 45.1), (16, 1.2111, 0.146, 0.273, 53.0, 50.3),
    (32, 2.2283, 0.079, 0.252, 52.2, 60.5);
CREATE TABLE area AS SELECT (SELECT mm2 FROM bank WHERE banks = 8) AS of8, (SELECT mm2 FROM bank WHERE banks = 16) AS of16,
    (SELECT mm2 FROM bank WHERE banks = 32) AS of32;
CREATE TABLE efficient AS SELECT banks, steal_speed / mm2 AS both FROM gain JOIN bank USING (banks);
