/* SPDX-License-Identifier: Apache-2.0 */
/* Values with equal hashes, by linear algebra: the hash is linear, so two values collide when the rows of the bits in which they
 * differ add up to 0. 32 independent rows, the base, make any hash: whatever else differs, bits of the base repair it. */
#ifndef RF_H3_COLLIDE_H
#define RF_H3_COLLIDE_H

#include "cmodel/wir/rf_h3.h"
#include "harness/base/rng.h"

typedef struct rf_h3_collider {
    uint32_t lanes;
    uint16_t base[32];   /* rows of the table */
    uint32_t repair[32]; /* per bit of the hash: the rows of the base that add up to this bit alone, one bit each */
    rf_vec free;         /* the bits outside the base */
} rf_h3_collider;

/* Once per stimulus: `rng` chooses whether the base lies in neighbouring lanes or all over the value. */
void rf_h3_collider_init(rf_h3_collider *k, uint32_t lanes, ls_rng *rng);

/* A value that differs from `value` and has its hash: in some 20 bits, in many, or in few lanes. False, and `other` a copy, when
 * there is none: LANES = 1, whose 32 rows are independent. Takes a fraction of a microsecond. */
bool rf_h3_collide(const rf_h3_collider *k, ls_rng *rng, const rf_vec *value, rf_vec *other);

#endif
