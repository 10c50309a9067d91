/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of netlists and mutants: that a netlist is the RTL, that what switches mutants on does, that a proof is one, and that
 * nothing but a change is changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/config.h"
#include "harness/design.h"
#include "harness/memory.h"
#include "harness/mutants.h"
#include "harness/mutants_prove.h"
#include "harness/mutants_source.h"

#define MUTANTS 16u

typedef struct bench {
    ls_options options;
    ls_netlist_request request;
    ls_netlist netlist;
} bench;

static void open_bench(bench *b, const char *unit, const char *set) {
    char text[256], *error = NULL;
    *b = (bench){.options = {.unit = ls_unit_find(unit), .seed = 3, .jobs = 1}};
    b->options.cfg = ls_config_new(b->options.unit);
    assert_int_equal(ls_config_set_all(b->options.unit, b->options.cfg, set, text, sizeof text), 0);
    b->request =
        (ls_netlist_request){.unit = b->options.unit, .cfg = b->options.cfg, .mutants = MUTANTS, .seed = 5, .timeout_ms = 300000};
    if (ls_netlist_make(&b->request, &b->netlist, &error) != 0) fail_msg("%s", error);
    assert_int_equal(b->netlist.mutants.count, MUTANTS);
    assert_int_equal(b->netlist.unbound.count, 0);
}

static void close_bench(bench *b) {
    ls_netlist_free(&b->netlist);
    free(b->options.cfg);
}

/* A changed copy of the netlist's Verilog takes its place. */
static void take_text(bench *b, ls_text *text, char *path) {
    const int fd = mkstemps(path, 2);
    assert_true(fd >= 0);
    (void)close(fd);
    assert_int_equal(ls_text_write(text, path), 0);
    free(ls_text_take(text));
    free(b->netlist.verilog);
    b->netlist.verilog = ls_copy(path);
}

/* Registers are compared by name, and each mutant that a run notices is one that the prover calls different; what is no mutant,
 * equal. */
static void proofs_agree_with_runs(const char *unit, const char *set) {
    bench b;
    char *error = NULL, *why = NULL;
    ls_build_result build;
    bool ports_only = true;
    open_bench(&b, unit, set);
    assert_int_equal(ls_netlist_build(&b.request, &b.netlist, &build, &ports_only, &error), 0);
    assert_false(ports_only);
    assert_null(ls_prove_prepare(&b.request, &b.netlist));
    uint32_t killed = 0;
    for (uint32_t k = 0; k <= MUTANTS; k++) {
        const ls_request run = {.unit = b.options.unit,
                                .cfg = b.options.cfg,
                                .so_path = build.so_path,
                                .select_port = LS_NETLIST_SELECT,
                                .select = k};
        ls_mutant m = {0};
        const bool noticed = ls_mutants_bench(&run, 1, &m);
        if (k == 0) {
            assert_false(noticed);
            assert_true(m.cycles > 0 && m.compares > m.cycles);
        }
        if (!noticed) continue;
        killed++;
        assert_int_equal(ls_prove(&b.netlist, k, 20, &why), LS_PROOF_DIFFERENT);
    }
    assert_true(killed > MUTANTS / 2);
    assert_int_equal(ls_prove(&b.netlist, 0, 20, &why), LS_PROOF_EQUIVALENT);
    assert_int_equal(ls_prove(&b.netlist, 60000, 20, &why), LS_PROOF_EQUIVALENT); /* no mutant has that number */
    ls_build_free(&build);
    close_bench(&b);
}

static void test_small_proofs(void **state) {
    (void)state;
    proofs_agree_with_runs("rf_rr", "");
}

/* A memory, with a row that does not exist. */
static void test_memory_proofs(void **state) {
    (void)state;
    proofs_agree_with_runs("rf_bank", "ROWS=3 LANES=1");
}

/* Registers of instances and of arrays. */
static void test_hierarchy_proofs(void **state) {
    (void)state;
    proofs_agree_with_runs("rf_arbiter", "BANKS=2 COLLECTORS=2 SLOTS=1");
}

/* No register at all. */
static void test_combinational_proofs(void **state) {
    (void)state;
    proofs_agree_with_runs("rf_ocu_alloc", "COLLECTORS=3");
}

/* A netlist whose select input leads nowhere: nothing is killed, and that is told as what it is. */
static void test_unconnected(void **state) {
    bench b;
    ls_score score;
    char *error = NULL, path[] = "/tmp/ls_mutants.XXXXXX.v";
    ls_text from = {0}, to = {0};
    (void)state;
    open_bench(&b, "rf_rr", "");
    assert_int_equal(ls_text_read(&from, b.netlist.verilog), 0);
    ls_text_put(&from, "", 1);
    size_t cut = 0;
    for (const char *line = from.data; *line != '\0';) {
        const size_t length = strcspn(line, "\n") + 1;
        const bool declares =
            strncmp(line, "module ", 7) == 0 || strncmp(line, "  input ", 8) == 0 || strncmp(line, "  wire ", 7) == 0;
        char *one = ls_format("%.*s", (int)length, line);
        for (char *rest = one, *at;; rest = at + strlen(LS_NETLIST_SELECT)) {
            at = declares ? NULL : strstr(rest, LS_NETLIST_SELECT);
            ls_text_add(&to, "%.*s%s", at == NULL ? (int)strlen(rest) : (int)(at - rest), rest, at == NULL ? "" : "16'h0000");
            cut += at != NULL;
            if (at == NULL) break;
        }
        free(one);
        line += length;
    }
    free(ls_text_take(&from));
    assert_true(cut >= MUTANTS);
    take_text(&b, &to, path);
    assert_int_equal(ls_mutants_rtl_in(&b.options, &b.request, &b.netlist, &score, &error), 0);
    assert_int_equal(score.made, MUTANTS);
    assert_int_equal(score.killed, 0);
    assert_true(score.survived > MUTANTS / 2);
    assert_int_equal(score.survived + score.equivalent + score.undecided, MUTANTS);
    assert_int_equal(score.survivors.count, score.survived);
    ls_score_free(&score);
    (void)unlink(path);
    close_bench(&b);
}

/* A netlist that is not the model is refused: every mutant of it would be "killed". */
static void test_wrong_base(void **state) {
    bench b;
    ls_score score;
    char *error = NULL, path[] = "/tmp/ls_mutants.XXXXXX.v", *from = ls_format("%s/rtl/common/rf_rr.sv", ls_root());
    ls_text good = {0}, bad = {0};
    (void)state;
    open_bench(&b, "rf_rr", "");
    assert_int_equal(ls_text_read(&good, from), 0);
    ls_text_put(&good, "", 1);
    const char *at = strstr(good.data, "req_i & mask_q");
    assert_non_null(at);
    ls_text_add(&bad, "%.*sreq_i | mask_q%s", (int)(at - good.data), good.data, at + 14);
    free(ls_text_take(&good));
    take_text(&b, &bad, path);
    const char *const files[] = {path};
    ls_netlist_free(&b.netlist);
    b.request.rtl = files;
    b.request.rtl_count = 1;
    assert_int_equal(ls_netlist_make(&b.request, &b.netlist, &error), 0);
    assert_int_equal(ls_mutants_rtl_in(&b.options, &b.request, &b.netlist, &score, &error), -1);
    assert_non_null(strstr(error, "is not the model: mismatch in "));
    free(error);
    free(from);
    (void)unlink(path);
    close_bench(&b);
}

/* RTL that Yosys refuses has a message. */
static void test_refused(void **state) {
    bench b;
    char *error = NULL;
    static const char *const files[] = {"/nowhere/rf_rr.sv"};
    (void)state;
    open_bench(&b, "rf_rr", "");
    ls_netlist_free(&b.netlist);
    b.request.rtl = files;
    b.request.rtl_count = 1;
    assert_int_equal(ls_netlist_make(&b.request, &b.netlist, &error), -1);
    assert_non_null(strstr(error, "/nowhere/rf_rr.sv"));
    free(error);
    close_bench(&b);
}

static const char source[] = "/* a < b */\n"
                             "#define LESS(a, b) ((a) < (b))\n"
                             "static const int table[2] = {1, 2};\n"
                             "int f_check(int a) { return a < 1; }\n"
                             "int f_init(int a) { a = a + 1; return a; }\n"
                             "int f(int a) {\n"
                             "    const char *text = \"a < b\"; // a + 1\n"
                             "    unsigned b[4] = {0};\n"
                             "    if (a <= 3) b[0] = 'a';\n"
                             "    g(&b[1], -a);\n"
                             "    return text != 0 && !a;\n"
                             "}\n";

static void test_source(void **state) {
    static const char *const expected[] = {"8: 0 becomes 1",
                                           "9: condition negated",
                                           "9: <= becomes <",
                                           "9: 3 becomes 4",
                                           "9: \"b[0] = 'a';\" left out",
                                           "9: 0 becomes 1",
                                           "10: \"g(&b[1], -a);\" left out",
                                           "10: 1 becomes 2",
                                           "11: != becomes ==",
                                           "11: 0 becomes 1",
                                           "11: && becomes ||",
                                           "11: ! left out"};
    ls_change *list = NULL;
    (void)state;
    const size_t count = ls_changes_find(source, &list);
    for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++) {
        size_t found = 0;
        for (size_t i = 0; i < count; i++) {
            char *text = ls_format("%u: %s", list[i].line, list[i].what);
            found += strcmp(text, expected[k]) == 0;
            free(text);
        }
        if (found != 1) fail_msg("%s: %zu times", expected[k], found);
    }
    assert_int_equal(count, sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < count; i++) { /* each differs from the source in its own line alone */
        char *text = ls_change_apply(source, &list[i]);
        assert_string_not_equal(text, source);
        assert_true(list[i].line >= 7);
        free(text);
    }
    ls_changes_free(list, count);
}

/* A draw is the seed's, keeps the order, and takes no change twice. */
static void test_draw(void **state) {
    ls_change *a = NULL, *b = NULL;
    (void)state;
    const size_t all = ls_changes_find(source, &a);
    assert_int_equal(ls_changes_find(source, &b), all);
    const size_t n = ls_changes_draw(a, all, 5, 1);
    assert_int_equal(n, 5);
    assert_int_equal(ls_changes_draw(b, all, 5, 1), 5);
    for (size_t i = 0; i < n; i++) {
        assert_string_equal(a[i].what, b[i].what);
        if (i > 0) assert_true(a[i].from > a[i - 1].from || strcmp(a[i].text, a[i - 1].text) != 0);
    }
    assert_int_equal(ls_changes_draw(a, n, 99, 1), 5);
    ls_changes_free(a, n);
    ls_changes_free(b, n);
}

/* The smallest parameters come first, the others by their state, and none beyond the limit. */
static void test_sets(void **state) {
    ls_args sets = {0};
    (void)state;
    ls_mutants_sets(ls_unit_find("rf_bank"), 1000, &sets);
    assert_string_equal(sets.list[0], "ROWS=5 LANES=4");
    assert_true(sets.count >= 2);
    for (size_t i = 1; i < sets.count; i++) assert_string_not_equal(sets.list[i], "ROWS=1024 LANES=32 PORTS=2");
    ls_args_free(&sets);
}

static void die(const void *ctx, uint32_t number, ls_mutant *m) {
    (void)ctx;
    if (number == 3) _exit(0);
    m->fate = LS_FATE_KILLED;
}

/* A judge that ends without a verdict has judged nothing. */
static void test_silent_judge(void **state) {
    ls_score score = {.side = "model", .params = ls_copy("")};
    (void)state;
    ls_mutant *list = ls_mutants_judge(4, 2, die, NULL);
    assert_int_equal(list[0].fate, LS_FATE_KILLED);
    assert_int_equal(list[1].fate, LS_FATE_KILLED);
    assert_int_equal(list[2].fate, LS_FATE_BROKEN);
    assert_int_equal(list[3].fate, LS_FATE_KILLED);
    char *error = ls_score_add(&score, 3, &list[2], "what");
    assert_non_null(error);
    assert_int_equal(score.made, 0);
    free(error);
    free(list);
    ls_score_free(&score);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small_proofs),
                                       cmocka_unit_test(test_memory_proofs),
                                       cmocka_unit_test(test_hierarchy_proofs),
                                       cmocka_unit_test(test_combinational_proofs),
                                       cmocka_unit_test(test_unconnected),
                                       cmocka_unit_test(test_wrong_base),
                                       cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_source),
                                       cmocka_unit_test(test_draw),
                                       cmocka_unit_test(test_sets),
                                       cmocka_unit_test(test_silent_judge)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
