/* SPDX-License-Identifier: Apache-2.0 */
/* Mutants of the RTL: all in one netlist, each switched on in its turn while the unit's bench runs; berkeley-abc says which of
 * those that the bench does not notice nobody could. */
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/base/text.h"
#include "harness/core/config.h"
#include "harness/mutants/mutants.h"
#include "harness/netlist/mutants_prove.h"

#define PROOF_SECONDS 40u /* of work for one mutant */
#define LONGER 10u        /* times the cycles, for what that does not decide */
#define TOOL_MS 600000u
#define VERILOG_BYTES 2000000u /* of a netlist at most: beyond it the compiler takes many minutes */

typedef struct judge_ctx {
    const ls_options *options;
    const ls_netlist_request *request;
    const ls_netlist *netlist;
    const char *so_path;
    bool ports_only;
    const ls_mutant *list;     /* of all mutants, once they have run */
    const uint32_t *unnoticed; /* numbers of those that are to be proved */
} judge_ctx;

static ls_request bench_of(const judge_ctx *c, uint32_t number) {
    return (ls_request){.unit = c->request->unit,
                        .cfg = c->request->cfg,
                        .so_path = c->so_path,
                        .select_port = LS_NETLIST_SELECT,
                        .select = number,
                        .ports_only = c->ports_only,
                        .cycles = c->request->unit->workload != NULL ? LS_MUTANTS_CYCLES_SYSTEM : LS_MUTANTS_CYCLES,
                        .timeout = c->options->timeout};
}

static void run_bench(const void *ctx, uint32_t number, ls_mutant *m) {
    const judge_ctx *c = ctx;
    const ls_request bench = bench_of(c, number);
    if (!ls_mutants_bench(&bench, c->options->seed, m)) m->fate = LS_FATE_UNDECIDED;
}

/* What two runs did not notice and no proof decides gets two longer ones, of other seeds. A difference there counts when the
 * netlist without a mutant has none: nobody has seen that one for so long. */
static void run_longer(const judge_ctx *c, uint32_t number, ls_mutant *m) {
    const uint64_t seed = ls_seed_derive(c->options->seed, "mutants longer");
    ls_request bench = bench_of(c, number);
    ls_mutant none = {0};
    bench.cycles *= LONGER;
    if (!ls_mutants_bench(&bench, seed, m)) return;
    bench.select = 0;
    if (m->fate != LS_FATE_KILLED || !ls_mutants_bench(&bench, seed, &none)) return;
    m->fate = LS_FATE_BROKEN;
    (void)snprintf(m->how, sizeof m->how, "the netlist without a mutant is not the model in %" PRIu64 " cycles: %.100s",
                   bench.cycles, none.how);
}

/* The proof for the `index`-th of those that no run has noticed. */
static void prove(const void *ctx, uint32_t index, ls_mutant *m) {
    const judge_ctx *c = ctx;
    const uint32_t number = c->unnoticed[index - 1];
    *m = c->list[number - 1];
    char *why = NULL;
    const ls_proof proof = ls_prove(c->netlist, number, PROOF_SECONDS, &why);
    m->fate = proof == LS_PROOF_EQUIVALENT  ? LS_FATE_EQUIVALENT
              : proof == LS_PROOF_DIFFERENT ? LS_FATE_SURVIVED
              : proof == LS_PROOF_BROKEN    ? LS_FATE_BROKEN
                                            : LS_FATE_UNDECIDED;
    if (why != NULL) (void)snprintf(m->how, sizeof m->how, "%.*s", (int)strcspn(why, "\n"), why);
    free(why);
    if (m->fate == LS_FATE_UNDECIDED) run_longer(c, number, m);
}

/* Runs all, then proves what was not noticed: the circuit for proofs takes minutes to make, and may not be needed. */
static ls_mutant *judge_all(judge_ctx *c, uint32_t count, char **error) {
    ls_mutant *list = ls_mutants_judge(count, c->options->jobs, run_bench, c);
    uint32_t *unnoticed = ls_alloc(count + 1, sizeof *unnoticed), left = 0;
    for (uint32_t i = 0; i < count; i++)
        if (list[i].fate == LS_FATE_UNDECIDED) unnoticed[left++] = i + 1;
    c->list = list;
    c->unnoticed = unnoticed;
    if (left > 0) *error = ls_prove_prepare(c->request, c->netlist);
    ls_mutant *proved = left > 0 && *error == NULL ? ls_mutants_judge(left, c->options->jobs, prove, c) : NULL;
    for (uint32_t i = 0; i < left && proved != NULL; i++) list[unnoticed[i] - 1] = proved[i];
    free(proved);
    free(unnoticed);
    return list;
}

/* The netlist without a mutant must be the model, in everything that the bench asks for. 0, -1, 1 as ls_mutants_rtl. */
static int check_none(const judge_ctx *c, ls_score *score, char **error) {
    for (uint32_t i = 0; i < LS_MUTANTS_SEEDS; i++) {
        char name[32];
        ls_result r;
        ls_request run = bench_of(c, 0);
        (void)snprintf(name, sizeof name, "mutants %u", i); /* as ls_mutants_bench */
        run.seed = ls_seed_derive(c->options->seed, name);
        ls_run(&run, NULL, &r);
        score->cycles += r.cycles;
        score->compares += r.compares;
        if (r.status == LS_PASS) continue;
        const bool vacuous = r.status == LS_VACUOUS;
        *error = vacuous ? ls_format("the bench is vacuous at these parameters: %s", r.message)
                         : ls_format("%s %s: the netlist without a mutant is not the model: %s in %s%s%s, cycle %llu",
                                     c->request->unit->name, score->params, ls_status_name(r.status), r.mismatch.field,
                                     r.message[0] != '\0' ? ", " : "", r.message, (unsigned long long)r.cycles);
        return vacuous ? 1 : -1;
    }
    return 0;
}

int ls_mutants_rtl_in(const ls_options *o, const ls_netlist_request *rq, const ls_netlist *n, ls_score *score, char **error) {
    ls_build_result build;
    *score = (ls_score){.side = "rtl", .params = ls_config_text(rq->unit, rq->cfg)};
    *error = NULL;
    if (ls_netlist_build(rq, n, &build, &score->ports_only, error) != 0) {
        ls_score_free(score);
        return -1;
    }
    judge_ctx ctx = {.options = o, .request = rq, .netlist = n, .so_path = build.so_path, .ports_only = score->ports_only};
    const uint32_t count = (uint32_t)n->mutants.count;
    int status = check_none(&ctx, score, error);
    ls_mutant *list = status == 0 ? judge_all(&ctx, count, error) : NULL;
    if (status == 0 && *error != NULL) status = -1;
    score->looped = (uint32_t)n->looped.count;
    ls_text log = {0};
    for (uint32_t i = 0; i < count && status == 0; i++) {
        char *what = ls_netlist_what(n->mutants.list[i]);
        static const char *const words[] = {"survived", "killed", "equivalent", "undecided", "none", "broken"};
        ls_text_add(&log, "%u\t%s\t%llu\t%s\t%s\n", i + 1, words[list[i].fate], (unsigned long long)list[i].cycle, list[i].how,
                    what);
        *error = ls_score_add(score, i + 1, &list[i], what);
        status = *error != NULL ? -1 : 0;
        free(what);
    }
    char *path = ls_format("%s/verdicts.tsv", n->folder); /* each mutant's, for a person */
    if (status == 0) (void)ls_text_write(&log, path);
    free(path);
    free(ls_text_take(&log));
    free(list);
    ls_build_free(&build);
    if (status != 0) ls_score_free(score);
    return status;
}

int ls_mutants_rtl(const ls_options *o, const void *cfg, uint32_t count, ls_score *score, char **error) {
    const ls_netlist_request rq = {
        .unit = o->unit, .cfg = cfg, .mutants = count, .seed = ls_seed_derive(o->seed, "rtl mutants"), .timeout_ms = TOOL_MS};
    ls_netlist n;
    if (count == 0) {
        *error = ls_copy("no mutant is left for these parameters");
        return 1;
    }
    if (ls_netlist_make(&rq, &n, error) != 0) return -1;
    struct stat file;
    int status = stat(n.verilog, &file) == 0 ? 0 : -errno;
    if (status < 0) *error = ls_format("%s: %s", n.verilog, strerror(-status));
    else if ((uint64_t)file.st_size > VERILOG_BYTES)
        *error = ls_format("the netlist has %.1f MB of Verilog, %.1f at most", (double)file.st_size / 1e6, VERILOG_BYTES / 1e6);
    status = status < 0 ? -1 : *error != NULL ? 1 : ls_mutants_rtl_in(o, &rq, &n, score, error);
    ls_netlist_free(&n);
    return status;
}
