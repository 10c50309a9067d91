/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel lists and workloads: order, kernel boundaries, names with and without .xz, every error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cmodel/workload/rf_kernellist.h"
#include "tb/workload/rf_memory.h"

#define HEAD(name, version)                                                                                                      \
    "-kernel name = " name "\n-grid dim = (1,1,1)\n-block dim = (96,1,1)\n-nregs = 8\n-accelsim tracer version = " version       \
    "\n\n#BEGIN_TB\n\n"                                                                                                          \
    "thread block = 0,0,0\n\n"
#define WARP(n, opcode) "warp = " n "\ninsts = 1\n0000 ffffffff 1 R1 " opcode " 0 0\n\n"
#define END "#END_TB\n"

static const char two[] = HEAD("two", "3") WARP("0", "STRANGE") WARP("2", "STRANGE") END;
static const char none[] = HEAD("none", "3") END;
static const char one[] = HEAD("one", "3") WARP("1", "STRANGER") END;
static const char bad[] = HEAD("bad", "3") WARP("1", "STRANGE") WARP("0", "STRANGE") END;

static rf_memory_file files[] = {
    {.path = "dir/kernel-1.traceg", .text = two, .size = sizeof two - 1, .piece = 100},
    {.path = "dir/kernel-2.traceg.xz", .text = none, .size = sizeof none - 1, .piece = 100},
    {.path = "dir/kernel-3.traceg", .text = one, .size = sizeof one - 1, .piece = 100},
    {.path = "dir/kernel-4.traceg", .text = bad, .size = sizeof bad - 1, .piece = 100},
    {.path = "dir/kernel-1.traceg.xz", .text = bad, .size = sizeof bad - 1, .piece = 100}, /* the name as listed goes first */
    {.path = "dir/list.g", .piece = 10},
};
static rf_memory memory = {files, 6};

static void set_list(const char *text) {
    files[5].text = text;
    files[5].size = strlen(text);
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
        assert_int_equal(rf_kernellist_read(&source, "dir/list.g", &list, error, sizeof error), -1);
        if (!strstr(error, errors[i].message)) fail_msg("case %zu: \"%s\" lacks \"%s\"", i, error, errors[i].message);
        assert_null(list.launch);
    }
}

static void test_workload(void **state) {
    (void)state;
    const rf_source source = rf_memory_source(&memory);
    char error[256];
    rf_warp warp = {0};
    rf_workload_at at;
    /* the second is there with .xz only, the third without */
    set_list("MemcpyHtoD,0x1,1\nkernel-1.traceg\nkernel-2.traceg\nkernel-3.traceg.xz\nkernel-1.traceg\n");
    rf_workload *const w = rf_workload_open(&source, "dir/list.g", error, sizeof error);
    assert_non_null(w);
    static const struct {
        const char *name;
        uint32_t kernel, warp;
        bool fresh;
    } expected[] = {{"two", 0, 0, true}, {"two", 0, 2, false}, {"one", 2, 1, true}, {"two", 3, 0, true}, {"two", 3, 2, false}};
    const char *mnemonic = NULL, *first = NULL;
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(rf_workload_next(w, &warp, &at), 1);
        assert_string_equal(at.head->kernel, expected[i].name);
        assert_int_equal(at.kernel, expected[i].kernel);
        assert_int_equal(at.new_kernel, expected[i].fresh);
        assert_int_equal(at.warp, i);
        assert_int_equal(warp.warp, expected[i].warp);
        assert_int_equal(rf_workload_unknown(w, &first), i + 1);
        assert_string_equal(first, "STRANGE");
        if (i == 0) mnemonic = warp.inst[0].mnemonic;
        assert_true((mnemonic == warp.inst[0].mnemonic) == (i != 2)); /* interned across kernels */
    }
    assert_int_equal(rf_workload_next(w, &warp, NULL), 0);
    assert_int_equal(rf_workload_next(w, &warp, NULL), 0);
    assert_string_equal(rf_workload_error(w), "");
    rf_workload_close(w);
    rf_warp_free(&warp);
}

static void test_one_trace(void **state) {
    (void)state;
    const rf_source source = rf_memory_source(&memory);
    char error[256];
    rf_warp warp = {0};
    rf_workload_at at;
    rf_workload *const w = rf_workload_open(&source, "dir/kernel-1.traceg", error, sizeof error);
    assert_non_null(w);
    assert_int_equal(rf_workload_next(w, &warp, &at), 1);
    assert_true(at.new_kernel && at.kernel == 0);
    assert_int_equal(rf_workload_unknown(w, NULL), 1);
    assert_int_equal(rf_workload_next(w, &warp, &at), 1);
    assert_int_equal(rf_workload_next(w, &warp, &at), 0);
    rf_workload_close(w);
    rf_warp_free(&warp);
}

static void test_workload_errors(void **state) {
    (void)state;
    const rf_source source = rf_memory_source(&memory);
    char error[256];
    rf_warp warp = {0};
    assert_null(rf_workload_open(&source, "nowhere", error, sizeof error));
    assert_string_equal(error, "nowhere: no such text");
    set_list("hello");
    assert_null(rf_workload_open(&source, "dir/list.g", error, sizeof error));
    assert_string_equal(error, "dir/list.g:1: file: neither an Accel-Sim trace ('-key = value') nor a kernel list");
    set_list(" \n");
    assert_null(rf_workload_open(&source, "dir/list.g", error, sizeof error));
    set_list("-kernel\n");
    assert_null(rf_workload_open(&source, "dir/list.g", error, sizeof error));
    assert_string_equal(error, "dir/list.g:1: header: '-key = value' expected");
    set_list("kernel-1.traceg\nkernel-7.traceg\n"); /* found out only when its turn comes */
    rf_workload *w = rf_workload_open(&source, "dir/list.g", error, sizeof error);
    assert_non_null(w);
    assert_int_equal(rf_workload_next(w, &warp, NULL), 1);
    assert_int_equal(rf_workload_next(w, &warp, NULL), 1);
    assert_int_equal(rf_workload_next(w, &warp, NULL), -1);
    assert_string_equal(rf_workload_error(w), "dir/kernel-7.traceg: no such text");
    assert_int_equal(rf_workload_next(w, &warp, NULL), -1);
    rf_workload_close(w);
    set_list("kernel-4.traceg\n");
    w = rf_workload_open(&source, "dir/list.g", error, sizeof error);
    assert_int_equal(rf_workload_next(w, &warp, NULL), 1);
    assert_int_equal(rf_workload_next(w, &warp, NULL), -1);
    assert_string_equal(rf_workload_error(w), "dir/kernel-4.traceg:15: warp: 0 comes after 1: they must rise");
    assert_int_equal(rf_workload_unknown(w, NULL), 1);
    rf_workload_close(w);
    rf_workload_close(NULL);
    rf_warp_free(&warp);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),      cmocka_unit_test(test_list_errors),     cmocka_unit_test(test_workload),
        cmocka_unit_test(test_one_trace), cmocka_unit_test(test_workload_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
