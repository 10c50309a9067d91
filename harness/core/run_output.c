/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/run_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/progress.h"
#include "harness/base/text.h"

#define CHUNK 65536u /* all that a pipe holds */

int ls_run_output_open(ls_run_output *o) {
    int ends[2];
    *o = (ls_run_output){.from = -1, .into = -1};
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    o->from = ends[0];
    o->into = ends[1];
    return fcntl(o->from, F_SETFL, O_NONBLOCK);
}

void ls_run_output_child(ls_run_output *o) {
    (void)dup2(o->into, STDOUT_FILENO);
    (void)dup2(o->into, STDERR_FILENO);
    (void)close(o->into);
    (void)close(o->from);
}

void ls_run_output_parent(ls_run_output *o) { (void)close(o->into); }

static void print_printable(const char *data, size_t size) {
    char *plain = ls_printable(data, size);
    ls_progress_clear();
    (void)fputs(plain, stderr);
    free(plain);
}

/* Bytes at the end of `data` that may be the beginning of a UTF-8 character. */
static size_t unfinished(const char *data, size_t size) {
    for (size_t n = 1; n <= 3 && n <= size; n++) {
        const unsigned char c = (unsigned char)data[size - n];
        if (c >= 0xc0) return n < (c >= 0xf0 ? 4u : c >= 0xe0 ? 3u : 2u) ? n : 0;
        if (c < 0x80) return 0;
    }
    return 0;
}

bool ls_run_output_pass(ls_run_output *o) {
    static char data[sizeof o->held + CHUNK + 1];
    memcpy(data, o->held, o->held_size);
    const ssize_t got = read(o->from, data + o->held_size, CHUNK);
    if (got <= 0) return got < 0 && (errno == EAGAIN || errno == EINTR);
    const size_t all = o->held_size + (size_t)got;
    char last[sizeof o->held];
    o->held_size = unfinished(data, all);
    memcpy(last, data + all - o->held_size, o->held_size);
    data[all - o->held_size] = '\0';
    print_printable(data, all - o->held_size);
    memcpy(o->held, last, o->held_size);
    return true;
}

void ls_run_output_close(ls_run_output *o) {
    (void)ls_run_output_pass(o);
    char rest[sizeof o->held + 1] = {0};
    memcpy(rest, o->held, o->held_size);
    print_printable(rest, o->held_size);
    (void)close(o->from);
}
