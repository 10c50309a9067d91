/* SPDX-License-Identifier: Apache-2.0 */
/* What the rules of a map mean in an elaborated design: which bits of the model are which bits of the RTL. Every bit of a mapped
 * field has one place, and every bit of the RTL's ports and registers is in a rule, or in none. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/nearest.h"
#include "harness/base/rng.h"
#include "harness/core/map.h"
#include "harness/core/plan.h"

#define ROOM 512
#define DEPTH 32
#define ALL "[*]"

/* Which bits of a signal some rule names. */
typedef struct used {
    const ls_elab_signal *signal;
    uint8_t *bits;
} used;

typedef struct resolver {
    ls_map *map;
    const ls_fields *fields;
    const ls_elab *elab;
    bool ports_only;
    ls_text *problems;
    size_t count; /* of problems */
    const ls_rule *rule;
    unsigned **line_of; /* by field: for each bit the line of its rule, 0: none; NULL: no rule names the field */
    used *used;
    size_t used_count;
} resolver;

/* Bits of the right side of a rule, the uppermost part first. */
typedef struct part {
    const ls_elab_signal *signal; /* NULL: a constant */
    uint32_t at, bits;            /* in the signal, its unpacked elements one behind the other */
    bool invert;
    uint64_t value;
} part;

typedef struct parts {
    part *list;
    size_t count;
    uint64_t bits;
} parts;

static int wrong(resolver *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int wrong(resolver *r, const char *format, ...) {
    char text[ROOM];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    ls_text_add(r->problems, "%s:%u: %s\n", r->map->path, r->rule->line, text);
    r->count++;
    return -1;
}

/* ---- the left side ---- */

/* "[7:4]" or "[3]" at *at; *high and *low are both what stands there alone. */
static bool take_index(const char **at, long *high, long *low) {
    char *end;
    if (**at != '[') return false;
    *high = *low = strtol(*at + 1, &end, 10);
    if (end == *at + 1) return false;
    if (*end == ':') {
        const char *second = end + 1;
        *low = strtol(second, &end, 10);
        if (end == second) return false;
    }
    if (*end != ']') return false;
    *at = end + 1;
    return true;
}

/* The field whose name the text begins with, up to the end or an index or member; the longest. */
static const ls_field *field_in(const resolver *r, const char *text, const char **rest) {
    const ls_field *found = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < r->fields->count; i++) {
        const ls_field *f = &r->fields->list[i];
        const size_t n = strlen(f->name);
        if (n <= longest || strncmp(f->name, text, n) != 0 || strchr("[.", text[n]) == NULL) continue;
        found = f;
        longest = n;
    }
    *rest = text + longest;
    return found;
}

/* The member whose name, without the record's, begins there. */
static const ls_member *member_in(const ls_field *f, const char **at) {
    const size_t skip = strlen(f->name);
    for (uint32_t i = 0; i < f->member_count; i++) {
        const char *name = f->members[i].name + skip;
        const size_t n = strlen(name);
        if (strncmp(name, *at, n) != 0 || ((*at)[n] != '\0' && (*at)[n] != '[')) continue;
        *at += n;
        return &f->members[i];
    }
    return NULL;
}

static int no_field(resolver *r, const char *text) {
    ls_nearest near = {.word = text};
    for (size_t i = 0; i < r->fields->count; i++) ls_nearest_try(&near, r->fields->list[i].name);
    if (near.name != NULL) return wrong(r, "the model has no %s: did you mean %s?", text, near.name);
    return wrong(r, "the model has no %s with these parameters", text);
}

/* The bits *at .. *at + *bits - 1 of a field that the text names. */
static const ls_field *left_side(resolver *r, const char *text, uint32_t *at, uint32_t *bits) {
    const char *rest;
    const ls_field *f = field_in(r, text, &rest);
    if (f == NULL) return (void)no_field(r, text), NULL;
    uint32_t element = f->bits, count = f->count, base = 0;
    long high, low;
    for (int step = 0;; step++) {
        const uint64_t unit = count > 1 ? element : 1, all = count > 1 ? count : element;
        if (*rest == '\0') break;
        if (*rest == '.' && step < 2 && count == 1) {
            const ls_member *m = member_in(f, &rest);
            if (m == NULL) return (void)wrong(r, "%s: %s has no such member", text, f->name), NULL;
            base += m->low;
            element = m->bits;
            count = m->count;
            continue;
        }
        if (!take_index(&rest, &high, &low)) return (void)wrong(r, "%s: expected an index [N] or a range [HIGH:LOW]", text), NULL;
        if (low < 0 || high < low || (uint64_t)high >= all)
            return (void)wrong(r, "%s: of %s there are [%lu:0]", text, f->name, (unsigned long)(all - 1)), NULL;
        base += (uint32_t)((uint64_t)low * unit);
        if (count > 1 && high == low) {
            count = 1;
            continue;
        }
        *at = base;
        *bits = (uint32_t)((uint64_t)(high - low + 1) * unit);
        if (*rest != '\0') return (void)wrong(r, "%s: nothing may follow a range", text), NULL;
        return f;
    }
    *at = base;
    *bits = element * count;
    return f;
}

/* ---- the right side ---- */

static void add_part(parts *p, part one) {
    p->list = ls_grow(p->list, p->count, sizeof *p->list);
    p->list[p->count++] = one;
    p->bits += one.bits;
}

static const ls_elab_signal *signal_named(const resolver *r, const char *text, size_t length) {
    char *name = ls_format("%.*s", (int)length, text);
    const ls_elab_signal *s = ls_elab_port(r->elab, name);
    if (s == NULL) s = ls_elab_find(r->elab, name);
    free(name);
    return s;
}

/* The signal with the longest name that the text begins with; *length is that of the name. */
static const ls_elab_signal *signal_in(const resolver *r, const char *text, size_t *length) {
    for (size_t n = strlen(text); n > 0; n--) {
        if (text[n] != '\0' && text[n] != '.' && text[n] != '[') continue;
        const ls_elab_signal *s = signal_named(r, text, n);
        *length = n;
        if (s != NULL) return s;
    }
    return NULL;
}

static int no_signal(resolver *r, const char *text) {
    ls_nearest near = {.word = text};
    for (size_t i = 0; i < r->elab->port_count; i++) ls_nearest_try(&near, r->elab->ports[i].name);
    for (size_t i = 0; i < r->elab->register_count; i++)
        if (r->elab->registers[i].kind != LS_ELAB_HIDDEN) ls_nearest_try(&near, r->elab->registers[i].name);
    if (near.name != NULL) return wrong(r, "the RTL has no port or register %s: did you mean %s?", text, near.name);
    return wrong(r, "the RTL has no port or register %s", text);
}

/* How far an index is from the low end: -1 when it is out of the range. */
static long place_of(const ls_elab_layout *l, long index) {
    const long low = l->left < l->right ? l->left : l->right, high = l->left < l->right ? l->right : l->left;
    if (index < low || index > high) return -1;
    if (l->unpacked) return index - low;
    return l->left >= l->right ? index - l->right : l->right - index;
}

static const ls_elab_member *struct_member(const ls_elab_layout *l, const char **at) {
    const size_t n = strcspn(*at + 1, ".[");
    for (uint32_t i = 0; l != NULL && i < l->member_count; i++) {
        if (strlen(l->members[i].name) != n || strncmp(l->members[i].name, *at + 1, n) != 0) continue;
        *at += n + 1;
        return &l->members[i];
    }
    return NULL;
}

/* Indexes, ranges and members behind a signal's name, by its type. */
static int select_bits(resolver *r, const char *text, const char *rest, const ls_elab_signal *s, part *p) {
    const ls_elab_layout *l = s->layout;
    bool ranged = false;
    while (*rest != '\0') {
        long high, low;
        if (ranged) return wrong(r, "%s: nothing may follow a range", text);
        if (*rest == '.') {
            const ls_elab_member *m = struct_member(l, &rest);
            if (m == NULL)
                return wrong(r, "%s: %s is no packed struct with such a member (%s:%u)", text, s->name, s->file, s->line);
            p->at += m->low;
            l = m->layout;
            p->bits = l->bits;
            continue;
        }
        if (!take_index(&rest, &high, &low)) return wrong(r, "%s: expected an index [N] or a range [LEFT:RIGHT]", text);
        if (l == NULL || !l->indexed) return wrong(r, "%s: it has no such index (%s:%u)", text, s->file, s->line);
        const long first = place_of(l, high), last = place_of(l, low);
        if (first < 0 || last < 0)
            return wrong(r, "%s: the range is [%ld:%ld] (%s:%u)", text, l->left, l->right, s->file, s->line);
        if (last > first)
            return wrong(r, "%s: the range runs from %ld to %ld (%s:%u)", text, l->left, l->right, s->file, s->line);
        const uint32_t unit = l->inner != NULL ? l->inner->bits : 1;
        p->at += (uint32_t)last * unit;
        p->bits = (uint32_t)(first - last + 1) * unit;
        ranged = high != low;
        l = l->inner;
    }
    return 0;
}

static int expression(resolver *r, const char **at, bool invert, int depth, parts *to);

/* "{a, b, c}" */
static int concatenation(resolver *r, const char **at, bool invert, int depth, parts *to) {
    do {
        ++*at;
        if (expression(r, at, invert, depth + 1, to) != 0) return -1;
    } while (**at == ',');
    if (**at != '}') return wrong(r, "expected , or } and not \"%s\"", *at);
    ++*at;
    *at += strspn(*at, " \t");
    return 0;
}

static int expression(resolver *r, const char **at, bool invert, int depth, parts *to) {
    *at += strspn(*at, " \t");
    if (depth > DEPTH) return wrong(r, "braces lie more than %d deep", DEPTH);
    if (**at == '~') {
        ++*at;
        return expression(r, at, !invert, depth + 1, to);
    }
    if (**at == '{') return concatenation(r, at, invert, depth, to);
    const size_t n = strcspn(*at, " \t{},~");
    char *text = ls_format("%.*s", (int)n, *at);
    part p = {.invert = invert};
    int status = 0;
    *at += n + strspn(*at + n, " \t");
    if (isdigit((unsigned char)text[0])) {
        if (!ls_map_constant(text, &p.value, &p.bits) || p.bits == 0)
            status = wrong(r, "\"%s\": expected a constant with its width, 4'b0101", text);
        if (invert) p.value = ~p.value & ls_mask(p.bits);
    } else if (n == 0) {
        status = wrong(r, "expected a name, ~, {} or a constant and not \"%s\"", *at);
    } else {
        size_t length;
        p.signal = signal_in(r, text, &length);
        if (p.signal == NULL) status = no_signal(r, text);
        else if (p.signal->bits == 0)
            status = wrong(r, "%s is of a type without bits: unpacked struct, real, string, ... (%s:%u)", p.signal->name,
                           p.signal->file, p.signal->line);
        else {
            p.bits = p.signal->bits * p.signal->count;
            status = select_bits(r, text, text + length, p.signal, &p);
        }
    }
    if (status == 0) add_part(to, p);
    free(text);
    return status;
}

/* ---- rules ---- */

static uint8_t *bits_used(resolver *r, const ls_elab_signal *s) {
    for (size_t i = 0; i < r->used_count; i++)
        if (strcmp(r->used[i].signal->name, s->name) == 0) return r->used[i].bits;
    r->used = ls_grow(r->used, r->used_count, sizeof *r->used);
    r->used[r->used_count] = (used){s, ls_zeroed((size_t)s->bits * s->count + 1)};
    return r->used[r->used_count++].bits;
}

/* Whether a part can be of the field, and is of no other input. */
static int check_part(resolver *r, const ls_field *f, const part *p) {
    static const char *const what[] = {"input port", "output port", "register", "register or memory"};
    const ls_elab_kind kind = f->kind == LS_IN ? LS_ELAB_IN : f->kind == LS_OUT ? LS_ELAB_OUT : LS_ELAB_REG;
    if (p->signal == NULL) return f->kind != LS_IN ? 0 : wrong(r, "%s: an input cannot be a constant of the RTL", f->name);
    const ls_elab_signal *reg = ls_is_state(f) ? ls_elab_find(r->elab, p->signal->name) : p->signal;
    if (reg->kind != kind)
        return wrong(r, "%s is no %s (%s:%u)", p->signal->name, what[f->kind], p->signal->file, p->signal->line);
    uint8_t *bits = bits_used(r, p->signal);
    for (uint32_t i = 0; i < p->bits; i++) {
        if (bits[p->at + i] != 0 && f->kind == LS_IN)
            return wrong(r, "bit %u of input %s is driven twice", p->at + i, p->signal->name);
        bits[p->at + i] = 1;
    }
    return 0;
}

static ls_map_entry *mapped_of(resolver *r, const ls_field *f) {
    ls_map *m = r->map;
    for (size_t i = 0; i < m->mapped_count; i++)
        if (m->mapped[i].of == f->kind && strcmp(m->mapped[i].field, f->name) == 0) return &m->mapped[i];
    m->mapped = ls_grow(m->mapped, m->mapped_count, sizeof *m->mapped);
    m->mapped[m->mapped_count] = (ls_map_entry){.field = ls_copy(f->name), .of = f->kind};
    return &m->mapped[m->mapped_count++];
}

/* Whether the rule's right side is one whole signal that the field can be bound to as it is. */
static bool is_whole(const ls_field *f, uint32_t at, uint32_t bits, const parts *p) {
    const ls_elab_signal *s = p->count == 1 ? p->list[0].signal : NULL;
    if (s == NULL || at != 0 || bits != f->bits * f->count || p->list[0].invert || p->list[0].bits != s->bits * s->count)
        return false;
    return s->count == 1 ? f->count == 1 || s->turned <= f->bits : s->bits == f->bits && s->count == f->count;
}

/* Adds a piece for each element of the RTL that the part lies in. */
static void add_pieces(ls_map_entry *m, const part *p, uint32_t at, const char *text) {
    for (uint32_t done = 0, n; done < p->bits; done += n) {
        const uint32_t width = p->signal != NULL ? p->signal->bits : p->bits,
                       low = p->signal != NULL ? (p->at + done) % width : 0;
        n = width - low < p->bits - done ? width - low : p->bits - done;
        m->pieces = ls_grow(m->pieces, m->piece_count, sizeof *m->pieces);
        m->pieces[m->piece_count++] = (ls_piece){.at = at + done,
                                                 .bits = n,
                                                 .signal = p->signal != NULL ? ls_copy(p->signal->name) : NULL,
                                                 .signal_bits = width,
                                                 .signal_count = p->signal != NULL ? p->signal->count : 1,
                                                 .element = p->signal != NULL ? (p->at + done) / width : 0,
                                                 .low = low,
                                                 .invert = p->invert,
                                                 .value = p->value,
                                                 .text = text};
    }
}

/* The register of an output's name. NULL: there is none. */
static const ls_field *register_of(const resolver *r, const ls_field *f) {
    for (size_t i = 0; i < r->fields->count && f->kind == LS_OUT; i++) {
        const ls_field *o = &r->fields->list[i];
        if (o->of_port && strcmp(o->name, f->name) == 0) return o;
    }
    return NULL;
}

/* Gives bits of a field the parts. */
static int take_parts(resolver *r, const ls_field *f, uint32_t at, uint32_t bits, const parts *p) {
    if (r->ports_only && f->kind == LS_STATE) return 0;
    unsigned **lines = &r->line_of[f - r->fields->list];
    if (*lines == NULL) *lines = ls_zeroed((size_t)f->bits * f->count * sizeof **lines + 1);
    for (uint32_t i = at; i < at + bits; i++) {
        if ((*lines)[i] != 0) return wrong(r, "%s is mapped already, in line %u", r->rule->left, (*lines)[i]);
        (*lines)[i] = r->rule->line;
    }
    const ls_elab_signal *one = p->count == 1 ? p->list[0].signal : NULL;
    if (one != NULL && f->count > 1 && bits == f->bits * f->count && one->count == 1 && one->turned > f->bits)
        return wrong(r,
                     "wrong order: %s has an ascending packed range, so that element 0 of %s is the uppermost: map it element by "
                     "element (%s:%u)",
                     one->name, f->name, one->file, one->line);
    for (size_t i = 0; i < p->count; i++)
        if (check_part(r, f, &p->list[i]) != 0) return -1;
    ls_map_entry *m = mapped_of(r, f);
    if (is_whole(f, at, bits, p)) {
        m->rtl = ls_copy(one->name);
        return 0;
    }
    uint32_t next = at;
    for (size_t i = p->count; i-- > 0; next += p->list[i].bits) add_pieces(m, &p->list[i], next, r->rule->right);
    free(m->rtl);
    m->rtl = at == 0 && bits == f->bits * f->count ? ls_copy(r->rule->right) : ls_copy(f->name);
    return 0;
}

static int take_one(resolver *r) {
    uint32_t at = 0, bits = 0;
    const ls_field *f = left_side(r, r->rule->left, &at, &bits);
    if (f == NULL) return -1;
    if (r->ports_only && f->kind == LS_STATE) return 0;
    parts p = {0};
    const char *text = r->rule->right;
    int status = expression(r, &text, false, 0, &p);
    if (status == 0 && *text != '\0') status = wrong(r, "\"%s\" is left over behind the expression", text);
    if (status == 0 && p.bits != bits)
        status = wrong(r, "wrong width: %s has %u bit%s, %s has %llu", r->rule->left, bits, ls_plural(bits), r->rule->right,
                       (unsigned long long)p.bits);
    const ls_field *own = register_of(r, f); /* the name means what the right side is: output, register, or both */
    bool ports = true, registers = own != NULL;
    for (size_t i = 0; i < p.count && own != NULL; i++) {
        const ls_elab_signal *s = p.list[i].signal;
        ports = ports && (s == NULL || ls_elab_port(r->elab, s->name) != NULL);
        registers = registers && (s == NULL || ls_elab_find(r->elab, s->name)->kind == LS_ELAB_REG);
    }
    if (status == 0 && ports) status = take_parts(r, f, at, bits, &p);
    if (status == 0 && (registers || !ports)) status = take_parts(r, own, at, bits, &p);
    free(p.list);
    return status;
}

/* `text` with the number in place of each * between brackets, kept with the map. */
static char *with_index(ls_map *map, const char *text, uint32_t index) {
    ls_text out = {0};
    for (const char *at = text; *at != '\0'; at++) {
        if (strncmp(at, ALL, sizeof ALL - 1) != 0) {
            ls_text_put(&out, at, 1);
            continue;
        }
        ls_text_add(&out, "[%u]", index);
        at += sizeof ALL - 2;
    }
    char *made = ls_text_take(&out);
    ls_args_add(&map->texts, "%s", made);
    free(made);
    return map->texts.list[map->texts.count - 1];
}

/* Whether the model has what the left side of a rule names. */
static bool is_there(const resolver *r, const char *left) {
    uint32_t at, bits;
    ls_text unheard = {0};
    resolver quiet = *r;
    quiet.problems = &unheard;
    const bool there = left_side(&quiet, left, &at, &bits) != NULL;
    free(unheard.data);
    return there;
}

/* A rule, or with [*] one for each number from 0 on that the model has. */
static int take_rule(resolver *r) {
    const ls_rule *whole = r->rule;
    if (strstr(whole->left, ALL) == NULL)
        return strstr(whole->right, ALL) == NULL ? take_one(r) : wrong(r, "[*] stands on the right and not on the left");
    int status = 0;
    for (uint32_t i = 0; status == 0; i++) {
        ls_rule one = {LS_RULE_IS, whole->line, with_index(r->map, whole->left, i), NULL};
        if (i > 0 && !is_there(r, one.left)) break;
        one.right = with_index(r->map, whole->right, i);
        r->rule = &one;
        status = take_one(r);
    }
    r->rule = whole;
    return status;
}

static const ls_field *field_named(const resolver *r, const char *name) {
    for (size_t i = 0; i < r->fields->count; i++)
        if (strcmp(r->fields->list[i].name, name) == 0) return &r->fields->list[i];
    return NULL;
}

/* `tie` and `ignore`. */
static int take_other(resolver *r) {
    const ls_rule *rule = r->rule;
    const ls_field *f = rule->kind == LS_RULE_IGNORE ? field_named(r, rule->left) : NULL;
    const ls_elab_signal *s = signal_named(r, rule->left, strlen(rule->left));
    uint64_t value;
    uint32_t bits;
    if (f != NULL && (f->kind == LS_IN || f->kind == LS_MEMORY))
        return wrong(r, "%s is an input or memory of the model: it cannot be ignored", f->name);
    if (f != NULL) {
        mapped_of(r, f)->absent = true;
        if (register_of(r, f) != NULL) mapped_of(r, register_of(r, f))->absent = true;
        return 0;
    }
    if (s == NULL) { /* hidden state is named in words, which are not those of a map */
        return no_signal(r, rule->left);
    }
    const bool input = s->kind == LS_ELAB_IN;
    if (rule->kind == LS_RULE_IGNORE && input)
        return wrong(r, "%s is an input port: say what drives it, tie %s = 0 (%s:%u)", s->name, s->name, s->file, s->line);
    if (rule->kind == LS_RULE_TIE) {
        if (!input) return wrong(r, "%s is no input port (%s:%u)", s->name, s->file, s->line);
        (void)ls_map_constant(rule->right, &value, &bits);
        if (s->count > 1 || (s->bits < 64 && value >> s->bits != 0))
            return wrong(r, "tie %s: it has %u x %u bit%s: \"%s\" does not fit (%s:%u)", s->name, s->count, s->bits,
                         ls_plural(s->bits), rule->right, s->file, s->line);
    }
    uint8_t *seen = bits_used(r, s);
    for (uint32_t i = 0; i < s->bits * s->count; i++) {
        if (seen[i] != 0) return wrong(r, "%s is mapped, too", s->name);
        seen[i] = 1;
    }
    ls_args_add(&r->map->spared, "%s", s->name);
    return 0;
}

/* What only a part of is in the rules. */
static void check_whole(resolver *r) {
    for (size_t i = 0; i < r->fields->count; i++) {
        const ls_field *f = &r->fields->list[i];
        unsigned line = 0;
        uint32_t none = UINT32_MAX;
        for (uint32_t k = 0; r->line_of[i] != NULL && k < f->bits * f->count; k++) {
            if (r->line_of[i][k] != 0 && line == 0) line = r->line_of[i][k];
            if (r->line_of[i][k] == 0 && none == UINT32_MAX) none = k;
        }
        if (line == 0 || none == UINT32_MAX) continue;
        char index[32] = "";
        if (f->count > 1) (void)snprintf(index, sizeof index, "[%u]", none / f->bits);
        ls_text_add(r->problems, "%s:%u: bit %u of %s%s is in no rule, and others of it are\n", r->map->path, line,
                    none % f->bits, f->name, index);
        r->count++;
    }
    for (size_t i = 0; i < r->used_count; i++) {
        const ls_elab_signal *s = r->used[i].signal;
        const ls_elab_signal *reg = ls_elab_find(r->elab, s->name);
        if (r->ports_only && reg->kind != LS_ELAB_IN && s->kind != LS_ELAB_OUT) continue;
        for (uint32_t k = 0; k < s->bits * s->count; k++) {
            if (r->used[i].bits[k] != 0) continue;
            char index[32] = "";
            if (s->count > 1) (void)snprintf(index, sizeof index, ", element %u", k / s->bits);
            ls_text_add(r->problems, "%s:%u: bit %u of %s%s is in no rule of %s: nothing would %s it\n", s->file, s->line,
                        k % s->bits, s->name, index, r->map->path, s->kind == LS_ELAB_IN ? "drive" : "compare");
            r->count++;
            break;
        }
    }
}

static void forget(ls_map *m) {
    for (size_t i = 0; i < m->mapped_count; i++) {
        for (size_t k = 0; k < m->mapped[i].piece_count; k++) free(m->mapped[i].pieces[k].signal);
        free(m->mapped[i].pieces);
        free(m->mapped[i].field);
        free(m->mapped[i].rtl);
    }
    free(m->mapped);
    m->mapped = NULL;
    m->mapped_count = 0;
    ls_args_free(&m->spared);
    ls_args_free(&m->texts);
}

size_t ls_map_resolve(ls_map *map, const ls_fields *fields, const ls_elab *elab, bool ports_only, ls_text *problems) {
    resolver r = {.map = map, .fields = fields, .elab = elab, .ports_only = ports_only, .problems = problems};
    r.line_of = ls_zeroed((fields->count + 1) * sizeof *r.line_of);
    forget(map);
    for (size_t i = 0; i < map->rule_count; i++) {
        r.rule = &map->rules[i];
        if (r.rule->kind == LS_RULE_IS) (void)take_rule(&r);
        else if (r.rule->kind == LS_RULE_TIE || r.rule->kind == LS_RULE_IGNORE) (void)take_other(&r);
    }
    if (r.count == 0) check_whole(&r);
    for (size_t i = 0; i < fields->count; i++) free(r.line_of[i]);
    for (size_t i = 0; i < r.used_count; i++) free(r.used[i].bits);
    free(r.line_of);
    free(r.used);
    return r.count;
}
