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

char *ls_stamp_mark(const ls_stamp *stamp, const char *finding) { /* of the finding, too, for the note may be cut off */
    ls_hash h = stamp->hash;
    ls_hash_text(&h, finding);
    return ls_hash_end(&h);
}

/* A note's two parts, the first line to be freed. NULL: there is none, or others could have written it. */
static char *read_note(const char *note, const char **finding) {
    ls_text text = {0};
    char *mark = ls_only_ours(note) && ls_text_read(&text, note) == 0 ? ls_text_take(&text) : NULL;
    char *end = mark != NULL ? strchr(mark, '\n') : NULL;
    if (end != NULL) {
        *end = '\0';
        *finding = end + 1;
        return mark;
    }
    free(mark);
    free(text.data);
    return NULL;
}

char *ls_stamp_noted(const ls_stamp *stamp, const char *note) {
    const char *finding = NULL;
    char *noted = read_note(note, &finding), *mark = noted != NULL ? ls_stamp_mark(stamp, finding) : NULL;
    char *found = noted != NULL && strcmp(mark, noted) == 0 ? ls_copy(finding) : NULL;
    free(mark);
    free(noted);
    return found;
}

char *ls_stamp_marked(const char *note, const char *finding) {
    const char *is = NULL;
    char *mark = read_note(note, &is);
    if (mark == NULL || strcmp(is, finding) == 0) return mark;
    free(mark);
    return NULL;
}

void ls_stamp_note(const ls_stamp *stamp, const char *note, const char *finding) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0 || stamp->latest.tv_sec + REST_SECONDS >= now.tv_sec) return;
    ls_text text = {0};
    char *mark = ls_stamp_mark(stamp, finding);
    ls_text_add(&text, "%s\n%s", mark, finding);
    (void)ls_text_write(&text, note);
    free(mark);
    free(text.data);
}
