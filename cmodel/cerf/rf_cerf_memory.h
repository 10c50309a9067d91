/* SPDX-License-Identifier: Apache-2.0 */
/* The integrated memory of registers and L1D [CERF III-B, Fig. 4]: BANKS banks (rf_cache_bank), the arbitration of operands,
 * results and accesses of the load/store unit for them, the ways back, and one port to L2. Without readers and writers it is an
 * L1D.
 *
 * Place. Register number n is line {PREFIX, n} (rf_reindex.h). Line l: bank l mod BANKS, its set (l / BANKS) mod (SETS / BANKS),
 * tag above.
 *
 * Requests. Readers are COLLECTORS x SLOTS, reader = collector * SLOTS + slot: READ_REG, with rd_dead; writers: WRITE_REG; the
 * load/store unit: mem_op, one request (READ_REG and WRITE_REG from it are as any). Each bank grants one of its requests in a
 * cycle in which it is ready (rf_arbiter, PORTS 1): writers before all else, round-robin; then round-robin over the collectors
 * and, as one more behind them, the load/store unit; of a collector its lowest asking slot. What the bank accepts is answered in
 * the same cycle: rd_accept, wr_accept, mem_accept. What it refuses waits (wait_q) and asks again after the bank's wake.
 * A request that waits must not change, nor go: it waits for the wake of the bank that its number names now, which may never
 * come. A request that is refused in the cycle of its bank's wake does not wait.
 *
 * Answers, cycles later: fill of a reader, with fill_data; ld_valid of a bank, with the number that the load or atomic had.
 * L2: the banks' messages in turn, round-robin, one a cycle; l2_bank and l2_entry come back with the answer of a fetch or atomic.
 * l2_* is 0 without l2_valid, ld_* and fill_data without their answer. The fill port takes one answer a cycle, for the bank
 * fill_bank; a bank that does not exist: taken, and nothing happens. L2 answers a fetch after all earlier messages of its line,
 * and l2_ready must not wait for an answer to be taken. Reset: as the parts say; nothing waits. */
#ifndef RF_CERF_MEMORY_H
#define RF_CERF_MEMORY_H

#include "cmodel/banked/rf_arbiter.h"
#include "cmodel/cerf/rf_cache_bank.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_CERF_BANKS_MAX 8u
#define RF_CERF_ID_W 6u /* bits of a request's number: of a reader, or of the load/store unit */

typedef struct rf_cerf_memory_cfg {
    uint32_t collectors; /* 1 .. 15; (collectors + 1) x slots at most 64 */
    uint32_t slots;      /* 1 .. 8 */
    uint32_t writers;    /* 1 .. 8 */
    uint32_t registers;  /* numbers of registers, 1 .. 16384 */
    uint32_t banks;      /* a power of two, 1 .. 8 */
    uint32_t sets;       /* of all banks, a power of two, banks .. 256 x banks; sets x ways at most 1024 x banks */
    uint32_t ways;       /* 1 .. 8 */
    uint32_t lanes;      /* words of a line, 1 .. 32 */
    uint32_t line_w;     /* bits of a line number, .. 25; more than log2(sets) and more than index_bits(registers) */
    uint32_t prefix;     /* 0 .. 16777215; its low line_w - index_bits(registers) bits count */
    uint32_t mshrs;      /* of a bank, 2 .. 16 */
    uint32_t targets;    /* of an MSHR, 1 .. 8 */
    uint32_t queue;      /* messages to L2 that a bank holds, 1 .. 16 */
    uint32_t reserve;    /* 1: registers and cache data each leave one MSHR of a bank to the other */
    uint32_t policy;     /* 0: fair, 1: registers first, 2: cache data first */
} rf_cerf_memory_cfg;

/* The ports of the load/store unit and of L2, which a system with such a memory has too (as rf_stage.h does for stages). */
#define RF_CERF_SIDES_IN_PORTS                                                                                                   \
    uint8_t mem_valid;  /* the load/store unit asks ... */                                                                       \
    uint8_t mem_op;     /* 3 bits, RF_CACHE_ */                                                                                  \
    uint32_t mem_line;  /* line_w bits; of a FLUSH its place counts */                                                           \
    uint8_t mem_way;    /* index_bits(ways): of a FLUSH */                                                                       \
    uint8_t mem_id;     /* RF_CERF_ID_W bits: of a LOAD or ATOMIC */                                                             \
    uint32_t mem_mask;  /* lanes bits */                                                                                         \
    rf_vec mem_data;    /* lanes x 32 bits */                                                                                    \
    uint8_t l2_ready;   /* L2 takes the message */                                                                               \
    uint8_t fill_valid; /* L2 answers */                                                                                         \
    uint8_t fill_bank;  /* index_bits(banks) */                                                                                  \
    uint8_t fill_entry; /* index_bits(mshrs) */                                                                                  \
    rf_vec fill_data;   /* lanes x 32 bits */
#define RF_CERF_SIDES_OUT_PORTS                                                                                                  \
    rf_vec ld_data[RF_CERF_BANKS_MAX]; /* per bank: lanes x 32 bits */                                                           \
    rf_vec l2_data;                    /* lanes x 32 bits */                                                                     \
    uint8_t mem_accept;                /* the load/store unit's request is accepted */                                           \
    uint8_t ld_valid;                  /* banks bits: a load or atomic is answered; 0 below when not */                          \
    uint8_t ld_id[RF_CERF_BANKS_MAX];  /* per bank, RF_CERF_ID_W bits */                                                         \
    uint8_t l2_valid;                  /* a message to L2; 0 below when not */                                                   \
    uint8_t l2_op;                     /* 2 bits, RF_MISS_ */                                                                    \
    uint32_t l2_line;                  /* a line number */                                                                       \
    uint8_t l2_bank;                   /* index_bits(banks) */                                                                   \
    uint8_t l2_entry;                  /* index_bits(mshrs) */                                                                   \
    uint32_t l2_mask;                  /* lanes bits */                                                                          \
    uint8_t fill_ready;                /* the answer of L2 is taken */

typedef struct rf_cerf_sides_in {
    RF_CERF_SIDES_IN_PORTS
} rf_cerf_sides_in;

typedef struct rf_cerf_sides_out {
    RF_CERF_SIDES_OUT_PORTS
} rf_cerf_sides_out;

typedef struct rf_cerf_memory_in {
    uint64_t rd_valid;                  /* collectors x slots bits */
    uint16_t rd_number[RF_READERS_MAX]; /* per reader, index_bits(registers) */
    uint64_t rd_dead;                   /* collectors x slots bits: the register's last read */
    uint8_t wr_valid;                   /* writers bits */
    uint16_t wr_number[RF_EXPORTS_MAX]; /* per writer, index_bits(registers) */
    uint32_t wr_mask[RF_EXPORTS_MAX];   /* per writer: lanes bits */
    rf_vec wr_data[RF_EXPORTS_MAX];     /* per writer: lanes x 32 bits */
    union {
        rf_cerf_sides_in sides;
        struct {
            RF_CERF_SIDES_IN_PORTS
        };
    };
} rf_cerf_memory_in;

/* Wires between the units, as rf_cerf_memory_comb left them: for counters and properties; not ports. */
typedef struct rf_cerf_memory_wires {
    rf_arbiter_in arbiter_in; /* the readers from COLLECTORS x SLOTS on: the load/store unit */
    rf_arbiter_out arbiter;
    uint8_t asked, accept, refuse, hit, wake, filled; /* banks bits: as of rf_cache_bank; filled: a fill is taken */
    uint8_t victim;                                   /* banks bits: an entry that is not inactive gives way ... */
    uint8_t by_register;                              /* banks bits: ... to a register */
    uint8_t op[RF_CERF_BANKS_MAX];                    /* per bank: what is asked */
    uint8_t victim_state[RF_CERF_BANKS_MAX];          /* per bank: what gives way */
    uint8_t sends;                                    /* banks bits, at most one: whose message L2 is shown */
    uint8_t tag_write, row_write;                     /* banks bits: the edge writes a tag, a row of data */
    uint16_t tag_set[RF_CERF_BANKS_MAX];              /* per bank: of this set */
    uint16_t row[RF_CERF_BANKS_MAX];                  /* per bank: this row */
} rf_cerf_memory_wires;

typedef struct rf_cerf_memory_out {
    rf_vec rd_data[RF_READERS_MAX]; /* per reader: lanes x 32 bits */
    uint64_t rd_accept;             /* collectors x slots bits */
    uint64_t rd_fill;               /* collectors x slots bits: rd_data is the operand */
    uint8_t wr_accept;              /* writers bits */
    union {
        rf_cerf_sides_out sides;
        struct {
            RF_CERF_SIDES_OUT_PORTS
        };
    };
    rf_cerf_memory_wires wires;
} rf_cerf_memory_out;

typedef struct rf_cerf_memory {
    rf_cerf_memory_cfg cfg;
    rf_arbiter arbiter;                    /* u_arbiter */
    rf_rr l2;                              /* over banks: u_l2 */
    rf_cache_bank bank[RF_CERF_BANKS_MAX]; /* gen_bank[b].u_bank */
    uint64_t rd_wait_q;                    /* collectors x slots bits: refused, its bank has not woken it */
    uint8_t wr_wait_q;                     /* writers bits */
    uint8_t mem_wait_q;                    /* 1 bit */
} rf_cerf_memory;

/* A bank's request has this number: the load/store unit's, or a reader's. */
static inline bool rf_cerf_memory_has_id(const rf_cerf_memory_cfg *cfg, uint32_t id) {
    return id >> RF_CERF_ID_W != 0 || id < cfg->collectors * cfg->slots;
}

/* NULL, or the parameter that is out of range and its range. */
const char *rf_cerf_memory_check(const rf_cerf_memory_cfg *cfg);
/* Takes `cfg`, clears the memories and resets: 0, or RF_E_CONFIG. */
int rf_cerf_memory_init(rf_cerf_memory *m, const rf_cerf_memory_cfg *cfg);
void rf_cerf_memory_reset(rf_cerf_memory *m);
/* Outputs of this cycle. */
void rf_cerf_memory_comb(const rf_cerf_memory *m, const rf_cerf_memory_in *in, rf_cerf_memory_out *out);
/* The rising clock edge. */
void rf_cerf_memory_clock(rf_cerf_memory *m, const rf_cerf_memory_in *in);
/* rf_cerf_memory_comb, then rf_cerf_memory_clock, in one pass. */
void rf_cerf_memory_step(rf_cerf_memory *m, const rf_cerf_memory_in *in, rf_cerf_memory_out *out);

#ifdef __cplusplus
}
#endif
#endif
