/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "harness/base/text.h"

_Noreturn void ls_die(const char *format, ...) {
    va_list args;
    va_start(args, format);
    ls_say(stderr, "lockstep: ");
    ls_say_list(stderr, format, args);
    ls_say(stderr, "\n");
    va_end(args);
    exit(2);
}

static _Noreturn void no_memory(size_t size) {
    if (ls_when_no_memory != NULL) ls_when_no_memory();
    ls_die("out of memory (%zu bytes)", size);
}

void *ls_resize(void *old, size_t size) {
    void *p = realloc(old, size != 0 ? size : 1);
    if (p == NULL) no_memory(size);
    return p;
}

void *ls_zeroed(size_t size) {
    const size_t rounded = (size + 127) / 64 * 64;
    void *p = aligned_alloc(64, rounded);
    if (p == NULL) no_memory(size);
    memset(p, 0, rounded);
    return p;
}

void *ls_zeroed_pool(size_t size) {
    const size_t page = 4096, rounded = (size + page) / page * page;
    void *p = aligned_alloc(page, rounded);
    if (p == NULL) no_memory(size);
    if (madvise(p, rounded, MADV_DONTNEED) != 0) memset(p, 0, rounded);
    return p;
}
