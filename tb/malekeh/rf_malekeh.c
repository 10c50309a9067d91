/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, properties, bins and planted faults of rf_malekeh. The environment of rf_stage_env.h surrounds it, with near/far
 * hints: random ones in random streams, the compiler's in kernels, found by looking ahead in traces (rf_hints.h). Execution units
 * hand the hint of a destination back with its result. Checked in every cycle beside what the environment checks: no entry of a
 * cache table is older than the banks, no warp owns two CCUs; of BOW, what hits is in the window that is counted; without caches,
 * that rf_banked does the same. With illegal inputs (rf_stage_illegal.h) nothing is checked: hints change there, too, and results
 * have others than their instructions. */
#include "cmodel/malekeh/rf_malekeh.h"

#include "cmodel/malekeh/rf_ccu_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/compiler/rf_hints.h"
#include "harness/base/memory.h"
#include "harness/core/unit.h"
#include "tb/banked/env/rf_banked_beside.h"
#include "tb/banked/env/rf_stage_env.h"
#include "tb/banked/env/rf_stage_illegal.h"
#include "tb/malekeh/env/rf_malekeh_count.h"
#include "tb/malekeh/env/rf_sthld_warp.h"

typedef struct rf_malekeh_stim {
    rf_stage_env *env;
    rf_stage_illegal illegal;
    rf_malekeh_cfg cfg;
    ls_rng rng;
    uint32_t near_src, near_dst;                   /* of random instructions, in 256ths; drawn anew in every phase */
    uint64_t control;                              /* warps bits: the head is a branch */
    uint64_t near[RF_WARPS_MAX][RF_REGS_MAX / 64]; /* hints of what is being executed, by destination */
    uint32_t changed;         /* collectors bits: a cache table or a register of its warp changed at the last edge */
    uint32_t filling;         /* collectors bits: filled at the coming edge */
    rf_banked_beside *beside; /* NULL where something is cached, or SCHED is 3 */
    rf_malekeh_count count;
    char violation[192];
} rf_malekeh_stim;

static void violated(rf_malekeh_stim *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void violated(rf_malekeh_stim *s, const char *format, ...) {
    if (s->violation[0] != '\0') return;
    va_list args;
    va_start(args, format);
    const int n = snprintf(s->violation, sizeof s->violation, "cycle %llu: ", (unsigned long long)s->count.cycles);
    (void)vsnprintf(s->violation + n, sizeof s->violation - (size_t)n, format, args);
    va_end(args);
}

/* ---- hints ---- */

/* Near when any of the operands that name the register is. */
static bool is_near(const uint8_t *regs, uint32_t count, uint32_t hints, uint32_t reg) {
    for (uint32_t i = 0; i < count; i++)
        if (regs[i] == reg && (hints >> i & 1) != 0) return true;
    return false;
}

static void drive_head(void *ctx, rf_stage_in *stage, uint32_t w, const rf_inst *inst, const rf_uop *uop) {
    rf_malekeh_stim *s = ctx;
    rf_malekeh_in *in = (rf_malekeh_in *)stage; /* its first member */
    const uint64_t bit = UINT64_C(1) << w;
    const bool control = inst->opclass == RF_OP_CTRL;
    const bool dst = s->cfg.bow != 0 ? control : is_near(inst->dst, inst->ndst, inst->hint.dst_near, in->ib_dst[w]);
    (void)uop;
    in->ib_dst_near = (in->ib_dst_near & ~bit) | (uint64_t)dst << w;
    in->ib_src_near[w] = 0;
    for (uint32_t at = 0; at < s->cfg.slots; at++) {
        if ((in->ib_src_valid[w] >> at & 1) == 0) continue;
        const bool src = is_near(inst->src, inst->nsrc, inst->hint.src_near, in->ib_src[w * s->cfg.slots + at]);
        in->ib_src_near[w] |= (uint8_t)((uint32_t)src << at);
    }
    s->control = (s->control & ~bit) | (uint64_t)control << w;
}

/* A stream without hints gets them by looking ahead in it. */
static void loaded(void *ctx, rf_warp *warp) {
    (void)ctx;
    for (size_t i = 0; i < warp->count; i++)
        if ((warp->inst[i].hint.flags & RF_HINT_PRESENT) != 0) return;
    if (rf_hints_of_warp(warp, NULL) != 0) ls_die("no memory");
}

static void launch(void *ctx, uint32_t w) { rf_malekeh_count_launch(&((rf_malekeh_stim *)ctx)->count, w); }

static void draw_shares(rf_malekeh_stim *s) {
    static const uint32_t shares[] = {0, 64, 128, 192, 256};
    s->near_src = shares[ls_rng_below(&s->rng, 5)];
    s->near_dst = shares[ls_rng_below(&s->rng, 5)];
}

static void phase(void *ctx, rf_stream_kind kind) {
    (void)kind;
    draw_shares(ctx);
}

static void edit(void *ctx, uint32_t w, rf_inst *inst) {
    rf_malekeh_stim *s = ctx;
    (void)w;
    inst->hint.src_near = inst->hint.dst_near = 0;
    for (uint32_t i = 0; i < inst->nsrc; i++) inst->hint.src_near |= (uint32_t)ls_rng_chance(&s->rng, s->near_src) << i;
    for (uint32_t i = 0; i < inst->ndst; i++) inst->hint.dst_near |= (uint32_t)ls_rng_chance(&s->rng, s->near_dst) << i;
}

/* ---- life ---- */

static void stim_init(rf_malekeh_stim *s, const rf_malekeh *m, uint64_t seed) {
    const rf_malekeh_cfg *c = &m->cfg;
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
        .ctx = s, .show = drive_head, .launch = launch, .phase = phase, .random = edit, .loaded = loaded};
    *s = (rf_malekeh_stim){.cfg = *c};
    ls_rng_seed(&s->rng, ls_seed_derive(seed, "hints"));
    s->env = rf_stage_env_new(&cfg, &hooks, seed);
    rf_stage_illegal_init(&s->illegal, &cfg, seed);
    if (c->cache == 0 && c->sched != 3) s->beside = ls_zeroed(sizeof *s->beside);
}

static void stim_free(rf_malekeh_stim *s) {
    rf_stage_env_free(s->env);
    free(s->beside);
}

/* ---- a cycle ---- */

/* Results are written through: the banks always have the newest value. */
static const rf_vec *value(const void *model, uint32_t w, uint32_t reg, rf_vec *room) {
    const rf_malekeh *m = model;
    const uint32_t banks = m->cfg.banks, per_warp = rf_map_rows_per_warp(m->cfg.regs, banks);
    (void)room;
    return &m->stage.bank[rf_map_bank(w, reg, banks)].mem_q[rf_map_row(w, reg, banks, per_warp)];
}

/* Entries of a CCU whose operand has not come yet. */
static uint32_t waiting(const rf_ccu *u) {
    uint32_t entries = 0;
    for (uint32_t left = u->oct_valid_q & ~(uint32_t)u->oct_ready_q; left != 0; left &= left - 1)
        entries |= 1u << u->oct_index_q[rf_lowest(left)];
    return entries;
}

/* The property of [Malekeh 4.2]: every CCU may be flushed at any time, because no entry is anything but a copy. */
static void check_copies(rf_malekeh_stim *s, const rf_malekeh *m) {
    for (uint32_t left = s->changed; left != 0; left &= left - 1) {
        const uint32_t c = rf_lowest(left);
        const rf_ccu *u = &m->ccu[c];
        for (uint32_t entries = u->ct_valid_q & ~waiting(u); entries != 0; entries &= entries - 1) {
            const uint32_t e = rf_lowest(entries);
            if (memcmp(&u->ct_data_q[e], value(m, u->carried_q.warp, u->ct_tag_q[e], NULL), sizeof u->ct_data_q[e]) != 0)
                violated(s, "no entry is older than the banks: CCU %u entry %u, warp %u R%u", c, e, u->carried_q.warp,
                         u->ct_tag_q[e]);
        }
    }
}

static void check_owners(rf_malekeh_stim *s, const rf_malekeh *m) {
    uint64_t seen = 0;
    for (uint32_t c = 0; c < m->cfg.collectors; c++) {
        const uint64_t owner = (uint64_t)m->ccu[c].owned_q << m->ccu[c].carried_q.warp;
        if ((seen & owner) != 0)
            violated(s, "a warp owns one CCU: warp %u owns CCU %u and one below it", m->ccu[c].carried_q.warp, c);
        seen |= owner;
    }
}

/* Register `reg` of warp w does not exist and has its place among another warp's. */
static bool is_elsewhere(const rf_malekeh_cfg *cfg, uint32_t w, uint32_t reg) {
    const uint32_t per_warp = rf_map_rows_per_warp(cfg->regs, cfg->banks), rows = cfg->warps * per_warp;
    const uint32_t row = rf_map_row(w, reg, cfg->banks, per_warp) & (uint32_t)rf_mask64(rf_index_bits(rows));
    return row < rows && row / per_warp != w;
}

/* Hints of heads and of results change while these wait. No register that is elsewhere is written: that no entry is older than
 * the banks (rf_malekeh_check.sv) holds of the others. */
static void illegal_inputs(rf_malekeh_stim *s, rf_malekeh_in *in) {
    const rf_stage_illegal *l = &s->illegal;
    rf_stage_illegal_inputs(&s->illegal, &in->stage);
    if ((l->cycle - l->from) % RF_ENV_PHASE == 1) draw_shares(s);
    const uint64_t changed = l->fresh | ls_rng_bits(&s->rng, s->cfg.warps, 4);
    in->ib_dst_near = (in->ib_dst_near & ~changed) | (ls_rng_bits(&s->rng, s->cfg.warps, s->near_dst) & changed);
    for (uint64_t left = changed; left != 0; left &= left - 1)
        in->ib_src_near[rf_lowest(left)] = (uint8_t)ls_rng_bits(&s->rng, s->cfg.slots, s->near_src);
    in->res_near = (uint8_t)ls_rng_bits(&s->rng, s->cfg.exports, s->near_dst);
    for (uint32_t left = in->res_valid; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        if (is_elsewhere(&s->cfg, in->res_warp[e], in->res_dst[e])) in->res_mask[e] = 0;
    }
}

static void stim(rf_malekeh_stim *s, const rf_malekeh *m, rf_malekeh_in *in) {
    if (rf_stage_illegal_now(&s->illegal)) {
        illegal_inputs(s, in);
        return;
    }
    rf_stage_view view;
    check_copies(s, m);
    check_owners(s, m);
    view.model = m;
    view.value = value;
    view.collecting = 0;
    s->filling = 0;
    for (uint32_t c = 0; c < m->cfg.collectors; c++) {
        view.collecting += m->ccu[c].busy_q;
        s->filling |= (uint32_t)(m->ccu[c].fill_q != 0) << c;
    }
    for (uint32_t e = 0; e < m->cfg.exports; e++) view.level[e] = m->stage.wbq[e].ctrl.level_q;
    if (s->beside != NULL) rf_banked_beside_start(s->beside, &m->stage);
    rf_stage_env_inputs(s->env, &view, &in->stage);
    in->res_near = 0;
    for (uint32_t left = in->res_valid; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left), reg = in->res_dst[e];
        in->res_near |= (uint8_t)((s->near[in->res_warp[e]][reg / 64] >> (reg % 64) & 1) << e);
    }
}

/* Time passes in a long interval of rf_sthld: instructions have issued as in the one before, a little more or less, or any
 * number. */
static uint64_t leap(rf_malekeh_stim *s, const rf_malekeh *m) {
    const uint32_t before = m->sthld.prev_q, border = before * m->cfg.large / 256, full = m->cfg.interval * m->cfg.issues;
    if (m->cfg.adapt == 0 || m->cfg.interval <= RF_STHLD_LONG) return 0;
    const uint32_t kind = ls_rng_below(&s->rng, 4), change = ls_rng_below(&s->rng, kind == 0 ? border + 1 : 2 * border + 2);
    const uint32_t total = kind == 1                      ? ls_rng_below(&s->rng, full + 1)
                           : kind == 2 && before > change ? before - change
                                                          : before + change;
    return rf_sthld_leap(&s->rng, &m->sthld, 6, total, m->cfg.issues);
}

static bool warp(rf_malekeh *m, uint64_t to) { return m->cfg.adapt != 0 && rf_sthld_warp(&m->sthld, to); }

/* What leaves for execution takes its hint along; a register has one result on its way at most. */
static void note_hints(rf_malekeh_stim *s, const rf_malekeh_in *in, const rf_malekeh_out *out) {
    for (uint32_t left = out->ex_valid & out->ex_dst_valid & in->ex_ready; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left), reg = out->ex_dst[e];
        uint64_t *word = &s->near[out->ex_warp[e]][reg / 64];
        *word = (*word & ~(UINT64_C(1) << (reg % 64))) | (uint64_t)(out->ex_dst_near >> e & 1) << (reg % 64);
    }
}

/* Cache tables, or registers of their warps, that change at the coming edge. */
static uint32_t changes(const rf_malekeh_stim *s, const rf_malekeh_out *out) {
    const rf_malekeh_wires *x = &out->wires;
    uint32_t set = s->filling | x->alloc.alloc;
    for (uint32_t left = x->arbiter.wr_grant; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        for (uint32_t c = 0; c < s->cfg.collectors; c++) set |= (uint32_t)(x->alloc_in.warp[c] == x->wr_warp[e]) << c;
    }
    return set;
}

static void observe(rf_malekeh_stim *s, const rf_malekeh_in *in, const rf_malekeh_out *out) {
    if (s->illegal.on) {
        rf_stage_illegal_observe(&s->illegal, &in->stage, &out->stage);
        return;
    }
    note_hints(s, in, out);
    s->changed = changes(s, out);
    const rf_stage_waits waits = rf_stage_env_waits(s->env, &in->stage, out->wires.chosen, out->wires.hazard);
    rf_stage_env_observe(s->env, &in->stage, &out->stage, out->wires.arbiter.wr_grant);
    /* Without caches it is rf_banked, cycle for cycle, but for operands of slots without a source: a CCU keeps data by
     * register. */
    if (s->beside != NULL && !rf_banked_beside_step(s->beside, &in->stage, &out->stage, true))
        violated(s, "without caches it is rf_banked: an output differs from rf_banked's");
    rf_malekeh_count_cycle(&s->count, &s->cfg, in, out, &waits, s->control);
    if (s->cfg.bow != 0 && s->count.outside != 0) violated(s, "BOW: a source hits that no instruction of the window names");
}

static bool done(const rf_malekeh_stim *s) { return rf_stage_env_done(s->env); }
static const char *workload_error(const rf_malekeh_stim *s) { return rf_stage_env_workload_error(s->env); }
static uint64_t workload_unknown(const rf_malekeh_stim *s, const char **first) {
    return rf_stage_env_workload_unknown(s->env, first);
}

static const char *property(const rf_malekeh_stim *s) {
    return s->violation[0] != '\0' ? s->violation : rf_stage_env_property(s->env);
}

static int workload(rf_malekeh_stim *s, const rf_malekeh *m, const struct rf_source *source, const char *path, char *error,
                    size_t size) {
    (void)m;
    s->illegal.from = UINT64_MAX;
    return rf_stage_env_workload(s->env, source, path, error, size);
}

static uint64_t legal(const rf_malekeh_stim *s) { return s->illegal.from; }

static int surround(rf_malekeh_stim *s, const ls_settings *settings, char *error, size_t size) {
    return rf_stage_env_surround(s != NULL ? s->env : NULL, settings, error, size);
}

static uint32_t copies(const rf_malekeh_stim *s) { return rf_stage_env_cores(s->env); }

static void join(rf_malekeh_stim *s, rf_malekeh_stim *first, uint32_t number) {
    s->illegal.from = UINT64_MAX;
    rf_stage_env_join(s->env, first->env, number);
}

static void counters(const rf_malekeh_stim *s, const rf_malekeh *m, ls_counter_fn *sink, void *ctx) {
    rf_stage_env_counters(s->env, sink, ctx);
    rf_malekeh_count_report(&s->count, &m->cfg, rf_stage_env_wires(s->env), sink, ctx);
}

static uint32_t touched(const rf_malekeh *m, const rf_malekeh_in *in, const rf_malekeh_out *out, ls_touch *list) {
    (void)in;
    const uint32_t n = rf_stage_touched(out->wires.arbiter.bank_we, out->wires.arbiter.bank_waddr, list);
    return rf_stage_illegal_touched(list, n, m->stage.bank[0].cfg.rows);
}

/* ---- bins ---- */

/* clang-format off */
#define BINS(X)                                                                                                                  \
    X(ISSUE, "an instruction issues")                                                                                            \
    X(SEVERAL_ISSUE, "several groups issue at once")                                                                             \
    X(QUEUE_FULL, "write-back queue full")                                                                                       \
    X(READ_READ, "a read waits for a read")                                                                                      \
    X(READ_WRITE, "a read waits for a write")                                                                                    \
    X(NO_CCU, "a chosen warp finds no CCU, without waiting for near values")                                                     \
    X(OWN_BUSY, "a warp would be ready but for its own CCU")                                                                     \
    X(HELD_FIRST, "a warp with data in a CCU is chosen, one of its group without is ready")                                     \
    X(OWN, "an instruction takes its warp's own CCU")                                                                            \
    X(HIT_ALL, "all sources of an instruction hit")                                                                              \
    X(HIT_SOME, "some sources of an instruction hit")                                                                            \
    X(MISS, "no source of an instruction hits in its warp's own CCU")                                                            \
    X(REPLACE_FAR, "a CCU with far values only is taken by another warp")                                                        \
    X(REPLACE_NEAR, "a CCU with near values is taken by another warp")                                                           \
    X(WAIT, "the allocator waits because of near values")                                                                        \
    X(WAITED, "a CCU is replaced after a wait")                                                                                  \
    X(D_HIT, "a near result finds its register in the CCU")                                                                      \
    X(D_NEW, "a near result takes an entry")                                                                                     \
    X(D_FULL, "a near result finds all entries locked")                                                                          \
    X(D_PARTIAL, "a near result of some lanes merges into an entry")                                                             \
    X(D_BYPASS, "a near result of some lanes finds no entry")                                                                    \
    X(FAR_HIT, "a far result invalidates an entry")                                                                              \
    X(DISCARDED, "a second near result of the warp is discarded")                                                                \
    X(D_ALLOC, "a near result and an instruction come to one CCU at once")                                                       \
    X(LATE, "a near result of a warp without a CCU")                                                                             \
    X(LAUNCH, "a warp starts whose slot owns a CCU with values")                                                                 \
    X(STATE_2, "rf_sthld climbs")                                                                                                \
    X(STATE_3, "rf_sthld speculates")                                                                                            \
    X(STATE_4, "rf_sthld goes back")                                                                                             \
    X(STATE_5, "rf_sthld probes")                                                                                                \
    X(STATE_6, "rf_sthld rests")                                                                                                 \
    X(D_LOCKED, "a near result finds its register locked in the CCU")                                                            \
    X(SOURCE, "a result and an instruction that reads its register come to one CCU at once")                                     \
    X(LAUNCH_BUSY, "launch of a warp whose instruction is in its CCU")                                                           \
    RF_STAGE_ILLEGAL_BINS(X)
/* clang-format on */

#define BIN_NAME(name, text) name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};

static uint64_t bin(bool hit, uint32_t number) { return (uint64_t)hit << number; }

static uint32_t tagged(const rf_ccu *u, uint32_t reg) {
    uint32_t set = 0;
    for (uint32_t e = 0; e < u->cfg.entries; e++) set |= (uint32_t)(u->ct_tag_q[e] == reg) << e;
    return set & u->ct_valid_q;
}

static uint64_t issue_bins(const rf_malekeh *m, const rf_malekeh_in *in, const rf_malekeh_out *out) {
    const rf_malekeh_wires *x = &out->wires;
    uint64_t hit = bin(out->issue_valid != 0, ISSUE) | bin((out->issue_valid & (out->issue_valid - 1)) != 0, SEVERAL_ISSUE);
    hit |= bin((x->chosen & ~(x->alloc.grant | x->alloc.wait)) != 0, NO_CCU) | bin(x->alloc.wait != 0, WAIT);
    hit |= bin((in->ib_valid & ~x->hazard & x->own_busy) != 0, OWN_BUSY);
    for (uint32_t left = x->chosen; left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left), w = x->warp[g];
        uint64_t rivals = 0; /* of its group, ready and without data */
        for (uint32_t r = g; r < m->cfg.warps; r += m->cfg.issues) rivals |= x->ready & ~x->held & UINT64_C(1) << r;
        hit |= bin((x->held >> w & 1) != 0 && rivals != 0, HELD_FIRST);
    }
    for (uint32_t left = x->alloc.alloc; left != 0; left &= left - 1) {
        const uint32_t c = rf_lowest(left), w = out->issue_warp[x->alloc.which[c]];
        const uint32_t valid = in->ib_mask[w] != 0 ? in->ib_src_valid[w] : 0;
        const bool own = m->ccu[c].owned_q && m->ccu[c].carried_q.warp == w, replace = (x->alloc.replace >> c & 1) != 0;
        const bool near = (x->alloc_in.near >> c & 1) != 0;
        hit |= bin(own, OWN) | bin(own && valid != 0 && x->hit[c] == 0, MISS) | bin(valid != 0 && x->hit[c] == valid, HIT_ALL);
        hit |= bin(x->hit[c] != 0 && x->hit[c] != valid, HIT_SOME);
        hit |= bin(replace && near, REPLACE_NEAR) | bin(replace && !near, REPLACE_FAR) |
               bin(replace && near && m->alloc.count_q > 1, WAITED);
        hit |= bin((x->d_valid >> c & 1) != 0 && own, D_ALLOC);
    }
    return hit;
}

/* CCUs that listen to results: neither emptied nor taken by another warp at the coming edge. */
static uint32_t listening(const rf_malekeh *m, const rf_malekeh_in *in, const rf_malekeh_out *out) {
    uint32_t set = 0;
    for (uint32_t c = 0; c < m->cfg.collectors; c++) {
        const rf_ccu *u = &m->ccu[c];
        const bool taken = (out->wires.alloc.alloc >> c & 1) != 0;
        const bool same = !taken || out->issue_warp[out->wires.alloc.which[c]] == u->carried_q.warp;
        set |= (uint32_t)(u->owned_q && same && (in->launch >> u->carried_q.warp & 1) == 0) << c;
    }
    return set;
}

/* The head of warp w has this register as a source. */
static bool reads(const rf_malekeh *m, const rf_malekeh_in *in, uint32_t w, uint32_t reg) {
    for (uint32_t left = in->ib_mask[w] != 0 ? in->ib_src_valid[w] : 0; left != 0; left &= left - 1)
        if (in->ib_src[w * m->cfg.slots + rf_lowest(left)] == reg) return true;
    return false;
}

/* The result of port e may have port D of CCU c, as that sees it: it has the hint near or, of BOW, is awaited. */
static bool is_near_to(const rf_malekeh *m, const rf_malekeh_in *in, const rf_malekeh_out *out, uint32_t c, uint32_t e) {
    const rf_malekeh_wires *x = &out->wires;
    const bool taken = (x->alloc.alloc >> c & 1) != 0;
    if (m->cfg.bow == 0) return (x->wr_near >> e & 1) != 0;
    return rf_ccu_awaits(&m->ccu[c], x->wr_reg[e], taken,
                         taken && (in->ib_dst_near >> out->issue_warp[x->alloc.which[c]] & 1) != 0);
}

static uint64_t write_bins(const rf_malekeh *m, const rf_malekeh_in *in, const rf_malekeh_out *out, uint32_t listens) {
    const rf_malekeh_wires *x = &out->wires;
    const uint32_t every = (uint32_t)rf_mask64(m->cfg.lanes);
    uint64_t hit = 0;
    for (uint32_t left = x->arbiter.wr_grant; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left), mask = x->wr_mask[e];
        bool owner = false;
        for (uint32_t c = 0; c < m->cfg.collectors; c++) {
            const rf_ccu *u = &m->ccu[c];
            if (!u->owned_q || u->carried_q.warp != x->wr_warp[e]) continue;
            const uint32_t found = tagged(u, x->wr_reg[e]);
            const bool near = is_near_to(m, in, out, c, e);
            const bool first = (x->d_valid >> c & 1) != 0 && x->d_sel[c] == e;
            const bool locked = (~u->ct_lock_q & (uint32_t)rf_mask64(m->cfg.entries)) == 0;
            owner = true;
            if (mask == 0 || (listens >> c & 1) == 0) continue;
            hit |= bin(first && found != 0, D_HIT) | bin(first && found != 0 && mask != every, D_PARTIAL);
            hit |= bin(first && found == 0 && mask != every, D_BYPASS);
            hit |= bin(first && found == 0 && mask == every && !locked, D_NEW) | bin(first && found == 0 && locked, D_FULL);
            hit |= bin(!near && found != 0, FAR_HIT) | bin(near && !first, DISCARDED);
            hit |= bin(first && (found & u->ct_lock_q) != 0, D_LOCKED);
            hit |= bin((x->alloc.alloc >> c & 1) != 0 && reads(m, in, x->wr_warp[e], x->wr_reg[e]), SOURCE);
        }
        hit |= bin((x->wr_near >> e & 1) != 0 && !owner, LATE);
    }
    return hit;
}

static uint64_t bins(const rf_malekeh *m, const rf_malekeh_in *in, const rf_malekeh_out *out) {
    const rf_malekeh_cfg *cfg = &m->cfg;
    const rf_malekeh_wires *x = &out->wires;
    uint64_t hit = issue_bins(m, in, out) | write_bins(m, in, out, listening(m, in, out)) |
                   bin(out->res_ready != (1u << cfg->exports) - 1, QUEUE_FULL);
    for (uint64_t left = x->arbiter_in.rd_valid & ~x->arbiter.rd_grant; left != 0; left &= left - 1) {
        const bool read = (x->arbiter.bank_re >> x->arbiter_in.rd_bank[rf_lowest(left)] & 1) != 0;
        hit |= bin(read, READ_READ) | bin(!read, READ_WRITE);
    }
    for (uint32_t c = 0; c < cfg->collectors; c++)
        hit |= bin((in->launch >> m->ccu[c].carried_q.warp & 1) != 0 && (x->full >> c & 1) != 0, LAUNCH);
    hit |= bin((in->launch & x->own_busy) != 0, LAUNCH_BUSY);
    hit |= rf_stage_illegal_bins(&m->stage.scoreboard, cfg->exports, &in->stage, &out->stage) << NOT_WAITED_FOR;
    if (cfg->adapt != 0 && m->sthld.state_q >= 2) hit |= bin(true, STATE_2 + m->sthld.state_q - 2u);
    return hit;
}

/* ---- fields ---- */

/* A CCU's registers, which only instructions that issue and rows of the banks change. */
LS_LIST_LIKE(rf_malekeh_ccu, rf_ccu) {
    const rf_ccu_cfg *cfg = &((const rf_ccu *)model)->cfg;
    ls_fields_constant(fields, LS_STATE, "carried_q.warp", cfg->warps == 1, "there is one warp");
    ls_fields_rare(fields, LS_STATE, "port_q", cfg->exports == 1, "there is one port: others do not exist");
    ls_fields_rare(fields, LS_STATE, "carried_q.dst", cfg->regs == 1, "there is one register: others do not exist");
    ls_fields_rare(fields, LS_STATE, "ct_tag_q", cfg->regs == 1, "there is one register: others do not exist");
    ls_fields_constant(fields, LS_STATE, "bank_q", cfg->banks == 1, "there is one bank");
    ls_fields_rare(fields, LS_STATE, "row_q", cfg->rows == 1, "there is one row: others do not exist");
}

#define OTHERS " EXPORTS=3 COLLECTORS=3 BANKS=4 REGS=8 LANES=1 ENTRIES=4 INTERVAL=60 STHLD=4"
#define SMALL "WARPS=6 ISSUES=1" OTHERS
#define PAIR "WARPS=6 ISSUES=2" OTHERS

static void unreachable(const rf_malekeh_cfg *cfg, ls_unreachable *to) {
    ls_unreachable_if(to, cfg->issues == 1, SEVERAL_ISSUE, "one issue group");
    ls_unreachable_if(to, cfg->collectors == 1, SEVERAL_ISSUE, "one collector");
    ls_unreachable_if(to, cfg->collectors * cfg->slots == 1, READ_READ, "one operand is read at a time");
    ls_unreachable_if(to, cfg->ports == 2, READ_WRITE, "a port for each");
    ls_unreachable_if(to, cfg->exports == 1 && cfg->wbdepth > 1, QUEUE_FULL, "one port: its queue has its bank in each cycle");
    ls_unreachable_if(to, cfg->exports == 1, DISCARDED, "one result in a cycle");
    ls_unreachable_if(to, cfg->lanes == 1, D_PARTIAL, "one lane");
    ls_unreachable_if(to, cfg->lanes == 1, D_BYPASS, "one lane");
    ls_unreachable_if(to, cfg->slots == 1, HIT_SOME, "one slot");
    ls_unreachable_if(to, cfg->entries > cfg->slots, D_FULL, "more entries than an instruction locks");
    static const uint8_t of_strangers[] = {NO_CCU, REPLACE_FAR, REPLACE_NEAR, WAIT, WAITED};
    for (size_t i = 0; i < sizeof of_strangers; i++)
        ls_unreachable_if(to, cfg->cache != 0 && cfg->collectors >= cfg->warps, of_strangers[i], "a CCU for every warp");
    for (uint32_t b = OWN_BUSY; b <= LAUNCH; b++) ls_unreachable_if(to, cfg->cache == 0 && b != LATE, b, "no caching");
    for (uint32_t b = D_LOCKED; b <= LAUNCH_BUSY; b++) ls_unreachable_if(to, cfg->cache == 0, b, "no caching");
    ls_unreachable_if(to, cfg->exports == 1u << rf_index_bits(cfg->exports), NO_PORT, "every number is that of a port");
    ls_unreachable_if(to, cfg->sthld == 0 && cfg->adapt == 0, WAITED, "STHLD is 0: one cycle is no wait");
    for (uint32_t b = STATE_2; b <= STATE_6; b++) ls_unreachable_if(to, cfg->adapt == 0, b, "STHLD is fixed");
}

static const ls_fault faults[] = {
    {"a warp whose own CCU is busy is ready", NULL, "~(hazard | own_busy)", "~hazard", "issue_valid", SMALL},
    {"a warp that owns an empty CCU counts as one with data", NULL, "(own & full) != '0", "own != '0", "issue_warp", SMALL},
    {"a launch leaves the cache table", NULL, ".flush_i(launch_i[warp])", ".flush_i(1'b0)", "gen_ccu[2].u_ccu.ct_valid_q", SMALL},
    {"the far entry is always the lowest", NULL, ".rand_i(random)", ".rand_i('0)", "gen_ccu[1].u_ccu.ct_near_q", SMALL},
    {"all results are far to the CCUs", NULL, ".wr_near_i(wr_near)", ".wr_near_i('0)", "gen_ccu[1].u_ccu.ct_valid_q", SMALL},
    {"the hint does not come back with the result", NULL, ".res_note_i(res_near_i)", ".res_note_i('0)",
     "u_results.gen_wbq[1].u_wbq.note_q", SMALL},
    {"sources are far", NULL, "= ib_src_near_i[warp*SLOTS +: SLOTS]", "= '0", "gen_ccu[1].u_ccu.ct_near_q", SMALL},
    {"destinations are far", NULL, "= ib_dst_near_i[warp]", "= 1'b0", "gen_ccu[0].u_ccu.dst_near_q", SMALL},
    {"the hint does not go out with the instruction", NULL, "{carried, dst_near}", "{carried, 1'b0}", "ex_dst_near", SMALL},
    {"the allocator does not wait", NULL, ".sthld_i(sthld)", ".sthld_i(8'd0)", "issue_valid", SMALL " ADAPT=0"},
    {"a far replacement ends a wait for near values", NULL, ".CLEAR(CLEAR)", ".CLEAR(0)", "u_alloc.count_q", SMALL " CLEAR=1"},
    {"random numbers stand still without an issue", NULL, ".step_i(1'b1)", ".step_i(granted != '0)", "u_lfsr.value_q", SMALL},
    {"the adaptive threshold sees no instructions", NULL, ".issued_i(issued)", ".issued_i('0)", "gen_adapt.u_sthld.count_q",
     SMALL},
    {"the adaptive threshold starts from 0", NULL, ".FIRST(STHLD)", ".FIRST(0)", "gen_adapt.u_sthld.sthld_q", SMALL},
    {"what a large change is cannot be set", NULL, ".LARGE(LARGE)", ".LARGE(13)", "gen_adapt.u_sthld.state_q", SMALL " LARGE=90"},
    {"the allocator sees no near values", NULL, ".near_i(near)", ".near_i('0)", "issue_valid", SMALL},
    {"the allocator sees no owners", NULL, ".owned_i(owned)", ".owned_i('0)", "gen_ccu[0].u_ccu.bank_q", SMALL},
    {"port D has the first result's data", NULL, ".sel_i(d_sel), .data_i(wr_data)", ".sel_i('0), .data_i(wr_data)",
     "gen_ccu[2].u_ccu.ct_data_q", SMALL},
    {"the scheduler sees no data in CCUs", NULL, ".held_i(group_held)", ".held_i('0)", "issue_warp", SMALL},
    {"a group sees other warps' CCUs", NULL, "held[g + i*ISSUES]", "held[i]", "issue_warp", PAIR},
    {"a write does not wait for a read before it", NULL, ".rdp_i(unread)", ".rdp_i('0)", "issue_warp", SMALL " CACHE=0 SCHED=0"},
    {"a result comes to the CCUs before it is written", NULL, ".wr_valid_i(wr_grant)", ".wr_valid_i(wr_valid)",
     "gen_ccu[0].u_ccu.ct_valid_q", SMALL},
    {"mask 0 does not disable sources", NULL, " & {SLOTS{active}}", "", "gen_ccu[0].u_ccu.ct_lock_q", SMALL},
    {"mask 0 does not disable the destination", NULL, "ib_dst_valid_i[w] && active", "ib_dst_valid_i[w]", "issue_warp", SMALL},
    {"a result of no lane is dropped", NULL, ".res_valid_i(res_valid_i)",
     ".res_valid_i(res_valid_i & {EXPORTS{res_mask_i != '0}})", "u_results.gen_wbq[0].u_wbq.u_ctrl.wr_ptr_q", SMALL},
    {"a warp that starts has no hazard", NULL, "~(hazard | own_busy)", "~((hazard & ~launch_i) | own_busy)", "issue_valid",
     SMALL},
    {"a launch leaves the cache table while its CCU is busy", NULL, ".flush_i(launch_i[warp])",
     ".flush_i(launch_i[warp] && !busy[c])", "gen_ccu[1].u_ccu.ct_valid_q", SMALL},
    {"an instruction for a port that does not exist leaves at once", NULL, ".dispatch_i(dispatched[c])",
     ".dispatch_i(dispatched[c] || ccu_port[c*PORT_W +: PORT_W] >= PORT_W'(EXPORTS))", "gen_ccu[1].u_ccu.ct_lock_q", SMALL},
    {"a result of no lane counts", "rtl/malekeh/rf_ccu.sv", " && wr_mask_i[x*LANES +: LANES] != '0", "",
     "gen_ccu[0].u_ccu.ct_valid_q", SMALL},
    {"a result is written over an operand that an instruction needs", "rtl/malekeh/rf_ccu.sv", "d_found & ~ct_lock_q & ~used",
     "d_found & ~used", "gen_ccu[1].u_ccu.ct_lru_q", SMALL},
    {"an operand that is written while its instruction comes stays", "rtl/malekeh/rf_ccu.sv", "(used & stale) |", "",
     "gen_ccu[1].u_ccu.ct_valid_q", SMALL},
    {0},
};

#undef OTHERS
#undef SMALL
#undef PAIR

/* Four lanes but for the defaults: kernels and traces run with 32, and a narrow DUT is built in half the time. */
static const char *const sets[] = {
    "",
    "BANKS=8 WARPS=16 LANES=4 COLLECTORS=5 INTERVAL=60 LARGE=2 CLEAR=1",
    "CACHE=0 SCHED=0 ISSUES=1 LANES=4 COLLECTORS=4 ADAPT=0",
    "CACHE=0 SCHED=1 WARPS=8 ISSUES=2 LANES=1 COLLECTORS=3 PORTS=2 ADAPT=0 STHLD=9",
    "SCHED=2 FETCH=3 ADAPT=0 STHLD=8 WARPS=16 LANES=1 COLLECTORS=4 PORTS=2",
    "SLOTS=7 COLLECTORS=2 WARPS=9 ISSUES=3 BANKS=5 REGS=33 LANES=3 EXPORTS=2 WBDEPTH=3 INTERVAL=40",
    "ENTRIES=3 SCHED=0 ISSUES=1 WARPS=12 COLLECTORS=4 BANKS=4 REGS=16 LANES=1 INTERVAL=80 STHLD=20 LARGE=40",
    "SLOTS=2 ENTRIES=2 ISSUES=1 WARPS=6 COLLECTORS=3 BANKS=4 REGS=8 LANES=1 INTERVAL=60 STHLD=4",
    "BOW=1 SCHED=0 ADAPT=0 ISSUES=1 WARPS=6 COLLECTORS=3 BANKS=4 REGS=8 LANES=2 ENTRIES=4",
    "SERIAL=1 SLOTS=7 ISSUES=1 WARPS=8 COLLECTORS=2 BANKS=4 LANES=2 EXPORTS=3 PORTS=2 INTERVAL=60 CLEAR=1",
    NULL};

static const char *const rtl[] = {"rtl/common/rf_pkg.sv",
                                  "rtl/common/rf_rr.sv",
                                  "rtl/common/rf_fifo_ctrl.sv",
                                  "rtl/common/rf_lfsr.sv",
                                  "rtl/banked/rf_banked_pkg.sv",
                                  "rtl/banked/rf_sched_gto.sv",
                                  "rtl/banked/rf_sched_lrr.sv",
                                  "rtl/banked/rf_sched_groups.sv",
                                  "rtl/banked/rf_scoreboard.sv",
                                  "rtl/banked/rf_arbiter.sv",
                                  "rtl/banked/rf_crossbar.sv",
                                  "rtl/banked/rf_bank.sv",
                                  "rtl/banked/rf_dispatch.sv",
                                  "rtl/banked/rf_wbq.sv",
                                  "rtl/banked/rf_stage_head.sv",
                                  "rtl/banked/rf_stage_banks.sv",
                                  "rtl/banked/rf_stage_exec.sv",
                                  "rtl/banked/rf_stage_results.sv",
                                  "rtl/malekeh/rf_malekeh_pkg.sv",
                                  "rtl/malekeh/rf_ccu.sv",
                                  "rtl/malekeh/rf_ccu_allocator.sv",
                                  "rtl/malekeh/rf_ccu_scheduler.sv",
                                  "rtl/malekeh/rf_sthld.sv",
                                  NULL};

#define LS_UNIT rf_malekeh
#define LS_GROUP "malekeh"
#define LS_BRIEF "operand stage with caching collector units"
#define LS_FIELDS "tb/malekeh/rf_malekeh.fields"
#define LS_OBSERVE
#define LS_UNREACHABLE
#define LS_STEP
#define LS_TOUCHED
#define LS_SYSTEM
#define LS_COPIES
#define LS_WARP
#include "harness/core/unit_define.h"
