/* SPDX-License-Identifier: Apache-2.0 */
/* Strands: the two examples of [hierarchy Fig. 9] and others worked by hand; straight code against the definition; random kernels
 * by random walks of a diverging warp. */
#include "tb/compiler/judge/hand_kernel.h"

#include "cmodel/compiler/rf_strand.h"
#include "cmodel/workload/rf_hint.h"

#define END RF_HINT_STRAND_END
#define WAIT (RF_HINT_STRAND_END | RF_HINT_DESCHEDULE)
#define LONG RF_HINT_LONG_LATENCY
#define USE RF_HINT_LONG_CONSUMER

static void judge(const char *text, const uint8_t *flags, const uint32_t *of, uint32_t count) {
    rf_kernel k;
    rf_strands s;
    hand_kernel(&k, text);
    assert_int_equal(rf_strands_compute(&s, &k), 0);
    for (uint32_t i = 0; i < k.ninst; i++) {
        if (s.flags[i] != flags[i] || s.of[i] != of[i])
            print_message("instruction %u: flags %u, strand %u; wanted %u, %u\n", i, s.flags[i], s.of[i], flags[i], of[i]);
        assert_int_equal(s.flags[i], flags[i]);
        assert_int_equal(s.of[i], of[i]);
    }
    assert_int_equal(s.count, count);
    for (uint32_t n = 0; n < count; n++) assert_int_equal(of[s.first[n]], n);
    rf_strands_free(&s);
    rf_kernel_free(&k);
}

/* [hierarchy Fig. 9(a)] as its text tells it: strand 1 ends where a long-latency result is needed, and the warp waits; the others
 * end with the loop, before it, at its branch, and the warp need not wait. */
static void test_figure_9a(void **state) {
    (void)state;
    judge("B0:\nld R1, R0\n"        /* 0 */
          "add R2, R0, R0\n"        /* 1 */
          "add R3, R1, R2\n"        /* 2: needs R1 */
          "add R4, R3, R2\n"        /* 3 */
          "B1:\nadd R4, R4, R3\n"   /* 4: target of a backward branch */
          "setp P0, R4, R2\n"       /* 5 */
          "@P0 bra B1\n"            /* 6 */
          "B2:\nst R0, R4\nexit\n", /* 7 8 */
          (const uint8_t[]){LONG, WAIT, USE, END, 0, 0, END, 0, END}, (const uint32_t[]){0, 0, 1, 1, 2, 2, 2, 3, 3}, 4);
}

/* [hierarchy Fig. 9(b)]: BB1 loads; BB3 needs the value and waits, BB2 does not; so BB4 begins with a strand of its own,
 * everything there. */
static void test_figure_9b(void **state) {
    (void)state;
#define BB1(branch) "B0:\nld R1, R0\nsetp P0, R0, R0\n@P0 " branch " B2\n"    /* 0 1 2 */
    static const char rest[] = "B1:\nadd R2, R0, R0\nbra B3\n"                /* 3 4 */
                               "B2:\nadd R2, R0, R0\nadd R3, R1, R2\n"        /* 5 6 */
                               "B3:\nadd R4, R2, R2\nadd R4, R4, R1\nexit\n"; /* 7 8 9 */
    char text[512];
    (void)snprintf(text, sizeof text, "%s%s", BB1("bra.uni"), rest);
    judge(text, (const uint8_t[]){LONG, 0, 0, 0, WAIT, WAIT, USE | WAIT, 0, 0, END},
          (const uint32_t[]){0, 0, 0, 0, 0, 0, 1, 2, 2, 2}, 3);
    /* a warp that diverges comes to BB2 or BB3 through the other one, whose end is a strand's: the branch must be one too */
    (void)snprintf(text, sizeof text, "%s%s", BB1("bra"), rest);
    judge(text, (const uint8_t[]){LONG, 0, END, 0, WAIT, WAIT, USE | WAIT, 0, 0, END},
          (const uint32_t[]){0, 0, 0, 1, 1, 2, 3, 4, 4, 4}, 5);
}

/* A load on one way only: unknown at the merge as well. */
static void test_load_on_one_way(void **state) {
    (void)state;
    judge("B0:\nsetp P0, R0, R0\n@P0 bra.uni B2\n"       /* 0 1 */
          "B1:\nld R1, R0\n"                             /* 2 */
          "B2:\nadd R2, R0, R0\nadd R2, R2, R1\nexit\n", /* 3 4 5 */
          (const uint8_t[]){0, WAIT, LONG | WAIT, 0, 0, END}, (const uint32_t[]){0, 0, 1, 2, 2, 2}, 3);
}

/* A hammock without long-latency operations, or with what is on its way untouched, is one strand, diverging or not. */
static void test_hammock(void **state) {
    (void)state;
    judge("B0:\nld R1, R0\nsetp P0, R0, R0\n@P0 bra B2\n" /* 0 1 2 */
          "B1:\nadd R2, R0, R0\nlds R5, R0\nbra B3\n"     /* 3 4 5: shared memory is not long */
          "B2:\nsub R2, R0, R0\n"                         /* 6 */
          "B3:\nadd R4, R2, R5\nst R1, R4\nexit\n",       /* 7 8 9 */
          (const uint8_t[]){LONG, 0, 0, 0, 0, 0, 0, WAIT, USE, END}, (const uint32_t[]){0, 0, 0, 0, 0, 0, 0, 0, 1, 1}, 2);
}

/* The same register loaded on both ways: a warp that diverges overwrites it while it is on its way; one that does not, does not.
 */
static void test_loads_on_both_ways(void **state) {
    (void)state;
#define BOTH(branch)                                                                                                             \
    "B0:\nsetp P0, R0, R0\n@P0 " branch " B2\n" /* 0 1 */                                                                        \
    "B1:\nnop\nld R1, R0\nbra B3\n"             /* 2 3 4 */                                                                      \
    "B2:\nnop\nld R1, R2\n"                     /* 5 6 */                                                                        \
    "B3:\nnop\nst R0, R1\nexit\n"               /* 7 8 9 */
    judge(BOTH("bra.uni"), (const uint8_t[]){0, 0, 0, LONG, 0, 0, LONG, WAIT, USE, END},
          (const uint32_t[]){0, 0, 0, 0, 0, 0, 0, 0, 1, 1}, 2);
    judge(BOTH("bra"), (const uint8_t[]){0, END, WAIT, USE | LONG, END, WAIT, USE | LONG | END, WAIT, USE, END},
          (const uint32_t[]){0, 0, 1, 2, 2, 3, 4, 5, 6, 6}, 7);
}

/* A load at a loop's end is needed at its start: the loop's branch waits, and so does the way in, where nothing is on its way. */
static void test_loop_carried(void **state) {
    (void)state;
    judge("B0:\nmov R1, 0\n"                         /* 0 */
          "B1:\nadd R2, R2, R1\n"                    /* 1 */
          "ld R1, R2\nsetp P0, R2, R2\n@P0 bra B1\n" /* 2 3 4 */
          "B2:\nst R2, R2\nexit\n",                  /* 5 6 */
          (const uint8_t[]){WAIT, USE, LONG, 0, WAIT, 0, END}, (const uint32_t[]){0, 1, 1, 1, 1, 2, 2}, 3);
}

/* A loop left from inside: lanes that leave wait at B3 while others go around, and the strand ends at B2's branch. So it ends at
 * B1's branch too, or what B1 computed would not be there any more in B3. If no lane waits it goes on. */
static void test_left_from_inside(void **state) {
    (void)state;
#define LEFT(branch)                                                                                                             \
    "B0:\nmov R1, %tid\n"                                       /* 0 */                                                          \
    "B1:\nadd R2, R1, R1\nsetp P0, R2, R2\n@P0 " branch " B3\n" /* 1 2 3 */                                                      \
    "B2:\nadd R1, R1, R2\nbra B1\n"                             /* 4 5 */                                                        \
    "B3:\nst R2, R2\nexit\n"                                    /* 6 7 */
    judge(LEFT("bra"), (const uint8_t[]){END, 0, 0, END, 0, END, 0, END}, (const uint32_t[]){0, 1, 1, 1, 2, 2, 3, 3}, 4);
    judge(LEFT("bra.uni"), (const uint8_t[]){END, 0, 0, 0, 0, END, 0, END}, (const uint32_t[]){0, 1, 1, 1, 1, 1, 1, 1}, 2);
}

/* R1 is on its way into the loop and not any more around it. A strand begins at the head anyway, so nobody waits there. */
static void test_loop_head(void **state) {
    (void)state;
    judge("B0:\nld R1, R0\n"                             /* 0 */
          "B1:\nld R3, R0\nadd R4, R3, R3\n@P0 bra B1\n" /* 1 2 3 */
          "B2:\nadd R2, R1, R4\nexit\n",                 /* 4 5 */
          (const uint8_t[]){LONG | END, LONG | WAIT, USE, END, 0, END}, (const uint32_t[]){0, 1, 2, 2, 3, 3}, 4);
}

/* The wait at B0's branch, found last, leaves nothing on its way around the loop: B1's branch must not wait. */
static void test_wait_found_late(void **state) {
    (void)state;
    judge("B0:\natom R0, R1, R1\n@P1 bra.uni B2\n" /* 0 1 */
          "B1:\nadd R1, R3, R2\nbra B0\n"          /* 2 3 */
          "B2:\nadd R3, R3, R0\nexit\n",           /* 4 5 */
          (const uint8_t[]){LONG, WAIT, 0, END, USE, END}, (const uint32_t[]){0, 0, 1, 1, 2, 2}, 3);
}

static void test_long_latency(void **state) {
    (void)state;
    rf_kernel k;
    hand_kernel(&k,
                "B0:\nld R1, R0\nldl R1, R0\nldg R1, R0\natom R1, R0, R0\nlds R1, R0\nldc R1, R0\nldp R1, 0\natoms R1, R0, R0\n"
                "red R0, R1\nst R0, R1\nadd R1, R0, R0\nexit\n");
    for (uint32_t i = 0; i < k.ninst; i++) assert_int_equal(rf_kinst_long_latency(&k.inst[i]), i < 4);
    rf_kernel_free(&k);
}

static void test_live_out(void **state) {
    (void)state;
    rf_kernel k;
    rf_strands s;
    rf_liveness live;
    uint64_t set[2] = {0};
    hand_kernel(&k, "B0:\nld R1, R0\nadd R2, R0, R0\nadd R3, R2, R0\nadd R4, R1, R3\nst R4, R0\nexit\n");
    assert_int_equal(rf_strands_compute(&s, &k), 0);
    assert_int_equal(rf_liveness_compute(&live, &k, RF_LIVE_LANE), 0);
    assert_int_equal(live.set_words, 1);
    rf_strands_live_out(&s, &live, 0, set); /* R2 stays in the strand */
    assert_int_equal(set[0], 1u << 0 | 1u << 1 | 1u << 3);
    rf_strands_live_out(&s, &live, 1, set);
    assert_int_equal(set[0], 0);
    rf_liveness_free(&live);
    rf_strands_free(&s);
    rf_kernel_free(&k);
}

/* --- judges ----------------------------------------------------------------------------------------------------------------- */

/* Registers as bits; at most 16 of them. */
static uint32_t touched(const rf_kinst *inst, uint32_t *written) {
    uint16_t src[2 * RF_KSRC_MAX], dst[2 * RF_KDST_MAX];
    uint32_t nsrc, ndst, all = 0;
    rf_kinst_words(inst, src, &nsrc, dst, &ndst);
    *written = 0;
    for (uint32_t s = 0; s < nsrc; s++) all |= 1u << src[s];
    for (uint32_t d = 0; d < ndst; d++) *written |= 1u << dst[d];
    return all | *written;
}

/* Without branches, a strand is as long as the definition allows. */
static void test_straight(void **state) {
    (void)state;
    uint64_t rng = 2;
    uint32_t cuts = 0;
    for (uint32_t round = 0; round < 2000; round++) {
        rf_kernel k;
        rf_strands s;
        do {
            hand_random(&k, &rng, 2 + 2 * hand_below(&rng, 5), false);
            if (k.nblock == 1) break;
            rf_kernel_free(&k);
        } while (true);
        assert_int_equal(rf_strands_compute(&s, &k), 0);
        uint32_t on_its_way = 0, strand = 0, written;
        for (uint32_t i = 0; i < k.ninst; i++) {
            const bool needs = touched(&k.inst[i], &written) & on_its_way;
            if (needs) on_its_way = 0, strand++, cuts++;
            if (rf_kinst_long_latency(&k.inst[i])) on_its_way |= written;
            assert_int_equal(s.of[i], strand);
            assert_int_equal((s.flags[i] & USE) != 0, needs);
            if (i) assert_int_equal(s.flags[i - 1] & WAIT, needs ? WAIT : 0);
        }
        assert_int_equal(s.count, strand + 1);
        rf_strands_free(&s);
        rf_kernel_free(&k);
    }
    assert_true(cuts > 500);
}

typedef struct walker {
    const rf_kernel *k;
    const rf_strands *s;
    uint32_t last, on_its_way, waited; /* waited: what was on its way before the last instruction's wait */
    uint32_t steps, ends, waits;
    uint32_t entered;  /* lanes that were there when the strand was entered; all, where a guard hides it */
    uint32_t together; /* instructions behind an entry, by lanes that were there */
} walker;

static void walk_step(void *ctx, uint32_t inst, uint32_t mask) {
    walker *const w = ctx;
    const rf_strands *const s = w->s;
    uint32_t written;
    const uint32_t all = touched(&w->k->inst[inst], &written);
    const bool ended = w->last == RF_KNONE || (s->flags[w->last] & END);
    if (ended) assert_int_equal(s->first[s->of[inst]], inst);
    else assert_int_equal(s->of[inst], s->of[w->last]);
    if (ended) w->entered = w->k->inst[inst].guard == RF_KNONE || w->k->inst[inst].op == RF_K_BRA ? mask : UINT32_MAX;
    assert_int_equal(mask & ~w->entered, 0); /* no strand ended while a lane waited inside of one */
    w->together += w->entered != UINT32_MAX && !ended;
    w->waited = w->on_its_way;
    if (w->last != RF_KNONE && (s->flags[w->last] & RF_HINT_DESCHEDULE)) w->on_its_way = 0, w->waits++;
    if (all & w->waited) assert_true(s->flags[inst] & USE);
    assert_int_equal(all & w->on_its_way, 0);
    if (rf_kinst_long_latency(&w->k->inst[inst])) w->on_its_way |= written;
    w->last = inst;
    w->steps++;
    w->ends += (s->flags[inst] & END) != 0;
}

static void test_walks(void **state) {
    (void)state;
    uint64_t rng = 3;
    uint32_t steps = 0, ends = 0, waits = 0, merged = 0, together = 0;
    for (uint32_t round = 0; round < 6000; round++) {
        rf_kernel k;
        rf_strands s;
        hand_random(&k, &rng, 2 + 2 * hand_below(&rng, 7), hand_below(&rng, 3) == 0);
        assert_int_equal(rf_strands_compute(&s, &k), 0);
        for (uint32_t b = 0; b < k.nblock; b++) {
            for (uint32_t p = 0; p < k.block[b].npred; p++) {
                const uint32_t from = k.block[b].pred[p], last = k.block[from].first + k.block[from].count - 1;
                if (from < b) continue;
                assert_true(s.flags[last] & END); /* a backward branch */
                assert_int_equal(s.first[s.of[k.block[b].first]], k.block[b].first);
            }
            merged += k.block[b].npred > 1 && s.first[s.of[k.block[b].first]] != k.block[b].first;
        }
        for (uint32_t i = 0; i < k.ninst; i++) {
            assert_true(s.of[i] < s.count && s.first[s.of[i]] <= i);
            assert_int_equal((s.flags[i] & LONG) != 0, rf_kinst_long_latency(&k.inst[i]));
            if (s.flags[i] & RF_HINT_DESCHEDULE) assert_true(s.flags[i] & END);
        }
        for (uint32_t n = 0; n < 6; n++) {
            walker w = {.k = &k, .s = &s, .last = RF_KNONE};
            hand_walk(&k, &rng, 200, walk_step, &w);
            steps += w.steps;
            ends += w.ends;
            waits += w.waits;
            together += w.together;
        }
        rf_strands_free(&s);
        rf_kernel_free(&k);
    }
    assert_true(steps > 200000 && waits > 20000 && ends < steps && merged > 100 && together > 50000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_figure_9a),          cmocka_unit_test(test_figure_9b),
                                       cmocka_unit_test(test_load_on_one_way),    cmocka_unit_test(test_hammock),
                                       cmocka_unit_test(test_loads_on_both_ways), cmocka_unit_test(test_loop_carried),
                                       cmocka_unit_test(test_left_from_inside),   cmocka_unit_test(test_loop_head),
                                       cmocka_unit_test(test_long_latency),       cmocka_unit_test(test_live_out),
                                       cmocka_unit_test(test_straight),           cmocka_unit_test(test_walks),
                                       cmocka_unit_test(test_wait_found_late)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
