/* SPDX-License-Identifier: Apache-2.0 */
/* Results of one execution port on their way to register allocation [WIR V-A, VII-E]: a pipeline of STAGES registers, at the
 * end of which the result's hash is ready: the last stage's register has hash_q, computed by rf_h3 from the data that enters
 * that stage.
 *
 * A stage takes what comes when it is empty, or when what it holds goes on in the same cycle; the last one's goes when `take`
 * (ignored when it is empty). So bubbles close, and `ready` (the first stage takes) depends on `take` of the same cycle when
 * all are full. A result accepted in cycle t (valid and ready) is at the end in t + STAGES at the earliest. Outputs of the end
 * are 0 when it is empty; a stage that gets empty keeps its registers, hash_q too. */
#ifndef RF_HASH_PIPE_H
#define RF_HASH_PIPE_H

#include "cmodel/wir/rf_wir_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_HASH_STAGES_MAX 5u

typedef struct rf_hash_pipe_cfg {
    uint32_t stages; /* 1 .. 5 */
    uint32_t lanes;  /* 1 .. 32 */
    uint32_t warps;  /* 1 .. 64 */
    uint32_t regs;   /* logical registers of a warp, 1 .. 256 */
    uint32_t infow;  /* bits of info, 1 .. 64 */
} rf_hash_pipe_cfg;

typedef struct rf_hash_pipe_in {
    uint8_t valid;
    uint8_t warp;  /* index_bits(warps) */
    uint8_t dst;   /* index_bits(regs) */
    uint32_t mask; /* lanes bits */
    rf_vec data;   /* lanes x 32 bits */
    uint64_t info; /* infow bits, carried along */
    uint8_t take;
} rf_hash_pipe_in;

typedef struct rf_hash_pipe_out {
    rf_vec out_data;
    uint8_t ready;
    uint8_t out_valid;
    uint8_t out_warp;
    uint8_t out_dst;
    uint32_t out_mask;
    uint64_t out_info;
    uint32_t out_hash;
} rf_hash_pipe_out;

typedef struct rf_hash_pipe {
    rf_hash_pipe_cfg cfg;
    uint8_t valid_q;                    /* stages bits, bit 0 the first stage */
    uint8_t warp_q[RF_HASH_STAGES_MAX]; /* per stage; kept when it gets empty */
    uint8_t dst_q[RF_HASH_STAGES_MAX];
    uint32_t mask_q[RF_HASH_STAGES_MAX];
    rf_vec data_q[RF_HASH_STAGES_MAX];
    uint64_t info_q[RF_HASH_STAGES_MAX];
    uint32_t hash_q; /* of the last stage's data */
} rf_hash_pipe;      /* all 0 after reset */

/* NULL, or the parameter that is out of range and its range. */
const char *rf_hash_pipe_check(const rf_hash_pipe_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_hash_pipe_init(rf_hash_pipe *m, const rf_hash_pipe_cfg *cfg);
void rf_hash_pipe_reset(rf_hash_pipe *m);
/* Outputs of this cycle; of its inputs only `take` matters, for `ready`. */
void rf_hash_pipe_comb(const rf_hash_pipe *m, const rf_hash_pipe_in *in, rf_hash_pipe_out *out);
/* The rising clock edge. */
void rf_hash_pipe_clock(rf_hash_pipe *m, const rf_hash_pipe_in *in);
/* rf_hash_pipe_comb, then rf_hash_pipe_clock, in one pass. */
void rf_hash_pipe_step(rf_hash_pipe *m, const rf_hash_pipe_in *in, rf_hash_pipe_out *out);

#ifdef __cplusplus
}
#endif
#endif
