/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_result_queue. */
#include "cmodel/wir/rf_result_queue.h"

#include "harness/core/unit.h"

typedef struct rf_result_queue_stim {
    ls_rng rng;
    uint32_t fresh;     /* probability that the offered result is a new one, in 256ths */
    uint32_t span;      /* of a phase, in cycles */
    uint32_t left;      /* cycles of the phase to come */
    uint32_t push, pop; /* probabilities of the phase, in 256ths */
} rf_result_queue_stim;

static void stim_init(rf_result_queue_stim *s, const rf_result_queue *m, uint64_t seed) {
    *s = (rf_result_queue_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->fresh = ls_rng_chance(&s->rng, 128) ? 256 : 64 + ls_rng_below(&s->rng, 192);
    s->span = m->cfg.depth * (1 + ls_rng_below(&s->rng, 4)) + 8;
}

/* A bank that is busy, or no free register, fills the queue; then it drains. */
static void next_phase(rf_result_queue_stim *s) {
    const uint32_t most = 192 + ls_rng_below(&s->rng, 65), little = ls_rng_below(&s->rng, 96);
    s->left = s->span / 2 + ls_rng_below(&s->rng, s->span);
    switch (ls_rng_below(&s->rng, 4)) {
    case 0:
        s->push = most, s->pop = little;
        break;
    case 1:
        s->push = little, s->pop = most;
        break;
    case 2:
        s->push = s->pop = most;
        break;
    default:
        s->push = ls_rng_below(&s->rng, 257), s->pop = ls_rng_below(&s->rng, 257);
        break;
    }
}

/* An index of 0 .. n-1; now and then any value of its bits, which the queue carries as well. */
static uint32_t draw_index(ls_rng *rng, uint32_t n) {
    return ls_rng_chance(rng, 16) ? (uint32_t)ls_rng_value(rng, rf_index_bits(n)) : ls_rng_below(rng, n);
}

static void draw_result(ls_rng *rng, const rf_result_queue_cfg *cfg, rf_result_queue_in *in) {
    in->push_op = (uint8_t)ls_rng_below(rng, 4);
    in->push_warp = (uint8_t)draw_index(rng, cfg->warps);
    in->push_dst = (uint8_t)draw_index(rng, cfg->regs);
    in->push_preg = (uint16_t)draw_index(rng, cfg->pregs);
    in->push_cand = (uint16_t)draw_index(rng, cfg->pregs);
    in->push_mask = (uint32_t)(ls_rng_chance(rng, 96) ? rf_mask64(cfg->lanes) : ls_rng_value(rng, cfg->lanes));
    in->push_info = ls_rng_value(rng, cfg->infow);
    ls_rng_lanes(rng, in->push_data.lane, cfg->lanes);
}

static void stim(rf_result_queue_stim *s, const rf_result_queue *m, rf_result_queue_in *in) {
    if (s->left == 0) next_phase(s);
    s->left--;
    in->push = ls_rng_chance(&s->rng, s->push);
    in->pop = ls_rng_chance(&s->rng, s->pop);
    /* The result changes in cycles without a push too: nothing of it may be stored then. */
    if (ls_rng_chance(&s->rng, s->fresh)) draw_result(&s->rng, &m->cfg, in);
}

static const char *const bin_names[] = {"empty",
                                        "full",
                                        "result refused",
                                        "result refused although the head leaves",
                                        "pop while empty ignored",
                                        "result and pop while empty",
                                        "result stored while the head leaves",
                                        "head waits",
                                        "head waits with others behind it",
                                        "last entry written",
                                        "last entry is the head",
                                        "head writes",
                                        "head is a verify-read",
                                        "head is a dummy MOV",
                                        "head shares",
                                        "head of all lanes",
                                        "head of some lanes",
                                        "head of no lane",
                                        "head's two registers are one",
                                        "result stored while the last one leaves",
                                        "result stored while the head leaves the last entry",
                                        NULL};

static uint64_t bins(const rf_result_queue *m, const rf_result_queue_in *in, const rf_result_queue_out *out) {
    const uint32_t last = m->cfg.depth - 1;
    const uint32_t all = (uint32_t)rf_mask64(m->cfg.lanes);
    const bool full = !out->ready, empty = !out->valid, both = in->push && in->pop && !full && !empty;
    return (uint64_t)empty << 0 | (uint64_t)full << 1 | (uint64_t)(in->push && full) << 2 |
           (uint64_t)(in->push && in->pop && full) << 3 | (uint64_t)(in->pop && empty) << 4 |
           (uint64_t)(in->push && in->pop && empty) << 5 | (uint64_t)both << 6 | (uint64_t)(!empty && !in->pop) << 7 |
           (uint64_t)(m->ctrl.level_q > 1 && !in->pop) << 8 | (uint64_t)(in->push && !full && m->ctrl.wr_ptr_q == last) << 9 |
           (uint64_t)(!empty && m->ctrl.rd_ptr_q == last) << 10 | (uint64_t)(!empty && out->op == RF_RESULT_WRITE) << 11 |
           (uint64_t)(!empty && out->op == RF_RESULT_VERIFY) << 12 | (uint64_t)(!empty && out->op == RF_RESULT_MERGE) << 13 |
           (uint64_t)(!empty && out->op == RF_RESULT_SHARE) << 14 | (uint64_t)(!empty && out->mask == all) << 15 |
           (uint64_t)(!empty && out->mask != all && out->mask != 0) << 16 | (uint64_t)(!empty && out->mask == 0) << 17 |
           (uint64_t)(!empty && out->preg == out->cand) << 18 | (uint64_t)(both && m->ctrl.level_q == 1) << 19 |
           (uint64_t)(both && m->ctrl.rd_ptr_q == last) << 20;
}

static void unreachable(const rf_result_queue_cfg *cfg, ls_unreachable *to) {
    ls_unreachable_if(to, cfg->depth == 1, 6, "one entry: it cannot be stored while it leaves");
    ls_unreachable_if(to, cfg->depth == 1, 8, "one entry");
    ls_unreachable_if(to, cfg->depth == 1, 19, "one entry: it cannot be stored while it leaves");
    ls_unreachable_if(to, cfg->depth == 1, 20, "one entry: it cannot be stored while it leaves");
    ls_unreachable_if(to, cfg->lanes == 1, 16, "one lane: some is all or none");
}

static const char ctrl_sv[] = "rtl/common/rf_fifo_ctrl.sv";

#define SMALL "LANES=2 WARPS=4 REGS=8 PREGS=16 INFOW=8"

static const ls_fault faults[] = {
    {"value stored in the head's entry", NULL, "data_q[wr_ptr] <=", "data_q[rd_ptr] <=", "data_q", SMALL},
    {"top bit of the value lost", NULL, "<= push_data_i;", "<= {1'b0, push_data_i[DATA_W-2:0]};", "data_q", SMALL},
    {"all lanes written", NULL, "<= push_mask_i;", "<= '1;", "mask_q", SMALL},
    {"the register to read is the one to write", NULL, "<= push_cand_i;", "<= push_preg_i;", "cand_q", SMALL},
    {"top bit of the physical register lost", NULL, "<= push_preg_i;", "<= {1'b0, push_preg_i[PREG_W-2:0]};", "preg_q", SMALL},
    {"logical register stored is the one before", NULL, "<= push_dst_i;", "<= dst_q[rd_ptr];", "dst_q", SMALL},
    {"a dummy MOV becomes a verify-read", NULL, "<= push_op_i;",
     "<= {push_op_i[1] && push_op_i[0], push_op_i[0] || push_op_i[1]};", "op_q", SMALL},
    {"what is carried is stored for the entry before", NULL, "info_q[wr_ptr] <=", "info_q[rd_ptr] <=", "info_q", SMALL},
    {"operation shown while empty", NULL, "op_o   = '0;", "op_o   = op_q[rd_ptr];", "op", SMALL},
    {"what is carried is shown while empty", NULL, "info_o = '0;", "info_o = info_q[rd_ptr];", "info", SMALL},
    {"head's value from the entry to be written", NULL, "data_q[rd_ptr];", "data_q[wr_ptr];", "data", SMALL},
    {"head's warp from entry 0", NULL, "warp_q[rd_ptr]", "warp_q[0]", "warp", SMALL},
    {"head's register to read is the one to write", NULL, "cand_q[rd_ptr]", "preg_q[rd_ptr]", "cand", SMALL},
    {"mask shown while empty", NULL, "mask_o = '0;", "mask_o = mask_q[rd_ptr];", "mask", SMALL},
    {"head leaves by itself", NULL, "(pop_i)", "(1'b1)", "u_ctrl.rd_ptr_q", SMALL},
    {"values are not reset", NULL, "data_q[i] <= '0;", "", "data_q", SMALL},
    {"result accepted while full", ctrl_sv, "push_i && ready_o", "push_i", "u_ctrl.wr_ptr_q", SMALL},
    {"pop while empty moves the head", ctrl_sv, "pop_i && valid_o", "pop_i", "u_ctrl.rd_ptr_q", SMALL},
    {"ready although full", ctrl_sv, "ready_o  = level_q != FULL", "ready_o  = 1'b1", "ready", SMALL},
    {"a push beats reset", NULL, "if (!rst_ni) begin", "if (!rst_ni && !push_i) begin", "op_q", SMALL},
    {0},
};

static const char *const sets[] = {"",
                                   "DEPTH=1 LANES=1 WARPS=1 REGS=1 PREGS=2 INFOW=1",
                                   "DEPTH=1 LANES=2 WARPS=24 PREGS=256 INFOW=19",
                                   "DEPTH=3 LANES=3 WARPS=5 REGS=7 PREGS=33 INFOW=13",
                                   "DEPTH=5 LANES=1 WARPS=64 REGS=256 PREGS=1000 INFOW=64",
                                   "DEPTH=16 LANES=2 WARPS=33 REGS=33 PREGS=512 INFOW=33",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", "rtl/common/rf_fifo_ctrl.sv", NULL};

#define LS_UNIT rf_result_queue
#define LS_GROUP "wir"
#define LS_BRIEF "result queue of an execution port"
#define LS_FIELDS "tb/wir/rf_result_queue.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
