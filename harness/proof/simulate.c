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

/* Zeroed bytes for a struct, aligned as any is. */
static void *aligned(size_t size) {
    const size_t room = (size + 64) / 64 * 64;
    void *bytes = aligned_alloc(64, room);
    if (bytes == NULL) ls_die("no memory for a struct of %zu bytes", size);
    return memset(bytes, 0, room);
}

static void put_leaves(const ls_spots *spots, const uint8_t *leaf, bool state, uint8_t *to) {
    for (size_t i = 0; i < spots->count; i++) {
        const ls_spot *s = &spots->list[i];
        const ls_field *f = &spots->fields.list[s->field];
        if (state ? !ls_is_state(f) : f->kind != LS_IN) continue;
        memset(to + s->offset, 0, s->size);
        for (uint32_t b = 0; b < s->bits; b++) to[s->offset + b / 8] |= (uint8_t)(leaf[ls_spot_leaf(spots, s, b)] << b % 8);
    }
}

void *ls_simulate_model(const ls_unit *unit, const void *cfg, const ls_spots *spots, const uint8_t *leaf) {
    void *model = aligned(unit->model_size);
    if (unit->init(model, cfg) != 0) ls_die("%s: the configuration is refused", unit->name);
    put_leaves(spots, leaf, true, model);
    return model;
}

void *ls_simulate_input(const ls_unit *unit, const ls_spots *spots, const uint8_t *leaf) {
    uint8_t *in = aligned(unit->in_size);
    put_leaves(spots, leaf, false, in);
    return in;
}

/* One spot of the compiled model's struct against its literals. */
static bool same(ls_model_graph *g, const ls_spot *s, const ls_value *value, const uint64_t *values, unsigned lane,
                 const uint8_t *at) {
    const uint32_t *bit = ls_bits(&g->run.values, value);
    for (uint32_t b = 0; b < s->size * 8; b++)
        if ((ls_simulated(values, bit[b]) >> lane & 1) != (at[s->offset + b / 8] >> b % 8 & 1)) return false;
    return true;
}

/* The places at which some answer differs: of the states and inputs of a lane. */
static char *compare(const ls_unit *unit, const void *cfg, const ls_spots *spots, ls_model_graph *g, const uint64_t *values,
                     unsigned lane) {
    uint8_t *leaf = ls_alloc(spots->leaves + 1, 1), *out = aligned(unit->out_size);
    for (uint32_t i = 1; i <= spots->leaves; i++) leaf[i] = values[i] >> lane & 1;
    void *model = ls_simulate_model(unit, cfg, spots, leaf), *again = ls_simulate_model(unit, cfg, spots, leaf),
         *in = ls_simulate_input(unit, spots, leaf);
    unit->comb(model, in, out);
    unit->clock(model, in);
    char *wrong = NULL;
    for (size_t i = 0; i < spots->count && wrong == NULL; i++) {
        const ls_spot *s = &spots->list[i];
        if (g->cycle.value[i] == NULL) continue;
        const bool state = ls_is_state(&spots->fields.list[s->field]);
        if (same(g, s, g->cycle.value[i], values, lane, state ? model : out)) continue;
        char *name = ls_spot_name(spots, s);
        wrong =
            ls_format("the graph of the model is not the compiled model: %s differs. This is a fault of the proof, not of the "
                      "unit",
                      name);
        free(name);
    }
    unit->reset(again);
    for (size_t i = 0; i < spots->count && wrong == NULL; i++)
        if (g->reset.value[i] != NULL && ls_is_state(&spots->fields.list[spots->list[i].field]) &&
            !same(g, &spots->list[i], g->reset.value[i], values, lane, again)) {
            char *name = ls_spot_name(spots, &spots->list[i]);
            wrong = ls_format("the graph of the model is not the compiled model: %s differs after reset", name);
            free(name);
        }
    free(leaf);
    free(out);
    free(model);
    free(again);
    free(in);
    return wrong;
}

/* Whether the fields of a kind differ. */
static bool fields_differ(const ls_spots *spots, bool state, const uint8_t *a, const uint8_t *b) {
    for (size_t i = 0; i < spots->count; i++) {
        const ls_spot *s = &spots->list[i];
        const ls_field *f = &spots->fields.list[s->field];
        if (state ? !ls_is_state(f) : f->kind != LS_OUT) continue;
        if (memcmp(a + s->offset, b + s->offset, s->size) != 0) return true;
    }
    return false;
}

bool ls_simulate_confirms(const ls_unit *unit, const void *cfg, const ls_spots *spots, const uint8_t *leaf, ls_proof_kind kind,
                          bool reset) {
    if (kind == LS_ASKED_RTL || kind == LS_ASKED_MEANING) return true;
    uint8_t *before = ls_simulate_model(unit, cfg, spots, leaf), *after = ls_simulate_model(unit, cfg, spots, leaf),
            *stepped = ls_simulate_model(unit, cfg, spots, leaf), *in = ls_simulate_input(unit, spots, leaf);
    uint8_t *out = aligned(unit->out_size), *other = aligned(unit->out_size);
    if (reset) unit->reset(after);
    unit->comb(after, in, out);
    if (!reset) unit->clock(after, in);
    if (!reset && unit->step != NULL) unit->step(stepped, in, other);
    bool shown = false;
    if (kind == LS_ASKED_STEP) shown = fields_differ(spots, true, after, stepped) || fields_differ(spots, false, out, other);
    if (kind == LS_ASKED_INVARIANT) shown = unit->invariant(after) != NULL && (reset || unit->invariant(before) == NULL);
    if (kind == LS_ASKED_HIDDEN) {
        for (size_t i = 0; i < spots->count; i++) /* fields may change */
            if (ls_is_state(&spots->fields.list[spots->list[i].field]))
                memcpy(after + spots->list[i].offset, before + spots->list[i].offset, spots->list[i].size);
        shown = memcmp(before, after, unit->model_size) != 0;
    }
    free(before);
    free(after);
    free(stepped);
    free(in);
    free(out);
    free(other);
    return shown;
}

char *ls_simulate_check(const ls_unit *unit, const void *cfg, const ls_spots *spots, const ls_aig_maker *maker, ls_model_graph *g,
                        unsigned trials, uint64_t *compared) {
    uint32_t *lost_when = NULL; /* C has no meaning, or the model leaves something without a value */
    size_t lost_count = 0;
    for (size_t i = 0; i < g->run.misuse_count + g->early_count + spots->count; i++) {
        const size_t k = i - g->run.misuse_count, s = k - g->early_count;
        const uint32_t when = i < g->run.misuse_count     ? g->run.misuse[i].when
                              : k < g->early_count        ? g->early[k].when
                              : g->cycle.value[s] != NULL ? ls_undef(&g->run.values, g->cycle.value[s])
                                                          : 0;
        if (when == 0) continue;
        lost_when = ls_grow(lost_when, lost_count, sizeof *lost_when);
        lost_when[lost_count++] = when;
    }
    uint64_t *values = ls_alloc(maker->inputs + maker->gates + 2, sizeof *values);
    char *wrong = NULL;
    ls_rng rng;
    ls_rng_seed(&rng, 1);
    *compared = 0;
    for (unsigned round = 0; round < (trials + 63) / 64 && wrong == NULL; round++) {
        for (uint32_t i = 1; i <= maker->inputs; i++) values[i] = ls_rng_u64(&rng);
        if (round % 2 == 1) /* states with few ones: small numbers, which are more often legal */
            for (uint32_t i = 1; i <= maker->inputs; i++) values[i] &= ls_rng_u64(&rng) & ls_rng_u64(&rng);
        ls_simulate(maker, values);
        uint64_t lost = 0;
        for (size_t i = 0; i < lost_count; i++) lost |= ls_simulated(values, lost_when[i]);
        for (unsigned lane = 0; lane < 64 && wrong == NULL; lane++) {
            if ((lost >> lane & 1) != 0) continue;
            wrong = compare(unit, cfg, spots, g, values, lane);
            ++*compared;
        }
    }
    free(values);
    free(lost_when);
    return wrong;
}
