/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of netlists and mutants: that a netlist is the RTL, that what switches mutants on does, that a proof is one, and that
 * nothing but a change is changed. */
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

#include "cmodel/common/rf_rr.h"
#include "harness/core/config.h"
#include "harness/base/memory.h"
#include "harness/core/design.h"
#include "harness/netlist/mutants_prove.h"
#include "harness/mutants/mutants.h"
#include "harness/base/root.h"
#include "harness/dut/toolchain.h"
#include "harness/base/process.h"
#include "harness/netlist/netlist_rtlil.h"
#include "harness/netlist/netlist_mutants.h"
#include "harness/mutants/mutants_source.h"

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

/* A prover that says nothing, dies of its own fault, or has no more time leaves a mutant undecided; one that is killed from
 * outside, or cannot be asked, says nothing of the mutant. */
static void test_prover(void **state) {
    static const struct {
        const char *shell;
        ls_proof proof;
        const char *why;
    } cases[] = {{"exit 0", LS_PROOF_UNDECIDED, "no proof"},
                 {"ulimit -c 0; kill -SEGV $$", LS_PROOF_UNDECIDED, "killed by signal 11 ("},
                 {"ulimit -c 0; while :; do :; done", LS_PROOF_UNDECIDED, "no proof in time"},
                 {"kill -KILL $$", LS_PROOF_BROKEN, "killed by signal 9 (Killed)"},
                 {"kill -TERM $$", LS_PROOF_BROKEN, "killed by signal 15 (Terminated)"}};
    bench b;
    char *why = NULL, bin[] = "/tmp/ls_prover.XXXXXX";
    (void)state;
    open_bench(&b, "rf_rr", "");
    assert_null(ls_prove_prepare(&b.request, &b.netlist));
    assert_non_null(mkdtemp(bin));
    char *prover = ls_format("%s/berkeley-abc", bin), *before = ls_copy(getenv("PATH")), *path = ls_format("%s:%s", bin, before);
    assert_int_equal(setenv("PATH", path, 1), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ls_text text = {0};
        ls_text_add(&text, "#!/bin/sh\n%s\n", cases[i].shell);
        assert_int_equal(ls_text_write(&text, prover), 0);
        assert_int_equal(chmod(prover, 0755), 0);
        free(ls_text_take(&text));
        if (ls_prove(&b.netlist, 60001, 1, &why) != cases[i].proof)
            fail_msg("%s", cases[i].shell); /* no other test asks for it */
        assert_non_null(strstr(why, cases[i].why));
        free(why);
    }
    assert_int_equal(setenv("PATH", before, 1), 0);
    char nowhere[] = "/nowhere";
    ls_netlist lost = b.netlist;
    lost.folder = nowhere;
    assert_int_equal(ls_prove(&lost, 60001, 1, &why), LS_PROOF_BROKEN);
    assert_non_null(strstr(why, "/nowhere"));
    free(why);
    ls_remove_tree(bin);
    free(prover);
    free(before);
    free(path);
    close_bench(&b);
}

/* A memory, with a row that does not exist. */
static void test_memory_proofs(void **state) {
    (void)state;
    proofs_agree_with_runs("rf_bank", "ROWS=3 LANES=1");
}

/* A memory of an instance. */
static void test_inner_memory_proofs(void **state) {
    (void)state;
    proofs_agree_with_runs("rf_stage_banks", "BANKS=1 ROWS=5 LANES=2 READERS=2");
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

/* rf_rr with N = 6 as a netlist of which a mutant, or (`all`) the whole, is wrong in cycle 150,000 and no other. */
static void late_netlist(bench *b, bool all, char *path) {
    ls_text text = {0};
    ls_text_add(&text,
                "module rf_rr(input clk_i, input rst_ni, input [5:0] req_i, input take_i, input [15:0] " LS_NETLIST_SELECT ",\n"
                "             output [5:0] grant_o, output valid_o);\n"
                "  reg [5:0] mask_q;\n  reg [31:0] cycles = 0;\n"
                "  wire [5:0] above = req_i & mask_q, pool = above != 0 ? above : req_i;\n"
                "  assign grant_o = pool & (~pool + 6'd1);\n"
                "  assign valid_o = (req_i != 0) ^ (cycles == 150000 && %s);\n"
                "  always @(posedge clk_i) cycles <= cycles + 1;\n"
                "  always @(posedge clk_i or negedge rst_ni)\n    if (!rst_ni) mask_q <= 0;\n"
                "    else if (take_i && req_i != 0) mask_q <= ~(grant_o | (grant_o - 6'd1));\nendmodule\n",
                all ? "1" : LS_NETLIST_SELECT " == 1");
    take_text(b, &text, path);
}

/* What no run of usual length notices and no proof decides is run for longer; a kill there is one only if the netlist without a
 * mutant lives as long. (No other test asks about mutants with N = 6: verdicts are kept.) */
static void test_longer_runs(void **state) {
    (void)state;
    char folder[] = "/tmp/ls_mutants.XXXXXX";
    assert_non_null(mkdtemp(folder));
    char *abc = ls_format("%s/berkeley-abc", folder), *old = ls_copy(getenv("PATH")), *path = ls_format("%s:%s", folder, old);
    ls_text script = {0};
    ls_text_add(&script, "#!/bin/sh\n"); /* a prover that says nothing */
    assert_int_equal(ls_text_write(&script, abc), 0);
    free(ls_text_take(&script));
    assert_int_equal(chmod(abc, 0755), 0);
    assert_int_equal(setenv("PATH", path, 1), 0);
    for (int all = 0; all < 2; all++) {
        bench b;
        ls_score score;
        char *error = NULL, file[] = "/tmp/ls_mutants.XXXXXX.v";
        open_bench(&b, "rf_rr", "N=6");
        while (b.netlist.mutants.count > 2) free(b.netlist.mutants.list[--b.netlist.mutants.count]);
        late_netlist(&b, all != 0, file);
        const int status = ls_mutants_rtl_in(&b.options, &b.request, &b.netlist, &score, &error);
        if (all == 0) {
            if (status != 0) fail_msg("%s", error);
            assert_true(score.made == 2 && score.killed == 1 && score.kills[LS_KILL_MISMATCH] == 1);
            assert_string_equal(score.open.list[0], "N=6/2");
            ls_score_free(&score);
        } else {
            assert_int_equal(status, -1);
            if (strstr(error, "netlist without a mutant is not the model in 1000000 cycles: mismatch in valid") == NULL)
                fail_msg("%s", error);
            free(error);
        }
        (void)unlink(file);
        close_bench(&b);
    }
    assert_int_equal(setenv("PATH", old, 1), 0);
    assert_int_equal(unlink(abc), 0);
    assert_int_equal(rmdir(folder), 0);
    free(abc);
    free(old);
    free(path);
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

/* y[1] = y[0] | b[1], y[0] = a | b[0] in one cell: a vector that depends on itself, no bit that does. */
static const char ripple[] = "module \\ripple\n"
                             "  wire input 1 \\a\n"
                             "  wire width 2 input 2 \\b\n"
                             "  wire width 2 output 3 \\y\n"
                             "  cell $or \\u\n"
                             "    parameter \\A_SIGNED 0\n"
                             "    parameter \\B_SIGNED 0\n"
                             "    parameter \\A_WIDTH 2\n"
                             "    parameter \\B_WIDTH 2\n"
                             "    parameter \\Y_WIDTH 2\n"
                             "    connect \\A { \\y [0] \\a }\n"
                             "    connect \\B \\b\n"
                             "    connect \\Y \\y\n"
                             "  end\n"
                             "end\n";

/* A mutant with which a bit depends on itself is left out and counted, the next takes its place, and in what is left no vector
 * depends on itself. */
static void test_loops(void **state) {
    static const char list[] =
        "mutate -mode cnot1 -module ripple -cell u -port Y -portbit 0 -ctrlbit 1\n" /* y[0] of y[1] of y[0] */
        "mutate -mode cnot1 -module ripple -cell u -port Y -portbit 1 -ctrlbit 0\n"
        "mutate -mode inv -module ripple -cell u -port A -portbit 1\n"
        "mutate -mode const0 -module ripple -cell u -port B -portbit 0\n";
    char folder[] = "/tmp/ls_loops.XXXXXX";
    ls_args mutants = {0}, looped = {0};
    (void)state;
    assert_non_null(mkdtemp(folder));
    char *base = ls_format("%s/base.il", folder), *offers = ls_format("%s/list", folder), *raw = ls_format("%s/raw.v", folder);
    assert_int_equal(ls_text_write(&(ls_text){(char *)(uintptr_t)ripple, strlen(ripple)}, base), 0);
    assert_int_equal(ls_text_write(&(ls_text){(char *)(uintptr_t)list, strlen(list)}, offers), 0);
    char *failed = ls_netlist_mutate(folder, 2, 60000, &mutants, &looped);
    if (failed != NULL) fail_msg("%s", failed);
    assert_int_equal(mutants.count, 2);
    assert_int_equal(looped.count, 1);
    assert_non_null(strstr(looped.list[0], "-portbit 0 -ctrlbit 1"));
    assert_non_null(strstr(mutants.list[0], "-portbit 1 -ctrlbit 0"));
    assert_non_null(strstr(mutants.list[1], "-mode inv"));
    const char *const argv[] = {"verilator", "--lint-only", "-Wno-fatal", "-Werror-UNOPTFLAT", raw, NULL};
    ls_process_result run;
    assert_int_equal(ls_process_run(&(ls_process){.argv = argv, .timeout_ms = 60000}, &run), 0);
    if (!ls_process_ok(&run)) fail_msg("%s", run.output);
    ls_process_free(&run);
    ls_args_free(&mutants);
    ls_args_free(&looped);
    free(base);
    free(offers);
    free(raw);
    ls_remove_tree(folder);
}

/* Names lose the scopes of "else if", whole ones alone; where two become equal, that is an error. */
static void test_plain_names(void **state) {
    static const char good[] = "  attribute \\src \"genblk1.v:1\"\n"
                               "  wire \\g.genblk1.genblk22.a\n"
                               "  wire \\genblk1.b\n"
                               "  wire \\g.mygenblk1.c\n"
                               "  wire \\g.genblk1\n"
                               "  memory width 2 size 4 \\genblk3.m\n"
                               "  cell $mem $flatten\\g.genblk1.$7\n"
                               "    parameter \\MEMID \"\\\\genblk3.m\"\n"
                               "    connect \\A { \\genblk1.b \\g.genblk1 [0] }\n";
    static const char plain[] = "  attribute \\src \"genblk1.v:1\"\n"
                                "  wire \\g.a\n"
                                "  wire \\b\n"
                                "  wire \\g.mygenblk1.c\n"
                                "  wire \\g.genblk1\n"
                                "  memory width 2 size 4 \\m\n"
                                "  cell $mem $flatten\\g.$7\n"
                                "    parameter \\MEMID \"\\\\m\"\n"
                                "    connect \\A { \\b \\g.genblk1 [0] }\n";
    ls_text out = {0};
    (void)state;
    assert_null(ls_rtlil_plain(good, &out));
    assert_string_equal(out.data, plain);
    free(ls_text_take(&out));
    char *failed = ls_rtlil_plain("  wire \\g.a\n  wire \\g.genblk1.a\n", &out);
    assert_non_null(failed);
    assert_non_null(strstr(failed, "\\g.a: two "));
    free(failed);
    free(ls_text_take(&out));
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

static void bad_reset(void *m) {
    ls_unit_find("rf_rr")->reset(m);
    ((rf_rr *)m)->cfg.n = 0;
}

static int bad_init(void *m, const void *cfg) {
    const int status = ls_unit_find("rf_rr")->init(m, cfg);
    bad_reset(m);
    return status;
}

static int no_init(void *m, const void *cfg) {
    (void)m;
    (void)cfg;
    return -1;
}

/* A mutated model with which no run can begin is killed; what is missing outside of it says nothing. */
static void test_unusable_models(void **state) {
    const ls_unit *rr = ls_unit_find("rf_rr");
    void *cfg = ls_config_new(rr);
    char *error = NULL;
    ls_build_result build;
    (void)state;
    if (ls_design_build(&(ls_design_request){.unit = rr, .cfg = cfg}, &build, &error) != 0) fail_msg("%s", error);
    for (int i = 0; i < 4; i++) {
        ls_unit unit = *rr;
        if (i == 1) unit.init = bad_init, unit.reset = bad_reset;
        if (i == 2) unit.init = no_init;
        const ls_request bench = {.unit = &unit, .cfg = cfg, .so_path = i == 3 ? "/nowhere/dut.so" : build.so_path};
        static const char *const says[] = {"", ": the list says 1 x 0 bits, the RTL has 1 x 8",
                                           "usage: rf_rr: the configuration is refused", "usage: /nowhere/dut.so: "};
        ls_mutant m = {0};
        assert_int_equal(ls_mutants_bench(&bench, 1, &m), i > 0);
        if (strstr(m.how, says[i]) == NULL) fail_msg("%s: not %s", m.how, says[i]);
        assert_int_equal(m.fate, i == 0 ? LS_FATE_SURVIVED : i == 3 ? LS_FATE_BROKEN : LS_FATE_KILLED);
        if (i == 1 || i == 2) assert_int_equal(m.kill, LS_KILL_ASTRAY);
    }
    ls_build_free(&build);
    free(cfg);
}

/* What a run came to: a kill, told apart by its kind, or no word about the mutant at all. */
static void test_kinds_of_kills(void **state) {
    static const struct {
        ls_status status;
        const char *message;
        bool unfit, netlist; /* unfit: the input, or, with this message, the model */
        ls_fate fate;
        ls_kill kill;
    } cases[] = {{LS_USAGE, "the list says", true, true, LS_FATE_BROKEN, LS_KILL_ASTRAY},
                 {LS_MISMATCH, "", false, false, LS_FATE_KILLED, LS_KILL_MISMATCH},
                 {LS_MISMATCH, "", false, true, LS_FATE_KILLED, LS_KILL_MISMATCH},
                 {LS_VACUOUS, "bin x was not hit", false, false, LS_FATE_KILLED, LS_KILL_VACUOUS},
                 {LS_CRASH, "killed by signal 11 (Segmentation fault)", false, false, LS_FATE_KILLED, LS_KILL_CRASH},
                 {LS_CRASH, "killed by signal 9 (Killed)", false, false, LS_FATE_BROKEN, LS_KILL_CRASH},
                 {LS_CRASH, "killed by signal 15 (Terminated)", false, true, LS_FATE_BROKEN, LS_KILL_CRASH},
                 {LS_CRASH, "the DUT did not converge", false, false, LS_FATE_KILLED, LS_KILL_CRASH},
                 {LS_CRASH, "the DUT did not converge", false, true, LS_FATE_BROKEN, LS_KILL_CRASH},
                 {LS_HANG, "", false, true, LS_FATE_KILLED, LS_KILL_HANG},
                 {LS_USAGE, "an input does not fit", true, false, LS_FATE_KILLED, LS_KILL_ASTRAY},
                 {LS_USAGE, "no such file", false, false, LS_FATE_BROKEN, LS_KILL_ASTRAY},
                 {LS_BUILD, "no compiler", false, false, LS_FATE_BROKEN, LS_KILL_MISMATCH}};
    ls_score score = {.side = "model", .params = ls_copy("")};
    uint32_t killed = 0;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ls_result r = {.status = cases[i].status, .cycles = 7};
        const bool model = strcmp(cases[i].message, "the list says") == 0;
        r.model_unfit = cases[i].unfit && model;
        r.input_unfit = cases[i].unfit && !model;
        (void)snprintf(r.message, sizeof r.message, "%s\nmore", cases[i].message);
        const ls_request rq = {.select_port = cases[i].netlist ? LS_NETLIST_SELECT : NULL};
        ls_mutant m = {0};
        ls_mutants_sort(&rq, &r, &m);
        assert_int_equal(m.fate, cases[i].fate);
        assert_null(strchr(m.how, '\n'));
        if (m.fate != LS_FATE_KILLED) continue;
        assert_int_equal(m.kill, cases[i].kill);
        assert_int_equal(m.cycle, 7);
        assert_null(ls_score_add(&score, ++killed, &m, "what"));
    }
    assert_int_equal(score.killed, killed);
    assert_int_equal(score.kills[LS_KILL_MISMATCH], 2);
    assert_int_equal(score.kills[LS_KILL_VACUOUS], 1);
    assert_int_equal(score.kills[LS_KILL_CRASH], 2);
    assert_int_equal(score.kills[LS_KILL_HANG], 1);
    assert_int_equal(score.kills[LS_KILL_ASTRAY], 1);
    assert_int_equal(score.odd.count, 5); /* all but the mismatches are listed */
    assert_non_null(strstr(score.odd_what.list[1], "signal 11"));
    ls_score_free(&score);
}

/* A compilation that failed: no mutant when the compiler names an error in the source, else no word about the mutant. */
static void test_compilations(void **state) {
    static const struct {
        const char *said;
        bool refused;
        ls_fate fate;
        const char *how;
    } cases[] = {
        {"a.c: In function 'f':\na.c:1:25: error: expected expression\ngcc: exit status 1\n", true, LS_FATE_NONE, ""},
        {"a.c:7: error: no column\ngcc: exit status 1\n", true, LS_FATE_NONE, ""},
        {"a.c:1:25: error: expected expression\ngcc: timed out after 1.0 s\n", false, LS_FATE_BROKEN, "a.c:1:25: "},
        {"gcc: fatal error: Killed signal terminated program cc1\ncompilation terminated.\n", true, LS_FATE_BROKEN,
         "Killed signal"},
        {"gcc: killed by signal 9 (Killed)\n", false, LS_FATE_BROKEN, "killed by signal 9 (Killed)"},
        {"a.c:1:1: internal compiler error: Segmentation fault\n", true, LS_FATE_BROKEN, "internal compiler error"},
        {"\ncc1: out of memory allocating 4064 bytes\n", true, LS_FATE_BROKEN, "out of memory"},
        {"a.c:1:1: fatal error: error closing a.o: No space left on device\n", true, LS_FATE_BROKEN, "No space left"},
        {"/tmp/a.s: Assembler messages:\n/tmp/a.s: Fatal error: a.o: Disk quota exceeded\n", true, LS_FATE_BROKEN,
         "a.o: Disk quota"},
        {"cc1: error: no such option\ncollect2: error: ld returned 1 exit status\n", true, LS_FATE_BROKEN, "no such option"},
        {"cannot run gcc: No such file or directory\n", false, LS_FATE_BROKEN, "cannot run gcc"},
        {"", true, LS_FATE_BROKEN, ""}};
    ls_score score = {.side = "model", .params = ls_copy("")};
    uint32_t none = 0;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ls_mutant m = {.fate = LS_FATE_SURVIVED};
        ls_mutants_uncompiled(cases[i].said, cases[i].refused, &m);
        if (m.fate != cases[i].fate) fail_msg("%s", cases[i].said);
        assert_non_null(strstr(m.how, cases[i].how));
        assert_null(strchr(m.how, '\n'));
        char *error = ls_score_add(&score, 1, &m, "what");
        assert_int_equal(error != NULL, m.fate == LS_FATE_BROKEN);
        none += m.fate == LS_FATE_NONE;
        free(error);
    }
    assert_int_equal(score.refused, none);
    assert_int_equal(score.made, 0);
    ls_score_free(&score);
}

/* What the compiler itself makes of a good source, of a bad one, and of no room. */
static void test_compiler(void **state) {
    static const struct {
        const char *text, *to;
        bool fails;
        ls_fate fate;
    } cases[] = {{"int f(int a) { return a; }", "/dev/null", false, LS_FATE_SURVIVED},
                 {"int f(int a) { return a +; }", "/dev/null", true, LS_FATE_NONE},
                 {"int f(int a) { return a; }", "/dev/full", true, LS_FATE_BROKEN}};
    char path[] = "/tmp/ls_compiler.XXXXXX.c";
    const int fd = mkstemps(path, 2);
    (void)state;
    assert_true(fd >= 0);
    (void)close(fd);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *const words[] = {"env", "LC_ALL=C", "gcc", "-S", path, "-o", cases[i].to};
        ls_text text = {0};
        ls_args args = {0};
        bool refused = false;
        ls_mutant m = {.fate = LS_FATE_SURVIVED};
        ls_text_add(&text, "%s\n", cases[i].text);
        assert_int_equal(ls_text_write(&text, path), 0);
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) ls_args_add(&args, "%s", words[k]);
        char *failed = ls_command(&args, 60000, &refused);
        assert_int_equal(failed != NULL, cases[i].fails);
        if (failed != NULL) ls_mutants_uncompiled(failed, refused, &m);
        assert_int_equal(m.fate, cases[i].fate);
        free(failed);
        ls_args_free(&args);
        free(ls_text_take(&text));
    }
    (void)unlink(path);
}

/* A program with a mutant of the comparer: its own fault or its time kill the mutant, a hand from outside or no room does not. */
static void test_endings(void **state) {
    static const struct {
        const char *shell; /* NULL: a program that is not there */
        ls_fate fate;
        ls_kill kill;
        const char *how;
    } cases[] = {
        {"exit 1", LS_FATE_KILLED, LS_KILL_TEST, ""},
        {"ulimit -c 0; kill -SEGV $$", LS_FATE_KILLED, LS_KILL_TEST, ""},
        {"ulimit -c 0; kill -ABRT $$", LS_FATE_KILLED, LS_KILL_TEST, ""},
        {"sleep 60", LS_FATE_KILLED, LS_KILL_HANG, ""},
        {"kill -KILL $$", LS_FATE_BROKEN, LS_KILL_TEST, "killed by signal 9 (Killed)"},
        {"kill -TERM $$", LS_FATE_BROKEN, LS_KILL_TEST, "killed by signal 15 (Terminated)"},
        {"echo 'crash: killed by signal 9 (Killed)'; exit 1", LS_FATE_BROKEN, LS_KILL_TEST, "killed by signal 9 (Killed)"},
        {"echo 'crash: killed by signal 15 (Terminated)'; exit 1", LS_FATE_BROKEN, LS_KILL_TEST, "killed by signal 15 ("},
        {"echo 'crash: killed by signal 11 (Segmentation fault)'; exit 1", LS_FATE_KILLED, LS_KILL_TEST, ""},
        {"echo one; echo 'x.fst: No space left on device'; exit 2", LS_FATE_BROKEN, LS_KILL_TEST, "x.fst: No space left"},
        {NULL, LS_FATE_BROKEN, LS_KILL_TEST, "No such file"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *const shell[] = {"/bin/sh", "-c", cases[i].shell, NULL}, *const nothing[] = {"/nowhere/program", NULL};
        ls_process_result r;
        ls_mutant m = {.fate = LS_FATE_SURVIVED};
        const ls_process program = {.argv = cases[i].shell != NULL ? shell : nothing,
                                    .timeout_ms = cases[i].kill == LS_KILL_HANG ? 300 : 60000};
        ls_mutants_ended(ls_process_run(&program, &r), &r, &m);
        ls_process_free(&r);
        if (m.fate != cases[i].fate || m.kill != cases[i].kill) fail_msg("%s", cases[i].shell);
        if (strstr(m.how, cases[i].how) == NULL) fail_msg("%s: %s", cases[i].shell, m.how);
        assert_null(strchr(m.how, '\n'));
    }
}

/* The record names each mutant that is undecided: its parameters, its number, its cell, and why there is no proof. */
static void test_undecided(void **state) {
    ls_score score = {.side = "rtl", .params = ls_copy("N=64")};
    ls_mutant m = {.fate = LS_FATE_UNDECIDED, .how = "no proof in time"};
    (void)state;
    assert_null(ls_score_add(&score, 17, &m, "$and$x.v:3$5 port A bit 0 inverted"));
    assert_int_equal(score.made, 1);
    assert_int_equal(score.undecided, 1);
    assert_int_equal(score.open.count, 1);
    assert_string_equal(score.open.list[0], "N=64/17");
    assert_string_equal(score.open_what.list[0], "$and$x.v:3$5 port A bit 0 inverted: no proof in time");
    ls_score_free(&score);
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
                                       cmocka_unit_test(test_prover),
                                       cmocka_unit_test(test_memory_proofs),
                                       cmocka_unit_test(test_inner_memory_proofs),
                                       cmocka_unit_test(test_hierarchy_proofs),
                                       cmocka_unit_test(test_combinational_proofs),
                                       cmocka_unit_test(test_unconnected),
                                       cmocka_unit_test(test_longer_runs),
                                       cmocka_unit_test(test_wrong_base),
                                       cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_loops),
                                       cmocka_unit_test(test_plain_names),
                                       cmocka_unit_test(test_source),
                                       cmocka_unit_test(test_draw),
                                       cmocka_unit_test(test_sets),
                                       cmocka_unit_test(test_unusable_models),
                                       cmocka_unit_test(test_kinds_of_kills),
                                       cmocka_unit_test(test_compilations),
                                       cmocka_unit_test(test_compiler),
                                       cmocka_unit_test(test_endings),
                                       cmocka_unit_test(test_undecided),
                                       cmocka_unit_test(test_silent_judge)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
