/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/workload/rf_ptx_lex.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX 63u  /* characters of a number */
#define NESTING_MAX 32u /* of parentheses and signs in a constant */

bool rf_ptx_fail(rf_ptx_lexer *lex, const char *what, const char *format, ...) {
    va_list args;
    if (lex->error[0]) return false;
    const int head = snprintf(lex->error, sizeof lex->error, "%s:%" PRIu32 ": %s: ", lex->path, lex->token.line, what);
    if (head < 0 || (size_t)head >= sizeof lex->error) return false;
    va_start(args, format);
    (void)vsnprintf(lex->error + head, sizeof lex->error - (size_t)head, format, args);
    va_end(args);
    return false;
}

const char *rf_ptx_quote(char quote[RF_PTX_QUOTE_MAX + 4], const char *text, size_t length) {
    const size_t shown = length < RF_PTX_QUOTE_MAX ? length : RF_PTX_QUOTE_MAX;
    for (size_t i = 0; i < shown; i++) quote[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    strcpy(quote + shown, shown < length ? "..." : "");
    return quote;
}

bool rf_ptx_fail_token(rf_ptx_lexer *lex, const char *what, const char *expected) {
    char quote[RF_PTX_QUOTE_MAX + 4];
    if (lex->token.kind == RF_PTX_END) return rf_ptx_fail(lex, what, "the file ends here, expected %s", expected);
    return rf_ptx_fail(lex, what, "'%s' is not %s", rf_ptx_quote(quote, lex->token.text, lex->token.length), expected);
}

/* --- characters ------------------------------------------------------------------------------------------------------------- */

static bool digit(char c) { return c >= '0' && c <= '9'; }

static bool name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%'; }

static bool name_part(char c) { return digit(c) || (name_start(c) && c != '%'); }

/* Passes blanks and comments. */
static bool pass_blanks(rf_ptx_lexer *lex) {
    for (;;) {
        const size_t left = (size_t)(lex->end - lex->at);
        if (left == 0) return true;
        const char c = *lex->at;
        if (c == '\n' || c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            lex->line += c == '\n';
            lex->at++;
        } else if (left > 1 && c == '/' && lex->at[1] == '/') {
            const char *const stop = memchr(lex->at, '\n', left);
            lex->at = stop ? stop : lex->end;
        } else if (left > 1 && c == '/' && lex->at[1] == '*') {
            lex->token = (rf_ptx_token){.text = lex->at, .length = 2, .line = lex->line};
            for (lex->at += 2;; lex->at++) {
                if (lex->end - lex->at < 2) return rf_ptx_fail(lex, "comment", "does not end");
                if (lex->at[0] == '*' && lex->at[1] == '/') break;
                lex->line += *lex->at == '\n';
            }
            lex->at += 2;
        } else {
            return true;
        }
    }
}

/* --- numbers ---------------------------------------------------------------------------------------------------------------- */

/* All of `text` as digits of `base`, with at most 64 bits; an integer may end in U. */
static bool whole_digits(const char *text, uint32_t base, bool suffix, uint64_t *value) {
    uint64_t v = 0;
    const char *const first = text;
    for (; *text && !(suffix && *text == 'U'); text++) {
        const char c = *text;
        const uint32_t d = digit(c)               ? (uint32_t)(c - '0')
                           : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
                           : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A') + 10
                                                  : base;
        if (d >= base || v > (UINT64_MAX - d) / base) return false;
        v = v * base + d;
    }
    *value = v;
    return text > first && (*text == '\0' || text[1] == '\0');
}

/* A decimal float; strtod reads the locale's decimal point. */
static bool decimal_float(const char *text, uint64_t *bits) {
    char copy[2 * NUMBER_MAX];
    const char *const point = localeconv()->decimal_point, *const dot = strchr(text, '.');
    const size_t before = dot ? (size_t)(dot - text) : strlen(text);
    char *end = NULL;
    const int n = snprintf(copy, sizeof copy, "%.*s%s%s", (int)before, text, dot ? point : "", dot ? dot + 1 : "");
    if (n < 0 || (size_t)n >= sizeof copy) return false;
    const double value = strtod(copy, &end);
    memcpy(bits, &value, sizeof *bits);
    return *end == '\0' && isfinite(value);
}

static bool number(rf_ptx_lexer *lex) {
    rf_ptx_token *const t = &lex->token;
    char text[NUMBER_MAX + 1] = "";
    const char *end = lex->at;
    const bool prefixed =
        lex->end - end > 1 && end[0] == '0' && !digit(end[1]) && end[1] != '.' && end[1] != 'e' && end[1] != 'E';
    while (end < lex->end &&
           (name_part(*end) || (!prefixed && (*end == '.' || ((*end == '+' || *end == '-') && (end[-1] | 32) == 'e')))))
        end++;
    t->length = (size_t)(end - lex->at);
    lex->at = end;
    t->kind = RF_PTX_INT;
    if (t->length > NUMBER_MAX) return rf_ptx_fail_token(lex, "number", "a number of at most 63 characters");
    memcpy(text, t->text, t->length);
    const char mark = text[0] == '0' ? text[1] : '\0';
    bool good = false;
    if (mark == 'x' || mark == 'X') {
        good = whole_digits(text + 2, 16, true, &t->value);
    } else if (mark == 'b' || mark == 'B') {
        good = whole_digits(text + 2, 2, true, &t->value);
    } else if (mark == 'f' || mark == 'F') {
        t->kind = RF_PTX_F32;
        good = t->length == 10 && whole_digits(text + 2, 16, false, &t->value);
    } else if (mark == 'd' || mark == 'D') {
        t->kind = RF_PTX_F64;
        good = t->length == 18 && whole_digits(text + 2, 16, false, &t->value);
    } else if (strpbrk(text, ".eE")) {
        t->kind = RF_PTX_F64;
        good = decimal_float(text, &t->value);
    } else {
        good = whole_digits(text, mark && mark != 'U' ? 8 : 10, true, &t->value);
    }
    return good || rf_ptx_fail_token(lex, "number", "a number of PTX (64 bits)");
}

/* --- tokens ----------------------------------------------------------------------------------------------------------------- */

/* A name; what follows a dot or two colons belongs to it: a suffix. */
static void word(rf_ptx_lexer *lex) {
    const char *p = lex->at + 1;
    for (;;) {
        while (p < lex->end && name_part(*p)) p++;
        if (lex->end - p > 1 && *p == '.' && name_part(p[1])) p++;
        else if (lex->end - p > 2 && p[0] == ':' && p[1] == ':' && name_part(p[2])) p += 2;
        else break;
    }
    lex->token.kind = RF_PTX_WORD;
    lex->token.length = (size_t)(p - lex->at);
    lex->at = p;
}

static bool string(rf_ptx_lexer *lex) {
    const char *const first = lex->at + 1, *const stop = memchr(first, '"', (size_t)(lex->end - first));
    if (!stop || memchr(first, '\n', (size_t)(stop - first))) return rf_ptx_fail(lex, "string", "does not end on its line");
    lex->token.kind = RF_PTX_STRING;
    lex->token.text = first;
    lex->token.length = (size_t)(stop - first);
    lex->at = stop + 1;
    return true;
}

bool rf_ptx_next(rf_ptx_lexer *lex) {
    if (lex->error[0] || !pass_blanks(lex)) return false;
    lex->token = (rf_ptx_token){.kind = RF_PTX_END, .text = lex->at, .line = lex->line};
    if (lex->at == lex->end) return true;
    const char c = *lex->at;
    if (name_start(c)) {
        word(lex);
        return true;
    }
    if (digit(c)) return number(lex);
    if (c == '"') return string(lex);
    lex->token.length = 1;
    if (c == '.' && lex->end - lex->at > 1 && name_part(lex->at[1])) {
        while (lex->at + lex->token.length < lex->end && name_part(lex->at[lex->token.length])) lex->token.length++;
        lex->token.kind = RF_PTX_DIRECTIVE;
    } else if (strchr("{}()[]<>,;:@!|+-~=*/&^?", c) && c) {
        lex->token.kind = RF_PTX_PUNCT;
    } else {
        return rf_ptx_fail(lex, "character", "0x%02x is not of PTX", (unsigned)(unsigned char)c);
    }
    lex->at += lex->token.length;
    return true;
}

bool rf_ptx_begin(rf_ptx_lexer *lex, const char *path, const char *text, size_t size) {
    *lex = (rf_ptx_lexer){.path = path, .start = text, .at = text, .end = text + size, .line = 1};
    return rf_ptx_next(lex);
}

bool rf_ptx_at(const rf_ptx_lexer *lex, char punct) { return lex->token.kind == RF_PTX_PUNCT && *lex->token.text == punct; }

bool rf_ptx_token_is(const rf_ptx_token *token, const char *text) {
    return token->length == strlen(text) && memcmp(token->text, text, token->length) == 0;
}

bool rf_ptx_expect(rf_ptx_lexer *lex, char punct, const char *what) {
    const char expected[] = {'\'', punct, '\'', '\0'};
    return rf_ptx_at(lex, punct) ? rf_ptx_next(lex) : rf_ptx_fail_token(lex, what, expected);
}

bool rf_ptx_whole(rf_ptx_lexer *lex, const char *what, uint64_t min, uint64_t max, uint64_t *value) {
    char range[64];
    (void)snprintf(range, sizeof range, "a whole number, %" PRIu64 " .. %" PRIu64, min, max);
    if (lex->token.kind != RF_PTX_INT || lex->token.value < min || lex->token.value > max)
        return rf_ptx_fail_token(lex, what, range);
    *value = lex->token.value;
    return rf_ptx_next(lex);
}

/* --- constants -------------------------------------------------------------------------------------------------------------- */

static bool sum(rf_ptx_lexer *lex, const char *what, uint32_t depth, rf_ptx_kind *kind, uint64_t *value);

/* A number, or an operator or parenthesis before a smaller constant. */
static bool primary(rf_ptx_lexer *lex, const char *what, uint32_t depth, rf_ptx_kind *kind, uint64_t *value) {
    const rf_ptx_token t = lex->token;
    if (depth > NESTING_MAX) return rf_ptx_fail(lex, what, "a constant nested more than %u deep", NESTING_MAX);
    if (t.kind == RF_PTX_INT || t.kind == RF_PTX_F32 || t.kind == RF_PTX_F64) {
        *kind = t.kind;
        *value = t.value;
        return rf_ptx_next(lex);
    }
    if (t.kind == RF_PTX_WORD && rf_ptx_token_is(&t, "WARP_SZ")) {
        *kind = RF_PTX_INT;
        *value = RF_LANES_MAX;
        return rf_ptx_next(lex);
    }
    if (t.kind != RF_PTX_PUNCT || !strchr("(-+~", *t.text)) return rf_ptx_fail_token(lex, what, "a constant");
    if (!rf_ptx_next(lex)) return false;
    if (*t.text == '(') return sum(lex, what, depth + 1, kind, value) && rf_ptx_expect(lex, ')', what);
    if (!primary(lex, what, depth + 1, kind, value)) return false;
    if (*kind == RF_PTX_F32 || (*kind == RF_PTX_F64 && *t.text == '~'))
        return rf_ptx_fail(lex, what, "'%c' before a float", *t.text);
    if (*t.text == '~') *value = ~*value;
    if (*t.text == '-') *value = *kind == RF_PTX_F64 ? *value ^ UINT64_C(1) << 63 : 0 - *value;
    return true;
}

static bool sum(rf_ptx_lexer *lex, const char *what, uint32_t depth, rf_ptx_kind *kind, uint64_t *value) {
    if (!primary(lex, what, depth, kind, value)) return false;
    while (rf_ptx_at(lex, '+') || rf_ptx_at(lex, '-')) {
        const bool minus = rf_ptx_at(lex, '-');
        rf_ptx_kind other = RF_PTX_INT;
        uint64_t v = 0;
        if (!rf_ptx_next(lex) || !primary(lex, what, depth, &other, &v)) return false;
        if (*kind != RF_PTX_INT || other != RF_PTX_INT) return rf_ptx_fail(lex, what, "a sum of floats");
        *value += minus ? 0 - v : v;
    }
    return true;
}

bool rf_ptx_constant(rf_ptx_lexer *lex, const char *what, rf_ptx_kind *kind, uint64_t *value) {
    return sum(lex, what, 0, kind, value);
}
