/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/banked/env/rf_stage_env.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "tb/banked/env/rf_stage_blocks.h"
#include "tb/banked/env/rf_stage_carried.h"
#include "tb/banked/env/rf_stage_feed.h"
#include "tb/banked/env/rf_stage_golden.h"
#include "tb/banked/env/rf_stage_profile.h"
#include "tb/banked/env/rf_stage_pipes.h"
#include "tb/banked/env/rf_stage_uops.h"
#include "tb/machine/env/rf_memory_access.h"

#define NONE RF_STAGE_NO_UOP

typedef struct slot {
    uint16_t shown;       /* uop at the head of its instruction buffer, or NONE */
    uint16_t flight;      /* instruction being cracked, or NONE */
    uint32_t uop;         /* its next uop */
    uint32_t outstanding; /* uops issued and not retired */
    uint64_t warp_id;
    size_t next;        /* workload: next instruction */
    uint32_t registers; /* workload: that the warp counts for */
    rf_warp warp;
} slot;

/* What the sub-cores of an SM share: the warps of the workload, and the memory side. Each sub-core has an environment; the first
 * one owns it. */
typedef struct sm {
    rf_stage_feed feed;
    rf_memory_side *memory; /* NULL: accesses have latencies as all instructions */
    uint32_t cores;
    uint32_t live[RF_SUB_CORES_MAX]; /* warps of each sub-core */
    uint64_t instructions;
} sm;

typedef struct totals {
    uint64_t warps, instructions, uops, queue_full;
} totals;

struct rf_stage_env {
    rf_stage_cfg cfg;
    rf_stage_hooks hooks;
    ls_rng rng;
    rf_banked_stream stream;
    uint32_t first_kind; /* kind of the first phase (rf_stream_kind) */
    bool kernel_ends;    /* of random streams: no warp starts until none lives and the bench is settled */
    rf_stage_profile profile;
    totals totals;
    uint64_t live, needs_head; /* warps bits */
    uint64_t drained;          /* those with no uop issued and not retired */
    uint64_t ending;           /* live ones without a further instruction */
    uint64_t launched;         /* in this cycle */
    uint32_t registers;        /* of the live warps */
    uint32_t undelivered;      /* uops in the model's collectors */
    uint64_t moved;            /* cycle in which something last went on */
    uint64_t patience;         /* cycles in which nothing may */
    rf_stage_golden golden;    /* its cycle is the environment's clock */
    rf_stage_blocks blocks;
    rf_stage_uops uops;
    rf_stage_pipes pipes;
    sm own, *sm;
    uint32_t core; /* its number in the SM */
    rf_stage_awaited awaited;
    slot slots[RF_WARPS_MAX];
};

static bool random_streams(const rf_stage_env *env) { return env->sm->feed.workload == NULL; }

static bool awaits_memory(const rf_stage_env *env, const rf_stage_record *r) {
    return r->is.writes && env->uops.flight[r->flight].is.inst->opclass == RF_OP_MEM;
}

/* The uop is done: executed, or written back when it has a result. Whether its instruction is done with it. */
static bool retire(rf_stage_env *env, uint16_t r) {
    const rf_stage_record *record = &env->uops.record[r];
    const uint32_t w = env->uops.flight[record->flight].is.warp;
    if (awaits_memory(env, record)) rf_stage_awaited_end(&env->awaited, w, record->is.uop.dst);
    env->moved = env->golden.cycle;
    if (--env->slots[w].outstanding == 0) env->drained |= UINT64_C(1) << w;
    return rf_stage_uops_retire(&env->uops, r);
}

/* ---- warps ---- */

/* Registers that the next warp counts for. */
static uint32_t next_registers(const rf_stage_feed *feed) {
    return feed->registers > feed->at.head->nreg ? feed->registers : feed->at.head->nreg;
}

/* The next warp's block has more warps or registers than the system: it is refused. */
static void never_fits(rf_stage_env *env) {
    const rf_workload_head *head = env->sm->feed.at.head;
    const uint32_t warps = rf_stage_block_warps(head->block, head->lanes), registers = next_registers(&env->sm->feed);
    if (env->blocks.pool == 0)
        rf_stage_feed_refuse(&env->sm->feed, "a thread block of %u warps never fits: there are %u warp slots (WARPS)", warps,
                             env->cfg.warps);
    else
        rf_stage_feed_refuse(
            &env->sm->feed,
            "a thread block of %u warps with %u registers each never fits: there are %u warp slots (WARPS) and %u "
            "registers",
            warps, registers, env->cfg.warps, env->blocks.pool);
}

/* Puts the next warp, for slot w, into its block. False: not now. */
static bool join_block(rf_stage_env *env, uint32_t w, rf_stage_in *in) {
    const rf_stage_feed *feed = &env->sm->feed;
    const rf_workload_head *head = feed->at.head;
    const rf_stage_block_ask ask = {.id = feed->next.block,
                                    .shape = head->block,
                                    .lanes = head->lanes,
                                    .registers = next_registers(feed),
                                    .new_kernel = feed->new_kernel,
                                    .live = env->live};
    switch (rf_stage_blocks_ask(&env->blocks, &ask)) {
    case RF_STAGE_BLOCK_NEVER:
        never_fits(env);
        return false;
    case RF_STAGE_BLOCK_LATER:
        return false;
    case RF_STAGE_BLOCK_STARTED:
        if (feed->new_kernel && env->hooks.kernel != NULL) env->hooks.kernel(env->hooks.ctx, in);
        if (env->hooks.block != NULL) env->hooks.block(env->hooks.ctx, in, env->blocks.open);
        break;
    case RF_STAGE_BLOCK_JOINED:
        break;
    }
    rf_stage_blocks_enter(&env->blocks, w, ask.registers);
    return true;
}

/* The warp in slot w has ended. */
static void leave_block(rf_stage_env *env, uint32_t w, rf_stage_in *in) {
    if (env->cfg.blocks == 0) return;
    if (!random_streams(env)) rf_stage_blocks_leave(&env->blocks, w);
    if (env->hooks.ended != NULL) env->hooks.ended(env->hooks.ctx, in, w);
}

/* Barriers and fences that are over; who still waits shows no instruction. */
static void end_waits(rf_stage_env *env, rf_stage_in *in) {
    if ((env->blocks.at_barrier | env->blocks.at_fence) == 0 || random_streams(env)) return;
    for (uint32_t b = 0; b < env->cfg.blocks; b++) {
        const uint64_t passed = rf_stage_blocks_barrier(&env->blocks, b, env->drained, rf_stage_feed_more(&env->sm->feed));
        env->needs_head |= passed;
        if (passed != 0 && env->hooks.barrier != NULL) env->hooks.barrier(env->hooks.ctx, in, b);
    }
    in->ib_valid &= ~(env->blocks.at_barrier | env->blocks.at_fence);
    const uint64_t passed = rf_stage_blocks_fences(&env->blocks, env->drained);
    env->needs_head |= passed;
    for (uint64_t left = passed; left != 0 && env->hooks.fence != NULL; left &= left - 1)
        env->hooks.fence(env->hooks.ctx, in, rf_lowest(left));
}

static uint32_t live_warps(const sm *s) {
    uint32_t live = 0;
    for (uint32_t c = 0; c < s->cores; c++) live += s->live[c];
    return live;
}

/* Whether the next warp is for this sub-core: that with the fewest warps takes it, of equal ones the first; and it has the
 * registers. */
static bool takes_next(rf_stage_env *env) {
    const sm *s = env->sm;
    const uint32_t all = env->pipes.machine.registers, each = next_registers(&s->feed);
    for (uint32_t c = 0; c < s->cores; c++)
        if (s->live[c] < s->live[env->core] || (s->live[c] == s->live[env->core] && c < env->core)) return false;
    if (env->cfg.blocks != 0) return true; /* whole blocks count */
    if (all != 0 && each > all)
        rf_stage_feed_refuse(&env->sm->feed, "a warp with %u registers never fits: there are %u (registers)", each, all);
    return all == 0 || env->registers + each <= all;
}

/* A warp for slot w, if there is one now. */
static bool start_warp(rf_stage_env *env, uint32_t w, rf_stage_in *in) {
    slot *s = &env->slots[w];
    rf_stage_feed *feed = &env->sm->feed;
    if (random_streams(env)) {
        if (env->kernel_ends && (live_warps(env->sm) != 0 || !env->hooks.settled(env->hooks.ctx))) return false;
        env->kernel_ends = false;
        rf_banked_stream_launch(&env->stream, w);
        s->warp_id = env->totals.warps;
        return true;
    }
    if (!rf_stage_feed_fetch(feed) || !feed->have_next) return false;
    if (feed->new_kernel && live_warps(env->sm) != 0) return false;
    if (feed->new_kernel && env->hooks.settled != NULL && !env->hooks.settled(env->hooks.ctx)) return false;
    if (!takes_next(env)) return false;
    if (env->cfg.blocks != 0 && !join_block(env, w, in)) return false;
    if (feed->new_kernel && env->sm->memory != NULL) rf_memory_side_flush(env->sm->memory);
    s->registers = next_registers(feed);
    env->registers += s->registers;
    rf_stage_feed_take(feed, &s->warp);
    s->warp_id = feed->at.warp;
    s->next = 0;
    return true;
}

/* False: no warp starts now, in whatever slot. */
static bool launch(rf_stage_env *env, const rf_stage_view *view, uint32_t w, rf_stage_in *in) {
    slot *s = &env->slots[w];
    const uint64_t bit = UINT64_C(1) << w;
    if (!start_warp(env, w, in)) return false;
    s->shown = s->flight = NONE;
    s->uop = 0;
    if (env->hooks.launch != NULL) env->hooks.launch(env->hooks.ctx, w);
    rf_stage_golden_launch(&env->golden, view, w);
    env->totals.warps++;
    env->moved = env->golden.cycle;
    env->live |= bit;
    env->sm->live[env->core]++;
    env->launched |= bit;
    env->needs_head |= bit;
    return true;
}

static void end_and_launch_warps(rf_stage_env *env, const rf_stage_view *view, rf_stage_in *in) {
    env->launched = 0;
    for (uint64_t left = env->ending & env->drained; left != 0; left &= left - 1) {
        const uint32_t w = rf_lowest(left);
        rf_stage_golden_end(&env->golden, view, w, env->slots[w].warp_id);
        env->ending &= ~(UINT64_C(1) << w);
        env->live &= ~(UINT64_C(1) << w);
        env->sm->live[env->core]--;
        env->registers -= env->slots[w].registers;
        leave_block(env, w, in);
    }
    if (rf_stage_feed_over(&env->sm->feed)) return;
    uint64_t free = rf_mask64(env->profile.active) & ~env->live;
    while (free != 0 && launch(env, view, rf_lowest(free), in)) free &= free - 1;
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
    *port = env->cfg.exports;
    if (!random_streams(env) && s->next == s->warp.count) return false;
    const uint16_t at = rf_stage_uops_new_flight(&env->uops);
    rf_inst *own = &env->uops.flight[at].own;
    const rf_inst *inst = own;
    if (!random_streams(env)) {
        inst = &s->warp.inst[s->next++];
    } else if (!rf_banked_stream_next(&env->stream, w, own, port)) {
        rf_stage_uops_free_flight(&env->uops, at);
        return false;
    } else if (env->hooks.random != NULL) {
        env->hooks.random(env->hooks.ctx, w, own);
    }
    const bool words = env->hooks.words != NULL && env->hooks.words(env->hooks.ctx, inst);
    rf_stage_uops_begin(&env->uops, at, inst, w, s->warp_id, env->cfg.lanes, env->cfg.slots, words);
    s->flight = at;
    s->uop = 0;
    return true;
}

/* Drives the head of the warp's instruction buffer. */
static void drive_head(const rf_stage_env *env, uint32_t w, const rf_stage_record *r, rf_stage_in *in) {
    const uint32_t slots = env->cfg.slots;
    const uint64_t bit = UINT64_C(1) << w;
    const rf_uop *uop = &r->is.uop;
    in->ib_valid |= bit;
    rf_stage_drive_carried(&in->heads, w, r->is.tag);
    in->ib_port[w] = r->port;
    in->ib_mask[w] = env->uops.flight[r->flight].is.mask;
    in->ib_dst_valid = (in->ib_dst_valid & ~bit) | (uint64_t)uop->has_dst << w;
    in->ib_dst[w] = uop->dst;
    in->ib_src_valid[w] = 0;
    for (uint32_t i = 0; i < uop->nsrc; i++) {
        const uint32_t at = (i + r->is.shift) % slots;
        in->ib_src_valid[w] |= (uint8_t)(1u << at);
        in->ib_src[w * slots + at] = uop->src[i];
    }
}

/* Puts the warp's next uop into its instruction buffer. */
static void show_head(rf_stage_env *env, uint32_t w, rf_stage_in *in) {
    slot *s = &env->slots[w];
    const uint32_t slots = env->cfg.slots;
    uint32_t port = env->cfg.exports;
    env->needs_head &= ~(UINT64_C(1) << w);
    if (s->flight == NONE && !next_instruction(env, w, &port)) {
        env->ending |= UINT64_C(1) << w;
        return;
    }
    const rf_inst *inst = env->uops.flight[s->flight].is.inst;
    s->shown = rf_stage_uops_show(&env->uops, s->flight, s->uop, slots);
    rf_stage_record *r = &env->uops.record[s->shown];
    if (random_streams(env) && !env->cfg.unrotated) r->is.shift = (uint8_t)(r->number / RF_STAGE_TAGS % slots);
    r->port = (uint8_t)(port < env->cfg.exports ? port : port_of(env, inst->opclass, w));
    s->uop++;
    if (r->is.uop.last) s->flight = NONE;
    drive_head(env, w, r, in);
    if (env->hooks.show != NULL) env->hooks.show(env->hooks.ctx, in, w, inst, &r->is.uop);
}

static void issued(rf_stage_env *env, const rf_stage_in *in, uint32_t g, uint32_t w) {
    slot *s = &env->slots[w];
    if (w >= env->cfg.warps || w % env->cfg.issues != g || (in->ib_valid >> w & 1) == 0 || s->shown == NONE) {
        rf_stage_violated(&env->golden, "only shown instructions issue: group %u says warp slot %u", g, w);
        return;
    }
    const uint64_t bit = UINT64_C(1) << w;
    rf_stage_record *r = &env->uops.record[s->shown];
    rf_stage_inst *i = &env->uops.flight[r->flight].is;
    env->moved = env->golden.cycle;
    r->state = UOP_ISSUED;
    rf_stage_golden_execute(&env->golden, i, &r->is);
    if (awaits_memory(env, r)) rf_stage_awaited_begin(&env->awaited, w, r->is.uop.dst);
    s->shown = NONE;
    s->outstanding++;
    env->drained &= ~bit;
    env->undelivered++;
    if (env->cfg.blocks != 0 && !random_streams(env) && r->is.uop.last && in->ib_mask[w] != 0)
        rf_stage_blocks_issued(&env->blocks, w, i->inst);
    env->needs_head |= bit & ~(env->blocks.at_barrier | env->blocks.at_fence);
    env->totals.uops++;
    env->totals.instructions += r->is.uop.last;
    env->sm->instructions += r->is.uop.last;
}

/* ---- execution ---- */

/* The cycle in which the access of a memory instruction ends; RF_STAGE_OPEN while its bench makes it. */
static uint64_t begin_access(rf_stage_env *env, uint16_t flight, const rf_vec *operands) {
    const uint64_t now = env->golden.cycle;
    const rf_stage_inst *i = &env->uops.flight[flight].is;
    uint64_t lane[RF_LANES_MAX];
    rf_memory_access access;
    if (env->hooks.access != NULL && env->hooks.access(env->hooks.ctx, flight, i->inst, i->warp_id, operands))
        return RF_STAGE_OPEN;
    if (env->sm->memory != NULL && rf_memory_access_of(i->inst, i->warp_id, lane, &access))
        return rf_memory_side_access(env->sm->memory, &access, now);
    return now + env->pipes.machine.latency[RF_OP_MEM];
}

/* The cycle in which a uop of a memory instruction is over. One that only hands over operands, before the last one that does, is
 * over at once; then the instruction makes its access, whose end all further uops share. */
static uint64_t access_end(rf_stage_env *env, uint16_t flight, const rf_vec *operands) {
    rf_stage_flight *f = &env->uops.flight[flight];
    if (f->sources_left > 0) return env->golden.cycle + 1;
    if (f->access_done == 0) f->access_done = begin_access(env, flight, operands);
    return f->access_done;
}

/* `operands`: of the uop that is delivered in this cycle. */
static void enter_pipe(rf_stage_env *env, uint16_t uop, const rf_vec *operands) {
    rf_stage_record *r = &env->uops.record[uop];
    rf_stage_flight *f = &env->uops.flight[r->flight];
    const rf_stage_inst *i = &f->is;
    if ((env->sm->memory != NULL || env->hooks.access != NULL) && i->inst->opclass == RF_OP_MEM)
        rf_stage_pipes_access(&env->pipes, r->port, uop,
                              &(rf_stage_way){.due = access_end(env, r->flight, operands),
                                              .warp = (uint8_t)i->warp,
                                              .dst = r->is.uop.dst,
                                              .writes = r->is.writes});
    else
        rf_stage_pipes_enter(&env->pipes, r->port, uop, i->inst, (uint8_t)i->warp, r->is.uop.dst, env->golden.cycle,
                             env->profile.jitter, &env->rng);
    if (i->wrong && r->is.writes) rf_stage_golden_wrong_result(&env->golden, i, &r->is);
}

static void check_as_issued(rf_stage_env *env, const rf_stage_record *r, const rf_stage_out *out, uint32_t e) {
    const rf_stage_inst *i = &env->uops.flight[r->flight].is;
    const bool dst_valid = (out->ex_dst_valid >> e & 1) != 0;
    const bool same = i->warp == out->ex_warp[e] && r->port == e && i->mask == out->ex_mask[e] && r->is.writes == dst_valid &&
                      (!dst_valid || r->is.uop.dst == out->ex_dst[e]) && rf_stage_carried_right(&out->offers, e);
    if (!same)
        rf_stage_violated(&env->golden, "an instruction is delivered as issued: slot %u tag 0x%04x, port %u", i->warp, r->is.tag,
                          e);
}

static void delivered(rf_stage_env *env, const rf_stage_out *out, uint32_t e) {
    const uint16_t uop = rf_stage_uops_issued(&env->uops, out->ex_tag[e]);
    if (uop == NONE) {
        rf_stage_violated(&env->golden,
                          "no instruction is lost or duplicated: port %u delivers tag 0x%04x, which is not on its way", e,
                          out->ex_tag[e]);
        return;
    }
    rf_stage_record *r = &env->uops.record[uop];
    rf_stage_flight *f = &env->uops.flight[r->flight];
    check_as_issued(env, r, out, e);
    rf_stage_golden_delivered(&env->golden, &f->is, &r->is, &out->ex_data[e * env->cfg.slots]);
    r->state = UOP_DELIVERED;
    f->executed = true;
    env->moved = env->golden.cycle;
    env->undelivered--;
    rf_stage_pipes_taken(&env->pipes, e, f->is.inst->opclass, env->golden.cycle);
    f->sources_left -= r->is.uop.index < f->source_uops;
    if (f->sources_left > 0 && r->is.writes) { /* of a cracked instruction: the result needs the operands of all its uops */
        r->next = f->parked;
        f->parked = uop;
        return;
    }
    const rf_vec *operands = &out->ex_data[e * env->cfg.slots];
    while (f->sources_left == 0 && f->parked != NONE) {
        const uint16_t waiting = f->parked;
        f->parked = env->uops.record[waiting].next;
        enter_pipe(env, waiting, operands);
    }
    enter_pipe(env, uop, operands);
}

/* The next result of port e, or NONE; uops without one retire on the way. */
static uint16_t next_result(rf_stage_env *env, uint32_t e) {
    uint16_t uop = rf_stage_pipes_leave(&env->pipes, e, env->golden.cycle);
    while (uop != NONE && !env->uops.record[uop].is.writes) {
        (void)retire(env, uop);
        uop = rf_stage_pipes_leave(&env->pipes, e, env->golden.cycle);
    }
    return uop;
}

static void drive_result(const rf_stage_env *env, uint32_t e, uint16_t uop, rf_stage_in *in) {
    const rf_stage_record *r = &env->uops.record[uop];
    const rf_stage_inst *i = &env->uops.flight[r->flight].is;
    in->res_warp[e] = (uint8_t)i->warp;
    in->res_dst[e] = r->is.uop.dst;
    in->res_mask[e] = i->mask;
    in->res_data[e] = r->is.result;
}

static void offer_results(rf_stage_env *env, rf_stage_in *in) {
    const bool held = env->profile.hold != 0 && (env->golden.cycle >> env->profile.hold & 1) != 0;
    in->res_valid = 0;
    for (uint32_t e = 0; e < env->cfg.exports; e++) {
        rf_stage_port *port = &env->pipes.port[e];
        if (port->offered == NONE && port->filled != 0 && !held) {
            port->offered = next_result(env, e);
            if (port->offered != NONE) drive_result(env, e, port->offered, in);
        }
        in->res_valid |= (uint8_t)((port->offered != NONE) << e);
    }
}

static void head_written(rf_stage_env *env, uint32_t e) {
    const uint16_t uop = rf_stage_pipes_written(&env->pipes, e);
    if (uop != NONE) (void)retire(env, uop);
    else rf_stage_violated(&env->golden, "no result is lost or duplicated: port %u writes one that it was not given", e);
}

/* ---- a cycle ---- */

/* Whether nothing has gone on for `patience` cycles. */
static bool too_long(const rf_stage_env *env) {
    const uint64_t since = env->moved > env->pipes.busy_until ? env->moved : env->pipes.busy_until;
    return env->golden.cycle >= since + env->patience;
}

/* A right stage does that only without a warp. */
static void stands_still(rf_stage_env *env) {
    if (env->live == 0) {
        env->moved = env->golden.cycle;
        return;
    }
    const uint32_t w = rf_lowest(env->live);
    const slot *s = &env->slots[w];
    const uint64_t bit = UINT64_C(1) << w;
    const char *for_what = (env->blocks.at_barrier & bit) != 0 ? "its thread block's barrier"
                           : (env->blocks.at_fence & bit) != 0 ? "its fence"
                           : s->shown != NONE                  ? "the issue of its head"
                                                               : "what it has under way";
    rf_stage_violated(
        &env->golden,
        "the stage goes on: no warp started and nothing was issued, delivered, accepted or done for %llu cycles; warp "
        "%u (slot %u) waits for %s, %u of its uops are under way",
        (unsigned long long)env->patience, (unsigned)s->warp_id, w, for_what, s->outstanding);
}

static void check_levels(rf_stage_env *env, const rf_stage_view *view) {
    const rf_stage_port *port = env->pipes.port;
    if (view->collecting != env->undelivered)
        rf_stage_violated(&env->golden,
                          "no instruction is lost or duplicated: %u collectors are busy, %u instructions are undelivered",
                          view->collecting, env->undelivered);
    uint32_t held = 0, accepted = 0;
    for (uint32_t e = 0; e < env->cfg.exports && env->cfg.pooled; e++) {
        held += view->level[e];
        accepted += port[e].level;
    }
    if (held != accepted)
        rf_stage_violated(&env->golden, "no result is lost or duplicated: the system holds %u, %u were accepted and not written",
                          held, accepted);
    for (uint32_t e = 0; e < env->cfg.exports && !env->cfg.pooled; e++)
        if (view->level[e] != port[e].level)
            rf_stage_violated(&env->golden,
                              "no result is lost or duplicated: queue %u holds %u, %u were accepted and not written", e,
                              view->level[e], port[e].level);
}

static void begin_phase(rf_stage_env *env) {
    const rf_stream_kind kind = (rf_stream_kind)((env->first_kind + env->golden.cycle / RF_ENV_PHASE) % RF_STREAM_KINDS);
    rf_banked_stream_phase(&env->stream, kind);
    rf_stage_profile_draw(&env->profile, &env->cfg, kind, &env->rng);
    if (env->hooks.phase != NULL) env->hooks.phase(env->hooks.ctx, kind);
    env->kernel_ends |= env->hooks.settled != NULL && ls_rng_chance(&env->rng, 32);
}

void rf_stage_env_inputs(rf_stage_env *env, const rf_stage_view *view, rf_stage_in *in) {
    const rf_stage_profile *n = &env->profile;
    const bool random = random_streams(env);
    check_levels(env, view);
    if (random && env->golden.cycle % RF_ENV_PHASE == 0) begin_phase(env);
    end_waits(env, in);
    end_and_launch_warps(env, view, in);
    in->launch = env->launched;
    /* Half of the random warps show their first head in the cycle of the launch, half in the next one. */
    const bool late = env->launched != 0 && random && ls_rng_chance(&env->rng, 128);
    for (uint64_t left = env->needs_head & ~(late ? env->launched : 0); left != 0; left &= left - 1) {
        const uint32_t w = rf_lowest(left);
        in->ib_valid &= ~(UINT64_C(1) << w);
        if (n->bubble == 0 || !ls_rng_chance(&env->rng, n->bubble)) show_head(env, w, in);
    }
    if (env->sm->memory != NULL && rf_stage_env_cores(env) == 1 && !rf_memory_side_ready(env->sm->memory, env->golden.cycle))
        rf_stage_pipes_closed(&env->pipes, port_of(env, RF_OP_MEM, 0), env->golden.cycle);
    uint64_t coins = random ? ls_rng_u64(&env->rng) : 0;
    in->ex_ready = 0;
    for (uint32_t e = 0; e < env->cfg.exports; e++, coins >>= 8) {
        const rf_stage_port *port = &env->pipes.port[e];
        const bool open = port->held < n->pipe && port->opens <= env->golden.cycle;
        in->ex_ready |= (uint8_t)((open && (coins & 255) < n->accept[e]) << e);
    }
    offer_results(env, in);
}

void rf_stage_env_accessed(rf_stage_env *env, uint16_t access) {
    rf_stage_flight *f = &env->uops.flight[access];
    f->access_done = env->golden.cycle;
    env->moved = env->golden.cycle;
    for (uint32_t e = 0; e < env->cfg.exports; e++) {
        uint16_t uop = env->pipes.port[e].pipe[RF_OP_MEM].head, next;
        for (; uop != NONE; uop = next) {
            next = env->pipes.way[uop].next;
            if (env->uops.record[uop].flight == access && env->pipes.way[uop].due == RF_STAGE_OPEN)
                rf_stage_pipes_over(&env->pipes, e, uop, env->golden.cycle);
        }
    }
}

void rf_stage_env_passes(rf_stage_env *env, uint64_t until) { rf_stage_pipes_passes(&env->pipes, until); }

void rf_stage_env_retired(rf_stage_env *env, uint32_t warp, uint32_t dst) {
    const uint16_t uop = rf_stage_pipes_retired(&env->pipes, warp, dst);
    if (uop != NONE) (void)retire(env, uop);
    else
        rf_stage_violated(&env->golden,
                          "no result is lost or duplicated: warp slot %u R%u retires, of which no result was accepted", warp,
                          dst);
}

bool rf_stage_env_reused(rf_stage_env *env, uint16_t tag) {
    const uint16_t uop = rf_stage_uops_issued(&env->uops, tag);
    if (uop == NONE || !env->uops.record[uop].is.writes) {
        rf_stage_violated(&env->golden,
                          "no instruction is lost or duplicated: tag 0x%04x is done without execution, but not on its way", tag);
        return false;
    }
    const rf_stage_flight *f = &env->uops.flight[env->uops.record[uop].flight];
    env->undelivered--;
    return retire(env, uop) && !f->executed;
}

uint32_t rf_stage_env_registers(const rf_stage_env *env) { return env->blocks.registers; }

rf_banked_stream *rf_stage_env_stream(rf_stage_env *env) { return &env->stream; }

uint32_t rf_stage_env_block(const rf_stage_env *env, uint32_t warp) { return env->blocks.block[warp]; }

const rf_vec *rf_stage_env_golden(const rf_stage_env *env, uint32_t warp, uint32_t reg) {
    return rf_stage_golden_value(&env->golden, warp, reg);
}

void rf_stage_env_lose(rf_stage_env *env, uint32_t warp, uint32_t reg, uint32_t lanes) {
    rf_stage_golden_lose(&env->golden, warp, reg, lanes);
}

void rf_stage_env_holds(rf_stage_env *env, const rf_stage_view *view, uint32_t warp, uint32_t reg) {
    if ((env->live >> warp & 1) != 0) rf_stage_golden_holds(&env->golden, view, warp, reg, env->slots[warp].warp_id);
}

void rf_stage_env_found(rf_stage_env *env, uint32_t warp, uint32_t reg, const rf_vec *is, uint32_t lanes) {
    rf_stage_golden_found(&env->golden, warp, reg, is, lanes);
}

void rf_stage_env_observe(rf_stage_env *env, const rf_stage_in *in, const rf_stage_out *out, uint32_t written) {
    for (uint32_t left = written; left != 0; left &= left - 1) head_written(env, rf_lowest(left));
    for (uint32_t left = in->res_valid & out->res_ready; left != 0; left &= left - 1) {
        rf_stage_pipes_accepted(&env->pipes, rf_lowest(left));
        env->moved = env->golden.cycle;
    }
    for (uint32_t left = out->ex_valid & in->ex_ready; left != 0; left &= left - 1) delivered(env, out, rf_lowest(left));
    for (uint32_t left = out->issue_valid; left != 0; left &= left - 1)
        issued(env, in, rf_lowest(left), out->issue_warp[rf_lowest(left)]);
    if (too_long(env)) stands_still(env);
    env->golden.cycle++;
    env->totals.queue_full += (uint64_t)__builtin_popcount(in->res_valid & ~(uint32_t)out->res_ready);
}

/* ---- life ---- */

rf_stage_env *rf_stage_env_new(const rf_stage_cfg *cfg, const rf_stage_hooks *hooks, uint64_t seed) {
    rf_stage_env *env = ls_zeroed(sizeof *env);
    /* More than what instruction buffers, collectors, pipelines, queues and cracked instructions can hold. */
    const uint32_t pool = cfg->warps + cfg->collectors * (1 + 2 * RF_UOPS_MAX) + cfg->exports * (RF_ENV_PIPE + 1 + cfg->wbdepth);
    env->cfg = *cfg;
    env->patience = RF_ENV_PATIENCE + cfg->waits;
    if (hooks != NULL) env->hooks = *hooks;
    env->drained = ~UINT64_C(0);
    env->sm = &env->own;
    env->own.cores = 1;
    env->sm->feed = (rf_stage_feed){.regs = cfg->regs, .loaded = env->hooks.loaded, .ctx = env->hooks.ctx};
    rf_stage_golden_init(&env->golden, cfg->warps, cfg->regs, cfg->lanes, cfg->slots);
    env->golden.active_lanes = cfg->active_lanes;
    rf_stage_blocks_init(&env->blocks, cfg->blocks, cfg->warps, cfg->pool);
    rf_stage_uops_init(&env->uops, pool);
    rf_stage_uops_permute(&env->uops, (uint32_t)ls_seed_derive(seed, "tags"));
    rf_stage_pipes_init(&env->pipes, pool);
    ls_rng_seed(&env->rng, ls_seed_derive(seed, "environment"));
    env->first_kind = ls_rng_below(&env->rng, RF_STREAM_KINDS);
    rf_banked_stream_init(&env->stream, cfg->warps, cfg->banks, cfg->regs, cfg->lanes, cfg->slots, cfg->exports,
                          ls_seed_derive(seed, "streams"));
    return env;
}

void rf_stage_env_free(rf_stage_env *env) {
    if (env == NULL) return;
    for (uint32_t w = 0; w < RF_WARPS_MAX; w++) rf_warp_free(&env->slots[w].warp);
    rf_stage_feed_close(&env->own.feed);
    rf_stage_golden_free(&env->golden);
    rf_stage_uops_free(&env->uops);
    rf_stage_pipes_free(&env->pipes);
    rf_memory_side_free(env->own.memory);
    free(env);
}

/* The surroundings are those of a workload: nothing in them is random. */
static void play_workload(rf_stage_env *env) {
    env->profile = rf_stage_profile_plain(&env->cfg);
    rf_stage_uops_permute(&env->uops, 1); /* not at all: what tags cost is the system's */
}

int rf_stage_env_workload(rf_stage_env *env, const rf_source *source, const char *path, char *error, size_t size) {
    if (!rf_stage_feed_open(&env->sm->feed, source, path, error, size)) return -1;
    if (env->cfg.blocks != 0 && env->sm->feed.have_next) {
        const rf_workload_head *head = env->sm->feed.at.head;
        if (!rf_stage_blocks_fit(&env->blocks, rf_stage_block_warps(head->block, head->lanes), next_registers(&env->sm->feed))) {
            never_fits(env);
            (void)snprintf(error, size, "%s: %s", path, env->sm->feed.error);
            return -1;
        }
    }
    play_workload(env);
    return 0;
}

bool rf_stage_env_done(const rf_stage_env *env) { return rf_stage_feed_over(&env->sm->feed) && live_warps(env->sm) == 0; }

const char *rf_stage_env_workload_error(const rf_stage_env *env) {
    return env->sm->feed.error[0] != '\0' ? env->sm->feed.error : NULL;
}

uint64_t rf_stage_env_workload_unknown(const rf_stage_env *env, const char **first) {
    *first = NULL;
    return env->sm->feed.workload != NULL ? rf_workload_unknown(env->sm->feed.workload, first) : 0;
}

const char *rf_stage_env_property(const rf_stage_env *env) {
    return env->golden.violation[0] != '\0' ? env->golden.violation : NULL;
}

rf_stage_waits rf_stage_env_waits(const rf_stage_env *env, const rf_stage_in *in, uint32_t chosen, uint64_t hazard) {
    const rf_stage_cfg *cfg = &env->cfg;
    return (rf_stage_waits){.live = env->live,
                            .ending = env->ending,
                            .parked = env->blocks.at_barrier | env->blocks.at_fence,
                            .memory = rf_stage_awaited_by(&env->awaited, in, chosen, hazard, cfg->issues, cfg->slots)};
}

uint64_t rf_stage_env_cycles(const rf_stage_env *env) { return env->golden.cycle; }

void rf_stage_env_counters(const rf_stage_env *env, ls_counter_fn *sink, void *ctx) {
    const totals *t = &env->totals;
    const uint64_t cycles = env->golden.cycle;
    sink(ctx, "cycles", (double)cycles);
    sink(ctx, "warps", (double)t->warps);
    sink(ctx, "warp_instructions", (double)t->instructions);
    sink(ctx, "uops", (double)t->uops);
    sink(ctx, "ipc", cycles != 0 ? (double)t->instructions / (double)cycles : (double)NAN);
    sink(ctx, "write_queue_full", (double)t->queue_full);
    if (rf_stage_env_cores(env) > 1 && env->core == 0) {
        sink(ctx, "sm_warp_instructions", (double)env->sm->instructions);
        sink(ctx, "sm_ipc", cycles != 0 ? (double)env->sm->instructions / (double)cycles : (double)NAN);
    }
    if (env->sm->memory != NULL && env->core == 0) rf_memory_side_counters(env->sm->memory, sink, ctx);
}

void rf_stage_env_machine(rf_stage_env *env, const rf_machine *machine) {
    env->pipes.machine = *machine;
    rf_memory_side_free(env->sm->memory);
    env->sm->memory = machine->has_memory ? rf_memory_side_new(&machine->memory) : NULL;
    env->sm->cores = machine->sub_cores;
    const uint32_t pool = env->cfg.pool, registers = machine->registers;
    env->blocks.pool = registers != 0 && (pool == 0 || registers < pool) ? registers : pool;
}

const rf_memory_cfg *rf_stage_env_memory(const rf_stage_env *env) {
    return env->sm->memory != NULL ? &env->pipes.machine.memory : NULL;
}

const rf_energy_wires *rf_stage_env_wires(const rf_stage_env *env) { return &env->pipes.machine.wires; }

uint32_t rf_stage_env_cores(const rf_stage_env *env) { return random_streams(env) ? 1 : env->sm->cores; }

void rf_stage_env_join(rf_stage_env *env, rf_stage_env *first, uint32_t core) {
    env->sm = &first->own;
    env->core = core;
    env->pipes.machine = first->pipes.machine;
    play_workload(env);
}

int rf_stage_env_surround(rf_stage_env *env, const ls_settings *settings, char *error, size_t size) {
    rf_machine machine;
    if (rf_machine_read(&machine, settings, error, size) != 0) return -1;
    if (env != NULL) rf_stage_env_machine(env, &machine);
    return 0;
}

uint32_t rf_stage_touched(uint32_t bank_we, const uint16_t *bank_waddr, ls_touch *list) {
    uint32_t n = 0;
    for (uint32_t left = bank_we; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left);
        list[n++] = (ls_touch){.memory = b, .row = bank_waddr[b]};
    }
    return n;
}
