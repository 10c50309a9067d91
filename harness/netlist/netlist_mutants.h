/* SPDX-License-Identifier: Apache-2.0 */
/* The step of a netlist's making that puts mutants in, and sees to it that no combinational loop comes with them. */
#ifndef LS_NETLIST_MUTANTS_H
#define LS_NETLIST_MUTANTS_H

#include <stdint.h>

#include "harness/base/text.h"

/* Puts up to `count` of the mutants that folder/list offers into folder/base.il. Leaves folder/netlist.il, where every wire of
 * the RTL is whole, and folder/raw.v, where no vector depends on itself. `mutants`: those that are in, as in ls_netlist;
 * `looped`: those that were left out because a bit would depend on itself. With count 0 there is no list, and nothing is put in.
 * NULL, or an error to free. */
char *ls_netlist_mutate(const char *folder, uint32_t count, unsigned timeout_ms, ls_args *mutants, ls_args *looped);

/* The value of an option of mutant `text`, "port" -> "A"; "" when it has none; free() it. */
char *ls_mutant_option(const char *text, const char *option);

#endif
