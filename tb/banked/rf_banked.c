/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_banked: the environment of rf_stage_env.h does the work. */
#include "cmodel/banked/rf_banked.h"

#include "harness/core/unit.h"
#include "tb/banked/env/rf_banked_count.h"
#include "tb/banked/env/rf_stage_env.h"
#include "tb/banked/env/rf_stage_illegal.h"

typedef struct rf_banked_stim {
    rf_stage_env *env;
    rf_stage_illegal illegal;
    rf_banked_cfg cfg;
    rf_banked_count count;
} rf_banked_stim;

static void stim_init(rf_banked_stim *s, const rf_banked *m, uint64_t seed) {
    const rf_banked_cfg *c = &m->cfg;
    const rf_stage_cfg cfg = {.warps = c->warps,
                              .collectors = c->collectors,
                              .banks = c->banks,
                              .regs = c->regs,
                              .lanes = c->lanes,
                              .slots = c->slots,
                              .exports = c->exports,
                              .issues = c->issues,
                              .wbdepth = c->wbdepth};
    *s = (rf_banked_stim){.env = rf_stage_env_new(&cfg, NULL, seed), .cfg = *c};
    rf_stage_illegal_init(&s->illegal, &cfg, seed);
}

static void stim_free(rf_banked_stim *s) { rf_stage_env_free(s->env); }

static const rf_vec *bank_register(const void *model, uint32_t warp, uint32_t reg, rf_vec *room) {
    const rf_banked *m = model;
    const uint32_t banks = m->cfg.banks;
    (void)room;
    return &m->bank[rf_map_bank(warp, reg, banks)].mem_q[rf_map_row(warp, reg, banks, rf_map_rows_per_warp(m->cfg.regs, banks))];
}

static void stim(rf_banked_stim *s, const rf_banked *m, rf_banked_in *in) {
    if (rf_stage_illegal_now(&s->illegal)) {
        rf_stage_illegal_inputs(&s->illegal, &in->stage);
        return;
    }
    rf_stage_view view;
    view.model = m;
    view.value = bank_register;
    view.collecting = 0;
    for (uint32_t c = 0; c < m->cfg.collectors; c++) view.collecting += m->ocu[c].busy_q;
    for (uint32_t e = 0; e < m->cfg.exports; e++) view.level[e] = m->wbq[e].ctrl.level_q;
    rf_stage_env_inputs(s->env, &view, &in->stage);
}

static void observe(rf_banked_stim *s, const rf_banked_in *in, const rf_banked_out *out) {
    if (s->illegal.on) {
        rf_stage_illegal_observe(&s->illegal, &in->stage, &out->stage);
        return;
    }
    const rf_stage_waits waits = rf_stage_env_waits(s->env, &in->stage, out->wires.chosen, out->wires.hazard);
    rf_stage_env_observe(s->env, &in->stage, &out->stage, out->wires.arbiter.wr_grant);
    rf_banked_count_cycle(&s->count, &s->cfg, in, out, &waits);
}

static bool done(const rf_banked_stim *s) { return rf_stage_env_done(s->env); }
static const char *workload_error(const rf_banked_stim *s) { return rf_stage_env_workload_error(s->env); }
static uint64_t workload_unknown(const rf_banked_stim *s, const char **first) {
    return rf_stage_env_workload_unknown(s->env, first);
}
static const char *property(const rf_banked_stim *s) { return rf_stage_env_property(s->env); }

static int workload(rf_banked_stim *s, const rf_banked *m, const struct rf_source *source, const char *path, char *error,
                    size_t size) {
    (void)m;
    s->illegal.from = UINT64_MAX;
    return rf_stage_env_workload(s->env, source, path, error, size);
}

static uint64_t legal(const rf_banked_stim *s) { return s->illegal.from; }

static int surround(rf_banked_stim *s, const ls_settings *settings, char *error, size_t size) {
    return rf_stage_env_surround(s != NULL ? s->env : NULL, settings, error, size);
}

static uint32_t copies(const rf_banked_stim *s) { return rf_stage_env_cores(s->env); }

static void join(rf_banked_stim *s, rf_banked_stim *first, uint32_t number) {
    s->illegal.from = UINT64_MAX;
    rf_stage_env_join(s->env, first->env, number);
}

static void counters(const rf_banked_stim *s, const rf_banked *m, ls_counter_fn *sink, void *ctx) {
    rf_stage_env_counters(s->env, sink, ctx);
    rf_banked_count_report(&s->count, &m->cfg, rf_stage_env_wires(s->env), sink, ctx);
}

static uint32_t touched(const rf_banked *m, const rf_banked_in *in, const rf_banked_out *out, ls_touch *list) {
    (void)in;
    const uint32_t n = rf_stage_touched(out->wires.arbiter.bank_we, out->wires.arbiter.bank_waddr, list);
    return rf_stage_illegal_touched(list, n, m->bank[0].cfg.rows);
}

#define BIN_NUMBER(name, text) BIN_##name,
#define BIN_TEXT(name, text) text,
static const char *const bin_names[] = {"an instruction issues",
                                        "nothing in the collectors",
                                        "read waits for a read",
                                        "read and write meet at a bank",
                                        "write waits for a write",
                                        "all collectors busy",
                                        "no collector for a chosen warp",
                                        "write-back queue full",
                                        "result waits for its queue",
                                        "same register in several slots",
                                        "partial mask",
                                        "mask 0 with operands",
                                        "no sources",
                                        "all slots used",
                                        "no destination",
                                        "RAW wait",
                                        "WAW wait",
                                        "WAR wait",
                                        "launch",
                                        "several launches at once",
                                        "launch and issue of one slot at once",
                                        "several grants to one collector",
                                        "reads of several collectors at once",
                                        "collectors compete for a port",
                                        "port not ready",
                                        "several ports dispatch at once",
                                        "several results accepted at once",
                                        "all heads of a group wait",
                                        "several groups issue at once",
                                        "one group issues, another finds no collector",
                                        "group 0 stalls",
                                        "group 1 stalls",
                                        "group 2 stalls",
                                        "group 3 stalls",
                                        RF_STAGE_ILLEGAL_BINS(BIN_TEXT) NULL};

enum { BIN_RAW = 15, BIN_WAW, BIN_WAR, BIN_GROUP_3_STALLS = 33, RF_STAGE_ILLEGAL_BINS(BIN_NUMBER) };

static uint64_t several(uint64_t set) { return (set & (set - 1)) != 0; }

static uint64_t pending(const rf_banked *m, uint32_t w, uint32_t reg) {
    return m->scoreboard.pending_q[w].w[reg >> 6] >> (reg & 63) & 1;
}

static uint64_t group_warps(const rf_banked_cfg *cfg, uint32_t g) {
    uint64_t warps = 0;
    for (uint32_t w = g; w < cfg->warps; w += cfg->issues) warps |= UINT64_C(1) << w;
    return warps;
}

/* Why the head of warp w waits. A step may already have moved the model: what still holds after the edge held before it. */
static uint64_t hazard_bins(const rf_banked *m, const rf_banked_in *in, uint32_t w) {
    uint64_t bins = 0;
    for (uint32_t left = in->ib_src_valid[w]; left != 0; left &= left - 1)
        bins |= pending(m, w, in->ib_src[w * m->cfg.slots + rf_lowest(left)]) << BIN_RAW;
    if ((in->ib_dst_valid >> w & 1) == 0) return bins;
    bins |= pending(m, w, in->ib_dst[w]) << BIN_WAW;
    for (uint32_t c = 0; c < m->cfg.collectors; c++) {
        const rf_ocu *u = &m->ocu[c];
        if (u->carried_q.warp != w) continue;
        for (uint32_t left = (uint32_t)(u->src_valid_q & ~(u->fill_q | u->ready_q)); left != 0; left &= left - 1)
            bins |= (uint64_t)(u->src_q[rf_lowest(left)] == in->ib_dst[w]) << BIN_WAR;
    }
    return bins;
}

static uint64_t issue_bins(const rf_banked *m, const rf_banked_in *in, uint32_t w) {
    const uint32_t slots = m->cfg.slots, full = (uint32_t)rf_mask64(m->cfg.lanes), mask = in->ib_mask[w];
    const bool dst = (in->ib_dst_valid >> w & 1) != 0;
    const uint32_t src = in->ib_src_valid[w];
    uint64_t repeated = 0;
    for (uint32_t left = mask != 0 ? src & (src - 1) : 0; left != 0; left &= left - 1)
        repeated |= in->ib_src[w * slots + rf_lowest(left)] == in->ib_src[w * slots + rf_lowest(src)];
    return UINT64_C(1) << 0 | repeated << 9 | (uint64_t)(mask != 0 && mask != full) << 10 |
           (uint64_t)(mask == 0 && (dst || src != 0)) << 11 | (uint64_t)(src == 0) << 12 |
           (uint64_t)(src == rf_mask64(slots)) << 13 | (uint64_t)!dst << 14 | (in->launch >> w & 1) << 20;
}

/* Those of the collectors whose port exists. */
static uint32_t with_a_port(const rf_banked *m, uint32_t collectors) {
    uint32_t with = 0;
    for (uint32_t left = collectors; left != 0; left &= left - 1)
        with |= (uint32_t)(m->ocu[rf_lowest(left)].port_q < m->cfg.exports) << rf_lowest(left);
    return with;
}

static uint64_t bins(const rf_banked *m, const rf_banked_in *in, const rf_banked_out *out) {
    const rf_banked_cfg *cfg = &m->cfg;
    const rf_banked_wires *x = &out->wires;
    const uint32_t groups = (1u << cfg->issues) - 1, exports = (1u << cfg->exports) - 1;
    const uint64_t lost_reads = x->arbiter_in.rd_valid & ~x->arbiter.rd_grant;
    const uint32_t lost_writes = x->arbiter_in.wr_valid & ~(uint32_t)x->arbiter.wr_grant;
    uint64_t hit = 0;

    for (uint64_t left = lost_reads; left != 0; left &= left - 1)
        hit |= UINT64_C(1) << ((x->arbiter.bank_re >> x->arbiter_in.rd_bank[rf_lowest(left)] & 1) != 0 ? 2 : 3);
    for (uint32_t left = out->issue_valid; left != 0; left &= left - 1)
        hit |= issue_bins(m, in, out->issue_warp[rf_lowest(left)]);
    if (x->hazard != 0) hit |= hazard_bins(m, in, rf_lowest(x->hazard));
    uint64_t readers = 0;
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        const uint64_t grant = x->arbiter.rd_grant >> (c * cfg->slots) & rf_mask64(cfg->slots);
        hit |= several(grant) << 21;
        readers |= (uint64_t)(grant != 0) << c;
    }

    hit |= (uint64_t)(x->busy == 0) << 1;
    hit |= (uint64_t)((x->arbiter.bank_re & x->arbiter.bank_we) != 0) << 3;
    hit |= (uint64_t)(lost_writes != 0) << 4;
    hit |= (uint64_t)(x->busy == rf_mask64(cfg->collectors)) << 5;
    hit |= (uint64_t)((x->chosen & ~x->alloc.grant) != 0) << 6;
    hit |= (uint64_t)(out->res_ready != exports) << 7;
    hit |= (uint64_t)((in->res_valid & ~out->res_ready) != 0) << 8;
    hit |= (uint64_t)(in->launch != 0) << 18 | several(in->launch) << 19;
    hit |= several(readers) << 22;
    hit |= (uint64_t)(__builtin_popcount(with_a_port(m, x->collected)) > __builtin_popcount(out->ex_valid)) << 23;
    hit |= (uint64_t)((out->ex_valid & ~in->ex_ready) != 0) << 24;
    hit |= several(out->ex_valid & in->ex_ready) << 25;
    hit |= several(in->res_valid & out->res_ready) << 26;
    for (uint32_t g = 0; x->hazard != 0 && g < cfg->issues; g++) {
        const uint64_t of_group = group_warps(cfg, g);
        hit |= (uint64_t)((x->ready & of_group) == 0 && (x->hazard & of_group) != 0) << 27;
    }
    hit |= several(out->issue_valid) << 28;
    hit |= (uint64_t)(x->alloc.grant != 0 && (x->chosen & ~x->alloc.grant) != 0) << 29;
    hit |= (uint64_t)(~(uint32_t)out->issue_valid & groups) << 30;
    return hit | rf_stage_illegal_bins(&m->scoreboard, cfg->exports, &in->stage, &out->stage) << BIN_NOT_WAITED_FOR;
}

/* A collector's registers, and what need not change: it can only where a part's own stimulus is out of range. */
LS_LIST_LIKE(rf_banked_ocu, rf_ocu) {
    const rf_ocu_cfg *cfg = &((const rf_ocu *)model)->cfg;
    ls_fields_rare(fields, LS_STATE, "carried_q.warp", cfg->warps == 1, "there is one warp");
    ls_fields_rare(fields, LS_STATE, "port_q", cfg->exports == 1, "there is one port");
    ls_fields_rare(fields, LS_STATE, "carried_q.dst", cfg->regs == 1, "there is one register");
    ls_fields_rare(fields, LS_STATE, "src_q", cfg->regs == 1, "there is one register");
    ls_fields_rare(fields, LS_STATE, "bank_q", cfg->banks == 1, "there is one bank");
    ls_fields_rare(fields, LS_STATE, "row_q", cfg->rows == 1, "there is one row");
}

/* A queue's. */
LS_LIST_LIKE(rf_banked_wbq, rf_stage_wbq) {
    ls_fields_constant(fields, LS_STATE, "note_q", true, "results of this system carry nothing along");
}

#define PAIR "WARPS=8 ISSUES=2 COLLECTORS=2 BANKS=2 REGS=8 LANES=1 EXPORTS=1"
#define TINY "WARPS=4 COLLECTORS=1 BANKS=2 REGS=8 LANES=1 EXPORTS=1"

static void unreachable(const rf_banked_cfg *cfg, ls_unreachable *to) {
    ls_unreachable_if(to, cfg->collectors * cfg->slots == 1, 2, "one slot reads");
    ls_unreachable_if(to, cfg->exports == 1, 4, "one writer, which no other holds up");
    ls_unreachable_if(to, cfg->exports == 1, 26, "one writer, which no other holds up");
    ls_unreachable_if(to, cfg->exports == 1 && cfg->wbdepth > 1, 7, "one writer, which no other holds up");
    ls_unreachable_if(to, cfg->exports == 1 && cfg->wbdepth > 1, 8, "one writer, which no other holds up");
    ls_unreachable_if(to, cfg->slots == 1, 9, "one slot");
    ls_unreachable_if(to, cfg->lanes == 1, 10, "some is all or none in one lane");
    ls_unreachable_if(to, cfg->warps == 1, 19, "one warp");
    ls_unreachable_if(to, cfg->slots == 1 || cfg->banks == 1, 21, "one slot, or one bank");
    ls_unreachable_if(to, cfg->serial == 1, 21, "one slot asks");
    ls_unreachable_if(to, cfg->collectors == 1 || cfg->banks == 1, 22, "one collector, or one bank");
    ls_unreachable_if(to, cfg->collectors == 1, 23, "one collector");
    ls_unreachable_if(to, cfg->collectors == 1 || cfg->exports == 1, 25, "one collector, or one port");
    ls_unreachable_if(to, cfg->collectors == 1, 28, "one collector");
    ls_unreachable_if(to, cfg->issues == 1, 28, "one group");
    ls_unreachable_if(to, cfg->issues == 1, 29, "one group");
    ls_unreachable_if(to, cfg->exports == 1u << rf_index_bits(cfg->exports), BIN_NO_PORT, "every number is that of a port");
    for (uint32_t g = cfg->issues; g < 4; g++) ls_unreachable_if(to, true, 30 + g, "there is no such group");
}

static const ls_fault faults[] = {
    {"mask 0 does not disable sources", NULL, " & {SLOTS{active}}", "", "gen_ocu[0].u_ocu.src_valid_q", TINY},
    {"mask 0 does not disable the destination", NULL, "ib_dst_valid_i[w] && active", "ib_dst_valid_i[w]",
     "u_scoreboard.pending_q", TINY},
    {"hazards ignored", NULL, "ib_valid_i & ~hazard", "ib_valid_i", "issue_warp", TINY},
    {"launch not passed to the scheduler", NULL, "launch_i[g + i*ISSUES]", "1'b0", "gen_issue[0].gen_gto.u_sched.older_q", TINY},
    {"warps of a group counted without the other groups", NULL, "WARP_W'(chosen_local) * WARP_W'(ISSUES)",
     "WARP_W'(chosen_local)", "issue_warp", PAIR},
    {"issue_warp of a warp that does not issue", NULL, "granted[g] ? warp : '0", "warp", "issue_warp", TINY},
    {"destination pending without an issue", NULL, "(granted & head_dst_valid)", "(chosen & head_dst_valid)",
     "u_scoreboard.pending_q", TINY},
    {"scoreboard cleared at the request, not at the write", NULL, ".clr_i          (wr_grant)", ".clr_i          (wr_valid)",
     "u_scoreboard.pending_q", "WARPS=4 COLLECTORS=1 BANKS=1 REGS=8 LANES=1"},
    {"collector takes the instruction of group 0", NULL, "from = which[c*ISSUE_W +: ISSUE_W]",
     "from = '0 & which[c*ISSUE_W +: ISSUE_W]", "gen_ocu[1].u_ocu.carried_q.warp", PAIR},
    {"dispatch before the operands are there", NULL, ".collected_i (collected)", ".collected_i (busy)", "ex_valid", TINY},
    {"sources taken as read ahead", NULL, ".alloc_fill_i({SLOTS{1'b0}})", ".alloc_fill_i({SLOTS{1'b1}})",
     "gen_ocu[0].u_ocu.fill_q", TINY},
    {"operands in reverse slot order", NULL, "data[s*DATA_W +: DATA_W]", "data[(SLOTS-1-s)*DATA_W +: DATA_W]", "ex_data", TINY},
    {"all lanes of a result written", "rtl/banked/rf_stage_results.sv", ".push_mask_i(res_mask_i[e*LANES +: LANES])",
     ".push_mask_i({LANES{1'b1}})", "u_results.gen_wbq[0].u_wbq.mask_q", "WARPS=4 COLLECTORS=1 BANKS=2 REGS=8 LANES=2 EXPORTS=1"},
    {"bank without the warp's share", "rtl/banked/rf_banked_pkg.sv", "({1'b0, register} + {3'b0, warp}) %",
     "({1'b0, register} + {3'b0, 6'(warp & 6'd0)}) %", "gen_ocu[0].u_ocu.bank_q", TINY},
    {"row without the register's share", "rtl/banked/rf_banked_pkg.sv", " + {2'b0, register / {2'b0, banks}}",
     " + {2'b0, 8'd0 & (register / {2'b0, banks})}", "gen_ocu[0].u_ocu.row_q", TINY},
    {"a register named twice fills one slot", "rtl/banked/rf_ocu.sv", "granted[s] || (unread[s] && (granted & same) != '0)",
     "granted[s]", "gen_ocu[0].u_ocu.fill_q", TINY},
    {"write does not beat read", "rtl/banked/rf_arbiter.sv", "(PORTS == 1) && write", "1'b0 && write", "gen_ocu[0].u_ocu.fill_q",
     TINY},
    {"WAR not seen", "rtl/banked/rf_scoreboard.sv", "raw_waw | (war & dst_valid)", "raw_waw", "issue_valid",
     "WARPS=1 COLLECTORS=2 BANKS=1 REGS=4 LANES=1 EXPORTS=1"},
    {"a result of no lane is dropped", NULL, ".res_valid_i(res_valid_i)",
     ".res_valid_i(res_valid_i & {EXPORTS{res_mask_i != '0}})", "u_results.gen_wbq[0].u_wbq.u_ctrl.wr_ptr_q", TINY},
    {"a warp that starts has no hazard", NULL, "ib_valid_i & ~hazard", "ib_valid_i & ~(hazard & ~launch_i)", "issue_warp", TINY},
    {"an instruction for a port that does not exist leaves at once", NULL, ".dispatch_i       (dispatched[c])",
     ".dispatch_i       (dispatched[c] || ocu_port[c*PORT_W +: PORT_W] >= PORT_W'(EXPORTS))", "gen_ocu[0].u_ocu.busy_q",
     "WARPS=4 COLLECTORS=1 BANKS=2 REGS=8 LANES=1"},
    {"lane mask of a write ignored", "rtl/banked/rf_bank.sv", "merge(mem_q[waddr_i], wdata_i, wmask_i)", "wdata_i",
     "u_banks.gen_bank[0].u_bank.mem_q", "WARPS=4 COLLECTORS=1 BANKS=1 REGS=8 LANES=2 EXPORTS=1"},
    {0},
};

#undef PAIR
#undef TINY

static const char *const sets[] = {"",
                                   "BANKS=8",
                                   "REGS=64",
                                   "PORTS=2",
                                   "SCHED=1",
                                   "SCHED=2",
                                   "SCHED=2 FETCH=3 WARPS=16 ISSUES=2 LANES=4",
                                   "BANKS=32",
                                   "COLLECTORS=3",
                                   "ISSUES=2 WARPS=48 COLLECTORS=8 BANKS=8",
                                   "WARPS=8 COLLECTORS=3 BANKS=4 LANES=4",
                                   "COLLECTORS=1 LANES=1 WARPS=8 BANKS=4",
                                   "SLOTS=7",
                                   "ISSUES=4 WARPS=64 REGS=256 COLLECTORS=4 SLOTS=8 EXPORTS=8 LANES=1",
                                   "BANKS=5 WARPS=6 REGS=33 LANES=3 EXPORTS=2 WBDEPTH=3",
                                   "ISSUES=3 WARPS=9 EXPORTS=1 WBDEPTH=1 LANES=3 SCHED=1 PORTS=2 BANKS=7",
                                   "SERIAL=1 SLOTS=7 WARPS=8 COLLECTORS=2 BANKS=4 REGS=64 LANES=2 PORTS=2",
                                   NULL};

static const char *const rtl[] = {"rtl/common/rf_pkg.sv",           "rtl/common/rf_rr.sv",
                                  "rtl/common/rf_fifo_ctrl.sv",     "rtl/banked/rf_banked_pkg.sv",
                                  "rtl/banked/rf_sched_gto.sv",     "rtl/banked/rf_sched_lrr.sv",
                                  "rtl/banked/rf_sched_groups.sv",  "rtl/banked/rf_scoreboard.sv",
                                  "rtl/banked/rf_ocu_alloc.sv",     "rtl/banked/rf_ocu.sv",
                                  "rtl/banked/rf_arbiter.sv",       "rtl/banked/rf_crossbar.sv",
                                  "rtl/banked/rf_bank.sv",          "rtl/banked/rf_dispatch.sv",
                                  "rtl/banked/rf_wbq.sv",           "rtl/banked/rf_stage_head.sv",
                                  "rtl/banked/rf_stage_banks.sv",   "rtl/banked/rf_stage_exec.sv",
                                  "rtl/banked/rf_stage_results.sv", NULL};

#define LS_UNIT rf_banked
#define LS_GROUP "banked"
#define LS_BRIEF "baseline operand stage: issue, collectors, banks, dispatch, write-back"
#define LS_FIELDS "tb/banked/rf_banked.fields"
#define LS_OBSERVE
#define LS_UNREACHABLE
#define LS_STEP
#define LS_TOUCHED
#define LS_SYSTEM
#define LS_COPIES
#include "harness/core/unit_define.h"
