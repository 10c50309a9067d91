/* SPDX-License-Identifier: Apache-2.0 */
/* What a random run of the judge of rf_wir_lane must have met, and where it is seen. */
#ifndef RF_JUDGE_WIR_LANE_EVENTS_H
#define RF_JUDGE_WIR_LANE_EVENTS_H

#include "tb/wir/judge/judge_wir_lane.h"

/* clang-format off */
#define SEEN(X)                                                                                                                  \
    X(ISSUE_BEHIND, "an instruction comes behind one that moves on")                                                             \
    X(ISSUE_FULL, "an instruction comes and there is no room")                                                                   \
    X(STORE_GLOBAL, "a global store moves on")                                                                                   \
    X(STORE_SHARED, "a store to scratchpad moves on")                                                                            \
    X(STORE_WAITS, "a store that waits")                                                                                         \
    X(READ_MAPPED, "a source is mapped")                                                                                         \
    X(READ_BY_REUSE, "... by a hit")                                                                                             \
    X(READ_UNMAPPED, "a source is not mapped")                                                                                   \
    X(READ_RELEASED, "... any more")                                                                                             \
    X(READ_WRITTEN, "a source is read in the cycle in which it is mapped anew")                                                  \
    X(READ_WALKED, "a source is read in the cycle in which it is released")                                                      \
    X(READ_OTHER, "a mapped source of a warp whose number is no multiple of ISSUES")                                             \
    X(READ_NO_WARP, "a source of a warp for which there is no table")                                                            \
    X(READ_CUT, "a warp that does not exist reads another one's mapping")                                                        \
    X(READ_NO_REG, "a source that does not exist")                                                                               \
    X(LOOK, "an instruction may look the buffer up")                                                                             \
    X(LOOK_LOAD, "... and loads")                                                                                                \
    X(NOT_REUSE, "all but issue.reuse lets it")                                                                                  \
    X(NOT_MASK, "all but a lane")                                                                                                \
    X(NOT_MAPPED, "all but a source that is not mapped")                                                                         \
    X(NOT_PIN, "all but a pinned source")                                                                                        \
    X(NOT_LOADS, "all but LOADS")                                                                                                \
    X(OLD, "a destination was mapped")                                                                                           \
    X(OLD_PIN, "... pinned")                                                                                                     \
    X(OLD_NONE, "a mapped register is named as destination by who has none")                                                     \
    X(LANE_FIRST, "the reuse register goes before the queue's head")                                                             \
    X(LANE_EMPTY, "nobody in the lane, all answers 1")                                                                           \
    X(NOT_ALLOWED, "a hit and the port without `allow`")                                                                         \
    X(HIT_NO_PORT, "a hit without the port, a collector is free")                                                                \
    X(HIT_AND_WAIT, "hit and wait")                                                                                              \
    X(QUEUED, "an instruction is queued")                                                                                        \
    X(QUEUE_FULL, "the queue is full: the instruction executes")                                                                 \
    X(WAIT_NO_RETRY, "with RETRY 0 who would wait executes")                                                                     \
    X(ROTATE, "the head goes behind others")                                                                                     \
    X(ROTATE_FULL, "... in a full queue")                                                                                        \
    X(ROTATE_ALONE, "... and is alone")                                                                                          \
    X(WRAPPED, "the queue's places wrap around the end of its storage")                                                          \
    X(RETRY_REUSE, "the head is reused")                                                                                         \
    X(RETRY_NO_PORT, "the head hits and does not get the port")                                                                  \
    X(RETRY_LEADS, "the head executes and leads")                                                                                \
    X(RETRY_EXECUTES, "the head executes without a look")                                                                        \
    X(RETRY_WAITS, "the head gets no collector")                                                                                 \
    X(RETRY_MOVE, "the head leaves while an instruction moves in")                                                               \
    X(PLACE_LAST, "an instruction in the last place")                                                                            \
    X(PLACE_LOAD, "a load behind the head")                                                                                      \
    X(PLACE_CONST, "a load of what nobody stores behind the head")                                                               \
    X(PLACE_SOURCE, "a valid place shows a source that its instruction does not have")                                           \
    X(PLACE_OLD, "empty places that held something")                                                                             \
    X(REUSE, "a hit retires")                                                                                                    \
    X(REUSE_NO_OLD, "... and nothing was mapped")                                                                                \
    X(REUSE_UNPIN, "... and takes a pin away")                                                                                   \
    X(REUSE_NO_WARP, "... of a warp that does not exist")                                                                        \
    X(REUSE_CUT, "... whose number cut is another one's, which is not written")                                                  \
    X(REUSE_NO_REG, "... into a register that does not exist")                                                                   \
    X(DONE_NEW, "a result is mapped where nothing was")                                                                          \
    X(DONE_OVER, "a result is mapped in the place of another register")                                                          \
    X(DONE_PIN, "... and pinned")                                                                                                \
    X(DONE_UNPIN, "... and takes a pin away")                                                                                    \
    X(DONE_NO_WARP, "a result of a warp that does not exist ends a reference")                                                   \
    X(DONE_CUT, "... whose number cut is another one's, which is not written")                                                   \
    X(DONE_NO_REG, "a result of a register that does not exist")                                                                 \
    X(DONE_OLD, "the reference of a result's old register ends")                                                                 \
    X(DONE_KEEPS, "a result whose old register is named on")                                                                     \
    X(BOTH, "hit and result in one cycle")                                                                                       \
    X(BOTH_NO_OLD, "... where only the result's old register would be given back")                                               \
    X(BOTH_NO_WARP, "... where only the result's warp exists: nothing is written")                                               \
    X(WALK, "a mapping is released")                                                                                             \
    X(WALK_WAITS, "a mapping is offered and not taken")                                                                          \
    X(WALK_REUSE, "a mapping is released while a hit with an old mapping retires")                                               \
    X(WALK_DONE, "... while a result ends a reference")                                                                          \
    X(WALK_NOTHING, "walk without a mapping while a result ends a reference")                                                    \
    X(WALK_LOST, "a write of the entry that is released")                                                                        \
    X(WALK_OVER, "a write of the entry that is offered and not taken")                                                           \
    X(CLEAR_SEVERAL, "several warps are marked")                                                                                 \
    X(MARK_GOES, "a mark goes and another stays")                                                                                \
    X(RESERVED, "an entry is reserved: all operands are named anew")                                                             \
    X(RESERVED_SOME, "... not the first, which is no register")                                                                  \
    X(RESERVED_REUSE, "reserved in the cycle of a hit: the first is the result")                                                 \
    X(RESERVED_ZERO, "reserved with a source that is not mapped: register 0")                                                    \
    X(RESERVED_EMPTY, "reserved and nobody in the lane")                                                                         \
    X(RESERVED_RETRY, "reserved for the queue's head")                                                                           \
    X(PLAIN_READ, "REUSE 0: a source is where D-map says")                                                                       \
    X(PLAIN_CUT, "REUSE 0: ... and its number has more bits than P")                                                             \
    X(PLAIN_NO_LOOK, "REUSE 0: what might look up, with hit, wait and port")                                                     \
    X(PLAIN_RETIRE, "REUSE 0: a result, a reservation and a release")                                                            \
    X(RESET, "reset with everything full")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

/* The sources of the instruction that moves on, and why it may not look up, as far as that is one thing. */
static void count_rename(const slow_lane *s, const slow_out *now, uint64_t *seen) {
    const judge_instr *i = &s->rn, r = slow_rename(s);
    const uint32_t table = table_of(&s->cfg, i->warp);
    uint32_t unmapped = 0, pinned = 0, inactive = 0;
    for (uint32_t l = 0; l < s->cfg.lanes; l++) inactive += !judge_bit(i->mask, l);
    seen[STORE_GLOBAL] += i->store && !i->shared;
    seen[STORE_SHARED] += i->store && i->shared;
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        const mapping m = look_up(s, i->warp, i->src[k]);
        const bool there = table < group_of(&s->cfg) && i->src[k] < s->cfg.regs,
                   here = table == now->walk_warp && now->walk_reg == i->src[k];
        if (!i->src_valid[k]) continue;
        unmapped += !m.valid;
        pinned += m.pin;
        if (s->cfg.reuse == 0) {
            const uint32_t full = i->warp * ((s->cfg.regs + s->cfg.banks - 1) / s->cfg.banks) + i->src[k] / s->cfg.banks;
            seen[PLAIN_READ] += m.preg != 0;
            seen[PLAIN_CUT] += full * s->cfg.banks >= judge_codes(s->cfg.pregs);
            continue;
        }
        seen[READ_MAPPED] += m.valid && m.preg != 0;
        seen[READ_BY_REUSE] += m.valid && m.by_reuse;
        seen[READ_UNMAPPED] += !m.valid && there;
        seen[READ_RELEASED] += !m.valid && there && s->table[table][i->src[k]].preg != 0;
        seen[READ_WRITTEN] +=
            m.valid && now->writes && table == table_of(&s->cfg, now->warp) && now->dst == i->src[k] && now->preg != m.preg;
        seen[READ_WALKED] += m.valid && now->taken && here && m.preg != 0;
        seen[READ_OTHER] += m.valid && i->warp % s->cfg.issues != 0;
        seen[READ_NO_WARP] += table >= group_of(&s->cfg) && i->warp >= s->cfg.warps;
        seen[READ_CUT] += m.valid && i->warp >= s->cfg.warps;
        seen[READ_NO_REG] += i->src[k] >= s->cfg.regs;
    }
    if (s->cfg.reuse == 0) return;
    const bool space = i->space == RF_SPACE_NONE || s->cfg.loads == 1;
    const int against = !i->reuse + !i->dst_valid + (inactive > 0) + (unmapped > 0) + (pinned > 0) + !space;
    seen[LOOK] += r.look;
    seen[LOOK_LOAD] += r.look && instr_meets_stores(i);
    seen[OLD] += r.old_valid;
    seen[OLD_PIN] += r.old_pin;
    seen[OLD_NONE] += !i->dst_valid && look_up(s, i->warp, i->dst).valid;
    if (against != 1) return;
    seen[NOT_REUSE] += !i->reuse;
    seen[NOT_MASK] += inactive > 0;
    seen[NOT_MAPPED] += unmapped > 0;
    seen[NOT_PIN] += pinned > 0;
    seen[NOT_LOADS] += !space;
}

static void count_lane(const slow_lane *s, const rf_wir_lane_in *in, const slow_out *now, uint64_t *seen) {
    const bool answers = in->allow && in->hit && in->wait && in->port && in->collector;
    const bool stays = now->act == NOTHING, full = s->length == s->cfg.queue, executes = now->act == EXECUTES;
    seen[ISSUE_BEHIND] += in->issue_valid && now->moves;
    seen[ISSUE_FULL] += in->issue_valid && !now->ready;
    seen[STORE_WAITS] += s->rn.there && s->rn.store && !now->moves;
    seen[LANE_FIRST] += s->ru.there && s->length > 0;
    seen[LANE_EMPTY] += !now->lane.there && answers && in->reserved;
    seen[NOT_ALLOWED] += now->lane.there && now->lane.look && !in->allow && in->hit && in->port;
    seen[HIT_NO_PORT] += now->hit && stays && in->collector && !now->retry;
    seen[HIT_AND_WAIT] += now->hit && in->wait;
    seen[QUEUED] += now->act == QUEUES;
    seen[QUEUE_FULL] += s->cfg.retry && now->wait && executes && full;
    seen[WAIT_NO_RETRY] += !s->cfg.retry && now->wait && executes;
    seen[ROTATE] += now->act == ROTATES && s->length > 1 && !full;
    seen[ROTATE_FULL] += now->act == ROTATES && s->length > 1 && full;
    seen[ROTATE_ALONE] += now->act == ROTATES && s->length == 1;
    seen[WRAPPED] += s->length > 1 && s->left % s->cfg.queue + s->length > s->cfg.queue;
    seen[RETRY_REUSE] += now->retry && now->act == REUSES;
    seen[RETRY_NO_PORT] += now->retry && now->hit && stays;
    seen[RETRY_LEADS] += now->retry && now->leads;
    seen[RETRY_EXECUTES] += now->retry && executes && !now->asks;
    seen[RETRY_WAITS] += now->retry && now->want_collector && stays && in->port;
    seen[RETRY_MOVE] += now->retry && now->leaves && now->moves;
    seen[PLACE_LAST] += s->length > 0 && full;
    for (uint32_t i = 0; i < s->length; i++) {
        seen[PLACE_LOAD] += i > 0 && instr_meets_stores(&s->row[i]);
        seen[PLACE_CONST] += i > 0 && s->row[i].space == RF_SPACE_CONST;
        seen[PLACE_SOURCE] += !s->row[i].src_valid[0] && s->row[i].src[0] != 0;
    }
    seen[PLACE_OLD] += !s->rn.there && s->rn.warp && !s->ru.there && s->ru.warp && s->length == 0 && s->left > 0;
    seen[RESERVED_EMPTY] += !now->lane.there && in->reserved;
    if (s->cfg.reuse == 0) {
        seen[PLAIN_NO_LOOK] += answers && in->reserved && now->lane.dst_valid && all_lanes(&s->cfg, now->lane.mask);
        seen[PLAIN_RETIRE] +=
            in->done && judge_bit(in->done_old, 1) && in->reserved && now->lane.src_valid[0] && in->walk && in->clear;
        return;
    }
    if (!in->reserved || !now->lane.there) return;
    const uint64_t names = now->lane.opcode & ls_mask(s->cfg.slots);
    seen[RESERVED] += names == ls_mask(s->cfg.slots) && now->act != REUSES;
    seen[RESERVED_SOME] += names > 1 && !judge_bit(names, 0) && now->act != REUSES;
    seen[RESERVED_REUSE] += names > 1 && now->act == REUSES && now->lane.operand[0] != in->result;
    seen[RESERVED_ZERO] += now->lane.src_valid[0] && !now->lane.mapped[0];
    seen[RESERVED_RETRY] += now->retry && names != 0;
}

static void count_retired(const slow_lane *s, const rf_wir_lane_in *in, const slow_out *now, uint64_t *seen) {
    const bool hit = now->act == REUSES, result = in->done && !hit,
               ends = in->done && judge_bit(in->done_old, 1) && in->done_old > 3;
    const mapping *m = now->writes && now->dst < s->cfg.regs ? &s->table[table_of(&s->cfg, now->warp)][now->dst] : NULL;
    const bool warp = now->warp < s->cfg.warps, cut = !warp && table_of(&s->cfg, now->warp) < group_of(&s->cfg);
    uint32_t marks = 0, marked = 0;
    for (uint32_t w = 0; w < group_of(&s->cfg); w++) marks += judge_bit(in->clear, w), marked += s->marked[w];
    seen[CLEAR_SEVERAL] += marks > 1;
    seen[MARK_GOES] += marked > 1 && !now->offered && marks == 0;
    seen[REUSE] += hit && now->dec && now->writes && !now->taken;
    seen[REUSE_NO_OLD] += hit && !now->lane.old_valid;
    seen[REUSE_UNPIN] += hit && m != NULL && m->pin && !now->taken;
    seen[REUSE_NO_WARP] += hit && !warp;
    seen[REUSE_CUT] += hit && cut && now->dst < s->cfg.regs;
    seen[REUSE_NO_REG] += hit && warp && now->dst >= s->cfg.regs;
    seen[DONE_NEW] += result && m != NULL && !m->valid;
    seen[DONE_OVER] += result && m != NULL && m->valid && m->preg != now->preg;
    seen[DONE_PIN] += result && m != NULL && m->valid && !m->pin && now->pin;
    seen[DONE_UNPIN] += result && m != NULL && m->pin && !now->pin && !now->taken;
    seen[DONE_NO_WARP] += result && !warp && ends && now->dec && !now->taken;
    seen[DONE_CUT] += result && cut && now->dst < s->cfg.regs;
    seen[DONE_NO_REG] += result && warp && now->dst >= s->cfg.regs;
    seen[DONE_OLD] += result && ends && !now->taken;
    seen[DONE_KEEPS] += result && !judge_bit(in->done_old, 1) && in->done_old > 3 && !now->taken;
    seen[BOTH] += hit && in->done && ends && now->lane.old_valid && in->done_old / 4u != now->lane.old_preg && !now->taken;
    seen[BOTH_NO_OLD] += hit && ends && !now->lane.old_valid && !now->taken;
    seen[BOTH_NO_WARP] += hit && in->done && !warp && in->done_warp < s->cfg.warps && in->done_dst < s->cfg.regs;
    seen[WALK] += now->taken;
    seen[WALK_WAITS] += now->offered && !in->walk;
    seen[WALK_REUSE] += now->taken && hit && now->lane.old_valid && now->lane.old_preg != now->walk_preg;
    seen[WALK_DONE] += now->taken && result && ends && in->done_old / 4u != now->walk_preg;
    seen[WALK_NOTHING] += in->walk && !now->offered && result && ends;
    seen[WALK_LOST] += now->taken && same_entry(s, now);
    seen[WALK_OVER] += !in->walk && same_entry(s, now);
}

static void count(const slow_lane *s, const rf_wir_lane_in *in, const slow_out *now, uint64_t *seen) {
    if (now->moves) count_rename(s, now, seen);
    count_lane(s, in, now, seen);
    if (s->cfg.reuse == 1) count_retired(s, in, now, seen);
}

#endif
