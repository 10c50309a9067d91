/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model of rf_wir_issue, for its judge alone: it asks of every warp's head, one question after the other, why it must
 * wait ([WIR II]: "write-pending registers are compared with the operand registers of the next instruction"; V-B: "we use logical
 * IDs for instruction issue and scoreboard operation"), and whom each group issues then. The schedulers are those of
 * judge_stage.h: age is a time of launch. */
#ifndef RF_JUDGE_WIR_ISSUE_H
#define RF_JUDGE_WIR_ISSUE_H

#include "cmodel/wir/rf_wir_issue.h"
#include "tb/banked/judge/judge_stage.h"
#include "tb/common/judge/judge_fields.h"

enum { WARPS = RF_WARPS_MAX, GROUPS = RF_ISSUES_MAX, SLOTS = RF_REUSE_SLOTS_MAX };

typedef struct slow_issue {
    rf_wir_issue_cfg cfg;
    slow_stage stage; /* schedulers and pending registers */
} slow_issue;

/* What happens in one cycle; by warp: what its head is, and why it must wait. */
typedef struct slow_turn {
    rf_wir_issue_out out;
    bool valid[WARPS], writes[WARPS], stores[WARPS];
    bool raw[WARPS], waw[WARPS]; /* a source, the destination has a result to come */
    bool unread[WARPS];          /* a collector has yet to read what it writes */
    bool overtakes[WARPS];       /* ... an instruction at a place has */
    bool orders[WARPS];          /* it stores, and a load is at a place */
    bool released[WARPS];        /* the warp's old mappings are not released yet, or are to be from now on */
    bool ready[WARPS];
    slow_cycle stage; /* chosen, turn */
    rf_stage_in events;
} slow_turn;

static inline void issue_reset(slow_issue *s) { slow_reset(&s->stage); }

static inline void issue_start(slow_issue *s, const rf_wir_issue_cfg *cfg) {
    s->cfg = *cfg;
    s->stage.cfg = (rf_banked_cfg){.warps = cfg->warps,
                                   .collectors = cfg->collectors,
                                   .banks = 1,
                                   .regs = cfg->regs,
                                   .lanes = cfg->lanes,
                                   .slots = cfg->slots,
                                   .exports = cfg->exports,
                                   .issues = cfg->issues,
                                   .sched = cfg->sched,
                                   .fetch = cfg->fetch};
    issue_reset(s);
}

/* The instructions at the places against the head of warp w. */
static inline void look_at_places(const slow_issue *s, const rf_wir_issue_in *in, uint32_t w, slow_turn *t) {
    const uint32_t places = s->cfg.places, n = s->cfg.slots;
    for (uint32_t at = 0; at < s->cfg.issues * places; at++) {
        if (!judge_bit(in->at_valid[at / places], at % places) || in->at[at].warp != w) continue;
        if (t->stores[w] && in->at[at].load) t->orders[w] = true;
        for (uint32_t k = 0; k < n; k++)
            if (t->writes[w] && judge_bit(in->at[at].src_valid, k) && in->at[at].src[k] == in->ib_dst[w]) t->overtakes[w] = true;
    }
}

static inline void look_at_head(const slow_issue *s, const rf_wir_issue_in *in, uint32_t w, slow_turn *t) {
    const bool alive = in->ib_mask[w] != 0;
    const uint32_t g = w % s->cfg.issues, number = w / s->cfg.issues, dst = in->ib_dst[w];
    t->valid[w] = judge_bit(in->ib_valid, w);
    t->writes[w] = alive && judge_bit(in->ib_dst_valid, w);
    t->stores[w] = alive && judge_bit(in->ib_store, w);
    for (uint32_t k = 0; k < s->cfg.slots; k++)
        if (alive && judge_bit(in->ib_src_valid[w], k) && is_pending(&s->stage, w, in->ib_src[w * s->cfg.slots + k]))
            t->raw[w] = true;
    t->waw[w] = t->writes[w] && is_pending(&s->stage, w, dst);
    for (uint32_t r = 0; r < s->cfg.collectors * s->cfg.slots; r++)
        if (t->writes[w] && in_range(&s->stage, w, dst) && judge_bit(in->rdp, r) && in->rdp_warp[r] == w && in->rdp_reg[r] == dst)
            t->unread[w] = true;
    look_at_places(s, in, w, t);
    if (judge_bit(in->launch, w) || judge_bit(in->exit, w)) t->out.clear[g] |= UINT64_C(1) << number;
    t->released[w] = judge_bit(t->out.clear[g] | in->walking[g], number);
    t->ready[w] = t->valid[w] && !t->raw[w] && !t->waw[w] && !t->unread[w] && !t->overtakes[w] && !t->orders[w];
    if (s->cfg.reuse == 1 && t->released[w]) t->ready[w] = false;
}

/* "Shown": the head of the warp chosen, or of the first one. */
static inline void expect_head(const slow_issue *s, const rf_wir_issue_in *in, uint32_t g, slow_turn *t) {
    const uint32_t w = t->stage.chosen[g] == NONE ? g : t->stage.chosen[g], n = s->cfg.slots;
    rf_wir_issue_out *out = &t->out;
    out->head[g].warp = (uint8_t)w, out->head[g].tag = in->ib_tag[w], out->head[g].port = in->ib_port[w];
    out->head[g].mask = in->ib_mask[w], out->head[g].dst = in->ib_dst[w], out->head[g].op = in->ib_op[w];
    out->head[g].space = in->ib_space[w];
    if (in->ib_mask[w] != 0) out->head[g].src_valid = in->ib_src_valid[w];
    if (t->writes[w]) out->head[g].dst_valid = 1;
    if (t->stores[w]) out->head[g].store = 1;
    if (judge_bit(in->ib_reuse, w)) out->head[g].reuse = 1;
    if (judge_bit(in->ib_store_shared, w)) out->head[g].store_shared = 1;
    for (uint32_t k = 0; k < n; k++) out->head[g].src[k] = in->ib_src[w * n + k], out->head[g].imm[k] = in->ib_imm[w * n + k];
}

static inline void issue_comb(const slow_issue *s, const rf_wir_issue_in *in, slow_turn *t) {
    memset(t, 0, sizeof *t);
    t->events.launch = in->launch;
    for (uint32_t w = 0; w < s->cfg.warps; w++) look_at_head(s, in, w, t);
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        t->stage.chosen[g] = choose(&s->stage, t->ready, g);
        expect_head(s, in, g, t);
        t->stage.turn[g] = t->stage.chosen[g] != NONE && judge_bit(in->lane_ready, g);
        if (!t->stage.turn[g]) continue;
        t->out.issue_valid |= (uint8_t)(1u << g);
        t->out.issue_warp[g] = (uint8_t)t->stage.chosen[g];
    }
}

/* The edge, after issue_comb with the same inputs. */
static inline void issue_clock(slow_issue *s, const rf_wir_issue_in *in, const slow_turn *t) {
    clock_schedulers(&s->stage, &t->events, &t->stage);
    for (uint32_t i = 0; i < s->cfg.exports + s->cfg.issues; i++)
        if (judge_bit(in->clr, i) && in_range(&s->stage, in->clr_warp[i], in->clr_reg[i]))
            s->stage.pending[in->clr_warp[i]][in->clr_reg[i]] = false;
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        const uint32_t w = t->stage.chosen[g];
        if (t->stage.turn[g] && t->writes[w] && in_range(&s->stage, w, in->ib_dst[w])) s->stage.pending[w][in->ib_dst[w]] = true;
    }
}

/* What the registers hold; `e` is zero but for what an earlier cycle of this run put there. */
static inline void expect_state(const slow_issue *s, rf_wir_issue *e) {
    const uint32_t issues = s->cfg.issues, group = s->cfg.warps / issues;
    const slow_stage *u = &s->stage;
    for (uint32_t w = 0; w < s->cfg.warps; w++)
        for (uint32_t word = 0; word < 4; word++)
            e->scoreboard.pending_q[w].w[word] = word * 64 < s->cfg.regs ? judge_pack(&u->pending[w][word * 64], 64) : 0;
    for (uint32_t g = 0; g < issues; g++) {
        e->groups[g].group_q = (uint8_t)u->fetch_group[g];
        e->groups[g].mask_q = e->lrr[g].rr.mask_q = judge_above(u->last_turn[g] / issues, group);
        e->gto[g].last_valid_q = u->greedy[g], e->gto[g].last_q = (uint8_t)(u->last_warp[g] / issues);
        for (uint32_t k = 0; k < group && s->cfg.sched == 0; k++) {
            e->gto[g].older_q[k] = 0;
            for (uint32_t other = 0; other < group; other++)
                if (u->launched[other * issues + g] < u->launched[k * issues + g]) e->gto[g].older_q[k] |= UINT64_C(1) << other;
        }
    }
}

#endif
