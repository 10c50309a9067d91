/* SPDX-License-Identifier: Apache-2.0 */
/* Proposes a map: by name, by width, and by running model and RTL beside each other. */
#ifndef LS_MAP_PROPOSE_H
#define LS_MAP_PROPOSE_H

#include "harness/core/design.h"

/* Appends the lines of a map to `text`, those of the request's own first; behind each a comment says whether it is certain or a
 * guess. The number of ports and registers, of either side, for which there is no line; -1: *error, to be freed, says why not. */
int ls_map_propose(const ls_design_request *request, uint64_t seed, uint64_t cycles, ls_text *text, char **error);

#endif
