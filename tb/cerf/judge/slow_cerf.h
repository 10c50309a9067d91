/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model of rf_cerf and its comparer: the stage of judge_stage.h, collectors whose operands come late, the memory of
 * slow_memory.h; with INTEGRATED 0 the stage of judge_banked.h beside a memory that only the load/store unit uses. `lapse` breaks
 * one rule of the system at a time. */
#ifndef RF_SLOW_CERF_H
#define RF_SLOW_CERF_H

#include "cmodel/cerf/rf_cerf.h"

#include "tb/banked/judge/judge_banked.h"
#include "tb/cerf/judge/slow_memory.h"
#include "tb/common/judge/judge_fields.h"

/* clang-format off */
#define LAPSES(X) \
    X(NO_LAPSE, "no lapse") \
    X(READ_WHEN_IT_COMES, "an operand counts as unread until it has come") \
    X(UNREAD_WHEN_REFUSED, "an operand counts as read when its request is granted, refused or not") \
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
    X(MASK_0_ASKS, "an instruction of no lane asks for its sources") \
    X(L1D_HAS_POLICY, "INTEGRATED 0: POLICY counts") \
    X(L1D_RESERVES, "INTEGRATED 0: an MSHR is reserved for registers") \
    X(NOTHING_RESERVED, "no MSHR is reserved") \
    X(RESULTS_TO_L1D, "INTEGRATED 0: results go to the L1D, too")
/* clang-format on */
enum { LAPSES(JUDGE_NAME) LAPSE_COUNT };
static const char *const lapse_names[LAPSE_COUNT] = {LAPSES(JUDGE_TEXT)};
static uint32_t lapse = NO_LAPSE;

typedef struct slow_cerf {
    rf_cerf_cfg cfg;
    slow_stage stage;
    slow_memory memory;
    /* by collector and slot */
    uint32_t number[16][8], asker[16][8]; /* asker: the slot that asked for the register */
    bool last[16][8];
    uint32_t promised[16][8]; /* lanes of slow_slot.promised that somebody may read */
    uint64_t accepted[16][8]; /* when */
    uint32_t known[64][256];  /* lanes of the register that somebody may read */
    uint64_t now;
} slow_cerf;

typedef struct slow_cerf_turn {
    slow_cycle stage;
    bool last[16][8], dead[16][8]; /* by collector and slot that asks: for the last time; and the entry dies */
    rf_cerf_memory_in in;
    slow_memory_turn memory;
} slow_cerf_turn;

static inline rf_banked_cfg stage_cfg(const rf_cerf_cfg *c) {
    return (rf_banked_cfg){.warps = c->warps,
                           .collectors = c->collectors,
                           .banks = c->banks,
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

/* INTEGRATED 0: policy "counts for nothing". No MSHR is kept for registers where there are none, or none that misses. */
static inline rf_cerf_memory_cfg memory_cfg(const rf_cerf_cfg *c) {
    return (rf_cerf_memory_cfg){.collectors = c->collectors,
                                .slots = c->slots,
                                .writers = c->exports,
                                .registers = c->warps * c->regs,
                                .banks = c->banks,
                                .sets = c->sets,
                                .ways = c->ways,
                                .lanes = c->lanes,
                                .line_w = RF_CERF_LINE_W,
                                .prefix = c->prefix,
                                .mshrs = c->mshrs,
                                .targets = c->targets,
                                .queue = c->queue,
                                .reserve = lapse == NOTHING_RESERVED ? 0
                                           : lapse == L1D_RESERVES   ? 1
                                                                     : c->integrated && c->policy != RF_POLICY_REGISTERS,
                                .policy = c->integrated || lapse == L1D_HAS_POLICY ? c->policy : RF_POLICY_FAIR};
}

static inline void cerf_reset(slow_cerf *s) {
    slow_reset(&s->stage);
    slow_memory_reset(&s->memory);
    memset(s->number, 0, sizeof s->number);
    memset(s->last, 0, sizeof s->last);
    for (uint32_t w = 0; w < s->cfg.warps; w++)
        for (uint32_t r = 0; r < s->cfg.regs; r++) s->known[w][r] = (uint32_t)ls_mask(s->cfg.lanes);
}

static inline void cerf_start(slow_cerf *s, const rf_cerf_cfg *cfg) {
    const rf_cerf_memory_cfg memory = memory_cfg(cfg);
    memset(s, 0, sizeof *s);
    s->cfg = *cfg;
    s->stage.cfg = stage_cfg(cfg);
    slow_memory_start(&s->memory, &memory);
    cerf_reset(s);
}

/* "number w * REGS + reg": "numbers have no gaps"; cut to the bits of WARPS x REGS. */
static inline uint32_t number_of(const rf_cerf_cfg *cfg, uint32_t warp, uint32_t reg) {
    const uint32_t step = lapse == NUMBERS_HAVE_GAPS ? judge_codes(cfg->regs) : cfg->regs;
    return (warp * step + reg) % judge_codes(cfg->warps * cfg->regs);
}

/* --- this cycle --------------------------------------------------------------------------------------------------------------
 */

/* "rd_last of an asking slot: one of the slots that share its register has its bit" */
static inline bool is_last(const slow_cerf *s, uint32_t c, uint32_t k) {
    const slow_collector *of = &s->stage.collector[c];
    bool last = s->last[c][k];
    for (uint32_t other = 0; other < s->cfg.slots && lapse != LAST_OF_ASKER; other++)
        if (of->slot[other].reg == of->slot[k].reg && (of->slot[other].state == WAITING || lapse == LAST_WITHOUT_SOURCE))
            last |= s->last[c][other];
    return last;
}

/* D-last: "if another collector still has to read the register, the entry does not die". */
static inline bool has_other_reader(const slow_cerf *s, uint32_t c, uint32_t k) {
    for (uint32_t o = 0; o < s->cfg.collectors; o++)
        for (uint32_t n = 0; n < s->cfg.slots; n++) {
            const slot_state state = s->stage.collector[o].slot[n].state;
            const bool unread = state == WAITING || (state == ARRIVING && lapse == SPARED_BY_ACCEPTED);
            if (!unread || (o == c && (lapse != SPARED_BY_ITSELF || n == k))) continue;
            if (lapse == SPARED_BY_LAST_ONLY && !s->last[o][n]) continue;
            if (lapse == SPARED_BY_NAME && s->stage.collector[o].slot[n].reg != s->stage.collector[c].slot[k].reg) continue;
            if (s->number[o][n] == s->number[c][k]) return true;
        }
    return false;
}

static inline void show_reads(const slow_cerf *s, slow_cerf_turn *now) {
    for (uint32_t c = 0; c < s->cfg.collectors; c++)
        for (uint32_t k = 0; k < s->cfg.slots; k++) {
            const uint32_t r = c * s->cfg.slots + k;
            if (lapse == SHARERS_ASK) now->stage.asks[c][k] = s->stage.collector[c].slot[k].state == WAITING;
            if (!now->stage.asks[c][k]) continue;
            now->last[c][k] = is_last(s, c, k);
            now->dead[c][k] = now->last[c][k] && lapse != NEVER_DIES && (lapse == DIES_AT_ONCE || !has_other_reader(s, c, k));
            now->in.rd_valid |= UINT64_C(1) << r;
            now->in.rd_number[r] = (uint16_t)s->number[c][k];
            if (now->dead[c][k]) now->in.rd_dead |= UINT64_C(1) << r;
        }
}

static inline void show_results(const slow_cerf *s, slow_cerf_turn *now) {
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        const slow_result *head = &s->stage.queue[e].waiting[0];
        if (s->stage.queue[e].length == 0) continue;
        now->in.wr_valid |= (uint8_t)(1u << e);
        now->in.wr_number[e] = (uint16_t)number_of(&s->cfg, head->warp, head->reg);
        now->in.wr_mask[e] = head->mask;
        memcpy(now->in.wr_data[e].lane, head->data, sizeof head->data);
    }
}

static inline void show_memory(const rf_cerf_in *in, rf_cerf_memory_in *to) {
    to->mem_valid = in->mem_valid, to->mem_op = in->mem_op, to->mem_line = in->mem_line, to->mem_way = in->mem_way;
    to->mem_id = in->mem_id, to->mem_mask = in->mem_mask, to->mem_data = in->mem_data;
    to->l2_ready = in->l2_ready, to->fill_valid = in->fill_valid, to->fill_bank = in->fill_bank;
    to->fill_entry = in->fill_entry, to->fill_data = in->fill_data;
}

/* An operand counts as unread, for D-war, though its request was accepted. */
static inline void find_late_hazards(const slow_cerf *s, const rf_cerf_in *in, slow_cycle *now) {
    for (uint32_t w = 0; w < s->cfg.warps; w++)
        for (uint32_t c = 0; c < s->cfg.collectors; c++)
            for (uint32_t k = 0; k < s->cfg.slots; k++)
                if (now->ready[w] && in->ib_mask[w] != 0 && judge_bit(in->ib_dst_valid, w) &&
                    s->stage.collector[c].slot[k].state == ARRIVING && s->stage.collector[c].carried.warp == w &&
                    s->stage.collector[c].slot[k].reg == in->ib_dst[w])
                    now->ready[w] = false;
}

static inline void cerf_comb(const slow_cerf *s, const rf_cerf_in *in, slow_cerf_turn *now) {
    memset(now, 0, sizeof *now);
    show_memory(in, &now->in);
    if (!s->cfg.integrated) {
        slow_comb(&s->stage, (const rf_banked_in *)&in->stage, &now->stage);
        if (lapse == RESULTS_TO_L1D) show_results(s, now);
        slow_memory_comb(&s->memory, &now->in, &now->memory);
        return;
    }
    find_hazards(&s->stage, &in->stage, &now->stage);
    if (lapse == READ_WHEN_IT_COMES) find_late_hazards(s, in, &now->stage);
    issue(&s->stage, &now->stage);
    find_requests(&s->stage, &now->stage);
    dispatch(&s->stage, &in->stage, &now->stage);
    show_reads(s, now);
    show_results(s, now);
    slow_memory_comb(&s->memory, &now->in, &now->memory);
    for (uint32_t c = 0; c < s->cfg.collectors; c++)
        for (uint32_t k = 0; k < s->cfg.slots; k++)
            now->stage.read[c][k] = judge_bit(now->memory.out.rd_accept, c * s->cfg.slots + k);
    for (uint32_t e = 0; e < s->cfg.exports; e++) now->stage.write[e] = judge_bit(now->memory.out.wr_accept, e);
}

/* --- the edge ----------------------------------------------------------------------------------------------------------------
 */

/* What the program means by a source: the register as it is now; after its last read it may be anything. */
static inline void promise_operands(slow_cerf *s, const rf_cerf_in *in, uint32_t c, uint32_t w) {
    for (uint32_t k = 0; k < s->cfg.slots; k++) s->promised[c][k] = s->known[w][s->stage.collector[c].slot[k].reg];
    for (uint32_t k = 0; k < s->cfg.slots && s->cfg.integrated; k++)
        if (s->stage.collector[c].slot[k].state == WAITING && judge_bit(in->ib_last[w], k) && s->cfg.liveness)
            s->known[w][s->stage.collector[c].slot[k].reg] = 0;
}

static inline void fill_collector(slow_cerf *s, const rf_cerf_in *in, const slow_cerf_turn *now, uint32_t which) {
    const uint32_t w = now->stage.goes[now->stage.taken_by[which]];
    const bool alive = in->ib_mask[w] != 0;
    slow_collector *c = &s->stage.collector[which];
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
        memcpy(slot->promised, s->stage.reg[w][slot->reg], sizeof slot->promised);
    }
}

static inline void clock_miss_collector(slow_cerf *s, const slow_cerf_turn *now, uint32_t which) {
    slow_collector *c = &s->stage.collector[which];
    uint32_t asker[8];
    for (uint32_t k = 0; k < s->cfg.slots; k++) asker[k] = lapse == SHARERS_ASK ? k : reader_of(c, k);
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        slow_slot *slot = &c->slot[k];
        const uint32_t reader = which * s->cfg.slots + s->asker[which][k];
        const bool granted = now->memory.granted[asked_bank(&s->memory, &now->in, which * s->cfg.slots + asker[k])] ==
                             which * s->cfg.slots + asker[k];
        if (slot->state == ARRIVING && judge_bit(now->memory.out.rd_fill, reader)) {
            slot->state = HERE;
            memcpy(slot->data, now->memory.out.rd_data[reader].lane, sizeof slot->data);
        } else if (slot->state == WAITING && (now->stage.read[which][asker[k]] || (lapse == UNREAD_WHEN_REFUSED && granted))) {
            slot->state = ARRIVING;
            s->asker[which][k] = asker[k];
            s->accepted[which][k] = s->now;
        }
        if (now->stage.leaves[which]) slot->state = EMPTY;
    }
    if (now->stage.leaves[which]) c->busy = false;
}

/* Results that the memory accepted are what the program means from here on. */
static inline void note_results(slow_cerf *s, const slow_cerf_turn *now) {
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        const slow_result *r = &s->stage.queue[e].waiting[0];
        if (!now->stage.write[e]) continue;
        s->known[r->warp][r->reg] |= r->mask;
        words_copy(s->stage.reg[r->warp][r->reg], r->data, r->mask);
    }
}

static inline void clock_integrated(slow_cerf *s, const rf_cerf_in *in, slow_cerf_turn *now) {
    slow_stage *stage = &s->stage;
    clock_schedulers(stage, &in->stage, &now->stage);
    for (uint32_t c = 0; c < s->cfg.collectors; c++) {
        clock_miss_collector(s, now, c);
        if (now->stage.taken_by[c] != NONE) fill_collector(s, in, now, c);
    }
    note_results(s, now);
    if (lapse == CLEARED_WHEN_REFUSED)
        for (uint32_t e = 0; e < s->cfg.exports; e++) {
            const slow_result *r = &stage->queue[e].waiting[0];
            if (stage->queue[e].length > 0 && in_range(stage, r->warp, r->reg)) stage->pending[r->warp][r->reg] = false;
        }
    clock_scoreboard(stage, &now->stage);
    clock_dispatch(stage, &in->stage, &now->stage);
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        slow_queue *q = &stage->queue[e];
        const uint64_t pushed = q->pushed;
        clock_queue(stage, &in->stage, &now->stage, e);
        if (q->pushed == pushed) continue; /* "its places in banks are not used" */
        q->waiting[q->length - 1].bank = q->waiting[q->length - 1].row = 0;
        q->stored[pushed % s->cfg.wbdepth].bank = q->stored[pushed % s->cfg.wbdepth].row = 0;
    }
}

static inline void cerf_clock(slow_cerf *s, const rf_cerf_in *in, slow_cerf_turn *now) {
    if (s->cfg.integrated) clock_integrated(s, in, now);
    else slow_clock(&s->stage, (const rf_banked_in *)&in->stage, &now->stage);
    slow_memory_clock(&s->memory, &now->in, &now->memory);
    for (uint32_t c = 0; c < s->cfg.collectors; c++)
        if (now->stage.taken_by[c] != NONE) promise_operands(s, in, c, now->stage.goes[now->stage.taken_by[c]]);
    s->now++;
}

/* --- the comparer ------------------------------------------------------------------------------------------------------------
 */

static inline void compare_cerf_out(judge *j, const slow_cerf *s, const slow_cerf_turn *now, const rf_cerf_out *out) {
    const rf_cerf_memory_out *m = &now->memory.out;
    compare_out(j, &s->stage, &now->stage, &out->stage);
    judge_equal(j, "mem_accept", 0, out->mem_accept, m->mem_accept);
    judge_equal(j, "ld_valid", 0, out->ld_valid, m->ld_valid);
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        judge_equal(j, "ld_id", b, out->ld_id[b], m->ld_id[b]);
        judge_words(j, "ld_data", b, out->ld_data[b].lane, m->ld_data[b].lane, 32);
    }
    judge_equal(j, "l2_valid", 0, out->l2_valid, m->l2_valid);
    judge_equal(j, "l2_op", 0, out->l2_op, m->l2_op);
    judge_equal(j, "l2_line", 0, out->l2_line, m->l2_line);
    judge_equal(j, "l2_bank", 0, out->l2_bank, m->l2_bank);
    judge_equal(j, "l2_entry", 0, out->l2_entry, m->l2_entry);
    judge_equal(j, "l2_mask", 0, out->l2_mask, m->l2_mask);
    judge_words(j, "l2_data", 0, out->l2_data.lane, m->l2_data.lane, 32);
    judge_equal(j, "fill_ready", 0, out->fill_ready, m->fill_ready);
}

static inline void compare_cerf_wires(judge *j, const slow_cerf *s, const slow_cerf_turn *now, const rf_cerf_out *out) {
    const rf_cerf_wires *w = &out->wires;
    bool last[64] = {false};
    compare_memory_wires(j, &s->memory, &now->memory, &now->in, &w->memory);
    if (!s->cfg.integrated) {
        compare_wires(j, &s->stage, &now->stage, &out->separate.wires);
        return;
    }
    compare_stage_wires(j, &s->stage, &now->stage, w->ready, w->hazard, w->chosen, &w->alloc, w->busy, w->collected,
                        &w->dispatch);
    for (uint32_t r = 0; r < s->cfg.collectors * s->cfg.slots; r++) {
        last[r] = now->last[r / s->cfg.slots][r % s->cfg.slots];
        if (judge_bit(now->in.rd_valid, r)) judge_equal(j, "number", r, w->number[r], now->in.rd_number[r]);
    }
    judge_equal(j, "rd_last", 0, w->rd_last, judge_pack(last, s->cfg.collectors * s->cfg.slots));
    judge_equal(j, "rd_dead", 0, w->rd_dead, now->in.rd_dead);
    judge_equal(j, "rd_accept", 0, w->rd_accept, now->memory.out.rd_accept);
    judge_equal(j, "wr_accept", 0, w->wr_accept, now->memory.out.wr_accept);
}

static inline void compare_miss_collectors(judge *j, const slow_cerf *s, const rf_miss_ocu *ocu) {
    for (uint32_t i = 0; i < s->cfg.collectors; i++) {
        const slow_collector *c = &s->stage.collector[i];
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

/* Every register of the stage, but the contents of the banks. */
static inline void compare_cerf_stage(judge *j, const slow_cerf *s, const rf_cerf *m) {
    const rf_banked *b = &m->stage;
    if (!s->cfg.integrated) {
        compare_state(j, &s->stage, b);
        return;
    }
    compare_schedulers(j, &s->stage, b->gto, b->lrr, b->groups);
    compare_miss_collectors(j, s, m->ocu);
    compare_queues(j, &s->stage, b);
    compare_scoreboard(j, &s->stage, &b->scoreboard);
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        for (uint32_t i = 0; i < s->cfg.wbdepth; i++)
            judge_equal(j, "wbq.note_q", e * s->cfg.wbdepth + i, b->wbq[e].note_q[i], 0);
        judge_equal(j, "dispatch.rr.mask_q", e, b->dispatch.rr[e].mask_q,
                    judge_above(s->stage.last_dispatch[e], s->cfg.collectors));
    }
}

#endif
