/* SPDX-License-Identifier: Apache-2.0 */
/* The cycle of rf_wir_issue as functions that a caller compiles in: private to the unit and rf_wir. In this order:
 *   rf_wir_pending, rf_wir_unread_by, rf_wir_overtakes    heads that must wait
 *   rf_stage_every, rf_wir_choose                     whom a group's scheduler chooses
 *   rf_wir_take_head                                  what that head is
 *   rf_wir_clock_schedulers                           the edge, beside rf_scoreboard_clock */
#ifndef RF_WIR_ISSUE_PARTS_H
#define RF_WIR_ISSUE_PARTS_H

#include "cmodel/banked/rf_stage_parts.h"
#include "cmodel/wir/rf_wir_issue.h"
#include "cmodel/wir/rf_wir_words.h"

/* The heads of the instruction buffers, as the ports ib_* have them. */
typedef struct rf_wir_buffers {
    uint64_t valid, dst_valid, reuse, store, store_shared;
    const uint16_t *tag, *imm;
    const uint32_t *mask;
    const uint8_t *port, *dst, *src_valid, *src, *op, *space;
} rf_wir_buffers;

/* Those of `in`, an rf_wir_in or rf_wir_issue_in. */
#define RF_WIR_BUFFERS(in)                                                                                                       \
    ((rf_wir_buffers){.valid = (in)->ib_valid,                                                                                   \
                      .dst_valid = (in)->ib_dst_valid,                                                                           \
                      .reuse = (in)->ib_reuse,                                                                                   \
                      .store = (in)->ib_store,                                                                                   \
                      .store_shared = (in)->ib_store_shared,                                                                     \
                      .tag = (in)->ib_tag,                                                                                       \
                      .imm = (in)->ib_imm,                                                                                       \
                      .mask = (in)->ib_mask,                                                                                     \
                      .port = (in)->ib_port,                                                                                     \
                      .dst = (in)->ib_dst,                                                                                       \
                      .src_valid = (in)->ib_src_valid,                                                                           \
                      .src = (in)->ib_src,                                                                                       \
                      .op = (in)->ib_op,                                                                                         \
                      .space = (in)->ib_space})

/* ---- who must wait ---- */

/* Warps whose valid head waits for a result: rf_scoreboard's rule, for heads with an active lane. */
RF_WIR_PART uint64_t rf_wir_pending(const rf_scoreboard *m, const rf_wir_buffers *ib) {
    const uint64_t pending = rf_scoreboard_pending(m, ib->dst_valid, ib->dst, ib->src_valid, ib->src);
    return rf_stage_active(pending & ib->valid, ib->mask);
}

/* Warp `warp`, if its valid head writes one of these registers, which a collector has still to read for it: the slots `open` of
 * `src`. */
RF_WIR_PART uint64_t rf_wir_unread_by(const rf_wir_buffers *ib, const rf_scoreboard *m, uint32_t warp, uint32_t open,
                                      const uint8_t *src) {
    if (ib->mask[warp] == 0) return 0;
    bool hit = false;
    for (; open != 0; open &= open - 1) hit |= rf_scoreboard_overtakes(m, ib->dst[warp], src[rf_lowest(open)]);
    return (uint64_t)hit << warp & ib->valid & ib->dst_valid;
}

/* The warp of this instruction before the collectors, if its valid head must wait for that. */
RF_WIR_PART uint64_t rf_wir_overtakes(const rf_wir_buffers *ib, const rf_wir_reads *at) {
    const uint32_t warp = at->warp;
    if ((ib->valid >> warp & 1) == 0 || ib->mask[warp] == 0) return 0;
    bool hit = at->load != 0 && (ib->store >> warp & 1) != 0;
    if ((ib->dst_valid >> warp & 1) != 0)
        for (uint32_t left = at->src_valid; left != 0; left &= left - 1) hit |= at->src[rf_lowest(left)] == ib->dst[warp];
    return (uint64_t)hit << warp;
}

/* ---- groups ---- */

/* The bits of group g, that is `local` by number in the group, in place. */
RF_WIR_PART uint64_t rf_wir_to_warps(uint32_t issues, uint64_t local, uint32_t g) {
    uint64_t warps = 0;
    for (; local != 0; local &= local - 1) warps |= UINT64_C(1) << (rf_lowest(local) * issues + g);
    return warps;
}

/* ---- the choice ---- */

/* The warp that the scheduler of group g chooses among `ready` (of the group, packed, not 0). */
RF_WIR_PART uint32_t rf_wir_choose(const rf_wir_issue *m, const rf_wir_issue_cfg *cfg, uint32_t g, uint64_t ready) {
    return rf_stage_pick(cfg->sched, &m->gto[g], &m->lrr[g], &m->groups[g], ready) * cfg->issues + g;
}

/* The head of warp w, to issue: D-mask. */
RF_WIR_PART void rf_wir_take_head(const rf_wir_buffers *ib, uint32_t slots, uint32_t w, rf_wir_issued *head) {
    const bool active = ib->mask[w] != 0;
    head->warp = (uint8_t)w;
    head->tag = ib->tag[w];
    head->port = ib->port[w];
    head->mask = ib->mask[w];
    head->dst_valid = active && (ib->dst_valid >> w & 1) != 0;
    head->dst = ib->dst[w];
    head->src_valid = active ? ib->src_valid[w] : 0;
    head->reuse = ib->reuse >> w & 1;
    head->op = ib->op[w];
    for (uint32_t s = 0; s < slots; s++) {
        head->src[s] = ib->src[w * slots + s];
        head->imm[s] = ib->imm[w * slots + s];
    }
    head->space = ib->space[w];
    head->store = active && (ib->store >> w & 1) != 0;
    head->store_shared = ib->store_shared >> w & 1;
}

/* ---- the edge ---- */

/* Greedy then oldest without a launch remembers who issued; that is known, so nobody is chosen again. */
RF_WIR_PART void rf_wir_clock_schedulers(rf_wir_issue *m, const rf_wir_issue_cfg *cfg, uint64_t ready, uint64_t launch,
                                         uint32_t issue_valid, const uint8_t *issue_warp) {
    if ((launch | issue_valid) == 0) return;
    if (cfg->sched != 0 || launch != 0) {
        for (uint32_t g = 0; g < cfg->issues; g++)
            rf_stage_clock_scheduler(cfg->sched, &m->gto[g], &m->lrr[g], &m->groups[g],
                                     rf_stage_every(ready, cfg->warps, cfg->issues, g),
                                     rf_stage_every(launch, cfg->warps, cfg->issues, g), issue_valid >> g & 1);
        return;
    }
    for (uint32_t left = issue_valid; left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left);
        rf_sched_gto_move(&m->gto[g], 0, true, rf_wir_local(issue_warp[g], cfg->issues));
    }
}

#endif
