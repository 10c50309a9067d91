/* SPDX-License-Identifier: Apache-2.0 */
/* The events that the random runs of rf_rfc's judge must have seen, and where the slow model sees them. */
#ifndef RF_JUDGE_RFC_SEEN_H
#define RF_JUDGE_RFC_SEEN_H

#include "tb/hierarchy/judge/judge_rfc.h"

/* clang-format off */
#define SEEN(X) \
    X(HIT_L1, "hit in the L1") \
    X(HIT_L0, "hit in the L0") \
    X(HIT_BOTH, "one instruction hits both levels") \
    X(HIT_TWICE, "two slots hit one entry") \
    X(HIT_BEYOND, "hit of a register that does not exist") \
    X(HIT_WRITTEN, "hit of the register that is written in this cycle") \
    X(MISS, "miss") \
    X(MISS_FREED, "miss of a register that a freed entry names") \
    X(NO_SOURCE, "a slot without a source names a register that is there") \
    X(UNCOUNTED, "a hit for the last time that is not counted") \
    X(HIT_DEAD_L1, "hit of a dead entry of the L1") \
    X(HIT_DEAD_L0, "hit of the L0, which is dead") \
    X(LAST_L1, "last read of an entry of the L1") \
    X(LAST_L0, "last read of the L0") \
    X(LAST_DEAD, "last read of an entry that is dead") \
    X(STAYS_DEAD, "a counted read, not the last, of an entry that is dead") \
    X(LAST_MISS, "last read of a register that is not there") \
    X(LAST_MUTE, "a last read of a slot without a source") \
    X(LAST_ONE, "two slots hit one entry, one of them for the last time") \
    X(READ_TOUCH, "LRU: a read makes an entry the newest") \
    X(READ_ORDER, "LRU: two slots read two entries") \
    X(READ_FIFO, "FIFO: a read of an entry that is not the newest") \
    X(LAST_TOUCH, "LRU: an entry is read for the last time and was not the newest") \
    X(MERGE_L1, "lanes are merged into an entry of the L1") \
    X(MERGE_L0, "lanes are merged into the L0") \
    X(MERGE_LOW, "lanes are merged into the L0 although the result is low") \
    X(MERGE_AROUND, "lanes are merged although the result goes around") \
    X(MERGE_EMPTY, "a write of no lane to a register that is there") \
    X(MERGE_TOUCH, "LRU: a merge makes an entry the newest") \
    X(MERGE_FIFO, "FIFO: a merge into an entry that is not the newest") \
    X(PARTIAL, "a result of some lanes goes to the MRF") \
    X(PARTIAL_EMPTY, "a result of no lane goes to the MRF") \
    X(MERGE_DEAD_L1, "lanes are merged into a dead entry of the L1") \
    X(MERGE_DEAD_L0, "lanes are merged into the L0, which is dead") \
    X(MERGE_DYING, "lanes are merged into an entry that a read marks dead in this cycle") \
    X(AROUND, "a whole result goes around") \
    X(AROUND_L1, "a whole result goes around and frees an entry of the L1") \
    X(AROUND_L0, "a whole result goes around and frees the L0") \
    X(AROUND_DEAD, "a whole result goes around and frees a dead entry") \
    X(OVER_DEAD_L1, "a register is overwritten in a dead entry of the L1") \
    X(OVER_DEAD_L0, "a register is overwritten in the L0, which is dead") \
    X(OVER_DYING, "a register is overwritten in an entry that a read marks dead in this cycle") \
    X(OVER_L1, "a register is overwritten in the L1") \
    X(OVER_L0, "a register is overwritten in the L0") \
    X(OVER_TOUCH, "LRU: an overwritten entry becomes the newest") \
    X(OVER_FIFO, "FIFO: an overwritten entry keeps its place") \
    X(DOWN, "a low result of a register that the L0 has") \
    X(UP, "a result of a register that the L1 has goes to the L0") \
    X(UP_FREE, "... and the L0 is not valid") \
    X(UP_DEAD, "... and its entry is dead") \
    X(DOWN_DEAD, "a low result of a register that the L0 has, dead") \
    X(UP_OLDEST, "... and the L1's oldest, freed, takes the L0's value") \
    X(NEW_L1, "a result takes an entry of the L1 that is not valid") \
    X(NEW_EVICTS, "a result takes an entry of the L1, whose value goes to the MRF") \
    X(NEW_HOLE, "the oldest goes to the MRF although another entry is not valid") \
    X(NEW_L0, "a result takes the L0, which is not valid") \
    X(MOVE, "a result takes the L0, whose value takes an entry that is not valid") \
    X(MOVE_EVICTS, "a result takes the L0, whose value takes an entry, whose value goes to the MRF") \
    X(NEW_DEAD, "a result takes a dead entry of the L1, whose value goes nowhere") \
    X(MOVE_DEAD, "the value of the L0 takes a dead entry of the L1") \
    X(DEAD_L0, "a result takes the L0, which is dead: its value does not move") \
    X(NOT_OLDEST, "the oldest goes to the MRF although another entry is dead") \
    X(DYING, "a read marks the oldest dead, whose value goes nowhere in this cycle") \
    X(DYING_L0, "a read marks the L0 dead, whose value does not move in this cycle") \
    X(READ_SAVES, "LRU: a read of the oldest lets another one give way") \
    X(REWRITTEN, "a register is read for the last time and written whole") \
    X(WAITS, "a write that does not happen") \
    X(WAITS_READ, "a write that does not happen while a read marks an entry dead") \
    X(FLUSH_L0, "the L0 is flushed") \
    X(FLUSH_L1, "an entry of the L1 is flushed") \
    X(FLUSH_LOW, "the lowest of several, not the oldest, is flushed") \
    X(FLUSH_WAITS, "a flush that does not happen") \
    X(FLUSH_LAST, "the last entry is flushed") \
    X(FLUSH_READ, "a read marks dead what would be flushed, the next one is") \
    X(FLUSH_READ_ALL, "a read marks dead all that would be flushed") \
    X(FLUSH_DEAD, "a flush sends an entry and frees dead ones") \
    X(FLUSH_DEAD_ONLY, "a flush frees dead entries and sends nothing") \
    X(FLUSH_DEAD_L0, "the L0 is dead, an entry of the L1 is flushed") \
    X(FLUSH_SKIPS, "the lowest valid entry is dead, a higher one is flushed") \
    X(FLUSH_DEAD_WAITS, "a flush that does not happen leaves dead entries") \
    X(FLUSH_WRITE, "a flush and a write in one cycle") \
    X(FLUSH_EMPTY, "a flush of nothing") \
    X(TAKE_NOTHING, "take without write or flush") \
    X(FULL, "all entries are valid") \
    X(RESET, "reset while an entry is valid") \
    X(RESET_DEAD, "reset while an entry is dead")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

/* Whether a box of the register is not valid any more. */
static inline bool freed_names(slow_rfc *s, uint32_t reg) {
    bool found = s->cfg.l0 == 1 && !s->top.valid && s->top.reg == reg;
    for (uint32_t place = 0; place < s->cfg.entries; place++)
        found = found || (!s->shelf[place].valid && s->shelf[place].reg == reg);
    return found && find(s, reg) == NOWHERE && reg != 0;
}

static inline uint32_t dead_boxes(const slow_rfc *s) {
    uint32_t dead = s->top.dead;
    for (uint32_t place = 0; place < s->cfg.entries; place++) dead += s->shelf[place].dead;
    return dead;
}

static inline void count_reads(slow_rfc *s, const rf_rfc_in *in, uint64_t *seen) {
    const bool lru = s->cfg.policy == 1;
    uint32_t in_top = 0, on_shelf = 0, first = NOWHERE;
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        const uint32_t reg = in->rd_reg[k], number = find(s, reg);
        const bool there = number != NOWHERE, last = judge_bit(in->last, k), source = judge_bit(in->rd_valid, k);
        if (!source) {
            seen[NO_SOURCE] += there;
            seen[LAST_MUTE] += in->read && there && last;
            continue;
        }
        seen[MISS] += !there;
        seen[MISS_FREED] += freed_names(s, reg);
        seen[LAST_MISS] += in->read && last && !there;
        if (!there) continue;
        const bool back = number != TOP && place_of(s, number) > 0, dead = numbered(s, number)->dead;
        in_top += number == TOP;
        on_shelf += number != TOP;
        seen[HIT_L1] += number != TOP;
        seen[HIT_L0] += number == TOP;
        seen[HIT_BEYOND] += reg >= s->cfg.regs;
        seen[HIT_WRITTEN] += in->write && in->take && in->wr_reg == reg && in->wr_mask != 0;
        seen[UNCOUNTED] += !in->read && last;
        seen[HIT_DEAD_L1] += dead && number != TOP;
        seen[HIT_DEAD_L0] += dead && number == TOP;
        seen[LAST_DEAD] += in->read && last && dead;
        seen[STAYS_DEAD] += in->read && !in->last && dead;
        seen[LAST_L1] += in->read && last && number != TOP;
        seen[LAST_L0] += in->read && last && number == TOP;
        seen[READ_TOUCH] += in->read && back && lru;
        seen[READ_FIFO] += in->read && back && !lru;
        seen[LAST_TOUCH] += in->read && back && lru && last;
        seen[READ_ORDER] += in->read && lru && number != TOP && first != NOWHERE && first != number;
        seen[REWRITTEN] += in->read && last && in->write && in->take && in->wr_reg == reg && in->wr_mask == every_lane(s);
        if (number != TOP) first = number;
        for (uint32_t low = 0; low < k; low++) {
            const bool twin = judge_bit(in->rd_valid, low) && in->rd_reg[low] == reg;
            seen[HIT_TWICE] += twin;
            seen[LAST_ONE] += in->read && twin && judge_bit(in->last, low) != last;
        }
    }
    seen[HIT_BOTH] += in_top > 0 && on_shelf > 0;
}

/* `s`: as the reads left it; `before`: as they found it. */
static inline void count_write(slow_rfc *before, slow_rfc *s, const rf_rfc_in *in, uint64_t *seen) {
    const uint32_t number = find(s, in->wr_reg), all = every_lane(s);
    const bool there = number != NOWHERE, full = in->wr_mask == all, high = s->cfg.l0 == 1 && !in->low, lru = s->cfg.policy == 1;
    const bool back = there && number != TOP && place_of(s, number) > 0;
    const bool dead = there && numbered(s, number)->dead, dying = dead && !numbered(before, number)->dead;
    const box *oldest = &s->shelf[s->cfg.entries - 1], *was = numbered(before, oldest->number);
    const box *due = &before->shelf[s->cfg.entries - 1]; /* that would have been the oldest without the reads */
    seen[WAITS] += !in->take;
    seen[WAITS_READ] += !in->take && dead_boxes(s) != dead_boxes(before);
    if (!in->take) return;
    if (!full) {
        seen[MERGE_L1] += there && number != TOP && in->wr_mask != 0;
        seen[MERGE_L0] += number == TOP && in->wr_mask != 0;
        seen[MERGE_LOW] += number == TOP && in->low && in->wr_mask != 0;
        seen[MERGE_AROUND] += there && in->around && in->wr_mask != 0;
        seen[MERGE_EMPTY] += there && in->wr_mask == 0;
        seen[MERGE_TOUCH] += back && lru;
        seen[MERGE_FIFO] += back && !lru;
        seen[PARTIAL] += !there && in->wr_mask != 0;
        seen[PARTIAL_EMPTY] += !there && in->wr_mask == 0;
        seen[MERGE_DEAD_L1] += dead && number != TOP;
        seen[MERGE_DEAD_L0] += dead && number == TOP;
        seen[MERGE_DYING] += dying;
        return;
    }
    if (in->around) {
        seen[AROUND] += !there;
        seen[AROUND_L1] += there && number != TOP;
        seen[AROUND_L0] += number == TOP;
        seen[AROUND_DEAD] += dead;
        return;
    }
    if (there && (number == TOP) == high) {
        seen[OVER_DEAD_L1] += dead && number != TOP;
        seen[OVER_DEAD_L0] += dead && number == TOP;
        seen[OVER_DYING] += dying;
        seen[OVER_L1] += number != TOP;
        seen[OVER_L0] += number == TOP;
        seen[OVER_TOUCH] += back && lru;
        seen[OVER_FIFO] += back && !lru;
        return;
    }
    const bool shelved = !high || wanted(&s->top);                  /* a box of the shelf is taken */
    const bool leaves = wanted(oldest) && oldest->number != number; /* ... and what is in it goes to the MRF */
    seen[DOWN] += there && !high;
    seen[DOWN_DEAD] += dead && !high;
    seen[UP] += there && high && shelved;
    seen[UP_FREE] += there && high && !s->top.valid;
    seen[UP_DEAD] += dead && high;
    seen[UP_OLDEST] += there && high && shelved && number == oldest->number;
    seen[NEW_L1] += !high && !oldest->valid;
    seen[NEW_EVICTS] += !high && leaves;
    seen[NEW_HOLE] += shelved && leaves && valid_boxes(s) - s->top.valid < s->cfg.entries;
    seen[NEW_L0] += high && !s->top.valid && !there;
    seen[NEW_DEAD] += !high && oldest->dead && oldest->number != number;
    seen[MOVE] += high && shelved && !oldest->valid;
    seen[MOVE_DEAD] += high && shelved && oldest->dead && oldest->number != number;
    seen[MOVE_EVICTS] += high && shelved && leaves;
    seen[DEAD_L0] += high && s->top.dead;
    seen[NOT_OLDEST] += shelved && leaves && dead_boxes(s) > s->top.dead;
    seen[DYING] += shelved && oldest->dead && !was->dead;
    seen[DYING_L0] += high && s->top.dead && !before->top.dead;
    seen[READ_SAVES] += shelved && leaves && lru && due->number != oldest->number && wanted(numbered(s, due->number));
}

static inline void count_flush(slow_rfc *before, slow_rfc *s, const rf_rfc_in *in, uint64_t *seen) {
    const uint32_t number = next_out(s), old = next_out(before);
    seen[FLUSH_WAITS] += !in->take && number != NOWHERE;
    seen[FLUSH_EMPTY] += in->take && valid_boxes(s) == 0;
    seen[FLUSH_DEAD_WAITS] += !in->take && dead_boxes(s) > 0;
    seen[FLUSH_DEAD_ONLY] += in->take && number == NOWHERE && dead_boxes(s) > 0;
    seen[FLUSH_READ] += in->take && number != NOWHERE && number != old;
    seen[FLUSH_READ_ALL] += in->take && number == NOWHERE && old != NOWHERE;
    if (!in->take || number == NOWHERE) return;
    seen[FLUSH_L0] += number == TOP;
    seen[FLUSH_L1] += number != TOP;
    seen[FLUSH_DEAD] += dead_boxes(s) > 0;
    seen[FLUSH_DEAD_L0] += number != TOP && s->top.dead;
    seen[FLUSH_LAST] += valid_boxes(s) == 1;
    for (uint32_t place = 0; place < s->cfg.entries && number != TOP; place++) {
        seen[FLUSH_LOW] += place > place_of(s, number) && wanted(&s->shelf[place]);
        seen[FLUSH_SKIPS] += s->shelf[place].dead && s->shelf[place].number < number;
    }
}

static inline void count(slow_rfc *s, const rf_rfc_in *in, uint64_t *seen) {
    static slow_rfc read;
    read = *s;
    slow_reads(&read, in);
    count_reads(s, in, seen);
    if (in->write) count_write(s, &read, in, seen);
    else if (in->flush) count_flush(s, &read, in, seen);
    seen[FLUSH_WRITE] += in->write && in->flush && in->take;
    seen[TAKE_NOTHING] += in->take && !in->write && !in->flush && next_out(s) != NOWHERE;
    seen[FULL] += valid_boxes(s) == s->cfg.entries + s->cfg.l0;
}

#endif
