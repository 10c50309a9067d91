/* SPDX-License-Identifier: Apache-2.0 */
#include "waves/label.h"

#include <stdio.h>

#include "harness/core/plan.h"

#define MAPPED "mapped."

const char *ls_wave_label(const ls_field *f, char *text, size_t size) {
    if (f->pieces == NULL) return ls_rtl_name(f, text, size);
    (void)snprintf(text, size, MAPPED "%s", f->name);
    return text;
}

bool ls_wave_by_row(const ls_field *f) { return f->kind == LS_MEMORY && (uint64_t)f->bits * f->count > LS_SWEEP_BYTES * 8u; }
