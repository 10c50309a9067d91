/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_wir.h"

#include "cmodel/banked/rf_stage_parts.h"

/* Requesters of a group's rename port, in the order of its round-robin arbiter. */
enum { PORT_REUSE, PORT_WALK, PORT_RETIRE };

/* ---- info: {index, leader, old_preg, old_valid, pin}, pin in bit 0 ---- */

typedef struct info {
    bool pin, old_valid, leader;
    uint16_t old_preg, index;
} info;

static inline uint64_t pack(const rf_wir_cfg *cfg, const info *i) {
    const uint32_t pregs = rf_index_bits(cfg->pregs);
    return (uint64_t)i->pin | (uint64_t)i->old_valid << 1 | (uint64_t)i->old_preg << 2 | (uint64_t)i->leader << (2 + pregs) |
           (uint64_t)i->index << (3 + pregs);
}

static inline info unpack(const rf_wir_cfg *cfg, uint64_t bits) {
    const uint32_t pregs = rf_index_bits(cfg->pregs);
    return (info){.pin = (bits & 1) != 0,
                  .old_valid = (bits >> 1 & 1) != 0,
                  .old_preg = (uint16_t)(bits >> 2 & rf_mask64(pregs)),
                  .leader = (bits >> (2 + pregs) & 1) != 0,
                  .index = (uint16_t)(bits >> (3 + pregs) & rf_mask64(rf_index_bits(cfg->entries)))};
}

/* ---- control: issue, rename, reuse ---- */

static inline uint32_t preg_bank(const rf_wir *m, uint32_t preg) { return preg & (m->cfg.banks - 1); }
static inline uint32_t preg_row(const rf_wir *m, uint32_t preg) { return preg >> __builtin_ctz(m->cfg.banks); }

/* REUSE 0: the physical register that D-map's bank and row of a logical one are, cut to the width of its number. */
static inline uint16_t fixed_preg(const rf_wir *m, uint32_t warp, uint32_t reg) {
    const uint32_t banks = m->cfg.banks, row = rf_map_row(warp, reg, banks, rf_map_rows_per_warp(m->cfg.regs, banks));
    return (uint16_t)((row * banks + rf_map_bank(warp, reg, banks)) & rf_mask64(rf_index_bits(m->cfg.pregs)));
}

/* What the rename table, or D-map, says of the instruction in group g's rename register. */
static void map(const rf_wir *m, uint32_t g, rf_wir_wires *x, rf_wir_front_in *in) {
    const rf_wir_front *f = &m->front[g];
    const uint32_t slots = m->cfg.slots;
    if (m->cfg.reuse == 0) {
        in->map_src_valid = (uint8_t)rf_mask64(slots);
        for (uint32_t s = 0; s < slots; s++) in->map_src_preg[s] = fixed_preg(m, f->rn_warp_q, f->rn_src_q[s]);
        in->map_src_pin = in->map_dst_valid = in->map_dst_pin = 0;
        in->map_dst_preg = 0;
        return;
    }
    rf_rename_in *read = &x->rename_in[g];
    const rf_rename_out *r = &x->rename[g];
    read->rd_warp = (uint8_t)(f->rn_valid_q ? f->rn_warp_q / m->cfg.issues : 0);
    read->rd_dst = f->rn_valid_q ? f->rn_dst_q : 0;
    for (uint32_t s = 0; s < slots; s++) read->rd_src[s] = f->rn_valid_q ? f->rn_src_q[s] : 0;
    rf_rename_comb(&m->rename[g], read, &x->rename[g]);
    in->map_src_valid = r->src_valid;
    in->map_src_pin = r->src_pin;
    in->map_dst_valid = r->dst_valid;
    in->map_dst_preg = r->dst_preg;
    in->map_dst_pin = r->dst_pin;
    for (uint32_t s = 0; s < slots; s++) in->map_src_preg[s] = r->src_preg[s];
}

/* The head of group g's pending queue. */
static void head(const rf_wir *m, uint32_t g, rf_wir_front_in *in) {
    const rf_pending_queue *q = &m->queue[g];
    const uint32_t slots = m->cfg.slots, at = q->rd_ptr_q;
    const bool there = q->level_q != 0;
    in->q_ready = m->cfg.retry != 0 && m->cfg.reuse != 0 && q->level_q < m->cfg.queue;
    in->q_valid = there;
    in->q_warp = there ? q->warp_q[at] : 0;
    in->q_tag = there ? q->tag_q[at] : 0;
    in->q_port = there ? q->port_q[at] : 0;
    in->q_dst = there ? q->dst_q[at] : 0;
    in->q_src_valid = there ? q->src_valid_q[at] : 0;
    in->q_opcode = there ? q->opcode_q[at] : 0;
    in->q_space = there ? q->space_q[at] : 0;
    in->q_old_valid = there ? q->old_valid_q[at] : 0;
    in->q_old_preg = there ? q->old_preg_q[at] : 0;
    in->q_old_pin = there ? q->old_pin_q[at] : 0;
    for (uint32_t s = 0; s < slots; s++) {
        in->q_src[s] = there ? q->src_q[at * slots + s] : 0;
        in->q_operand[s] = there ? q->operand_q[at * slots + s] : 0;
    }
}

/* Who is in the lanes, and what guard and reuse buffer say to them. */
static void look_up(const rf_wir *m, const rf_wir_in *in, rf_wir_wires *x) {
    const rf_wir_cfg *cfg = &m->cfg;
    const uint32_t slots = cfg->slots;
    uint32_t looks = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        rf_wir_front_in *f = &x->front_in[g];
        rf_wir_front_out *lane = &x->front[g];
        map(m, g, x, f);
        head(m, g, f);
        f->issue_valid = f->hit = f->wait = f->port = f->collector = 0;
        f->allow = 1;
        rf_wir_front_comb(&m->front[g], f, lane);
        f->allow = 0;
        if (cfg->reuse == 0) continue;
        looks |= (uint32_t)lane->lk_valid << g;
        x->guard_in.q_warp[g] = lane->lane_warp;
        x->guard_in.q_space[g] = lane->lane_space;
        x->reuse_in.lk_opcode[g] = lane->lane_opcode;
        memcpy(&x->reuse_in.lk_operand[g * slots], lane->lane_operand, slots * sizeof lane->lane_operand[0]);
    }
    if (cfg->reuse == 0) return;
    memcpy(x->guard_in.block, in->block, cfg->warps);
    rf_load_guard_comb(&m->guard, &x->guard_in, &x->guard);
    for (uint32_t g = 0; g < cfg->issues; g++) {
        x->front_in[g].allow = x->guard.allow >> g & 1;
        x->reuse_in.lk_block[g] = x->guard.tag_block[g];
        x->reuse_in.lk_barrier[g] = x->guard.tag_barrier[g];
    }
    x->reuse_in.lk_valid = (uint8_t)(looks & x->guard.allow);
    x->reuse_in.reserve = x->reuse_in.drop = x->reuse_in.fill = x->reuse_in.rm = 0;
    rf_reuse_buffer_comb(&m->reuse, &x->reuse_in, &x->reuse);
    for (uint32_t g = 0; g < cfg->issues; g++) {
        rf_wir_front_in *f = &x->front_in[g];
        f->hit = x->reuse.hit >> g & 1;
        f->wait = x->reuse.wait >> g & 1;
        rf_wir_front_comb(&m->front[g], f, &x->front[g]);
    }
}

/* Warps whose head must wait for an instruction of theirs in rename, reuse or pending queue. */
static uint64_t overtakes(const rf_wir_in *in, uint32_t warp, uint32_t src_valid, const uint8_t *src, bool load) {
    if (in->ib_mask[warp] == 0) return 0;
    bool hit = load && (in->ib_store >> warp & 1) != 0;
    if ((in->ib_dst_valid >> warp & 1) != 0)
        for (uint32_t left = src_valid; left != 0; left &= left - 1) hit |= src[rf_lowest(left)] == in->ib_dst[warp];
    return (uint64_t)hit << warp;
}

static uint64_t front_hazards(const rf_wir *m, const rf_wir_in *in, const rf_wir_wires *x) {
    const uint32_t slots = m->cfg.slots;
    uint64_t hazard = 0;
    for (uint32_t g = 0; g < m->cfg.issues; g++) {
        const rf_wir_front_out *f = &x->front[g];
        const rf_pending_queue *q = &m->queue[g];
        if (f->rn_valid) hazard |= overtakes(in, f->rn_warp, f->rn_src_valid, f->rn_src, f->rn_load);
        if (f->ru_valid) hazard |= overtakes(in, f->ru_warp, f->ru_src_valid, f->ru_src, f->ru_load);
        for (uint32_t p = 0, at = q->rd_ptr_q; p < q->level_q; p++) {
            hazard |= overtakes(in, q->warp_q[at], q->src_valid_q[at], &q->src_q[at * slots], q->space_q[at] >= RF_SPACE_SHARED);
            at = at + 1 == m->cfg.queue ? 0 : at + 1;
        }
    }
    return hazard & in->ib_valid;
}

/* Warps that release mappings, or will after this cycle. */
static uint64_t releasing(const rf_wir *m, const rf_wir_in *in) {
    uint64_t warps = in->launch | in->exit;
    for (uint32_t g = 0; g < m->cfg.issues; g++)
        for (uint64_t left = m->rename[g].walking_q; left != 0; left &= left - 1)
            warps |= UINT64_C(1) << (rf_lowest(left) * m->cfg.issues + g);
    return warps;
}

/* The schedulers' choice; what they choose issues when its group's rename register takes it. */
static void issue(const rf_wir *m, const rf_wir_in *in, rf_wir_out *out) {
    rf_wir_wires *x = &out->wires;
    const uint32_t slots = m->cfg.slots;
    x->waits = rf_stage_hazards(&m->stage, &in->stage);
    x->overtakes = front_hazards(m, in, x);
    x->hazard = x->waits | x->overtakes;
    x->ready = in->ib_valid & ~x->hazard;
    if (m->cfg.reuse != 0) x->ready &= ~releasing(m, in);
    x->chosen = out->issue_valid = 0;
    for (uint32_t g = 0; g < m->cfg.issues; g++) {
        rf_wir_front_in *f = &x->front_in[g];
        const uint64_t ready = rf_stage_group(&m->stage.cfg, x->ready, g);
        out->issue_warp[g] = 0;
        if (ready == 0) continue;
        x->chosen |= (uint8_t)(1u << g);
        if (!x->front[g].ready) continue;
        const uint32_t w = rf_stage_choose(&m->stage, g, ready) * m->cfg.issues + g;
        const bool active = in->ib_mask[w] != 0;
        out->issue_valid |= (uint8_t)(1u << g);
        out->issue_warp[g] = (uint8_t)w;
        f->issue_valid = 1;
        f->issue_warp = (uint8_t)w;
        f->issue_tag = in->ib_tag[w];
        f->issue_port = in->ib_port[w];
        f->issue_mask = in->ib_mask[w];
        f->issue_dst_valid = active && (in->ib_dst_valid >> w & 1) != 0;
        f->issue_dst = in->ib_dst[w];
        f->issue_src_valid = active ? in->ib_src_valid[w] : 0;
        memcpy(f->issue_src, &in->ib_src[w * slots], slots);
        f->issue_reuse = m->cfg.reuse != 0 && (in->ib_reuse >> w & 1) != 0;
        f->issue_op = in->ib_op[w];
        memcpy(f->issue_imm, &in->ib_imm[w * slots], slots * sizeof f->issue_imm[0]);
        f->issue_space = in->ib_space[w];
        f->issue_store = active && (in->ib_store >> w & 1) != 0;
        f->issue_store_shared = in->ib_store_shared >> w & 1;
    }
}

/* ---- control: results ---- */

static inline const rf_vec *verify_data(const rf_wir *m, const rf_verify *v) {
    return &m->stage.bank[preg_bank(m, v->cand_q)].rdata_q;
}

static inline bool same(const rf_wir *m, const rf_vec *a, const rf_vec *b) {
    return memcmp(a, b, m->cfg.lanes * sizeof a->lane[0]) == 0;
}

/* The verify-read's result is what the bank held. */
static inline bool shares(const rf_wir *m, const rf_verify *v) {
    if (v->state_q == RF_VERIFY_SHARE) return true;
    return v->state_q == RF_VERIFY_CHECK && v->merge_q == 0 && same(m, verify_data(m, v), &v->data_q);
}

/* REUSE 0: every queue writes on its own. */
static void ask_plain(const rf_wir *m, rf_wir_wires *x) {
    rf_arbiter_in *ask = &x->arbiter_in;
    ask->wr_valid = 0;
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        const rf_result_queue *q = &m->result[e];
        const uint32_t preg = q->preg_q[q->ctrl.rd_ptr_q];
        ask->wr_valid |= (uint8_t)((q->ctrl.level_q != 0) << e);
        ask->wr_bank[e] = (uint8_t)preg_bank(m, preg);
        ask->wr_row[e] = (uint16_t)preg_row(m, preg);
    }
}

/* The result of group g that may retire: `from` is its queue, or exports + verifier; false: there is none. */
static bool retire_candidate(const rf_wir *m, uint32_t g, uint32_t heads, uint32_t *from) {
    for (uint32_t v = 0; v < m->cfg.verifiers; v++) {
        const rf_verify *u = &m->verify[g * m->cfg.verifiers + v];
        *from = m->cfg.exports + v;
        if (u->state_q == RF_VERIFY_WRITE || shares(m, u)) return true;
    }
    if (heads == 0) return false;
    *from = rf_lowest(rf_rr_pick(heads, m->retire_rr[g].mask_q));
    return true;
}

/* Verify-reads and retiring results of group g ask for their banks. `reads`, `writes`: its queues whose heads want the one or
 * the other. */
static void ask_group(const rf_wir *m, rf_wir_wires *x, uint32_t g, uint32_t reads, uint32_t writes) {
    const rf_wir_cfg *cfg = &m->cfg;
    rf_arbiter_in *ask = &x->arbiter_in;
    uint32_t idle = cfg->verifiers, from = 0;
    for (uint32_t v = cfg->verifiers; v-- > 0;)
        if (m->verify[g * cfg->verifiers + v].state_q == RF_VERIFY_IDLE) idle = v;
    if (reads != 0 && idle < cfg->verifiers) {
        const uint32_t e = rf_lowest(rf_rr_pick(reads, m->read_rr[g].mask_q)), reader = (cfg->collectors + g) * cfg->slots;
        const rf_result_queue *q = &m->result[e];
        const uint32_t cand = q->cand_q[q->ctrl.rd_ptr_q];
        x->read |= (uint8_t)(1u << g);
        x->read_port[g] = (uint8_t)e;
        x->read_verifier[g] = (uint8_t)idle;
        ask->rd_valid |= UINT64_C(1) << reader;
        ask->rd_bank[reader] = (uint8_t)preg_bank(m, cand);
        ask->rd_row[reader] = (uint16_t)preg_row(m, cand);
    }
    const bool candidate = retire_candidate(m, g, writes, &from);
    const uint64_t wants = (uint64_t)x->front[g].want_port << PORT_REUSE | (uint64_t)x->rename[g].walk_valid << PORT_WALK |
                           (uint64_t)candidate << PORT_RETIRE;
    const uint64_t grant = rf_rr_pick(wants, m->port_rr[g].mask_q);
    x->port_grant[g] = (uint8_t)grant;
    x->front_in[g].port = grant >> PORT_REUSE & 1;
    x->rename_in[g].walk = grant >> PORT_WALK & 1;
    if ((grant >> PORT_RETIRE & 1) == 0) return;
    x->retired |= (uint8_t)(1u << g);
    x->retire_port[g] = (uint8_t)from;
    bool write;
    if (from < cfg->exports) {
        const rf_result_queue *q = &m->result[from];
        const uint32_t at = q->ctrl.rd_ptr_q;
        write = q->op_q[at] == RF_RESULT_WRITE;
        x->retire_preg[g] = q->preg_q[at];
        x->retire_warp[g] = q->warp_q[at];
        x->retire_dst[g] = q->dst_q[at];
        x->retire_info[g] = q->info_q[at];
    } else {
        const rf_verify *v = &m->verify[g * cfg->verifiers + from - cfg->exports];
        const uint32_t bits = rf_wir_info_bits(cfg), warp = rf_index_bits(cfg->warps);
        write = v->state_q == RF_VERIFY_WRITE;
        x->retire_preg[g] = write ? v->reg_q : v->cand_q;
        x->retire_warp[g] = (uint8_t)(v->info_q >> bits & rf_mask64(warp));
        x->retire_dst[g] = (uint8_t)(v->info_q >> (bits + warp));
        x->retire_info[g] = v->info_q & rf_mask64(bits);
    }
    if (!write) return;
    x->retire_write |= (uint8_t)(1u << g);
    ask->wr_valid |= (uint8_t)(1u << g);
    ask->wr_bank[g] = (uint8_t)preg_bank(m, x->retire_preg[g]);
    ask->wr_row[g] = (uint16_t)preg_row(m, x->retire_preg[g]);
}

/* Who asks the banks, what they get, and so what retires. */
static void banks(const rf_wir *m, rf_wir_wires *x, uint8_t *collector_port) {
    const rf_wir_cfg *cfg = &m->cfg;
    rf_arbiter_in *ask = &x->arbiter_in;
    uint32_t reads[RF_ISSUES_MAX] = {0}, writes[RF_ISSUES_MAX] = {0};
    rf_stage_collectors(&m->stage, &x->busy, &x->collected, collector_port, &ask->rd_valid, ask->rd_bank, ask->rd_row);
    x->read = x->retired = x->retire_write = 0;
    if (cfg->reuse == 0) {
        ask_plain(m, x);
        rf_arbiter_comb(&m->stage.arbiter, ask, &x->arbiter);
        x->retired = x->retire_write = x->arbiter.wr_grant;
        for (uint32_t left = x->retired; left != 0; left &= left - 1) {
            const uint32_t e = rf_lowest(left), at = m->result[e].ctrl.rd_ptr_q;
            x->retire_warp[e] = m->result[e].warp_q[at];
            x->retire_dst[e] = m->result[e].dst_q[at];
            x->retire_preg[e] = m->result[e].preg_q[at];
        }
        return;
    }
    ask->wr_valid = 0;
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const rf_result_queue *q = &m->result[e];
        const uint32_t at = q->ctrl.rd_ptr_q, g = q->warp_q[at] % cfg->issues;
        const bool there = q->ctrl.level_q != 0, waits = m->unwritten.bit_q[q->cand_q[at]] != 0;
        const bool reader = q->op_q[at] == RF_RESULT_VERIFY || q->op_q[at] == RF_RESULT_MERGE;
        x->unwritten_in.lk_reg[e] = there ? q->cand_q[at] : 0;
        reads[g] |= (uint32_t)(there && reader && !waits) << e;
        writes[g] |= (uint32_t)(there && !reader) << e;
    }
    for (uint32_t g = 0; g < cfg->issues; g++) ask_group(m, x, g, reads[g], writes[g]);
    rf_arbiter_comb(&m->stage.arbiter, ask, &x->arbiter);
    for (uint32_t g = 0; g < cfg->issues; g++)
        x->read &= (uint8_t) ~(uint32_t)(((x->arbiter.rd_grant >> ((cfg->collectors + g) * cfg->slots) & 1) == 0) << g);
    x->retired &= (uint8_t)(~(uint32_t)x->retire_write | x->arbiter.wr_grant);
    x->retire_write &= x->retired;
}

/* ---- control: allocation ---- */

static inline bool at_end(const rf_hash_pipe *p) { return (p->valid_q >> (p->cfg.stages - 1) & 1) != 0; }

/* REUSE 0: a result goes from its pipe into its queue, its register is D-map's. */
static void pass_on(const rf_wir *m, rf_wir_wires *x) {
    x->left = 0;
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        const rf_hash_pipe *p = &m->pipe[e];
        const uint32_t end = p->cfg.stages - 1;
        rf_result_queue_in *to = &x->push[e];
        if (!at_end(p) || m->result[e].ctrl.level_q >= m->cfg.wbdepth) continue;
        x->left |= (uint8_t)(1u << e);
        to->push_op = RF_RESULT_WRITE;
        to->push_warp = p->warp_q[end];
        to->push_dst = p->dst_q[end];
        to->push_preg = fixed_preg(m, p->warp_q[end], p->dst_q[end]);
        to->push_cand = 0;
        to->push_mask = p->mask_q[end];
        to->push_data = p->data_q[end];
        to->push_info = p->info_q[end];
    }
}

/* The verify cache's line of a register, or RF_VERIFY_CACHE_MAX. */
static inline uint32_t cached(const rf_wir *m, uint32_t preg) {
    if (m->cfg.vcache == 0) return RF_VERIFY_CACHE_MAX;
    for (uint32_t left = m->vcache.valid_q; left != 0; left &= left - 1)
        if (m->vcache.tag_q[rf_lowest(left)] == preg) return rf_lowest(left);
    return RF_VERIFY_CACHE_MAX;
}

/* What a group's turn at allocation comes to, but for the number of a new register. */
typedef struct turn {
    bool there, looks; /* a result is tried; its hash is looked up */
    bool wants;        /* it needs a new register */
    bool in_place;     /* it keeps its register */
    bool goes;
    uint8_t port;
    rf_result_op op;
} turn;

static void try_result(const rf_wir *m, rf_wir_wires *x, uint32_t g, turn *t) {
    const rf_hash_pipe *p = &m->pipe[t->port];
    const uint32_t end = p->cfg.stages - 1;
    const info i = unpack(&m->cfg, p->info_q[end]);
    const bool hit = t->looks && (x->vsb.hit >> g & 1) != 0;
    t->op = RF_RESULT_WRITE;
    if (hit) {
        const uint32_t line = cached(m, x->vsb.hit_reg[g]);
        const bool there = line < RF_VERIFY_CACHE_MAX, equal = there && same(m, &m->vcache.data_q[line], &p->data_q[end]);
        x->vcache_in.lk_valid |= (uint8_t)(1u << g);
        x->vcache_hit |= (uint8_t)((uint32_t)there << g);
        x->vcache_equal |= (uint8_t)((uint32_t)equal << g);
        if (!there) t->op = RF_RESULT_VERIFY;
        if (equal) t->op = RF_RESULT_SHARE;
    } else if (p->mask_q[end] != rf_mask64(m->cfg.lanes)) {
        t->in_place = i.old_valid && i.pin;
        if (i.old_valid && !i.pin) t->op = RF_RESULT_MERGE;
    }
    t->wants = !t->in_place && (t->op == RF_RESULT_WRITE || t->op == RF_RESULT_MERGE);
}

/* The entry for the queue; `fresh`: the new register, if it wants one. */
static void fill_entry(const rf_wir *m, const rf_wir_wires *x, uint32_t g, const turn *t, uint16_t fresh,
                       rf_result_queue_in *to) {
    const rf_hash_pipe *p = &m->pipe[t->port];
    const uint32_t end = p->cfg.stages - 1, all = (uint32_t)rf_mask64(m->cfg.lanes), mask = p->mask_q[end];
    info i = unpack(&m->cfg, p->info_q[end]);
    to->push_op = (uint8_t)t->op;
    to->push_warp = p->warp_q[end];
    to->push_dst = p->dst_q[end];
    to->push_preg = t->wants ? fresh : t->in_place ? i.old_preg : t->op == RF_RESULT_SHARE ? x->vsb.hit_reg[g] : 0;
    to->push_cand = t->op == RF_RESULT_VERIFY ? x->vsb.hit_reg[g] : t->op == RF_RESULT_MERGE ? i.old_preg : 0;
    to->push_mask = t->in_place || t->op == RF_RESULT_MERGE ? mask : all;
    to->push_data = p->data_q[end];
    if (t->op == RF_RESULT_WRITE && !t->in_place && mask != all)
        for (uint32_t l = 0; l < m->cfg.lanes; l++) to->push_data.lane[l] &= -(mask >> l & 1);
    if (t->in_place) i.old_valid = false;
    i.pin = mask != all;
    to->push_info = pack(&m->cfg, &i);
}

/* The results at the ends of the pipes: one a group, and the verifiers that need a register. */
static void allocate(const rf_wir *m, rf_wir_wires *x) {
    const rf_wir_cfg *cfg = &m->cfg;
    turn turns[RF_ISSUES_MAX] = {{0}};
    uint32_t ends[RF_ISSUES_MAX] = {0}, looked = 0, want = 0;
    uint32_t spare = (uint32_t)x->free.count - m->promised_q; /* never below 0 */
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const rf_hash_pipe *p = &m->pipe[e];
        if (at_end(p) && m->result[e].ctrl.level_q < cfg->wbdepth) ends[p->warp_q[p->cfg.stages - 1] % cfg->issues] |= 1u << e;
    }
    x->vsb_in.lk_valid = x->vsb_in.write = x->vsb_in.drop = x->vsb_in.rnd_drop = 0;
    x->vcache_in.lk_valid = x->vcache_hit = x->vcache_equal = 0;
    x->took = x->left = x->gave = x->starved = x->free_in.pop = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        turn *t = &turns[g];
        if (ends[g] == 0) continue;
        t->there = true;
        t->port = (uint8_t)rf_lowest(rf_rr_pick(ends[g], m->take_rr[g].mask_q));
        const rf_hash_pipe *p = &m->pipe[t->port];
        t->looks = cfg->vsb != 0 && p->mask_q[p->cfg.stages - 1] == rf_mask64(cfg->lanes);
        x->vsb_in.lk_valid |= (uint8_t)((uint32_t)t->looks << g);
        x->vsb_in.lk_hash[g] = p->hash_q;
    }
    if (x->vsb_in.lk_valid != 0) rf_vsb_comb(&m->vsb, &x->vsb_in, &x->vsb);
    for (uint32_t g = 0; g < cfg->issues; g++) {
        turn *t = &turns[g];
        uint32_t needy = cfg->verifiers;
        for (uint32_t v = cfg->verifiers; v-- > 0;)
            if (m->verify[g * cfg->verifiers + v].state_q == RF_VERIFY_NEED) needy = v;
        x->give[g] = (uint8_t)needy;
        x->gave |= (uint8_t)((uint32_t)(needy < cfg->verifiers) << g); /* it was promised one */
        if (t->there) try_result(m, x, g, t);
        const bool asks = t->wants || t->op == RF_RESULT_VERIFY;
        t->goes = t->there && (!asks || (needy == cfg->verifiers && spare > 0));
        if (t->goes && asks) spare--;
        want |= (uint32_t)((t->goes && t->wants) || (x->gave >> g & 1) != 0) << g;
        looked |= (uint32_t)(t->goes && t->looks) << g;
        x->starved |= (uint8_t)((uint32_t)(t->there && !t->goes) << g);
        x->take[g] = t->port;
        x->took |= (uint8_t)((uint32_t)t->goes << g);
        x->left |= (uint8_t)((uint32_t)t->goes << t->port);
    }
    x->free_in.pop = (uint8_t)want;
    rf_free_list_comb(&m->free, &x->free_in, &x->free);
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const turn *t = &turns[g];
        if (!t->goes) continue;
        const bool miss = t->looks && (x->vsb.hit >> g & 1) == 0;
        fill_entry(m, x, g, t, x->free.reg[g], &x->push[g]);
        x->vsb_in.write |= (uint8_t)((uint32_t)(miss && !x->low) << g);
        x->vsb_in.drop |= (uint8_t)((uint32_t)(miss && x->low) << g);
        x->vsb_in.write_reg[g] = x->free.reg[g];
    }
    x->vsb_in.rnd_drop = cfg->vsb != 0 && x->low && looked == 0 && (x->gave & 1) == 0;
    x->vsb_in.rnd_index = (uint16_t)(m->lfsr.value_q & (cfg->ventries - 1));
    rf_vsb_comb(&m->vsb, &x->vsb_in, &x->vsb);
}

/* ---- control: what the lanes come to, and the references that come and go ---- */

static void decide(const rf_wir *m, const rf_wir_in *in, rf_wir_wires *x) {
    const rf_wir_cfg *cfg = &m->cfg;
    uint32_t wants = 0, looked = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) wants |= (uint32_t)x->front[g].want_collector << g;
    rf_ocu_alloc_comb(&m->stage.alloc, &(rf_ocu_alloc_in){.busy = x->busy, .req = (uint8_t)wants}, &x->alloc);
    x->guard_in.st_valid = x->guard_in.st_shared = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        rf_wir_front_in *f = &x->front_in[g];
        const rf_wir_front_out *o = &x->front[g];
        f->collector = x->alloc.grant >> g & 1;
        rf_wir_front_comb(&m->front[g], f, &x->front[g]);
        looked |= (uint32_t)(o->lk_valid && o->leaves) << g;
        x->guard_in.st_valid |= (uint8_t)((uint32_t)o->st_valid << g);
        x->guard_in.st_shared |= (uint8_t)((uint32_t)o->st_shared << g);
        x->guard_in.st_warp[g] = o->rn_warp;
        if (cfg->reuse == 0) continue;
        x->reuse_in.reserve |= (uint8_t)((uint32_t)(o->leads && !x->low) << g);
        x->reuse_in.drop |= (uint8_t)((uint32_t)(o->leads && x->low) << g);
    }
    if (cfg->reuse == 0) return;
    for (uint32_t left = x->retired; left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left);
        const info i = unpack(cfg, x->retire_info[g]);
        x->reuse_in.fill |= (uint8_t)((uint32_t)i.leader << g);
        x->reuse_in.fill_index[g] = i.index;
        x->reuse_in.fill_reg[g] = x->retire_preg[g];
    }
    const bool random = x->low && looked == 0;
    x->reuse_in.rm = x->guard.sweep_valid || random;
    x->reuse_in.rm_all = x->guard.sweep_valid ? x->guard.sweep_all : 1;
    x->reuse_in.rm_index = x->guard.sweep_valid ? x->guard.sweep_index : (uint16_t)(m->lfsr.value_q & (cfg->entries - 1));
    x->reuse_in.rm_block = x->guard.sweep_block;
    rf_reuse_buffer_comb(&m->reuse, &x->reuse_in, &x->reuse);
    x->guard_in.sweep_ready = x->guard.sweep_valid && x->reuse.rm_ready;
    x->guard_in.launch = in->launch;
    x->guard_in.start = in->start;
    x->guard_in.flush = in->flush;
    x->guard_in.bar = in->bar;
    x->guard_in.fence = in->fence;
}

static inline void add(uint32_t *valid, uint16_t *regs, uint32_t port, bool when, uint16_t reg) {
    *valid |= (uint32_t)when << port;
    regs[port] = reg;
}

/* The rename ports, and the requests to the reference counts in the header's order. */
static void references(const rf_wir *m, const rf_wir_in *in, rf_wir_wires *x) {
    const rf_wir_cfg *cfg = &m->cfg;
    const uint32_t slots = cfg->slots, ports = slots + 3;
    rf_refcount_in *r = &x->count_in;
    r->inc = r->dec = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const rf_wir_front_out *lane = &x->front[g];
        const bool reuse = lane->act == RF_WIR_REUSE, retired = (x->retired >> g & 1) != 0, took = (x->took >> g & 1) != 0;
        const bool reserved = (x->reuse.reserved >> g & 1) != 0, gave = (x->gave >> g & 1) != 0;
        const bool put = (x->vsb_in.write >> g & 1) != 0;
        const uint32_t base = g * ports, lowest = g * (slots + 1);
        const info old = unpack(cfg, retired ? x->retire_info[g] : 0);
        const rf_result_queue_in *push = &x->push[g];
        rf_rename_in *table = &x->rename_in[g];
        table->wr_valid = reuse || retired;
        table->wr_warp = (uint8_t)((reuse ? lane->lane_warp : x->retire_warp[g]) / cfg->issues);
        table->wr_reg = reuse ? lane->lane_dst : x->retire_dst[g];
        table->wr_preg = reuse ? x->reuse.result[g] : x->retire_preg[g];
        table->wr_pin = !reuse && old.pin;
        table->clear = rf_stage_group(&m->stage.cfg, in->launch | in->exit, g);
        for (uint32_t s = 0; s < slots; s++) {
            const bool source = reserved && (lane->lane_opcode >> s & 1) != 0, result = s == 0 && reuse;
            add(&r->inc, r->inc_reg, base + s, source || result, result ? x->reuse.result[g] : lane->lane_operand[s]);
        }
        add(&r->inc, r->inc_reg, base + slots, (x->reuse.filled >> g & 1) != 0, x->retire_preg[g]);
        const bool shares_one = took && (push->push_op == RF_RESULT_SHARE || push->push_op == RF_RESULT_VERIFY);
        const bool fresh = (x->free_in.pop >> g & 1) != 0 && !gave;
        add(&r->inc, r->inc_reg, base + slots + 1, took && (fresh || shares_one),
            took && push->push_op == RF_RESULT_VERIFY ? push->push_cand : push->push_preg);
        add(&r->inc, r->inc_reg, base + slots + 2, put || gave, x->free.reg[g]);
        for (uint32_t k = 0; k <= slots; k++)
            add(&r->dec, r->dec_reg, base + k, (x->reuse.freed >> (lowest + k) & 1) != 0, x->reuse.freed_reg[lowest + k]);
        const bool random = g == 0 && x->vsb.rnd_freed != 0, freed = (x->vsb.freed >> g & 1) != 0;
        const uint32_t needy = g * cfg->verifiers + x->give[g];
        add(&r->dec, r->dec_reg, base + slots + 1, freed || random || gave,
            gave    ? m->verify[needy].cand_q
            : freed ? x->vsb.freed_reg[g]
                    : x->vsb.rnd_freed_reg);
        const bool walk = table->walk != 0;
        add(&r->dec, r->dec_reg, base + slots + 2, (reuse && lane->lane_old_valid) || (retired && old.old_valid) || walk,
            walk    ? x->rename[g].walk_preg
            : reuse ? lane->lane_old_preg
                    : old.old_preg);
    }
}

/* Every wire but the 1024-bit ones. */
static void control(const rf_wir *m, const rf_wir_in *in, rf_wir_out *out) {
    rf_wir_wires *x = &out->wires;
    const rf_wir_cfg *cfg = &m->cfg;
    rf_dispatch_in offer = {.ex_ready = in->ex_ready};
    if (cfg->reuse != 0) {
        rf_refcount_comb(&m->count, &x->count_in, &x->count);
        x->free_in.pop = 0;
        x->free_in.push = x->count.free;
        memcpy(x->free_in.push_reg, x->count.free_reg, RF_WIR_FREES * sizeof x->free_in.push_reg[0]);
        rf_free_list_comb(&m->free, &x->free_in, &x->free);
        x->low = x->free.count < cfg->issues || (cfg->capped != 0 && cfg->pregs - x->free.count >= in->limit);
    }
    look_up(m, in, x);
    banks(m, x, offer.port);
    if (cfg->reuse == 0) pass_on(m, x);
    else allocate(m, x);
    decide(m, in, x);
    issue(m, in, out);
    if (cfg->reuse != 0) references(m, in, x);
    offer.ready = x->collected;
    rf_stage_offer(&m->stage, &offer, &x->dispatch, &out->stage);
    for (uint32_t e = 0; e < cfg->exports; e++)
        out->ex_info[e] = (out->ex_valid >> e & 1) != 0 ? m->info_q[x->dispatch.ex_sel[e]] : 0;
    out->res_ready = 0;
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const uint32_t full = (uint32_t)rf_mask64(cfg->delay - 2);
        out->res_ready |= (uint8_t)((uint32_t)(m->pipe[e].valid_q != full || (x->left >> e & 1) != 0) << e);
    }
    out->reused = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const bool reuse = x->front[g].act == RF_WIR_REUSE;
        out->reused |= (uint8_t)((uint32_t)reuse << g);
        out->reused_warp[g] = reuse ? x->front[g].lane_warp : 0;
        out->reused_tag[g] = reuse ? x->front[g].lane_tag : 0;
    }
}

/* The operands of what is offered; sources that are not mapped are 0. */
static void deliver(const rf_wir *m, rf_wir_out *out) {
    rf_stage_deliver(&m->stage, &out->wires.dispatch, &out->stage);
    for (uint32_t left = out->ex_valid; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        for (uint32_t zero = m->zero_q[out->wires.dispatch.ex_sel[e]]; zero != 0; zero &= zero - 1)
            memset(&out->ex_data[e * m->cfg.slots + rf_lowest(zero)], 0, sizeof out->ex_data[0]);
    }
}

/* ---- edge ---- */

/* A collector takes the instruction in group g's lane. */
static void load(rf_wir *m, const rf_wir_wires *x, uint32_t g, uint32_t c) {
    const rf_wir_front_out *lane = &x->front[g];
    rf_ocu *u = &m->stage.ocu[c];
    u->busy_q = 1;
    u->warp_q = lane->lane_warp;
    u->tag_q = lane->lane_tag;
    u->port_q = lane->lane_port;
    u->mask_q = lane->lane_mask;
    u->dst_valid_q = lane->lane_dst_valid;
    u->dst_q = lane->lane_dst;
    u->src_valid_q = lane->lane_mapped;
    u->fill_q = 0;
    for (uint32_t s = 0; s < m->cfg.slots; s++) {
        u->src_q[s] = lane->lane_src[s];
        u->bank_q[s] = (uint8_t)preg_bank(m, lane->lane_operand[s]);
        u->row_q[s] = (uint16_t)preg_row(m, lane->lane_operand[s]);
    }
    m->zero_q[c] = (uint8_t)(lane->lane_src_valid & ~(uint32_t)lane->lane_mapped);
    m->info_q[c] = 0;
    if (m->cfg.reuse == 0) return;
    const info i = {.pin = lane->lane_old_pin != 0,
                    .old_valid = lane->lane_old_valid != 0,
                    .leader = (x->reuse.reserved >> g & 1) != 0,
                    .old_preg = lane->lane_old_preg,
                    .index = x->reuse.index[g]};
    m->info_q[c] = pack(&m->cfg, &i);
}

static void clock_collectors(rf_wir *m, const rf_wir_wires *x) {
    for (uint32_t c = 0; c < m->cfg.collectors; c++) {
        const uint32_t granted = (uint32_t)(x->arbiter.rd_grant >> (c * m->cfg.slots) & rf_mask64(m->cfg.slots));
        rf_stage_move_collector(&m->stage.ocu[c], granted, (x->dispatch.grant >> c & 1) != 0);
        if ((x->alloc.alloc >> c & 1) != 0) load(m, x, x->alloc.which[c], c);
    }
}

static void clock_scoreboard(rf_wir *m, const rf_wir_out *out) {
    const rf_wir_cfg *cfg = &m->cfg;
    const rf_wir_wires *x = &out->wires;
    rf_scoreboard_in edge;
    edge.set = 0;
    edge.clr = (uint8_t)(x->retired | (uint32_t)out->reused << cfg->exports);
    for (uint32_t left = out->issue_valid; left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left);
        edge.set |= (uint8_t)((uint32_t)x->front_in[g].issue_dst_valid << g);
        edge.set_warp[g] = x->front_in[g].issue_warp;
        edge.set_reg[g] = x->front_in[g].issue_dst;
    }
    memcpy(edge.clr_warp, x->retire_warp, cfg->exports);
    memcpy(edge.clr_reg, x->retire_dst, cfg->exports);
    for (uint32_t g = 0; g < cfg->issues; g++) {
        edge.clr_warp[cfg->exports + g] = x->front[g].lane_warp;
        edge.clr_reg[cfg->exports + g] = x->front[g].lane_dst;
    }
    if ((edge.set | edge.clr) != 0) rf_scoreboard_clock(&m->stage.scoreboard, &edge);
}

/* Verifiers, their cache and what they read; before the banks move. */
static void clock_verify(rf_wir *m, rf_wir_wires *x) {
    const rf_wir_cfg *cfg = &m->cfg;
    rf_verify_cache_in *c = &x->vcache_in;
    c->fill = 0;
    c->evict = x->free_in.pop;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        c->evict_reg[g] = x->free.reg[g];
        for (uint32_t v = 0; v < cfg->verifiers; v++) {
            rf_verify *u = &m->verify[g * cfg->verifiers + v];
            const bool loads = (x->read >> g & 1) != 0 && x->read_verifier[g] == v;
            if (u->state_q == RF_VERIFY_IDLE && !loads) continue;
            rf_verify_in edge = {.load = loads,
                                 .give = (x->gave >> g & 1) != 0 && x->give[g] == v,
                                 .give_reg = x->free.reg[g],
                                 .done = (x->retired >> g & 1) != 0 && x->retire_port[g] == cfg->exports + v};
            if (loads) {
                const rf_result_queue *q = &m->result[x->read_port[g]];
                const uint32_t at = q->ctrl.rd_ptr_q, bits = rf_wir_info_bits(cfg), warp = rf_index_bits(cfg->warps);
                edge.load_merge = q->op_q[at] == RF_RESULT_MERGE;
                edge.load_cand = q->cand_q[at];
                edge.load_reg = q->preg_q[at];
                edge.load_mask = q->mask_q[at];
                edge.load_data = q->data_q[at];
                edge.load_info = q->info_q[at] | (uint64_t)q->warp_q[at] << bits | (uint64_t)q->dst_q[at] << (bits + warp);
            }
            if (u->state_q == RF_VERIFY_CHECK) {
                edge.rdata = *verify_data(m, u);
                if (u->merge_q == 0) {
                    c->fill |= (uint8_t)(1u << g);
                    c->fill_reg[g] = u->cand_q;
                    c->fill_data[g] = edge.rdata;
                }
            }
            rf_verify_clock(u, &edge);
        }
    }
    if (cfg->vcache != 0 && (c->fill | c->evict) != 0) rf_verify_cache_clock(&m->vcache, c);
}

/* The banks that were granted read, then write. */
static void move_rows(rf_wir *m, const rf_wir_wires *x) {
    const rf_wir_cfg *cfg = &m->cfg;
    rf_stage_read(&m->stage, x->arbiter.bank_re, x->arbiter.bank_raddr);
    for (uint32_t left = x->arbiter.wr_grant; left != 0; left &= left - 1) {
        const uint32_t n = rf_lowest(left), preg = x->retire_preg[n], from = cfg->reuse == 0 ? n : x->retire_port[n];
        rf_bank *bank = &m->stage.bank[preg_bank(m, preg)];
        if (from < cfg->exports) {
            const rf_result_queue *q = &m->result[from];
            const uint32_t at = q->ctrl.rd_ptr_q;
            rf_stage_write(bank, preg_row(m, preg), q->mask_q[at], &q->data_q[at]);
        } else {
            const rf_verify *v = &m->verify[n * cfg->verifiers + from - cfg->exports];
            rf_stage_write(bank, preg_row(m, preg), (uint32_t)rf_mask64(cfg->lanes), &v->data_q);
        }
    }
}

static void clock_results(rf_wir *m, const rf_wir_in *in, const rf_wir_out *out) {
    const rf_wir_cfg *cfg = &m->cfg;
    const rf_wir_wires *x = &out->wires;
    for (uint32_t e = 0; e < cfg->exports; e++) {
        rf_result_queue *q = &m->result[e];
        rf_hash_pipe *p = &m->pipe[e];
        const rf_result_queue_in *push = NULL;
        bool pop = cfg->reuse == 0 && (x->retired >> e & 1) != 0;
        if (cfg->reuse == 0 && (x->left >> e & 1) != 0) push = &x->push[e];
        for (uint32_t g = 0; g < cfg->issues && cfg->reuse != 0; g++) {
            if ((x->took >> g & 1) != 0 && x->take[g] == e) push = &x->push[g];
            pop |= (x->retired >> g & 1) != 0 && x->retire_port[g] == e;
            pop |= (x->read >> g & 1) != 0 && x->read_port[g] == e;
        }
        if (p->valid_q != 0 || (in->res_valid >> e & 1) != 0) {
            rf_hash_pipe_in edge = {.valid = in->res_valid >> e & 1,
                                    .warp = in->res_warp[e],
                                    .dst = in->res_dst[e],
                                    .mask = in->res_mask[e],
                                    .info = cfg->reuse == 0 ? 0 : in->res_info[e],
                                    .take = push != NULL};
            edge.data = in->res_data[e];
            rf_hash_pipe_clock(p, &edge);
        }
        if (push != NULL) {
            const uint32_t at = q->ctrl.wr_ptr_q;
            q->op_q[at] = push->push_op;
            q->warp_q[at] = push->push_warp;
            q->dst_q[at] = push->push_dst;
            q->preg_q[at] = push->push_preg;
            q->cand_q[at] = push->push_cand;
            q->mask_q[at] = push->push_mask;
            q->data_q[at] = push->push_data;
            q->info_q[at] = push->push_info;
        }
        if (push != NULL || pop) rf_fifo_ctrl_clock(&q->ctrl, &(rf_fifo_ctrl_in){(uint8_t)(push != NULL), (uint8_t)pop});
    }
}

static void clock_queue(rf_wir *m, const rf_wir_wires *x, uint32_t g) {
    const rf_wir_front_out *lane = &x->front[g];
    const uint32_t slots = m->cfg.slots;
    const bool pop = lane->lane_retry && (lane->act == RF_WIR_REUSE || lane->act == RF_WIR_EXECUTE);
    if (lane->act != RF_WIR_QUEUE && lane->act != RF_WIR_ROTATE && !pop) return;
    rf_pending_queue_in edge = {.push = lane->act == RF_WIR_QUEUE,
                                .push_warp = lane->lane_warp,
                                .push_tag = lane->lane_tag,
                                .push_port = lane->lane_port,
                                .push_dst = lane->lane_dst,
                                .push_src_valid = lane->lane_src_valid,
                                .push_opcode = lane->lane_opcode,
                                .push_space = lane->lane_space,
                                .push_old_valid = lane->lane_old_valid,
                                .push_old_preg = lane->lane_old_preg,
                                .push_old_pin = lane->lane_old_pin,
                                .pop = pop,
                                .rotate = lane->act == RF_WIR_ROTATE};
    memcpy(edge.push_src, lane->lane_src, slots);
    memcpy(edge.push_operand, lane->lane_operand, slots * sizeof edge.push_operand[0]);
    rf_pending_queue_clock(&m->queue[g], &edge);
}

/* What only reuse has, but for verifiers and queues of results. */
static void clock_reuse(rf_wir *m, rf_wir_wires *x) {
    const rf_wir_cfg *cfg = &m->cfg;
    rf_unwritten_in *u = &x->unwritten_in;
    u->set = x->free_in.pop;
    u->clr = x->retire_write;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const bool head_retires = (x->retired >> g & 1) != 0 && x->retire_port[g] < cfg->exports;
        u->set_reg[g] = (u->set >> g & 1) != 0 ? x->free.reg[g] : 0;
        u->clr_reg[g] = (u->clr >> g & 1) != 0 ? x->retire_preg[g] : 0;
        rf_rename_clock(&m->rename[g], &x->rename_in[g]);
        clock_queue(m, x, g);
        if ((x->took >> g & 1) != 0) m->take_rr[g].mask_q = rf_rr_next(UINT64_C(1) << x->take[g], cfg->exports);
        if ((x->read >> g & 1) != 0) m->read_rr[g].mask_q = rf_rr_next(UINT64_C(1) << x->read_port[g], cfg->exports);
        if (head_retires) m->retire_rr[g].mask_q = rf_rr_next(UINT64_C(1) << x->retire_port[g], cfg->exports);
        if (x->port_grant[g] != 0) m->port_rr[g].mask_q = rf_rr_next(x->port_grant[g], RF_WIR_PORTS);
    }
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const bool shared = (x->retired & ~(uint32_t)x->retire_write) >> g & 1 && x->retire_port[g] >= cfg->exports;
        const bool verify = (x->took >> g & 1) != 0 && x->push[g].push_op == RF_RESULT_VERIFY;
        m->promised_q = (uint16_t)(m->promised_q + verify - shared - (x->gave >> g & 1));
    }
    rf_load_guard_clock(&m->guard, &x->guard_in);
    rf_reuse_buffer_clock(&m->reuse, &x->reuse_in);
    if ((x->vsb_in.lk_valid | x->vsb_in.rnd_drop) != 0) rf_vsb_clock(&m->vsb, &x->vsb_in);
    if ((u->set | u->clr) != 0) rf_unwritten_clock(&m->unwritten, u);
    rf_free_list_clock(&m->free, &x->free_in);
    rf_refcount_clock(&m->count, &x->count_in);
    m->lfsr.value_q = rf_lfsr_next(m->lfsr.value_q);
}

static void edge(rf_wir *m, const rf_wir_in *in, rf_wir_out *out) {
    rf_wir_wires *x = &out->wires;
    clock_scoreboard(m, out);
    rf_stage_clock_schedulers(&m->stage, &in->stage, x->ready, out->issue_valid);
    rf_stage_clock_arbiter(&m->stage, &x->arbiter_in, &x->arbiter);
    rf_stage_clock_dispatch(&m->stage, &x->dispatch, in->ex_ready);
    rf_stage_fill(&m->stage);
    if (m->cfg.reuse != 0) clock_verify(m, x);
    move_rows(m, x);
    clock_collectors(m, x);
    if (m->cfg.reuse != 0) clock_reuse(m, x);
    clock_results(m, in, out);
    for (uint32_t g = 0; g < m->cfg.issues; g++) rf_wir_front_clock(&m->front[g], &x->front_in[g]);
}

void rf_wir_comb(const rf_wir *m, const rf_wir_in *in, rf_wir_out *out) {
    control(m, in, out);
    deliver(m, out);
}

void rf_wir_clock(rf_wir *m, const rf_wir_in *in) {
    rf_wir_out out;
    control(m, in, &out);
    edge(m, in, &out);
}

void rf_wir_step(rf_wir *m, const rf_wir_in *in, rf_wir_out *out) {
    control(m, in, out);
    deliver(m, out);
    edge(m, in, out);
}
