/* SPDX-License-Identifier: Apache-2.0 */
/* Binary stream file: programs and their warps' instructions with masks, addresses, values and hints (docs/stream.md has the
 * format).
 *
 * Little-endian, versioned, in chunks that each carry their length and a CRC-32C; the last chunk says how many warps and
 * instructions there were, so that a file cut anywhere is noticed. Values and addresses are stored as uniform, base and stride,
 * or lane by lane. Compression of the whole file (xz) is the caller's: `rf_source` unpacks, `rf_sink` packs. */
#ifndef RF_STREAM_H
#define RF_STREAM_H

#include "cmodel/workload/rf_program.h"
#include "cmodel/workload/rf_source.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_STREAM_VERSION 2u       /* written; 1, without places in the hints, is read too */
#define RF_STREAM_MAGIC "rfstream" /* the first 8 bytes */

typedef struct rf_sink {
    void *ctx;
    /* Takes all of `size` bytes: 0, or -1 and a message. */
    int (*write)(void *ctx, const void *bytes, size_t size, char *error, size_t error_size);
} rf_sink;

typedef struct rf_stream_writer rf_stream_writer;

/* NULL and a message on failure. Afterwards an error sticks: every call returns -1, rf_stream_writer_close too. */
rf_stream_writer *rf_stream_writer_open(const rf_sink *sink, char *error, size_t size);
/* A kernel: its warps follow. */
int rf_stream_write_program(rf_stream_writer *writer, const rf_program *program);
/* A warp of the kernel written last. Instructions whose `index` names a static one are checked against it and stored by number;
 * others whole. -1 also for an instruction that contradicts its static one. */
int rf_stream_write_warp(rf_stream_writer *writer, const rf_warp *warp);
/* Writes the end, frees: 0, or -1 and the first error's message. */
int rf_stream_writer_close(rf_stream_writer *writer, char *error, size_t size);
/* Frees without an end: the file stays recognisably incomplete. */
void rf_stream_writer_abandon(rf_stream_writer *writer);

typedef struct rf_stream rf_stream;

/* Opens and reads the file head. NULL and a message "FILE: byte N: field: what (range)". */
rf_stream *rf_stream_open(const rf_source *source, const char *path, char *error, size_t size);
/* The next warp, its memory reused ({0} at first), and its kernel, valid until the next call: 1; 0 at the proper end; -1 for
 * damage, and then for ever. Nothing of a chunk is handed out before its checksum held. An instruction with mask 0 has no
 * registers; mnemonics live as long as the stream. Memory is proportional to the largest warp and program. */
int rf_stream_next(rf_stream *stream, rf_warp *out, const rf_program **program);
/* Kernels so far, also those without a warp. */
uint32_t rf_stream_kernels(const rf_stream *stream);
const char *rf_stream_error(const rf_stream *stream);
void rf_stream_close(rf_stream *stream);

#ifdef __cplusplus
}
#endif
#endif
