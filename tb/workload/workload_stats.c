/* SPDX-License-Identifier: Apache-2.0 */
/* build/workload_stats: the list of our kernels; the figures of workload files (rf_stats.h) as JSON, a line a file; and what a
 * kernel would take with operand register files of 1 to 8 entries, and with as many for each strand as it has use for
 * (rf_level_limit.h), in microjoules, as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_workload.h"
#include "harness/base/json.h"
#include "harness/base/xzio.h"
#include "tb/workload/rf_kernels.h"
#include "tb/workload/rf_level_limit.h"
#include "tb/workload/rf_stats.h"

static double share(uint64_t part, uint64_t of) { return of ? (double)part / (double)of : 0.0; }

static int gather(const char *path, rf_stats *stats) {
    char error[RF_WORKLOAD_ERROR_MAX];
    rf_stats_maker *const maker = rf_stats_new();
    rf_workload *const workload = maker ? rf_workload_open(&ls_xzio, path, error, sizeof error) : NULL;
    rf_warp warp = {0};
    rf_workload_at at;
    int more = -1;
    if (workload) {
        while ((more = rf_workload_next(workload, &warp, &at)) == 1) {
            if (rf_stats_warp(maker, &warp, at.new_kernel) == 0) continue;
            more = -2;
            break;
        }
    }
    if (more == -2 || !maker) fprintf(stderr, "%s: no memory\n", path);
    else if (more == -1) fprintf(stderr, "%s\n", workload ? rf_workload_error(workload) : error);
    if (maker) rf_stats_end(maker, stats);
    if (workload) rf_workload_close(workload);
    rf_warp_free(&warp);
    return more == 0 ? 0 : -1;
}

/* Prints the object, and closes it. */
static void print_object(ls_text *json) {
    ls_json_close(json, '{');
    printf("%s\n", json->data);
    free(ls_text_take(json));
}

static int print_stats(const char *path) {
    static const char *const times[4] = {"read_0", "read_1", "read_2", "read_3"};
    const char *const slash = strrchr(path, '/'), *const file = slash ? slash + 1 : path;
    ls_text json = {0};
    rf_stats s;
    if (gather(path, &s) != 0) return -1;
    char *const name = ls_format("%.*s", (int)strcspn(file, "."), file); /* without its endings */
    ls_json_open(&json, NULL, '{');
    ls_json_text(&json, "workload", name);
    ls_json_uint(&json, "launches", s.launches);
    ls_json_uint(&json, "warps", s.warps);
    ls_json_uint(&json, "warp_instructions", s.instructions);
    ls_json_fixed(&json, "active_lanes", share(s.lanes, s.instructions), 4);
    ls_json_fixed(&json, "full_mask", share(s.full_mask, s.instructions), 4);
    ls_json_fixed(&json, "reads", share(s.reads, s.instructions), 4);
    ls_json_fixed(&json, "writes", share(s.writes, s.instructions), 4);
    for (size_t i = 0; i < 4; i++) ls_json_fixed(&json, times[i], share(s.read[i], s.values), 4);
    ls_json_fixed(&json, "once_soon", share(s.once_soon, s.values), 4);
    ls_json_fixed(&json, "near", share(s.near, s.hinted), 4);
    ls_json_fixed(&json, "strand", share(s.instructions, s.strands), 2);
    ls_json_fixed(&json, "outside", share(s.outside, s.reads), 4);
    ls_json_fixed(&json, "crossing", share(s.crossing, s.writes), 4);
    if (s.values_known) ls_json_fixed(&json, "repeated", share(s.repeated, s.instructions), 4);
    print_object(&json);
    free(name);
    return 0;
}

/* What is counted of a kernel, 3 entries for each of 8 active warps unless said [hierarchy 7.8]. */
typedef struct design {
    const char *name;
    uint32_t l0, active;
    bool unflushed;
} design;

enum { FIXED, SPLIT, UNIFIED, NONE, UNFLUSHED, DESIGNS };
static const design designs[DESIGNS] = {[FIXED] = {"fixed", 2, 0, false}, /* at the prices of 3, whatever is allocated */
                                        [SPLIT] = {"split", 2, 8, false},
                                        [UNIFIED] = {"unified", 1, 8, false},
                                        [NONE] = {"none", 0, 8, false},
                                        [UNFLUSHED] = {"unflushed", 2, 8, true}};

static bool watch(void *ctx, const rf_kernel *kernel, const rf_warp *warp) {
    rf_level_limit *const *const limit = ctx;
    bool good = true;
    for (uint32_t d = 0; d < DESIGNS; d++) good &= rf_level_limit_warp(limit[d], kernel, warp) == 0;
    return good;
}

/* Options of `lockstep workload build` that change the code: how many of them were read. */
static int read_options(char **word, int count, rf_kernels_options *options) {
    int n = 0;
    for (; n < count; n++) {
        if (strcmp(word[n], "--large") == 0) options->large = true;
        else if (strcmp(word[n], "--m32") == 0) options->m32 = true;
        else if (strcmp(word[n], "--schedule") == 0) options->schedule = true;
        else if (strcmp(word[n], "--registers") == 0 && n + 1 < count)
            options->registers = (uint32_t)strtoul(word[++n], NULL, 10);
        else break;
    }
    return n;
}

/* 24 entries that strands share: 3 for each of 8 warps, 4 for each of 6. */
static int print_limits(const char *name, rf_level_limit *const *limit) {
    const double three = rf_level_limit_least(limit[FIXED], 3), four = rf_level_limit_least(limit[FIXED], 4);
    if (three < 0 || four < 0) {
        fprintf(stderr, "%s: no memory\n", name);
        return -1;
    }
    ls_text json = {0};
    ls_json_open(&json, NULL, '{');
    ls_json_text(&json, "workload", name);
    for (uint32_t d = 0; d < DESIGNS; d++)
        for (uint32_t n = 1; n <= RF_LEVEL_ENTRIES_MAX; n++) {
            char key[32];
            (void)snprintf(key, sizeof key, "%s_%" PRIu32, designs[d].name, n);
            ls_json_real(&json, key, rf_level_limit_fixed(limit[d], n) * 1e-6, 17);
        }
    ls_json_real(&json, "least_3", three * 1e-6, 17);
    ls_json_real(&json, "least_4", four * 1e-6, 17);
    print_object(&json);
    return 0;
}

static int print_limit(const char *name, char **word, int words) {
    char error[RF_WORKLOAD_ERROR_MAX];
    const rf_kernels_entry *const entry = rf_kernels_find(name);
    rf_level_limit *limit[DESIGNS];
    rf_kernels_options options = {.source = &ls_xzio, .watch = watch, .ctx = limit};
    rf_kernels_result result;
    bool room = true;
    int status = -1;
    for (uint32_t d = 0; d < DESIGNS; d++) {
        rf_level_options levels = rf_level_defaults();
        levels.l0 = designs[d].l0;
        limit[d] = rf_level_limit_new(&levels, designs[d].active, designs[d].unflushed);
        room &= limit[d] != NULL;
    }
    if (!entry || !room) fprintf(stderr, "%s: %s\n", name, entry ? "no memory" : "no such kernel");
    else if (read_options(word, words, &options) != words) fprintf(stderr, "--large, --m32, --schedule, --registers N\n");
    else if (rf_kernels_build(entry, &options, &result, error, sizeof error) != 0) fprintf(stderr, "%s\n", error);
    else status = print_limits(name, limit);
    for (uint32_t d = 0; d < DESIGNS; d++) rf_level_limit_free(limit[d]);
    return status;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        for (size_t i = 0; i < rf_kernels_count; i++)
            printf("%-15s %-15s %s\n", rf_kernels_list[i].name, rf_kernels_list[i].kind, rf_kernels_list[i].what);
        return 0;
    }
    if (argc >= 3 && strcmp(argv[1], "limit") == 0) return print_limit(argv[2], argv + 3, argc - 3) == 0 ? 0 : 1;
    if (argc < 3 || strcmp(argv[1], "stats") != 0) {
        fprintf(stderr, "workload_stats list\nworkload_stats stats FILE...\nworkload_stats limit KERNEL [OPTION]...\n");
        return 2;
    }
    for (int i = 2; i < argc; i++)
        if (print_stats(argv[i]) != 0) return 1;
    return 0;
}
