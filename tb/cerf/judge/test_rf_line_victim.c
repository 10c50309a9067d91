/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_line_victim: the slow model makes a list of the ways that the newcomer may take, sorts it from the best to the
 * worst and takes the first [CERF III-D-1]. */
#include "cmodel/cerf/rf_line_victim.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_line_victim_unit;

typedef struct slow_way {
    uint32_t way, state, age;
} slow_way;

typedef struct slow_set {
    uint32_t n;
    slow_way way[8];
} slow_set;

typedef struct slow_answer {
    bool valid;
    uint32_t way;
    uint32_t choice; /* ways that were allowed */
    bool vacant;     /* an inactive one was found */
    bool fallback;   /* cache data that finds no register takes the oldest way */
} slow_answer;

/* clang-format off */
#define SEEN(X) \
    X(VACANT, "an inactive way") X(SEVERAL_VACANT, "several inactive ways") \
    X(VACANT_NOT_OLDEST, "an inactive way that is not the oldest") \
    X(FAIR_REGISTER_FOR_CACHE, "fair: cache data replaces a register") \
    X(FAIR_CACHE_FOR_REGISTER, "fair: a register replaces cache data") X(FAIR_SAME, "fair: a register replaces a register") \
    X(REGISTERS_REGISTER, "registers first: a register replaces cache data") \
    X(REGISTERS_CACHE, "registers first: cache data replaces cache data") \
    X(REGISTERS_SKIPS, "registers first: the oldest is a register and stays") \
    X(REGISTERS_NONE_REGISTER, "registers first: a register gets no place") \
    X(REGISTERS_NONE_CACHE, "registers first: cache data gets no place") \
    X(CACHE_REGISTER, "cache first: a register replaces a register") \
    X(CACHE_CACHE, "cache first: cache data replaces a register") \
    X(CACHE_SKIPS, "cache first: the oldest is cache data and stays") \
    X(CACHE_OLDEST, "cache first: cache data takes the oldest way") X(CACHE_NONE, "cache first: a register gets no place") \
    X(DIRTY_GOES, "dirty data is replaced") X(CLEAN_GOES, "clean data is replaced") X(TIE, "several of the oldest") \
    X(AGE_BEYOND, "an age that no set has decides") X(TOP_WAY, "the highest of eight ways") X(ONE_WAY, "one way alone")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

/* Values of an age port: two for one way. */
static slow_set set_of(uint32_t ways, const rf_line_victim_in *in) {
    slow_set set = {.n = ways};
    uint32_t states = in->state, ages = in->age;
    for (uint32_t w = 0; w < ways; w++) {
        set.way[w] = (slow_way){w, states % 4, ages % judge_codes(ways)};
        states /= 4;
        ages /= judge_codes(ways);
    }
    return set;
}

static bool is_cache_data(const slow_way *way) { return way->state == RF_LINE_CACHE || way->state == RF_LINE_DIRTY; }

/* Whether `a` is to go rather than `b`. */
static bool goes_before(const slow_way *a, const slow_way *b) {
    if (a->age != b->age) return a->age > b->age;
    return a->way < b->way;
}

static void sort(slow_set *list) {
    for (uint32_t i = 1; i < list->n; i++)
        for (uint32_t k = i; k > 0 && goes_before(&list->way[k], &list->way[k - 1]); k--) {
            const slow_way up = list->way[k];
            list->way[k] = list->way[k - 1];
            list->way[k - 1] = up;
        }
}

static slow_answer slow_comb(const rf_line_victim_cfg *cfg, const rf_line_victim_in *in) {
    const slow_set set = set_of(cfg->ways, in);
    slow_answer a = {0};
    slow_set list = {0};
    for (uint32_t w = 0; w < set.n; w++)
        if (set.way[w].state == RF_LINE_INACTIVE) return (slow_answer){.valid = true, .way = w, .choice = 1, .vacant = true};
    for (uint32_t w = 0; w < set.n; w++) {
        bool allowed = true;
        if (cfg->policy == RF_POLICY_REGISTERS) allowed = is_cache_data(&set.way[w]);
        if (cfg->policy == RF_POLICY_CACHE) allowed = set.way[w].state == RF_LINE_REG;
        if (allowed) list.way[list.n++] = set.way[w];
    }
    if (list.n == 0 && cfg->policy == RF_POLICY_CACHE && in->cache) {
        list = set;
        a.fallback = true;
    }
    sort(&list);
    a.choice = list.n;
    a.valid = list.n > 0;
    a.way = list.n > 0 ? list.way[0].way : 0;
    return a;
}

static void compare_out(judge *j, const rf_line_victim_cfg *cfg, const rf_line_victim_in *in, const rf_line_victim_out *out) {
    const slow_answer a = slow_comb(cfg, in);
    judge_equal(j, "valid", 0, out->valid, a.valid);
    judge_equal(j, "way", 0, out->way, a.way);
}

static void start(judge *j, uint64_t seed, rf_line_victim *m, uint32_t ways, uint32_t policy) {
    const rf_line_victim_cfg cfg = {.ways = ways, .policy = policy};
    judge_begin(j, seed, "rf_line_victim ways=%" PRIu32 " policy=%" PRIu32, ways, policy);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_line_victim_init(m, &cfg), 0);
    assert_memory_equal(&m->cfg, &cfg, sizeof cfg);
}

/* One cycle, everything compared; neither comb nor the edge may change the model. */
static void step(judge *j, rf_line_victim *m, const rf_line_victim_in *in) {
    rf_line_victim before;
    rf_line_victim_out out;
    memcpy(&before, m, sizeof before);
    memset(&out, 0x5a, sizeof out);
    rf_line_victim_comb(m, in, &out);
    compare_out(j, &m->cfg, in, &out);
    JUDGE_CLOCK(rf_line_victim, m, in);
    assert_memory_equal(&before, m, sizeof before);
    j->cycle++;
}

static void count(const rf_line_victim_cfg *cfg, const rf_line_victim_in *in, uint64_t *seen) {
    const slow_answer a = slow_comb(cfg, in);
    slow_set set = set_of(cfg->ways, in);
    const slow_way goes = set.way[a.way];
    uint32_t vacant = 0, oldest = 0;
    for (uint32_t w = 0; w < set.n; w++) vacant += set.way[w].state == RF_LINE_INACTIVE;
    sort(&set);
    for (uint32_t w = 0; w < set.n; w++) oldest += set.way[w].age == set.way[0].age;
    const bool other_stays = a.valid && !a.vacant && set.way[0].way != a.way && set.way[0].age > goes.age;
    const bool replaces = a.valid && !a.vacant, reg = goes.state == RF_LINE_REG;
    const uint32_t policy = cfg->policy;
    seen[VACANT] += a.vacant;
    seen[SEVERAL_VACANT] += vacant > 1;
    seen[VACANT_NOT_OLDEST] += vacant == 1 && goes.age < set.way[0].age;
    seen[FAIR_REGISTER_FOR_CACHE] += policy == RF_POLICY_FAIR && replaces && in->cache && reg;
    seen[FAIR_CACHE_FOR_REGISTER] += policy == RF_POLICY_FAIR && replaces && !in->cache && !reg;
    seen[FAIR_SAME] += policy == RF_POLICY_FAIR && replaces && !in->cache && reg;
    seen[REGISTERS_REGISTER] += policy == RF_POLICY_REGISTERS && replaces && !in->cache && !reg;
    seen[REGISTERS_CACHE] += policy == RF_POLICY_REGISTERS && replaces && in->cache && !reg;
    seen[REGISTERS_SKIPS] += policy == RF_POLICY_REGISTERS && other_stays && set.way[0].state == RF_LINE_REG;
    seen[REGISTERS_NONE_REGISTER] += policy == RF_POLICY_REGISTERS && !a.valid && !in->cache;
    seen[REGISTERS_NONE_CACHE] += policy == RF_POLICY_REGISTERS && !a.valid && in->cache;
    seen[CACHE_REGISTER] += policy == RF_POLICY_CACHE && replaces && !in->cache && reg;
    seen[CACHE_CACHE] += policy == RF_POLICY_CACHE && replaces && in->cache && reg;
    seen[CACHE_SKIPS] += policy == RF_POLICY_CACHE && other_stays && set.way[0].state != RF_LINE_REG;
    seen[CACHE_OLDEST] += a.fallback && a.valid && set.n > 1;
    seen[CACHE_NONE] += policy == RF_POLICY_CACHE && !a.valid && !in->cache;
    seen[DIRTY_GOES] += replaces && goes.state == RF_LINE_DIRTY;
    seen[CLEAN_GOES] += replaces && goes.state == RF_LINE_CACHE;
    seen[TIE] += replaces && oldest > 1 && goes.age == set.way[0].age;
    seen[AGE_BEYOND] += replaces && a.choice > 1 && goes.age >= set.n;
    seen[TOP_WAY] += replaces && a.way == 7 && a.choice > 1;
    seen[ONE_WAY] += set.n == 1 && replaces;
}

/* States of few kinds, so that full sets of one kind are met; ages that a set has, or any. */
static void draw(ls_rng *rng, uint32_t ways, rf_line_victim_in *in) {
    const uint32_t kinds = ls_rng_below(rng, 16), bits = rf_index_bits(ways);
    const bool vacant = ls_rng_chance(rng, 64);
    uint32_t order[8] = {0};
    memset(in, 0, sizeof *in);
    in->cache = ls_rng_chance(rng, 128);
    for (uint32_t w = 0; w < ways; w++) {
        const uint32_t state = ls_rng_below(rng, 4), with = ls_rng_below(rng, w + 1);
        if (judge_bit(kinds, state) && (vacant || state != RF_LINE_INACTIVE)) in->state |= (uint16_t)(state << 2 * w);
        else in->state |= (uint16_t)((vacant && kinds % 2 == 0 ? RF_LINE_INACTIVE : 1 + kinds % 3) << 2 * w);
        order[w] = order[with];
        order[with] = w;
    }
    for (uint32_t w = 0; w < ways; w++) in->age |= order[w] << bits * w;
    if (ls_rng_chance(rng, 100)) in->age = (uint32_t)ls_rng_value(rng, bits * ways);
}

static void random_sets_of_every_size_and_policy(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (uint32_t ways = 1; ways <= 8; ways++)
        for (uint32_t policy = 0; policy < 3; policy++) {
            const uint64_t seed = ls_seed_derive(ways * 3 + policy, "judge rf_line_victim");
            rf_line_victim m;
            judge j;
            ls_rng rng;
            start(&j, seed, &m, ways, policy);
            ls_rng_seed(&rng, seed);
            for (uint32_t i = 0; i < 9000; i++, cycles++) {
                rf_line_victim_in in;
                draw(&rng, ways, &in);
                count(&m.cfg, &in, seen);
                step(&j, &m, &in);
            }
            judge_passes(&j);
        }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

static void every_input_of_small_sets(void **state) {
    (void)state;
    for (uint32_t ways = 1; ways <= 3; ways++)
        for (uint32_t policy = 0; policy < 3; policy++) {
            const uint32_t age_bits = ways * rf_index_bits(ways);
            rf_line_victim m;
            judge j;
            start(&j, 0, &m, ways, policy);
            for (uint32_t n = 0; n < 1u << (2 * ways + age_bits + 1); n++) {
                rf_line_victim_in in;
                memset(&in, 0, sizeof in);
                in.cache = n & 1;
                in.state = (uint16_t)(n >> 1 & ls_mask(2 * ways));
                in.age = n >> (1 + 2 * ways);
                step(&j, &m, &in);
            }
            judge_passes(&j);
        }
}

/* Four ways, told as letters (I R C D) and digits from way 0 on. Answers: a way, or - for none; of the policies fair, registers
 * first, cache first; for a register, then for cache data. */
static void answers_by_hand(void **state) {
    static const struct {
        const char *states, *ages, *reg, *cache;
    } by_hand[] = {
        {"IIII", "0123", "000", "000"}, /* the lowest inactive one, not the oldest */
        {"RCIR", "3201", "222", "222"}, {"RIDI", "0123", "111", "111"},
        {"DCRI", "3210", "333", "333"}, {"RRRR", "0312", "1-1", "1-1"}, /* registers alone */
        {"CDCD", "2130", "22-", "222"},                                 /* cache data alone: the exception of cache first */
        {"RCDR", "3120", "020", "020"},                                 /* of the oldest only those that may go */
        {"DRRC", "3120", "002", "002"}, {"CRRR", "0321", "101", "101"},
        {"RCCC", "0132", "220", "220"}, {"RCRC", "1122", "232", "232"}, /* equal ages: the lowest */
        {"DDRR", "3333", "002", "002"}, {"RRCD", "0033", "220", "220"},
    };
    static const char letters[] = "IRCD";
    uint32_t asked = 0;
    (void)state;
    for (size_t i = 0; i < sizeof by_hand / sizeof *by_hand; i++)
        for (uint32_t policy = 0; policy < 3; policy++)
            for (uint32_t cache = 0; cache < 2; cache++, asked++) {
                const char expected = (cache ? by_hand[i].cache : by_hand[i].reg)[policy];
                rf_line_victim m;
                rf_line_victim_in in;
                rf_line_victim_out out;
                judge j;
                start(&j, 0, &m, 4, policy);
                memset(&in, 0, sizeof in);
                in.cache = (uint8_t)cache;
                for (uint32_t w = 0; w < 4; w++) {
                    in.state |= (uint16_t)((strchr(letters, by_hand[i].states[w]) - letters) << 2 * w);
                    in.age |= (uint32_t)(by_hand[i].ages[w] - '0') << 2 * w;
                }
                rf_line_victim_comb(&m, &in, &out);
                assert_int_equal(out.valid, expected != '-');
                assert_int_equal(out.way, expected != '-' ? expected - '0' : 0);
            }
    assert_int_equal(asked, 78);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    static const rf_line_victim_cfg good[] = {{1, 0}, {3, 1}, {8, 2}};
    (void)state;
    JUDGE_RANGES(rf_line_victim, good);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    rf_line_victim m;
    rf_line_victim_in in;
    rf_line_victim_out out;
    judge j;
    (void)state;
    start(&j, 0, &m, 8, RF_POLICY_FAIR);
    memset(&in, 0, sizeof in);
    in.state = 0xbbbb;
    in.age = 0x2c688; /* 0 1 2 3 4 5 0 0 */
    rf_line_victim_comb(&m, &in, &out);
    assert_int_equal(out.valid, 1);
    JUDGE_FLIPS(&j, rf_line_victim, LS_OUT, &m, &out, compare_out(&j, &m.cfg, &in, &out));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sets_of_every_size_and_policy),
        cmocka_unit_test(every_input_of_small_sets),
        cmocka_unit_test(answers_by_hand),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_line_victim", tests, NULL, NULL);
}
