/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep workload list and speed: the kernels that can be executed, and how fast. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/nearest.h"
#include "harness/cli/commands.h"
#include "harness/base/progress.h"
#include "harness/core/workload.h"

#define TIMES 5u /* a kernel is executed so often, the fastest counts */

/* Prints the object, and closes it. */
static void print_object(ls_text *json) {
    ls_json_close(json, '{');
    (void)printf("%s\n", json->data);
    free(ls_text_take(json));
}

const char *ls_kernel_near(const char *word) {
    ls_nearest near = {.word = word};
    ls_kernel_info k;
    for (size_t i = 0; ls_workload_kernels.entry(i, &k); i++) ls_nearest_try(&near, k.name);
    return near.name;
}

int ls_kernels_list(const ls_options *o) {
    ls_kernel_info k;
    for (size_t i = 0; ls_workload_kernels.entry(i, &k); i++) {
        ls_text json = {0};
        if (!o->json) {
            (void)printf("%-16s %-14s %s\n", k.name, k.kind, k.what);
            continue;
        }
        ls_json_open(&json, NULL, '{');
        ls_json_text(&json, "kernel", k.name);
        ls_json_text(&json, "kind", k.kind);
        ls_json_text(&json, "what", k.what);
        print_object(&json);
    }
    return 0;
}

static int measure_kernel(const ls_options *o, const char *name, ls_kernel_result *best) {
    const ls_kernel_request request = {.name = name, .registers = o->registers, .large = true};
    for (uint32_t t = 0; t < TIMES; t++) {
        ls_kernel_result r;
        char error[512];
        ls_progress_begin("%s", name);
        const int failed = ls_workload_kernels.make(&request, NULL, &r, error, sizeof error);
        ls_progress_end();
        if (failed != 0) {
            ls_say(stderr, "lockstep: %s\n", error);
            return 2;
        }
        if (t == 0 || r.seconds < best->seconds) *best = r;
    }
    return 0;
}

static void print_kernel(const ls_options *o, const char *name, const ls_kernel_result *r) {
    const double rate = (double)r->lane_instructions / r->seconds * 1e-6;
    if (o->json) {
        ls_text json = {0};
        ls_json_open(&json, NULL, '{');
        ls_json_text(&json, "kernel", name);
        ls_json_uint(&json, "warp_instructions", r->warp_instructions);
        ls_json_uint(&json, "lane_instructions", r->lane_instructions);
        ls_json_fixed(&json, "mlips", rate, 1);
        print_object(&json);
    } else {
        (void)printf("%-16s %18" PRIu64 " %18" PRIu64 " %12.1f\n", name, r->warp_instructions, r->lane_instructions, rate);
    }
    (void)fflush(stdout);
}

int ls_kernels_speed(const ls_options *o) {
    ls_kernel_result all = {0};
    ls_kernel_info k;
    bool found = o->file == NULL;
    for (size_t i = 0; ls_workload_kernels.entry(i, &k); i++) found |= o->file != NULL && strcmp(o->file, k.name) == 0;
    if (!found) {
        const char *near = ls_kernel_near(o->file);
        if (near != NULL) ls_say(stderr, "lockstep: no kernel %s: did you mean %s?\n", o->file, near);
        else ls_say(stderr, "lockstep: no kernel %s: `lockstep workload list`\n", o->file);
        return 2;
    }
    if (!o->json) (void)printf("%-16s %18s %18s %12s\n", "kernel", "warp instructions", "lane instructions", "M lanes/s");
    for (size_t i = 0; ls_workload_kernels.entry(i, &k); i++) {
        ls_kernel_result r;
        if (o->file != NULL && strcmp(o->file, k.name) != 0) continue;
        if (measure_kernel(o, k.name, &r) != 0) return 2;
        print_kernel(o, k.name, &r);
        all.warp_instructions += r.warp_instructions;
        all.lane_instructions += r.lane_instructions;
        all.seconds += r.seconds;
    }
    if (o->file == NULL) print_kernel(o, "all", &all);
    return 0;
}
