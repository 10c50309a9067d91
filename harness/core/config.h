/* SPDX-License-Identifier: Apache-2.0 */
/* A unit's parameters from text and to text; whether its tables are sound. */
#ifndef LS_CONFIG_H
#define LS_CONFIG_H

#include "harness/base/text.h"
#include "harness/core/unit.h"

/* Has the units of a project stand before ours; `own` (ends with NULL) must outlive all. */
void ls_units_put(const ls_unit *const *own);

/* The unit of that name, or NULL. */
const ls_unit *ls_unit_find(const char *name);

/* A new configuration with every parameter at its default; free() it. */
void *ls_config_new(const ls_unit *unit);

/* Sets one parameter from "NAME=VALUE" (decimal or 0x…). 0, or -1 and a message that names the parameter, value and range. */
int ls_config_set(const ls_unit *unit, void *cfg, const char *text, char *error, size_t size);

/* Sets all parameters of a set, "BANKS=8 LANES=4", separated by blanks, each at most once. As above. */
int ls_config_set_all(const ls_unit *unit, void *cfg, const char *set, char *error, size_t size);

/* Whether the unit's tables say nothing twice, of which one would be passed over or all be counted: lines of its field list,
 * members of its parameters, bins, parameter sets (as values, not as text), planted faults. 0; or -1 and a message with file and
 * line, or unit and name. */
int ls_unit_check(const ls_unit *unit, char *error, size_t size);

uint32_t ls_config_get(const ls_param *param, const void *cfg);

/* The parameters that differ from their defaults, "BANKS=8 LANES=4" ("" when none); free() it. */
char *ls_config_text(const ls_unit *unit, const void *cfg);

/* Those that differ from what they are in `from`. */
char *ls_config_difference(const ls_unit *unit, const void *cfg, const void *from);

/* The sets of the unit in a file of lines "rf_x BANKS=8 LANES=4 --lanes", as tb/proof.sets is, in their order, and the options of
 * each ("" when none). 0, or -errno: it cannot be read. */
int ls_config_sets(const char *path, const ls_unit *unit, ls_args *sets, ls_args *options);

/* The unit that a file is named after, ".../rf_x.*", or NULL: it belongs to those who use it. */
const ls_unit *ls_unit_of_file(const char *file);

#endif
