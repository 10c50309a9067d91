/* SPDX-License-Identifier: Apache-2.0 */
/* Machine descriptions: a text file that says of systems which parameters they have, and of their surroundings how they are built
 * (format: docs/machines.md). */
#ifndef LS_MACHINE_H
#define LS_MACHINE_H

#include "harness/base/text.h"
#include "harness/core/unit.h"

typedef struct ls_machine {
    ls_settings params; /* NAME or SYSTEM.NAME */
    ls_settings surroundings;
} ls_machine;

/* Reads one: of the shipped ones when `name` has no slash and no dot, else that file. 0; or -1 and a message, with file and line
 * where there is one, and nothing to free. */
int ls_machine_read(ls_machine *machine, const char *name, char *error, size_t size);
void ls_machine_free(ls_machine *machine);

/* Sets the parameters that it gives to this unit; what is said of one system alone comes last. 0, or -1 and a message. */
int ls_machine_configure(const ls_machine *machine, const ls_unit *unit, void *cfg, char *error, size_t size);

/* Adds a setting, in place of one of that name. */
void ls_settings_put(ls_settings *settings, const char *name, const char *value, const char *place);
/* The setting of that name, or NULL. */
const ls_setting *ls_settings_find(const ls_settings *settings, const char *name);

/* Names of the shipped ones, sorted; and of one its path and its first line of comment that is no licence, both to be freed. */
void ls_machine_names(ls_args *names);
char *ls_machine_path(const char *name);
char *ls_machine_title(const char *name);

#endif
