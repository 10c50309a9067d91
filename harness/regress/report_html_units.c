/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/regress/report_format.h"
#include "harness/regress/report_page.h"

enum { SLOWEST = 20 };

static const char *set_class(const ls_report_set *s) {
    return s->failed > 0 ? "fail" : s->open > 0 ? "open" : s->known > 0 ? "known" : "pass";
}

/* Four shades of what passed: how many cycles, each a factor of ten or so from the next. */
static int shade(int64_t cycles, int64_t most) {
    if (cycles <= 0) return 1;
    const double behind = log10((double)most) - log10((double)cycles);
    return behind < 0.5 ? 4 : behind < 1 ? 3 : behind < 2 ? 2 : 1;
}

static void heat_cell(const ls_report_unit *u, size_t unit, size_t set, int64_t most, ls_text *to) {
    const ls_report_set *s = &u->sets[set];
    const char *class = set_class(s);
    const int64_t worst = s->failed > 0 ? s->failed : s->open > 0 ? s->open : s->known > 0 ? s->known : s->jobs;
    if (strcmp(class, "pass") == 0) ls_text_add(to, "<td class=\"c p%d\">", shade(s->cycles, most));
    else ls_text_add(to, "<td class=\"c %s\">", class);
    ls_text_add(to, "<a href=\"#set-%zu-%zu\" title=\"", unit, set);
    ls_report_attribute(to, u->name);
    ls_text_add(to, " ");
    ls_report_attribute(to, s->params[0] != '\0' ? s->params : "default");
    ls_text_add(to, ": %" PRId64 " jobs, %" PRId64 " failed, %" PRId64 " known, ", s->jobs, s->failed, s->known);
    ls_text_add(to, "%s cycles\">%s %" PRId64 "</a></td>", ls_report_count(s->cycles).text, ls_page_sign(class), worst);
}

static void heat(const ls_report *n, ls_text *to) {
    size_t columns = 0;
    int64_t most = 1;
    for (size_t i = 0; i < n->unit_count; i++) {
        if (n->units[i].set_count > columns) columns = n->units[i].set_count;
        for (size_t k = 0; k < n->units[i].set_count; k++)
            if (n->units[i].sets[k].cycles > most) most = n->units[i].sets[k].cycles;
    }
    ls_page_table(to, "heat", "Units and their parameter sets");
    ls_text_add(to, "<thead><tr><th scope=\"col\">unit</th><th scope=\"col\" class=\"n wide\">jobs</th>"
                    "<th scope=\"col\" class=\"n wide\">cycles</th>");
    for (size_t k = 0; k < columns; k++) ls_text_add(to, "<th scope=\"col\" class=\"n\">set %zu</th>", k + 1);
    ls_text_add(to, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < n->unit_count; i++) {
        const ls_report_unit *u = &n->units[i];
        if (u->jobs == 0) continue;
        ls_text_add(to, "<tr><th scope=\"row\">");
        ls_report_xml(to, u->name);
        ls_text_add(to, "</th><td class=\"n wide\">%s</td><td class=\"n wide\">%s</td>", ls_report_count(u->jobs).text,
                    ls_report_short((double)u->cycles).text);
        for (size_t k = 0; k < u->set_count; k++) heat_cell(u, i, k, most, to);
        ls_text_add(to, "</tr>\n");
    }
    ls_text_add(to, "</tbody></table></div>\n");
}

static void sets(const ls_report *n, ls_text *to) {
    static const char *const heads[] = {"unit", "#set", "parameters", "", "#jobs", "#failed", "#known", "#cycles", NULL};
    size_t count = 0;
    for (size_t i = 0; i < n->unit_count; i++) count += n->units[i].set_count;
    ls_text_add(to, "<details><summary>All %zu parameter sets</summary>\n", count);
    ls_page_table(to, "", "Parameter sets");
    ls_page_heads(to, heads);
    ls_text_add(to, "<tbody>\n");
    for (size_t i = 0; i < n->unit_count; i++) {
        const ls_report_unit *u = &n->units[i];
        for (size_t k = 0; k < u->set_count; k++) {
            const ls_report_set *s = &u->sets[k];
            const char *class = set_class(s);
            ls_text_add(to, "<tr id=\"set-%zu-%zu\"><th scope=\"row\">", i, k);
            ls_report_xml(to, u->name);
            ls_text_add(to, "</th><td class=\"n\">%zu</td><td class=\"long\">", k + 1);
            ls_report_xml(to, s->params[0] != '\0' ? s->params : "default");
            ls_text_add(to, "</td><td><span class=\"tag %s\">%s %s</span></td>", class, ls_page_sign(class), class);
            ls_text_add(to, "<td class=\"n\">%s</td><td class=\"n\">%s</td>", ls_report_count(s->jobs).text,
                        ls_report_count(s->failed).text);
            ls_text_add(to, "<td class=\"n\">%s</td><td class=\"n\">%s</td></tr>\n", ls_report_count(s->known).text,
                        ls_report_count(s->cycles).text);
        }
    }
    ls_text_add(to, "</tbody></table></div></details>\n");
}

void ls_page_units(const ls_report *n, ls_text *to) {
    ls_text_add(to, "<section id=\"units\">\n<h2>Units and parameter sets</h2>\n"
                    "<ul class=\"key\"><li><span class=\"tag pass\">\u2713</span> passed, with its jobs</li>"
                    "<li><span class=\"tag fail\">\u2717</span> failed, with the jobs that did</li>"
                    "<li><span class=\"tag known\">\u25cb</span> known issues only</li>"
                    "<li>cycles: <i style=\"background:var(--p1)\"></i><i style=\"background:var(--p2)\"></i>"
                    "<i style=\"background:var(--p3)\"></i><i style=\"background:var(--p4)\"></i> few to many</li></ul>\n");
    heat(n, to);
    ls_text_add(to, "<p class=\"hint\">Set 1 is the unit's default where that ran. A cell leads to its parameters below.</p>\n");
    sets(n, to);
    ls_text_add(to, "</section>\n");
}

static double speed_of(int64_t cycles, double seconds) { return seconds > 0 ? (double)cycles / seconds : 0; }

static int slower(const void *a, const void *b) {
    const ls_report_result *const *x = a, *const *y = b;
    if ((*x)->seconds != (*y)->seconds) return (*x)->seconds < (*y)->seconds ? 1 : -1;
    return (*x)->number < (*y)->number ? -1 : 1;
}

static void slowest(const ls_report *n, ls_text *to) {
    static const char *const heads[] = {"job", "#time", "#of it building", "#cycles", "#cycles/s", NULL};
    const ls_report_result **order = ls_alloc(n->job_count + 1, sizeof *order);
    for (size_t i = 0; i < n->job_count; i++) order[i] = &n->jobs[i];
    if (n->job_count > 0) qsort(order, n->job_count, sizeof *order, slower);
    ls_text_add(to, "<details><summary>The slowest jobs</summary>\n");
    ls_page_table(to, "", "The slowest jobs");
    ls_page_heads(to, heads);
    ls_text_add(to, "<tbody>\n");
    for (size_t i = 0; i < n->job_count && i < SLOWEST; i++) {
        const ls_report_result *j = order[i];
        ls_text_add(to, "<tr><td class=\"long\"><a href=\"#job-%" PRId64 "\">", j->number);
        ls_report_xml(to, j->name);
        ls_text_add(to, "</a></td><td class=\"n\">%s</td><td class=\"n\">%s</td>", ls_report_duration(j->seconds).text,
                    ls_report_duration(j->build_seconds).text);
        ls_text_add(to, "<td class=\"n\">%s</td><td class=\"n\">%s</td></tr>\n", ls_report_count(j->cycles).text,
                    ls_report_short(speed_of(j->cycles, j->seconds - j->build_seconds)).text);
    }
    ls_text_add(to, "</tbody></table></div></details>\n");
    free(order);
}

void ls_page_speed(const ls_report *n, ls_text *to) {
    static const char *const heads[] = {"unit", "#jobs", "#cycles", "#time of its jobs", "#of it building", "#cycles/s", NULL};
    if (!n->times) return;
    double most = 1, seconds = 0, build = 0, run = 0;
    for (size_t i = 0; i < n->unit_count; i++) {
        const double speed = speed_of(n->units[i].cycles, n->units[i].run_seconds);
        if (speed > most) most = speed;
        seconds += n->units[i].seconds;
        build += n->units[i].build_seconds;
        run += n->units[i].run_seconds;
    }
    ls_text_add(to, "<section id=\"speed\">\n<h2>Speed</h2>\n<p class=\"hint\">Cycles in lockstep in a second of one job, "
                    "without building.</p>\n");
    slowest(n, to);
    ls_text_add(to, "<details open=\"open\"><summary>By unit</summary>\n");
    ls_page_table(to, "", "Speed of the units");
    ls_page_heads(to, heads);
    ls_text_add(to, "<tbody>\n");
    for (size_t i = 0; i < n->unit_count; i++) {
        const ls_report_unit *u = &n->units[i];
        const double speed = speed_of(u->cycles, u->run_seconds);
        if (u->jobs == 0) continue;
        ls_text_add(to, "<tr><th scope=\"row\">");
        ls_report_xml(to, u->name);
        ls_text_add(to, "</th><td class=\"n\">%s</td><td class=\"n\">%s</td>", ls_report_count(u->jobs).text,
                    ls_report_short((double)u->cycles).text);
        ls_text_add(to, "<td class=\"n\">%s</td><td class=\"n\">%s</td>", ls_report_duration(u->seconds).text,
                    ls_report_duration(u->build_seconds).text);
        ls_text_add(to, "<td class=\"n bar rate\" style=\"--v:%.1f%%\">%s</td></tr>\n", 100 * speed / most,
                    speed > 0 ? ls_report_short(speed).text : "-");
    }
    ls_text_add(to, "</tbody>\n<tfoot><tr><th scope=\"row\">all</th><td class=\"n\">%s</td><td class=\"n\">%s</td>",
                ls_report_count((int64_t)n->job_count).text, ls_report_short((double)n->cycles).text);
    ls_text_add(to,
                "<td class=\"n\">%s</td><td class=\"n\">%s</td><td "
                "class=\"n\">%s</td></tr></tfoot></table></div></details>\n</section>\n",
                ls_report_duration(seconds).text, ls_report_duration(build).text, ls_report_short(speed_of(n->cycles, run)).text);
}

static void job(const ls_report *n, const ls_report_result *j, ls_text *to) {
    const char *class = ls_page_class(j->verdict);
    const size_t bucket = ls_page_bucket(n, j->bucket);
    char *command = ls_report_shown(n, j->command);
    ls_text_add(to, "<tr class=\"%s\" id=\"job-%" PRId64 "\"><td class=\"n\">%" PRId64 "</td><td>", class, j->number, j->number);
    ls_report_xml(to, j->name);
    ls_text_add(to, "</td><td><span class=\"tag %s\">%s ", class, ls_page_sign(class));
    ls_report_xml(to, strcmp(class, "open") == 0 ? "not ended" : j->status);
    ls_text_add(to, "</span>");
    if (bucket > 0) ls_text_add(to, " <a href=\"#bucket-%zu\">bucket</a>", bucket);
    ls_text_add(to, "</td><td class=\"n\">%s</td>", ls_report_count(j->cycles).text);
    if (n->times) ls_text_add(to, "<td class=\"n\">%s</td>", ls_report_duration(j->seconds).text);
    ls_text_add(to, "<td><details class=\"r\"><summary>repeat</summary><code>");
    ls_report_xml(to, command);
    ls_text_add(to, "</code></details></td></tr>\n");
    free(command);
}

void ls_page_jobs(const ls_report *n, ls_text *to) {
    static const char *const timed[] = {"#no.", "job", "status", "#cycles", "#time", "again", NULL};
    static const char *const bare[] = {"#no.", "job", "status", "#cycles", "again", NULL};
    ls_text_add(
        to,
        "<section id=\"jobs\">\n<h2>Jobs</h2>\n<p class=\"print hint\">On paper only those that did not pass; results.jsonl has "
        "all.</p>\n"
        "<div class=\"tool\" role=\"search\"><input type=\"search\" id=\"job-text\" placeholder=\"words of name or status\" "
        "aria-label=\"Show jobs whose name or status has these words\"/>"
        "<select id=\"job-kind\" aria-label=\"Verdict\"><option value=\"\">all verdicts</option><option "
        "value=\"fail\">failed</option>"
        "<option value=\"known\">known</option><option value=\"pass\">passed</option><option value=\"open\">not "
        "ended</option></select>"
        "<output id=\"job-count\" class=\"hint\">%zu jobs</output></div>\n",
        n->job_count);
    ls_page_table(to, "jobs", "All jobs");
    ls_page_heads(to, n->times ? timed : bare);
    ls_text_add(to, "<tbody>\n");
    for (size_t i = 0; i < n->job_count; i++) job(n, &n->jobs[i], to);
    ls_text_add(to, "</tbody></table></div>\n</section>\n");
}
