/* SPDX-License-Identifier: Apache-2.0 */
/* What the tables of commands and options say, for people: help, manual page, completion. */
#ifndef LS_HELP_H
#define LS_HELP_H

#include <stdbool.h>

#include "harness/core/options.h"

/* Prints the overview of all commands; with `help`, the page of the options' command; with `man` or `completion` that. To stdout.
 */
void ls_help(const ls_options *options);

/* Whether there is a completion of that shell: bash, zsh or fish. With `print` it is printed. */
bool ls_completion(const char *shell, bool print);

#endif
