/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/signals.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/core/plan.h"

/* The line of a signal, a new one if need be. Not by ls_fields_add: an element may have more bits than one of the model. */
static ls_field *line_of(ls_fields *signals, const ls_field *of, const char *name) {
    for (size_t i = 0; i < signals->count; i++) {
        ls_field *s = &signals->list[i];
        if (strcmp(s->name, name) != 0 || ls_is_state(s) != ls_is_state(of)) continue;
        if (of->kind == LS_MEMORY) s->kind = LS_MEMORY;
        return s;
    }
    signals->list = ls_grow(signals->list, signals->count, sizeof *signals->list);
    ls_field *s = &signals->list[signals->count++];
    *s = (ls_field){.name = ls_copy(name),
                    .rtl = ls_copy(name),
                    .text = of->text,
                    .kind = of->kind,
                    .bits = of->bits,
                    .count = of->count,
                    .unit = of->unit,
                    .write_enable = of->write_enable,
                    .write_row = of->write_row,
                    .suffix = of->suffix};
    return s;
}

static void add_pieces(ls_fields *signals, const ls_field *f) {
    for (const ls_piece *p = f->pieces; p < f->pieces + f->piece_count; p++) {
        if (p->signal == NULL) continue;
        ls_field *s = line_of(signals, f, p->signal);
        s->bits = p->signal_bits;
        s->count = p->signal_count;
        s->pieces = p;
        s->piece_count = 1;
    }
}

void ls_signals_of_fields(const ls_fields *fields, ls_fields *signals) {
    char name[256];
    *signals = (ls_fields){.clock = fields->clock, .reset = fields->reset, .spared = fields->spared};
    for (size_t i = 0; i < fields->count; i++) {
        const ls_field *f = &fields->list[i];
        if (f->absent) continue;
        if (f->pieces != NULL) add_pieces(signals, f);
        else (void)line_of(signals, f, ls_rtl_name(f, name, sizeof name));
    }
}

void ls_signals_of(const ls_unit *unit, const void *cfg, ls_fields *signals) {
    void *model = ls_zeroed(unit->model_size);
    ls_fields fields = {0};
    if (unit->check(cfg) != NULL || unit->init(model, cfg) != 0) ls_die("%s: the configuration is refused", unit->name);
    ls_unit_fields(unit, &fields, model);
    ls_signals_of_fields(&fields, signals);
    ls_fields_free(&fields);
    free(model);
}
