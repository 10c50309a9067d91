/* SPDX-License-Identifier: Apache-2.0 */
/* The command line, parsed. */
#ifndef LS_PARSE_H
#define LS_PARSE_H

#include "harness/core/options.h"

/* Parses argv[1] on; an option that the command does not use is refused. 0; or -1 after a message on stderr. */
int ls_options_parse(ls_options *options, int argc, char **argv);

#endif
