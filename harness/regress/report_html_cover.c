/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <string.h>

#include "harness/regress/report_format.h"
#include "harness/regress/report_page.h"

enum { POINTS_SHOWN = 60 }; /* of a unit, of those not waived and of those that are: the page stays small */

static void cell(const ls_report_cover *c, ls_text *to) {
    const double percent = ls_report_percent(c);
    if (c->total == 0) {
        ls_text_add(to, "<td class=\"n zero\">-</td>");
        return;
    }
    ls_text_add(to,
                "<td class=\"n bar%s\" style=\"--v:%.1f%%\" title=\"%" PRId64 " of %" PRId64 " hit, %" PRId64 " waived\">%s</td>",
                percent >= 0 && percent < 100 ? " low" : "", percent < 0 ? 100 : percent, c->hit, c->total, c->waived,
                percent < 0 ? "waived" : ls_report_percentage(percent).text);
}

static void sum(ls_report_cover *to, const ls_report_cover *c) {
    to->total += c->total;
    to->hit += c->hit;
    to->waived += c->waived;
}

static void table(const ls_report *n, ls_text *to) {
    static const char *const heads[] = {"unit",  "#line",        "#toggle", "#model line", "#model branch",
                                        "#bins", "#not covered", "#waived", NULL};
    ls_report_cover all[LS_REPORT_KINDS + 1] = {0};
    int64_t open = 0, waived = 0;
    ls_page_table(to, "", "Coverage of the units");
    ls_page_heads(to, heads);
    ls_text_add(to, "<tbody>\n");
    for (size_t i = 0; i < n->unit_count; i++) {
        const ls_report_unit *u = &n->units[i];
        ls_report_cover of = {0};
        for (size_t k = 0; k < LS_REPORT_KINDS; k++) sum(&of, &u->cover[k]);
        if (of.total == 0 && u->bins.total == 0) continue;
        ls_text_add(to, "<tr><th scope=\"row\">");
        ls_report_xml(to, u->name);
        ls_text_add(to, "</th>");
        for (size_t k = 0; k < LS_REPORT_KINDS; k++) {
            cell(&u->cover[k], to);
            sum(&all[k], &u->cover[k]);
        }
        cell(&u->bins, to);
        sum(&all[LS_REPORT_KINDS], &u->bins);
        sum(&of, &u->bins);
        open += of.total - of.hit - of.waived;
        waived += of.waived;
        ls_text_add(to, "<td class=\"n%s\">%s</td>", of.total - of.hit - of.waived > 0 ? "" : " zero",
                    ls_report_count(of.total - of.hit - of.waived).text);
        ls_text_add(to, "<td class=\"n%s\">%s</td></tr>\n", of.waived > 0 ? "" : " zero", ls_report_count(of.waived).text);
    }
    ls_text_add(to, "</tbody>\n<tfoot><tr><th scope=\"row\">all</th>");
    for (size_t k = 0; k <= LS_REPORT_KINDS; k++) cell(&all[k], to);
    ls_text_add(to, "<td class=\"n\">%s</td><td class=\"n\">%s</td></tr></tfoot></table></div>\n", ls_report_count(open).text,
                ls_report_count(waived).text);
}

/* The rest of a row: kind, place, name, and why it is waived. */
static void point_cells(const ls_report_point *p, ls_text *to) {
    ls_text_add(to, "<td>");
    ls_report_xml(to, p->kind);
    ls_text_add(to, "</td><td class=\"long\"><code>");
    ls_report_xml(to, p->place);
    ls_text_add(to, "</code></td><td class=\"long\"><code>");
    ls_report_xml(to, p->name);
    ls_text_add(to, "</code></td><td class=\"long\">");
    if (p->waived != NULL) {
        ls_text_add(to, "<span class=\"tag known\">waived</span> ");
        ls_report_xml(to, p->waived);
    }
    ls_text_add(to, "</td></tr>\n");
}

static void point(const ls_report_point *p, ls_text *to) {
    ls_text_add(to, "<tr>");
    point_cells(p, to);
}

/* The points of one unit: first those that nothing excuses. */
static void points(const ls_report *n, const ls_report_unit *u, ls_text *to) {
    static const char *const heads[] = {"kind", "place", "what", "waived", NULL};
    size_t open = 0, waived = 0, shown[2] = {0};
    for (size_t i = 0; i < n->point_count; i++) {
        const bool is = strcmp(n->points[i].unit, u->name) == 0;
        waived += is && n->points[i].waived != NULL;
        open += is && n->points[i].waived == NULL;
    }
    for (size_t i = 0; i < n->idle_count; i++) open += strcmp(n->idle[i].unit, u->name) == 0;
    if (open + waived == 0) return;
    ls_text_add(to, "<details><summary><strong>");
    ls_report_xml(to, u->name);
    ls_text_add(to, "</strong>: %zu not covered, %zu waived</summary>\n", open, waived);
    ls_page_table(to, "", "Points that are not covered");
    ls_page_heads(to, heads);
    ls_text_add(to, "<tbody>\n");
    for (size_t i = 0; i < n->idle_count; i++)
        if (strcmp(n->idle[i].unit, u->name) == 0 && shown[0]++ < POINTS_SHOWN) point(&n->idle[i], to);
    for (int excused = 0; excused < 2; excused++)
        for (size_t i = 0; i < n->point_count; i++)
            if (strcmp(n->points[i].unit, u->name) == 0 && (n->points[i].waived != NULL) == (excused != 0) &&
                shown[excused]++ < POINTS_SHOWN)
                point(&n->points[i], to);
    ls_text_add(to, "</tbody></table></div>\n");
    if (open > POINTS_SHOWN || waived > POINTS_SHOWN)
        ls_text_add(to, "<p class=\"hint\">At most %d of each are shown; the history's table \"uncovered\" has all.</p>\n",
                    POINTS_SHOWN);
    ls_text_add(to, "</details>\n");
}

void ls_page_coverage(const ls_report *n, ls_text *to) {
    bool measured = false;
    for (size_t i = 0; i < n->unit_count; i++) {
        measured = measured || n->units[i].bins.total > 0;
        for (size_t k = 0; k < LS_REPORT_KINDS; k++) measured = measured || n->units[i].cover[k].total > 0;
    }
    ls_text_add(to, "<section id=\"coverage\">\n<h2>Coverage</h2>\n");
    if (measured) {
        ls_text_add(
            to,
            "<p class=\"hint\">Percent of the points that are not waived, rounded down. Line and toggle are the RTL's; bins are "
            "functional: situations that the stimulus must reach.</p>\n");
        table(n, to);
        ls_text_add(to, "<div class=\"points\">\n");
        for (size_t i = 0; i < n->unit_count; i++) points(n, &n->units[i], to);
        ls_text_add(to, "</div>\n");
    } else {
        ls_text_add(to, "<p>Not measured: no job of this regression had the stimulus <code>coverage</code>.</p>\n");
    }
    ls_text_add(to, "</section>\n");
}

static void mutation_row(const char *unit, const char *side, const ls_report_mutation *m, ls_text *to) {
    const double score = ls_report_score(m);
    if (m->made == 0) return;
    ls_text_add(to, "<tr><th scope=\"row\">");
    ls_report_xml(to, unit);
    ls_text_add(to, "</th><td>%s</td>", side);
    const int64_t counts[] = {m->made, m->killed, m->equivalent, m->survived, m->undecided};
    for (size_t k = 0; k < 5; k++)
        ls_text_add(to, "<td class=\"n%s\">%s</td>",
                    counts[k] == 0 ? " zero"
                    : k == 3       ? " bad"
                                   : "",
                    ls_report_count(counts[k]).text);
    ls_text_add(to, "<td class=\"n bar%s\" style=\"--v:%.1f%%\">%s</td></tr>\n", score >= 0 && score < 100 ? " low" : "",
                score < 0 ? 100 : score, ls_report_percentage(score).text);
}

static void mutants(const ls_report_point *list, size_t count, const char *title, const char *caption, ls_text *to) {
    static const char *const heads[] = {"unit", "side", "mutant", "what", "waived", NULL};
    if (count == 0) return;
    ls_text_add(to, "<h3>%s</h3>\n", title);
    ls_page_table(to, "", caption);
    ls_page_heads(to, heads);
    ls_text_add(to, "<tbody>\n");
    for (size_t i = 0; i < count; i++) {
        const ls_report_point *p = &list[i];
        ls_text_add(to, "<tr><th scope=\"row\">");
        ls_report_xml(to, p->unit[0] != '\0' ? p->unit : p->kind);
        ls_text_add(to, "</th>");
        point_cells(p, to);
    }
    ls_text_add(to, "</tbody></table></div>\n");
}

void ls_page_mutation(const ls_report *n, ls_text *to) {
    static const char *const heads[] = {"unit",      "side",       "#made",  "#killed", "#equivalent",
                                        "#survived", "#undecided", "#score", NULL};
    bool any = false;
    for (size_t k = 0; k < LS_MUTANTS_PARTS; k++) any = any || n->part[k].made > 0;
    for (size_t i = 0; i < n->unit_count; i++)
        for (size_t k = 0; k < LS_REPORT_SIDES; k++) any = any || n->units[i].mutation[k].made > 0;
    ls_text_add(to, "<section id=\"mutation\">\n<h2>Mutants</h2>\n");
    if (any) {
        ls_text_add(to, "<p class=\"hint\">Score: killed, of those not proved equivalent. Undecided: not killed, and the proof "
                        "did not end.</p>\n");
        mutants(n->survivors, n->survivor_count, "Survivors", "Mutants that survived", to);
        mutants(n->undecided, n->undecided_count, "Undecided", "Mutants that were not noticed and are not proved equivalent", to);
        ls_text_add(to, "<details open=\"open\"><summary>By unit</summary>\n");
        ls_page_table(to, "", "Mutation scores");
        ls_page_heads(to, heads);
        ls_text_add(to, "<tbody>\n");
        for (size_t k = 0; k < LS_MUTANTS_PARTS; k++) mutation_row(ls_mutants_part(k), "-", &n->part[k], to);
        for (size_t i = 0; i < n->unit_count; i++)
            for (size_t k = 0; k < LS_REPORT_SIDES; k++)
                mutation_row(n->units[i].name, k == 0 ? "RTL" : "model", &n->units[i].mutation[k], to);
        ls_text_add(to, "</tbody></table></div></details>\n");
    } else {
        ls_text_add(to, "<p>None: no job of this regression had the stimulus <code>mutants</code>.</p>\n");
    }
    ls_text_add(to, "</section>\n");
}
