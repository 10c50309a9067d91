/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_dispatch: the slow model goes through the ports and walks the collectors from the one after the last released
 * [bank stealing II-B]. */
#include "cmodel/banked/rf_dispatch.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_dispatch_unit;

typedef struct slow_dispatch {
    rf_dispatch_cfg cfg;
    uint32_t last[RF_EXPORTS_MAX]; /* collector released last to the port */
} slow_dispatch;

typedef struct slow_out {
    bool grant[RF_COLLECTORS_MAX], valid[RF_EXPORTS_MAX];
    uint32_t sel[RF_EXPORTS_MAX];
} slow_out;

/* clang-format off */
#define SEEN(X) \
    X(NOTHING_READY, "nothing ready") X(OFFERED, "offered") X(ACCEPTED, "accepted") X(REFUSED, "refused") \
    X(READY_FOR_NOTHING, "port ready, nothing offered") X(CONFLICT, "two collectors want one port") \
    X(SEVERAL_PORTS, "several ports at once") X(ALL_PORTS, "all ports accept") X(EVERYBODY_READY, "everybody ready") \
    X(NO_PORT, "collector of no port") X(WRAP, "pointer wraps") X(TOP_COLLECTOR, "last collector released") \
    X(OTHER_AFTER_REFUSAL, "another one offered after a refusal") X(RESET, "reset while running")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_dispatch *s) {
    for (uint32_t e = 0; e < RF_EXPORTS_MAX; e++) s->last[e] = s->cfg.collectors - 1;
}

static void slow_comb(const slow_dispatch *s, const rf_dispatch_in *in, slow_out *out) {
    memset(out, 0, sizeof *out);
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        bool wants[RF_COLLECTORS_MAX] = {false};
        for (uint32_t c = 0; c < s->cfg.collectors; c++) wants[c] = judge_bit(in->ready, c) && in->port[c] == e;
        const uint32_t c = judge_walk(s->last[e], wants, s->cfg.collectors);
        if (c == s->cfg.collectors) continue;
        out->valid[e] = true;
        out->sel[e] = c;
        if (judge_bit(in->ex_ready, e)) out->grant[c] = true;
    }
}

static void slow_clock(slow_dispatch *s, const rf_dispatch_in *in, const slow_out *out) {
    for (uint32_t e = 0; e < s->cfg.exports; e++)
        if (out->valid[e] && judge_bit(in->ex_ready, e)) s->last[e] = out->sel[e];
}

static void compare_out(judge *j, const rf_dispatch_cfg *cfg, const rf_dispatch_out *out, const slow_out *expected) {
    judge_equal(j, "grant", 0, out->grant, judge_pack(expected->grant, cfg->collectors));
    judge_equal(j, "ex_valid", 0, out->ex_valid, judge_pack(expected->valid, cfg->exports));
    for (uint32_t e = 0; e < cfg->exports; e++) judge_equal(j, "ex_sel", e, out->ex_sel[e], expected->sel[e]);
}

static void compare_state(judge *j, const slow_dispatch *s, const rf_dispatch *m) {
    for (uint32_t e = 0; e < s->cfg.exports; e++)
        judge_equal(j, "rr.mask_q", e, m->rr[e].mask_q, judge_above(s->last[e], s->cfg.collectors));
}

static void start(rf_dispatch *m, slow_dispatch *s, rf_dispatch_cfg cfg) {
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_dispatch_init(m, &cfg), 0);
    assert_memory_equal(&m->cfg, &cfg, sizeof cfg);
    s->cfg = cfg;
    slow_reset(s);
}

/* One cycle of both, everything compared; the two calls of comb start from different garbage and must leave the model alone, and
 * the offer is the same with every port ready and with none. */
static void step(judge *j, rf_dispatch *m, slow_dispatch *s, const rf_dispatch_in *in, slow_out *expected) {
    rf_dispatch before;
    rf_dispatch_out out;
    rf_dispatch_in other = *in;
    slow_comb(s, in, expected);
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_dispatch_comb(m, in, &out);
    compare_out(j, &s->cfg, &out, expected);
    other.ex_ready = (uint8_t)(~in->ex_ready & ls_mask(s->cfg.exports));
    rf_dispatch_comb(m, &other, &out);
    judge_equal(j, "ex_valid with ex_ready inverted", 0, out.ex_valid, judge_pack(expected->valid, s->cfg.exports));
    memset(&out, 0x5a, sizeof out);
    rf_dispatch_comb(m, in, &out);
    compare_out(j, &s->cfg, &out, expected);
    assert_memory_equal(&before, m, sizeof before);
    JUDGE_CLOCK(rf_dispatch, m, in);
    slow_clock(s, in, expected);
    compare_state(j, s, m);
    j->cycle++;
}

/* Counts the events of a cycle; `s` is the state before it, `last` the answer of the cycle before. */
static void count(const slow_dispatch *s, const rf_dispatch_in *in, const slow_out *out, const slow_out *last, uint64_t *seen) {
    uint32_t accepted = 0;
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        const bool ready = judge_bit(in->ex_ready, e);
        uint32_t wanting = 0;
        for (uint32_t c = 0; c < s->cfg.collectors; c++) wanting += judge_bit(in->ready, c) && in->port[c] == e;
        seen[OFFERED] += out->valid[e];
        seen[ACCEPTED] += out->valid[e] && ready;
        seen[REFUSED] += out->valid[e] && !ready;
        seen[READY_FOR_NOTHING] += !out->valid[e] && ready;
        seen[CONFLICT] += wanting > 1;
        seen[WRAP] += out->valid[e] && out->sel[e] < s->last[e] && s->last[e] != s->cfg.collectors - 1;
        seen[OTHER_AFTER_REFUSAL] += out->valid[e] && last->valid[e] && !last->grant[last->sel[e]] && last->sel[e] != out->sel[e];
        accepted += out->valid[e] && ready;
    }
    for (uint32_t c = 0; c < s->cfg.collectors; c++) seen[NO_PORT] += judge_bit(in->ready, c) && in->port[c] >= s->cfg.exports;
    seen[NOTHING_READY] += in->ready == 0;
    seen[EVERYBODY_READY] += in->ready == ls_mask(s->cfg.collectors);
    seen[SEVERAL_PORTS] += accepted > 1;
    seen[ALL_PORTS] += s->cfg.exports > 1 && accepted == s->cfg.exports;
    seen[TOP_COLLECTOR] += s->cfg.collectors > 1 && out->grant[s->cfg.collectors - 1];
}

static void run(rf_dispatch_cfg cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    static const uint32_t densities[] = {8, 48, 128, 224, 256};
    rf_dispatch m;
    slow_dispatch s, before;
    slow_out expected, last;
    rf_dispatch_in in;
    judge j;
    ls_rng rng;
    memset(&in, 0, sizeof in);
    memset(&expected, 0, sizeof expected);
    start(&m, &s, cfg);
    judge_begin(&j, seed, "rf_dispatch collectors=%" PRIu32 " exports=%" PRIu32, cfg.collectors, cfg.exports);
    compare_state(&j, &s, &m);
    ls_rng_seed(&rng, seed);
    const uint32_t density = densities[ls_rng_below(&rng, 5)], accept = densities[ls_rng_below(&rng, 5)];
    const uint32_t hold = ls_rng_below(&rng, 257), hot = ls_rng_below(&rng, 160), illegal = ls_rng_below(&rng, 64);
    while (j.cycle < cycles) {
        const bool boundary = ls_rng_chance(&rng, 16);
        const uint64_t ready = boundary ? ls_rng_value(&rng, cfg.collectors) : ls_rng_bits(&rng, cfg.collectors, density);
        const uint32_t one = ls_rng_below(&rng, cfg.exports);
        const bool keep = ls_rng_chance(&rng, hold);
        for (uint32_t c = 0; c < cfg.collectors; c++) {
            if (keep && judge_bit(in.ready, c) && !expected.grant[c]) continue; /* waits for its port */
            in.ready = (uint16_t)((in.ready & ~(1u << c)) | (ready & (1u << c)));
            if (ls_rng_chance(&rng, illegal)) in.port[c] = (uint8_t)ls_rng_below(&rng, judge_codes(cfg.exports));
            else in.port[c] = (uint8_t)(ls_rng_chance(&rng, hot) ? one : ls_rng_below(&rng, cfg.exports));
        }
        in.ex_ready = (uint8_t)ls_rng_bits(&rng, cfg.exports, accept);
        last = expected;
        before = s;
        step(&j, &m, &s, &in, &expected);
        count(&before, &in, &expected, &last, seen);
        if (ls_rng_below(&rng, 512) == 0) {
            rf_dispatch_reset(&m);
            slow_reset(&s);
            compare_state(&j, &s, &m);
            seen[RESET]++;
        }
    }
    judge_passes(&j);
}

/* All 128 sizes. */
static void random_traffic_of_every_size(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (uint32_t collectors = 1; collectors <= 16; collectors++)
        for (uint32_t exports = 1; exports <= 8; exports++)
            for (uint64_t k = 0; k < 4; k++) {
                const uint64_t seed = ls_seed_derive(k * 1000 + collectors * 10 + exports, "judge rf_dispatch");
                run((rf_dispatch_cfg){collectors, exports}, seed, 400, seen);
                cycles += 400;
            }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* Three collectors, three ports: every input, the port number that does not exist included, from every pointer. */
static void every_input_of_a_small_one(void **state) {
    judge j;
    (void)state;
    judge_begin(&j, 0, "rf_dispatch collectors=3 exports=3, all inputs");
    for (uint32_t pointers = 0; pointers < 27; pointers++)
        for (uint32_t n = 0; n < 8 * 8 * 64; n++) {
            rf_dispatch m;
            slow_dispatch s;
            slow_out expected;
            rf_dispatch_in in;
            memset(&in, 0, sizeof in);
            start(&m, &s, (rf_dispatch_cfg){3, 3});
            for (uint32_t e = 0, rest = pointers; e < 3; e++, rest /= 3) {
                s.last[e] = rest % 3;
                m.rr[e].mask_q = judge_above(s.last[e], 3);
            }
            in.ready = n & 7;
            in.ex_ready = (n >> 3) & 7;
            for (uint32_t c = 0; c < 3; c++) in.port[c] = (n >> (6 + 2 * c)) & 3;
            step(&j, &m, &s, &in, &expected);
        }
    judge_passes(&j);
}

static rf_dispatch m1; /* the unit of the directed tests */
static rf_dispatch_in in1;
static rf_dispatch_out answer;

static void begin(rf_dispatch_cfg cfg) {
    assert_int_equal(rf_dispatch_init(&m1, &cfg), 0);
    memset(&in1, 0, sizeof in1);
}

static void cycle(void) {
    rf_dispatch_comb(&m1, &in1, &answer);
    rf_dispatch_clock(&m1, &in1);
}

/* [bank stealing II-B]: "After all the operands for an instruction are collected, it is dispatched to a dedicated execution unit,
 * ..., and the hosting collector is released": one per port and cycle, in turn. */
static void collectors_of_one_port_go_in_turn(void **state) {
    (void)state;
    begin((rf_dispatch_cfg){8, 4});
    in1.ready = 0xff;
    in1.ex_ready = 0xf;
    memset(in1.port, 2, sizeof in1.port);
    for (uint32_t t = 0; t < 20; t++) {
        cycle();
        assert_int_equal(answer.grant, 1u << (t % 8));
        assert_int_equal(answer.ex_valid, 1u << 2);
        assert_int_equal(answer.ex_sel[2], t % 8);
        assert_int_equal(answer.ex_sel[0] + answer.ex_sel[1] + answer.ex_sel[3], 0);
    }
}

static void different_ports_take_one_each(void **state) {
    (void)state;
    begin((rf_dispatch_cfg){8, 4});
    in1.ready = 0xff;
    in1.ex_ready = 0xf;
    for (uint32_t c = 0; c < 8; c++) in1.port[c] = (uint8_t)(3 - c % 4);
    cycle();
    assert_int_equal(answer.grant, 0x0f);
    assert_int_equal(answer.ex_valid, 0xf);
    for (uint32_t e = 0; e < 4; e++) assert_int_equal(answer.ex_sel[e], 3 - e);
    cycle();
    assert_int_equal(answer.grant, 0xf0);
}

/* "ex_valid does not depend on ex_ready"; nobody is released and no pointer moves until the port accepts. */
static void an_offer_stands_until_accepted(void **state) {
    (void)state;
    begin((rf_dispatch_cfg){3, 2});
    in1.ready = 7;
    in1.port[0] = in1.port[1] = 1;
    in1.ex_ready = 2;
    cycle();
    assert_int_equal(answer.grant, 1);
    in1.ex_ready = 0;
    for (uint32_t t = 0; t < 5; t++) {
        cycle();
        assert_int_equal(answer.grant, 0);
        assert_int_equal(answer.ex_valid, 3);
        assert_int_equal(answer.ex_sel[0], 2);
        assert_int_equal(answer.ex_sel[1], 1);
        assert_int_equal(m1.rr[0].mask_q, 0);
        assert_int_equal(m1.rr[1].mask_q, 6);
    }
    in1.ex_ready = 1;
    cycle();
    assert_int_equal(answer.grant, 4);
    assert_int_equal(m1.rr[1].mask_q, 6);
    in1.ex_ready = 2;
    cycle();
    assert_int_equal(answer.grant, 2);
    assert_int_equal(m1.rr[1].mask_q, 4);
}

/* "A collector whose port is outside 0 .. EXPORTS-1 is never chosen", and keeps nobody from being chosen. */
static void a_port_that_is_not_there_is_never_served(void **state) {
    static const uint32_t exports[] = {1, 3, 5, 6, 7};
    (void)state;
    for (size_t k = 0; k < sizeof exports / sizeof *exports; k++)
        for (uint32_t code = exports[k]; code < judge_codes(exports[k]); code++) {
            begin((rf_dispatch_cfg){5, exports[k]});
            in1.ready = 0x1f;
            in1.ex_ready = (uint8_t)ls_mask(exports[k]);
            memset(in1.port, (int)code, sizeof in1.port);
            in1.port[4] = 0;
            cycle();
            assert_int_equal(answer.grant, 1u << 4);
            assert_int_equal(answer.ex_valid, 1);
            assert_int_equal(answer.ex_sel[0], 4);
        }
}

/* A collector that waits for a port sees at most COLLECTORS - 1 others released to it. */
static void nobody_is_passed_over_for_long(void **state) {
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, 6);
    for (uint32_t c = 0; c < 8; c++) {
        uint32_t others = 0;
        begin((rf_dispatch_cfg){8, 3});
        for (uint32_t t = 0; t < 3000; t++) {
            in1.ready = (uint16_t)(ls_rng_bits(&rng, 8, 160) | (1u << c));
            in1.ex_ready = (uint8_t)ls_rng_bits(&rng, 3, 128);
            for (uint32_t i = 0; i < 8; i++) in1.port[i] = (uint8_t)ls_rng_below(&rng, 4);
            in1.port[c] = 2;
            cycle();
            assert_true(judge_bit(answer.ex_valid, 2));
            if (judge_bit(answer.grant, c)) others = 0;
            else if (judge_bit(in1.ex_ready, 2)) others++;
            assert_in_range(others, 0, 7);
        }
    }
}

static void reset_puts_collector_0_first(void **state) {
    (void)state;
    begin((rf_dispatch_cfg){5, 3});
    in1.ex_ready = 7;
    in1.ready = 4;
    for (uint8_t e = 0; e < 3; e++) {
        in1.port[2] = e;
        cycle();
        assert_int_equal(m1.rr[e].mask_q, 0x18);
    }
    rf_dispatch_reset(&m1);
    assert_int_equal(m1.cfg.collectors, 5);
    assert_int_equal(m1.cfg.exports, 3);
    for (uint32_t e = 0; e < 3; e++) assert_int_equal(m1.rr[e].mask_q, 0);
    in1.ready = 0x1f;
    memset(in1.port, 1, sizeof in1.port);
    cycle();
    assert_int_equal(answer.grant, 1);
}

static void a_parameter_out_of_range_is_refused_by_name(void **state) {
    static const rf_dispatch_cfg good[] = {{4, 4}, {1, 1}, {16, 1}, {1, 8}, {16, 8}, {3, 5}};
    (void)state;
    JUDGE_RANGES(rf_dispatch, good);
}

static void the_comparer_sees_every_flipped_bit(void **state) {
    const rf_dispatch_cfg cfg = {16, 8};
    rf_dispatch m;
    slow_dispatch s;
    slow_out expected;
    judge j;
    (void)state;
    start(&m, &s, cfg);
    begin(cfg);
    in1.ready = 0xfdb6;
    in1.ex_ready = 0xa7;
    for (uint32_t c = 0; c < 16; c++) in1.port[c] = (uint8_t)((c * 5) % 8);
    rf_dispatch_comb(&m1, &in1, &answer);
    judge_begin(&j, 0, "rf_dispatch as it is");
    slow_comb(&s, &in1, &expected);
    compare_out(&j, &cfg, &answer, &expected);
    step(&j, &m, &s, &in1, &expected);
    judge_passes(&j);
    JUDGE_FLIPS(&j, rf_dispatch, LS_OUT, &m1, &answer, compare_out(&j, &cfg, &answer, &expected));
    JUDGE_FLIPS(&j, rf_dispatch, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traffic_of_every_size),
        cmocka_unit_test(every_input_of_a_small_one),
        cmocka_unit_test(collectors_of_one_port_go_in_turn),
        cmocka_unit_test(different_ports_take_one_each),
        cmocka_unit_test(an_offer_stands_until_accepted),
        cmocka_unit_test(a_port_that_is_not_there_is_never_served),
        cmocka_unit_test(nobody_is_passed_over_for_long),
        cmocka_unit_test(reset_puts_collector_0_first),
        cmocka_unit_test(a_parameter_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_every_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_dispatch", tests, NULL, NULL);
}
