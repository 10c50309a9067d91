/* SPDX-License-Identifier: Apache-2.0 */
/* Workloads: the kind of a file by how it begins; order, kernel boundaries, names with and without .xz, every error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cmodel/workload/rf_lines.h"
#include "cmodel/workload/rf_opcode.h"
#include "cmodel/workload/rf_workload.h"
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
    assert_int_equal(rf_workload_is(w), RF_WORKLOAD_LIST);
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
    assert_int_equal(rf_workload_is(w), RF_WORKLOAD_TRACE);
    assert_true(at.head->grid[0] == 1 && at.head->block[0] == 96 && at.head->nreg == 8 && at.head->shared_bytes == 0);
    assert_null(at.head->program);
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
    assert_string_equal(error,
                        "dir/list.g:1: file: neither a trace ('-key = value'), a kernel list ('kernel...', 'MemcpyHtoD,...'), "
                        "a stream file ('rfstream') nor a Ventus log ('core ...')");
    static const char *const others[] = {" \n", "", "kerne", "core", "rfstrea", "rfstreaM", "Memcpy", "\177ELF"};
    for (uint32_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        set_list(others[i]);
        assert_null(rf_workload_open(&source, "dir/list.g", error, sizeof error));
        assert_non_null(strstr(error, "dir/list.g:1: file: neither a trace"));
    }
    files[5].text = "\0-kernel name = k\n"; /* no blank: the search ends there */
    files[5].size = 18;
    assert_null(rf_workload_open(&source, "dir/list.g", error, sizeof error));
    assert_non_null(strstr(error, "dir/list.g:1: file: neither a trace"));
    set_list("-kernel\n");
    assert_null(rf_workload_open(&source, "dir/list.g", error, sizeof error));
    assert_string_equal(error, "dir/list.g:1: header: '-key = value' expected");
    set_list("kernel-1.traceg\nkernel-7.traceg\n"); /* found out before the first one runs */
    assert_null(rf_workload_open(&source, "dir/list.g", error, sizeof error));
    assert_string_equal(error, "dir/list.g:2: kernel: dir/kernel-7.traceg: no such text");
    set_list("kernel-4.traceg\n");
    rf_workload *w = rf_workload_open(&source, "dir/list.g", error, sizeof error);
    assert_int_equal(rf_workload_next(w, &warp, NULL), 1);
    assert_int_equal(rf_workload_next(w, &warp, NULL), -1);
    assert_string_equal(rf_workload_error(w), "dir/kernel-4.traceg:15: warp: 0 comes after 1: they must rise");
    assert_int_equal(rf_workload_unknown(w, NULL), 1);
    rf_workload_close(w);
    rf_workload_close(NULL);
    rf_warp_free(&warp);
}

/* However long a path is, its message has both ends of it, the line, the field and the reason. */
static void test_long_paths(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {{"hello", "/end.g:1: file: neither a trace"},
                 {"hello", "nor a Ventus log ('core ...')"},
                 {"-kernel\n", "/end.g:1: header: '-key = value' expected"},
                 {"kernel-1\nhello\n", "/end.g:2: command: 'hello' is not 'kernel...' or 'MemcpyHtoD,0xADDRESS,BYTES'"},
                 {"rfstream", "/end.g: byte 8: head: the file ends here (truncated?)"},
                 {"core   0: what\n", "/end.g:1: core: 'what' is not a disassembly"}};
    for (size_t length = 180; length < 900; length += length < 200 ? 1 : 229) {
        char path[1000], error[RF_WORKLOAD_ERROR_MAX];
        for (size_t i = 0; i < length; i++) path[i] = i % 2 == 0 ? '\xc3' : '\xa4'; /* letters of two bytes */
        memcpy(path, "begin/", 6);
        strcpy(path + length - 6, "/end.g");
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            rf_memory_file file = {.path = path, .text = cases[i].text, .size = strlen(cases[i].text), .piece = 100};
            rf_memory own = {&file, 1};
            const rf_source source = rf_memory_source(&own);
            rf_warp warp = {0};
            rf_workload *const w = rf_workload_open(&source, path, error, sizeof error);
            if (w) {
                assert_int_equal(rf_workload_next(w, &warp, NULL), -1);
                strcpy(error, rf_workload_error(w));
            }
            if (strncmp(error, "begin/", 6) != 0 || !strstr(error, cases[i].message))
                fail_msg("%zu bytes: \"%s\" lacks \"%s\"", length, error, cases[i].message);
            const char *const dots = strstr(error, "...");
            if (length >= RF_PATH_SHOWN) assert_true(dots && dots[-1] == '\xa4' && dots[3] != '\xa4');
            else assert_memory_equal(error, path, length);
            rf_workload_close(w);
            rf_warp_free(&warp);
        }
    }
}

/* Two kernels, the first without a warp, the second with two. */
static void make_stream(rf_memory_bytes *to) {
    const rf_sink sink = rf_memory_sink(to);
    char error[256] = "";
    uint32_t value[RF_LANES_MAX] = {7};
    rf_program program = {.kernel = (char[]){"empty"}, .origin = (char[]){""}};
    rf_inst inst = {
        .mask = 1, .ndst = 1, .index = RF_INDEX_NONE, .mnemonic = "mov", .value = value, .opcode = rf_fnv1a("mov", 3)};
    const rf_warp warp = {.warp = 3, .count = 1, .inst = &inst};
    rf_stream_writer *const w = rf_stream_writer_open(&sink, error, sizeof error);
    assert_int_equal(rf_stream_write_program(w, &program), 0);
    program = (rf_program){
        .kernel = (char[]){"two"}, .origin = (char[]){""}, .grid = {5, 1, 1}, .block = {64, 2, 1}, .nreg = 9, .shared_bytes = 48};
    assert_int_equal(rf_stream_write_program(w, &program), 0);
    for (uint32_t i = 0; i < 2; i++) assert_int_equal(rf_stream_write_warp(w, &warp), 0);
    assert_int_equal(rf_stream_writer_close(w, error, sizeof error), 0);
}

static void test_stream(void **state) {
    (void)state;
    rf_memory_bytes bytes = {0};
    make_stream(&bytes);
    rf_memory_file file = {.path = "a.rfs", .text = bytes.bytes, .size = bytes.size, .piece = 100};
    rf_memory own = {&file, 1};
    const rf_source source = rf_memory_source(&own);
    char error[256];
    rf_warp warp = {0};
    rf_workload_at at;
    rf_workload *w = rf_workload_open(&source, "a.rfs", error, sizeof error);
    assert_non_null(w);
    assert_int_equal(rf_workload_is(w), RF_WORKLOAD_STREAM);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(rf_workload_next(w, &warp, &at), 1);
        assert_true(at.new_kernel == (i == 0) && at.kernel == 1 && at.warp == i);
        assert_string_equal(at.head->kernel, "two");
        assert_string_equal(at.head->program->kernel, "two");
        assert_true(at.head->grid[0] == 5 && at.head->block[1] == 2 && at.head->nreg == 9 && at.head->shared_bytes == 48);
        assert_true(warp.warp == 3 && warp.count == 1 && warp.inst[0].value[0] == 7);
        assert_string_equal(warp.inst[0].mnemonic, "mov");
    }
    assert_int_equal(rf_workload_next(w, &warp, &at), 0);
    assert_int_equal(rf_workload_next(w, &warp, &at), 0);
    assert_int_equal(rf_workload_unknown(w, NULL), 0);
    rf_workload_close(w);
    file.size--;
    w = rf_workload_open(&source, "a.rfs", error, sizeof error);
    for (uint32_t i = 0; i < 2; i++) assert_int_equal(rf_workload_next(w, &warp, NULL), 1);
    for (uint32_t i = 0; i < 2; i++) assert_int_equal(rf_workload_next(w, &warp, NULL), -1);
    assert_non_null(strstr(rf_workload_error(w), "a.rfs: byte "));
    rf_workload_close(w);
    rf_warp_free(&warp);
    free(bytes.bytes);
}

static void test_log(void **state) {
    (void)state;
    const rf_source source = rf_memory_source(&memory);
    char error[256];
    rf_warp warp = {0};
    rf_workload_at at;
#define LOG_END(core)                                                                                                            \
    "core   " core ": 0x80000090 (0x0000400b) endprg  x0, x0, x0\ncore   " core ": 3 0x80000090 (0x0000400b) e32 m1 l16\n"
    set_list("\n" LOG_END("1") LOG_END("0"));
    rf_workload *w = rf_workload_open(&source, "dir/list.g", error, sizeof error);
    assert_non_null(w);
    assert_int_equal(rf_workload_is(w), RF_WORKLOAD_VENTUS);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(rf_workload_next(w, &warp, &at), 1);
        assert_true(at.new_kernel == (i == 0) && at.kernel == 0 && at.warp == i && warp.warp == i && warp.count == 1);
        assert_string_equal(at.head->kernel, "");
        assert_true(at.head->grid[0] == 1 && at.head->block[0] == 32 && !at.head->program);
    }
    assert_int_equal(rf_workload_next(w, &warp, &at), 0);
    rf_workload_close(w);
    set_list("core   0: what\n");
    w = rf_workload_open(&source, "dir/list.g", error, sizeof error);
    assert_int_equal(rf_workload_next(w, &warp, &at), -1);
    assert_non_null(strstr(rf_workload_error(w), "dir/list.g:1: core: 'what'"));
    rf_workload_close(w);
    rf_warp_free(&warp);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_workload), cmocka_unit_test(test_one_trace), cmocka_unit_test(test_workload_errors),
        cmocka_unit_test(test_stream),   cmocka_unit_test(test_log),       cmocka_unit_test(test_long_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
