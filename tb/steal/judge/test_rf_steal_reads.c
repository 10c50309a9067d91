/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_steal_reads: the slow model asks for each operand whether it is the first of its register, and looks at every other
 * operand of every candidate for one in the same bank ([bank stealing IV-B-2]: "the stealing should be able to resolve the
 * conflicts in the next cycle"). */
#include "cmodel/steal/rf_steal_reads.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_steal_reads_unit;

typedef struct slow_out {
    bool ask[RF_STEALERS_MAX], fill[RF_STEALERS_MAX], steal[RF_ISSUES_MAX];
} slow_out;

/* clang-format off */
#define SEEN(X) \
    X(NO_CANDIDATE, "no group has a candidate") \
    X(ALL_CANDIDATES, "every group has a candidate, several groups") \
    X(INSIDE, "conflict inside an instruction alone") \
    X(BETWEEN, "conflict between two groups alone") \
    X(NO_CONFLICT, "no conflict: WHEN = 1 does not ask") \
    X(NO_CONFLICT_ASKED, "no conflict: WHEN = 2 asks") \
    X(WITH_NO_CANDIDATE, "the only conflict is with a group without candidate") \
    X(WITH_NO_SOURCE, "the only conflict is with a source that is not there") \
    X(WITH_BLOCKED, "the only conflict is with a blocked operand") \
    X(BLOCKED, "a blocked operand does not ask") \
    X(TWICE, "a register named twice asks once") \
    X(TWICE_ALONE, "a register named twice is no conflict by itself") \
    X(TWICE_BLOCKED, "the first of two equal registers is blocked, the second not") \
    X(TWICE_OTHER_BANK, "equal registers in different banks") \
    X(SAME_REG_OTHER_GROUP, "two groups name one register number in one bank: both ask") \
    X(FILL_COPIES, "a grant fills a later slot too") \
    X(FILL_SKIPS_ABSENT, "a later slot of the register that is not a source is not filled") \
    X(FILL_BLOCKED_COPY, "a later slot that is blocked is filled by the first") \
    X(GRANT_UNASKED, "a grant of an operand that does not ask") \
    X(ASKED_IN_VAIN, "an operand that asks and is not granted") \
    X(STEAL_SEVERAL, "several operands of a candidate are read") \
    X(STEAL_SOME_GROUPS, "some groups steal, others do not") \
    X(NO_BANK, "conflict in a bank that does not exist") \
    X(TOP, "the highest operand is read") \
    X(EVERYTHING, "every operand asks")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

/* The operand is one of a candidate that has a collector. */
static bool is_there(const rf_steal_reads_cfg *cfg, const rf_steal_reads_in *in, uint32_t operand) {
    return judge_bit(in->valid, operand / cfg->slots) && judge_bit(in->src_valid, operand);
}

/* The lowest slot that names the operand's register; the operand itself when it is that one. */
static uint32_t first_of(const rf_steal_reads_cfg *cfg, const rf_steal_reads_in *in, uint32_t operand) {
    for (uint32_t low = operand / cfg->slots * cfg->slots; low < operand; low++)
        if (is_there(cfg, in, low) && in->src[low] == in->src[operand]) return low;
    return operand;
}

static bool conflicts(const rf_steal_reads_cfg *cfg, const rf_steal_reads_in *in, uint32_t operand) {
    for (uint32_t k = 0; k < cfg->issues * cfg->slots; k++)
        if (k != operand && is_there(cfg, in, k) && first_of(cfg, in, k) == k && in->bank[k] == in->bank[operand]) return true;
    return false;
}

static void slow_comb(const rf_steal_reads_cfg *cfg, const rf_steal_reads_in *in, slow_out *out) {
    memset(out, 0, sizeof *out);
    for (uint32_t k = 0; k < cfg->issues * cfg->slots; k++) {
        if (!is_there(cfg, in, k)) continue;
        const uint32_t first = first_of(cfg, in, k);
        if (first == k && !judge_bit(in->blocked, k)) out->ask[k] = cfg->when == 2 || conflicts(cfg, in, k);
        out->fill[k] = out->ask[first] && judge_bit(in->grant, first);
        if (out->fill[k]) out->steal[k / cfg->slots] = true;
    }
}

static void compare_out(judge *j, const rf_steal_reads_cfg *cfg, const rf_steal_reads_out *out, const slow_out *expected) {
    judge_equal(j, "ask", 0, out->ask, judge_pack(expected->ask, cfg->issues * cfg->slots));
    judge_equal(j, "fill", 0, out->fill, judge_pack(expected->fill, cfg->issues * cfg->slots));
    judge_equal(j, "steal", 0, out->steal, judge_pack(expected->steal, cfg->issues));
}

static void start(judge *j, uint64_t seed, rf_steal_reads *m, const rf_steal_reads_cfg *cfg) {
    judge_begin(j, seed, "rf_steal_reads issues=%" PRIu32 " slots=%" PRIu32 " regs=%" PRIu32 " banks=%" PRIu32 " when=%" PRIu32,
                cfg->issues, cfg->slots, cfg->regs, cfg->banks, cfg->when);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_steal_reads_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
}

/* One cycle, everything compared; the two calls of comb start from different garbage, and neither comb, clock nor reset may
 * change the model. */
static void step(judge *j, rf_steal_reads *m, const rf_steal_reads_in *in, slow_out *expected) {
    const rf_steal_reads before = *m;
    rf_steal_reads_out out;
    slow_comb(&before.cfg, in, expected);
    memset(&out, 0xa5, sizeof out);
    rf_steal_reads_comb(m, in, &out);
    compare_out(j, &before.cfg, &out, expected);
    memset(&out, 0x5a, sizeof out);
    rf_steal_reads_comb(m, in, &out);
    compare_out(j, &before.cfg, &out, expected);
    rf_steal_reads_clock(m, in);
    assert_memory_equal(&before, m, sizeof before);
    rf_steal_reads_reset(m);
    assert_memory_equal(&before, m, sizeof before);
    j->cycle++;
}

/* What the operand shares its bank with. */
typedef struct company {
    uint32_t own, others, absent_groups, absent_sources, blocked, copies, copies_elsewhere;
} company;

static company company_of(const rf_steal_reads_cfg *cfg, const rf_steal_reads_in *in, uint32_t operand) {
    company c = {0};
    for (uint32_t k = 0; k < cfg->issues * cfg->slots; k++) {
        const bool same_group = k / cfg->slots == operand / cfg->slots, copy = same_group && in->src[k] == in->src[operand];
        if (k == operand) continue;
        c.copies_elsewhere += is_there(cfg, in, k) && copy && in->bank[k] != in->bank[operand];
        if (in->bank[k] != in->bank[operand]) continue;
        c.absent_groups += !judge_bit(in->valid, k / cfg->slots) && judge_bit(in->src_valid, k);
        c.absent_sources += judge_bit(in->valid, k / cfg->slots) && !judge_bit(in->src_valid, k);
        if (!is_there(cfg, in, k)) continue;
        c.copies += copy;
        if (copy || first_of(cfg, in, k) != k) continue;
        c.blocked += judge_bit(in->blocked, k);
        if (same_group) c.own++;
        else c.others++;
    }
    return c;
}

static void count(const rf_steal_reads_cfg *cfg, const rf_steal_reads_in *in, const slow_out *out, uint64_t *seen) {
    const uint32_t n = cfg->issues * cfg->slots;
    uint32_t asking = 0, stealing = 0, trying = 0;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t group = k / cfg->slots, first = first_of(cfg, in, k);
        const bool blocked = judge_bit(in->blocked, k), grant = judge_bit(in->grant, k);
        const company c = company_of(cfg, in, k);
        asking += out->ask[k];
        seen[GRANT_UNASKED] += grant && !out->ask[k];
        seen[ASKED_IN_VAIN] += out->ask[k] && !grant;
        seen[TOP] += n > 1 && k == n - 1 && out->fill[k] && first == k;
        seen[FILL_SKIPS_ABSENT] +=
            judge_bit(in->valid, group) && !judge_bit(in->src_valid, k) && first != k && out->fill[first] && !out->fill[k];
        if (!is_there(cfg, in, k)) continue;
        seen[FILL_COPIES] += first != k && out->fill[k];
        seen[FILL_BLOCKED_COPY] += first != k && out->fill[k] && blocked;
        seen[TWICE_BLOCKED] += first != k && judge_bit(in->blocked, first) && !blocked;
        seen[TWICE] += first != k && out->ask[first] && !out->ask[k];
        seen[BLOCKED] += first == k && blocked && (cfg->when == 2 || c.own + c.others > 0);
        if (first != k || blocked) continue;
        const bool asks = out->ask[k], alone = c.own + c.others == 0;
        if (cfg->when == 2) {
            seen[NO_CONFLICT_ASKED] += asks && alone;
            continue;
        }
        seen[INSIDE] += asks && c.own > 0 && c.others == 0;
        seen[BETWEEN] += asks && c.own == 0 && c.others > 0;
        seen[WITH_BLOCKED] += asks && c.own + c.others > 0 && c.blocked == c.own + c.others;
        seen[NO_BANK] += asks && in->bank[k] >= cfg->banks;
        seen[NO_CONFLICT] += !asks && alone;
        seen[WITH_NO_CANDIDATE] += !asks && c.absent_groups > 0 && c.absent_sources == 0 && c.copies == 0;
        seen[WITH_NO_SOURCE] += !asks && c.absent_sources > 0 && c.absent_groups == 0 && c.copies == 0;
        seen[TWICE_ALONE] += !asks && c.copies > 0;
        seen[TWICE_OTHER_BANK] += c.copies_elsewhere > 0;
        for (uint32_t other = 0; other < n; other++)
            seen[SAME_REG_OTHER_GROUP] += asks && out->ask[other] && other / cfg->slots != group &&
                                          in->src[other] == in->src[k] && in->bank[other] == in->bank[k] && c.own == 0 &&
                                          c.others == 1;
    }
    for (uint32_t g = 0; g < cfg->issues; g++) {
        uint32_t read = 0;
        for (uint32_t k = g * cfg->slots; k < (g + 1) * cfg->slots; k++) read += out->ask[k] && judge_bit(in->grant, k);
        seen[STEAL_SEVERAL] += read > 1;
        stealing += out->steal[g];
        trying += judge_bit(in->valid, g);
    }
    seen[STEAL_SOME_GROUPS] += stealing > 0 && stealing < trying;
    seen[NO_CANDIDATE] += in->valid == 0 && in->src_valid != 0 && in->grant != 0;
    seen[ALL_CANDIDATES] += cfg->issues > 1 && in->valid == ls_mask(cfg->issues);
    seen[EVERYTHING] += n > 1 && asking == n;
}

/* What 64 cycles have in common: chances in 256ths, and how many registers and banks meet each other. */
typedef struct knobs {
    uint32_t valid, source, blocked, grant, twice, wild, regs, banks;
} knobs;

/* Each register in a bank of its own, as the map has it, unless `wild`; the bank of group g is moved by g. */
static void stimulate(ls_rng *rng, const rf_steal_reads_cfg *cfg, const knobs *k, rf_steal_reads_in *in) {
    const uint32_t n = cfg->issues * cfg->slots;
    const bool wild = ls_rng_chance(rng, k->wild);
    in->valid = (uint8_t)ls_rng_bits(rng, cfg->issues, k->valid);
    in->src_valid = (uint32_t)(ls_rng_chance(rng, 16) ? ls_rng_value(rng, n) : ls_rng_bits(rng, n, k->source));
    in->grant = (uint32_t)(ls_rng_chance(rng, 16) ? ls_rng_value(rng, n) : ls_rng_bits(rng, n, k->grant));
    in->blocked = (uint32_t)ls_rng_bits(rng, n, k->blocked);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t group = i / cfg->slots;
        in->src[i] = (uint8_t)ls_rng_below(rng, wild ? judge_codes(cfg->regs) : k->regs);
        if (i % cfg->slots > 0 && ls_rng_chance(rng, k->twice)) in->src[i] = in->src[i - 1 - ls_rng_below(rng, i % cfg->slots)];
        in->bank[i] = (uint8_t)((in->src[i] + group) % k->banks);
        if (wild) in->bank[i] = (uint8_t)ls_rng_below(rng, ls_rng_chance(rng, 64) ? judge_codes(cfg->banks) : k->banks);
        for (uint32_t low = group * cfg->slots; low < i && !wild; low++)
            if (in->src[low] == in->src[i]) in->blocked = (in->blocked & ~(1u << i)) | ((in->blocked >> low & 1) << i);
    }
}

static void run(const rf_steal_reads_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    rf_steal_reads m;
    judge j;
    ls_rng rng;
    knobs k = {0};
    rf_steal_reads_in in;
    slow_out expected;
    start(&j, seed, &m, cfg);
    ls_rng_seed(&rng, seed);
    memset(&in, 0, sizeof in);
    while (j.cycle < cycles) {
        if (j.cycle % 64 == 0) {
            k.valid = ls_rng_chance(&rng, 96) ? 256 : ls_rng_below(&rng, 257);
            k.source = ls_rng_chance(&rng, 64) ? 256 : ls_rng_below(&rng, 257);
            k.blocked = ls_rng_chance(&rng, 96) ? 0 : ls_rng_below(&rng, 160);
            k.grant = ls_rng_below(&rng, 257);
            k.twice = ls_rng_chance(&rng, 96) ? 0 : ls_rng_below(&rng, 160);
            k.wild = ls_rng_chance(&rng, 96) ? 0 : ls_rng_below(&rng, 257);
            k.regs = ls_rng_chance(&rng, 96) ? cfg->regs : 1 + ls_rng_below(&rng, cfg->regs);
            k.banks = ls_rng_chance(&rng, 128) ? cfg->banks : 1 + ls_rng_below(&rng, cfg->banks);
        }
        stimulate(&rng, cfg, &k, &in);
        step(&j, &m, &in, &expected);
        count(cfg, &in, &expected, seen);
    }
    judge_passes(&j);
}

static void random_candidates_of_every_shape(void **state) {
    /* issues, slots, regs, banks */
    static const struct {
        rf_steal_reads_cfg cfg;
        uint64_t cycles;
    } sets[] = {{{1, 1, 1, 1, 0}, 10000},  {{1, 3, 64, 4, 0}, 20000},  {{2, 3, 64, 8, 0}, 20000},   {{2, 3, 63, 5, 0}, 20000},
                {{2, 4, 5, 16, 0}, 15000}, {{3, 2, 33, 3, 0}, 20000},  {{4, 8, 256, 32, 0}, 5000},  {{4, 1, 16, 2, 0}, 20000},
                {{1, 8, 100, 7, 0}, 8000}, {{3, 5, 255, 31, 0}, 5000}, {{4, 3, 128, 17, 0}, 10000}, {{2, 7, 3, 1, 0}, 8000}};
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (uint64_t i = 0; i < sizeof sets / sizeof *sets; i++)
        for (uint32_t when = 1; when <= 2; when++) {
            rf_steal_reads_cfg cfg = sets[i].cfg;
            cfg.when = when;
            run(&cfg, ls_seed_derive(i * 2 + when, "judge rf_steal_reads"), sets[i].cycles, seen);
            cycles += sets[i].cycles;
        }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* Two groups of two operands: every combination of who is there, who is blocked, equal registers and banks, and four grants. */
static void every_input_of_a_small_one(void **state) {
    judge j;
    (void)state;
    for (uint32_t when = 1; when <= 2; when++) {
        static const uint32_t grants[] = {15, 5, 10, 1};
        const rf_steal_reads_cfg cfg = {2, 2, 2, 2, when};
        rf_steal_reads m;
        rf_steal_reads_in in;
        slow_out expected;
        start(&j, 0, &m, &cfg);
        memset(&in, 0, sizeof in);
        for (uint32_t code = 0; code < 1u << 18; code++) {
            in.valid = code & 3;
            in.src_valid = code >> 2 & 15;
            in.blocked = code >> 6 & 15;
            for (uint32_t k = 0; k < 4; k++) {
                in.src[k] = k % 2 == 0 ? (uint8_t)(k / 2) : code >> (10 + k / 2) & 1; /* as the slot before it, or another */
                in.bank[k] = code >> (12 + k) & 1;
            }
            in.grant = grants[code >> 16];
            step(&j, &m, &in, &expected);
        }
        judge_passes(&j);
    }
}

static rf_steal_reads m1; /* the unit of the directed tests */
static rf_steal_reads_in ask;
static rf_steal_reads_out answer;

static void begin(rf_steal_reads_cfg cfg) {
    assert_int_equal(rf_steal_reads_init(&m1, &cfg), 0);
    memset(&ask, 0, sizeof ask);
}

static void operand(uint32_t group, uint32_t slot, uint8_t reg, uint8_t bank) {
    const uint32_t k = group * m1.cfg.slots + slot;
    ask.valid |= (uint8_t)(1u << group);
    ask.src_valid |= 1u << k;
    ask.src[k] = reg;
    ask.bank[k] = bank;
}

static void answers(uint32_t asked, uint32_t fill, uint32_t steal) {
    rf_steal_reads_comb(&m1, &ask, &answer);
    assert_int_equal(answer.ask, asked);
    assert_int_equal(answer.fill, fill);
    assert_int_equal(answer.steal, steal);
}

/* Fig. 6: Wc and Wd are the candidates of T + 1, rc and rd lie in one bank; the arbiter has room for one of them. */
static void the_conflict_of_the_next_cycle_is_read_ahead(void **state) {
    (void)state;
    for (uint32_t when = 1; when <= 2; when++) {
        begin((rf_steal_reads_cfg){2, 3, 64, 8, when});
        operand(0, 0, 20, 5);
        operand(1, 0, 31, 5);
        answers(0x09, 0, 0);
        ask.grant = 0x08;
        answers(0x09, 0x08, 2);
        ask.bank[3] = 6; /* no conflict any more */
        if (when == 1) answers(0, 0, 0);
        else answers(0x09, 0x08, 2);
        ask.bank[3] = 5, ask.valid = 2; /* group 0 has no candidate, or no collector for it */
        if (when == 1) answers(0, 0, 0);
        else answers(0x08, 0x08, 2);
    }
}

/* D-dup, and the conflict of an instruction with itself. */
static void a_register_named_twice_is_one_operand(void **state) {
    (void)state;
    begin((rf_steal_reads_cfg){1, 3, 64, 4, 1});
    operand(0, 0, 9, 1);
    operand(0, 2, 9, 1);
    ask.grant = 7;
    answers(0, 0, 0); /* one read in the next cycle: no conflict */
    operand(0, 1, 13, 1);
    answers(3, 7, 1); /* two reads */
    ask.grant = 1;
    answers(3, 5, 1); /* slot 0's grant counts for slot 2 */
    ask.grant = 2;
    answers(3, 2, 1);
    ask.grant = 4;
    answers(3, 0, 0); /* slot 2 does not ask */
}

/* IV-C: its value is on its way through a temporary register, but next cycle it may want the bank all the same. */
static void a_blocked_operand_is_a_conflict_and_does_not_ask(void **state) {
    (void)state;
    begin((rf_steal_reads_cfg){2, 2, 16, 4, 1});
    operand(0, 1, 3, 2);
    operand(1, 0, 4, 2);
    ask.blocked = 2;
    ask.grant = 0xf;
    answers(4, 4, 2);
    ask.blocked = 6;
    answers(0, 0, 0);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    static const rf_steal_reads_cfg good[] = {{2, 3, 64, 8, 1}, {1, 1, 1, 1, 1}, {4, 8, 256, 32, 2}};
    (void)state;
    JUDGE_RANGES(rf_steal_reads, good);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    const rf_steal_reads_cfg cfg = {4, 8, 256, 32, 2};
    rf_steal_reads m;
    rf_steal_reads_in in;
    rf_steal_reads_out out;
    slow_out expected;
    judge j;
    (void)state;
    start(&j, 0, &m, &cfg);
    memset(&in, 0, sizeof in);
    in.valid = 5;
    in.src_valid = 0x0f0f0f0f;
    for (uint32_t k = 0; k < 32; k++) in.src[k] = (uint8_t)(k / 2);
    in.grant = 0x55aa55aa;
    step(&j, &m, &in, &expected);
    judge_passes(&j);
    rf_steal_reads_comb(&m, &in, &out);
    JUDGE_FLIPS(&j, rf_steal_reads, LS_OUT, &m, &out, compare_out(&j, &cfg, &out, &expected));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_candidates_of_every_shape),
        cmocka_unit_test(every_input_of_a_small_one),
        cmocka_unit_test(the_conflict_of_the_next_cycle_is_read_ahead),
        cmocka_unit_test(a_register_named_twice_is_one_operand),
        cmocka_unit_test(a_blocked_operand_is_a_conflict_and_does_not_ask),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_steal_reads", tests, NULL, NULL);
}
