/* SPDX-License-Identifier: Apache-2.0 */
/* A random kernel through the slow model and through the whole chain. */
#include "tb/workload/judge/slow_judge.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/compiler/rf_regalloc.h"
#include "cmodel/compiler/rf_schedule.h"
#include "cmodel/workload/rf_ptx.h"
#include "tb/workload/judge/random_ptx.h"
#include "tb/workload/rf_memory.h"

#define STEP_LIMIT UINT64_C(3000000)

typedef struct judged {
    random_ptx random;
    slow_ptx slow;
    slow_log *log; /* one a thread */
    rf_module module;
    uint8_t in[RANDOM_PTX_IN_BYTES], atoms[RANDOM_PTX_ATOM_BYTES];
    uint8_t *out;
    size_t out_bytes;
    uint64_t in_at, out_at, atoms_at;
    const judge_way *way;
    const rf_kernel *kernel; /* of the run */
    rf_program program;
    rf_hint_options options;
    rf_strands strands;
    uint64_t *live_out; /* of each strand */
    uint32_t set_words;
    uint32_t warps_seen;
    judge_counts *counts;
    judge_plant *plant; /* NULL: none */
    char *error;
    size_t size;
} judged;

static bool fail(judged *j, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(judged *j, const char *format, ...) {
    va_list args;
    va_start(args, format);
    (void)vsnprintf(j->error, j->size, format, args);
    va_end(args);
    return false;
}

/* A machine with the three buffers, always at the same addresses. */
static rf_simt *machine(judged *j) {
    rf_simt *const simt = rf_simt_new(&j->module);
    if (!simt) return NULL;
    j->in_at = rf_simt_alloc(simt, sizeof j->in);
    j->out_at = rf_simt_alloc(simt, j->out_bytes);
    j->atoms_at = rf_simt_alloc(simt, sizeof j->atoms);
    memcpy(j->random.param + j->random.in_at, &j->in_at, 8);
    memcpy(j->random.param + j->random.out_at, &j->out_at, 8);
    memcpy(j->random.param + j->random.atom_at, &j->atoms_at, 8);
    if (j->in_at && j->out_at && j->atoms_at && rf_simt_write(simt, j->in_at, j->in, sizeof j->in) == 0) return simt;
    rf_simt_free(simt);
    return NULL;
}

/* The slow model, whose results stay in `out`, `atoms` and its symbols; then once more with the threads the other way round, for
 * a kernel with a race is no judge. */
static bool run_slow(judged *j) {
    uint8_t *const again = calloc(j->out_bytes, 1);
    uint8_t atoms[RANDOM_PTX_ATOM_BYTES] = {0};
    slow_ptx other;
    slow_ptx_read(&other, j->random.text);
    slow_ptx *const models[2] = {&j->slow, &other};
    bool ok = again != NULL && other.error[0] == '\0';
    for (uint32_t m = 0; m < 2 && ok; m++) {
        slow_ptx *const p = models[m];
        for (uint32_t s = 0; s < p->symbols; s++)
            for (uint32_t g = 0; g < j->module.nglobal; g++)
                if (strcmp(p->symbol[s].name, j->module.global[g].name) == 0) p->symbol[s].address = j->module.global[g].address;
        slow_ptx_map(p, j->in_at, j->in, sizeof j->in);
        slow_ptx_map(p, j->out_at, m == 0 ? j->out : again, j->out_bytes);
        slow_ptx_map(p, j->atoms_at, m == 0 ? j->atoms : atoms, sizeof atoms);
        slow_launch launch = {.param = j->random.param, .backwards = m == 1, .limit = STEP_LIMIT};
        memcpy(launch.grid, j->random.grid, sizeof launch.grid);
        memcpy(launch.block, j->random.block, sizeof launch.block);
        ok = slow_ptx_run(p, &launch, m == 0 ? j->log : NULL);
        if (!ok) (void)fail(j, "slow model: %s", p->error);
    }
    if (ok && (memcmp(again, j->out, j->out_bytes) != 0 || memcmp(atoms, j->atoms, sizeof atoms) != 0))
        ok = fail(j, "generator: the kernel has a race");
    free(again);
    slow_ptx_free(&other);
    return ok;
}

static bool sink(void *ctx, rf_warp *warp) {
    judged *const j = ctx;
    const uint32_t *const n = j->random.block, *const grid = j->random.grid;
    const uint32_t threads = n[0] * n[1] * n[2];
    const uint32_t block = (warp->block[2] * grid[1] + warp->block[1]) * grid[0] + warp->block[0];
    const uint32_t first = warp->warp * 32;
    if (block >= grid[0] * grid[1] * grid[2] || first >= threads)
        return fail(j, "stream: warp %u of block %u", (unsigned)warp->warp, (unsigned)block);
    const uint32_t lanes = threads - first < 32 ? threads - first : 32;
    j->warps_seen++;
    rf_warp_link(warp);
    if (j->plant) j->plant(warp, false);
    if (!j->way->scheduled && !judge_warp(&j->slow, &j->log[(size_t)block * threads + first], lanes, j->kernel, warp, j->atoms_at,
                                          sizeof j->atoms, j->counts, j->error, j->size))
        return false;
    rf_hints_apply(&j->program, warp);
    if (j->plant) j->plant(warp, true);
    if (!judge_hints(warp, j->kernel, &j->options, j->counts, j->error, j->size)) return false;
    if (!judge_strands(warp, &j->strands, j->live_out, j->set_words, j->error, j->size)) return false;
    for (size_t k = 0; k < warp->count; k++) warp->inst[k].hint = (rf_hint){0};
    if (rf_hints_of_warp(warp, &j->options) != 0) return fail(j, "hints: no memory");
    if (judge_hints(warp, NULL, &j->options, j->counts, j->error, j->size)) return true;
    char what[512];
    (void)snprintf(what, sizeof what, "%s", j->error);
    return fail(j, "without a graph: %s", what);
}

static bool compare(judged *j, const char *name, const uint8_t *have, const uint8_t *want, size_t bytes) {
    for (size_t k = 0; k < bytes; k++)
        if (have[k] != want[k])
            return fail(j, "memory: %s byte %zu (thread %zu) is %#x instead of %#x", name, k, k / RANDOM_PTX_OUT_BYTES, have[k],
                        want[k]);
    return true;
}

static bool compare_memory(judged *j, rf_simt *simt) {
    uint8_t *const have = calloc(j->out_bytes + RANDOM_PTX_ATOM_BYTES, 1);
    bool ok = have && rf_simt_read(simt, j->out_at, have, j->out_bytes) == 0 && compare(j, "output", have, j->out, j->out_bytes);
    ok = ok && rf_simt_read(simt, j->atoms_at, have, sizeof j->atoms) == 0 &&
         compare(j, "atomics", have, j->atoms, sizeof j->atoms);
    for (uint32_t s = 0; s < j->slow.symbols && ok; s++) {
        const slow_symbol *const v = &j->slow.symbol[s];
        if (v->bytes) ok = rf_simt_read(simt, v->address, have, v->size) == 0 && compare(j, v->name, have, v->bytes, v->size);
    }
    free(have);
    return ok;
}

/* The static side: instructions with their hints, and the strands by themselves. */
static bool analyse(judged *j) {
    char why[512] = "";
    rf_liveness live;
    if (rf_program_build(&j->program, j->kernel, &j->options, why, sizeof why) != 0) return fail(j, "program: %s", why);
    if (rf_strands_compute(&j->strands, j->kernel) != 0) return fail(j, "strands: no memory");
    if (rf_liveness_compute(&live, j->kernel, RF_LIVE_WARP) != 0) return fail(j, "liveness: no memory");
    j->set_words = live.set_words;
    j->live_out = calloc((j->strands.count + 1) * (size_t)live.set_words, sizeof *j->live_out);
    for (uint32_t s = 0; s < j->strands.count && j->live_out; s++) /* the room to work in is the next one's */
        rf_strands_live_out(&j->strands, &live, s, j->live_out + (size_t)s * live.set_words);
    rf_liveness_free(&live);
    return j->live_out || fail(j, "strands: no memory");
}

static void forget_analysis(judged *j) {
    rf_program_free(&j->program);
    rf_strands_free(&j->strands);
    free(j->live_out);
    j->program = (rf_program){0};
    j->strands = (rf_strands){0};
    j->live_out = NULL;
}

static bool run_way(judged *j, const judge_way *way) {
    j->way = way;
    rf_kernel kernel = {0};
    const rf_kernel *const from = rf_module_kernel(&j->module, NULL);
    if (!from || rf_kernel_copy(&kernel, from) != 0) return fail(j, "front end: no kernel");
    char why[512] = "";
    if (way->scheduled && rf_schedule(&kernel, way->scheduled, way->predicates, why, sizeof why) != 0) {
        rf_kernel_free(&kernel);
        return fail(j, "scheduling: %s", why);
    }
    bool ok = (way->registers ? rf_regalloc(&kernel, way->registers, way->predicates, why, sizeof why)
                              : rf_regalloc_identity(&kernel, why, sizeof why)) == 0;
    if (!ok) (void)fail(j, "allocation: %s", why);
    if (ok && way->registers && (kernel.nreg > way->registers || kernel.npred > way->predicates))
        ok = fail(j, "allocation: %u registers, %u predicates", (unsigned)kernel.nreg, (unsigned)kernel.npred);
    rf_simt *const simt = ok ? machine(j) : NULL;
    const bool stream = ok && kernel.nreg <= 255;
    if (ok && !simt) ok = fail(j, "machine: no memory");
    j->kernel = &kernel;
    j->warps_seen = 0;
    j->options = (rf_hint_options){.rthld = 4 + way->registers % 13, .banks = way->registers % 2 ? 16 : 4};
    ok = ok && (!stream || analyse(j));
    if (ok) {
        rf_simt_launch launch = {.param = j->random.param, .instruction_limit = STEP_LIMIT};
        memcpy(launch.grid, j->random.grid, sizeof launch.grid);
        memcpy(launch.block, j->random.block, sizeof launch.block);
        rf_simt_counts counts = {0};
        const int end = rf_simt_run(simt, &kernel, &launch, stream ? sink : NULL, j, &counts, why, sizeof why);
        ok = end == 0;
        if (end < 0) (void)fail(j, "machine: %s", why);
        const uint32_t warps =
            (j->random.block[0] * j->random.block[1] * j->random.block[2] + 31) / 32 * j->random.grid[0] * j->random.grid[1];
        if (ok && stream && j->warps_seen != warps)
            ok = fail(j, "stream: %u warps instead of %u", (unsigned)j->warps_seen, (unsigned)warps);
        ok = ok && compare_memory(j, simt);
        j->counts->runs++;
        j->counts->streams += stream;
    }
    if (!ok) {
        char what[1024];
        (void)snprintf(what, sizeof what, "%s", j->error);
        (void)fail(j, "%u registers, %u predicates%s: %s", (unsigned)way->registers, (unsigned)way->predicates,
                   way->scheduled ? ", scheduled" : "", what);
    }
    forget_analysis(j);
    rf_simt_free(simt);
    rf_kernel_free(&kernel);
    return ok;
}

static bool judge(judged *j, uint64_t seed, const judge_way *ways, uint32_t count) {
    random_ptx_input(seed, j->in);
    j->out_bytes = (size_t)j->random.threads * RANDOM_PTX_OUT_BYTES;
    j->out = calloc(j->out_bytes, 1);
    j->log = calloc(j->random.threads, sizeof *j->log);
    if (!j->out || !j->log) abort();
    slow_ptx_read(&j->slow, j->random.text);
    if (j->slow.error[0] != '\0') return fail(j, "slow model: %s", j->slow.error);
    if (j->slow.insts > 16384) return fail(j, "slow model: too many instructions");
    rf_memory_file file = {.path = "k.ptx", .text = j->random.text, .size = strlen(j->random.text), .piece = 4096};
    rf_memory memory = {&file, 1};
    const rf_source source = rf_memory_source(&memory);
    char why[512] = "";
    if (rf_ptx_read(&source, "k.ptx", &j->module, why, sizeof why) != 0) return fail(j, "front end: %s", why);
    rf_simt *const first = machine(j);
    if (!first) return fail(j, "machine: no memory");
    rf_simt_free(first);
    if (!judge_flow(rf_module_kernel(&j->module, NULL), j->error, j->size) || !run_slow(j)) return false;
    for (uint32_t w = 0; w < count; w++)
        if (!run_way(j, &ways[w])) return false;
    j->counts->kernels++;
    j->counts->features |= j->random.features;
    return true;
}

static bool judge_made(judged *j, uint64_t seed, const judge_way *ways, uint32_t count) {
    const bool ok = judge(j, seed, ways, count);
    for (uint32_t t = 0; j->log && t < j->random.threads; t++) free(j->log[t].step);
    free(j->log);
    free(j->out);
    slow_ptx_free(&j->slow);
    rf_module_free(&j->module);
    return ok;
}

bool judge_seed(uint64_t seed, const judge_way *ways, uint32_t count, judge_counts *counts, const char *path, char *error,
                size_t size) {
    judged j = {.counts = counts, .error = error, .size = size};
    random_ptx_make(&j.random, seed);
    const bool ok = judge_made(&j, seed, ways, count);
    FILE *const file = ok ? NULL : fopen(path, "w");
    if (file) {
        (void)fputs(j.random.text, file);
        (void)fclose(file);
    }
    random_ptx_free(&j.random);
    return ok;
}

bool judge_planted(uint64_t seed, judge_plant *plant, char *error, size_t size) {
    judge_counts counts = {0};
    judged j = {.counts = &counts, .plant = plant, .error = error, .size = size};
    random_ptx_make(&j.random, seed);
    const bool ok = judge_made(&j, seed, &(judge_way){63, 7, 0}, 1);
    random_ptx_free(&j.random);
    return ok;
}
