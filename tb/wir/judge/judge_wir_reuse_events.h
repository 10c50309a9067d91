/* SPDX-License-Identifier: Apache-2.0 */
/* What the judge of rf_wir_reuse must have met: the ways between its units, and where they meet. */
#ifndef RF_JUDGE_WIR_REUSE_EVENTS_H
#define RF_JUDGE_WIR_REUSE_EVENTS_H

#include "tb/wir/judge/judge_wir_reuse.h"

/* clang-format off */
#define SEEN(X)                                                                                                                  \
    X(HIT, "hit")                                                                                                                \
    X(HIT_OTHER_WARP, "... of an entry that another warp's instruction reserved")                                                \
    X(HIT_BLOCK, "... of a scratchpad load's")                                                                                   \
    X(HIT_GLOBAL, "... of a global load's after a barrier")                                                                      \
    X(HIT_TWICE, "two lanes hit one entry")                                                                                      \
    X(WAIT, "a lane must wait for an entry's leader")                                                                            \
    X(MISS_BARRIER, "a load misses because of the barrier count alone")                                                          \
    X(MISS_BLOCK, "... because of the block alone")                                                                              \
    X(MUTE, "a lane that does not look would hit")                                                                               \
    X(NOT_ALLOWED, "a load that may not look up")                                                                                \
    X(NOT_ALLOWED_LOOKS, "... looks up all the same")                                                                            \
    X(OWN_STORE, "a load beside its warp's first store may look up")                                                             \
    X(LEADS, "an instruction reserves its entry")                                                                                \
    X(LEADS_OVER, "... over another's result")                                                                                   \
    X(LEADS_REFUSED, "... in vain")                                                                                              \
    X(LEADS_TWICE, "two lanes lead one entry: the lower reserves")                                                               \
    X(LEADS_MUTE, "an instruction leads without a look")                                                                         \
    X(DROPS, "low mode: it gives up its entry, which has a result")                                                              \
    X(DROPS_RESERVED, "... which is reserved")                                                                                   \
    X(DROPS_FILLED, "... which is filled, and stays")                                                                            \
    X(INFO, "an index that is not 0 goes with an instruction that does not lead")                                                \
    X(INFO_MUTE, "an old mapping goes with an instruction that does not look, whose tag has an index")                           \
    X(FILLED, "a leader's result comes into its entry")                                                                          \
    X(FILLED_GROUP, "... through another group's port")                                                                          \
    X(FILLED_NEW_LOOK, "... while a lane looks it up and waits")                                                                 \
    X(FILLED_SEVERAL, "two entries are filled in one cycle")                                                                     \
    X(FILL_ABANDONED, "the leader of an abandoned entry comes: nothing is named")                                                \
    X(FILL_FOLLOWER, "a result of one who does not lead, with a reserved entry's index")                                         \
    X(FILL_IDLE, "a leader's info without a result")                                                                             \
    X(SWEEP, "a flush removes a result")                                                                                         \
    X(SWEEP_BLOCK, "a block's sweep removes a result")                                                                           \
    X(SWEEP_OTHER, "... and leaves another's")                                                                                   \
    X(SWEEP_WAITS, "a sweep waits for a fill or a lane")                                                                         \
    X(SWEEP_LOW, "a sweep goes on in low mode, another entry is drawn")                                                          \
    X(SWEEP_LEAVES, "a sweep removes a result while a lane leaves after a lookup")                                               \
    X(SWEEP_STORED, "a sweep ends while its warps ask")                                                                          \
    X(RANDOM, "low mode: the entry drawn is given up")                                                                           \
    X(RANDOM_EMPTY, "... and was empty")                                                                                         \
    X(RANDOM_BLOCK, "... and is of a block other than 0")                                                                        \
    X(RANDOM_LEAVES, "... not, because a lane leaves after a lookup")                                                            \
    X(RANDOM_HIGH, "... because a lane above 0 does")                                                                            \
    X(RANDOM_STAYS, "... though a lane looks up and stays")                                                                      \
    X(RANDOM_MUTE, "... though a lane leaves without a lookup")                                                                  \
    X(RANDOM_APART, "... though one looks up and stays and another leaves without")                                              \
    X(RANDOM_FILLED, "... not, because it is filled")                                                                            \
    X(RANDOM_NOT_LOW, "not in low mode: the entry drawn stays")                                                                  \
    X(INC_LANE, "a lane's +1 of the highest slot")                                                                               \
    X(INC_FILL, "+1 of a result that fills")                                                                                     \
    X(INC_FIRST, "the first +1 of a group's results")                                                                            \
    X(INC_SECOND, "the second")                                                                                                  \
    X(INC_HIGH, "each port's +1 of the highest group")                                                                           \
    X(DEC_OPERAND, "-1 of an operand given up by a lane")                                                                        \
    X(DEC_RESULT, "-1 of a result given up by a lane")                                                                           \
    X(DEC_HIGH, "-1 of what a lane above 0 gives up")                                                                            \
    X(DEC_SWEEP, "-1 of what a sweep or draw gives up")                                                                          \
    X(DEC_RESULTS, "-1 of a group's results")                                                                                    \
    X(DEC_LANE, "a lane's -1")                                                                                                   \
    X(MERGED, "+1 and -1 of one register from different units")                                                                  \
    X(STAYS, "a result's register gets its +1 and a -1 in one cycle")                                                            \
    X(OWN, "a register with one reference is looked at")                                                                         \
    X(OWN_NOT, "one with none or several")                                                                                       \
    X(BACK, "a register that nobody names any more")                                                                             \
    X(BACK_TWO, "two in one cycle")                                                                                              \
    X(BACK_MORE, "three wait")                                                                                                   \
    X(FULL_COUNT, "a count that is full stays")                                                                                  \
    X(NO_SUCH, "a register that does not exist gets +1 and -1")                                                                  \
    X(NO_WARP, "a warp that does not exist looks up")                                                                            \
    X(ONE_ENTRY, "one entry: the draw removes it, whatever the number's low bit")                                                \
    X(RESET, "reset with results, places and a sweep")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static inline const slow_entry *entry_of(const slow_reuse *s, uint32_t index) {
    return &s->buffer.entry[named(&s->buffer, index)];
}

static inline bool has_result(const slow_entry *e) { return e->valid && !e->pending; }

/* `who`: the warp that reserved an entry last. */
static void count_lookups(const slow_reuse *s, const rf_wir_reuse_in *in, const slow_turn *t, const uint8_t *who,
                          uint64_t *seen) {
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        const slow_tag tag = tag_of(&s->buffer, &t->buffer_in, g);
        const uint32_t index = index_of(&s->buffer, &tag), space = in->lane_space[g];
        const slow_entry *e = entry_of(s, index);
        const bool looks = judge_bit(in->lk_valid, g), hit = t->buffer.hit[g], leads = judge_bit(in->leads, g);
        const bool same = same_tag(&s->buffer, &e->tag, &tag), filled = fill_names(&s->buffer, &t->buffer_in, index);
        slow_tag other = tag;
        seen[MUTE] += !looks && same && has_result(e);
        seen[NOT_ALLOWED] += !t->guard.allow[g] && !looks;
        seen[NOT_ALLOWED_LOOKS] += !t->guard.allow[g] && hit;
        seen[LEADS_MUTE] += leads && !looks && !in->low && !e->pending;
        seen[INFO_MUTE] += !looks && in->lane_back[g] > 3 && index != 0;
        for (uint32_t i = 0; i < s->cfg.issues; i++)
            seen[OWN_STORE] += looks && t->guard.allow[g] && space == RF_SPACE_GLOBAL && judge_bit(in->st_valid, i) &&
                               !judge_bit(in->st_shared, i) && in->st_warp[i] == in->lane_warp[g] &&
                               in->lane_warp[g] < s->cfg.warps;
        if (!looks) continue;
        seen[NO_WARP] += in->lane_warp[g] >= s->cfg.warps && space == RF_SPACE_SHARED;
        seen[HIT] += hit;
        seen[HIT_OTHER_WARP] += hit && who[index] != in->lane_warp[g];
        seen[HIT_BLOCK] += hit && space == RF_SPACE_SHARED && tag.barrier > 0;
        seen[HIT_GLOBAL] += hit && space == RF_SPACE_GLOBAL && tag.barrier > 0;
        for (uint32_t i = 0; i < g; i++) seen[HIT_TWICE] += hit && t->buffer.hit[i] && t->buffer.index[i] == index;
        seen[WAIT] += t->buffer.wait[g];
        other.barrier = e->tag.barrier;
        seen[MISS_BARRIER] += has_result(e) && !same && same_tag(&s->buffer, &e->tag, &other) && space != RF_SPACE_NONE;
        other.barrier = tag.barrier, other.block = e->tag.block;
        seen[MISS_BLOCK] += has_result(e) && !same && same_tag(&s->buffer, &e->tag, &other) && space == RF_SPACE_SHARED;
        seen[INFO] += index != 0 && !t->buffer.reserved[g] && !leads;
        seen[FILLED_NEW_LOOK] += t->buffer.wait[g] && filled;
        if (!leads) continue;
        bool lower = false;
        for (uint32_t i = 0; i < g; i++) lower |= t->buffer.reserved[i] && t->buffer.index[i] == index;
        seen[LEADS] += t->buffer.reserved[g];
        seen[LEADS_OVER] += t->buffer.reserved[g] && has_result(e) && !same;
        seen[LEADS_REFUSED] += !in->low && !t->buffer.reserved[g] && e->pending;
        seen[LEADS_TWICE] += lower && !e->pending;
        seen[DROPS] += in->low && has_result(e) && !filled && !t->next.entry[index].valid;
        seen[DROPS_RESERVED] += in->low && e->valid && e->pending && !filled;
        seen[DROPS_FILLED] += in->low && e->valid && e->pending && filled && t->next.entry[index].valid;
    }
}

static void count_fills(const slow_reuse *s, const rf_wir_reuse_in *in, const slow_turn *t, const uint8_t *who, uint64_t *seen) {
    uint32_t fills = 0;
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        const slow_info info = unpack_info(&s->cfg, in->done_info[g]);
        const slow_entry *e = entry_of(s, info.index);
        const bool done = judge_bit(in->done, g), reserved = e->valid && e->pending;
        fills += t->buffer.filled[g];
        seen[FILLED] += t->buffer.filled[g];
        seen[FILLED_GROUP] += t->buffer.filled[g] && who[named(&s->buffer, info.index)] % s->cfg.issues != g;
        seen[FILL_ABANDONED] += done && info.leader && !e->valid && e->pending;
        seen[FILL_FOLLOWER] += done && !info.leader && reserved;
        seen[FILL_IDLE] += !done && info.leader && reserved;
    }
    seen[FILLED_SEVERAL] += fills > 1;
}

static void count_removal(const slow_reuse *s, const rf_wir_reuse_in *in, const slow_turn *t, uint64_t *seen) {
    const uint32_t number = random_number(s) % judge_codes(s->cfg.entries), at = named(&s->buffer, t->buffer_in.rm_index);
    const slow_entry *e = &s->buffer.entry[at], *drawn = entry_of(s, number);
    const bool gone = e->valid && !t->next.entry[at].valid && t->buffer_in.rm && t->buffer.rm_ready, full = has_result(e);
    bool mute = false, stays = false;
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        mute |= !judge_bit(in->lk_valid, g) && judge_bit(in->leaves, g);
        stays |= judge_bit(in->lk_valid, g) && !judge_bit(in->leaves, g);
    }
    seen[SWEEP] += t->guard.valid && t->guard.all && gone && full;
    seen[SWEEP_BLOCK] += t->guard.valid && !t->guard.all && gone && full;
    seen[SWEEP_OTHER] += t->guard.valid && !t->guard.all && !gone && full && t->buffer.rm_ready && e->tag.block < s->cfg.blocks;
    seen[SWEEP_WAITS] += t->guard.valid && !t->buffer.rm_ready;
    seen[SWEEP_LOW] += t->guard.valid && in->low && !t->looks_and_leaves && number != at && drawn->valid;
    seen[SWEEP_LEAVES] += gone && t->guard.valid && t->looks_and_leaves;
    for (uint32_t g = 0; g < s->cfg.issues; g++)
        seen[SWEEP_STORED] += t->guard.valid && t->guard.index == s->cfg.entries - 1 && t->buffer.rm_ready && !t->guard.all &&
                              in->lane_space[g] == RF_SPACE_SHARED && t->guard.tag_block[g] == t->guard.block;
    seen[RANDOM] += t->at_random && gone && full;
    seen[RANDOM_EMPTY] += t->at_random && !e->valid && !e->pending;
    seen[RANDOM_BLOCK] += t->at_random && gone && e->tag.block != 0;
    seen[ONE_ENTRY] += t->at_random && gone && s->cfg.entries == 1 && number == 1;
    seen[RANDOM_LEAVES] += in->low && !t->guard.valid && t->looks_and_leaves && drawn->valid;
    seen[RANDOM_HIGH] += in->low && !t->guard.valid && t->looks_and_leaves && !judge_bit(in->lk_valid & in->leaves, 0);
    seen[RANDOM_STAYS] += t->at_random && gone && stays && !mute;
    seen[RANDOM_MUTE] += t->at_random && gone && mute && !stays;
    seen[RANDOM_APART] += t->at_random && gone && mute && stays;
    seen[RANDOM_FILLED] += t->at_random && e->valid && fill_names(&s->buffer, &t->buffer_in, at);
    seen[RANDOM_NOT_LOW] += !in->low && !t->guard.valid && has_result(drawn) && !t->looks_and_leaves;
}

static void count_references(const slow_reuse *s, const rf_wir_reuse_in *in, const slow_turn *t, uint64_t *seen) {
    const uint32_t n = s->cfg.slots, each = n + 3, last = s->cfg.issues - 1;
    const uint32_t ups = t->count_in.inc, downs = t->count_in.dec;
    uint32_t dead = 0;
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        const bool leads = judge_bit(in->leads, g) && judge_bit(in->lk_valid, g);
        seen[INC_LANE] += judge_bit(ups, g * each + n - 1);
        seen[INC_FILL] += judge_bit(ups, g * each + n);
        seen[INC_FIRST] += judge_bit(ups, g * each + n + 1) && !judge_bit(ups, g * each + n + 2);
        seen[INC_SECOND] += judge_bit(ups, g * each + n + 2) && !judge_bit(ups, g * each + n + 1);
        seen[DEC_OPERAND] += leads && judge_bit(downs, g * each);
        seen[DEC_RESULT] += leads && judge_bit(downs, g * each + n);
        seen[DEC_HIGH] += g > 0 && leads && judge_bit(downs, g * each + n);
        seen[DEC_RESULTS] += judge_bit(downs, g * each + n + 1);
        seen[DEC_LANE] += judge_bit(downs, g * each + n + 2);
        for (uint32_t i = 0; i < s->cfg.issues; i++)
            for (uint32_t k = 0; k <= n; k++)
                seen[STAYS] += judge_bit(ups, g * each + n) && judge_bit(downs, i * each + k) &&
                               t->count_in.inc_reg[g * each + n] == t->count_in.dec_reg[i * each + k];
    }
    seen[INC_HIGH] += last > 0 && (ups >> last * each) == ls_mask(each);
    seen[DEC_SWEEP] += t->buffer_in.rm && t->buffer.rm_ready && (downs & ls_mask(n + 1)) != 0;
    for (uint32_t p = 0; p < s->count.cfg.incs; p++) {
        const bool no_such = t->count_in.inc_reg[p] >= s->cfg.pregs;
        for (uint32_t q = 0; q < s->count.cfg.decs; q++) {
            const bool both = judge_bit(ups, p) && judge_bit(downs, q) && t->count_in.inc_reg[p] == t->count_in.dec_reg[q];
            seen[MERGED] += both && !no_such && p % each >= n && q % each <= n;
            seen[NO_SUCH] += both && no_such;
        }
    }
    for (uint32_t r = 0; r < s->cfg.pregs; r++) dead += s->count.dead[r];
    for (uint32_t p = 0; p < s->count.cfg.incs + s->count.cfg.decs; p++)
        seen[FULL_COUNT] += s->count.place[p].used && s->count.place[p].delta < 0 &&
                            s->count.count[s->count.place[p].reg] == count_end(&s->count.cfg);
    for (uint32_t g = 0; g < s->cfg.issues; g++) seen[OWN] += t->count.one[g], seen[OWN_NOT] += !t->count.one[g];
    seen[BACK] += dead == 1, seen[BACK_TWO] += dead == 2, seen[BACK_MORE] += dead > 2;
}

static void count(const slow_reuse *s, const rf_wir_reuse_in *in, const slow_turn *t, const uint8_t *who, uint64_t *seen) {
    count_lookups(s, in, t, who, seen);
    count_fills(s, in, t, who, seen);
    count_removal(s, in, t, seen);
    count_references(s, in, t, seen);
}

#endif
