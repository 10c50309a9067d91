/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/regress/report_format.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"

/* Bytes of the character at `c` if XML 1.0 and HTML take it, else 0 (RFC 3629; XML 1.0, 2.2). */
static size_t good_length(const unsigned char *c) {
    if (c[0] < 0x80) return (c[0] >= 0x20 && c[0] != 0x7f) || c[0] == '\t' || c[0] == '\n' || c[0] == '\r' ? 1 : 0;
    const size_t n = c[0] >= 0xc2 && c[0] <= 0xdf ? 2 : (c[0] & 0xf0) == 0xe0 ? 3 : c[0] >= 0xf0 && c[0] <= 0xf4 ? 4 : 0;
    for (size_t i = 1; i < n; i++)
        if ((c[i] & 0xc0) != 0x80) return 0;
    if (c[0] == 0xc2 && c[1] < 0xa0) return 0; /* C1 controls */
    const bool overlong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
    const bool outside = (c[0] == 0xed && c[1] > 0x9f) || (c[0] == 0xf4 && c[1] > 0x8f);
    const bool none = c[0] == 0xef && c[1] == 0xbf && c[2] >= 0xbe;
    return overlong || outside || none ? 0 : n;
}

static void escape(ls_text *to, const char *text, bool attribute) {
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
        const size_t n = good_length(c);
        if (*c == '<') ls_text_add(to, "&lt;");
        else if (*c == '>') ls_text_add(to, "&gt;");
        else if (*c == '&') ls_text_add(to, "&amp;");
        else if (*c == '"') ls_text_add(to, "&quot;");
        else if (*c == '\'') ls_text_add(to, "&#39;");
        else if (*c == '\r') ls_text_put(to, " ", 1);
        else if (attribute && (*c == '\n' || *c == '\t')) ls_text_add(to, "&#%d;", *c);
        else if (n == 0) ls_text_add(to, REPLACEMENT);
        else ls_text_put(to, c, n);
        c += n != 0 ? n : 1;
    }
}

void ls_report_xml(ls_text *to, const char *text) { escape(to, text, false); }

void ls_report_attribute(ls_text *to, const char *text) { escape(to, text, true); }

void ls_report_plain(ls_text *to, const char *text) {
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
        const size_t n = good_length(c);
        if (n == 0) ls_text_add(to, REPLACEMENT);
        else ls_text_put(to, c, n);
        c += n != 0 ? n : 1;
    }
}

void ls_report_url(ls_text *to, const char *path) {
    for (const unsigned char *c = (const unsigned char *)path; *c != '\0'; c++) {
        if ((*c < 0x80 && isalnum(*c)) || strchr("/._-", *c) != NULL) ls_text_put(to, c, 1);
        else ls_text_add(to, "%%%02X", *c);
    }
}

/* An underscore between letters or digits is one in every dialect; elsewhere it may begin emphasis. */
static bool inside_word(const unsigned char *c, const char *text) {
    return c != (const unsigned char *)text && isalnum(c[-1]) != 0 && isalnum(c[1]) != 0;
}

void ls_report_markdown(ls_text *to, const char *text) {
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
        const size_t n = good_length(c);
        if (*c == '<') ls_text_add(to, "&lt;");
        else if (*c == '>') ls_text_add(to, "&gt;");
        else if (*c == '&') ls_text_add(to, "&amp;");
        else if (isspace(*c)) ls_text_put(to, " ", 1);
        else if (strchr("\\`*[]|~", *c) != NULL || (*c == '_' && !inside_word(c, text))) ls_text_add(to, "\\%c", *c);
        else if (n == 0) ls_text_add(to, REPLACEMENT);
        else ls_text_put(to, c, n);
        c += n != 0 ? n : 1;
    }
}

void ls_report_fence(ls_text *to, const char *indent, const char *language, const char *text) {
    size_t longest = 2, run = 0;
    for (const char *c = text; *c != '\0'; c++) {
        run = *c == '`' ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    char *fence = ls_alloc(longest + 2, 1);
    memset(fence, '`', longest + 1);
    ls_text_add(to, "%s%s%s\n%s", indent, fence, language, indent);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
        const size_t n = good_length(c);
        if (n == 0) ls_text_add(to, REPLACEMENT);
        else if (*c == '\n') ls_text_add(to, "\n%s", indent);
        else ls_text_put(to, c, n);
        c += n != 0 ? n : 1;
    }
    ls_text_add(to, "\n%s%s\n", indent, fence);
    free(fence);
}

/* A copy in ASCII: one "?" for every character that is none. */
static char *ascii(const char *text) {
    ls_text out = {0};
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        if (isspace(*c)) ls_text_put(&out, " ", 1);
        else if (*c >= 0x20 && *c < 0x7f) ls_text_put(&out, c, 1);
        else if (*c < 0x80 || (*c & 0xc0) != 0x80) ls_text_put(&out, "?", 1);
    }
    return ls_text_take(&out);
}

void ls_report_wrap(ls_text *to, const char *text, size_t width, const char *indent) {
    char *all = ascii(text);
    size_t column = 0;
    for (char *rest = NULL, *word = strtok_r(all, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        size_t length = strlen(word);
        if (column > 0 && column + 1 + length > width) {
            ls_text_add(to, "\n%s", indent);
            column = strlen(indent);
        } else if (column > 0) {
            ls_text_put(to, " ", 1);
            column++;
        }
        if (column + length > width) {
            length = width - column;
            word[length - 1] = '~';
        }
        ls_text_put(to, word, length);
        column += length;
    }
    free(all);
}

int ls_report_command(ls_text *to, const char *command, size_t width) {
    ls_text out = {0};
    size_t column = 4;
    char quote = '\0';
    ls_text_add(&out, "    ");
    for (const char *c = command; *c != '\0';) {
        /* A piece without a blank outside quotes. */
        const char *end = c;
        for (; *end != '\0' && (quote != '\0' || *end != ' '); end++) {
            if ((unsigned char)*end < 0x20 || (unsigned char)*end >= 0x7f) goto refused;
            if (quote != '\0') quote = *end == quote ? '\0' : quote;
            else if (*end == '\'' || *end == '"') quote = *end;
            else if (*end == '\\') goto refused;
        }
        const size_t length = (size_t)(end - c);
        if (column > 4 && column + 1 + length + 2 > width) {
            ls_text_add(&out, " \\\n      ");
            column = 6;
        } else if (column > 4) {
            ls_text_put(&out, " ", 1);
            column++;
        }
        if (column + length + 2 > width) goto refused;
        ls_text_put(&out, c, length);
        column += length;
        c = end + strspn(end, " ");
    }
    ls_text_put(to, out.data, out.size);
    free(out.data);
    return 0;
refused:
    free(out.data);
    return -1;
}

ls_word ls_report_count(int64_t n) {
    ls_word w;
    char digits[32];
    (void)snprintf(digits, sizeof digits, "%" PRId64, n);
    size_t at = 0;
    const size_t length = strlen(digits);
    for (size_t i = 0; i < length; i++) {
        w.text[at++] = digits[i];
        if (digits[i] != '-' && i + 1 < length && (length - 1 - i) % 3 == 0) w.text[at++] = ',';
    }
    w.text[at] = '\0';
    return w;
}

ls_word ls_report_short(double n) {
    static const char units[] = {'k', 'M', 'G', 'T', 'P'};
    ls_word w;
    if (n < 10000) return ls_report_count((int64_t)(n + 0.5));
    size_t u = 0;
    for (n /= 1000; n >= 999.5 && u + 1 < sizeof units; u++) n /= 1000;
    (void)snprintf(w.text, sizeof w.text, "%.*f %c", n < 9.995 ? 2 : n < 99.95 ? 1 : 0, n, units[u]);
    return w;
}

ls_word ls_report_duration(double seconds) {
    ls_word w;
    const int64_t whole = (int64_t)(seconds + 0.5);
    if (seconds < 9.95) (void)snprintf(w.text, sizeof w.text, "%.1f s", seconds);
    else if (whole < 60) (void)snprintf(w.text, sizeof w.text, "%" PRId64 " s", whole);
    else if (whole < 3600) (void)snprintf(w.text, sizeof w.text, "%" PRId64 " min %" PRId64 " s", whole / 60, whole % 60);
    else (void)snprintf(w.text, sizeof w.text, "%" PRId64 " h %" PRId64 " min", whole / 3600, whole % 3600 / 60);
    return w;
}

ls_word ls_report_percentage(double percent) {
    ls_word w;
    if (percent < 0) (void)snprintf(w.text, sizeof w.text, "-");
    else (void)snprintf(w.text, sizeof w.text, "%.*f %%", percent >= 100 ? 0 : 1, percent);
    return w;
}

ls_word ls_report_date(const char *started) {
    ls_word w;
    if (strlen(started) == 20 && started[10] == 'T' && started[19] == 'Z')
        (void)snprintf(w.text, sizeof w.text, "%.10s %.5s UTC", started, started + 11);
    else (void)snprintf(w.text, sizeof w.text, "%.40s", started);
    return w;
}

const char *ls_report_plural(int64_t n, const char *one, const char *many) { return n == 1 ? one : many; }
