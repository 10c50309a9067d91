/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/cerf/env/rf_line_store.h"

#include <stdlib.h>

#include "harness/base/memory.h"

static void make_room(rf_line_store *s) { s->line = ls_resize(s->line, rf_line_table_room(&s->table) * sizeof *s->line); }

void rf_line_store_init(rf_line_store *s, uint32_t lanes, uint32_t zero) {
    *s = (rf_line_store){.lanes = lanes, .zero = zero};
    rf_line_table_init(&s->table);
    make_room(s);
}

void rf_line_store_free(rf_line_store *s) {
    rf_line_table_free(&s->table);
    free(s->line);
}

/* What a line holds that nobody wrote. */
static rf_vec untouched(const rf_line_store *s, uint32_t number) {
    rf_vec line = {{0}};
    for (uint32_t l = 0; l < s->lanes && number < s->zero; l++) line.lane[l] = rf_line_table_scatter(number * RF_LANES_MAX + l);
    return line;
}

void rf_line_store_write(rf_line_store *s, uint32_t number, uint32_t mask, const rf_vec *data) {
    const uint32_t room = rf_line_table_room(&s->table), count = s->table.count, at = rf_line_table_add(&s->table, number);
    if (rf_line_table_room(&s->table) != room) make_room(s);
    if (at == count) s->line[at] = untouched(s, number);
    rf_vec_merge(&s->line[at], data, mask);
}

rf_vec rf_line_store_read(const rf_line_store *s, uint32_t number) {
    const uint32_t at = rf_line_table_find(&s->table, number);
    return at != RF_LINE_TABLE_NONE ? s->line[at] : untouched(s, number);
}

rf_vec rf_line_store_add(rf_line_store *s, uint32_t number, uint32_t mask, const rf_vec *data) {
    const rf_vec old = rf_line_store_read(s, number);
    rf_vec sum = old;
    for (uint32_t l = 0; l < s->lanes; l++) sum.lane[l] += data->lane[l];
    rf_line_store_write(s, number, mask, &sum);
    return old;
}
