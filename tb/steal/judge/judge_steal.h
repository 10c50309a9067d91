/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model of the whole operand stage with bank stealing [bank stealing IV] that judges rf_steal, and its comparer:
 * judge_stage.h, a candidate for each group, a book of lent registers, an arbiter that asks everybody. */
#ifndef RF_JUDGE_STEAL_H
#define RF_JUDGE_STEAL_H

#include "cmodel/steal/rf_steal.h"

#include "tb/banked/judge/judge_stage.h"

/* Of a bank: its register Rfree, and the register whose value that keeps. */
typedef struct slow_loan {
    bool free, lent;
    uint32_t row;                 /* of Rfree */
    uint32_t dest_bank, dest_row; /* of Rdest */
} slow_loan;

typedef struct slow_steal {
    rf_steal_cfg cfg;
    slow_stage stage;
    uint32_t candidate[4];            /* by group: warp */
    slow_loan loan[32];               /* by bank */
    uint32_t last_place, last_recall; /* banks */
    bool coming;                      /* what was recalled in the cycle before is on its bus */
    uint32_t from, bus, to_bank, to_row;
    uint32_t lost[64][256]; /* lanes of a register that hold nothing since it was lent: by warp and number */
} slow_steal;

/* What happens in one cycle beside slow_cycle; NONE where nothing does. */
typedef struct slow_theft {
    slow_cycle stage;
    bool counts[4], offers[4];               /* by group: there is a candidate and it is ready; and it has a collector */
    bool ahead_source[4][8];                 /* by group and slot: an operand of the candidate */
    bool ahead_asks[4][8], ahead_read[4][8]; /* it asks to be read ahead; it is */
    bool steals[4];                          /* by group: the candidate issues */
    bool rd_blocked[16][8], sr_blocked[4][8], wr_blocked[8];
    bool usable[32], forced_back[32];      /* by bank */
    bool wr_asks[8], stolen[8], forced[8]; /* by port */
    uint32_t place[8];                     /* by port: the bank that its head is written to */
    bool wanted[32];                       /* by bank: somebody asks for it, blocked or not */
    uint32_t thief[32], thief_slot[32];    /* by bank: the group whose candidate is read, its slot */
    uint32_t recalled, recall_bus;         /* bank, port */
    bool recall_forced;
} slow_theft;

/* The sizes of the stage without stealing. */
static inline rf_banked_cfg stage_cfg(const rf_steal_cfg *cfg) {
    return (rf_banked_cfg){.warps = cfg->warps,
                           .collectors = cfg->collectors,
                           .banks = cfg->banks,
                           .regs = cfg->regs,
                           .lanes = cfg->lanes,
                           .slots = cfg->slots,
                           .exports = cfg->exports,
                           .issues = cfg->issues,
                           .ports = 1,
                           .sched = cfg->sched,
                           .fetch = cfg->fetch,
                           .wbdepth = cfg->wbdepth};
}

/* The register in a row of a bank: false if there is none. */
static inline bool owner_of(const slow_steal *s, uint32_t bank, uint32_t row, uint32_t *warp, uint32_t *reg) {
    for (uint32_t w = 0; w < s->cfg.warps; w++)
        for (uint32_t r = 0; r < s->cfg.regs; r++)
            if (bank_of(&s->stage.cfg, w, r) == bank && row_of(&s->stage.cfg, w, r) == row) {
                *warp = w;
                *reg = r;
                return true;
            }
    return false;
}

/* As after reset; the banks keep what they hold, and that is what the registers are from here on: what was lent is gone. */
static inline void steal_reset(slow_steal *s) {
    slow_reset(&s->stage);
    memset(s->loan, 0, sizeof s->loan);
    memset(s->lost, 0, sizeof s->lost);
    for (uint32_t g = 0; g < 4; g++) s->candidate[g] = NONE;
    s->last_place = s->last_recall = s->cfg.banks - 1;
    s->coming = false;
    s->from = s->bus = s->to_bank = s->to_row = 0;
    for (uint32_t w = 0; w < s->cfg.warps; w++)
        for (uint32_t r = 0; r < s->cfg.regs; r++)
            read_cell(&s->stage, bank_of(&s->stage.cfg, w, r), row_of(&s->stage.cfg, w, r), s->stage.reg[w][r]);
}

/* The value of (bank, row) is kept elsewhere. */
static inline bool is_lent_for(const slow_steal *s, uint32_t bank, uint32_t row) {
    for (uint32_t b = 0; b < s->cfg.banks; b++)
        if (s->loan[b].lent && s->loan[b].dest_bank == bank && s->loan[b].dest_row == row) return true;
    return false;
}

static inline void find_candidates(const slow_steal *s, const rf_steal_in *in, slow_theft *now) {
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        const uint32_t w = s->candidate[g];
        now->counts[g] = w != NONE && now->stage.ready[w];
        now->offers[g] = s->cfg.reads != 0 && now->counts[g] && now->stage.given[g] != NONE;
        for (uint32_t k = 0; k < s->cfg.slots; k++)
            now->ahead_source[g][k] = now->counts[g] && in->ib_mask[w] != 0 && judge_bit(in->ib_src_valid[w], k);
    }
}

static inline uint32_t ahead_reg(const slow_steal *s, const rf_steal_in *in, uint32_t g, uint32_t k) {
    return in->ib_src[s->candidate[g] * s->cfg.slots + k];
}

static inline uint32_t ahead_bank(const slow_steal *s, const rf_steal_in *in, uint32_t g, uint32_t k) {
    return bank_of(&s->stage.cfg, s->candidate[g], ahead_reg(s, in, g, k));
}

static inline uint32_t ahead_row(const slow_steal *s, const rf_steal_in *in, uint32_t g, uint32_t k) {
    return row_of(&s->stage.cfg, s->candidate[g], ahead_reg(s, in, g, k));
}

/* The lowest slot of the candidate that names the register of slot k. */
static inline uint32_t ahead_reader(const slow_steal *s, const rf_steal_in *in, const slow_theft *now, uint32_t g, uint32_t k) {
    for (uint32_t low = 0; low < k; low++)
        if (now->ahead_source[g][low] && ahead_reg(s, in, g, low) == ahead_reg(s, in, g, k)) return low;
    return k;
}

static inline void find_dependences(const slow_steal *s, const rf_steal_in *in, slow_theft *now) {
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        const slow_loan *l = &s->loan[b];
        now->forced_back[b] = l->lent && !l->free;
        now->usable[b] = s->cfg.writes == 1 && l->free && !l->lent && !is_lent_for(s, b, l->row);
        const uint32_t warp = l->row / rows_per_warp(&s->stage.cfg);
        if (warp < s->cfg.warps && judge_bit(in->launch, warp)) now->usable[b] = false;
    }
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        const slow_loan *l = &s->loan[b];
        if (!l->lent) continue;
        for (uint32_t c = 0; c < s->cfg.collectors; c++)
            for (uint32_t k = 0; k < s->cfg.slots; k++) {
                const slow_slot *slot = &s->stage.collector[c].slot[k];
                if (!now->stage.asks[c][k] || slot->bank != l->dest_bank || slot->row != l->dest_row) continue;
                now->rd_blocked[c][k] = now->forced_back[b] = true;
            }
        for (uint32_t g = 0; g < s->cfg.issues; g++)
            for (uint32_t k = 0; k < s->cfg.slots; k++)
                if (now->ahead_source[g][k] && ahead_bank(s, in, g, k) == l->dest_bank && ahead_row(s, in, g, k) == l->dest_row)
                    now->sr_blocked[g][k] = true;
        for (uint32_t e = 0; e < s->cfg.exports; e++) {
            const slow_result *r = &s->stage.queue[e].waiting[0];
            if (s->stage.queue[e].length == 0) continue;
            const bool dest = r->bank == l->dest_bank && r->row == l->dest_row, itself = r->bank == b && r->row == l->row;
            if (dest || itself) now->wr_blocked[e] = now->forced_back[b] = true;
        }
    }
}

/* [bank stealing IV-B-2]: what is read ahead must remove a conflict of the next cycle (READS 1). */
static inline void ask_ahead(const slow_steal *s, const rf_steal_in *in, slow_theft *now) {
    for (uint32_t g = 0; g < s->cfg.issues; g++)
        for (uint32_t k = 0; k < s->cfg.slots; k++) {
            bool conflict = false;
            if (!now->offers[g] || !now->ahead_source[g][k] || ahead_reader(s, in, now, g, k) != k) continue;
            for (uint32_t og = 0; og < s->cfg.issues; og++)
                for (uint32_t ok = 0; ok < s->cfg.slots; ok++)
                    if (now->offers[og] && now->ahead_source[og][ok] && (og != g || ahead_reader(s, in, now, og, ok) != k) &&
                        ahead_bank(s, in, og, ok) == ahead_bank(s, in, g, k))
                        conflict = true;
            now->ahead_asks[g][k] = !now->sr_blocked[g][k] && (s->cfg.reads == 2 || conflict);
        }
}

/* Which banks anybody asks for, and which writers may have one in this cycle. */
static inline void find_wanted(const slow_steal *s, const rf_steal_in *in, slow_theft *now) {
    for (uint32_t c = 0; c < s->cfg.collectors; c++)
        for (uint32_t k = 0; k < s->cfg.slots; k++)
            if (now->stage.asks[c][k]) now->wanted[s->stage.collector[c].slot[k].bank] = true;
    for (uint32_t g = 0; g < s->cfg.issues; g++)
        for (uint32_t k = 0; k < s->cfg.slots; k++)
            if (now->ahead_asks[g][k]) now->wanted[ahead_bank(s, in, g, k)] = true;
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        if (s->stage.queue[e].length == 0) continue;
        now->wanted[s->stage.queue[e].waiting[0].bank] = true;
        now->wr_asks[e] = !now->wr_blocked[e] && !(s->coming && s->bus == e);
    }
}

static inline bool is_return_to(const slow_steal *s, uint32_t bank) { return s->coming && s->to_bank == bank; }

static inline void recall(const slow_steal *s, slow_theft *now) {
    const uint32_t banks = s->cfg.banks;
    bool forced[32] = {false}, voluntary[32] = {false};
    uint32_t idle = NONE;
    now->recalled = NONE;
    for (uint32_t e = s->cfg.exports; e-- > 0;)
        if (s->stage.queue[e].length == 0) idle = e;
    for (uint32_t b = 0; b < banks; b++) {
        if (!s->loan[b].lent || is_return_to(s, b)) continue;
        forced[b] = now->forced_back[b];
        voluntary[b] = !now->wanted[b] && idle != NONE;
    }
    uint32_t b = judge_walk(s->last_recall, forced, banks);
    now->recall_forced = b < banks;
    if (b == banks) b = judge_walk(s->last_recall, voluntary, banks);
    if (b == banks) return;
    now->recalled = b;
    now->recall_bus = idle != NONE ? idle : 0;
}

/* [bank stealing IV-D]: forced write > normal read > stealing read > normal write > stealing write. With yield 1 the stealing
 * read has only banks that no writer asks for. */
static inline void share_banks(const slow_steal *s, const rf_steal_in *in, slow_theft *now) {
    const uint32_t banks = s->cfg.banks;
    slow_cycle *stage = &now->stage;
    bool crowded[8] = {false}, taken[32] = {false};
    uint32_t turn[32], place = s->last_place;
    for (uint32_t b = 0; b < banks; b++) {
        stage->reader[b] = stage->writer[b] = now->thief[b] = turn[b] = NONE;
        for (uint32_t step = 1; step <= s->cfg.collectors && stage->reader[b] == NONE; step++) {
            const uint32_t c = (s->stage.last_reader[b] + step) % s->cfg.collectors;
            for (uint32_t k = 0; k < s->cfg.slots && stage->reader[b] == NONE; k++)
                if (stage->asks[c][k] && !now->rd_blocked[c][k] && s->stage.collector[c].slot[k].bank == b)
                    stage->reader[b] = c, stage->reader_slot[b] = k;
        }
        for (uint32_t g = 0; g < s->cfg.issues && stage->reader[b] == NONE; g++)
            for (uint32_t k = 0; k < s->cfg.slots && now->thief[b] == NONE; k++)
                if (now->ahead_asks[g][k] && ahead_bank(s, in, g, k) == b) now->thief[b] = g, now->thief_slot[b] = k;
        for (uint32_t step = 1; step <= s->cfg.exports && turn[b] == NONE; step++) {
            const uint32_t e = (s->stage.last_writer[b] + step) % s->cfg.exports;
            if (now->wr_asks[e] && s->stage.queue[e].waiting[0].bank == b) turn[b] = e;
        }
        if (turn[b] == NONE) continue;
        if (s->cfg.yield == 1) now->thief[b] = NONE; /* IV-B-2: no conflict in this cycle */
        if (stage->reader[b] != NONE || now->thief[b] != NONE || is_return_to(s, b) || now->recalled == b)
            crowded[turn[b]] = true;
        else stage->writer[b] = turn[b], stage->write[turn[b]] = true, now->place[turn[b]] = b;
    }
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        const slow_result *r = &s->stage.queue[e].waiting[0];
        bool fits[32] = {false};
        if (!crowded[e]) continue;
        for (uint32_t b = 0; b < banks; b++)
            fits[b] = r->mask == ls_mask(s->cfg.lanes) && now->usable[b] && !now->wanted[b] && !taken[b] && !is_return_to(s, b) &&
                      now->recalled != b;
        const uint32_t b = judge_walk(place, fits, banks);
        if (b < banks) {
            place = b;
            taken[b] = true;
            now->stolen[e] = stage->write[e] = true;
            now->place[e] = b;
            stage->writer[b] = e;
        } else if (!is_return_to(s, r->bank) && now->recalled != r->bank) {
            now->forced[e] = stage->write[e] = true;
            now->place[e] = r->bank;
            stage->writer[r->bank] = e;
        }
    }
    for (uint32_t b = 0; b < banks; b++) {
        if (is_return_to(s, b)) stage->writer[b] = s->bus;
        if (stage->writer[b] != NONE || now->recalled == b) stage->reader[b] = now->thief[b] = NONE;
        if (stage->reader[b] != NONE) stage->read[stage->reader[b]][stage->reader_slot[b]] = true;
        if (now->thief[b] != NONE) now->ahead_read[now->thief[b]][now->thief_slot[b]] = true;
    }
}

/* A candidate that is being read issues, else the warp that the scheduler selects. */
static inline void issue(const slow_steal *s, const rf_steal_in *in, slow_theft *now) {
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        for (uint32_t k = 0; k < s->cfg.slots; k++) now->steals[g] = now->steals[g] || now->ahead_read[g][k];
        if (now->stage.given[g] == NONE) continue;
        now->stage.goes[g] = now->steals[g] ? s->candidate[g] : now->stage.chosen[g];
        now->stage.turn[g] = now->stage.goes[g] == now->stage.chosen[g];
        for (uint32_t k = 0; k < s->cfg.slots; k++)
            now->stage.ahead[g][k] =
                now->steals[g] && now->ahead_source[g][k] && now->ahead_read[g][ahead_reader(s, in, now, g, k)];
    }
}

static inline void steal_comb(const slow_steal *s, const rf_steal_in *in, slow_theft *now) {
    memset(now, 0, sizeof *now);
    find_hazards(&s->stage, &in->stage, &now->stage);
    select_warps(&s->stage, &now->stage);
    find_requests(&s->stage, &now->stage);
    find_candidates(s, in, now);
    find_dependences(s, in, now);
    ask_ahead(s, in, now);
    find_wanted(s, in, now);
    recall(s, now);
    share_banks(s, in, now);
    issue(s, in, now);
    dispatch(&s->stage, &in->stage, &now->stage);
}

/* In one edge: clear and link, then launch, then what is written is free no more, then the names. */
static inline void clock_loans(slow_steal *s, const rf_steal_in *in, const slow_theft *now) {
    const rf_banked_cfg *cfg = &s->stage.cfg;
    if (now->recalled != NONE) s->loan[now->recalled].lent = false;
    for (uint32_t e = 0; e < cfg->exports; e++) {
        if (!now->stolen[e]) continue;
        slow_loan *l = &s->loan[now->place[e]];
        uint32_t warp, reg;
        l->lent = true;
        l->dest_bank = s->stage.queue[e].waiting[0].bank;
        l->dest_row = s->stage.queue[e].waiting[0].row;
        if (owner_of(s, now->place[e], l->row, &warp, &reg)) s->lost[warp][reg] = (uint32_t)ls_mask(cfg->lanes);
    }
    for (uint32_t b = 0; b < cfg->banks; b++)
        for (uint32_t w = 0; w < cfg->warps; w++)
            if (judge_bit(in->launch, w) && s->loan[b].row / rows_per_warp(cfg) == w) s->loan[b].free = false;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const uint32_t w = now->stage.goes[g];
        if (w == NONE || !judge_bit(in->ib_dst_valid, w) || in->ib_mask[w] == 0) continue;
        slow_loan *l = &s->loan[bank_of(cfg, w, in->ib_dst[w])];
        if (l->row == row_of(cfg, w, in->ib_dst[w])) l->free = false;
    }
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const uint32_t w = now->stage.goes[g];
        for (uint32_t u = 0; u < RF_FREES_MAX && w != NONE; u++) {
            if (!judge_bit(in->ib_name_valid[w], u)) continue;
            const uint32_t reg = in->ib_name[w * RF_FREES_MAX + u];
            slow_loan *l = &s->loan[bank_of(cfg, w, reg)];
            if (!l->lent) l->free = true, l->row = row_of(cfg, w, reg);
        }
    }
}

static inline void clock_candidates(slow_steal *s, const slow_theft *now) {
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        const bool ahead = now->steals[g] && s->candidate[g] != now->stage.chosen[g];
        s->candidate[g] = ahead ? now->stage.chosen[g] : now->stage.other[g];
    }
}

/* The banks read, then write. */
static inline void clock_banks(slow_steal *s, const rf_steal_in *in, const slow_theft *now) {
    slow_stage *stage = &s->stage;
    const rf_banked_cfg *cfg = &stage->cfg;
    uint32_t back[32];
    memcpy(back, stage->last_read[s->from], sizeof back);
    for (uint32_t b = 0; b < cfg->banks; b++) {
        if (now->stage.reader[b] != NONE) {
            read_cell(stage, b, stage->collector[now->stage.reader[b]].slot[now->stage.reader_slot[b]].row, stage->last_read[b]);
            stage->last_reader[b] = now->stage.reader[b];
        }
        if (now->thief[b] != NONE) read_cell(stage, b, ahead_row(s, in, now->thief[b], now->thief_slot[b]), stage->last_read[b]);
        if (now->recalled == b) read_cell(stage, b, s->loan[b].row, stage->last_read[b]);
    }
    for (uint32_t c = 0; c < cfg->collectors; c++) clock_collector(stage, &in->stage, &now->stage, c);
    if (s->coming) write_cell(stage, s->to_bank, s->to_row, UINT32_MAX, back);
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const slow_result *r = &stage->queue[e].waiting[0];
        if (!now->stage.write[e]) continue;
        for (uint32_t lane = 0; lane < cfg->lanes; lane++)
            if (judge_bit(r->mask, lane)) stage->reg[r->warp][r->reg][lane] = r->data[lane];
        if (in_range(stage, r->warp, r->reg)) s->lost[r->warp][r->reg] &= ~r->mask;
        write_cell(stage, now->place[e], now->stolen[e] ? s->loan[now->place[e]].row : r->row, r->mask, r->data);
        stage->last_writer[r->bank] = e;
        if (now->stolen[e]) s->last_place = now->place[e];
    }
}

static inline void steal_clock(slow_steal *s, const rf_steal_in *in, const slow_theft *now) {
    clock_schedulers(&s->stage, &in->stage, &now->stage);
    clock_banks(s, in, now);
    s->coming = now->recalled != NONE;
    if (s->coming) {
        s->last_recall = s->from = now->recalled;
        s->bus = now->recall_bus;
        s->to_bank = s->loan[now->recalled].dest_bank;
        s->to_row = s->loan[now->recalled].dest_row;
    }
    clock_loans(s, in, now);
    clock_candidates(s, now);
    clock_scoreboard(&s->stage, &now->stage);
    clock_dispatch(&s->stage, &in->stage, &now->stage);
    for (uint32_t e = 0; e < s->cfg.exports; e++) clock_queue(&s->stage, &in->stage, &now->stage, e);
}

/* Of the requests that are made: their banks and rows, and who waits for a way back. */
static inline void compare_requests(judge *j, const slow_steal *s, const rf_steal_in *in, const slow_theft *now,
                                    const rf_arbiter_steal_in *w) {
    const rf_steal_cfg *cfg = &s->cfg;
    bool rd[64] = {false}, rd_blocked[64] = {false}, sr[32] = {false}, wr[8] = {false}, full[8] = {false};
    for (uint32_t c = 0; c < cfg->collectors; c++)
        for (uint32_t k = 0; k < cfg->slots; k++) {
            const uint32_t r = c * cfg->slots + k;
            rd[r] = now->stage.asks[c][k];
            rd_blocked[r] = now->rd_blocked[c][k];
            if (!rd[r]) continue;
            judge_equal(j, "arbiter_in.rd_bank", r, w->rd_bank[r], s->stage.collector[c].slot[k].bank);
            judge_equal(j, "arbiter_in.rd_row", r, w->rd_row[r], s->stage.collector[c].slot[k].row);
        }
    for (uint32_t g = 0; g < cfg->issues; g++)
        for (uint32_t k = 0; k < cfg->slots; k++) {
            const uint32_t r = g * cfg->slots + k;
            sr[r] = now->ahead_asks[g][k];
            if (!sr[r]) continue;
            judge_equal(j, "arbiter_in.sr_bank", r, w->sr_bank[r], ahead_bank(s, in, g, k));
            judge_equal(j, "arbiter_in.sr_row", r, w->sr_row[r], ahead_row(s, in, g, k));
        }
    for (uint32_t e = 0; e < cfg->exports; e++) {
        wr[e] = s->stage.queue[e].length > 0;
        full[e] = wr[e] && s->stage.queue[e].waiting[0].mask == ls_mask(cfg->lanes);
        if (!wr[e]) continue;
        judge_equal(j, "arbiter_in.wr_bank", e, w->wr_bank[e], s->stage.queue[e].waiting[0].bank);
        judge_equal(j, "arbiter_in.wr_row", e, w->wr_row[e], s->stage.queue[e].waiting[0].row);
    }
    const uint64_t writers = judge_pack(wr, cfg->exports);
    judge_equal(j, "arbiter_in.rd_valid", 0, w->rd_valid, judge_pack(rd, cfg->collectors * cfg->slots));
    judge_equal(j, "arbiter_in.rd_blocked", 0, w->rd_blocked & w->rd_valid, judge_pack(rd_blocked, cfg->collectors * cfg->slots));
    judge_equal(j, "arbiter_in.sr_valid", 0, w->sr_valid, judge_pack(sr, cfg->issues * cfg->slots));
    judge_equal(j, "arbiter_in.sr_blocked", 0, w->sr_blocked & w->sr_valid, 0);
    judge_equal(j, "arbiter_in.wr_valid", 0, w->wr_valid, writers);
    judge_equal(j, "arbiter_in.wr_blocked", 0, w->wr_blocked & writers, judge_pack(now->wr_blocked, cfg->exports));
    judge_equal(j, "arbiter_in.wr_full", 0, w->wr_full & writers, judge_pack(full, cfg->exports));
    judge_equal(j, "arbiter_in.usable", 0, w->usable, judge_pack(now->usable, cfg->banks));
    judge_equal(j, "arbiter_in.force", 0, w->force, judge_pack(now->forced_back, cfg->banks));
    for (uint32_t b = 0; b < cfg->banks; b++) {
        judge_equal(j, "arbiter_in.linked", b, judge_bit(w->linked, b), s->loan[b].lent);
        if (s->loan[b].lent || now->usable[b]) judge_equal(j, "arbiter_in.rfree_row", b, w->rfree_row[b], s->loan[b].row);
        if (!s->loan[b].lent) continue;
        judge_equal(j, "arbiter_in.dest_bank", b, w->dest_bank[b], s->loan[b].dest_bank);
        judge_equal(j, "arbiter_in.dest_row", b, w->dest_row[b], s->loan[b].dest_row);
    }
}

static inline void compare_grants(judge *j, const slow_steal *s, const rf_steal_in *in, const slow_theft *now,
                                  const rf_arbiter_steal_out *w) {
    const rf_steal_cfg *cfg = &s->cfg;
    bool read[64] = {false}, ahead[32] = {false}, re[32] = {false}, we[32] = {false}, link[32] = {false};
    for (uint32_t c = 0; c < cfg->collectors; c++)
        for (uint32_t k = 0; k < cfg->slots; k++) read[c * cfg->slots + k] = now->stage.read[c][k];
    for (uint32_t g = 0; g < cfg->issues; g++)
        for (uint32_t k = 0; k < cfg->slots; k++) ahead[g * cfg->slots + k] = now->ahead_read[g][k];
    for (uint32_t b = 0; b < cfg->banks; b++) {
        uint32_t raddr = 0, waddr = 0, bus = 0;
        if (now->recalled == b) re[b] = true, raddr = s->loan[b].row;
        if (now->thief[b] != NONE) re[b] = true, raddr = ahead_row(s, in, now->thief[b], now->thief_slot[b]);
        if (now->stage.reader[b] != NONE)
            re[b] = true, raddr = s->stage.collector[now->stage.reader[b]].slot[now->stage.reader_slot[b]].row;
        if (now->stage.writer[b] != NONE) {
            we[b] = true;
            bus = now->stage.writer[b];
            link[b] = !is_return_to(s, b) && now->stolen[bus] && now->place[bus] == b;
            waddr = is_return_to(s, b) ? s->to_row : link[b] ? s->loan[b].row : s->stage.queue[bus].waiting[0].row;
        }
        judge_equal(j, "arbiter.bank_raddr", b, w->bank_raddr[b], raddr);
        judge_equal(j, "arbiter.bank_waddr", b, w->bank_waddr[b], waddr);
        judge_equal(j, "arbiter.bank_wsel", b, w->bank_wsel[b], bus);
    }
    judge_equal(j, "arbiter.rd_grant", 0, w->rd_grant, judge_pack(read, cfg->collectors * cfg->slots));
    judge_equal(j, "arbiter.sr_grant", 0, w->sr_grant, judge_pack(ahead, cfg->issues * cfg->slots));
    judge_equal(j, "arbiter.wr_grant", 0, w->wr_grant, judge_pack(now->stage.write, cfg->exports));
    judge_equal(j, "arbiter.wr_stolen", 0, w->wr_stolen, judge_pack(now->stolen, cfg->exports));
    judge_equal(j, "arbiter.wr_forced", 0, w->wr_forced, judge_pack(now->forced, cfg->exports));
    judge_equal(j, "arbiter.bank_re", 0, w->bank_re, judge_pack(re, cfg->banks));
    judge_equal(j, "arbiter.bank_we", 0, w->bank_we, judge_pack(we, cfg->banks));
    judge_equal(j, "arbiter.link", 0, w->link, judge_pack(link, cfg->banks));
    judge_equal(j, "arbiter.recall", 0, w->recall, now->recalled == NONE ? 0 : UINT64_C(1) << now->recalled);
    judge_equal(j, "arbiter.ret_valid", 0, w->ret_valid, s->coming);
    judge_equal(j, "arbiter.ret_from", 0, w->ret_from, s->coming ? s->from : 0);
    judge_equal(j, "arbiter.ret_bus", 0, w->ret_bus, s->coming ? s->bus : 0);
}

static inline void compare_steal_wires(judge *j, const slow_steal *s, const rf_steal_in *in, const slow_theft *now,
                                       const rf_steal_wires *w) {
    const rf_steal_cfg *cfg = &s->cfg;
    bool fill[32] = {false};
    compare_stage_wires(j, &s->stage, &now->stage, w->ready, w->hazard, w->chosen, &w->alloc, w->busy, w->collected,
                        &w->dispatch);
    compare_requests(j, s, in, now, &w->arbiter_in);
    compare_grants(j, s, in, now, &w->arbiter);
    for (uint32_t g = 0; g < cfg->issues; g++) {
        if (now->offers[g]) judge_equal(j, "candidate", g, w->candidate[g], s->candidate[g]);
        if (now->stage.chosen[g] != NONE) judge_equal(j, "current", g, w->current[g], now->stage.chosen[g]);
        for (uint32_t k = 0; k < cfg->slots; k++) fill[g * cfg->slots + k] = now->stage.ahead[g][k];
    }
    judge_equal(j, "candidate_valid", 0, w->candidate_valid, judge_pack(now->offers, cfg->issues));
    judge_equal(j, "steal", 0, w->steal, judge_pack(now->steals, cfg->issues));
    judge_equal(j, "fill", 0, w->fill, judge_pack(fill, cfg->issues * cfg->slots));
    judge_equal(j, "usable", 0, w->usable, judge_pack(now->usable, cfg->banks));
    judge_equal(j, "force", 0, w->force, judge_pack(now->forced_back, cfg->banks));
}

/* Every register but the contents of the banks. */
static inline void compare_steal_state(judge *j, const slow_steal *s, const rf_steal *m) {
    const rf_steal_cfg *cfg = &s->cfg;
    bool free[32] = {false}, lent[32] = {false};
    compare_stage(j, &s->stage, &m->stage);
    for (uint32_t g = 0; g < cfg->issues; g++)
        judge_equal(j, "pick.candidate_q", g, m->pick[g].candidate_q,
                    s->candidate[g] == NONE ? 0 : UINT64_C(1) << s->candidate[g] / cfg->issues);
    for (uint32_t b = 0; b < cfg->banks; b++) {
        free[b] = s->loan[b].free;
        lent[b] = s->loan[b].lent;
        judge_equal(j, "table.rfree_q", b, m->table.rfree_q[b], s->loan[b].row);
        judge_equal(j, "table.dest_bank_q", b, m->table.dest_bank_q[b], s->loan[b].dest_bank);
        judge_equal(j, "table.dest_row_q", b, m->table.dest_row_q[b], s->loan[b].dest_row);
        judge_equal(j, "arbiter.rd_rr.mask_q", b, m->arbiter.rd_rr[b].mask_q,
                    judge_above(s->stage.last_reader[b], cfg->collectors));
        judge_equal(j, "arbiter.wr_rr.mask_q", b, m->arbiter.wr_rr[b].mask_q, judge_above(s->stage.last_writer[b], cfg->exports));
    }
    judge_equal(j, "table.f_q", 0, m->table.f_q, judge_pack(free, cfg->banks));
    judge_equal(j, "table.m_q", 0, m->table.m_q, judge_pack(lent, cfg->banks));
    judge_equal(j, "arbiter.place_q", 0, m->arbiter.place_q, judge_above(s->last_place, cfg->banks));
    judge_equal(j, "arbiter.ret_rr.mask_q", 0, m->arbiter.ret_rr.mask_q, judge_above(s->last_recall, cfg->banks));
    judge_equal(j, "arbiter.ret_valid_q", 0, m->arbiter.ret_valid_q, s->coming);
    judge_equal(j, "arbiter.ret_from_q", 0, m->arbiter.ret_from_q, s->from);
    judge_equal(j, "arbiter.ret_bus_q", 0, m->arbiter.ret_bus_q, s->bus);
    judge_equal(j, "arbiter.ret_bank_q", 0, m->arbiter.ret_bank_q, s->to_bank);
    judge_equal(j, "arbiter.ret_row_q", 0, m->arbiter.ret_row_q, s->to_row);
}

/* Where the model keeps a register's value now: its own row, the row that it was lent, or a bank's read data on their way back.
 */
static inline const rf_vec *kept_value(const rf_steal *m, uint32_t warp, uint32_t reg) {
    const rf_banked_cfg cfg = stage_cfg(&m->cfg);
    const uint32_t bank = bank_of(&cfg, warp, reg), row = row_of(&cfg, warp, reg);
    if (m->arbiter.ret_valid_q && m->arbiter.ret_bank_q == bank && m->arbiter.ret_row_q == row)
        return &m->stage.bank[m->arbiter.ret_from_q].rdata_q;
    for (uint32_t b = 0; b < cfg.banks; b++)
        if (judge_bit(m->table.m_q, b) && m->table.dest_bank_q[b] == bank && m->table.dest_row_q[b] == row)
            return &m->stage.bank[b].mem_q[m->table.rfree_q[b]];
    return &m->stage.bank[bank].mem_q[row];
}

/* No result is lost: every lane of every register but those that were lent; holds as long as the hints and results are lawful. */
static inline void compare_kept(judge *j, const slow_steal *s, const rf_steal *m) {
    for (uint32_t w = 0; w < s->cfg.warps; w++)
        for (uint32_t r = 0; r < s->cfg.regs; r++) {
            const uint32_t *kept = kept_value(m, w, r)->lane;
            for (uint32_t lane = 0; lane < s->cfg.lanes; lane++) {
                j->compared++;
                if (judge_bit(s->lost[w][r], lane) || kept[lane] == s->stage.reg[w][r][lane]) continue;
                judge_differs(j, "register", w * 256 + r, lane, kept[lane], s->stage.reg[w][r][lane]);
            }
        }
}

#endif
