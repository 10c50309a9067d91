/* SPDX-License-Identifier: Apache-2.0 */
/* Map files read, and the parameters that follow from them. */
#include "harness/core/map.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/nearest.h"
#include "harness/core/config.h"
#include "harness/dut/dut.h"

#define BLANKS " \t\r\n"

/* The reader of a file; the first problem ends it. */
typedef struct reader {
    ls_map *map;
    unsigned line;
    char *error;
} reader;

static int wrong(reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int wrong(reader *r, const char *format, ...) {
    char text[512];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (r->error == NULL) r->error = ls_format("%s:%u: %s", r->map->path, r->line, text);
    return -1;
}

/* Without blanks around it. */
static char *trimmed(const char *from, size_t length) {
    while (length > 0 && strchr(BLANKS, *from) != NULL) from++, length--;
    while (length > 0 && strchr(BLANKS, from[length - 1]) != NULL) length--;
    return ls_format("%.*s", (int)length, from);
}

static bool is_word(const char *text) {
    if (!isalpha((unsigned char)*text) && *text != '_' && *text != '\\') return false;
    return text[strcspn(text, BLANKS "={}~,\"")] == '\0';
}

static void add_rule(reader *r, ls_rule_kind kind, char *left, char *right) {
    ls_map *m = r->map;
    m->rules = ls_grow(m->rules, m->rule_count, sizeof *m->rules);
    m->rules[m->rule_count++] = (ls_rule){kind, r->line, left, right};
}

/* "A = B" of `text` into two texts. -1: it is none, or a side is empty. */
static int split(reader *r, const char *text, const char *form, char **left, char **right) {
    const char *equal = strchr(text, '=');
    if (equal == NULL) return wrong(r, "expected %s", form);
    *left = trimmed(text, (size_t)(equal - text));
    *right = trimmed(equal + 1, strlen(equal + 1));
    if ((*left)[0] != '\0' && (*right)[0] != '\0') return 0;
    free(*left);
    free(*right);
    return wrong(r, "expected %s", form);
}

/* "top", "clock", "reset": NAME, and a word that may follow; what it stands in must not be said twice. */
static int take_name(reader *r, const char *keyword, const char *rest, const char *flag, const char *usual, char **name,
                     unsigned *line, bool *flagged) {
    char first[256] = "", second[32] = "", more[2] = "";
    const int words = sscanf(rest, "%255s %31s %1s", first, second, more);
    char form[64] = "";
    if (flag != NULL) (void)snprintf(form, sizeof form, " [%s|%s]", usual, flag);
    if (words < 1 || words > (flag == NULL ? 1 : 2) || !is_word(first)) return wrong(r, "expected %s NAME%s", keyword, form);
    if (words == 2 && strcmp(second, flag) != 0 && strcmp(second, usual) != 0)
        return wrong(r, "%s %s: expected %s or %s and not %s", keyword, first, usual, flag, second);
    if (*line != 0) return wrong(r, "%s is there twice: line %u says %s", keyword, *line, *name);
    *name = ls_copy(first);
    *line = r->line;
    if (flagged != NULL) *flagged = words == 2 && strcmp(second, flag) == 0;
    return 0;
}

static const ls_param *param_named(const ls_unit *unit, const char *name, size_t length) {
    for (size_t i = 0; i < unit->param_count; i++)
        if (strlen(unit->params[i].name) == length && strncmp(unit->params[i].name, name, length) == 0) return &unit->params[i];
    return NULL;
}

static int no_param(reader *r, const char *name) {
    ls_nearest near = {.word = name};
    for (size_t i = 0; i < r->map->unit->param_count; i++) ls_nearest_try(&near, r->map->unit->params[i].name);
    if (near.name != NULL) return wrong(r, "%s has no parameter %s: did you mean %s?", r->map->unit->name, name, near.name);
    return wrong(r, "%s has no parameter %s", r->map->unit->name, name);
}

/* ---- formulas over parameters ---- */

/* An unsigned formula with + - * / % << >>, brackets, numbers, parameters and $clog2(). */
typedef struct formula {
    const char *at;
    const ls_unit *unit;
    const void *cfg; /* NULL: only its form is of interest */
    const char *unknown;
    size_t unknown_length;
    bool wrong;
} formula;

static uint64_t level(formula *f, int depth, int least);

static void skip(formula *f) { f->at += strspn(f->at, BLANKS); }

static uint64_t factor(formula *f, int depth) {
    skip(f);
    char *end;
    if (depth > 32 || f->wrong) return f->wrong = true, 0;
    if (isdigit((unsigned char)*f->at)) {
        const uint64_t value = strtoull(f->at, &end, 10);
        f->at = end;
        return value;
    }
    const size_t n = strspn(f->at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$");
    const bool log = n == 6 && strncmp(f->at, "$clog2", n) == 0;
    if (n > 0 && !log) {
        const ls_param *p = param_named(f->unit, f->at, n);
        if (p == NULL && f->unknown == NULL) {
            f->unknown = f->at;
            f->unknown_length = n;
        }
        f->at += n;
        return p != NULL && f->cfg != NULL ? ls_config_get(p, f->cfg) : 1;
    }
    f->at += n;
    skip(f);
    if (*f->at != '(') return f->wrong = true, 0;
    f->at++;
    const uint64_t value = level(f, depth + 1, 0);
    skip(f);
    if (*f->at != ')') return f->wrong = true, 0;
    f->at++;
    if (!log) return value;
    uint64_t bits = 0;
    while (bits < 64 && UINT64_C(1) << bits < value) bits++;
    return bits;
}

static uint64_t level(formula *f, int depth, int least) {
    static const struct {
        const char *word;
        int rank;
    } operators[] = {{"<<", 0}, {">>", 0}, {"+", 1}, {"-", 1}, {"*", 2}, {"/", 2}, {"%", 2}};
    uint64_t value = factor(f, depth);
    for (;;) {
        skip(f);
        size_t k = 0;
        while (k < 7 && strncmp(f->at, operators[k].word, strlen(operators[k].word)) != 0) k++;
        if (k == 7 || operators[k].rank < least || f->wrong) return value;
        f->at += strlen(operators[k].word);
        const uint64_t other = level(f, depth, operators[k].rank + 1);
        if ((k == 5 || k == 6) && other == 0) return f->wrong = f->cfg != NULL, 0;
        value = k == 0   ? other < 64 ? value << other : 0
                : k == 1 ? other < 64 ? value >> other : 0
                : k == 2 ? value + other
                : k == 3 ? value - other
                : k == 4 ? value * other
                : k == 5 ? value / other
                         : value % other;
    }
}

static uint64_t evaluate(formula *f) {
    const uint64_t value = level(f, 0, 0);
    skip(f);
    f->wrong |= *f->at != '\0';
    return value;
}

/* Whether the formula speaks of the parameter. */
static bool mentions(const char *text, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = text; (at = strstr(at, name)) != NULL; at += n) {
        const bool begins = at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
        if (begins && !isalnum((unsigned char)at[n]) && at[n] != '_') return true;
    }
    return false;
}

static int take_param(reader *r, const char *rest) {
    char *left, *right;
    if (split(r, rest, "param THEIRS = FORMULA", &left, &right) != 0) return -1;
    formula f = {.at = right, .unit = r->map->unit};
    (void)evaluate(&f);
    int status = 0;
    if (!is_word(left)) status = wrong(r, "param %s: expected a name", left);
    else if (f.wrong)
        status = wrong(r, "param %s: \"%s\" is no formula of parameters, numbers and + - * / %% << >> $clog2()", left, right);
    else if (f.unknown != NULL) {
        char *name = ls_format("%.*s", (int)f.unknown_length, f.unknown);
        status = no_param(r, name);
        free(name);
    }
    for (size_t i = 0; i < r->map->rule_count && status == 0; i++)
        if (r->map->rules[i].kind == LS_RULE_PARAM && strcmp(r->map->rules[i].left, left) == 0)
            status = wrong(r, "param %s is there twice: in line %u, too", left, r->map->rules[i].line);
    add_rule(r, LS_RULE_PARAM, left, right);
    return status;
}

static int take_fixed(reader *r, const char *rest) {
    char name[256] = "", value[32] = "", more[2] = "";
    uint64_t number;
    if (sscanf(rest, "%255s %31s %1s", name, value, more) != 2 || !ls_whole_number(value, false, &number))
        return wrong(r, "expected fixed PARAMETER VALUE");
    if (param_named(r->map->unit, name, strlen(name)) == NULL) return no_param(r, name);
    add_rule(r, LS_RULE_FIXED, ls_copy(name), ls_copy(value));
    return 0;
}

static int take_tie(reader *r, const char *rest) {
    char *left, *right;
    uint64_t value;
    uint32_t bits;
    if (split(r, rest, "tie PORT = CONSTANT", &left, &right) != 0) return -1;
    add_rule(r, LS_RULE_TIE, left, right);
    if (!is_word(left)) return wrong(r, "tie %s: expected the name of a port", left);
    return ls_map_constant(right, &value, &bits) ? 0 : wrong(r, "tie %s: \"%s\" is no constant: 0, 4'b0101, 8'hff", left, right);
}

static int take_ignore(reader *r, const char *rest) {
    const char *quote = strchr(rest, '"'), *end = quote != NULL ? strrchr(quote + 1, '"') : NULL;
    if (end == NULL || end == quote + 1 || end[1 + strspn(end + 1, BLANKS)] != '\0')
        return wrong(r, "expected ignore NAME \"reason\"");
    char *name = trimmed(rest, (size_t)(quote - rest));
    const bool good = is_word(name);
    add_rule(r, LS_RULE_IGNORE, name, trimmed(quote + 1, (size_t)(end - quote - 1)));
    return good ? 0 : wrong(r, "expected ignore NAME \"reason\"");
}

/* A line without its comment and its blanks. */
static int take_line(reader *r, const char *line) {
    ls_map *m = r->map;
    const size_t n = strcspn(line, BLANKS);
    const char *rest = line + n + strspn(line + n, BLANKS);
    const char *const keywords[] = {"top", "clock", "reset", "param", "fixed", "tie", "ignore"};
    size_t k = 0;
    while (k < 7 && (strlen(keywords[k]) != n || strncmp(line, keywords[k], n) != 0)) k++;
    if (*rest == '=') k = 7; /* a field of that name */
    switch (k) {
    case 0:
        return take_name(r, "top", rest, NULL, NULL, &m->top, &m->top_line, NULL);
    case 1:
        return take_name(r, "clock", rest, "falling", "rising", &m->clock, &m->clock_line, &m->falling);
    case 2:
        return take_name(r, "reset", rest, "high", "low", &m->reset, &m->reset_line, &m->high);
    case 3:
        return take_param(r, rest);
    case 4:
        return take_fixed(r, rest);
    case 5:
        return take_tie(r, rest);
    case 6:
        return take_ignore(r, rest);
    default: {
        char *left, *right;
        if (split(r, line, "MODEL = EXPRESSION, or top, clock, reset, param, fixed, tie or ignore", &left, &right) != 0)
            return -1;
        add_rule(r, LS_RULE_IS, left, right);
        return 0;
    }
    }
}

/* What follows # outside of quotes is a comment. */
static void cut_comment(char *line) {
    bool quoted = false;
    for (; *line != '\0'; line++) {
        if (*line == '"') quoted = !quoted;
        if (*line == '#' && !quoted) *line = '\0';
        if (*line == '\0') return;
    }
}

static int read_file(reader *r) {
    ls_text text = {0};
    const int error = ls_text_read(&text, r->map->path);
    if (error != 0) {
        r->error = ls_format("%s: %s", r->map->path, strerror(-error));
        return -1;
    }
    ls_text_put(&text, "", 0);
    int status = 0;
    if (strlen(text.data) != text.size) {
        r->error = ls_format("%s: holds a NUL byte", r->map->path);
        status = -1;
    }
    for (char *at = text.data, *next; status == 0 && *at != '\0'; at = next) {
        const size_t n = strcspn(at, "\n");
        next = at + n + (at[n] == '\n');
        at[n] = '\0';
        r->line++;
        cut_comment(at);
        char *line = trimmed(at, strlen(at));
        if (line[0] != '\0') status = take_line(r, line);
        free(line);
    }
    free(text.data);
    return status;
}

const ls_unit *ls_map_unit(const ls_unit *unit, const char *path, char *error, size_t size) {
    static ls_unit **known; /* there to the end: cases and options point to them */
    static size_t count;
    const ls_unit *plain = unit->map != NULL ? unit->map->unit : unit;
    char *absolute = realpath(path, NULL);
    for (size_t i = 0; absolute != NULL && i < count; i++) {
        if (known[i]->map->unit != plain || strcmp(known[i]->map->path, absolute) != 0) continue;
        free(absolute);
        return known[i];
    }
    if (absolute == NULL) {
        (void)snprintf(error, size, "%s: %s", path, strerror(errno));
        return NULL;
    }
    ls_map *map = ls_zeroed(sizeof *map);
    *map = (ls_map){.unit = plain, .path = absolute};
    reader r = {.map = map};
    if (read_file(&r) != 0) {
        (void)snprintf(error, size, "%s", r.error);
        free(r.error);
        return NULL;
    }
    ls_unit *mapped = ls_zeroed(sizeof *mapped);
    *mapped = *plain;
    mapped->map = map;
    if (map->top_line != 0) mapped->names.top = map->top;
    if (map->clock_line != 0) mapped->names.clock = map->clock;
    if (map->clock_line != 0) mapped->names.falling = map->falling;
    if (map->reset_line != 0) mapped->names.reset = map->reset;
    if (map->reset_line != 0) mapped->names.reset_high = map->high;
    known = ls_grow(known, count, sizeof *known);
    return known[count++] = mapped;
}

int ls_map_params(const ls_unit *unit, const void *cfg, ls_args *names, ls_args *values, char **error) {
    const ls_map *map = unit->map;
    for (size_t i = 0; i < unit->param_count; i++) {
        const ls_param *p = &unit->params[i];
        const uint32_t value = ls_config_get(p, cfg);
        bool said = false;
        for (size_t k = 0; map != NULL && k < map->rule_count; k++) {
            const ls_rule *rule = &map->rules[k];
            uint64_t fixed = value;
            said |= rule->kind == LS_RULE_PARAM && mentions(rule->right, p->name);
            if (rule->kind != LS_RULE_FIXED || strcmp(rule->left, p->name) != 0) continue;
            said = true;
            (void)ls_whole_number(rule->right, false, &fixed);
            if (fixed == value) continue;
            *error = ls_format("%s:%u: %s is fixed at %" PRIu64 " in this RTL, and the run is of %u: --param %s=%" PRIu64,
                               map->path, rule->line, p->name, fixed, value, p->name, fixed);
            return -1;
        }
        if (said) continue;
        ls_args_add(names, "%s", p->name);
        ls_args_add(values, "%u", value);
    }
    for (size_t k = 0; map != NULL && k < map->rule_count; k++) {
        const ls_rule *rule = &map->rules[k];
        if (rule->kind != LS_RULE_PARAM) continue;
        formula f = {.at = rule->right, .unit = unit, .cfg = cfg};
        const uint64_t value = evaluate(&f);
        if (f.wrong || value > UINT32_MAX) {
            *error = ls_format("%s:%u: param %s: \"%s\" has no value of up to 32 bits here", map->path, rule->line, rule->left,
                               rule->right);
            return -1;
        }
        ls_args_add(names, "%s", rule->left);
        ls_args_add(values, "%" PRIu64, value);
    }
    return 0;
}

bool ls_map_constant(const char *text, uint64_t *value, uint32_t *bits) {
    const char *quote = strchr(text, '\'');
    *bits = 0;
    if (quote == NULL) return ls_whole_number(text, false, value);
    char *end;
    const char base = (char)tolower((unsigned char)quote[1]);
    const unsigned long width = strtoul(text, &end, 10);
    const int radix = base == 'b' ? 2 : base == 'o' ? 8 : base == 'd' ? 10 : base == 'h' ? 16 : 0;
    if (end != quote || end == text || width < 1 || width > 64 || radix == 0 || !isxdigit((unsigned char)quote[2])) return false;
    errno = 0;
    *value = strtoull(quote + 2, &end, radix);
    *bits = (uint32_t)width;
    return *end == '\0' && errno == 0 && (*value & ~ls_mask(*bits)) == 0;
}

void ls_map_apply(const ls_map *map, ls_fields *fields) {
    for (size_t i = 0; i < map->mapped_count; i++) {
        const ls_map_entry *m = &map->mapped[i];
        for (size_t k = 0; k < fields->count; k++) {
            ls_field *f = &fields->list[k];
            if (f->kind != m->of || strcmp(f->name, m->field) != 0) continue;
            free(f->rtl);
            f->rtl = m->rtl != NULL ? ls_copy(m->rtl) : NULL;
            f->absent |= m->absent;
            f->pieces = m->pieces;
            f->piece_count = m->piece_count;
        }
    }
    fields->spared = &map->spared;
}

const char *ls_map_tied(const ls_map *map, size_t i, uint64_t *value) {
    uint32_t bits;
    for (size_t k = 0; map != NULL && k < map->rule_count; k++) {
        if (map->rules[k].kind != LS_RULE_TIE || i-- > 0) continue;
        (void)ls_map_constant(map->rules[k].right, value, &bits);
        return map->rules[k].left;
    }
    return NULL;
}

void ls_map_tie(const ls_map *map, const struct ls_signal *signals, size_t count) {
    const char *port;
    uint64_t value;
    for (size_t i = 0; (port = ls_map_tied(map, i, &value)) != NULL; i++)
        for (size_t k = 0; k < count; k++)
            if (strcmp(signals[k].name, port) == 0)
                memcpy(signals[k].addr, &value, signals[k].stride < sizeof value ? signals[k].stride : sizeof value);
}

const char *ls_map_ignored(const ls_map *map, size_t i, const char **reason) {
    for (size_t k = 0; map != NULL && k < map->rule_count; k++) {
        if (map->rules[k].kind != LS_RULE_IGNORE || i-- > 0) continue;
        *reason = map->rules[k].right;
        return map->rules[k].left;
    }
    return NULL;
}
