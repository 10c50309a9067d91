/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/core/machine.c: what a machine description says reaches the configuration and the surroundings; what is wrong
 * in one is told with file, line and key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/core/config.h"
#include "harness/core/machine.h"
#include "tb/machine/env/rf_machine.h"

static char folder[] = "/tmp/test_machine.XXXXXX";
static char file[64];

static int make_folder(void **state) {
    (void)state;
    if (mkdtemp(folder) == NULL) return -1;
    (void)snprintf(file, sizeof file, "%s/a.machine", folder);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    ls_remove_tree(folder);
    return 0;
}

static void write_bytes(const void *bytes, size_t size) {
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static void read_machine(ls_machine *m, const char *text) {
    char error[1024] = "";
    write_bytes(text, strlen(text));
    if (ls_machine_read(m, file, error, sizeof error) != 0) fail_msg("%s", error);
}

static void expect_setting(const ls_settings *s, const char *name, const char *value, unsigned line) {
    char place[96];
    const ls_setting *is = ls_settings_find(s, name);
    assert_non_null(is);
    assert_string_equal(is->value, value);
    (void)snprintf(place, sizeof place, "%s:%u", file, line);
    assert_string_equal(is->place, place);
}

/* Reads, and for rf_banked configures: the first error, behind the file's name. */
static void refuse(const char *text, const char *words) {
    char error[1024] = "";
    ls_machine m;
    write_bytes(text, strlen(text));
    int status = ls_machine_read(&m, file, error, sizeof error);
    if (status == 0) {
        const ls_unit *unit = ls_unit_find("rf_banked");
        void *cfg = ls_config_new(unit);
        status = ls_machine_configure(&m, unit, cfg, error, sizeof error);
        free(cfg);
    }
    assert_int_equal(status, -1);
    assert_memory_equal(error, file, strlen(file));
    const char *said = error + strlen(file);
    if (strncmp(said, words, strlen(words)) != 0) fail_msg("\"%s\", not \"%s\"", said, words);
    ls_machine_free(&m);
}

static void lines_become_settings(void **state) {
    ls_machine m;
    (void)state;
    read_machine(&m, "# SPDX-License-Identifier: Apache-2.0\n# A machine\n\n \t\r\nWARPS = 48 # [a] b = c\n\talu.latency=5\r\n"
                     "  sub_cores\t=  1  \n#load.latency = 3\nrf_wir.PREGS = 0x40#\n#");
    assert_int_equal(m.params.count, 2);
    assert_int_equal(m.surroundings.count, 2);
    expect_setting(&m.params, "WARPS", "48", 5);
    expect_setting(&m.surroundings, "alu.latency", "5", 6);
    expect_setting(&m.surroundings, "sub_cores", "1", 7);
    expect_setting(&m.params, "rf_wir.PREGS", "0x40", 9);
    ls_machine_free(&m);
    read_machine(&m, "");
    assert_int_equal(m.params.count + m.surroundings.count, 0);
    ls_machine_free(&m);
    read_machine(&m, "# a = 3\n");
    assert_int_equal(m.params.count + m.surroundings.count, 0);
    char *title = ls_machine_title(file);
    assert_string_equal(title, "a = 3");
    free(title);
    read_machine(&m, "# SPDX-License-Identifier: Apache-2.0\n#\n# Small, and of few warps.\r\n# More.\n");
    title = ls_machine_title(file);
    assert_string_equal(title, "Small, and of few warps.");
    free(title);
}

static uint32_t value_of(const ls_unit *unit, const void *cfg, const char *name) {
    for (size_t i = 0; i < unit->param_count; i++)
        if (strcmp(unit->params[i].name, name) == 0) return ls_config_get(&unit->params[i], cfg);
    fail_msg("no parameter %s", name);
    return 0;
}

static void parameters_reach_the_systems_that_they_are_of(void **state) {
    static const struct {
        const char *unit;
        uint32_t warps, banks;
    } row[] = {{"rf_banked", 12, 8}, {"rf_malekeh", 16, 8}, {"rf_wir", 12, 4}, {"rf_hierarchy", 12, 8}};
    ls_machine m;
    (void)state;
    read_machine(&m, "rf_malekeh.WARPS = 16\nWARPS = 12\nBANKS = 8\nrf_wir.BANKS = 4\nrf_malekeh.INTERVAL = 1000\n"
                     "ISSUES = 2\nrf_hierarchy.ISSUES = 1\n"); /* rf_hierarchy has no 2 */
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char error[1024] = "";
        const ls_unit *unit = ls_unit_find(row[i].unit);
        void *cfg = ls_config_new(unit);
        if (ls_machine_configure(&m, unit, cfg, error, sizeof error) != 0) fail_msg("%s", error);
        assert_int_equal(value_of(unit, cfg, "WARPS"), row[i].warps);
        assert_int_equal(value_of(unit, cfg, "BANKS"), row[i].banks);
        if (i == 1) assert_int_equal(value_of(unit, cfg, "INTERVAL"), 1000);
        free(cfg);
    }
    ls_machine_free(&m);
}

static void what_is_wrong_is_told(void **state) {
    (void)state;
    refuse("\nWARPS\n", ":2: WARPS: expected KEY = VALUE");
    refuse("WARPS 48\n", ":1: WARPS 48: expected KEY = VALUE");
    refuse("WARPS # = 48\n", ":1: WARPS: expected KEY = VALUE");
    refuse("= 48\n", ":1: \"\" is no key");
    refuse("WAR PS = 48\n", ":1: \"WAR PS\" is no key");
    refuse("WARPS =\n", ":1: WARPS: no value");
    refuse("WARPS = # 48\n", ":1: WARPS: no value");
    refuse("WARP = 48\n", ":1: rf_banked has no parameter WARP: did you mean WARPS?");
    refuse("#\nWARPS = 65\n", ":2: parameter WARPS of rf_banked: \"65\" is not a number from 1 to 64");
    refuse("WARPS = 4 8\n", ":1: parameter WARPS of rf_banked: \"4 8\" is not a number");
    refuse("WARPS = 4=8\n", ":1: parameter WARPS of rf_banked: \"4=8\" is not a number");
    refuse("rf_banked.WARPS = many\n", ":1: parameter WARPS of rf_banked: \"many\" is not a number");
    refuse("rf_malekeh.WARPS = 65\n", ":1: parameter WARPS of rf_malekeh: \"65\" is not a number");
    refuse("rf_malekeh.PREGS = 65\n", ":1: rf_malekeh has no parameter PREGS");
    refuse("rf_rr.N = 4\n", ":1: rf_rr.N: rf_rr is no system");
    refuse("rf_nothing.WARPS = 4\n", ":1: rf_nothing.WARPS: rf_nothing is no system");
    refuse(".WARPS = 4\n", ":1: .WARPS:  is no system");
    char words[128];
    (void)snprintf(words, sizeof words, ":3: WARPS is there twice, before at %s:1", file);
    refuse("WARPS = 4\nBANKS = 4\nWARPS = 4\n", words);
    (void)snprintf(words, sizeof words, ":2: alu.latency is there twice, before at %s:1", file);
    refuse("alu.latency = 4\nalu.latency = 5\n", words);
}

static void what_is_no_text_file_is_told(void **state) {
    char error[1024] = "", path[96];
    ls_machine m;
    (void)state;
    write_bytes("WARPS = 4\0\n", 11);
    assert_int_equal(ls_machine_read(&m, file, error, sizeof error), -1);
    assert_non_null(strstr(error, "a.machine: a NUL is in it"));
    assert_int_equal(ls_machine_read(&m, folder, error, sizeof error), -1);
    assert_non_null(strstr(error, ": not a regular file; shipped machines, by name alone: "));
    (void)snprintf(path, sizeof path, "%s/b.machine", folder);
    assert_int_equal(ls_machine_read(&m, path, error, sizeof error), -1);
    assert_non_null(strstr(error, "/b.machine: No such file or directory; shipped machines, by name alone: "));
    assert_int_equal(ls_machine_read(&m, "no_such_machine", error, sizeof error), -1);
    assert_non_null(strstr(error, "no machine no_such_machine; shipped: "));
}

/* Each can be read, says what it is, and every system takes its parameters and its surroundings. */
static void those_that_are_shipped_are_sound(void **state) {
    ls_args names = {0};
    (void)state;
    ls_machine_names(&names);
    for (size_t i = 0; i < names.count; i++) {
        char error[1024] = "", *title = ls_machine_title(names.list[i]);
        ls_machine m;
        if (ls_machine_read(&m, names.list[i], error, sizeof error) != 0) fail_msg("%s", error);
        if (title[0] == '\0') fail_msg("%s: no comment says what it is", names.list[i]);
        for (const ls_unit *const *u = ls_units; *u != NULL; u++) {
            if ((*u)->surround == NULL) continue;
            void *cfg = ls_config_new(*u);
            if (ls_machine_configure(&m, *u, cfg, error, sizeof error) != 0) fail_msg("%s", error);
            if ((*u)->check(cfg) != NULL) fail_msg("%s: %s: %s", names.list[i], (*u)->name, (*u)->check(cfg));
            const int status = (*u)->surround(NULL, &m.surroundings, error, sizeof error);
            const bool alone = (*u)->copies == NULL && strstr(error, ": sub_cores must be 1 here, not ") != NULL;
            if (status != 0 && !alone) fail_msg("%s", error);
            free(cfg);
        }
        ls_machine_free(&m);
        free(title);
    }
    ls_args_free(&names);
}

static void a_setting_is_there_once(void **state) {
    ls_machine m = {0};
    (void)state;
    ls_settings_put(&m.surroundings, "load.latency", "3", "f:1");
    ls_settings_put(&m.surroundings, "alu.latency", "4", "f:2");
    ls_settings_put(&m.surroundings, "load.latency", "5", "--load-latency");
    assert_int_equal(m.surroundings.count, 2);
    assert_string_equal(ls_settings_find(&m.surroundings, "load.latency")->value, "5");
    assert_string_equal(ls_settings_find(&m.surroundings, "load.latency")->place, "--load-latency");
    assert_string_equal(ls_settings_find(&m.surroundings, "alu.latency")->value, "4");
    assert_null(ls_settings_find(&m.surroundings, "alu"));
    ls_machine_free(&m);
    assert_int_equal(m.surroundings.count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_become_settings),
        cmocka_unit_test(parameters_reach_the_systems_that_they_are_of),
        cmocka_unit_test(what_is_wrong_is_told),
        cmocka_unit_test(what_is_no_text_file_is_told),
        cmocka_unit_test(those_that_are_shipped_are_sound),
        cmocka_unit_test(a_setting_is_there_once),
    };
    return cmocka_run_group_tests_name("machine descriptions", tests, make_folder, remove_folder);
}
