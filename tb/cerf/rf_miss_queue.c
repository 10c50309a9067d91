/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_miss_queue. */
#include "cmodel/cerf/rf_miss_queue.h"

#include "harness/core/unit.h"

typedef struct rf_miss_queue_stim {
    ls_rng rng;
    uint32_t fresh;     /* probability that the offered message is a new one, in 256ths */
    uint32_t span;      /* of a phase, in cycles */
    uint32_t left;      /* cycles of the phase to come */
    uint32_t push, pop; /* probabilities of the phase, in 256ths */
    uint32_t fetch;     /* probability that a message is a fetch, in 256ths */
} rf_miss_queue_stim;

static void stim_init(rf_miss_queue_stim *s, const rf_miss_queue *m, uint64_t seed) {
    *s = (rf_miss_queue_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->fresh = ls_rng_chance(&s->rng, 128) ? 256 : 64 + ls_rng_below(&s->rng, 192);
    s->span = m->cfg.depth * (1 + ls_rng_below(&s->rng, 4)) + 8;
}

/* L2 that is busy fills the queue, one that is free drains it. */
static void next_phase(rf_miss_queue_stim *s) {
    const uint32_t most = 192 + ls_rng_below(&s->rng, 65), little = ls_rng_below(&s->rng, 96);
    s->left = s->span / 2 + ls_rng_below(&s->rng, s->span);
    s->fetch = ls_rng_below(&s->rng, 257);
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

/* A message, a fetch with a mask and data too: nothing of them may be stored. */
static void draw_message(rf_miss_queue_stim *s, const rf_miss_queue *m, rf_miss_queue_in *in) {
    const rf_miss_queue_cfg *cfg = &m->cfg;
    const bool fetch = ls_rng_chance(&s->rng, s->fetch), again = ls_rng_chance(&s->rng, 64), all = ls_rng_chance(&s->rng, 96);
    in->push_op = (uint8_t)(fetch ? RF_MISS_FETCH : ls_rng_chance(&s->rng, 8) ? 3 : 1 + ls_rng_below(&s->rng, 2));
    in->push_line = again ? m->line_q[ls_rng_below(&s->rng, cfg->depth)] : (uint32_t)ls_rng_value(&s->rng, cfg->line_w);
    in->push_entry = (uint8_t)ls_rng_value(&s->rng, cfg->entry_w);
    in->push_mask = (uint32_t)(all ? rf_mask64(cfg->lanes) : ls_rng_value(&s->rng, cfg->lanes));
    ls_rng_lanes(&s->rng, in->push_data.lane, cfg->lanes);
}

static void stim(rf_miss_queue_stim *s, const rf_miss_queue *m, rf_miss_queue_in *in) {
    if (s->left == 0) next_phase(s);
    s->left--;
    in->push = ls_rng_chance(&s->rng, s->push);
    in->pop = ls_rng_chance(&s->rng, s->pop);
    /* The message changes in cycles without a push too: nothing of it may be stored then. */
    if (ls_rng_chance(&s->rng, s->fresh)) draw_message(s, m, in);
}

/* clang-format off */
#define BINS(X) \
    X(EMPTY, "empty") X(FULL, "full") X(REFUSED, "message refused") \
    X(REFUSED_POP, "message refused although the head leaves") X(POP_EMPTY, "pop while empty ignored") \
    X(BOTH_EMPTY, "push and pop while empty") X(BOTH, "message stored while the head leaves") X(WAITS, "head waits") \
    X(WAITS_OTHERS, "head waits with others behind it") X(LAST_WRITTEN, "last entry written") \
    X(LAST_HEAD, "last entry is the head") X(FETCH, "head is a fetch") X(WRITE, "head is a write") \
    X(ATOMIC, "head is an atomic") X(OTHER, "head is none of them") X(NOTHING, "head writes no word") X(SOME, "head writes some words") \
    X(ALL, "head writes all words") X(FETCH_OVER, "head is a fetch in an entry that holds words") \
    X(FETCH_BEHIND, "a fetch is stored behind a write of its line") X(FETCH_WORDS, "a fetch is stored that brings words") \
    X(WORDS_OVER, "words are stored in an entry of a fetch that holds others")
/* clang-format on */
#define BIN_NAME(name, text) B_##name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};
#define BIN(name, cond) ((uint64_t)((cond) != 0) << B_##name)

/* A write of the line stands in the queue. */
static bool writes(const rf_miss_queue *m, uint32_t line) {
    for (uint32_t i = 0; i < m->ctrl.level_q; i++) {
        const uint32_t e = (m->ctrl.rd_ptr_q + i) % m->cfg.depth;
        if (m->op_q[e] == RF_MISS_WRITE && m->line_q[e] == line) return true;
    }
    return false;
}

static uint64_t bins(const rf_miss_queue *m, const rf_miss_queue_in *in, const rf_miss_queue_out *out) {
    const uint32_t last = m->cfg.depth - 1, all = (uint32_t)rf_mask64(m->cfg.lanes), head = m->ctrl.rd_ptr_q,
                   tail = m->ctrl.wr_ptr_q;
    const bool full = out->count == m->cfg.depth, empty = !out->valid, push = in->push && !full,
               words = in->push_op != RF_MISS_FETCH;
    const bool fetch = !empty && out->op == RF_MISS_FETCH, write = !empty && out->op == RF_MISS_WRITE;
    return BIN(EMPTY, empty) | BIN(FULL, full) | BIN(REFUSED, in->push && full) | BIN(REFUSED_POP, in->push && in->pop && full) |
           BIN(POP_EMPTY, in->pop && empty) | BIN(BOTH_EMPTY, in->push && in->pop && empty) |
           BIN(BOTH, push && in->pop && !empty) | BIN(WAITS, !empty && !in->pop) | BIN(WAITS_OTHERS, out->count > 1 && !in->pop) |
           BIN(LAST_WRITTEN, push && tail == last) | BIN(LAST_HEAD, !empty && head == last) | BIN(FETCH, fetch) |
           BIN(WRITE, write) | BIN(ATOMIC, out->op == RF_MISS_ATOMIC) | BIN(OTHER, out->op == 3) |
           BIN(NOTHING, write && out->mask == 0) | BIN(SOME, write && out->mask != 0 && out->mask != all) |
           BIN(ALL, write && out->mask == all) | BIN(FETCH_OVER, fetch && m->mask_q[head] != 0 && m->data_q[head].lane[0] != 0) |
           BIN(FETCH_BEHIND, push && !words && writes(m, in->push_line)) |
           BIN(FETCH_WORDS, push && !words && in->push_mask != 0 && in->push_data.lane[0] != 0) |
           BIN(WORDS_OVER, push && words && m->op_q[tail] == RF_MISS_FETCH && m->mask_q[tail] != in->push_mask);
}

static void unreachable(const rf_miss_queue_cfg *cfg, ls_unreachable *to) {
    ls_unreachable_if(to, cfg->depth == 1, B_BOTH, "a queue of one entry stores nothing while that leaves");
    ls_unreachable_if(to, cfg->depth == 1, B_WAITS_OTHERS, "one entry has no other behind it");
    ls_unreachable_if(to, cfg->depth == 1, B_FETCH_BEHIND, "one entry has no other behind it");
    ls_unreachable_if(to, cfg->lanes == 1, B_SOME, "some is all or none in one word");
}

static const char ctrl_sv[] = "rtl/common/rf_fifo_ctrl.sv";
#define SMALL "DEPTH=4 LANES=4"

static const ls_fault faults[] = {
    {"words stored in the head's entry", NULL, "data_q[wr_ptr] <=", "data_q[rd_ptr] <=", "data_q", SMALL},
    {"top bit of the words lost", NULL, "<= push_data_i;", "<= {1'b0, push_data_i[DATA_W-2:0]};", "data_q", SMALL},
    {"all words written", NULL, "<= push_mask_i;", "<= '1;", "mask_q", SMALL},
    {"a fetch stores a mask", NULL, "if (push_op_i != RF_MISS_FETCH) begin",
     "mask_q[wr_ptr] <= push_mask_i;\n      if (push_op_i != RF_MISS_FETCH) begin", "mask_q", SMALL},
    {"a fetch stores words", NULL, "if (push_op_i != RF_MISS_FETCH) begin",
     "data_q[wr_ptr] <= push_data_i;\n      if (push_op_i != RF_MISS_FETCH) begin", "data_q", SMALL},
    {"a write stores no words", NULL, "if (push_op_i != RF_MISS_FETCH) begin", "if (push_op_i > 2'd1) begin", "mask_q", SMALL},
    {"an atomic stores no words", NULL, "if (push_op_i != RF_MISS_FETCH) begin", "if (push_op_i[0]) begin", "mask_q", SMALL},
    {"a fetch shows what its entry held", NULL, "if (op_q[rd_ptr] != RF_MISS_FETCH) begin", "begin", "mask", SMALL},
    {"an atomic shows no words", NULL, "if (op_q[rd_ptr] != RF_MISS_FETCH) begin", "if (op_q[rd_ptr][0]) begin", "mask", SMALL},
    {"operation of the message before", NULL, "<= push_op_i;", "<= op_q[rd_ptr];", "op_q", SMALL},
    {"an operation that there is not becomes a write", NULL, "<= push_op_i;", "<= (push_op_i == 2'd3) ? 2'd1 : push_op_i;",
     "op_q", SMALL},
    {"top bit of the line lost", NULL, "<= push_line_i;", "<= {1'b0, push_line_i[LINE_W-2:0]};", "line_q", SMALL},
    {"MSHR taken from the line", NULL, "<= push_entry_i;", "<= push_line_i[ENTRY_W-1:0];", "entry_q", SMALL},
    {"only a fetch has an MSHR", NULL, "<= push_entry_i;", "<= push_entry_i & {ENTRY_W{push_op_i == RF_MISS_FETCH}};", "entry_q",
     SMALL},
    {"head's words from the entry to be written", NULL, "data_o = data_q[rd_ptr];", "data_o = data_q[wr_ptr];", "data", SMALL},
    {"head's line from entry 0", NULL, "line_q[rd_ptr]", "line_q[0]", "line", SMALL},
    {"mask shown while empty", NULL, "mask_o  = '0;", "mask_o  = valid_o ? '0 : mask_q[rd_ptr];", "mask", SMALL},
    {"head leaves without a pop", NULL, "(pop_i)", "(1'b1)", "u_ctrl.rd_ptr_q", SMALL},
    {"words are not reset", NULL, "data_q[i]  <= '0;", "", "data_q", SMALL},
    {"message accepted while full", ctrl_sv, "push_i && ready_o", "push_i", "u_ctrl.wr_ptr_q", SMALL},
    {"pop while empty moves the head", ctrl_sv, "pop_i && valid_o", "pop_i", "u_ctrl.rd_ptr_q", SMALL},
    {"the count leaves out the head", ctrl_sv, "level_o  = level_q;", "level_o  = level_q - LEVEL_W'(valid_o);", "count", SMALL},
    {"a push beats reset", NULL, "if (!rst_ni) begin", "if (!rst_ni && !push_i) begin", "op_q", SMALL},
    {0},
};

static const char *const sets[] = {"",
                                   "DEPTH=1 LANES=1 LINE_W=1 ENTRY_W=1",
                                   "DEPTH=1 LANES=4 LINE_W=7",
                                   "DEPTH=3 LANES=3 LINE_W=5 ENTRY_W=2",
                                   "DEPTH=5 LANES=1 LINE_W=25 ENTRY_W=4",
                                   "DEPTH=2 LANES=8 LINE_W=24 ENTRY_W=1",
                                   "DEPTH=16 LANES=32 LINE_W=25 ENTRY_W=4",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", "rtl/common/rf_fifo_ctrl.sv", NULL};

#define LS_UNIT rf_miss_queue
#define LS_GROUP "cerf"
#define LS_BRIEF "messages of a bank to L2, in order"
#define LS_FIELDS "tb/cerf/rf_miss_queue.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
