/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep energy: what a unit's netlist takes, from its nets' toggles and its library, and beside it what the model's events
 * take at the papers' prices. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/progress.h"
#include "harness/cli/commands.h"
#include "harness/core/config.h"
#include "harness/core/report.h"
#include "harness/core/source.h"
#include "harness/energy/energy.h"
#include "harness/synth/synth.h"

#define DEFAULT_CYCLES 100000u
#define DEFAULT_PERIOD 10.0    /* ns */
#define DEFAULT_TRANSITION 0.1 /* ns */
#define TOP 10u
#define PJ 1e12

/* An energy at a paper's prices, a distance that it is of, or how often something happened that no paper prices. */
typedef enum event_kind { ENERGY, DISTANCE, UNPRICED } event_kind;

typedef struct event {
    char *name;
    double value;
    event_kind kind;
} event;

typedef struct measured {
    const ls_options *o;
    ls_energy_point point;
    ls_synth synth;
    ls_mapped design;
    ls_energy_counts counts;
    ls_energy energy;
    event *events;
    size_t event_count;
    uint32_t *owners; /* the largest first */
    char *command;
} measured;

static double total(const ls_energy *e) { return e->clock + e->flops + e->logic + e->switching + e->leakage; }

static const struct group {
    const char *name, *key;
    size_t at;
} groups[] = {{"clock", "clock", offsetof(ls_energy, clock)},
              {"flip-flops", "flops", offsetof(ls_energy, flops)},
              {"logic", "logic", offsetof(ls_energy, logic)},
              {"switching", "switching", offsetof(ls_energy, switching)},
              {"leakage", "leakage", offsetof(ls_energy, leakage)}};

static double of_group(const ls_energy *e, const struct group *g) {
    double value;
    memcpy(&value, (const char *)e + g->at, sizeof value);
    return value;
}

/* Keeps the counters that are events: "energy…_uj", microjoules of the whole run, "energy_…_mm" and "unpriced_…". */
static void keep_events(void *ctx, const char *name, double value) {
    measured *m = ctx;
    const char *const unpriced = "unpriced_";
    const size_t n = strlen(name), unit = n > 3 ? n - 3 : 0, prefix = strlen(unpriced);
    event e = {.value = value};
    if (strncmp(name, unpriced, prefix) == 0) {
        e.kind = UNPRICED;
        e.name = ls_copy(name + prefix);
    } else if (strncmp(name, "energy", 6) == 0 && strcmp(name + unit, "_uj") == 0) {
        e.kind = ENERGY;
        e.name = ls_format("%.*s", (int)unit, name);
    } else if (strncmp(name, "energy_", 7) == 0 && strcmp(name + unit, "_mm") == 0) {
        e.kind = DISTANCE;
        e.name = ls_format("%.*s", (int)unit - 7, name + 7);
    } else {
        return;
    }
    m->events = ls_grow(m->events, m->event_count, sizeof *m->events);
    m->events[m->event_count++] = e;
}

static const double *owner_energy; /* of the list being sorted: qsort has no argument for it */

static int by_energy(const void *a, const void *b) {
    const double x = owner_energy[*(const uint32_t *)a], y = owner_energy[*(const uint32_t *)b];
    const uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    return x > y ? -1 : x < y ? 1 : i < k ? -1 : i > k;
}

static void sort_owners(measured *m) {
    const size_t n = m->design.owners.count;
    m->owners = ls_alloc(n, sizeof *m->owners);
    for (uint32_t i = 0; i < n; i++) m->owners[i] = i;
    owner_energy = m->energy.owner;
    qsort(m->owners, n, sizeof *m->owners, by_energy);
}

/* Sums of the macros: accesses, nodes. */
static void macro_sums(const measured *m, uint64_t *cells, uint64_t *reads, uint64_t *writes, double *node) {
    *cells = *reads = *writes = 0;
    *node = 0;
    for (uint32_t c = 0; c < m->design.cell_count; c++) {
        if (m->design.cells[c].type != NULL) continue;
        ++*cells;
        *reads += m->counts.reads[c];
        *writes += m->counts.writes[c];
        *node = m->design.cells[c].macro->node_nm;
    }
}

/* Of how many cells the library says nothing: no table of what happens inside, no leakage. They count as 0. */
static void count_silent(const measured *m, uint32_t *power, uint32_t *leakage) {
    *power = *leakage = 0;
    for (uint32_t c = 0; c < m->design.cell_count; c++) {
        const ls_liberty_cell *type = m->design.cells[c].type;
        size_t tables = 0;
        if (type == NULL) continue;
        for (size_t p = 0; p < type->pin_count; p++) tables += type->pins[p].power_count;
        *power += tables == 0;
        *leakage += !type->leaks;
    }
}

/* Picojoules, or times, a cycle, since the counters are of all cycles behind the first reset; or millimetres. */
static double event_figure(const measured *m, const event *e) {
    if (e->kind == DISTANCE || !isfinite(e->value)) return e->value;
    return e->value * (e->kind == ENERGY ? 1e6 : 1) / (double)m->counts.steps;
}

static void print_events(const measured *m, event_kind kind, const char *title) {
    bool titled = false;
    for (size_t i = 0; i < m->event_count; i++) {
        if (m->events[i].kind != kind) continue;
        if (!titled) (void)printf("\n  %s\n", title);
        titled = true;
        ls_say(stdout, "  %-36s %12.4g\n", m->events[i].name, event_figure(m, &m->events[i]));
    }
}

static void print_text(const measured *m) {
    const ls_options *o = m->o;
    const ls_energy *e = &m->energy;
    const ls_mapped *d = &m->design;
    const double all = total(e), dynamic = all - e->leakage, to_mw = 1e3 / m->point.period;
    char *params = ls_config_text(o->unit, o->cfg);
    ls_say(stdout, "%s%s%s: %.4g pJ a cycle, %.4g mW at %g ns\n", o->unit->name, params[0] != '\0' ? " " : "", params, all * PJ,
           all * to_mw, m->point.period * 1e9);
    free(params);
    ls_say(stdout, "  netlist    %u cells of %s at %g V, %u of them flip-flops; %.4f toggles a net and cycle\n", d->cell_count,
           d->liberty.name, d->liberty.voltage, d->flop_count, e->rate);
    ls_say(stdout, "  run        %" PRIu64 " cycles of %s; %" PRIu64 " bits of registers and outputs as in the model\n",
           m->counts.cycles,
           o->workload != NULL ? o->workload
           : o->idle           ? "idle inputs"
                               : "random stimulus",
           m->counts.checked);
    (void)printf("  conditions input transitions %g ns; no wires (before layout), no glitches (one settled value a cycle)\n\n",
                 m->point.transition * 1e9);
    ls_say(stdout, "  %-36s %12s %10s %8s\n", "", "pJ a cycle", "mW", "share");
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        const double value = of_group(e, &groups[i]);
        ls_say(stdout, "  %-36s %12.4g %10.4g %7.1f%%\n", groups[i].name, value * PJ, value * to_mw,
               all > 0 ? 100 * value / all : 0);
    }
    ls_say(stdout, "  %-36s %12.4g %10.4g\n", "total", all * PJ, all * to_mw);
    uint32_t power, leakage;
    count_silent(m, &power, &leakage);
    if (power > 0)
        (void)printf("  (the library has no internal_power of %u of the cells: taken as 0, in clock, flip-flops and logic)\n",
                     power);
    if (!d->liberty.leakage_unit) (void)printf("  (the library gives no unit of leakage: taken as 0)\n");
    else if (leakage > 0) (void)printf("  (the library has no leakage of %u of the cells: taken as 0)\n", leakage);
    uint64_t macros, reads, writes;
    double node;
    macro_sums(m, &macros, &reads, &writes, &node);
    if (macros > 0)
        ls_say(stdout,
               "  %-36s %12.4g   in %g nm (synth_scripts/sram.table), in no sum above: %" PRIu64
               " macros, %.4g reads and %.4g writes a cycle\n",
               "SRAM macros", e->macros * PJ, node, macros, (double)reads / (double)m->counts.cycles,
               (double)writes / (double)m->counts.cycles);
    ls_say(stdout, "\n  %-36s %12s %19s\n", "where (without leakage)", "pJ a cycle", "share");
    for (uint32_t i = 0; i < d->owners.count && i < TOP; i++) {
        const double value = e->owner[m->owners[i]];
        if (value <= 0) break;
        ls_say(stdout, "  %-36s %12.4g %18.1f%%\n", d->owners.list[m->owners[i]], value * PJ,
               dynamic > 0 ? 100 * value / dynamic : 0);
    }
    print_events(
        m, ENERGY,
        "the model's events x the paper's picojoules (another technology; whose: the unit's page), not of this netlist:");
    print_events(m, DISTANCE, "of it the wires, this long in millimetres:");
    print_events(m, UNPRICED, "price unknown, so in no sum: events of which no paper states picojoules, times a cycle");
}

static void add_events(const measured *m, event_kind kind, const char *key, ls_text *to) {
    ls_json_open(to, key, '{');
    for (size_t i = 0; i < m->event_count; i++)
        if (m->events[i].kind == kind) ls_json_real(to, m->events[i].name, event_figure(m, &m->events[i]), 8);
    ls_json_close(to, '{');
}

static void add_record(const measured *m, ls_text *to) {
    const ls_options *o = m->o;
    const ls_energy *e = &m->energy;
    const ls_mapped *d = &m->design;
    ls_json_open(to, NULL, '{');
    ls_json_text(to, "energy", o->unit->name);
    ls_report_params(o->unit, o->cfg, to);
    ls_report_surroundings(o->machine, &o->described.surroundings, to);
    ls_json_seed(to, "seed", o->seed);
    ls_json_text(to, "inputs", o->workload != NULL ? "workload" : o->idle ? "idle" : "stimulus");
    if (o->workload != NULL) {
        ls_json_text(to, "workload", o->workload);
    }
    ls_json_text(to, "library", m->synth.liberty);
    char *gates = ls_format("%s/gates.il", m->synth.folder);
    ls_json_text(to, "netlist", gates);
    free(gates);
    ls_json_uint(to, "cycles", m->counts.cycles);
    ls_json_uint(to, "checked_bits", m->counts.checked);
    ls_json_uint(to, "cells", d->cell_count);
    ls_json_uint(to, "flops", d->flop_count);
    ls_json_real(to, "voltage", d->liberty.voltage, 6);
    ls_json_real(to, "period_ns", m->point.period * 1e9, 6);
    ls_json_real(to, "transition_ns", m->point.transition * 1e9, 6);
    ls_json_real(to, "toggle_rate", e->rate, 8);
    ls_json_open(to, "pj_a_cycle", '{');
    ls_json_real(to, "total", total(e) * PJ, 8);
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        ls_json_real(to, groups[i].key, of_group(e, &groups[i]) * PJ, 8);
    ls_json_close(to, '{');
    ls_json_real(to, "mw", total(e) * 1e3 / m->point.period, 8);
    ls_json_open(to, "where", '{');
    for (uint32_t i = 0; i < d->owners.count; i++) ls_json_real(to, d->owners.list[m->owners[i]], e->owner[m->owners[i]] * PJ, 8);
    uint64_t macros, reads, writes;
    uint32_t power, leakage;
    double node;
    macro_sums(m, &macros, &reads, &writes, &node);
    count_silent(m, &power, &leakage);
    ls_json_close(to, '{');
    ls_json_open(to, "cells_without", '{');
    ls_json_uint(to, "power_tables", power);
    ls_json_uint(to, "leak", d->liberty.leakage_unit ? leakage : d->cell_count);
    ls_json_close(to, '{');
    ls_json_open(to, "macros", '{');
    ls_json_uint(to, "count", macros);
    ls_json_uint(to, "reads", reads);
    ls_json_uint(to, "writes", writes);
    ls_json_real(to, "node_nm", node, 6);
    ls_json_real(to, "pj_a_cycle", e->macros * PJ, 8);
    ls_json_close(to, '{');
    add_events(m, ENERGY, "events_pj_a_cycle", to);
    add_events(m, DISTANCE, "events_mm", to);
    add_events(m, UNPRICED, "unpriced_a_cycle", to);
    ls_json_text(to, "command", m->command);
    ls_json_close(to, '{');
}

/* net, driver (its type; "input"), toggles, load in fF, energy in pJ a cycle: one line a net. */
static int write_nets(const measured *m, const char *path) {
    const ls_mapped *d = &m->design;
    ls_text text = {0};
    ls_text_add(&text, "net\tdriver\ttoggles\tload_ff\tpj_a_cycle\n");
    char **names = ls_mapped_net_names(d);
    for (uint32_t n = 2; n < d->net_count; n++) {
        const ls_mapped_cell *c = d->nets[n].driver != LS_MAPPED_NONE ? &d->cells[d->nets[n].driver] : NULL;
        ls_text_add(&text, "%s\t%s\t%" PRIu64 "\t%.6g\t%.6g\n", names[n], c != NULL ? c->cell->type : "input",
                    m->counts.toggles[n], d->nets[n].load * 1e15, m->energy.net[n] * PJ);
    }
    for (uint32_t n = 0; n < d->net_count; n++) free(names[n]);
    free(names);
    const int error = ls_text_write(&text, path);
    free(ls_text_take(&text));
    if (error != 0) ls_say(stderr, "lockstep: %s: %s\n", path, strerror(-error));
    return error;
}

static int report(const measured *m) {
    const ls_options *o = m->o;
    ls_text record = {0};
    add_record(m, &record);
    if (o->json) (void)printf("%s\n", record.data);
    else if (!o->quiet) print_text(m);
    if (o->record != NULL) {
        ls_text_add(&record, "\n");
        const int failed = ls_text_append(&record, o->record); /* several jobs may append to one file */
        if (failed != 0) ls_die("%s: %s", o->record, strerror(-failed));
    }
    free(ls_text_take(&record));
    return o->nets != NULL && write_nets(m, o->nets) != 0 ? 2 : 0;
}

/* Netlist, toggles, sums. The exit code; with 0 everything in `m` is there. */
static int measure(measured *m, char **error) {
    const ls_options *o = m->o;
    const ls_synth_request synth = {.unit = o->unit,
                                    .cfg = o->cfg,
                                    .rtl = (const char *const *)o->rtl.list,
                                    .rtl_count = o->rtl.count,
                                    .liberty = o->liberty,
                                    .macros = !o->no_macros};
    if (ls_command_rtl_fits(o, error) != 0 || ls_synth_make(&synth, &m->synth, error) != 0) return 2;
    char *gates = ls_format("%s/gates.il", m->synth.folder), *table = ls_sram_table_path();
    const int opened =
        ls_mapped_open(&m->design, gates, ls_unit_top(o->unit), m->synth.liberty, o->no_macros ? NULL : table, error);
    free(gates);
    free(table);
    if (opened != 0) return 2;
    const ls_energy_request rq = {.unit = o->unit,
                                  .cfg = o->cfg,
                                  .seed = o->seed,
                                  .cycles = o->cycles != 0 || o->workload != NULL ? o->cycles : DEFAULT_CYCLES,
                                  .workload = o->workload,
                                  .surroundings = &o->described.surroundings,
                                  .idle = o->idle,
                                  .sink = o->workload != NULL ? keep_events
                                                              : NULL, /* with stimulus they are of the last epoch alone */
                                  .ctx = m};
    const ls_energy_status status = ls_energy_count(&m->design, &rq, &m->counts, error);
    if (status == LS_ENERGY_DIFFERS) {
        char *text = ls_format("%s\n          netlist and model are not in lockstep: there is no energy to tell", *error);
        free(*error);
        *error = text;
    }
    if (status != LS_ENERGY_OK) return status == LS_ENERGY_DIFFERS ? 1 : 2;
    ls_energy_sum(&m->design, &m->counts, &m->point, &m->energy);
    sort_owners(m);
    return 0;
}

/* The command that gives the same figures; free() it. */
static char *command_again(const ls_options *o) {
    ls_text text = {0};
    char *common = ls_options_command(o, "energy", o->seed, o->cycles),
         *library = o->liberty != NULL ? ls_shell_word(o->liberty) : NULL;
    ls_text_add(&text, "%s%s%s%s%s", common, o->idle ? " --idle" : "", o->no_macros ? " --no-macros" : "",
                library != NULL ? " --lib " : "", library != NULL ? library : "");
    if (o->period > 0) ls_text_add(&text, " --period %g", o->period);
    if (o->transition > 0) ls_text_add(&text, " --transition %g", o->transition);
    free(common);
    free(library);
    return ls_text_take(&text);
}

int ls_command_energy(ls_options *o) {
    measured m = {.o = o};
    char text[1024];
    char *error = NULL;
    const char *wrong = o->unit->check(o->cfg);
    m.point.period = (o->period > 0 ? o->period : DEFAULT_PERIOD) * 1e-9;
    m.point.transition = (o->transition > 0 ? o->transition : DEFAULT_TRANSITION) * 1e-9;
    if (wrong != NULL) error = ls_format("%s: %s", o->unit->name, wrong);
    else if (o->idle && o->workload != NULL) error = ls_format("--idle and --workload: one or the other");
    else if (o->workload != NULL && ls_source_try(o->unit, o->cfg, o->workload, text, sizeof text) != 0) error = ls_copy(text);
    m.command = command_again(o);
    ls_progress_begin("%s: energy", o->unit->name);
    int status = error != NULL ? 2 : measure(&m, &error);
    ls_progress_end();
    if (status == 0) status = report(&m);
    if (error != NULL) ls_say(stderr, "lockstep: %s\n", error);
    for (size_t i = 0; i < m.event_count; i++) free(m.events[i].name);
    free(m.events);
    free(m.owners);
    free(m.command);
    free(error);
    ls_energy_free(&m.energy);
    ls_energy_counts_free(&m.counts);
    ls_mapped_close(&m.design);
    ls_synth_free(&m.synth);
    return status;
}
