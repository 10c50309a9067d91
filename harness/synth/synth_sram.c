/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/synth/synth_sram.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/root.h"
#include "harness/synth/synth.h"
#include "harness/synth/synth_table.h"

enum { PORTS, ROWS, BITS, NODE, FO4, ACCESS, READ, WRITE, AREA, SOURCE };
static const char *const fields[] = {"ports",   "rows",     "bits",     "node_nm", "fo4_ps", "access_ns",
                                     "read_pj", "write_pj", "area_um2", "source",  NULL};

char *ls_sram_table_path(void) { return ls_format("%s/synth_scripts/sram.table", ls_root()); }

/* Into *f; those from *first on are above it. */
static int take_row(const ls_table *t, const ls_table_row *row, const ls_sram_figure *first, ls_sram_figure *f, char *error,
                    size_t size) {
    static const double least[] = {0, 1, 1, 1, 0.1, 0.001, 0.001, 0.001, 1},
                        most[] = {0, 1e6, 1e4, 1000, 1e4, 1000, 1e5, 1e5, 1e9};
    double number[SOURCE];
    f->one_port = strcmp(row->word[PORTS], "1rw") == 0;
    if (!f->one_port && strcmp(row->word[PORTS], "1r1w") != 0)
        return ls_table_wrong(t, row, PORTS, "expected 1rw or 1r1w", error, size);
    for (size_t i = ROWS; i < SOURCE; i++)
        if (ls_table_number(t, row, i, least[i], most[i], &number[i], error, size) != 0) return -1;
    if (row->word[SOURCE][0] == '\0')
        return ls_table_wrong(t, row, SOURCE, "missing: where do the figures come from?", error, size);
    f->rows = (unsigned)number[ROWS];
    f->bits = (unsigned)number[BITS];
    f->node_nm = number[NODE];
    f->fo4_ps = number[FO4];
    f->access_ns = number[ACCESS];
    f->read_pj = number[READ];
    f->write_pj = number[WRITE];
    f->area_um2 = number[AREA];
    f->source = ls_copy(row->word[SOURCE]);
    for (const ls_sram_figure *b = first; b < f; b++)
        if (b->one_port == f->one_port && b->rows == f->rows && b->bits == f->bits && b->node_nm == f->node_nm)
            return ls_table_wrong(t, row, PORTS, "this macro, of this node, is there already", error, size);
    return 0;
}

int ls_sram_table_read(const char *path, ls_sram_table *table, char *error, size_t size) {
    ls_table t;
    *table = (ls_sram_table){0};
    if (ls_table_read(path, fields, &t, error, size) != 0) return -1;
    int status = 0;
    table->path = ls_copy(path);
    table->list = ls_alloc(t.count + 1, sizeof *table->list);
    for (size_t i = 0; i < t.count && status == 0; i++)
        status = take_row(&t, &t.rows[i], table->list, &table->list[table->count++], error, size);
    ls_table_free(&t);
    if (status != 0) ls_sram_table_free(table);
    return status;
}

void ls_sram_table_free(ls_sram_table *table) {
    for (size_t i = 0; i < table->count; i++) free(table->list[i].source);
    free(table->list);
    free(table->path);
    *table = (ls_sram_table){0};
}

int ls_sram_find(const ls_sram_table *table, const char *name, size_t count, ls_sram *sram) {
    char ports[8];
    int length = 0;
    *sram = (ls_sram){.count = count};
    if (sscanf(name, "rf_sram_%4[0-9rw]_%ux%u%n", ports, &sram->rows, &sram->bits, &length) != 3 || name[length] != '\0')
        return -1;
    sram->one_port = strcmp(ports, "1rw") == 0;
    sram->name = ls_copy(name);
    for (size_t i = 0; i < table->count && sram->figure == NULL; i++) {
        const ls_sram_figure *f = &table->list[i];
        if (f->one_port == sram->one_port && f->bits == sram->bits && f->rows >= sram->rows) sram->figure = f;
    }
    return 0;
}

double ls_sram_area(const ls_sram *s) { return s->figure->area_um2 * s->rows / s->figure->rows; }

/* ---- Liberty ---- */

static unsigned address_bits(unsigned rows) {
    unsigned bits = 1;
    while (1u << bits < rows) bits++;
    return bits;
}

static void add_type(ls_text *out, unsigned width) {
    ls_text_add(out,
                "  type (bus%u) {\n    base_type : array;\n    data_type : bit;\n    bit_width : %u;\n    bit_from : %u;\n"
                "    bit_to : 0;\n  }\n",
                width, width, width - 1);
}

/* An input of `width` bits (0: a pin of its own), with a setup of nothing against `clock` unless that is NULL. */
static void add_input(ls_text *out, const char *name, unsigned width, const char *clock, double capacitance) {
    if (width > 0) ls_text_add(out, "    bus (%s) {\n      bus_type : bus%u;\n", name, width);
    else ls_text_add(out, "    pin (%s) {\n", name);
    ls_text_add(out, "      direction : input;\n      capacitance : %.6g;\n", capacitance);
    for (int hold = 0; hold < 2 && clock != NULL; hold++)
        ls_text_add(out,
                    "      timing () {\n        related_pin : \"%s\";\n        timing_type : %s_rising;\n"
                    "        rise_constraint (scalar) { values (\"0.0\"); }\n"
                    "        fall_constraint (scalar) { values (\"0.0\"); }\n      }\n",
                    clock, hold ? "hold" : "setup");
    ls_text_add(out, "    }\n");
}

static void add_clock(ls_text *out, const char *name, double capacitance) {
    ls_text_add(out, "    pin (%s) {\n      direction : input;\n      clock : true;\n      capacitance : %.6g;\n    }\n", name,
                capacitance);
}

static void add_macro(ls_text *out, const ls_sram *s, double capacitance, double access, double slope) {
    const char *read = s->one_port ? "CLK" : "RCLK", *write = s->one_port ? "CLK" : "WCLK";
    const unsigned address = address_bits(s->rows);
    ls_text_add(out, "  cell (%s) {\n    area : %.1f; /* um2 at %.0f nm: not the library's */\n    dont_touch : true;\n", s->name,
                ls_sram_area(s), s->figure->node_nm);
    add_clock(out, write, capacitance);
    if (!s->one_port) add_clock(out, read, capacitance);
    add_input(out, "RST", 0, NULL, capacitance);
    add_input(out, "RE", 0, read, capacitance);
    add_input(out, "WE", 4, write, capacitance);
    add_input(out, s->one_port ? "A" : "WA", address, write, capacitance);
    if (!s->one_port) add_input(out, "RA", address, read, capacitance);
    add_input(out, "D", s->bits, write, capacitance);
    ls_text_add(
        out,
        "    bus (Q) {\n      bus_type : bus%u;\n      direction : output;\n      timing () {\n        related_pin : \"%s\";\n"
        "        timing_type : rising_edge;\n",
        s->bits, read);
    for (int rise = 0; rise < 2; rise++)
        ls_text_add(out,
                    "        cell_%s (scalar) { values (\"%.6g\"); }\n        %s_transition (scalar) { values (\"%.6g\"); }\n",
                    rise ? "rise" : "fall", access, rise ? "rise" : "fall", slope);
    ls_text_add(out, "      }\n    }\n  }\n");
}

/* "1ns", "10ps": a unit of time in Liberty's words. */
static void put_time_unit(ls_text *out, double seconds) {
    const double ps = seconds * 1e12;
    if (ps >= 999) ls_text_add(out, "%.0fns", ps / 1000);
    else ls_text_add(out, "%.0fps", ps);
}

int ls_sram_write(const char *path, const ls_sram *list, size_t count, const ls_liberty *cells, double fo4) {
    ls_text out = {0};
    const double input = ls_synth_inverter_load(cells);
    ls_text_add(
        &out,
        "/* made by lockstep synth of synth_scripts/sram.table, times scaled to %s (FO4 %.1f ps) */\nlibrary (rf_sram) {\n"
        "  delay_model : table_lookup;\n  time_unit : \"",
        cells->name, fo4 * 1e12);
    put_time_unit(&out, cells->time_unit);
    ls_text_add(&out,
                "\";\n  capacitive_load_unit (%.6g, ff);\n  voltage_unit : \"1V\";\n  current_unit : \"1mA\";\n"
                "  slew_lower_threshold_pct_rise : 20;\n  slew_upper_threshold_pct_rise : 80;\n"
                "  slew_lower_threshold_pct_fall : 20;\n  slew_upper_threshold_pct_fall : 80;\n"
                "  input_threshold_pct_rise : 50;\n  input_threshold_pct_fall : 50;\n"
                "  output_threshold_pct_rise : 50;\n  output_threshold_pct_fall : 50;\n"
                "  pulling_resistance_unit : \"1kohm\";\n  leakage_power_unit : \"1nW\";\n  nom_voltage : %.3g;\n"
                "  nom_process : 1;\n  nom_temperature : 25;\n",
                cells->capacitance_unit * 1e15, cells->voltage);
    unsigned widths[64], known = 0;
    for (size_t i = 0; i < count; i++) {
        const unsigned wanted[] = {4, address_bits(list[i].rows), list[i].bits};
        for (size_t k = 0; k < 3; k++) {
            bool there = false;
            for (unsigned j = 0; j < known; j++) there |= widths[j] == wanted[k];
            if (there || known == 64) continue;
            widths[known++] = wanted[k];
            add_type(&out, wanted[k]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        const ls_sram_figure *f = list[i].figure;
        if (f == NULL) continue;
        add_macro(&out, &list[i], 2 * input / cells->capacitance_unit, f->access_ns * 1000 / f->fo4_ps * fo4 / cells->time_unit,
                  fo4 / cells->time_unit);
    }
    ls_text_add(&out, "}\n");
    const int error = ls_text_write(&out, path);
    free(ls_text_take(&out));
    return error;
}
