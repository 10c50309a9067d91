/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/wir/env/rf_h3_collide.h"

static void flip(rf_vec *v, uint32_t row) { v->lane[row / 32] ^= UINT32_C(1) << row % 32; }

static uint32_t hash_of_row(uint32_t row) {
    rf_vec v = {{0}};
    flip(&v, row);
    return rf_h3_hash(&v);
}

void rf_h3_collider_init(rf_h3_collider *k, uint32_t lanes, ls_rng *rng) {
    const uint32_t rows = lanes * 32;
    /* A step that has no divisor in common with 32 * LANES visits every row. */
    const uint32_t first = ls_rng_below(rng, rows), stride = ls_rng_chance(rng, 128) ? 1 : 37;
    uint32_t sum[32] = {0}, from[32] = {0}; /* per highest bit: a sum of base rows, and which they are */
    uint32_t found = 0;
    *k = (rf_h3_collider){.lanes = lanes};
    for (uint32_t l = 0; l < lanes; l++) k->free.lane[l] = UINT32_MAX;
    for (uint32_t i = 0, row = first; i < rows && found < 32; i++, row = (row + stride) % rows) {
        uint32_t rest = hash_of_row(row), who = UINT32_C(1) << found;
        for (uint32_t b = 32; b-- > 0;) {
            if ((rest >> b & 1) == 0) continue;
            if (sum[b] == 0) {
                sum[b] = rest, from[b] = who;
                k->base[found++] = (uint16_t)row;
                flip(&k->free, row);
                break;
            }
            rest ^= sum[b], who ^= from[b];
        }
    }
    /* Each sum has its highest bit to itself once the lower ones are subtracted; lane 0's rows alone make all 32. */
    for (uint32_t b = 0; b < 32; b++) {
        for (uint32_t low = 0; low < b; low++)
            if ((sum[b] >> low & 1) != 0) sum[b] ^= sum[low], from[b] ^= from[low];
        k->repair[b] = from[b];
    }
}

static bool is_zero(const rf_vec *v) {
    uint32_t any = 0;
    for (uint32_t l = 0; l < RF_LANES_MAX; l++) any |= v->lane[l];
    return any == 0;
}

bool rf_h3_collide(const rf_h3_collider *k, ls_rng *rng, const rf_vec *value, rf_vec *other) {
    rf_vec change = {{0}};
    const uint32_t shape = ls_rng_below(rng, 4), chosen = ls_rng_below(rng, k->lanes);
    *other = *value;
    if (k->lanes == 1) return false;
    /* What differs outside the base: all over, in one lane, or one bit, of the chosen lane or the next that has one. */
    if (shape == 0)
        for (uint32_t l = 0; l < k->lanes; l++) change.lane[l] = (uint32_t)ls_rng_u64(rng) & k->free.lane[l];
    if (shape == 1) change.lane[chosen] = (uint32_t)ls_rng_u64(rng) & k->free.lane[chosen];
    for (uint32_t l = chosen; is_zero(&change); l = (l + 1) % k->lanes)
        change.lane[l] = UINT32_C(1) << ls_rng_below(rng, 32) & k->free.lane[l];
    uint32_t bits = 0;
    for (uint32_t hash = rf_h3_hash(&change); hash != 0; hash &= hash - 1) bits ^= k->repair[rf_lowest(hash)];
    for (; bits != 0; bits &= bits - 1) flip(&change, k->base[rf_lowest(bits)]);
    for (uint32_t l = 0; l < k->lanes; l++) other->lane[l] ^= change.lane[l];
    return true;
}
