/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/dut/build.c and harness/dut/shim.cpp: from RTL to a DUT that is loaded and runs. To be run from the project's
 * root; the compiled runtime is kept in build/test_build from one run to the next. */
#include <dirent.h>
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/dut/build.h"
#include "harness/base/folder.h"
#include "harness/base/process.h"
#include "harness/base/text.h"
#include "harness/dut/dut.h"
#include "harness/dut/toolchain.h"
#include "tb/harness/text_file.h"

#define CACHE "build/test_build"

static char directory[] = "/tmp/test_build.XXXXXX";
static ls_tools tools;

static bool starts_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

/* Counts the cache's entries of a top module: DUTs, locks, temporary directories and lists of files. Removes them if asked to. */
static size_t entries(const char *top, bool clear) {
    DIR *cache = opendir(CACHE);
    size_t count = 0;
    for (struct dirent *entry; cache != NULL && (entry = readdir(cache)) != NULL;) {
        if (starts_with(entry->d_name, top)) {
            count++;
            if (clear) {
                char *path = ls_format(CACHE "/%s", entry->d_name);
                ls_remove_tree(path);
                free(path);
            }
        }
    }
    if (cache != NULL) {
        closedir(cache);
    }
    return count;
}

/* Compiling the runtime takes longer than all else here: that of other tests is copied, and test_damage compiles one. Returns
 * NULL or the error. */
static char *copy_runtime(void) {
    const char *shared = getenv("LOCKSTEP_CACHE");
    char *runtime = NULL, *failed = NULL;
    if (shared == NULL) return NULL;
    int error = ls_make_directories(shared); /* on a new machine nothing is there */
    if (error == 0) error = ls_make_directories(CACHE);
    if (error == 0) failed = ls_runtime_find(&tools, shared, 300000, &runtime);
    if (error == 0 && failed == NULL) {
        const ls_args copy = {.list = (char *[]){"cp", "-rn", runtime, CACHE, NULL}, .count = 4};
        bool refused = false;
        failed = ls_command(&copy, 0, &refused);
    }
    free(runtime);
    return error == 0 ? failed : ls_format("%s or %s: %s\n", shared, CACHE, strerror(-error));
}

static int set_up(void **state) {
    (void)state;
    char error[200] = "";
    (void)entries("t_", true);
    if (mkdtemp(directory) == NULL || ls_tools_find(&tools, error, sizeof error) != 0) {
        print_error("%s\n", error);
        return 1;
    }
    char *failed = copy_runtime();
    if (failed != NULL) print_error("%s", failed);
    const int status = failed != NULL;
    free(failed);
    return status;
}

static int tear_down(void **state) {
    (void)state;
    ls_tools_free(&tools);
    ls_remove_tree(directory);
    return 0;
}

static char *write_source(const char *name, const char *source) {
    char *path = ls_format("%s/%s", directory, name);
    text_file(path, source);
    return path;
}

/* Builds the design of one source file, written before if `source` is given; `more` holds what else the request says. */
static ls_build_status build(const char *top, const char *source, const ls_build_request *more, ls_build_result *result) {
    char *name = ls_format("%s.sv", top), *path = ls_format("%s/%s", directory, name);
    if (source != NULL) {
        free(write_source(name, source));
    }
    ls_build_request request = more == NULL ? (ls_build_request){0} : *more;
    request.rtl.top = top;
    request.rtl.files = (const char *const[]){path};
    request.rtl.file_count = 1;
    request.cache = CACHE;
    request.shim = "harness/dut/shim.cpp";
    request.timeout_ms = 300000;
    ls_build_status status = ls_build_dut(&tools, &request, result);
    free(name);
    free(path);
    return status;
}

typedef struct loaded {
    ls_build_result built;
    void *handle;
    const ls_dut_api *api;
} loaded;

static loaded load(const char *top, const char *source, unsigned flags) {
    loaded l = {0};
    if (build(top, source, &(ls_build_request){.flags = flags}, &l.built) != LS_BUILD_OK) {
        fail_msg("%s", l.built.text);
    }
    l.handle = dlopen(l.built.so_path, RTLD_NOW | RTLD_LOCAL);
    if (l.handle == NULL) {
        fail_msg("%s", dlerror());
    }
    l.api = dlsym(l.handle, LS_DUT_SYMBOL);
    assert_non_null(l.api);
    assert_int_equal(l.api->abi, LS_DUT_ABI);
    return l;
}

static void unload(loaded *l) {
    assert_int_equal(dlclose(l->handle), 0);
    ls_build_free(&l->built);
}

static const ls_signal *find(const ls_dut_api *api, ls_dut *dut, const char *name) {
    const ls_signal *list = NULL;
    size_t count = api->signals(dut, &list);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].name, name) == 0) {
            return &list[i];
        }
    }
    fail_msg("no signal %s", name);
    return NULL;
}

static void check(const ls_signal *s, const char *name, uint32_t bits, uint32_t count, uint32_t stride, ls_signal_kind kind) {
    assert_string_equal(s->name, name);
    assert_int_equal(s->bits, bits);
    assert_int_equal(s->count, count);
    assert_int_equal(s->stride, stride);
    assert_int_equal(s->kind, kind);
    assert_non_null(s->addr);
}

static void cycle(const ls_dut_api *api, ls_dut *dut) {
    *api->clock(dut) = 0;
    api->eval(dut);
    *api->clock(dut) = 1;
    api->eval(dut);
}

static const char counter[] =
    "module stage(input logic clk_i, input logic [8:0] d_i, output logic [8:0] q_o); always_ff @(posedge clk_i) q_o <= d_i; "
    "endmodule\n"
    "module t_counter #(parameter int W = 8)(input logic clk_i, input logic rst_ni, input logic en__i, input logic [W-1:0] "
    "load_i,\n"
    "    output logic [W-1:0] n_o, output logic last_o, input logic [99:0] wide_i [2]);\n"
    "  logic [W-1:0] n_q; logic [99:0] wide_q [2]; logic [32:0] bank_q [0:99]; logic [1:0][7:0] grid_q [3][2]; logic [3:0] "
    "free_q;\n"
    "  always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) n_q <= '0; else if (en__i) n_q <= n_q + load_i;\n"
    "  always_ff @(posedge clk_i) begin wide_q <= wide_i; bank_q[n_q[6:0]] <= 33'(n_q); grid_q[2][1][1] <= n_q; end\n"
    "  always_ff @(posedge clk_i) if (en__i && n_q == 8'hff) free_q <= free_q + 1;\n"
    "  always_ff @(posedge clk_i) last_o <= n_q == 8'hff;\n"
    "  for (genvar g = 0; g < 2; g++) begin : gen__s stage u__stage(.clk_i, .d_i({1'b1, n_q}), .q_o()); end\n"
    "  assign n_o = n_q;\n"
    "endmodule\n";

static void test_signals(void **state) {
    (void)state;
    loaded l = load("t_counter", counter, 0);
    assert_string_equal(l.api->top, "t_counter");
    assert_string_equal(l.api->verilator, tools.version);
    assert_null(l.api->wave_open);
    assert_null(l.api->coverage_write);
    ls_dut *dut = l.api->open(1, NULL);
    const ls_signal *s = NULL;
    assert_int_equal(l.api->signals(dut, &s), 12);
    check(&s[0], "en__i", 1, 1, 1, LS_SIGNAL_IN);
    check(&s[1], "load_i", 8, 1, 1, LS_SIGNAL_IN);
    check(&s[2], "n_o", 8, 1, 1, LS_SIGNAL_OUT);
    check(&s[3], "last_o", 1, 1, 1, LS_SIGNAL_OUT);
    check(&s[4], "wide_i", 100, 2, 16, LS_SIGNAL_IN);
    check(&s[5], "n_q", 8, 1, 1, LS_SIGNAL_REG);
    check(&s[6], "wide_q", 100, 2, 16, LS_SIGNAL_REG);
    check(&s[7], "bank_q", 33, 100, 8, LS_SIGNAL_REG);
    check(&s[8], "grid_q", 16, 6, 2, LS_SIGNAL_REG);
    check(&s[9], "free_q", 4, 1, 1, LS_SIGNAL_REG);
    check(&s[10], "gen__s[0].u__stage.q_o", 9, 1, 2, LS_SIGNAL_REG);
    check(&s[11], "gen__s[1].u__stage.q_o", 9, 1, 2, LS_SIGNAL_REG);
    assert_int_equal(*l.api->clock(dut) | *l.api->reset(dut) | *(uint8_t *)s[0].addr, 0);
    cycle(l.api, dut);
    assert_int_equal(*(uint8_t *)s[5].addr, 0);
    *l.api->reset(dut) = 1;
    *(uint8_t *)s[0].addr = 1;
    *(uint8_t *)s[1].addr = 3;
    ((uint32_t *)s[4].addr)[4] = 0xdeadbeef;
    for (unsigned i = 1; i <= 20; i++) {
        cycle(l.api, dut);
        assert_int_equal(*(uint8_t *)s[5].addr, 3 * i);
        assert_int_equal(*(uint8_t *)s[2].addr, 3 * i);
        assert_int_equal(((uint64_t *)s[7].addr)[3 * (i - 1)], 3 * (i - 1));
    }
    assert_int_equal(((uint32_t *)s[6].addr)[4], 0xdeadbeef);
    assert_int_equal(((uint16_t *)s[8].addr)[5] >> 8, 57);
    assert_int_equal(*(uint16_t *)s[11].addr, 0x100 | 57);
    l.api->close(dut);
    unload(&l);
}

/* All that a DUT holds besides its inputs, one after the other. */
static ls_text contents(const ls_dut_api *api, ls_dut *dut) {
    const ls_signal *list = NULL;
    size_t count = api->signals(dut, &list);
    ls_text all = {0};
    for (size_t i = 0; i < count; i++) {
        if (list[i].kind == LS_SIGNAL_REG) {
            ls_text_put(&all, list[i].addr, (size_t)list[i].count * list[i].stride);
        }
    }
    return all;
}

static ls_text opened_contents(const ls_dut_api *api, uint64_t fill, ls_dut **dut) {
    *dut = api->open(fill, NULL);
    assert_non_null(*dut);
    return contents(api, *dut);
}

static void test_fills(void **state) {
    (void)state;
    loaded plain = load("t_counter", counter, 0), waves = load("t_counter", NULL, LS_BUILD_WAVES);
    ls_dut *a, *b, *c, *w;
    ls_text first = opened_contents(plain.api, 1, &a), other = opened_contents(plain.api, 2, &b);
    cycle(plain.api, a);
    ls_text again = opened_contents(plain.api, 1, &c), with_waves = opened_contents(waves.api, 1, &w);
    assert_int_equal(first.size, again.size);
    assert_memory_equal(first.data, again.data, first.size);
    assert_int_equal(first.size, with_waves.size);
    assert_memory_equal(first.data, with_waves.data, first.size);
    size_t differing = 0, ones = 0;
    for (size_t i = 0; i < first.size; i++) {
        differing += (size_t)__builtin_popcount((unsigned char)(first.data[i] ^ other.data[i]));
        ones += (size_t)__builtin_popcount((unsigned char)first.data[i]);
    }
    assert_in_range(differing, 1700, 2000); /* half of the 3626 bits */
    assert_in_range(ones, 1700, 2000);
    const ls_signal *bank = find(plain.api, a, "bank_q");
    for (uint32_t i = 0; i < bank->count; i++) {
        assert_int_equal(((uint64_t *)bank->addr)[i] >> 33, 0);
    }
    /* Instances are independent: each counts by itself, and one's end is not the other's. */
    for (ls_dut *const *d = (ls_dut *const[]){a, b, NULL}; *d != NULL; d++) {
        *plain.api->reset(*d) = 0;
        cycle(plain.api, *d);
        *plain.api->reset(*d) = 1;
        *(uint8_t *)find(plain.api, *d, "en__i")->addr = 1;
    }
    *(uint8_t *)find(plain.api, a, "load_i")->addr = 1;
    *(uint8_t *)find(plain.api, b, "load_i")->addr = 2;
    plain.api->close(c);
    for (int i = 0; i < 10; i++) {
        cycle(plain.api, a);
        cycle(plain.api, b);
    }
    assert_int_equal(*(uint8_t *)find(plain.api, a, "n_q")->addr, 10);
    assert_int_equal(*(uint8_t *)find(plain.api, b, "n_q")->addr, 20);
    plain.api->close(a);
    plain.api->close(b);
    waves.api->close(w);
    free(first.data);
    free(other.data);
    free(again.data);
    free(with_waves.data);
    unload(&plain);
    unload(&waves);
}

/* The design inside another starts as it does alone. */
static void test_fill_scope(void **state) {
    (void)state;
    loaded alone = load("t_counter", counter, 0);
    char *source =
        ls_format("%st_wrap(input logic clk_i, input logic rst_ni); t_counter rtl(.clk_i, .rst_ni, .en__i(1'b0), .load_i('0),\n"
                  "  .n_o(), .last_o(), .wide_i('{100'h0, 100'h0})); endmodule\n",
                  counter);
    char *text = strstr(source, "endmodule\nt_wrap");
    assert_non_null(text);
    char *wrap = ls_format("%.*sendmodule\nmodule %s", (int)(text - source), source, strstr(text, "t_wrap"));
    loaded l = {0};
    const char *const flags[] = {"-DLS_DUT_FILL_SCOPE=\"rtl.\""};
    if (build("t_wrap", wrap, &(ls_build_request){.cxx_flags = flags, .cxx_flag_count = 1}, &l.built) != LS_BUILD_OK) {
        fail_msg("%s", l.built.text);
    }
    l.handle = dlopen(l.built.so_path, RTLD_NOW | RTLD_LOCAL);
    l.api = dlsym(l.handle, LS_DUT_SYMBOL);
    ls_dut *a = alone.api->open(7, NULL), *b = l.api->open(7, NULL);
    const ls_signal *inner = find(alone.api, a, "bank_q"), *outer = find(l.api, b, "rtl.bank_q");
    assert_memory_equal(inner->addr, outer->addr, (size_t)inner->count * inner->stride);
    assert_int_equal(*(uint8_t *)find(alone.api, a, "last_o")->addr, *(uint8_t *)find(l.api, b, "rtl.last_o")->addr);
    alone.api->close(a);
    l.api->close(b);
    free(source);
    free(wrap);
    unload(&l);
    unload(&alone);
}

static void test_waves(void **state) {
    (void)state;
    loaded l = load("t_counter", counter, LS_BUILD_WAVES);
    ls_dut *dut = l.api->open(1, NULL);
    char *path = ls_format("%s/w.fst", directory);
    assert_int_equal(l.api->wave_open(dut, "/nowhere/w.fst"), -1);
    for (int file = 0; file < 2; file++) { /* a second file after the first */
        assert_int_equal(l.api->wave_open(dut, path), 0);
        *l.api->reset(dut) = 1;
        for (unsigned i = 0; i < 10; i++) {
            cycle(l.api, dut);
            l.api->wave_dump(dut, i);
        }
        l.api->wave_close(dut);
    }
    l.api->wave_dump(dut, 10); /* nothing is open: nothing happens */
    ls_process_result r;
    assert_int_equal(ls_process_run(&(ls_process){.argv = (const char *const[]){"fst2vcd", path, NULL}}, &r), 0);
    assert_true(ls_process_ok(&r));
    assert_non_null(strstr(r.output, " n_q "));
    assert_non_null(strstr(r.output, "bank_q[99]")); /* arrays of more than 32 rows are in it */
    assert_non_null(strstr(r.output, "\n#9\n"));
    ls_process_free(&r);
    l.api->close(dut);
    free(path);
    unload(&l);
}

static void test_coverage(void **state) {
    (void)state;
    loaded l = load("t_counter", counter, LS_BUILD_COVERAGE);
    ls_dut *dut = l.api->open(1, NULL);
    char *path = ls_format("%s/coverage.dat", directory);
    cycle(l.api, dut);
    assert_int_equal(l.api->coverage_write(dut, "/nowhere/coverage.dat"), -1);
    assert_int_equal(l.api->coverage_write(dut, path), 0);
    ls_text data = {0};
    assert_int_equal(ls_text_read(&data, path), 0);
    assert_true(starts_with(data.data, "# SystemC::Coverage") && strstr(data.data, "t_counter.sv") != NULL);
    free(data.data);
    free(path);
    l.api->close(dut);
    unload(&l);
}

static int stop_pipe = -1;

static void report_stop(ls_dut_stop what, const char *text) {
    dprintf(stop_pipe, "%d %s\n", (int)what, text);
    if (what == LS_STOP_FATAL) {
        _exit(0);
    }
}

/* Runs a DUT with `stop_i` = `value` for a few cycles in a child process and returns what it reported. */
static ls_text stops(const ls_dut_api *api, uint8_t value) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        stop_pipe = ends[1];
        (void)freopen("/dev/null", "w", stderr);
        ls_dut *dut = api->open(1, report_stop);
        *(uint8_t *)find(api, dut, "stop_i")->addr = value;
        cycle(api, dut);
        api->close(dut);
        dprintf(stop_pipe, "closed\n");
        _exit(0);
    }
    close(ends[1]);
    ls_text said = {0};
    char buffer[512];
    for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;) {
        ls_text_put(&said, buffer, (size_t)got);
    }
    close(ends[0]);
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    ls_text_put(&said, "", 0);
    return said;
}

static void check_stop(const ls_dut_api *api, uint8_t value, const char *start, const char *part, const char *end) {
    ls_text said = stops(api, value);
    if (!starts_with(said.data, start) || strstr(said.data, part) == NULL || strstr(said.data, end) == NULL) {
        fail_msg("stop_i %u: %s", value, said.data);
    }
    free(said.data);
}

static void test_stops(void **state) {
    (void)state;
    static const char source[] = "module t_stop(input logic clk_i, input logic [2:0] stop_i, output logic loop_o);\n"
                                 "  always_ff @(posedge clk_i) case (stop_i)\n"
                                 "    3'd1: $finish;\n"
                                 "    3'd2: $stop;\n"
                                 "    3'd3: $fatal(1, \"seven is not %0d\", 8);\n"
                                 "    3'd5: $error(\"a warning shot\");\n"
                                 "    default: ;\n"
                                 "  endcase\n"
                                 "  assign loop_o = stop_i == 3'd4 && !loop_o;\n"
                                 "  always_ff @(posedge clk_i) assert (stop_i != 3'd6) else $error(\"six\");\n"
                                 "endmodule\n";
    loaded l = load("t_stop", source, 0), checked = load("t_stop", NULL, LS_BUILD_ASSERT);
    check_stop(l.api, 0, "closed", "", "");
    check_stop(l.api, 1, "0 ", "t_stop.sv:3: $finish", "\nclosed\n");
    check_stop(l.api, 2, "1 ", "t_stop.sv:4: $stop", "\nclosed\n");
    check_stop(l.api, 3, tools.number == 5006 ? "1 " : "", "t_stop.sv:5: Assertion failed in TOP.t_stop: ", "seven is not 8");
    check_stop(l.api, 4, "2 ", "t_stop.sv:", "converge");
    check_stop(l.api, 5, "1 ", "t_stop.sv:6: ", "a warning shot");
    check_stop(l.api, 6, "closed", "", "");
    check_stop(checked.api, 6, "1 ", "t_stop.sv:10: ", "six");
    unload(&l);
    unload(&checked);
}

static void test_cache(void **state) {
    (void)state;
    static const char source[] =
        "module t_cache #(parameter int W = 4)(input logic clk_i, output logic [W-1:0] n_o); logic [W-1:0] n_q;\n"
        "  always_ff @(posedge clk_i) n_q <= n_q + `STEP; assign n_o = n_q; endmodule\n";
    const ls_rtl with_step = {.defines = (const char *const[]){"STEP=1"}, .define_count = 1};
    ls_rtl wider = with_step;
    wider.params = &(ls_rtl_param){"W", "5"};
    wider.param_count = 1;
    ls_build_result first, second;
    assert_int_equal(build("t_cache", source, &(ls_build_request){.rtl = with_step}, &first), LS_BUILD_OK);
    assert_false(first.cached);
    assert_int_equal(entries("t_cache", false),
                     3); /* the DUT, its list of files, what is public; no lock, no temporary directory */
    assert_int_equal(build("t_cache", NULL, &(ls_build_request){.rtl = with_step}, &second), LS_BUILD_OK);
    assert_true(second.cached);
    assert_string_equal(first.so_path, second.so_path);
    assert_int_equal(second.elab.register_count, 1);
    assert_string_equal(second.text, "");
    print_message("cold %.3f s, cached %.4f s\n", first.seconds, second.seconds);
    ls_build_free(&second);
    assert_int_equal(build("t_cache", NULL, &(ls_build_request){.rtl = wider}, &second), LS_BUILD_OK);
    assert_false(second.cached);
    assert_int_equal(ls_elab_find(&second.elab, "n_q")->bits, 5);
    ls_build_free(&second);
    char *changed = ls_format("%s// changed\n", source);
    assert_int_equal(build("t_cache", changed, &(ls_build_request){.rtl = with_step}, &second), LS_BUILD_OK);
    assert_false(second.cached);
    assert_string_not_equal(first.key, second.key);
    ls_build_free(&second);
    assert_int_equal(build("t_cache", source, &(ls_build_request){.rtl = with_step}, &second), LS_BUILD_OK);
    assert_true(second.cached);
    assert_string_equal(first.key, second.key);
    char *xml = ls_format("%.*s/elab", (int)(strrchr(second.so_path, '/') - second.so_path), second.so_path);
    assert_int_equal(unlink(xml), 0); /* a damaged entry is made again */
    ls_build_free(&second);
    assert_int_equal(build("t_cache", NULL, &(ls_build_request){.rtl = with_step}, &second), LS_BUILD_OK);
    assert_false(second.cached);
    ls_build_free(&second);
    ls_build_free(&first);
    free(changed);
    free(xml);
}

/* Zeroes where the middle of a file was, or its end cut off. */
static void damage(const char *folder, const char *name, bool hole) {
    char *path = ls_format("%s/%s", folder, name);
    struct stat is;
    assert_int_equal(stat(path, &is), 0);
    if (hole) {
        ls_text text = {0};
        assert_int_equal(ls_text_read(&text, path), 0);
        memset(text.data + text.size / 2, 0, text.size / 4);
        assert_int_equal(ls_text_write(&text, path), 0);
        free(text.data);
    } else {
        assert_int_equal(truncate(path, is.st_size / 2), 0);
    }
    free(path);
}

/* What a machine that went down left of an entry is made again, whichever file it is; an entry of an older version has no seal.
 */
static void test_damage(void **state) {
    (void)state;
    static const char *const files[] = {"dut.so", "elab", "seal"};
    ls_build_result r;
    assert_int_equal(build("t_damage",
                           "module t_damage(input logic clk_i); logic q; always_ff @(posedge clk_i) q <= !q; endmodule\n", NULL,
                           &r),
                     LS_BUILD_OK);
    char *entry = ls_format("%.*s", (int)(strrchr(r.so_path, '/') - r.so_path), r.so_path);
    for (size_t i = 0; i < 2 * sizeof files / sizeof files[0]; i++) {
        ls_build_free(&r);
        damage(entry, files[i / 2], i % 2 != 0);
        assert_int_equal(build("t_damage", NULL, NULL, &r), LS_BUILD_OK);
        assert_false(r.cached);
        ls_build_free(&r);
        assert_int_equal(build("t_damage", NULL, NULL, &r), LS_BUILD_OK);
        assert_true(r.cached);
    }
    ls_build_free(&r);
    char *seal = ls_format("%s/seal", entry), *runtime = NULL;
    assert_int_equal(unlink(seal), 0);
    assert_int_equal(build("t_damage", NULL, NULL, &r), LS_BUILD_OK);
    assert_true(r.cached);
    ls_build_free(&r);
    assert_null(ls_runtime_find(&tools, CACHE, 300000, &runtime));
    damage(runtime, "libverilated.a", false);
    (void)entries("t_damage", true);
    const ls_build_status status = build("t_damage", NULL, NULL, &r);
    if (status != LS_BUILD_OK) {
        ls_remove_tree(runtime); /* no other test is to meet it */
        fail_msg("%s", r.text);
    }
    ls_build_free(&r);
    free(seal);
    free(runtime);
    free(entry);
}

/* Files that only Verilator knows of count as well: changed, changed back, and hidden by a new one. */
/* No compilation reads the runtime's headers again: with a plain runtime.h that cannot be compiled everything still builds. */
static void test_precompiled(void **state) {
    (void)state;
    static const unsigned flags[] = {0, LS_BUILD_WAVES, LS_BUILD_ASSERT, LS_BUILD_COVERAGE};
    enum { KINDS = sizeof flags / sizeof flags[0] };
    ls_build_result built[KINDS] = {0};
    ls_build_status status[KINDS];
    char *runtime = NULL;
    assert_null(ls_runtime_find(&tools, CACHE, 300000, &runtime));
    char *header = ls_format("%s/runtime.h", runtime);
    ls_text plain = {0}, broken = {0};
    assert_int_equal(ls_text_read(&plain, header), 0);
    ls_text_add(&broken, "#error \"the precompiled header was not taken\"\n");
    assert_int_equal(ls_text_write(&broken, header), 0);
    assert_int_equal(ls_seal(runtime), 0);
    for (size_t i = 0; i < KINDS; i++) {
        const ls_build_request request = {.flags = flags[i]};
        status[i] =
            build("t_precompiled",
                  i == 0 ? "module t_precompiled(input logic a_i, output logic b_o);\nassign b_o = !a_i;\nendmodule\n" : NULL,
                  &request, &built[i]);
    }
    assert_int_equal(ls_text_write(&plain, header), 0); /* before anything can fail */
    assert_int_equal(ls_seal(runtime), 0);
    for (size_t i = 0; i < KINDS; i++) {
        if (status[i] != LS_BUILD_OK) {
            fail_msg("flags %u: %s", flags[i], built[i].text);
        }
        assert_false(built[i].cached);
        ls_build_free(&built[i]);
    }
    free(plain.data);
    free(broken.data);
    free(header);
    free(runtime);
}

/* Writes a script that may be executed. */
static void write_script(const char *name, const char *source) {
    char *path = write_source(name, source);
    assert_int_equal(chmod(path, 0755), 0);
    free(path);
}

/* The program that a Perl wrapper would start is run in its place, unless something else could decide what that is. */
static void test_wrapper(void **state) {
    (void)state;
    static const char wrapper[] = "#! /usr/bin/perl\nprint \"Verilator 5.007 of the wrapper\\nVERILATOR_ROOT = /w\\n\";\n",
                      shell[] = "#!/bin/sh\necho 'Verilator 5.007 of the script'\necho 'VERILATOR_ROOT = /w'\n",
                      program[] = "#!/bin/sh\necho 'Verilator 5.008 of the program'\necho '  VERILATOR_ROOT = /p'\n";
    static const struct {
        const char *verilator, *set, *version, *root;
    } cases[] = {{"verilator", NULL, "5.008", "/p"},
                 {"link/verilator", NULL, "5.008", "/p"},
                 {"verilator", "VERILATOR_ROOT", "5.007", "/w"},
                 {"verilator", "VERILATOR_BIN", "5.007", "/w"},
                 {"verilator", "VERILATOR_TEST_FLAGS", "5.007", "/w"},
                 {"alone/verilator", NULL, "5.007", "/w"},
                 {"script/verilator", NULL, "5.007", "/w"}};
    static const char *const names[] = {"PATH", "VERILATOR", "VERILATOR_ROOT", "VERILATOR_BIN", "VERILATOR_TEST_FLAGS"};
    enum { NAMES = sizeof names / sizeof *names };
    char *before[NAMES]; /* whoever runs the test may have set them */
    static const char *const folders[] = {"wrap", "wrap/link", "wrap/alone", "wrap/script"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char *path = ls_format("%s/%s", directory, folders[i]);
        assert_int_equal(mkdir(path, 0755), 0);
        free(path);
    }
    write_script("wrap/verilator", wrapper);
    write_script("wrap/verilator_bin", program);
    write_script("wrap/alone/verilator", wrapper);
    write_script("wrap/script/verilator", shell);
    write_script("wrap/script/verilator_bin", program);
    char *link = ls_format("%s/wrap/link/verilator", directory), *path = ls_format("%s/wrap:%s", directory, getenv("PATH"));
    for (size_t i = 0; i < NAMES; i++) {
        const char *value = getenv(names[i]);
        before[i] = value != NULL ? ls_copy(value) : NULL;
        if (i > 0) unsetenv(names[i]);
    }
    setenv("PATH", path, 1);
    assert_int_equal(symlink("../verilator", link), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *whole = ls_format("%s/wrap/%s", directory, cases[i].verilator), error[256] = "";
        ls_tools found;
        setenv("VERILATOR", i == 0 ? "verilator" : whole, 1);
        if (cases[i].set != NULL) setenv(cases[i].set, "/p", 1);
        const int status = ls_tools_find(&found, error, sizeof error);
        if (cases[i].set != NULL) unsetenv(cases[i].set);
        if (status != 0) fail_msg("case %zu: %s", i, error);
        assert_string_equal(found.version, cases[i].version);
        assert_string_equal(found.root, cases[i].root);
        assert_int_equal(strstr(found.program, "/verilator_bin") != NULL, strcmp(cases[i].version, "5.008") == 0);
        ls_tools_free(&found);
        free(whole);
    }
    for (size_t i = 0; i < NAMES; i++) {
        if (before[i] != NULL) setenv(names[i], before[i], 1);
        else unsetenv(names[i]);
        free(before[i]);
    }
    free(link);
    free(path);
}

#define AHEAD(inverse)                                                                                                           \
    "module t_ahead(input logic clk_i, output logic o); logic a_q;\n"                                                            \
    "  always_ff @(posedge clk_i) a_q <= !a_q; assign o = " inverse "a_q; endmodule\n"

/* Verilator makes code beside the elaboration when an earlier build of the design is known: each of the two waits here until the
 * other one is there. When a register is new, what it made is not taken; when the elaboration is refused it is ended, here before
 * it does anything. */
static void test_ahead(void **state) {
    (void)state;
    static const char script[] = "#!/bin/sh\nhere=${0%/*}\ncase \" $* \" in\n"
                                 "*' --cc '*)\n"
                                 "    echo >>\"$here/made\"\n"
                                 "    [ ! -p \"$here/stay\" ] || read -r _ <\"$here/stay\"\n"
                                 "    [ ! -p \"$here/meet\" ] || echo >\"$here/meet\" ;;\n"
                                 "*' --xml-only '* | *' --json-only '*) [ ! -p \"$here/meet\" ] || read -r _ <\"$here/meet\" ;;\n"
                                 "esac\nexec \"$VERILATOR_BEHIND\" \"$@\"\n",
                      wider[] = "module t_ahead(input logic clk_i, output logic o); logic a_q, b_q;\n"
                                "  always_ff @(posedge clk_i) {a_q, b_q} <= {!b_q, a_q}; assign o = a_q; endmodule\n";
    const ls_tools before = tools;
    char *path = ls_format("%s/both", directory), *made = ls_format("%s/made", directory),
         *meet = ls_format("%s/meet", directory), *stay = ls_format("%s/stay", directory);
    ls_build_result refused;
    const struct {
        const char *source;
        bool together;
        size_t made; /* lines so far */
    } steps[] = {{AHEAD(""), false, 1}, {AHEAD("!"), true, 2}, {wider, false, 4}, {AHEAD(""), false, 4}};
    write_script("both", script);
    setenv("VERILATOR_BEHIND", tools.program, 1);
    tools.verilator = tools.program = path;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        ls_text lines = {0};
        if (steps[i].together) assert_int_equal(mkfifo(meet, 0600), 0);
        loaded l = load("t_ahead", steps[i].source, 0);
        if (steps[i].together) assert_int_equal(unlink(meet), 0);
        ls_dut *dut = l.api->open(1, NULL);
        assert_non_null(find(l.api, dut, steps[i].source == wider ? "b_q" : "a_q"));
        l.api->close(dut);
        unload(&l);
        assert_int_equal(ls_text_read(&lines, made), 0);
        assert_int_equal(lines.size, steps[i].made);
        free(lines.data);
    }
    assert_int_equal(mkfifo(stay, 0600), 0);
    assert_int_equal(build("t_ahead", "module t_ahead(input logic a);\n  assign = a;\nendmodule\n", NULL, &refused),
                     LS_BUILD_RTL);
    ls_build_free(&refused);
    tools = before;
    unsetenv("VERILATOR_BEHIND");
    free(path);
    free(made);
    free(meet);
    free(stay);
}

static void test_found_files(void **state) {
    (void)state;
    char *near = ls_format("%s/near", directory);
    char *far = ls_format("%s/far", directory);
    assert_true(mkdir(near, 0755) == 0 && mkdir(far, 0755) == 0);
    const ls_rtl rtl = {.dirs = (const char *const[]){near, far}, .dir_count = 2};
    static const char source[] =
        "`include \"step.svh\"\n"
        "module t_found(input logic clk_i); logic [`STEP:0] n_q; always_ff @(posedge clk_i) n_q <= n_q + 1; endmodule\n";
    const struct {
        const char *file, *text;
        bool cached;
        uint32_t bits;
    } steps[] = {{"far/step.svh", "`define STEP 1\n", false, 2},
                 {NULL, NULL, true, 2},
                 {"far/step.svh", "`define STEP 2\n", false, 3},
                 {"far/step.svh", "`define STEP 1\n", true, 2},
                 {"near/step.svh", "`define STEP 3\n", false, 4}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (steps[i].file != NULL) {
            free(write_source(steps[i].file, steps[i].text));
        }
        ls_build_result r;
        assert_int_equal(build("t_found", i == 0 ? source : NULL, &(ls_build_request){.rtl = rtl}, &r), LS_BUILD_OK);
        assert_int_equal(r.cached, steps[i].cached);
        assert_int_equal(ls_elab_find(&r.elab, "n_q")->bits, steps[i].bits);
        ls_build_free(&r);
    }
    free(near);
    free(far);
}

static void test_failures(void **state) {
    (void)state;
    ls_build_result r;
    assert_int_equal(build("t_bad", "module t_bad(input logic a);\n  assign = a;\nendmodule\n", NULL, &r), LS_BUILD_RTL);
    assert_true(strstr(r.text, "t_bad.sv:2:") != NULL && r.so_path == NULL && r.elab.ports == NULL);
    ls_build_free(&r);
    assert_int_equal(entries("t_bad", false), 0);
    const char *const flags[] = {"-include", "/nowhere/x.h"};
    assert_int_equal(build("t_bad", "module t_bad(input logic clk_i); logic q; always_ff @(posedge clk_i) q <= 1; endmodule\n",
                           &(ls_build_request){.cxx_flags = flags, .cxx_flag_count = 2}, &r),
                     LS_BUILD_TOOL);
    assert_non_null(strstr(r.text, "/nowhere/x.h"));
    ls_build_free(&r);
    assert_int_equal(entries("t_bad", false), 0);
    assert_int_equal(build("t_bad", NULL, NULL, &r), LS_BUILD_OK);
    ls_build_free(&r);
    ls_build_request nowhere = {.rtl = {.top = "t"}, .cache = "/proc/nowhere", .shim = "harness/dut/shim.cpp"};
    assert_int_equal(ls_build_dut(&tools, &nowhere, &r), LS_BUILD_TOOL);
    assert_non_null(strstr(r.text, "/proc/nowhere"));
    ls_build_free(&r);
}

static void test_two_processes(void **state) {
    (void)state;
    pid_t child[2];
    free(write_source("t_two.sv", "module t_two(input logic clk_i); logic q; always_ff @(posedge clk_i) q <= !q; endmodule\n"));
    for (size_t i = 0; i < 2; i++) {
        child[i] = fork();
        if (child[i] == 0) {
            ls_build_result r;
            _exit(build("t_two", NULL, NULL, &r) == LS_BUILD_OK ? r.cached : 2);
        }
    }
    int sum = 0;
    for (size_t i = 0; i < 2; i++) {
        int status = 0;
        assert_int_equal(waitpid(child[i], &status, 0), child[i]);
        assert_true(WIFEXITED(status));
        sum += WEXITSTATUS(status);
    }
    assert_int_equal(sum, 1); /* one built, the other waited and found it */
    assert_int_equal(entries("t_two", false), 3);
}

/* At a clock's edge what follows from inputs is not computed again, as the RTL's own functions show where the test breaks the
 * rule that no other input changes; unless the clock is among these inputs. */
static void test_edge(void **state) {
    (void)state;
    static const char held[] = "module t_held(input logic clk_i, input logic [7:0] a_i, output logic [7:0] inverse_o, q_o);\n"
                               "  assign inverse_o = ~a_i; always_ff @(posedge clk_i) q_o <= a_i; endmodule\n";
    static const char gate[] = "module t_gate(input logic clk_i, input logic a_i, output logic both_o, q_o);\n"
                               "  assign both_o = clk_i & a_i; always_ff @(posedge clk_i) q_o <= a_i; endmodule\n";
    for (unsigned flags = 0; flags <= LS_BUILD_WAVES; flags += LS_BUILD_WAVES) {
        loaded l = load("t_held", held, flags);
        ls_dut *dut = l.api->open(1, NULL);
        uint8_t *const a = find(l.api, dut, "a_i")->addr, *const inverse = find(l.api, dut, "inverse_o")->addr;
        *a = 1;
        l.api->eval(dut);
        assert_int_equal(*inverse, 0xfe);
        *a = 2;
        *l.api->clock(dut) = 1;
        l.api->edge(dut);
        assert_int_equal(*(uint8_t *)find(l.api, dut, "q_o")->addr, 2);
        if (tools.number <= 5044) assert_int_equal(*inverse, 0xfe);
        *l.api->clock(dut) = 0;
        l.api->eval(dut);
        assert_int_equal(*inverse, 0xfd);
        l.api->close(dut);
        unload(&l);
    }
    loaded l = load("t_gate", gate, 0);
    ls_dut *dut = l.api->open(1, NULL);
    uint8_t *const both = find(l.api, dut, "both_o")->addr;
    *(uint8_t *)find(l.api, dut, "a_i")->addr = 1;
    l.api->eval(dut);
    assert_int_equal(*both, 0);
    *l.api->clock(dut) = 1;
    l.api->edge(dut);
    assert_int_equal(*both, 1);
    l.api->close(dut);
    unload(&l);
}

static void test_combinational(void **state) {
    (void)state;
    loaded l = load("t_comb", "module t_comb(input logic [3:0] a_i, output logic [3:0] b_o); assign b_o = ~a_i; endmodule\n", 0);
    ls_dut *dut = l.api->open(0, NULL);
    assert_null(l.api->clock(dut));
    assert_null(l.api->reset(dut));
    *(uint8_t *)find(l.api, dut, "a_i")->addr = 5;
    l.api->eval(dut);
    assert_int_equal(*(uint8_t *)find(l.api, dut, "b_o")->addr, 10);
    l.api->close(dut);
    l.api->close(NULL);
    unload(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signals),     cmocka_unit_test(test_fills),         cmocka_unit_test(test_fill_scope),
        cmocka_unit_test(test_waves),       cmocka_unit_test(test_coverage),      cmocka_unit_test(test_stops),
        cmocka_unit_test(test_cache),       cmocka_unit_test(test_precompiled),   cmocka_unit_test(test_ahead),
        cmocka_unit_test(test_found_files), cmocka_unit_test(test_failures),      cmocka_unit_test(test_two_processes),
        cmocka_unit_test(test_edge),        cmocka_unit_test(test_combinational), cmocka_unit_test(test_wrapper),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
