/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of harness/dut/elab*.c: elaborates a text in a folder of the test's. With a Verilator that writes both, XML and JSON
 * must give the same, field by field; so must what is stored and read again. To be included behind cmocka. */
#ifndef ELABORATE_H
#define ELABORATE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/process.h"
#include "harness/base/text.h"
#include "harness/dut/elab.h"
#include "tb/harness/text_file.h"

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

static char *signals_differ(const char *what, const ls_elab_signal *a, size_t n, const ls_elab_signal *b, size_t m) {
    for (size_t i = 0; i < n && i < m; i++) {
        const ls_elab_signal *x = &a[i], *y = &b[i];
        if (!same_text(x->name, y->name) || !same_text(x->module, y->module) || !same_text(x->var, y->var) ||
            !same_text(x->file, y->file) || x->line != y->line || x->bits != y->bits || x->count != y->count ||
            x->array != y->array || x->turned != y->turned || x->renamed != y->renamed || x->kind != y->kind ||
            x->cleared != y->cleared)
            return ls_format(
                "%s %zu: %s of %s, %s:%u, %ux%u, array %d, turned %u, renamed %d, kind %d, cleared %d; or %s of %s, %s:%u, "
                "%ux%u, array %d, turned %u, renamed %d, kind %d, cleared %d",
                what, i, x->name, x->module, x->file, x->line, x->bits, x->count, x->array, x->turned, x->renamed, (int)x->kind,
                x->cleared, y->name, y->module, y->file, y->line, y->bits, y->count, y->array, y->turned, y->renamed,
                (int)y->kind, y->cleared);
        if (!same_layout(x->layout, y->layout)) return ls_format("the layout of %s %s", what, x->name);
    }
    return n == m ? NULL : ls_format("%zu or %zu: %s", n, m, what);
}

static char *edges_differ(const ls_elab *a, const ls_elab *b) {
    for (size_t i = 0; i < a->edge_count && i < b->edge_count; i++) {
        const ls_elab_edge *x = &a->edges[i], *y = &b->edges[i];
        if (!same_text(x->port, y->port) || x->rises != y->rises || x->falls != y->falls || x->clocks != y->clocks ||
            x->sets != y->sets || x->clears[0] != y->clears[0] || x->clears[1] != y->clears[1] || x->gates_only != y->gates_only)
            return ls_format(
                "edge %zu: %s rises %d, falls %d, clocks %d, sets %d, clears %u and %u, gates only %d; or %s rises %d, falls %d, "
                "clocks %d, sets %d, clears %u and %u, gates only %d",
                i, x->port, x->rises, x->falls, x->clocks, x->sets, x->clears[0], x->clears[1], x->gates_only, y->port, y->rises,
                y->falls, y->clocks, y->sets, y->clears[0], y->clears[1], y->gates_only);
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
    if (told == NULL) told = edges_differ(a, b);
    if (told == NULL) told = texts_differ("parameter", a->params, a->param_count, b->params, b->param_count);
    for (size_t i = 0; told == NULL && i < a->param_count; i++)
        if (a->param_limits[i] != b->param_limits[i]) told = ls_format("limit of parameter %s", a->params[i]);
    if (told == NULL) told = texts_differ("value of parameter", a->param_values, a->param_count, b->param_values, b->param_count);
    if (told == NULL) told = texts_differ("file", a->files, a->file_count, b->files, b->file_count);
    if (told == NULL) told = texts_differ("file that is used", a->used, a->used_count, b->used, b->used_count);
    if (told == NULL) told = texts_differ("module", a->modules, a->used_count, b->modules, b->used_count);
    if (told == NULL && !same_text(a->conflicts, b->conflicts))
        told = ls_format("conflicts: %s or %s", a->conflicts, b->conflicts);
    if (told == NULL && !same_text(a->outside, b->outside)) told = ls_format("outside: %s or %s", a->outside, b->outside);
    return told;
}

/* Of a test: made before, removed after it. */
static char directory[] = "/tmp/test_elab.XXXXXX";
static bool both; /* this Verilator writes XML and JSON */

__attribute__((unused)) static int make_directory(void **state) {
    (void)state;
    both = writes_both();
    return mkdtemp(directory) == NULL;
}

__attribute__((unused)) static int remove_directory(void **state) {
    (void)state;
    ls_remove_tree(directory);
    return 0;
}

__attribute__((unused)) static char *write_source(const char *name, const char *source) {
    char *path = ls_format("%s/%s", directory, name);
    text_file(path, source);
    return path;
}

/* What is stored and read again must be the same. */
__attribute__((unused)) static void stored_is_the_same(const ls_elab *elab) {
    char *path = ls_format("%s/stored", directory);
    ls_elab other;
    assert_int_equal(ls_elab_save(elab, path), 0);
    assert_int_equal(ls_elab_load(path, &other), 0);
    char *told = elabs_differ(elab, &other);
    if (told != NULL) fail_msg("stored or not: %s", told);
    ls_elab_free(&other);
    free(path);
}

/* Elaborates one source text with `top` as its top module. */
__attribute__((unused)) static ls_elab_status elaborate(const char *source, const ls_rtl *more, ls_elab *elab, char **text) {
    char *path = write_source("source.sv", source);
    ls_rtl rtl = more == NULL ? (ls_rtl){0} : *more;
    rtl.top = "top";
    rtl.files = (const char *const[]){path};
    rtl.file_count = 1;
    ls_elab_status status = ls_elab_run(&rtl, verilator(), NULL, elab, text);
    if (both && strstr(source, "`systemc") == NULL) { /* whose kind the XML does not have */
        ls_elab other;
        char *said = NULL;
        rtl.form = LS_ELAB_FORM_JSON;
        assert_int_equal(ls_elab_run(&rtl, verilator(), NULL, &other, &said), status);
        free(said);
        said = elabs_differ(elab, &other);
        if (said != NULL) fail_msg("XML or JSON: %s: %s", said, rtl.files[0]);
        ls_elab_free(&other);
    }
    if (status == LS_ELAB_OK) stored_is_the_same(elab);
    free(path);
    return status;
}

__attribute__((unused)) static ls_elab good(const char *source, const ls_rtl *more) {
    ls_elab elab;
    char *text = NULL;
    ls_elab_status status = elaborate(source, more, &elab, &text);
    if (status != LS_ELAB_OK) {
        fail_msg("%s", text);
    }
    free(text);
    return elab;
}

#endif
