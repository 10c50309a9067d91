/* SPDX-License-Identifier: Apache-2.0 */
/* clang-format off */
/* What SQL says of figures, for the pages about papers. A number without a value makes everything of it NULL, which no page takes.
 *
 *   percent(x) signed(x) points(x)    12.3 %, +12.3 %, +12.3 points; of "NUMBER NAME" with the name in brackets
 *   decimals(x, n) over(a, b)         with n decimals; signed(a / b - 1)
 *   cells(a, b, ...)                  cells of a table's row
 *   ratio(a, b)                       a / b, and 0 when b is: of no instructions none is reused
 *   mean(x) share(a, b) change(a, b)  over workloads: means of x, of ratio(a, b), of ratio(a, b) - 1
 *   geomean(a, b)                     over workloads: geometric mean of a / b
 *   most(x, name) least(x, name)      over workloads: the first with the most, "NUMBER NAME"
 *   effect(ours, paper, near) value(ours, paper, near) judged(holds)    verdicts (runs.sql has them in words)
 *   within(ours, most, noise)         holds up to most; above it by no more than the noise it cannot be decided
 *   claim_value(text, paper, near, ours [, ours])   a claim's line and verdict, of a share
 *   claim_effect(...) claim_points(...)             of a change as a percentage, in points; '' is no figure
 *   claim(text, paper, near, ours, verdict [, ours, verdict])           the same in words
 *   because(text, cause, then [, verdict])          the line of a claim that does not hold: what the figure is with that change,
 *                                     and its verdict, of a number by the claim's rule; nothing of one that holds
 *   must(condition, message)          ends with the message when the condition is not true */
/* clang-format on */
#ifndef RF_PAPER_FUNCTIONS_H
#define RF_PAPER_FUNCTIONS_H

#include <sqlite3.h>

/* Makes them; 0, or -1 and SQLite's message. */
int paper_functions(sqlite3 *db);

#endif
