/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/coverage/coverage_run.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/folder.h"
#include "harness/base/memory.h"
#include "harness/base/progress.h"
#include "harness/base/provenance.h"
#include "harness/core/config.h"
#include "harness/core/place.h"
#include "harness/coverage/coverage_points.h"

/* The folder that this tool lies in; free() it. */
static char *own_folder(void) {
    char path[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash != NULL) *slash = '\0';
    return ls_copy(path);
}

/* Whether a file was written before another one. */
static bool older(const char *path, const char *than) {
    struct stat a, b;
    if (stat(path, &a) != 0 || stat(than, &b) != 0) return false;
    if (a.st_mtim.tv_sec != b.st_mtim.tv_sec) return a.st_mtim.tv_sec < b.st_mtim.tv_sec;
    return a.st_mtim.tv_nsec < b.st_mtim.tv_nsec;
}

/* Carries on as the tool whose models are built for gcov, when there is one. One that was built before this tool is another
 * tool. */
static void become_gcov_tool(const ls_options *o) {
    char *folder = own_folder(), *tool = ls_format("%s/gcov/lockstep", folder);
    const bool there = access(tool, X_OK) == 0, stale = there && older(tool, "/proc/self/exe");
    if (there && !stale) {
        (void)fflush(NULL);
        (void)execv(tool, o->argv);
    }
    ls_say(stderr, "lockstep: no coverage of the C models: %s%s%s (make gcov-tool)\n", stale ? "" : "there is no ", tool,
           stale ? " is older than this tool" : "");
    free(tool);
    free(folder);
}

static void set(const ls_param *p, void *cfg, uint32_t value) { memcpy((char *)cfg + p->offset, &value, sizeof value); }

/* Both judges of a configuration. 1: accepted, 0: refused, -1: they disagree. */
static int judge(const ls_unit *unit, const void *cfg, void *model) {
    const bool checked = unit->check(cfg) == NULL, made = unit->init(model, cfg) == 0;
    return checked != made ? -1 : checked ? 1 : 0;
}

int ls_coverage_ranges(const ls_unit *unit, char *error, size_t size) {
    enum { CORNERS = 5 };
    void *cfg = ls_config_new(unit), *model = ls_zeroed(unit->model_size);
    int status = 0;
    for (size_t i = 0; i < unit->param_count && status == 0; i++) {
        const ls_param *p = &unit->params[i];
        const uint32_t outside[] = {p->min - 1, p->max + 1}; /* 0 - 1 is outside as well */
        for (size_t k = 0; k < 2 && status == 0; k++) {
            set(p, cfg, outside[k]);
            if (judge(unit, cfg, model) == 0) continue;
            (void)snprintf(error, size, "%s: %s=%u is not refused by the model's check and init: the field list says %u to %u",
                           unit->name, p->name, outside[k], p->min, p->max);
            status = -1;
        }
        set(p, cfg, p->def);
        for (size_t n = 0; n < (i + 1) * CORNERS * CORNERS && status == 0; n++) {
            const ls_param *q = &unit->params[n / (CORNERS * CORNERS)];
            const uint32_t a[] = {p->min, p->min + 1, p->def, p->max - 1, p->max},
                           b[] = {q->min, q->min + 1, q->def, q->max - 1, q->max};
            set(q, cfg, b[n / CORNERS % CORNERS]);
            set(p, cfg, a[n % CORNERS]);
            if (judge(unit, cfg, model) < 0) {
                (void)snprintf(error, size, "%s: the model's check and init do not agree on %s=%u %s=%u", unit->name, q->name,
                               b[n / CORNERS % CORNERS], p->name, a[n % CORNERS]);
                status = -1;
            }
            set(q, cfg, q->def);
            set(p, cfg, p->def);
        }
    }
    free(model);
    free(cfg);
    return status;
}

int ls_coverage_begin(ls_coverage_run *run, const ls_options *o, char *error, size_t size) {
    *run = (ls_coverage_run){0};
    if (!ls_gcov_built() && o->unit->place == NULL) become_gcov_tool(o);
    char folder[PATH_MAX];
    const char *slash = strrchr(o->coverage, '/');
    const int length = slash == NULL ? 1 : slash == o->coverage ? 1 : (int)(slash - o->coverage);
    (void)snprintf(folder, sizeof folder, "%.*s", length, slash == NULL ? "." : o->coverage);
    const int status = ls_make_directories(folder);
    if (status != 0) {
        (void)snprintf(error, size, "%s: %s", folder, strerror(-status));
        return -1;
    }
    ls_discard(o->coverage); /* an old one must not pass for this run's */
    run->raw = ls_format("%s.raw", o->coverage);
    if (ls_gcov_built()) {
        char real[PATH_MAX];
        const char *name = slash != NULL ? slash + 1 : o->coverage;
        if (realpath(folder, real) == NULL) real[0] = '\0';
        run->counters = ls_format("%s/%s.gcov", real, name);
        ls_remove_tree(run->counters); /* of a killed run: gcov would add to it */
        (void)setenv("GCOV_PREFIX", run->counters, 1);
        (void)unsetenv("GCOV_PREFIX_STRIP");
    }
    return ls_coverage_ranges(o->unit, error, size);
}

int ls_coverage_end(const ls_coverage_run *run, const ls_options *o, bool written, char *error, size_t size) {
    ls_points points = {0};
    int status = 0;
    ls_gcov_dump(); /* what this process did before the DUT's began; and nothing more at its end */
    if (!written) {
        (void)snprintf(error, size, "%s: the run wrote no coverage", o->coverage);
        status = -1;
    }
    ls_progress_begin("%s: reading coverage", o->unit->name);
    if (status == 0) status = ls_coverage_dat(&points, o->unit, run->raw, ls_unit_root(o->unit), error, size);
    if (status == 0 && run->counters != NULL) {
        char *folder = own_folder(), *objects = ls_format("%s/obj", folder);
        if (o->unit->place != NULL && ls_gcov_objects() != NULL) {
            free(objects);
            objects = ls_copy(ls_gcov_objects());
        }
        status = ls_coverage_gcov(&points, o->unit, run->counters, objects, error, size);
        free(objects);
        free(folder);
    }
    ls_progress_end();
    ls_points_settle(&points);
    ls_points_take_text(&points, ls_unit_root(o->unit));
    if (status == 0) status = ls_points_write(&points, o->unit, o->coverage, error, size);
    ls_points_free(&points);
    /* Nobody says when there was no room for what the DUT and gcov write: files that are cut off, which may look whole. So it is
     * asked while they lie there. */
    char *folder = ls_folder_of(o->coverage);
    const int room = ls_room(folder);
    if (room == -ENOSPC || room == -EDQUOT) {
        (void)snprintf(error, size, "%s: %s", folder, strerror(-room));
        ls_discard(o->coverage);
        status = -1;
    }
    free(folder);
    (void)unlink(run->raw);
    return status;
}

void ls_coverage_free(ls_coverage_run *run) {
    if (run->counters != NULL) { /* of a run that did not come to its end: what gcov would write when this process ends */
        ls_gcov_dump();
        ls_remove_tree(run->counters);
    }
    free(run->raw);
    free(run->counters);
    *run = (ls_coverage_run){0};
}
