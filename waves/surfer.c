/* SPDX-License-Identifier: Apache-2.0 */
#include "waves/surfer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/core/plan.h"
#include "waves/label.h"

/* A name that the file holds, below the top module; of a packed struct its members. */
static void variable(const ls_view *v, const char *scope, const char *name, ls_text *text) {
    char *path = ls_format("TOP." LS_WAVE_TOP ".%s%s%s", v->unit->name, scope, scope[0] != '\0' ? "." : "", name);
    const size_t n = strlen(path);
    for (size_t i = ls_wave_names_from(v->names, path); i < v->names->count; i++) {
        const char *const found = v->names->list[i].path;
        if (strncmp(found, path, n) != 0) break;
        if (found[n] == '\0' || found[n] == '.') ls_text_add(text, "variable_add %s\n", found);
    }
    free(path);
}

/* Surfer takes one word. */
static void divider(const char *words, ls_text *text) {
    ls_text_add(text, "divider_add ");
    for (const char *at = words; *at != '\0'; at++) ls_text_add(text, "%c", *at == ' ' ? '_' : *at);
    ls_text_add(text, "\n");
}

/* One side of a field, whole or its element. */
static void side(const ls_view *v, const char *scope, const ls_field *f, const uint32_t *element, ls_text *text) {
    char name[256];
    (void)ls_wave_label(f, scope, name, sizeof name);
    variable(v, scope, name, text);
    if (element == NULL) return;
    char *one = ls_format("%s[%" PRIu32 "]", name, *element);
    variable(v, scope, one, text);
    free(one);
}

static void ports(const ls_view *v, ls_kind kind, const char *heading, ls_text *text) {
    divider(heading, text);
    for (size_t i = 0; i < v->fields->count; i++)
        if (v->fields->list[i].kind == kind) side(v, "rtl", &v->fields->list[i], NULL, text);
}

void ls_surfer_write(const ls_view *v, ls_text *text) {
    static const char *const scopes[] = {"rtl", "model", "diff"};
    ls_text_add(text, "# %s: surfer --command-file, beside the GTKWave view (docs/waves.md)\nload_file %s\n", v->title, v->fst);
    divider(v->title, text);
    for (const char *const *name = (const char *const[]){"verdict", "cycle", "clk", "rst_n", NULL}; *name != NULL; name++)
        variable(v, "", *name, text);
    if (v->difference_count > 0) divider("differs", text);
    for (size_t i = 0; i < v->difference_count; i++) {
        const ls_view_difference *d = &v->differences[i];
        const bool again = i > 0 && d[-1].field == d->field && d[-1].element == d->element;
        for (size_t s = 0; s < 3 && !again; s++) side(v, scopes[s], &v->fields->list[d->field], &d->element, text);
    }
    ports(v, LS_IN, "inputs", text);
    ports(v, LS_OUT, "outputs", text);
    ls_text_add(text, "cursor_set %" PRIu64 "\ngoto_cursor\n", v->marker);
}
