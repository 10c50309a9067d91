/* SPDX-License-Identifier: Apache-2.0 */
/* GTKWave views of the waves that harness/wave/wave.h writes, one per failure: the verdict on top, the marker on the cycle, what
 * differs first. GTKWave drops lines that it cannot resolve; so only names that the file holds, with their exact ranges, are
 * written. */
#ifndef LS_WAVES_GTKW_H
#define LS_WAVES_GTKW_H

#include "harness/base/text.h"
#include "harness/core/unit.h"
#include "harness/dut/elab.h"
#include "waves/names.h"

#define LS_VIEW_FIELDS 24u  /* differing fields in the first group */
#define LS_VIEW_ELEMENTS 4u /* of each so many elements */

/* One element of a field that differs. */
typedef struct ls_view_difference {
    uint32_t field, element;
    uint32_t lanes; /* which of its 32-bit lanes */
} ls_view_difference;

typedef struct ls_view {
    const ls_unit *unit;
    const ls_fields *fields;
    const ls_elab *elab; /* of the unit */
    const ls_wave_names *names;
    const char *fst, *gtkw; /* in one folder, which the view does not name */
    const char *title;      /* a line on top */
    uint64_t from, marker;  /* times: the first one, and where the marker goes */
    uint64_t cycle_time;    /* time units of a cycle */
    const ls_view_difference *differences;
    size_t difference_count;
} ls_view;

/* Appends the view. */
void ls_view_write(const ls_view *view, ls_text *text);

#endif
