/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/core/source.c: the inputs follow from unit, parameters and seed alone, and a recorded case plays back as it
 * was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "cmodel/malekeh/rf_sthld.h"
#include "harness/core/case.h"
#include "harness/base/memory.h"
#include "harness/core/config.h"
#include "harness/base/root.h"
#include "harness/base/text.h"
#include "harness/core/source.h"
#include "harness/core/run.h"

/* `cycles` cycles of the unit's stimulus with the model answering. */
static ls_case record(const ls_unit *unit, const void *cfg, uint64_t seed, uint32_t cycles) {
    void *model = ls_zeroed(unit->model_size), *in = ls_zeroed(unit->in_size), *out = ls_zeroed(unit->out_size);
    char error[256];
    ls_source source;
    ls_case c;
    assert_int_equal(unit->init(model, cfg), 0);
    assert_int_equal(ls_source_open(&source, unit, model, seed, NULL, error, sizeof error), 0);
    ls_case_init(&c, unit, cfg, 0, "");
    size_t busy = 0; /* input bytes that reset has to win against */
    ls_source_warps(&source);
    for (uint32_t i = 0; i < cycles; i++) {
        ls_source_next next;
        uint64_t warp = 0;
        while ((next = ls_source_step(&source, model, in)) == LS_NEXT_WARP) {
            assert_int_equal(warp, 0);
            warp = source.warp;
            assert_true(unit->warp(model, warp));
        }
        assert_int_not_equal(next, LS_NEXT_END);
        assert_int_equal(ls_case_add(&c, next == LS_NEXT_RESET, warp, in), 0);
        if (next == LS_NEXT_RESET) {
            for (size_t b = 0; b < unit->in_size; b++) busy += ((const uint8_t *)in)[b] != 0;
            unit->reset(model);
            continue;
        }
        unit->comb(model, in, out);
        ls_source_observe(&source, in, out);
        unit->clock(model, in);
    }
    assert_int_not_equal(busy, 0);
    ls_source_close(&source);
    free(model);
    free(in);
    free(out);
    return c;
}

static bool same(const ls_case *a, const ls_case *b) {
    return a->count == b->count && memcmp(a->reset, b->reset, a->count) == 0 &&
           memcmp(a->in, b->in, a->count * a->unit->in_size) == 0;
}

static void equal_seeds_give_equal_inputs_and_others_do_not(void **state) {
    (void)state;
    for (const ls_unit *const *u = ls_units; *u != NULL; u++) {
        void *cfg = ls_config_new(*u);
        const uint32_t cycles = (*u)->in_size > 2000 ? 1500 : 12000;
        ls_case a = record(*u, cfg, 1, cycles), b = record(*u, cfg, 2, cycles), again = record(*u, cfg, 1, cycles);
        if (!same(&a, &again)) fail_msg("%s: seed 1 gives two stimuli", (*u)->name);
        if (same(&a, &b)) fail_msg("%s: seeds 1 and 2 give one stimulus", (*u)->name);
        ls_case_free(&a);
        ls_case_free(&b);
        ls_case_free(&again);
        free(cfg);
    }
}

/* Two cycles of reset at the start and between epochs, which have 1000 to 9000 cycles; early ones, but for the first, 20 to 200.
 */
static void epochs_begin_with_a_reset(void **state) {
    const ls_unit *unit = ls_unit_find("rf_rr");
    void *cfg = ls_config_new(unit);
    ls_case c = record(unit, cfg, 7, 49000);
    size_t epochs = 0, length = 0, resets = 0, few = 0;
    (void)state;
    for (size_t i = 0; i < c.count; i++) {
        if (c.reset[i] != 0) {
            resets++;
            const bool is_short = length > 0 && length < 900;
            if (is_short) assert_in_range(length, 18, 202);
            else if (length > 0) assert_in_range(length, 900, 9100);
            if (is_short) assert_true(epochs > 1 && i <= 10000 + 202);
            few += is_short;
            length = 0;
        } else {
            if (length == 0) {
                assert_int_equal(resets, LS_RESET_CYCLES);
                epochs++;
            }
            resets = 0;
            length++;
        }
    }
    assert_in_range(few, 9, 200);
    assert_in_range(epochs - few, 5, 60);
    ls_case_free(&c);
    free(cfg);
}

static void a_recorded_case_plays_back_as_it_was(void **state) {
    const ls_unit *unit = ls_unit_find("rf_sthld");
    void *cfg = ls_config_new(unit);
    uint8_t *in = ls_zeroed(unit->in_size);
    ls_case c = record(unit, cfg, 3, 3000);
    ls_source source;
    size_t warps = 0;
    (void)state;
    ls_source_replay(&source, unit, &c);
    for (size_t i = 0; i < c.count; i++) {
        if (c.warp[i] != 0) {
            assert_int_equal(ls_source_step(&source, NULL, in), LS_NEXT_WARP);
            assert_int_equal(source.warp, c.warp[i]);
            warps++;
        }
        assert_int_equal(ls_source_step(&source, NULL, in), c.reset[i] != 0 ? LS_NEXT_RESET : LS_NEXT_CYCLE);
        assert_memory_equal(in, ls_case_in(&c, i), unit->in_size);
    }
    assert_int_equal(ls_source_step(&source, NULL, in), LS_NEXT_END);
    assert_in_range(warps, 100, c.count / 2);
    ls_source_close(&source);
    ls_case_free(&c);
    free(in);
    free(cfg);
}

static void only_systems_take_a_workload(void **state) {
    (void)state;
    for (const ls_unit *const *u = ls_units; *u != NULL; u++) {
        void *cfg = ls_config_new(*u), *model = ls_zeroed((*u)->model_size);
        char error[512] = "";
        ls_source source;
        assert_int_equal((*u)->init(model, cfg), 0);
        assert_int_not_equal(ls_source_open(&source, *u, model, 1, "/nowhere/kernelslist.g", error, sizeof error), 0);
        assert_non_null(strstr(error, (*u)->workload != NULL ? "/nowhere/kernelslist.g" : (*u)->name));
        ls_source_close(&source);
        free(cfg);
        free(model);
    }
}

typedef struct counter_names {
    const char *page; /* text of the unit's page */
    const char *unit;
    uint32_t count;
} counter_names;

static void on_the_page(void *ctx, const char *name, double value) {
    counter_names *c = ctx;
    char *key = ls_format("`%s`", name);
    (void)value;
    if (strstr(c->page, key) == NULL) fail_msg("docs/units/%s.md does not say what the counter %s is", c->unit, name);
    c->count++;
    free(key);
}

/* And a record has room for them. */
static void every_counter_is_on_its_systems_page(void **state) {
    uint32_t systems = 0;
    (void)state;
    for (const ls_unit *const *u = ls_units; *u != NULL; u++) {
        if ((*u)->counters == NULL) continue;
        char *path = ls_format("%s/docs/units/%s.md", ls_root(), (*u)->name), error[256];
        FILE *f = fopen(path, "r");
        static char text[100000];
        assert_non_null(f);
        text[fread(text, 1, sizeof text - 1, f)] = '\0';
        (void)fclose(f);
        void *cfg = ls_config_new(*u), *model = ls_zeroed((*u)->model_size), *in = ls_zeroed((*u)->in_size);
        counter_names c = {.page = text, .unit = (*u)->name};
        ls_source source;
        assert_int_equal((*u)->init(model, cfg), 0);
        assert_int_equal(ls_source_open(&source, *u, model, 1, NULL, error, sizeof error), 0);
        for (uint32_t i = 0; i <= LS_RESET_CYCLES; i++) (void)ls_source_step(&source, model, in);
        (*u)->counters(source.stim, model, on_the_page, &c);
        assert_in_range(c.count, 1, LS_COUNTERS_MAX);
        ls_source_close(&source);
        free(path);
        free(cfg);
        free(model);
        free(in);
        systems++;
    }
    assert_int_equal(systems, 6);
}

/* A workload is opened before anything is built for it; what can be read only once is not. */
static void a_workload_is_tried(void **state) {
    const ls_unit *system = ls_unit_find("rf_banked"), *part = ls_unit_find("rf_rr");
    void *cfg = ls_config_new(system), *part_cfg = ls_config_new(part);
    char error[256] = "", path[] = "/tmp/lockstep-try-XXXXXX";
    (void)state;
    assert_int_equal(ls_source_try(system, cfg, "/nowhere/x.traceg", error, sizeof error), -1);
    assert_non_null(strstr(error, "/nowhere/x.traceg: No such file"));
    assert_int_equal(ls_source_try(part, part_cfg, "/nowhere/x.traceg", error, sizeof error), -1);
    assert_string_equal(error, "rf_rr takes no workload: only systems do");
    assert_non_null(mkdtemp(path));
    assert_int_equal(ls_source_try(system, cfg, path, error, sizeof error), -1); /* a folder */
    char *pipe = ls_format("%s/pipe", path);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_int_equal(ls_source_try(system, cfg, pipe, error, sizeof error), 0);
    ls_remove_tree(path);
    free(pipe);
    free(cfg);
    free(part_cfg);
}

/* How many pairs of bins some cycle of a run hits; `searched`: as runs are, else without the search for coincidences. */
static int pairs_of_bins(const ls_unit *unit, const void *cfg, uint64_t seed, bool searched) {
    void *model = ls_zeroed(unit->model_size), *in = ls_zeroed(unit->in_size), *out = ls_zeroed(unit->out_size);
    uint64_t with[64] = {0};
    char error[256];
    ls_source source;
    int pairs = 0;
    assert_int_equal(unit->init(model, cfg), 0);
    assert_int_equal(ls_source_open(&source, unit, model, seed, NULL, error, sizeof error), 0);
    if (!searched) ls_source_plain(&source);
    for (uint32_t i = 0; i < 30000; i++) {
        if (ls_source_step(&source, model, in) == LS_NEXT_RESET) {
            unit->reset(model);
            continue;
        }
        unit->comb(model, in, out);
        ls_source_observe(&source, in, out);
        const uint64_t hit = unit->bins(model, in, out);
        for (uint64_t a = hit; a != 0; a &= a - 1) with[__builtin_ctzll(a)] |= hit;
        unit->clock(model, in);
    }
    for (int i = 0; i < 64; i++) pairs += __builtin_popcountll(with[i]);
    ls_source_close(&source);
    free(model);
    free(in);
    free(out);
    return pairs / 2;
}

static void the_search_finds_coincidences(void **state) {
    static const char *const units[] = {"rf_load_guard", "rf_reuse_buffer", "rf_rename"};
    (void)state;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const ls_unit *unit = ls_unit_find(units[i]);
        void *cfg = ls_config_new(unit);
        int without = 0, with = 0;
        for (uint64_t seed = 1; seed <= 3; seed++) { /* one alone may have luck */
            without += pairs_of_bins(unit, cfg, seed, false);
            with += pairs_of_bins(unit, cfg, seed, true);
        }
        if (with <= without) fail_msg("%s: %d pairs of bins with the search, %d without", units[i], with, without);
        free(cfg);
    }
}

/* A time warp of rf_sthld leads to where cycles would have led. */
static void a_warp_is_time_that_passes(void **state) {
    const ls_unit *unit = ls_unit_find("rf_sthld");
    void *cfg = ls_config_new(unit);
    ls_case c = record(unit, cfg, 4, 4000);
    rf_sthld m, walked;
    size_t warps = 0;
    (void)state;
    assert_int_equal(unit->init(&m, cfg), 0);
    for (size_t i = 0; i < c.count; i++) {
        walked = m;
        if (c.warp[i] != 0) {
            assert_true(unit->warp(&m, c.warp[i]));
            assert_true(m.cycle_q > walked.cycle_q && m.count_q >= walked.count_q);
            while (walked.cycle_q < m.cycle_q) {
                const uint32_t left = m.count_q - walked.count_q;
                unit->clock(&walked, &(rf_sthld_in){.issued = (uint8_t)(left < 3 ? left : 3)});
            }
            assert_memory_equal(&walked, &m, sizeof m);
            warps++;
        }
        if (c.reset[i] != 0) unit->reset(&m);
        else unit->clock(&m, ls_case_in(&c, i));
    }
    assert_in_range(warps, 100, c.count / 2);
    ls_case_free(&c);
    free(cfg);
}

/* Who does not ask for time warps gets none. */
static void warps_are_asked_for(void **state) {
    const ls_unit *unit = ls_unit_find("rf_sthld");
    void *cfg = ls_config_new(unit);
    rf_sthld m;
    rf_sthld_in in;
    char error[256];
    ls_source source;
    (void)state;
    assert_int_equal(unit->init(&m, cfg), 0);
    assert_int_equal(ls_source_open(&source, unit, &m, 4, NULL, error, sizeof error), 0);
    for (uint32_t i = 0; i < 4000; i++) {
        const ls_source_next next = ls_source_step(&source, &m, &in);
        assert_true(next == LS_NEXT_CYCLE || next == LS_NEXT_RESET);
        if (next == LS_NEXT_RESET) unit->reset(&m);
        else unit->clock(&m, &in);
    }
    ls_source_close(&source);
    free(cfg);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_seeds_give_equal_inputs_and_others_do_not),
        cmocka_unit_test(epochs_begin_with_a_reset),
        cmocka_unit_test(a_recorded_case_plays_back_as_it_was),
        cmocka_unit_test(only_systems_take_a_workload),
        cmocka_unit_test(every_counter_is_on_its_systems_page),
        cmocka_unit_test(a_workload_is_tried),
        cmocka_unit_test(the_search_finds_coincidences),
        cmocka_unit_test(a_warp_is_time_that_passes),
        cmocka_unit_test(warps_are_asked_for),
    };
    return cmocka_run_group_tests_name("harness/core/source.c", tests, NULL, NULL);
}
