/* SPDX-License-Identifier: Apache-2.0 */
/* Who issues in "rf_banked with the same latency" (rf_wir_late.h), and the two registers behind issue. Nothing of the system is
 * asked: a head is held against what is in the two registers, in rf_banked's collectors and on its way to rf_banked's banks, and
 * the ready warps of a group are ranked by a scheduler of this file's own. Every cycle the system must issue the warps found so,
 * and no others. */
#ifndef RF_WIR_LATE_ISSUE_H
#define RF_WIR_LATE_ISSUE_H

#include "cmodel/banked/rf_banked.h"
#include "cmodel/wir/rf_wir.h"

/* An instruction as its head showed it; what D-mask takes from it is gone. */
typedef struct rf_wir_shown {
    bool valid, dst_valid, load;
    uint8_t warp, port, dst, src_valid;
    uint16_t tag;
    uint32_t mask;
    uint8_t src[RF_SLOTS_MAX];
} rf_wir_shown;

typedef struct rf_wir_late_issue {
    uint32_t warps, slots, issues, exports, sched, fetch;
    rf_wir_shown behind[RF_ISSUES_MAX][2];                       /* rename, reuse */
    bool pending[RF_WARPS_MAX][RF_REGS_MAX];                     /* from issue to the write */
    uint64_t now, launched[RF_WARPS_MAX];                        /* age, SCHED 0 */
    bool greedy[RF_ISSUES_MAX];                                  /* the last one goes on, SCHED 0 */
    uint32_t last[RF_ISSUES_MAX];                                /* number in the group of the warp that issued last */
    uint32_t fetch_group[RF_ISSUES_MAX];                         /* its fetch group, SCHED 2 */
    const char *waits[RF_WARPS_MAX];                             /* this cycle: why the warp may not issue, or NULL */
    uint32_t chosen[RF_ISSUES_MAX];                              /* this cycle: the scheduler's choice, or RF_WARPS_MAX */
    uint8_t head_warp[RF_EXPORTS_MAX], head_reg[RF_EXPORTS_MAX]; /* this cycle: heads of rf_banked's write-back queues */
    char text[160];
} rf_wir_late_issue;

/* As after reset; all 0 until then. */
void rf_wir_late_issue_start(rf_wir_late_issue *s, const rf_wir_cfg *cfg);

/* Chooses for this cycle. Before the step of `behind`, the rf_banked behind the two registers. */
void rf_wir_late_issue_choose(rf_wir_late_issue *s, const rf_wir_in *in, const rf_banked *behind);

/* The edge, after the step of the rf_banked, which put out `behind`: NULL, or in which group the system issued otherwise. */
const char *rf_wir_late_issue_move(rf_wir_late_issue *s, const rf_wir_in *in, const rf_wir_out *out, const rf_banked_out *behind);

#endif
