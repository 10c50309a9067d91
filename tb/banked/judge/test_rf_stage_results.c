/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_stage_results: in the slow model each port has a row of people: the first is served, the others move up. Where a
 * result is to be written is found by walking from the first register of its warp from bank to bank (D-map). */
#include "cmodel/banked/rf_stage_results.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_stage_results_unit;

typedef struct slow_entry {
    uint32_t warp, reg, note, bank, row, mask, data[RF_LANES_MAX];
} slow_entry;

typedef struct slow_queue {
    slow_entry waiting[RF_WBQ_DEPTH_MAX]; /* waiting[0] is the head */
    uint32_t length;
    uint64_t pushed, popped;             /* since reset */
    slow_entry stored[RF_WBQ_DEPTH_MAX]; /* what each register of the storage took last */
} slow_queue;

typedef struct slow_results {
    rf_stage_results_cfg cfg;
    slow_queue queue[RF_EXPORTS_MAX];
} slow_results;

/* clang-format off */
#define SEEN(X) \
    X(ACCEPTED, "accepted") X(REFUSED, "offered to a full queue") X(WRITTEN, "written") X(GRANT_EMPTY, "grant of an empty queue") \
    X(BOTH, "accepted and written at one port in one cycle") X(REFUSED_AND_WRITTEN, "refused while the head leaves") \
    X(EMPTY_BOTH, "accepted by an empty queue that is granted") X(BECOMES_FULL, "a queue becomes full") \
    X(BECOMES_EMPTY, "a queue becomes empty") X(HEAD_WAITS, "a head waits for more than five cycles with others behind it") \
    X(OVERTAKES, "one port is written while another one's head waits") X(FULL_BESIDE, "accepted beside a full queue") \
    X(ALL_ACCEPT, "every one of several ports accepts a result") X(ALL_WRITTEN, "every one of several ports is written") \
    X(SAME_BANK, "two heads ask for one bank") X(SAME_REGISTER, "one register offered at two ports") \
    X(BANK_WRAPS, "a bank found after the last one, at the first again") X(TOP_BANK, "the last of several banks") \
    X(TOP_ROW, "the last of several rows") X(NO_WARP, "a warp that does not exist") \
    X(NO_REGISTER, "a register that does not exist") X(CUT, "a row too large for its wires") \
    X(NOTE_SET, "a result with a note behind one without") X(NOTE_CLEAR, "a result without a note behind one with") \
    X(NOTE_AND_NONE, "results with and without a note accepted at different ports") X(FULL_MASK, "a result for every one of 32 lanes") \
    X(NO_MASK, "a result for no lane") X(WRAPPED, "a storage of several entries used again") X(RESET, "reset with results inside")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_results *s) { memset(s->queue, 0, sizeof s->queue); }

/* Rows that a warp has in each bank: registers are dealt to the banks one by one. */
static uint32_t slow_rows_per_warp(const rf_stage_results_cfg *cfg) {
    uint32_t rows = 0;
    for (uint32_t dealt = 0; dealt < cfg->regs; dealt += cfg->banks) rows++;
    return rows;
}

static uint32_t slow_rows(const rf_stage_results_cfg *cfg) { return cfg->warps * slow_rows_per_warp(cfg); }

/* Where a register is, before its row is cut to the wires; true when the bank was found by wrapping around. */
static bool slow_place(const rf_stage_results_cfg *cfg, uint32_t warp, uint32_t reg, uint32_t *bank, uint32_t *row) {
    const uint32_t per_warp = slow_rows_per_warp(cfg);
    uint32_t in_row = 0, wraps = 0;
    *bank = 0;
    *row = 0;
    for (uint32_t w = 0; w < warp; w++) { /* each warp starts one bank later, and below the rows of the one before */
        *bank = *bank + 1 == cfg->banks ? 0 : *bank + 1;
        *row += per_warp;
    }
    for (uint32_t r = 0; r < reg; r++) {
        wraps += *bank + 1 == cfg->banks;
        *bank = *bank + 1 == cfg->banks ? 0 : *bank + 1;
        if (++in_row < cfg->banks) continue;
        in_row = 0; /* every bank has one: the next row */
        ++*row;
    }
    return cfg->banks > 1 && wraps > 0;
}

static void slow_clock(slow_results *s, const rf_stage_results_in *in) {
    const rf_stage_results_cfg *cfg = &s->cfg;
    for (uint32_t e = 0; e < cfg->exports; e++) {
        slow_queue *q = &s->queue[e];
        const bool room = q->length < cfg->wbdepth;
        if (judge_bit(in->wr_grant, e) && q->length > 0) {
            for (uint32_t i = 1; i < q->length; i++) q->waiting[i - 1] = q->waiting[i];
            q->length--;
            q->popped++;
        }
        if (!judge_bit(in->res_valid, e) || !room) continue;
        slow_entry *entry = &q->waiting[q->length];
        entry->warp = in->res_warp[e];
        entry->reg = in->res_dst[e];
        entry->note = in->res_note[e];
        entry->mask = in->res_mask[e];
        for (uint32_t lane = 0; lane < RF_LANES_MAX; lane++) entry->data[lane] = in->res_data[e].lane[lane];
        (void)slow_place(cfg, entry->warp, entry->reg, &entry->bank, &entry->row);
        entry->row %= judge_codes(slow_rows(cfg));
        q->stored[q->pushed % cfg->wbdepth] = *entry;
        q->length++;
        q->pushed++;
    }
}

static void compare_out(judge *j, const slow_results *s, const rf_stage_results_out *out) {
    static const slow_entry nothing;
    bool ready[RF_EXPORTS_MAX] = {false}, valid[RF_EXPORTS_MAX] = {false};
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        const slow_queue *q = &s->queue[e];
        const slow_entry *head = q->length > 0 ? &q->waiting[0] : &nothing;
        ready[e] = q->length < s->cfg.wbdepth;
        valid[e] = q->length > 0;
        judge_equal(j, "wr_note", e, out->wr_note[e], head->note);
        judge_equal(j, "wr_warp", e, out->wr_warp[e], head->warp);
        judge_equal(j, "wr_reg", e, out->wr_reg[e], head->reg);
        judge_equal(j, "wr_bank", e, out->wr_bank[e], head->bank);
        judge_equal(j, "wr_row", e, out->wr_row[e], head->row);
        judge_equal(j, "wr_mask", e, out->wr_mask[e], head->mask);
        judge_words(j, "wr_data", e, out->wr_data[e].lane, head->data, RF_LANES_MAX);
    }
    judge_equal(j, "res_ready", 0, out->res_ready, judge_pack(ready, s->cfg.exports));
    judge_equal(j, "wr_valid", 0, out->wr_valid, judge_pack(valid, s->cfg.exports));
}

/* Registers of port e's storage have index e * 16 + entry. */
static void compare_state(judge *j, const slow_results *s, const rf_stage_results *m) {
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        const slow_queue *q = &s->queue[e];
        const rf_wbq *u = &m->wbq[e];
        judge_equal(j, "u_ctrl.wr_ptr_q", e, u->ctrl.wr_ptr_q, q->pushed % s->cfg.wbdepth);
        judge_equal(j, "u_ctrl.rd_ptr_q", e, u->ctrl.rd_ptr_q, q->popped % s->cfg.wbdepth);
        judge_equal(j, "u_ctrl.level_q", e, u->ctrl.level_q, q->length);
        for (uint32_t i = 0; i < s->cfg.wbdepth; i++) {
            const uint32_t at = e * RF_WBQ_DEPTH_MAX + i;
            judge_equal(j, "warp_q", at, u->warp_q[i], q->stored[i].warp);
            judge_equal(j, "reg_q", at, u->reg_q[i], q->stored[i].reg);
            judge_equal(j, "note_q", at, u->note_q[i], q->stored[i].note);
            judge_equal(j, "bank_q", at, u->bank_q[i], q->stored[i].bank);
            judge_equal(j, "row_q", at, u->row_q[i], q->stored[i].row);
            judge_equal(j, "mask_q", at, u->mask_q[i], q->stored[i].mask);
            judge_words(j, "data_q", at, u->data_q[i].lane, q->stored[i].data, RF_LANES_MAX);
        }
    }
}

static rf_stage_results model; /* large: not on the stack */
static slow_results slow;

static void start(judge *j, uint64_t seed, const rf_stage_results_cfg *cfg) {
    judge_begin(j, seed,
                "rf_stage_results warps=%" PRIu32 " banks=%" PRIu32 " regs=%" PRIu32 " lanes=%" PRIu32 " exports=%" PRIu32
                " wbdepth=%" PRIu32,
                cfg->warps, cfg->banks, cfg->regs, cfg->lanes, cfg->exports, cfg->wbdepth);
    memset(&model, 0xa5, sizeof model);
    assert_int_equal(rf_stage_results_init(&model, cfg), 0);
    assert_memory_equal(&model.cfg, cfg, sizeof *cfg);
    slow.cfg = *cfg;
    slow_reset(&slow);
    compare_state(j, &slow, &model);
}

/* One cycle of both, everything compared; comb must leave the model alone, whatever it finds in its outputs. */
static void step(judge *j, const rf_stage_results_in *in) {
    static rf_stage_results before;
    rf_stage_results_out out;
    memset(&out, 0xa5, sizeof out);
    if (j->cycle % 16 == 0) memcpy(&before, &model, sizeof before); /* a unit of many queues is large */
    rf_stage_results_comb(&model, in, &out);
    if (j->cycle % 16 == 0) assert_memory_equal(&before, &model, sizeof before);
    compare_out(j, &slow, &out);
    memset(&out, 0x5a, sizeof out);
    rf_stage_results_comb(&model, in, &out);
    compare_out(j, &slow, &out);
    if (j->cycle % 4 == 0) JUDGE_CLOCK(rf_stage_results, &model, in);
    else rf_stage_results_clock(&model, in);
    slow_clock(&slow, in);
    compare_state(j, &slow, &model);
    j->cycle++;
}

static void count_port(const slow_results *s, const rf_stage_results_in *in, uint32_t e, uint32_t waited, uint64_t *seen) {
    const rf_stage_results_cfg *cfg = &s->cfg;
    const slow_queue *q = &s->queue[e];
    const bool full = q->length == cfg->wbdepth, empty = q->length == 0;
    const bool offers = judge_bit(in->res_valid, e), accepted = offers && !full;
    const bool grant = judge_bit(in->wr_grant, e), written = grant && !empty;
    seen[ACCEPTED] += accepted;
    seen[REFUSED] += offers && full && !grant;
    seen[WRITTEN] += written;
    seen[GRANT_EMPTY] += grant && empty;
    seen[BOTH] += accepted && written;
    seen[REFUSED_AND_WRITTEN] += offers && full && grant;
    seen[EMPTY_BOTH] += offers && empty && grant;
    seen[BECOMES_FULL] += accepted && !written && q->length + 1 == cfg->wbdepth;
    seen[BECOMES_EMPTY] += written && !accepted && q->length == 1;
    seen[HEAD_WAITS] += waited > 5 && q->length > 1;
    seen[WRAPPED] += cfg->wbdepth > 1 && q->pushed > cfg->wbdepth;
    if (!accepted) return;
    const uint32_t rows = slow_rows(cfg);
    uint32_t bank, row;
    seen[BANK_WRAPS] += slow_place(cfg, in->res_warp[e], in->res_dst[e], &bank, &row);
    seen[TOP_BANK] += cfg->banks > 1 && bank == cfg->banks - 1;
    seen[TOP_ROW] += rows > 1 && row == rows - 1;
    seen[NO_WARP] += in->res_warp[e] >= cfg->warps;
    seen[NO_REGISTER] += in->res_dst[e] >= cfg->regs;
    seen[CUT] += row >= judge_codes(rows);
    seen[FULL_MASK] += cfg->lanes == 32 && in->res_mask[e] == UINT32_MAX;
    seen[NO_MASK] += in->res_mask[e] == 0;
    if (empty) return;
    const bool note_ahead = q->waiting[q->length - 1].note != 0, note = in->res_note[e] != 0;
    seen[NOTE_SET] += note && !note_ahead;
    seen[NOTE_CLEAR] += !note && note_ahead;
}

static void count(const slow_results *s, const rf_stage_results_in *in, const uint32_t *waited, uint64_t *seen) {
    const uint32_t exports = s->cfg.exports;
    uint32_t accepted = 0, written = 0, stuck = 0, full = 0, noted = 0, heads[RF_BANKS_MAX] = {0};
    for (uint32_t e = 0; e < exports; e++) {
        const slow_queue *q = &s->queue[e];
        const bool takes = judge_bit(in->res_valid, e) && q->length < s->cfg.wbdepth;
        count_port(s, in, e, waited[e], seen);
        accepted += takes;
        noted += takes && in->res_note[e] != 0;
        written += q->length > 0 && judge_bit(in->wr_grant, e);
        stuck += q->length > 0 && !judge_bit(in->wr_grant, e);
        full += q->length == s->cfg.wbdepth;
        if (q->length > 0) seen[SAME_BANK] += heads[q->waiting[0].bank]++ > 0;
        for (uint32_t d = 0; d < e && judge_bit(in->res_valid, e); d++)
            seen[SAME_REGISTER] +=
                judge_bit(in->res_valid, d) && in->res_warp[d] == in->res_warp[e] && in->res_dst[d] == in->res_dst[e];
    }
    seen[OVERTAKES] += written > 0 && stuck > 0;
    seen[FULL_BESIDE] += accepted > 0 && full > 0;
    seen[ALL_ACCEPT] += exports > 1 && accepted == exports;
    seen[ALL_WRITTEN] += exports > 1 && written == exports;
    seen[NOTE_AND_NONE] += noted > 0 && noted < accepted;
}

static const rf_stage_results_cfg sets[] = {
    {.warps = 32, .banks = 16, .regs = 32, .lanes = 32, .exports = 3, .wbdepth = 4, .note = 1},
    {.warps = 1, .banks = 1, .regs = 1, .lanes = 1, .exports = 1, .wbdepth = 1, .note = 1},
    {.warps = 4, .banks = 3, .regs = 5, .lanes = 3, .exports = 2, .wbdepth = 2, .note = 6},
    {.warps = 33, .banks = 5, .regs = 33, .lanes = 5, .exports = 5, .wbdepth = 3, .note = 1},
    {.warps = 64, .banks = 16, .regs = 256, .lanes = 4, .exports = 4, .wbdepth = 5, .note = 2},
    {.warps = 64, .banks = 32, .regs = 256, .lanes = 32, .exports = 8, .wbdepth = 16, .note = 8},
    {.warps = 3, .banks = 7, .regs = 200, .lanes = 31, .exports = 7, .wbdepth = 1, .note = 6},
    {.warps = 4, .banks = 1, .regs = 255, .lanes = 2, .exports = 3, .wbdepth = 15, .note = 1},
};
#define SETS (sizeof sets / sizeof *sets)

/* A result for port e: any number that the wires carry, often a legal one, sometimes that of another port. */
static void draw(ls_rng *rng, const rf_stage_results_cfg *cfg, uint32_t e, rf_stage_results_in *in) {
    const uint32_t other = ls_rng_below(rng, cfg->exports);
    const bool legal = ls_rng_chance(rng, 128);
    in->res_warp[e] = (uint8_t)(legal ? ls_rng_below(rng, cfg->warps) : ls_rng_value(rng, rf_index_bits(cfg->warps)));
    in->res_dst[e] = (uint8_t)(legal ? ls_rng_below(rng, cfg->regs) : ls_rng_value(rng, rf_index_bits(cfg->regs)));
    if (ls_rng_chance(rng, 16)) in->res_warp[e] = (uint8_t)(cfg->warps - 1), in->res_dst[e] = (uint8_t)(cfg->regs - 1);
    if (ls_rng_chance(rng, 24)) in->res_warp[e] = in->res_warp[other], in->res_dst[e] = in->res_dst[other];
    in->res_note[e] = (uint8_t)(ls_rng_chance(rng, 128) ? 0 : ls_rng_value(rng, cfg->note));
    in->res_mask[e] = (uint32_t)ls_rng_value(rng, cfg->lanes);
    if (ls_rng_chance(rng, 160)) ls_rng_lanes(rng, in->res_data[e].lane, cfg->lanes);
}

static void run(const rf_stage_results_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    uint32_t offer[RF_EXPORTS_MAX] = {0}, grant[RF_EXPORTS_MAX] = {0}, waited[RF_EXPORTS_MAX] = {0}, hold = 0;
    rf_stage_results_in in;
    judge j;
    ls_rng rng;
    start(&j, seed, cfg);
    ls_rng_seed(&rng, seed);
    memset(&in, 0, sizeof in);
    while (j.cycle < cycles) {
        if (j.cycle % 256 == 0) {
            hold = ls_rng_chance(&rng, 128) ? 256 : ls_rng_below(&rng, 256);
            for (uint32_t e = 0; e < cfg->exports; e++) {
                offer[e] = ls_rng_below(&rng, 257);
                grant[e] = ls_rng_below(&rng, 257);
            }
        }
        for (uint32_t e = 0; e < cfg->exports; e++) {
            const uint32_t bit = 1u << e;
            const bool refused = judge_bit(in.res_valid, e) && slow.queue[e].length == cfg->wbdepth;
            if (!refused || !ls_rng_chance(&rng, hold)) { /* an offer may stand until it is accepted */
                in.res_valid = (uint8_t)((in.res_valid & ~bit) | (ls_rng_chance(&rng, offer[e]) ? bit : 0));
                draw(&rng, cfg, e, &in);
            }
            in.wr_grant = (uint8_t)((in.wr_grant & ~bit) | (ls_rng_chance(&rng, grant[e]) ? bit : 0));
            waited[e] = slow.queue[e].length > 0 && !judge_bit(in.wr_grant, e) ? waited[e] + 1 : 0;
        }
        count(&slow, &in, waited, seen);
        step(&j, &in);
        if (ls_rng_below(&rng, 400) == 0) {
            for (uint32_t e = 0; e < cfg->exports; e++) seen[RESET] += slow.queue[e].length > 0;
            rf_stage_results_reset(&model);
            slow_reset(&slow);
            compare_state(&j, &slow, &model);
        }
    }
    judge_passes(&j);
}

static void random_results_of_every_shape(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < SETS; i++) {
        const uint64_t each = sets[i].exports * sets[i].wbdepth > 32 ? 15000 : 31000;
        run(&sets[i], ls_seed_derive(i, "judge rf_stage_results"), each, seen);
        cycles += each;
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* Result number n at the ports of `ports`. */
static rf_stage_results_in offer_to(uint32_t ports, uint32_t n) {
    rf_stage_results_in in;
    memset(&in, 0, sizeof in);
    in.res_valid = (uint8_t)ports;
    for (uint32_t e = 0; e < RF_EXPORTS_MAX; e++) {
        in.res_warp[e] = (uint8_t)n;
        in.res_note[e] = n % 2 != 0 && judge_bit(ports, e);
        in.res_dst[e] = (uint8_t)(n + e);
        in.res_mask[e] = 1u << e;
        in.res_data[e].lane[e] = n;
    }
    return in;
}

/* D-write-stall: a head that is not granted holds what is behind it, and nobody at another port. */
static void a_port_waits_alone_and_in_order(void **state) {
    rf_stage_results_in in;
    rf_stage_results_out out;
    judge j;
    (void)state;
    start(&j, 0, &sets[0]);
    in = offer_to(7, 1);
    in.wr_grant = 7; /* of empty queues: ignored */
    rf_stage_results_comb(&model, &in, &out);
    assert_int_equal(out.res_ready, 7);
    assert_int_equal(out.wr_valid, 0); /* "from the cycle after on" */
    assert_int_equal(out.wr_note[0] | out.wr_note[1] | out.wr_note[2], 0);
    step(&j, &in);
    for (uint32_t n = 2; n <= 6; n++) {
        in = offer_to(n <= 4 ? 7 : 5, n);
        in.wr_grant = 5; /* port 1 waits */
        rf_stage_results_comb(&model, &in, &out);
        assert_int_equal(out.res_ready, n <= 4 ? 7 : 5); /* port 1 holds four by then */
        assert_int_equal(out.wr_valid, 7);
        assert_int_equal(out.wr_warp[0], n - 1);
        assert_int_equal(out.wr_warp[1], 1);
        assert_int_equal(out.wr_reg[2], n + 1);
        assert_int_equal(out.wr_note[0], n % 2 == 0);
        assert_int_equal(out.wr_note[1], 1);
        assert_int_equal(out.wr_note[2], n % 2 == 0);
        assert_int_equal(out.wr_data[2].lane[2], n - 1);
        step(&j, &in);
    }
    for (uint32_t n = 1; n <= 4; n++) {
        in = offer_to(2, 9); /* into the full queue first: refused although the head leaves */
        if (n > 1) in.res_valid = 0;
        in.wr_grant = 7;
        rf_stage_results_comb(&model, &in, &out);
        assert_int_equal(out.res_ready, n == 1 ? 5 : 7);
        assert_int_equal(out.wr_valid, n == 1 ? 7 : 2);
        assert_int_equal(out.wr_warp[1], n);
        assert_int_equal(out.wr_bank[1], 2 * n + 1); /* register n + 1 of warp n, 16 banks */
        assert_int_equal(out.wr_row[1], 2 * n);
        assert_int_equal(out.wr_mask[1], 2);
        step(&j, &in);
    }
    rf_stage_results_comb(&model, &in, &out);
    assert_int_equal(out.wr_valid, 0);
    assert_int_equal(out.wr_note[0] | out.wr_note[1] | out.wr_note[2], 0);
    assert_int_equal(out.wr_bank[1] | out.wr_row[1] | out.wr_mask[1] | out.wr_reg[1] | out.wr_warp[1], 0);
    judge_passes(&j);
}

/* Row and bank of all warps and registers that the wires carry, also of those that do not exist. */
static void every_place_that_can_be_named(void **state) {
    (void)state;
    for (size_t i = 2; i < SETS; i += 2) {
        const rf_stage_results_cfg *cfg = &sets[i];
        const uint32_t rows = slow_rows(cfg);
        rf_stage_results_in in;
        rf_stage_results_out out;
        judge j;
        memset(&in, 0, sizeof in);
        start(&j, 0, cfg);
        in.res_valid = in.wr_grant = 2;
        for (uint32_t w = 0; w < judge_codes(cfg->warps); w++)
            for (uint32_t r = 0; r < judge_codes(cfg->regs); r++) {
                uint32_t bank, row;
                rf_stage_results_reset(&model);
                in.res_warp[1] = (uint8_t)w;
                in.res_dst[1] = (uint8_t)r;
                rf_stage_results_clock(&model, &in);
                rf_stage_results_comb(&model, &in, &out);
                (void)slow_place(cfg, w, r, &bank, &row);
                assert_int_equal(out.wr_warp[1], w);
                assert_int_equal(out.wr_reg[1], r);
                assert_int_equal(out.wr_bank[1], bank);
                assert_int_equal(out.wr_row[1], row % judge_codes(rows));
                assert_int_equal(out.wr_valid, 2);
            }
    }
}

/* Queues of three with storages full of results, two of them still waiting. */
static void fill(judge *j) {
    rf_stage_results_in in;
    start(j, 0, &sets[3]);
    for (uint32_t n = 21; n < 24; n++) {
        in = offer_to(0x1f, n);
        for (uint32_t e = 0; e < 5; e++) memset(in.res_data[e].lane, 0x10 + (int)n, 5 * sizeof in.res_data[e].lane[0]);
        step(j, &in);
    }
    memset(&in, 0, sizeof in);
    in.wr_grant = 0x1f;
    step(j, &in);
    judge_passes(j);
}

static void reset_clears_every_register(void **state) {
    judge j;
    (void)state;
    fill(&j);
    rf_stage_results_reset(&model);
    slow_reset(&slow);
    compare_state(&j, &slow, &model);
    judge_passes(&j);
    assert_memory_equal(&model.cfg, &sets[3], sizeof model.cfg);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    static const rf_stage_results_cfg rows[] = {
        {.warps = 64, .banks = 15, .regs = 256, .lanes = 1, .exports = 1, .wbdepth = 1, .note = 1}, /* 64 x 18 */
        {.warps = 5, .banks = 1, .regs = 205, .lanes = 1, .exports = 1, .wbdepth = 1, .note = 1},   /* 1025 */
        {.warps = 64, .banks = 1, .regs = 17, .lanes = 1, .exports = 1, .wbdepth = 1, .note = 1},
    };
    (void)state;
    JUDGE_RANGES(rf_stage_results, sets);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rf_stage_results_cfg cfg = rows[i];
        judge_refused(&rf_stage_results_unit, &cfg, "warps", "1024");
        cfg.regs = 1; /* only the product was too large */
        assert_null(rf_stage_results_check(&cfg));
    }
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    static rf_stage_results_in idle;
    static rf_stage_results_out out;
    judge j;
    (void)state;
    fill(&j);
    rf_stage_results_comb(&model, &idle, &out);
    JUDGE_FLIPS(&j, rf_stage_results, LS_OUT, &model, &out, compare_out(&j, &slow, &out));
    JUDGE_FLIPS(&j, rf_stage_results, LS_STATE, &model, &model, compare_state(&j, &slow, &model));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_results_of_every_shape),          cmocka_unit_test(a_port_waits_alone_and_in_order),
        cmocka_unit_test(every_place_that_can_be_named),          cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name), cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_stage_results", tests, NULL, NULL);
}
