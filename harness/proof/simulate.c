/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/proof/simulate.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/rng.h"
#include "harness/base/text.h"

void ls_simulate(const ls_aig_maker *m, uint64_t *values) {
    const uint32_t leaves = m->inputs + m->latches;
    values[0] = 0;
    for (uint32_t i = 0; i < m->gates; i++)
        values[leaves + 1 + i] = ls_simulated(values, m->gate[i][0]) & ls_simulated(values, m->gate[i][1]);
}

static void put_leaves(const ls_slices *slices, const uint8_t *leaf, bool state, uint8_t *to) {
    for (size_t i = 0; i < slices->count; i++) {
        const ls_slice *s = &slices->list[i];
        const ls_field *f = &slices->fields.list[s->field];
        if (state ? !ls_is_state(f) : f->kind != LS_IN) continue;
        memset(to + s->offset, 0, s->size);
        for (uint32_t b = 0; b < s->bits; b++) to[s->offset + b / 8] |= (uint8_t)(leaf[ls_slice_leaf(slices, s, b)] << b % 8);
    }
}

void *ls_simulate_model(const ls_unit *unit, const void *cfg, const ls_slices *slices, const uint8_t *leaf) {
    void *model = ls_zeroed(unit->model_size);
    if (unit->init(model, cfg) != 0) ls_die("%s: the configuration is refused", unit->name);
    put_leaves(slices, leaf, true, model);
    return model;
}

void *ls_simulate_input(const ls_unit *unit, const ls_slices *slices, const uint8_t *leaf) {
    uint8_t *in = ls_zeroed(unit->in_size);
    put_leaves(slices, leaf, false, in);
    return in;
}

/* One slice of the compiled model's struct against its literals. */
static bool same(ls_model_graph *g, const ls_slice *s, const ls_value *value, const uint64_t *values, unsigned lane,
                 const uint8_t *at) {
    const uint32_t *bit = ls_bits(&g->run.values, value);
    for (uint32_t b = 0; b < s->size * 8; b++)
        if ((ls_simulated(values, bit[b]) >> lane & 1) != (at[s->offset + b / 8] >> b % 8 & 1)) return false;
    return true;
}

static void swap(void **a, void **b) {
    void *const was = *a;
    *a = *b;
    *b = was;
}

/* What the compiled model left in its structs against one answer of the graph; `wrong` gets the first difference. */
static void compare(const ls_slices *slices, ls_model_graph *g, const ls_model_answer *answer, const uint64_t *values,
                    unsigned lane, const void *model, const void *out, const char *when, char **wrong) {
    for (size_t i = 0; i < slices->count && *wrong == NULL && answer->value != NULL; i++) {
        const ls_slice *s = &slices->list[i];
        const bool state = ls_is_state(&slices->fields.list[s->field]);
        if (answer->value[i] == NULL || same(g, s, answer->value[i], values, lane, state ? model : out)) continue;
        char *name = ls_slice_name(slices, s);
        *wrong =
            ls_format("the graph of the model is not the compiled model: %s differs after %s. This is a fault of the proof, not "
                      "of the unit",
                      name, when);
        free(name);
    }
}

/* All answers, of the state and the input of a lane; *next becomes the model behind the cycle. NULL, or what differs, to free. */
static char *compare_all(const ls_unit *unit, const void *cfg, const ls_slices *slices, ls_model_graph *g, const uint64_t *values,
                         unsigned lane, void **next) {
    uint8_t *leaf = ls_alloc(slices->leaves + 1, 1);
    for (uint32_t i = 1; i <= slices->leaves; i++) leaf[i] = values[i] >> lane & 1;
    void *in = ls_simulate_input(unit, slices, leaf), *out = ls_zeroed(unit->out_size);
    char *wrong = NULL;
    for (int call = 0; call < 3 && wrong == NULL; call++) {
        void *model = ls_simulate_model(unit, cfg, slices, leaf);
        if (call == 0) {
            unit->reset(model);
            unit->comb(model, in, out);
            compare(slices, g, &g->reset, values, lane, model, out, "reset", &wrong);
        } else if (call == 1) {
            unit->comb(model, in, out);
            unit->clock(model, in);
            compare(slices, g, &g->cycle, values, lane, model, out, "a cycle", &wrong);
        } else if (unit->step != NULL) {
            unit->step(model, in, out);
            compare(slices, g, &g->step, values, lane, model, out, "a step", &wrong);
        }
        if (call == 1) swap(&model, next);
        free(model);
    }
    free(leaf);
    free(in);
    free(out);
    return wrong;
}

/* Whether the fields of a kind differ. */
static bool fields_differ(const ls_slices *slices, bool state, const uint8_t *a, const uint8_t *b) {
    for (size_t i = 0; i < slices->count; i++) {
        const ls_slice *s = &slices->list[i];
        const ls_field *f = &slices->fields.list[s->field];
        if (state ? !ls_is_state(f) : f->kind != LS_OUT) continue;
        if (memcmp(a + s->offset, b + s->offset, s->size) != 0) return true;
    }
    return false;
}

const char *ls_simulate_claim(const ls_unit *unit, const void *cfg, const ls_slices *slices, const uint8_t *leaf, bool reset) {
    void *model = ls_simulate_model(unit, cfg, slices, leaf), *in = ls_simulate_input(unit, slices, leaf);
    if (reset) unit->reset(model);
    else unit->clock(model, in);
    const char *const claim = unit->invariant(model);
    free(model);
    free(in);
    return claim;
}

bool ls_simulate_confirms(const ls_unit *unit, const void *cfg, const ls_slices *slices, const uint8_t *leaf, ls_proof_kind kind,
                          bool reset) {
    if (kind == LS_ASKED_RTL || kind == LS_ASKED_MEANING || kind == LS_ASKED_LANES || kind == LS_ASKED_UNITS) return true;
    uint8_t *before = ls_simulate_model(unit, cfg, slices, leaf), *after = ls_simulate_model(unit, cfg, slices, leaf),
            *stepped = ls_simulate_model(unit, cfg, slices, leaf), *in = ls_simulate_input(unit, slices, leaf);
    uint8_t *out = ls_zeroed(unit->out_size), *other = ls_zeroed(unit->out_size);
    if (reset) unit->reset(after);
    unit->comb(after, in, out);
    if (!reset) unit->clock(after, in);
    if (!reset && unit->step != NULL) unit->step(stepped, in, other);
    bool shown = false;
    if (kind == LS_ASKED_STEP) shown = fields_differ(slices, true, after, stepped) || fields_differ(slices, false, out, other);
    if (kind == LS_ASKED_INVARIANT)
        shown = ls_simulate_claim(unit, cfg, slices, leaf, reset) != NULL && (reset || unit->invariant(before) == NULL);
    if (kind == LS_ASKED_HIDDEN) {
        for (size_t i = 0; i < slices->count; i++) /* fields may change */
            if (ls_is_state(&slices->fields.list[slices->list[i].field])) {
                memcpy(after + slices->list[i].offset, before + slices->list[i].offset, slices->list[i].size);
                memcpy(stepped + slices->list[i].offset, before + slices->list[i].offset, slices->list[i].size);
            }
        shown = memcmp(before, after, unit->model_size) != 0 || memcmp(before, stepped, unit->model_size) != 0;
    }
    free(before);
    free(after);
    free(stepped);
    free(in);
    free(out);
    free(other);
    return shown;
}

enum { LANES = 64, WAYS = 3 /* where the states of a round come from */ };

/* A model after reset. */
static void *begin(const ls_unit *unit, const void *cfg, const ls_slices *slices) {
    uint8_t *leaf = ls_zeroed(slices->leaves + 1);
    void *model = ls_simulate_model(unit, cfg, slices, leaf);
    unit->reset(model);
    free(leaf);
    return model;
}

/* The lanes' states are those of the models. */
static void take_states(const ls_slices *slices, void *const model[LANES], uint64_t *values) {
    for (size_t i = 0; i < slices->count; i++) {
        const ls_slice *s = &slices->list[i];
        if (!ls_is_state(&slices->fields.list[s->field])) continue;
        for (uint32_t b = 0; b < s->bits; b++) {
            uint64_t *to = &values[ls_slice_leaf(slices, s, b)];
            *to = 0;
            for (unsigned lane = 0; lane < LANES; lane++)
                *to |= (uint64_t)(((const uint8_t *)model[lane])[s->offset + b / 8] >> b % 8 & 1) << lane;
        }
    }
}

static void add_literal(uint32_t **list, size_t *count, uint32_t literal) {
    if (literal == 0) return;
    *list = ls_grow(*list, *count, sizeof **list);
    (*list)[(*count)++] = literal;
}

char *ls_simulate_check(const ls_unit *unit, const void *cfg, const ls_slices *slices, const ls_aig_maker *maker,
                        ls_model_graph *g, unsigned trials, uint64_t *compared) {
    /* C has no meaning, the model leaves something without a value, or the graph leaves out a path that never is. */
    uint32_t *lost_when = NULL;
    size_t lost_count = 0;
    for (size_t i = 0; i < g->run.misuse_count; i++) add_literal(&lost_when, &lost_count, g->run.misuse[i].when);
    for (size_t i = 0; i < g->early_count; i++) add_literal(&lost_when, &lost_count, g->early[i].when);
    for (size_t i = 0; i < g->run.cut_count; i++) add_literal(&lost_when, &lost_count, g->run.cut[i]);
    const ls_model_answer *const answers[] = {&g->cycle, &g->reset, &g->step};
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < slices->count && answers[k]->value != NULL; i++)
            if (answers[k]->value[i] != NULL)
                add_literal(&lost_when, &lost_count, ls_undef(&g->run.values, answers[k]->value[i]));
    uint64_t *values = ls_alloc(maker->inputs + maker->gates + 2, sizeof *values);
    char *wrong = NULL;
    ls_rng rng;
    ls_rng_seed(&rng, 1);
    *compared = 0;
    void *walk[LANES]; /* a run of each lane */
    for (unsigned lane = 0; lane < LANES; lane++) walk[lane] = begin(unit, cfg, slices);
    for (unsigned round = 0; round < (trials + LANES - 1) / LANES && wrong == NULL; round++) {
        for (uint32_t i = 1; i <= maker->inputs; i++) values[i] = ls_rng_u64(&rng);
        if (round % WAYS == 1) /* states with few ones: small numbers, which are more often legal */
            for (uint32_t i = 1; i <= maker->inputs; i++) values[i] &= ls_rng_u64(&rng) & ls_rng_u64(&rng);
        if (round % WAYS == 2) take_states(slices, walk, values);
        ls_simulate(maker, values);
        uint64_t lost = 0;
        for (size_t i = 0; i < lost_count; i++) lost |= ls_simulated(values, lost_when[i]);
        for (unsigned lane = 0; lane < LANES && wrong == NULL; lane++) {
            void *next = NULL;
            if ((lost >> lane & 1) == 0) wrong = compare_all(unit, cfg, slices, g, values, lane, &next);
            *compared += (lost >> lane & 1) == 0;
            if (round % WAYS == 2) swap(&walk[lane], &next);
            if (walk[lane] == NULL) walk[lane] = begin(unit, cfg, slices);
            free(next);
        }
    }
    for (unsigned lane = 0; lane < LANES; lane++) free(walk[lane]);
    free(values);
    free(lost_when);
    return wrong;
}
