/* SPDX-License-Identifier: Apache-2.0 */
/* Memory contents by line number: what L2 holds, and what it would hold if every access had been made at once. */
#ifndef RF_LINE_STORE_H
#define RF_LINE_STORE_H

#include "tb/cerf/env/rf_line_table.h"

typedef struct rf_line_store {
    uint32_t lanes;      /* words of a line */
    uint32_t zero;       /* lines from this number on are 0 at first, others have contents of their own */
    rf_line_table table; /* lines that were written */
    rf_vec *line;        /* per line of the table */
} rf_line_store;

/* No line written. Ends the process when memory runs out, as the next does. */
void rf_line_store_init(rf_line_store *s, uint32_t lanes, uint32_t zero);
void rf_line_store_free(rf_line_store *s);

/* The words in `mask` of line `number` become those of `data`. */
void rf_line_store_write(rf_line_store *s, uint32_t number, uint32_t mask, const rf_vec *data);

/* What line `number` holds. */
rf_vec rf_line_store_read(const rf_line_store *s, uint32_t number);

/* An atomic: words in `mask` grow by those of `data`; returns the line as it was. */
rf_vec rf_line_store_add(rf_line_store *s, uint32_t number, uint32_t mask, const rf_vec *data);

#endif
