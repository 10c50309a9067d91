/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_arbiter. */
#include "cmodel/banked/rf_arbiter.h"

#include "harness/core/unit.h"

typedef struct rf_arbiter_stim {
    ls_rng rng;
    /* Probabilities, in 256ths. */
    uint32_t read;    /* an idle reader starts to ask */
    uint32_t write;   /* an idle writer starts to ask */
    uint32_t give_up; /* a loser goes instead of asking again */
    uint32_t crowd;   /* a request is for the crowded bank */
    uint32_t special; /* the cycle is one of the special ones */
    uint32_t bank;    /* the crowded bank */
    uint64_t rd_grant;
    uint8_t wr_grant;
} rf_arbiter_stim;

static void stim_init(rf_arbiter_stim *s, const rf_arbiter *m, uint64_t seed) {
    static const uint32_t densities[] = {4, 16, 64, 160, 256};
    ls_rng_seed(&s->rng, seed);
    s->read = densities[ls_rng_below(&s->rng, 5)];
    s->write = densities[ls_rng_below(&s->rng, 5)];
    s->give_up = ls_rng_chance(&s->rng, 128) ? 0 : ls_rng_below(&s->rng, 192);
    s->crowd = ls_rng_chance(&s->rng, 128) ? 0 : ls_rng_below(&s->rng, 224);
    s->special = 8 + ls_rng_below(&s->rng, 56);
    s->bank = ls_rng_below(&s->rng, m->cfg.banks);
    s->rd_grant = 0;
    s->wr_grant = 0;
}

/* Mostly a bank that exists; one in 32 any value of the port. */
static uint8_t draw_bank(rf_arbiter_stim *s, const rf_arbiter_cfg *cfg) {
    if (ls_rng_chance(&s->rng, s->crowd)) return (uint8_t)s->bank;
    if (ls_rng_chance(&s->rng, 8)) return (uint8_t)ls_rng_below(&s->rng, UINT32_C(1) << rf_index_bits(cfg->banks));
    return (uint8_t)ls_rng_below(&s->rng, cfg->banks);
}

/* Any row; one in eight a boundary value or any value of the port. */
static uint16_t draw_row(rf_arbiter_stim *s, const rf_arbiter_cfg *cfg) {
    if (ls_rng_chance(&s->rng, 16)) return (uint16_t)(ls_rng_chance(&s->rng, 128) ? cfg->rows - 1 : 0);
    if (ls_rng_chance(&s->rng, 16)) return (uint16_t)ls_rng_value(&s->rng, rf_index_bits(cfg->rows));
    return (uint16_t)ls_rng_below(&s->rng, cfg->rows);
}

/* `readers` and `writers` begin to ask, besides those that do already. */
static void begin(rf_arbiter_stim *s, const rf_arbiter_cfg *cfg, rf_arbiter_in *in, uint64_t readers, uint64_t writers) {
    for (uint64_t set = readers; set != 0; set &= set - 1) {
        in->rd_bank[rf_lowest(set)] = draw_bank(s, cfg);
        in->rd_row[rf_lowest(set)] = draw_row(s, cfg);
    }
    for (uint64_t set = writers; set != 0; set &= set - 1) {
        in->wr_bank[rf_lowest(set)] = draw_bank(s, cfg);
        in->wr_row[rf_lowest(set)] = draw_row(s, cfg);
    }
    in->rd_valid |= readers;
    in->wr_valid = (uint8_t)(in->wr_valid | writers);
}

/* Cycles that the mix of knobs may never reach by itself. */
static void special(rf_arbiter_stim *s, const rf_arbiter_cfg *cfg, rf_arbiter_in *in) {
    const uint32_t readers = cfg->collectors * cfg->slots;
    const uint32_t kind = ls_rng_below(&s->rng, 4);
    const uint32_t first = ls_rng_below(&s->rng, cfg->banks);
    in->rd_valid = 0;
    in->wr_valid = 0;
    if (kind == 0) return; /* nobody asks */
    const uint64_t asking = kind == 1 ? ls_rng_bits(&s->rng, readers, 128) : rf_mask64(readers);
    begin(s, cfg, in, asking, ls_rng_bits(&s->rng, cfg->writers, 128));
    if (kind == 1) return; /* a random half asks */
    /* Everybody reads from one bank, or from as many as there are. */
    for (uint32_t r = 0; r < readers; r++) in->rd_bank[r] = (uint8_t)(kind == 2 ? first : (first + r) % cfg->banks);
    if (ls_rng_chance(&s->rng, 128)) in->wr_valid = 0;
}

static void stim(rf_arbiter_stim *s, const rf_arbiter *m, rf_arbiter_in *in) {
    const rf_arbiter_cfg *cfg = &m->cfg;
    const uint32_t readers = cfg->collectors * cfg->slots;
    if (ls_rng_chance(&s->rng, 4)) s->bank = ls_rng_below(&s->rng, cfg->banks);
    in->rd_valid &= ~(s->rd_grant | ls_rng_bits(&s->rng, readers, s->give_up));
    in->wr_valid = (uint8_t)(in->wr_valid & ~(s->wr_grant | ls_rng_bits(&s->rng, cfg->writers, s->give_up)));
    if (ls_rng_chance(&s->rng, s->special)) {
        special(s, cfg, in);
    } else {
        const uint64_t rd = ls_rng_bits(&s->rng, readers, s->read) & ~in->rd_valid;
        const uint64_t wr = ls_rng_bits(&s->rng, cfg->writers, s->write) & ~(uint64_t)in->wr_valid;
        begin(s, cfg, in, rd, wr);
    }
}

static void observe(rf_arbiter_stim *s, const rf_arbiter_in *in, const rf_arbiter_out *out) {
    (void)in;
    s->rd_grant = out->rd_grant;
    s->wr_grant = out->wr_grant;
}

enum {
    IDLE,
    READ,
    WRITE,
    READ_BLOCKED,
    READ_AND_WRITE,
    READ_CONFLICT,
    ONE_COLLECTOR_CONFLICT,
    WRITE_CONFLICT,
    SEVERAL_SLOTS,
    HIGHER_SLOT,
    ALL_BANKS_READ,
    ALL_WANT_ONE_BANK,
    READ_ABOVE,
    READ_WRAPPED,
    WRITE_ABOVE,
    WRITE_WRAPPED,
    NO_SUCH_BANK_READ,
    NO_SUCH_BANK_WRITE,
    LAST_ROW_READ,
    LAST_ROW_WRITTEN
};

static const char *const bin_names[] = {"nobody asks",
                                        "a read is served",
                                        "a write is served",
                                        "a write blocks a read",
                                        "a bank reads and writes",
                                        "two collectors want one bank",
                                        "two slots of a collector want one bank",
                                        "two writers want one bank",
                                        "two slots of a collector are served",
                                        "a slot other than the first is served",
                                        "as many banks read as can",
                                        "every reader asks for the same bank",
                                        "read granted above the pointer",
                                        "read granted below the pointer",
                                        "write granted above the pointer",
                                        "write granted below the pointer",
                                        "read of a bank that does not exist",
                                        "write of a bank that does not exist",
                                        "last row read",
                                        "last row written",
                                        NULL};

static uint64_t bin(bool hit, uint32_t number) { return (uint64_t)hit << number; }

static uint64_t bins(const rf_arbiter *m, const rf_arbiter_in *in, const rf_arbiter_out *out) {
    const rf_arbiter_cfg *cfg = &m->cfg;
    const uint32_t readers = cfg->collectors * cfg->slots;
    uint32_t rd_want = 0, wr_want = 0;   /* banks asked for */
    uint64_t hit = 0, collectors = 0;    /* collectors served */
    uint32_t collector_of[RF_BANKS_MAX]; /* of the last reader seen that asks for the bank */

    for (uint64_t set = in->rd_valid; set != 0; set &= set - 1) {
        const uint32_t r = rf_lowest(set), b = in->rd_bank[r], c = r / cfg->slots;
        hit |= bin(b >= cfg->banks, NO_SUCH_BANK_READ);
        if (b >= cfg->banks) continue;
        if ((rd_want >> b & 1) != 0) hit |= bin(true, collector_of[b] == c ? ONE_COLLECTOR_CONFLICT : READ_CONFLICT);
        rd_want |= UINT32_C(1) << b;
        collector_of[b] = c;
        if ((out->rd_grant >> r & 1) == 0) continue;
        hit |= bin(collectors >> c & 1, SEVERAL_SLOTS) | bin(r % cfg->slots != 0, HIGHER_SLOT) |
               bin(in->rd_row[r] == cfg->rows - 1, LAST_ROW_READ);
        hit |= bin(true, (m->rd_rr[b].mask_q >> c & 1) != 0 ? READ_ABOVE : READ_WRAPPED);
        collectors |= UINT64_C(1) << c;
    }
    for (uint32_t set = in->wr_valid; set != 0; set &= set - 1) {
        const uint32_t w = rf_lowest(set), b = in->wr_bank[w];
        hit |= bin(b >= cfg->banks, NO_SUCH_BANK_WRITE);
        if (b >= cfg->banks) continue;
        hit |= bin(wr_want >> b & 1, WRITE_CONFLICT);
        wr_want |= UINT32_C(1) << b;
        if ((out->wr_grant >> w & 1) == 0) continue;
        hit |= bin(in->wr_row[w] == cfg->rows - 1, LAST_ROW_WRITTEN);
        hit |= bin(true, (m->wr_rr[b].mask_q >> w & 1) != 0 ? WRITE_ABOVE : WRITE_WRAPPED);
    }
    hit |= bin(in->rd_valid == 0 && in->wr_valid == 0, IDLE) | bin(out->rd_grant != 0, READ) | bin(out->wr_grant != 0, WRITE);
    hit |= bin((uint32_t)__builtin_popcount(out->bank_re) == (readers < cfg->banks ? readers : cfg->banks), ALL_BANKS_READ);
    hit |= bin(in->rd_valid == rf_mask64(readers) && (rd_want & (rd_want - 1)) == 0, ALL_WANT_ONE_BANK);
    hit |= bin((rd_want & wr_want & ~out->bank_re) != 0, READ_BLOCKED) | bin((out->bank_re & out->bank_we) != 0, READ_AND_WRITE);
    return hit;
}

static void unreachable(const rf_arbiter_cfg *cfg, ls_unreachable *to) {
    const bool all_exist = (cfg->banks & (cfg->banks - 1)) == 0 && cfg->banks > 1; /* the only bank has a second number */
    ls_unreachable_if(to, cfg->ports == 2, READ_BLOCKED, "banks have a port for each");
    ls_unreachable_if(to, cfg->ports == 1, READ_AND_WRITE, "banks have one port");
    ls_unreachable_if(to, cfg->collectors == 1, READ_CONFLICT, "one collector");
    ls_unreachable_if(to, cfg->collectors == 1, READ_ABOVE, "one collector");
    ls_unreachable_if(to, cfg->slots == 1, ONE_COLLECTOR_CONFLICT, "collectors have one slot");
    ls_unreachable_if(to, cfg->slots == 1, HIGHER_SLOT, "collectors have one slot");
    ls_unreachable_if(to, cfg->slots == 1, SEVERAL_SLOTS, "collectors have one slot");
    ls_unreachable_if(to, cfg->banks == 1, SEVERAL_SLOTS, "one bank serves one read");
    ls_unreachable_if(to, cfg->writers == 1, WRITE_CONFLICT, "one writer");
    ls_unreachable_if(to, cfg->writers == 1, WRITE_ABOVE, "one writer");
    ls_unreachable_if(to, all_exist, NO_SUCH_BANK_READ, "every number is that of a bank");
    ls_unreachable_if(to, all_exist, NO_SUCH_BANK_WRITE, "every number is that of a bank");
}

static const ls_fault faults[] = {
    {"write does not block a read", NULL, "(PORTS == 1) && write", "1'b0", "rd_grant", NULL},
    {"write loses against a read", NULL, ".req_i(wr_ask)", ".req_i((asking != '0) ? '0 : wr_ask)", "rd_grant", NULL},
    {"two ports: write blocks a read", NULL, "(PORTS == 1) && write", "write", "rd_grant", "PORTS=2"},
    {"blocked read is granted", NULL, " & {READERS{!blocked}}", "", "rd_grant", NULL},
    {"blocked bank reads", NULL, "read && !blocked", "read", "bank_re", NULL},
    {"read pointer moves on a blocked read", NULL, ".take_i(!blocked)", ".take_i(1'b1)", "gen_bank[0].u_rd_rr.mask_q", "BANKS=1"},
    {"read pointer does not move", NULL, ".take_i(!blocked)", ".take_i(1'b0)", "gen_bank[0].u_rd_rr.mask_q", "BANKS=1"},
    {"read pointer moves only with a write", NULL, ".take_i(!blocked)", ".take_i(write)", "gen_bank[0].u_rd_rr.mask_q",
     "BANKS=1"},
    {"write pointer does not move", NULL, ".take_i(1'b1)", ".take_i(1'b0)", "gen_bank[0].u_wr_rr.mask_q", "BANKS=1"},
    {"write pointer waits for a free bank", NULL, ".take_i(1'b1)", ".take_i(!read)", "gen_bank[0].u_wr_rr.mask_q", "BANKS=1"},
    {"two slots of a collector in one bank", NULL, " & ~asking", "", "rd_grant", NULL},
    {"highest slot first", NULL, "for (int s = 0; s < SLOTS; s++) begin\n        rd_lowest",
     "for (int s = SLOTS - 1; s >= 0; s--) begin\n        rd_lowest", "rd_grant", NULL},
    {"lowest collector always first", NULL, "& {SLOTS{chosen}}", "& {SLOTS{asking & (~asking + 1'b1)}}", "rd_grant", NULL},
    {"grants numbered slot first", NULL, "rd_grant[INNER]", "rd_grant[r]", "rd_grant", NULL},
    {"reader of a bank that does not exist served", NULL, "? rd_bit[k] : ~rd_bit[k]",
     "? rd_bit[k] : (b == 1 && k == 1) ? '1 : ~rd_bit[k]", "rd_grant", "BANKS=3"},
    {"writer of a bank that does not exist served", NULL, "? wr_bit[k] : ~wr_bit[k]",
     "? wr_bit[k] : (b == 1 && k == 2) ? '1 : ~wr_bit[k]", "wr_grant", "BANKS=5 PORTS=2"},
    {"write request without valid", NULL, "wr_ask = wr_valid_i;", "wr_ask = '1;", "wr_grant", "PORTS=2"},
    {"read grants of the last bank lost", NULL, "rd_grant | rd_served[b]", "rd_grant | ((b + 1 < BANKS) ? rd_served[b] : '0)",
     "rd_grant", "BANKS=4"},
    {"row of reader 0 read", NULL, "rd_row[reader]", "rd_row[0]", "bank_raddr", NULL},
    {"row on the address of a bank that does not read", NULL, " & {ROW_W{bank_re_o[b]}}", "", "bank_raddr", NULL},
    {"row of the last writer written", NULL, "wr_row[writer]", "wr_row[WRITERS-1]", "bank_waddr", "WRITERS=4"},
    {"row on the address of a bank that does not write", NULL, " & {ROW_W{bank_we_o[b]}}", "", "bank_waddr", NULL},
    {"writer number always 0", NULL, "[b*WSEL_W +: WSEL_W] = writer", "[b*WSEL_W +: WSEL_W] = '0", "bank_wsel", NULL},
    {"writer number inverted", NULL, "[b*WSEL_W +: WSEL_W] = writer", "[b*WSEL_W +: WSEL_W] = ~writer", "bank_wsel", NULL},
    {"bank that writes reported as idle", NULL, "bank_we_o[b] = write;", "bank_we_o[b] = write && !read;", "bank_we", NULL},
    {0},
};

static const char *const sets[] = {"",
                                   "BANKS=1 COLLECTORS=1 SLOTS=1 WRITERS=1 ROWS=1",
                                   "BANKS=3 COLLECTORS=3 SLOTS=3 WRITERS=3 ROWS=33",
                                   "BANKS=4 COLLECTORS=1 SLOTS=7 WRITERS=1 ROWS=3 PORTS=2",
                                   "BANKS=4 COLLECTORS=2 SLOTS=8",
                                   "BANKS=5 COLLECTORS=5 SLOTS=1 WRITERS=5 ROWS=5",
                                   "BANKS=8 PORTS=2",
                                   "BANKS=16 COLLECTORS=3 SLOTS=7 WRITERS=4 ROWS=64",
                                   "BANKS=32 COLLECTORS=16 SLOTS=4 WRITERS=8 ROWS=1024",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", "rtl/common/rf_rr.sv", "rtl/banked/rf_banked_pkg.sv", NULL};

#define LS_UNIT rf_arbiter
#define LS_GROUP "banked"
#define LS_BRIEF "baseline bank arbiter: write beats read, round-robin"
#define LS_FIELDS "tb/banked/rf_arbiter.fields"
#define LS_UNREACHABLE
#define LS_STEP
#define LS_OBSERVE
#include "harness/core/unit_define.h"
