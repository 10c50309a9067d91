/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/wave/wave.c and waves/: a planted fault becomes a wave file and a view that hold what they should. What
 * GTKWave itself makes of the view is gtkwave_check.sh's. To be run from the project's root. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/core/design.h"
#include "harness/base/root.h"
#include "waves/names.h"
#include "harness/cli/parse.h"
#include "harness/wave/wave.h"
#include "harness/core/run.h"

#define TOP "TOP.rf_bank_waves."

static char folder[] = "/tmp/test_wave.XXXXXX";
static ls_wave_files files; /* of the fault that set_up plants */
static ls_mismatch mismatch;

/* Runs the options' unit, which must fail, and writes its waves to the folder. */
static void write_waves(const ls_options *o, const char *to, ls_wave_files *made) {
    const ls_design_request design = {
        .unit = o->unit, .cfg = o->cfg, .rtl = (const char *const *)o->rtl.list, .rtl_count = o->rtl.count};
    ls_build_result build;
    ls_result result;
    char *error = NULL, *case_path = ls_format("%s/failure.case", to);
    assert_int_equal(ls_design_build(&design, &build, &error), 0);
    const ls_request run = {
        .unit = o->unit, .cfg = o->cfg, .so_path = build.so_path, .seed = 1, .cycles = 20000, .case_path = case_path};
    ls_run(&run, NULL, &result);
    assert_int_equal(result.status, LS_MISMATCH);
    assert_true(result.case_written);
    mismatch = result.mismatch;
    if (ls_wave_write(o, case_path, true, to, made) != 0) fail_msg("%s", made->message);
    ls_build_free(&build);
    free(case_path);
}

/* A bank whose write is spelt `write`, of as many rows and lanes: its failure and waves go to the folder. */
static void write_bank(const char *write, const char *rows, const char *lanes, const char *to, ls_wave_files *made) {
    static const char from[] = "mem_q[waddr_i] <=";
    char *original = ls_format("%s/rtl/banked/rf_bank.sv", ls_root()), *planted = ls_format("%s/rf_bank.sv", to);
    ls_text text = {0}, mutant = {0};
    ls_options o;
    assert_int_equal(ls_text_read(&text, original), 0);
    const char *at = strstr(text.data, from);
    assert_non_null(at);
    ls_text_put(&mutant, text.data, (size_t)(at - text.data));
    ls_text_add(&mutant, "%s%s", write, at + strlen(from));
    assert_int_equal(ls_text_write(&mutant, planted), 0);
    char *arguments[] = {"lockstep", "waves", "rf_bank", "--param", (char *)(uintptr_t)rows, "--param", (char *)(uintptr_t)lanes,
                         "--rtl",    planted, NULL};
    assert_int_equal(ls_options_parse(&o, 9, arguments), 0);
    write_waves(&o, to, made);
    ls_options_free(&o);
    free(ls_text_take(&text));
    free(ls_text_take(&mutant));
    free(original);
    free(planted);
}

/* A bank whose writes go to the other half of its rows. */
static int set_up(void **state) {
    (void)state;
    if (mkdtemp(folder) == NULL) return -1;
    write_bank("mem_q[waddr_i ^ ROW_W'(ROWS / 2)] <=", "ROWS=80", "LANES=32", folder, &files);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    ls_remove_tree(folder);
    return 0;
}

static void read_names(ls_wave_names *names, const ls_wave_files *of) {
    char error[256];
    if (ls_wave_names_read(names, of->fst, error, sizeof error) != 0) fail_msg("%s", error);
}

static void every_row_is_in_the_file(void **state) {
    (void)state;
    ls_wave_names names;
    read_names(&names, &files);
    for (unsigned row = 0; row < 80; row++) {
        for (int side = 0; side < 2; side++) {
            char path[80];
            (void)snprintf(path, sizeof path, TOP "%s.mem_q[%u]", side == 0 ? "rtl" : "model", row);
            const ls_wave_name *name = ls_wave_names_find(&names, path);
            assert_non_null(name);
            assert_int_equal(name->bits, 1024);
            assert_string_equal(name->range, "[1023:0]");
        }
    }
    assert_int_equal(ls_wave_names_find(&names, TOP "diff.mem_q")->bits, 80);
    assert_int_equal(ls_wave_names_find(&names, TOP "verdict")->bits, 2);
    assert_int_equal(ls_wave_names_find(&names, TOP "cycle")->bits, 32);
    assert_string_equal(ls_wave_names_find(&names, TOP "clk")->range, "");
    assert_non_null(ls_wave_names_find(&names, TOP "rst_n"));
    assert_null(ls_wave_names_find(&names, TOP "rtl.mem_q[80]"));
    ls_wave_names_free(&names);
}

/* "TOP.x.y[3:0]" with the range that the file gives it. */
static bool resolves(const ls_wave_names *names, const char *word, size_t size) {
    for (size_t i = 0; i < names->count; i++) {
        const size_t stem = strlen(names->list[i].shown), range = strlen(names->list[i].range);
        if (stem + range == size && strncmp(word, names->list[i].shown, stem) == 0 &&
            strncmp(word + stem, names->list[i].range, range) == 0)
            return true;
    }
    return false;
}

static void every_name_of_the_view_is_in_the_file(void **state) {
    (void)state;
    ls_wave_names names;
    ls_text view = {0};
    size_t count = 0;
    read_names(&names, &files);
    assert_int_equal(ls_text_read(&view, files.gtkw), 0);
    ls_text_put(&view, "", 0);
    for (const char *p = view.data; (p = strstr(p, TOP)) != NULL; count++) {
        const size_t size = strcspn(p, " \n");
        if (p[size - 1] == '.') { /* [treeopen] */
            p += size;
            continue;
        }
        if (!resolves(&names, p, size)) fail_msg("%.*s is not in the file", (int)size, p);
        p += size;
    }
    assert_true(count > 20);
    free(ls_text_take(&view));
    ls_wave_names_free(&names);
}

static void every_name_of_surfers_commands_is_in_the_file(void **state) {
    (void)state;
    ls_wave_names names;
    ls_text view = {0};
    size_t count = 0;
    read_names(&names, &files);
    assert_int_equal(ls_text_read(&view, files.sucl), 0);
    ls_text_put(&view, "", 0);
    for (char *line = strtok(view.data, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        const size_t words = strcspn(line, " ");
        if (strncmp(line, "# ", 2) != 0 && line[words] != '\0' && strchr(line + words + 1, ' ') != NULL)
            fail_msg("\"%s\" has more than one word behind the command", line);
        if (strncmp(line, "variable_add ", 13) != 0) continue;
        if (ls_wave_names_find(&names, line + 13) == NULL) fail_msg("%s is not in the file", line + 13);
        count++;
    }
    assert_true(count > 10);
    free(ls_text_take(&view));
    ls_wave_names_free(&names);
}

static void surfer_opens_on_the_failure(void **state) {
    (void)state;
    ls_text view = {0};
    assert_int_equal(ls_text_read(&view, files.sucl), 0);
    ls_text_put(&view, "", 0);
    char *cursor = ls_format("\ncursor_set %llu\n", (unsigned long long)mismatch.cycle * 10000 + 5000);
    char *row = ls_format("\ndivider_add differs\nvariable_add " TOP "rtl.mem_q[%u]\nvariable_add " TOP "model.mem_q[%u]\n",
                          mismatch.index, mismatch.index);
    assert_non_null(strstr(view.data, cursor));
    assert_non_null(strstr(view.data, row));
    assert_null(strstr(view.data, "/")); /* no folder: they may be moved */
    free(cursor);
    free(row);
    free(ls_text_take(&view));
}

/* The line of the view after the one that is `before`. */
static bool follows(const ls_text *view, const char *before, const char *line) {
    char *both = ls_format("\n%s\n%s", before, line);
    const bool found = strstr(view->data, both) != NULL;
    free(both);
    return found;
}

static void the_view_opens_on_the_failure(void **state) {
    (void)state;
    ls_text view = {0};
    assert_int_equal(ls_text_read(&view, files.gtkw), 0);
    ls_text_put(&view, "", 0);
    char *marker = ls_format("\n*-14.000000 %llu ", (unsigned long long)mismatch.cycle * 10000 + 5000);
    char *title = ls_format("-cycle %llu: registers differ", (unsigned long long)mismatch.cycle);
    const unsigned lane = (unsigned)__builtin_ctz(mismatch.lanes);
    char *row = ls_format("-mem_q[%u], lane %u: bits %u:%u\n", mismatch.index, lane, lane * 32 + 31, lane * 32);
    assert_string_equal(mismatch.field, "mem_q");
    assert_non_null(strstr(view.data, marker));
    assert_true(follows(&view, "@200", title));
    assert_true(follows(&view, title, "@100000028\n[color] 1\n+{verdict} " TOP "verdict[1:0]\n"));
    assert_true(follows(&view, "-differs", "@200\n"));
    assert_true(follows(&view, "@200", row));
    assert_non_null(strstr(view.data, "[dumpfile] \"failure.fst\"\n[savefile] \"failure.gtkw\"\n")); /* beside it */
    free(marker);
    free(title);
    free(row);
    free(ls_text_take(&view));
}

/* An array of one element in the RTL is one in the file, and no vector: the bank of one row, all of whose bits come wrong. */
static void an_array_of_one_element_is_an_array(void **state) {
    (void)state;
    static const char *const sides[] = {"rtl", "model", "diff"};
    const ls_mismatch large = mismatch;
    char *to = ls_format("%s/one", folder);
    ls_wave_files one;
    ls_wave_names names;
    ls_text view = {0};
    assert_int_equal(mkdir(to, 0700), 0);
    write_bank("mem_q[waddr_i] <= ~", "ROWS=1", "LANES=1", to, &one);
    assert_string_equal(mismatch.field, "mem_q");
    mismatch = large;
    read_names(&names, &one);
    assert_int_equal(ls_text_read(&view, one.gtkw), 0);
    ls_text_put(&view, "", 0);
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        char *element = ls_format(TOP "%s.mem_q[0]", sides[i]);
        const ls_wave_name *name = ls_wave_names_find(&names, element);
        if (name == NULL) fail_msg("%s is not in the file", element);
        assert_int_equal(name->bits, 32);
        if (strstr(view.data, name->shown) == NULL) fail_msg("%s is not in the view", name->shown);
        free(element);
    }
    free(ls_text_take(&view));
    ls_wave_names_free(&names);
    free(to);
}

/* A file that ends anywhere, or holds something wrong anywhere, is refused or read, but never read beyond its end. */
static void broken_files_are_refused(void **state) {
    (void)state;
    ls_text whole = {0};
    char *path = ls_format("%s/broken.fst", folder), error[256];
    ls_wave_names names;
    assert_int_equal(ls_text_read(&whole, files.fst), 0);
    for (size_t size = 0; size < whole.size; size += whole.size / 100 + 1) {
        const ls_text part = {.data = whole.data, .size = size};
        assert_int_equal(ls_text_write(&part, path), 0);
        assert_int_equal(ls_wave_names_read(&names, path, error, sizeof error), -1);
        assert_non_null(strstr(error, "no complete FST file"));
    }
    const size_t tail = whole.size < 4000 ? whole.size : 4000; /* where the hierarchy is */
    for (size_t at = whole.size - tail; at < whole.size; at += 7) {
        whole.data[at] = (char)~whole.data[at];
        assert_int_equal(ls_text_write(&whole, path), 0);
        if (ls_wave_names_read(&names, path, error, sizeof error) == 0) ls_wave_names_free(&names);
        whole.data[at] = (char)~whole.data[at];
    }
    free(ls_text_take(&whole));
    free(path);
}

static void what_cannot_be_done_has_a_message(void **state) {
    (void)state;
    char *arguments[] = {"lockstep", "waves", "rf_bank", NULL};
    char *case_path = ls_format("%s/failure.case", folder);
    ls_options o;
    ls_wave_files none;
    assert_int_equal(ls_options_parse(&o, 3, arguments), 0);
    assert_int_equal(ls_wave_write(&o, case_path, true, "/nowhere", &none), -1);
    assert_non_null(strstr(none.message, "no such folder"));
    assert_int_equal(ls_wave_write(&o, "/nowhere.case", true, folder, &none), -1);
    assert_non_null(strstr(none.message, "/nowhere.case"));
    ls_options_free(&o);
    free(case_path);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_row_is_in_the_file),
                                       cmocka_unit_test(every_name_of_the_view_is_in_the_file),
                                       cmocka_unit_test(every_name_of_surfers_commands_is_in_the_file),
                                       cmocka_unit_test(surfer_opens_on_the_failure),
                                       cmocka_unit_test(the_view_opens_on_the_failure),
                                       cmocka_unit_test(an_array_of_one_element_is_an_array),
                                       cmocka_unit_test(broken_files_are_refused),
                                       cmocka_unit_test(what_cannot_be_done_has_a_message)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
