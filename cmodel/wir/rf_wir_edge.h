/* SPDX-License-Identifier: Apache-2.0 */
/* The clock edge of rf_wir: every register moves by what the wires of the cycle say. A unit of which nothing is asked is left
 * alone. */
#ifndef RF_WIR_EDGE_H
#define RF_WIR_EDGE_H

#include "cmodel/banked/rf_readers.h"
#include "cmodel/wir/rf_hash_pipe_parts.h"
#include "cmodel/wir/rf_load_guard_parts.h"
#include "cmodel/wir/rf_refcount_parts.h"
#include "cmodel/wir/rf_verify_cache_parts.h"
#include "cmodel/wir/rf_verify_parts.h"
#include "cmodel/wir/rf_wir_parts.h"

/* ---- as in rf_banked ---- */

/* A collector takes the instruction in group g's lane. */
RF_WIR_PART void rf_wir_load(rf_wir *m, const rf_wir_cfg *cfg, const rf_wir_wires *x, uint32_t g, uint32_t c) {
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
    for (uint32_t s = 0; s < cfg->slots; s++) {
        u->src_q[s] = lane->lane_src[s];
        u->bank_q[s] = (uint8_t)rf_wir_preg_bank(cfg, lane->lane_operand[s]);
        u->row_q[s] = (uint16_t)rf_wir_preg_row(cfg, lane->lane_operand[s]);
    }
    m->zero_q[c] = (uint8_t)(lane->lane_src_valid & ~(uint32_t)lane->lane_mapped);
    m->info_q[c] = 0;
    if (cfg->reuse == 0) return;
    rf_wir_info i;
    i.pin = lane->lane_old_pin != 0;
    i.old_valid = lane->lane_old_valid != 0;
    i.leader = (x->reuse.reserved >> g & 1) != 0;
    i.old_preg = lane->lane_old_preg;
    i.index = x->reuse.index[g];
    m->info_q[c] = rf_wir_pack(cfg, &i);
}

/* The crossbar fills collectors from the banks' old read data: before anything reads. One that is not busy waits for nothing. */
RF_WIR_PART void rf_wir_fill(rf_wir *m, uint32_t busy) {
    for (; busy != 0; busy &= busy - 1) {
        rf_ocu *u = &m->stage.ocu[rf_lowest(busy)];
        for (uint32_t left = u->fill_q; left != 0; left &= left - 1) {
            const uint32_t s = rf_lowest(left);
            u->data_q[s] = m->stage.bank[u->bank_q[s]].rdata_q;
        }
    }
}

RF_WIR_PART void rf_wir_clock_collectors(rf_wir *m, const rf_wir_cfg *cfg, const rf_wir_wires *x) {
    const uint32_t slots = cfg->slots, all = (1u << slots) - 1;
    for (uint32_t left = x->busy; left != 0; left &= left - 1) {
        const uint32_t c = rf_lowest(left);
        rf_stage_move_collector(&m->stage.ocu[c], (uint32_t)(x->arbiter.rd_grant >> (c * slots)) & all,
                                (x->dispatch.grant >> c & 1) != 0);
    }
    for (uint32_t left = x->alloc.alloc; left != 0; left &= left - 1)
        rf_wir_load(m, cfg, x, x->alloc.which[rf_lowest(left)], rf_lowest(left));
}

/* The pointers of the banks' round-robin arbiters that granted; what was granted is known, so nothing is picked again. */
RF_WIR_PART void rf_wir_clock_arbiter(rf_wir *m, const rf_arbiter_in *ask, const rf_arbiter_out *arbiter) {
    rf_arbiter *a = &m->stage.arbiter;
    for (uint64_t left = arbiter->rd_grant; left != 0; left &= left - 1) {
        const uint32_t r = rf_lowest(left), c = rf_readers_collector(r, a->cfg.slots);
        a->rd_rr[ask->rd_bank[r]].mask_q = rf_rr_next(UINT64_C(1) << c, a->cfg.collectors);
    }
    for (uint32_t left = arbiter->wr_grant; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        a->wr_rr[ask->wr_bank[e]].mask_q = rf_rr_next(UINT64_C(1) << e, a->cfg.writers);
    }
}

RF_WIR_PART void rf_wir_clock_scoreboard(rf_wir *m, const rf_wir_cfg *cfg, const rf_wir_out *out) {
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

/* Greedy then oldest without a launch remembers who issued; that is known, so nobody is chosen again. */
RF_WIR_PART void rf_wir_clock_schedulers(rf_wir *m, const rf_wir_cfg *cfg, const rf_wir_in *in, const rf_wir_out *out) {
    if (cfg->sched != 0 || in->launch != 0) {
        rf_stage_clock_schedulers(&m->stage, &in->stage, out->wires.ready, out->issue_valid);
        return;
    }
    for (uint32_t left = out->issue_valid; left != 0; left &= left - 1) {
        rf_sched_gto *s = &m->stage.gto[rf_lowest(left)];
        s->last_valid_q = 1;
        s->last_q = (uint8_t)rf_wir_local(out->issue_warp[rf_lowest(left)], cfg->issues);
    }
}

/* ---- verify, retire ---- */

/* The head of group g's queue moves to a verifier. */
RF_WIR_PART void rf_wir_load_verifier(rf_wir *m, const rf_wir_cfg *cfg, const rf_wir_wires *x, uint32_t g) {
    const rf_result_queue *q = &m->result[x->read_port[g]];
    const uint32_t at = q->ctrl.rd_ptr_q, warp = rf_wir_bits(cfg->warps);
    const uint32_t bits = 3 + rf_wir_bits(cfg->pregs) + rf_wir_bits(cfg->entries);
    rf_verify_in edge;
    edge.load_merge = q->op_q[at] == RF_RESULT_MERGE;
    edge.load_cand = q->cand_q[at];
    edge.load_reg = q->preg_q[at];
    edge.load_mask = q->mask_q[at];
    edge.load_info = q->info_q[at] | (uint64_t)q->warp_q[at] << bits | (uint64_t)q->dst_q[at] << (bits + warp);
    rf_verify_take(&m->verify[g * cfg->verifiers + x->read_verifier[g]], &edge, &q->data_q[at]);
}

/* Verifiers, their cache and what they read; before the banks move. A load goes to one that was idle: it is not moved, too. */
RF_WIR_PART void rf_wir_clock_verify(rf_wir *m, const rf_wir_cfg *cfg, rf_wir_wires *x) {
    const rf_vec *fill_data[RF_ISSUES_MAX];
    rf_verify_cache_in *c = &x->vcache_in;
    c->fill = 0;
    c->evict = x->free_in.pop;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        c->evict_reg[g] = x->free.reg[g];
        for (uint32_t v = 0; v < cfg->verifiers; v++) {
            rf_verify *u = &m->verify[g * cfg->verifiers + v];
            if (u->state_q == RF_VERIFY_IDLE) continue;
            const rf_vec *const rdata = rf_wir_read_data(m, cfg, u);
            const bool give = (x->gave >> g & 1) != 0 && x->give[g] == v;
            const bool done = (x->retired >> g & 1) != 0 && x->retire_port[g] == cfg->exports + v;
            if (u->state_q == RF_VERIFY_CHECK && u->merge_q == 0) {
                c->fill |= (uint8_t)(1u << g);
                c->fill_reg[g] = u->cand_q;
                fill_data[g] = rdata;
            }
            rf_verify_move(u, rdata, rf_verify_equal(u, rdata), give, x->free.reg[g], done);
        }
        if ((x->read >> g & 1) != 0) rf_wir_load_verifier(m, cfg, x, g);
    }
    if (cfg->vcache != 0 && (c->fill | c->evict) != 0) rf_verify_cache_edge(&m->vcache, c, fill_data);
}

/* The banks that were granted read, then write. */
RF_WIR_PART void rf_wir_move_rows(rf_wir *m, const rf_wir_cfg *cfg, const rf_wir_wires *x) {
    rf_stage_read(&m->stage, x->arbiter.bank_re, x->arbiter.bank_raddr);
    for (uint32_t left = x->arbiter.wr_grant; left != 0; left &= left - 1) {
        const uint32_t n = rf_lowest(left), preg = x->retire_preg[n], from = cfg->reuse == 0 ? n : x->retire_port[n];
        rf_bank *bank = &m->stage.bank[rf_wir_preg_bank(cfg, preg)];
        if (from < cfg->exports) {
            const rf_result_queue *q = &m->result[from];
            const uint32_t at = q->ctrl.rd_ptr_q;
            rf_stage_write(bank, rf_wir_preg_row(cfg, preg), q->mask_q[at], &q->data_q[at]);
        } else {
            const rf_verify *v = &m->verify[n * cfg->verifiers + from - cfg->exports];
            rf_stage_write(bank, rf_wir_preg_row(cfg, preg), (uint32_t)rf_mask64(cfg->lanes), &v->data_q);
        }
    }
}

/* ---- results ---- */

/* A result from the end of its pipe into its queue. Its value is zero in lanes that it does not have if it is to be written with
 * all lanes: where `push` has more of them than the pipe. */
RF_WIR_PART void rf_wir_push(const rf_wir_cfg *cfg, const rf_hash_pipe *p, const rf_result_queue_in *push, rf_result_queue *q) {
    const uint32_t at = q->ctrl.wr_ptr_q, end = p->cfg.stages - 1, mask = p->mask_q[end];
    q->op_q[at] = push->push_op;
    q->warp_q[at] = push->push_warp;
    q->dst_q[at] = push->push_dst;
    q->preg_q[at] = push->push_preg;
    q->cand_q[at] = push->push_cand;
    q->mask_q[at] = push->push_mask;
    q->info_q[at] = push->push_info;
    q->data_q[at] = p->data_q[end];
    if (push->push_mask == mask) return;
    for (uint32_t l = 0; l < cfg->lanes; l++) q->data_q[at].lane[l] &= -(mask >> l & 1);
}

RF_WIR_PART void rf_wir_clock_results(rf_wir *m, const rf_wir_cfg *cfg, const rf_wir_in *in, const rf_wir_out *out) {
    const rf_wir_wires *x = &out->wires;
    const uint32_t pushes = x->left;
    uint32_t pops = cfg->reuse == 0 ? x->retired : 0;
    const rf_result_queue_in *push[RF_EXPORTS_MAX];
    if (cfg->reuse == 0) {
        for (uint32_t e = 0; e < cfg->exports; e++) push[e] = &x->push[e];
    } else {
        for (uint32_t left = x->took; left != 0; left &= left - 1) push[x->take[rf_lowest(left)]] = &x->push[rf_lowest(left)];
        for (uint32_t left = x->read; left != 0; left &= left - 1) pops |= 1u << x->read_port[rf_lowest(left)];
        for (uint32_t left = x->retired; left != 0; left &= left - 1) pops |= 1u << x->retire_port[rf_lowest(left)];
    }
    for (uint32_t e = 0; e < cfg->exports; e++) {
        rf_result_queue *q = &m->result[e];
        rf_hash_pipe *p = &m->pipe[e];
        const uint32_t pushed = pushes >> e & 1, popped = pops >> e & 1;
        if (pushed != 0) rf_wir_push(cfg, p, push[e], q);
        if ((pushed | popped) != 0) {
            const rf_fifo_ctrl_in edge = {(uint8_t)pushed, (uint8_t)popped};
            rf_fifo_ctrl_clock(&q->ctrl, &edge);
        }
        if (p->valid_q == 0 && (in->res_valid >> e & 1) == 0) continue;
        rf_hash_pipe_in edge;
        edge.valid = in->res_valid >> e & 1;
        edge.warp = in->res_warp[e];
        edge.dst = in->res_dst[e];
        edge.mask = in->res_mask[e];
        edge.info = cfg->reuse == 0 ? 0 : in->res_info[e];
        rf_hash_pipe_edge(p, rf_hash_pipe_takers(p, pushed), &edge, &in->res_data[e]);
    }
}

/* ---- what only reuse has, but for verifiers, queues of results and the reuse buffer (rf_wir_decide) ---- */

RF_WIR_PART void rf_wir_clock_queue(rf_wir *m, const rf_wir_wires *x, uint32_t g) {
    const rf_wir_front_out *lane = &x->front[g];
    const bool pop = lane->lane_retry && (lane->act == RF_WIR_REUSE || lane->act == RF_WIR_EXECUTE);
    if (lane->act != RF_WIR_QUEUE && lane->act != RF_WIR_ROTATE && !pop) return;
    rf_pending_queue_in edge;
    edge.push = lane->act == RF_WIR_QUEUE;
    edge.push_warp = lane->lane_warp;
    edge.push_tag = lane->lane_tag;
    edge.push_port = lane->lane_port;
    edge.push_dst = lane->lane_dst;
    edge.push_src_valid = lane->lane_src_valid;
    edge.push_opcode = lane->lane_opcode;
    edge.push_space = lane->lane_space;
    edge.push_old_valid = lane->lane_old_valid;
    edge.push_old_preg = lane->lane_old_preg;
    edge.push_old_pin = lane->lane_old_pin;
    edge.pop = pop;
    edge.rotate = lane->act == RF_WIR_ROTATE;
    memcpy(edge.push_src, lane->lane_src, sizeof edge.push_src);
    memcpy(edge.push_operand, lane->lane_operand, sizeof edge.push_operand);
    rf_pending_queue_clock(&m->queue[g], &edge);
}

/* The pointers of group g's arbiters, and what was promised to its results. */
RF_WIR_PART void rf_wir_clock_turns(rf_wir *m, const rf_wir_cfg *cfg, const rf_wir_wires *x, uint32_t g) {
    const uint32_t exports = cfg->exports;
    const bool took = (x->took >> g & 1) != 0, retired = (x->retired >> g & 1) != 0;
    const bool shared = retired && (x->retire_write >> g & 1) == 0 && x->retire_port[g] >= exports;
    const bool verify = took && x->push[g].push_op == RF_RESULT_VERIFY;
    if (took) m->take_rr[g].mask_q = rf_rr_next(UINT64_C(1) << x->take[g], exports);
    if ((x->read >> g & 1) != 0) m->read_rr[g].mask_q = rf_rr_next(UINT64_C(1) << x->read_port[g], exports);
    if (retired && x->retire_port[g] < exports) m->retire_rr[g].mask_q = rf_rr_next(UINT64_C(1) << x->retire_port[g], exports);
    if (x->port_grant[g] != 0) m->port_rr[g].mask_q = rf_rr_next(x->port_grant[g], RF_WIR_PORTS);
    m->promised_q = (uint16_t)(m->promised_q + verify - shared - (x->gave >> g & 1));
}

RF_WIR_PART void rf_wir_clock_guard(rf_wir *m, const rf_wir_in *in, const rf_wir_wires *x) {
    const rf_load_guard *u = &m->guard;
    const uint64_t asked = in->launch | in->fence | in->start | in->bar | in->flush | x->guard_in.st_valid;
    if ((asked | u->active_q | u->flush_q | u->sweep_q) != 0) rf_load_guard_edge(&m->guard, &x->guard_in, in->block);
}

RF_WIR_PART void rf_wir_clock_reuse(rf_wir *m, const rf_wir_cfg *cfg, const rf_wir_in *in, rf_wir_wires *x) {
    rf_unwritten_in *u = &x->unwritten_in;
    u->set = x->free_in.pop;
    u->clr = x->retire_write;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        u->set_reg[g] = (u->set >> g & 1) != 0 ? x->free.reg[g] : 0;
        u->clr_reg[g] = (u->clr >> g & 1) != 0 ? x->retire_preg[g] : 0;
        if ((x->rename_in[g].wr_valid | x->rename_in[g].clear | m->rename[g].walking_q) != 0)
            rf_rename_clock(&m->rename[g], &x->rename_in[g]);
        rf_wir_clock_queue(m, x, g);
        rf_wir_clock_turns(m, cfg, x, g);
    }
    rf_wir_clock_guard(m, in, x);
    if ((x->vsb_in.write | x->vsb_in.drop | x->vsb_in.rnd_drop) != 0) rf_vsb_clock(&m->vsb, &x->vsb_in);
    if ((u->set | u->clr) != 0) rf_unwritten_clock(&m->unwritten, u);
    if ((x->free_in.pop | x->free_in.push) != 0) rf_free_list_clock(&m->free, &x->free_in);
    rf_refcount_count(&m->count, (uint32_t)__builtin_popcount(x->count.free), x->count.free_reg);
    rf_refcount_schedule(&m->count, &x->count_in);
    m->lfsr.value_q = rf_lfsr_next(m->lfsr.value_q);
}

RF_WIR_PART void rf_wir_edge(rf_wir *m, const rf_wir_cfg *cfg, const rf_wir_in *in, rf_wir_out *out) {
    rf_wir_wires *x = &out->wires;
    rf_wir_clock_scoreboard(m, cfg, out);
    rf_wir_clock_schedulers(m, cfg, in, out);
    rf_wir_clock_arbiter(m, &x->arbiter_in, &x->arbiter);
    rf_stage_clock_dispatch(&m->stage, &x->dispatch, in->ex_ready);
    rf_wir_fill(m, x->busy);
    if (cfg->reuse != 0) rf_wir_clock_verify(m, cfg, x);
    rf_wir_move_rows(m, cfg, x);
    rf_wir_clock_collectors(m, cfg, x);
    if (cfg->reuse != 0) rf_wir_clock_reuse(m, cfg, in, x);
    rf_wir_clock_results(m, cfg, in, out);
    for (uint32_t g = 0; g < cfg->issues; g++) rf_wir_front_clock(&m->front[g], &x->front_in[g]);
}

#endif
