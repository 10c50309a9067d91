/* SPDX-License-Identifier: Apache-2.0 */
/* A strict reader of JSON (RFC 8259) that keeps nothing: is this text one valid value, and what stands at a path in it? */
#ifndef ENGINE_JSON_H
#define ENGINE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Each json_… function takes the start of what it reads and returns what follows it, or NULL when it is not valid. */

static const char *json_space(const char *p) { return p + strspn(p, " \t\r\n"); }

/* A UTF-8 character of two to four bytes: no overlong form, no surrogate, none above U+10FFFF. */
static const char *json_utf8(const char *text) {
    const unsigned char *p = (const unsigned char *)text;
    const unsigned first = p[0];
    const size_t more = first >= 0xc2 && first <= 0xdf   ? 1
                        : first >= 0xe0 && first <= 0xef ? 2
                        : first >= 0xf0 && first <= 0xf4 ? 3
                                                         : 0;
    for (size_t i = 1; i <= more; i++)
        if ((p[i] & 0xc0) != 0x80) return NULL;
    if (more == 0 || (first == 0xe0 && p[1] < 0xa0) || (first == 0xed && p[1] > 0x9f) || (first == 0xf0 && p[1] < 0x90) ||
        (first == 0xf4 && p[1] > 0x8f))
        return NULL;
    return text + more + 1;
}

static const char *json_string(const char *p) {
    if (*p++ != '"') return NULL;
    while (*p != '"') {
        const unsigned char c = (unsigned char)*p;
        if (c < 0x20) return NULL;
        if (c >= 0x80) {
            p = json_utf8(p);
            if (p == NULL) return NULL;
        } else if (c != '\\') {
            p++;
        } else if (p[1] == 'u') {
            if (strspn(p + 2, "0123456789abcdefABCDEF") < 4) return NULL;
            p += 6;
        } else {
            if (p[1] == '\0' || strchr("\"\\/bfnrt", p[1]) == NULL) return NULL;
            p += 2;
        }
    }
    return p + 1;
}

static const char *json_digits(const char *p) {
    const size_t n = strspn(p, "0123456789");
    return n > 0 ? p + n : NULL;
}

static const char *json_number(const char *p) {
    p += *p == '-';
    p = *p == '0' ? p + 1 : json_digits(p);
    if (p != NULL && *p == '.') p = json_digits(p + 1);
    if (p != NULL && (*p == 'e' || *p == 'E')) p = json_digits(p + 1 + (p[1] == '+' || p[1] == '-'));
    return p;
}

static const char *json_value(const char *p, int depth);

/* The members of an object or the elements of an array, up to its end. */
static const char *json_members(const char *p, int depth) {
    const bool object = *p == '{';
    const char end = object ? '}' : ']';
    p = json_space(p + 1);
    if (*p == end) return p + 1;
    for (;; p = json_space(p + 1)) {
        if (object) {
            p = json_string(p);
            p = p != NULL ? json_space(p) : NULL;
            if (p == NULL || *p++ != ':') return NULL;
        }
        p = json_value(json_space(p), depth + 1);
        p = p != NULL ? json_space(p) : NULL;
        if (p == NULL) return NULL;
        if (*p == end) return p + 1;
        if (*p != ',') return NULL;
    }
}

static const char *json_value(const char *p, int depth) {
    static const char *const words[] = {"true", "false", "null"};
    if (depth > 64) return NULL;
    if (*p == '{' || *p == '[') return json_members(p, depth);
    if (*p == '"') return json_string(p);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strncmp(p, words[i], strlen(words[i])) == 0) return p + strlen(words[i]);
    return json_number(p);
}

/* Is the text exactly one valid value? */
static bool json_valid(const char *text) {
    const char *end = json_value(json_space(text), 0);
    return end != NULL && *json_space(end) == '\0';
}

/* The value at `path` ("mismatch.field": names of members, separated by dots) in a valid text, and its length; NULL when there is
 * none. */
static const char *json_find(const char *text, const char *path, size_t *length) {
    const char *p = json_space(text);
    for (;;) {
        if (*path == '\0') {
            *length = (size_t)(json_value(p, 0) - p);
            return p;
        }
        const size_t n = strcspn(path, ".");
        if (*p != '{') return NULL;
        p = json_space(p + 1);
        for (bool found = false; !found;) {
            if (*p != '"') return NULL;
            const char *name = p + 1, *after = json_string(p);
            found = (size_t)(after - 1 - name) == n && strncmp(name, path, n) == 0;
            p = json_space(json_space(after) + 1);
            if (found) break;
            p = json_space(json_value(p, 0));
            if (*p == ',') p = json_space(p + 1);
        }
        path += n + (path[n] == '.');
    }
}

#endif
