/* SPDX-License-Identifier: Apache-2.0 */
/* A state of a model as bytes: the registers of the field list, then what else of the struct was seen to change. The first are
 * the state; the others must follow from them, or the model remembers what no field names. */
#ifndef LS_EXPLORE_KEY_H
#define LS_EXPLORE_KEY_H

#include <string.h>

#include "harness/core/unit.h"

typedef struct ls_explore_bytes {
    size_t offset, bytes;
} ls_explore_bytes;

typedef struct ls_explore_key {
    uint8_t *base; /* the model after reset */
    size_t model_size;
    uint8_t *kind;                 /* of each byte of the model: LS_KEY_... */
    ls_explore_bytes *list, *rest; /* registers, then the others; and what never changes */
    size_t named, count, rest_count;
    size_t key_bytes, bytes; /* of the registers; of all, a multiple of 8 */
} ls_explore_key;

enum { LS_KEY_REST, LS_KEY_NAMED, LS_KEY_OTHER };

void ls_explore_key_make(ls_explore_key *key, const ls_unit *unit, const ls_fields *fields, const void *model);
void ls_explore_key_free(ls_explore_key *key);
/* Notes the bytes of the model that differ from `base` and were taken for constant. */
void ls_explore_key_extend(ls_explore_key *key, const void *model);

/* The struct's bytes at `from` into `to`, of key->bytes bytes. */
static inline void ls_explore_pack(const ls_explore_key *key, const void *from, uint8_t *to) {
    for (size_t i = 0; i < key->count; to += key->list[i++].bytes)
        memcpy(to, (const uint8_t *)from + key->list[i].offset, key->list[i].bytes);
}

/* And back into a struct that was `base` or a state. */
static inline void ls_explore_unpack(const ls_explore_key *key, const uint8_t *from, void *to) {
    for (size_t i = 0; i < key->count; from += key->list[i++].bytes)
        memcpy((uint8_t *)to + key->list[i].offset, from, key->list[i].bytes);
}

/* Whether all other bytes are as they were after reset. */
static inline bool ls_explore_rests(const ls_explore_key *key, const void *model) {
    for (size_t i = 0; i < key->rest_count; i++) {
        const ls_explore_bytes *r = &key->rest[i];
        if (memcmp((const uint8_t *)model + r->offset, key->base + r->offset, r->bytes) != 0) return false;
    }
    return true;
}

#endif
