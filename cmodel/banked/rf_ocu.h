/* SPDX-License-Identifier: Apache-2.0 */
/* One operand collector unit ([bank stealing II-B]; [Malekeh 2]: 3 source slots, 7 for HMMA): holds an issued instruction while
 * its source registers are read, and offers it for dispatch when all have arrived.
 *
 * t     alloc: the instruction and its sources are stored (ignored while the unit is busy, even in the cycle of its dispatch)
 * t+1 … each source not yet granted asks for its bank: rd_valid; the arbiter answers rd_grant in the same cycle
 * g     grant: the bank reads; g+1: the unit says fill_valid, from bank rd_bank; the crossbar answers fill_data in that cycle,
 *       stored at its end
 * g+2   the slot is ready. `ready` when every valid slot is; an instruction without sources is ready in t+1
 * d     dispatch (only looked at while ready): the unit is free from d+1 on
 *
 * SERIAL 1: only the lowest of the slots that would ask does, so one register arrives in a cycle.
 * D-dup: a register named by several slots is asked for once, by the lowest of them, and delivered to all.
 * alloc_fill: such a source needs no grant; it is filled in t+1 like one that was granted in t. Whoever sets it sets it for all
 * slots that name the register (rf_steal_reads does); a slot left out asks for itself.
 * A grant counts only for a slot that asks. Metadata and data keep their values when the unit is free. */
#ifndef RF_OCU_H
#define RF_OCU_H

#include "cmodel/banked/rf_stage_records.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_ocu_cfg {
    uint32_t slots;   /* source slots, 1 .. 8 */
    uint32_t lanes;   /* 1 .. 32 */
    uint32_t warps;   /* 1 .. 64 */
    uint32_t regs;    /* registers of a warp, 1 .. 256 */
    uint32_t banks;   /* 1 .. 32 */
    uint32_t rows;    /* rows of a bank, 1 .. 1024 */
    uint32_t exports; /* execution ports, 1 .. 8 */
    uint32_t serial;  /* 0: all sources ask at once, 1: one at a time */
} rf_ocu_cfg;

typedef struct rf_ocu_in {
    uint8_t alloc;                    /* an instruction takes this unit ... */
    rf_stage_instr alloc_inst;        /* ... this one */
    uint8_t alloc_bank[RF_SLOTS_MAX]; /* per slot: its bank, index_bits(banks) */
    uint16_t alloc_row[RF_SLOTS_MAX]; /* per slot: its row, index_bits(rows) */
    uint8_t alloc_fill; /* slots bits: its bank reads it in this cycle already [bank stealing IV-B]; counts where valid */
    uint8_t rd_grant;   /* slots bits */
    rf_vec fill_data[RF_SLOTS_MAX]; /* per slot: lanes x 32 bits from the crossbar */
    uint8_t dispatch;               /* the instruction leaves */
} rf_ocu_in;

typedef struct rf_ocu_out {
    rf_vec data[RF_SLOTS_MAX]; /* per slot: data_q, lanes x 32 bits; first, to start on a cache line */
    uint8_t busy;
    uint8_t ready;                 /* busy and all operands are there */
    uint8_t rd_valid;              /* slots bits: slot asks for its bank */
    uint8_t rd_bank[RF_SLOTS_MAX]; /* per slot: bank_q */
    uint16_t rd_row[RF_SLOTS_MAX]; /* per slot: row_q */
    uint8_t unread;                /* slots bits: a valid source not granted yet (for the scoreboard's WAR check) */
    uint8_t src[RF_SLOTS_MAX];     /* per slot: src_q */
    uint8_t fill_valid;            /* slots bits: data arrives in this cycle, from bank rd_bank */
    uint8_t warp;                  /* index_bits(warps): of carried_q */
    uint8_t port;                  /* port_q */
    rf_stage_carried carried;      /* carried_q */
} rf_ocu_out;

typedef struct rf_ocu {
    rf_vec data_q[RF_SLOTS_MAX]; /* per slot: its operand; first, to start on a cache line */
    rf_ocu_cfg cfg;
    uint8_t busy_q;
    rf_stage_carried carried_q;
    uint8_t port_q;
    uint8_t src_valid_q; /* slots bits; cleared at dispatch */
    uint8_t src_q[RF_SLOTS_MAX];
    uint8_t bank_q[RF_SLOTS_MAX];
    uint16_t row_q[RF_SLOTS_MAX];
    uint8_t fill_q;  /* slots bits: granted in the cycle before */
    uint8_t ready_q; /* slots bits: data is there; cleared at dispatch */
} rf_ocu;            /* all 0 after reset */

/* NULL, or the parameter that is out of range and its range. */
const char *rf_ocu_check(const rf_ocu_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_ocu_init(rf_ocu *m, const rf_ocu_cfg *cfg);
void rf_ocu_reset(rf_ocu *m);
/* Outputs of this cycle; none depends on an input of the same cycle. */
void rf_ocu_comb(const rf_ocu *m, const rf_ocu_in *in, rf_ocu_out *out);
/* The rising clock edge. */
void rf_ocu_clock(rf_ocu *m, const rf_ocu_in *in);
/* rf_ocu_comb, then rf_ocu_clock, in one pass. */
void rf_ocu_step(rf_ocu *m, const rf_ocu_in *in, rf_ocu_out *out);

#ifdef __cplusplus
}
#endif
#endif
