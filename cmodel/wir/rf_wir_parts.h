/* SPDX-License-Identifier: Apache-2.0 */
/* Words that the parts of rf_wir share: what ex_info holds, where a physical register lies, whose group a warp is. Private to
 * rf_wir, like all parts of its cycle. rf_wir.c calls them in this order, and decides the lanes once allocation is done:
 *   rf_wir_lanes.h       rename, reuse buffer, load guard: what the lanes hold, what becomes of it
 *   rf_wir_banks.h       who asks the banks, which results retire
 *   rf_wir_allocation.h  the results at the ends of the hash pipes
 *   rf_wir_issue.h       hazards, and what issues
 *   rf_wir_references.h  the rename tables' writes, the requests to the reference counts
 *   rf_wir_edge.h        the clock edge
 * Values of 1024 bits are copied only where a register takes them. */
#ifndef RF_WIR_PARTS_H
#define RF_WIR_PARTS_H

#include "cmodel/banked/rf_stage_parts.h"
#include "cmodel/wir/rf_wir.h"

/* A function of a part. All of them are compiled into the cycle, so that it can be compiled for a configuration: each takes that
 * as `cfg`, a copy of the model's. */
#define RF_WIR_PART static inline __attribute__((always_inline))

/* Requesters of a group's rename port, in the order of its round-robin arbiter. */
enum { RF_WIR_PORT_REUSE, RF_WIR_PORT_WALK, RF_WIR_PORT_RETIRE };

/* rf_index_bits without its loop, for n up to 2^31. */
RF_WIR_PART uint32_t rf_wir_bits(uint32_t n) { return n <= 2 ? 1 : 32 - (uint32_t)__builtin_clz(n - 1); }

/* ---- info: {index, leader, old_preg, old_valid, pin}, pin in bit 0 ---- */

typedef struct rf_wir_info {
    bool pin, old_valid, leader;
    uint16_t old_preg, index;
} rf_wir_info;

RF_WIR_PART uint64_t rf_wir_pack(const rf_wir_cfg *cfg, const rf_wir_info *i) {
    const uint32_t pregs = rf_wir_bits(cfg->pregs);
    return (uint64_t)i->pin | (uint64_t)i->old_valid << 1 | (uint64_t)i->old_preg << 2 | (uint64_t)i->leader << (2 + pregs) |
           (uint64_t)i->index << (3 + pregs);
}

RF_WIR_PART rf_wir_info rf_wir_unpack(const rf_wir_cfg *cfg, uint64_t bits) {
    const uint32_t pregs = rf_wir_bits(cfg->pregs);
    rf_wir_info i;
    i.pin = (bits & 1) != 0;
    i.old_valid = (bits >> 1 & 1) != 0;
    i.old_preg = (uint16_t)(bits >> 2 & ((1u << pregs) - 1));
    i.leader = (bits >> (2 + pregs) & 1) != 0;
    i.index = (uint16_t)(bits >> (3 + pregs) & ((1u << rf_wir_bits(cfg->entries)) - 1));
    return i;
}

/* ---- registers and warps ---- */

RF_WIR_PART uint32_t rf_wir_preg_bank(const rf_wir_cfg *cfg, uint32_t preg) { return preg & (cfg->banks - 1); }
RF_WIR_PART uint32_t rf_wir_preg_row(const rf_wir_cfg *cfg, uint32_t preg) { return preg >> __builtin_ctz(cfg->banks); }

/* REUSE 0: the physical register that D-map's bank and row of a logical one are, cut to the width of its number. */
RF_WIR_PART uint16_t rf_wir_fixed_preg(const rf_wir_cfg *cfg, uint32_t warp, uint32_t reg) {
    const uint32_t banks = cfg->banks, row = rf_map_row(warp, reg, banks, rf_map_rows_per_warp(cfg->regs, banks));
    return (uint16_t)((row * banks + rf_map_bank(warp, reg, banks)) & rf_mask64(rf_wir_bits(cfg->pregs)));
}

/* A warp's group and its number there: warp mod and div issues, mostly without a division. */
RF_WIR_PART uint32_t rf_wir_group_of(uint32_t warp, uint32_t issues) { return issues == 3 ? warp % 3 : warp & (issues - 1); }
RF_WIR_PART uint32_t rf_wir_local(uint32_t warp, uint32_t issues) {
    return issues == 3 ? warp / 3 : warp >> __builtin_ctz(issues);
}

/* The even bits, packed. */
RF_WIR_PART uint64_t rf_wir_even_bits(uint64_t x) {
    x &= UINT64_C(0x5555555555555555);
    x = (x | x >> 1) & UINT64_C(0x3333333333333333);
    x = (x | x >> 2) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    x = (x | x >> 4) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x | x >> 8) & UINT64_C(0x0000ffff0000ffff);
    return (x | x >> 16) & UINT64_C(0x00000000ffffffff);
}

/* The bits of `warps`, of which only the stage's may be set, that belong to issue group g, packed. */
RF_WIR_PART uint64_t rf_wir_of_group(const rf_wir *m, const rf_wir_cfg *cfg, uint64_t warps, uint32_t g) {
    const uint32_t issues = cfg->issues;
    if (warps == 0 || issues == 1) return warps;
    if (issues == 2) return rf_wir_even_bits(warps >> g);
    if (issues == 4) return rf_wir_even_bits(rf_wir_even_bits(warps >> g));
    return rf_stage_group(&m->stage.cfg, warps, g);
}

/* ---- values ---- */

RF_WIR_PART bool rf_wir_same(const rf_wir_cfg *cfg, const rf_vec *a, const rf_vec *b) {
    return memcmp(a, b, cfg->lanes * sizeof a->lane[0]) == 0;
}

/* What a verifier's bank has read for it. */
RF_WIR_PART const rf_vec *rf_wir_read_data(const rf_wir *m, const rf_wir_cfg *cfg, const rf_verify *v) {
    return &m->stage.bank[rf_wir_preg_bank(cfg, v->cand_q)].rdata_q;
}

#endif
