/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/export/model_c.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/folder.h"
#include "harness/base/root.h"
#include "harness/core/config.h"
#include "harness/core/place.h"

#define GLUE "harness/export/glue"

/* ---- sources ---- */

/* A file of the project or of ours into the folder, as `to`. */
static char *copy_file(const ls_export *e, const char *from, const char *to) {
    char *path = ls_unit_path(e->unit, from), *target = ls_format("%s/%s", e->folder, to), *folder = ls_folder_of(target);
    ls_text text = {0};
    char *error = NULL;
    int wrong = ls_text_read(&text, path);
    if (wrong != 0) error = ls_format("%s: %s", path, strerror(-wrong));
    if (wrong == 0 && (wrong = ls_make_directories(folder)) != 0) error = ls_format("%s: %s", folder, strerror(-wrong));
    if (error == NULL) error = ls_export_file(e, to, &text);
    free(ls_text_take(&text));
    free(path);
    free(target);
    free(folder);
    return error;
}

static void add_once(ls_args *list, const char *word) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->list[i], word) == 0) return;
    ls_args_add(list, "%s", word);
}

/* The sources of a header: rf_x.c, and those beside it without a header of their own, rf_x_init.c. */
static void add_sources(const ls_export *e, const char *header, ls_args *files) {
    char *path = ls_unit_path(e->unit, header), *folder = ls_folder_of(header), *there = ls_folder_of(path);
    const char *const base = strrchr(header, '/') + 1;
    const size_t stem = strlen(base) - 2;
    ls_args names = {0};
    ls_folder_names(there, &names);
    for (size_t i = 0; i < names.count; i++) {
        char *name = names.list[i];
        const size_t n = strlen(name);
        if (n < stem + 2 || strncmp(name, base, stem) != 0 || strcmp(name + n - 2, ".c") != 0) continue;
        char *own = ls_format("%s/%.*s.h", there, (int)n - 2, name);
        if (n == stem + 2 || (name[stem] == '_' && !ls_readable(own))) {
            char *file = ls_format("%s/%s", folder, name);
            add_once(files, file);
            free(file);
        }
        free(own);
    }
    ls_args_free(&names);
    free(path);
    free(there);
    free(folder);
}

/* The name from the root of an included file: it may also stand beside the file. NULL: it is none of the models'. */
static char *included(const ls_export *e, const char *file, const char *name) {
    char *folder = ls_folder_of(file), *beside = ls_format("%s/%s", folder, name), *found = NULL;
    const char *const names[] = {name, beside};
    for (size_t i = 0; i < 2 && found == NULL; i++) {
        char *path = ls_unit_path(e->unit, names[i]);
        if (ls_readable(path)) found = ls_copy(names[i]);
        free(path);
    }
    free(folder);
    free(beside);
    return found;
}

/* The name in the next line #include "NAME" of the text from `at`, a line's beginning, on; `at` is behind it then. To be freed;
 * NULL: there is none. */
static char *next_include(const char **at) {
    while (**at != '\0') {
        const char *c = *at + strspn(*at, " \t");
        const bool directive = *c == '#';
        c += directive ? 1 + strspn(c + 1, " \t") : 0;
        const bool include = directive && strncmp(c, "include", strlen("include")) == 0;
        c += include ? strlen("include") : 0;
        c += strspn(c, " \t");
        const size_t rest = strcspn(*at, "\n");
        *at += rest + ((*at)[rest] != '\0');
        if (include && *c == '"') return ls_format("%.*s", (int)strcspn(c + 1, "\"\n"), c + 1);
    }
    return NULL;
}

/* What a file of the models includes, and the sources of each header. */
static char *add_included(const ls_export *e, const char *file, ls_args *files) {
    char *path = ls_unit_path(e->unit, file);
    ls_text text = {0};
    const int wrong = ls_text_read(&text, path);
    char *error = wrong == 0 ? NULL : ls_format("%s: %s: the models' sources are needed", path, strerror(-wrong));
    ls_text_put(&text, "", 1);
    const char *at = text.data;
    for (char *word; error == NULL && (word = next_include(&at)) != NULL;) {
        char *name = included(e, file, word);
        if (name != NULL) add_once(files, name);
        if (name != NULL && strchr(name, '/') != NULL) add_sources(e, name, files);
        free(name);
        free(word);
    }
    free(ls_text_take(&text));
    free(path);
    return error;
}

/* Copies the unit's model and all that it needs. */
static char *copy_models(const ls_export *e, ls_args *sources) {
    ls_args files = {0};
    char *model = ls_unit_part_name(e->unit, LS_PART_MODEL);
    ls_args_add(&files, "%s", model);
    free(model);
    char *error = NULL;
    for (size_t i = 0; i < files.count && error == NULL; i++) {
        char *file = ls_copy(files.list[i]); /* the list moves */
        error = add_included(e, file, &files);
        if (error == NULL) error = copy_file(e, file, file);
        if (file[strlen(file) - 1] == 'c') ls_args_add(sources, "%s", file);
        free(file);
    }
    ls_args_free(&files);
    return error;
}

/* ---- the table ---- */

static void add_field(const ls_export *e, const ls_spot *p, const ls_member *m, ls_text *t) {
    static const char *const kinds[] = {"IN", "OUT", "REGISTER", "MEMORY"}, *const structs[] = {"_in", "_out", "", ""};
    const ls_field *f = p->field;
    char *name = ls_export_name(f, m);
    const char *const member = m != NULL ? m->name + strlen(f->name) : "";
    ls_text_add(t, "    {.name = \"%s\", .kind = LOCKSTEP_%s, .word = %u, .at = %zu,\n     .offset = offsetof(%s%s, %s%s%s),\n",
                name, kinds[f->kind], p->word, p->at, e->unit->name, structs[f->kind], f->path,
                m != NULL && f->room > f->size ? "[0]" : "", member);
    ls_text_add(t, "     .count = %u, .bits = %u, .bytes = %u, .records = %u", m != NULL ? m->count : f->count,
                m != NULL ? m->bits : f->bits, m != NULL ? m->size : f->size, m != NULL ? f->count : 1);
    if (m != NULL) ls_text_add(t, ", .record_bits = %u, .record_bytes = %u, .low = %u", f->bits, f->size, m->low);
    ls_text_add(t, "},\n");
    free(name);
}

/* A field that is no one signal of the RTL, element by element. */
static void add_pieces(const ls_spot *p, ls_text *t) {
    static const char *const kinds[] = {"IN", "OUT", "REGISTER", "MEMORY"};
    const ls_field *f = p->field;
    for (const ls_piece *q = f->pieces; q < f->pieces + f->piece_count; q++) {
        ls_text_add(t, "    {.kind = LOCKSTEP_%s, .word = %u, .at = %zu, .bits = %u, ", kinds[f->kind], p->word, p->at + q->at,
                    q->bits);
        if (q->signal == NULL) ls_text_add(t, ".value = 0x%llxu, .index = -1},\n", (unsigned long long)q->value);
        else
            ls_text_add(t, ".signal = \"%s\", .index = %d, .low = %u, .invert = %d},\n", q->signal,
                        q->signal_count > 1 ? (int)q->element : -1, q->low, q->invert);
    }
}

/* Where a VPI module finds all of it. */
static void add_rtl(const ls_export *e, const ls_layout *l, ls_text *t) {
    const ls_names *names = &e->unit->names;
    size_t pieces = 0;
    for (size_t i = 0; i < l->count; i++) pieces += l->list[i].field->piece_count;
    if (pieces > 0) {
        ls_text_add(t, "static const lockstep_piece pieces[] = {\n");
        for (size_t i = 0; i < l->count; i++) add_pieces(&l->list[i], t);
        ls_text_add(t, "};\n\n");
    }
    ls_text_add(t, "static const lockstep_rtl rtl = {.module = \"%s\",\n    .params = \"", ls_unit_top(e->unit));
    for (size_t i = 0; i < l->params.count; i++)
        ls_text_add(t, "%s%s=%s", i > 0 ? " " : "", l->params.list[i], l->values.list[i]);
    ls_text_add(t,
                "\",\n    .clock = \"%s\",\n    .reset = \"%s\",\n    .falling = %d,\n    .high = %d,\n    .pieces = %s,\n"
                "    .piece_count = %zu};\n\n",
                l->clock, l->reset, names->falling, names->reset_high, pieces > 0 ? "pieces" : "NULL", pieces);
    ls_text_add(t, "const lockstep_unit *const lockstep_vpi_unit = &unit;\nconst lockstep_rtl *const lockstep_vpi_rtl = &rtl;\n");
}

static char *write_table(const ls_export *e, const ls_layout *l, bool vpi) {
    const char *const name = e->unit->name;
    char *params = ls_export_params(e), *model = ls_unit_part_name(e->unit, LS_PART_MODEL);
    ls_text t = {0};
    ls_text_add(&t,
                "/* The model of %s %s and its fields, for a checker.\n * Made by: %s */\n#include \"lockstep_checker.h\"\n\n"
                "#include \"%.*s.h\"\n\nstatic const %s_cfg cfg = {",
                name, params, e->command, (int)strlen(model) - 2, model, name);
    free(model);
    for (size_t i = 0; i < e->unit->param_count; i++)
        ls_text_add(&t, "%s.%s = %u", i > 0 ? ", " : "", e->unit->params[i].member, ls_config_get(&e->unit->params[i], e->cfg));
    ls_text_add(&t,
                "};\n\nstatic int init(void *m, const void *c) { return %s_init(m, c); }\n"
                "static void reset(void *m) { %s_reset(m); }\n"
                "static void comb(const void *m, const void *in, void *out) { %s_comb(m, in, out); }\n"
                "static void edge(void *m, const void *in) { %s_clock(m, in); }\n\nstatic const lockstep_field fields[] = {\n",
                name, name, name, name);
    for (size_t i = 0; i < l->count; i++) {
        const ls_spot *p = &l->list[i];
        if (p->field->member_count == 0) add_field(e, p, NULL, &t);
        for (uint32_t k = 0; k < p->field->member_count; k++) add_field(e, p, &p->field->members[k], &t);
    }
    ls_text_add(
        &t,
        "};\n\nstatic const lockstep_unit unit = {.name = \"%s\",\n    .params = \"%s\",\n    .cfg = &cfg,\n"
        "    .model_size = sizeof(%s),\n    .in_size = sizeof(%s_in),\n    .out_size = sizeof(%s_out),\n    .init = init,\n"
        "    .reset = reset,\n    .comb = comb,\n    .clock = edge,\n    .fields = fields,\n"
        "    .field_count = sizeof fields / sizeof fields[0],\n    .words = {%u, %u, %u},\n    .bits = {%zu, %zu, %zu},\n"
        "    .memories = %u,\n    .clocked = %d,\n    .swept = %d,\n    .ports_only = %d};\n\n",
        name, params, name, name, name, l->words[0], l->words[1], l->words[2], l->bits[0], l->bits[1], l->bits[2], l->memories,
        l->clocked, l->swept, e->ports_only);
    if (vpi) add_rtl(e, l, &t);
    else ls_text_add(&t, "LOCKSTEP_DPI(%s, &unit)\n", name);
    char *file = ls_format("%s_lockstep.c", name);
    char *error = ls_export_file(e, file, &t);
    free(file);
    free(params);
    return error;
}

char *ls_export_model(const ls_export *e, const ls_layout *l, bool vpi, ls_args *sources) {
    static const char *const glue[] = {"lockstep_checker.h", "lockstep_checker.c", "lockstep_vpi.c"};
    ls_args_add(sources, "%s_lockstep.c", e->unit->name);
    char *error = write_table(e, l, vpi);
    for (size_t i = 0; i < (vpi ? 3 : 2) && error == NULL; i++) {
        char *from = ls_format(GLUE "/%s", glue[i]);
        error = copy_file(e, from, glue[i]);
        if (i > 0) ls_args_add(sources, "%s", glue[i]);
        free(from);
    }
    return error != NULL ? error : copy_models(e, sources);
}
