/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/synth/synth_time.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/folder.h"
#include "harness/base/hash.h"
#include "harness/base/process.h"
#include "harness/base/root.h"
#include "harness/core/signals.h"

#define RECIPE "timing-1" /* part of every key: to be raised when timing is made in another way that the key does not show */
#define PERIOD 100.0      /* in ns: small enough for OpenSTA's single precision to hold a femtosecond or so of it */

const char *const ls_path_kinds[LS_PATH_KINDS] = {"register to register", "input to register", "register to output",
                                                  "input to output"};
static const char *const words[LS_PATH_KINDS] = {"reg_reg", "in_reg", "reg_out", "in_out"};
static const char *const scripts[] = {"timing.tcl", "fo4.tcl"};

/* OpenSTA's version, or NULL when it cannot be run. */
static char *sta_version(void) {
    ls_process_result run;
    if (ls_process_run(&(ls_process){.argv = (const char *const[]){"sta", "-version", NULL}, .timeout_ms = 20000}, &run) != 0)
        return NULL;
    char *text = ls_process_ok(&run) ? ls_format("OpenSTA %.*s", (int)strcspn(run.output, "\n"), run.output) : NULL;
    ls_process_free(&run);
    return text;
}

/* The library is none of it: the folder in which this is kept is named by it. */
static char *key_of(const ls_timing *t, const ls_sram *list, size_t count) {
    ls_hash h = ls_hash_begin();
    ls_hash_text(&h, RECIPE);
    ls_hash_text(&h, t->tool);
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        char *path = ls_format("%s/synth_scripts/%s", ls_root(), scripts[i]);
        (void)ls_hash_file(&h, path);
        free(path);
    }
    for (size_t i = 0; i < count; i++) {
        const ls_sram_figure *f = list[i].figure;
        char *figures = ls_format("%s %.17g %.17g %.17g", list[i].name, f->access_ns, f->fo4_ps, ls_sram_area(&list[i]));
        ls_hash_text(&h, figures);
        free(figures);
    }
    return ls_hash_end(&h);
}

static char *write_text(ls_text *text, const char *folder, const char *name) {
    char *path = ls_format("%s/%s", folder, name);
    const int error = ls_text_write(text, path);
    char *failed = error != 0 ? ls_format("%s: %s", path, strerror(-error)) : NULL;
    free(path);
    free(ls_text_take(text));
    return failed;
}

static char *write_settings(const char *folder, const ls_unit *unit, const ls_liberty *library, bool macros) {
    ls_text out = {0};
    const double input = ls_synth_inverter_load(library);
    ls_text_add(&out,
                "set top %s\nset clock %s\nset reset %s"
                "\nset period %.9g\nset driver %s\nset load %.6g\nset libraries [list " LS_SYNTH_LINK,
                ls_unit_top(unit), ls_clock_name(unit), ls_reset_name(unit), PERIOD * 1e-9 / library->time_unit,
                ls_liberty_inverter(library)->name, 4 * input / library->capacitance_unit);
    ls_text_add(&out, "%s]\n", macros ? " macros.lib" : "");
    char *failed = ls_synth_link(folder, LS_SYNTH_LINK, library->path); /* as it was when the netlist was made it need not be */
    if (failed == NULL) failed = ls_synth_link_scripts(folder);
    if (failed != NULL) free(ls_text_take(&out));
    return failed != NULL ? failed : write_text(&out, folder, "timing-settings.tcl");
}

/* folder/fo4.v: sixteen inverters in a row, each with three more to drive. */
static char *write_chain(const char *folder, const ls_liberty *library) {
    ls_text out = {0};
    const ls_liberty_cell *inverter = ls_liberty_inverter(library);
    const char *in = "", *to = "";
    for (size_t i = 0; i < inverter->pin_count; i++) {
        if (inverter->pins[i].input) in = inverter->pins[i].name;
        if (inverter->pins[i].output) to = inverter->pins[i].name;
    }
    ls_text_add(&out, "module fo4(first, fourth, twelfth);\n  input first;\n  output fourth, twelfth;\n  wire ");
    for (unsigned i = 1; i <= 16; i++) ls_text_add(&out, "n%u, l%ua, l%ub, l%uc%s", i, i, i, i, i < 16 ? ", " : ";\n");
    for (unsigned i = 1; i <= 16; i++) {
        const char *net = i == 4    ? "fourth"
                          : i == 12 ? "twelfth"
                                    : NULL,
                   *before = i == 1    ? "first"
                             : i == 5  ? "fourth"
                             : i == 13 ? "twelfth"
                                       : NULL;
        char *own = net != NULL ? ls_copy(net) : ls_format("n%u", i),
             *from = before != NULL ? ls_copy(before) : ls_format("n%u", i - 1);
        ls_text_add(&out, "  %s u%u (.%s(%s), .%s(%s));\n", inverter->name, i, in, from, to, own);
        for (unsigned k = 0; k < 3; k++)
            ls_text_add(&out, "  %s x%u%c (.%s(%s), .%s(l%u%c));\n", inverter->name, i, 'a' + k, in, own, to, i, 'a' + k);
        free(own);
        free(from);
    }
    ls_text_add(&out, "endmodule\n");
    return write_text(&out, folder, "fo4.v");
}

/* Runs a script of ours in the folder; what it says goes to folder/<script>.log. It has succeeded when it wrote `result`. */
static char *run_sta(const char *folder, const char *script, const char *result, unsigned timeout_ms, ls_timing *t) {
    char *path = ls_format(LS_SYNTH_SCRIPTS "/%s", script), *log = ls_format("%s/%s.log", folder, script);
    char *made = ls_format("%s/%s", folder, result), *failed = NULL;
    ls_process_result run;
    (void)unlink(made);
    const int code =
        ls_process_run(&(ls_process){.argv = (const char *const[]){"sta", "-no_splash", "-no_init", "-exit", path, NULL},
                                     .dir = folder,
                                     .output_path = log,
                                     .timeout_ms = timeout_ms},
                       &run);
    ls_text said = {0};
    (void)ls_text_read(&said, log);
    ls_text_put(&said, "", 0);
    /* It goes on after an error, and what it writes then means nothing. */
    const char *error = code == 0 ? strstr(said.data, "Error:") : NULL;
    if (code != 0) {
        failed = ls_format("sta cannot be run: %s", strerror(-code));
    } else if (error != NULL || !ls_process_ok(&run) || !ls_readable(made)) {
        char ending[80];
        failed = ls_format("%s: OpenSTA: %.*s (%s)", script, error != NULL ? (int)strcspn(error, "\n") : 17,
                           error != NULL ? error : "wrote no result", ls_process_ending(&run, ending, sizeof ending));
    }
    free(ls_text_take(&said));
    t->seconds += run.seconds;
    if (run.megabytes > t->megabytes) t->megabytes = run.megabytes;
    ls_process_free(&run);
    free(path);
    free(log);
    free(made);
    return failed;
}

/* The number in folder/fo4.out, in seconds. */
static char *read_fo4(const char *folder, const ls_liberty *library, double *fo4) {
    ls_text text = {0};
    char *path = ls_format("%s/fo4.out", folder), *failed = NULL;
    (void)ls_text_read(&text, path);
    ls_text_put(&text, "", 0);
    *fo4 = strtod(text.data, NULL) * library->time_unit;
    if (!(*fo4 > 0 && *fo4 < 1e-6))
        failed = ls_format("%s: \"%.40s\" is no delay of an inverter of %s", path, text.data, library->path);
    free(path);
    free(ls_text_take(&text));
    return failed;
}

/* ---- paths ---- */

/* A pin's name as the RTL has it: gates.v calls bit 3 of a register mask_q "mask_q_3_", and its flip-flop "mask_q_3__reg". Of a
 * logic cell the name of the net it drives, or Yosys's own. */
static char *rtl_name(const char *pin) {
    const char *slash = strrchr(pin, '/');
    size_t n = slash != NULL ? (size_t)(slash - pin) : strlen(pin);
    if (slash != NULL && n > 4 && strncmp(pin + n - 4, "_reg", 4) == 0) n -= 4;
    size_t digits = 0;
    if (n > 2 && pin[n - 1] == '_')
        while (digits + 2 < n && pin[n - 2 - digits] >= '0' && pin[n - 2 - digits] <= '9') digits++;
    if (digits == 0 || pin[n - 2 - digits] != '_' || pin[0] == '_') return ls_format("%.*s", (int)n, pin);
    return ls_format("%.*s[%.*s]", (int)(n - 2 - digits), pin, (int)digits, pin + n - 1 - digits);
}

static ls_path *path_of(ls_timing *t, const char *word) {
    for (size_t i = 0; i < LS_PATH_KINDS; i++)
        if (strcmp(words[i], word) == 0) return &t->paths[i];
    return NULL;
}

/* Keeps of a path's pins the first and last, and the outputs between them. */
static void add_step(ls_path *p, const char *pin, const char *cell, double seconds) {
    const bool macro = strncmp(cell, "rf_sram_", 8) == 0; /* of it the pin tells something */
    p->steps = ls_grow(p->steps, p->count, sizeof *p->steps);
    p->steps[p->count++] = (ls_path_step){
        .name = macro ? ls_copy(pin) : rtl_name(pin), .cell = ls_copy(strcmp(cell, "-") == 0 ? "" : cell), .seconds = seconds};
}

static void close_path(ls_path *p, bool from_register, bool to_register) {
    size_t kept = 0;
    for (size_t i = 0; i < p->count; i++) { /* each cell comes as its input and its output, but for a register at either end */
        const bool first = i == 0, last = i + 1 == p->count;
        const bool cells =
            !last && p->steps[i].cell[0] != '\0' && p->steps[i + 1].cell[0] != '\0'; /* a port has the name of its driver */
        const bool input = !first && cells && strcmp(p->steps[i].name, p->steps[i + 1].name) == 0;
        if (input) {
            free(p->steps[i].name);
            free(p->steps[i].cell);
        } else {
            p->steps[kept++] = p->steps[i];
        }
    }
    p->count = kept;
    p->levels = 0;
    for (size_t i = 0; i < kept; i++)
        p->levels += p->steps[i].cell[0] != '\0' && !(i == 0 && from_register) && !(i + 1 == kept && to_register);
}

/* Takes folder/<name>. False when it is not there or not whole. */
static bool read_timing(const char *folder, const char *name, const ls_liberty *library, ls_timing *t) {
    ls_text text = {0};
    char *path = ls_format("%s/%s", folder, name), kind[16], pin[4096], cell[512];
    bool whole = false;
    double value;
    (void)ls_text_read(&text, path);
    ls_text_put(&text, "", 0);
    for (char *line = text.data, *next; *line != '\0'; line = next) {
        next = line + strcspn(line, "\n");
        if (*next != '\0') *next++ = '\0';
        if (sscanf(line, "path %15s %lf", kind, &value) == 2) {
            ls_path *p = path_of(t, kind);
            if (p != NULL) p->seconds = value * library->time_unit;
        } else if (sscanf(line, "step %15s %lf %4095s %511s", kind, &value, pin, cell) == 4) {
            ls_path *p = path_of(t, kind);
            if (p != NULL) add_step(p, pin, cell, value * library->time_unit);
        } else if (sscanf(line, "cost %lf %lf %lf", &t->fo4, &t->seconds, &t->megabytes) == 3) {
            whole = true;
        }
    }
    for (size_t i = 0; i < LS_PATH_KINDS; i++) {
        ls_path *p = &t->paths[i];
        close_path(p, i == LS_PATH_REG_REG || i == LS_PATH_REG_OUT, i == LS_PATH_REG_REG || i == LS_PATH_IN_REG);
        if (p->count > 0 && (t->worst == NULL || p->seconds > t->worst->seconds)) t->worst = p;
    }
    free(path);
    free(ls_text_take(&text));
    return whole;
}

/* Puts what OpenSTA found, with FO4 and cost behind it, where read_timing() finds it. */
static char *write_timing(const char *folder, const char *name, const ls_timing *t) {
    ls_text text = {0};
    char *from = ls_format("%s/timing.out", folder);
    (void)ls_text_read(&text, from);
    ls_text_put(&text, "", 0);
    free(from);
    if (text.size < 5 || strcmp(text.data + text.size - 5, "done\n") != 0) {
        free(ls_text_take(&text));
        return ls_format("%s/timing.out: OpenSTA did not come to its end", folder);
    }
    ls_text_add(&text, "cost %.17g %.3f %.1f\n", t->fo4, t->seconds, t->megabytes);
    return write_text(&text, folder, name);
}

static void drop_paths(ls_timing *t) {
    for (size_t i = 0; i < LS_PATH_KINDS; i++) {
        for (size_t k = 0; k < t->paths[i].count; k++) {
            free(t->paths[i].steps[k].name);
            free(t->paths[i].steps[k].cell);
        }
        free(t->paths[i].steps);
        t->paths[i] = (ls_path){0};
    }
    t->worst = NULL;
}

/* The registers in folder/timing.out whose paths are not those of one clock, or not all looked at; NULL, or an error that names
 * the first. */
static char *read_wrong(const char *folder, const ls_unit *unit) {
    char *edge = ls_format("is not clocked by the %s edge of", unit->names.falling ? "falling" : "rising");
    const struct {
        const char *word, *before, *pin, *behind;
    } wrongs[] = {
        {"wrong", edge, ls_clock_name(unit), ": its paths are none of one period"},
        {"gated", "has a clock that others than", ls_clock_name(unit), " make too: paths into a clock are not looked at"},
        {"forced", "has a set or reset that others than", ls_reset_name(unit), " make too: paths into those are not looked at"},
    };
    ls_text text = {0};
    char *path = ls_format("%s/timing.out", folder), word[16], pin[4096], *failed = NULL;
    (void)ls_text_read(&text, path);
    ls_text_put(&text, "", 0);
    for (const char *line = text.data; line != NULL && *line != '\0'; line = strchr(line, '\n'), line += line != NULL) {
        if (sscanf(line, "%15s %4095s", word, pin) != 2) continue;
        for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0] && failed == NULL; i++) {
            if (strcmp(word, wrongs[i].word) != 0) continue;
            char *name = rtl_name(pin);
            failed = ls_format("%s: register %s %s %s%s", unit->name, name, wrongs[i].before, wrongs[i].pin, wrongs[i].behind);
            free(name);
        }
    }
    free(edge);
    free(path);
    free(ls_text_take(&text));
    return failed;
}

static char *measure(const ls_synth *s, const ls_unit *unit, const ls_liberty *library, const ls_sram *list, size_t count,
                     unsigned timeout_ms, const char *name, ls_timing *t) {
    char *failed = write_settings(s->folder, unit, library, count > 0);
    if (failed == NULL) failed = write_chain(s->folder, library);
    if (failed == NULL) failed = run_sta(s->folder, "fo4.tcl", "fo4.out", timeout_ms, t);
    if (failed == NULL) failed = read_fo4(s->folder, library, &t->fo4);
    char *macros = ls_format("%s/macros.lib", s->folder);
    const int error = failed == NULL && count > 0 ? ls_sram_write(macros, list, count, library, t->fo4) : 0;
    if (error != 0) failed = ls_format("%s: %s", macros, strerror(-error));
    free(macros);
    if (failed == NULL) failed = run_sta(s->folder, "timing.tcl", "timing.out", timeout_ms, t);
    if (failed == NULL) failed = read_wrong(s->folder, unit);
    return failed != NULL ? failed : write_timing(s->folder, name, t);
}

int ls_timing_make(const ls_synth *s, const ls_unit *unit, const ls_liberty *library, const ls_sram *list, size_t count,
                   unsigned timeout_ms, ls_timing *t, char **error) {
    *t = (ls_timing){0};
    *error = NULL;
    t->tool = sta_version();
    if (t->tool == NULL)
        t->missing = ls_copy("OpenSTA is missing: apt-get install opensta (the command `sta`); area needs it not");
    for (size_t i = 0; i < count && t->missing == NULL; i++)
        if (list[i].figure == NULL)
            t->missing = ls_format("synth_scripts/sram.table has no figures for %s or a larger one with its ports", list[i].name);
    if (t->missing != NULL) return 0;
    char *key = key_of(t, list, count), *name = ls_format("timing-%s", key), *lock_path = ls_format("%s/timing.lock", s->folder);
    const int lock = ls_lock(lock_path);
    if (lock < 0) {
        *error = ls_format("%s: %s", lock_path, strerror(-lock));
    } else if (read_timing(s->folder, name, library, t)) {
        t->cached = true;
    } else {
        drop_paths(t);
        *error = measure(s, unit, library, list, count, timeout_ms, name, t);
        if (*error == NULL && !read_timing(s->folder, name, library, t))
            *error = ls_format("%s/%s: not what was written", s->folder, name);
    }
    if (lock >= 0) ls_unlock(lock, lock_path);
    free(key);
    free(name);
    free(lock_path);
    if (*error == NULL) return 0;
    ls_timing_free(t);
    return -1;
}

void ls_timing_free(ls_timing *t) {
    drop_paths(t);
    free(t->missing);
    free(t->tool);
    *t = (ls_timing){0};
}

double ls_timing_fo4(const ls_timing *t) { return t->worst != NULL && t->fo4 > 0 ? t->worst->seconds / t->fo4 : 0; }
