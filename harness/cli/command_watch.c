/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep watch: a run after each change of RTL, model or bench, one line a verdict. Each run is a process of its own, so that a
 * tool that was rebuilt, or a project's shared object, is the new one. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/folder.h"
#include "harness/base/json_read.h"
#include "harness/base/memory.h"
#include "harness/base/process.h"
#include "harness/base/provenance.h"
#include "harness/base/root.h"
#include "harness/cli/commands.h"
#include "harness/dut/toolchain.h"

#define SETTLED_MS 50    /* an editor that saves does so in several steps: a change is over when none follows for so long */
#define BUILD_MS 600000u /* of the tool */
#define INCDIR "+incdir+"
#define EVENTS (IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_ONLYDIR)

typedef struct watched {
    int wd;
    bool below; /* folders that are made in it are watched too */
    char *path;
} watched;

typedef struct watch {
    const ls_options *o;
    char self[PATH_MAX]; /* this program */
    bool of_tree;        /* ... is what make builds in the tree, */
    bool stale;          /* and of other C sources than are there now */
    bool again;          /* a file list says something else: everything is read anew */
    int fd;
    watched *list;
    size_t count;
} watch;

/* ---- what is watched ---- */

static bool ends_with(const char *name, const char *const *ends) {
    const size_t n = strlen(name);
    for (; *ends != NULL; ends++)
        if (n > strlen(*ends) && strcmp(name + n - strlen(*ends), *ends) == 0) return true;
    return false;
}

static bool is_c(const char *name) {
    static const char *const ends[] = {".c", ".h", ".fields", NULL};
    return ends_with(name, ends);
}

static bool is_source(const char *name) {
    static const char *const ends[] = {".sv",  ".svh", ".v",   ".vh",      ".vlt",     ".inc",
                                       ".map", ".f",   ".cpp", ".machine", ".project", NULL};
    return name[0] != '.' && (is_c(name) || ends_with(name, ends));
}

/* Whether the folder has sources of nobody in it. */
static bool is_left_out(const char *name) { return name[0] == '.' || strcmp(name, "build") == 0; }

/* Watches a folder, and those in it with `below`. 0, or -1 and a message. */
static int add_folder(watch *w, const char *path, bool below) {
    const int wd = inotify_add_watch(w->fd, path, EVENTS);
    if (wd < 0 && errno == ENOENT) return 0; /* it was there a moment ago, or a word of a list stands for none */
    if (wd < 0) {
        ls_say(stderr, "lockstep: cannot watch %s: %s\n", path,
               errno == ENOSPC ? "/proc/sys/fs/inotify/max_user_watches is reached" : strerror(errno));
        return -1;
    }
    size_t at = 0;
    while (at < w->count && w->list[at].wd != wd) at++;
    if (at == w->count) {
        w->list = ls_resize(w->list, ++w->count * sizeof *w->list);
        w->list[at] = (watched){.wd = wd, .path = ls_copy(path)};
    }
    w->list[at].below |= below;
    DIR *folder = below ? opendir(path) : NULL;
    int status = 0;
    for (struct dirent *entry; folder != NULL && status == 0 && (entry = readdir(folder)) != NULL;) {
        if (entry->d_type != DT_DIR || is_left_out(entry->d_name)) continue;
        char *inner = ls_format("%s/%s", path, entry->d_name);
        status = add_folder(w, inner, true);
        free(inner);
    }
    if (folder != NULL) (void)closedir(folder);
    return status;
}

/* The folder of each file: an editor may put a new file in the old one's place. */
static int add_files(watch *w, const ls_args *files) {
    int status = 0;
    for (size_t i = 0; i < files->count && status == 0; i++) {
        char *folder = ls_folder_of(files->list[i]);
        status = add_folder(w, folder, false);
        free(folder);
    }
    return status;
}

static int add_all(watch *w) {
    static const char *const own[] = {"rtl", "cmodel", "tb", "harness", "waves"};
    const ls_options *o = w->o;
    ls_args others = {0};
    int status = 0;
    for (size_t i = 0; i < sizeof own / sizeof *own && status == 0; i++) {
        char *path = ls_format("%s/%s", ls_root(), own[i]);
        status = add_folder(w, path, true);
        free(path);
    }
    if (status == 0 && strcmp(ls_home(), ls_root()) != 0) status = add_folder(w, ls_home(), true);
    if (o->map != NULL) ls_args_add(&others, "%s", o->map);
    if (o->machine != NULL && strpbrk(o->machine, "/.") != NULL) ls_args_add(&others, "%s", o->machine);
    if (o->workload != NULL) ls_args_add(&others, "%s", o->workload);
    if (status == 0) status = add_files(w, &o->rtl);
    if (status == 0) status = add_files(w, &o->lists);
    if (status == 0) status = add_files(w, &o->relative);
    if (status == 0) status = add_files(w, &others);
    for (size_t i = 0; i < o->extra.count && status == 0; i++) {
        const char *word = o->extra.list[i];
        const bool includes = strncmp(word, INCDIR, sizeof INCDIR - 1) == 0;
        const char *before = i > 0 ? o->extra.list[i - 1] : "";
        char *folder = includes                    ? ls_copy(word + sizeof INCDIR - 1)
                       : strcmp(before, "-y") == 0 ? ls_copy(word)
                       : strcmp(before, "-v") == 0 ? ls_folder_of(word)
                                                   : NULL;
        if (folder != NULL) status = add_folder(w, folder, false);
        free(folder);
    }
    ls_args_free(&others);
    return status;
}

static bool is_named(const ls_args *files, const char *path) {
    for (size_t i = 0; i < files->count; i++) {
        char *folder = ls_folder_of(files->list[i]), *base = strrchr(files->list[i], '/');
        char *name = ls_format("%s/%s", folder, base != NULL ? base + 1 : files->list[i]);
        const bool same = strcmp(name, path) == 0;
        free(folder);
        free(name);
        if (same) return true;
    }
    return false;
}

/* Whether the event is a change of what a run depends on. */
static bool take_event(watch *w, const struct inotify_event *event) {
    if ((event->mask & IN_Q_OVERFLOW) != 0) return w->stale = true; /* nobody knows what */
    const watched *in = NULL;
    for (size_t i = 0; i < w->count; i++)
        if (w->list[i].wd == event->wd) in = &w->list[i];
    if (in == NULL || event->len == 0) return false;
    char *path = ls_format("%s/%s", in->path, event->name);
    const bool listed = is_named(&w->o->lists, path) || is_named(&w->o->relative, path);
    bool changed = listed || is_source(event->name) || is_named(&w->o->rtl, path) ||
                   (w->o->workload != NULL && strcmp(w->o->workload, path) == 0);
    if ((event->mask & IN_ISDIR) != 0) {
        changed = in->below && !is_left_out(event->name); /* with what may stand in it */
        if (changed && (event->mask & (IN_CREATE | IN_MOVED_TO)) != 0) (void)add_folder(w, path, true);
    } else if ((event->mask & IN_CREATE) != 0) {
        struct stat is; /* a new file is closed later, a link is not */
        changed = changed && lstat(path, &is) == 0 && (S_ISLNK(is.st_mode) || is.st_nlink > 1);
    }
    w->again |= listed;
    w->stale |= changed && (is_c(event->name) || (event->mask & IN_ISDIR) != 0);
    free(path);
    return changed;
}

/* Reads the events that are there. -1 and a message: none can be read any more. */
static int take_events(watch *w, bool *changed) {
    _Alignas(struct inotify_event) char buffer[16384];
    const ssize_t n = read(w->fd, buffer, sizeof buffer);
    if (n < 0 && errno != EINTR) {
        ls_say(stderr, "lockstep: inotify: %s\n", strerror(errno));
        return -1;
    }
    for (ssize_t at = 0; at < n;) {
        const struct inotify_event *event = (const struct inotify_event *)(const void *)(buffer + at);
        *changed |= take_event(w, event);
        at += (ssize_t)(sizeof *event + event->len);
    }
    return 0;
}

/* Waits for a change, and until it is over. */
static int wait_for_change(watch *w) {
    struct pollfd ready = {.fd = w->fd, .events = POLLIN};
    bool changed = false;
    while (true) {
        const int n = poll(&ready, 1, changed ? SETTLED_MS : -1);
        if (n == 0) return 0;
        if (n > 0 && take_events(w, &changed) != 0) return -1;
    }
}

/* ---- a run ---- */

/* Prints a line; of the message the first line that is an error, else the first. */
static void print_line(const watch *w, const char *status, double seconds, const char *message) {
    char now[16] = "";
    const time_t t = time(NULL);
    struct tm local;
    if (localtime_r(&t, &local) != NULL) (void)strftime(now, sizeof now, "%H:%M:%S", &local);
    const char *error = strstr(message, "error: ");
    while (error != NULL && error > message && error[-1] != '\n') error--;
    const char *line = error != NULL ? error : message;
    if (strncmp(line, "lockstep: ", 10) == 0) line += 10;
    if (strncmp(line, "%Error: ", 8) == 0) line += 8;
    char *plain = ls_printable(line, strcspn(line, "\n"));
    ls_say(stdout, "%s  %-9s %s  %.1f s  %s\n", now, status, w->o->unit->name, seconds, plain);
    (void)fflush(stdout);
    free(plain);
}

static char *difference(const ls_tree_node *m) {
    const char *index = ls_tree_get(m, "index");
    const bool element = strcmp(index, "0") != 0 && index[0] != '\0';
    return ls_format("cycle %s, %s %s%s%s%s: RTL %s'h%s, model %s'h%s", ls_tree_get(m, "cycle"), ls_tree_get(m, "at"),
                     ls_tree_get(m, "field"), element ? "[" : "", element ? index : "", element ? "]" : "",
                     ls_tree_get(m, "bits"), ls_tree_get(m, "rtl"), ls_tree_get(m, "bits"), ls_tree_get(m, "model"));
}

/* Tells what a line says; false: it is no record of a run. */
static bool print_record(const watch *w, char *line, double seconds) {
    ls_tree tree = {0};
    const bool good =
        ls_json_tree(&tree, line) == NULL && tree.root.child != NULL && ls_tree_get(tree.root.child, "unit")[0] != '\0';
    if (good) {
        const ls_tree_node *all = tree.root.child, *mismatch = NULL;
        for (const ls_tree_node *n = all->child; n != NULL; n = n->next)
            if (strcmp(n->tag, "mismatch") == 0) mismatch = n;
        const char *message = ls_tree_get(all, "message");
        char *text = mismatch != NULL     ? difference(mismatch)
                     : message[0] != '\0' ? ls_copy(message)
                                          : ls_format("%s cycles", ls_tree_get(all, "cycles"));
        print_line(w, ls_tree_get(all, "status"), seconds, text);
        free(text);
    }
    ls_tree_free(&tree);
    return good;
}

/* Tells the record among the lines of a run; false: there is none. */
static bool print_run(const watch *w, char *output, double seconds) {
    for (char *line = output, *end; line != NULL; line = end) {
        end = strchr(line, '\n');
        if (end != NULL) *end++ = '\0';
        if (*line == '{' && print_record(w, line, seconds)) return true;
    }
    return false;
}

/* Has make build the tool of the C sources that are there now. False, and told: they do not compile. */
static bool build_tool(watch *w, double start) {
    char *lock = ls_format("%s/build/make.lock", ls_root()), *jobs = ls_format("-j%zu", ls_compilers());
    const char *const words[] = {"flock", "-o", lock, "make", "-s", jobs, "-C", ls_root(), "build/lockstep", NULL};
    ls_process_result run;
    const int error = ls_process_run(&(ls_process){.argv = words, .timeout_ms = BUILD_MS, .patience = LS_PATIENCE}, &run);
    const bool good = error == 0 && ls_process_ok(&run);
    if (!good) print_line(w, "build", ls_seconds() - start, error != 0 ? strerror(-error) : run.output);
    w->stale = !good;
    ls_process_free(&run);
    free(lock);
    free(jobs);
    return good;
}

/* Runs once; the exit code. */
static int run_once(watch *w) {
    const double start = ls_seconds();
    if (w->of_tree && w->stale && !build_tool(w, start)) return 2;
    ls_args words = {0};
    ls_args_add(&words, "%s", w->self);
    ls_args_add(&words, "run");
    for (int i = 2; i < w->o->argc; i++) {
        if (strcmp(w->o->argv[i], "--limit") == 0) i++; /* and its number */
        else ls_args_add(&words, "%s", w->o->argv[i]);
    }
    ls_args_add(&words, "--json");
    ls_process_result run;
    const int error = ls_process_run(&(ls_process){.argv = (const char *const *)words.list}, &run);
    const double seconds = ls_seconds() - start;
    char *said = error != 0 ? ls_copy(strerror(-error)) : ls_copy(run.output);
    if (error != 0 || !print_run(w, run.output, seconds)) print_line(w, "build", seconds, said);
    const int status = error == 0 && run.signal == 0 ? run.status : 2;
    free(said);
    ls_process_free(&run);
    ls_args_free(&words);
    return status;
}

/* Whether this program is the one that make builds in the tree whose units it has. */
static bool is_of_tree(const char *self) {
    char *built = ls_format("%s/build/lockstep", ls_root()), *makefile = ls_format("%s/Makefile", ls_root());
    char *real = realpath(built, NULL);
    const bool of_tree = real != NULL && strcmp(real, self) == 0 && ls_readable(makefile);
    free(real);
    free(built);
    free(makefile);
    return of_tree;
}

int ls_command_watch(ls_options *o) {
    watch w = {.o = o, .fd = inotify_init1(IN_CLOEXEC)};
    char wrong[1024];
    const ssize_t n = readlink("/proc/self/exe", w.self, sizeof w.self - 1);
    if (w.fd < 0 || n <= 0) {
        ls_say(stderr, "lockstep: %s: %s\n", w.fd < 0 ? "inotify" : "/proc/self/exe", strerror(errno));
        return 2;
    }
    w.of_tree = is_of_tree(w.self);
    w.stale = ls_provenance_check(wrong, sizeof wrong) != 0;
    int status = add_all(&w) == 0 ? run_once(&w) : -1;
    for (uint64_t verdicts = 1; status >= 0 && verdicts != o->limit; verdicts++) {
        if (wait_for_change(&w) != 0) status = -1;
        if (status >= 0 && w.again && o->limit == 0) {
            (void)execv(w.self, o->argv);
            ls_say(stderr, "lockstep: %s: %s\n", w.self, strerror(errno));
            status = -1;
        }
        if (status >= 0) status = run_once(&w);
    }
    for (size_t i = 0; i < w.count; i++) free(w.list[i].path);
    free(w.list);
    (void)close(w.fd);
    return status >= 0 ? status : 2;
}
