/* SPDX-License-Identifier: Apache-2.0 */
/* What the slow models of the operand stages share (judge_banked.h, judge_steal.h): all but the arbiter and what is around it.
 * They are not made of units: a register is an array of lanes, found by warp and number; a conflict is found by asking every
 * other request; a collector is a row of slots with named states; age is a time of launch. */
#ifndef RF_JUDGE_STAGE_H
#define RF_JUDGE_STAGE_H

#include "cmodel/banked/rf_banked.h"

#include "tb/banked/judge/judge_carried.h"

enum { NONE = 255 };

typedef enum slot_state { EMPTY, WAITING, ARRIVING, HERE } slot_state;

typedef struct slow_slot {
    slot_state state;
    uint32_t reg, bank, row, data[32];
    uint32_t coming[32];   /* what the bank was read for */
    uint32_t promised[32]; /* the register when the instruction issued: what the program means */
} slow_slot;

typedef struct slow_collector {
    bool busy;
    rf_stage_carried carried;
    uint32_t port;
    slow_slot slot[8];
} slow_collector;

typedef struct slow_result {
    uint32_t warp, reg, bank, row, mask, data[32];
} slow_result;

typedef struct slow_queue {
    slow_result waiting[16], stored[16];
    uint32_t length;
    uint64_t pushed, popped;
} slow_queue;

typedef struct slow_stage {
    rf_banked_cfg cfg;
    uint32_t cell[32][1024][32]; /* what the banks hold: by bank and row */
    uint32_t reg[64][256][32];   /* what the program means: by warp and number */
    bool pending[64][256];
    uint64_t now, launched[64];
    bool greedy[4];
    uint32_t last_warp[4], last_turn[4]; /* by group: of SCHED 0, of SCHED 1 and 2 */
    uint32_t fetch_group[4];             /* by group: of SCHED 2 */
    slow_collector collector[16];
    slow_queue queue[8];
    uint32_t last_reader[32], last_writer[32], last_read[32][32]; /* by bank: collector, port, lanes */
    uint32_t last_dispatch[8];                                    /* by port: collector */
} slow_stage;

/* What happens in one cycle; NONE where nothing does. */
typedef struct slow_cycle {
    bool valid[64], hazard[64], ready[64];
    bool raw[64], waw[64], war[64];
    uint32_t chosen[4], other[4], given[4]; /* by group: the scheduler's choice, the other finalist, the collector */
    uint32_t goes[4];                       /* by group: the warp that issues */
    bool turn[4], ahead[4][8];              /* by group: the scheduler's choice issues; by slot: is being read already */
    uint32_t taken_by[16];                  /* by collector: group */
    bool asks[16][8], read[16][8];          /* by collector and slot */
    uint32_t reader[32], reader_slot[32];   /* by bank: collector, slot */
    uint32_t writer[32];                    /* by bank: port */
    bool write[8];                          /* by port: its head is written */
    uint32_t offered[8];                    /* by port: collector */
    bool leaves[16];                        /* by collector: dispatched */
} slow_cycle;

static inline uint32_t rows_per_warp(const rf_banked_cfg *cfg) { return cfg->regs / cfg->banks + (cfg->regs % cfg->banks != 0); }

static inline uint32_t rows_of(const rf_banked_cfg *cfg) { return cfg->warps * rows_per_warp(cfg); }

static inline uint32_t bank_of(const rf_banked_cfg *cfg, uint32_t warp, uint32_t reg) { return (reg + warp) % cfg->banks; }

/* As wide as a row number is: for warps and registers out of range it may lie behind the last row, or wrap around. */
static inline uint32_t row_of(const rf_banked_cfg *cfg, uint32_t warp, uint32_t reg) {
    return (warp * rows_per_warp(cfg) + reg / cfg->banks) % judge_codes(rows_of(cfg));
}

static inline bool in_range(const slow_stage *s, uint32_t warp, uint32_t reg) { return warp < s->cfg.warps && reg < s->cfg.regs; }

static inline bool is_pending(const slow_stage *s, uint32_t warp, uint32_t reg) {
    return in_range(s, warp, reg) && s->pending[warp][reg];
}

static inline void read_cell(const slow_stage *s, uint32_t bank, uint32_t row, uint32_t *data) {
    for (uint32_t lane = 0; lane < 32; lane++) data[lane] = row < rows_of(&s->cfg) ? s->cell[bank][row][lane] : 0;
}

/* As after reset; the registers keep their values. */
static inline void slow_reset(slow_stage *s) {
    const rf_banked_cfg *cfg = &s->cfg;
    memset(s->pending, 0, sizeof s->pending);
    memset(s->collector, 0, sizeof s->collector);
    memset(s->queue, 0, sizeof s->queue);
    memset(s->last_read, 0, sizeof s->last_read);
    for (uint32_t w = 0; w < cfg->warps; w++) s->launched[w] = w;
    s->now = cfg->warps;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        s->greedy[g] = false;
        s->last_warp[g] = g;
        s->last_turn[g] = cfg->warps - cfg->issues + g;
        s->fetch_group[g] = 0;
    }
    for (uint32_t b = 0; b < cfg->banks; b++) s->last_reader[b] = cfg->collectors - 1, s->last_writer[b] = cfg->exports - 1;
    for (uint32_t e = 0; e < cfg->exports; e++) s->last_dispatch[e] = cfg->collectors - 1;
}

/* The lowest slot that waits for the register of slot k reads for all of them (D-dup). */
static inline uint32_t reader_of(const slow_collector *c, uint32_t k) {
    for (uint32_t low = 0; low < k; low++)
        if (c->slot[low].state == WAITING && c->slot[low].reg == c->slot[k].reg) return low;
    return k;
}

static inline bool is_collected(const slow_stage *s, const slow_collector *c) {
    for (uint32_t k = 0; k < s->cfg.slots; k++)
        if (c->slot[k].state == WAITING || c->slot[k].state == ARRIVING) return false;
    return c->busy;
}

static inline void find_hazards(const slow_stage *s, const rf_stage_in *in, slow_cycle *now) {
    const rf_banked_cfg *cfg = &s->cfg;
    for (uint32_t w = 0; w < cfg->warps; w++) {
        const bool alive = in->ib_mask[w] != 0, writes = alive && judge_bit(in->ib_dst_valid, w);
        for (uint32_t k = 0; k < cfg->slots; k++)
            if (alive && judge_bit(in->ib_src_valid[w], k) && is_pending(s, w, in->ib_src[w * cfg->slots + k]))
                now->raw[w] = true;
        now->waw[w] = writes && is_pending(s, w, in->ib_dst[w]);
        for (uint32_t c = 0; c < cfg->collectors; c++)
            for (uint32_t k = 0; k < cfg->slots; k++)
                if (writes && in_range(s, w, in->ib_dst[w]) && s->collector[c].slot[k].state == WAITING &&
                    s->collector[c].carried.warp == w && s->collector[c].slot[k].reg == in->ib_dst[w])
                    now->war[w] = true;
        now->valid[w] = judge_bit(in->ib_valid, w);
        now->hazard[w] = now->valid[w] && (now->raw[w] || now->waw[w] || now->war[w]);
        now->ready[w] = now->valid[w] && !now->hazard[w];
    }
}

/* Fetch group of a warp, inside its issue group. */
static inline uint32_t fetch_group_of(const rf_banked_cfg *cfg, uint32_t warp) { return warp / cfg->issues / cfg->fetch; }

/* The warp of group g that its scheduler selects among those that are ready. */
static inline uint32_t choose(const slow_stage *s, const bool *ready, uint32_t g) {
    const uint32_t warps = s->cfg.warps, issues = s->cfg.issues, count = warps / issues;
    uint32_t best = NONE;
    if (s->cfg.sched == 0) {
        if (s->greedy[g] && ready[s->last_warp[g]]) return s->last_warp[g];
        for (uint32_t w = g; w < warps; w += issues)
            if (ready[w] && (best == NONE || s->launched[w] < s->launched[best])) best = w;
        return best;
    }
    if (s->cfg.sched == 1) {
        for (uint32_t step = 1; step <= count; step++) {
            const uint32_t w = (s->last_turn[g] + step * issues) % warps;
            if (ready[w]) return w;
        }
        return NONE;
    }
    const uint32_t groups = (count - 1) / s->cfg.fetch + 1;
    for (uint32_t step = 0; step < groups; step++) {
        const uint32_t group = (s->fetch_group[g] + step) % groups;
        uint32_t lowest = NONE;
        for (uint32_t w = g; w < warps; w += issues) {
            if (!ready[w] || fetch_group_of(&s->cfg, w) != group) continue;
            if (w > s->last_turn[g]) return w;
            if (lowest == NONE) lowest = w;
        }
        if (lowest != NONE) return lowest;
    }
    return NONE;
}

/* The half of the selection tree that warp w is in: number w / ISSUES of its group against half of the next power of two. */
static inline bool in_upper_half(const rf_banked_cfg *cfg, uint32_t w) {
    uint32_t leaves = 1;
    while (leaves < cfg->warps / cfg->issues) leaves *= 2;
    return w / cfg->issues >= leaves / 2;
}

/* The schedulers' finalists, and the collectors that the groups with a ready warp are given. */
static inline void select_warps(const slow_stage *s, slow_cycle *now) {
    uint32_t next = 0;
    for (uint32_t c = 0; c < s->cfg.collectors; c++) now->taken_by[c] = NONE;
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        bool rival[64] = {false};
        now->given[g] = now->other[g] = now->goes[g] = NONE;
        now->chosen[g] = choose(s, now->ready, g);
        if (now->chosen[g] == NONE) continue;
        for (uint32_t w = g; w < s->cfg.warps; w += s->cfg.issues)
            rival[w] = now->ready[w] && in_upper_half(&s->cfg, w) != in_upper_half(&s->cfg, now->chosen[g]);
        now->other[g] = choose(s, rival, g);
        while (next < s->cfg.collectors && s->collector[next].busy) next++;
        if (next == s->cfg.collectors) continue;
        now->given[g] = next;
        now->taken_by[next] = g;
        next++;
    }
}

/* What the collectors ask for; serial 1: each for what the first of its slots that wait waits for. */
static inline void find_requests(const slow_stage *s, slow_cycle *now) {
    for (uint32_t c = 0; c < s->cfg.collectors; c++) {
        bool asked = false;
        for (uint32_t k = 0; k < s->cfg.slots; k++) {
            const bool waits = s->collector[c].slot[k].state == WAITING;
            now->asks[c][k] = waits && reader_of(&s->collector[c], k) == k && !(asked && s->cfg.serial == 1);
            asked = asked || waits;
        }
    }
}

static inline void dispatch(const slow_stage *s, const rf_stage_in *in, slow_cycle *now) {
    const uint32_t collectors = s->cfg.collectors;
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        now->offered[e] = NONE;
        for (uint32_t turn = 1; turn <= collectors && now->offered[e] == NONE; turn++) {
            const uint32_t c = (s->last_dispatch[e] + turn) % collectors;
            if (is_collected(s, &s->collector[c]) && s->collector[c].port == e) now->offered[e] = c;
        }
        if (now->offered[e] != NONE && judge_bit(in->ex_ready, e)) now->leaves[now->offered[e]] = true;
    }
}

static inline void clock_schedulers(slow_stage *s, const rf_stage_in *in, const slow_cycle *now) {
    for (uint32_t w = 0; w < s->cfg.warps; w++) {
        if (!judge_bit(in->launch, w)) continue;
        s->launched[w] = s->now++;
        if (s->last_warp[w % s->cfg.issues] == w) s->greedy[w % s->cfg.issues] = false;
    }
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        if (!now->turn[g]) continue;
        s->greedy[g] = true;
        s->last_warp[g] = s->last_turn[g] = now->chosen[g];
        s->fetch_group[g] = fetch_group_of(&s->cfg, now->chosen[g]);
    }
}

static inline void clock_collector(slow_stage *s, const rf_stage_in *in, const slow_cycle *now, uint32_t which) {
    const rf_banked_cfg *cfg = &s->cfg;
    slow_collector *c = &s->collector[which];
    bool arrives[8] = {false}, granted[8] = {false};
    for (uint32_t k = 0; k < cfg->slots; k++) {
        arrives[k] = c->slot[k].state == ARRIVING;
        granted[k] = c->slot[k].state == WAITING && now->read[which][reader_of(c, k)];
    }
    for (uint32_t k = 0; k < cfg->slots; k++) {
        slow_slot *slot = &c->slot[k];
        if (arrives[k]) slot->state = HERE, memcpy(slot->data, slot->coming, sizeof slot->data);
        if (granted[k]) slot->state = ARRIVING, read_cell(s, slot->bank, slot->row, slot->coming);
        if (now->leaves[which]) slot->state = EMPTY;
    }
    if (now->leaves[which]) c->busy = false;
    if (now->taken_by[which] == NONE) return;
    const uint32_t g = now->taken_by[which], w = now->goes[g];
    const bool alive = in->ib_mask[w] != 0;
    c->busy = true;
    c->carried = judge_carried_of(&in->heads, w);
    c->carried.dst_valid = alive && c->carried.dst_valid;
    c->port = in->ib_port[w];
    for (uint32_t k = 0; k < cfg->slots; k++) {
        slow_slot *slot = &c->slot[k];
        slot->state = alive && judge_bit(in->ib_src_valid[w], k) ? WAITING : EMPTY;
        slot->reg = in->ib_src[w * cfg->slots + k];
        slot->bank = bank_of(cfg, w, slot->reg);
        slot->row = row_of(cfg, w, slot->reg);
        memcpy(slot->promised, s->reg[w][slot->reg], sizeof slot->promised);
        if (slot->state != WAITING || !now->ahead[g][k]) continue;
        slot->state = ARRIVING;
        read_cell(s, slot->bank, slot->row, slot->coming);
    }
}

static inline void clock_queue(slow_stage *s, const rf_stage_in *in, const slow_cycle *now, uint32_t e) {
    slow_queue *q = &s->queue[e];
    const bool room = q->length < s->cfg.wbdepth;
    if (now->write[e]) {
        for (uint32_t i = 1; i < q->length; i++) q->waiting[i - 1] = q->waiting[i];
        q->length--;
        q->popped++;
    }
    if (!judge_bit(in->res_valid, e) || !room) return;
    slow_result *r = &q->waiting[q->length];
    r->warp = in->res_warp[e];
    r->reg = in->res_dst[e];
    r->bank = bank_of(&s->cfg, r->warp, r->reg);
    r->row = row_of(&s->cfg, r->warp, r->reg);
    r->mask = in->res_mask[e];
    memcpy(r->data, in->res_data[e].lane, sizeof r->data);
    q->stored[q->pushed % s->cfg.wbdepth] = *r;
    q->length++;
    q->pushed++;
}

/* What was pending and is written, `write` by port, is so no more; the destinations of what issues are. */
static inline void clock_scoreboard(slow_stage *s, const slow_cycle *now) {
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        const slow_result *r = &s->queue[e].waiting[0];
        if (now->write[e] && in_range(s, r->warp, r->reg)) s->pending[r->warp][r->reg] = false;
    }
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        if (now->goes[g] == NONE) continue;
        const rf_stage_carried *c = &s->collector[now->given[g]].carried; /* after its edge */
        if (c->dst_valid && in_range(s, c->warp, c->dst)) s->pending[c->warp][c->dst] = true;
    }
}

static inline void clock_dispatch(slow_stage *s, const rf_stage_in *in, const slow_cycle *now) {
    for (uint32_t e = 0; e < s->cfg.exports; e++)
        if (now->offered[e] != NONE && judge_bit(in->ex_ready, e)) s->last_dispatch[e] = now->offered[e];
}

/* The lanes of `mask` in a row that exists. */
static inline void write_cell(slow_stage *s, uint32_t bank, uint32_t row, uint32_t mask, const uint32_t *data) {
    for (uint32_t lane = 0; lane < s->cfg.lanes; lane++)
        if (judge_bit(mask, lane) && row < rows_of(&s->cfg)) s->cell[bank][row][lane] = data[lane];
}

static inline void compare_out(judge *j, const slow_stage *s, const slow_cycle *now, const rf_stage_out *out) {
    static const slow_collector nothing;
    bool bit[8] = {false};
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        bit[g] = now->goes[g] != NONE;
        judge_equal(j, "issue_warp", g, out->issue_warp[g], bit[g] ? now->goes[g] : 0);
    }
    judge_equal(j, "issue_valid", 0, out->issue_valid, judge_pack(bit, s->cfg.issues));
    const rf_stage_carried *offered[8];
    bool room[8] = {false};
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        const bool valid = now->offered[e] != NONE;
        const slow_collector *c = valid ? &s->collector[now->offered[e]] : &nothing;
        offered[e] = valid ? &c->carried : NULL;
        room[e] = s->queue[e].length < s->cfg.wbdepth;
        for (uint32_t k = 0; k < s->cfg.slots; k++)
            judge_words(j, "ex_data", e * s->cfg.slots + k, out->ex_data[e * s->cfg.slots + k].lane, c->slot[k].data, 32);
    }
    judge_offers(j, &out->offers, s->cfg.exports, offered);
    judge_equal(j, "res_ready", 0, out->res_ready, judge_pack(room, s->cfg.exports));
}

/* Wires that the systems have in common: hazard of valid instructions only. */
static inline void compare_stage_wires(judge *j, const slow_stage *s, const slow_cycle *now, uint64_t ready, uint64_t hazard,
                                       uint64_t chosen_of_model, const rf_ocu_alloc_out *alloc, uint64_t busy_of_model,
                                       uint64_t collected_of_model, const rf_dispatch_out *sent) {
    const rf_banked_cfg *cfg = &s->cfg;
    bool chosen[4] = {false}, given[4] = {false}, busy[16] = {false}, collected[16] = {false}, taken[16] = {false};
    bool offered[8] = {false};
    for (uint32_t g = 0; g < cfg->issues; g++) {
        chosen[g] = now->chosen[g] != NONE;
        given[g] = now->given[g] != NONE;
        judge_equal(j, "alloc.sel", g, alloc->sel[g], given[g] ? now->given[g] : 0);
    }
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        busy[c] = s->collector[c].busy;
        collected[c] = is_collected(s, &s->collector[c]);
        taken[c] = now->taken_by[c] != NONE;
        judge_equal(j, "alloc.which", c, alloc->which[c], taken[c] ? now->taken_by[c] : 0);
    }
    for (uint32_t e = 0; e < cfg->exports; e++) {
        offered[e] = now->offered[e] != NONE;
        judge_equal(j, "dispatch.ex_sel", e, sent->ex_sel[e], offered[e] ? now->offered[e] : 0);
    }
    judge_equal(j, "hazard", 0, hazard & judge_pack(now->valid, cfg->warps), judge_pack(now->hazard, cfg->warps));
    judge_equal(j, "ready", 0, ready, judge_pack(now->ready, cfg->warps));
    judge_equal(j, "chosen", 0, chosen_of_model, judge_pack(chosen, cfg->issues));
    judge_equal(j, "alloc.grant", 0, alloc->grant, judge_pack(given, cfg->issues));
    judge_equal(j, "alloc.alloc", 0, alloc->alloc, judge_pack(taken, cfg->collectors));
    judge_equal(j, "busy", 0, busy_of_model, judge_pack(busy, cfg->collectors));
    judge_equal(j, "collected", 0, collected_of_model, judge_pack(collected, cfg->collectors));
    judge_equal(j, "dispatch.grant", 0, sent->grant, judge_pack(now->leaves, cfg->collectors));
    judge_equal(j, "dispatch.ex_valid", 0, sent->ex_valid, judge_pack(offered, cfg->exports));
}

/* The schedulers of the kind that SCHED names, one a group. */
static inline void compare_schedulers(judge *j, const slow_stage *s, const rf_sched_gto *gto, const rf_sched_lrr *lrr,
                                      const rf_sched_groups *groups) {
    const uint32_t issues = s->cfg.issues, warps = s->cfg.warps / issues; /* warp w is number w / ISSUES of its group */
    for (uint32_t g = 0; g < issues; g++) {
        if (s->cfg.sched == 2) {
            judge_equal(j, "groups.group_q", g, groups[g].group_q, s->fetch_group[g]);
            judge_equal(j, "groups.mask_q", g, groups[g].mask_q, judge_above(s->last_turn[g] / issues, warps));
            continue;
        }
        if (s->cfg.sched == 1) {
            judge_equal(j, "lrr.mask_q", g, lrr[g].rr.mask_q, judge_above(s->last_turn[g] / issues, warps));
            continue;
        }
        judge_equal(j, "gto.last_valid_q", g, gto[g].last_valid_q, s->greedy[g]);
        judge_equal(j, "gto.last_q", g, gto[g].last_q, s->last_warp[g] / issues);
        for (uint32_t k = 0; k < warps; k++) {
            bool older[64] = {false};
            for (uint32_t other = 0; other < warps; other++)
                older[other] = s->launched[other * issues + g] < s->launched[k * issues + g];
            judge_equal(j, "gto.older_q", k * issues + g, gto[g].older_q[k], judge_pack(older, warps));
        }
    }
}

static inline void compare_collectors(judge *j, const slow_stage *s, const rf_ocu *ocu) {
    for (uint32_t i = 0; i < s->cfg.collectors; i++) {
        const slow_collector *c = &s->collector[i];
        const rf_ocu *u = &ocu[i];
        bool valid[8] = {false}, arriving[8] = {false}, here[8] = {false};
        for (uint32_t k = 0; k < s->cfg.slots; k++) {
            const uint32_t r = i * s->cfg.slots + k;
            valid[k] = c->slot[k].state != EMPTY;
            arriving[k] = c->slot[k].state == ARRIVING;
            here[k] = c->slot[k].state == HERE;
            judge_equal(j, "ocu.src_q", r, u->src_q[k], c->slot[k].reg);
            judge_equal(j, "ocu.bank_q", r, u->bank_q[k], c->slot[k].bank);
            judge_equal(j, "ocu.row_q", r, u->row_q[k], c->slot[k].row);
            judge_words(j, "ocu.data_q", r, u->data_q[k].lane, c->slot[k].data, 32);
        }
        judge_equal(j, "ocu.busy_q", i, u->busy_q, c->busy);
        judge_equal(j, "ocu.port_q", i, u->port_q, c->port);
        judge_carried(j, i, &u->carried_q, &c->carried);
        judge_equal(j, "ocu.src_valid_q", i, u->src_valid_q, judge_pack(valid, s->cfg.slots));
        judge_equal(j, "ocu.fill_q", i, u->fill_q, judge_pack(arriving, s->cfg.slots));
        judge_equal(j, "ocu.ready_q", i, u->ready_q, judge_pack(here, s->cfg.slots));
    }
}

static inline void compare_queues(judge *j, const slow_stage *s, const rf_banked *m) {
    const uint32_t depth = s->cfg.wbdepth;
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        const slow_queue *q = &s->queue[e];
        const rf_wbq *u = &m->wbq[e];
        judge_equal(j, "wbq.wr_ptr_q", e, u->ctrl.wr_ptr_q, q->pushed % depth);
        judge_equal(j, "wbq.rd_ptr_q", e, u->ctrl.rd_ptr_q, q->popped % depth);
        judge_equal(j, "wbq.level_q", e, u->ctrl.level_q, q->length);
        for (uint32_t i = 0; i < depth; i++) {
            judge_equal(j, "wbq.warp_q", e * depth + i, u->warp_q[i], q->stored[i].warp);
            judge_equal(j, "wbq.reg_q", e * depth + i, u->reg_q[i], q->stored[i].reg);
            judge_equal(j, "wbq.bank_q", e * depth + i, u->bank_q[i], q->stored[i].bank);
            judge_equal(j, "wbq.row_q", e * depth + i, u->row_q[i], q->stored[i].row);
            judge_equal(j, "wbq.mask_q", e * depth + i, u->mask_q[i], q->stored[i].mask);
            judge_words(j, "wbq.data_q", e * depth + i, u->data_q[i].lane, q->stored[i].data, 32);
        }
    }
}

static inline void compare_scoreboard(judge *j, const slow_stage *s, const rf_scoreboard *m) {
    for (uint32_t w = 0; w < s->cfg.warps; w++) {
        uint32_t got[8], expected[8];
        for (uint32_t word = 0; word < 8; word++) {
            got[word] = (uint32_t)(m->pending_q[w].w[word / 2] >> (word % 2 * 32));
            expected[word] = word * 32 < s->cfg.regs ? (uint32_t)judge_pack(&s->pending[w][word * 32], 32) : 0;
        }
        judge_words(j, "scoreboard.pending_q", w, got, expected, 8);
    }
}

/* Every register but those of the arbiter and the contents of the banks. */
static inline void compare_stage(judge *j, const slow_stage *s, const rf_banked *m) {
    compare_schedulers(j, s, m->gto, m->lrr, m->groups);
    compare_collectors(j, s, m->ocu);
    compare_queues(j, s, m);
    for (uint32_t i = 0; i < s->cfg.exports * s->cfg.wbdepth; i++) /* no hints in this stage */
        judge_equal(j, "wbq.note_q", i, m->wbq[i / s->cfg.wbdepth].note_q[i % s->cfg.wbdepth], 0);
    compare_scoreboard(j, s, &m->scoreboard);
    for (uint32_t b = 0; b < s->cfg.banks; b++) judge_words(j, "bank.rdata_q", b, m->bank[b].rdata_q.lane, s->last_read[b], 32);
    for (uint32_t e = 0; e < s->cfg.exports; e++)
        judge_equal(j, "dispatch.rr.mask_q", e, m->dispatch.rr[e].mask_q, judge_above(s->last_dispatch[e], s->cfg.collectors));
}

static inline void compare_row(judge *j, const slow_stage *s, const rf_banked *m, uint32_t bank, uint32_t row) {
    if (row < rows_of(&s->cfg))
        judge_words(j, "bank.mem_q", bank * RF_BANK_ROWS_MAX + row, m->bank[bank].mem_q[row].lane, s->cell[bank][row], 32);
}

/* Every row of every bank; those that belong to no register are 0. */
static inline void compare_banks(judge *j, const slow_stage *s, const rf_banked *m) {
    for (uint32_t b = 0; b < s->cfg.banks; b++)
        for (uint32_t row = 0; row < rows_of(&s->cfg); row++) compare_row(j, s, m, b, row);
}

#endif
