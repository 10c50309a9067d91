/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the JSON writer: commas, nesting, keys and values that need escapes, numbers that are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <math.h>

#include "harness/base/json.h"

static void commas_stand_between_and_nowhere_else(void **state) {
    ls_text t = {0};
    (void)state;
    ls_json_open(&t, NULL, '{');
    ls_json_open(&t, "none", '[');
    ls_json_close(&t, '[');
    ls_json_open(&t, "list", '[');
    ls_json_uint(&t, NULL, 1);
    ls_json_text(&t, NULL, "{");
    ls_json_open(&t, NULL, '{');
    ls_json_close(&t, '{');
    ls_json_raw(&t, NULL, "[2]");
    ls_json_close(&t, '[');
    ls_json_bool(&t, "yes", true);
    ls_json_seed(&t, "seed", 0x1f);
    ls_json_close(&t, '{');
    assert_string_equal(t.data, "{\"none\":[],\"list\":[1,\"{\",{},[2]],\"yes\":true,\"seed\":\"000000000000001f\"}");
    ls_text_put(&t, "\n", 1);
    ls_json_open(&t, NULL, '{');
    ls_json_close(&t, '{');
    assert_string_equal(t.data + t.size - 3, "\n{}");
    free(ls_text_take(&t));
}

static void keys_and_texts_are_escaped(void **state) {
    ls_text t = {0};
    (void)state;
    ls_json_open(&t, NULL, '{');
    ls_json_text(&t, "a\"b", "c\\d\n\x1b\xff");
    ls_json_close(&t, '{');
    assert_string_equal(t.data, "{\"a\\\"b\":\"c\\\\d\\u000a\\u001b\\ufffd\"}");
    free(ls_text_take(&t));
}

static void a_number_that_is_none_is_null(void **state) {
    ls_text t = {0};
    (void)state;
    ls_json_open(&t, NULL, '[');
    ls_json_fixed(&t, NULL, 1.25, 1);
    ls_json_real(&t, NULL, 1e-9, 3);
    ls_json_real(&t, NULL, (double)NAN, 3);
    ls_json_fixed(&t, NULL, (double)INFINITY, 3);
    ls_json_close(&t, '[');
    assert_string_equal(t.data, "[1.2,1e-09,null,null]");
    free(ls_text_take(&t));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(commas_stand_between_and_nowhere_else),
                                       cmocka_unit_test(keys_and_texts_are_escaped),
                                       cmocka_unit_test(a_number_that_is_none_is_null)};
    return cmocka_run_group_tests_name("harness/base/json.c", tests, NULL, NULL);
}
