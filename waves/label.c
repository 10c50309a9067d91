/* SPDX-License-Identifier: Apache-2.0 */
#include "waves/label.h"

#include <stdio.h>
#include <string.h>

#include "harness/core/plan.h"

#define MAPPED "mapped."

const char *ls_wave_label(const ls_field *f, const char *scope, char *text, size_t size) {
    const size_t room = sizeof LS_WAVE_OF_PORTS - 1;
    if (f->pieces != NULL) {
        (void)snprintf(text, size, MAPPED "%s%s", f->of_port ? LS_WAVE_OF_PORTS : "", f->name);
    } else if (f->of_port && strcmp(scope, "rtl") != 0 && size > room) {
        (void)snprintf(text, size, LS_WAVE_OF_PORTS);
        (void)ls_rtl_name(f, text + room, size - room);
    } else {
        (void)ls_rtl_name(f, text, size);
    }
    return text;
}

bool ls_wave_by_row(const ls_field *f) { return f->kind == LS_MEMORY && (uint64_t)f->bits * f->count > LS_SWEEP_BYTES * 8u; }

const char *ls_wave_reset(const ls_unit *unit) { return unit->names.reset_high ? "rst" : "rst_n"; }
