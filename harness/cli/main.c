/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep: C models and RTL of register-file units, cycle by cycle, bit for bit. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/linked.h"
#include "harness/base/text.h"
#include "harness/cli/commands.h"
#include "harness/cli/parse.h"
#include "harness/core/config.h"
#include "harness/core/report.h"
#include "harness/core/shrink.h"
#include "harness/coverage/coverage.h"
#include "harness/mutants/mutants.h"

static const char help_text[] =
    "lockstep COMMAND …      is this RTL still the model?\n"
    "\n"
    "  list                  units, their parameters and parameter sets\n"
    "  run UNIT              model and RTL in lockstep; a mismatch leaves a case, its shrunk form, and waves\n"
    "  model UNIT            the C model alone: its properties and counters, without RTL\n"
    "  replay FILE           a case file again\n"
    "  shrink FILE           a case file made minimal, beside it as FILE.shrunk\n"
    "  waves UNIT | FILE     run (or replay) with waves of the failure, or of the last cycles when nothing fails\n"
    "  prove UNIT            whether the netlist of gates is the RTL, for all inputs: equivalent, different or undecided\n"
    "  faults [UNIT]         plants every fault of the list into the RTL and checks that it is caught in the right field\n"
    "  coverage FOLDER       what the files of `run --coverage` in it cover, and what not\n"
    "  mutants [UNIT]        mutation scores: how many small changes of RTL, model (of the comparer: no unit) the benches notice\n"
    "  synth UNIT            area and timing: kGE, flip-flops, SRAM macros, the critical path by the RTL's names (--all: of all units)\n"
    "  energy UNIT           what its netlist takes: toggles in lockstep with the model x the library's energies\n"
    "  bench [UNIT]          speed: RTL alone, lockstep, model alone, as ratios within one run\n"
    "  workload list         our kernels\n"
    "  workload build INPUT  a kernel of ours, executed, or a trace or log, as a stream file with the compiler's hints (-o FILE)\n"
    "  workload info FILE    what a workload is like: kernels, masks, registers, classes, values\n"
    "  workload dump FILE    its instructions as text, one a line\n"
    "  workload bench        speed of executing our kernels' large inputs (or one: its name)\n"
    "  regress PLAN          a plan's jobs, each in a process of its own, and the reports of the night; --resume FOLDER finishes one\n"
    "  report FOLDER         the reports of a night anew\n"
    "  job FOLDER            one job of a night, --number N: what regress and its launcher call\n"
    "  version               of lockstep and its tools\n"
    "\n"
    "  --param NAME=VALUE    a parameter of the unit (again for each)\n"
    "  --seed HEX            everything random follows from it (default 1)\n"
    "  --cycles N            how long, 300k or 2M too (default 100000; a workload runs to its end)\n"
    "  --workload FILE       a trace, kernelslist.g, stream file or Ventus log instead of random stimulus (systems)\n"
    "  --rtl FILE…           your own RTL in place of ours: same ports, same registers\n"
    "  --define NAME[=VALUE] for that RTL\n"
    "  --assert              check the RTL's assertions too: a failing one is a crash, with its line\n"
    "  --coverage FILE       run: what of RTL and model is covered, into this file (builds of their own, slower)\n"
    "  --netlist             run, replay, shrink: the netlist of gates that synthesis makes, in place of the RTL (docs/netlist.md)\n"
    "  --seconds N           prove: at most so many of work for each question (default 60)\n"
    "  --allow-system        the RTL may run commands and C code ($system, $c, DPI)\n"
    "  --ports-only          compare ports and no registers: for RTL that is built differently inside\n"
    "  --waves               waves also when --no-shrink is given\n"
    "  --no-shrink           leave a failing case as it is\n"
    "  --output FOLDER       where a failure leaves its files (default build/runs/…)\n"
    "  --output FILE, -o     workload build: what to make, packed when it ends in .xz\n"
    "  --registers N         workload build: of a thread, for a kernel of ours (default 63); --large: its large input\n"
    "  --load-latency N      model: cycles of global and local loads (default as all memory instructions, 20)\n"
    "  --rthld N             workload build: reuse distance from which on a hint says far (default 10)\n"
    "  --kernel N, --warp N  workload dump: only these, from 0; --limit N: at most so many instructions\n"
    "  --json                one JSON object a line on stdout\n"
    "  --record FILE         append that object to a file, whatever is printed; faults: one object a unit, with counts\n"
    "  --timeout SECONDS     without a finished cycle: a hang (default 20; mutants of a model: 10); synth: of each tool (default 900)\n"
    "  --side SIDE           mutants: rtl, model or comparer alone\n"
    "  --jobs N              faults, mutants, regress, synth --all: processes at a time\n"
    "  --launch 'COMMAND …'   regress: starts each job through it ('srun -Q -N1 -n1'); --retries N: again when it fails (default 1)\n"
    "  --only PATTERN        regress: jobs whose names match, synth --all: units; --tier N: of tiers up to N\n"
    "  --fresh HEX           regress: base of the fresh seeds, to repeat a night's (default: drawn)\n"
    "  --traces FOLDER       regress: where real traces are (default $TRACES)\n"
    "  --history FILE        regress, report, synth: the history (default build/regress/history.db)\n"
    "  --no-times            report: nothing that differs between two nights with the same results\n"
    "  --lib FILE            synth, energy, prove, --netlist (run, replay, shrink): Liberty file of the cells (default: that of\n"
    "                        qflow-tech-osu018)\n"
    "  --no-macros           synth, energy: large memories are flip-flops too, not SRAM macros\n"
    "  --all                 synth: every unit, at synth_scripts/synth.sets; a unit outside synth_scripts/gates is a finding\n"
    "  --accept              synth: as --all, and what is found becomes the gates\n"
    "  --sample N            faults, list --all-sets: at most N of each unit's list, spread evenly over it\n"
    "                        mutants: N of a side (default 100), drawn by the seed\n"
    "  --idle                energy: all inputs are 0 after the reset\n"
    "  --period NS           energy: of the clock (default 10); --transition NS: of every input pin (default 0.1)\n"
    "  --nets FILE           energy: toggles, load and energy of every net, a line each\n"
    "  --quiet               print failures only; --brief: one line for a run that passes\n"
    "  --all-sets            list: one line a parameter set; bench: all of them\n"
    "  --small               list: one line a unit, with parameters that are quick to build\n"
    "  --files               list: one line a unit, its RTL files in compile order\n"
    "\n"
    "An option that a command would ignore is refused.\n"
    "Exit code: 0 pass, 1 a finding (mismatch, vacuous, crash, hang; model: violation), 2 could not run (usage, build).\n";

static int command_help(ls_options *o) {
    (void)o;
    (void)fputs(help_text, stdout);
    return 0;
}

static int command_version(ls_options *o) {
    const ls_tools *tools = ls_tools_once();
    if (o->json) {
        ls_text text = {0};
        ls_text_add(&text, "{\"lockstep\":\"%s\",\"verilator\":", LS_VERSION);
        ls_json_string(&text, tools->version);
        ls_text_add(&text, ",\"tools\":");
        ls_json_string(&text, tools->identity);
        (void)printf("%s}\n", text.data);
        free(ls_text_take(&text));
    } else {
        ls_say(stdout, "lockstep %s, Verilator %s\n", LS_VERSION, tools->version);
    }
    return 0;
}

static void list_json(const ls_unit *u) {
    ls_text t = {0};
    ls_text_add(&t, "{\"unit\":");
    ls_json_string(&t, u->name);
    ls_text_add(&t, ",\"group\":");
    ls_json_string(&t, u->group);
    ls_text_add(&t, ",\"brief\":");
    ls_json_string(&t, u->brief);
    ls_text_add(&t, ",\"params\":[");
    for (size_t i = 0; i < u->param_count; i++) {
        const ls_param *p = &u->params[i];
        ls_text_add(&t, "%s{\"name\":\"%s\",\"default\":%u,\"min\":%u,\"max\":%u,\"text\":", i != 0 ? "," : "", p->name, p->def, p->min, p->max);
        ls_json_string(&t, p->text);
        ls_text_add(&t, "}");
    }
    ls_text_add(&t, "],\"sets\":[");
    for (size_t i = 0; u->sets[i] != NULL; i++) {
        ls_text_add(&t, "%s", i != 0 ? "," : "");
        ls_json_string(&t, u->sets[i]);
    }
    ls_text_add(&t, "],\"system\":%s}", u->workload != NULL ? "true" : "false");
    (void)printf("%s\n", t.data);
    free(ls_text_take(&t));
}

int ls_command_list(ls_options *o) {
    for (const ls_unit *const *u = ls_units; *u != NULL; u++) {
        if (o->unit != NULL && o->unit != *u) continue;
        if (o->json) {
            list_json(*u);
            continue;
        }
        if (o->small) { /* the first fault's: a configuration that is quick to build */
            ls_say(stdout, "%s %s\n", (*u)->name, (*u)->faults[0].params != NULL ? (*u)->faults[0].params : "");
            continue;
        }
        if (o->files) {
            for (const char *const *f = (*u)->rtl; *f != NULL; f++) ls_say(stdout, "%s ", *f);
            ls_say(stdout, "rtl/%s/%s.sv\n", (*u)->group, (*u)->name);
            continue;
        }
        if (o->all_sets) {
            size_t count = 0;
            while ((*u)->sets[count] != NULL) count++;
            for (size_t i = 0; i < count; i++)
                if (ls_sampled(i, count, o->sample)) ls_say(stdout, "%s %s\n", (*u)->name, (*u)->sets[i]);
            continue;
        }
        ls_say(stdout, "%-16s %-8s %s\n", (*u)->name, (*u)->group, (*u)->brief);
        for (size_t i = 0; i < (*u)->param_count; i++) {
            const ls_param *p = &(*u)->params[i];
            ls_say(stdout, "    %-12s %4u  (%u to %u)  %s\n", p->name, p->def, p->min, p->max, p->text);
        }
    }
    return 0;
}

int ls_command_shrink(ls_options *o) {
    ls_case c;
    ls_build_result build;
    ls_gates gates = {0};
    if (ls_command_take_case(o, &c) != 0) return 2;
    if (ls_command_case_netlist(o, &c) != 0) {
        ls_case_free(&c);
        return 2;
    }
    if ((o->netlist ? ls_command_gates(o, &gates, &build) : ls_command_build(o, 0, &build)) != 0) return 2;
    char *to = ls_format("%s.shrunk", o->file);
    ls_shrink_report r;
    const int status = ls_shrink(o->file, to, build.so_path, o->ports_only, &gates.masks, &r);
    if (status != 0) ls_say(stderr, "lockstep: %s\n", r.message);
    else if (o->json) {
        ls_text t = {0};
        ls_text_add(&t, "{\"case\":");
        ls_json_string(&t, to);
        ls_text_add(&t, ",\"field\":");
        ls_json_string(&t, r.field);
        (void)printf("%s,\"cycles_before\":%zu,\"cycles\":%zu,\"inputs_before\":%zu,\"inputs\":%zu,\"trials\":%zu,\"minimal\":%s}\n", t.data,
                     r.cycles_before, r.cycles_after, r.inputs_before, r.inputs_after, r.trials, r.minimal ? "true" : "false");
        free(t.data);
    } else
        ls_say(stdout, "%s: still fails in %s; %zu of %zu cycles, %zu of %zu inputs, %zu trials%s\n", to, r.field, r.cycles_after,
                     r.cycles_before, r.inputs_after, r.inputs_before, r.trials,
                     r.minimal ? "; minimal: no cycle and no input can go" : "; stopped by the time budget, not minimal");
    free(to);
    ls_gates_free(&gates);
    ls_case_free(&c);
    ls_build_free(&build);
    return status == 0 ? 1 : 2;
}

/* Where a standard stream is missing, the next file opened would take its number and get what is printed: these refuse it. */
static void keep_numbers(void) {
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) == -1) (void)open("/dev/null", O_RDONLY);
}

/* What was printed must have arrived: else a run that passed has not told so. */
static int printed(int status) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    ls_say(stderr, "lockstep: stdout: %s\n", errno != 0 ? strerror(errno) : "write error");
    return status != 0 ? status : 2;
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        int (*call)(ls_options *);
        bool unit; /* needs one */
        bool says_nothing; /* of a unit: it does not matter what this program was compiled from */
    } commands[] = {{"list", ls_command_list, false, true},
                    {"run", ls_command_run, true, false},
                    {"model", ls_command_model, true, false},
                    {"replay", ls_command_replay, false, false},
                    {"shrink", ls_command_shrink, false, false},
                    {"waves", ls_command_waves, false, false},
                    {"bench", ls_command_bench, false, false},
                    {"faults", ls_command_faults, false, false},
                    {"mutants", ls_command_mutants, false, false},
                    {"energy", ls_command_energy, true, false},
                    {"coverage", ls_command_coverage, false, false},
                    {"prove", ls_command_prove, true, false},
                    {"synth", ls_command_synth, false, false},
                    {"workload", ls_command_workload, false, false},
                    {"regress", ls_command_regress, false, false},
                    {"job", ls_command_job, false, false},
                    {"report", ls_command_report_night, false, true},
                    {"version", command_version, false, true},
                    {"--version", command_version, false, true},
                    {"help", command_help, false, true},
                    {"--help", command_help, false, true}};
    ls_options options;
    char wrong[1024];
    keep_numbers();
    (void)umask(umask(0) | S_IWGRP | S_IWOTH); /* DUTs are run, and a night's folder says what to start: nobody else writes there */
    (void)setenv("LC_ALL", "C", 1); /* the words of the programs that it starts are read */
    for (const ls_unit *const *u = ls_units; *u != NULL; u++) {
        if (ls_unit_check(*u, wrong, sizeof wrong) == 0) continue;
        ls_command_complain(NULL, wrong);
        return 2;
    }
    if (ls_options_parse(&options, argc, argv) != 0) return 2;
    const int unwritable = options.record != NULL ? ls_text_appendable(options.record) : 0; /* before what takes long */
    if (unwritable != 0) {
        ls_say(stderr, "lockstep: %s: %s\n", options.record, strerror(-unwritable));
        ls_options_free(&options);
        return 2;
    }
    int status = 2;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(options.command, commands[i].name) != 0) continue;
        if (commands[i].unit && options.unit == NULL) {
            ls_say(stderr, "lockstep: %s needs a unit: `lockstep list` names them\n", options.command);
        } else if (!commands[i].says_nothing && ls_linked_check(wrong, sizeof wrong) != 0) {
            ls_command_complain(NULL, wrong);
        } else {
            status = commands[i].call(&options);
        }
    }
    ls_options_free(&options);
    return printed(status);
}
