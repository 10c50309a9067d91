/* SPDX-License-Identifier: Apache-2.0 */
/* build/workload_stats: the list of our kernels, and the figures of workload files (rf_stats.h) as JSON, a line a file. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_workload.h"
#include "harness/base/xzio.h"
#include "tb/workload/rf_kernels.h"
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

/* The file's name without its folder and endings. */
static void print_name(const char *path) {
    const char *const slash = strrchr(path, '/'), *const name = slash ? slash + 1 : path;
    printf("%.*s", (int)strcspn(name, "."), name);
}

static int print_stats(const char *path) {
    rf_stats s;
    if (gather(path, &s) != 0) return -1;
    printf("{\"workload\":\"");
    print_name(path);
    printf("\",\"launches\":%" PRIu64 ",\"warps\":%" PRIu64 ",\"warp_instructions\":%" PRIu64
           ",\"active_lanes\":%.4f,\"full_mask\":%.4f",
           s.launches, s.warps, s.instructions, share(s.lanes, s.instructions), share(s.full_mask, s.instructions));
    printf(",\"reads\":%.4f,\"writes\":%.4f", share(s.reads, s.instructions), share(s.writes, s.instructions));
    for (int i = 0; i < 4; i++) printf(",\"read_%d\":%.4f", i, share(s.read[i], s.values));
    printf(",\"once_soon\":%.4f,\"near\":%.4f,\"strand\":%.2f", share(s.once_soon, s.values), share(s.near, s.hinted),
           share(s.instructions, s.strands));
    printf(",\"outside\":%.4f,\"crossing\":%.4f", share(s.outside, s.reads), share(s.crossing, s.writes));
    if (s.values_known) printf(",\"repeated\":%.4f", share(s.repeated, s.instructions));
    printf("}\n");
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        for (size_t i = 0; i < rf_kernels_count; i++)
            printf("%-15s %-15s %s\n", rf_kernels_list[i].name, rf_kernels_list[i].kind, rf_kernels_list[i].what);
        return 0;
    }
    if (argc < 3 || strcmp(argv[1], "stats") != 0) {
        fprintf(stderr, "workload_stats list\nworkload_stats stats FILE...\n");
        return 2;
    }
    for (int i = 2; i < argc; i++)
        if (print_stats(argv[i]) != 0) return 1;
    return 0;
}
