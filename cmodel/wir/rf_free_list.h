/* SPDX-License-Identifier: Apache-2.0 */
/* Free register pool ([WIR V-E, VII-E]: "a queue using a 1r1w table"): the physical registers that nobody uses.
 *
 * Registers that came back are given out first, in the order in which they came (first in, first out); when there are none, the
 * lowest one that was never given out: so few registers are touched, and unused ones can stay off. After reset all are free.
 * `count` is how many are free; `ok` bit i: count > i. A lane that pops gets reg[i]: the register at place p of the order above,
 * where p is the number of lanes below it that pop in this cycle. When count <= p the pop is ignored, and reg[i] is 0. reg[i]
 * depends on `pop` of lower lanes in the same cycle, on nothing else of it: a lane that does not pop is shown what it would
 * get. Registers pushed are free from the next cycle on, port 0's first. A push when all are free is ignored (per port, in
 * order; pops of the same cycle do not make room). A number that no register has is kept and given out like any other. */
#ifndef RF_FREE_LIST_H
#define RF_FREE_LIST_H

#include "cmodel/wir/rf_wir_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_FREE_PUSHES_MAX 4u

typedef struct rf_free_list_cfg {
    uint32_t pregs;  /* physical registers, 2 .. 1024 */
    uint32_t issues; /* lanes that pop, 1 .. 4 */
    uint32_t pushes; /* registers that come back in a cycle, 1 .. 4 */
} rf_free_list_cfg;

typedef struct rf_free_list_in {
    uint8_t pop;                           /* issues bits */
    uint8_t push;                          /* pushes bits */
    uint16_t push_reg[RF_FREE_PUSHES_MAX]; /* per port, index_bits(pregs) */
} rf_free_list_in;

typedef struct rf_free_list_out {
    uint16_t count;              /* index_bits(pregs + 1) */
    uint8_t ok;                  /* issues bits */
    uint16_t reg[RF_ISSUES_MAX]; /* per lane, index_bits(pregs) */
} rf_free_list_out;

typedef struct rf_free_list {
    rf_free_list_cfg cfg;
    uint16_t fresh_q;               /* registers given out at least once, 0 .. pregs: the lowest ones; index_bits(pregs + 1) */
    uint16_t level_q;               /* registers in the queue, 0 .. pregs; index_bits(pregs + 1) */
    uint16_t rd_ptr_q;              /* 0 .. pregs-1, index_bits(pregs) */
    uint16_t wr_ptr_q;              /* 0 .. pregs-1, index_bits(pregs) */
    uint16_t queue_q[RF_PREGS_MAX]; /* per place, index_bits(pregs) */
} rf_free_list;                     /* all 0 after reset */

/* NULL, or the parameter that is out of range and its range. */
const char *rf_free_list_check(const rf_free_list_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_free_list_init(rf_free_list *m, const rf_free_list_cfg *cfg);
void rf_free_list_reset(rf_free_list *m);
/* Outputs of this cycle. */
void rf_free_list_comb(const rf_free_list *m, const rf_free_list_in *in, rf_free_list_out *out);
/* The rising clock edge. */
void rf_free_list_clock(rf_free_list *m, const rf_free_list_in *in);
/* rf_free_list_comb, then rf_free_list_clock, in one pass. */
void rf_free_list_step(rf_free_list *m, const rf_free_list_in *in, rf_free_list_out *out);

#ifdef __cplusplus
}
#endif
#endif
