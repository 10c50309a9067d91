/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model of rf_cerf_stage and its comparer: the stage of judge_stage.h with collectors whose operands come late, and
 * registers that are elsewhere. It is the front of slow_cerf.h, too. `lapse` breaks one rule at a time. */
#ifndef RF_SLOW_CERF_STAGE_H
#define RF_SLOW_CERF_STAGE_H

#include "cmodel/cerf/rf_cerf_stage.h"

#include "tb/banked/judge/judge_banked.h"

/* Lapses that only answers show that no memory gives, and those that a system shows, too. */
/* clang-format off */
#define PORT_LAPSES(X) \
    X(STRAY_ACCEPT_COUNTS, "a slot is accepted that shares the register of the one that asks") \
    X(STRAY_FILL_COUNTS, "what comes for a slot that did not ask itself is taken") \
    X(FILLED_WHEN_ACCEPTED, "what comes in the cycle of the accept is taken") \
    X(FILLED_TWICE, "what comes for a slot that has its operand is taken") \
    X(UNREAD_IF_SHARED, "only the slot that asks counts as read when it is accepted") \
    X(NUMBERS_NOT_CUT, "numbers of registers that do not exist wrap at WARPS x REGS")
#define STAGE_LAPSES(X) \
    X(READ_WHEN_IT_COMES, "an operand counts as unread until it has come") \
    X(NEVER_DIES, "a last read leaves the entry") \
    X(DIES_AT_ONCE, "the entry dies though another collector has yet to read the register") \
    X(SPARED_BY_ITSELF, "the collector's own requests spare the entry") \
    X(SPARED_BY_ACCEPTED, "a collector that waits for what was accepted spares the entry") \
    X(SPARED_BY_LAST_ONLY, "only another last read spares the entry") \
    X(SPARED_BY_NAME, "who reads another register of the same number does not spare the entry") \
    X(LAST_OF_ASKER, "of slots that share a register only the asking one's last read counts") \
    X(LAST_WITHOUT_SOURCE, "a slot without a source has a last read") \
    X(LIVENESS_ALWAYS, "last reads count without LIVENESS") \
    X(NUMBERS_HAVE_GAPS, "a register's number is its warp's and its own, side by side") \
    X(SHARERS_ASK, "each slot asks for itself") \
    X(CLEARED_WHEN_REFUSED, "the scoreboard is cleared by a result that is refused") \
    X(MASK_0_ASKS, "an instruction of no lane asks for its sources")
/* clang-format on */
enum { NO_LAPSE, PORT_LAPSES(JUDGE_NAME) STAGE_LAPSES(JUDGE_NAME) STAGE_LAPSE_COUNT };
static uint32_t lapse = NO_LAPSE;

typedef struct slow_cerf_stage {
    rf_cerf_stage_cfg cfg;
    slow_stage units;
    /* by collector and slot */
    uint32_t number[16][8], asker[16][8]; /* asker: the slot that asked for the register */
    bool last[16][8];
    uint32_t promised[16][8]; /* lanes of slow_slot.promised that somebody may read */
    uint64_t accepted[16][8]; /* when */
    uint32_t known[64][256];  /* lanes of the register that somebody may read */
    uint64_t now;
} slow_cerf_stage;

/* What a cycle shows: the units', and the ports to the memory. */
typedef struct slow_cerf_stage_turn {
    slow_cycle units;
    bool last[16][8], dead[16][8]; /* by collector and slot that asks: for the last time; and the entry dies */
    uint64_t rd_valid, rd_dead;
    uint16_t rd_number[64];
    uint8_t wr_valid;
    uint16_t wr_number[8];
    uint32_t wr_mask[8];
    rf_vec wr_data[8];
} slow_cerf_stage_turn;

/* The registers are elsewhere: one bank will do. */
static inline rf_banked_cfg units_cfg(const rf_cerf_stage_cfg *c) {
    return (rf_banked_cfg){.warps = c->warps,
                           .collectors = c->collectors,
                           .banks = 1,
                           .regs = c->regs,
                           .lanes = c->lanes,
                           .slots = c->slots,
                           .exports = c->exports,
                           .issues = c->issues,
                           .ports = 1,
                           .sched = c->sched,
                           .fetch = c->fetch,
                           .wbdepth = c->wbdepth};
}

static inline void cerf_stage_reset(slow_cerf_stage *s) {
    slow_reset(&s->units);
    memset(s->number, 0, sizeof s->number);
    memset(s->last, 0, sizeof s->last);
    for (uint32_t w = 0; w < s->cfg.warps; w++)
        for (uint32_t r = 0; r < s->cfg.regs; r++) s->known[w][r] = (uint32_t)ls_mask(s->cfg.lanes);
}

static inline void cerf_stage_start(slow_cerf_stage *s, const rf_cerf_stage_cfg *cfg) {
    memset(s, 0, sizeof *s);
    s->cfg = *cfg;
    s->units.cfg = units_cfg(cfg);
    cerf_stage_reset(s);
}

/* "number w * REGS + reg": "numbers have no gaps"; cut to the bits of WARPS x REGS. */
static inline uint32_t number_of(const rf_cerf_stage_cfg *cfg, uint32_t warp, uint32_t reg) {
    const uint32_t step = lapse == NUMBERS_HAVE_GAPS ? judge_codes(cfg->regs) : cfg->regs;
    if (lapse == NUMBERS_NOT_CUT) return (warp * step + reg) % (cfg->warps * cfg->regs);
    return (warp * step + reg) % judge_codes(cfg->warps * cfg->regs);
}

/* --- this cycle --------------------------------------------------------------------------------------------------------------
 */

/* "rd_last of an asking slot: one of the slots that share its register has its bit" */
static inline bool is_last(const slow_cerf_stage *s, uint32_t c, uint32_t k) {
    const slow_collector *of = &s->units.collector[c];
    bool last = s->last[c][k];
    for (uint32_t other = 0; other < s->cfg.slots && lapse != LAST_OF_ASKER; other++)
        if (of->slot[other].reg == of->slot[k].reg && (of->slot[other].state == WAITING || lapse == LAST_WITHOUT_SOURCE))
            last |= s->last[c][other];
    return last;
}

/* D-unread: "no collector but its own has yet to read that number". */
static inline bool has_other_reader(const slow_cerf_stage *s, uint32_t c, uint32_t k) {
    for (uint32_t o = 0; o < s->cfg.collectors; o++)
        for (uint32_t n = 0; n < s->cfg.slots; n++) {
            const slot_state state = s->units.collector[o].slot[n].state;
            const bool unread = state == WAITING || (state == ARRIVING && lapse == SPARED_BY_ACCEPTED);
            if (!unread || (o == c && (lapse != SPARED_BY_ITSELF || n == k))) continue;
            if (lapse == SPARED_BY_LAST_ONLY && !s->last[o][n]) continue;
            if (lapse == SPARED_BY_NAME && s->units.collector[o].slot[n].reg != s->units.collector[c].slot[k].reg) continue;
            if (s->number[o][n] == s->number[c][k]) return true;
        }
    return false;
}

static inline void show_reads(const slow_cerf_stage *s, slow_cerf_stage_turn *now) {
    for (uint32_t c = 0; c < s->cfg.collectors; c++)
        for (uint32_t k = 0; k < s->cfg.slots; k++) {
            const uint32_t r = c * s->cfg.slots + k;
            now->rd_number[r] = (uint16_t)s->number[c][k];
            if (lapse == SHARERS_ASK) now->units.asks[c][k] = s->units.collector[c].slot[k].state == WAITING;
            if (!now->units.asks[c][k]) continue;
            now->last[c][k] = is_last(s, c, k);
            now->dead[c][k] = now->last[c][k] && lapse != NEVER_DIES && (lapse == DIES_AT_ONCE || !has_other_reader(s, c, k));
            now->rd_valid |= UINT64_C(1) << r;
            if (now->dead[c][k]) now->rd_dead |= UINT64_C(1) << r;
        }
}

static inline void show_results(const slow_cerf_stage *s, slow_cerf_stage_turn *now) {
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        const slow_result *head = &s->units.queue[e].waiting[0];
        if (s->units.queue[e].length == 0) continue;
        now->wr_valid |= (uint8_t)(1u << e);
        now->wr_number[e] = (uint16_t)number_of(&s->cfg, head->warp, head->reg);
        now->wr_mask[e] = head->mask;
        memcpy(now->wr_data[e].lane, head->data, sizeof head->data);
    }
}

/* An operand counts as unread, for D-war, though its request was accepted. */
static inline void find_late_hazards(const slow_cerf_stage *s, const rf_stage_in *in, slow_cycle *now) {
    for (uint32_t w = 0; w < s->cfg.warps; w++)
        for (uint32_t c = 0; c < s->cfg.collectors; c++)
            for (uint32_t k = 0; k < s->cfg.slots; k++)
                if (now->ready[w] && in->ib_mask[w] != 0 && judge_bit(in->ib_dst_valid, w) &&
                    s->units.collector[c].slot[k].state == ARRIVING && s->units.collector[c].carried.warp == w &&
                    s->units.collector[c].slot[k].reg == in->ib_dst[w])
                    now->ready[w] = false;
}

/* All but what is accepted, which no output depends on. */
static inline void cerf_stage_comb(const slow_cerf_stage *s, const rf_stage_in *in, slow_cerf_stage_turn *now) {
    memset(now, 0, sizeof *now);
    find_hazards(&s->units, in, &now->units);
    if (lapse == READ_WHEN_IT_COMES) find_late_hazards(s, in, &now->units);
    issue(&s->units, &now->units);
    find_requests(&s->units, &now->units);
    dispatch(&s->units, in, &now->units);
    show_reads(s, now);
    show_results(s, now);
}

/* "rd_accept without rd_valid ... and wr_accept without wr_valid are ignored" */
static inline void take_accepted(const slow_cerf_stage *s, const rf_cerf_stage_in *in, slow_cerf_stage_turn *now) {
    for (uint32_t c = 0; c < s->cfg.collectors; c++)
        for (uint32_t k = 0; k < s->cfg.slots; k++)
            now->units.read[c][k] = now->units.asks[c][k] && judge_bit(in->rd_accept, c * s->cfg.slots + k);
    for (uint32_t e = 0; e < s->cfg.exports; e++)
        now->units.write[e] = s->units.queue[e].length > 0 && judge_bit(in->wr_accept, e);
}

/* --- the edge ----------------------------------------------------------------------------------------------------------------
 */

/* What the program means by a source: the register as it is now; after its last read it may be anything. */
static inline void promise_operands(slow_cerf_stage *s, const uint8_t *ib_last, const slow_cycle *now) {
    for (uint32_t c = 0; c < s->cfg.collectors; c++) {
        const uint32_t w = now->taken_by[c] != NONE ? now->goes[now->taken_by[c]] : NONE;
        for (uint32_t k = 0; k < s->cfg.slots && w != NONE; k++)
            s->promised[c][k] = s->known[w][s->units.collector[c].slot[k].reg];
        for (uint32_t k = 0; k < s->cfg.slots && w != NONE && s->cfg.liveness; k++)
            if (s->units.collector[c].slot[k].state == WAITING && judge_bit(ib_last[w], k))
                s->known[w][s->units.collector[c].slot[k].reg] = 0;
    }
}

static inline void fill_collector(slow_cerf_stage *s, const rf_cerf_stage_in *in, const slow_cycle *now, uint32_t which) {
    const uint32_t w = now->goes[now->taken_by[which]];
    const bool alive = in->ib_mask[w] != 0;
    slow_collector *c = &s->units.collector[which];
    c->busy = true;
    c->carried = judge_carried_of(&in->heads, w);
    c->carried.dst_valid = alive && c->carried.dst_valid;
    c->port = in->ib_port[w];
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        slow_slot *slot = &c->slot[k];
        const bool valid = (alive || lapse == MASK_0_ASKS) && judge_bit(in->ib_src_valid[w], k);
        slot->state = valid ? WAITING : EMPTY;
        slot->reg = in->ib_src[w * s->cfg.slots + k];
        s->number[which][k] = number_of(&s->cfg, w, slot->reg);
        s->last[which][k] = (valid || lapse == LAST_WITHOUT_SOURCE) && judge_bit(in->ib_last[w], k) &&
                            (s->cfg.liveness || lapse == LIVENESS_ALWAYS);
        memcpy(slot->promised, s->units.reg[w][slot->reg], sizeof slot->promised);
    }
}

/* The slot becomes what accept and fill make of it; `asker` asks for its register now. */
static inline void clock_slot(slow_cerf_stage *s, const rf_cerf_stage_in *in, const slow_cerf_stage_turn *now, uint32_t c,
                              uint32_t k, uint32_t asker) {
    slow_slot *slot = &s->units.collector[c].slot[k];
    const uint32_t first = c * s->cfg.slots;
    const bool stray_accept = lapse == STRAY_ACCEPT_COUNTS && judge_bit(in->rd_accept, first + k);
    const bool accepted = now->units.read[c][asker] && (lapse != UNREAD_IF_SHARED || asker == k);
    bool comes = slot->state == ARRIVING && judge_bit(in->rd_fill, first + s->asker[c][k]);
    uint32_t whose = s->asker[c][k];
    if (lapse == STRAY_FILL_COUNTS && slot->state == ARRIVING && judge_bit(in->rd_fill, first + k)) comes = true, whose = k;
    if (lapse == FILLED_TWICE && slot->state == HERE) comes = judge_bit(in->rd_fill, first + whose);
    if (slot->state == WAITING && (accepted || stray_accept)) {
        slot->state = ARRIVING;
        whose = s->asker[c][k] = accepted ? asker : k;
        s->accepted[c][k] = s->now;
        comes = lapse == FILLED_WHEN_ACCEPTED && judge_bit(in->rd_fill, first + whose);
    }
    if (!comes) return;
    slot->state = HERE;
    memcpy(slot->data, in->rd_data[first + whose].lane, sizeof slot->data);
}

static inline void clock_miss_collector(slow_cerf_stage *s, const rf_cerf_stage_in *in, const slow_cerf_stage_turn *now,
                                        uint32_t which) {
    slow_collector *c = &s->units.collector[which];
    uint32_t asker[8];
    for (uint32_t k = 0; k < s->cfg.slots; k++) asker[k] = lapse == SHARERS_ASK ? k : reader_of(c, k);
    for (uint32_t k = 0; k < s->cfg.slots; k++) clock_slot(s, in, now, which, k, asker[k]);
    if (!now->units.leaves[which]) return;
    c->busy = false;
    for (uint32_t k = 0; k < s->cfg.slots; k++) c->slot[k].state = EMPTY;
}

/* Results that the memory accepted are what the program means from here on. */
static inline void note_results(slow_cerf_stage *s, const slow_cycle *now) {
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        const slow_result *r = &s->units.queue[e].waiting[0];
        if (!now->write[e]) continue;
        s->known[r->warp][r->reg] |= r->mask;
        for (uint32_t lane = 0; lane < s->cfg.lanes; lane++)
            if (judge_bit(r->mask, lane)) s->units.reg[r->warp][r->reg][lane] = r->data[lane];
    }
}

/* "its places in banks are not used" */
static inline void clock_unplaced_queue(slow_cerf_stage *s, const rf_stage_in *in, const slow_cycle *now, uint32_t e) {
    slow_queue *q = &s->units.queue[e];
    const uint64_t pushed = q->pushed;
    clock_queue(&s->units, in, now, e);
    if (q->pushed == pushed) return;
    q->waiting[q->length - 1].bank = q->waiting[q->length - 1].row = 0;
    q->stored[pushed % s->cfg.wbdepth].bank = q->stored[pushed % s->cfg.wbdepth].row = 0;
}

static inline void cerf_stage_clock(slow_cerf_stage *s, const rf_cerf_stage_in *in, const slow_cerf_stage_turn *now) {
    slow_stage *units = &s->units;
    clock_schedulers(units, &in->stage, &now->units);
    for (uint32_t c = 0; c < s->cfg.collectors; c++) {
        clock_miss_collector(s, in, now, c);
        if (now->units.taken_by[c] != NONE) fill_collector(s, in, &now->units, c);
    }
    note_results(s, &now->units);
    for (uint32_t e = 0; e < s->cfg.exports && lapse == CLEARED_WHEN_REFUSED; e++) {
        const slow_result *r = &units->queue[e].waiting[0];
        if (units->queue[e].length > 0 && in_range(units, r->warp, r->reg)) units->pending[r->warp][r->reg] = false;
    }
    clock_scoreboard(units, &now->units);
    clock_dispatch(units, &in->stage, &now->units);
    for (uint32_t e = 0; e < s->cfg.exports; e++) clock_unplaced_queue(s, &in->stage, &now->units, e);
    promise_operands(s, in->ib_last, &now->units);
    s->now++;
}

/* --- the comparer ------------------------------------------------------------------------------------------------------------
 */

/* What the whole stage is for: operands are the registers as the program's order has them. */
static inline void compare_with_program(judge *j, const slow_cerf_stage *s, const slow_cycle *now, const rf_stage_out *out,
                                        uint64_t *checked) {
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        const uint32_t c = now->offered[e];
        for (uint32_t k = 0; c != NONE && k < s->cfg.slots; k++) {
            const slow_slot *slot = &s->units.collector[c].slot[k];
            for (uint32_t l = 0; l < s->cfg.lanes && slot->state == HERE; l++) {
                if (!judge_bit(s->promised[c][k], l)) continue;
                judge_equal(j, "operand of the program", k, out->ex_data[e * s->cfg.slots + k].lane[l], slot->promised[l]);
                ++*checked;
            }
        }
    }
}

static inline void compare_cerf_stage_out(judge *j, const slow_cerf_stage *s, const slow_cerf_stage_turn *now,
                                          const rf_cerf_stage_out *out) {
    compare_out(j, &s->units, &now->units, &out->stage);
    judge_equal(j, "rd_valid", 0, out->rd_valid, now->rd_valid);
    judge_equal(j, "rd_dead", 0, out->rd_dead, now->rd_dead);
    for (uint32_t r = 0; r < s->cfg.collectors * s->cfg.slots; r++)
        judge_equal(j, "rd_number", r, out->rd_number[r], now->rd_number[r]);
    judge_equal(j, "wr_valid", 0, out->wr_valid, now->wr_valid);
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        judge_equal(j, "wr_number", e, out->wr_number[e], now->wr_number[e]);
        judge_equal(j, "wr_mask", e, out->wr_mask[e], now->wr_mask[e]);
        judge_words(j, "wr_data", e, out->wr_data[e].lane, now->wr_data[e].lane, 32);
    }
}

static inline void compare_cerf_stage_wires(judge *j, const slow_cerf_stage *s, const slow_cerf_stage_turn *now,
                                            const rf_cerf_stage_wires *w) {
    bool last[64] = {false};
    compare_stage_wires(j, &s->units, &now->units, w->ready, w->hazard, w->chosen, &w->alloc, w->busy, w->collected,
                        &w->dispatch);
    for (uint32_t r = 0; r < s->cfg.collectors * s->cfg.slots; r++) {
        last[r] = now->last[r / s->cfg.slots][r % s->cfg.slots];
        judge_equal(j, "number", r, w->number[r], now->rd_number[r]);
    }
    judge_equal(j, "rd_last", 0, w->rd_last, judge_pack(last, s->cfg.collectors * s->cfg.slots));
    judge_equal(j, "rd_dead", 0, w->rd_dead, now->rd_dead);
}

static inline void compare_miss_collectors(judge *j, const slow_cerf_stage *s, const rf_miss_ocu *ocu) {
    for (uint32_t i = 0; i < s->cfg.collectors; i++) {
        const slow_collector *c = &s->units.collector[i];
        const rf_miss_ocu *u = &ocu[i];
        bool valid[8] = {false}, waits[8] = {false}, here[8] = {false};
        for (uint32_t k = 0; k < s->cfg.slots; k++) {
            const uint32_t r = i * s->cfg.slots + k;
            valid[k] = c->slot[k].state != EMPTY;
            waits[k] = c->slot[k].state == ARRIVING;
            here[k] = c->slot[k].state == HERE;
            judge_equal(j, "ocu.src_q", r, u->src_q[k], c->slot[k].reg);
            judge_equal(j, "ocu.number_q", r, u->number_q[k], s->number[i][k]);
            judge_words(j, "ocu.data_q", r, u->data_q[k].lane, c->slot[k].data, 32);
        }
        judge_equal(j, "ocu.busy_q", i, u->busy_q, c->busy);
        judge_equal(j, "ocu.port_q", i, u->port_q, c->port);
        judge_carried(j, i, &u->carried_q, &c->carried);
        judge_equal(j, "ocu.src_valid_q", i, u->src_valid_q, judge_pack(valid, s->cfg.slots));
        judge_equal(j, "ocu.last_q", i, u->last_q, judge_pack(s->last[i], s->cfg.slots));
        judge_equal(j, "ocu.wait_q", i, u->wait_q, judge_pack(waits, s->cfg.slots));
        judge_equal(j, "ocu.ready_q", i, u->ready_q, judge_pack(here, s->cfg.slots));
    }
}

/* Every register. */
static inline void compare_cerf_stage_state(judge *j, const slow_cerf_stage *s, const rf_cerf_stage *m) {
    const rf_banked *u = &m->units;
    compare_schedulers(j, &s->units, u->gto, u->lrr, u->groups);
    compare_miss_collectors(j, s, m->ocu);
    compare_queues(j, &s->units, u);
    compare_scoreboard(j, &s->units, &u->scoreboard);
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        for (uint32_t i = 0; i < s->cfg.wbdepth; i++)
            judge_equal(j, "wbq.note_q", e * s->cfg.wbdepth + i, u->wbq[e].note_q[i], 0);
        judge_equal(j, "dispatch.rr.mask_q", e, u->dispatch.rr[e].mask_q,
                    judge_above(s->units.last_dispatch[e], s->cfg.collectors));
    }
}

#endif
