-- SPDX-License-Identifier: Apache-2.0
-- The figures of the CERF paper's evaluation (II, III-D-1, V). r: the run, b: registers and an L1D of 16 KB apart, with the same surroundings.

-- Kernels that Table II has, whatever their inputs; and all by what the baseline gains from an L1D of 128 KB in place of 16: the paper
-- tells sensitive ones from others by the baseline, too. There is one at least: that which gains most.
INSERT INTO row(at, name) VALUES (-3, 'sensitive'), (-4, 'others'), (-5, 'listed'), (-6, 'full');
INSERT INTO member SELECT iif(l.ipc > 1.1 * b.ipc OR row_number() OVER (ORDER BY l.ipc / b.ipc DESC) = 1, -3, -4), b.w
    FROM run AS b JOIN run AS l USING (w) JOIN row ON at = b.w WHERE b.c = 'base' AND l.c = 'l1_128' AND kind = 'kernel';
INSERT INTO member SELECT -5, at FROM row WHERE at > 0 AND kind = 'kernel' AND name IN ('binomial', 'bicg', 'bfs', 'gramschmidt', 'fdtd2d', 'fft',
    'gaussian', 'dct8x8', 'mergesort', 'kmeans', 'gemm', 'pathfinder', 'mvt', 'quasirandom', 'srad', 'needle', 'streamcluster', 'syrk');
-- The half with the most instructions of all lanes.
INSERT INTO member SELECT -6, w FROM (SELECT w, row_number() OVER (ORDER BY stat_full_mask DESC, w) * 2 <= count(*) OVER () AS full
    FROM row WHERE at > 0 AND kind = 'kernel') WHERE full;

-- net: IPC, without the cycles between kernels in which the memory is emptied. entries: of the memory, or lines of the L1D; places: of
-- registers. Accesses of banks, priced; leakage in uJ at the machine's 700 MHz.
CREATE VIEW counted AS SELECT r.*, warp_instructions / (cycles - emptying_cycles) AS net, param_INTEGRATED AS one, param_SETS * param_WAYS AS entries,
    CASE WHEN c GLOB '*kb64' THEN 512 WHEN c GLOB '*kb256' THEN 2048 ELSE 1024 END AS places,
    slot_issued + slot_collector + slot_hazard_memory + slot_hazard_other + slot_empty + slot_barrier + slot_drain + slot_no_warp AS slots,
    line_load_hits + line_store_hits AS line_hits, line_loads + line_stores AS line_uses,
    victim_registers + victim_lines + victim_dirty_lines AS victims, row_writes + iif(param_INTEGRATED, 0, writes) AS written,
    access_conflicts + iif(param_INTEGRATED, read_conflicts + write_conflicts,
        read_read_conflicts + read_write_conflicts + write_write_conflicts) AS conflicts,
    8e-6 * iif(param_INTEGRATED, (read_hits + line_load_hits + victim_registers + victim_dirty_lines) * pj_rf_read + row_writes * pj_rf_write,
        reads * pj_rf_read + writes * pj_rf_write) AS uj_registers,
    8e-6 * iif(param_INTEGRATED, 0, (line_load_hits + victim_dirty_lines) * pj_l1_read + row_writes * pj_l1_write) AS uj_l1,
    1e-6 * iif(param_INTEGRATED, tag_lookups * pj_tag_read + tag_writes * pj_tag_write,
        tag_lookups * pj_l1_tag_read + tag_writes * pj_l1_tag_write) AS uj_tags,
    1e-6 * (sent_fetches * (8 * pj_l2_read + pj_l2_tag_read) + sent_writes * (8 * pj_l2_write + pj_l2_tag_read + pj_l2_tag_write) +
        sent_atomics * (8 * (pj_l2_read + pj_l2_write) + pj_l2_tag_read)) AS uj_l2,
    (r.cycles - emptying_cycles) / 700e3 * (32 * mw_rf + iif(param_INTEGRATED, 4 * mw_tag, 32 * mw_l1 + mw_l1_tag)) AS uj_leakage,
    (r.cycles - emptying_cycles) / 700e3 * 12 / 15 * (16 * mw_l2 + mw_l2_tag) AS uj_l2_leakage
  FROM given, run AS r;
CREATE VIEW priced AS SELECT *, uj_registers + uj_l1 + uj_tags + uj_l2 + uj_leakage AS uj_inner,
    uj_registers + uj_l1 + uj_tags + uj_l2 + uj_leakage + uj_l2_leakage AS uj FROM counted;

CREATE TABLE figure AS SELECT *, 1 - static_holes - live AS dynamic_holes, 1 / (1 + gain) - 1 AS cpi,
    cells(percent(uj_registers), percent(uj_l1), percent(uj_tags), percent(uj_l2), percent(uj_leakage), percent(uj_l2_leakage), signed(energy)) AS parts
FROM (SELECT m.at, r.c, count(*) AS workloads, mean(r.net) AS ipc, geomean(r.net, 1) AS speed,
    geomean(r.net, b.net) - 1 AS gain,
    -- of the registers' places: those of no warp, and those of values that will be read
    1 - mean(r.warps_mean * r.param_REGS / r.places) AS static_holes, mean(r.live_registers_mean / r.places) AS live,
    -- operands of registers and lines by distance
    share(r.register_reuses_100 + r.line_reuses_100, r.register_reuses + r.line_reuses) AS near,
    share(r.register_reuses_1000 + r.line_reuses_1000, r.register_reuses + r.line_reuses) AS far,
    share(r.register_reuses_1000, r.register_reuses_1000 + r.line_reuses_1000) AS near_registers,
    share(r.lines_used_often, r.lines_used) AS often,
    mean(stat_read_0 + stat_read_1) AS seldom, mean(stat_read_3) AS more,
    -- use of all places: entries that are not vacant; apart, live registers and lines
    mean(iif(r.one, r.register_share + r.line_share, (r.live_registers_mean + r.line_share * r.entries) / (r.places + r.entries))) AS use,
    share(r.line_hits, r.line_uses) AS hits, mean(r.register_share) AS registers, mean(r.line_share) AS lines, share(r.read_hits, r.reads) AS read_hits,
    share(r.registers_by_registers, r.written) AS by_registers, share(r.lines_by_lines, r.written) AS by_lines,
    share(r.victims - r.registers_by_registers - r.lines_by_lines, r.written) AS crossed,
    share(r.victim_registers, r.writes) AS spilled, mean(ratio(r.conflicts, b.conflicts)) AS conflicts,
    share(r.conflicts, r.reads + r.writes + r.line_uses) AS conflicts_each,
    mean(r.sent_fetches * 1.0 / b.sent_fetches) AS fetches, share(r.tag_refusals, r.tag_lookups) AS refused,
    change(r.uj, b.uj) AS energy, change(r.uj_inner, b.uj_inner) AS energy_inner, share(r.uj_registers, b.uj) AS uj_registers,
    share(r.uj_l1, b.uj) AS uj_l1, share(r.uj_tags, b.uj) AS uj_tags, share(r.uj_l2, b.uj) AS uj_l2, share(r.uj_leakage, b.uj) AS uj_leakage,
    share(r.uj_l2_leakage, b.uj) AS uj_l2_leakage,
    share(r.slot_issued, r.slots) AS issued, share(r.slot_hazard_memory, r.slots) AS memory, share(r.slot_hazard_other, r.slots) AS hazard,
    share(r.slot_collector, r.slots) AS collector, share(r.slot_empty + r.slot_barrier + r.slot_drain + r.slot_no_warp, r.slots) AS idle
  FROM member AS m JOIN priced AS r USING (w) JOIN config USING (c) JOIN priced AS b ON b.w = r.w AND b.c = config.base
    JOIN workload USING (w)
  GROUP BY m.at, r.c);

-- The lines of the tables.
CREATE TABLE cause(name, text);
INSERT INTO cause VALUES ('', '**declared**'), ('_unscheduled', 'code as it comes from clang, unscheduled'), ('_wide', '64-bit addresses'),
    ('_bandwidth', 'DRAM and links without a limit of bandwidth'), ('_l2', 'all of L2, 768 KB, for one SM'),
    ('_collectors15', '15 collectors for 8'), ('_banks8', '8 banks for 4'),
    ('_roomy', '8 banks and 15 collectors'), ('_mshrs16', '16 MSHRs of a bank'), ('_kb64', '64 KB of registers, or of both'),
    ('_kb256', '256 KB of registers, or of both');
CREATE TABLE policy(c, text);
INSERT INTO policy VALUES ('base', 'baseline, L1D of 16 KB'), ('fair', 'LRU-fair'), ('fair_live', 'LRU-fair with last reads'),
    ('first', 'LRU-prioritized'), ('first_together', 'LRU-prioritized, last reads of all lanes together'), ('lines_first', 'cache data first'), ('ways2', 'LRU-fair, 2 ways'), ('ways8', 'LRU-fair, 8 ways'),
    ('l1_32', 'L1D of 32 KB'), ('l1_48', 'L1D of 48 KB, 6 ways'), ('l1_64', 'L1D of 64 KB'), ('l1_128', 'L1D of 128 KB'),
    ('unified', 'static unified memory');
CREATE TABLE means(at, name);
INSERT INTO means VALUES (0, 'kernels'), (-3, 'sensitive'), (-4, 'others'), (-5, 'of Table II'), (-6, 'the half with the most instructions of all lanes'), (-1, 'traces');
