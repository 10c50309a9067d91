/* SPDX-License-Identifier: Apache-2.0 */
/* What the shim binds to: registers that Verilator publishes, and the table of signals. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "harness/dut/make_parts.h"

static const ls_elab_signal *port_named(const ls_elab *elab, const char *name) {
    for (size_t i = 0; i < elab->port_count; i++) {
        if (strcmp(elab->ports[i].name, name) == 0) {
            return &elab->ports[i];
        }
    }
    return NULL;
}

ls_text ls_make_configuration(const ls_elab *elab, const ls_build_request *r) {
    ls_args lines = {0};
    for (size_t i = 0; i < elab->register_count; i++) {
        const ls_elab_signal *s = &elab->registers[i];
        if (s->bits > 0 && port_named(elab, s->name) == NULL) {
            ls_args_add(&lines, "public_flat_rd -module \"%s\" -var \"%s\"\n", s->module, s->var);
        }
    }
    ls_args_sort(&lines);
    ls_text text = {0};
    ls_text_add(&text, "`verilator_config\n");
    for (size_t i = 0; i < lines.count; i++) {
        if (i == 0 || strcmp(lines.list[i], lines.list[i - 1]) != 0) {
            ls_text_add(&text, "%s", lines.list[i]);
        }
    }
    for (size_t i = 0; i < r->uncovered_count && (r->flags & LS_BUILD_COVERAGE) != 0; i++) {
        ls_text_add(&text, "coverage_off -file \"%s\"\n", r->uncovered[i]);
    }
    ls_args_free(&lines);
    return text;
}

/* `size` characters as a C string literal. */
static char *quoted(const char *text, size_t size) {
    ls_text out = {0};
    ls_text_put(&out, "\"", 1);
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"' || text[i] == '\\') {
            ls_text_put(&out, "\\", 1);
        }
        ls_text_put(&out, text + i, 1);
    }
    ls_text_put(&out, "\"", 1);
    return ls_text_take(&out);
}

/* The member of Verilator's class that a port is: its name, behind a prefix when that is a word of C++ ("set"). To be freed. */
static char *member_of(const char *header, const char *var) {
    char *prefixed = ls_format("__SYM__%s", var);
    const size_t n = strlen(prefixed);
    for (const char *at = header; (at = strstr(at, prefixed)) != NULL; at += n)
        if (!isalnum((unsigned char)at[n]) && at[n] != '_') return prefixed;
    free(prefixed);
    return ls_copy(var);
}

static bool is_pin(const ls_elab_signal *s, const char *name) {
    return s->bits == 1 && s->count == 1 && s->kind == LS_ELAB_IN && strcmp(s->name, name) == 0;
}

const ls_elab_signal *ls_make_clock(const ls_elab *elab, const ls_rtl *rtl) {
    for (size_t i = 0; i < elab->port_count; i++)
        if (is_pin(&elab->ports[i], ls_rtl_clock(rtl))) return &elab->ports[i];
    return NULL;
}

static void table_port(ls_text *text, const ls_rtl *rtl, const ls_elab_signal *s, const char *header) {
    if (is_pin(s, ls_rtl_clock(rtl))) {
        ls_text_add(text, "LS_CLOCK(%s)\n", s->var);
    } else if (is_pin(s, ls_rtl_reset(rtl))) {
        ls_text_add(text, "LS_RESET(%s)\n", s->var);
    } else if (s->bits > 0 && s->kind != LS_ELAB_INOUT) {
        char *name = quoted(s->name, strlen(s->name)), *member = member_of(header, s->var);
        ls_text_add(text, "LS_PORT(%s, %s, %s, %u, %u)\n", s->kind == LS_ELAB_IN ? "IN" : "OUT", name, member, s->bits, s->count);
        free(name);
        free(member);
    }
}

int ls_make_table(const ls_elab *elab, const ls_rtl *rtl, const char *header, const char *path) {
    const char *top = rtl->top;
    ls_text text = {0}, class = {0};
    (void)ls_text_read(&class, header);
    ls_text_put(&class, "", 1);
    ls_text_add(&text, "LS_TOP(\"%s\")\n", top);
    for (size_t i = 0; i < elab->port_count; i++) {
        table_port(&text, rtl, &elab->ports[i], class.data);
    }
    for (size_t i = 0; i < elab->register_count; i++) {
        const ls_elab_signal *s = &elab->registers[i];
        if (s->bits == 0 || port_named(elab, s->name) != NULL) {
            continue;
        }
        const char *dot = s->renamed ? NULL : strrchr(s->name, '.');
        const char *var = s->renamed ? s->var : dot == NULL ? s->name : dot + 1;
        char *inner = ls_format("%s%s%.*s", top, dot == NULL ? "" : ".", dot == NULL ? 0 : (int)(dot - s->name), s->name);
        char *scope = quoted(inner, strlen(inner)), *quoted_var = quoted(var, strlen(var)),
             *name = quoted(s->name, strlen(s->name));
        ls_text_add(&text, "LS_REG(%s, %s, %s, %u, %u)\n", scope, quoted_var, name, s->bits, s->count);
        free(inner);
        free(scope);
        free(quoted_var);
        free(name);
    }
    free(ls_text_take(&class));
    int error = ls_text_write(&text, path);
    free(text.data);
    return error;
}
