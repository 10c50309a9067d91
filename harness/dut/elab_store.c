/* SPDX-License-Identifier: Apache-2.0 */
/* An elaboration as a file of the cache: what a run needs of a design, without the document that it was read from. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/dut/elab.h"

#define BEGIN "elaboration 2" /* another number when what is below changes */

/* One walk through the members writes them to `out`, or reads them from `at` on: what is written is what is read. */
typedef struct codec {
    ls_text out;
    const char *at, *end; /* NULL: it writes */
    bool wrong;           /* what it read is no elaboration */
} codec;

static bool reads(const codec *c) { return c->at != NULL; }

static const char *taken(codec *c, uint64_t size) {
    const char *bytes = c->at;
    c->wrong = c->wrong || size > (uint64_t)(c->end - c->at);
    if (c->wrong) return NULL;
    c->at += size;
    return bytes;
}

static uint64_t number(codec *c, uint64_t value) {
    if (!reads(c)) {
        ls_text_put(&c->out, &value, sizeof value);
        return value;
    }
    const char *bytes = taken(c, sizeof value);
    value = 0;
    if (bytes != NULL) memcpy(&value, bytes, sizeof value);
    return value;
}

static uint32_t number32(codec *c, uint32_t value) { return (uint32_t)number(c, value); }
static bool flag(codec *c, bool value) { return number(c, value) != 0; }

/* NULL is length 0, any text its length and one. */
static char *text(codec *c, char *value) {
    const uint64_t length = number(c, value != NULL ? strlen(value) + 1 : 0);
    if (!reads(c)) {
        if (value != NULL) ls_text_put(&c->out, value, length - 1);
        return value;
    }
    const char *bytes = length > 0 ? taken(c, length - 1) : NULL;
    return bytes != NULL ? ls_format("%.*s", (int)(length - 1), bytes) : NULL;
}

/* A list of `*count` elements of `size` bytes: reading, it is new, and of the length that was written. */
static void *list(codec *c, void *value, size_t *count, size_t size) {
    const uint64_t length = number(c, *count);
    if (!reads(c)) return value;
    c->wrong = c->wrong || length > (uint64_t)(c->end - c->at); /* an element takes a byte at least */
    *count = c->wrong ? 0 : (size_t)length;
    return ls_alloc(*count, size);
}

/* A list of texts, or of pairs of them. */
static void texts(codec *c, char ***first, char ***second, size_t *count) {
    *first = list(c, *first, count, sizeof **first);
    if (reads(c) && second != NULL) *second = ls_alloc(*count, sizeof **second);
    for (size_t i = 0; i < *count; i++) {
        (*first)[i] = text(c, (*first)[i]);
        if (second != NULL) (*second)[i] = text(c, (*second)[i]);
    }
}

/* A layout by its place in the list; 0 is none. */
static const ls_elab_layout *layout(codec *c, const ls_elab *e, const ls_elab_layout *value) {
    const uint64_t at = number(c, value != NULL ? value->number + (uint64_t)1 : 0);
    if (!reads(c)) return value;
    c->wrong = c->wrong || at > e->layout_count || (at > 0 && e->layouts[at - 1] == NULL);
    return c->wrong || at == 0 ? NULL : e->layouts[at - 1];
}

static void layouts(codec *c, ls_elab *e) {
    e->layouts = list(c, e->layouts, &e->layout_count, sizeof *e->layouts);
    for (size_t i = 0; i < e->layout_count; i++) {
        const bool is = flag(c, e->layouts[i] != NULL);
        if (reads(c) && is) e->layouts[i] = ls_alloc(1, sizeof **e->layouts);
    }
    for (size_t i = 0; i < e->layout_count; i++) {
        ls_elab_layout *l = e->layouts[i];
        if (l == NULL) continue;
        l->number = number32(c, l->number);
        l->bits = number32(c, l->bits);
        l->indexed = flag(c, l->indexed);
        l->unpacked = flag(c, l->unpacked);
        l->left = (long)number(c, (uint64_t)l->left);
        l->right = (long)number(c, (uint64_t)l->right);
        l->inner = layout(c, e, l->inner);
        size_t members = l->member_count;
        l->members = list(c, l->members, &members, sizeof *l->members);
        l->member_count = (uint32_t)members;
        for (uint32_t k = 0; k < l->member_count; k++) {
            ls_elab_member *m = &l->members[k];
            m->name = text(c, m->name);
            m->low = number32(c, m->low);
            m->layout = layout(c, e, m->layout);
        }
    }
}

static void signals(codec *c, const ls_elab *e, ls_elab_signal **value, size_t *count) {
    *value = list(c, *value, count, sizeof **value);
    for (size_t i = 0; i < *count; i++) {
        ls_elab_signal *s = &(*value)[i];
        s->name = text(c, s->name);
        s->module = text(c, s->module);
        s->var = text(c, s->var);
        s->file = text(c, s->file);
        s->line = number32(c, s->line);
        s->bits = number32(c, s->bits);
        s->count = number32(c, s->count);
        s->array = flag(c, s->array);
        s->turned = number32(c, s->turned);
        s->cleared = flag(c, s->cleared);
        s->renamed = flag(c, s->renamed);
        s->kind = (ls_elab_kind)number(c, s->kind);
        s->layout = layout(c, e, s->layout);
    }
}

static void walk(codec *c, ls_elab *e) {
    layouts(c, e);
    signals(c, e, &e->ports, &e->port_count);
    signals(c, e, &e->registers, &e->register_count);
    e->edges = list(c, e->edges, &e->edge_count, sizeof *e->edges);
    for (size_t i = 0; i < e->edge_count; i++) {
        ls_elab_edge *edge = &e->edges[i];
        edge->port = text(c, edge->port);
        edge->rises = flag(c, edge->rises);
        edge->falls = flag(c, edge->falls);
        edge->clocks = flag(c, edge->clocks);
        edge->sets = flag(c, edge->sets);
        for (size_t k = 0; k < 2; k++) edge->clears[k] = number32(c, edge->clears[k]);
        edge->gates_only = flag(c, edge->gates_only);
    }
    texts(c, &e->params, &e->param_values, &e->param_count);
    if (reads(c)) e->param_limits = ls_alloc(e->param_count, sizeof *e->param_limits);
    for (size_t i = 0; i < e->param_count; i++) e->param_limits[i] = number32(c, e->param_limits[i]);
    texts(c, &e->files, NULL, &e->file_count);
    texts(c, &e->used, &e->modules, &e->used_count);
    e->conflicts = text(c, e->conflicts);
    e->outside = text(c, e->outside);
}

int ls_elab_save(const ls_elab *elab, const char *path) {
    codec c = {0};
    ls_elab copy = *elab; /* writing changes nothing that it points to */
    (void)text(&c, (char[]){BEGIN});
    walk(&c, &copy);
    const int error = ls_text_write(&c.out, path);
    free(c.out.data);
    return error;
}

int ls_elab_load(const char *path, ls_elab *elab) {
    *elab = (ls_elab){0};
    ls_text read = {0};
    int error = ls_text_read(&read, path);
    codec c = {.at = read.data, .end = read.data + read.size};
    if (error == 0 && read.data == NULL) error = -EBADMSG;
    if (error == 0) {
        char *begin = text(&c, NULL);
        c.wrong = c.wrong || begin == NULL || strcmp(begin, BEGIN) != 0;
        free(begin);
        if (!c.wrong) walk(&c, elab);
        if (c.wrong || c.at != c.end) error = -EBADMSG;
    }
    free(read.data);
    if (error != 0) ls_elab_free(elab);
    return error;
}
