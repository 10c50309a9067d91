/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/dut/build.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/folder.h"
#include "harness/base/hash.h"
#include "harness/base/progress.h"
#include "harness/base/provenance.h"
#include "harness/base/text.h"
#include "harness/dut/make.h"
#include "harness/dut/toolchain.h"

/* The sources whose code refuses RTL, or says what is in it. */
static const char *const checking[] = {"harness/dut/build.c", "harness/core/design.c", "harness/dut/elab", "harness/base/xml.c",
                                       "harness/base/json_read.c"};

enum { ATTEMPTS = 3 }; /* builds of sources that change meanwhile */

static char *sibling(const char *path, const char *name) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? ls_copy(name) : ls_format("%.*s/%s", (int)(slash - path), path, name);
}

#define INCDIR "+incdir+"

/* The key of all that the request names. */
static char *request_key(const ls_tools *tools, const ls_build_request *r) {
    ls_hash h = ls_hash_begin();
    ls_hash_text(&h, LS_RECIPE);
    ls_hash_text(&h, tools->identity);
    ls_hash_number(&h, r->flags);
    if ((r->flags & LS_BUILD_WAVES) != 0) ls_hash_text(&h, "names as in the RTL");
    ls_hash_file(&h, r->shim);
    char *abi = sibling(r->shim, "dut.h");
    ls_hash_file(&h, abi);
    free(abi);
    ls_hash_texts(&h, r->cxx_flags, r->cxx_flag_count);
    ls_hash_texts(&h, r->verilator_flags, r->verilator_flag_count);
    if ((r->flags & LS_BUILD_COVERAGE) != 0) {
        ls_hash_texts(&h, r->uncovered, r->uncovered_count);
    }
    ls_hash_text(&h, r->rtl.top);
    ls_hash_number(&h, r->rtl.param_count);
    for (size_t i = 0; i < r->rtl.param_count; i++) {
        ls_hash_text(&h, r->rtl.params[i].name);
        ls_hash_text(&h, r->rtl.params[i].value);
    }
    ls_hash_texts(&h, r->rtl.defines, r->rtl.define_count);
    ls_hash_number(&h, r->rtl.strict);
    ls_text checks = {0}; /* what an older program read or let pass is read and checked again */
    ls_provenance_lines(checking, sizeof checking / sizeof *checking, &checks);
    ls_hash_bytes(&h, checks.data, checks.size);
    free(checks.data);
    ls_hash_text(&h, ls_rtl_clock(&r->rtl));
    ls_hash_text(&h, ls_rtl_reset(&r->rtl));
    ls_hash_number(&h, r->rtl.wire_count);
    for (size_t i = 0; i < r->rtl.wire_count; i++) {
        ls_hash_text(&h, r->rtl.wires[i].module);
        ls_hash_text(&h, r->rtl.wires[i].var);
    }
    if (r->alias_count > 0) {
        ls_hash_number(&h, r->alias_count);
    }
    for (size_t i = 0; i < r->alias_count; i++) {
        ls_hash_text(&h, r->aliases[i].var);
        ls_hash_text(&h, r->aliases[i].name);
    }
    for (size_t i = 0; i < r->rtl.extra_count; i++) {
        const char *word = r->rtl.extra[i],
                   *folder = strncmp(word, INCDIR, sizeof INCDIR - 1) == 0 ? word + sizeof INCDIR - 1 : word;
        ls_hash_text(&h, word);
        if (i > 0 && strcmp(r->rtl.extra[i - 1], "-v") == 0) ls_hash_file(&h, word);
        else if (folder[0] == '/') ls_hash_directory(&h, folder);
    }
    ls_hash_texts(&h, r->rtl.dirs, r->rtl.dir_count); /* names count too: they stand in messages and in coverage */
    for (size_t i = 0; i < r->rtl.dir_count; i++) {
        ls_hash_directory(&h, r->rtl.dirs[i]);
    }
    ls_hash_texts(&h, r->rtl.files, r->rtl.file_count);
    for (size_t i = 0; i < r->rtl.file_count; i++) {
        ls_hash_file(&h, r->rtl.files[i]);
    }
    return ls_hash_end(&h);
}

/* Verilator looks in the current folder first: files there that would now be taken for `name`. */
static void hash_shadows(ls_hash *h, const char *name) {
    struct stat found = {0}, here;
    if (stat(name, &found) != 0) return;
    for (const char *slash = strchr(name, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        if (stat(slash + 1, &here) != 0 || !S_ISREG(here.st_mode)) continue;
        if (here.st_dev == found.st_dev && here.st_ino == found.st_ino) continue;
        ls_hash_text(h, slash + 1);
        (void)ls_hash_file(h, slash + 1);
    }
}

/* The key of the request and of the files it found by itself, one name a line in `deps`; NULL when one of them is gone. */
static char *full_key(const char *request, const char *deps) {
    ls_hash h = ls_hash_begin();
    ls_hash_text(&h, request);
    bool whole = true;
    for (const char *line = deps; whole && *line != '\0';) {
        size_t length = strcspn(line, "\n");
        char *name = ls_format("%.*s", (int)length, line);
        ls_hash_text(&h, name);
        whole = ls_hash_file(&h, name);
        hash_shadows(&h, name);
        free(name);
        line += length + (line[length] == '\n');
    }
    return whole ? ls_hash_end(&h) : NULL;
}

/* Gives the variables of the top module that the request names the names that they stand for. */
static void rename_registers(const ls_build_request *r, ls_elab *elab) {
    for (size_t i = 0; i < elab->register_count && r->alias_count > 0; i++) {
        ls_elab_signal *s = &elab->registers[i];
        for (size_t k = 0; k < r->alias_count; k++) {
            if (strcmp(s->name, r->aliases[k].var) == 0) {
                free(s->name);
                s->name = ls_copy(r->aliases[k].name);
                s->renamed = true;
                break;
            }
        }
    }
}

/* One call of ls_build_dut: the paths that follow from the request's key. */
typedef struct job {
    const ls_tools *tools;
    const ls_build_request *request;
    ls_build_result *result;
    char *key;  /* of the request */
    char *base; /* <cache>/<top>-<key of the request> */
} job;

static void succeed(job *j, const char *entry, char *key, bool cached) {
    j->result->status = LS_BUILD_OK;
    j->result->so_path = ls_format("%s/dut.so", entry);
    j->result->key = key;
    j->result->cached = cached;
}

static void fail(job *j, ls_build_status status, char *text) {
    free(j->result->text);
    j->result->text = text;
    j->result->status = status;
    ls_elab_free(&j->result->elab);
}

static char *entry_of(const job *j, const char *key) {
    return ls_format("%s/%s-%s", j->request->cache, j->request->rtl.top, key);
}

/* Looks the DUT up by the files that its last build read. Returns whether it is there, with the result filled. */
static bool look_up(job *j) {
    char *deps_path = ls_format("%s.deps", j->base);
    ls_text deps = {0};
    bool found = false;
    if (ls_text_read(&deps, deps_path) == 0) {
        char *key = full_key(j->key, deps.data == NULL ? "" : deps.data);
        char *entry = key == NULL ? NULL : entry_of(j, key);
        char *so = entry == NULL ? NULL : ls_format("%s/dut.so", entry);
        char *elab = entry == NULL ? NULL : ls_format("%s/elab", entry);
        if (so != NULL && ls_readable(so) && ls_sealed(entry)) {
            found = ls_elab_load(elab, &j->result->elab) == 0;
        }
        if (found) {
            char *warnings = ls_format("%s/warnings", entry);
            ls_text kept = {0};
            (void)ls_text_read(&kept, warnings);
            ls_text_put(&kept, "", 0);
            free(warnings);
            free(j->result->text);
            j->result->text = ls_text_take(&kept);
            succeed(j, entry, key, true);
        } else {
            free(key);
        }
        free(entry);
        free(so);
        free(elab);
    }
    free(deps_path);
    free(deps.data);
    return found;
}

/* Names, one a line, of the files that Verilator read and the request does not list. */
static ls_text found_files(const job *j) {
    const ls_rtl *rtl = &j->request->rtl;
    ls_text text = {0};
    ls_text_put(&text, "", 0);
    for (size_t i = 0; i < j->result->elab.file_count; i++) {
        const char *name = j->result->elab.files[i];
        bool listed = false;
        for (size_t f = 0; f < rtl->file_count && !listed; f++) {
            listed = strcmp(rtl->files[f], name) == 0;
        }
        if (!listed) {
            ls_text_add(&text, "%s\n", name);
        }
    }
    return text;
}

/* Moves the finished DUT to its place. Returns NULL or the error. */
static char *publish(const char *made, const char *entry) {
    ls_remove_tree(entry); /* only a damaged one can be there */
    return rename(made, entry) == 0 ? NULL : ls_format("%s: %s\n", entry, strerror(errno));
}

/* Elaborates and builds in `directory`, under the request's lock. Returns false when the sources changed meanwhile. */
static bool build_in(job *j, const char *directory) {
    ls_build_result *result = j->result;
    char *made = ls_format("%s/entry", directory);
    char *elab = ls_format("%s/elab", made);
    char *so = ls_format("%s/dut.so", made);
    char *warnings = ls_format("%s/warnings", made);
    char *deps_path = ls_format("%s.deps", j->base);
    char *runtime = NULL, *key = NULL, *failed = NULL;
    bool stable = true, refused = false;
    ls_make *make = NULL;
    ls_text deps = {0};
    int error = ls_make_directories(made);
    if (error != 0) {
        fail(j, LS_BUILD_TOOL, ls_format("%s: %s\n", made, strerror(-error)));
        goto out;
    }
    ls_rtl rtl = j->request->rtl;
    rtl.timeout_ms = j->request->timeout_ms;
    free(result->text);
    ls_progress_begin("%s: elaborating the RTL", rtl.top); /* of both, which run side by side */
    make = ls_make_begin(j->tools, j->request, directory);
    ls_elab_status status = ls_elab_run(&rtl, j->tools->verilator, NULL, &result->elab, &result->text);
    ls_progress_end();
    if (status != LS_ELAB_OK) {
        result->status = status == LS_ELAB_RTL ? LS_BUILD_RTL : LS_BUILD_TOOL;
        goto out;
    }
    const ls_text said = {.data = result->text, .size = strlen(result->text)};
    error = said.size > 0 ? ls_text_write(&said, warnings) : 0;
    if (error != 0) {
        fail(j, LS_BUILD_TOOL, ls_format("%s: %s\n", warnings, strerror(-error)));
        goto out;
    }
    rename_registers(j->request, &result->elab);
    error = ls_elab_save(&result->elab, elab);
    if (error != 0) {
        fail(j, LS_BUILD_TOOL, ls_format("%s: %s\n", elab, strerror(-error)));
        goto out;
    }
    deps = found_files(j);
    key = full_key(j->key, deps.data);
    const double start = ls_seconds();
    failed = ls_runtime_find(j->tools, j->request->cache, j->request->timeout_ms, &runtime);
    result->runtime_seconds += ls_seconds() - start;
    if (failed == NULL) {
        ls_progress_begin("%s: compiling the DUT", j->request->rtl.top);
        failed = ls_make_dut(make, &result->elab, runtime, so, &refused);
        ls_progress_end();
    }
    if (failed != NULL) {
        fail(j, refused ? LS_BUILD_RTL : LS_BUILD_TOOL, failed);
        goto out;
    }
    char *key_after = request_key(j->tools, j->request), *full_after = full_key(j->key, deps.data);
    stable = key != NULL && full_after != NULL && strcmp(key_after, j->key) == 0 && strcmp(full_after, key) == 0;
    free(key_after);
    free(full_after);
    if (!stable) {
        fail(j, LS_BUILD_TOOL, ls_copy("the sources change while they are read\n"));
        goto out;
    }
    char *entry = entry_of(j, key);
    error = ls_seal(made);
    failed = error == 0 ? publish(made, entry) : ls_format("%s: %s\n", made, strerror(-error));
    if (failed == NULL) {
        error = ls_text_write(&deps, deps_path);
        failed = error == 0 ? NULL : ls_format("%s: %s\n", deps_path, strerror(-error));
    }
    if (failed == NULL) {
        succeed(j, entry, key, false);
        key = NULL;
    } else {
        fail(j, LS_BUILD_TOOL, failed);
    }
    free(entry);
out:
    if (make != NULL) ls_make_end(make);
    free(deps.data);
    free(key);
    free(runtime);
    free(deps_path);
    free(warnings);
    free(so);
    free(elab);
    free(made);
    return stable;
}

/* A tool that finds no room says so in words of its own, or leaves a file that is cut off: it is told while that still lies
 * there. */
static void tell_room(job *j, const char *directory) {
    const int error = j->result->status != LS_BUILD_OK ? ls_room(directory) : 0;
    if (error != -ENOSPC && error != -EDQUOT) return;
    char *text = ls_format("%s%s: %s\n", j->result->text, directory, strerror(-error));
    fail(j, LS_BUILD_TOOL, text);
}

/* Builds under the request's lock, unless another process just did. Returns false when the sources changed meanwhile. */
static bool build_locked(job *j) {
    char *lock_path = ls_format("%s.lock", j->base);
    char *directory = ls_format("%s.tmp", j->base);
    bool stable = true;
    ls_progress_begin("%s: another process builds it", j->request->rtl.top);
    int fd = ls_lock(lock_path);
    ls_progress_end();
    if (fd < 0) {
        fail(j, LS_BUILD_TOOL, ls_format("%s: %s\n", lock_path, strerror(-fd)));
    } else {
        if (!look_up(j)) {
            ls_remove_tree(directory); /* of a killed build */
            stable = build_in(j, directory);
            tell_room(j, directory);
            ls_remove_tree(directory);
        }
        ls_unlock(fd, lock_path);
    }
    free(lock_path);
    free(directory);
    return stable;
}

/* Notes the digest of each file that the DUT was made of. False, and the result is no DUT: they changed since it was found or
 * made. */
static bool digest(job *j) {
    ls_build_result *r = j->result;
    char *deps_path = ls_format("%s.deps", j->base);
    ls_text deps = {0};
    r->digests = ls_alloc(r->elab.file_count, sizeof *r->digests);
    for (size_t i = 0; i < r->elab.file_count; i++) (void)ls_sha256_file(r->elab.files[i], r->digests[i]);
    (void)ls_text_read(&deps, deps_path);
    char *request = request_key(j->tools, j->request), *key = full_key(request, deps.data == NULL ? "" : deps.data);
    const bool same = key != NULL && strcmp(key, r->key) == 0;
    if (!same) {
        ls_build_free(r);
        *r = (ls_build_result){.status = LS_BUILD_TOOL, .text = ls_copy("the sources change while they are read\n")};
    }
    free(request);
    free(key);
    free(deps.data);
    free(deps_path);
    return same;
}

/* A path with one of the characters, or NULL. */

static const char *path_with(const ls_build_request *r, char character) {
    for (size_t i = 0; i < r->rtl.file_count; i++) {
        if (strchr(r->rtl.files[i], character) != NULL) return r->rtl.files[i];
    }
    for (size_t i = 0; i < r->rtl.dir_count; i++) {
        if (strchr(r->rtl.dirs[i], character) != NULL) return r->rtl.dirs[i];
    }
    const bool cut = character == ' ' || character == '\t'; /* in what is read alone */
    return !cut && strchr(r->cache, character) != NULL ? r->cache : NULL;
}

/* What is no file that can be read, Verilator would look for in all folders of modules, and list them. Verilator cuts the names
 * of sources at a blank, and then nobody knows what was read; it puts the environment in for $NAME. Quotes and ends of lines
 * cannot be written for the preprocessor; what writes JSON does not escape a backslash in it. NULL or the error. */
static char *refuse_paths(const ls_tools *tools, const ls_build_request *r) {
    for (size_t i = 0; i < r->rtl.file_count; i++) {
        const char *file = r->rtl.files[i];
        struct stat status = {0};
        const int error = access(file, R_OK) != 0 || stat(file, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;
        if (error != 0) return ls_format("%s: %s\n", file, strerror(error));
    }
    static const struct {
        char character;
        const char *name;
        unsigned taken_to; /* the last Verilator that takes it; 0: none does */
    } refused[] = {{' ', "blank", 0}, {'\t', "tab", 0},        {'$', "$", 0},
                   {'"', "quote", 0}, {'\n', "line's end", 0}, {'\\', "backslash", LS_LAST_WITH_XML}};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const char *path = tools->number > refused[i].taken_to ? path_with(r, refused[i].character) : NULL;
        if (path != NULL) return ls_format("%s: Verilator can take no path with a %s in it\n", path, refused[i].name);
    }
    return NULL;
}

ls_build_status ls_build_dut(const ls_tools *tools, const ls_build_request *request, ls_build_result *result) {
    const double start = ls_seconds();
    *result = (ls_build_result){.status = LS_BUILD_TOOL, .text = ls_copy("")};
    int error = ls_make_directories(request->cache);
    char *cache = error == 0 ? realpath(request->cache, NULL) : NULL, *refused = NULL;
    ls_build_request absolute = *request;
    absolute.cache = cache;
    if (cache != NULL) {
        refused = refuse_paths(tools, &absolute);
    }
    if (refused != NULL) {
        free(result->text);
        result->text = refused;
    } else if (cache == NULL) {
        free(result->text);
        result->text = ls_format("%s: %s\n", request->cache, strerror(error == 0 ? errno : -error));
    } else {
        bool stable = false;
        for (int attempt = 0; attempt < ATTEMPTS && !stable; attempt++) {
            job j = {.tools = tools, .request = &absolute, .result = result, .key = request_key(tools, &absolute)};
            j.base = ls_format("%s/%s-%s", cache, absolute.rtl.top, j.key);
            stable = look_up(&j) || build_locked(&j);
            if (stable && result->status == LS_BUILD_OK) stable = digest(&j);
            free(j.key);
            free(j.base);
        }
    }
    free(cache);
    result->seconds = ls_seconds() - start;
    return result->status;
}

void ls_build_free(ls_build_result *result) {
    free(result->so_path);
    free(result->key);
    free(result->digests);
    free(result->text);
    ls_elab_free(&result->elab);
    *result = (ls_build_result){0};
}
