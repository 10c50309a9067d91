/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep speed: what lockstep costs over the RTL alone, its overhead, and how much faster the model is, as ratios.
 *
 * The stimulus is recorded first, so that all three walk through the same inputs: the RTL alone, the pair as `run` walks it
 * (model, every compare, bins of one cycle in LS_SAMPLE_EVERY), the model alone. They alternate in short rounds, so that a noisy
 * machine disturbs all alike; each round starts with a reset. Where the stack begins in a cache line is chance (it depends on the
 * environment) and moves a large DUT by 5 %: each of the four places gets a fourth of the rounds. */
#include <alloca.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/process.h"
#include "harness/base/progress.h"
#include "harness/cli/commands.h"
#include "harness/core/case.h"
#include "harness/core/config.h"
#include "harness/core/pair.h"
#include "harness/core/report.h"
#include "harness/core/run_output.h"
#include "harness/core/source.h"

#define ROUNDS 7            /* odd: the median is one of them */
#define STACKS 4            /* places of the stack in a cache line: all that the ABI allows, 16 bytes apart */
#define ROUND_SECONDS 0.02  /* of the RTL alone */
#define RECORD_CYCLES 4000u /* an epoch's, at most; fewer when ... */
#define RECORD_BYTES                                                                                                             \
    1500000u /* ... all recorded inputs would not stay in a second-level cache: reading them is nobody's work                    \
              */
#define RECORD_CYCLES_MIN 100u
#define EPOCHS 4u /* each with its own mix of knobs */

typedef struct speed_result {
    double rtl, lockstep, model; /* median cycles per second */
    double overhead, speedup;    /* medians of the rounds' ratios */
} speed_result;

#define FOUND 1 /* exit status of a finding: the DUT ended itself, or the two differ */

static void on_stop(ls_dut_stop what, const char *text) {
    ls_say(stderr, "lockstep: the DUT ended itself (%d): %s\n", (int)what, text);
    _exit(FOUND);
}

/* One epoch of stimulus, played on the model: a reset, then up to RECORD_CYCLES cycles. */
static void record(ls_pair *pair, uint64_t seed, uint32_t epoch, ls_case *c) {
    ls_source source;
    char error[256], name[32];
    (void)snprintf(name, sizeof name, "bench %u", epoch); /* of the seed: another name would be other stimulus */
    if (ls_source_open(&source, pair->unit, pair->model, ls_seed_derive(seed, name), NULL, error, sizeof error) != 0)
        ls_die("%s", error);
    const size_t fit = RECORD_BYTES / EPOCHS / pair->unit->in_size;
    const size_t cycles = fit > RECORD_CYCLES ? RECORD_CYCLES : fit < RECORD_CYCLES_MIN ? RECORD_CYCLES_MIN : fit;
    for (size_t i = 0; i < cycles; i++) {
        if (ls_source_step(&source, pair->model, pair->in) == LS_NEXT_RESET) {
            if (i >= LS_RESET_CYCLES) break;
            pair->unit->reset(pair->model);
            memset(pair->in, 0, pair->unit->in_size);
            (void)ls_case_add(c, true, 0, pair->in);
            continue;
        }
        (void)ls_case_add(c, false, 0, pair->in);
        pair->unit->comb(pair->model, pair->in, pair->out);
        ls_source_observe(&source, pair->in, pair->out);
        pair->unit->clock(pair->model, pair->in);
    }
    ls_source_close(&source);
}

static bool play_rtl(ls_pair *pair, const ls_case *c) {
    for (size_t i = 0; i < c->count; i++) {
        if (c->reset[i] != 0) (void)ls_pair_reset(pair);
        else ls_pair_dut_only(pair, ls_case_in(c, i));
    }
    return true;
}

/* The model's side alone; with `memories` resets leave them, as ever. */
static bool play_model(ls_pair *pair, const ls_case *c) {
    const ls_unit *u = pair->unit;
    for (size_t i = 0; i < c->count; i++) {
        const void *in = ls_case_in(c, i);
        if (c->reset[i] != 0) {
            u->reset(pair->model);
        } else if (u->step != NULL) {
            u->step(pair->model, in, pair->out);
        } else {
            u->comb(pair->model, in, pair->out);
            u->clock(pair->model, in);
        }
    }
    return true;
}

static uint64_t bins_hit; /* in all epochs: a short one of a large system has few sampled cycles */

/* False when the two differ. */
static bool play_pair(ls_pair *pair, const ls_case *c) {
    void *own = pair->in;
    uint64_t bins = 0, hits;
    for (size_t i = 0; i < c->count; i++) {
        ls_where where;
        if (c->reset[i] != 0) {
            where = ls_pair_reset(pair);
        } else {
            pair->in = (void *)(uintptr_t)ls_case_in(c, i);
            where = ls_pair_cycle(pair, i % LS_SAMPLE_EVERY == 0 ? &hits : NULL);
            if (i % LS_SAMPLE_EVERY == 0) bins |= hits;
            pair->in = own;
        }
        if (where != LS_EQUAL) return false;
    }
    bins_hit |= bins;
    return true;
}

/* Seconds of one time; negative when the pair differs. All that it calls lies `stack` steps of 16 bytes further down. */
__attribute__((noinline)) static double timed(bool (*play)(ls_pair *, const ls_case *), ls_pair *pair, const ls_case *c,
                                              size_t epochs, uint32_t times, size_t stack) {
    volatile uint8_t *const room = (volatile uint8_t *)alloca(16 + 16 * stack);
    *room = 0;
    const double start = ls_seconds();
    for (uint32_t t = 0; t < times; t++)
        for (size_t e = 0; e < epochs; e++)
            if (!play(pair, &c[e])) return -1;
    return (ls_seconds() - start) / times;
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of the medians over each place of the stack. */
static double mean(double (*list)[ROUNDS]) {
    double sum = 0;
    for (int s = 0; s < STACKS; s++) {
        qsort(list[s], ROUNDS, sizeof **list, by_value);
        sum += list[s][ROUNDS / 2];
    }
    return sum / STACKS;
}

static speed_result measure(const ls_options *o, const char *so_path) {
    const ls_unit *const unit = o->unit;
    const void *const cfg = o->cfg;
    char error[512];
    ls_pair pair, alone;
    ls_case c[EPOCHS];
    const ls_dut_api *api = ls_dut_load(so_path, error, sizeof error);
    /* Each walks an instance of its own: memories follow the inputs, so the pair stays equal from round to round. */
    if (api == NULL || ls_pair_open(&pair, unit, cfg, api, o->seed, on_stop, o->ports_only, NULL, error, sizeof error) != 0 ||
        ls_pair_open(&alone, unit, cfg, api, o->seed, on_stop, o->ports_only, NULL, error, sizeof error) != 0)
        ls_die("%s", error);
    size_t cycles = 0;
    for (uint32_t e = 0; e < EPOCHS; e++) {
        ls_case_init(&c[e], unit, cfg, 0, "");
        record(&alone, o->seed, e, &c[e]);
        cycles += c[e].count;
    }
    const double once = timed(play_rtl, &alone, c, EPOCHS, 1, 0);
    const uint32_t times = once < ROUND_SECONDS ? (uint32_t)(ROUND_SECONDS / once) + 1 : 1;
    double rtl[STACKS][ROUNDS], lockstep[STACKS][ROUNDS], model[STACKS][ROUNDS], overhead[STACKS][ROUNDS],
        speedup[STACKS][ROUNDS];
    bins_hit = 0;
    for (size_t k = 0; k < STACKS * ROUNDS; k++) {
        const size_t s = k % STACKS, i = k / STACKS;
        rtl[s][i] = timed(play_rtl, &alone, c, EPOCHS, times, s);
        lockstep[s][i] = timed(play_pair, &pair, c, EPOCHS, times, s);
        if (lockstep[s][i] < 0) {
            ls_say(stderr, "lockstep: %s: RTL and model differ; see where: %s\n", unit->name,
                   ls_options_command(o, "run", o->seed, 0));
            exit(FOUND);
        }
        model[s][i] = timed(play_model, &alone, c, EPOCHS, times, s);
        overhead[s][i] = lockstep[s][i] / rtl[s][i];
        speedup[s][i] = rtl[s][i] / model[s][i];
    }
    if (bins_hit == 0) ls_die("%s: no bin was hit", unit->name);
    const speed_result result = {.rtl = (double)cycles / mean(rtl),
                                 .lockstep = (double)cycles / mean(lockstep),
                                 .model = (double)cycles / mean(model),
                                 .overhead = mean(overhead),
                                 .speedup = mean(speedup)};
    for (uint32_t e = 0; e < EPOCHS; e++) ls_case_free(&c[e]);
    ls_pair_close(&pair);
    ls_pair_close(&alone);
    return result;
}

/* Measures in a process of its own, so that the DUT neither ends ours nor prints into our results. 0, or the exit code. */
static int measure_apart(const ls_options *o, const char *so_path, speed_result *result) {
    struct {
        speed_result result;
        bool done;
    } *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ls_run_output output;
    if (shared == MAP_FAILED || ls_run_output_open(&output) != 0) ls_die("no memory or pipe for the DUT's process");
    (void)fflush(NULL);
    const pid_t self = getpid(), pid = fork();
    if (pid < 0) ls_die("cannot start the DUT's process");
    if (pid == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != self) _exit(2);
        ls_run_output_child(&output);
        shared->result = measure(o, so_path);
        shared->done = true;
        exit(0);
    }
    ls_run_output_parent(&output);
    struct pollfd fd = {.fd = output.from, .events = POLLIN};
    ls_progress_begin("%s: measuring", o->unit->name);
    while (poll(&fd, 1, -1) < 0 || ls_run_output_pass(&output)) continue;
    ls_progress_end();
    int status = 0;
    (void)waitpid(pid, &status, 0);
    ls_run_output_close(&output);
    const bool done = shared->done;
    *result = shared->result;
    (void)munmap(shared, sizeof *shared);
    if (WIFSIGNALED(status))
        ls_say(stderr, "lockstep: %s: the DUT's process was killed by signal %d (%s)\n", o->unit->name, WTERMSIG(status),
               strsignal(WTERMSIG(status)));
    else if (done || WEXITSTATUS(status) == FOUND || WEXITSTATUS(status) == 2) return done ? 0 : WEXITSTATUS(status);
    else ls_say(stderr, "lockstep: %s: the DUT's process ended with exit status %d\n", o->unit->name, WEXITSTATUS(status));
    return WIFSIGNALED(status) && ls_from_outside(WTERMSIG(status)) ? 2 : FOUND; /* from outside */
}

static int measure_unit(ls_options *o, const ls_unit *unit, const char *set) {
    char error[512];
    ls_options one = *o;
    one.unit = unit;
    one.cfg = ls_config_new(unit);
    if (o->unit != NULL) memcpy(one.cfg, o->cfg, unit->cfg_size);
    if (ls_config_set_all(unit, one.cfg, set, error, sizeof error) != 0) ls_die("%s", error);
    ls_build_result build;
    if (ls_command_build(&one, 0, &build) != 0) return 2;
    speed_result r;
    const int status = measure_apart(&one, build.so_path, &r);
    if (status != 0) {
        free(one.cfg);
        ls_build_free(&build);
        return status;
    }
    char *params = ls_config_text(unit, one.cfg);
    const double build_s = build.cached ? 0 : build.seconds - build.runtime_seconds;
    if (o->json) {
        ls_text t = {0};
        ls_json_open(&t, NULL, '{');
        ls_json_text(&t, "unit", unit->name);
        ls_json_text(&t, "params", params);
        ls_json_fixed(&t, "rtl_mcps", r.rtl * 1e-6, 4);
        ls_json_fixed(&t, "lockstep_mcps", r.lockstep * 1e-6, 4);
        ls_json_fixed(&t, "model_mcps", r.model * 1e-6, 4);
        ls_json_fixed(&t, "overhead", r.overhead, 3);
        ls_json_fixed(&t, "tax", r.overhead, 3); /* its name before, for one version */
        ls_json_fixed(&t, "model_speedup", r.speedup, 2);
        ls_json_fixed(&t, "build_s", build.cached ? (double)NAN : build_s, 3);
        ls_json_close(&t, '{');
        (void)printf("%s\n", t.data);
        free(t.data);
    } else {
        ls_say(stdout, "%-16s %-40s %9.3f %9.3f %9.3f %8.2f %9.1f", unit->name, params, r.rtl * 1e-6, r.lockstep * 1e-6,
               r.model * 1e-6, r.overhead, r.speedup);
        if (build.cached) (void)printf("   cached\n");
        else (void)printf(" %8.2f\n", build_s);
    }
    (void)fflush(stdout);
    free(params);
    free(one.cfg);
    ls_build_free(&build);
    return 0;
}

int ls_command_speed(ls_options *o) {
    if (!o->json)
        ls_say(stdout, "%-16s %-40s %9s %9s %9s %8s %9s %8s\n%-57s%9s %9s %9s %8s %9s %8s\n", "unit", "parameters", "RTL",
               "lockstep", "model", "overhead", "model is", "build", "", "Mcycle/s", "Mcycle/s", "Mcycle/s", "", "x faster", "s");
    int status = 0;
    for (const ls_unit *const *u = o->unit != NULL ? ls_units : ls_own_units; *u != NULL; u++) {
        if (o->unit != NULL && o->unit != *u) continue;
        for (size_t i = 0; (*u)->sets[i] != NULL && status == 0 && (i == 0 || o->all_sets); i++)
            status = measure_unit(o, *u, (*u)->sets[i]);
    }
    return status;
}
