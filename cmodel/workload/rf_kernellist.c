/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/workload/rf_kernellist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_lines.h"

#define LAUNCHES_MAX (UINT32_C(1) << 20)

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
