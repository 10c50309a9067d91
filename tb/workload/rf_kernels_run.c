/* SPDX-License-Identifier: Apache-2.0 */
/* A run of a workload: its kernels compiled, its memory, its launches, its comparisons. */
#include "tb/workload/rf_kernels_run.h"

#include <inttypes.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmodel/compiler/rf_regalloc.h"
#include "cmodel/compiler/rf_schedule.h"
#include "cmodel/workload/rf_ptx.h"
#include "harness/base/root.h"
#include "harness/base/clock.h"

/* Warp instructions of a launch, against kernels that never end: more than twice what a workload needs. */
#define LAUNCH_LIMIT_SMALL (UINT64_C(1) << 16)
#define LAUNCH_LIMIT_LARGE (UINT64_C(1) << 20)

typedef struct rf_run_block { /* of host memory */
    struct rf_run_block *next;
    uint64_t bytes[];
} rf_run_block;

struct rf_kernels_run {
    const rf_kernels_entry *entry;
    const rf_kernels_options *options;
    rf_kernels_result *result;
    char *error;
    size_t size;
    jmp_buf out;
    ls_rng rng;
    rf_module module;
    rf_simt *simt;
    rf_program *program; /* of each kernel, when a stream is written */
    rf_run_block *host;
    char file_error[512];
};

void rf_run_fail(rf_kernels_run *run, const char *format, ...) {
    va_list args;
    const int head = snprintf(run->error, run->size, "%s: ", run->entry->name);
    if (head >= 0 && (size_t)head < run->size) {
        va_start(args, format);
        (void)vsnprintf(run->error + head, run->size - (size_t)head, format, args);
        va_end(args);
    }
    longjmp(run->out, 1);
}

void *rf_run_host(rf_kernels_run *run, size_t bytes) {
    rf_run_block *const block = calloc(1, sizeof *block + bytes);
    if (!block) rf_run_fail(run, "no memory");
    block->next = run->host;
    run->host = block;
    return block->bytes;
}

ls_rng *rf_run_rng(rf_kernels_run *run) { return &run->rng; }

float *rf_run_floats(rf_kernels_run *run, size_t n, float low, float high) {
    float *const v = rf_run_host(run, n * sizeof *v);
    for (size_t i = 0; i < n; i++) v[i] = low + (high - low) * ((float)(ls_rng_u64(&run->rng) >> 40) * 0x1p-24f);
    return v;
}

float *rf_run_hills(rf_kernels_run *run, uint32_t width, uint32_t height, uint32_t depth, float low, float high) {
    enum { HILLS = 6 };
    const uint32_t size[3] = {width, height, depth}, n = width * height * depth;
    float *const v = rf_run_host(run, n * sizeof *v);
    double top[HILLS][3], square[HILLS]; /* of the radius at half height */
    for (uint32_t h = 0; h < HILLS; h++) {
        for (uint32_t k = 0; k < 3; k++) top[h][k] = ls_rng_below(&run->rng, size[k]);
        const double radius = (width + height) * (1 + ls_rng_below(&run->rng, 8)) / 32.0;
        square[h] = radius * radius;
    }
    for (uint32_t i = 0; i < n; i++) {
        const double place[3] = {i % width, i / width % height, i / width / height};
        double sum = 0;
        for (uint32_t h = 0; h < HILLS; h++) {
            double away = 0;
            for (uint32_t k = 0; k < 3; k++) away += (place[k] - top[h][k]) * (place[k] - top[h][k]);
            sum += square[h] / (square[h] + away);
        }
        v[i] = (float)((double)low + (double)(high - low) * (sum / HILLS));
    }
    return v;
}

bool rf_run_papers_inputs(const rf_kernels_run *run) { return run->options->papers_inputs; }

float *rf_run_picture(rf_kernels_run *run, uint32_t width, uint32_t height, float low, float high, uint32_t steps) {
    const size_t n = (size_t)width * height;
    if (!run->options->papers_inputs) return rf_run_floats(run, n, low, high);
    float *const v = rf_run_hills(run, width, height, 1, low, high), step = (high - low) / (float)(steps ? steps : 1);
    for (size_t i = 0; steps && i < n; i++) v[i] = low + step * floorf((v[i] - low) / step);
    return v;
}

uint32_t *rf_run_words(rf_kernels_run *run, size_t n, uint32_t below) {
    uint32_t *const v = rf_run_host(run, n * sizeof *v);
    for (size_t i = 0; i < n; i++) v[i] = below ? ls_rng_below(&run->rng, below) : (uint32_t)(ls_rng_u64(&run->rng) >> 32);
    return v;
}

uint64_t rf_run_device(rf_kernels_run *run, size_t bytes) {
    const uint64_t address = rf_simt_alloc(run->simt, bytes);
    if (address == 0) rf_run_fail(run, "no device memory of %zu bytes", bytes);
    return address;
}

void rf_run_write(rf_kernels_run *run, uint64_t address, const void *from, size_t bytes) {
    if (rf_simt_write(run->simt, address, from, bytes) != 0)
        rf_run_fail(run, "%zu bytes at 0x%" PRIx64 " cannot be written", bytes, address);
}

void rf_run_read(rf_kernels_run *run, uint64_t address, void *to, size_t bytes) {
    if (rf_simt_read(run->simt, address, to, bytes) != 0)
        rf_run_fail(run, "%zu bytes at 0x%" PRIx64 " cannot be read", bytes, address);
}

uint64_t rf_run_upload(rf_kernels_run *run, const void *from, size_t bytes) {
    const uint64_t address = rf_run_device(run, bytes);
    rf_run_write(run, address, from, bytes);
    return address;
}

void rf_run_symbol(rf_kernels_run *run, const char *name, const void *from, size_t bytes) {
    for (uint32_t i = 0; i < run->module.nglobal; i++) {
        const rf_kglobal *const global = &run->module.global[i];
        if (strcmp(global->name, name) != 0) continue;
        if (bytes > global->size) rf_run_fail(run, "%s: %zu bytes into %" PRIu64, name, bytes, global->size);
        rf_run_write(run, global->address, from, bytes);
        return;
    }
    rf_run_fail(run, "the PTX has no variable %s", name);
}

typedef struct sink_context {
    rf_kernels_run *run;
    const rf_kernel *kernel;
    const rf_program *program;
} sink_context;

static void count_operands(rf_kernels_result *result, const rf_koperand *operand, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        if (operand[i].kind != RF_O_REG) continue;
        result->operands++;
        result->pairs += operand[i].words == 2;
    }
}

static bool sink(void *ctx, rf_warp *warp) {
    const sink_context *const to = ctx;
    const rf_kernels_options *const options = to->run->options;
    if (options->watch && !options->watch(options->ctx, to->kernel, warp)) rf_run_fail(to->run, "no memory");
    if (!options->writer) return true;
    rf_hints_apply(to->program, warp);
    for (size_t i = 0; i < warp->count; i++) {
        const rf_kinst *const inst = &to->kernel->inst[warp->inst[i].index];
        if (warp->inst[i].mask == 0) continue;
        count_operands(to->run->result, inst->src, inst->nsrc);
        count_operands(to->run->result, inst->dst, inst->ndst);
    }
    return rf_stream_write_warp(options->writer, warp) == 0;
}

static void add_counts(rf_simt_counts *to, const rf_simt_counts *more) {
    to->warp_instructions += more->warp_instructions;
    to->lane_instructions += more->lane_instructions;
    to->warps += more->warps;
    to->blocks += more->blocks;
    to->barriers += more->barriers;
    to->divergent_branches += more->divergent_branches;
}

/* The kernel's parameters with these values, as its PTX lays them out. */
static const void *parameters(rf_kernels_run *run, const rf_kernel *kernel, const rf_run_value *value) {
    uint8_t *const bytes = rf_run_host(run, kernel->param_bytes);
    for (uint32_t i = 0; i < kernel->nparam; i++) {
        const rf_kparam *const to = &kernel->param[i];
        const rf_ktype type = value[i].type;
        const bool address = type == RF_T_U64 && run->module.address_bits == 32 && to->size == 4 && value[i].bits <= UINT32_MAX;
        if ((!address && rf_ktype_bits(type) != to->size * 8) || rf_ktype_float(type) != rf_ktype_float(to->type))
            rf_run_fail(run, "%s: parameter %u is of another type than its value 0x%" PRIx64, kernel->name, i, value[i].bits);
        memcpy(bytes + to->offset, &value[i].bits, to->size);
    }
    if (value[kernel->nparam].type != RF_T_NONE) rf_run_fail(run, "%s takes %u parameters", kernel->name, kernel->nparam);
    return bytes;
}

void rf_run_launch(rf_kernels_run *run, const char *kernel_name, rf_dim grid, rf_dim block, const rf_run_value *value) {
    rf_kernel *const kernel = rf_module_kernel(&run->module, kernel_name);
    if (!kernel) rf_run_fail(run, "the PTX has no kernel %s", kernel_name);
    rf_simt_launch launch = {.param = parameters(run, kernel, value),
                             .instruction_limit = run->options->large ? LAUNCH_LIMIT_LARGE : LAUNCH_LIMIT_SMALL};
    for (uint32_t i = 0; i < 3; i++) launch.grid[i] = launch.block[i] = 1;
    launch.grid[0] = grid.x, launch.block[0] = block.x;
    if (grid.y) launch.grid[1] = grid.y;
    if (block.y) launch.block[1] = block.y;
    sink_context to = {.run = run, .kernel = kernel};
    if (run->options->writer) {
        rf_program *const program = &run->program[kernel - run->module.kernel];
        memcpy(program->grid, launch.grid, sizeof program->grid);
        memcpy(program->block, launch.block, sizeof program->block);
        if (rf_stream_write_program(run->options->writer, program) != 0)
            rf_run_fail(run, "%s: the stream cannot be written", kernel_name);
        to.program = program;
    }
    rf_simt_counts counts = {0};
    const double start = ls_seconds();
    const bool watched = run->options->writer || run->options->watch;
    const int ended =
        rf_simt_run(run->simt, kernel, &launch, watched ? sink : NULL, &to, &counts, run->file_error, sizeof run->file_error);
    if (ended < 0) rf_run_fail(run, "%s", run->file_error);
    if (ended > 0) rf_run_fail(run, "%s: the stream cannot be written", kernel_name);
    run->result->seconds += ls_seconds() - start;
    add_counts(&run->result->counts, &counts);
    run->result->launches++;
}

/* What the device holds, beside n elements of the reference. */
static void *outputs(rf_kernels_run *run, uint64_t address, size_t n, size_t element) {
    void *const got = rf_run_host(run, n * element);
    rf_run_read(run, address, got, n * element);
    run->result->outputs += n;
    return got;
}

#define SAME(suffix, type, format, show)                                                                                         \
    void rf_run_same_##suffix(rf_kernels_run *run, const char *what, uint64_t address, const type *expected, size_t n) {         \
        const type *const got = outputs(run, address, n, sizeof *got);                                                           \
        for (size_t i = 0; i < n; i++)                                                                                           \
            if (memcmp(&got[i], &expected[i], sizeof *got) != 0)                                                                 \
                rf_run_fail(run, "%s[%zu] is " format ", the reference " format, what, i, show(got[i]), show(expected[i]));      \
    }
#define AS_IS(x) (x)
#define AS_DOUBLE(x) ((double)(x))

SAME(u8, uint8_t, "%u", AS_IS)
SAME(u32, uint32_t, "0x%08" PRIx32, AS_IS)
SAME(u64, uint64_t, "0x%016" PRIx64, AS_IS)
SAME(f32, float, "%a", AS_DOUBLE)
SAME(f64, double, "%a", AS_IS)

void rf_run_near_f32(rf_kernels_run *run, const char *what, uint64_t address, const double *expected, size_t n, double absolute,
                     double relative) {
    const float *const got = outputs(run, address, n, sizeof *got);
    for (size_t i = 0; i < n; i++)
        if (!(fabs((double)got[i] - expected[i]) <= absolute + relative * fabs(expected[i]))) /* also a NaN */
            rf_run_fail(run, "%s[%zu] is %.9g, the reference %.9g", what, i, (double)got[i], expected[i]);
}

/* The kernel scheduled and allocated takes the place of the kernel allocated, unless it spills more. */
static void allocate_scheduled(rf_kernels_run *run, rf_kernel *kernel, uint32_t registers) {
    char *const text = run->file_error;
    const size_t size = sizeof run->file_error;
    rf_kernel scheduled;
    if (rf_kernel_copy(&scheduled, kernel) != 0) rf_run_fail(run, "no memory");
    const uint32_t words = registers < RF_KERNELS_SCHEDULED ? registers : RF_KERNELS_SCHEDULED;
    const bool done = rf_schedule(&scheduled, words, RF_PREDICATES, text, size) == 0 &&
                      rf_regalloc(&scheduled, registers, RF_PREDICATES, text, size) == 0 &&
                      rf_regalloc(kernel, registers, RF_PREDICATES, text, size) == 0;
    if (!done || scheduled.spilled > kernel->spilled) {
        rf_kernel_free(&scheduled);
        if (!done) rf_run_fail(run, "%s", text);
        return;
    }
    rf_kernel_free(kernel);
    *kernel = scheduled;
}

/* Part of a path: the folder of the PTX with 32-bit addresses. */
static const char *m32(const rf_kernels_run *run) { return run->options->m32 ? "m32/" : ""; }

/* Allocates registers for every kernel of the module and, for a stream, analyses it. */
static void compile(rf_kernels_run *run) {
    const uint32_t registers = run->options->registers ? run->options->registers : RF_KERNELS_REGISTERS;
    char *const text = run->file_error;
    const char *const hierarchy = run->options->hierarchy;
    rf_level_options levels = rf_level_defaults();
    if (hierarchy && rf_level_parse(&levels, hierarchy, text, sizeof run->file_error) != 0) rf_run_fail(run, "%s", text);
    if (run->options->writer) run->program = rf_run_host(run, run->module.nkernel * sizeof *run->program);
    for (uint32_t k = 0; k < run->module.nkernel; k++) {
        rf_kernel *const kernel = &run->module.kernel[k];
        int done = 0;
        if (run->options->identity) done = rf_regalloc_identity(kernel, text, sizeof run->file_error);
        else if (run->options->schedule) allocate_scheduled(run, kernel, registers);
        else done = rf_regalloc(kernel, registers, RF_PREDICATES, text, sizeof run->file_error);
        if (done != 0) rf_run_fail(run, "%s", text);
        if (kernel->nreg > run->result->registers) run->result->registers = kernel->nreg;
        run->result->spilled += kernel->spilled;
        if (!run->options->writer) continue;
        rf_program *const program = &run->program[k];
        const rf_hint_options hints = {.rthld = run->options->rthld,
                                       .banks = run->options->banks,
                                       .levels = hierarchy ? &levels : NULL,
                                       .dead_together = run->options->dead_together};
        if (rf_program_build(program, kernel, &hints, text, sizeof run->file_error) != 0) rf_run_fail(run, "%s", text);
        free(program->origin);
        const size_t size = strlen(run->entry->file) + (hierarchy ? strlen(hierarchy) : 0) + 48;
        program->origin = malloc(size);
        if (!program->origin) rf_run_fail(run, "no memory");
        (void)snprintf(program->origin, size, "%s%s.ptx, %u registers%s%s", m32(run), run->entry->file, registers,
                       hierarchy ? ", hierarchy " : "", hierarchy ? hierarchy : "");
    }
}

static void run_all(rf_kernels_run *run) {
    const char *const folder = run->options->folder;
    char path[PATH_MAX];
    const int length = snprintf(path, sizeof path, "%s/%s%s%s.ptx", folder ? folder : ls_root(),
                                folder ? "" : RF_KERNELS_FOLDER "/", m32(run), run->entry->file);
    if (length < 0 || (size_t)length >= sizeof path) rf_run_fail(run, "the folder's name is too long");
    if (run->options->identity && run->options->writer) rf_run_fail(run, "registers without a bound fit into no stream");
    if (rf_ptx_read(run->options->source, path, &run->module, run->file_error, sizeof run->file_error) != 0)
        rf_run_fail(run, "%s", run->file_error);
    compile(run);
    run->simt = rf_simt_new(&run->module);
    if (!run->simt) rf_run_fail(run, "no memory");
    ls_rng_seed(&run->rng, ls_seed_derive(0, run->entry->name));
    run->entry->run(run, run->options->large);
    if (run->result->outputs == 0) rf_run_fail(run, "nothing was compared");
}

int rf_kernels_build(const rf_kernels_entry *entry, const rf_kernels_options *options, rf_kernels_result *result, char *error,
                     size_t size) {
    rf_kernels_run *const run = calloc(1, sizeof *run);
    *result = (rf_kernels_result){0};
    if (!run) {
        (void)snprintf(error, size, "%s: no memory", entry->name);
        return -1;
    }
    run->entry = entry, run->options = options, run->result = result, run->error = error, run->size = size;
    volatile bool passed = false; /* set after the setjmp */
    if (setjmp(run->out) == 0) {
        run_all(run);
        passed = true;
    }
    if (run->program)
        for (uint32_t k = 0; k < run->module.nkernel; k++) rf_program_free(&run->program[k]);
    for (rf_run_block *block = run->host, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    rf_simt_free(run->simt);
    rf_module_free(&run->module);
    free(run);
    return passed ? 0 : -1;
}
