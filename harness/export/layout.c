/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/export/layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/core/config.h"
#include "harness/core/plan.h"

/* The field's place: in the last word if there is room, else in a new one. */
static void place(ls_layout *l, const ls_field *f, bool array, bool compared) {
    ls_spot *p = &l->list[l->count++];
    *p = (ls_spot){.field = f, .array = array, .compared = compared && f->kind != LS_IN};
    if (f->kind == LS_MEMORY) {
        p->word = l->memories++;
        l->swept |= (uint64_t)f->bits * f->count > LS_SWEEP_BYTES * 8u;
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

char *ls_layout_make(const ls_export *e, ls_layout *l) {
    *l = (ls_layout){.model = ls_zeroed(e->unit->model_size), .words[LS_IN] = 1, .bits[LS_IN] = LS_RESET_BITS};
    if (e->unit->init(l->model, e->cfg) != 0) ls_die("%s: init failed after its own check", e->unit->name);
    e->unit->fields(&l->fields, l->model);
    l->list = ls_resize(NULL, l->fields.count * sizeof *l->list);
    l->clocked = ls_elab_port(e->elab, "clk_i") != NULL;
    for (size_t i = 0; i < l->fields.count; i++) {
        const ls_field *f = &l->fields.list[i];
        char *name = ls_export_name(f, NULL);
        const bool port = f->kind == LS_IN || f->kind == LS_OUT;
        const ls_elab_signal *s = port ? ls_elab_port(e->elab, name) : ls_elab_find(e->elab, name);
        if (port && s->array) {
            char *error = ls_format("%s:%u: %s %s is an unpacked array: declare it packed, element i at [i*W +: W]", s->file,
                                    s->line, ls_export_kind(f->kind), name);
            free(name);
            ls_layout_free(l);
            return error;
        }
        free(name);
        const bool memory = f->kind == LS_MEMORY && s != NULL && s->bits == f->bits && s->count == f->count;
        if (port || !e->ports_only || memory) place(l, f, s->array, port || !e->ports_only);
    }
    return NULL;
}

void ls_layout_free(ls_layout *l) {
    ls_fields_free(&l->fields);
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
    char name[256];
    (void)ls_rtl_name(field, name, sizeof name);
    return ls_format("%s%s", name, member != NULL ? member->name + strlen(field->name) : "");
}

const char *ls_export_kind(ls_kind kind) {
    static const char *const kinds[] = {"input port", "output port", "register", "memory"};
    return kinds[kind];
}
