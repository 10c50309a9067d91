/* SPDX-License-Identifier: Apache-2.0 */
/* Files plain and packed: the same bytes come out; damage, truncation and absence are said in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <lzma.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/xzio.h"

#define SIZE 300000u
#define DAMAGED "xz: damaged data, or something other than xz behind a stream"

static uint8_t plain[SIZE], packed[SIZE + 4096], again[2 * SIZE + 1];
static size_t packed_size;
static char path[] = "/tmp/test_xzio_XXXXXX";

static int setup(void **state) {
    (void)state;
    uint32_t x = 1;
    for (uint32_t i = 0; i < SIZE; i++) {
        x = x * 1664525 + 1013904223;
        plain[i] = (uint8_t)(i % 3 ? x >> 24 : 'x');
    }
    const int fd = mkstemp(path);
    if (fd < 0 || close(fd) != 0) return -1;
    return lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, plain, SIZE, packed, &packed_size, sizeof packed) == LZMA_OK ? 0
                                                                                                                           : -1;
}

static int teardown(void **state) {
    (void)state;
    return remove(path);
}

static void save(const uint8_t *first, size_t first_size, const uint8_t *second, size_t second_size) {
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(first, 1, first_size, file), first_size);
    if (second_size) assert_int_equal(fwrite(second, 1, second_size, file), second_size);
    assert_int_equal(fclose(file), 0);
}

/* Reads the file in pieces: its size, or -1 and the message. */
static long load(size_t piece, char *error, size_t size) {
    void *handle = NULL;
    size_t total = 0;
    long got = 0;
    assert_int_equal(ls_xzio.open(ls_xzio.ctx, path, &handle, error, size), 0);
    do {
        got = ls_xzio.read(handle, again + total, piece < sizeof again - total ? piece : sizeof again - total, error, size);
        if (got > 0) total += (size_t)got;
    } while (got > 0);
    if (got == 0) assert_int_equal(ls_xzio.read(handle, again, 1, error, size), 0);
    else assert_int_equal(ls_xzio.read(handle, again, 1, error, size), -1);
    ls_xzio.close(handle);
    return got < 0 ? -1 : (long)total;
}

static void test_good(void **state) {
    (void)state;
    static const size_t pieces[] = {1, 77, 65536, 1000000};
    static const uint8_t padding[4] = {0};
    char error[256];
    for (size_t i = 0; i < 4; i++) {
        save(plain, SIZE, NULL, 0);
        assert_int_equal(load(pieces[i], error, sizeof error), SIZE);
        assert_memory_equal(again, plain, SIZE);
        save(packed, packed_size, NULL, 0);
        assert_int_equal(load(pieces[i], error, sizeof error), SIZE);
        assert_memory_equal(again, plain, SIZE);
        save(packed, packed_size, packed, packed_size); /* concatenated */
        assert_int_equal(load(pieces[i], error, sizeof error), 2 * SIZE);
        assert_memory_equal(again, plain, SIZE);
        assert_memory_equal(again + SIZE, plain, SIZE);
    }
    save(packed, packed_size, padding, 4); /* stream padding */
    assert_int_equal(load(4096, error, sizeof error), SIZE);
    save(plain, 0, NULL, 0);
    assert_int_equal(load(4096, error, sizeof error), 0);
    save(packed, 5, NULL, 0); /* shorter than the magic: plain */
    assert_int_equal(load(4096, error, sizeof error), 5);
}

static void expect_error(const char *what) {
    char error[256] = "", expected[256];
    (void)snprintf(expected, sizeof expected, "%s: %s", path, what);
    assert_int_equal(load(4096, error, sizeof error), -1);
    assert_string_equal(error, expected);
}

static void test_bad(void **state) {
    (void)state;
    uint8_t *const bad = malloc(packed_size);
    assert_non_null(bad);
    memcpy(bad, packed, packed_size);
    bad[packed_size / 2] ^= 0x10;
    save(bad, packed_size, NULL, 0);
    expect_error(DAMAGED);
    memcpy(bad, packed, packed_size);
    bad[8] ^= 1; /* stream header's own CRC */
    save(bad, packed_size, NULL, 0);
    expect_error(DAMAGED);
    free(bad);
    static const size_t sizes[] = {6, 12, 20, 5000, 100000};
    for (size_t i = 0; i < 5; i++) {
        save(packed, sizes[i], NULL, 0);
        expect_error("xz: the file is truncated");
    }
    save(packed, packed_size - 1, NULL, 0);
    expect_error("xz: the file is truncated");
    save(packed, packed_size, (const uint8_t *)"more text than a stream header", 30);
    expect_error(DAMAGED);
}

static void test_absent(void **state) {
    (void)state;
    char error[256];
    void *handle = NULL;
    assert_int_equal(ls_xzio.open(ls_xzio.ctx, "no/such/file", &handle, error, sizeof error), -1);
    assert_string_equal(error, "no/such/file: No such file or directory");
    assert_int_equal(ls_xzio.open(ls_xzio.ctx, "/tmp", &handle, error, sizeof error), -1);
    assert_string_equal(error, "/tmp: Is a directory");
}

/* What is written comes back, under its name only at the end; every name and every piece. */
static void test_written(void **state) {
    (void)state;
    static const size_t pieces[] = {SIZE, 1000, 77};
    char name[64], error[256] = "";
    for (uint32_t i = 0; i < 6; i++) {
        const bool pack = i % 2 == 1;
        uint64_t bytes = 0;
        (void)snprintf(name, sizeof name, "%s%s", path, pack ? ".new.xz" : ".new");
        ls_xzout *const out = ls_xzout_open(name, error, sizeof error);
        assert_non_null(out);
        const rf_sink sink = ls_xzout_sink(out);
        for (size_t at = 0, n = 0; at < SIZE; at += n) {
            n = pieces[i / 2] < SIZE - at ? pieces[i / 2] : SIZE - at;
            assert_int_equal(sink.write(sink.ctx, plain + at, n, error, sizeof error), 0);
        }
        assert_int_equal(access(name, F_OK), -1);
        assert_int_equal(ls_xzout_commit(out, &bytes, error, sizeof error), 0);
        FILE *const file = fopen(name, "rb");
        assert_non_null(file);
        assert_int_equal(fread(again, 1, sizeof again, file), bytes);
        (void)fclose(file);
        assert_true(pack ? bytes < SIZE : bytes == SIZE);
        assert_int_equal(again[0] == 0xfd, pack);
        assert_int_equal(rename(name, path), 0);
        assert_int_equal(load(4096, error, sizeof error), SIZE);
        assert_memory_equal(again, plain, SIZE);
    }
}

static void test_not_written(void **state) {
    (void)state;
    char error[256] = "";
    assert_null(ls_xzout_open("no/such/file", error, sizeof error));
    assert_string_equal(error, "no/such/file: No such file or directory");
    save(plain, 100, NULL, 0);
    ls_xzout *out = ls_xzout_open(path, error, sizeof error);
    assert_non_null(out);
    const rf_sink sink = ls_xzout_sink(out);
    assert_int_equal(sink.write(sink.ctx, plain, 10, error, sizeof error), 0);
    ls_xzout_discard(out); /* the old one stays */
    ls_xzout_discard(NULL);
    assert_int_equal(load(4096, error, sizeof error), 100);
    char folder[] = "/tmp/test_xzio_d_XXXXXX", inside[64];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(inside, sizeof inside, "%s/a", folder);
    assert_int_equal(mkdir(inside, 0755), 0); /* a folder has the name */
    out = ls_xzout_open(inside, error, sizeof error);
    assert_non_null(out);
    assert_int_equal(ls_xzout_commit(out, NULL, error, sizeof error), -1);
    assert_non_null(strstr(error, "Is a directory"));
    assert_int_equal(rmdir(inside), 0);
    assert_int_equal(rmdir(folder), 0); /* nothing else is left in it */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_good), cmocka_unit_test(test_bad), cmocka_unit_test(test_absent),
                                       cmocka_unit_test(test_written), cmocka_unit_test(test_not_written)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
