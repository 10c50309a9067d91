/* SPDX-License-Identifier: Apache-2.0 */
/* For field lists: the ports of the instruction buffers and of the execution ports, and the members of the records between them
 * (cmodel/banked/rf_stage_records.h), the most significant first, as rf_banked_pkg has them. A line of RF_STAGE_CARRIED_MEMBERS
 * is compared in every unit that an instruction passes. */
#ifndef RF_STAGE_MEMBERS_H
#define RF_STAGE_MEMBERS_H

#define RF_STAGE_HEAD_FIELDS                                                                                                     \
    FIELD(IN, ib_tag, 16, cfg->warps, "per warp: tag of the instruction")                                                        \
    FIELD(IN, ib_port, rf_index_bits(cfg->exports), cfg->warps, "per warp: execution port")                                      \
    FIELD(IN, ib_mask, cfg->lanes, cfg->warps, "per warp: active lanes")                                                         \
    FIELD(IN, ib_dst_valid, cfg->warps, 1, "the instruction has a destination")                                                  \
    FIELD(IN, ib_dst, rf_index_bits(cfg->regs), cfg->warps, "per warp: destination")                                             \
    FIELD(IN, ib_src_valid, cfg->slots, cfg->warps, "per warp: slots that have a source")                                        \
    FIELD(IN, ib_src, rf_index_bits(cfg->regs), cfg->warps * cfg->slots, "per warp and slot: source")

#define RF_STAGE_OFFER_FIELDS                                                                                                    \
    FIELD(OUT, ex_valid, cfg->exports, 1, "the port is offered an instruction")                                                  \
    FIELD(OUT, ex_warp, rf_index_bits(cfg->warps), cfg->exports, "per port: its warp")                                           \
    FIELD(OUT, ex_tag, 16, cfg->exports, "per port: its tag")                                                                    \
    FIELD(OUT, ex_mask, cfg->lanes, cfg->exports, "per port: its active lanes")                                                  \
    FIELD(OUT, ex_dst_valid, cfg->exports, 1, "it has a destination")                                                            \
    FIELD(OUT, ex_dst, rf_index_bits(cfg->regs), cfg->exports, "per port: its destination")

#define RF_STAGE_CARRIED_MEMBERS_OF(type)                                                                                        \
    MEMBER(type, warp, rf_index_bits(cfg->warps), 1, "warp")                                                                     \
    MEMBER(type, tag, 16, 1, "tag")                                                                                              \
    MEMBER(type, mask, cfg->lanes, 1, "active lanes")                                                                            \
    MEMBER(type, dst_valid, 1, 1, "it has a destination")                                                                        \
    MEMBER(type, dst, rf_index_bits(cfg->regs), 1, "destination")

#define RF_STAGE_CARRIED_MEMBERS RF_STAGE_CARRIED_MEMBERS_OF(rf_stage_carried)

#define RF_STAGE_INST_MEMBERS                                                                                                    \
    RF_STAGE_CARRIED_MEMBERS_OF(rf_stage_instr)                                                                                  \
    MEMBER(rf_stage_instr, port, rf_index_bits(cfg->exports), 1, "execution port")                                               \
    MEMBER(rf_stage_instr, src_valid, cfg->slots, 1, "per slot: it has this source")                                             \
    MEMBER(rf_stage_instr, src, rf_index_bits(cfg->regs), cfg->slots, "per slot: register")

#endif
