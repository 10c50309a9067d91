/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model of rf_levels, by the sentences of its contract, and its comparer. */
#ifndef RF_SLOW_LEVELS_H
#define RF_SLOW_LEVELS_H

#include "tb/hierarchy/judge/slow_files.h"

typedef struct slow_levels {
    rf_levels_cfg cfg;
    slow_cache cache[RF_ACTIVE_MAX]; /* by slot: by hardware ... */
    slow_names names[RF_ACTIVE_MAX]; /* ... by software */
    uint32_t last_turn;              /* queue */
} slow_levels;

/* What happens in one cycle. */
typedef struct slow_way {
    bool hit[RF_SLOTS_MAX], hit_l0[RF_SLOTS_MAX]; /* by source */
    uint32_t data[RF_SLOTS_MAX][RF_LANES_MAX];
    uint32_t reads;                /* of an instruction that issues: sources that hit */
    uint32_t slot[RF_EXPORTS_MAX]; /* by queue: of the head's warp, ABSENT without one */
    bool offers[RF_EXPORTS_MAX];   /* to be offered */
    uint32_t offered;              /* queue */
    slow_sent sends;               /* hardware: what its file sends for it */
    bool waits_for_port;           /* ... an entry, which cannot be read in this cycle */
    uint32_t flushes;              /* slot */
    bool flush_goes;               /* it may be read in this cycle */
    slow_sent ask[RF_EXPORTS_MAX]; /* by writer */
    bool done[RF_EXPORTS_MAX];     /* by writer: with the grants */
} slow_way;

static inline bool by_software(const slow_levels *s) { return s->cfg.managed == 1; }

static inline void levels_reset(slow_levels *s) {
    memset(s->names, 0, sizeof s->names);
    for (uint32_t a = 0; a < RF_ACTIVE_MAX; a++) cache_reset(&s->cfg, &s->cache[a]);
    s->last_turn = s->cfg.exports - 1;
}

static inline uint32_t slot_of_warp(const slow_levels *s, const rf_levels_in *in, uint32_t warp) {
    for (uint32_t a = 0; a < s->cfg.active; a++)
        if (judge_bit(in->held, a) && in->slot_warp[a] == warp) return a;
    return ABSENT;
}

/* Whether an instruction of slot a issues. */
static inline bool reads_slot(const rf_levels_in *in, uint32_t a) { return in->read && in->rd_slot == a; }

static inline void look_up(const slow_levels *s, const rf_levels_in *in, slow_way *now) {
    const uint32_t a = in->rd_slot;
    for (uint32_t k = 0; k < s->cfg.slots && a < s->cfg.active; k++) {
        if (!judge_bit(in->rd_valid, k)) continue;
        if (by_software(s)) {
            const uint32_t name = in->rd_from[k] & RF_NOTE_NAME;
            if ((in->rd_from[k] & RF_NOTE_UPPER) == 0) continue;
            now->hit_l0[k] = name_is_l0(name);
            for (uint32_t l = 0; l < s->cfg.lanes; l++)
                now->data[k][l] = name_read(&s->cfg, &s->names[a], k, name, in->shared != 0, l);
        } else {
            const uint32_t i = cache_find(&s->cache[a], in->rd_reg[k]);
            if (i == ABSENT) continue;
            now->hit_l0[k] = i == TOP;
            lanes_copy(now->data[k], s->cache[a].at[i].lane, UINT32_MAX);
        }
        now->hit[k] = true;
        now->reads += in->read || flaw == UNREAD_TAKES_PORT;
    }
}

/* The slot's file as the sources of this cycle leave it. */
static inline slow_cache cache_after_reads(const slow_levels *s, const rf_levels_in *in, uint32_t a) {
    slow_cache c = s->cache[a];
    if (reads_slot(in, a)) cache_read(&s->cfg, &c, in);
    return c;
}

static inline slow_sent write_head(const slow_levels *s, const rf_levels_in *in, uint32_t e, uint32_t a, slow_cache *c) {
    const bool leaves = judge_bit(in->leaving, a) && flaw != LEAVING_ALLOCATES;
    const slow_result_of r = {in->wr_reg[e], in->wr_mask[e], in->wr_data[e].lane, leaves || (in->wr_note[e] & RF_NOTE_UPPER) == 0,
                              judge_bit(in->wr_note[e], 0)};
    return cache_write(&s->cfg, c, &r);
}

static inline slow_sent head_itself(const rf_levels_in *in, uint32_t e) {
    slow_sent sent = {.any = true, .warp = in->wr_warp[e], .reg = in->wr_reg[e], .mask = in->wr_mask[e]};
    lanes_copy(sent.lane, in->wr_data[e].lane, UINT32_MAX);
    return sent;
}

/* Which heads are to be offered to a file, which one is, and what the others ask for. */
static inline void offer_heads(const slow_levels *s, const rf_levels_in *in, slow_way *now) {
    now->offered = ABSENT;
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        now->slot[e] = slot_of_warp(s, in, in->wr_warp[e]);
        if (!judge_bit(in->wr_valid, e)) continue;
        now->offers[e] = now->slot[e] != ABSENT && (!by_software(s) || (in->wr_note[e] & RF_NOTE_UPPER) != 0);
        if (!now->offers[e] && flaw != SLOTLESS_WAITS) now->ask[e] = head_itself(in, e);
    }
    if (by_software(s) && in->keep && flaw != KEEP_BESIDE_RESULT) return;
    const uint32_t e = judge_walk(flaw == LOWEST_FIRST ? s->cfg.exports - 1 : s->last_turn, now->offers, s->cfg.exports);
    now->offered = e < s->cfg.exports ? e : ABSENT;
    for (uint32_t other = 0; other < s->cfg.exports; other++)
        if (now->offers[other] && other != e && flaw == OTHERS_ASK) now->ask[other] = head_itself(in, other);
}

/* The way of the head that is offered. */
static inline void way_of_head(const slow_levels *s, const rf_levels_in *in, slow_way *now) {
    const uint32_t e = now->offered;
    if (e == ABSENT) return;
    if (by_software(s)) {
        if ((in->wr_note[e] & RF_NOTE_MRF) != 0 && flaw != NAMED_ONLY) now->ask[e] = head_itself(in, e);
        return;
    }
    slow_cache c = cache_after_reads(s, in, now->slot[e]);
    if (flaw == WRITE_BEFORE_READ) c = s->cache[now->slot[e]];
    now->sends = write_head(s, in, e, now->slot[e], &c);
    now->sends.warp = now->sends.any ? in->wr_warp[e] : 0;
    if (now->sends.any && flaw == ENTRY_TAKES_QUEUE_REG) now->sends.reg = in->wr_reg[e];
    const bool port = now->reads < s->cfg.slots || flaw == ENTRY_NEEDS_NO_PORT;
    now->waits_for_port = now->sends.any && (now->sends.entry || flaw == RESULT_NEEDS_PORT) && !port;
    if (!now->waits_for_port) now->ask[e] = now->sends;
}

static inline void way_of_flush(const slow_levels *s, const rf_levels_in *in, slow_way *now) {
    now->flushes = ABSENT;
    if (by_software(s)) return;
    for (uint32_t n = 0; n < s->cfg.active; n++) {
        const uint32_t a = flaw == FLUSH_HIGHEST ? s->cfg.active - 1 - n : n;
        if (!judge_bit(in->leaving & in->held, a) || (!cache_holds(&s->cache[a]) && flaw != FLUSH_EMPTY_SLOT)) continue;
        const bool has_result = now->offered != ABSENT && now->slot[now->offered] == a;
        if (has_result && flaw != FLUSH_LOWEST_ONLY) continue;
        if (!has_result) now->flushes = a;
        break;
    }
    if (now->flushes == ABSENT) return;
    slow_cache c = cache_after_reads(s, in, now->flushes);
    slow_sent sent = cache_flush(&s->cfg, &c);
    const bool entry = now->sends.entry && flaw != FLUSH_SHARES_PORT;
    now->flush_goes = !sent.any || now->reads + entry < s->cfg.slots || flaw == FLUSH_NEEDS_NO_PORT;
    if (!now->flush_goes || !sent.any) return;
    now->ask[s->cfg.exports] = sent;
    now->ask[s->cfg.exports].warp = in->slot_warp[now->flushes];
}

/* What is done: what asks and is granted, and what need not ask. */
static inline void grant_ways(const slow_levels *s, const rf_levels_in *in, slow_way *now) {
    for (uint32_t e = 0; e <= s->cfg.exports; e++) {
        bool free = false;
        if (e == now->offered) free = !now->waits_for_port;
        if (e == s->cfg.exports) free = now->flushes != ABSENT && now->flush_goes;
        now->done[e] = now->ask[e].any ? judge_bit(in->grant, e) : free;
    }
}

static inline void levels_comb(const slow_levels *s, const rf_levels_in *in, slow_way *now) {
    memset(now, 0, sizeof *now);
    look_up(s, in, now);
    offer_heads(s, in, now);
    way_of_head(s, in, now);
    way_of_flush(s, in, now);
    grant_ways(s, in, now);
}

/* The lowest source of the MRF that is to be kept. */
static inline uint32_t kept_source(const slow_levels *s, uint32_t rd_valid, const uint8_t *from) {
    uint32_t kept = ABSENT;
    for (uint32_t k = 0; k < s->cfg.slots; k++)
        if (judge_bit(rd_valid, k) && (from[k] & RF_NOTE_KEEP) != 0 && (from[k] & RF_NOTE_UPPER) == 0 &&
            (kept == ABSENT || flaw == KEEP_HIGHEST))
            kept = k;
    return kept;
}

static inline void clock_names(slow_levels *s, const rf_levels_in *in, const slow_way *now, uint32_t a) {
    slow_names *n = &s->names[a];
    const uint32_t e = now->offered, kept = kept_source(s, in->rd_valid, in->rd_from);
    const bool clears = (judge_bit(in->enter, a) && flaw != ENTER_CLEARS_NOT) || (reads_slot(in, a) && in->ends);
    if (flaw == SET_FIRST && reads_slot(in, a) && in->dst_valid && (in->to & RF_NOTE_UPPER) != 0)
        name_set(&s->cfg, n, in->to & RF_NOTE_NAME);
    if (clears && flaw != CLEAR_LAST) names_clear(n);
    if (in->keep && slot_of_warp(s, in, in->keep_warp) == a)
        name_write(&s->cfg, n, in->keep_name, in->keep_mask, in->keep_data.lane, in->keep_shared != 0);
    if (e != ABSENT && now->slot[e] == a && (now->done[e] || flaw == NAME_BEFORE_GRANT))
        name_write(&s->cfg, n, in->wr_note[e] & RF_NOTE_NAME, in->wr_mask[e], in->wr_data[e].lane,
                   (in->wr_note[e] & RF_NOTE_SHARED) != 0);
    if (clears && flaw == CLEAR_LAST) names_clear(n);
    if (!reads_slot(in, a)) return;
    if (in->dst_valid && (in->to & RF_NOTE_UPPER) != 0 && flaw != SET_FIRST) name_set(&s->cfg, n, in->to & RF_NOTE_NAME);
    if (kept != ABSENT && flaw != KEPT_NOT_PENDING) name_set(&s->cfg, n, in->rd_from[kept] & RF_NOTE_NAME);
}

static inline void clock_cache(slow_levels *s, const rf_levels_in *in, const slow_way *now, uint32_t a) {
    const uint32_t e = now->offered;
    s->cache[a] = cache_after_reads(s, in, a);
    if (e != ABSENT && now->slot[e] == a && now->done[e]) (void)write_head(s, in, e, a, &s->cache[a]);
    if (now->flushes == a && now->done[s->cfg.exports]) (void)cache_flush(&s->cfg, &s->cache[a]);
}

static inline void levels_clock(slow_levels *s, const rf_levels_in *in, const slow_way *now) {
    for (uint32_t a = 0; a < s->cfg.active; a++) {
        if (by_software(s)) clock_names(s, in, now, a);
        else clock_cache(s, in, now, a);
    }
    if (now->offered != ABSENT && (now->done[now->offered] || flaw == TURN_AT_OFFER)) s->last_turn = now->offered;
}

static inline bool slot_holds(const slow_levels *s, uint32_t a) {
    if (flaw == HOLD_NEVER) return false;
    return by_software(s) ? names_pend(&s->names[a]) : cache_holds(&s->cache[a]);
}

static inline uint32_t slot_pends(const slow_levels *s, uint32_t a) {
    bool pend[RF_LEVEL_NAMES] = {false};
    for (uint32_t name = 0; name < RF_LEVEL_NAMES; name++) pend[name] = by_software(s) && s->names[a].of[name].pending;
    return (uint32_t)judge_pack(pend, RF_LEVEL_NAMES);
}

static inline void compare_levels_out(judge *j, const slow_levels *s, const slow_way *now, const rf_levels_out *out) {
    const uint32_t exports = s->cfg.exports;
    bool hold[RF_ACTIVE_MAX] = {false}, ask[RF_EXPORTS_MAX] = {false}, offer[RF_EXPORTS_MAX] = {false};
    for (uint32_t k = 0; k < s->cfg.slots; k++) judge_words(j, "hit_data", k, out->hit_data[k].lane, now->data[k], RF_LANES_MAX);
    for (uint32_t a = 0; a < s->cfg.active; a++) {
        hold[a] = slot_holds(s, a);
        judge_equal(j, "pend", a, out->pend[a], slot_pends(s, a));
    }
    for (uint32_t e = 0; e <= exports; e++) {
        const slow_sent *sent = &now->ask[e];
        ask[e] = sent->any;
        offer[e] = e == now->offered;
        judge_equal(j, "ask_warp", e, out->ask_warp[e], sent->any ? sent->warp : 0);
        judge_equal(j, "ask_reg", e, out->ask_reg[e], sent->any ? sent->reg : 0);
        judge_equal(j, "ask_mask", e, out->ask_mask[e], sent->any ? sent->mask : 0);
        judge_words(j, "ask_data", e, out->ask_data[e].lane, sent->lane, RF_LANES_MAX);
    }
    judge_equal(j, "hit", 0, out->hit, judge_pack(now->hit, RF_SLOTS_MAX));
    judge_equal(j, "hit_l0", 0, out->hit_l0, judge_pack(now->hit_l0, RF_SLOTS_MAX));
    judge_equal(j, "hold", 0, out->hold, judge_pack(hold, s->cfg.active));
    judge_equal(j, "ask", 0, out->ask, judge_pack(ask, exports + 1));
    judge_equal(j, "done", 0, out->done, judge_pack(now->done, exports));
    judge_equal(j, "offers", 0, out->offers, judge_pack(now->offers, exports));
    judge_equal(j, "offer", 0, out->offer, judge_pack(offer, exports));
    judge_equal(j, "evicts", 0, out->evicts, now->sends.entry);
}

static inline void compare_cache(judge *j, const slow_levels *s, const rf_rfc *m, uint32_t a) {
    const slow_cache *c = &s->cache[a];
    bool there[TOP] = {false}, dead[TOP] = {false};
    for (uint32_t i = 0; i < s->cfg.entries; i++) {
        uint32_t newer = 0;
        for (uint32_t other = 0; other < s->cfg.entries; other++) newer += c->at[other].used > c->at[i].used;
        there[i] = c->at[i].there;
        dead[i] = c->at[i].dead;
        judge_equal(j, "rfc.reg_q", 16 * a + i, m->reg_q[i], c->at[i].reg);
        judge_equal(j, "rfc.rank_q", 16 * a + i, m->rank_q[i], newer);
        judge_words(j, "rfc.data_q", 16 * a + i, m->data_q[i].lane, c->at[i].lane, RF_LANES_MAX);
    }
    judge_equal(j, "rfc.valid_q", a, m->valid_q, judge_pack(there, TOP));
    judge_equal(j, "rfc.dead_q", a, m->dead_q, judge_pack(dead, TOP));
    judge_equal(j, "rfc.l0_valid_q", a, m->l0_valid_q, c->at[TOP].there);
    judge_equal(j, "rfc.l0_dead_q", a, m->l0_dead_q, c->at[TOP].dead);
    judge_equal(j, "rfc.l0_reg_q", a, m->l0_reg_q, c->at[TOP].reg);
    judge_words(j, "rfc.l0_data_q", a, m->l0_data_q.lane, c->at[TOP].lane, RF_LANES_MAX);
}

/* The registers are by place: the names that exist, in their order. */
static inline void compare_names(judge *j, const slow_levels *s, const rf_orf *m, uint32_t a) {
    bool pending[RF_LEVEL_NAMES] = {false};
    uint32_t place = 0;
    for (uint32_t name = 0; name < RF_LEVEL_NAMES; name++) {
        const slow_name *n = &s->names[a].of[name];
        if (!name_exists(&s->cfg, name)) continue;
        pending[place] = n->pending;
        judge_equal(j, "orf.held_q", 16 * a + place, m->held_q[place], n->held);
        judge_words(j, "orf.data_q", 16 * a + place, m->data_q[place].lane, n->lane, RF_LANES_MAX);
        place++;
    }
    judge_equal(j, "orf.pend_q", a, m->pend_q, judge_pack(pending, RF_LEVEL_NAMES));
}

static inline void compare_levels_state(judge *j, const slow_levels *s, const rf_levels *m) {
    judge_equal(j, "port.mask_q", 0, m->port.mask_q, judge_above(s->last_turn, s->cfg.exports));
    for (uint32_t a = 0; a < s->cfg.active; a++) {
        if (by_software(s)) compare_names(j, s, &m->orf[a], a);
        else compare_cache(j, s, &m->rfc[a], a);
    }
}

#endif
