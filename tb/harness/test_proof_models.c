/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/proof on a whole unit: rf_fifo_ctrl with its model's sources changed. A proof must find each change, in the
 * right place, and the comparison of the graph with the compiled model, which has no change, must find those of what it does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/common/rf_fifo_ctrl.h"
#include "harness/base/folder.h"
#include "harness/base/memory.h"
#include "harness/base/root.h"
#include "harness/core/config.h"
#include "harness/proof/proof.h"
#include "harness/proof/simulate.h"
#include "tb/harness/text_file.h"

#define DEPTH "DEPTH=3" /* no power of two: there are states that no run reaches */

static char *folder, *rtl;
static ls_unit unit;
static ls_place place;
static void *cfg;

/* A unit as it is. */
static const ls_unit *linked(const char *name) {
    for (const ls_unit *const *u = ls_linked_units; *u != NULL; u++)
        if (strcmp((*u)->name, name) == 0) return *u;
    fail_msg("no unit %s", name);
    return NULL;
}

/* A file of ours with each `from` as `to`; NULL: none. */
static void copy_file(const char *ours, const char *as, const char *from, const char *to) {
    char *source = ls_format("%s/%s", ls_root(), ours), *target = ls_format("%s/%s", folder, as);
    ls_text text = {0};
    assert_int_equal(ls_text_read(&text, source), 0);
    ls_text_put(&text, "", 1);
    char *at = from != NULL ? strstr(text.data, from) : NULL;
    if (from != NULL && at == NULL) fail_msg("%s: no \"%s\"", ours, from);
    char *changed =
        at == NULL ? ls_copy(text.data) : ls_format("%.*s%s%s", (int)(at - text.data), text.data, to, at + strlen(from));
    text_file(target, changed);
    free(changed);
    free(source);
    free(target);
    free(text.data);
}

static int set_up(void **state) {
    (void)state;
    char *failed = ls_temporary_folder("ls_models", &folder), *inside = ls_format("%s/model", folder), text[256];
    assert_null(failed);
    assert_int_equal(ls_make_directories(inside), 0);
    free(inside);
    static const char *flags[2];
    flags[0] = ls_format("-I%s", folder);
    static const char *const modules[] = {NULL};
    place = (ls_place){.root = folder,
                       .rtl = "model/rf_fifo_ctrl.sv",
                       .model = "model/rf_fifo_ctrl.c",
                       .bench = "model/bench/rf_fifo_ctrl.c",
                       .modules = modules,
                       .flags = flags};
    inside = ls_format("%s/model/bench", folder);
    assert_int_equal(ls_make_directories(inside), 0);
    free(inside);
    unit = *ls_unit_find("rf_fifo_ctrl");
    unit.place = &place;
    static const ls_unit *all[] = {&unit, NULL, NULL};
    all[1] = linked("rf_rr");
    ls_units = all;
    cfg = ls_config_new(&unit);
    assert_int_equal(ls_config_set_all(&unit, cfg, DEPTH, text, sizeof text), 0);
    rtl = ls_format("%s/rtl/common/rf_fifo_ctrl.sv", ls_root());
    copy_file("cmodel/common/rf_fifo_ctrl.h", "model/rf_fifo_ctrl.h", NULL, NULL);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    ls_remove_tree(folder);
    free((char *)(uintptr_t)place.flags[0]);
    free(folder);
    free(rtl);
    free(cfg);
    return 0;
}

/* The model with the changes of `edits`, pairs of texts; NULL ends them. */
static void write_model(const char *const *edits) {
    copy_file("cmodel/common/rf_fifo_ctrl.c", "model/rf_fifo_ctrl.c", "\"cmodel/common/rf_fifo_ctrl.h\"",
              "\"model/rf_fifo_ctrl.h\"");
    copy_file("tb/common/rf_fifo_ctrl.fields", "model/bench/rf_fifo_ctrl.fields", NULL, NULL);
    for (; edits[0] != NULL; edits += 2) {
        const bool claims = strncmp(edits[0], "INVARIANT", 9) == 0;
        const char *name = claims ? "model/bench/rf_fifo_ctrl.fields" : "model/rf_fifo_ctrl.c";
        char *path = ls_format("%s/%s", folder, name);
        ls_text text = {0};
        assert_int_equal(ls_text_read(&text, path), 0);
        ls_text_put(&text, "", 1);
        char *at = strstr(text.data, edits[0]);
        if (at == NULL) fail_msg("%s: no \"%s\"", name, edits[0]);
        char *changed = ls_format("%.*s%s%s", (int)(at - text.data), text.data, edits[1], at + strlen(edits[0]));
        text_file(path, changed);
        free(changed);
        free(text.data);
        free(path);
    }
}

static int prove(const char *file, unsigned trials, ls_proof_answer *answer, char **error) {
    const char *const files[] = {file};
    const ls_proof_query query = {.unit = &unit, .cfg = cfg, .rtl = files, .rtl_count = 1, .seconds = 60, .trials = trials};
    *error = NULL;
    return ls_prove_model(&query, answer, error);
}

static void test_as_it_is(void **state) {
    (void)state;
    ls_proof_answer a;
    char *error;
    write_model((const char *const[]){NULL});
    if (prove(rtl, 1000, &a, &error) != 0) fail_msg("%s", error);
    assert_string_equal(a.message, "");
    assert_int_equal(a.verdict, LS_PROVED_UNDER_INVARIANT);
    assert_int_equal(a.outputs, 9);
    assert_int_equal(a.states, 6);
    assert_int_equal(a.invariants, 2);
    assert_int_equal(a.sources, 1);
    assert_true(a.trials > 900 && a.open > 0 && a.open < a.questions);
    ls_proof_answer_free(&a);
}

enum { EITHER = 2 };

typedef struct change {
    const char *edits[5];
    ls_proof_kind kind;
    const char *what;     /* is said of it */
    int reset;            /* or EITHER */
    const char *compared; /* what the comparison with the compiled model says: "level_q differs after a cycle"; NULL: nothing */
    int level;            /* the one in which it matters, or -1 */
} change;

#define LEVEL "m->level_q = (uint8_t)(m->level_q + write - read);"
#define CLEAR "m->level_q = 0;"
#define OUT "out->level = m->level_q;"
#define PADDING "((uint8_t *)(uintptr_t)m)[7]" /* of the struct */
#define STEP "    rf_fifo_ctrl_clock(m, in);\n}"

static const change changes[] = {
    {{LEVEL, "m->level_q = (uint8_t)(m->level_q + write - (read && !(m->rd_ptr_q == 2 && m->level_q == 1 && !write)));"},
     LS_ASKED_RTL,
     "level_q bit 0",
     false,
     "level_q differs after a cycle",
     1},
    {{LEVEL, LEVEL " if (write && read && m->level_q == 2) m->level_q |= 0x80;"},
     LS_ASKED_RTL,
     "level_q bit 7",
     false,
     "level_q differs after a cycle",
     2},
    {{OUT, OUT " if (m->level_q == 3 && in->push && m->wr_ptr_q == 2) out->level = 1;"},
     LS_ASKED_RTL,
     "output level bit 1",
     false,
     "level differs after a cycle",
     3},
    {{OUT, OUT " out->write |= (uint8_t)((m->level_q == 2) << 3);"},
     LS_ASKED_RTL,
     "output write bit 3",
     false,
     "write differs after a cycle",
     2},
    {{"m->wr_ptr_q = 0;", "m->wr_ptr_q = m->rd_ptr_q == 3 && m->level_q == 2;"},
     LS_ASKED_RTL,
     "wr_ptr_q bit 0 in reset",
     true,
     "wr_ptr differs after reset",
     2},
    {{CLEAR, "m->level_q = m->level_q == 2 ? 4 : 0;"},
     LS_ASKED_RTL,
     "level_q bit 2 in reset",
     true,
     "valid differs after reset",
     2},
    {{STEP, "    if (m->level_q != 2 || in->pop) rf_fifo_ctrl_clock(m, in);\n}"},
     LS_ASKED_STEP,
     " of step",
     false,
     "differs after a step",
     2},
    {{STEP, "    if (m->level_q == 1 && in->pop) out->valid = 0;\n" STEP},
     LS_ASKED_STEP,
     "output valid bit 0 of step",
     false,
     "valid differs after a step",
     1},
    {{LEVEL, LEVEL " if (m->level_q == 2 && in->push) m->cfg.depth = 3 + in->pop;"},
     LS_ASKED_HIDDEN,
     "byte 0 of the struct rf_fifo_ctrl changes",
     false,
     NULL,
     -1},
    {{CLEAR, "if (m->level_q == 2) m->cfg.depth ^= 1u << 31; " CLEAR},
     LS_ASKED_HIDDEN,
     "byte 3 of the struct rf_fifo_ctrl changes",
     true,
     NULL,
     2},
    {{STEP, "    rf_fifo_ctrl_clock(m, in);\n    if (in->push) m->cfg.depth ^= 256;\n}"},
     LS_ASKED_HIDDEN,
     "byte 1 of the struct rf_fifo_ctrl changes",
     false,
     NULL,
     -1},
    {{OUT, OUT " out->level |= " PADDING ";", LEVEL, LEVEL " uint8_t none[2]; none[in->push] = 0; " PADDING " = none[0];"},
     LS_ASKED_MEANING,
     "level: the model gives it no value",
     EITHER,
     NULL,
     -1},
    {{OUT, "if (m->level_q != 2 || !in->push) " OUT}, LS_ASKED_MEANING, "level: the model gives it no value", false, NULL, 2},
    {{CLEAR, "uint8_t none[2]; none[0] = 0; m->level_q = none[m->level_q == 2];"},
     LS_ASKED_MEANING,
     "level: the model gives it no value in reset",
     true,
     NULL,
     2},
    {{STEP, "    rf_fifo_ctrl_clock(m, in);\n    uint8_t none[2]; none[0] = m->level_q; m->level_q = none[in->push];\n}"},
     LS_ASKED_MEANING,
     "level_q: the model gives it no value of step",
     false,
     NULL,
     -1},
    {{OUT, "uint8_t none[2]; none[0] = 0; " OUT " if (none[in->push & in->pop & (m->level_q == 2)] == 1) out->level = 0;"},
     LS_ASKED_MEANING,
     "a decision on a value that was never set",
     false,
     NULL,
     2},
    {{OUT, OUT " static const uint8_t zeros[3]; out->level |= zeros[m->level_q];"},
     LS_ASKED_MEANING,
     "an index out of bounds",
     false,
     NULL,
     3},
    {{CLEAR, "static const uint8_t zeros[3]; m->level_q = zeros[m->level_q];"},
     LS_ASKED_MEANING,
     "an index out of bounds",
     true,
     NULL,
     3},
    {{OUT, OUT " out->level |= (uint8_t)(0u >> (m->level_q == 3 ? 32 : 1));"},
     LS_ASKED_MEANING,
     "a shift out of range",
     false,
     NULL,
     3},
    {{OUT, OUT " out->level |= (uint8_t)((0x7fffffff + (m->level_q == 2)) & 0);"},
     LS_ASKED_MEANING,
     "an overflow in an addition",
     false,
     NULL,
     2},
    /* It is not of the state, and init may have changed it. */
    {{OUT, OUT " static uint8_t more; out->level |= more;"}, LS_ASKED_MEANING, "an access to no object", EITHER, NULL, -1},
    {{"INVARIANT(m->level_q <= cfg->depth,", "INVARIANT(m->level_q < cfg->depth,"},
     LS_ASKED_INVARIANT,
     "the invariant in the next state",
     false,
     NULL,
     2},
    {{"INVARIANT(m->level_q <= cfg->depth,", "INVARIANT(m->level_q != 0 && m->level_q <= cfg->depth,"},
     LS_ASKED_INVARIANT,
     "the invariant after reset",
     true,
     NULL,
     -1},
};

/* The witness and what is said of it. Without trials: the compiled model is another. */
static void test_changes(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        const change *c = &changes[i];
        ls_proof_answer a;
        char *error;
        write_model(c->edits);
        if (prove(rtl, 0, &a, &error) != 0) fail_msg("%zu: %s", i, error);
        if (a.verdict != LS_REFUTED || a.kind != c->kind || strstr(a.message, c->what) == NULL)
            fail_msg("%zu: verdict %d, kind %d: %s", i, (int)a.verdict, (int)a.kind, a.message);
        size_t commas = 0;
        for (const char *at = a.message; (at = strstr(at, ", ")) != NULL; at++) commas++;
        const bool more = strstr(a.message, " more") != NULL;
        if (c->kind == LS_ASKED_RTL && (a.message[0] == ',' || commas > 3 || (more && commas < 3)))
            fail_msg("%zu: %s", i, a.message);
        const rf_fifo_ctrl *m = a.witness.model;
        const rf_fifo_ctrl_in *in = a.witness.in;
        if (c->reset != EITHER && a.witness.reset != c->reset) fail_msg("%zu: reset %d", i, a.witness.reset);
        if (c->level >= 0 && m->level_q != c->level) fail_msg("%zu: level %u", i, m->level_q);
        assert_true(in->push < 2 && in->pop < 2 && m->cfg.depth == 3);
        assert_int_equal(a.unconfirmed, c->kind == LS_ASKED_STEP || c->kind == LS_ASKED_HIDDEN || c->kind == LS_ASKED_INVARIANT);
        ls_proof_answer_free(&a);
        if (c->compared == NULL) continue;
        if (prove(rtl, 2048, &a, &error) == 0) fail_msg("%zu: the graph is not the compiled model, which is not seen", i);
        if (strstr(error, c->compared) == NULL) fail_msg("%zu: %s", i, error);
        free(error);
    }
}

/* What the invariants keep away from is no misuse in a cycle, but is in a reset, which comes in any state. */
static void test_invariants(void **state) {
    (void)state;
    ls_proof_answer a;
    char *error;
    write_model((const char *const[]){OUT, "static const uint8_t zeros[3]; out->level = m->level_q | zeros[m->rd_ptr_q];", NULL});
    if (prove(rtl, 1000, &a, &error) != 0) fail_msg("%s", error);
    assert_int_equal(a.verdict, LS_PROVED_UNDER_INVARIANT);
    ls_proof_answer_free(&a);
    write_model((const char *const[]){CLEAR, "static const uint8_t zeros[4]; m->level_q = zeros[m->rd_ptr_q];", NULL});
    if (prove(rtl, 1000, &a, &error) != 0) fail_msg("%s", error);
    assert_int_equal(a.verdict, LS_PROVED_UNDER_INVARIANT);
    ls_proof_answer_free(&a);
    write_model((const char *const[]){"m->rd_ptr_q = 0;\n    " CLEAR,
                                      "static const uint8_t zeros[3]; m->level_q = zeros[m->rd_ptr_q]; m->rd_ptr_q = 0;", NULL});
    if (prove(rtl, 1000, &a, &error) != 0) fail_msg("%s", error);
    assert_int_equal(a.verdict, LS_REFUTED);
    assert_true(a.witness.reset && ((const rf_fifo_ctrl *)a.witness.model)->rd_ptr_q == 3);
    ls_proof_answer_free(&a);
}

/* Loops whose end the graph does not show: the solver is asked, and what it says is not so is left out alone. */
static void test_loops(void **state) {
    (void)state;
    static const struct {
        const char *loop;
        bool ends;
    } cases[] = {/* In some states they have no end; no invariant speaks of the first two, and of the others one. */
                 {"for (uint32_t k = m->level_q == 2; k != 0; k &= m->level_q == 2) level ^= 1;", false},
                 {"for (uint32_t k = m->level_q == 2;; k &= m->level_q == 2) { if (k == 0) break; level ^= 1; }", false},
                 {"for (uint32_t k = m->rd_ptr_q == 3; k != 0; k &= m->rd_ptr_q == 3) level ^= 1;", true},
                 {"for (uint32_t k = m->rd_ptr_q == 3;; k &= m->rd_ptr_q == 3) { if (k == 0) break; level ^= 1; }", true},
                 /* The same with an end that is no bit set running out. */
                 {"uint32_t k = 0; while (k < 3) k += m->level_q == 2 ? 0 : 1; level ^= k != 3;", false},
                 {"uint32_t k = 0; for (;;) { if (k >= 3) break; k += m->level_q == 2 ? 0 : 1; } level ^= k != 3;", false},
                 {"uint32_t k = 0; while (k < 3) k += m->rd_ptr_q == 3 ? 0 : 1; level ^= k != 3;", true},
                 {"uint32_t k = 0; for (;;) { if (k >= 3) break; k += m->rd_ptr_q == 3 ? 0 : 1; } level ^= k != 3;", true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ls_proof_answer a;
        char *error, *edit = ls_format("uint8_t level = m->level_q; %s out->level = level;", cases[i].loop);
        /* Not in reset, which comes in any state: there the loop is not entered. */
        char *guarded = ls_format("if (m->level_q == 0 && m->wr_ptr_q == 0 && m->rd_ptr_q == 0) " OUT " else { %s }", edit);
        write_model((const char *const[]){OUT, guarded, NULL});
        const int status = prove(rtl, 64, &a, &error);
        if (cases[i].ends && (status != 0 || a.verdict != LS_PROVED_UNDER_INVARIANT))
            fail_msg("%zu: %s", i, status != 0 ? error : a.message);
        if (!cases[i].ends && (status == 0 || strstr(error, "a loop that may have no end") == NULL))
            fail_msg("%zu: %s", i, status != 0 ? error : a.message);
        if (status == 0) ls_proof_answer_free(&a);
        free(error);
        free(edit);
        free(guarded);
    }
}

static void step_forgets(void *model, const void *in, void *out) {
    (void)in;
    unit.comb(model, in, out);
}

static void clock_hides(void *model, const void *in) {
    linked("rf_fifo_ctrl")->clock(model, in);
    ((rf_fifo_ctrl *)model)->cfg.depth ^= 256;
}

static void reset_leaves(void *model) { ((rf_fifo_ctrl *)model)->level_q = 4; }

/* What the compiled model is asked about a witness: only what it does itself is confirmed. */
static void test_confirmed(void **state) {
    (void)state;
    const ls_unit good = unit;
    rf_fifo_ctrl m;
    ls_slices slices;
    assert_int_equal(unit.init(&m, cfg), 0);
    ls_slices_make(&slices, &unit, &m);
    uint8_t *leaf = ls_zeroed(slices.leaves + 1);
    for (uint32_t i = 0; i < slices.count; i++) /* a push, an entry already */
        if (strcmp(slices.fields.list[slices.list[i].field].name, "push") == 0 ||
            strcmp(slices.fields.list[slices.list[i].field].name, "level_q") == 0)
            leaf[ls_slice_leaf(&slices, &slices.list[i], 0)] = 1;
    static const ls_proof_kind kinds[] = {LS_ASKED_STEP, LS_ASKED_HIDDEN, LS_ASKED_INVARIANT};
    for (int k = 0; k < 3; k++)
        for (int reset = 0; reset < (kinds[k] == LS_ASKED_STEP ? 1 : 2); reset++)
            assert_false(ls_simulate_confirms(&unit, cfg, &slices, leaf, kinds[k], reset != 0));
    unit.step = step_forgets;
    assert_true(ls_simulate_confirms(&unit, cfg, &slices, leaf, LS_ASKED_STEP, false));
    assert_false(ls_simulate_confirms(&unit, cfg, &slices, leaf, LS_ASKED_HIDDEN, false));
    unit = good;
    unit.clock = clock_hides;
    assert_true(ls_simulate_confirms(&unit, cfg, &slices, leaf, LS_ASKED_HIDDEN, false));
    assert_false(ls_simulate_confirms(&unit, cfg, &slices, leaf, LS_ASKED_INVARIANT, false));
    unit = good;
    unit.reset = reset_leaves;
    assert_true(ls_simulate_confirms(&unit, cfg, &slices, leaf, LS_ASKED_INVARIANT, true));
    assert_false(ls_simulate_confirms(&unit, cfg, &slices, leaf, LS_ASKED_INVARIANT, false));
    assert_true(ls_simulate_confirms(&unit, cfg, &slices, leaf, LS_ASKED_RTL, false));
    unit = good;
    free(leaf);
    ls_slices_free(&slices);
}

/* Padding may lose its value and is no state, as long as nobody reads it. */
static void test_padding(void **state) {
    (void)state;
    ls_proof_answer a;
    char *error;
    write_model((const char *const[]){LEVEL, LEVEL " uint8_t none[2]; none[in->push] = 0; " PADDING " = none[0];", NULL});
    if (prove(rtl, 1000, &a, &error) != 0) fail_msg("%s", error);
    assert_int_equal(a.verdict, LS_PROVED_UNDER_INVARIANT);
    ls_proof_answer_free(&a);
}

/* What loses its value only where an invariant does not hold may be read. */
static void test_padding_kept(void **state) {
    (void)state;
    ls_proof_answer a;
    char *error;
    write_model((const char *const[]){
        LEVEL, LEVEL " uint8_t none[2]; none[m->rd_ptr_q == 3] = 0; if (" PADDING " != 0) m->level_q = 0; " PADDING " = none[0];",
        NULL});
    if (prove(rtl, 1000, &a, &error) != 0) fail_msg("%s", error);
    assert_int_equal(a.verdict, LS_PROVED_UNDER_INVARIANT);
    ls_proof_answer_free(&a);
}

/* Of a bit that the RTL has beside its fields nothing may depend: a register, or a net without a driver. */
static void test_unbound(void **state) {
    (void)state;
    static const char *const extra[] = {"  logic more;\n", "  logic more;\n  always_ff @(posedge clk_i) more <= push_i;\n"};
    write_model((const char *const[]){NULL});
    for (int k = 0; k < 4; k++) {
        ls_proof_answer a;
        char *error, *to = ls_format("%sendmodule", extra[k / 2]), *other = ls_format("%s/model/more.sv", folder);
        copy_file("rtl/common/rf_fifo_ctrl.sv", "model/more.sv", "endmodule", to);
        if (k % 2 == 0) {
            ls_text text = {0};
            assert_int_equal(ls_text_read(&text, other), 0);
            ls_text_put(&text, "", 1);
            char *at = strstr(text.data, "assign valid_o  = "), *changed;
            assert_non_null(at);
            changed =
                ls_format("%.*sassign valid_o  = more ^ %s", (int)(at - text.data), text.data, at + strlen("assign valid_o  = "));
            text_file(other, changed);
            free(changed);
            free(text.data);
        }
        if (prove(other, 64, &a, &error) != 0) fail_msg("%s", error);
        if (k % 2 == 0) assert_int_equal(a.verdict, LS_UNDECIDED);
        else assert_int_equal(a.verdict, LS_PROVED_UNDER_INVARIANT);
        if ((strstr(a.message, "the RTL depends on what no field names: more bit 0") != NULL) != (k % 2 == 0))
            fail_msg("%d: %s", k, a.message);
        ls_proof_answer_free(&a);
        free(to);
        free(other);
    }
}

/* A proof in which one question is left to the solver, and the answer is no. */
static void test_one_question(void **state) {
    (void)state;
    const ls_unit *rr = linked("rf_rr");
    char text[256], *error = NULL, *other = ls_format("%s/model/rr.sv", folder);
    void *one = ls_config_new(rr);
    assert_int_equal(ls_config_set_all(rr, one, "N=1", text, sizeof text), 0);
    for (int wrong = 0; wrong < 2; wrong++) {
        ls_proof_answer a;
        copy_file("rtl/common/rf_rr.sv", "model/rr.sv", "take_i && valid_o", wrong ? "take_i" : "valid_o && take_i");
        const char *const files[] = {other};
        const ls_proof_query query = {.unit = rr, .cfg = one, .rtl = files, .rtl_count = 1, .seconds = 60, .trials = 64};
        if (ls_prove_model(&query, &a, &error) != 0) fail_msg("%s", error);
        assert_int_equal(a.open, 1);
        assert_int_equal(a.verdict, wrong ? LS_REFUTED : LS_PROVED);
        ls_proof_answer_free(&a);
    }
    free(one);
    free(other);
}

/* The parts of records have names of their own. */
static void test_names(void **state) {
    (void)state;
    const ls_unit *whole = linked("rf_ocu");
    void *one = ls_config_new(whole), *model = ls_zeroed(whole->model_size);
    assert_int_equal(whole->init(model, one), 0);
    ls_slices slices;
    ls_slices_make(&slices, whole, model);
    char **names = ls_alloc(slices.count, sizeof *names);
    bool records = false;
    for (size_t i = 0; i < slices.count; i++) {
        names[i] = ls_slice_name(&slices, &slices.list[i]);
        const ls_field *f = &slices.fields.list[slices.list[i].field];
        records |= f->member_count > 1;
        if (f->member_count == 0) assert_int_equal(strncmp(names[i], f->name, strlen(f->name)), 0);
        for (size_t k = 0; k < i; k++)
            if (strcmp(names[i], names[k]) == 0) fail_msg("two parts are called %s", names[i]);
    }
    assert_true(records);
    for (size_t i = 0; i < slices.count; i++) free(names[i]);
    free(names);
    ls_slices_free(&slices);
    free(model);
    free(one);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_it_is),     cmocka_unit_test(test_changes),
                                       cmocka_unit_test(test_invariants),   cmocka_unit_test(test_padding),
                                       cmocka_unit_test(test_padding_kept), cmocka_unit_test(test_loops),
                                       cmocka_unit_test(test_confirmed),    cmocka_unit_test(test_one_question),
                                       cmocka_unit_test(test_names),        cmocka_unit_test(test_unbound)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
