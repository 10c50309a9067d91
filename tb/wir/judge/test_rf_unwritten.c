/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_unwritten: the slow model is a list of the registers that were given out and not written, in the order in which
 * they were given (D-unwritten); one that is written is crossed out. */
#include "cmodel/wir/rf_unwritten.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_unwritten_unit;

typedef struct slow_list {
    rf_unwritten_cfg cfg;
    uint32_t list[1024], length;
} slow_list;

/* clang-format off */
#define SEEN(X)                                                                                                                  \
    X(SET, "a register is given out")                                                                                            \
    X(SET_AGAIN, "one is given out that waits already")                                                                          \
    X(SET_SEVERAL, "several are given out in one cycle")                                                                         \
    X(SET_SAME, "two ports give out the same")                                                                                   \
    X(CLEAR, "a register is written")                                                                                            \
    X(CLEAR_SEVERAL, "several are written in one cycle")                                                                         \
    X(CLEAR_IDLE, "one is written that does not wait")                                                                           \
    X(SET_AND_CLEAR, "a waiting register is written and given out in one cycle, by different ports or one")                      \
    X(SET_AND_CLEAR_IDLE, "a register that does not wait is written and given out in one cycle")                                 \
    X(SET_NO_SUCH, "one is given out that does not exist")                                                                       \
    X(CLEAR_NO_SUCH, "one is written that does not exist")                                                                       \
    X(ASK_WAITS, "who asks must wait")                                                                                           \
    X(ASK_WRITTEN, "who asks need not wait")                                                                                     \
    X(ASK_NO_SUCH, "one is asked for that does not exist")                                                                       \
    X(ASK_SET, "one is asked for in the cycle in which it is given out")                                                         \
    X(ASK_CLEAR, "one is asked for in the cycle in which it is written")                                                         \
    X(ASK_LAST_PORT, "the last port must wait and no other")                                                                     \
    X(ALL_WAIT, "all registers wait")                                                                                            \
    X(NONE_WAIT, "none waits after some did")                                                                                    \
    X(TOP, "the highest register waits and is asked for")                                                                        \
    X(RESET, "reset while registers wait")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

/* Where the register stands in the list; its length when it does not. */
static uint32_t place_of(const slow_list *s, uint32_t reg) {
    uint32_t i = 0;
    while (i < s->length && s->list[i] != reg) i++;
    return i;
}

static bool is_listed(const slow_list *s, uint32_t reg) { return place_of(s, reg) < s->length; }

static void slow_comb(const slow_list *s, const rf_unwritten_in *in, bool *waits) {
    for (uint32_t i = 0; i < 8; i++) waits[i] = is_listed(s, in->lk_reg[i]);
}

static void slow_clock(slow_list *s, const rf_unwritten_in *in) {
    for (uint32_t i = 0; i < s->cfg.issues; i++) {
        const uint32_t place = place_of(s, in->clr_reg[i]);
        if (!judge_bit(in->clr, i) || place == s->length) continue;
        for (uint32_t k = place + 1; k < s->length; k++) s->list[k - 1] = s->list[k];
        s->length--;
    }
    for (uint32_t i = 0; i < s->cfg.issues; i++)
        if (judge_bit(in->set, i) && in->set_reg[i] < s->cfg.pregs && !is_listed(s, in->set_reg[i]))
            s->list[s->length++] = in->set_reg[i];
}

static void compare_out(judge *j, const rf_unwritten_out *out, const bool *waits) {
    judge_equal(j, "waits", 0, out->waits, judge_pack(waits, 8));
}

static void compare_state(judge *j, const slow_list *s, const rf_unwritten *m) {
    bool bit[1024] = {false};
    for (uint32_t i = 0; i < s->length; i++) bit[s->list[i]] = true;
    for (uint32_t r = 0; r < s->cfg.pregs; r++) judge_equal(j, "bit_q", r, m->bit_q[r], bit[r]);
}

static void start(judge *j, uint64_t seed, rf_unwritten *m, slow_list *s, const rf_unwritten_cfg *cfg) {
    judge_begin(j, seed, "rf_unwritten pregs=%" PRIu32 " issues=%" PRIu32, cfg->pregs, cfg->issues);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_unwritten_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    s->cfg = *cfg;
    s->length = 0;
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb must leave the model alone. */
static void step(judge *j, rf_unwritten *m, slow_list *s, const rf_unwritten_in *in) {
    bool waits[8];
    rf_unwritten before;
    rf_unwritten_out out;
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_unwritten_comb(m, in, &out);
    assert_memory_equal(&before, m, sizeof before);
    slow_comb(s, in, waits);
    compare_out(j, &out, waits);
    JUDGE_CLOCK(rf_unwritten, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
}

static void count(const slow_list *s, const rf_unwritten_in *in, bool *some, uint64_t *seen) {
    const uint32_t pregs = s->cfg.pregs, issues = s->cfg.issues;
    bool waits[8];
    uint32_t given = 0, written = 0;
    slow_comb(s, in, waits);
    for (uint32_t i = 0; i < issues; i++) {
        const bool set = judge_bit(in->set, i), clr = judge_bit(in->clr, i);
        const bool set_listed = is_listed(s, in->set_reg[i]), clr_listed = is_listed(s, in->clr_reg[i]);
        given += set && !set_listed && in->set_reg[i] < pregs;
        written += clr && clr_listed;
        seen[SET_AGAIN] += set && set_listed;
        seen[SET_NO_SUCH] += set && in->set_reg[i] >= pregs;
        seen[CLEAR_IDLE] += clr && !clr_listed && in->clr_reg[i] < pregs;
        seen[CLEAR_NO_SUCH] += clr && in->clr_reg[i] >= pregs;
        for (uint32_t k = 0; k < issues; k++) {
            const bool both = set && judge_bit(in->clr, k) && in->set_reg[i] == in->clr_reg[k] && in->set_reg[i] < pregs;
            seen[SET_AND_CLEAR] += both && set_listed;
            seen[SET_AND_CLEAR_IDLE] += both && !set_listed;
            seen[SET_SAME] += k < i && set && judge_bit(in->set, k) && in->set_reg[i] == in->set_reg[k] && in->set_reg[i] < pregs;
        }
        for (uint32_t p = 0; p < 8; p++) {
            seen[ASK_SET] += set && in->lk_reg[p] == in->set_reg[i] && !set_listed && in->lk_reg[p] < pregs;
            seen[ASK_CLEAR] += clr && in->lk_reg[p] == in->clr_reg[i] && clr_listed;
        }
    }
    for (uint32_t p = 0; p < 8; p++) {
        seen[ASK_WAITS] += waits[p];
        seen[ASK_WRITTEN] += !waits[p] && in->lk_reg[p] < pregs;
        seen[ASK_NO_SUCH] += in->lk_reg[p] >= pregs;
        seen[TOP] += waits[p] && in->lk_reg[p] == pregs - 1;
    }
    seen[ASK_LAST_PORT] += judge_pack(waits, 8) == 0x80;
    seen[SET] += given == 1;
    seen[SET_SEVERAL] += given > 1;
    seen[CLEAR] += written == 1;
    seen[CLEAR_SEVERAL] += written > 1;
    seen[ALL_WAIT] += s->length == pregs;
    if (s->length > 0) *some = true;
    if (s->length == 0 && *some) {
        seen[NONE_WAIT]++;
        *some = false;
    }
}

static const rf_unwritten_cfg sets[] = {
    {.pregs = 2, .issues = 1},  {.pregs = 3, .issues = 2},  {.pregs = 4, .issues = 4},    {.pregs = 7, .issues = 3},
    {.pregs = 33, .issues = 2}, {.pregs = 64, .issues = 4}, {.pregs = 1024, .issues = 2}, {.pregs = 1000, .issues = 4},
};
static const uint64_t lengths[] = {40000, 40000, 40000, 40000, 30000, 20000, 3000, 3000};

/* A register: of the list, any, or one that does not exist where the port can name one. */
static uint16_t draw(ls_rng *rng, const slow_list *s, uint32_t wild, uint32_t listed) {
    if (ls_rng_chance(rng, wild)) return (uint16_t)ls_rng_value(rng, rf_index_bits(s->cfg.pregs));
    if (s->length > 0 && ls_rng_chance(rng, listed)) return (uint16_t)s->list[ls_rng_below(rng, s->length)];
    return (uint16_t)ls_rng_below(rng, s->cfg.pregs);
}

static void run(const rf_unwritten_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    rf_unwritten m;
    slow_list s;
    judge j;
    ls_rng rng;
    rf_unwritten_in in;
    uint32_t p_set = 0, p_clr = 0, wild = 0;
    bool some = false;
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&rng, seed);
    memset(&in, 0, sizeof in);
    while (j.cycle < cycles) {
        if (j.cycle % 128 == 0) {
            const uint32_t phase = ls_rng_below(&rng, 4);
            p_set = phase == 0 ? 8 : phase == 1 ? 220 : ls_rng_below(&rng, 257);
            p_clr = phase == 1 ? 0 : phase == 0 ? 220 : ls_rng_below(&rng, 257);
            wild = ls_rng_chance(&rng, 128) ? 0 : ls_rng_below(&rng, 128);
        }
        in.set = (uint8_t)ls_rng_bits(&rng, cfg->issues, p_set);
        in.clr = (uint8_t)ls_rng_bits(&rng, cfg->issues, p_clr);
        for (uint32_t i = 0; i < cfg->issues; i++) {
            in.set_reg[i] = draw(&rng, &s, wild, 32);
            in.clr_reg[i] = draw(&rng, &s, wild, 224);
            /* Written and given out in one cycle. */
            if (ls_rng_chance(&rng, 32)) in.set_reg[i] = in.clr_reg[ls_rng_below(&rng, i + 1)];
        }
        for (uint32_t p = 0; p < 8; p++) {
            const uint32_t i = ls_rng_below(&rng, cfg->issues);
            in.lk_reg[p] = ls_rng_chance(&rng, 48)   ? in.set_reg[i]
                           : ls_rng_chance(&rng, 48) ? in.clr_reg[i]
                                                     : draw(&rng, &s, wild, 128);
        }
        count(&s, &in, &some, seen);
        step(&j, &m, &s, &in);
        if (ls_rng_chance(&rng, 1)) {
            seen[RESET] += s.length > 0;
            rf_unwritten_reset(&m);
            s.length = 0;
            compare_state(&j, &s, &m);
        }
    }
    judge_passes(&j);
}

static void random_registers(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        run(&sets[i], ls_seed_derive(i, "judge rf_unwritten"), lengths[i], seen);
        cycles += lengths[i];
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* Three registers in an index of two bits, two ports: every state with every set and clear. */
static void every_edge_of_a_small_one(void **state) {
    const rf_unwritten_cfg cfg = {.pregs = 3, .issues = 2};
    rf_unwritten m;
    slow_list s;
    judge j;
    rf_unwritten_in in;
    (void)state;
    start(&j, 0, &m, &s, &cfg);
    memset(&in, 0, sizeof in);
    for (uint32_t p = 0; p < 8; p++) in.lk_reg[p] = (uint16_t)(p % 4);
    for (uint32_t code = 0; code < 1u << 15; code++) {
        s.length = 0;
        for (uint32_t r = 0; r < 3; r++) {
            m.bit_q[r] = code >> r & 1;
            if (m.bit_q[r]) s.list[s.length++] = r;
        }
        in.set = code >> 3 & 3, in.set_reg[0] = code >> 5 & 3, in.set_reg[1] = code >> 7 & 3;
        in.clr = code >> 9 & 3, in.clr_reg[0] = code >> 11 & 3, in.clr_reg[1] = code >> 13 & 3;
        step(&j, &m, &s, &in);
    }
    judge_passes(&j);
}

/* A verify-read must wait from the cycle after the allocation to the cycle of the write, and no longer. */
static void the_life_of_a_new_register(void **state) {
    const rf_unwritten_cfg cfg = {.pregs = 20, .issues = 2};
    rf_unwritten m;
    rf_unwritten_in in;
    rf_unwritten_out out;
    (void)state;
    assert_int_equal(rf_unwritten_init(&m, &cfg), 0);
    memset(&in, 0, sizeof in);
    in.lk_reg[0] = in.lk_reg[7] = 13, in.lk_reg[3] = 31;
    in.set = 2, in.set_reg[0] = 5, in.set_reg[1] = 13;
    rf_unwritten_step(&m, &in, &out);
    assert_int_equal(out.waits, 0); /* from the state at the start of the cycle */
    in.set = 1, in.set_reg[0] = 31; /* there is none */
    rf_unwritten_step(&m, &in, &out);
    assert_int_equal(out.waits, 0x81);
    in.set = 0;
    in.clr = 3, in.clr_reg[0] = 31, in.clr_reg[1] = 13;
    rf_unwritten_step(&m, &in, &out);
    assert_int_equal(out.waits, 0x81);
    in.set = 1, in.set_reg[0] = 13; /* clears act first */
    rf_unwritten_step(&m, &in, &out);
    assert_int_equal(out.waits, 0);
    in.set = in.clr = 0;
    rf_unwritten_step(&m, &in, &out);
    assert_int_equal(out.waits, 0x81);
}

static void reset_clears_every_register(void **state) {
    const rf_unwritten_cfg cfg = {.pregs = 1024, .issues = 4};
    rf_unwritten m;
    rf_unwritten_in in;
    (void)state;
    assert_int_equal(rf_unwritten_init(&m, &cfg), 0);
    memset(&in, 0, sizeof in);
    in.set = 15;
    for (uint32_t r = 0; r < 1024; r += 4) {
        for (uint32_t i = 0; i < 4; i++) in.set_reg[i] = (uint16_t)(r + i);
        rf_unwritten_clock(&m, &in);
    }
    for (uint32_t r = 0; r < 1024; r++) assert_int_equal(m.bit_q[r], 1);
    rf_unwritten_reset(&m);
    for (uint32_t r = 0; r < 1024; r++) assert_int_equal(m.bit_q[r], 0);
    assert_memory_equal(&m.cfg, &cfg, sizeof cfg);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    (void)state;
    JUDGE_RANGES(rf_unwritten, sets);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    const rf_unwritten_cfg cfg = {.pregs = 300, .issues = 4};
    rf_unwritten m;
    slow_list s;
    judge j;
    rf_unwritten_in in;
    rf_unwritten_out out;
    bool waits[8];
    (void)state;
    start(&j, 0, &m, &s, &cfg);
    memset(&in, 0, sizeof in);
    in.set = 15;
    for (uint32_t i = 0; i < 4; i++) in.set_reg[i] = (uint16_t)(i * 99);
    for (uint32_t p = 0; p < 8; p++) in.lk_reg[p] = (uint16_t)(p * 33);
    step(&j, &m, &s, &in);
    slow_comb(&s, &in, waits);
    rf_unwritten_comb(&m, &in, &out);
    compare_out(&j, &out, waits);
    judge_passes(&j);
    assert_int_equal(out.waits, 0x49);
    JUDGE_FLIPS(&j, rf_unwritten, LS_OUT, &m, &out, compare_out(&j, &out, waits));
    JUDGE_FLIPS(&j, rf_unwritten, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_registers),
        cmocka_unit_test(every_edge_of_a_small_one),
        cmocka_unit_test(the_life_of_a_new_register),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_unwritten", tests, NULL, NULL);
}
