/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/workload/rf_ptx_names.h"

#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_kernel.h"

bool rf_ptx_room(void *array, uint32_t *capacity, uint32_t count, size_t size) {
    void *old = NULL;
    if (count < *capacity) return true;
    if (count > UINT32_MAX / 4) return false;
    const uint32_t more = *capacity ? 2 * *capacity : 16;
    memcpy(&old, array, sizeof old);
    void *const grown = realloc(old, more * size);
    if (!grown) return false;
    memcpy(array, &grown, sizeof grown);
    *capacity = more;
    return true;
}

uint32_t rf_ptx_scope(rf_ptx_names *names, uint32_t parent) {
    if (!rf_ptx_room(&names->parent, &names->scope_capacity, names->scopes, sizeof *names->parent)) return RF_KNONE;
    names->parent[names->scopes] = parent;
    return names->scopes++;
}

static uint32_t family_of(rf_ptx_what what) { return what < RF_PTX_RANGE ? RF_PTX_REGISTER : (uint32_t)what; }

/* 32-bit FNV-1a over family, scope and text. */
static uint32_t hash_of(uint32_t family, const char *text, size_t length, uint32_t scope) {
    uint32_t h = (UINT32_C(2166136261) ^ family) * UINT32_C(16777619);
    for (uint32_t i = 0; i < 4; i++) h = (h ^ (scope >> 8 * i & 255)) * UINT32_C(16777619);
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * UINT32_C(16777619);
    return h;
}

rf_ptx_name *rf_ptx_find_here(const rf_ptx_names *names, rf_ptx_what family, const char *text, size_t length, uint32_t scope) {
    if (names->buckets == 0) return NULL;
    const uint32_t hash = hash_of(family_of(family), text, length, scope);
    for (uint32_t i = names->bucket[hash & (names->buckets - 1)]; i != RF_KNONE; i = names->name[i].next) {
        rf_ptx_name *const n = &names->name[i];
        if (n->hash == hash && n->scope == scope && n->length == length && family_of((rf_ptx_what)n->what) == family_of(family) &&
            memcmp(n->text, text, length) == 0)
            return n;
    }
    return NULL;
}

rf_ptx_name *rf_ptx_find(const rf_ptx_names *names, rf_ptx_what family, const char *text, size_t length, uint32_t scope) {
    for (;; scope = names->parent[scope]) {
        rf_ptx_name *const found = rf_ptx_find_here(names, family, text, length, scope);
        if (found || scope == RF_PTX_MODULE) return found;
    }
}

/* Twice as many buckets; every chain has its newest name first, which rf_ptx_forget relies on. */
static bool rehash(rf_ptx_names *names) {
    const uint32_t buckets = names->buckets ? 2 * names->buckets : 64;
    uint32_t *const bucket = malloc(buckets * sizeof *bucket);
    if (!bucket) return false;
    for (uint32_t i = 0; i < buckets; i++) bucket[i] = RF_KNONE;
    for (uint32_t i = 0; i < names->count; i++) {
        uint32_t *const head = &bucket[names->name[i].hash & (buckets - 1)];
        names->name[i].next = *head;
        *head = i;
    }
    free(names->bucket);
    names->bucket = bucket;
    names->buckets = buckets;
    return true;
}

rf_ptx_name *rf_ptx_add(rf_ptx_names *names, rf_ptx_what what, const char *text, size_t length, uint32_t scope) {
    if (!rf_ptx_room(&names->name, &names->capacity, names->count, sizeof *names->name)) return NULL;
    if (names->count >= names->buckets && !rehash(names)) return NULL;
    const uint32_t hash = hash_of(family_of(what), text, length, scope);
    uint32_t *const head = &names->bucket[hash & (names->buckets - 1)];
    rf_ptx_name *const n = &names->name[names->count];
    *n = (rf_ptx_name){
        .text = text, .length = (uint32_t)length, .scope = scope, .hash = hash, .next = *head, .what = (uint8_t)what};
    n->index = RF_KNONE;
    *head = names->count++;
    return n;
}

void rf_ptx_forget(rf_ptx_names *names, uint32_t count, uint32_t scopes) {
    while (names->count > count) {
        const rf_ptx_name *const n = &names->name[--names->count];
        names->bucket[n->hash & (names->buckets - 1)] = n->next;
    }
    names->scopes = scopes;
}

void rf_ptx_names_free(rf_ptx_names *names) {
    free(names->name);
    free(names->bucket);
    free(names->parent);
    *names = (rf_ptx_names){0};
}
