/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/project/new.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/folder.h"
#include "harness/base/nearest.h"
#include "harness/base/root.h"
#include "harness/core/config.h"
#include "harness/project/project.h"

#define SKELETON "harness/project/skeleton" /* below ls_root() */
#define COUNTER SKELETON "/rtl/my_unit.sv"  /* in it, a unit's RTL */
#define STANDS_FOR "my_unit"                /* in it, for the unit's name */

static void free_files(ls_new_files *files) {
    for (size_t i = 0; i < files->count; i++) {
        free(files->list[i].name);
        free(files->list[i].text);
    }
    free(files->list);
}

/* The text behind its first line when that has the licence: what `new` writes is the user's, and so is its licence. */
static const char *unlicensed(const char *text) {
    const char *end = strchr(text, '\n'), *licence = strstr(text, "SPDX-License-Identifier");
    return end != NULL && licence != NULL && licence < end ? end + 1 : text;
}

/* The text with `unit` for my_unit and its capitals for MY_UNIT; to be freed. */
static char *named(const char *text, const char *unit) {
    const size_t n = strlen(STANDS_FOR);
    ls_text out = {0};
    ls_text_put(&out, "", 0);
    while (*text != '\0') {
        const bool small = strncmp(text, STANDS_FOR, n) == 0, capitals = !small && strncasecmp(text, STANDS_FOR, n) == 0;
        for (const char *c = unit; (small || capitals) && *c != '\0'; c++) {
            const char written = (char)(capitals ? toupper((unsigned char)*c) : *c);
            ls_text_put(&out, &written, 1);
        }
        if (small || capitals) text += n;
        else ls_text_put(&out, text++, 1);
    }
    return ls_text_take(&out);
}

/* ---- the skeleton ---- */

/* Its files: where they are in it, where they go in a project, and whether they are the unit's. */
static const struct part {
    const char *from, *to;
    bool of_unit;
} parts[] = {{LS_PROJECT_FILE, LS_PROJECT_FILE, false},
             {"Makefile", "Makefile", false},
             {"gitignore", ".gitignore", false},
             {"ci.yml", ".github/workflows/lockstep.yml", false},
             {"regress.plan", "regress.plan", false},
             {"rtl/my_unit.sv", "rtl/my_unit.sv", true},
             {"model/my_unit.h", "model/my_unit.h", true},
             {"model/my_unit.c", "model/my_unit.c", true},
             {"tb/my_unit.fields", "tb/my_unit.fields", true},
             {"tb/my_unit.c", "tb/my_unit.c", true},
             {"tb/test_my_unit.c", "tb/test_my_unit.c", true}};

/* Adds the skeleton's files of one kind. NULL, or an error to free. */
static char *add_skeleton(ls_new_files *files, bool of_unit, const char *unit) {
    char *failed = NULL;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && failed == NULL; i++) {
        if (parts[i].of_unit != of_unit) continue;
        ls_text text = {0};
        char *path = ls_format("%s/" SKELETON "/%s", ls_root(), parts[i].from);
        const int error = ls_text_read(&text, path);
        ls_text_put(&text, "", 1);
        if (error != 0) failed = ls_format("%s: %s", path, strerror(-error));
        else ls_new_add(files, named(parts[i].to, unit), named(unlicensed(text.data), unit));
        free(ls_text_take(&text));
        free(path);
    }
    return failed;
}

/* The RTL of a unit of the tree that none is given for: what is there already, or else the skeleton's counter, in `temporary`.
 * NULL, or an error to free. */
static char *find_rtl(const ls_new *what, const char *temporary, ls_args *from) {
    char *name = ls_new_path(LS_NEW_RTL, what->unit, what->group), *there = ls_format("%s/%s", what->folder, name);
    char *counter = ls_format("%s/" COUNTER, ls_root()), *written = ls_format("%s/%s.sv", temporary, what->unit);
    ls_text text = {0};
    int error = 0;
    if (ls_readable(there)) {
        ls_args_add(from, "%s", there);
    } else {
        error = ls_text_read(&text, counter);
        ls_text_put(&text, "", 1);
        char *renamed = named(text.data, what->unit);
        if (error == 0) error = ls_text_write(&(ls_text){.data = renamed, .size = strlen(renamed)}, written);
        ls_args_add(from, "%s", written);
        free(renamed);
    }
    char *failed = error != 0 ? ls_format("%s: %s", counter, strerror(-error)) : NULL;
    free(ls_text_take(&text));
    free(name);
    free(there);
    free(counter);
    free(written);
    return failed;
}

/* ---- writing ---- */

static bool of_project(const char *name) {
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!parts[i].of_unit && strcmp(parts[i].to, name) == 0) return true;
    return false;
}

/* Whether the file holds that text: the RTL may be in its place already. */
static bool is_same(const char *path, const char *text) {
    ls_text there = {0};
    const bool same = ls_text_read(&there, path) == 0 && there.size == strlen(text) && memcmp(there.data, text, there.size) == 0;
    free(ls_text_take(&there));
    return same;
}

/* Writes what is not there. What is there may be a file of the project, and no other. NULL, or an error to free. */
static char *write_files(const char *folder, const ls_new_files *files, ls_args *written) {
    for (size_t i = 0; i < files->count; i++) {
        char *path = ls_format("%s/%s", folder, files->list[i].name);
        const bool there = access(path, F_OK) == 0 && !of_project(files->list[i].name) && !is_same(path, files->list[i].text);
        char *failed = there ? ls_format("%s: is there already: nothing was written", path) : NULL;
        free(path);
        if (failed != NULL) return failed;
    }
    char *failed = NULL;
    for (size_t i = 0; i < files->count && failed == NULL; i++) {
        char *path = ls_format("%s/%s", folder, files->list[i].name), *above = ls_folder_of(path);
        const ls_text text = {.data = files->list[i].text, .size = strlen(files->list[i].text)};
        int error = 0;
        if (access(path, F_OK) != 0) {
            error = ls_make_directories(above);
            if (error == 0) error = ls_text_write(&text, path);
            ls_args_add(written, "%s", files->list[i].name);
        }
        if (error != 0) failed = ls_format("%s: %s", path, strerror(-error));
        free(above);
        free(path);
    }
    return failed;
}

/* ---- names ---- */

/* Why it cannot be a unit's name, to be freed, or NULL. */
static char *wrong_name(const char *unit) {
    bool good = isalpha((unsigned char)unit[0]) || unit[0] == '_';
    for (const char *c = unit; *c != '\0'; c++) good = good && (isalnum((unsigned char)*c) || *c == '_');
    if (!good) return ls_format("\"%s\" is no name for a unit: letters, digits and _ (--unit NAME)", unit);
    if (ls_new_is_keyword(unit) || strcmp(unit, "ls") == 0) /* ls_unit is a type */
        return ls_format("%s has a meaning of its own in C: --unit NAME gives the unit another name", unit);
    return ls_unit_find(unit) != NULL ? ls_format("%s is a unit that lockstep comes with: --unit NAME gives yours another", unit)
                                      : NULL;
}

/* Why there is no such group in the tree, to be freed, or NULL. */
static char *wrong_group(const ls_new *what) {
    ls_nearest near = {.word = what->group};
    char *makefile = ls_format("%s/Makefile", what->folder), *tb = ls_format("%s/tb", what->folder), *failed = NULL;
    ls_text groups = {0};
    bool known = false;
    for (const ls_unit *const *u = ls_units; *u != NULL; u++) {
        known |= strcmp((*u)->group, what->group) == 0;
        bool again = false;
        for (const ls_unit *const *v = ls_units; v != u; v++) again |= strcmp((*u)->group, (*v)->group) == 0;
        if (!again) ls_text_add(&groups, "%s%s", groups.size > 0 ? ", " : "", (*u)->group);
        ls_nearest_try(&near, (*u)->group);
    }
    char *own = ls_format("%s/%s", tb, what->group);
    known = known || (strchr(what->group, '/') == NULL && ls_readable(own));
    if (!ls_readable(makefile))
        failed = ls_format("%s is an installation: --group is for a clone of the sources, and its build/lockstep", what->folder);
    else if (!known && near.name != NULL) failed = ls_format("no group %s: did you mean %s?", what->group, near.name);
    else if (!known)
        failed =
            ls_format("no group %s: there are %s; a new one begins with a folder tb/%s", what->group, groups.data, what->group);
    free(groups.data);
    free(makefile);
    free(tb);
    free(own);
    return failed;
}

/* A unit of the tree: its files and no others. */
static char *of_tree(const ls_new *what, ls_new_files *files, char **unit, ls_args *todo) {
    char *temporary = NULL, *failed = wrong_group(what);
    ls_args found = {0};
    ls_new with = *what;
    if (failed == NULL && what->unit == NULL && what->from->count == 0)
        failed = ls_copy("--group needs the unit's name, --unit rf_NAME, or its RTL, --from FILE");
    if (failed == NULL && what->unit != NULL) failed = wrong_name(what->unit);
    if (failed == NULL && what->from->count == 0) {
        with.from = &found;
        failed = ls_temporary_folder("ls_new", &temporary);
        if (failed == NULL) failed = find_rtl(what, temporary, &found);
    }
    if (failed == NULL) failed = ls_new_from(&with, files, unit, todo);
    if (failed == NULL && strncmp(*unit, "rf_", 3) != 0) failed = ls_format("%s: a unit of the tree is called rf_NAME", *unit);
    if (temporary != NULL) ls_remove_tree(temporary);
    free(temporary);
    ls_args_free(&found);
    return failed;
}

/* The last part of the folder's path, with _ for what a name cannot have; to be freed. */
static char *name_of_folder(const char *folder) {
    char real[PATH_MAX], *copy = ls_copy(realpath(folder, real) != NULL ? real : folder);
    for (size_t n = strlen(copy); n > 1 && copy[n - 1] == '/'; n--) copy[n - 1] = '\0';
    const char *slash = strrchr(copy, '/');
    char *name = ls_copy(slash != NULL ? slash + 1 : copy);
    for (char *c = name; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c)) *c = '_';
    free(copy);
    return name;
}

int ls_project_new(const ls_new *what, char **name, ls_args *written, ls_args *todo, char **error) {
    ls_new_files files = {0};
    char *unit = NULL;
    *error = NULL;
    if (what->group != NULL) *error = of_tree(what, &files, &unit, todo);
    else if (what->from->count > 0) *error = ls_new_from(what, &files, &unit, todo);
    else unit = what->unit != NULL ? ls_copy(what->unit) : name_of_folder(what->folder);
    if (*error == NULL) *error = wrong_name(unit);
    if (*error == NULL && what->group == NULL) *error = add_skeleton(&files, false, unit);
    if (*error == NULL && what->group == NULL && what->from->count == 0) *error = add_skeleton(&files, true, unit);
    if (*error == NULL) *error = write_files(what->folder, &files, written);
    *name = unit;
    free_files(&files);
    return *error == NULL ? 0 : -1;
}
