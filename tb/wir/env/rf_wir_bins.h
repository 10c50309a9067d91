/* SPDX-License-Identifier: Apache-2.0 */
/* Private to rf_wir.c: the bench's bins, which of them the sizes cannot reach, and which a cycle of the model hits. */
#ifndef RF_WIR_BINS_H
#define RF_WIR_BINS_H

#include "cmodel/wir/rf_wir.h"
#include "harness/core/unit.h"

/* clang-format off */
#define BINS(X)                                                                                                                  \
    X(ISSUE, "an instruction issues")                                                                                            \
    X(SEVERAL_ISSUE, "several groups issue at once")                                                                             \
    X(FRONT_FULL, "a chosen warp finds its group's rename register taken")                                                       \
    X(OVERTAKE, "a head waits for an instruction of its warp in rename, reuse or queue alone")                                   \
    X(NO_COLLECTOR, "an instruction in a lane finds no collector")                                                               \
    X(QUEUE_FULL, "a result finds its port full")                                                                                \
    X(READ_READ, "a read waits for a read")                                                                                      \
    X(WRITE_LOST, "a result loses its bank")                                                                                     \
    X(ZERO, "a source that is not mapped is delivered as 0")                                                                     \
    X(REUSE, "an instruction retires with an earlier result")                                                                    \
    X(REUSE_OTHER_GROUP, "lanes of two groups reuse in one cycle")                                                               \
    X(REUSE_LOAD, "a load retires with an earlier result")                                                                       \
    X(REUSE_WAITS, "a hit waits for the rename port")                                                                            \
    X(RETRY_QUEUED, "an instruction goes to the pending queue")                                                                  \
    X(RETRY_REUSED, "an instruction retires from the pending queue")                                                             \
    X(RETRY_EXECUTED, "an instruction of the pending queue executes")                                                            \
    X(RETRY_FULL, "the pending queue is full: an instruction executes that could wait")                                          \
    X(RETRY_ROTATE, "the head of the pending queue goes to its tail")                                                            \
    X(RESERVED, "an instruction reserves its entry")                                                                             \
    X(HELD, "an instruction misses at an entry that is reserved")                                                                \
    X(FILLED, "a leader retires into its entry")                                                                                 \
    X(ABANDONED, "a leader retires, its entry was given up")                                                                     \
    X(PINNED, "a pinned source keeps an instruction from looking up")                                                            \
    X(GUARD_FLAG, "a store of its warp keeps a load from looking up")                                                            \
    X(COUNT_STAYS, "a barrier finds its block's count at its end")                                                               \
    X(COUNT_FULL, "a block's count at its end alone keeps a load from looking up")                                               \
    X(GLOBAL_END, "the count of global memory is at its end: the flush removes an entry")                                        \
    X(SWEEP_BLOCK, "a sweep removes a load of a block")                                                                          \
    X(SWEEP_ALL, "a flush removes an entry")                                                                                     \
    X(SHARE_CACHED, "the verify cache confirms a candidate")                                                                     \
    X(VERIFY_READ, "a result is verified by a read")                                                                             \
    X(VERIFY_EQUAL, "a verify-read confirms a candidate")                                                                        \
    X(COLLISION, "a verify-read shows a collision")                                                                              \
    X(COLLISION_CACHED, "the verify cache shows a collision")                                                                    \
    X(UNWRITTEN, "a verify-read waits for its candidate to be written")                                                          \
    X(NO_VERIFIER, "a verify-read finds all verifiers of its group busy")                                                        \
    X(VSB_NEW, "a result is put into the value signature buffer")                                                                \
    X(NEW_PARTIAL, "a result of some lanes gets a register, there was no mapping")                                               \
    X(MERGE, "a dummy MOV")                                                                                                      \
    X(IN_PLACE, "a result is written in place")                                                                                  \
    X(UNPIN, "a result of all lanes ends a pinned mapping")                                                                      \
    X(STARVED, "a result waits for a register")                                                                                  \
    X(LOW, "low register mode")                                                                                                  \
    X(LOW_MISS_REUSE, "low mode: a miss evicts an entry of the reuse buffer")                                                    \
    X(LOW_MISS_VSB, "low mode: a miss evicts an entry of the value signature buffer")                                            \
    X(LOW_RANDOM_REUSE, "low mode: a random entry of the reuse buffer is dropped")                                               \
    X(LOW_RANDOM_VSB, "low mode: a random entry of the value signature buffer is dropped")                                       \
    X(OVER, "at the limit a result overwrites an own register")                                                                  \
    X(WALK, "a mapping is released")                                                                                             \
    X(WALK_WAITS, "a release waits for the rename port")                                                                         \
    X(RELEASING, "a warp waits until its old mappings are released")                                                             \
    X(TWO_FREED, "as many registers become free in a cycle as can")                                                              \
    X(EXIT_PENDING, "exit of a warp whose result is missing")                                                                    \
    X(RETIRE_RELEASING, "a result retires for a warp whose mappings are being released")                                         \
    X(NO_BLOCK, "a load from the scratchpad of a block that does not exist is in a lane")                                        \
    X(NOT_PENDING, "a leader retires, its entry is not pending")                                                                 \
    X(NO_PREG, "a result retires into a physical register that does not exist")                                                  \
    X(BELOW_ZERO, "more references to a register end than there are")                                                            \
    X(PIN_ALONE, "a result has a pinned old mapping that is not valid")                                                          \
    X(NOT_WAITED_FOR, "a result that no instruction waits for")                                                                  \
    X(NO_LANE, "a result of no lane")                                                                                            \
    X(LAUNCH_PENDING, "launch of a warp whose result is missing")                                                                \
    X(NO_WARP, "a result of a warp that does not exist")                                                                         \
    X(NO_PORT, "an instruction for a port that does not exist")
/* clang-format on */

#define BIN_NAME(name, text) name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};

static uint64_t bin(bool hit, uint32_t number) { return (uint64_t)hit << number; }

/* A port for one of `n` has no other number. */
static bool full(uint32_t n) { return n == UINT32_C(1) << rf_index_bits(n); }

static void unreachable(const rf_wir_cfg *cfg, ls_unreachable *to) {
    static const uint8_t of_loads[] = {REUSE_LOAD, GUARD_FLAG, SWEEP_BLOCK, COUNT_FULL};
    ls_unreachable_if(to, cfg->issues == 1, SEVERAL_ISSUE, "one issue group");
    ls_unreachable_if(to, cfg->issues == 1 && cfg->reuse != 0, WRITE_LOST, "one issue group: one writer");
    for (uint32_t b = WRITE_LOST + 1; b < NOT_WAITED_FOR; b++) ls_unreachable_if(to, cfg->reuse == 0, b, "no reuse");
    ls_unreachable_if(to, cfg->issues == 1, REUSE_OTHER_GROUP, "one issue group");
    for (size_t i = 0; i < sizeof of_loads; i++) ls_unreachable_if(to, cfg->loads == 0, of_loads[i], "no load looks up");
    ls_unreachable_if(to, cfg->capped == 0, OVER, "no limit");
    for (uint32_t b = RETRY_QUEUED; b <= RETRY_ROTATE; b++) ls_unreachable_if(to, cfg->retry == 0, b, "no pending queue");
    for (uint32_t b = SHARE_CACHED; b <= VSB_NEW; b++) ls_unreachable_if(to, cfg->vsb == 0, b, "no value signature buffer");
    ls_unreachable_if(to, cfg->vsb == 0, LOW_MISS_VSB, "no value signature buffer");
    ls_unreachable_if(to, cfg->vsb == 0, LOW_RANDOM_VSB, "no value signature buffer");
    ls_unreachable_if(to, cfg->vcache == 0, SHARE_CACHED, "no verify cache");
    ls_unreachable_if(to, cfg->vcache == 0, COLLISION_CACHED, "no verify cache");
    ls_unreachable_if(to, full(cfg->blocks), NO_BLOCK, "every number is that of a block");
    ls_unreachable_if(to, full(cfg->pregs), NO_PREG, "every number is that of a register");
    ls_unreachable_if(to, full(cfg->warps), NO_WARP, "every number is that of a warp");
    ls_unreachable_if(to, full(cfg->exports), NO_PORT, "every number is that of a port");
}

/* Barrier counts of the load guard at their end. */
static uint64_t count_bins(const rf_wir *m, const rf_wir_in *in, const rf_wir_out *out) {
    const rf_load_guard *guard = &m->reuse.guard;
    const rf_wir_wires *x = &out->wires;
    const bool removes = x->reuse_in.rm && x->reuse.rm_ready && m->reuse.buffer.valid_q[x->reuse_in.rm_index];
    uint64_t hit = bin(removes && x->guard.sweep_all && guard->gcount_q == RF_BARRIERS_END, GLOBAL_END);
    for (uint32_t left = in->bar; left != 0; left &= left - 1)
        hit |= bin(guard->count_q[rf_lowest(left)] == RF_BARRIERS_END, COUNT_STAYS);
    for (uint32_t g = 0; g < m->cfg.issues; g++) {
        const rf_wir_front *f = &m->lane[g].front;
        const uint32_t w = f->ru_q.warp, b = in->block[w];
        const bool asks = f->ru_valid_q && f->ru_look_q && f->ru_q.space == RF_SPACE_SHARED;
        const bool other = guard->flush_q || (guard->sweep_q >> b & 1) != 0 || (guard->shared_q >> w & 1) != 0;
        hit |= bin(asks && !other && guard->count_q[b] == RF_BARRIERS_END, COUNT_FULL);
    }
    return hit;
}

static uint64_t lane_bins(const rf_wir *m, const rf_wir_out *out) {
    const rf_wir_wires *x = &out->wires;
    uint64_t hit = bin((out->reused & (out->reused - 1)) != 0, REUSE_OTHER_GROUP);
    for (uint32_t g = 0; g < m->cfg.issues; g++) {
        const rf_wir_front_out *f = &x->front[g];
        const rf_wir_front_in *asked = &x->front_in[g];
        const bool reuse = f->act == RF_WIR_REUSE, execute = f->act == RF_WIR_EXECUTE;
        hit |= bin(f->want_collector && !execute, NO_COLLECTOR) | bin(reuse, REUSE) | bin(f->want_port && !reuse, REUSE_WAITS);
        hit |= bin(reuse && f->lane.space != RF_SPACE_NONE, REUSE_LOAD) | bin(reuse && f->lane_retry, RETRY_REUSED);
        hit |= bin(f->act == RF_WIR_QUEUE, RETRY_QUEUED) | bin(f->act == RF_WIR_ROTATE, RETRY_ROTATE);
        hit |= bin(execute && f->lane_retry, RETRY_EXECUTED) |
               bin(m->cfg.retry != 0 && execute && asked->wait && !f->lane_retry, RETRY_FULL);
        hit |= bin(f->leads && (x->reuse.held >> g & 1) != 0, HELD);
        hit |= bin((x->reuse_in.drop >> g & 1) != 0 &&
                       (x->reuse.freed >> (g * (m->cfg.slots + 1)) & rf_mask64(m->cfg.slots + 1)) != 0,
                   LOW_MISS_REUSE);
        hit |= bin(f->moves && (asked->map_src_pin & f->rn.src_valid) != 0 && m->lane[g].front.rn_q.reuse, PINNED);
        hit |= bin(m->lane[g].front.ru_valid_q && m->lane[g].front.ru_look_q && !asked->allow &&
                       (f->lane.space == RF_SPACE_SHARED
                            ? m->reuse.guard.shared_q >> f->lane.warp & 1
                            : f->lane.space == RF_SPACE_GLOBAL && (m->reuse.guard.global_q >> f->lane.warp & 1)),
                   GUARD_FLAG);
        hit |= bin(x->rename[g].walk_valid && !x->rename_in[g].walk, WALK_WAITS) | bin(x->rename_in[g].walk, WALK);
        hit |= bin((x->reuse_in.fill & ~x->reuse.filled) >> g & 1, ABANDONED);
    }
    const bool removes = x->reuse_in.rm && x->reuse.rm_ready && m->reuse.buffer.valid_q[x->reuse_in.rm_index];
    const bool of_block = m->reuse.buffer.block_q[x->reuse_in.rm_index] == x->reuse_in.rm_block;
    hit |= bin(x->reuse.reserved != 0, RESERVED) | bin(x->reuse.filled != 0, FILLED);
    hit |= bin(removes && x->guard.sweep_valid && !x->guard.sweep_all && of_block, SWEEP_BLOCK);
    hit |= bin(removes && x->guard.sweep_valid && x->guard.sweep_all, SWEEP_ALL) |
           bin(removes && !x->guard.sweep_valid, LOW_RANDOM_REUSE);
    return hit;
}

static uint64_t result_bins(const rf_wir *m, const rf_wir_out *out) {
    const rf_wir_cfg *cfg = &m->cfg;
    const rf_wir_wires *x = &out->wires;
    const uint32_t all = (uint32_t)rf_mask64(cfg->lanes);
    uint64_t hit = 0;
    for (uint32_t left = x->took; left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left);
        const rf_result_queue_in *push = &x->push[g];
        const rf_hash_pipe *p = &m->results.pipe[x->take[g]];
        const bool whole = p->mask_q[cfg->delay - 3] == all, write = push->push_op == RF_RESULT_WRITE;
        const bool looked = (x->vsb_in.lk_valid >> g & 1) != 0, fresh = (x->free_in.pop >> g & 1) != 0 && (x->gave >> g & 1) == 0;
        hit |= bin(push->push_op == RF_RESULT_SHARE, SHARE_CACHED) | bin(push->push_op == RF_RESULT_MERGE, MERGE);
        hit |= bin(write && looked && (x->vcache_hit >> g & 1) != 0, COLLISION_CACHED) |
               bin((x->vsb_in.write >> g & 1) != 0, VSB_NEW);
        hit |= bin(write && !whole && fresh, NEW_PARTIAL) | bin(write && !whole && !fresh, IN_PLACE);
        hit |= bin(whole && (p->info_q[cfg->delay - 3] & 3) == 3, UNPIN);
        hit |= bin((x->vsb_in.drop & x->vsb.freed) != 0, LOW_MISS_VSB);
    }
    bool verify_read = false;
    for (uint32_t left = x->read; left != 0; left &= left - 1) {
        const rf_result_queue *q = &m->results.queue[x->read_port[rf_lowest(left)]];
        verify_read |= q->op_q[q->ctrl.rd_ptr_q] == RF_RESULT_VERIFY;
    }
    for (uint32_t g = 0; g < cfg->issues; g++) {
        bool idle = false;
        for (uint32_t v = 0; v < cfg->verifiers; v++) {
            const rf_verify *u = &m->retire.verify[g * cfg->verifiers + v];
            idle |= u->state_q == RF_VERIFY_IDLE;
            hit |= bin(u->state_q == RF_VERIFY_NEED, COLLISION);
        }
        for (uint32_t e = 0; e < cfg->exports; e++) {
            const rf_result_queue *q = &m->results.queue[e];
            const uint32_t at = q->ctrl.rd_ptr_q;
            const bool verify = q->ctrl.level_q != 0 && q->op_q[at] == RF_RESULT_VERIFY && q->warp_q[at] % cfg->issues == g;
            hit |= bin(verify && m->retire.unwritten.bit_q[q->cand_q[at]] != 0, UNWRITTEN) | bin(verify && !idle, NO_VERIFIER);
        }
        const bool retires = (x->retired >> g & 1) != 0, write = (x->retire_write >> g & 1) != 0;
        hit |= bin(retires && !write && x->retire_port[g] >= cfg->exports, VERIFY_EQUAL);
    }
    hit |= bin(verify_read, VERIFY_READ) | bin(x->starved != 0, STARVED) | bin(x->vsb.rnd_freed != 0, LOW_RANDOM_VSB);
    return hit | bin((x->count.free & (x->count.free - 1)) != 0, TWO_FREED);
}

static bool missing(const rf_wir *m, uint32_t w, uint32_t reg) {
    return (m->issue.scoreboard.pending_q[w].w[reg >> 6] >> (reg & 63) & 1) != 0;
}

/* One of these warps has a result missing. */
static bool any_missing(const rf_wir *m, uint64_t warps) {
    uint64_t any = 0;
    for (; warps != 0; warps &= warps - 1)
        for (uint32_t k = 0; k < RF_REGS_MAX / 64; k++) any |= m->issue.scoreboard.pending_q[rf_lowest(warps)].w[k];
    return any != 0;
}

/* What the illegal inputs alone reach. */
static uint64_t illegal_bins(const rf_wir *m, const rf_wir_in *in, const rf_wir_out *out) {
    uint64_t hit = bin(any_missing(m, in->launch), LAUNCH_PENDING);
    for (uint32_t left = out->issue_valid; left != 0; left &= left - 1)
        hit |= bin(in->ib_port[out->issue_warp[rf_lowest(left)]] >= m->cfg.exports, NO_PORT);
    for (uint32_t left = in->res_valid & out->res_ready; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left), w = in->res_warp[e];
        hit |= bin(w >= m->cfg.warps, NO_WARP) | bin(in->res_mask[e] == 0, NO_LANE);
        hit |= bin(w < m->cfg.warps && !missing(m, w, in->res_dst[e]), NOT_WAITED_FOR);
    }
    return hit;
}

/* The same, of what reuse adds. */
static uint64_t illegal_reuse_bins(const rf_wir *m, const rf_wir_in *in, const rf_wir_out *out) {
    const rf_wir_cfg *cfg = &m->cfg;
    const rf_wir_wires *x = &out->wires;
    const rf_refcount *count = &m->reuse.count;
    uint64_t hit = bin(any_missing(m, in->exit), EXIT_PENDING);
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const rf_wir_front *f = &m->lane[g].front;
        const uint32_t entry = x->reuse_in.fill_index[g] & (cfg->entries - 1), local = x->retire_warp[g] / cfg->issues;
        const bool retires = (x->retired >> g & 1) != 0;
        hit |= bin(f->ru_valid_q && f->ru_q.space == RF_SPACE_SHARED && in->block[f->ru_q.warp] >= cfg->blocks, NO_BLOCK);
        hit |= bin((x->reuse_in.fill >> g & 1) != 0 && !m->reuse.buffer.pending_q[entry], NOT_PENDING);
        hit |= bin(retires && (m->lane[g].rename.walking_q >> local & 1) != 0, RETIRE_RELEASING);
        hit |= bin(retires && x->retire_preg[g] >= cfg->pregs, NO_PREG);
    }
    for (uint32_t left = x->took; left != 0; left &= left - 1)
        hit |= bin((m->results.pipe[x->take[rf_lowest(left)]].info_q[cfg->delay - 3] & 3) == 1, PIN_ALONE);
    for (uint64_t left = count->place_q; left != 0; left &= left - 1) {
        const uint32_t p = rf_lowest(left);
        hit |= bin(count->count_q[count->reg_q[p]] + (int32_t)(count->delta_q[p] ^ 32) - 32 < 0, BELOW_ZERO);
    }
    return hit;
}

static uint64_t bins(const rf_wir *m, const rf_wir_in *in, const rf_wir_out *out) {
    const rf_wir_cfg *cfg = &m->cfg;
    const rf_wir_wires *x = &out->wires;
    uint64_t hit = bin(out->issue_valid != 0, ISSUE) | illegal_bins(m, in, out);
    hit |= bin((out->issue_valid & (out->issue_valid - 1)) != 0, SEVERAL_ISSUE);
    hit |= bin((x->chosen & ~out->issue_valid) != 0, FRONT_FULL) | bin((in->res_valid & ~out->res_ready) != 0, QUEUE_FULL);
    hit |= bin((x->arbiter_in.wr_valid & ~x->arbiter.wr_grant) != 0, WRITE_LOST);
    hit |= bin((x->overtakes & ~x->waits) != 0, OVERTAKE);
    for (uint64_t left = x->arbiter_in.rd_valid & ~x->arbiter.rd_grant; left != 0; left &= left - 1)
        hit |= bin((x->arbiter.bank_re >> x->arbiter_in.rd_bank[rf_lowest(left)] & 1) != 0, READ_READ);
    for (uint32_t left = out->ex_valid; left != 0; left &= left - 1)
        hit |= bin(m->collect.zero_q[x->dispatch.ex_sel[rf_lowest(left)]] != 0, ZERO);
    if (cfg->reuse == 0) {
        for (uint32_t g = 0; g < cfg->issues; g++)
            hit |= bin(x->front[g].want_collector && x->front[g].act != RF_WIR_EXECUTE, NO_COLLECTOR);
        return hit;
    }
    hit |= bin(x->low, LOW) | bin(x->over != 0, OVER);
    hit |= bin((in->ib_valid & ~x->hazard & ~x->ready) != 0, RELEASING);
    hit |= illegal_reuse_bins(m, in, out);
    return hit | count_bins(m, in, out) | lane_bins(m, out) | result_bins(m, out);
}

#endif
