/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/export/layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/rng.h"
#include "harness/core/config.h"
#include "harness/core/map.h"
#include "harness/core/plan.h"
#include "harness/core/signals.h"

/* The field's place: in the last word if there is room, else in a new one. */
static void place(ls_layout *l, const ls_field *f, bool array, bool apart, bool compared) {
    ls_spot *p = &l->list[l->count++];
    *p = (ls_spot){.field = f, .array = array, .apart = apart, .compared = compared && f->kind != LS_IN};
    if (f->kind == LS_MEMORY) {
        p->word = l->memories++;
        return;
    }
    const size_t bits = (size_t)f->bits * f->count;
    size_t used = 0;
    for (size_t i = 0; i + 1 < l->count; i++) {
        const ls_spot *other = &l->list[i];
        if (other->field->kind == f->kind && other->word + 1 == l->words[f->kind])
            used = other->at + ((size_t)other->field->bits * other->field->count + 3) / 4 * 4;
    }
    if (used == 0 && f->kind == LS_IN && l->words[LS_IN] == 1) used = LS_RESET_BITS;
    if (l->words[f->kind] == 0 || (used > 0 && used + bits > LS_WORD_BITS)) {
        l->words[f->kind]++;
        used = 0;
    }
    p->word = l->words[f->kind] - 1;
    p->at = used;
    const size_t end = used + (bits + 3) / 4 * 4;
    if (l->bits[f->kind] < end) l->bits[f->kind] = end;
    if (p->compared) l->compared += bits;
}

/* Whether an index from 0 on, as many as there are elements, is all that an element needs. */
static bool is_plain(const ls_elab_signal *s) {
    const ls_elab_layout *l = s->layout;
    const bool one = l != NULL && l->indexed && l->unpacked && (l->inner == NULL || !l->inner->unpacked);
    return one && (l->left == 0 || l->right == 0) && l->left >= 0 && l->right >= 0;
}

bool ls_export_plain(const ls_export *e, const char *name) { return is_plain(ls_elab_find(e->elab, name)); }

/* Why a port that the field is, or is in, cannot be moved as a vector; NULL: it can. */
static char *refused_port(const ls_export *e, const ls_field *f) {
    char *name = f->pieces == NULL ? ls_export_name(f, NULL) : NULL, *error = NULL;
    for (size_t i = 0; error == NULL && i < (name != NULL ? 1 : f->piece_count); i++) {
        const char *port = name != NULL ? name : f->pieces[i].signal;
        const ls_elab_signal *s = port != NULL ? ls_elab_port(e->elab, port) : NULL;
        if (s != NULL && s->array)
            error = ls_format("%s:%u: %s %s is an unpacked array: declare it packed, element i at [i*W +: W]", s->file, s->line,
                              ls_export_kind(f->kind), port);
    }
    free(name);
    return error;
}

static char *add_field(const ls_export *e, ls_layout *l, const ls_field *f) {
    if (f->kind <= LS_OUT) {
        char *error = refused_port(e, f);
        if (error == NULL) place(l, f, false, f->pieces != NULL, true);
        return error;
    }
    char *name = ls_export_name(f, NULL);
    const ls_elab_signal *s = f->pieces == NULL ? ls_elab_find(e->elab, name) : NULL;
    const bool memory = f->kind == LS_MEMORY && (f->pieces != NULL || (s != NULL && s->bits == f->bits && s->count == f->count));
    const bool array = s != NULL && s->array, plain = array && is_plain(s);
    free(name);
    if (!e->ports_only || memory)
        place(l, f, plain, f->pieces != NULL || (!plain && (array || f->kind == LS_MEMORY)), !e->ports_only);
    return NULL;
}

char *ls_layout_make(const ls_export *e, ls_layout *l) {
    char *error = NULL;
    *l = (ls_layout){.model = ls_zeroed(e->unit->model_size), .words[LS_IN] = 1, .bits[LS_IN] = LS_RESET_BITS};
    if (e->unit->init(l->model, e->cfg) != 0) ls_die("%s: init failed after its own check", e->unit->name);
    ls_unit_fields(e->unit, &l->fields, l->model);
    const ls_sweeping how = ls_sweeps(&l->fields); /* with a map the RTL may lack the write port of a memory */
    l->swept = how == LS_SWEEP_MUST || (how == LS_SWEEP_MAY && e->unit->map == NULL);
    l->list = ls_resize(NULL, (l->fields.count + 1) * sizeof *l->list);
    l->clock = ls_clock_name(e->unit);
    l->reset = ls_reset_name(e->unit);
    l->clocked = ls_elab_port(e->elab, l->clock) != NULL;
    (void)ls_map_params(e->unit, e->cfg, &l->params, &l->values, &error);
    for (size_t i = 0; error == NULL && i < l->fields.count; i++)
        if (!l->fields.list[i].absent) error = add_field(e, l, &l->fields.list[i]);
    if (error != NULL) ls_layout_free(l);
    return error;
}

/* How many elements lie in one of these. */
static uint32_t inner_count(const ls_elab_layout *l) {
    uint32_t count = 1;
    for (l = l->inner; l != NULL && l->unpacked; l = l->inner) count *= (uint32_t)labs(l->left - l->right) + 1;
    return count;
}

char *ls_export_signal(const ls_export *e, const char *name, uint32_t element, const char *row) {
    const ls_elab_signal *port = ls_elab_port(e->elab, name), *s = port != NULL ? port : ls_elab_find(e->elab, name);
    ls_text text = {0};
    ls_text_add(&text, "%s", name);
    if (row != NULL && s->array && is_plain(s)) ls_text_add(&text, "[%s]", row);
    for (const ls_elab_layout *l = s->array && text.size == strlen(name) ? s->layout : NULL; l != NULL && l->unpacked;
         l = l->inner) {
        const uint32_t inner = inner_count(l);
        ls_text_add(&text, "[%ld]", (l->left < l->right ? l->left : l->right) + (long)(element / inner));
        element %= inner;
    }
    return ls_text_take(&text);
}

/* Bits of a signal's element, which may be a struct or have several dimensions: what no part select is for. */
static void add_part(const ls_export *e, const char *scope, const ls_piece *p, uint32_t low, uint32_t bits, uint32_t element,
                     const char *row, ls_text *t) {
    char *signal = ls_export_signal(e, p->signal, p->element, p->element == element ? row : NULL);
    ls_text_add(t, "%s", p->invert ? "~" : "");
    if (bits == p->signal_bits) ls_text_add(t, "%s%s", scope, signal);
    else if (low == 0) ls_text_add(t, "%u'(%s%s)", bits, scope, signal);
    else ls_text_add(t, "%u'(%s%s >> %u)", bits, scope, signal, low);
    free(signal);
}

char *ls_export_element(const ls_export *e, const ls_field *f, uint32_t element, const char *scope, const char *row) {
    char *name = ls_export_name(f, NULL);
    const ls_elab_signal *s = f->pieces == NULL ? ls_elab_find(e->elab, name) : NULL;
    if (f->pieces == NULL && s == NULL) s = ls_elab_port(e->elab, name);
    const ls_piece whole = {.bits = f->bits * f->count,
                            .signal = name,
                            .signal_bits = s != NULL ? s->bits : 0,
                            .signal_count = s != NULL ? s->count : 1};
    const ls_piece *list = f->pieces != NULL ? f->pieces : &whole;
    const size_t count = f->pieces != NULL ? f->piece_count : 1;
    ls_text t = {0};
    const uint32_t begin = element * f->bits;
    for (uint32_t end = begin + f->bits, from; end > begin; end = from) { /* the highest bits first */
        const ls_piece *p = list;
        while (p < list + count && (end <= p->at || end > p->at + p->bits)) p++;
        const uint32_t width = p->signal != NULL ? p->signal_bits : p->bits, bit = p->low + end - 1 - p->at; /* of the highest */
        const uint32_t here = bit % width + 1, first = p->at > begin ? p->at : begin;
        from = end - first > here ? end - here : first;
        ls_piece part = *p; /* a whole signal goes through several elements */
        part.element += bit / width;
        ls_text_add(&t, "%s", end == begin + f->bits ? "{" : ", ");
        if (p->signal != NULL) add_part(e, scope, &part, here - (end - from), end - from, element, row, &t);
        else ls_text_add(&t, "%u'h%llx", end - from, (unsigned long long)(p->value >> (from - p->at) & ls_mask(end - from)));
    }
    ls_text_add(&t, "}");
    free(name);
    return ls_text_take(&t);
}

void ls_layout_free(ls_layout *l) {
    ls_fields_free(&l->fields);
    ls_args_free(&l->params);
    ls_args_free(&l->values);
    free(l->model);
    free(l->list);
    *l = (ls_layout){0};
}

static bool begins(const char *line, const char *word) { return strncmp(line, word, strlen(word)) == 0; }
static bool ends(const char *line, size_t size, const char *word) {
    const size_t n = strlen(word);
    return size >= n && memcmp(line + size - n, word, n) == 0;
}

void ls_export_indent(ls_text *text) {
    char *flat = ls_text_take(text);
    unsigned level = 0;
    bool goes_on = false, list = false,
         head = false; /* the line before ended in a comma; in a list that a "(" opened; of a module */
    for (const char *line = flat; *line != '\0';) {
        const size_t size = strcspn(line, "\n");
        const bool comment = begins(line, "//") || begins(line, "/*");
        if (begins(line, "end")) level--;
        const unsigned more = list ? (*line == ')' ? 0 : 2) : goes_on ? 2 : 0;
        const unsigned blanks = size == 0 || *line == '`' ? 0 : 2 * level + more;
        ls_text_add(text, "%*s%.*s\n", (int)blanks, "", (int)size, line);
        head |= begins(line, "module ");
        if (!comment && (*line == ')' || ends(line, size, ");"))) list = false;
        if (!comment && ends(line, size, "(")) list = true;
        goes_on = !comment && ends(line, size, ",");
        if (head && ends(line, size, ";")) {
            level++;
            head = false;
        }
        const char *block = comment ? NULL : strstr(line, "begin");
        const bool opens = block != NULL && block < line + size && (ends(line, size, "begin") || begins(block, "begin : "));
        if (opens || begins(line, "task ") || begins(line, "function ") || begins(line, "case ")) level++;
        line += size + (line[size] == '\n');
    }
    free(flat);
}

char *ls_export_file(const ls_export *e, const char *name, ls_text *text) {
    char *path = ls_format("%s/%s", e->folder, name);
    const int error = ls_text_write(text, path);
    char *message = error == 0 ? NULL : ls_format("%s: %s", path, strerror(-error));
    free(ls_text_take(text));
    free(path);
    return message;
}

char *ls_export_params(const ls_export *e) {
    ls_text text = {0};
    for (size_t i = 0; i < e->unit->param_count; i++)
        ls_text_add(&text, "%s%s=%u", i > 0 ? " " : "", e->unit->params[i].name, ls_config_get(&e->unit->params[i], e->cfg));
    return ls_text_take(&text);
}

char *ls_export_name(const ls_field *field, const ls_member *member) {
    static const char *const behind[] = {"_i", "_o", "", ""};
    const char *const of_member = member != NULL ? member->name + strlen(field->name) : "";
    char name[256];
    if (field->pieces != NULL) return ls_format("%s%s%s", field->name, behind[field->kind], of_member);
    (void)ls_rtl_name(field, name, sizeof name);
    return ls_format("%s%s", name, of_member);
}

const char *ls_export_kind(ls_kind kind) {
    static const char *const kinds[] = {"input port", "output port", "register", "memory"};
    return kinds[kind];
}
