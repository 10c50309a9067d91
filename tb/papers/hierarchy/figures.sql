-- SPDX-License-Identifier: Apache-2.0
-- The figures of the hierarchy paper's evaluation (sections 2.2, 7, 8). r: the run, b: one level with the same surroundings. Shares are
-- of its accesses and of its energy.

-- An energy by the prices of another run (c): each run's own, but for the limits, which pay less than they would.
CREATE TABLE paid AS SELECT c, CASE WHEN c GLOB 'ideal*' THEN 'main' WHEN c = 'hwl0_6_free' THEN 'hwl0_6' ELSE c END AS price FROM config;
CREATE VIEW counted AS SELECT r.*, p.c AS price,
    r.reads + r.l1_reads + r.l0_reads AS read_all, r.l1_sent + r.l0_sent + r.l0_moves AS back,
    r.writes + r.l1_writes + r.l0_writes AS written_all, r.l0_reads + r.l0_sent + r.l0_moves AS l0_out,
    (r.reads * p.pj_banks_read + r.writes * p.pj_banks_write) * 1e-6 AS paid_banks,
    ((r.l1_reads - r.l1_shared_reads + r.l1_sent) * p.pj_l1_read + r.l1_shared_reads * p.pj_l1_shared_read +
        (r.l1_writes - r.l1_shared_writes) * p.pj_l1_write + r.l1_shared_writes * p.pj_l1_shared_write) * 1e-6 AS paid_l1,
    ((r.l0_reads + r.l0_sent + r.l0_moves) * p.pj_l0_read + r.l0_writes * p.pj_l0_write) * 1e-6 AS paid_l0
  FROM run AS r JOIN paid USING (c) JOIN run AS p ON p.w = r.w AND p.c = paid.price;
SELECT must(abs(paid_banks + paid_l1 + paid_l0 - energy_uj) < 1e-6 * energy_uj, w || '-' || c || ': its energy is not what its accesses cost')
    FROM counted WHERE price = c;

CREATE TABLE figure AS SELECT *, reads + writes AS accesses FROM (SELECT m.at, r.c, count(*) AS workloads,
    mean(r.param_ENTRIES) AS entries, mean(r.param_ACTIVE) AS active,
    mean(r.cycles) AS cycles, mean(r.ipc) AS ipc, geomean(r.ipc, 1) AS speed, geomean(r.ipc, b.ipc) - 1 AS gain,
    -- of the main register file and of the levels above it
    share(r.reads, b.reads) AS reads, share(r.writes, b.writes) AS writes,
    share(r.reads + r.writes, b.reads + b.writes) AS both,
    share(r.l1_reads, b.reads) AS l1_reads, share(r.l0_reads, b.reads) AS l0_reads, share(r.back, b.reads) AS back,
    share(r.l1_writes, b.writes) AS l1_writes, share(r.l0_writes, b.writes) AS l0_writes,
    share(r.read_all + r.back, b.reads) AS read_all, share(r.written_all, b.writes) AS written_all,
    share(r.flushes, b.writes) AS flushes, share(r.evictions, b.writes) AS evictions,
    change(r.paid_banks + r.paid_l1 + r.paid_l0, b.energy_uj) AS energy,
    share(r.paid_banks, b.energy_uj) AS banks_energy, share(r.paid_l1, b.energy_uj) AS l1_energy, share(r.paid_l0, b.energy_uj) AS l0_energy,
    share(r.paid_banks, r.paid_banks + r.paid_l1 + r.paid_l0) AS banks_part,
    share((r.reads + r.writes) * 8 * pj_crossbar * 1e-6, r.paid_banks) AS banks_wire,
    share((r.l0_out * (r.pj_l0_read - 8 * pj_collector_read) + r.l0_writes * (r.pj_l0_write - 8 * pj_collector_write)) * 1e-6, b.energy_uj)
        AS l0_wire,
    -- all accesses at one level's prices
    change(r.reads * r.pj_l0_read + r.writes * r.pj_l0_write, 1e6 * r.energy_uj) AS all_l0,
    change(b.reads * r.pj_l1_read + b.writes * r.pj_l1_write, 1e6 * b.energy_uj) AS all_l1,
    mean(r.pj_banks_read) AS pj_banks_read, mean(r.pj_banks_write) AS pj_banks_write, mean(r.pj_l0_read) AS pj_l0_read,
    mean(r.pj_l0_write) AS pj_l0_write, mean(r.pj_l1_read) AS pj_l1_read, mean(r.pj_l1_write) AS pj_l1_write,
    mean(r.pj_l1_shared_read) AS pj_l1_shared_read, mean(r.pj_l1_shared_write) AS pj_l1_shared_write,
    -- the stream
    mean(stat_read_0) AS never, mean(stat_read_1) AS once, mean(stat_read_3) AS often, mean(stat_once_soon) AS soon,
    mean(stat_reads) AS reads_each, mean(stat_writes) AS writes_each, mean(stat_strand) AS strand,
    share(r.suspended, r.uops) AS suspended, share(b.delivered_shared, b.operands) AS shared,
    share(r.slot_issued, r.cycles) AS issued, share(r.slot_collector, r.cycles) AS collector, share(r.slot_inactive, r.cycles) AS inactive,
    share(r.slot_hazard_memory, r.cycles) AS memory, share(r.slot_hazard_other, r.cycles) AS hazard,
    share(r.slot_empty + r.slot_drain + r.slot_no_warp, r.cycles) AS idle
  FROM given, member AS m JOIN counted AS r USING (w) JOIN config USING (c) JOIN run AS b ON b.w = r.w AND b.c = config.base
    JOIN workload USING (w)
  GROUP BY m.at, r.c);
