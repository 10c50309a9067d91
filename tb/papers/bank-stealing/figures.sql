-- SPDX-License-Identifier: Apache-2.0
-- The figures of the bank-stealing paper's evaluation (III, VI). r: the run; reads and results: all of its operands read, and written.
CREATE TABLE figure AS SELECT *,
    bank + recall + away AS write, read + bank + recall + away AS both, forced + back_forced + back_stall AS stall,
    cells(percent(issue), percent(stall_no_collector), percent(stall_hazard), percent(stall_nothing_ready),
    percent(stall_drained),
          decimals(alu, 2), decimals(collectors, 1)) AS limits,
    cells(decimals(read, 3), decimals(bank + recall + away, 3), decimals(bank, 3), decimals(recall, 3), decimals(away, 3),
          decimals(own, 3)) AS waits,
    cells(percent(normal), percent(stolen), percent(forced), percent(in_1), percent(in_3), percent(unforced),
    percent(back_forced),
          percent(back_stall), percent(forced + back_forced + back_stall), percent(lost)) AS fates
FROM (SELECT m.at, r.c, mean(param_REGS) AS registers, mean(param_EXPORTS) AS exports,
    mean(param_ISSUES) AS alu_ports, -- one an issue group (tb/banked/env/rf_stage_env.h)
    mean(param_SCHED) AS sched, mean(cycles) AS cycles,
    mean(ipc) AS ipc, geomean(ipc, 1) AS speed, mean(bank_busy_share) AS use, share(alu, cycles) AS alu,
    share(uops, 2 * cycles) AS issue, share(stall_no_collector, 2 * cycles) AS stall_no_collector,
    share(stall_hazard, 2 * cycles) AS stall_hazard, share(stall_nothing_ready, 2 * cycles) AS stall_nothing_ready,
    share(stall_drained, 2 * cycles) AS stall_drained, mean(collectors_busy_mean) AS collectors,
    share(reads_ahead, operands_read) AS ahead, share(wait_read, operands_read) AS read, share(wait_own, operands_read) AS own,
    share(wait_write, operands_read) AS bank, share(wait_recall, operands_read) AS recall,
    share(wait_stolen, operands_read) AS away,
    share(writes_normal, results) AS normal, share(writes_stolen, results) AS stolen, share(writes_forced, results) AS forced,
    share(back_forced, results) AS back_forced, share(back_stall, results) AS back_stall,
    share(back_in_1, writes_stolen) AS in_1, share(back_in_3, writes_stolen) AS in_3, share(back_idle, writes_stolen) AS unforced,
    share(names_lost, names) AS lost
  FROM member AS m JOIN (SELECT w, alu FROM workload) USING (w) JOIN (SELECT *, reads + reads_ahead AS operands_read,
        writes_normal + writes_stolen + writes_forced AS results FROM run) AS r USING (w)
  GROUP BY m.at, r.c);

-- Means: what both gain over no stealing with as many banks, and with each scheduler.
CREATE TABLE gain AS SELECT banks, none.ipc, one.speed / none.speed - 1 AS one, two.speed / none.speed - 1 AS two,
        none.speed / z.speed AS none_speed, one.speed / z.speed AS one_speed, two.speed / z.speed AS two_speed,
        none.read AS none_read, one.read AS one_read, two.read AS two_read, none.write AS none_write, one.write AS one_write,
        two.write AS two_write
    FROM (SELECT DISTINCT CAST(param_BANKS AS INTEGER) AS banks FROM run) JOIN figure AS none ON none.c = 'none' || banks
    JOIN figure AS one ON one.c = 'one' || banks JOIN figure AS two ON two.c = 'two' || banks
    JOIN figure AS z ON z.c = 'none16' AND z.at = 0 WHERE none.at = 0 AND one.at = 0 AND two.at = 0 ORDER BY banks;
CREATE TABLE scheduler AS SELECT none.sched,
    CASE none.sched WHEN 0 THEN 'greedy then oldest' WHEN 1 THEN 'loose round-robin' ELSE 'two-level' END AS name,
        none.ipc, none.speed, two.speed / none.speed - 1 AS gain, two.read / none.read - 1 AS read,
        two.write / none.write - 1 AS write
    FROM figure AS none JOIN figure AS two ON two.at = none.at AND two.c = replace(none.c, 'none', 'two')
    WHERE none.at = 0 AND none.c IN ('none8', 'none8_lrr', 'none8_levels');
