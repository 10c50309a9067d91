/* SPDX-License-Identifier: Apache-2.0 */
/* What the places of a pending queue hold, as functions that a caller compiles in: private to rf_pending_queue and rf_wir_lane.
 * Without a branch on head and level, which are random to a branch predictor. */
#ifndef RF_PENDING_QUEUE_PARTS_H
#define RF_PENDING_QUEUE_PARTS_H

#include "cmodel/wir/rf_pending_queue.h"
#include "cmodel/wir/rf_wir_words.h"

#include <string.h>

#define RF_PENDING_LITTLE (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#define RF_PENDING_BYTES_MAX (RF_PENDING_DEPTH_MAX * RF_REUSE_SLOTS_MAX) /* of an array of the model, a byte an element */

typedef uint8_t rf_pending_line __attribute__((vector_size(16)));

RF_WIR_PART rf_pending_line rf_pending_load(const uint8_t *from) {
    rf_pending_line x;
    memcpy(&x, from, sizeof x);
    return x;
}

/* Bytes whose first `n` are all ones, from the address returned on. */
RF_WIR_PART const uint8_t *rf_pending_first_bytes(uint32_t n) {
#define RF_ONES 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255
    static const uint8_t window[2 * RF_PENDING_BYTES_MAX] = {RF_ONES, RF_ONES, RF_ONES, RF_ONES, RF_ONES, RF_ONES};
#undef RF_ONES
    return window + RF_PENDING_BYTES_MAX - n;
}

/* An array of the model in the order of the places, 0 where none is: `width` bytes an entry, `bytes` of them at most, rounded up
 * to whole lines. Places are entries from the head on, then from entry 0 on; what lies around the array in the model is loaded
 * too and masked off. */
RF_WIR_PART void rf_pending_ordered(const rf_pending_queue *m, size_t offset, uint32_t width, uint32_t bytes, uint8_t *to) {
    const uint8_t *const upper = (const uint8_t *)m + offset + m->rd_ptr_q * width, *const lower = upper - m->cfg.depth * width;
    const uint8_t *const is_upper = rf_pending_first_bytes((m->cfg.depth - m->rd_ptr_q) * width);
    const uint8_t *const there = rf_pending_first_bytes(m->level_q * width);
    for (uint32_t i = 0; i < bytes; i += (uint32_t)sizeof(rf_pending_line)) {
        const rf_pending_line a = rf_pending_load(upper + i), b = rf_pending_load(lower + i);
        const rf_pending_line all = (b ^ ((a ^ b) & rf_pending_load(is_upper + i))) & rf_pending_load(there + i);
        memcpy(to + i, &all, sizeof all);
    }
}

#ifndef __cplusplus
_Static_assert(offsetof(rf_pending_queue, warp_q) >= RF_PENDING_DEPTH_MAX &&
                   offsetof(rf_pending_queue, src_valid_q) >= RF_PENDING_DEPTH_MAX &&
                   offsetof(rf_pending_queue, src_q) >= RF_PENDING_BYTES_MAX &&
                   sizeof(rf_pending_queue) >= offsetof(rf_pending_queue, src_q) + 2 * RF_PENDING_BYTES_MAX,
               "what is loaded around an array belongs to the model");
#endif

/* Warp, sources yet to be read and their registers (element place * slots + slot) of every place, 0 where none is. Written are
 * RF_PENDING_DEPTH_MAX places, however deep the queue is; `slots` is its configuration's. */
RF_WIR_PART void rf_pending_places(const rf_pending_queue *m, uint32_t slots, uint8_t *warp, uint8_t *src_valid, uint8_t *src) {
    rf_pending_ordered(m, offsetof(rf_pending_queue, warp_q), 1, RF_PENDING_DEPTH_MAX, warp);
    rf_pending_ordered(m, offsetof(rf_pending_queue, src_valid_q), 1, RF_PENDING_DEPTH_MAX, src_valid);
    rf_pending_ordered(m, offsetof(rf_pending_queue, src_q), slots, RF_PENDING_DEPTH_MAX * slots, src);
}

/* Per place: its space is one of the two with the higher bit. */
RF_WIR_PART uint32_t rf_pending_loads(const rf_pending_queue *m) {
    const uint32_t depth = m->cfg.depth, head = m->rd_ptr_q;
    uint32_t entries = 0;
    if (RF_PENDING_LITTLE) { /* the bits of eight bytes at a time, gathered in the highest byte of a product */
        for (uint32_t i = 0; i < RF_PENDING_DEPTH_MAX; i += 8) {
            uint64_t spaces;
            memcpy(&spaces, m->space_q + i, sizeof spaces);
            entries |= (uint32_t)((spaces >> 1 & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56) << i;
        }
    } else {
        for (uint32_t i = 0; i < RF_PENDING_DEPTH_MAX; i++) entries |= (m->space_q[i] >> 1 & 1u) << i;
    }
    return (entries >> head | entries << (depth - head)) & (uint32_t)rf_mask64(m->level_q);
}

#endif
