/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/synth/synth.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/folder.h"
#include "harness/base/hash.h"
#include "harness/base/liberty.h"
#include "harness/base/process.h"
#include "harness/base/progress.h"
#include "harness/base/root.h"
#include "harness/core/design.h"
#include "harness/core/map.h"
#include "harness/core/signals.h"
#include "harness/dut/toolchain.h"

#define RECIPE "synth-1" /* part of every key: to be raised when results are made in another way that the key does not show */
#define MACRO_BITS 4096  /* memories of so many bits and more become macros */
#define FOLDER "synth_scripts"

/* What Yosys reads of ours, below FOLDER. */
static const char *const scripts[] = {"synth.tcl", "sram.lib", "sram_map.v", "sram_macros.tcl"};

/* What a finished folder holds; the last is written when all others are there. */
static const char *const results[] = {"gates.il",  "gates.v",      "timing.v", "macros.v",
                                      "cells.tsv", "memories.tsv", "sram.tsv", "cost.tsv"};

/* The files that Yosys reads, and in `dirs` where it finds modules that the user's files leave to ours. */
static void list_files(const ls_synth_request *rq, ls_args *files, ls_args *dirs) {
    ls_args given = {0};
    if (rq->rtl_count == 0) ls_design_files(rq->unit, &given);
    else ls_design_user_files(rq->unit, rq->rtl, rq->rtl_count, &given);
    for (size_t i = 0; i < given.count; i++) { /* Yosys runs elsewhere; what does not exist it complains of by its name */
        char *absolute = realpath(given.list[i], NULL);
        ls_args_add(files, "%s", absolute != NULL ? absolute : given.list[i]);
        free(absolute);
    }
    ls_args_free(&given);
    ls_design_dirs(rq->unit, rq->rtl_count, dirs);
}

/* NAME VALUE ... of the top module; or an error, when a map has one fixed at another value. */
static void list_parameters(const ls_synth_request *rq, ls_args *parameters, char **error) {
    ls_args names = {0}, values = {0};
    (void)ls_map_params(rq->unit, rq->cfg, &names, &values, error);
    for (size_t i = 0; i < values.count; i++) {
        ls_args_add(parameters, "%s", names.list[i]);
        ls_args_add(parameters, "%s", values.list[i]);
    }
    ls_args_free(&names);
    ls_args_free(&values);
}

static char *key_of(const ls_synth_request *rq, const ls_args *files, const ls_args *dirs, const ls_args *parameters,
                    const char *library, const char *version) {
    ls_hash h = ls_hash_begin();
    ls_hash_text(&h, RECIPE);
    ls_hash_text(&h, version);
    ls_hash_text(&h, rq->unit->name);
    ls_hash_text(&h, ls_unit_top(rq->unit));
    ls_hash_text(&h, ls_clock_name(rq->unit));
    ls_hash_text(&h, ls_reset_name(rq->unit));
    ls_hash_number(&h, rq->unit->names.falling);
    ls_hash_texts(&h, (const char *const *)parameters->list, parameters->count);
    ls_hash_number(&h, rq->macros);
    ls_hash_number(&h, MACRO_BITS);
    ls_hash_texts(&h, (const char *const *)files->list, files->count);
    for (size_t i = 0; i < files->count; i++) (void)ls_hash_source(&h, files->list[i]);
    for (size_t i = 0; i < dirs->count; i++) ls_hash_sources(&h, dirs->list[i]); /* any of them may be read too */
    (void)ls_hash_file(&h, library);
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        char *path = ls_format("%s/" FOLDER "/%s", ls_root(), scripts[i]);
        (void)ls_hash_file(&h, path);
        free(path);
    }
    return ls_hash_end(&h);
}

/* A list of Tcl, of names and numbers alone. */
static void put_list(ls_text *out, const char *name, const ls_args *list) {
    ls_text_add(out, "set %s [list", name);
    for (size_t i = 0; i < list->count; i++) ls_text_add(out, " %s", list->list[i]);
    ls_text_add(out, "]\n");
}

/* folder/source-N.sv for each file, which takes it in by its path, whatever that holds; their names in `names`. NULL or an error.
 */
static char *write_sources(const ls_args *files, const char *folder, ls_args *names) {
    char *failed = NULL;
    for (size_t i = 0; i < files->count && failed == NULL; i++) {
        if (strpbrk(files->list[i], "\"\\\n") != NULL)
            return ls_format("%s: Yosys can take no path with a quote, a backslash or a line's end in it", files->list[i]);
        ls_text text = {0};
        ls_args_add(names, "source-%zu.sv", i);
        ls_text_add(&text, "`include \"%s\"\n", files->list[i]);
        char *path = ls_format("%s/%s", folder, names->list[i]);
        const int error = ls_text_write(&text, path);
        if (error != 0) failed = ls_format("%s: %s", path, strerror(-error));
        free(path);
        free(ls_text_take(&text));
    }
    return failed;
}

char *ls_synth_link(const char *folder, const char *name, const char *target) {
    char *path = ls_format("%s/%s", folder, name);
    const int error = ls_link(target, path);
    char *failed = error != 0 ? ls_format("%s: %s", path, strerror(-error)) : NULL;
    free(path);
    return failed;
}

char *ls_synth_link_scripts(const char *folder) {
    char *home = ls_format("%s/" FOLDER, ls_root()), *failed = ls_synth_link(folder, LS_SYNTH_SCRIPTS, home);
    free(home);
    return failed;
}

/* folder/settings.tcl, which synth.tcl reads, and what it names: by names in the folder, for Yosys's Tcl takes a path beyond
 * ASCII for another. NULL or an error. */
static char *write_settings(const ls_synth_request *rq, const ls_args *files, const ls_args *dirs, const ls_args *parameters,
                            const ls_liberty *library, const char *folder) {
    ls_text out = {0};
    ls_args sources = {0}, folders = {0};
    char *failed = write_sources(files, folder, &sources);
    if (failed == NULL) failed = ls_synth_link(folder, LS_SYNTH_LINK, library->path);
    if (failed == NULL) failed = ls_synth_link_scripts(folder);
    if (failed == NULL) failed = ls_link_dirs(dirs, folder, &folders);
    ls_text_add(&out, "set top %s\nset falling %d\nset macros %d\nset macro_bits %d\n", ls_unit_top(rq->unit),
                rq->unit->names.falling, rq->macros, MACRO_BITS);
    ls_text_add(&out, "set library " LS_SYNTH_LINK "\nset scripts " LS_SYNTH_SCRIPTS "\nset driver %s\nset load %.3f\n",
                ls_liberty_inverter(library)->name, 4 * ls_synth_inverter_load(library) * 1e15);
    put_list(&out, "files", &sources);
    put_list(&out, "dirs", &folders);
    put_list(&out, "parameters", parameters);
    char *path = ls_format("%s/settings.tcl", folder);
    const int error = failed == NULL ? ls_text_write(&out, path) : 0;
    if (error != 0) failed = ls_format("%s: %s", path, strerror(-error));
    free(path);
    free(ls_text_take(&out));
    ls_args_free(&sources);
    ls_args_free(&folders);
    return failed;
}

double ls_synth_inverter_load(const ls_liberty *library) {
    const ls_liberty_cell *inverter = ls_liberty_inverter(library);
    for (size_t i = 0; i < inverter->pin_count; i++)
        if (inverter->pins[i].input) return inverter->pins[i].capacitance;
    return 0;
}

/* The lines of folder/synth.log that say why Yosys refused; free() it. */
static char *complaints(const char *folder) {
    static const char flop[] =
        "the library has no flip-flop that can become this one: Yosys needs some with an asynchronous set and "
        "reset, or with both apart";
    ls_text log = {0}, out = {0};
    char *path = ls_format("%s/synth.log", folder);
    (void)ls_text_read(&log, path);
    ls_text_put(&log, "", 0);
    for (const char *line = log.data; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        const bool ours = strncmp(line, "lockstep: ", 10) == 0;
        if (memmem(line, length, "cannot be legalized", 19) != NULL) ls_text_add(&out, "%s%s", out.size == 0 ? "" : "\n", flop);
        if (ours || memmem(line, length, "ERROR: ", 7) != NULL)
            ls_text_add(&out, "%s%.*s", out.size == 0 ? "" : "\n", (int)(length - (ours ? 10 : 0)), line + (ours ? 10 : 0));
        line += length + (line[length] == '\n');
    }
    free(path);
    free(ls_text_take(&log));
    return ls_text_take(&out);
}

/* Yosys ends with a failed assertion when its folder for temporary files is none: said before. NULL or the error. */
static char *check_temporary(void) {
    const char *folder = getenv("TMPDIR");
    if (folder == NULL || folder[0] == '\0' || access(folder, W_OK | X_OK) == 0) return NULL;
    return ls_format("TMPDIR=%s: %s: Yosys needs a folder for temporary files", folder, strerror(errno));
}

static char *run_yosys(const ls_synth_request *rq, const ls_args *files, const ls_args *dirs, const ls_args *parameters,
                       const ls_liberty *library, const char *folder) {
    char *failed = check_temporary();
    if (failed == NULL) failed = write_settings(rq, files, dirs, parameters, library, folder);
    if (failed != NULL) return failed;
    char *log = ls_format("%s/synth.log", folder);
    ls_process_result run;
    ls_progress_begin("%s: synthesis", rq->unit->name);
    int code = ls_process_run(&(ls_process){.argv = (const char *const[]){"yosys", "-c", LS_SYNTH_SCRIPTS "/synth.tcl", NULL},
                                            .dir = folder,
                                            .output_path = log,
                                            .timeout_ms = rq->timeout_ms},
                              &run);
    ls_progress_end();
    if (code != 0) {
        failed = ls_format("yosys cannot be run: %s", strerror(-code));
    } else if (!ls_process_ok(&run)) {
        char ending[80], *why = complaints(folder);
        failed = ls_format("%s: %s%syosys: %s", rq->unit->name, why, *why == '\0' ? "" : "\n",
                           ls_process_ending(&run, ending, sizeof ending));
        free(why);
    } else {
        ls_text cost = {0};
        ls_text_add(&cost, "seconds\t%.2f\nmegabytes\t%.1f\n", run.seconds, run.megabytes);
        char *path = ls_format("%s/cost.tsv", folder);
        code = ls_text_write(&cost, path);
        if (code != 0) failed = ls_format("%s: %s", path, strerror(-code));
        free(path);
        free(ls_text_take(&cost));
    }
    ls_process_free(&run);
    free(log);
    return failed;
}

/* What ls_cached_folder is given. */
typedef struct making {
    const ls_synth_request *request;
    const ls_args *files, *dirs, *parameters; /* NAME VALUE ... */
    const ls_liberty *liberty;
    ls_synth *synth;
} making;

/* Takes what a finished folder holds; false when it is none. */
static bool read_folder(void *ctx) {
    ls_synth *s = ((const making *)ctx)->synth;
    bool whole = true;
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        char *path = ls_format("%s/%s", s->folder, results[i]);
        whole = whole && ls_readable(path);
        free(path);
    }
    ls_text cost = {0};
    char *path = ls_format("%s/cost.tsv", s->folder);
    whole = whole && ls_text_read(&cost, path) == 0;
    ls_text_put(&cost, "", 0);
    whole = whole && sscanf(cost.data, "seconds\t%lf\nmegabytes\t%lf", &s->seconds, &s->megabytes) == 2;
    free(path);
    free(ls_text_take(&cost));
    return whole;
}

/* The library by its absolute path, and read. */
static char *find_library(const char *name, char **absolute, ls_liberty *library) {
    char error[512];
    if (name != NULL && name[0] == '\0') return ls_copy("--lib: expected the name of a Liberty file, there is none");
    *absolute = realpath(name != NULL ? name : LS_SYNTH_LIBRARY, NULL);
    if (*absolute == NULL && name != NULL) return ls_format("%s: %s", name, strerror(errno));
    if (*absolute == NULL)
        return ls_format(
            "the cell library %s is missing: apt-get install qflow-tech-osu018, or name another Liberty file by --lib "
            "(make: LIB=)",
            LS_SYNTH_LIBRARY);
    if (ls_liberty_read(*absolute, library, error, sizeof error) != 0) return ls_copy(error);
    const ls_liberty_cell *nand2 = ls_liberty_nand2(library), *inverter = ls_liberty_inverter(library);
    if (nand2 == NULL || inverter == NULL)
        return ls_format("%s: no cell is %s: areas are counted in NANDs, delays in inverters", *absolute,
                         nand2 == NULL ? "a NAND of two inputs" : "an inverter");
    if (!(nand2->area > 0))
        return ls_format("%s: cell %s: area: %g; expected more than 0: areas are counted in it", *absolute, nand2->name,
                         nand2->area);
    if (!(ls_synth_inverter_load(library) > 0))
        return ls_format("%s: cell %s: capacitance of its input: %g; expected more than 0: loads are counted in it", *absolute,
                         inverter->name, ls_synth_inverter_load(library));
    return NULL;
}

static char *make_in(void *ctx, const char *folder) {
    const making *m = ctx;
    return run_yosys(m->request, m->files, m->dirs, m->parameters, m->liberty, folder);
}

int ls_synth_make(const ls_synth_request *rq, ls_synth *s, char **error) {
    *s = (ls_synth){0};
    ls_liberty library = {0};
    *error = find_library(rq->liberty, &s->liberty, &library);
    char *version = *error == NULL ? ls_yosys_version() : NULL;
    if (*error == NULL && version == NULL)
        *error = ls_format("area and timing need Yosys, which cannot be run: apt-get install yosys");
    ls_args files = {0}, dirs = {0}, parameters = {0};
    if (*error == NULL) list_parameters(rq, &parameters, error);
    if (*error != NULL) {
        free(version);
        ls_args_free(&parameters);
        ls_liberty_free(&library);
        ls_synth_free(s);
        return -1;
    }
    list_files(rq, &files, &dirs);
    char *key = key_of(rq, &files, &dirs, &parameters, s->liberty, version), *cache = NULL;
    const int code = ls_make_directories(ls_cache());
    if (code == 0) cache = realpath(ls_cache(), NULL);
    s->folder = ls_format("%s/synth/%s-%s", cache != NULL ? cache : ls_cache(), rq->unit->name, key);
    making m = {rq, &files, &dirs, &parameters, &library, s};
    if (strpbrk(s->folder, "\"';*?\n") != NULL) /* abc's words end there, and Yosys looks for what matches */
        *error = ls_format("%s: Yosys and abc can take no path with a quote, a semicolon, * or ? in it: set LOCKSTEP_CACHE",
                           s->folder);
    else *error = ls_cached_folder(&(ls_cached){s->folder, read_folder, make_in, &m}, &s->cached);
    ls_liberty_free(&library);
    s->tool = version;
    free(key);
    free(cache);
    ls_args_free(&files);
    ls_args_free(&dirs);
    ls_args_free(&parameters);
    if (*error == NULL) return 0;
    ls_synth_free(s);
    return -1;
}

void ls_synth_free(ls_synth *s) {
    free(s->folder);
    free(s->liberty);
    free(s->tool);
    *s = (ls_synth){0};
}
