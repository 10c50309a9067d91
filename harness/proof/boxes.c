/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/proof/boxes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/rtlil.h"
#include "harness/base/text.h"
#include "harness/core/config.h"
#include "harness/core/plan.h"
#include "harness/core/signals.h"

#define UNKNOWN UINT32_MAX

/* Yosys ---------------------------------------------------------------------------------------------------------------------- */

char *ls_boxes_select(const char *const *names, size_t count, const ls_unit *top, ls_text *script) {
    ls_text_add(script, "select -set boxes");
    for (size_t i = 0; i < count; i++) {
        const bool all = strcmp(names[i], "all") == 0;
        if (!all && (ls_unit_find(names[i]) == NULL || ls_unit_find(names[i]) == top))
            return ls_format("--cut %s: no unit in %s has this name", names[i], top->name);
        for (const ls_unit *const *u = ls_units; *u != NULL;
             u++) /* with parameters a module has another name, and its own here */
            if (*u != top && (all || strcmp((*u)->name, names[i]) == 0))
                ls_text_add(script, " %s A:hdlname=?%s", ls_unit_top(*u), ls_unit_top(*u));
    }
    ls_text_add(script, "\nblackbox @boxes\n");
    return NULL;
}

void ls_boxes_take_out(const ls_unit *top, const char *folder, ls_text *script) {
    ls_text_add(script, "write_rtlil %s/boxes.il\nselect -set pins %s/t:$paramod*", folder, top->name);
    for (const ls_unit *const *u = ls_units; *u != NULL; u++) ls_text_add(script, " %s/t:%s", top->name, ls_unit_top(*u));
    ls_text_add(script, "\nexpose -evert -sep . @pins\n");
}

/* What the list of Yosys says of a module. */
typedef struct module {
    char *name;
    size_t box; /* SIZE_MAX: it is none */
} module;

typedef struct reader {
    ls_boxes *b;
    const ls_unit *top;
    module *list;
    size_t count;
    char *error;
} reader;

static void fail(reader *r, char *text) {
    if (r->error == NULL) r->error = text;
    else free(text);
}

/* The unit whose module has that name; as Yosys writes it: "\rf_x", or "$paramod...\rf_x..." */
static const ls_unit *unit_of(const char *name) {
    for (const ls_unit *const *u = ls_units; *u != NULL; u++) {
        const char *at = strchr(name, '\\');
        const size_t n = strlen(ls_unit_top(*u));
        if (at != NULL && strncmp(at + 1, ls_unit_top(*u), n) == 0 && (at[n + 1] == '\0' || at[n + 1] == '\\')) return *u;
    }
    return NULL;
}

/* "\WARPS 32", or the number's bits: "\WARPS 32'00...". What the unit's list does not name is refused. */
static void read_parameter(reader *r, ls_box *box, const char *line) {
    char name[256], value[256], error[512];
    if (sscanf(line, " parameter %*[\\]%255s %255s", name, value) != 2) return;
    const char *bits = strchr(value, '\'');
    const unsigned long number = strtoul(bits != NULL ? bits + 1 + (bits[1] == 's') : value, NULL, bits != NULL ? 2 : 10);
    char *text = ls_format("%s=%lu", name, number);
    if (ls_config_set(box->unit, box->cfg, text, error, sizeof error) != 0) fail(r, ls_copy(error));
    box->params++;
    free(text);
}

static void add_instance(reader *r, const char *type, const char *scope) {
    for (size_t i = 0; i < r->count; i++) {
        if (r->list[i].box == SIZE_MAX || strcmp(r->list[i].name, type) != 0) continue;
        r->b->instance = ls_grow(r->b->instance, r->b->instances, sizeof *r->b->instance);
        r->b->list[r->list[i].box].instances++;
        r->b->instance[r->b->instances++] = (ls_box_instance){.scope = ls_copy(scope), .box = r->list[i].box};
    }
}

/* Modules stand before those that have instances of them, or behind: so the file is read twice. */
static void read_list(reader *r, char *text, bool cells) {
    bool black = false, inside = false;
    ls_box *box = NULL;
    for (char *line, *rest = text; (line = strsep(&rest, "\n")) != NULL;) {
        char type[512], scope[512];
        if (strncmp(line, "attribute \\blackbox 1", 21) == 0) black = true;
        if (strncmp(line, "module ", 7) == 0) {
            const ls_unit *unit = black ? unit_of(line + 7) : NULL;
            inside = line[7] == '\\' && strcmp(line + 8, r->top->name) == 0;
            black = false;
            box = NULL;
            if (cells || unit == NULL) continue;
            r->b->list = ls_grow(r->b->list, r->b->count, sizeof *r->b->list);
            box = &r->b->list[r->b->count++];
            *box = (ls_box){.unit = unit, .cfg = ls_config_new(unit)};
            r->list = ls_grow(r->list, r->count, sizeof *r->list);
            r->list[r->count++] = (module){ls_copy(line + 7), r->b->count - 1};
        }
        if (box != NULL && strncmp(line, "  parameter ", 12) == 0) read_parameter(r, box, line);
        if (cells && inside && sscanf(line, "  cell %511s %*[\\]%511s", type, scope) == 2) add_instance(r, type, scope);
    }
}

/* Connections ---------------------------------------------------------------------------------------------------------------- */

typedef struct pin_name {
    const char *text;
    uint32_t number;
} pin_name;

static int by_text(const void *a, const void *b) { return strcmp(((const pin_name *)a)->text, ((const pin_name *)b)->text); }

static pin_name *sort_names(char *const *names, uint32_t count) {
    pin_name *list = ls_alloc(count + 1, sizeof *list);
    for (uint32_t i = 0; i < count; i++) list[i] = (pin_name){names[i], i};
    qsort(list, count, sizeof *list, by_text);
    return list;
}

/* The number of "scope.port[bit]"; UNKNOWN: there is none. */
static uint32_t find_pin(const pin_name *list, uint32_t count, const char *scope, const char *port, uint32_t bit) {
    char *text = ls_format("%s.%s[%u]", scope, port, bit);
    const pin_name key = {text, 0}, *found = bsearch(&key, list, count, sizeof *list, by_text);
    free(text);
    return found != NULL ? found->number : UNKNOWN;
}

/* The field of the system that is that register of the box; NULL: it has none. */
static const uint32_t *field_of(const ls_slices *slices, const char *scope, const ls_field *f) {
    char rtl[512], mine_rtl[512];
    (void)ls_rtl_name(f, rtl, sizeof rtl);
    char *full = ls_format("%s.%s", scope, rtl);
    const uint32_t *first = NULL;
    for (size_t i = 0; i < slices->fields.count && first == NULL; i++) {
        const ls_field *mine = &slices->fields.list[i];
        if (!ls_is_state(mine) || mine->bits != f->bits || mine->count != f->count) continue;
        (void)ls_rtl_name(mine, mine_rtl, sizeof mine_rtl);
        if (strcmp(mine_rtl, full) == 0) first = &slices->first[i];
    }
    free(full);
    return first;
}

/* Where all bits of an instance are. */
static char *connect(ls_boxes *b, ls_box_instance *at, const ls_unit *top, const ls_aig *aig, const pin_name *inputs,
                     const pin_name *outputs, const ls_slices *slices, uint32_t *unbound) {
    const ls_box *box = &b->list[at->box];
    const ls_slices *own = &box->slices;
    char *pin = ls_format("%s[0]", ls_clock_name(top));
    const uint32_t clock = ls_aig_input(aig, pin);
    free(pin);
    char *scope = ls_copy(at->scope), *failed = NULL;
    (void)ls_il_drop_scopes(scope);
    at->source = ls_alloc(own->leaves + 1, sizeof *at->source);
    for (size_t i = 0; i < own->fields.count && failed == NULL; i++) {
        const ls_field *f = &own->fields.list[i];
        char port[512];
        (void)ls_rtl_name(f, port, sizeof port);
        const uint32_t *first = ls_is_state(f) ? field_of(slices, scope, f) : NULL;
        for (uint32_t k = 0; k < f->bits * f->count && f->kind != LS_OUT && failed == NULL; k++) {
            uint32_t *to = &at->source[own->first[i] + k];
            if (ls_is_state(f)) {
                *to = 2 * (first != NULL ? *first + k : slices->leaves + ++*unbound);
                continue;
            }
            const uint32_t number = find_pin(outputs, aig->outputs, at->scope, port, k);
            if (number == UNKNOWN) failed = ls_format("the RTL has no pin %s.%s[%u]", at->scope, port, k);
            else *to = aig->output[number];
        }
    }
    for (size_t i = 0; i < own->count && failed == NULL; i++) {
        const ls_slice *s = &own->list[i];
        const ls_field *f = &own->fields.list[s->field];
        char port[512];
        (void)ls_rtl_name(f, port, sizeof port);
        for (uint32_t k = 0; k < s->bits && f->kind == LS_OUT; k++) {
            const uint32_t number = find_pin(inputs, aig->inputs, at->scope, port, s->element * f->bits + s->low + k);
            if (number == UNKNOWN) continue; /* nothing reads it */
            at->pin = ls_grow(at->pin, at->pins, sizeof *at->pin);
            at->pin[at->pins++] = (ls_box_pin){i, k, number + 1};
        }
    }
    at->reset = LS_BOX_NO_PIN;
    for (int i = 0; i < 2 && failed == NULL; i++) {
        const char *port = i == 0 ? ls_unit_clock(box->unit) : ls_unit_reset(box->unit);
        const uint32_t number = port != NULL ? find_pin(outputs, aig->outputs, at->scope, port, 0) : UNKNOWN;
        if (port == NULL) continue;
        if (number == UNKNOWN) failed = ls_format("the RTL has no pin %s.%s", at->scope, port);
        else if (i == 1) at->reset = aig->output[number];
        else if (aig->output[number] != 2 * clock) failed = ls_format("%s has another clock than %s", at->scope, top->name);
    }
    free(scope);
    return failed;
}

char *ls_boxes_make(ls_boxes *b, const ls_aig *aig, const ls_unit *top, const ls_slices *slices, const char *folder,
                    uint32_t *unbound) {
    *b = (ls_boxes){0};
    reader r = {.b = b, .top = top};
    char *path = ls_format("%s/boxes.il", folder);
    for (int cells = 0; cells < 2 && r.error == NULL; cells++) {
        ls_text text = {0};
        const int error = ls_text_read(&text, path);
        ls_text_put(&text, "", 1);
        if (error != 0) fail(&r, ls_format("%s: %s", path, strerror(-error)));
        else read_list(&r, text.data, cells != 0);
        free(ls_text_take(&text));
    }
    if (b->instances == 0) fail(&r, ls_format("--cut: %s has no instance of such a unit", top->name));
    for (size_t i = 0; i < b->count && r.error == NULL; i++) {
        ls_box *box = &b->list[i];
        if (box->instances == 0) continue;
        const char *wrong = box->params != box->unit->param_count ? "its RTL lacks a parameter" : box->unit->check(box->cfg);
        void *model = ls_zeroed(box->unit->model_size);
        if (wrong != NULL || box->unit->init(model, box->cfg) != 0) {
            fail(&r, ls_format("%s in %s: %s", box->unit->name, top->name, wrong != NULL ? wrong : "its parameters are refused"));
        } else {
            ls_slices_make(&box->slices, box->unit, model);
            ls_aig_begin(&box->graph, box->slices.leaves, 0);
            char *failed = ls_model_graph_make(&box->model, box->unit, box->cfg, &box->slices, &box->graph, folder);
            if (failed != NULL) fail(&r, failed);
        }
        free(model);
    }
    pin_name *inputs = sort_names(aig->input_names, aig->inputs), *outputs = sort_names(aig->output_names, aig->outputs);
    for (size_t i = 0; i < b->instances && r.error == NULL; i++) {
        char *failed = connect(b, &b->instance[i], top, aig, inputs, outputs, slices, unbound);
        if (failed != NULL) fail(&r, failed);
    }
    free(inputs);
    free(outputs);
    for (size_t i = 0; i < r.count; i++) free(r.list[i].name);
    free(r.list);
    free(path);
    return r.error;
}

void ls_boxes_free(ls_boxes *b) {
    for (size_t i = 0; i < b->instances; i++) {
        free(b->instance[i].scope);
        free(b->instance[i].source);
        free(b->instance[i].pin);
    }
    for (size_t i = 0; i < b->count; i++) {
        ls_model_graph_free(&b->list[i].model);
        ls_aig_drop(&b->list[i].graph);
        ls_slices_free(&b->list[i].slices);
        free(b->list[i].cfg);
    }
    free(b->instance);
    free(b->list);
    *b = (ls_boxes){0};
}

char *ls_boxes_name(const ls_boxes *b, uint32_t leaf) {
    for (size_t i = 0; i < b->instances; i++) {
        const ls_box_instance *at = &b->instance[i];
        const ls_slices *own = &b->list[at->box].slices;
        for (size_t k = 0; k < own->count; k++) {
            const ls_slice *s = &own->list[k];
            if (!ls_is_state(&own->fields.list[s->field]) || at->source[ls_slice_leaf(own, s, 0)] >> 1 > leaf ||
                at->source[ls_slice_leaf(own, s, 0)] / 2 + s->bits <= leaf)
                continue;
            char *name = ls_slice_name(own, s), *full = ls_format("%s.%s", at->scope, name);
            free(name);
            return full;
        }
    }
    return NULL;
}

/* Graphs --------------------------------------------------------------------------------------------------------------------- */

/* A graph of which more and more is known. */
typedef struct growing {
    uint32_t leaves, gates;
    uint32_t (*gate)[2];
    const bool *need; /* of each variable; NULL: all are needed */
    uint32_t *map;    /* of each variable its literal in the maker, or UNKNOWN */
} growing;

static uint32_t known(const uint32_t *map, uint32_t literal) {
    return map[literal >> 1] == UNKNOWN ? UNKNOWN : ls_aig_became(map, literal);
}

/* Puts the gates of which both inputs are known, or one is 0. Whether there was one. */
static bool grow(const growing *g, ls_aig_maker *maker) {
    bool grew = false;
    for (uint32_t i = 0; i < g->gates; i++) {
        const uint32_t at = g->leaves + 1 + i;
        if (g->map[at] != UNKNOWN || (g->need != NULL && !g->need[at])) continue;
        const uint32_t a = known(g->map, g->gate[i][0]), b = known(g->map, g->gate[i][1]);
        if (a != UNKNOWN && b != UNKNOWN) g->map[at] = ls_aig_and(maker, a, b);
        else if (a == 0 || b == 0) g->map[at] = 0;
        grew |= g->map[at] != UNKNOWN;
    }
    return grew;
}

/* The literal of the box's graph: a bit of an output, of a next state. */
static uint32_t answer_of(const ls_box *box, ls_box_time time, size_t slice, uint32_t bit) {
    const ls_model_answer *from = time == LS_BOX_CYCLE ? &box->model.cycle : &box->model.reset;
    return ls_bits((ls_values *)(uintptr_t)&box->model.run.values, from->value[slice])[bit];
}

/* Which variables of a box's graph its answers depend on. */
static bool *find_needed(const ls_box *box, ls_box_time time) {
    const ls_aig_maker *m = &box->graph;
    bool *need = ls_alloc(m->inputs + m->gates + 1, sizeof *need);
    for (size_t i = 0; i < box->slices.count; i++)
        for (uint32_t b = 0; b < box->slices.list[i].bits && box->model.cycle.value[i] != NULL; b++)
            need[answer_of(box, time, i, b) >> 1] = true;
    need[box->model.invariant >> 1] = true;
    for (uint32_t i = m->gates; i-- > 0;)
        if (need[m->inputs + 1 + i]) need[m->gate[i][0] >> 1] = need[m->gate[i][1] >> 1] = true;
    return need;
}

/* What the RTL drives of a box's inputs, and the box of the RTL's. Whether there was something new. */
static bool exchange(const ls_box_instance *at, const ls_box *box, ls_box_time time, uint32_t *rtl, uint32_t *own) {
    bool grew = false;
    for (size_t i = 0; i < box->slices.fields.count; i++) {
        const ls_field *f = &box->slices.fields.list[i];
        for (uint32_t k = 0; k < f->bits * f->count && f->kind == LS_IN; k++) {
            const uint32_t leaf = box->slices.first[i] + k;
            if (own[leaf] != UNKNOWN) continue;
            own[leaf] = known(rtl, at->source[leaf]);
            grew |= own[leaf] != UNKNOWN;
        }
    }
    for (size_t i = 0; i < at->pins && time != LS_BOX_BEFORE; i++) {
        const ls_box_pin *p = &at->pin[i];
        if (rtl[p->variable] != UNKNOWN) continue;
        rtl[p->variable] = known(own, answer_of(box, time, p->slice, p->bit));
        grew |= rtl[p->variable] != UNKNOWN;
    }
    return grew;
}

/* What became of the box's registers, and of what it supposes of them. */
static char *take_answers(const ls_box_instance *at, const ls_box *box, ls_box_time time, const uint32_t *own, uint32_t *next,
                          uint32_t *claim) {
    *claim = known(own, box->model.invariant);
    for (size_t i = 0; i < box->slices.count; i++) {
        const ls_slice *s = &box->slices.list[i];
        if (!ls_is_state(&box->slices.fields.list[s->field])) continue;
        for (uint32_t b = 0; b < s->bits; b++) {
            const uint32_t literal = known(own, answer_of(box, time, i, b));
            if (literal == UNKNOWN) {
                char *name = ls_slice_name(&box->slices, s),
                     *failed = ls_format("%s.%s depends on itself in one cycle, through the units around it", at->scope, name);
                free(name);
                return failed;
            }
            next[at->source[ls_slice_leaf(&box->slices, s, b)] >> 1] = literal;
        }
    }
    return NULL;
}

char *ls_boxes_put(const ls_boxes *b, const ls_aig *aig, ls_aig_maker *maker, ls_box_time time, uint32_t *map, uint32_t *next,
                   uint32_t *claim) {
    const growing rtl = {aig->inputs + aig->latches, aig->gates, aig->gate, NULL, map};
    growing *own = ls_alloc(b->instances + 1, sizeof *own);
    bool **need = ls_alloc(b->count + 1, sizeof *need), grew = true;
    char *failed = NULL;
    for (size_t i = 0; i < b->instances; i++) {
        const ls_box_instance *at = &b->instance[i];
        const ls_box *box = &b->list[at->box];
        if (need[at->box] == NULL) need[at->box] = find_needed(box, time);
        own[i] = (growing){box->graph.inputs, box->graph.gates, box->graph.gate, need[at->box], NULL};
        own[i].map = ls_alloc(own[i].leaves + own[i].gates + 1, sizeof *own[i].map);
        memset(own[i].map, 0xff, (own[i].leaves + own[i].gates + 1) * sizeof *own[i].map);
        own[i].map[0] = 0;
        for (size_t k = 0; k < box->slices.fields.count; k++) {
            const ls_field *f = &box->slices.fields.list[k];
            if (ls_is_state(f))
                memcpy(&own[i].map[box->slices.first[k]], &at->source[box->slices.first[k]], f->bits * f->count * sizeof *map);
        }
        for (size_t k = 0; k < at->pins && time != LS_BOX_BEFORE; k++) map[at->pin[k].variable] = UNKNOWN;
    }
    for (uint32_t i = 0; i < rtl.gates; i++) map[rtl.leaves + 1 + i] = UNKNOWN;
    while (grew) {
        grew = grow(&rtl, maker);
        for (size_t i = 0; i < b->instances; i++) {
            const ls_box_instance *at = &b->instance[i];
            grew |= exchange(at, &b->list[at->box], time, map, own[i].map);
            grew |= grow(&own[i], maker);
            grew |= exchange(at, &b->list[at->box], time, map, own[i].map);
        }
    }
    for (size_t i = 0; i < b->instances && failed == NULL; i++) {
        const ls_box_instance *at = &b->instance[i];
        const bool high = b->list[at->box].unit->names.reset_high;
        if (at->reset != LS_BOX_NO_PIN && known(map, at->reset) != ((time != LS_BOX_CYCLE) == high))
            failed = ls_format("%s is not reset when, and only when, the system is", at->scope);
    }
    for (size_t i = 0; i < b->instances && failed == NULL; i++)
        failed = take_answers(&b->instance[i], &b->list[b->instance[i].box], time, own[i].map, next, &claim[i]);
    for (size_t i = 0; i < b->instances; i++) free(own[i].map);
    for (size_t i = 0; i < b->count; i++) free(need[i]);
    free(need);
    free(own);
    return failed;
}
