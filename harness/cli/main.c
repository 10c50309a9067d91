/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep: C models and RTL of register-file units, cycle by cycle, bit for bit. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/provenance.h"
#include "harness/base/progress.h"
#include "harness/base/text.h"
#include "harness/cli/commands.h"
#include "harness/cli/help.h"
#include "harness/cli/parse.h"
#include "harness/cli/table.h"
#include "harness/core/config.h"
#include "harness/project/project.h"

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

/* Whether the file of --record can be written, before what takes long. */
static int check_record(const ls_options *o) {
    const int unwritable = o->record != NULL ? ls_text_appendable(o->record) : 0;
    if (unwritable == 0) return 0;
    ls_say(stderr, "lockstep: %s: %s\n", o->record, strerror(-unwritable));
    return -1;
}

/* Of the unit that the command names, else of all. */
static int check_units(const ls_unit *named, char *error, size_t size) {
    int status = 0;
    for (const ls_unit *const *u = ls_units; *u != NULL && status == 0; u++)
        if (named == NULL || *u == named) status = ls_unit_check(*u, error, size);
    return status;
}

/* The command's exit code. */
static int call(ls_options *o) {
    char wrong[1024];
    const ls_command *command = ls_command_find(o->command, o->verb != NULL ? o->verb : "");
    if (o->help || command->call == NULL) {
        ls_help(o);
        return 0;
    }
    if (check_record(o) != 0) return 2;
    if (command->needs_unit && o->unit == NULL) {
        ls_say(stderr, "lockstep: %s needs a unit: `lockstep list` names them\n", o->command);
        return 2;
    }
    if (command->call != ls_command_job && /* what that starts looks itself */
        (check_units(o->unit, wrong, sizeof wrong) != 0 ||
         (!command->says_nothing && ls_provenance_check(wrong, sizeof wrong) != 0))) {
        ls_command_complain(NULL, wrong);
        return 2;
    }
    return command->call(o);
}

/* Whether the words need no unit: then a project that does not compile is in nobody's way. */
static bool without_units(int argc, char **argv) {
    static const char *const words[] = {"help", "--help", "-h", "version", "--version", "new"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (argc < 2 || strcmp(argv[1], words[i]) == 0) return true;
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return true;
    return false;
}

/* The case file among the words, which may lie in a project, or NULL. */
static const char *case_among(int argc, char **argv) {
    for (int i = 2; i < argc; i++) {
        const size_t n = strlen(argv[i]);
        if (n > 5 && strcmp(argv[i] + n - 5, ".case") == 0 && access(argv[i], R_OK) == 0) return argv[i];
    }
    return NULL;
}

/* Loads the units of the project that this is called in. 0, or 2 after a message. */
static int open_project(int argc, char **argv, ls_project *project) {
    char wrong[1024], *failed = NULL;
    bool coverage = false;
    for (int i = 2; i < argc; i++) coverage |= strcmp(argv[i], "--coverage") == 0;
    int status = without_units(argc, argv) ? 1 : ls_project_find(project, case_among(argc, argv), wrong, sizeof wrong);
    if (status < 0) ls_command_complain(NULL, wrong);
    if (status == 0 && (status = ls_project_load(project, coverage, &failed)) != 0) ls_command_complain(project->name, failed);
    free(failed);
    return status < 0 ? 2 : 0;
}

/* Whether the words ask for less: before the units are there that the others are read with. */
static bool is_quiet(int argc, char **argv) {
    bool quiet = false;
    for (int i = 2; i < argc; i++) quiet |= strcmp(argv[i], "--quiet") == 0 || strcmp(argv[i], "--brief") == 0;
    return quiet;
}

int main(int argc, char **argv) {
    ls_options options;
    ls_project project = {0};
    keep_numbers();
    (void)umask(umask(0) | S_IWGRP |
                S_IWOTH);           /* DUTs are run, and a regression's folder says what to start: nobody else writes there */
    (void)setenv("LC_ALL", "C", 1); /* the words of the programs that it starts are read */
    if (!is_quiet(argc, argv)) ls_progress_allow();
    if (open_project(argc, argv, &project) != 0) return 2;
    if (ls_options_parse(&options, argc, argv) != 0) return 2;
    const int status = call(&options);
    ls_options_free(&options);
    ls_project_free(&project);
    return printed(status);
}
