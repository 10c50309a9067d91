/* SPDX-License-Identifier: Apache-2.0 */
#include "waves/gtkw.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/core/plan.h"
#include "waves/label.h"

/* GTKWave's trace flags (analyzer.h) and colours. */
enum {
    HEX = 0x22,
    DECIMAL = 0x24,
    BINARY = 0x28,
    BLANK = 0x200,
    GROUP = 0x800200,
    GROUP_END = 0x1000200,
    GROUP_CLOSED = 0xc00200,
    GROUP_CLOSED_END = 0x1401200,
    ENUMERATED = 0x100000028
};
enum { RED = 1, ORANGE = 2, YELLOW = 3, GREEN = 4 };

#define BEFORE_CYCLES 4u /* left of the marker in the window */
#define ZOOM (-14.0)     /* of 2: time units that 200 pixels show, 120 pixels a cycle of 10000 */
#define ARRAY_MAX 64u    /* elements of an array that are listed; others: in the tree */
#define PLAIN_BITS 64u   /* wider values are shown by 32-bit lanes where they differ */

/* The writer: the view, what was written, and the flags in force. */
typedef struct writer {
    const ls_view *view;
    ls_text *text;
    unsigned long flags;
} writer;

/* A line with its flags, which hold until they change. */
static void put_line(writer *w, unsigned long flags, int color, const char *line) {
    if (flags != w->flags) ls_text_add(w->text, "@%lx\n", flags);
    w->flags = flags;
    if (color != 0) ls_text_add(w->text, "[color] %d\n", color);
    ls_text_add(w->text, "%s\n", line);
}

static void heading(writer *w, unsigned long flags, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void heading(writer *w, unsigned long flags, const char *format, ...) {
    char line[512] = "-";
    va_list list;
    va_start(list, format);
    (void)vsnprintf(line + 1, sizeof line - 1, format, list);
    va_end(list);
    put_line(w, flags, 0, line);
}

/* The signal `path` below the top module, or NULL. */
static const ls_wave_name *find(const writer *w, const char *path) {
    char *whole = ls_format("TOP." LS_WAVE_TOP ".%s", w->view->unit->name, path);
    const ls_wave_name *name = ls_wave_names_find(w->view->names, whole);
    free(whole);
    return name;
}

/* A whole signal, when the file holds it. */
static void trace(writer *w, unsigned long flags, int color, const char *alias, const char *path) {
    const ls_wave_name *name = find(w, path);
    if (name == NULL) return;
    char *line = ls_format("+{%s} %s%s", alias, name->shown, name->range);
    put_line(w, name->bits == 1 && flags == HEX ? (unsigned long)BINARY : flags, color, line);
    free(line);
}

/* The members of a packed struct, of which the file holds no whole, by name. GTKWave cuts labels at dots. */
static void members(writer *w, int color, const char *alias, const char *path) {
    char *whole = ls_format("TOP." LS_WAVE_TOP ".%s.", w->view->unit->name, path);
    const size_t n = strlen(whole);
    for (size_t i = ls_wave_names_from(w->view->names, whole); i < w->view->names->count; i++) {
        const ls_wave_name *name = &w->view->names->list[i];
        if (strncmp(name->path, whole, n) != 0) break;
        char *label = ls_format("%s %s", alias, name->path + n);
        for (char *dot = label; (dot = strchr(dot, '.')) != NULL;) *dot = ' ';
        trace(w, HEX, color, label, name->path + (n - strlen(path) - 1));
        free(label);
    }
    free(whole);
}

/* The bits low .. low + count - 1 of a signal, when the file holds them. */
static void bits(writer *w, int color, const char *alias, const char *path, uint32_t low, uint32_t count) {
    const ls_wave_name *name = find(w, path);
    if (name == NULL || low + count > name->bits) return;
    if (low == 0 && count == name->bits) {
        trace(w, HEX, color, alias, path);
        return;
    }
    ls_text line = {0};
    ls_text_add(&line, "#{%s}", alias);
    for (uint32_t i = low + count; i-- > low;) ls_text_add(&line, " (%u)%s%s", name->bits - 1 - i, name->shown, name->range);
    put_line(w, count == 1 ? BINARY : HEX, color, line.data);
    free(ls_text_take(&line));
}

/* Bits of one element of a field in the scope `side`, whether the RTL has the field as an array or as one vector. */
static void element_bits(writer *w, int color, const char *side, const char *part, const ls_field *f, uint32_t element,
                         uint32_t low, uint32_t count) {
    char name[256];
    (void)ls_wave_label(f, side, name, sizeof name);
    if (f->pieces != NULL && strcmp(side, "rtl") == 0) side = "theirs";
    char *whole = ls_format("%s.%s", side, name), *one = ls_format("%s[%u]", whole, element);
    char *label = ls_format("%s%s", side, part);
    if (find(w, one) != NULL) bits(w, color, label, one, low, count);
    else bits(w, color, label, whole, element * f->bits + low, count);
    members(w, color, side, one);
    members(w, color, side, whole);
    free(whole);
    free(one);
    free(label);
}

static void row_difference(writer *w, const ls_field *f, uint32_t row) {
    char name[256];
    char *path = ls_format("diff.%s", ls_wave_label(f, "diff", name, sizeof name));
    bits(w, RED, "diff row", path, row, 1);
    free(path);
}

/* rtl, model and diff of one part of an element. */
static void part(writer *w, const ls_field *f, uint32_t element, uint32_t low, uint32_t count) {
    char name[256], index[32] = "", lane[32] = "", which[64] = "";
    (void)ls_rtl_name(f, name, sizeof name);
    if (f->count > 1) (void)snprintf(index, sizeof index, "[%u]", element);
    if (count < f->bits) {
        (void)snprintf(lane, sizeof lane, " lane %u", low / 32);
        (void)snprintf(which, sizeof which, ", lane %u: bits %u:%u", low / 32, low + count - 1, low);
    }
    heading(w, BLANK, "%s%s%s", name, index, which);
    element_bits(w, YELLOW, "rtl", lane, f, element, low, count);
    element_bits(w, GREEN, "model", lane, f, element, low, count);
    if (ls_wave_by_row(f)) row_difference(w, f, element);
    else element_bits(w, RED, "diff", lane, f, element, low, count);
}

static void difference(writer *w, const ls_view_difference *d) {
    const ls_field *f = &w->view->fields->list[d->field];
    if (f->bits <= PLAIN_BITS) {
        part(w, f, d->element, 0, f->bits);
        return;
    }
    uint32_t shown = 0;
    for (uint32_t lane = 0; lane * 32 < f->bits && shown < LS_VIEW_ELEMENTS; lane++) {
        if ((d->lanes >> lane & 1) == 0) continue;
        part(w, f, d->element, lane * 32, f->bits - lane * 32 < 32 ? f->bits - lane * 32 : 32);
        shown++;
    }
    if ((uint32_t)__builtin_popcount(d->lanes) > shown)
        heading(w, BLANK, "and %d more lanes", __builtin_popcount(d->lanes) - (int)shown);
}

/* A register of the RTL, whole, with what the file has in its place: members, elements. */
static void theirs(writer *w, const char *label, const char *name) {
    char *path = ls_format("rtl.%s", name);
    trace(w, HEX, YELLOW, label, path);
    members(w, YELLOW, label, path);
    for (uint32_t k = 0; k < ARRAY_MAX; k++) {
        char *element = ls_format("%s[%u]", path, k), *element_label = ls_format("%s[%u]", label, k);
        trace(w, HEX, YELLOW, element_label, element);
        members(w, YELLOW, element_label, element);
        free(element);
        free(element_label);
    }
    free(path);
}

/* One side of a field, whole. GTKWave cuts labels at dots: the scope is in the group's heading. */
static void side(writer *w, int color, const char *scope, const ls_field *f) {
    char name[256];
    const bool rtl = strcmp(scope, "rtl") == 0;
    const char *prefix = f->kind == LS_IN ? "" : scope, *blank = f->kind == LS_IN ? "" : " ";
    for (size_t i = 0; rtl && i < f->piece_count; i++) { /* their signals, once each */
        bool again = f->pieces[i].signal == NULL;
        for (size_t k = 0; k < i && !again; k++)
            again = f->pieces[k].signal != NULL && strcmp(f->pieces[k].signal, f->pieces[i].signal) == 0;
        if (again) continue;
        const char *dot = strrchr(f->pieces[i].signal, '.');
        char *label = ls_format("rtl %s", dot != NULL ? dot + 1 : f->pieces[i].signal);
        theirs(w, label, f->pieces[i].signal);
        free(label);
    }
    if (rtl && f->pieces != NULL) scope = "theirs";
    const char *dot = strrchr(ls_wave_label(f, scope, name, sizeof name), '.');
    const char *leaf = dot != NULL ? dot + 1 : name;
    char *path = ls_format("%s.%s", scope, name), *label = ls_format("%s%s%s", prefix, blank, leaf);
    trace(w, HEX, color, label, path);
    members(w, color, label, path);
    for (uint32_t i = 0; i < f->count && f->count <= ARRAY_MAX && !ls_wave_by_row(f); i++) {
        char *element = ls_format("%s[%u]", path, i), *element_label = ls_format("%s[%u]", label, i);
        trace(w, HEX, color, element_label, element);
        members(w, color, element_label, element);
        free(element);
        free(element_label);
    }
    free(path);
    free(label);
}

static void sides(writer *w, const ls_field *f) {
    if (ls_wave_by_row(f)) heading(w, BLANK, "%s: rows in the tree, below rtl and model", f->name);
    side(w, YELLOW, "rtl", f);
    side(w, GREEN, "model", f);
    side(w, RED, "diff", f);
}

static size_t scope_length(const ls_field *f) {
    const char *dot = strrchr(f->name, '.');
    return dot != NULL ? (size_t)(dot - f->name) : 0;
}

/* All registers, a closed group for each scope. */
static void registers(writer *w) {
    const ls_fields *fields = w->view->fields;
    const ls_field *open = NULL;
    for (size_t i = 0; i <= fields->count; i++) {
        const ls_field *f = i < fields->count ? &fields->list[i] : NULL;
        if (f != NULL && f->kind != LS_STATE && f->kind != LS_MEMORY) continue;
        const bool same = open != NULL && f != NULL && scope_length(f) == scope_length(open) &&
                          strncmp(f->name, open->name, scope_length(f)) == 0;
        if (!same && open != NULL)
            heading(w, GROUP_CLOSED_END, "registers%s%.*s", scope_length(open) > 0 ? " " : "", (int)scope_length(open),
                    open->name);
        if (!same && f != NULL)
            heading(w, GROUP_CLOSED, "registers%s%.*s", scope_length(f) > 0 ? " " : "", (int)scope_length(f), f->name);
        open = f;
        if (f != NULL) sides(w, f);
    }
}

/* Whether a field is that register of the RTL, or has a piece in it. */
static bool is_listed(const writer *w, const char *register_name) {
    char name[256];
    for (size_t i = 0; i < w->view->fields->count; i++) {
        const ls_field *f = &w->view->fields->list[i];
        if (f->pieces == NULL && strcmp(ls_rtl_name(f, name, sizeof name), register_name) == 0) return true;
        for (size_t k = 0; k < f->piece_count; k++)
            if (f->pieces[k].signal != NULL && strcmp(f->pieces[k].signal, register_name) == 0) return true;
    }
    return false;
}

/* Registers that only the RTL has: a user's own, of which ports alone are compared, or that a map leaves out. */
static void own_registers(writer *w) {
    bool open = false;
    for (size_t i = 0; i < w->view->elab->register_count; i++) {
        const ls_elab_signal *s = &w->view->elab->registers[i];
        if ((s->kind != LS_ELAB_REG && s->kind != LS_ELAB_LATCH) || s->bits == 0 || is_listed(w, s->name)) continue;
        if (!open) heading(w, GROUP_CLOSED, "registers that only the RTL has");
        open = true;
        char *label = ls_copy(s->name);
        for (char *dot = label; (dot = strchr(dot, '.')) != NULL;) *dot = ' ';
        theirs(w, label, s->name);
        free(label);
    }
    if (open) heading(w, GROUP_CLOSED_END, "registers that only the RTL has");
}

static void ports(writer *w, ls_kind kind, const char *group) {
    const ls_fields *fields = w->view->fields;
    heading(w, GROUP, "%s", group);
    for (size_t i = 0; i < fields->count; i++) {
        const ls_field *f = &fields->list[i];
        if (f->kind != kind) continue;
        if (kind == LS_IN) side(w, ORANGE, "rtl", f);
        else sides(w, f);
    }
    heading(w, GROUP_END, "%s", group);
}

/* GTKWave looks for the waves beside the view: both may be moved. */
static const char *base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static void window(writer *w) {
    const ls_view *v = w->view;
    const uint64_t left =
        v->marker > v->from + BEFORE_CYCLES * v->cycle_time ? v->marker - BEFORE_CYCLES * v->cycle_time : v->from;
    ls_text_add(w->text, "[dumpfile] \"%s\"\n[savefile] \"%s\"\n[timestart] %" PRIu64 "\n", base(v->fst), base(v->gtkw), left);
    ls_text_add(w->text, "[size] 1600 950\n[pos] -1 -1\n*%f %" PRIu64 " %" PRIu64, ZOOM, v->marker, v->marker);
    for (int i = 1; i < 26; i++) ls_text_add(w->text, " -1");
    ls_text_add(w->text, "\n[markername] A%s\n", v->difference_count > 0 ? "first difference" : "last cycle");
    ls_text_add(w->text, "[treeopen] TOP.\n[treeopen] TOP." LS_WAVE_TOP ".\n", v->unit->name);
    ls_text_add(w->text, "[sst_width] 170\n[signals_width] 420\n[sst_expanded] 1\n[sst_vpaned_height] 280\n");
}

void ls_view_write(const ls_view *view, ls_text *text) {
    writer w = {.view = view, .text = text};
    window(&w);
    heading(&w, BLANK, "%s", view->title);
    trace(&w, ENUMERATED, RED, "verdict", "verdict");
    trace(&w, DECIMAL, 0, "cycle", "cycle");
    trace(&w, BINARY, 0, "clk", "clk");
    trace(&w, BINARY, 0, "rst_n", "rst_n");
    if (view->difference_count > 0) {
        heading(&w, GROUP, "differs");
        for (size_t i = 0; i < view->difference_count; i++) difference(&w, &view->differences[i]);
        heading(&w, GROUP_END, "differs");
    }
    ports(&w, LS_IN, "inputs");
    ports(&w, LS_OUT, "outputs");
    registers(&w);
    own_registers(&w);
    ls_text_add(text, "[pattern_trace] 1\n[pattern_trace] 0\n");
}
