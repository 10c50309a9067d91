/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/table.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/cli/commands.h"
#include "harness/coverage/coverage.h"
#include "harness/mutants/mutants.h"

#define TO(member) offsetof(ls_options, member)

/* Name, letter, argument, takes, to, max, help, more. */
const ls_option ls_option_table[] = {
    {"--param", NULL, "NAME=VALUE", LS_TAKES_PARAM, 0, 0, "a parameter of the unit (again for each)",
     "VALUE is decimal, or hexadecimal behind 0x."},
    {"--seed", NULL, "HEX", LS_TAKES_HEX, TO(seed), 0, "everything random follows from it (default 1)",
     "Up to 16 hexadecimal digits."},
    {"--cycles", NULL, "N", LS_TAKES_SCALED, TO(cycles), 0,
     "how long, 300k or 2M too (default 100000; a workload runs to its end)", NULL},
    {"--workload", NULL, "FILE", LS_TAKES_TEXT, TO(workload), 0,
     "a trace, kernelslist.g, stream file or Ventus log as stimulus (systems)",
     "Accel-Sim traces and lists, plain or .xz, in place of random stimulus. Regular files only."},
    {"--machine", NULL, "NAME", LS_TAKES_TEXT, TO(machine), 0,
     "a machine's parameters and surroundings (systems; docs/machines.md)",
     "NAME is that of a shipped one (list --machines) or, with a slash or dot in it, a file. --param overrides it."},
    {"--rtl", NULL, "FILE...", LS_TAKES_FILES, TO(given), 0, "your own RTL in place of ours: same ports, same registers",
     "Behind the unit: all words up to the next option are files."},
    {"--filelist", "-f", "FILE", LS_TAKES_LIST, TO(lists), 0, "a list of that RTL, as simulators take it (again for each)",
     "Files, +incdir+, +define+, -y, -v, +libext+, -f, -F, comments, $NAME. Its files come before those of --rtl; names begin at "
     "the "
     "current folder."},
    {"--filelist-relative", "-F", "FILE", LS_TAKES_LIST, TO(relative), 0, "the same; names begin at the list's folder", NULL},
    {"--map", NULL, "FILE", LS_TAKES_TEXT, TO(map), 0, "what that RTL calls ports, registers, clock, reset and parameters",
     "A line each (docs/map.md); `lockstep map` proposes one."},
    {"--define", NULL, "NAME[=VALUE]", LS_TAKES_MACRO, TO(defines), 0, "a macro for that RTL (again for each)", NULL},
    {"--ports-only", NULL, NULL, LS_TAKES_NOTHING, TO(ports_only), 0,
     "compare ports and no registers: RTL that is built differently inside", NULL},
    {"--allow-system", NULL, NULL, LS_TAKES_NOTHING, TO(allow_system), 0,
     "the RTL may run commands and C code ($system, $c, DPI)", NULL},
    {"--assert", NULL, NULL, LS_TAKES_NOTHING, TO(assertions), 0,
     "the RTL's assertions too: a failing one is a crash, with its line", NULL},
    {"--prove", NULL, NULL, LS_TAKES_NOTHING, TO(prove), 0,
     "by a proof in place of a run: the state and the input that it finds must differ in a replay", NULL},
    {"--lanes", NULL, NULL, LS_TAKES_NOTHING, TO(lanes), 0, "that lanes are independent and alike, too (LANES from 2 on)", NULL},
    {"--cut", NULL, "UNIT", LS_TAKES_LIST, TO(cut), 0, "of a system: this unit's model in place of its RTL, or each one's (all)",
     "It is to be proved by itself. Again for each."},
    {"--units", NULL, NULL, LS_TAKES_NOTHING, TO(units), 0, "the units that are cut, too, each by itself at its parameters",
     NULL},
    {"--netlist", NULL, NULL, LS_TAKES_NOTHING, TO(netlist), 0, "the netlist of gates that synthesis makes, in place of the RTL",
     "Compared in every register that it has; what became of the others is told (docs/netlist.md)."},
    {"--lib", NULL, "FILE", LS_TAKES_TEXT, TO(liberty), 0, "Liberty file of the cells (default: qflow-tech-osu018's)",
     "Of run, replay and shrink with --netlist alone."},
    {"--coverage", NULL, "FILE", LS_TAKES_TEXT, TO(coverage), 0, "what of RTL and model is covered, into this file (slower)",
     "The DUT is built for it; of the model with the tool of make gcov-tool."},
    {"--waves", NULL, NULL, LS_TAKES_NOTHING, TO(waves), 0, "waves of a failure although --no-shrink is given", NULL},
    {"--no-shrink", NULL, NULL, LS_TAKES_NOTHING, TO(no_shrink), 0, "leave a failing case as it is", NULL},
    {"--output", "-o", "FOLDER", LS_TAKES_TEXT, TO(output), 0, "where a failure leaves its files (default build/runs/UNIT-HASH)",
     "A run begins by removing those of an earlier one."},
    {"--to", NULL, "TARGET", LS_TAKES_TEXT, TO(to), 0, "sv-bind, vectors or vpi", NULL},
    {"--record", NULL, "FILE", LS_TAKES_TEXT, TO(record), 0, "append the JSON record to a file, whatever is printed", NULL},
    {"--timeout", NULL, "SECONDS", LS_TAKES_SECONDS, TO(timeout), 100000, "without a finished cycle: a hang (default 20)", NULL},
    {"--json", NULL, NULL, LS_TAKES_NOTHING, TO(json), 0, "one JSON object a line on stdout",
     "What the DUT prints goes to standard error."},
    {"--quiet", NULL, NULL, LS_TAKES_NOTHING, TO(quiet), 0, "print failures only", NULL},
    {"--brief", NULL, NULL, LS_TAKES_NOTHING, TO(brief), 0, "one line for a run that passes or is vacuous", NULL},
    {"--load-latency", NULL, "N", LS_TAKES_SMALL, TO(load_latency), 100000,
     "with a workload: cycles of global and local loads (default 20)", "20 is that of all memory instructions."},
    {"--all-sets", NULL, NULL, LS_TAKES_NOTHING, TO(all_sets), 0, "one line a parameter set that the main job runs", NULL},
    {"--small", NULL, NULL, LS_TAKES_NOTHING, TO(small), 0, "one line a unit, with parameters that are quick to build", NULL},
    {"--files", NULL, NULL, LS_TAKES_NOTHING, TO(files), 0, "one line a unit, its RTL files in compile order", NULL},
    {"--machines", NULL, NULL, LS_TAKES_NOTHING, TO(machines), 0, "one line a machine description that is shipped", NULL},
    {"--sample", NULL, "N", LS_TAKES_SMALL, TO(sample), 1000, "at most N faults of each unit, spread evenly over its list", NULL},
    {"--turn", NULL, "N", LS_TAKES_SMALL, TO(turn), 65536,
     "with --sample: from the Nth fault of each list on, in a circle (default 1)", NULL},
    {"--side", NULL, "SIDE", LS_TAKES_TEXT, TO(side), 0, "rtl or model alone; comparer or prover: of the tool itself", NULL},
    {"--time", NULL, "SECONDS", LS_TAKES_SMALL, TO(time), 1000000, "of work for each job (default 60, with --cycles none)",
     "Of processor time: a machine that is busy elsewhere changes nothing."},
    {"--corpus", NULL, "FOLDER", LS_TAKES_TEXT, TO(corpus), 0, "entries to begin with, and where the new ones go",
     "Default build/fuzz/UNIT. Those of tb/corpus/UNIT are begun with, too."},
    {"--hard", NULL, "FILE", LS_TAKES_TEXT, TO(hard), 0,
     "of the mutants in this list, the kills by random and by fuzzed stimulus",
     "Over equal processor time, --seconds (default 4) for each mutant, seed and kind (docs/fuzz.md)."},
    {"--jobs", NULL, "N", LS_TAKES_JOBS, TO(jobs), 100000, "processes at a time (default 1)", NULL},
    {"--seconds", NULL, "N", LS_TAKES_SMALL, TO(seconds), 100000, "at most so many of work for each question (default 60)", NULL},
    {"--no-macros", NULL, NULL, LS_TAKES_NOTHING, TO(no_macros), 0,
     "memories of 4096 bits and more are flip-flops too, not SRAM macros", NULL},
    {"--all", NULL, NULL, LS_TAKES_NOTHING, TO(all), 0, "every unit; one outside synth_scripts/gates is a finding", NULL},
    {"--accept", NULL, NULL, LS_TAKES_NOTHING, TO(accept), 0, "as --all, and what is found becomes the gates", NULL},
    {"--idle", NULL, NULL, LS_TAKES_NOTHING, TO(idle), 0, "all inputs are 0 after the reset", NULL},
    {"--period", NULL, "NS", LS_TAKES_NS, TO(period), 0, "nanoseconds of a clock cycle (default 10)", NULL},
    {"--transition", NULL, "NS", LS_TAKES_NS, TO(transition), 0, "nanoseconds of a change at every input pin (default 0.1)",
     NULL},
    {"--nets", NULL, "FILE", LS_TAKES_TEXT, TO(nets), 0, "toggles, load and energy of every net, a line each", NULL},
    {"--registers", NULL, "N", LS_TAKES_SMALL, TO(registers), 255, "of a thread, for a kernel of ours (default 63)", NULL},
    {"--schedule", NULL, NULL, LS_TAKES_NOTHING, TO(schedule), 0, "reorder a kernel of ours as a production compiler does",
     "List scheduling within basic blocks, before registers are allocated (docs/compiler.md)."},
    {"--m32", NULL, NULL, LS_TAKES_NOTHING, TO(m32), 0, "a kernel of ours compiled for 32-bit addresses (default 64)",
     "As the code that the WIR paper's simulator ran (docs/kernels.md)."},
    {"--papers-inputs", NULL, NULL, LS_TAKES_NOTHING, TO(papers_inputs), 0,
     "a kernel of ours on input like that of the papers' program",
     "Where others are random: pictures, fields, graphs, matrices (docs/kernels.md)."},
    {"--dead-together", NULL, NULL, LS_TAKES_NOTHING, TO(dead_together), 0,
     "last reads of a kernel of ours only where all lanes of the warp are together",
     "To the letter of [CERF III-D-2]; else also on one way of a branch that diverges (docs/compiler.md)."},
    {"--rthld", NULL, "N", LS_TAKES_SMALL, TO(rthld), 1000000, "reuse distance from which on a hint says far (default 10)",
     "In instructions [Malekeh 1]."},
    {"--banks", NULL, "N", LS_TAKES_SMALL, TO(banks), 32, "banks for which a kernel's hints name free registers (default 16)",
     "One Rfree a bank [bank stealing IV-C-2]. Names for another number than the run's are sound."},
    {"--hierarchy", NULL, "NAME=VALUE,...", LS_TAKES_TEXT, TO(hierarchy), 0,
     "places in a register file hierarchy for a kernel's operands",
     "Names: entries=N of the L1 (1 .. 8, default 3), l0=none, unified or split (default), slots=N (1 .. 8, default 3), active=N "
     "warps "
     "(1 .. 32, default 8) for the energies, partial, keep, branches (1 or 0, default 1), one_level, no_l1_and_mrf, leave_back "
     "(default "
     "0) [hierarchy 5, 7.9, 8.2]; `default`: all as said."},
    {"--large", NULL, NULL, LS_TAKES_NOTHING, TO(large), 0, "the kernel's large input", NULL},
    {"--kernel", NULL, "N", LS_TAKES_INDEX, TO(only_kernel), 0, "only this kernel, from 0", NULL},
    {"--warp", NULL, "N", LS_TAKES_INDEX, TO(only_warp), 0, "only this warp of the workload, from 0", NULL},
    {"--fix", NULL, "NAME=VALUE", LS_TAKES_LIST, TO(fixed), 0, "an input that keeps this value (again for each)",
     "NAME is a port without _i, all of its elements, or one, NAME[INDEX]."},
    {"--limit", NULL, "N", LS_TAKES_COUNT, TO(limit), 0, "at most so many instructions", NULL},
    {"--launch", NULL, "'COMMAND ...'", LS_TAKES_TEXT, TO(launch), 0, "starts each job through it ('srun -Q -N1 -n1')",
     "As COMMAND ... lockstep job FOLDER --number N. Words are separated by blanks."},
    {"--retries", NULL, "N", LS_TAKES_INDEX, TO(retries), 0,
     "again when a job ends without a record (default 1 with --launch, else 0)",
     "Because its node or launcher failed, it was killed from outside or found no memory. A launcher that fails before the job "
     "has begun does "
     "not count."},
    {"--tier", NULL, "N", LS_TAKES_SMALL, TO(tier), 9, "jobs of tiers up to N", NULL},
    {"--only", NULL, "PATTERN", LS_TAKES_TEXT, TO(only), 0, "jobs whose names match (* any text, ? any character)", NULL},
    {"--fresh", NULL, "HEX", LS_TAKES_HEX, TO(fresh), 0, "base of the fresh seeds, to repeat a regression's (default: drawn)",
     "Up to 16 hexadecimal digits; what is drawn is printed and recorded."},
    {"--traces", NULL, "FOLDER", LS_TAKES_TEXT, TO(traces), 0, "where real traces are (default $TRACES)",
     "Without either, rows that name traces are left out."},
    {"--resume", NULL, "FOLDER", LS_TAKES_TEXT, TO(resume), 0, "finish the regression in this folder", NULL},
    {"--history", NULL, "FILE", LS_TAKES_TEXT, TO(history), 0, "the history, an SQLite file (default build/regress/history.db)",
     NULL},
    {"--no-times", NULL, NULL, LS_TAKES_NOTHING, TO(no_times), 0,
     "nothing that differs between two regressions with the same results", "It leaves out times, hosts and lost attempts."},
    {"--number", NULL, "N", LS_TAKES_INDEX, TO(number), 0, "which job, from 0", NULL},
    {"--ticket", NULL, "T", LS_TAKES_TEXT, TO(ticket), 0, "of this start: what regress gave it", NULL},
    {"--unit", NULL, "NAME", LS_TAKES_TEXT, TO(unit_name), 0, "the unit's name (default: the module's or the folder's)", NULL},
    {"--group", NULL, "GROUP", LS_TAKES_TEXT, TO(group), 0, "a unit of this tree, in that group, in place of a project",
     "Its RTL is --from's, or what is there already, or a counter."},
    {"--from", NULL, "FILE...", LS_TAKES_FILES, TO(from), 0,
     "a module of yours: ports, registers, widths and parameters are found",
     "Its file last, packages and what else it needs before. Modules beside it are found by the names of their files."},
    {"--man", NULL, NULL, LS_TAKES_NOTHING, TO(man), 0, "this program's part of its manual page", NULL},
    {"--completion", NULL, "SHELL", LS_TAKES_TEXT, TO(completion), 0, "a completion of bash, zsh or fish, as a script", NULL},
    {"--help", "-h", NULL, LS_TAKES_NOTHING, TO(help), 0, "what the command does, its options, an example", NULL},
    {0}};

const ls_meaning ls_meaning_table[] = {
    {"run", "--all-sets", NULL, "every parameter set of the unit in turn; ends with a count of those that pass"},
    {"run", "--lib", "FILE", "with --netlist: Liberty file of the cells (default: qflow-tech-osu018's)"},
    {"watch", "--limit", "N", "ends after so many verdicts (default: never)"},
    {"map", "--cycles", "N", "how long both are run (default 2000)"},
    {"map", "--map", "FILE", "lines that are right already"},
    {"model", "--cycles", "N", "how long, 300k or 2M too (default 1000000; a workload runs to its end)"},
    {"replay", "--waves", NULL, "waves of the failure, which are made anyway"},
    {"replay", "--lib", "FILE", "with --netlist: Liberty file of the cells (default: qflow-tech-osu018's)"},
    {"shrink", "--lib", "FILE", "with --netlist: Liberty file of the cells (default: qflow-tech-osu018's)"},
    {"list", "--sample", "N", "with --all-sets: at most N sets of each unit, spread evenly over its list"},
    {"list", "--turn", "N", "with --sample: from the Nth set of each list on, in a circle (default 1)"},
    {"speed", "--all-sets", NULL, "all parameter sets, of the unit or of all"},
    {"faults", "--record", "FILE", "append one object a unit to a file, with counts"},
    {"explore", "--limit", "N", "at most so many states (default 10000000)"},
    {"explore", "--side", "model", "the model alone: no RTL is built"},
    {"mutants", "--sample", "N", "of a side (default 100), drawn by the seed; with --hard a list of the N hardest is printed"},
    {"mutants", "--timeout", "SECONDS",
     "a mutant that hangs is killed after these (default 20, of the model 10, of the comparer 600, of the prover 120)"},
    {"prove", "--ports-only", NULL, "with --netlist: registers are not required"},
    {"prove", "--lib", "FILE", "with --netlist: Liberty file of the cells (default: qflow-tech-osu018's)"},
    {"prove", "--netlist", NULL, "the netlist of gates against the RTL, in place of the model"},
    {"prove", "--seconds", "N", "of the solver's work (default 180); with --netlist for each question (default 60)"},
    {"fuzz", "--side", "model", "the model alone: no RTL is built"},
    {"fuzz", "--cycles", "N", "in lockstep, of each job, 300k or 2M too (default: as long as --time)"},
    {"energy", "--ports-only", NULL, "registers are not required: RTL that is built differently inside"},
    {"synth", "--timeout", "SECONDS", "of each tool (default 900)"},
    {"synth", "--jobs", "N", "with --all or --accept: processes at a time (default 1)"},
    {"synth", "--only", "PATTERN", "with --all or --accept: units whose names match"},
    {"synth", "--brief", NULL, "the folder of the results and no more"},
    {"synth", "--quiet", NULL, "no progress"},
    {"export", "--cycles", "N", "of vectors, 300k or 2M too (default 1000; a workload runs to its end)"},
    {"export", "--output", "FOLDER", "for the files; made when it is not there"},
    {"regress", "--output", "FOLDER", "of the regression (default: the next build/regress/PLAN-NUMBER)"},
    {"workload", "--output", "FILE", "what to make, packed when it ends in .xz; whole or not at all"},
    {0}};

#define RTL_OPTIONS " --rtl --filelist --filelist-relative --map --define --ports-only --allow-system --assert"
#define RUN_OPTIONS " --output --record --timeout --json --quiet"
#define UNIT_OPTIONS " --param --machine --seed --cycles --workload"

#define COMPARE "Compare"
#define FAILURE "Look into a failure"
#define REGRESS "Regressions"
#define SYNTHESIS "Synthesis, netlists, energy"
#define WORKLOADS "Workloads"
#define OTHER "Other"

#define A_FINDING "a finding: mismatch, vacuous, crash, hang"
#define A_STREAM "lockstep workload build vecadd -o vecadd.rfs\n"
#define A_REGRESSION "lockstep regress tb/plans/smoke.plan --only '*rf_rr*' --output my_regression\n"
/* A design with a fault, and the case that it leaves. */
#define A_FAILURE                                                                                                                \
    "sed 's/take_i && valid_o/valid_o/' rtl/common/rf_rr.sv >my_rr.sv\nlockstep run rf_rr --rtl my_rr.sv --no-shrink --output "  \
    "my_run\n"

/* Name, verb, group, subject, synopsis, purpose; about; options, of_case, example, good, finding; call, needs_unit, says_nothing.
 */
const ls_command ls_command_table[] = {
    {"list", NULL, COMPARE, LS_OF_UNIT, "[UNIT] [OPTION]...", "units, their parameters and parameter sets", NULL,
     " --all-sets --small --files --machines --sample --turn --json", NULL, "lockstep list rf_arbiter", "done", NULL,
     ls_command_list, false, true},
    {"run", NULL, COMPARE, LS_OF_UNIT, "UNIT [OPTION]...", "model and RTL in lockstep, to the first bit that differs",
     "A mismatch leaves a case, its shrunk form, and waves. Where the default parameters cannot reach all bins, a run without "
     "--param, --all-sets, "
     "--workload, --json, --record, --brief, --coverage and --netlist goes on with the parameter set that reaches most of the "
     "others.",
     UNIT_OPTIONS RTL_OPTIONS RUN_OPTIONS " --brief --all-sets --waves --no-shrink --coverage --netlist --lib", NULL,
     "lockstep run rf_rr --param N=4 --cycles 20k", "pass", A_FINDING, ls_command_run, true, false},
    {"watch", NULL, COMPARE, LS_OF_UNIT, "UNIT [OPTION]...", "runs again after each change of RTL, model or bench",
     "One line a verdict: time, status, unit, seconds from the change on, first difference or error. A change during a run "
     "starts "
     "the next one. A model of the tree is built with make, one of a project by the run. Ctrl-C ends it.",
     UNIT_OPTIONS RTL_OPTIONS " --output --timeout --waves --no-shrink --limit", NULL, "lockstep watch rf_rr --limit 1",
     "the last run, after --limit, passed", A_FINDING, ls_command_watch, true, true},
    {"map", NULL, COMPARE, LS_OF_UNIT, "UNIT --rtl FILE... [OPTION]...", "proposes a map: what your RTL calls what the model has",
     "By name, by width, and by running both: registers that are equal after every edge. A comment says what is certain and what "
     "a "
     "guess; what is open stands at the end. --map has lines that are right already.",
     " --param --seed --cycles --rtl --filelist --filelist-relative --map --define --allow-system", NULL,
     "sed 's/mask_q/later_q/' rtl/common/rf_rr.sv >my_rr.sv\nlockstep map rf_rr --rtl my_rr.sv >my_rr.map",
     "every port and register has a line, or its own name", "some have none, or the outputs differ", ls_command_map, true, false},
    {"model", NULL, COMPARE, LS_OF_UNIT, "UNIT [OPTION]...", "the C model alone, without RTL: properties and counters",
     "With random stimulus or a workload: its always-checked properties and its counters. No compiler is needed. A unit without "
     "properties only "
     "ran.",
     UNIT_OPTIONS " --record --json --quiet --load-latency", NULL, "lockstep model rf_banked --cycles 20k", "pass",
     "a property was violated", ls_command_model, true, false},
    {"prove", NULL, COMPARE, LS_OF_UNIT, "UNIT [OPTION]...", "is the model the RTL, for every state and every input?",
     "The C model and the RTL become graphs of gates, and a solver decides whether outputs and next state are the same from any "
     "state "
     "that the field list's invariants allow, whether these hold, and whether C gives a meaning to all that the model does. A "
     "difference "
     "is replayed on the Verilated RTL. docs/proof.md says how, and what it does not say. Undecided is exit 2. --netlist: is the "
     "netlist of gates the "
     "RTL?",
     " --param --rtl --map --allow-system --seconds --output --json --record --quiet --lanes --cut --units --netlist "
     "--ports-only --lib",
     NULL, "lockstep prove rf_rr --param N=4", "proved (--netlist: equivalent)", "different", ls_command_prove, true, false},
    {"explore", NULL, COMPARE, LS_OF_UNIT, "UNIT [OPTION]...", "all states of a small unit, with all inputs; RTL too",
     "Every state that the model reaches from reset, breadth first, with every input: what is never reached, and where nothing "
     "goes on. Then a "
     "walk that takes each of these transitions on the RTL, in lockstep (docs/explore.md).",
     " --param --fix --limit --side" RTL_OPTIONS RUN_OPTIONS " --waves --no-shrink", NULL, "lockstep explore rf_rr --param N=4",
     "all transitions agree, all bins are as the bench says",
     "a mismatch; a bin that is never hit, or hit although it is called unreachable; a state that nothing leaves",
     ls_command_explore, true, false},
    {"fuzz", NULL, COMPARE, LS_OF_UNIT, "UNIT [OPTION]...", "stimulus that is guided by what it reaches",
     "The choices of the unit's bench are recorded, changed and put together, and run in lockstep; what reaches something new is "
     "kept (docs/fuzz.md). A finding is reported as by run.",
     " --param --machine --seed --cycles --time --jobs --corpus --side" RTL_OPTIONS RUN_OPTIONS " --waves --no-shrink", NULL,
     "lockstep fuzz rf_rr --param N=4 --cycles 20k", "pass", A_FINDING, ls_command_fuzz, true, false},
    {"faults", NULL, COMPARE, LS_OF_UNIT, "[UNIT] [OPTION]...", "does lockstep catch every planted fault, in the right field?",
     "Plants each listed fault into a copy of the RTL and demands that it is found in the named field. An object of --record has "
     "unit, status, "
     "planted, caught, missed, message, seconds; of those of --json each is a fault's. With --prove each is proved at its own "
     "parameters and those of --param, or else of the unit's last line in tb/proof.sets (with --cut: with a cut) where they go "
     "together.",
     " --seed --jobs --sample --turn --prove --param --cut --json --record", NULL, "lockstep faults rf_rr --sample 1",
     "all were caught", "one was missed, or could not be planted or built", ls_command_faults, false, false},
    {"mutants", NULL, COMPARE, LS_OF_UNIT, "[UNIT] [OPTION]...", "does the bench notice small changes of RTL and model?",
     "Mutation scores: how many small changes of the RTL (in a netlist by Yosys) and of the model the unit's bench notices, and "
     "which of the "
     "others nobody could (berkeley-abc); without a unit, of the comparer, or with --side prover of the prover. Of survivors in "
     "model "
     "and tool nothing is proved: they are listed alone.",
     " --side --jobs --sample --seed --timeout --hard --seconds --json --record --quiet", NULL,
     "lockstep mutants rf_rr --side rtl --sample 3", "none survived of which it is proved that it could be noticed",
     "a mutant of the RTL survives that is proved to differ", ls_command_mutants, false, false},
    {"coverage", NULL, COMPARE, LS_OF_CASE, "FOLDER", "what the files of `run --coverage` in it cover, and what not",
     "Merges the files *.dat, per unit, and prints what is neither covered nor waived in tb/coverage.waivers.", "", NULL,
     "mkdir -p my_coverage\nlockstep run rf_sched_lrr --coverage my_coverage/1.dat\nlockstep coverage my_coverage",
     "all is covered or waived", "something is neither", ls_command_coverage, false, false},
    {"export", NULL, COMPARE, LS_OF_UNIT, "UNIT --to TARGET -o FOLDER [OPTION]...", "the same check inside another simulator",
     "sv-bind: a checker that binds to the unit in any testbench and runs the C model beside it through DPI. vectors: a run as "
     "text files with a testbench that compares itself. vpi: the model as a module for Icarus. "
     "docs/guide/other-simulators.md says how.",
     UNIT_OPTIONS " --rtl --filelist --filelist-relative --map --define --ports-only --allow-system --output --to --quiet", NULL,
     "lockstep export rf_rr --to vectors -o my_vectors", "the files are there", NULL, ls_command_export, true, false},
    {"speed", NULL, COMPARE, LS_OF_UNIT, "[UNIT] [OPTION]...", "of RTL alone, lockstep, model alone; the overhead of lockstep",
     "As ratios within one run: medians, at each of four places of the stack.", " --param --seed --all-sets --json" RTL_OPTIONS,
     NULL, "lockstep speed rf_rr", "measured", "RTL and model differ, or the DUT ends itself", ls_command_speed, false, false},
    {"replay", NULL, FAILURE, LS_OF_CASE, "FILE [OPTION]...", "a case file again, without what generated it", NULL,
     RTL_OPTIONS RUN_OPTIONS " --brief --waves --netlist --lib", NULL, "lockstep replay tb/corpus/rf_rr/pointer_ignored.case",
     "pass", A_FINDING, ls_command_replay, false, false},
    {"shrink", NULL, FAILURE, LS_OF_CASE, "FILE [OPTION]...", "a case file made minimal, as FILE.shrunk",
     "Delta debugging over cycles, then inputs; the result still fails in the same field. A case that passes cannot be shrunk.",
     RTL_OPTIONS " --json --netlist --lib", NULL, A_FAILURE "lockstep shrink my_run/failure.case --rtl my_rr.sv", NULL,
     "shrunk, and it still fails", ls_command_shrink, false, false},
    {"waves", NULL, FAILURE, LS_OF_EITHER, "UNIT [OPTION]...\nFILE [OPTION]...", "waves of a failure, or of a run's last cycles",
     "One FST of RTL, model and differences, and the GTKWave view that opens on the first one (docs/waves.md).",
     UNIT_OPTIONS RTL_OPTIONS RUN_OPTIONS, RTL_OPTIONS RUN_OPTIONS, "lockstep waves rf_rr --cycles 300 --output my_waves", "pass",
     A_FINDING, ls_command_waves, false, false},
    {"regress", NULL, REGRESS, LS_OF_CASE, "PLAN [OPTION]...\n--resume FOLDER [OPTION]...",
     "a plan's jobs, and the reports of the regression",
     "Runs the jobs of a plan (tb/plans), each in a process of its own with a record, then puts the regression into the history "
     "and writes its reports "
     "into its folder (docs/regression.md). --resume finishes a regression that was stopped, whatever stopped it: the jobs "
     "without a final record run, "
     "the results are those of an uninterrupted regression.",
     " --jobs --launch --retries --tier --only --fresh --traces --resume --history --output --quiet", NULL, A_REGRESSION,
     "everything passed or is a known issue", "a finding", ls_command_regress, false, false},
    {"report", NULL, REGRESS, LS_OF_CASE, "FOLDER [OPTION]...", "the reports of a regression anew",
     "It puts the regression into the history, too.", " --history --no-times --quiet", NULL,
     A_REGRESSION "lockstep report my_regression", "everything passed or is a known issue", "a finding",
     ls_command_report_regression, false, true},
    {"job", NULL, REGRESS, LS_OF_CASE, "FOLDER --number N", "one job of a regression: what regress and its launcher call", NULL,
     " --number --ticket", NULL, A_REGRESSION "rm my_regression/records/0.json\nlockstep job my_regression --number 0",
     "the job has its record, whatever is in it", NULL, ls_command_job, false, false},
    {"synth", NULL, SYNTHESIS, LS_OF_UNIT, "UNIT [OPTION]...\n--all [OPTION]...\n--accept [OPTION]...",
     "area and timing, by the RTL's names",
     "Yosys maps the RTL to a cell library, OpenSTA finds the critical path. Thousands of NAND2 equivalents (kGE) and whose they "
     "are, flip-flops, "
     "SRAM macros, the worst path of each kind in ns, FO4 and levels; and the change since another commit. --all: all units at "
     "the parameters of "
     "synth_scripts/synth.sets, records in build/synth/all.jsonl, an entry of each in the history. --accept: the gates get 2 % "
     "of area and 1.5 FO4 "
     "on either side. docs/synthesis.md says what the figures mean and do not mean.",
     " --param --rtl --map --lib --no-macros --all --accept --only --jobs --timeout --history --json --record --brief --quiet",
     NULL, "lockstep synth rf_rr", "done; with --all: all are within the gates", "with --all: one is outside", ls_command_synth,
     false, false},
    {"energy", NULL, SYNTHESIS, LS_OF_UNIT, "UNIT [OPTION]...", "what the netlist takes: toggles x the library's energies",
     "Picojoules a cycle: the nets' toggles, counted in lockstep with the model, times the library's energies, by group and by "
     "register or "
     "instance; SRAM macros and, for systems on a workload, the model's events at the papers' prices apart. docs/energy.md says "
     "what is in it.",
     UNIT_OPTIONS
     " --rtl --map --ports-only --allow-system --lib --no-macros --idle --period --transition --nets --json --record --quiet",
     NULL, "lockstep energy rf_rr", "done", "netlist and model differ", ls_command_energy, true, false},
    {"workload", "list", WORKLOADS, LS_OF_NOTHING, "[OPTION]...", "our kernels", NULL, " --json", NULL, "lockstep workload list",
     "done", NULL, ls_command_workload, false, false},
    {"workload", "build", WORKLOADS, LS_OF_WORKLOAD, "INPUT -o FILE [OPTION]...", "a kernel, trace or log as a stream file",
     "A kernel of ours is executed and its result checked; the stream has the compiler's hints. Without INPUT it lists the "
     "kernels.",
     " --output --registers --schedule --m32 --papers-inputs --dead-together --rthld --banks --hierarchy --large --json", NULL,
     "lockstep workload build vecadd -o vecadd.rfs", "made", NULL, ls_command_workload, false, false},
    {"workload", "info", WORKLOADS, LS_OF_WORKLOAD, "FILE [OPTION]...", "kernels, masks, registers, classes, values, hints", NULL,
     " --json", NULL, A_STREAM "lockstep workload info vecadd.rfs", "done", NULL, ls_command_workload, false, false},
    {"workload", "dump", WORKLOADS, LS_OF_WORKLOAD, "FILE [OPTION]...", "its instructions as text, one a line",
     "Number, PC, mask, class, registers, values, addresses, hints.", " --kernel --warp --limit", NULL,
     A_STREAM "lockstep workload dump vecadd.rfs --limit 5", "done", NULL, ls_command_workload, false, false},
    {"workload", "speed", WORKLOADS, LS_OF_WORKLOAD, "[KERNEL] [OPTION]...", "of executing our kernels' large inputs",
     "Of all or of one: million lane instructions a second.", " --registers --json", NULL, "lockstep workload speed vecadd",
     "measured", NULL, ls_command_workload, false, false},
    {"new", NULL, OTHER, LS_OF_CASE,
     "FOLDER [--unit NAME] [--from FILE...] [-f FILE]\n--group GROUP [--unit NAME] [--from FILE...]",
     "a project, another unit in it, or a unit of this tree",
     "A small project that runs at once: RTL, C model, field list, bench, judge, Makefile, CI. With --from Verilator elaborates "
     "your "
     "module, and the skeleton of its model compiles and fails with a mismatch that says what to write next. Files that are "
     "there "
     "stay.",
     " --unit --from --group --filelist --filelist-relative --define", NULL,
     "lockstep new my_project --unit my_counter\nlockstep new --group common --unit rf_sat", "made", NULL, ls_command_new, false,
     true},
    {"version", NULL, OTHER, LS_OF_NOTHING, "[OPTION]...", "of lockstep and its tools", NULL, " --json", NULL, "lockstep version",
     "done", NULL, ls_command_version, false, true},
    {"help", NULL, OTHER, LS_OF_COMMAND, "[COMMAND]\n--completion SHELL\n--man",
     "all commands; with COMMAND: its options and an example", "Every command has --help (-h), too, which prints the same.",
     " --man --completion", NULL, "lockstep help run", "done", NULL, NULL, false, true},
    {0}};

/* Words of the version before. Accepted for one version, and shown nowhere. */
static const struct {
    const char *command; /* of which it is the second word; NULL: it is the first */
    const char *old, *now;
} old_words[] = {{NULL, "bench", "speed"}, {"workload", "bench", "speed"}};

const char *ls_word_now(const char *command, const char *word) {
    for (size_t i = 0; i < sizeof old_words / sizeof *old_words; i++) {
        const char *of = old_words[i].command;
        if (strcmp(word, old_words[i].old) == 0 && (of == NULL ? command == NULL : command != NULL && strcmp(of, command) == 0))
            return old_words[i].now;
    }
    return word;
}

const ls_command *ls_command_find(const char *name, const char *verb) {
    for (const ls_command *c = ls_command_table; c->name != NULL; c++)
        if (strcmp(c->name, name) == 0 && (c->verb == NULL || strcmp(c->verb, verb) == 0)) return c;
    return NULL;
}

bool ls_list_has(const char *list, const char *word) {
    const size_t n = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += n)
        if (at > list && at[-1] == ' ' && (at[n] == ' ' || at[n] == '\0')) return true;
    return false;
}

bool ls_command_takes(const ls_command *command, const char *option) {
    return ls_list_has(command->options, option) || strcmp(option, "--help") == 0;
}

const ls_option *ls_option_find(const char *word) {
    for (const ls_option *o = ls_option_table; o->name != NULL; o++)
        if (strcmp(o->name, word) == 0 || (o->letter != NULL && strcmp(o->letter, word) == 0)) return o;
    return NULL;
}

const ls_meaning *ls_meaning_find(const ls_command *command, const ls_option *option) {
    for (const ls_meaning *m = ls_meaning_table; m->command != NULL; m++)
        if (strcmp(m->command, command->name) == 0 && strcmp(m->option, option->name) == 0) return m;
    return NULL;
}

char *ls_command_words(const ls_command *c) {
    return ls_format("%s%s%s", c->name, c->verb != NULL ? " " : "", c->verb != NULL ? c->verb : "");
}
