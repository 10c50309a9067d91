/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_scoreboard: the slow model holds one bool for each register of each warp ([WIR II]: "The destination registers of
 * an issued instruction are registered to the scoreboard to denote they are write-pending"). */
#include "cmodel/banked/rf_scoreboard.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_scoreboard_unit;

typedef struct slow_board {
    rf_scoreboard_cfg cfg;
    bool pending[64][256];
} slow_board;

/* clang-format off */
#define SEEN(X) \
    X(RAW, "a source is pending (RAW)") \
    X(WAW, "the destination is pending (WAW)") \
    X(WAR, "a collector has yet to read the destination (WAR)") \
    X(ONLY_RAW, "RAW alone") \
    X(ONLY_WAW, "WAW alone") \
    X(ONLY_WAR, "WAR alone") \
    X(LAST_SOURCE_ONLY, "only the highest slot's source is pending") \
    X(SOURCE_READ_TWICE, "a reader still reads a source: no hazard by itself") \
    X(SET, "set") \
    X(SET_AGAIN, "set of a pending register") \
    X(CLEAR, "clear of a pending register") \
    X(CLEAR_IDLE, "clear of a register that is not pending") \
    X(SET_MEETS_CLEAR, "set and clear of one register in one cycle") \
    X(TWO_SETS_OF_ONE, "two sets of one register") \
    X(TWO_CLEARS_OF_ONE, "two clears of one register") \
    X(READER_OF_OTHER_WARP, "a reader of the same register, but of another warp") \
    X(SET_NO_WARP, "set for a warp out of range") \
    X(SET_NO_REG, "set of a register out of range") \
    X(CLEAR_NO_WARP, "clear for a warp out of range") \
    X(CLEAR_NO_REG, "clear of a register out of range") \
    X(CHECK_NO_REG, "a source out of range") \
    X(WAR_NO_REG, "a reader and a destination out of range, equal") \
    X(READER_NO_WARP, "a reader of a warp out of range") \
    X(TOP_REGISTER, "the highest register of the highest warp is pending") \
    X(RESET, "reset with something pending")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_board *s) { memset(s->pending, 0, sizeof s->pending); }

static bool in_range(const slow_board *s, uint32_t warp, uint32_t reg) { return warp < s->cfg.warps && reg < s->cfg.regs; }

static bool is_pending(const slow_board *s, uint32_t warp, uint32_t reg) {
    return in_range(s, warp, reg) && s->pending[warp][reg];
}

static bool raw(const slow_board *s, const rf_scoreboard_in *in, uint32_t warp) {
    bool found = false;
    for (uint32_t k = 0; k < s->cfg.slots; k++)
        if (judge_bit(in->chk_src_valid[warp], k) && is_pending(s, warp, in->chk_src[warp * s->cfg.slots + k])) found = true;
    return found;
}

static bool waw(const slow_board *s, const rf_scoreboard_in *in, uint32_t warp) {
    return judge_bit(in->chk_dst_valid, warp) && is_pending(s, warp, in->chk_dst[warp]);
}

static bool war(const slow_board *s, const rf_scoreboard_in *in, uint32_t warp) {
    if (!judge_bit(in->chk_dst_valid, warp) || !in_range(s, warp, in->chk_dst[warp])) return false;
    for (uint32_t r = 0; r < s->cfg.readers; r++)
        if (judge_bit(in->rdp, r) && in->rdp_warp[r] == warp && in->rdp_reg[r] == in->chk_dst[warp]) return true;
    return false;
}

static uint64_t slow_comb(const slow_board *s, const rf_scoreboard_in *in) {
    bool hazard[64] = {false};
    for (uint32_t w = 0; w < s->cfg.warps; w++) hazard[w] = raw(s, in, w) || waw(s, in, w) || war(s, in, w);
    return judge_pack(hazard, s->cfg.warps);
}

static void slow_clock(slow_board *s, const rf_scoreboard_in *in) {
    for (uint32_t p = 0; p < s->cfg.writers; p++)
        if (judge_bit(in->clr, p) && in_range(s, in->clr_warp[p], in->clr_reg[p]))
            s->pending[in->clr_warp[p]][in->clr_reg[p]] = false;
    for (uint32_t p = 0; p < s->cfg.issues; p++)
        if (judge_bit(in->set, p) && in_range(s, in->set_warp[p], in->set_reg[p]))
            s->pending[in->set_warp[p]][in->set_reg[p]] = true;
}

static void compare_out(judge *j, const rf_scoreboard_out *out, uint64_t expected) {
    judge_equal(j, "hazard", 0, out->hazard, expected);
}

static void compare_state(judge *j, const slow_board *s, const rf_scoreboard *m) {
    for (uint32_t w = 0; w < s->cfg.warps; w++) {
        uint32_t got[8], expected[8];
        for (uint32_t word = 0; word < 8; word++) {
            got[word] = (uint32_t)(m->pending_q[w].w[word / 2] >> (word % 2 * 32));
            expected[word] = (uint32_t)judge_pack(&s->pending[w][word * 32], 32);
        }
        judge_words(j, "pending_q", w, got, expected, 8);
    }
}

static void start(judge *j, uint64_t seed, rf_scoreboard *m, slow_board *s, const rf_scoreboard_cfg *cfg) {
    judge_begin(j, seed,
                "rf_scoreboard warps=%" PRIu32 " regs=%" PRIu32 " slots=%" PRIu32 " readers=%" PRIu32 " issues=%" PRIu32
                " writers=%" PRIu32,
                cfg->warps, cfg->regs, cfg->slots, cfg->readers, cfg->issues, cfg->writers);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_scoreboard_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    s->cfg = *cfg;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb must leave the model alone. */
static uint64_t step(judge *j, rf_scoreboard *m, slow_board *s, const rf_scoreboard_in *in) {
    const uint64_t expected = slow_comb(s, in);
    rf_scoreboard before;
    rf_scoreboard_out out = {~expected};
    memcpy(&before, m, sizeof before);
    rf_scoreboard_comb(m, in, &out);
    assert_memory_equal(&before, m, sizeof before);
    compare_out(j, &out, expected);
    JUDGE_CLOCK(rf_scoreboard, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
    return expected;
}

static void count(const slow_board *s, const rf_scoreboard_in *in, uint64_t *seen) {
    const uint32_t warps = s->cfg.warps, regs = s->cfg.regs, slots = s->cfg.slots;
    for (uint32_t w = 0; w < warps; w++) {
        const bool a = raw(s, in, w), b = waw(s, in, w), c = war(s, in, w);
        seen[RAW] += a;
        seen[WAW] += b;
        seen[WAR] += c;
        seen[ONLY_RAW] += a && !b && !c;
        seen[ONLY_WAW] += b && !a && !c;
        seen[ONLY_WAR] += c && !a && !b;
        uint32_t pending = 0, last = 0;
        for (uint32_t k = 0; k < slots; k++) {
            const uint32_t reg = in->chk_src[w * slots + k];
            const bool valid = judge_bit(in->chk_src_valid[w], k);
            if (valid && is_pending(s, w, reg)) pending++, last = k;
            seen[CHECK_NO_REG] += valid && reg >= regs;
            for (uint32_t r = 0; r < s->cfg.readers; r++)
                seen[SOURCE_READ_TWICE] +=
                    valid && judge_bit(in->rdp, r) && in->rdp_warp[r] == w && in->rdp_reg[r] == reg && !a && !b && !c;
        }
        seen[LAST_SOURCE_ONLY] += slots > 1 && pending == 1 && last == slots - 1;
        for (uint32_t r = 0; r < s->cfg.readers; r++) {
            if (!judge_bit(in->rdp, r) || !judge_bit(in->chk_dst_valid, w) || in->rdp_reg[r] != in->chk_dst[w]) continue;
            seen[READER_OF_OTHER_WARP] += in->rdp_warp[r] != w;
            seen[READER_NO_WARP] += in->rdp_warp[r] >= warps;
            seen[WAR_NO_REG] += in->rdp_warp[r] == w && in->chk_dst[w] >= regs;
        }
    }
    for (uint32_t p = 0; p < s->cfg.issues; p++) {
        if (!judge_bit(in->set, p)) continue;
        const uint32_t w = in->set_warp[p], r = in->set_reg[p];
        seen[SET] += in_range(s, w, r) && !is_pending(s, w, r);
        seen[SET_AGAIN] += is_pending(s, w, r);
        seen[SET_NO_WARP] += w >= warps;
        seen[SET_NO_REG] += w < warps && r >= regs;
        for (uint32_t q = 0; q < s->cfg.writers; q++)
            seen[SET_MEETS_CLEAR] += judge_bit(in->clr, q) && in->clr_warp[q] == w && in->clr_reg[q] == r && in_range(s, w, r);
        for (uint32_t q = 0; q < p; q++)
            seen[TWO_SETS_OF_ONE] += judge_bit(in->set, q) && in->set_warp[q] == w && in->set_reg[q] == r;
    }
    for (uint32_t p = 0; p < s->cfg.writers; p++) {
        if (!judge_bit(in->clr, p)) continue;
        const uint32_t w = in->clr_warp[p], r = in->clr_reg[p];
        seen[CLEAR] += is_pending(s, w, r);
        seen[CLEAR_IDLE] += in_range(s, w, r) && !is_pending(s, w, r);
        seen[CLEAR_NO_WARP] += w >= warps;
        seen[CLEAR_NO_REG] += w < warps && r >= regs;
        for (uint32_t q = 0; q < p; q++)
            seen[TWO_CLEARS_OF_ONE] += judge_bit(in->clr, q) && in->clr_warp[q] == w && in->clr_reg[q] == r;
    }
    seen[TOP_REGISTER] += warps * regs > 1 && s->pending[warps - 1][regs - 1];
}

static const rf_scoreboard_cfg sets[] = {
    {.warps = 8, .regs = 16, .slots = 3, .readers = 9, .issues = 1, .writers = 2},
    {.warps = 32, .regs = 64, .slots = 3, .readers = 24, .issues = 2, .writers = 3},
    {.warps = 48, .regs = 63, .slots = 7, .readers = 56, .issues = 2, .writers = 4},
    {.warps = 1, .regs = 1, .slots = 1, .readers = 1, .issues = 1, .writers = 1},
    {.warps = 5, .regs = 33, .slots = 5, .readers = 3, .issues = 3, .writers = 5},
    {.warps = 33, .regs = 5, .slots = 3, .readers = 33, .issues = 1, .writers = 1},
    {.warps = 64, .regs = 256, .slots = 8, .readers = 64, .issues = 4, .writers = 8},
    {.warps = 3, .regs = 65, .slots = 2, .readers = 5, .issues = 4, .writers = 3},
    {.warps = 2, .regs = 255, .slots = 1, .readers = 2, .issues = 2, .writers = 2},
};

/* What one mix of stimulus is made of: densities, and how many warps and registers meet each other. */
typedef struct mix {
    uint32_t dst, src, set, clr, rdp, regs, warps;
} mix;

static uint8_t draw(ls_rng *rng, uint32_t few, uint32_t n) {
    if (ls_rng_chance(rng, 24)) return (uint8_t)ls_rng_value(rng, rf_index_bits(n));
    return (uint8_t)((n > few && ls_rng_chance(rng, 64) ? n - 1 : 0) ^ ls_rng_below(rng, few)) & (uint8_t)(judge_codes(n) - 1);
}

static void stimulate(ls_rng *rng, const slow_board *s, const mix *x, rf_scoreboard_in *in) {
    const rf_scoreboard_cfg *cfg = &s->cfg;
    in->chk_dst_valid = ls_rng_bits(rng, cfg->warps, x->dst);
    /* Two warps change their instruction in a cycle; the others keep theirs, as they do while they wait. */
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t w = ls_rng_below(rng, cfg->warps);
        in->chk_dst[w] = draw(rng, x->regs, cfg->regs);
        in->chk_src_valid[w] = (uint8_t)ls_rng_bits(rng, cfg->slots, x->src);
        for (uint32_t k = 0; k < cfg->slots; k++) in->chk_src[w * cfg->slots + k] = draw(rng, x->regs, cfg->regs);
    }
    in->set = (uint8_t)ls_rng_bits(rng, cfg->issues, x->set);
    for (uint32_t p = 0; p < cfg->issues; p++)
        in->set_warp[p] = draw(rng, x->warps, cfg->warps), in->set_reg[p] = draw(rng, x->regs, cfg->regs);
    in->clr = (uint8_t)ls_rng_bits(rng, cfg->writers, x->clr);
    for (uint32_t p = 0; p < cfg->writers; p++)
        in->clr_warp[p] = draw(rng, x->warps, cfg->warps), in->clr_reg[p] = draw(rng, x->regs, cfg->regs);
    in->rdp = ls_rng_bits(rng, cfg->readers, x->rdp);
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t r = ls_rng_below(rng, cfg->readers);
        in->rdp_warp[r] = draw(rng, x->warps, cfg->warps), in->rdp_reg[r] = draw(rng, x->regs, cfg->regs);
    }
}

static void run(const rf_scoreboard_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    static slow_board s;
    rf_scoreboard m;
    judge j;
    ls_rng rng;
    mix x = {0};
    rf_scoreboard_in in;
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&rng, seed);
    memset(&in, 0, sizeof in);
    while (j.cycle < cycles) {
        if (j.cycle % 256 == 0) {
            x.dst = ls_rng_below(&rng, 257), x.src = ls_rng_below(&rng, 257), x.set = ls_rng_below(&rng, 257),
            x.clr = ls_rng_below(&rng, 257);
            x.rdp = ls_rng_chance(&rng, 64) ? 0 : ls_rng_below(&rng, 128);
            x.regs = ls_rng_chance(&rng, 64) ? cfg->regs : 1 + ls_rng_below(&rng, 6);
            x.warps = ls_rng_chance(&rng, 64) ? cfg->warps : 1 + ls_rng_below(&rng, 4);
        }
        stimulate(&rng, &s, &x, &in);
        if (j.cycle % 8 == 0) count(&s, &in, seen);
        step(&j, &m, &s, &in);
        if (ls_rng_chance(&rng, 1) && ls_rng_chance(&rng, 64)) {
            for (uint32_t w = 0; w < cfg->warps; w++)
                for (uint32_t r = 0; r < cfg->regs; r++) seen[RESET] += s.pending[w][r];
            rf_scoreboard_reset(&m);
            slow_reset(&s);
            compare_state(&j, &s, &m);
        }
    }
    judge_passes(&j);
}

static void random_instructions(void **state) {
    /* Many cycles where they cost little. */
    static const uint64_t cycles[] = {40000, 15000, 8000, 50000, 40000, 15000, 4000, 30000, 20000};
    uint64_t seen[EVENTS] = {0}, total = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        run(&sets[i], ls_seed_derive(i, "judge rf_scoreboard"), cycles[i], seen);
        total += cycles[i];
    }
    assert_true(total >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* [WIR II]: compared with the operands of the next instruction, removed when the instruction retires. */
static void pending_from_issue_to_write_back(void **state) {
    static slow_board s;
    rf_scoreboard m;
    judge j;
    rf_scoreboard_in in;
    (void)state;
    start(&j, 0, &m, &s, &sets[0]);
    memset(&in, 0, sizeof in);
    in.chk_src_valid[2] = 4, in.chk_src[2 * 3 + 2] = 11; /* warp 2 reads R11 */
    in.chk_src_valid[3] = 4, in.chk_src[3 * 3 + 2] = 11; /* and so does warp 3 */
    in.chk_dst_valid = 1u << 4, in.chk_dst[4] = 11;      /* warp 4 writes it */
    in.set = 1, in.set_warp[0] = 2, in.set_reg[0] = 11;
    assert_int_equal(step(&j, &m, &s, &in), 0); /* not in the cycle of the issue itself */
    in.set_warp[0] = 4;
    assert_int_equal(step(&j, &m, &s, &in), 1u << 2); /* RAW, of this warp only */
    in.set = 0;
    assert_int_equal(step(&j, &m, &s, &in), 1u << 2 | 1u << 4); /* WAW */
    in.clr = 1, in.clr_warp[0] = 2, in.clr_reg[0] = 11;
    assert_int_equal(step(&j, &m, &s, &in), 1u << 2 | 1u << 4); /* still in the cycle of the write */
    in.clr_warp[0] = 4, in.set = 1, in.set_warp[0] = 4, in.set_reg[0] = 11;
    assert_int_equal(step(&j, &m, &s, &in), 1u << 4);
    in.clr = 0, in.set = 0;
    assert_int_equal(step(&j, &m, &s, &in), 1u << 4); /* set won over clear */
    judge_passes(&j);
}

/* D-war: without any state, for the destination alone and the same warp alone. */
static void a_read_that_is_outstanding_holds_the_writer(void **state) {
    static slow_board s;
    rf_scoreboard m;
    judge j;
    rf_scoreboard_in in;
    (void)state;
    start(&j, 0, &m, &s, &sets[0]);
    memset(&in, 0, sizeof in);
    in.chk_dst_valid = 1u << 6, in.chk_dst[6] = 15, in.chk_dst[5] = 15; /* warp 5 has no destination */
    in.chk_src_valid[7] = 1, in.chk_src[7 * 3] = 15;                    /* warp 7 reads R15 */
    for (uint32_t r = 0; r < 9; r++) in.rdp_reg[r] = 15;
    in.rdp_warp[8] = 6, in.rdp_warp[1] = 5, in.rdp_warp[2] = 7;
    in.rdp = 0x0ff;
    assert_int_equal(step(&j, &m, &s, &in), 0);
    in.rdp = 0x100;
    assert_int_equal(step(&j, &m, &s, &in), 1u << 6);
    in.rdp_reg[8] = 14;
    assert_int_equal(step(&j, &m, &s, &in), 0);
    judge_passes(&j);
}

static void out_of_range_does_nothing(void **state) {
    static slow_board s;
    rf_scoreboard m;
    judge j;
    rf_scoreboard_in in;
    (void)state;
    start(&j, 0, &m, &s, &sets[4]); /* 5 warps of 33 registers */
    memset(&in, 0, sizeof in);
    for (uint32_t w = 0; w < 5; w++) {
        in.chk_dst[w] = 33, in.chk_src_valid[w] = 0x1f;
        for (uint32_t k = 0; k < 5; k++) in.chk_src[w * 5 + k] = (uint8_t)(59 + k);
    }
    in.chk_dst_valid = 0x1f;
    in.rdp = 7, in.rdp_warp[0] = 1, in.rdp_reg[0] = 33, in.rdp_warp[1] = 7, in.rdp_reg[1] = 33;
    in.set = 7;
    in.set_warp[0] = 5, in.set_reg[0] = 0;
    in.set_warp[1] = 0, in.set_reg[1] = 33;
    in.set_warp[2] = 7, in.set_reg[2] = 63;
    assert_int_equal(step(&j, &m, &s, &in), 0);
    in.set = 0;
    assert_int_equal(step(&j, &m, &s, &in), 0);
    in.set = 1, in.set_warp[0] = 4, in.set_reg[0] = 32;
    assert_int_equal(step(&j, &m, &s, &in), 0);
    in.set = 0, in.clr = 0x1f, in.chk_dst[4] = 32;
    in.clr_warp[0] = 5, in.clr_reg[0] = 32;
    in.clr_warp[1] = 4, in.clr_reg[1] = 33;
    in.clr_warp[2] = 4, in.clr_reg[2] = 63;
    in.clr_warp[3] = 7, in.clr_reg[3] = 63;
    assert_int_equal(step(&j, &m, &s, &in), 1u << 4);
    assert_int_equal(step(&j, &m, &s, &in), 1u << 4);
    judge_passes(&j);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    (void)state;
    JUDGE_RANGES(rf_scoreboard, sets);
}

static void set_one(judge *j, rf_scoreboard *m, slow_board *s, uint8_t warp, uint8_t reg) {
    rf_scoreboard_in in;
    memset(&in, 0, sizeof in);
    in.set = 1, in.set_warp[0] = warp, in.set_reg[0] = reg;
    step(j, m, s, &in);
}

static void reset_clears_every_register(void **state) {
    static slow_board s;
    rf_scoreboard m;
    judge j;
    (void)state;
    start(&j, 0, &m, &s, &sets[6]);
    for (uint32_t w = 0; w < 64; w++)
        for (uint32_t r = 0; r < 256; r += 15) set_one(&j, &m, &s, (uint8_t)w, (uint8_t)r);
    rf_scoreboard_reset(&m);
    slow_reset(&s);
    compare_state(&j, &s, &m);
    judge_passes(&j);
    assert_memory_equal(&m.cfg, &sets[6], sizeof m.cfg);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    static slow_board s;
    rf_scoreboard m;
    rf_scoreboard_out out = {0};
    judge j;
    (void)state;
    start(&j, 0, &m, &s, &sets[2]);
    set_one(&j, &m, &s, 47, 62);
    set_one(&j, &m, &s, 0, 0);
    judge_passes(&j);
    JUDGE_FLIPS(&j, rf_scoreboard, LS_OUT, &m, &out, compare_out(&j, &out, 0));
    JUDGE_FLIPS(&j, rf_scoreboard, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_instructions),
        cmocka_unit_test(pending_from_issue_to_write_back),
        cmocka_unit_test(a_read_that_is_outstanding_holds_the_writer),
        cmocka_unit_test(out_of_range_does_nothing),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_scoreboard", tests, NULL, NULL);
}
