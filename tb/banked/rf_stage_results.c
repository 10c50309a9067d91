/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_stage_results. */
#include "cmodel/banked/rf_stage_results.h"

#include "harness/core/unit.h"

typedef struct rf_stage_results_stim {
    ls_rng rng;
    uint32_t stands;                                       /* probability that a refused result stays offered, in 256ths */
    uint32_t outside;                                      /* that an index is any value of its bits */
    uint32_t stray;                                        /* of a grant that nobody asked for */
    uint32_t one_a_bank;                                   /* of a cycle in which a bank takes one write, as an arbiter grants */
    uint32_t warps, regs;                                  /* so many of them are written */
    uint32_t span;                                         /* of a phase, in cycles */
    uint32_t left;                                         /* cycles of the phase to come */
    uint32_t offer[RF_EXPORTS_MAX], grant[RF_EXPORTS_MAX]; /* probabilities of the phase, in 256ths */
    uint32_t refused;                                      /* ports whose result was not accepted in the last cycle */
} rf_stage_results_stim;

static void stim_init(rf_stage_results_stim *s, const rf_stage_results *m, uint64_t seed) {
    *s = (rf_stage_results_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->stands = ls_rng_chance(&s->rng, 160) ? 256 : ls_rng_below(&s->rng, 256);
    s->outside = 4 + ls_rng_below(&s->rng, 24);
    s->stray = ls_rng_chance(&s->rng, 64) ? 1 : 4 + ls_rng_below(&s->rng, 60);
    s->one_a_bank = ls_rng_below(&s->rng, 257);
    s->warps = ls_rng_chance(&s->rng, 128) ? m->cfg.warps : 1 + ls_rng_below(&s->rng, m->cfg.warps);
    s->regs = ls_rng_chance(&s->rng, 128) ? m->cfg.regs : 1 + ls_rng_below(&s->rng, m->cfg.regs);
    s->span = m->cfg.wbdepth * (1 + ls_rng_below(&s->rng, 4)) + 8;
}

/* A bank that is busy fills a queue, one that is free drains it; now all ports alike, now each on its own. */
static void next_phase(rf_stage_results_stim *s, uint32_t exports) {
    const bool alike = ls_rng_chance(&s->rng, 128);
    s->left = s->span / 2 + ls_rng_below(&s->rng, s->span);
    for (uint32_t e = 0; e < exports; e++) {
        const uint32_t most = 192 + ls_rng_below(&s->rng, 65), little = ls_rng_below(&s->rng, 96);
        if (alike && e > 0) {
            s->offer[e] = s->offer[0];
            s->grant[e] = s->grant[0];
            continue;
        }
        switch (ls_rng_below(&s->rng, 4)) {
        case 0:
            s->offer[e] = most, s->grant[e] = little;
            break;
        case 1:
            s->offer[e] = little, s->grant[e] = most;
            break;
        case 2:
            s->offer[e] = s->grant[e] = most;
            break;
        default:
            s->offer[e] = ls_rng_below(&s->rng, 257), s->grant[e] = ls_rng_below(&s->rng, 257);
            break;
        }
    }
}

/* An index of 0 .. few-1 of n, at times the last; now and then any value of its bits. */
static uint32_t draw_index(rf_stage_results_stim *s, uint32_t few, uint32_t n) {
    if (ls_rng_chance(&s->rng, s->outside)) return (uint32_t)ls_rng_value(&s->rng, rf_index_bits(n));
    return ls_rng_chance(&s->rng, 16) ? n - 1 : ls_rng_below(&s->rng, few);
}

static void draw_result(rf_stage_results_stim *s, const rf_stage_results_cfg *cfg, uint32_t e, rf_stage_results_in *in) {
    const bool again = e > 0 && ls_rng_chance(&s->rng, 24); /* two ports write one register */
    in->res_warp[e] = again ? in->res_warp[e - 1] : (uint8_t)draw_index(s, s->warps, cfg->warps);
    in->res_dst[e] = again ? in->res_dst[e - 1] : (uint8_t)draw_index(s, s->regs, cfg->regs);
    in->res_note[e] = (uint8_t)(ls_rng_chance(&s->rng, 128) ? 0 : ls_rng_value(&s->rng, cfg->note));
    in->res_mask[e] = (uint32_t)(ls_rng_chance(&s->rng, 96) ? rf_mask64(cfg->lanes) : ls_rng_value(&s->rng, cfg->lanes));
    ls_rng_lanes(&s->rng, in->res_data[e].lane, cfg->lanes);
}

/* The heads that are written. */
static uint8_t draw_grants(rf_stage_results_stim *s, const rf_stage_results *m) {
    const bool one_a_bank = ls_rng_chance(&s->rng, s->one_a_bank);
    const uint32_t first = ls_rng_below(&s->rng, m->cfg.exports);
    uint32_t banks = 0, grant = 0;
    for (uint32_t i = 0; i < m->cfg.exports; i++) {
        const uint32_t e = (first + i) % m->cfg.exports;
        const rf_wbq *q = &m->wbq[e];
        const uint32_t bank = q->bank_q[q->ctrl.rd_ptr_q];
        if (q->ctrl.level_q == 0) {
            grant |= (uint32_t)ls_rng_chance(&s->rng, s->stray) << e;
        } else if (ls_rng_chance(&s->rng, s->grant[e]) && !(one_a_bank && (banks >> bank & 1) != 0)) {
            grant |= 1u << e;
            banks |= 1u << bank;
        }
    }
    return (uint8_t)grant;
}

static void stim(rf_stage_results_stim *s, const rf_stage_results *m, rf_stage_results_in *in) {
    const rf_stage_results_cfg *cfg = &m->cfg;
    if (s->left == 0) next_phase(s, cfg->exports);
    s->left--;
    for (uint32_t e = 0; e < cfg->exports; e++) {
        if ((s->refused >> e & 1) != 0 && ls_rng_chance(&s->rng, s->stands)) continue;
        in->res_valid = (uint8_t)((in->res_valid & ~(1u << e)) | (uint32_t)ls_rng_chance(&s->rng, s->offer[e]) << e);
        /* Now and then the result changes without being offered: nothing of it may be stored then. */
        if ((in->res_valid >> e & 1) != 0 || ls_rng_chance(&s->rng, 48)) draw_result(s, cfg, e, in);
    }
    in->wr_grant = draw_grants(s, m);
}

static void observe(rf_stage_results_stim *s, const rf_stage_results_in *in, const rf_stage_results_out *out) {
    s->refused = in->res_valid & ~(uint32_t)out->res_ready;
}

static const char *const bin_names[] = {"result of the first port accepted",
                                        "result of the last port accepted",
                                        "result refused",
                                        "result refused although the head leaves",
                                        "result accepted while the head leaves",
                                        "several results accepted at once",
                                        "all queues full",
                                        "all queues empty",
                                        "one queue full, another empty",
                                        "grant while empty ignored",
                                        "head waits with others behind it",
                                        "several heads written at once",
                                        "two heads ask for one bank",
                                        "heads ask for different banks",
                                        "two results for one register at once",
                                        "result with a note accepted",
                                        "result without a note accepted",
                                        "heads with different notes at once",
                                        "head writes some lanes",
                                        "head writes no lane",
                                        "result of the last warp",
                                        "result of a warp that does not exist",
                                        "result for the last register",
                                        "result for a register that does not exist",
                                        "last bank",
                                        "last row",
                                        "row cut to its width",
                                        NULL};

enum {
    FIRST,
    LAST,
    REFUSED,
    REFUSED_LEAVES,
    ACCEPTED_LEAVES,
    ACCEPT_TWO,
    ALL_FULL,
    ALL_EMPTY,
    FULL_EMPTY,
    STRAY,
    WAITS,
    WRITE_TWO,
    ONE_BANK,
    TWO_BANKS,
    ONE_REGISTER,
    NOTE_SET,
    NOTE_CLEAR,
    NOTES,
    SOME_LANES,
    NO_LANE,
    WARP_LAST,
    WARP_OUTSIDE,
    REG_LAST,
    REG_OUTSIDE,
    BANK_LAST,
    ROW_LAST,
    ROW_CUT
};

static uint64_t bin(bool hit, uint32_t n) { return (uint64_t)hit << n; }
static bool several(uint32_t set) { return (set & (set - 1)) != 0; }
static bool exact(uint32_t n) { return n == UINT32_C(1) << rf_index_bits(n); }

/* Of a result that port e hands over. */
static uint64_t result_bins(const rf_stage_results_cfg *cfg, const rf_stage_results_in *in, uint32_t accepted, uint32_t e) {
    const uint32_t per_warp = rf_map_rows_per_warp(cfg->regs, cfg->banks), rows = cfg->warps * per_warp;
    const uint32_t warp = in->res_warp[e], reg = in->res_dst[e], row = rf_map_row(warp, reg, cfg->banks, per_warp);
    const bool note = in->res_note[e] != 0;
    bool twice = false;
    for (uint32_t other = 0; other < e; other++)
        twice |= (accepted >> other & 1) != 0 && in->res_warp[other] == warp && in->res_dst[other] == reg;
    return bin(note, NOTE_SET) | bin(!note, NOTE_CLEAR) | bin(twice, ONE_REGISTER) | bin(warp == cfg->warps - 1, WARP_LAST) |
           bin(warp >= cfg->warps, WARP_OUTSIDE) | bin(reg == cfg->regs - 1, REG_LAST) | bin(reg >= cfg->regs, REG_OUTSIDE) |
           bin(rf_map_bank(warp, reg, cfg->banks) == cfg->banks - 1, BANK_LAST) | bin(row == rows - 1, ROW_LAST) |
           bin(row >> rf_index_bits(rows) != 0, ROW_CUT);
}

static uint64_t bins(const rf_stage_results *m, const rf_stage_results_in *in, const rf_stage_results_out *out) {
    const rf_stage_results_cfg *cfg = &m->cfg;
    const uint32_t ports = (uint32_t)rf_mask64(cfg->exports), all = (uint32_t)rf_mask64(cfg->lanes);
    const uint32_t accepted = in->res_valid & out->res_ready, refused = in->res_valid & ~(uint32_t)out->res_ready;
    const uint32_t written = in->wr_grant & out->wr_valid, full = ports & ~(uint32_t)out->res_ready;
    uint32_t banks = 0, note = 0;
    uint64_t hit = bin((accepted & 1) != 0, FIRST) | bin((accepted >> (cfg->exports - 1) & 1) != 0, LAST) |
                   bin(refused != 0, REFUSED) | bin((refused & written) != 0, REFUSED_LEAVES) |
                   bin((accepted & written) != 0, ACCEPTED_LEAVES) | bin(several(accepted), ACCEPT_TWO) |
                   bin(full == ports, ALL_FULL) | bin(out->wr_valid == 0, ALL_EMPTY) |
                   bin(full != 0 && out->wr_valid != ports, FULL_EMPTY) |
                   bin((in->wr_grant & ~(uint32_t)out->wr_valid) != 0, STRAY) | bin(several(written), WRITE_TWO);
    for (uint32_t left = accepted; left != 0; left &= left - 1) hit |= result_bins(cfg, in, accepted, rf_lowest(left));
    for (uint32_t left = out->wr_valid; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left), bank = 1u << out->wr_bank[e], mask = out->wr_mask[e];
        hit |= bin((banks & bank) != 0, ONE_BANK) | bin((banks & ~bank) != 0, TWO_BANKS) |
               bin(mask != 0 && mask != all, SOME_LANES) | bin(mask == 0, NO_LANE) |
               bin((in->wr_grant >> e & 1) == 0 && m->wbq[e].ctrl.level_q > 1, WAITS);
        banks |= bank;
        hit |= bin(left != out->wr_valid && out->wr_note[e] != note, NOTES);
        note = out->wr_note[e];
    }
    return hit;
}

#define SMALL "WARPS=5 BANKS=3 REGS=7 LANES=2 EXPORTS=2 WBDEPTH=3"
static const char pkg[] = "rtl/banked/rf_banked_pkg.sv", wbq[] = "rtl/banked/rf_wbq.sv", ctrl[] = "rtl/common/rf_fifo_ctrl.sv";

static void unreachable(const rf_stage_results_cfg *cfg, ls_unreachable *to) {
    const uint32_t per_warp = rf_map_rows_per_warp(cfg->regs, cfg->banks), rows = cfg->warps * per_warp;
    const uint32_t top_warp = (UINT32_C(1) << rf_index_bits(cfg->warps)) - 1,
                   top_reg = (UINT32_C(1) << rf_index_bits(cfg->regs)) - 1;
    ls_unreachable_if(to, cfg->wbdepth == 1, ACCEPTED_LEAVES, "a queue has one entry");
    ls_unreachable_if(to, cfg->wbdepth == 1, WAITS, "a queue has one entry");
    ls_unreachable_if(to, cfg->exports == 1, ACCEPT_TWO, "one queue");
    ls_unreachable_if(to, cfg->exports == 1, FULL_EMPTY, "one queue");
    ls_unreachable_if(to, cfg->exports == 1, WRITE_TWO, "one queue");
    ls_unreachable_if(to, cfg->exports == 1, ONE_BANK, "one queue");
    ls_unreachable_if(to, cfg->exports == 1, TWO_BANKS, "one queue");
    ls_unreachable_if(to, cfg->exports == 1, ONE_REGISTER, "one queue");
    ls_unreachable_if(to, cfg->exports == 1, NOTES, "one queue");
    ls_unreachable_if(to, cfg->banks == 1, TWO_BANKS, "one bank");
    ls_unreachable_if(to, cfg->lanes == 1, SOME_LANES, "some is all or none in one lane");
    ls_unreachable_if(to, exact(cfg->warps), WARP_OUTSIDE, "every number is that of a warp");
    ls_unreachable_if(to, exact(cfg->regs), REG_OUTSIDE, "every number is that of a register");
    ls_unreachable_if(to, rf_map_row(top_warp, top_reg, cfg->banks, per_warp) >> rf_index_bits(rows) == 0, ROW_CUT,
                      "every row fits");
}

static const ls_fault faults[] = {
    {"a port pushes into the next one's queue", NULL, ".push_i     (res_valid_i[e])",
     ".push_i     (res_valid_i[(e + 1) % EXPORTS])", "gen_wbq[1].u_wbq.u_ctrl.wr_ptr_q", SMALL},
    {"warp of port 0 for all", NULL, "res_warp_i[e*WARP_W +: WARP_W]", "res_warp_i[0 +: WARP_W]", "gen_wbq[1].u_wbq.warp_q",
     SMALL},
    {"top bit of the register lost", NULL, ".push_reg_i (res_dst_i[e*REG_W +: REG_W])",
     ".push_reg_i (REG_W'(res_dst_i[e*REG_W +: REG_W-1]))", "gen_wbq[1].u_wbq.reg_q", SMALL},
    {"note of the other port", NULL, "res_note_i[e*NOTE +: NOTE]", "res_note_i[(EXPORTS-1-e)*NOTE +: NOTE]",
     "gen_wbq[0].u_wbq.note_q", SMALL},
    {"all lanes written", NULL, "res_mask_i[e*LANES +: LANES]", "{LANES{1'b1}}", "gen_wbq[0].u_wbq.mask_q", SMALL},
    {"lanes of the value in reverse order", NULL, "res_data_i[e*DATA_W +: DATA_W]",
     "{res_data_i[e*DATA_W +: 32], res_data_i[e*DATA_W + 32 +: 32]}", "gen_wbq[0].u_wbq.data_q", SMALL},
    {"bank without the warp's share", pkg, "{3'b0, warp}", "{3'b0, 6'(warp & 6'd0)}", "gen_wbq[0].u_wbq.bank_q", SMALL},
    {"row without the register's share", pkg, " + {2'b0, register / {2'b0, banks}}",
     " + {2'b0, 8'd0 & (register / {2'b0, banks})}", "gen_wbq[0].u_wbq.row_q", SMALL},
    {"one row too few a warp", NULL, "9'(ROWS_PER_WARP)", "9'(ROWS_PER_WARP - 1)", "gen_wbq[0].u_wbq.row_q", SMALL},
    {"grant of the first port for all", NULL, "wr_grant_i[e]", "wr_grant_i[0]", "gen_wbq[1].u_wbq.u_ctrl.rd_ptr_q", SMALL},
    {"ready of the other port", NULL, "res_ready_o[e]", "res_ready_o[EXPORTS-1-e]", "res_ready", SMALL},
    {"masks of the heads swapped", NULL, ".wr_mask_o  (wr_mask_o[e*LANES +: LANES])",
     ".wr_mask_o  (wr_mask_o[(EXPORTS-1-e)*LANES +: LANES])", "wr_mask", SMALL},
    {"note shown while empty", wbq, "wr_note_o = '0;", "wr_note_o = note_q[rd_ptr];", "wr_note", SMALL},
    {"result accepted while full", ctrl, "push_i && ready_o", "push_i", "gen_wbq[0].u_wbq.u_ctrl.wr_ptr_q", SMALL},
    {0},
};

#undef SMALL

/* A queue's registers behind the mapping. */
LS_LIST_LIKE(rf_stage_results_wbq, rf_wbq) {
    const rf_wbq_cfg *cfg = &((const rf_wbq *)model)->cfg;
    ls_fields_constant(fields, LS_STATE, "bank_q", cfg->banks == 1, "there is one bank");
}

/* In a system, where what is out of range need not come. */
LS_LIST_LIKE(rf_stage_wbq, rf_stage_results_wbq) {
    const rf_wbq_cfg *cfg = &((const rf_wbq *)model)->cfg;
    ls_fields_rare(fields, LS_STATE, "warp_q", cfg->warps == 1, "there is one warp: others do not exist");
    ls_fields_rare(fields, LS_STATE, "reg_q", cfg->regs == 1, "there is one register: others do not exist");
    ls_fields_rare(fields, LS_STATE, "row_q", cfg->rows == 1, "there is one row: others do not exist");
}

static const char *const sets[] = {"",
                                   "WARPS=1 BANKS=1 REGS=1 LANES=1 EXPORTS=1 WBDEPTH=1",
                                   "WARPS=5 BANKS=3 REGS=7 LANES=3 EXPORTS=2 WBDEPTH=3",
                                   "WARPS=6 BANKS=32 REGS=33 LANES=1 EXPORTS=1 WBDEPTH=16",
                                   "WARPS=33 BANKS=9 REGS=255 LANES=4 EXPORTS=5 WBDEPTH=1 NOTE=6",
                                   "WARPS=64 BANKS=16 REGS=256 LANES=4 EXPORTS=8 WBDEPTH=2 NOTE=8",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", "rtl/common/rf_fifo_ctrl.sv", "rtl/banked/rf_banked_pkg.sv",
                                  "rtl/banked/rf_wbq.sv", NULL};

#define LS_UNIT rf_stage_results
#define LS_GROUP "banked"
#define LS_BRIEF "results to the write-back queues, with the places of their registers"
#define LS_FIELDS "tb/banked/rf_stage_results.fields"
#define LS_OBSERVE
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
