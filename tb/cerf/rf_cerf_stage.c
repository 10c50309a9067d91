/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_cerf_stage: any heads and results (rf_stage_illegal.h) in front of a memory that takes
 * what it likes and answers when it likes. That the stage computes what a GPU computes is checked with a memory: rf_cerf. */
#include "cmodel/cerf/rf_cerf_stage.h"

#include "cmodel/cerf/rf_miss_ocu_parts.h"
#include "harness/core/unit.h"
#include "tb/banked/env/rf_stage_illegal.h"

typedef struct rf_cerf_stage_stim {
    rf_stage_illegal heads;
    ls_rng rng;
    /* Probabilities, in 256ths. */
    uint32_t accept; /* a request is taken */
    uint32_t fill;   /* an operand comes */
    uint32_t write;  /* a head is taken */
    uint32_t last;   /* a head's slot reads its register last */
    uint32_t stray;  /* requests are taken that nobody makes, and the like */
} rf_cerf_stage_stim;

static void stim_init(rf_cerf_stage_stim *s, const rf_cerf_stage *m, uint64_t seed) {
    static const uint32_t shares[] = {12, 64, 160, 256};
    const rf_cerf_stage_cfg *c = &m->cfg;
    const rf_stage_cfg cfg = {.warps = c->warps,
                              .collectors = c->collectors,
                              .banks = 1,
                              .regs = c->regs,
                              .lanes = c->lanes,
                              .slots = c->slots,
                              .exports = c->exports,
                              .issues = c->issues,
                              .wbdepth = c->wbdepth,
                              .unrotated = true};
    rf_stage_illegal_init(&s->heads, &cfg, seed);
    s->heads.from = 0;
    ls_rng_seed(&s->rng, ls_seed_derive(seed, "memory"));
    if (ls_rng_chance(&s->rng, 192)) s->heads.astray = 0; /* collectors that are never dispatched end the epoch's reads */
    s->accept = shares[ls_rng_below(&s->rng, 4)];
    s->fill = shares[ls_rng_below(&s->rng, 4)];
    s->write = shares[ls_rng_below(&s->rng, 4)];
    s->last = shares[ls_rng_below(&s->rng, 3)];
    s->stray = 2u << ls_rng_below(&s->rng, 4);
}

/* Slots that wait for an operand of their own. */
static uint64_t awaited(const rf_cerf_stage *m) {
    uint64_t slots = 0;
    for (uint32_t c = 0; c < m->cfg.collectors; c++) slots |= (uint64_t)rf_miss_ocu_awaited(&m->ocu[c]) << (c * m->cfg.slots);
    return slots;
}

static void stim(rf_cerf_stage_stim *s, const rf_cerf_stage *m, rf_cerf_stage_in *in) {
    const rf_cerf_stage_cfg *cfg = &m->cfg;
    const uint32_t readers = cfg->collectors * cfg->slots;
    (void)rf_stage_illegal_now(&s->heads);
    rf_stage_illegal_inputs(&s->heads, &in->stage);
    for (uint32_t w = 0; w < cfg->warps; w++)
        if ((s->heads.fresh >> w & 1) != 0 || ls_rng_chance(&s->rng, s->stray))
            in->ib_last[w] = (uint8_t)ls_rng_bits(&s->rng, cfg->slots, s->last);
    uint64_t asks = 0;
    for (uint32_t c = 0; c < cfg->collectors; c++) asks |= (uint64_t)rf_miss_ocu_asks(&m->ocu[c]) << (c * cfg->slots);
    in->rd_accept = ls_rng_bits(&s->rng, readers, s->accept) & asks;
    in->rd_fill = ls_rng_bits(&s->rng, readers, s->fill) & awaited(m);
    in->wr_accept = (uint8_t)ls_rng_bits(&s->rng, cfg->exports, s->write);
    if (ls_rng_chance(&s->rng, s->stray)) in->rd_accept |= ls_rng_value(&s->rng, readers);
    if (ls_rng_chance(&s->rng, s->stray)) in->rd_fill |= ls_rng_value(&s->rng, readers);
    for (uint64_t left = in->rd_fill; left != 0; left &= left - 1)
        ls_rng_lanes(&s->rng, in->rd_data[rf_lowest(left)].lane, cfg->lanes);
}

static void observe(rf_cerf_stage_stim *s, const rf_cerf_stage_in *in, const rf_cerf_stage_out *out) {
    rf_stage_illegal_observe(&s->heads, &in->stage, &out->stage);
}

/* clang-format off */
#define BINS(X)                                                                                                                  \
    X(ISSUE, "an instruction issues")                                                                                            \
    X(ISSUES, "several groups issue")                                                                                            \
    X(HAZARD, "a head waits for a hazard")                                                                                       \
    X(NO_COLLECTOR, "a ready instruction finds no collector")                                                                    \
    X(SOME_COLLECTOR, "one group gets a collector, another does not")                                                            \
    X(INACTIVE, "an instruction without lanes issues")                                                                           \
    X(ACCEPT, "a request is taken")                                                                                              \
    X(ACCEPTS, "requests of several collectors are taken")                                                                       \
    X(REFUSED, "a request waits")                                                                                                \
    X(ACCEPT_STRAY, "a request is taken that nobody made")                                                                       \
    X(SAME, "two collectors ask for one register")                                                                               \
    X(LAST, "a register's last read is taken")                                                                                   \
    X(LAST_WAITS, "a register's last read waits")                                                                                \
    X(LIVES_ON, "a last read is not the last in the collectors")                                                                 \
    X(FILL, "an operand comes")                                                                                                  \
    X(FILLS, "operands of several collectors come")                                                                              \
    X(FILL_SAME, "an operand comes with its request")                                                                            \
    X(FILL_STRAY, "an operand comes for nobody")                                                                                 \
    X(OFFER, "an instruction is dispatched")                                                                                     \
    X(OFFERS, "several ports dispatch")                                                                                          \
    X(OFFER_WAITS, "an offer waits for its port")                                                                                \
    X(CONFLICT, "several collectors are ready")                                                                                  \
    X(RESULT, "a result enters its queue")                                                                                       \
    X(QUEUE_FULL, "a result finds its queue full")                                                                               \
    X(WRITE, "the head of a queue is taken")                                                                                     \
    X(WRITES, "heads of several queues are taken")                                                                               \
    X(WRITE_WAITS, "the head of a queue waits")                                                                                  \
    X(WRITE_STRAY, "the head of an empty queue is taken")                                                                        \
    RF_STAGE_ILLEGAL_BINS(X)
/* clang-format on */

#define BIN_NAME(name, text) name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};

static uint64_t bin(bool hit, uint32_t number) { return (uint64_t)hit << number; }
static bool several(uint32_t set) { return (set & (set - 1)) != 0; }

/* Collectors that have one of these slots. */
static uint32_t collectors_of(const rf_cerf_stage *m, uint64_t readers) {
    uint32_t set = 0;
    for (uint64_t left = readers; left != 0; left &= left - 1) set |= 1u << rf_lowest(left) / m->cfg.slots;
    return set;
}

static bool same_register(const rf_cerf_stage *m, const rf_cerf_stage_out *out) {
    uint64_t above = out->rd_valid;
    while (above != 0) {
        const uint32_t r = rf_lowest(above);
        above &= above - 1;
        for (uint64_t left = above; left != 0; left &= left - 1)
            if (rf_lowest(left) / m->cfg.slots != r / m->cfg.slots && out->rd_number[rf_lowest(left)] == out->rd_number[r])
                return true;
    }
    return false;
}

static uint64_t issue_bins(const rf_cerf_stage_in *in, const rf_cerf_stage_out *out) {
    const uint32_t refused = out->wires.chosen & ~(uint32_t)out->issue_valid;
    bool inactive = false;
    for (uint32_t left = out->issue_valid; left != 0; left &= left - 1)
        inactive |= in->ib_mask[out->issue_warp[rf_lowest(left)]] == 0;
    return bin(out->issue_valid != 0, ISSUE) | bin(several(out->issue_valid), ISSUES) |
           bin((in->ib_valid & out->wires.hazard) != 0, HAZARD) | bin(refused != 0, NO_COLLECTOR) |
           bin(refused != 0 && out->issue_valid != 0, SOME_COLLECTOR) | bin(inactive, INACTIVE);
}

static uint64_t bins(const rf_cerf_stage *m, const rf_cerf_stage_in *in, const rf_cerf_stage_out *out) {
    const uint64_t accepted = in->rd_accept & out->rd_valid, waits = awaited(m), filled = in->rd_fill & waits;
    const uint32_t offered = out->ex_valid & in->ex_ready, written = in->wr_accept & out->wr_valid;
    uint64_t hit = issue_bins(in, out) | bin(accepted != 0, ACCEPT) | bin(several(collectors_of(m, accepted)), ACCEPTS) |
                   bin((out->rd_valid & ~accepted) != 0, REFUSED) | bin((in->rd_accept & ~out->rd_valid) != 0, ACCEPT_STRAY);
    hit |= bin(same_register(m, out), SAME) | bin((accepted & out->rd_dead) != 0, LAST) |
           bin((out->rd_dead & ~accepted) != 0, LAST_WAITS) | bin((out->wires.rd_last & ~out->rd_dead) != 0, LIVES_ON);
    hit |= bin(filled != 0, FILL) | bin(several(collectors_of(m, filled)), FILLS) |
           bin((in->rd_fill & accepted) != 0, FILL_SAME) | bin((in->rd_fill & ~waits) != 0, FILL_STRAY);
    hit |= bin(offered != 0, OFFER) | bin(several(offered), OFFERS) | bin((out->ex_valid & ~in->ex_ready) != 0, OFFER_WAITS) |
           bin(several(out->wires.collected), CONFLICT);
    hit |= bin((in->res_valid & out->res_ready) != 0, RESULT) | bin((in->res_valid & ~out->res_ready) != 0, QUEUE_FULL);
    hit |= bin(written != 0, WRITE) | bin(several(written), WRITES) | bin((out->wr_valid & ~in->wr_accept) != 0, WRITE_WAITS) |
           bin((in->wr_accept & ~out->wr_valid) != 0, WRITE_STRAY);
    return hit | rf_stage_illegal_bins(&m->units.scoreboard, m->cfg.exports, &in->stage, &out->stage) << NOT_WAITED_FOR;
}

static void unreachable(const rf_cerf_stage_cfg *cfg, ls_unreachable *to) {
    static const uint8_t collectors[] = {SOME_COLLECTOR, ACCEPTS, SAME, LIVES_ON, FILLS, CONFLICT, OFFERS, ISSUES};
    static const uint8_t last[] = {LAST, LAST_WAITS, LIVES_ON};
    for (size_t i = 0; i < sizeof collectors; i++) ls_unreachable_if(to, cfg->collectors == 1, collectors[i], "one collector");
    for (size_t i = 0; i < sizeof last; i++) ls_unreachable_if(to, cfg->liveness == 0, last[i], "without liveness");
    ls_unreachable_if(to, cfg->issues == 1, ISSUES, "one group");
    ls_unreachable_if(to, cfg->issues == 1, SOME_COLLECTOR, "one group");
    ls_unreachable_if(to, cfg->exports == 1, OFFERS, "one port");
    ls_unreachable_if(to, cfg->exports == 1, WRITES, "one queue");
    ls_unreachable_if(to, cfg->exports == 1u << rf_index_bits(cfg->exports), NO_PORT, "every number is that of a port");
}

/* A queue's: its places in banks are not used. */
LS_LIST_LIKE(rf_cerf_stage_wbq, rf_stage_wbq) {
    ls_fields_constant(fields, LS_STATE, "note_q", true, "results of this stage carry nothing along");
    ls_fields_constant(fields, LS_STATE, "bank_q", true, "where a register lies is the memory's");
    ls_fields_constant(fields, LS_STATE, "row_q", true, "where a register lies is the memory's");
}

/* A collector's, without last reads. */
LS_LIST_LIKE(rf_cerf_stage_ocu, rf_miss_ocu) { ls_fields_constant(fields, LS_STATE, "last_q", true, "no read is the last"); }

#define TINY "WARPS=4 COLLECTORS=3 REGS=8 LANES=1 EXPORTS=2"
#define TWO TINY " ISSUES=2"

static const ls_fault faults[] = {
    {"hazards ignored", NULL, "ib_valid_i & ~hazard", "ib_valid_i", "issue_warp", TINY},
    {"mask 0 does not disable sources", NULL, " & {SLOTS{active}}", "", "issue_warp", TINY},
    {"mask 0 does not disable the destination", NULL, "ib_dst_valid_i[w] && active", "ib_dst_valid_i[w]",
     "u_scoreboard.pending_q", TINY},
    {"a register's number without its warp", NULL, ".warp_i(head_warp[i/SLOTS*WARP_W +: WARP_W])", ".warp_i('0)",
     "gen_ocu[1].u_ocu.number_q", TINY},
    {"last reads without liveness", NULL, "LIVENESS != 0 ? ib_last_i", "1'b1 ? ib_last_i", "gen_ocu[0].u_ocu.last_q",
     TINY " LIVENESS=0"},
    {"a register dies that another collector has yet to read", NULL, "last & ~shared", "last", "rd_dead", TINY},
    {"registers never die", NULL, "rd_dead_o = last & ~shared", "rd_dead_o = '0", "rd_dead", TINY},
    {"a collector's own slots keep a register alive", NULL, "o / SLOTS != r / SLOTS && unread[o]", "o != r && unread[o]",
     "rd_dead", TINY},
    {"who has asked keeps a register alive", NULL, "o / SLOTS != r / SLOTS && unread[o]", "o / SLOTS != r / SLOTS", "rd_dead",
     TINY},
    {"scoreboard cleared at the request", NULL, ".clr_i          (wr_valid_o & wr_accept_i)", ".clr_i          (wr_valid_o)",
     "u_scoreboard.pending_q", TINY},
    {"scoreboard cleared by an empty queue", NULL, ".clr_i          (wr_valid_o & wr_accept_i)", ".clr_i          (wr_accept_i)",
     "u_scoreboard.pending_q", TINY},
    {"reads count as read when they ask", NULL, ".rdp_i          (unread)", ".rdp_i          (unread & ~rd_valid_o)",
     "issue_warp", TINY},
    {"reads count for another warp", NULL, "= {SLOTS{warp}}", "= '0", "issue_warp", TINY},
    {"a result leaves its queue when it asks", NULL, ".grant_i    (wr_accept_i[e])", ".grant_i    (wr_valid_o[e])",
     "gen_wbq[0].u_wbq.u_ctrl.rd_ptr_q", TINY},
    {"a result's number without its warp", NULL, ".warp_i(wr_warp[e*WARP_W +: WARP_W])", ".warp_i('0)", "wr_number", TINY},
    {"operands in reverse slot order", NULL, "data[s*DATA_W +: DATA_W]", "data[(SLOTS-1-s)*DATA_W +: DATA_W]", "ex_data", TINY},
    {"an operand for every collector", NULL, "rd_fill_i[c*SLOTS +: SLOTS]", "rd_fill_i[SLOTS-1:0]", "gen_ocu[1].u_ocu.wait_q",
     TINY},
    {"a request of the first collector is taken for all", NULL, "rd_accept_i[c*SLOTS +: SLOTS]", "rd_accept_i[SLOTS-1:0]",
     "gen_ocu[1].u_ocu.wait_q", TINY},
    {"a warp that is refused counts as issued", NULL,
     "rf_sched_gto #(.WARPS(GROUP)) u_sched (\n        .clk_i(clk_i), .rst_ni(rst_ni),\n        .ready_i(group_ready), "
     ".launch_i(group_launch), .take_i(granted[g])",
     "rf_sched_gto #(.WARPS(GROUP)) u_sched (\n        .clk_i(clk_i), .rst_ni(rst_ni),\n        .ready_i(group_ready), "
     ".launch_i(group_launch), .take_i(chosen[g])",
     "gen_issue[1].gen_gto.u_sched.last_valid_q", TWO},
    {"the refused warp's destination is waited for", NULL, "granted & head_dst_valid", "chosen & head_dst_valid",
     "u_scoreboard.pending_q", TINY},
    {"collector takes the instruction of group 0", NULL, "if (from == ISSUE_W'(g)) taken = head",
     "if (from != from) taken = head", "gen_ocu[1].u_ocu.carried_q.warp", TWO},
    {"collector takes the numbers of group 0", NULL, "head_number[from*SLOTS*NUMBER_W +: SLOTS*NUMBER_W]",
     "head_number[SLOTS*NUMBER_W-1:0]", "gen_ocu[1].u_ocu.number_q", TWO},
    {"collector takes the last reads of group 0", NULL, "head_last[from*SLOTS +: SLOTS]", "head_last[SLOTS-1:0]",
     "gen_ocu[2].u_ocu.last_q", TWO},
    {"warps of a group counted without the other groups", NULL, "WARP_W'(chosen_local) * WARP_W'(ISSUES)",
     "WARP_W'(chosen_local)", "issue_warp", TWO},
    {0},
};

#undef TINY
#undef TWO

static const char *const sets[] = {"",
                                   "LIVENESS=0 SCHED=1",
                                   "ISSUES=2 WARPS=48 REGS=21 SCHED=2 LANES=8",
                                   "ISSUES=4 WARPS=64 COLLECTORS=16 SLOTS=4 REGS=256 EXPORTS=8 LANES=2",
                                   "ISSUES=3 WARPS=9 COLLECTORS=5 SLOTS=2 REGS=9 EXPORTS=5 LANES=3 SCHED=1 WBDEPTH=3",
                                   "WARPS=6 COLLECTORS=8 SLOTS=8 REGS=33 EXPORTS=2 LANES=4 SCHED=2 FETCH=4 WBDEPTH=16",
                                   "WARPS=4 COLLECTORS=1 SLOTS=1 REGS=2 EXPORTS=1 LANES=1 WBDEPTH=1",
                                   "WARPS=2 COLLECTORS=2 SLOTS=2 REGS=3 EXPORTS=3 LANES=1 WBDEPTH=1 LIVENESS=0",
                                   NULL};

static const char *const rtl[] = {"rtl/common/rf_pkg.sv",
                                  "rtl/common/rf_rr.sv",
                                  "rtl/common/rf_fifo_ctrl.sv",
                                  "rtl/banked/rf_banked_pkg.sv",
                                  "rtl/banked/rf_sched_gto.sv",
                                  "rtl/banked/rf_sched_lrr.sv",
                                  "rtl/banked/rf_sched_groups.sv",
                                  "rtl/banked/rf_scoreboard.sv",
                                  "rtl/banked/rf_ocu_alloc.sv",
                                  "rtl/banked/rf_crossbar.sv",
                                  "rtl/banked/rf_dispatch.sv",
                                  "rtl/banked/rf_wbq.sv",
                                  "rtl/banked/rf_stage_head.sv",
                                  "rtl/banked/rf_stage_exec.sv",
                                  "rtl/cerf/rf_reindex.sv",
                                  "rtl/cerf/rf_miss_ocu.sv",
                                  NULL};

#define LS_UNIT rf_cerf_stage
#define LS_GROUP "cerf"
#define LS_BRIEF "operand stage in front of an integrated memory"
#define LS_FIELDS "tb/cerf/rf_cerf_stage.fields"
#define LS_OBSERVE
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
