/* SPDX-License-Identifier: Apache-2.0 */
/* What must have happened in the runs of the judge of rf_wir. */
#ifndef RF_JUDGE_WIR_EVENTS_H
#define RF_JUDGE_WIR_EVENTS_H

#include "tb/wir/judge/judge_wir.h"

/* clang-format off */
#define SEEN(X)                                                                                                                  \
    X(RAW, "a source is pending")                                                                                                \
    X(WAW, "the destination is pending")                                                                                         \
    X(WAR, "a collector has yet to read the destination")                                                                        \
    X(OVERTAKE, "an instruction without a collector reads the destination")                                                      \
    X(ORDER, "a store waits for a load that has no collector")                                                                   \
    X(RELEASED_FIRST, "a warp waits until its old mappings are released")                                                        \
    X(NAMED, "launch or exit names a warp with a head")                                                                          \
    X(HELD_BACK, "the rename register cannot move")                                                                              \
    X(NO_COLLECTOR, "a lane wants a collector and none is free")                                                                 \
    X(ZERO, "a source that is not mapped")                                                                                       \
    X(PINNED_SOURCE, "no lookup: a source is pinned")                                                                            \
    X(NOT_ALL, "no lookup: lanes are off")                                                                                       \
    X(LOADS_OFF, "no lookup: a load with LOADS 0")                                                                               \
    X(STORED, "no lookup: the warp has stored")                                                                                  \
    X(FLUSHING, "no lookup: a flush is under way")                                                                               \
    X(SWEEPING, "no lookup: a sweep of the block is under way")                                                                  \
    X(COUNT_FULL, "no lookup: a barrier count is full")                                                                          \
    X(REUSED, "a result is reused")                                                                                              \
    X(REUSED_CONST, "a load from constant memory is reused")                                                                     \
    X(REUSED_SHARED, "a load from scratchpad is reused")                                                                         \
    X(REUSED_GLOBAL, "a load from global memory is reused")                                                                      \
    X(HIT_WAITS, "a hit waits for the rename port")                                                                              \
    X(QUEUED, "an instruction goes to the pending queue")                                                                        \
    X(QUEUE_FULL, "the pending queue is full: it executes")                                                                      \
    X(ROTATED, "the head of the pending queue goes to its tail")                                                                 \
    X(RETRY_HIT, "an instruction of the pending queue finds its result")                                                         \
    X(RETRY_EXECUTES, "an instruction of the pending queue executes")                                                            \
    X(WAIT_EXECUTES, "no RETRY: it executes beside its leader")                                                                  \
    X(LEADS, "an entry is reserved")                                                                                             \
    X(REPLACED, "a valid entry is overwritten")                                                                                  \
    X(NOT_RESERVED, "a leader finds its entry pending")                                                                          \
    X(BEATEN, "a lower lane reserves the entry in the same cycle")                                                               \
    X(MISS_DROPS, "low mode: a miss drops the entry")                                                                            \
    X(FILLED, "an entry gets its result")                                                                                        \
    X(ABANDONED, "a leader retires whose entry is abandoned")                                                                    \
    X(DROPPED, "low mode: an entry at random")                                                                                   \
    X(SWEPT, "a sweep removes an entry")                                                                                         \
    X(SWEEP_WAITS, "a sweep waits for the entry")                                                                                \
    X(FLUSH_OF_COUNT, "the global barrier count gets full")                                                                      \
    X(SHARED, "a result is shared without a read")                                                                               \
    X(COLLISION, "the verify cache shows a collision")                                                                           \
    X(TO_VERIFY, "a result is to be verified")                                                                                   \
    X(SIGNED, "a new value signature")                                                                                           \
    X(SIGNATURE_LOST, "a value signature is overwritten")                                                                        \
    X(MISS_UNSIGNED, "low mode: a miss drops the signature")                                                                     \
    X(SIGNATURE_DROPPED, "low mode: a signature at random")                                                                      \
    X(PUT_OFF, "a verifier of group 0 puts off a drop")                                                                          \
    X(UNSIGNED, "a new register for all lanes without VSB")                                                                      \
    X(IN_PLACE, "a pinned register is overwritten")                                                                              \
    X(OVER, "at the limit: a register of its own is overwritten, all lanes")                                                     \
    X(OVER_PARTIAL, "... some lanes")                                                                                            \
    X(OVER_NOT_LOW, "... all that may be given being promised: its signature is not dropped")                                    \
    X(LIMIT_WAITS, "a result waits because of the limit alone")                                                                  \
    X(LIMIT_FALLS, "the limit falls below what is in use")                                                                       \
    X(MERGED, "some lanes of a mapped register")                                                                                 \
    X(FIRST, "some lanes of a register that is not mapped")                                                                      \
    X(STARVED, "a result waits for a register")                                                                                  \
    X(STARVED_BESIDE, "a higher group gets none because a lower one does")                                                       \
    X(LAST_ONE, "the last free register is taken by a group other than 0")                                                       \
    X(VERIFIER_FIRST, "a result waits because a verifier takes the register")                                                    \
    X(GIVEN, "a verifier gets a register")                                                                                       \
    X(UNWRITTEN, "a verify-read waits until its register is written")                                                            \
    X(READ_REFUSED, "a verify-read is refused by its bank")                                                                      \
    X(NO_VERIFIER, "a verify-read waits for a verifier")                                                                         \
    X(VERIFIED, "verified: shared")                                                                                              \
    X(REFUTED, "verified: a collision")                                                                                          \
    X(LINE_REPLACED, "a full verify cache")                                                                                      \
    X(LINE_STALE, "a register that is given out has a line in the verify cache")                                                 \
    X(PORT_CONFLICT, "two wish the rename port")                                                                                 \
    X(TURN_LOST, "a write is refused by its bank")                                                                               \
    X(WALKED, "a mapping is released")                                                                                           \
    X(SAME_AGAIN, "the new register is the old one")                                                                             \
    X(TWO_FREED, "two registers become free, more wait")                                                                         \
    X(STICKY, "a count is stuck")                                                                                                \
    X(POOL_EMPTY, "no register is free")                                                                                         \
    X(CAPPED, "low mode with free registers")                                                                                    \
    X(PIPE_FULL, "a result is refused by a full pipe")                                                                           \
    X(RESULTS_FULL, "a result waits for room in its queue")                                                                      \
    X(READ_BEATEN, "a write beats a read (one port)")                                                                            \
    X(PLAIN, "REUSE 0: a queue writes")                                                                                          \
    X(STRAY, "a result for a warp or register out of range")                                                                     \
    X(RESET, "reset with instructions inside")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};
static uint64_t seen[EVENTS];

static inline void count_issue(const slow_wir *s, const rf_wir_in *in, const slow_turn *now) {
    for (uint32_t w = 0; w < s->cfg.warps; w++) {
        if (!now->stage.valid[w]) continue;
        seen[RAW] += now->stage.raw[w];
        seen[WAW] += now->stage.waw[w];
        seen[WAR] += now->stage.war[w] && !now->stage.raw[w] && !now->stage.waw[w];
        if (now->stage.hazard[w]) continue;
        seen[OVERTAKE] += now->overtakes[w];
        seen[ORDER] += now->orders[w] && !now->overtakes[w];
        seen[RELEASED_FIRST] += s->cfg.reuse != 0 && s->walking[w];
        seen[NAMED] += s->cfg.reuse != 0 && judge_bit(in->launch | in->exit, w);
    }
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        const slow_instr *i = &s->rename[g];
        seen[HELD_BACK] += i->valid && !now->moves[g];
        if (!now->moves[g] || !i->reuse || !i->dst_valid) continue;
        bool pinned = false;
        for (uint32_t k = 0; k < s->cfg.slots; k++) pinned |= i->src_valid[k] && mapping_of(s, i->warp, i->src[k]).pin;
        seen[NOT_ALL] += i->mask != all_lanes(s);
        seen[PINNED_SOURCE] += i->mask == all_lanes(s) && pinned;
        seen[LOADS_OFF] += i->space != RF_SPACE_NONE && s->cfg.loads == 0;
    }
}

static inline void count_lanes(const slow_wir *s, const rf_wir_in *in, const slow_turn *now) {
    const slow_guard *u = &s->guard;
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        const slow_instr *i = &now->lane[g];
        if (!i->valid || s->cfg.reuse == 0) continue;
        const uint32_t at = now->index[g], space = i->space, b = in->block[i->warp];
        const rf_wir_act act = now->act[g];
        for (uint32_t k = 0; k < s->cfg.slots; k++) seen[ZERO] += act == RF_WIR_EXECUTE && i->src_valid[k] && !i->mapped[k];
        if (i->look && !now->allow[g]) {
            const bool flag = space == RF_SPACE_SHARED ? u->shared[i->warp] : u->global[i->warp];
            seen[FLUSHING] += u->flush;
            seen[STORED] += !u->flush && flag;
            seen[SWEEPING] += !u->flush && !flag && space == RF_SPACE_SHARED && b < s->cfg.blocks && u->sweep[b];
            seen[COUNT_FULL] += !u->flush && !flag && now->tag_barrier[g] == 31;
        }
        seen[REUSED] += act == RF_WIR_REUSE;
        seen[REUSED_CONST] += act == RF_WIR_REUSE && space == RF_SPACE_CONST;
        seen[REUSED_SHARED] += act == RF_WIR_REUSE && space == RF_SPACE_SHARED;
        seen[REUSED_GLOBAL] += act == RF_WIR_REUSE && space == RF_SPACE_GLOBAL;
        seen[HIT_WAITS] += now->hit[g] && act != RF_WIR_REUSE;
        seen[NO_COLLECTOR] += !now->hit[g] && act == RF_WIR_NOTHING;
        seen[QUEUED] += act == RF_WIR_QUEUE;
        seen[ROTATED] += act == RF_WIR_ROTATE && s->queued[g] > 1;
        seen[RETRY_HIT] += act == RF_WIR_REUSE && now->retry[g];
        seen[RETRY_EXECUTES] += act == RF_WIR_EXECUTE && now->retry[g];
        seen[QUEUE_FULL] += act == RF_WIR_EXECUTE && now->wait[g] && s->cfg.retry != 0;
        seen[WAIT_EXECUTES] += act == RF_WIR_EXECUTE && now->wait[g] && s->cfg.retry == 0;
        seen[SAME_AGAIN] += act == RF_WIR_REUSE && i->old_valid && i->old_preg == now->found[g];
        if (!now->leads[g]) continue;
        seen[LEADS] += now->reserved[g];
        seen[REPLACED] += now->reserved[g] && s->entry[at].valid;
        seen[NOT_RESERVED] += !now->low && s->entry[at].pending;
        seen[BEATEN] += !now->low && !now->reserved[g] && !s->entry[at].pending;
        seen[MISS_DROPS] += now->low && s->entry[at].valid && !now->entry[at].valid;
    }
}

static inline void count_results(const slow_wir *s, const slow_turn *now) {
    const uint32_t last = s->cfg.delay - 3;
    bool lower = false;
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        const slow_late *l = &now->pushed[g];
        bool need = false;
        for (uint32_t v = 0; v < s->cfg.verifiers; v++) {
            const slow_verifier *u = &s->verifier[g][v];
            need |= u->state == RF_VERIFY_NEED;
            if (u->state != RF_VERIFY_CHECK || u->late.op != RF_RESULT_VERIFY) continue;
            uint32_t lines = 0;
            for (uint32_t i = 0; i < s->cfg.vcache; i++) lines += s->line[i].valid;
            seen[VERIFIED] += shares(u);
            seen[REFUTED] += !shares(u);
            seen[LINE_REPLACED] += s->cfg.vcache != 0 && lines == s->cfg.vcache && line_of(s, u->late.cand) == NONE;
        }
        if (now->take[g] != NONE) {
            seen[STARVED] += now->starved[g] && !need;
            seen[STARVED_BESIDE] += now->starved[g] && lower && !need;
            seen[LIMIT_WAITS] += now->starved[g] && !lower && !need && free_count(s) > now->promised;
            seen[VERIFIER_FIRST] += now->starved[g] && now->gives[g] != NONE;
        }
        seen[GIVEN] += now->gives[g] != NONE;
        seen[LAST_ONE] += g > 0 && !lower && now->got[g] != NOBODY && free_count(s) == 1;
        seen[LINE_STALE] += now->got[g] != NOBODY && line_of(s, now->got[g]) != NONE;
        lower |= now->got[g] != NOBODY;
        seen[READ_REFUSED] += now->read_port[g] != NONE && !now->reads[g];
        if (now->took[g]) {
            const bool fresh = !l->partial && l->op == RF_RESULT_WRITE && !now->over[g];
            seen[SHARED] += l->op == RF_RESULT_SHARE;
            seen[COLLISION] += now->chit[g] && !now->same[g];
            seen[TO_VERIFY] += l->op == RF_RESULT_VERIFY;
            seen[MERGED] += l->op == RF_RESULT_MERGE;
            seen[IN_PLACE] += l->in_place && !now->over[g];
            seen[OVER] += now->over[g] && !l->partial;
            seen[OVER_PARTIAL] += now->over[g] && l->partial;
            seen[OVER_NOT_LOW] += now->over[g] && !now->low && now->looked[g] && !now->vhit[g];
            seen[FIRST] += l->partial && !l->in_place && l->op == RF_RESULT_WRITE;
            seen[SIGNED] += now->put[g];
            seen[SIGNATURE_LOST] += now->put[g] && now->vfreed[g];
            seen[MISS_UNSIGNED] += now->low && now->vfreed[g];
            seen[UNSIGNED] += fresh && s->cfg.vsb == 0;
        }
        for (uint32_t e = 0; e < s->cfg.exports; e++) {
            if (!head_of_group(s, e, g, RF_RESULT_VERIFY, RF_RESULT_MERGE)) continue;
            const uint32_t cand = s->result[e][0].cand;
            seen[NO_VERIFIER] += now->read_to[g] == NONE;
            seen[UNWRITTEN] += now->read_to[g] != NONE && cand < s->cfg.pregs && s->unwritten[cand];
        }
        seen[PORT_CONFLICT] += now->wished[g] > 1;
        seen[TURN_LOST] += now->writes[g] && !now->retires[g];
        seen[WALKED] += now->port[g] == 1;
        if (!now->retires[g]) continue;
        seen[FILLED] += now->filled[g];
        seen[ABANDONED] += now->late[g].info.leader && !now->filled[g];
        seen[SAME_AGAIN] +=
            now->late[g].info.old_valid && now->late[g].info.old_preg == now->late[g].preg && !now->late[g].in_place;
    }
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        seen[PLAIN] += now->queue_writes[e];
        seen[RESULTS_FULL] += s->pipe[e][last].valid && s->results[e] == s->cfg.wbdepth;
    }
}

static inline void count(const slow_wir *s, const rf_wir_in *in, const slow_turn *now) {
    uint32_t dead = 0;
    bool up = false;
    count_issue(s, in, now);
    count_lanes(s, in, now);
    count_results(s, now);
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        seen[PIPE_FULL] += judge_bit(in->res_valid, e) && !now->ready[e];
        seen[STRAY] += judge_bit(in->res_valid, e) && !in_range(&s->stage, in->res_warp[e], in->res_dst[e]);
    }
    for (uint32_t b = 0; b < s->cfg.banks && s->cfg.ports == 1; b++)
        for (uint32_t c = 0; c < s->cfg.collectors; c++)
            for (uint32_t k = 0; k < s->cfg.slots; k++)
                seen[READ_BEATEN] += now->writer[b] != NONE && now->stage.asks[c][k] && s->stage.collector[c].slot[k].bank == b;
    if (s->cfg.reuse == 0) return;
    for (uint32_t r = 0; r < s->cfg.pregs; r++) dead += s->dead[r], seen[STICKY] += s->refs[r] == (1u << s->cfg.countw) - 1;
    for (uint32_t w = 0; w < s->cfg.warps; w++) up |= judge_bit(in->fence, w);
    seen[TWO_FREED] += now->offers == 2 && dead > 2;
    seen[POOL_EMPTY] += free_count(s) == 0;
    seen[CAPPED] += now->low && free_count(s) >= s->cfg.issues;
    seen[LIMIT_FALLS] += s->cfg.capped != 0 && s->cfg.pregs - free_count(s) > in->limit;
    seen[SWEPT] += s->guard.pass && now->removed;
    seen[SWEEP_WAITS] += s->guard.pass && !now->sweep_ready;
    seen[DROPPED] += !s->guard.pass && now->removed;
    seen[SIGNATURE_DROPPED] += now->rnd_removed;
    seen[PUT_OFF] += now->low && now->gives[0] != NONE && s->cfg.vsb != 0;
    seen[FLUSH_OF_COUNT] += up && s->guard.gcount == 30;
}

#endif
