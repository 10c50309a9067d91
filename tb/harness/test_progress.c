/* SPDX-License-Identifier: Apache-2.0 */
/* The line about what is waited for, on a pseudo terminal. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/base/progress.h"
#include "harness/base/text.h"

static const volatile uint32_t done = 3;

/* What a process says, which waits for a byte of the terminal's owner before each step. */
static void speak(int go) {
    char byte;
    ls_progress_allow();
    ls_progress_begin("rf_x: outer\033");
    ls_progress_count(&done, 7, "judged");
    (void)!read(go, &byte, 1);
    ls_progress_begin("rf_x: inner");
    (void)!read(go, &byte, 1);
    ls_say(stderr, "said\n");
    (void)!read(go, &byte, 1);
    ls_progress_end();
    (void)!read(go, &byte, 1);
    ls_progress_end();
    ls_progress_draw("drawn");
    const pid_t pid = fork(); /* another process has no lines */
    if (pid == 0) {
        ls_progress_begin("rf_x: nobody");
        ls_progress_clear();
        _exit(ls_progress_waits());
    }
    int status = 1;
    (void)waitpid(pid, &status, 0);
    ls_say(stderr, "end %d\n", status);
}

/* Reads until the words are there. Everything so far is in *text. */
static void read_until(int from, ls_text *text, const char *words) {
    char buffer[256];
    while (text->size == 0 || strstr(text->data, words) == NULL) {
        const ssize_t n = read(from, buffer, sizeof buffer);
        if (n <= 0) fail_msg("no \"%s\" in \"%s\"", words, text->size > 0 ? text->data : "");
        ls_text_put(text, buffer, (size_t)n);
        ls_text_put(text, "", 0);
    }
}

/* A process with a terminal of so many columns. Its master's end; *go lets it take a step. */
static int start(const char *term, unsigned short columns, int *go, pid_t *pid) {
    int ends[2];
    (void)alarm(120); /* nobody waits for words that do not come */
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0 && pipe(ends) == 0);
    const struct winsize window = {.ws_col = columns, .ws_row = 24};
    assert_int_equal(ioctl(master, TIOCSWINSZ, &window), 0);
    const int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(slave >= 0);
    *pid = fork();
    if (*pid == 0) {
        (void)close(ends[1]);
        if (dup2(slave, STDERR_FILENO) < 0 || setenv("TERM", term, 1) != 0) _exit(1);
        speak(ends[0]);
        _exit(0);
    }
    (void)close(slave);
    (void)close(ends[0]);
    *go = ends[1];
    return master;
}

static void lines_come_change_and_go(void **state) {
    static const char *const steps[] = {"\r\033[Klockstep: rf_x: outer?, 3 of 7 judged, ", "\r\033[Klockstep: rf_x: inner, ",
                                        "\r\033[Ksaid\r\n\r\033[Klockstep: rf_x: inner, ",
                                        "\r\033[K\r\033[Klockstep: rf_x: outer?"};
    ls_text text = {0};
    int go, status;
    pid_t pid;
    (void)state;
    const int master = start("xterm", 80, &go, &pid);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        read_until(master, &text, steps[i]);
        const char *seconds = strstr(text.data, steps[i]) + strlen(steps[i]); /* 2, or more on a busy machine */
        if (i < 2 && *seconds != '\0') assert_true(strtoul(seconds, NULL, 10) >= 2);
        assert_int_equal(write(go, "", 1), 1);
    }
    read_until(master, &text, "\r\033[K\r\033[Kdrawn\r\033[Kend 0\r\n");
    assert_null(strstr(text.data, "nobody"));
    assert_int_equal(waitpid(pid, &status, 0), pid);
    (void)close(master);
    (void)close(go);
    free(text.data);
}

static void lines_are_cut_to_the_columns(void **state) {
    ls_text text = {0};
    int go, status;
    pid_t pid;
    (void)state;
    const int master = start("xterm", 20, &go, &pid);
    assert_int_equal(write(go, "12", 2), 2);
    read_until(master, &text, "\r\033[Klockstep: rf_x: inn\r\033[K");
    assert_int_equal(write(go, "34", 2), 2);
    read_until(master, &text, "end 0\r\n");
    assert_int_equal(waitpid(pid, &status, 0), pid);
    (void)close(master);
    (void)close(go);
    free(text.data);
}

static void there_are_none_on_a_terminal_that_cannot_erase(void **state) {
    ls_text text = {0};
    int go, status;
    pid_t pid;
    (void)state;
    const int master = start("dumb", 80, &go, &pid);
    assert_int_equal(write(go, "1234", 4), 4);
    read_until(master, &text, "end 0\r\n");
    assert_string_equal(text.data, "said\r\nend 0\r\n");
    assert_int_equal(waitpid(pid, &status, 0), pid);
    (void)close(master);
    (void)close(go);
    free(text.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_come_change_and_go), cmocka_unit_test(lines_are_cut_to_the_columns),
                                       cmocka_unit_test(there_are_none_on_a_terminal_that_cannot_erase)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
