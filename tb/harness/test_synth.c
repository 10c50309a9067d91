/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of area and timing as far as they need no tools: tables, parameter sets, gates, SRAM figures. What Yosys and OpenSTA make
 * of RTL is tb/tests/synth_tests.sh's. */
#include <math.h>
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
#include "harness/base/hash.h"
#include "harness/synth/synth_gates.h"
#include "harness/synth/synth_table.h"
#include "harness/synth/synth_sram.h"
#include "tb/harness/text_file.h"

static char path[] = "/tmp/test_synth_XXXXXX";

static int make_file(void **state) {
    (void)state;
    const int fd = mkstemp(path);
    if (fd < 0) return -1;
    return close(fd);
}

static int remove_file(void **state) {
    (void)state;
    return unlink(path);
}

static void write_file(const char *text) { text_file(path, text); }

static bool contains(const char *text, const char *part) { return strstr(text, part) != NULL; }

/* Demands that the message is PATH:LINE: FIELD: and these words. */
static void demand(const char *error, unsigned line, const char *field, const char *what) {
    char *head = ls_format("%s:%u: %s: ", path, line, field);
    if (strncmp(error, head, strlen(head)) != 0 || !contains(error, what))
        fail_msg("\"%s\" is not \"%s… %s …\"", error, head, what);
    free(head);
}

static void rows_of_words(void **state) {
    static const char *const fields[] = {"name", "number", "text", NULL};
    ls_table t;
    char error[300];
    double n;
    (void)state;
    write_file("# nothing\n\n  a 1.5 some words # and a comment\n\tb\t2\n");
    assert_int_equal(ls_table_read(path, fields, &t, error, sizeof error), 0);
    assert_int_equal(t.count, 2);
    assert_int_equal(t.rows[0].line, 3);
    assert_string_equal(t.rows[0].word[2], "some words");
    assert_string_equal(t.rows[1].word[0], "b");
    assert_string_equal(t.rows[1].word[2], "");
    assert_int_equal(ls_table_number(&t, &t.rows[0], 1, 0, 2, &n, error, sizeof error), 0);
    assert_true(n == 1.5);
    assert_int_equal(ls_table_number(&t, &t.rows[1], 1, 0, 1.9, &n, error, sizeof error), -1);
    demand(error, 4, "number", "\"2\"; expected a number from 0 to 1.9");
    assert_int_equal(ls_table_number(&t, &t.rows[1], 0, 0, 1, &n, error, sizeof error), -1);
    demand(error, 4, "name", "\"b\"");
    ls_table_free(&t);
    write_file("a 1\nb\n");
    assert_int_equal(ls_table_read(path, fields, &t, error, sizeof error), -1);
    demand(error, 2, "number", "missing");
    assert_int_equal(ls_table_read("/nowhere/table", fields, &t, error, sizeof error), -1);
    assert_true(contains(error, "/nowhere/table: No such file"));
}

/* The unit of the list that has parameters, and its first parameter: this test knows no unit by name. */
static const ls_unit *some_unit(void) {
    const ls_unit *const *u = ls_units;
    while ((*u)->param_count == 0) u++;
    return *u;
}

static void every_unit_has_a_set(void **state) {
    const ls_unit *unit = some_unit();
    const ls_param *p = &unit->params[0];
    char error[700], *text = ls_format("%s %s=%u\n%s\n", unit->name, p->name, p->min, unit->name);
    ls_synth_sets sets;
    (void)state;
    write_file(text);
    assert_int_equal(ls_synth_sets_read(path, &sets, error, sizeof error), 0);
    assert_ptr_equal(sets.list[0].unit, unit);
    assert_int_equal(*(const uint32_t *)((const char *)sets.list[0].cfg + p->offset), p->min);
    assert_string_equal(sets.list[1].params, "");
    size_t units = 0;
    for (const ls_unit *const *u = ls_units; *u != NULL; u++, units++) {
        size_t named = 0;
        for (size_t i = 0; i < sets.count; i++) named += sets.list[i].unit == *u;
        assert_int_equal(named, *u == unit ? 2 : 1);
    }
    assert_int_equal(sets.count, units + 1);
    ls_synth_sets_free(&sets);
    free(text);
}

static void bad_sets_are_refused(void **state) {
    const ls_unit *unit = some_unit();
    const struct {
        char *text;
        unsigned line;
        const char *field, *what;
    } bad[] = {{ls_copy("\nrf_nobody A=1\n"), 2, "unit", "no unit rf_nobody"},
               {ls_format("%s NOTHING=1\n", unit->name), 1, "parameters", "NOTHING"},
               {ls_format("%s %s=%u\n", unit->name, unit->params[0].name, unit->params[0].max + 1), 1, "parameters",
                unit->params[0].name},
               {ls_format("%s\n%s\n", unit->name, unit->name), 2, "parameters", "there already"}};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char error[700];
        ls_synth_sets sets;
        write_file(bad[i].text);
        assert_int_equal(ls_synth_sets_read(path, &sets, error, sizeof error), -1);
        demand(error, bad[i].line, bad[i].field, bad[i].what);
        free(bad[i].text);
    }
}

static void gates_have_two_sides(void **state) {
    const ls_synth_gate gate = {.kge = {3.9, 4.1}, .fo4 = {25, 28}};
    ls_text text = {0};
    (void)state;
    assert_int_equal(ls_synth_gates_check(&gate, 3.9, 28, &text), 0);
    assert_int_equal(ls_synth_gates_check(&gate, 4.1, 25, &text), 0);
    assert_int_equal(ls_synth_gates_check(&gate, 4.0, -1, &text), 0); /* no timing */
    assert_int_equal(text.size, 0);
    assert_int_equal(ls_synth_gates_check(&gate, 4.51, 26, &text), 1);
    assert_string_equal(text.data, "kGE 4.510 is 0.410 (10.0 %) above 3.900 to 4.100\n");
    free(ls_text_take(&text));
    assert_int_equal(ls_synth_gates_check(&gate, 3.51, 20, &text), 2);
    assert_string_equal(text.data,
                        "kGE 3.510 is 0.390 (10.0 %) below 3.900 to 4.100\nFO4 20.0 is 5.0 (20.0 %) below 25.0 to 28.0\n");
    free(ls_text_take(&text));
    assert_int_equal(ls_synth_gates_check(&gate, 4.0, 30.8, &text), 1);
    assert_string_equal(text.data, "FO4 30.8 is 2.8 (10.0 %) above 25.0 to 28.0\n");
    free(ls_text_take(&text));
    /* Bounds are those of the file, rounded there: half of its last digit more is within, what rounds to the next is not. */
    assert_int_equal(ls_synth_gates_check(&gate, 4.1004, 28.04, &text), 0);
    assert_int_equal(ls_synth_gates_check(&gate, 3.8996, 24.96, &text), 0);
    assert_int_equal(ls_synth_gates_check(&gate, 4.1006, 28.06, &text), 2);
    assert_int_equal(ls_synth_gates_check(&gate, 3.8994, 24.94, &text), 2);
    free(ls_text_take(&text));
}

static void gates_come_back_as_written(void **state) {
    char error[300];
    ls_synth_gates made = {.tools = ls_copy("Yosys 1; OpenSTA 2; lib")}, read;
    ls_text text = {0};
    (void)state;
    ls_synth_gates_add(&made, "rf_a", "", 5.0, 20.04);
    ls_synth_gates_add(&made, "rf_a", "N=3 M=4", 0.1234, 0);
    assert_int_equal(ls_synth_gates_write(path, &made), 0);
    assert_int_equal(ls_synth_gates_read(path, &read, error, sizeof error), 0);
    assert_string_equal(read.tools, made.tools);
    assert_int_equal(read.count, 2);
    assert_null(ls_synth_gates_find(&read, "rf_a", "N=3"));
    assert_null(ls_synth_gates_find(&read, "rf_b", ""));
    const ls_synth_gate *all = ls_synth_gates_find(&read, "rf_a", ""), *other = ls_synth_gates_find(&read, "rf_a", "N=3 M=4");
    assert_non_null(all);
    assert_non_null(other);
    /* What was accepted is inside, and so is the flow's noise; 3 % and 2 FO4 are outside. */
    assert_int_equal(ls_synth_gates_check(all, 5.0, 20.04, &text), 0);
    assert_int_equal(ls_synth_gates_check(all, 5.09, 21.5, &text), 0);
    assert_int_equal(ls_synth_gates_check(all, 4.91, 18.6, &text), 0);
    assert_int_equal(ls_synth_gates_check(all, 5.15, 22.1, &text), 2);
    assert_int_equal(ls_synth_gates_check(all, 4.85, 18.0, &text), 2);
    assert_int_equal(ls_synth_gates_check(other, 0.1234, 0, &text), 0);
    assert_int_equal(ls_synth_gates_check(other, 0.1258, 0, &text), 0);
    assert_int_equal(ls_synth_gates_check(other, 0.1210, 0, &text), 0);
    assert_int_equal(ls_synth_gates_check(other, 0.1270, 0, &text), 1);
    assert_int_equal(ls_synth_gates_check(other, 0.1161, 0, &text), 1); /* a flip-flop less */
    ls_synth_gates_add(&made, "rf_b", "", 0.05, 0);
    assert_int_equal(ls_synth_gates_check(ls_synth_gates_find(&made, "rf_b", ""), 0.0520, 0, &text), 0); /* two gates are noise */
    assert_int_equal(ls_synth_gates_check(ls_synth_gates_find(&made, "rf_b", ""), 0.0527, 0, &text), 1);
    free(ls_text_take(&text));
    ls_synth_gates_free(&made);
    ls_synth_gates_free(&read);
    assert_int_equal(ls_synth_gates_read("/nowhere/gates", &read, error, sizeof error), 0); /* nobody has accepted any */
    assert_int_equal(read.count, 0);
    ls_synth_gates_free(&read);
}

static void bad_gates_are_refused(void **state) {
    static const struct {
        const char *text;
        unsigned line;
        const char *field, *what;
    } bad[] = {{"tools - - - - x\nrf_a 1 x 2 3 -\n", 2, "kge_high", "\"x\""},
               {"tools - - - - x\nrf_a 1 2 3 -1 -\n", 2, "fo4_high", "\"-1\""},
               {"tools - - - - x\nrf_a 2 1 2 3 -\n", 2, "kge_high", "below kge_low"},
               {"tools - - - - x\nrf_a 1 2 3 2 -\n", 2, "fo4_high", "below fo4_low"},
               {"tools - - - - x\nrf_a 1 2 3 4\n", 2, "parameters", "missing"},
               {"tools - - - - x\nrf_a 1 2\n", 2, "fo4_low", "missing"},
               {"tools - - - - x\nrf_a 1 2 3 4 A=1\n\nrf_a 1 2 3 4 A=1\n", 4, "unit", "already"},
               {"tools - - - - x\ntools - - - - y\n", 2, "unit", "second"},
               {"rf_a 1 2 3 4 -\n", 1, "unit", "tools"}};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char error[300];
        ls_synth_gates gates;
        write_file(bad[i].text);
        assert_int_equal(ls_synth_gates_read(path, &gates, error, sizeof error), -1);
        demand(error, bad[i].line, bad[i].field, bad[i].what);
    }
}

static void macros_find_their_figures(void **state) {
    char error[300];
    ls_sram_table t;
    ls_sram s;
    (void)state;
    write_file(
        "1r1w 128 128 45 20 0.2 5 13 10000 small\n1r1w 256 128 45 20 0.3 6 14 30000 large\n1rw 256 128 32 16 0.1 3 4 9000 one "
        "port\n");
    assert_int_equal(ls_sram_table_read(path, &t, error, sizeof error), 0);
    assert_int_equal(ls_sram_find(&t, "rf_sram_1r1w_128x128", 3, &s), 0);
    assert_ptr_equal(s.figure, &t.list[0]);
    assert_int_equal(s.count, 3);
    free(s.name);
    assert_int_equal(ls_sram_find(&t, "rf_sram_1r1w_64x128", 1, &s), 0);
    assert_ptr_equal(s.figure, &t.list[0]);            /* the first that is large enough */
    assert_true(fabs(ls_sram_area(&s) - 5000) < 1e-9); /* by bits */
    free(s.name);
    assert_int_equal(ls_sram_find(&t, "rf_sram_1rw_64x128", 1, &s), 0);
    assert_ptr_equal(s.figure, &t.list[2]);
    assert_true(s.one_port);
    free(s.name);
    assert_int_equal(ls_sram_find(&t, "rf_sram_1rw_512x128", 1, &s), 0);
    assert_null(s.figure);
    free(s.name);
    assert_int_equal(ls_sram_find(&t, "rf_sram_1rw_64x128y", 1, &s), -1);
    assert_int_equal(ls_sram_find(&t, "NAND2X1", 1, &s), -1);
    ls_sram_table_free(&t);
}

static void bad_sram_tables_are_refused(void **state) {
    static const struct {
        const char *text;
        unsigned line;
        const char *field, *what;
    } bad[] = {{"2rw 256 128 45 20 0.3 5 13 30000 x\n", 1, "ports", "expected 1rw or 1r1w"},
               {"#\n1rw 0 128 45 20 0.3 5 13 30000 x\n", 2, "rows", "\"0\""},
               {"1rw 256 128 45 20 fast 5 13 30000 x\n", 1, "access_ns", "\"fast\""},
               {"1rw 256 128 45 20 0.3 5 13 30000\n", 1, "source", "missing"},
               {"1rw 256 128 45 20 0.3 5 13\n", 1, "area_um2", "missing"},
               {"1rw 256 128 45 20 0.3 5 13 30000 x\n1rw 256 128 32 20 0.3 5 13 30000 x\n1rw 256 128 45 20 0.4 5 13 30000 y\n", 3,
                "ports", "this macro, of this node, is there already"}};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char error[300];
        ls_sram_table t;
        write_file(bad[i].text);
        assert_int_equal(ls_sram_table_read(path, &t, error, sizeof error), -1);
        demand(error, bad[i].line, bad[i].field, bad[i].what);
    }
}

static void macros_take_the_time_of_the_table(void **state) {
    static const char cells_text[] = "library (cells) {\n  time_unit : \"10ps\";\n  capacitive_load_unit (10,ff);\n"
                                     "  cell (INV) {\n    area : 1;\n    pin (A) { direction : input; capacitance : 0.5; }\n"
                                     "    pin (Y) { direction : output; function : \"(!A)\"; }\n  }\n}\n";
    char error[300], *libraries = ls_format("%s.lib", path), *macros = ls_format("%s.macros", path);
    ls_sram_figure figure = {.rows = 128, .bits = 128, .fo4_ps = 20, .access_ns = 0.3, .area_um2 = 10000};
    const ls_sram one = {.name = error, .count = 1, .rows = 64, .bits = 128, .figure = &figure};
    ls_liberty cells;
    ls_text text = {0};
    (void)state;
    text_file(libraries, cells_text);
    if (ls_liberty_read(libraries, &cells, error, sizeof error) != 0) fail_msg("%s", error);
    (void)snprintf(error, sizeof error, "rf_sram_1r1w_64x128");
    assert_int_equal(ls_sram_write(macros, &one, 1, &cells, 80e-12), 0);
    assert_int_equal(ls_text_read(&text, macros), 0);
    /* 0.3 ns are 15 FO4 of 20 ps; of 80 ps they are 1.2 ns, 120 of the unit; slopes are one FO4, 8; loads are two inverters', 1.
     */
    assert_true(contains(text.data, "cell_rise (scalar) { values (\"120\"); }"));
    assert_true(contains(text.data, "cell_fall (scalar) { values (\"120\"); }"));
    assert_true(contains(text.data, "rise_transition (scalar) { values (\"8\"); }"));
    assert_true(contains(text.data, "pin (RE) {\n      direction : input;\n      capacitance : 1;\n"));
    assert_true(contains(text.data, "time_unit : \"10ps\";\n  capacitive_load_unit (10, ff);"));
    assert_true(contains(text.data, "area : 5000.0;"));
    ls_liberty_free(&cells);
    free(ls_text_take(&text));
    assert_int_equal(unlink(libraries), 0);
    assert_int_equal(unlink(macros), 0);
    free(libraries);
    free(macros);
}

/* A file beside `path`, whose name has `ending` behind it. */
static void put_beside(const char *ending, const char *contents) {
    char *name = ls_format("%s%s", path, ending);
    text_file(name, contents);
    free(name);
}

/* The key of `path` and all it names. */
static char *key_of_sources(void) {
    ls_hash h = ls_hash_begin();
    assert_true(ls_hash_source(&h, path));
    return ls_hash_end(&h);
}

/* Puts a file and tells whether the key of `path` is another. */
static bool moves_the_key(const char *ending, const char *contents) {
    char *before = key_of_sources();
    put_beside(ending, contents);
    char *after = key_of_sources();
    const bool moves = strcmp(before, after) != 0;
    free(before);
    free(after);
    return moves;
}

static void keys_have_what_sources_read(void **state) {
    const char *name = strrchr(path, '/') + 1;
    char *top = ls_format("module m;\n`include \"%s.svh\"\ninitial $readmemh(\"%s.hex\", r);\n// a \" alone\nendmodule\n", name,
                          path),
         *piece = ls_format("`define NEXT \"%s.deep\"\n`include `NEXT\n`include \"%s.svh\"\n", name, name);
    (void)state;
    write_file(top);
    put_beside(".svh", piece); /* which includes itself, too: that comes to an end */
    put_beside(".deep", "wire a;\n");
    put_beside(".hex", "00\n");
    put_beside(".other", "wire a;\n");
    assert_false(moves_the_key(".other", "wire b;\n")); /* nobody names it */
    assert_false(moves_the_key(".deep", "wire a;\n"));  /* as it was */
    assert_true(moves_the_key(".svh", "wire a;\n"));
    assert_true(moves_the_key(".svh", piece));
    assert_true(moves_the_key(".deep", "wire b;\n"));
    assert_true(moves_the_key(".hex", "01\n"));
    static const char *const endings[] = {".svh", ".deep", ".hex", ".other"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        char *file = ls_format("%s%s", path, endings[i]);
        assert_int_equal(unlink(file), 0);
        free(file);
    }
    free(top);
    free(piece);
}

static void keys_have_all_sources_of_a_folder(void **state) {
    char folder[] = "/tmp/test_synth_XXXXXX", *keys[5];
    (void)state;
    assert_non_null(mkdtemp(folder));
    char *module = ls_format("%s/m.sv", folder), *note = ls_format("%s/m.txt", folder), *other = ls_format("%s/n.v", folder);
    const char *const file[] = {module, note, module, other, other}, *const contents[] = {"a", "a", "b", "a", NULL};
    for (size_t i = 0; i < 5; i++) {
        ls_text text = {0};
        ls_hash h = ls_hash_begin();
        if (contents[i] == NULL) assert_int_equal(unlink(file[i]), 0);
        else ls_text_add(&text, "%s", contents[i]);
        if (contents[i] != NULL) assert_int_equal(ls_text_write(&text, file[i]), 0);
        free(ls_text_take(&text));
        ls_hash_sources(&h, folder);
        keys[i] = ls_hash_end(&h);
    }
    assert_string_equal(keys[0], keys[1]); /* no source */
    assert_string_not_equal(keys[1], keys[2]);
    assert_string_not_equal(keys[2], keys[3]);
    assert_string_equal(keys[2], keys[4]);
    for (size_t i = 0; i < 5; i++) free(keys[i]);
    ls_remove_tree(folder);
    free(module);
    free(note);
    free(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_of_words),
                                       cmocka_unit_test(every_unit_has_a_set),
                                       cmocka_unit_test(bad_sets_are_refused),
                                       cmocka_unit_test(gates_have_two_sides),
                                       cmocka_unit_test(gates_come_back_as_written),
                                       cmocka_unit_test(bad_gates_are_refused),
                                       cmocka_unit_test(macros_find_their_figures),
                                       cmocka_unit_test(bad_sram_tables_are_refused),
                                       cmocka_unit_test(macros_take_the_time_of_the_table),
                                       cmocka_unit_test(keys_have_what_sources_read),
                                       cmocka_unit_test(keys_have_all_sources_of_a_folder)};
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
