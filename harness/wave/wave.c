/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/wave/wave.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/base/progress.h"
#include "harness/base/root.h"
#include "harness/core/case.h"
#include "harness/core/config.h"
#include "harness/core/design.h"
#include "harness/core/pair.h"
#include "harness/core/run.h"
#include "harness/wave/wave_top.h"
#include "waves/gtkw.h"
#include "waves/label.h"
#include "waves/surfer.h"

#define CYCLE_TIME 10000u /* ps: inputs change at its start, the edge comes in its middle */
#define DEFAULT_TIMEOUT 20.0
#define RTL_SCOPE "rtl."

/* What the child processes find; in memory shared with them. */
typedef struct finding {
    uint64_t cycle; /* the first that differs; else the last one */
    ls_where where;
    bool ended;  /* the DUT ended itself, or its process, in that cycle */
    bool failed; /* nothing came of it: see message */
    char message[512];
    uint32_t count;
    ls_view_difference differences[LS_VIEW_FIELDS * LS_VIEW_ELEMENTS];
} finding;

typedef struct job {
    const ls_case *play;
    const char *so_path, *fst;
    bool ports_only;
    unsigned timeout; /* seconds */
    int x;            /* what is X in the RTL: 0, 1 or LS_X_RANDOM */
    finding *found;
} job;

/* The DUT of this child, for call-backs and signal handlers, which have no argument of ours. */
static struct {
    const job *job;
    const ls_dut_api *api;
    ls_dut *dut;
    uint64_t cycle;
    bool dumping;
    ls_signal *signals;
} child;

/* The child's end when the DUT does not go on: the file is closed as it is. */
_Noreturn static void leave(const char *why, const char *text) {
    finding *f = child.job->found;
    f->ended = true;
    if (!child.dumping) f->cycle = child.cycle;
    (void)snprintf(f->message, sizeof f->message, "the DUT ended in cycle %" PRIu64 ": %s%s%s", child.cycle, why,
                   text[0] != '\0' ? ": " : "", text);
    if (child.dumping) child.api->wave_close(child.dut);
    _exit(0);
}

static void on_stop(ls_dut_stop what, const char *text) {
    static const char *const names[] = {"$finish", "$stop", "fatal"};
    leave(names[what], text);
}

static void on_signal(int number) {
    (void)alarm(5); /* closing the file may fail as well: then by default, which ends the process */
    leave(number == SIGALRM ? "no cycle finished in time" : strsignal(number), "");
}

static void catch_signals(void) {
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) (void)sigaction(numbers[i], &action, NULL);
}

/* The signals of the top, those below `rtl` under the names they have in the unit, and no register of the top itself: its verdict
 * and what differs are not the unit's, and the second fill would turn them around. */
static size_t unit_signals(ls_dut *dut, const ls_signal **list) {
    const ls_signal *all;
    const size_t count = child.api->signals(dut, &all);
    child.signals = ls_resize(child.signals, (count + 1) * sizeof *child.signals);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const bool units = strncmp(all[i].name, RTL_SCOPE, strlen(RTL_SCOPE)) == 0;
        if (!units && all[i].kind == LS_SIGNAL_REG) continue;
        child.signals[kept] = all[i];
        if (units) child.signals[kept].name += strlen(RTL_SCOPE);
        else if (strncmp(all[i].name, LS_WAVE_PORT, strlen(LS_WAVE_PORT)) == 0) child.signals[kept].name += strlen(LS_WAVE_PORT);
        kept++;
    }
    *list = child.signals;
    return kept;
}

static void open_pair(const job *j, ls_pair *pair) {
    static ls_dut_api api;
    finding *f = j->found;
    f->failed = true;
    child.job = j;
    child.api = ls_dut_load(j->so_path, f->message, sizeof f->message);
    if (child.api == NULL) _exit(0);
    child.api->x_value(j->x);
    api = *child.api;
    api.signals = unit_signals;
    if (ls_pair_open(pair, j->play->unit, j->play->cfg, &api, j->play->fill, on_stop, j->ports_only, NULL, f->message,
                     sizeof f->message) != 0)
        _exit(0);
    f->failed = false;
    child.dut = pair->dut;
    if (j->play->second_fill) ls_second_fill(pair);
    catch_signals();
}

/* The inputs of a cycle, after the time warp before it; after the case's end those of its last. Whether it is one of reset. */
static bool take_inputs(const job *j, ls_pair *pair, uint64_t cycle) {
    const ls_case *c = j->play;
    const size_t at = cycle < c->count ? (size_t)cycle : c->count - 1;
    if (cycle % 1024 == 0 || child.dumping) (void)alarm(j->timeout);
    child.cycle = cycle;
    memcpy(pair->in, ls_case_in(c, at), c->unit->in_size);
    if (ls_case_starts(c, cycle) && ls_pair_start(pair, &c->start, j->found->message, sizeof j->found->message) != 0) {
        j->found->failed = true;
        _exit(0);
    }
    if (cycle < c->count && c->warp[at] != 0) (void)ls_pair_warp(pair, c->warp[at]);
    return cycle < c->count && c->reset[at] != 0;
}

static ls_where step(const job *j, ls_pair *pair, uint64_t cycle) {
    return take_inputs(j, pair, cycle) ? ls_pair_reset(pair) : ls_pair_cycle(pair, NULL);
}

static uint32_t lanes_of(const ls_pair *pair, const ls_bound *b, uint32_t element) {
    uint32_t rtl[32], model[32], lanes = 0;
    ls_dut_element(b, element, rtl);
    ls_model_element(b->field, ls_pair_side(pair, b->field), element, model);
    for (uint32_t i = 0; i < 32; i++)
        if (rtl[i] != model[i]) lanes |= UINT32_C(1) << i;
    return lanes;
}

static void list_differences(const ls_pair *pair, finding *f) {
    for (size_t i = 0; i < pair->binding.count; i++) {
        const ls_bound *b = &pair->binding.list[i];
        const bool state = ls_is_state(b->field);
        uint32_t listed = 0;
        if (b->field->kind == LS_IN || state != (f->where == LS_AT_STATE)) continue;
        for (uint32_t k = 0; k < b->field->count && listed < LS_VIEW_ELEMENTS; k++) {
            const uint32_t lanes = lanes_of(pair, b, k);
            if (lanes == 0 || f->count == sizeof f->differences / sizeof f->differences[0]) continue;
            f->differences[f->count++] = (ls_view_difference){(uint32_t)(b->field - pair->fields.list), k, lanes};
            listed++;
        }
    }
}

/* In a child: plays the case to the first cycle that differs. Memories that a run sweeps are compared whole as soon as a
 * wild write that the run found last could have happened. */
static void find(const job *j) {
    ls_pair pair;
    finding *f = j->found;
    open_pair(j, &pair);
    for (uint64_t cycle = 0; cycle < j->play->count && f->where == LS_EQUAL; cycle++) {
        f->where = step(j, &pair, cycle);
        if (f->where == LS_EQUAL && !j->ports_only && cycle + pair.period >= j->play->count) f->where = ls_pair_all(&pair);
        f->cycle = cycle;
    }
    if (f->where != LS_EQUAL) list_differences(&pair, f);
}

/* The mirror ports, found once. */
typedef struct mirrors {
    uint8_t *look, *judge, *cycle;
    uint8_t **field;  /* by number; NULL for inputs */
    uint8_t **pieces; /* of mapped fields */
} mirrors;

static void find_mirrors(const ls_pair *pair, mirrors *m) {
    const ls_signal *list;
    const size_t count = unit_signals(pair->dut, &list);
    m->field = ls_alloc(pair->fields.count + 1, sizeof *m->field);
    m->pieces = ls_alloc(pair->fields.count + 1, sizeof *m->pieces);
    for (size_t i = 0; i < count; i++) {
        size_t number;
        int end = 0;
        if (strcmp(list[i].name, LS_WAVE_LOOK) == 0) m->look = list[i].addr;
        else if (strcmp(list[i].name, LS_WAVE_JUDGE) == 0) m->judge = list[i].addr;
        else if (strcmp(list[i].name, LS_WAVE_CYCLE) == 0) m->cycle = list[i].addr;
        else if (sscanf(list[i].name, LS_WAVE_MIRROR "%n", &number, &end) == 1 && end > 0 && number < pair->fields.count)
            m->field[number] = list[i].addr;
        else if (sscanf(list[i].name, LS_WAVE_PIECES "%n", &number, &end) == 1 && end > 0 && number < pair->fields.count)
            m->pieces[number] = list[i].addr;
    }
}

enum { JUDGE_OUTPUTS = 1, JUDGE_REGISTERS = 2 };

/* Writes down this moment, with the model as it is now. */
static void dump_cycle(const mirrors *m, ls_pair *pair, uint64_t cycle, unsigned judge, uint64_t time) {
    const uint32_t number = (uint32_t)cycle;
    for (size_t i = 0; i < pair->fields.count; i++) {
        const ls_field *f = &pair->fields.list[i];
        if (m->field[i] == NULL) continue;
        const uint8_t *model = ls_pair_side(pair, f);
        if (f->member_count == 0) memcpy(m->field[i], model + f->offset, (size_t)f->count * f->size);
        for (uint32_t e = 0; f->member_count > 0 && e < f->count; e++) {
            uint32_t words[32];
            ls_model_element(f, model, e, words);
            memcpy(m->field[i] + e * ls_wave_record_bytes(f), words, ls_wave_record_bytes(f));
        }
    }
    ls_gather(&pair->binding.outputs.moves);
    ls_gather(&pair->binding.state.moves);
    for (size_t i = 0; i < pair->binding.made_count; i++) {
        const ls_signal *made = &pair->binding.made[i];
        if (m->pieces[i] != NULL && made->addr != NULL) memcpy(m->pieces[i], made->addr, (size_t)made->stride * made->count);
    }
    memcpy(m->cycle, &number, sizeof number);
    *m->judge = (uint8_t)judge;
    *m->look = 1;
    pair->api->eval(pair->dut);
    *m->look = 0;
    pair->api->eval(pair->dut);
    pair->api->wave_dump(pair->dut, time);
}

/* One cycle as ls_pair_reset and ls_pair_cycle do it, shown before and after the edge; it goes on where they stop. */
static void show_cycle(const job *j, const mirrors *m, ls_pair *pair, uint64_t cycle) {
    const ls_unit *u = pair->unit;
    const bool reset = take_inputs(j, pair, cycle);
    const unsigned judge = !reset || pair->in_reset ? JUDGE_OUTPUTS : 0;
    pair->in_reset = reset;
    if (reset) u->reset(pair->model);
    if (pair->reset != NULL) *pair->reset = reset == u->names.reset_high;
    if (pair->clock != NULL) *pair->clock = pair->low;
    ls_drive(&pair->binding, pair->in);
    pair->api->eval(pair->dut);
    u->comb(pair->model, pair->in, pair->out);
    dump_cycle(m, pair, cycle, judge, cycle * CYCLE_TIME);
    if (!reset) u->clock(pair->model, pair->in);
    if (pair->clock != NULL) *pair->clock = !pair->low;
    pair->api->eval(pair->dut);
    u->comb(pair->model, pair->in, pair->out);
    dump_cycle(m, pair, cycle, JUDGE_REGISTERS, cycle * CYCLE_TIME + CYCLE_TIME / 2);
}

static uint64_t first_shown(const finding *f) { return f->cycle > LS_WAVE_BEFORE ? f->cycle - LS_WAVE_BEFORE : 0; }

/* In a child: plays the case again, with the file open around the cycle found. */
static void dump(const job *j) {
    ls_pair pair;
    mirrors m = {0};
    finding *f = j->found;
    const uint64_t last = f->cycle + (f->where != LS_EQUAL ? LS_WAVE_AFTER : 0);
    open_pair(j, &pair);
    find_mirrors(&pair, &m);
    for (uint64_t cycle = 0; cycle < first_shown(f); cycle++) (void)step(j, &pair, cycle);
    if (pair.api->wave_open(pair.dut, j->fst) != 0) {
        f->failed = true;
        (void)snprintf(f->message, sizeof f->message, "cannot write %s", j->fst);
        _exit(0);
    }
    child.dumping = true;
    for (uint64_t cycle = first_shown(f); cycle <= last; cycle++) show_cycle(j, &m, &pair, cycle);
    child.dumping = false;
    pair.api->wave_close(pair.dut);
}

/* Runs it in a process of its own. 0, or -1 with the finding's message. */
static int in_child(void (*run)(const job *), const job *j) {
    (void)fflush(NULL);
    const pid_t pid = fork();
    if (pid < 0) ls_die("cannot start the DUT's process");
    if (pid == 0) {
        const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC); /* what the DUT prints, the run before has shown */
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0) (void)dup2(nowhere, STDERR_FILENO);
        run(j);
        (void)fflush(NULL);
        _exit(0);
    }
    int status = 0;
    ls_progress_begin("writing the waves");
    (void)waitpid(pid, &status, 0);
    ls_progress_end();
    if (WIFSIGNALED(status)) {
        (void)snprintf(j->found->message, sizeof j->found->message, "the DUT's process was killed by signal %d (%s)",
                       WTERMSIG(status), strsignal(WTERMSIG(status)));
        return -1;
    }
    if (WEXITSTATUS(status) != 0 && j->found->message[0] == '\0')
        (void)snprintf(j->found->message, sizeof j->found->message, "the DUT's process ended with exit status %d",
                       WEXITSTATUS(status));
    return j->found->failed || WEXITSTATUS(status) != 0 ? -1 : 0;
}

/* The write ports that the comparer wants to see beside memories in scopes. */
static ls_rtl_wire *list_wires(const ls_fields *fields, ls_args *names, size_t *count) {
    for (size_t i = 0; i < fields->count; i++) {
        if (fields->list[i].kind != LS_MEMORY) continue;
        for (int enable = 0; enable < 2; enable++) {
            char *name = ls_write_port(&fields->list[i], enable != 0, false);
            ls_args_add(names, "%s", name);
            free(name);
        }
    }
    ls_rtl_wire *wires = ls_alloc(names->count + 1, sizeof *wires);
    for (; *count < names->count; ++*count) wires[*count] = (ls_rtl_wire){.module = "*", .var = names->list[*count]};
    return wires;
}

/* Writes the top's source into the cache, under a name that follows from its text. The path is to be freed; NULL and a message.
 */
static char *write_top(const ls_case *c, const ls_fields *fields, const ls_elab *elab, bool ports_only, char *error,
                       size_t size) {
    ls_text text = {0};
    ls_wave_top(c->unit, c->cfg, fields, elab, ports_only, &text);
    char *path = ls_format("%s/" LS_WAVE_TOP "-%016" PRIx64 ".sv", ls_cache(), c->unit->name, ls_seed_derive(0, text.data));
    const int status = ls_text_write(&text, path);
    free(ls_text_take(&text));
    if (status == 0) return path;
    (void)snprintf(error, size, "%s: %s", path, strerror(-status));
    free(path);
    return NULL;
}

/* Builds the DUT with waves; `plain` is the unit's own. 0, or -1 and a message. */
static int build_waves(const ls_options *o, const ls_case *c, const ls_fields *fields, const ls_elab *plain,
                       ls_build_result *build, char *error, size_t size) {
    static const char *const cxx_flags[] = {"-DLS_DUT_FILL_SCOPE=\"" RTL_SCOPE "\""};
    static const char *const verilator_flags[] = {"--expand-limit", "1", /* 1024-bit values by calls, not word by word */
                                                  "--x-assign", "unique"};
    char *path = write_top(c, fields, plain, o->ports_only, error, size);
    if (path == NULL) return -1;
    ls_args files = {0}, names = {0}, dirs = {0};
    ls_design_dirs(c->unit, o->rtl.count, &dirs);
    size_t wire_count = 0;
    ls_rtl_wire *wires = list_wires(fields, &names, &wire_count);
    if (o->rtl.count != 0) ls_design_user_files(c->unit, (const char *const *)o->rtl.list, o->rtl.count, &files);
    else ls_design_files(c->unit, &files);
    ls_args_add(&files, "%s", path);
    char *top = ls_format(LS_WAVE_TOP, c->unit->name);
    const char *pins[] = {ls_unit_clock(c->unit), ls_unit_reset(c->unit)};
    char *clock = ls_format(LS_WAVE_PORT "%s", pins[0] != NULL ? pins[0] : ""),
         *reset = ls_format(LS_WAVE_PORT "%s", pins[1] != NULL ? pins[1] : "");
    char *shim = ls_format("%s/harness/dut/shim.cpp", ls_root());
    const ls_build_request request = {.rtl = {.top = top,
                                              .clock = clock,
                                              .reset = reset,
                                              .files = (const char *const *)files.list,
                                              .file_count = files.count,
                                              .dirs = (const char *const *)dirs.list,
                                              .dir_count = dirs.count,
                                              .defines = (const char *const *)o->defines.list,
                                              .define_count = o->defines.count,
                                              .extra = (const char *const *)o->extra.list,
                                              .extra_count = o->extra.count,
                                              .wires = wires,
                                              .wire_count = o->ports_only ? 0 : wire_count},
                                      .flags = LS_BUILD_WAVES,
                                      .cache = ls_cache(),
                                      .shim = shim,
                                      .cxx_flags = cxx_flags,
                                      .cxx_flag_count = sizeof cxx_flags / sizeof cxx_flags[0],
                                      .verilator_flags = verilator_flags,
                                      .verilator_flag_count = sizeof verilator_flags / sizeof verilator_flags[0],
                                      .timeout_ms = 600000};
    const ls_build_status status = ls_build_dut(ls_tools_once(), &request, build);
    if (status != LS_BUILD_OK) (void)snprintf(error, size, "%s", build->text);
    free(clock);
    free(reset);
    free(shim);
    free(top);
    free(path);
    free(wires);
    ls_args_free(&files);
    ls_args_free(&dirs);
    ls_args_free(&names);
    return status == LS_BUILD_OK ? 0 : -1;
}

/* Writes the view of a finding whose FST file is there; `missing`: the run's mismatch is not in it. 0, or -1 and a message. */
static int write_view(const ls_case *c, const ls_fields *fields, const ls_elab *elab, const finding *f, int x, bool missing,
                      ls_wave_files *files) {
    ls_wave_names names;
    ls_text text = {0};
    if (ls_wave_names_read(&names, files->fst, files->message, sizeof files->message) != 0) return -1;
    const bool edge = f->where == LS_AT_STATE;
    const char *what = edge                        ? "registers differ"
                       : f->where == LS_AT_OUTPUTS ? "outputs differ"
                       : f->ended                  ? "the DUT did not finish it"
                       : missing                   ? "the run differed, these waves do not"
                                                   : "nothing differs";
    static const char *const with[] = {", with 0 for every bit that is X in the RTL",
                                       ", with 1 for every bit that is X in the RTL"};
    char *title = ls_format("cycle %" PRIu64 ": %s%s", f->cycle, what, x == LS_X_RANDOM ? "" : with[x]);
    const ls_view view = {.unit = c->unit,
                          .fields = fields,
                          .elab = elab,
                          .names = &names,
                          .fst = files->fst,
                          .gtkw = files->gtkw,
                          .title = title,
                          .from = first_shown(f) * CYCLE_TIME,
                          .marker = f->cycle * CYCLE_TIME + (edge ? CYCLE_TIME / 2 : 0),
                          .cycle_time = CYCLE_TIME,
                          .differences = f->differences,
                          .difference_count = f->count};
    ls_view_write(&view, &text);
    int status = ls_text_write(&text, files->gtkw);
    if (status != 0) (void)snprintf(files->message, sizeof files->message, "failure.gtkw: %s", strerror(-status));
    free(ls_text_take(&text));
    ls_surfer_write(&view, &text);
    if (status == 0 && (status = ls_text_write(&text, files->sucl)) != 0)
        (void)snprintf(files->message, sizeof files->message, "failure.sucl: %s", strerror(-status));
    free(ls_text_take(&text));
    free(title);
    ls_wave_names_free(&names);
    return status == 0 ? 0 : -1;
}

/* Finds the first difference. What is X in the RTL is a constant that may be another one in this build: when a mismatch is not
 * seen, with all of it at 0 and at 1 as well. */
static int search(job *j, bool mismatch) {
    const int values[] = {j->play->x, 0, 1};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        *j->found = (finding){0};
        j->x = values[i];
        const int status = in_child(find, j);
        if (status != 0 || !mismatch || j->found->where != LS_EQUAL || j->found->ended) return status;
    }
    j->x = LS_X_RANDOM;
    return 0;
}

/* Finds, dumps and writes the view. */
static int play(const ls_options *o, const ls_case *c, const ls_fields *fields, const ls_elab *elab, const char *so_path,
                bool mismatch, ls_wave_files *files) {
    finding *f = mmap(NULL, sizeof *f, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (f == MAP_FAILED) ls_die("no memory to share with the DUT's process");
    job j = {.play = c,
             .so_path = so_path,
             .fst = files->fst,
             .ports_only = o->ports_only,
             .timeout = (unsigned)(o->timeout > 0 ? o->timeout : DEFAULT_TIMEOUT) + 1,
             .found = f};
    int status = search(&j, mismatch);
    if (status == 0) status = in_child(dump, &j);
    const bool missing = mismatch && f->where == LS_EQUAL && !f->ended;
    if (status != 0) (void)snprintf(files->message, sizeof files->message, "%s", f->message);
    else status = write_view(c, fields, elab, f, j.x, missing, files);
    if (missing)
        (void)snprintf(files->note, sizeof files->note,
                       "they do not show the mismatch, not with 0 nor 1 for what is X in the RTL either");
    else if (j.x != c->x)
        (void)snprintf(files->note, sizeof files->note, "they show it with %d for every bit that is X in the RTL", j.x);
    files->shown = f->where == LS_AT_STATE && j.x == c->x;
    if (f->count > 0)
        (void)ls_element_name(&fields->list[f->differences[0].field], f->differences[0].element, files->began,
                              sizeof files->began);
    files->cycle = f->cycle;
    files->cycles = c->count;
    (void)munmap(f, sizeof *f);
    return status;
}

/* The plain DUT tells what the unit looks like, the one with waves plays the case. */
static int write_waves(const ls_options *o, const ls_case *c, bool mismatch, ls_wave_files *files) {
    ls_design_request request = ls_options_design(o);
    request.unit = c->unit;
    request.cfg = c->cfg;
    ls_build_result plain, waves = {0};
    char *error;
    if (ls_design_build(&request, &plain, &error) != 0) {
        (void)snprintf(files->message, sizeof files->message, "%s", error);
        free(error);
        return -1;
    }
    (void)snprintf(files->key, sizeof files->key, "%s", plain.key);
    void *model = ls_zeroed(c->unit->model_size);
    ls_fields fields = {0};
    int status = c->unit->init(model, c->cfg);
    if (status != 0) (void)snprintf(files->message, sizeof files->message, "%s: the configuration is refused", c->unit->name);
    else ls_unit_fields(c->unit, &fields, model);
    if (status == 0) status = build_waves(o, c, &fields, &plain.elab, &waves, files->message, sizeof files->message);
    if (status == 0) status = play(o, c, &fields, &plain.elab, waves.so_path, mismatch, files);
    ls_build_free(&waves);
    ls_build_free(&plain);
    ls_fields_free(&fields);
    free(model);
    return status;
}

int ls_wave_write(const ls_options *options, const char *case_path, bool mismatch, const char *folder, ls_wave_files *files) {
    ls_case c;
    char absolute[PATH_MAX];
    *files = (ls_wave_files){0};
    if (realpath(folder, absolute) == NULL || strlen(absolute) + sizeof "/failure.gtkw" > sizeof files->fst) {
        (void)snprintf(files->message, sizeof files->message, "%s: no such folder", folder);
        return -1;
    }
    (void)sprintf(files->fst, "%s/failure.fst", absolute);
    (void)sprintf(files->gtkw, "%s/failure.gtkw", absolute);
    (void)sprintf(files->sucl, "%s/failure.sucl", absolute);
    (void)unlink(files->fst); /* of an earlier failure */
    (void)unlink(files->gtkw);
    (void)unlink(files->sucl);
    if (ls_case_read(&c, case_path, files->message, sizeof files->message) != 0) return -1;
    if (options->unit != NULL) c.unit = options->unit; /* with the map that was asked for */
    int status = -1;
    if (c.count == 0) (void)snprintf(files->message, sizeof files->message, "%s: no cycles", case_path);
    else status = write_waves(options, &c, mismatch, files);
    ls_case_free(&c);
    return status;
}

void ls_wave_date(const ls_wave_files *files, ls_result *result) {
    ls_mismatch *m = &result->mismatch;
    /* Of a row that the cycle touched, and of what was read from a row, the run does not know how old it is. */
    const uint64_t back = m->earlier != 0 ? m->earlier : result->sweep_period;
    if (!files->shown || result->status != LS_MISMATCH || back == 0) return;
    if (result->x_walk && m->cycle >= files->cycles) return; /* the case lacks cycles of the run in several places */
    /* A case that begins at the run's last reset counts from there. */
    const uint64_t skipped = m->cycle >= files->cycles ? m->cycle - (files->cycles - 1) : 0, since = files->cycle + skipped;
    if (since > m->cycle || m->cycle - since > back || (m->earlier == 0 && since == m->cycle)) return;
    m->dated = true;
    m->since = since;
    char *told = m->count > 1 ? ls_format("%s[%u]", m->rtl_name, m->index) : ls_copy(m->rtl_name);
    if (strcmp(told, files->began) != 0) (void)snprintf(m->began, sizeof m->began, "%s", files->began);
    free(told);
}
