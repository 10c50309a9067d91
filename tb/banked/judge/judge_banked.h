/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model of the whole operand stage that judges rf_banked, and its comparer: judge_stage.h and an arbiter. */
#ifndef RF_JUDGE_BANKED_H
#define RF_JUDGE_BANKED_H

#include "tb/banked/judge/judge_stage.h"

/* A chosen warp issues when its group is given a collector. */
static inline void issue(const slow_stage *s, slow_cycle *now) {
    select_warps(s, now);
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        now->turn[g] = now->given[g] != NONE;
        if (now->turn[g]) now->goes[g] = now->chosen[g];
    }
}

static inline void arbitrate(const slow_stage *s, slow_cycle *now) {
    const rf_banked_cfg *cfg = &s->cfg;
    for (uint32_t b = 0; b < cfg->banks; b++) {
        now->reader[b] = now->reader_slot[b] = now->writer[b] = NONE;
        for (uint32_t turn = 1; turn <= cfg->exports && now->writer[b] == NONE; turn++) {
            const uint32_t e = (s->last_writer[b] + turn) % cfg->exports;
            if (s->queue[e].length > 0 && s->queue[e].waiting[0].bank == b) now->writer[b] = e;
        }
        if (now->writer[b] != NONE) now->write[now->writer[b]] = true;
        if (now->writer[b] != NONE && cfg->ports == 1) continue;
        for (uint32_t turn = 1; turn <= cfg->collectors && now->reader[b] == NONE; turn++) {
            const uint32_t c = (s->last_reader[b] + turn) % cfg->collectors;
            for (uint32_t k = 0; k < cfg->slots && now->reader[b] == NONE; k++)
                if (now->asks[c][k] && s->collector[c].slot[k].bank == b) now->reader[b] = c, now->reader_slot[b] = k;
        }
        if (now->reader[b] != NONE) now->read[now->reader[b]][now->reader_slot[b]] = true;
    }
}

static inline void slow_comb(const slow_stage *s, const rf_banked_in *in, slow_cycle *now) {
    memset(now, 0, sizeof *now);
    find_hazards(s, &in->stage, now);
    issue(s, now);
    find_requests(s, now);
    arbitrate(s, now);
    dispatch(s, &in->stage, now);
}

static inline void slow_clock(slow_stage *s, const rf_banked_in *in, const slow_cycle *now) {
    const rf_banked_cfg *cfg = &s->cfg;
    clock_schedulers(s, &in->stage, now);
    for (uint32_t b = 0; b < cfg->banks; b++) {
        if (now->writer[b] != NONE) s->last_writer[b] = now->writer[b];
        if (now->reader[b] == NONE) continue;
        const slow_collector *c = &s->collector[now->reader[b]];
        read_cell(s, b, c->slot[now->reader_slot[b]].row, s->last_read[b]);
        s->last_reader[b] = now->reader[b];
    }
    for (uint32_t c = 0; c < cfg->collectors; c++) clock_collector(s, &in->stage, now, c);
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const slow_result *r = &s->queue[e].waiting[0];
        if (!now->write[e]) continue;
        for (uint32_t lane = 0; lane < cfg->lanes; lane++)
            if (judge_bit(r->mask, lane)) s->reg[r->warp][r->reg][lane] = r->data[lane];
        write_cell(s, r->bank, r->row, r->mask, r->data);
    }
    clock_scoreboard(s, now);
    clock_dispatch(s, &in->stage, now);
    for (uint32_t e = 0; e < cfg->exports; e++) clock_queue(s, &in->stage, now, e);
}

static inline void compare_wires(judge *j, const slow_stage *s, const slow_cycle *now, const rf_banked_wires *w) {
    const rf_banked_cfg *cfg = &s->cfg;
    bool asks[64] = {false}, read[64] = {false}, waits[8] = {false}, re[32] = {false}, we[32] = {false};
    compare_stage_wires(j, s, now, w->ready, w->hazard, w->chosen, &w->alloc, w->busy, w->collected, &w->dispatch);
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        for (uint32_t k = 0; k < cfg->slots; k++) {
            const uint32_t r = c * cfg->slots + k;
            asks[r] = now->asks[c][k];
            read[r] = now->read[c][k];
            if (!asks[r]) continue; /* no port: a request that is not made has no bank */
            judge_equal(j, "arbiter_in.rd_bank", r, w->arbiter_in.rd_bank[r], s->collector[c].slot[k].bank);
            judge_equal(j, "arbiter_in.rd_row", r, w->arbiter_in.rd_row[r], s->collector[c].slot[k].row);
        }
    }
    for (uint32_t e = 0; e < cfg->exports; e++) {
        waits[e] = s->queue[e].length > 0;
        if (!waits[e]) continue;
        judge_equal(j, "arbiter_in.wr_bank", e, w->arbiter_in.wr_bank[e], s->queue[e].waiting[0].bank);
        judge_equal(j, "arbiter_in.wr_row", e, w->arbiter_in.wr_row[e], s->queue[e].waiting[0].row);
    }
    for (uint32_t b = 0; b < cfg->banks; b++) {
        re[b] = now->reader[b] != NONE;
        we[b] = now->writer[b] != NONE;
        judge_equal(j, "arbiter.bank_raddr", b, w->arbiter.bank_raddr[b],
                    re[b] ? s->collector[now->reader[b]].slot[now->reader_slot[b]].row : 0);
        judge_equal(j, "arbiter.bank_waddr", b, w->arbiter.bank_waddr[b], we[b] ? s->queue[now->writer[b]].waiting[0].row : 0);
        judge_equal(j, "arbiter.bank_wsel", b, w->arbiter.bank_wsel[b], we[b] ? now->writer[b] : 0);
    }
    judge_equal(j, "arbiter_in.rd_valid", 0, w->arbiter_in.rd_valid, judge_pack(asks, cfg->collectors * cfg->slots));
    judge_equal(j, "arbiter_in.wr_valid", 0, w->arbiter_in.wr_valid, judge_pack(waits, cfg->exports));
    judge_equal(j, "arbiter.rd_grant", 0, w->arbiter.rd_grant, judge_pack(read, cfg->collectors * cfg->slots));
    judge_equal(j, "arbiter.wr_grant", 0, w->arbiter.wr_grant, judge_pack(now->write, cfg->exports));
    judge_equal(j, "arbiter.bank_re", 0, w->arbiter.bank_re, judge_pack(re, cfg->banks));
    judge_equal(j, "arbiter.bank_we", 0, w->arbiter.bank_we, judge_pack(we, cfg->banks));
}

/* Every register but the contents of the banks. */
static inline void compare_state(judge *j, const slow_stage *s, const rf_banked *m) {
    compare_stage(j, s, m);
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        judge_equal(j, "arbiter.rd_rr.mask_q", b, m->arbiter.rd_rr[b].mask_q, judge_above(s->last_reader[b], s->cfg.collectors));
        judge_equal(j, "arbiter.wr_rr.mask_q", b, m->arbiter.wr_rr[b].mask_q, judge_above(s->last_writer[b], s->cfg.exports));
    }
}

/* Every register is where the map says; holds as long as no result names a warp or register out of range. */
static inline void compare_registers(judge *j, const slow_stage *s, const rf_banked *m) {
    for (uint32_t w = 0; w < s->cfg.warps; w++)
        for (uint32_t r = 0; r < s->cfg.regs; r++)
            judge_words(j, "register", w * 256 + r, m->bank[bank_of(&s->cfg, w, r)].mem_q[row_of(&s->cfg, w, r)].lane,
                        s->reg[w][r], 32);
}

#endif
