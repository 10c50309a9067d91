/* SPDX-License-Identifier: Apache-2.0 */
/* The same view for Surfer, as a file of its commands: `surfer --command-file failure.sucl`. */
#ifndef LS_WAVES_SURFER_H
#define LS_WAVES_SURFER_H

#include "waves/gtkw.h"

/* Appends the commands. */
void ls_surfer_write(const ls_view *view, ls_text *text);

#endif
