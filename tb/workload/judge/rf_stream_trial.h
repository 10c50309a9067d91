/* SPDX-License-Identifier: Apache-2.0 */
/* Writing and reading stream files in memory, for the tests of rf_stream. */
#ifndef RF_STREAM_TRIAL_H
#define RF_STREAM_TRIAL_H

#include "cmodel/workload/rf_opcode.h"
#include "tb/workload/rf_memory.h"
#include "tb/workload/judge/rf_stream_seal.h"

static inline void set_text(rf_inst *inst, const char *text) {
    inst->mnemonic = text;
    inst->opcode = rf_fnv1a(text, strlen(text));
}

static inline rf_stream_writer *open_writer(rf_memory_bytes *to) {
    const rf_sink sink = rf_memory_sink(to);
    char error[256] = "";
    rf_stream_writer *const w = rf_stream_writer_open(&sink, error, sizeof error);
    assert_non_null(w);
    return w;
}

static inline void close_writer(rf_stream_writer *w) {
    char error[256] = "";
    const int status = rf_stream_writer_close(w, error, sizeof error);
    if (status != 0) fail_msg("%s", error);
}

typedef struct reading {
    rf_memory_file file;
    rf_memory memory;
    rf_source source;
    rf_stream *stream;
    rf_warp warp;
    const rf_program *program;
    char error[512];
} reading;

static inline bool open_reader(reading *x, const void *bytes, size_t size, size_t piece) {
    *x = (reading){.file = {.path = "a.rfs", .text = bytes, .size = size, .piece = piece}};
    x->memory = (rf_memory){&x->file, 1};
    x->source = rf_memory_source(&x->memory);
    x->stream = rf_stream_open(&x->source, "a.rfs", x->error, sizeof x->error);
    return x->stream;
}

static inline int next(reading *x) {
    const int got = rf_stream_next(x->stream, &x->warp, &x->program);
    if (got < 0) (void)snprintf(x->error, sizeof x->error, "%s", rf_stream_error(x->stream));
    return got;
}

static inline void close_reader(reading *x) {
    rf_stream_close(x->stream);
    rf_warp_free(&x->warp);
}

/* Reads to the end; -1 and the message, or 0 when it ended well. */
static inline int read_all(reading *x, const void *bytes, size_t size) {
    int got = -1;
    if (open_reader(x, bytes, size, SIZE_MAX)) do
            got = next(x);
        while (got == 1);
    const char *const at = strstr(x->error, "a.rfs: byte ");
    if (got < 0 && (!at || strtoull(at + 12, NULL, 10) > size)) fail_msg("\"%s\" names no byte of the file", x->error);
    close_reader(x);
    return got;
}

#endif
