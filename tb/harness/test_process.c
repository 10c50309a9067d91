/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/base/process.c: how a command ended, and its time: a busy one and one that sleeps end at their limit, one that
 * waits for a processor is waited for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/process.h"
#include "harness/base/text.h"

enum { RIVALS = 3 };

static ls_process_result run(const char *const *argv, unsigned timeout_ms, unsigned patience) {
    ls_process_result result;
    assert_int_equal(ls_process_run(&(ls_process){.argv = argv, .timeout_ms = timeout_ms, .patience = patience}, &result), 0);
    return result;
}

/* A command is found where execvp would find it. */
static void finds(void **state) {
    (void)state;
    static const struct {
        const char *path, *name, *found;
    } known[] = {{"/nowhere:/bin", "sh", "/bin/sh"},
                 {"/nowhere", "sh", NULL},
                 {"/nowhere", "/bin/sh", "/bin/sh"},
                 {"/bin", "", NULL},
                 {"/bin", "/bin/none", NULL},
                 {"/etc", "passwd", NULL},
                 {":/bin", "sh", "/bin/sh"},
                 {"/bin", "no/such/thing", NULL},
                 {"/", "etc", NULL},
                 {"/", "/etc", NULL}};
    char *before = ls_copy(getenv("PATH"));
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_int_equal(setenv("PATH", known[i].path, 1), 0);
        char *found = ls_process_find(known[i].name);
        assert_int_equal(setenv("PATH", before, 1), 0);
        assert_int_equal(found == NULL, known[i].found == NULL);
        if (found != NULL) assert_string_equal(found, known[i].found);
        free(found);
    }
    free(before);
}

static void endings(void **state) {
    static const struct {
        const char *script, *words;
        int status, signal;
    } known[] = {{"exit 0", "exit status 0", 0, 0},
                 {"exit 7", "exit status 7", 7, 0},
                 {"kill -SEGV $$", "killed by signal 11 (", -1, SIGSEGV}};
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char text[80];
        ls_process_result r = run((const char *const[]){"sh", "-c", known[i].script, NULL}, 20000, 0);
        assert_int_equal(r.status, known[i].status);
        assert_int_equal(r.signal, known[i].signal);
        assert_int_equal(ls_process_ok(&r), i == 0);
        assert_int_equal(strncmp(ls_process_ending(&r, text, sizeof text), known[i].words, strlen(known[i].words)), 0);
        ls_process_free(&r);
    }
    ls_process_result none;
    assert_int_equal(ls_process_run(&(ls_process){.argv = (const char *const[]){"/no/such/command", NULL}}, &none), -ENOENT);
    assert_null(none.output);
}

/* One that sleeps for ever wants no processor: patience is not for it. */
static void a_sleeper_ends_at_its_limit(void **state) {
    (void)state;
    ls_process_result r = run((const char *const[]){"sh", "-c", "echo here; sleep 1000 & wait", NULL}, 400, 100);
    assert_true(r.timed_out);
    assert_string_equal(r.output, "here\n");
    assert_true(r.seconds < 20); /* 40 s are its patience */
    ls_process_free(&r);
}

/* One that is busy has its limit's seconds of a processor, its children's counted, and no more. */
static void a_busy_command_ends_at_its_limit(void **state) {
    static const char *const scripts[] = {"while :; do :; done", "sh -c 'while :; do :; done'; exit 0",
                                          "while :; do sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done'; done"};
    (void)state;
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        ls_process_result r = run((const char *const[]){"sh", "-c", scripts[i], NULL}, 400, 1000);
        assert_true(r.timed_out);
        assert_true(r.seconds >= 0.4);
        ls_process_free(&r);
    }
}

/* On the one processor that it may use, rivals of a higher priority are busy, and it has a fiftieth of it: a command that needs a
 * third of its limit is over it many times in wall time, ends by itself with patience, and does not without. */
static void a_starved_command_is_waited_for(void **state) {
    static const char *const argv[] = {"nice", "-n", "12", "sh", "-c", "i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done",
                                       NULL};
    cpu_set_t before, one;
    pid_t rivals[RIVALS];
    (void)state;
    ls_process_result alone = run(argv + 3, 60000, 0);
    const unsigned limit_ms = (unsigned)(alone.seconds * 3000) + 200;
    assert_true(ls_process_ok(&alone));
    ls_process_free(&alone);
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    for (size_t cpu = 0; CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    for (size_t i = 0; i < RIVALS; i++) {
        rivals[i] = fork();
        assert_true(rivals[i] >= 0);
        if (rivals[i] == 0) {
            (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
            for (volatile unsigned spin = 0;; spin++) {
            }
        }
    }
    ls_process_result patient = run(argv, limit_ms, 1000), strict = run(argv, limit_ms, 0);
    for (size_t i = 0; i < RIVALS; i++) {
        assert_int_equal(kill(rivals[i], SIGKILL), 0);
        assert_int_equal(waitpid(rivals[i], NULL, 0), rivals[i]);
    }
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_false(patient.timed_out);
    assert_true(ls_process_ok(&patient));
    assert_true(patient.seconds * 1e3 > limit_ms);
    assert_true(strict.timed_out);
    ls_process_free(&patient);
    ls_process_free(&strict);
}

/* A file with a limit has the head and the tail of what was printed and says how much lies between; what fits is whole. The
 * command does not wait for it, be there room for it or not. */
static void a_long_output_is_cut_in_its_middle(void **state) {
    static const size_t sizes[] = {0, 1, 499, 500, 501, 999, 1000, 1001, 1499, 1500, 1501, 65536, 3000001};
    char path[] = "/tmp/lockstep-process-XXXXXX", script[128];
    const int fd = mkstemp(path);
    (void)state;
    assert_true(fd >= 0);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const size_t n = sizes[i];
        ls_process_result r;
        ls_text file = {0}, all = {0}, expected = {0};
        (void)snprintf(script, sizeof script, "seq 1000000 | head -c %zu; exit 3", n);
        const char *const argv[] = {"sh", "-c", script, NULL};
        const ls_process process = {.argv = argv, .output_path = path, .output_limit = 1000, .timeout_ms = 60000};
        assert_int_equal(ls_process_run(&process, &r), 0);
        assert_int_equal(r.status, 3);
        assert_string_equal(r.output, "");
        ls_process_free(&r);
        assert_int_equal(ls_text_read(&file, path), 0);
        for (size_t k = 1; all.size < n; k++) ls_text_add(&all, "%zu\n", k);
        ls_text_put(&expected, all.data != NULL ? all.data : "", n <= 1000 ? n : 500);
        if (n > 1000) {
            ls_text_add(&expected, "\n[lockstep: %zu of %zu bytes are left out here: a log keeps its first and last 500]\n",
                        n - 1000, n);
            ls_text_put(&expected, all.data + n - 500, 500);
        }
        if (file.size != expected.size) fail_msg("of %zu bytes the log keeps %zu, not %zu", n, file.size, expected.size);
        if (file.size > 0) assert_memory_equal(file.data, expected.data, file.size);
        free(file.data);
        free(all.data);
        free(expected.data);
    }
    ls_process_result full;
    const ls_process process = {.argv = (const char *const[]){"sh", "-c", "seq 100000", NULL},
                                .output_path = "/dev/full",
                                .output_limit = 1000,
                                .timeout_ms = 60000};
    assert_int_equal(ls_process_run(&process, &full), 0);
    assert_true(ls_process_ok(&full));
    ls_process_free(&full);
    assert_int_equal(close(fd), 0);
    assert_int_equal(unlink(path), 0);
}

static char directory[] = "/tmp/test_process.XXXXXX";

static int make_directory(void **state) {
    (void)state;
    return mkdtemp(directory) == NULL;
}

static int remove_directory(void **state) {
    (void)state;
    ls_remove_tree(directory);
    return 0;
}

static ls_process_result script(const char *text, unsigned timeout_ms) {
    ls_process_result result;
    assert_int_equal(
        ls_process_run(
            &(ls_process){.argv = (const char *const[]){"sh", "-c", text, NULL}, .dir = directory, .timeout_ms = timeout_ms},
            &result),
        0);
    return result;
}

static void output_folder_and_limit_of_scripts(void **state) {
    (void)state;
    char ending[80];
    ls_process_result r = script("echo out; echo err >&2; pwd; cat; exit 3", 0);
    assert_int_equal(r.status, 3);
    assert_false(ls_process_ok(&r));
    char *expected = ls_format("out\nerr\n%s\n", directory);
    assert_string_equal(r.output, expected);
    free(expected);
    assert_string_equal(ls_process_ending(&r, ending, sizeof ending), "exit status 3");
    ls_process_free(&r);
    r = script("kill -SEGV $$", 0);
    assert_int_equal(r.signal, SIGSEGV);
    assert_int_equal(r.status, -1);
    ls_process_free(&r);
    r = script("echo begun; sleep 60 & sleep 60", 200); /* the child in the background holds the output too */
    assert_true(r.timed_out && r.seconds < 10 && r.signal == SIGKILL);
    assert_string_equal(r.output, "begun\n");
    ls_process_free(&r);
    r = script("exec 1>&- 2>&-; sleep 60", 200);
    assert_true(r.timed_out && r.seconds < 10);
    ls_process_free(&r);
    r = script("while :; do echo chatter; done", 200);
    assert_true(r.timed_out && r.seconds < 10 && r.output_size > 0);
    ls_process_free(&r);
    const char *const nothing[] = {"no-such-command", NULL};
    assert_int_equal(ls_process_run(&(ls_process){.argv = nothing}, &r), -ENOENT);
    assert_null(r.output);
    assert_int_equal(ls_process_run(&(ls_process){.argv = (const char *const[]){"true", NULL}, .dir = "/nowhere"}, &r), -ENOENT);
    char *path = ls_format("%s/log", directory);
    assert_int_equal(ls_process_run(&(ls_process){.argv = (const char *const[]){"echo", "kept", NULL}, .output_path = path}, &r),
                     0);
    assert_string_equal(r.output, "");
    ls_process_free(&r);
    ls_text log = {0};
    assert_int_equal(ls_text_read(&log, path), 0);
    assert_string_equal(log.data, "kept\n");
    free(log.data);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds),
        cmocka_unit_test(endings),
        cmocka_unit_test(output_folder_and_limit_of_scripts),
        cmocka_unit_test(a_long_output_is_cut_in_its_middle),
        cmocka_unit_test(a_sleeper_ends_at_its_limit),
        cmocka_unit_test(a_busy_command_ends_at_its_limit),
        cmocka_unit_test(a_starved_command_is_waited_for),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
