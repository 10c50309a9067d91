/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_bank: the slow model is an array of rows and the lanes of the last accepted read ([bank stealing II-B]: one access
 * to a bank at a time, write before read; [hierarchy 2.1] and [WIR II]: one read and one write port). */
#include "cmodel/banked/rf_bank.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_bank_unit;

typedef struct slow_bank {
    rf_bank_cfg cfg;
    uint32_t cell[RF_BANK_ROWS_MAX][RF_LANES_MAX];
    uint32_t last[RF_LANES_MAX]; /* the row of the last accepted read, as it was then */
} slow_bank;

/* clang-format off */
#define SEEN(X) \
    X(IDLE, "idle") X(READ, "read") X(READ_LOST, "read lost to a write") X(HELD, "data held without a read") \
    X(READ_LOST_TO_EMPTY_MASK, "read lost to a write of no lane") X(READ_LOST_TO_NO_ROW, "read lost to a write of no row") \
    X(WRITE, "whole row written") X(PARTIAL_WRITE, "some lanes written") X(EMPTY_WRITE, "no lane written") \
    X(NO_ROW_WRITTEN, "write outside the rows") X(NO_ROW_READ, "read outside the rows") \
    X(BOTH_SAME_ROW, "row read while written") X(BOTH_OTHER_ROW, "one row read, another written") \
    X(READ_AFTER_WRITE, "row read the cycle after its write") X(TOP_ROW, "top row accessed") \
    X(ONE_OUTSIDE, "first row outside accessed") X(RESET, "reset while running")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static rf_bank model; /* 128 KB: not on the stack */
static slow_bank slow;

static void slow_reset(slow_bank *s) {
    for (uint32_t l = 0; l < RF_LANES_MAX; l++) s->last[l] = 0;
}

static void slow_clock(slow_bank *s, const rf_bank_in *in) {
    const bool read = in->re && !(s->cfg.ports == 1 && in->we);
    if (read)
        for (uint32_t l = 0; l < s->cfg.lanes; l++) s->last[l] = in->raddr < s->cfg.rows ? s->cell[in->raddr][l] : 0;
    if (in->we && in->waddr < s->cfg.rows)
        for (uint32_t l = 0; l < s->cfg.lanes; l++)
            if (judge_bit(in->wmask, l)) s->cell[in->waddr][l] = in->wdata.lane[l];
}

/* All 32 lanes: those at and above LANES are 0. */
static void compare_out(judge *j, const slow_bank *s, const rf_bank_out *out) {
    judge_words(j, "rdata", 0, out->rdata.lane, s->last, RF_LANES_MAX);
}

static void compare_rows(judge *j, const slow_bank *s, const rf_bank *m, uint32_t rows) {
    j->compared += rows;
    if (memcmp(m->mem_q, s->cell, rows * sizeof s->cell[0]) == 0) return;
    for (uint32_t row = 0; row < rows; row++) judge_words(j, "mem_q", row, m->mem_q[row].lane, s->cell[row], RF_LANES_MAX);
}

static void compare_state(judge *j, const slow_bank *s, const rf_bank *m) {
    judge_words(j, "rdata_q", 0, m->rdata_q.lane, s->last, RF_LANES_MAX);
    compare_rows(j, s, m, s->cfg.rows);
}

static void start(rf_bank *m, slow_bank *s, rf_bank_cfg cfg) {
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_bank_init(m, &cfg), 0);
    assert_memory_equal(&m->cfg, &cfg, sizeof cfg);
    memset(s, 0, sizeof *s);
    s->cfg = cfg;
}

/* One cycle of both, everything compared. */
static void step(judge *j, rf_bank *m, slow_bank *s, const rf_bank_in *in) {
    rf_bank_out out;
    memset(&out, 0xa5, sizeof out);
    rf_bank_comb(m, in, &out);
    compare_out(j, s, &out);
    memset(&out, 0x5a, sizeof out);
    rf_bank_comb(m, in, &out);
    compare_out(j, s, &out);
    if (j->cycle % 64 == 0) JUDGE_CLOCK(rf_bank, m, in); /* a bank is large */
    else rf_bank_clock(m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
}

static void count(const rf_bank_cfg *cfg, const rf_bank_in *in, const rf_bank_in *before, uint64_t *seen) {
    const bool lost = cfg->ports == 1 && in->we && in->re, read = in->re && !lost;
    const uint32_t all = (uint32_t)ls_mask(cfg->lanes);
    seen[IDLE] += !in->we && !in->re;
    seen[READ] += read && in->raddr < cfg->rows;
    seen[READ_LOST] += lost;
    seen[READ_LOST_TO_EMPTY_MASK] += lost && in->wmask == 0;
    seen[READ_LOST_TO_NO_ROW] += lost && in->waddr >= cfg->rows;
    seen[HELD] += !in->re;
    seen[WRITE] += in->we && in->wmask == all && in->waddr < cfg->rows;
    seen[PARTIAL_WRITE] += in->we && in->wmask != all && in->wmask != 0 && in->waddr < cfg->rows;
    seen[EMPTY_WRITE] += in->we && in->wmask == 0 && in->waddr < cfg->rows;
    seen[NO_ROW_WRITTEN] += in->we && in->wmask != 0 && in->waddr >= cfg->rows;
    seen[NO_ROW_READ] += read && in->raddr >= cfg->rows;
    seen[BOTH_SAME_ROW] += read && in->we && in->wmask != 0 && in->raddr == in->waddr && in->raddr < cfg->rows;
    seen[BOTH_OTHER_ROW] += read && in->we && in->raddr != in->waddr;
    seen[READ_AFTER_WRITE] += read && before->we && before->wmask != 0 && in->raddr == before->waddr && in->raddr < cfg->rows;
    seen[TOP_ROW] += (read && in->raddr == cfg->rows - 1) || (in->we && in->waddr == cfg->rows - 1);
    seen[ONE_OUTSIDE] += (read && in->raddr == cfg->rows) || (in->we && in->waddr == cfg->rows);
}

/* A row number: often one of the last two written, else a boundary, else any that the port can carry. */
static uint16_t some_row(ls_rng *rng, const rf_bank_cfg *cfg, const uint16_t *recent) {
    const uint32_t codes = judge_codes(cfg->rows);
    switch (ls_rng_below(rng, 8)) {
    case 0:
        return (uint16_t)(cfg->rows - 1);
    case 1:
        return (uint16_t)(cfg->rows < codes ? cfg->rows : 0);
    case 2:
    case 3:
    case 4:
        return recent[ls_rng_below(rng, 2)];
    default:
        return (uint16_t)ls_rng_below(rng, codes);
    }
}

static void run(rf_bank_cfg cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    judge j;
    ls_rng rng;
    rf_bank_in in, before;
    uint16_t recent[2] = {0, 0};
    memset(&in, 0, sizeof in);
    start(&model, &slow, cfg);
    judge_begin(&j, seed, "rf_bank rows=%" PRIu32 " lanes=%" PRIu32 " ports=%" PRIu32, cfg.rows, cfg.lanes, cfg.ports);
    compare_state(&j, &slow, &model);
    compare_rows(&j, &slow, &model, RF_BANK_ROWS_MAX); /* init leaves zeroes */
    ls_rng_seed(&rng, seed);
    for (uint32_t row = 0; row < cfg.rows; row++) { /* power-up contents */
        ls_rng_lanes(&rng, slow.cell[row], cfg.lanes);
        memcpy(model.mem_q[row].lane, slow.cell[row], cfg.lanes * sizeof(uint32_t));
    }
    const uint32_t write = 16 + ls_rng_below(&rng, 200), read = 16 + ls_rng_below(&rng, 225);
    while (j.cycle < cycles) {
        before = in;
        in.we = ls_rng_chance(&rng, write);
        in.re = ls_rng_chance(&rng, read);
        in.waddr = some_row(&rng, &cfg, recent);
        in.raddr = some_row(&rng, &cfg, recent);
        in.wmask = (uint32_t)ls_rng_value(&rng, cfg.lanes);
        ls_rng_lanes(&rng, in.wdata.lane, cfg.lanes);
        count(&cfg, &in, &before, seen);
        step(&j, &model, &slow, &in);
        if (in.we) {
            recent[1] = recent[0];
            recent[0] = in.waddr;
        }
        if (ls_rng_chance(&rng, 1)) { /* the memory stays */
            rf_bank_reset(&model);
            slow_reset(&slow);
            compare_state(&j, &slow, &model);
            seen[RESET]++;
        }
    }
    compare_rows(&j, &slow, &model, RF_BANK_ROWS_MAX); /* nothing was written beside the rows */
    judge_passes(&j);
}

static void random_accesses_of_every_shape(void **state) {
    static const uint32_t rows[] = {1, 2, 3, 5, 16, 33, 256, 1000, 1024}, lanes[] = {1, 3, 4, 32};
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (uint64_t r = 0; r < 9; r++)
        for (uint64_t l = 0; l < 4; l++)
            for (uint32_t ports = 1; ports <= 2; ports++) {
                const uint64_t each = rows[r] < 256 ? 4000 : 700;
                for (uint64_t k = 0; k < 2; k++) {
                    const uint64_t seed = ls_seed_derive(k * 1000 + r * 100 + l * 10 + ports, "judge rf_bank");
                    run((rf_bank_cfg){rows[r], lanes[l], ports}, seed, each, seen);
                    cycles += each;
                }
            }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* The comb of this unit is checked for touching its model here, not in each cycle: the model is large. */
static void comb_leaves_the_model_alone(void **state) {
    static rf_bank copy;
    rf_bank_in in = {1, 2, 0xffffffff, {{7, 8, 9}}, 1, 2};
    rf_bank_out out;
    (void)state;
    for (uint32_t ports = 1; ports <= 2; ports++) {
        start(&model, &slow, (rf_bank_cfg){5, 32, ports});
        for (uint32_t t = 0; t < 8; t++) {
            in.re = (uint8_t)(t & 1);
            memcpy(&copy, &model, sizeof copy);
            for (int call = 1; call <= 2; call++) {
                rf_bank_comb(&model, &in, &out);
                if (memcmp(&copy, &model, sizeof copy) != 0)
                    fail_msg("PORTS=%u, cycle %u: call %d of comb changed the model", ports, t, call);
            }
            rf_bank_clock(&model, &in);
        }
    }
}

static rf_bank_in write_row(uint16_t row, uint32_t mask, uint32_t value) {
    rf_bank_in in;
    memset(&in, 0, sizeof in);
    in.we = 1;
    in.waddr = row;
    in.wmask = mask;
    for (uint32_t l = 0; l < 4; l++) in.wdata.lane[l] = value + l;
    return in;
}

static uint32_t lane_of_read(uint16_t row, uint32_t lane) {
    rf_bank_in in;
    rf_bank_out out;
    memset(&in, 0, sizeof in);
    in.re = 1;
    in.raddr = row;
    rf_bank_clock(&model, &in);
    rf_bank_comb(&model, &in, &out);
    return out.rdata.lane[lane];
}

/* [bank stealing II-B]: "write operations usually take higher priority over reads on accessing the same bank": a lost read keeps
 * rdata. */
static void one_port_write_beats_read(void **state) {
    static const struct {
        uint16_t row;
        uint32_t mask;
    } writes[] = {{1, 0xf}, {2, 0x1}, {3, 0}, {6, 0xf}};
    (void)state;
    start(&model, &slow, (rf_bank_cfg){5, 4, 1});
    rf_bank_in in = write_row(0, 0xf, 100);
    rf_bank_clock(&model, &in);
    in = write_row(4, 0xf, 400);
    rf_bank_clock(&model, &in);
    assert_int_equal(lane_of_read(0, 3), 103);
    for (size_t i = 0; i < sizeof writes / sizeof *writes; i++) {
        rf_bank_out out;
        in = write_row(writes[i].row, writes[i].mask, 200);
        in.re = 1;
        in.raddr = 4;
        rf_bank_clock(&model, &in);
        rf_bank_comb(&model, &in, &out);
        assert_int_equal(out.rdata.lane[3], 103);
    }
    assert_int_equal(lane_of_read(4, 3), 403);
    assert_int_equal(lane_of_read(1, 3), 203);
    assert_int_equal(lane_of_read(2, 0), 200);
    assert_int_equal(lane_of_read(2, 3), 0);
    assert_int_equal(lane_of_read(3, 0), 0);
}

/* [hierarchy 2.1]: "dual-ported banks (1 read and 1 write per cycle)", its 4 KB bank of 256 x 128 bit; a read of the row that is
 * written returns the old row. */
static void two_ports_read_the_old_row(void **state) {
    rf_bank_out out;
    (void)state;
    start(&model, &slow, (rf_bank_cfg){256, 4, 2});
    rf_bank_in in = write_row(255, 0xf, 10);
    rf_bank_clock(&model, &in);
    in = write_row(255, 0x5, 20);
    in.re = 1;
    in.raddr = 255;
    rf_bank_clock(&model, &in);
    rf_bank_comb(&model, &in, &out);
    for (uint32_t l = 0; l < 4; l++) assert_int_equal(out.rdata.lane[l], 10 + l);
    for (uint32_t l = 0; l < 4; l++) assert_int_equal(lane_of_read(255, l), (l % 2 == 0 ? 20 : 10) + l);
    in = write_row(7, 0xf, 70);
    in.re = 1;
    in.raddr = 255;
    rf_bank_clock(&model, &in); /* another row: both are performed */
    rf_bank_comb(&model, &in, &out);
    assert_int_equal(out.rdata.lane[0], 20);
    assert_int_equal(lane_of_read(7, 1), 71);
}

/* "The data of a read accepted in cycle t is on rdata in cycle t + 1 and stays until the next accepted read". */
static void read_data_comes_next_cycle_and_stays(void **state) {
    (void)state;
    for (uint32_t ports = 1; ports <= 2; ports++) {
        rf_bank_out out;
        start(&model, &slow, (rf_bank_cfg){3, 4, ports});
        rf_bank_in in = write_row(2, 0xf, 50);
        rf_bank_clock(&model, &in);
        memset(&in, 0, sizeof in);
        in.re = 1;
        in.raddr = 2;
        rf_bank_comb(&model, &in, &out);
        assert_int_equal(out.rdata.lane[0], 0); /* not in the cycle of the read */
        rf_bank_clock(&model, &in);
        in = write_row(2, 0xf, 60);
        for (uint32_t t = 0; t < 4; t++) {
            rf_bank_comb(&model, &in, &out);
            assert_int_equal(out.rdata.lane[0], 50);
            rf_bank_clock(&model, &in);
        }
        assert_int_equal(lane_of_read(2, 0), 60);
        assert_int_equal(lane_of_read(3, 0), 0); /* outside: accepted, and 0 */
    }
}

static void reset_clears_rdata_and_leaves_the_memory(void **state) {
    static rf_vec rows[RF_BANK_ROWS_MAX];
    static const rf_vec zero;
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, 1);
    for (uint32_t ports = 1; ports <= 2; ports++) {
        start(&model, &slow, (rf_bank_cfg){1024, 32, ports});
        for (uint32_t row = 0; row < 1024; row++) ls_rng_lanes(&rng, model.mem_q[row].lane, 32);
        model.mem_q[9].lane[31] = 0xdeadbeef;
        assert_int_equal(lane_of_read(9, 31), 0xdeadbeef);
        memcpy(rows, model.mem_q, sizeof rows);
        rf_bank_reset(&model);
        assert_memory_equal(&model.rdata_q, &zero, sizeof zero);
        assert_memory_equal(model.mem_q, rows, sizeof rows);
        assert_int_equal(model.cfg.ports, ports);
    }
}

static void a_parameter_out_of_range_is_refused_by_name(void **state) {
    static const rf_bank_cfg good[] = {{1, 1, 1}, {1, 32, 2}, {1024, 1, 1}, {1024, 32, 2}, {33, 3, 1}};
    (void)state;
    JUDGE_RANGES(rf_bank, good);
}

static void the_comparer_sees_every_flipped_bit(void **state) {
    const rf_bank_in read = {.re = 1, .raddr = 4};
    rf_bank_out out;
    judge j;
    (void)state;
    start(&model, &slow, (rf_bank_cfg){5, 32, 2});
    for (uint32_t l = 0; l < 32; l++) model.mem_q[4].lane[l] = slow.cell[4][l] = 0x9e3779b9u * l;
    rf_bank_clock(&model, &read);
    slow_clock(&slow, &read);
    rf_bank_comb(&model, &read, &out);
    JUDGE_FLIPS(&j, rf_bank, LS_OUT, &model, &out, compare_out(&j, &slow, &out));
    JUDGE_FLIPS(&j, rf_bank, LS_STATE, &model, &model, compare_state(&j, &slow, &model));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_accesses_of_every_shape),
        cmocka_unit_test(comb_leaves_the_model_alone),
        cmocka_unit_test(one_port_write_beats_read),
        cmocka_unit_test(two_ports_read_the_old_row),
        cmocka_unit_test(read_data_comes_next_cycle_and_stays),
        cmocka_unit_test(reset_clears_rdata_and_leaves_the_memory),
        cmocka_unit_test(a_parameter_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_every_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_bank", tests, NULL, NULL);
}
