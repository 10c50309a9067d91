/* SPDX-License-Identifier: Apache-2.0 */
/* Reuse buffer [WIR V-C, VI-A, VI-B, Fig. 9]: results of executed warp instructions, by what they computed. Direct-mapped.
 * An entry: valid, opcode 8, SLOTS operands, block, barrier 5, result, pending; with 3 slots, 1024 registers and 8 blocks 59
 * bits.
 *
 * Tag: opcode, operands, block, barrier (rf_reuse_tag). The low SLOTS bits of the opcode say which operands are registers. Tags
 * are compared as numbers, all bits of them.
 * Index: the tag as one number, opcode in bits [7:0], then operand 0 (index_bits(PREGS) bits), operand 1, ..., block, barrier;
 * bit j of the index is the XOR of all its bits k with k mod log2(ENTRIES) = j (with one entry 0, and index ports name it
 * whatever they say).
 *
 * What an entry can be (D-reserve: the instruction that misses, the leader, takes an entry; it is filled with its result later):
 *   valid 0, pending 0   empty
 *   valid 1, pending 1   reserved: the leader is on its way
 *   valid 1, pending 0   has a result
 *   valid 0, pending 1   abandoned: given up while the leader is on its way; it matches nobody and cannot be taken until the
 *                        leader comes. So an index has one leader at most, and the leader needs nothing but the index.
 *
 * Lookups see the state at the start of the cycle and are answered in it: `hit` (same tag, has a result), `wait` (same tag,
 * reserved). `held`: the entry is pending, it cannot be reserved.
 * At the edge, in this order:
 * fill     fill_index's leader retires with its result in fill_reg. If the entry is reserved it has the result then, and `filled`
 *          says so in this cycle; an abandoned one becomes empty; another one stays. Port 0 first: of two ports that name a
 *          reserved entry only the lower one is `filled`.
 * lane     reserve: the lane's entry becomes {lk_tag, reserved} (its result field stays), unless it is pending at the start of
 *          the cycle or a lower lane reserves it in this cycle: `reserved` says that it worked. drop: the lane's entry is given
 *          up, unless a fill port names it or a lower lane reserves it in this cycle. Both: reserve, and no drop, also where the
 *          reserve does not work. Both count where lk_valid. Lane 0 first.
 * rm       entry rm_index is given up if rm_all, or if its block is rm_block (a load from that block's scratchpad). It acts when
 *          rm_ready: no fill port and no lane's reserve or drop (whether it worked or not) names the entry, and lane 0's reserve
 *          or drop sets no bit of `freed`. It is 1 without rm too, and 0 where these meet although nothing would be removed.
 * Giving up or overwriting a valid entry ends its references: `freed`, element lane * (SLOTS + 1) + k: k below SLOTS operand k
 * (where it is a register), k = SLOTS the result (where not pending); rm uses lane 0's. What is given up keeps `pending` and
 * everything else but valid; of an entry that is not valid it frees nothing. */
#ifndef RF_REUSE_BUFFER_H
#define RF_REUSE_BUFFER_H

#include "cmodel/wir/rf_wir_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_reuse_buffer_cfg {
    uint32_t entries; /* a power of two, 1 .. 512 */
    uint32_t slots;   /* operands, 1 .. 6 */
    uint32_t pregs;   /* physical registers, 2 .. 1024 */
    uint32_t blocks;  /* thread blocks, 1 .. 16: the block field has index_bits(blocks) + 1 bits */
    uint32_t issues;  /* lanes and fill ports, 1 .. 4 */
} rf_reuse_buffer_cfg;

#define RF_REUSE_OPERANDS_MAX (RF_ISSUES_MAX * RF_REUSE_SLOTS_MAX)
#define RF_REUSE_FREED_MAX (RF_ISSUES_MAX * (RF_REUSE_SLOTS_MAX + 1u))

typedef struct rf_reuse_buffer_in {
    uint8_t lk_valid;                           /* issues bits */
    uint8_t lk_opcode[RF_ISSUES_MAX];           /* per lane: 8 bits */
    uint16_t lk_operand[RF_REUSE_OPERANDS_MAX]; /* element lane * slots + slot, index_bits(pregs) */
    uint8_t lk_block[RF_ISSUES_MAX];            /* per lane: index_bits(blocks) + 1 bits */
    uint8_t lk_barrier[RF_ISSUES_MAX];          /* per lane: 5 bits */
    uint8_t reserve;                            /* issues bits */
    uint8_t drop;                               /* issues bits */
    uint8_t fill;                               /* issues bits */
    uint16_t fill_index[RF_ISSUES_MAX];         /* per port, index_bits(entries) */
    uint16_t fill_reg[RF_ISSUES_MAX];           /* per port, index_bits(pregs) */
    uint8_t rm;
    uint16_t rm_index; /* index_bits(entries) */
    uint8_t rm_all;
    uint8_t rm_block; /* index_bits(blocks) */
} rf_reuse_buffer_in;

typedef struct rf_reuse_buffer_out {
    uint8_t hit;                            /* issues bits; 0 where not lk_valid, as are all outputs of a lane */
    uint8_t wait;                           /* issues bits */
    uint8_t held;                           /* issues bits */
    uint16_t result[RF_ISSUES_MAX];         /* per lane: with a hit the register, else 0 */
    uint16_t index[RF_ISSUES_MAX];          /* per lane, index_bits(entries) */
    uint8_t reserved;                       /* issues bits */
    uint8_t filled;                         /* issues bits, per fill port */
    uint8_t rm_ready;                       /* 1 also without rm */
    uint32_t freed;                         /* issues x (slots + 1) bits */
    uint16_t freed_reg[RF_REUSE_FREED_MAX]; /* per element, index_bits(pregs), 0 when none */
} rf_reuse_buffer_out;

typedef struct rf_reuse_buffer {
    rf_reuse_buffer_cfg cfg;
    uint8_t place[RF_REUSE_SLOTS_MAX + 2]; /* follows from cfg: where operands, block and barrier begin in the index */
    uint8_t valid_q[RF_REUSE_ENTRIES_MAX];
    uint8_t pending_q[RF_REUSE_ENTRIES_MAX];
    uint8_t opcode_q[RF_REUSE_ENTRIES_MAX];
    uint16_t operand_q[RF_REUSE_ENTRIES_MAX * RF_REUSE_SLOTS_MAX]; /* element entry * slots + slot */
    uint8_t block_q[RF_REUSE_ENTRIES_MAX];
    uint8_t barrier_q[RF_REUSE_ENTRIES_MAX];
    uint16_t result_q[RF_REUSE_ENTRIES_MAX];
} rf_reuse_buffer; /* all registers 0 after reset */

/* NULL, or the parameter that is out of range and its range. */
const char *rf_reuse_buffer_check(const rf_reuse_buffer_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_reuse_buffer_init(rf_reuse_buffer *m, const rf_reuse_buffer_cfg *cfg);
void rf_reuse_buffer_reset(rf_reuse_buffer *m);
/* Outputs of this cycle. */
void rf_reuse_buffer_comb(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, rf_reuse_buffer_out *out);
/* The rising clock edge. */
void rf_reuse_buffer_clock(rf_reuse_buffer *m, const rf_reuse_buffer_in *in);
/* rf_reuse_buffer_comb, then rf_reuse_buffer_clock, in one pass. */
void rf_reuse_buffer_step(rf_reuse_buffer *m, const rf_reuse_buffer_in *in, rf_reuse_buffer_out *out);

#ifdef __cplusplus
}
#endif
#endif
