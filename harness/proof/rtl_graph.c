/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/proof/rtl_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/folder.h"
#include "harness/base/hash.h"
#include "harness/base/text.h"
#include "harness/core/config.h"
#include "harness/core/design.h"
#include "harness/core/plan.h"
#include "harness/core/signals.h"
#include "harness/dut/toolchain.h"
#include "harness/proof/words.h"

#define NONE UINT32_MAX

static char *write_script(const ls_rtl_request *rq, const char *path, char **digest) {
    const ls_unit *unit = rq->unit;
    const char *top = ls_unit_top(unit);
    ls_args files = {0}, dirs = {0}, links = {0};
    ls_text script = {0};
    if (rq->rtl_count == 0) ls_design_files(unit, &files);
    else ls_design_user_files(unit, rq->rtl, rq->rtl_count, &files);
    ls_design_dirs(unit, rq->rtl_count, &dirs);
    char *failed = ls_link_dirs(&dirs, rq->folder, &links);
    ls_text_add(&script, "read_verilog -defer -sv");
    ls_hash hash = ls_hash_begin();
    for (size_t i = 0; i < files.count; i++) {
        ls_text_add(&script, " \"%s\"", files.list[i]);
        (void)ls_hash_file(&hash, files.list[i]);
    }
    *digest = ls_hash_end(&hash);
    if (unit->param_count > 0) ls_text_add(&script, "\nchparam");
    for (size_t i = 0; i < unit->param_count; i++)
        ls_text_add(&script, " -set %s %u", unit->params[i].name, ls_config_get(&unit->params[i], rq->cfg));
    if (unit->param_count > 0) ls_text_add(&script, " %s", top);
    ls_text_add(&script, "\nhierarchy -check");
    for (size_t i = 0; i < links.count; i++) ls_text_add(&script, " -libdir %s/%s", rq->folder, links.list[i]);
    ls_text_add(&script, " -top %s\n", top);
    if (failed == NULL && rq->cut_count > 0) failed = ls_boxes_select(rq->cut, rq->cut_count, unit, &script);
    ls_text_add(&script, "flatten\nrename -top %s\n", unit->name);
    if (rq->cut_count > 0) ls_boxes_take_out(unit, rq->folder, &script);
    ls_text_add(&script, "write_rtlil %s/rtl.il\n", rq->folder);
    const int error = failed == NULL ? ls_text_write(&script, path) : 0;
    if (error != 0) failed = ls_format("%s: %s", rq->folder, strerror(-error));
    free(ls_text_take(&script));
    ls_args_free(&files);
    ls_args_free(&dirs);
    ls_args_free(&links);
    return failed;
}

/* Where a bit of a register is; false when it has no such name. */
static bool find_bit(const ls_aig *a, const char *rtl, uint32_t bits, uint32_t element, uint32_t bit, uint32_t *literal) {
    if (ls_aig_has(a, rtl)) return ls_aig_find(a, rtl, element * bits + bit, literal);
    char *name = ls_format("%s[%u]", rtl, element);
    const bool found = ls_aig_find(a, name, bit, literal);
    free(name);
    return found;
}

static char *bind_inputs(ls_rtl_graph *g, const ls_slices *slices) {
    for (size_t i = 0; i < slices->fields.count; i++) {
        const ls_field *f = &slices->fields.list[i];
        char name[512];
        if (f->kind != LS_IN) continue;
        (void)ls_rtl_name(f, name, sizeof name);
        for (uint32_t b = 0; b < f->bits * f->count; b++) {
            char *bit = ls_format("%s[%u]", name, b);
            const uint32_t variable = ls_aig_input(&g->aig, bit);
            free(bit);
            if (variable == 0) return ls_format("the RTL has no input %s[%u]", name, b);
            g->leaf[variable] = 2 * (slices->first[i] + b);
        }
    }
    return NULL;
}

static void bind_registers(ls_rtl_graph *g, const ls_slices *slices) {
    const ls_aig *a = &g->aig;
    for (size_t i = 0; i < slices->fields.count; i++) {
        const ls_field *f = &slices->fields.list[i];
        char name[512];
        if (!ls_is_state(f)) continue;
        (void)ls_rtl_name(f, name, sizeof name);
        for (uint32_t e = 0; e < f->count; e++)
            for (uint32_t b = 0; b < f->bits; b++) {
                const uint32_t leaf = slices->first[i] + e * f->bits + b;
                uint32_t literal = 0;
                const bool found = find_bit(a, name, f->bits, e, b, &literal);
                literal = ls_aig_strip(a, literal, g->reset, g->reset_high);
                const uint32_t variable = literal >> 1;
                if (!found || variable <= a->inputs || variable > a->inputs + a->latches || g->leaf[variable] != NONE) {
                    continue;
                }
                g->latch[leaf] = literal;
                g->leaf[variable] = 2 * leaf ^ (literal & 1u);
            }
    }
}

char *ls_rtl_graph_make(ls_rtl_graph *g, const ls_rtl_request *rq, const ls_slices *slices) {
    *g = (ls_rtl_graph){0};
    char *script = ls_format("%s/rtl.ys", rq->folder), *path = ls_format("%s/rtl.il", rq->folder);
    char *failed = write_script(rq, script, &g->hash);
    ls_args args = {0};
    static const char *const words[] = {"yosys", "-q", "-q", "-w", ".*"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) ls_args_add(&args, "%s", words[i]);
    ls_args_add(&args, "%s", script);
    bool refused;
    if (failed == NULL) failed = ls_command(&args, rq->timeout_ms, &refused);
    if (failed == NULL) failed = ls_words_read(path, rq->unit->name, ls_clock_name(rq->unit), &g->aig);
    if (failed == NULL) {
        ls_aig_drop_scopes(&g->aig);
        const uint32_t variables = g->aig.inputs + g->aig.latches + 1;
        char *reset = ls_format("%s[0]", ls_unit_reset(rq->unit) != NULL ? ls_unit_reset(rq->unit) : "");
        g->reset = ls_aig_input(&g->aig, reset);
        free(reset);
        g->reset_high = rq->unit->names.reset_high;
        g->latch = ls_alloc(slices->leaves + 1, sizeof *g->latch);
        g->leaf = ls_alloc(variables, sizeof *g->leaf);
        for (uint32_t i = 0; i < variables; i++) g->leaf[i] = NONE;
        failed = bind_inputs(g, slices);
        bind_registers(g, slices);
        if (failed == NULL && rq->cut_count > 0)
            failed = ls_boxes_make(&g->boxes, &g->aig, rq->unit, slices, rq->folder, &g->unbound);
        char *pin = ls_format("%s[0]", ls_clock_name(rq->unit));
        const uint32_t clock = ls_aig_input(&g->aig, pin);
        free(pin);
        for (uint32_t i = 1; i < variables; i++)
            if (g->leaf[i] == NONE && i != g->reset && i != clock) g->leaf[i] = 2 * (slices->leaves + ++g->unbound);
    }
    ls_args_free(&args);
    free(script);
    free(path);
    return failed;
}

void ls_rtl_graph_free(ls_rtl_graph *g) {
    ls_aig_free(&g->aig);
    free(g->latch);
    free(g->leaf);
    free(g->hash);
    ls_boxes_free(&g->boxes);
    *g = (ls_rtl_graph){0};
}

char *ls_rtl_graph_unbound(const ls_rtl_graph *g, uint32_t input) {
    for (size_t k = 0; k < g->aig.name_count; k++) {
        const uint32_t variable = g->aig.names[k].literal >> 1;
        if (variable <= g->aig.inputs + g->aig.latches && variable > 0 && g->leaf[variable] == 2 * input)
            return ls_format("%s bit %u", g->aig.names[k].name, g->aig.names[k].index);
    }
    char *name = ls_boxes_name(&g->boxes, input);
    return name != NULL ? name : ls_copy("one without a name");
}

char *ls_rtl_graph_put(const ls_rtl_graph *g, ls_aig_maker *maker, bool reset, const uint32_t *state, ls_rtl_map *map) {
    const uint32_t leaves = g->aig.inputs + g->aig.latches;
    uint32_t *leaf = ls_alloc(leaves + g->aig.gates + 1, sizeof *leaf);
    *map = (ls_rtl_map){.variable = leaf};
    for (uint32_t i = 1; i <= leaves; i++) {
        leaf[i] = g->leaf[i] != NONE ? g->leaf[i] : 0; /* the clock */
        if (state != NULL && i > g->aig.inputs) leaf[i] = state[leaf[i] >> 1] ^ (leaf[i] & 1u);
    }
    if (g->reset != 0) leaf[g->reset] = reset == g->reset_high;
    if (g->boxes.instances == 0) {
        map->variable = ls_aig_put(maker, &g->aig, leaf);
        free(leaf);
        return NULL;
    }
    map->next = ls_alloc(maker->inputs + 1, sizeof *map->next);
    map->claim = ls_alloc(g->boxes.instances, sizeof *map->claim);
    for (uint32_t i = 0; i <= maker->inputs; i++) map->next[i] = NONE;
    return ls_boxes_put(&g->boxes, &g->aig, maker,
                        !reset          ? LS_BOX_CYCLE
                        : state != NULL ? LS_BOX_RESET
                                        : LS_BOX_BEFORE,
                        map->variable, map->next, map->claim);
}

void ls_rtl_map_free(ls_rtl_map *map) {
    free(map->variable);
    free(map->next);
    free(map->claim);
    *map = (ls_rtl_map){0};
}

static bool became(const ls_rtl_map *map, uint32_t literal, uint32_t *to) {
    if (map->variable[literal >> 1] == NONE) return false;
    *to = ls_aig_became(map->variable, literal);
    return true;
}

bool ls_rtl_graph_output(const ls_rtl_graph *g, const ls_rtl_map *map, const ls_field *f, uint32_t bit, uint32_t *literal) {
    char rtl[512];
    (void)ls_rtl_name(f, rtl, sizeof rtl);
    char *name = ls_format("%s[%u]", rtl, bit);
    uint32_t i = 0;
    while (i < g->aig.outputs && strcmp(g->aig.output_names[i], name) != 0) i++;
    free(name);
    return i < g->aig.outputs && became(map, g->aig.output[i], literal);
}

bool ls_rtl_graph_next(const ls_rtl_graph *g, const ls_rtl_map *map, uint32_t leaf, uint32_t *literal) {
    const uint32_t latch = g->latch[leaf];
    if (latch == 0) {
        *literal = map->next != NULL ? map->next[leaf] : NONE;
        return *literal != NONE;
    }
    if (!became(map, g->aig.next[(latch >> 1) - g->aig.inputs - 1], literal)) return false;
    *literal ^= latch & 1u;
    return true;
}
