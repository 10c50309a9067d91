/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/workload/rf_lines.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUFFER_SIZE (2u * (RF_LINE_MAX + 1u))
#define QUOTE_MAX 24u /* characters of the file that a message shows */

const char *rf_path_shown(const char *path, char shown[RF_PATH_SHOWN]) {
    const size_t length = strlen(path);
    size_t head = RF_PATH_SHOWN / 2 - 4, tail = length < RF_PATH_SHOWN ? 0 : length - RF_PATH_SHOWN / 2;
    if (tail == 0) return strcpy(shown, path);
    while (head > 0 && (path[head] & 0xc0) == 0x80) head--; /* between two characters of UTF-8 */
    while ((path[tail] & 0xc0) == 0x80) tail++;
    (void)snprintf(shown, RF_PATH_SHOWN, "%.*s...%s", (int)head, path, path + tail);
    return shown;
}

int rf_lines_open(rf_lines *lines, const rf_source *source, const char *path) {
    *lines = (rf_lines){.source = source, .path = malloc(strlen(path) + 1), .buffer = malloc(BUFFER_SIZE + 1)};
    lines->failed = !lines->path || !lines->buffer;
    if (lines->failed) {
        char shown[RF_PATH_SHOWN];
        (void)snprintf(lines->error, sizeof lines->error, "%s: no memory", rf_path_shown(path, shown));
        return -1;
    }
    strcpy(lines->path, path);
    lines->failed = source->open(source->ctx, path, &lines->handle, lines->error, sizeof lines->error) != 0;
    if (lines->failed) lines->handle = NULL;
    return lines->failed ? -1 : 0;
}

void rf_lines_close(rf_lines *lines) {
    if (lines->handle) lines->source->close(lines->handle);
    free(lines->buffer);
    free(lines->path);
    *lines = (rf_lines){0};
}

bool rf_lines_fail(rf_lines *lines, const char *field, const char *format, ...) {
    va_list args;
    char shown[RF_PATH_SHOWN];
    lines->failed = true;
    const int head = snprintf(lines->error, sizeof lines->error, "%s:%" PRIu64 ": %s: ", rf_path_shown(lines->path, shown),
                              lines->number, field);
    if (head < 0 || (size_t)head >= sizeof lines->error) return false;
    va_start(args, format);
    (void)vsnprintf(lines->error + head, sizeof lines->error - (size_t)head, format, args);
    va_end(args);
    return false;
}

bool rf_lines_fail_word(rf_lines *lines, const char *field, const char *word, const char *what) {
    const size_t length = strcspn(word, " "), shown = length < QUOTE_MAX ? length : QUOTE_MAX;
    char text[QUOTE_MAX + 1];
    if (length == 0) return rf_lines_fail(lines, field, "missing: the line ends (%s)", what);
    for (size_t i = 0; i < shown; i++) text[i] = word[i] > ' ' && word[i] <= '~' ? word[i] : '?';
    text[shown] = '\0';
    return rf_lines_fail(lines, field, "'%s%s' is not %s", text, shown < length ? "..." : "", what);
}

static bool blank(char c) { return c == ' ' || c == '\r' || c == '\t'; }

/* Hands out the line from `start` to `stop`. */
static bool hand_out(rf_lines *lines, char *start, char *stop, char **line) {
    const char *const nul = memchr(start, '\0', (size_t)(stop - start));
    if (nul) return rf_lines_fail(lines, "line", "byte %zu is NUL: not a text file", (size_t)(nul - start) + 1);
    while (stop > start && blank(stop[-1])) stop--;
    while (start < stop && blank(*start)) start++;
    *stop = '\0';
    *line = start;
    return true;
}

int rf_lines_next(rf_lines *lines, char **line) {
    size_t searched = 0; /* bytes from the line's start known to hold no end */
    if (lines->failed) return -1;
    lines->number++;
    for (;;) {
        char *const start = lines->buffer + lines->begin;
        const size_t have = lines->end - lines->begin;
        char *const newline = memchr(start + searched, '\n', have - searched);
        char *const stop = newline ? newline : start + have;
        searched = have;
        if (stop - start > (ptrdiff_t)RF_LINE_MAX) return rf_lines_fail(lines, "line", "longer than %u bytes", RF_LINE_MAX), -1;
        if (newline || lines->ended) {
            if (have == 0) {
                lines->number--;
                return 0;
            }
            lines->begin += (size_t)(stop - start) + (newline ? 1 : 0);
            return hand_out(lines, start, stop, line) ? 1 : -1;
        }
        memmove(lines->buffer, start, have);
        lines->begin = 0;
        lines->end = have;
        char why[RF_LINES_ERROR_MAX / 2] = "";
        const long got = lines->source->read(lines->handle, lines->buffer + have, BUFFER_SIZE - have, why, sizeof why);
        if (got < 0) return rf_lines_fail(lines, "read", "%s", why), -1;
        lines->ended = got == 0;
        lines->end += (size_t)got;
    }
}

int rf_lines_next_text(rf_lines *lines, char **line) {
    int got = 1;
    do got = rf_lines_next(lines, line);
    while (got == 1 && **line == '\0');
    return got;
}

bool rf_word_close(rf_lines *lines, const char **at, const char *end, const char *field, const char *what) {
    if (*end != ' ' && *end != '\0') return rf_lines_fail_word(lines, field, *at, what);
    while (*end == ' ') end++;
    *at = end;
    return true;
}

/* The digits at *end, moving it behind them; false when there are none or their value is above `limit`. */
static bool digits(const char **end, uint64_t limit, uint64_t *value) {
    const char *const start = *end;
    bool fits = true;
    uint64_t v = 0;
    for (; **end >= '0' && **end <= '9'; (*end)++) {
        const uint64_t digit = (uint64_t)(**end - '0');
        fits = fits && digit <= limit && v <= (limit - digit) / 10;
        v = v * 10 + digit;
    }
    *value = v;
    return fits && *end > start;
}

bool rf_word_decimal(rf_lines *lines, const char **at, const char *field, uint64_t min, uint64_t max, uint64_t *value) {
    const char *end = *at;
    if (!digits(&end, max, value) || *value < min || (*end != ' ' && *end != '\0')) {
        char what[64];
        (void)snprintf(what, sizeof what, "a number in %" PRIu64 " .. %" PRIu64, min, max);
        return rf_lines_fail_word(lines, field, *at, what);
    }
    return rf_word_close(lines, at, end, field, "");
}

bool rf_word_signed(rf_lines *lines, const char **at, const char *field, int64_t min, int64_t max, int64_t *value) {
    const bool negative = **at == '-';
    const char *end = *at + negative;
    uint64_t v = 0;
    if (!digits(&end, negative ? UINT64_C(0) - (uint64_t)min : (uint64_t)max, &v) || (*end != ' ' && *end != '\0')) {
        char what[64];
        (void)snprintf(what, sizeof what, "a number in %" PRId64 " .. %" PRId64, min, max);
        return rf_lines_fail_word(lines, field, *at, what);
    }
    *value = (int64_t)(negative ? UINT64_C(0) - v : v);
    return rf_word_close(lines, at, end, field, "");
}

bool rf_word_hex(rf_lines *lines, const char **at, const char *field, const char *prefix, uint32_t min, uint32_t max,
                 const char *what, uint64_t *value) {
    const size_t skip = strlen(prefix);
    const bool prefixed = strncmp(*at, prefix, skip) == 0;
    const char *const start = *at + (prefixed ? skip : 0);
    const char *end = start;
    uint64_t v = 0;
    for (;; end++) {
        if (*end >= '0' && *end <= '9') v = v << 4 | (uint64_t)(*end - '0');
        else if (*end >= 'a' && *end <= 'f') v = v << 4 | (uint64_t)(*end - 'a' + 10);
        else if (*end >= 'A' && *end <= 'F') v = v << 4 | (uint64_t)(*end - 'A' + 10);
        else break;
    }
    if (!prefixed || end < start + min || end > start + max) return rf_lines_fail_word(lines, field, *at, what);
    *value = v;
    return rf_word_close(lines, at, end, field, what);
}

bool rf_word_none(rf_lines *lines, const char *at) {
    return *at == '\0' || rf_lines_fail_word(lines, "line", at, "the end of the line");
}
