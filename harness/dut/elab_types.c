/* SPDX-License-Identifier: Apache-2.0 */
/* What a node says of itself: its number, its place, its constant; and types: how many bits, how many elements. */
#include "harness/dut/elab_netlist.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/text.h"

static node *type(const ls_elab_netlist *d, const char *id) {
    const size_t i = ls_elab_id(id);
    return i < d->type_count ? d->types[i] : NULL;
}

size_t ls_elab_id(const char *text) {
    if (text[0] != '(') { /* XML: a number */
        return isdigit((unsigned char)text[0]) ? strtoul(text, NULL, 10) : SIZE_MAX;
    }
    size_t id = 0, weight = 1; /* JSON: digits of base 26, the lowest first */
    for (text++; *text >= 'A' && *text <= 'Z' && weight < SIZE_MAX / 26 / 26; text++) {
        id += (size_t)(*text - 'A') * weight;
        weight *= 26;
    }
    return *text == ')' ? id : SIZE_MAX;
}

ls_elab_origin ls_elab_place(const node *n) {
    ls_elab_origin p = {0};
    if (sscanf(get(n, "loc"), "%15[^,],%u,%u,%u,%u", p.file, &p.line, &p.column, &p.end_line, &p.end_column) != 5) {
        p = (ls_elab_origin){0};
    }
    return p;
}

long ls_elab_constant(const node *n) {
    const char *text = get(n, "name");
    const char *quote = strchr(text, '\'');
    if (quote == NULL) {
        return strtol(text, NULL, 10);
    }
    bool negatable = quote[1] == 's';
    unsigned long width = strtoul(text, NULL, 10);
    unsigned long value = strtoul(quote + 1 + negatable + 1, NULL, 16);
    if (negatable && width > 0 && width < 64 && (value >> (width - 1)) != 0) {
        return (long)value - (long)(1UL << width);
    }
    return (long)value;
}

static uint32_t span(long left, long right) {
    unsigned long distance = left > right ? (unsigned long)(left - right) : (unsigned long)(right - left);
    return distance < UINT32_MAX ? (uint32_t)distance + 1 : 0;
}

/* Elements that an array type's <range> spans, 0 when it has none. */
static uint32_t range(const node *array) {
    for (const node *n = array->child; n != NULL; n = n->next) {
        if (is(n, "range") && n->child != NULL && n->child->next != NULL) {
            return span(ls_elab_constant(n->child), ls_elab_constant(n->child->next));
        }
    }
    return 0;
}

static uint32_t times(uint32_t a, uint32_t b) { return (uint64_t)a * b <= UINT32_MAX ? a * b : 0; }

uint32_t ls_elab_bits(const ls_elab_netlist *d, const char *id, unsigned depth) {
    const node *t = type(d, id);
    if (t == NULL || depth > 64) {
        return 0;
    }
    if (is(t, "basicdtype")) {
        static const char *const known[] = {"logic", "bit", "integer", "int", "byte", "shortint", "longint", "time"};
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            if (strcmp(get(t, "name"), known[i]) == 0) {
                return get(t, "left")[0] == '\0' ? 1 : span(strtol(get(t, "left"), NULL, 10), strtol(get(t, "right"), NULL, 10));
            }
        }
        return 0;
    }
    if (is(t, "refdtype") || is(t, "enumdtype") || is(t, "constdtype") || is(t, "memberdtype")) {
        return ls_elab_bits(d, get(t, "sub_dtype_id"), depth + 1);
    }
    if (is(t, "packarraydtype")) {
        return times(ls_elab_bits(d, get(t, "sub_dtype_id"), depth + 1), range(t));
    }
    if ((is(t, "structdtype") || is(t, "uniondtype")) && (t->mark & MARK_UNPACKED) == 0) {
        uint32_t bits = 0;
        for (const node *m = t->child; m != NULL; m = m->next) {
            uint32_t member = is(m, "memberdtype") ? ls_elab_bits(d, get(m, "sub_dtype_id"), depth + 1) : 0;
            if (member == 0) {
                return 0;
            }
            bits = is(t, "structdtype") ? bits + member : member > bits ? member : bits;
        }
        return bits;
    }
    return 0;
}

node *ls_elab_type(const ls_elab_netlist *d, const char *id) {
    node *t = type(d, id);
    for (unsigned depth = 0; t != NULL && depth < 64 && (is(t, "refdtype") || is(t, "constdtype") || is(t, "enumdtype"));
         depth++) {
        t = type(d, get(t, "sub_dtype_id"));
    }
    return t;
}

uint32_t ls_elab_limit(const ls_elab_netlist *d, const char *id) {
    const node *t = ls_elab_type(d, id);
    const uint32_t all = ls_elab_bits(d, id, 0);
    const uint32_t bits = t != NULL && all > 0 && strcmp(get(t, "signed"), "true") == 0 ? all - 1 : all;
    return bits >= 32 ? UINT32_MAX : (UINT32_C(1) << bits) - 1;
}

const node *ls_elab_port_variable(const node *module, const node *port) {
    for (const node *n = module->child; n != NULL; n = n->next) {
        if (is(n, "var") && get(n, "dir")[0] != '\0' &&
            (strcmp(get(n, "name"), get(port, "name")) == 0 ||
             (get(n, "pinIndex")[0] != '\0' && strcmp(get(n, "pinIndex"), get(port, "portIndex")) == 0))) {
            return n;
        }
    }
    return NULL;
}

/* Bits of the largest dimension of a packed type whose range ascends, a plain vector's too: its bits may be a field's elements.
 * Of one value the leftmost bit is the highest either way. */
static uint32_t turned(const ls_elab_netlist *d, const char *id) {
    uint32_t most = 0;
    const node *t = ls_elab_type(d, id);
    for (unsigned depth = 0; t != NULL && depth < 64 && is(t, "packarraydtype"); depth++) {
        const node *r = t->child;
        while (r != NULL && !is(r, "range")) {
            r = r->next;
        }
        const bool ascends = r != NULL && r->child != NULL && r->child->next != NULL &&
                             ls_elab_constant(r->child) < ls_elab_constant(r->child->next);
        const uint32_t bits = ls_elab_bits(d, get(t, "id"), 0);
        most = ascends && bits > most ? bits : most;
        t = ls_elab_type(d, get(t, "sub_dtype_id"));
    }
    if (t != NULL && is(t, "basicdtype") && strtol(get(t, "left"), NULL, 10) < strtol(get(t, "right"), NULL, 10)) {
        const uint32_t bits = ls_elab_bits(d, get(t, "id"), 0);
        most = bits > most ? bits : most;
    }
    return most;
}

static const ls_elab_layout *layout_of(const ls_elab_netlist *d, const char *id, unsigned depth);

static void add_range(ls_elab_layout *l, long left, long right) {
    l->indexed = true;
    l->left = left;
    l->right = right;
}

/* Members, the first one uppermost; those of a union all lie at its low end. */
static void add_members(const ls_elab_netlist *d, const node *t, ls_elab_layout *l, unsigned depth) {
    uint32_t above = l->bits;
    for (const node *m = t->child; m != NULL; m = m->next) {
        if (!is(m, "memberdtype")) continue;
        const ls_elab_layout *inner = layout_of(d, get(m, "sub_dtype_id"), depth + 1);
        if (inner == NULL) continue;
        above -= is(t, "structdtype") && inner->bits <= above ? inner->bits : 0;
        l->members = ls_grow(l->members, l->member_count, sizeof *l->members);
        l->members[l->member_count++] =
            (ls_elab_member){.name = ls_copy(get(m, "name")), .low = is(t, "structdtype") ? above : 0, .layout = inner};
    }
}

/* The layout of a type, made once and kept in the design. */
static const ls_elab_layout *layout_of(const ls_elab_netlist *d, const char *id, unsigned depth) {
    const node *t = ls_elab_type(d, id);
    if (t == NULL || depth > 64) return NULL;
    const size_t at = ls_elab_id(get(t, "id"));
    if (at >= d->elab->layout_count) return NULL;
    if (d->elab->layouts[at] != NULL) return d->elab->layouts[at];
    ls_elab_layout *l = ls_alloc(1, sizeof *l);
    d->elab->layouts[at] = l;
    l->number = (uint32_t)at;
    if (is(t, "packarraydtype") || is(t, "unpackarraydtype")) {
        const node *r = t->child;
        while (r != NULL && !is(r, "range")) r = r->next;
        l->unpacked = is(t, "unpackarraydtype");
        l->inner = layout_of(d, get(t, "sub_dtype_id"), depth + 1);
        if (r != NULL && r->child != NULL && r->child->next != NULL)
            add_range(l, ls_elab_constant(r->child), ls_elab_constant(r->child->next));
        l->bits = l->inner != NULL ? times(l->inner->bits, range(t)) : 0;
        return l;
    }
    l->bits = ls_elab_bits(d, get(t, "id"), 0);
    if (is(t, "basicdtype") && get(t, "left")[0] != '\0')
        add_range(l, strtol(get(t, "left"), NULL, 10), strtol(get(t, "right"), NULL, 10));
    if (is(t, "structdtype") || is(t, "uniondtype")) add_members(d, t, l, depth);
    return l;
}

void ls_elab_shape(const ls_elab_netlist *d, const node *var, ls_elab_signal *signal) {
    const char *id = get(var, "dtype_id");
    signal->layout = layout_of(d, id, 0);
    signal->count = 1;
    signal->array = false;
    const node *t = ls_elab_type(d, id);
    for (unsigned depth = 0; t != NULL && depth < 64 && is(t, "unpackarraydtype"); depth++) {
        signal->count = times(signal->count, range(t));
        signal->array = true;
        id = get(t, "sub_dtype_id");
        t = ls_elab_type(d, id);
    }
    signal->bits = signal->count == 0 ? 0 : ls_elab_bits(d, id, 0);
    signal->turned = turned(d, id);
}
