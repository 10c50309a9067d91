/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_bank. */
#include "cmodel/banked/rf_bank.h"

#include "harness/core/unit.h"

typedef struct rf_bank_stim {
    ls_rng rng;
    uint32_t write, read;  /* probabilities, in 256ths */
    uint32_t same;         /* probability that the row read is the row written in this cycle or the one before, in 256ths */
    uint32_t full;         /* probability that a write has all lanes, in 256ths */
    uint32_t base, window; /* rows in use: `window` of them from `base` on, cyclically */
} rf_bank_stim;

static void stim_init(rf_bank_stim *s, const rf_bank *m, uint64_t seed) {
    *s = (rf_bank_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->write = 32 + ls_rng_below(&s->rng, 192);
    s->read = 32 + ls_rng_below(&s->rng, 208);
    s->same = 16 + ls_rng_below(&s->rng, 160);
    s->full = 16 + ls_rng_below(&s->rng, 208);
    s->base = ls_rng_below(&s->rng, m->cfg.rows);
    s->window = ls_rng_chance(&s->rng, 96) ? m->cfg.rows : 1 + ls_rng_below(&s->rng, m->cfg.rows < 8 ? m->cfg.rows : 8);
}

/* Mostly a row of the window; one time in eight the first or the last row, one in 32 a row that does not exist. */
static uint16_t draw_row(rf_bank_stim *s, uint32_t rows) {
    const uint32_t outside = (UINT32_C(1) << rf_index_bits(rows)) - rows;
    const uint32_t pick = ls_rng_below(&s->rng, 32);
    if (pick < 4) return (uint16_t)(pick < 2 ? 0 : rows - 1);
    if (pick == 4 && outside > 0) return (uint16_t)(rows + ls_rng_below(&s->rng, outside));
    return (uint16_t)((s->base + ls_rng_below(&s->rng, s->window)) % rows);
}

static void stim(rf_bank_stim *s, const rf_bank *m, rf_bank_in *in) {
    const uint16_t before = in->waddr;
    in->we = ls_rng_chance(&s->rng, s->write);
    in->re = ls_rng_chance(&s->rng, s->read);
    in->waddr = draw_row(s, m->cfg.rows);
    if (ls_rng_chance(&s->rng, s->same)) in->raddr = ls_rng_chance(&s->rng, 128) ? in->waddr : before;
    else in->raddr = draw_row(s, m->cfg.rows);
    /* Mask and value move in half of the cycles without a write too: nothing of them may be stored then. */
    if (in->we || ls_rng_chance(&s->rng, 128)) {
        in->wmask = (uint32_t)(ls_rng_chance(&s->rng, s->full) ? rf_mask64(m->cfg.lanes) : ls_rng_value(&s->rng, m->cfg.lanes));
        ls_rng_lanes(&s->rng, in->wdata.lane, m->cfg.lanes);
    }
}

#define LS_TOUCHED
static uint32_t touched(const rf_bank *m, const rf_bank_in *in, const rf_bank_out *out, ls_touch *list) {
    (void)out;
    list[0] = (ls_touch){.memory = 0, .row = in->waddr};
    return in->we && in->waddr < m->cfg.rows;
}

static const char *const bin_names[] = {"neither read nor write",
                                        "read without a write",
                                        "write without a read",
                                        "read and write of different rows",
                                        "read and write of one row",
                                        "read beside a write of no lane",
                                        "read beside a write outside the rows",
                                        "write of all lanes",
                                        "write of some lanes",
                                        "write of no lane",
                                        "write of the first row",
                                        "write of the last row",
                                        "write outside the rows",
                                        "read of the first row",
                                        "read of the last row",
                                        "read outside the rows",
                                        "data kept without a read",
                                        NULL};

static uint64_t bins(const rf_bank *m, const rf_bank_in *in, const rf_bank_out *out) {
    const uint32_t rows = m->cfg.rows, all = (uint32_t)rf_mask64(m->cfg.lanes);
    const bool accepted = in->re && (m->cfg.ports == 2 || !in->we);
    const bool both = in->re && in->we, inside = in->we && in->waddr < rows;
    return (uint64_t)(!in->re && !in->we) << 0 | (uint64_t)(in->re && !in->we) << 1 | (uint64_t)(in->we && !in->re) << 2 |
           (uint64_t)(both && in->raddr != in->waddr) << 3 | (uint64_t)(both && in->raddr == in->waddr) << 4 |
           (uint64_t)(both && in->wmask == 0) << 5 | (uint64_t)(both && in->waddr >= rows) << 6 |
           (uint64_t)(inside && in->wmask == all) << 7 | (uint64_t)(inside && in->wmask != all && in->wmask != 0) << 8 |
           (uint64_t)(inside && in->wmask == 0) << 9 | (uint64_t)(in->we && in->waddr == 0) << 10 |
           (uint64_t)(in->we && in->waddr == rows - 1) << 11 | (uint64_t)(in->we && in->waddr >= rows) << 12 |
           (uint64_t)(accepted && in->raddr == 0) << 13 | (uint64_t)(accepted && in->raddr == rows - 1) << 14 |
           (uint64_t)(accepted && in->raddr >= rows) << 15 | (uint64_t)(!accepted && out->rdata.lane[0] != 0) << 16;
}

#define SMALL "ROWS=5 LANES=4"

static void unreachable(const rf_bank_cfg *cfg, ls_unreachable *to) {
    const bool exact = cfg->rows == UINT32_C(1) << rf_index_bits(cfg->rows);
    ls_unreachable_if(to, exact, 6, "every number is that of a row");
    ls_unreachable_if(to, exact, 12, "every number is that of a row");
    ls_unreachable_if(to, exact, 15, "every number is that of a row");
    ls_unreachable_if(to, cfg->lanes == 1, 8, "some is all or none in one lane");
}

static const ls_fault faults[] = {
    {"lane 0 always written", NULL, "mask[l] ? value", "(mask[l] || l == 0) ? value", "mem_q", SMALL},
    {"lane enables reversed", NULL, "mask[l] ? value", "mask[LANES-1-l] ? value", "mem_q", SMALL},
    {"value of the next lane", NULL, "value[l*32 +: 32]", "value[((l + 1) % LANES)*32 +: 32]", "mem_q", SMALL},
    {"lanes not written become 0", NULL, "merge(mem_q[waddr_i],", "merge('0,", "mem_q", SMALL},
    {"last row not written", NULL, "write   = we_i", "write   = we_i && waddr_i != ROW_W'(ROWS - 1)", "mem_q", SMALL},
    {"write to the row read", NULL, "mem_q[waddr_i] <=", "mem_q[raddr_i] <=", "mem_q", "ROWS=8 LANES=4 PORTS=2"},
    {"write goes astray in a large memory", NULL, "mem_q[waddr_i] <=", "mem_q[waddr_i ^ ROW_W'(ROWS / 2)] <=", "mem_q",
     "ROWS=1024 LANES=4"},
    {"shared port reads beside a write", NULL, "(PORTS == 2 || !we_i)", "1'b1", "rdata_q", SMALL},
    {"write blocks the second port", NULL, "(PORTS == 2 || !we_i)", "!we_i", "rdata_q", SMALL " PORTS=2"},
    {"shared port reads beside a write of no lane", NULL, "(PORTS == 2 || !we_i)", "(!we_i || wmask_i == '0)", "rdata_q", SMALL},
    {"shared port reads beside a write outside the rows", NULL, "(PORTS == 2 || !we_i)", "!write", "rdata_q", SMALL},
    {"read returns the row being written", NULL, "mem_q[raddr_i] : '0",
     "(write && waddr_i == raddr_i ? merge(mem_q[waddr_i], wdata_i, wmask_i) : mem_q[raddr_i]) : '0", "rdata_q",
     SMALL " PORTS=2"},
    {"read outside the rows keeps the data", NULL, "mem_q[raddr_i] : '0", "mem_q[raddr_i] : rdata_q", "rdata_q", SMALL},
    {"data lost without a read", NULL, "else if (read) rdata_q <= ", "else rdata_q <= !read ? '0 : ", "rdata_q", SMALL},
    {"data not reset", NULL, "if (!rst_ni)   rdata_q <= '0;", "if (!rst_ni)   rdata_q <= rdata_q;", "rdata_q", SMALL},
    {"top bit of the data stuck at 0", NULL, "rdata_o = rdata_q;", "rdata_o = {1'b0, rdata_q[DATA_W-2:0]};", "rdata", SMALL},
    {"memory written during reset", NULL, "if (write && rst_ni)", "if (write)", "mem_q", SMALL},
    {0},
};

static const char *const sets[] = {"",
                                   "PORTS=2",
                                   "ROWS=1 LANES=1",
                                   "ROWS=1 LANES=4 PORTS=2",
                                   "ROWS=3 LANES=3 PORTS=2",
                                   "ROWS=33 LANES=5",
                                   "ROWS=256 LANES=1 PORTS=2",
                                   "ROWS=768 LANES=4",
                                   "ROWS=1024 LANES=32 PORTS=2",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_bank
#define LS_GROUP "banked"
#define LS_BRIEF "SRAM bank of the register file"
#define LS_FIELDS "tb/banked/rf_bank.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
