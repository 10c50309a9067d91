/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/mutants/mutants_source.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/rng.h"

typedef enum token_kind { WORD, NUMBER, MARK, QUOTED } token_kind;

typedef struct token {
    token_kind kind;
    size_t at, size;
    unsigned line;
    size_t partner;  /* of a bracket: the other one's index */
    bool fixed;      /* is not to be changed */
    bool for_header; /* stands between the brackets of a for */
} token;

typedef struct scan {
    const char *source;
    token *list;
    size_t count;
    ls_change *changes;
    size_t change_count;
} scan;

static bool is(const scan *s, size_t i, const char *text) {
    return i < s->count && strlen(text) == s->list[i].size && strncmp(s->source + s->list[i].at, text, s->list[i].size) == 0;
}

static bool among(const scan *s, size_t i, const char *const *words) {
    for (; *words != NULL; words++)
        if (is(s, i, *words)) return true;
    return false;
}

/* The length of the mark at `p`: the longest that C has. */
static size_t mark_size(const char *p) {
    static const char *const marks[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
                                        "&&",  "||",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##", NULL};
    for (size_t i = 0; marks[i] != NULL; i++)
        if (strncmp(p, marks[i], strlen(marks[i])) == 0) return strlen(marks[i]);
    return 1;
}

static void add_token(scan *s, token_kind kind, size_t at, size_t size, unsigned line) {
    if ((s->count & (s->count - 1)) == 0) s->list = ls_resize(s->list, (s->count > 0 ? 2 * s->count : 1) * sizeof *s->list);
    s->list[s->count++] = (token){.kind = kind, .at = at, .size = size, .line = line};
}

/* The end of a string, of a comment, or of a preprocessor line with the lines that continue it. */
static size_t skip_quoted(const char *p, size_t i) {
    const char quote = p[i++];
    while (p[i] != '\0' && p[i] != quote) i += p[i] == '\\' && p[i + 1] != '\0' ? 2 : 1;
    return i + (p[i] != '\0');
}

static size_t skip_comment(const char *p, size_t i) {
    if (p[i + 1] == '/') return i + strcspn(p + i, "\n");
    const char *end = strstr(p + i + 2, "*/");
    return end == NULL ? strlen(p) : (size_t)(end - p) + 2;
}

static size_t skip_directive(const char *p, size_t i) {
    while (p[i] != '\0' && p[i] != '\n') i += p[i] == '\\' && p[i + 1] != '\0' ? 2 : 1;
    return i;
}

static void read_tokens(scan *s) {
    const char *p = s->source;
    unsigned line = 1;
    bool fresh = true; /* nothing but blanks in this line so far */
    for (size_t i = 0; p[i] != '\0';) {
        size_t end = i + 1;
        const bool comment = p[i] == '/' && (p[i + 1] == '/' || p[i + 1] == '*');
        if (p[i] == '\n' || isspace((unsigned char)p[i])) {
            fresh |= p[i] == '\n';
        } else if (comment || (p[i] == '#' && fresh)) {
            end = comment ? skip_comment(p, i) : skip_directive(p, i);
        } else {
            fresh = false;
            const token_kind kind = p[i] == '"' || p[i] == '\''                   ? QUOTED
                                    : isdigit((unsigned char)p[i])                ? NUMBER
                                    : isalpha((unsigned char)p[i]) || p[i] == '_' ? WORD
                                                                                  : MARK;
            if (kind == QUOTED) end = skip_quoted(p, i);
            else if (kind == MARK) end = i + mark_size(p + i);
            else
                while (isalnum((unsigned char)p[end]) || p[end] == '_' || (kind == NUMBER && p[end] == '.')) end++;
            add_token(s, kind, i, end - i, line);
        }
        for (; i < end; i++) line += p[i] == '\n';
    }
}

/* Finds the partners of brackets; false when they do not match. */
static bool pair_brackets(scan *s) {
    size_t *open = ls_alloc(s->count + 1, sizeof *open), depth = 0;
    bool good = true;
    for (size_t i = 0; i < s->count && good; i++) {
        const char c = s->list[i].kind == MARK && s->list[i].size == 1 ? s->source[s->list[i].at] : ' ';
        if (strchr("([{", c) != NULL) open[depth++] = i;
        else if (strchr(")]}", c) != NULL) {
            good = depth > 0;
            if (!good) break;
            s->list[i].partner = open[--depth];
            s->list[open[depth]].partner = i;
        }
    }
    free(open);
    return good && depth == 0;
}

static void add_change(scan *s, size_t from, size_t to, unsigned line, char *text, char *what) {
    size_t start = from;
    while (start > 0 && s->source[start - 1] != '\n') start--;
    s->changes = ls_resize(s->changes, (s->change_count + 1) * sizeof *s->changes);
    s->changes[s->change_count++] =
        (ls_change){.from = from, .to = to, .text = text, .line = line, .column = (unsigned)(from - start + 1), .what = what};
}

static void replace(scan *s, size_t i, const char *by) {
    const token *t = &s->list[i];
    add_change(s, t->at, t->at + t->size, t->line, ls_copy(by),
               *by == '\0' ? ls_format("%.*s left out", (int)t->size, s->source + t->at)
                           : ls_format("%.*s becomes %s", (int)t->size, s->source + t->at, by));
}

/* Whether the mark at `i` stands between two operands. */
static bool is_binary(const scan *s, size_t i) {
    static const char *const not_operands[] = {"return", "case", "sizeof", NULL};
    if (i == 0 || is(s, i + 1, ")") || is(s, i + 1, ",")) return false; /* "(type *)" */
    return (s->list[i - 1].kind == WORD && !among(s, i - 1, not_operands)) || s->list[i - 1].kind == NUMBER ||
           is(s, i - 1, ")") || is(s, i - 1, "]");
}

static void change_mark(scan *s, size_t i) {
    static const struct {
        const char *from, *to;
        bool binary; /* has another meaning with one operand */
    } rules[] = {{"<", "<=", false},    {"<", ">", false},    {">", ">=", false},  {">", "<", false},   {"<=", "<", false},
                 {">=", ">", false},    {"==", "!=", false},  {"!=", "==", false}, {"&&", "||", false}, {"||", "&&", false},
                 {"+", "-", true},      {"-", "+", true},     {"*", "+", true},    {"/", "*", false},   {"%", "*", false},
                 {"&", "|", true},      {"|", "&", false},    {"^", "|", false},   {"<<", ">>", false}, {">>", "<<", false},
                 {"+=", "-=", false},   {"-=", "+=", false},  {"|=", "&=", false}, {"&=", "|=", false}, {"^=", "|=", false},
                 {"<<=", ">>=", false}, {">>=", "<<=", false}};
    for (size_t r = 0; r < sizeof rules / sizeof rules[0]; r++)
        if (is(s, i, rules[r].from) && (!rules[r].binary || is_binary(s, i))) replace(s, i, rules[r].to);
    if (is(s, i, "!") || is(s, i, "~")) replace(s, i, "");
    if (!s->list[i].for_header && is(s, i, "++")) replace(s, i, "--");
    if (!s->list[i].for_header && is(s, i, "--")) replace(s, i, "++");
}

/* A whole number, one more. */
static void change_number(scan *s, size_t i) {
    char *text = ls_format("%.*s", (int)s->list[i].size, s->source + s->list[i].at), *end;
    const unsigned long long value = strtoull(text, &end, 0);
    if (strspn(end, "uUlL") == strlen(end)) {
        char *more = ls_format("%llu%s", value + 1, end);
        replace(s, i, more);
        free(more);
    }
    free(text);
}

/* if (a) -> if (!(a)) */
static void negate(scan *s, size_t i) {
    const token *open = &s->list[i + 1], *close = &s->list[open->partner];
    add_change(s, open->at + 1, close->at, s->list[i].line,
               ls_format("!(%.*s)", (int)(close->at - open->at - 1), s->source + open->at + 1), ls_copy("condition negated"));
}

/* Where the statement that begins at `i` ends: its ";". */
static size_t statement_end(const scan *s, size_t i) {
    while (i < s->count && !is(s, i, ";")) i = is(s, i, "(") || is(s, i, "[") || is(s, i, "{") ? s->list[i].partner + 1 : i + 1;
    return i;
}

static bool is_declaration(const scan *s, size_t i) {
    static const char *const words[] = {"const", "static", "struct", "enum",  "union",  "unsigned", "signed",   "int", "char",
                                        "short", "long",   "bool",   "float", "double", "size_t",   "volatile", NULL};
    if (s->list[i].kind != WORD) return false;
    if (among(s, i, words)) return true;
    size_t next = i + 1;
    while (is(s, next, "*")) next++;
    return next < s->count && s->list[next].kind == WORD &&
           (next == i + 1 || is(s, next + 1, "=") || is(s, next + 1, ";") || is(s, next + 1, ",")) && !is(s, i, "return") &&
           !is(s, i, "goto") && !is(s, i, "case") && !is(s, i, "else");
}

/* Nothing of a declaration is changed but what stands behind "=". */
static void fix_declaration(scan *s, size_t i) {
    for (; i < s->count && !is(s, i, ";") && !is(s, i, "="); i++) s->list[i].fixed = true;
}

/* Whether a message is made there: what it says is nobody's verdict. */
static bool is_message(const scan *s, size_t i, size_t end) {
    static const char *const words[] = {"snprintf", "fprintf", "ls_die", NULL};
    for (; i < end; i++)
        if (among(s, i, words)) return true;
    return false;
}

/* A statement begins at `i`. */
static void begin_statement(scan *s, size_t i) {
    static const char *const control[] = {"if",   "for",    "while", "do",       "switch", "case",           "default",
                                          "else", "return", "break", "continue", "goto",   "_Static_assert", "{",
                                          "}",    ";",      NULL};
    if (i >= s->count || among(s, i, control)) return;
    if (is_declaration(s, i)) {
        fix_declaration(s, i);
        return;
    }
    const size_t end = statement_end(s, i);
    if (end >= s->count || is(s, i + 1, ":")) return;
    if (is_message(s, i, end)) {
        for (size_t k = i; k < end; k++) s->list[k].fixed = true;
        return;
    }
    const size_t from = s->list[i].at, to = s->list[end].at;
    add_change(s, from, to, s->list[i].line, ls_copy(""),
               ls_format("\"%.*s;\" left out", (int)(to - from > 60 ? 60 : to - from), s->source + from));
}

/* The body of a function, from its "{". */
static void scan_body(scan *s, size_t open) {
    const size_t close = s->list[open].partner;
    for (size_t i = open; i < close; i++) {
        const bool header = is(s, i, "if") || is(s, i, "for") || is(s, i, "while") || is(s, i, "switch");
        if (header && is(s, i + 1, "(")) {
            const size_t end = s->list[i + 1].partner;
            if (is(s, i, "for")) {
                for (size_t k = i + 1; k < end; k++) s->list[k].for_header = true;
                if (is_declaration(s, i + 2)) fix_declaration(s, i + 2);
            }
            if (is(s, i, "if")) negate(s, i);
            begin_statement(s, end + 1);
        }
        if (s->list[i].for_header && !is(s, i, "{")) { /* its ";" begins no statement */
        } else if ((is(s, i, "{") && !is(s, i - 1, "=") && !is(s, i - 1, ",")) || is(s, i, "}") || is(s, i, ";") ||
                   is(s, i, "else") || is(s, i, "do")) {
            begin_statement(s, i + 1);
        }
        if (s->list[i].fixed) continue;
        if (s->list[i].kind == MARK) change_mark(s, i);
        if (s->list[i].kind == NUMBER) change_number(s, i);
    }
}

static bool ends_with(const scan *s, size_t i, const char *end) {
    const size_t n = strlen(end);
    return s->list[i].size >= n && strncmp(s->source + s->list[i].at + s->list[i].size - n, end, n) == 0;
}

size_t ls_changes_find(const char *source, ls_change **list) {
    scan s = {.source = source};
    read_tokens(&s);
    const bool whole = pair_brackets(&s);
    for (size_t i = 0; whole && i < s.count; i++) {
        if (!is(&s, i, "{")) continue;
        const bool function = i > 0 && is(&s, i - 1, ")") && s.list[i - 1].partner > 0;
        const size_t name = function ? s.list[i - 1].partner - 1 : 0;
        if (function && s.list[name].kind == WORD && !ends_with(&s, name, "_check") && !ends_with(&s, name, "_init"))
            scan_body(&s, i);
        if (i == 0 || s.list[i - 1].kind != QUOTED) i = s.list[i].partner; /* extern "C" { holds functions */
    }
    free(s.list);
    *list = s.changes;
    return s.change_count;
}

void ls_changes_free(ls_change *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(list[i].text);
        free(list[i].what);
    }
    free(list);
}

static int by_place(const void *a, const void *b) {
    const ls_change *x = a, *y = b;
    if (x->file != y->file) return (x->file > y->file) - (x->file < y->file);
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from) : strcmp(x->text, y->text);
}

size_t ls_changes_draw(ls_change *list, size_t count, size_t keep, uint64_t seed) {
    ls_rng rng;
    ls_rng_seed(&rng, seed);
    if (keep > count) keep = count;
    for (size_t i = 0; i < keep; i++) { /* the first of a shuffle */
        const size_t other = i + ls_rng_below(&rng, (uint32_t)(count - i));
        const ls_change c = list[i];
        list[i] = list[other];
        list[other] = c;
    }
    for (size_t i = keep; i < count; i++) {
        free(list[i].text);
        free(list[i].what);
    }
    if (keep > 1) qsort(list, keep, sizeof *list, by_place);
    return keep;
}

char *ls_change_apply(const char *source, const ls_change *c) {
    return ls_format("%.*s%s%s", (int)c->from, source, c->text, source + c->to);
}
