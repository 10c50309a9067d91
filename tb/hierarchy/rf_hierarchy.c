/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, properties, bins and planted faults of rf_hierarchy. The environment of rf_stage_env.h surrounds it, with the
 * compiler's hints: of kernels, found by looking ahead in traces (rf_hints.h), and of random streams (rf_hierarchy_random.h).
 * Execution units hand the note of a destination back with its result. Checked in every cycle beside what the environment checks:
 * a register has one entry in the files of all slots together, no warp has two slots, a free slot's file is empty; no entry is
 * older than its row, every value that a file or a bank takes or gives up is the golden one, where its register waits for no
 * write; what leaves takes nothing more; shared units have no way to the L0; a ready warp is activated in time; with one level
 * and all warps active that rf_banked does the same. With illegal inputs (rf_stage_illegal.h) nothing is checked. */
#include "cmodel/hierarchy/rf_hierarchy.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/compiler/rf_hints.h"
#include "cmodel/compiler/rf_not_l0.h"
#include "cmodel/workload/rf_crack.h"
#include "harness/base/memory.h"
#include "harness/core/unit.h"
#include "tb/banked/env/rf_banked_beside.h"
#include "tb/banked/env/rf_stage_env.h"
#include "tb/banked/env/rf_stage_illegal.h"
#include "tb/hierarchy/env/rf_hierarchy_count.h"
#include "tb/hierarchy/env/rf_hierarchy_random.h"

/* Places of a cache that are valid, and their registers. */
typedef struct rf_hierarchy_tags {
    uint32_t valid;
    uint8_t reg[RF_RFC_NONE];
} rf_hierarchy_tags;

typedef struct rf_hierarchy_stim {
    rf_stage_env *env;
    const rf_hierarchy *model; /* in stim */
    rf_stage_illegal illegal;
    rf_hierarchy_cfg cfg;
    rf_hierarchy_random random;
    ls_rng rng;
    uint8_t note[RF_WARPS_MAX][RF_REGS_MAX]; /* of what is being executed, by destination */
    uint32_t lost[RF_WARPS_MAX]
                 [RF_REGS_MAX]; /* lanes whose value is no longer kept, since nobody reads it or it has a name only */
    uint32_t left[RF_WARPS_MAX][RF_REGS_MAX]; /* lanes of `lost` that the warp before left, and this one has not written */
    uint64_t entered[RF_WARPS_MAX];           /* entries of other warps since a pending warp is ready */
    rf_hierarchy_tags tags[RF_ACTIVE_MAX];    /* per slot: what its cache has */
    uint32_t mixed;                           /* slots whose L0 has lanes of several results, or of the warp before */
    rf_banked_beside *beside;                 /* NULL where something differs */
    rf_hierarchy_count count;
    char violation[192];
    const char *path; /* of the workload */
    char misfit[512]; /* why the workload is not for this system */
} rf_hierarchy_stim;

static void violated(rf_hierarchy_stim *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void violated(rf_hierarchy_stim *s, const char *format, ...) {
    if (s->violation[0] != '\0') return;
    va_list args;
    va_start(args, format);
    const int n = snprintf(s->violation, sizeof s->violation, "cycle %llu: ", (unsigned long long)s->count.cycles);
    (void)vsnprintf(s->violation + n, sizeof s->violation - (size_t)n, format, args);
    va_end(args);
}

static bool software(const rf_hierarchy_cfg *cfg) { return cfg->managed != 0; }

/* ---- hints ---- */

static uint64_t with_bit(uint64_t set, uint32_t w, bool on) { return (set & ~(UINT64_C(1) << w)) | (uint64_t)on << w; }

/* Where the result `i` of the instruction goes. */
static uint8_t to_of(const rf_hierarchy_cfg *cfg, const rf_inst *inst, uint32_t i) {
    const rf_hint *hint = &inst->hint;
    if (software(cfg)) {
        const uint8_t to = hint->dst_to[i];
        return (uint8_t)((to & (RF_LEVEL_NAME | RF_TO_UPPER)) | ((to & RF_TO_NOT_MRF) == 0 ? RF_NOTE_MRF : 0));
    }
    const bool low = (hint->flags & RF_HINT_NOT_L0) != 0 || rf_opclass_shared(inst->opclass);
    return (uint8_t)(((hint->flags & RF_HINT_LONG_LATENCY) == 0 ? RF_NOTE_UPPER : 0) | low);
}

static void drive_head(void *ctx, rf_stage_in *stage, uint32_t w, const rf_inst *inst, const rf_uop *uop) {
    rf_hierarchy_stim *s = ctx;
    rf_hierarchy_in *in = (rf_hierarchy_in *)stage; /* its first member */
    const uint32_t slots = s->cfg.slots;
    in->ib_leave = with_bit(in->ib_leave, w, uop->last && (inst->hint.flags & RF_HINT_DESCHEDULE) != 0);
    in->ib_ends = with_bit(in->ib_ends, w, uop->last && (inst->hint.flags & RF_HINT_STRAND_END) != 0);
    in->ib_shared = with_bit(in->ib_shared, w, rf_opclass_shared(inst->opclass));
    in->ib_to[w] = uop->has_dst ? to_of(&s->cfg, inst, uop->dst_index) : 0;
    in->ib_last[w] = 0;
    for (uint32_t at = 0; at < slots; at++) {
        const uint32_t i = uop->src_index + at;
        in->ib_from[w * slots + at] = at < uop->nsrc && software(&s->cfg) ? inst->hint.src_from[i] : 0;
        if (at < uop->nsrc) in->ib_last[w] |= (uint8_t)((uint32_t)rf_crack_last(inst, i, slots) << at);
    }
}

/* A place that this system has not: the stream was built for another. */
static void check_place(rf_hierarchy_stim *s, const rf_inst *inst, uint32_t reg, uint32_t place, uint32_t slot) {
    const rf_hierarchy_cfg *c = &s->cfg;
    const uint32_t name = place & RF_LEVEL_NAME;
    if ((place & (RF_FROM_UPPER | RF_FROM_KEEP)) == 0 || rf_hierarchy_reaches(c, name, rf_opclass_shared(inst->opclass), slot))
        return;
    const bool l0 = name >= RF_LEVEL_L0;
    (void)snprintf(
        s->misfit, sizeof s->misfit,
        "%s: pc %llx: R%u is in %s %u, which ENTRIES=%u LEVELS=%u SPLIT=%u SLOTS=%u has not: built for another machine", s->path,
        (unsigned long long)inst->pc, reg, l0 ? "L0 bank" : "L1 entry", l0 ? name - RF_LEVEL_L0 : name, c->entries, c->levels,
        c->split, c->slots);
}

static void check_places(rf_hierarchy_stim *s, const rf_warp *warp) {
    for (size_t k = 0; k < warp->count && s->misfit[0] == '\0'; k++) {
        const rf_inst *inst = &warp->inst[k];
        for (uint32_t i = 0; i < inst->nsrc; i++) {
            const uint32_t place = inst->hint.src_from[i];
            check_place(s, inst, inst->src[i], place, (place & RF_FROM_UPPER) != 0 ? i % s->cfg.slots : RF_SLOTS_MAX);
        }
        for (uint32_t i = 0; i < inst->ndst; i++)
            check_place(s, inst, inst->dst[i], inst->hint.dst_to[i] & ~(uint32_t)RF_TO_NOT_MRF, RF_SLOTS_MAX);
    }
}

/* A stream without hints gets them by looking ahead in it. A warp that ends gives its slot up. */
static void loaded(void *ctx, rf_warp *warp) {
    rf_hierarchy_stim *s = ctx;
    if (s->cfg.levels > 1 && software(&s->cfg)) check_places(s, warp);
    bool has_hints = false;
    for (size_t i = 0; i < warp->count && !has_hints; i++) has_hints = (warp->inst[i].hint.flags & RF_HINT_PRESENT) != 0;
    if (!has_hints && rf_hints_of_warp(warp, NULL) != 0) ls_die("no memory");
    if (warp->count != 0) warp->inst[warp->count - 1].hint.flags |= RF_HINT_STRAND_END | RF_HINT_DESCHEDULE;
}

/* The slot that has the warp, or RF_ACTIVE_MAX. */
static uint32_t slot_of(const rf_hierarchy *m, uint32_t w) {
    const rf_levels_slots slots = {.held = m->cfg.sched >= 2 ? m->sched.held_q : 0, .warp = m->sched.warp_q};
    return rf_levels_slot(&slots, w);
}

/* A new warp finds in its registers what the one before left. What is dead in its slot's cache may go at any time: who reads it
 * without having written it gets what is there (read_left). */
static void launch(void *ctx, uint32_t w) {
    rf_hierarchy_stim *s = ctx;
    const uint32_t a = slot_of(s->model, w);
    memset(s->lost[w], 0, sizeof s->lost[w]);
    memset(s->left[w], 0, sizeof s->left[w]);
    rf_hierarchy_random_launch(&s->random, w);
    if (s->cfg.levels == 1 || software(&s->cfg) || a == RF_LEVELS_NO_SLOT) return;
    s->mixed |= 1u << a;
    const rf_rfc *file = &s->model->levels.rfc[a];
    for (uint32_t left = rf_rfc_dead(file); left != 0; left &= left - 1) {
        const uint32_t reg = rf_rfc_reg(file, rf_lowest(left));
        s->lost[w][reg] = s->left[w][reg] = UINT32_MAX;
    }
}

static void phase(void *ctx, rf_stream_kind kind) {
    (void)kind;
    rf_hierarchy_random_phase(&((rf_hierarchy_stim *)ctx)->random);
}

static void compile(void *ctx, uint32_t w, rf_inst *inst) {
    rf_hierarchy_random_compile(&((rf_hierarchy_stim *)ctx)->random, w, inst);
}

/* ---- life ---- */

static void stim_init(rf_hierarchy_stim *s, const rf_hierarchy *m, uint64_t seed) {
    const rf_hierarchy_cfg *c = &m->cfg;
    const rf_stage_cfg cfg = {.warps = c->warps,
                              .collectors = c->collectors,
                              .banks = c->banks,
                              .regs = c->regs,
                              .lanes = c->lanes,
                              .slots = c->slots,
                              .exports = c->exports,
                              .issues = 1,
                              .wbdepth = c->wbdepth,
                              .active_lanes = c->levels > 1 && (software(c) || c->liveness != 0),
                              .unrotated = true};
    const rf_stage_hooks hooks = {
        .ctx = s, .show = drive_head, .launch = launch, .phase = phase, .random = compile, .loaded = loaded};
    memset(s, 0, sizeof *s);
    s->cfg = *c;
    ls_rng_seed(&s->rng, ls_seed_derive(seed, "illegal hints"));
    rf_hierarchy_random_init(&s->random, c, ls_seed_derive(seed, "hints"));
    s->env = rf_stage_env_new(&cfg, &hooks, seed);
    rf_stage_illegal_init(&s->illegal, &cfg, seed);
    if (c->levels == 1 && (c->sched < 2 || c->active == c->warps)) s->beside = ls_zeroed(sizeof *s->beside);
}

static void stim_free(rf_hierarchy_stim *s) {
    rf_stage_env_free(s->env);
    free(s->beside);
}

/* ---- a cycle ---- */

typedef struct viewed {
    const rf_hierarchy *m;
    const rf_hierarchy_stim *s;
} viewed;

/* The newest value; of lanes that are lost the one that nobody will miss. */
static const rf_vec *value(const void *ctx, uint32_t w, uint32_t reg, rf_vec *room) {
    const viewed *v = ctx;
    const rf_hierarchy *m = v->m;
    const uint32_t banks = m->cfg.banks, per_warp = rf_map_rows_per_warp(m->cfg.regs, banks), a = slot_of(m, w);
    const uint32_t lost = v->s->lost[w][reg];
    const rf_vec *newest = &m->stage.bank[rf_map_bank(w, reg, banks)].mem_q[rf_map_row(w, reg, banks, per_warp)];
    if (m->cfg.levels > 1 && !software(&m->cfg) && a != RF_LEVELS_NO_SLOT) {
        const rf_rfc *file = &m->levels.rfc[a];
        const uint32_t at = rf_rfc_find(file, rf_rfc_valid(file), reg);
        if (at != RF_RFC_NONE) newest = rf_rfc_value(file, at);
    }
    if (lost == 0) return newest;
    *room = *newest;
    rf_vec_merge(room, rf_stage_env_golden(v->s->env, w, reg), lost);
    return room;
}

/* A warp has one slot at most; a slot without a warp has nothing in its file. */
static void check_slots(rf_hierarchy_stim *s, const rf_hierarchy *m) {
    uint64_t seen = 0;
    if (m->cfg.sched < 2) return;
    for (uint32_t a = 0; a < m->cfg.active; a++) {
        const bool held = (m->sched.held_q >> a & 1) != 0;
        const uint64_t warp = (uint64_t)held << m->sched.warp_q[a];
        if ((seen & warp) != 0) violated(s, "a warp is in one set: warp %u has slot %u and one below", m->sched.warp_q[a], a);
        seen |= warp;
        if (m->cfg.levels == 1 || held) continue;
        if (!software(&m->cfg) && rf_rfc_valid(&m->levels.rfc[a]) != 0)
            violated(s, "a suspended warp holds no entry: slot %u has no warp, its cache is not empty", a);
        if (software(&m->cfg) && m->levels.orf[a].pend_q != 0)
            violated(s, "a suspended warp writes no name: slot %u has no warp, a name is pending", a);
    }
}

/* A register has one entry in its warp's file. */
static void check_entries(rf_hierarchy_stim *s, const rf_hierarchy *m) {
    if (m->cfg.levels == 1 || software(&m->cfg)) return;
    for (uint32_t left = m->sched.held_q; left != 0; left &= left - 1) {
        const rf_rfc *file = &m->levels.rfc[rf_lowest(left)];
        rf_bits256 seen = {{0}};
        for (uint32_t places = rf_rfc_valid(file); places != 0; places &= places - 1) {
            const uint32_t reg = rf_rfc_reg(file, rf_lowest(places));
            if ((seen.w[reg / 64] >> (reg % 64) & 1) != 0)
                violated(s, "a value is in one entry: slot %u has two of R%u", rf_lowest(left), reg);
            seen.w[reg / 64] |= UINT64_C(1) << (reg % 64);
        }
    }
}

/* Notes and hints change while their heads and results wait. */
static void illegal_inputs(rf_hierarchy_stim *s, rf_hierarchy_in *in) {
    const rf_stage_illegal *l = &s->illegal;
    const rf_hierarchy_cfg *c = &s->cfg;
    rf_stage_illegal_inputs(&s->illegal, &in->stage);
    if ((l->cycle - l->from) % RF_ENV_PHASE == 1) rf_hierarchy_random_phase(&s->random);
    const uint64_t changed = l->fresh | ls_rng_bits(&s->rng, c->warps, 4);
    in->ib_leave = (in->ib_leave & ~changed) | (ls_rng_bits(&s->rng, c->warps, s->random.ends) & changed);
    in->ib_ends = (in->ib_ends & ~changed) | (ls_rng_bits(&s->rng, c->warps, s->random.ends) & changed);
    in->ib_shared = (in->ib_shared & ~changed) | (ls_rng_bits(&s->rng, c->warps, 64) & changed);
    for (uint64_t left = changed; left != 0; left &= left - 1) {
        const uint32_t w = rf_lowest(left);
        in->ib_last[w] = (uint8_t)ls_rng_bits(&s->rng, c->slots, s->random.last);
        in->ib_to[w] = (uint8_t)ls_rng_value(&s->rng, RF_PLACE_W);
        for (uint32_t at = 0; at < c->slots; at++) in->ib_from[w * c->slots + at] = (uint8_t)ls_rng_value(&s->rng, RF_PLACE_W);
    }
    for (uint32_t e = 0; e < c->exports; e++)
        if ((l->drawn >> e & 1) != 0 || ls_rng_chance(&s->rng, 4)) in->res_to[e] = (uint8_t)ls_rng_value(&s->rng, RF_NOTE_W);
}

static void stim(rf_hierarchy_stim *s, const rf_hierarchy *m, rf_hierarchy_in *in) {
    if (rf_stage_illegal_now(&s->illegal)) {
        illegal_inputs(s, in);
        return;
    }
    const viewed v = {m, s};
    s->model = m;
    rf_stage_view view = {.model = &v, .value = value};
    for (uint32_t c = 0; c < m->cfg.collectors; c++) view.collecting += m->stage.ocu[c].busy_q;
    for (uint32_t e = 0; e < m->cfg.exports; e++) view.level[e] = m->stage.wbq[e].ctrl.level_q;
    if (s->beside != NULL) rf_banked_beside_start(s->beside, &m->stage);
    rf_stage_env_inputs(s->env, &view, &in->stage);
    for (uint32_t left = in->res_valid; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        in->res_to[e] = s->note[in->res_warp[e]][in->res_dst[e]];
    }
}

/* What leaves for execution takes its note along; a register has one result on its way at most. */
static void note(rf_hierarchy_stim *s, const rf_hierarchy_in *in, const rf_hierarchy_out *out) {
    for (uint32_t left = out->ex_valid & out->ex_dst_valid & in->ex_ready; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        s->note[out->ex_warp[e]][out->ex_dst[e]] = out->ex_to[e];
    }
}

/* Values that are no longer kept from the instruction that issues on. */
static void lose(rf_hierarchy_stim *s, const rf_hierarchy_in *in, const rf_hierarchy_out *out) {
    const uint32_t w = out->wires.warp, slots = s->cfg.slots;
    if (out->issue_valid == 0 || in->ib_mask[w] == 0 || s->cfg.levels == 1) return;
    if (!software(&s->cfg) && s->cfg.liveness != 0)
        for (uint32_t left = in->ib_last[w] & in->ib_src_valid[w]; left != 0; left &= left - 1)
            s->lost[w][in->ib_src[w * slots + rf_lowest(left)]] = UINT32_MAX;
    if ((in->ib_dst_valid >> w & 1) == 0) return;
    const bool hidden = software(&s->cfg) && (in->ib_to[w] & (RF_NOTE_UPPER | RF_NOTE_MRF)) == RF_NOTE_UPPER;
    uint32_t *lost = &s->lost[w][in->ib_dst[w]];
    *lost = hidden ? *lost | in->ib_mask[w] : *lost & ~in->ib_mask[w];
    s->left[w][in->ib_dst[w]] &= ~in->ib_mask[w];
}

/* The instruction that issues reads lanes that the warp before left dead: the golden machine reads what the system has there now,
 * above the banks or in the bank. */
static void read_left(rf_hierarchy_stim *s, const rf_hierarchy_in *in, const rf_hierarchy_out *out) {
    const rf_hierarchy *m = s->model; /* its registers of the fill have what was above */
    const rf_hierarchy_cfg *c = &s->cfg;
    const uint32_t w = out->wires.warp, per_warp = rf_map_rows_per_warp(c->regs, c->banks);
    if (out->issue_valid == 0 || c->levels == 1) return;
    for (uint32_t sources = in->ib_src_valid[w]; sources != 0; sources &= sources - 1) {
        const uint32_t at = rf_lowest(sources), reg = in->ib_src[w * c->slots + at];
        const bool hit = (out->wires.levels.found.hit >> at & 1) != 0;
        const rf_vec *row = &m->stage.bank[rf_map_bank(w, reg, c->banks)].mem_q[rf_map_row(w, reg, c->banks, per_warp)];
        if (s->left[w][reg] == 0) continue;
        rf_stage_env_found(s->env, w, reg, hit ? &m->fill_data_q[at] : row, s->left[w][reg]);
    }
}

/* A register that waits for no write has its golden value, where its next reader finds it. */
static void check_value(rf_hierarchy_stim *s, uint32_t w, uint32_t reg) {
    const viewed v = {s->model, s};
    const rf_stage_view view = {.model = &v, .value = value};
    if ((s->model->stage.scoreboard.pending_q[w].w[reg / 64] >> reg % 64 & 1) == 0) rf_stage_env_holds(s->env, &view, w, reg);
}

/* A row that was written has no entry above it. */
static void check_rows(rf_hierarchy_stim *s, const rf_hierarchy_wires *x) {
    const rf_levels_way *way = &x->levels.way;
    for (uint32_t left = x->arbiter.wr_grant; left != 0; left &= left - 1) {
        const uint32_t w = way->ask_warp[rf_lowest(left)], reg = way->ask_reg[rf_lowest(left)];
        const uint32_t a = rf_levels_slot(&x->levels.slots, w);
        if (s->cfg.levels == 1 || software(&s->cfg) || a == RF_LEVELS_NO_SLOT) continue;
        const rf_rfc *file = &s->model->levels.rfc[a];
        if (rf_rfc_find(file, rf_rfc_valid(file), reg) != RF_RFC_NONE)
            violated(s, "no entry is older than the MRF: slot %u keeps R%u of warp %u, whose row was written", a, reg, w);
    }
}

/* A cache whose warp leaves takes no register that it had not. */
static void check_leaving(rf_hierarchy_stim *s, const rf_hierarchy_wires *x) {
    if (s->cfg.levels == 1 || software(&s->cfg)) return;
    for (uint32_t slots = x->levels.slots.leaving; slots != 0; slots &= slots - 1) {
        const uint32_t a = rf_lowest(slots);
        const rf_rfc *file = &s->model->levels.rfc[a];
        const rf_hierarchy_tags *was = &s->tags[a];
        for (uint32_t left = rf_rfc_valid(file); left != 0; left &= left - 1) {
            const uint32_t place = rf_lowest(left), reg = rf_rfc_reg(file, place);
            if ((was->valid >> place & 1) == 0 || was->reg[place] != reg)
                violated(s, "what leaves takes nothing more: slot %u takes R%u of warp %u", a, reg, x->levels.slots.warp[a]);
        }
    }
}

/* The values that a cache had, and those that it has now. */
static void check_file(rf_hierarchy_stim *s, const rf_hierarchy_wires *x, uint32_t a) {
    const rf_rfc *file = &s->model->levels.rfc[a];
    rf_hierarchy_tags *tags = &s->tags[a];
    const uint32_t w = x->levels.slots.warp[a];
    for (uint32_t left = tags->valid; left != 0; left &= left - 1) check_value(s, w, tags->reg[rf_lowest(left)]);
    tags->valid = rf_rfc_valid(file);
    for (uint32_t left = tags->valid; left != 0; left &= left - 1) {
        const uint32_t place = rf_lowest(left);
        tags->reg[place] = rf_rfc_reg(file, place);
        check_value(s, w, tags->reg[place]);
    }
}

/* What the cycle moved: rows, and the caches of a result and of a flush. */
static void check_values(rf_hierarchy_stim *s, const rf_hierarchy_wires *x) {
    const rf_levels_way *way = &x->levels.way;
    const bool caches = s->cfg.levels > 1 && !software(&s->cfg);
    if (caches && (x->written & way->offer) != 0) check_file(s, x, way->slot);
    if (caches && way->flush != 0) check_file(s, x, rf_lowest(way->flush));
    for (uint32_t left = x->arbiter.wr_grant; left != 0; left &= left - 1)
        check_value(s, way->ask_warp[rf_lowest(left)], way->ask_reg[rf_lowest(left)]);
}

/* Shared units have no way to the L0 [hierarchy 4.4]: none of their results goes there, and they read nothing there. By hardware
 * a result of some lanes merges into an entry all the same, and is then read where it is (D-not-l0-lane); random streams have any
 * hints, so that what is read there says nothing. */
static void check_private(rf_hierarchy_stim *s, const rf_hierarchy_wires *x, bool issues) {
    const rf_levels_way *way = &x->levels.way;
    const rf_levels_issue *issue = &x->levels.issue;
    const rf_levels_keep *keep = &x->levels.keep;
    const bool taken = (x->written & way->offer) != 0, soft = software(&s->cfg);
    if (s->cfg.levels < 3) return;
    if (issues && issue->shared && x->levels.found.hit_l0 != 0 &&
        (soft || (s->path != NULL && (s->mixed >> issue->slot & 1) == 0)))
        violated(s, "the L0 is no shared unit's: warp %u reads slot %u's", x->warp, issue->slot);
    if (soft && keep->valid && keep->shared && keep->name >= RF_LEVEL_L0)
        violated(s, "the L0 is no shared unit's: warp %u keeps an operand there", keep->warp);
    if (!taken) return;
    const uint32_t note = x->levels.heads.note[way->queue];
    const bool full = x->levels.heads.mask[way->queue] == rf_all_lanes(s->cfg.lanes);
    const bool l0 = soft ? (note & RF_NOTE_NAME) >= RF_LEVEL_L0 : way->plan.into == RF_RFC_L0;
    if (l0 && (note & RF_NOTE_SHARED) != 0 && (soft || full))
        violated(s, "the L0 is no shared unit's: a result of warp %u goes there", x->levels.heads.warp[way->queue]);
    if (l0) s->mixed = full ? s->mixed & ~(1u << way->slot) : s->mixed | 1u << way->slot;
}

/* No slot stays free while a pending warp is ready, and that enters before any other does so twice. */
static void check_entering(rf_hierarchy_stim *s, const rf_hierarchy_out *out) {
    const rf_hierarchy_wires *x = &out->wires;
    uint64_t pending = x->ready;
    for (uint32_t left = x->levels.slots.held; left != 0; left &= left - 1)
        pending &= ~(UINT64_C(1) << x->levels.slots.warp[rf_lowest(left)]);
    const uint32_t free = ~x->levels.slots.held & (uint32_t)rf_mask64(s->cfg.active);
    if (s->cfg.sched >= 2 && free != 0 && pending != 0 && x->enters == 0)
        violated(s, "a ready warp is activated: slot %u stays free, warp %u is ready", rf_lowest(free), rf_lowest(pending));
    if (x->enters == 0) return;
    for (uint32_t w = 0; w < s->cfg.warps; w++) {
        const bool ready = ((x->ready & ~x->enters) >> w & 1) != 0;
        const bool waits = ready && rf_levels_slot(&x->levels.slots, w) == RF_LEVELS_NO_SLOT;
        s->entered[w] = waits ? s->entered[w] + 1 : 0;
        if (s->entered[w] >= s->cfg.warps)
            violated(s, "a ready warp is activated: warp %u waits while %u others were", w, s->cfg.warps);
    }
}

/* The model is behind the edge. */
static void observe(rf_hierarchy_stim *s, const rf_hierarchy_in *in, const rf_hierarchy_out *out) {
    if (s->illegal.on) {
        rf_stage_illegal_observe(&s->illegal, &in->stage, &out->stage);
        return;
    }
    note(s, in, out);
    const rf_stage_waits waits = rf_stage_env_waits(s->env, &in->stage, out->wires.chosen, out->wires.hazard);
    read_left(s, in, out);
    rf_stage_env_observe(s->env, &in->stage, &out->stage, out->wires.written);
    lose(s, in, out);
    check_private(s, &out->wires, out->issue_valid != 0);
    check_entering(s, out);
    check_leaving(s, &out->wires);
    check_slots(s, s->model);
    check_entries(s, s->model);
    check_rows(s, &out->wires);
    check_values(s, &out->wires);
    if (s->beside != NULL && !rf_banked_beside_step(s->beside, &in->stage, &out->stage, false))
        violated(s, "with one level and all warps active it is rf_banked: an output differs from rf_banked's");
    rf_hierarchy_count_cycle(&s->count, &s->cfg, in, out, &waits);
}

static bool done(const rf_hierarchy_stim *s) { return rf_stage_env_done(s->env); }
static const char *workload_error(const rf_hierarchy_stim *s) {
    return s->misfit[0] != '\0' ? s->misfit : rf_stage_env_workload_error(s->env);
}
static uint64_t workload_unknown(const rf_hierarchy_stim *s, const char **first) {
    return rf_stage_env_workload_unknown(s->env, first);
}

static const char *property(const rf_hierarchy_stim *s) {
    return s->violation[0] != '\0' ? s->violation : rf_stage_env_property(s->env);
}

static int workload(rf_hierarchy_stim *s, const rf_hierarchy *m, const struct rf_source *source, const char *path, char *error,
                    size_t size) {
    (void)m;
    s->illegal.from = UINT64_MAX;
    s->path = path;
    return rf_stage_env_workload(s->env, source, path, error, size);
}

static uint64_t legal(const rf_hierarchy_stim *s) { return s->illegal.from; }

static int surround(rf_hierarchy_stim *s, const ls_settings *settings, char *error, size_t size) {
    return rf_stage_env_surround(s != NULL ? s->env : NULL, settings, error, size);
}

static uint32_t copies(const rf_hierarchy_stim *s) { return rf_stage_env_cores(s->env); }

static void join(rf_hierarchy_stim *s, rf_hierarchy_stim *first, uint32_t number) {
    s->illegal.from = UINT64_MAX;
    s->path = first->path;
    rf_stage_env_join(s->env, first->env, number);
}

static void counters(const rf_hierarchy_stim *s, const rf_hierarchy *m, ls_counter_fn *sink, void *ctx) {
    rf_stage_env_counters(s->env, sink, ctx);
    rf_hierarchy_count_report(&s->count, &m->cfg, rf_stage_env_wires(s->env), sink, ctx);
}

static uint32_t touched(const rf_hierarchy *m, const rf_hierarchy_in *in, const rf_hierarchy_out *out, ls_touch *list) {
    (void)in;
    const uint32_t n = rf_stage_touched(out->wires.arbiter.bank_we, out->wires.arbiter.bank_waddr, list);
    return rf_stage_illegal_touched(list, n, m->stage.bank[0].cfg.rows);
}

/* ---- bins ---- */

/* clang-format off */
#define BINS(X)                                                                                                                  \
    X(ISSUE, "an instruction issues")                                                                                            \
    X(NO_COLLECTOR, "a chosen warp finds no collector")                                                                          \
    X(QUEUE_FULL, "write-back queue full")                                                                                       \
    X(READ_READ, "a read waits for a read")                                                                                      \
    X(ENTER, "a pending warp takes a slot")                                                                                      \
    X(LEAVE, "a warp is descheduled")                                                                                            \
    X(INACTIVE, "a ready warp is pending, no active one is ready")                                                               \
    X(HIT_ALL, "the upper levels have all sources of an instruction")                                                            \
    X(HIT_SOME, "the upper levels have some sources of an instruction")                                                          \
    X(HIT_L0, "the L0 has a source")                                                                                             \
    X(ONE_OFFER, "of two results that go above the banks one waits")                                                             \
    X(NO_SLOT, "a result that goes to its bank alone beside one that goes above the banks")                                         \
    X(LAST, "a last read marks an entry dead")                                                                                        \
    X(TAKE, "a result takes an entry")                                                                                           \
    X(MERGE, "a result of some lanes merges into an entry")                                                                      \
    X(PARTIAL, "a result of some lanes finds no entry")                                                                          \
    X(AROUND, "a result goes around the cache of its active warp")                                                               \
    X(EVICT, "an entry gives way, and is written back")                                                                          \
    X(MOVE, "the L0's value moves into the L1")                                                                                  \
    X(EVICT_READ, "an entry waits for a read port")                                                                              \
    X(EVICT_BANK, "an entry waits for its bank")                                                                                 \
    X(LATE, "a result of a warp that leaves, whose cache is not empty")                                                          \
    X(FLUSH, "an entry of a leaving warp is written back")                                                                       \
    X(FLUSH_READ, "a flush waits for a read port")                                                                               \
    X(FLUSH_BANK, "a flush waits for its bank")                                                                                  \
    X(FLUSH_TWO, "two slots leave with entries")                                                                                 \
    X(HIDDEN, "a result is written to a name only")                                                                              \
    X(BOTH, "a result is written to a name and to its bank")                                                                     \
    X(BOTH_BANK, "a result for a name waits for its bank")                                                                       \
    X(PEND, "a head waits for a name")                                                                                           \
    X(KEEP, "an operand is kept")                                                                                                \
    X(KEEP_OFFER, "a result for a name waits for an operand that is kept")                                                       \
    X(KEEP_TWO, "of two instructions that keep an operand one waits")                                                            \
    X(ENDS, "a strand ends, its warp goes on")                                                                                   \
    X(LATE_NAME, "a result of a leaving warp is written to its name")                                                            \
    RF_STAGE_ILLEGAL_BINS(X)
/* clang-format on */

#define BIN_NAME(name, text) name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};

static uint64_t bin(bool hit, uint32_t number) { return (uint64_t)hit << number; }
static bool several(uint64_t set) { return (set & (set - 1)) != 0; }

static uint64_t issue_bins(const rf_hierarchy *m, const rf_hierarchy_in *in, const rf_hierarchy_out *out) {
    const rf_hierarchy_wires *x = &out->wires;
    const uint32_t valid = x->levels.issue.valid, hit = x->levels.found.hit;
    uint64_t bins = bin(out->issue_valid != 0, ISSUE) | bin(x->chosen != 0 && x->alloc.grant == 0, NO_COLLECTOR);
    bins |=
        bin(x->enters != 0, ENTER) | bin(x->chosen == 0 && x->ready != 0, INACTIVE) | bin((x->pend & in->ib_valid) != 0, PEND);
    if (out->issue_valid == 0) return bins;
    bins |= bin(m->cfg.sched >= 2 && m->cfg.active < m->cfg.warps && (in->ib_leave >> x->warp & 1) != 0, LEAVE);
    bins |= bin(hit != 0 && hit == valid, HIT_ALL) | bin(hit != 0 && hit != valid, HIT_SOME) |
            bin(m->cfg.levels == 3 && x->levels.found.hit_l0 != 0, HIT_L0);
    bins |= bin(m->cfg.managed == 0 && (hit & x->levels.issue.last) != 0, LAST);
    bins |= bin(m->cfg.levels > 1 && x->levels.issue.ends && (in->ib_leave >> x->warp & 1) == 0, ENDS);
    return bins;
}

static uint64_t hardware_bins(const rf_hierarchy *m, const rf_hierarchy_out *out) {
    const rf_hierarchy_wires *x = &out->wires;
    const rf_levels_way *way = &x->levels.way;
    const uint32_t reads = out->issue_valid != 0 ? (uint32_t)__builtin_popcount(x->levels.found.hit) : 0;
    const uint32_t every = (uint32_t)rf_mask64(m->cfg.lanes), grant = x->arbiter.wr_grant;
    uint32_t leaving = 0;
    uint64_t bins = 0;
    for (uint32_t left = x->levels.slots.held & x->levels.slots.leaving; left != 0; left &= left - 1)
        leaving |= (uint32_t)(rf_rfc_valid(&m->levels.rfc[rf_lowest(left)]) != 0) << rf_lowest(left);
    bins |= bin(several(leaving), FLUSH_TWO);
    if (way->offer != 0) {
        const bool late = (x->levels.slots.leaving >> way->slot & 1) != 0, taken = (x->written & way->offer) != 0;
        const bool some = way->result.mask != every && way->result.mask != 0, into = way->plan.into != RF_RFC_NONE;
        bins |= bin(taken && into && !some, TAKE) | bin(taken && into && some, MERGE) | bin(taken && !into && some, PARTIAL);
        bins |= bin(taken && !late && !into && !some, AROUND) | bin(taken && way->evicts, EVICT);
        bins |= bin(taken && way->plan.moved != RF_RFC_NONE, MOVE) | bin(late && (leaving >> way->slot & 1) != 0, LATE);
        bins |= bin(way->sends && !way->goes, EVICT_READ) | bin(way->goes && way->evicts && !taken, EVICT_BANK);
    }
    const bool flushes = way->flush != 0, granted = (grant >> m->cfg.exports & 1) != 0;
    bins |= bin(flushes && granted && !way->drops, FLUSH) | bin(flushes && !granted && !way->drops, FLUSH_BANK);
    if (way->offer != 0) leaving &= ~(1u << way->slot);
    return bins | bin(!flushes && leaving != 0 && reads + way->evicts >= m->cfg.slots, FLUSH_READ);
}

static uint64_t software_bins(const rf_hierarchy *m, const rf_hierarchy_out *out) {
    const rf_hierarchy_wires *x = &out->wires;
    const rf_levels_way *way = &x->levels.way;
    uint32_t keepers = 0;
    for (uint32_t left = x->collected; left != 0; left &= left - 1)
        keepers |= (uint32_t)(m->keep_q[rf_lowest(left)] != 0) << rf_lowest(left);
    uint64_t bins = bin(x->levels.keep.valid, KEEP) | bin(x->levels.keep.valid && way->offers != 0, KEEP_OFFER) |
                    bin(several(keepers), KEEP_TWO);
    if (way->offer == 0) return bins;
    const bool both = way->goes, taken = (x->written & way->offer) != 0;
    bins |= bin(taken && !both, HIDDEN) | bin(taken && both, BOTH) | bin(both && !taken, BOTH_BANK);
    return bins | bin(taken && (x->levels.slots.leaving >> way->slot & 1) != 0, LATE_NAME);
}

static uint64_t bins(const rf_hierarchy *m, const rf_hierarchy_in *in, const rf_hierarchy_out *out) {
    const rf_hierarchy_wires *x = &out->wires;
    const rf_levels_way *way = &x->levels.way;
    uint64_t hit = issue_bins(m, in, out) | bin(out->res_ready != (1u << m->cfg.exports) - 1, QUEUE_FULL);
    hit |= bin((x->arbiter_in.rd_valid & ~x->arbiter.rd_grant) != 0, READ_READ);
    hit |= rf_stage_illegal_bins(&m->stage.scoreboard, m->cfg.exports, &in->stage, &out->stage) << NOT_WAITED_FOR;
    if (m->cfg.levels == 1) return hit;
    hit |= bin(several(way->offers), ONE_OFFER) | bin(way->offers != 0 && (x->levels.heads.valid & ~way->offers) != 0, NO_SLOT);
    return hit | (m->cfg.managed == 0 ? hardware_bins(m, out) : software_bins(m, out));
}

static void unreachable(const rf_hierarchy_cfg *cfg, ls_unreachable *to) {
    const bool hardware = cfg->levels > 1 && cfg->managed == 0, software = cfg->levels > 1 && cfg->managed != 0;
    const bool fixed = cfg->sched < 2 || cfg->active == cfg->warps; /* no warp enters or leaves */
    static const uint8_t of_hardware[] = {LAST,       TAKE, MERGE, PARTIAL, AROUND,     EVICT,      EVICT_READ,
                                          EVICT_BANK, MOVE, LATE,  FLUSH,   FLUSH_READ, FLUSH_BANK, FLUSH_TWO};
    static const uint8_t of_software[] = {HIDDEN, BOTH, BOTH_BANK, PEND, KEEP, KEEP_OFFER, KEEP_TWO, LATE_NAME};
    static const uint8_t of_levels[] = {HIT_ALL, HIT_SOME, HIT_L0, ONE_OFFER, NO_SLOT, ENDS};
    static const uint8_t of_two[] = {ENTER, LEAVE, INACTIVE, LATE, FLUSH, FLUSH_READ, FLUSH_BANK, FLUSH_TWO, LATE_NAME};
    for (size_t i = 0; i < sizeof of_hardware; i++) ls_unreachable_if(to, !hardware, of_hardware[i], "no cache of registers");
    for (size_t i = 0; i < sizeof of_software; i++) ls_unreachable_if(to, !software, of_software[i], "no operand register file");
    for (size_t i = 0; i < sizeof of_levels; i++) ls_unreachable_if(to, cfg->levels == 1, of_levels[i], "one level");
    for (size_t i = 0; i < sizeof of_two; i++) ls_unreachable_if(to, fixed, of_two[i], "all warps are active");
    ls_unreachable_if(to, cfg->collectors * cfg->slots == 1, READ_READ, "one operand is read at a time");
    ls_unreachable_if(to, cfg->slots == 1, HIT_SOME, "one source");
    ls_unreachable_if(to, cfg->levels < 3, HIT_L0, "no L0");
    ls_unreachable_if(to, cfg->levels < 3, MOVE, "no L0");
    ls_unreachable_if(to, cfg->liveness == 0, LAST, "without liveness");
    ls_unreachable_if(to, cfg->lanes == 1, MERGE, "some is all or none in one lane");
    ls_unreachable_if(to, cfg->lanes == 1, PARTIAL, "some is all or none in one lane");
    ls_unreachable_if(to, cfg->exports == 1, ONE_OFFER, "one queue");
    ls_unreachable_if(to, cfg->exports == 1, NO_SLOT, "one queue");
    ls_unreachable_if(to, hardware && fixed, NO_SLOT, "every warp has a slot");
    ls_unreachable_if(to, cfg->active == 1, FLUSH_TWO, "one slot");
    ls_unreachable_if(to, cfg->active == 1, FLUSH_READ, "one slot: nobody issues while it leaves");
    ls_unreachable_if(to, hardware && fixed && cfg->warps == 1u << rf_index_bits(cfg->warps), EVICT_BANK,
                      "one writer: every warp has a slot");
    ls_unreachable_if(to, cfg->collectors == 1, KEEP_TWO, "one collector");
    ls_unreachable_if(to, cfg->exports == 1, BOTH_BANK, "one writer");
    ls_unreachable_if(to, cfg->exports == 1u << rf_index_bits(cfg->exports), NO_PORT, "every number is that of a port");
}

/* Of the levels, without last reads. */
LS_LIST_LIKE(rf_hierarchy_levels, rf_levels) {
    const rf_levels_cfg *cfg = &((const rf_levels *)model)->cfg;
    for (uint32_t a = 0; a < cfg->active; a++) {
        char name[64];
        (void)snprintf(name, sizeof name, "gen_slot[%u].gen_rfc.u_rfc.dead_q", a);
        ls_fields_constant(fields, LS_STATE, name, true, "no read is the last");
        (void)snprintf(name, sizeof name, "gen_slot[%u].gen_rfc.u_rfc.l0_dead_q", a);
        ls_fields_constant(fields, LS_STATE, name, true, "no read is the last");
    }
}

#define OTHERS "WARPS=5 COLLECTORS=2 BANKS=2 REGS=8 LANES=1 EXPORTS=2 ENTRIES=2 "
#define HARD OTHERS "ACTIVE=2"
#define SOFT OTHERS "ACTIVE=2 MANAGED=1"
static const char levels_sv[] = "rtl/hierarchy/rf_levels.sv";

static const char pkg_sv[] = "rtl/hierarchy/rf_hierarchy_pkg.sv";

static const ls_fault faults[] = {
    {"hazards ignored", NULL, "ib_valid_i & ~(hazard | pend)", "ib_valid_i & ~pend", "issue_warp", HARD},
    {"names under way are not waited for", NULL, "~(hazard | pend)", "~hazard", "issue_warp", SOFT},
    {"no warp is descheduled", NULL, "assign leaves = ib_leave_i[warp];", "assign leaves = 1'b0;",
     "gen_two_level.u_sched.leaving_q", HARD},
    {"a slot is free before its entries are written back", NULL, ".hold_i(hold)", ".hold_i('0)", "gen_two_level.u_sched.held_q",
     HARD},
    {"what is above is read from the banks, too", NULL, ".alloc_fill_i(hit)", ".alloc_fill_i('0)", "gen_ocu[0].u_ocu.fill_q",
     HARD},
    {"operands from above for every collector", NULL, "fill_q[c] && fill_slots_q[s] ?", "fill_slots_q[s] ?",
     "gen_ocu[1].u_ocu.data_q", HARD},
    {"last reads without liveness", NULL, " & {SLOTS{LIVENESS != 0}}", "", "gen_levels.u_levels.gen_slot[0].gen_rfc.u_rfc.dead_q",
     OTHERS "ACTIVE=1 LIVENESS=0"},
    {"a result's note of no shared unit", NULL, "<= {ib_shared_i[warp], ib_to_i", "<= {1'b0, ib_to_i", "to_q", SOFT},
    {"all that keep are dispatched", NULL, "collected & (~keepers | keeps)", "collected", "ex_warp", SOFT},
    {"the last operand that says so is kept", pkg_sv, "for (int s = 7; s >= 0; s--) begin", "for (int s = 0; s < 8; s++) begin",
     "gen_levels.u_levels.gen_slot[0].gen_orf.u_orf.pend_q", OTHERS "ACTIVE=1 MANAGED=1"},
    {"no operand is kept", NULL, "<= kept[SLOTS-1:0];", "<= '0;", "keep_q", SOFT},
    {"scoreboard cleared at the request", NULL, ".clr_i(written)", ".clr_i(wr_valid)", "u_scoreboard.pending_q", HARD},
    {"a flush is written to the place of warp 0", NULL, "of_warp = ask_warp[e*WARP_W +: WARP_W]",
     "of_warp = e == EXPORTS ? '0 : ask_warp[e*WARP_W +: WARP_W]", "u_arbiter.gen_bank[0].u_wr_rr.mask_q", HARD},
    {"results of a leaving warp take entries", levels_sv, "!note_one[UPPER] || leaving_i[a]", "!note_one[UPPER]",
     "u_arbiter.gen_bank[0].u_wr_rr.mask_q", "WARPS=5 COLLECTORS=2 BANKS=1 REGS=8 LANES=1 EXPORTS=2 ENTRIES=2 ACTIVE=2"},
    {"an entry is read without a port", levels_sv, "sends && (!sends_entry || reads_used < COUNT_W'(SLOTS))", "sends",
     "u_scoreboard.pending_q", HARD " SLOTS=1"},
    {"a name is written before its bank", levels_sv, "MANAGED != 0 || !sends)",
     "MANAGED != 0 || !sends) || (MANAGED != 0 && chosen != '0)", "u_scoreboard.pending_q", SOFT},
    {"a strand that ends keeps its names", levels_sv, "enter_i[a] || (reads && ends_i)", "enter_i[a]",
     "gen_levels.u_levels.gen_slot[0].gen_orf.u_orf.held_q", OTHERS "ACTIVE=1 MANAGED=1"},
    {"a file is not cleared for the next warp", levels_sv, "enter_i[a] || (reads && ends_i)", "(reads && ends_i)",
     "gen_levels.u_levels.gen_slot[0].gen_orf.u_orf.held_q", SOFT},
    {"two results of a cycle", levels_sv, "assign req = MANAGED != 0 && keep_i ? '0 : offers_o;", "assign req = offers_o;",
     "u_scoreboard.pending_q", SOFT},
    {"the file of slot 0 for all", NULL, ".rd_slot_i(slot)", ".rd_slot_i('0)", "gen_ocu[0].u_ocu.fill_q",
     "WARPS=5 COLLECTORS=1 BANKS=2 REGS=8 LANES=1 EXPORTS=2 ENTRIES=2 ACTIVE=2"},
    {"a warp enters the slot above", NULL, "enter_valid && enter_slot == SLOT_W'(a)", "enter_valid && enter_slot != SLOT_W'(a)",
     "gen_levels.u_levels.gen_slot[0].gen_orf.u_orf.held_q", SOFT},
    {0},
};

#undef SOFT
#undef HARD
#undef OTHERS

static const char *const sets[] = {"",
                                   "LEVELS=3 ENTRIES=6",
                                   "MANAGED=1",
                                   "MANAGED=1 LEVELS=3 SPLIT=1",
                                   "MANAGED=1 LEVELS=3 SCHED=3 ACTIVE=4",
                                   "SCHED=3 ACTIVE=8 POLICY=1 LIVENESS=0",
                                   "ACTIVE=32 LEVELS=2 ENTRIES=1",
                                   "LEVELS=1",
                                   "LEVELS=1 SCHED=0",
                                   "LEVELS=1 SCHED=2 WARPS=8 ACTIVE=8 COLLECTORS=3 BANKS=4 LANES=4",
                                   "LEVELS=1 SCHED=3 WARPS=7 ACTIVE=7 COLLECTORS=3 BANKS=4 REGS=33 LANES=3 EXPORTS=2",
                                   "LEVELS=1 SCHED=1 BANKS=5 WARPS=6 ACTIVE=6 REGS=33 LANES=3 EXPORTS=2 WBDEPTH=3",
                                   "WARPS=7 ACTIVE=3 COLLECTORS=3 BANKS=4 LANES=4 LEVELS=3 POLICY=1 ENTRIES=2",
                                   "WARPS=7 ACTIVE=3 COLLECTORS=3 BANKS=4 LANES=4 LEVELS=3 MANAGED=1 SPLIT=1 ENTRIES=8",
                                   "WARPS=5 BANKS=4 REGS=16 LANES=1",
                                   "WARPS=9 ACTIVE=1 COLLECTORS=2 BANKS=3 LANES=2 EXPORTS=7 WBDEPTH=1 SLOTS=2",
                                   "WARPS=9 ACTIVE=1 COLLECTORS=2 BANKS=3 LANES=2 EXPORTS=7 WBDEPTH=1 SLOTS=2 MANAGED=1",
                                   "WARPS=6 ACTIVE=6 COLLECTORS=4 BANKS=7 LANES=2 SLOTS=7 REGS=33 LEVELS=3 MANAGED=1 SPLIT=1",
                                   NULL};

static const char *const rtl[] = {"rtl/common/rf_pkg.sv",
                                  "rtl/common/rf_rr.sv",
                                  "rtl/common/rf_fifo_ctrl.sv",
                                  "rtl/banked/rf_banked_pkg.sv",
                                  "rtl/banked/rf_sched_gto.sv",
                                  "rtl/banked/rf_sched_lrr.sv",
                                  "rtl/banked/rf_scoreboard.sv",
                                  "rtl/banked/rf_ocu_alloc.sv",
                                  "rtl/banked/rf_ocu.sv",
                                  "rtl/banked/rf_arbiter.sv",
                                  "rtl/banked/rf_crossbar.sv",
                                  "rtl/banked/rf_bank.sv",
                                  "rtl/banked/rf_dispatch.sv",
                                  "rtl/banked/rf_wbq.sv",
                                  "rtl/banked/rf_stage_head.sv",
                                  "rtl/banked/rf_stage_banks.sv",
                                  "rtl/banked/rf_stage_exec.sv",
                                  "rtl/banked/rf_stage_results.sv",
                                  "rtl/hierarchy/rf_hierarchy_pkg.sv",
                                  "rtl/hierarchy/rf_sched_two_level.sv",
                                  "rtl/hierarchy/rf_rfc.sv",
                                  "rtl/hierarchy/rf_orf.sv",
                                  "rtl/hierarchy/rf_levels.sv",
                                  NULL};

#define LS_UNIT rf_hierarchy
#define LS_GROUP "hierarchy"
#define LS_BRIEF "operand stage with a two-level scheduler and a register file hierarchy"
#define LS_FIELDS "tb/hierarchy/rf_hierarchy.fields"
#define LS_OBSERVE
#define LS_UNREACHABLE
#define LS_STEP
#define LS_TOUCHED
#define LS_SYSTEM
#define LS_COPIES
#include "harness/core/unit_define.h"
