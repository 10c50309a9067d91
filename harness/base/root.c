/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/root.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"

#ifndef LS_DATADIR
#define LS_DATADIR "/usr/local/share/rf-lockstep"
#endif

static bool is_root(const char *dir) {
    char *probe = ls_format("%s/harness/dut/shim.cpp", dir);
    const bool found = access(probe, R_OK) == 0;
    free(probe);
    return found;
}

const char *ls_root(void) {
    static char root[PATH_MAX];
    if (root[0] != '\0') return root;
    const char *env = getenv("LOCKSTEP_ROOT");
    if (env != NULL && realpath(env, root) != NULL && is_root(root)) return root;
    const ssize_t n = readlink("/proc/self/exe", root, sizeof root - 1);
    if (env == NULL && n > 0) {
        root[n] = '\0';
        char *shared = ls_format("%.*s/../share/rf-lockstep", (int)(strrchr(root, '/') - root), root); /* of an installation */
        const bool found = is_root(shared) && realpath(shared, root) != NULL;
        free(shared);
        if (found) return root;
        for (char *slash; (slash = strrchr(root, '/')) != NULL && slash != root;) {
            *slash = '\0';
            if (is_root(root)) return root;
        }
    }
    (void)snprintf(root, sizeof root, "%s", LS_DATADIR);
    if (env != NULL || !is_root(root))
        ls_die("no harness/dut/shim.cpp in %s: set LOCKSTEP_ROOT to the project's folder", env != NULL ? env : root);
    return root;
}

static const char *project;

void ls_home_set(const char *folder) { project = folder; }

const char *ls_home(void) { return project != NULL ? project : ls_root(); }

/* The folder share/rf-lockstep belongs to `make install`: nothing is ever put there, root or not. */
static bool is_installation(const char *root) {
    const char *end = "/share/rf-lockstep";
    const size_t all = strlen(root), n = strlen(end);
    return all >= n && strcmp(root + all - n, end) == 0;
}

const char *ls_headers(void) {
    static char headers[PATH_MAX + 32];
    if (headers[0] != '\0') return headers;
    if (is_installation(ls_root()))
        (void)snprintf(headers, sizeof headers, "%.*s/include/rf-lockstep",
                       (int)(strlen(ls_root()) - strlen("/share/rf-lockstep")), ls_root());
    else (void)snprintf(headers, sizeof headers, "%s", ls_root());
    return headers;
}

const char *ls_docs(const char *page) {
    static char path[PATH_MAX + 64];
    char here[PATH_MAX];
    const bool in_root = getcwd(here, sizeof here) != NULL && strcmp(here, ls_root()) == 0;
    (void)snprintf(path, sizeof path, "%s%sdocs/%s", in_root ? "" : ls_root(), in_root ? "" : "/", page);
    return path;
}

/* Without a home: a folder of this user's alone in /tmp, where anybody may make one of that name first, with DUTs for us to run.
 */
static void use_tmp(char *cache, size_t size) {
    struct stat is;
    (void)snprintf(cache, size, "/tmp/rf-lockstep-%lu", (unsigned long)geteuid());
    const int error = mkdir(cache, 0700) == 0 || errno == EEXIST ? 0 : errno;
    if (error == 0 && lstat(cache, &is) == 0 && S_ISDIR(is.st_mode) && is.st_uid == geteuid() && (is.st_mode & 077) == 0) return;
    ls_die("there is no HOME, and %s, for built DUTs, %s%s: set LOCKSTEP_CACHE to a folder of your own", cache,
           error != 0 ? "cannot be made: " : "is not a folder that this user alone may enter", error != 0 ? strerror(error) : "");
}

/* Others must not put DUTs there for us to run: what is there belongs to this user, links to it too, and a folder on the way in
 * which anybody may rename it has the sticky bit. What is not there yet is made by us. */
static void refuse_others(const char *cache) {
    struct stat is;
    const char *why = NULL;
    if (lstat(cache, &is) != 0) return;
    if (S_ISLNK(is.st_mode) && is.st_uid != geteuid() && is.st_uid != 0) why = "is a link that another user made";
    if (why == NULL && stat(cache, &is) != 0) return;
    if (why == NULL && is.st_uid != geteuid()) why = "belongs to another user";
    else if (why == NULL && (is.st_mode & (S_IWGRP | S_IWOTH)) != 0) why = "can be written by others (chmod go-w)";
    char *above = realpath(cache, NULL);
    for (char *slash; above != NULL && why == NULL && (slash = strrchr(above, '/')) != NULL;) {
        slash[slash == above] = '\0';
        if (stat(above, &is) == 0 && (is.st_mode & (S_IWOTH | S_ISVTX)) == S_IWOTH)
            why = "is in a folder in which anybody may replace it";
        if (slash == above) break;
    }
    free(above);
    if (why != NULL)
        ls_die("%s, for built DUTs, %s: others could put DUTs there for you to run; set LOCKSTEP_CACHE to a folder of your own",
               cache, why);
}

const char *ls_cache(void) {
    static char cache[PATH_MAX + 32];
    if (cache[0] != '\0') return cache;
    const char *env = getenv("LOCKSTEP_CACHE");
    const char *home = getenv("HOME");
    if (env != NULL && env[0] != '\0') (void)snprintf(cache, sizeof cache, "%s", env);
    else if (!is_installation(ls_root()) && access(ls_root(), W_OK) == 0)
        (void)snprintf(cache, sizeof cache, "%s/build/dut", ls_root());
    else if (home != NULL && home[0] != '\0') (void)snprintf(cache, sizeof cache, "%s/.cache/rf-lockstep", home);
    else use_tmp(cache, sizeof cache);
    refuse_others(cache);
    return cache;
}
