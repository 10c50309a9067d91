/* SPDX-License-Identifier: Apache-2.0 */
/* A strict reader of JSON (RFC 8259) that keeps nothing: is this text one valid value, and what stands at a path in it? */
#ifndef ENGINE_JSON_H
#define ENGINE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json_scan.h"

/* Takes the start of a value and returns what follows it, or NULL when it is not valid. */
static const char *json_value(const char *p, int depth);

/* The members of an object or the elements of an array, up to its end. */
static const char *json_members(const char *p, int depth) {
    const bool object = *p == '{';
    const char end = object ? '}' : ']';
    p = ls_json_scan_space(p + 1);
    if (*p == end) return p + 1;
    for (;; p = ls_json_scan_space(p + 1)) {
        if (object) {
            p = ls_json_scan_string(p);
            p = p != NULL ? ls_json_scan_space(p) : NULL;
            if (p == NULL || *p++ != ':') return NULL;
        }
        p = json_value(ls_json_scan_space(p), depth + 1);
        p = p != NULL ? ls_json_scan_space(p) : NULL;
        if (p == NULL) return NULL;
        if (*p == end) return p + 1;
        if (*p != ',') return NULL;
    }
}

static const char *json_value(const char *p, int depth) {
    static const char *const words[] = {"true", "false", "null"};
    if (depth > 64) return NULL;
    if (*p == '{' || *p == '[') return json_members(p, depth);
    if (*p == '"') return ls_json_scan_string(p);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strncmp(p, words[i], strlen(words[i])) == 0) return p + strlen(words[i]);
    return ls_json_scan_number(p);
}

/* Is the text exactly one valid value? */
static bool json_valid(const char *text) {
    const char *end = json_value(ls_json_scan_space(text), 0);
    return end != NULL && *ls_json_scan_space(end) == '\0';
}

/* The value at `path` ("mismatch.field": names of members, separated by dots) in a valid text, and its length; NULL when there is
 * none. */
static const char *json_find(const char *text, const char *path, size_t *length) {
    const char *p = ls_json_scan_space(text);
    for (;;) {
        if (*path == '\0') {
            *length = (size_t)(json_value(p, 0) - p);
            return p;
        }
        const size_t n = strcspn(path, ".");
        if (*p != '{') return NULL;
        p = ls_json_scan_space(p + 1);
        for (bool found = false; !found;) {
            if (*p != '"') return NULL;
            const char *name = p + 1, *after = ls_json_scan_string(p);
            found = (size_t)(after - 1 - name) == n && strncmp(name, path, n) == 0;
            p = ls_json_scan_space(ls_json_scan_space(after) + 1);
            if (found) break;
            p = ls_json_scan_space(json_value(p, 0));
            if (*p == ',') p = ls_json_scan_space(p + 1);
        }
        path += n + (path[n] == '.');
    }
}

#endif
