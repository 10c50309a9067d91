/* SPDX-License-Identifier: Apache-2.0 */
/* For field lists: what a head is beside rf_banked's ports, and the members of rf_wir's records (cmodel/wir/rf_wir_records.h),
 * the most significant first, as rf_wir_pkg has them. A line of RF_WIR_COMMON_MEMBERS is compared in every unit that an
 * instruction passes. */
#ifndef RF_WIR_MEMBERS_H
#define RF_WIR_MEMBERS_H

#define RF_WIR_DECODED_FIELDS                                                                                                    \
    FIELD(IN, ib_reuse, cfg->warps, 1, "the instruction may be reused")                                                          \
    FIELD(IN, ib_op, 8 - cfg->slots, cfg->warps, "per warp: function")                                                           \
    FIELD(IN, ib_imm, rf_index_bits(cfg->pregs), cfg->warps * cfg->slots,                                                        \
          "per warp and slot: tag operand of a slot without source")                                                             \
    FIELD(IN, ib_space, 2, cfg->warps, "per warp: what it loads from")                                                           \
    FIELD(IN, ib_store, cfg->warps, 1, "the instruction stores")                                                                 \
    FIELD(IN, ib_store_shared, cfg->warps, 1, "to scratchpad, else to global memory")

#define RF_WIR_SOURCES_MEMBERS(type)                                                                                             \
    MEMBER(type, warp, rf_index_bits(cfg->warps), 1, "warp")                                                                     \
    MEMBER(type, src_valid, cfg->slots, 1, "per slot: it has this source")                                                       \
    MEMBER(type, src, rf_index_bits(cfg->regs), cfg->slots, "per slot: register")

#define RF_WIR_READS_MEMBERS                                                                                                     \
    RF_WIR_SOURCES_MEMBERS(rf_wir_reads)                                                                                         \
    MEMBER(rf_wir_reads, load, 1, 1, "it loads from scratchpad or global memory")

#define RF_WIR_COMMON_MEMBERS(type)                                                                                              \
    RF_WIR_SOURCES_MEMBERS(type)                                                                                                 \
    MEMBER(type, space, 2, 1, "what it loads from")                                                                              \
    MEMBER(type, tag, 16, 1, "tag")                                                                                              \
    MEMBER(type, port, rf_index_bits(cfg->exports), 1, "execution port")                                                         \
    MEMBER(type, dst, rf_index_bits(cfg->regs), 1, "destination")

#define RF_WIR_ISSUED_MEMBERS                                                                                                    \
    RF_WIR_COMMON_MEMBERS(rf_wir_issued)                                                                                         \
    MEMBER(rf_wir_issued, mask, cfg->lanes, 1, "active lanes")                                                                   \
    MEMBER(rf_wir_issued, dst_valid, 1, 1, "it has a destination")                                                               \
    MEMBER(rf_wir_issued, reuse, 1, 1, "it may be reused")                                                                       \
    MEMBER(rf_wir_issued, op, 8 - cfg->slots, 1, "function")                                                                     \
    MEMBER(rf_wir_issued, imm, rf_index_bits(cfg->pregs), cfg->slots, "per slot without source: operand of the tag")             \
    MEMBER(rf_wir_issued, store, 1, 1, "it stores")                                                                              \
    MEMBER(rf_wir_issued, store_shared, 1, 1, "to scratchpad")

#define RF_WIR_RENAMED_MEMBERS_OF(type)                                                                                          \
    RF_WIR_COMMON_MEMBERS(type)                                                                                                  \
    MEMBER(type, opcode, 8, 1, "opcode of its tag")                                                                              \
    MEMBER(type, operand, rf_index_bits(cfg->pregs), cfg->slots, "per slot: operand of its tag")                                 \
    MEMBER(type, old_preg, rf_index_bits(cfg->pregs), 1, "its destination was mapped to this register")                          \
    MEMBER(type, old_valid, 1, 1, "if it was")                                                                                   \
    MEMBER(type, old_pin, 1, 1, "pinned")

#define RF_WIR_RENAMED_MEMBERS RF_WIR_RENAMED_MEMBERS_OF(rf_wir_renamed)

#define RF_WIR_LANED_MEMBERS                                                                                                     \
    RF_WIR_RENAMED_MEMBERS_OF(rf_wir_laned)                                                                                      \
    MEMBER(rf_wir_laned, mask, cfg->lanes, 1, "active lanes")                                                                    \
    MEMBER(rf_wir_laned, dst_valid, 1, 1, "it has a destination")                                                                \
    MEMBER(rf_wir_laned, mapped, cfg->slots, 1, "per slot: the source has a physical register")

#endif
