/* SPDX-License-Identifier: Apache-2.0 */
/* Toggles times what the library says: docs/energy.md has the formulas. */
#include "harness/energy/energy.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"

typedef struct sums {
    const ls_mapped *d;
    const ls_energy_counts *counts;
    double transition; /* in the library's unit */
    ls_energy *e;
} sums;

/* The mean of a rise and a fall, in joules: a net that toggles does both in turn. */
static double of_power(const sums *s, const ls_liberty_power *p, double load) {
    const ls_liberty *lib = &s->d->liberty;
    const double at = load / lib->capacitance_unit;
    return (ls_liberty_value(&p->rise, s->transition, at) + ls_liberty_value(&p->fall, s->transition, at)) / 2 * lib->energy_unit;
}

/* Whether the space-separated list has the name. */
static bool has(const char *list, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = list; *at != '\0'; at += strcspn(at, " "), at += strspn(at, " "))
        if (strncmp(at, name, n) == 0 && (at[n] == '\0' || at[n] == ' ')) return true;
    return false;
}

/* Whether the table is related to that pin; "": to none. */
static bool is_of(const ls_liberty_power *p, const char *pin) {
    return pin[0] == '\0' ? p->related_pin[0] == '\0' : has(p->related_pin, pin);
}

/* Of the pin's tables that are related to `name` (or all with `any`): the mean of each supply's, summed over the supplies, for
 * each of them gives its part. False when there is none. */
static bool related(const sums *s, const ls_liberty_pin *pin, const char *name, bool any, double load, double *sum) {
    bool found = false;
    *sum = 0;
    for (size_t i = 0; i < pin->power_count; i++) {
        const ls_liberty_power *one = &pin->power[i];
        bool known = !any && !is_of(one, name);
        for (size_t k = 0; k < i && !known; k++) /* the first of a supply stands for all of it */
            known = (any || is_of(&pin->power[k], name)) && strcmp(pin->power[k].supply, one->supply) == 0;
        if (known) continue;
        double of_supply = 0;
        uint32_t n = 0;
        for (size_t k = i; k < pin->power_count; k++) {
            if ((!any && !is_of(&pin->power[k], name)) || strcmp(pin->power[k].supply, one->supply) != 0) continue;
            of_supply += of_power(s, &pin->power[k], load);
            n++;
        }
        *sum += of_supply / n;
        found = true;
    }
    return found;
}

/* Joules inside a cell for one toggle of an output: the mean of the tables of its related pins, weighted by how often each of
 * these toggled; of a flip-flop the clock's alone. Tables under several conditions count alike. */
static double of_output(const sums *s, const ls_mapped_cell *c, const ls_mapped_pin *out) {
    const double load = s->d->nets[out->net].load;
    double sum = 0, weight = 0, one;
    for (uint32_t p = c->first; p < c->first + c->count; p++) {
        const ls_mapped_pin *in = &s->d->pins[p];
        if (in->output || (c->type->flop && !in->pin->clock) || !related(s, out->pin, in->pin->name, false, load, &one)) continue;
        const double toggles = (double)s->counts->toggles[in->net];
        sum += toggles * one;
        weight += toggles;
    }
    if (weight > 0) return sum / weight;
    (void)related(s, out->pin, "", true, load, &one);
    return one;
}

static void of_cell(sums *s, const ls_mapped_cell *c) {
    const ls_mapped *d = s->d;
    ls_energy *e = s->e;
    for (uint32_t p = c->first; p < c->first + c->count; p++) {
        const ls_mapped_pin *pin = &d->pins[p];
        const double toggles = (double)s->counts->toggles[pin->net];
        if (toggles == 0) continue;
        double one = 0;
        if (pin->output) one = of_output(s, c, pin);
        else (void)related(s, pin->pin, "", true, 0, &one);
        const bool clock = c->clock || (!pin->output && d->nets[pin->net].clock);
        const double joules = toggles * one;
        *(clock ? &e->clock : c->type->flop ? &e->flops : &e->logic) += joules;
        if (pin->output) e->net[pin->net] += joules;
        e->owner[c->owner] += joules;
    }
}

/* 1/2 C V^2 of every toggle; of the clock each flip-flop bears its own pin. */
static void of_nets(sums *s) {
    const ls_mapped *d = s->d;
    ls_energy *e = s->e;
    const double half_square = d->liberty.voltage * d->liberty.voltage / 2;
    for (uint32_t n = 2; n < d->net_count; n++) {
        const double joules = (double)s->counts->toggles[n] * d->nets[n].load * half_square;
        *(d->nets[n].clock ? &e->clock : &e->switching) += joules;
        e->net[n] += joules;
        if (!d->nets[n].clock && d->nets[n].driver != LS_MAPPED_NONE) e->owner[d->cells[d->nets[n].driver].owner] += joules;
        else if (!d->nets[n].clock) e->owner[d->owners.count - 1] += joules;
    }
    for (uint32_t c = 0; c < d->cell_count; c++)
        for (uint32_t p = d->cells[c].first; p < d->cells[c].first + d->cells[c].count; p++) {
            const ls_mapped_pin *pin = &d->pins[p];
            if (pin->output || pin->pin == NULL || !d->nets[pin->net].clock) continue;
            e->owner[d->cells[c].owner] += (double)s->counts->toggles[pin->net] * pin->pin->capacitance * half_square;
        }
}

void ls_energy_sum(const ls_mapped *d, const ls_energy_counts *counts, const ls_energy_point *point, ls_energy *e) {
    *e = (ls_energy){.owner = ls_alloc(d->owners.count, sizeof *e->owner), .net = ls_alloc(d->net_count, sizeof *e->net)};
    sums s = {.d = d, .counts = counts, .transition = point->transition / d->liberty.time_unit, .e = e};
    const double cycles = (double)counts->cycles;
    uint64_t toggles = 0;
    uint32_t nets = 0;
    for (uint32_t c = 0; c < d->cell_count; c++) {
        const ls_mapped_cell *cell = &d->cells[c];
        if (cell->type != NULL) {
            of_cell(&s, cell);
            e->leakage += cell->type->leakage * point->period;
        } else {
            const ls_sram_figure *m = cell->macro;
            e->macros += ((double)counts->reads[c] * m->read_pj + (double)counts->writes[c] * m->write_pj) * 1e-12 / cycles;
        }
    }
    of_nets(&s);
    e->clock /= cycles;
    e->flops /= cycles;
    e->logic /= cycles;
    e->switching /= cycles;
    for (size_t i = 0; i < d->owners.count; i++) e->owner[i] /= cycles;
    for (uint32_t n = 0; n < d->net_count; n++) e->net[n] /= cycles;
    for (uint32_t n = 2; n < d->net_count; n++) {
        if (d->nets[n].clock) continue;
        toggles += counts->toggles[n];
        nets++;
    }
    e->rate = nets > 0 ? (double)toggles / nets / cycles : 0;
}

void ls_energy_free(ls_energy *e) {
    free(e->owner);
    free(e->net);
    *e = (ls_energy){0};
}
