/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/export/export.h"

#include <string.h>

#include "harness/export/bind.h"
#include "harness/export/vectors.h"
#include "harness/export/vpi.h"

static const ls_export_target targets[] = {
    {"sv-bind", ls_export_bind, false}, {"vectors", ls_export_vectors, true}, {"vpi", ls_export_vpi, false}};
const char ls_export_targets[] = "sv-bind, vectors or vpi";

const ls_export_target *ls_export_find(const char *name) {
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (strcmp(targets[i].name, name) == 0) return &targets[i];
    return NULL;
}
