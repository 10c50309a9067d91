/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/core/run.c and harness/core/pair.c on the DUT of rf_rr: what counts as evidence, and where a difference is
 * said to be.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cmodel/common/rf_rr.h"
#include "harness/core/config.h"
#include "harness/base/memory.h"
#include "harness/core/design.h"
#include "harness/core/run.h"

static const ls_unit *rr;
static void *cfg;
static ls_build_result built;

static int set_up(void **state) {
    char *error = NULL;
    (void)state;
    rr = ls_unit_find("rf_rr");
    cfg = ls_config_new(rr);
    const ls_design_request request = {.unit = rr, .cfg = cfg};
    if (ls_design_build(&request, &built, &error) == 0) return 0;
    print_error("%s\n", error);
    return 1;
}

static int tear_down(void **state) {
    (void)state;
    ls_build_free(&built);
    free(cfg);
    return 0;
}

static ls_result run(const ls_unit *unit, uint64_t cycles, const ls_case *replay) {
    const ls_request request = {
        .unit = unit, .cfg = cfg, .so_path = built.so_path, .seed = 1, .cycles = cycles, .replay = replay, .timeout = 60};
    ls_result result;
    ls_run(&request, NULL, &result);
    return result;
}

/* The same, with a case left in the file `name`, a template for mkstemp. */
static ls_result run_into(char *name, const ls_unit *unit, uint64_t cycles) {
    const ls_request request = {
        .unit = unit, .cfg = cfg, .so_path = built.so_path, .seed = 1, .cycles = cycles, .case_path = name, .timeout = 60};
    ls_result result;
    const int fd = mkstemp(name);
    assert_true(fd >= 0);
    (void)close(fd);
    ls_run(&request, NULL, &result);
    return result;
}

static void assert_run(const ls_result *r, ls_status status, const char *words) {
    if (r->status != status || strstr(r->message, words) == NULL)
        fail_msg("%s (\"%s\") and not %s (\"%s\")", ls_status_name(r->status), r->message, ls_status_name(status), words);
}

static void the_unit_itself_passes(void **state) {
    (void)state;
    const ls_result r = run(rr, 20000, NULL);
    assert_run(&r, LS_PASS, "");
    assert_int_equal(r.cycles, 20000);
    assert_int_equal(r.fields, 5);
    assert_int_equal(r.unchanged, 0);
    assert_true(r.compares >= (r.cycles - r.resets) * 17); /* grant, valid, mask_q */
}

/* A stimulus that leaves one input alone. */
static void never_takes(void *stim, const void *model, void *in) {
    rr->stim(stim, model, in);
    ((rf_rr_in *)in)->take = 0;
}

static void marked(ls_fields *fields, const void *model) {
    rr->fields(fields, model);
    ls_fields_constant(fields, LS_IN, "take", true, "this test holds it");
    ls_fields_constant(fields, LS_STATE, "mask_q", true, "nothing is ever taken");
}

static uint64_t all_bins(const void *model, const void *in, const void *out) {
    (void)model;
    (void)out;
    return ((const rf_rr_in *)in)->req != 0 ? ~UINT64_C(0) : 0;
}

static void a_field_that_never_changes_is_no_evidence_unless_it_is_marked(void **state) {
    ls_unit lazy = *rr;
    (void)state;
    lazy.stim = never_takes;
    lazy.bins = all_bins;
    ls_result r = run(&lazy, 20000, NULL);
    assert_run(&r, LS_VACUOUS, "2 fields never changed (take, mask_q)");
    assert_int_equal(r.unchanged, 2);
    lazy.fields = marked;
    r = run(&lazy, 20000, NULL);
    assert_run(&r, LS_PASS, "");
}

static void marked_wrongly(ls_fields *fields, const void *model) {
    rr->fields(fields, model);
    ls_fields_constant(fields, LS_OUT, "valid", true, "somebody always asks");
}

static void marked_rare(ls_fields *fields, const void *model) {
    rr->fields(fields, model);
    ls_fields_rare(fields, LS_OUT, "valid", true, "hardly ever");
}

static void a_field_that_changes_is_not_constant(void **state) {
    ls_unit wrong = *rr;
    (void)state;
    wrong.fields = marked_wrongly;
    ls_result r = run(&wrong, 20000, NULL);
    assert_run(&r, LS_VACUOUS, "valid changed, and its field list calls it constant: somebody always asks");
    wrong.fields = marked_rare;
    r = run(&wrong, 20000, NULL);
    assert_run(&r, LS_PASS, "");
}

static uint64_t one_bin_short(const void *model, const void *in, const void *out) {
    return rr->bins(model, in, out) & ~UINT64_C(2);
}

static void a_bin_that_is_never_hit_is_named(void **state) {
    ls_unit short_of_one = *rr;
    (void)state;
    short_of_one.bins = one_bin_short;
    const ls_result r = run(&short_of_one, 20000, NULL);
    assert_run(&r, LS_VACUOUS, "bin \"all ask\" never hit");
    assert_int_equal(r.bins[1], 0);
}

static void all_never_ask(const void *config, ls_unreachable *to) {
    (void)config;
    ls_unreachable_if(to, true, 1, "some never ask");
}

static void a_bin_that_is_unreachable_is_not_asked_for_and_fails_the_run_when_hit(void **state) {
    ls_unit unit = *rr;
    (void)state;
    unit.unreachable = all_never_ask;
    unit.bins = one_bin_short;
    ls_result r = run(&unit, 20000, NULL);
    assert_run(&r, LS_PASS, "");
    unit.bins = rr->bins;
    r = run(&unit, 20000, NULL);
    assert_run(&r, LS_VACUOUS, "bin \"all ask\" was hit, and its unit says that it cannot be: some never ask");
}

static uint64_t one_bin_always(const void *model, const void *in, const void *out) { return rr->bins(model, in, out) | 2; }

static void a_bin_of_every_cycle_says_nothing(void **state) {
    ls_unit unit = *rr;
    (void)state;
    unit.bins = one_bin_always;
    const ls_result r = run(&unit, 20000, NULL);
    assert_run(&r, LS_VACUOUS, "bin \"all ask\" is hit in every cycle: it says nothing");
}

static void nothing_compared_is_never_a_pass(void **state) {
    rf_rr_in in = {.req = 3, .take = 1};
    ls_case c;
    (void)state;
    for (uint64_t cycles = 1; cycles <= 2; cycles++) {
        const ls_result r = run(rr, cycles, NULL);
        assert_run(&r, LS_VACUOUS, "no cycle was compared");
    }
    ls_case_init(&c, rr, cfg, 1, "");
    for (int i = 0; i < 3; i++) {
        const ls_result r = run(rr, 0, &c);
        assert_run(&r, LS_VACUOUS, "no cycle was compared");
        assert_int_equal(ls_case_add(&c, true, 0, &in), 0);
    }
    assert_int_equal(ls_case_add(&c, false, 0, &in), 0);
    const ls_result r = run(rr, 0, &c);
    assert_run(&r, LS_PASS, "");
    ls_case_free(&c);
}

/* Models that are wrong in one place from some cycle on. */
/* A stimulus that drives 2 into a port of one bit: Verilator takes it, a netlist would not. */
static void takes_twice(void *stim, const void *model, void *in) {
    rr->stim(stim, model, in);
    ((rf_rr_in *)in)->take = 2;
}

static void an_input_that_does_not_fit_is_refused(void **state) {
    (void)state;
    ls_unit unit = *rr;
    unit.stim = takes_twice;
    const ls_result r = run(&unit, 2000, NULL);
    assert_run(&r, LS_USAGE, "the stimulus drives 0x2 into take[0], which has 1 bit");
}

static void wrong_output(const void *model, const void *in, void *out) {
    rr->comb(model, in, out);
    if (((const rf_rr_in *)in)->req == 0) ((rf_rr_out *)out)->grant ^= 0x10;
}

static void wrong_register(void *model, const void *in) {
    rr->clock(model, in);
    if (((const rf_rr_in *)in)->req == 0) ((rf_rr *)model)->mask_q ^= 0x40;
}

static void wrong_reset(void *model) {
    rr->reset(model);
    ((rf_rr *)model)->mask_q = 1;
}

static void a_difference_has_its_place_and_cycle(void **state) {
    rf_rr_in busy = {.req = 3, .take = 0}, idle = {.req = 0, .take = 0};
    ls_unit wrong = *rr;
    ls_case c;
    (void)state;
    wrong.step = NULL;
    wrong.comb = wrong_output;
    ls_case_init(&c, &wrong, cfg, 1, "");
    for (int i = 0; i < 2; i++) assert_int_equal(ls_case_add(&c, true, 0, &busy), 0);
    for (int i = 0; i < 4; i++) assert_int_equal(ls_case_add(&c, false, 0, &busy), 0);
    for (int i = 0; i < 2; i++) assert_int_equal(ls_case_add(&c, false, 0, &idle), 0);
    ls_result r = run(&wrong, 0, &c);
    assert_run(&r, LS_MISMATCH, "");
    assert_int_equal(r.mismatch.cycle,
                     1); /* in reset nobody asks: the check of the second fill sees it, before the first cycle */
    wrong.comb = rr->comb;
    wrong.clock = wrong_register;
    r = run(&wrong, 0, &c);
    assert_run(&r, LS_MISMATCH, "");
    assert_int_equal(r.mismatch.cycle, 6);
    assert_false(r.mismatch.output);
    assert_string_equal(r.mismatch.field, "mask_q");
    assert_string_equal(r.mismatch.diff, "40");
    assert_int_equal(r.mismatch.fields, 1);
    wrong.clock = rr->clock;
    wrong.reset = wrong_reset;
    r = run(&wrong, 0, &c);
    assert_run(&r, LS_MISMATCH, "fill");
    assert_string_equal(r.mismatch.field, "mask_q");
    ls_case_free(&c);
}

/* Wrong when it is first called in a process, which is with the second fill. */
static void wrong_reset_once(void *model) {
    static unsigned calls;
    rr->reset(model);
    if (calls++ == 0) ((rf_rr *)model)->mask_q = 1;
}

/* A difference that only the second fill shows is written down like any other, and the case fails as it did. */
static void the_second_fill_leaves_a_case(void **state) {
    char file[] = "/tmp/test_run.XXXXXX", error[256] = "";
    ls_unit wrong = *rr;
    ls_case c;
    (void)state;
    wrong.reset = wrong_reset_once;
    ls_result r = run_into(file, &wrong, 100);
    assert_run(&r, LS_MISMATCH, "second fill");
    assert_true(r.case_written);
    assert_true(r.compares > 0);
    assert_int_equal(ls_case_read(&c, file, error, sizeof error), 0);
    assert_true(c.second_fill);
    assert_int_equal(c.count, 1);
    assert_int_equal(c.reset[0], 1);
    assert_string_equal(c.field, r.mismatch.field);
    const ls_mismatch first = r.mismatch;
    r = run(&wrong, 0, &c);
    assert_run(&r, LS_MISMATCH, "second fill");
    assert_int_equal(r.mismatch.cycle, first.cycle);
    assert_string_equal(r.mismatch.rtl, first.rtl);
    ls_case_free(&c);
    (void)unlink(file);
}

/* What both fills show is the reset's doing. */
static void a_wrong_reset_value_is_no_second_fill(void **state) {
    char file[] = "/tmp/test_run.XXXXXX", error[256] = "";
    ls_unit wrong = *rr;
    ls_case c;
    (void)state;
    wrong.reset = wrong_reset;
    ls_result r = run_into(file, &wrong, 100);
    assert_run(&r, LS_MISMATCH, "after reset, with either fill of the registers");
    assert_null(strstr(r.message, "second"));
    assert_int_equal(ls_case_read(&c, file, error, sizeof error), 0);
    assert_false(c.second_fill);
    r = run(&wrong, 0, &c);
    assert_run(&r, LS_MISMATCH, "");
    ls_case_free(&c);
    (void)unlink(file);
}

static void both(void *model, const void *in, void *out) {
    rr->comb(model, in, out);
    rr->clock(model, in);
}

static void wrong_step(void *model, const void *in, void *out) {
    both(model, in, out);
    if (((const rf_rr_in *)in)->req == 0) ((rf_rr *)model)->mask_q ^= 0x40;
}

/* Wrong where nothing is sampled any more. */
static void step_wrong_late(void *model, const void *in, void *out) {
    static unsigned calls;
    both(model, in, out);
    if (++calls > 5000) ((rf_rr *)model)->mask_q ^= 0x40;
}

static void a_step_that_is_not_comb_then_clock_is_named(void **state) {
    static const char words[] = "the model's step is not comb, then clock: mask_q";
    char file[] = "/tmp/test_run.XXXXXX";
    ls_unit wrong = *rr;
    (void)state;
    wrong.step = both;
    ls_result r = run(&wrong, 20000, NULL);
    assert_run(&r, LS_PASS, "");
    wrong.step = wrong_step;
    r = run(&wrong, 20000, NULL); /* in all of which it is comb and clock that the run itself takes */
    assert_run(&r, LS_MISMATCH, words);
    assert_string_equal(r.mismatch.field, "property");
    wrong.step = step_wrong_late;
    r = run_into(file, &wrong, 100000);
    assert_run(&r, LS_MISMATCH, words);
    assert_string_equal(r.mismatch.field, "mask_q");
    assert_true(r.case_written);
    (void)unlink(file);
}

static void a_dut_that_cannot_be_loaded_is_named(void **state) {
    const ls_request request = {.unit = rr, .cfg = cfg, .so_path = "/nowhere/dut.so", .seed = 1, .cycles = 10};
    ls_result r;
    (void)state;
    ls_run(&request, NULL, &r);
    assert_run(&r, LS_USAGE, "/nowhere/dut.so");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_unit_itself_passes),
        cmocka_unit_test(a_field_that_never_changes_is_no_evidence_unless_it_is_marked),
        cmocka_unit_test(a_field_that_changes_is_not_constant),
        cmocka_unit_test(a_bin_that_is_never_hit_is_named),
        cmocka_unit_test(a_bin_that_is_unreachable_is_not_asked_for_and_fails_the_run_when_hit),
        cmocka_unit_test(a_bin_of_every_cycle_says_nothing),
        cmocka_unit_test(nothing_compared_is_never_a_pass),
        cmocka_unit_test(an_input_that_does_not_fit_is_refused),
        cmocka_unit_test(a_difference_has_its_place_and_cycle),
        cmocka_unit_test(the_second_fill_leaves_a_case),
        cmocka_unit_test(a_wrong_reset_value_is_no_second_fill),
        cmocka_unit_test(a_step_that_is_not_comb_then_clock_is_named),
        cmocka_unit_test(a_dut_that_cannot_be_loaded_is_named),
    };
    return cmocka_run_group_tests_name("harness/core/run.c, harness/core/pair.c", tests, set_up, tear_down);
}
