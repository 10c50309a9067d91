/* SPDX-License-Identifier: Apache-2.0 */
/* CRC-32C (Castagnoli): polynomial 0x1edc6f41, reflected, start and final inversion, as in iSCSI (RFC 3720, appendix B.4). */
#ifndef RF_CRC32C_H
#define RF_CRC32C_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Tables for eight bytes at a time (M. Kounavis, F. Berry, "A systematic approach to building high performance software-based CRC
 * generators", 2005). */
typedef struct rf_crc32c {
    uint32_t table[8][256];
} rf_crc32c;

void rf_crc32c_init(rf_crc32c *tables);

/* The checksum of what `crc` is the checksum of (0: of nothing), followed by `size` bytes. */
uint32_t rf_crc32c_update(const rf_crc32c *tables, uint32_t crc, const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif
#endif
