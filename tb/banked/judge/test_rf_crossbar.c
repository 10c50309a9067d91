/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_crossbar: the slow model copies one bit after the other [bank stealing Fig. 1]. */
#include "cmodel/banked/rf_crossbar.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_crossbar_unit;

/* clang-format off */
#define SEEN(X) \
    X(UNUSED, "output not used") X(ROUTED, "output carries a source") X(NO_SOURCE, "source outside") \
    X(FIRST_NO_SOURCE, "first source outside") X(BROADCAST, "two outputs from one source") \
    X(ALL_FROM_ONE, "all outputs from one source") X(PERMUTED, "all outputs from different sources") \
    X(ALL_USED, "all outputs used") X(NONE_USED, "no output used") X(TOP_SOURCE, "top source selected") \
    X(TOP_WORD_FULL, "top word all ones") X(RESET, "reset while running")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

typedef struct slow_out {
    uint32_t data[64][RF_LANES_MAX];
} slow_out;

/* The inputs of a run and what is expected: 8 KB each. */
static rf_crossbar_in in;
static rf_crossbar_out out;
static slow_out expected;

static void slow_comb(const rf_crossbar_cfg *cfg, slow_out *o) {
    memset(o, 0, sizeof *o);
    for (uint32_t d = 0; d < cfg->dst; d++) {
        if (!judge_bit(in.valid, d)) continue;
        if (in.sel[d] >= cfg->src) continue;
        for (uint32_t bit = 0; bit < cfg->width; bit++)
            if ((in.data[in.sel[d]].lane[bit / 32] >> (bit % 32)) & 1) o->data[d][bit / 32] |= 1u << (bit % 32);
    }
}

/* All 1024 bits of an output: those at and above WIDTH are 0. */
static void compare_out(judge *j, const rf_crossbar_cfg *cfg, const rf_crossbar_out *o, const slow_out *e) {
    for (uint32_t d = 0; d < cfg->dst; d++) judge_words(j, "data", d, o->data[d].lane, e->data[d], RF_LANES_MAX);
}

static void start(rf_crossbar *m, rf_crossbar_cfg cfg) {
    assert_int_equal(rf_crossbar_init(m, &cfg), 0);
    assert_memory_equal(&m->cfg, &cfg, sizeof cfg);
    memset(&in, 0, sizeof in);
}

/* One cycle: both calls of comb from different garbage, the model left alone by comb and by clock. */
static void step(judge *j, rf_crossbar *m) {
    const rf_crossbar_cfg cfg = m->cfg;
    slow_comb(&cfg, &expected);
    memset(&out, 0xa5, sizeof out);
    rf_crossbar_comb(m, &in, &out);
    compare_out(j, &cfg, &out, &expected);
    memset(&out, 0x5a, sizeof out);
    rf_crossbar_comb(m, &in, &out);
    compare_out(j, &cfg, &out, &expected);
    JUDGE_CLOCK(rf_crossbar, m, &in);
    assert_memory_equal(&m->cfg, &cfg, sizeof cfg);
    j->cycle++;
}

static void count(const rf_crossbar_cfg *cfg, uint64_t *seen) {
    uint32_t users[64] = {0}, used = 0, routed = 0, shared = 0;
    for (uint32_t d = 0; d < cfg->dst; d++) {
        const bool valid = judge_bit(in.valid, d);
        used += valid;
        seen[UNUSED] += !valid;
        if (!valid) continue;
        seen[NO_SOURCE] += in.sel[d] >= cfg->src;
        seen[FIRST_NO_SOURCE] += in.sel[d] == cfg->src;
        if (in.sel[d] >= cfg->src) continue;
        routed++;
        users[in.sel[d]]++;
        seen[ROUTED]++;
        seen[TOP_SOURCE] += in.sel[d] == cfg->src - 1;
        seen[TOP_WORD_FULL] += in.data[in.sel[d]].lane[(cfg->width - 1) / 32] == (uint32_t)ls_mask((cfg->width - 1) % 32 + 1);
    }
    for (uint32_t i = 0; i < cfg->src; i++) {
        shared += users[i] > 1;
        seen[ALL_FROM_ONE] += cfg->dst > 1 && users[i] == cfg->dst;
    }
    seen[BROADCAST] += shared > 0;
    seen[PERMUTED] += cfg->dst > 1 && routed == cfg->dst && shared == 0;
    seen[ALL_USED] += used == cfg->dst;
    seen[NONE_USED] += used == 0;
}

/* A new value of a source: WIDTH bits, the rest 0. */
static void new_data(ls_rng *rng, const rf_crossbar_cfg *cfg, uint32_t source) {
    const uint32_t words = (cfg->width + 31) / 32;
    ls_rng_lanes(rng, in.data[source].lane, words);
    in.data[source].lane[words - 1] &= (uint32_t)ls_mask((cfg->width - 1) % 32 + 1);
}

static void new_selection(ls_rng *rng, const rf_crossbar_cfg *cfg) {
    const uint32_t codes = judge_codes(cfg->src), how = ls_rng_below(rng, 8), one = ls_rng_below(rng, cfg->src);
    in.valid = how < 2 ? ls_mask(cfg->dst) : ls_rng_value(rng, cfg->dst);
    for (uint32_t d = 0; d < cfg->dst; d++) {
        if (how == 0) in.sel[d] = (uint8_t)one;
        else if (how == 1) in.sel[d] = (uint8_t)((one + d) % cfg->src);
        else if (how < 5) in.sel[d] = (uint8_t)ls_rng_below(rng, cfg->src);
        else in.sel[d] = (uint8_t)ls_rng_below(rng, codes);
    }
}

static void run(rf_crossbar_cfg cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    rf_crossbar m;
    judge j;
    ls_rng rng;
    start(&m, cfg);
    judge_begin(&j, seed, "rf_crossbar src=%" PRIu32 " dst=%" PRIu32 " width=%" PRIu32, cfg.src, cfg.dst, cfg.width);
    ls_rng_seed(&rng, seed);
    for (uint32_t s = 0; s < cfg.src; s++) new_data(&rng, &cfg, s);
    while (j.cycle < cycles) {
        new_selection(&rng, &cfg);
        new_data(&rng, &cfg, ls_rng_below(&rng, cfg.src));
        count(&cfg, seen);
        step(&j, &m);
        if (ls_rng_chance(&rng, 1)) {
            rf_crossbar_reset(&m);
            assert_memory_equal(&m.cfg, &cfg, sizeof cfg);
            seen[RESET]++;
        }
    }
    judge_passes(&j);
}

static void random_routes_of_every_shape(void **state) {
    static const struct {
        rf_crossbar_cfg cfg;
        uint64_t cycles;
    } sets[] = {{{1, 1, 1}, 20000},   {{1, 3, 32}, 20000},  {{3, 1, 33}, 20000},  {{5, 3, 31}, 20000},    {{4, 3, 64}, 20000},
                {{2, 5, 3}, 20000},   {{7, 5, 65}, 10000},  {{8, 9, 128}, 10000}, {{33, 5, 1}, 20000},    {{5, 33, 8}, 10000},
                {{64, 7, 16}, 10000}, {{3, 5, 1000}, 4000}, {{8, 3, 1024}, 4000}, {{16, 24, 1024}, 1000}, {{32, 56, 993}, 500},
                {{64, 64, 2}, 10000}, {{64, 64, 1024}, 500}};
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (uint64_t i = 0; i < sizeof sets / sizeof *sets; i++)
        for (uint64_t k = 0; k < 2; k++) {
            run(sets[i].cfg, ls_seed_derive(k * 100 + i, "judge rf_crossbar"), sets[i].cycles / 2, seen);
            cycles += sets[i].cycles / 2;
        }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* All validities x all selections that the ports can carry, for small crossbars. */
static void every_selection_of_small_ones(void **state) {
    judge j;
    (void)state;
    for (uint32_t src = 1; src <= 5; src++)
        for (uint32_t dst = 1; dst <= 3; dst++) {
            const uint32_t codes = judge_codes(src);
            uint32_t selections = 1;
            rf_crossbar m;
            start(&m, (rf_crossbar_cfg){src, dst, 40});
            for (uint32_t s = 0; s < src; s++) in.data[s] = (rf_vec){{0x11111111u * (s + 1), 0xf0u + s}};
            for (uint32_t d = 0; d < dst; d++) selections *= codes;
            judge_begin(&j, 0, "rf_crossbar src=%" PRIu32 " dst=%" PRIu32 ", all selections", src, dst);
            for (in.valid = 0; in.valid <= ls_mask(dst); in.valid++)
                for (uint32_t n = 0; n < selections; n++) {
                    uint32_t rest = n;
                    for (uint32_t d = 0; d < dst; d++) {
                        in.sel[d] = (uint8_t)(rest % codes);
                        rest /= codes;
                    }
                    step(&j, &m);
                }
            judge_passes(&j);
        }
}

/* [bank stealing II-B]: "the collectors can receive multiple operands via crossbar concurrently": eight banks to 24 slots, each
 * bank's row to three of them at once; then one bank's row to all. */
static void several_outputs_at_once(void **state) {
    rf_crossbar m;
    (void)state;
    start(&m, (rf_crossbar_cfg){8, 24, 1024});
    for (uint32_t b = 0; b < 8; b++)
        for (uint32_t l = 0; l < 32; l++) in.data[b].lane[l] = b * 1000 + l + 1;
    in.valid = 0xffffff;
    for (uint32_t d = 0; d < 24; d++) in.sel[d] = (uint8_t)(7 - d % 8);
    rf_crossbar_comb(&m, &in, &out);
    for (uint32_t d = 0; d < 24; d++)
        for (uint32_t l = 0; l < 32; l++) assert_int_equal(out.data[d].lane[l], (7 - d % 8) * 1000 + l + 1);
    in.valid = 0xfffffe;
    memset(in.sel, 5, sizeof in.sel);
    rf_crossbar_comb(&m, &in, &out);
    for (uint32_t d = 0; d < 24; d++) assert_int_equal(out.data[d].lane[31], d == 0 ? 0 : 5032);
}

static void a_parameter_out_of_range_is_refused_by_name(void **state) {
    static const rf_crossbar_cfg good[] = {{4, 4, 32},   {1, 1, 1},      {64, 1, 1}, {1, 64, 1},
                                           {1, 1, 1024}, {64, 64, 1024}, {33, 5, 3}};
    (void)state;
    JUDGE_RANGES(rf_crossbar, good);
}

static void the_comparer_sees_every_flipped_bit(void **state) {
    const rf_crossbar_cfg cfg = {3, 5, 1024};
    rf_crossbar m;
    judge j;
    (void)state;
    start(&m, cfg);
    in.valid = 0x17;
    for (uint32_t d = 0; d < 5; d++) in.sel[d] = (uint8_t)(d % 4);
    for (uint32_t l = 0; l < 32; l++) in.data[1].lane[l] = 0x9e3779b9u * l;
    judge_begin(&j, 0, "rf_crossbar as it is");
    step(&j, &m);
    judge_passes(&j);
    JUDGE_FLIPS(&j, rf_crossbar, LS_OUT, &m, &out, compare_out(&j, &cfg, &out, &expected));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_routes_of_every_shape),
        cmocka_unit_test(every_selection_of_small_ones),
        cmocka_unit_test(several_outputs_at_once),
        cmocka_unit_test(a_parameter_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_every_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_crossbar", tests, NULL, NULL);
}
