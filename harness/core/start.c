/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/start.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/core/source.h"

#define HIDDEN_CYCLES 2000u
#define HIDDEN_EVERY 61u /* a look in so many cycles: a struct may have megabytes */

void ls_start_open(ls_start *start, const ls_unit *unit) {
    *start = (ls_start){ls_zeroed(unit->model_size), ls_zeroed(unit->model_size)};
}

void ls_start_copy(ls_start *to, const ls_start *from, const ls_unit *unit) {
    *to = (ls_start){0};
    if (from->model == NULL) return;
    ls_start_open(to, unit);
    memcpy(to->model, from->model, unit->model_size);
    memcpy(to->given, from->given, unit->model_size);
}

void ls_start_free(ls_start *start) {
    free(start->model);
    free(start->given);
    *start = (ls_start){0};
}

void ls_start_give(ls_start *start, const ls_field *field, uint32_t index, const void *model) {
    const size_t at = field->offset + (size_t)index * field->size;
    memcpy(start->model + at, (const uint8_t *)model + at, field->size);
    memset(start->given + at, 1, field->size);
}

size_t ls_start_count(const ls_start *start, const ls_fields *fields) {
    size_t count = 0;
    for (size_t i = 0; start->model != NULL && i < fields->count; i++) {
        const ls_field *f = &fields->list[i];
        for (uint32_t n = 0; ls_is_state(f) && n < ls_part_count(f); n++) {
            const ls_field part = ls_part_of(f, n).field;
            for (uint32_t k = 0; k < part.count; k++) count += ls_start_gives(start, &part, k);
        }
    }
    return count;
}

void ls_start_put(const ls_start *start, const ls_unit *unit, void *model) {
    for (size_t i = 0; i < unit->model_size; i++)
        if (start->given[i] != 0) ((uint8_t *)model)[i] = start->model[i];
}

/* The inputs that the list names, alone. */
static void copy_inputs(const ls_fields *fields, const void *in, void *to) {
    for (size_t i = 0; i < fields->count; i++)
        for (uint32_t n = 0; fields->list[i].kind == LS_IN && n < ls_part_count(&fields->list[i]); n++) {
            const ls_field part = ls_part_of(&fields->list[i], n).field;
            memcpy((uint8_t *)to + part.offset, (const uint8_t *)in + part.offset, (size_t)part.count * part.size);
        }
}

/* The first byte that no field names and that is not as it was, or -1. */
static int64_t changed(const uint8_t *named, const uint8_t *before, const uint8_t *now, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (named[i] == 0 && before[i] != now[i]) return (int64_t)i;
    return -1;
}

int64_t ls_start_hidden(const ls_unit *unit, const void *cfg) {
    char error[256];
    void *model = ls_zeroed(unit->model_size), *in = ls_zeroed(unit->in_size), *clean = ls_zeroed(unit->in_size);
    uint8_t *before = ls_zeroed(unit->model_size), *named = ls_zeroed(unit->model_size);
    void *out = ls_zeroed(unit->out_size);
    int64_t at = -1;
    ls_source source;
    if (unit->init(model, cfg) != 0 || ls_source_open(&source, unit, model, 1, NULL, error, sizeof error) != 0)
        ls_die("%s: a configuration that was good is refused", unit->name);
    ls_fields_state_bytes(&source.fields, named, 1);
    ls_fields_spare_bytes(&source.fields, named, 1);
    unit->reset(model);
    memcpy(before, model, unit->model_size);
    for (uint32_t cycle = 0; cycle < HIDDEN_CYCLES && at < 0; cycle++) {
        if (ls_source_step(&source, model, in) == LS_NEXT_RESET) {
            unit->reset(model);
        } else {
            copy_inputs(&source.fields, in, clean);
            unit->comb(model, clean, out);
            ls_source_observe(&source, in, out);
            unit->clock(model, clean);
        }
        if (cycle % HIDDEN_EVERY == HIDDEN_EVERY - 1) at = changed(named, before, model, unit->model_size);
    }
    ls_source_close(&source);
    free(model);
    free(in);
    free(clean);
    free(before);
    free(named);
    free(out);
    return at;
}
