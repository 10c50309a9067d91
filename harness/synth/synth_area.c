/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/synth/synth_area.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Calls `line` for each line of folder/name, cut into up to four words at tabs. NULL or an error. */
static char *each_line(const char *folder, const char *name, size_t words, char *(*line)(void *ctx, char *const *word),
                       void *ctx) {
    ls_text text = {0};
    char *path = ls_format("%s/%s", folder, name), *failed = NULL;
    const int error = ls_text_read(&text, path);
    if (error != 0) failed = ls_format("%s: %s", path, strerror(-error));
    ls_text_put(&text, "", 0);
    for (char *at = text.data, *next; failed == NULL && at != NULL && *at != '\0'; at = next) {
        char *word[4], *rest = at;
        size_t count = 0;
        next = strchr(at, '\n');
        if (next != NULL) *next++ = '\0';
        while (count < 4 && rest != NULL) {
            word[count++] = rest;
            rest = strchr(rest, '\t');
            if (rest != NULL) *rest++ = '\0';
        }
        failed = count != words ? ls_format("%s: damaged at \"%s\": remove the folder", path, at) : line(ctx, word);
    }
    free(path);
    free(ls_text_take(&text));
    return failed;
}

typedef struct counting {
    ls_synth_area *area;
    const ls_liberty *liberty;
    const ls_sram_table *table;
} counting;

static char *add_cell(void *ctx, char *const *word) {
    const counting *c = ctx;
    ls_synth_area *a = c->area;
    const uint64_t n = strtoull(word[1], NULL, 10);
    ls_sram macro;
    if (ls_sram_find(c->table, word[0], n, &macro) == 0) {
        a->srams = ls_grow(a->srams, a->sram_count, sizeof *a->srams);
        a->srams[a->sram_count++] = macro;
        a->sram_bits += n * macro.rows * macro.bits;
        return NULL;
    }
    const ls_liberty_cell *cell = ls_liberty_find(c->liberty, word[0]);
    if (cell == NULL) return ls_format("%s has no cell %s", c->liberty->path, word[0]);
    a->cells += n;
    a->um2 += (double)n * cell->area;
    if (cell->flop) {
        a->flops += n;
        a->flop_kge += (double)n * cell->area / a->nand2 / 1000;
    }
    if (cell->latch) a->latches += n;
    return NULL;
}

static char *add_memory(void *ctx, char *const *word) {
    ls_synth_area *a = ((counting *)ctx)->area;
    a->memories = ls_grow(a->memories, a->memory_count, sizeof *a->memories);
    a->memories[a->memory_count++] = (ls_synth_memory){.name = ls_copy(word[0]),
                                                       .rows = strtoull(word[1], NULL, 10),
                                                       .bits = strtoull(word[2], NULL, 10),
                                                       .became = ls_copy(word[3])};
    return NULL;
}

int ls_synth_area_read(const ls_synth *synth, const ls_liberty *library, const ls_sram_table *table, ls_synth_area *area,
                       char **error) {
    *area = (ls_synth_area){.nand2 = ls_liberty_nand2(library)->area};
    counting c = {area, library, table};
    *error = each_line(synth->folder, "cells.tsv", 2, add_cell, &c);
    if (*error == NULL) *error = each_line(synth->folder, "memories.tsv", 4, add_memory, &c);
    area->kge = area->um2 / area->nand2 / 1000;
    if (*error == NULL) return 0;
    ls_synth_area_free(area);
    return -1;
}

void ls_synth_area_free(ls_synth_area *a) {
    for (size_t i = 0; i < a->sram_count; i++) free(a->srams[i].name);
    for (size_t i = 0; i < a->memory_count; i++) {
        free(a->memories[i].name);
        free(a->memories[i].became);
    }
    free(a->srams);
    free(a->memories);
    *a = (ls_synth_area){0};
}

uint64_t ls_synth_area_large(const ls_synth_area *a, uint64_t bits) {
    uint64_t count = 0;
    for (size_t i = 0; i < a->memory_count; i++)
        count += a->memories[i].rows * a->memories[i].bits >= bits && strncmp(a->memories[i].became, "sram", 4) != 0;
    return count;
}
