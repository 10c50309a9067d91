/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/workload/rf_workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_kernellist.h"
#include "cmodel/workload/rf_lines.h"
#include "cmodel/workload/rf_stream.h"
#include "cmodel/workload/rf_traceg.h"
#include "cmodel/workload/rf_ventus.h"

struct rf_workload {
    rf_workload_kind kind;
    const rf_source *source;
    rf_kernellist list;
    char list_path[RF_PATH_SHOWN]; /* for messages */
    size_t next;                   /* launch to open next */
    rf_optable *table;
    rf_traceg *trace;  /* open trace, or NULL */
    rf_stream *stream; /* of a stream file, else NULL */
    rf_ventus *log;    /* of a Ventus log, else NULL */
    rf_workload_head head;
    uint32_t kernels;                       /* begun so far */
    uint32_t kernel;                        /* of the warp handed out last + 1 */
    uint64_t warps;                         /* handed out so far */
    uint64_t unknown;                       /* of closed traces */
    uint64_t missing_blocks, missing_warps; /* of traces read to their end */
    const char *first_unknown;
    bool failed;
    char error[RF_WORKLOAD_ERROR_MAX];
};

static int failed(rf_workload *w, const char *error) {
    (void)snprintf(w->error, sizeof w->error, "%s", error);
    w->failed = true;
    return -1;
}

/* --- traces ----------------------------------------------------------------------------------------------------------------- */

/* Whether the source can open `path`. */
static bool exists(const rf_source *source, const char *path) {
    char ignored[RF_WORKLOAD_ERROR_MAX];
    void *handle = NULL;
    if (source->open(source->ctx, path, &handle, ignored, sizeof ignored) != 0) return false;
    source->close(handle);
    return true;
}

/* The trace `path`, or, when there is no such file, the one with .xz added or taken away, if there is that: the caller's to free;
 * NULL: no memory. */
static char *trace_path(const rf_source *source, const char *path) {
    const size_t length = strlen(path);
    const bool packed = length > 3 && strcmp(path + length - 3, ".xz") == 0;
    char *const other = malloc(length + 4);
    if (!other) return NULL;
    strcpy(other, path);
    strcpy(other + (packed ? length - 3 : length), packed ? "" : ".xz");
    if (exists(source, path) || !exists(source, other)) strcpy(other, path);
    return other;
}

static rf_traceg *open_trace(const rf_source *source, const char *path, rf_optable *table, char *error, size_t size) {
    char *const found = trace_path(source, path);
    if (!found) {
        (void)snprintf(error, size, "%s: no memory", path);
        return NULL;
    }
    rf_traceg *const trace = rf_traceg_open(source, found, table, error, size);
    free(found);
    return trace;
}

/* Every trace that the list names is there: told before the first of them runs. */
static bool all_there(const rf_source *source, const char *list_path, const rf_kernellist *list, char *error, size_t size) {
    for (size_t i = 0; i < list->count; i++) {
        if (list->launch[i].kind != RF_LAUNCH_KERNEL) continue;
        char *const path = trace_path(source, list->launch[i].path);
        char why[RF_WORKLOAD_ERROR_MAX / 2] = "no memory", shown[RF_PATH_SHOWN];
        void *handle = NULL;
        const bool there = path && source->open(source->ctx, path, &handle, why, sizeof why) == 0;
        if (there) source->close(handle);
        free(path);
        if (there) continue;
        (void)snprintf(error, size, "%s:%u: kernel: %s", rf_path_shown(list_path, shown), list->launch[i].line, why);
        return false;
    }
    return true;
}

static bool begin_trace(rf_workload *w, const char *path) {
    w->trace = open_trace(w->source, path, w->table, w->error, sizeof w->error);
    w->kernels++;
    if (!w->trace) return false;
    const rf_traceg_header *const head = rf_traceg_head(w->trace);
    w->head = (rf_workload_head){.kernel = head->kernel, .lanes = RF_LANES_MAX, .nreg = head->nregs, .shared_bytes = head->shmem};
    memcpy(w->head.grid, head->grid, sizeof w->head.grid);
    memcpy(w->head.block, head->block, sizeof w->head.block);
    return true;
}

/* A trace that a list names: what is wrong with it says where it is named, too. */
static bool begin_listed(rf_workload *w, const rf_launch *launch) {
    if (begin_trace(w, launch->path)) return true;
    char reason[RF_WORKLOAD_ERROR_MAX];
    (void)snprintf(reason, sizeof reason, "%s", w->error);
    (void)snprintf(w->error, sizeof w->error, "%s:%u: %.*s", w->list_path, launch->line,
                   (int)(sizeof w->error - RF_PATH_SHOWN - 16), reason);
    return false;
}

/* Ends the open trace, keeping its counts. */
static void end_trace(rf_workload *w) {
    const char *first = NULL;
    w->unknown += rf_traceg_unknown(w->trace, &first);
    if (!w->first_unknown) w->first_unknown = first;
    rf_traceg_close(w->trace);
    w->trace = NULL;
}

/* The next warp of the open trace, or of the next one on the list that has any. */
static int next_of_traces(rf_workload *w, rf_warp *out) {
    for (;;) {
        if (w->trace) {
            const int got = rf_traceg_next(w->trace, out);
            if (got > 0) return got;
            if (got < 0) (void)failed(w, rf_traceg_error(w->trace));
            if (got == 0) {
                uint64_t blocks = 0;
                w->missing_warps += rf_traceg_missing(w->trace, &blocks);
                w->missing_blocks += blocks;
            }
            end_trace(w);
            if (got < 0) return got;
        } else if (w->next == w->list.count) {
            return 0;
        } else {
            const rf_launch *const launch = &w->list.launch[w->next++];
            if (launch->kind == RF_LAUNCH_KERNEL && !begin_listed(w, launch)) return w->failed = true, -1;
        }
    }
}

/* --- files with values ------------------------------------------------------------------------------------------------------ */

static int next_of_stream(rf_workload *w, rf_warp *out) {
    const rf_program *program = NULL;
    const int got = rf_stream_next(w->stream, out, &program);
    if (got < 0) return failed(w, rf_stream_error(w->stream));
    if (got == 0) return 0;
    w->kernels = rf_stream_kernels(w->stream);
    w->head = (rf_workload_head){.kernel = program->kernel,
                                 .lanes = RF_LANES_MAX,
                                 .nreg = program->nreg,
                                 .shared_bytes = program->shared_bytes,
                                 .program = program};
    memcpy(w->head.grid, program->grid, sizeof w->head.grid);
    memcpy(w->head.block, program->block, sizeof w->head.block);
    return got;
}

/* A log has one kernel and names nothing but its workgroups, warps and lanes. */
static int next_of_log(rf_workload *w, rf_warp *out) {
    const int got = rf_ventus_next(w->log, out);
    if (got < 0) return failed(w, rf_ventus_error(w->log));
    w->kernels = 1;
    const uint32_t said = rf_ventus_lanes(w->log), lanes = said != 0 ? said : RF_LANES_MAX, blocks = rf_ventus_blocks(w->log);
    if (got == 0) return 0;
    w->head = (rf_workload_head){
        .kernel = "", .lanes = lanes, .grid = {blocks, 1, 1}, .block = {rf_ventus_warps(w->log) / blocks * lanes, 1, 1}};
    return got;
}

/* --- the workload ----------------------------------------------------------------------------------------------------------- */

/* The file's kind by its first characters that are not blank: 0, or -1 and a message. */
static int kind_of(const rf_source *source, const char *path, rf_workload_kind *kind, char *error, size_t size) {
    static const struct {
        const char *start;
        rf_workload_kind kind;
    } starts[] = {{"-", RF_WORKLOAD_TRACE},
                  {"kernel", RF_WORKLOAD_LIST},
                  {"MemcpyHtoD", RF_WORKLOAD_LIST},
                  {RF_STREAM_MAGIC, RF_WORKLOAD_STREAM},
                  {"core ", RF_WORKLOAD_VENTUS}};
    char text[16] = "";
    size_t length = 0;
    void *handle = NULL;
    long got = 0;
    if (source->open(source->ctx, path, &handle, error, size) != 0) return -1;
    do {
        got = source->read(handle, text + length, 1, error, size);
        if (got == 1 && (length > 0 || text[0] == '\0' || !strchr(" \t\r\n", text[0]))) length++;
    } while (got == 1 && length < sizeof text - 1);
    source->close(handle);
    if (got < 0) return -1;
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        const size_t need = strlen(starts[i].start);
        if (length < need || memcmp(text, starts[i].start, need) != 0) continue;
        *kind = starts[i].kind;
        return 0;
    }
    char shown[RF_PATH_SHOWN];
    (void)snprintf(
        error, size,
        "%s:1: file: neither a trace ('-key = value'), a kernel list ('kernel...', 'MemcpyHtoD,...'), a stream file ('%s') "
        "nor a Ventus log ('core ...')",
        rf_path_shown(path, shown), RF_STREAM_MAGIC);
    return -1;
}

rf_workload *rf_workload_open(const rf_source *source, const char *path, char *error, size_t size) {
    rf_workload_kind kind = RF_WORKLOAD_TRACE;
    if (kind_of(source, path, &kind, error, size) != 0) return NULL;
    rf_workload *const w = calloc(1, sizeof *w);
    if (w) w->table = rf_optable_new();
    if (!w || !w->table) {
        (void)snprintf(error, size, "%s: no memory", path);
        rf_workload_close(w);
        return NULL;
    }
    w->source = source;
    w->kind = kind;
    (void)rf_path_shown(path, w->list_path);
    bool good = false;
    switch (kind) {
    case RF_WORKLOAD_TRACE:
        good = begin_trace(w, path);
        if (!good) (void)snprintf(error, size, "%s", w->error);
        break;
    case RF_WORKLOAD_LIST:
        good = rf_kernellist_read(source, path, &w->list, error, size) == 0 && all_there(source, path, &w->list, error, size);
        break;
    case RF_WORKLOAD_STREAM:
        good = (w->stream = rf_stream_open(source, path, error, size)) != NULL;
        break;
    case RF_WORKLOAD_VENTUS:
        good = (w->log = rf_ventus_open(source, path, w->table, error, size)) != NULL;
        break;
    }
    if (good) return w;
    rf_workload_close(w);
    return NULL;
}

rf_workload_kind rf_workload_is(const rf_workload *w) { return w->kind; }

int rf_workload_next(rf_workload *w, rf_warp *out, rf_workload_at *at) {
    if (w->failed) return -1;
    const int got = w->stream ? next_of_stream(w, out) : w->log ? next_of_log(w, out) : next_of_traces(w, out);
    if (got <= 0) return got;
    if (at)
        *at =
            (rf_workload_at){.new_kernel = w->kernel != w->kernels, .kernel = w->kernels - 1, .warp = w->warps, .head = &w->head};
    w->kernel = w->kernels;
    w->warps++;
    return 1;
}

const char *rf_workload_error(const rf_workload *w) { return w->error; }

uint64_t rf_workload_unknown(const rf_workload *w, const char **first) {
    const char *current = NULL;
    const uint64_t unknown = w->unknown + (w->trace ? rf_traceg_unknown(w->trace, &current) : 0);
    if (first) *first = w->first_unknown ? w->first_unknown : current;
    return unknown;
}

uint64_t rf_workload_missing(const rf_workload *w, uint64_t *blocks) {
    *blocks = w->missing_blocks;
    return w->missing_warps;
}

void rf_workload_close(rf_workload *w) {
    if (!w) return;
    rf_traceg_close(w->trace);
    rf_stream_close(w->stream);
    rf_ventus_close(w->log);
    rf_optable_free(w->table);
    rf_kernellist_free(&w->list);
    free(w);
}
