/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_free_list: the slow model is a line of registers that came back, the first to come at its head, and a mark on every
 * register that was ever given out ([WIR V-E, VII-E]: "a queue using a 1r1w table"). The order in which registers are given is
 * written down as a list in every cycle: the line, then those without a mark. */
#include "cmodel/wir/rf_free_list.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_free_list_unit;

typedef struct slow_list {
    rf_free_list_cfg cfg;
    uint32_t line[1024], length; /* line[0] came first */
    bool given[1024];            /* ever given out */
    uint64_t came, went;         /* into and out of the line since reset */
    uint32_t stored[1024];       /* what each place of the storage took last */
} slow_list;

typedef struct slow_out {
    uint32_t count;
    bool ok[4];
    uint32_t reg[4];
    bool gets[4]; /* the lane pops and there is a register for it */
} slow_out;

/* clang-format off */
#define SEEN(X)                                                                                                                  \
    X(FRESH, "a register is given out for the first time")                                                                       \
    X(OLD, "a register that came back is given out")                                                                             \
    X(OLD_AND_FRESH, "one that came back and a fresh one in one cycle")                                                          \
    X(OLD_BEFORE_FRESH, "one that came back goes before a fresh one with a lower or higher number")                              \
    X(SEVERAL, "several lanes pop")                                                                                              \
    X(LANE_SKIPPED, "a lane pops and a lower one does not")                                                                      \
    X(REFUSED, "a pop without a register")                                                                                       \
    X(SOME_REFUSED, "a lower lane gets the last register, a higher one none")                                                    \
    X(NONE_LEFT, "the last register is given out")                                                                               \
    X(NONE_AND_PUSH, "pop while none is free and a register comes back")                                                         \
    X(SHOWN, "a register is shown to a lane that does not pop")                                                                  \
    X(PUSH, "a register comes back")                                                                                             \
    X(PUSH_SEVERAL, "several come back in one cycle")                                                                            \
    X(PUSH_SKIPPED, "a port pushes and a lower one does not")                                                                    \
    X(PUSH_AND_POP, "pop and push in one cycle")                                                                                 \
    X(PUSH_IGNORED, "push while all are free")                                                                                   \
    X(PUSH_IGNORED_AND_POP, "push while all are free and one is given out in the same cycle")                                    \
    X(PUSH_SOME_IGNORED, "a lower port's push is the last that fits, a higher one's is ignored")                                 \
    X(ALL_BACK, "all are free again after all had been given out")                                                               \
    X(WRAPPED, "the storage has wrapped around")                                                                                 \
    X(TWICE, "a register comes back that is in the line already")                                                                \
    X(NO_SUCH, "a register comes back that does not exist")                                                                      \
    X(RESET, "reset with registers given out")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_list *s) {
    const rf_free_list_cfg cfg = s->cfg;
    memset(s, 0, sizeof *s);
    s->cfg = cfg;
}

/* The free registers in the order in which they are given out: how many. */
static uint32_t order(const slow_list *s, uint32_t *list) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->length; i++) list[n++] = s->line[i];
    for (uint32_t r = 0; r < s->cfg.pregs; r++)
        if (!s->given[r]) list[n++] = r;
    return n;
}

static void slow_comb(const slow_list *s, const rf_free_list_in *in, slow_out *out) {
    uint32_t list[1024], place = 0;
    memset(out, 0, sizeof *out);
    out->count = order(s, list);
    for (uint32_t i = 0; i < s->cfg.issues; i++) {
        out->ok[i] = out->count > i;
        out->reg[i] = place < out->count ? list[place] : 0;
        out->gets[i] = judge_bit(in->pop, i) && place < out->count;
        if (judge_bit(in->pop, i)) place++;
    }
}

static void slow_clock(slow_list *s, const rf_free_list_in *in) {
    slow_out now;
    uint32_t room;
    slow_comb(s, in, &now);
    room = s->cfg.pregs - now.count;
    for (uint32_t i = 0; i < s->cfg.issues; i++) {
        if (!now.gets[i]) continue;
        if (s->length > 0) {
            for (uint32_t k = 1; k < s->length; k++) s->line[k - 1] = s->line[k];
            s->length--;
            s->went++;
        } else s->given[now.reg[i]] = true;
    }
    for (uint32_t k = 0; k < s->cfg.pushes; k++) {
        if (!judge_bit(in->push, k) || room == 0) continue;
        room--;
        s->line[s->length++] = in->push_reg[k];
        s->stored[s->came++ % s->cfg.pregs] = in->push_reg[k];
    }
}

static void compare_out(judge *j, const slow_list *s, const rf_free_list_out *out, const slow_out *expected) {
    judge_equal(j, "count", 0, out->count, expected->count);
    judge_equal(j, "ok", 0, out->ok, judge_pack(expected->ok, s->cfg.issues));
    for (uint32_t i = 0; i < s->cfg.issues; i++) judge_equal(j, "reg", i, out->reg[i], expected->reg[i]);
}

static void compare_state(judge *j, const slow_list *s, const rf_free_list *m) {
    uint32_t given = 0;
    for (uint32_t r = 0; r < s->cfg.pregs; r++) given += s->given[r];
    judge_equal(j, "fresh_q", 0, m->fresh_q, given);
    judge_equal(j, "level_q", 0, m->level_q, s->length);
    judge_equal(j, "rd_ptr_q", 0, m->rd_ptr_q, s->went % s->cfg.pregs);
    judge_equal(j, "wr_ptr_q", 0, m->wr_ptr_q, s->came % s->cfg.pregs);
    for (uint32_t i = 0; i < s->cfg.pregs; i++) judge_equal(j, "queue_q", i, m->queue_q[i], s->stored[i]);
}

static void start(judge *j, uint64_t seed, rf_free_list *m, slow_list *s, const rf_free_list_cfg *cfg) {
    judge_begin(j, seed, "rf_free_list pregs=%" PRIu32 " issues=%" PRIu32 " pushes=%" PRIu32, cfg->pregs, cfg->issues,
                cfg->pushes);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_free_list_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    s->cfg = *cfg;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb must leave the model alone. */
static void step(judge *j, rf_free_list *m, slow_list *s, const rf_free_list_in *in, slow_out *expected) {
    rf_free_list before;
    rf_free_list_out out;
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_free_list_comb(m, in, &out);
    assert_memory_equal(&before, m, sizeof before);
    slow_comb(s, in, expected);
    compare_out(j, s, &out, expected);
    JUDGE_CLOCK(rf_free_list, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
}

static bool in_line(const slow_list *s, uint32_t reg) {
    for (uint32_t i = 0; i < s->length; i++)
        if (s->line[i] == reg) return true;
    return false;
}

static void count(const slow_list *s, const rf_free_list_in *in, const slow_out *now, bool *all_out, uint64_t *seen) {
    const uint32_t room = s->cfg.pregs - now->count;
    uint32_t lowest = s->cfg.pregs, pops = 0, gets = 0, old = 0, tried = 0, pushed = 0;
    for (uint32_t r = s->cfg.pregs; r-- > 0;)
        if (!s->given[r]) lowest = r;
    for (uint32_t i = 0; i < s->cfg.issues; i++) {
        const bool pop = judge_bit(in->pop, i);
        seen[LANE_SKIPPED] += pop && pops < i && now->gets[i];
        seen[REFUSED] += pop && !now->gets[i];
        seen[SOME_REFUSED] += pop && !now->gets[i] && gets > 0;
        seen[SHOWN] += !pop && pops < now->count;
        old += now->gets[i] && pops < s->length;
        pops += pop;
        gets += now->gets[i];
    }
    seen[FRESH] += gets > old;
    seen[OLD] += old > 0;
    seen[OLD_AND_FRESH] += old > 0 && gets > old;
    seen[OLD_BEFORE_FRESH] += old > 0 && lowest < s->cfg.pregs && s->line[0] != lowest;
    seen[SEVERAL] += gets > 1;
    seen[NONE_LEFT] += gets > 0 && gets == now->count;
    seen[NONE_AND_PUSH] += pops > 0 && now->count == 0 && in->push != 0;
    for (uint32_t k = 0; k < s->cfg.pushes; k++) {
        if (!judge_bit(in->push, k)) continue;
        seen[PUSH_SKIPPED] += tried < k;
        tried++;
        seen[PUSH_IGNORED] += room == 0;
        seen[PUSH_IGNORED_AND_POP] += room == 0 && gets > 0;
        seen[PUSH_SOME_IGNORED] += pushed > 0 && pushed == room;
        if (pushed == room) continue;
        pushed++;
        seen[TWICE] += in_line(s, in->push_reg[k]);
        seen[NO_SUCH] += in->push_reg[k] >= s->cfg.pregs;
    }
    seen[PUSH] += pushed > 0;
    seen[PUSH_SEVERAL] += pushed > 1;
    seen[PUSH_AND_POP] += pushed > 0 && gets > 0;
    seen[WRAPPED] += s->went > s->cfg.pregs;
    if (now->count == 0) *all_out = true;
    if (now->count == s->cfg.pregs && *all_out) {
        seen[ALL_BACK]++;
        *all_out = false;
    }
}

static const rf_free_list_cfg sets[] = {
    {.pregs = 2, .issues = 1, .pushes = 1},    {.pregs = 2, .issues = 4, .pushes = 4},
    {.pregs = 3, .issues = 2, .pushes = 3},    {.pregs = 5, .issues = 3, .pushes = 2},
    {.pregs = 8, .issues = 2, .pushes = 2},    {.pregs = 13, .issues = 4, .pushes = 1},
    {.pregs = 33, .issues = 1, .pushes = 4},   {.pregs = 64, .issues = 3, .pushes = 3},
    {.pregs = 129, .issues = 4, .pushes = 4},  {.pregs = 1024, .issues = 2, .pushes = 2},
    {.pregs = 1023, .issues = 4, .pushes = 4},
};
static const uint64_t lengths[] = {20000, 30000, 30000, 30000, 25000, 25000, 20000, 15000, 10000, 2500, 2500};

static void run(const rf_free_list_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    rf_free_list m;
    slow_list s;
    judge j;
    ls_rng rng;
    rf_free_list_in in;
    slow_out now;
    uint32_t out[1024], n = 0, p_pop = 0, p_push = 0, wild = 0; /* out: registers given out and not back yet */
    bool all_out = false;
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&rng, seed);
    memset(&in, 0, sizeof in);
    while (j.cycle < cycles) {
        /* Now all are taken, now all come back. */
        if (j.cycle % (64 + cfg->pregs) == 0) {
            const uint32_t phase = ls_rng_below(&rng, 3);
            p_pop = phase == 0 ? 230 : phase == 1 ? 16 : ls_rng_below(&rng, 257);
            p_push = phase == 1 ? 230 : phase == 0 ? 16 : ls_rng_below(&rng, 257);
            wild = ls_rng_chance(&rng, 160) ? 0 : ls_rng_below(&rng, 96);
        }
        in.pop = (uint8_t)ls_rng_bits(&rng, cfg->issues, p_pop);
        in.push = 0;
        for (uint32_t k = 0; k < cfg->pushes; k++) {
            if (ls_rng_chance(&rng, wild)) { /* free or not, existing or not */
                in.push |= (uint8_t)(1u << k);
                in.push_reg[k] = (uint16_t)ls_rng_value(&rng, rf_index_bits(cfg->pregs));
            } else if (n > 0 && ls_rng_chance(&rng, p_push)) {
                const uint32_t which = ls_rng_below(&rng, n);
                in.push |= (uint8_t)(1u << k);
                in.push_reg[k] = (uint16_t)out[which];
                out[which] = out[--n];
            } else if (ls_rng_chance(&rng, 64)) /* changes without a push too */
                in.push_reg[k] = (uint16_t)ls_rng_below(&rng, cfg->pregs);
        }
        slow_comb(&s, &in, &now);
        count(&s, &in, &now, &all_out, seen);
        step(&j, &m, &s, &in, &now);
        for (uint32_t i = 0; i < cfg->issues; i++)
            if (now.gets[i] && n < 1024) out[n++] = now.reg[i];
        if (ls_rng_below(&rng, 1024) == 0) {
            seen[RESET] += s.came != s.went || n > 0;
            rf_free_list_reset(&m);
            slow_reset(&s);
            compare_state(&j, &s, &m);
            n = 0;
            all_out = false;
        }
    }
    judge_passes(&j);
}

static void random_registers(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        run(&sets[i], ls_seed_derive(i, "judge rf_free_list"), lengths[i], seen);
        cycles += lengths[i];
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* Registers go and come back for a long time: no register is ever with two owners, and none is lost. */
static void every_register_has_one_owner(void **state) {
    const rf_free_list_cfg cfg = {.pregs = 21, .issues = 3, .pushes = 2};
    rf_free_list m;
    rf_free_list_in in;
    rf_free_list_out out;
    ls_rng rng;
    bool owned[21] = {false};
    uint32_t owners = 0, most = 0, back = 0;
    (void)state;
    ls_rng_seed(&rng, 4);
    assert_int_equal(rf_free_list_init(&m, &cfg), 0);
    for (uint32_t cycle = 0; cycle < 20000; cycle++) {
        const uint32_t hungry = cycle / 100 % 2;
        memset(&in, 0, sizeof in);
        in.pop = (uint8_t)ls_rng_bits(&rng, 3, hungry ? 200 : 40);
        for (uint32_t k = 0; k < 2; k++) {
            const uint32_t r = ls_rng_below(&rng, 21);
            if (!owned[r] || !ls_rng_chance(&rng, hungry ? 60 : 250)) continue;
            owned[r] = false;
            owners--;
            back++;
            in.push |= (uint8_t)(1u << k);
            in.push_reg[k] = (uint16_t)r;
        }
        const uint32_t free_before = m.level_q + (21u - m.fresh_q);
        uint32_t place = 0;
        rf_free_list_step(&m, &in, &out);
        assert_int_equal(out.count, free_before);
        for (uint32_t i = 0; i < 3; i++) {
            if (!judge_bit(in.pop, i)) continue;
            if (place++ >= out.count) continue;
            assert_true(out.reg[i] < 21);
            assert_false(owned[out.reg[i]]);
            owned[out.reg[i]] = true;
            owners++;
        }
        assert_int_equal(m.level_q + (21u - m.fresh_q) + owners, 21);
        if (owners > most) most = owners;
    }
    assert_int_equal(most, 21);
    assert_true(back > 2000);
}

static rf_free_list m1; /* the list of the directed tests: 6 registers, 2 lanes, 2 ports */
static rf_free_list_in ask;
static rf_free_list_out answer;

static void cycle(uint32_t pop, uint32_t push, uint32_t reg0, uint32_t reg1) {
    memset(&ask, 0, sizeof ask);
    ask.pop = (uint8_t)pop, ask.push = (uint8_t)push, ask.push_reg[0] = (uint16_t)reg0, ask.push_reg[1] = (uint16_t)reg1;
    rf_free_list_step(&m1, &ask, &answer);
}

static void begin(void) {
    const rf_free_list_cfg cfg = {.pregs = 6, .issues = 2, .pushes = 2};
    assert_int_equal(rf_free_list_init(&m1, &cfg), 0);
}

/* "so few registers are touched": what came back goes out before anything fresh. */
static void returned_registers_go_first(void **state) {
    (void)state;
    begin();
    cycle(3, 0, 0, 0);
    assert_int_equal(answer.count, 6);
    assert_int_equal(answer.ok, 3);
    assert_int_equal(answer.reg[0], 0);
    assert_int_equal(answer.reg[1], 1);
    cycle(2, 0, 0, 0); /* lane 1 alone: it stands at place 0 */
    assert_int_equal(answer.reg[0], 2);
    assert_int_equal(answer.reg[1], 2);
    cycle(0, 3, 1, 0); /* port 0's first */
    assert_int_equal(answer.count, 3);
    cycle(0, 1, 2, 0);
    assert_int_equal(answer.count, 5);
    assert_int_equal(answer.reg[0], 1);
    assert_int_equal(answer.reg[1], 1); /* lane 0 does not pop */
    cycle(3, 0, 0, 0);
    assert_int_equal(answer.reg[0], 1);
    assert_int_equal(answer.reg[1], 0);
    cycle(3, 0, 0, 0);
    assert_int_equal(answer.reg[0], 2);
    assert_int_equal(answer.reg[1], 3); /* the first that is fresh */
    cycle(1, 0, 0, 0);
    cycle(3, 1, 4, 0);
    assert_int_equal(answer.count, 1);
    assert_int_equal(answer.ok, 1);
    assert_int_equal(answer.reg[0], 5);
    assert_int_equal(answer.reg[1], 0); /* none is left for it: ignored, though one comes back now */
    cycle(3, 0, 0, 0);
    assert_int_equal(answer.count, 1);
    assert_int_equal(answer.reg[0], 4);
    cycle(3, 0, 0, 0);
    assert_int_equal(answer.count, 0);
    assert_int_equal(answer.ok, 0);
    assert_int_equal(answer.reg[0], 0);
}

static void a_full_list_takes_nothing(void **state) {
    (void)state;
    begin();
    cycle(1, 3, 4, 5); /* all are free: both ignored, the pop makes no room */
    assert_int_equal(m1.level_q, 0);
    assert_int_equal(m1.fresh_q, 1);
    cycle(0, 3, 0, 5); /* room for one: port 0's */
    assert_int_equal(m1.level_q, 1);
    assert_int_equal(m1.queue_q[0], 0);
    assert_int_equal(m1.queue_q[1], 0);
    cycle(0, 2, 0, 3);
    assert_int_equal(m1.level_q, 1);
    cycle(1, 0, 0, 0);
    cycle(0, 2, 5, 3); /* port 1 alone takes the room */
    assert_int_equal(m1.level_q, 1);
    assert_int_equal(m1.queue_q[1], 3);
    assert_int_equal(m1.wr_ptr_q, 2);
}

/* Both of a small list, some out, some back, some fresh. */
static void fill(judge *j, rf_free_list *m, slow_list *s) {
    const rf_free_list_cfg cfg = {.pregs = 600, .issues = 4, .pushes = 4};
    slow_out now;
    start(j, 0, m, s, &cfg);
    for (uint32_t i = 0; i < 290; i++) {
        rf_free_list_in in;
        memset(&in, 0, sizeof in);
        in.pop = i < 150 ? 15 : i % 3 == 0;
        in.push = i < 140 ? 0 : 15;
        for (uint32_t k = 0; k < 4; k++) in.push_reg[k] = (uint16_t)((i * 4 + k) % 600);
        step(j, m, s, &in, &now);
    }
    judge_passes(j);
}

static void reset_clears_every_register(void **state) {
    rf_free_list m;
    slow_list s;
    judge j;
    (void)state;
    fill(&j, &m, &s);
    const rf_free_list_cfg cfg = m.cfg;
    rf_free_list_reset(&m);
    slow_reset(&s);
    compare_state(&j, &s, &m);
    judge_passes(&j);
    assert_memory_equal(&m.cfg, &cfg, sizeof cfg);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    (void)state;
    JUDGE_RANGES(rf_free_list, sets);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    rf_free_list m;
    slow_list s;
    judge j;
    slow_out now;
    rf_free_list_out out;
    rf_free_list_in in;
    (void)state;
    fill(&j, &m, &s);
    memset(&in, 0, sizeof in);
    in.pop = 5;
    rf_free_list_comb(&m, &in, &out);
    slow_comb(&s, &in, &now);
    JUDGE_FLIPS(&j, rf_free_list, LS_OUT, &m, &out, compare_out(&j, &s, &out, &now));
    JUDGE_FLIPS(&j, rf_free_list, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_registers),
        cmocka_unit_test(every_register_has_one_owner),
        cmocka_unit_test(returned_registers_go_first),
        cmocka_unit_test(a_full_list_takes_nothing),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_free_list", tests, NULL, NULL);
}
