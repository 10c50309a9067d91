/* SPDX-License-Identifier: Apache-2.0 */
/* What a person asked for: the command line (harness/cli/parse.h), once for all commands. */
#ifndef LS_OPTIONS_H
#define LS_OPTIONS_H

#include "harness/base/text.h"
#include "harness/core/design.h"
#include "harness/core/machine.h"
#include "harness/core/unit.h"

typedef struct ls_options {
    const char *command; /* "run" */
    const char *verb;    /* "info" of "workload info"; else NULL */
    const ls_unit *unit; /* NULL when none was named */
    void *cfg;
    const char *file; /* the case file of replay, shrink, waves; the subject of workload */
    uint64_t seed;
    uint64_t cycles; /* 0: the command's default */
    const char *workload;
    const char *machine;     /* as it was asked for; NULL: none */
    ls_machine described;    /* what it says, and options that say the same: checked */
    ls_args rtl, defines;    /* those of the lists first, then --rtl's; --define's, then those of the lists */
    const char *unit_name;   /* new: the unit's; NULL: the module's or the folder's */
    const char *group;       /* new: of a unit of this tree; NULL: of a project */
    ls_args from;            /* new: the module's files */
    ls_args extra;           /* what else lists say (filelist.h) */
    ls_args given;           /* as they stand behind --rtl, */
    ls_args lists, relative; /* -f and -F */
    size_t defined;          /* by --define */
    ls_args cut;             /* prove: units that their models stand for, "all" */
    ls_args fixed;           /* explore: inputs that keep a value, NAME=VALUE each */
    const char *map;         /* NULL: none; the unit is the mapped one */
    const char *record;      /* append the JSON record to this file */
    const char *output;      /* folder for what a failure leaves; the file that workload build makes */
    double timeout;
    bool params; /* --param was given */
    bool waves, lanes, units, json, ports_only, allow_system, no_shrink, color, quiet, brief, all_sets, small, files, machines,
        large, schedule, m32, dead_together, papers_inputs;
    bool prove;                       /* by proofs in place of runs */
    bool netlist;                     /* the DUT is the netlist of gates, mapped to ... */
    uint32_t seconds;                 /* prove: of work, for each question; 0: the default */
    bool assertions;                  /* the RTL's assertions are checked */
    bool all, accept, no_macros;      /* synth */
    bool idle;                        /* energy: nothing is asked of the unit */
    uint32_t registers, rthld, banks; /* 0: the command's default */
    const char *hierarchy;            /* workload build: NAME=VALUE,... of the levels; NULL: none */
    uint32_t sample;                  /* at most so many of each unit's list; 0: all */
    uint32_t turn;                    /* faults: where in a circle of the list the sample begins, from 1; 0: 1 */
    uint32_t load_latency;            /* 0: the surroundings' default */
    uint64_t only_kernel, only_warp;  /* UINT64_MAX: all */
    uint64_t limit;                   /* 0: none */
    int jobs;
    /* regress, job, report, mutants; NULL: not given */
    const char *launch, *only, *traces, *resume, *history, *side, *ticket;
    uint32_t time;             /* fuzz: seconds of work; 0: the default, or no limit with cycles */
    const char *corpus;        /* fuzz: folder */
    const char *hard;          /* mutants: a list of some, for two curves */
    const char *liberty;       /* Liberty file of the cells; NULL: the default */
    const char *to;            /* export: its target */
    const char *nets;          /* energy: where its table of nets goes */
    double period, transition; /* energy: nanoseconds; 0: the default */
    const char *coverage;      /* run: where the coverage of the RTL goes */
    uint64_t fresh;            /* if fresh_given */
    uint64_t number, retries;  /* UINT64_MAX: not given */
    uint32_t tier;             /* 0: all */
    bool fresh_given, no_times;
    bool help, man;         /* of the command, in place of running it; help: the manual page */
    const char *completion; /* help: of which shell; NULL: none */
    int argc;
    char **argv;
} ls_options;

void ls_options_free(ls_options *options);

/* The RTL that they ask for, of their unit and configuration. It borrows from them. */
ls_design_request ls_options_design(const ls_options *options);

/* Whether element `i` of a list of `count` is among at most `sample` of them, spread evenly over the list from element number
 * `turn` (1 the first; 0: the first, too) on, in a circle; sample 0: all are. */
bool ls_sampled(size_t i, size_t count, uint32_t sample, uint32_t turn);

/* The command line that repeats `command` for this unit, parameters, seed and cycles (0: left out), or for this case file, with
 * the same RTL; free() it. */
char *ls_options_command(const ls_options *options, const char *command, uint64_t seed, uint64_t cycles);

#endif
