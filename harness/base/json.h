/* SPDX-License-Identifier: Apache-2.0 */
/* The one writer of JSON: members and elements are appended to a text, which gets the commas. In an object each call has a key,
 * in an array and at the top it has NULL. */
#ifndef LS_JSON_H
#define LS_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/base/text.h"

/* '{' or '[', and its other end. */
void ls_json_open(ls_text *to, const char *key, char bracket);
void ls_json_close(ls_text *to, char bracket);

/* Appends `text` as a JSON string with its quotes: escaped, and made valid UTF-8. */
void ls_json_string(ls_text *to, const char *text);

void ls_json_text(ls_text *to, const char *key, const char *value);
void ls_json_uint(ls_text *to, const char *key, uint64_t value);
void ls_json_int(ls_text *to, const char *key, int64_t value);
void ls_json_bool(ls_text *to, const char *key, bool value);
void ls_json_seed(ls_text *to, const char *key, uint64_t value); /* a string of 16 hexadecimal digits */

/* With so many decimals, or so many significant digits; null when it is no number. */
void ls_json_fixed(ls_text *to, const char *key, double value, int decimals);
void ls_json_real(ls_text *to, const char *key, double value, int digits);

/* What is JSON already. */
void ls_json_raw(ls_text *to, const char *key, const char *json);

#endif
/* SPDX-License-Identifier: Apache-2.0 */
/* The one writer of JSON: members and elements are appended to a text, which gets the commas. In an object each call has a key,
 * in an array and at the top it has NULL. */
#ifndef LS_JSON_H
#define LS_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/base/text.h"

/* '{' or '[', and its other end. */
void ls_json_open(ls_text *to, const char *key, char bracket);
void ls_json_close(ls_text *to, char bracket);

/* Appends `text` as a JSON string with its quotes: escaped, and made valid UTF-8. */
void ls_json_string(ls_text *to, const char *text);

void ls_json_text(ls_text *to, const char *key, const char *value);
void ls_json_uint(ls_text *to, const char *key, uint64_t value);
void ls_json_int(ls_text *to, const char *key, int64_t value);
void ls_json_bool(ls_text *to, const char *key, bool value);
void ls_json_seed(ls_text *to, const char *key, uint64_t value); /* a string of 16 hexadecimal digits */

/* With so many decimals, or so many significant digits; null when it is no number. */
void ls_json_fixed(ls_text *to, const char *key, double value, int decimals);
void ls_json_real(ls_text *to, const char *key, double value, int digits);

/* What is JSON already. */
void ls_json_raw(ls_text *to, const char *key, const char *json);

#endif
