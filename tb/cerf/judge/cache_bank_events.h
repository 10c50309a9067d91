/* SPDX-License-Identifier: Apache-2.0 */
/* For the judge of rf_cache_bank: the rules that must have decided in its random runs, and the rules that its slow model can
 * break. */
#ifndef RF_CACHE_BANK_EVENTS_H
#define RF_CACHE_BANK_EVENTS_H

#include "cmodel/cerf/rf_cache_bank.h"

#include "tb/common/judge/judge.h"

/* clang-format off */
#define BANK_SEEN(X) \
    X(READ_REG_HIT, "READ_REG hits") \
    X(READ_REG_DIES, "... for the last time: the entry dies") \
    X(READ_REG_OF_CACHE, "... for the last time, cache data: it stays") \
    X(READ_REG_ZEROS, "REGISTERS: a register that was not written reads as 0") \
    X(ZEROS_BESIDE_MSHR, "... though an MSHR has the line") \
    X(ZEROS_NO_ROOM, "... without room in the queue") \
    X(READ_REG_MERGED, "READ_REG becomes a target") \
    X(READ_REG_FULL, "... not, the MSHR has no room") \
    X(READ_REG_FETCH, "READ_REG fetches") \
    X(READ_REG_FETCH_DEAD, "... what is not kept") \
    X(READ_REG_NO_ROOM, "... not, the queue has no room") \
    X(READ_REG_NO_MSHR, "... not, no MSHR is free") \
    X(READ_REG_RESERVED, "... not, the free one is reserved for cache data") \
    X(WRITE_REG_HIT, "WRITE_REG hits") \
    X(WRITE_REG_OF_CACHE, "... cache data, which becomes a register") \
    X(WRITE_REG_PART, "... and writes some words") \
    X(WRITE_REG_MSHR, "WRITE_REG waits for a fill of its line") \
    X(WRITE_REG_MSHR_ROOM, "... though the queue has room") \
    X(WRITE_REG_VACANT, "WRITE_REG takes a vacant entry") \
    X(WRITE_REG_OVER_CLEAN, "... that of a clean line") \
    X(WRITE_REG_SPILLS_REG, "... that of a register, which is spilled") \
    X(WRITE_REG_SPILLS_DIRTY, "... that of a dirty line, which is written back") \
    X(WRITE_REG_NO_SPILL_ROOM, "... not, the victim finds no room in the queue") \
    X(WRITE_REG_FULL_QUEUE, "... without room, as nothing is spilled") \
    X(WRITE_REG_ZEROS_REST, "REGISTERS: words that are not in mask become 0") \
    X(WRITE_REG_PARTIAL, "WRITE_REG of some words misses and goes to L2") \
    X(WRITE_REG_AROUND, "WRITE_REG of all words finds no victim and goes to L2") \
    X(WRITE_REG_REGISTERS, "REGISTERS: WRITE_REG of some words finds no victim") \
    X(WRITE_REG_NO_ROOM, "... not, the queue has no room") \
    X(LOAD_HIT_CLEAN, "LOAD hits a clean line") \
    X(LOAD_HIT_DIRTY, "... a dirty one") \
    X(LOAD_HIT_REG, "... a register") \
    X(LOAD_DEAD, "... and `dead`, which is not looked at") \
    X(LOAD_MERGED, "LOAD becomes a target") \
    X(LOAD_FULL, "... not, the MSHR has no room") \
    X(LOAD_FETCH, "LOAD fetches") \
    X(LOAD_NO_ROOM, "... not, the queue has no room") \
    X(LOAD_NO_MSHR, "... not, no MSHR is free") \
    X(LOAD_RESERVED, "... not, the free one is reserved for registers") \
    X(BEHIND_DEAD, "READ_REG waits for a last read of its register") \
    X(BEHIND_ATOMIC, "LOAD waits for an atomic of its line") \
    X(MERGED_DEAD, "a last read becomes a target of what is kept") \
    X(MERGED_NO_ROOM, "a target without room in the queue") \
    X(STORE_HIT_CLEAN, "STORE makes a line dirty") \
    X(STORE_HIT_DIRTY, "STORE hits a dirty line") \
    X(STORE_HIT_REG, "STORE hits a register, which stays one") \
    X(STORE_HIT_NO_ROOM, "STORE hits without room in the queue") \
    X(STORE_MSHR, "STORE waits for a fill of its line") \
    X(STORE_MISS, "STORE goes to L2") \
    X(STORE_NO_ROOM, "... not, the queue has no room") \
    X(ATOMIC_DIRTY, "ATOMIC has a dirty line written back") \
    X(ATOMIC_DIRTY_NO_MSHR, "... without an MSHR for itself") \
    X(ATOMIC_DIRTY_NO_ROOM, "... not, the queue has no room") \
    X(ATOMIC_HIT, "ATOMIC drops a clean line and goes to L2") \
    X(ATOMIC_STAYS, "... is refused, and the line stays") \
    X(ATOMIC_MISS, "ATOMIC goes to L2") \
    X(ATOMIC_MSHR, "ATOMIC waits for a fill of its line") \
    X(ATOMIC_NO_ROOM, "... for room in the queue") \
    X(ATOMIC_NO_MSHR, "... for an MSHR") \
    X(ATOMIC_RESERVED, "... as the free one is reserved for registers") \
    X(FLUSH_DIRTY, "FLUSH writes a dirty line back") \
    X(FLUSH_NO_ROOM, "... not, the queue has no room") \
    X(FLUSH_REG, "FLUSH drops a register") \
    X(FLUSH_CLEAN, "... a clean line") \
    X(FLUSH_VACANT, "... nothing") \
    X(FLUSH_NO_SUCH_WAY, "... of a way that does not exist: way 0") \
    X(FLUSH_OTHER_TAG, "... whatever its tag") \
    X(FLUSH_OTHER_HITS, "... not the entry that hits") \
    X(NO_OPERATION, "an operation that is none") \
    X(NO_OPERATION_HITS, "... hits") \
    X(HIT_REFUSED, "a request hits and is refused") \
    X(SET_OF_ONE, "a set beside the only one: it is set 0") \
    X(FILL_NOT_BUSY, "a fill of an MSHR that is not busy") \
    X(FILL_NO_SUCH, "... that does not exist") \
    X(FILL_NOT_KEPT, "a fill that is not kept") \
    X(FILL_AROUND_REG, "a register finds no victim") \
    X(FILL_AROUND_CACHE, "cache data finds no victim") \
    X(FILL_VACANT, "a fill takes a vacant entry") \
    X(FILL_OVER_CLEAN, "... that of a clean line") \
    X(FILL_SPILLS_REG, "... that of a register, which is spilled") \
    X(FILL_SPILLS_DIRTY, "... that of a dirty line, which is written back") \
    X(FILL_REG, "a register comes back") \
    X(FILL_CACHE, "a line comes") \
    X(FILL_HITS, "a fill hits (MSHRs as no inputs make them)") \
    X(FILL_NO_TARGET, "a fill without a target (the same)") \
    X(FILL_ONE, "a fill with one target") \
    X(FILL_TWO, "... with two") \
    X(FILL_MANY, "... with more") \
    X(FILL_FULL_QUEUE, "a fill that spills nothing needs no room") \
    X(FILL_WAITS_ROOM, "a fill waits for room") \
    X(FILL_WAITS_STAGE, "a fill waits for the data stage") \
    X(FILL_LAST_STEP, "a fill is taken in the last step of another access") \
    X(READY_FILL_FIRST, "a fill goes before a request") \
    X(READY_BUSY, "a request waits for the data stage") \
    X(ACCEPT_LAST_STEP, "a request is accepted in the last step of another access") \
    X(ACCEPT_AFTER_FILL, "... of a fill") \
    X(ROOM_LAST, "a message is to have the last place in the queue") \
    X(ROOM_COMING, "the last place in the queue is that of a message which comes") \
    X(ROOM_FILL_PUSHED, "a fill has pushed its victim and counts no more") \
    X(VACANT_LOWEST, "the lowest of several vacant ways") \
    X(VACANT_YOUNGER, "a vacant way, though another is older") \
    X(OLDEST_OF_SEVERAL, "the oldest of several ways") \
    X(POLICY_SPARES, "the policy spares the oldest way") \
    X(CACHE_FINDS_NONE, "CACHE: cache data finds no register and takes the oldest way") \
    X(ANSWER_WHILE_READING, "an answer beside the next read") \
    X(ANSWER_FILL_BEGINS, "an answer beside the first step of a fill") \
    X(ANSWER_ZEROS, "an answer of 0, while the last row read is not") \
    X(MEM_WAITS, "a message waits for L2") \
    X(MEM_READY_EMPTY, "L2 takes what is not there") \
    X(MEM_PUSH_AND_POP, "a message comes as another leaves") \
    X(WAKE_FILL, "wake: a fill") \
    X(WAKE_POP, "wake: a message leaves") \
    X(WAKE_BOTH, "wake: both") \
    X(BANK_RESET, "reset with an access, a message and an MSHR under way")

#define FLAWS(X) \
    X(RIGHT, "no flaw") \
    X(HITS_THE_DEAD, "an inactive entry hits") \
    X(REGISTERS_ARE_NOT_SPILLED, "a register that gives way is lost") \
    X(CLEAN_IS_SPILLED, "a clean line that gives way is written back") \
    X(EVERY_POLICY_IS_FAIR, "each policy is fair") \
    X(HIGHEST_VACANT, "the highest vacant way is taken") \
    X(YOUNGEST_YIELDS, "the youngest way gives way") \
    X(CACHE_FINDS_NO_PLACE, "CACHE: cache data that finds no register goes around") \
    X(WRITE_KEEPS_STATE, "cache data stays cache data when a register is written over it") \
    X(FILL_IS_CACHE, "a register comes back as cache data") \
    X(FILL_IS_DIRTY, "a line comes dirty") \
    X(ANYTHING_DIES, "the last read of cache data frees it") \
    X(NOTHING_DIES, "a last read leaves the entry") \
    X(STORE_DIRTIES_ALL, "a store makes a register dirty") \
    X(READ_TOUCHES_NOT, "a read does not make the entry the youngest") \
    X(WRITE_TOUCHES_NOT, "a write that hits does not") \
    X(FILL_TOUCHES_NOT, "a fill does not") \
    X(NO_RESERVE, "no MSHR is reserved") \
    X(NEVER_MERGES, "a line is fetched twice") \
    X(MERGES_UNKEPT, "what is not kept takes more targets") \
    X(DEAD_IS_KEPT, "what was read for the last time is kept") \
    X(ATOMIC_IS_KEPT, "the answer of an atomic is kept") \
    X(REGISTERS_FETCHES, "REGISTERS: a register that was not written is fetched") \
    X(ROOM_FORGETS_COMING, "the message of the data stage needs no room") \
    X(ROOM_COUNTS_PUSHED, "the victim of a fill that is pushed still needs room") \
    X(SPILL_NEEDS_NO_ROOM, "a victim needs no room") \
    X(VICTIM_TAKES_NEW_LINE, "the victim goes to L2 under the newcomer's line") \
    X(VICTIM_IS_NEW_DATA, "the newcomer's data goes to L2") \
    X(REST_IS_LEFT, "REGISTERS: words that are not in mask stay") \
    X(REST_IS_WRITTEN, "REGISTERS: words that are not in mask are written") \
    X(PARTIAL_ALLOCATES, "a register of which some words are written takes an entry") \
    X(WRITE_ALL_WORDS, "a write that hits writes all words") \
    X(WRITE_PASSES_MSHR, "a write does not wait for a fill of its line") \
    X(ATOMIC_DROPS_DIRTY, "an atomic drops a dirty line") \
    X(ATOMIC_DIRTY_ACCEPTED, "an atomic is accepted with the write-back") \
    X(ATOMIC_DROPS_REFUSED, "an atomic that is refused drops a clean line") \
    X(ATOMIC_LEAVES_CLEAN, "an atomic leaves a clean line") \
    X(FLUSH_BY_TAG, "a flush needs a hit") \
    X(FLUSH_LOSES, "a flush writes nothing back") \
    X(FLUSH_SPARES_REGISTERS, "a flush leaves registers") \
    X(LAST_TARGET_LOST, "the last of several targets is not answered") \
    X(TARGETS_BACKWARDS, "the last target is answered first") \
    X(READY_BESIDE_FILL, "ready beside a fill") \
    X(READY_EARLY, "ready before the last step of a fill") \
    X(NEWEST_FIRST, "the newest message leaves first")
/* clang-format on */
enum { BANK_SEEN(JUDGE_NAME) BANK_EVENTS };
enum { FLAWS(JUDGE_NAME) FLAW_COUNT };
static const char *const bank_event_names[BANK_EVENTS] = {BANK_SEEN(JUDGE_TEXT)};
static const char *const flaw_names[FLAW_COUNT] = {FLAWS(JUDGE_TEXT)};
static uint32_t flaw = RIGHT;

#endif
