/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/regress/report_format.h"
#include "harness/regress/report_page.h"

/* Larger pictures, and those after so many bytes of pictures, are linked: the page stays below 3 MB. */
enum { PICTURE_MAX = 1 << 20, PICTURES_MAX = 1 << 20 };

/* A path that stays in the regression's folder. */
static bool inside(const char *path) {
    if (path[0] == '\0' || path[0] == '/') return false;
    for (const char *c = path; c != NULL; c = strchr(c, '/')) {
        if (*c == '/') c++;
        if (strncmp(c, "..", 2) == 0 && (c[2] == '/' || c[2] == '\0')) return false;
    }
    return true;
}

static bool there(const char *folder, const char *path, off_t *size) {
    struct stat status;
    char *whole = ls_format("%s/%s", folder, path);
    const bool is = inside(path) && stat(whole, &status) == 0 && S_ISREG(status.st_mode);
    if (is) *size = status.st_size;
    free(whole);
    return is;
}

static void base64(ls_text *to, const unsigned char *data, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const uint32_t b = (uint32_t)data[i] << 16 | (left > 1 ? (uint32_t)data[i + 1] << 8 : 0) | (left > 2 ? data[i + 2] : 0U);
        const char four[4] = {digits[b >> 18], digits[b >> 12 & 63], left > 1 ? digits[b >> 6 & 63] : '=',
                              left > 2 ? digits[b & 63] : '='};
        ls_text_put(to, four, 4);
    }
}

/* The picture itself, or nothing when it is none, is missing or too large. Returns its bytes. */
static size_t picture(const ls_report_bucket *b, const char *folder, size_t room, ls_text *to) {
    static const unsigned char magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    off_t size = 0;
    ls_text png = {0};
    if (!there(folder, b->picture, &size) || size > PICTURE_MAX || (size_t)size > room) return 0;
    char *path = ls_format("%s/%s", folder, b->picture);
    const bool good =
        ls_text_read(&png, path) == 0 && png.size > 24 && png.size <= room && memcmp(png.data, magic, sizeof magic) == 0;
    free(path);
    if (good) {
        /* The header's width and height (PNG, 11.2.2): the page does not jump while it is laid out. */
        const unsigned char *h = (const unsigned char *)png.data + 16;
        const unsigned width = (unsigned)h[2] << 8 | h[3], height = (unsigned)h[6] << 8 | h[7];
        ls_text_add(to, "<figure><img width=\"%u\" height=\"%u\" alt=\"Waves of ", width, height);
        ls_report_attribute(to, b->name);
        ls_text_add(to, ": RTL and model around the first difference\" src=\"data:image/png;base64,");
        base64(to, (const unsigned char *)png.data, png.size);
        ls_text_add(to, "\"/><figcaption>RTL and model around the first difference.</figcaption></figure>\n");
    }
    const size_t used = good ? png.size : 0;
    free(png.data);
    return used;
}

static void link_to(const char *folder, const char *path, const char *what, ls_text *to) {
    off_t size = 0;
    if (!there(folder, path, &size)) return;
    ls_text_add(to, "<li><a href=\"");
    ls_report_url(to, path);
    ls_text_add(to, "\">%s</a></li>", what);
}

static void files(const ls_report_bucket *b, const char *folder, ls_text *to) {
    ls_text all = {0};
    char *log = ls_format("logs/%" PRId64 ".log", b->earliest), *record = ls_format("records/%" PRId64 ".json", b->earliest);
    char *case_file = ls_format("cases/%" PRId64 "/failure.case", b->earliest);
    link_to(folder, b->shrunk, "shrunk case", &all);
    link_to(folder, b->waves, "waves (FST)", &all);
    link_to(folder, b->view, "GTKWave view", &all);
    link_to(folder, b->picture, "picture", &all);
    link_to(folder, case_file, "case", &all);
    link_to(folder, log, "log", &all);
    link_to(folder, record, "record", &all);
    if (all.size > 0) ls_text_add(to, "<ul class=\"links\">%s</ul>\n", all.data);
    free(all.data);
    free(log);
    free(record);
    free(case_file);
}

static void job_line(const ls_report *n, const char *what, int64_t number, ls_text *to) {
    const ls_report_result *j = ls_report_find(n, number);
    if (j == NULL) return;
    ls_text_add(to, "<li><span>%s</span> <a href=\"#job-%" PRId64 "\">", what, j->number);
    ls_report_xml(to, j->name);
    ls_text_add(to, "</a> <small>%s %s</small></li>\n", ls_report_count(j->cycles).text,
                ls_report_plural(j->cycles, "cycle", "cycles"));
}

static void title(const ls_report *n, const ls_report_bucket *b, ls_text *to) {
    const char *class = b->known != NULL ? "known" : "fail";
    ls_text_add(to, "<header><span class=\"tag %s\">%s %s</span><h3>", class, ls_page_sign(class),
                b->known != NULL ? "known" : "failed");
    ls_report_xml(to, b->name);
    ls_text_add(to, "</h3><span class=\"hint\">%s %s", ls_report_count(b->jobs).text, ls_report_plural(b->jobs, "job", "jobs"));
    for (size_t i = 0; i < n->story_count; i++) {
        const ls_report_story *s = &n->stories[i];
        if (strcmp(s->name, b->name) != 0) continue;
        if (s->first == n->id) ls_text_add(to, ", new in this one");
        else
            ls_text_add(to, ", first seen in regression %" PRId64 ", in %" PRId64 " regressions by now", s->first,
                        s->regressions);
    }
    ls_text_add(to, "</span></header>\n");
}

static size_t bucket(const ls_report *n, size_t at, const char *folder, size_t room, ls_text *to) {
    const ls_report_bucket *b = &n->buckets[at];
    const ls_report_result *j = ls_report_find(n, b->earliest);
    ls_text_add(to, "<article class=\"bucket\" id=\"bucket-%zu\">\n", at + 1);
    title(n, b, to);
    if (b->known != NULL) {
        ls_text_add(to, "<p>Known: ");
        ls_report_xml(to, b->known);
        ls_text_add(to, " <span class=\"hint\">(");
        ls_report_xml(to, b->owner);
        ls_text_add(to, ", ");
        ls_report_xml(to, b->since);
        ls_text_add(to, ")</span></p>\n");
    }
    if (b->reproduced == 0)
        ls_text_add(to, "<p class=\"notice\"><strong>Not reproducible:</strong> the earliest did not fail again.</p>\n");
    char *message = j != NULL ? ls_report_message(n, j) : ls_copy("");
    if (message[0] != '\0') {
        ls_text_add(to, "<p class=\"message\"><code>");
        ls_report_xml(to, message);
        ls_text_add(to, "</code></p>\n");
    }
    free(message);
    if (b->note[0] != '\0') {
        char *note = ls_report_shown(n, b->note);
        ls_text_add(to, "<p class=\"message\">");
        ls_report_xml(to, note);
        ls_text_add(to, "</p>\n");
        free(note);
    }
    ls_text_add(to, "<ul class=\"who\">\n");
    job_line(n, b->jobs == 1 ? "job" : "earliest", b->earliest, to);
    if (b->shortest != b->earliest) job_line(n, "shortest", b->shortest, to);
    if (b->other >= 0) job_line(n, "other parameters", b->other, to);
    if (b->shrunk_cycles >= 0)
        ls_text_add(to, "<li><span>shrunk</span> %s %s</li>\n", ls_report_count(b->shrunk_cycles).text,
                    ls_report_plural(b->shrunk_cycles, "cycle", "cycles"));
    ls_text_add(to, "</ul>\n");
    files(b, folder, to);
    if (j != NULL) {
        char *command = ls_report_shown(n, j->command);
        ls_page_command(to, command);
        free(command);
    }
    const size_t used = picture(b, folder, room, to);
    ls_text_add(to, "</article>\n");
    return used;
}

void ls_page_failures(const ls_report *n, const char *folder, ls_text *to) {
    size_t room = PICTURES_MAX, known = 0;
    ls_text_add(to, "<section id=\"failures\">\n<h2>Failures by bucket</h2>\n");
    if (n->bucket_count == 0) ls_text_add(to, "<p>None: no job failed.</p>\n");
    else ls_text_add(to, "<p class=\"hint\">A bucket is a unit, a field and a kind of failure: most likely one cause.</p>\n");
    for (size_t i = 0; i < n->bucket_count; i++) known += n->buckets[i].known != NULL;
    for (size_t i = 0; i < n->bucket_count; i++) {
        if (known > 0 && i == n->bucket_count - known) ls_text_add(to, "<details><summary>Known issues: %zu</summary>\n", known);
        room -= bucket(n, i, folder, room, to);
    }
    if (known > 0) ls_text_add(to, "</details>\n");
    ls_text_add(to, "</section>\n");
}
