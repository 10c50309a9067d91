/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/workload/rf_crack.h"

#include <string.h>

/* Uops that carry sources: n_s of the header. */
static uint32_t source_uops(const rf_inst *inst, uint32_t slots) {
    return inst->nsrc > slots ? (inst->nsrc + slots - 1) / slots : 1;
}

uint32_t rf_crack_count(const rf_inst *inst, uint32_t slots) {
    return source_uops(inst, slots) + (inst->ndst ? inst->ndst - 1u : 0);
}

void rf_crack(const rf_inst *inst, uint32_t slots, uint32_t index, rf_uop *uop) {
    const uint32_t n_s = source_uops(inst, slots);
    const uint32_t count = rf_crack_count(inst, slots);
    *uop = (rf_uop){.first = index == 0, .last = index + 1 == count, .index = (uint8_t)index, .count = (uint8_t)count};
    for (uint32_t s = index * slots; s < inst->nsrc && s < (index + 1) * slots; s++) uop->src[uop->nsrc++] = inst->src[s];
    if (uop->nsrc != 0) uop->src_index = (uint8_t)(index * slots);
    if (index + 1 >= n_s && index + 1 - n_s < inst->ndst) {
        uop->has_dst = true;
        uop->dst_index = (uint8_t)(index + 1 - n_s);
        uop->dst = inst->dst[uop->dst_index];
    }
}

bool rf_crack_fits(const rf_inst *inst, uint32_t slots) {
    if (inst->nsrc > slots) return false;
    for (uint32_t d = 0; d + 1 < inst->ndst; d++)
        if (memchr(inst->src, inst->dst[d], inst->nsrc) != NULL) return false;
    return true;
}

void rf_crack_word(const rf_inst *inst, uint32_t slots, uint32_t index, rf_uop *uop) {
    rf_crack(inst, slots, index, uop);
    uop->words = true;
    uop->nsrc = inst->nsrc;
    memcpy(uop->src, inst->src, inst->nsrc);
    uop->src_index = 0;
}
