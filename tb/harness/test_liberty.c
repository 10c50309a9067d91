/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the Liberty reader: what a library says is what is read, whatever liberties it takes with its commas; what is wrong is
 * said with its line; and no text, however it is cut off or bent, is more than an error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/base/liberty.h"
#include "harness/base/memory.h"
#include "harness/synth/synth.h"
#include "harness/base/rng.h"
#include "harness/base/text.h"

#define EPSILON 1e-12

/* Numbered by hand: tests name its lines. */
static const char small[] =
    "/* a library\n"                                                                      /* 1 */
    "   of three cells */\n"                                                              /* 2 */
    "library(tiny) {\n"                                                                   /* 3 */
    "  time_unit : \"10ps\"\n"                                                            /* 4: no ';' */
    "  voltage_unit : \"100mV\";\n"                                                       /* 5 */
    "  leakage_power_unit : 1nW;\n"                                                       /* 6 */
    "  capacitive_load_unit (10, ff);\n"                                                  /* 7 */
    "  nom_voltage : 12;\n"                                                               /* 8 */
    "  default_input_pin_cap : 0.5;\n"                                                    /* 9 */
    "  power_lut_template (two) {\n"                                                      /* 10 */
    "    variable_1 : input_transition_time;\n"                                           /* 11 */
    "    variable_2 : total_output_net_capacitance;\n"                                    /* 12 */
    "    index_1 (\"1, 3\"); index_2 (\"10 20 40\");\n"                                   /* 13 */
    "  }\n"                                                                               /* 14 */
    "  power_lut_template (one) { variable_1 : input_transition_time;\n"                  /* 15 */
    "    index_1 (\"1, 3\"); }\n"                                                         /* 16 */
    "  cell (ND2) {\n"                                                                    /* 17 */
    "    area : 3.5; // a comment of C++\n"                                               /* 18 */
    "    cell_leakage_power : 2;\n"                                                       /* 19 */
    "    pin (A, B) { direction : input; rise_capacitance : 1; fall_capacitance : 3; }\n" /* 20 */
    "    pin (Y) { direction : output; function : \"(A B)'\"; max_capacitance : 50;\n"    /* 21 */
    "      timing () { cell_rise (x) { values (\"1\"); } }\n"                             /* 22 */
    "      internal_power () {\n"                                                         /* 23 */
    "        related_pin : \"A\"; when : \"B\";\n"                                        /* 24 */
    "        rise_power (two) { values (\"1, 2, 4\", \\\n"                                /* 25 */
    "           \"3, 4, 6\"); }\n"                                                        /* 26 */
    "        fall_power (two) { index_2 (\"1, 2\"); values (1 2 3 4) }\n"                 /* 27 */
    "      }\n"                                                                           /* 28 */
    "      internal_power () { related_pin : \"B\";\n"                                    /* 29 */
    "        power (scalar) { values (\"0.25\"); } }\n"                                   /* 30 */
    "    }\n"                                                                             /* 31 */
    "  }\n"                                                                               /* 32 */
    "  cell (\"INV\")\n"                                                                  /* 33 */
    "  { area : 1; dont_use : true; leakage_power () { value : 1; } leakage_power () { when : \"A\"; value : 2; }\n" /* 34 */
    "    pin (A) { direction : input; capacitance : 2; }\n"                                                          /* 35 */
    "    pin (Y) { direction : output; function : \"!A\"; } }\n"                                                     /* 36 */
    "  cell (DF) { area : 9; ff (IQ, IQN) { clocked_on : \"CK\"; next_state : \"D\"; }\n"                            /* 37 */
    "    pin (CK) { direction : input;\n"                                                                            /* 38 */
    "      internal_power () { power (one) { values (\"1, 5\"); } } }\n"                                             /* 39 */
    "    pin (D) { direction : input; capacitance : 1; }\n"                                                          /* 40 */
    "    pin (Q) { direction : output; function : \"IQ\"; } }\n"                                                     /* 41 */
    "  cell (RAM) { area : 100; bus (D) { pin (D[0]) { direction : input; } } }\n"                                   /* 42 */
    "}\n";                                                                                                           /* 43 */

static char path[] = "/tmp/test_liberty.XXXXXX";

static int read_text(const char *text, size_t size, ls_liberty *lib, char *error, size_t room) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    error[0] = '\0';
    return ls_liberty_read(path, lib, error, room);
}

static const ls_liberty_pin *pin_of(const ls_liberty *lib, const char *cell, const char *pin) {
    const ls_liberty_cell *c = ls_liberty_find(lib, cell);
    assert_non_null(c);
    const ls_liberty_pin *p = ls_liberty_pin_of(c, pin);
    assert_non_null(p);
    return p;
}

static void near(double is, double should) {
    assert_true(is - should < EPSILON * (1 + should) && should - is < EPSILON * (1 + should));
}

static void a_library_is_read(void **state) {
    ls_liberty lib;
    char error[512];
    (void)state;
    assert_int_equal(read_text(small, sizeof small - 1, &lib, error, sizeof error), 0);
    assert_string_equal(lib.name, "tiny");
    assert_int_equal(lib.cell_count, 4);
    near(lib.time_unit * 1e12, 10);
    near(lib.capacitance_unit * 1e15, 10);
    near(lib.voltage, 1.2);
    near(lib.energy_unit * 1e15, 0.1); /* 10 fF x (0.1 V)^2 */
    assert_true(lib.leakage_unit);
    const ls_liberty_cell *nd2 = ls_liberty_find(&lib, "ND2"), *inv = ls_liberty_find(&lib, "INV"),
                          *df = ls_liberty_find(&lib, "DF");
    near(nd2->area, 3.5);
    near(nd2->leakage * 1e9, 2);
    near(inv->leakage * 1e9, 1.5);
    assert_true(inv->dont_use && !nd2->dont_use && df->flop && !df->latch && !nd2->flop);
    assert_true(ls_liberty_find(&lib, "RAM")->vectors && ls_liberty_find(&lib, "RAM")->pin_count == 0);
    near(pin_of(&lib, "ND2", "B")->capacitance * 1e15, 20); /* mean of rise and fall */
    near(pin_of(&lib, "INV", "A")->capacitance * 1e15, 20);
    near(pin_of(&lib, "DF", "CK")->capacitance * 1e15, 5); /* the library's default */
    near(pin_of(&lib, "ND2", "Y")->max_capacitance * 1e15, 500);
    assert_string_equal(df->clocked_on, "CK");
    assert_string_equal(df->next_state, "D");
    assert_string_equal(df->clear, "");
    assert_string_equal(df->state[1], "IQN");
    assert_string_equal(nd2->clocked_on, "");
    assert_true(pin_of(&lib, "DF", "CK")->clock && !pin_of(&lib, "DF", "D")->clock);
    assert_null(ls_liberty_find(&lib, "nd2"));
    assert_null(ls_liberty_pin_of(nd2, "Z"));
    assert_ptr_equal(ls_liberty_nand2(&lib), nd2);
    assert_null(ls_liberty_inverter(&lib)); /* the only one is not to be used */
    ls_liberty_free(&lib);
}

/* `small` with one part replaced, as a library. */
static void read_changed(const char *from, const char *to, ls_liberty *lib) {
    char error[512];
    const char *at = strstr(small, from);
    assert_non_null(at);
    char *text = ls_format("%.*s%s%s", (int)(at - small), small, to, at + strlen(from));
    if (read_text(text, strlen(text), lib, error, sizeof error) != 0) fail_msg("%s", error);
    free(text);
}

/* Only energy reads tables of power, and those of two outputs' loads not: a template that no table uses is no matter. */
static void a_template_that_nothing_uses(void **state) {
    ls_liberty lib;
    (void)state;
    read_changed("  power_lut_template (one) {",
                 "  power_lut_template (three) { variable_1 : input_transition_time; variable_2 : "
                 "total_output_net_capacitance;\n    variable_3 : equal_or_opposite_output_net_capacitance; }\n"
                 "  power_lut_template (one) {",
                 &lib);
    assert_int_equal(lib.cell_count, 4);
    ls_liberty_free(&lib);
}

/* Of the library's default, which a cell takes that says nothing; of several supplies, which a cell draws from at once. */
static void leakage_of_defaults_and_supplies(void **state) {
    ls_liberty lib;
    (void)state;
    read_changed("nom_voltage : 12;", "nom_voltage : 12; default_cell_leakage_power : 7;", &lib);
    near(ls_liberty_find(&lib, "DF")->leakage * 1e9, 7);
    near(ls_liberty_find(&lib, "ND2")->leakage * 1e9, 2);
    near(ls_liberty_find(&lib, "INV")->leakage * 1e9, 1.5);
    ls_liberty_free(&lib);
    read_changed(
        "leakage_power () { value : 1; } leakage_power () { when : \"A\"; value : 2; }",
        "leakage_power () { related_pg_pin : VDD; value : 1; } leakage_power () { related_pg_pin : \"VSS\"; value : 0.25; }\n"
        "leakage_power () { related_pg_pin : \"VDD\"; when : \"A\"; value : 2; }\n"
        "leakage_power () { related_pg_pin : VSS; when : \"A\"; value : 0.75; }",
        &lib);
    near(ls_liberty_find(&lib, "INV")->leakage * 1e9, 1.5 + 0.5);
    ls_liberty_free(&lib);
}

/* Which supply a table is of. */
static void tables_have_supplies(void **state) {
    ls_liberty lib;
    (void)state;
    read_changed("related_pin : \"B\";\n", "related_pin : \"B\"; related_pg_pin : \"VDD\";\n", &lib);
    const ls_liberty_pin *y = pin_of(&lib, "ND2", "Y");
    assert_string_equal(y->power[0].supply, "");
    assert_string_equal(y->power[1].supply, "VDD");
    ls_liberty_free(&lib);
}

static void tables_are_interpolated(void **state) {
    ls_liberty lib;
    char error[512];
    (void)state;
    assert_int_equal(read_text(small, sizeof small - 1, &lib, error, sizeof error), 0);
    const ls_liberty_pin *y = pin_of(&lib, "ND2", "Y");
    assert_int_equal(y->power_count, 2);
    assert_string_equal(y->power[0].related_pin, "A");
    assert_string_equal(y->power[0].when, "B");
    const ls_liberty_table *rise = &y->power[0].rise, *fall = &y->power[0].fall;
    assert_false(rise->load_first);
    near(ls_liberty_value(rise, 1, 10), 1);
    near(ls_liberty_value(rise, 3, 40), 6);
    near(ls_liberty_value(rise, 2, 15), 2.5);
    near(ls_liberty_value(rise, 1, 30), 3);
    near(ls_liberty_value(rise, 4, 10), 4); /* beyond: along the last segment */
    near(ls_liberty_value(rise, 1, 60), 6);
    near(ls_liberty_value(rise, 0, 10), 0);
    assert_int_equal(fall->count2, 2); /* its own index_2, the template's index_1 */
    near(fall->index1[1], 3);
    near(ls_liberty_value(fall, 3, 1), 3);
    near(ls_liberty_value(&y->power[1].rise, 77, 99), 0.25);
    near(ls_liberty_value(&y->power[1].fall, 0, 0), 0.25);
    near(ls_liberty_value(&pin_of(&lib, "DF", "CK")->power[0].rise, 2, 1234), 3);
    near(ls_liberty_value(&(ls_liberty_table){0}, 1, 1), 0);
    ls_liberty_free(&lib);
}

static void functions_have_truth_tables(void **state) {
    static const char *const names[] = {"A", "B", "C"};
    static const struct {
        const char *function;
        uint64_t table;
    } rows[] = {{"A", 0xaa},
                {"!A", 0x55},
                {"A'", 0x55},
                {"A B", 0x88},
                {"A*B+C", 0xf8},
                {"A+B C", 0xea},
                {"!(A|B)", 0x11},
                {"A^B", 0x66},
                {"A^B C", 0x60},
                {"(A B)' + (C)", 0xf7},
                {"!A'", 0xaa},
                {"1", 0xff},
                {"0", 0},
                {"A & !B", 0x22},
                {"((A B)+(B C))+(C A)", 0xe8},
                {"A!B", 0x22},
                {"(!((A+B) C))", 0x1f},
                {"A (B+C)", 0xa8},
                {"A''", 0xaa}};
    static const char *const wrong[] = {"", "(", "A)", "A +", "+A", "D", "A B D", "!", "A^", "()", "A%B", "(A B", "'"};
    uint64_t table = 0;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_true(ls_liberty_truth(rows[i].function, names, 3, &table));
        if (table != rows[i].table) fail_msg("%s: %llx", rows[i].function, (unsigned long long)table);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        if (ls_liberty_truth(wrong[i], names, 3, &table)) fail_msg("'%s' is taken for a function", wrong[i]);
    assert_true(ls_liberty_truth("1", NULL, 0, &table));
    assert_int_equal(table, 1);
    assert_false(ls_liberty_truth("A", NULL, 0, &table));
    ls_text deep = {0};
    for (unsigned i = 0; i < 100000; i++) ls_text_add(&deep, "(");
    assert_false(ls_liberty_truth(deep.data, names, 3, &table));
    free(deep.data);
}

/* The small library with `from` replaced must be refused with `line` and `what` in the message. */
static void what_is_wrong_is_said(void **state) {
    static const struct {
        const char *from, *to, *where, *what;
    } rows[] = {
        {"\"10ps\"", "\"10 parsecs\"", ":4: time_unit: ", "'10 parsecs'"},
        {"\"10ps\"", "\"1us\"", ":4: time_unit: ", "'1us' where 1ps, 10ps, 100ps or 1ns"},
        {": \"100mV\";", ": ;", ":5: voltage_unit: ", "no value"},
        {"(10, ff)", "(10, oz)", ":7: capacitive_load_unit: ", "pf or ff"},
        {"(10, ff)", "(0, ff)", ":7: capacitive_load_unit: ", "above 0"},
        {"nom_voltage : 12", "nom_voltage : 0x12", ":8: nom_voltage: ", "'0x12'"},
        {"nom_voltage : 12", "nom_voltage : nan", ":8: nom_voltage: ", "'nan'"},
        {"nom_voltage : 12", "nom_voltage 12", ":8: nom_voltage: ", "':' or '('"},
        {": total_output_net_capacitance", ": height", ":25: rise_power: ", "'height'"},
        {": total_output_net_capacitance", ": input_transition_time", ":10: power_lut_template: ", "the same"},
        {"10 20 40", "10 20 20", ":13: index_2: ", "number 3"},
        {"area : 3.5", "area : -3.5", ":18: area: ", "0 or more"},
        {"area : 3.5", "area : 3,5", ":18: area: ", "'3,5'"},
        {"direction : input; rise", "direction : inwards; rise", ":20: direction: ", "'inwards'"},
        {"direction : input; rise", "rise", ":20: pin: ", "no direction"},
        {"pin (A, B)", "pin (A, A)", ":20: pin: ", "twice"},
        {"\"(A B)'\"", "\"(A B'\"", ":21: function: ", "'(A B''"},
        {"rise_power (two)", "rise_power (three)", ":25: rise_power: ", "'three'"},
        {"\"1, 2, 4\"", "\"1, 2\"", ":25: values: ", "5 numbers where 2 x 3"},
        {"\"1, 2, 4\"", "\"1, x, 4\"", ":25: values: ", "'x'"},
        {"\"1, 2, 4\"", "\"1, inf, 4\"", ":25: values: ", "'inf'"},
        {"values (1 2 3 4)", "", ":27: fall_power: ", "no values"},
        {"index_1 (\"1, 3\"); }", "}", ":39: power: ", "no index_1"},
        {"clocked_on : \"CK\";", "", ":37: ff: ", "clocked_on"},
        {"next_state : \"D\"", "next_state : \"(D\"", ":37: next_state: ", "DF"},
        {"cell (\"INV\")", "cell (ND2)", ":33: cell: ", "twice"},
        {"}\n", "}}\n", ":43: ", "'}' too many"},
        {"of three cells */", "of three cells", ":1: ", "comment"},
        {"\"B\";\n        power", "\"B;\n        power", ":41: ", "no end"},
        {"library(tiny)", "bookshop(tiny)", ":1: ", "library (name)"},
        {"  cell (ND2)", "  cell (ND2) @", ":", ""},
        {"  cell (ND2)", "  = cell (ND2)", ":17: ", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ls_liberty lib;
        char error[512];
        const char *at = strstr(small, rows[i].from);
        assert_non_null(at);
        char *text = ls_format("%.*s%s%s", (int)(at - small), small, rows[i].to, at + strlen(rows[i].from));
        if (read_text(text, strlen(text), &lib, error, sizeof error) == 0) fail_msg("'%s' is taken for a library", rows[i].to);
        char *begin = ls_format("%s%s", path, rows[i].where);
        if (strncmp(error, begin, strlen(begin)) != 0 || strstr(error, rows[i].what) == NULL)
            fail_msg("'%s' instead of '%s': %s", rows[i].to, rows[i].from, error);
        free(begin);
        free(text);
    }
}

static void no_text_is_more_than_an_error(void **state) {
    ls_liberty lib;
    char error[512];
    (void)state;
    size_t read = 0;
    for (size_t size = 0; size < sizeof small; size++) { /* every truncation */
        if (read_text(small, size, &lib, error, sizeof error) != 0) {
            assert_non_null(strstr(error, path));
            continue;
        }
        read++;
        ls_liberty_free(&lib);
    }
    assert_int_equal(read, 2); /* whole, with and without the last line end */
    ls_rng rng;
    ls_rng_seed(&rng, 8);
    char bent[sizeof small];
    for (unsigned turn = 0; turn < 1500; turn++) { /* bytes changed, doubled, taken out */
        static const char bytes[] = "(){};:,\"\\/*\n 0-.a!'";
        size_t size = sizeof small - 1;
        memcpy(bent, small, sizeof small);
        for (uint64_t k = 0; k <= turn % 4; k++) {
            const size_t at = (size_t)(ls_rng_u64(&rng) % (size - 1)), to = (size_t)(ls_rng_u64(&rng) % (size - 1));
            if (turn % 3 == 0) bent[at] = bytes[ls_rng_u64(&rng) % (sizeof bytes - 1)];
            else if (turn % 3 == 1) memmove(bent + at, bent + at + 1, --size - at);
            else memmove(bent + at, small + to, (size - (at > to ? at : to)) % 16);
        }
        if (read_text(bent, size, &lib, error, sizeof error) == 0) ls_liberty_free(&lib);
        else assert_int_equal(strncmp(error, path, strlen(path)), 0);
    }
    ls_text deep = {0};
    for (unsigned i = 0; i < 100000; i++) ls_text_add(&deep, "a(){");
    assert_int_equal(read_text(deep.data, deep.size, &lib, error, sizeof error), -1);
    assert_non_null(strstr(error, "nested deeper"));
    free(deep.data);
    assert_int_equal(ls_liberty_read("/nonexistent/x.lib", &lib, error, sizeof error), -1);
    assert_string_equal(error, "/nonexistent/x.lib: No such file or directory");
    assert_int_equal(ls_liberty_read("/tmp", &lib, error, sizeof error), -1);
}

/* The library that synthesis uses when none is named, where it is installed. */
static void the_default_library_is_read(void **state) {
    ls_liberty lib;
    char error[512];
    (void)state;
    if (access(LS_SYNTH_LIBRARY, R_OK) != 0) {
        print_message("%s: not installed (apt-get install qflow-tech-osu018)\n", LS_SYNTH_LIBRARY);
        skip();
    }
    assert_int_equal(ls_liberty_read(LS_SYNTH_LIBRARY, &lib, error, sizeof error), 0);
    assert_int_equal(lib.cell_count, 32);
    near(lib.voltage, 1.8);
    near(lib.energy_unit * 1e12, 1);
    assert_string_equal(ls_liberty_nand2(&lib)->name, "NAND2X1");
    near(ls_liberty_nand2(&lib)->area, 24);
    assert_string_equal(ls_liberty_inverter(&lib)->name, "INVX1");
    near(pin_of(&lib, "AND2X1", "B")->capacitance * 1e15, 12.5298);
    near(ls_liberty_find(&lib, "DFFSR")->leakage * 1e9, 0.27727);
    assert_true(ls_liberty_find(&lib, "DFFSR")->flop && ls_liberty_find(&lib, "LATCH")->latch);
    const ls_liberty_power *inv = &pin_of(&lib, "INVX1", "Y")->power[0];
    assert_true(inv->rise.load_first);
    near(ls_liberty_value(&inv->rise, 0.06, 0.005), 0.023555);
    near(ls_liberty_value(&inv->fall, 1.2, 0.15), 0.020842);
    near(ls_liberty_value(&inv->fall, 0.06, 0.025), 0.008669);
    const ls_liberty_pin *clk = pin_of(&lib, "DFFPOSX1", "CLK");
    assert_true(clk->clock && clk->power_count == 1 && clk->power[0].rise.index2 == NULL && !clk->power[0].rise.load_first);
    ls_liberty_free(&lib);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_library_is_read),
        cmocka_unit_test(tables_are_interpolated),
        cmocka_unit_test(a_template_that_nothing_uses),
        cmocka_unit_test(leakage_of_defaults_and_supplies),
        cmocka_unit_test(tables_have_supplies),
        cmocka_unit_test(functions_have_truth_tables),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(no_text_is_more_than_an_error),
        cmocka_unit_test(the_default_library_is_read),
    };
    const int fd = mkstemp(path);
    if (fd < 0) return 2;
    (void)close(fd);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    (void)unlink(path);
    return failed;
}
