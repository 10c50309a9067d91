/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, properties and planted faults of rf_wir (bins: rf_wir_bins.h). The environment of rf_stage_env.h surrounds it, thread
 * blocks included; in front of it a decoder (rf_wir_decode.h). Random streams compute few functions of few values, with pairs of
 * values that have one hash, so that reuse, sharing and collisions are frequent. They have a memory, with barriers, fences,
 * blocks and kernels that come at random: rf_wir_memory.h. Execution units hand ex_info back with the result. Checked beside what
 * the environment checks: rf_wir_check.h. From some cycle on many epochs have illegal inputs, rf_wir_illegal.h, and no checks. */
#include "cmodel/wir/rf_wir.h"

#include <string.h>

#include "harness/base/memory.h"
#include "cmodel/workload/rf_crack.h"
#include "harness/core/unit.h"
#include "tb/banked/env/rf_stage_env.h"
#include "tb/machine/env/rf_machine.h"
#include "tb/wir/env/rf_h3_collide.h"
#include "tb/wir/env/rf_wir_bins.h"
#include "tb/wir/env/rf_wir_check.h"
#include "tb/wir/env/rf_wir_count.h"
#include "tb/wir/env/rf_wir_decode.h"
#include "tb/wir/env/rf_wir_illegal.h"
#include "tb/wir/env/rf_wir_memory.h"

#define CONSTANTS 12u /* values that random instructions load: half of them have the hash of another */
#define FUNCTIONS 6u  /* random functions, each of one opcode and program counter */
#define STEPS 16u     /* of the program that all warps run in a convoy */
#define FLOOD 8u      /* phases of a flood: an epoch may be long */

/* Probabilities in 256ths; drawn anew in every phase. */
typedef struct knobs {
    uint32_t constant; /* an instruction loads a constant */
    uint32_t same;     /* it is the computation of another one, of any warp */
    uint32_t whole;    /* it has all lanes */
    uint32_t wide;     /* its result has two words */
    uint32_t load, store;
    uint32_t functions, constants; /* in use, 1 .. */
    uint32_t event;                /* barrier, fence or block, in 4096ths a cycle */
    uint32_t limit;
    bool convoy;   /* warps run one program, each at its own pace */
    bool counting; /* barriers and fences alone, in runs: rf_wir_memory.h */
} knobs;

typedef enum step_kind { STEP_CONSTANT, STEP_FUNCTION, STEP_LOAD } step_kind;

/* What a random instruction computes. */
typedef struct step {
    step_kind kind;
    uint8_t which, nsrc, dst, second; /* the second word's register counts with `wide` */
    bool wide;
    uint8_t src[RF_SLOTS_MAX];
} step;

typedef struct rf_wir_stim {
    rf_stage_env *env;
    rf_wir_illegal illegal;
    rf_wir_cfg cfg;
    ls_rng rng;
    knobs knobs;
    rf_wir_decoder *decoder;
    rf_h3_collider collider;
    rf_vec constant[CONSTANTS];
    step recent[8]; /* random computations to repeat */
    rf_wir_memory memory;
    step program[STEPS];
    uint8_t at[RF_WARPS_MAX];                 /* per warp: its place in it */
    uint64_t info[RF_WARPS_MAX][RF_REGS_MAX]; /* ex_info of what is being executed, by destination */
    const rf_inst *head[RF_WARPS_MAX];        /* of a workload: the instruction whose uop is the warp's head */
    bool first[RF_WARPS_MAX];                 /* it is the first uop */
    rf_wir_why why[RF_WARPS_MAX];             /* what the decoder says of it */
    uint64_t refused;                         /* instructions whose function got no number */
    uint64_t fresh;                           /* warps bits: launched, the system has not seen it */
    bool random;
    uint32_t flood; /* phases to come, in which long warps write all their registers, no two values alike: the pool runs dry,
                       which takes over 1000 results */
    rf_wir_checker *checker;
    rf_wir_count count;
} rf_wir_stim;

/* ---- hooks of the environment ---- */

static rf_wir_in *inputs(rf_stage_in *stage) { return (rf_wir_in *)stage; /* its first member */ }

static void set_bit(uint64_t *bits, uint32_t w, bool value) { *bits = (*bits & ~(UINT64_C(1) << w)) | (uint64_t)value << w; }

/* How far the sources are turned in their slots; the smallest number, when several registers are the same. */
static uint32_t turned(const rf_wir_in *in, uint32_t slots, uint32_t w, const rf_inst *inst) {
    for (uint32_t turn = 0; turn < slots; turn++) {
        bool fits = true;
        for (uint32_t i = 0; i < inst->nsrc && i < slots; i++) {
            const uint32_t at = (i + turn) % slots;
            fits &= (in->ib_src_valid[w] >> at & 1) != 0 && in->ib_src[w * slots + at] == inst->src[i];
        }
        if (fits) return turn;
    }
    return slots;
}

/* With all lanes the lane looks it up. */
static bool is_whole(const rf_wir_stim *s, const rf_inst *inst) {
    const uint64_t all = rf_mask64(s->cfg.lanes);
    return (inst->mask & all) == all;
}

static bool words(void *ctx, const rf_inst *inst) {
    const rf_wir_stim *s = ctx;
    return s->cfg.reuse != 0 && is_whole(s, inst) && rf_wir_words(s->decoder, inst);
}

static void drive_head(void *ctx, rf_stage_in *stage, uint32_t w, const rf_inst *inst, const rf_uop *uop) {
    rf_wir_stim *s = ctx;
    rf_wir_in *in = inputs(stage);
    const uint32_t slots = s->cfg.slots;
    rf_wir_decoded d;
    rf_wir_decode(s->decoder, inst, uop, in->ib_src_valid[w], turned(in, slots, w, inst), &d);
    if (d.reuse && inst->ndst > 1 && !uop->words && is_whole(s, inst)) { /* cracked without a number */
        d.reuse = false;
        d.why = RF_WIR_NO_NUMBER;
    }
    if (!s->random) s->head[w] = inst;
    s->first[w] = uop->first;
    s->refused += uop->first && d.why == RF_WIR_NO_NUMBER;
    s->why[w] = d.why;
    set_bit(&s->memory.between, w, d.space != RF_SPACE_NONE && !uop->last);
    set_bit(&in->ib_reuse, w, d.reuse);
    set_bit(&in->ib_store, w, d.store);
    set_bit(&in->ib_store_shared, w, d.store_shared);
    in->ib_op[w] = d.op;
    in->ib_space[w] = (uint8_t)d.space;
    for (uint32_t i = 0; i < slots; i++) in->ib_imm[w * slots + i] = d.imm[i];
    in->block[w] = (uint8_t)(s->random ? w % s->cfg.blocks : rf_stage_env_block(s->env, w));
}

static void launch(void *ctx, uint32_t w) {
    rf_wir_stim *s = ctx;
    s->fresh |= UINT64_C(1) << w;
    s->at[w] = 0;
    rf_wir_memory_launch(&s->memory, w);
}
static void ended(void *ctx, rf_stage_in *in, uint32_t w) {
    (void)ctx;
    inputs(in)->exit |= UINT64_C(1) << w;
}
static void kernel(void *ctx, rf_stage_in *in) {
    (void)ctx;
    inputs(in)->flush = 1;
}
static void block(void *ctx, rf_stage_in *in, uint32_t b) {
    (void)ctx;
    inputs(in)->start |= (uint16_t)(1u << b);
}
static void barrier(void *ctx, rf_stage_in *in, uint32_t b) {
    (void)ctx;
    inputs(in)->bar |= (uint16_t)(1u << b);
}
static void fence(void *ctx, rf_stage_in *in, uint32_t w) {
    (void)ctx;
    inputs(in)->fence |= UINT64_C(1) << w;
}

/* A program that loads constants and computes with them, in few registers. */
static void draw_program(rf_wir_stim *s) {
    const uint32_t regs = s->cfg.regs < 4 ? s->cfg.regs : 4, slots = s->cfg.slots;
    for (uint32_t i = 0; i < STEPS; i++) {
        step *t = &s->program[i];
        *t = (step){.dst = (uint8_t)ls_rng_below(&s->rng, s->cfg.regs < 8 ? s->cfg.regs : 8)};
        t->kind = ls_rng_chance(&s->rng, s->knobs.constant) || i < 2 ? STEP_CONSTANT
                  : ls_rng_chance(&s->rng, s->knobs.load)            ? STEP_LOAD
                                                                     : STEP_FUNCTION;
        if (i < regs) t->dst = (uint8_t)i;
        t->which = (uint8_t)ls_rng_below(&s->rng, t->kind == STEP_CONSTANT ? s->knobs.constants
                                                  : t->kind == STEP_LOAD   ? 3
                                                                           : s->knobs.functions);
        if (t->kind == STEP_CONSTANT) continue;
        t->wide = ls_rng_chance(&s->rng, s->knobs.wide);
        t->second = (uint8_t)ls_rng_below(&s->rng, s->cfg.regs);
        t->nsrc = (uint8_t)(1 + ls_rng_below(&s->rng, slots < 3 ? slots : 3));
        for (uint32_t n = 0; n < t->nsrc; n++) t->src[n] = (uint8_t)ls_rng_below(&s->rng, i < regs && i > 0 ? i : regs);
    }
}

/* The phase's streams write new values all over the registers. */
static void flood(rf_wir_stim *s) {
    rf_banked_stream *stream = rf_stage_env_stream(s->env);
    stream->range = s->cfg.regs;
    stream->sources = 2;
    stream->write = 256;
    stream->depend = stream->repeat = stream->skew = stream->partial = stream->zero = stream->crack = 0;
    stream->classes = 1u << RF_OP_ALU;
    stream->length = 4096;
    s->knobs.convoy = false;
    s->knobs.constant = s->knobs.store = s->knobs.load = s->knobs.same = s->knobs.wide = 0;
    s->knobs.whole = 256;
}

/* Counts come to their end, and there are loads from few addresses, which would find what is older. */
static void count(knobs *k) {
    if (k->event < 32) k->event = 32;
    if (k->constant < 64) k->constant = 64;
    if (k->load < 128) k->load = 128;
    if (k->store < 8) k->store = 8;
    if (k->constants > 2) k->constants = 2;
    k->convoy = true;
}

static void phase(void *ctx, rf_stream_kind kind) {
    static const uint32_t constant[] = {16, 64, 128, 240}, wide[] = {0, 0, 32, 128}, same[] = {0, 96, 192, 256},
                          whole[] = {64, 192, 240, 256};
    static const uint32_t load[] = {0, 48, 128, 224}, store[] = {0, 2, 8, 32};
    rf_wir_stim *s = ctx;
    ls_rng *rng = &s->rng;
    knobs *k = &s->knobs;
    (void)kind;
    k->constant = constant[ls_rng_below(rng, 4)];
    k->same = same[ls_rng_below(rng, 4)];
    k->whole = whole[ls_rng_below(rng, 4)];
    k->wide = wide[ls_rng_below(rng, 4)];
    k->load = load[ls_rng_below(rng, 4)];
    k->store = store[ls_rng_below(rng, 4)];
    k->functions = 1 + ls_rng_below(rng, FUNCTIONS);
    k->constants = 1 + ls_rng_below(rng, CONSTANTS);
    k->event = ls_rng_chance(rng, 32) ? 0 : 4u << ls_rng_below(rng, 6);
    k->limit = ls_rng_chance(rng, 96) ? s->cfg.pregs : ls_rng_chance(rng, 96) ? 0 : ls_rng_below(rng, s->cfg.pregs + 1);
    k->convoy = ls_rng_chance(rng, 128);
    k->counting = ls_rng_chance(rng, 48);
    if (k->counting) count(k);
    s->flood -= s->flood != 0;
    if (s->flood != 0) flood(s);
    draw_program(s);
}

static void compute(rf_wir_stim *s, uint32_t w, const step *t, rf_inst *inst) {
    static const char *const loads[] = {"ld.const.r", "ld.shared.r", "ld.global.r"};
    if (inst->opclass == RF_OP_CTRL || inst->opclass == RF_OP_MEM) inst->opclass = RF_OP_ALU;
    inst->nsrc = t->nsrc;
    memcpy(inst->src, t->src, t->nsrc);
    inst->ndst = t->wide ? 2 : 1;
    inst->dst[1] = t->second;
    inst->mnemonic = t->kind == STEP_CONSTANT ? "mov.r" : t->kind == STEP_LOAD ? loads[t->which] : "op.r";
    inst->opcode = t->kind == STEP_CONSTANT ? 1 : (t->kind == STEP_LOAD ? 0x100u : 0x200u) + (t->wide ? t->which % 3 : t->which);
    inst->pc = t->kind == STEP_LOAD ? rf_wir_memory_version(&s->memory, w, (rf_space)(RF_SPACE_CONST + t->which)) : 0;
    if (t->kind != STEP_CONSTANT) return;
    inst->immediate = t->which + 1;
    inst->value = s->constant[t->which].lane;
}

/* Gives a random instruction a function that others compute too. */
static void edit(void *ctx, uint32_t w, rf_inst *inst) {
    static const char *const stores[] = {"st.shared.r", "st.global.r"};
    rf_wir_stim *s = ctx;
    const knobs *k = &s->knobs;
    if (inst->mask != 0 && ls_rng_chance(&s->rng, k->whole)) inst->mask = (uint32_t)rf_mask64(s->cfg.lanes);
    const bool quiet = rf_wir_memory_quiet(&s->memory);
    if (!quiet && ls_rng_chance(&s->rng, k->store)) {
        const uint32_t global = ls_rng_below(&s->rng, 2);
        if (inst->mask != 0) rf_wir_memory_store(&s->memory, w, global != 0);
        inst->mnemonic = stores[global];
        inst->store = true;
        inst->ndst = 0;
        return;
    }
    if (inst->ndst == 0 || !rf_crack_fits(inst, s->cfg.slots)) return;
    if (s->flood != 0 && ls_rng_chance(&s->rng, 128)) return;
    if (k->convoy) {
        const step *t = &s->program[s->at[w] % STEPS];
        inst->dst[0] = t->dst;
        if (quiet && t->kind == STEP_LOAD) t = &s->program[0];
        else s->at[w]++;
        compute(s, w, t, inst);
        return;
    }
    step t = {.kind = STEP_FUNCTION, .nsrc = inst->nsrc};
    step *other = &s->recent[ls_rng_below(&s->rng, 8)];
    if (ls_rng_chance(&s->rng, k->constant)) {
        t = (step){.kind = STEP_CONSTANT, .which = (uint8_t)ls_rng_below(&s->rng, k->constants)};
    } else if (other->nsrc != 0 && !(quiet && other->kind == STEP_LOAD) && ls_rng_chance(&s->rng, k->same)) {
        t = *other;
    } else if (inst->nsrc == 0) {
        return;
    } else {
        if (!quiet && ls_rng_chance(&s->rng, k->load)) t.kind = STEP_LOAD;
        t.which = (uint8_t)ls_rng_below(&s->rng, t.kind == STEP_LOAD ? 3 : k->functions);
        t.wide = ls_rng_chance(&s->rng, k->wide);
        t.second = (uint8_t)ls_rng_below(&s->rng, s->cfg.regs);
        memcpy(t.src, inst->src, inst->nsrc);
        *other = t;
    }
    compute(s, w, &t, inst);
}

/* ---- life ---- */

static void draw_constants(rf_wir_stim *s) {
    rf_h3_collider_init(&s->collider, s->cfg.lanes, &s->rng);
    for (uint32_t i = 0; i < CONSTANTS; i += 2) {
        rf_vec *a = &s->constant[i], *b = a + 1;
        const uint32_t first = ls_rng_below(&s->rng, 1000), stride = ls_rng_below(&s->rng, 3);
        for (uint32_t l = 0; l < s->cfg.lanes; l++) a->lane[l] = first + stride * l;
        (void)rf_h3_collide(&s->collider, &s->rng, a, b);
    }
}

static void stim_init(rf_wir_stim *s, const rf_wir *m, uint64_t seed) {
    const rf_wir_cfg *c = &m->cfg;
    const rf_stage_cfg cfg = {.warps = c->warps,
                              .collectors = c->collectors + c->issues * (2 + c->queue),
                              .banks = c->banks,
                              .regs = c->regs,
                              .lanes = c->lanes,
                              .slots = c->slots,
                              .exports = c->exports,
                              .issues = c->issues,
                              .wbdepth = c->wbdepth + c->delay + c->issues * c->verifiers,
                              .pooled = true,
                              .blocks = c->blocks,
                              .pool = c->reuse == 0 ? 0 : c->pregs - 1,
                              .waits = c->reuse == 0 ? 0 : RF_WIR_STANDSTILL_LOW}; /* it has a property of its own for less */
    const rf_stage_hooks hooks = {.ctx = s,
                                  .show = drive_head,
                                  .words = words,
                                  .launch = launch,
                                  .phase = phase,
                                  .random = edit,
                                  .kernel = kernel,
                                  .block = block,
                                  .barrier = barrier,
                                  .fence = fence,
                                  .ended = ended};
    *s = (rf_wir_stim){.cfg = *c,
                       .random = true,
                       .memory = {.warps = c->warps, .blocks = c->blocks},
                       .flood = c->pregs > 255 && ls_seed_derive(seed, "flood") % 2 == 0 ? FLOOD + 1 : 0};
    ls_rng_seed(&s->rng, ls_seed_derive(seed, "reuse"));
    s->decoder = rf_wir_decoder_new(c->slots, c->pregs);
    draw_constants(s);
    s->env = rf_stage_env_new(&cfg, &hooks, seed);
    s->checker = rf_wir_checker_new(m);
    rf_wir_illegal_init(&s->illegal, &cfg, c, s->constant, CONSTANTS, seed);
}

static void stim_free(rf_wir_stim *s) {
    rf_stage_env_free(s->env);
    rf_wir_decoder_free(s->decoder);
    rf_wir_checker_free(s->checker);
}

/* ---- a cycle ---- */

/* A warp that starts has no mappings, whatever its slot still has. */
static const rf_vec *value(const void *ctx, uint32_t w, uint32_t reg, rf_vec *room) {
    const rf_wir_stim *s = ctx;
    const rf_wir *m = rf_wir_checker_model(s->checker);
    if ((s->fresh >> w & 1) == 0 || s->cfg.reuse == 0) return rf_wir_value(m, w, reg, room);
    *room = (rf_vec){0};
    return room;
}

/* As many as logical registers have a mapping or are about to get one, at least: the stage cannot do with less. */
static uint32_t random_limit(const rf_wir_stim *s, const rf_wir *m) {
    uint32_t logical = 0;
    for (uint32_t w = 0; w < s->cfg.warps && s->cfg.capped != 0; w++) {
        const rf_rename *table = &m->lane[w % s->cfg.issues].rename;
        for (uint32_t k = 0; k < (s->cfg.regs + 63) / 64; k++)
            logical += (uint32_t)__builtin_popcountll(table->valid_q[rf_rename_word(table, w / s->cfg.issues, 64 * k)] |
                                                      m->issue.scoreboard.pending_q[w].w[k]);
    }
    return logical > s->knobs.limit ? logical : s->knobs.limit;
}

static void stim(rf_wir_stim *s, const rf_wir *m, rf_wir_in *in) {
    if (rf_stage_illegal_now(&s->illegal.stage)) {
        rf_wir_illegal_inputs(&s->illegal, in);
        return;
    }
    rf_stage_view view = {.model = s, .value = value};
    rf_wir_checker_before(s->checker, m, s->env);
    rf_wir_held(m, &view.collecting, &view.level[0]);
    in->exit = in->fence = 0;
    in->start = in->bar = 0;
    in->flush = 0;
    rf_stage_env_inputs(s->env, &view, &in->stage);
    if (s->random) rf_wir_memory_events(&s->memory, &s->rng, s->knobs.event, s->knobs.counting, m, in);
    in->limit = (uint16_t)(s->random ? random_limit(s, m) : rf_stage_env_registers(s->env));
    for (uint32_t left = in->res_valid; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        in->res_info[e] = s->info[in->res_warp[e]][in->res_dst[e]];
        if (s->cfg.reuse == 0)
            in->res_info[e] = ls_rng_u64(&s->rng) & rf_mask64(rf_wir_info_bits(&s->cfg)); /* counts for nothing */
    }
}

/* Operands are the golden machine's, before what issues in this cycle. */
static void count_instructions(rf_wir_stim *s, const rf_wir_out *out) {
    for (uint32_t left = out->issue_valid; left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left), w = out->issue_warp[g];
        const rf_inst *inst = s->head[w];
        const rf_vec *operand[RF_INST_SRC_MAX];
        if (inst == NULL) continue;
        if (!s->first[w]) {
            rf_wir_count_later(&s->count, g);
            continue;
        }
        for (uint32_t i = 0; i < inst->nsrc; i++) operand[i] = rf_stage_env_golden(s->env, w, inst->src[i]);
        rf_wir_count_instruction(&s->count, &s->cfg, g, inst, s->why[w], rf_repeat_key(inst, operand));
    }
}

static void observe(rf_wir_stim *s, const rf_wir_in *in, const rf_wir_out *out) {
    const rf_wir_wires *x = &out->wires;
    rf_wir_illegal_observe(&s->illegal, in, out);
    if (s->illegal.stage.on) return;
    const rf_stage_waits waits = rf_stage_env_waits(s->env, &in->stage, x->chosen, x->hazard);
    for (uint32_t left = out->ex_valid & out->ex_dst_valid & in->ex_ready; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        s->info[out->ex_warp[e]][out->ex_dst[e]] = out->ex_info[e];
    }
    for (uint32_t left = x->retired; left != 0; left &= left - 1)
        rf_stage_env_retired(s->env, x->retire_warp[rf_lowest(left)], x->retire_dst[rf_lowest(left)]);
    for (uint32_t left = out->reused; left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left);
        if (rf_stage_env_reused(s->env, out->reused_tag[g])) rf_wir_count_reused(&s->count, &x->front[g]);
    }
    count_instructions(s, out);
    rf_stage_env_observe(s->env, &in->stage, &out->stage, 0);
    s->fresh &= ~in->launch;
    rf_wir_checker_after(s->checker, in, out);
    rf_wir_count_cycle(&s->count, &s->cfg, in, out, &waits);
}

static bool done(const rf_wir_stim *s) { return rf_stage_env_done(s->env); }
static const char *workload_error(const rf_wir_stim *s) { return rf_stage_env_workload_error(s->env); }
static uint64_t workload_unknown(const rf_wir_stim *s, const char **first) {
    return rf_stage_env_workload_unknown(s->env, first);
}

static const char *property(const rf_wir_stim *s) {
    const char *own = rf_wir_checker_violation(s->checker);
    return own != NULL ? own : rf_stage_env_property(s->env);
}

static int workload(rf_wir_stim *s, const rf_wir *m, const struct rf_source *source, const char *path, char *error, size_t size) {
    (void)m;
    s->random = false;
    s->illegal.stage.from = UINT64_MAX;
    return rf_stage_env_workload(s->env, source, path, error, size);
}

static uint64_t legal(const rf_wir_stim *s) { return s->illegal.stage.from; }

static int surround(rf_wir_stim *s, const ls_settings *settings, char *error, size_t size) {
    rf_machine machine;
    if (rf_machine_one_core(settings, error, size) != 0 || rf_machine_read(&machine, settings, error, size) != 0) return -1;
    if (s == NULL) return 0;
    rf_stage_env_machine(s->env, &machine);
    rf_wir_decoder_limit(s->decoder, machine.lookup_words);
    return 0;
}

static void counters(const rf_wir_stim *s, const rf_wir *m, ls_counter_fn *sink, void *ctx) {
    rf_stage_env_counters(s->env, sink, ctx);
    rf_wir_count_report(&s->count, &m->cfg, sink, ctx);
    sink(ctx, "refused_without_number", (double)s->refused);
}

static uint32_t touched(const rf_wir *m, const rf_wir_in *in, const rf_wir_out *out, ls_touch *list) {
    (void)in;
    const uint32_t n = rf_stage_touched(out->wires.arbiter.bank_we, out->wires.arbiter.bank_waddr, list);
    return rf_stage_illegal_touched(list, n, m->bank[0].cfg.rows);
}

/* ---- parameter sets, faults ---- */

#define SMALL                                                                                                                    \
    "WARPS=8 COLLECTORS=2 BANKS=2 REGS=5 LANES=2 SLOTS=2 EXPORTS=2 PREGS=42 ENTRIES=16 VENTRIES=4 QUEUE=2 BLOCKS=2 VCACHE=2 "    \
    "VERIFIERS=1 CAPPED=1 WBDEPTH=8 COUNTW=8"
#define PLAIN "WARPS=5 ISSUES=1 EXPORTS=3 REGS=7 LANES=2 SLOTS=2 BANKS=4 PREGS=40 REUSE=0 DELAY=6 PORTS=1 WBDEPTH=1"
#define TINY                                                                                                                     \
    "WARPS=2 COLLECTORS=1 BANKS=1 REGS=2 LANES=1 SLOTS=1 EXPORTS=2 PREGS=8 ENTRIES=2 VENTRIES=1 QUEUE=1 BLOCKS=1 VCACHE=1 "      \
    "VERIFIERS=1 WBDEPTH=1 COUNTW=5"
#define THREE                                                                                                                    \
    "WARPS=6 ISSUES=3 EXPORTS=5 COLLECTORS=5 BANKS=4 REGS=7 LANES=3 PREGS=44 ENTRIES=16 VENTRIES=8 LOADS=0 DELAY=3 SCHED=2 "     \
    "FETCH=1 QUEUE=2 VERIFIERS=1"
#define ISSUE "rtl/wir/rf_wir_issue.sv"
#define LANE "rtl/wir/rf_wir_lane.sv"
#define COLLECT "rtl/wir/rf_wir_collect.sv"
#define REUSE "rtl/wir/rf_wir_reuse.sv"
#define RESULTS "rtl/wir/rf_wir_results.sv"
#define RETIRE "rtl/wir/rf_wir_retire.sv"
static const ls_fault faults[] = {
    {"a head overtakes a reader before the collectors", ISSUE, "hazard | overtaken | releasing", "hazard | releasing",
     "issue_valid", TINY},
    {"a store overtakes a load before the collectors", ISSUE, "(at_load[p] && stores_of[warp])", "1'b0", "issue_valid", SMALL},
    {"a warp does not wait for its old mappings", ISSUE, "hazard | overtaken | releasing", "hazard | overtaken", "issue_valid",
     SMALL},
    {"a source that is not mapped is delivered as it is", COLLECT, "zero_q[c][s] ? '0 : data", "1'b0 ? '0 : data", "ex_data",
     SMALL},
    {"every lookup leads", REUSE, "ENTRY_W], reserved_o[g], lane_back_i[", "ENTRY_W], leads_i[g], lane_back_i[",
     "u_collect.info_q", SMALL},
    {"low mode reserves", REUSE, "leads_i & {ISSUES{!low_i}}", "leads_i", "u_collect.info_q", SMALL},
    {"low mode begins one register later", RESULTS, "32'(used) + ISSUES > 32'(bound)", "32'(used) + ISSUES > 32'(bound) + 1",
     "gen_reuse.u_reuse.u_buffer.valid_q", SMALL},
    {"the limit counts for nothing", RESULTS, "(CAPPED != 0 && limit_i < COUNT_W'(PREGS))",
     "(CAPPED == 2 && limit_i < COUNT_W'(PREGS))", "u_results.gen_reuse.gen_vsb.u_vsb.valid_q", SMALL},
    {"a register that others name is overwritten", RESULTS, "old_valid && own_i[g];", "old_valid;", "res_ready", SMALL},
    {"a register is overwritten only if nobody names it", NULL, ".own_reg_i(old_reg)", ".own_reg_i(~old_reg)",
     "u_results.gen_port[0].u_pipe.valid_q", SMALL},
    {"what is overwritten is counted as new", RESULTS, "in_place[g]  = over || (", "in_place[g]  = (",
     "u_results.gen_port[0].u_queue.preg_q", SMALL},
    {"a random entry goes though a lane looked up", REUSE, "low_i && (lk_valid_i & leaves_i) == '0", "low_i",
     "gen_reuse.u_reuse.u_buffer.valid_q", SMALL},
    {"a register that is given out keeps its line in the verify cache", RESULTS, ".evict_i(given_o)", ".evict_i(given_o & ~took)",
     "u_results.gen_reuse.gen_vcache.u_vcache.valid_q", SMALL},
    {"a candidate of the verify cache is believed", RESULTS, "cached[g] && line[g*DATA_W +: DATA_W] == value[g*DATA_W +: DATA_W]",
     "cached[g]", "u_results.gen_port[1].u_pipe.valid_q", SMALL},
    {"a verify-read does not wait for the write", RETIRE, "reads_first && !unwritten[e]", "reads_first",
     "u_arbiter.gen_bank[0].u_rd_rr.mask_q", SMALL},
    {"a pinned register is given up at the next partial write", RESULTS, "(full || !old_valid || !old_pin) && !shares", "!shares",
     "u_results.gen_port[0].u_queue.preg_q", SMALL},
    {"no dummy MOV", RESULTS, "merges       = !full && old_valid && !old_pin",
     "merges       = 1'b0 && full && old_valid && old_pin", "u_results.gen_port[0].u_queue.op_q", SMALL},
    {"lanes without a mapping keep what the result had there", RESULTS, "clears[g]    = !full && !narrow[g]",
     "clears[g]    = 1'b0 && full", "u_results.gen_port[0].u_queue.data_q", SMALL},
    {"a new partial mapping is not pinned", LANE, ".wr_pin_i(!reused_o && done_pin)", ".wr_pin_i(1'b0 && done_pin)",
     "gen_lane[0].u_lane.gen_reuse.u_rename.pin_q", SMALL},
    {"a reuse hit pins", LANE, "wr_pin_i(!reused_o && done_pin)", "wr_pin_i(reused_o || done_pin)",
     "gen_lane[0].u_lane.gen_reuse.u_rename.pin_q", SMALL},
    {"registers that are promised are given away", RESULTS, "spoken = used + promised_q;", "spoken = used;",
     "u_results.gen_port[0].u_pipe.valid_q", SMALL},
    {"a verify-read that shares keeps its promise", RESULTS, " - COUNT_W'(shared_i[g]);", ";", "u_results.promised_q", SMALL},
    {"verifiers retire after the queues", RETIRE, "{`RF_LOWEST(done), retires & {EXPORTS{!v_any}}}",
     "{`RF_LOWEST(done) & {VERIFIERS{!doer}}, retires}", "u_issue.u_scoreboard.pending_q", SMALL},
    {"a refused write retires", RETIRE, "done_o[g]   = turn && (!write || wr_grant_i[g])", "done_o[g]   = turn",
     "u_issue.u_scoreboard.pending_q", SMALL},
    {"a leader's entry is not filled in low mode", REUSE, "fill[g] = done_i[g] && leader",
     "fill[g] = done_i[g] && leader && !low_i", "gen_reuse.u_reuse.u_buffer.pending_q", SMALL},
    {"a result goes to the table of the warp before", LANE, "local_of(6'(warp),", "local_of(6'(warp) - 6'(ISSUES),",
     "gen_lane[0].u_lane.gen_reuse.u_rename.valid_q", SMALL},
    {"a reused register is not counted", LANE, "shared   = s == 0 && reused_o", "shared   = 1'b0 && s == 0 && reused_o",
     "gen_reuse.u_reuse.u_count.place_q", SMALL},
    {"a register in place is counted again", RESULTS, "gave[g], took[g] && !in_place[g]}", "gave[g], took[g]}",
     "gen_reuse.u_reuse.u_count.place_q", SMALL},
    {"the old mapping of a reuse hit keeps its reference", LANE, "(reused_o ? old_valid : done_i && done_ends)",
     "(!reused_o && done_i && done_ends)", "gen_reuse.u_reuse.u_count.place_q", SMALL},
    {"a collision keeps its candidate's reference", RESULTS, "dec_o[g] = gave[g] ||",
     "dec_o[g] =", "gen_reuse.u_reuse.u_count.place_q", SMALL},
    {"a verifier writes its first lane only", RETIRE, "all_mask[s*LANES +: LANES]     = '1",
     "all_mask[s*LANES +: LANES]     = LANES'(1)", "u_banks.gen_bank[0].u_bank.mem_q", SMALL},
    {"D-map's register without the bank of the warp", RESULTS, "rf_banked_pkg::map_bank(warp,", "rf_banked_pkg::map_bank(6'd0,",
     "u_results.gen_port[1].u_queue.preg_q", PLAIN},
    {"REUSE 0: a queue is popped without its bank", RETIRE, "assign pop_o      = done_o", "assign pop_o      = head_valid_i",
     "u_results.gen_port[1].u_queue.u_ctrl.level_q", PLAIN},
    {"a result of no lane is dropped", NULL, ".res_valid_i(res_valid_i)",
     ".res_valid_i(res_valid_i & {EXPORTS{res_mask_i != '0}})", "u_results.gen_port[0].u_pipe.valid_q", SMALL},
    {"a result whose old mapping is pinned and not valid is written in place", RESULTS,
     "(full || !old_valid || !old_pin) && !shares", "(full || !old_pin) && !shares", "u_results.gen_reuse.u_free.fresh_q", SMALL},
    {"a leader fills its entry though it is not pending", "rtl/wir/rf_reuse_buffer.sv", "fill_i[p] && pending_q[fill_index[p]];",
     "fill_i[p];", "gen_reuse.u_reuse.u_buffer.result_q", SMALL},
    {"an instruction for a port that does not exist leaves at once", COLLECT, ".dispatch_i(dispatched[c])",
     ".dispatch_i(dispatched[c] || port[c*PORT_W +: PORT_W] >= PORT_W'(EXPORTS))", "u_collect.gen_ocu[1].u_ocu.busy_q", THREE},
    {"a result of a warp that does not exist is mapped", LANE, "(reused_o || done_i) && {1'b0, warp} < (WARP_W + 1)'(WARPS)",
     "(reused_o || done_i)", "gen_lane[0].u_lane.gen_reuse.u_rename.preg_q", THREE},
    {"REUSE 0: a warp that starts has no hazard", ISSUE, "ib_valid_i & ~(hazard |", "ib_valid_i & ~((hazard & ~launch_i) |",
     "issue_valid", PLAIN},
    {"a warp that ends while its mappings are released ends once", LANE, ".clear_i(clear_i)", ".clear_i(clear_i & ~walking_o)",
     "gen_lane[1].u_lane.gen_reuse.u_rename.walking_q", SMALL},
    {0},
};
#undef ISSUE
#undef LANE
#undef COLLECT
#undef REUSE
#undef RESULTS
#undef RETIRE
#undef SMALL
#undef PLAIN
#undef TINY
#undef THREE

static const char *const sets[] = {
    "",
    "LANES=4 CAPPED=1",
    "WARPS=8 COLLECTORS=2 BANKS=2 REGS=5 LANES=2 SLOTS=2 EXPORTS=2 PREGS=42 ENTRIES=16 VENTRIES=4 QUEUE=2 BLOCKS=2 VCACHE=2 "
    "VERIFIERS=1 CAPPED=1 WBDEPTH=8 COUNTW=8",
    "WARPS=8 REGS=8 LANES=4 PREGS=72 ENTRIES=32 VENTRIES=16 DELAY=7 WBDEPTH=6 CAPPED=1 BLOCKS=2 SCHED=1 VCACHE=0 PORTS=1 "
    "VERIFIERS=1 QUEUE=2 "
    "COUNTW=9",
    "WARPS=6 ISSUES=3 EXPORTS=5 COLLECTORS=5 BANKS=4 REGS=7 LANES=3 PREGS=44 ENTRIES=16 VENTRIES=8 LOADS=0 DELAY=3 SCHED=2 "
    "FETCH=1 "
    "QUEUE=2 VERIFIERS=1",
    "WARPS=8 ISSUES=1 EXPORTS=3 REGS=16 LANES=4 PREGS=120 RETRY=0 VCACHE=0 ENTRIES=64 VENTRIES=32 SLOTS=4 BLOCKS=3 VERIFIERS=3 "
    "CAPPED=1",
    "WARPS=8 REGS=8 LANES=2 PREGS=72 VSB=0 LOADS=0 RETRY=0 VCACHE=0 ENTRIES=64 VENTRIES=1 PORTS=1",
    "WARPS=8 REGS=8 LANES=2 EXPORTS=5 PREGS=72 LOADS=0 RETRY=0 VCACHE=0 ENTRIES=32 VENTRIES=16 BLOCKS=2 DELAY=5",
    "WARPS=8 REGS=8 LANES=2 PREGS=72 RETRY=0 VCACHE=0 ENTRIES=32 VENTRIES=16 BLOCKS=2 DELAY=6",
    "WARPS=8 REGS=8 LANES=2 PREGS=72 VCACHE=0 ENTRIES=32 VENTRIES=16 BLOCKS=2 QUEUE=4 DELAY=5",
    "WARPS=16 REGS=32 LANES=4 SCHED=1 REUSE=0",
    "WARPS=5 ISSUES=1 EXPORTS=3 REGS=7 LANES=2 SLOTS=2 BANKS=4 PREGS=40 REUSE=0 DELAY=6 PORTS=1 WBDEPTH=1",
    "WARPS=12 ISSUES=4 EXPORTS=4 COLLECTORS=5 REGS=16 LANES=2 PREGS=200 SCHED=2 FETCH=2 REUSE=0",
    NULL};

/* ---- field lists of units whose surroundings leave something out ---- */

static void never(ls_fields *fields, const char *name, const char *reason) {
    ls_fields_constant(fields, LS_STATE, name, true, reason);
}

/* REUSE 0. */
LS_LIST_LIKE(rf_wir_plain_collect, rf_wir_collect) {
    never(fields, "zero_q", "nothing is renamed");
    never(fields, "info_q", "nothing is renamed");
}

/* VSB 0. */
LS_LIST_LIKE(rf_wir_unsigned_results, rf_wir_results) { never(fields, "promised_q", "nothing is verified"); }

/* LOADS 0. */
LS_LIST_LIKE(rf_wir_loadless_reuse, rf_wir_reuse) { never(fields, "u_buffer.barrier_q", "no load looks the reuse buffer up"); }

static const char *const rtl[] = {"rtl/common/rf_pkg.sv",
                                  "rtl/banked/rf_banked_pkg.sv",
                                  "rtl/common/rf_fifo_ctrl.sv",
                                  "rtl/common/rf_rr.sv",
                                  "rtl/common/rf_lfsr.sv",
                                  "rtl/banked/rf_arbiter.sv",
                                  "rtl/banked/rf_bank.sv",
                                  "rtl/banked/rf_crossbar.sv",
                                  "rtl/banked/rf_dispatch.sv",
                                  "rtl/banked/rf_ocu.sv",
                                  "rtl/banked/rf_ocu_alloc.sv",
                                  "rtl/banked/rf_sched_groups.sv",
                                  "rtl/banked/rf_sched_gto.sv",
                                  "rtl/banked/rf_sched_lrr.sv",
                                  "rtl/banked/rf_scoreboard.sv",
                                  "rtl/banked/rf_stage_banks.sv",
                                  "rtl/banked/rf_stage_exec.sv",
                                  "rtl/wir/rf_wir_pkg.sv",
                                  "rtl/wir/rf_h3.sv",
                                  "rtl/wir/rf_hash_pipe.sv",
                                  "rtl/wir/rf_result_queue.sv",
                                  "rtl/wir/rf_vsb.sv",
                                  "rtl/wir/rf_verify_cache.sv",
                                  "rtl/wir/rf_verify.sv",
                                  "rtl/wir/rf_unwritten.sv",
                                  "rtl/wir/rf_free_list.sv",
                                  "rtl/wir/rf_refcount.sv",
                                  "rtl/wir/rf_rename.sv",
                                  "rtl/wir/rf_reuse_buffer.sv",
                                  "rtl/wir/rf_pending_queue.sv",
                                  "rtl/wir/rf_load_guard.sv",
                                  "rtl/wir/rf_wir_issue.sv",
                                  "rtl/wir/rf_wir_front.sv",
                                  "rtl/wir/rf_wir_lane.sv",
                                  "rtl/wir/rf_wir_collect.sv",
                                  "rtl/wir/rf_wir_results.sv",
                                  "rtl/wir/rf_wir_retire.sv",
                                  "rtl/wir/rf_wir_reuse.sv",
                                  NULL};

#define LS_UNIT rf_wir
#define LS_GROUP "wir"
#define LS_BRIEF "system: operand stage with warp instruction reuse (WIR)"
#define LS_FIELDS "tb/wir/rf_wir.fields"
#define LS_OBSERVE
#define LS_STEP
#define LS_TOUCHED
#define LS_SYSTEM
#define LS_UNREACHABLE
#include "harness/core/unit_define.h"
