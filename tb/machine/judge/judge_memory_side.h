/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model of the memory side that judges rf_memory_side, written from docs/memory-side.md: lists that are searched from
 * end to end. A line that was ever in a cache, a move that was ever made on a link, an MSHR that was ever held stays listed. */
#ifndef TB_JUDGE_MEMORY_SIDE_H
#define TB_JUDGE_MEMORY_SIDE_H

#include "tb/common/judge/judge.h"
#include "tb/machine/env/rf_memory_side.h"

/* What each rule decided, as often as it did. */
/* clang-format off */
#define SLOW_RULES(X) \
    X(R_NO_LANE, "no active lane") X(R_CONSTANT, "constant access") X(R_NO_ADDRESS, "access without addresses") \
    X(R_LSU_WAIT, "start waits for the load/store unit") X(R_TEXTURE_WAIT, "start waits for the texture unit") \
    X(R_TEXTURE, "texture access that adds its latency") X(R_FLUSH, "flush") \
    X(R_SHARED_FREE, "shared access without conflict") X(R_SHARED_CONFLICT_1, "bank conflict in an access of 1 phase") \
    X(R_SHARED_CONFLICT_2, "bank conflict in an access of 2 phases") \
    X(R_SHARED_CONFLICT_4, "bank conflict in an access of 4 phases") X(R_SHARED_SAME, "lanes share a pass") \
    X(R_SHARED_ATOMIC, "atomics on one word do not") X(R_SHARED_IDLE, "phase without active lane") \
    X(R_SHARED_TWO_WORDS, "lane of up to 4 bytes in two words") X(R_ONE_REQUEST, "access of one request") \
    X(R_REQUESTS, "access of several requests") X(R_LANE_CROSSES, "lane that crosses a line") \
    X(R_LANE_WRAPS, "lane that crosses 2^64") X(R_RETURN_TO_LINE, "request gains a sector after another request began") \
    X(R_LOCAL_SPLIT, "local access over several words of a lane") X(R_HIT, "L1 hit") X(R_MERGE, "L1 merge") \
    X(R_MERGE_LATE, "merge that ends with its line") X(R_MERGE_SOON, "merge that ends after L1's latency") \
    X(R_SECTOR_MISS, "L1 sector miss") X(R_SECTOR_PART, "sector miss beside sectors that are there") \
    X(R_PART_LATER, "which end after the fetch") X(R_MISS_EMPTY, "L1 miss into an empty way") \
    X(R_MISS_EVICTS, "L1 miss that evicts the least recently used") \
    X(R_MISS_SKIPS, "L1 miss that evicts another, as that is on its way") X(R_ALL_ON_WAY, "all ways on their way") \
    X(R_MSHR_WAIT, "wait for an MSHR") X(R_MSHR_SAME_LINE, "second MSHR of a line") X(R_STORE_EVICTS, "store evicts from L1") \
    X(R_STORE_ON_WAY, "store leaves a line on its way") X(R_STORE_UPDATES, "store updates L1") \
    X(R_STORE_YOUNGEST, "store to a line without its sector") X(R_STORE_NOT_THERE, "store to no line of L1") \
    X(R_ATOMIC_EVICTS, "atomic evicts from L1") X(R_ATOMIC_ON_WAY, "atomic leaves a line on its way") \
    X(R_NO_L1_LOAD, "load without L1") X(R_NO_L1_STORE, "store without L1") X(R_NO_L1_ATOMIC, "atomic without L1") \
    X(R_L2_HIT, "L2 hit") X(R_L2_SECTOR, "missing sector of a line in L2") X(R_L2_EMPTY, "L2 fetch into an empty way") \
    X(R_L2_EVICTS, "L2 evicts a clean line") X(R_L2_DIRTY, "fetch evicts a dirty line from L2") \
    X(R_L2_WHOLE, "DRAM moves more than the fetch") X(R_L2_DIRTY_HIT, "fetch of a dirty sector") \
    X(R_WRITE_HIT, "write to an L2 sector that is there") X(R_WRITE_SECTOR, "write to a missing sector of a line in L2") \
    X(R_WRITE_EMPTY, "write into an empty way of L2") X(R_WRITE_DIRTY, "write evicts a dirty line from L2") \
    X(R_NO_L2_FETCH, "fetch without L2") X(R_NO_L2_WRITE, "write without L2") X(R_DOWN_BUSY, "down link busy") \
    X(R_UP_BUSY, "up link busy") X(R_READ_BUSY, "DRAM busy for a read") X(R_DRAM_BUSY, "DRAM busy for a write") \
    X(R_ROUNDED, "end rounded up")

#define SLOW_COUNTERS(X) \
    X(mem_accesses) X(mem_loads) X(mem_stores) X(mem_atomics) X(mem_requests) X(shared_accesses) X(shared_passes) X(l1_loads) \
    X(l1_hits) X(l1_merges) X(l1_sector_misses) X(l1_misses) X(l1_wait_cycles) X(l2_fetches) X(l2_hits) X(l2_writes) \
    X(dram_read_bytes) X(dram_written_bytes) X(link_down_bytes) X(link_up_bytes) X(lsu_wait_cycles)
/* clang-format on */

enum { SLOW_RULES(JUDGE_NAME) RULES };
#define SLOW_COUNTER_NAME(name) C_##name,
#define SLOW_COUNTER_TEXT(name) #name,
enum { SLOW_COUNTERS(SLOW_COUNTER_NAME) COUNTERS };

typedef struct slow_memory slow_memory;

/* As the functions of rf_memory_side.h. */
slow_memory *slow_memory_new(const rf_memory_cfg *cfg);
void slow_memory_free(slow_memory *m);
uint64_t slow_memory_access(slow_memory *m, const rf_memory_access *access, uint64_t now);
void slow_memory_flush(slow_memory *m);
/* The first cycle in which the load/store unit is ready. */
uint64_t slow_memory_ready_from(const slow_memory *m);
/* COUNTERS numbers. */
const uint64_t *slow_memory_counts(const slow_memory *m);
/* RULES numbers. */
const uint64_t *slow_memory_rules(const slow_memory *m);

#endif
