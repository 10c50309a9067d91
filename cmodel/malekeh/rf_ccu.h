/* SPDX-License-Identifier: Apache-2.0 */
/* One caching collector unit [Malekeh 3.2, 4, Fig. 2b]: an operand collector whose operand storage is a small cache of its warp's
 * registers.
 *
 *   cache table CT           per entry: valid, tag (the register), lock, near/far, LRU rank, data
 *   operand collector table  per source slot: valid, ready, index of its CT entry
 *   port S  fill_data        source operands from the banks
 *   port D  wr_*, d_*        results on their way to the banks
 *   port R  warp, held, near for the scheduler and the allocator
 *
 * As a collector its timing is rf_ocu's:
 * t     alloc: the instruction is taken (ignored while the unit is busy, even in the cycle of its dispatch)
 * t+1 … each slot that is not ready and not granted asks for its bank: rd_valid; the arbiter answers rd_grant in the same cycle
 * g     grant: the bank reads; g+1: the unit says fill_valid, from bank rd_bank; fill_data comes in that cycle, stored at its end
 * g+2   the slot is ready. `ready` when every valid slot is; an instruction whose sources all hit is ready in t+1
 * d     dispatch (only looked at while ready): the unit is free from d+1 on, its contents and its warp stay
 *
 * Allocation, at the edge of t (the ten steps of 3.2, in their order):
 *  1 flush   the CT counts as empty when the unit is not owned, when its warp is not the unit's, and when `flush`
 *  2         metadata and warp are stored, owned_q is set
 *  3 lookup  a valid slot hits the valid entry whose tag is its register (there is at most one)
 *  4 replace slots that miss, lowest first, of several that name one register only the lowest (D-dup), take the entries that come
 *            first in the order of replacement below; entries that a slot hits are no candidates
 *  5 lock    of every entry that a slot uses is set, of all others it is 0
 *  6 near    of every entry that a slot uses: 1 when any of the slots that use it has its bit in alloc_src_near
 *  7 LRU     the entries used become the most recent, the lowest slot's first: the highest slot's is the most recent of all
 *  8         oct_valid = src_valid, oct_index; tag and valid of entries taken
 *  9 ready   of slots that hit
 * 10         the others ask from the next cycle on; SERIAL 1: one at a time, the lowest first (port S brings one register a cycle)
 * Order of replacement: entries not valid, lowest index first; then far ones, by (index - rand) mod 2^index_bits(ENTRIES),
 * smallest first (4.1: at random); then near ones, least recently used first. A locked entry is never replaced.
 *
 * Fill: a slot in fill_q becomes ready; its entry's data is fill_data of the lowest slot in fill_q that uses it.
 *
 * Write: a result counts when the unit is owned, wr_warp is its warp and wr_mask is not 0 (4.2: a warp without a unit writes to
 * the banks only). d_valid, d_sel: the lowest writer that counts and is near; it has port D, and d_data is its data, in this
 * cycle. At the edge, unless the unit is flushed by `flush` or taken by an instruction of another warp, results meet the table as
 * an allocation at this same edge leaves it: an entry that step 4 takes holds its new register, entries that the new instruction
 * uses are locked. A dispatch at this edge unlocks afterwards.
 *  - the writer on port D finds its register in a valid entry: the lanes in its mask are written, the entry is near and the most
 *    recent (after the entries of step 7). But when that entry is locked, its data, near and rank stay (an instruction reads what
 *    was there when it issued) and it is no longer valid;
 *  - it finds none: with all lanes in its mask (D-mask) it takes the entry that comes first in the order of replacement, so the
 *    one after those that step 4 takes: valid, not locked, near, most recent, d_data. Not when all are locked;
 *  - every other result that counts: an entry that holds its register is no longer valid (D-far-hit). This comes last: it meets
 *    the table as port D leaves it.
 * So no valid entry is ever older than the banks, as long as no two results of one cycle write one register.
 *
 * `flush` without an allocation: at the edge no entry is valid; locks, owner and the instruction stay.
 *
 * LRU rank: 0 is the most recent, entries - 1 the least; the ranks are always a permutation. An entry that is not valid keeps its
 * rank, tag, near and data. An entry that loses valid while locked stays locked: its instruction still needs it.
 * CACHE 0: nothing is ever owned or valid: every source misses, no result counts; tags, locks, near bits and ranks go on as
 * with CACHE 1.
 *
 * BOW 1: the entries are what the warp's last three instructions name, the one that is taken included [Malekeh 8], in place of
 * what hints say. Near: named by the newest of them; far: by the one before. alloc_dst_near: the instruction is a control
 * instruction, behind which the window is empty (9.2 d). All other hints are ignored.
 *  4         first entries pass on, where no slot hits: far ones are no longer valid, near ones are far
 *  6         entries that a slot uses are near
 *  8         the destination of the instruction is awaited, and no longer that of the one before the last. Of a control
 *            instruction nothing is valid and no destination is awaited
 * Write     has port D the lowest writer that counts and is awaited: its register is the destination of the instruction that was
 *           taken last and has left, or of the one before; at the edge of an allocation, as that leaves the window. The entry
 *           becomes near when it is of the one taken last; one that it takes is far otherwise. Any other result is a far one.
 * `flush` and an instruction of another warp: no destination is awaited any more. */
#ifndef RF_CCU_H
#define RF_CCU_H

#include "cmodel/banked/rf_stage_records.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_CCU_ENTRIES_MAX 8u

typedef struct rf_ccu_cfg {
    uint32_t entries; /* of the cache table, 2 .. 8, at least slots */
    uint32_t slots;   /* source slots, 1 .. 8 */
    uint32_t lanes;   /* 1 .. 32 */
    uint32_t warps;   /* 1 .. 64 */
    uint32_t regs;    /* registers of a warp, 1 .. 256 */
    uint32_t banks;   /* 1 .. 32 */
    uint32_t rows;    /* rows of a bank, 1 .. 1024 */
    uint32_t exports; /* execution ports, 1 .. 8: as many writers */
    uint32_t cache;   /* 0: a collector only, 1: caches */
    uint32_t bow;     /* 0: hints say what stays, 1: the window of BOW does */
    uint32_t serial;  /* 0: all sources ask at once, 1: one at a time */
} rf_ccu_cfg;

typedef struct rf_ccu_in {
    rf_vec fill_data[RF_SLOTS_MAX];   /* per slot: lanes x 32 bits from the crossbar */
    rf_vec d_data;                    /* lanes x 32 bits: the result of writer d_sel */
    uint8_t alloc;                    /* an instruction takes this unit ... */
    rf_stage_instr alloc_inst;        /* ... this one */
    uint8_t alloc_dst_near;           /* hint, carried along; BOW 1: a control instruction */
    uint8_t alloc_src_near;           /* slots bits: hint, the register is used again within RTHLD */
    uint8_t alloc_bank[RF_SLOTS_MAX]; /* per slot: its bank, index_bits(banks) */
    uint16_t alloc_row[RF_SLOTS_MAX]; /* per slot: its row, index_bits(rows) */
    uint8_t rd_grant;                 /* slots bits */
    uint8_t dispatch;                 /* the instruction leaves */
    uint8_t flush;                    /* nothing in the cache table is of use any more */
    uint8_t rand;                     /* index_bits(entries): where the search for a far entry begins */
    uint8_t wr_valid;                 /* exports bits: a result is written to its bank in this cycle */
    uint8_t wr_warp[RF_EXPORTS_MAX];  /* per writer, index_bits(warps) */
    uint8_t wr_reg[RF_EXPORTS_MAX];   /* per writer, index_bits(regs) */
    uint8_t wr_near;                  /* exports bits: hint */
    uint32_t wr_mask[RF_EXPORTS_MAX]; /* per writer: lanes bits */
} rf_ccu_in;

typedef struct rf_ccu_out {
    rf_vec data[RF_SLOTS_MAX]; /* per slot: data of its entry, lanes x 32 bits */
    uint8_t busy;
    uint8_t ready;                 /* busy and all operands are there */
    uint8_t rd_valid;              /* slots bits: slot asks for its bank; of several with one entry, the lowest */
    uint8_t rd_bank[RF_SLOTS_MAX]; /* per slot: bank_q */
    uint16_t rd_row[RF_SLOTS_MAX]; /* per slot: row_q */
    uint8_t unread;                /* slots bits: a valid source neither ready nor granted yet (for the WAR check) */
    uint8_t src[RF_SLOTS_MAX];     /* per slot: ct_tag_q of its entry */
    uint8_t fill_valid;            /* slots bits: data arrives in this cycle, from bank rd_bank */
    uint8_t warp;                  /* index_bits(warps): of carried_q */
    uint8_t port;                  /* port_q */
    rf_stage_carried carried;      /* carried_q */
    uint8_t dst_near;              /* dst_near_q */
    uint8_t owned;                 /* owned_q: `warp` has this unit */
    uint8_t held;                  /* an entry is valid */
    uint8_t near;                  /* a valid entry is near */
    uint8_t hit;                   /* slots bits: slots of alloc_* that hit (steps 1, 3); 0 without alloc and while busy */
    uint8_t d_valid;               /* a writer has port D */
    uint8_t d_sel;                 /* which, index_bits(exports), 0 when none */
} rf_ccu_out;

typedef struct rf_ccu {
    rf_vec ct_data_q[RF_CCU_ENTRIES_MAX]; /* per entry: lanes x 32 bits; first, to start on a cache line */
    rf_ccu_cfg cfg;
    uint8_t ct_valid_q;                   /* entries bits */
    uint8_t ct_lock_q;                    /* entries bits: the instruction needs it; cleared at dispatch */
    uint8_t ct_near_q;                    /* entries bits */
    uint8_t ct_tag_q[RF_CCU_ENTRIES_MAX]; /* per entry: register, index_bits(regs) */
    uint8_t ct_lru_q[RF_CCU_ENTRIES_MAX]; /* per entry: rank, index_bits(entries); its own index after reset */
    uint8_t oct_valid_q;                  /* slots bits; cleared at dispatch */
    uint8_t oct_ready_q;                  /* slots bits: data is there; cleared at dispatch */
    uint8_t oct_index_q[RF_SLOTS_MAX];    /* per slot: its entry, index_bits(entries); 0 when not valid at its alloc */
    uint8_t fill_q;                       /* slots bits: granted in the cycle before */
    uint8_t bank_q[RF_SLOTS_MAX];
    uint16_t row_q[RF_SLOTS_MAX];
    uint8_t busy_q;
    uint8_t owned_q;
    rf_stage_carried carried_q;
    uint8_t port_q;
    uint8_t dst_near_q;
    uint8_t window_q; /* BOW 1, 2 bits: destinations that are awaited: carried_q's, before_q */
    uint8_t before_q; /* BOW 1: destination of the instruction before, index_bits(regs) */
} rf_ccu;             /* all 0 after reset but for ct_lru_q */

/* NULL, or the parameter that is out of range and its range. */
const char *rf_ccu_check(const rf_ccu_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_ccu_init(rf_ccu *m, const rf_ccu_cfg *cfg);
void rf_ccu_reset(rf_ccu *m);
/* Outputs of this cycle; only hit, d_valid and d_sel depend on inputs of the same cycle, and none on d_data or fill_data. */
void rf_ccu_comb(const rf_ccu *m, const rf_ccu_in *in, rf_ccu_out *out);
/* The rising clock edge. */
void rf_ccu_clock(rf_ccu *m, const rf_ccu_in *in);
/* rf_ccu_comb, then rf_ccu_clock, in one pass. */
void rf_ccu_step(rf_ccu *m, const rf_ccu_in *in, rf_ccu_out *out);

#ifdef __cplusplus
}
#endif
#endif
