/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void ls_json_string(ls_text *to, const char *text) {
    ls_text_put(to, "\"", 1);
    for (const char *c = text; *c != '\0';) {
        const size_t n = ls_utf8_length(c);
        if (*c == '"' || *c == '\\') ls_text_add(to, "\\%c", *c);
        else if ((unsigned char)*c < 0x20 || *c == 0x7f) ls_text_add(to, "\\u%04x", (unsigned)*c);
        else if (n == 2 && c[0] == '\xc2' && (unsigned char)c[1] < 0xa0)
            ls_text_add(to, "\\u%04x", (unsigned)(unsigned char)c[1]); /* C1 */
        else if (n == 0) ls_text_add(to, "\\ufffd");
        else ls_text_put(to, c, n);
        c += n != 0 ? n : 1;
    }
    ls_text_put(to, "\"", 1);
}

/* Up to the value: a comma unless it is the first of its object, array or line, and the key. */
static void begin(ls_text *to, const char *key) {
    if (to->size > 0 && strchr("{[:\n", to->data[to->size - 1]) == NULL) ls_text_put(to, ",", 1);
    if (key == NULL) return;
    ls_json_string(to, key);
    ls_text_put(to, ":", 1);
}

void ls_json_open(ls_text *to, const char *key, char bracket) {
    begin(to, key);
    ls_text_put(to, &bracket, 1);
}

void ls_json_close(ls_text *to, char bracket) { ls_text_put(to, bracket == '{' ? "}" : "]", 1); }

void ls_json_text(ls_text *to, const char *key, const char *value) {
    begin(to, key);
    ls_json_string(to, value);
}

void ls_json_uint(ls_text *to, const char *key, uint64_t value) {
    begin(to, key);
    ls_text_add(to, "%" PRIu64, value);
}

void ls_json_int(ls_text *to, const char *key, int64_t value) {
    begin(to, key);
    ls_text_add(to, "%" PRId64, value);
}

void ls_json_bool(ls_text *to, const char *key, bool value) { ls_json_raw(to, key, value ? "true" : "false"); }

void ls_json_seed(ls_text *to, const char *key, uint64_t value) {
    begin(to, key);
    ls_text_add(to, "\"%016" PRIx64 "\"", value);
}

void ls_json_fixed(ls_text *to, const char *key, double value, int decimals) {
    begin(to, key);
    if (isfinite(value)) ls_text_add(to, "%.*f", decimals, value);
    else ls_text_add(to, "null");
}

void ls_json_real(ls_text *to, const char *key, double value, int digits) {
    begin(to, key);
    if (isfinite(value)) ls_text_add(to, "%.*g", digits, value);
    else ls_text_add(to, "null");
}

void ls_json_raw(ls_text *to, const char *key, const char *json) {
    begin(to, key);
    ls_text_put(to, json, strlen(json));
}
