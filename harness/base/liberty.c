/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/liberty.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/liberty_function.h"
#include "harness/base/liberty_parse.h"
#include "harness/base/text.h"

/* What a template says: which index is the load, and the indices of tables that bring none. */
typedef struct template {
    const ls_liberty_node *node;
    bool load[2];
    size_t variables;
    const char *other; /* a variable that is not read, NULL: none; an error where a table has it */
}
template;

typedef struct reader {
    ls_liberty *lib;
    const ls_liberty_node *root; /* the library group */
    template *templates;
    size_t template_count;
    double voltage_unit, leakage_unit; /* leakage_unit 0: not given */
    double default_input, default_output, default_inout, default_leakage;
    char *error;
    size_t error_size;
} reader;

static bool fail(reader *r, const ls_liberty_node *n, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Says what is wrong with statement `n`. Returns false. */
static bool fail(reader *r, const ls_liberty_node *n, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const int used = snprintf(r->error, r->error_size, "%s:%zu: %s: ", r->lib->path, n->line, n->name);
    if (used > 0 && (size_t)used < r->error_size) (void)vsnprintf(r->error + used, r->error_size - (size_t)used, format, args);
    va_end(args);
    return false;
}

static bool is(const ls_liberty_node *n, const char *name) { return strcmp(n->name, name) == 0; }

/* A finite decimal number at `text`, blanks around it allowed; `*end` is where it stops. */
static bool number_at(const char *text, double *value, const char **end) {
    while (isspace((unsigned char)*text)) text++;
    const char *digit = text + (*text == '-' || *text == '+');
    if (!isdigit((unsigned char)*digit) && !(*digit == '.' && isdigit((unsigned char)digit[1]))) return false;
    if (digit[0] == '0' && (digit[1] == 'x' || digit[1] == 'X')) return false;
    char *stop;
    *value = strtod(text, &stop);
    *end = stop;
    return isfinite(*value) != 0;
}

/* The number that simple attribute `n` has as its value, not below `least`. */
static bool number(reader *r, const ls_liberty_node *n, double least, double *value) {
    const char *end;
    if (n->value == NULL || !number_at(n->value, value, &end) || end[strspn(end, " \t\r\n")] != '\0' || *value < least)
        return fail(r, n, "'%s' where a number%s is expected", n->value != NULL ? n->value : "",
                    least == 0 ? " of 0 or more" : "");
    return true;
}

/* The same of the child of that name; *value stays when there is none. */
static bool number_of(reader *r, const ls_liberty_node *n, const char *name, double least, double *value) {
    const ls_liberty_node *child = ls_liberty_child(n, name);
    return child == NULL || number(r, child, least, value);
}

/* "1ns", "10ps", "100mV": number, prefix, unit. *unit stays when there is no such attribute. */
static bool unit_of(reader *r, const char *name, const char *unit, double *in) {
    const ls_liberty_node *n = ls_liberty_child(r->root, name);
    static const char prefixes[] = "munpfa";
    if (n == NULL) return true;
    double value;
    const char *at;
    if (n->value != NULL && number_at(n->value, &value, &at) && value > 0) {
        at += strspn(at, " ");
        const char *prefix = *at != '\0' ? strchr(prefixes, tolower((unsigned char)*at)) : NULL;
        if (prefix != NULL && strcasecmp(at + 1, unit) == 0) {
            *in = value * pow(10, -3 * (double)(prefix - prefixes + 1));
            return true;
        }
        if (strcasecmp(at, unit) == 0) {
            *in = value;
            return true;
        }
    }
    return fail(r, n, "'%s' where a number and a unit such as \"1n%s\" are expected", n->value != NULL ? n->value : "", unit);
}

/* capacitive_load_unit (1, pf) */
static bool load_unit(reader *r) {
    const ls_liberty_node *n = ls_liberty_child(r->root, "capacitive_load_unit");
    const char *end;
    double value;
    r->lib->capacitance_unit = 1e-12;
    if (n == NULL) return true;
    if (n->args.count == 2 && number_at(n->args.list[0], &value, &end) && *end == '\0' && value > 0) {
        const char *unit = n->args.list[1];
        const double of = strcasecmp(unit, "pf") == 0 ? 1e-12 : strcasecmp(unit, "ff") == 0 ? 1e-15 : 0;
        r->lib->capacitance_unit = value * of;
        if (of > 0) return true;
    }
    return fail(r, n, "(a number above 0, pf or ff) is expected");
}

/* Those that Liberty has. Another one OpenSTA would take as it likes, with times a thousandfold. */
static bool time_unit(reader *r) {
    static const double known[] = {1e-12, 10e-12, 100e-12, 1e-9};
    const ls_liberty_node *n = ls_liberty_child(r->root, "time_unit");
    r->lib->time_unit = 1e-9;
    if (!unit_of(r, "time_unit", "s", &r->lib->time_unit)) return false;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (fabs(r->lib->time_unit / known[i] - 1) < 1e-9) return true;
    return fail(r, n, "'%s' where 1ps, 10ps, 100ps or 1ns is expected", n->value);
}

static bool units(reader *r) {
    ls_liberty *lib = r->lib;
    r->voltage_unit = 1;
    if (!time_unit(r) || !unit_of(r, "voltage_unit", "V", &r->voltage_unit) ||
        !unit_of(r, "leakage_power_unit", "W", &r->leakage_unit) || !load_unit(r))
        return false;
    lib->energy_unit = lib->capacitance_unit * r->voltage_unit * r->voltage_unit;
    lib->leakage_unit = r->leakage_unit > 0;
    if (!number_of(r, r->root, "nom_voltage", 0, &lib->voltage)) return false;
    if (lib->voltage == 0) { /* then the conditions' */
        const ls_liberty_node *chosen = ls_liberty_child(r->root, "default_operating_conditions");
        for (size_t i = 0; i < r->root->child_count; i++) {
            const ls_liberty_node *n = &r->root->children[i];
            if (!is(n, "operating_conditions") || n->args.count != 1) continue;
            if (chosen != NULL && chosen->value != NULL && strcmp(chosen->value, n->args.list[0]) != 0) continue;
            if (!number_of(r, n, "voltage", 0, &lib->voltage)) return false;
        }
    }
    lib->voltage *= r->voltage_unit;
    return number_of(r, r->root, "default_input_pin_cap", 0, &r->default_input) &&
           number_of(r, r->root, "default_output_pin_cap", 0, &r->default_output) &&
           number_of(r, r->root, "default_inout_pin_cap", 0, &r->default_inout) &&
           number_of(r, r->root, "default_cell_leakage_power", 0, &r->default_leakage);
}

/* Which variables a template of internal power has. */
static bool read_template(reader *r, const ls_liberty_node *n) {
    static const char *const names[] = {"variable_1", "variable_2", "variable_3"};
    if (n->args.count != 1) return fail(r, n, "a name in ( ) is expected");
    template t = {.node = n};
    for (size_t i = 0; i < 3; i++) {
        const ls_liberty_node *v = ls_liberty_child(n, names[i]);
        if (v == NULL) break;
        const char *is_of = v->value != NULL ? v->value : "";
        const bool load = strcmp(is_of, "total_output_net_capacitance") == 0;
        if (i == 2 || (!load && strcmp(is_of, "input_transition_time") != 0 && strcmp(is_of, "input_net_transition") != 0)) {
            t.other = is_of;
            break;
        }
        t.load[i] = load;
        t.variables = i + 1;
    }
    if (t.other == NULL && t.variables == 2 && t.load[0] == t.load[1]) return fail(r, n, "both variables are the same");
    r->templates = ls_grow(r->templates, r->template_count, sizeof *r->templates);
    r->templates[r->template_count++] = t;
    return true;
}

/* All numbers of index_1 or values as one list. */
static bool numbers(reader *r, const ls_liberty_node *n, double **list, size_t *count) {
    *list = NULL;
    *count = 0;
    for (size_t i = 0; i < n->args.count; i++) {
        for (const char *at = n->args.list[i]; at[strspn(at, ", \t\r\n")] != '\0';) {
            const char *end;
            double value;
            at += strspn(at, ", \t\r\n");
            if (!number_at(at, &value, &end) || (*end != '\0' && strchr(", \t\r\n", *end) == NULL)) {
                free(*list);
                *list = NULL;
                return fail(r, n, "'%.*s' where a number is expected", (int)strcspn(at, ", \t\r\n"), at);
            }
            at = end;
            *list = ls_grow(*list, *count, sizeof **list);
            (*list)[(*count)++] = value;
        }
    }
    return *count > 0 ? true : fail(r, n, "no number in it");
}

static void free_table(ls_liberty_table *t) {
    free(t->index1);
    free(t->index2);
    free(t->value);
    *t = (ls_liberty_table){0};
}

static bool index_of(reader *r, const ls_liberty_node *n, const template *t, const char *name, double **list, size_t *count) {
    const ls_liberty_node *at = ls_liberty_child(n, name);
    if (at == NULL) at = ls_liberty_child(t->node, name);
    if (at == NULL) return fail(r, n, "no %s, neither here nor in its template", name);
    if (!numbers(r, at, list, count)) return false;
    for (size_t i = 1; i < *count; i++)
        if ((*list)[i] <= (*list)[i - 1]) return fail(r, at, "number %zu is not above the one before it", i + 1);
    return true;
}

/* rise_power (template) { index_1 (…); index_2 (…); values (…); } into a table that free_table takes in any case. */
static bool read_table(reader *r, const ls_liberty_node *n, ls_liberty_table *table) {
    const template *t = NULL;
    const char *name = n->args.count == 1 ? n->args.list[0] : "";
    for (size_t i = 0; i < r->template_count; i++)
        if (strcmp(r->templates[i].node->args.list[0], name) == 0) t = &r->templates[i];
    if (!n->group || (t == NULL && strcmp(name, "scalar") != 0))
        return fail(r, n, "'%s' is no power_lut_template of this library", name);
    if (t != NULL && t->other != NULL)
        return fail(r, n, "'%s' is of '%s', where at most two of total_output_net_capacitance and input_transition_time are read",
                    name, t->other);
    *table = (ls_liberty_table){.count1 = 1, .count2 = 1};
    if (t != NULL && t->variables > 0 && !index_of(r, n, t, "index_1", &table->index1, &table->count1)) return false;
    if (t != NULL && t->variables > 1 && !index_of(r, n, t, "index_2", &table->index2, &table->count2)) return false;
    table->load_first = t != NULL && t->load[0];
    const ls_liberty_node *v = ls_liberty_child(n, "values");
    size_t count;
    if (v == NULL) return fail(r, n, "no values in it");
    if (!numbers(r, v, &table->value, &count)) return false;
    if (count != table->count1 * table->count2)
        return fail(r, v, "%zu numbers where %zu x %zu are expected", count, table->count1, table->count2);
    return true;
}

/* The supply that a group of power is of. */
static const char *supply_of(const ls_liberty_node *n) {
    const ls_liberty_node *supply = ls_liberty_child(n, "related_pg_pin");
    return supply != NULL && supply->value != NULL ? supply->value : "";
}

static bool read_power(reader *r, const ls_liberty_node *n, ls_liberty_pin *pin) {
    const ls_liberty_node *related = ls_liberty_child(n, "related_pin"), *when = ls_liberty_child(n, "when");
    pin->power = ls_grow(pin->power, pin->power_count, sizeof *pin->power);
    ls_liberty_power *p = &pin->power[pin->power_count++];
    *p = (ls_liberty_power){.supply = ls_copy(supply_of(n)),
                            .related_pin = ls_copy(related != NULL && related->value != NULL ? related->value : ""),
                            .when = ls_copy(when != NULL && when->value != NULL ? when->value : "")};
    static const char *const names[][2] = {{"rise_power", "power"}, {"fall_power", "power"}};
    for (size_t i = 0; i < 2; i++) {
        const ls_liberty_node *table = ls_liberty_child(n, names[i][0]);
        if (table == NULL) table = ls_liberty_child(n, names[i][1]);
        if (table != NULL && !read_table(r, table, i == 0 ? &p->rise : &p->fall)) return false;
    }
    return true;
}

static bool capacitance_of(reader *r, const ls_liberty_node *n, ls_liberty_pin *pin) {
    const ls_liberty_node *rise = ls_liberty_child(n, "rise_capacitance"), *fall = ls_liberty_child(n, "fall_capacitance");
    double value = pin->input && pin->output ? r->default_inout : pin->input ? r->default_input : r->default_output;
    double up = 0, down = 0, most = 0;
    if (rise != NULL && !number(r, rise, 0, &up)) return false;
    if (fall != NULL && !number(r, fall, 0, &down)) return false;
    if (rise != NULL || fall != NULL) value = rise == NULL ? down : fall == NULL ? up : (up + down) / 2;
    if (!number_of(r, n, "capacitance", 0, &value) || !number_of(r, n, "max_capacitance", 0, &most)) return false;
    pin->capacitance = value * r->lib->capacitance_unit;
    pin->max_capacitance = most * r->lib->capacitance_unit;
    return true;
}

/* Whether it is a function, of any names. */
static bool well_formed(const char *function) {
    ls_liberty_code code;
    return ls_liberty_compile(function, NULL, 0, &code);
}

static bool read_pin(reader *r, const ls_liberty_node *n, const char *name, ls_liberty_cell *cell) {
    cell->pins = ls_grow(cell->pins, cell->pin_count, sizeof *cell->pins);
    ls_liberty_pin *pin = &cell->pins[cell->pin_count++];
    *pin = (ls_liberty_pin){.name = ls_copy(name), .function = ls_copy("")};
    for (size_t i = 0; i + 1 < cell->pin_count; i++)
        if (strcmp(cell->pins[i].name, name) == 0) return fail(r, n, "pin %s stands twice in cell %s", name, cell->name);
    const ls_liberty_node *direction = ls_liberty_child(n, "direction"), *function = ls_liberty_child(n, "function");
    const char *way = direction != NULL && direction->value != NULL ? direction->value : "";
    if (direction == NULL) return fail(r, n, "pin %s of cell %s has no direction", name, cell->name);
    if (strcmp(way, "input") != 0 && strcmp(way, "output") != 0 && strcmp(way, "inout") != 0 && strcmp(way, "internal") != 0)
        return fail(r, direction, "'%s' where input, output, inout or internal is expected", way);
    pin->input = strcmp(way, "input") == 0 || strcmp(way, "inout") == 0;
    pin->output = strcmp(way, "output") == 0 || strcmp(way, "inout") == 0;
    const ls_liberty_node *clock = ls_liberty_child(n, "clock");
    pin->clock = (clock != NULL && clock->value != NULL && strcasecmp(clock->value, "true") == 0) ||
                 ls_liberty_names(cell->clocked_on, name);
    if (function != NULL && pin->output) {
        free(pin->function);
        pin->function = ls_copy(function->value != NULL ? function->value : "");
        if (!well_formed(pin->function)) return fail(r, function, "'%s' is no function of pins", pin->function);
    }
    if (!capacitance_of(r, n, pin)) return false;
    for (size_t i = 0; i < n->child_count; i++)
        if (is(&n->children[i], "internal_power") && n->children[i].group && !read_power(r, &n->children[i], pin)) return false;
    return true;
}

/* ff (state, inverse) { clocked_on, next_state, clear, preset } */
static bool read_flop(reader *r, const ls_liberty_node *n, ls_liberty_cell *cell) {
    const struct {
        const char *name;
        char **to;
    } functions[] = {
        {"clocked_on", &cell->clocked_on}, {"next_state", &cell->next_state}, {"clear", &cell->clear}, {"preset", &cell->preset}};
    if (cell->flop) return fail(r, n, "cell %s has several", cell->name);
    cell->flop = true;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        const ls_liberty_node *f = ls_liberty_child(n, functions[i].name);
        if (f == NULL && i > 0) continue;
        if (f == NULL || f->value == NULL || !well_formed(f->value))
            return fail(r, f != NULL ? f : n, "no function %s in cell %s", functions[i].name, cell->name);
        free(*functions[i].to);
        *functions[i].to = ls_copy(f->value);
    }
    for (size_t i = 0; i < 2 && i < n->args.count; i++) {
        free(cell->state[i]);
        cell->state[i] = ls_copy(n->args.list[i]);
    }
    return true;
}

/* The value of a leakage_power group; NULL when it is none. */
static const ls_liberty_node *leakage_value(const ls_liberty_node *n) {
    return is(n, "leakage_power") ? ls_liberty_child(n, "value") : NULL;
}

static bool leakage_of(reader *r, const ls_liberty_node *n, ls_liberty_cell *cell) {
    const ls_liberty_node *given = ls_liberty_child(n, "cell_leakage_power");
    double sum = 0, value = r->default_leakage;
    bool any = false;
    for (size_t i = 0; i < n->child_count && given == NULL; i++) {
        if (leakage_value(&n->children[i]) == NULL) continue;
        const char *supply = supply_of(&n->children[i]);
        double of_supply = 0, one;
        size_t groups = 0;
        bool known = false; /* the first of a supply stands for all of it */
        for (size_t k = 0; k < i && !known; k++)
            known = leakage_value(&n->children[k]) != NULL && strcmp(supply_of(&n->children[k]), supply) == 0;
        for (size_t k = i; k < n->child_count && !known; k++) {
            const ls_liberty_node *v = leakage_value(&n->children[k]);
            if (v == NULL || strcmp(supply_of(&n->children[k]), supply) != 0) continue;
            if (!number(r, v, 0, &one)) return false;
            of_supply += one;
            groups++;
        }
        if (known) continue;
        sum += of_supply / (double)groups;
        any = true;
    }
    if (any) value = sum;
    if (given != NULL && !number(r, given, 0, &value)) return false;
    cell->leakage = value * r->leakage_unit;
    cell->leaks = any || given != NULL || ls_liberty_child(r->root, "default_cell_leakage_power") != NULL;
    return true;
}

static bool read_cell(reader *r, const ls_liberty_node *n) {
    ls_liberty *lib = r->lib;
    if (n->args.count != 1 || !n->group) return fail(r, n, "(a name) { … } is expected");
    if (ls_liberty_find(lib, n->args.list[0]) != NULL) return fail(r, n, "cell %s stands twice", n->args.list[0]);
    lib->cells = ls_grow(lib->cells, lib->cell_count, sizeof *lib->cells);
    ls_liberty_cell *cell = &lib->cells[lib->cell_count++];
    *cell = (ls_liberty_cell){.name = ls_copy(n->args.list[0]),
                              .clocked_on = ls_copy(""),
                              .next_state = ls_copy(""),
                              .clear = ls_copy(""),
                              .preset = ls_copy(""),
                              .state = {ls_copy(""), ls_copy("")}};
    const ls_liberty_node *avoid = ls_liberty_child(n, "dont_use");
    cell->dont_use = avoid != NULL && avoid->value != NULL && strcasecmp(avoid->value, "true") == 0;
    if (!number_of(r, n, "area", 0, &cell->area) || !leakage_of(r, n, cell)) return false;
    for (size_t i = 0; i < n->child_count; i++) {
        const ls_liberty_node *c = &n->children[i];
        if ((is(c, "ff") || is(c, "ff_bank")) && !read_flop(r, c, cell)) return false;
        cell->latch |= is(c, "latch") || is(c, "latch_bank");
        cell->vectors |= is(c, "bus") || is(c, "bundle");
    }
    for (size_t i = 0; i < n->child_count; i++) {
        const ls_liberty_node *c = &n->children[i];
        if (!is(c, "pin") || !c->group) continue;
        if (c->args.count == 0) return fail(r, c, "(a name) is expected");
        for (size_t k = 0; k < c->args.count; k++)
            if (!read_pin(r, c, c->args.list[k], cell)) return false;
    }
    return true;
}

static bool read_library(reader *r) {
    if (!units(r)) return false;
    for (size_t i = 0; i < r->root->child_count; i++)
        if (is(&r->root->children[i], "power_lut_template") && !read_template(r, &r->root->children[i])) return false;
    for (size_t i = 0; i < r->root->child_count; i++)
        if (is(&r->root->children[i], "cell") && !read_cell(r, &r->root->children[i])) return false;
    return r->lib->cell_count > 0 ? true : fail(r, r->root, "no cell in it");
}

int ls_liberty_read(const char *path, ls_liberty *lib, char *error, size_t size) {
    ls_text text = {0};
    ls_liberty_node file;
    *lib = (ls_liberty){.path = ls_copy(path)};
    const int status = ls_text_read(&text, path);
    bool good = status == 0;
    if (!good) (void)snprintf(error, size, "%s: %s", path, strerror(-status));
    if (good && ls_liberty_parse(path, &text, &file, error, size) == 0) {
        reader r = {.lib = lib, .error = error, .error_size = size};
        r.root = file.child_count > 0 ? &file.children[0] : NULL;
        good = r.root != NULL && file.child_count == 1 && is(r.root, "library") && r.root->group && r.root->args.count == 1;
        if (!good) {
            const size_t line = file.child_count > 1 && is(&file.children[0], "library") ? file.children[1].line : 1;
            (void)snprintf(error, size, "%s:%zu: library (name) { … }, and nothing else, is expected", path, line);
        } else {
            lib->name = ls_copy(r.root->args.list[0]);
            good = read_library(&r);
        }
        free(r.templates);
        ls_liberty_node_free(&file);
    } else {
        good = false;
    }
    free(ls_text_take(&text));
    if (good) return 0;
    ls_liberty_free(lib);
    return -1;
}

void ls_liberty_free(ls_liberty *lib) {
    for (size_t c = 0; c < lib->cell_count; c++) {
        ls_liberty_cell *cell = &lib->cells[c];
        for (size_t p = 0; p < cell->pin_count; p++) {
            ls_liberty_pin *pin = &cell->pins[p];
            for (size_t k = 0; k < pin->power_count; k++) {
                free_table(&pin->power[k].rise);
                free_table(&pin->power[k].fall);
                free(pin->power[k].related_pin);
                free(pin->power[k].when);
                free(pin->power[k].supply);
            }
            free(pin->power);
            free(pin->name);
            free(pin->function);
        }
        free(cell->pins);
        free(cell->name);
        free(cell->clocked_on);
        free(cell->next_state);
        free(cell->clear);
        free(cell->preset);
        free(cell->state[0]);
        free(cell->state[1]);
    }
    free(lib->cells);
    free(lib->path);
    free(lib->name);
    *lib = (ls_liberty){0};
}

const ls_liberty_cell *ls_liberty_find(const ls_liberty *lib, const char *cell) {
    for (size_t i = 0; i < lib->cell_count; i++)
        if (strcmp(lib->cells[i].name, cell) == 0) return &lib->cells[i];
    return NULL;
}

const ls_liberty_pin *ls_liberty_pin_of(const ls_liberty_cell *cell, const char *pin) {
    for (size_t i = 0; i < cell->pin_count; i++)
        if (strcmp(cell->pins[i].name, pin) == 0) return &cell->pins[i];
    return NULL;
}

/* Whether the cell is combinational with `inputs` inputs and one output, whose truth table over them is `table`. */
static bool computes(const ls_liberty_cell *cell, size_t inputs, uint64_t table) {
    const char *names[LS_LIBERTY_TRUTH_MAX];
    const ls_liberty_pin *out = NULL;
    size_t count = 0, outputs = 0;
    if (cell->flop || cell->latch || cell->vectors || cell->dont_use) return false;
    for (size_t i = 0; i < cell->pin_count; i++) {
        const ls_liberty_pin *pin = &cell->pins[i];
        if (pin->input && count < LS_LIBERTY_TRUTH_MAX) names[count] = pin->name;
        count += pin->input;
        outputs += pin->output;
        if (pin->output) out = pin;
    }
    uint64_t is_of;
    return count == inputs && outputs == 1 && ls_liberty_truth(out->function, names, count, &is_of) && is_of == table;
}

static const ls_liberty_cell *smallest(const ls_liberty *lib, size_t inputs, uint64_t table) {
    const ls_liberty_cell *found = NULL;
    for (size_t i = 0; i < lib->cell_count; i++)
        if (computes(&lib->cells[i], inputs, table) && (found == NULL || lib->cells[i].area < found->area))
            found = &lib->cells[i];
    return found;
}

const ls_liberty_cell *ls_liberty_nand2(const ls_liberty *lib) { return smallest(lib, 2, 0x7); }

const ls_liberty_cell *ls_liberty_inverter(const ls_liberty *lib) { return smallest(lib, 1, 0x1); }

/* The segment of `index` to use at x, and where on it x lies: 0 at its begin, 1 at its end, below or above beyond. */
static double place(const double *index, size_t count, double x, size_t *segment) {
    *segment = 0;
    if (index == NULL || count < 2) return 0;
    while (*segment + 2 < count && x > index[*segment + 1]) (*segment)++;
    return (x - index[*segment]) / (index[*segment + 1] - index[*segment]);
}

double ls_liberty_value(const ls_liberty_table *t, double transition, double load) {
    if (t->value == NULL) return 0;
    size_t i, k;
    const double a = place(t->index1, t->count1, t->load_first ? load : transition, &i);
    const double b = place(t->index2, t->count2, t->load_first ? transition : load, &k);
    const double *row = t->value + i * t->count2, *next = t->count1 > 1 ? row + t->count2 : row;
    const size_t k1 = t->count2 > 1 ? k + 1 : k;
    return (1 - a) * ((1 - b) * row[k] + b * row[k1]) + a * ((1 - b) * next[k] + b * next[k1]);
}
