/* SPDX-License-Identifier: Apache-2.0 */
/* What the bench of rf_steal says of a register that keeps another one's value: nobody reads it but for its way back, and a warp
 * that started in its slot since, which may read what it has not written. Wires by hand: it happens once in some million cycles.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cmodel/steal/rf_steal.h"
#include "harness/core/config.h"
#include "harness/base/memory.h"

enum { BANK = 2, WARP = 26, ROW = 107 }; /* 4 rows a warp at the defaults */

typedef struct trial {
    const ls_unit *unit;
    rf_steal *model;
    void *stim;
    rf_steal_in in;
    rf_steal_out out;
} trial;

static void start(trial *t) {
    *t = (trial){.unit = ls_unit_find("rf_steal")};
    void *cfg = ls_config_new(t->unit);
    t->model = ls_zeroed(t->unit->model_size);
    assert_int_equal(t->unit->init(t->model, cfg), 0);
    free(cfg);
    t->stim = ls_zeroed(t->unit->stim_size);
    t->unit->stim_init(t->stim, t->model, 1);
    t->out.wires.arbiter_in.linked = 1u << BANK;
    t->out.wires.arbiter_in.rfree_row[BANK] = ROW;
    t->out.wires.arbiter_in.dest_row[BANK] = ROW + 1;
}

static const char *cycle(trial *t) {
    t->unit->observe(t->stim, &t->in, &t->out);
    return t->unit->property(t->stim);
}

/* A new warp in the slot `warp`, while the register keeps the other one's value. */
static void launch(trial *t, uint32_t warp) {
    t->in.launch = UINT64_C(1) << warp;
    assert_null(cycle(t));
    t->in.launch = 0;
}

static const char *read_it(trial *t) {
    t->out.wires.arbiter.bank_re = 1u << BANK;
    t->out.wires.arbiter.bank_raddr[BANK] = ROW;
    return cycle(t);
}

static void stop(trial *t) {
    t->unit->stim_free(t->stim);
    free(t->stim);
    free(t->model);
}

static void assert_violated(const char *property, const char *words) {
    if (property == NULL || strstr(property, words) == NULL)
        fail_msg("%s and not %s", property == NULL ? "nothing" : property, words);
}

static void what_keeps_another_value_is_not_read(void **state) {
    static trial t;
    (void)state;
    for (uint32_t other = 0; other < 2; other++) { /* nor when another warp starts */
        start(&t);
        if (other != 0) launch(&t, WARP + 1);
        assert_violated(read_it(&t), "a temporary copy is not read as the register it sits in: bank 2 row 107");
        stop(&t);
    }
}

static void but_for_its_way_back(void **state) {
    static trial t;
    (void)state;
    start(&t);
    assert_null(cycle(&t));
    t.out.wires.arbiter.recall = 1u << BANK;
    assert_null(read_it(&t));
    stop(&t);
}

static void a_warp_that_started_since_may_read_it(void **state) {
    static trial t;
    (void)state;
    start(&t);
    launch(&t, WARP);
    assert_null(read_it(&t));
    assert_null(read_it(&t));
    t.out.wires.arbiter.bank_re = 0;
    t.out.wires.arbiter_in.linked = 0; /* it is back, and the register lent again */
    assert_null(cycle(&t));
    t.out.wires.arbiter_in.linked = 1u << BANK;
    assert_null(cycle(&t));
    assert_violated(read_it(&t), "is not read as the register it sits in");
    stop(&t);
}

static void but_not_write_it(void **state) {
    static trial t;
    (void)state;
    start(&t);
    launch(&t, WARP);
    t.out.wires.arbiter.bank_we = 1u << BANK;
    t.out.wires.arbiter.bank_waddr[BANK] = ROW;
    t.out.wires.arbiter.wr_grant = 1;
    assert_violated(cycle(&t), "a temporary copy is not written as the register it sits in: bank 2 row 107");
    stop(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_keeps_another_value_is_not_read),
        cmocka_unit_test(but_for_its_way_back),
        cmocka_unit_test(a_warp_that_started_since_may_read_it),
        cmocka_unit_test(but_not_write_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
