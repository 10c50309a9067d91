/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of the readers of Verilator's XML and JSON: whether two elaborations are the same, field by field. */
#ifndef SAME_ELAB_H
#define SAME_ELAB_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/dut/elab.h"

/* The Verilator of the engine's choice; NULL: "verilator". */
static const char *verilator(void) { return getenv("VERILATOR"); }

/* Whether that Verilator writes both formats. */
__attribute__((unused)) static bool writes_both(void) {
    char *command = ls_format("%s --version", verilator() == NULL ? "verilator" : verilator()), line[256] = "";
    FILE *f = popen(command, "r");
    const bool said = f != NULL && fgets(line, sizeof line, f) != NULL;
    if (f != NULL) (void)pclose(f);
    free(command);
    const unsigned number = said ? ls_verilator_number(line) : 0;
    return number >= 5040 && number <= 5044; /* JSON is there since 5.024, in this form since 5.040 */
}

static bool same_text(const char *a, const char *b) { return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0; }

static char *signals_differ(const char *what, const ls_elab_signal *a, size_t n, const ls_elab_signal *b, size_t m) {
    for (size_t i = 0; i < n && i < m; i++) {
        const ls_elab_signal *x = &a[i], *y = &b[i];
        if (!same_text(x->name, y->name) || !same_text(x->module, y->module) || !same_text(x->var, y->var) ||
            !same_text(x->file, y->file) || x->line != y->line || x->bits != y->bits || x->count != y->count ||
            x->array != y->array || x->turned != y->turned || x->renamed != y->renamed || x->kind != y->kind)
            return ls_format("%s %zu: %s of %s, %s:%u, %ux%u, turned %u, kind %d; or %s of %s, %s:%u, %ux%u, turned %u, kind %d",
                             what, i, x->name, x->module, x->file, x->line, x->bits, x->count, x->turned, (int)x->kind, y->name,
                             y->module, y->file, y->line, y->bits, y->count, y->turned, (int)y->kind);
    }
    return n == m ? NULL : ls_format("%zu or %zu: %s", n, m, what);
}

static bool same_layout(const ls_elab_layout *a, const ls_elab_layout *b) {
    if (a == NULL || b == NULL) return a == b;
    if (a->bits != b->bits || a->indexed != b->indexed || a->unpacked != b->unpacked || a->left != b->left ||
        a->right != b->right || a->member_count != b->member_count || !same_layout(a->inner, b->inner))
        return false;
    for (uint32_t i = 0; i < a->member_count; i++) {
        const ls_elab_member *x = &a->members[i], *y = &b->members[i];
        if (!same_text(x->name, y->name) || x->low != y->low || !same_layout(x->layout, y->layout)) return false;
    }
    return true;
}

static char *layouts_differ(const char *what, const ls_elab_signal *a, const ls_elab_signal *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!same_layout(a[i].layout, b[i].layout)) return ls_format("the layout of %s %s", what, a[i].name);
    return NULL;
}

static char *edges_differ(const ls_elab *a, const ls_elab *b) {
    for (size_t i = 0; i < a->edge_count && i < b->edge_count; i++) {
        const ls_elab_edge *x = &a->edges[i], *y = &b->edges[i];
        if (!same_text(x->port, y->port) || x->rises != y->rises || x->falls != y->falls || x->clocks != y->clocks ||
            x->sets != y->sets)
            return ls_format("edge %zu: %s rises %d, falls %d, clocks %d, sets %d; or %s rises %d, falls %d, clocks %d, sets %d",
                             i, x->port, x->rises, x->falls, x->clocks, x->sets, y->port, y->rises, y->falls, y->clocks, y->sets);
    }
    return a->edge_count == b->edge_count ? NULL : ls_format("%zu or %zu edges", a->edge_count, b->edge_count);
}

static char *texts_differ(const char *what, char *const *a, size_t n, char *const *b, size_t m) {
    for (size_t i = 0; i < n && i < m; i++)
        if (!same_text(a[i], b[i])) return ls_format("%s %zu: %s or %s", what, i, a[i], b[i]);
    return n == m ? NULL : ls_format("%zu or %zu: %s", n, m, what);
}

/* NULL, or the first difference, to be freed. */
__attribute__((unused)) static char *elabs_differ(const ls_elab *a, const ls_elab *b) {
    char *told = signals_differ("port", a->ports, a->port_count, b->ports, b->port_count);
    if (told == NULL) told = signals_differ("register", a->registers, a->register_count, b->registers, b->register_count);
    if (told == NULL) told = layouts_differ("port", a->ports, b->ports, a->port_count);
    if (told == NULL) told = layouts_differ("register", a->registers, b->registers, a->register_count);
    if (told == NULL) told = edges_differ(a, b);
    if (told == NULL) told = texts_differ("parameter", a->params, a->param_count, b->params, b->param_count);
    if (told == NULL) told = texts_differ("value of parameter", a->param_values, a->param_count, b->param_values, b->param_count);
    if (told == NULL) told = texts_differ("file", a->files, a->file_count, b->files, b->file_count);
    if (told == NULL) told = texts_differ("file that is used", a->used, a->used_count, b->used, b->used_count);
    if (told == NULL) told = texts_differ("module", a->modules, a->used_count, b->modules, b->used_count);
    if (told == NULL && !same_text(a->conflicts, b->conflicts))
        told = ls_format("conflicts: %s or %s", a->conflicts, b->conflicts);
    if (told == NULL && !same_text(a->outside, b->outside)) told = ls_format("outside: %s or %s", a->outside, b->outside);
    return told;
}

#endif
