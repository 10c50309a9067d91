/* SPDX-License-Identifier: Apache-2.0 */
/* The bank arbiter of bank stealing [bank stealing IV-D, Fig. 10]: five classes of access, one grant per single-ported bank and
 * cycle,
 *
 *   forced write > normal read > stealing read > normal write > stealing write,
 *
 * decided and answered in the same cycle. Readers are COLLECTORS x SLOTS as in rf_arbiter, reader = collector * SLOTS + slot;
 * stealers are the candidates' operands, ISSUES x SLOTS, stealer = issue * SLOTS + slot; writers are the heads of the write-back
 * queues, each with a result bus of its own to all banks.
 *
 * Write-back of a stolen write takes two cycles (IV-C-2): in the first its Rfree is read ("recall"), in the next its value is on
 * a result bus and is written to Rdest, a forced write. At most one recall a cycle. The registers ret_*_q say what comes back in
 * this cycle; its bus serves nobody else in this cycle.
 *
 * A cycle, in this order:
 *   requests   what asks for a bank: readers and stealers that are valid and not blocked; writers that are valid, not blocked and
 *              whose bus is not taken by a value that comes back. A bank outside 0 .. BANKS-1 is never granted.
 *   return     a value that comes back is written to its Rdest: the first of the forced writes. Nothing else in that bank.
 *   recall     forced: of the banks that `force` names, are linked, and are not being written by a return, the next by
 *              round-robin. It ranks like a forced write: nothing else in that bank. When there is none, voluntary: of the linked
 *              banks that nobody asks for, valid requests that are blocked or lack their bus included, and that no return writes,
 *              the next by round-robin, if a result bus is idle (its writer is not valid). The bus is that of the lowest writer
 *              that is not valid, else (forced) that of writer 0.
 *   reads      in each bank round-robin over the collectors that ask for it, inside the collector its lowest asking slot.
 *   steals     in each bank without a normal read the lowest stealer that asks for it. yield 1: only where no writer asks, and
 *              a stealer is nothing else in a bank to a writer.
 *   writes     in each bank round-robin over the writers that ask for it. The chosen one is granted as a normal write when
 *              nothing else is in the bank: no return, recall, read or stealer that asks. Else, if it can be stolen (wr_full), it
 *              becomes a stealing write: writers in ascending order take the next bank, by one round-robin over the banks, out of
 *              those that are usable and that nobody asks for (as in recall), have no return and no recall, each taken once. Else
 *              it becomes a forced write in this cycle and takes its bank from reads and steals, but not from a return or a
 *              forced recall: then it waits.
 * A blocked reader or stealer hinders no write in its bank, but keeps the bank from being a place and from a voluntary recall: so
 * a stolen write never comes before an older instruction's operand is read. A recall reads rfree_row of its bank, a stealing
 * write writes rfree_row of its place, a return writes ret_row_q from ret_bus_q.
 *
 * Round-robin pointers move past what is granted, at the edge: a bank's collectors' with its read, a bank's writers' when the
 * writer that asked for that bank is granted, in any class; place_q with every stealing write (in the order of the writers);
 * ret_rr with every recall, forced or voluntary.
 *
 * With usable, linked and force at 0, nothing blocked and no stealer this is rf_arbiter with PORTS = 1, cycle for cycle. */
#ifndef RF_ARBITER_STEAL_H
#define RF_ARBITER_STEAL_H

#include "cmodel/common/rf_rr.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_arbiter_steal_cfg {
    uint32_t banks;      /* 1 .. 32 */
    uint32_t collectors; /* 1 .. 16; collectors x slots at most 64 */
    uint32_t slots;      /* 1 .. 8 */
    uint32_t issues;     /* 1 .. 4 */
    uint32_t writers;    /* 1 .. 8 */
    uint32_t rows;       /* rows of a bank, 1 .. 1024: width of row numbers */
    uint32_t yield;      /* stealing reads against writes that ask. 0: they go before normal writes, 1: behind all */
} rf_arbiter_steal_cfg;

typedef struct rf_arbiter_steal_in {
    uint64_t rd_valid;               /* collectors x slots bits: the reader asks */
    uint8_t rd_bank[RF_READERS_MAX]; /* per reader, index_bits(banks) */
    uint16_t rd_row[RF_READERS_MAX]; /* per reader, index_bits(rows) */
    uint64_t rd_blocked;             /* it waits for a write-back */
    uint32_t sr_valid;               /* issues x slots bits: the stealer asks */
    uint8_t sr_bank[RF_STEALERS_MAX];
    uint16_t sr_row[RF_STEALERS_MAX];
    uint32_t sr_blocked;
    uint8_t wr_valid; /* writers bits: the writer asks */
    uint8_t wr_bank[RF_EXPORTS_MAX];
    uint16_t wr_row[RF_EXPORTS_MAX];
    uint8_t wr_full; /* writers bits: the result has all lanes, it may be stolen */
    uint8_t wr_blocked;
    uint32_t usable;                  /* banks bits, from the table: Rfree can take a stolen write */
    uint32_t linked;                  /* banks bits: Rfree keeps a value */
    uint32_t force;                   /* banks bits: it must go now; counts where linked */
    uint16_t rfree_row[RF_BANKS_MAX]; /* per bank: row of Rfree */
    uint8_t dest_bank[RF_BANKS_MAX];  /* per bank: bank of Rdest */
    uint16_t dest_row[RF_BANKS_MAX];  /* per bank: row of Rdest */
} rf_arbiter_steal_in;

typedef struct rf_arbiter_steal_out {
    uint64_t rd_grant;                 /* collectors x slots bits */
    uint32_t sr_grant;                 /* issues x slots bits */
    uint8_t wr_grant;                  /* writers bits: written in this cycle, in any class */
    uint8_t wr_stolen;                 /* writers bits, of those granted: as a stealing write */
    uint8_t wr_forced;                 /* writers bits, of those granted: as a forced write */
    uint32_t bank_re;                  /* banks bits: the bank reads */
    uint16_t bank_raddr[RF_BANKS_MAX]; /* per bank: row read, 0 when it does not */
    uint32_t bank_we;                  /* banks bits: the bank writes */
    uint16_t bank_waddr[RF_BANKS_MAX]; /* per bank: row written, 0 when it does not */
    uint8_t bank_wsel[RF_BANKS_MAX];   /* per bank: result bus, that is writer, index_bits(writers), 0 when it does not */
    uint32_t link;                     /* banks bits: a stealing write goes here, instead of where writer bank_wsel asks */
    uint32_t recall;                   /* banks bits, at most one: Rfree is read for its write-back */
    uint8_t ret_valid;                 /* a value comes back in this cycle: ret_valid_q ... */
    uint8_t ret_from;                  /* ... out of this bank's read data: ret_from_q, 0 when not valid ... */
    uint8_t ret_bus;                   /* ... on this result bus: ret_bus_q, 0 when not valid */
} rf_arbiter_steal_out;

typedef struct rf_arbiter_steal {
    rf_arbiter_steal_cfg cfg;
    rf_rr rd_rr[RF_BANKS_MAX]; /* per bank, over collectors: instances gen_bank[b].u_rd_rr */
    rf_rr wr_rr[RF_BANKS_MAX]; /* per bank, over writers: instances gen_bank[b].u_wr_rr */
    uint32_t place_q;          /* banks bits: banks above the last one that took a stealing write; 0 after reset */
    rf_rr ret_rr;              /* over banks: instance u_ret_rr; one pointer for forced and voluntary recalls */
    uint8_t ret_valid_q;       /* a recall was made in the cycle before; 0 after reset, like all below */
    uint8_t ret_from_q;        /* the bank recalled from, index_bits(banks); these four keep their values without a recall */
    uint8_t ret_bus_q;         /* its result bus, index_bits(writers) */
    uint8_t ret_bank_q;        /* bank of its Rdest, index_bits(banks) */
    uint16_t ret_row_q;        /* row of its Rdest, index_bits(rows) */
} rf_arbiter_steal;

/* A return to a bank that does not exist is written nowhere; it takes its bus all the same. */

/* NULL, or the parameter that is out of range and its range. */
const char *rf_arbiter_steal_check(const rf_arbiter_steal_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_arbiter_steal_init(rf_arbiter_steal *m, const rf_arbiter_steal_cfg *cfg);
void rf_arbiter_steal_reset(rf_arbiter_steal *m);
/* Outputs of this cycle. */
void rf_arbiter_steal_comb(const rf_arbiter_steal *m, const rf_arbiter_steal_in *in, rf_arbiter_steal_out *out);
/* The rising clock edge. */
void rf_arbiter_steal_clock(rf_arbiter_steal *m, const rf_arbiter_steal_in *in);
/* rf_arbiter_steal_comb, then rf_arbiter_steal_clock, in one pass. */
void rf_arbiter_steal_step(rf_arbiter_steal *m, const rf_arbiter_steal_in *in, rf_arbiter_steal_out *out);

#ifdef __cplusplus
}
#endif
#endif
