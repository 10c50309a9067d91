/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_fifo_ctrl. */
#include "cmodel/common/rf_fifo_ctrl.h"

#include "harness/core/unit.h"

typedef struct rf_fifo_ctrl_stim {
    ls_rng rng;
    uint32_t span;      /* of a phase, in cycles */
    uint32_t left;      /* cycles of the phase to come */
    uint32_t push, pop; /* probabilities of the phase, in 256ths */
} rf_fifo_ctrl_stim;

static void stim_init(rf_fifo_ctrl_stim *s, const rf_fifo_ctrl *m, uint64_t seed) {
    *s = (rf_fifo_ctrl_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->span = m->cfg.depth * (1 + ls_rng_below(&s->rng, 4)) + 8;
}

/* Long enough phases of filling and of draining reach both ends at every depth. */
static void next_phase(rf_fifo_ctrl_stim *s) {
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

static void stim(rf_fifo_ctrl_stim *s, const rf_fifo_ctrl *m, rf_fifo_ctrl_in *in) {
    (void)m;
    if (s->left == 0) next_phase(s);
    s->left--;
    in->push = ls_rng_chance(&s->rng, s->push);
    in->pop = ls_rng_chance(&s->rng, s->pop);
}

static const char *const bin_names[] = {"nothing happens",
                                        "empty",
                                        "full",
                                        "push refused",
                                        "push refused although an entry leaves",
                                        "pop of an empty queue ignored",
                                        "push and pop of an empty queue",
                                        "push and pop in between",
                                        "write pointer wraps",
                                        "read pointer wraps",
                                        "becomes full",
                                        "becomes empty",
                                        NULL};

static uint64_t bins(const rf_fifo_ctrl *m, const rf_fifo_ctrl_in *in, const rf_fifo_ctrl_out *out) {
    const uint32_t last = m->cfg.depth - 1;
    const bool full = !out->ready, empty = !out->valid, read = in->pop && !empty;
    return (uint64_t)(!in->push && !in->pop) << 0 | (uint64_t)empty << 1 | (uint64_t)full << 2 |
           (uint64_t)(in->push && full) << 3 | (uint64_t)(in->push && in->pop && full) << 4 | (uint64_t)(in->pop && empty) << 5 |
           (uint64_t)(in->push && in->pop && empty) << 6 | (uint64_t)(in->push && in->pop && !empty && !full) << 7 |
           (uint64_t)(out->write && out->wr_ptr == last) << 8 | (uint64_t)(read && out->rd_ptr == last) << 9 |
           (uint64_t)(out->write && !read && out->level == last) << 10 | (uint64_t)(read && !out->write && out->level == 1) << 11;
}

static void unreachable(const rf_fifo_ctrl_cfg *cfg, ls_unreachable *to) {
    ls_unreachable_if(to, cfg->depth == 1, 7, "a queue of one entry is empty or full, never in between");
}

static const ls_fault faults[] = {
    {"write pointer does not advance", NULL, "wr_ptr_q + 1'b1", "wr_ptr_q", "wr_ptr_q", NULL},
    {"read pointer does not advance", NULL, "rd_ptr_q + 1'b1", "rd_ptr_q", "rd_ptr_q", NULL},
    {"write pointer wraps at a power of two", NULL, "(wr_ptr_q == LAST)", "(wr_ptr_q == '1)", "wr_ptr_q", "DEPTH=5"},
    {"read pointer wraps one early", NULL, "(rd_ptr_q == LAST)", "(rd_ptr_q == LAST - 1'b1)", "rd_ptr_q", "DEPTH=5"},
    {"push into a full queue accepted", NULL, "push_i && ready_o", "push_i", "write", "DEPTH=3"},
    {"push into a full queue accepted as an entry leaves", NULL, "push_i && ready_o", "push_i && (ready_o || pop_i)", "write",
     NULL},
    {"pop of an empty queue accepted", NULL, "pop_i && valid_o", "pop_i", "rd_ptr_q", NULL},
    {"pop lost when pushed", NULL, "pop_i && valid_o", "pop_i && valid_o && !push_i", "rd_ptr_q", NULL},
    {"full one entry early", NULL, "level_q != FULL", "level_q != FULL - 1'b1", "ready", NULL},
    {"one entry is not enough to be valid", NULL, "level_q != '0", "level_q > LEVEL_W'(1)", "valid", NULL},
    {"level forgets the pop of a cycle with a push", NULL, "- LEVEL_W'(read)", "- LEVEL_W'(read && !write_o)", "level_q", NULL},
    {"level is the coming one", NULL, "level_o  = level_q", "level_o  = level_d", "level", NULL},
    {"read pointer is the write pointer", NULL, "rd_ptr_o = rd_ptr_q", "rd_ptr_o = wr_ptr_q", "rd_ptr", NULL},
    {"read pointer starts at the last entry", NULL, "rd_ptr_q <= '0", "rd_ptr_q <= LAST", "rd_ptr_q", NULL},
    {"level is not reset", NULL, "level_q  <= '0;", "", "level_q", "DEPTH=33"},
    {"a push beats reset", NULL, "if (!rst_ni) begin", "if (!rst_ni && !push_i) begin", "wr_ptr_q", NULL},
    {0},
};

static const char *const sets[] = {"", "DEPTH=1", "DEPTH=2", "DEPTH=3", "DEPTH=5", "DEPTH=16", "DEPTH=33", "DEPTH=64", NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_fifo_ctrl
#define LS_GROUP "common"
#define LS_BRIEF "control of a first-in first-out queue"
#define LS_FIELDS "tb/common/rf_fifo_ctrl.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
