/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/provenance.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/json.h"
#include "harness/base/root.h"
#include "harness/base/sha256.h"
#include "harness/base/stamp.h"

/* Lines of a digest, two blanks and a path from the root, in the order of the paths; not there in programs that others linked. */
extern const char ls_provenance_sources[] __attribute__((weak));

extern void __gcov_dump(void) __attribute__((weak)); /* there when the models are built for gcov */

enum { DIGITS = LS_SHA256_HEX - 1 };

/* One line. */
typedef struct entry {
    const char *digest, *path;
    size_t length; /* of the path */
} entry;

/* The line at *at, which is moved behind it. False: there is none. */
static bool next(const char **at, entry *e) {
    if (memchr(*at, '\0', DIGITS + 3) != NULL) return false;
    *e = (entry){.digest = *at, .path = *at + DIGITS + 2};
    e->length = strcspn(e->path, "\n");
    *at = e->path + e->length + (e->path[e->length] == '\n');
    return true;
}

static size_t folder_length(const entry *e) {
    size_t n = e->length;
    while (n > 0 && e->path[n - 1] != '/') n--;
    return n;
}

/* What the check finds. */
typedef struct finding {
    size_t folders, compared; /* that were looked at; with sources in them */
    size_t wrong;             /* sources that differ or are gone */
    char *first;              /* of them, in words */
} finding;

static void note_difference(finding *f, const entry *e, const char *what) {
    if (f->wrong++ == 0) f->first = ls_format("%s/%.*s %s", ls_root(), (int)e->length, e->path, what);
}

/* The sources of one folder, from *at on, which is moved behind them. */
static void check_folder(const char **at, finding *f) {
    entry first, e, gone = {0};
    const char *end = *at;
    bool any = false;
    size_t missing = 0;
    (void)next(&end, &first);
    for (end = *at; next(&end, &e); *at = end) {
        if (folder_length(&e) != folder_length(&first) || strncmp(e.path, first.path, folder_length(&e)) != 0) break;
        char digest[LS_SHA256_HEX], *path = ls_format("%s/%.*s", ls_root(), (int)e.length, e.path);
        const bool read = ls_sha256_file(path, digest), there = read || access(path, F_OK) == 0;
        if (there && e.path[e.length - 1] == 'c') any = true;
        if (there && strncmp(digest, e.digest, DIGITS) != 0) note_difference(f, &e, "is not what this program was compiled from");
        if (!there && missing++ == 0) gone = e;
        free(path);
    }
    if (any && missing > 0) note_difference(f, &gone, "is gone, and this program was compiled from it");
    f->folders++;
    f->compared += any;
}

static finding found;

static ls_stamp stamp_of_sources(void) {
    ls_stamp stamp = ls_stamp_begin(ls_root());
    const int root = open(ls_root(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    entry e;
    ls_hash_text(&stamp.hash, ls_provenance_sources);
    for (const char *at = ls_provenance_sources; next(&at, &e);) {
        char *path = ls_format("%.*s", (int)e.length, e.path);
        struct stat is;
        ls_stamp_add(&stamp, path, fstatat(root, path, &is, 0) == 0 ? &is : NULL);
        free(path);
    }
    (void)close(root);
    return stamp;
}

/* A finding without a difference, as a note has it. */
#define NOTED "%zu of %zu folders\n"

int ls_provenance_check(char *error, size_t size) {
    found = (finding){0};
    if (ls_provenance_sources == NULL) return 0;
    const ls_stamp stamp = stamp_of_sources();
    char *note = ls_format("%s/build/%ssources.stamp", ls_root(), __gcov_dump != NULL ? "gcov/" : "");
    char *noted = ls_stamp_noted(&stamp, note);
    const bool known = noted != NULL && sscanf(noted, NOTED, &found.compared, &found.folders) == 2;
    free(noted);
    for (const char *at = ls_provenance_sources; !known && *at != '\0';) check_folder(&at, &found);
    if (!known && found.wrong == 0) {
        noted = ls_format(NOTED, found.compared, found.folders);
        ls_stamp_note(&stamp, note, noted);
        free(noted);
    }
    free(note);
    if (found.wrong == 0) return 0;
    char more[64] = "";
    if (found.wrong > 1) (void)snprintf(more, sizeof more, ", nor are %zu others", found.wrong - 1);
    char *text =
        ls_format("%s%s: `make %s` in %s first", found.first, more, __gcov_dump != NULL ? "gcov-tool" : "all", ls_root());
    ls_cut(error, size, text);
    free(text);
    free(found.first);
    return -1;
}

static struct {
    const char *sources, *objects;
    void (*dump)(void);
} project;

void ls_provenance_project(const char *sources, const char *objects, void (*dump)(void)) {
    project.sources = sources;
    project.objects = objects;
    project.dump = dump;
}

const char *ls_provenance_of_project(void) { return project.sources != NULL ? project.sources : ""; }

bool ls_gcov_built(void) { return project.dump != NULL || __gcov_dump != NULL; }

void ls_gcov_dump(void) {
    if (project.dump != NULL) project.dump();
    if (__gcov_dump != NULL) __gcov_dump();
}

const char *ls_gcov_objects(void) { return project.dump != NULL ? project.objects : NULL; }

/* The digest of a file; "" when it is not noted. */
static void add_digest(const char *key, const char *sources, const char *path, ls_text *to) {
    char digest[DIGITS + 1] = "";
    entry e;
    for (const char *at = sources; digest[0] == '\0' && next(&at, &e);)
        if (e.length == strlen(path) && strncmp(e.path, path, e.length) == 0)
            (void)snprintf(digest, sizeof digest, "%.*s", DIGITS, e.digest);
    ls_json_text(to, key, digest);
}

void ls_provenance_json(const char *model, const char *list, const char *bench, bool of_project, ls_text *to) {
    char all[LS_SHA256_HEX];
    const char *sources = of_project ? project.sources : ls_provenance_sources;
    if (sources == NULL) {
        ls_json_text(to, "tree", "not noted");
        return;
    }
    const char *tree = "as compiled"; /* a project is compiled anew when it is not */
    if (!of_project && found.compared == 0) tree = "not there";
    else if (!of_project && found.compared < found.folders) tree = "there in part";
    ls_sha256(sources, strlen(sources), all);
    ls_json_text(to, "tree", tree);
    ls_json_text(to, "compiled", all);
    add_digest("model", sources, model, to);
    add_digest("list", sources, list, to);
    add_digest("bench", sources, bench, to);
}

void ls_provenance_lines(const char *const *prefixes, size_t count, ls_text *to) {
    entry e;
    for (const char *at = ls_provenance_sources == NULL ? "" : ls_provenance_sources; next(&at, &e);)
        for (size_t i = 0; i < count; i++)
            if (strncmp(e.path, prefixes[i], strlen(prefixes[i])) == 0)
                ls_text_add(to, "%.*s  %.*s\n", DIGITS, e.digest, (int)e.length, e.path);
}
