/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of what several processes write to one file: lines stay whole, however long; of foreign text; of numbers. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/base/text.h"

#define WRITERS 4u
#define LINES 300u
#define LENGTH 9001u /* more than two of the blocks in which stdio writes */

static char path[] = "/tmp/test_text.XXXXXX";

/* Appends its lines, each of one letter. The exit status. */
static int write_lines(char letter) {
    ls_text line = {0};
    for (unsigned i = 0; i < LENGTH; i++) ls_text_put(&line, &letter, 1);
    ls_text_put(&line, "\n", 1);
    int failed = 0;
    for (unsigned i = 0; i < LINES; i++) failed |= ls_text_append(&line, path);
    free(ls_text_take(&line));
    return failed != 0;
}

static void appended_lines_stay_whole(void **state) {
    (void)state;
    assert_int_equal(truncate(path, 0), 0);
    for (unsigned w = 0; w < WRITERS; w++) {
        const pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) _exit(write_lines((char)('a' + w)));
    }
    for (unsigned w = 0; w < WRITERS; w++) {
        int status;
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    ls_text all = {0};
    unsigned lines = 0, of[WRITERS] = {0};
    assert_int_equal(ls_text_read(&all, path), 0);
    ls_text_put(&all, "", 0);
    for (const char *at = all.data; *at != '\0'; at += LENGTH + 1, lines++) {
        const char one[] = {*at, '\0'};
        if (strspn(at, one) != LENGTH || at[LENGTH] != '\n')
            fail_msg("line %u is not whole: %zu bytes of %c", lines, strspn(at, one), *at);
        of[*at - 'a']++;
    }
    assert_int_equal(lines, WRITERS * LINES);
    for (unsigned w = 0; w < WRITERS; w++) assert_int_equal(of[w], LINES);
    free(ls_text_take(&all));
}

static void what_is_there_stays(void **state) {
    (void)state;
    ls_text all = {0}, line = {0};
    ls_text_add(&line, "first\n");
    assert_int_equal(ls_text_write(&line, path), 0);
    assert_int_equal(ls_text_append(&line, path), 0);
    assert_int_equal(ls_text_read(&all, path), 0);
    assert_int_equal(all.size, 2 * line.size);
    assert_memory_equal(all.data, "first\nfirst\n", all.size);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(ls_text_append(&line, path), 0); /* it is made */
    assert_int_equal(access(path, R_OK | W_OK), 0);
    assert_int_equal(ls_text_append(&line, "/nonexistent/file"), -ENOENT);
    assert_int_equal(ls_text_append(&line, "/tmp"), -EISDIR);
    assert_int_equal(ls_text_append(&line, "/dev/full"), -ENOSPC);
    free(ls_text_take(&all));
    free(ls_text_take(&line));
}

static void assert_printable(const char *data, size_t size, const char *expected) {
    char *plain = ls_printable(data, size);
    assert_string_equal(plain, expected);
    free(plain);
}

static void foreign_text_commands_no_terminal(void **state) {
    static const char esc[] = "a\033[31mb\007\177", nul[] = "a\0b", lines[] = "a\tb\nc\rd", euro[] = "\xe2\x82\xac \xc3\xa9";
    static const char c1[] = "\xc2\x9b 1m", broken[] = "\x9b \xe2\x82";
    (void)state;
    assert_printable("", 0, "");
    assert_printable(esc, sizeof esc - 1, "a\\x1b[31mb\\x07\\x7f");
    assert_printable(nul, sizeof nul - 1, "a\\x00b");
    assert_printable(lines, sizeof lines - 1, "a\tb\nc\\x0dd");
    assert_printable(euro, sizeof euro - 1, euro);
    assert_printable(c1, sizeof c1 - 1, "\\xc2\\x9b 1m");
    assert_printable(broken, sizeof broken - 1, "\\x9b \\xe2\\x82");
}

/* Line ends and escape sequences are the format's alone; what looks like the words that stand for them meanwhile, too. */
static void what_is_said_has_only_our_lines(void **state) {
    static const struct {
        const char *format, *argument, *printed;
    } said[] = {{"lockstep: %s\n", "plain", "lockstep: plain\n"},
                {"lockstep: %s\n", "", "lockstep: \n"},
                {"lockstep: %s\n", "a\nlockstep: pass", "lockstep: a\n  lockstep: pass\n"},
                {"lockstep: %s\n", "a\nb\n", "lockstep: a\n  b\n"},
                {"lockstep: %s: no\nmore\n", "a\n", "lockstep: a\n  : no\nmore\n"},
                {"%s", "a\n", "a"},
                {"\r\033[K%s\ttab\n", "\033[31m\r\x9b", "\r\033[K\\x1b[31m\\x0d\\x9b\ttab\n"},
                {"%s\n",
                 "\001"
                 "0\002\001"
                 "1\002",
                 "\\x010\\x02\\x011\\x02\n"},
                {"euro %s\n", "\xe2\x82\xac", "euro \xe2\x82\xac\n"}};
    (void)state;
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        char *printed = NULL;
        size_t size = 0;
        FILE *to = open_memstream(&printed, &size);
        assert_non_null(to);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        ls_say(to, said[i].format, said[i].argument);
#pragma GCC diagnostic pop
        assert_int_equal(fclose(to), 0);
        assert_string_equal(printed, said[i].printed);
        free(printed);
    }
}

/* Of every length: whole when it fits, else whole characters and a word that it is cut. */
static void what_is_cut_says_so(void **state) {
    (void)state;
    for (size_t n = 0; n < 90; n++) {
        char to[100], *text = ls_format("%0*d", (int)n + 1, 0);
        for (int i = 0; i < 40; i++) {
            char *longer = ls_format("%s\xe2\x82\xac", text);
            free(text);
            text = longer;
        }
        ls_cut(to, sizeof to, text);
        const size_t all = strlen(text);
        const char *note = strstr(to, " ... (cut: ");
        if (all < sizeof to) {
            assert_string_equal(to, text);
        } else {
            assert_non_null(note);
            const size_t kept = (size_t)(note - to);
            assert_memory_equal(to, text, kept);
            assert_true(kept <= n + 1 || (kept - n - 1) % 3 == 0);
            char *expected = ls_format(" ... (cut: %zu bytes in all)", all);
            assert_string_equal(note, expected);
            free(expected);
        }
        free(text);
    }
}

static void say_at(char *error, size_t size, const char *path, size_t line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
static void say_at(char *error, size_t size, const char *path, size_t line, const char *format, ...) {
    va_list args;
    va_start(args, format);
    ls_error_at(error, size, path, line, format, args);
    va_end(args);
}

static void errors_name_file_and_line(void **state) {
    (void)state;
    char error[64], path[400];
    say_at(error, sizeof error, "a/b", 12, "%s: %d", "field", 3);
    assert_string_equal(error, "a/b:12: field: 3");
    say_at(error, sizeof error, "a/b", 0, "%s", "none");
    assert_string_equal(error, "a/b: none");
    say_at(error, 6, "a/b", 12, "%s", "none"); /* cut, with its NUL */
    assert_string_equal(error, "a/b:1");
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    char whole[512]; /* a long path leaves room */
    say_at(whole, sizeof whole, path, 1, "%s", "reason");
    assert_non_null(strstr(whole, "...x"));
    assert_non_null(strstr(whole, "x:1: reason"));
    assert_true(strlen(whole) < 210);
}

static void whole_numbers(void **state) {
    static const struct {
        const char *text;
        bool scaled;
        uint64_t number;
    } good[] = {{"0", false, 0},
                {"7", false, 7},
                {"999999999999999999", false, UINT64_C(999999999999999999)},
                {"0x0", false, 0},
                {"0x10", false, 16},
                {"0xaBcDeF", false, 0xabcdef},
                {"0xde0b6b3a763ffff", false, UINT64_C(999999999999999999)},
                {"0x10", true, 16},
                {"5", true, 5},
                {"5k", true, 5000},
                {"12M", true, 12000000},
                {"999999999999M", true, UINT64_C(999999999999000000)}};
    static const char *const bad[] = {"",
                                      "x",
                                      "-1",
                                      "+1",
                                      " 1",
                                      "1 ",
                                      "1.0",
                                      "1e3",
                                      "00",
                                      "08",
                                      "010",
                                      "0x",
                                      "0X10",
                                      "0x-1",
                                      "0x 1",
                                      "0x1g",
                                      "0x01",
                                      "10h",
                                      "x10",
                                      "0xx1",
                                      "1K",
                                      "1kk",
                                      "k",
                                      "0x10k",
                                      "1000000000000000000",
                                      "0xde0b6b3a7640000",
                                      "18446744073709551617",
                                      "0x10000000000000001",
                                      "1000000000000M"};
    uint64_t number;
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        if (!ls_whole_number(good[i].text, good[i].scaled, &number)) fail_msg("%s: refused", good[i].text);
        if (number != good[i].number) fail_msg("%s: %ju", good[i].text, (uintmax_t)number);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (int scaled = 0; scaled < 2; scaled++)
            if (ls_whole_number(bad[i], scaled != 0, &number)) fail_msg("%s: %ju", bad[i], (uintmax_t)number);
    assert_false(ls_whole_number("5k", false, &number));
    assert_false(ls_whole_number("5M", false, &number));
}

static void decimals(void **state) {
    static const struct {
        const char *text;
        double number;
    } good[] = {{"0", 0}, {"10", 10}, {"0.2", 0.2}, {"1.", 1}, {".05", 0.05}, {"007.50", 7.5}};
    static const char *const bad[] = {"", ".", "-1", "+1", " 1", "1 ", "1.2.3", "1e3", "0x1", "1,5", "inf", "nan", "..", "1..2"};
    double number;
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!ls_decimal(good[i].text, &number) || number < good[i].number || number > good[i].number)
            fail_msg("%s", good[i].text);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (ls_decimal(bad[i], &number)) fail_msg("%s: %g", bad[i], number);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(appended_lines_stay_whole),
                                       cmocka_unit_test(what_is_there_stays),
                                       cmocka_unit_test(foreign_text_commands_no_terminal),
                                       cmocka_unit_test(what_is_said_has_only_our_lines),
                                       cmocka_unit_test(what_is_cut_says_so),
                                       cmocka_unit_test(errors_name_file_and_line),
                                       cmocka_unit_test(whole_numbers),
                                       cmocka_unit_test(decimals)};
    const int fd = mkstemp(path);
    if (fd < 0) return 2;
    (void)close(fd);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    (void)unlink(path);
    return failed;
}
