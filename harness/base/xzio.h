/* SPDX-License-Identifier: Apache-2.0 */
/* Workload files over stdio and liblzma: plain or .xz; when read, told apart by their first bytes. */
#ifndef LS_XZIO_H
#define LS_XZIO_H

#include "cmodel/workload/rf_source.h"
#include "cmodel/workload/rf_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Regular files only: what else there is cannot be read twice. Streaming, one or more concatenated .xz streams, checks verified;
 * a file whose decoder wants more than 256 MiB is refused. */
extern const rf_source ls_xzio;

/* A file being written: under another name beside `path` until it is whole. */
typedef struct ls_xzout ls_xzout;

/* Begins a file; packed (fastest preset, CRC64) when `path` ends in .xz. Where a symbolic link leads, the link stays. NULL and a
 * message; what is there and no regular file is left alone. */
ls_xzout *ls_xzout_open(const char *path, char *error, size_t size);
/* What writes to it: valid until commit or discard. */
rf_sink ls_xzout_sink(ls_xzout *out);
/* Ends it and gives it its name, at once: 0 and the file's bytes in *bytes (may be NULL), or -1 and a message; then nothing of it
 * is left. */
int ls_xzout_commit(ls_xzout *out, uint64_t *bytes, char *error, size_t size);
/* Removes it; NULL is allowed. */
void ls_xzout_discard(ls_xzout *out);

#ifdef __cplusplus
}
#endif
#endif
