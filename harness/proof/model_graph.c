/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/proof/model_graph.h"

#include <errno.h>
#include <glob.h>
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
#include "harness/netlist/prover.h"

#define TOOL_MS 300000u
#define INVARIANT "ls_invariant"
#define PASSES 4         /* until no more bytes are found that lose their value */
#define TURN_SECONDS 10u /* of the solver's work for a turn of a loop */

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

static void add_source(ls_args *sources, const char *path) {
    char *real = realpath(path, NULL);
    if (real != NULL && !holds(sources, real)) ls_args_add(sources, "%s", real);
    free(real);
}

/* What a header declares is in the source of its name, and in those whose names go on behind it and that have no header. */
static void add_sources_of(ls_args *sources, const char *header) {
    const int n = (int)strlen(header) - 2;
    char *beside = ls_format("%.*s.c", n, header), *more = ls_format("%.*s_*.c", n, header);
    glob_t found = {0};
    add_source(sources, beside);
    (void)glob(more, 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *own = ls_format("%.*s.h", (int)strlen(found.gl_pathv[i]) - 2, found.gl_pathv[i]);
        if (access(own, F_OK) != 0) add_source(sources, found.gl_pathv[i]);
        free(own);
    }
    globfree(&found);
    free(beside);
    free(more);
}

/* The sources of the headers that `source` includes. */
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
        add_sources_of(sources, word);
    }
    ls_process_free(&r);
    ls_args_free(&args);
    return failed;
}

/* A function for each unit that says whether what its field list claims of the state holds. Units are those whose models are
 * among the sources; which of them a UNIT line means, the type of its member says. */
static char *write_invariants(const ls_unit *unit, const ls_args *sources, const char *path, ls_hash *hash) {
    ls_text out = {0}, types = {0}, functions = {0};
    ls_text_add(&out, "#include <stdint.h>\n");
    for (const ls_unit *const *u = ls_units; *u != NULL; u++) {
        char *model = ls_unit_part_path(*u, LS_PART_MODEL), *list = ls_unit_part_path(*u, LS_PART_LIST);
        const char *name = (*u)->name;
        char *real = realpath(model, NULL);
        if (*u == unit || (real != NULL && holds(sources, real))) {
            (void)ls_hash_file(hash, list);
            ls_text_add(&out, "#include \"%.*s.h\"\nint ls_invariant_%s(const %s *m);\n", (int)strlen(model) - 2, model, name,
                        name);
            ls_text_add(&types, "const %s *: ls_invariant_%s, ", name, name);
            ls_text_add(&functions,
                        "int ls_invariant_%s(const %s *m) {\n    const %s_cfg *cfg = &m->cfg;\n    int ok = 1;\n    (void)cfg;\n"
                        "#include \"%s\"\n    return ok;\n}\n",
                        name, name, name, list);
        }
        free(real);
        free(model);
        free(list);
    }
    ls_text_add(&out,
                "static int ls_invariant_of_none(const void *m) { return m != 0; }\n"
                "#define ls_invariant_of(m) _Generic((m), %sdefault: ls_invariant_of_none)(m)\n"
                "#define PARAM(...)\n#define FIELD(...)\n#define RECORD(...)\n#define MEMBER(...)\n#define MEMORY(...)\n"
                "#define CONSTANT(...)\n#define RARE(...)\n#define TOP(...)\n#define CLOCK(...)\n#define RESET(...)\n"
                "#define SUFFIXES(...)\n#define INVARIANT(holds, text) ok &= (holds) ? 1 : 0;\n"
                "#define INVARIANT_EACH(i, count, holds, text) for (uint32_t i = 0; i < (count); i++) ok &= (holds) ? 1 : 0;\n"
                "#define UNIT(member, scope, list) ok &= ls_invariant_of(&m->member);\n"
                "#define UNIT_IF(when, member, scope, list) if (when) ok &= ls_invariant_of(&m->member);\n"
                "#define UNITS(member, count, scope, list) for (uint32_t i = 0; i < (count); i++) ok &= "
                "ls_invariant_of(&m->member[i]);\n%s",
                types.data != NULL ? types.data : "", functions.data != NULL ? functions.data : "");
    const int error = ls_text_write(&out, path);
    free(ls_text_take(&out));
    free(ls_text_take(&types));
    free(ls_text_take(&functions));
    return error != 0 ? ls_format("%s: %s", path, strerror(-error)) : NULL;
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
    char *failed = NULL;
    ls_args_add(&sources, "%s", model);
    for (size_t i = 0; i < sources.count && failed == NULL; i++) failed = add_beside(unit, sources.list[i], &sources, &hash);
    if (failed == NULL) failed = write_invariants(unit, &sources, invariants, &hash);
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
    const char *folder; /* for temporary files */
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
        uint32_t none, lost;
        if (named[i]) continue;
        const uint32_t *a = ls_memory_byte(before, k->model, i, &none), *b = ls_memory_byte(after, k->model, i, &lost);
        if (none == 1 || (memcmp(a, b, 8 * sizeof *a) == 0 && lost == 0)) continue; /* of no value from the beginning: no state */
        k->g->hidden = ls_grow(k->g->hidden, k->g->hidden_count, sizeof *k->g->hidden);
        ls_hidden *h = &k->g->hidden[k->g->hidden_count++];
        *h = (ls_hidden){.offset = i, .lost = lost, .reset = reset};
        memcpy(h->before, a, sizeof h->before);
        memcpy(h->after, b, sizeof h->after);
    }
    free(named);
}

/* Whether a literal is 0 in all states of which the invariants hold. */
static bool never(void *asked, uint32_t literal) {
    maker *k = asked;
    ls_aig_maker *aig = k->x->values.maker;
    char *path = ls_format("%s/turn.aig", k->folder), *commands = ls_format("read %s; sat", path), *said = NULL, *failed;
    aig->outputs = 0;
    ls_aig_put_output(aig, ls_aig_and(aig, literal, k->g->invariant));
    failed = ls_aig_write(aig, path);
    if (failed == NULL) said = ls_prover_run(commands, TURN_SECONDS, &failed);
    if (failed != NULL) fail(k, failed);
    const bool is = said != NULL && strstr(said, "UNSATISFIABLE") != NULL;
    free(said);
    free(commands);
    free(path);
    return is;
}

static uint32_t invariant_of(maker *k, const ls_memory *memory) {
    ls_memory copy = ls_memory_copy(memory);
    const ls_value *value = call(k, INVARIANT, &copy, false, false);
    const uint32_t literal = value != NULL ? ls_any(k->x->values.maker, ls_bits(&k->x->values, value), value->bits) : 0;
    ls_memory_free(&copy);
    return literal;
}

/* So many lines of field lists claim something of the state: of the unit, and of those in it. */
static uint32_t count_invariants(const maker *k) {
    uint32_t count = 0;
    for (const ls_unit *const *u = ls_units; *u != NULL && k->error == NULL; u++) {
        char *name = ls_format(INVARIANT "_%s", (*u)->name);
        const uint32_t function = ls_ir_find(&k->g->ir, name);
        free(name);
        if (function == LS_IR_NONE || !ls_execution_called(k->x, function)) continue;
        for (const ls_line *line = (*u)->lines; line->of != NULL; line++) count += strncmp(line->of, "INVARIANT", 9) == 0;
    }
    return count;
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
    g->invariants = count_invariants(k);
    k->x->never = never;
    k->x->asked = k;
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

/* Bytes of no field that a call may leave without a value have none in `start` from now on; in states that no invariant allows
 * none is lost. false: there are none. */
static bool lose_hidden(maker *k, ls_memory *start) {
    bool any = false;
    uint32_t kept = 0;
    for (size_t i = 0; i < k->g->hidden_count; i++) {
        const ls_hidden *h = &k->g->hidden[i];
        if (h->lost == 0 || (!h->reset && h->lost == kept)) continue;
        if (!h->reset && h->lost > 1 && never(k, h->lost)) {
            kept = h->lost;
            continue;
        }
        ls_memory_lose(start, k->model, k->g->hidden[i].offset);
        any = true;
    }
    return any;
}

/* What an execution told, but the graph. */
static void forget(ls_model_graph *g) {
    free(g->early);
    g->early = NULL;
    g->early_count = g->run.misuse_count = g->run.cut_count = g->hidden_count = 0;
    g->run.never = NULL;
}

char *ls_model_graph_make(ls_model_graph *g, const ls_unit *unit, const void *cfg, const ls_slices *slices, ls_aig_maker *aig,
                          const char *folder) {
    *g = (ls_model_graph){0};
    maker k = {.folder = folder, .g = g, .unit = unit, .slices = slices, .x = &g->run};
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
    /* What a call leaves without a value, as padding, has none before the next call either: whoever reads it is told of. */
    for (int pass = 0; pass < PASSES && k.error == NULL && lose_hidden(&k, &memory); pass++) {
        forget(g);
        execute_all(&k, &memory);
    }
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
