/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_stage_banks: the slow model is one array of cells, the row that each bank has read last, and two look-ups: a bank
 * takes from its bus, a reader from its bank [bank stealing II-B]. A second model, moved by `step` alone, must give and hold the
 * same. */
#include "cmodel/banked/rf_stage_banks.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_stage_banks_unit;

typedef struct slow_banks {
    rf_stage_banks_cfg cfg;
    uint32_t cell[RF_BANKS_MAX][RF_BANK_ROWS_MAX][RF_LANES_MAX];
    uint32_t last[RF_BANKS_MAX][RF_LANES_MAX]; /* the row of the last accepted read, as it was then */
} slow_banks;

/* clang-format off */
#define SEEN(X) \
    X(READ, "read") X(READ_LOST, "read lost to a write") X(LOST_TO_EMPTY_MASK, "read lost to a write of no lane") \
    X(LOST_TO_NO_BUS, "read lost to a write of no bus") X(LOST_TO_NO_ROW, "read lost to a write of no row") \
    X(WRITE, "whole row written") X(PARTIAL, "some lanes written") X(NO_BUS, "write of a bus that is not there") \
    X(NO_ROW_WRITTEN, "write outside the rows") X(NO_ROW_READ, "read outside the rows") \
    X(SAME_ROW, "row read while written") X(OTHER_ROW, "one row read, another written") X(READ_BACK, "row read after its write") \
    X(BUS_SHARED, "two banks write from one bus") X(BUSES_CROSS, "two banks write, the lower from the higher bus") \
    X(EVERY_BANK_WRITES, "all of several banks write") X(EVERY_BANK_READS, "all of several banks read") \
    X(FILL, "a reader takes what was read in the cycle before") X(FILL_LATER, "a reader takes what was read earlier") \
    X(FILL_WHILE_READ, "a reader takes while its bank reads on") X(FILL_SHARED, "two readers take from one bank") \
    X(FILL_NO_BANK, "a reader takes from a bank that is not there") X(FILL_NONE, "nobody takes") \
    X(FILL_ALL, "all of several readers take") X(TOP, "top row of the top bank") X(RESET, "reset while running")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static rf_stage_banks model, stepper; /* 4 MB each: not on the stack */
static slow_banks slow;
static const uint32_t nothing[RF_LANES_MAX];

static void slow_reset(slow_banks *s) { memset(s->last, 0, sizeof s->last); }

static void slow_clock(slow_banks *s, const rf_stage_banks_in *in) {
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        const bool write = judge_bit(in->we, b), read = judge_bit(in->re, b) && !(write && s->cfg.ports == 1);
        for (uint32_t l = 0; l < s->cfg.lanes; l++) {
            if (read) s->last[b][l] = in->raddr[b] < s->cfg.rows ? s->cell[b][in->raddr[b]][l] : 0;
            if (!write || in->waddr[b] >= s->cfg.rows || in->wsel[b] >= s->cfg.buses) continue;
            if (judge_bit(in->mask[in->wsel[b]], l)) s->cell[b][in->waddr[b]][l] = in->data[in->wsel[b]].lane[l];
        }
    }
}

/* All 32 lanes: those at and above LANES are 0. */
static void compare_out(judge *j, const slow_banks *s, const rf_stage_banks_in *in, const rf_stage_banks_out *out) {
    for (uint32_t b = 0; b < s->cfg.banks; b++) judge_words(j, "rdata", b, out->rdata[b].lane, s->last[b], RF_LANES_MAX);
    for (uint32_t r = 0; r < s->cfg.readers; r++) {
        const bool takes = judge_bit(in->fill_valid, r) && in->fill_bank[r] < s->cfg.banks;
        judge_words(j, "fill_data", r, out->fill_data[r].lane, takes ? s->last[in->fill_bank[r]] : nothing, RF_LANES_MAX);
    }
}

static void compare_row(judge *j, const slow_banks *s, const rf_stage_banks *m, uint32_t b, uint32_t row) {
    judge_words(j, "mem_q", b * RF_BANK_ROWS_MAX + row, m->bank[b].mem_q[row].lane, s->cell[b][row], RF_LANES_MAX);
}

/* Every register but the memories. */
static void compare_state(judge *j, const slow_banks *s, const rf_stage_banks *m) {
    for (uint32_t b = 0; b < s->cfg.banks; b++) judge_words(j, "rdata_q", b, m->bank[b].rdata_q.lane, s->last[b], RF_LANES_MAX);
}

/* The rows that this cycle names. */
static void compare_named_rows(judge *j, const slow_banks *s, const rf_stage_banks *m, const rf_stage_banks_in *in) {
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        if (in->waddr[b] < s->cfg.rows) compare_row(j, s, m, b, in->waddr[b]);
        if (in->raddr[b] < s->cfg.rows) compare_row(j, s, m, b, in->raddr[b]);
    }
}

/* Every row of the banks that there are; those at and above ROWS hold the zeroes of init. */
static void compare_memory(judge *j, const slow_banks *s, const rf_stage_banks *m) {
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        j->compared++;
        if (memcmp(m->bank[b].mem_q, s->cell[b], sizeof s->cell[b]) == 0) continue;
        for (uint32_t row = 0; row < RF_BANK_ROWS_MAX; row++) compare_row(j, s, m, b, row);
    }
}

static void compare_all(judge *j, const slow_banks *s, const rf_stage_banks *m) {
    compare_state(j, s, m);
    compare_memory(j, s, m);
}

static void start(judge *j, uint64_t seed, const rf_stage_banks_cfg *cfg) {
    judge_begin(j, seed,
                "rf_stage_banks banks=%" PRIu32 " rows=%" PRIu32 " lanes=%" PRIu32 " ports=%" PRIu32 " buses=%" PRIu32
                " readers=%" PRIu32,
                cfg->banks, cfg->rows, cfg->lanes, cfg->ports, cfg->buses, cfg->readers);
    memset(&model, 0xa5, sizeof model);
    memset(&stepper, 0x5a, sizeof stepper);
    assert_int_equal(rf_stage_banks_init(&model, cfg), 0);
    assert_int_equal(rf_stage_banks_init(&stepper, cfg), 0);
    assert_memory_equal(&model.cfg, cfg, sizeof *cfg);
    memset(&slow, 0, sizeof slow);
    slow.cfg = *cfg;
    compare_state(j, &slow, &model);
    compare_memory(j, &slow, &model);
}

/* One cycle of all three, everything compared. */
static void step(judge *j, const rf_stage_banks_in *in) {
    static rf_stage_banks_out out, stepped;
    memset(&out, 0xa5, sizeof out);
    memset(&stepped, 0xa5, sizeof stepped);
    rf_stage_banks_comb(&model, in, &out);
    compare_out(j, &slow, in, &out);
    rf_stage_banks_clock(&model, in);
    rf_stage_banks_step(&stepper, in, &stepped);
    assert_memory_equal(&out, &stepped, sizeof out);
    slow_clock(&slow, in);
    compare_state(j, &slow, &model);
    compare_state(j, &slow, &stepper);
    compare_named_rows(j, &slow, &model, in);
    compare_named_rows(j, &slow, &stepper, in);
    j->cycle++;
}

/* Counts the events of a cycle; `before` is the input of the cycle before. */
static void count(const rf_stage_banks_cfg *cfg, const rf_stage_banks_in *in, const rf_stage_banks_in *before, uint64_t *seen) {
    const uint32_t all = (uint32_t)ls_mask(cfg->lanes);
    uint32_t takers[RF_BANKS_MAX] = {0}, writers[RF_EXPORTS_MAX] = {0}, highest = 0;
    for (uint32_t b = 0; b < cfg->banks; b++) {
        const bool we = judge_bit(in->we, b), re = judge_bit(in->re, b), lost = we && re && cfg->ports == 1, read = re && !lost;
        const bool bus = in->wsel[b] < cfg->buses, row = in->waddr[b] < cfg->rows;
        const uint32_t mask = bus ? in->mask[in->wsel[b]] : 0;
        seen[READ] += read && in->raddr[b] < cfg->rows;
        seen[READ_LOST] += lost && row && mask != 0;
        seen[LOST_TO_EMPTY_MASK] += lost && bus && mask == 0;
        seen[LOST_TO_NO_BUS] += lost && !bus;
        seen[LOST_TO_NO_ROW] += lost && !row;
        seen[WRITE] += we && row && mask == all;
        seen[PARTIAL] += we && row && mask != 0 && mask != all;
        seen[NO_BUS] += we && row && !bus;
        seen[NO_ROW_WRITTEN] += we && !row && mask != 0;
        seen[NO_ROW_READ] += read && in->raddr[b] >= cfg->rows;
        seen[SAME_ROW] += read && we && row && mask != 0 && in->raddr[b] == in->waddr[b];
        seen[OTHER_ROW] += read && we && row && in->raddr[b] != in->waddr[b];
        seen[READ_BACK] += read && judge_bit(before->we, b) && before->waddr[b] == in->raddr[b] && in->raddr[b] < cfg->rows;
        seen[TOP] += we && mask != 0 && in->waddr[b] == cfg->rows - 1 && b == cfg->banks - 1;
        if (!we || !bus) continue;
        seen[BUS_SHARED] += ++writers[in->wsel[b]] == 2 && mask != 0;
        seen[BUSES_CROSS] += in->wsel[b] < highest;
        if (in->wsel[b] > highest) highest = in->wsel[b];
    }
    for (uint32_t r = 0; r < cfg->readers; r++) {
        const uint32_t b = in->fill_bank[r];
        if (!judge_bit(in->fill_valid, r)) continue;
        seen[FILL_NO_BANK] += b >= cfg->banks;
        if (b >= cfg->banks) continue;
        seen[FILL] += judge_bit(before->re, b);
        seen[FILL_LATER] += !judge_bit(before->re, b);
        seen[FILL_WHILE_READ] += judge_bit(in->re, b);
        seen[FILL_SHARED] += ++takers[b] == 2;
    }
    seen[EVERY_BANK_WRITES] += cfg->banks > 1 && in->we == ls_mask(cfg->banks);
    seen[EVERY_BANK_READS] += cfg->banks > 1 && in->re == ls_mask(cfg->banks);
    seen[FILL_NONE] += in->fill_valid == 0;
    seen[FILL_ALL] += cfg->readers > 1 && in->fill_valid == ls_mask(cfg->readers);
}

/* A row number: often the one written or read last in the bank, else a boundary, else any that the port can carry. */
static uint16_t some_row(ls_rng *rng, const rf_stage_banks_cfg *cfg, uint16_t written, uint16_t read) {
    const uint32_t codes = judge_codes(cfg->rows);
    switch (ls_rng_below(rng, 8)) {
    case 0:
        return (uint16_t)(cfg->rows - 1);
    case 1:
        return (uint16_t)(cfg->rows < codes ? cfg->rows : 0);
    case 2:
    case 3:
    case 4:
        return written;
    case 5:
        return read;
    default:
        return (uint16_t)ls_rng_below(rng, codes);
    }
}

typedef struct densities {
    uint32_t read, write, fill, follow, partial;
} densities;

static void drive(const rf_stage_banks_cfg *cfg, const densities *p, rf_stage_banks_in *in, ls_rng *rng) {
    uint8_t read[RF_BANKS_MAX];
    uint32_t n = 0;
    for (uint32_t b = 0; b < cfg->banks; b++)
        if (judge_bit(in->re, b)) read[n++] = (uint8_t)b;
    in->re = (uint32_t)ls_rng_bits(rng, cfg->banks, p->read);
    in->we = (uint32_t)ls_rng_bits(rng, cfg->banks, p->write);
    in->fill_valid = ls_rng_bits(rng, cfg->readers, p->fill);
    for (uint32_t b = 0; b < cfg->banks; b++) {
        const uint16_t written = in->waddr[b], last = in->raddr[b];
        in->raddr[b] = some_row(rng, cfg, written, last);
        in->waddr[b] = some_row(rng, cfg, written, last);
        in->wsel[b] = (uint8_t)ls_rng_below(rng, ls_rng_chance(rng, 24) ? judge_codes(cfg->buses) : cfg->buses);
    }
    for (uint32_t e = 0; e < cfg->buses; e++) {
        in->mask[e] = (uint32_t)(ls_rng_chance(rng, p->partial) ? ls_rng_value(rng, cfg->lanes) : ls_mask(cfg->lanes));
        ls_rng_lanes(rng, in->data[e].lane, cfg->lanes);
    }
    for (uint32_t r = 0; r < cfg->readers; r++) {
        if (n > 0 && ls_rng_chance(rng, p->follow)) in->fill_bank[r] = read[ls_rng_below(rng, n)];
        else in->fill_bank[r] = (uint8_t)ls_rng_below(rng, judge_codes(cfg->banks));
    }
}

static void run(const rf_stage_banks_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    static rf_stage_banks_in in, before;
    densities p = {0};
    judge j;
    ls_rng rng;
    start(&j, seed, cfg);
    ls_rng_seed(&rng, seed);
    memset(&in, 0, sizeof in);
    for (uint32_t b = 0; b < cfg->banks; b++) /* power-up contents; the first row that is not there holds something too */
        for (uint32_t row = 0; row <= cfg->rows && row < RF_BANK_ROWS_MAX; row++) {
            ls_rng_lanes(&rng, slow.cell[b][row], cfg->lanes);
            memcpy(model.bank[b].mem_q[row].lane, slow.cell[b][row], sizeof slow.cell[b][row]);
            memcpy(stepper.bank[b].mem_q[row].lane, slow.cell[b][row], sizeof slow.cell[b][row]);
        }
    for (uint32_t e = cfg->buses; e < RF_EXPORTS_MAX; e++) in.mask[e] = UINT32_MAX, in.data[e].lane[0] = 1; /* no ports */
    if (cfg->banks < RF_BANKS_MAX) model.bank[cfg->banks].rdata_q.lane[0] = stepper.bank[cfg->banks].rdata_q.lane[0] = 1;
    while (j.cycle < cycles) {
        if (j.cycle % 512 == 0)
            p = (densities){ls_rng_below(&rng, 257), ls_rng_below(&rng, 257), ls_rng_below(&rng, 257), ls_rng_below(&rng, 257),
                            ls_rng_below(&rng, 257)};
        before = in;
        drive(cfg, &p, &in, &rng);
        count(cfg, &in, &before, seen);
        step(&j, &in);
        if (ls_rng_below(&rng, 512) == 0) { /* the memory stays */
            rf_stage_banks_reset(&model);
            rf_stage_banks_reset(&stepper);
            slow_reset(&slow);
            compare_state(&j, &slow, &model);
            compare_state(&j, &slow, &stepper);
            seen[RESET]++;
        }
        if (j.cycle % 4096 == 0 || j.cycle == cycles) {
            compare_memory(&j, &slow, &model);
            compare_memory(&j, &slow, &stepper);
        }
    }
    judge_passes(&j);
}

static void random_accesses_of_every_shape(void **state) {
    static const rf_stage_banks_cfg sets[] = {{8, 96, 4, 1, 3, 24},  {4, 32, 32, 1, 2, 6},    {1, 1, 1, 1, 1, 1},
                                              {3, 5, 3, 2, 3, 7},    {32, 1024, 1, 2, 8, 64}, {5, 33, 31, 1, 5, 9},
                                              {16, 64, 4, 2, 4, 48}, {2, 2, 2, 1, 6, 2},      {1, 7, 4, 2, 1, 5},
                                              {6, 300, 4, 1, 7, 1},  {32, 9, 32, 2, 8, 64},   {7, 1000, 2, 1, 2, 33}};
    const size_t n = sizeof sets / sizeof *sets;
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < n; i++) {
        run(&sets[i], ls_seed_derive(i, "judge rf_stage_banks"), 17000, seen);
        cycles += 17000;
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* The comb is checked for touching its model here, not in each cycle: the model is large. */
static void comb_leaves_the_model_alone(void **state) {
    static rf_stage_banks_in in;
    static rf_stage_banks_out once, twice;
    const rf_stage_banks_cfg cfg = {5, 9, 3, 2, 3, 7};
    judge j;
    ls_rng rng;
    (void)state;
    start(&j, 0, &cfg);
    ls_rng_seed(&rng, 3);
    memset(&in, 0, sizeof in);
    for (uint32_t t = 0; t < 8; t++) {
        drive(&cfg, &(densities){200, 200, 200, 128, 64}, &in, &rng);
        memcpy(&stepper, &model, sizeof model);
        memset(&once, 0, sizeof once);
        memset(&twice, 0xff, sizeof twice);
        rf_stage_banks_comb(&model, &in, &once);
        assert_memory_equal(&stepper, &model, sizeof model);
        rf_stage_banks_comb(&model, &in, &twice);
        assert_memory_equal(&stepper, &model, sizeof model);
        for (uint32_t r = 0; r < cfg.readers; r++) assert_memory_equal(&once.fill_data[r], &twice.fill_data[r], sizeof(rf_vec));
        for (uint32_t b = 0; b < cfg.banks; b++) assert_memory_equal(&once.rdata[b], &twice.rdata[b], sizeof(rf_vec));
        rf_stage_banks_clock(&model, &in);
    }
}

static rf_stage_banks_in in1; /* of the directed tests */
static rf_stage_banks_out answer;

static void begin(rf_stage_banks_cfg cfg) {
    assert_int_equal(rf_stage_banks_init(&model, &cfg), 0);
    memset(&in1, 0, sizeof in1);
}

static void cycle(void) {
    rf_stage_banks_comb(&model, &in1, &answer);
    rf_stage_banks_clock(&model, &in1);
}

/* Bus 0 to bank 2, bus 1 to the banks 0 and 1; read in the next cycle, on rdata and at the readers in the one after. */
static void a_value_goes_from_bus_to_reader(void **state) {
    (void)state;
    begin((rf_stage_banks_cfg){3, 8, 2, 1, 2, 4});
    in1.we = 7, in1.wsel[0] = in1.wsel[1] = 1, in1.waddr[0] = 4, in1.waddr[1] = 5, in1.waddr[2] = 6;
    in1.mask[0] = 3, in1.mask[1] = 2;
    in1.data[0].lane[0] = 100, in1.data[0].lane[1] = 101, in1.data[1].lane[0] = 200, in1.data[1].lane[1] = 201;
    cycle();
    in1.we = 0, in1.re = 5, in1.raddr[0] = 4, in1.raddr[2] = 6;
    in1.fill_valid = 0xd, in1.fill_bank[0] = 2, in1.fill_bank[1] = 2, in1.fill_bank[2] = 0, in1.fill_bank[3] = 2;
    cycle(); /* the cycle of the read: nothing yet */
    for (uint32_t r = 0; r < 4; r++) assert_int_equal(answer.fill_data[r].lane[1], 0);
    in1.re = 0;
    for (uint32_t t = 0; t < 3; t++) { /* and it stays */
        cycle();
        assert_int_equal(answer.rdata[0].lane[0], 0); /* masked */
        assert_int_equal(answer.rdata[0].lane[1], 201);
        assert_int_equal(answer.rdata[1].lane[1], 0); /* not read */
        assert_int_equal(answer.rdata[2].lane[0], 100);
        assert_int_equal(answer.fill_data[0].lane[0], 100);
        assert_int_equal(answer.fill_data[0].lane[1], 101);
        assert_int_equal(answer.fill_data[1].lane[0], 0); /* takes nothing */
        assert_int_equal(answer.fill_data[2].lane[1], 201);
        assert_int_equal(answer.fill_data[3].lane[1], 101);
    }
    in1.fill_bank[0] = 3; /* not there */
    cycle();
    assert_int_equal(answer.fill_data[0].lane[0], 0);
    assert_int_equal(answer.fill_data[3].lane[0], 100);
}

/* "A bus that does not exist gives mask 0": nothing is written, and with one port the read of the bank is lost all the same. */
static void a_bus_that_is_not_there_writes_nothing(void **state) {
    (void)state;
    for (uint32_t ports = 1; ports <= 2; ports++)
        for (uint8_t bus = 5; bus < 8; bus++) {
            begin((rf_stage_banks_cfg){2, 4, 2, ports, 5, 2});
            for (uint32_t e = 0; e < 5; e++) in1.mask[e] = 3, in1.data[e].lane[0] = in1.data[e].lane[1] = 7 + e;
            in1.we = 2, in1.waddr[1] = 3, in1.wsel[1] = 4;
            cycle();
            in1.wsel[1] = bus, in1.re = 2, in1.raddr[1] = 3, in1.fill_valid = 1, in1.fill_bank[0] = 1;
            cycle();
            in1.we = in1.re = 0;
            cycle();
            assert_int_equal(answer.fill_data[0].lane[1], ports == 1 ? 0 : 11);
            in1.re = 2;
            cycle();
            cycle();
            assert_int_equal(answer.fill_data[0].lane[0], 11);
        }
}

static void reset_clears_what_was_read_and_leaves_the_memory(void **state) {
    (void)state;
    begin((rf_stage_banks_cfg){4, 4, 2, 1, 1, 1});
    in1.we = 0xf, in1.mask[0] = 3, in1.data[0].lane[1] = 9;
    cycle();
    in1.we = 0, in1.re = 0xf;
    cycle();
    rf_stage_banks_reset(&model);
    assert_int_equal(model.cfg.banks, 4);
    in1.re = 0;
    cycle();
    for (uint32_t b = 0; b < 4; b++) assert_int_equal(answer.rdata[b].lane[1], 0);
    in1.re = 0xf;
    cycle();
    cycle();
    for (uint32_t b = 0; b < 4; b++) assert_int_equal(answer.rdata[b].lane[1], 9);
}

static void a_parameter_out_of_range_is_refused_by_name(void **state) {
    static const rf_stage_banks_cfg good[] = {{8, 96, 4, 1, 3, 24}, {1, 1, 1, 1, 1, 1}, {32, 1024, 32, 2, 8, 64}};
    (void)state;
    JUDGE_RANGES(rf_stage_banks, good);
}

static void the_comparer_sees_flipped_bits(void **state) {
    const rf_stage_banks_cfg cfg = {3, 5, 32, 2, 2, 4};
    judge j;
    ls_rng rng;
    (void)state;
    start(&j, 0, &cfg);
    ls_rng_seed(&rng, 11);
    memset(&in1, 0, sizeof in1);
    for (uint32_t t = 0; t < 200; t++) {
        drive(&cfg, &(densities){200, 200, 200, 128, 64}, &in1, &rng);
        step(&j, &in1);
    }
    rf_stage_banks_comb(&model, &in1, &answer);
    compare_out(&j, &slow, &in1, &answer);
    compare_memory(&j, &slow, &model);
    judge_passes(&j);
    JUDGE_LANE_FLIPS(&j, rf_stage_banks, LS_OUT, &model, &answer, compare_out(&j, &slow, &in1, &answer));
    JUDGE_LANE_FLIPS(&j, rf_stage_banks, LS_STATE, &model, &model, compare_all(&j, &slow, &model));
    for (uint32_t b = 0; b < 3; b++) { /* a row that is not there */
        model.bank[b].mem_q[5].lane[b] ^= 1;
        judge_begin(&j, 0, "tampered");
        compare_memory(&j, &slow, &model);
        judge_caught(&j, "mem_q", b * RF_BANK_ROWS_MAX + 5, b);
        model.bank[b].mem_q[5].lane[b] ^= 1;
    }
    in1.waddr[1] = 2, in1.raddr[1] = 3;
    model.bank[1].mem_q[2].lane[9] ^= 4;
    judge_begin(&j, 0, "tampered");
    compare_named_rows(&j, &slow, &model, &in1);
    judge_caught(&j, "mem_q", 1024 + 2, 9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_accesses_of_every_shape),
        cmocka_unit_test(comb_leaves_the_model_alone),
        cmocka_unit_test(a_value_goes_from_bus_to_reader),
        cmocka_unit_test(a_bus_that_is_not_there_writes_nothing),
        cmocka_unit_test(reset_clears_what_was_read_and_leaves_the_memory),
        cmocka_unit_test(a_parameter_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_flipped_bits),
    };
    return cmocka_run_group_tests_name("judge of rf_stage_banks", tests, NULL, NULL);
}
