/* SPDX-License-Identifier: Apache-2.0 */
/* Every kernel, small, against its reference: with many registers, with few (spills), with one for each PTX register, with 32-bit
 * addresses; a planted fault in each that the check must see; and the figures of hand-made streams. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/base/xzio.h"
#include "tb/workload/rf_kernels.h"
#include "tb/workload/rf_memory.h"
#include "tb/workload/rf_stats.h"

#define FEW 20u

/* Faults: what stands on the left becomes what stands on the right, which is as long. */
static const struct {
    const char *good, *bad;
} faults[] = {
    {"\tadd.rn.f32", "\tsub.rn.f32"},
    {"\tsub.rn.f32", "\tadd.rn.f32"},
    {"\tmul.rn.f32", "\tadd.rn.f32"},
    {"\tadd.rn.f64", "\tsub.rn.f64"},
    {"\tadd.s32", "\tsub.s32"},
    {"\tmax.s32", "\tmin.s32"},
    {"\tmin.s32", "\tmax.s32"},
    {"\txor.b64", "\tand.b64"},
    {".add.u32", ".max.u32"},
    {"setp.lt", "setp.gt"},
    {"setp.gt", "setp.lt"},
    {"setp.ne", "setp.eq"},
    {"sin.approx", "cos.approx"},
    {", 1;", ", 2;"},
    {", 4;", ", 5;"},
    {"0f3", "0f4"},
    {"0fB", "0fC"},
    {"mul.lo.s32", "mul.hi.s32"},
    {"%tid.x", "%tid.y"},
    {"%ctaid.x", "%ctaid.y"},
};
#define FAULTS_EACH 6u /* places where one of them is planted in a kernel */

static char *file_text(const char *path, size_t *size) {
    char error[256];
    void *handle;
    if (ls_xzio.open(ls_xzio.ctx, path, &handle, error, sizeof error) != 0) fail_msg("%s", error);
    const size_t capacity = 1 << 20;
    char *const text = malloc(capacity);
    long got;
    *size = 0;
    while ((got = ls_xzio.read(handle, text + *size, capacity - 1 - *size, error, sizeof error)) > 0) *size += (size_t)got;
    assert_int_equal(got, 0);
    ls_xzio.close(handle);
    text[*size] = '\0';
    return text;
}

static void build(const rf_kernels_entry *entry, const rf_kernels_options *options, rf_kernels_result *result) {
    char error[512];
    if (rf_kernels_build(entry, options, result, error, sizeof error) != 0) fail_msg("%s", error);
    assert_true(result->outputs > 0 && result->launches > 0);
}

/* With 63 registers, into a stream that holds every executed instruction. */
static void test_registers_63(void **state) {
    (void)state;
    for (size_t i = 0; i < rf_kernels_count; i++) {
        rf_memory_bytes bytes = {0};
        const rf_sink sink = rf_memory_sink(&bytes);
        char error[512];
        rf_kernels_result result;
        rf_stream_writer *const writer = rf_stream_writer_open(&sink, error, sizeof error);
        assert_non_null(writer);
        const rf_kernels_options options = {.source = &ls_xzio, .writer = writer};
        const int built = rf_kernels_build(&rf_kernels_list[i], &options, &result, error, sizeof error);
        if (built != 0) print_error("%s\n", error);
        if (rf_stream_writer_close(writer, error, sizeof error) != 0) fail_msg("%s", error);
        assert_int_equal(built, 0);
        assert_in_range(result.registers, 4, 63);
        assert_in_range(result.counts.warp_instructions, 2000, 25000);

        rf_memory_file file = {.path = "x.rfs", .text = bytes.bytes, .size = bytes.size, .piece = 65536};
        rf_memory memory = {&file, 1};
        const rf_source source = rf_memory_source(&memory);
        rf_stream *const stream = rf_stream_open(&source, "x.rfs", error, sizeof error);
        if (!stream) fail_msg("%s: %s", rf_kernels_list[i].name, error);
        rf_warp warp = {0};
        const rf_program *program;
        uint64_t instructions = 0, warps = 0;
        int more;
        for (; (more = rf_stream_next(stream, &warp, &program)) == 1; warps++) instructions += warp.count;
        if (more != 0) fail_msg("%s: %s", rf_kernels_list[i].name, rf_stream_error(stream));
        assert_int_equal(instructions, result.counts.warp_instructions);
        assert_int_equal(warps, result.counts.warps);
        assert_int_equal(rf_stream_kernels(stream), result.launches);
        rf_stream_close(stream);
        rf_warp_free(&warp);
        free(bytes.bytes);
    }
}

static void test_registers_few(void **state) {
    (void)state;
    uint32_t spilled = 0;
    for (size_t i = 0; i < rf_kernels_count; i++) {
        rf_kernels_result result;
        build(&rf_kernels_list[i], &(rf_kernels_options){.source = &ls_xzio, .registers = FEW}, &result);
        assert_in_range(result.registers, 1, FEW);
        spilled += result.spilled > 0;
    }
    assert_in_range(spilled, 8, rf_kernels_count);
}

static void test_registers_identity(void **state) {
    (void)state;
    for (size_t i = 0; i < rf_kernels_count; i++) {
        rf_kernels_result result;
        build(&rf_kernels_list[i], &(rf_kernels_options){.source = &ls_xzio, .identity = true}, &result);
        assert_int_equal(result.spilled, 0);
    }
}

/* With 32-bit addresses: the same checked results, of the same launches, from fewer instructions, which name fewer pairs of
 * registers. */
static void test_m32(void **state) {
    (void)state;
    uint64_t instructions[2] = {0};
    for (size_t i = 0; i < rf_kernels_count; i++) {
        rf_kernels_result result[2];
        for (uint32_t m32 = 0; m32 < 2; m32++) {
            rf_memory_bytes bytes = {0};
            const rf_sink sink = rf_memory_sink(&bytes);
            char error[512];
            rf_stream_writer *const writer = rf_stream_writer_open(&sink, error, sizeof error);
            assert_non_null(writer);
            build(&rf_kernels_list[i], &(rf_kernels_options){.source = &ls_xzio, .m32 = m32 == 1, .writer = writer},
                  &result[m32]);
            rf_stream_writer_abandon(writer);
            free(bytes.bytes);
            instructions[m32] += result[m32].counts.warp_instructions;
        }
        assert_in_range(result[1].operands, 1000, 100000);
        const char *const name = rf_kernels_list[i].name; /* doubles and 64-bit integers are what is left */
        if ((result[1].pairs > 0) != (strcmp(name, "dgemm") == 0 || strcmp(name, "ddot") == 0 || strcmp(name, "hash64") == 0) ||
            result[1].pairs >= result[0].pairs)
            fail_msg("%s: %d register pairs, %d with 64-bit addresses", name, (int)result[1].pairs, (int)result[0].pairs);
        for (uint32_t k = 1; k < 4; k++) {
            const rf_kernels_options options = {
                .source = &ls_xzio, .m32 = true, .schedule = k & 1, .registers = k & 2 ? FEW : RF_KERNELS_REGISTERS};
            build(&rf_kernels_list[i], &options, &result[1]);
            assert_in_range(result[1].registers, 1, options.registers);
            assert_int_equal(result[1].outputs, result[0].outputs);
            assert_int_equal(result[1].launches, result[0].launches);
        }
    }
    assert_true(instructions[1] < instructions[0]);
}

/* Input like that of the papers' programs: other values for those kernels that have random ones, checked all the same, and nothing else
 * for the others. */
static void test_papers_inputs(void **state) {
    (void)state;
    static const char *const other[] = {"sobel",    "convolve", "dct8x8",      "hotspot",    "lbm",
                                        "stencil5", "bfs",      "spmv_scalar", "spmv_vector"};
    for (size_t i = 0; i < rf_kernels_count; i++) {
        rf_memory_bytes bytes[2] = {{0}};
        for (uint32_t papers = 0; papers < 2; papers++) {
            const rf_sink sink = rf_memory_sink(&bytes[papers]);
            char error[512];
            rf_kernels_result result;
            rf_stream_writer *const writer = rf_stream_writer_open(&sink, error, sizeof error);
            assert_non_null(writer);
            build(&rf_kernels_list[i], &(rf_kernels_options){.source = &ls_xzio, .papers_inputs = papers == 1, .writer = writer},
                  &result);
            assert_int_equal(rf_stream_writer_close(writer, error, sizeof error), 0);
        }
        bool differs = false;
        for (size_t k = 0; k < sizeof other / sizeof other[0]; k++)
            differs = differs || strcmp(rf_kernels_list[i].name, other[k]) == 0;
        const bool same = bytes[0].size == bytes[1].size && memcmp(bytes[0].bytes, bytes[1].bytes, bytes[0].size) == 0;
        if (same == differs) fail_msg("%s: the streams are %s", rf_kernels_list[i].name, same ? "equal" : "not equal");
        free(bytes[0].bytes);
        free(bytes[1].bytes);
    }
}

/* Values that do not go into the parameters of the PTX. */
static void test_parameters(void **state) {
    (void)state;
    static const struct {
        bool m32;
        const char *file, *good, *bad, *error; /* good: NULL: all of the text */
    } wrong[] = {
        {false, "vecadd", "u32 vecadd_param_3", "f32 vecadd_param_3", "vecadd: vecadd: parameter 3 is of another type"},
        {false, "saxpy", "f32 saxpy_param_2", "u32 saxpy_param_2", "saxpy: saxpy: parameter 2 is of another type"},
        {false, "vecadd", "u32 vecadd_param_3", "u16 vecadd_param_3", "vecadd: vecadd: parameter 3 is of another type"},
        {false, "vecadd", "u64 vecadd_param_0", "u32 vecadd_param_0", "vecadd: vecadd: parameter 0 is of another type"},
        {true, "vecadd", "u32 vecadd_param_3", "u64 vecadd_param_3", "vecadd: vecadd: parameter 3 is of another type"},
        {true, "hash64", "u64 hash64_param_3", "u32 hash64_param_3", "hash64: hash64: parameter 3 is of another type"},
        {true, "mandelbrot", "u32 mandelbrot_param_6", "u32 mandelbrot_param_6, .param .u32 more",
         "mandelbrot: mandelbrot: parameter 7 is of another type"},
        {false, "saxpy", NULL,
         ".version 7.0\n.target sm_70\n.address_size 64\n"
         ".entry saxpy(.param .u64 y, .param .u64 x, .param .f32 a) { ret; }\n",
         "saxpy: saxpy takes 3 parameters"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char path[256], error[512] = "";
        rf_memory_file file = {.path = path, .piece = 65536};
        (void)snprintf(path, sizeof path, "%s/%s%s.ptx", RF_KERNELS_FOLDER, wrong[i].m32 ? "m32/" : "", wrong[i].file);
        char *const text = file_text(path, &file.size), *const at = wrong[i].good ? strstr(text, wrong[i].good) : text;
        assert_non_null(at);
        const size_t old = wrong[i].good ? strlen(wrong[i].good) : file.size, new = strlen(wrong[i].bad);
        memmove(at + new, at + old, file.size - (size_t)(at - text) - old + 1);
        memcpy(at, wrong[i].bad, new);
        file.size += new - old;
        file.text = text;
        rf_memory memory = {&file, 1};
        const rf_source source = rf_memory_source(&memory);
        const rf_kernels_options options = {.m32 = wrong[i].m32, .source = &source, .folder = RF_KERNELS_FOLDER};
        rf_kernels_result result;
        assert_int_equal(rf_kernels_build(rf_kernels_find(wrong[i].file), &options, &result, error, sizeof error), -1);
        if (strncmp(error, wrong[i].error, strlen(wrong[i].error)) != 0) fail_msg("%zu: %s", i, error);
        free(text);
    }
}

/* The part of a PTX text that is the workload's: one entry when it has its name, else all. */
static void own_part(const rf_kernels_entry *entry, char *text, char **begin, char **end) {
    char head[64];
    (void)snprintf(head, sizeof head, ".entry %s(", entry->name);
    char *const own = strstr(text, head), *const next = own ? strstr(own + 1, ".entry ") : NULL;
    *begin = own ? own : text;
    *end = own && next && strcmp(entry->name, entry->file) != 0 ? next : text + strlen(text);
}

/* Faults one by one in every kernel. Most must be noticed (some make no difference: a thread more that stores the same), and one
 * at least by a wrong result, not by an access outside memory or a launch without end. */
static void test_faults(void **state) {
    (void)state;
    uint32_t all = 0, all_noticed = 0;
    for (size_t i = 0; i < rf_kernels_count; i++) {
        const rf_kernels_entry *const entry = &rf_kernels_list[i];
        char path[256], error[512], *begin, *end;
        rf_memory_file file = {.path = path, .piece = 65536};
        (void)snprintf(path, sizeof path, "%s/%s.ptx", RF_KERNELS_FOLDER, entry->file);
        char *const text = file_text(path, &file.size);
        file.text = text;
        rf_memory memory = {&file, 1};
        const rf_source source = rf_memory_source(&memory);
        const rf_kernels_options options = {.source = &source, .folder = RF_KERNELS_FOLDER};
        uint32_t planted = 0, noticed = 0, wrong = 0;
        own_part(entry, text, &begin, &end);
        for (size_t f = 0; f < sizeof faults / sizeof faults[0]; f++) {
            const size_t length = strlen(faults[f].good);
            uint32_t places = 0;
            for (char *at = strstr(begin, faults[f].good); at && at < end && places < FAULTS_EACH;
                 at = strstr(at + 1, faults[f].good)) {
                rf_kernels_result result;
                memcpy(at, faults[f].bad, length);
                if (rf_kernels_build(entry, &options, &result, error, sizeof error) != 0) {
                    noticed++;
                    wrong += strstr(error, "the reference") != NULL;
                }
                memcpy(at, faults[f].good, length);
                places++;
            }
            planted += places;
        }
        if (wrong == 0 || 4 * noticed < 3 * planted)
            fail_msg("%s: of %u planted faults %u were noticed, %u by a wrong result", entry->name, planted, noticed, wrong);
        all += planted;
        all_noticed += noticed;
        free(text);
    }
    print_message("%u of %u planted faults noticed\n", all_noticed, all);
    assert_true(100 * all_noticed >= 94 * all);
}

static void test_errors(void **state) {
    (void)state;
    const rf_kernels_entry *const entry = rf_kernels_find("saxpy");
    assert_non_null(entry);
    assert_null(rf_kernels_find("saxpi"));
    char error[512];
    rf_kernels_result result;
    assert_int_equal(
        rf_kernels_build(entry, &(rf_kernels_options){.source = &ls_xzio, .folder = "nowhere"}, &result, error, sizeof error),
        -1);
    assert_non_null(strstr(error, "saxpy: nowhere/saxpy.ptx: "));
    assert_int_equal(rf_kernels_build(entry, &(rf_kernels_options){.source = &ls_xzio, .folder = "nowhere", .m32 = true}, &result,
                                      error, sizeof error),
                     -1);
    assert_non_null(strstr(error, "saxpy: nowhere/m32/saxpy.ptx: "));
    assert_int_equal(
        rf_kernels_build(entry, &(rf_kernels_options){.source = &ls_xzio, .registers = 256}, &result, error, sizeof error), -1);
    assert_non_null(strstr(error, "saxpy: "));
    rf_memory_bytes bytes = {.fail_at = 100};
    const rf_sink sink = rf_memory_sink(&bytes);
    rf_stream_writer *const writer = rf_stream_writer_open(&sink, error, sizeof error);
    assert_non_null(writer);
    assert_int_equal(
        rf_kernels_build(entry, &(rf_kernels_options){.source = &ls_xzio, .writer = writer}, &result, error, sizeof error), -1);
    assert_non_null(strstr(error, "saxpy: saxpy: the stream cannot be written"));
    rf_stream_writer_abandon(writer);
    free(bytes.bytes);
}

/* Hand-made streams. */
static rf_inst *add(rf_warp *warp, rf_inst inst) {
    if (warp->count == warp->capacity) {
        warp->capacity = warp->capacity ? 2 * warp->capacity : 16;
        warp->inst = realloc(warp->inst, warp->capacity * sizeof *warp->inst);
        assert_non_null(warp->inst);
    }
    warp->inst[warp->count] = inst;
    return &warp->inst[warp->count++];
}

static void one_warp(const rf_warp *warp, rf_stats *stats) {
    rf_stats_maker *const maker = rf_stats_new();
    assert_non_null(maker);
    assert_int_equal(rf_stats_warp(maker, warp, true), 0);
    rf_stats_end(maker, stats);
}

static uint32_t sevens[RF_LANES_MAX * 2], eights[RF_LANES_MAX], ramp[RF_LANES_MAX];

static void test_stats_values(void **state) {
    (void)state;
    rf_warp warp = {0};
    rf_stats s;
    /* R1 = .., R2 = .., R3 = R1 + R1, R1 (half the lanes) = R3, R6 = .., nothing, R4 = R1 + R2 + R3 + R3, R5 = .. */
    add(&warp, (rf_inst){.mask = ~0u, .ndst = 1, .dst = {1}, .value = sevens});
    add(&warp, (rf_inst){.mask = ~0u, .ndst = 1, .dst = {2}, .value = sevens, .hint = {.flags = RF_HINT_STRAND_END}});
    add(&warp, (rf_inst){.mask = ~0u, .nsrc = 2, .src = {1, 1}, .ndst = 1, .dst = {3}, .value = sevens});
    add(&warp, (rf_inst){.mask = 0xffff, .nsrc = 1, .src = {3}, .ndst = 1, .dst = {1}, .value = sevens});
    add(&warp, (rf_inst){.mask = ~0u, .ndst = 1, .dst = {6}, .value = sevens});
    add(&warp, (rf_inst){.mask = 0, .hint = {.flags = RF_HINT_STRAND_END}});
    add(&warp, (rf_inst){.mask = ~0u, .nsrc = 4, .src = {1, 2, 3, 3}, .ndst = 1, .dst = {4}, .value = sevens});
    add(&warp, (rf_inst){.mask = ~0u, .ndst = 1, .dst = {5}, .value = sevens});
    one_warp(&warp, &s);
    assert_int_equal(s.launches, 1);
    assert_int_equal(s.warps, 1);
    assert_int_equal(s.instructions, 8);
    assert_int_equal(s.full_mask, 6);
    assert_int_equal(s.lanes, 6 * 32 + 16);
    assert_int_equal(s.reads, 7);
    assert_int_equal(s.writes, 7);
    assert_int_equal(s.values, 6 * 32 + 16);
    assert_int_equal(s.read[0], 96);        /* R4, R5, R6 */
    assert_int_equal(s.read[1], 16 + 32);   /* the half's second R1; R2 */
    assert_int_equal(s.read[2], 16 + 16);   /* the half's first R1; in the other lanes R3 */
    assert_int_equal(s.read[3], 16 + 16);   /* the other lanes' R1; the half's R3 */
    assert_int_equal(s.once_soon, 16 + 16); /* R1; R2 where one instruction was skipped: 3 on, else 4 */
    assert_int_equal(s.strands, 3);         /* two ends, and that of the warp */
    assert_int_equal(s.outside, 4);         /* R1 in the second strand; R1, R2, R3 in the third */
    assert_int_equal(s.crossing, 4);        /* both R1, R2, R3 */
    assert_int_equal(s.hinted, 0);
    assert_true(s.values_known);
    free(warp.inst);
}

static void test_stats_near(void **state) {
    (void)state;
    rf_warp warp = {0};
    rf_stats s;
    add(&warp, (rf_inst){.mask = ~0u, .nsrc = 2, .ndst = 1, .hint = {.flags = RF_HINT_PRESENT, .src_near = 2, .dst_near = 1}});
    add(&warp, (rf_inst){.mask = 1,
                         .nsrc = 3,
                         .hint = {.flags = RF_HINT_PRESENT | RF_HINT_STRAND_END, .src_near = 0xfc, .dst_near = 1}});
    add(&warp, (rf_inst){.mask = ~0u, .nsrc = 3, .hint = {.src_near = 7}});
    add(&warp, (rf_inst){.mask = 0, .nsrc = 3, .hint = {.flags = RF_HINT_PRESENT | RF_HINT_STRAND_END, .src_near = 7}});
    one_warp(&warp, &s);
    assert_int_equal(s.hinted, 6);
    assert_int_equal(s.near, 3);
    assert_int_equal(s.strands, 2);
    assert_false(s.values_known); /* the first writes and has no result */
    free(warp.inst);
}

static void test_stats_repeated(void **state) {
    (void)state;
    static const struct {
        rf_inst inst;
        bool again;
    } step[] = {
        {{.mask = ~0u, .opcode = 1, .ndst = 1, .dst = {1}, .value = sevens}, false},
        {{.mask = ~0u, .opcode = 1, .ndst = 1, .dst = {2}, .value = sevens},
         true}, /* into another register: the same computation */
        {{.mask = ~0u, .opcode = 2, .ndst = 1, .dst = {2}, .value = sevens}, false},
        {{.mask = ~0u, .opcode = 1, .ndst = 1, .dst = {3}, .value = eights}, false},
        {{.mask = ~0u, .opcode = 1, .immediate = 1, .ndst = 1, .dst = {3}, .value = eights}, false},
        {{.mask = ~0u, .opcode = 3, .nsrc = 2, .src = {1, 3}, .ndst = 1, .dst = {4}, .value = ramp}, false},
        {{.mask = ~0u, .opcode = 3, .nsrc = 2, .src = {3, 1}, .ndst = 1, .dst = {4}, .value = ramp}, false}, /* other way round */
        {{.mask = ~0u, .opcode = 3, .nsrc = 2, .src = {2, 3}, .ndst = 1, .dst = {5}, .value = ramp}, true},  /* equal operands */
        {{.mask = 0xff, .opcode = 3, .nsrc = 2, .src = {2, 3}, .ndst = 1, .dst = {5}, .value = ramp}, false},
        {{.mask = 0xff, .opcode = 3, .nsrc = 2, .src = {2, 3}, .ndst = 1, .dst = {1}, .value = ramp}, true},
        {{.mask = 0xffff, .opcode = 4, .nsrc = 1, .src = {1}}, false}, /* R1: ramp in 8 lanes, sevens behind them */
        {{.mask = 0xff, .opcode = 4, .nsrc = 1, .src = {4}}, false},
        {{.mask = 0xff, .opcode = 4, .nsrc = 1, .src = {1}}, true},
        {{.mask = 0xffff, .opcode = 4, .nsrc = 1, .src = {4}}, false},
        {{.mask = ~0u, .opcode = 5, .nsrc = 1, .src = {1}, .store = true}, false},
        {{.mask = ~0u, .opcode = 5, .nsrc = 1, .src = {1}, .store = true}, false},
        {{.mask = ~0u, .opcode = 6, .opclass = RF_OP_CTRL}, false},
        {{.mask = ~0u, .opcode = 6, .opclass = RF_OP_CTRL}, false},
        {{.mask = 0, .opcode = 7}, false},
        {{.mask = 0, .opcode = 7}, false},
    };
    rf_warp warp = {0};
    rf_stats s;
    uint64_t expected = 0;
    for (size_t i = 0; i < sizeof step / sizeof step[0]; i++) {
        add(&warp, step[i].inst);
        one_warp(&warp, &s);
        expected += step[i].again;
        if (s.repeated != expected) fail_msg("step %zu: %d repeated, not %d", i, (int)s.repeated, (int)expected);
    }
    free(warp.inst);
}

/* The window: 1,024 instructions back is in it, 1,025 not. */
static void test_stats_window(void **state) {
    (void)state;
    for (uint32_t distance = RF_STATS_WINDOW - 1; distance <= RF_STATS_WINDOW + 1; distance++) {
        rf_warp warp = {0};
        rf_stats s;
        add(&warp, (rf_inst){.mask = ~0u, .opcode = 1});
        for (uint32_t i = 1; i < distance; i++) add(&warp, (rf_inst){.mask = ~0u, .opcode = 1000 + i});
        add(&warp, (rf_inst){.mask = ~0u, .opcode = 1});
        one_warp(&warp, &s);
        assert_int_equal(s.repeated, distance <= RF_STATS_WINDOW);
        free(warp.inst);
    }
}

/* Warps take turns: what 49 warps do alike meets within the window or not. */
static void test_stats_turns(void **state) {
    (void)state;
    rf_warp warp = {0};
    rf_stats s;
    for (uint32_t i = 0; i < 30; i++) add(&warp, (rf_inst){.mask = ~0u, .opcode = 1 + i});
    rf_stats_maker *maker = rf_stats_new();
    for (uint32_t w = 0; w < RF_STATS_RESIDENT + 1; w++) assert_int_equal(rf_stats_warp(maker, &warp, w == 0), 0);
    rf_stats_end(maker, &s);
    /* the 48 run side by side: the first alone computes anew; the last comes when 30 x 48 have run, alone: its instruction k
     * looks back on those of k above 8 and some of k = 8, so its own are 1,392 + k - 47 k and more behind it, within reach from k
     * = 8 on */
    assert_int_equal(s.repeated, 47 * 30 + 30 - 8);
    assert_int_equal(s.instructions, 49 * 30);
    assert_int_equal(s.warps, 49);
    maker = rf_stats_new();
    for (uint32_t w = 0; w < 2; w++)
        assert_int_equal(rf_stats_warp(maker, &warp, true), 0); /* two launches, one after the other */
    rf_stats_end(maker, &s);
    assert_int_equal(s.repeated, 30);
    assert_int_equal(s.launches, 2);
    free(warp.inst);
}

int main(void) {
    for (uint32_t i = 0; i < RF_LANES_MAX; i++) {
        sevens[i] = sevens[RF_LANES_MAX + i] = 7;
        eights[i] = 8;
        ramp[i] = i;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registers_63), cmocka_unit_test(test_registers_few),  cmocka_unit_test(test_registers_identity),
        cmocka_unit_test(test_m32),          cmocka_unit_test(test_papers_inputs),  cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_faults),       cmocka_unit_test(test_errors),         cmocka_unit_test(test_stats_values),
        cmocka_unit_test(test_stats_near),   cmocka_unit_test(test_stats_repeated), cmocka_unit_test(test_stats_window),
        cmocka_unit_test(test_stats_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
