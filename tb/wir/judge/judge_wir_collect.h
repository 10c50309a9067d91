/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model of rf_wir_collect, for its judge alone. It tells what becomes of an instruction: it takes a seat
 * ([bank stealing II-B]: "it first reserves a free operand collector"), each of its sources is asked for, read and brought, and
 * it stands in line for its execution port ([WIR II]: "dispatched to the functional units (FUs) when all operands are read"). */
#ifndef RF_JUDGE_WIR_COLLECT_H
#define RF_JUDGE_WIR_COLLECT_H

#include "cmodel/wir/rf_wir_collect.h"
#include "tb/common/judge/judge_fields.h"

enum { GROUPS = RF_ISSUES_MAX, SEATS = RF_COLLECTORS_MAX, PORTS = RF_EXPORTS_MAX, SLOTS = RF_REUSE_SLOTS_MAX, NOBODY = 99 };

/* What is known of a source. */
typedef enum source_state {
    ABSENT,  /* not to be read: there is none, or it is not mapped */
    WANTED,  /* no bank has been granted */
    COMING,  /* its bank was granted in the cycle before */
    BROUGHT, /* it is here */
} source_state;

typedef struct slow_source {
    source_state state;
    bool zero; /* a source that is not mapped */
    uint32_t reg, preg, word[RF_LANES_MAX];
} slow_source;

/* A collector, and its instruction or the last one that was there. */
typedef struct slow_seat {
    bool taken, dst_valid;
    uint32_t warp, tag, port, mask, dst;
    uint64_t info;
    slow_source source[SLOTS];
    uint64_t since, left; /* for the events: the cycle in which it was taken, the one after it was left */
} slow_seat;

typedef struct slow_collect {
    rf_wir_collect_cfg cfg;
    slow_seat seat[SEATS];
    uint32_t last[PORTS]; /* by port: whose instruction left through it last */
    uint64_t cycle;
} slow_collect;

/* What happens in one cycle. */
typedef struct slow_turn {
    rf_wir_collect_out out;
    uint32_t given[GROUPS];  /* by group: the seat that it gets, or NOBODY */
    uint32_t offered[PORTS]; /* by port: whose instruction, or NOBODY */
    bool leaves[SEATS], read[SEATS][SLOTS];
} slow_turn;

static inline void slow_reset(slow_collect *s) {
    const rf_wir_collect_cfg cfg = s->cfg;
    memset(s, 0, sizeof *s);
    s->cfg = cfg;
    for (uint32_t e = 0; e < cfg.exports; e++) s->last[e] = cfg.collectors - 1;
}

/* The slot of whose read slot k takes its data: of all that want this logical register the lowest (D-dup). */
static inline uint32_t reader_of(const slow_collect *s, const slow_seat *seat, uint32_t k) {
    for (uint32_t i = 0; i < s->cfg.slots; i++)
        if (seat->source[i].state == WANTED && seat->source[i].reg == seat->source[k].reg) return i;
    return k;
}

static inline bool complete(const slow_collect *s, const slow_seat *seat) {
    uint32_t missing = 0;
    for (uint32_t k = 0; k < s->cfg.slots; k++) missing += seat->source[k].state == WANTED || seat->source[k].state == COMING;
    return seat->taken && missing == 0;
}

static inline void see_sources(const slow_collect *s, const rf_wir_collect_in *in, slow_turn *t) {
    for (uint32_t c = 0; c < s->cfg.collectors; c++)
        for (uint32_t k = 0; k < s->cfg.slots; k++) {
            const slow_seat *seat = &s->seat[c];
            const slow_source *source = &seat->source[k];
            const uint32_t r = c * s->cfg.slots + k;
            const uint64_t me = UINT64_C(1) << r;
            t->out.reader_warp[r] = (uint8_t)seat->warp, t->out.reader_reg[r] = (uint8_t)source->reg;
            t->out.rd_bank[r] = (uint8_t)(source->preg % s->cfg.banks);
            t->out.rd_row[r] = (uint16_t)(source->preg / s->cfg.banks);
            if (source->state == COMING) t->out.fill_valid |= me;
            if (source->state != WANTED) continue;
            t->out.unread |= me;
            if (reader_of(s, seat, k) == k) t->out.rd_valid |= me;
            t->read[c][k] = judge_bit(in->rd_grant, c * s->cfg.slots + reader_of(s, seat, k));
        }
}

/* Each port's next complete instruction behind the last one's seat, and whether it goes. */
static inline void offer(const slow_collect *s, const rf_wir_collect_in *in, slow_turn *t) {
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        bool asks[SEATS] = {false};
        for (uint32_t c = 0; c < s->cfg.collectors; c++) asks[c] = complete(s, &s->seat[c]) && s->seat[c].port == e;
        const uint32_t c = judge_walk(s->last[e], asks, s->cfg.collectors);
        t->offered[e] = c < s->cfg.collectors ? c : NOBODY;
        if (t->offered[e] == NOBODY) continue;
        const slow_seat *seat = &s->seat[c];
        t->leaves[c] = judge_bit(in->ex_ready, e);
        t->out.ex_valid |= (uint8_t)(1u << e);
        t->out.ex_warp[e] = (uint8_t)seat->warp, t->out.ex_tag[e] = (uint16_t)seat->tag, t->out.ex_mask[e] = seat->mask;
        if (seat->dst_valid) t->out.ex_dst_valid |= (uint8_t)(1u << e);
        t->out.ex_dst[e] = (uint8_t)seat->dst, t->out.ex_info[e] = seat->info;
        for (uint32_t k = 0; k < s->cfg.slots; k++) {
            const slow_source *source = &seat->source[k];
            if (source->zero) continue;
            memcpy(t->out.ex_data[e * s->cfg.slots + k].lane, source->word, sizeof source->word);
        }
    }
}

static inline void slow_comb(const slow_collect *s, const rf_wir_collect_in *in, slow_turn *t) {
    uint32_t next = 0;
    memset(t, 0, sizeof *t);
    see_sources(s, in, t);
    offer(s, in, t);
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        t->given[g] = NOBODY;
        if (!judge_bit(in->req, g)) continue;
        while (next < s->cfg.collectors && s->seat[next].taken) next++;
        if (next == s->cfg.collectors) continue;
        t->given[g] = next++;
        t->out.grant |= (uint8_t)(1u << g);
    }
}

static inline void sit_down(slow_collect *s, const rf_wir_collect_in *in, uint32_t g, slow_seat *seat) {
    const uint32_t n = s->cfg.slots;
    seat->taken = true, seat->since = s->cycle;
    seat->warp = in->lane[g].warp, seat->tag = in->lane[g].tag, seat->port = in->lane[g].port, seat->mask = in->lane[g].mask;
    seat->dst_valid = in->lane[g].dst_valid != 0, seat->dst = in->lane[g].dst, seat->info = in->lane_info[g];
    for (uint32_t k = 0; k < n; k++) {
        slow_source *source = &seat->source[k];
        const bool mapped = judge_bit(in->lane[g].mapped, k);
        source->state = mapped ? WANTED : ABSENT;
        source->zero = judge_bit(in->lane[g].src_valid, k) && !mapped;
        source->reg = in->lane[g].src[k], source->preg = in->lane[g].operand[k];
    }
}

/* The edge, after slow_comb with the same inputs. */
static inline void slow_clock(slow_collect *s, const rf_wir_collect_in *in, const slow_turn *t) {
    for (uint32_t c = 0; c < s->cfg.collectors; c++) {
        slow_seat *seat = &s->seat[c];
        for (uint32_t k = 0; k < s->cfg.slots; k++) {
            slow_source *source = &seat->source[k];
            if (source->state == COMING) {
                memcpy(source->word, in->fill_data[c * s->cfg.slots + k].lane, sizeof source->word);
                source->state = BROUGHT;
            } else if (t->read[c][k]) {
                source->state = COMING;
            }
            if (t->leaves[c]) source->state = ABSENT;
        }
        if (t->leaves[c]) seat->taken = false, seat->left = s->cycle + 1;
    }
    for (uint32_t e = 0; e < s->cfg.exports; e++)
        if (t->offered[e] != NOBODY && t->leaves[t->offered[e]]) s->last[e] = t->offered[e];
    for (uint32_t g = 0; g < s->cfg.issues; g++)
        if (t->given[g] != NOBODY) sit_down(s, in, g, &s->seat[t->given[g]]);
    s->cycle++;
}

/* What the registers hold. */
static inline void expect_state(const slow_collect *s, rf_wir_collect *e) {
    for (uint32_t c = 0; c < s->cfg.collectors; c++) {
        const slow_seat *seat = &s->seat[c];
        rf_ocu *u = &e->ocu[c];
        u->busy_q = seat->taken, u->port_q = (uint8_t)seat->port;
        u->carried_q = (rf_stage_carried){.warp = (uint16_t)seat->warp,
                                          .tag = (uint16_t)seat->tag,
                                          .mask = seat->mask,
                                          .dst_valid = seat->dst_valid,
                                          .dst = (uint16_t)seat->dst};
        u->src_valid_q = u->fill_q = u->ready_q = e->zero_q[c] = 0;
        for (uint32_t k = 0; k < s->cfg.slots; k++) {
            const slow_source *source = &seat->source[k];
            const uint8_t me = (uint8_t)(1u << k);
            if (source->state != ABSENT) u->src_valid_q |= me;
            if (source->state == COMING) u->fill_q |= me;
            if (source->state == BROUGHT) u->ready_q |= me;
            if (source->zero) e->zero_q[c] |= me;
            u->src_q[k] = (uint8_t)source->reg;
            u->bank_q[k] = (uint8_t)(source->preg % s->cfg.banks), u->row_q[k] = (uint16_t)(source->preg / s->cfg.banks);
            memcpy(u->data_q[k].lane, source->word, sizeof source->word);
        }
        e->info_q[c] = seat->info;
    }
    for (uint32_t p = 0; p < s->cfg.exports; p++) e->dispatch.rr[p].mask_q = judge_above(s->last[p], s->cfg.collectors);
}

#endif
