/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/place.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/root.h"
#include "harness/base/text.h"

const char *ls_unit_root(const ls_unit *unit) { return unit->place != NULL ? unit->place->root : ls_root(); }

/* The part of a unit of ours. */
static char *by_group(const ls_unit *unit, ls_unit_part part) {
    static const struct {
        const char *folder, *before, *end;
    } names[] = {[LS_PART_RTL] = {"rtl", "", ".sv"},        [LS_PART_MODEL] = {"cmodel", "", ".c"},
                 [LS_PART_LIST] = {"tb", "", ".fields"},    [LS_PART_BENCH] = {"tb", "", ".c"},
                 [LS_PART_CHECK] = {"tb", "", "_check.sv"}, [LS_PART_JUDGE] = {"tb", "judge/test_", ".c"}};
    return ls_format("%s/%s/%s%s%s", names[part].folder, unit->group, names[part].before, unit->name, names[part].end);
}

char *ls_unit_part_name(const ls_unit *unit, ls_unit_part part) {
    const ls_place *p = unit->place;
    if (p == NULL) return by_group(unit, part);
    const int folder = (int)(strlen(p->bench) - strlen(unit->name) - strlen(".c")); /* of the bench, with its slash */
    switch (part) {
    case LS_PART_RTL:
        return ls_copy(p->rtl);
    case LS_PART_MODEL:
        return ls_copy(p->model);
    case LS_PART_LIST:
        return ls_format("%.*s%s.fields", folder, p->bench, unit->name);
    case LS_PART_BENCH:
        return ls_copy(p->bench);
    case LS_PART_CHECK:
        return ls_format("%.*s%s_check.sv", folder, p->bench, unit->name);
    case LS_PART_JUDGE:
        break;
    }
    return ls_format("%.*stest_%s.c", folder, p->bench, unit->name);
}

char *ls_unit_part_path(const ls_unit *unit, ls_unit_part part) {
    char *name = ls_unit_part_name(unit, part), *path = ls_format("%s/%s", ls_unit_root(unit), name);
    free(name);
    return path;
}

char *ls_unit_path(const ls_unit *unit, const char *name) {
    if (name[0] == '/') return ls_copy(name);
    char *path = ls_format("%s/%s", ls_unit_root(unit), name), *ours = ls_format("%s/%s", ls_root(), name);
    const bool other = unit->place != NULL && access(path, F_OK) != 0 && access(ours, F_OK) == 0;
    free(other ? path : ours);
    return other ? ours : path;
}
