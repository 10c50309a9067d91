/* SPDX-License-Identifier: Apache-2.0 */
/* The names in an FST file, as GTKWave wants them in a view: a line that does not resolve vanishes from a view without a word, so
 * names are read from the file itself and never composed. */
#ifndef LS_WAVES_NAMES_H
#define LS_WAVES_NAMES_H

#include <stddef.h>
#include <stdint.h>

typedef struct ls_wave_name {
    char *path;  /* "TOP.rf_bank_waves.rtl.mem_q[37]" */
    char *shown; /* the same as GTKWave has it: newer Verilators make a scope of an array, "...rtl.mem_q.mem_q[37]" */
    char *range; /* "[1023:0]", or "" for a single bit */
    uint32_t bits;
} ls_wave_name;

typedef struct ls_wave_names {
    ls_wave_name *list; /* sorted by path */
    size_t count;
} ls_wave_names;

/* Reads the hierarchy of an FST file. 0, or -1 and a message with nothing to free. (Format: GTKWave's fstapi.h; the hierarchy is
 * an LZ4 block, as Verilator writes it.) */
int ls_wave_names_read(ls_wave_names *names, const char *path, char *error, size_t size);
void ls_wave_names_free(ls_wave_names *names);

/* The name of that path, or NULL. */
const ls_wave_name *ls_wave_names_find(const ls_wave_names *names, const char *path);
/* The place of the first name that is not before `path`; what begins with `path` stands there. */
size_t ls_wave_names_from(const ls_wave_names *names, const char *path);

#endif
