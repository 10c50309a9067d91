/* SPDX-License-Identifier: Apache-2.0 */
/* What the lanes of an access touch together: passes of shared memory, requests of lines (docs/memory-side.md). */
#ifndef RF_MEMORY_COALESCE_H
#define RF_MEMORY_COALESCE_H

#include "tb/machine/env/rf_memory_below.h"

#define RF_REQUESTS_MAX 160u /* 32 lanes of local memory, 16 bytes each, which begin inside a word: 5 words a lane */

typedef struct rf_memory_requests {
    uint32_t count;
    rf_memory_sectors of[RF_REQUESTS_MAX]; /* in the order of their first touch */
} rf_memory_requests;

/* The requests of a global, local or texture access with addresses, for lines and sectors of 1 << their bits bytes. */
void rf_memory_coalesce(const rf_memory_access *access, uint32_t line_bits, uint32_t sector_bits, rf_memory_requests *out);

/* The passes of an access to shared memory, with addresses and an active lane, in `banks` banks. */
uint32_t rf_memory_passes(const rf_memory_access *access, uint32_t banks);

#endif
