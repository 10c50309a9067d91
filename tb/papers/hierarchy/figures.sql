-- SPDX-License-Identifier: Apache-2.0
-- The figures of the hierarchy paper's evaluation (sections 2.2, 7, 8). r: the run, b: one level with the same surroundings, of whose
-- accesses and energy are the shares.

-- Kernels in two halves: those whose warps are descheduled least (calm) and most (torn), by instructions; the half with the
-- most instructions of all lanes (full); and those with the most (soon) and the fewest (late) values read once and soon.
INSERT INTO row(at, name) VALUES (-3, 'calm'), (-4, 'torn'), (-5, 'full'), (-6, 'soon'), (-7, 'late');
INSERT INTO member SELECT iif(row_number() OVER (ORDER BY suspended / uops, run.w) * 2 <= count(*) OVER (), -3, -4), run.w
    FROM run JOIN row ON at = run.w WHERE c = 'base' AND kind = 'kernel';
INSERT INTO member SELECT -5, w FROM (SELECT w, row_number() OVER (ORDER BY stat_full_mask DESC, w) * 2 <= count(*) OVER () AS full
    FROM row WHERE at > 0 AND kind = 'kernel') WHERE full;
INSERT INTO member SELECT iif(row_number() OVER (ORDER BY stat_once_soon DESC, w) * 2 <= count(*) OVER (), -6, -7), w
    FROM row WHERE at > 0 AND kind = 'kernel';

-- Whose prices a run pays: its own; but files of all warps, which would be larger, those of 8, and the limits those of 3 entries.
CREATE TABLE paid AS SELECT c, CASE WHEN c = 'free3_unscheduled' THEN 'hw3_unscheduled'
    WHEN c GLOB 'free[0-9]*' THEN 'hw' || substr(c, 5, 1) WHEN c GLOB 'ideal*' THEN 'main' WHEN c = 'hwl0_6_free' THEN 'hwl0_6' ELSE c END AS price FROM config;
CREATE VIEW counted AS SELECT r.*, p.c AS price, r.l1_sent + r.l0_sent + r.l0_moves AS back,
    (r.reads * p.pj_banks_read + r.writes * p.pj_banks_write) * 1e-6 AS paid_banks,
    ((r.l1_reads - r.l1_shared_reads + r.l1_sent) * p.pj_l1_read + r.l1_shared_reads * p.pj_l1_shared_read +
        (r.l1_writes - r.l1_shared_writes) * p.pj_l1_write + r.l1_shared_writes * p.pj_l1_shared_write) * 1e-6 AS paid_l1,
    ((r.l0_reads + r.l0_sent + r.l0_moves) * p.pj_l0_read + r.l0_writes * p.pj_l0_write) * 1e-6 AS paid_l0,
    (r.reads * p.pj_banks_read + (r.l1_reads - r.l1_shared_reads) * p.pj_l1_read + r.l1_shared_reads * p.pj_l1_shared_read +
        r.l0_reads * p.pj_l0_read) * 1e-6 AS paid_operands,
    -- Table V's wires: 1 mm to the main register file, 0.2 and 0.4 mm to the L1, 0.05 mm to the L0
    (r.reads + r.writes) * wire AS wires_banks,
    (r.l1_reads + r.l1_sent + r.l1_writes + r.l1_shared_reads + r.l1_shared_writes) * 0.2 * wire AS wires_l1,
    (r.l0_reads + r.l0_sent + r.l0_moves + r.l0_writes) * 0.05 * wire AS wires_l0
  FROM run AS r JOIN paid USING (c) JOIN run AS p ON p.w = r.w AND p.c = paid.price JOIN (SELECT 8e-6 * pj_crossbar AS wire FROM given);
SELECT must(max(abs(pj_l1_shared_read - pj_l1_read - 0.2 * wire), abs(pj_l1_shared_write - pj_l1_write - 0.2 * wire),
        abs(pj_l0_read - 8 * pj_collector_read - 0.05 * wire), abs(pj_l0_write - 8 * pj_collector_write - 0.05 * wire)) < 1e-6,
    w || '-' || c || ': its wires are not those of Table V')
    FROM run JOIN (SELECT pj_collector_read, pj_collector_write, 8 * pj_crossbar AS wire FROM given);
SELECT must(abs(paid_banks + paid_l1 + paid_l0 - energy_uj) < 1e-6 * energy_uj, w || '-' || c || ': its energy is not what its accesses cost')
    FROM counted WHERE price = c;
SELECT must(reads + l1_reads + l0_reads = operands, w || '-' || c || ': an operand is read in no level, or in two') FROM run;

-- What is counted without timing is what a run takes.
SELECT must(abs(without - paid_banks - paid_l1 - paid_l0) < 1e-6 * without, name || '-' || c || ': it does not take what is counted without timing')
    FROM (SELECT *, CASE c WHEN 'main' THEN limit_fixed_3 WHEN 'ideal8' THEN limit_fixed_8 WHEN 'split5' THEN limit_split_5
        WHEN 'split2' THEN limit_split_2 WHEN 'split4' THEN limit_split_4 WHEN 'sw2' THEN limit_none_2 WHEN 'sw3' THEN limit_none_3
        WHEN 'sw4' THEN limit_none_4 WHEN 'sw5' THEN limit_none_5 WHEN 'unified' THEN limit_unified_3 END AS without
        FROM counted JOIN workload USING (w))
    WHERE c IN ('main', 'ideal8', 'split2', 'split4', 'split5', 'sw2', 'sw3', 'sw4', 'sw5', 'unified');
SELECT must(abs(limit_split_3 - limit_fixed_3) < 1e-6 * limit_fixed_3, name || ': 3 entries at their own prices') FROM workload
    WHERE limit_fixed_3 IS NOT NULL;

CREATE TABLE figure AS SELECT *, 1 - reads AS reads_saved, 1 - writes AS writes_saved, read_all - 1 AS reads_added,
    written_all - 1 AS writes_added, 1 + energy AS left,
    cells(percent(reads), percent(l1_reads), percent(l0_reads), percent(back), percent(writes), percent(l1_writes), percent(l0_writes),
        signed(energy), signed(gain)) AS parts
FROM (SELECT m.at, r.c, count(*) AS workloads, mean(r.param_ENTRIES) AS entries, mean(r.param_ACTIVE) AS active,
    mean(r.cycles) AS cycles, mean(r.ipc) AS ipc, geomean(r.ipc, 1) AS speed, geomean(r.ipc, b.ipc) - 1 AS gain,
    -- of the main register file and of the levels above it; back: reads that write something back
    share(r.reads, b.reads) AS reads, share(r.writes, b.writes) AS writes, share(r.reads + r.writes, b.reads + b.writes) AS accesses,
    share(r.l1_reads, b.reads) AS l1_reads, share(r.l0_reads, b.reads) AS l0_reads, share(r.back, b.reads) AS back,
    share(r.l1_writes, b.writes) AS l1_writes, share(r.l0_writes, b.writes) AS l0_writes,
    share(r.reads + r.l1_reads + r.l0_reads + r.back, b.reads) AS read_all, share(r.writes + r.l1_writes + r.l0_writes, b.writes) AS written_all,
    change(r.paid_banks + r.paid_l1 + r.paid_l0, b.energy_uj) AS energy,
    share(r.paid_banks, b.energy_uj) AS banks_energy, share(r.paid_l1, b.energy_uj) AS l1_energy, share(r.paid_l0, b.energy_uj) AS l0_energy,
    share(r.paid_banks, r.paid_banks + r.paid_l1 + r.paid_l0) AS banks_part,
    share(r.wires_banks, r.paid_banks) AS banks_wire, share(r.wires_banks, b.energy_uj) AS banks_wires,
    share(r.wires_l1, b.energy_uj) AS l1_wires, share(r.wires_l0, b.energy_uj) AS l0_wires,
    -- prices, and what all accesses would cost in one level
    mean(r.pj_banks_read) AS pj_banks_read, mean(r.pj_banks_write) AS pj_banks_write, mean(r.pj_l0_read) AS pj_l0_read,
    mean(r.pj_l0_write) AS pj_l0_write, mean(r.pj_l1_read) AS pj_l1_read, mean(r.pj_l1_write) AS pj_l1_write,
    mean(r.pj_l1_shared_read) AS pj_l1_shared_read, mean(r.pj_l1_shared_write) AS pj_l1_shared_write,
    change(b.reads * r.pj_l0_read + b.writes * r.pj_l0_write, 1e6 * b.energy_uj) AS all_l0,
    change(b.reads * r.pj_l1_read + b.writes * r.pj_l1_write, 1e6 * b.energy_uj) AS all_l1,
    -- what crosses strands from the main register file, all else in an L1
    change(b.reads * (stat_outside * r.pj_banks_read + (1 - stat_outside) * r.pj_l1_read) +
        b.writes * (stat_crossing * r.pj_banks_write + (1 - stat_crossing) * r.pj_l1_write), 1e6 * b.energy_uj) AS bound,
    -- of the main register file, if source operands took entries
    change(r.filled_reads, r.reads) AS filled_reads, change(r.filled_writes, r.writes) AS filled_writes,
    -- entries for each strand as an oracle gives them, 3 or 4 on average
    share(limit_least_3, b.energy_uj) AS least3, share(limit_least_4, b.energy_uj) AS least4,
    -- dgemm's number of entries [hierarchy 4.5]; no strand that ends because of a long latency
    share(limit_split_7, b.energy_uj) AS split7, share(limit_unflushed_3, b.energy_uj) AS unflushed,
    -- 5 entries at the mean of Table IV's 4 and 6 of 8 warps; the paper's mix of reads and writes in place of the kernel's
    change(r.paid_banks + r.paid_l0 + 1e-6 * ((r.l1_reads + r.l1_sent) * 8 * 2.05 + r.l1_writes * 8 * 6.4 +
        (r.l1_reads + r.l1_sent + r.l1_writes) * 8 * 0.2 * pj_crossbar + (r.l1_shared_reads + r.l1_shared_writes) * 8 * 0.2 * pj_crossbar),
        b.energy_uj) AS five_of_column,
    change(1.6 * r.paid_operands / b.reads + 0.8 * (r.paid_banks + r.paid_l1 + r.paid_l0 - r.paid_operands) / b.writes,
        (1.6 * b.pj_banks_read + 0.8 * b.pj_banks_write) * 1e-6) AS mixed,
    -- the stream
    mean(stat_read_0) AS never, mean(stat_read_1) AS once, mean(stat_read_3) AS often, mean(stat_once_soon) AS soon,
    mean(stat_reads) AS reads_each, mean(stat_writes) AS writes_each, mean(stat_strand) AS strand, mean(stat_outside) AS outside, mean(stat_crossing) AS crossing,
    share(r.suspended, r.uops) AS suspended, share(b.delivered_shared, b.operands) AS shared,
    share(r.slot_issued, r.cycles) AS issued, share(r.slot_collector, r.cycles) AS collector, share(r.slot_inactive, r.cycles) AS inactive,
    share(r.slot_hazard_memory, r.cycles) AS memory, share(r.slot_hazard_other, r.cycles) AS hazard,
    share(r.slot_empty + r.slot_drain + r.slot_no_warp + r.slot_barrier, r.cycles) AS idle
  FROM given, member AS m JOIN counted AS r USING (w) JOIN config USING (c) JOIN run AS b ON b.w = r.w AND b.c = config.base
    JOIN workload USING (w)
  GROUP BY m.at, r.c);

-- Energy against the number of entries: by hardware of runs, by software of executions without timing; and the least.
CREATE TABLE swept AS SELECT at, CASE WHEN c GLOB 'hwl0*' THEN 'hwl0' WHEN c GLOB '*kept' THEN 'kept' ELSE 'hw' END AS kind,
    CAST(entries AS INTEGER) AS entries, energy
    FROM figure WHERE c GLOB 'hw[0-9]' OR c GLOB 'hw[0-9]_kept' OR c GLOB 'hwl0_[0-9]';
INSERT INTO swept SELECT at, file, n, change(CASE file
        WHEN 'none' THEN CASE n WHEN 1 THEN limit_none_1 WHEN 2 THEN limit_none_2 WHEN 3 THEN limit_none_3 WHEN 4 THEN limit_none_4
            WHEN 5 THEN limit_none_5 WHEN 6 THEN limit_none_6 WHEN 7 THEN limit_none_7 ELSE limit_none_8 END
        WHEN 'unified' THEN CASE n WHEN 1 THEN limit_unified_1 WHEN 2 THEN limit_unified_2 WHEN 3 THEN limit_unified_3
            WHEN 4 THEN limit_unified_4 WHEN 5 THEN limit_unified_5 WHEN 6 THEN limit_unified_6 WHEN 7 THEN limit_unified_7
            ELSE limit_unified_8 END
        ELSE CASE n WHEN 1 THEN limit_split_1 WHEN 2 THEN limit_split_2 WHEN 3 THEN limit_split_3 WHEN 4 THEN limit_split_4
            WHEN 5 THEN limit_split_5 WHEN 6 THEN limit_split_6 WHEN 7 THEN limit_split_7 ELSE limit_split_8 END END, energy_uj)
    FROM member AS m JOIN workload USING (w) JOIN run USING (w)
        JOIN (SELECT DISTINCT entries AS n FROM swept) JOIN (SELECT 'none' AS file UNION SELECT 'unified' UNION SELECT 'split')
    WHERE c = 'base' AND limit_fixed_3 IS NOT NULL GROUP BY at, file, n;
ALTER TABLE swept ADD "left" AS (1 + energy);
CREATE TABLE least AS SELECT kind, entries, min("left") AS "left" FROM swept WHERE at = 0 GROUP BY kind;

CREATE TABLE cause(text, base, hardware, software, place);
INSERT INTO cause VALUES ('**declared**', 'base', 'hw3', 'main', 0), ('the half whose warps are descheduled least', 'base', 'hw3', 'main', -3),
    ('the half whose warps are descheduled most', 'base', 'hw3', 'main', -4),
    ('the half with the most instructions of all lanes', 'base', 'hw3', 'main', -5),
    ('the half with the most values read once and soon', 'base', 'hw3', 'main', -6),
    ('the half with the fewest', 'base', 'hw3', 'main', -7),
    ('no flushes: all warps active, at the price of 8; software: 8 entries at the price of 3', 'base', 'free3', 'ideal8', 0),
    ('no flushes, the half with the most values read once and soon', 'base', 'free3', 'ideal8', -6),
    ('no flushes, the half with the fewest', 'base', 'free3', 'ideal8', -7),
    ('code as it comes from clang, unscheduled', 'base_unscheduled', 'hw3_unscheduled', 'main_unscheduled', 0),
    ('unscheduled, no flushes by hardware', 'base_unscheduled', 'free3_unscheduled', 'main_unscheduled', 0),
    ('64-bit addresses', 'base_wide', 'hw3_wide', 'main_wide', 0);

-- The lines of the tables.
CREATE TABLE shown(c, text);
INSERT INTO shown VALUES ('free1', 'hardware, all warps active, 1 entry'), ('free2', '2 entries'), ('free3', '3 entries'),
    ('free3_kept', '3, dead values written back'), ('free4', '4 entries'), ('free5', '5 entries'), ('free6', '6 entries'),
    ('free6_kept', '6, dead values written back'), ('free6_lru', '6, least recently used'), ('free7', '7 entries'),
    ('free8', '8 entries'), ('free8_kept', '8, dead values written back'),
    ('hw1', 'hardware, 8 active, 1 entry'), ('hw2', '2 entries'), ('hw3', '3 entries'), ('hw3_kept', '3, dead values written back'),
    ('hw3_back', '3, flushed at backward branches'),
    ('hw4', '4 entries'), ('hw5', '5 entries'), ('hw5_back', '5, flushed at backward branches'),
    ('hw6', '6 entries'), ('hw6_kept', '6, dead values written back'),
    ('hw6_back', '6, flushed at backward branches'), ('hw7', '7 entries'), ('hw8', '8 entries'),
    ('hwl0_1', 'hardware, L0, 1 entry'), ('hwl0_2', '2 entries'), ('hwl0_3', '3 entries'), ('hwl0_4', '4 entries'), ('hwl0_5', '5 entries'),
    ('hwl0_6', '6 entries'), ('hwl0_7', '7 entries'), ('hwl0_8', '8 entries'), ('hwl0_6_free', '6, all warps active'),
    ('sw2_basic', 'software, no partial ranges, no read operands, 2 entries'), ('sw3_basic', '3 entries'), ('sw4_basic', '4 entries'),
    ('sw5_basic', '5 entries'), ('sw2', 'software, 2 entries'), ('sw3', '3 entries'), ('sw3_blocks', '3, within blocks'),
    ('sw4', '4 entries'), ('sw5', '5 entries'), ('unified', 'software, unified L0, 3 entries'),
    ('split2', 'software, split L0, 2 entries'), ('main', '3 entries'), ('one', '3, a value in one level'),
    ('no_l1_mrf', '3, not in L1 and MRF'), ('split4', '4 entries'), ('split5', '5 entries'), ('ideal5', '5 entries at the price of 3'),
    ('ideal8', '8 entries at the price of 3');
CREATE TABLE ways(c, text);
INSERT INTO ways VALUES ('active1', 'greedy, 1'), ('active2', '2'), ('active4', '4'), ('active6', '6'), ('base', '8'), ('active16', '16'),
    ('active32', 'all 32'), ('rr2', 'round-robin, 2'), ('rr4', '4'), ('rr6', '6'), ('rr8', '8'), ('rr16', '16'), ('rr32', 'all 32'), ('alu4_active4', 'greedy, 4, arithmetic in 4 cycles'),
    ('alu4_active8', '8, arithmetic in 4 cycles'), ('alu4_active32', 'all 32, arithmetic in 4 cycles'),
    ('collectors16_active8', '8, 16 collectors'), ('collectors16_active32', 'all 32, 16 collectors');
