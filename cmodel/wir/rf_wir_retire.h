/* SPDX-License-Identifier: Apache-2.0 */
/* Verify and retire of rf_wir [WIR V-A, Fig. 7; V-D, VI-C]: what becomes of the heads of the result queues. Verifiers, the bits
 * of what is not written yet, and the groups' turns at the rename port.
 *
 * Groups     A head is of group warp mod ISSUES; so is what it becomes.
 * Read       Of a group's heads with VERIFY or MERGE whose candidate is written (rf_unwritten), one is chosen, in turn (rf_rr
 *            over ports). While a verifier of the group is idle, rd_valid asks for its candidate, rd_reg. With rd_grant the head
 *            is popped and goes, with {dst, warp, info}, to the lowest idle verifier (rf_verify: load); the pointer moves.
 * Check      In the cycle after, `check`, check_reg: the group's `rdata` is what was read; `fill` too if that was for VERIFY. The
 *            verifier takes its course (rf_verify): share, need or write.
 * Needs      `need` of each verifier, and `cand`, the register that it has read. `give` hands it the group's given_reg
 *            (rf_verify: give); ignored when it has no need.
 * Port       Each group's rename port does one thing a cycle, in turn (rf_rr over 3, the pointer moves in every cycle in which
 *            one of them wants): 0 hit, 1 walk, granted with the outputs of that name, 2 a result.
 * Result     The group's lowest verifier that shares or writes, else in turn (rf_rr over ports) one of its heads with WRITE or
 *            SHARE. A head with WRITE, or a verifier that writes, needs its bank as writer g: wr_valid, wr_reg, wr_mask (a
 *            verifier's: all lanes) when it has the port. It is done in that cycle if wr_grant; else the port's turn is lost and
 *            the heads' pointer stays. What needs no write is done when it has the port. Done: a head is popped (the pointer
 *            moves), a verifier gets idle; done, done_* say so; `shared` too if a verifier shares. wr_data only with the grant.
 * Written    At the edge the register of a granted write is written, then `given` registers are not any more.
 * Depends    wr_valid, wr_reg, wr_mask, rd_*, check*, fill, need, cand, hit, walk depend on no grant; nothing on give and given.
 * REUSE 0    Each queue writes on its own, as writer e: wr_* are its head, whatever its operation; done and popped with wr_grant.
 *            Of the inputs only head_* but op, cand and info, and wr_grant count; all that is per group or verifier is 0.
 * Illegal    A grant without a request is ignored. Operations of heads are 0 .. 3. Registers that do not exist count as
 *            written. */
#ifndef RF_WIR_RETIRE_H
#define RF_WIR_RETIRE_H

#include "cmodel/common/rf_rr.h"
#include "cmodel/wir/rf_result_queue.h"
#include "cmodel/wir/rf_unwritten.h"
#include "cmodel/wir/rf_verify.h"
#include "cmodel/wir/rf_wir_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_WIR_PORTS 3u     /* requesters of a group's rename port */
#define RF_WIR_INFO_MAX 50u /* bits of info: with destination and warp at most 64 */

typedef struct rf_wir_retire_cfg {
    uint32_t warps;     /* 1 .. 64 */
    uint32_t regs;      /* logical registers of a warp, 1 .. 256 */
    uint32_t lanes;     /* 1 .. 32 */
    uint32_t exports;   /* execution ports, issues .. 8 */
    uint32_t issues;    /* issue groups, 1 .. 4 */
    uint32_t pregs;     /* physical registers, 2 .. 1024 */
    uint32_t infow;     /* bits carried along, 1 .. 50 */
    uint32_t verifiers; /* of a group, 1 .. 4 */
    uint32_t reuse;     /* 1: warp instruction reuse */
} rf_wir_retire_cfg;

typedef struct rf_wir_retire_in {
    uint8_t head_valid;                 /* exports bits: the queue has a head */
    uint8_t head_op[RF_EXPORTS_MAX];    /* per port: 2 bits, rf_result_op */
    uint8_t head_warp[RF_EXPORTS_MAX];  /* per port, index_bits(warps) */
    uint8_t head_dst[RF_EXPORTS_MAX];   /* per port, index_bits(regs) */
    uint16_t head_preg[RF_EXPORTS_MAX]; /* per port, index_bits(pregs): where it is or goes */
    uint16_t head_cand[RF_EXPORTS_MAX]; /* per port, index_bits(pregs): what is read before */
    uint32_t head_mask[RF_EXPORTS_MAX]; /* per port: lanes bits */
    rf_vec head_data[RF_EXPORTS_MAX];   /* per port: lanes x 32 bits */
    uint64_t head_info[RF_EXPORTS_MAX]; /* per port: infow bits */
    uint8_t hit;                        /* issues bits: a reuse hit wants the rename port */
    uint8_t walk;                       /* issues bits: a step of a release does */
    uint8_t rd_grant;                   /* issues bits: the read is granted */
    rf_vec rdata[RF_ISSUES_MAX];        /* per group: lanes x 32 bits: looked at with check */
    uint8_t wr_grant;                   /* exports bits: the write is granted */
    uint16_t give;                      /* bit group * verifiers + verifier: it gets the group's given_reg */
    uint8_t given;                      /* issues bits: this register is given out */
    uint16_t given_reg[RF_ISSUES_MAX];  /* per group, index_bits(pregs) */
} rf_wir_retire_in;

typedef struct rf_wir_retire_out {
    uint8_t pop;                                     /* exports bits: the head leaves */
    uint8_t hit;                                     /* issues bits: the reuse hit has the rename port */
    uint8_t walk;                                    /* issues bits: the release has it */
    uint8_t rd_valid;                                /* issues bits: a read is asked for */
    uint16_t rd_reg[RF_ISSUES_MAX];                  /* per group: of this register; 0 when none, as all below */
    uint8_t check;                                   /* issues bits: rdata is looked at, */
    uint16_t check_reg[RF_ISSUES_MAX];               /* it is of this register, */
    uint8_t fill;                                    /* issues bits: and was read for VERIFY */
    uint8_t wr_valid;                                /* exports bits: a write is asked for */
    uint16_t wr_reg[RF_EXPORTS_MAX];                 /* per writer: of this register, */
    uint32_t wr_mask[RF_EXPORTS_MAX];                /* these lanes; */
    rf_vec wr_data[RF_EXPORTS_MAX];                  /* values, 0 when not granted */
    uint16_t need;                                   /* bit group * verifiers + verifier: it needs a register */
    uint16_t cand[RF_ISSUES_MAX * RF_VERIFIERS_MAX]; /* per verifier: what it has read, 0 when it needs none */
    uint8_t done;                                    /* exports bits: a result retires, by writer */
    uint8_t done_warp[RF_EXPORTS_MAX];               /* per writer: its warp and */
    uint8_t done_dst[RF_EXPORTS_MAX];                /* logical register */
    uint16_t done_reg[RF_ISSUES_MAX];                /* per group: its physical register and */
    uint64_t done_info[RF_ISSUES_MAX];               /* what was carried along */
    uint8_t shared;                                  /* issues bits: it is a verifier's and shares */
} rf_wir_retire_out;

/* What a cycle of the unit decides, as rf_wir's counters and properties see it too. */
#define RF_WIR_RETIRE_WIRES                                                                                                      \
    uint16_t need;                     /* bit group * verifiers + v: a verifier needs a register */                              \
    uint8_t check, check_fill;         /* issues bits: a verifier looks at what was read; for VERIFY */                          \
    uint16_t check_reg[RF_ISSUES_MAX]; /* per group: which register that is; 0 when none */                                      \
    uint8_t asks_read;                 /* issues bits: a head asks for its candidate */                                          \
    uint8_t read;                      /* issues bits: it moves to a verifier */                                                 \
    uint8_t read_port[RF_ISSUES_MAX], read_verifier[RF_ISSUES_MAX];                                                              \
    uint8_t port_grant[RF_ISSUES_MAX];  /* per group: 3 bits, who has the rename port */                                         \
    uint8_t asks_write;                 /* issues bits: its result asks for its bank; with reuse 0 exports bits */               \
    uint8_t retired;                    /* issues bits: a result retires; with reuse 0 exports bits, by queue */                 \
    uint8_t retire_port[RF_ISSUES_MAX]; /* per group: its queue, or exports + verifier */                                        \
    uint8_t retire_warp[RF_EXPORTS_MAX], retire_dst[RF_EXPORTS_MAX]; /* per group (reuse 0: queue): whose result */              \
    uint16_t retire_preg[RF_EXPORTS_MAX];                                                                                        \
    uint64_t retire_info[RF_ISSUES_MAX];                                                                                         \
    uint8_t retire_write; /* of retired: with a write */                                                                         \
    rf_unwritten_in unwritten_in;
typedef struct rf_wir_retire_wires {
    RF_WIR_RETIRE_WIRES
} rf_wir_retire_wires;

typedef struct rf_wir_retire {
    rf_wir_retire_cfg cfg;
    /* with reuse: */
    rf_verify verify[RF_ISSUES_MAX * RF_VERIFIERS_MAX]; /* element group * verifiers + v: gen_verify[].u_verify */
    rf_unwritten unwritten;                             /* u_unwritten */
    rf_rr read_rr[RF_ISSUES_MAX];                       /* gen_group[g].u_read_rr: verify-reads, over ports */
    rf_rr retire_rr[RF_ISSUES_MAX];                     /* gen_group[g].u_retire_rr: results, over ports */
    rf_rr port_rr[RF_ISSUES_MAX];                       /* gen_group[g].u_port_rr: the rename port, over 3 */
} rf_wir_retire;                                        /* all 0 after reset: verifiers idle, all registers written */

/* NULL, or the parameter that is out of range and its range. */
const char *rf_wir_retire_check(const rf_wir_retire_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_wir_retire_init(rf_wir_retire *m, const rf_wir_retire_cfg *cfg);
void rf_wir_retire_reset(rf_wir_retire *m);
/* Outputs of this cycle. */
void rf_wir_retire_comb(const rf_wir_retire *m, const rf_wir_retire_in *in, rf_wir_retire_out *out);
/* The rising clock edge. */
void rf_wir_retire_clock(rf_wir_retire *m, const rf_wir_retire_in *in);
/* rf_wir_retire_comb, then rf_wir_retire_clock, in one pass. */
void rf_wir_retire_step(rf_wir_retire *m, const rf_wir_retire_in *in, rf_wir_retire_out *out);

#ifdef __cplusplus
}
#endif
#endif
