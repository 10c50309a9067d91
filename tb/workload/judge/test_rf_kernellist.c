/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel lists: what they may say, every error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cmodel/workload/rf_kernellist.h"
#include "tb/workload/rf_memory.h"

static rf_memory_file file = {.path = "dir/list.g", .piece = 10};
static rf_memory memory = {&file, 1};

static void set_list(const char *text) {
    file.text = text;
    file.size = strlen(text);
}

static void test_list(void **state) {
    (void)state;
    const rf_source source = rf_memory_source(&memory);
    rf_kernellist list;
    char error[256];
    set_list("\nMemcpyHtoD,0x00007fffffffffff,18446744073709551615\r\nkernel-1.traceg\n\nMemcpyHtoD,0xABCDEF,0\nkernel-9");
    assert_int_equal(rf_kernellist_read(&source, "dir/list.g", &list, error, sizeof error), 0);
    assert_int_equal(list.count, 4);
    assert_int_equal(list.launch[0].kind, RF_LAUNCH_MEMCPY_HTOD);
    assert_int_equal(list.launch[0].line, 2);
    assert_true(list.launch[0].address == UINT64_C(0x7fffffffffff) && list.launch[0].bytes == UINT64_MAX);
    assert_int_equal(list.launch[1].kind, RF_LAUNCH_KERNEL);
    assert_string_equal(list.launch[1].path, "dir/kernel-1.traceg");
    assert_int_equal(list.launch[2].address, 0xabcdef);
    assert_string_equal(list.launch[3].path, "dir/kernel-9");
    assert_int_equal(list.launch[3].line, 6);
    rf_kernellist_free(&list);
}

static const struct {
    const char *text, *message;
} errors[] = {
    {"", "dir/list.g:0: kernel: the list names none"},
    {"MemcpyHtoD,0x1,1\n\n", "dir/list.g:2: kernel: the list names none"},
    {"kernel-1\nMemcpyDtoH,0x1,1\n",
     "dir/list.g:2: command: 'MemcpyDtoH,0x1,1' is not 'kernel...' or 'MemcpyHtoD,0xADDRESS,BYTES'"},
    {"kernel-1\n\nMemcpyHtoD\n", "dir/list.g:3: command: 'MemcpyHtoD' is not"},
    {"MemcpyHtoD,0x1\n", "dir/list.g:1: MemcpyHtoD: 'MemcpyHtoD,0xADDRESS,BYTES' expected"},
    {"MemcpyHtoD,1,1\n", "dir/list.g:1: MemcpyHtoD address: '1' is not an address"},
    {"MemcpyHtoD,0x,1\n", "dir/list.g:1: MemcpyHtoD address: '0x' is not an address"},
    {"MemcpyHtoD,0x11112222333344445,1\n", "dir/list.g:1: MemcpyHtoD address: '0x11112222333344445' is not an address"},
    {"MemcpyHtoD,0x1,\n", "dir/list.g:1: MemcpyHtoD bytes: missing: the line ends"},
    {"MemcpyHtoD,0x1,18446744073709551616\n", "dir/list.g:1: MemcpyHtoD bytes: '18446744073709551616' is not a number"},
    {"MemcpyHtoD,0x1,1,1\n", "dir/list.g:1: MemcpyHtoD bytes: '1,1' is not a number"},
};

static void test_list_errors(void **state) {
    (void)state;
    const rf_source source = rf_memory_source(&memory);
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        rf_kernellist list;
        char error[256] = "";
        set_list(errors[i].text);
        if (rf_kernellist_read(&source, "dir/list.g", &list, error, sizeof error) != -1)
            fail_msg("case %zu is read, which should say \"%s\"", i, errors[i].message);
        if (!strstr(error, errors[i].message)) fail_msg("case %zu: \"%s\" lacks \"%s\"", i, error, errors[i].message);
        assert_null(list.launch);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_list), cmocka_unit_test(test_list_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
