/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses in the pipelines behind an operand stage: whatever their ends are, they leave as a list says that is searched whole in
 * every cycle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tb/banked/env/rf_stage_pipes.h"

#define UOPS 64u

typedef struct entry {
    uint16_t uop;
    rf_stage_way way;
} entry;

typedef struct list {
    entry entry[UOPS]; /* in the order in which they came */
    uint32_t count;
    uint64_t latest;
} list;

static bool same_register(const rf_stage_way *a, const rf_stage_way *b) {
    return a->writes && b->writes && a->warp == b->warp && a->dst == b->dst;
}

static void add(list *l, uint16_t uop, rf_stage_way way) {
    for (uint32_t i = 0; i < l->count; i++)
        if (same_register(&l->entry[i].way, &way) && l->entry[i].way.due > way.due) way.due = l->entry[i].way.due;
    l->entry[l->count++] = (entry){uop, way};
    if (way.due > l->latest) l->latest = way.due;
}

/* The one that is due first, of several the oldest. */
static uint16_t take_due(list *l, uint64_t now) {
    uint32_t first = l->count;
    for (uint32_t i = 0; i < l->count; i++)
        if (l->entry[i].way.due <= now && (first == l->count || l->entry[i].way.due < l->entry[first].way.due)) first = i;
    if (first == l->count) return RF_STAGE_NO_UOP;
    const uint16_t uop = l->entry[first].uop;
    for (l->count--; first < l->count; first++) l->entry[first] = l->entry[first + 1];
    return uop;
}

static void accesses_leave_by_their_ends(void **state) {
    (void)state;
    uint32_t late = 0, overtaken = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        rf_stage_pipes p;
        list l = {0};
        ls_rng rng;
        bool used[UOPS] = {false};
        uint64_t number[UOPS] = {0}, entered = 0, last = 0;
        rf_stage_pipes_init(&p, UOPS);
        ls_rng_seed(&rng, seed);
        for (uint64_t now = 0; now < 5000; now++) {
            const uint16_t uop = (uint16_t)ls_rng_below(&rng, UOPS);
            if (!used[uop] && ls_rng_chance(&rng, 160)) {
                const rf_stage_way way = {.due = now + 1 + ls_rng_below(&rng, ls_rng_chance(&rng, 64) ? 300 : 20),
                                          .warp = (uint8_t)ls_rng_below(&rng, 2),
                                          .dst = (uint8_t)ls_rng_below(&rng, 3),
                                          .writes = ls_rng_chance(&rng, 192)};
                used[uop] = true;
                number[uop] = ++entered;
                add(&l, uop, way);
                rf_stage_pipes_access(&p, 2, uop, &way);
                late += l.entry[l.count - 1].way.due > way.due;
            }
            assert_int_equal(p.port[2].held, l.count);
            assert_int_equal(p.busy_until, l.latest);
            if (!ls_rng_chance(&rng, 200)) continue;
            const uint16_t left = rf_stage_pipes_leave(&p, 2, now);
            const uint16_t right = take_due(&l, now);
            if (left != right)
                fail_msg("seed %u, cycle %u: uop %u leaves (65535: none), and not %u", (unsigned)seed, (unsigned)now, left,
                         right);
            if (left == RF_STAGE_NO_UOP) continue;
            used[left] = false;
            overtaken += number[left] < last;
            last = number[left];
        }
        rf_stage_pipes_free(&p);
    }
    assert_true(late > 100 && overtaken > 100);
}

static void a_closed_port_is_one_for_a_cycle(void **state) {
    (void)state;
    rf_stage_pipes p;
    rf_stage_pipes_init(&p, 1);
    rf_stage_pipes_closed(&p, 1, 7);
    assert_int_equal(p.port[1].opens, 8);
    assert_int_equal(p.busy_until, 8);
    p.machine.interval[RF_OP_SFU] = 30;
    rf_stage_pipes_taken(&p, 1, RF_OP_SFU, 8);
    rf_stage_pipes_closed(&p, 1, 9);
    assert_int_equal(p.port[1].opens, 38);
    assert_int_equal(p.port[0].opens, 0);
    assert_int_equal(p.busy_until, 38);
    rf_stage_pipes_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses_leave_by_their_ends),
        cmocka_unit_test(a_closed_port_is_one_for_a_cycle),
    };
    return cmocka_run_group_tests_name("pipelines behind an operand stage", tests, NULL, NULL);
}
