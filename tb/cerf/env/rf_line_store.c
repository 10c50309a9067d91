/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/cerf/env/rf_line_store.h"

#include <stdlib.h>

#include "harness/base/memory.h"

void rf_line_store_init(rf_line_store *s, uint32_t lanes, uint32_t zero) {
    *s = (rf_line_store){.lanes = lanes, .zero = zero, .places = 256};
    s->number = ls_zeroed(s->places * sizeof *s->number);
    s->line = ls_zeroed(s->places * sizeof *s->line);
}

void rf_line_store_free(rf_line_store *s) {
    free(s->number);
    free(s->line);
}

static uint32_t scatter(uint32_t number) {
    uint32_t x = number * UINT32_C(0x9e3779b1);
    x ^= x >> 15;
    return x * UINT32_C(0x85ebca77);
}

/* The place of the line, or the free one that it would take. */
static uint32_t place_of(const rf_line_store *s, uint32_t number) {
    uint32_t at = scatter(number) & (s->places - 1);
    while (s->number[at] != 0 && s->number[at] != number + 1) at = (at + 1) & (s->places - 1);
    return at;
}

/* What a line holds that nobody wrote. */
static rf_vec untouched(const rf_line_store *s, uint32_t number) {
    rf_vec line = {{0}};
    for (uint32_t l = 0; l < s->lanes && number < s->zero; l++) line.lane[l] = scatter(number * RF_LANES_MAX + l);
    return line;
}

static void grow(rf_line_store *s) {
    rf_line_store old = *s;
    s->places *= 2;
    s->number = ls_zeroed(s->places * sizeof *s->number);
    s->line = ls_zeroed(s->places * sizeof *s->line);
    for (uint32_t i = 0; i < old.places; i++) {
        if (old.number[i] == 0) continue;
        const uint32_t at = place_of(s, old.number[i] - 1);
        s->number[at] = old.number[i];
        s->line[at] = old.line[i];
    }
    rf_line_store_free(&old);
}

void rf_line_store_write(rf_line_store *s, uint32_t number, uint32_t mask, const rf_vec *data) {
    if (2 * s->count >= s->places) grow(s);
    const uint32_t at = place_of(s, number);
    if (s->number[at] == 0) {
        s->number[at] = number + 1;
        s->line[at] = untouched(s, number);
        s->count++;
    }
    rf_vec_merge(&s->line[at], data, mask);
}

rf_vec rf_line_store_read(const rf_line_store *s, uint32_t number) {
    const uint32_t at = place_of(s, number);
    return s->number[at] != 0 ? s->line[at] : untouched(s, number);
}

rf_vec rf_line_store_add(rf_line_store *s, uint32_t number, uint32_t mask, const rf_vec *data) {
    const rf_vec old = rf_line_store_read(s, number);
    rf_vec sum = old;
    for (uint32_t l = 0; l < s->lanes; l++) sum.lane[l] += data->lane[l];
    rf_line_store_write(s, number, mask, &sum);
    return old;
}
