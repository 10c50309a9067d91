/* SPDX-License-Identifier: Apache-2.0 */
/* Line numbers and their places in a list, in the order in which they came. */
#ifndef RF_LINE_TABLE_H
#define RF_LINE_TABLE_H

#include "cmodel/common/rf_types.h"

#define RF_LINE_TABLE_NONE UINT32_MAX

typedef struct rf_line_table {
    uint32_t count;   /* lines */
    uint32_t *number; /* per line */
    uint32_t slots;   /* a power of two, at least twice as many */
    uint32_t *slot;   /* a line's place + 1, 0: free */
} rf_line_table;

/* No line. Ends the process when memory runs out, as the next does. */
void rf_line_table_init(rf_line_table *t);
void rf_line_table_free(rf_line_table *t);

/* The place of the line, or RF_LINE_TABLE_NONE. */
uint32_t rf_line_table_find(const rf_line_table *t, uint32_t number);

/* The place of the line; one that is new is at t->count - 1. */
uint32_t rf_line_table_add(rf_line_table *t, uint32_t number);

/* So many lines fit before the next that is added may need more: for lists beside the table. */
uint32_t rf_line_table_room(const rf_line_table *t);

/* 32 bits that look random, always the same for the same number. */
uint32_t rf_line_table_scatter(uint32_t number);

#endif
