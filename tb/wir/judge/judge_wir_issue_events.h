/* SPDX-License-Identifier: Apache-2.0 */
/* What the judge of rf_wir_issue must have met. */
#ifndef RF_JUDGE_WIR_ISSUE_EVENTS_H
#define RF_JUDGE_WIR_ISSUE_EVENTS_H

#include "tb/wir/judge/judge_wir_issue.h"

/* clang-format off */
#define SEEN(X)                                                                                                                  \
    X(RAW, "a head waits for a source alone")                                                                                    \
    X(RAW_LAST, "... of the last of several slots")                                                                              \
    X(WAW, "a head waits for its destination's result alone")                                                                    \
    X(UNREAD, "a head waits for a collector to read alone")                                                                      \
    X(UNREAD_LAST, "... for the last reader")                                                                                    \
    X(OVERTAKES, "a head waits for an instruction at a place to read alone")                                                     \
    X(OVERTAKES_LAST, "... at the last place, in the last slot")                                                                 \
    X(OVERTAKES_FAR, "... at a place of another group")                                                                          \
    X(OVERTAKES_NO_REG, "... a register that does not exist")                                                                    \
    X(ORDERS, "a store waits for a load alone")                                                                                  \
    X(ORDERS_FAR, "... at a place of another group")                                                                             \
    X(ORDERS_LAST, "... at the last place")                                                                                      \
    X(ORDERS_SCRATCH, "... a store to scratchpad")                                                                               \
    X(READER_NO_REG, "a collector is to read what a head writes, which does not exist, and it issues")                           \
    X(READER_MUTE, "a reader that is done names what a head writes, and it issues")                                              \
    X(READER_OTHER, "a collector is to read it for another warp, and it issues")                                                 \
    X(PLACE_EMPTY, "a place without instruction names what a head writes, and it issues")                                        \
    X(PLACE_ABSENT, "a place's slot without source does")                                                                        \
    X(PLACE_OTHER, "a place of another warp does")                                                                               \
    X(PLACE_NO_WARP, "a place of a warp that does not exist does")                                                               \
    X(PLACE_READS_ALIKE, "a place reads what a head reads, and it issues")                                                       \
    X(PLACE_SHOWN, "a head without destination shows the number of what a place reads, and issues")                              \
    X(LOAD_EMPTY, "a load's bit at a place without instruction, and a store issues")                                             \
    X(LOAD_OTHER, "a load of another warp, and a store issues")                                                                  \
    X(LOAD_LOAD, "a load at a place, and what is no store issues")                                                               \
    X(NO_STORE, "... whose bit says to scratchpad")                                                                              \
    X(DEAD, "a head without lanes issues, though it shows what would have to wait")                                              \
    X(DEAD_STORE, "... a store, past a load")                                                                                    \
    X(DEAD_SHOWN, "... and its valid bits are hidden")                                                                           \
    X(NOT_VALID, "a head that is not valid has no hazard, and is not chosen")                                                    \
    X(LAUNCHED, "a head waits because its warp is launched")                                                                     \
    X(EXITED, "... has ended")                                                                                                   \
    X(WALKING, "... is being released")                                                                                          \
    X(WALKING_OTHER, "another warp of its group is being released, and it issues")                                               \
    X(PLAIN_LAUNCHED, "REUSE 0: a head issues though its warp is launched")                                                      \
    X(PLAIN_WALKING, "REUSE 0: ... or is being released")                                                                        \
    X(PLAIN_ORDERS, "REUSE 0: a store waits for a load")                                                                         \
    X(PLAIN_OVERTAKES, "REUSE 0: a head waits for an instruction at a place to read")                                            \
    X(ISSUE, "an instruction issues")                                                                                            \
    X(ISSUE_NOT, "the lane takes nothing: it is shown and stays")                                                                \
    X(ISSUE_NONE, "nobody is ready: the first warp's head is shown")                                                             \
    X(ISSUE_NONE_READY, "... and the lane would take it")                                                                        \
    X(ISSUE_FIRST, "the group's first warp is chosen")                                                                           \
    X(ISSUE_LAST, "the last warp issues")                                                                                        \
    X(ISSUE_ALL, "four groups issue")                                                                                            \
    X(ISSUE_SOME, "one group issues while another's lane takes nothing")                                                         \
    X(CHANGED, "the one shown and not taken is not the one shown next")                                                          \
    X(SET, "a destination is pending from now on")                                                                               \
    X(SET_TWO, "two are, of two groups")                                                                                         \
    X(SET_NOT, "no destination, but its number")                                                                                 \
    X(SET_NO_REG, "a destination that does not exist")                                                                           \
    X(SET_AND_CLEAR, "what issues writes what retires in this cycle")                                                            \
    X(CLEAR, "a result retires")                                                                                                 \
    X(CLEAR_REUSE, "... by reuse, in the last group")                                                                            \
    X(CLEAR_LAST, "... from the last port")                                                                                      \
    X(CLEAR_NOT, "a writer that retires nothing names a pending register")                                                       \
    X(CLEAR_FREES, "a head waits for a result that retires in this cycle")                                                       \
    X(CLEAR_NO_SUCH, "a result of a warp or register that does not exist")                                                       \
    X(GREEDY, "SCHED 0: who issued last, though others are older")                                                               \
    X(OLDEST, "SCHED 0: the oldest, and not the lowest")                                                                         \
    X(GREEDY_LOST, "SCHED 0: who issued last is launched anew and not the first any more")                                       \
    X(LAUNCH_ISSUES, "SCHED 0: a warp issues while another of its group is launched")                                            \
    X(TURN, "SCHED 1: the turn passes over a lower warp")                                                                        \
    X(TURN_WRAPS, "SCHED 1: the turn begins anew")                                                                               \
    X(FETCH_STAYS, "SCHED 2: a warp of the current fetch group, though a lower group is ready")                                  \
    X(FETCH_MOVES, "SCHED 2: on to another fetch group")                                                                         \
    X(FETCH_TURN, "SCHED 2: the turn in the fetch group passes over a lower warp")                                               \
    X(RESET, "reset with pending registers")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

/* Why a head waits; one bit of all reasons set: it alone. */
static uint32_t reasons(const slow_issue *s, const slow_turn *t, uint32_t w) {
    return (uint32_t)t->raw[w] | (uint32_t)t->waw[w] << 1 | (uint32_t)t->unread[w] << 2 | (uint32_t)t->overtakes[w] << 3 |
           (uint32_t)t->orders[w] << 4 | (uint32_t)(s->cfg.reuse == 1 && t->released[w]) << 5;
}

/* Were it ready it would be chosen: only then is it seen that it waits. */
static bool shows(const slow_issue *s, const slow_turn *t, uint32_t w) {
    bool ready[WARPS];
    memcpy(ready, t->ready, sizeof ready);
    ready[w] = true;
    return choose(&s->stage, ready, w % s->cfg.issues) == w;
}

static void count_waits(const slow_issue *s, const rf_wir_issue_in *in, const slow_turn *t, uint64_t *seen) {
    const uint32_t n = s->cfg.slots, readers = s->cfg.collectors * n;
    for (uint32_t w = 0; w < s->cfg.warps; w++) {
        const uint32_t why = reasons(s, t, w), g = w % s->cfg.issues, number = w / s->cfg.issues, dst = in->ib_dst[w];
        uint32_t sources = 0;
        seen[NOT_VALID] += !t->valid[w] && why == 0 && shows(s, t, w);
        if (!t->valid[w] || (why & (why - 1)) != 0 || !shows(s, t, w)) continue;
        for (uint32_t k = 0; k < n; k++)
            sources += judge_bit(in->ib_src_valid[w], k) && is_pending(&s->stage, w, in->ib_src[w * n + k]);
        seen[RAW] += why == 1;
        seen[RAW_LAST] += why == 1 && n > 1 && sources == 1 && judge_bit(in->ib_src_valid[w], n - 1) &&
                          is_pending(&s->stage, w, in->ib_src[w * n + n - 1]);
        seen[WAW] += why == 2, seen[UNREAD] += why == 4, seen[OVERTAKES] += why == 8, seen[ORDERS] += why == 16;
        for (uint32_t r = 0, others = 0; r < readers && why == 4; r++) {
            const bool names = judge_bit(in->rdp, r) && in->rdp_warp[r] == w && in->rdp_reg[r] == dst;
            seen[UNREAD_LAST] += names && others == 0 && r > 0 && r == readers - 1;
            others += names;
        }
        seen[OVERTAKES_NO_REG] += why == 8 && dst >= s->cfg.regs;
        seen[ORDERS_SCRATCH] += why == 16 && judge_bit(in->ib_store_shared, w);
        seen[LAUNCHED] += why == 32 && judge_bit(in->launch, w) && !judge_bit(in->exit, w) && !judge_bit(in->walking[g], number);
        seen[EXITED] += why == 32 && !judge_bit(in->launch, w) && judge_bit(in->exit, w) && !judge_bit(in->walking[g], number);
        seen[WALKING] += why == 32 && !judge_bit(t->out.clear[g], number);
        seen[PLAIN_ORDERS] += s->cfg.reuse == 0 && why == 16, seen[PLAIN_OVERTAKES] += s->cfg.reuse == 0 && why == 8;
        for (uint32_t i = 0; i < s->cfg.exports + s->cfg.issues; i++)
            seen[CLEAR_FREES] += why == 2 && judge_bit(in->clr, i) && in->clr_warp[i] == w && in->clr_reg[i] == dst;
    }
}

/* Which places make a head wait, when that alone does. */
static void count_places(const slow_issue *s, const rf_wir_issue_in *in, const slow_turn *t, uint64_t *seen) {
    const uint32_t n = s->cfg.slots, places = s->cfg.places, all = places * s->cfg.issues;
    for (uint32_t w = 0; w < s->cfg.warps; w++) {
        const uint32_t why = reasons(s, t, w);
        uint32_t reads = 0, loads = 0, last_read = 0, last_load = 0;
        if (!t->valid[w] || (why != 8 && why != 16) || !shows(s, t, w)) continue;
        for (uint32_t at = 0; at < all; at++) {
            if (!judge_bit(in->at_valid[at / places], at % places) || in->at[at].warp != w) continue;
            for (uint32_t k = 0; k < n; k++)
                if (judge_bit(in->at[at].src_valid, k) && in->at[at].src[k] == in->ib_dst[w]) reads++, last_read = at * n + k;
            if (in->at[at].load) loads++, last_load = at;
        }
        seen[OVERTAKES_LAST] += why == 8 && reads == 1 && n > 1 && last_read == all * n - 1;
        seen[OVERTAKES_FAR] += why == 8 && reads == 1 && last_read / n / places != w % s->cfg.issues;
        seen[ORDERS_LAST] += why == 16 && loads == 1 && last_load == all - 1;
        seen[ORDERS_FAR] += why == 16 && loads == 1 && last_load / places != w % s->cfg.issues;
    }
}

/* What a head that issues passes by. */
static void count_passed(const slow_issue *s, const rf_wir_issue_in *in, const slow_turn *t, uint32_t w, uint64_t *seen) {
    const uint32_t n = s->cfg.slots, places = s->cfg.places, dst = in->ib_dst[w];
    const bool alive = in->ib_mask[w] != 0;
    for (uint32_t r = 0; r < s->cfg.collectors * n; r++) {
        const bool asks = judge_bit(in->rdp, r), mine = in->rdp_warp[r] == w, same = t->writes[w] && in->rdp_reg[r] == dst;
        seen[READER_NO_REG] += asks && mine && same && dst >= s->cfg.regs;
        seen[READER_MUTE] += !asks && mine && same, seen[READER_OTHER] += asks && !mine && same;
    }
    for (uint32_t at = 0; at < places * s->cfg.issues; at++) {
        const bool there = judge_bit(in->at_valid[at / places], at % places), mine = in->at[at].warp == w;
        const bool load = in->at[at].load;
        for (uint32_t k = 0; k < n; k++) {
            const bool valid = judge_bit(in->at[at].src_valid, k), same = in->at[at].src[k] == dst;
            seen[PLACE_EMPTY] += t->writes[w] && !there && mine && valid && same;
            seen[PLACE_ABSENT] += t->writes[w] && there && mine && !valid && same;
            seen[PLACE_OTHER] += t->writes[w] && there && !mine && valid && same;
            seen[PLACE_NO_WARP] += t->writes[w] && there && in->at[at].warp >= s->cfg.warps && valid && same;
            seen[PLACE_SHOWN] += alive && !t->writes[w] && there && mine && valid && same;
            for (uint32_t i = 0; i < n; i++)
                seen[PLACE_READS_ALIKE] += alive && there && mine && valid && judge_bit(in->ib_src_valid[w], i) &&
                                           in->at[at].src[k] == in->ib_src[w * n + i];
            seen[DEAD] += !alive && there && mine && valid && same && judge_bit(in->ib_dst_valid, w);
        }
        seen[LOAD_EMPTY] += t->stores[w] && !there && mine && load;
        seen[LOAD_OTHER] += t->stores[w] && there && !mine && load;
        seen[LOAD_LOAD] += alive && !t->stores[w] && there && mine && load;
        seen[NO_STORE] += alive && !t->stores[w] && there && mine && load && judge_bit(in->ib_store_shared, w);
        seen[DEAD_STORE] += !alive && there && mine && load && judge_bit(in->ib_store, w);
    }
}

static void count_scheduler(const slow_issue *s, const slow_turn *t, uint32_t g, uint64_t *seen) {
    const slow_stage *u = &s->stage;
    const uint32_t w = t->stage.chosen[g], issues = s->cfg.issues, last = u->last_turn[g];
    bool lower = false, older = false, younger = false;
    for (uint32_t i = g; i < s->cfg.warps; i += issues) {
        if (!t->ready[i] || i == w) continue;
        lower |= i < w, older |= u->launched[i] < u->launched[w], younger |= i < w && u->launched[i] > u->launched[w];
    }
    if (s->cfg.sched == 0) {
        seen[GREEDY] += u->greedy[g] && w == u->last_warp[g] && older, seen[OLDEST] += !older && younger;
        seen[GREEDY_LOST] += !u->greedy[g] && t->ready[u->last_warp[g]] && w != u->last_warp[g] && u->last_warp[g] != g;
        seen[LAUNCH_ISSUES] += t->stage.turn[g] && t->out.clear[g] != 0;
    } else if (s->cfg.sched == 1) {
        seen[TURN] += lower && w > last, seen[TURN_WRAPS] += w < last;
    } else {
        const uint32_t mine = fetch_group_of(&u->cfg, w);
        bool low_group = false, low_mine = false;
        for (uint32_t i = g; i < w; i += issues) {
            low_group |= t->ready[i] && fetch_group_of(&u->cfg, i) < mine;
            low_mine |= t->ready[i] && fetch_group_of(&u->cfg, i) == mine;
        }
        seen[FETCH_STAYS] += mine == u->fetch_group[g] && low_group, seen[FETCH_MOVES] += mine != u->fetch_group[g];
        seen[FETCH_TURN] += low_mine;
    }
}

static void count_groups(const slow_issue *s, const rf_wir_issue_in *in, const slow_turn *t, const slow_turn *before,
                         uint64_t *seen) {
    uint32_t issued = 0, set = 0, shown = 0;
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        const uint32_t w = t->stage.chosen[g];
        const bool takes = judge_bit(in->lane_ready, g);
        seen[ISSUE_NONE] += w == NONE && in->ib_tag[g] != 0, seen[ISSUE_NONE_READY] += w == NONE && takes && t->valid[g];
        if (w == NONE) continue;
        count_scheduler(s, t, g, seen);
        seen[ISSUE_NOT] += !takes, shown += !takes;
        seen[CHANGED] += before->stage.chosen[g] != NONE && !before->stage.turn[g] && before->stage.chosen[g] != w;
        if (!takes) continue;
        const uint32_t dst = in->ib_dst[w];
        const bool alive = in->ib_mask[w] != 0;
        issued++, set += t->writes[w];
        count_passed(s, in, t, w, seen);
        seen[ISSUE]++, seen[ISSUE_FIRST] += w == g && s->cfg.warps > s->cfg.issues;
        seen[ISSUE_LAST] += w > 0 && w == s->cfg.warps - 1;
        seen[DEAD_SHOWN] += !alive && in->ib_src_valid[w] != 0 && judge_bit(in->ib_dst_valid & in->ib_store, w);
        seen[WALKING_OTHER] += s->cfg.reuse == 1 && in->walking[g] != 0;
        seen[PLAIN_LAUNCHED] += s->cfg.reuse == 0 && judge_bit(in->launch, w);
        seen[PLAIN_WALKING] += s->cfg.reuse == 0 && judge_bit(in->walking[g], w / s->cfg.issues);
        seen[SET] += t->writes[w] && dst < s->cfg.regs, seen[SET_NO_REG] += t->writes[w] && dst >= s->cfg.regs;
        seen[SET_NOT] += alive && !t->writes[w] && dst != 0;
        for (uint32_t i = 0; i < s->cfg.exports + s->cfg.issues; i++)
            seen[SET_AND_CLEAR] += t->writes[w] && judge_bit(in->clr, i) && in->clr_warp[i] == w && in->clr_reg[i] == dst;
    }
    seen[ISSUE_ALL] += issued == 4, seen[ISSUE_SOME] += issued > 0 && shown > 0, seen[SET_TWO] += set == 2;
}

static void count_cleared(const slow_issue *s, const rf_wir_issue_in *in, uint64_t *seen) {
    for (uint32_t i = 0; i < s->cfg.exports + s->cfg.issues; i++) {
        const bool pending = is_pending(&s->stage, in->clr_warp[i], in->clr_reg[i]), retires = judge_bit(in->clr, i);
        seen[CLEAR] += pending && retires, seen[CLEAR_NOT] += pending && !retires;
        seen[CLEAR_LAST] += pending && retires && i == s->cfg.exports - 1;
        seen[CLEAR_REUSE] += pending && retires && s->cfg.issues > 1 && i == s->cfg.exports + s->cfg.issues - 1;
        seen[CLEAR_NO_SUCH] += retires && !in_range(&s->stage, in->clr_warp[i], in->clr_reg[i]);
    }
}

/* `before`: what happened in the cycle before. */
static void count(const slow_issue *s, const rf_wir_issue_in *in, const slow_turn *t, const slow_turn *before, uint64_t *seen) {
    count_waits(s, in, t, seen);
    count_places(s, in, t, seen);
    count_groups(s, in, t, before, seen);
    count_cleared(s, in, seen);
}

#endif
