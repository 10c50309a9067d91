/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/workload/rf_value.h"

#define GOLDEN UINT32_C(0x9e3779b9) /* 2^32 / golden ratio: keeps position and value apart */

/* MurmurHash3's fmix32: a bijection of 32 bits in which every input bit flips every output bit about half the time. */
static inline uint32_t mix(uint32_t h) {
    h ^= h >> 16;
    h *= UINT32_C(0x85ebca6b);
    h ^= h >> 13;
    h *= UINT32_C(0xc2b2ae35);
    return h ^ (h >> 16);
}

/* One more 32-bit word into a running hash: a bijection of either argument. */
static inline uint32_t absorb(uint32_t h, uint32_t word) { return mix((h ^ word) + GOLDEN); }

static inline uint32_t absorb64(uint32_t h, uint64_t word) { return absorb(absorb(h, (uint32_t)word), (uint32_t)(word >> 32)); }

static void clear_above(rf_vec *value, uint32_t lanes) {
    for (uint32_t l = lanes; l < RF_LANES_MAX; l++) value->lane[l] = 0;
}

void rf_value_result(const rf_inst *inst, uint64_t warp_id, uint32_t dst_index, const rf_vec *operand, uint32_t nsrc,
                     uint32_t lanes, rf_vec *result) {
    if (inst->load && inst->address) {
        const uint32_t cut = inst->width >= 4 ? UINT32_MAX : (UINT32_C(1) << (8 * inst->width)) - 1;
        for (uint32_t l = 0; l < RF_LANES_MAX; l++)
            result->lane[l] = absorb64(0, inst->address[l] + UINT64_C(4) * dst_index) & cut;
        clear_above(result, lanes);
        return;
    }
    uint32_t seed = absorb64(absorb64(absorb64(dst_index, inst->opcode), inst->pc), (uint64_t)inst->immediate);
    if (nsrc == 0) {
        seed = absorb64(seed, warp_id);
        for (uint32_t l = 0; l < RF_LANES_MAX; l++) result->lane[l] = absorb(seed, l);
    } else {
        for (uint32_t l = 0; l < RF_LANES_MAX; l++) result->lane[l] = absorb(seed, operand[0].lane[l]);
        for (uint32_t s = 1; s < nsrc; s++)
            for (uint32_t l = 0; l < RF_LANES_MAX; l++) result->lane[l] = absorb(result->lane[l], operand[s].lane[l]);
    }
    clear_above(result, lanes);
}

void rf_value_initial(uint64_t warp_id, uint32_t reg, rf_vec *value) {
    const uint32_t seed = absorb(absorb64(0, warp_id), reg);
    for (uint32_t l = 0; l < RF_LANES_MAX; l++) value->lane[l] = absorb(seed, l);
}
