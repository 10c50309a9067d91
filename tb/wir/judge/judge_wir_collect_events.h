/* SPDX-License-Identifier: Apache-2.0 */
/* What the judge of rf_wir_collect must have met. */
#ifndef RF_JUDGE_WIR_COLLECT_EVENTS_H
#define RF_JUDGE_WIR_COLLECT_EVENTS_H

#include "tb/wir/judge/judge_wir_collect.h"

/* clang-format off */
#define SEEN(X)                                                                                                                  \
    X(GIVEN, "an instruction gets a collector")                                                                                  \
    X(GIVEN_GAP, "... between two that are busy")                                                                                \
    X(GIVEN_TWO, "two groups get one each")                                                                                      \
    X(GIVEN_APART, "... with a busy one between")                                                                                \
    X(GIVEN_FOUR, "four do")                                                                                                     \
    X(GIVEN_ALONE, "the highest group alone asks, and gets the lowest")                                                          \
    X(GIVEN_AGAIN, "a collector that was left in the cycle before")                                                              \
    X(GIVEN_LAST, "the fifteenth")                                                                                               \
    X(NONE_LEFT, "all are busy")                                                                                                 \
    X(NONE_BUT_LEFT, "... and one is left in this very cycle")                                                                   \
    X(NONE_FOR_SECOND, "one is free: group 0's")                                                                                 \
    X(MUTE, "a lane that does not ask, and collectors are free")                                                                 \
    X(ALL_MAPPED, "all slots of several are sources to be read")                                                                 \
    X(NO_SOURCE, "no source")                                                                                                    \
    X(ZERO, "a source that is not mapped")                                                                                       \
    X(ZERO_ONLY, "an instruction all of whose sources are not mapped is complete at once")                                       \
    X(ZERO_OVER, "0 is offered where an older operand is held")                                                                  \
    X(ZERO_BESIDE, "0 beside an operand that was read")                                                                          \
    X(ZERO_GONE, "a source is read where the one before was not mapped")                                                         \
    X(ZERO_ABSENT, "no source where the one before was not mapped: the older operand is offered")                                \
    X(OLD, "an older operand is offered in a slot without source")                                                               \
    X(MAPPED_ALONE, "a slot is mapped that is no source")                                                                        \
    X(NO_SUCH, "an operand that does not exist")                                                                                 \
    X(TOP, "the last register: last row of the last bank")                                                                       \
    X(DUP, "two slots want one logical register: one asks")                                                                      \
    X(DUP_THREE, "three do")                                                                                                     \
    X(DUP_READ, "... and all are granted by one")                                                                                \
    X(DUP_OTHER, "... whose operands differ")                                                                                    \
    X(DUP_ZERO, "a mapped slot with the logical register of a lower one that is not mapped")                                     \
    X(SAME_OPERAND, "two logical registers in one physical register: both ask")                                                  \
    X(READ_SEVERAL, "several sources of one collector are granted in one cycle")                                                 \
    X(READ_SOME, "a source is granted, another of its collector not")                                                            \
    X(READ_NOT_ASKED, "a grant for a slot that does not ask")                                                                    \
    X(READ_SHARER, "a grant for the higher of two that share")                                                                   \
    X(READ_OTHER, "sources of two collectors are granted in one cycle")                                                          \
    X(READ_LONG, "a source waits for more than five cycles")                                                                     \
    X(BROUGHT_AND_READ, "a source is brought while another of its collector is granted")                                         \
    X(BROUGHT_OVER, "another value takes an older one's place")                                                                  \
    X(NOT_BROUGHT, "what comes without a read is not stored")                                                                    \
    X(OFFERED, "an instruction is offered and leaves")                                                                           \
    X(OFFERED_FRESH, "... in the cycle after it came")                                                                           \
    X(OFFERED_WAITS, "it waits for the port")                                                                                    \
    X(OFFERED_TURN, "the turn passes over a lower collector")                                                                    \
    X(OFFERED_AGAIN, "a collector is offered again right after it left")                                                         \
    X(OFFERED_KEEPS, "a waiting instruction is overtaken by a collector that is next in turn")                                   \
    X(OFFERED_ALL, "all ports of several are offered something, and all leave")                                                  \
    X(OFFERED_NOTHING, "a port that is ready is offered nothing, and others are")                                                \
    X(OFFERED_OTHERS, "nothing, and complete instructions wait for other ports")                                                 \
    X(OFFERED_MASK, "an instruction without lanes")                                                                              \
    X(OFFERED_NO_DST, "a destination that is not valid is offered")                                                              \
    X(OFFERED_INFO, "info with its highest bit")                                                                                 \
    X(NO_PORT, "a complete instruction for a port that does not exist")                                                          \
    X(NO_WARP, "an instruction of a warp that does not exist is offered")                                                        \
    X(RESET, "reset with everything under way")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static bool holds_something(const slow_source *source) {
    for (uint32_t i = 0; i < RF_LANES_MAX; i++)
        if (source->word[i] != 0) return true;
    return false;
}

static void count_given(const slow_collect *s, const rf_wir_collect_in *in, const slow_turn *t, uint64_t *seen) {
    const uint32_t n = s->cfg.collectors, highest = s->cfg.issues - 1;
    uint32_t given = 0, busy = 0, leaving = 0, lowest = NOBODY, last = NOBODY;
    for (uint32_t c = 0; c < n; c++) busy += s->seat[c].taken, leaving += t->leaves[c];
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        const uint32_t c = t->given[g];
        const bool asks = judge_bit(in->req, g);
        seen[MUTE] += !asks && busy < n;
        seen[NONE_LEFT] += asks && busy == n, seen[NONE_BUT_LEFT] += asks && busy == n && leaving > 0;
        seen[NONE_FOR_SECOND] += g > 0 && asks && c == NOBODY && t->given[0] != NOBODY && busy == n - 1;
        if (c == NOBODY) continue;
        given++;
        if (lowest == NOBODY) lowest = c;
        seen[GIVEN_APART] += last != NOBODY && c > last + 1;
        last = c;
        seen[GIVEN]++;
        seen[GIVEN_GAP] += c > 0 && c + 1 < n && s->seat[c - 1].taken && s->seat[c + 1].taken;
        seen[GIVEN_AGAIN] += s->seat[c].left != 0 && s->seat[c].left == s->cycle;
        seen[GIVEN_LAST] += c == 14;
    }
    seen[GIVEN_TWO] += given == 2, seen[GIVEN_FOUR] += given == 4;
    seen[GIVEN_ALONE] += highest > 0 && in->req == 1u << highest && lowest == 0;
}

/* What the instructions that are given a collector bring with them. */
static void count_sources(const slow_collect *s, const rf_wir_collect_in *in, const slow_turn *t, uint64_t *seen) {
    const uint32_t n = s->cfg.slots;
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        if (t->given[g] == NOBODY) continue;
        const slow_seat *seat = &s->seat[t->given[g]];
        const uint32_t valid = in->lane[g].src_valid, mapped = in->lane[g].mapped;
        seen[ALL_MAPPED] += n > 1 && mapped == ls_mask(n) && valid == mapped;
        seen[NO_SOURCE] += (valid | mapped) == 0, seen[ZERO] += (valid & ~mapped) != 0;
        seen[ZERO_ONLY] += valid != 0 && mapped == 0, seen[MAPPED_ALONE] += (mapped & ~valid) != 0;
        for (uint32_t k = 0; k < n; k++) {
            const uint32_t preg = in->lane[g].operand[k], reg = in->lane[g].src[k];
            uint32_t same = 0;
            bool other = false;
            seen[ZERO_GONE] += judge_bit(mapped, k) && seat->source[k].zero;
            seen[ZERO_ABSENT] += !judge_bit(mapped | valid, k) && seat->source[k].zero && holds_something(&seat->source[k]);
            if (!judge_bit(mapped, k)) continue;
            seen[NO_SUCH] += preg >= s->cfg.pregs;
            seen[TOP] += s->cfg.banks > 1 && preg >= s->cfg.banks && preg == s->cfg.pregs - 1;
            for (uint32_t i = 0; i < k; i++) {
                const bool equal = in->lane[g].src[i] == reg, read = judge_bit(mapped, i);
                same += equal && read;
                other |= equal && read && in->lane[g].operand[i] != preg;
                seen[DUP_ZERO] += equal && !read && judge_bit(valid, i);
                seen[SAME_OPERAND] += !equal && read && in->lane[g].operand[i] == preg;
            }
            seen[DUP] += same == 1, seen[DUP_THREE] += same > 1, seen[DUP_OTHER] += other;
        }
    }
}

static void count_reads(const slow_collect *s, const rf_wir_collect_in *in, const slow_turn *t, uint64_t *seen) {
    uint32_t seats = 0;
    for (uint32_t c = 0; c < s->cfg.collectors; c++) {
        const slow_seat *seat = &s->seat[c];
        uint32_t granted = 0, wanted = 0, coming = 0;
        for (uint32_t k = 0; k < s->cfg.slots; k++) {
            const slow_source *source = &seat->source[k];
            const uint32_t r = c * s->cfg.slots + k;
            const bool asks = judge_bit(t->out.rd_valid, r), grant = judge_bit(in->rd_grant, r);
            const rf_vec *data = &in->fill_data[r];
            const bool differs = memcmp(data->lane, source->word, sizeof source->word) != 0;
            granted += asks && grant, wanted += asks, coming += source->state == COMING;
            seen[DUP_READ] += source->state == WANTED && !asks && t->read[c][k];
            seen[READ_SHARER] += source->state == WANTED && !asks && grant && !t->read[c][k];
            seen[READ_NOT_ASKED] += grant && source->state != WANTED && seat->taken;
            seen[READ_LONG] += asks && !grant && s->cycle > seat->since + 6;
            seen[BROUGHT_OVER] += source->state == COMING && differs && holds_something(source);
            seen[NOT_BROUGHT] += source->state != COMING && seat->taken && differs;
        }
        seats += granted > 0;
        seen[READ_SEVERAL] += granted > 1, seen[READ_SOME] += granted > 0 && granted < wanted;
        seen[BROUGHT_AND_READ] += granted > 0 && coming > 0;
    }
    seen[READ_OTHER] += seats > 1;
}

static void count_offers(const slow_collect *s, const rf_wir_collect_in *in, const slow_turn *t, const slow_turn *before,
                         uint64_t *seen) {
    const uint32_t n = s->cfg.exports;
    uint32_t leave = 0, offered = 0, complete_ones = 0;
    for (uint32_t c = 0; c < s->cfg.collectors; c++) {
        const bool done = complete(s, &s->seat[c]);
        complete_ones += done && s->seat[c].port < n;
        seen[NO_PORT] += done && s->seat[c].port >= n;
    }
    for (uint32_t e = 0; e < n; e++) offered += t->offered[e] != NOBODY;
    for (uint32_t e = 0; e < n; e++) {
        const uint32_t c = t->offered[e], was = before->offered[e];
        const bool ready = judge_bit(in->ex_ready, e);
        seen[OFFERED_NOTHING] += c == NOBODY && ready && offered > 0;
        seen[OFFERED_OTHERS] += c == NOBODY && complete_ones > offered;
        if (c == NOBODY) continue;
        const slow_seat *seat = &s->seat[c];
        bool zero = false, read = false;
        leave += ready;
        seen[OFFERED] += ready, seen[OFFERED_WAITS] += !ready;
        seen[OFFERED_FRESH] += ready && s->cycle == seat->since + 1;
        for (uint32_t i = 0; i < c; i++) seen[OFFERED_TURN] += complete(s, &s->seat[i]) && s->seat[i].port == e;
        seen[OFFERED_AGAIN] += s->last[e] == c && s->cfg.collectors > 1;
        seen[OFFERED_KEEPS] += s->cycle > 0 && was != NOBODY && was != c && !before->leaves[was];
        seen[OFFERED_MASK] += ready && seat->mask == 0, seen[OFFERED_NO_DST] += ready && !seat->dst_valid && seat->dst != 0;
        seen[OFFERED_INFO] += ready && judge_bit(seat->info, s->cfg.infow - 1);
        seen[NO_WARP] += ready && seat->warp >= s->cfg.warps;
        for (uint32_t k = 0; k < s->cfg.slots; k++) {
            const slow_source *source = &seat->source[k];
            zero |= source->zero, read |= source->state == BROUGHT && holds_something(source);
            seen[ZERO_OVER] += source->zero && holds_something(source);
            seen[OLD] += source->state == ABSENT && !source->zero && holds_something(source);
        }
        seen[ZERO_BESIDE] += zero && read;
    }
    seen[OFFERED_ALL] += n > 1 && leave == n;
}

/* `before`: what happened in the cycle before. */
static void count(const slow_collect *s, const rf_wir_collect_in *in, const slow_turn *t, const slow_turn *before,
                  uint64_t *seen) {
    count_given(s, in, t, seen);
    count_sources(s, in, t, seen);
    count_reads(s, in, t, seen);
    count_offers(s, in, t, before, seen);
}

#endif
