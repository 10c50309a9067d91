-- SPDX-License-Identifier: Apache-2.0
-- The figures of the WIR paper's evaluation (III-A, VII). r: the run, b: no reuse with the same delay of the added
-- stages, n: with the least that the model has.
-- The counters must be of one world: every instruction has one kind, and what may be looked up one fate; an instruction that reuses
-- was looked up, and all its uops reuse.
SELECT must(0, 'kinds or fates of ' || w || '-main are not its instructions') FROM run WHERE c = 'main' AND (warp_instructions <>
        kind_may_look_up + kind_control_flow + kind_stores + kind_no_result + kind_partial_mask + kind_wide_result + kind_cracked +
        kind_hidden_input + kind_unnamed_space + kind_no_values + kind_special_register + kind_several_constants + kind_no_number
    OR kind_may_look_up <> source_not_mapped + source_pinned + loads_off + load_guarded + looked_up
    OR reused_instructions > looked_up OR reused_instructions > reused);

-- The kernels that stand for a program of its Table I (docs/kernels.md).
INSERT INTO row(at, name) VALUES (-3, 'named');
INSERT INTO member SELECT -3, at FROM row WHERE kind = 'kernel' AND name IN ('sobel', 'btree', 'gaussian', 'backprop', 'pathfinder',
    'binomial', 'stencil7', 'srad', 'lud', 'kmeans', 'haar', 'needle', 'spmv_vector', 'cutcp', 'mriq', 'sad', 'sobol', 'lbm', 'hotspot',
    'scan', 'dct8x8', 'walsh', 'bfs', 'streamcluster', 'leukocyte', 'blackscholes');

CREATE VIEW accessed AS SELECT *, slot_issued + slot_collector + coalesce(slot_rename_port, 0) + coalesce(slot_release, 0) +
        slot_hazard_memory + slot_hazard_other + slot_empty + slot_barrier + slot_drain + slot_no_warp AS slots,
    (dram_read_bytes + dram_written_bytes) / ("machine_dram.bytes" / 1000 * cycles) AS dram, l1_misses + l1_sector_misses AS l1_fetches, operand_reads + verify_reads + merge_reads AS bank_reads,
    operand_reads + verify_reads + merge_reads + bank_writes AS accesses,
    conflicts_read_read + conflicts_read_write + conflicts_write_write AS conflicts, warp_instructions AS n,
    rename_reads + rename_writes AS ops_rename, reuse_buffer_reads + reuse_buffer_writes AS ops_reuse, hashed AS ops_hash,
    vsb_reads + vsb_writes AS ops_vsb, register_pool_operations AS ops_pool, reference_operations AS ops_reference,
    verify_cache_reads + verify_cache_writes AS ops_cache FROM run;

CREATE TABLE figure AS SELECT *,
    banks_energy + added_energy AS energy, kind_may_look_up - looked AS later,
    banks_energy + added_energy + moves_energy AS energy_moves,
    repeats_control_flow + repeats_stores + repeats_no_result + repeats_partial_mask + repeats_wide_result + repeats_cracked + repeats_hidden_input +
        repeats_unnamed_space + repeats_no_values + repeats_special_register + repeats_several_constants + repeats_no_number AS lost_repeats,
    cells(percent(reused), percent(waited), percent(of_looked), percent(vsb), signed(executed), signed(reads), signed(writes),
          signed(memory), decimals(retries, 3), percent(average), percent(peak), signed(gain)) AS model,
    cells(percent(issued), percent(memory_waits), percent(hazard), percent(collector), percent(front), percent(release), percent(barrier),
          percent(empty), percent(no_warp), decimals(retries, 3)) AS limits,
    cells(percent(verify), percent(cached), decimals(retries, 3)) AS cache,
    cells(signed(banks_energy), signed(added_energy), signed(banks_energy + added_energy)) AS energies
FROM (SELECT m.at, r.c, geomean(r.ipc, n.ipc) - 1 AS over, mean(r.param_WARPS) AS warps, mean(r.param_ENTRIES) AS entries, mean(r.param_DELAY) AS delay,
    mean(r.param_VENTRIES * r.param_VSB) AS ventries, mean(highest_register + 1) AS registers,
    mean(r.cycles) AS cycles, mean(r.ipc) AS ipc, geomean(r.ipc, 1) AS speed, geomean(r.ipc, b.ipc) - 1 AS gain,
    mean(r.n) AS instructions, share(r.reused_instructions, r.n) AS reused,
    share(r.reused_instructions_after_waiting, r.n) AS waited, share(r.reused_instructions, r.looked_up) AS of_looked,
    share(r.looked_up, r.n) AS looked, share(r.dummy_moves, r.n) AS dummy,
    share(r.slot_issued, r.slots) AS issued, share(r.slot_hazard_memory, r.slots) AS memory_waits,
    share(r.slot_hazard_other, r.slots) AS hazard, share(r.slot_collector, r.slots) AS collector,
    share(coalesce(r.slot_rename_port, 0), r.slots) AS front, share(coalesce(r.slot_release, 0), r.slots) AS release,
    share(r.slot_barrier, r.slots) AS barrier, share(r.slot_empty + r.slot_drain, r.slots) AS empty, share(r.slot_no_warp, r.slots) AS no_warp,
    mean(r.dram) AS dram, change(r.l1_loads, b.l1_loads) AS l1_loads, change(r.l1_fetches, b.l1_fetches) AS l1_fetches,
    -- cycles that accesses of banks wait, an access; what the banks do
    share(r.conflicts, r.accesses) AS retries,
    change(r.executed, b.executed) AS executed, change(r.bank_reads, b.bank_reads) AS reads,
    change(r.bank_writes, b.bank_writes) AS writes,
    share(r.verify_reads, b.bank_writes) AS verify, share(r.shared_cached, r.vsb_hits) AS cached,
    -share(r.reused_load_instructions, mem) AS memory, share(r.barrier_count_full, mem) AS full,
    -- with a dummy MOV as an operation of its own, as the WIR paper has it (V-D); here it is one with its write (D-mov)
    change(r.executed + r.dummy_moves, b.executed) AS executed_moves,
    change(r.bank_writes + r.dummy_moves, b.bank_writes) AS writes_moves,
    share(r.dummy_moves * 8 * pj_write * 1e-6, b.energy_banks_uj) AS moves_energy,
    -- values, registers of 1024, repeated computations
    share(r.vsb_hits, r.hashed) AS vsb, share(r.shared_cached + r.shared_read, r.results) AS shared,
    share(r.hashed, r.results) AS hashed,
    mean(r.collisions) AS collisions, mean(r.registers_average / 1024) AS average, mean(r.registers_peak / 1024) AS peak,
    mean(r.registers_logical_average / 1024) AS logical, share(r.low_register_cycles, r.cycles) AS low,
    share(r.over_limit_cycles, r.cycles) AS over_limit,
    share(r.repeated, r.repeat_instructions) AS repeated, share(r.repeated_often, r.repeat_instructions) AS repeated_often,
    share(r.repeated_near, r.repeat_instructions) AS repeated_near,
    share(r.repeats_looked_up - r.repeats_reused_at_once, r.n) AS missed_repeats,
    -- picojoules
    change(r.energy_banks_uj, b.energy_banks_uj) AS banks_energy, share(r.energy_added_uj, b.energy_banks_uj) AS added_energy,
    share(r.ops_rename, r.n) AS ops_rename, share(r.ops_rename * pj_rename * 1e-6, b.energy_banks_uj) AS cost_rename,
    share(r.ops_reuse, r.n) AS ops_reuse, share(r.ops_reuse * pj_reuse * 1e-6, b.energy_banks_uj) AS cost_reuse,
    share(r.ops_hash, r.n) AS ops_hash, share(r.ops_hash * pj_hash * 1e-6, b.energy_banks_uj) AS cost_hash,
    share(r.ops_vsb, r.n) AS ops_vsb, share(r.ops_vsb * pj_vsb * 1e-6, b.energy_banks_uj) AS cost_vsb,
    share(r.ops_pool, r.n) AS ops_pool, share(r.ops_pool * pj_pool * 1e-6, b.energy_banks_uj) AS cost_pool,
    share(r.ops_reference, r.n) AS ops_reference, share(r.ops_reference * pj_reference * 1e-6, b.energy_banks_uj) AS cost_reference,
    share(r.ops_cache, r.n) AS ops_cache, share(r.ops_cache * pj_cache * 1e-6, b.energy_banks_uj) AS cost_cache,
    -- why an instruction is not looked up, and how many of these repeat one
    share(r.kind_may_look_up, r.n) AS kind_may_look_up, share(r.repeats_may_look_up, r.n) AS repeats_may_look_up,
    share(r.kind_control_flow, r.n) AS kind_control_flow, share(r.repeats_control_flow, r.n) AS repeats_control_flow,
    share(r.kind_stores, r.n) AS kind_stores, share(r.repeats_stores, r.n) AS repeats_stores,
    share(r.kind_no_result, r.n) AS kind_no_result, share(r.repeats_no_result, r.n) AS repeats_no_result,
    share(r.kind_partial_mask, r.n) AS kind_partial_mask, share(r.repeats_partial_mask, r.n) AS repeats_partial_mask,
    share(r.kind_wide_result, r.n) AS kind_wide_result, share(r.repeats_wide_result, r.n) AS repeats_wide_result,
    share(r.kind_cracked, r.n) AS kind_cracked, share(r.repeats_cracked, r.n) AS repeats_cracked,
    share(r.kind_hidden_input, r.n) AS kind_hidden_input, share(r.repeats_hidden_input, r.n) AS repeats_hidden_input,
    share(r.kind_unnamed_space, r.n) AS kind_unnamed_space, share(r.repeats_unnamed_space, r.n) AS repeats_unnamed_space,
    share(r.kind_no_values, r.n) AS kind_no_values, share(r.repeats_no_values, r.n) AS repeats_no_values,
    share(r.kind_special_register, r.n) AS kind_special_register, share(r.repeats_special_register, r.n) AS repeats_special_register,
    share(r.kind_several_constants, r.n) AS kind_several_constants, share(r.repeats_several_constants, r.n) AS repeats_several_constants,
    share(r.kind_no_number, r.n) AS kind_no_number, share(r.repeats_no_number, r.n) AS repeats_no_number,
    share(r.source_not_mapped, r.n) AS source_not_mapped,
    share(r.source_pinned, r.n) AS source_pinned,
    share(r.load_guarded, r.n) AS load_guarded
  FROM given, member AS m JOIN (SELECT w, mem, highest_register FROM workload) USING (w) JOIN accessed AS r USING (w)
  JOIN config USING (c)
    JOIN accessed AS b ON b.w = r.w AND b.c = config.base JOIN run AS n ON n.w = r.w AND n.c = 'base3'
  GROUP BY m.at, r.c);

-- Means over sizes: entries of the reuse buffer (misses: without pending-retry), of the value signature buffer, and cycles of the added
-- stages, IPC of ours and of none with as many, both against none with 3.
CREATE TABLE entries AS SELECT f.entries AS n, f.reused, f.waited, m.reused AS misses
    FROM figure AS f LEFT JOIN figure AS m ON m.at = 0 AND m.c = 'misses' || CAST(f.entries AS INTEGER)
    WHERE f.at = 0 AND (f.c = 'main' OR f.c GLOB 'entries*') ORDER BY n;
CREATE TABLE vsb AS SELECT ventries AS n, vsb, shared, reused, writes FROM figure
    WHERE at = 0 AND (c = 'main' OR c GLOB 'vsb*') ORDER BY n;
CREATE TABLE delay AS SELECT f.delay AS n, f.speed / z.speed AS ours, b.speed / z.speed AS none
    FROM figure AS f JOIN config USING (c) JOIN figure AS b ON b.at = f.at AND b.c = base JOIN figure AS z ON z.at = f.at AND z.c = 'base3'
    WHERE f.at = 0 AND (f.c = 'main' OR f.c GLOB 'delay*') ORDER BY n;

-- The surroundings' causes: what each of them does to the figures when it alone is changed.
CREATE TABLE cause(c, text);
INSERT INTO cause VALUES ('main', '**declared**'), ('unscheduled', 'code as it comes from clang, unscheduled'),
    ('wide', '64-bit addresses'), ('one_word', 'results of several words not looked up'),
    ('wide_one_word', 'the same with 64-bit addresses'), ('alu8', 'ALU latency 8 for 4'),
    ('bandwidth', 'DRAM and links without a limit of bandwidth'), ('fast', 'no memory side: loads of 3 cycles'),
    ('l1_8', 'L1 of 8 KB for 32'), ('inputs', 'inputs like those of the papers'' programs (`--papers-inputs`)'),
    ('inputs_unscheduled', 'such inputs, and unscheduled');
