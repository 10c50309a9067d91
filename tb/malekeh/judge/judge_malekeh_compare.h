/* SPDX-License-Identifier: Apache-2.0 */
/* The comparer of rf_malekeh's judge: every output, every wire and every register. */
#ifndef RF_JUDGE_MALEKEH_COMPARE_H
#define RF_JUDGE_MALEKEH_COMPARE_H

#include "tb/malekeh/judge/judge_malekeh.h"

static inline void compare_malekeh_out(judge *j, const slow_malekeh *s, const slow_turn *now, const rf_malekeh_out *out) {
    bool near[8] = {false};
    compare_out(j, &s->stage, &now->stage, &out->stage);
    for (uint32_t e = 0; e < s->cfg.exports; e++)
        near[e] = now->stage.offered[e] != NONE && s->cache[now->stage.offered[e]].dst_near;
    judge_equal(j, "ex_dst_near", 0, out->ex_dst_near, judge_pack(near, s->cfg.exports));
}

static inline void compare_allocator(judge *j, const slow_malekeh *s, const slow_turn *now, const rf_malekeh_wires *w) {
    const rf_malekeh_cfg *cfg = &s->cfg;
    bool busy[16] = {false}, owned[16] = {false}, near[16] = {false}, asks[4] = {false};
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        busy[c] = s->stage.collector[c].busy;
        owned[c] = s->cache[c].owned;
        near[c] = holds(s, c, true) > 0;
        if (owned[c]) judge_equal(j, "alloc_in.warp", c, w->alloc_in.warp[c], s->stage.collector[c].carried.warp);
    }
    for (uint32_t g = 0; g < cfg->issues; g++) {
        asks[g] = now->stage.chosen[g] != NONE;
        if (!asks[g]) continue;
        judge_equal(j, "warp", g, w->warp[g], now->stage.chosen[g]);
        judge_equal(j, "alloc_in.req_warp", g, w->alloc_in.req_warp[g], now->stage.chosen[g]);
    }
    judge_equal(j, "alloc_in.busy", 0, w->alloc_in.busy, judge_pack(busy, cfg->collectors));
    judge_equal(j, "alloc_in.owned", 0, w->alloc_in.owned, judge_pack(owned, cfg->collectors));
    judge_equal(j, "alloc_in.near", 0, w->alloc_in.near, judge_pack(near, cfg->collectors));
    judge_equal(j, "alloc_in.req", 0, w->alloc_in.req, judge_pack(asks, cfg->issues));
    judge_equal(j, "alloc_in.sthld", 0, w->alloc_in.sthld, cfg->adapt ? s->sthld : cfg->sthld);
    judge_equal(j, "alloc.wait", 0, w->alloc.wait, judge_pack(now->waits, cfg->issues));
    judge_equal(j, "alloc.replace", 0, w->alloc.replace, judge_pack(now->replaced, cfg->collectors));
}

static inline void compare_malekeh_wires(judge *j, const slow_malekeh *s, const slow_turn *now, const rf_malekeh_wires *w) {
    const rf_malekeh_cfg *cfg = &s->cfg;
    static rf_banked_wires plain;
    bool on_d[16] = {false};
    plain = (rf_banked_wires){.ready = w->ready,
                              .hazard = w->hazard,
                              .chosen = w->chosen,
                              .busy = w->busy,
                              .collected = w->collected,
                              .arbiter_in = w->arbiter_in,
                              .arbiter = w->arbiter,
                              .dispatch = w->dispatch,
                              .alloc = {.grant = w->alloc.grant, .alloc = w->alloc.alloc}};
    memcpy(plain.alloc.sel, w->alloc.sel, sizeof plain.alloc.sel);
    memcpy(plain.alloc.which, w->alloc.which, sizeof plain.alloc.which);
    compare_wires(j, &s->stage, &now->stage, &plain);
    compare_allocator(j, s, now, w);
    judge_equal(j, "own_busy", 0, w->own_busy, judge_pack(now->own_busy, cfg->warps));
    judge_equal(j, "held", 0, w->held, judge_pack(now->held, cfg->warps));
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        on_d[c] = now->on_d[c] != NONE;
        judge_equal(j, "hit", c, w->hit[c], judge_pack(now->hit[c], cfg->slots));
        judge_equal(j, "d_sel", c, w->d_sel[c], on_d[c] ? now->on_d[c] : 0);
    }
    judge_equal(j, "d_valid", 0, w->d_valid, judge_pack(on_d, cfg->collectors));
}

/* How many entries were used after this one. */
static inline uint32_t rank_of(const slow_malekeh *s, uint32_t c, uint32_t which) {
    uint32_t rank = 0;
    for (uint32_t i = 0; i < s->cfg.entries; i++) rank += s->cache[c].entry[i].used > s->cache[c].entry[which].used;
    return rank;
}

static inline void compare_table(judge *j, const slow_malekeh *s, const rf_ccu *m, uint32_t c) {
    bool valid[8] = {false}, lock[8] = {false}, near[8] = {false};
    for (uint32_t i = 0; i < s->cfg.entries; i++) {
        const slow_entry *entry = &s->cache[c].entry[i];
        const uint32_t at = c * RF_CCU_ENTRIES_MAX + i;
        valid[i] = entry->valid;
        lock[i] = entry->lock;
        near[i] = entry->near;
        judge_equal(j, "ccu.ct_tag_q", at, m->ct_tag_q[i], entry->tag);
        judge_equal(j, "ccu.ct_lru_q", at, m->ct_lru_q[i], rank_of(s, c, i));
        judge_words(j, "ccu.ct_data_q", at, m->ct_data_q[i].lane, entry->data, 32);
    }
    judge_equal(j, "ccu.ct_valid_q", c, m->ct_valid_q, judge_pack(valid, s->cfg.entries));
    judge_equal(j, "ccu.ct_lock_q", c, m->ct_lock_q, judge_pack(lock, s->cfg.entries));
    judge_equal(j, "ccu.ct_near_q", c, m->ct_near_q, judge_pack(near, s->cfg.entries));
}

static inline void compare_ccu(judge *j, const slow_malekeh *s, const rf_ccu *m, uint32_t i) {
    const slow_collector *c = &s->stage.collector[i];
    bool valid[8] = {false}, arriving[8] = {false}, here[8] = {false};
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        const uint32_t at = i * RF_SLOTS_MAX + k;
        valid[k] = c->slot[k].state != EMPTY;
        arriving[k] = c->slot[k].state == ARRIVING;
        here[k] = c->slot[k].state == HERE;
        judge_equal(j, "ccu.oct_index_q", at, m->oct_index_q[k], s->cache[i].index[k]);
        judge_equal(j, "ccu.bank_q", at, m->bank_q[k], c->slot[k].bank);
        judge_equal(j, "ccu.row_q", at, m->row_q[k], c->slot[k].row);
    }
    judge_equal(j, "ccu.oct_valid_q", i, m->oct_valid_q, judge_pack(valid, s->cfg.slots));
    judge_equal(j, "ccu.oct_ready_q", i, m->oct_ready_q, judge_pack(here, s->cfg.slots));
    judge_equal(j, "ccu.fill_q", i, m->fill_q, judge_pack(arriving, s->cfg.slots));
    judge_equal(j, "ccu.busy_q", i, m->busy_q, c->busy);
    judge_equal(j, "ccu.owned_q", i, m->owned_q, s->cache[i].owned);
    judge_equal(j, "ccu.port_q", i, m->port_q, c->port);
    judge_carried(j, i, &m->carried_q, &c->carried);
    judge_equal(j, "ccu.dst_near_q", i, m->dst_near_q, s->cache[i].dst_near);
    judge_equal(j, "ccu.window_q", i, m->window_q, (uint64_t)s->cache[i].owed[0].is | (uint64_t)s->cache[i].owed[1].is << 1);
    judge_equal(j, "ccu.before_q", i, m->before_q, s->cache[i].owed[1].reg);
    compare_table(j, s, m, i);
}

/* Ages in SCHED 3: all that launched before. */
static inline void compare_ages(judge *j, const slow_malekeh *s, const rf_malekeh *m) {
    const uint32_t issues = s->cfg.issues, warps = s->cfg.warps / issues;
    for (uint32_t g = 0; g < issues; g++)
        for (uint32_t k = 0; k < warps; k++) {
            bool older[64] = {false};
            for (uint32_t other = 0; other < warps; other++)
                older[other] = s->stage.launched[other * issues + g] < s->stage.launched[k * issues + g];
            judge_equal(j, "oldest.older_q", k * issues + g, m->oldest[g].older_q[k], judge_pack(older, warps));
        }
}

/* Every register but the contents of the banks. */
static inline void compare_malekeh_state(judge *j, const slow_malekeh *s, const rf_malekeh *m) {
    const rf_malekeh_cfg *cfg = &s->cfg;
    if (cfg->sched == 3) compare_ages(j, s, m);
    else compare_schedulers(j, &s->stage, m->stage.gto, m->stage.lrr, m->stage.groups);
    for (uint32_t c = 0; c < cfg->collectors; c++) compare_ccu(j, s, &m->ccu[c], c);
    compare_queues(j, &s->stage, &m->stage);
    compare_scoreboard(j, &s->stage, &m->stage.scoreboard);
    for (uint32_t b = 0; b < cfg->banks; b++) {
        const rf_arbiter *arbiter = &m->stage.arbiter;
        judge_words(j, "bank.rdata_q", b, m->stage.bank[b].rdata_q.lane, s->stage.last_read[b], 32);
        judge_equal(j, "arbiter.rd_rr.mask_q", b, arbiter->rd_rr[b].mask_q,
                    judge_above(s->stage.last_reader[b], cfg->collectors));
        judge_equal(j, "arbiter.wr_rr.mask_q", b, arbiter->wr_rr[b].mask_q, judge_above(s->stage.last_writer[b], cfg->exports));
    }
    for (uint32_t e = 0; e < cfg->exports; e++) {
        judge_equal(j, "dispatch.rr.mask_q", e, m->stage.dispatch.rr[e].mask_q,
                    judge_above(s->stage.last_dispatch[e], cfg->collectors));
        for (uint32_t i = 0; i < cfg->wbdepth; i++)
            judge_equal(j, "wbq.note_q", e * cfg->wbdepth + i, m->stage.wbq[e].note_q[i], s->near_stored[e][i]);
    }
    judge_equal(j, "alloc.count_q", 0, m->alloc.count_q, s->waited);
    judge_equal(j, "alloc.mask_q", 0, m->alloc.mask_q, judge_above(s->last_replaced, cfg->collectors));
    judge_equal(j, "lfsr.value_q", 0, m->lfsr.value_q, judge_pack(s->random, 16));
    if (cfg->adapt == 0) return;
    judge_equal(j, "sthld.state_q", 0, m->sthld.state_q, s->state);
    judge_equal(j, "sthld.sthld_q", 0, m->sthld.sthld_q, s->sthld);
    judge_equal(j, "sthld.cycle_q", 0, m->sthld.cycle_q, s->cycles);
    judge_equal(j, "sthld.count_q", 0, m->sthld.count_q, s->issued);
    judge_equal(j, "sthld.prev_q", 0, m->sthld.prev_q, s->issued_before);
}

/* The header's property, on the model alone: a valid entry that no slot still waits for is the register in the banks. Holds as
 * long as no result comes but those that are owed. */
static inline void compare_cached(judge *j, const slow_malekeh *s, const rf_malekeh *m) {
    for (uint32_t c = 0; c < s->cfg.collectors; c++) {
        const rf_ccu *u = &m->ccu[c];
        for (uint32_t i = 0; i < s->cfg.entries; i++) {
            bool filled = true;
            for (uint32_t k = 0; k < s->cfg.slots; k++)
                if (judge_bit(u->oct_valid_q & ~u->oct_ready_q, k) && u->oct_index_q[k] == i) filled = false;
            if (!judge_bit(u->ct_valid_q, i) || !filled) continue;
            const uint32_t w = u->carried_q.warp, reg = u->ct_tag_q[i];
            judge_words(j, "cached register", c * RF_CCU_ENTRIES_MAX + i, u->ct_data_q[i].lane,
                        m->stage.bank[bank_of(&s->stage.cfg, w, reg)].mem_q[row_of(&s->stage.cfg, w, reg)].lane, 32);
        }
    }
}

/* No two CCUs are one warp's, no two valid entries of one are one register's, and who holds something is owned. */
static inline void compare_owners(judge *j, const slow_malekeh *s, const rf_malekeh *m) {
    for (uint32_t c = 0; c < s->cfg.collectors; c++) {
        const rf_ccu *u = &m->ccu[c];
        for (uint32_t low = 0; low < c && u->owned_q; low++)
            judge_equal(j, "owners of a warp", c, m->ccu[low].owned_q && m->ccu[low].carried_q.warp == u->carried_q.warp, 0);
        if (!u->owned_q) judge_equal(j, "values of nobody", c, u->ct_valid_q, 0);
        for (uint32_t i = 0; i < s->cfg.entries; i++)
            for (uint32_t low = 0; low < i; low++)
                if (judge_bit(u->ct_valid_q, i) && judge_bit(u->ct_valid_q, low))
                    judge_equal(j, "entries of a register", c * RF_CCU_ENTRIES_MAX + i, u->ct_tag_q[i] == u->ct_tag_q[low], 0);
    }
}

#endif
