/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of every unit's bins: none is hit that the unit calls unreachable, at its parameter sets and at random ones, and none is
 * hit in every cycle. That those are hit which can be, each run in lockstep demands. And of its planted faults: the RTL has the
 * text of each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/core/config.h"
#include "harness/core/start.h"
#include "harness/core/options.h"
#include "harness/base/text.h"
#include "harness/base/rng.h"
#include "harness/base/root.h"
#include "harness/base/memory.h"
#include "harness/core/source.h"

/* Walks the model for so many cycles and fails when a bin's count is none. A short walk does not look for bins of every cycle. */
static void walk(const ls_unit *unit, const void *cfg, uint64_t seed, uint32_t cycles, bool is_short) {
    void *model = ls_zeroed(unit->model_size), *in = ls_zeroed(unit->in_size), *out = ls_zeroed(unit->out_size);
    char error[256], *params = ls_config_text(unit, cfg);
    uint64_t always = UINT64_MAX;
    ls_unreachable never;
    ls_source source;
    const uint64_t bins = ls_unit_bins(unit, cfg, &never);
    assert_int_equal(unit->init(model, cfg), 0);
    assert_int_equal(ls_source_open(&source, unit, model, seed, NULL, error, sizeof error), 0);
    ls_source_warps(&source);
    for (uint32_t i = 0; i < cycles; i++) {
        ls_source_next next;
        while ((next = ls_source_step(&source, model, in)) == LS_NEXT_WARP) assert_true(unit->warp(model, source.warp));
        if (next == LS_NEXT_RESET) {
            unit->reset(model);
            continue;
        }
        unit->comb(model, in, out);
        ls_source_observe(&source, in, out);
        const uint64_t hit = unit->bins(model, in, out);
        always &= hit;
        if ((hit & never.bins) != 0) {
            const int bin = __builtin_ctzll(hit & never.bins);
            fail_msg("%s %s seed %u: bin \"%s\" was hit in cycle %u, and is said to be unreachable: %s", unit->name, params,
                     (unsigned)seed, unit->bin_names[bin], i, never.reason[bin]);
        }
        if ((hit & ~bins) != 0) fail_msg("%s %s: a bin without a name", unit->name, params);
        unit->clock(model, in);
    }
    if (!is_short && always != 0)
        fail_msg("%s %s: bin \"%s\" is hit in every cycle", unit->name, params, unit->bin_names[__builtin_ctzll(always)]);
    ls_source_close(&source);
    free(params);
    free(model);
    free(in);
    free(out);
}

/* Two sets of each unit when make test samples (tb/README.md), else all. */
static void bins_of_the_sets_say_something(void **state) {
    const char *turn = getenv("TURN");
    (void)state;
    if (turn != NULL) print_message("TURN=%s: a sample, not all\n", turn);
    for (const ls_unit *const *u = ls_units; *u != NULL; u++) {
        size_t count = 0;
        while ((*u)->sets[count] != NULL) count++;
        for (const char *const *set = (*u)->sets; *set != NULL; set++) {
            if (turn != NULL && !ls_sampled((size_t)(set - (*u)->sets), count, 2, (uint32_t)strtoul(turn, NULL, 10))) continue;
            void *cfg = ls_config_new(*u);
            char error[256];
            assert_int_equal(ls_config_set_all(*u, cfg, *set, error, sizeof error), 0);
            walk(*u, cfg, 1, (*u)->in_size > 2000 ? 3000 : 12000, false);
            free(cfg);
        }
    }
}

/* So each of them takes cases with a start state. One unit in four when make test samples. */
static void no_model_remembers_more_than_its_list_names(void **state) {
    const char *turn = getenv("TURN");
    size_t count = 0;
    (void)state;
    while (ls_units[count] != NULL) count++;
    for (size_t i = 0; i < count; i++) {
        const ls_unit *u = ls_units[i];
        char error[256];
        if (turn != NULL && !ls_sampled(i, count, 4, (uint32_t)strtoul(turn, NULL, 10))) continue;
        void *cfg = ls_config_new(u);
        assert_int_equal(ls_config_set_all(u, cfg, u->sets[0], error, sizeof error), 0);
        const int64_t at = ls_start_hidden(u, cfg);
        if (at >= 0) fail_msg("%s: byte %lld of the model", u->name, (long long)at);
        free(cfg);
    }
}

/* A reason has to hold for every configuration: each parameter is at its default, at an end of its range, small, or anything. */
static void unreachable_bins_are_hit_at_no_parameters(void **state) {
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, 1);
    for (const ls_unit *const *u = ls_units; *u != NULL; u++) {
        for (uint32_t tries = 0, good = 0; good < ((*u)->in_size > 2000 ? 3 : 12) && tries < 4000; tries++) {
            void *cfg = ls_config_new(*u);
            for (size_t p = 0; p < (*u)->param_count; p++) {
                const ls_param *param = &(*u)->params[p];
                const uint32_t span = param->max - param->min, kind = ls_rng_below(&rng, 8);
                const uint32_t near_min = span < 4 ? span + 1 : 4;
                uint32_t value = param->def;
                if (kind == 0) value = param->min;
                if (kind == 1) value = param->max;
                if (kind >= 2 && kind < 4) value = param->min + ls_rng_below(&rng, near_min);
                if (kind == 4) value = param->min + (span == UINT32_MAX ? 0 : ls_rng_below(&rng, span + 1));
                *(uint32_t *)((char *)cfg + param->offset) = value;
            }
            if ((*u)->check(cfg) == NULL) {
                walk(*u, cfg, tries, (*u)->in_size > 2000 ? 400 : 2000, true);
                good++;
            }
            free(cfg);
        }
    }
}

/* `lockstep faults` plants it there; a line of RTL that was reworded has lost its fault. */
static void every_planted_fault_has_one_place(void **state) {
    (void)state;
    for (const ls_unit *const *u = ls_units; *u != NULL; u++) {
        for (const ls_fault *f = (*u)->faults; f->what != NULL; f++) {
            char *path = f->file != NULL ? ls_format("%s/%s", ls_root(), f->file)
                                         : ls_format("%s/rtl/%s/%s.sv", ls_root(), (*u)->group, (*u)->name);
            ls_text rtl = {0};
            assert_int_equal(ls_text_read(&rtl, path), 0);
            const char *place = strstr(rtl.data, f->from);
            if (place == NULL || strstr(place + 1, f->from) != NULL)
                fail_msg("%s: \"%s\" has no place, or several: %s, \"%s\"", (*u)->name, f->what, path, f->from);
            free(ls_text_take(&rtl));
            free(path);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_planted_fault_has_one_place),
                                       cmocka_unit_test(bins_of_the_sets_say_something),
                                       cmocka_unit_test(no_model_remembers_more_than_its_list_names),
                                       cmocka_unit_test(unreachable_bins_are_hit_at_no_parameters)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
