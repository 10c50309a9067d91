/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, properties, bins and planted faults of rf_cerf. The environment of rf_stage_env.h surrounds the stage; global and
 * local accesses of its memory instructions are made here, by a load/store unit (rf_cerf_lsu.h) in front of the memory and an L2
 * behind it (rf_cerf_l2.h). Checked beside what the environment checks: what a load is answered, in every cycle one line of all
 * that were stored to, and at the end of a kernel all of memory, is what every access at once would have left; in every cycle one
 * register of all is the golden one; no line is in two entries; no dead register goes to L2; with INTEGRATED 0 it is
 * rf_banked, which runs beside it. With illegal inputs nothing is checked. */
#include "cmodel/cerf/rf_cerf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/cerf/rf_cerf_memory_parts.h"
#include "cmodel/compiler/rf_hints.h"
#include "cmodel/workload/rf_crack.h"
#include "harness/base/memory.h"
#include "harness/core/unit.h"
#include "tb/banked/env/rf_banked_beside.h"
#include "tb/banked/env/rf_banked_count.h"
#include "tb/banked/env/rf_stage_env.h"
#include "tb/banked/env/rf_stage_illegal.h"
#include "tb/cerf/env/rf_cerf_count.h"
#include "tb/cerf/env/rf_cerf_l2.h"
#include "tb/cerf/env/rf_cerf_lsu.h"
#include "tb/cerf/env/rf_cerf_random.h"
#include "tb/cerf/env/rf_cerf_use.h"
#include "tb/cerf/env/rf_cerf_view.h"
#include "tb/machine/env/rf_machine.h"
#include "tb/machine/env/rf_memory_access.h"

typedef struct rf_cerf_stim {
    rf_stage_env *env;
    const rf_cerf *model; /* in stim */
    rf_stage_illegal illegal;
    rf_cerf_cfg cfg;
    rf_cerf_random random;
    rf_cerf_lsu lsu;
    rf_cerf_l2 l2;
    ls_rng rng;
    uint64_t seed, cycle;
    bool workload;
    bool used;                                      /* the memory may hold something since the last kernel */
    uint32_t clear;                                 /* entries that were looked at since then, and told to go */
    bool waits;                                     /* the next kernel waits for that in this cycle */
    uint64_t emptying;                              /* cycles in which it did */
    uint64_t dead[RF_WARPS_MAX * RF_REGS_MAX / 64]; /* by number: registers read for the last time, untouched since */
    rf_cerf_count count;
    rf_banked_count separate; /* INTEGRATED 0 */
    rf_banked_beside *beside; /* the same; NULL with INTEGRATED 1 */
    rf_cerf_use use;
    char violation[192];
} rf_cerf_stim;

static void violated(rf_cerf_stim *s, const char *text) {
    if (s->violation[0] == '\0')
        (void)snprintf(s->violation, sizeof s->violation, "cycle %llu: %s", (unsigned long long)s->cycle, text);
}

/* Line numbers from here on are of registers: accesses have lower ones. */
static uint32_t first_register(const rf_cerf_cfg *cfg) {
    const uint32_t bits = rf_index_bits(cfg->warps * cfg->regs);
    return (cfg->prefix << bits) & (uint32_t)rf_mask64(RF_CERF_LINE_W);
}

/* ---- last reads ---- */

static void drive_head(void *ctx, rf_stage_in *stage, uint32_t w, const rf_inst *inst, const rf_uop *uop) {
    rf_cerf_stim *s = ctx;
    rf_cerf_in *in = (rf_cerf_in *)stage; /* its first member */
    in->ib_last[w] = 0;
    for (uint32_t at = 0; at < uop->nsrc; at++)
        in->ib_last[w] |= (uint8_t)((uint32_t)rf_crack_last(inst, uop->src_index + at, s->cfg.slots) << at);
}

/* A stream without hints gets them by looking ahead in it. */
static void loaded(void *ctx, rf_warp *warp) {
    bool has_hints = false;
    (void)ctx;
    for (size_t i = 0; i < warp->count && !has_hints; i++) has_hints = (warp->inst[i].hint.flags & RF_HINT_PRESENT) != 0;
    if (!has_hints && rf_hints_of_warp(warp, NULL) != 0) ls_die("no memory");
}

static void launch(void *ctx, uint32_t w) { rf_cerf_random_launch(&((rf_cerf_stim *)ctx)->random, w); }

static void phase(void *ctx, rf_stream_kind kind) {
    static const uint32_t open[] = {256, 256, 128, 24};
    rf_cerf_stim *s = ctx;
    (void)kind;
    rf_cerf_random_phase(&s->random);
    s->l2.open = open[ls_rng_below(&s->rng, 4)];
    s->l2.latency = 1u << ls_rng_below(&s->rng, 8);
    s->l2.jitter = ls_rng_chance(&s->rng, 128) ? 0 : 96;
    s->lsu.ids = ls_rng_chance(&s->rng, 64) ? 1 : RF_CERF_IDS;
    if (ls_rng_chance(&s->rng, 48)) { /* dirty lines everywhere, behind queues that are full: results have to wait for them */
        rf_cerf_random_storm(&s->random);
        s->l2.open = 24;
        s->l2.latency = 1;
    }
}

static void compile(void *ctx, uint32_t w, rf_inst *inst) { rf_cerf_random_compile(&((rf_cerf_stim *)ctx)->random, w, inst); }

/* ---- accesses ---- */

/* Data that stores and atomics carry: whatever operands were delivered. */
static rf_vec data_of(const rf_cerf_cfg *cfg, const rf_vec *operands) {
    rf_vec data = operands[0];
    for (uint32_t i = 1; i < cfg->slots; i++)
        for (uint32_t l = 0; l < cfg->lanes; l++) data.lane[l] ^= operands[i].lane[l];
    return data;
}

/* Requests of a global or local access: line numbers are cut to those that no register has. */
static void coalesce(const rf_cerf_cfg *cfg, const rf_memory_access *a, rf_cerf_access *access) {
    rf_memory_requests requests;
    const uint32_t below = first_register(cfg);
    rf_memory_coalesce(a, 2 + rf_log2(cfg->lanes), 2, &requests);
    access->op = a->kind == RF_ACCESS_LOAD ? RF_CACHE_LOAD : a->kind == RF_ACCESS_STORE ? RF_CACHE_STORE : RF_CACHE_ATOMIC;
    access->count = requests.count;
    for (uint32_t i = 0; i < requests.count; i++) {
        access->line[i] = (uint32_t)(requests.of[i].line % below);
        access->mask[i] = requests.of[i].touched;
    }
}

static bool begin(void *ctx, uint16_t number, const rf_inst *inst, uint64_t warp, const rf_vec *operands) {
    rf_cerf_stim *s = ctx;
    rf_cerf_access access = {.number = number};
    const rf_vec data = data_of(&s->cfg, operands);
    uint64_t lane[RF_LANES_MAX];
    rf_memory_access a;
    if (!s->workload) {
        rf_cerf_random_access(&s->random, &data, &access);
    } else {
        if (!rf_memory_access_of(inst, warp, lane, &a) || a.space == RF_MEMORY_SHARED || a.space == RF_MEMORY_CONSTANT ||
            a.address == NULL || a.mask == 0)
            return false;
        coalesce(&s->cfg, &a, &access);
        access.data = data;
    }
    rf_cerf_lsu_push(&s->lsu, &access);
    return true;
}

/* ---- between kernels ---- */

/* All that is in the memory, and on its way to L2, is what every access at once would have left. */
static void check_memory(rf_cerf_stim *s) {
    const rf_line_store *golden = &s->lsu.golden;
    for (uint32_t i = 0; i < golden->table.count; i++) {
        const uint32_t line = golden->table.number[i];
        const rf_vec now = rf_line_store_read(&s->l2.store, line);
        if (memcmp(&now, &golden->line[i], s->cfg.lanes * sizeof now.lane[0]) != 0) {
            char text[96];
            (void)snprintf(text, sizeof text, "memory is what sequential execution leaves: line 0x%07x of L2 is not", line);
            violated(s, text);
        }
    }
}

/* One line a cycle, in turn, wherever it is. */
static void check_stored(rf_cerf_stim *s, const rf_cerf *m) {
    const rf_line_store *golden = &s->lsu.golden;
    if (golden->table.count == 0) return;
    const uint32_t at = (uint32_t)(s->cycle % golden->table.count), line = golden->table.number[at];
    const rf_vec now = rf_cerf_view_line(&m->memory, &s->l2.store, line);
    if (memcmp(&now, &golden->line[at], s->cfg.lanes * sizeof now.lane[0]) == 0) return;
    char text[96];
    (void)snprintf(text, sizeof text, "nothing that was stored is lost: line 0x%07x", line);
    violated(s, text);
}

static bool is_dead(const rf_cerf_stim *s, uint32_t number) { return (s->dead[number / 64] >> number % 64 & 1) != 0; }

static void set_dead(rf_cerf_stim *s, uint32_t number, bool dead) {
    const uint64_t bit = UINT64_C(1) << number % 64;
    s->dead[number / 64] = dead ? s->dead[number / 64] | bit : s->dead[number / 64] & ~bit;
}

/* One register a cycle, in turn, that nothing under way writes: in the memory, or on its way to or from L2. */
static void check_live(rf_cerf_stim *s, const rf_cerf *m, const rf_stage_view *view) {
    const uint32_t number = (uint32_t)(s->cycle % (s->cfg.warps * s->cfg.regs));
    const uint32_t w = number / s->cfg.regs, reg = number % s->cfg.regs;
    if (!s->cfg.integrated || (m->stage.units.scoreboard.pending_q[w].w[reg / 64] >> reg % 64 & 1) != 0) return;
    rf_stage_env_holds(s->env, view, w, reg);
}

/* What the data stage of a bank begins to write to L2 is no register that was dead before. */
static void check_spills(rf_cerf_stim *s, const rf_cerf *m) {
    const uint32_t first = first_register(&s->cfg);
    for (uint32_t b = 0; b < s->cfg.banks && s->cfg.integrated; b++) {
        const rf_cache_bank *k = &m->memory.bank[b];
        const uint32_t line = k->d_line_q << rf_log2(s->cfg.banks) | b;
        if (!k->d_valid_q || !k->d_push_q || k->d_op_q != RF_MISS_WRITE || k->d_step_q != 0 || line < first) continue;
        if (is_dead(s, line - first)) violated(s, "no dead register goes to L2");
    }
}

/* The load/store unit tells every entry that is not vacant to go, dirty lines are written to L2; true when that is done. */
static bool emptied(rf_cerf_stim *s) {
    const uint32_t entries = s->cfg.sets * s->cfg.ways;
    if (!s->used) return true;
    s->waits = true;
    if (s->clear == 0 && !rf_cerf_lsu_idle(&s->lsu)) return false;
    for (; s->clear < entries && s->lsu.waiting < 16; s->clear++) {
        const uint32_t set = s->clear / s->cfg.ways, way = s->clear % s->cfg.ways;
        const rf_cerf_access access = {
            .number = RF_STAGE_NO_ACCESS, .op = RF_CACHE_FLUSH, .count = 1, .line = {set}, .way = (uint8_t)way};
        if (rf_cerf_view_holds(&s->model->memory, set, way)) rf_cerf_lsu_push(&s->lsu, &access);
    }
    if (s->clear < entries || !rf_cerf_lsu_idle(&s->lsu) || !rf_cerf_view_idle(&s->model->memory)) return false;
    check_memory(s);
    s->clear = 0;
    s->used = false;
    return true;
}

static bool settled(void *ctx) { return emptied(ctx); }

/* ---- life ---- */

static void stim_init(rf_cerf_stim *s, const rf_cerf *m, uint64_t seed) {
    const rf_cerf_cfg *c = &m->cfg;
    const rf_stage_cfg cfg = {.warps = c->warps,
                              .collectors = c->collectors,
                              .banks = c->banks,
                              .regs = c->regs,
                              .lanes = c->lanes,
                              .slots = c->slots,
                              .exports = c->exports,
                              .issues = c->issues,
                              .wbdepth = c->wbdepth,
                              .active_lanes = c->integrated && c->liveness,
                              .unrotated = true};
    const rf_stage_hooks hooks = {.ctx = s,
                                  .show = drive_head,
                                  .launch = launch,
                                  .phase = phase,
                                  .random = compile,
                                  .access = begin,
                                  .settled = settled,
                                  .loaded = loaded};
    memset(s, 0, sizeof *s);
    s->cfg = *c;
    s->model = m;
    s->seed = seed;
    ls_rng_seed(&s->rng, ls_seed_derive(seed, "memory"));
    rf_cerf_random_init(&s->random, c, ls_seed_derive(seed, "accesses"));
    rf_cerf_lsu_init(&s->lsu, c->lanes, first_register(c));
    rf_cerf_l2_init(&s->l2, c->lanes, first_register(c), NULL, seed);
    rf_cerf_use_init(&s->use, c->slots);
    s->env = rf_stage_env_new(&cfg, &hooks, seed);
    if (!c->integrated) s->beside = ls_zeroed(sizeof *s->beside);
    rf_stage_illegal_init(&s->illegal, &cfg, seed);
}

static void stim_free(rf_cerf_stim *s) {
    rf_stage_env_free(s->env);
    free(s->beside);
    rf_cerf_lsu_free(&s->lsu);
    rf_cerf_l2_free(&s->l2);
    rf_cerf_use_free(&s->use);
}

/* ---- a cycle ---- */

typedef struct viewed {
    const rf_cerf *m;
    const rf_cerf_stim *s;
} viewed;

static const rf_vec *value(const void *ctx, uint32_t w, uint32_t reg, rf_vec *room) {
    const viewed *v = ctx;
    const rf_banked *stage = &v->m->stage.units;
    const uint32_t banks = v->m->cfg.banks, per_warp = rf_map_rows_per_warp(v->m->cfg.regs, banks);
    if (!v->m->cfg.integrated) return &stage->bank[rf_map_bank(w, reg, banks)].mem_q[rf_map_row(w, reg, banks, per_warp)];
    *room = rf_cerf_view_register(&v->m->memory, &v->s->l2.store, w * v->m->cfg.regs + reg);
    return room;
}

/* The load/store unit and L2. */
static void memory_inputs(rf_cerf_stim *s, rf_cerf_in *in) {
    rf_cerf_request request = {.valid = 0};
    rf_cerf_lsu_request(&s->lsu, &request);
    in->mem_valid = request.valid;
    if (request.valid) {
        in->mem_op = request.op;
        in->mem_line = request.line;
        in->mem_way = request.way;
        in->mem_id = request.id;
        in->mem_mask = request.mask;
        in->mem_data = request.data;
    }
    const rf_cerf_answer *answer = rf_cerf_l2_offer(&s->l2, s->cycle);
    in->l2_ready = rf_cerf_l2_ready(&s->l2);
    in->fill_valid = answer != NULL;
    if (answer == NULL) return;
    in->fill_bank = answer->bank;
    in->fill_entry = answer->entry;
    in->fill_data = answer->data;
}

/* Any of it at any time. */
static void illegal_memory(rf_cerf_stim *s, rf_cerf_in *in) {
    const rf_cerf_cfg *c = &s->cfg;
    if ((s->illegal.cycle - s->illegal.from) % RF_ENV_PHASE == 1) rf_cerf_random_phase(&s->random);
    for (uint32_t w = 0; w < c->warps; w++)
        if (ls_rng_chance(&s->rng, 32)) in->ib_last[w] = (uint8_t)ls_rng_bits(&s->rng, c->slots, s->random.last);
    if (ls_rng_chance(&s->rng, 96)) {
        in->mem_valid = ls_rng_chance(&s->rng, 192);
        in->mem_op = (uint8_t)ls_rng_below(&s->rng, 8);
        in->mem_line = ls_rng_below(&s->rng, s->random.lines) * s->random.stride;
        if (ls_rng_chance(&s->rng, 16)) in->mem_line = first_register(c) + ls_rng_below(&s->rng, c->warps * c->regs);
        in->mem_way = (uint8_t)ls_rng_value(&s->rng, rf_index_bits(c->ways));
        in->mem_id = (uint8_t)ls_rng_value(&s->rng, RF_CERF_ID_W);
        in->mem_mask = (uint32_t)ls_rng_bits(&s->rng, c->lanes, 192);
        ls_rng_lanes(&s->rng, in->mem_data.lane, c->lanes);
    }
    in->l2_ready = ls_rng_chance(&s->rng, 192);
    if (ls_rng_chance(&s->rng, 128)) {
        in->fill_valid = ls_rng_chance(&s->rng, 192);
        in->fill_bank = (uint8_t)ls_rng_value(&s->rng, rf_index_bits(c->banks));
        in->fill_entry = (uint8_t)ls_rng_value(&s->rng, rf_index_bits(c->mshrs));
        ls_rng_lanes(&s->rng, in->fill_data.lane, c->lanes);
    }
}

/* Accesses of the load/store unit's own, of nobody's instruction. */
static void ghosts(rf_cerf_stim *s) {
    rf_cerf_access access = {.number = RF_STAGE_NO_ACCESS};
    rf_vec data = {{0}};
    if (s->workload || s->waits || s->lsu.waiting > 16 || ls_rng_below(&s->rng, 1024) >= s->random.ghost) return;
    ls_rng_lanes(&s->rng, data.lane, s->cfg.lanes);
    rf_cerf_random_access(&s->random, &data, &access);
    rf_cerf_lsu_push(&s->lsu, &access);
}

static void stim(rf_cerf_stim *s, const rf_cerf *m, rf_cerf_in *in) {
    if (rf_stage_illegal_now(&s->illegal)) {
        rf_stage_illegal_inputs(&s->illegal, &in->stage);
        illegal_memory(s, in);
        return;
    }
    const viewed v = {m, s};
    rf_stage_view view = {.model = &v, .value = value};
    uint16_t number;
    s->model = m;
    check_stored(s, m);
    check_spills(s, m);
    check_live(s, m, &view);
    for (uint32_t c = 0; c < m->cfg.collectors; c++)
        view.collecting += m->cfg.integrated ? m->stage.ocu[c].busy_q : m->stage.units.ocu[c].busy_q;
    for (uint32_t e = 0; e < m->cfg.exports; e++) view.level[e] = m->stage.units.wbq[e].ctrl.level_q;
    while (rf_cerf_lsu_over(&s->lsu, &number))
        if (number != RF_STAGE_NO_ACCESS) rf_stage_env_accessed(s->env, number);
    if (s->beside != NULL) rf_banked_beside_start(s->beside, &m->stage.units);
    rf_stage_env_inputs(s->env, &view, &in->stage);
    ghosts(s);
    memory_inputs(s, in);
}

/* Registers whose entries die with the reads of this cycle; what the same instruction writes is not lost. */
static void lose(rf_cerf_stim *s, const rf_cerf_out *out) {
    for (uint64_t left = out->wires.rd_accept & out->wires.rd_dead; left != 0; left &= left - 1) {
        const uint32_t r = rf_lowest(left), w = out->wires.number[r] / s->cfg.regs, reg = out->wires.number[r] % s->cfg.regs;
        set_dead(s, out->wires.number[r], true);
        const rf_stage_carried *own = &s->model->stage.ocu[r / s->cfg.slots].carried_q;
        rf_stage_env_lose(s->env, w, reg, own->dst_valid && own->dst == reg ? ~own->mask : UINT32_MAX);
    }
}

/* Registers that this cycle writes, or reads once more, are no longer dead: an instruction without lanes may read any. */
static void revive(rf_cerf_stim *s, const rf_cerf_out *out) {
    for (uint64_t left = out->wires.rd_accept & ~out->wires.rd_dead; left != 0; left &= left - 1)
        set_dead(s, out->wires.number[rf_lowest(left)], false);
    for (uint32_t left = out->wires.wr_accept; left != 0; left &= left - 1) {
        const rf_wbq *q = &s->model->stage.units.wbq[rf_lowest(left)];
        const uint32_t depth = s->cfg.wbdepth, was = (q->ctrl.rd_ptr_q + depth - 1) % depth; /* it has left */
        set_dead(s, q->warp_q[was] * s->cfg.regs + q->reg_q[was], false);
    }
}

/* The sets that this cycle looked up, and who waits. */
static void check_banks(rf_cerf_stim *s, const rf_cerf_out *out) {
    const rf_cerf_memory_wires *x = &out->wires.memory;
    const char *stuck = rf_cerf_view_waits(&s->model->memory, x);
    if (stuck != NULL) violated(s, stuck);
    for (uint32_t left = x->tag_write; left != 0; left &= left - 1) {
        const char *wrong = rf_cerf_view_check(&s->model->memory, rf_lowest(left), x->tag_set[rf_lowest(left)]);
        if (wrong != NULL) violated(s, wrong);
    }
}

static void memory_observe(rf_cerf_stim *s, const rf_cerf_in *in, const rf_cerf_out *out) {
    for (uint32_t left = out->ld_valid; left != 0; left &= left - 1)
        rf_cerf_lsu_answered(&s->lsu, out->ld_id[rf_lowest(left)], &out->ld_data[rf_lowest(left)]);
    if (in->mem_valid && out->mem_accept) rf_cerf_lsu_accepted(&s->lsu);
    if (in->fill_valid && out->fill_ready) rf_cerf_l2_answered(&s->l2);
    if (out->l2_valid && in->l2_ready) {
        const rf_cerf_message message = {.op = out->l2_op,
                                         .bank = out->l2_bank,
                                         .entry = out->l2_entry,
                                         .line = out->l2_line,
                                         .mask = out->l2_mask,
                                         .data = out->l2_data};
        rf_stage_env_passes(s->env, rf_cerf_l2_take(&s->l2, &message, s->cycle));
    }
    if (s->lsu.violation[0] != '\0') violated(s, s->lsu.violation);
}

static void observe(rf_cerf_stim *s, const rf_cerf_in *in, const rf_cerf_out *out) {
    if (s->illegal.on) {
        rf_stage_illegal_observe(&s->illegal, &in->stage, &out->stage);
        return;
    }
    const rf_cerf_wires *x = &out->wires;
    const bool integrated = s->cfg.integrated != 0;
    const rf_stage_waits waits = rf_stage_env_waits(s->env, &in->stage, integrated ? x->chosen : out->separate.wires.chosen,
                                                    integrated ? x->hazard : out->separate.wires.hazard);
    memory_observe(s, in, out);
    if (integrated) {
        revive(s, out);
        lose(s, out);
    }
    rf_stage_env_observe(s->env, &in->stage, &out->stage, integrated ? x->wr_accept : out->separate.wires.arbiter.wr_grant);
    check_banks(s, out);
    if (s->beside != NULL && !rf_banked_beside_step(s->beside, &in->stage, &out->stage, false))
        violated(s, "without integration it is rf_banked: an output differs from rf_banked's");
    rf_cerf_count_cycle(&s->count, s->model, in, out, integrated ? &waits : NULL);
    if (!integrated)
        rf_banked_count_cycle(&s->separate, &s->model->stage.units.cfg, (const rf_banked_in *)&in->stage, &out->separate, &waits);
    rf_cerf_use_cycle(&s->use, in, out, waits.live);
    s->used |= out->issue_valid != 0;
    s->emptying += s->waits;
    s->waits = false;
    s->cycle++;
}

static bool done(const rf_cerf_stim *s) {
    /* The last kernel's memory is emptied and compared, too: that only the stimulus changes. */
    return rf_stage_env_done(s->env) && emptied((rf_cerf_stim *)s);
}
static const char *workload_error(const rf_cerf_stim *s) { return rf_stage_env_workload_error(s->env); }
static uint64_t workload_unknown(const rf_cerf_stim *s, const char **first) {
    return rf_stage_env_workload_unknown(s->env, first);
}

static const char *property(const rf_cerf_stim *s) {
    return s->violation[0] != '\0' ? s->violation : rf_stage_env_property(s->env);
}

static int workload(rf_cerf_stim *s, const rf_cerf *m, const struct rf_source *source, const char *path, char *error,
                    size_t size) {
    (void)m;
    s->illegal.from = UINT64_MAX;
    s->workload = true;
    s->lsu.ids = RF_CERF_IDS;
    return rf_stage_env_workload(s->env, source, path, error, size);
}

static uint64_t legal(const rf_cerf_stim *s) { return s->illegal.from; }

/* A machine's links, L2 and DRAM are those behind this memory. */
static int surround(rf_cerf_stim *s, const ls_settings *settings, char *error, size_t size) {
    if (rf_machine_one_core(settings, error, size) != 0) return -1;
    if (s == NULL) return rf_stage_env_surround(NULL, settings, error, size);
    if (rf_stage_env_surround(s->env, settings, error, size) != 0) return -1;
    const rf_memory_cfg *memory = rf_stage_env_memory(s->env);
    if (memory == NULL) return 0;
    rf_cerf_l2_free(&s->l2);
    rf_cerf_l2_init(&s->l2, s->cfg.lanes, first_register(&s->cfg), memory, s->seed);
    return 0;
}

static void counters(const rf_cerf_stim *s, const rf_cerf *m, ls_counter_fn *sink, void *ctx) {
    rf_stage_env_counters(s->env, sink, ctx);
    if (!m->cfg.integrated) rf_banked_count_report(&s->separate, &m->stage.units.cfg, rf_stage_env_wires(s->env), sink, ctx);
    rf_cerf_count_report(&s->count, &m->cfg, sink, ctx);
    rf_cerf_use_report(&s->use, sink, ctx);
    sink(ctx, "emptying_cycles", (double)s->emptying);
}

/* Memories: without integration the banks of rf_banked; then of each bank tags and data. */
static uint32_t touched(const rf_cerf *m, const rf_cerf_in *in, const rf_cerf_out *out, ls_touch *list) {
    const rf_cerf_memory_wires *x = &out->wires.memory;
    const uint32_t first = m->cfg.integrated ? 0 : m->cfg.banks;
    uint32_t n = 0;
    (void)in;
    if (!m->cfg.integrated) {
        const rf_arbiter_out *arbiter = &out->separate.wires.arbiter;
        n = rf_stage_illegal_touched(list, rf_stage_touched(arbiter->bank_we, arbiter->bank_waddr, list),
                                     m->stage.units.bank[0].cfg.rows);
    }
    for (uint32_t left = x->tag_write; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left);
        list[n++] = (ls_touch){.memory = first + 2 * b, .row = x->tag_set[b]};
    }
    for (uint32_t left = x->row_write; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left);
        list[n++] = (ls_touch){.memory = first + 2 * b + 1, .row = x->row[b]};
    }
    return n;
}

/* ---- bins ---- */

/* clang-format off */
#define BINS(X)                                                                                                                  \
    X(ISSUE, "an instruction issues")                                                                                            \
    X(NO_COLLECTOR, "no collector for a chosen warp")                                                                            \
    X(QUEUE_FULL, "write-back queue full")                                                                                       \
    X(READ_HIT, "an operand hits")                                                                                               \
    X(READ_MISS, "an operand misses")                                                                                            \
    X(READ_REFUSED, "an operand is refused")                                                                                     \
    X(READ_LOST, "an operand loses its bank")                                                                                    \
    X(WRITE_HIT, "a result hits")                                                                                                \
    X(WRITE_MISS, "a result misses")                                                                                             \
    X(WRITE_REFUSED, "a result is refused")                                                                                      \
    X(WRITE_LOST, "a result loses its bank")                                                                                     \
    X(LOAD_HIT, "a load hits")                                                                                                   \
    X(LOAD_MISS, "a load misses")                                                                                                \
    X(LOAD_REFUSED, "a load is refused")                                                                                         \
    X(STORE_HIT, "a store hits")                                                                                                 \
    X(STORE_MISS, "a store misses")                                                                                              \
    X(STORE_REFUSED, "a store is refused")                                                                                       \
    X(ATOMIC_MISS, "an atomic goes to L2")                                                                                       \
    X(ATOMIC_DIRTY, "an atomic finds a dirty line")                                                                              \
    X(ACCESS_LOST, "an access loses its bank")                                                                                   \
    X(VICTIM_REG, "a register gives way")                                                                                        \
    X(VICTIM_CACHE, "a clean line gives way")                                                                                    \
    X(VICTIM_DIRTY, "a dirty line gives way")                                                                                    \
    X(LINE_BY_REG, "a line gives way to a register")                                                                             \
    X(REG_BY_LINE, "a register gives way to a line")                                                                             \
    X(TOGETHER, "a line comes into the set of a register that waits to be written")                                              \
    X(MSHRS_LINES, "all MSHRs that a bank's lines may have are busy")                                                            \
    X(MSHRS_REGS, "all MSHRs that a bank's registers may have are busy")                                                         \
    X(THRASH, "... of the lines, with lines of one set")                                                                         \
    X(SPILLS, "a bank's queue to L2 is full of registers")                                                                       \
    X(PENDING, "a store to a line that a load has fetched and not got")                                                          \
    X(FLUSH_DIRTY, "a dirty line is flushed")                                                                                    \
    X(DEATH, "a register dies with its last read")                                                                               \
    X(LIVES_ON, "a register's last read is not its last in the collectors")                                                      \
    X(FILLS, "L2 answers")                                                                                                       \
    X(FILL_WAITS, "an answer waits")                                                                                             \
    X(L2_WAITS, "a message waits for L2")                                                                                        \
    X(ANSWERS, "several banks answer at once")                                                                                   \
    X(WAKE, "a bank wakes who waits")                                                                                            \
    RF_STAGE_ILLEGAL_BINS(X)
/* clang-format on */

#define BIN_NAME(name, text) name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};

static uint64_t bin(bool hit, uint32_t number) { return (uint64_t)hit << number; }

static uint64_t memory_bins(const rf_cerf_memory_wires *x, bool integrated) {
    static const uint8_t hits[] = {READ_HIT, WRITE_HIT, LOAD_HIT, STORE_HIT};
    static const uint8_t misses[] = {READ_MISS, WRITE_MISS, LOAD_MISS, STORE_MISS, ATOMIC_MISS};
    static const uint8_t refusals[] = {READ_REFUSED, WRITE_REFUSED, LOAD_REFUSED, STORE_REFUSED};
    uint64_t bins = bin(x->filled != 0, FILLS);
    for (uint32_t left = x->asked; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left), op = x->op[b];
        const bool hit = (x->hit >> b & 1) != 0, accept = (x->accept >> b & 1) != 0, refuse = (x->refuse >> b & 1) != 0;
        if (op <= RF_CACHE_STORE) bins |= bin(accept && hit, hits[op]) | bin(refuse, refusals[op]);
        if (op <= RF_CACHE_ATOMIC) bins |= bin(accept && !hit, misses[op]);
        if (op == RF_CACHE_ATOMIC) bins |= bin(hit && !accept && !refuse, ATOMIC_DIRTY);
    }
    for (uint32_t left = x->victim; left != 0; left &= left - 1) {
        const uint32_t state = x->victim_state[rf_lowest(left)];
        const bool reg = state == RF_LINE_REG, by_reg = (x->by_register >> rf_lowest(left) & 1) != 0;
        bins |= bin(reg, VICTIM_REG) | bin(state == RF_LINE_CACHE, VICTIM_CACHE) | bin(state == RF_LINE_DIRTY, VICTIM_DIRTY) |
                bin(by_reg && !reg, LINE_BY_REG) | bin(reg && !by_reg, REG_BY_LINE);
    }
    const uint64_t of_registers = bin(true, READ_HIT) | bin(true, READ_MISS) | bin(true, READ_REFUSED) | bin(true, WRITE_HIT) |
                                  bin(true, WRITE_MISS) | bin(true, WRITE_REFUSED) | bin(true, VICTIM_REG) |
                                  bin(true, LINE_BY_REG) | bin(true, REG_BY_LINE);
    return integrated ? bins : bins & ~of_registers; /* illegal accesses may be any operation */
}

/* The set of bank `b` that takes a line of L2 in this cycle has a register at the head of a write-back queue. */
static bool together(const rf_cerf *m, const rf_cerf_memory_wires *x, uint32_t b) {
    const rf_cerf_memory_cfg *cfg = &m->memory.cfg;
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        const rf_wbq *q = &m->stage.units.wbq[e];
        const uint32_t head = q->ctrl.rd_ptr_q, number = q->warp_q[head] * m->cfg.regs + q->reg_q[head];
        const uint32_t line = rf_cerf_memory_line(cfg, number);
        rf_cache_bank_request at;
        if (q->ctrl.level_q == 0 || rf_cerf_memory_bank(cfg, line) != b) continue;
        rf_cerf_memory_place(&m->memory, line, &at);
        if (at.set == x->tag_set[b]) return true;
    }
    return false;
}

/* What is under way between a bank and L2. */
static uint64_t traffic_bins(const rf_cerf *m, const rf_cerf_in *in, const rf_cerf_memory_wires *x, uint32_t b) {
    const rf_cache_bank *k = &m->memory.bank[b];
    const uint32_t sets = k->cfg.sets - 1, lines = k->mshr.busy_q & ~(uint32_t)k->mshr.reg_q;
    const bool full = !rf_mshr_room_for(&k->mshr, false);
    const bool integrated = m->cfg.integrated != 0, fetches = integrated && m->cfg.policy != RF_POLICY_REGISTERS;
    bool one_set = full && lines != 0, registers = rf_miss_queue_count(&k->queue) == k->cfg.queue;
    for (uint32_t left = lines; left != 0; left &= left - 1)
        one_set &= ((k->mshr.line_q[rf_lowest(left)] ^ k->mshr.line_q[rf_lowest(lines)]) & sets) == 0;
    for (uint32_t i = 0; i < k->cfg.queue; i++)
        registers &=
            k->queue.op_q[i] == RF_MISS_WRITE && (k->queue.line_q[i] << rf_log2(m->cfg.banks) | b) >= first_register(&m->cfg);
    const bool line_comes = (x->filled & ~x->by_register & x->tag_write) >> b & 1;
    const bool store = (x->refuse >> b & 1) != 0 && x->op[b] == RF_CACHE_STORE;
    const bool flush = (x->accept >> b & 1) != 0 && x->op[b] == RF_CACHE_FLUSH;
    const uint32_t way = in->mem_way < k->cfg.ways ? in->mem_way : 0;
    const bool dirty = flush && rf_tag_bank_state(&k->tags, x->tag_set[b], way) == RF_LINE_DIRTY;
    const bool pending = store && rf_mshr_with(&k->mshr, in->mem_line >> rf_log2(m->cfg.banks)) != 0;
    return bin(pending, PENDING) | bin(dirty, FLUSH_DIRTY) | bin(full, MSHRS_LINES) | bin(one_set, THRASH) |
           bin(fetches && !rf_mshr_room_for(&k->mshr, true), MSHRS_REGS) | bin(fetches && registers, SPILLS) |
           bin(integrated && line_comes && together(m, x, b), TOGETHER);
}

static uint64_t bins(const rf_cerf *m, const rf_cerf_in *in, const rf_cerf_out *out) {
    const rf_cerf_wires *x = &out->wires;
    const rf_cerf_memory_wires *y = &x->memory;
    const bool integrated = m->cfg.integrated != 0;
    const uint64_t lost = y->arbiter_in.rd_valid & ~y->arbiter.rd_grant, readers = rf_mask64(m->cfg.collectors * m->cfg.slots);
    const rf_ocu_alloc_out *alloc = integrated ? &x->alloc : &out->separate.wires.alloc;
    const uint32_t chosen = integrated ? x->chosen : out->separate.wires.chosen;
    uint32_t answers = 0;
    uint64_t hit = 0;
    for (uint32_t b = 0; b < m->cfg.banks; b++) {
        answers += m->memory.bank[b].r_valid_q;
        hit |= traffic_bins(m, in, y, b);
    }
    hit |= memory_bins(y, integrated) | bin(out->issue_valid != 0, ISSUE) | bin((chosen & ~alloc->grant) != 0, NO_COLLECTOR);
    hit |= bin(out->res_ready != (1u << m->cfg.exports) - 1, QUEUE_FULL) | bin((lost & readers) != 0, READ_LOST);
    hit |= bin((lost & ~readers) != 0, ACCESS_LOST) |
           bin((y->arbiter_in.wr_valid & ~(uint32_t)y->arbiter.wr_grant) != 0, WRITE_LOST);
    hit |= bin(in->fill_valid && !out->fill_ready, FILL_WAITS) | bin(out->l2_valid && !in->l2_ready, L2_WAITS);
    hit |= bin(answers > 1, ANSWERS);
    hit |= bin(y->wake != 0 && (m->memory.rd_wait_q | m->memory.wr_wait_q | m->memory.mem_wait_q) != 0, WAKE);
    if (integrated)
        hit |= bin((x->rd_accept & x->rd_dead) != 0, DEATH) | bin((x->rd_accept & x->rd_last & ~x->rd_dead) != 0, LIVES_ON);
    return hit | rf_stage_illegal_bins(&m->stage.units.scoreboard, m->cfg.exports, &in->stage, &out->stage) << NOT_WAITED_FOR;
}

static void unreachable(const rf_cerf_cfg *cfg, ls_unreachable *to) {
    static const uint8_t registers[] = {READ_HIT,      READ_MISS,   READ_REFUSED, READ_LOST,  WRITE_HIT, WRITE_MISS,
                                        WRITE_REFUSED, WRITE_LOST,  VICTIM_REG,   DEATH,      LIVES_ON,  ACCESS_LOST,
                                        LINE_BY_REG,   REG_BY_LINE, TOGETHER,     MSHRS_REGS, SPILLS};
    const bool first = cfg->integrated && cfg->policy == RF_POLICY_REGISTERS;
    for (size_t i = 0; i < sizeof registers; i++) ls_unreachable_if(to, !cfg->integrated, registers[i], "registers are apart");
    ls_unreachable_if(to, first, VICTIM_REG, "no register is replaced");
    ls_unreachable_if(to, first, REG_BY_LINE, "no register is replaced");
    ls_unreachable_if(to, first, SPILLS, "no register is replaced");
    ls_unreachable_if(to, first, MSHRS_REGS, "no operand waits for L2");
    ls_unreachable_if(to, cfg->integrated && cfg->policy == RF_POLICY_CACHE, LINE_BY_REG, "a register never replaces cache data");
    ls_unreachable_if(to, first, READ_REFUSED, "no operand waits for L2");
    ls_unreachable_if(to, cfg->liveness == 0, DEATH, "without liveness");
    ls_unreachable_if(to, cfg->liveness == 0, LIVES_ON, "without liveness");
    ls_unreachable_if(to, cfg->collectors == 1, LIVES_ON, "one collector");
    ls_unreachable_if(to, cfg->banks == 1, ANSWERS, "one bank");
    ls_unreachable_if(to, !cfg->integrated, ANSWERS, "one access a cycle, all of which take as long");
    ls_unreachable_if(to, cfg->exports == 1, WRITE_LOST, "one writer, which no other holds up");
    ls_unreachable_if(to, cfg->exports == 1u << rf_index_bits(cfg->exports), NO_PORT, "every number is that of a port");
}

#define TINY "WARPS=4 COLLECTORS=2 BANKS=2 REGS=8 LANES=1 EXPORTS=2 SETS=8 WAYS=4 MSHRS=2 TARGETS=2 QUEUE=2 "
#define FIRST TINY "POLICY=1"
#define FAIR TINY "POLICY=0"
#define APART TINY "INTEGRATED=0"
#define TWO "WARPS=4 COLLECTORS=2 BANKS=2 REGS=8 LANES=2 EXPORTS=2 SETS=8 MSHRS=2 INTEGRATED=0"
static const char memory_sv[] = "rtl/cerf/rf_cerf_memory.sv";

/* Of a memory without readers and writers: all that the arbiter grants is the load/store unit's. */
LS_LIST_LIKE(rf_cerf_l1d, rf_cerf_memory) {
    for (uint32_t b = 0; b < ((const rf_cerf_memory *)model)->cfg.banks; b++) {
        char name[64];
        (void)snprintf(name, sizeof name, "u_arbiter.gen_bank[%u].u_rd_rr.mask_q", b);
        ls_fields_constant(fields, LS_STATE, name, true, "one asks");
        (void)snprintf(name, sizeof name, "u_arbiter.gen_bank[%u].u_wr_rr.mask_q", b);
        ls_fields_constant(fields, LS_STATE, name, true, "nobody writes registers");
    }
    ls_fields_constant(fields, LS_STATE, "rd_wait_q", true, "nobody reads registers");
    ls_fields_constant(fields, LS_STATE, "wr_wait_q", true, "nobody writes registers");
}

static const ls_fault faults[] = {
    {"the prefix is lost", memory_sv, "UPPER_W'(PREFIX)", "UPPER_W'(0)", "u_memory.gen_bank[0].u_bank.u_tags.tag_q", FIRST},
    {"a wake in the cycle of a refusal is lost", memory_sv,
     "mem_wait_d = (mem_wait_q || (grant[READERS] && refuse[mem_bank])) && !wake[mem_bank]",
     "mem_wait_d = (mem_wait_q && !wake[mem_bank]) || (grant[READERS] && refuse[mem_bank])", "u_memory.mem_wait_q", FAIR},
    {"who is refused asks again at once", memory_sv, "wr_valid_i[e] && !wr_wait_q[e] &&", "wr_valid_i[e] &&",
     "gen_integrated.u_stage.gen_ocu[1].u_ocu.wait_q", FAIR},
    {"registers and L1D share an MSHR class", NULL, "POLICY != 1 ? 1 : 0", "POLICY != 1 ? 0 : 0",
     "gen_integrated.u_stage.gen_ocu[0].u_ocu.wait_q", FAIR},
    {"the policy is fair", NULL, "INTEGRATED != 0 ? POLICY : 0", "0 * POLICY", "u_memory.gen_bank[1].u_bank.d_victim_q", FIRST},
    {"the L1D takes registers' lines of the stage", NULL, "assign wr_valid  = '0;",
     "assign wr_valid  = {EXPORTS{res_valid_i[0]}};", "u_memory.u_arbiter.gen_bank[0].u_wr_rr.mask_q", APART},
    {"an L1D without its mask", NULL, ".mem_mask_i  (mem_mask_i)", ".mem_mask_i  ('1)", "u_memory.gen_bank[0].u_bank.d_write_q",
     TWO},
    {0},
};

#undef TINY
#undef FIRST
#undef FAIR
#undef APART
#undef TWO

static const char *const sets[] = {
    "",
    "POLICY=0",
    "POLICY=2",
    "INTEGRATED=0 SETS=32",
    "POLICY=0 SETS=64",
    "LIVENESS=0",
    "SCHED=1 WAYS=8 SETS=128",
    "ISSUES=2 WARPS=48 REGS=21 SCHED=2",
    "POLICY=0 WARPS=8 COLLECTORS=3 BANKS=2 REGS=16 LANES=4 SETS=8 WAYS=2 MSHRS=4 TARGETS=2 QUEUE=2",
    "WARPS=8 COLLECTORS=3 BANKS=2 REGS=16 LANES=4 SETS=32 MSHRS=4 TARGETS=2 QUEUE=2",
    "POLICY=2 ISSUES=2 WARPS=6 COLLECTORS=2 BANKS=1 REGS=9 LANES=2 SETS=16 WAYS=3 MSHRS=3 TARGETS=1 QUEUE=1",
    "INTEGRATED=0 WARPS=8 COLLECTORS=3 BANKS=2 REGS=16 LANES=4 SETS=4 WAYS=2 MSHRS=2 TARGETS=3",
    "WARPS=4 COLLECTORS=1 BANKS=8 REGS=8 LANES=1 EXPORTS=1 SETS=8 WBDEPTH=1 SLOTS=2 MSHRS=2",
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
                                  "rtl/banked/rf_stage_results.sv", "rtl/banked/rf_banked.sv",
                                  "rtl/cerf/rf_cerf_pkg.sv",        "rtl/cerf/rf_reindex.sv",
                                  "rtl/cerf/rf_line_state.sv",      "rtl/cerf/rf_line_victim.sv",
                                  "rtl/cerf/rf_tag_bank.sv",        "rtl/cerf/rf_mshr.sv",
                                  "rtl/cerf/rf_miss_queue.sv",      "rtl/cerf/rf_miss_ocu.sv",
                                  "rtl/cerf/rf_cache_bank.sv",      "rtl/cerf/rf_cerf_memory.sv",
                                  "rtl/cerf/rf_cerf_stage.sv",      NULL};

#define LS_UNIT rf_cerf
#define LS_GROUP "cerf"
#define LS_BRIEF "operand stage whose registers and L1D are one memory"
#define LS_FIELDS "tb/cerf/rf_cerf.fields"
#define LS_OBSERVE
#define LS_UNREACHABLE
#define LS_STEP
#define LS_TOUCHED
#define LS_SYSTEM
#include "harness/core/unit_define.h"
