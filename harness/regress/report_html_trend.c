/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/regress/report_format.h"
#include "harness/regress/report_page.h"

/* A drawing of a chart, in its own units; on a telephone they are about a pixel. */
enum { WIDTH = 280, LEFT = 34, TOP = 8, HEIGHT = 92, BELOW = 30 };

/* The next round number that is not below `most`. */
static double round_up(double most) {
    static const double steps[] = {1, 1.5, 2, 3, 4, 5, 6, 8, 10};
    for (double scale = 1;; scale *= 10)
        for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
            if (steps[i] * scale >= most && floor(steps[i] * scale) >= steps[i] * scale) return steps[i] * scale;
}

static double step_of(const ls_report *n) { return (double)(WIDTH - LEFT) / (double)(n->past_count > 8 ? n->past_count : 8); }

static void begin_chart(const ls_report *n, const char *title, const char *unit, const char *top, const char *says, ls_text *to) {
    ls_text_add(to,
                "<figure><figcaption>%s <span>%s</span></figcaption><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n",
                title, unit, WIDTH, TOP + HEIGHT + BELOW, says);
    ls_text_add(to,
                "<path class=\"axis\" d=\"M%d %d.5H%d M%d %d.5H%d\"/><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
                "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">0</text>\n",
                LEFT, TOP, WIDTH, LEFT, TOP + HEIGHT, WIDTH, LEFT - 5, TOP + 4, top, LEFT - 5, TOP + HEIGHT + 3);
    const ls_report_past *first = &n->past[0], *last = &n->past[n->past_count - 1];
    ls_text_add(to, "<text x=\"%d\" y=\"%d\">#%" PRId64 "</text>", LEFT, TOP + HEIGHT + 24, first->id);
    if (n->past_count > 1)
        ls_text_add(to, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"end\">#%" PRId64 "</text>\n",
                    LEFT + step_of(n) * (double)n->past_count, TOP + HEIGHT + 24, last->id);
}

/* A bar from `from` to `upto` of `most`; what is there at all is at least a line. */
static void bar(const ls_report *n, size_t i, const char *class, double from, double upto, double most, ls_text *to) {
    if (upto <= from) return;
    const double step = step_of(n), y0 = TOP + HEIGHT * (1 - from / most), height = fmax(HEIGHT * (upto - from) / most, 1.2);
    ls_text_add(to, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", class,
                LEFT + step * (double)i + step * 0.12, y0 - height, step * 0.76, height);
}

/* The words of a regression, over its whole column. */
static void column(const ls_report *n, size_t i, ls_text *to) {
    const ls_report_past *p = &n->past[i];
    const double step = step_of(n);
    ls_text_add(to, "<rect class=\"hit\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"><title>#%" PRId64 " ",
                LEFT + step * (double)i, TOP, step, HEIGHT + 12, p->id);
    ls_report_xml(to, ls_report_date(p->started).text);
    ls_text_add(to, ": %" PRId64 " passed, %" PRId64 " failed, %" PRId64 " known, ", p->passed, p->failed, p->known);
    ls_text_add(to, "%s</title></rect>\n", ls_report_duration(p->seconds).text);
}

/* Below the bar: a dot for pass, a cross for fail, a ring for a regression that did not end. */
static void mark(const ls_report *n, size_t i, ls_text *to) {
    const char *class = ls_page_class(n->past[i].verdict);
    const double x = LEFT + step_of(n) * ((double)i + 0.5), y = TOP + HEIGHT + 8;
    if (strcmp(class, "fail") == 0) ls_text_add(to, "<path class=\"x\" d=\"M%.1f %.1fl5 5m0 -5l-5 5\"/>", x - 2.5, y - 2.5);
    else
        ls_text_add(to, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"1.8\"/>", strcmp(class, "pass") == 0 ? "ok" : "o", x,
                    y);
}

typedef struct values {
    double low[LS_REPORT_TREND], high[LS_REPORT_TREND]; /* two bars, one on the other */
} values;

static void chart(const ls_report *n, const char *title, const char *unit, const values *v, const char *low, const char *high,
                  ls_text *to) {
    double most = 0;
    for (size_t i = 0; i < n->past_count; i++) most = fmax(most, v->low[i] + v->high[i]);
    most = round_up(fmax(most, 1));
    const double last = v->low[n->past_count - 1] + v->high[n->past_count - 1];
    char *says = ls_format("%s of the last %zu regressions; now %s %s", title, n->past_count, ls_report_short(last).text, unit);
    begin_chart(n, title, unit, ls_report_short(most).text, says, to);
    for (size_t i = 0; i < n->past_count; i++) {
        bar(n, i, low, 0, v->low[i], most, to);
        bar(n, i, high, v->low[i], v->low[i] + v->high[i], most, to);
        mark(n, i, to);
        column(n, i, to);
    }
    ls_text_add(to, "</svg></figure>\n");
    free(says);
}

static void charts(const ls_report *n, ls_text *to) {
    values failures = {0}, jobs = {0}, minutes = {0}, speed = {0};
    bool in_minutes = false;
    for (size_t i = 0; i < n->past_count; i++) in_minutes = in_minutes || n->past[i].seconds >= 600;
    for (size_t i = 0; i < n->past_count; i++) {
        const ls_report_past *p = &n->past[i];
        failures.low[i] = (double)p->failed;
        failures.high[i] = (double)p->known;
        jobs.low[i] = (double)p->passed;
        jobs.high[i] = (double)(p->failed + p->known);
        minutes.low[i] = p->seconds / (in_minutes ? 60 : 1);
        speed.low[i] = p->run_seconds > 0 ? (double)p->cycles / p->run_seconds : 0;
    }
    ls_text_add(to, "<div class=\"charts\">\n");
    chart(n, "Failures", "jobs: failed, known above", &failures, "fail", "known", to);
    chart(n, "Jobs", "passed, the others above", &jobs, "pass", "fail", to);
    chart(n, "Duration", in_minutes ? "minutes" : "seconds", &minutes, "b", "b", to);
    chart(n, "Speed", "cycles a second, one job", &speed, "b", "b", to);
    ls_text_add(to,
                "</div>\n<p class=\"hint\">Under each bar: a dot for a regression that passed, a cross for one that failed, a "
                "ring for one that did "
                "not end.</p>\n");
}

static void numbers(const ls_report *n, ls_text *to) {
    static const char *const heads[] = {"#regression", "started", "verdict",   "#jobs",   "#passed", "#failed",
                                        "#known",      "#lost",   "#duration", "#cycles", NULL};
    ls_text_add(to, "<details><summary>These regressions in numbers</summary>\n");
    ls_page_table(to, "", "The last regressions");
    ls_page_heads(to, heads);
    ls_text_add(to, "<tbody>\n");
    for (size_t i = n->past_count; i-- > 0;) {
        const ls_report_past *p = &n->past[i];
        const char *class = ls_page_class(p->verdict);
        ls_text_add(to, "<tr><td class=\"n\">%" PRId64 "</td><td>", p->id);
        ls_report_xml(to, ls_report_date(p->started).text);
        ls_text_add(to, "</td><td><span class=\"tag %s\">%s ", class, ls_page_sign(class));
        ls_report_xml(to, p->verdict);
        ls_text_add(to, "</span></td>");
        const int64_t counts[] = {p->jobs, p->passed, p->failed, p->known, p->lost};
        for (size_t k = 0; k < 5; k++) ls_text_add(to, "<td class=\"n\">%s</td>", ls_report_count(counts[k]).text);
        ls_text_add(to, "<td class=\"n\">%s</td><td class=\"n\">%s</td></tr>\n", ls_report_duration(p->seconds).text,
                    ls_report_short((double)p->cycles).text);
    }
    ls_text_add(to, "</tbody></table></div></details>\n");
}

/* In which of the regressions a bucket was seen. */
static void strip(const ls_report *n, const ls_report_story *s, ls_text *to) {
    size_t count = 0;
    for (size_t i = 0; i < n->past_count; i++) count += s->seen[i];
    ls_text_add(to,
                "<svg class=\"strip\" viewBox=\"0 0 %d 8\" preserveAspectRatio=\"xMinYMid meet\" role=\"img\" aria-label=\"seen "
                "in %zu of %zu regressions\">",
                LS_REPORT_TREND * 4, count, n->past_count);
    for (size_t i = 0; i < n->past_count; i++)
        ls_text_add(to,
                    s->seen[i] ? "<rect class=\"seen\" x=\"%zu\" y=\"0\" width=\"3\" height=\"8\"/>"
                               : "<rect class=\"none\" x=\"%zu\" y=\"3\" width=\"3\" height=\"2\"/>",
                    4 * i);
    ls_text_add(to, "</svg>");
}

static void state(const ls_report *n, const ls_report_story *s, ls_text *to) {
    const size_t at = ls_page_bucket(n, s->name);
    const char *class = "pass", *words = "fixed";
    if (s->now) {
        class = at > 0 && n->buckets[at - 1].known != NULL ? "known" : "fail";
        words = s->first == n->id ? "new" : s->before ? "still there" : "back";
    } else if (s->fixed == n->id) {
        words = "fixed now";
    } else if (s->fixed == 0) {
        class = "open";
        words = "not seen";
    }
    ls_text_add(to, "<span class=\"tag %s\">%s %s</span>", class, ls_page_sign(class), words);
}

static void stories(const ls_report *n, ls_text *to) {
    static const char *const heads[] = {"bucket",    "state",        "#first seen",       "#last seen",
                                        "#fixed in", "#regressions", "these regressions", NULL};
    if (n->story_count == 0) return;
    ls_text_add(to, "<h3>Buckets of these regressions</h3>\n");
    ls_page_table(to, "", "Buckets of these regressions");
    ls_page_heads(to, heads);
    ls_text_add(to, "<tbody>\n");
    for (size_t i = 0; i < n->story_count; i++) {
        const ls_report_story *s = &n->stories[i];
        const size_t at = ls_page_bucket(n, s->name);
        ls_text_add(to, "<tr><td class=\"long\">");
        if (at > 0) ls_text_add(to, "<a href=\"#bucket-%zu\">", at);
        ls_report_xml(to, s->name);
        ls_text_add(to, "%s</td><td>", at > 0 ? "</a>" : "");
        state(n, s, to);
        ls_text_add(to, "</td><td class=\"n\">#%" PRId64 "</td><td class=\"n\">#%" PRId64 "</td><td class=\"n\">", s->first,
                    s->last);
        if (s->fixed > 0) ls_text_add(to, "#%" PRId64, s->fixed);
        else ls_text_add(to, "-");
        ls_text_add(to, "</td><td class=\"n\">%" PRId64 "</td><td>", s->regressions);
        strip(n, s, to);
        ls_text_add(to, "</td></tr>\n");
    }
    ls_text_add(to, "</tbody></table></div>\n<p class=\"hint\"><em>Not seen</em> is not fixed: what showed it has not run again, "
                    "fresh seeds for "
                    "example.</p>\n");
}

void ls_page_trend(const ls_report *n, ls_text *to) {
    if (!n->times || n->past_count == 0) return;
    ls_text_add(to, "<section id=\"trend\">\n<h2>Trend</h2>\n<p class=\"hint\">%zu %s of this plan, with the same filter.</p>\n",
                n->past_count, ls_report_plural((int64_t)n->past_count, "regression", "regressions"));
    charts(n, to);
    numbers(n, to);
    stories(n, to);
    ls_text_add(to, "</section>\n");
}
