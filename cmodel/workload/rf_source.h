/* SPDX-License-Identifier: Apache-2.0 */
/* Where a workload's bytes come from: the caller opens files and unpacks them; the readers here only read. */
#ifndef RF_SOURCE_H
#define RF_SOURCE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_source {
    void *ctx;
    /* Opens `path`; 0 and *handle, or -1 and a message of at most size-1 characters (names the file) in `error`. */
    int (*open)(void *ctx, const char *path, void **handle, char *error, size_t size);
    /* Up to `size` bytes into `buffer`: the number read, 0 at the end, -1 with a message (damaged archive, I/O error). */
    long (*read)(void *handle, void *buffer, size_t size, char *error, size_t error_size);
    void (*close)(void *handle);
} rf_source;

#ifdef __cplusplus
}
#endif
#endif
