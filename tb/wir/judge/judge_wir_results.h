/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model of rf_wir_results: seats, rows, shelves and a line of free registers, and in every cycle, group by group, the
 * questions of the page in its order: whose turn, what is to be done, with which register [WIR V-A, V-D, V-E, VI-C]. */
#ifndef RF_JUDGE_WIR_RESULTS_H
#define RF_JUDGE_WIR_RESULTS_H

#include "cmodel/wir/rf_wir_results.h"
#include "tb/common/judge/judge.h"
#include "tb/wir/judge/judge_h3.h"

enum { GROUPS = RF_ISSUES_MAX, PORTS = RF_EXPORTS_MAX, NOBODY = 99 };

/* A result in a pipe or a queue; operation, preg and cand from the allocation on. */
typedef struct slow_result {
    uint32_t warp, dst, mask, op, preg, cand;
    uint64_t info;
    rf_vec data;
} slow_result;

typedef struct slow_pipe {
    bool taken[RF_HASH_STAGES_MAX];
    slow_result seat[RF_HASH_STAGES_MAX]; /* who sits there, or sat there last */
    uint32_t hash;
} slow_pipe;

typedef struct slow_queue {
    slow_result row[RF_RESULT_DEPTH_MAX], stored[RF_RESULT_DEPTH_MAX]; /* row[0] is the head; what each place took last */
    uint32_t length, pushed, popped;
} slow_queue;

typedef struct slow_place {
    bool valid;
    uint32_t hash, reg;
} slow_place;

typedef struct slow_line {
    bool valid;
    uint32_t reg;
    rf_vec data;
} slow_line;

typedef struct slow_results {
    rf_wir_results_cfg cfg;
    slow_pipe pipe[PORTS];
    slow_queue queue[PORTS];
    slow_place place[RF_VSB_ENTRIES_MAX];
    slow_line line[RF_VERIFY_CACHE_MAX];
    uint32_t hand;                                     /* the line that is given up next */
    uint16_t back[RF_PREGS_MAX], stored[RF_PREGS_MAX]; /* came back, in order; what each place of the list took last */
    uint32_t backs, fresh, came, went;
    uint32_t last_take[GROUPS];
    uint32_t promised;
} slow_results;

typedef struct slow_turn {
    rf_wir_results_out out;
    uint32_t count, bound, left_over[GROUPS]; /* free; that may be in use; what is left when the group's turn comes */
    uint32_t tried[GROUPS];                   /* the port whose result the group tries, NOBODY */
    bool looked[GROUPS], hit[GROUPS], cached[GROUPS], same[GROUPS];
    bool all[GROUPS], in_place[GROUPS], new_reg[GROUPS], took[GROUPS], over[GROUPS];
    uint32_t gives[GROUPS]; /* the verifier that gets a register, NOBODY */
    slow_result push[GROUPS];
    bool left[PORTS]; /* a result leaves the port's pipe */
    slow_result pushed[PORTS];
    bool any_looked, rnd, rnd_valid, put[GROUPS], freed[GROUPS];
    uint32_t freed_reg[GROUPS];
    slow_place place[RF_VSB_ENTRIES_MAX]; /* as the cycle leaves them */
} slow_turn;

static inline uint32_t count_codes(const slow_results *s) { return judge_codes(s->cfg.pregs + 1); }
static inline uint32_t preg_codes(const slow_results *s) { return judge_codes(s->cfg.pregs); }
static inline uint32_t free_count(const slow_results *s) { return s->cfg.pregs - s->fresh + s->backs; }

static inline void slow_reset(slow_results *s) {
    const rf_wir_results_cfg cfg = s->cfg;
    memset(s, 0, sizeof *s);
    s->cfg = cfg;
    for (uint32_t g = 0; g < cfg.issues; g++) s->last_take[g] = cfg.exports - 1;
}

/* --- pipes, queues, lines ----------------------------------------------------------------------------------------------------
 */

static inline void pipe_moves(const slow_results *s, slow_pipe *p, bool take) {
    const uint32_t last = s->cfg.stages - 1;
    if (take) p->taken[last] = false;
    for (uint32_t i = last; i > 0; i--) {
        if (p->taken[i] || !p->taken[i - 1]) continue;
        p->seat[i] = p->seat[i - 1];
        p->taken[i] = true, p->taken[i - 1] = false;
        if (i == last) p->hash = slow_h3(p->seat[i].data.lane, s->cfg.lanes);
    }
}

/* Whether the first seat is free when all have moved: one of them is free, or the end leaves. */
static inline bool pipe_has_room(const slow_results *s, const slow_pipe *p, bool take) {
    for (uint32_t i = 0; i < s->cfg.stages; i++)
        if (!p->taken[i]) return true;
    return take;
}

static inline void pipe_clock(const slow_results *s, slow_pipe *p, const rf_wir_results_in *in, uint32_t e, bool take) {
    pipe_moves(s, p, take);
    if (!judge_bit(in->res_valid, e) || p->taken[0]) return;
    p->taken[0] = true;
    p->seat[0] = (slow_result){.warp = in->res_warp[e],
                               .dst = in->res_dst[e],
                               .mask = in->res_mask[e],
                               .info = s->cfg.reuse ? in->res_info[e] : 0,
                               .data = in->res_data[e]};
    if (s->cfg.stages == 1) p->hash = slow_h3(p->seat[0].data.lane, s->cfg.lanes);
}

static inline void queue_clock(const slow_results *s, slow_queue *q, bool pop, const slow_result *push) {
    if (pop && q->length > 0) {
        for (uint32_t i = 1; i < q->length; i++) q->row[i - 1] = q->row[i];
        q->length--, q->popped++;
    }
    if (push == NULL) return;
    q->row[q->length++] = *push;
    q->stored[q->pushed++ % s->cfg.wbdepth] = *push;
}

static inline uint32_t line_of(const slow_results *s, uint32_t reg) {
    for (uint32_t l = 0; l < s->cfg.vcache; l++)
        if (s->line[l].valid && s->line[l].reg == reg) return l;
    return NOBODY;
}

static inline void fill_line(slow_results *s, uint32_t reg, const rf_vec *data) {
    uint32_t l = line_of(s, reg);
    for (uint32_t i = 0; i < s->cfg.vcache && l == NOBODY; i++)
        if (!s->line[i].valid) l = i;
    if (l == NOBODY) {
        l = s->hand;
        s->hand = (s->hand + 1) % s->cfg.vcache;
    }
    s->line[l] = (slow_line){true, reg, *data};
}

static inline uint32_t lanes_on(const slow_results *s) {
    uint32_t mask = 0;
    for (uint32_t i = 0; i < s->cfg.lanes; i++) mask |= UINT32_C(1) << i;
    return mask;
}

/* --- one cycle ---------------------------------------------------------------------------------------------------------------
 */

/* "Whose turn": the port whose result group g tries, NOBODY. */
static inline uint32_t whose_turn(const slow_results *s, uint32_t g) {
    bool asks[PORTS] = {false};
    for (uint32_t e = 0; e < s->cfg.exports; e++)
        asks[e] = s->pipe[e].taken[s->cfg.stages - 1] && s->pipe[e].seat[s->cfg.stages - 1].warp % s->cfg.issues == g &&
                  s->queue[e].length < s->cfg.wbdepth;
    const uint32_t e = judge_walk(s->last_take[g], asks, s->cfg.exports);
    return e < s->cfg.exports ? e : NOBODY;
}

/* "What is to be done": the table, for the result that group g tries; a new register is not known yet. */
static inline void decide(const slow_results *s, slow_turn *t, uint32_t g) {
    const slow_pipe *p = &s->pipe[t->tried[g]];
    const slow_result *r = &p->seat[s->cfg.stages - 1];
    const bool pinned = r->info % 2 == 1, mapped = r->info / 2 % 2 == 1;
    const uint32_t old = (uint32_t)(r->info / 4 % preg_codes(s));
    slow_result *w = &t->push[g];
    *w = *r;
    w->op = RF_RESULT_WRITE;
    t->new_reg[g] = true;
    t->all[g] = r->mask == lanes_on(s);
    t->looked[g] = t->all[g] && s->cfg.vsb == 1;
    if (t->looked[g]) {
        const slow_place *v = &s->place[p->hash % s->cfg.ventries];
        t->hit[g] = v->valid && v->hash == p->hash;
        const uint32_t l = t->hit[g] ? line_of(s, v->reg) : NOBODY;
        t->cached[g] = l != NOBODY;
        t->same[g] = t->cached[g] && memcmp(&s->line[l].data, &r->data, sizeof r->data) == 0;
        if (t->same[g]) w->op = RF_RESULT_SHARE, w->preg = v->reg, t->new_reg[g] = false;
        if (t->hit[g] && !t->cached[g]) w->op = RF_RESULT_VERIFY, w->cand = v->reg, t->new_reg[g] = false;
    } else if (!t->all[g] && mapped && pinned) {
        w->preg = old, t->new_reg[g] = false, t->in_place[g] = true;
    } else if (!t->all[g] && mapped) {
        w->op = RF_RESULT_MERGE, w->cand = old;
    }
    /* "What is pushed" */
    if (!t->all[g] && !mapped)
        for (uint32_t i = 0; i < s->cfg.lanes; i++)
            if (!judge_bit(r->mask, i)) w->data.lane[i] = 0;
    if (!t->in_place[g] && w->op != RF_RESULT_MERGE) w->mask = lanes_on(s);
    w->info = r->info / 4 * 4 + (t->in_place[g] ? 0 : 2u * mapped) + !t->all[g];
}

/* No register is left for the result that group g tries: it goes to its old one. */
static inline void overwrite(const slow_results *s, slow_turn *t, uint32_t g, const slow_result *r) {
    slow_result *w = &t->push[g];
    t->over[g] = t->in_place[g] = true, t->new_reg[g] = false;
    w->op = RF_RESULT_WRITE, w->cand = 0;
    w->preg = (uint32_t)(r->info / 4 % preg_codes(s));
    w->mask = r->mask;
    w->info = r->info / 4 * 4 + !t->all[g];
}

/* Registers in use or promised, as many as the counter of the promises can tell. */
static inline uint32_t spoken_for(const slow_results *s, const slow_turn *t) {
    return (s->cfg.pregs - t->count + s->promised) % count_codes(s);
}

/* "Registers": who gets one, what is taken. */
static inline void allocate(const slow_results *s, const rf_wir_results_in *in, slow_turn *t) {
    uint32_t left = (count_codes(s) + t->bound - spoken_for(s, t)) % count_codes(s), place = 0;
    if (s->cfg.capped == 1 && spoken_for(s, t) > t->bound) left = 0;
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        const uint32_t e = t->tried[g];
        const bool wants = e != NOBODY && (t->new_reg[g] || t->push[g].op == RF_RESULT_VERIFY);
        t->left_over[g] = left;
        t->gives[g] = NOBODY;
        for (uint32_t v = s->cfg.verifiers; v-- > 0;)
            if (judge_bit(in->need, g * s->cfg.verifiers + v)) t->gives[g] = v;
        t->took[g] = e != NOBODY && (!wants || (t->gives[g] == NOBODY && left != 0));
        if (t->took[g] && wants) left--;
        if (wants && left == 0 && !t->took[g] && t->gives[g] == NOBODY && s->cfg.capped == 1 && judge_bit(in->own, g)) {
            const slow_result *r = &s->pipe[e].seat[s->cfg.stages - 1];
            if (r->info / 2 % 2 == 1) overwrite(s, t, g, r), t->took[g] = true;
        }
        if (t->gives[g] != NOBODY) t->out.give |= (uint16_t)(1u << (g * s->cfg.verifiers + t->gives[g]));
        if (t->gives[g] == NOBODY && !(t->took[g] && t->new_reg[g])) continue;
        t->out.given |= (uint8_t)(1u << g);
        if (place < t->count) t->out.given_reg[g] = place < s->backs ? s->back[place] : (uint16_t)(s->fresh + place - s->backs);
        place++;
        if (t->took[g] && t->new_reg[g]) t->push[g].preg = t->out.given_reg[g];
    }
}

/* "The buffer": what the groups' results do to it, then the drop at random. */
static inline void change_places(const slow_results *s, const rf_wir_results_in *in, slow_turn *t) {
    memcpy(t->place, s->place, s->cfg.ventries * sizeof *s->place);
    if (s->cfg.vsb == 0) return;
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        if (!t->took[g] || !t->looked[g]) continue;
        t->any_looked = true;
        if (t->hit[g]) continue;
        const uint32_t hash = s->pipe[t->tried[g]].hash;
        slow_place *v = &t->place[hash % s->cfg.ventries];
        t->freed[g] = v->valid, t->freed_reg[g] = v->reg;
        if (t->over[g] && !t->out.low) {
            t->freed[g] = false; /* it has no new register to put there, and nothing is given up yet */
            continue;
        }
        v->valid = t->put[g] = !t->out.low;
        if (t->put[g]) v->hash = hash, v->reg = t->out.given_reg[g];
    }
    t->rnd = t->out.low && !t->any_looked && t->gives[0] == NOBODY;
    if (!t->rnd) return;
    slow_place *v = &t->place[in->random % s->cfg.ventries];
    t->rnd_valid = v->valid;
    if (v->valid) t->freed[0] = true, t->freed_reg[0] = v->reg;
    v->valid = false;
}

/* "References" */
static inline void refer(const slow_results *s, const rf_wir_results_in *in, slow_turn *t) {
    rf_wir_results_out *o = &t->out;
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        const bool gives = t->gives[g] != NOBODY;
        if (t->took[g] && !t->in_place[g]) {
            o->inc |= (uint8_t)(1u << 2 * g);
            o->inc_reg[2 * g] = (uint16_t)(t->push[g].op == RF_RESULT_VERIFY ? t->push[g].cand : t->push[g].preg);
        }
        if (t->put[g] || gives) o->inc |= (uint8_t)(2u << 2 * g), o->inc_reg[2 * g + 1] = o->given_reg[g];
        if (gives || t->freed[g]) o->dec |= (uint8_t)(1u << g);
        if (gives) o->dec_reg[g] = in->cand[g * s->cfg.verifiers + t->gives[g]];
        else if (t->freed[g]) o->dec_reg[g] = (uint16_t)t->freed_reg[g];
    }
}

/* REUSE 0: D-map. */
static inline void pass_on(const slow_results *s, slow_turn *t, uint32_t e) {
    const slow_result *r = &s->pipe[e].seat[s->cfg.stages - 1];
    if (!s->pipe[e].taken[s->cfg.stages - 1] || s->queue[e].length == s->cfg.wbdepth) return;
    const uint32_t banks = s->cfg.banks, rows = (s->cfg.regs + banks - 1) / banks;
    const uint32_t bank = (r->dst + r->warp) % banks, row = r->warp * rows + r->dst / banks;
    t->left[e] = true;
    t->pushed[e] = *r;
    t->pushed[e].preg = (row * banks + bank) % preg_codes(s);
}

static inline void show_heads(const slow_results *s, rf_wir_results_out *o) {
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        const slow_result *r = &s->queue[e].row[0];
        if (s->queue[e].length == 0) continue;
        o->head_valid |= (uint8_t)(1u << e);
        o->head_op[e] = (uint8_t)r->op, o->head_warp[e] = (uint8_t)r->warp, o->head_dst[e] = (uint8_t)r->dst;
        o->head_preg[e] = (uint16_t)r->preg, o->head_cand[e] = (uint16_t)r->cand, o->head_mask[e] = r->mask;
        o->head_data[e] = r->data, o->head_info[e] = r->info;
    }
}

static inline void slow_comb(const slow_results *s, const rf_wir_results_in *in, slow_turn *t) {
    memset(t, 0, offsetof(slow_turn, place));
    show_heads(s, &t->out);
    if (s->cfg.reuse == 1) {
        t->count = free_count(s);
        t->bound = s->cfg.capped == 1 && in->limit < s->cfg.pregs ? in->limit : s->cfg.pregs;
        t->out.low = t->bound < s->cfg.issues + s->cfg.pregs - t->count;
        for (uint32_t g = 0; g < s->cfg.issues; g++) {
            t->tried[g] = whose_turn(s, g);
            if (t->tried[g] == NOBODY) continue;
            decide(s, t, g);
            t->out.old_reg[g] = (uint16_t)(s->pipe[t->tried[g]].seat[s->cfg.stages - 1].info / 4 % preg_codes(s));
        }
        allocate(s, in, t);
        change_places(s, in, t);
        refer(s, in, t);
        for (uint32_t g = 0; g < s->cfg.issues; g++)
            if (t->took[g]) t->left[t->tried[g]] = true, t->pushed[t->tried[g]] = t->push[g];
    }
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        if (s->cfg.reuse == 0) pass_on(s, t, e);
        if (pipe_has_room(s, &s->pipe[e], t->left[e])) t->out.res_ready |= (uint8_t)(1u << e);
    }
}

/* The edge, for what only REUSE has. */
static inline void tables_clock(slow_results *s, const rf_wir_results_in *in, const slow_turn *t) {
    uint32_t room = s->cfg.pregs - t->count, given = 0;
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        const bool verify = t->took[g] && t->push[g].op == RF_RESULT_VERIFY;
        if (t->took[g]) s->last_take[g] = t->tried[g];
        s->promised += count_codes(s) + verify;
        s->promised -= (uint32_t)(t->gives[g] != NOBODY) + (uint32_t)judge_bit(in->shared, g);
        s->promised %= count_codes(s);
        given += judge_bit(t->out.given, g);
    }
    if (s->cfg.vsb == 1) memcpy(s->place, t->place, s->cfg.ventries * sizeof *s->place);
    for (uint32_t g = 0; g < s->cfg.issues && s->cfg.vcache > 0; g++)
        if (judge_bit(in->fill, g)) fill_line(s, in->fill_reg[g], &in->fill_data[g]);
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        const uint32_t l = judge_bit(t->out.given, g) ? line_of(s, t->out.given_reg[g]) : NOBODY;
        if (l != NOBODY) s->line[l].valid = false;
    }
    for (; given > 0 && free_count(s) > 0; given--) {
        if (s->backs == 0) s->fresh++;
        else memmove(s->back, s->back + 1, --s->backs * sizeof *s->back), s->went++;
    }
    for (uint32_t k = 0; k < RF_WIR_FREES; k++) {
        if (!judge_bit(in->back, k) || room == 0) continue;
        room--;
        s->back[s->backs++] = s->stored[s->came++ % s->cfg.pregs] = in->back_reg[k];
    }
}

static inline void slow_clock(slow_results *s, const rf_wir_results_in *in, const slow_turn *t) {
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        pipe_clock(s, &s->pipe[e], in, e, t->left[e]);
        queue_clock(s, &s->queue[e], judge_bit(in->pop, e), t->left[e] ? &t->pushed[e] : NULL);
    }
    if (s->cfg.reuse == 1) tables_clock(s, in, t);
}

/* --- the registers as they must be -------------------------------------------------------------------------------------------
 */

static inline void expect_state(const slow_results *s, rf_wir_results *m) {
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        rf_hash_pipe *p = &m->pipe[e];
        rf_result_queue *q = &m->queue[e];
        p->valid_q = (uint8_t)judge_pack(s->pipe[e].taken, s->cfg.stages), p->hash_q = s->pipe[e].hash;
        for (uint32_t i = 0; i < s->cfg.stages; i++) {
            const slow_result *r = &s->pipe[e].seat[i];
            p->warp_q[i] = (uint8_t)r->warp, p->dst_q[i] = (uint8_t)r->dst, p->mask_q[i] = r->mask, p->info_q[i] = r->info;
            p->data_q[i] = r->data;
        }
        q->ctrl.level_q = (uint8_t)s->queue[e].length;
        q->ctrl.wr_ptr_q = (uint8_t)(s->queue[e].pushed % s->cfg.wbdepth);
        q->ctrl.rd_ptr_q = (uint8_t)(s->queue[e].popped % s->cfg.wbdepth);
        for (uint32_t i = 0; i < s->cfg.wbdepth; i++) {
            const slow_result *r = &s->queue[e].stored[i];
            q->op_q[i] = (uint8_t)r->op, q->warp_q[i] = (uint8_t)r->warp, q->dst_q[i] = (uint8_t)r->dst;
            q->preg_q[i] = (uint16_t)r->preg, q->cand_q[i] = (uint16_t)r->cand, q->mask_q[i] = r->mask, q->info_q[i] = r->info;
            q->data_q[i] = r->data;
        }
    }
    m->promised_q = (uint16_t)s->promised;
    if (s->cfg.reuse == 0) return;
    for (uint32_t i = 0; i < s->cfg.ventries && s->cfg.vsb == 1; i++) {
        m->vsb.valid_q[i] = s->place[i].valid, m->vsb.hash_q[i] = s->place[i].hash;
        m->vsb.reg_q[i] = (uint16_t)s->place[i].reg;
    }
    m->vcache.next_q = (uint8_t)s->hand, m->vcache.valid_q = 0;
    for (uint32_t l = 0; l < s->cfg.vcache; l++) {
        m->vcache.valid_q |= (uint16_t)((uint32_t)s->line[l].valid << l);
        m->vcache.tag_q[l] = (uint16_t)s->line[l].reg, m->vcache.data_q[l] = s->line[l].data;
    }
    m->free.fresh_q = (uint16_t)s->fresh, m->free.level_q = (uint16_t)s->backs;
    m->free.rd_ptr_q = (uint16_t)(s->went % s->cfg.pregs), m->free.wr_ptr_q = (uint16_t)(s->came % s->cfg.pregs);
    memcpy(m->free.queue_q, s->stored, s->cfg.pregs * sizeof *s->stored);
    for (uint32_t g = 0; g < s->cfg.issues; g++) m->take_rr[g].mask_q = judge_above(s->last_take[g], s->cfg.exports);
}

#endif
