/* SPDX-License-Identifier: Apache-2.0 */
/* SRAM macros: what is known of them (synth_scripts/sram.table), and as a library for OpenSTA. */
#ifndef LS_SYNTH_SRAM_H
#define LS_SYNTH_SRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/liberty.h"

/* A row of sram.table. */
typedef struct ls_sram_figure {
    bool one_port; /* 1rw; else 1r1w */
    unsigned rows, bits;
    double node_nm, fo4_ps, access_ns, read_pj, write_pj, area_um2;
    char *source;
} ls_sram_figure;

typedef struct ls_sram_table {
    char *path;
    ls_sram_figure *list;
    size_t count;
} ls_sram_table;

/* A kind of macro that a netlist uses: "rf_sram_1rw_64x128". */
typedef struct ls_sram {
    char *name;
    size_t count;
    bool one_port;
    unsigned rows, bits;
    const ls_sram_figure *figure; /* of the table; NULL: it has none that is large enough */
} ls_sram;

/* Reads synth_scripts/sram.table (or another file). 0; or -1 and "FILE:LINE: FIELD: …". */
int ls_sram_table_read(const char *path, ls_sram_table *table, char *error, size_t size);
void ls_sram_table_free(ls_sram_table *table);

/* The path of the project's own table; free() it. */
char *ls_sram_table_path(void);

/* Takes a macro's name apart and finds its figures. 0, or -1 when it is no macro's name. The name is copied. */
int ls_sram_find(const ls_sram_table *table, const char *name, size_t count, ls_sram *sram);

/* Area of one macro in um2 of its figure's node: the figure's, by bits. Needs a figure. */
double ls_sram_area(const ls_sram *sram);

/* Macros as a Liberty file of its own, in the units of `cells`, for a library whose FO4 is `fo4` seconds: reads take the figure's
 * FO4s and hold what they read, inputs need no setup (CACTI's time begins at the inputs) and load as two of the smallest
 * inverters do; output slopes are one FO4. 0 or a negative errno. */
int ls_sram_write(const char *path, const ls_sram *list, size_t count, const ls_liberty *cells, double fo4);

#endif
