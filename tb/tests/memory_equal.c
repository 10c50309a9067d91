/* SPDX-License-Identifier: Apache-2.0 */
/* assert_memory_equal of all tests: cmocka's own compares byte by byte, which was most of the time of some judges. What differs
 * is still cmocka's to tell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <dlfcn.h>

typedef void compare(const void *, const void *, size_t, const char *, int);

void _assert_memory_equal(const void *const a, const void *const b, const size_t size, const char *const file, const int line) {
    if (memcmp(a, b, size) == 0) return;
    compare *cmocka = NULL;
    void *const found = dlsym(RTLD_NEXT, "_assert_memory_equal");
    memcpy(&cmocka, &found, sizeof cmocka);
    cmocka(a, b, size, file, line);
}
