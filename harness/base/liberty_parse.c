/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/liberty_parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const char *path, *at, *end;
    size_t line;
    char *error;
    size_t error_size;
    bool failed;
} reader;

static bool fail(reader *r, size_t line, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The first complaint counts. Returns false. */
static bool fail(reader *r, size_t line, const char *format, ...) {
    if (r->failed) return false;
    r->failed = true;
    va_list args;
    va_start(args, format);
    ls_error_at(r->error, r->error_size, r->path, line, format, args);
    va_end(args);
    return false;
}

static char peek(const reader *r, size_t ahead) { return (size_t)(r->end - r->at) > ahead ? r->at[ahead] : '\0'; }

/* A backslash and the blanks behind it up to the line's end join two lines: how many bytes; 0: it is none. */
static size_t joint(const reader *r) {
    if (peek(r, 0) != '\\') return 0;
    size_t n = 1;
    while (peek(r, n) == ' ' || peek(r, n) == '\t' || peek(r, n) == '\r') n++;
    return peek(r, n) == '\n' ? n + 1 : 0;
}

/* Skips a comment. Returns whether there was one; an open one is a failure. */
static bool comment(reader *r) {
    if (peek(r, 0) != '/' || (peek(r, 1) != '*' && peek(r, 1) != '/')) return false;
    const size_t line = r->line;
    const bool block = peek(r, 1) == '*';
    for (r->at += 2; r->at < r->end; r->at++) {
        if (!block && *r->at == '\n') return true;
        if (block && *r->at == '*' && peek(r, 1) == '/') {
            r->at += 2;
            return true;
        }
        r->line += *r->at == '\n';
    }
    if (block) (void)fail(r, line, "this comment has no end");
    return true;
}

/* Skips blanks, comments and joined lines; with `lines` also line ends. */
static void blanks(reader *r, bool lines) {
    while (r->at < r->end && !r->failed) {
        const size_t joined = joint(r);
        if (joined > 0) {
            r->at += joined;
            r->line++;
        } else if (*r->at == ' ' || *r->at == '\t' || *r->at == '\r' || *r->at == '\f') {
            r->at++;
        } else if (*r->at == '\n' && lines) {
            r->at++;
            r->line++;
        } else if (!comment(r)) {
            return;
        }
    }
}

static bool word_byte(char c) {
    const unsigned char u = (unsigned char)c;
    return u > ' ' && u != 127 && strchr("(){}:;,\"\\", c) == NULL;
}

/* A string without its quotes, appended to `out`. */
static bool string(reader *r, ls_text *out) {
    const size_t line = r->line;
    for (r->at++; r->at < r->end && *r->at != '"';) {
        const size_t joined = joint(r);
        if (joined > 0) {
            r->at += joined;
            r->line++;
            continue;
        }
        if (*r->at == '\0') return fail(r, r->line, "a byte 0 in a string");
        if (*r->at == '\\' && peek(r, 1) == '"') r->at++;
        r->line += *r->at == '\n';
        ls_text_put(out, r->at++, 1);
    }
    if (r->at == r->end) return fail(r, line, "this string has no end");
    r->at++;
    return true;
}

/* `( a, "b" c )` behind a name. */
static bool arguments(reader *r, ls_liberty_node *n) {
    const size_t line = r->line;
    r->at++;
    for (blanks(r, true); r->at < r->end && *r->at != ')' && !r->failed; blanks(r, true)) {
        ls_text text = {0};
        if (*r->at == ',') {
            r->at++;
            continue;
        }
        if (*r->at == '"') {
            (void)string(r, &text);
        } else {
            const char *from = r->at;
            while (r->at < r->end && (word_byte(*r->at) || *r->at == ':') &&
                   (*r->at != '/' || (peek(r, 1) != '*' && peek(r, 1) != '/')))
                r->at++;
            if (r->at == from) (void)fail(r, r->line, "%s: a name, a number or a string is expected between ( and )", n->name);
            ls_text_put(&text, from, (size_t)(r->at - from));
        }
        char *taken = ls_text_take(&text);
        if (!r->failed) ls_args_add(&n->args, "%s", taken);
        free(taken);
    }
    if (r->failed) return false;
    if (r->at == r->end) return fail(r, line, "%s: the ( has no )", n->name);
    r->at++;
    return true;
}

/* The value behind `name :`, up to ';', the line's end or '}'. */
static bool value(reader *r, ls_liberty_node *n) {
    r->at++;
    blanks(r, true);
    ls_text text = {0};
    bool quoted = false;
    while (r->at < r->end && !r->failed) {
        const char c = *r->at;
        if (c == ';' || c == '\n' || c == '}') break;
        if (c == '"') {
            quoted = true;
            (void)string(r, &text);
        } else if (c == '{' || c == '\0') {
            (void)fail(r, r->line, "%s: a value is expected behind ':'", n->name);
        } else if (c == ' ' || c == '\t' || c == '\r' || joint(r) > 0 || (c == '/' && (peek(r, 1) == '*' || peek(r, 1) == '/'))) {
            blanks(r, false);
            if (!quoted && text.size > 0) ls_text_put(&text, " ", 1);
        } else {
            ls_text_put(&text, r->at++, 1);
        }
    }
    while (!quoted && text.size > 0 && text.data[text.size - 1] == ' ') text.data[--text.size] = '\0';
    const bool empty = text.size == 0 && !quoted;
    n->value = ls_text_take(&text);
    if (r->failed) return false;
    if (r->at == r->end) return fail(r, n->line, "%s: the text ends in its value", n->name);
    if (empty) return fail(r, n->line, "%s: no value behind ':'", n->name);
    return true;
}

static bool statements(reader *r, ls_liberty_node *n, unsigned depth);

/* One statement, `n` zeroed before. */
static bool statement(reader *r, ls_liberty_node *n, unsigned depth) {
    const char *from = r->at;
    n->line = r->line;
    while (r->at < r->end && word_byte(*r->at)) r->at++;
    if (r->at == from) {
        const unsigned char c = (unsigned char)*from;
        return c > ' ' && c < 127 ? fail(r, r->line, "'%c' where the name of a group or an attribute is expected", c)
                                  : fail(r, r->line, "byte 0x%02x where the name of a group or an attribute is expected", c);
    }
    n->name = ls_format("%.*s", (int)(r->at - from), from);
    blanks(r, true);
    if (peek(r, 0) == ':') {
        if (!value(r, n)) return false;
    } else if (peek(r, 0) == '(') {
        if (!arguments(r, n)) return false;
        blanks(r, true);
        n->group = peek(r, 0) == '{';
    } else {
        return r->failed ? false : fail(r, n->line, "%s: ':' or '(' is expected behind it", n->name);
    }
    if (!n->group) return true;
    if (depth == LS_LIBERTY_DEPTH) return fail(r, n->line, "%s: groups are nested deeper than %u", n->name, LS_LIBERTY_DEPTH);
    r->at++;
    if (!statements(r, n, depth + 1)) return false;
    if (r->at == r->end) return fail(r, r->line, "the text ends in group %s, which begins in line %zu", n->name, n->line);
    r->at++;
    return true;
}

/* Statements up to a '}' or the end. */
static bool statements(reader *r, ls_liberty_node *n, unsigned depth) {
    for (;;) {
        blanks(r, true);
        if (r->failed) return false;
        if (peek(r, 0) == ';' && r->at < r->end) {
            r->at++;
            continue;
        }
        if (r->at == r->end || *r->at == '}') return true;
        n->children = ls_grow(n->children, n->child_count, sizeof *n->children);
        ls_liberty_node *child = &n->children[n->child_count++];
        *child = (ls_liberty_node){0};
        if (!statement(r, child, depth)) return false;
    }
}

int ls_liberty_parse(const char *path, const ls_text *text, ls_liberty_node *root, char *error, size_t size) {
    reader r = {.path = path, .line = 1, .error = error, .error_size = size};
    r.at = text->size > 0 ? text->data : "";
    r.end = r.at + text->size;
    *root = (ls_liberty_node){.line = 1, .group = true};
    if (statements(&r, root, 0) && r.at < r.end) (void)fail(&r, r.line, "a '}' too many");
    if (!r.failed) return 0;
    ls_liberty_node_free(root);
    return -1;
}

void ls_liberty_node_free(ls_liberty_node *n) {
    for (size_t i = 0; i < n->child_count; i++) ls_liberty_node_free(&n->children[i]);
    free(n->children);
    free(n->name);
    free(n->value);
    ls_args_free(&n->args);
    *n = (ls_liberty_node){0};
}

const ls_liberty_node *ls_liberty_child(const ls_liberty_node *n, const char *name) {
    for (size_t i = n->child_count; i-- > 0;)
        if (strcmp(n->children[i].name, name) == 0) return &n->children[i];
    return NULL;
}
