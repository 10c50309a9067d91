/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/banked/rf_stage_env.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_crack.h"
#include "cmodel/workload/rf_value.h"
#include "cmodel/workload/rf_workload.h"
#include "harness/memory.h"

#define CLASSES (RF_OP_CTRL + 1u)
#define LONG CLASSES         /* the pipeline of loads, where they are told from other memory instructions */
#define PIPES (CLASSES + 1u)
#define TAGS 2048u /* records that a tag can tell apart, beside its generation */
#define NONE UINT16_MAX
#define BLOCKS 64u          /* as many as warps */
#define LANES_A_WARP 32u

/* An instruction with uops shown or on the way. */
typedef struct flight {
    const rf_inst *inst;
    rf_inst own;           /* a random one lives here */
    uint64_t warp_id;
    uint32_t uops_left;    /* not retired */
    uint32_t source_uops;  /* the first ones, which carry the sources */
    uint32_t sources_left; /* of them, not delivered */
    uint32_t mask;         /* active lanes that the system has */
    uint16_t parked;       /* list of delivered uops whose instruction lacks operands */
    uint16_t next_free;
    bool wrong;            /* an operand delivered was not the golden one: from then on `operand` is filled too */
    rf_vec golden[RF_INST_SRC_MAX];
    rf_vec operand[RF_INST_SRC_MAX]; /* as delivered; golden what is not yet */
    uint32_t lost[RF_INST_SRC_MAX];  /* lanes whose content was lost at issue; 0 until something is lost at all */
} flight;

typedef enum uop_state { UOP_FREE, UOP_SHOWN, UOP_ISSUED, UOP_DELIVERED } uop_state;

/* A uop; its index and generation are the tag that the hardware carries. */
typedef struct record {
    uop_state state;
    uint16_t tag, flight, next;
    uint8_t warp, port, shift; /* source s sits in slot (s + shift) mod SLOTS */
    bool writes;
    rf_uop uop;
    uint64_t due;
    rf_vec result;
} record;

typedef struct fifo {
    uint16_t head, tail;
} fifo;

/* What a warp waits for before its next instruction is shown. */
typedef enum wait { WAIT_NOTHING, WAIT_BARRIER, WAIT_FENCE } wait;

typedef struct slot {
    uint16_t shown;       /* record at the head of its instruction buffer, or NONE */
    uint16_t flight;      /* instruction being cracked, or NONE */
    uint32_t uop;         /* its next uop */
    uint32_t outstanding; /* uops issued and not retired */
    uint64_t warp_id;
    uint8_t block;        /* slot of its thread block */
    uint8_t waits;        /* wait */
    uint32_t registers;   /* that it counts for */
    size_t next;          /* workload: next instruction */
    rf_warp warp;
    rf_vec *gold;         /* regs registers */
} slot;

/* How the surroundings behave; random streams draw it anew in every phase. Probabilities in 256ths. */
typedef struct manners {
    uint32_t accept[RF_EXPORTS_MAX]; /* a port with room is ready */
    uint32_t jitter;                 /* a latency is up to 4 times as long */
    uint32_t bubble;                 /* no head in the instruction buffer after an issue */
    uint32_t hold;                   /* shift: no results in every second 2^hold cycles; 0: never */
    uint32_t pipe;                   /* room of a port */
    uint32_t active;                 /* warp slots in use */
} manners;

typedef struct totals {
    uint64_t cycles, warps, instructions, uops, queue_full;
} totals;

struct rf_stage_env {
    rf_stage_cfg cfg;
    rf_stage_hooks hooks;
    ls_rng rng;
    rf_banked_stream stream;
    uint32_t first_kind; /* kind of the first phase (rf_stream_kind) */
    manners manners;
    totals totals;
    uint64_t live, needs_head;         /* warps bits */
    uint64_t ending;                   /* of them, those without a further instruction */
    uint64_t launched;                 /* in this cycle */
    uint32_t undelivered;              /* uops in the model's collectors */
    uint32_t in_port[RF_EXPORTS_MAX];  /* uops in a port's pipelines */
    uint32_t filled[RF_EXPORTS_MAX];   /* its pipelines that are not empty, one bit per class */
    fifo pipe[RF_EXPORTS_MAX][PIPES];
    uint64_t last_due[RF_EXPORTS_MAX][PIPES];
    uint32_t load_latency;             /* of global and local loads; 0: that of all memory instructions */
    uint16_t offered[RF_EXPORTS_MAX];  /* result on res, or NONE */
    fifo queued[RF_EXPORTS_MAX];       /* accepted results, as in the model's queue */
    uint32_t level[RF_EXPORTS_MAX];
    /* workload */
    rf_workload *workload;
    rf_workload_at at;
    rf_warp next;
    bool have_next, barrier, exhausted;
    /* thread blocks */
    uint64_t of_block[BLOCKS]; /* warps bits: its warps that have not ended */
    uint32_t open;             /* slot of the block whose warps are being started, or BLOCKS */
    uint32_t open_left;        /* of them, not started */
    uint32_t open_id[3];
    uint32_t registers;        /* that the live warps count for */
    uint32_t highest;          /* register number of the next warp */
    /* storage */
    slot slots[RF_WARPS_MAX];
    rf_vec *gold;
    uint32_t *lost; /* per slot and register: lanes whose content is lost; NULL until something is */
    record *records;
    flight *flights;
    uint32_t pool; /* size of both */
    uint16_t used_records, used_flights, free_record, free_flight;
    char violation[256];
    char workload_error[512];
};

static void violated(rf_stage_env *env, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void violated(rf_stage_env *env, const char *format, ...) {
    if (env->violation[0] != '\0') return;
    va_list args;
    va_start(args, format);
    const int n = snprintf(env->violation, sizeof env->violation, "cycle %llu: ", (unsigned long long)env->totals.cycles);
    (void)vsnprintf(env->violation + n, sizeof env->violation - (size_t)n, format, args);
    va_end(args);
}

/* ---- records ---- */

static void push(rf_stage_env *env, fifo *f, uint16_t r) {
    env->records[r].next = NONE;
    if (f->head == NONE) f->head = r;
    else env->records[f->tail].next = r;
    f->tail = r;
}

static uint16_t pop(rf_stage_env *env, fifo *f) {
    const uint16_t r = f->head;
    f->head = env->records[r].next;
    return r;
}

/* The pool is larger than what instruction buffers, collectors, pipelines, queues and cracked instructions can hold. */
static uint16_t new_record(rf_stage_env *env) {
    uint16_t r = env->free_record;
    if (r != NONE) env->free_record = env->records[r].next;
    else r = env->used_records++;
    if (r >= env->pool) ls_die("more than %u uops are on their way", env->pool);
    env->records[r].tag = (uint16_t)((env->records[r].tag / TAGS + 1u) * TAGS | r);
    return r;
}

static uint16_t new_flight(rf_stage_env *env) {
    uint16_t f = env->free_flight;
    if (f != NONE) env->free_flight = env->flights[f].next_free;
    else f = env->used_flights++;
    if (f >= env->pool) ls_die("more than %u instructions are on their way", env->pool);
    return f;
}

/* The uop is done: executed, or written back when it has a result. */
static void retire(rf_stage_env *env, uint16_t r) {
    record *u = &env->records[r];
    flight *f = &env->flights[u->flight];
    env->slots[u->warp].outstanding--;
    if (--f->uops_left == 0) {
        f->next_free = env->free_flight;
        env->free_flight = u->flight;
    }
    u->state = UOP_FREE;
    u->next = env->free_record;
    env->free_record = r;
}

/* ---- warps ---- */

/* Lanes of a register whose content is lost. */
static uint32_t *lost_lanes(const rf_stage_env *env, uint32_t w, uint32_t reg) { return &env->lost[w * env->cfg.regs + reg]; }

static void load_golden(rf_stage_env *env, const rf_stage_view *view, uint32_t w) {
    rf_vec room;
    for (uint32_t reg = 0; reg < env->cfg.regs; reg++) env->slots[w].gold[reg] = *view->value(view->model, w, reg, &room);
    if (env->lost != NULL) memset(lost_lanes(env, w, 0), 0, env->cfg.regs * sizeof *env->lost);
}

/* Of the lanes that are not lost; RF_LANES_MAX: none. */
static uint32_t first_difference(const rf_vec *a, const rf_vec *b, uint32_t lost) {
    uint32_t l = 0;
    while (l < RF_LANES_MAX && (a->lane[l] == b->lane[l] || (lost >> l & 1) != 0)) l++;
    return l;
}

static void check_final_state(rf_stage_env *env, const rf_stage_view *view, uint32_t w) {
    for (uint32_t reg = 0; reg < env->cfg.regs; reg++) {
        rf_vec room;
        const rf_vec *is = view->value(view->model, w, reg, &room), *gold = &env->slots[w].gold[reg];
        if (memcmp(is, gold, sizeof *is) == 0) continue;
        const uint32_t l = first_difference(is, gold, env->lost != NULL ? *lost_lanes(env, w, reg) : 0);
        if (l == RF_LANES_MAX) continue;
        violated(env, "final state equals sequential execution: warp %u (slot %u) R%u lane %u is %08x, golden %08x",
                 (unsigned)env->slots[w].warp_id, w, reg, l, is->lane[l], gold->lane[l]);
        return;
    }
}

/* The configuration has all registers of the warp; else a message. */
static bool fits(rf_stage_env *env, const rf_warp *warp, char *error, size_t size) {
    uint32_t highest = 0;
    for (size_t i = 0; i < warp->count; i++) {
        const rf_inst *inst = &warp->inst[i];
        for (uint32_t s = 0; s < inst->nsrc; s++) highest = inst->src[s] > highest ? inst->src[s] : highest;
        for (uint32_t d = 0; d < inst->ndst; d++) highest = inst->dst[d] > highest ? inst->dst[d] : highest;
    }
    env->highest = highest;
    if (highest < env->cfg.regs) return true;
    (void)snprintf(error, size, "register R%u needs --param REGS=%u (REGS=%u)", highest, 1u << rf_index_bits(highest + 1),
                   env->cfg.regs);
    return false;
}

/* Makes the workload's next warp with instructions ready in env->next, if there is one. False and a message on an error. */
static bool fetch(rf_stage_env *env, char *error, size_t size) {
    while (!env->have_next && !env->exhausted) {
        const int got = rf_workload_next(env->workload, &env->next, &env->at);
        env->exhausted = got <= 0;
        if (got < 0) (void)snprintf(error, size, "%s", rf_workload_error(env->workload));
        if (got < 0) return false;
        if (got == 0) return true;
        env->barrier |= env->at.new_kernel;
        env->have_next = env->next.count > 0;
        if (!fits(env, &env->next, error, size)) {
            env->have_next = false;
            env->exhausted = true;
            return false;
        }
        if (env->have_next && env->hooks.loaded != NULL) env->hooks.loaded(env->hooks.ctx, &env->next);
    }
    return true;
}

/* ---- thread blocks ---- */

/* Warps of the next warp's block, as its kernel's head says; 1 where it does not. */
static uint32_t block_warps(const rf_stage_env *env) {
    const uint32_t *b = env->at.head->block;
    const uint64_t threads = (uint64_t)b[0] * b[1] * b[2];
    return threads == 0 ? 1 : (uint32_t)((threads + LANES_A_WARP - 1) / LANES_A_WARP);
}

static void cannot_run(rf_stage_env *env, uint32_t warps, uint32_t registers) {
    (void)snprintf(env->workload_error, sizeof env->workload_error,
                   "a thread block of %u warps with %u registers each never fits: there are %u warp slots and %u registers", warps,
                   registers, env->cfg.warps, env->cfg.pool);
    env->exhausted = true;
    env->have_next = false;
}

/* Puts the next warp, for slot w, into its block; starts the block when there is room for all of it. False: not now. */
static bool join_block(rf_stage_env *env, uint32_t w, rf_stage_in *in) {
    const bool same = env->open < BLOCKS && env->open_left > 0 && !env->barrier &&
                      memcmp(env->open_id, env->next.block, sizeof env->open_id) == 0;
    const uint32_t said = env->at.head->nreg, count = env->highest + 1 > said ? env->highest + 1 : said;
    if (!same) {
        const uint32_t warps = block_warps(env), pool = env->cfg.pool == 0 ? UINT32_MAX : env->cfg.pool;
        uint32_t b = 0;
        env->open = BLOCKS;
        if (warps > env->cfg.warps || (uint64_t)warps * count > pool) {
            cannot_run(env, warps, count);
            return false;
        }
        while (b < env->cfg.blocks && env->of_block[b] != 0) b++;
        if (b == env->cfg.blocks || (uint32_t)__builtin_popcountll(env->live) + warps > env->cfg.warps) return false;
        if ((uint64_t)env->registers + (uint64_t)warps * count > pool) return false;
        env->open = b;
        env->open_left = warps;
        memcpy(env->open_id, env->next.block, sizeof env->open_id);
        if (env->barrier && env->hooks.kernel != NULL) env->hooks.kernel(env->hooks.ctx, in);
        if (env->hooks.block != NULL) env->hooks.block(env->hooks.ctx, in, b);
    }
    env->open_left--;
    env->of_block[env->open] |= UINT64_C(1) << w;
    env->slots[w].block = (uint8_t)env->open;
    env->slots[w].registers = count;
    env->registers += count;
    return true;
}

/* The warp in slot w has ended. */
static void leave_block(rf_stage_env *env, uint32_t w, rf_stage_in *in) {
    if (env->cfg.blocks == 0) return;
    if (env->workload != NULL) {
        env->of_block[env->slots[w].block] &= ~(UINT64_C(1) << w);
        env->registers -= env->slots[w].registers;
    }
    if (env->hooks.ended != NULL) env->hooks.ended(env->hooks.ctx, in, w);
}

/* Warps that have not gone by what they wait for: not all of them is retired. */
static bool busy(const rf_stage_env *env, uint64_t warps, wait what) {
    for (uint64_t left = warps; left != 0; left &= left - 1) {
        const slot *s = &env->slots[rf_lowest(left)];
        if (s->waits != what || s->outstanding != 0) return true;
    }
    return false;
}

static void go_on(rf_stage_env *env, uint64_t warps) {
    for (uint64_t left = warps; left != 0; left &= left - 1) env->slots[rf_lowest(left)].waits = WAIT_NOTHING;
    env->needs_head |= warps;
}

/* Barriers at which the whole block stands, and fences. A block of which warps are still to be started waits for them. */
static void end_waits(rf_stage_env *env, rf_stage_in *in) {
    if (env->cfg.blocks == 0 || env->workload == NULL) return;
    for (uint32_t b = 0; b < env->cfg.blocks; b++) {
        const uint64_t warps = env->of_block[b];
        const bool more = env->have_next ? !env->barrier : !env->exhausted; /* warps of this kernel to come */
        if (warps == 0 || (b == env->open && env->open_left > 0 && more) || busy(env, warps, WAIT_BARRIER)) continue;
        go_on(env, warps);
        if (env->hooks.barrier != NULL) env->hooks.barrier(env->hooks.ctx, in, b);
    }
    for (uint64_t left = env->live; left != 0; left &= left - 1) {
        const uint32_t w = rf_lowest(left);
        if (env->slots[w].waits != WAIT_NOTHING) in->ib_valid &= ~(UINT64_C(1) << w);
        if (busy(env, UINT64_C(1) << w, WAIT_FENCE)) continue;
        go_on(env, UINT64_C(1) << w);
        if (env->hooks.fence != NULL) env->hooks.fence(env->hooks.ctx, in, w);
    }
}

/* What the warp waits for behind this instruction. */
static wait waits_for(const rf_inst *inst) {
    static const char *const barriers[] = {"bar.", "barrier.", "BAR."}, *const fences[] = {"membar", "fence", "MEMBAR"};
    for (uint32_t i = 0; i < 3; i++) {
        if (strncmp(inst->mnemonic, barriers[i], strlen(barriers[i])) == 0) return WAIT_BARRIER;
        if (strncmp(inst->mnemonic, fences[i], strlen(fences[i])) == 0) return WAIT_FENCE;
    }
    return WAIT_NOTHING;
}

/* A warp for slot w, if there is one now. */
static bool start_warp(rf_stage_env *env, uint32_t w, rf_stage_in *in) {
    slot *s = &env->slots[w];
    if (env->workload == NULL) {
        rf_banked_stream_launch(&env->stream, w);
        s->warp_id = env->totals.warps;
    } else {
        if (!fetch(env, env->workload_error, sizeof env->workload_error)) return false;
        if (!env->have_next || (env->barrier && env->live != 0)) return false;
        if (env->cfg.blocks != 0 && !join_block(env, w, in)) return false;
        const rf_warp reuse = s->warp;
        s->warp = env->next;
        env->next = reuse;
        s->warp_id = env->at.warp;
        s->next = 0;
        env->have_next = env->barrier = false;
    }
    return true;
}

static void launch(rf_stage_env *env, const rf_stage_view *view, uint32_t w, rf_stage_in *in) {
    slot *s = &env->slots[w];
    if (!start_warp(env, w, in)) return;
    s->shown = s->flight = NONE;
    s->uop = s->outstanding = 0;
    s->waits = WAIT_NOTHING;
    if (env->hooks.launch != NULL) env->hooks.launch(env->hooks.ctx, w);
    load_golden(env, view, w);
    env->totals.warps++;
    env->live |= UINT64_C(1) << w;
    env->launched |= UINT64_C(1) << w;
    env->needs_head |= UINT64_C(1) << w;
}

static void end_and_launch_warps(rf_stage_env *env, const rf_stage_view *view, rf_stage_in *in) {
    env->launched = 0;
    for (uint64_t left = env->ending; left != 0; left &= left - 1) {
        const uint32_t w = rf_lowest(left);
        if (env->slots[w].outstanding != 0) continue;
        check_final_state(env, view, w);
        env->ending &= ~(UINT64_C(1) << w);
        env->live &= ~(UINT64_C(1) << w);
        leave_block(env, w, in);
    }
    if (env->workload != NULL && env->exhausted && !env->have_next) return;
    const uint64_t free = rf_mask64(env->manners.active) & ~env->live;
    for (uint64_t left = free; left != 0; left &= left - 1) launch(env, view, rf_lowest(left), in);
}

/* ---- instruction buffers ---- */

/* ALU ports come first, one an issue group where there are ports enough, then SFU, then all others. */
static uint32_t port_of(const rf_stage_env *env, rf_opclass class, uint32_t w) {
    const uint32_t exports = env->cfg.exports, issues = env->cfg.issues;
    const uint32_t alus = exports >= issues + 2 ? issues : 1;
    if (class == RF_OP_ALU) return w % issues % alus;
    return (alus + (class == RF_OP_SFU ? 0 : 1)) % exports;
}

/* Starts the warp's next instruction; false when it has none. */
static bool next_instruction(rf_stage_env *env, uint32_t w, uint32_t *port) {
    slot *s = &env->slots[w];
    if (env->workload != NULL && s->next == s->warp.count) return false;
    const uint16_t at = new_flight(env);
    flight *f = &env->flights[at];
    *port = env->cfg.exports;
    f->inst = &f->own;
    if (env->workload != NULL) {
        f->inst = &s->warp.inst[s->next++];
    } else if (!rf_banked_stream_next(&env->stream, w, &f->own, port)) {
        f->next_free = env->free_flight;
        env->free_flight = at;
        return false;
    } else if (env->hooks.random != NULL) {
        env->hooks.random(env->hooks.ctx, w, &f->own);
    }
    f->warp_id = s->warp_id;
    f->uops_left = rf_crack_count(f->inst, env->cfg.slots);
    f->source_uops = f->sources_left = f->uops_left - (f->inst->ndst > 0 ? f->inst->ndst - 1u : 0);
    f->mask = f->inst->mask & (uint32_t)rf_mask64(env->cfg.lanes);
    f->parked = NONE;
    f->wrong = false;
    s->flight = at;
    s->uop = 0;
    return true;
}

/* Puts the warp's next uop into its instruction buffer. */
static void show_head(rf_stage_env *env, uint32_t w, rf_stage_in *in) {
    slot *s = &env->slots[w];
    const uint32_t slots = env->cfg.slots;
    const uint64_t bit = UINT64_C(1) << w;
    uint32_t port = env->cfg.exports;
    env->needs_head &= ~bit;
    if (s->flight == NONE && !next_instruction(env, w, &port)) {
        env->ending |= bit;
        return;
    }
    const flight *f = &env->flights[s->flight];
    const uint16_t r = new_record(env);
    record *u = &env->records[r];
    rf_crack(f->inst, slots, s->uop, &u->uop);
    u->state = UOP_SHOWN;
    u->flight = s->flight;
    u->warp = (uint8_t)w;
    u->port = (uint8_t)(port < env->cfg.exports ? port : port_of(env, f->inst->opclass, w));
    u->shift = (uint8_t)(env->workload == NULL && slots > 1 ? u->tag / TAGS % slots : 0);
    u->writes = u->uop.has_dst && f->mask != 0;
    s->shown = r;
    s->uop++;
    if (u->uop.last) s->flight = NONE;

    in->ib_valid |= bit;
    in->ib_tag[w] = u->tag;
    in->ib_port[w] = u->port;
    in->ib_mask[w] = f->mask;
    in->ib_dst_valid = (in->ib_dst_valid & ~bit) | (uint64_t)u->uop.has_dst << w;
    in->ib_dst[w] = u->uop.dst;
    in->ib_src_valid[w] = 0;
    for (uint32_t i = 0; i < u->uop.nsrc; i++) {
        const uint32_t at = (i + u->shift) % slots;
        in->ib_src_valid[w] |= (uint8_t)(1u << at);
        in->ib_src[w * slots + at] = u->uop.src[i];
    }
    if (env->hooks.show != NULL) env->hooks.show(env->hooks.ctx, in, w, f->inst, u->uop.first);
}

static void merge(rf_vec *to, const rf_vec *from, uint32_t mask) {
    for (uint32_t l = 0; l < RF_LANES_MAX; l++)
        if (mask >> l & 1) to->lane[l] = from->lane[l];
}

/* What the uop writes when the instruction's operands are the golden ones. */
static void golden_result(const rf_stage_env *env, const flight *f, record *u) {
    const uint32_t lanes = env->cfg.lanes;
    if (f->inst->value == NULL) {
        rf_value_result(f->inst, f->warp_id, u->uop.dst_index, f->golden, f->inst->nsrc, lanes, &u->result);
        return;
    }
    u->result = (rf_vec){0};
    memcpy(u->result.lane, f->inst->value + u->uop.dst_index * RF_LANES_MAX, lanes * sizeof u->result.lane[0]);
}

/* What it writes when they are not. A recorded value is changed in every lane with a wrong operand, so that the fault spreads. */
static void wrong_result(const rf_stage_env *env, const flight *f, record *u) {
    const uint32_t lanes = env->cfg.lanes, d = u->uop.dst_index;
    rf_inst inst = *f->inst;
    rf_vec is, gold;
    if (inst.value == NULL) {
        rf_value_result(&inst, f->warp_id, d, f->operand, inst.nsrc, lanes, &u->result);
        return;
    }
    inst.load = false; /* else of the addresses alone */
    rf_value_result(&inst, f->warp_id, d, f->operand, inst.nsrc, lanes, &is);
    rf_value_result(&inst, f->warp_id, d, f->golden, inst.nsrc, lanes, &gold);
    for (uint32_t l = 0; l < lanes; l++) u->result.lane[l] ^= is.lane[l] ^ gold.lane[l];
}

/* Nobody may need what a lost lane held; what a uop writes is there again. */
static void execute_lost(rf_stage_env *env, flight *f, const record *u) {
    for (uint32_t i = 0; i < u->uop.nsrc; i++) {
        const uint32_t at = u->uop.index * env->cfg.slots + i, lost = *lost_lanes(env, u->warp, u->uop.src[i]);
        if ((lost & f->mask) != 0)
            violated(env, "a register lent out is never read: warp %u (slot %u) R%u tag 0x%04x lane %u", (unsigned)f->warp_id,
                     u->warp, u->uop.src[i], u->tag, rf_lowest(lost & f->mask));
        f->lost[at] = lost;
    }
    if (u->writes) *lost_lanes(env, u->warp, u->uop.dst) &= ~f->mask;
}

/* The golden machine executes the uop. */
static void execute(rf_stage_env *env, slot *s, record *u) {
    flight *f = &env->flights[u->flight];
    if (f->mask == 0) return;
    for (uint32_t i = 0; i < u->uop.nsrc; i++) {
        const uint32_t at = u->uop.index * env->cfg.slots + i;
        f->golden[at] = s->gold[u->uop.src[i]];
        if (f->wrong) f->operand[at] = f->golden[at];
    }
    if (env->lost != NULL) execute_lost(env, f, u);
    if (!u->writes) return;
    golden_result(env, f, u);
    merge(&s->gold[u->uop.dst], &u->result, f->mask);
}

static void issued(rf_stage_env *env, const rf_stage_in *in, uint32_t g, uint32_t w) {
    slot *s = &env->slots[w];
    if (w >= env->cfg.warps || w % env->cfg.issues != g || (in->ib_valid >> w & 1) == 0 || s->shown == NONE) {
        violated(env, "only shown instructions issue: group %u says warp slot %u", g, w);
        return;
    }
    record *u = &env->records[s->shown];
    u->state = UOP_ISSUED;
    execute(env, s, u);
    s->shown = NONE;
    s->outstanding++;
    env->undelivered++;
    if (env->cfg.blocks != 0 && env->workload != NULL && u->uop.last && in->ib_mask[w] != 0)
        s->waits = (uint8_t)waits_for(env->flights[u->flight].inst);
    if (s->waits == WAIT_NOTHING) env->needs_head |= UINT64_C(1) << w;
    env->totals.uops++;
    env->totals.instructions += u->uop.last;
}

/* ---- execution ---- */

/* A global or local load, as the hints say; without hints any load. */
static bool is_long(const rf_inst *inst) {
    if ((inst->hint.flags & RF_HINT_PRESENT) != 0) return (inst->hint.flags & RF_HINT_LONG_LATENCY) != 0;
    return inst->opclass == RF_OP_MEM && inst->load;
}

static void enter_pipe(rf_stage_env *env, uint16_t r) {
    const uint32_t latency[PIPES] = {RF_ENV_LATENCY_ALU,    RF_ENV_LATENCY_SFU,  RF_ENV_LATENCY_MEM,
                                     RF_ENV_LATENCY_TENSOR, RF_ENV_LATENCY_CTRL, env->load_latency};
    record *u = &env->records[r];
    const flight *f = &env->flights[u->flight];
    const uint32_t class = env->load_latency != 0 && is_long(f->inst) ? LONG : (uint32_t)f->inst->opclass;
    uint64_t *last = &env->last_due[u->port][class];
    u->due = env->totals.cycles + latency[class];
    if (env->manners.jitter != 0 && ls_rng_chance(&env->rng, env->manners.jitter))
        u->due = env->totals.cycles + 1 + ls_rng_below(&env->rng, 4 * latency[class]);
    if (u->due < *last) u->due = *last;
    *last = u->due;
    if (f->wrong && u->writes) wrong_result(env, f, u);
    env->in_port[u->port]++;
    env->filled[u->port] |= 1u << class;
    push(env, &env->pipe[u->port][class], r);
}

static void check_operands(rf_stage_env *env, const record *u, const rf_vec *data) {
    flight *f = &env->flights[u->flight];
    if (f->mask == 0) return;
    for (uint32_t i = 0; i < u->uop.nsrc; i++) {
        const rf_vec *is = &data[(i + u->shift) % env->cfg.slots];
        const uint32_t at = u->uop.index * env->cfg.slots + i;
        const rf_vec *gold = &f->golden[at];
        if (memcmp(is, gold, sizeof *is) == 0) continue;
        const uint32_t l = first_difference(is, gold, f->lost[at]);
        if (l == RF_LANES_MAX) continue;
        violated(env, "a delivered operand is the golden one: warp %u (slot %u) R%u tag 0x%04x lane %u is %08x, golden %08x",
                 (unsigned)f->warp_id, u->warp, u->uop.src[i], u->tag, l, is->lane[l], gold->lane[l]);
        if (!f->wrong) memcpy(f->operand, f->golden, f->inst->nsrc * sizeof f->operand[0]);
        f->operand[at] = *is;
        f->wrong = true;
    }
}

static void delivered(rf_stage_env *env, const rf_stage_out *out, uint32_t e) {
    const uint16_t r = out->ex_tag[e] % TAGS;
    record *u = &env->records[r];
    if (r >= env->used_records || u->state != UOP_ISSUED || u->tag != out->ex_tag[e]) {
        violated(env, "no instruction is lost or duplicated: port %u delivers tag 0x%04x, which is not on its way", e,
                 out->ex_tag[e]);
        return;
    }
    flight *f = &env->flights[u->flight];
    const bool dst_valid = (out->ex_dst_valid >> e & 1) != 0;
    if (u->warp != out->ex_warp[e] || u->port != e || f->mask != out->ex_mask[e] ||
        u->writes != dst_valid || (dst_valid && u->uop.dst != out->ex_dst[e]))
        violated(env, "an instruction is delivered as issued: slot %u tag 0x%04x, port %u", u->warp, u->tag, e);
    check_operands(env, u, &out->ex_data[e * env->cfg.slots]);
    u->state = UOP_DELIVERED;
    env->undelivered--;
    f->sources_left -= u->uop.index < f->source_uops;
    if (f->sources_left > 0 && u->writes) { /* of a cracked instruction: the result needs the operands of all its uops */
        u->next = f->parked;
        f->parked = r;
        return;
    }
    while (f->sources_left == 0 && f->parked != NONE) {
        const uint16_t waiting = f->parked;
        f->parked = env->records[waiting].next;
        enter_pipe(env, waiting);
    }
    enter_pipe(env, r);
}

/* The pipeline of port e whose oldest uop is due first, or PIPES when none is due. */
static uint32_t first_due(const rf_stage_env *env, uint32_t e) {
    uint64_t due = env->totals.cycles + 1;
    uint32_t first = PIPES;
    for (uint32_t left = env->filled[e]; left != 0; left &= left - 1) {
        const uint32_t c = rf_lowest(left);
        const uint64_t at = env->records[env->pipe[e][c].head].due;
        if (at < due) {
            due = at;
            first = c;
        }
    }
    return first;
}

/* The next result of port e, or NONE; uops without one retire on the way. */
static uint16_t next_result(rf_stage_env *env, uint32_t e) {
    for (uint32_t c = first_due(env, e); c < PIPES; c = first_due(env, e)) {
        const uint16_t r = pop(env, &env->pipe[e][c]);
        env->filled[e] &= ~((uint32_t)(env->pipe[e][c].head == NONE) << c);
        env->in_port[e]--;
        if (env->records[r].writes) return r;
        retire(env, r);
    }
    return NONE;
}

static void offer_results(rf_stage_env *env, rf_stage_in *in) {
    const bool held = env->manners.hold != 0 && (env->totals.cycles >> env->manners.hold & 1) != 0;
    in->res_valid = 0;
    for (uint32_t e = 0; e < env->cfg.exports; e++) {
        if (env->offered[e] == NONE && env->filled[e] != 0 && !held) {
            const uint16_t r = env->offered[e] = next_result(env, e);
            if (r != NONE) {
                const record *u = &env->records[r];
                in->res_warp[e] = u->warp;
                in->res_dst[e] = u->uop.dst;
                in->res_mask[e] = env->flights[u->flight].mask;
                in->res_data[e] = u->result;
            }
        }
        in->res_valid |= (uint8_t)((env->offered[e] != NONE) << e);
    }
}

static void head_written(rf_stage_env *env, uint32_t e) {
    if (env->level[e] == 0) {
        violated(env, "no result is lost or duplicated: port %u writes one that it was not given", e);
        return;
    }
    env->level[e]--;
    retire(env, pop(env, &env->queued[e]));
}

/* ---- a cycle ---- */

static void draw_manners(rf_stage_env *env, rf_stream_kind kind) {
    static const uint32_t shares[] = {0, 32, 128, 224};
    ls_rng *rng = &env->rng;
    manners *n = &env->manners;
    for (uint32_t e = 0; e < RF_EXPORTS_MAX; e++) n->accept[e] = ls_rng_chance(rng, 128) ? 256 : 16 + ls_rng_below(rng, 240);
    n->jitter = shares[ls_rng_below(rng, 4)];
    n->bubble = ls_rng_chance(rng, 160) ? 0 : shares[ls_rng_below(rng, 4)];
    n->hold = ls_rng_chance(rng, 128) ? 0 : 4 + ls_rng_below(rng, 5);
    n->pipe = ls_rng_chance(rng, 128) ? RF_ENV_PIPE : 1 + ls_rng_below(rng, RF_ENV_PIPE);
    n->active = ls_rng_chance(rng, 144) ? env->cfg.warps : 1 + ls_rng_below(rng, env->cfg.warps);
    if (kind == RF_STREAM_STORM) { /* results gather, then leave at once */
        for (uint32_t e = 0; e < RF_EXPORTS_MAX; e++) n->accept[e] = 256;
        n->pipe = RF_ENV_PIPE;
        n->hold = 7;
        n->bubble = 0;
        n->active = env->cfg.warps;
    } else if (kind == RF_STREAM_CHAINS) {
        n->bubble = 0;
        n->active = 1 + ls_rng_below(rng, (env->cfg.warps + 7) / 8);
    }
    if (env->cfg.pool != 0 && n->active * env->cfg.regs > env->cfg.pool) n->active = env->cfg.pool / env->cfg.regs;
}

static void check_levels(rf_stage_env *env, const rf_stage_view *view) {
    if (view->collecting != env->undelivered)
        violated(env, "no instruction is lost or duplicated: %u collectors are busy, %u instructions are undelivered",
                 view->collecting, env->undelivered);
    uint32_t held = 0, accepted = 0;
    for (uint32_t e = 0; e < env->cfg.exports && env->cfg.pooled; e++) {
        held += view->level[e];
        accepted += env->level[e];
    }
    if (held != accepted)
        violated(env, "no result is lost or duplicated: the system holds %u, %u were accepted and not written", held, accepted);
    for (uint32_t e = 0; e < env->cfg.exports && !env->cfg.pooled; e++)
        if (view->level[e] != env->level[e])
            violated(env, "no result is lost or duplicated: queue %u holds %u, %u were accepted and not written", e,
                     view->level[e], env->level[e]);
}

void rf_stage_env_inputs(rf_stage_env *env, const rf_stage_view *view, rf_stage_in *in) {
    const manners *n = &env->manners;
    check_levels(env, view);
    if (env->workload == NULL && env->totals.cycles % RF_ENV_PHASE == 0) {
        const rf_stream_kind kind = (rf_stream_kind)((env->first_kind + env->totals.cycles / RF_ENV_PHASE) % RF_STREAM_KINDS);
        rf_banked_stream_phase(&env->stream, kind);
        draw_manners(env, kind);
        if (env->hooks.phase != NULL) env->hooks.phase(env->hooks.ctx, kind);
    }
    end_waits(env, in);
    end_and_launch_warps(env, view, in);
    in->launch = env->launched;
    /* Half of the random warps show their first head in the cycle of the launch, half in the next one. */
    const bool late = env->launched != 0 && env->workload == NULL && ls_rng_chance(&env->rng, 128);
    for (uint64_t left = env->needs_head & ~(late ? env->launched : 0); left != 0; left &= left - 1) {
        const uint32_t w = rf_lowest(left);
        in->ib_valid &= ~(UINT64_C(1) << w);
        if (n->bubble == 0 || !ls_rng_chance(&env->rng, n->bubble)) show_head(env, w, in);
    }
    uint64_t coins = env->workload == NULL ? ls_rng_u64(&env->rng) : 0;
    in->ex_ready = 0;
    for (uint32_t e = 0; e < env->cfg.exports; e++, coins >>= 8)
        in->ex_ready |= (uint8_t)((env->in_port[e] < n->pipe && (coins & 255) < n->accept[e]) << e);
    offer_results(env, in);
}

void rf_stage_env_retired(rf_stage_env *env, uint32_t warp, uint32_t dst) {
    for (uint32_t e = 0; e < env->cfg.exports; e++) {
        fifo *f = &env->queued[e];
        for (uint16_t r = f->head, before = NONE; r != NONE; before = r, r = env->records[r].next) {
            if (env->records[r].warp != warp || env->records[r].uop.dst != dst) continue;
            if (before == NONE) f->head = env->records[r].next;
            else env->records[before].next = env->records[r].next;
            if (f->tail == r) f->tail = before;
            env->level[e]--;
            retire(env, r);
            return;
        }
    }
    violated(env, "no result is lost or duplicated: warp slot %u R%u retires, of which no result was accepted", warp, dst);
}

void rf_stage_env_reused(rf_stage_env *env, uint16_t tag) {
    const uint16_t r = tag % TAGS;
    const record *u = &env->records[r];
    if (r >= env->used_records || u->state != UOP_ISSUED || u->tag != tag || !u->writes) {
        violated(env, "no instruction is lost or duplicated: tag 0x%04x is done without execution, but not on its way", tag);
        return;
    }
    env->undelivered--;
    retire(env, r);
}

uint32_t rf_stage_env_registers(const rf_stage_env *env) { return env->registers; }

uint32_t rf_stage_env_block(const rf_stage_env *env, uint32_t warp) { return env->slots[warp].block; }

const rf_vec *rf_stage_env_golden(const rf_stage_env *env, uint32_t warp, uint32_t reg) { return &env->slots[warp].gold[reg]; }

void rf_stage_env_lose(rf_stage_env *env, uint32_t warp, uint32_t reg) {
    if (warp >= env->cfg.warps || reg >= env->cfg.regs) return;
    if (env->lost == NULL) env->lost = ls_zeroed(env->cfg.warps * env->cfg.regs * sizeof *env->lost);
    *lost_lanes(env, warp, reg) = (uint32_t)rf_mask64(env->cfg.lanes);
}

void rf_stage_env_observe(rf_stage_env *env, const rf_stage_in *in, const rf_stage_out *out, uint32_t written) {
    for (uint32_t left = written; left != 0; left &= left - 1) head_written(env, rf_lowest(left));
    for (uint32_t left = in->res_valid & out->res_ready; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        push(env, &env->queued[e], env->offered[e]);
        env->level[e]++;
        env->offered[e] = NONE;
    }
    for (uint32_t left = out->ex_valid & in->ex_ready; left != 0; left &= left - 1) delivered(env, out, rf_lowest(left));
    for (uint32_t left = out->issue_valid; left != 0; left &= left - 1)
        issued(env, in, rf_lowest(left), out->issue_warp[rf_lowest(left)]);
    env->totals.cycles++;
    env->totals.queue_full += (uint64_t)__builtin_popcount(in->res_valid & ~(uint32_t)out->res_ready);
}

/* ---- life ---- */

rf_stage_env *rf_stage_env_new(const rf_stage_cfg *cfg, const rf_stage_hooks *hooks, uint64_t seed) {
    rf_stage_env *env = ls_zeroed(sizeof *env);
    env->cfg = *cfg;
    if (hooks != NULL) env->hooks = *hooks;
    env->gold = ls_zeroed(cfg->warps * cfg->regs * sizeof *env->gold);
    env->pool = cfg->warps + cfg->collectors * (1 + 2 * RF_UOPS_MAX) + cfg->exports * (RF_ENV_PIPE + 1 + cfg->wbdepth);
    env->records = ls_zeroed(env->pool * sizeof *env->records);
    env->flights = ls_zeroed(env->pool * sizeof *env->flights);
    env->free_record = env->free_flight = NONE;
    env->open = BLOCKS;
    for (uint32_t w = 0; w < cfg->warps; w++) env->slots[w].gold = env->gold + w * cfg->regs;
    for (uint32_t e = 0; e < RF_EXPORTS_MAX; e++) {
        env->offered[e] = env->queued[e].head = NONE;
        for (uint32_t c = 0; c < PIPES; c++) env->pipe[e][c].head = NONE;
    }
    ls_rng_seed(&env->rng, ls_seed_derive(seed, "environment"));
    env->first_kind = ls_rng_below(&env->rng, RF_STREAM_KINDS);
    rf_banked_stream_init(&env->stream, cfg->warps, cfg->banks, cfg->regs, cfg->lanes, cfg->slots, cfg->exports,
                          ls_seed_derive(seed, "streams"));
    return env;
}

void rf_stage_env_free(rf_stage_env *env) {
    if (env == NULL) return;
    for (uint32_t w = 0; w < RF_WARPS_MAX; w++) rf_warp_free(&env->slots[w].warp);
    rf_warp_free(&env->next);
    if (env->workload != NULL) rf_workload_close(env->workload);
    free(env->gold);
    free(env->lost);
    free(env->records);
    free(env->flights);
    free(env);
}

int rf_stage_env_workload(rf_stage_env *env, const rf_source *source, const char *path, char *error, size_t size) {
    env->workload = rf_workload_open(source, path, error, size);
    if (env->workload == NULL) return -1;
    env->manners = (manners){.pipe = RF_ENV_PIPE, .active = env->cfg.warps};
    for (uint32_t e = 0; e < RF_EXPORTS_MAX; e++) env->manners.accept[e] = 256;
    return fetch(env, error, size) ? 0 : -1;
}

bool rf_stage_env_done(const rf_stage_env *env) {
    return env->workload != NULL && env->exhausted && !env->have_next && env->live == 0;
}

const char *rf_stage_env_workload_error(const rf_stage_env *env) {
    return env->workload_error[0] != '\0' ? env->workload_error : NULL;
}

const char *rf_stage_env_property(const rf_stage_env *env) { return env->violation[0] != '\0' ? env->violation : NULL; }

uint64_t rf_stage_env_live(const rf_stage_env *env) { return env->live; }

uint64_t rf_stage_env_cycles(const rf_stage_env *env) { return env->totals.cycles; }

void rf_stage_env_counters(const rf_stage_env *env, ls_counter_fn *sink, void *ctx) {
    const totals *t = &env->totals;
    sink(ctx, "cycles", (double)t->cycles);
    sink(ctx, "warps", (double)t->warps);
    sink(ctx, "warp_instructions", (double)t->instructions);
    sink(ctx, "uops", (double)t->uops);
    sink(ctx, "ipc", (double)t->instructions / (t->cycles != 0 ? (double)t->cycles : 1));
    sink(ctx, "write_queue_full", (double)t->queue_full);
}

void rf_stage_env_load_latency(rf_stage_env *env, uint32_t cycles) { env->load_latency = cycles; }

uint32_t rf_stage_touched(uint32_t bank_we, const uint16_t *bank_waddr, ls_touch *list) {
    uint32_t n = 0;
    for (uint32_t left = bank_we; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left);
        list[n++] = (ls_touch){.memory = b, .row = bank_waddr[b]};
    }
    return n;
}
