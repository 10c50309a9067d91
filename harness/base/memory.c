/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/memory.h"

#include <stdbool.h>
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

/* Large memory comes from the system page by page, zeroed, when it is touched: most of it never is, of a pool or of a machine's
 * memory. */
void *ls_zeroed(size_t size) {
    const size_t large = 128 << 10, page = 4096, rounded = (size + 127) / 64 * 64;
    const size_t pages = rounded >= large ? rounded / page * page : 0;
    char *p = pages != 0 ? aligned_alloc(page, pages + page) : aligned_alloc(64, rounded);
    if (p == NULL) no_memory(size);
    const bool fresh = pages != 0 && madvise(p, pages, MADV_DONTNEED) == 0;
    memset(fresh ? p + pages : p, 0, fresh ? rounded - pages : rounded);
    return p;
}
