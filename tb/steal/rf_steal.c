/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, properties, bins and planted faults of rf_steal. The environment of rf_stage_env.h surrounds it, with hints: random
 * streams have registers that are inactive for a while (rf_steal_stream.h), kernels carry their compiler's, for traces they are
 * found by looking ahead (rf_rfree.h). Checked in every cycle beside what the environment checks: the properties of
 * rf_steal_check.sv on the model; with both kinds of stealing off, that rf_banked does the same. */
#include "cmodel/steal/rf_steal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/compiler/rf_rfree.h"
#include "harness/base/memory.h"
#include "harness/core/unit.h"
#include "tb/banked/env/rf_banked_beside.h"
#include "tb/banked/env/rf_stage_env.h"
#include "tb/banked/env/rf_stage_illegal.h"
#include "tb/steal/env/rf_steal_count.h"
#include "tb/steal/env/rf_steal_stream.h"

typedef struct rf_steal_stim {
    rf_stage_env *env;
    rf_stage_illegal illegal;
    rf_steal_cfg cfg;
    rf_steal_stream holes;
    rf_banked_beside *beside; /* NULL where something is stolen */
    rf_steal_count count;
    uint32_t recalled;            /* banks bits: in the cycle before */
    uint32_t back_bank, back_row; /* the register whose value was recalled */
    uint32_t started; /* banks bits: the warp of the linked Rfree started since, to which it is a register like any other */
    char violation[192];
} rf_steal_stim;

static void violated(rf_steal_stim *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void violated(rf_steal_stim *s, const char *format, ...) {
    if (s->violation[0] != '\0') return;
    va_list args;
    va_start(args, format);
    const int n = snprintf(s->violation, sizeof s->violation, "cycle %llu: ", (unsigned long long)s->count.cycles);
    (void)vsnprintf(s->violation + n, sizeof s->violation - (size_t)n, format, args);
    va_end(args);
}

/* ---- hints ---- */

static void show_hints(void *ctx, rf_stage_in *stage, uint32_t w, const rf_inst *inst, const rf_uop *uop) {
    rf_steal_in *in = (rf_steal_in *)stage; /* its first member */
    const uint32_t names = uop->first ? inst->hint.nfree : 0, regs = ((const rf_steal_stim *)ctx)->cfg.regs;
    in->ib_name_valid[w] = 0;
    for (uint32_t f = 0; f < names; f++) {
        const uint8_t name = inst->hint.free_reg[f];
        if (name == RF_REG_NO_FREE || name >= regs) continue; /* a compiler may know of more registers than there are */
        in->ib_name_valid[w] |= (uint8_t)(1u << f);
        in->ib_name[w * RF_FREES_MAX + f] = name;
    }
}

/* A stream without hints of Rfree gets them by looking ahead in it. */
static void loaded(void *ctx, rf_warp *warp) {
    const rf_steal_stim *s = ctx;
    for (size_t i = 0; i < warp->count; i++)
        if (warp->inst[i].hint.nfree != 0) return;
    if (rf_rfree_of_warp(warp, s->cfg.regs, s->cfg.banks) != 0) ls_die("no memory");
}

static void launch(void *ctx, uint32_t w) { rf_steal_stream_launch(&((rf_steal_stim *)ctx)->holes, w); }
static void phase(void *ctx, rf_stream_kind kind) {
    (void)kind;
    rf_steal_stream_phase(&((rf_steal_stim *)ctx)->holes);
}
static void edit(void *ctx, uint32_t w, rf_inst *inst) { rf_steal_stream_edit(&((rf_steal_stim *)ctx)->holes, w, inst); }

/* ---- life ---- */

static void stim_init(rf_steal_stim *s, const rf_steal *m, uint64_t seed) {
    const rf_steal_cfg *c = &m->cfg;
    const rf_stage_cfg cfg = {.warps = c->warps,
                              .collectors = c->collectors,
                              .banks = c->banks,
                              .regs = c->regs,
                              .lanes = c->lanes,
                              .slots = c->slots,
                              .exports = c->exports,
                              .issues = c->issues,
                              .wbdepth = c->wbdepth};
    const rf_stage_hooks hooks = {
        .ctx = s, .show = show_hints, .launch = launch, .phase = phase, .random = edit, .loaded = loaded};
    *s = (rf_steal_stim){.cfg = *c};
    rf_steal_stream_init(&s->holes, c->warps, c->banks, c->regs, c->lanes, RF_FREES_MAX, ls_seed_derive(seed, "holes"));
    s->env = rf_stage_env_new(&cfg, &hooks, seed);
    rf_stage_illegal_init(&s->illegal, &cfg, seed);
    s->illegal.apart = true;
    if (c->reads == 0 && c->writes == 0) s->beside = ls_zeroed(sizeof *s->beside);
}

static void stim_free(rf_steal_stim *s) {
    rf_stage_env_free(s->env);
    free(s->beside);
}

/* ---- a cycle ---- */

/* Where the value of a register is: the newest of a temporary register, the data of a return, its own row. */
static const rf_vec *value(const void *model, uint32_t w, uint32_t reg, rf_vec *room) {
    const rf_steal *m = model;
    const uint32_t banks = m->cfg.banks, per_warp = rf_map_rows_per_warp(m->cfg.regs, banks);
    const uint32_t bank = rf_map_bank(w, reg, banks), row = rf_map_row(w, reg, banks, per_warp);
    const rf_rfree_table *t = &m->table;
    const rf_arbiter_steal *a = &m->arbiter;
    (void)room;
    for (uint32_t left = t->m_q; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left);
        if (t->dest_bank_q[b] == bank && t->dest_row_q[b] == row) return &m->stage.bank[b].mem_q[t->rfree_q[b]];
    }
    if (a->ret_valid_q && a->ret_bank_q == bank && a->ret_row_q == row) return &m->stage.bank[a->ret_from_q].rdata_q;
    return &m->stage.bank[bank].mem_q[row];
}

/* Register `reg` of warp w is the Rfree of its bank. */
static bool is_rfree(const rf_steal *m, uint32_t w, uint32_t reg) {
    const uint32_t banks = m->cfg.banks, b = rf_map_bank(w, reg, banks);
    return ((m->table.f_q | m->table.m_q) >> b & 1) != 0 &&
           m->table.rfree_q[b] == rf_map_row(w, reg, banks, m->table.cfg.per_warp);
}

/* No source has a register that is named, or is Rfree: that one which is free is not read is the surroundings' part of
 * rf_steal_check.sv. */
static void illegal_inputs(rf_steal_stim *s, const rf_steal *m, rf_steal_in *in) {
    rf_stage_illegal *l = &s->illegal;
    const uint32_t free = s->cfg.regs - l->range;
    rf_stage_illegal_inputs(l, &in->stage);
    for (uint64_t left = l->fresh; left != 0; left &= left - 1) {
        const uint32_t w = rf_lowest(left), slots = s->cfg.slots;
        for (uint32_t i = 0; i < slots; i++)
            if (is_rfree(m, w, in->ib_src[w * slots + i])) in->ib_src_valid[w] &= (uint8_t) ~(1u << i);
        const bool names = free != 0 && ls_rng_chance(&l->rng, 96);
        in->ib_name_valid[w] = (uint8_t)(names ? ls_rng_value(&l->rng, RF_FREES_MAX) : 0);
        for (uint32_t f = 0; f < RF_FREES_MAX && free != 0; f++)
            in->ib_name[w * RF_FREES_MAX + f] = (uint8_t)(l->range + ls_rng_below(&l->rng, free));
    }
}

static void stim(rf_steal_stim *s, const rf_steal *m, rf_steal_in *in) {
    if (rf_stage_illegal_now(&s->illegal)) {
        illegal_inputs(s, m, in);
        return;
    }
    rf_stage_view view;
    view.model = m;
    view.value = value;
    view.collecting = 0;
    for (uint32_t c = 0; c < m->cfg.collectors; c++) view.collecting += m->stage.ocu[c].busy_q;
    for (uint32_t e = 0; e < m->cfg.exports; e++) view.level[e] = m->stage.wbq[e].ctrl.level_q;
    if (s->beside != NULL) rf_banked_beside_start(s->beside, &m->stage);
    rf_stage_env_inputs(s->env, &view, &in->stage);
}

/* Rfree of bank b, in this row, takes another register's value: what it held is lost. */
static void lose(rf_steal_stim *s, uint32_t b, uint32_t row) {
    const uint32_t banks = s->cfg.banks, per_warp = rf_map_rows_per_warp(s->cfg.regs, banks);
    const uint32_t w = row / per_warp, reg = row % per_warp * banks + (b + banks - w % banks) % banks;
    if (w < s->cfg.warps && reg < s->cfg.regs) rf_stage_env_lose(s->env, w, reg, UINT32_MAX);
}

/* The register in bank b, this row, has its value elsewhere. */
static bool elsewhere(const rf_arbiter_steal_in *ask, uint32_t b, uint32_t row) {
    for (uint32_t left = ask->linked; left != 0; left &= left - 1) {
        const uint32_t t = rf_lowest(left);
        if (ask->dest_bank[t] == b && ask->dest_row[t] == row) return true;
    }
    return false;
}

/* Each result that is granted, and each value that comes back, is written by one bank; nothing else is. What was recalled comes
 * back in the next cycle, to its own register. */
static void check_writes(rf_steal_stim *s, const rf_steal_wires *x) {
    const rf_arbiter_steal_in *ask = &x->arbiter_in;
    const rf_arbiter_steal_out *did = &x->arbiter;
    uint32_t from[RF_EXPORTS_MAX] = {0};
    bool home = false;
    for (uint32_t left = did->bank_we; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left), e = did->bank_wsel[b];
        from[e]++;
        home |= did->ret_valid && e == did->ret_bus && b == s->back_bank && did->bank_waddr[b] == s->back_row;
    }
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        const uint32_t due = (did->wr_grant >> e & 1) + (uint32_t)(did->ret_valid && did->ret_bus == e);
        if (from[e] != due || due > 1)
            violated(s, "no write is lost or duplicated: %u are due from bus %u, %u banks write from it", due, e, from[e]);
    }
    if ((s->recalled != 0) != did->ret_valid || (did->ret_valid && (!home || s->recalled != 1u << did->ret_from)))
        violated(s, "a value that is recalled comes back in the next cycle: bank %u row %u", s->back_bank, s->back_row);
    s->recalled = did->recall;
    if (did->recall == 0) return;
    s->back_bank = ask->dest_bank[rf_lowest(did->recall)];
    s->back_row = ask->dest_row[rf_lowest(did->recall)];
}

static void check_banks(rf_steal_stim *s, const rf_steal_wires *x) {
    const rf_arbiter_steal_in *ask = &x->arbiter_in;
    const rf_arbiter_steal_out *did = &x->arbiter;
    check_writes(s, x);
    if ((did->bank_re & did->bank_we) != 0)
        violated(s, "one grant per bank and cycle: bank %u reads and writes", rf_lowest(did->bank_re & did->bank_we));
    for (uint32_t left = ask->linked != 0 ? did->bank_re | did->bank_we : 0; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left);
        const bool writes = (did->bank_we >> b & 1) != 0, recall = (did->recall >> b & 1) != 0;
        const uint32_t row = writes ? did->bank_waddr[b] : did->bank_raddr[b];
        const bool starter = !writes && (s->started >> b & 1) != 0;
        if (!recall && !starter && (ask->linked >> b & 1) != 0 && ask->rfree_row[b] == row)
            violated(s, "a temporary copy is not %s as the register it sits in: bank %u row %u", writes ? "written" : "read", b,
                     row);
        if (elsewhere(ask, b, row))
            violated(s, "a stolen register is not %s before it is back: bank %u row %u", writes ? "written" : "read", b, row);
    }
}

/* A warp that starts may read, before it writes it, a register that still keeps another one's value. */
static void note_starts(rf_steal_stim *s, uint64_t launch, const rf_arbiter_steal_in *ask) {
    const uint32_t per_warp = rf_map_rows_per_warp(s->cfg.regs, s->cfg.banks);
    s->started &= ask->linked;
    for (uint32_t left = launch != 0 ? ask->linked : 0; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left);
        s->started |= (uint32_t)(launch >> ask->rfree_row[b] / per_warp & 1) << b;
    }
}

static void observe(rf_steal_stim *s, const rf_steal_in *in, const rf_steal_out *out) {
    const rf_arbiter_steal_out *did = &out->wires.arbiter;
    if (s->illegal.on) {
        rf_stage_illegal_observe(&s->illegal, &in->stage, &out->stage);
        return;
    }
    check_banks(s, &out->wires);
    note_starts(s, in->launch, &out->wires.arbiter_in);
    for (uint32_t left = did->link; left != 0; left &= left - 1) lose(s, rf_lowest(left), did->bank_waddr[rf_lowest(left)]);
    const rf_stage_waits waits = rf_stage_env_waits(s->env, &in->stage, out->wires.chosen, out->wires.hazard);
    rf_stage_env_observe(s->env, &in->stage, &out->stage, did->wr_grant);
    /* Both kinds of stealing off is rf_banked, cycle for cycle. */
    if (s->beside != NULL && !rf_banked_beside_step(s->beside, &in->stage, &out->stage, false))
        violated(s, "without stealing it is rf_banked: an output differs from rf_banked's");
    rf_steal_count_cycle(&s->count, &s->cfg, in, out, &waits);
}

static bool done(const rf_steal_stim *s) { return rf_stage_env_done(s->env); }
static const char *workload_error(const rf_steal_stim *s) { return rf_stage_env_workload_error(s->env); }
static uint64_t workload_unknown(const rf_steal_stim *s, const char **first) {
    return rf_stage_env_workload_unknown(s->env, first);
}

static const char *property(const rf_steal_stim *s) {
    return s->violation[0] != '\0' ? s->violation : rf_stage_env_property(s->env);
}

static int workload(rf_steal_stim *s, const rf_steal *m, const struct rf_source *source, const char *path, char *error,
                    size_t size) {
    (void)m;
    s->illegal.from = UINT64_MAX;
    return rf_stage_env_workload(s->env, source, path, error, size);
}

static uint64_t legal(const rf_steal_stim *s) { return s->illegal.from; }

static int surround(rf_steal_stim *s, const ls_settings *settings, char *error, size_t size) {
    return rf_stage_env_surround(s != NULL ? s->env : NULL, settings, error, size);
}

static uint32_t copies(const rf_steal_stim *s) { return rf_stage_env_cores(s->env); }

static void join(rf_steal_stim *s, rf_steal_stim *first, uint32_t number) {
    s->illegal.from = UINT64_MAX;
    rf_stage_env_join(s->env, first->env, number);
}

static void counters(const rf_steal_stim *s, const rf_steal *m, ls_counter_fn *sink, void *ctx) {
    rf_stage_env_counters(s->env, sink, ctx);
    rf_steal_count_report(&s->count, &m->cfg, rf_stage_env_wires(s->env), sink, ctx);
}

static uint32_t touched(const rf_steal *m, const rf_steal_in *in, const rf_steal_out *out, ls_touch *list) {
    (void)in;
    const uint32_t n = rf_stage_touched(out->wires.arbiter.bank_we, out->wires.arbiter.bank_waddr, list);
    return rf_stage_illegal_touched(list, n, m->stage.bank[0].cfg.rows);
}

/* ---- bins ---- */

/* clang-format off */
#define BINS(X)                                                                                                                  \
    X(ISSUE, "an instruction issues")                                                                                            \
    X(NO_COLLECTOR, "no collector for a chosen warp")                                                                            \
    X(QUEUE_FULL, "write-back queue full")                                                                                       \
    X(READ_READ, "a read waits for a read")                                                                                      \
    X(READ_WRITE, "a read waits for a write")                                                                                    \
    X(SEVERAL_ISSUE, "several groups issue at once")                                                                             \
    X(CANDIDATE, "a candidate with a collector")                                                                                 \
    X(NOT_ASKED, "a candidate's operands are not asked for")                                                                     \
    X(AHEAD, "an operand is read ahead")                                                                                         \
    X(AHEAD_ALL, "all operands of a candidate are read ahead")                                                                   \
    X(AHEAD_SOME, "some operands of a candidate are read ahead")                                                                 \
    X(AHEAD_TWO, "two operands are read ahead at once")                                                                          \
    X(AHEAD_IN_TURN, "the candidate that issues is the scheduler's choice too")                                                  \
    X(OVERRIDE, "the candidate issues in place of the scheduler's choice")                                                       \
    X(AHEAD_REFUSED, "an operand that asks ahead is refused")                                                                    \
    X(AHEAD_BLOCKED, "a candidate's operand is in a temporary register")                                                         \
    X(AHEAD_OVER_WRITE, "an operand is read ahead where a write is stolen")                                                      \
    X(AHEAD_YIELDS, "an operand is not read ahead where a normal write is")                                                      \
    X(WRITE, "normal write")                                                                                                     \
    X(WRITE_FORCED, "a write is forced at once")                                                                                 \
    X(PARTIAL_FORCED, "a write of some lanes is forced")                                                                         \
    X(STOLEN, "a write is stolen")                                                                                               \
    X(STOLEN_TWO, "two writes are stolen at once")                                                                               \
    X(LINKED_TWO, "two registers are away")                                                                                      \
    X(RECALL, "a register comes back by itself")                                                                                 \
    X(RECALL_OF_TWO, "one of several registers that are away comes back by itself")                                              \
    X(RAW, "a read waits for its register to come back")                                                                         \
    X(WAW, "a write waits for its register to come back")                                                                        \
    X(LIVE_AGAIN, "an Rfree that keeps a value is about to be written")                                                          \
    X(FORCED_BACK, "a register is forced back")                                                                                  \
    X(RETURN_READ, "a returning register makes a read wait")                                                                     \
    X(RETURN_BUS, "a returning register takes a result's bus")                                                                   \
    X(NAME, "an Rfree is named")                                                                                                 \
    X(NAME_LOST, "an Rfree is named where one keeps a value")                                                                    \
    X(DROP, "an Rfree is about to be written")                                                                                   \
    X(LAUNCH_FREE, "a warp starts that owns an Rfree")                                                                           \
    X(SEVERAL_NAMES, "several names at once")                                                                                    \
    RF_STAGE_ILLEGAL_BINS(X)
/* clang-format on */

#define BIN_NAME(name, text) name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};

static uint64_t bin(bool hit, uint32_t number) { return (uint64_t)hit << number; }
static bool several(uint64_t set) { return (set & (set - 1)) != 0; }

static uint64_t read_bins(const rf_steal_cfg *cfg, const rf_steal_wires *x) {
    const rf_arbiter_steal_in *ask = &x->arbiter_in;
    const rf_arbiter_steal_out *did = &x->arbiter;
    uint64_t hit = 0;
    for (uint64_t left = ask->rd_valid & ~(did->rd_grant | ask->rd_blocked); left != 0; left &= left - 1) {
        const uint32_t b = ask->rd_bank[rf_lowest(left)];
        hit |= bin(did->bank_re >> b & 1, READ_READ) | bin(did->bank_we >> b & 1, READ_WRITE);
        hit |= bin(did->ret_valid && (did->bank_we >> b & 1) != 0 && did->bank_wsel[b] == did->ret_bus, RETURN_READ);
    }
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const uint32_t fill = x->fill >> (g * cfg->slots) & (uint32_t)rf_mask64(cfg->slots);
        const uint32_t asks = ask->sr_valid >> (g * cfg->slots) & (uint32_t)rf_mask64(cfg->slots);
        const bool candidate = (x->candidate_valid >> g & 1) != 0, ahead = (x->steal >> g & 1) != 0;
        hit |= bin(candidate, CANDIDATE) | bin(candidate && asks == 0, NOT_ASKED) | bin(ahead, AHEAD);
        hit |= bin(ahead && x->candidate[g] == x->current[g], AHEAD_IN_TURN);
        hit |= bin(ahead && x->candidate[g] != x->current[g], OVERRIDE);
        hit |= bin(ahead && (asks & ~fill) != 0, AHEAD_SOME) | bin(ahead && (asks & ~fill) == 0, AHEAD_ALL);
    }
    hit |= bin((ask->sr_valid & ~did->sr_grant) != 0, AHEAD_REFUSED) | bin(several(did->sr_grant), AHEAD_TWO);
    hit |= bin(ask->sr_blocked != 0, AHEAD_BLOCKED);
    return hit;
}

static uint64_t write_bins(const rf_steal_wires *x) {
    const rf_arbiter_steal_in *ask = &x->arbiter_in;
    const rf_arbiter_steal_out *did = &x->arbiter;
    const uint32_t stolen = (uint32_t)did->wr_grant & did->wr_stolen, forced = (uint32_t)did->wr_grant & did->wr_forced;
    uint64_t hit = bin((did->wr_grant & ~(stolen | forced)) != 0, WRITE) | bin(forced != 0, WRITE_FORCED) |
                   bin((forced & ~(uint32_t)ask->wr_full) != 0, PARTIAL_FORCED) | bin(stolen != 0, STOLEN) |
                   bin(several(stolen), STOLEN_TWO) | bin(several(ask->linked), LINKED_TWO) |
                   bin((did->recall & ~ask->force) != 0, RECALL) | bin((did->recall & ask->force) != 0, FORCED_BACK) |
                   bin(ask->rd_blocked != 0, RAW) | bin(ask->wr_blocked != 0, WAW) |
                   bin(did->ret_valid && (ask->wr_valid >> did->ret_bus & 1) != 0, RETURN_BUS);
    for (uint32_t left = did->wr_grant & ~(stolen | forced); left != 0; left &= left - 1)
        for (uint32_t ahead = ask->sr_valid & ~ask->sr_blocked; ahead != 0; ahead &= ahead - 1)
            hit |= bin(ask->sr_bank[rf_lowest(ahead)] == ask->wr_bank[rf_lowest(left)], AHEAD_YIELDS);
    for (uint32_t left = stolen; left != 0; left &= left - 1) {
        const uint32_t b = ask->wr_bank[rf_lowest(left)];
        for (uint32_t ahead = did->sr_grant; ahead != 0; ahead &= ahead - 1)
            hit |= bin(ask->sr_bank[rf_lowest(ahead)] == b, AHEAD_OVER_WRITE);
    }
    return hit;
}

/* Banks of `set` of which Rfree is a row of a warp in `warps`. */
static uint32_t owned(const rf_steal *m, const rf_arbiter_steal_in *ask, uint32_t set, uint64_t warps) {
    uint32_t banks = 0;
    for (uint32_t left = set; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left), w = ask->rfree_row[b] / m->table.cfg.per_warp;
        banks |= (uint32_t)(w < m->cfg.warps && (warps >> w & 1) != 0) << b;
    }
    return banks;
}

static uint64_t hint_bins(const rf_steal *m, const rf_steal_in *in, const rf_steal_out *out) {
    const rf_arbiter_steal_in *ask = &out->wires.arbiter_in;
    const uint32_t banks = m->cfg.banks;
    const uint32_t taken = (ask->linked & ~out->wires.arbiter.recall) | out->wires.arbiter.link;
    uint64_t hit = 0;
    uint32_t named = 0;
    for (uint32_t left = out->issue_valid; left != 0; left &= left - 1) {
        const uint32_t w = out->issue_warp[rf_lowest(left)], dst = in->ib_dst[w];
        const uint32_t b = rf_map_bank(w, dst, banks), row = rf_map_row(w, dst, banks, m->table.cfg.per_warp);
        named += (uint32_t)__builtin_popcount(in->ib_name_valid[w]);
        for (uint32_t names = in->ib_name_valid[w]; names != 0; names &= names - 1) {
            const uint32_t name = in->ib_name[w * RF_FREES_MAX + rf_lowest(names)];
            hit |= bin(true, NAME) | bin(taken >> rf_map_bank(w, name, banks) & 1, NAME_LOST);
        }
        if (m->cfg.writes == 0 || (in->ib_dst_valid >> w & 1) == 0 || in->ib_mask[w] == 0 || ask->rfree_row[b] != row) continue;
        hit |= bin(ask->linked >> b & 1, LIVE_AGAIN) | bin(out->wires.usable >> b & 1, DROP);
    }
    hit |= bin(named > 1, SEVERAL_NAMES);
    if (in->launch == 0 || m->cfg.writes == 0) return hit;
    hit |= bin(owned(m, ask, ~ask->linked & (uint32_t)rf_mask64(banks), in->launch) != 0, LAUNCH_FREE);
    return hit;
}

static uint64_t bins(const rf_steal *m, const rf_steal_in *in, const rf_steal_out *out) {
    const rf_steal_cfg *cfg = &m->cfg;
    const rf_steal_wires *x = &out->wires;
    uint64_t hit = bin(out->issue_valid != 0, ISSUE) | bin((x->chosen & ~x->alloc.grant) != 0, NO_COLLECTOR) |
                   bin(out->res_ready != (1u << cfg->exports) - 1, QUEUE_FULL) | bin(several(out->issue_valid), SEVERAL_ISSUE);
    hit |= read_bins(cfg, x) | write_bins(x) | hint_bins(m, in, out);
    hit |= rf_stage_illegal_bins(&m->stage.scoreboard, cfg->exports, &in->stage, &out->stage) << NOT_WAITED_FOR;
    hit |= bin((x->arbiter.recall & ~x->arbiter_in.force) != 0 && several(x->arbiter_in.linked), RECALL_OF_TWO);
    return hit;
}

/* ---- fields ---- */

#define SMALL "WARPS=8 ISSUES=2 COLLECTORS=4 BANKS=4 REGS=8 LANES=1"
#define PAIR SMALL " READS=2"
#define WIDE "WARPS=8 ISSUES=2 COLLECTORS=4 BANKS=4 REGS=8 LANES=2 READS=2"

static void unreachable(const rf_steal_cfg *cfg, ls_unreachable *to) {
    const bool one_bank = cfg->banks == 1;
    ls_unreachable_if(to, cfg->issues == 1, SEVERAL_ISSUE, "one issue group");
    ls_unreachable_if(to, cfg->collectors == 1, SEVERAL_ISSUE, "one collector");
    ls_unreachable_if(to, cfg->collectors * cfg->slots == 1, READ_READ, "one operand is read at a time");
    for (uint32_t b = CANDIDATE; b <= AHEAD_YIELDS; b++) {
        ls_unreachable_if(to, cfg->reads == 0, b, "no read stealing");
        ls_unreachable_if(to, cfg->warps == cfg->issues, b, "one warp in a group: no candidate");
    }
    ls_unreachable_if(to, cfg->yield == 0, AHEAD_YIELDS, "operands are read ahead before normal writes");
    ls_unreachable_if(to, cfg->yield != 0, AHEAD_OVER_WRITE, "no operand is read ahead where a write asks");
    static const uint8_t of_writes[] = {AHEAD_BLOCKED, AHEAD_OVER_WRITE, STOLEN,     STOLEN_TWO, LINKED_TWO,
                                        RECALL,        RECALL_OF_TWO,    RAW,        WAW,        LIVE_AGAIN,
                                        FORCED_BACK,   RETURN_READ,      RETURN_BUS, NAME_LOST};
    for (size_t i = 0; i < sizeof of_writes; i++) {
        ls_unreachable_if(to, cfg->writes == 0, of_writes[i], "no write stealing");
        ls_unreachable_if(to, one_bank, of_writes[i], "one bank: no other as a place");
    }
    ls_unreachable_if(to, cfg->writes == 0, LAUNCH_FREE, "no write stealing");
    ls_unreachable_if(to, cfg->writes == 0, DROP, "no write stealing");
    ls_unreachable_if(to, cfg->exports == 1 && cfg->writes == 0 && cfg->wbdepth > 1, QUEUE_FULL,
                      "one port: its queue has its bank in each cycle");
    ls_unreachable_if(to, cfg->exports == 1, STOLEN_TWO, "one write in a cycle");
    ls_unreachable_if(to, cfg->slots == 1, AHEAD_SOME, "one slot");
    ls_unreachable_if(to, cfg->exports == 1u << rf_index_bits(cfg->exports), NO_PORT, "every number is that of a port");
}

static const ls_fault faults[] = {
    {"a candidate asks without a collector", NULL, "cand_valid && granted[g]", "cand_valid", "gen_issue[1].u_steal.candidate_q",
     PAIR},
    {"read stealing cannot be switched off", NULL, "granted[g] && (READS != 0)", "granted[g]", "issue_warp", SMALL " READS=0"},
    {"write stealing cannot be switched off", NULL, "usable & {BANKS{WRITES != 0}}", "usable", "gen_ocu[2].u_ocu.fill_q",
     PAIR " WRITES=0"},
    {"a result of no lane is dropped", NULL, ".res_valid_i(res_valid_i)",
     ".res_valid_i(res_valid_i & {EXPORTS{res_mask_i != '0}})", "u_results.gen_wbq[0].u_wbq.u_ctrl.wr_ptr_q", PAIR " EXPORTS=1"},
    {"a warp that starts has no hazard", NULL, "ib_valid_i & ~hazard", "ib_valid_i & ~(hazard & ~launch_i)", "issue_valid", PAIR},
    {"a candidate does not issue ahead", NULL, ".steal_i(stealing[g])", ".steal_i(1'b0)", "issue_warp", PAIR},
    {"what is read ahead is asked for again", NULL, ".alloc_fill_i(head_fill[from*SLOTS +: SLOTS])", ".alloc_fill_i('0)",
     "gen_ocu[2].u_ocu.fill_q", PAIR},
    {"operands are read ahead without a conflict", NULL, "(READS == 2) ? 2 : 1", "(READS != 2) ? 2 : 1", "issue_warp", PAIR},
    {"the scheduler is told of an issue that is not its own", "rtl/steal/rf_steal_scheduler.sv",
     "(steals ? same : current_i != '0)", "(current_i != '0)", "gen_issue[1].gen_gto.u_sched.last_q", PAIR},
    {"an operand is read ahead where a write asks", NULL, ".YIELD(YIELD)", ".YIELD(0)", "issue_warp", PAIR " YIELD=1"},
    {"conditions of reading ahead ignored", NULL, ".sr_valid_i(sr_ask)", ".sr_valid_i(sr_valid)", "u_table.m_q",
     SMALL " READS=1"},
    {"a read does not wait for its register to come back", NULL, ".rd_blocked_i(rd_blocked)", ".rd_blocked_i('0)",
     "gen_ocu[1].u_ocu.fill_q", PAIR},
    {"a write does not wait for its register to come back", NULL, ".wr_blocked_i(wr_blocked)", ".wr_blocked_i('0)",
     "u_banks.gen_bank[1].u_bank.mem_q", PAIR},
    {"a dropped Rfree is not forced back", NULL, ".force_i(force_back)", ".force_i(force_back & usable)", "u_table.m_q", PAIR},
    {"a stolen register never leaves the table", NULL, ".clear_i(recall)", ".clear_i('0)", "u_table.m_q", PAIR},
    {"results of some lanes are stolen", NULL, "&wr_mask[e*LANES +: LANES]", "1'b1", "gen_ocu[2].u_ocu.fill_q", WIDE},
    {"a returning value is not on the bus", NULL, "back ? bank_rdata[ret_from*DATA_W +: DATA_W] : wr_data", "wr_data",
     "u_banks.gen_bank[3].u_bank.mem_q", PAIR},
    {"a returning value is bank 0's", NULL, "bank_rdata[ret_from*DATA_W +: DATA_W]", "bank_rdata[0 +: DATA_W]",
     "u_banks.gen_bank[0].u_bank.mem_q", PAIR},
    {"a returning value writes the queue's lanes", NULL, " | {LANES{back}}", "", "u_banks.gen_bank[0].u_bank.mem_q", PAIR},
    {"Rdest is writer 0's", NULL, "wr_row[bank_wsel[b*PORT_W +: PORT_W]*ROW_W +: ROW_W]", "wr_row[0 +: ROW_W]",
     "u_table.dest_row_q", PAIR},
    {"an instruction that does not issue drops", NULL, ".drop_valid_i(granted & head_dst_valid)",
     ".drop_valid_i(chosen & head_dst_valid)", "u_table.f_q", PAIR},
    {"what an instruction writes stays Rfree", NULL, ".drop_valid_i(granted & head_dst_valid)", ".drop_valid_i('0)",
     "u_table.f_q", PAIR},
    {"an instruction that does not issue names", NULL, "ib_name_valid_i[warp*FREES +: FREES] & {FREES{granted[g]}}",
     "ib_name_valid_i[warp*FREES +: FREES]", "u_table.rfree_q", PAIR},
    {"a register is named by the first name alone", NULL, "ib_name_i[(warp*FREES + f)*REG_W +: REG_W]",
     "ib_name_i[warp*FREES*REG_W +: REG_W]", "u_table.f_q", PAIR},
    {"a warp's start leaves its Rfree", NULL, ".rst_ni(rst_ni), .launch_i(launch_i),", ".rst_ni(rst_ni), .launch_i('0),",
     "u_table.f_q", PAIR},
    {"the scoreboard waits for a stolen result to come back", NULL, ".clr_i(wr_grant)", ".clr_i(wr_grant & ~unused_stolen)",
     "u_scoreboard.pending_q", PAIR},
    {0},
};

#undef PAIR
#undef SMALL
#undef WIDE

/* Four lanes but for the defaults: kernels and traces run with 32, and a narrow DUT is built in half the time. */
static const char *const sets[] = {"",
                                   "READS=2 LANES=4",
                                   "READS=0 LANES=4",
                                   "READS=2 WRITES=0 LANES=4",
                                   "READS=0 WRITES=0 LANES=4",
                                   "READS=0 WRITES=0 ISSUES=1 SCHED=1 BANKS=16 LANES=4",
                                   "BANKS=4 READS=2 SCHED=1 LANES=4",
                                   "BANKS=16 REGS=64 READS=2 LANES=4 YIELD=1",
                                   "BANKS=32 WARPS=64 REGS=64 SCHED=2 READS=2 LANES=4",
                                   "ISSUES=1 READS=2 LANES=4 YIELD=1",
                                   "WARPS=9 ISSUES=3 BANKS=5 REGS=33 LANES=3 EXPORTS=2 SLOTS=7 COLLECTORS=5 READS=2 WBDEPTH=3",
                                   "WARPS=8 REGS=200 EXPORTS=4 READS=2 LANES=2",
                                   "WARPS=8 COLLECTORS=4 BANKS=4 REGS=8 LANES=1 READS=2",
                                   NULL};

static const char *const rtl[] = {"rtl/common/rf_pkg.sv",          "rtl/common/rf_rr.sv",
                                  "rtl/common/rf_fifo_ctrl.sv",    "rtl/banked/rf_banked_pkg.sv",
                                  "rtl/banked/rf_sched_gto.sv",    "rtl/banked/rf_sched_lrr.sv",
                                  "rtl/banked/rf_sched_groups.sv", "rtl/banked/rf_scoreboard.sv",
                                  "rtl/banked/rf_ocu_alloc.sv",    "rtl/banked/rf_ocu.sv",
                                  "rtl/banked/rf_crossbar.sv",     "rtl/banked/rf_bank.sv",
                                  "rtl/banked/rf_dispatch.sv",     "rtl/banked/rf_wbq.sv",
                                  "rtl/banked/rf_stage_head.sv",   "rtl/banked/rf_stage_banks.sv",
                                  "rtl/banked/rf_stage_exec.sv",   "rtl/banked/rf_stage_results.sv",
                                  "rtl/steal/rf_steal_pkg.sv",     "rtl/steal/rf_steal_scheduler.sv",
                                  "rtl/steal/rf_steal_reads.sv",   "rtl/steal/rf_rfree_table.sv",
                                  "rtl/steal/rf_arbiter_steal.sv", NULL};

#define LS_UNIT rf_steal
#define LS_GROUP "steal"
#define LS_BRIEF "operand stage with bank stealing: reads ahead, writes to free registers"
#define LS_FIELDS "tb/steal/rf_steal.fields"
#define LS_OBSERVE
#define LS_UNREACHABLE
#define LS_STEP
#define LS_TOUCHED
#define LS_SYSTEM
#define LS_COPIES
#include "harness/core/unit_define.h"
