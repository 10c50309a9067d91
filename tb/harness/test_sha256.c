/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of SHA-256: the standard's examples, lengths around the blocks' ends against `sha256sum`, and the two forms of its
 * rounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/base/sha256.h"

static char path[] = "/tmp/test_sha256.XXXXXX";

static void the_examples_of_the_standard(void **state) {
    char hex[LS_SHA256_HEX];
    (void)state;
    ls_sha256("abc", 3, hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    ls_sha256("", 0, hex);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    const char *long_one = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    ls_sha256(long_one, strlen(long_one), hex);
    assert_string_equal(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

/* What sha256sum says of the file. */
static void digest_of(char *hex) {
    char command[128];
    (void)snprintf(command, sizeof command, "sha256sum %s", path);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_int_equal(fread(hex, 1, LS_SHA256_HEX - 1, pipe), LS_SHA256_HEX - 1);
    hex[LS_SHA256_HEX - 1] = '\0';
    (void)pclose(pipe);
}

static void files_of_all_lengths(void **state) {
    static const size_t lengths[] = {0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 16383, 16384, 16385, 16440, 40000};
    static uint8_t data[40000];
    (void)state;
    for (size_t i = 0; i < sizeof data; i++) data[i] = (uint8_t)(i * 167 + i / 251);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        char of_file[LS_SHA256_HEX], of_bytes[LS_SHA256_HEX], theirs[LS_SHA256_HEX];
        FILE *f = fopen(path, "wb");
        assert_non_null(f);
        assert_int_equal(fwrite(data, 1, lengths[i], f), lengths[i]);
        assert_int_equal(fclose(f), 0);
        assert_true(ls_sha256_file(path, of_file));
        ls_sha256(data, lengths[i], of_bytes);
        digest_of(theirs);
        assert_string_equal(of_file, theirs);
        assert_string_equal(of_bytes, theirs);
    }
}

static void what_cannot_be_read_has_no_digest(void **state) {
    char hex[LS_SHA256_HEX] = "x";
    (void)state;
    assert_false(ls_sha256_file("/nowhere", hex));
    assert_string_equal(hex, "");
    assert_false(ls_sha256_file("/tmp", hex)); /* a folder */
}

/* A machine has one of them in use: both are tested on any. */
static void both_forms_are_one(void **state) {
    uint32_t a[8], b[8];
    uint8_t data[64 * 7];
    (void)state;
    for (size_t i = 0; i < sizeof data; i++) data[i] = (uint8_t)(i * 73 + 5);
    for (size_t i = 0; i < 8; i++) a[i] = b[i] = (uint32_t)(0x9e3779b9u * (i + 1));
    ls_sha256_blocks(a, data, 7);
    ls_sha256_blocks_plain(b, data, 7);
    assert_memory_equal(a, b, sizeof a);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_examples_of_the_standard), cmocka_unit_test(files_of_all_lengths),
                                       cmocka_unit_test(what_cannot_be_read_has_no_digest), cmocka_unit_test(both_forms_are_one)};
    const int fd = mkstemp(path);
    if (fd < 0) return 2;
    (void)close(fd);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    (void)unlink(path);
    return failed;
}
