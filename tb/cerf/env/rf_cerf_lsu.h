/* SPDX-License-Identifier: Apache-2.0 */
/* Load/store unit in front of an integrated memory or an L1D, and the memory as it must look: accesses of warps become requests
 * of lines, one a cycle, in order; an access is over when its stores are accepted and its loads and atomics answered.
 *
 * Golden memory: every request takes effect when it is accepted. What a load or an atomic is answered must be what the golden
 * memory held then; the first difference is kept as a text. Data of stores and atomics are given with the access. */
#ifndef RF_CERF_LSU_H
#define RF_CERF_LSU_H

#include "cmodel/cerf/rf_cerf_memory.h"
#include "tb/cerf/env/rf_line_store.h"
#include "tb/machine/env/rf_memory_coalesce.h"

#define RF_CERF_IDS (1u << RF_CERF_ID_W)
#define RF_CERF_ACCESSES 1024u /* that wait: more than all execution ports hold */

typedef struct rf_cerf_access {
    uint16_t number; /* whose it is */
    uint8_t op;      /* RF_CACHE_ */
    uint32_t count;  /* requests */
    uint32_t sent;   /* of them, accepted */
    uint32_t open;   /* of them, not answered */
    uint32_t line[RF_REQUESTS_MAX];
    uint32_t mask[RF_REQUESTS_MAX];
    uint8_t way; /* of a FLUSH or CLEAR */
    rf_vec data; /* the same of all its lines */
} rf_cerf_access;

typedef struct rf_cerf_lsu {
    rf_line_store golden;
    uint32_t first, waiting; /* ring: accesses not yet sent */
    rf_cerf_access *ring[RF_CERF_ACCESSES];
    rf_cerf_access *owner[RF_CERF_IDS]; /* of a number under way; NULL: free */
    uint32_t owned_line[RF_CERF_IDS];
    rf_vec expected[RF_CERF_IDS];
    uint32_t ids;                    /* numbers that it uses, 1 .. RF_CERF_IDS */
    bool asks;                       /* a request stands, */
    uint8_t id;                      /* with this number */
    uint16_t over[RF_CERF_ACCESSES]; /* numbers of accesses that are over, not yet told */
    uint32_t over_count;
    char violation[160];
} rf_cerf_lsu;

void rf_cerf_lsu_init(rf_cerf_lsu *u, uint32_t lanes, uint32_t zero);
void rf_cerf_lsu_free(rf_cerf_lsu *u);

/* There is room for one more access. */
bool rf_cerf_lsu_room(const rf_cerf_lsu *u);
/* Takes a copy of the access. */
void rf_cerf_lsu_push(rf_cerf_lsu *u, const rf_cerf_access *access);
/* Nothing waits or is under way. */
bool rf_cerf_lsu_idle(const rf_cerf_lsu *u);

/* Requests of the coming cycle, into the members of `in` named mem_*: as those of rf_cerf_memory_in. */
typedef struct rf_cerf_request {
    uint8_t valid, op, way, id;
    uint32_t line, mask;
    rf_vec data;
} rf_cerf_request;
void rf_cerf_lsu_request(rf_cerf_lsu *u, rf_cerf_request *out);

/* The request of this cycle was accepted. */
void rf_cerf_lsu_accepted(rf_cerf_lsu *u);
/* A load or atomic was answered. */
void rf_cerf_lsu_answered(rf_cerf_lsu *u, uint32_t id, const rf_vec *data);

/* An access that is over, each once: its number, or false. */
bool rf_cerf_lsu_over(rf_cerf_lsu *u, uint16_t *number);

#endif
