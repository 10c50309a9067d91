/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_line_state: an entry of the slow model is a thing of which three facts are known, and each event is told as what
 * it does to the facts [CERF III-D-2, Fig. 6]. The header's table, copied by hand, judges both. */
#include "cmodel/cerf/rf_line_state.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_line_state_unit;

/* What lies in an entry. */
typedef struct thing {
    bool there;   /* not vacant */
    bool reg;     /* it is a register, not cache data */
    bool written; /* cache data that L2 does not have */
} thing;

/* clang-format off */
#define SEEN(X) \
    X(ALONE, "one entry") X(EIGHT, "eight entries") X(ALL_CHANGE, "all of several entries change") \
    X(NONE_CHANGES, "none of several entries changes") X(ALL_SPILL, "all of several entries would be lost") \
    X(SPILL_AND_NOT, "of two neighbours one would be lost") X(LOST, "what would be lost leaves") \
    X(EVERY_EVENT, "eight entries, eight events")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static const thing nothing = {false, false, false};

static thing thing_of(uint32_t state) {
    if (state == RF_LINE_REG) return (thing){true, true, false};
    if (state == RF_LINE_CACHE) return (thing){true, false, false};
    if (state == RF_LINE_DIRTY) return (thing){true, false, true};
    return nothing;
}

static uint32_t state_of(thing it) {
    if (!it.there) return RF_LINE_INACTIVE;
    if (it.reg) return RF_LINE_REG;
    return it.written ? RF_LINE_DIRTY : RF_LINE_CACHE;
}

static thing after(thing it, uint32_t event) {
    const bool is_register = it.there && it.reg, is_cache_data = it.there && !it.reg;
    switch (event) {
    case RF_LINE_WRITE_REG: /* whatever was there gives way */
    case RF_LINE_FILL_REG:
        return (thing){true, true, false};
    case RF_LINE_FILL_CACHE:
        return (thing){true, false, false};
    case RF_LINE_DROP:
        return nothing;
    case RF_LINE_DIE:
        return is_register ? nothing : it;
    case RF_LINE_STORE:
        if (is_cache_data) it.written = true;
        return it;
    default:
        return it;
    }
}

/* Nobody else has it. */
static bool would_be_lost(thing it) { return it.there && (it.reg || it.written); }

static uint32_t state_at(const rf_line_state_in *in, uint32_t e) { return in->state / (1u << 2 * e) % 4; }
static uint32_t event_at(const rf_line_state_in *in, uint32_t e) { return in->event / (1u << 3 * e) % 8; }

static void compare_out(judge *j, uint32_t entries, const rf_line_state_in *in, const rf_line_state_out *out) {
    uint64_t next = 0;
    bool spill[8] = {false};
    for (uint32_t e = entries; e-- > 0;) {
        const thing it = thing_of(state_at(in, e));
        next = next * 4 + state_of(after(it, event_at(in, e)));
        spill[e] = would_be_lost(it);
    }
    judge_equal(j, "next", 0, out->next, next);
    judge_equal(j, "spill", 0, out->spill, judge_pack(spill, entries));
}

static void start(judge *j, uint64_t seed, rf_line_state *m, uint32_t entries) {
    const rf_line_state_cfg cfg = {entries};
    judge_begin(j, seed, "rf_line_state entries=%" PRIu32, entries);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_line_state_init(m, &cfg), 0);
    assert_memory_equal(&m->cfg, &cfg, sizeof cfg);
}

/* One cycle, everything compared; neither comb nor the edge may change the model. */
static void step(judge *j, rf_line_state *m, const rf_line_state_in *in) {
    rf_line_state before;
    rf_line_state_out out;
    memcpy(&before, m, sizeof before);
    memset(&out, 0x5a, sizeof out);
    rf_line_state_comb(m, in, &out);
    compare_out(j, m->cfg.entries, in, &out);
    JUDGE_CLOCK(rf_line_state, m, in);
    assert_memory_equal(&before, m, sizeof before);
    j->cycle++;
}

static void count(uint32_t entries, const rf_line_state_in *in, uint64_t *seen, uint64_t pair[4][8]) {
    uint32_t changed = 0, lost = 0, events = 0;
    for (uint32_t e = 0; e < entries; e++) {
        const thing it = thing_of(state_at(in, e)), then = after(it, event_at(in, e));
        const bool spill = would_be_lost(it);
        pair[state_at(in, e)][event_at(in, e)]++;
        changed += state_of(it) != state_of(then);
        lost += spill;
        events |= 1u << event_at(in, e);
        seen[SPILL_AND_NOT] += e > 0 && spill != would_be_lost(thing_of(state_at(in, e - 1)));
        seen[LOST] += spill && state_of(then) == RF_LINE_CACHE;
    }
    seen[ALONE] += entries == 1;
    seen[EIGHT] += entries == 8;
    seen[ALL_CHANGE] += entries > 1 && changed == entries;
    seen[NONE_CHANGES] += entries > 1 && changed == 0;
    seen[ALL_SPILL] += entries > 1 && lost == entries;
    seen[EVERY_EVENT] += events == 255;
}

static void saw_every_pair(uint64_t pair[4][8]) {
    for (uint32_t state = 0; state < 4; state++)
        for (uint32_t event = 0; event < 8; event++)
            if (pair[state][event] == 0) fail_msg("state %" PRIu32 " never met event %" PRIu32, state, event);
}

static void random_entries_of_every_number(void **state) {
    uint64_t seen[EVENTS] = {0}, pair[4][8] = {{0}}, cycles = 0;
    (void)state;
    for (uint32_t entries = 1; entries <= 8; entries++) {
        const uint64_t seed = ls_seed_derive(entries, "judge rf_line_state");
        rf_line_state m;
        judge j;
        ls_rng rng;
        start(&j, seed, &m, entries);
        ls_rng_seed(&rng, seed);
        for (uint32_t i = 0; i < 26000; i++, cycles++) {
            rf_line_state_in in;
            memset(&in, 0, sizeof in);
            in.state = (uint16_t)ls_rng_value(&rng, 2 * entries);
            in.event = (uint32_t)ls_rng_value(&rng, 3 * entries);
            count(entries, &in, seen, pair);
            step(&j, &m, &in);
        }
        judge_passes(&j);
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
    saw_every_pair(pair);
}

/* Every state and event of two neighbours at every place, the others idle: each on its own. */
static void every_pair_of_neighbours(void **state) {
    uint64_t seen[EVENTS] = {0}, pair[4][8] = {{0}};
    (void)state;
    for (uint32_t entries = 2; entries <= 8; entries++) {
        rf_line_state m;
        judge j;
        start(&j, 0, &m, entries);
        for (uint32_t at = 0; at + 1 < entries; at++)
            for (uint32_t n = 0; n < 1024; n++) {
                rf_line_state_in in;
                memset(&in, 0, sizeof in);
                in.state = (uint16_t)(n % 16 << 2 * at);
                in.event = n / 16 << 3 * at;
                count(entries, &in, seen, pair);
                step(&j, &m, &in);
            }
        judge_passes(&j);
    }
    saw_every_pair(pair);
}

/* The header's table, a row an event, a column a state: I R C D. */
static void the_table_of_the_header(void **state) {
    static const char states[] = "IRCD";
    static const char *const table[8] = {"IRCD", "RRRR", "IICD", "RRRR", "CCCC", "IRDD", "IIII", "IRCD"};
    (void)state;
    for (uint32_t event = 0; event < 8; event++)
        for (uint32_t from = 0; from < 4; from++)
            for (uint32_t e = 0; e < 8; e++) {
                rf_line_state m;
                rf_line_state_in in;
                rf_line_state_out out;
                judge j;
                start(&j, 0, &m, 8);
                memset(&in, 0, sizeof in);
                in.state = (uint16_t)(from << 2 * e);
                in.event = event << 3 * e;
                rf_line_state_comb(&m, &in, &out);
                /* the others are inactive and stay so */
                assert_int_equal(out.next, (uint32_t)(strchr(states, table[event][from]) - states) << 2 * e);
                assert_int_equal(out.spill, (from == 1 || from == 3 ? 1u : 0u) << e);
            }
}

/* A way through Fig. 6: entry 1 of three. */
static void the_life_of_an_entry(void **state) {
    static const struct {
        uint32_t event, next;
        bool spill; /* before */
    } life[] = {
        {RF_LINE_DIE, RF_LINE_INACTIVE, false},
        {RF_LINE_STORE, RF_LINE_INACTIVE, false},
        {RF_LINE_FILL_CACHE, RF_LINE_CACHE, false},
        {RF_LINE_DIE, RF_LINE_CACHE, false},
        {RF_LINE_STORE, RF_LINE_DIRTY, false},
        {RF_LINE_DIE, RF_LINE_DIRTY, true},
        {RF_LINE_WRITE_REG, RF_LINE_REG, true},
        {RF_LINE_STORE, RF_LINE_REG, true},
        {RF_LINE_DIE, RF_LINE_INACTIVE, true},
        {RF_LINE_FILL_REG, RF_LINE_REG, false},
        {RF_LINE_WRITE_REG, RF_LINE_REG, true},
        {RF_LINE_FILL_CACHE, RF_LINE_CACHE, true},
        {RF_LINE_FILL_CACHE, RF_LINE_CACHE, false},
        {RF_LINE_NONE, RF_LINE_CACHE, false},
        {RF_LINE_STORE, RF_LINE_DIRTY, false},
        {RF_LINE_STORE, RF_LINE_DIRTY, true},
        {7, RF_LINE_DIRTY, true},
        {RF_LINE_DROP, RF_LINE_INACTIVE, true},
    };
    rf_line_state m;
    rf_line_state_in in;
    rf_line_state_out out;
    judge j;
    uint32_t is = RF_LINE_INACTIVE;
    (void)state;
    start(&j, 0, &m, 3);
    memset(&in, 0, sizeof in);
    for (size_t i = 0; i < sizeof life / sizeof *life; i++) {
        in.state = (uint16_t)(RF_LINE_REG | is << 2 | RF_LINE_DIRTY << 4);
        in.event = life[i].event << 3 | RF_LINE_DIE << 6; /* entry 0: none; entry 2: does not concern it */
        rf_line_state_comb(&m, &in, &out);
        assert_int_equal(out.next, RF_LINE_REG | life[i].next << 2 | RF_LINE_DIRTY << 4);
        assert_int_equal(out.spill, life[i].spill ? 7 : 5);
        step(&j, &m, &in);
        is = life[i].next;
    }
    judge_passes(&j);
}

static void a_number_out_of_range_is_refused_by_name(void **state) {
    static const rf_line_state_cfg good[] = {{1}, {3}, {8}};
    (void)state;
    JUDGE_RANGES(rf_line_state, good);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    rf_line_state m;
    rf_line_state_in in;
    rf_line_state_out out;
    judge j;
    (void)state;
    start(&j, 0, &m, 5);
    memset(&in, 0, sizeof in);
    in.state = 0x3e4; /* 0 1 2 3 3 */
    in.event = 0x5b9; /* 1 7 6 2 0 */
    rf_line_state_comb(&m, &in, &out);
    JUDGE_FLIPS(&j, rf_line_state, LS_OUT, &m, &out, compare_out(&j, 5, &in, &out));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_entries_of_every_number),
        cmocka_unit_test(every_pair_of_neighbours),
        cmocka_unit_test(the_table_of_the_header),
        cmocka_unit_test(the_life_of_an_entry),
        cmocka_unit_test(a_number_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_line_state", tests, NULL, NULL);
}
