/* SPDX-License-Identifier: Apache-2.0 */
/* A cell library in Liberty format, as far as area, loads and energy need it: cells, pins, functions, look-up tables of internal
 * power. Timing arcs are OpenSTA's business and are skipped. */
#ifndef LS_LIBERTY_H
#define LS_LIBERTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A table of energies over up to two indices. Without an index, the count is 1 and the list NULL: a value for any load or
 * transition. Units: the library's, see ls_liberty. */
typedef struct ls_liberty_table {
    double *index1, *index2; /* ascending */
    double *value;           /* [count1][count2]; NULL: the library says nothing */
    size_t count1, count2;
    bool load_first; /* index1 is the output's load, index2 the input's transition; else the other way round */
} ls_liberty_table;

/* internal_power () { ... } of a pin. */
typedef struct ls_liberty_power {
    char *related_pin;           /* "" when the group has none; several as the library has them, "A B" */
    char *when;                  /* "" when the group has none */
    char *supply;                /* related_pg_pin; "" when the group has none */
    ls_liberty_table rise, fall; /* `power` gives both */
} ls_liberty_power;

typedef struct ls_liberty_pin {
    char *name;
    bool input, output;     /* both for an inout; neither for one inside the cell */
    bool clock;             /* declared as such, or the edge of a flip-flop's clocked_on */
    double capacitance;     /* in farads: `capacitance`, else the mean of rise and fall, else the library's default */
    double max_capacitance; /* of an output, in farads; 0 when not given */
    char *function;         /* of an output, "" when it has none */
    ls_liberty_power *power;
    size_t power_count;
} ls_liberty_pin;

typedef struct ls_liberty_cell {
    char *name;
    double area;    /* as in the library, um2 by custom */
    double leakage; /* in watts, 0 when not given: cell_leakage_power, else of its leakage_power groups the mean of each supply's
                       (related_pg_pin), summed over supplies, else the default */
    bool leaks;     /* its leakage was given, or the library's default */
    bool flop, latch;
    /* Of a flip-flop, as functions of pins and state; "" where the library says nothing: */
    char *clocked_on, *next_state, *clear, *preset;
    char *state[2]; /* names of the state and of its inverse, as in functions of outputs */
    bool dont_use;
    bool vectors; /* it has buses or bundles: a macro, whose pins in them are left out here */
    ls_liberty_pin *pins;
    size_t pin_count;
} ls_liberty_cell;

typedef struct ls_liberty {
    char *path, *name;
    double voltage;                     /* nominal, in volts; 0 when not given */
    double time_unit, capacitance_unit; /* in seconds, in farads */
    double energy_unit; /* of the tables of internal power, in joules: capacitance unit times voltage unit squared */
    bool leakage_unit;  /* the library says what its leakage is in; without, all leakage here is 0 */
    ls_liberty_cell *cells;
    size_t cell_count;
} ls_liberty;

/* Reads a library. 0; or -1 and, in `error`, "FILE:LINE: what is wrong" with the field and what was expected. */
int ls_liberty_read(const char *path, ls_liberty *library, char *error, size_t size);
void ls_liberty_free(ls_liberty *library);

/* NULL when there is none. */
const ls_liberty_cell *ls_liberty_find(const ls_liberty *library, const char *cell);
const ls_liberty_pin *ls_liberty_pin_of(const ls_liberty_cell *cell, const char *pin);

/* The smallest cell whose only output is the NAND of its two inputs: the unit of "gate equivalents". The smallest inverter: what
 * FO4 is measured with. Cells not to be used do not count. NULL when the library has none. */
const ls_liberty_cell *ls_liberty_nand2(const ls_liberty *library);
const ls_liberty_cell *ls_liberty_inverter(const ls_liberty *library);

/* The truth table of a function in Liberty's notation over up to 6 names: bit k of *table is its value with names[i] = bit i of
 * k. Returns whether it could be made: the notation is right and no other name is in it. */
bool ls_liberty_truth(const char *function, const char *const *names, size_t count, uint64_t *table);

/* The table's value in the library's unit at an input transition and a load, in the library's units: bilinear between its
 * points, and along its outermost segment beyond them. 0 for a table of which the library says nothing. */
double ls_liberty_value(const ls_liberty_table *table, double transition, double load);

#endif
