/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of `lockstep`; each returns the exit code. */
#ifndef LS_COMMANDS_H
#define LS_COMMANDS_H

#include "harness/core/options.h"
#include "harness/core/run.h"
#include "harness/dut/build.h"
#include "harness/netlist/gates.h"

int ls_command_new(ls_options *options);
int ls_command_list(ls_options *options);
int ls_command_run(ls_options *options);
int ls_command_watch(ls_options *options);
int ls_command_map(ls_options *options);
int ls_command_model(ls_options *options);
int ls_command_replay(ls_options *options);
int ls_command_shrink(ls_options *options);
int ls_command_version(ls_options *options);
int ls_command_waves(ls_options *options);
int ls_command_speed(ls_options *options);
int ls_command_export(ls_options *options);
int ls_command_faults(ls_options *options);
int ls_command_energy(ls_options *options);
int ls_command_prove(ls_options *options);
int ls_command_prove_netlist(ls_options *options); /* `prove --netlist` */
int ls_command_explore(ls_options *options);
int ls_command_fuzz(ls_options *options);
int ls_command_synth(ls_options *options);
int ls_command_workload(ls_options *options);
int ls_command_regress(ls_options *options);
int ls_command_job(ls_options *options);               /* one job of a regression */
int ls_command_report_regression(ls_options *options); /* `report` */
const char *ls_kernel_near(const char *word);          /* the kernel of ours whose name is nearest; NULL: none is near */
int ls_kernels_list(const ls_options *options);        /* `workload list` */
int ls_kernels_speed(const ls_options *options);       /* `workload speed` */

/* Builds the DUT of the options with `flags` (of ls_build_flag). 0, or -1 with the problems printed and recorded as "build". */
int ls_command_build(const ls_options *options, unsigned flags, ls_build_result *build);

/* Opens the workload of the options, if any, before anything is built for it. 0, or -1 with the problem printed and recorded as
 * "usage". */
int ls_command_try_workload(const ls_options *options);

/* Has the options ask for the netlist that the case was found with; it must outlive them. 0, or -1 and a message: --lib without
 * one, or an X that a netlist has not. */
int ls_command_case_netlist(ls_options *options, const ls_case *c);

/* With --rtl: whether those files have the ports and, without --ports-only, the registers of the field list. What is made of them
 * by synthesis does not show it any more. 0; or -1 and a text to free in *error. */
int ls_command_rtl_fits(const ls_options *options, char **error);

/* The same of the unit's netlist of gates (--netlist). */
int ls_command_gates(const ls_options *options, ls_gates *gates, ls_build_result *build);

/* Takes unit, parameters and (unless options name some) RTL from the options' case file into options and `c`. 0, or -1 and a
 * message. */
int ls_command_take_case(ls_options *options, ls_case *c);

/* Replays the case on the DUT that was built, reports, and leaves what a failure leaves. Returns the exit code. `gates`: of
 * --netlist; NULL without. */
int ls_command_play(ls_options *options, const ls_build_result *build, const ls_case *c, ls_gates *gates);

/* Says in the result of the case's replay when it does not fail any more, or in another field than the one that it was made for.
 */
void ls_command_compare(const ls_case *c, ls_result *result);

/* A request from the options. */
ls_request ls_command_request(const ls_options *options, const char *so_path);

/* Makes and names the folder for what a failing run leaves: --output, else build/runs/<unit>-<hash of parameters, seed,
 * workload>. */
char *ls_command_folder(const ls_options *options);

/* Removes from that folder what an earlier run of the command left, but not the file that this one reads. */
void ls_command_clear(const char *folder, const ls_options *options);

/* Makes the folder and those it lies in; ends the process with a message when it cannot. */
void ls_command_make_folders(const char *path);

/* After a run: what its failure leaves, in `folder`, and the report. `covered`: the DUT was built for coverage; `again`: the
 * command that repeats it, NULL: made from the options. Returns the exit code. */
int ls_command_conclude(ls_options *options, const ls_request *request, const ls_build_result *build, const char *folder,
                        bool covered, const char *again, ls_result *result);

/* "lockstep: what: message" on stderr, or without `what` when that is NULL. The message may hold text of the RTL or of a case
 * file. */
void ls_command_complain(const char *what, const char *message);

/* Writes the record to stdout (--json) or the text, and appends the record to --record. */
void ls_command_report(const ls_options *options, const ls_request *request, const ls_result *result,
                       const ls_build_result *build, const char *const *files, const char *command);

#endif
