/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_refcount; its slow model is in judge_refcount.h. */
#include "tb/common/judge/judge_unit.h"
#include "tb/wir/judge/judge_refcount.h"

extern const ls_unit rf_refcount_unit;

/* clang-format off */
#define SEEN(X) \
    X(IDLE, "nothing asked, nothing on its way, nothing offered") \
    X(INC, "a count goes up") X(DEC, "a count goes down and stays above 0") \
    X(MERGED_INCS, "several +1 of one register") X(MERGED_DECS, "several -1 of one register") \
    X(MERGED_BOTH, "+1 and -1 of one register") \
    X(DEC_PLACE, "a place of a -1 port is used") X(LOWER_NAMES, "a place stays empty because a lower one has its register") \
    X(NOT_VALID_NAMES, "a lower port that does not ask names the register") \
    X(ALL_INCS, "all +1 ports name one register") X(ALL_DECS, "all -1 ports name one register") \
    X(ZERO_ALIVE, "delta 0 of a count that is not 0") X(ZERO_DEAD, "delta 0 of a count of 0 marks it dead") \
    X(DIES, "a count becomes 0") X(BELOW, "a sum below 0") \
    X(REACHES, "a count reaches its end exactly") X(EXCEEDS, "a count would exceed its end") \
    X(STUCK_DOWN, "a full count is not counted down") X(STUCK_UP, "a full count is not counted up") \
    X(ONE_BELOW, "a count one below its end is counted down") \
    X(OFFERED, "a register is offered") X(ALL_OFFERED, "every port offers") X(MORE, "more dead registers than ports") \
    X(SOME_OFFERED, "some ports offer, others do not") \
    X(MARK_AGAIN, "a mark set at the edge at which it is lost") X(RAISED, "a dead register is counted up and keeps its mark") \
    X(DEAD_AGAIN, "a register that is dead becomes 0 again") \
    X(OUTSIDE, "a register that does not exist") X(TOP, "the highest register is offered") \
    X(ONE, "a register with one reference is asked for") X(ASK_NONE, "one with none is") X(ASK_MORE, "one with several is") \
    X(ASK_OUTSIDE, "one that does not exist is") X(ONE_CHANGES, "one with one reference, which changes at the edge") \
    X(ASK_BOTH, "two ask for one register") \
    X(BOTH_STAGES, "one register in both stages") X(RESET, "reset with marks and places")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void compare_out(judge *j, const slow_refcount *s, const rf_refcount_out *out, const slow_count_out *expected) {
    judge_equal(j, "free", 0, out->free, judge_pack(expected->free, s->cfg.frees));
    for (uint32_t f = 0; f < s->cfg.frees; f++) judge_equal(j, "free_reg", f, out->free_reg[f], expected->reg[f]);
    judge_equal(j, "one", 0, out->one, judge_pack(expected->one, s->cfg.asks));
}

static void compare_state(judge *j, const slow_refcount *s, const rf_refcount *m) {
    bool used[2 * RF_REFCOUNT_PORTS_MAX] = {false};
    for (uint32_t p = 0; p < s->cfg.incs + s->cfg.decs; p++) {
        used[p] = s->place[p].used;
        judge_equal(j, "reg_q", p, m->reg_q[p], s->place[p].reg);
        judge_equal(j, "delta_q", p, m->delta_q[p], (uint64_t)(s->place[p].delta + 64) % 64);
    }
    judge_equal(j, "place_q", 0, m->place_q, judge_pack(used, s->cfg.incs + s->cfg.decs));
    for (uint32_t r = 0; r < s->cfg.pregs; r++) {
        judge_equal(j, "count_q", r, m->count_q[r], (uint64_t)s->count[r]);
    }
    for (uint32_t r = 0; r < s->cfg.pregs; r += 64) {
        const uint32_t left = s->cfg.pregs - r;
        judge_equal(j, "dead_q", r / 64, m->dead_q[r / 64], judge_pack(&s->dead[r], left < 64 ? left : 64));
    }
}

static void start(judge *j, uint64_t seed, rf_refcount *m, slow_refcount *s, const rf_refcount_cfg *cfg) {
    judge_begin(j, seed,
                "rf_refcount pregs=%" PRIu32 " incs=%" PRIu32 " decs=%" PRIu32 " frees=%" PRIu32 " asks=%" PRIu32
                " countw=%" PRIu32,
                cfg->pregs, cfg->incs, cfg->decs, cfg->frees, cfg->asks, cfg->countw);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_refcount_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    s->cfg = *cfg;
    slow_count_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; the two calls of comb start from different garbage and must leave the model alone. */
static void step(judge *j, rf_refcount *m, slow_refcount *s, const rf_refcount_in *in) {
    rf_refcount before;
    rf_refcount_out out;
    slow_count_out expected;
    slow_count_comb(s, in, &expected);
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_refcount_comb(m, in, &out);
    compare_out(j, s, &out, &expected);
    memset(&out, 0x5a, sizeof out);
    rf_refcount_comb(m, in, &out);
    compare_out(j, s, &out, &expected);
    assert_memory_equal(&before, m, sizeof before);
    JUDGE_CLOCK(rf_refcount, m, in);
    slow_count_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
}

/* What the requests of this cycle have to do with each other and with the places. */
static void count_requests(const slow_refcount *s, const rf_refcount_in *in, uint64_t *seen) {
    const rf_refcount_cfg *cfg = &s->cfg;
    const uint32_t ports = cfg->incs + cfg->decs;
    for (uint32_t p = 0; p < ports; p++) {
        const bool up = p < cfg->incs;
        const bool asks = judge_bit(up ? in->inc : in->dec, up ? p : p - cfg->incs);
        uint32_t reg, other, ups = 0, downs = 0;
        bool lower = false, mute = false;
        if (asks && !request(cfg, in, p, &reg)) seen[OUTSIDE]++;
        if (!request(cfg, in, p, &reg)) continue;
        for (uint32_t q = 0; q < ports; q++) {
            const bool also = request(cfg, in, q, &other);
            if (other != reg) continue;
            lower |= also && q < p;
            mute |= !also && q < p;
            ups += also && q < cfg->incs;
            downs += also && q >= cfg->incs;
        }
        seen[DEC_PLACE] += !up && !lower;
        seen[LOWER_NAMES] += lower;
        seen[NOT_VALID_NAMES] += mute && !lower;
        seen[MERGED_INCS] += ups > 1 && downs == 0;
        seen[MERGED_DECS] += downs > 1 && ups == 0;
        seen[MERGED_BOTH] += ups > 0 && downs > 0;
        seen[ALL_INCS] += cfg->incs > 1 && ups == cfg->incs && downs == 0;
        seen[ALL_DECS] += cfg->decs > 1 && downs == cfg->decs && ups == 0;
        for (uint32_t q = 0; q < ports; q++) seen[BOTH_STAGES] += s->place[q].used && s->place[q].reg == reg;
    }
}

static void count(const slow_refcount *s, const rf_refcount_in *in, uint64_t *seen) {
    const rf_refcount_cfg *cfg = &s->cfg;
    const int32_t end = count_end(cfg);
    slow_count_out out;
    uint32_t dead = 0, offered = 0, places = 0;
    slow_count_comb(s, in, &out);
    for (uint32_t r = 0; r < cfg->pregs; r++) dead += s->dead[r];
    for (uint32_t f = 0; f < cfg->frees; f++) {
        offered += out.free[f];
        seen[OFFERED] += out.free[f];
        seen[TOP] += out.free[f] && out.reg[f] == cfg->pregs - 1;
    }
    for (uint32_t a = 0; a < cfg->asks; a++) {
        const uint32_t reg = in->ask_reg[a];
        seen[ASK_OUTSIDE] += reg >= cfg->pregs;
        if (reg >= cfg->pregs) continue;
        seen[ONE] += out.one[a];
        seen[ASK_NONE] += s->count[reg] == 0;
        seen[ASK_MORE] += s->count[reg] > 1;
        seen[ASK_BOTH] += a > 0 && reg == in->ask_reg[0] && out.one[a];
        for (uint32_t p = 0; p < cfg->incs + cfg->decs; p++)
            seen[ONE_CHANGES] += out.one[a] && s->place[p].used && s->place[p].reg == reg && s->place[p].delta != 0;
    }
    seen[ALL_OFFERED] += offered == cfg->frees;
    seen[SOME_OFFERED] += offered > 0 && offered < cfg->frees;
    seen[MORE] += dead > cfg->frees;
    for (uint32_t p = 0; p < cfg->incs + cfg->decs; p++) {
        const slow_place *place = &s->place[p];
        if (!place->used) continue;
        places++;
        const int32_t old = s->count[place->reg], sum = old + place->delta;
        const bool marked = s->dead[place->reg], zero = old != end && sum <= 0;
        bool offers = false;
        for (uint32_t f = 0; f < cfg->frees; f++) offers |= out.free[f] && out.reg[f] == place->reg;
        seen[INC] += place->delta > 0 && sum < end;
        seen[DEC] += place->delta < 0 && old != end && sum > 0;
        seen[ZERO_ALIVE] += place->delta == 0 && old > 0 && old < end;
        seen[ZERO_DEAD] += place->delta == 0 && old == 0;
        seen[DIES] += old > 0 && old != end && sum == 0;
        seen[BELOW] += old != end && sum < 0;
        seen[REACHES] += old < end && sum == end;
        seen[EXCEEDS] += old < end && sum > end;
        seen[STUCK_DOWN] += old == end && place->delta < 0;
        seen[STUCK_UP] += old == end && place->delta > 0;
        seen[ONE_BELOW] += old == end - 1 && place->delta < 0;
        seen[MARK_AGAIN] += offers && zero;
        seen[RAISED] += marked && !offers && old == 0 && sum > 0;
        seen[DEAD_AGAIN] += marked && !offers && zero;
    }
    count_requests(s, in, seen);
    seen[IDLE] += in->inc == 0 && in->dec == 0 && places == 0 && dead == 0;
}

/* What 128 cycles have in common, in 256ths; requests are for `few` registers from `first` on. */
typedef struct knobs {
    uint32_t inc, dec, same, wild, quiet, first, few;
} knobs;

static uint16_t draw(ls_rng *rng, const rf_refcount_cfg *cfg, const knobs *k) {
    if (ls_rng_chance(rng, k->wild)) return (uint16_t)ls_rng_below(rng, judge_codes(cfg->pregs));
    return (uint16_t)((k->first + ls_rng_below(rng, k->few)) % cfg->pregs);
}

static void stimulate(ls_rng *rng, const rf_refcount_cfg *cfg, const knobs *k, rf_refcount_in *in) {
    const bool same = ls_rng_chance(rng, k->same);
    const uint16_t one = draw(rng, cfg, k);
    in->inc = (uint32_t)ls_rng_bits(rng, cfg->incs, k->inc);
    in->dec = (uint32_t)ls_rng_bits(rng, cfg->decs, k->dec);
    if (ls_rng_chance(rng, k->quiet)) in->inc = in->dec = 0;
    for (uint32_t p = 0; p < cfg->incs; p++) in->inc_reg[p] = same ? one : draw(rng, cfg, k);
    for (uint32_t p = 0; p < cfg->decs; p++) in->dec_reg[p] = same ? one : draw(rng, cfg, k);
    for (uint32_t a = 0; a < cfg->asks; a++) in->ask_reg[a] = ls_rng_chance(rng, 32) ? one : draw(rng, cfg, k);
    if (same && ls_rng_chance(rng, 128)) { /* all of one kind, to the ends of what a place can hold */
        const bool up = ls_rng_chance(rng, 128);
        in->inc = up ? (uint32_t)ls_mask(cfg->incs) : 0;
        in->dec = up ? 0 : (uint32_t)ls_mask(cfg->decs);
    }
}

static void run(const rf_refcount_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    rf_refcount m;
    slow_refcount s;
    judge j;
    ls_rng rng;
    knobs k = {0};
    rf_refcount_in in;
    memset(&in, 0, sizeof in);
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&rng, seed);
    while (j.cycle < cycles) {
        if (j.cycle % 128 == 0) {
            const uint32_t tide = ls_rng_below(&rng, 3); /* up, down, even */
            k.inc = tide == 1 ? ls_rng_below(&rng, 48) : ls_rng_below(&rng, 257);
            k.dec = tide == 0 ? ls_rng_below(&rng, 48) : ls_rng_below(&rng, 257);
            k.same = ls_rng_chance(&rng, 128) ? 0 : ls_rng_below(&rng, 128);
            k.wild = ls_rng_chance(&rng, 128) ? 0 : ls_rng_below(&rng, 64);
            k.quiet = ls_rng_chance(&rng, 128) ? 0 : ls_rng_below(&rng, 257);
            k.first = ls_rng_chance(&rng, 96) ? cfg->pregs - 1 : ls_rng_below(&rng, cfg->pregs);
            k.few = 1 + ls_rng_below(&rng, ls_rng_chance(&rng, 64) ? cfg->pregs : 6);
        }
        stimulate(&rng, cfg, &k, &in);
        count(&s, &in, seen);
        step(&j, &m, &s, &in);
        if (ls_rng_below(&rng, 2048) == 0) {
            bool marks = false, places = false;
            for (uint32_t r = 0; r < cfg->pregs; r++) marks |= s.dead[r];
            for (uint32_t p = 0; p < cfg->incs + cfg->decs; p++) places |= s.place[p].used;
            seen[RESET] += marks && places;
            rf_refcount_reset(&m);
            slow_count_reset(&s);
            compare_state(&j, &s, &m);
        }
    }
    judge_passes(&j);
}

static void random_references(void **state) {
    /* pregs, incs, decs, frees, countw */
    static const struct {
        rf_refcount_cfg cfg;
        uint64_t cycles;
    } sets[] = {{{2, 1, 1, 1, 1, 2}, 50000},     {{3, 2, 3, 2, 4, 2}, 50000},    {{16, 4, 4, 2, 2, 3}, 40000},
                {{33, 12, 12, 2, 2, 10}, 30000}, {{7, 24, 24, 4, 3, 5}, 15000},  {{64, 12, 12, 3, 1, 4}, 15000},
                {{5, 1, 24, 4, 2, 16}, 6000},    {{127, 24, 1, 1, 4, 16}, 6000}, {{1024, 12, 12, 2, 2, 10}, 3000},
                {{1000, 6, 6, 4, 3, 6}, 2000}};
    uint64_t seen[EVENTS] = {0}, total = 0;
    (void)state;
    for (uint64_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        run(&sets[i].cfg, ls_seed_derive(i, "judge rf_refcount"), sets[i].cycles, seen);
        total += sets[i].cycles;
    }
    assert_true(total >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* Two registers, two ports: every count, mark, place (each register once, as stage 1 leaves them) and request. */
static void every_state_of_a_small_one(void **state) {
    const rf_refcount_cfg cfg = {2, 1, 1, 1, 1, 2};
    rf_refcount m;
    slow_refcount s;
    judge j;
    rf_refcount_in in;
    uint32_t tried = 0;
    (void)state;
    start(&j, 0, &m, &s, &cfg);
    memset(&in, 0, sizeof in);
    for (uint32_t code = 0; code < 1u << 14; code++) {
        const uint32_t used = code >> 6 & 3;
        const uint32_t reg[2] = {code >> 8 & 1, code >> 9 & 1};
        if (used == 3 && reg[0] == reg[1]) continue;
        for (int32_t delta = -1; delta <= 1; delta++) {
            m.place_q = used;
            m.dead_q[0] = code >> 4 & 3;
            for (uint32_t r = 0; r < 2; r++) {
                s.count[r] = (int32_t)(code >> (2 * r) & 3);
                s.dead[r] = judge_bit(code, 4 + r);
                s.place[r] = (slow_place){judge_bit(used, r), judge_bit(used, r) ? reg[r] : 0, 0};
                if (s.place[r].used) s.place[r].delta = r == 0 ? delta : -1;
                m.count_q[r] = (uint16_t)s.count[r];
                m.reg_q[r] = (uint16_t)s.place[r].reg;
                m.delta_q[r] = (uint8_t)(s.place[r].delta & 63);
            }
            in.inc = code >> 10 & 1, in.inc_reg[0] = code >> 11 & 1;
            in.dec = code >> 12 & 1, in.dec_reg[0] = code >> 13 & 1;
            in.ask_reg[0] = code >> 11 & 1;
            step(&j, &m, &s, &in);
            tried++;
        }
    }
    judge_passes(&j);
    assert_int_equal(tried, 3 * (16 * 4) * (4 * 4 - 2) * 16);
}

/* "A register is offered two cycles after its last -1 at the earliest." */
static void a_register_is_offered_two_cycles_after_its_last_reference(void **state) {
    const rf_refcount_cfg cfg = {8, 2, 2, 2, 2, 10};
    const rf_refcount_in none = {0}, up = {.inc = 1, .inc_reg = {5}}, down = {.dec = 2, .dec_reg = {0, 5}};
    const rf_refcount_in five = {.ask_reg = {4, 5}};
    rf_refcount m;
    rf_refcount_out out;
    (void)state;
    assert_int_equal(rf_refcount_init(&m, &cfg), 0);
    rf_refcount_step(&m, &up, &out);
    assert_int_equal(m.place_q, 1);
    assert_int_equal(m.reg_q[0], 5);
    assert_int_equal(m.delta_q[0], 1);
    rf_refcount_step(&m, &down, &out);
    assert_int_equal(m.count_q[5], 1);
    rf_refcount_comb(&m, &five, &out);
    assert_int_equal(out.one, 2);
    assert_int_equal(m.place_q, 8); /* +1 ports are 0 and 1, -1 ports 2 and 3 */
    assert_int_equal(m.delta_q[3], 63);
    rf_refcount_step(&m, &none, &out);
    assert_int_equal(out.free, 0);
    assert_int_equal(m.count_q[5], 0);
    assert_int_equal(m.dead_q[0], 1u << 5);
    rf_refcount_step(&m, &none, &out);
    assert_int_equal(out.free, 1);
    assert_int_equal(out.free_reg[0], 5);
    assert_int_equal(out.free_reg[1], 0);
    assert_int_equal(m.dead_q[0], 0);
    rf_refcount_step(&m, &none, &out);
    assert_int_equal(out.free, 0);
}

/* D-sticky at the paper's 10 bits: 1023 is reached, kept, and never free again until reset. */
static void a_full_count_stays(void **state) {
    const rf_refcount_cfg cfg = {4, 12, 12, 1, 1, 10};
    rf_refcount_in up = {.inc = 0xfff}, down = {.dec = 0xfff};
    const rf_refcount_in none = {0};
    rf_refcount m;
    rf_refcount_out out;
    (void)state;
    for (uint32_t p = 0; p < 12; p++) up.inc_reg[p] = down.dec_reg[p] = 3;
    assert_int_equal(rf_refcount_init(&m, &cfg), 0);
    for (uint32_t i = 0; i < 85; i++) rf_refcount_step(&m, &up, &out);
    rf_refcount_step(&m, &none, &out);
    assert_int_equal(m.count_q[3], 1020);
    rf_refcount_step(&m, &up, &out);
    rf_refcount_step(&m, &none, &out);
    assert_int_equal(m.count_q[3], 1023);
    for (uint32_t i = 0; i < 200; i++) rf_refcount_step(&m, &down, &out);
    assert_int_equal(m.count_q[3], 1023);
    assert_int_equal(out.free, 0);
    rf_refcount_reset(&m);
    assert_int_equal(m.count_q[3], 0);
}

static void a_parameter_out_of_range_is_refused_by_name(void **state) {
    static const rf_refcount_cfg good[] = {{2, 1, 1, 1, 1, 2}, {1024, 24, 24, 4, 4, 16}};
    (void)state;
    JUDGE_RANGES(rf_refcount, good);
}

static void the_comparer_sees_every_flipped_bit(void **state) {
    const rf_refcount_cfg cfg = {16, 3, 2, 2, 2, 4};
    const rf_refcount_in in = {.inc = 5, .inc_reg = {9, 9, 4}, .dec = 3, .dec_reg = {7, 9}, .ask_reg = {4, 9}};
    rf_refcount m;
    slow_refcount s;
    slow_count_out expected;
    judge j;
    rf_refcount_out out;
    (void)state;
    start(&j, 0, &m, &s, &cfg);
    for (uint32_t i = 0; i < 3; i++) step(&j, &m, &s, &in);
    judge_passes(&j);
    rf_refcount_comb(&m, &in, &out);
    slow_count_comb(&s, &in, &expected);
    JUDGE_FLIPS(&j, rf_refcount, LS_OUT, &m, &out, compare_out(&j, &s, &out, &expected));
    JUDGE_FLIPS(&j, rf_refcount, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_references),
        cmocka_unit_test(every_state_of_a_small_one),
        cmocka_unit_test(a_register_is_offered_two_cycles_after_its_last_reference),
        cmocka_unit_test(a_full_count_stays),
        cmocka_unit_test(a_parameter_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_every_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_refcount", tests, NULL, NULL);
}
