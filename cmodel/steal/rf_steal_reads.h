/* SPDX-License-Identifier: Apache-2.0 */
/* Read stealing's conditions [bank stealing IV-B-2]: which operands of the candidate instructions ask to be read ahead, and what
 * the arbiter's answer means. Combinational.
 *
 * Each issue group has at most one candidate, the instruction expected to issue next; its operands sit at the arbiter beside
 * those of the instructions that issued before. An operand may be read ahead when
 *   1  a collector is free to hold it: `valid` says so (the group's instruction has one in this cycle);
 *   2  this removes a conflict of the next cycle: another operand of a candidate, of this group or another, is in the same bank.
 *      WHEN = 1 asks for it; WHEN = 2 takes every idle bank, conflict or not;
 *   3  it makes no conflict in this cycle: the arbiter grants it only a bank that nobody of higher priority uses.
 * Operands of a group without `valid` do not count at all, neither for asking nor as conflicts.
 * A register that a candidate names twice is one operand: it is asked for once, by the lowest slot whose source is valid, whose
 * bank and blocked bit are the operand's, and its grant counts for all (D-dup). It is no conflict with itself. An operand whose
 * value is on its way through a temporary register (`blocked`) is not asked for, but it does count as a conflict of the next
 * cycle. */
#ifndef RF_STEAL_READS_H
#define RF_STEAL_READS_H

#include "cmodel/common/rf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_steal_reads_cfg {
    uint32_t issues; /* 1 .. 4 */
    uint32_t slots;  /* 1 .. 8 */
    uint32_t regs;   /* registers of a warp, 1 .. 256 */
    uint32_t banks;  /* 1 .. 32 */
    uint32_t when;   /* 1: to remove a conflict, 2: whenever the bank is idle */
} rf_steal_reads_cfg;

typedef struct rf_steal_reads_in {
    uint8_t valid;                 /* issues bits: the group has a candidate and a collector */
    uint32_t src_valid;            /* issues x slots bits: the candidate has this source */
    uint8_t src[RF_STEALERS_MAX];  /* per source: register, index_bits(regs) */
    uint8_t bank[RF_STEALERS_MAX]; /* per source: its bank, index_bits(banks) */
    uint32_t blocked;              /* issues x slots bits: the register's value is in a temporary register */
    uint32_t grant;                /* issues x slots bits: the arbiter's answer; counts for operands that ask */
} rf_steal_reads_in;

typedef struct rf_steal_reads_out {
    uint32_t ask;  /* issues x slots bits: asks to be read ahead; does not depend on grant */
    uint32_t fill; /* issues x slots bits: the source is being read, by itself or by a lower slot of the same register */
    uint8_t steal; /* issues bits: an operand of the candidate is being read, so the candidate issues now */
} rf_steal_reads_out;

typedef struct rf_steal_reads {
    rf_steal_reads_cfg cfg; /* no registers */
} rf_steal_reads;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_steal_reads_check(const rf_steal_reads_cfg *cfg);
/* Takes `cfg`: 0, or RF_E_CONFIG. */
int rf_steal_reads_init(rf_steal_reads *m, const rf_steal_reads_cfg *cfg);
void rf_steal_reads_reset(rf_steal_reads *m);
/* Outputs of this cycle. Two operands in a bank that does not exist (>= BANKS) meet there like in any other. */
void rf_steal_reads_comb(const rf_steal_reads *m, const rf_steal_reads_in *in, rf_steal_reads_out *out);
/* The rising clock edge: nothing happens. */
void rf_steal_reads_clock(rf_steal_reads *m, const rf_steal_reads_in *in);

#ifdef __cplusplus
}
#endif
#endif
