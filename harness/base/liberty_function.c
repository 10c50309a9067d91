/* SPDX-License-Identifier: Apache-2.0 */
/* Liberty's notation: ' inverts what is before it, ! what is behind it; then ^; then *, & or a blank; then + or |. */
#include "harness/base/liberty_function.h"

#include <ctype.h>
#include <string.h>

#include "harness/base/liberty.h"

enum { DEPTH_MAX = 64 };

typedef struct expression {
    const char *at;
    const char *const *names;
    size_t count;
    unsigned depth;
    bool wrong;
    ls_liberty_code *code;
} expression;

static uint8_t any_of(expression *e);

static void skip(expression *e) {
    while (isspace((unsigned char)*e->at)) e->at++;
}

static bool name_byte(char c) { return isalnum((unsigned char)c) || (c != '\0' && strchr("_[]<>.$", c) != NULL); }

/* The operand that one more step gives. */
static uint8_t step(expression *e, ls_liberty_op op, uint8_t a, uint8_t b) {
    ls_liberty_code *c = e->code;
    e->wrong |= c->count == LS_LIBERTY_STEPS_MAX;
    if (e->wrong) return LS_LIBERTY_ZERO;
    c->steps[c->count] = (ls_liberty_step){(uint8_t)op, a, b};
    return (uint8_t)(LS_LIBERTY_STEP + c->count++);
}

static uint8_t named(expression *e) {
    size_t n = 0;
    while (name_byte(e->at[n])) n++;
    const char *name = e->at;
    e->at += n;
    if (n == 1 && (*name == '0' || *name == '1')) return *name == '1' ? LS_LIBERTY_ONE : LS_LIBERTY_ZERO;
    for (size_t i = 0; e->names != NULL && i < e->count; i++)
        if (strlen(e->names[i]) == n && memcmp(e->names[i], name, n) == 0) return (uint8_t)i;
    e->wrong |= e->names != NULL || n == 0;
    return LS_LIBERTY_ZERO;
}

static uint8_t primary(expression *e) {
    uint8_t value = LS_LIBERTY_ZERO;
    skip(e);
    e->wrong |= e->depth == DEPTH_MAX;
    if (e->wrong) return value;
    e->depth++;
    if (*e->at == '!') {
        e->at++;
        value = step(e, LS_LIBERTY_NOT, primary(e), 0);
    } else if (*e->at == '(') {
        e->at++;
        value = any_of(e);
        skip(e);
        e->wrong |= *e->at != ')';
        if (!e->wrong) e->at++;
    } else {
        value = named(e);
    }
    e->depth--;
    for (skip(e); *e->at == '\'' && !e->wrong; skip(e)) {
        e->at++;
        value = step(e, LS_LIBERTY_NOT, value, 0);
    }
    return value;
}

static uint8_t odd_of(expression *e) {
    uint8_t value = primary(e);
    for (skip(e); *e->at == '^' && !e->wrong; skip(e)) {
        e->at++;
        value = step(e, LS_LIBERTY_XOR, value, primary(e));
    }
    return value;
}

static uint8_t all_of(expression *e) {
    uint8_t value = odd_of(e);
    for (skip(e); !e->wrong && (*e->at == '*' || *e->at == '&' || *e->at == '!' || *e->at == '(' || name_byte(*e->at)); skip(e)) {
        if (*e->at == '*' || *e->at == '&') e->at++;
        value = step(e, LS_LIBERTY_AND, value, odd_of(e));
    }
    return value;
}

static uint8_t any_of(expression *e) {
    uint8_t value = all_of(e);
    for (skip(e); !e->wrong && (*e->at == '+' || *e->at == '|'); skip(e)) {
        e->at++;
        value = step(e, LS_LIBERTY_OR, value, all_of(e));
    }
    return value;
}

bool ls_liberty_compile(const char *function, const char *const *names, size_t count, ls_liberty_code *code) {
    expression e = {.at = function, .names = names, .count = count, .code = code};
    code->count = 0;
    if (count > LS_LIBERTY_NAMES_MAX) return false;
    code->result = any_of(&e);
    return !e.wrong && *e.at == '\0';
}

bool ls_liberty_truth(const char *function, const char *const *names, size_t count, uint64_t *table) {
    static const uint64_t patterns[LS_LIBERTY_TRUTH_MAX] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                                            0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};
    static const char *const none[] = {""};
    uint64_t value[LS_LIBERTY_STEP + LS_LIBERTY_STEPS_MAX] = {[LS_LIBERTY_ONE] = UINT64_MAX};
    ls_liberty_code code;
    if (count > LS_LIBERTY_TRUTH_MAX || !ls_liberty_compile(function, count > 0 ? names : none, count, &code)) return false;
    memcpy(value, patterns, sizeof patterns);
    for (uint32_t i = 0; i < code.count; i++) {
        const uint64_t a = value[code.steps[i].a], b = value[code.steps[i].b];
        const ls_liberty_op op = code.steps[i].op;
        value[LS_LIBERTY_STEP + i] = op == LS_LIBERTY_NOT   ? ~a
                                     : op == LS_LIBERTY_AND ? a & b
                                     : op == LS_LIBERTY_OR  ? a | b
                                                            : a ^ b;
    }
    *table = count == LS_LIBERTY_TRUTH_MAX ? value[code.result] : value[code.result] & ((UINT64_C(1) << (1u << count)) - 1);
    return true;
}

bool ls_liberty_names(const char *function, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = function; *at != '\0';) {
        size_t n = 0;
        while (name_byte(at[n])) n++;
        if (n == length && memcmp(at, name, n) == 0) return true;
        at += n > 0 ? n : 1;
    }
    return false;
}
