/* SPDX-License-Identifier: Apache-2.0 */
/* Where the bits of a field are in the model's structs, and which leaf of the graph stands for each. */
#ifndef LS_SPOTS_H
#define LS_SPOTS_H

#include "harness/core/unit.h"

/* `bits` bits of a field from bit `low` of element `element` on: in `size` bytes of the struct, from `offset` on. */
typedef struct ls_spot {
    uint32_t field, element, low, bits;
    size_t offset, size;
} ls_spot;

typedef struct ls_spots {
    ls_fields fields;
    ls_spot *list; /* in the order of the fields */
    size_t count;
    uint32_t *first; /* of each field: the variable of its bit 0, those of its elements one behind the other; 0: an output */
    uint32_t leaves; /* variables 1 .. leaves */
} ls_spots;

static inline bool ls_is_state(const ls_field *f) { return f->kind == LS_STATE || f->kind == LS_MEMORY; }

/* Of a model after init. */
void ls_spots_make(ls_spots *spots, const ls_unit *unit, const void *model);
void ls_spots_free(ls_spots *spots);

/* The variable of a bit of an input or of the state. */
static inline uint32_t ls_spot_leaf(const ls_spots *s, const ls_spot *at, uint32_t bit) {
    return s->first[at->field] + at->element * s->fields.list[at->field].bits + at->low + bit;
}
/* "queue_q[3]", or "head.src[5]": the part of the field that lies there; to be freed. */
char *ls_spot_name(const ls_spots *s, const ls_spot *at);

#endif
