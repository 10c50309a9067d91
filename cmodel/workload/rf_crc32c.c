/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/workload/rf_crc32c.h"

#define REFLECTED UINT32_C(0x82f63b78) /* the polynomial, lowest power first */

void rf_crc32c_init(rf_crc32c *tables) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (uint32_t bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? REFLECTED : 0);
        tables->table[0][byte] = crc;
    }
    for (uint32_t i = 1; i < 8; i++)
        for (uint32_t byte = 0; byte < 256; byte++) {
            const uint32_t before = tables->table[i - 1][byte];
            tables->table[i][byte] = before >> 8 ^ tables->table[0][before & 255];
        }
}

uint32_t rf_crc32c_update(const rf_crc32c *tables, uint32_t crc, const void *bytes, size_t size) {
    const uint32_t(*const t)[256] = tables->table;
    const uint8_t *p = bytes;
    crc = ~crc;
    for (; size >= 8; size -= 8, p += 8) {
        const uint32_t low = crc ^ ((uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
        crc = t[7][low & 255] ^ t[6][low >> 8 & 255] ^ t[5][low >> 16 & 255] ^ t[4][low >> 24] ^ t[3][p[4]] ^ t[2][p[5]] ^
              t[1][p[6]] ^ t[0][p[7]];
    }
    for (; size > 0; size--) crc = crc >> 8 ^ t[0][(crc ^ *p++) & 255];
    return ~crc;
}
