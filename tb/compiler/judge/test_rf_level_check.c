/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation to the levels of a register file hierarchy, judged by level_check.h: random kernels, any graphs, and our kernels,
 * under all options; every warp of our kernels as executed. Wrong ones made of right ones are found. */
#include "tb/compiler/judge/level_kernel.h"

#include <glob.h>
#include <inttypes.h>

#include "cmodel/compiler/rf_schedule.h"
#include "cmodel/workload/rf_ptx.h"
#include "harness/base/xzio.h"
#include "tb/workload/rf_kernels.h"
#include "tb/workload/rf_memory.h"

/* --- the allocator ---------------------------------------------------------------------------------------------------------- */

/* A register that a uop names twice is read once. */
static bool named_before(const lc_case *c, const lc_words *w, uint32_t s) {
    for (uint32_t t = s - s % c->o.slots; t < s; t++)
        if (w->src[t] == w->src[s]) return true;
    return false;
}

/* Energy of one run of every instruction. */
static double energy(lc_case *c) {
    const rf_level_options *const o = &c->o;
    double sum = 0;
    for (uint32_t i = 0; i < c->k->ninst; i++) {
        const lc_words w = lc_words_of(c, i);
        const bool shared = lc_shared(&c->k->inst[i]);
        for (uint32_t n = 0; n < w.nsrc + w.ndst; n++) {
            const bool read = n < w.nsrc;
            if (read && named_before(c, &w, n)) continue;
            const uint8_t place = read ? c->hint[i].src_from[n] : c->hint[i].dst_to[n - w.nsrc];
            const rf_level_energy *const above = lc_is_l0(lc_name(place)) ? &o->l0_energy : &o->l1;
            const bool keep = read && place & RF_FROM_KEEP, upper = read ? place & RF_FROM_UPPER : place & RF_TO_UPPER;
            if (read && upper) sum += shared ? above->read_shared : above->read_private;
            if (read && !upper) sum += shared ? o->mrf.read_shared : o->mrf.read_private;
            if (keep || (!read && upper)) sum += shared ? above->write_shared : above->write_private;
            if (!read && !(place & RF_TO_NOT_MRF)) sum += shared ? o->mrf.write_shared : o->mrf.write_private;
        }
    }
    return sum;
}

/* Allocates, whatever was there before; nothing else may change. */
static void allocate(level_kernel *l, const rf_liveness *live) {
    const size_t bytes = l->k.ninst * sizeof *l->hint;
    rf_hint *const before = malloc(bytes), *const again = malloc(bytes);
    for (uint32_t i = 0; i < l->k.ninst; i++) {
        memset(&l->hint[i], 0xa5, sizeof l->hint[i]);
        l->hint[i].flags = l->strands.flags[i];
    }
    memcpy(before, l->hint, bytes);
    memset(again, 0, bytes);
    assert_int_equal(rf_level_alloc(&l->strands, live, &l->c.o, l->hint), 0);
    assert_int_equal(rf_level_alloc(&l->strands, live, &l->c.o, again), 0);
    for (uint32_t i = 0; i < l->k.ninst; i++) {
        assert_memory_equal(again[i].src_from, l->hint[i].src_from, sizeof again[i].src_from);
        assert_memory_equal(again[i].dst_to, l->hint[i].dst_to, sizeof again[i].dst_to);
        memcpy(before[i].src_from, l->hint[i].src_from, sizeof before[i].src_from);
        memcpy(before[i].dst_to, l->hint[i].dst_to, sizeof before[i].dst_to);
    }
    assert_memory_equal(before, l->hint, bytes);
    free(before);
    free(again);
}

static double energy_mrf, energy_levels; /* of all allocations */

/* For the record at the end. */
static struct totals { uint64_t allocations, planted, harmless, warps, insts; } totals;

/* One allocation at the prices of so many active warps, judged. */
static void judge_levels(level_kernel *l, const rf_liveness *live, const rf_level_options *o, uint32_t active, uint64_t *rng,
                         uint32_t walks, const char *what) {
    char name[160];
    (void)snprintf(name, sizeof name, "%s: %u entries, L0 %u, %u slots, %u active,%s%s%s%s%s", what, o->entries, o->l0, o->slots,
                   active, o->partial ? " partial" : "", o->keep ? " keep" : "", o->branches ? " branches" : "",
                   o->one_level ? " one_level" : "", o->no_l1_and_mrf ? " no_l1_and_mrf" : "");
    l->c.o = *o;
    rf_level_energies(&l->c.o, active);
    for (uint32_t i = 0; i < l->k.ninst; i++) l->hint[i] = (rf_hint){.flags = l->strands.flags[i]};
    const double mrf = energy(&l->c);
    allocate(l, live);
    if (!judged(&l->c)) fail_msg("%s: %s", name, l->c.why);
    const double levels = energy(&l->c);
    if (levels > mrf) fail_msg("%s: energy %.3f, without levels %.3f", name, levels, mrf);
    const lc_waste waste = lc_find_waste(&l->c);
    if (waste.upper || waste.mrf) fail_msg("%s: %u, %u writes for nobody", name, waste.upper, waste.mrf);
    energy_mrf += mrf;
    energy_levels += levels;
    totals.allocations++;
    walk_right(&l->c, rng, walks, 300, name);
}

/* Everything was there, and the energy is at most that share of the main register file's alone. */
static void counts_hold(double most) {
    assert_true(counted.l1 && counted.l0 && counted.not_mrf && counted.keeps && counted.reads_above && counted.several &&
                counted.far && counted.partial);
    print_message("energy of every instruction once: %.3f of that without levels\n", energy_levels / energy_mrf);
    assert_true(energy_levels <= most * energy_mrf);
}

static void test_random(void **state) {
    (void)state;
    uint64_t rng = 9;
    counted = (struct level_counts){0};
    energy_mrf = energy_levels = 0;
    for (uint64_t seed = 1; seed <= 120; seed++) {
        level_kernel l;
        rf_liveness live;
        char what[32];
        (void)snprintf(what, sizeof what, "seed %u", (unsigned)seed);
        random_level(&l, 2000 + seed);
        if (!lc_strands_whole(&l.c)) fail_msg("%s: %s", what, l.c.why);
        assert_int_equal(rf_liveness_compute(&live, &l.k, RF_LIVE_LANE), 0);
        for (uint32_t n = 0; n < 12; n++) {
            rf_level_options o = options_of(n ? (uint32_t)(seed * 12 + n) * 7 % LEVEL_OPTIONS : 0);
            if (n == 5) o.slots = 1 + (uint32_t)(seed % 8);
            judge_levels(&l, &live, &o, 8, &rng, 8, what);
        }
        rf_liveness_free(&live);
        level_free(&l);
    }
    print_counts("random kernels");
    counts_hold(0.87);
}

static void test_wild(void **state) {
    (void)state;
    uint64_t rng = 11;
    counted = (struct level_counts){0};
    energy_mrf = energy_levels = 0;
    for (uint32_t round = 0; round < 1500; round++) {
        level_kernel l;
        rf_liveness live;
        char what[32];
        (void)snprintf(what, sizeof what, "round %u", round);
        wild_level(&l, &rng);
        if (!lc_strands_whole(&l.c)) fail_msg("%s: %s", what, l.c.why);
        assert_int_equal(rf_liveness_compute(&live, &l.k, RF_LIVE_LANE), 0);
        const rf_level_options o = options_of(hand_below(&rng, 4) ? hand_below(&rng, LEVEL_OPTIONS) : 0);
        judge_levels(&l, &live, &o, 8, &rng, 8, what);
        rf_liveness_free(&live);
        level_free(&l);
    }
    print_counts("wild kernels");
    counts_hold(0.895);
}

/* Wrong ones made of the allocator's. */
static void test_allocator_faults(void **state) {
    (void)state;
    uint64_t rng = 13;
    memset(faults, 0, sizeof faults);
    for (uint64_t seed = 1; seed <= 30; seed++) {
        level_kernel l;
        rf_liveness live;
        char what[32];
        (void)snprintf(what, sizeof what, "seed %u", (unsigned)seed);
        random_level(&l, 3000 + seed);
        assert_int_equal(rf_liveness_compute(&live, &l.k, RF_LIVE_LANE), 0);
        l.c.o = options_of((uint32_t)(seed % 3));
        rf_level_energies(&l.c.o, 8);
        allocate(&l, &live);
        assert_true(judged(&l.c));
        for (uint32_t n = 0; n < 4; n++) plant_all(&l, &rng, 60, what);
        rf_liveness_free(&live);
        level_free(&l);
    }
    print_faults();
    for (uint32_t kind = 0; kind < FAULTS; kind++) {
        totals.planted += faults[kind].planted;
        totals.harmless += faults[kind].harmless;
    }
}

/* --- our kernels ------------------------------------------------------------------------------------------------------------ */

/* How our kernels are compiled, and under how many options each is judged. */
typedef struct level_way {
    const char *what, *files;
    uint32_t registers;
    bool schedule;
    uint32_t options;
} level_way;

static const level_way ways[] = {{"63", "tb/workload/kernels/*.ptx", 63, false, 40},
                                 {"20, which spills", "tb/workload/kernels/*.ptx", 20, false, 8},
                                 {"scheduled", "tb/workload/kernels/*.ptx", 63, true, 8},
                                 {"32-bit addresses, 32", "tb/workload/kernels/m32/*.ptx", 32, false, 16},
                                 {"32-bit addresses, 32, scheduled", "tb/workload/kernels/m32/*.ptx", 32, true, 24}};

static uint32_t judged_with[LEVEL_OPTIONS]; /* kernels with 32-bit addresses, by options */

/* One kernel, compiled in that way, under the next options of all; in one of four for other slots, at the prices of 1 to 32
 * active warps. */
static void judge_kernel(const rf_kernel *kernel, const level_way *way, uint64_t *rng, uint32_t *turn) {
    level_kernel l;
    rf_liveness live;
    rf_kernel k;
    char what[112], error[512] = "";
    assert_int_equal(rf_kernel_copy(&k, kernel), 0);
    (void)snprintf(what, sizeof what, "%.60s, %s", k.name, way->what);
    if (way->schedule) assert_int_equal(rf_schedule(&k, 32, RF_PREDICATES, error, sizeof error), 0);
    if (rf_regalloc(&k, way->registers, RF_PREDICATES, error, sizeof error) != 0) fail_msg("%s", error);
    level_start(&l, &k);
    if (!lc_strands_whole(&l.c)) fail_msg("%s: %s", what, l.c.why);
    assert_int_equal(rf_liveness_compute(&live, &l.k, RF_LIVE_LANE), 0);
    rf_level_options o = options_of(0);
    judge_levels(&l, &live, &o, 8, rng, 8, what);
    for (uint32_t n = 0; n < way->options; n++, ++*turn) {
        const uint32_t option = *turn * 31 % LEVEL_OPTIONS; /* 31 and their number have no common factor: all in turn */
        o = options_of(option);
        if (hand_below(rng, 4) == 0) o.slots = 1 + hand_below(rng, 8);
        judge_levels(&l, &live, &o, 1 + hand_below(rng, 32), rng, 1, what);
        judged_with[option] += way->registers == 32;
    }
    rf_liveness_free(&live);
    level_free(&l);
}

static void judge_files(const level_way *way, uint64_t *rng, uint32_t *turn) {
    glob_t files;
    assert_int_equal(glob(way->files, 0, NULL, &files), 0);
    for (size_t f = 0; f < files.gl_pathc; f++) {
        rf_module module;
        char error[512] = "";
        if (rf_ptx_read(&ls_xzio, files.gl_pathv[f], &module, error, sizeof error) != 0) fail_msg("%s", error);
        for (uint32_t n = 0; n < module.nkernel; n++) judge_kernel(&module.kernel[n], way, rng, turn);
        rf_module_free(&module);
    }
    globfree(&files);
}

/* Every kernel in every way, under options in turn; those with 32-bit addresses under all of them. */
static void test_kernels(void **state) {
    (void)state;
    uint64_t rng = 15;
    uint32_t turn = 0;
    counted = (struct level_counts){0};
    energy_mrf = energy_levels = 0;
    memset(judged_with, 0, sizeof judged_with);
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) judge_files(&ways[w], &rng, &turn);
    for (uint32_t option = 0; option < LEVEL_OPTIONS; option++) assert_true(judged_with[option] > 0);
    print_counts("kernels");
    counts_hold(0.73);
}

/* --- our kernels as executed ------------------------------------------------------------------------------------------------ */

/* A workload's kernels, allocated, and one warp of one of them under the hints of its program and of each instruction. */
typedef struct executed {
    rf_kernel compiled[8];
    uint32_t count;
    level_kernel l;
    lc_machine machine;
    uint64_t warps, insts;
} executed;

static const rf_kernel *compiled(const executed *e, const char *name) {
    for (uint32_t k = 0; k < e->count; k++)
        if (strcmp(e->compiled[k].name, name) == 0) return &e->compiled[k];
    return NULL;
}

static bool note_kernel(void *ctx, const rf_kernel *kernel, const rf_warp *warp) {
    executed *const e = ctx;
    (void)warp;
    if (compiled(e, kernel->name)) return true;
    assert_true(e->count < sizeof e->compiled / sizeof *e->compiled);
    return rf_kernel_copy(&e->compiled[e->count++], kernel) == 0;
}

static void executed_start(executed *e, const rf_program *program, const char *hierarchy) {
    char error[256];
    rf_kernel k;
    rf_liveness live;
    assert_non_null(compiled(e, program->kernel));
    assert_int_equal(rf_kernel_copy(&k, compiled(e, program->kernel)), 0);
    level_start(&e->l, &k);
    assert_int_equal(rf_liveness_compute(&live, &e->l.k, RF_LIVE_LANE), 0);
    e->l.c.o = rf_level_defaults();
    assert_int_equal(rf_level_parse(&e->l.c.o, hierarchy, error, sizeof error), 0);
    allocate(&e->l, &live);
    rf_liveness_free(&live);
    assert_int_equal(k.ninst, program->ninst);
    for (uint32_t i = 0; i < k.ninst; i++) {
        const rf_hint *const hint = &program->inst[i].hint;
        assert_int_equal(hint->flags & RF_HINT_STRAND_END, e->l.hint[i].flags & RF_HINT_STRAND_END);
        assert_memory_equal(hint->src_from, e->l.hint[i].src_from, sizeof hint->src_from);
        assert_memory_equal(hint->dst_to, e->l.hint[i].dst_to, sizeof hint->dst_to);
    }
}

static void executed_warp(executed *e, const rf_warp *warp) {
    lc_machine *const m = &e->machine;
    lc_machine_start(m, &e->l.c, NULL);
    for (size_t i = 0; i < warp->count; i++) {
        const rf_inst *const inst = &warp->inst[i];
        const rf_hint *const hint = &e->l.hint[inst->index];
        lc_machine_step(m, inst->index, inst->mask);
        assert_memory_equal(inst->hint.src_from, hint->src_from, sizeof hint->src_from);
        assert_memory_equal(inst->hint.dst_to, hint->dst_to, sizeof hint->dst_to);
    }
    if (m->wrong) fail_msg("%s: %s", e->l.k.name, e->l.c.why);
    e->insts += warp->count;
    e->warps++;
}

static void execute(const rf_kernels_entry *entry, bool m32, const char *hierarchy, executed *e) {
    rf_memory_bytes bytes = {0};
    const rf_sink sink = rf_memory_sink(&bytes);
    char error[512], last[256] = "";
    rf_kernels_result result;
    rf_stream_writer *const writer = rf_stream_writer_open(&sink, error, sizeof error);
    const rf_kernels_options options = {.source = &ls_xzio,
                                        .writer = writer,
                                        .hierarchy = hierarchy,
                                        .m32 = m32,
                                        .schedule = m32,
                                        .registers = m32 ? 32 : 0,
                                        .watch = note_kernel,
                                        .ctx = e};
    e->count = 0;
    if (rf_kernels_build(entry, &options, &result, error, sizeof error) != 0) fail_msg("%s", error);
    if (rf_stream_writer_close(writer, error, sizeof error) != 0) fail_msg("%s", error);

    const rf_memory_file file = {.path = "stream", .text = bytes.bytes, .size = bytes.size, .piece = 1 << 16};
    rf_memory memory = {.file = &file, .count = 1};
    const rf_source source = rf_memory_source(&memory);
    rf_stream *const stream = rf_stream_open(&source, "stream", error, sizeof error);
    const rf_program *program;
    rf_warp warp = {0};
    while (rf_stream_next(stream, &warp, &program) > 0) {
        const bool other = strcmp(last, program->kernel) != 0;
        if (other && *last) level_free(&e->l);
        if (other) executed_start(e, program, hierarchy);
        (void)snprintf(last, sizeof last, "%s", program->kernel);
        executed_warp(e, &warp);
    }
    if (*last) level_free(&e->l);
    for (uint32_t k = 0; k < e->count; k++) rf_kernel_free(&e->compiled[k]);
    rf_stream_close(stream);
    rf_warp_free(&warp);
    free(bytes.bytes);
}

/* Every warp of every kernel, by way of a stream: 3 entries and a split L0; with 32-bit addresses, scheduled to 32 registers,
 * other numbers of entries and L0s in turn. */
static void test_executed(void **state) {
    (void)state;
    static const char *const turns[] = {
        "default",         "entries=1,l0=none",        "entries=8,l0=unified", "one_level=1",
        "no_l1_and_mrf=1", "l0=none,keep=0,partial=0", "entries=5,branches=0", "entries=2,l0=none"};
    executed *const e = calloc(1, sizeof *e);
    for (size_t n = 0; n < rf_kernels_count; n++) {
        execute(&rf_kernels_list[n], false, "default", e);
        execute(&rf_kernels_list[n], true, turns[n % (sizeof turns / sizeof *turns)], e);
    }
    print_message("%llu warps, %llu instructions\n", (unsigned long long)e->warps, (unsigned long long)e->insts);
    assert_true(e->warps > 200 && e->insts > 200000);
    totals.warps = e->warps;
    totals.insts = e->insts;
    free(e);
}

/* test_rf_level_check [PATTERN]: all tests, or those of that name. Ends with a record. */
int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_wild),
                                       cmocka_unit_test(test_allocator_faults), cmocka_unit_test(test_kernels),
                                       cmocka_unit_test(test_executed)};
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    print_message("{\"judge\":\"test_rf_level_check\",\"status\":\"%s\",\"allocations\":%" PRIu64 ",\"planted\":%" PRIu64
                  ",\"harmless\":%" PRIu64 ",\"warps\":%" PRIu64 ",\"warp_instructions\":%" PRIu64 "}\n",
                  failed ? "fail" : "pass", totals.allocations, totals.planted, totals.harmless, totals.warps, totals.insts);
    return failed;
}
