/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/xzio.h"

#include <errno.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmodel/workload/rf_lines.h"
#include "harness/base/text.h"

#define MEMORY_LIMIT (UINT64_C(256) << 20) /* xz -9 needs 65 MiB */
#define CHUNK 65536u

typedef struct xz_file {
    FILE *file;
    char path[RF_PATH_SHOWN]; /* for messages */
    bool started, packed;
    lzma_stream stream;
    lzma_ret status; /* LZMA_STREAM_END: nothing follows */
    uint8_t chunk[CHUNK];
} xz_file;

static const uint8_t magic[6] = {0xfd, '7', 'z', 'X', 'Z', 0};

static void close_file(void *handle) {
    xz_file *const f = handle;
    lzma_end(&f->stream);
    (void)fclose(f->file);
    free(f);
}

static int open_file(void *ctx, const char *path, void **handle, char *error, size_t size) {
    (void)ctx;
    struct stat status;
    char shown[RF_PATH_SHOWN];
    FILE *file = NULL;
    (void)rf_path_shown(path, shown);
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) { /* asked before opening: a FIFO would wait for a writer */
        (void)snprintf(error, size, "%s: %s", shown,
                       S_ISDIR(status.st_mode)
                           ? strerror(EISDIR)
                           : "no regular file: a workload is read more than once; write it into a file first");
        return -1;
    }
    if (!(file = fopen(path, "rb"))) {
        (void)snprintf(error, size, "%s: %s", shown, strerror(errno));
        return -1;
    }
    xz_file *const f = calloc(1, sizeof *f);
    if (!f) {
        (void)snprintf(error, size, "%s: no memory", shown);
        (void)fclose(file);
        return -1;
    }
    f->file = file;
    (void)rf_path_shown(path, f->path);
    f->stream = (lzma_stream)LZMA_STREAM_INIT;
    *handle = f;
    return 0;
}

/* liblzma's reasons in words. */
static const char *reason(lzma_ret status) {
    switch (status) {
    case LZMA_MEM_ERROR:
        return "xz: no memory";
    case LZMA_MEMLIMIT_ERROR:
        return "xz: the decoder wants more than 256 MiB";
    case LZMA_OPTIONS_ERROR:
        return "xz: made with options this liblzma does not know";
    case LZMA_DATA_ERROR:
        return "xz: damaged data, or something other than xz behind a stream";
    case LZMA_BUF_ERROR:
        return "xz: the file is truncated";
    default:
        return "xz: decoder error";
    }
}

/* Refills the chunk; false and a message on an I/O error. */
static bool refill(xz_file *f, char *error, size_t size) {
    f->stream.next_in = f->chunk;
    f->stream.avail_in = fread(f->chunk, 1, sizeof f->chunk, f->file);
    if (!ferror(f->file)) return true;
    (void)snprintf(error, size, "%s: %s", f->path, strerror(errno));
    return false;
}

static long read_file(void *handle, void *buffer, size_t size, char *error, size_t error_size) {
    xz_file *const f = handle;
    if (!f->started) {
        f->started = true;
        if (!refill(f, error, error_size)) return -1;
        f->packed = f->stream.avail_in >= sizeof magic && memcmp(f->chunk, magic, sizeof magic) == 0;
        if (f->packed) f->status = lzma_stream_decoder(&f->stream, MEMORY_LIMIT, LZMA_CONCATENATED);
    }
    if (!f->packed) {
        if (f->stream.avail_in == 0 && !refill(f, error, error_size)) return -1;
        const size_t n = size < f->stream.avail_in ? size : f->stream.avail_in;
        memcpy(buffer, f->stream.next_in, n);
        f->stream.next_in += n;
        f->stream.avail_in -= n;
        return (long)n;
    }
    f->stream.next_out = buffer;
    f->stream.avail_out = size;
    while (f->status == LZMA_OK && f->stream.avail_out == size) {
        if (f->stream.avail_in == 0 && !feof(f->file) && !refill(f, error, error_size)) return -1;
        f->status = lzma_code(&f->stream, feof(f->file) ? LZMA_FINISH : LZMA_RUN);
    }
    const size_t got = size - f->stream.avail_out;
    if (got > 0 || f->status == LZMA_STREAM_END) return (long)got; /* what came before an error is still good */
    (void)snprintf(error, error_size, "%s: %s", f->path, reason(f->status));
    return -1;
}

const rf_source ls_xzio = {.ctx = NULL, .open = open_file, .read = read_file, .close = close_file};

/* --- writing ---------------------------------------------------------------------------------------------------------------- */

struct ls_xzout {
    FILE *file;
    char *path, *temporary; /* the name to come, the name until then */
    bool packed;
    lzma_stream stream;
    uint8_t chunk[CHUNK];
};

static void release(ls_xzout *out) {
    lzma_end(&out->stream);
    if (out->file) (void)fclose(out->file);
    free(out->path);
    free(out->temporary);
    free(out);
}

void ls_xzout_discard(ls_xzout *out) {
    if (!out) return;
    if (out->file) (void)unlink(out->temporary);
    release(out);
}

ls_xzout *ls_xzout_open(const char *path, char *error, size_t size) {
    const size_t length = strlen(path);
    ls_xzout *const out = ls_alloc(1, sizeof *out);
    out->stream = (lzma_stream)LZMA_STREAM_INIT;
    out->packed = length > 3 && strcmp(path + length - 3, ".xz") == 0;
    const int fd = ls_open_beside(path, &out->path, &out->temporary);
    if (fd < 0) {
        (void)snprintf(error, size, "%s: %s", path, fd == -ENOTSUP ? "no regular file: left as it is" : strerror(-fd));
        release(out);
        return NULL;
    }
    out->file = fdopen(fd, "wb");
    if (!out->file || fchmod(fd, 0644) != 0) {
        (void)snprintf(error, size, "%s: %s", path, strerror(errno));
        if (!out->file) {
            (void)close(fd);
            (void)unlink(out->temporary);
        }
        ls_xzout_discard(out);
        return NULL;
    }
    if (!out->packed || lzma_easy_encoder(&out->stream, 0, LZMA_CHECK_CRC64) == LZMA_OK) return out;
    (void)snprintf(error, size, "%s: xz: no memory for the encoder", path);
    ls_xzout_discard(out);
    return NULL;
}

static int write_bytes(ls_xzout *out, const void *bytes, size_t count, char *error, size_t size) {
    if (fwrite(bytes, 1, count, out->file) == count) return 0;
    (void)snprintf(error, size, "%s: %s", out->path, strerror(errno));
    return -1;
}

/* Packs what the stream has to take, to its end with LZMA_FINISH. */
static int pack(ls_xzout *out, lzma_action action, char *error, size_t size) {
    lzma_ret status = LZMA_OK;
    do {
        out->stream.next_out = out->chunk;
        out->stream.avail_out = sizeof out->chunk;
        status = lzma_code(&out->stream, action);
        if (status != LZMA_OK && status != LZMA_STREAM_END) {
            (void)snprintf(error, size, "%s: xz: encoder error %d", out->path, (int)status);
            return -1;
        }
        if (write_bytes(out, out->chunk, sizeof out->chunk - out->stream.avail_out, error, size) != 0) return -1;
    } while (action == LZMA_FINISH ? status != LZMA_STREAM_END : out->stream.avail_in > 0);
    return 0;
}

static int write_file(void *ctx, const void *bytes, size_t count, char *error, size_t size) {
    ls_xzout *const out = ctx;
    if (!out->packed) return write_bytes(out, bytes, count, error, size);
    out->stream.next_in = bytes;
    out->stream.avail_in = count;
    return pack(out, LZMA_RUN, error, size);
}

rf_sink ls_xzout_sink(ls_xzout *out) { return (rf_sink){.ctx = out, .write = write_file}; }

int ls_xzout_commit(ls_xzout *out, uint64_t *bytes, char *error, size_t size) {
    out->stream.avail_in = 0;
    int status = out->packed ? pack(out, LZMA_FINISH, error, size) : 0;
    const off_t end = ftello(out->file);
    if (status == 0 && (fclose(out->file) != 0 || rename(out->temporary, out->path) != 0)) {
        (void)snprintf(error, size, "%s: %s", out->path, strerror(errno));
        status = -1;
        (void)unlink(out->temporary);
        out->file = NULL;
    }
    if (status != 0) {
        ls_xzout_discard(out);
        return -1;
    }
    out->file = NULL;
    if (bytes) *bytes = (uint64_t)end;
    release(out);
    return 0;
}
