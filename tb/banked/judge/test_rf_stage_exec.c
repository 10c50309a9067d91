/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_stage_exec: the slow model walks, port by port, the complete collectors from the one after the last that left, and
 * hands over what that collector holds [bank stealing II-B]. */
#include "cmodel/banked/rf_stage_exec.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_stage_exec_unit;

#define NONE 99u

typedef struct slow_exec {
    rf_stage_exec_cfg cfg;
    uint32_t last[RF_EXPORTS_MAX]; /* collector that left last by the port */
} slow_exec;

typedef struct slow_out {
    uint32_t offered[RF_EXPORTS_MAX]; /* collector, NONE when there is none */
    bool leaves[RF_COLLECTORS_MAX];
} slow_out;

/* clang-format off */
#define SEEN(X) \
    X(OFFERED, "offered") X(ACCEPTED, "accepted") X(REFUSED, "refused") X(READY_FOR_NOTHING, "port ready, nothing offered") \
    X(NOTHING, "nothing complete") X(EVERYBODY, "all of several complete") X(CONFLICT, "two collectors want one port") \
    X(EMPTY_BESIDE, "a port without an offer beside one with") X(NOT_COMPLETE, "a collector is not complete, its data is there") \
    X(NO_PORT, "complete, for a port that is not there") X(ALL_PORTS, "all of several ports accept") \
    X(STANDS, "an offer stands for a second cycle") X(OVERTAKEN, "another collector is offered after a refusal") \
    X(CHANGES, "data changes while it is offered") X(WRAP, "the walk wraps") X(TOP_COLLECTOR, "the highest collector leaves") \
    X(TOP_META, "the highest bit of meta is offered") X(TOP_DATA, "the highest bit of the last slot is offered") \
    X(RESET, "reset while running")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_exec *s) {
    for (uint32_t e = 0; e < RF_EXPORTS_MAX; e++) s->last[e] = s->cfg.collectors - 1;
}

static slow_out slow_comb(const slow_exec *s, const rf_stage_exec_in *in) {
    slow_out out;
    memset(&out, 0, sizeof out);
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        out.offered[e] = NONE;
        for (uint32_t turn = 1; turn <= s->cfg.collectors; turn++) {
            const uint32_t c = (s->last[e] + turn) % s->cfg.collectors;
            if (!judge_bit(in->collected, c) || in->port[c] != e) continue;
            out.offered[e] = c;
            break;
        }
        if (out.offered[e] != NONE && judge_bit(in->ex_ready, e)) out.leaves[out.offered[e]] = true;
    }
    return out;
}

static void slow_clock(slow_exec *s, const rf_stage_exec_in *in, const slow_out *out) {
    for (uint32_t e = 0; e < s->cfg.exports; e++)
        if (out->offered[e] != NONE && judge_bit(in->ex_ready, e)) s->last[e] = out->offered[e];
}

/* What the ports are offered: it does not depend on ex_ready. */
static void compare_offer(judge *j, const rf_stage_exec_cfg *cfg, const rf_stage_exec_in *in, const rf_stage_exec_out *out,
                          const slow_out *expected) {
    static const uint32_t nothing[RF_LANES_MAX];
    bool valid[RF_EXPORTS_MAX] = {false};
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const uint32_t c = expected->offered[e];
        valid[e] = c != NONE;
        for (uint32_t w = 0; w < 4; w++) judge_equal(j, "ex_meta", e, out->ex_meta[e].w[w], valid[e] ? in->meta[c].w[w] : 0);
        for (uint32_t k = 0; k < cfg->slots; k++)
            judge_words(j, "ex_data", e * cfg->slots + k, out->ex_data[e * cfg->slots + k].lane,
                        valid[e] ? in->data[k * cfg->collectors + c].lane : nothing, RF_LANES_MAX);
    }
    judge_equal(j, "ex_valid", 0, out->ex_valid, judge_pack(valid, cfg->exports));
}

static void compare_out(judge *j, const rf_stage_exec_cfg *cfg, const rf_stage_exec_in *in, const rf_stage_exec_out *out,
                        const slow_out *expected) {
    compare_offer(j, cfg, in, out, expected);
    judge_equal(j, "dispatched", 0, out->dispatched, judge_pack(expected->leaves, cfg->collectors));
}

static void compare_state(judge *j, const slow_exec *s, const rf_stage_exec *m) {
    for (uint32_t e = 0; e < s->cfg.exports; e++)
        judge_equal(j, "dispatch.rr.mask_q", e, m->dispatch.rr[e].mask_q, judge_above(s->last[e], s->cfg.collectors));
}

static void start(judge *j, uint64_t seed, rf_stage_exec *m, slow_exec *s, const rf_stage_exec_cfg *cfg) {
    judge_begin(j, seed,
                "rf_stage_exec collectors=%" PRIu32 " slots=%" PRIu32 " exports=%" PRIu32 " meta_w=%" PRIu32 " data_w=%" PRIu32,
                cfg->collectors, cfg->slots, cfg->exports, cfg->meta_w, cfg->data_w);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_stage_exec_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    s->cfg = *cfg;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb leaves the model alone, and the offer is the same with ex_ready inverted. */
static slow_out step(judge *j, rf_stage_exec *m, slow_exec *s, const rf_stage_exec_in *in) {
    static rf_stage_exec_out out;
    static rf_stage_exec_in other;
    const slow_out expected = slow_comb(s, in);
    rf_stage_exec before;
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_stage_exec_comb(m, in, &out);
    compare_out(j, &s->cfg, in, &out, &expected);
    if (j->cycle % 8 == 0) {
        other = *in;
        other.ex_ready = (uint8_t)(~in->ex_ready & ls_mask(s->cfg.exports));
        memset(&out, 0x5a, sizeof out);
        rf_stage_exec_comb(m, &other, &out);
        compare_offer(j, &s->cfg, in, &out, &expected);
    }
    assert_memory_equal(&before, m, sizeof before);
    JUDGE_CLOCK(rf_stage_exec, m, in);
    slow_clock(s, in, &expected);
    compare_state(j, s, m);
    j->cycle++;
    return expected;
}

/* Counts the events of a cycle; `s` is the state before it, `last` the answer of the cycle before, `changed` the collectors with
 * new data. */
static void count(const slow_exec *s, const rf_stage_exec_in *in, const slow_out *out, const slow_out *last, uint64_t changed,
                  uint64_t *seen) {
    const rf_stage_exec_cfg *cfg = &s->cfg;
    uint32_t accepted = 0, offered = 0;
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const uint32_t c = out->offered[e], top = cfg->meta_w - 1;
        const bool ready = judge_bit(in->ex_ready, e), refused = last->offered[e] != NONE && !last->leaves[last->offered[e]];
        uint32_t wanting = 0;
        for (uint32_t i = 0; i < cfg->collectors; i++) wanting += judge_bit(in->collected, i) && in->port[i] == e;
        seen[CONFLICT] += wanting > 1;
        seen[READY_FOR_NOTHING] += c == NONE && ready;
        if (c == NONE) continue;
        offered++;
        accepted += ready;
        seen[OFFERED]++;
        seen[ACCEPTED] += ready;
        seen[REFUSED] += !ready;
        seen[STANDS] += refused && last->offered[e] == c;
        seen[OVERTAKEN] += refused && last->offered[e] != c;
        seen[CHANGES] += refused && last->offered[e] == c && judge_bit(changed, c);
        seen[WRAP] += c < s->last[e] && s->last[e] != cfg->collectors - 1;
        seen[TOP_COLLECTOR] += cfg->collectors > 1 && ready && c == cfg->collectors - 1;
        seen[TOP_META] += cfg->meta_w > 64 && judge_bit(in->meta[c].w[1], top - 64);
        seen[TOP_DATA] += judge_bit(in->data[(cfg->slots - 1) * cfg->collectors + c].lane[cfg->data_w / 32 - 1], 31);
    }
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        seen[NO_PORT] += judge_bit(in->collected, c) && in->port[c] >= cfg->exports;
        seen[NOT_COMPLETE] += !judge_bit(in->collected, c) && in->data[c].lane[0] != 0 && in->port[c] < cfg->exports;
    }
    seen[NOTHING] += in->collected == 0;
    seen[EVERYBODY] += cfg->collectors > 1 && in->collected == ls_mask(cfg->collectors);
    seen[ALL_PORTS] += cfg->exports > 1 && accepted == cfg->exports;
    seen[EMPTY_BESIDE] += offered > 0 && offered < cfg->exports;
}

typedef struct mix {
    uint32_t collected, accept, hold, hot, illegal, change;
} mix;

/* The next cycle's input: a collector that did not leave mostly stays complete. The answer is the collectors with new data. */
static uint64_t drive(const rf_stage_exec_cfg *cfg, const mix *p, rf_stage_exec_in *in, const slow_out *last, ls_rng *rng) {
    const uint32_t one = ls_rng_below(rng, cfg->exports);
    const uint64_t fresh =
        ls_rng_chance(rng, 16) ? ls_rng_value(rng, cfg->collectors) : ls_rng_bits(rng, cfg->collectors, p->collected);
    uint64_t changed = 0;
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        const bool stays = judge_bit(in->collected, c) && !last->leaves[c] && ls_rng_chance(rng, p->hold);
        if (!stays) {
            in->collected = (uint16_t)((in->collected & ~(1u << c)) | (fresh & (1u << c)));
            if (ls_rng_chance(rng, p->illegal)) in->port[c] = (uint8_t)ls_rng_below(rng, judge_codes(cfg->exports));
            else in->port[c] = (uint8_t)(ls_rng_chance(rng, p->hot) ? one : ls_rng_below(rng, cfg->exports));
        }
        if (stays ? !ls_rng_chance(rng, p->change) : ls_rng_chance(rng, 128)) continue;
        changed |= UINT64_C(1) << c;
        in->meta[c].w[0] = ls_rng_value(rng, cfg->meta_w < 64 ? cfg->meta_w : 64);
        in->meta[c].w[1] = cfg->meta_w > 64 ? ls_rng_value(rng, cfg->meta_w - 64) : 0;
        for (uint32_t k = 0; k < cfg->slots; k++) ls_rng_lanes(rng, in->data[k * cfg->collectors + c].lane, cfg->data_w / 32);
    }
    in->ex_ready = (uint8_t)ls_rng_bits(rng, cfg->exports, p->accept);
    return changed;
}

static mix some_mix(ls_rng *rng) {
    static const uint32_t densities[] = {8, 48, 128, 224, 256};
    const uint32_t collected = densities[ls_rng_below(rng, 5)], accept = densities[ls_rng_below(rng, 5)];
    const uint32_t hold = ls_rng_chance(rng, 192) ? 256 : ls_rng_below(rng, 257);
    return (mix){collected, accept, hold, ls_rng_below(rng, 200), ls_rng_below(rng, 64), ls_rng_below(rng, 16)};
}

static void run(const rf_stage_exec_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    static rf_stage_exec_in in;
    rf_stage_exec m;
    slow_exec s, before;
    slow_out out, last;
    mix p = {0};
    judge j;
    ls_rng rng;
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&rng, seed);
    memset(&in, 0, sizeof in);
    memset(&out, 0, sizeof out);
    for (uint32_t e = 0; e < RF_EXPORTS_MAX; e++) out.offered[e] = NONE;
    while (j.cycle < cycles) {
        if (j.cycle % 256 == 0) p = some_mix(&rng);
        const uint64_t changed = drive(cfg, &p, &in, &out, &rng);
        last = out;
        before = s;
        out = step(&j, &m, &s, &in);
        count(&before, &in, &out, &last, changed, seen);
        if (ls_rng_below(&rng, 512) == 0) {
            rf_stage_exec_reset(&m);
            slow_reset(&s);
            compare_state(&j, &s, &m);
            seen[RESET]++;
        }
    }
    judge_passes(&j);
}

static void random_traffic_of_every_shape(void **state) {
    static const rf_stage_exec_cfg sets[] = {
        {8, 3, 4, 48, 128}, {8, 7, 4, 70, 1024}, {16, 4, 8, 128, 1024}, {1, 1, 1, 1, 32},
        {5, 3, 3, 65, 96},  {3, 8, 5, 127, 992}, {16, 1, 2, 2, 64},     {7, 2, 1, 63, 32},
        {8, 8, 8, 100, 32}, {2, 6, 7, 64, 160},  {13, 4, 6, 33, 64},    {1, 8, 8, 128, 32},
    };
    const size_t n = sizeof sets / sizeof *sets;
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < n; i++) {
        run(&sets[i], ls_seed_derive(i, "judge rf_stage_exec"), 17000, seen);
        cycles += 17000;
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* Three collectors with two slots, three ports: every request, the port number that is not there included, from every pointer. */
static void every_input_of_a_small_one(void **state) {
    static rf_stage_exec_in in;
    const rf_stage_exec_cfg cfg = {3, 2, 3, 5, 32};
    rf_stage_exec m;
    slow_exec s;
    judge j;
    (void)state;
    memset(&in, 0, sizeof in);
    for (uint32_t c = 0; c < 3; c++) in.meta[c].w[0] = 17 + c, in.data[c].lane[0] = 100 + c, in.data[3 + c].lane[0] = 200 + c;
    for (uint32_t pointers = 0; pointers < 27; pointers++) {
        start(&j, 0, &m, &s, &cfg);
        for (uint32_t n = 0; n < 8 * 8 * 64; n++) {
            for (uint32_t e = 0, rest = pointers; e < 3; e++, rest /= 3) {
                s.last[e] = rest % 3;
                m.dispatch.rr[e].mask_q = judge_above(s.last[e], 3);
            }
            in.collected = n & 7;
            in.ex_ready = (n >> 3) & 7;
            for (uint32_t c = 0; c < 3; c++) in.port[c] = (n >> (6 + 2 * c)) & 3;
            step(&j, &m, &s, &in);
        }
        judge_passes(&j);
    }
}

static rf_stage_exec m1; /* the unit of the directed tests */
static rf_stage_exec_in in1;
static rf_stage_exec_out answer;

static void begin(rf_stage_exec_cfg cfg) {
    assert_int_equal(rf_stage_exec_init(&m1, &cfg), 0);
    memset(&in1, 0, sizeof in1);
}

static void cycle(void) {
    rf_stage_exec_comb(&m1, &in1, &answer);
    rf_stage_exec_clock(&m1, &in1);
}

/* Collectors 1 and 3 wait for port 2: one after the other, each with its own operands in order and its own meta; the other ports
 * are silent and 0. */
static void an_instruction_leaves_with_what_is_its_own(void **state) {
    static const uint32_t order[] = {1, 1, 3, 1};
    (void)state;
    begin((rf_stage_exec_cfg){4, 3, 3, 100, 64});
    in1.collected = 0xa;
    for (uint32_t c = 0; c < 4; c++) {
        in1.port[c] = 2;
        in1.meta[c].w[0] = 1000 + c, in1.meta[c].w[1] = UINT64_C(0x800000000) + c;
        for (uint32_t k = 0; k < 3; k++) in1.data[k * 4 + c].lane[0] = c * 16 + k, in1.data[k * 4 + c].lane[1] = 0x80000000u + c;
    }
    for (uint32_t t = 0; t < 4; t++) {
        in1.ex_ready = t == 0 ? 3 : 4; /* the first time only the others accept: the offer stands */
        cycle();
        assert_int_equal(answer.ex_valid, 4);
        assert_int_equal(answer.dispatched, t == 0 ? 0 : 1u << order[t]);
        assert_int_equal(answer.ex_meta[2].w[0], 1000 + order[t]);
        assert_true(answer.ex_meta[2].w[1] == UINT64_C(0x800000000) + order[t]);
        for (uint32_t k = 0; k < 3; k++) {
            assert_int_equal(answer.ex_data[2 * 3 + k].lane[0], order[t] * 16 + k);
            assert_int_equal(answer.ex_data[2 * 3 + k].lane[1], 0x80000000u + order[t]);
            assert_int_equal(answer.ex_data[k].lane[0] | answer.ex_data[3 + k].lane[1], 0);
        }
        assert_int_equal(answer.ex_meta[0].w[0] | answer.ex_meta[1].w[1], 0);
    }
}

static void every_port_takes_one_in_one_cycle(void **state) {
    (void)state;
    begin((rf_stage_exec_cfg){8, 1, 4, 8, 32});
    in1.collected = 0xff, in1.ex_ready = 0xf;
    for (uint8_t c = 0; c < 8; c++) in1.port[c] = (uint8_t)(3 - c % 4), in1.data[c].lane[0] = 50u + c;
    for (uint32_t t = 0; t < 4; t++) {
        cycle();
        assert_int_equal(answer.dispatched, t % 2 == 0 ? 0x0f : 0xf0);
        for (uint32_t e = 0; e < 4; e++) assert_int_equal(answer.ex_data[e].lane[0], 50 + 3 - e + t % 2 * 4);
    }
}

/* Complete for a port that is not there: never offered, and nobody else waits for it. */
static void a_port_that_is_not_there_is_never_served(void **state) {
    (void)state;
    for (uint8_t port = 5; port < 8; port++) {
        begin((rf_stage_exec_cfg){2, 2, 5, 8, 32});
        in1.collected = 3, in1.ex_ready = 0x1f, in1.port[0] = port, in1.port[1] = 4;
        for (uint32_t i = 0; i < 4; i++) in1.data[i].lane[0] = 9;
        cycle();
        assert_int_equal(answer.dispatched, 2);
        assert_int_equal(answer.ex_valid, 0x10);
        for (uint32_t i = 0; i < 8; i++) assert_int_equal(answer.ex_data[i].lane[0], 0);
    }
}

static void reset_puts_collector_0_first(void **state) {
    (void)state;
    begin((rf_stage_exec_cfg){5, 1, 3, 8, 32});
    in1.collected = 4, in1.ex_ready = 7;
    for (uint8_t e = 0; e < 3; e++) {
        in1.port[2] = e;
        cycle();
        assert_int_equal(m1.dispatch.rr[e].mask_q, 0x18);
    }
    rf_stage_exec_reset(&m1);
    for (uint32_t e = 0; e < 3; e++) assert_int_equal(m1.dispatch.rr[e].mask_q, 0);
    assert_int_equal(m1.cfg.collectors, 5);
    assert_int_equal(m1.cfg.data_w, 32);
    in1.collected = 0x1f;
    memset(in1.port, 1, sizeof in1.port);
    cycle();
    assert_int_equal(answer.dispatched, 1);
}

/* Refused with a message that names one of the two parameters and the limit. */

static void a_parameter_out_of_range_is_refused_by_name(void **state) {
    static const rf_stage_exec_cfg good[] = {{4, 3, 2, 20, 128}, {1, 1, 1, 1, 32}, {16, 4, 8, 128, 1024}, {8, 8, 8, 128, 992}};
    static const rf_stage_exec_cfg bad[] = {
        {16, 5, 2, 20, 128}, {9, 8, 2, 20, 128}, {4, 3, 2, 20, 33}, {4, 3, 2, 20, 31}, {4, 3, 2, 20, 1008}};
    (void)state;
    JUDGE_RANGES(rf_stage_exec, good);
    for (uint32_t i = 0; i < 5; i++)
        judge_refused(&rf_stage_exec_unit, &bad[i], i < 2 ? "collectors" : "data_w", i < 2 ? "64" : "32");
}

static void the_comparer_sees_every_flipped_bit(void **state) {
    const rf_stage_exec_cfg cfg = {5, 2, 3, 70, 1024};
    rf_stage_exec m;
    slow_exec s;
    slow_out last;
    judge j;
    ls_rng rng;
    (void)state;
    start(&j, 0, &m, &s, &cfg);
    ls_rng_seed(&rng, 5);
    memset(&in1, 0, sizeof in1);
    memset(&last, 0, sizeof last);
    for (uint32_t t = 0; t < 50; t++) {
        drive(&cfg, &(mix){200, 128, 128, 40, 0, 64}, &in1, &last, &rng);
        last = step(&j, &m, &s, &in1);
    }
    rf_stage_exec_comb(&m, &in1, &answer);
    const slow_out expected = slow_comb(&s, &in1);
    compare_out(&j, &cfg, &in1, &answer, &expected);
    judge_passes(&j);
    JUDGE_FLIPS(&j, rf_stage_exec, LS_OUT, &m, &answer, compare_out(&j, &cfg, &in1, &answer, &expected));
    JUDGE_FLIPS(&j, rf_stage_exec, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traffic_of_every_shape),
        cmocka_unit_test(every_input_of_a_small_one),
        cmocka_unit_test(an_instruction_leaves_with_what_is_its_own),
        cmocka_unit_test(every_port_takes_one_in_one_cycle),
        cmocka_unit_test(a_port_that_is_not_there_is_never_served),
        cmocka_unit_test(reset_puts_collector_0_first),
        cmocka_unit_test(a_parameter_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_every_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_stage_exec", tests, NULL, NULL);
}
