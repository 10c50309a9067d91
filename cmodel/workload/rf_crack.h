/* SPDX-License-Identifier: Apache-2.0 */
/* One warp instruction as operand-stage micro-operations: at most SLOTS sources and one destination each (D-crack).
 *
 * n_s = max(1, ceil(nsrc / SLOTS)). Sources go SLOTS at a time into uops 0 .. n_s-1; destinations go one each into uops n_s-1 ..
 * n_s-2+ndst. So an instruction that fits is one uop, and no uop reads a register that an earlier uop of it wrote.
 *
 * Word by word: where rf_crack_fits, a system may have each of these uops read all sources instead. */
#ifndef RF_CRACK_H
#define RF_CRACK_H

#include "cmodel/workload/rf_inst.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_UOPS_MAX (RF_INST_SRC_MAX + RF_INST_DST_MAX - 1u) /* SLOTS = 1, every list full */

typedef struct rf_uop {
    uint8_t nsrc;
    uint8_t src[RF_SLOTS_MAX];
    uint8_t src_index; /* which of the instruction's sources src[0] is, 0 when it has none */
    bool has_dst;
    uint8_t dst;
    uint8_t dst_index; /* which of the instruction's destinations, 0 when it has none: the argument of rf_value_result */
    bool first, last;
    bool words;           /* of rf_crack_word */
    uint8_t index, count; /* index 0 .. count-1 */
} rf_uop;

/* Number of uops of an instruction, 1 .. RF_UOPS_MAX; `slots` from 1 to RF_SLOTS_MAX. */
uint32_t rf_crack_count(const rf_inst *inst, uint32_t slots);

/* Its uop `index`, below rf_crack_count(inst, slots); the listed order of sources and destinations is kept. */
void rf_crack(const rf_inst *inst, uint32_t slots, uint32_t index, rf_uop *uop);

/* Whether each uop can have all sources: they fit into one, and none would read what an earlier one wrote. */
bool rf_crack_fits(const rf_inst *inst, uint32_t slots);

/* Uop `index` of an instruction that fits, with all its sources; there are as many as of rf_crack, with the same destinations. */
void rf_crack_word(const rf_inst *inst, uint32_t slots, uint32_t index, rf_uop *uop);

/* Operand `i` of the instruction is read for the last time by the uop of rf_crack that has it (hint src_dead): no later
 * uop of the instruction names its register. */
static inline bool rf_crack_last(const rf_inst *inst, uint32_t i, uint32_t slots) {
    for (uint32_t k = (i / slots + 1) * slots; k < inst->nsrc; k++)
        if (inst->src[k] == inst->src[i]) return false;
    return (inst->hint.src_dead >> i & 1) != 0;
}

#ifdef __cplusplus
}
#endif
#endif
