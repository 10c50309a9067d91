/* SPDX-License-Identifier: Apache-2.0 */
/* Register file cache of one active warp, managed by hardware [hierarchy 4.1, 4.3 to 4.6]: an L1 of ENTRIES entries and, with
 * L0 = 1, an L0 of one. An entry is the newest value of a register, all lanes of it; the MRF's copy is older (every entry is
 * dirty: nothing is allocated by a read). A register has one entry at most in both levels together.
 *
 * Reads, from the registers as they are: per source, hit, hit_l0 and the data (0 without a hit). With `read` they count: a source
 * with its bit of `last` is read for the last time (liveness); at the edge its entry is "marked dead" and its value "need not be
 * written back" [hierarchy 4.1]. A dead entry is valid, and hits.
 *
 * One write in a cycle, and one transfer to the MRF at most (mrf_valid, ...). Both happen at the edge of a cycle with `take`;
 * until then nothing changes but what reads do. The write and the flush of a cycle meet the entries and ranks as the counted
 * reads of this cycle leave them, outputs mrf_* included. `full` is a write of all LANES lanes.
 *  1  an entry has the register, and the write is not full: its lanes are merged into that entry, in whichever level (D-mask),
 *     which is no longer dead; nothing goes to the MRF
 *  2  `around`, or the write is not full: the result itself goes to the MRF, with its mask; a full one frees the register's
 *     entry (results of long-latency operations bypass the RFC [hierarchy 4.6]; never allocate a partial value, D-mask)
 *  3  otherwise it goes into its level: the L0 if there is one and not `low` ([hierarchy 7.6]: a bit "to specify values that
 *     should not be allocated in the L0 RFC"), else the L1
 *  3a that level has the register: it is overwritten there and no longer dead, nothing goes to the MRF
 *  3b else the register's entry in the other level is freed, and a new one allocated:
 *     L1: its oldest entry (rank, below) gives way: if it is valid and not dead its value goes to the MRF; the result takes its
 *         place
 *     L0: if the L0 is valid and not dead its value moves into the L1, as in the lines above (the L1's oldest goes to the MRF
 *         if valid and not dead, an entry freed by 3b is not); the result takes the L0
 * flush, in cycles without `write`: the L0 if valid and not dead, else the lowest valid entry of the L1 that is not dead goes to
 * the MRF with all lanes, and is freed at the edge with `take`, and so are all dead entries, also when nothing goes to the MRF.
 * One entry a cycle is sent (D-flush).
 *
 * rank_q orders the L1's entries, 0 the newest; the oldest has ENTRIES - 1, valid or not, so that liveness changes no hit of an
 * L1 alone. An entry that is allocated becomes the newest, and with POLICY 1 (LRU) also one that a counted read hits, for the
 * last time or not, slot 0 first, and one that a write of rule 1 or 3a with `take` goes to, after the reads: those that were
 * newer than it grow by one. POLICY 0 is FIFO.
 * D-shared: a source in the L0 is served whatever unit reads it; the bit `low` of its producer keeps that from happening.
 * Reset: nothing valid, entry e has rank ENTRIES - 1 - e, all else 0. Freed entries keep register and data. All inputs are legal.
 */
#ifndef RF_RFC_H
#define RF_RFC_H

#include "cmodel/hierarchy/rf_hierarchy_names.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_rfc_cfg {
    uint32_t entries; /* of the L1, 1 .. 8 */
    uint32_t l0;      /* 0: none, 1: one entry above the L1 */
    uint32_t policy;  /* 0: FIFO, 1: LRU */
    uint32_t regs;    /* registers of a warp, 1 .. 256 */
    uint32_t lanes;   /* 1 .. 32 */
    uint32_t slots;   /* sources of an instruction, 1 .. 8 */
} rf_rfc_cfg;

typedef struct rf_rfc_in {
    uint8_t read;                 /* an instruction of the warp issues: its sources are read */
    uint8_t rd_valid;             /* slots bits: a source */
    uint8_t rd_reg[RF_SLOTS_MAX]; /* per slot: its register, index_bits(regs) */
    uint8_t last;                 /* slots bits: no lane reads the register's value again */
    uint8_t write;                /* a result of the warp is offered */
    uint8_t wr_reg;               /* index_bits(regs) */
    uint32_t wr_mask;             /* lanes bits */
    rf_vec wr_data;               /* lanes x 32 bits */
    uint8_t around;               /* the result takes no entry */
    uint8_t low;                  /* it does not go into the L0 */
    uint8_t flush;                /* the entries are to be written back */
    uint8_t take;                 /* the write, or a step of the flush, happens */
} rf_rfc_in;

typedef struct rf_rfc_out {
    rf_vec rd_data[RF_SLOTS_MAX]; /* per slot: lanes x 32 bits, 0 without a hit */
    rf_vec mrf_data;              /* what goes to the MRF; 0 without mrf_valid, like the others; inactive lanes as they come */
    uint8_t hit;                  /* slots bits: a source that an entry has */
    uint8_t hit_l0;               /* slots bits: ... the L0's */
    uint8_t mrf_valid;            /* the write, or the step of the flush, sends something to the MRF */
    uint8_t mrf_entry;            /* ... that is an entry, which is read for it, not the result itself */
    uint8_t mrf_reg;              /* index_bits(regs) */
    uint32_t mrf_mask;            /* lanes bits */
    uint8_t holds;                /* an entry is valid, dead or not, from the registers */
} rf_rfc_out;

typedef struct rf_rfc {
    rf_rfc_cfg cfg;
    uint8_t valid_q;                      /* entries bits */
    uint8_t dead_q;                       /* entries bits, part of valid_q: read for the last time */
    uint8_t reg_q[RF_LEVEL_ENTRIES_MAX];  /* per entry, index_bits(regs) */
    uint8_t rank_q[RF_LEVEL_ENTRIES_MAX]; /* per entry, index_bits(entries) */
    rf_vec data_q[RF_LEVEL_ENTRIES_MAX];  /* per entry, lanes x 32 bits */
    uint8_t l0_valid_q;
    uint8_t l0_dead_q; /* part of l0_valid_q: the same */
    uint8_t l0_reg_q;  /* index_bits(regs) */
    rf_vec l0_data_q;  /* lanes x 32 bits */
} rf_rfc;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_rfc_check(const rf_rfc_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_rfc_init(rf_rfc *m, const rf_rfc_cfg *cfg);
void rf_rfc_reset(rf_rfc *m);
/* Outputs of this cycle; none depends on `take`. */
void rf_rfc_comb(const rf_rfc *m, const rf_rfc_in *in, rf_rfc_out *out);
/* The rising clock edge. */
void rf_rfc_clock(rf_rfc *m, const rf_rfc_in *in);
/* rf_rfc_comb, then rf_rfc_clock, in one pass. */
void rf_rfc_step(rf_rfc *m, const rf_rfc_in *in, rf_rfc_out *out);

#ifdef __cplusplus
}
#endif
#endif
