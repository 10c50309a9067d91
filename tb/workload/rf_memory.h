/* SPDX-License-Identifier: Apache-2.0 */
/* An rf_source over texts in memory, handed out in pieces of a chosen size, and an rf_sink into memory. */
#ifndef RF_MEMORY_H
#define RF_MEMORY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_stream.h"

typedef struct rf_memory_file {
    const char *path, *text;
    size_t size, piece; /* piece: most bytes a read hands out */
    size_t fail_at;     /* 0, or: the read that would pass this offset fails */
} rf_memory_file;

typedef struct rf_memory {
    const rf_memory_file *file;
    size_t count;
} rf_memory;

typedef struct rf_memory_handle {
    const rf_memory_file *file;
    size_t at;
} rf_memory_handle;

static int rf_memory_open(void *ctx, const char *path, void **handle, char *error, size_t size) {
    const rf_memory *const memory = ctx;
    for (size_t i = 0; i < memory->count; i++) {
        if (strcmp(memory->file[i].path, path) != 0) continue;
        rf_memory_handle *const made = malloc(sizeof *made);
        if (!made) break;
        *made = (rf_memory_handle){.file = &memory->file[i]};
        *handle = made;
        return 0;
    }
    (void)snprintf(error, size, "%s: no such text", path);
    return -1;
}

static long rf_memory_read(void *handle, void *buffer, size_t size, char *error, size_t error_size) {
    rf_memory_handle *const h = handle;
    size_t n = h->file->size - h->at;
    if (n > size) n = size;
    if (n > h->file->piece) n = h->file->piece;
    if (h->file->fail_at && h->at + n > h->file->fail_at) {
        (void)snprintf(error, error_size, "%s: disk on fire", h->file->path);
        return -1;
    }
    memcpy(buffer, h->file->text + h->at, n);
    h->at += n;
    return (long)n;
}

static void rf_memory_close(void *handle) { free(handle); }

static inline rf_source rf_memory_source(rf_memory *memory) {
    return (rf_source){.ctx = memory, .open = rf_memory_open, .read = rf_memory_read, .close = rf_memory_close};
}

/* An rf_sink into memory. {0} at first; free() its bytes. */
typedef struct rf_memory_bytes {
    char *bytes;
    size_t size, capacity;
    size_t fail_at; /* 0, or: the write that would pass this size fails */
} rf_memory_bytes;

static inline int rf_memory_write(void *ctx, const void *bytes, size_t size, char *error, size_t error_size) {
    rf_memory_bytes *const m = ctx;
    if (m->size + size > m->capacity) {
        m->capacity = 2 * (m->size + size);
        m->bytes = realloc(m->bytes, m->capacity);
    }
    if (!m->bytes || (m->fail_at && m->size + size > m->fail_at)) {
        (void)snprintf(error, error_size, "disk full");
        return -1;
    }
    memcpy(m->bytes + m->size, bytes, size);
    m->size += size;
    return 0;
}

static inline rf_sink rf_memory_sink(rf_memory_bytes *to) { return (rf_sink){.ctx = to, .write = rf_memory_write}; }

#endif
