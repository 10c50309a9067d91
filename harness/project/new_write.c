/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a unit that was found in a module: they compile, and the model is still to be written. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/root.h"
#include "harness/project/new_module.h"

#define BINS_MAX 64u

typedef struct writer {
    ls_module *m;
    const char *unit, *group; /* group NULL: of a project */
    ls_args *todo;
    const char *in_suffix, *out_suffix;
    uint32_t *low, *high, *standard; /* the least, the largest and the default value of each parameter */
} writer;

static char *path_of(const writer *w, ls_new_part part) { return ls_new_path(part, w->unit, w->group); }

/* What stands first in a file: the tree's own have their licence there; a project's is its owner's. */
static const char *licence(const writer *w) { return w->group != NULL ? "/* SPDX-License-Identifier: Apache-2.0 */\n" : ""; }

/* ---- names ---- */

bool ls_new_is_keyword(const char *word) {
    static const char *const words[] = {
        "auto",   "break",  "case",   "char",   "const",  "continue", "default", "do",    "double",   "else",     "enum",
        "extern", "float",  "for",    "goto",   "if",     "inline",   "int",     "long",  "register", "restrict", "return",
        "short",  "signed", "sizeof", "static", "struct", "switch",   "typedef", "union", "unsigned", "void",     "volatile",
        "while",  "bool",   "true",   "false",  "cfg",    "asm",      "typeof",  "unix",  "linux"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0) return true;
    return false;
}

static bool is_taken(const ls_module *m, size_t count, const char *name, ls_kind kind) {
    for (size_t i = 0; i < count; i++) {
        const bool state = m->signals[i].kind == LS_STATE || m->signals[i].kind == LS_MEMORY;
        const bool same = m->signals[i].kind == kind || (state && (kind == LS_STATE || kind == LS_MEMORY));
        if (same && strcmp(m->signals[i].member, name) == 0) return true;
    }
    return false;
}

/* A name in C for one of the RTL, "gen[3].u_x.q" -> gen_3_u_x_q, that none of the `count` signals before it has in the same
 * struct; to be freed. */
static char *c_name(const ls_module *m, size_t count, const char *rtl, size_t length, ls_kind kind) {
    ls_text text = {0};
    if (isdigit((unsigned char)rtl[0])) ls_text_put(&text, "_", 1);
    for (size_t i = 0; i < length; i++) {
        const bool plain = isalnum((unsigned char)rtl[i]) || rtl[i] == '_';
        if (plain) ls_text_put(&text, rtl + i, 1);
        else if (rtl[i] != ']') ls_text_put(&text, "_", 1);
    }
    while (ls_new_is_keyword(text.data) || is_taken(m, count, text.data, kind)) ls_text_put(&text, "_", 1);
    return ls_text_take(&text);
}

static bool has_end(const char *name, const char *end) {
    const size_t n = strlen(name), k = strlen(end);
    return n > k && strcmp(name + n - k, end) == 0;
}

/* Whether all ports have _i and _o behind them, as ours. */
static bool has_suffixes(const ls_module *m) {
    for (size_t i = 0; i < m->signal_count; i++) {
        const ls_new_signal *s = &m->signals[i];
        if ((s->kind == LS_IN && !has_end(s->rtl, "_i")) || (s->kind == LS_OUT && !has_end(s->rtl, "_o"))) return false;
    }
    return true;
}

static const char *suffix_of(const writer *w, const ls_new_signal *s) {
    return s->kind == LS_IN ? w->in_suffix : s->kind == LS_OUT ? w->out_suffix : "";
}

static void name_signals(const writer *w) {
    for (size_t i = 0; i < w->m->signal_count; i++) {
        ls_new_signal *s = &w->m->signals[i];
        s->member = c_name(w->m, i, s->rtl, strlen(s->rtl) - strlen(suffix_of(w, s)), s->kind);
    }
}

static char *lower(const char *name) {
    char *copy = ls_copy(name);
    for (char *c = copy; *c != '\0'; c++) *c = (char)tolower((unsigned char)*c);
    return copy;
}

/* ---- widths ---- */

static void put_term(const writer *w, const ls_term *t, const char *param, bool bracket, ls_text *to) {
    char *name = lower(param);
    const bool sum = bracket && t->plus != 0;
    if (sum) ls_text_add(to, "(");
    if (t->factor != 1) ls_text_add(to, "%lld * ", (long long)t->factor);
    if (t->shape == LS_SHAPE_LINEAR) ls_text_add(to, "cfg->%s", name);
    else if (t->shape == LS_SHAPE_POWER) ls_text_add(to, "(1u << cfg->%s)", name);
    else ls_text_add(to, "%s_log2(cfg->%s%s)", w->unit, name, t->shape == LS_SHAPE_LOG_NEXT ? " + 1" : "");
    if (t->plus != 0) ls_text_add(to, " %c %lld", t->plus > 0 ? '+' : '-', (long long)(t->plus > 0 ? t->plus : -t->plus));
    if (sum) ls_text_add(to, ")");
    free(name);
}

/* The width as an expression of C, without the term `but` (SIZE_MAX: with all). To be freed. */
static char *expression(const writer *w, const ls_width *width, size_t but) {
    ls_text text = {0};
    const bool product = width->product;
    for (size_t i = 0; i < w->m->param_count && width->terms != NULL; i++) {
        if (width->terms[i].shape == LS_SHAPE_CONSTANT || i == but) continue;
        if (text.size > 0) ls_text_add(&text, product ? " * " : " + ");
        put_term(w, &width->terms[i], w->m->params[i].name, product, &text);
    }
    if (text.size == 0) ls_text_add(&text, "%lld", (long long)width->base);
    else if (product && width->base != 1) ls_text_add(&text, " * %lld", (long long)width->base);
    else if (!product && width->base != 0)
        ls_text_add(&text, " %c %lld", width->base > 0 ? '+' : '-', (long long)(width->base > 0 ? width->base : -width->base));
    return ls_text_take(&text);
}

static uint32_t largest(const writer *w, const ls_width *width) {
    const int64_t a = ls_width_at(width, w->high, w->m->param_count), b = ls_width_at(width, w->low, w->m->param_count);
    return (uint32_t)(a > b ? a : b);
}

/* How a signal lies in the model: `count` elements of `bits` bits, both expressions; each has `words` uint64_t, or is of a type
 * of `size` bits. */
typedef struct layout {
    char *bits, *count;
    uint32_t widest, room; /* bits of an element and elements of the member, at most */
    unsigned size;         /* 8 .. 64 */
    uint32_t words;        /* 1, or more of 64 bits */
} layout;

/* Whether a parameter is called as a width is. */
static bool says_width(const char *name) {
    char *small = lower(name);
    const bool width = strstr(small, "width") != NULL || strstr(small, "bits") != NULL || small[0] == 'w' || has_end(small, "w");
    free(small);
    return width;
}

/* A factor of a wide vector that can be its element: [ROWS-1:0][W-1:0] is ROWS elements of W bits. Its size alone does not say
 * which of them it is: one that is called a width, or else the first. SIZE_MAX: there is none. */
static size_t element_factor(const writer *w, const ls_width *width) {
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < w->m->param_count && width->product && width->terms != NULL; i++) {
        if (width->terms[i].shape == LS_SHAPE_CONSTANT || ls_term_at(&width->terms[i], w->high[i]) > 64) continue;
        if (says_width(w->m->params[i].name)) return i;
        if (found == SIZE_MAX) found = i;
    }
    return found;
}

/* Whether a vector is `*bits` bits for each of a parameter, as [ROWS-1:0] of a struct: its number, or SIZE_MAX. */
static size_t row_factor(const writer *w, const ls_width *width, uint32_t *bits) {
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < w->m->param_count && width->terms != NULL; i++) {
        const ls_term *t = &width->terms[i];
        if (t->shape == LS_SHAPE_CONSTANT) continue;
        if (found != SIZE_MAX || t->shape != LS_SHAPE_LINEAR || t->plus != 0) return SIZE_MAX;
        const int64_t all = width->product ? width->base * t->factor : t->factor;
        if (all < 2 || all > 64 || (!width->product && width->base != 0)) return SIZE_MAX;
        *bits = (uint32_t)all;
        found = i;
    }
    return found;
}

static layout layout_of(const writer *w, const ls_new_signal *s) {
    layout l = {.widest = largest(w, &s->bits), .room = largest(w, &s->count), .words = 1};
    const size_t factor = s->kind != LS_MEMORY && l.widest > 64 && l.room == 1 ? element_factor(w, &s->bits) : SIZE_MAX;
    uint32_t row = 0;
    const size_t rows = s->kind != LS_MEMORY && l.widest > 64 && l.room == 1 ? row_factor(w, &s->bits, &row) : SIZE_MAX;
    if (rows != SIZE_MAX) {
        char *name = lower(w->m->params[rows].name);
        l.bits = ls_format("%u", row);
        l.count = ls_format("cfg->%s", name);
        l.room = l.widest / row;
        l.widest = row;
        free(name);
    } else if (factor != SIZE_MAX) {
        ls_text bits = {0};
        const uint32_t element = (uint32_t)ls_term_at(&s->bits.terms[factor], w->high[factor]);
        put_term(w, &s->bits.terms[factor], w->m->params[factor].name, false, &bits);
        l.bits = ls_text_take(&bits);
        l.count = expression(w, &s->bits, factor);
        l.room = l.widest / element;
        l.widest = element;
    } else if (l.widest > LS_ELEMENT_BITS && l.room == 1 && s->bits.terms == NULL) {
        uint32_t element = 64;
        while (l.widest % element != 0) element--;
        l.bits = ls_format("%u", element);
        l.count = ls_format("%u", l.widest / element);
        l.room = l.widest / element;
        l.widest = element;
    } else {
        l.bits = expression(w, &s->bits, SIZE_MAX);
        l.count = expression(w, &s->count, SIZE_MAX);
    }
    l.size = l.widest <= 8 ? 8 : l.widest <= 16 ? 16 : l.widest <= 32 ? 32 : 64;
    if (l.widest > 64) l.words = (l.widest + 63) / 64;
    return l;
}

static void free_layout(layout *l) {
    free(l->bits);
    free(l->count);
}

static bool is_array(const layout *l) { return l->room > 1 || l->words > 1; }

/* ---- records ---- */

static bool is_record(const ls_new_signal *s) { return s->parts.count > 0; }

/* The name in C of a signal's struct, which all signals of its type share; to be freed. */
static char *record_type(const writer *w, const ls_new_signal *s) {
    const ls_new_signal *first = w->m->signals;
    while (!is_record(first) || first->parts.type != s->parts.type) first++;
    bool taken = false;
    for (const ls_new_signal *o = w->m->signals; o < first; o++)
        taken |= is_record(o) && strcmp(o->member, first->member) == 0 && o->parts.type != first->parts.type;
    return ls_format("%s_%s_%st", w->unit, first->member, taken ? "state_" : "");
}

/* A member of it, as a signal by itself. */
static layout part_layout(const writer *w, const ls_new_member *p) {
    layout l = {.widest = largest(w, &p->bits), .room = largest(w, &p->count), .words = 1};
    l.bits = expression(w, &p->bits, SIZE_MAX);
    l.count = expression(w, &p->count, SIZE_MAX);
    l.size = l.widest <= 8 ? 8 : l.widest <= 16 ? 16 : l.widest <= 32 ? 32 : 64;
    return l;
}

/* The structs of all records, each once. */
static void put_record_types(const writer *w, ls_text *to) {
    bool any = false;
    for (size_t i = 0; i < w->m->signal_count; i++) {
        const ls_new_signal *s = &w->m->signals[i];
        bool again = !is_record(s);
        for (size_t k = 0; k < i; k++) again |= is_record(&w->m->signals[k]) && w->m->signals[k].parts.type == s->parts.type;
        if (again) continue;
        if (!any) ls_text_add(to, "/* Packed structs of the RTL. */\n");
        any = true;
        char *type = record_type(w, s);
        ls_text_add(to, "typedef struct %s {\n", type);
        for (size_t k = 0; k < s->parts.count; k++) {
            const ls_new_member *p = &s->parts.list[k];
            layout l = part_layout(w, p);
            char *array = l.room > 1 ? ls_format("[%u]", l.room) : ls_copy("");
            char *many = l.room > 1 ? ls_format("%s of ", l.count) : ls_copy("");
            ls_text_add(to, "    uint%u_t %s%s; /* %s%s bit%s */\n", l.size, p->name, array, many, l.bits,
                        strcmp(l.bits, "1") == 0 ? "" : "s");
            free(array);
            free(many);
            free_layout(&l);
        }
        ls_text_add(to, "} %s;\n\n", type);
        free(type);
    }
}

/* ---- the field list ---- */

static const char *text_of(const ls_new_signal *s) { return s->kind != LS_STATE ? "port" : s->latch ? "latch" : "register"; }

static void list_record(const writer *w, const ls_new_signal *s, const char *exact, ls_text *to) {
    static const char *const kinds[] = {"IN", "OUT", "STATE"};
    char *type = record_type(w, s), *count = expression(w, &s->parts.records, SIZE_MAX);
    ls_text_add(to, "RECORD(%s, %s, %s, %s, \"%s %s\"%s)\n", kinds[s->kind], s->member, type, count, text_of(s), s->rtl, exact);
    for (size_t i = 0; i < s->parts.count; i++) {
        layout l = part_layout(w, &s->parts.list[i]);
        ls_text_add(to, "MEMBER(%s, %s, %s, %s, \"%s\")\n", type, s->parts.list[i].name, l.bits, l.count, s->parts.list[i].name);
        free_layout(&l);
    }
    free(type);
    free(count);
}

static void list_signal(const writer *w, const ls_new_signal *s, ls_text *to) {
    static const char *const kinds[] = {"IN", "OUT", "STATE", "STATE"};
    layout l = layout_of(w, s);
    const size_t stem = strlen(s->rtl) - strlen(suffix_of(w, s));
    const bool renamed = strlen(s->member) != stem || strncmp(s->member, s->rtl, stem) != 0;
    char *path = path_of(w, LS_NEW_LIST);
    char *exact = renamed ? ls_format(", \"%s\"", s->rtl) : ls_copy("");
    bool unknown = s->bits.unknown || s->count.unknown;
    if (is_record(s)) unknown = s->parts.records.unknown;
    for (size_t i = 0; i < s->parts.count; i++) unknown |= s->parts.list[i].bits.unknown || s->parts.list[i].count.unknown;
    if (unknown) {
        ls_text_add(
            to,
            "/* TODO: the width of %s changes with a parameter, and not in a way that was found: %u x %u at the defaults */\n",
            s->rtl, s->count.standard, s->bits.standard);
        ls_args_add(w->todo, "%s: %s: say how wide it is at other parameters", path, s->rtl);
    }
    if (is_record(s)) {
        list_record(w, s, exact, to);
    } else if (s->kind == LS_MEMORY) {
        ls_text_add(to, "MEMORY(%s, %s, %s, none, none, \"memory %s\"%s)\n", s->member, l.bits, l.count, s->rtl, exact);
        ls_args_add(w->todo, "%s: %s is taken for a memory without reset; if it has one: FIELD(STATE, %s, %s, %s, \"...\"%s)",
                    path, s->rtl, s->member, l.bits, l.count, exact);
    } else {
        ls_text_add(to, "FIELD(%s, %s, %s, %s, \"%s %s\"%s)\n", kinds[s->kind], s->member, l.bits, l.count, text_of(s), s->rtl,
                    exact);
    }
    free(path);
    free(exact);
    free_layout(&l);
}

static char *list_text(const writer *w) {
    const ls_module *m = w->m;
    ls_text text = {0};
    char *path = path_of(w, LS_NEW_LIST);
    ls_text_add(&text, "%s/* What of %s is compared: every port and register. Lines as harness/core/field.h says. */\n",
                licence(w), m->name);
    if (strcmp(m->name, w->unit) != 0) ls_text_add(&text, "TOP(%s)\n", m->name);
    if (m->clock != NULL && strcmp(m->clock, "clk_i") != 0) ls_text_add(&text, "CLOCK(%s)\n", m->clock);
    if (m->reset != NULL && (strcmp(m->reset, "rst_ni") != 0 || m->reset_high))
        ls_text_add(&text, "RESET(%s, %s)\n", m->reset, m->reset_high ? "HIGH" : "LOW");
    if (m->reset_guess != NULL)
        ls_args_add(w->todo, "%s: RESET(%s, %s) is a guess: %s", path, m->reset, m->reset_high ? "HIGH" : "LOW", m->reset_guess);
    if (w->in_suffix[0] == '\0') ls_text_add(&text, "SUFFIXES(\"\", \"\")\n");
    for (size_t i = 0; i < m->param_count; i++) {
        const ls_new_param *p = &m->params[i];
        char *name = lower(p->name);
        ls_text_add(&text, "PARAM(%s, %s, %u, %u, %u, \"parameter %s\")\n", p->name, name, p->standard, p->min, p->max, p->name);
        free(name);
        if (p->min == p->max)
            ls_args_add(w->todo,
                        "%s: parameter %s stays at %u: at other values the module has other registers, or none elaborates, or "
                        "they are too large to be tried",
                        path, p->name, p->standard);
    }
    for (size_t i = 0; i < m->signal_count; i++) list_signal(w, &m->signals[i], &text);
    free(path);
    return ls_text_take(&text);
}

/* ---- the model ---- */

static void put_record(const writer *w, const ls_new_signal *s, ls_text *to) {
    char *type = record_type(w, s), *count = expression(w, &s->parts.records, SIZE_MAX);
    const uint32_t room = largest(w, &s->parts.records);
    if (room > 1) ls_text_add(to, "    %s %s[%u]; /* %s: %s */\n", type, s->member, room, s->rtl, count);
    else ls_text_add(to, "    %s %s; /* %s */\n", type, s->member, s->rtl);
    free(type);
    free(count);
}

static void put_member(const writer *w, const ls_new_signal *s, ls_text *to) {
    if (is_record(s)) {
        put_record(w, s, to);
        return;
    }
    layout l = layout_of(w, s);
    char *array = is_array(&l) ? ls_format("[%u]", l.room * l.words) : ls_copy("");
    ls_text_add(to, "    uint%u_t %s%s; /* %s", l.size, s->member, array, s->rtl);
    if (l.room > 1) ls_text_add(to, ": %s of %s bit%s", l.count, l.bits, strcmp(l.bits, "1") == 0 ? "" : "s");
    else ls_text_add(to, ": %s bit%s", l.bits, strcmp(l.bits, "1") == 0 ? "" : "s");
    if (l.words > 1) ls_text_add(to, ", each in whole words, the low one first");
    ls_text_add(to, " */\n");
    free(array);
    free_layout(&l);
}

/* A struct cannot be empty. */
static void put_struct(const writer *w, const char *end, ls_kind kind, ls_text *to) {
    size_t members = 0;
    ls_text_add(to, "typedef struct %s%s {\n", w->unit, end);
    if (kind == LS_STATE) ls_text_add(to, "    %s_cfg cfg;\n", w->unit);
    for (size_t i = 0; i < w->m->signal_count; i++) {
        const ls_new_signal *s = &w->m->signals[i];
        if (s->kind != kind && !(kind == LS_STATE && s->kind == LS_MEMORY)) continue;
        put_member(w, s, to);
        members++;
    }
    if (members == 0 && kind != LS_STATE) ls_text_add(to, "    uint8_t none;\n");
    ls_text_add(to, "} %s%s;\n\n", w->unit, end);
}

static bool is_log(const ls_width *width, size_t params) {
    bool log = false;
    for (size_t i = 0; i < params && width->terms != NULL; i++)
        log |= width->terms[i].shape == LS_SHAPE_LOG || width->terms[i].shape == LS_SHAPE_LOG_NEXT;
    return log;
}

static bool needs_log(const ls_module *m) {
    bool log = false;
    for (size_t i = 0; i < m->signal_count; i++) {
        const ls_new_signal *s = &m->signals[i];
        log |= is_log(&s->bits, m->param_count) || is_log(&s->count, m->param_count) || is_log(&s->parts.records, m->param_count);
        for (size_t k = 0; k < s->parts.count; k++)
            log |= is_log(&s->parts.list[k].bits, m->param_count) || is_log(&s->parts.list[k].count, m->param_count);
    }
    return log;
}

static char *header_text(const writer *w) {
    const char *u = w->unit;
    ls_text text = {0};
    char *guard = ls_format("%s_H", u);
    for (char *c = guard; *c != '\0'; c++) *c = (char)toupper((unsigned char)*c);
    ls_text_add(&text,
                "%s/* The model of %s: what its RTL does, cycle by cycle and bit by bit. */\n#ifndef %s\n#define %s\n\n#include "
                "<stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
                licence(w), w->m->name, guard, guard);
    if (needs_log(w->m))
        ls_text_add(&text,
                    "/* $clog2 */\nstatic inline uint32_t %s_log2(uint32_t n) {\n    uint32_t bits = 0;\n"
                    "    while ((UINT64_C(1) << bits) < n) bits++;\n    return bits;\n}\n\n",
                    u);
    ls_text_add(&text, "/* The RTL's parameters. */\ntypedef struct %s_cfg {\n", u);
    for (size_t i = 0; i < w->m->param_count; i++) {
        char *name = lower(w->m->params[i].name);
        ls_text_add(&text, "    uint32_t %s; /* %u to %u */\n", name, w->m->params[i].min, w->m->params[i].max);
        free(name);
    }
    if (w->m->param_count == 0) ls_text_add(&text, "    uint32_t none;\n");
    ls_text_add(&text, "} %s_cfg;\n\n", u);
    put_record_types(w, &text);
    ls_text_add(&text, "/* The ports. */\n");
    put_struct(w, "_in", LS_IN, &text);
    put_struct(w, "_out", LS_OUT, &text);
    ls_text_add(&text, "/* The registers. */\n");
    put_struct(w, "", LS_STATE, &text);
    ls_text_add(&text,
                "/* NULL, or the parameter that is out of range and its range. */\nconst char *%s_check(const %s_cfg *cfg);\n"
                "/* Takes `cfg` and resets: 0, or -1 for what check refuses. */\nint %s_init(%s *m, const %s_cfg *cfg);\n"
                "void %s_reset(%s *m);\n/* The outputs of this cycle. */\n"
                "void %s_comb(const %s *m, const %s_in *in, %s_out *out);\n/* The rising edge of the clock. */\n"
                "void %s_clock(%s *m, const %s_in *in);\n\n#ifdef __cplusplus\n}\n#endif\n#endif\n",
                u, u, u, u, u, u, u, u, u, u, u, u, u, u);
    free(guard);
    return ls_text_take(&text);
}

static void put_check(const writer *w, ls_text *to) {
    ls_text_add(to, "const char *%s_check(const %s_cfg *cfg) {\n", w->unit, w->unit);
    if (w->m->param_count == 0) ls_text_add(to, "    (void)cfg;\n");
    for (size_t i = 0; i < w->m->param_count; i++) {
        const ls_new_param *p = &w->m->params[i];
        char *n = lower(p->name), *below = p->min > 0 ? ls_format("cfg->%s < %u || ", n, p->min) : ls_copy("");
        ls_text_add(to, "    if (%scfg->%s > %u) return \"%s must be %u to %u\";\n", below, n, p->max, p->name, p->min, p->max);
        if (p->powers)
            ls_text_add(to, "    if ((cfg->%s & (cfg->%s - 1)) != 0) return \"%s must be a power of two, %u to %u\";\n", n, n,
                        p->name, p->min, p->max);
        free(n);
        free(below);
    }
    ls_text_add(to, "    return NULL;\n}\n\n");
}

static char *model_text(const writer *w) {
    const char *u = w->unit;
    ls_text text = {0};
    char *header = path_of(w, LS_NEW_HEADER);
    ls_text_add(&text, "%s#include \"%s\"\n\n#include <stddef.h>\n#include <string.h>\n\n", licence(w), header);
    free(header);
    put_check(w, &text);
    ls_text_add(
        &text,
        "int %s_init(%s *m, const %s_cfg *cfg) {\n    if (%s_check(cfg) != NULL) return -1;\n    memset(m, 0, sizeof *m);\n"
        "    m->cfg = *cfg;\n    %s_reset(m);\n    return 0;\n}\n\n",
        u, u, u, u, u);
    ls_text_add(
        &text,
        "/* TODO: the values after a reset, where they are not 0. A memory keeps what is in it. */\nvoid %s_reset(%s *m) {\n", u,
        u);
    size_t registers = 0;
    for (size_t i = 0; i < w->m->signal_count; i++) {
        const ls_new_signal *s = &w->m->signals[i];
        if (s->kind != LS_STATE) continue;
        layout l = layout_of(w, s);
        const bool record = is_record(s), many = record ? largest(w, &s->parts.records) > 1 : is_array(&l);
        if (record || many) ls_text_add(&text, "    memset(%sm->%s, 0, sizeof m->%s);\n", many ? "" : "&", s->member, s->member);
        else ls_text_add(&text, "    m->%s = 0;\n", s->member);
        free_layout(&l);
        registers++;
    }
    if (registers == 0) ls_text_add(&text, "    (void)m;\n");
    ls_text_add(
        &text,
        "}\n\n/* TODO: the outputs, from the registers and the inputs. */\nvoid %s_comb(const %s *m, const %s_in *in, %s_out "
        "*out) {\n    (void)m;\n    (void)in;\n    memset(out, 0, sizeof *out);\n",
        u, u, u, u);
    for (size_t i = 0; i < w->m->signal_count; i++) {
        const ls_new_signal *s = &w->m->signals[i];
        if (!s->behind_port || s->kind == LS_MEMORY) continue;
        for (size_t k = 0; k < w->m->signal_count; k++) {
            const ls_new_signal *o = &w->m->signals[k];
            if (o->kind == LS_OUT && strcmp(o->rtl, s->rtl) == 0) {
                layout l = layout_of(w, o);
                if (is_record(o) ? largest(w, &o->parts.records) > 1 : is_array(&l))
                    ls_text_add(&text, "    memcpy(out->%s, m->%s, sizeof out->%s);\n", o->member, s->member, o->member);
                else ls_text_add(&text, "    out->%s = m->%s;\n", o->member, s->member);
                free_layout(&l);
            }
        }
    }
    ls_text_add(&text,
                "}\n\n/* TODO: what becomes of each register at the edge. */\nvoid %s_clock(%s *m, const %s_in *in) {\n    "
                "(void)m;\n    (void)in;\n}\n",
                u, u, u);
    return ls_text_take(&text);
}

/* ---- the bench ---- */

static bool is_bit(const ls_new_signal *s) {
    return s->bits.standard == 1 && s->count.standard == 1 && s->bits.terms == NULL && s->count.terms == NULL;
}

/* Also where the terms are all constant. */
static bool is_single(const writer *w, const ls_new_signal *s) {
    return !is_record(s) && (is_bit(s) || (largest(w, &s->bits) == 1 && largest(w, &s->count) == 1));
}

static void put_input_record(const writer *w, const ls_new_signal *s, ls_text *to) {
    const bool many = largest(w, &s->parts.records) > 1;
    char *count = expression(w, &s->parts.records, SIZE_MAX), *each = ls_format("in->%s%s", s->member, many ? "[i]" : "");
    const char *deeper = many ? "    " : "";
    if (many) ls_text_add(to, "    for (uint32_t i = 0; i < %s; i++) {\n", count);
    for (size_t k = 0; k < s->parts.count; k++) {
        layout l = part_layout(w, &s->parts.list[k]);
        const char *n = s->parts.list[k].name;
        if (l.room > 1)
            ls_text_add(to, "    %sfor (uint32_t k = 0; k < %s; k++) %s.%s[k] = (uint%u_t)ls_rng_value(&s->rng, %s);\n", deeper,
                        l.count, each, n, l.size, l.bits);
        else ls_text_add(to, "    %s%s.%s = (uint%u_t)ls_rng_value(&s->rng, %s);\n", deeper, each, n, l.size, l.bits);
        free_layout(&l);
    }
    if (many) ls_text_add(to, "    }\n");
    free(count);
    free(each);
}

static void put_input(const writer *w, const ls_new_signal *s, ls_text *to) {
    if (is_record(s)) {
        put_input_record(w, s, to);
        return;
    }
    layout l = layout_of(w, s);
    const char *n = s->member;
    if (is_single(w, s)) {
        ls_text_add(to, "    in->%s = ls_rng_chance(&s->rng, s->%s);\n", n, n);
    } else if (l.words > 1) {
        ls_text_add(to,
                    "    for (uint32_t i = 0, words = (%s + 63) / 64; i < (%s) * words; i++)\n"
                    "        in->%s[i] = ls_rng_u64(&s->rng) & ls_mask(%s - i %% words * 64);\n",
                    l.bits, l.count, n, l.bits);
    } else if (is_array(&l)) {
        ls_text_add(to, "    for (uint32_t i = 0; i < %s; i++) in->%s[i] = (uint%u_t)ls_rng_value(&s->rng, %s);\n", l.count, n,
                    l.size, l.bits);
    } else {
        ls_text_add(to, "    in->%s = (uint%u_t)ls_rng_value(&s->rng, %s);\n", n, l.size, l.bits);
    }
    free_layout(&l);
}

static void put_sets(const writer *w, ls_text *to) {
    ls_text_add(to, "/* Parameter sets to run at; \"\" has the defaults. */\nstatic const char *const sets[] = {\"\"");
    for (size_t i = 0; i < w->m->param_count; i++) {
        const ls_new_param *p = &w->m->params[i];
        if (p->min != p->standard) ls_text_add(to, ", \"%s=%u\"", p->name, p->min);
        if (p->max != p->standard) ls_text_add(to, ", \"%s=%u\"", p->name, p->max);
    }
    ls_text_add(to, ", NULL};\n");
}

static char *bench_text(const writer *w, const ls_args *others) {
    const ls_module *m = w->m;
    const char *u = w->unit;
    ls_text text = {0}, names = {0}, bits = {0};
    char *header = path_of(w, LS_NEW_HEADER), *list = path_of(w, LS_NEW_LIST);
    char *group = w->group != NULL ? ls_format("#define LS_GROUP \"%s\"\n", w->group) : ls_copy("");
    ls_text_add(&text,
                "%s/* Stimulus, bins and planted faults of %s. */\n#include \"%s\"\n\n#include "
                "\"cmodel/common/rf_types.h\"\n#include \"harness/core/unit.h\"\n\n",
                licence(w), u, header);
    ls_text_add(&text, "typedef struct %s_stim {\n    ls_rng rng;\n", u);
    for (size_t i = 0; i < m->signal_count; i++)
        if (m->signals[i].kind == LS_IN && is_single(w, &m->signals[i]))
            ls_text_add(&text, "    uint32_t %s; /* how often it is 1, in 256ths */\n", m->signals[i].member);
    ls_text_add(&text,
                "} %s_stim;\n\n/* Now and then, with a reset: another mix. */\nstatic void stim_init(%s_stim *s, const %s *m, "
                "uint64_t seed) {\n    (void)m;\n    ls_rng_seed(&s->rng, seed);\n",
                u, u, u);
    for (size_t i = 0; i < m->signal_count; i++)
        if (m->signals[i].kind == LS_IN && is_single(w, &m->signals[i]))
            ls_text_add(&text, "    s->%s = 8 + ls_rng_below(&s->rng, 241);\n", m->signals[i].member);
    ls_text_add(
        &text,
        "}\n\n/* Once a cycle: the inputs. It may read the model, never the RTL. */\nstatic void stim(%s_stim *s, const %s "
        "*m, %s_in *in) {\n    const %s_cfg *cfg = &m->cfg;\n    (void)cfg;\n    (void)s;\n    (void)in;\n",
        u, u, u, u);
    size_t bins = 0;
    for (size_t i = 0; i < m->signal_count; i++) {
        const ls_new_signal *s = &m->signals[i];
        if (s->kind == LS_IN) put_input(w, s, &text);
        if ((s->kind != LS_IN && s->kind != LS_OUT) || !is_single(w, s) || bins == BINS_MAX) continue;
        ls_text_add(&names, "\"%s is 1\", ", s->rtl);
        ls_text_add(&bits, "%s(uint64_t)(%s->%s != 0) << %zu", bins > 0 ? " |\n           " : "", s->kind == LS_IN ? "in" : "out",
                    s->member, bins);
        bins++;
    }
    ls_text_add(&text,
                "}\n\n/* What a run must have seen, else it is vacuous: a name and a bit for each. Events are better than bits:\n"
                " * \"a write into the full buffer\". */\nstatic const char *const bin_names[] = {%sNULL};\n\n",
                names.size > 0 ? names.data : "");
    ls_text_add(&text,
                "static uint64_t bins(const %s *m, const %s_in *in, const %s_out *out) {\n    (void)m;\n    (void)in;\n    "
                "(void)out;\n    return %s;\n}\n\n",
                u, u, u, bits.size > 0 ? bits.data : "0");
    ls_text_add(&text,
                "/* Planted faults, for `lockstep faults`: name, file (NULL: the unit's), text of the RTL, its replacement, the "
                "field that must\n * differ first, parameters (NULL: the defaults). */\nstatic const ls_fault faults[] = {\n"
                "    /* {\"counts by two\", NULL, \"count + 1\", \"count + 2\", \"count\", NULL}, */\n    {0},\n};\n\n");
    put_sets(w, &text);
    ls_text_add(&text, "static const char *const rtl[] = {");
    for (size_t i = 0; i < others->count; i++) ls_text_add(&text, "\"%s\", ", others->list[i]);
    ls_text_add(
        &text,
        "NULL}; /* files that the unit's own needs before it: packages */\n\n#define LS_UNIT %s\n%s#define LS_BRIEF \"%s\"\n"
        "#define LS_FIELDS \"%s\"\n#define LS_SKELETON /* goes when the model is written */\n"
        "#include \"harness/core/unit_define.h\"\n",
        u, group, m->name, list);
    free(header);
    free(list);
    free(group);
    free(names.data);
    free(bits.data);
    return ls_text_take(&text);
}

/* Whether the signal is compared as an output (LS_OUT) or as a register or memory (LS_STATE). */
static bool is_compared(const ls_new_signal *s, ls_kind kind) {
    return s->kind == kind || (kind == LS_STATE && s->kind == LS_MEMORY);
}

/* Elements of members are numbered through all records. */
static void put_compare_record(const writer *w, const ls_new_signal *s, ls_text *to) {
    const uint32_t room = largest(w, &s->parts.records);
    const char *n = s->member, *at = room > 1 ? "[i]" : "";
    ls_text_add(to, "    for (uint32_t i = 0; i < %u; i++) {\n", room);
    for (size_t i = 0; i < s->parts.count; i++) {
        const ls_new_member *p = &s->parts.list[i];
        const uint32_t elements = largest(w, &p->count);
        if (elements == 1) {
            ls_text_add(to, "        judge_equal(j, \"%s.%s\", i, model->%s%s.%s, expected->%s%s.%s);\n", n, p->name, n, at,
                        p->name, n, at, p->name);
            continue;
        }
        char *each = ls_format("%lld", (long long)ls_width_at(&p->count, w->standard, w->m->param_count));
        ls_text_add(to,
                    "        for (uint32_t k = 0; k < %u; k++)\n"
                    "            judge_equal(j, \"%s.%s\", i * %s + k, model->%s%s.%s[k], expected->%s%s.%s[k]);\n",
                    elements, n, p->name, each, n, at, p->name, n, at, p->name);
        free(each);
    }
    ls_text_add(to, "    }\n");
}

/* A function of the judge that compares all signals of a kind. Returns whether there are any; else there is no function. */
static bool put_compare(const writer *w, ls_kind kind, ls_text *to) {
    const char *name = kind == LS_OUT ? "out" : "state", *type = kind == LS_OUT ? "_out" : "";
    bool any = false;
    for (size_t i = 0; i < w->m->signal_count; i++) {
        const ls_new_signal *s = &w->m->signals[i];
        if (!is_compared(s, kind)) continue;
        if (!any)
            ls_text_add(to, "static void compare_%s(judge *j, const %s%s *model, const %s%s *expected) {\n", name, w->unit, type,
                        w->unit, type);
        any = true;
        if (is_record(s)) {
            put_compare_record(w, s, to);
            continue;
        }
        layout l = layout_of(w, s);
        const char *n = s->member;
        if (is_array(&l))
            ls_text_add(to, "    for (uint32_t i = 0; i < %u; i++) judge_equal(j, \"%s\", i, model->%s[i], expected->%s[i]);\n",
                        l.room * l.words, n, n, n);
        else ls_text_add(to, "    judge_equal(j, \"%s\", 0, model->%s, expected->%s);\n", n, n, n);
        free_layout(&l);
    }
    if (any) ls_text_add(to, "}\n\n");
    return any;
}

static char *judge_text(const writer *w) {
    const char *u = w->unit;
    const bool ranges = w->m->param_count > 0;
    ls_text text = {0}, defaults = {0};
    char *header = path_of(w, LS_NEW_HEADER), *model = path_of(w, LS_NEW_MODEL), *judge = path_of(w, LS_NEW_JUDGE);
    for (size_t i = 0; i < w->m->param_count; i++) ls_text_add(&defaults, "%s%u", i > 0 ? ", " : "", w->m->params[i].standard);
    if (!ranges) ls_text_add(&defaults, "0");
    ls_text_add(
        &text,
        "%s/* Judge of %s: another model, slow and plain, from what the unit is for and from nothing else: best by somebody "
        "who has\n * not seen %s. It fails until it is written. */\n#include \"%s\"\n\n"
        "#include \"tb/common/judge/judge_unit.h\"\n\nextern const ls_unit %s_unit;\n\n"
        "static const %s_cfg sizes[] = {{%s}}; /* of the parameters, to run at */\n\n",
        licence(w), u, model, header, u, u, defaults.data);
    const bool outputs = put_compare(w, LS_OUT, &text), registers = put_compare(w, LS_STATE, &text);
    ls_text_add(
        &text,
        "static void random_inputs(void **state) {\n    %s m;\n    %s_in in = {0};\n    %s_out out;\n"
        "    judge j;\n    ls_rng rng;\n    (void)state;\n    assert_int_equal(%s_init(&m, &sizes[0]), 0);\n"
        "    judge_begin(&j, 1, \"%s\");\n    ls_rng_seed(&rng, 1);\n    while (j.cycle < 20000) {\n"
        "        /* TODO: draw `in`; compute from it, otherwise than the model, the outputs of this cycle and the registers "
        "behind its\n         * edge; compare them by%s%s%s */\n        %s_comb(&m, &in, &out);\n        %s_clock(&m, &in);\n"
        "        j.cycle++;\n    }\n    if (j.compared == 0) fail_msg(\"%s: random_inputs compares nothing yet\");\n"
        "    judge_passes(&j);\n}\n\n",
        u, u, u, u, u, outputs ? " compare_out" : "", outputs && registers ? " and" : "", registers ? " compare_state." : ".", u,
        u, judge);
    if (ranges)
        ls_text_add(&text,
                    "static void a_size_out_of_range_is_refused_by_name(void **state) {\n    (void)state;\n"
                    "    JUDGE_RANGES(%s, sizes);\n}\n\n",
                    u);
    if (outputs || registers)
        ls_text_add(
            &text,
            "static void the_comparer_sees_every_flipped_bit(void **state) {\n    const %s_in in = {0};\n    %s m, same;\n"
            "    %s_out out, same_out;\n    judge j;\n    (void)state;\n    assert_int_equal(%s_init(&m, &sizes[0]), 0);\n"
            "    %s_comb(&m, &in, &out);\n    same = m;\n    same_out = out;\n",
            u, u, u, u, u);
    if (outputs) ls_text_add(&text, "    JUDGE_FLIPS(&j, %s, LS_OUT, &m, &out, compare_out(&j, &out, &same_out));\n", u);
    if (registers) ls_text_add(&text, "    JUDGE_FLIPS(&j, %s, LS_STATE, &m, &m, compare_state(&j, &m, &same));\n", u);
    if (outputs || registers) ls_text_add(&text, "}\n\n");
    ls_text_add(
        &text,
        "int main(void) {\n    const struct CMUnitTest tests[] = {\n        cmocka_unit_test(random_inputs),\n%s%s    };\n"
        "    return cmocka_run_group_tests_name(\"judge of %s\", tests, NULL, NULL);\n}\n",
        ranges ? "        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),\n" : "",
        outputs || registers ? "        cmocka_unit_test(the_comparer_sees_every_flipped_bit),\n" : "", u);
    free(defaults.data);
    free(header);
    free(model);
    free(judge);
    return ls_text_take(&text);
}

/* ---- the page ---- */

/* The bits of a signal as pages say them: cfg->w is W. */
static void put_bits(const char *expression, ls_text *to) {
    for (const char *c = expression; *c != '\0';) {
        const bool parameter = strncmp(c, "cfg->", 5) == 0;
        if (parameter) c += 5;
        for (bool first = true; *c != '\0' && (first || (parameter && (isalnum((unsigned char)*c) || *c == '_')));
             first = false) {
            const char shown = (char)(parameter ? toupper((unsigned char)*c) : *c);
            ls_text_put(to, &shown, 1);
            c++;
        }
    }
}

static void put_rows(const writer *w, bool state, ls_text *to) {
    bool any = false;
    for (size_t i = 0; i < w->m->signal_count; i++) {
        const ls_new_signal *s = &w->m->signals[i];
        if ((s->kind == LS_STATE || s->kind == LS_MEMORY) != state) continue;
        if (!any)
            ls_text_add(to, state ? "\n## State\n| register | bits | after reset | meaning |\n|---|---|---|---|\n"
                                  : "\n| port | bits | meaning |\n|---|---|---|\n");
        any = true;
        layout l = layout_of(w, s);
        ls_text_add(to, "| `%s` | ", s->rtl);
        if (l.room > 1) put_bits(l.count, to);
        if (l.room > 1) ls_text_add(to, " x ");
        put_bits(l.bits, to);
        ls_text_add(to, state ? " | %s | TODO |\n" : " | TODO |\n", s->kind == LS_MEMORY ? "unchanged" : "0");
        free_layout(&l);
    }
}

static char *page_text(const writer *w) {
    ls_text text = {0};
    ls_text_add(&text,
                "# %s: TODO: what it is, in a few words\n\nTODO: what the unit does and which paper has it.\n\n"
                "## Parameters and ports\n",
                w->unit);
    if (w->m->param_count > 0) ls_text_add(&text, "| name | default | meaning |\n|---|---|---|\n");
    for (size_t i = 0; i < w->m->param_count; i++) {
        const ls_new_param *p = &w->m->params[i];
        ls_text_add(&text, "| `%s` | %u | TODO, %u to %u |\n", p->name, p->standard, p->min, p->max);
    }
    put_rows(w, false, &text);
    ls_text_add(&text, "\n## Behaviour\nTODO: latency, handshake, conflicts.\n");
    put_rows(w, true, &text);
    ls_text_add(&text, "\n## Choices\nTODO: what no paper says, and was decided here.\n");
    ls_args_add(w->todo, "docs/units/README.md: a line | [`%s`](%s.md) | what it is | no |", w->unit, w->unit);
    return ls_text_take(&text);
}

/* ---- all ---- */

static char *copy_of(const char *path) {
    ls_text text = {0};
    (void)ls_text_read(&text, path);
    return ls_text_take(&text);
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* Of a file of the tree the path from its folder on, to be freed; else NULL. */
static char *in_tree(const char *path) {
    char real[PATH_MAX];
    const char *root = ls_root();
    const size_t n = strlen(root);
    if (realpath(path, real) == NULL || strncmp(real, root, n) != 0 || strncmp(real + n, "/rtl/", 5) != 0) return NULL;
    return ls_copy(real + n + 1);
}

/* The macros that the RTL was elaborated with, in a file before all others. */
static void add_macros(const writer *w, const ls_args *defines, ls_new_files *files, ls_args *others) {
    ls_text text = {0};
    if (defines->count == 0) return;
    ls_text_add(&text, "%s// Macros of %s.\n", w->group != NULL ? "// SPDX-License-Identifier: Apache-2.0\n" : "", w->unit);
    for (size_t i = 0; i < defines->count; i++) {
        const char *equals = strchr(defines->list[i], '=');
        const int n = equals != NULL ? (int)(equals - defines->list[i]) : (int)strlen(defines->list[i]);
        ls_text_add(&text, "`define %.*s %s\n", n, defines->list[i], equals != NULL ? equals + 1 : "1");
    }
    char *to = w->group != NULL ? ls_format("rtl/%s/%s_macros.sv", w->group, w->unit) : ls_format("rtl/%s_macros.sv", w->unit);
    ls_args_add(others, "%s", to);
    ls_new_add(files, to, ls_text_take(&text));
}

/* Adds the RTL; what the unit's own file needs goes to `others`: in a project, which finds modules by itself, packages. */
static void add_rtl(const writer *w, const ls_new_rtl *rtl, ls_new_files *files, ls_args *others) {
    add_macros(w, rtl->defines, files, others);
    for (size_t i = 0; i < rtl->files.count; i++) {
        const char *path = rtl->files.list[i], *name = rtl->names.list[i], *dot = strrchr(name, '.');
        const bool top = i == rtl->top, verilog = w->group == NULL && dot != NULL && strcmp(dot, ".v") == 0;
        char *there = w->group != NULL && !top ? in_tree(path) : NULL, *to = NULL;
        if (there != NULL) to = there;
        else if (top && verilog) to = ls_format("rtl/%s.v", w->unit);
        else if (top) to = path_of(w, LS_NEW_RTL);
        else if (w->group != NULL) to = ls_format("rtl/%s/%s", w->group, base_name(name));
        else to = ls_format("rtl/%s", name);
        if (!top && (rtl->listed[i] || w->group != NULL)) ls_args_add(others, "%s", to);
        if (there == NULL) ls_new_add(files, to, copy_of(path));
        else free(to);
    }
}

void ls_new_write(ls_module *m, const char *unit, const char *group, const ls_new_rtl *rtl, ls_new_files *files, ls_args *todo) {
    writer w = {.m = m, .unit = unit, .group = group, .todo = todo, .in_suffix = "", .out_suffix = ""};
    ls_args others = {0};
    w.low = ls_alloc(m->param_count + 1, sizeof *w.low);
    w.high = ls_alloc(m->param_count + 1, sizeof *w.high);
    w.standard = ls_alloc(m->param_count + 1, sizeof *w.standard);
    for (size_t i = 0; i < m->param_count; i++) {
        w.low[i] = m->params[i].min;
        w.high[i] = m->params[i].max;
        w.standard[i] = m->params[i].standard;
    }
    if (has_suffixes(m)) {
        w.in_suffix = "_i";
        w.out_suffix = "_o";
    }
    name_signals(&w);
    add_rtl(&w, rtl, files, &others);
    ls_new_add(files, path_of(&w, LS_NEW_HEADER), header_text(&w));
    ls_new_add(files, path_of(&w, LS_NEW_MODEL), model_text(&w));
    ls_new_add(files, path_of(&w, LS_NEW_LIST), list_text(&w));
    ls_new_add(files, path_of(&w, LS_NEW_BENCH), bench_text(&w, &others));
    ls_new_add(files, path_of(&w, LS_NEW_JUDGE), judge_text(&w));
    if (group != NULL) ls_new_add(files, path_of(&w, LS_NEW_PAGE), page_text(&w));
    ls_args_free(&others);
    free(w.low);
    free(w.high);
    free(w.standard);
}
