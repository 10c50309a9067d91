-- SPDX-License-Identifier: Apache-2.0
-- The figures of units (synthesis, storage) as the claims on area, storage and delay need them.
--
-- nand2: um2 of a two-input NAND in a 45 nm library (Si2's Open Cell Library, NAND2_X1). noise: FO4. rule_ps: FO4 of standard cells at
-- 45 nm, a rule of thumb, 500 ps for each um of the node, of which no public text was found; CACTI's own transistors at 45 nm give 17.7
-- (sram.table): the slower one is taken, and up to which FO4 the verdicts stay is computed. cycle: in FO4, of 0.7 GHz at 45 nm [WIR VII-E],
-- at 40 nm [CERF III-B], of 1 GHz at 40 nm [hierarchy 6].
ALTER TABLE given ADD nand2 DEFAULT 0.798;
ALTER TABLE given ADD noise DEFAULT 1.5;
ALTER TABLE given ADD rule_ps DEFAULT 22.5;
CREATE VIEW cycle AS SELECT 1430 / rule_ps AS wir, 1430 / (rule_ps * 40 / 45) AS cerf, 1000 / (rule_ps * 40 / 45) AS hierarchy FROM given;

-- Macros of 4 KB at 45 nm, with one port and with two; the register files of the papers are of the first.
CREATE TABLE file AS SELECT one.um2 AS um2, two.um2 AS um2_two FROM macro AS one JOIN macro AS two USING (rows, bits, node)
    WHERE rows = 256 AND bits = 128 AND node = 45 AND one.ports = '1rw' AND two.ports = '1r1w';
SELECT must(count(*) = 1, 'sram.table has not both macros of 256 x 128 at 45 nm') FROM file;

-- A row for each unit that was synthesised or counted; at is that of the page's one row. of128, of256: area as a share of a register file
-- of so many KB; across: FO4 from input to output; ns and across_ns by the rule, at 45 nm; bits: those that the paper counts.
CREATE TABLE figure AS SELECT 0 AS at, c, synth.what, kge, fo4, levels, across_fo4 AS across, paper, difference, paper + difference AS bits,
    1000 * kge * nand2 AS area, 1000 * kge * nand2 / (32 * file.um2) AS of128, 1000 * kge * nand2 / (64 * file.um2) AS of256, fo4 * rule_ps / 1000 AS ns,
    across_fo4 * rule_ps / 1000 AS across_ns
    FROM (SELECT c FROM synth UNION SELECT c FROM storage) LEFT JOIN synth USING (c) LEFT JOIN storage USING (c) JOIN given JOIN file;

-- Bits of a register, of all instances and rows.
CREATE TABLE register AS SELECT c, name, sum(bits) AS bits FROM (
    SELECT c, replace(replace(r.value ->> 'name', rtrim(r.value ->> 'name', 'abcdefghijklmnopqrstuvwxyz0123456789_[]*'), ''), '[*]', '') AS name,
        r.value ->> 'bits' AS bits
    FROM storage, json_each(registers) AS r) GROUP BY c, name;
CREATE TABLE mark AS SELECT (SELECT sum(bits) FROM register WHERE c = 'levels' AND name IN ('valid_q', 'dead_q', 'reg_q', 'rank_q')) AS tags,
    (SELECT bits FROM register WHERE c = 'levels' AND name = 'data_q') AS data,
    (SELECT sum(bits) FROM register WHERE c = 'l1d' AND name IN ('tag_q', 'state_q')) AS l1d;

-- [WIR Table III]: ns of the paper; ours, which of the rename tables is a read, as the release walk is not the paper's; why the unit is
-- smaller than the paper's, of those that are.
CREATE TABLE delay(i INTEGER PRIMARY KEY, c, text, paper, cycles, smaller);
INSERT INTO delay(c, text, paper, cycles, smaller) VALUES
    ('rename', 'rename table', 0.33, 1, 'with the paper''s 24 warps Yosys was not done after 8 minutes'),
    ('reuse', 'reuse buffer', 0.31, 1, ''), ('h3', 'hash generation', 0.95, 1, ''), ('vsb', 'value signature buffer', 0.32, 1, ''),
    ('pool', 'register allocator', 0.24, 1, ''),
    ('refcount', 'reference counts', 2.33, 2, 'with the paper''s 1024 counters Yosys was not done after 8 minutes'),
    ('vcache', 'verify cache', 0.19, 1, '');
CREATE TABLE delays AS SELECT *, ours * rule_ps / 1000 AS ns, cycles * wir AS most, rank() OVER (ORDER BY paper) AS rank_paper,
    rank() OVER (ORDER BY ours) AS rank_ours
    FROM (SELECT delay.*, what, fo4, iif(c = 'rename', across, fo4) AS ours FROM delay JOIN figure USING (c)) JOIN given JOIN cycle;

-- [hierarchy Table IV]: um2 at 40 nm of a lane's files, and both against the smallest.
CREATE TABLE files(i INTEGER PRIMARY KEY, entries, active, um2);
INSERT INTO files(entries, active, um2) VALUES (4, 4, 5100), (6, 4, 7400), (8, 4, 9600), (4, 6, 7400), (6, 6, 10800), (8, 6, 14300),
    (4, 8, 9600), (6, 8, 14300), (8, 8, 18800);
CREATE TABLE grown AS SELECT i, size, theirs, ours, max(ours / theirs, theirs / ours) AS apart
    FROM (SELECT f.i, f.entries || 'x' || f.active AS size, f.um2 * 1.0 / z.um2 AS theirs, fig.kge / zero.kge AS ours
        FROM files AS f JOIN files AS z ON z.i = 1 JOIN figure AS fig ON fig.c = 'orf' || f.entries || 'x' || f.active
        JOIN figure AS zero ON zero.c = 'orf4x4');
