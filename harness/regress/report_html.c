/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/regress/report_format.h"
#include "harness/regress/report_page.h"
#include "harness/regress/report_parts.h"

static void fact(ls_text *to, const char *what, const char *class, const char *value) {
    ls_text_add(to, "<div><dt>%s</dt><dd%s%s%s>%s</dd></div>\n", what, class[0] != '\0' ? " class=\"" : "", class,
                class[0] != '\0' ? "\"" : "", value);
}

static void notices(const ls_report *n, ls_text *to) {
    if (strcmp(ls_page_class(n->verdict), "open") == 0)
        ls_text_add(to, "<p class=\"notice\"><strong>Incomplete.</strong> Not every job has ended; <code>--resume</code> runs "
                        "the rest.</p>\n");
    if (n->dirty != 0)
        ls_text_add(to, "<p class=\"notice\">%s</p>\n",
                    n->dirty > 0 ? "<strong>The work tree differed from the commit.</strong> These results belong to no commit."
                                 : "It is not known whether the work tree differed from the commit.");
    if (n->filter[0] != '\0') {
        ls_text_add(to,
                    "<p class=\"notice\"><strong>Filtered.</strong> This regression says nothing about what it left out: <code "
                    "class=\"long\">");
        ls_report_xml(to, n->filter);
        ls_text_add(to, "</code></p>\n");
    }
    if (n->absent_count == 0) return;
    ls_text_add(to, "<p class=\"notice\"><strong>Not run</strong>, though they were in regression %" PRId64 ": ", n->before);
    for (size_t i = 0; i < n->absent_count && i < LS_REPORT_ABSENT; i++) {
        ls_text_add(to, "%s<code class=\"long\">", i > 0 ? ", " : "");
        ls_report_xml(to, n->absent[i]);
        ls_text_add(to, "</code>");
    }
    if (n->absent_count > LS_REPORT_ABSENT) ls_text_add(to, " and %zu more", n->absent_count - LS_REPORT_ABSENT);
    ls_text_add(to, "</p>\n");
}

static void head(const ls_report *n, ls_text *to) {
    char *title = ls_report_title(n), *facts = ls_report_facts(n);
    const char *class = ls_page_class(n->verdict);
    ls_text_add(
        to,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
        /* Nothing may be fetched: what does not stand in this file does not exist. */
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\"/>\n<link rel=\"icon\" href=\"data:,\"/>\n<title>");
    ls_text_add(to, "%s ", ls_report_verdict(n));
    ls_report_xml(to, title);
    ls_text_add(to,
                "</title>\n<style>\n%s</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">To the report</a>\n<header "
                "class=\"top\">\n",
                ls_page_css);
    ls_text_add(to, "<p class=\"eyebrow\">rf-lockstep regression");
    if (n->times) {
        ls_text_add(to, ", started ");
        ls_report_xml(to, ls_report_date(n->started).text);
    }
    ls_text_add(to, "</p>\n<h1><span class=\"badge %s\">%s %s</span> ", class, ls_page_sign(class), ls_report_verdict(n));
    ls_report_xml(to, title);
    ls_text_add(to, "</h1>\n<p class=\"lead\">%s.</p>\n<dl class=\"facts\">\n", facts);
    fact(to, "findings", n->counting > 0 ? "fail" : "", ls_report_count(n->counting).text);
    fact(to, "jobs", "", ls_report_count((int64_t)n->job_count).text);
    fact(to, "passed", "", ls_report_count(n->passed).text);
    fact(to, "failed", n->failed > 0 ? "fail" : "", ls_report_count(n->failed).text);
    fact(to, "known issues", n->known > 0 ? "known" : "", ls_report_count(n->known).text);
    if (n->open > 0) fact(to, "not ended", "open", ls_report_count(n->open).text);
    fact(to, "cycles in lockstep", "", ls_report_short((double)n->cycles).text);
    fact(to, "bits compared", "", ls_report_short((double)n->bits).text);
    if (n->times) fact(to, "duration", "", ls_report_duration(n->seconds).text);
    ls_text_add(to, "</dl>\n");
    notices(n, to);
    ls_text_add(to, "</header>\n");
    free(title);
    free(facts);
}

static void navigation(const ls_report *n, ls_text *to) {
    ls_text_add(to, "<nav aria-label=\"Sections\"><ul>\n<li><a href=\"#findings\">Findings</a></li><li><a "
                    "href=\"#failures\">Failures</a></li>"
                    "<li><a href=\"#units\">Units</a></li>");
    if (n->times) ls_text_add(to, "<li><a href=\"#trend\">Trend</a></li>");
    ls_text_add(to, "<li><a href=\"#coverage\">Coverage</a></li><li><a href=\"#mutation\">Mutants</a></li>");
    if (n->times) ls_text_add(to, "<li><a href=\"#speed\">Speed</a></li>");
    ls_text_add(to, "<li><a href=\"#jobs\">Jobs</a></li><li><a href=\"#made\">Made with</a></li>\n</ul></nav>\n");
}

static void finding_list(const ls_report *n, bool counts, ls_text *to) {
    ls_text_add(to, "<ul class=\"finds\">\n");
    for (size_t i = 0; i < n->finding_count; i++) {
        const ls_report_finding *f = &n->findings[i];
        if (counts ? !f->counts : !ls_report_is_information(n, f)) continue;
        const size_t bucket = ls_page_bucket(n, f->name);
        char *text = ls_report_shown(n, f->text);
        const char *class = counts ? "fail" : "known";
        ls_text_add(to, "<li><span><span class=\"tag %s\">%s ", class, ls_page_sign(class));
        ls_report_xml(to, f->kind);
        ls_text_add(to, "</span></span> <span>");
        if (bucket > 0) ls_text_add(to, "<a href=\"#bucket-%zu\">", bucket);
        ls_report_xml(to, f->name);
        ls_text_add(to, "%s</span> <span class=\"hint\">", bucket > 0 ? "</a>" : "");
        ls_report_xml(to, text);
        ls_text_add(to, "</span></li>\n");
        free(text);
    }
    ls_text_add(to, "</ul>\n");
}

void ls_page_findings(const ls_report *n, ls_text *to) {
    const size_t told = ls_report_count_information(n);
    ls_text_add(to, "<section id=\"findings\">\n<h2>Findings</h2>\n");
    if (n->counting > 0) finding_list(n, true, to);
    else ls_text_add(to, "<p>None: nothing that a person must look at.</p>\n");
    if (told > 0) {
        ls_text_add(to, "<details><summary>For information: %zu</summary>\n", told);
        finding_list(n, false, to);
        ls_text_add(to, "</details>\n");
    }
    if (n->lost_count > 0) {
        static const char *const heads[] = {"job", "#attempt", "host", "how it ended", NULL};
        ls_text_add(to, "<details><summary>Lost attempts: %zu</summary>\n", n->lost_count);
        ls_page_table(to, "", "Lost attempts");
        ls_page_heads(to, heads);
        ls_text_add(to, "<tbody>\n");
        for (size_t i = 0; i < n->lost_count; i++) {
            ls_text_add(to, "<tr><td class=\"long\">");
            ls_report_xml(to, n->lost[i].name);
            ls_text_add(to, "</td><td class=\"n\">%" PRId64 "</td><td>", n->lost[i].attempt);
            ls_report_xml(to, n->lost[i].host);
            ls_text_add(to, "</td><td class=\"long\">");
            ls_report_xml(to, n->lost[i].how);
            ls_text_add(to, "</td></tr>\n");
        }
        ls_text_add(to, "</tbody></table></div></details>\n");
    }
    ls_text_add(to, "</section>\n");
}

static void row(ls_text *to, const char *what, const char *value) {
    ls_text_add(to, "<tr><th scope=\"row\">");
    ls_report_xml(to, what);
    ls_text_add(to, "</th><td class=\"long\">");
    ls_report_xml(to, value);
    ls_text_add(to, "</td></tr>\n");
}

static void made(const ls_report *n, ls_text *to) {
    char *source = ls_report_source(n), *again = ls_report_again(n);
    ls_text_add(to, "<section id=\"made\">\n<h2>Made with</h2>\n");
    ls_page_table(to, "", "What the regression was made with");
    ls_text_add(to, "<tbody>\n");
    row(to, "plan", n->plan);
    row(to, "source", source);
    row(to, "fresh seeds", n->fresh);
    row(to, "filter", n->filter[0] != '\0' ? n->filter : "none: every job of the plan");
    for (size_t i = 0; i < n->tool_count; i++) row(to, n->tools[2 * i], n->tools[2 * i + 1]);
    if (n->times) {
        row(to, "at a time", ls_report_count(n->width).text);
        if (n->launch[0] != '\0') row(to, "started through", n->launch);
        row(to, "folder", n->folder);
    }
    ls_text_add(to, "</tbody></table></div>\n<h3>The same jobs again</h3>\n");
    if (n->dirty == 0 && n->source[0] != '\0') {
        char *checkout = ls_format("git checkout %s", n->source);
        ls_page_command(to, checkout);
        free(checkout);
    }
    ls_page_command(to, again);
    ls_text_add(to, "</section>\n");
    free(source);
    free(again);
}

void ls_report_html(const ls_report *n, const char *folder, ls_text *to) {
    head(n, to);
    navigation(n, to);
    ls_text_add(to, "<main id=\"main\">\n");
    ls_page_findings(n, to);
    ls_page_failures(n, folder, to);
    ls_page_units(n, to);
    ls_page_trend(n, to);
    ls_page_coverage(n, to);
    ls_page_mutation(n, to);
    ls_page_speed(n, to);
    ls_page_jobs(n, to);
    made(n, to);
    ls_text_add(
        to,
        "</main>\n<footer><p>Beside this page: <a href=\"summary.md\">summary.md</a>, <a href=\"junit.xml\">junit.xml</a>, "
        "<a href=\"results.jsonl\">results.jsonl</a>.</p></footer>\n<script>\n%s</script>\n"
        "</body>\n</html>\n",
        ls_page_js);
}
