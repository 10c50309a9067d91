/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/explore: small units of its own whose states can be counted by hand, and two of ours whose can be counted by a
 * formula; the walk is replayed on the model and must have taken every transition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/base/memory.h"
#include "harness/core/config.h"
#include "harness/core/start.h"
#include "harness/explore/explore.h"
#include "harness/explore/walk.h"

/* A counter up to `top`, which wraps around or stays there. `twice` follows from it; `secret`, with `hides`, from the way. */
typedef struct counter_cfg {
    uint32_t top, stays, hides;
} counter_cfg;
typedef struct counter_in {
    uint8_t up, add[2];
} counter_in;
typedef struct counter_out {
    uint8_t unused;
} counter_out;
typedef struct counter {
    counter_cfg cfg;
    uint8_t count_q, twice, secret;
} counter;

static const char *check(const void *cfg) { return ((const counter_cfg *)cfg)->top > 200 ? "TOP must be at most 200" : NULL; }
static void reset(void *model) {
    counter *m = model;
    m->count_q = m->twice = m->secret = 0;
}
static int init(void *model, const void *cfg) {
    ((counter *)model)->cfg = *(const counter_cfg *)cfg;
    reset(model);
    return check(cfg) == NULL ? 0 : -1;
}
static void comb(const void *model, const void *in, void *out) {
    (void)model;
    (void)in;
    (void)out;
}
static void edge(void *model, const void *input) {
    counter *m = model;
    const counter_in *in = input;
    const uint32_t next = m->count_q + (uint32_t)in->up + in->add[0] + in->add[1];
    m->count_q = (uint8_t)(next <= m->cfg.top ? next : m->cfg.stays != 0 ? m->cfg.top : 0);
    m->twice = (uint8_t)(2 * m->count_q);
    if (m->cfg.hides != 0 && in->up) m->secret ^= 1;
}
static void fields(ls_fields *to, const void *model) {
    (void)model;
    ls_fields_add(to, &(ls_field){.name = (char[]){"up"}, .text = "", .kind = LS_IN, .bits = 1, .count = 1, .size = 1});
    ls_fields_add(to,
                  &(ls_field){.name = (char[]){"add"}, .text = "", .kind = LS_IN, .bits = 1, .count = 2, .size = 1, .offset = 1});
    ls_fields_add(to, &(ls_field){.name = (char[]){"count_q"},
                                  .text = "",
                                  .kind = LS_STATE,
                                  .bits = 8,
                                  .count = 1,
                                  .size = 1,
                                  .offset = offsetof(counter, count_q)});
}
static uint64_t bins(const void *model, const void *input, const void *out) {
    (void)out;
    const counter *m = model;
    return (uint64_t)(m->count_q == 0) | (uint64_t)(m->count_q == 3 && ((const counter_in *)input)->up) << 1;
}
static const char *const bin_names[] = {"zero", "up at three", NULL};
static const ls_unit unit = {.name = "counter",
                             .cfg_size = sizeof(counter_cfg),
                             .model_size = sizeof(counter),
                             .in_size = sizeof(counter_in),
                             .out_size = sizeof(counter_out),
                             .bin_names = bin_names,
                             .check = check,
                             .init = init,
                             .reset = reset,
                             .comb = comb,
                             .clock = edge,
                             .fields = fields,
                             .bins = bins};

static ls_explored explore(const ls_unit *of, const void *cfg, const ls_args *fixed, size_t limit) {
    const ls_args none = {0};
    const ls_explore_request rq = {
        .unit = of, .cfg = cfg, .fixed = fixed != NULL ? fixed : &none, .states_max = limit, .edges = true};
    ls_explored e;
    char *error = NULL;
    if (ls_explore(&rq, &e, &error) != 0) fail_msg("%s", error);
    return e;
}

static void a_counter_has_a_state_a_value(void **state) {
    (void)state;
    ls_explored e = explore(&unit, &(counter_cfg){.top = 6}, NULL, 1000);
    assert_true(e.complete);
    assert_int_equal(e.count, 7);
    assert_int_equal(e.inputs.count, 8);
    assert_int_equal(e.transitions, 56);
    assert_int_equal(e.depth, 2); /* by threes: 6 */
    assert_int_equal(e.bins, 3);
    assert_int_equal(e.stuck, 0);
    assert_false(e.hidden);
    assert_int_equal(e.register_bits, 8);
    assert_int_equal(e.constant_bits, 5);
    for (size_t s = 0; s < e.count; s++) { /* each state's successors, by hand */
        char *text = ls_explore_text(&e, s);
        const uint64_t count = s == 0 ? 0 : strtoull(strchr(text, '=') + 1, NULL, 16);
        for (uint32_t i = 0; i < 8; i++) {
            const uint64_t sum = count + (uint64_t)__builtin_popcount(i), next = sum > 6 ? 0 : sum;
            char *after = ls_explore_text(&e, e.next[s * 8 + i]);
            assert_int_equal(next, next == 0 ? 0 : strtoull(strchr(after, '=') + 1, NULL, 16));
            if (next == 0) assert_string_equal(after, "all registers 0");
            free(after);
        }
        free(text);
    }
    ls_explore_free(&e);
}

static const char *below_six(const void *model) { return ((const counter *)model)->count_q < 6 ? NULL : "below 6"; }

static void an_invariant_that_a_state_breaks_is_found(void **state) {
    (void)state;
    ls_unit claims = unit;
    claims.invariant = below_six;
    ls_explored e = explore(&claims, &(counter_cfg){.top = 5}, NULL, 1000);
    assert_null(e.broken);
    ls_explore_free(&e);
    e = explore(&claims, &(counter_cfg){.top = 6}, NULL, 1000);
    assert_string_equal(e.broken, "below 6");
    char *text = ls_explore_text(&e, e.broken_state);
    assert_non_null(strstr(text, "count_q=6"));
    free(text);
    ls_explore_free(&e);
}

static void a_state_that_nothing_leaves_is_found(void **state) {
    (void)state;
    ls_explored e = explore(&unit, &(counter_cfg){.top = 9, .stays = 1}, NULL, 1000);
    assert_int_equal(e.count, 10);
    assert_int_equal(e.stuck, 1);
    char *text = ls_explore_text(&e, e.first_stuck);
    assert_string_equal(text, "count_q=9");
    assert_int_equal(ls_explore_depth(&e, e.first_stuck), 3);
    free(text);
    ls_explore_free(&e);
}

static void what_no_field_names_is_found(void **state) {
    (void)state;
    ls_explored e = explore(&unit, &(counter_cfg){.top = 9, .hides = 1}, NULL, 1000);
    assert_true(e.hidden);
    assert_int_equal(e.hidden_byte, offsetof(counter, secret));
    ls_explore_free(&e);
}

static void draw(void *stim, const void *model, void *input) {
    (void)model;
    ((counter_in *)input)->up = ++*(uint8_t *)stim % 2;
}
static void draw_none(void *stim, const void *model, uint64_t seed) {
    (void)stim;
    (void)model;
    (void)seed;
}

/* What follows from the registers is a state to the explorer; a start state would leave it behind. */
static void a_start_state_needs_all_that_changes_in_the_list(void **state) {
    (void)state;
    ls_unit driven = unit;
    driven.stim_size = 1;
    driven.stim_rng = SIZE_MAX;
    driven.stim_init = draw_none;
    driven.stim = draw;
    assert_int_equal(ls_start_hidden(&driven, &(counter_cfg){.top = 9}), offsetof(counter, twice));
    assert_int_equal(ls_start_hidden(&driven, &(counter_cfg){.top = 0}), -1);
    assert_int_equal(ls_start_hidden(&driven, &(counter_cfg){.top = 0, .hides = 1}), offsetof(counter, secret));
}

static void a_limit_and_fixed_inputs(void **state) {
    (void)state;
    ls_args fixed = {0};
    ls_explored e = explore(&unit, &(counter_cfg){.top = 100}, NULL, 50);
    assert_false(e.complete);
    assert_int_equal(e.count, 50);
    ls_explore_free(&e);
    ls_args_add(&fixed, "add=0");
    e = explore(&unit, &(counter_cfg){.top = 6}, &fixed, 1000);
    assert_int_equal(e.inputs.count, 2);
    assert_int_equal(e.depth, 6); /* by ones */
    ls_explore_free(&e);
    ls_args_add(&fixed, "up=1");
    e = explore(&unit, &(counter_cfg){.top = 6}, &fixed, 1000);
    assert_int_equal(e.transitions, 7);
    ls_explore_free(&e);
    ls_args_free(&fixed);
    ls_args_add(&fixed, "add[1]=1");
    e = explore(&unit, &(counter_cfg){.top = 6}, &fixed, 1000);
    assert_int_equal(e.inputs.count, 4);
    ls_explore_free(&e);
    ls_args_free(&fixed);
}

static void refused(const ls_unit *of, const void *cfg, const char *fix, const char *words) {
    ls_args fixed = {0};
    if (fix != NULL) ls_args_add(&fixed, "%s", fix);
    ls_explored e;
    char *error = NULL;
    assert_int_equal(ls_explore(&(ls_explore_request){.unit = of, .cfg = cfg, .fixed = &fixed, .states_max = 10}, &e, &error),
                     -1);
    if (strstr(error, words) == NULL) fail_msg("\"%s\" is not in \"%s\"", words, error);
    free(error);
    ls_args_free(&fixed);
}

static void what_cannot_be_explored_is_refused(void **state) {
    (void)state;
    const counter_cfg good = {.top = 6};
    refused(&unit, &(counter_cfg){.top = 201}, NULL, "TOP must be at most 200");
    refused(&unit, &good, "down=1", "no input of that name; the inputs are up add");
    refused(&unit, &good, "add=2", "add[0] has 1 bit: expected 0 to 1");
    refused(&unit, &good, "add", "expected NAME=VALUE");
    refused(&unit, &good, "add=x", "expected NAME=VALUE");
    const ls_unit *gto = ls_unit_find("rf_sched_gto"), *bank = ls_unit_find("rf_bank"), *h3 = ls_unit_find("rf_h3");
    void *cfg = ls_config_new(gto);
    refused(gto, cfg, NULL, "bits of inputs, and all values of at most 20");
    free(cfg);
    cfg = ls_config_new(bank);
    refused(bank, cfg, NULL, "has a memory");
    free(cfg);
    cfg = ls_config_new(h3);
    refused(h3, cfg, NULL, "has no registers");
    free(cfg);
}

/* Replays the walk's cases on the model and returns how many pairs of state and input they take. */
static uint64_t replayed(const ls_unit *of, const void *cfg, const ls_explored *e, size_t cycles) {
    const size_t pairs = e->count * e->inputs.count;
    uint8_t *taken = ls_zeroed(pairs), *model = ls_zeroed(of->model_size), *out = ls_zeroed(of->out_size);
    uint64_t count = 0;
    ls_explore_walk walk;
    ls_case c;
    ls_explore_walk_begin(&walk, e, of, cfg);
    assert_int_equal(of->init(model, cfg), 0);
    while (ls_explore_walk_next(&walk, cycles, &c)) {
        uint32_t here = UINT32_MAX;
        for (size_t i = 0; i < c.count; i++) {
            const void *in = ls_case_in(&c, i);
            if (c.reset[i] != 0) {
                of->reset(model);
                here = 0;
                continue;
            }
            size_t input = 0;
            while (memcmp(ls_explore_in(&e->inputs, input), in, of->in_size) != 0) input++;
            count += taken[here * e->inputs.count + input]++ == 0;
            of->comb(model, in, out);
            of->clock(model, in);
            here = e->next[here * e->inputs.count + input];
            uint8_t *packed = ls_zeroed(e->key.bytes);
            ls_explore_pack(&e->key, model, packed);
            assert_memory_equal(packed, e->states + here * e->key.bytes, e->key.bytes);
            free(packed);
        }
        assert_true(c.count <= cycles + e->count + 2);
        ls_case_free(&c);
    }
    ls_explore_walk_free(&walk);
    free(taken);
    free(model);
    free(out);
    return count;
}

static void the_walk_takes_every_transition(void **state) {
    (void)state;
    const counter_cfg counters[] = {{.top = 6}, {.top = 40}, {.top = 9, .stays = 1}};
    for (size_t i = 0; i < 3; i++) {
        ls_explored e = explore(&unit, &counters[i], NULL, 1000);
        assert_int_equal(replayed(&unit, &counters[i], &e, i == 0 ? 20 : 100000), e.transitions);
        ls_explore_free(&e);
    }
    const ls_unit *fifo = ls_unit_find("rf_fifo_ctrl");
    char error[256];
    void *cfg = ls_config_new(fifo);
    for (uint32_t depth = 1; depth <= 40; depth += 13) {
        char set[32];
        (void)snprintf(set, sizeof set, "DEPTH=%u", depth);
        assert_int_equal(ls_config_set_all(fifo, cfg, set, error, sizeof error), 0);
        ls_explored e = explore(fifo, cfg, NULL, 100000);
        assert_int_equal(e.count, depth * (depth + 1)); /* a place to read at, and a level */
        assert_int_equal(replayed(fifo, cfg, &e, 1000), e.transitions);
        ls_explore_free(&e);
    }
    free(cfg);
}

static void an_lfsr_has_all_states_but_one(void **state) {
    (void)state;
    const ls_unit *lfsr = ls_unit_find("rf_lfsr");
    void *cfg = ls_config_new(lfsr);
    ls_explored e = explore(lfsr, cfg, NULL, 100000);
    assert_int_equal(e.count, 65535);
    assert_int_equal(e.depth, 65534);
    ls_explore_free(&e);
    free(cfg);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_counter_has_a_state_a_value),
        cmocka_unit_test(a_state_that_nothing_leaves_is_found),
        cmocka_unit_test(an_invariant_that_a_state_breaks_is_found),
        cmocka_unit_test(what_no_field_names_is_found),
        cmocka_unit_test(a_start_state_needs_all_that_changes_in_the_list),
        cmocka_unit_test(a_limit_and_fixed_inputs),
        cmocka_unit_test(what_cannot_be_explored_is_refused),
        cmocka_unit_test(the_walk_takes_every_transition),
        cmocka_unit_test(an_lfsr_has_all_states_but_one),
    };
    return cmocka_run_group_tests_name("explore", tests, NULL, NULL);
}
