/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/regress/regress_plan.c: what a plan selects and in which order, that seeds follow from names alone, what each
 * wrong row is told, and that jobs.tsv is read as it was written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/core/config.h"
#include "harness/base/rng.h"
#include "harness/base/memory.h"
#include "harness/regress/regress_plan.h"
#include "tb/harness/text_file.h"

static char folder[64]; /* of one test */

static int make_folder(void **state) {
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/regress-plan-XXXXXX");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    ls_remove_tree(folder);
    return 0;
}

/* Writes a file below the test's folder, with the folders above it; its path, to be freed. */
static char *write_file(const char *name, const char *text) {
    char *path = ls_format("%s/%s", folder, name);
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        (void)mkdir(path, 0777);
        *slash = '/';
    }
    text_file(path, text);
    return path;
}

/* Reads the rows as a plan; `traces`: below the test's folder, or NULL. */
static int read_plan(const char *rows, const char *traces, uint64_t fresh, ls_jobs *jobs, char *error, size_t size) {
    char *path = write_file("a.plan", rows), *corpus = ls_format("%s/corpus", folder);
    char *proofs =
        write_file("proof.sets", "# proved\nrf_rr\nrf_rr_not\nrf_rr N=64\nrf_bank ROWS=5 LANES=4 --lanes\nrf_rr N=7 --cut all\n");
    char *below = traces != NULL ? ls_format("%s/%s", folder, traces) : NULL;
    const ls_plan_source from = {
        .path = path, .corpus = corpus, .proofs = proofs, .traces = below, .streams = "streams", .fresh = fresh};
    const int status = ls_jobs_plan(jobs, &from, error, size);
    free(path);
    free(corpus);
    free(proofs);
    free(below);
    return status;
}

static ls_jobs good_plan(const char *rows, const char *traces, uint64_t fresh) {
    ls_jobs jobs;
    char error[1024] = "";
    if (read_plan(rows, traces, fresh, &jobs, error, sizeof error) != 0) fail_msg("%s", error);
    return jobs;
}

/* The row is refused with exactly this behind "file:line: ". */
static void refuses(const char *rows, size_t line, const char *why) {
    ls_jobs jobs;
    char error[1024] = "";
    char *expected = ls_format("%s/a.plan:%zu: %s", folder, line, why);
    if (read_plan(rows, "traces", 1, &jobs, error, sizeof error) == 0) fail_msg("accepted: %s", rows);
    if (strncmp(error, expected, strlen(expected)) != 0) fail_msg("\"%s\"\nand not \"%s\"", error, expected);
    assert_null(jobs.list);
    free(expected);
}

/* The job's arguments as one text, to be freed. */
static char *words(const ls_job *j) {
    ls_text t = {0};
    for (size_t i = 0; i < j->args.count; i++) ls_text_add(&t, "%s%s", i != 0 ? " " : "", j->args.list[i]);
    return ls_text_take(&t);
}

static const ls_job *job(const ls_jobs *jobs, const char *name) {
    for (size_t i = 0; i < jobs->count; i++)
        if (strcmp(jobs->list[i].name, name) == 0) return &jobs->list[i];
    fail_msg("no job %s", name);
    return NULL;
}

static const char good_case[] =
    "lockstep-case 1\nunit rf_rr\nparams N=5\nfill 0000000000000001\nfield grant\nreset\ncycle req=3\nend 2\n";

static void a_row_becomes_jobs(void **state) {
    (void)state;
    ls_jobs jobs = good_plan("# comment\n\n1 rf_bank LANES=1,ROWS=0x8 random fixed:2 20k # more\n", NULL, 1);
    assert_int_equal(jobs.count, 2);
    const ls_job *j = &jobs.list[1];
    assert_string_equal(j->name, "rf_bank/ROWS=8,LANES=1/random/fixed.1");
    assert_string_equal(j->unit, "rf_bank");
    assert_string_equal(j->params, "ROWS=8 LANES=1");
    assert_string_equal(j->stimulus, "random");
    assert_string_equal(j->block, "fixed");
    assert_true(j->tier == 1 && j->limit == LS_JOB_LIMIT && j->line == 3);
    char seed[20], *text = words(j);
    (void)snprintf(seed, sizeof seed, "%016llx", (unsigned long long)ls_seed_derive(0, j->name));
    assert_string_equal(j->seed, seed);
    char *expected = ls_format("run rf_bank --param ROWS=8 --param LANES=1 --seed %s --cycles 20000", seed);
    assert_string_equal(text, expected);
    free(expected);
    free(text);
    ls_jobs_free(&jobs);
}

static void every_stimulus(void **state) {
    (void)state;
    free(write_file("corpus/rf_rr/old.case", good_case));
    free(write_file("corpus/rf_rr/.old.case.swp", "what an editor leaves"));
    free(write_file("corpus/rf_rr/old.case~", "the same"));
    free(write_file("corpus/#rf_rr#", "the same"));
    free(write_file("traces/accel/a/kernelslist.g", "x"));
    free(write_file("traces/accel/a/kernel-1.traceg.xz", "x"));
    free(write_file("traces/accel/alone.traceg", "x"));
    free(write_file("traces/ventus/b.log.xz", "x"));
    free(write_file("traces/README", "x"));
    ls_jobs jobs = good_plan("1 rf_rr - corpus - -\n"
                             "2 rf_banked REGS=64 kernel:s?xpy - - 77\n"
                             "3 rf_wir default trace:* fresh:1 3M\n"
                             "4 rf_rr - faults - -\n"
                             "5 rf_rr - mutants - -\n"
                             "5 rf_bank - mutants fresh:1 3\n"
                             "6 rf_rr default coverage fixed:1 5k\n"
                             "6 rf_[rb]* - proof - -\n"
                             "6 rf_ocu LANES=2 proof - - 900\n"
                             "6 - - mutants:prover fresh:1 5\n"
                             "7 rf_rr small random fixed:1 -\n"
                             "8 - - mutants - 12\n",
                             "traces", 7);
    static const struct {
        const char *name, *args;
    } expected[] = {{"rf_rr/N=5/corpus/old", "replay FOLDER/corpus/rf_rr/old.case"},
                    {"rf_banked/REGS=64/kernel:saxpy", "run rf_banked --param REGS=64 --workload streams/saxpy.rfs --timeout 60"},
                    {"rf_wir/default/trace:accel/a/kernelslist.g/fresh.0",
                     "run rf_wir --workload FOLDER/traces/accel/a/kernelslist.g --timeout 60 --seed SEED --cycles 3000000"},
                    {"rf_wir/default/trace:accel/alone.traceg/fresh.0",
                     "run rf_wir --workload FOLDER/traces/accel/alone.traceg --timeout 60 --seed SEED --cycles 3000000"},
                    {"rf_wir/default/trace:ventus/b.log.xz/fresh.0",
                     "run rf_wir --workload FOLDER/traces/ventus/b.log.xz --timeout 60 --seed SEED --cycles 3000000"},
                    {"rf_rr/faults", "faults rf_rr"},
                    {"rf_rr/mutants", "mutants rf_rr"},
                    {"rf_bank/mutants", "mutants rf_bank --seed SEED --sample 3"},
                    {"rf_rr/default/coverage/fixed.0", "run rf_rr --seed SEED --cycles 5000"},
                    {"rf_bank/ROWS=5,LANES=4/proof", "prove rf_bank --param ROWS=5 --param LANES=4 --lanes"},
                    {"rf_rr/default/proof", "prove rf_rr"},
                    {"rf_rr/N=64/proof", "prove rf_rr --param N=64"},
                    {"rf_rr/N=7/proof/cut", "prove rf_rr --param N=7 --cut all"},
                    {"rf_ocu/LANES=2/proof", "prove rf_ocu --param LANES=2"},
                    {"prover/mutants", "mutants --side prover --seed SEED --sample 5"}};
    assert_int_equal(jobs.count, sizeof expected / sizeof *expected + 2);
    const ls_job *comparer = &jobs.list[jobs.count - 1];
    assert_string_equal(comparer->name, "comparer/mutants");
    assert_string_equal(comparer->unit, "-");
    assert_true(comparer->args.count == 3 && comparer->limit == LS_JOB_LIMIT_MUTANTS);
    assert_string_equal(comparer->args.list[0], "mutants");
    assert_true(strcmp(comparer->args.list[1], "--sample") == 0 && strcmp(comparer->args.list[2], "12") == 0);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const ls_job *j = &jobs.list[i];
        ls_text t = {0}; /* with the test's folder and the job's seed in their places */
        for (const char *c = expected[i].args; *c != '\0';) {
            const bool f = strncmp(c, "FOLDER", 6) == 0, s = strncmp(c, "SEED", 4) == 0;
            ls_text_add(&t, "%.*s", f || s ? 64 : 1, f ? folder : s ? j->seed : c);
            c += f ? 6 : s ? 4 : 1;
        }
        char *text = words(j);
        assert_string_equal(j->name, expected[i].name);
        assert_string_equal(text, t.data);
        free(text);
        free(t.data);
    }
    const ls_job *fresh = job(&jobs, "rf_bank/mutants");
    assert_string_equal(fresh->block, "fresh");
    char *seed = ls_format("%016llx", (unsigned long long)ls_seed_derive(7, fresh->name)); /* of the regression's base */
    assert_string_equal(fresh->seed, seed);
    free(seed);
    assert_true(jobs.list[1].limit == 77 && job(&jobs, "rf_rr/mutants")->limit == LS_JOB_LIMIT_MUTANTS);
    assert_string_equal(jobs.list[0].block, "corpus");
    assert_string_equal(jobs.list[0].params, "N=5");
    assert_string_equal(jobs.list[1].seed, "");
    assert_string_equal(jobs.list[2].stimulus, "trace:accel/a/kernelslist.g");
    ls_jobs_free(&jobs);
}

/* A machine is asked for by name; what is given beside it overrides it, and what is as it has it is left out. */
static void a_row_may_name_a_machine(void **state) {
    (void)state;
    ls_jobs jobs = good_plan("1 rf_banked machine:wir random fixed:1 5k\n"
                             "1 rf_wir machine:wir,REGS=0x15,WARPS=48 kernel:saxpy - -\n"
                             "2 rf_* machine:wir,WARPS=8 kernel:saxpy - - 90\n",
                             NULL, 1);
    static const struct {
        const char *name, *params, *args;
    } expected[] = {
        {"rf_banked/machine:wir/random/fixed.0", "machine:wir", "run rf_banked --machine wir --seed SEED --cycles 5000"},
        {"rf_wir/machine:wir,REGS=21/kernel:saxpy", "machine:wir REGS=21",
         "run rf_wir --machine wir --param REGS=21 --workload streams/saxpy.rfs --timeout 60"},
        {"rf_malekeh/machine:wir,WARPS=8/kernel:saxpy", "machine:wir WARPS=8",
         "run rf_malekeh --machine wir --param WARPS=8 --workload streams/saxpy.rfs --timeout 60"}};
    assert_int_equal(jobs.count, 8); /* six systems match rf_* */
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const ls_job *j = job(&jobs, expected[i].name);
        char *text = words(j), *seed = strstr(text, j->seed);
        if (j->seed[0] != '\0') {
            memcpy(seed, "SEED", 4);
            memmove(seed + 4, seed + 16, strlen(seed + 16) + 1);
        }
        assert_string_equal(j->params, expected[i].params);
        assert_string_equal(text, expected[i].args);
        free(text);
    }
    ls_jobs_free(&jobs);
}

static void patterns_select_units(void **state) {
    (void)state;
    size_t units = 0, systems = 0, sets = 0;
    for (const ls_unit *const *u = ls_units; *u != NULL; u++) {
        if ((*u)->workload != NULL) systems++;
        else units++;
        for (size_t i = 0; (*u)->sets[i] != NULL; i++) sets++;
    }
    ls_jobs jobs = good_plan("1 @units default random fixed:1 -\n1 @systems default random fresh:1 -\n", NULL, 1);
    assert_int_equal(jobs.count, units + systems);
    assert_true(units > 0 && systems > 0);
    ls_jobs_free(&jobs);
    jobs = good_plan("1 * * random fixed:3 -\n", NULL, 1);
    assert_int_equal(jobs.count, 3 * sets);
    ls_jobs_free(&jobs);
    jobs = good_plan("1 rf_l?sr - faults - -\n1 * default kernel:saxpy - -\n", NULL, 1);
    assert_int_equal(jobs.count, 1 + systems); /* a pattern leaves out what takes no workload */
    ls_jobs_free(&jobs);
}

static void tiers_and_the_corpus_first(void **state) {
    (void)state;
    free(write_file("corpus/rf_rr/old.case", good_case));
    ls_jobs jobs = good_plan("3 rf_rr - faults - -\n2 rf_rr default random fixed:1 -\n2 * - corpus - -\n"
                             "1 rf_lfsr default random fixed:2 -\n",
                             NULL, 1);
    static const char *const names[] = {"rf_lfsr/default/random/fixed.0", "rf_lfsr/default/random/fixed.1",
                                        "rf_rr/N=5/corpus/old", "rf_rr/default/random/fixed.0", "rf_rr/faults"};
    assert_int_equal(jobs.count, 5);
    for (size_t i = 0; i < 5; i++) assert_string_equal(jobs.list[i].name, names[i]);
    ls_jobs_free(&jobs);
}

/* Every job of both lists that has the same name has the same seed; returns how many there are. */
static size_t same_seeds(const ls_jobs *a, const ls_jobs *b) {
    size_t n = 0;
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < b->count; k++) {
            if (strcmp(a->list[i].name, b->list[k].name) != 0) continue;
            assert_string_equal(a->list[i].seed, b->list[k].seed);
            n++;
        }
    return n;
}

static void seeds_follow_from_names(void **state) {
    (void)state;
    ls_jobs all = good_plan("1 * * random fixed:2 -\n2 * default random fresh:3 -\n", NULL, 5);
    ls_jobs turned = good_plan("1 * default random fresh:3 1k 9\n2 * * coverage fixed:1 -\n3 * * random fixed:5 2M\n", NULL, 5);
    ls_jobs few = good_plan("1 rf_o* * random fixed:1 -\n1 rf_rr default random fresh:1 -\n", NULL, 5);
    assert_int_equal(same_seeds(&all, &turned), all.count);
    assert_int_equal(same_seeds(&all, &few), few.count);
    for (size_t i = 0; i < turned.count; i++) /* none twice */
        for (size_t k = 0; k < i; k++) assert_string_not_equal(turned.list[i].seed, turned.list[k].seed);
    ls_jobs other = good_plan("1 * * random fixed:2 -\n2 * default random fresh:3 -\n", NULL, 6);
    size_t fresh = 0;
    for (size_t i = 0; i < all.count; i++) {
        const bool same = strcmp(all.list[i].seed, other.list[i].seed) == 0;
        assert_string_equal(all.list[i].name, other.list[i].name);
        assert_true(same == (strcmp(all.list[i].block, "fixed") == 0));
        fresh += !same;
    }
    assert_true(fresh > 0);
    ls_jobs_filter(&few, "*fresh*", 0);
    assert_int_equal(few.count, 1);
    assert_int_equal(same_seeds(&all, &few), 1);
    ls_jobs_free(&all);
    ls_jobs_free(&turned);
    ls_jobs_free(&few);
    ls_jobs_free(&other);
}

static void filters(void **state) {
    (void)state;
    const char rows[] = "1 rf_rr * random fixed:2 -\n3 rf_lfsr default random fixed:1 -\n5 rf_rr - faults - -\n";
    ls_jobs jobs = good_plan(rows, NULL, 1);
    const size_t all = jobs.count;
    ls_jobs_filter(&jobs, NULL, 0);
    assert_int_equal(jobs.count, all);
    ls_jobs_filter(&jobs, NULL, 3);
    assert_int_equal(jobs.count, all - 1);
    ls_jobs_filter(&jobs, "rf_rr/*.1", 0);
    assert_int_equal(jobs.count, (all - 2) / 2);
    ls_jobs_filter(&jobs, "rf_rr/N=?/random/fixed.1", 0);
    for (size_t i = 0; i < jobs.count; i++) assert_int_equal(strlen(jobs.list[i].name), strlen("rf_rr/N=?/random/fixed.1"));
    assert_true(jobs.count > 0);
    ls_jobs_filter(&jobs, "rf_lfsr", 0);
    assert_int_equal(jobs.count, 0);
    ls_jobs_free(&jobs);
}

static void wrong_rows_are_named(void **state) {
    (void)state;
    free(write_file("traces/a.log", "x"));
    free(write_file("corpus/rf_lfsr/astray.case", good_case));
    free(write_file("corpus/rf_bank/odd.case", "hello"));
    free(write_file("corpus/rf_mshr/odd.corpus", "hello"));
    free(write_file("corpus/rf_vsb/astray.corpus", "lockstep-corpus 1\nunit rf_rr\nparams N=4\nend 0\n"));
    free(write_file("corpus/rf_ocu/own.case",
                    "lockstep-case 1\nunit rf_ocu\nparams \nfill 0000000000000001\nfield ready\nrtl my.sv\nreset\nend 1\n"));
    static const struct {
        size_t line;
        const char *rows, *why;
    } wrong[] = {
        {1, "1 rf_rr default random fixed:1",
         "5 columns: expected tier, unit, params, stimulus, seeds, cycles and perhaps a limit"},
        {2, "\n1 rf_rr default random fixed:1 - 9 9", "more than 7 columns"},
        {1, "0 rf_rr default random fixed:1 -", "tier \"0\": expected a whole number from 1 to 9"},
        {1, "10 rf_rr default random fixed:1 -", "tier \"10\""},
        {1, "x rf_rr default random fixed:1 -", "tier \"x\""},
        {1, "1 rf_none default random fixed:1 -", "no unit rf_none"},
        {1, "1 @all default random fixed:1 -", "no unit matches \"@all\""},
        {1, "1 rg* default random fixed:1 -", "no unit matches \"rg*\""},
        {1, "1 rf_rr N random fixed:1 -", "parameter \"N\": expected NAME=VALUE"},
        {1, "1 rf_rr N=5,N=8 random fixed:1 -", "params \"N=5,N=8\": N is there twice"},
        {1, "1 rf_bank ROWS=8,LANES=1,ROWS=8 random fixed:1 -", "params \"ROWS=8,LANES=1,ROWS=8\": ROWS is there twice"},
        {1, "1 rf_rr N=5, random fixed:1 -", "params \"N=5,\": expected A=1,B=2"},
        {1, "1 rf_rr , random fixed:1 -", "params \",\": expected A=1,B=2"},
        {1, "1 rf_rr M=3 random fixed:1 -", "rf_rr has no parameter M; it has N"},
        {1, "1 rf_rr N=0 random fixed:1 -", "parameter N of rf_rr: \"0\" is not a number from 1 to"},
        {1, "1 rf_* N=3 random fixed:1 -", "rf_arbiter has no parameter N"},
        {1, "1 rf_rr - random fixed:1 -", "params \"-\": random needs"},
        {1, "1 rf_wir machine:wri kernel:saxpy - -", "no machine wri: did you mean wir? Shipped: "},
        {1, "1 rf_wir machine:nothing kernel:saxpy - -", "no machine nothing; shipped: "},
        {1, "1 rf_wir machine: kernel:saxpy - -", "params \"machine:\": expected a shipped machine"},
        {1, "1 rf_wir machine:,REGS=8 kernel:saxpy - -", "params \"machine:,REGS=8\": expected a shipped machine"},
        {1, "1 rf_wir machine:tb/machines/wir.machine kernel:saxpy - -", "params \"machine:tb/machines/wir.machine\": expected"},
        {1, "1 rf_wir machine:wir, kernel:saxpy - -", "params \"machine:wir,\": expected A=1,B=2"},
        {1, "1 rf_wir machine:wir,machine:wir kernel:saxpy - -", "parameter \"machine:wir\": expected NAME=VALUE"},
        {1, "1 rf_wir machine:wir,REGS=8,REGS=9 kernel:saxpy - -", "params \"machine:wir,REGS=8,REGS=9\": REGS is there twice"},
        {1, "1 rf_wir machine:wir,REGS=999 kernel:saxpy - -", "parameter REGS of rf_wir: \"999\" is not a number"},
        {1, "1 rf_wir machine:wir,REUSE=0 kernel:saxpy - -", "rf_wir at machine:wir,REUSE=0: "},
        {1, "1 rf_rr machine:wir random fixed:1 -", "rf_rr is no system: it has no machine"},
        {1, "1 * machine:wir random fixed:1 -", "rf_arbiter is no system: it has no machine"},
        {1, "1 @systems machine:rtx2060 kernel:saxpy - -", "rf_cerf in rtx2060: "},
        {1, "1 rf_wir machine:wir faults - -", "params \"machine:wir\": faults brings its own, expected -"},
        {1, "1 rf_wir machine:wir corpus - -", "params \"machine:wir\": a case brings its own, expected -"},
        {2, "1 rf_wir machine:wir kernel:saxpy - -\n1 rf_* machine:wir kernel:s* - -",
         "job rf_wir/machine:wir/kernel:saxpy is named by line 1 already"},
        {1, "1 rf_rr default faults - -", "params \"default\": faults brings its own, expected -"},
        {1, "1 rf_rr N=3 corpus - -", "params \"N=3\": a case brings its own, expected -"},
        {1, "1 rf_rr - proof fixed:1 -", "seeds \"fixed:1\": proof takes none, expected -"},
        {1, "1 rf_rr - proof - 5", "cycles \"5\": proof takes none, expected -"},
        {1, "1 rf_wir machine:wir proof - -", "params \"machine:wir\": a proof is of a unit, in no machine"},
        {1, "1 rf_ocu - proof - -", "nothing is selected: there is no line of rf_ocu in "},
        {1, "1 rf_rr default random - -", "seeds \"-\": random needs fixed:N or fresh:N"},
        {1, "1 rf_rr default coverage - -", "seeds \"-\": coverage needs"},
        {1, "1 rf_rr default random fixed -", "seeds \"fixed\": expected fixed:N, fresh:N or -"},
        {1, "1 rf_rr default random fixed:0 -", "seeds \"0\": expected a whole number from 1 to 100000"},
        {1, "1 rf_rr default random fixed:100001 -", "seeds \"100001\""},
        {1, "1 rf_rr default random fresh:1x -", "seeds \"1x\""},
        {1, "1 rf_rr default random frosh:1 -", "seeds \"frosh:1\""},
        {1, "1 rf_rr - faults fixed:1 -", "seeds \"fixed:1\": faults takes none, expected -"},
        {1, "1 rf_rr - mutants fixed:1 -", "seeds \"fixed:1\": mutants takes - (the same in every regression) or fresh:1"},
        {1, "1 - - mutants fresh:2 -", "seeds \"fresh:2\": mutants takes -"},
        {2, "1 rf_rr - mutants - -\n1 rf_rr - mutants fresh:1 -", "job rf_rr/mutants is named by line 1 already"},
        {1, "1 rf_rr default random fixed:1 0",
         "cycles \"0\": expected a whole number from 1 to 1000000000000000 (k and M allowed)"},
        {1, "1 rf_rr default random fixed:1 1K", "cycles \"1K\""},
        {1, "1 rf_rr default random fixed:1 1kk", "cycles \"1kk\""},
        {1, "1 rf_rr default random fixed:1 -5", "cycles \"-5\""},
        {1, "1 rf_rr default random fixed:1 1000000001M", "cycles \"1000000001M\""},
        {1, "1 rf_rr default random fixed:1 99999999999999999999", "cycles \"99999999999999999999\""},
        {1, "1 rf_rr - mutants - 1001", "mutants of a side \"1001\": expected a whole number from 1 to 1000"},
        {1, "1 rf_rr - mutants - 1k", "mutants of a side \"1k\""},
        {1, "1 rf_rr - faults - 5", "cycles \"5\": faults takes none, expected -"},
        {1, "1 rf_rr default random fixed:1 - 0", "limit \"0\": expected a whole number from 1 to 1000000"},
        {1, "1 rf_rr default random fixed:1 - 1k", "limit \"1k\""},
        {1, "1 rf_rr default randum fixed:1 -", "stimulus \"randum\": expected random, corpus, kernel:PATTERN"},
        {1, "1 rf_rr default kernel: - -", "stimulus \"kernel:\""},
        {1, "1 rf_rr default random:x fixed:1 -", "stimulus \"random:x\""},
        {1, "1 rf_rr default kernel:* - -", "rf_rr is no system: it takes no kernel:*"},
        {1, "1 rf_rr default trace:* - -", "rf_rr is no system"},
        {1, "1 @units default kernel:* - -", "no system matches \"@units\""},
        {1, "1 rf_wir default kernel:nothing - -", "no kernel matches \"nothing\""},
        {1, "1 rf_wir default trace:*/x - -", "no trace below "},
        {1, "1 - - faults - -", "unit \"-\": only mutants can be of none"},
        {1, "1 - default random fixed:1 -", "unit \"-\": only mutants can be of none"},
        {1, "1 - - mutants:field - -", "stimulus \"mutants:field\": `lockstep mutants --side` names the parts"},
        {1, "1 rf_rr - mutants:prover - -",
         "stimulus \"mutants:prover\": the mutants of a part of the tool are of no unit, expected -"},
        {1, "1 - N=3 mutants - -", "params \"N=3\": mutants brings its own, expected -"},
        {2, "1 - - mutants - -\n1 - - mutants - -", "job comparer/mutants is named by line 1 already"},
        {1, "1 rf_wir default trace:/a.log - -", "trace \"/a.log\": no trace has such a path"},
        {1, "1 rf_wir default trace:../a.log - -", "trace \"../a.log\": no trace has such a path"},
        {1, "1 rf_rr - corpus - -", "nothing is selected: there is no case of rf_rr in "},
        {3, "1 rf_rr default random fixed:1 -\n# x\n2 * * random fixed:2 -",
         "job rf_rr/default/random/fixed.0 is named by line 1 already"},
        {2, "1 rf_rr - faults - -\n1 rf_* - faults - -", "job rf_rr/faults is named by line 1 already"},
        {3, "# nothing\n\n", "the plan has no row"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) refuses(wrong[i].rows, wrong[i].line, wrong[i].why);
    static const struct {
        const char *rows, *file, *why;
    } cases[] = {{"1 rf_lfsr - corpus - -", "rf_lfsr/astray.case", ": a case of rf_rr, not of rf_lfsr"},
                 {"1 rf_bank * corpus - -", "rf_bank/odd.case", ":1: not a case file"},
                 {"1 rf_mshr - corpus - -", "rf_mshr/odd.corpus", ":1: not a corpus"},
                 {"1 rf_vsb - corpus - -", "rf_vsb/astray.corpus", ": a case of rf_rr, not of rf_vsb"},
                 {"1 rf_ocu - corpus - -", "rf_ocu/own.case", ": it names RTL of its own"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *why = ls_format("%s/corpus/%s%s", folder, cases[i].file, cases[i].why);
        refuses(cases[i].rows, 1, why);
        free(why);
    }
}

static void traces_that_are_not_there(void **state) {
    ls_jobs jobs;
    char error[1024] = "";
    (void)state;
    jobs = good_plan("1 rf_wir default trace:* - -\n1 rf_rr - faults - -\n", NULL, 1);
    assert_true(jobs.count == 1 && jobs.without_traces == 1);
    ls_jobs_free(&jobs);
    assert_int_equal(read_plan("1 rf_wir default trace:* - -\n", "nowhere", 1, &jobs, error, sizeof error), -1);
    assert_non_null(strstr(error, "a.plan:1: "));
    assert_non_null(strstr(error, "/nowhere: No such file"));
    assert_int_equal(read_plan("1 rf_rr default trace:* - -\n", NULL, 1, &jobs, error, sizeof error),
                     -1); /* wrong all the same */
    static const char *const left_out[][2] = {{"1 rf_wir REUSE=9999999 trace:* - -\n", "parameter REUSE of rf_wir"},
                                              {"1 @systems NONE=1 trace:* - -\n", "has no parameter NONE"},
                                              {"1 @units default trace:* - -\n", "no system matches \"@units\""},
                                              {"1 rf_wir default trace:a//b - -\n", "no trace has such a path"}};
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++) {
        assert_int_equal(read_plan(left_out[i][0], NULL, 1, &jobs, error, sizeof error), -1);
        if (strstr(error, left_out[i][1]) == NULL) fail_msg("\"%s\"\nand not \"%s\"", error, left_out[i][1]);
    }
    const ls_plan_source from = {.path = "/nowhere/a.plan", .corpus = "c", .streams = "s"};
    assert_int_equal(ls_jobs_plan(&jobs, &from, error, sizeof error), -1);
    assert_string_equal(error, "/nowhere/a.plan: No such file or directory");
}

/* What cannot be run is not left out. */
static void nothing_disappears(void **state) {
    (void)state;
    static const struct {
        const char *path, *link; /* a file, or a link to this */
        const char *rows, *why;
    } slips[] = {{"corpus/rf_typo/x.case", NULL, "1 * - corpus - -", "corpus/rf_typo: no unit of this name"},
                 {"corpus/rf_rr/second.cas", NULL, "1 rf_rr - corpus - -", "corpus/rf_rr/second.cas: not a case"},
                 {"corpus/rf_rr/x\ty.case", NULL, "1 rf_rr - corpus - -", "corpus/rf_rr/x\ty.case: not a case"},
                 {"corpus/loose.case", NULL, "1 rf_* - corpus - -", "corpus/loose.case: no unit of this name"},
                 {"corpus/rf_bank", NULL, "1 * - corpus - -", "corpus/rf_bank: Not a directory"},
                 {"corpus/rf_bank", "nowhere", "1 * - corpus - -", "corpus/rf_bank: No such file"},
                 {"corpus/rf_rr/gone.case", "nowhere", "1 * - corpus - -", "corpus/rf_rr/gone.case: "},
                 {"traces/a.log", "nowhere", "1 rf_wir default trace:* - -", "traces/a.log: No such file"},
                 {"traces/mount", "nowhere", "1 rf_wir default trace:* - -", "traces/mount: No such file"},
                 {"traces/loop", ".", "1 rf_wir default trace:* - -", "folders in folders, more than 16"},
                 {"traces/a\tb.log", NULL, "1 rf_wir default trace:* - -", "traces/a\tb.log: not a file, or a name with a tab"}};
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        ls_jobs jobs;
        char error[2048] = "";
        free(write_file("corpus/rf_rr/old.case", good_case));
        free(write_file("traces/good.log", "x"));
        jobs = good_plan(slips[i].rows, "traces", 1);
        ls_jobs_free(&jobs);
        char *path = write_file(slips[i].path, "x");
        if (slips[i].link != NULL) assert_true(unlink(path) == 0 && symlink(slips[i].link, path) == 0);
        if (read_plan(slips[i].rows, "traces", 1, &jobs, error, sizeof error) == 0) fail_msg("not seen: %s", slips[i].path);
        if (strstr(error, "a.plan:1: ") == NULL || strstr(error, slips[i].why) == NULL)
            fail_msg("\"%s\"\nand not \"%s\"", error, slips[i].why);
        free(path);
        ls_remove_tree(folder);
        assert_int_equal(mkdir(folder, 0777), 0);
    }
}

static void jobs_tsv_is_read_as_written(void **state) {
    (void)state;
    free(write_file("corpus/rf_rr/old.case", good_case));
    ls_jobs jobs = good_plan("1 * * random fixed:1 100k 5\n2 * - corpus - -\n3 * - mutants - -\n3 - - mutants - -\n"
                             "4 rf_wir default kernel:* fresh:1 -\n4 rf_wir machine:wir,REGS=21 kernel:saxpy - -\n",
                             NULL, 1);
    ls_jobs again;
    ls_text t = {0}, u = {0};
    char error[512] = "";
    ls_jobs_write(&jobs, &t);
    char *path = write_file("jobs.tsv", t.data);
    assert_int_equal(ls_jobs_read(&again, path, error, sizeof error), 0);
    ls_jobs_write(&again, &u);
    assert_string_equal(t.data, u.data);
    assert_int_equal(jobs.count, again.count);
    for (size_t i = 0; i < jobs.count; i++) {
        char *a = words(&jobs.list[i]), *b = words(&again.list[i]);
        assert_string_equal(a, b);
        assert_string_equal(jobs.list[i].params, again.list[i].params);
        assert_true(jobs.list[i].tier == again.list[i].tier && jobs.list[i].limit == again.list[i].limit);
        free(a);
        free(b);
        ls_job one;
        assert_true(ls_jobs_read_one(&one, path, i));
        a = ls_job_mark(&jobs.list[i]), b = ls_job_mark(&one);
        assert_string_equal(a, b);
        one.limit++;
        free(b);
        b = ls_job_mark(&one);
        assert_string_not_equal(a, b);
        free(a);
        free(b);
        ls_job_free(&one);
    }
    ls_job none;
    assert_false(ls_jobs_read_one(&none, path, jobs.count));
    ls_jobs_free(&again);
    /* Cut off at any place it is refused, unless a line ends there. */
    const size_t first = strcspn(t.data, "\n") + 1, second = first + strcspn(t.data + first, "\n") + 1;
    for (size_t n = 1; n < second; n++) {
        char *cut = ls_format("%.*s", (int)n, t.data);
        free(write_file("jobs.tsv", cut));
        assert_int_equal(ls_jobs_read(&again, path, error, sizeof error), n == first ? 0 : -1);
        if (n == first) assert_int_equal(again.count, 1);
        if (n > first) assert_non_null(strstr(error, "jobs.tsv:2: not a job"));
        ls_jobs_free(&again);
        free(cut);
    }
    /* An old regression's, of a unit that has gone since. */
    free(write_file("jobs.tsv", "0\t1\trf_gone/default/random/fixed.0\trf_gone\t\trandom\tfixed\t12\t600\trun\trf_gone\n"));
    if (ls_jobs_read(&again, path, error, sizeof error) != 0) fail_msg("%s", error);
    assert_string_equal(again.list[0].unit, "rf_gone");
    ls_jobs_free(&again);
    free(path);
    free(t.data);
    free(u.data);
    ls_jobs_free(&jobs);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(a_row_becomes_jobs, make_folder, remove_folder),
                                       cmocka_unit_test_setup_teardown(every_stimulus, make_folder, remove_folder),
                                       cmocka_unit_test_setup_teardown(a_row_may_name_a_machine, make_folder, remove_folder),
                                       cmocka_unit_test_setup_teardown(patterns_select_units, make_folder, remove_folder),
                                       cmocka_unit_test_setup_teardown(tiers_and_the_corpus_first, make_folder, remove_folder),
                                       cmocka_unit_test_setup_teardown(seeds_follow_from_names, make_folder, remove_folder),
                                       cmocka_unit_test_setup_teardown(filters, make_folder, remove_folder),
                                       cmocka_unit_test_setup_teardown(wrong_rows_are_named, make_folder, remove_folder),
                                       cmocka_unit_test_setup_teardown(traces_that_are_not_there, make_folder, remove_folder),
                                       cmocka_unit_test_setup_teardown(nothing_disappears, make_folder, remove_folder),
                                       cmocka_unit_test_setup_teardown(jobs_tsv_is_read_as_written, make_folder, remove_folder)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
