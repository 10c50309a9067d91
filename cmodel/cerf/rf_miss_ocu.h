/* SPDX-License-Identifier: Apache-2.0 */
/* Operand collector whose operands may miss [CERF III-B]: rf_ocu, but an operand comes when the memory answers, cycles after it
 * was asked for, in any order.
 *
 * t     alloc: the instruction and its sources are stored (ignored while the unit is busy, even in the cycle of its dispatch)
 * t+1 … each source that was not accepted asks for its register (rd_valid, by its number: rf_reindex); rd_accept of a slot that
 *       asks: the memory has taken the request
 * g     fill of a slot that was accepted in an earlier cycle and has no data yet: fill_data is stored at the end of g
 * g+1   the slot is ready. `ready` when every valid slot is; an instruction without sources is ready in t+1
 * d     dispatch (only looked at while ready): the unit is free from d+1 on
 *
 * D-dup: a register named by several slots (equal src, whatever the numbers) is asked for once, by the lowest of them, and what
 * comes for that slot is delivered to all. rd_last of an asking slot: one of the slots that share its register has its bit of
 * `last`.
 * rd_accept of a slot that does not ask, fill of a slot that did not ask itself or waits for nothing: ignored. Numbers, metadata
 * and data keep their values when the unit is free. */
#ifndef RF_MISS_OCU_H
#define RF_MISS_OCU_H

#include "cmodel/banked/rf_stage_records.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_miss_ocu_cfg {
    uint32_t slots;   /* source slots, 1 .. 8 */
    uint32_t lanes;   /* 1 .. 32 */
    uint32_t warps;   /* 1 .. 64 */
    uint32_t regs;    /* registers of a warp, 1 .. 256 */
    uint32_t exports; /* execution ports, 1 .. 8 */
} rf_miss_ocu_cfg;

typedef struct rf_miss_ocu_in {
    uint8_t alloc;                       /* an instruction takes this unit ... */
    rf_stage_instr alloc_inst;           /* ... this one */
    uint16_t alloc_number[RF_SLOTS_MAX]; /* per slot: number of its register, index_bits(warps x regs) */
    uint8_t alloc_last;                  /* slots bits: no lane reads the register's value again; counts where valid */
    uint8_t rd_accept;                   /* slots bits */
    uint8_t fill;                        /* slots bits: its data comes */
    rf_vec fill_data[RF_SLOTS_MAX];      /* per slot: lanes x 32 bits; of a shared register that of the slot that asked */
    uint8_t dispatch;                    /* the instruction leaves */
} rf_miss_ocu_in;

typedef struct rf_miss_ocu_out {
    rf_vec data[RF_SLOTS_MAX]; /* per slot: data_q, lanes x 32 bits; first, to start on a cache line */
    uint8_t busy;
    uint8_t ready;                    /* busy and all operands are there */
    uint8_t rd_valid;                 /* slots bits: slot asks for its register */
    uint16_t rd_number[RF_SLOTS_MAX]; /* per slot: number_q */
    uint8_t rd_last;                  /* slots bits: it asks, for the register's last read */
    uint8_t unread;                   /* slots bits: a valid source not accepted yet (for the scoreboard's WAR check) */
    uint8_t src[RF_SLOTS_MAX];        /* per slot: src_q */
    uint8_t warp;                     /* index_bits(warps): of carried_q */
    uint8_t port;                     /* port_q */
    rf_stage_carried carried;         /* carried_q */
} rf_miss_ocu_out;

typedef struct rf_miss_ocu {
    rf_vec data_q[RF_SLOTS_MAX]; /* per slot: its operand; first, to start on a cache line */
    rf_miss_ocu_cfg cfg;
    uint8_t busy_q;
    rf_stage_carried carried_q;
    uint8_t port_q;
    uint8_t src_valid_q; /* slots bits; cleared at dispatch */
    uint8_t src_q[RF_SLOTS_MAX];
    uint16_t number_q[RF_SLOTS_MAX];
    uint8_t last_q;  /* slots bits; 0 of a slot without a source */
    uint8_t wait_q;  /* slots bits: accepted, the data has not come; also of slots that share the register */
    uint8_t ready_q; /* slots bits: data is there; cleared at dispatch */
} rf_miss_ocu;       /* all 0 after reset */

/* NULL, or the parameter that is out of range and its range. */
const char *rf_miss_ocu_check(const rf_miss_ocu_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_miss_ocu_init(rf_miss_ocu *m, const rf_miss_ocu_cfg *cfg);
void rf_miss_ocu_reset(rf_miss_ocu *m);
/* Outputs of this cycle; none depends on an input of the same cycle. */
void rf_miss_ocu_comb(const rf_miss_ocu *m, const rf_miss_ocu_in *in, rf_miss_ocu_out *out);
/* The rising clock edge. */
void rf_miss_ocu_clock(rf_miss_ocu *m, const rf_miss_ocu_in *in);
/* rf_miss_ocu_comb, then rf_miss_ocu_clock, in one pass. */
void rf_miss_ocu_step(rf_miss_ocu *m, const rf_miss_ocu_in *in, rf_miss_ocu_out *out);

#ifdef __cplusplus
}
#endif
#endif
