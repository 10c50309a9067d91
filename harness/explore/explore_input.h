/* SPDX-License-Identifier: Apache-2.0 */
/* Every value that a unit's inputs can have, each as a struct: number i has the bits of i, the first port's lowest. */
#ifndef LS_EXPLORE_INPUT_H
#define LS_EXPLORE_INPUT_H

#include "harness/base/text.h"
#include "harness/core/unit.h"

typedef struct ls_explore_inputs {
    uint8_t *list; /* of unit->in_size bytes each */
    size_t size, count;
    uint32_t bits; /* that take all values: count is 2^bits */
} ls_explore_inputs;

#define LS_EXPLORE_INPUT_BITS 20u
#define LS_EXPLORE_INPUT_BYTES (UINT64_C(1) << 30)

static inline const void *ls_explore_in(const ls_explore_inputs *inputs, size_t number) {
    return inputs->list + number * inputs->size;
}

/* All inputs of the unit whose list is `fields`, but that `fixed` ones, "NAME=VALUE" or "NAME[INDEX]=VALUE" each, keep a value.
 * 0, or -1 and a message with nothing to free: no such input, a value that it cannot have, or too many bits
 * (LS_EXPLORE_INPUT_BITS, LS_EXPLORE_INPUT_BYTES). */
int ls_explore_inputs_make(ls_explore_inputs *inputs, const ls_unit *unit, const ls_fields *fields, const ls_args *fixed,
                           char **error);
void ls_explore_inputs_free(ls_explore_inputs *inputs);

#endif
