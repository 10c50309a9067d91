/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/synth/synth_gates.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/core/config.h"
#include "harness/synth/synth_table.h"

#define KGE_PART 0.02   /* of the area on either side, at least KGE_LEAST */
#define KGE_LEAST 0.002 /* a quarter of a flip-flop */
#define FO4_NOISE 1.5   /* of mapping: docs/synthesis.md */
#define NO_PARAMS "-"

/* ---- sets ---- */

static void add_set(ls_synth_sets *sets, const ls_unit *unit, void *cfg) {
    sets->list = ls_grow(sets->list, sets->count, sizeof *sets->list);
    sets->list[sets->count++] = (ls_synth_set){.unit = unit, .cfg = cfg, .params = ls_config_text(unit, cfg)};
}

static int take_set(const ls_table *t, const ls_table_row *row, ls_synth_sets *sets, char *error, size_t size) {
    char what[600];
    const ls_unit *unit = ls_unit_find(row->word[0]);
    if (unit == NULL) {
        (void)snprintf(what, sizeof what, "no unit %s; expected one that `lockstep list` names", row->word[0]);
        return ls_table_wrong(t, row, 0, what, error, size);
    }
    void *cfg = ls_config_new(unit);
    const char *refused = ls_config_set_all(unit, cfg, row->word[1], what, sizeof what) != 0 ? what : unit->check(cfg);
    if (refused != NULL) {
        free(cfg);
        return ls_table_wrong(t, row, 1, refused, error, size);
    }
    add_set(sets, unit, cfg);
    for (size_t i = 0; i + 1 < sets->count; i++)
        if (sets->list[i].unit == unit && strcmp(sets->list[i].params, sets->list[sets->count - 1].params) == 0)
            return ls_table_wrong(t, row, 1, "this set is there already", error, size);
    return 0;
}

int ls_synth_sets_read(const char *path, ls_synth_sets *sets, char *error, size_t size) {
    static const char *const fields[] = {"unit", "parameters", NULL};
    ls_table t;
    *sets = (ls_synth_sets){0};
    if (ls_table_read(path, fields, &t, error, size) != 0) return -1;
    int status = 0;
    for (size_t i = 0; i < t.count && status == 0; i++) status = take_set(&t, &t.rows[i], sets, error, size);
    ls_table_free(&t);
    for (const ls_unit *const *u = ls_own_units; *u != NULL && status == 0; u++) {
        bool named = false;
        for (size_t i = 0; i < sets->count; i++) named |= sets->list[i].unit == *u;
        if (!named) add_set(sets, *u, ls_config_new(*u));
    }
    if (status != 0) ls_synth_sets_free(sets);
    return status;
}

void ls_synth_sets_free(ls_synth_sets *sets) {
    for (size_t i = 0; i < sets->count; i++) {
        free(sets->list[i].cfg);
        free(sets->list[i].params);
    }
    free(sets->list);
    *sets = (ls_synth_sets){0};
}

/* ---- gates ---- */

enum { UNIT, KGE_LOW, KGE_HIGH, FO4_LOW, FO4_HIGH, PARAMS };

static int take_gate(const ls_table *t, const ls_table_row *row, ls_synth_gates *gates, char *error, size_t size) {
    if (strcmp(row->word[UNIT], "tools") == 0) {
        if (gates->tools != NULL) return ls_table_wrong(t, row, UNIT, "a second line of tools", error, size);
        gates->tools = ls_copy(row->word[PARAMS]);
        return 0;
    }
    double n[PARAMS];
    for (size_t i = KGE_LOW; i < PARAMS; i++)
        if (ls_table_number(t, row, i, 0, 1e6, &n[i], error, size) != 0) return -1;
    if (n[KGE_LOW] > n[KGE_HIGH]) return ls_table_wrong(t, row, KGE_HIGH, "is below kge_low", error, size);
    if (n[FO4_LOW] > n[FO4_HIGH]) return ls_table_wrong(t, row, FO4_HIGH, "is below fo4_low", error, size);
    if (row->word[PARAMS][0] == '\0')
        return ls_table_wrong(t, row, PARAMS, "missing; expected NAME=VALUE ... or - for the defaults", error, size);
    const char *params = strcmp(row->word[PARAMS], NO_PARAMS) == 0 ? "" : row->word[PARAMS];
    if (ls_synth_gates_find(gates, row->word[UNIT], params) != NULL)
        return ls_table_wrong(t, row, UNIT, "has gates at these parameters already", error, size);
    gates->list = ls_grow(gates->list, gates->count, sizeof *gates->list);
    gates->list[gates->count++] = (ls_synth_gate){.unit = ls_copy(row->word[UNIT]),
                                                  .params = ls_copy(params),
                                                  .kge = {n[KGE_LOW], n[KGE_HIGH]},
                                                  .fo4 = {n[FO4_LOW], n[FO4_HIGH]}};
    return 0;
}

int ls_synth_gates_read(const char *path, ls_synth_gates *gates, char *error, size_t size) {
    static const char *const fields[] = {"unit", "kge_low", "kge_high", "fo4_low", "fo4_high", "parameters", NULL};
    ls_table t;
    *gates = (ls_synth_gates){0};
    if (access(path, F_OK) != 0 && errno == ENOENT) return 0;
    if (ls_table_read(path, fields, &t, error, size) != 0) return -1;
    int status = 0;
    for (size_t i = 0; i < t.count && status == 0; i++) status = take_gate(&t, &t.rows[i], gates, error, size);
    if (status == 0 && t.count > 0 && gates->tools == NULL)
        status = ls_table_wrong(&t, &t.rows[0], UNIT, "expected first of all \"tools - - - - WITH WHAT THE GATES WERE TAKEN\"",
                                error, size);
    ls_table_free(&t);
    if (status != 0) ls_synth_gates_free(gates);
    return status;
}

int ls_synth_gates_write(const char *path, const ls_synth_gates *gates) {
    ls_text out = {0};
    ls_text_add(&out,
                "# SPDX-License-Identifier: Apache-2.0\n"
                "# Between which bounds area (kGE) and the worst path (FO4) of each unit lie. Written by `lockstep synth "
                "--accept` (make\n"
                "# synth-accept) alone, when a person has looked at what changed; `make synth-all` finds what is outside.\n"
                "# unit kge_low kge_high fo4_low fo4_high parameters\n"
                "tools - - - - %s\n",
                gates->tools);
    for (size_t i = 0; i < gates->count; i++) {
        const ls_synth_gate *g = &gates->list[i];
        ls_text_add(&out, "%-18s %9.3f %9.3f %6.1f %6.1f %s\n", g->unit, g->kge[0], g->kge[1], g->fo4[0], g->fo4[1],
                    g->params[0] != '\0' ? g->params : NO_PARAMS);
    }
    const int error = ls_text_write(&out, path);
    free(ls_text_take(&out));
    return error;
}

void ls_synth_gates_free(ls_synth_gates *gates) {
    for (size_t i = 0; i < gates->count; i++) {
        free(gates->list[i].unit);
        free(gates->list[i].params);
    }
    free(gates->list);
    free(gates->tools);
    *gates = (ls_synth_gates){0};
}

const ls_synth_gate *ls_synth_gates_find(const ls_synth_gates *gates, const char *unit, const char *params) {
    for (size_t i = 0; i < gates->count; i++)
        if (strcmp(gates->list[i].unit, unit) == 0 && strcmp(gates->list[i].params, params) == 0) return &gates->list[i];
    return NULL;
}

void ls_synth_gates_add(ls_synth_gates *gates, const char *unit, const char *params, double kge, double fo4) {
    const double around = fmax(kge * KGE_PART, KGE_LEAST);
    gates->list = ls_grow(gates->list, gates->count, sizeof *gates->list);
    gates->list[gates->count++] = (ls_synth_gate){.unit = ls_copy(unit),
                                                  .params = ls_copy(params),
                                                  .kge = {fmax(kge - around, 0), kge + around},
                                                  .fo4 = {fmax(fo4 - FO4_NOISE, 0), fo4 + FO4_NOISE}};
}

static unsigned outside(const char *what, double value, const double bounds[2], int digits, ls_text *text) {
    const double unit = pow(10, -digits) / 2; /* bounds in the file are rounded */
    if (value >= bounds[0] - unit && value <= bounds[1] + unit) return 0;
    const bool above = value > bounds[1];
    const double by = above ? value - bounds[1] : bounds[0] - value, bound = above ? bounds[1] : bounds[0];
    ls_text_add(text, "%s %.*f is %.*f (%.1f %%) %s %.*f to %.*f\n", what, digits, value, digits, by,
                bound > 0 ? 100 * by / bound : 100, above ? "above" : "below", digits, bounds[0], digits, bounds[1]);
    return 1;
}

unsigned ls_synth_gates_check(const ls_synth_gate *gate, double kge, double fo4, ls_text *text) {
    unsigned count = outside("kGE", kge, gate->kge, 3, text);
    if (fo4 >= 0) count += outside("FO4", fo4, gate->fo4, 1, text);
    return count;
}
