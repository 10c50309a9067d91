/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/explore/explore_key.h"

#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"

/* Appends a byte, to the last range when it goes on and is one of those from `first` on. */
static void add(ls_explore_bytes **list, size_t *count, size_t first, size_t offset) {
    ls_explore_bytes *last = *count > first ? &(*list)[*count - 1] : NULL;
    if (last != NULL && last->offset + last->bytes == offset) {
        last->bytes++;
        return;
    }
    *list = ls_grow(*list, *count, sizeof **list);
    (*list)[(*count)++] = (ls_explore_bytes){offset, 1};
}

/* The lists, from the kind of each byte. */
static void make_lists(ls_explore_key *key) {
    key->count = key->rest_count = key->bytes = 0;
    for (uint8_t kind = LS_KEY_NAMED; kind <= LS_KEY_OTHER; kind++) {
        const size_t first = key->count;
        for (size_t i = 0; i < key->model_size; i++) {
            if (key->kind[i] != kind) continue;
            add(&key->list, &key->count, first, i);
            key->bytes++;
        }
        if (kind == LS_KEY_NAMED) {
            key->named = key->count;
            key->key_bytes = key->bytes;
        }
    }
    key->bytes = (key->bytes + 7) / 8 * 8;
    for (size_t i = 0; i < key->model_size; i++)
        if (key->kind[i] == LS_KEY_REST) add(&key->rest, &key->rest_count, 0, i);
}

void ls_explore_key_make(ls_explore_key *key, const ls_unit *unit, const ls_fields *fields, const void *model) {
    *key = (ls_explore_key){
        .base = ls_zeroed(unit->model_size), .model_size = unit->model_size, .kind = ls_zeroed(unit->model_size)};
    memcpy(key->base, model, unit->model_size);
    ls_fields_state_bytes(fields, key->kind, LS_KEY_NAMED);
    make_lists(key);
}

void ls_explore_key_extend(ls_explore_key *key, const void *model) {
    for (size_t i = 0; i < key->model_size; i++)
        if (key->kind[i] == LS_KEY_REST && ((const uint8_t *)model)[i] != key->base[i]) key->kind[i] = LS_KEY_OTHER;
    make_lists(key);
}

void ls_explore_key_free(ls_explore_key *key) {
    free(key->base);
    free(key->kind);
    free(key->list);
    free(key->rest);
    *key = (ls_explore_key){0};
}
