/* SPDX-License-Identifier: Apache-2.0 */
/* Mutation scores: how many small changes of the RTL, of the model and of the tool itself are noticed (docs/mutants.md). */
#ifndef LS_MUTANTS_H
#define LS_MUTANTS_H

#include "harness/base/process.h"
#include "harness/core/options.h"
#include "harness/core/run.h"
#include "harness/netlist/netlist.h"

typedef enum ls_fate {
    LS_FATE_SURVIVED,   /* nothing noticed it, and it is not known to be equivalent (RTL: proved different) */
    LS_FATE_KILLED,     /* how: `how`, `cycle` */
    LS_FATE_EQUIVALENT, /* proved: nothing can notice it */
    LS_FATE_UNDECIDED,  /* nothing noticed it, and the proof did not end */
    LS_FATE_NONE,       /* no mutant: the compiler refuses its source */
    LS_FATE_BROKEN      /* a tool failed: `how` says which */
} ls_fate;

/* By what a mutant was killed. */
typedef enum ls_kill {
    LS_KILL_MISMATCH, /* a bit or a property of a system */
    LS_KILL_VACUOUS,  /* no difference, but a bin or a field that the bench without a mutant reaches */
    LS_KILL_CRASH,    /* a signal, or the DUT ended itself */
    LS_KILL_HANG,     /* a cycle did not end in time */
    LS_KILL_ASTRAY,   /* a mutated model led the stimulus to inputs that fit no port, or fits the RTL itself no longer */
    LS_KILL_TEST,     /* tool: a test failed */
    LS_KILL_LOST,     /* tool: a good unit does not pass, or is not proved */
    LS_KILL_MISSED,   /* tool: a planted fault is missed */
    LS_KILLS
} ls_kill;

/* What became of one mutant; lives in shared memory. */
typedef struct ls_mutant {
    ls_fate fate;
    ls_kill kill;              /* when it is killed */
    uint64_t cycle;            /* in which it was noticed */
    uint64_t cycles, compares; /* of all its runs */
    double work;               /* processor seconds to the kill, or of the run (mutants_curve.c) */
    char how[400];             /* "mismatch in mask_q", "hang"; why a proof did not end; which tool failed */
} ls_mutant;

/* One side at one parameter set. Release with ls_score_free. */
typedef struct ls_score {
    const char *side; /* "rtl", "model", or a part of the tool (ls_mutants_part) */
    char *params;
    bool ports_only; /* registers of the field list are missing in the netlist: only ports were compared */
    uint32_t made, killed, equivalent, survived, undecided;
    uint32_t kills[LS_KILLS]; /* of the killed */
    uint32_t looped;          /* not made: a bit of the netlist would depend on itself */
    uint32_t refused;         /* not made: the compiler refuses the source */
    uint64_t cycles, compares;
    ls_args survivors, what; /* number and description of those that survived ... */
    ls_args open, open_what; /* ... of those that are undecided ... */
    ls_args odd, odd_what;   /* ... and of those that were killed by something else than a mismatch or a test */
} ls_score;

void ls_score_free(ls_score *score);

/* The kill's name in records: "mismatch", "vacuous", ... */
const char *ls_kill_name(ls_kill kill);

/* Calls `judge` for 1 .. count, `jobs` at a time in processes of their own, and returns what became of each (element 0 is for
 * number 1). One whose process dies is LS_FATE_BROKEN. free() it. */
typedef void ls_judge_fn(const void *ctx, uint32_t number, ls_mutant *mutant);
ls_mutant *ls_mutants_judge(uint32_t count, int jobs, ls_judge_fn *judge, const void *ctx);

/* Adds one to the score. `what` describes it. NULL, or an error to free: it is LS_FATE_BROKEN. */
char *ls_score_add(ls_score *score, uint32_t number, const ls_mutant *mutant, const char *what);

#define LS_MUTANTS_CYCLES 100000u        /* of a bench's run, as of `lockstep run` ... */
#define LS_MUTANTS_CYCLES_SYSTEM 200000u /* of a netlist of a system: fewer miss a bin now and then */
#define LS_MUTANTS_SEEDS 2u              /* ... and so many of them */

/* What a run that did not pass makes of a mutant: killed, and by what; or broken, when the run says nothing about it. */
void ls_mutants_sort(const ls_request *request, const ls_result *result, ls_mutant *mutant);

/* What a compilation that failed makes of a mutant, from the compiler's words and whether it ended by itself: none when it names
 * a line with an error; else broken, and why: it was killed, had no room, memory or time, or an error of its own. */
void ls_mutants_uncompiled(const char *said, bool refused, ls_mutant *mutant);

/* What a program that did not end well, or (`error`, of ls_process_run) did not start, makes of a mutant of the tool: killed;
 * or broken, and why, when it was killed from outside or had no room. */
void ls_mutants_ended(int error, const ls_process_result *result, ls_mutant *mutant);

/* The unit's bench, for the request's cycles (0: LS_MUTANTS_CYCLES): true and *mutant filled when one of its runs notices a
 * difference. */
bool ls_mutants_bench(const ls_request *request, uint64_t seed, ls_mutant *mutant);

/* The RTL's mutants in a netlist at parameters `cfg`, at most `count`. 0 and `score`; -1 and a text to free in *error: a tool is
 * missing, the RTL is refused, or the netlist without a mutant is not the model; 1: the bench is vacuous at these parameters,
 * *error says how. */
int ls_mutants_rtl(const ls_options *options, const void *cfg, uint32_t count, ls_score *score, char **error);
/* The same in a netlist that is there already. */
int ls_mutants_rtl_in(const ls_options *options, const ls_netlist_request *request, const ls_netlist *netlist, ls_score *score,
                      char **error);

/* The mutants of the unit's model. As above. */
int ls_mutants_model(const ls_options *options, uint32_t count, ls_score *score, char **error);

#define LS_MUTANTS_PARTS 2u /* of the tool, that have mutants */
/* The side's name of a part: "comparer", "prover"; NULL: there are not so many. */
const char *ls_mutants_part(size_t number);
/* Its mutants; options->unit may be NULL. As above. */
int ls_mutants_tool(const ls_options *options, size_t part, uint32_t count, ls_score *score, char **error);

/* The unit's parameter sets, its small one first, then by how much state they have; at most `most` bits of it. To be freed with
 * ls_args_free. */
void ls_mutants_sets(const ls_unit *unit, uint64_t most, ls_args *sets);

/* Kills of the mutants that the file options->hard lists, by random and by fuzzed stimulus, over processor time: printed. Returns
 * the exit code. */
int ls_mutants_curve(const ls_options *options);

/* The command `mutants`; returns the exit code. */
int ls_command_mutants(ls_options *options);

#endif
