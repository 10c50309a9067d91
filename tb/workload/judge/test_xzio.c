/* SPDX-License-Identifier: Apache-2.0 */
/* Files plain and packed: the same bytes come out; damage, truncation and absence are said in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "harness/base/xzio.h"

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
    char name[700];
    memset(name, 'x', sizeof name);
    memcpy(name, "begin/", 6);
    strcpy(name + sizeof name - 5, "/end");
    assert_int_equal(ls_xzio.open(ls_xzio.ctx, name, &handle, error, sizeof error), -1);
    assert_memory_equal(error, "begin/xx", 8);
    assert_non_null(strstr(error, "xx/end: "));
}

/* What can be read but once is refused, without waiting for who writes to it. */
static void test_irregular(void **state) {
    (void)state;
    char name[64], error[256], expected[256];
    void *handle = NULL;
    (void)snprintf(name, sizeof name, "%s.fifo", path);
    assert_int_equal(mkfifo(name, 0600), 0);
    const int both = open(name, O_RDWR | O_CLOEXEC); /* so that opening it would not wait */
    assert_true(both >= 0);
    const char *const names[] = {name, "/dev/null"};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(ls_xzio.open(ls_xzio.ctx, names[i], &handle, error, sizeof error), -1);
        (void)snprintf(expected, sizeof expected,
                       "%s: no regular file: a workload is read more than once; write it into a file first", names[i]);
        assert_string_equal(error, expected);
    }
    (void)close(both);
    assert_int_equal(unlink(name), 0);
}

/* A regular file on stdin is one by the name /dev/stdin, too, and begins anew each time. */
static void test_stdin(void **state) {
    (void)state;
    save(plain, 1000, NULL, 0);
    const int old = dup(0), file = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(file >= 0 && dup2(file, 0) == 0);
    for (int i = 0; i < 2; i++) {
        char error[256] = "";
        void *handle = NULL;
        assert_int_equal(ls_xzio.open(ls_xzio.ctx, "/dev/stdin", &handle, error, sizeof error), 0);
        assert_int_equal(ls_xzio.read(handle, again, 4000, error, sizeof error), 1000);
        assert_memory_equal(again, plain, 1000);
        ls_xzio.close(handle);
    }
    (void)close(file);
    if (old >= 0) assert_int_equal(dup2(old, 0), 0);
    (void)close(old >= 0 ? old : 0);
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
    out = ls_xzout_open(inside, error, sizeof error);
    assert_non_null(out);
    assert_int_equal(mkdir(inside, 0755), 0); /* a folder takes the name */
    assert_int_equal(ls_xzout_commit(out, NULL, error, sizeof error), -1);
    assert_non_null(strstr(error, "Is a directory"));
    assert_int_equal(rmdir(inside), 0);
    assert_int_equal(rmdir(folder), 0); /* nothing else is left in it */
}

static void expect_refused(const char *name, const char *why) {
    char error[256] = "", expected[256];
    struct stat before, now;
    assert_int_equal(lstat(name, &before), 0);
    assert_null(ls_xzout_open(name, error, sizeof error));
    (void)snprintf(expected, sizeof expected, "%s: %s", name, why);
    assert_string_equal(error, expected);
    assert_int_equal(lstat(name, &now), 0);
    assert_true(before.st_ino == now.st_ino && before.st_mode == now.st_mode);
}

/* Only regular files are replaced: folders, FIFOs, device nodes, and links to them stay. */
static void test_left_alone(void **state) {
    (void)state;
    static const char not_regular[] = "no regular file: left as it is";
    char folder[] = "/tmp/test_xzio_d_XXXXXX", here[4096];
    assert_non_null(getcwd(here, sizeof here));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(mkdir("folder", 0755), 0);
    assert_int_equal(mkfifo("fifo", 0600), 0);
    assert_int_equal(symlink("fifo", "link"), 0);
    assert_int_equal(symlink("round", "round"), 0);
    expect_refused("folder", not_regular);
    expect_refused("fifo", not_regular);
    expect_refused("link", not_regular);
    expect_refused("round", "Too many levels of symbolic links");
    if (mknod("node", S_IFCHR | 0600, makedev(1, 3)) == 0) { /* root alone may */
        expect_refused("node", not_regular);
        assert_int_equal(unlink("node"), 0);
    }
    assert_true(rmdir("folder") == 0 && unlink("fifo") == 0 && unlink("link") == 0 && unlink("round") == 0);
    assert_int_equal(chdir(here), 0);
    assert_int_equal(rmdir(folder), 0); /* nothing else is left in it */
}

/* A symbolic link stays and its target is written: a file, or one that is not there yet, in the link's folder or elsewhere. */
static void test_linked(void **state) {
    (void)state;
    char folder[] = "/tmp/test_xzio_d_XXXXXX", here[4096], far[64], error[256] = "";
    static const char *const links[] = {"near", "sub/far", "second", "sub/up"};
    assert_non_null(getcwd(here, sizeof here));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    (void)snprintf(far, sizeof far, "%s/target", folder);
    assert_int_equal(mkdir("sub", 0755), 0);
    assert_int_equal(symlink("target", "near"), 0);
    assert_int_equal(symlink(far, "sub/far"), 0);
    assert_int_equal(symlink("near", "second"), 0);
    assert_int_equal(symlink("../second", "sub/up"), 0);
    for (size_t i = 0; i < 2 * sizeof links / sizeof links[0]; i++) { /* dangling, then not */
        const char *const name = links[i / 2];
        struct stat status;
        ls_xzout *const out = ls_xzout_open(name, error, sizeof error);
        if (!out) fail_msg("%s", error);
        const rf_sink sink = ls_xzout_sink(out);
        assert_int_equal(sink.write(sink.ctx, plain, i + 1, error, sizeof error), 0);
        assert_int_equal(ls_xzout_commit(out, NULL, error, sizeof error), 0);
        assert_true(lstat(name, &status) == 0 && S_ISLNK(status.st_mode));
        assert_true(lstat("target", &status) == 0 && S_ISREG(status.st_mode));
        assert_int_equal(status.st_size, i + 1);
        if (i % 2 == 1) assert_int_equal(unlink("target"), 0);
    }
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) assert_int_equal(unlink(links[i]), 0);
    assert_int_equal(rmdir("sub"), 0);
    assert_int_equal(chdir(here), 0);
    assert_int_equal(rmdir(folder), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),    cmocka_unit_test(test_bad),         cmocka_unit_test(test_absent),
        cmocka_unit_test(test_written), cmocka_unit_test(test_not_written), cmocka_unit_test(test_left_alone),
        cmocka_unit_test(test_linked),  cmocka_unit_test(test_irregular),   cmocka_unit_test(test_stdin),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
