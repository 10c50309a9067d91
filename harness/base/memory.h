/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation that ends the process (exit 2, a message) when memory runs out: there is nothing else a tool could do then. */
#ifndef LS_MEMORY_H
#define LS_MEMORY_H

#include <stdarg.h>
#include <stddef.h>

#include "harness/base/text.h"

/* Prints "lockstep: " and the message to stderr, exits with 2. */
_Noreturn void ls_die(const char *format, ...) __attribute__((format(printf, 1, 2)));

void *ls_resize(void *old, size_t size);
/* Zeroed, aligned to 64 bytes, with 64 readable bytes behind it (so that 8-byte loads of the last member stay inside). */
void *ls_zeroed(size_t size);
/* Zeroed and aligned to 4096 bytes: pages of it that nobody touches cost nothing, those that are touched more than by ls_zeroed.
 * For large memory, made once, most of which is never used. */
void *ls_zeroed_pool(size_t size);

#endif
