-- SPDX-License-Identifier: Apache-2.0
-- What claim() and its like have found, and the claims by verdict: that of their first figure, or second, else of the other.
CREATE TABLE verdict(text PRIMARY KEY, one, two, form, paper, near);
-- The same of the whole page, for what stands before a claim: the page is written twice.
CREATE TABLE found(text, one, two, form, paper, near);
-- The claims that because() has a cause for. A page that has one for any has one for each that does not hold; of --small
-- (the constant `small`) others do not.
CREATE TABLE reason(text PRIMARY KEY, so);
CREATE VIEW held_by_cause AS SELECT count(*) AS n FROM reason JOIN found USING (text) WHERE one <> 'holds' AND so = 'holds';
CREATE VIEW without_reason AS SELECT group_concat(text, '; ') AS texts FROM verdict
    WHERE one <> 'holds' AND text NOT IN (SELECT text FROM reason) AND EXISTS (SELECT 1 FROM reason)
        AND NOT EXISTS (SELECT 1 FROM pragma_table_info('given') WHERE name = 'small');
CREATE VIEW by_verdict AS SELECT first, group_concat('- *' || word || '*: ' || texts || '.', char(10)) AS lines
    FROM (SELECT first, word, group_concat(text, ';' || char(10) || '  ') AS texts
        FROM (SELECT 1 AS first, rowid AS i, text, coalesce(nullif(one, ''), two) AS word FROM verdict
            UNION ALL SELECT 2, rowid, text, coalesce(nullif(two, ''), one) FROM verdict ORDER BY first, word, i)
        GROUP BY first, word ORDER BY first, instr('holds larger weaker sign only higher lower no, cannot be decided, not tested, no figure claimed', word))
    GROUP BY first;
