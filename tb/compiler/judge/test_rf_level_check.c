/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation to the levels of a register file hierarchy, judged by level_check.h: random kernels, any graphs, and our kernels,
 * under all options; every warp of our kernels as executed. Wrong ones made of right ones are found. */
#include "tb/compiler/judge/level_kernel.h"

#include <glob.h>

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

/* One allocation, judged. */
static void judge_levels(level_kernel *l, const rf_liveness *live, const rf_level_options *o, uint64_t *rng, uint32_t walks,
                         const char *what) {
    char name[128];
    (void)snprintf(name, sizeof name, "%s: %u entries, L0 %u, %s%s%s%s%s", what, o->entries, o->l0, o->partial ? " partial" : "",
                   o->keep ? " keep" : "", o->branches ? " branches" : "", o->one_level ? " one_level" : "",
                   o->no_l1_and_mrf ? " no_l1_and_mrf" : "");
    l->c.o = *o;
    rf_level_energies(&l->c.o, 8);
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
            judge_levels(&l, &live, &o, &rng, 8, what);
        }
        rf_liveness_free(&live);
        level_free(&l);
    }
    print_counts("random kernels");
    counts_hold(0.885);
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
        judge_levels(&l, &live, &o, &rng, 8, what);
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
}

/* --- our kernels ------------------------------------------------------------------------------------------------------------ */

/* Every kernel with 63 registers, with 20, which spills, and scheduled, under options in turn. */
static void test_kernels(void **state) {
    (void)state;
    glob_t files;
    uint64_t rng = 15;
    uint32_t turn = 0;
    counted = (struct level_counts){0};
    energy_mrf = energy_levels = 0;
    assert_int_equal(glob("tb/workload/kernels/*.ptx", 0, NULL, &files), 0);
    for (size_t f = 0; f < files.gl_pathc; f++) {
        rf_module module;
        char error[512] = "";
        if (rf_ptx_read(&ls_xzio, files.gl_pathv[f], &module, error, sizeof error) != 0) fail_msg("%s", error);
        for (uint32_t n = 0; n < 3 * module.nkernel; n++) {
            level_kernel l;
            rf_liveness live;
            rf_kernel k;
            char what[80];
            assert_int_equal(rf_kernel_copy(&k, &module.kernel[n / 3]), 0);
            (void)snprintf(what, sizeof what, "%.60s, %s", k.name, n % 3 == 0 ? "63" : n % 3 == 1 ? "20" : "scheduled");
            if (n % 3 == 2) assert_int_equal(rf_schedule(&k, 32, RF_PREDICATES, error, sizeof error), 0);
            if (rf_regalloc(&k, n % 3 == 1 ? 20 : 63, RF_PREDICATES, error, sizeof error) != 0) fail_msg("%s", error);
            level_start(&l, &k);
            assert_int_equal(rf_liveness_compute(&live, &l.k, RF_LIVE_LANE), 0);
            for (uint32_t option = 0; option < LEVEL_OPTIONS; option += n % 3 ? 7 + turn++ % 17 * 4 : 1 + turn++ % 7) {
                const rf_level_options o = options_of(option);
                judge_levels(&l, &live, &o, &rng, option ? 1 : 8, what);
            }
            rf_liveness_free(&live);
            level_free(&l);
        }
        rf_module_free(&module);
    }
    globfree(&files);
    print_counts("kernels");
    counts_hold(0.66);
}

/* --- our kernels as executed ------------------------------------------------------------------------------------------------ */

/* A kernel of the stream's, and one warp of it under the hints of its program and of each instruction. */
typedef struct executed {
    level_kernel l;
    lc_machine machine;
    uint64_t warps, insts;
} executed;

static void executed_start(executed *e, const rf_kernels_entry *entry, const rf_program *program) {
    char path[256], error[512];
    rf_module module;
    rf_kernel k;
    rf_liveness live;
    (void)snprintf(path, sizeof path, "%s/%s.ptx", RF_KERNELS_FOLDER, entry->file);
    if (rf_ptx_read(&ls_xzio, path, &module, error, sizeof error) != 0) fail_msg("%s", error);
    assert_int_equal(rf_kernel_copy(&k, rf_module_kernel(&module, program->kernel)), 0);
    rf_module_free(&module);
    assert_int_equal(rf_regalloc(&k, RF_KERNELS_REGISTERS, RF_PREDICATES, error, sizeof error), 0);
    level_start(&e->l, &k);
    assert_int_equal(rf_liveness_compute(&live, &e->l.k, RF_LIVE_LANE), 0);
    e->l.c.o = rf_level_defaults();
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

static void execute(const rf_kernels_entry *entry, executed *e) {
    rf_memory_bytes bytes = {0};
    const rf_sink sink = rf_memory_sink(&bytes);
    char error[512], last[256] = "";
    rf_kernels_result result;
    rf_stream_writer *const writer = rf_stream_writer_open(&sink, error, sizeof error);
    const rf_kernels_options options = {.source = &ls_xzio, .writer = writer, .hierarchy = "default"};
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
        if (other) executed_start(e, entry, program);
        (void)snprintf(last, sizeof last, "%s", program->kernel);
        executed_warp(e, &warp);
    }
    if (*last) level_free(&e->l);
    rf_stream_close(stream);
    rf_warp_free(&warp);
    free(bytes.bytes);
}

/* Every warp of every kernel, by way of a stream: 3 entries and a split L0. */
static void test_executed(void **state) {
    (void)state;
    executed *const e = calloc(1, sizeof *e);
    for (size_t n = 0; n < rf_kernels_count; n++) execute(&rf_kernels_list[n], e);
    print_message("%llu warps, %llu instructions\n", (unsigned long long)e->warps, (unsigned long long)e->insts);
    assert_true(e->warps > 100 && e->insts > 100000);
    free(e);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_wild),
                                       cmocka_unit_test(test_allocator_faults), cmocka_unit_test(test_kernels),
                                       cmocka_unit_test(test_executed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
