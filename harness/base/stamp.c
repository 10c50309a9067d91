/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/stamp.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/folder.h"
#include "harness/base/text.h"

#define REST_SECONDS 2 /* no clock of a file system is coarser */

ls_stamp ls_stamp_begin(const char *about) {
    ls_stamp stamp = {.hash = ls_hash_begin()};
    ls_hash_text(&stamp.hash, about);
    return stamp;
}

static bool later(struct timespec a, struct timespec b) {
    return a.tv_sec > b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec > b.tv_nsec);
}

void ls_stamp_add(ls_stamp *stamp, const char *path, const struct stat *is) {
    uint64_t seen[6] = {0};
    if (is != NULL) {
        const uint64_t now[6] = {(uint64_t)is->st_ino,          (uint64_t)is->st_size,        (uint64_t)is->st_mtim.tv_sec,
                                 (uint64_t)is->st_mtim.tv_nsec, (uint64_t)is->st_ctim.tv_sec, (uint64_t)is->st_ctim.tv_nsec};
        memcpy(seen, now, sizeof seen);
        if (later(is->st_ctim, stamp->latest)) stamp->latest = is->st_ctim;
    }
    ls_hash_text(&stamp->hash, path);
    ls_hash_bytes(&stamp->hash, seen, sizeof seen);
}

/* What stands before the finding: of it, too, for the note may be cut off. */
static char *first_line(const ls_stamp *stamp, const char *finding) {
    ls_hash h = stamp->hash;
    ls_hash_text(&h, finding);
    return ls_hash_end(&h);
}

char *ls_stamp_noted(const ls_stamp *stamp, const char *note) {
    ls_text text = {0};
    char *finding = NULL;
    if (ls_only_ours(note) && ls_text_read(&text, note) == 0 && text.data != NULL) {
        const char *end = strchr(text.data, '\n');
        char *line = first_line(stamp, end != NULL ? end + 1 : "");
        const size_t length = strlen(line);
        if (end == text.data + length && strncmp(text.data, line, length) == 0) finding = ls_copy(end + 1);
        free(line);
    }
    free(text.data);
    return finding;
}

void ls_stamp_note(const ls_stamp *stamp, const char *note, const char *finding) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0 || stamp->latest.tv_sec + REST_SECONDS >= now.tv_sec) return;
    ls_text text = {0};
    char *line = first_line(stamp, finding);
    ls_text_add(&text, "%s\n%s", line, finding);
    (void)ls_text_write(&text, note);
    free(line);
    free(text.data);
}
