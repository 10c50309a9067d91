/* SPDX-License-Identifier: Apache-2.0 */
/* Scoreboard [WIR II]: per warp the destination registers whose results are pending, by logical number. An instruction must wait
 * while a source or its destination is pending (RAW, WAW).
 * D-war (not in the papers): it must also wait while a collector has yet to read, for the same warp, the register that the
 * instruction will write; with operand collectors a later instruction could otherwise overtake the read. That part has no state:
 * the collectors say which reads are outstanding.
 *
 * `hazard` follows the registers and this cycle's inputs; set and clear act at the edge. Set and clear of one register in one
 * cycle: set wins. Warps and registers out of range: set and clear do nothing, a check finds no hazard. */
#ifndef RF_SCOREBOARD_H
#define RF_SCOREBOARD_H

#include "cmodel/common/rf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_scoreboard_cfg {
    uint32_t warps;   /* 1 .. 64 */
    uint32_t regs;    /* registers of a warp, 1 .. 256 */
    uint32_t slots;   /* sources of an instruction, 1 .. 8 */
    uint32_t readers; /* collector slots that report outstanding reads, 1 .. 64 */
    uint32_t issues;  /* set ports, 1 .. 4 */
    uint32_t writers; /* clear ports, 1 .. 8 */
} rf_scoreboard_cfg;

typedef struct rf_scoreboard_in {
    /* each warp's next instruction */
    uint64_t chk_dst_valid;                       /* warps bits */
    uint8_t chk_dst[RF_WARPS_MAX];                /* per warp, index_bits(regs) */
    uint8_t chk_src_valid[RF_WARPS_MAX];          /* per warp: slots bits */
    uint8_t chk_src[RF_WARPS_MAX * RF_SLOTS_MAX]; /* element warp * slots + slot, index_bits(regs) */
    /* issued in this cycle, with a destination */
    uint8_t set;         /* issues bits */
    uint8_t set_warp[4]; /* per port, index_bits(warps) */
    uint8_t set_reg[4];  /* per port, index_bits(regs) */
    /* written back in this cycle */
    uint8_t clr;                      /* writers bits */
    uint8_t clr_warp[RF_EXPORTS_MAX]; /* per port, index_bits(warps) */
    uint8_t clr_reg[RF_EXPORTS_MAX];  /* per port, index_bits(regs) */
    /* reads that collectors have yet to perform */
    uint64_t rdp;                     /* readers bits */
    uint8_t rdp_warp[RF_READERS_MAX]; /* per reader, index_bits(warps) */
    uint8_t rdp_reg[RF_READERS_MAX];  /* per reader, index_bits(regs) */
} rf_scoreboard_in;

typedef struct rf_scoreboard_out {
    uint64_t hazard; /* warps bits: the warp's next instruction must wait */
} rf_scoreboard_out;

typedef struct rf_scoreboard {
    rf_scoreboard_cfg cfg;
    rf_bits256 pending_q[RF_WARPS_MAX]; /* per warp: regs bits; 0 after reset */
} rf_scoreboard;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_scoreboard_check(const rf_scoreboard_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_scoreboard_init(rf_scoreboard *m, const rf_scoreboard_cfg *cfg);
void rf_scoreboard_reset(rf_scoreboard *m);
/* RAW and WAW alone: per warp one bit, whether a register that its instruction names is pending. The arrays are as in
 * rf_scoreboard_in, with room for RF_WARPS_MAX warps whatever cfg says. */
uint64_t rf_scoreboard_pending(const rf_scoreboard *m, uint64_t dst_valid, const uint8_t *dst, const uint8_t *src_valid,
                               const uint8_t *src);
/* Outputs of this cycle. */
void rf_scoreboard_comb(const rf_scoreboard *m, const rf_scoreboard_in *in, rf_scoreboard_out *out);
/* The rising clock edge. */
void rf_scoreboard_clock(rf_scoreboard *m, const rf_scoreboard_in *in);
/* rf_scoreboard_comb, then rf_scoreboard_clock, in one pass. */
void rf_scoreboard_step(rf_scoreboard *m, const rf_scoreboard_in *in, rf_scoreboard_out *out);

#ifdef __cplusplus
}
#endif
#endif
