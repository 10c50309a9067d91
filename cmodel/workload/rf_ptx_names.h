/* SPDX-License-Identifier: Apache-2.0 */
/* Names of a PTX module: scopes within scopes, a hash table over all of them. Texts stay in the file's buffer, of opcodes in the
 * kernel's list. */
#ifndef RF_PTX_NAMES_H
#define RF_PTX_NAMES_H

#include "cmodel/common/rf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_PTX_MODULE 0u /* the outermost scope */

/* Four families, each with names of its own: registers, variables, labels, functions; ranges (`%r<5>` under "%r"); opcode texts;
 * variables that are one for all calls of the function that declares them, by the place in the file as their scope. */
typedef enum rf_ptx_what {
    RF_PTX_REGISTER,
    RF_PTX_VARIABLE,
    RF_PTX_PARAM,
    RF_PTX_LABEL,
    RF_PTX_FUNCTION,
    RF_PTX_RANGE,
    RF_PTX_OPCODE,
    RF_PTX_ONCE
} rf_ptx_what;

typedef struct rf_ptx_name {
    const char *text;
    uint32_t length, scope, hash, next;
    uint8_t what;   /* rf_ptx_what */
    uint8_t type;   /* REGISTER, RANGE: rf_ktype */
    uint8_t space;  /* VARIABLE, PARAM: rf_kspace; of a call's PARAM: local */
    bool dynamic;   /* VARIABLE: extern shared array */
    uint32_t index; /* REGISTER: kernel's variable, RF_KNONE before its first use; RANGE: count; LABEL: instruction; FUNCTION,
                       OPCODE: number in its list; ONCE: of the entry that has it, 0 for all */
    uint64_t address, size; /* VARIABLE, PARAM: bytes */
} rf_ptx_name;

typedef struct rf_ptx_names {
    rf_ptx_name *name;
    uint32_t count, capacity;
    uint32_t *bucket, buckets;
    uint32_t *parent; /* of each scope */
    uint32_t scopes, scope_capacity;
} rf_ptx_names;

/* Room for one more element of `size` bytes behind `count`; grows by doubling. False: no memory. */
bool rf_ptx_room(void *array, uint32_t *capacity, uint32_t count, size_t size);

/* A scope within `parent`; RF_KNONE: no memory. The first one made is RF_PTX_MODULE. */
uint32_t rf_ptx_scope(rf_ptx_names *names, uint32_t parent);

/* The name of that family in this scope alone; in this scope and those around it. NULL: none. */
rf_ptx_name *rf_ptx_find_here(const rf_ptx_names *names, rf_ptx_what family, const char *text, size_t length, uint32_t scope);
rf_ptx_name *rf_ptx_find(const rf_ptx_names *names, rf_ptx_what family, const char *text, size_t length, uint32_t scope);

/* Adds a name that is not there yet; good until the next is added. NULL: no memory. */
rf_ptx_name *rf_ptx_add(rf_ptx_names *names, rf_ptx_what what, const char *text, size_t length, uint32_t scope);

/* Forgets every name behind the first `count` and every scope behind the first `scopes`. */
void rf_ptx_forget(rf_ptx_names *names, uint32_t count, uint32_t scopes);
void rf_ptx_names_free(rf_ptx_names *names);

#ifdef __cplusplus
}
#endif
#endif
