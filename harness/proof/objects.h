/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of a symbolic execution: objects of bytes, each bit of a byte a literal. Copies share what neither has changed.
 * The address of a byte is the object's number times 2^32, plus LS_OBJECT_BASE, plus its place: what is computed from it stays
 * near the object as long as it is off by less than a gigabyte, so that an address outside of an object is seen as one. */
#ifndef LS_OBJECTS_H
#define LS_OBJECTS_H

#include "harness/proof/value.h"

#define LS_OBJECT_BASE UINT64_C(0x40000000)

typedef struct ls_memory {
    struct ls_object **object; /* by number; NULL: there is none, as for number 0 */
    uint32_t count;
} ls_memory;

/* Told of each access that C gives no meaning to: the literal says when. */
typedef void ls_misuse_fn(void *ctx, uint32_t when, const char *what);

/* Who accesses: `pc` is the literal that says when at all. */
typedef struct ls_access {
    ls_values *values;
    ls_memory *memory;
    uint32_t pc;
    ls_misuse_fn *misuse;
    void *ctx;
} ls_access;

static inline uint64_t ls_object_address(uint32_t object) { return ((uint64_t)object << 32) + LS_OBJECT_BASE; }

/* Object `number`, which is not there yet, of `size` bytes: these, or NULL: bytes without a value. */
void ls_memory_add(ls_memory *memory, uint32_t number, size_t size, const uint8_t *bytes, bool constant);
ls_memory ls_memory_copy(const ls_memory *memory);
/* `to` where `c` holds, else `from`, which is freed. */
void ls_memory_merge(ls_values *v, ls_memory *to, ls_memory *from, uint32_t c);
/* Objects from that number on are gone: the locals of a call that ended. */
void ls_memory_drop(ls_memory *memory, uint32_t first);
void ls_memory_free(ls_memory *memory);

/* The eight literals of a byte, to be read or changed; undef: its value is none. */
const uint32_t *ls_memory_byte(const ls_memory *memory, uint32_t object, size_t at, uint32_t *undef);
void ls_memory_set_bit(ls_memory *memory, uint32_t object, size_t at, uint32_t bit, uint32_t literal);
/* The byte has no value from now on. */
void ls_memory_lose(ls_memory *memory, uint32_t object, size_t at);

const ls_value *ls_load(const ls_access *a, const ls_value *address, uint32_t bits, uint32_t align);
void ls_store(const ls_access *a, const ls_value *address, const ls_value *value, uint32_t align);
/* memmove and memset */
void ls_copy_bytes(const ls_access *a, const ls_value *to, const ls_value *from, size_t size);
void ls_fill_bytes(const ls_access *a, const ls_value *to, const ls_value *byte, size_t size);

#endif
