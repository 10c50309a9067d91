/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/dut/elab_scopes.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/base/text.h"

enum { PATH_PARTS = 64 };

const node *ls_elab_range_of(const node *n) {
    for (n = n->child; n != NULL; n = n->next) {
        if (is(n, "range") && n->child != NULL && n->child->next != NULL) {
            return n;
        }
    }
    return NULL;
}

/* A name as the RTL has it: "__05F" is the character 0x5F, "__BRA__2__KET__" is "[2]". */
char *ls_elab_plain(const char *name) {
    ls_text text = {0};
    ls_text_put(&text, "", 0);
    while (*name != '\0') {
        static const struct { const char *mangled, *plain; } words[] = {{"__BRA__", "["}, {"__KET__", "]"}, {"__DOT__", "."}};
        size_t i = 0;
        while (i < sizeof words / sizeof *words && strncmp(name, words[i].mangled, 7) != 0) {
            i++;
        }
        unsigned character;
        if (i < sizeof words / sizeof *words) {
            ls_text_put(&text, words[i].plain, 1);
            name += 7;
        } else if (strncmp(name, "__0", 3) == 0 && strspn(name + 3, "0123456789ABCDEF") >= 2 &&
                   sscanf(name + 3, "%2x", &character) == 1) {
            const char byte = (char)character;
            ls_text_put(&text, &byte, 1);
            name += 5;
        } else {
            ls_text_put(&text, name++, 1);
        }
    }
    return ls_text_take(&text);
}

const node *ls_elab_module_named(const ls_elab_netlist *d, const char *mangled) {
    const node *found = NULL;
    char *name = ls_elab_plain(mangled);
    for (size_t i = 0; i < d->module_count && found == NULL; i++) {
        const char *other = get(d->modules[i], "name");
        found = strcmp(other, name) == 0 || strcmp(other, mangled) == 0 ? d->modules[i] : NULL;
    }
    free(name);
    return found;
}

static ls_elab_scope *new_scope(ls_elab_scope *parent, char *name, const node *block, const node *instance) {
    ls_elab_scope *s = ls_alloc(1, sizeof *s);
    *s = (ls_elab_scope){.name = name, .block = block, .instance = instance, .parent = parent, .span = 1};
    s->module = is_module(block) ? s : parent->module;
    if (parent != NULL) {
        *(parent->last == NULL ? &parent->child : &parent->last->next) = s;
        parent->last = s;
    }
    return s;
}

static void build_scopes(const ls_elab_hierarchy *h, ls_elab_scope *s, const node *block, unsigned depth) {
    for (const node *n = depth > 512 ? NULL : block->child; n != NULL; n = n->next) {
        const char *name = get(n, "name");
        if (is(n, "begin")) {
            build_scopes(h, name[0] == '\0' ? s : new_scope(s, ls_elab_plain(name), n, NULL), n, depth + 1);
        }
        const node *module = is(n, "instance") ? ls_elab_module_named(h->d, get(n, "defName")) : NULL,
                   *r = module == NULL ? NULL : ls_elab_range_of(n);
        if (module != NULL && r == NULL) {
            build_scopes(h, new_scope(s, ls_elab_plain(name), module, n), module, depth + 1);
        } else if (module != NULL) {
            const long left = ls_elab_constant(r->child), right = ls_elab_constant(r->child->next);
            const long span = (left > right ? left - right : right - left) + 1;
            for (long i = 0; i < span && span < 1 << 20; i++) {
                ls_elab_scope *inner = new_scope(s, ls_format("%s[%ld]", name, left > right ? left - i : left + i), module, n);
                inner->index = i;
                inner->span = span;
                build_scopes(h, inner, module, depth + 1);
            }
        }
    }
}

static void free_scopes(ls_elab_scope *s) {
    while (s != NULL) {
        ls_elab_scope *next = s->next;
        free_scopes(s->child);
        free(s->name);
        free(s);
        s = next;
    }
}

static const ls_elab_scope *child_named(const ls_elab_scope *s, const char *name) {
    for (s = s->child; s != NULL; s = s->next) {
        if (strcmp(s->name, name) == 0) {
            return s;
        }
    }
    return NULL;
}

/* The scope in which a node of the instance `s` stands. */
const ls_elab_scope *ls_elab_scope_around(const ls_elab_scope *s, const node *n) {
    if (n == NULL || n == s->block || is_module(n)) {
        return s->module;
    }
    const ls_elab_scope *outer = ls_elab_scope_around(s, n->parent);
    for (const ls_elab_scope *inner = outer->child; inner != NULL; inner = inner->next) {
        if (inner->block == n) {
            return inner;
        }
    }
    return outer;
}

const char *ls_elab_file_of(const ls_elab_netlist *d, const node *n) {
    const ls_elab_origin at = ls_elab_place(n);
    for (const node *list = d->netlist->parent->child; list != NULL; list = list->next) {
        for (const node *f = is(list, "files") ? list->child : NULL; f != NULL; f = f->next) {
            if (strcmp(get(f, "id"), at.file) == 0) {
                return get(f, "filename");
            }
        }
    }
    return "";
}

/* The line of the RTL in which a node is written, up to it. "" when it cannot be read. */
static char *text_before(const ls_elab_hierarchy *h, const node *n) {
    const ls_elab_origin at = ls_elab_place(n);
    FILE *f = fopen(ls_elab_file_of(h->d, n), "r");
    char line[4096] = "";
    for (unsigned i = 0; f != NULL && i < at.line && fgets(line, sizeof line, f) != NULL; i += strchr(line, '\n') != NULL) {
    }
    if (f != NULL) {
        (void)fclose(f);
    }
    line[at.column == 0 || at.column > strlen(line) ? 0 : at.column - 1] = '\0';
    return ls_copy(line);
}

/* What the hierarchical name that ends in `n` lies in. The XML has the last part alone: the others are read in the RTL. */
const ls_elab_scope *ls_elab_scope_before(const ls_elab_hierarchy *h, const ls_elab_scope *from, const node *n, unsigned depth) {
    char *line = text_before(h, n);
    size_t end = strlen(line), begin;
    const ls_elab_scope *found = NULL;
    if (end > 1 && line[end - 1] == '.') {
        static const char parts[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.[]";
        line[--end] = '\0';
        for (begin = end; begin > 0 && strchr(parts, line[begin - 1]) != NULL; begin--) {
        }
        found = ls_elab_scope_follow(h, from, line + begin, depth);
    }
    free(line);
    return found;
}

/* The interface that the expression of a port stands for, in the instance `at`; element `index` of an array of interfaces, or -1.
 */
static const ls_elab_scope *interface_of(const ls_elab_hierarchy *h, const ls_elab_scope *at, const node *expression, long index,
                                         unsigned depth) {
    static const char own[] = "__Viftop";
    if (is(expression, "arraysel") && expression->child != NULL && expression->child->next != NULL) {
        return is(expression->child->next, "const")
                   ? interface_of(h, at, expression->child, ls_elab_constant(expression->child->next), depth)
                   : NULL;
    }
    if (!is(expression, "varref") && !is(expression, "varxref")) {
        return NULL;
    }
    const char *name = get(expression, "name"), *dotted = get(expression, "dotted");
    const size_t length = strlen(name), tail = sizeof own - 1;
    const bool instance = length > tail && strcmp(name + length - tail, own) == 0;
    char *base = ls_elab_plain(name), *outer = ls_elab_plain(dotted);
    base[strlen(base) - (instance ? tail : 0)] = '\0';
    const ls_elab_scope *found = NULL;
    const ls_elab_scope *block = ls_elab_scope_around(at, expression);
    char *path = outer[0] == '\0' ? ls_copy(base) : ls_format("%s.%s", outer, base);
    if (index < 0) {
        found = ls_elab_scope_follow(h, block, path, depth);
    } else {
        for (const ls_elab_scope *s = block; s != NULL && found == NULL; s = s == s->module ? NULL : s->parent) {
            for (const ls_elab_scope *k = s->child; k != NULL && found == NULL; k = k->next) {
                const size_t n = strlen(base);
                const node *r = k->instance == NULL ? NULL : ls_elab_range_of(k->instance);
                if (r != NULL && strncmp(k->name, base, n) == 0 && k->name[n] == '[') {
                    const bool descends = ls_elab_constant(r->child) > ls_elab_constant(r->child->next);
                    found = index == (descends ? k->span - 1 - k->index : k->index) ? k : NULL;
                }
            }
        }
        char *element = ls_format("%s[%ld]", path, index);
        found = found == NULL ? ls_elab_scope_follow(h, block, element, depth) : found;
        free(element);
    }
    if (found == NULL && outer[0] == '\0') {
        const ls_elab_scope *in = ls_elab_scope_before(h, block, expression, depth);
        found = in == NULL ? NULL : child_named(in, base);
    }
    free(path);
    free(base);
    free(outer);
    return found;
}

/* What is behind an interface port of the instance `s`, which may be one of an array: "b" or "b[1]". */
static const ls_elab_scope *behind_port(const ls_elab_hierarchy *h, const ls_elab_scope *s, const char *name, unsigned depth) {
    if (s != s->module || s->instance == NULL || depth > 64) {
        return NULL;
    }
    const size_t length = strcspn(name, "[");
    const node *var = s->block->child;
    while (var != NULL &&
           (!is(var, "var") || strlen(get(var, "name")) != length || strncmp(get(var, "name"), name, length) != 0)) {
        var = var->next;
    }
    if (var == NULL || strcmp(get(var, "vartype"), "ifaceref") != 0) {
        return NULL;
    }
    size_t place = 0; /* of connections without names; how many interface ports are before */
    for (const node *n = s->block->child; n != var; n = n->next) {
        place += is(n, "var") && (get(n, "dir")[0] != '\0' || strcmp(get(n, "vartype"), "ifaceref") == 0);
    }
    char *number = ls_format("__pinNumber%zu", place + 1), *named = ls_format("%.*s", (int)length, name);
    const node *port = s->instance->child;
    while (port != NULL && (!is(port, "port") || port->child == NULL ||
                            (strcmp(get(port, "name"), named) != 0 && strcmp(get(port, "name"), number) != 0))) {
        port = port->next;
    }
    free(number);
    free(named);
    if (port == NULL) {
        return NULL;
    }
    const node *t = ls_elab_type(h->d, get(port->child, "dtype_id"));
    const bool several = t != NULL && is(t, "unpackarraydtype");
    long index = -1;
    if (name[length] == '[') { /* elements count from the lowest */
        const node *own = ls_elab_type(h->d, get(var, "dtype_id")), *r = own == NULL ? NULL : ls_elab_range_of(own);
        const long a = r == NULL ? 0 : ls_elab_constant(r->child), b = r == NULL ? 0 : ls_elab_constant(r->child->next);
        index = strtol(name + length + 1, NULL, 10) - (a < b ? a : b);
    } else if (several && s->span > 1) {
        const node *r = ls_elab_range_of(t);
        const bool descends = r != NULL && ls_elab_constant(r->child) > ls_elab_constant(r->child->next);
        index = descends ? s->span - 1 - s->index : s->index;
    }
    return interface_of(h, s->parent->module, port->child, index, depth + 1);
}

/* The scope behind the parts of a path, one inside the other, from `s` on. */
static const ls_elab_scope *descend(const ls_elab_hierarchy *h, const ls_elab_scope *s, char *const *parts, size_t count,
                                    unsigned depth) {
    for (size_t i = 0; i < count && s != NULL; i++) {
        const ls_elab_scope *inner = child_named(s, parts[i]);
        s = inner != NULL ? inner : behind_port(h, s, parts[i], depth);
    }
    return s;
}

/* The scope that a hierarchical name means in scope `from`: its first part is looked for outwards (IEEE 1800-2017, 23.8). */
const ls_elab_scope *ls_elab_scope_follow(const ls_elab_hierarchy *h, const ls_elab_scope *from, const char *path,
                                          unsigned depth) {
    char *text = ls_copy(path), *parts[PATH_PARTS];
    size_t count = 0;
    for (char *part = text; part != NULL && count < PATH_PARTS;) {
        char *dot = strchr(part, '.');
        if (dot != NULL) {
            *dot++ = '\0';
        }
        parts[count++] = part;
        part = dot;
    }
    const ls_elab_scope *found = NULL;
    if (count > 1 && strcmp(parts[0], "$root") == 0) {
        found = strcmp(parts[1], h->root->name) == 0 ? descend(h, h->root, parts + 2, count - 2, depth) : NULL;
    }
    for (const ls_elab_scope *s = from; s != NULL && found == NULL; s = s->parent) {
        found = descend(h, s, parts, count, depth);
        if (found == NULL && s == s->module &&
            (strcmp(get(s->block, "origName"), parts[0]) == 0 || strcmp(s->name, parts[0]) == 0)) {
            found = descend(h, s, parts + 1, count - 1, depth);
        }
    }
    free(text);
    return found;
}

void ls_elab_hierarchy_make(ls_elab_hierarchy *h, const ls_elab_netlist *d) {
    *h = (ls_elab_hierarchy){.d = d};
    for (size_t i = 0; i < d->module_count && h->root == NULL; i++) {
        if (get(d->modules[i], "topModule")[0] != '\0') {
            h->root = new_scope(NULL, ls_elab_plain(get(d->modules[i], "name")), d->modules[i], NULL);
            build_scopes(h, h->root, d->modules[i], 0);
        }
    }
}

void ls_elab_hierarchy_free(ls_elab_hierarchy *h) {
    free_scopes(h->root);
    *h = (ls_elab_hierarchy){0};
}
