/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_wbq. */
#include "cmodel/banked/rf_wbq.h"

#include "harness/core/unit.h"

typedef struct rf_wbq_stim {
    ls_rng rng;
    uint32_t fresh;       /* probability that the offered result is a new one, in 256ths */
    uint32_t span;        /* of a phase, in cycles */
    uint32_t left;        /* cycles of the phase to come */
    uint32_t push, grant; /* probabilities of the phase, in 256ths */
} rf_wbq_stim;

static void stim_init(rf_wbq_stim *s, const rf_wbq *m, uint64_t seed) {
    *s = (rf_wbq_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->fresh = ls_rng_chance(&s->rng, 128) ? 256 : 64 + ls_rng_below(&s->rng, 192);
    s->span = m->cfg.depth * (1 + ls_rng_below(&s->rng, 4)) + 8;
}

/* A bank that is busy fills the queue, one that is free drains it. */
static void next_phase(rf_wbq_stim *s) {
    const uint32_t most = 192 + ls_rng_below(&s->rng, 65), little = ls_rng_below(&s->rng, 96);
    s->left = s->span / 2 + ls_rng_below(&s->rng, s->span);
    switch (ls_rng_below(&s->rng, 4)) {
    case 0:
        s->push = most, s->grant = little;
        break;
    case 1:
        s->push = little, s->grant = most;
        break;
    case 2:
        s->push = s->grant = most;
        break;
    default:
        s->push = ls_rng_below(&s->rng, 257), s->grant = ls_rng_below(&s->rng, 257);
        break;
    }
}

/* An index of 0 .. n-1; now and then any value of its bits, which the queue carries as well. */
static uint32_t draw_index(ls_rng *rng, uint32_t n) {
    return ls_rng_chance(rng, 16) ? (uint32_t)ls_rng_value(rng, rf_index_bits(n)) : ls_rng_below(rng, n);
}

static void draw_result(ls_rng *rng, const rf_wbq_cfg *cfg, rf_wbq_in *in) {
    in->push_warp = (uint8_t)draw_index(rng, cfg->warps);
    in->push_reg = (uint8_t)draw_index(rng, cfg->regs);
    in->push_note = (uint8_t)ls_rng_value(rng, cfg->note);
    in->push_bank = (uint8_t)draw_index(rng, cfg->banks);
    in->push_row = (uint16_t)draw_index(rng, cfg->rows);
    in->push_mask = (uint32_t)(ls_rng_chance(rng, 96) ? rf_mask64(cfg->lanes) : ls_rng_value(rng, cfg->lanes));
    ls_rng_lanes(rng, in->push_data.lane, cfg->lanes);
}

static void stim(rf_wbq_stim *s, const rf_wbq *m, rf_wbq_in *in) {
    if (s->left == 0) next_phase(s);
    s->left--;
    in->push = ls_rng_chance(&s->rng, s->push);
    in->grant = ls_rng_chance(&s->rng, s->grant);
    /* The result changes in cycles without a push too: nothing of it may be stored then. */
    if (ls_rng_chance(&s->rng, s->fresh)) draw_result(&s->rng, &m->cfg, in);
}

static const char *const bin_names[] = {"empty",
                                        "full",
                                        "result refused",
                                        "result refused although the head leaves",
                                        "grant while empty ignored",
                                        "result and grant while empty",
                                        "result stored while the head leaves",
                                        "head waits",
                                        "head waits with others behind it",
                                        "last entry written",
                                        "last entry is the head",
                                        "head writes all lanes",
                                        "head writes some lanes",
                                        "head writes no lane",
                                        NULL};

static uint64_t bins(const rf_wbq *m, const rf_wbq_in *in, const rf_wbq_out *out) {
    const uint32_t last = m->cfg.depth - 1;
    const uint32_t all = (uint32_t)rf_mask64(m->cfg.lanes);
    const bool full = !out->ready, empty = !out->wr_valid;
    return (uint64_t)empty << 0 | (uint64_t)full << 1 | (uint64_t)(in->push && full) << 2 |
           (uint64_t)(in->push && in->grant && full) << 3 | (uint64_t)(in->grant && empty) << 4 |
           (uint64_t)(in->push && in->grant && empty) << 5 | (uint64_t)(in->push && in->grant && !full && !empty) << 6 |
           (uint64_t)(!empty && !in->grant) << 7 | (uint64_t)(m->ctrl.level_q > 1 && !in->grant) << 8 |
           (uint64_t)(in->push && !full && m->ctrl.wr_ptr_q == last) << 9 | (uint64_t)(!empty && m->ctrl.rd_ptr_q == last) << 10 |
           (uint64_t)(!empty && out->wr_mask == all) << 11 |
           (uint64_t)(!empty && out->wr_mask != all && out->wr_mask != 0) << 12 | (uint64_t)(!empty && out->wr_mask == 0) << 13;
}

static const char ctrl_sv[] = "rtl/common/rf_fifo_ctrl.sv";

static void unreachable(const rf_wbq_cfg *cfg, ls_unreachable *to) {
    ls_unreachable_if(to, cfg->depth == 1, 6, "a queue of one entry stores nothing while that leaves");
    ls_unreachable_if(to, cfg->depth == 1, 8, "one entry has no other behind it");
    ls_unreachable_if(to, cfg->lanes == 1, 12, "some is all or none in one lane");
}

static const ls_fault faults[] = {
    {"value stored in the head's entry", NULL, "data_q[wr_ptr] <=", "data_q[rd_ptr] <=", "data_q", "LANES=4"},
    {"top bit of the value lost", NULL, "<= push_data_i;", "<= {1'b0, push_data_i[DATA_W-2:0]};", "data_q", "LANES=4"},
    {"all lanes written", NULL, "<= push_mask_i;", "<= '1;", "mask_q", "LANES=4"},
    {"bank taken from the row", NULL, "<= push_bank_i;", "<= BANK_W'(push_row_i);", "bank_q", "LANES=4"},
    {"top bit of the row lost", NULL, "<= push_row_i;", "<= {1'b0, push_row_i[ROW_W-2:0]};", "row_q", "LANES=4"},
    {"register stored is the one before", NULL, "<= push_reg_i;", "<= reg_q[rd_ptr];", "reg_q", "LANES=4"},
    {"note stored is the one before", NULL, "<= push_note_i;", "<= note_q[rd_ptr];", "note_q", "LANES=4"},
    {"note shown while empty", NULL, "wr_note_o = '0;", "wr_note_o = note_q[rd_ptr];", "wr_note", "LANES=4"},
    {"head's value from the entry to be written", NULL, "data_q[rd_ptr];", "data_q[wr_ptr];", "wr_data", "LANES=4"},
    {"head's warp from entry 0", NULL, "warp_q[rd_ptr]", "warp_q[0]", "wr_warp", "LANES=4"},
    {"mask shown while empty", NULL, "wr_mask_o = '0;", "wr_mask_o = mask_q[rd_ptr];", "wr_mask", "LANES=4"},
    {"head leaves without a grant", NULL, "(grant_i)", "(1'b1)", "u_ctrl.rd_ptr_q", "LANES=4"},
    {"values are not reset", NULL, "data_q[i] <= '0;", "", "data_q", "LANES=4"},
    {"result accepted while full", ctrl_sv, "push_i && ready_o", "push_i", "u_ctrl.wr_ptr_q", "LANES=4"},
    {"grant while empty moves the head", ctrl_sv, "pop_i && valid_o", "pop_i", "u_ctrl.rd_ptr_q", "LANES=4"},
    {"ready although full", ctrl_sv, "ready_o  = level_q != FULL", "ready_o  = 1'b1", "ready", "LANES=4"},
    {"a push beats reset", NULL, "if (!rst_ni) begin", "if (!rst_ni && !push_i) begin", "warp_q", "LANES=4"},
    {0},
};

static const char *const sets[] = {"",
                                   "DEPTH=1 LANES=1 WARPS=1 REGS=1 BANKS=1 ROWS=1",
                                   "DEPTH=1 LANES=4",
                                   "DEPTH=3 LANES=3 WARPS=5 REGS=7 BANKS=3 ROWS=33",
                                   "DEPTH=5 LANES=1 WARPS=8 REGS=33 BANKS=4 ROWS=65",
                                   "DEPTH=8 LANES=4 WARPS=48 REGS=63 BANKS=8 ROWS=384 NOTE=6",
                                   "DEPTH=16 LANES=32 WARPS=64 REGS=256 BANKS=32 ROWS=1024 NOTE=8",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", "rtl/common/rf_fifo_ctrl.sv", NULL};

#define LS_UNIT rf_wbq
#define LS_GROUP "banked"
#define LS_BRIEF "write-back queue of an execution port"
#define LS_FIELDS "tb/banked/rf_wbq.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
