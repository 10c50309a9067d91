/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the energy of a netlist: a netlist of three cells whose toggles follow from its stimulus by thought alone gives the
 * energy that a person computes from the library; a netlist that is not the model's gives none, and is named with net and cycle.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/energy/energy.h"
#include "harness/base/text.h"
#include "harness/core/source.h"
#include "tb/harness/text_file.h"

/* 2 V, picofarads, picojoules, nanoseconds. */
static const char library[] =
    "library (three) { time_unit : \"1ns\"; leakage_power_unit : \"1nW\"; default_cell_leakage_power : 1; capacitive_load_unit "
    "(1, pf); nom_voltage : 2;\n"
    " power_lut_template (passive) { variable_1 : input_transition_time; index_1 (\"0.1, 0.3\"); }\n"
    " power_lut_template (active) { variable_1 : total_output_net_capacitance; variable_2 : input_transition_time;\n"
    "   index_1 (\"0, 0.1\"); index_2 (\"0.1, 0.3\"); }\n"
    " cell (XOR) { cell_leakage_power : 1;\n"
    "  pin (A) { direction : input; capacitance : 0.01; } pin (B) { direction : input; capacitance : 0.03; }\n"
    "  pin (Y) { direction : output; function : \"A^B\";\n"
    "   internal_power () { related_pin : \"A\"; power (scalar) { values (\"0.5\"); } }\n"
    "   internal_power () { related_pin : \"B\"; power (scalar) { values (\"0.25\"); } } } }\n"
    " cell (INV) { pin (A) { direction : input; capacitance : 0.05; }\n"
    "  pin (Y) { direction : output; function : \"!A\";\n"
    "   internal_power () { related_pin : \"A\"; rise_power (scalar) { values (\"0.25\"); } fall_power (scalar) { values "
    "(\"0\"); } } } }\n"
    " cell (BUF) { pin (A) { direction : input; capacitance : 0.05; } pin (Y) { direction : output; function : \"A\";\n"
    "   internal_power () { related_pin : \"A\"; power (scalar) { values (\"0.75\"); } } } }\n"
    " cell (AND) { pin (A) { direction : input; } pin (B) { direction : input; } pin (Y) { direction : output; function : \"A "
    "B\"; } }\n"
    " cell (ODD) { pin (A) { direction : input; } pin (Y) { direction : output; } }\n"
    " cell (LAT) { latch (IQ, IQN) { enable : \"E\"; data_in : \"D\"; } pin (D) { direction : input; } pin (E) { direction : "
    "input; }\n"
    "  pin (Q) { direction : output; function : \"IQ\"; } }\n"
    " cell (DFN) { ff (IQ, IQN) { clocked_on : \"!CLK\"; next_state : \"D\"; } pin (CLK) { direction : input; clock : true; }\n"
    "  pin (D) { direction : input; } pin (Q) { direction : output; function : \"IQ\"; } }\n"
    " cell (DFS) { ff (IQ, IQN) { clocked_on : \"CLK\"; next_state : \"D\"; preset : \"!R\"; } pin (CLK) { direction : input; "
    "clock : true; }\n"
    "  pin (D) { direction : input; } pin (R) { direction : input; } pin (Q) { direction : output; function : \"IQ\"; } }\n"
    " cell (DFF) { cell_leakage_power : 2; ff (IQ, IQN) { clocked_on : \"CLK\"; next_state : \"D\"; clear : \"!R\"; }\n"
    "  pin (CLK) { direction : input; clock : true; capacitance : 0.02; internal_power () {\n"
    "   rise_power (passive) { values (\"0.1, 0.3\"); } fall_power (passive) { values (\"0.3, 0.7\"); } } }\n"
    "  pin (D) { direction : input; capacitance : 0.04; internal_power () {\n"
    "   rise_power (passive) { values (\"0.2, 0.2\"); } fall_power (passive) { values (\"0.4, 0.4\"); } } }\n"
    "  pin (R) { direction : input; capacitance : 0.01; }\n"
    "  pin (Q) { direction : output; function : \"IQ\";\n"
    "   internal_power () { related_pin : \"CLK\"; rise_power (active) { values (\"1, 1\", \"2, 2\"); }\n"
    "    fall_power (active) { values (\"0.2, 0.2\", \"0.2, 0.2\"); } }\n"
    "   internal_power () { related_pin : \"R D\"; power (scalar) { values (\"1000\"); } } } }\n"
    "}\n";

/* q_q <= q_q ^ a_i; y_o = !q_q */
static const char netlist[] = "module \\tiny\n"
                              "  wire input 1 \\clk_i\n"
                              "  wire input 2 \\rst_ni\n"
                              "  wire input 3 \\a_i\n"
                              "  wire output 4 \\y_o\n"
                              "  wire \\q_q\n"
                              "  wire $d\n"
                              "  wire $e\n"
                              "  cell \\XOR $x\n    connect \\A \\a_i\n    connect \\B \\q_q\n    connect \\Y $d\n  end\n"
                              "  cell \\DFF $f\n    connect \\CLK \\clk_i\n    connect \\D $d\n    connect \\R \\rst_ni\n"
                              "    connect \\Q \\q_q\n  end\n"
                              "  cell \\INV $i\n    connect \\A \\q_q\n    connect \\Y \\y_o\n  end\n"
                              "end\n";

typedef struct tiny {
    uint32_t q;
} tiny;
typedef struct tiny_io {
    uint32_t bit;
} tiny_io;
typedef struct tiny_stim {
    uint32_t turn;
} tiny_stim;

static bool alternate; /* a_i is 1, 0, 1, 0, …; else always 1 */

static const char *tiny_check(const void *cfg) {
    (void)cfg;
    return NULL;
}
static int tiny_init(void *model, const void *cfg) {
    (void)cfg;
    memset(model, 0, sizeof(tiny));
    return 0;
}
static void tiny_reset(void *model) { ((tiny *)model)->q = 0; }
static void tiny_comb(const void *model, const void *in, void *out) {
    (void)in;
    ((tiny_io *)out)->bit = ((const tiny *)model)->q ^ 1;
}
static void tiny_clock(void *model, const void *in) { ((tiny *)model)->q ^= ((const tiny_io *)in)->bit; }
static void tiny_fields(ls_fields *fields, const void *model) {
    (void)model;
    ls_fields_add(fields,
                  &(ls_field){.name = (char *)(uintptr_t) "a", .text = "", .kind = LS_IN, .bits = 1, .count = 1, .size = 4});
    ls_fields_add(fields,
                  &(ls_field){.name = (char *)(uintptr_t) "y", .text = "", .kind = LS_OUT, .bits = 1, .count = 1, .size = 4});
    ls_fields_add(fields,
                  &(ls_field){.name = (char *)(uintptr_t) "q_q", .text = "", .kind = LS_STATE, .bits = 1, .count = 1, .size = 4});
}
static void tiny_stim_init(void *stim, const void *model, uint64_t seed) {
    (void)model;
    (void)seed;
    ((tiny_stim *)stim)->turn = 0;
}
static void tiny_stim_next(void *stim, const void *model, void *in) {
    (void)model;
    ((tiny_io *)in)->bit = !alternate || (((tiny_stim *)stim)->turn++ & 1) == 0;
}

static const ls_unit unit = {.name = "tiny",
                             .group = "test",
                             .cfg_size = 4,
                             .model_size = sizeof(tiny),
                             .in_size = sizeof(tiny_io),
                             .out_size = sizeof(tiny_io),
                             .stim_size = sizeof(tiny_stim),
                             .check = tiny_check,
                             .init = tiny_init,
                             .reset = tiny_reset,
                             .comb = tiny_comb,
                             .clock = tiny_clock,
                             .fields = tiny_fields,
                             .stim_init = tiny_stim_init,
                             .stim = tiny_stim_next};

static char folder[] = "/tmp/test_energy.XXXXXX";

static char *write_file(const char *name, const char *text) {
    char *path = ls_format("%s/%s", folder, name);
    text_file(path, text);
    return path;
}

/* The text with the first `from` replaced; free() it. */
static char *with(const char *text, const char *from, const char *to) {
    const char *at = strstr(text, from);
    assert_non_null(at);
    return ls_format("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static const char *cells = library; /* in place of which a test may put its own */

static int open_with(ls_mapped *d, const char *gates, char **error) {
    char *net = write_file("gates.il", gates), *lib = write_file("three.lib", cells), *macros = ls_sram_table_path();
    const int status = ls_mapped_open(d, net, "tiny", lib, macros, error);
    free(net);
    free(lib);
    free(macros);
    return status;
}

typedef struct outcome {
    ls_energy energy;
    uint64_t cycles, checked, clock, a, q, d, y, reads, writes;
} outcome;

/* Runs so many counted cycles; energies in picojoules a cycle. */
static outcome run(const char *gates, uint64_t cycles, bool idle) {
    static const uint32_t cfg;
    const ls_energy_request rq = {.unit = &unit, .cfg = &cfg, .seed = 1, .cycles = LS_RESET_CYCLES + 1 + cycles, .idle = idle};
    const ls_energy_point point = {.period = 10e-9, .transition = 0.2e-9};
    ls_mapped d;
    ls_energy_counts counts;
    outcome o = {0};
    char *error;
    if (open_with(&d, gates, &error) != 0) fail_msg("%s", error);
    if (ls_energy_count(&d, &rq, &counts, &error) != LS_ENERGY_OK) fail_msg("%s", error);
    ls_energy_sum(&d, &counts, &point, &o.energy);
    o.cycles = counts.cycles;
    o.checked = counts.checked;
    for (uint32_t c = 0; c < d.cell_count; c++) {
        o.reads += counts.reads[c];
        o.writes += counts.writes[c];
    }
    char **names = ls_mapped_net_names(&d);
    for (uint32_t n = 0; n < d.net_count; n++) {
        if (strcmp(names[n], "clk_i") == 0) o.clock = counts.toggles[n];
        if (strcmp(names[n], "a_i") == 0) o.a = counts.toggles[n];
        if (strcmp(names[n], "q_q") == 0) o.q = counts.toggles[n];
        if (strcmp(names[n], "$d") == 0) o.d = counts.toggles[n];
        if (strcmp(names[n], "y_o") == 0) o.y = counts.toggles[n];
        free(names[n]);
    }
    free(names);
    double owners = 0;
    for (size_t i = 0; i < d.owners.count; i++) owners += o.energy.owner[i];
    const double dynamic = o.energy.clock + o.energy.flops + o.energy.logic + o.energy.switching;
    assert_true(owners <= dynamic * (1 + 1e-9) && owners >= dynamic * (1 - 1e-9));
    ls_energy kept = o.energy;
    ls_energy_free(&kept);
    o.energy.owner = o.energy.net = NULL;
    ls_energy_counts_free(&counts);
    ls_mapped_close(&d);
    return o;
}

static void near(double is, double picojoules) {
    if (is * 1e12 - picojoules > 1e-9 || picojoules - is * 1e12 > 1e-9)
        fail_msg("%.12g pJ where %.12g are expected", is * 1e12, picojoules);
}

/* a_i is 1: q_q, $d and y_o toggle in every cycle. 2 V: 1/2 C V^2 is 2 pJ a pF. Input transitions of 0.2 ns lie in the tables'
 * middle. */
static void energy_as_by_hand(void **state) {
    (void)state;
    alternate = false;
    const outcome o = run(netlist, 400, false);
    assert_int_equal(o.cycles, 400);
    assert_int_equal(o.clock, 800);
    assert_int_equal(o.a, 0);
    assert_int_equal(o.q, 400);
    assert_int_equal(o.d, 400);
    assert_int_equal(o.y, 400);
    near(o.energy.clock, 2 * (0.2 + 0.5) / 2 + 2 * 0.02 * 2); /* inside by its pin; its net: CLK alone */
    near(o.energy.flops,
         (0.2 + 0.4) / 2 + (1.8 + 0.2) / 2);     /* D; Q at a load of 0.03 + 0.05, by the clock alone though D toggles */
    near(o.energy.logic, 0.25 + 0.125);          /* XOR by B, for A stands still; INV */
    near(o.energy.switching, (0.04 + 0.08) * 2); /* $d, q_q; y_o has no load */
    near(o.energy.leakage, 4e-9 * 10e-9 * 1e12); /* XOR, DFF, and INV by the library's default */
    near(o.energy.macros, 0);
    assert_int_equal(o.checked, 2 * (LS_RESET_CYCLES + 1 + 400) - 1); /* q_q in each cycle, y_o in all but the first */
}

/* Each supply gives its part: the mean of its own tables, whatever their number. */
static void supplies_add_up(void **state) {
    (void)state;
    char *two = with(library, "values (\"0\")",
                     "values (\"0\"); } related_pg_pin : \"VDD\"; }\n"
                     "internal_power () { related_pin : \"A\"; related_pg_pin : \"VSS\"; when : \"A\"; power (scalar) { values "
                     "(\"0.5\"); } }\n"
                     "internal_power () { related_pin : \"A\"; related_pg_pin : \"VSS\"; when : \"!A\"; power (scalar) { values "
                     "(\"1.5\"); } }\n"
                     "internal_power () { related_pin : \"Z\"; related_pg_pin : \"VSS\"; fall_power (scalar) { values (\"3\")"),
         *clock = with(two, "values (\"0.3, 0.7\"); } }",
                       "values (\"0.3, 0.7\"); } related_pg_pin : VDD; } internal_power () { related_pg_pin : VSS;\n"
                       " rise_power (passive) { values (\"0, 0\"); } fall_power (passive) { values (\"0, 0\"); } }");
    cells = clock;
    alternate = false;
    const outcome o = run(netlist, 400, false);
    cells = library;
    near(o.energy.clock, 2 * (0.2 + 0.5) / 2 + 2 * 0.02 * 2); /* as without the zeros of VSS */
    near(o.energy.logic, 0.25 + 0.125 + 1.0);
    free(two);
    free(clock);
}

/* A macro with one port that is asked to read and to write at once writes: 4.24 and 11.05 pJ. */
static void a_write_keeps_one_port_from_reading(void **state) {
    (void)state;
    char *one = with(netlist, "  cell \\INV $i\n",
                     "  cell \\rf_sram_1rw_64x128 $s\n    connect \\CLK \\clk_i\n    connect \\RE 1'1\n    connect \\WE \\a_i\n"
                     "    connect \\A 6'000000\n  end\n  cell \\INV $i\n"),
         *two = with(
             netlist, "  cell \\INV $i\n",
             "  cell \\rf_sram_1r1w_64x128 $s\n    connect \\RCLK \\clk_i\n    connect \\WCLK \\clk_i\n    connect \\RE 1'1\n"
             "    connect \\WE \\a_i\n    connect \\RA 6'000000\n    connect \\WA 6'000000\n  end\n  cell \\INV $i\n");
    alternate = true;
    outcome o = run(one, 400, false);
    assert_int_equal(o.writes, 200);
    assert_int_equal(o.reads, 200);
    near(o.energy.macros, (4.24 + 11.05) / 2);
    o = run(two, 400, false);
    assert_int_equal(o.writes, 200);
    assert_int_equal(o.reads, 400);
    near(o.energy.macros, 5.26 + 13.91 / 2);
    free(one);
    free(two);
}

/* a_i alternates: it toggles in every cycle, q_q and $d in every other. */
static void tables_are_weighted_by_their_pins(void **state) {
    (void)state;
    alternate = true;
    const outcome o = run(netlist, 400, false);
    assert_int_equal(o.a, 400);
    assert_int_equal(o.q, 200);
    assert_int_equal(o.d, 200);
    assert_int_equal(o.y, 200);
    near(o.energy.logic, 0.5 * (1 * 0.5 + 0.5 * 0.25) / 1.5 + 0.5 * 0.125);
    near(o.energy.switching, (0.01 + 0.5 * (0.04 + 0.08)) * 2);
}

static void twice_the_cycles_twice_the_energy(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        alternate = k == 1;
        const outcome one = run(netlist, 332, false), two = run(netlist, 664, false);
        assert_int_equal(two.q, 2 * one.q);
        near(two.energy.logic * (double)two.cycles, 2 * one.energy.logic * (double)one.cycles * 1e12);
        near(two.energy.clock * (double)two.cycles, 2 * one.energy.clock * (double)one.cycles * 1e12);
        near(two.energy.switching * (double)two.cycles, 2 * one.energy.switching * (double)one.cycles * 1e12);
        near(two.energy.flops * (double)two.cycles, 2 * one.energy.flops * (double)one.cycles * 1e12);
    }
}

static void idle_takes_the_clock_alone(void **state) {
    (void)state;
    const outcome o = run(netlist, 400, true);
    near(o.energy.clock, 0.78);
    near(o.energy.flops, 0);
    near(o.energy.logic, 0);
    near(o.energy.switching, 0);
}

/* The flip-flop holds the inverse: it has no name of the model, and its states follow from one another. */
static void a_nameless_flip_flop_is_followed(void **state) {
    (void)state;
    char *inverse = with(
        netlist,
        "  cell \\DFF $f\n    connect \\CLK \\clk_i\n    connect \\D $d\n    connect \\R \\rst_ni\n    connect \\Q \\q_q\n  "
        "end\n",
        "  wire $n\n  wire $m\n"
        "  cell \\INV $j\n    connect \\A $d\n    connect \\Y $n\n  end\n"
        "  cell \\DFS $f\n    connect \\CLK \\clk_i\n    connect \\D $n\n    connect \\R \\rst_ni\n    connect \\Q $m\n  end\n"
        "  cell \\INV $k\n    connect \\A $m\n    connect \\Y \\q_q\n  end\n");
    for (int k = 0; k < 2; k++) {
        alternate = k == 1;
        const outcome o = run(inverse, 1000, false);
        assert_int_equal(o.q, k == 1 ? 500 : 1000);
        assert_int_equal(o.d, k == 1 ? 500 : 1000);
    }
    free(inverse);
}

/* Cells that pass the clock on count to it. */
static void a_clock_buffer_is_clock(void **state) {
    (void)state;
    alternate = false;
    char *buffered = with(netlist, "\\CLK \\clk_i", "\\CLK $e"),
         *both = with(buffered, "  cell \\INV $i\n",
                      "  cell \\BUF $b\n    connect \\A \\clk_i\n    connect \\Y $e\n  end\n  cell \\INV $i\n");
    const outcome o = run(both, 100, false);
    near(o.energy.clock, 0.78 + 2 * 0.75 + 2 * 0.05 * 2);
    near(o.energy.logic, 0.375);
    free(buffered);
    free(both);
}

static void another_netlist_gives_nothing(void **state) {
    static const struct {
        const char *from, *to, *says;
    } rows[] = {{"\\XOR $x", "\\AND $x", "flip-flop q_q: the netlist has 0, the model 1 in cycle 3"},
                {"\\INV $i", "\\BUF $i", "output y_o: the netlist has "},
                {"\\DFF $f", "\\DFS $f", "flip-flop q_q: the netlist has 1, the model 0 in cycle 0"}};
    static const uint32_t cfg;
    const ls_energy_request rq = {.unit = &unit, .cfg = &cfg, .seed = 1, .cycles = 300};
    (void)state;
    alternate = false;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ls_mapped d;
        ls_energy_counts counts;
        char *gates = with(netlist, rows[i].from, rows[i].to), *error;
        if (open_with(&d, gates, &error) != 0) fail_msg("%s", error);
        assert_int_equal(ls_energy_count(&d, &rq, &counts, &error), LS_ENERGY_DIFFERS);
        if (strstr(error, rows[i].says) == NULL) fail_msg("%s: %s", rows[i].to, error);
        free(error);
        free(gates);
        ls_mapped_close(&d);
    }
}

/* A register that the reset does not reach stands as it was when reset comes a second time, which the model's does not. */
static void a_register_without_reset_is_found(void **state) {
    (void)state;
    alternate = false;
    char *gated = with(netlist, "connect \\A \\a_i", "connect \\A $e"),
         *and = with(
             gated, "  cell \\DFF $f\n",
             "  cell \\AND $g\n    connect \\A \\a_i\n    connect \\B \\rst_ni\n    connect \\Y $e\n  end\n  cell \\DFF $f\n"),
         *tied = with(and, "connect \\R \\rst_ni", "connect \\R 1'1"), *error;
    static const uint32_t cfg;
    const ls_energy_request rq = {.unit = &unit, .cfg = &cfg, .seed = 1, .cycles = 50000};
    ls_mapped d;
    ls_energy_counts counts;
    if (open_with(&d, and, &error) != 0) fail_msg("%s", error);
    if (ls_energy_count(&d, &rq, &counts, &error) != LS_ENERGY_OK) fail_msg("with its reset: %s", error);
    ls_energy_counts_free(&counts);
    ls_mapped_close(&d);
    if (open_with(&d, tied, &error) != 0) fail_msg("%s", error);
    assert_int_equal(ls_energy_count(&d, &rq, &counts, &error), LS_ENERGY_DIFFERS);
    if (strstr(error, "flip-flop q_q: the netlist has 1, the model 0 in cycle ") == NULL) fail_msg("%s", error);
    free(error);
    ls_mapped_close(&d);
    free(gated);
    free(and);
    free(tied);
}

static void what_cannot_be_measured_is_refused(void **state) {
    static const struct {
        const char *from, *to, *says;
    } rows[] = {
        {"\\XOR $x", "\\XYZ $x", "cell $x: its type XYZ is neither in the library nor in the table of macros"},
        {"connect \\B \\q_q\n", "", "cell $x: pin B of XOR is not connected to one net"},
        {"connect \\B \\q_q\n", "connect \\B \\q_q\n    connect \\Z \\q_q\n", "cell $x: XOR has no pin Z"},
        {"\\B \\q_q", "\\B $d", "cell $x: it is in a loop of gates"},
        {"cell \\DFF $f\n    connect \\CLK \\clk_i\n    connect \\D $d\n    connect \\R \\rst_ni",
         "cell \\LAT $f\n    connect \\E \\clk_i\n    connect \\D $d", "cell $f: its type LAT is a latch"},
        {"cell \\DFF $f\n    connect \\CLK \\clk_i\n    connect \\D $d\n    connect \\R \\rst_ni",
         "cell \\DFN $f\n    connect \\CLK \\clk_i\n    connect \\D $d",
         "cell $f, q_q: its type DFN is not clocked by the rising edge"},
        {"connect \\CLK \\clk_i", "connect \\CLK $d", "cell $f, q_q: cell $x (XOR) makes its clock, and only a buffer"},
        {"connect \\CLK \\clk_i", "connect \\CLK \\y_o",
         "cell $f, q_q: cell $i (INV) makes its clock, so that it takes the falling edge"},
        {"connect \\A \\a_i", "connect \\A \\clk_i", "cell $x: the clock is no clock there"},
        {"module \\tiny", "module \\other", "no module tiny"},
        {"  wire $d\n", "", "no wire $d"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ls_mapped d;
        char *gates = with(netlist, rows[i].from, rows[i].to), *error;
        if (open_with(&d, gates, &error) == 0) fail_msg("'%s' is taken", rows[i].to);
        if (strstr(error, rows[i].says) == NULL) fail_msg("'%s': %s", rows[i].to, error);
        free(error);
        free(gates);
    }
    ls_mapped d;
    ls_energy_counts counts;
    static const uint32_t cfg;
    const ls_energy_request rq = {.unit = &unit, .cfg = &cfg, .seed = 1, .cycles = LS_RESET_CYCLES};
    char *error, *odd = with(netlist, "\\INV $i", "\\ODD $i"), *other = with(netlist, "connect \\A \\a_i", "connect \\A \\b_i"),
                 *input = with(other, "  wire $d\n", "  wire $d\n  wire input 5 \\b_i\n");
    char *gone = with(netlist, "wire output 4 \\y_o", "wire \\y_o"),
         *renamed = with(gone, "wire \\y_o", "wire \\y_o\n  wire output 4 \\z_o"),
         *wide = with(netlist, "wire output 4 \\y_o", "wire width 2 output 4 \\y_o"),
         *narrow = with(wide, "connect \\Y \\y_o", "connect \\Y \\y_o [0]"),
         *turned = with(netlist, "wire input 3 \\a_i", "wire output 3 \\a_i");
    const struct {
        const char *gates, *says;
    } ports[] = {{odd, "ODD has no function of its inputs"},
                 {input, "gates.il: port b_i is not in the field list"},
                 {netlist, "no cycle was counted"},
                 {gone, "gates.il: missing output port: the netlist has no y_o (1 x 1 bit:"},
                 {renamed, "gates.il: port z_o is not in the field list"},
                 {narrow, "gates.il: wrong width: output port y_o has 2 bits, the field list says 1 x 1"},
                 {turned, "gates.il: a_i is not an input port in the netlist"}};
    for (size_t i = 0; i < sizeof ports / sizeof ports[0]; i++) {
        assert_int_equal(open_with(&d, ports[i].gates, &error), 0);
        assert_int_equal(ls_energy_count(&d, &rq, &counts, &error), LS_ENERGY_FAILED);
        if (strstr(error, ports[i].says) == NULL) fail_msg("%s", error);
        free(error);
        ls_mapped_close(&d);
    }
    free(odd);
    free(other);
    free(input);
    free(gone);
    free(renamed);
    free(wide);
    free(narrow);
    free(turned);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_as_by_hand),
        cmocka_unit_test(tables_are_weighted_by_their_pins),
        cmocka_unit_test(twice_the_cycles_twice_the_energy),
        cmocka_unit_test(idle_takes_the_clock_alone),
        cmocka_unit_test(supplies_add_up),
        cmocka_unit_test(a_write_keeps_one_port_from_reading),
        cmocka_unit_test(a_nameless_flip_flop_is_followed),
        cmocka_unit_test(a_clock_buffer_is_clock),
        cmocka_unit_test(another_netlist_gives_nothing),
        cmocka_unit_test(a_register_without_reset_is_found),
        cmocka_unit_test(what_cannot_be_measured_is_refused),
    };
    if (mkdtemp(folder) == NULL) return 2;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ls_remove_tree(folder);
    return failed;
}
