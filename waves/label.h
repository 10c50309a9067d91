/* SPDX-License-Identifier: Apache-2.0 */
/* Names in the waves of a unit beside its model (harness/wave/wave_top.h). */
#ifndef LS_WAVES_LABEL_H
#define LS_WAVES_LABEL_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/core/field.h"

#define LS_WAVE_TOP "%s_waves" /* the top module, of the unit's name */
#define LS_WAVE_OF_PORTS "registers."

/* The field in a scope, "rtl", "model" or "diff": as the RTL has it, or below `mapped` by the model's name when it has it in
 * pieces. Registers that are outputs, too, are below `registers` in `model` and `diff`. */
const char *ls_wave_label(const ls_field *field, const char *scope, char *text, size_t size);
/* Whether field lists show the field as one difference bit per row. */
bool ls_wave_by_row(const ls_field *field);

#endif
