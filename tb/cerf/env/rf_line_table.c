/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/cerf/env/rf_line_table.h"

#include <stdlib.h>

#include "harness/base/memory.h"

void rf_line_table_init(rf_line_table *t) {
    *t = (rf_line_table){.slots = 256};
    t->slot = ls_zeroed(t->slots * sizeof *t->slot);
    t->number = ls_zeroed(rf_line_table_room(t) * sizeof *t->number);
}

void rf_line_table_free(rf_line_table *t) {
    free(t->slot);
    free(t->number);
}

uint32_t rf_line_table_scatter(uint32_t number) {
    uint32_t x = number * UINT32_C(0x9e3779b1);
    x ^= x >> 15;
    return x * UINT32_C(0x85ebca77);
}

/* The slot of the line, or the free one that it would take. */
static uint32_t slot_of(const rf_line_table *t, uint32_t number) {
    uint32_t at = rf_line_table_scatter(number) & (t->slots - 1);
    while (t->slot[at] != 0 && t->number[t->slot[at] - 1] != number) at = (at + 1) & (t->slots - 1);
    return at;
}

uint32_t rf_line_table_find(const rf_line_table *t, uint32_t number) {
    const uint32_t place = t->slot[slot_of(t, number)];
    return place != 0 ? place - 1 : RF_LINE_TABLE_NONE;
}

static void grow(rf_line_table *t) {
    free(t->slot);
    t->slots *= 2;
    t->slot = ls_zeroed(t->slots * sizeof *t->slot);
    t->number = ls_resize(t->number, rf_line_table_room(t) * sizeof *t->number);
    for (uint32_t i = 0; i < t->count; i++) t->slot[slot_of(t, t->number[i])] = i + 1;
}

uint32_t rf_line_table_add(rf_line_table *t, uint32_t number) {
    const uint32_t found = rf_line_table_find(t, number);
    if (found != RF_LINE_TABLE_NONE) return found;
    if (t->count == rf_line_table_room(t)) grow(t);
    t->number[t->count] = number;
    t->slot[slot_of(t, number)] = ++t->count;
    return t->count - 1;
}

uint32_t rf_line_table_room(const rf_line_table *t) { return t->slots / 2; }
