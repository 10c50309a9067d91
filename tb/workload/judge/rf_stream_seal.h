/* SPDX-License-Identifier: Apache-2.0 */
/* Puts the checksums of a forged stream file right: what is left between it and harm is the reader's own care. */
#ifndef RF_STREAM_SEAL_H
#define RF_STREAM_SEAL_H

#include "cmodel/workload/rf_crc32c.h"
#include "cmodel/workload/rf_stream_code.h"

static inline void rf_stream_seal(uint8_t *p, size_t size) {
    rf_crc32c tables;
    if (size < RF_STREAM_HEAD) return;
    rf_crc32c_init(&tables);
    uint32_t crc = rf_crc32c_update(&tables, 0, p, 12);
    for (uint32_t i = 0; i < 4; i++) p[12 + i] = (uint8_t)(crc >> 8 * i);
    for (size_t at = RF_STREAM_HEAD; at + 8 <= size;) {
        const size_t payload = p[at] | (uint32_t)p[at + 1] << 8 | (uint32_t)p[at + 2] << 16;
        if (payload + 8 > size - at) return;
        crc = rf_crc32c_update(&tables, crc, p + at, 4 + payload);
        for (uint32_t i = 0; i < 4; i++) p[at + 4 + payload + i] = (uint8_t)(crc >> 8 * i);
        at += payload + 8;
    }
}

#endif
