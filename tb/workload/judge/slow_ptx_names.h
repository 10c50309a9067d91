/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model's names, and the special registers it knows. */
#ifndef SLOW_PTX_NAMES_H
#define SLOW_PTX_NAMES_H

#include "tb/workload/judge/slow_ptx.h"

#define SLOW_NAME(name) #name,
static const char *const slow_op_names[] = {SLOW_OPS(SLOW_NAME)};
static const char *const slow_mod_names[] = {SLOW_MODS(SLOW_NAME)};

static const char *const slow_special_names[] = {"%tid.x",       "%tid.y",       "%tid.z",       "%ntid.x",      "%ntid.y",
                                                 "%ntid.z",      "%ctaid.x",     "%ctaid.y",     "%ctaid.z",     "%nctaid.x",
                                                 "%nctaid.y",    "%nctaid.z",    "%laneid",      "%warpid",      "%nwarpid",
                                                 "%lanemask_eq", "%lanemask_le", "%lanemask_lt", "%lanemask_ge", "%lanemask_gt"};
#define SLOW_SPECIALS ((uint32_t)(sizeof slow_special_names / sizeof slow_special_names[0]))

#endif
