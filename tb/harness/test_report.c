/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/core/report.c: every record is strict JSON whatever is in it, and a person finds in the text what the record
 * says. Also of the tests' own JSON reader. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cmodel/common/rf_rr.h"
#include "harness/core/config.h"
#include "harness/core/plan.h"
#include "harness/base/memory.h"
#include "tb/tests/json.h"
#include "harness/core/report.h"

static void the_reader_is_strict(void **state) {
    static const char *const good[] = {"{}",
                                       "[]",
                                       " [ 1 , -0.5e+3 ] ",
                                       "\"\\u00e9\\n\\\\\"",
                                       "{\"a\":{\"b\":[true,false,null]}}",
                                       "0",
                                       "-1",
                                       "1E9",
                                       "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""};
    static const char *const bad[] = {"",
                                      "{",
                                      "}",
                                      "[1,]",
                                      "{\"a\"}",
                                      "{\"a\":}",
                                      "{a:1}",
                                      "{\"a\":1,}",
                                      "01",
                                      "1.",
                                      ".5",
                                      "+1",
                                      "1e",
                                      "-",
                                      "\"",
                                      "\"\n\"",
                                      "\"\\x\"",
                                      "\"\\u12g4\"",
                                      "nul",
                                      "nan",
                                      "inf",
                                      "[1 2]",
                                      "{} {}",
                                      "\"\xff\"",
                                      "\"\xc0\x80\"",
                                      "\"\xed\xa0\x80\"",
                                      "\"\xe2\x82\"",
                                      "\"\xf4\x90\x80\x80\"",
                                      "'a'"};
    size_t n = 0;
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!json_valid(good[i])) fail_msg("refused: %s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (json_valid(bad[i])) fail_msg("accepted: %s", bad[i]);
    const char *text = "{\"a\":[1,{\"b\":2}], \"c\" : {\"d\":\"x,}\",\"e\":17}}";
    assert_memory_equal(json_find(text, "c.e", &n), "17", n);
    assert_memory_equal(json_find(text, "c.d", &n), "\"x,}\"", n);
    assert_memory_equal(json_find(text, "a", &n), "[1,{\"b\":2}]", n);
    assert_null(json_find(text, "b", &n));
    assert_null(json_find(text, "c.e.f", &n));
}

static void every_string_becomes_a_valid_one(void **state) {
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, 1);
    for (uint32_t n = 0; n < 20000; n++) {
        char text[12] = {0};
        for (uint32_t i = 0; i < n % 12; i++) text[i] = (char)(1 + ls_rng_below(&rng, 255));
        if (n < 255) (void)snprintf(text, sizeof text, "%c", (int)(n + 1));
        ls_text json = {0};
        ls_json_string(&json, text);
        if (!json_valid(json.data)) fail_msg("not valid: %s", json.data);
        free(json.data);
    }
    ls_text json = {0};
    ls_json_string(&json, "a\"b\\c\n\xc3\xa9\xff");
    assert_string_equal(json.data, "\"a\\\"b\\\\c\\u000a\xc3\xa9\\ufffd\"");
    free(json.data);
}

typedef struct fixture {
    ls_request request;
    ls_result result;
    ls_run_notes notes;
    void *cfg;
} fixture;

static const char *const files[] = {"case", "build/runs/a \"b\"/failure.case", "waves", "f.fst", NULL};

static fixture mismatch_of(const char *unit_name) {
    fixture f = {
        .result = {.status = LS_MISMATCH, .cycles = 17, .compares = 123456, .resets = 2, .fill = 5, .fields = 9, .sampled = 18}};
    const ls_unit *unit = ls_unit_find(unit_name);
    assert_non_null(unit);
    f.cfg = ls_config_new(unit);
    f.request = (ls_request){.unit = unit, .cfg = f.cfg, .seed = 0xabc, .cycles = 1000};
    f.result.mismatch = (ls_mismatch){.cycle = 17, .index = 3, .count = 8, .bits = 1024, .lanes = 0x80000001, .fields = 2};
    (void)strcpy(f.result.mismatch.field, "data_q");
    (void)strcpy(f.result.mismatch.rtl_name, "g[1].u_x.data_q");
    (void)strcpy(f.result.mismatch.rtl, "12345678ffff0000");
    (void)strcpy(f.result.mismatch.model, "12345678ffff0001");
    (void)strcpy(f.result.mismatch.diff, "1");
    (void)strcpy(f.result.mismatch.others, "valid_q");
    f.notes = (ls_run_notes){
        .command = "lockstep run x --rtl 'a \"b\".sv'", .files = files, .build = "0123", .cached = true, .build_seconds = 0.5};
    return f;
}

static void assert_member(const char *record, const char *path, const char *expected) {
    size_t n = 0;
    const char *value = json_find(record, path, &n);
    if (value == NULL || strlen(expected) != n || strncmp(value, expected, n) != 0)
        fail_msg("%s is %.*s and not %s in %s", path, value != NULL ? (int)n : 1, value != NULL ? value : "-", expected, record);
}

static void records_of_every_status_are_valid(void **state) {
    static const char *const names[] = {"\"pass\"", "\"mismatch\"", "\"vacuous\"", "\"crash\"",
                                        "\"hang\"", "\"usage\"",    "\"build\""};
    (void)state;
    for (const ls_unit *const *u = ls_units; *u != NULL; u++)
        for (int status = LS_PASS; status <= LS_BUILD; status++) {
            fixture f = mismatch_of((*u)->name);
            ls_text record = {0};
            f.result.status = (ls_status)status;
            if (status >= LS_CRASH) (void)strcpy(f.result.message, "a.sv:3: \"what\"\n\t\x01 \xfe");
            if (status == LS_BUILD) f.notes.files = NULL;
            f.result.counters = 4;
            const double odd[] = {(double)NAN, (double)INFINITY, -DBL_MAX, 0.1};
            for (uint32_t i = 0; i < 4; i++) {
                (void)snprintf(f.result.counter[i].name, sizeof f.result.counter[i].name, "counter \"%u\"", i);
                f.result.counter[i].value = odd[i];
            }
            f.request.workload = (*u)->workload != NULL ? "traces/\"odd\"/kernelslist.g" : NULL;
            ls_report_record(&f.request, &f.result, &f.notes, &record);
            if (!json_valid(record.data)) fail_msg("not valid: %s", record.data);
            assert_null(strchr(record.data, '\n'));
            assert_member(record.data, "status", names[status]);
            assert_member(record.data, "seed", "\"0000000000000abc\"");
            assert_member(record.data, "cycles", "17");
            if (status == LS_MISMATCH) {
                assert_member(record.data, "mismatch.field", "\"data_q\"");
                assert_member(record.data, "mismatch.cycle", "17");
                assert_member(record.data, "mismatch.index", "3");
                assert_member(record.data, "mismatch.xor", "\"1\"");
            }
            free(record.data);
            free(f.cfg);
        }
}

static char *text_of(const fixture *f, bool colour, bool brief) {
    FILE *to = tmpfile();
    char *text = calloc(1, 8192);
    assert_non_null(to);
    assert_non_null(text);
    if (brief) ls_report_brief(&f->request, &f->result, to);
    else ls_report_text(&f->request, &f->result, &f->notes, colour, to);
    rewind(to);
    (void)fread(text, 1, 8191, to);
    (void)fclose(to);
    return text;
}

/* Counters and a property's message are of the time since the last reset; the run's own cycle stands beside. */
static void a_property_is_told_with_the_cycle_of_the_run(void **state) {
    (void)state;
    fixture f = mismatch_of("rf_banked");
    (void)strcpy(f.result.mismatch.field, "property");
    (void)strcpy(f.result.message, "cycle 3: something is lost");
    (void)strcpy(f.result.counter[0].name, "uops");
    f.result.counters = 1;
    char *text = text_of(&f, false, false);
    assert_non_null(
        strstr(text, "  cycle 3: something is lost\n  in cycle 17 of the run; the message counts from the last reset\n"));
    assert_null(strstr(text, "since the last reset:"));
    free(text);
    f.result.resets = 4;
    text = text_of(&f, false, false);
    assert_non_null(strstr(text, "  since the last reset:\n  uops 0\n"));
    free(text);
    free(f.cfg);
}

static void the_text_says_what_differs_and_how_to_do_it_again(void **state) {
    static const char *const says[] = {"mismatch  rf_ocu",
                                       "g[1].u_x.data_q",
                                       "element 3 of 8",
                                       "after the edge of cycle 17",
                                       "0x12345678_ffff0000",
                                       "0x12345678_ffff0001",
                                       "lanes    0, 31 differ, of 0 to 31 (each 32 bits; 0 is bits 31:0)\n",
                                       "  1 more register differs at the same time, none did before; in the order of the field "
                                       "list: valid_q\n",
                                       "failure.case",
                                       "f.fst",
                                       "again    lockstep run x --rtl 'a \"b\".sv'"};
    (void)state;
    fixture f = mismatch_of("rf_ocu");
    char *text = text_of(&f, false, false);
    for (size_t i = 0; i < sizeof says / sizeof *says; i++)
        if (strstr(text, says[i]) == NULL) fail_msg("\"%s\" is not in\n%s", says[i], text);
    assert_null(strchr(text, '\033'));
    free(text);
    text = text_of(&f, true, false);
    assert_non_null(strstr(text, "\033[1;31mmismatch"));
    free(text);
    f.result.status = LS_PASS;
    text = text_of(&f, true, false);
    assert_non_null(strstr(text, "\033[1;32mpass"));
    free(text);
    text = text_of(&f, false, true);
    assert_int_equal(strncmp(text, "pass", 4), 0);
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
    free(text);
    free(f.cfg);
}

/* Which lanes, as numbers or all; how many fields beside the first, and of those that found no room the count. */
static void lanes_and_other_fields_are_told_plainly(void **state) {
    (void)state;
    fixture f = mismatch_of("rf_ocu");
    f.result.mismatch.lanes = UINT32_MAX;
    f.result.mismatch.output = true;
    f.result.mismatch.fields = 5;
    (void)strcpy(f.result.mismatch.others, "a, b");
    char *text = text_of(&f, false, false);
    if (strstr(text, "  lanes    0 to 31 differ, of 0 to 31 (") == NULL) fail_msg("%s", text);
    if (strstr(text,
               "  4 more outputs differ at the same time, none did before; in the order of the field list: a, b and 2 more\n") ==
        NULL)
        fail_msg("%s", text);
    free(text);
    f.result.mismatch.bits = 65;
    f.result.mismatch.lanes = 4;
    f.result.mismatch.earlier = 7; /* found by a sweep: what came before is not known */
    text = text_of(&f, false, false);
    if (strstr(text, "  lanes    2 differ, of 0 to 2 (each 32 bits; 0 is bits 31:0)\n") == NULL) fail_msg("%s", text);
    if (strstr(text, "differ at the same time; in the order") == NULL) fail_msg("%s", text);
    f.result.mismatch.fields = 1;
    f.result.mismatch.bits = 1024;
    f.result.mismatch.lanes = 0xc0000f35;
    free(text);
    text = text_of(&f, false, false);
    assert_null(strstr(text, "at the same time"));
    assert_non_null(strstr(text, "  lanes    0, 2, 4 to 5, 8 to 11, 30 to 31 differ, of 0 to 31"));
    free(text);
    free(f.cfg);
}

static void names_of_the_rtl_command_no_terminal(void **state) {
    (void)state;
    fixture f = mismatch_of("rf_ocu");
    (void)strcpy(f.result.mismatch.rtl_name, "a\033[31mb_q");
    (void)strcpy(f.result.message, "said \007\n\xff");
    char *text = text_of(&f, true, false);
    if (strstr(text, "a\\x1b[31mb_q") == NULL || strstr(text, "said \\x07\n  \\xff\n") == NULL) fail_msg("%s", text);
    assert_null(strchr(text, '\007'));
    assert_non_null(strstr(text, "\033[1;31mmismatch\033[0m"));
    assert_null(strchr(strchr(text, '\n'), '\033'));
    free(text);
    free(f.cfg);
}

/* Reset has inputs of its own: the lines of reset and the one after it name all but 0, those between only what changed. */
static void inputs_are_complete_after_a_reset(void **state) {
    char file[] = "/tmp/test_report.XXXXXX", error[256] = "";
    static const rf_rr_in in[] = {{.req = 0x11, .take = 1},
                                  {.req = 0x22, .take = 1},
                                  {.req = 0x22, .take = 1},
                                  {.req = 0x33, .take = 1},
                                  {.req = 0x33, .take = 1}};
    ls_case c;
    (void)state;
    const int fd = mkstemp(file);
    assert_true(fd >= 0);
    close(fd);
    fixture f = mismatch_of("rf_rr");
    ls_case_init(&c, f.request.unit, f.cfg, 1, "mask_q");
    for (size_t i = 0; i < sizeof in / sizeof *in; i++) assert_int_equal(ls_case_add(&c, i == 1, 0, &in[i]), 0);
    assert_int_equal(ls_case_write(&c, file, error, sizeof error), 0);
    f.request.case_path = file;
    f.result.case_written = true;
    char *text = text_of(&f, false, false);
    const char *expected = "        13  req=11 take=1\n        14  reset req=22 take=1\n        15  req=22 take=1\n"
                           "        16  req=33\n        17  no change\n";
    if (strstr(text, expected) == NULL) fail_msg("not\n%sbut\n%s", expected, text);
    free(text);
    ls_case_free(&c);
    free(f.cfg);
    (void)unlink(file);
}

/* All inputs of rf_arbiter are more than a line holds. */
static void inputs_after_a_reset_go_on_in_further_lines(void **state) {
    char file[] = "/tmp/test_report.XXXXXX", error[256] = "";
    ls_case c;
    (void)state;
    const int fd = mkstemp(file);
    assert_true(fd >= 0);
    close(fd);
    fixture f = mismatch_of("rf_arbiter");
    uint8_t *in = ls_zeroed(f.request.unit->in_size);
    ls_case_init(&c, f.request.unit, f.cfg, 1, "rd_grant");
    void *model = ls_zeroed(f.request.unit->model_size);
    ls_fields fields = {0};
    assert_int_equal(f.request.unit->init(model, f.cfg), 0);
    f.request.unit->fields(&fields, model);
    for (size_t i = 0; i < fields.count; i++)
        for (uint32_t e = 0; fields.list[i].kind == LS_IN && e < fields.list[i].count; e++) {
            const uint32_t one[32] = {1};
            ls_model_store(&fields.list[i], in, e, one);
        }
    ls_fields_free(&fields);
    free(model);
    for (int i = 0; i < 2; i++) assert_int_equal(ls_case_add(&c, i == 0, 0, in), 0);
    assert_int_equal(ls_case_write(&c, file, error, sizeof error), 0);
    f.request.case_path = file;
    f.result.case_written = true;
    char *text = text_of(&f, false, false);
    char *first = strstr(text, "16  reset "), *second = first != NULL ? strchr(first, '\n') : NULL;
    assert_non_null(second);
    *second++ = '\0';
    assert_non_null(strstr(first, " +")); /* the failure is not there */
    assert_non_null(strstr(second, " rd_row[5]="));
    if (strstr(second, " +") != NULL) fail_msg("%s", second);
    for (char *line = second, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) assert_true(end - line <= 118);
    free(text);
    ls_case_free(&c);
    free(in);
    free(f.cfg);
    (void)unlink(file);
}

static void exit_codes_follow_the_status(void **state) {
    static const int codes[] = {0, 1, 1, 1, 1, 2, 2};
    (void)state;
    for (int status = LS_PASS; status <= LS_BUILD; status++) assert_int_equal(ls_status_exit((ls_status)status), codes[status]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reader_is_strict),
        cmocka_unit_test(every_string_becomes_a_valid_one),
        cmocka_unit_test(records_of_every_status_are_valid),
        cmocka_unit_test(a_property_is_told_with_the_cycle_of_the_run),
        cmocka_unit_test(the_text_says_what_differs_and_how_to_do_it_again),
        cmocka_unit_test(lanes_and_other_fields_are_told_plainly),
        cmocka_unit_test(names_of_the_rtl_command_no_terminal),
        cmocka_unit_test(inputs_are_complete_after_a_reset),
        cmocka_unit_test(inputs_after_a_reset_go_on_in_further_lines),
        cmocka_unit_test(exit_codes_follow_the_status),
    };
    return cmocka_run_group_tests_name("harness/core/report.c", tests, NULL, NULL);
}
