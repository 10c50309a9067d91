/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model of rf_wir_lane, for its judge alone. It has no units inside: an instruction is one record that walks from the
 * issued one [WIR V-B] to the renamed one (V-C) and stands in a row of people while another one computes its result (VI-B); a
 * mapping is an entry of an array (V-B: "a 10-bit physical register ID, a valid bit, and a pin bit"). What retires, and which
 * references begin and end by it (V-E), is read off the page's two tables from above. */
#ifndef RF_JUDGE_WIR_LANE_H
#define RF_JUDGE_WIR_LANE_H

#include "cmodel/wir/rf_wir_lane.h"
#include "tb/wir/judge/judge_wir_instr.h"

#define DEPTH RF_PENDING_DEPTH_MAX

typedef struct mapping {
    bool valid, pin, by_reuse;
    uint32_t preg;
} mapping;

typedef struct slow_lane {
    rf_wir_lane_cfg cfg;
    judge_instr rn, ru;
    mapping table[64][256]; /* by warp of the group */
    bool marked[64];
    judge_instr row[DEPTH]; /* row[0] is the head */
    uint32_t length;
    uint64_t left;             /* heads that left or went to the end since reset */
    judge_instr stored[DEPTH]; /* what each place of the storage took last */
} slow_lane;

enum act { NOTHING, REUSES, QUEUES, EXECUTES, ROTATES };

typedef struct slow_out {
    judge_instr lane;
    bool retry, asks, hit, wait, want_port, want_collector, leads, leaves, moves, ready;
    enum act act;
    bool offered, taken; /* a mapping can be released, is */
    uint32_t walk_warp, walk_reg, walk_preg;
    bool inc[SLOTS], dec;
    uint32_t inc_reg[SLOTS], dec_reg;
    bool writes, pin; /* the tables are written: */
    uint32_t warp, dst, preg;
} slow_out;

static void slow_reset(slow_lane *s) {
    const rf_wir_lane_cfg cfg = s->cfg;
    memset(s, 0, sizeof *s);
    s->cfg = cfg;
}

static uint32_t group_of(const rf_wir_lane_cfg *cfg) { return cfg->warps / cfg->issues; }
static uint32_t table_of(const rf_wir_lane_cfg *cfg, uint32_t warp) { return warp / cfg->issues % judge_codes(group_of(cfg)); }
static uint32_t depth_of(const rf_wir_lane_cfg *cfg) { return cfg->reuse == 1 && cfg->retry == 1 ? cfg->queue : 0; }

static bool all_lanes(const rf_wir_lane_cfg *cfg, uint32_t mask) {
    for (uint32_t i = 0; i < cfg->lanes; i++)
        if (!judge_bit(mask, i)) return false;
    return true;
}

/* What is said of a register of a warp. */
static mapping look_up(const slow_lane *s, uint32_t warp, uint32_t reg) {
    const uint32_t table = table_of(&s->cfg, warp), per_warp = (s->cfg.regs + s->cfg.banks - 1) / s->cfg.banks;
    mapping m = {false, false, false, 0};
    if (s->cfg.reuse == 1)
        return table < group_of(&s->cfg) && reg < s->cfg.regs && s->table[table][reg].valid ? s->table[table][reg] : m;
    m.valid = true;
    m.preg = (warp * per_warp + reg / s->cfg.banks) * s->cfg.banks + (reg + warp) % s->cfg.banks;
    m.preg %= judge_codes(s->cfg.pregs);
    return m;
}

/* The rename register's instruction as it comes into the reuse register. */
static judge_instr slow_rename(const slow_lane *s) {
    judge_instr r = s->rn;
    r.look = r.reuse && r.dst_valid && all_lanes(&s->cfg, r.mask) && (r.space == RF_SPACE_NONE || s->cfg.loads == 1);
    r.opcode = r.op;
    for (uint32_t k = 0; k < s->cfg.slots; k++) r.opcode *= 2;
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        const mapping m = look_up(s, r.warp, r.src[k]);
        r.mapped[k] = r.src_valid[k] && m.valid;
        r.operand[k] = r.src_valid[k] ? m.preg : r.imm[k];
        if (r.src_valid[k]) r.opcode += 1u << k;
        if (r.src_valid[k] && (!m.valid || m.pin)) r.look = false;
    }
    if (!r.dst_valid || s->cfg.reuse == 0) return r;
    const mapping old = look_up(s, r.warp, r.dst);
    r.old_valid = old.valid, r.old_preg = old.preg, r.old_pin = old.pin;
    return r;
}

static void slow_act(const slow_lane *s, const rf_wir_lane_in *in, slow_out *out) {
    const bool retries = s->cfg.retry == 1 && s->cfg.reuse == 1;
    if (s->ru.there) out->lane = s->ru;
    else if (s->length > 0) out->lane = s->row[0], out->retry = true;
    out->asks = out->lane.there && out->lane.look && in->allow;
    out->hit = out->asks && in->hit;
    out->wait = out->asks && in->wait && !in->hit;
    if (!out->lane.there) return;
    if (out->hit) {
        out->want_port = true;
        out->act = in->port ? REUSES : NOTHING;
    } else if (out->wait && out->retry) {
        out->act = ROTATES;
    } else if (out->wait && retries && s->length < s->cfg.queue) {
        out->act = QUEUES;
    } else {
        out->want_collector = true;
        out->act = in->collector ? EXECUTES : NOTHING;
        out->leads = in->collector && out->asks && !out->wait;
    }
    out->leaves = out->act == REUSES || out->act == QUEUES || out->act == EXECUTES;
}

static void slow_comb(const slow_lane *s, const rf_wir_lane_in *in, slow_out *out) {
    const uint32_t group = group_of(&s->cfg);
    memset(out, 0, sizeof *out);
    slow_act(s, in, out);
    out->moves = s->rn.there && (!s->ru.there || out->leaves);
    out->ready = !s->rn.there || out->moves;
    while (out->walk_warp < group && !s->marked[out->walk_warp]) out->walk_warp++;
    for (uint32_t r = s->cfg.regs; out->walk_warp < group && r-- > 0;)
        if (s->table[out->walk_warp][r].valid)
            out->offered = true, out->walk_reg = r, out->walk_preg = s->table[out->walk_warp][r].preg;
    if (s->cfg.reuse == 0) return;
    out->taken = out->offered && in->walk;
    for (uint32_t k = 0; k < s->cfg.slots; k++)
        if (in->reserved && judge_bit(out->lane.opcode, k)) out->inc[k] = true, out->inc_reg[k] = out->lane.operand[k];
    if (out->act == REUSES) {
        out->inc[0] = true, out->inc_reg[0] = in->result;
        out->dec = out->lane.old_valid, out->dec_reg = out->lane.old_preg;
        out->writes = true, out->warp = out->lane.warp, out->dst = out->lane.dst, out->preg = in->result;
    } else if (in->done) {
        out->dec = judge_bit(in->done_old, 1), out->dec_reg = in->done_old / 4u;
        out->writes = true, out->warp = in->done_warp, out->dst = in->done_dst, out->preg = in->done_reg;
        out->pin = judge_bit(in->done_old, 0);
    }
    if (out->warp >= s->cfg.warps) out->writes = false;
    if (out->taken) out->dec = true, out->dec_reg = out->walk_preg;
    if (!out->dec) out->dec_reg = 0;
}

/* The write is of the entry that is shown for release. */
static bool same_entry(const slow_lane *s, const slow_out *now) {
    return now->writes && now->offered && table_of(&s->cfg, now->warp) == now->walk_warp && now->dst == now->walk_reg;
}

static void slow_tables(slow_lane *s, const rf_wir_lane_in *in, const slow_out *now) {
    if (now->writes && now->dst < s->cfg.regs && !(now->taken && same_entry(s, now))) {
        mapping *m = &s->table[table_of(&s->cfg, now->warp)][now->dst];
        m->valid = true, m->pin = now->pin, m->preg = now->preg, m->by_reuse = now->act == REUSES;
    }
    if (now->taken) s->table[now->walk_warp][now->walk_reg].valid = s->table[now->walk_warp][now->walk_reg].pin = false;
    if (now->walk_warp < group_of(&s->cfg) && !now->offered) s->marked[now->walk_warp] = false;
    for (uint32_t w = 0; w < group_of(&s->cfg) && s->cfg.reuse == 1; w++) s->marked[w] |= judge_bit(in->clear, w);
}

static void slow_queue(slow_lane *s, const slow_out *now) {
    if (now->retry && (now->leaves || now->act == ROTATES)) {
        for (uint32_t i = 1; i < s->length; i++) s->row[i - 1] = s->row[i];
        s->length--;
        s->left++;
    }
    if (now->act != QUEUES && now->act != ROTATES) return;
    s->row[s->length] = now->lane;
    s->stored[(s->left + s->length) % s->cfg.queue] = now->lane;
    s->length++;
}

static void slow_clock(slow_lane *s, const rf_wir_lane_in *in) {
    slow_out now;
    slow_comb(s, in, &now);
    const judge_instr renamed = slow_rename(s);
    slow_tables(s, in, &now);
    slow_queue(s, &now);
    if (now.leaves && !now.retry) s->ru.there = false;
    if (now.moves) s->ru = renamed, s->rn.there = false;
    if (!in->issue_valid || !now.ready) return;
    s->rn = instr_issued(&in->issue, s->cfg.slots);
    if (s->cfg.reuse == 0) s->rn.reuse = false;
}

static void expect_place(const slow_lane *s, const judge_instr *p, uint32_t place, rf_wir_lane_out *e) {
    if (!p->there) return;
    e->at_valid |= 1u << place;
    instr_reads(p, s->cfg.slots, &e->at[place]);
}

static void expect_out(const slow_lane *s, const slow_out *now, rf_wir_lane_out *e) {
    const uint32_t n = s->cfg.slots;
    memset(e, 0, sizeof *e);
    e->ready = now->ready, e->walking = judge_pack(s->marked, group_of(&s->cfg)), e->walk_valid = now->offered;
    expect_place(s, &s->rn, 0, e);
    expect_place(s, &s->ru, 1, e);
    for (uint32_t i = 0; i < s->length; i++) expect_place(s, &s->row[i], 2 + i, e);
    e->st_valid = now->moves && s->rn.store, e->st_shared = e->st_valid && s->rn.shared;
    e->rn_warp = s->rn.there ? (uint8_t)s->rn.warp : 0;
    instr_laned(&now->lane, n, &e->lane);
    e->lk_valid = now->asks, e->want_port = now->want_port, e->want_collector = now->want_collector;
    e->leads = now->leads, e->leaves = now->leaves, e->reused = now->act == REUSES;
    e->inc = (uint8_t)judge_pack(now->inc, n), e->dec = now->dec, e->dec_reg = (uint16_t)now->dec_reg;
    for (uint32_t k = 0; k < n; k++) e->inc_reg[k] = (uint16_t)now->inc_reg[k];
}

static void expect_queue(const slow_lane *s, rf_pending_queue *e) {
    const uint32_t n = s->cfg.slots;
    if (depth_of(&s->cfg) == 0) return;
    e->rd_ptr_q = (uint8_t)(s->left % s->cfg.queue), e->level_q = (uint8_t)s->length;
    for (uint32_t i = 0; i < s->cfg.queue; i++) instr_renamed(&s->stored[i], n, &e->entry_q[i]);
}

/* The tables as rf_rename lays them out, and the other two; `e` is zero but for what an earlier cycle of this run put there. */
static void expect_state(const slow_lane *s, rf_wir_lane *e) {
    const uint32_t words = (s->cfg.regs + 63) / 64;
    instr_registers(&s->rn, &s->ru, s->cfg.slots, &e->front);
    expect_queue(s, &e->queue);
    e->rename.walking_q = judge_pack(s->marked, group_of(&s->cfg));
    if (s->cfg.reuse == 0) return;
    for (uint32_t w = 0; w < group_of(&s->cfg); w++) {
        for (uint32_t i = 0; i < words; i++) e->rename.valid_q[w * words + i] = e->rename.pin_q[w * words + i] = 0;
        for (uint32_t r = 0; r < s->cfg.regs; r++) {
            const mapping *m = &s->table[w][r];
            e->rename.valid_q[w * words + r / 64] |= (uint64_t)m->valid << r % 64;
            e->rename.pin_q[w * words + r / 64] |= (uint64_t)m->pin << r % 64;
            e->rename.preg_q[w * s->cfg.regs + r] = (uint16_t)m->preg;
        }
    }
}

#endif
