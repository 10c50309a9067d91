/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model of rf_wir_retire: it tells the life of each result that is read for [WIR V-A, Fig. 7; V-D], and asks in every
 * cycle, group by group, who reads, who checks, who has the rename port and what becomes of it, in the order of the page. */
#ifndef RF_JUDGE_WIR_RETIRE_H
#define RF_JUDGE_WIR_RETIRE_H

#include "cmodel/wir/rf_wir_retire.h"
#include "tb/common/judge/judge.h"

enum { GROUPS = RF_ISSUES_MAX, PORTS = RF_EXPORTS_MAX, SEATS = RF_VERIFIERS_MAX, NOBODY = 99, HIT = 0, WALK = 1, RESULT = 2 };

/* A result in a verifier, or the last one that was there. */
typedef struct slow_way {
    bool on_its_way, fresh, same, registered; /* fresh: loaded in the cycle before */
    bool merge;
    uint32_t cand, reg, mask, warp, dst;
    uint64_t info;
    rf_vec data;
} slow_way;

typedef struct slow_retire {
    rf_wir_retire_cfg cfg;
    slow_way way[GROUPS][SEATS];
    bool unwritten[RF_PREGS_MAX];
    uint32_t last_read[GROUPS], last_retired[GROUPS], last_port[GROUPS];
} slow_retire;

typedef struct slow_turn {
    rf_wir_retire_out out;
    uint32_t reader[GROUPS], seat[GROUPS]; /* the port whose head may be read for, NOBODY; the idle verifier */
    bool reads[GROUPS];
    uint32_t port[GROUPS];                   /* who has the rename port, NOBODY */
    uint32_t head[GROUPS], verifier[GROUPS]; /* whose the group's result is; one of them is NOBODY, or both */
    bool done[GROUPS], writes[GROUPS];
    uint32_t written[PORTS]; /* by writer: the register of a write that is granted, or NO_REG */
} slow_turn;

enum { NO_REG = 1 << 20 };

static inline void slow_reset(slow_retire *s) {
    const rf_wir_retire_cfg cfg = s->cfg;
    memset(s, 0, sizeof *s);
    s->cfg = cfg;
    for (uint32_t g = 0; g < cfg.issues; g++) s->last_read[g] = s->last_retired[g] = cfg.exports - 1, s->last_port[g] = 2;
}

static inline uint32_t lanes_on(const slow_retire *s) {
    uint32_t mask = 0;
    for (uint32_t i = 0; i < s->cfg.lanes; i++) mask |= UINT32_C(1) << i;
    return mask;
}

static inline bool waits(const slow_retire *s, uint32_t reg) { return reg < s->cfg.pregs && s->unwritten[reg]; }

/* Port e has a head of group g with one of two operations. */
static inline bool asks_with(const slow_retire *s, const rf_wir_retire_in *in, uint32_t e, uint32_t g, uint32_t op,
                             uint32_t other) {
    if (!judge_bit(in->head_valid, e) || in->head_warp[e] % s->cfg.issues != g) return false;
    return in->head_op[e] == op || in->head_op[e] == other;
}

static inline bool shares(const slow_retire *s, const slow_way *w, const rf_vec *rdata) {
    if (!w->on_its_way || w->merge) return false;
    if (!w->fresh) return w->same;
    for (uint32_t i = 0; i < s->cfg.lanes; i++)
        if (rdata->lane[i] != w->data.lane[i]) return false;
    return true;
}

static inline bool needs(const slow_way *w) { return w->on_its_way && !w->fresh && !w->merge && !w->same && !w->registered; }
static inline bool writes(const slow_way *w) { return w->on_its_way && !w->fresh && w->registered; }

/* "Read." and "Check." of one group, and what its verifiers need. */
static inline void group_reads(const slow_retire *s, const rf_wir_retire_in *in, uint32_t g, slow_turn *t) {
    bool asks[PORTS] = {false};
    uint32_t e, v = 0;
    t->reader[g] = NOBODY;
    for (uint32_t i = 0; i < s->cfg.verifiers; i++) {
        const slow_way *w = &s->way[g][i];
        const uint32_t n = g * s->cfg.verifiers + i;
        if (needs(w)) t->out.need |= (uint16_t)(1u << n), t->out.cand[n] = (uint16_t)w->cand;
        if (!w->on_its_way || !w->fresh) continue;
        t->out.check |= (uint8_t)(1u << g);
        t->out.check_reg[g] = (uint16_t)w->cand;
        if (!w->merge) t->out.fill |= (uint8_t)(1u << g);
    }
    for (e = 0; e < s->cfg.exports; e++)
        asks[e] = asks_with(s, in, e, g, RF_RESULT_VERIFY, RF_RESULT_MERGE) && !waits(s, in->head_cand[e]);
    e = judge_walk(s->last_read[g], asks, s->cfg.exports);
    while (v < s->cfg.verifiers && s->way[g][v].on_its_way) v++;
    t->seat[g] = v;
    if (e < s->cfg.exports) t->reader[g] = e;
    if (e == s->cfg.exports || v == s->cfg.verifiers) return;
    t->out.rd_valid |= (uint8_t)(1u << g);
    t->out.rd_reg[g] = in->head_cand[e];
    t->reads[g] = judge_bit(in->rd_grant, g);
    if (t->reads[g]) t->out.pop |= (uint8_t)(1u << e);
}

/* A result's way through the rename port that is its own: what it asks for, and whether it is done. */
static inline void group_retires(const slow_retire *s, const rf_wir_retire_in *in, uint32_t g, slow_turn *t) {
    const uint8_t me = (uint8_t)(1u << g);
    const uint32_t e = t->head[g], v = t->verifier[g];
    const slow_way *w = v != NOBODY ? &s->way[g][v] : NULL;
    const bool share = w != NULL ? shares(s, w, &in->rdata[g]) : in->head_op[e] == RF_RESULT_SHARE;
    const uint32_t reg = w == NULL ? in->head_preg[e] : share ? w->cand : w->reg;
    if (!share) {
        t->writes[g] = true;
        t->out.wr_valid |= me;
        t->out.wr_reg[g] = (uint16_t)reg;
        t->out.wr_mask[g] = w != NULL ? lanes_on(s) : in->head_mask[e];
        if (!judge_bit(in->wr_grant, g)) return;
        t->out.wr_data[g] = w != NULL ? w->data : in->head_data[e];
        t->written[g] = reg;
    }
    t->done[g] = true;
    t->out.done |= me;
    t->out.done_warp[g] = (uint8_t)(w != NULL ? w->warp : in->head_warp[e]);
    t->out.done_dst[g] = (uint8_t)(w != NULL ? w->dst : in->head_dst[e]);
    t->out.done_reg[g] = (uint16_t)reg;
    t->out.done_info[g] = w != NULL ? w->info : in->head_info[e];
    if (w != NULL && share) t->out.shared |= me;
    if (w == NULL) t->out.pop |= (uint8_t)(1u << e);
}

/* "Rename port." and "Result." of one group. */
static inline void group_port(const slow_retire *s, const rf_wir_retire_in *in, uint32_t g, slow_turn *t) {
    bool wants[3] = {judge_bit(in->hit, g), judge_bit(in->walk, g), false}, asks[PORTS] = {false};
    uint32_t e;
    t->head[g] = t->verifier[g] = t->port[g] = NOBODY;
    for (uint32_t v = s->cfg.verifiers; v-- > 0;)
        if (shares(s, &s->way[g][v], &in->rdata[g]) || writes(&s->way[g][v])) t->verifier[g] = v;
    for (e = 0; e < s->cfg.exports; e++) asks[e] = asks_with(s, in, e, g, RF_RESULT_WRITE, RF_RESULT_SHARE);
    e = judge_walk(s->last_retired[g], asks, s->cfg.exports);
    if (t->verifier[g] == NOBODY && e < s->cfg.exports) t->head[g] = e;
    wants[RESULT] = t->verifier[g] != NOBODY || t->head[g] != NOBODY;
    const uint32_t port = judge_walk(s->last_port[g], wants, 3);
    if (port == 3) return;
    t->port[g] = port;
    if (port == HIT) t->out.hit |= (uint8_t)(1u << g);
    if (port == WALK) t->out.walk |= (uint8_t)(1u << g);
    if (port == RESULT) group_retires(s, in, g, t);
}

static inline void plain(const slow_retire *s, const rf_wir_retire_in *in, slow_turn *t) {
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        const uint8_t me = (uint8_t)(1u << e);
        if (!judge_bit(in->head_valid, e)) continue;
        t->out.wr_valid |= me;
        t->out.wr_reg[e] = in->head_preg[e];
        t->out.wr_mask[e] = in->head_mask[e];
        if (!judge_bit(in->wr_grant, e)) continue;
        t->out.wr_data[e] = in->head_data[e];
        t->out.pop |= me, t->out.done |= me;
        t->out.done_warp[e] = in->head_warp[e], t->out.done_dst[e] = in->head_dst[e];
    }
}

static inline void slow_comb(const slow_retire *s, const rf_wir_retire_in *in, slow_turn *t) {
    memset(t, 0, sizeof *t);
    for (uint32_t i = 0; i < PORTS; i++) t->written[i] = NO_REG;
    if (s->cfg.reuse == 0) plain(s, in, t);
    for (uint32_t g = 0; g < s->cfg.issues && s->cfg.reuse == 1; g++) {
        group_reads(s, in, g, t);
        group_port(s, in, g, t);
    }
}

/* The edge, for a verifier that holds a result. */
static inline void way_goes_on(const slow_retire *s, const rf_wir_retire_in *in, slow_way *w, uint32_t g, bool give, bool done) {
    if (w->fresh) {
        w->same = shares(s, w, &in->rdata[g]);
        w->registered = w->merge;
        for (uint32_t i = 0; w->merge && i < s->cfg.lanes; i++)
            if (!judge_bit(w->mask, i)) w->data.lane[i] = in->rdata[g].lane[i];
        w->fresh = false;
    } else if (needs(w) && give) {
        w->registered = true;
        w->reg = in->given_reg[g];
    }
    if (done) w->on_its_way = false;
}

static inline void slow_clock(slow_retire *s, const rf_wir_retire_in *in, const slow_turn *t) {
    if (s->cfg.reuse == 0) return;
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        for (uint32_t v = 0; v < s->cfg.verifiers; v++)
            if (s->way[g][v].on_its_way)
                way_goes_on(s, in, &s->way[g][v], g, judge_bit(in->give, g * s->cfg.verifiers + v),
                            t->done[g] && t->verifier[g] == v);
        if (t->reads[g]) {
            const uint32_t e = t->reader[g];
            s->way[g][t->seat[g]] = (slow_way){.on_its_way = true,
                                               .fresh = true,
                                               .merge = in->head_op[e] == RF_RESULT_MERGE,
                                               .cand = in->head_cand[e],
                                               .reg = in->head_preg[e],
                                               .mask = in->head_mask[e],
                                               .warp = in->head_warp[e],
                                               .dst = in->head_dst[e],
                                               .info = in->head_info[e],
                                               .data = in->head_data[e]};
            s->last_read[g] = e;
        }
        if (t->port[g] != NOBODY) s->last_port[g] = t->port[g];
        if (t->done[g] && t->head[g] != NOBODY) s->last_retired[g] = t->head[g];
    }
    for (uint32_t g = 0; g < s->cfg.issues; g++)
        if (t->written[g] < s->cfg.pregs) s->unwritten[t->written[g]] = false;
    for (uint32_t g = 0; g < s->cfg.issues; g++)
        if (judge_bit(in->given, g) && in->given_reg[g] < s->cfg.pregs) s->unwritten[in->given_reg[g]] = true;
}

#endif
