/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/workload/rf_kernellist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_lines.h"

#define LAUNCHES_MAX (UINT32_C(1) << 20)

/* --- the list --------------------------------------------------------------------------------------------------------------- */

/* `name` in the directory of the file `list`; NULL: no memory. */
static char *beside(const char *list, const char *name) {
    const char *const slash = strrchr(list, '/');
    const size_t directory = slash ? (size_t)(slash - list) + 1 : 0;
    char *const path = malloc(directory + strlen(name) + 1);
    if (!path) return NULL;
    memcpy(path, list, directory);
    strcpy(path + directory, name);
    return path;
}

/* `MemcpyHtoD,0xADDRESS,BYTES` and nothing more. */
static bool parse_copy(rf_lines *lines, char *line, rf_launch *launch) {
    char *const first = strchr(line, ','), *const second = strchr(first + 1, ',');
    if (!second) return rf_lines_fail(lines, "MemcpyHtoD", "'MemcpyHtoD,0xADDRESS,BYTES' expected");
    const char *at = first + 1, *size = second + 1;
    *second = '\0';
    return rf_word_hex(lines, &at, "MemcpyHtoD address", "0x", 1, 16, "an address (0x and 1 .. 16 hex digits)",
                       &launch->address) &&
           rf_word_none(lines, at) && rf_word_decimal(lines, &size, "MemcpyHtoD bytes", 0, UINT64_MAX, &launch->bytes) &&
           rf_word_none(lines, size);
}

/* One line that is not blank, appended to the list. */
static bool list_line(rf_lines *lines, char *line, rf_kernellist *list) {
    rf_launch launch = {.kind = RF_LAUNCH_KERNEL, .line = (uint32_t)lines->number};
    if (strncmp(line, "MemcpyHtoD,", 11) == 0) {
        launch.kind = RF_LAUNCH_MEMCPY_HTOD;
        if (!parse_copy(lines, line, &launch)) return false;
    } else if (strncmp(line, "kernel", 6) != 0) {
        return rf_lines_fail_word(lines, "command", line, "'kernel...' or 'MemcpyHtoD,0xADDRESS,BYTES'");
    }
    if (list->count == LAUNCHES_MAX) return rf_lines_fail(lines, "list", "more than %u lines", LAUNCHES_MAX);
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : 64;
        rf_launch *const grown = realloc(list->launch, capacity * sizeof *grown);
        if (!grown) return rf_lines_fail(lines, "list", "no memory");
        list->launch = grown;
        list->capacity = capacity;
    }
    if (launch.kind == RF_LAUNCH_KERNEL) {
        launch.path = beside(lines->path, line);
        if (!launch.path) return rf_lines_fail(lines, "list", "no memory");
    }
    list->launch[list->count++] = launch;
    return true;
}

int rf_kernellist_read(const rf_source *source, const char *path, rf_kernellist *list, char *error, size_t size) {
    rf_lines lines;
    char *line = NULL;
    bool kernel = false;
    *list = (rf_kernellist){0};
    (void)rf_lines_open(&lines, source, path);
    while (!lines.failed && rf_lines_next_text(&lines, &line) == 1)
        if (list_line(&lines, line, list)) kernel = kernel || list->launch[list->count - 1].kind == RF_LAUNCH_KERNEL;
    if (!lines.failed && !kernel) (void)rf_lines_fail(&lines, "kernel", "the list names none");
    const int result = lines.failed ? -1 : 0;
    if (lines.failed) {
        (void)snprintf(error, size, "%s", lines.error);
        rf_kernellist_free(list);
    }
    rf_lines_close(&lines);
    return result;
}

void rf_kernellist_free(rf_kernellist *list) {
    for (size_t i = 0; i < list->count; i++) free(list->launch[i].path);
    free(list->launch);
    *list = (rf_kernellist){0};
}

/* --- the workload ----------------------------------------------------------------------------------------------------------- */

struct rf_workload {
    const rf_source *source;
    rf_kernellist list;
    size_t next; /* launch to open next */
    rf_optable *table;
    rf_traceg *trace; /* open trace, or NULL */
    bool new_kernel;
    uint32_t kernels; /* opened so far */
    uint64_t warps;   /* handed out so far */
    uint64_t unknown; /* of closed traces */
    const char *first_unknown;
    bool failed;
    char error[RF_TRACEG_ERROR_MAX];
};

/* Whether the source can open `path`. */
static bool exists(const rf_source *source, const char *path) {
    char ignored[RF_TRACEG_ERROR_MAX];
    void *handle = NULL;
    if (source->open(source->ctx, path, &handle, ignored, sizeof ignored) != 0) return false;
    source->close(handle);
    return true;
}

/* Opens the trace `path`, or, when there is no such file, the one with .xz added or taken away. */
static rf_traceg *open_trace(const rf_source *source, const char *path, rf_optable *table, char *error, size_t size) {
    const size_t length = strlen(path);
    const bool packed = length > 3 && strcmp(path + length - 3, ".xz") == 0;
    rf_traceg *trace = NULL;
    char *const other = malloc(length + 4);
    if (!other) {
        (void)snprintf(error, size, "%s: no memory", path);
        return NULL;
    }
    strcpy(other, path);
    strcpy(other + (packed ? length - 3 : length), packed ? "" : ".xz");
    trace = rf_traceg_open(source, !exists(source, path) && exists(source, other) ? other : path, table, error, size);
    free(other);
    return trace;
}

/* Ends the open trace, keeping its counts. */
static void close_trace(rf_workload *w) {
    const char *first = NULL;
    w->unknown += rf_traceg_unknown(w->trace, &first);
    if (!w->first_unknown) w->first_unknown = first;
    rf_traceg_close(w->trace);
    w->trace = NULL;
}

static bool begin_trace(rf_workload *w, const char *path) {
    w->trace = open_trace(w->source, path, w->table, w->error, sizeof w->error);
    w->new_kernel = true;
    w->kernels++;
    return w->trace;
}

/* The first character that is not blank, '\0' for an empty file: 0, or -1 and a message. */
static int first_character(const rf_source *source, const char *path, char *first, char *error, size_t size) {
    void *handle = NULL;
    char c = '\0';
    long got = 0;
    if (source->open(source->ctx, path, &handle, error, size) != 0) return -1;
    do got = source->read(handle, &c, 1, error, size);
    while (got == 1 && (c == ' ' || c == '\t' || c == '\r' || c == '\n'));
    source->close(handle);
    *first = '\0';
    if (got == 1) *first = c;
    return got < 0 ? -1 : 0;
}

rf_workload *rf_workload_open(const rf_source *source, const char *path, char *error, size_t size) {
    char first = '\0';
    if (first_character(source, path, &first, error, size) != 0) return NULL;
    if (first != '-' && first != 'k' && first != 'M') {
        (void)snprintf(error, size, "%s:1: file: neither an Accel-Sim trace ('-key = value') nor a kernel list", path);
        return NULL;
    }
    rf_workload *const w = calloc(1, sizeof *w);
    if (w) w->table = rf_optable_new();
    if (!w || !w->table) {
        (void)snprintf(error, size, "%s: no memory", path);
        rf_workload_close(w);
        return NULL;
    }
    w->source = source;
    bool good = false;
    if (first == '-') {
        good = begin_trace(w, path);
        (void)snprintf(error, size, "%s", w->error);
    } else {
        good = rf_kernellist_read(source, path, &w->list, error, size) == 0;
    }
    if (good) return w;
    rf_workload_close(w);
    return NULL;
}

int rf_workload_next(rf_workload *w, rf_warp *out, rf_workload_at *at) {
    while (!w->failed) {
        if (w->trace) {
            const int got = rf_traceg_next(w->trace, out);
            if (got > 0) {
                if (at) {
                    *at = (rf_workload_at){.new_kernel = w->new_kernel, .kernel = w->kernels - 1, .warp = w->warps};
                    at->head = rf_traceg_head(w->trace);
                }
                w->new_kernel = false;
                w->warps++;
                return 1;
            }
            if (got < 0) {
                (void)snprintf(w->error, sizeof w->error, "%s", rf_traceg_error(w->trace));
                w->failed = true;
            }
            close_trace(w);
        } else if (w->next == w->list.count) {
            return 0;
        } else {
            const rf_launch *const launch = &w->list.launch[w->next++];
            if (launch->kind == RF_LAUNCH_KERNEL) w->failed = !begin_trace(w, launch->path);
        }
    }
    return -1;
}

const char *rf_workload_error(const rf_workload *w) { return w->error; }

uint64_t rf_workload_unknown(const rf_workload *w, const char **first) {
    const char *current = NULL;
    const uint64_t unknown = w->unknown + (w->trace ? rf_traceg_unknown(w->trace, &current) : 0);
    if (first) *first = w->first_unknown ? w->first_unknown : current;
    return unknown;
}

void rf_workload_close(rf_workload *w) {
    if (!w) return;
    rf_traceg_close(w->trace);
    rf_optable_free(w->table);
    rf_kernellist_free(&w->list);
    free(w);
}
