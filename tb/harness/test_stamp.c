/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of notes on files: what takes a note back, and when none is made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/base/stamp.h"
#include "harness/base/text.h"

#define FINDING "as compiled\nsecond line\n"

static char note[] = "/tmp/test_stamp.XXXXXX";

/* A file as it was an hour ago. */
static struct stat old_file(void) {
    struct stat is = {.st_ino = 7, .st_size = 100};
    is.st_mtim = (struct timespec){1000, 1};
    is.st_ctim = (struct timespec){time(NULL) - 3600, 2};
    return is;
}

static ls_stamp stamp_of(const char *about, const char *path, const struct stat *is) {
    ls_stamp stamp = ls_stamp_begin(about);
    ls_stamp_add(&stamp, path, is);
    return stamp;
}

static void make_note(const struct stat *is) {
    const ls_stamp stamp = stamp_of("x", "a.c", is);
    ls_stamp_note(&stamp, note, FINDING);
}

static void expect(const char *finding, ls_stamp stamp) {
    char *noted = ls_stamp_noted(&stamp, note);
    if (finding == NULL) assert_null(noted);
    else assert_string_equal(noted, finding);
    free(noted);
}

static void a_note_holds_until_a_file_changes(void **state) {
    const struct stat is = old_file();
    struct stat other[6];
    (void)state;
    make_note(&is);
    expect(FINDING, stamp_of("x", "a.c", &is));
    for (size_t i = 0; i < 6; i++) other[i] = is;
    other[0].st_ino++;
    other[1].st_size++;
    other[2].st_mtim.tv_sec++;
    other[3].st_mtim.tv_nsec++;
    other[4].st_ctim.tv_sec++;
    other[5].st_ctim.tv_nsec++;
    for (size_t i = 0; i < 6; i++) expect(NULL, stamp_of("x", "a.c", &other[i]));
    expect(NULL, stamp_of("x", "b.c", &is));
    expect(NULL, stamp_of("y", "a.c", &is));
    expect(NULL, stamp_of("x", "a.c", NULL));
}

/* The mark alone says what the note is of. */
static void a_mark_is_of_files_and_finding(void **state) {
    const struct stat is = old_file();
    const ls_stamp stamp = stamp_of("x", "a.c", &is), other = stamp_of("x", "b.c", &is);
    (void)state;
    make_note(&is);
    char *marked = ls_stamp_marked(note, FINDING), *same = ls_stamp_mark(&stamp, FINDING), *file = ls_stamp_mark(&other, FINDING),
         *finding = ls_stamp_mark(&stamp, "another");
    assert_string_equal(marked, same);
    assert_string_not_equal(marked, file);
    assert_string_not_equal(marked, finding);
    assert_null(ls_stamp_marked(note, "another"));
    free(marked);
    free(same);
    free(file);
    free(finding);
}

static void what_just_changed_is_not_noted(void **state) {
    struct stat is = old_file();
    (void)state;
    for (int ahead = -1; ahead <= 3600; ahead += 3601) { /* or has a time to come */
        is.st_ctim.tv_sec = time(NULL) + ahead;
        make_note(&is);
        expect(NULL, stamp_of("x", "a.c", &is));
    }
}

static void a_damaged_note_is_none(void **state) {
    const struct stat is = old_file();
    (void)state;
    make_note(&is);
    assert_int_equal(truncate(note, 40), 0);
    expect(NULL, stamp_of("x", "a.c", &is));
    assert_int_equal(truncate(note, 0), 0);
    expect(NULL, stamp_of("x", "a.c", &is));
    make_note(&is);
    assert_int_equal(chmod(note, 0666), 0);
    expect(NULL, stamp_of("x", "a.c", &is));
    assert_int_equal(unlink(note), 0);
    expect(NULL, stamp_of("x", "a.c", &is));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_note_holds_until_a_file_changes), cmocka_unit_test(a_mark_is_of_files_and_finding),
        cmocka_unit_test(what_just_changed_is_not_noted), cmocka_unit_test(a_damaged_note_is_none)};
    const int fd = mkstemp(note);
    if (fd < 0 || close(fd) != 0) return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
