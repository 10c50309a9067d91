/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/proof/model_graph.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/folder.h"
#include "harness/base/hash.h"
#include "harness/base/memory.h"
#include "harness/base/process.h"
#include "harness/base/root.h"
#include "harness/core/config.h"
#include "harness/core/place.h"
#include "harness/dut/toolchain.h"

#define TOOL_MS 300000u
#define INVARIANT "ls_invariant"

/* Sources -------------------------------------------------------------------------------------------------------------------- */

static void add_flags(const ls_unit *unit, ls_args *args) {
    ls_args_add(args, "clang-14");
    ls_args_add(args, "-std=c11");
    ls_args_add(args, "-w");
    ls_args_add(args, "-I%s", ls_headers());
    for (const char *const *f = unit->place != NULL ? unit->place->flags : NULL; f != NULL && *f != NULL; f++)
        ls_args_add(args, "%s", *f);
}

static bool holds(const ls_args *list, const char *word) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->list[i], word) == 0) return true;
    return false;
}

/* The sources beside the headers that `source` includes: where what they declare is. */
static char *add_beside(const ls_unit *unit, const char *source, ls_args *sources, ls_hash *hash) {
    ls_args args = {0};
    add_flags(unit, &args);
    ls_args_add(&args, "-MM");
    ls_args_add(&args, "%s", source);
    ls_process_result r = {0};
    const int error = ls_process_run(&(ls_process){.argv = (const char *const *)args.list, .timeout_ms = TOOL_MS}, &r);
    char *failed = NULL;
    if (error == -ENOENT)
        failed = ls_copy("proofs need clang-14, which cannot be run: apt-get install clang-14 (make deps-test)");
    else if (error != 0 || !ls_process_ok(&r)) failed = ls_format("%s: %s", source, error != 0 ? strerror(-error) : r.output);
    for (char *at = failed == NULL ? strchr(r.output, ':') : NULL, *word = at != NULL ? strtok(at + 1, " \\\n") : NULL;
         word != NULL; word = strtok(NULL, " \\\n")) {
        const size_t n = strlen(word);
        (void)ls_hash_file(hash, word);
        if (n < 3 || strcmp(word + n - 2, ".h") != 0) continue;
        char *beside = ls_format("%.*s.c", (int)(n - 2), word), *real = realpath(beside, NULL);
        if (real != NULL && !holds(sources, real)) ls_args_add(sources, "%s", real);
        free(real);
        free(beside);
    }
    ls_process_free(&r);
    ls_args_free(&args);
    return failed;
}

/* The unit names of the UNIT lines in a field list. */
static void add_units(const char *text, ls_args *units) {
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        while (*line == '\n') line++;
        if (strncmp(line, "UNIT", 4) != 0) continue;
        const size_t length = strcspn(line, "\n");
        const char *end = line + length, *comma;
        while (end > line && *end != ')') end--;
        for (comma = end; comma > line && *comma != ','; comma--) {
        }
        char *name = ls_format("%.*s", (int)(end - comma - 1), comma + 1);
        char *first = name + strspn(name, " \t");
        if (!holds(units, first)) ls_args_add(units, "%s", first);
        free(name);
    }
}

/* A function for each unit of the system that says whether what its field list claims of the state holds. */
static char *write_invariants(const ls_unit *unit, const char *path, uint32_t *count, ls_hash *hash) {
    ls_args units = {0};
    ls_text out = {0}, functions = {0};
    char *failed = NULL;
    ls_args_add(&units, "%s", unit->name);
    *count = 0;
    ls_text_add(&out, "#include <stdint.h>\n");
    for (size_t i = 0; i < units.count && failed == NULL; i++) {
        const ls_unit *u = ls_unit_find(units.list[i]);
        if (u == NULL) { /* a list that is no unit's claims nothing */
            ls_text_add(&out, "#define ls_invariant_%s(m) 1\n", units.list[i]);
            continue;
        }
        char *model = ls_unit_part_path(u, LS_PART_MODEL), *list = ls_unit_part_path(u, LS_PART_LIST);
        ls_text text = {0};
        const int error = ls_text_read(&text, list);
        ls_text_put(&text, "", 1);
        if (error != 0) failed = ls_format("%s: %s", list, strerror(-error));
        else add_units(text.data, &units);
        for (const ls_line *line = u->lines; line->of != NULL; line++) *count += strncmp(line->of, "INVARIANT", 9) == 0;
        (void)ls_hash_file(hash, list);
        ls_text_add(&out, "#include \"%.*s.h\"\nint ls_invariant_%s(const %s *m);\n", (int)strlen(model) - 2, model, u->name,
                    u->name);
        ls_text_add(&functions,
                    "int ls_invariant_%s(const %s *m) {\n    const %s_cfg *cfg = &m->cfg;\n    int ok = 1;\n    (void)cfg;\n"
                    "#include \"%s\"\n    return ok;\n}\n",
                    u->name, u->name, u->name, list);
        free(ls_text_take(&text));
        free(model);
        free(list);
    }
    ls_text_add(&out,
                "#define PARAM(...)\n#define FIELD(...)\n#define RECORD(...)\n#define MEMBER(...)\n#define MEMORY(...)\n"
                "#define CONSTANT(...)\n#define RARE(...)\n#define TOP(...)\n#define CLOCK(...)\n#define RESET(...)\n"
                "#define SUFFIXES(...)\n#define INVARIANT(holds, text) ok &= (holds) ? 1 : 0;\n"
                "#define INVARIANT_EACH(i, count, holds, text) for (uint32_t i = 0; i < (count); i++) ok &= (holds) ? 1 : 0;\n"
                "#define UNIT(member, scope, unit) ok &= ls_invariant_##unit(&m->member);\n"
                "#define UNIT_IF(when, member, scope, unit) if (when) ok &= ls_invariant_##unit(&m->member);\n"
                "#define UNITS(member, count, scope, unit) for (uint32_t i = 0; i < (count); i++) ok &= "
                "ls_invariant_##unit(&m->member[i]);\n%s",
                functions.data != NULL ? functions.data : "");
    const int error = failed == NULL ? ls_text_write(&out, path) : 0;
    if (error != 0) failed = ls_format("%s: %s", path, strerror(-error));
    free(ls_text_take(&out));
    free(ls_text_take(&functions));
    ls_args_free(&units);
    return failed;
}

static char *compile(const ls_unit *unit, const char *source, const char *output) {
    ls_args args = {0};
    add_flags(unit, &args);
    static const char *const words[] = {
        "-c", "-emit-llvm", "-O1", "-Xclang", "-disable-llvm-passes", "-gline-tables-only",
        /* what C gives no meaning to becomes a branch to a trap; what the memory of the execution sees itself is left out */
        "-fsanitize=undefined", "-fsanitize-trap=undefined", "-fno-sanitize=alignment,null,pointer-overflow,object-size,function",
        "-o"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) ls_args_add(&args, "%s", words[i]);
    ls_args_add(&args, "%s", output);
    ls_args_add(&args, "%s", source);
    bool refused;
    char *failed = ls_command(&args, TOOL_MS, &refused);
    ls_args_free(&args);
    return failed;
}

static char *read_sources(ls_model_graph *g, const ls_unit *unit, const char *folder) {
    ls_args sources = {0}, bitcode = {0};
    ls_hash hash = ls_hash_begin();
    char *invariants = ls_format("%s/invariants.c", folder), *model = ls_unit_part_path(unit, LS_PART_MODEL);
    char *failed = write_invariants(unit, invariants, &g->invariants, &hash);
    ls_args_add(&sources, "%s", model);
    for (size_t i = 0; i < sources.count && failed == NULL; i++) failed = add_beside(unit, sources.list[i], &sources, &hash);
    ls_args_add(&sources, "%s", invariants);
    for (size_t i = 0; i < sources.count && failed == NULL; i++) {
        ls_args_add(&bitcode, "%s/%zu.bc", folder, i);
        failed = compile(unit, sources.list[i], bitcode.list[i]);
    }
    if (failed == NULL) failed = ls_ir_read((const char *const *)bitcode.list, bitcode.count, &g->ir);
    g->sources = sources.count - 1;
    g->hash = ls_hash_end(&hash);
    ls_args_free(&sources);
    ls_args_free(&bitcode);
    free(invariants);
    free(model);
    return failed;
}

/* Execution ------------------------------------------------------------------------------------------------------------------ */

typedef struct maker {
    ls_model_graph *g;
    const ls_unit *unit;
    const ls_slices *slices;
    ls_execution *x;
    uint32_t model, in, out; /* objects */
    char *error;
} maker;

static void fail(maker *k, char *text) {
    if (k->error == NULL) k->error = text;
    else free(text);
}

static const ls_value *call(maker *k, const char *what, ls_memory *memory, bool in, bool out) {
    if (k->error != NULL) return NULL;
    char *name =
        strcmp(what, INVARIANT) == 0 ? ls_format(INVARIANT "_%s", k->unit->name) : ls_format("%s_%s", k->unit->name, what);
    const uint32_t function = ls_ir_find(&k->g->ir, name);
    const ls_value *argument[3], *result = NULL;
    uint32_t count = 0;
    argument[count++] = ls_constant(&k->x->values, 64, ls_object_address(k->model));
    if (in) argument[count++] = ls_constant(&k->x->values, 64, ls_object_address(k->in));
    if (out) argument[count++] = ls_constant(&k->x->values, 64, ls_object_address(k->out));
    if (function == LS_IR_NONE) fail(k, ls_format("no function %s in the model's sources", name));
    else result = ls_execute(k->x, function, 1, memory, argument, count);
    if (k->x->error != NULL) fail(k, ls_copy(k->x->error));
    free(name);
    return result;
}

/* What the memory holds of the slices of these kinds. */
static void read_slices(maker *k, const ls_memory *memory, bool state, ls_model_answer *to) {
    if (k->error != NULL) return;
    if (to->value == NULL) to->value = ls_alloc(k->slices->count + 1, sizeof *to->value);
    const ls_access a = {&k->x->values, (ls_memory *)(uintptr_t)memory, 1, NULL, NULL}; /* within bounds: nothing to tell */
    for (size_t i = 0; i < k->slices->count; i++) {
        const ls_slice *s = &k->slices->list[i];
        const ls_field *f = &k->slices->fields.list[s->field];
        if (state ? !ls_is_state(f) : f->kind != LS_OUT) continue;
        const uint64_t at = ls_object_address(state ? k->model : k->out) + s->offset;
        to->value[i] = ls_load(&a, ls_constant(&k->x->values, 64, at), (uint32_t)s->size * 8, 1);
    }
}

/* Bytes of the model that are no field's and that the execution may have changed. */
static void find_hidden(maker *k, const ls_memory *before, const ls_memory *after, bool reset) {
    if (k->error != NULL) return;
    bool *named = ls_alloc(k->unit->model_size + 1, sizeof *named);
    for (size_t i = 0; i < k->slices->count; i++)
        if (ls_is_state(&k->slices->fields.list[k->slices->list[i].field]))
            memset(named + k->slices->list[i].offset, 1, k->slices->list[i].size);
    for (size_t i = 0; i < k->unit->model_size; i++) {
        uint32_t defined, lost;
        if (named[i]) continue;
        const uint32_t *a = ls_memory_byte(before, k->model, i, &defined), *b = ls_memory_byte(after, k->model, i, &lost);
        if (memcmp(a, b, 8 * sizeof *a) == 0 && lost == 0) continue;
        k->g->hidden = ls_grow(k->g->hidden, k->g->hidden_count, sizeof *k->g->hidden);
        ls_hidden *h = &k->g->hidden[k->g->hidden_count++];
        *h = (ls_hidden){.offset = i, .lost = lost, .reset = reset};
        memcpy(h->before, a, sizeof h->before);
        memcpy(h->after, b, sizeof h->after);
    }
    free(named);
}

static uint32_t invariant_of(maker *k, const ls_memory *memory) {
    ls_memory copy = ls_memory_copy(memory);
    const ls_value *value = call(k, INVARIANT, &copy, false, false);
    const uint32_t literal = value != NULL ? ls_any(k->x->values.maker, ls_bits(&k->x->values, value), value->bits) : 0;
    ls_memory_free(&copy);
    return literal;
}

/* Outputs without a value at first, in a copy of the memory. */
static ls_memory with_outputs(maker *k, const ls_memory *memory) {
    ls_memory copy = ls_memory_copy(memory);
    k->out = ls_execution_object(k->x, &copy, k->unit->out_size, NULL);
    return copy;
}

static void execute_all(maker *k, const ls_memory *start) {
    ls_model_graph *g = k->g;
    /* A reset comes in any state, also one that no invariant speaks of. */
    ls_memory now = with_outputs(k, start);
    (void)call(k, "reset", &now, false, false);
    find_hidden(k, start, &now, true);
    read_slices(k, &now, true, &g->reset);
    if (k->error == NULL) g->invariant_reset = invariant_of(k, &now);
    (void)call(k, "comb", &now, true, true);
    read_slices(k, &now, false, &g->reset);
    ls_memory_free(&now);
    g->early = k->x->misuse;
    g->early_count = k->x->misuse_count;
    k->x->misuse = NULL;
    k->x->misuse_count = 0;
    if (k->error == NULL) g->invariant = invariant_of(k, start);
    now = with_outputs(k, start);
    (void)call(k, "comb", &now, true, true);
    read_slices(k, &now, false, &g->cycle);
    (void)call(k, "clock", &now, true, false);
    read_slices(k, &now, true, &g->cycle);
    find_hidden(k, start, &now, false);
    if (k->error == NULL) g->invariant_next = invariant_of(k, &now);
    ls_memory_free(&now);
    if (k->unit->step == NULL || k->error != NULL) return;
    now = with_outputs(k, start);
    (void)call(k, "step", &now, true, true);
    read_slices(k, &now, false, &g->step);
    read_slices(k, &now, true, &g->step);
    find_hidden(k, start, &now, false);
    ls_memory_free(&now);
}

char *ls_model_graph_make(ls_model_graph *g, const ls_unit *unit, const void *cfg, const ls_slices *slices, ls_aig_maker *aig,
                          const char *folder) {
    *g = (ls_model_graph){0};
    maker k = {.g = g, .unit = unit, .slices = slices, .x = &g->run};
    k.error = read_sources(g, unit, folder);
    if (k.error != NULL) return k.error;
    ls_memory memory = {0};
    ls_execution_begin(&g->run, &g->ir, aig, &memory);
    uint8_t *model = ls_zeroed(unit->model_size), *in = ls_zeroed(unit->in_size);
    if (unit->init(model, cfg) != 0) ls_die("%s: the configuration is refused", unit->name);
    k.model = ls_execution_object(&g->run, &memory, unit->model_size, model);
    k.in = ls_execution_object(&g->run, &memory, unit->in_size, in);
    for (size_t i = 0; i < slices->count; i++) {
        const ls_slice *s = &slices->list[i];
        const ls_field *f = &slices->fields.list[s->field];
        if (f->kind == LS_OUT) continue;
        for (uint32_t b = 0; b < s->size * 8; b++)
            ls_memory_set_bit(&memory, f->kind == LS_IN ? k.in : k.model, s->offset + b / 8, b % 8,
                              b < s->bits ? 2 * ls_slice_leaf(slices, s, b) : 0);
    }
    execute_all(&k, &memory);
    ls_memory_free(&memory);
    free(model);
    free(in);
    return k.error;
}

void ls_model_graph_free(ls_model_graph *g) {
    if (g->run.ir != NULL) ls_execution_end(&g->run);
    ls_ir_free(&g->ir);
    free(g->cycle.value);
    free(g->step.value);
    free(g->reset.value);
    free(g->early);
    free(g->hidden);
    free(g->hash);
    *g = (ls_model_graph){0};
}
