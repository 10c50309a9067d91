/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 (FIPS 180-4): digests that others can check with `sha256sum`. Keys of the cache are ls_hash's. */
#ifndef LS_SHA256_H
#define LS_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LS_SHA256_HEX 65 /* 64 digits and a NUL */

/* Of `size` bytes, as hexadecimal digits. */
void ls_sha256(const void *data, size_t size, char hex[LS_SHA256_HEX]);

/* Of a file's contents. False: it cannot be read, and `hex` is "". */
bool ls_sha256_file(const char *path, char hex[LS_SHA256_HEX]);

/* Adds whole blocks of 64 bytes to the state. The plain form, which every machine has, stands here for the test alone. */
void ls_sha256_blocks_plain(uint32_t state[8], const uint8_t *data, size_t blocks);
void ls_sha256_blocks(uint32_t state[8], const uint8_t *data, size_t blocks);

#endif
