/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep fuzz. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/base/root.h"
#include "harness/cli/commands.h"
#include "harness/core/config.h"
#include "harness/fuzz/fuzz.h"

#define SECONDS 60u            /* of work, when nothing is said */
#define ROUND_SECONDS 60u      /* then the jobs' entries are put together, and all go on with them; */
#define ROUND_CYCLES 20000000u /* with --cycles after so many */
#define JOBS_MAX 256

/* Of one job in one round; in memory that its process shares. */
typedef struct job {
    ls_result result;
    bool ran;
} job;

typedef struct fuzzing {
    ls_options *o;
    const ls_build_result *build;
    const char *folder; /* for what a failure leaves */
    char *path;         /* of the corpus */
    ls_corpus corpus;   /* what the round begins with */
    job *jobs;          /* of the round */
    int count;
    int *found;    /* their files of entries */
    ls_result sum; /* of all jobs of all rounds */
    uint64_t reached;
} fuzzing;

/* ---- the corpus ---- */

/* Adds the entries of the folder's files. 0, or -1 and a message. */
static int read_folder(const ls_options *o, const char *folder, ls_corpus *to) {
    char error[512];
    if (ls_corpus_folder(to, folder, o->unit, o->cfg, error, sizeof error) == 0) return 0;
    ls_command_complain(NULL, error);
    return -1;
}

/* "ENTRIES=4,PREGS=16.corpus" */
static char *corpus_path(const ls_options *o, const char *folder) {
    void *defaults = ls_config_new(o->unit);
    char *params = ls_config_difference(o->unit, o->cfg, defaults);
    for (char *blank = params; (blank = strchr(blank, ' ')) != NULL;) *blank = ',';
    char *path = ls_format("%s/%s.corpus", folder, params[0] != '\0' ? params : "default");
    free(defaults);
    free(params);
    return path;
}

/* What the round has found, into the corpus and its file. 0, or -1 and a message. */
static int keep(fuzzing *f) {
    char error[512];
    for (int i = 0; i < f->count; i++) ls_fuzz_found(f->found[i], &f->corpus);
    f->reached = ls_corpus_minimise(&f->corpus, f->o->unit, f->o->cfg, &f->o->described.surroundings);
    if (ls_corpus_write(&f->corpus, f->o->unit, f->o->cfg, f->path, error, sizeof error) == 0) return 0;
    ls_command_complain(NULL, error);
    return -1;
}

/* ---- a round ---- */

static ls_request request_of(const fuzzing *f, int number, uint64_t round) {
    char name[48];
    ls_request rq = ls_command_request(f->o, f->build->so_path);
    (void)snprintf(name, sizeof name, "fuzz %" PRIu64 " %d", round, number);
    if (round + (uint64_t)number > 0) rq.seed = ls_seed_derive(f->o->seed, name);
    rq.cycles = 0;
    rq.progress &= number == 0;
    return rq;
}

static ls_fuzz_request fuzz_of(const fuzzing *f, const ls_request *rq) {
    return (ls_fuzz_request){.unit = rq->unit,
                             .cfg = rq->cfg,
                             .surroundings = rq->surroundings,
                             .seed = rq->seed,
                             .start = &f->corpus,
                             .warps = ls_run_warps(rq),
                             .found = -1};
}

static char *case_of(const fuzzing *f, int number) {
    return number == 0 ? ls_format("%s/failure.case", f->folder) : ls_format("%s/failure-%d.case", f->folder, number);
}

static void run_job(fuzzing *f, int number, uint64_t round, uint64_t cycles, double seconds) {
    ls_script script = {0};
    char *path = case_of(f, number);
    ls_request rq = request_of(f, number, round);
    ls_fuzz_request fuzz = fuzz_of(f, &rq);
    fuzz.found = f->found[number];
    ls_fuzz *of = ls_fuzz_new(&fuzz);
    rq.script = &script;
    rq.author = ls_fuzz_author(of);
    rq.case_path = path;
    rq.cycles = cycles;
    rq.seconds = seconds;
    ls_run(&rq, NULL, &f->jobs[number].result);
    f->jobs[number].ran = true;
    ls_fuzz_free(of);
    free(path);
}

static void run_round(fuzzing *f, uint64_t round, uint64_t cycles, double seconds) {
    memset(f->jobs, 0, (size_t)f->count * sizeof *f->jobs);
    pid_t pids[JOBS_MAX];
    (void)fflush(NULL);
    for (int i = 0; i < f->count; i++) {
        if (ftruncate(f->found[i], 0) != 0 || lseek(f->found[i], 0, SEEK_SET) != 0) ls_die("no file for the entries");
        pids[i] = -1;
        if (f->count == 1) {
            run_job(f, i, round, cycles, seconds);
            continue;
        }
        const pid_t self = getpid();
        pids[i] = fork();
        if (pids[i] < 0) ls_die("cannot start a process");
        if (pids[i] > 0) continue;
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != self) _exit(1);
        run_job(f, i, round, cycles, seconds);
        (void)fflush(NULL);
        _exit(0);
    }
    for (int i = 0; i < f->count; i++)
        while (pids[i] > 0 && waitpid(pids[i], NULL, 0) < 0 && errno == EINTR) {
        }
    for (int i = 0; i < f->count; i++) {
        if (!f->jobs[i].ran) ls_die("a job's process died");
    }
}

/* Adds what a job saw to the sum, which is what is reported when nothing was found. */
static void add(ls_result *sum, const ls_result *r, bool first) {
    if (first) {
        *sum = *r;
        return;
    }
    sum->cycles += r->cycles;
    sum->compares += r->compares;
    sum->resets += r->resets;
    sum->warps += r->warps;
    sum->legal += r->legal;
    sum->sampled += r->sampled;
    sum->seconds += r->seconds;
    sum->work += r->work;
    sum->bins_hit |= r->bins_hit;
    for (int i = 0; i < 64; i++) sum->bins[i] += r->bins[i];
}

/* Which job the round is judged by: the one with the gravest result, of several the first. */
static int gravest(const fuzzing *f) {
    static const int grave[] = {
        [LS_PASS] = 0, [LS_VACUOUS] = 1, [LS_USAGE] = 2, [LS_BUILD] = 2, [LS_HANG] = 3, [LS_CRASH] = 4, [LS_MISMATCH] = 5};
    int worst = 0;
    for (int i = 1; i < f->count; i++)
        if (grave[f->jobs[i].result.status] > grave[f->jobs[worst].result.status]) worst = i;
    return worst;
}

/* What was played up to the finding, again, as a corpus: for what leaves no case. */
static char *write_played(const fuzzing *f, const ls_request *rq, const ls_result *r) {
    ls_corpus played = {.fill = r->fill};
    ls_script script = {0};
    char error[512], *path = ls_format("%s/failure.corpus", f->folder);
    const ls_fuzz_request again = fuzz_of(f, rq);
    ls_fuzz *of = ls_fuzz_new(&again);
    const char *property;
    (void)ls_fuzz_alone(of, r->cycles + 1, 0, &script, &property);
    for (size_t i = 0, end; i < script.count; i = end) {
        for (end = i + 1; end < script.count && script.list[end].kind != LS_SPAN_RESET && script.list[end].kind != LS_SPAN_EPOCH;
             end++) {
        }
        ls_corpus_add(&played, &(ls_script){.list = script.list + i, .count = end - i});
    }
    if (ls_corpus_write(&played, rq->unit, rq->cfg, path, error, sizeof error) != 0) ls_command_complain(NULL, error);
    ls_fuzz_free(of);
    ls_corpus_free(&played);
    ls_script_free(&script);
    return path;
}

/* A finding of job `number`, as `run` reports it. */
static int find(fuzzing *f, int number, uint64_t round) {
    ls_result *r = &f->jobs[number].result;
    ls_request rq = request_of(f, number, round);
    char *path = case_of(f, 0), *of_job = case_of(f, number), *again = NULL;
    if (number > 0 && r->case_written && rename(of_job, path) != 0) ls_command_complain(of_job, strerror(errno));
    for (int i = 1; i < f->count; i++) {
        char *other = case_of(f, i);
        (void)unlink(other);
        free(other);
    }
    rq.case_path = path;
    char *played = r->case_written ? ls_copy(path) : write_played(f, &rq, r), *word = ls_shell_word(played),
         *self = ls_shell_word(f->o->argv[0]);
    again = ls_format("%s replay %s", self, word);
    const int status = ls_command_conclude(f->o, &rq, f->build, f->folder, false, again, r);
    free(self);
    free(word);
    free(again);
    free(played);
    free(of_job);
    free(path);
    return status;
}

static void tell_corpus(const fuzzing *f) {
    if (f->o->json || f->o->quiet) return;
    uint64_t cycles = 0;
    for (size_t i = 0; i < f->corpus.count; i++) cycles += ls_script_cycles(&f->corpus.list[i], 0, f->corpus.list[i].count);
    ls_say(stdout, "  %" PRIu64 " features reached; %zu entries of %" PRIu64 " cycles in %s\n", f->reached, f->corpus.count,
           cycles, f->path);
}

static int conclude(fuzzing *f, const ls_request *rq) {
    char *command = ls_options_command(f->o, "fuzz", f->o->seed, f->o->cycles);
    const int status = ls_command_conclude(f->o, rq, f->build, f->folder, false, command, &f->sum);
    free(command);
    tell_corpus(f);
    return status;
}

/* Rounds until work or cycles are used up, or something is found. */
static int fuzz(fuzzing *f) {
    ls_options *o = f->o;
    uint64_t cycles = o->cycles;
    double seconds = o->time != 0 ? o->time : o->cycles != 0 ? 0 : SECONDS;
    const bool timed = seconds > 0;
    const ls_request rq = request_of(f, 0, 0);
    for (uint64_t round = 0;; round++) {
        const uint64_t now = cycles < ROUND_CYCLES ? cycles : ROUND_CYCLES;
        run_round(f, round, now, !timed ? 0 : seconds < ROUND_SECONDS ? seconds : ROUND_SECONDS);
        const int worst = gravest(f);
        double work = 0;
        for (int i = 0; i < f->count; i++) {
            add(&f->sum, &f->jobs[i].result, i == 0 && round == 0);
            if (f->jobs[i].result.work > work) work = f->jobs[i].result.work;
        }
        const ls_result *r = &f->jobs[worst].result;
        if (r->status != LS_PASS && r->status != LS_VACUOUS) return find(f, worst, round);
        if (keep(f) != 0) return 2;
        if (r->status == LS_VACUOUS) {
            f->sum.status = LS_VACUOUS;
            (void)snprintf(f->sum.message, sizeof f->sum.message, "%s", r->message);
            return conclude(f, &rq);
        }
        cycles -= now;
        seconds -= work;
        if ((o->cycles != 0 && cycles == 0) || (timed && seconds < 1)) return conclude(f, &rq);
    }
}

/* Without RTL: the corpus, and properties. */
static int fuzz_model(fuzzing *f) {
    ls_options *o = f->o;
    const char *property = NULL;
    const ls_fuzz_request rq = {.unit = o->unit,
                                .cfg = o->cfg,
                                .surroundings = &o->described.surroundings,
                                .seed = o->seed,
                                .start = &f->corpus,
                                .guided = true,
                                .found = f->found[0]};
    ls_fuzz *of = ls_fuzz_new(&rq);
    const bool holds = ls_fuzz_alone(of, o->cycles, o->time != 0 ? o->time : o->cycles != 0 ? 0 : SECONDS, NULL, &property);
    if (!holds) ls_say(stdout, "mismatch  %s\n  %s\n", o->unit->name, property);
    ls_fuzz_free(of);
    if (!holds) return 1;
    if (keep(f) != 0) return 2;
    tell_corpus(f);
    return 0;
}

int ls_command_fuzz(ls_options *o) {
    fuzzing f = {.o = o, .count = o->jobs > 1 ? o->jobs : 1};
    ls_build_result build = {0};
    const bool model_only = o->side != NULL;
    char *kept = ls_format("%s/tb/corpus/%s", ls_home(), o->unit->name),
         *folder = o->corpus != NULL ? ls_copy(o->corpus) : ls_format("build/fuzz/%s", o->unit->name);
    int status = 2;
    if (f.count > JOBS_MAX) {
        ls_command_complain(NULL, "fuzz --jobs: at most 256");
    } else if (model_only && strcmp(o->side, "model") != 0) {
        ls_command_complain(NULL, "fuzz --side: expected model");
    } else if (read_folder(o, kept, &f.corpus) == 0 && (strcmp(kept, folder) == 0 || read_folder(o, folder, &f.corpus) == 0) &&
               (model_only || ls_command_build(o, 0, &build) == 0)) {
        ls_command_make_folders(folder);
        f.path = corpus_path(o, folder);
        f.build = &build;
        f.folder = ls_command_folder(o);
        f.found = ls_alloc((size_t)f.count, sizeof *f.found);
        f.jobs = mmap(NULL, (size_t)f.count * sizeof *f.jobs, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (f.jobs == MAP_FAILED) ls_die("no memory for %d jobs", f.count);
        for (int i = 0; i < f.count; i++)
            if ((f.found[i] = memfd_create("entries", MFD_CLOEXEC)) < 0) ls_die("no file for the entries");
        ls_command_clear(f.folder, o);
        status = model_only ? fuzz_model(&f) : fuzz(&f);
        (void)rmdir(f.folder); /* stays when something is in it */
        ls_build_free(&build);
    }
    ls_corpus_free(&f.corpus);
    free(f.path);
    free(f.found);
    free(kept);
    free(folder);
    return status;
}
