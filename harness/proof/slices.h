/* SPDX-License-Identifier: Apache-2.0 */
/* Where the bits of a field are in the model's structs, and which leaf of the graph stands for each. */
#ifndef LS_SLICES_H
#define LS_SLICES_H

#include "harness/core/unit.h"

/* `bits` bits of a field from bit `low` of element `element` on: in `size` bytes of the struct, from `offset` on. */
typedef struct ls_slice {
    uint32_t field, element, low, bits;
    size_t offset, size;
} ls_slice;

typedef struct ls_slices {
    ls_fields fields;
    ls_slice *list; /* in the order of the fields */
    size_t count;
    uint32_t *first; /* of each field: the variable of its bit 0, those of its elements one behind the other; 0: an output */
    uint32_t leaves; /* variables 1 .. leaves */
} ls_slices;

/* Of a model after init. */
void ls_slices_make(ls_slices *slices, const ls_unit *unit, const void *model);
void ls_slices_free(ls_slices *slices);

/* The variable of a bit of an input or of the state. */
static inline uint32_t ls_slice_leaf(const ls_slices *s, const ls_slice *at, uint32_t bit) {
    return s->first[at->field] + at->element * s->fields.list[at->field].bits + at->low + bit;
}
/* "queue_q[3]", or "head.src[5]": the part of the field that lies there; to be freed. */
char *ls_slice_name(const ls_slices *s, const ls_slice *at);

#endif
