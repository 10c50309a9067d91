/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/proof/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/core/config.h"

#define PARAM "LANES"

/* Bits of a field from `low` on that are `bits` wide, and `of_one` with one lane. false: they belong neither to lanes nor to none. */
static bool mark(ls_lanes *l, uint32_t field, uint32_t low, uint32_t bits, uint32_t of_one) {
    if (bits != of_one && bits != of_one * l->count) return false;
    for (uint32_t b = 0; b < bits; b++) {
        l->lane[field][low + b] = bits == of_one ? l->count : b / of_one;
        l->zero[field][low + b] = low + (bits == of_one ? b : b % of_one);
    }
    return true;
}

static bool mark_field(ls_lanes *l, uint32_t number, const ls_field *f, const ls_field *one) {
    l->lane[number] = ls_alloc(f->bits + 1, sizeof *l->lane[number]);
    l->zero[number] = ls_alloc(f->bits + 1, sizeof *l->zero[number]);
    if (strcmp(f->name, one->name) != 0 || f->count != one->count || f->member_count != one->member_count) return false;
    if (f->member_count == 0) return mark(l, number, 0, f->bits, one->bits);
    for (uint32_t i = 0; i < f->member_count; i++) {
        const ls_member *m = &f->members[i], *of_one = &one->members[i];
        for (uint32_t e = 0; e < m->count; e++)
            if (m->count != of_one->count || !mark(l, number, m->low + e * m->bits, m->bits, of_one->bits)) return false;
    }
    return true;
}

char *ls_lanes_make(ls_lanes *l, const ls_unit *unit, const void *cfg, const ls_slices *slices) {
    *l = (ls_lanes){.fields = (uint32_t)slices->fields.count};
    for (size_t i = 0; i < unit->param_count; i++)
        if (strcmp(unit->params[i].name, PARAM) == 0) l->count = ls_config_get(&unit->params[i], cfg);
    if (l->count == 0) return ls_format("%s has no parameter " PARAM, unit->name);
    if (l->count == 1) return ls_format("%s: with " PARAM "=1 there are no lanes to compare", unit->name);
    char text[256], *failed = NULL, *set = ls_config_text(unit, cfg);
    void *one = ls_config_new(unit), *model = ls_zeroed(unit->model_size);
    ls_slices alone = {0};
    if (ls_config_set_all(unit, one, set, text, sizeof text) != 0 || ls_config_set(unit, one, PARAM "=1", text, sizeof text) != 0)
        ls_die("%s: %s", unit->name, text);
    const char *wrong = unit->check(one);
    if (wrong == NULL && unit->init(model, one) == 0) ls_slices_make(&alone, unit, model);
    else
        failed =
            ls_format("%s: with " PARAM "=1, which tells the bits of a lane: %s", unit->name, wrong != NULL ? wrong : "refused");
    if (failed == NULL && alone.fields.count != l->fields) failed = ls_format("%s has other fields with " PARAM "=1", unit->name);
    l->lane = ls_alloc(l->fields + 1, sizeof *l->lane);
    l->zero = ls_alloc(l->fields + 1, sizeof *l->zero);
    for (uint32_t i = 0; i < l->fields && failed == NULL; i++)
        if (!mark_field(l, i, &slices->fields.list[i], &alone.fields.list[i]))
            failed = ls_format("%s: %s has neither bits of each lane alone nor of none: %u bits, with " PARAM "=1 %u", unit->name,
                               slices->fields.list[i].name, slices->fields.list[i].bits, alone.fields.list[i].bits);
    ls_slices_free(&alone);
    free(model);
    free(one);
    free(set);
    return failed;
}

void ls_lanes_free(ls_lanes *l) {
    for (uint32_t i = 0; i < l->fields && l->lane != NULL; i++) {
        free(l->lane[i]);
        free(l->zero[i]);
    }
    free(l->lane);
    free(l->zero);
    *l = (ls_lanes){0};
}

uint32_t *ls_lanes_put(const ls_lanes *l, const ls_slices *slices, ls_aig_maker *maker, uint32_t lane) {
    const uint32_t leaves = maker->inputs + maker->latches, gates = maker->gates;
    uint32_t *map = ls_alloc(leaves + gates + 1, sizeof *map);
    for (uint32_t i = 1; i <= leaves; i++) map[i] = 2 * i;
    for (uint32_t i = 0; i < l->fields; i++) {
        const ls_field *f = &slices->fields.list[i];
        for (uint32_t b = 0; b < f->bits * f->count && f->kind != LS_OUT; b++) {
            const uint32_t at = b % f->bits, leaf = slices->first[i] + b;
            if (l->lane[i][at] < l->count) map[leaf] = 0;
        }
        for (uint32_t b = 0; b < f->bits * f->count && f->kind != LS_OUT; b++) {
            const uint32_t at = b % f->bits, leaf = slices->first[i] + b;
            if (lane < l->count && l->lane[i][at] == lane) map[leaf - at + l->zero[i][at]] = 2 * leaf;
        }
    }
    for (uint32_t i = 0; i < gates; i++) {
        const uint32_t a = ls_aig_became(map, maker->gate[i][0]), b = ls_aig_became(map, maker->gate[i][1]);
        map[leaves + 1 + i] = ls_aig_and(maker, a, b);
    }
    return map;
}
