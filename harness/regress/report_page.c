/* SPDX-License-Identifier: Apache-2.0 */
/* What the sections of report.html share. */
#include "harness/regress/report_page.h"

#include <string.h>

#include "harness/regress/report_format.h"

const char *ls_page_class(const char *verdict) {
    if (strcmp(verdict, "pass") == 0) return "pass";
    if (strcmp(verdict, "known") == 0) return "known";
    return strcmp(verdict, "open") == 0 || strcmp(verdict, "incomplete") == 0 ? "open" : "fail";
}

const char *ls_page_sign(const char *class) {
    if (strcmp(class, "pass") == 0) return "\u2713";
    if (strcmp(class, "known") == 0) return "\u25cb";
    return strcmp(class, "open") == 0 ? "\u2026" : "\u2717";
}

void ls_page_command(ls_text *to, const char *command) {
    ls_text_add(to, "<div class=\"cmd\"><pre><code>");
    ls_report_xml(to, command);
    ls_text_add(to, "</code></pre><button type=\"button\" class=\"copy\">Copy</button></div>\n");
}

void ls_page_table(ls_text *to, const char *class, const char *caption) {
    ls_text_add(to,
                "<div class=\"box\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table class=\"%s\"><caption>%s</caption>\n",
                caption, class, caption);
}

void ls_page_heads(ls_text *to, const char *const *heads) {
    ls_text_add(to, "<thead><tr>");
    for (; *heads != NULL; heads++) {
        const bool number = **heads == '#';
        ls_text_add(to, "<th scope=\"col\"%s>%s</th>", number ? " class=\"n\"" : "", *heads + number);
    }
    ls_text_add(to, "</tr></thead>\n");
}

size_t ls_page_bucket(const ls_report *n, const char *name) {
    for (size_t i = 0; i < n->bucket_count && name[0] != '\0'; i++)
        if (strcmp(n->buckets[i].name, name) == 0) return i + 1;
    return 0;
}
