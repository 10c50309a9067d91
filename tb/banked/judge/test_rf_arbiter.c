/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_arbiter: the slow model goes through the banks one after the other, walks the writers and the collectors from the
 * one after the last granted, and looks through the slots of a collector from 0 [bank stealing II-B, III-B]. */
#include "cmodel/banked/rf_arbiter.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_arbiter_unit;

typedef struct slow_arbiter {
    rf_arbiter_cfg cfg;
    uint32_t rd_last[RF_BANKS_MAX]; /* collector whose read was granted last */
    uint32_t wr_last[RF_BANKS_MAX]; /* writer granted last */
} slow_arbiter;

typedef struct slow_out {
    bool rd_grant[RF_READERS_MAX], wr_grant[RF_EXPORTS_MAX];
    bool re[RF_BANKS_MAX], we[RF_BANKS_MAX];
    uint32_t raddr[RF_BANKS_MAX], waddr[RF_BANKS_MAX], wsel[RF_BANKS_MAX];
    uint32_t collector[RF_BANKS_MAX]; /* of the read granted */
} slow_out;

/* clang-format off */
#define SEEN(X) \
    X(IDLE, "idle") X(READ, "read granted") X(WRITE, "write granted") X(COLLECTORS_CONFLICT, "two collectors want one bank") \
    X(SLOTS_CONFLICT, "two slots of one collector want one bank") X(WRITERS_CONFLICT, "two writers want one bank") \
    X(WRITE_BEATS_READ, "write beats read") X(READ_BESIDE_WRITE, "read beside a write of the bank") \
    X(SEVERAL_SLOTS, "several slots of a collector granted") X(ALL_BANKS, "all banks busy") X(EVERYBODY_ASKS, "everybody asks") \
    X(NO_BANK_READ, "read of no bank") X(NO_BANK_WRITTEN, "write to no bank") X(READ_WRAP, "read pointer wraps") \
    X(WRITE_WRAP, "write pointer wraps") X(TOP_READER, "last reader granted") X(TOP_WRITER, "last writer granted") \
    X(TOP_ROW, "highest row number") X(RESET, "reset while running")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_arbiter *s) {
    for (uint32_t b = 0; b < RF_BANKS_MAX; b++) {
        s->rd_last[b] = s->cfg.collectors - 1;
        s->wr_last[b] = s->cfg.writers - 1;
    }
}

/* The lowest slot of the collector that asks for the bank; SLOTS when none does. */
static uint32_t slot_asking(const slow_arbiter *s, const rf_arbiter_in *in, uint32_t collector, uint32_t bank) {
    for (uint32_t slot = 0; slot < s->cfg.slots; slot++) {
        const uint32_t r = collector * s->cfg.slots + slot;
        if (judge_bit(in->rd_valid, r) && in->rd_bank[r] == bank) return slot;
    }
    return s->cfg.slots;
}

static void slow_comb(const slow_arbiter *s, const rf_arbiter_in *in, slow_out *out) {
    const rf_arbiter_cfg *cfg = &s->cfg;
    memset(out, 0, sizeof *out);
    for (uint32_t b = 0; b < cfg->banks; b++) {
        bool writer_asks[RF_EXPORTS_MAX] = {false}, collector_asks[RF_COLLECTORS_MAX] = {false};
        for (uint32_t w = 0; w < cfg->writers; w++) writer_asks[w] = judge_bit(in->wr_valid, w) && in->wr_bank[w] == b;
        for (uint32_t c = 0; c < cfg->collectors; c++) collector_asks[c] = slot_asking(s, in, c, b) < cfg->slots;
        const uint32_t w = judge_walk(s->wr_last[b], writer_asks, cfg->writers);
        const uint32_t c = judge_walk(s->rd_last[b], collector_asks, cfg->collectors);
        if (w < cfg->writers) {
            out->wr_grant[w] = true;
            out->we[b] = true;
            out->waddr[b] = in->wr_row[w];
            out->wsel[b] = w;
        }
        if (cfg->ports == 1 && out->we[b]) continue; /* write beats read */
        if (c < cfg->collectors) {
            const uint32_t r = c * cfg->slots + slot_asking(s, in, c, b);
            out->rd_grant[r] = true;
            out->re[b] = true;
            out->raddr[b] = in->rd_row[r];
            out->collector[b] = c;
        }
    }
}

static void slow_clock(slow_arbiter *s, const slow_out *out) {
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        if (out->re[b]) s->rd_last[b] = out->collector[b];
        if (out->we[b]) s->wr_last[b] = out->wsel[b];
    }
}

static void compare_out(judge *j, const rf_arbiter_cfg *cfg, const rf_arbiter_out *out, const slow_out *expected) {
    judge_equal(j, "rd_grant", 0, out->rd_grant, judge_pack(expected->rd_grant, cfg->collectors * cfg->slots));
    judge_equal(j, "wr_grant", 0, out->wr_grant, judge_pack(expected->wr_grant, cfg->writers));
    judge_equal(j, "bank_re", 0, out->bank_re, judge_pack(expected->re, cfg->banks));
    judge_equal(j, "bank_we", 0, out->bank_we, judge_pack(expected->we, cfg->banks));
    for (uint32_t b = 0; b < cfg->banks; b++) {
        judge_equal(j, "bank_raddr", b, out->bank_raddr[b], expected->raddr[b]);
        judge_equal(j, "bank_waddr", b, out->bank_waddr[b], expected->waddr[b]);
        judge_equal(j, "bank_wsel", b, out->bank_wsel[b], expected->wsel[b]);
    }
}

static void compare_state(judge *j, const slow_arbiter *s, const rf_arbiter *m) {
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        judge_equal(j, "rd_rr.mask_q", b, m->rd_rr[b].mask_q, judge_above(s->rd_last[b], s->cfg.collectors));
        judge_equal(j, "wr_rr.mask_q", b, m->wr_rr[b].mask_q, judge_above(s->wr_last[b], s->cfg.writers));
    }
}

static void start(rf_arbiter *m, slow_arbiter *s, rf_arbiter_cfg cfg) {
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_arbiter_init(m, &cfg), 0);
    assert_memory_equal(&m->cfg, &cfg, sizeof cfg);
    s->cfg = cfg;
    slow_reset(s);
}

/* One cycle of both, everything compared; the two calls of comb start from different garbage and must leave the model alone. */
static void step(judge *j, rf_arbiter *m, slow_arbiter *s, const rf_arbiter_in *in, slow_out *expected) {
    rf_arbiter before;
    rf_arbiter_out out;
    slow_comb(s, in, expected);
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_arbiter_comb(m, in, &out);
    compare_out(j, &s->cfg, &out, expected);
    memset(&out, 0x5a, sizeof out);
    rf_arbiter_comb(m, in, &out);
    compare_out(j, &s->cfg, &out, expected);
    assert_memory_equal(&before, m, sizeof before);
    JUDGE_CLOCK(rf_arbiter, m, in);
    slow_clock(s, expected);
    compare_state(j, s, m);
    j->cycle++;
}

/* Counts the events of a cycle; `s` is the state before it. */
static void count(const slow_arbiter *s, const rf_arbiter_in *in, const slow_out *out, uint64_t *seen) {
    const rf_arbiter_cfg *cfg = &s->cfg;
    const uint32_t readers = cfg->collectors * cfg->slots;
    uint32_t busy = 0;
    for (uint32_t b = 0; b < cfg->banks; b++) {
        uint32_t collectors = 0, writers = 0;
        for (uint32_t c = 0; c < cfg->collectors; c++) {
            uint32_t slots = 0;
            for (uint32_t r = c * cfg->slots; r < (c + 1) * cfg->slots; r++)
                slots += judge_bit(in->rd_valid, r) && in->rd_bank[r] == b;
            collectors += slots > 0;
            seen[SLOTS_CONFLICT] += slots > 1;
        }
        for (uint32_t w = 0; w < cfg->writers; w++) writers += judge_bit(in->wr_valid, w) && in->wr_bank[w] == b;
        seen[COLLECTORS_CONFLICT] += collectors > 1;
        seen[WRITERS_CONFLICT] += writers > 1;
        seen[WRITE_BEATS_READ] += collectors > 0 && out->we[b] && !out->re[b];
        seen[READ_BESIDE_WRITE] += out->re[b] && out->we[b];
        seen[READ] += out->re[b];
        seen[WRITE] += out->we[b];
        seen[READ_WRAP] += out->re[b] && out->collector[b] < s->rd_last[b] && s->rd_last[b] != cfg->collectors - 1;
        seen[WRITE_WRAP] += out->we[b] && out->wsel[b] < s->wr_last[b] && s->wr_last[b] != cfg->writers - 1;
        seen[TOP_ROW] += out->re[b] && out->raddr[b] == judge_codes(cfg->rows) - 1;
        busy += out->re[b] || out->we[b];
    }
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        uint32_t granted = 0;
        for (uint32_t k = 0; k < cfg->slots; k++) granted += out->rd_grant[c * cfg->slots + k];
        seen[SEVERAL_SLOTS] += granted > 1;
    }
    for (uint32_t r = 0; r < readers; r++) seen[NO_BANK_READ] += judge_bit(in->rd_valid, r) && in->rd_bank[r] >= cfg->banks;
    for (uint32_t w = 0; w < cfg->writers; w++)
        seen[NO_BANK_WRITTEN] += judge_bit(in->wr_valid, w) && in->wr_bank[w] >= cfg->banks;
    seen[IDLE] += in->rd_valid == 0 && in->wr_valid == 0;
    seen[ALL_BANKS] += cfg->banks > 1 && busy == cfg->banks;
    seen[EVERYBODY_ASKS] += in->rd_valid == ls_mask(readers) && in->wr_valid == ls_mask(cfg->writers);
    seen[TOP_READER] += readers > 1 && out->rd_grant[readers - 1];
    seen[TOP_WRITER] += cfg->writers > 1 && out->wr_grant[cfg->writers - 1];
}

/* What a seed draws: densities and chances in 256ths. */
typedef struct knobs {
    uint32_t read, write, hold, hot, illegal;
} knobs;

static uint8_t some_bank(ls_rng *rng, const rf_arbiter_cfg *cfg, const knobs *k, uint32_t hot) {
    if (ls_rng_chance(rng, k->illegal)) return (uint8_t)ls_rng_below(rng, judge_codes(cfg->banks));
    if (ls_rng_chance(rng, k->hot)) return (uint8_t)hot;
    return (uint8_t)ls_rng_below(rng, cfg->banks);
}

/* New requests; with `hold` those that lost keep asking, the same bank and row. */
static void stimulate(ls_rng *rng, const rf_arbiter_cfg *cfg, const knobs *k, const slow_out *last, rf_arbiter_in *in) {
    const uint32_t readers = cfg->collectors * cfg->slots, hot = ls_rng_below(rng, cfg->banks);
    const bool hold = ls_rng_chance(rng, k->hold);
    const uint64_t read = ls_rng_chance(rng, 8) ? ls_rng_value(rng, readers) : ls_rng_bits(rng, readers, k->read);
    const uint64_t write = ls_rng_chance(rng, 8) ? ls_rng_value(rng, cfg->writers) : ls_rng_bits(rng, cfg->writers, k->write);
    for (uint32_t r = 0; r < readers; r++) {
        if (hold && judge_bit(in->rd_valid, r) && !last->rd_grant[r]) continue;
        in->rd_valid &= ~(UINT64_C(1) << r);
        in->rd_valid |= read & (UINT64_C(1) << r);
        in->rd_bank[r] = some_bank(rng, cfg, k, hot);
        in->rd_row[r] = (uint16_t)ls_rng_below(rng, judge_codes(cfg->rows));
    }
    for (uint32_t w = 0; w < cfg->writers; w++) {
        if (hold && judge_bit(in->wr_valid, w) && !last->wr_grant[w]) continue;
        in->wr_valid = (uint8_t)((in->wr_valid & ~(1u << w)) | (write & (1u << w)));
        in->wr_bank[w] = some_bank(rng, cfg, k, hot);
        in->wr_row[w] = (uint16_t)ls_rng_below(rng, judge_codes(cfg->rows));
    }
}

static void run(rf_arbiter_cfg cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    static const uint32_t densities[] = {8, 48, 128, 224, 256};
    rf_arbiter m;
    slow_arbiter s, before;
    judge j;
    ls_rng rng;
    slow_out expected;
    rf_arbiter_in in;
    memset(&in, 0, sizeof in);
    memset(&expected, 0, sizeof expected);
    start(&m, &s, cfg);
    judge_begin(&j, seed,
                "rf_arbiter banks=%" PRIu32 " collectors=%" PRIu32 " slots=%" PRIu32 " writers=%" PRIu32 " rows=%" PRIu32
                " ports=%" PRIu32,
                cfg.banks, cfg.collectors, cfg.slots, cfg.writers, cfg.rows, cfg.ports);
    compare_state(&j, &s, &m);
    ls_rng_seed(&rng, seed);
    const knobs k = {densities[ls_rng_below(&rng, 5)], densities[ls_rng_below(&rng, 5)], ls_rng_below(&rng, 257),
                     ls_rng_below(&rng, 192), ls_rng_below(&rng, 64)};
    while (j.cycle < cycles) {
        stimulate(&rng, &cfg, &k, &expected, &in);
        before = s;
        step(&j, &m, &s, &in, &expected);
        count(&before, &in, &expected, seen);
        if (ls_rng_below(&rng, 512) == 0) {
            rf_arbiter_reset(&m);
            slow_reset(&s);
            compare_state(&j, &s, &m);
            seen[RESET]++;
        }
    }
    judge_passes(&j);
}

static void random_requests_of_every_shape(void **state) {
    /* banks, collectors, slots, writers, rows, ports */
    static const struct {
        rf_arbiter_cfg cfg;
        uint64_t cycles;
    } sets[] = {{{1, 1, 1, 1, 1, 1}, 20000},   {{1, 3, 3, 2, 5, 2}, 20000},    {{2, 16, 4, 8, 2, 1}, 10000},
                {{3, 1, 3, 1, 33, 1}, 20000},  {{3, 9, 7, 1, 1000, 2}, 8000},  {{4, 3, 3, 2, 64, 1}, 20000},
                {{4, 8, 3, 2, 128, 2}, 12000}, {{5, 5, 1, 3, 3, 1}, 20000},    {{5, 2, 5, 7, 9, 2}, 20000},
                {{8, 3, 7, 4, 100, 2}, 10000}, {{8, 8, 3, 2, 1024, 1}, 12000}, {{8, 8, 7, 2, 64, 1}, 6000},
                {{16, 8, 3, 3, 256, 1}, 8000}, {{16, 1, 7, 8, 16, 2}, 12000},  {{31, 16, 3, 5, 7, 1}, 3000},
                {{32, 8, 7, 2, 128, 1}, 4000}, {{32, 16, 4, 8, 5, 2}, 4000},   {{32, 3, 3, 2, 64, 1}, 6000}};
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (uint64_t i = 0; i < sizeof sets / sizeof *sets; i++)
        for (uint64_t k = 0; k < 4; k++) {
            run(sets[i].cfg, ls_seed_derive(k * 100 + i, "judge rf_arbiter"), sets[i].cycles / 4, seen);
            cycles += sets[i].cycles / 4;
        }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* Everything two collectors of two slots and two writers can ask of two banks, from every pointer of those. */
static void every_request_of_a_small_one(void **state) {
    judge j;
    (void)state;
    for (uint32_t ports = 1; ports <= 2; ports++)
        for (uint32_t pointers = 0; pointers < 16; pointers++) {
            judge_begin(&j, 0, "rf_arbiter banks=2 collectors=2 slots=2 writers=2 ports=%" PRIu32 ", all requests", ports);
            for (uint32_t valid = 0; valid < 64; valid++)
                for (uint32_t bank = 0; bank < 64; bank++) {
                    rf_arbiter m;
                    slow_arbiter s;
                    slow_out expected;
                    rf_arbiter_in in;
                    start(&m, &s, (rf_arbiter_cfg){2, 2, 2, 2, 8, ports});
                    memset(&in, 0, sizeof in);
                    for (uint32_t b = 0; b < 2; b++) {
                        m.rd_rr[b].mask_q = (pointers >> (2 * b)) & 1 ? 2 : 0;
                        m.wr_rr[b].mask_q = (pointers >> (2 * b + 1)) & 1 ? 2 : 0;
                        s.rd_last[b] = (pointers >> (2 * b)) & 1 ? 0 : 1;
                        s.wr_last[b] = (pointers >> (2 * b + 1)) & 1 ? 0 : 1;
                    }
                    in.rd_valid = valid & 15;
                    in.wr_valid = (uint8_t)(valid >> 4);
                    for (uint32_t r = 0; r < 4; r++) {
                        in.rd_bank[r] = (bank >> r) & 1;
                        in.rd_row[r] = (uint16_t)(r + 1);
                    }
                    for (uint32_t w = 0; w < 2; w++) {
                        in.wr_bank[w] = (bank >> (4 + w)) & 1;
                        in.wr_row[w] = (uint16_t)(w + 5);
                    }
                    step(&j, &m, &s, &in, &expected);
                }
            judge_passes(&j);
        }
}

static rf_arbiter m1; /* the arbiter of the directed tests */
static rf_arbiter_in ask;
static rf_arbiter_out answer;

static void begin(rf_arbiter_cfg cfg) {
    assert_int_equal(rf_arbiter_init(&m1, &cfg), 0);
    memset(&ask, 0, sizeof ask);
}

static void read_bank(uint32_t reader, uint8_t bank, uint16_t row) {
    ask.rd_valid |= UINT64_C(1) << reader;
    ask.rd_bank[reader] = bank;
    ask.rd_row[reader] = row;
}

static void write_bank(uint32_t writer, uint8_t bank, uint16_t row) {
    ask.wr_valid |= (uint8_t)(1u << writer);
    ask.wr_bank[writer] = bank;
    ask.wr_row[writer] = row;
}

static void cycle(void) {
    rf_arbiter_comb(&m1, &ask, &answer);
    rf_arbiter_clock(&m1, &ask);
}

/* [bank stealing II-B]: "only allows a single access to the same bank at a time. Once bank conflicts occur, the requests have to
 * be serialized": 24 readers of one bank take 24 cycles, the collectors in turn and the slots of each in order. */
static void conflicting_reads_are_serialized(void **state) {
    (void)state;
    for (uint32_t ports = 1; ports <= 2; ports++) {
        begin((rf_arbiter_cfg){4, 8, 3, 2, 64, ports});
        for (uint32_t r = 0; r < 24; r++) read_bank(r, 2, (uint16_t)(r + 10));
        for (uint32_t t = 0; t < 24; t++) {
            const uint32_t winner = (t % 8) * 3 + t / 8;
            cycle();
            assert_int_equal(answer.rd_grant, UINT64_C(1) << winner);
            assert_int_equal(answer.bank_re, 1u << 2);
            assert_int_equal(answer.bank_raddr[2], winner + 10);
            ask.rd_valid &= ~answer.rd_grant;
        }
        cycle();
        assert_int_equal(answer.rd_grant, 0);
        assert_int_equal(answer.bank_re, 0);
        assert_int_equal(answer.bank_raddr[2], 0);
    }
}

/* [bank stealing II-B]: "multiple operands in an instruction to be fetched across multiple banks in a single cycle with no
 * conflicts". */
static void different_banks_are_read_at_once(void **state) {
    (void)state;
    begin((rf_arbiter_cfg){8, 3, 3, 2, 64, 1});
    for (uint32_t r = 0; r < 8; r++) read_bank(r, (uint8_t)(7 - r), (uint16_t)r);
    cycle();
    assert_int_equal(answer.rd_grant, 0xff);
    assert_int_equal(answer.bank_re, 0xff);
    for (uint32_t b = 0; b < 8; b++) assert_int_equal(answer.bank_raddr[b], 7 - b);
}

/* [bank stealing II-B]: "write operations usually take higher priority over reads on accessing the same bank": the collector
 * whose turn it was keeps it, other banks are not held up. */
static void one_port_write_beats_read(void **state) {
    (void)state;
    begin((rf_arbiter_cfg){4, 3, 3, 2, 64, 1});
    for (uint32_t c = 0; c < 3; c++) read_bank(c * 3, 1, (uint16_t)(c + 1));
    cycle();
    assert_int_equal(answer.rd_grant, 1u << 0); /* collector 1 is next */
    read_bank(2, 3, 33);
    write_bank(0, 1, 20);
    write_bank(1, 1, 21);
    for (uint32_t t = 0; t < 3; t++) {
        cycle();
        assert_int_equal(answer.rd_grant, 1u << 2);
        assert_int_equal(answer.bank_re, 1u << 3);
        assert_int_equal(answer.bank_we, 1u << 1);
        assert_int_equal(answer.wr_grant, 1u << (t % 2)); /* writers in turn */
        assert_int_equal(answer.bank_wsel[1], t % 2);
        assert_int_equal(answer.bank_waddr[1], 20 + t % 2);
        assert_int_equal(answer.bank_raddr[1], 0);
        assert_int_equal(m1.rd_rr[1].mask_q, 6); /* as collector 0 left it */
    }
    ask.wr_valid = 0;
    cycle();
    assert_int_equal(answer.rd_grant, (1u << 3) | (1u << 2));
    assert_int_equal(answer.bank_raddr[1], 2);
}

/* [hierarchy 2.1]: "dual-ported banks (1 read and 1 write per cycle)"; [WIR II]: "1 read and 1 write ports". */
static void two_ports_serve_one_of_each(void **state) {
    (void)state;
    begin((rf_arbiter_cfg){4, 3, 3, 2, 64, 2});
    read_bank(4, 1, 7);
    read_bank(8, 1, 8);
    write_bank(0, 1, 7);
    write_bank(1, 1, 9);
    cycle();
    assert_int_equal(answer.rd_grant, 1u << 4);
    assert_int_equal(answer.wr_grant, 1u << 0);
    assert_int_equal(answer.bank_re, 1u << 1);
    assert_int_equal(answer.bank_we, 1u << 1);
    assert_int_equal(answer.bank_raddr[1], 7);
    assert_int_equal(answer.bank_waddr[1], 7);
    cycle();
    assert_int_equal(answer.rd_grant, 1u << 8);
    assert_int_equal(answer.wr_grant, 1u << 1);
}

/* "Requests to a bank outside 0 .. BANKS-1 are never granted": they block nobody and move no pointer. */
static void a_bank_that_is_not_there_is_never_granted(void **state) {
    static const uint32_t banks[] = {1, 3, 5, 31};
    (void)state;
    for (size_t k = 0; k < sizeof banks / sizeof *banks; k++) {
        begin((rf_arbiter_cfg){banks[k], 3, 3, 3, 64, 1});
        for (uint32_t r = 0; r < 9; r++) read_bank(r, (uint8_t)banks[k], 1);
        for (uint32_t w = 0; w < 3; w++) write_bank(w, (uint8_t)(judge_codes(banks[k]) - 1), 1);
        read_bank(7, 0, 5);
        cycle();
        assert_int_equal(answer.rd_grant, 1u << 7);
        assert_int_equal(answer.wr_grant, 0);
        assert_int_equal(answer.bank_re, 1);
        assert_int_equal(answer.bank_we, 0);
        for (uint32_t b = 1; b < banks[k]; b++) assert_int_equal(m1.rd_rr[b].mask_q, 0);
    }
}

/* Whatever the others do, a collector that keeps asking for a bank sees at most COLLECTORS - 1 reads of that bank go to others, a
 * writer at most WRITERS - 1 writes. */
static void nobody_is_passed_over_for_long(void **state) {
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, 5);
    for (uint32_t c = 0; c < 8; c++) {
        uint32_t reads_of_others = 0, writes_of_others = 0;
        begin((rf_arbiter_cfg){5, 8, 3, 8, 64, 2});
        for (uint32_t t = 0; t < 3000; t++) {
            bool mine = false;
            ask.rd_valid = ls_rng_bits(&rng, 24, 160);
            ask.wr_valid = (uint8_t)ls_rng_bits(&rng, 8, 160);
            for (uint32_t r = 0; r < 24; r++) ask.rd_bank[r] = (uint8_t)ls_rng_below(&rng, 5);
            for (uint32_t w = 0; w < 8; w++) ask.wr_bank[w] = (uint8_t)ls_rng_below(&rng, 5);
            read_bank(c * 3 + 1, 4, 1);
            write_bank(c, 4, 1);
            cycle();
            for (uint32_t r = c * 3; r < c * 3 + 3; r++) mine = mine || (judge_bit(answer.rd_grant, r) && ask.rd_bank[r] == 4);
            assert_true(judge_bit(answer.bank_re, 4) && judge_bit(answer.bank_we, 4));
            reads_of_others = mine ? 0 : reads_of_others + 1;
            writes_of_others = judge_bit(answer.wr_grant, c) ? 0 : writes_of_others + 1;
            assert_in_range(reads_of_others, 0, 7);
            assert_in_range(writes_of_others, 0, 7);
        }
    }
}

static void reset_puts_the_first_ones_first(void **state) {
    (void)state;
    begin((rf_arbiter_cfg){5, 3, 3, 3, 64, 2});
    for (uint8_t b = 0; b < 5; b++) {
        read_bank(3, b, 1);
        write_bank(1, b, 1);
        cycle();
        assert_int_equal(m1.rd_rr[b].mask_q, 4);
        assert_int_equal(m1.wr_rr[b].mask_q, 4);
    }
    rf_arbiter_reset(&m1);
    assert_int_equal(m1.cfg.banks, 5);
    assert_int_equal(m1.cfg.ports, 2);
    for (uint32_t b = 0; b < 5; b++) {
        assert_int_equal(m1.rd_rr[b].mask_q, 0);
        assert_int_equal(m1.wr_rr[b].mask_q, 0);
    }
    for (uint32_t r = 0; r < 9; r++) read_bank(r, 4, 1);
    for (uint32_t w = 0; w < 3; w++) write_bank(w, 4, 1);
    cycle();
    assert_int_equal(answer.rd_grant, 1);
    assert_int_equal(answer.wr_grant, 1);
}

static void a_parameter_out_of_range_is_refused_by_name(void **state) {
    static const rf_arbiter_cfg good[] = {{4, 3, 3, 2, 64, 1},    {1, 1, 1, 1, 1, 1},  {32, 16, 4, 8, 1024, 2},
                                          {32, 8, 8, 8, 1024, 1}, {4, 16, 1, 1, 1, 2}, {4, 1, 8, 1, 1, 2},
                                          {31, 9, 7, 3, 5, 1}};
    static const rf_arbiter_cfg readers[] = {{4, 13, 5, 2, 64, 1}, {4, 16, 8, 2, 64, 1}};
    (void)state;
    JUDGE_RANGES(rf_arbiter, good);
    for (size_t i = 0; i < 2; i++) judge_refused(&rf_arbiter_unit, &readers[i], "collectors", "64");
}

static void the_comparer_sees_every_flipped_bit(void **state) {
    rf_arbiter m;
    slow_arbiter s;
    slow_out expected;
    judge j;
    (void)state;
    begin((rf_arbiter_cfg){32, 16, 4, 8, 1024, 2});
    start(&m, &s, m1.cfg);
    for (uint32_t r = 0; r < 64; r++) read_bank(r, (uint8_t)((r * 5) % 32), (uint16_t)(r * 15 + 1));
    for (uint32_t w = 0; w < 8; w++) write_bank(w, (uint8_t)((w * w) % 32), (uint16_t)(w + 1000));
    judge_begin(&j, 0, "rf_arbiter as it is");
    step(&j, &m, &s, &ask, &expected);
    judge_passes(&j);
    start(&m1, &s, m1.cfg);
    rf_arbiter_comb(&m1, &ask, &answer);
    JUDGE_FLIPS(&j, rf_arbiter, LS_OUT, &m1, &answer, compare_out(&j, &s.cfg, &answer, &expected));
    JUDGE_FLIPS(&j, rf_arbiter, LS_STATE, &m1, &m1, compare_state(&j, &s, &m1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_requests_of_every_shape),
        cmocka_unit_test(every_request_of_a_small_one),
        cmocka_unit_test(conflicting_reads_are_serialized),
        cmocka_unit_test(different_banks_are_read_at_once),
        cmocka_unit_test(one_port_write_beats_read),
        cmocka_unit_test(two_ports_serve_one_of_each),
        cmocka_unit_test(a_bank_that_is_not_there_is_never_granted),
        cmocka_unit_test(nobody_is_passed_over_for_long),
        cmocka_unit_test(reset_puts_the_first_ones_first),
        cmocka_unit_test(a_parameter_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_every_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_arbiter", tests, NULL, NULL);
}
