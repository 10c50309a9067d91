/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model of rf_wir: what is decided in a cycle, and the edge. */
#ifndef RF_JUDGE_WIR_H
#define RF_JUDGE_WIR_H

#include "tb/wir/judge/judge_wir_tables.h"

static inline void wir_reset(slow_wir *s) {
    static slow_wir old;
    const rf_wir_cfg *cfg = &s->cfg;
    memcpy(&old, s, sizeof old);
    memset(s, 0, sizeof *s);
    s->cfg = old.cfg;
    s->stage.cfg = old.stage.cfg;
    memcpy(s->value, old.value, sizeof s->value);
    slow_reset(&s->stage);
    s->lfsr = 0xace1; /* docs/units/rf_wir_reuse.md */
    for (uint32_t g = 0; g < cfg->issues; g++) {
        s->last_take[g] = s->last_read[g] = s->last_retire[g] = cfg->exports - 1;
        s->last_port[g] = 2;
    }
    for (uint32_t b = 0; b < cfg->banks; b++) {
        s->last_reader[b] = cfg->collectors + (cfg->reuse != 0 ? cfg->issues : 0) - 1;
        s->last_writer[b] = (cfg->reuse != 0 ? cfg->issues : cfg->exports) - 1;
    }
}

static inline void wir_begin(slow_wir *s, const rf_wir_cfg *cfg) {
    memset(s, 0, sizeof *s);
    s->cfg = *cfg;
    s->stage.cfg = (rf_banked_cfg){cfg->warps,  cfg->collectors, cfg->banks, cfg->regs,  cfg->lanes,   cfg->slots, cfg->exports,
                                   cfg->issues, cfg->ports,      cfg->sched, cfg->fetch, cfg->wbdepth, 0};
    wir_reset(s);
}

/* --- one cycle ---------------------------------------------------------------------------------------------------------------
 */

static inline void look_up(const slow_wir *s, const rf_wir_in *in, slow_turn *now) {
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        now->retry[g] = !s->reuse[g].valid && s->cfg.retry != 0 && s->queued[g] > 0;
        now->lane[g] = now->retry[g] ? s->queue[g][0] : s->reuse[g];
        now->collector[g] = NONE;
        const slow_instr *i = &now->lane[g];
        if (!i->valid) continue;
        ask_guard(s, in, i, &now->allow[g], &now->tag_block[g], &now->tag_barrier[g]);
        now->looks[g] = i->look && now->allow[g];
        if (!now->looks[g]) continue;
        now->index[g] = place_of(s, i->opcode, i->operand, now->tag_block[g], now->tag_barrier[g]);
        const slow_entry *e = &s->entry[now->index[g]];
        const bool same = e->valid && same_tag(s, e, i, now->tag_block[g], now->tag_barrier[g]);
        now->hit[g] = same && !e->pending;
        now->wait[g] = same && e->pending;
        now->found[g] = e->result;
    }
}

static inline bool shares(const slow_verifier *v) {
    return v->state == RF_VERIFY_SHARE || (v->state == RF_VERIFY_CHECK && v->late.op == RF_RESULT_VERIFY &&
                                           memcmp(v->coming, v->late.data, sizeof v->coming) == 0);
}

static inline bool head_of_group(const slow_wir *s, uint32_t e, uint32_t g, uint32_t op, uint32_t other) {
    const slow_late *head = &s->result[e][0];
    return s->results[e] > 0 && head->warp % s->cfg.issues == g && (head->op == op || head->op == other);
}

/* Who has the rename ports, what wants to retire and to be verified. */
static inline void find_ends(const slow_wir *s, slow_turn *now) {
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        bool wish[3] = {now->hit[g], false, false}, asks[8] = {false};
        bool share = false;
        now->late_from[g] = now->read_port[g] = now->read_to[g] = NONE;
        now->walk_warp[g] = marked(s, g);
        now->walk_reg[g] = now->walk_warp[g] != NONE ? lowest_mapped(s, now->walk_warp[g]) : NOBODY;
        wish[1] = now->walk_reg[g] != NOBODY;
        for (uint32_t v = s->cfg.verifiers; v-- > 0;) {
            const slow_verifier *u = &s->verifier[g][v];
            if (u->state == RF_VERIFY_IDLE) now->read_to[g] = v;
            if (!shares(u) && u->state != RF_VERIFY_WRITE) continue;
            now->late_from[g] = 8 + v;
            now->late[g] = u->late;
            share = shares(u);
            if (share) now->late[g].preg = u->late.cand;
        }
        for (uint32_t e = 0; e < s->cfg.exports; e++) asks[e] = head_of_group(s, e, g, RF_RESULT_WRITE, RF_RESULT_SHARE);
        const uint32_t e = judge_walk(s->last_retire[g], asks, s->cfg.exports);
        if (now->late_from[g] == NONE && e < s->cfg.exports) {
            now->late_from[g] = e;
            now->late[g] = s->result[e][0];
            share = now->late[g].op == RF_RESULT_SHARE;
        }
        wish[2] = now->late_from[g] != NONE;
        now->port[g] = judge_walk(s->last_port[g], wish, 3);
        now->wished[g] = (uint32_t)wish[0] + wish[1] + wish[2];
        now->writes[g] = now->port[g] == 2 && !share;
        now->retires[g] = now->port[g] == 2 && share;
        for (uint32_t p = 0; p < s->cfg.exports; p++) {
            asks[p] = head_of_group(s, p, g, RF_RESULT_VERIFY, RF_RESULT_MERGE) && now->read_to[g] != NONE;
            asks[p] = asks[p] && !(s->result[p][0].cand < s->cfg.pregs && s->unwritten[s->result[p][0].cand]);
        }
        const uint32_t p = judge_walk(s->last_read[g], asks, s->cfg.exports);
        if (p < s->cfg.exports) now->read_port[g] = p;
    }
}

static inline void arbitrate(const slow_wir *s, slow_turn *now) {
    const rf_wir_cfg *cfg = &s->cfg;
    const bool on = cfg->reuse != 0;
    const uint32_t writers = on ? cfg->issues : cfg->exports, readers = cfg->collectors + (on ? cfg->issues : 0);
    find_requests(&s->stage, &now->stage);
    for (uint32_t b = 0; b < cfg->banks; b++) {
        bool asks[32] = {false};
        now->reader[b] = now->writer[b] = now->reader_slot[b] = NONE;
        for (uint32_t w = 0; w < writers; w++)
            asks[w] = on ? now->writes[w] && now->late[w].preg % cfg->banks == b
                         : s->results[w] > 0 && s->result[w][0].preg % cfg->banks == b;
        const uint32_t w = judge_walk(s->last_writer[b], asks, writers);
        if (w < writers) {
            now->writer[b] = w;
            if (on) now->retires[w] = true;
            else now->queue_writes[w] = true;
            if (cfg->ports == 1) continue;
        }
        for (uint32_t r = 0; r < readers; r++) {
            asks[r] = false;
            for (uint32_t k = 0; k < cfg->slots && r < cfg->collectors; k++)
                asks[r] |= now->stage.asks[r][k] && s->stage.collector[r].slot[k].bank == b;
            if (r >= cfg->collectors && now->read_port[r - cfg->collectors] != NONE)
                asks[r] = s->result[now->read_port[r - cfg->collectors]][0].cand % cfg->banks == b;
        }
        const uint32_t r = judge_walk(s->last_reader[b], asks, readers);
        if (r == readers) continue;
        now->reader[b] = r;
        if (r >= cfg->collectors) {
            now->reads[r - cfg->collectors] = true;
            continue;
        }
        uint32_t k = 0;
        while (!now->stage.asks[r][k] || s->stage.collector[r].slot[k].bank != b) k++;
        now->reader_slot[b] = k;
        now->stage.read[r][k] = true;
    }
}

/* What is to be done with the result at the end of a pipe; true when it needs a new register. */
static inline bool decide(const slow_wir *s, slow_turn *now, uint32_t g, slow_late *late) {
    rf_vec data;
    late->partial = late->mask != all_lanes(s);
    late->in_place = false;
    late->op = RF_RESULT_WRITE;
    if (late->partial) {
        if (late->info.old_valid && late->info.old_pin) {
            late->in_place = true;
            late->preg = late->info.old_preg;
            return false;
        }
        if (late->info.old_valid) {
            late->op = RF_RESULT_MERGE;
            late->cand = late->info.old_preg;
            return true;
        }
        for (uint32_t lane = 0; lane < 32; lane++)
            if (!judge_bit(late->mask, lane)) late->data[lane] = 0;
        late->mask = all_lanes(s);
        return true;
    }
    if (s->cfg.vsb == 0) return true;
    memcpy(data.lane, late->data, sizeof data.lane);
    const uint32_t hash = rf_h3_hash(&data);
    const slow_signature *v = &s->vsb[hash % s->cfg.ventries];
    now->looked[g] = true;
    now->vhit[g] = v->valid && v->hash == hash;
    if (!now->vhit[g]) return true;
    const uint32_t line = line_of(s, v->preg);
    now->chit[g] = line != NONE;
    late->cand = v->preg;
    if (line == NONE) {
        late->op = RF_RESULT_VERIFY;
        return false;
    }
    now->same[g] = memcmp(s->line[line].data, late->data, sizeof late->data) == 0;
    if (!now->same[g]) return true;
    late->op = RF_RESULT_SHARE;
    late->preg = v->preg;
    return false;
}

/* Registers that may be in use. */
static inline uint32_t bound_of(const slow_wir *s, const rf_wir_in *in) {
    return s->cfg.capped != 0 && in->limit < s->cfg.pregs ? in->limit : s->cfg.pregs;
}

/* No register may be given to this result: whether it can overwrite the one that its logical register has, as nobody else names
 * that. */
static inline bool overwrite(const slow_wir *s, const slow_late *from, slow_late *late) {
    const uint32_t old = from->info.old_preg;
    if (s->cfg.capped == 0 || !from->info.old_valid || old >= s->cfg.pregs || s->refs[old] != 1) return false;
    *late = *from;
    late->partial = from->mask != all_lanes(s);
    late->in_place = true;
    late->op = RF_RESULT_WRITE;
    late->preg = old;
    return true;
}

/* The next free register, `popped` having been taken by lanes before; NOBODY when there is none. */
static inline uint32_t pop(const slow_wir *s, uint32_t *popped) {
    return free_count(s) > *popped ? free_at(s, (*popped)++) : NOBODY;
}

static inline void allocate(const slow_wir *s, const rf_wir_in *in, slow_turn *now) {
    const uint32_t last = s->cfg.delay - 3, used = s->cfg.pregs - free_count(s);
    uint32_t popped = 0, promised = 0; /* registers for results that are being verified */
    for (uint32_t e = 0; e < s->cfg.exports; e++)
        for (uint32_t i = 0; i < s->results[e]; i++) promised += s->result[e][i].op == RF_RESULT_VERIFY;
    for (uint32_t g = 0; g < s->cfg.issues; g++)
        for (uint32_t v = 0; v < s->cfg.verifiers; v++) {
            const slow_verifier *u = &s->verifier[g][v];
            promised += u->state == RF_VERIFY_NEED || u->state == RF_VERIFY_SHARE ||
                        (u->state == RF_VERIFY_CHECK && u->late.op == RF_RESULT_VERIFY);
        }
    now->promised = promised;
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        bool asks[8] = {false}, need = false;
        now->got[g] = NOBODY;
        now->gives[g] = now->take[g] = NONE;
        for (uint32_t v = 0; v < s->cfg.verifiers && !need; v++) {
            need = s->verifier[g][v].state == RF_VERIFY_NEED;
            if (need) now->got[g] = pop(s, &popped);
            if (now->got[g] != NOBODY) now->gives[g] = v, promised--;
        }
        for (uint32_t e = 0; e < s->cfg.exports; e++)
            asks[e] = s->pipe[e][last].valid && s->pipe[e][last].warp % s->cfg.issues == g && s->results[e] < s->cfg.wbdepth;
        const uint32_t e = judge_walk(s->last_take[g], asks, s->cfg.exports);
        if (e == s->cfg.exports) continue;
        now->take[g] = e;
        now->pushed[g] = s->pipe[e][last];
        now->took[g] = true;
        const bool fresh = decide(s, now, g, &now->pushed[g]), room = !need && bound_of(s, in) > used + popped + promised;
        const bool wants = fresh || now->pushed[g].op == RF_RESULT_VERIFY;
        if (wants && !room && !need && overwrite(s, &s->pipe[e][last], &now->pushed[g])) {
            now->over[g] = now->left[e] = true;
            continue;
        }
        if (now->pushed[g].op == RF_RESULT_VERIFY && !fresh) {
            now->took[g] = room;
            now->starved[g] = !room;
            promised += room;
        }
        if (fresh) {
            if (room) now->got[g] = now->pushed[g].preg = pop(s, &popped);
            now->took[g] = room;
            now->starved[g] = !now->took[g];
        }
        now->left[e] = now->took[g];
    }
}

/* What becomes of the instructions in the lanes. */
static inline void act(const slow_wir *s, slow_turn *now) {
    uint32_t next = 0;
    for (uint32_t c = 0; c < s->cfg.collectors; c++) now->stage.taken_by[c] = NONE;
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        now->act[g] = RF_WIR_NOTHING;
        if (!now->lane[g].valid) continue;
        if (now->hit[g]) {
            if (now->port[g] == 0) now->act[g] = RF_WIR_REUSE;
        } else if (now->wait[g] && s->cfg.retry != 0 && now->retry[g]) {
            now->act[g] = RF_WIR_ROTATE;
        } else if (now->wait[g] && s->cfg.retry != 0 && s->queued[g] < s->cfg.queue) {
            now->act[g] = RF_WIR_QUEUE;
        } else {
            while (next < s->cfg.collectors && s->stage.collector[next].busy) next++;
            if (next == s->cfg.collectors) continue;
            now->act[g] = RF_WIR_EXECUTE;
            now->leads[g] = now->looks[g] && !now->wait[g];
            now->collector[g] = next;
            now->stage.taken_by[next++] = g;
        }
        now->leaves[g] = now->act[g] == RF_WIR_REUSE || now->act[g] == RF_WIR_QUEUE || now->act[g] == RF_WIR_EXECUTE;
    }
    for (uint32_t g = 0; g < s->cfg.issues; g++)
        now->moves[g] = s->rename[g].valid && (!s->reuse[g].valid || (now->leaves[g] && !now->retry[g]));
}

/* An instruction that has issued but is in no collector yet. */
static inline void overtaking(slow_turn *now, const rf_wir_in *in, const slow_wir *s, const slow_instr *i) {
    if (!i->valid) return;
    const uint32_t w = i->warp;
    for (uint32_t k = 0; k < s->cfg.slots; k++)
        if (i->src_valid[k] && in->ib_mask[w] != 0 && judge_bit(in->ib_dst_valid, w) && i->src[k] == in->ib_dst[w])
            now->overtakes[w] = true;
    if (in->ib_mask[w] != 0 && judge_bit(in->ib_store, w) && (i->space == RF_SPACE_SHARED || i->space == RF_SPACE_GLOBAL))
        now->orders[w] = true;
}

static inline void issue(const slow_wir *s, const rf_wir_in *in, slow_turn *now) {
    find_hazards(&s->stage, &in->stage, &now->stage);
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        overtaking(now, in, s, &s->rename[g]);
        overtaking(now, in, s, &s->reuse[g]);
        for (uint32_t i = 0; i < s->queued[g]; i++) overtaking(now, in, s, &s->queue[g][i]);
    }
    for (uint32_t w = 0; w < s->cfg.warps; w++) {
        const bool named = judge_bit(in->launch, w) || judge_bit(in->exit, w);
        now->barred[w] = s->cfg.reuse != 0 && (s->walking[w] || named);
        now->stage.ready[w] = now->stage.ready[w] && !now->overtakes[w] && !now->orders[w] && !now->barred[w];
    }
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        now->stage.chosen[g] = choose(&s->stage, now->stage.ready, g);
        now->stage.turn[g] = now->stage.chosen[g] != NONE && (!s->rename[g].valid || now->moves[g]);
        now->stage.goes[g] = now->stage.turn[g] ? now->stage.chosen[g] : NONE;
    }
}

/* Results from pipe to queue without reuse; and what the pipes take. */
static inline void move_results(const slow_wir *s, const rf_wir_in *in, slow_turn *now) {
    const uint32_t last = s->cfg.delay - 3;
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        bool room;
        if (s->cfg.reuse == 0) now->left[e] = s->pipe[e][last].valid && s->results[e] < s->cfg.wbdepth;
        room = now->left[e];
        for (uint32_t i = 0; i <= last; i++) room |= !s->pipe[e][i].valid;
        now->ready[e] = room;
    }
    (void)in;
}

static inline void find_references(const slow_wir *s, slow_turn *now) {
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        if (now->act[g] == RF_WIR_REUSE) {
            refer(s, now, now->found[g], 1);
            if (now->lane[g].old_valid) refer(s, now, now->lane[g].old_preg, -1);
        }
        if (now->port[g] == 1) refer(s, now, s->map[now->walk_warp[g]][now->walk_reg[g]].preg, -1);
        if (now->retires[g] && !now->late[g].in_place && now->late[g].info.old_valid)
            refer(s, now, now->late[g].info.old_preg, -1);
        if (now->took[g] && !now->pushed[g].in_place)
            refer(s, now, now->pushed[g].op == RF_RESULT_VERIFY ? now->pushed[g].cand : now->pushed[g].preg, 1);
        if (now->gives[g] != NONE) {
            refer(s, now, now->got[g], 1);
            refer(s, now, s->verifier[g][now->gives[g]].late.cand, -1);
        }
    }
}

static inline void wir_comb(const slow_wir *s, const rf_wir_in *in, slow_turn *now) {
    memset(now, 0, sizeof *now);
    now->low = s->cfg.pregs - free_count(s) + s->cfg.issues > bound_of(s, in);
    look_up(s, in, now);
    if (s->cfg.reuse != 0) {
        find_ends(s, now);
        allocate(s, in, now);
    }
    for (uint32_t g = 0; g < s->cfg.issues && s->cfg.reuse == 0; g++)
        now->port[g] = 3, now->got[g] = NOBODY, now->gives[g] = now->take[g] = now->read_port[g] = NONE;
    arbitrate(s, now);
    act(s, now);
    issue(s, in, now);
    move_results(s, in, now);
    dispatch(&s->stage, &in->stage, &now->stage);
    if (s->cfg.reuse == 0) return;
    find_free(s, now);
    change_entries(s, now);
    change_signatures(s, now);
    find_references(s, now);
}

/* --- the edge ----------------------------------------------------------------------------------------------------------------
 */

static inline void clock_slots(slow_wir *s, const slow_turn *now, uint32_t which) {
    slow_collector *c = &s->stage.collector[which];
    bool arrives[8] = {false}, granted[8] = {false};
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        arrives[k] = c->slot[k].state == ARRIVING;
        granted[k] = c->slot[k].state == WAITING && now->stage.read[which][reader_of(c, k)];
    }
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        slow_slot *slot = &c->slot[k];
        if (arrives[k]) slot->state = HERE, memcpy(slot->data, slot->coming, sizeof slot->data);
        if (granted[k]) slot->state = ARRIVING, read_preg(s, slot->row * s->cfg.banks + slot->bank, slot->coming);
        if (now->stage.leaves[which]) slot->state = EMPTY;
    }
    if (now->stage.leaves[which]) c->busy = false;
    if (now->stage.taken_by[which] == NONE) return;
    const uint32_t g = now->stage.taken_by[which];
    const slow_instr *i = &now->lane[g];
    const slow_info info = {now->reserved[g], i->old_valid, i->old_pin, now->looks[g] ? now->index[g] : 0, i->old_preg};
    c->busy = true;
    c->carried = (rf_stage_carried){
        .warp = (uint16_t)i->warp, .tag = (uint16_t)i->tag, .mask = i->mask, .dst_valid = i->dst_valid, .dst = (uint16_t)i->dst};
    c->port = i->port;
    s->info[which] = pack_info(&s->cfg, &info);
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        slow_slot *slot = &c->slot[k];
        slot->state = i->src_valid[k] && i->mapped[k] ? WAITING : EMPTY;
        slot->reg = i->src[k];
        slot->bank = i->operand[k] % s->cfg.banks;
        slot->row = i->operand[k] / s->cfg.banks;
        s->zero[which][k] = i->src_valid[k] && !i->mapped[k];
    }
}

static inline void clock_front(slow_wir *s, const rf_wir_in *in, const slow_turn *now, uint32_t g) {
    const rf_wir_cfg *cfg = &s->cfg;
    if ((now->leaves[g] || now->act[g] == RF_WIR_ROTATE) && now->retry[g]) {
        const slow_instr head = s->queue[g][0];
        for (uint32_t i = 1; i < s->queued[g]; i++) s->queue[g][i - 1] = s->queue[g][i];
        s->queued[g]--;
        if (now->act[g] == RF_WIR_ROTATE) s->queue[g][s->queued[g]++] = head;
    } else if (now->leaves[g]) {
        if (now->act[g] == RF_WIR_QUEUE) s->queue[g][s->queued[g]++] = s->reuse[g];
        s->reuse[g].valid = false;
    }
    if (now->moves[g]) {
        slow_instr *i = &s->reuse[g];
        *i = s->rename[g];
        s->rename[g].valid = false;
        i->look = i->reuse && i->dst_valid && i->mask == all_lanes(s) && (i->space == RF_SPACE_NONE || cfg->loads != 0);
        i->opcode = i->op << cfg->slots;
        for (uint32_t k = 0; k < cfg->slots; k++) {
            const slow_mapping m = mapping_of(s, i->warp, i->src[k]);
            i->mapped[k] = i->src_valid[k] && m.valid;
            i->operand[k] = !i->src_valid[k] ? i->imm[k] : m.valid ? m.preg : 0;
            if (i->src_valid[k]) i->opcode |= 1u << k, i->look = i->look && m.valid && !m.pin;
        }
        const slow_mapping old = mapping_of(s, i->warp, i->dst);
        i->old_valid = cfg->reuse != 0 && i->dst_valid && old.valid;
        i->old_pin = i->old_valid && old.pin;
        i->old_preg = i->old_valid ? old.preg : 0;
    }
    if (now->stage.goes[g] == NONE) return;
    const uint32_t w = now->stage.goes[g];
    const bool alive = in->ib_mask[w] != 0;
    slow_instr *i = &s->rename[g];
    memset(i, 0, sizeof *i);
    i->valid = true;
    i->warp = w;
    i->tag = in->ib_tag[w];
    i->port = in->ib_port[w];
    i->mask = in->ib_mask[w];
    i->dst_valid = alive && judge_bit(in->ib_dst_valid, w);
    i->dst = in->ib_dst[w];
    i->reuse = cfg->reuse != 0 && judge_bit(in->ib_reuse, w);
    i->op = in->ib_op[w];
    i->space = in->ib_space[w];
    i->store = alive && judge_bit(in->ib_store, w);
    i->store_shared = judge_bit(in->ib_store_shared, w);
    for (uint32_t k = 0; k < cfg->slots; k++) {
        i->src_valid[k] = alive && judge_bit(in->ib_src_valid[w], k);
        i->src[k] = in->ib_src[w * cfg->slots + k];
        i->imm[k] = in->ib_imm[w * cfg->slots + k];
    }
}

static inline void clock_verifiers(slow_wir *s, const slow_turn *now, uint32_t g) {
    for (uint32_t v = 0; v < s->cfg.verifiers; v++) {
        slow_verifier *u = &s->verifier[g][v];
        const bool done = now->retires[g] && now->late_from[g] == 8 + v, share = shares(u);
        if (u->state == RF_VERIFY_CHECK && u->late.op == RF_RESULT_MERGE) {
            for (uint32_t lane = 0; lane < 32; lane++)
                if (!judge_bit(u->late.mask, lane)) u->late.data[lane] = u->coming[lane];
            u->late.mask = all_lanes(s);
            u->state = RF_VERIFY_WRITE;
        } else if (u->state == RF_VERIFY_CHECK) {
            u->state = share ? RF_VERIFY_SHARE : RF_VERIFY_NEED;
        } else if (now->gives[g] == v) {
            u->late.preg = now->got[g];
            u->state = RF_VERIFY_WRITE;
        }
        if (done) u->state = RF_VERIFY_IDLE;
        if (!now->reads[g] || now->read_to[g] != v) continue;
        u->state = RF_VERIFY_CHECK;
        u->late = s->result[now->read_port[g]][0];
        read_preg(s, u->late.cand, u->coming);
    }
}

static inline void drop_head(slow_wir *s, uint32_t e) {
    for (uint32_t i = 1; i < s->results[e]; i++) s->result[e][i - 1] = s->result[e][i];
    s->results[e]--;
}

static inline void clock_pipe(slow_wir *s, const rf_wir_in *in, const slow_turn *now, uint32_t e) {
    const uint32_t stages = s->cfg.delay - 2;
    slow_late *p = s->pipe[e];
    if (now->left[e]) p[stages - 1].valid = false;
    for (uint32_t i = stages - 1; i > 0; i--)
        if (!p[i].valid && p[i - 1].valid) p[i] = p[i - 1], p[i - 1].valid = false;
    if (!judge_bit(in->res_valid, e) || !now->ready[e]) return;
    memset(&p[0], 0, sizeof p[0]);
    p[0].valid = true;
    p[0].warp = in->res_warp[e];
    p[0].dst = in->res_dst[e];
    p[0].mask = in->res_mask[e];
    memcpy(p[0].data, in->res_data[e].lane, s->cfg.lanes * sizeof *p[0].data);
    p[0].info = unpack_info(&s->cfg, in->res_info[e]);
}

static inline void clock_pending(slow_wir *s, const slow_turn *now) {
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        const slow_instr *i = &now->lane[g];
        if (now->act[g] == RF_WIR_REUSE && in_range(&s->stage, i->warp, i->dst)) s->stage.pending[i->warp][i->dst] = false;
        if (now->retires[g] && in_range(&s->stage, now->late[g].warp, now->late[g].dst))
            s->stage.pending[now->late[g].warp][now->late[g].dst] = false;
    }
    for (uint32_t e = 0; e < s->cfg.exports; e++)
        if (now->queue_writes[e] && in_range(&s->stage, s->result[e][0].warp, s->result[e][0].dst))
            s->stage.pending[s->result[e][0].warp][s->result[e][0].dst] = false;
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        const slow_instr *i = &s->rename[g]; /* after its edge */
        if (now->stage.goes[g] != NONE && i->dst_valid && in_range(&s->stage, i->warp, i->dst))
            s->stage.pending[i->warp][i->dst] = true;
    }
}

static inline void clock_maps(slow_wir *s, const rf_wir_in *in, const slow_turn *now) {
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        const slow_instr *i = &now->lane[g];
        const slow_late *l = &now->late[g];
        const uint32_t w = now->walk_warp[g];
        if (w != NONE && now->walk_reg[g] == NOBODY) s->walking[w] = false;
        if (now->act[g] == RF_WIR_REUSE && in_range(&s->stage, i->warp, i->dst))
            s->map[i->warp][i->dst] = (slow_mapping){true, false, now->found[g]};
        if (now->retires[g] && in_range(&s->stage, l->warp, l->dst))
            s->map[l->warp][l->dst] = (slow_mapping){true, l->partial, l->preg};
        if (now->port[g] == 1) s->map[w][now->walk_reg[g]].valid = s->map[w][now->walk_reg[g]].pin = false;
    }
    for (uint32_t w = 0; w < s->cfg.warps; w++)
        if (judge_bit(in->exit | in->launch, w)) s->walking[w] = true;
}

static inline void write_preg(slow_wir *s, const slow_late *l) {
    for (uint32_t lane = 0; lane < s->cfg.lanes; lane++)
        if (judge_bit(l->mask, lane) && l->preg < s->cfg.pregs) s->value[l->preg][lane] = l->data[lane];
}

static inline void clock_reuse(slow_wir *s, const rf_wir_in *in, const slow_turn *now) {
    const uint32_t issues = s->cfg.issues;
    clock_maps(s, in, now);
    clock_cache(s, now);
    for (uint32_t g = 0; g < issues; g++) clock_verifiers(s, now, g);
    for (uint32_t g = 0; g < issues; g++) {
        if (now->port[g] < 3) s->last_port[g] = now->port[g];
        if (now->reads[g]) s->last_read[g] = now->read_port[g];
        if (now->took[g]) s->last_take[g] = now->take[g];
        if (now->retires[g] && now->late_from[g] < 8) s->last_retire[g] = now->late_from[g];
        if (now->retires[g] && now->writes[g]) {
            write_preg(s, &now->late[g]);
            if (now->late[g].preg < s->cfg.pregs) s->unwritten[now->late[g].preg] = false;
        }
    }
    for (uint32_t g = 0; g < issues; g++) {
        if (now->got[g] != NOBODY && now->got[g] < s->cfg.pregs) s->unwritten[now->got[g]] = true;
        if (now->reads[g]) drop_head(s, now->read_port[g]);
        if (now->retires[g] && now->late_from[g] < 8) drop_head(s, now->late_from[g]);
    }
    for (uint32_t g = 0; g < issues; g++)
        if (now->took[g]) s->result[now->take[g]][s->results[now->take[g]]++] = now->pushed[g];
    memcpy(s->entry, now->entry, s->cfg.entries * sizeof *s->entry);
    memcpy(s->vsb, now->vsb, s->cfg.ventries * sizeof *s->vsb);
    clock_free(s, now);
    clock_references(s, now);
    s->lfsr = rf_lfsr_next(s->lfsr);
}

static inline void clock_plain(slow_wir *s, const slow_turn *now) {
    for (uint32_t e = 0; e < s->cfg.exports; e++)
        if (now->queue_writes[e]) write_preg(s, &s->result[e][0]), drop_head(s, e);
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        if (!now->left[e]) continue;
        slow_late *l = &s->result[e][s->results[e]++];
        *l = s->pipe[e][s->cfg.delay - 3];
        l->preg = mapping_of(s, l->warp, l->dst).preg;
    }
}

static inline void wir_clock(slow_wir *s, const rf_wir_in *in, const slow_turn *now) {
    clock_schedulers(&s->stage, &in->stage, &now->stage);
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        if (now->writer[b] != NONE) s->last_writer[b] = now->writer[b];
        if (now->reader[b] != NONE) s->last_reader[b] = now->reader[b];
    }
    for (uint32_t c = 0; c < s->cfg.collectors; c++) clock_slots(s, now, c);
    clock_dispatch(&s->stage, &in->stage, &now->stage);
    if (s->cfg.reuse != 0) clock_guard(s, in, now);
    for (uint32_t g = 0; g < s->cfg.issues; g++) clock_front(s, in, now, g);
    if (s->cfg.reuse != 0) clock_reuse(s, in, now);
    clock_pending(s, now);
    if (s->cfg.reuse == 0) clock_plain(s, now);
    for (uint32_t e = 0; e < s->cfg.exports; e++) clock_pipe(s, in, now, e);
}

#endif
