/* SPDX-License-Identifier: Apache-2.0 */
/* The words of JSON (RFC 8259), strictly: blanks, strings and numbers. Header alone, for who links nothing else of the engine. */
#ifndef LS_JSON_SCAN_H
#define LS_JSON_SCAN_H

#include <stddef.h>
#include <string.h>

/* Each function takes the start of what it reads and returns what follows it, or NULL when it is not valid. */

static inline const char *ls_json_scan_space(const char *p) { return p + strspn(p, " \t\r\n"); }

/* A UTF-8 character of two to four bytes: no overlong form, no surrogate, none above U+10FFFF. */
static inline const char *ls_json_scan_utf8(const char *text) {
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

static inline const char *ls_json_scan_string(const char *p) {
    if (*p++ != '"') return NULL;
    while (*p != '"') {
        const unsigned char c = (unsigned char)*p;
        if (c < 0x20) return NULL;
        if (c >= 0x80) {
            p = ls_json_scan_utf8(p);
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

static inline const char *ls_json_scan_digits(const char *p) {
    const size_t n = strspn(p, "0123456789");
    return n > 0 ? p + n : NULL;
}

static inline const char *ls_json_scan_number(const char *p) {
    p += *p == '-';
    p = *p == '0' ? p + 1 : ls_json_scan_digits(p);
    if (p != NULL && *p == '.') p = ls_json_scan_digits(p + 1);
    if (p != NULL && (*p == 'e' || *p == 'E')) p = ls_json_scan_digits(p + 1 + (p[1] == '+' || p[1] == '-'));
    return p;
}

#endif
