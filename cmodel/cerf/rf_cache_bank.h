/* SPDX-License-Identifier: Apache-2.0 */
/* One bank of the integrated memory: tags, data, MSHRs and the queue to L2 [CERF III-B, III-D]. Registers and lines of the L1D
 * are looked up in the same way. With requests of lines alone it is the bank of an L1D.
 *
 * Two stages. Tagging, in the cycle of the request: the tags are looked up, and it is decided what happens. Data, from the next
 * cycle on: the one port of the data array reads or writes ("we always perform the tag lookup first and grant the data access in
 * the next cycle"). What is read is on rsp_data in the cycle after. One request a cycle; an access that has to read a victim
 * first, and a fill, hold the data stage for more.
 *
 * Tagging. `ready`: the data stage is free or in its last step, and no fill is offered. A request with ready is accepted, or it
 * is refused and asks again; refusing changes nothing. After a cycle with `wake` (a fill is taken, or a message leaves the queue)
 * what was refused may be accepted. `room`: the queue has room for one more message beside the one that the data stage has yet
 * to push. `spill`: the victim's content goes to L2 (rf_tag_bank).
 *
 * op         hit                              no hit
 * READ_REG   read; youngest; with `dead`      REGISTERS: accepted, answered with 0 (registers are never spilled: it has not been
 *            the entry dies                   written). Else an MSHR has the line: with room in it merged, else refused. Else
 *                                             with room and an MSHR for registers (room_reg): a fetch, kept unless `dead`;
 *                                             otherwise refused
 * WRITE_REG  words in mask are written;       an MSHR has the line: refused. Else, all lanes in mask or REGISTERS, and a victim:
 *            youngest; WRITE_REG              it takes the entry (all words; REGISTERS: those not in mask become 0), youngest,
 *                                             WRITE_REG; if `spill`, with room only (refused otherwise), the victim is written
 *                                             to L2 first. Else with room a write of the words in mask to L2, otherwise refused
 *                                             (D-partial: L2 merges them)
 * LOAD       read; youngest                   an MSHR has the line: merged or refused, as above. Else with room and an MSHR for
 *                                             cache data (room_cache) a fetch, kept; otherwise refused
 * STORE      words in mask are written;       an MSHR has the line: refused. Else with room a write to L2, otherwise refused
 *            youngest; STORE                  (D-store-miss: only loads allocate, Fig. 6)
 * ATOMIC     dirty: with room it is written   an MSHR has the line: refused. Else with room and an MSHR for cache data: an
 *            to L2 and dropped, and neither   atomic to L2, not kept; otherwise refused
 *            accepted nor refused (it asks
 *            again); without room refused.
 *            Else, if that is accepted,
 *            dropped, and as without a hit
 * FLUSH      of the entry req_way of the set, whatever its tag: dirty: with room it is written to L2 and dropped, otherwise
 *            refused. Else it is dropped (a register is lost: kernels end)
 * 6, 7       accepted, nothing happens
 *
 * Fill, of MSHR fill_entry, in a cycle with fill_valid and fill_ready. fill_ready: the data stage is free or in its last step;
 * and, if the victim must be written to L2, there is room. Without fill_valid the data stage alone decides, and so it does of an
 * entry that is not busy: nothing happens then, the data stage gets no access. If the line is to be kept, and its tag hits or
 * there is a victim for it, it takes that entry (youngest, FILL_REG or FILL_CACHE; what hits is not written back). Otherwise it
 * goes around the memory. The MSHR is free from the next cycle on. Its targets are answered one a cycle, in their order.
 *
 * Data stage, in steps of one cycle:
 *   read            the row is read                                                          | the next cycle answers
 *   zeros           nothing                                                                  | the next cycle answers
 *   write           the row is written
 *   victim, write   the victim's row is read | the row is written; the victim is pushed
 *   victim          the dirty row is read    | it is pushed                                    (FLUSH, ATOMIC)
 *   message         it is pushed: a fetch, a write, an atomic
 *   fill            the victim's row, if it goes to L2, is read | the row, if it has one, is written; the victim is pushed; the
 *                   first target is answered | the second target is answered | ...             (two steps at least)
 * An entry is row set * WAYS + way of the data array (rf_bank, PORTS 1). Answers of a fill come from the data that was filled.
 * Messages to L2 leave the queue in order (rf_miss_queue), with mem_ready, which must not wait for a fill: a fill may wait for
 * room in the queue. A write-back has all lanes in its mask. rsp_valid: rsp_id is answered; rsp_id and rsp_data are 0 without.
 * hit: req_valid, ready, and a way has req_tag, whatever the op. What is not kept takes no more targets (rf_mshr): a load behind
 * an atomic waits for it.
 *
 * Registers of the data stage keep their values where an access does not use them. A new access sets d_step (0) and the flags
 * (d_valid to d_push), and: d_op, d_line, d_entry (0 of a write) if it pushes; d_row if it reads or writes a row; d_id if it
 * answers one; d_mask if it writes, or pushes what is no fetch; d_data if it is a fill, writes, or pushes what is neither a fetch
 * nor the row; d_count and d_target (all, as the MSHR has them) if it is a fill. After its last step without a new one d_valid
 * and d_step are 0. r_zero and r_id are set with r_valid.
 *
 * Illegal: a request for a way that does not exist is of way 0. Reset: everything but tags and data, which are memories. */
#ifndef RF_CACHE_BANK_H
#define RF_CACHE_BANK_H

#include "cmodel/banked/rf_bank.h"
#include "cmodel/cerf/rf_miss_queue.h"
#include "cmodel/cerf/rf_mshr.h"
#include "cmodel/cerf/rf_tag_bank.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_cache_bank_cfg {
    uint32_t sets;    /* a power of two, 1 .. 256; sets x ways at most 1024 */
    uint32_t ways;    /* 1 .. 8 */
    uint32_t lanes;   /* words of a line, 1 .. 32 */
    uint32_t tag_w;   /* bits of a tag, 1 .. 25; with log2(sets) at most 25 */
    uint32_t id_w;    /* bits of a requester's number, 1 .. 8 */
    uint32_t mshrs;   /* 1 .. 16; with reserve 2 .. 16 */
    uint32_t targets; /* of an MSHR, 1 .. 8 */
    uint32_t reserve; /* 1: registers and cache data each leave one MSHR to the other */
    uint32_t queue;   /* messages to L2 that wait, 1 .. 16 */
    uint32_t policy;  /* 0: fair, 1: registers first, 2: cache data first */
} rf_cache_bank_cfg;

typedef struct rf_cache_bank_in {
    uint8_t req_valid;
    uint8_t req_op;     /* 3 bits, RF_CACHE_ */
    uint16_t req_set;   /* index_bits(sets) */
    uint32_t req_tag;   /* tag_w bits */
    uint8_t req_way;    /* index_bits(ways): of a FLUSH */
    uint8_t req_id;     /* id_w bits: of READ_REG, LOAD, ATOMIC */
    uint8_t req_dead;   /* of READ_REG: the register's last read */
    uint32_t req_mask;  /* lanes bits: of WRITE_REG, STORE, ATOMIC */
    rf_vec req_data;    /* lanes x 32 bits: of the same */
    uint8_t fill_valid; /* L2 answers ... */
    uint8_t fill_entry; /* index_bits(mshrs): ... this MSHR */
    rf_vec fill_data;   /* lanes x 32 bits */
    uint8_t mem_ready;  /* L2 takes the message */
} rf_cache_bank_in;

typedef struct rf_cache_bank_out {
    rf_vec rsp_data; /* lanes x 32 bits */
    rf_vec mem_data; /* lanes x 32 bits */
    uint8_t ready;
    uint8_t accept;
    uint8_t refuse;
    uint8_t wake;
    uint8_t rsp_valid;
    uint8_t rsp_id; /* id_w bits */
    uint8_t fill_ready;
    uint8_t mem_valid; /* a message to L2; the others as rf_miss_queue has them */
    uint8_t mem_op;
    uint32_t mem_line;    /* tag_w + log2(sets) bits: {tag, set}; the bank's own bits are not in it */
    uint8_t mem_entry;    /* index_bits(mshrs) */
    uint32_t mem_mask;    /* lanes bits */
    uint8_t hit;          /* the request hits, accepted or not: for counters */
    uint8_t victim;       /* an entry that is not inactive gives way to a newcomer: ... */
    uint8_t victim_state; /* ... 2 bits: what it was */
} rf_cache_bank_out;

typedef struct rf_cache_bank {
    rf_cache_bank_cfg cfg;
    rf_tag_bank tags;    /* u_tags */
    rf_mshr mshr;        /* u_mshr */
    rf_miss_queue queue; /* u_queue */
    rf_bank data;        /* u_data */
    /* data stage */
    uint8_t d_valid_q;                       /* it works */
    uint8_t d_step_q;                        /* 4 bits: the step that this cycle is, from 0 */
    uint8_t d_fill_q;                        /* it is a fill */
    uint8_t d_read_q;                        /* it reads the row for d_id */
    uint8_t d_zero_q;                        /* it answers d_id with 0 */
    uint8_t d_victim_q;                      /* it reads the row first, for L2 */
    uint8_t d_write_q;                       /* it writes the row */
    uint8_t d_push_q;                        /* it pushes a message: d_op, d_line, d_entry */
    uint8_t d_op_q;                          /* 2 bits */
    uint32_t d_line_q;                       /* line number, tag_w + log2(sets) bits */
    uint8_t d_entry_q;                       /* index_bits(mshrs) */
    uint16_t d_row_q;                        /* index_bits(sets x ways) */
    uint8_t d_id_q;                          /* id_w bits */
    uint32_t d_mask_q;                       /* lanes bits: written, or of the message */
    rf_vec d_data_q;                         /* lanes x 32 bits */
    uint8_t d_count_q;                       /* index_bits(targets + 1): targets of the fill */
    uint8_t d_target_q[RF_MSHR_TARGETS_MAX]; /* per target, id_w bits */
    /* answer */
    uint8_t r_valid_q; /* what was read in the cycle before is for r_id */
    uint8_t r_zero_q;  /* ... and 0 */
    uint8_t r_id_q;    /* id_w bits */
} rf_cache_bank;       /* registers of the data stage keep their values where an access does not use them */

/* NULL, or the parameter that is out of range and its range. */
const char *rf_cache_bank_check(const rf_cache_bank_cfg *cfg);
/* Takes `cfg`, clears the memories and resets: 0, or RF_E_CONFIG. */
int rf_cache_bank_init(rf_cache_bank *m, const rf_cache_bank_cfg *cfg);
void rf_cache_bank_reset(rf_cache_bank *m);
/* Outputs of this cycle. */
void rf_cache_bank_comb(const rf_cache_bank *m, const rf_cache_bank_in *in, rf_cache_bank_out *out);
/* The rising clock edge. */
void rf_cache_bank_clock(rf_cache_bank *m, const rf_cache_bank_in *in);
/* rf_cache_bank_comb, then rf_cache_bank_clock, in one pass. */
void rf_cache_bank_step(rf_cache_bank *m, const rf_cache_bank_in *in, rf_cache_bank_out *out);

#ifdef __cplusplus
}
#endif
#endif
