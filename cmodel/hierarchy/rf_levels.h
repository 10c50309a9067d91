/* SPDX-License-Identifier: Apache-2.0 */
/* The levels above the banks (the main register file, MRF) of all active warps [hierarchy 4], and the way of results through
 * them: ACTIVE files, one for each slot of the two-level scheduler, MANAGED 0: rf_rfc, by hardware, 1: rf_orf, by software.
 *
 * Issue. With `read` the warp in slot rd_slot issues an instruction; its file is read in this cycle, from the registers. `hit`
 * and hit_data follow the inputs without `read`, too; nothing changes then. Of a slot that does not exist nothing hits.
 *
 * By hardware `hit` are the sources that its RFC has, `last` its last reads.
 *
 * By software `hit` are the sources with RF_NOTE_UPPER in rd_from, read from their names. With dst_valid and RF_NOTE_UPPER in
 * `to` the destination's name is set pending, and so is that of the lowest source with RF_NOTE_KEEP and without RF_NOTE_UPPER (it
 * is kept); `ends` clears the file.
 *
 * Keep (software). The operand that an instruction keeps is written to its name, in the file of keep_warp's slot; without a slot
 * nothing is. It takes the files' one write of the cycle (D-port): no result is offered in it. `keep` is nothing to hardware.
 *
 * Results: the heads of EXPORTS queues. Those whose warp has a slot (the lowest in `held` with that slot_warp) are to be offered
 * to its file: hardware all of them, software those with RF_NOTE_UPPER. u_port chooses one of them, round-robin; its pointer
 * moves on when the result is taken. The others wait. Heads that are not to be offered ask for themselves, and are done with the
 * grant.
 *
 * By hardware the file gets it with around = not RF_NOTE_UPPER, or the slot is leaving; low = the lowest bit of the name. What it
 * sends to the MRF queue e asks for (ask, ask_reg, ...) in its place; an entry (`evicts`), not the result itself, only while
 * fewer than SLOTS sources hit with `read`: it is read through a port that no operand needs (D-read). The result is taken with
 * the grant, or at once when nothing is sent.
 *
 * By software queue e asks for itself with RF_NOTE_MRF, and the name is written in the cycle of the grant; else at once.
 *
 * Flush (hardware). The lowest slot in `held` and `leaving` whose file holds something, of those to which no result is offered,
 * sends one entry: writer EXPORTS asks for it, while the sources that hit (with `read`) and the entry of the result that is
 * offered, if one is sent, leave one of SLOTS reads. It is gone with the grant. When all that it holds is dead nothing is asked
 * for, and it is gone at once.
 *
 * hold: by hardware the file holds something, by software a name is pending. By software a file is cleared when a warp enters its
 * slot. Reset: as the units. Warps and registers match as numbers, also those that do not exist. All inputs are legal. */
#ifndef RF_LEVELS_H
#define RF_LEVELS_H

#include "cmodel/common/rf_rr.h"
#include "cmodel/hierarchy/rf_orf.h"
#include "cmodel/hierarchy/rf_rfc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a source is, where a result goes: a name (rf_hierarchy_names.h), and above it: */
#define RF_NOTE_NAME 0x0fu
#define RF_NOTE_UPPER 0x10u  /* in the upper levels */
#define RF_NOTE_KEEP 0x20u   /* of a source: in the MRF, to be kept under the name */
#define RF_NOTE_MRF 0x20u    /* of a result: in the MRF, too */
#define RF_NOTE_SHARED 0x40u /* of a result on its way: a shared unit's */
#define RF_PLACE_W 6u        /* bits of a source's, and of a result's at the issue */
#define RF_NOTE_W 7u         /* bits of a result's on its way */

typedef struct rf_levels_cfg {
    uint32_t warps;   /* 1 .. 64 */
    uint32_t regs;    /* registers of a warp, 1 .. 256 */
    uint32_t lanes;   /* 1 .. 32 */
    uint32_t slots;   /* sources of an instruction, 1 .. 8 */
    uint32_t exports; /* queues, 1 .. 7 */
    uint32_t active;  /* slots of the scheduler, 1 .. 32 */
    uint32_t managed; /* 0: hardware, 1: software */
    uint32_t entries; /* of an L1, 1 .. 8 */
    uint32_t l0;      /* 0: none, 1: one bank, 2: one bank for each operand slot (software) */
    uint32_t policy;  /* hardware. 0: FIFO, 1: LRU */
} rf_levels_cfg;

typedef struct rf_levels_in {
    /* the scheduler's slots */
    uint32_t held;                    /* active bits: has a warp */
    uint32_t leaving;                 /* active bits: which is descheduled */
    uint32_t enter;                   /* active bits: a warp takes the slot at the edge */
    uint8_t slot_warp[RF_ACTIVE_MAX]; /* per slot, index_bits(warps) */
    /* an instruction issues */
    uint8_t read;
    uint8_t rd_slot;               /* index_bits(active) */
    uint8_t rd_valid;              /* slots bits */
    uint8_t rd_reg[RF_SLOTS_MAX];  /* per slot, index_bits(regs) */
    uint8_t rd_from[RF_SLOTS_MAX]; /* per slot, RF_PLACE_W bits */
    uint8_t last;                  /* slots bits */
    uint8_t shared;                /* it is a shared unit's */
    uint8_t ends;                  /* its strand ends */
    uint8_t dst_valid;
    uint8_t to; /* RF_PLACE_W bits */
    /* an operand is kept */
    uint8_t keep;
    uint8_t keep_warp;   /* index_bits(warps) */
    uint8_t keep_name;   /* 4 bits */
    uint8_t keep_shared; /* by a shared unit's instruction */
    uint32_t keep_mask;  /* lanes bits */
    rf_vec keep_data;    /* lanes x 32 bits */
    /* heads of the queues */
    uint8_t wr_valid;                 /* exports bits */
    uint8_t wr_warp[RF_EXPORTS_MAX];  /* per queue, index_bits(warps) */
    uint8_t wr_reg[RF_EXPORTS_MAX];   /* per queue, index_bits(regs) */
    uint8_t wr_note[RF_EXPORTS_MAX];  /* per queue, RF_NOTE_W bits */
    uint32_t wr_mask[RF_EXPORTS_MAX]; /* per queue: lanes bits */
    rf_vec wr_data[RF_EXPORTS_MAX];   /* per queue: lanes x 32 bits */
    uint8_t grant; /* exports + 1 bits: the writer's request for the MRF is granted (only looked at where asked) */
} rf_levels_in;

typedef struct rf_levels_out {
    rf_vec hit_data[RF_SLOTS_MAX];    /* per slot: lanes x 32 bits, 0 where not hit */
    rf_vec ask_data[RF_EXPORTS_MAX];  /* per writer: lanes x 32 bits; like all of ask_, 0 where not asked */
    uint8_t hit;                      /* slots bits: the source is in the upper levels */
    uint8_t hit_l0;                   /* slots bits: in the L0 */
    uint32_t hold;                    /* active bits: a slot that leaves is not free yet */
    uint16_t pend[RF_ACTIVE_MAX];     /* software: per slot: 16 bits, by name: a write is under way; else 0 */
    uint8_t ask;                      /* exports + 1 bits: writers of the MRF */
    uint8_t ask_warp[RF_EXPORTS_MAX]; /* per writer, index_bits(warps) */
    uint8_t ask_reg[RF_EXPORTS_MAX];  /* per writer, index_bits(regs) */
    uint32_t ask_mask[RF_EXPORTS_MAX];
    uint8_t done;   /* exports bits: the head leaves its queue; depends on grant */
    uint8_t offers; /* exports bits: heads that are to be offered to a file */
    uint8_t offer;  /* exports bits, at most one: the one that is */
    uint8_t evicts; /* hardware: an entry is to be sent to the MRF for it */
} rf_levels_out;

typedef struct rf_levels {
    rf_levels_cfg cfg;
    rf_rr port;                /* over queues: u_port */
    rf_rfc rfc[RF_ACTIVE_MAX]; /* MANAGED 0: gen_slot[a].gen_rfc.u_rfc */
    rf_orf orf[RF_ACTIVE_MAX]; /* MANAGED 1: gen_slot[a].gen_orf.u_orf */
} rf_levels;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_levels_check(const rf_levels_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_levels_init(rf_levels *m, const rf_levels_cfg *cfg);
void rf_levels_reset(rf_levels *m);
/* Outputs of this cycle; only `done` depends on `grant`. */
void rf_levels_comb(const rf_levels *m, const rf_levels_in *in, rf_levels_out *out);
/* The rising clock edge. */
void rf_levels_clock(rf_levels *m, const rf_levels_in *in);
/* rf_levels_comb, then rf_levels_clock, in one pass. */
void rf_levels_step(rf_levels *m, const rf_levels_in *in, rf_levels_out *out);

#ifdef __cplusplus
}
#endif
#endif
