/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/design.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/base/root.h"
#include "harness/core/config.h"
#include "harness/core/map.h"
#include "harness/core/place.h"
#include "harness/core/plan.h"

#define ELAB_MS 600000u
#define NOT_COMPARED "is not in the field list: nothing would compare it"
#define NAMED_MODULES 4u /* in one line */

/* Adds a path, which is freed. */
static void add_path(ls_args *files, char *path) {
    ls_args_add(files, "%s", path);
    free(path);
}

void ls_design_files(const ls_unit *unit, ls_args *files) {
    for (const char *const *f = unit->rtl; *f != NULL; f++) add_path(files, ls_unit_path(unit, *f));
    add_path(files, ls_unit_part_path(unit, LS_PART_RTL));
}

/* A folder, once; it is freed. */
static void add_dir(ls_args *dirs, char *dir) {
    bool known = false;
    for (size_t i = 0; i < dirs->count; i++) known |= strcmp(dirs->list[i], dir) == 0;
    if (!known) ls_args_add(dirs, "%s", dir);
    free(dir);
}

/* The folder of a file, which is freed. */
static char *folder_of(char *file) {
    char *folder = ls_folder_of(file);
    free(file);
    return folder;
}

void ls_design_dirs(const ls_unit *unit, size_t rtl_count, ls_args *dirs) {
    const ls_place *place = unit->place;
    for (size_t i = 0; place != NULL && place->modules[i] != NULL; i++) add_dir(dirs, ls_copy(place->modules[i]));
    if (rtl_count == 0) return;
    add_dir(dirs, folder_of(ls_unit_part_path(unit, LS_PART_RTL)));
    for (const char *const *f = unit->rtl; *f != NULL; f++) add_dir(dirs, folder_of(ls_unit_path(unit, *f)));
    if (place == NULL) add_dir(dirs, ls_format("%s/rtl/common", ls_root()));
}

/* The next module or package (`what`) of the file, which is a line that begins with the two words: its name, and its line in
 * *number, which counts from 0. False at the end. */
static bool next_declared(FILE *f, const char *what, char *name, size_t size, unsigned *number) {
    char line[4096];
    const size_t n = strlen(what);
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        const char *at = line + strspn(line, " \t");
        ++*number;
        if (strncmp(at, what, n) != 0 || strspn(at + n, " \t") == 0) continue;
        at += n + strspn(at + n, " \t");
        (void)snprintf(name, size, "%.*s", (int)strcspn(at, " \t\r\n;#(/"), at);
        return true;
    }
    return false;
}

/* The first of the user's files that declares it, or NULL. A file that cannot be read is Verilator's to complain of. */
static const char *declared_in(const char *const *rtl, size_t count, const char *what, const char *name, size_t length) {
    char other[256];
    const char *found = NULL;
    for (size_t i = 0; i < count && found == NULL; i++) {
        FILE *f = fopen(rtl[i], "r");
        unsigned line = 0;
        while (found == NULL && next_declared(f, what, other, sizeof other, &line))
            if (strlen(other) == length && strncmp(other, name, length) == 0) found = rtl[i];
        if (f != NULL) (void)fclose(f);
    }
    return found;
}

static bool declared(const char *const *rtl, size_t count, const char *what, const char *name, size_t length) {
    return declared_in(rtl, count, what, name, length) != NULL;
}

/* From the root, with links followed if it is there: Verilator looks for a relative name in the folders of modules, ours, first.
 */
static char *absolute(const char *path) {
    char real[PATH_MAX];
    if (realpath(path, real) != NULL) return ls_copy(real);
    if (path[0] == '/' || getcwd(real, sizeof real) == NULL) return ls_copy(path);
    return ls_format("%s/%s", real, path);
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

void ls_design_user_files(const ls_unit *unit, const char *const *rtl, size_t count, ls_args *files) {
    for (const char *const *f = unit->rtl; *f != NULL; f++) {
        const char *name = base_name(*f);
        const size_t n = strlen(name);
        if (n < 7 || strcmp(name + n - 7, "_pkg.sv") != 0) continue;
        if (!declared(rtl, count, "package", name, n - 3)) add_path(files, ls_unit_path(unit, *f));
    }
    for (size_t i = 0; i < count; i++) {
        char *path = absolute(rtl[i]);
        ls_args_add(files, "%s", path);
        free(path);
    }
    bool parts = unit->rtl[0] != NULL && !declared(rtl, count, "module", ls_unit_top(unit), strlen(ls_unit_top(unit)));
    bool known = false; /* one of them is one of the unit's own modules: the rest is ours */
    for (const char *const *f = unit->rtl; *f != NULL && parts && !known; f++) {
        const char *name = base_name(*f);
        known = declared(rtl, count, "module", name, strlen(name) - 3);
    }
    if (parts && known && strcmp(ls_unit_top(unit), unit->name) == 0) add_path(files, ls_unit_part_path(unit, LS_PART_RTL));
}

/* The unit's properties, tb/<group>/<unit>_check.sv, which bind themselves to our top module: a user's own need not have its
 * wires. */
static void add_properties(const ls_design_request *rq, ls_args *files) {
    const ls_unit *unit = rq->unit;
    if ((rq->flags & LS_BUILD_ASSERT) == 0 || unit->map != NULL ||
        declared(rq->rtl, rq->rtl_count, "module", ls_unit_top(unit), strlen(ls_unit_top(unit))))
        return;
    char *file = ls_unit_part_path(unit, LS_PART_CHECK);
    if (access(file, R_OK) == 0) ls_args_add(files, "%s", file);
    free(file);
}

/* One whole register of the RTL. */
static bool is_register(const ls_field *f) { return ls_is_state(f) && f->pieces == NULL && !f->absent; }

/* Whether a map has the signal in its rules: in part, then, of a field of that kind, or not to be compared. */
static bool is_mapped(const ls_fields *fields, const char *name, ls_kind kind) {
    for (size_t i = 0; fields->spared != NULL && i < fields->spared->count; i++)
        if (strcmp(fields->spared->list[i], name) == 0) return true;
    for (size_t i = 0; i < fields->count; i++) {
        const ls_field *f = &fields->list[i];
        for (size_t k = 0; k < f->piece_count && (f->kind == LS_MEMORY ? LS_STATE : f->kind) == kind; k++)
            if (f->pieces[k].signal != NULL && strcmp(f->pieces[k].signal, name) == 0) return true;
    }
    return false;
}

static const ls_field *find_register(const ls_fields *fields, const char *name) {
    char rtl[256];
    for (size_t i = 0; i < fields->count; i++)
        if (is_register(&fields->list[i]) && strcmp(ls_rtl_name(&fields->list[i], rtl, sizeof rtl), name) == 0)
            return &fields->list[i];
    return NULL;
}

static const ls_field *find_port(const ls_fields *fields, const char *rtl_name, ls_elab_kind kind) {
    char name[256];
    for (size_t i = 0; i < fields->count; i++) {
        const ls_field *f = &fields->list[i];
        if (f->kind == (kind == LS_ELAB_IN ? LS_IN : LS_OUT) && f->pieces == NULL && !f->absent &&
            strcmp(ls_rtl_name(f, name, sizeof name), rtl_name) == 0)
            return f;
    }
    return NULL;
}

static size_t check_field(const ls_field *f, const ls_elab *elab, ls_text *text) {
    static const char *const what[] = {"input port", "output port", "register", "memory"};
    char name[256];
    const bool port = f->kind == LS_IN || f->kind == LS_OUT; /* an output may be a register, too */
    (void)ls_rtl_name(f, name, sizeof name);
    const ls_elab_signal *s = port ? ls_elab_port(elab, name) : ls_elab_find(elab, name);
    if (s == NULL) {
        ls_text_add(text, "missing %s: the RTL has no %s (%u x %u bit%s: %s)\n", what[f->kind], name, f->count, f->bits,
                    ls_plural(f->bits), f->text);
        return 1;
    }
    if (s->bits == 0) {
        ls_text_add(text, "%s:%u: %s %s is of a type without bits: unpacked struct, real, string, ...: it cannot be compared\n",
                    s->file, s->line, what[f->kind], name);
        return 1;
    }
    const ls_elab_kind expected = f->kind == LS_IN ? LS_ELAB_IN : f->kind == LS_OUT ? LS_ELAB_OUT : LS_ELAB_REG;
    if (s->kind != expected) {
        ls_text_add(text, "%s:%u: %s is not %s %s in the RTL\n", s->file, s->line, name, f->kind == LS_STATE ? "a" : "an",
                    what[f->kind]);
        return 1;
    }
    if (f->count > 1 && s->count == 1 && s->turned > f->bits) {
        ls_text_add(text,
                    "%s:%u: wrong order: %s %s has an ascending packed range, so that its element 0 is the uppermost; "
                    "the field list has it lowest: declare it descending, or unpacked\n",
                    s->file, s->line, what[f->kind], name);
        return 1;
    }
    if (s->count == 1 ? (uint64_t)s->bits == (uint64_t)f->bits * f->count : s->bits == f->bits && s->count == f->count) return 0;
    ls_text_add(text, "%s:%u: wrong width: %s %s has %u x %u bit%s, the field list says %u x %u\n", s->file, s->line,
                what[f->kind], name, s->count, s->bits, ls_plural(s->bits), f->count, f->bits);
    return 1;
}

/* Clock or reset. */
static bool is_pin(const ls_fields *fields, const char *name) {
    return strcmp(name, fields->clock != NULL ? fields->clock : "clk_i") == 0 ||
           strcmp(name, fields->reset != NULL ? fields->reset : "rst_ni") == 0;
}

size_t ls_design_check(const ls_fields *fields, const ls_elab *elab, bool ports_only, ls_text *text) {
    size_t problems = 0;
    for (size_t i = 0; i < fields->count; i++) {
        const bool port = fields->list[i].kind == LS_IN || fields->list[i].kind == LS_OUT;
        if (fields->list[i].absent || fields->list[i].pieces != NULL) continue; /* what ls_map_resolve has checked */
        if (port || !ports_only) problems += check_field(&fields->list[i], elab, text);
    }
    for (size_t i = 0; i < elab->port_count; i++) {
        const ls_elab_signal *s = &elab->ports[i];
        if (is_pin(fields, s->name) || find_port(fields, s->name, s->kind) != NULL) continue;
        if (is_mapped(fields, s->name, s->kind == LS_ELAB_IN ? LS_IN : LS_OUT)) continue;
        ls_text_add(text, "%s:%u: port %s is not in the field list\n", s->file, s->line, s->name);
        problems++;
    }
    for (size_t i = 0; i < elab->register_count && !ports_only; i++) {
        const ls_elab_signal *s = &elab->registers[i];
        if (s->kind == LS_ELAB_WIRE || find_register(fields, s->name) != NULL || is_mapped(fields, s->name, LS_STATE)) continue;
        if (s->kind != LS_ELAB_HIDDEN && (find_port(fields, s->name, LS_ELAB_OUT) != NULL || is_mapped(fields, s->name, LS_OUT)))
            continue; /* compared as the output that it is */
        problems++;
        if (s->kind == LS_ELAB_HIDDEN) {
            ls_text_add(text, "%s:%u: %s keeps state that " NOT_COMPARED "\n", s->file, s->line, s->name);
            continue;
        }
        char *shape = s->bits == 0 ? ls_copy("of a type without bits: unpacked struct, real, string, ...")
                                   : ls_format("%u x %u bit%s", s->count, s->bits, ls_plural(s->bits));
        ls_text_add(text, "%s:%u: %s %s (%s) " NOT_COMPARED "\n", s->file, s->line,
                    s->kind == LS_ELAB_LATCH ? "latch" : "register", s->name, shape);
        free(shape);
    }
    return problems;
}

/* Whether the design has something of the file. Verilator 5.006 cuts the name of a module's file at the first blank. */
static bool is_used(const ls_elab *elab, const char *path) {
    const size_t cut = strcspn(path, " ");
    for (size_t i = 0; i < elab->used_count; i++) {
        const char *used = elab->used[i];
        if (strcmp(used, path) == 0 || (path[cut] != '\0' && strlen(used) == cut && strncmp(used, path, cut) == 0)) return true;
    }
    return false;
}

/* The design's file that is named as the module, as ours are, or NULL. */
static const char *file_of(const ls_elab *elab, const char *module) {
    const size_t length = strlen(module);
    for (size_t i = 0; i < elab->used_count; i++) {
        const char *slash = strrchr(elab->used[i], '/'), *base = slash != NULL ? slash + 1 : elab->used[i];
        if (strncmp(base, module, length) == 0 && strcmp(base + length, ".sv") == 0) return elab->used[i];
    }
    return NULL;
}

/* In a file that the design has nothing of: the line of the first module that comes from another file, which is *from, or else of
 * the first module; 0 when there is none. */
static unsigned find_module(const ls_elab *elab, const char *path, const char **from) {
    char name[256];
    unsigned number = 0, first = 0;
    FILE *f = fopen(path, "r");
    *from = NULL;
    while (*from == NULL && next_declared(f, "module", name, sizeof name, &number)) {
        *from = file_of(elab, name);
        if (first == 0 || *from != NULL) first = number;
    }
    if (f != NULL) (void)fclose(f);
    return first;
}

void ls_design_unused(const ls_design_request *rq, const ls_elab *elab, ls_args *files) {
    for (size_t i = 0; i < rq->rtl_count; i++) {
        char *path = absolute(rq->rtl[i]);
        const char *from;
        if (!is_used(elab, path) && find_module(elab, path, &from) != 0) ls_args_add(files, "%s", rq->rtl[i]);
        free(path);
    }
}

void ls_design_uncopied(const ls_design_request *rq, const ls_elab *elab, ls_args *names) {
    void *model = ls_zeroed(rq->unit->model_size);
    ls_fields fields = {0};
    if (rq->ports_only && rq->unit->init(model, rq->cfg) == 0) ls_unit_fields(rq->unit, &fields, model);
    for (size_t i = 0; i < fields.count; i++) {
        const ls_field *f = &fields.list[i];
        ls_text unheard = {0};
        if (f->kind == LS_MEMORY && check_field(f, elab, &unheard) != 0) ls_args_add(names, "%s", f->name);
        free(unheard.data);
    }
    ls_fields_free(&fields);
    free(model);
}

/* Whether a folder of the user's, which is looked into before ours, has the file. */
static bool own_include(const ls_args *extra, const char *name) {
    static const char incdir[] = "+incdir+";
    bool found = false;
    for (size_t i = 0; extra != NULL && i < extra->count && !found; i++) {
        if (strncmp(extra->list[i], incdir, sizeof incdir - 1) != 0) continue;
        char *path = ls_format("%s/%s", extra->list[i] + sizeof incdir - 1, name);
        found = access(path, R_OK) == 0;
        free(path);
    }
    return found;
}

/* `include "NAME" in a file that is not ours, where one of our folders has a NAME: Verilator looks there first. */
static size_t check_includes(const ls_design_request *rq, const char *path, const ls_args *dirs, ls_text *text) {
    char line[4096], name[256];
    size_t problems = 0;
    unsigned number = 0;
    FILE *f = fopen(path, "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        number++;
        const char *at = strstr(line, "`include");
        if (at == NULL || sscanf(at + 8, " \"%255[^\"]\"", name) != 1) continue;
        for (size_t i = 0; i < dirs->count && !own_include(rq->extra, name); i++) {
            char *ours = ls_format("%s/%s", dirs->list[i], name);
            if (access(ours, R_OK) == 0) {
                ls_text_add(text, "%s:%u: `include \"%s\" would find %s: give your own file with --rtl, or rename it\n", path,
                            number, name, ours);
                problems++;
            }
            free(ours);
        }
    }
    if (f != NULL) (void)fclose(f);
    return problems;
}

/* Clock or reset: an input of one bit where the unit has one (`name`), and else none called `usual`. */
static size_t check_clock(const ls_unit *unit, const ls_elab *elab, const char *name, const char *usual, ls_text *text) {
    const ls_elab_signal *s = ls_elab_port(elab, name != NULL ? name : usual);
    if (name == NULL && s == NULL) return 0;
    if (s == NULL) ls_text_add(text, "missing input port: the RTL has no %s (1 bit)\n", name);
    else if (name == NULL) ls_text_add(text, "%s:%u: port %s: %s has none\n", s->file, s->line, usual, unit->name);
    else if (s->kind != LS_ELAB_IN) ls_text_add(text, "%s:%u: %s is not an input port in the RTL\n", s->file, s->line, name);
    else if (s->bits != 1 || s->count != 1)
        ls_text_add(text, "%s:%u: wrong width: input port %s has %u x %u bit%s and not 1\n", s->file, s->line, name, s->count,
                    s->bits, ls_plural(s->bits));
    else return 0;
    return 1;
}

size_t ls_design_strict(const ls_design_request *rq, const ls_elab *elab, ls_text *text) {
    size_t problems = 0;
    if (!rq->strict) return 0;
    for (size_t i = 0; i < rq->rtl_count; i++) {
        char *path = absolute(rq->rtl[i]);
        const char *from = NULL;
        const unsigned line = is_used(elab, path) ? 0 : find_module(elab, path, &from);
        if (from != NULL) {
            ls_text_add(text, "%s:%u: this module is taken from %s: nothing of the file would be compared\n", rq->rtl[i], line,
                        from);
            problems++;
        }
        free(path);
    }
    if (elab->outside != NULL && !rq->allow_system) {
        ls_text_add(text, "%s", elab->outside);
        problems++;
    }
    problems += check_clock(rq->unit, elab, ls_unit_clock(rq->unit), "clk_i", text);
    problems += check_clock(rq->unit, elab, ls_unit_reset(rq->unit), "rst_ni", text);
    ls_args dirs = {0};
    ls_design_dirs(rq->unit, rq->rtl_count, &dirs);
    for (size_t i = 0; i < elab->file_count; i++) {
        const char *root = ls_unit_root(rq->unit);
        const size_t n = strlen(root);
        if (strncmp(elab->files[i], root, n) == 0 && (rq->unit->place != NULL || strncmp(elab->files[i] + n, "/rtl/", 5) == 0))
            continue;
        problems += check_includes(rq, elab->files[i], &dirs, text);
    }
    ls_args_free(&dirs);
    return problems;
}

/* The write ports of all memories, for the sweep: by variable name, in any module. */
static void list_wires(const ls_fields *fields, ls_args *names, ls_rtl_wire **wires, size_t *count) {
    for (size_t i = 0; i < fields->count; i++) {
        const ls_field *f = &fields->list[i];
        char path[256];
        if (f->kind != LS_MEMORY || strchr(ls_rtl_name(f, path, sizeof path), '.') == NULL) continue;
        for (int k = 0; k < 2; k++) {
            char *name = ls_write_port(f, k == 0, false);
            bool known = false;
            for (size_t j = 0; j < names->count; j++) known |= strcmp(names->list[j], name) == 0;
            if (!known) ls_args_add(names, "%s", name);
            free(name);
        }
    }
    *wires = ls_resize(NULL, (names->count + 1) * sizeof **wires);
    for (size_t i = 0; i < names->count; i++) (*wires)[(*count)++] = (ls_rtl_wire){.module = "*", .var = names->list[i]};
}

static bool is_missing(const char *line) {
    return strncmp(line, "missing register: ", 18) == 0 || strncmp(line, "missing memory: ", 16) == 0;
}

/* The problems as one text, a line each, to be freed: those of the RTL's own registers at the end. Behind the first missing one a
 * line on how they are found, which names the map that has no name for it. */
static char *problems_text(const ls_unit *unit, ls_text *problems) {
    char *text = ls_text_take(problems);
    ls_text out = {0};
    ls_args own = {0};
    bool told = false;
    for (char *line = text; *line != '\0'; line += strlen(line) + 1) {
        line[strcspn(line, "\n")] = '\0';
        if (strstr(line, NOT_COMPARED) != NULL) {
            ls_args_add(&own, "%s", line);
            continue;
        }
        ls_text_add(&out, "%s\n", line);
        if (is_missing(line) && !told && unit->map != NULL)
            ls_text_add(&out,
                        "%s says no other name of it: registers match by name and instance path where the map says nothing (%s), "
                        "--ports-only compares ports alone\n",
                        unit->map->path, ls_docs("map.md"));
        else if (is_missing(line) && !told)
            ls_text_add(&out,
                        "registers match by name and instance path: --map says other names (%s), --ports-only compares ports "
                        "alone\n",
                        ls_docs("guide/your-rtl.md"));
        told |= is_missing(line);
    }
    for (size_t i = 0; i < own.count; i++) ls_text_add(&out, "%s\n", own.list[i]);
    ls_args_free(&own);
    free(text);
    return ls_text_take(&out);
}

/* Of a design without the top module: a line with the modules that the user's files have in its place. */
static void tell_top(const ls_design_request *rq, ls_text *text) {
    char name[256];
    size_t count = 0;
    ls_text_add(text, "top module %s is missing; found", ls_unit_top(rq->unit));
    for (size_t i = 0; i < rq->rtl_count; i++) {
        FILE *f = fopen(rq->rtl[i], "r");
        for (unsigned line = 0; next_declared(f, "module", name, sizeof name, &line); count++)
            if (count < NAMED_MODULES) ls_text_add(text, "%s %s (%s:%u)", count > 0 ? "," : "", name, rq->rtl[i], line);
        if (f != NULL) (void)fclose(f);
    }
    if (count == 0) ls_text_add(text, " no module (%s)", rq->rtl[0]);
    if (count > NAMED_MODULES) ls_text_add(text, " and %zu more", count - NAMED_MODULES);
    const bool left_out = declared(rq->rtl, rq->rtl_count, "module", ls_unit_top(rq->unit), strlen(ls_unit_top(rq->unit)));
    if (left_out) ls_text_add(text, ": the preprocessor leaves it out (--define)\n");
    else ls_text_add(text, ": a map names yours, or wrap it (%s)\n", ls_docs("guide/your-rtl.md"));
}

/* Of a design that uses a package before any file has declared it: a line with the file that does. */
static void tell_package(const ls_design_request *rq, const char *name, size_t length, ls_text *text) {
    const char *file = declared_in(rq->rtl, rq->rtl_count, "package", name, length);
    char *ours = NULL;
    for (const ls_unit *const *u = ls_units; file == NULL && ours == NULL && *u != NULL; u++) {
        char *top = ls_unit_part_path(*u, LS_PART_RTL), *folder = folder_of(top);
        ours = ls_format("%s/%.*s.sv", folder, (int)length, name);
        free(folder);
        if (access(ours, R_OK) == 0) continue;
        free(ours);
        ours = NULL;
    }
    ls_text_add(text, "package %.*s is missing: ", (int)length, name);
    if (file != NULL) ls_text_add(text, "%s has it, and must stand before the file that uses it\n", file);
    else if (ours != NULL) ls_text_add(text, "%s has it: give that file with --rtl, before yours\n", ours);
    else ls_text_add(text, "no file given with --rtl has it\n");
    free(ours);
}

/* How many errors Verilator names, without the line that counts them. */
static size_t errors(const char *said) {
    static const char word[] = "%Error", last[] = "%Error: Exiting due to";
    size_t count = 0;
    for (const char *at = said; (at = strstr(at, word)) != NULL; at += sizeof word - 1)
        count += strncmp(at, last, sizeof last - 1) != 0;
    return count;
}

/* What Verilator says of a user's RTL that it refuses, to be freed; before it, where we know better, a line with the cause. */
static char *with_cause(const ls_design_request *rq, const char *said) {
    static const char *const packages[] = {"Package/class '", "Package/class for ':: reference' not found: '"};
    ls_text text = {0};
    const char *name = NULL;
    for (size_t i = 0; i < sizeof packages / sizeof *packages && name == NULL; i++) {
        const char *at = strstr(said, packages[i]);
        name = at != NULL ? at + strlen(packages[i]) : NULL;
    }
    if (rq->rtl_count > 0 && strstr(said, "--top-module '") != NULL) {
        tell_top(rq, &text);
        if (errors(said) == 1) return ls_text_take(&text);
    } else if (rq->rtl_count > 0 && name != NULL) tell_package(rq, name, strcspn(name, "'"), &text);
    ls_text_add(&text, "%s", said);
    return ls_text_take(&text);
}

/* The field list with the map's names, if there is one, against the RTL. */
static size_t check_fields(const ls_design_request *rq, ls_fields *fields, const ls_elab *elab, ls_text *problems) {
    ls_map *map = rq->unit->map;
    const size_t wrong = map != NULL ? ls_map_resolve(map, fields, elab, rq->ports_only, problems) : 0;
    if (wrong > 0) return wrong;
    if (map != NULL) ls_map_apply(map, fields);
    return ls_design_check(fields, elab, rq->ports_only, problems);
}

static int build_and_check(const ls_design_request *rq, ls_fields *fields, const ls_rtl *rtl, ls_build_result *result,
                           char **error) {
    char *shim = ls_format("%s/harness/dut/shim.cpp", ls_root());
    ls_args others = {0}; /* files of other units: their coverage is not this unit's, and makes most of a system's code */
    for (size_t i = 0; i < rtl->file_count; i++) {
        const ls_unit *owner = ls_unit_of_file(rtl->files[i]);
        if (owner != NULL && owner != rq->unit) ls_args_add(&others, "%s", rtl->files[i]);
    }
    /* What is X in the RTL is random here, and not the 0 that the model may have, too. */
    static const char *const x_is_random[] = {"--x-assign", "unique"};
    const ls_build_request build = {.rtl = *rtl,
                                    .flags = rq->flags,
                                    .cache = ls_cache(),
                                    .shim = shim,
                                    .timeout_ms = 600000,
                                    .verilator_flags = x_is_random,
                                    .verilator_flag_count = 2,
                                    .uncovered = (const char *const *)others.list,
                                    .uncovered_count = others.count};
    const ls_build_status status = ls_build_dut(ls_tools_once(), &build, result);
    free(shim);
    ls_args_free(&others);
    if (status != LS_BUILD_OK) {
        *error = with_cause(rq, result->text != NULL ? result->text : "the DUT cannot be built");
        ls_build_free(result);
        return -1;
    }
    ls_text problems = {0};
    size_t found = check_fields(rq, fields, &result->elab, &problems);
    found += ls_design_strict(rq, &result->elab, &problems);
    char *text = problems_text(rq->unit, &problems);
    if (found == 0) {
        free(text);
        return 0;
    }
    *error = text;
    ls_build_free(result);
    return -1;
}

static int elaborate_and_check(const ls_design_request *rq, ls_fields *fields, const ls_rtl *rtl, ls_elab *elab, char **error) {
    char *text = NULL;
    ls_text problems = {0};
    if (ls_elab_run(rtl, ls_tools_once()->verilator, NULL, elab, &text) != LS_ELAB_OK) {
        *error = with_cause(rq, text);
        free(text);
        return -1;
    }
    free(text);
    size_t count = check_fields(rq, fields, elab, &problems);
    count += ls_design_strict(rq, elab, &problems);
    if (count > 0) ls_elab_free(elab);
    char *all = problems_text(rq->unit, &problems);
    if (count > 0) *error = all;
    else free(all);
    return count > 0 ? -1 : 0;
}

/* Why a configuration is refused, and which it was. */
static char *refusal(const ls_unit *unit, const void *cfg, const char *why) {
    ls_text text = {0};
    ls_text_add(&text, "%s: %s; tried:", unit->name, why);
    for (size_t i = 0; i < unit->param_count; i++)
        ls_text_add(&text, " %s=%u", unit->params[i].name, ls_config_get(&unit->params[i], cfg));
    const size_t members = unit->cfg_size / sizeof(uint32_t);
    if (members > unit->param_count)
        ls_text_add(&text, "%s %zu member%s of %s_cfg without a PARAM line, 0", unit->param_count > 0 ? "," : "",
                    members - unit->param_count, members - unit->param_count == 1 ? "" : "s", unit->name);
    return ls_text_take(&text);
}

/* The request's RTL with this top module; it borrows from all of them. */
static ls_rtl rtl_of(const ls_design_request *rq, const char *top, const ls_args *files, const ls_args *dirs,
                     const ls_rtl_param *params, size_t param_count) {
    return (ls_rtl){.top = top,
                    .dirs = (const char *const *)dirs->list,
                    .dir_count = dirs->count,
                    .files = (const char *const *)files->list,
                    .file_count = files->count,
                    .defines = rq->defines,
                    .define_count = rq->define_count,
                    .extra = rq->extra != NULL ? (const char *const *)rq->extra->list : NULL,
                    .extra_count = rq->extra != NULL ? rq->extra->count : 0,
                    .params = params,
                    .param_count = param_count,
                    .timeout_ms = ELAB_MS};
}

/* Elaborates the design and checks it; with `result` it is built too, else what Verilator says of it is in `elab`. */
static int check_or_build(const ls_design_request *rq, ls_build_result *result, ls_elab *elab, char **error) {
    const ls_unit *unit = rq->unit;
    *error = NULL;
    void *model = ls_zeroed(unit->model_size);
    const char *wrong = unit->check(rq->cfg);
    if (wrong != NULL || unit->init(model, rq->cfg) != 0) {
        *error = refusal(unit, rq->cfg, wrong != NULL ? wrong : "the configuration is refused");
        free(model);
        return -1;
    }
    ls_fields fields = {.clock = ls_unit_clock(unit), .reset = ls_unit_reset(unit)};
    unit->fields(&fields, model); /* without what an earlier map of it found */
    ls_args files = {0}, names = {0}, params_named = {0}, values = {0};
    ls_rtl_wire *wires = NULL;
    size_t wire_count = 0;
    list_wires(&fields, &names, &wires, &wire_count);
    if (rq->rtl_count != 0) ls_design_user_files(unit, rq->rtl, rq->rtl_count, &files);
    else ls_design_files(unit, &files);
    add_properties(rq, &files);
    const bool fits = ls_map_params(unit, rq->cfg, &params_named, &values, error) == 0;
    ls_rtl_param *params = ls_resize(NULL, (values.count + 1) * sizeof *params);
    for (size_t i = 0; i < values.count; i++) params[i] = (ls_rtl_param){params_named.list[i], values.list[i]};
    ls_args dirs = {0};
    ls_design_dirs(unit, rq->rtl_count, &dirs);
    ls_rtl rtl = rtl_of(rq, ls_unit_top(unit), &files, &dirs, params, values.count);
    rtl.clock = ls_unit_clock(unit);
    rtl.reset = ls_unit_reset(unit);
    rtl.wires = wires;
    rtl.wire_count = rq->ports_only ? 0 : wire_count;
    rtl.strict = rq->strict;
    const int status = !fits            ? -1
                       : result != NULL ? build_and_check(rq, &fields, &rtl, result, error)
                                        : elaborate_and_check(rq, &fields, &rtl, elab, error);
    ls_args_free(&dirs);
    free(params);
    free(wires);
    free(model);
    ls_args_free(&files);
    ls_args_free(&names);
    ls_args_free(&params_named);
    ls_args_free(&values);
    ls_fields_free(&fields);
    return status;
}

int ls_design_build(const ls_design_request *rq, ls_build_result *result, char **error) {
    *result = (ls_build_result){0};
    return check_or_build(rq, result, NULL, error);
}

int ls_design_elaborate(const ls_design_request *rq, ls_elab *elab, char **error) {
    return check_or_build(rq, NULL, elab, error);
}

int ls_design_fits(const ls_design_request *rq, char **error) {
    ls_elab elab;
    if (ls_design_elaborate(rq, &elab, error) != 0) return -1;
    ls_elab_free(&elab);
    return 0;
}

/* How often the word stands in the text. */
static size_t words(const char *text, const char *word) {
    const size_t n = strlen(word);
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += n) {
        const bool begins = at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_' && at[-1] != '.');
        count += begins && !isalnum((unsigned char)at[n]) && at[n] != '_';
    }
    return count;
}

/* The unit's own module, or the one of the files that they name but once; to be freed. NULL and the error. */
static char *root_module(const ls_design_request *rq, char **error) {
    char name[256];
    ls_text all = {0}, found = {0};
    char *root = NULL;
    size_t count = 0;
    if (declared(rq->rtl, rq->rtl_count, "module", rq->unit->name, strlen(rq->unit->name))) return ls_copy(rq->unit->name);
    for (size_t i = 0; i < rq->rtl_count; i++) (void)ls_text_read(&all, rq->rtl[i]);
    ls_text_put(&all, "", 0);
    for (size_t i = 0; i < rq->rtl_count; i++) {
        FILE *f = fopen(rq->rtl[i], "r");
        for (unsigned line = 0; next_declared(f, "module", name, sizeof name, &line);) {
            if (words(all.data, name) != 1) continue;
            ls_text_add(&found, "%s %s", count++ > 0 ? "," : "", name);
            free(root);
            root = ls_copy(name);
        }
        if (f != NULL) (void)fclose(f);
    }
    free(all.data);
    if (count != 1) {
        *error = ls_format("which module is the top?%s%s: a map says it, top NAME",
                           count > 0 ? " It could be" : " Each is named again", count > 0 ? found.data : "");
        free(root);
        root = NULL;
    }
    free(found.data);
    return root;
}

int ls_design_look(const ls_design_request *rq, bool with_params, ls_elab *elab, char **error) {
    const ls_unit *unit = rq->unit;
    ls_args files = {0}, dirs = {0}, names = {0}, values = {0};
    char *text = NULL;
    *elab = (ls_elab){0};
    *error = NULL;
    ls_design_user_files(unit, rq->rtl, rq->rtl_count, &files);
    ls_design_dirs(unit, rq->rtl_count, &dirs);
    if (with_params && ls_map_params(unit, rq->cfg, &names, &values, error) != 0) return -1;
    ls_rtl_param *params = ls_resize(NULL, (values.count + 1) * sizeof *params);
    for (size_t i = 0; i < values.count; i++) params[i] = (ls_rtl_param){names.list[i], values.list[i]};
    char *top = unit->map != NULL && unit->map->top_line != 0 ? ls_copy(unit->map->top) : root_module(rq, error);
    if (top == NULL) return -1;
    const ls_rtl rtl = rtl_of(rq, top, &files, &dirs, params, values.count);
    const bool good = ls_elab_run(&rtl, ls_tools_once()->verilator, NULL, elab, &text) == LS_ELAB_OK;
    if (!good) *error = text;
    else free(text);
    free(top);
    free(params);
    ls_args_free(&files);
    ls_args_free(&dirs);
    ls_args_free(&names);
    ls_args_free(&values);
    return good ? 0 : -1;
}
