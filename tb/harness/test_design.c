/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/core/design.c and harness/core/field.c: a field list that lacks a line, or says it wrongly, never passes for
 * complete.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/core/config.h"
#include "harness/base/folder.h"
#include "harness/base/memory.h"
#include "harness/base/root.h"
#include "harness/core/plan.h"
#include "harness/core/design.h"

/* A unit's field list and what Verilator's front end says of its RTL. */
typedef struct pair {
    ls_fields fields;
    ls_elab elab;
} pair;

static pair open_pair(const char *name, const char *set) {
    const ls_unit *unit = ls_unit_find(name);
    char error[256], *text = NULL;
    pair p = {0};
    assert_non_null(unit);
    void *cfg = ls_config_new(unit), *model = ls_zeroed(unit->model_size);
    assert_int_equal(ls_config_set_all(unit, cfg, set, error, sizeof error), 0);
    assert_int_equal(unit->init(model, cfg), 0);
    ls_unit_fields(unit, &p.fields, model);
    ls_args files = {0}, values = {0};
    ls_rtl_param params[16];
    ls_design_files(unit, &files);
    for (size_t i = 0; i < unit->param_count; i++) {
        ls_args_add(&values, "%u", ls_config_get(&unit->params[i], cfg));
        params[i] = (ls_rtl_param){unit->params[i].name, values.list[i]};
    }
    const ls_rtl rtl = {.top = unit->name,
                        .files = (const char *const *)files.list,
                        .file_count = files.count,
                        .params = params,
                        .param_count = unit->param_count,
                        .timeout_ms = 120000};
    if (ls_elab_run(&rtl, getenv("VERILATOR"), NULL, &p.elab, &text) != LS_ELAB_OK) fail_msg("%s", text);
    free(text);
    ls_args_free(&files);
    ls_args_free(&values);
    free(cfg);
    free(model);
    return p;
}

static void close_pair(pair *p) {
    ls_fields_free(&p->fields);
    ls_elab_free(&p->elab);
}

/* How many problems there are; their text in `*text`, to be freed. */
static size_t problems(const ls_fields *fields, const ls_elab *elab, bool ports_only, char **text) {
    ls_text all = {0};
    const size_t n = ls_design_check(fields, elab, ports_only, &all);
    *text = ls_text_take(&all);
    size_t lines = 0;
    for (const char *c = *text; *c != '\0'; c++) lines += *c == '\n';
    assert_int_equal(lines, n);
    return n;
}

static void assert_says(const char *text, const char *name, const char *words) {
    if (strstr(text, name) == NULL || strstr(text, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\" and \"%s\"", text, name, words);
}

/* Every line taken away in turn: exactly one problem, which names it. */
static void check_every_line(const char *unit, const char *set, size_t at_least) {
    pair p = open_pair(unit, set);
    char *text;
    if (problems(&p.fields, &p.elab, false, &text) != 0) fail_msg("%s %s: %s", unit, set, text);
    free(text);
    assert_true(p.fields.count >= at_least);
    for (size_t i = 0; i < p.fields.count; i++) {
        ls_field *list = calloc(p.fields.count, sizeof *list);
        char name[256];
        assert_non_null(list);
        for (size_t k = 0, n = 0; k < p.fields.count; k++)
            if (k != i) list[n++] = p.fields.list[k];
        const ls_fields without = {.list = list, .count = p.fields.count - 1};
        const ls_field *gone = &p.fields.list[i];
        assert_int_equal(problems(&without, &p.elab, false, &text), 1);
        assert_says(text, ls_rtl_name(gone, name, sizeof name), "is not in the field list");
        assert_says(text, ".sv:", gone->kind == LS_IN || gone->kind == LS_OUT ? "port" : "nothing would compare it");
        free(text);
        free(list);
    }
    close_pair(&p);
}

static void a_line_taken_away_is_missed_in_a_small_unit(void **state) {
    (void)state;
    check_every_line("rf_rr", "", 5);
    check_every_line("rf_rr", "N=64", 5);
    check_every_line("rf_fifo_ctrl", "DEPTH=5", 9);
}

static void a_line_taken_away_is_missed_in_a_unit_with_arrays(void **state) {
    (void)state;
    check_every_line("rf_ocu", "", 30);
    check_every_line("rf_bank", "", 9);
}

static void a_line_taken_away_is_missed_in_a_system(void **state) {
    (void)state;
    check_every_line("rf_banked", "WARPS=4 COLLECTORS=2 BANKS=2 REGS=8 LANES=2 EXPORTS=2", 60);
}

/* Every width changed in turn, and a line for nothing. */
static void a_wrong_line_is_refused(void **state) {
    pair p = open_pair("rf_ocu", "");
    char *text;
    (void)state;
    for (size_t i = 0; i < p.fields.count; i++) {
        ls_field *f = &p.fields.list[i];
        char name[256];
        for (int what = 0; what < 3; what++) {
            const ls_field before = *f;
            if (what == 0) f->bits++;
            else if (what == 1) f->count++;
            else f->bits *= 2;
            assert_int_equal(problems(&p.fields, &p.elab, false, &text), 1);
            assert_says(text, ls_rtl_name(f, name, sizeof name), "wrong width");
            free(text);
            *f = before;
        }
        char *real = f->name;
        f->name = (char *)(uintptr_t) "nothing";
        assert_int_equal(problems(&p.fields, &p.elab, false, &text), 2); /* one is missing in the RTL, one in the list */
        assert_says(text, "missing", "nothing");
        free(text);
        f->name = real;
        if (f->kind != LS_IN && f->kind != LS_OUT) continue;
        f->kind = f->kind == LS_IN ? LS_OUT : LS_IN;
        assert_true(problems(&p.fields, &p.elab, false, &text) >= 1);
        free(text);
        f->kind = f->kind == LS_IN ? LS_OUT : LS_IN;
    }
    close_pair(&p);
}

static void ports_only_demands_the_ports_and_nothing_else(void **state) {
    pair p = open_pair("rf_ocu", "");
    size_t ports = 0;
    char *text;
    (void)state;
    while (ports < p.fields.count && (p.fields.list[ports].kind == LS_IN || p.fields.list[ports].kind == LS_OUT)) ports++;
    const ls_fields none = {.list = p.fields.list, .count = ports};
    assert_true(ports < p.fields.count);
    assert_int_equal(problems(&none, &p.elab, true, &text), 0);
    free(text);
    assert_int_equal(problems(&none, &p.elab, false, &text), p.fields.count - ports);
    free(text);
    const ls_fields fewer = {.list = p.fields.list + 1, .count = ports - 1};
    assert_int_equal(problems(&fewer, &p.elab, true, &text), 1);
    free(text);
    close_pair(&p);
}

/* field.c ----------------------------------------------------------------------------------------------------------------------
 */

static void list_inner(ls_fields *fields, const void *model) {
    (void)model;
    ls_fields_add(fields, &(ls_field){.name = (char *)(uintptr_t) "go", .kind = LS_IN, .bits = 1, .count = 1, .size = 1});
    ls_fields_add(
        fields, &(ls_field){.name = (char *)(uintptr_t) "a_q", .kind = LS_STATE, .bits = 3, .count = 2, .offset = 4, .size = 1});
    ls_fields_add(
        fields, &(ls_field){.name = (char *)(uintptr_t) "m_q", .kind = LS_MEMORY, .bits = 8, .count = 4, .offset = 8, .size = 1});
    ls_fields_constant(fields, LS_IN, "go", true, "a wire of the system");
    ls_fields_constant(fields, LS_STATE, "a_q", true, "inner");
}

static void list_middle(ls_fields *fields, const void *model) {
    ls_fields_add(
        fields, &(ls_field){.name = (char *)(uintptr_t) "a_q", .kind = LS_STATE, .bits = 1, .count = 1, .offset = 1, .size = 1});
    ls_fields_unit(fields, list_inner, model, 100, "g[1].u_in", "in[1]");
    ls_fields_constant(fields, LS_STATE, "m_q", false, "never");
}

static void units_in_units_have_their_scope_and_place(void **state) {
    ls_fields f = {0};
    (void)state;
    ls_fields_add(&f,
                  &(ls_field){.name = (char *)(uintptr_t) "a_q", .kind = LS_IN, .bits = 1, .count = 1, .offset = 7, .size = 1});
    ls_fields_unit(&f, list_middle, NULL, 1000, "u_mid", "mid");
    ls_fields_constant(&f, LS_IN, "a_q", true, "outer");
    const struct {
        const char *name, *path;
        size_t offset;
        const char *constant;
    } expected[] = {{"a_q", "a_q", 7, "outer"},
                    {"u_mid.a_q", "mid.a_q", 1001, NULL},
                    {"u_mid.g[1].u_in.a_q", "mid.in[1].a_q", 1104, "inner"},
                    {"u_mid.g[1].u_in.m_q", "mid.in[1].m_q", 1108, NULL}};
    assert_int_equal(f.count, 4); /* the ports of inner units are wires */
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(f.list[i].name, expected[i].name);
        assert_string_equal(f.list[i].path, expected[i].path);
        assert_int_equal(f.list[i].offset, expected[i].offset);
        if (expected[i].constant == NULL) assert_null(f.list[i].constant);
        else assert_string_equal(f.list[i].constant, expected[i].constant);
    }
    assert_null(f.scope);
    assert_int_equal(f.base, 0);
    ls_fields_free(&f);
}

/* Of arrays, of members of records, and of arrays of instances. */
static void what_a_list_leaves_out_is_nobodys(void **state) {
    uint8_t bytes[64] = {0};
    ls_fields f = {0};
    (void)state;
    ls_fields_add(
        &f, &(ls_field){
                .name = (char *)(uintptr_t) "a_q", .kind = LS_STATE, .bits = 8, .count = 3, .offset = 4, .size = 1, .room = 8});
    ls_fields_add(&f, &(ls_field){.name = (char *)(uintptr_t) "r_q", .kind = LS_STATE, .count = 2, .offset = 48, .size = 8});
    ls_fields_member(&f, LS_STATE,
                     &(ls_member){.name = (char *)(uintptr_t) "src", .bits = 8, .count = 2, .offset = 4, .size = 1, .room = 4});
    f.base = 10;
    ls_fields_spare(&f, 10, 4, 12);
    ls_fields_spare(&f, 26, 0, 4); /* all of it may be another unit's */
    ls_fields_spare(&f, 30, 4, 4);
    ls_fields_spare_bytes(&f, bytes, 1);
    for (size_t i = 0; i < sizeof bytes; i++) {
        const bool spare = (i >= 7 && i < 12) || (i >= 24 && i < 32) || i == 54 || i == 55 || i == 62 || i == 63;
        assert_int_equal(bytes[i], spare);
    }
    ls_fields_free(&f);
}

/* What ls_cache() says with the project's files in `folder`, a new one below /tmp, which may be written to. */
static bool built_below(const char *folder) {
    char top[] = "/tmp/lockstep-cache-XXXXXX";
    int status = 0;
    assert_non_null(mkdtemp(top));
    char *root = ls_format("%s/%s", top, folder), *harness = ls_format("%s/harness/dut", root),
         *shim = ls_format("%s/shim.cpp", harness);
    assert_int_equal(ls_make_directories(harness), 0);
    FILE *f = fopen(shim, "w");
    assert_non_null(f);
    assert_int_equal(fclose(f), 0);
    const pid_t pid = fork(); /* which keeps what it is told */
    assert_true(pid >= 0);
    if (pid == 0) {
        (void)setenv("LOCKSTEP_ROOT", root, 1);
        (void)setenv("HOME", "/nowhere", 1);
        (void)unsetenv("LOCKSTEP_CACHE");
        const char *cache = ls_cache();
        _exit(strncmp(cache, root, strlen(root)) == 0 ? 1 : strcmp(cache, "/nowhere/.cache/rf-lockstep") == 0 ? 0 : 2);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
    ls_remove_tree(top);
    free(root);
    free(harness);
    free(shim);
    return WEXITSTATUS(status) == 1;
}

static void nothing_is_built_into_an_installation(void **state) {
    (void)state;
    assert_true(built_below("tree"));
    assert_true(built_below("share/rf-lockstep-0"));
    assert_false(built_below("usr/share/rf-lockstep"));
}

/* What the process says that calls `list`, which ends it with status 2. */
static void assert_refused(void (*list)(ls_fields *, const void *), const void *what, const char *words) {
    int ends[2], status = 0;
    char said[512] = "";
    assert_int_equal(pipe(ends), 0);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        ls_fields f = {0};
        (void)dup2(ends[1], STDERR_FILENO);
        list(&f, what);
        ls_fields_free(&f);
        _exit(0);
    }
    (void)close(ends[1]);
    for (size_t n = 0; n < sizeof said - 1;) {
        const ssize_t got = read(ends[0], said + n, sizeof said - 1 - n);
        if (got <= 0) break;
        n += (size_t)got;
    }
    (void)close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 2 || strstr(said, words) == NULL)
        fail_msg("status %d, \"%s\" does not say \"%s\"", status, said, words);
}

static void list_field(ls_fields *fields, const void *field) { ls_fields_add(fields, field); }

static void assert_list_refused(const ls_field *field, const char *words) { assert_refused(list_field, field, words); }

/* Three instances, called as `names` says. */
static void list_instances(ls_fields *fields, const void *names) {
    static const ls_field a_q = {
        .name = (char *)(uintptr_t) "a_q", .kind = LS_STATE, .bits = 3, .count = 1, .size = 1, .unit = "rf_x"};
    for (size_t i = 0; i < 3; i++) ls_fields_unit(fields, list_field, &a_q, i, ((const char *const *)names)[i], "a");
}

static void two_instances_of_one_name_are_refused(void **state) {
    static const char *const good[] = {"u_a", "u_ab", "gen.u_a"}, *const bad[] = {"u_ab", "u_a", "u_ab"};
    ls_fields fields = {0};
    (void)state;
    list_instances(&fields, good);
    assert_int_equal(fields.count, 3);
    ls_fields_free(&fields);
    assert_refused(list_instances, bad, "field list: two instances are called u_ab");
}

static void elements_that_the_model_cannot_hold_are_refused(void **state) {
    ls_field f = {
        .name = (char *)(uintptr_t) "a_q", .kind = LS_STATE, .bits = 3, .count = 5, .size = 1, .room = 4, .unit = "rf_x"};
    ls_fields list = {0};
    (void)state;
    assert_list_refused(&f, "field list of rf_x: a_q has 5 elements of 1 bytes, 5 in all, and the model's member has 4");
    f.count = 4;
    ls_fields_add(&list, &f);
    f = (ls_field){
        .name = (char *)(uintptr_t) "w_q", .kind = LS_STATE, .bits = 65, .count = 2, .size = 8, .room = 24, .unit = "rf_x"};
    assert_list_refused(&f, "w_q has 2 elements of 16 bytes, 32 in all, and the model's member has 24");
    f.count = 1;
    f.bits = 1025;
    f.room = 1 << 20;
    assert_list_refused(&f, "field list of rf_x: an element of w_q has 1025 bits: up to 1024");
    f.bits = 1024;
    ls_fields_add(&list, &f);
    ls_fields_free(&list);
}

static void list_named(ls_fields *fields, const void *model) {
    (void)model;
    ls_fields_add(fields, &(ls_field){.name = (char *)"mem_q",
                                      .kind = LS_MEMORY,
                                      .bits = 8,
                                      .count = 4,
                                      .size = 1,
                                      .write_enable = "we",
                                      .write_row = "row"});
    ls_fields_add(
        fields,
        &(ls_field){.name = (char *)"state_q", .rtl = (char *)"u_fsm.now", .kind = LS_STATE, .bits = 2, .count = 1, .size = 1});
}

static void a_list_says_what_the_rtl_calls_its_ports(void **state) {
    static const char *const names[] = {"req", "their_take", "grant_out", "u_in.mem_q", "u_in.u_fsm.now", "mem_q"};
    ls_fields fields = {0};
    char name[64];
    (void)state;
    ls_fields_suffixes(&fields, "", "_out");
    ls_fields_add(&fields, &(ls_field){.name = (char *)"req", .kind = LS_IN, .bits = 1, .count = 1, .size = 1});
    ls_fields_add(
        &fields,
        &(ls_field){.name = (char *)"take", .rtl = (char *)"their_take", .kind = LS_IN, .bits = 1, .count = 1, .size = 1});
    ls_fields_add(&fields, &(ls_field){.name = (char *)"grant", .kind = LS_OUT, .bits = 1, .count = 1, .size = 1});
    ls_fields_unit(&fields, list_named, NULL, 0, "u_in", "in");
    list_named(&fields, NULL);
    for (size_t i = 0; i < 6; i++) assert_string_equal(ls_rtl_name(&fields.list[i], name, sizeof name), names[i]);
    char *inner = ls_write_port(&fields.list[3], true, true), *own = ls_write_port(&fields.list[5], false, true);
    assert_string_equal(inner, "u_in.we_i"); /* the inner list says nothing of suffixes */
    assert_string_equal(own, "row");
    free(inner);
    free(own);
    ls_fields_free(&fields);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_built_into_an_installation), /* the first: a process asks for its root folder once */
        cmocka_unit_test(a_line_taken_away_is_missed_in_a_small_unit),
        cmocka_unit_test(a_line_taken_away_is_missed_in_a_unit_with_arrays),
        cmocka_unit_test(a_line_taken_away_is_missed_in_a_system),
        cmocka_unit_test(a_wrong_line_is_refused),
        cmocka_unit_test(ports_only_demands_the_ports_and_nothing_else),
        cmocka_unit_test(units_in_units_have_their_scope_and_place),
        cmocka_unit_test(what_a_list_leaves_out_is_nobodys),
        cmocka_unit_test(two_instances_of_one_name_are_refused),
        cmocka_unit_test(a_list_says_what_the_rtl_calls_its_ports),
        cmocka_unit_test(elements_that_the_model_cannot_hold_are_refused),
    };
    return cmocka_run_group_tests_name("harness/core/design.c, harness/core/field.c", tests, NULL, NULL);
}
