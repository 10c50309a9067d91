/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model of rf_wir beside the model: every output, and what the registers hold. */
#ifndef RF_JUDGE_WIR_COMPARE_H
#define RF_JUDGE_WIR_COMPARE_H

#include "tb/wir/judge/judge_wir.h"

static inline void compare_wir_out(judge *j, const slow_wir *s, const slow_turn *now, const rf_wir_out *out) {
    static const slow_collector nothing;
    static const uint32_t zero[32];
    const rf_stage_carried *offered[8];
    bool bit[8] = {false}, reused[4] = {false};
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        bit[g] = now->stage.goes[g] != NONE;
        reused[g] = now->act[g] == RF_WIR_REUSE;
        judge_equal(j, "issue_warp", g, out->issue_warp[g], bit[g] ? now->stage.goes[g] : 0);
        judge_equal(j, "reused_warp", g, out->reused_warp[g], reused[g] ? now->lane[g].warp : 0);
        judge_equal(j, "reused_tag", g, out->reused_tag[g], reused[g] ? now->lane[g].tag : 0);
    }
    judge_equal(j, "issue_valid", 0, out->issue_valid, judge_pack(bit, s->cfg.issues));
    judge_equal(j, "reused", 0, out->reused, judge_pack(reused, s->cfg.issues));
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        const uint32_t at = now->stage.offered[e];
        const bool valid = at != NONE;
        const slow_collector *c = valid ? &s->stage.collector[at] : &nothing;
        offered[e] = valid ? &c->carried : NULL;
        judge_equal(j, "ex_info", e, out->ex_info[e], valid ? s->info[at] : 0);
        for (uint32_t k = 0; k < s->cfg.slots; k++)
            judge_words(j, "ex_data", e * s->cfg.slots + k, out->ex_data[e * s->cfg.slots + k].lane,
                        valid && s->zero[at][k] ? zero : c->slot[k].data, 32);
    }
    judge_offers(j, &out->offers, s->cfg.exports, offered);
    judge_equal(j, "res_ready", 0, out->res_ready, judge_pack(now->ready, s->cfg.exports));
}

static inline void compare_maps(judge *j, const slow_wir *s, const rf_wir *m) {
    const uint32_t issues = s->cfg.issues;
    for (uint32_t g = 0; g < issues; g++) {
        uint64_t walking = 0;
        for (uint32_t w = g; w < s->cfg.warps; w += issues) {
            walking |= (uint64_t)s->walking[w] << w / issues;
            for (uint32_t r = 0; r < s->cfg.regs; r++) {
                const slow_mapping *a = &s->map[w][r];
                const uint32_t at = w * 256 + r;
                const rf_rename *table = &m->lane[g].rename;
                judge_equal(j, "rename.valid_q", at, rf_rename_has(table, table->valid_q, w / issues, r), a->valid);
                judge_equal(j, "rename.pin_q", at, rf_rename_has(table, table->pin_q, w / issues, r), a->pin);
                judge_equal(j, "rename.preg_q", at, table->preg_q[w / issues * s->cfg.regs + r], a->preg);
            }
        }
        judge_equal(j, "rename.walking_q", g, m->lane[g].rename.walking_q, walking);
    }
}

static inline void compare_tables(judge *j, const slow_wir *s, const rf_wir *m) {
    const rf_wir_cfg *cfg = &s->cfg;
    for (uint32_t i = 0; i < cfg->entries; i++) {
        const slow_entry *e = &s->entry[i];
        judge_equal(j, "reuse.valid_q", i, m->reuse.buffer.valid_q[i], e->valid);
        judge_equal(j, "reuse.pending_q", i, m->reuse.buffer.pending_q[i], e->pending);
        judge_equal(j, "reuse.opcode_q", i, m->reuse.buffer.opcode_q[i], e->opcode);
        judge_equal(j, "reuse.block_q", i, m->reuse.buffer.block_q[i], e->block);
        judge_equal(j, "reuse.barrier_q", i, m->reuse.buffer.barrier_q[i], e->barrier);
        judge_equal(j, "reuse.result_q", i, m->reuse.buffer.result_q[i], e->result);
        for (uint32_t k = 0; k < cfg->slots; k++)
            judge_equal(j, "reuse.operand_q", i * 6 + k, m->reuse.buffer.operand_q[i * cfg->slots + k], e->operand[k]);
    }
    for (uint32_t i = 0; i < cfg->ventries && cfg->vsb != 0; i++) {
        judge_equal(j, "vsb.valid_q", i, m->results.vsb.valid_q[i], s->vsb[i].valid);
        judge_equal(j, "vsb.hash_q", i, m->results.vsb.hash_q[i], s->vsb[i].hash);
        judge_equal(j, "vsb.reg_q", i, m->results.vsb.reg_q[i], s->vsb[i].preg);
    }
    for (uint32_t i = 0; i < cfg->vcache; i++) {
        judge_equal(j, "vcache.valid_q", i, m->results.vcache.valid_q >> i & 1, s->line[i].valid);
        judge_equal(j, "vcache.tag_q", i, m->results.vcache.tag_q[i], s->line[i].preg);
        judge_words(j, "vcache.data_q", i, m->results.vcache.data_q[i].lane, s->line[i].data, 32);
    }
    if (cfg->vcache != 0) judge_equal(j, "vcache.next_q", 0, m->results.vcache.next_q, s->next_line);
}

static inline void compare_free(judge *j, const slow_wir *s, const rf_wir *m) {
    const uint32_t pregs = s->cfg.pregs;
    judge_equal(j, "free.fresh_q", 0, m->results.free.fresh_q, s->fresh);
    judge_equal(j, "free.level_q", 0, m->results.free.level_q, s->backs);
    for (uint32_t i = 0; i < s->backs; i++)
        judge_equal(j, "free.queue_q", i, m->results.free.queue_q[(m->results.free.rd_ptr_q + i) % pregs], s->back[i]);
    for (uint32_t r = 0; r < pregs; r++) {
        judge_equal(j, "count.count_q", r, m->reuse.count.count_q[r], s->refs[r]);
        judge_equal(j, "count.dead_q", r, m->reuse.count.dead_q[r / 64] >> r % 64 & 1, s->dead[r]);
        judge_equal(j, "unwritten.bit_q", r, m->retire.unwritten.bit_q[r], s->unwritten[r]);
    }
    judge_equal(j, "lfsr.value_q", 0, m->reuse.lfsr.value_q, s->lfsr);
}

static inline void compare_guard(judge *j, const slow_wir *s, const rf_wir *m) {
    const slow_guard *u = &s->guard;
    judge_equal(j, "guard.shared_q", 0, m->reuse.guard.shared_q, judge_pack(u->shared, s->cfg.warps));
    judge_equal(j, "guard.global_q", 0, m->reuse.guard.global_q, judge_pack(u->global, s->cfg.warps));
    for (uint32_t b = 0; b < s->cfg.blocks; b++) judge_equal(j, "guard.count_q", b, m->reuse.guard.count_q[b], u->count[b]);
    judge_equal(j, "guard.gcount_q", 0, m->reuse.guard.gcount_q, u->gcount);
    judge_equal(j, "guard.flush_q", 0, m->reuse.guard.flush_q, u->flush);
    judge_equal(j, "guard.sweep_q", 0, m->reuse.guard.sweep_q, judge_pack(u->sweep, s->cfg.blocks));
    judge_equal(j, "guard.active_q", 0, m->reuse.guard.active_q, u->pass);
    judge_equal(j, "guard.index_q", 0, m->reuse.guard.index_q, u->index);
}

/* Fronts, queues, pipes and verifiers: who is where. */
static inline void compare_places(judge *j, const slow_wir *s, const rf_wir *m) {
    const rf_wir_cfg *cfg = &s->cfg;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        judge_equal(j, "front.rn_valid_q", g, m->lane[g].front.rn_valid_q, s->rename[g].valid);
        judge_equal(j, "front.ru_valid_q", g, m->lane[g].front.ru_valid_q, s->reuse[g].valid);
        if (cfg->reuse == 0) continue;
        judge_equal(j, "queue.level_q", g, m->lane[g].queue.level_q, s->queued[g]);
        judge_equal(j, "take_rr.mask_q", g, m->results.take_rr[g].mask_q, judge_above(s->last_take[g], cfg->exports));
        judge_equal(j, "read_rr.mask_q", g, m->retire.read_rr[g].mask_q, judge_above(s->last_read[g], cfg->exports));
        judge_equal(j, "retire_rr.mask_q", g, m->retire.retire_rr[g].mask_q, judge_above(s->last_retire[g], cfg->exports));
        judge_equal(j, "port_rr.mask_q", g, m->retire.port_rr[g].mask_q, judge_above(s->last_port[g], 3));
        for (uint32_t v = 0; v < cfg->verifiers; v++)
            judge_equal(j, "verify.state_q", g * cfg->verifiers + v, m->retire.verify[g * cfg->verifiers + v].state_q,
                        s->verifier[g][v].state);
    }
    for (uint32_t e = 0; e < cfg->exports; e++) {
        bool valid[5] = {false};
        for (uint32_t i = 0; i < cfg->delay - 2; i++) valid[i] = s->pipe[e][i].valid;
        judge_equal(j, "pipe.valid_q", e, m->results.pipe[e].valid_q, judge_pack(valid, cfg->delay - 2));
        judge_equal(j, "result.level_q", e, m->results.queue[e].ctrl.level_q, s->results[e]);
    }
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        judge_equal(j, "zero_q", c, m->collect.zero_q[c], judge_pack(s->zero[c], cfg->slots));
        judge_equal(j, "info_q", c, m->collect.info_q[c], s->info[c]);
    }
    for (uint32_t b = 0; b < cfg->banks; b++) {
        const uint32_t readers = cfg->collectors + (cfg->reuse != 0 ? cfg->issues : 0);
        const uint32_t writers = cfg->reuse != 0 ? cfg->issues : cfg->exports;
        judge_equal(j, "arbiter.rd_rr.mask_q", b, m->arbiter.rd_rr[b].mask_q & ls_mask(readers),
                    judge_above(s->last_reader[b], readers));
        judge_equal(j, "arbiter.wr_rr.mask_q", b, m->arbiter.wr_rr[b].mask_q & ls_mask(writers),
                    judge_above(s->last_writer[b], writers));
    }
    for (uint32_t e = 0; e < cfg->exports; e++)
        judge_equal(j, "dispatch.rr.mask_q", e, m->collect.dispatch.rr[e].mask_q,
                    judge_above(s->stage.last_dispatch[e], cfg->collectors));
}

static inline void compare_values(judge *j, const slow_wir *s, const rf_wir *m) {
    for (uint32_t r = 0; r < s->cfg.pregs; r++)
        judge_words(j, "bank.mem_q", r, m->bank[r % s->cfg.banks].mem_q[r / s->cfg.banks].lane, s->value[r], 32);
}

/* All but the values of the registers. */
static inline void compare_wir_state(judge *j, const slow_wir *s, const rf_wir *m) {
    compare_places(j, s, m);
    compare_scoreboard(j, &s->stage, &m->issue.scoreboard);
    compare_schedulers(j, &s->stage, m->issue.gto, m->issue.lrr, m->issue.groups);
    compare_collectors(j, &s->stage, m->collect.ocu);
    if (s->cfg.reuse == 0) return;
    compare_maps(j, s, m);
    compare_tables(j, s, m);
    compare_free(j, s, m);
    compare_guard(j, s, m);
}

#endif
