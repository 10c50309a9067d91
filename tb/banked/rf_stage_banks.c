/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_stage_banks. */
#include "cmodel/banked/rf_stage_banks.h"

#include "harness/core/unit.h"

typedef struct rf_stage_banks_stim {
    ls_rng rng;
    /* Probabilities, in 256ths. */
    uint32_t read, write;  /* a bank reads, a bank writes */
    uint32_t same;         /* a bank reads the row that it writes in this cycle or wrote last */
    uint32_t full;         /* a bus writes all lanes */
    uint32_t refresh;      /* a bus has a new result */
    uint32_t fill;         /* a reader takes a row */
    uint32_t follow;       /* ... from a bank that has read in the cycle before */
    uint32_t special;      /* the cycle is one of the special ones */
    uint32_t base, window; /* rows in use: `window` of them from `base` on, cyclically */
    uint32_t fresh;        /* banks that have read in the cycle before */
} rf_stage_banks_stim;

static void stim_init(rf_stage_banks_stim *s, const rf_stage_banks *m, uint64_t seed) {
    static const uint32_t densities[] = {8, 32, 96, 160, 240};
    const uint32_t rows = m->cfg.rows;
    *s = (rf_stage_banks_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->read = densities[ls_rng_below(&s->rng, 5)];
    s->write = densities[ls_rng_below(&s->rng, 5)];
    s->same = 16 + ls_rng_below(&s->rng, 160);
    s->full = 16 + ls_rng_below(&s->rng, 208);
    s->refresh = 64 + ls_rng_below(&s->rng, 128);
    s->fill = densities[ls_rng_below(&s->rng, 5)];
    s->follow = 64 + ls_rng_below(&s->rng, 192);
    s->special = 24 + ls_rng_below(&s->rng, 56);
    s->base = ls_rng_below(&s->rng, rows);
    s->window = ls_rng_chance(&s->rng, 96) ? rows : 1 + ls_rng_below(&s->rng, rows < 8 ? rows : 8);
}

/* Mostly a row of the window; one time in eight the first or the last row, one in 32 a row that does not exist. */
static uint16_t draw_row(rf_stage_banks_stim *s, uint32_t rows) {
    const uint32_t outside = (UINT32_C(1) << rf_index_bits(rows)) - rows;
    const uint32_t pick = ls_rng_below(&s->rng, 32);
    if (pick < 4) return (uint16_t)(pick < 2 ? 0 : rows - 1);
    if (pick == 4 && outside > 0) return (uint16_t)(rows + ls_rng_below(&s->rng, outside));
    return (uint16_t)((s->base + ls_rng_below(&s->rng, s->window)) % rows);
}

/* Mostly one of the `n` that exist; one in 16 any value of the wires. */
static uint8_t draw_index(rf_stage_banks_stim *s, uint32_t n) {
    if (ls_rng_chance(&s->rng, 16)) return (uint8_t)ls_rng_below(&s->rng, UINT32_C(1) << rf_index_bits(n));
    return (uint8_t)ls_rng_below(&s->rng, n);
}

/* Which banks read and write, and whether all writes are from one bus. */
static bool accesses(rf_stage_banks_stim *s, const rf_stage_banks_cfg *cfg, rf_stage_banks_in *in) {
    const uint32_t all = (uint32_t)rf_mask64(cfg->banks);
    in->re = (uint32_t)ls_rng_bits(&s->rng, cfg->banks, s->read);
    in->we = (uint32_t)ls_rng_bits(&s->rng, cfg->banks, s->write);
    if (!ls_rng_chance(&s->rng, s->special)) return false;
    switch (ls_rng_below(&s->rng, 6)) {
    case 0:
        in->re = in->we = 0;
        break;
    case 1:
        in->re = all, in->we = 0;
        break;
    case 2:
        in->we = all;
        break;
    case 3:
        in->re = in->we = all;
        break;
    case 4:
        in->re = (uint32_t)ls_rng_value(&s->rng, cfg->banks);
        break;
    default:
        in->re &= ~in->we;
        break; /* what an arbiter grants on a shared port */
    }
    return ls_rng_chance(&s->rng, 128);
}

static void fills(rf_stage_banks_stim *s, const rf_stage_banks_cfg *cfg, rf_stage_banks_in *in) {
    const uint32_t kind = ls_rng_chance(&s->rng, s->special) ? ls_rng_below(&s->rng, 4) : 4;
    in->fill_valid = kind == 0 ? 0 : ls_rng_bits(&s->rng, cfg->readers, s->fill);
    if (kind == 1) in->fill_valid = ls_rng_value(&s->rng, cfg->readers);
    if (kind == 2) in->fill_valid = rf_mask64(cfg->readers);
    if (kind == 3) in->fill_valid = UINT64_C(1) << (ls_rng_chance(&s->rng, 128) ? 0 : cfg->readers - 1);
    /* The lowest or the highest bank that has just read. */
    const uint32_t low = s->fresh != 0 ? rf_lowest(s->fresh) : 0;
    const uint32_t high = s->fresh != 0 ? 31 - (uint32_t)__builtin_clz(s->fresh) : cfg->banks - 1;
    for (uint64_t left = in->fill_valid; left != 0; left &= left - 1) {
        const uint32_t r = rf_lowest(left);
        if (!ls_rng_chance(&s->rng, s->follow)) in->fill_bank[r] = draw_index(s, cfg->banks);
        else in->fill_bank[r] = (uint8_t)(ls_rng_chance(&s->rng, 128) ? low : high);
    }
}

static void stim(rf_stage_banks_stim *s, const rf_stage_banks *m, rf_stage_banks_in *in) {
    const rf_stage_banks_cfg *cfg = &m->cfg;
    const bool one_bus = accesses(s, cfg, in);
    const uint8_t bus = draw_index(s, cfg->buses);
    for (uint32_t left = in->we; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left);
        in->waddr[b] = draw_row(s, cfg->rows);
        in->wsel[b] = one_bus ? bus : draw_index(s, cfg->buses);
    }
    for (uint32_t left = in->re; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left);
        in->raddr[b] = ls_rng_chance(&s->rng, s->same) ? in->waddr[b] : draw_row(s, cfg->rows);
    }
    for (uint32_t k = 0; k < cfg->buses; k++) {
        if (!ls_rng_chance(&s->rng, s->refresh)) continue;
        const uint64_t lanes = ls_rng_chance(&s->rng, s->full) ? rf_mask64(cfg->lanes) : ls_rng_value(&s->rng, cfg->lanes);
        in->mask[k] = (uint32_t)lanes;
        ls_rng_lanes(&s->rng, in->data[k].lane, cfg->lanes);
    }
    fills(s, cfg, in);
    s->fresh = cfg->ports == 2 ? in->re : in->re & ~in->we;
}

#define LS_TOUCHED
static uint32_t touched(const rf_stage_banks *m, const rf_stage_banks_in *in, const rf_stage_banks_out *out, ls_touch *list) {
    uint32_t n = 0;
    (void)out;
    for (uint32_t left = in->we; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left);
        if (in->wsel[b] < m->cfg.buses && in->waddr[b] < m->cfg.rows) list[n++] = (ls_touch){.memory = b, .row = in->waddr[b]};
    }
    return n;
}

enum {
    IDLE,
    ALL_READ,
    ALL_WRITE,
    ONE_READS_ONE_WRITES,
    FIRST_READ,
    LAST_READ,
    OTHER_ROW,
    SAME_ROW,
    BESIDE_NO_LANE,
    BESIDE_NO_BUS,
    BESIDE_NO_ROW,
    ALL_LANES,
    SOME_LANES,
    NO_LANE,
    NO_BUS,
    NO_ROW_WRITTEN,
    NO_ROW_READ,
    TOP_ROW_WRITTEN,
    TOP_ROW_READ,
    LAST_BUS,
    SHARED_BUS,
    SEVERAL_BUSES,
    KEPT,
    NO_FILL,
    ALL_FILL,
    FIRST_ALONE,
    LAST_ALONE,
    FILL_FIRST_BANK,
    FILL_LAST_BANK,
    SHARED_BANK,
    SEVERAL_BANKS,
    NO_BANK,
    FILL_AND_READ
};

static const char *const bin_names[] = {"no bank reads or writes",
                                        "every bank reads",
                                        "every bank writes",
                                        "a bank reads, another writes",
                                        "the first bank reads",
                                        "the last bank reads",
                                        "read and write of different rows of a bank",
                                        "read and write of one row of a bank",
                                        "read beside a write of no lane",
                                        "read beside a write from a bus that does not exist",
                                        "read beside a write outside the rows",
                                        "write of all lanes",
                                        "write of some lanes",
                                        "write of no lane",
                                        "write from a bus that does not exist",
                                        "write outside the rows",
                                        "read outside the rows",
                                        "last row written",
                                        "last row read",
                                        "write from the last bus",
                                        "two banks write from one bus",
                                        "two buses write",
                                        "row kept without a read",
                                        "no reader takes a row",
                                        "every reader takes a row",
                                        "the first reader takes a row alone",
                                        "the last reader takes a row alone",
                                        "row of the first bank taken",
                                        "row of the last bank taken",
                                        "two readers take from one bank",
                                        "readers take from different banks",
                                        "reader of a bank that does not exist",
                                        "row taken while its bank reads the next",
                                        NULL};

static uint64_t bin(bool hit, uint32_t number) { return (uint64_t)hit << number; }

/* Every number that the wires of an index can carry exists. */
static bool exact(uint32_t n) { return n == UINT32_C(1) << rf_index_bits(n); }

static uint64_t of_writes(const rf_stage_banks_cfg *cfg, const rf_stage_banks_in *in) {
    const uint32_t lanes = (uint32_t)rf_mask64(cfg->lanes);
    uint32_t buses = 0;
    uint64_t hit = 0;
    for (uint32_t left = in->we; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left), bus = in->wsel[b];
        const bool from = bus < cfg->buses, to = in->waddr[b] < cfg->rows, reads = (in->re >> b & 1) != 0;
        const uint32_t mask = from ? in->mask[bus] : 0;
        hit |= bin(reads && in->raddr[b] != in->waddr[b], OTHER_ROW) | bin(reads && in->raddr[b] == in->waddr[b], SAME_ROW);
        hit |= bin(reads && from && mask == 0, BESIDE_NO_LANE) | bin(reads && !from, BESIDE_NO_BUS);
        hit |= bin(reads && !to, BESIDE_NO_ROW) | bin(to && mask == lanes, ALL_LANES);
        hit |= bin(to && mask != lanes && mask != 0, SOME_LANES) | bin(to && from && mask == 0, NO_LANE);
        hit |= bin(!from, NO_BUS) | bin(!to && mask != 0, NO_ROW_WRITTEN) | bin(in->waddr[b] == cfg->rows - 1, TOP_ROW_WRITTEN);
        hit |= bin(bus == cfg->buses - 1, LAST_BUS) | bin(from && (buses >> bus & 1) != 0, SHARED_BUS);
        buses |= from ? UINT32_C(1) << bus : 0;
    }
    return hit | bin((buses & (buses - 1)) != 0, SEVERAL_BUSES);
}

static uint64_t of_fills(const rf_stage_banks *m, const rf_stage_banks_in *in, uint32_t reads) {
    const rf_stage_banks_cfg *cfg = &m->cfg;
    uint32_t banks = 0;
    uint64_t hit = bin(in->fill_valid == 0, NO_FILL) | bin(in->fill_valid == rf_mask64(cfg->readers), ALL_FILL) |
                   bin(in->fill_valid == 1, FIRST_ALONE) | bin(in->fill_valid == UINT64_C(1) << (cfg->readers - 1), LAST_ALONE);
    for (uint64_t left = in->fill_valid; left != 0; left &= left - 1) {
        const uint32_t b = in->fill_bank[rf_lowest(left)];
        hit |= bin(b >= cfg->banks, NO_BANK);
        if (b >= cfg->banks) continue;
        const bool holds = m->bank[b].rdata_q.lane[0] != 0;
        hit |= bin(b == 0 && holds, FILL_FIRST_BANK) | bin(b == cfg->banks - 1 && holds, FILL_LAST_BANK);
        hit |= bin((banks >> b & 1) != 0 && holds, SHARED_BANK) | bin((reads >> b & 1) != 0 && holds, FILL_AND_READ);
        banks |= UINT32_C(1) << b;
    }
    return hit | bin((banks & (banks - 1)) != 0, SEVERAL_BANKS);
}

static uint64_t bins(const rf_stage_banks *m, const rf_stage_banks_in *in, const rf_stage_banks_out *out) {
    const rf_stage_banks_cfg *cfg = &m->cfg;
    const uint32_t all = (uint32_t)rf_mask64(cfg->banks);
    const uint32_t reads = cfg->ports == 2 ? in->re : in->re & ~in->we; /* accepted */
    uint64_t hit = of_writes(cfg, in) | of_fills(m, in, reads);
    hit |= bin((in->re | in->we) == 0, IDLE) | bin(reads == all, ALL_READ) | bin(in->we == all, ALL_WRITE);
    hit |= bin((reads & ~in->we) != 0 && (in->we & ~reads) != 0, ONE_READS_ONE_WRITES);
    hit |= bin((reads & 1) != 0, FIRST_READ) | bin((reads >> (cfg->banks - 1) & 1) != 0, LAST_READ);
    for (uint32_t b = 0; b < cfg->banks; b++) {
        const bool read = (reads >> b & 1) != 0;
        hit |= bin(read && in->raddr[b] >= cfg->rows, NO_ROW_READ) | bin(read && in->raddr[b] == cfg->rows - 1, TOP_ROW_READ);
        hit |= bin(!read && out->rdata[b].lane[0] != 0, KEPT);
    }
    return hit;
}

#define ONE "BANKS=1 ROWS=5 LANES=2 BUSES=3 READERS=2"
#define TWO "BANKS=2 ROWS=4 LANES=2 BUSES=2 READERS=3"
#define THREE "BANKS=3 ROWS=4 LANES=1 BUSES=2 READERS=5"
#define CROSSBAR "rtl/banked/rf_crossbar.sv"
#define BANK "rtl/banked/rf_bank.sv"

static void unreachable(const rf_stage_banks_cfg *cfg, ls_unreachable *to) {
    ls_unreachable_if(to, exact(cfg->buses), NO_BUS, "every number is that of a bus");
    ls_unreachable_if(to, exact(cfg->buses), BESIDE_NO_BUS, "every number is that of a bus");
    ls_unreachable_if(to, exact(cfg->banks), NO_BANK, "every number is that of a bank");
    ls_unreachable_if(to, exact(cfg->rows), NO_ROW_READ, "every number is that of a row");
    ls_unreachable_if(to, exact(cfg->rows), NO_ROW_WRITTEN, "every number is that of a row");
    ls_unreachable_if(to, exact(cfg->rows), BESIDE_NO_ROW, "every number is that of a row");
    ls_unreachable_if(to, cfg->lanes == 1, SOME_LANES, "some is all or none in one lane");
    ls_unreachable_if(to, cfg->readers == 1, SHARED_BANK, "one reader");
    ls_unreachable_if(to, cfg->readers == 1, SEVERAL_BANKS, "one reader");
    ls_unreachable_if(to, cfg->banks == 1, ONE_READS_ONE_WRITES, "one bank");
    ls_unreachable_if(to, cfg->banks == 1, SHARED_BUS, "one bank");
    ls_unreachable_if(to, cfg->banks == 1, SEVERAL_BUSES, "one bank");
    ls_unreachable_if(to, cfg->banks == 1, SEVERAL_BANKS, "one bank");
    ls_unreachable_if(to, cfg->buses == 1, SEVERAL_BUSES, "one bus");
}

static const ls_fault faults[] = {
    {"mask of the first bus for all", NULL, ".sel_i(wsel_i), .data_i(mask_i)", ".sel_i('0), .data_i(mask_i)",
     "gen_bank[0].u_bank.mem_q", ONE},
    {"value of the first bus for all", NULL, ".sel_i(wsel_i), .data_i(data_i)", ".sel_i('0), .data_i(data_i)",
     "gen_bank[0].u_bank.mem_q", ONE},
    {"bus that does not exist writes lanes", NULL, ".sel_i(wsel_i), .data_i(mask_i)",
     ".sel_i(&wsel_i ? '0 : wsel_i), .data_i(mask_i)", "gen_bank[0].u_bank.mem_q", ONE},
    {"value of the first bank for all", NULL, ".wdata_i(wdata[b*DATA_W +: DATA_W])", ".wdata_i(wdata[0 +: DATA_W])",
     "gen_bank[1].u_bank.mem_q", TWO},
    {"lanes of the first bank for all", NULL, ".wmask_i(wmask[b*LANES +: LANES])", ".wmask_i(wmask[0 +: LANES])",
     "gen_bank[1].u_bank.mem_q", TWO},
    {"row written of the first bank for all", NULL, ".waddr_i(waddr_i[b*ROW_W +: ROW_W])", ".waddr_i(waddr_i[0 +: ROW_W])",
     "gen_bank[1].u_bank.mem_q", TWO},
    {"last bank never writes", NULL, ".we_i(we_i[b])", ".we_i(we_i[b] && b != BANKS - 1)", "gen_bank[1].u_bank.mem_q",
     TWO " PORTS=2"},
    {"write of no lane leaves the shared port to the read", NULL, ".we_i(we_i[b])",
     ".we_i(we_i[b] && wmask[b*LANES +: LANES] != '0)", "gen_bank[0].u_bank.rdata_q", ONE},
    {"row read of the first bank for all", NULL, ".raddr_i(raddr_i[b*ROW_W +: ROW_W])", ".raddr_i(raddr_i[0 +: ROW_W])",
     "gen_bank[1].u_bank.rdata_q", TWO},
    {"banks read unasked", NULL, ".re_i(re_i[b])", ".re_i(1'b1)", "gen_bank[0].u_bank.rdata_q", ONE},
    {"two ports behave as one", NULL, ".PORTS(PORTS)", ".PORTS(1)", "gen_bank[0].u_bank.rdata_q", ONE " PORTS=2"},
    {"one port behaves as two", NULL, ".PORTS(PORTS)", ".PORTS(2)", "gen_bank[0].u_bank.rdata_q", ONE},
    {"read returns the row being written", BANK, "mem_q[raddr_i] : '0",
     "(write && waddr_i == raddr_i ? merge(mem_q[waddr_i], wdata_i, wmask_i) : mem_q[raddr_i]) : '0",
     "gen_bank[0].u_bank.rdata_q", ONE " PORTS=2"},
    {"lane enables reversed", BANK, "mask[l] ? value", "mask[LANES-1-l] ? value", "gen_bank[0].u_bank.mem_q", ONE},
    {"readers get rows that they do not take", NULL, ".valid_i(fill_valid_i)", ".valid_i('1)", "fill_data", THREE},
    {"only the first reader decides who takes", NULL, ".valid_i(fill_valid_i)", ".valid_i({READERS{fill_valid_i[0]}})",
     "fill_data", THREE},
    {"bank of the first reader for all", NULL, ".sel_i(fill_bank_i)", ".sel_i({READERS{fill_bank_i[0 +: BANK_W]}})", "fill_data",
     THREE},
    {"bank that does not exist read as the first", CROSSBAR, "data_i[sel*WIDTH +: WIDTH] : '0",
     "data_i[sel*WIDTH +: WIDTH] : data_i[WIDTH-1:0]", "fill_data", THREE},
    {"last bank cannot be taken from", CROSSBAR, "(SEL_W + 1)'(SRC))", "(SEL_W + 1)'(SRC - 32'(SRC == 3)))", "fill_data", THREE},
    {"banks in reverse order at the outputs", NULL, ".rdata_o(rdata_o[b*DATA_W +: DATA_W])",
     ".rdata_o(rdata_o[(BANKS-1-b)*DATA_W +: DATA_W])", "rdata", TWO},
    {0},
};

#undef BANK
#undef CROSSBAR
#undef THREE
#undef TWO
#undef ONE

static const char *const sets[] = {"",
                                   "BANKS=1 ROWS=1 LANES=1 BUSES=1 READERS=1",
                                   "BANKS=8 ROWS=128 LANES=4 PORTS=2 BUSES=4",
                                   "BANKS=3 ROWS=5 LANES=3 BUSES=5 READERS=7",
                                   "BANKS=32 ROWS=33 LANES=1 PORTS=2 BUSES=8 READERS=64",
                                   "BANKS=2 ROWS=1024 LANES=2 BUSES=1 READERS=56",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", "rtl/banked/rf_bank.sv", "rtl/banked/rf_crossbar.sv", NULL};

#define LS_UNIT rf_stage_banks
#define LS_GROUP "banked"
#define LS_BRIEF "banks between the result buses and their readers"
#define LS_FIELDS "tb/banked/rf_stage_banks.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
