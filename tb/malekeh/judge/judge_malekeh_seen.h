/* SPDX-License-Identifier: Apache-2.0 */
/* The events that the random runs of rf_malekeh's judge must have seen. */
#ifndef RF_JUDGE_MALEKEH_SEEN_H
#define RF_JUDGE_MALEKEH_SEEN_H

#include "tb/common/judge/judge.h"

/* clang-format off */
#define SEEN(X) \
    X(HIT, "a source hits") \
    X(HIT_ALL, "all of several sources hit") \
    X(HIT_SOME, "some sources of an instruction hit, others miss") \
    X(HIT_TWICE, "one entry serves two slots that hit") \
    X(HIT_WRITTEN, "a source hits an entry that a result took") \
    X(HIT_MIXED_NEAR, "two slots of one register, one near, the other far") \
    X(MISS, "a source misses in a cache that the warp owns") \
    X(MISS_TWICE, "two slots that miss share an entry") \
    X(TAKES_EMPTY, "a source takes an entry that is not valid, others being valid") \
    X(TAKES_FAR, "a source takes a far entry though a near one is older") \
    X(TAKES_FAR_AT_RANDOM, "a source takes a far entry that is not the lowest far one") \
    X(TAKES_NEAR, "a source takes the least recent of near entries only") \
    X(TAKES_NEAR_ABOVE, "a source takes a near entry that is not the lowest free one") \
    X(D_HIT, "a result is written to its entry") \
    X(D_HIT_PART, "a result for some lanes is written to its entry") \
    X(D_HIT_FAR, "a near result makes a far entry near") \
    X(D_HIT_LOCKED, "a near result for a locked entry: not valid any more") \
    X(D_HIT_USED, "a near result for an entry that the instruction taken at this edge hits") \
    X(D_HIT_REPLACED, "a near result for an entry that a source takes at this edge") \
    X(D_AFTER_TAKING, "a near result takes an entry after the sources of the instruction taken at this edge") \
    X(D_ALLOC_EMPTY, "a near result takes an entry that is not valid") \
    X(D_ALLOC_FAR, "a near result takes a far entry") \
    X(D_ALLOC_NEAR, "a near result takes a near entry") \
    X(D_ALLOC_BESIDE_LOCKED, "a near result takes an entry beside locked ones") \
    X(D_PART_MISSES, "a near result for some lanes finds no entry and takes none") \
    X(D_NO_ROOM, "a near result finds all entries locked") \
    X(D_SOURCE, "a near result for an entry that it takes for a missing source") \
    X(D_NOT_FIRST, "the result on port D is not the first that counts") \
    X(FAR_INVALIDATES, "a far result: its entry is not valid any more") \
    X(FAR_MISSES, "a far result finds no entry") \
    X(FAR_LOCKED, "a far result for a locked entry") \
    X(NEAR_DISCARDED, "a near result is discarded, another one has port D") \
    X(NEAR_DISCARDED_HIT, "its entry is not valid any more") \
    X(D_TWO_CACHES, "two caches take results in one cycle") \
    X(NO_CACHE, "a near result of a warp without a CCU") \
    X(EMPTY_MASK, "a near result for no lane, for a warp with a CCU") \
    X(WRITE_AT_FLUSH, "a near result in the cycle of a flush") \
    X(WRITE_AT_REPLACE, "a near result in the cycle in which another warp takes its CCU") \
    X(FLUSH_VALID, "a launch empties a cache that is not busy") \
    X(FLUSH_BUSY, "a launch empties a cache whose instruction is still reading") \
    X(FLUSH_TAKEN, "a launch while the warp issues into its own cache") \
    X(FLUSH_OTHER, "a launch of the old warp while another takes its CCU") \
    X(LAUNCH_WITHOUT, "a launch of a warp without a CCU") \
    X(OWN, "an instruction into the CCU that its warp owns") \
    X(OWN_BUSY, "a warp without hazard waits for its own busy CCU") \
    X(OWN_AT_ONCE, "a warp's CCU is taken again in the cycle after its dispatch") \
    X(FREE, "a CCU that nobody owns is taken") \
    X(FREE_BEFORE_FAR, "though one without near values is there") \
    X(REPLACE_FAR, "a CCU without near values is replaced") \
    X(REPLACE_FAR_FIRST, "though one with near values is there") \
    X(REPLACE_EMPTY, "a CCU that holds nothing is replaced") \
    X(REPLACE_NEAR, "a CCU with near values is replaced after waiting") \
    X(REPLACE_WRAPPED, "the replaced CCU lies before the last one") \
    X(REPLACE_TWICE, "two CCUs are replaced in a cycle") \
    X(FAR_KEEPS_COUNT, "CLEAR 1: a CCU without near values is replaced, and what was waited counts on") \
    X(WAITS, "a request waits because of near values") \
    X(WAITS_TWICE, "two requests wait") \
    X(WAITS_BESIDE_ISSUE, "a request waits while another group issues") \
    X(WAIT_REWARDED, "a warp uses its near values again while another waits for the CCU") \
    X(SPARED, "the CCU of another request's warp is no candidate") \
    X(NO_COLLECTOR, "a request finds every CCU busy or spared") \
    X(HELD_FIRST, "SCHED 3: a warp with data goes before an older one without") \
    X(HELD_OLDEST, "SCHED 3: the oldest of several warps with data") \
    X(HELD_NONE, "SCHED 3: no ready warp has data") \
    X(OWNED_BUT_EMPTY, "SCHED 3: a ready warp owns a CCU without a valid entry") \
    X(LAUNCHED_LAST, "SCHED 3: the oldest is not the lowest") \
    X(NEAR_DELIVERED, "the hint of a destination is delivered") \
    X(MASKED_OFF, "mask 0: issues without touching a register") \
    X(READ_CONFLICT, "two collectors ask for one bank") \
    X(WRITE_BEATS_READ, "a write beats a read (one port)") \
    X(READ_BESIDE_WRITE, "a bank reads and writes (two ports)") \
    X(QUEUE_FULL, "a result is refused by a full queue") \
    X(ADAPT_START, "rf_sthld: 1 to 2") \
    X(ADAPT_CLIMB_S, "rf_sthld: 2, small change") \
    X(ADAPT_CLIMB_L, "rf_sthld: 2, large change") \
    X(ADAPT_SPECULATE_S, "rf_sthld: 3, small change") \
    X(ADAPT_SPECULATE_L, "rf_sthld: 3, large change") \
    X(ADAPT_BACK, "rf_sthld: 4 to 5") \
    X(ADAPT_REST_AT_0, "rf_sthld: 4 to 6 at STHLD 0") \
    X(ADAPT_PROBE_S, "rf_sthld: 5, small change") \
    X(ADAPT_PROBE_L, "rf_sthld: 5, large change") \
    X(ADAPT_REST_S, "rf_sthld: 6, small change") \
    X(ADAPT_REST_L, "rf_sthld: 6, large change") \
    X(ADAPT_TOP, "rf_sthld: cut to 255") \
    X(ADAPT_BOTTOM, "rf_sthld: cut to 0") \
    X(WINDOW_LEFT, "BOW: what an instruction named leaves the window") \
    X(WINDOW_RENEWED, "BOW: a source hits what would leave") \
    X(WINDOW_EMPTIED, "BOW: a control instruction empties the window") \
    X(WINDOW_ENTERS_OLD, "BOW: a result of the instruction before enters") \
    X(WINDOW_LOST, "BOW: a run in which the window did not keep all") \
    X(WINDOW_EXACT, "BOW: a run in which it did, and its hits are all that a window has") \
    X(RESET, "reset with instructions inside and caches filled")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

#endif
