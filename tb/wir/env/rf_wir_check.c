/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/wir/env/rf_wir_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "tb/wir/env/rf_wir_late.h"

/* A retired instruction: where its result is. */
typedef struct retired {
    uint8_t warp, dst;
    uint16_t preg;
    const char *how;
} retired;

struct rf_wir_checker {
    const rf_wir *model;
    uint32_t period;
    uint64_t cycles;
    uint32_t held, queued;                   /* instructions and results in the system; those of them in pending queues */
    uint32_t spoken, limit;                  /* of the cycle before: registers in use or promised; limit */
    uint32_t still, still_low;               /* cycles without movement since the last one, outside low register mode and in it */
    uint32_t leading;                        /* leaders that are being executed, */
    int32_t executing[RF_REUSE_ENTRIES_MAX]; /* of each entry */
    retired retired[2 * RF_EXPORTS_MAX];
    uint32_t retired_count;
    rf_wir_late *late;
    uint16_t references[RF_PREGS_MAX];
    uint8_t free[RF_PREGS_MAX];
    char violation[256];
};

static void violated(rf_wir_checker *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void violated(rf_wir_checker *c, const char *format, ...) {
    if (c->violation[0] != '\0') return;
    va_list args;
    va_start(args, format);
    const int n = snprintf(c->violation, sizeof c->violation, "cycle %llu: ", (unsigned long long)c->cycles);
    (void)vsnprintf(c->violation + n, sizeof c->violation - (size_t)n, format, args);
    va_end(args);
}

rf_wir_checker *rf_wir_checker_new(const rf_wir *m) {
    const rf_wir_cfg *cfg = &m->cfg;
    rf_wir_checker *c = ls_zeroed(sizeof *c);
    c->period =
        cfg->warps * cfg->regs + cfg->entries * cfg->slots + cfg->ventries + cfg->pregs <= RF_WIR_SMALL ? 1 : RF_WIR_PERIOD;
    return c;
}

void rf_wir_checker_free(rf_wir_checker *c) {
    if (c == NULL) return;
    rf_wir_late_free(c->late);
    free(c);
}

/* ---- views ---- */

static const rf_vec *row_of(const rf_wir *m, uint32_t preg) { return &m->bank[preg % m->cfg.banks].mem_q[preg / m->cfg.banks]; }

const rf_vec *rf_wir_value(const rf_wir *m, uint32_t warp, uint32_t reg, rf_vec *room) {
    const rf_wir_cfg *cfg = &m->cfg;
    if (cfg->reuse == 0) {
        const uint32_t row = rf_map_row(warp, reg, cfg->banks, rf_map_rows_per_warp(cfg->regs, cfg->banks));
        return &m->bank[rf_map_bank(warp, reg, cfg->banks)].mem_q[row];
    }
    const rf_rename *table = &m->lane[warp % cfg->issues].rename;
    const uint32_t local = warp / cfg->issues;
    if (rf_rename_has(table, table->valid_q, local, reg)) return row_of(m, table->preg_q[local * cfg->regs + reg]);
    *room = (rf_vec){0};
    return room;
}

void rf_wir_held(const rf_wir *m, uint32_t *instructions, uint32_t *results) {
    const rf_wir_cfg *cfg = &m->cfg;
    *instructions = *results = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        *instructions += (uint32_t)m->lane[g].front.rn_valid_q + m->lane[g].front.ru_valid_q + m->lane[g].queue.level_q;
        for (uint32_t v = 0; v < cfg->verifiers; v++)
            *results += m->retire.verify[g * cfg->verifiers + v].state_q != RF_VERIFY_IDLE;
    }
    for (uint32_t c = 0; c < cfg->collectors; c++) *instructions += m->collect.ocu[c].busy_q;
    for (uint32_t e = 0; e < cfg->exports; e++)
        *results += m->results.queue[e].ctrl.level_q + (uint32_t)__builtin_popcount(m->results.pipe[e].valid_q);
}

/* ---- references ---- */

/* A result goes to the register that its logical one has: the table has the reference. */
static bool in_place(const rf_wir *m, uint32_t warp, uint32_t dst, uint32_t preg) {
    const rf_rename *table = &m->lane[warp % m->cfg.issues].rename;
    const uint32_t local = warp / m->cfg.issues;
    return rf_rename_has(table, table->valid_q, local, dst) && table->preg_q[local * m->cfg.regs + dst] == preg;
}

/* Counts all references out. */
static void count_references(rf_wir_checker *c, const rf_wir *m) {
    const rf_wir_cfg *cfg = &m->cfg;
    memset(c->references, 0, sizeof c->references);
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const rf_rename *table = &m->lane[g].rename;
        for (uint32_t w = 0; w < cfg->warps / cfg->issues; w++)
            for (uint32_t reg = 0; reg < cfg->regs; reg++)
                if (rf_rename_has(table, table->valid_q, w, reg)) c->references[table->preg_q[w * cfg->regs + reg]]++;
    }
    for (uint32_t i = 0; i < cfg->entries; i++) {
        if (!m->reuse.buffer.valid_q[i]) continue;
        for (uint32_t s = 0; s < cfg->slots; s++)
            if ((m->reuse.buffer.opcode_q[i] >> s & 1) != 0) c->references[m->reuse.buffer.operand_q[i * cfg->slots + s]]++;
        if (!m->reuse.buffer.pending_q[i]) c->references[m->reuse.buffer.result_q[i]]++;
    }
    for (uint32_t i = 0; i < cfg->ventries; i++)
        if (m->results.vsb.valid_q[i]) c->references[m->results.vsb.reg_q[i]]++;
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const rf_result_queue *q = &m->results.queue[e];
        for (uint32_t i = 0, at = q->ctrl.rd_ptr_q; i < q->ctrl.level_q; i++, at = at + 1 == cfg->wbdepth ? 0 : at + 1) {
            if (q->op_q[at] == RF_RESULT_WRITE && in_place(m, q->warp_q[at], q->dst_q[at], q->preg_q[at])) continue;
            c->references[q->op_q[at] == RF_RESULT_VERIFY ? q->cand_q[at] : q->preg_q[at]]++;
        }
    }
    for (uint32_t v = 0; v < cfg->issues * cfg->verifiers; v++) {
        const rf_verify *u = &m->retire.verify[v];
        if (u->state_q == RF_VERIFY_IDLE) continue;
        c->references[u->merge_q || u->state_q == RF_VERIFY_WRITE ? u->reg_q : u->cand_q]++;
    }
}

static void check_references(rf_wir_checker *c, const rf_wir *m) {
    const rf_wir_cfg *cfg = &m->cfg;
    const rf_free_list *f = &m->results.free;
    int32_t coming[RF_PREGS_MAX] = {0};
    bool asked[RF_PREGS_MAX] = {false};
    count_references(c, m);
    for (uint64_t left = m->reuse.count.place_q; left != 0; left &= left - 1) {
        const uint32_t i = rf_lowest(left);
        coming[m->reuse.count.reg_q[i]] += (int32_t)(m->reuse.count.delta_q[i] ^ 32) - 32; /* 6 bits, two's complement */
        asked[m->reuse.count.reg_q[i]] = true;
    }
    for (uint32_t p = 0; p < cfg->pregs; p++) c->free[p] = p >= f->fresh_q;
    for (uint32_t i = 0, at = f->rd_ptr_q; i < f->level_q; i++, at = at + 1 == cfg->pregs ? 0 : at + 1) {
        if (c->free[f->queue_q[at]]) violated(c, "a register is free once: P%u is twice", f->queue_q[at]);
        c->free[f->queue_q[at]] = 1;
    }
    for (uint32_t p = 0; p < cfg->pregs; p++) {
        const uint32_t count = m->reuse.count.count_q[p], full = (1u << cfg->countw) - 1;
        const bool dead = (m->reuse.count.dead_q[p / 64] >> (p % 64) & 1) != 0;
        if (count != full && (int32_t)count + coming[p] != c->references[p])
            violated(c, "the count is the number of references: P%u has %u and %d to come, and %u references", p, count,
                     coming[p], c->references[p]);
        if (c->free[p] && (c->references[p] != 0 || dead))
            violated(c, "no register is free and referenced: P%u has %u references", p, c->references[p]);
        if (!c->free[p] && c->references[p] == 0 && !dead && !asked[p] && count != full)
            violated(c, "no register is lost: P%u is neither free nor referenced", p);
    }
}

/* Registers in use, with those promised to verify-reads, are no more than the limit, or no more than in the cycle before: a limit
 * that falls is met as registers come back. */
static void check_limit(rf_wir_checker *c, const rf_wir *m) {
    const rf_free_list *f = &m->results.free;
    const uint32_t spoken = (uint32_t)f->fresh_q - f->level_q + m->results.promised_q;
    if (c->cycles != 0 && spoken > c->spoken && spoken > c->limit)
        violated(c, "no register is given beyond the limit: %u are in use or promised, %u were, limit %u", spoken, c->spoken,
                 c->limit);
    c->spoken = spoken;
}

/* ---- leaders ---- */

/* Whether an instruction with this ex_info is a leader: counted at its entry in `of`. */
static bool count_leader(const rf_wir_cfg *cfg, uint64_t info, int32_t by, int32_t *of) {
    const uint32_t leader = rf_wir_back_bits(cfg->pregs);
    if ((info >> leader & 1) == 0) return false;
    of[info >> (leader + 1) & (cfg->entries - 1)] += by;
    return true;
}

/* Every entry that is pending has one leader in a collector, in execution, or on the way back, and no other has any: else who
 * waits for it waits for good. */
static void check_leaders(rf_wir_checker *c, const rf_wir *m) {
    const rf_wir_cfg *cfg = &m->cfg;
    int32_t leaders[RF_REUSE_ENTRIES_MAX];
    memcpy(leaders, c->executing, sizeof leaders);
    for (uint32_t i = 0; i < cfg->collectors; i++)
        if (m->collect.ocu[i].busy_q) (void)count_leader(cfg, m->collect.info_q[i], 1, leaders);
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const rf_result_queue *q = &m->results.queue[e];
        const rf_hash_pipe *p = &m->results.pipe[e];
        for (uint32_t left = p->valid_q; left != 0; left &= left - 1)
            (void)count_leader(cfg, p->info_q[rf_lowest(left)], 1, leaders);
        for (uint32_t i = 0, at = q->ctrl.rd_ptr_q; i < q->ctrl.level_q; i++, at = at + 1 == cfg->wbdepth ? 0 : at + 1)
            (void)count_leader(cfg, q->info_q[at], 1, leaders);
    }
    for (uint32_t v = 0; v < cfg->issues * cfg->verifiers; v++)
        if (m->retire.verify[v].state_q != RF_VERIFY_IDLE) (void)count_leader(cfg, m->retire.verify[v].info_q, 1, leaders);
    for (uint32_t i = 0; i < cfg->entries; i++)
        if (leaders[i] != m->reuse.buffer.pending_q[i])
            violated(c, "a pending entry has one leader on its way, others none: entry %u, %s, has %d", i,
                     m->reuse.buffer.pending_q[i] ? "pending" : "not pending", leaders[i]);
}

/* Who goes into execution in this cycle, and whose result comes back. */
static void follow_leaders(rf_wir_checker *c, const rf_wir_in *in, const rf_wir_out *out) {
    const rf_wir_cfg *cfg = &c->model->cfg;
    for (uint32_t left = in->res_valid & out->res_ready; left != 0; left &= left - 1)
        c->leading -= count_leader(cfg, in->res_info[rf_lowest(left)], -1, c->executing);
    for (uint32_t left = out->ex_valid & in->ex_ready & out->ex_dst_valid; left != 0; left &= left - 1)
        c->leading += count_leader(cfg, out->ex_info[rf_lowest(left)], 1, c->executing);
}

/* ---- a cycle ---- */

/* What retired in the last cycle is in its register now; later instructions of the warp that write the same register have not
 * retired. */
static void check_values(rf_wir_checker *c, const rf_wir *m, const rf_stage_env *env) {
    for (uint32_t i = 0; i < c->retired_count; i++) {
        const retired *r = &c->retired[i];
        const rf_vec *is = row_of(m, r->preg), *gold = rf_stage_env_golden(env, r->warp, r->dst);
        for (uint32_t l = 0; l < m->cfg.lanes; l++)
            if (is->lane[l] != gold->lane[l]) {
                violated(c,
                         "a retired register has the value of plain execution: slot %u R%u, %s, P%u lane %u is %08x, golden %08x",
                         r->warp, r->dst, r->how, r->preg, l, is->lane[l], gold->lane[l]);
                break;
            }
    }
    c->retired_count = 0;
}

void rf_wir_checker_before(rf_wir_checker *c, const rf_wir *m, const rf_stage_env *env) {
    uint32_t instructions, results;
    c->model = m;
    if (m->cfg.reuse == 0 && c->late == NULL) c->late = rf_wir_late_new(m);
    check_values(c, m, env);
    if (m->cfg.reuse != 0 && m->cfg.capped != 0) check_limit(c, m);
    if (m->cfg.reuse != 0 && c->cycles % c->period == 0) {
        check_references(c, m);
        check_leaders(c, m);
    }
    rf_wir_held(m, &instructions, &results);
    c->held = instructions + results;
    c->queued = 0;
    for (uint32_t g = 0; g < m->cfg.issues; g++) c->queued += m->lane[g].queue.level_q;
    if (c->still > RF_WIR_STANDSTILL || c->still_low > RF_WIR_STANDSTILL_LOW)
        violated(c, "something moves: %u instructions and %u results stand still", instructions, results);
}

/* Cycles in which nothing moves though something is here. Those count in which the surroundings are not waited for: by an
 * instruction that a port refuses, unless results are what fills the port; by pending queues alone, for a leader that is being
 * executed, however long that takes. */
static void check_movement(rf_wir_checker *c, const rf_wir_in *in, const rf_wir_out *out) {
    const rf_wir_wires *x = &out->wires;
    const uint32_t moved = (uint32_t)out->issue_valid | (uint32_t)(out->ex_valid & in->ex_ready) | x->retired | out->reused;
    const uint32_t full = in->res_valid & ~(uint32_t)out->res_ready, refused = out->ex_valid & ~(uint32_t)in->ex_ready & ~full;
    const bool low = c->model->cfg.reuse != 0 && x->low != 0, executes = c->held == c->queued && c->leading > 0;
    if (moved != 0 || c->held == 0) c->still = c->still_low = 0;
    else if (refused != 0 || executes) return;
    else if (low) c->still_low++;
    else c->still++;
}

/* What retires in this cycle. */
static void note_retired(rf_wir_checker *c, const rf_wir_out *out) {
    static const char *const spaces[] = {"reused", "reused load of a constant", "reused load from scratchpad",
                                         "reused load from global memory"};
    const rf_wir_wires *x = &out->wires;
    for (uint32_t left = x->retired; left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left);
        c->retired[c->retired_count++] = (retired){x->retire_warp[g], x->retire_dst[g], x->retire_preg[g], "executed"};
    }
    for (uint32_t left = out->reused; left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left);
        c->retired[c->retired_count++] =
            (retired){out->reused_warp[g], x->front[g].lane.dst, x->reuse.result[g], spaces[x->front[g].lane.space]};
    }
}

void rf_wir_checker_after(rf_wir_checker *c, const rf_wir_in *in, const rf_wir_out *out) {
    note_retired(c, out);
    if (c->late != NULL) {
        const char *differs = rf_wir_late_step(c->late, in, out);
        if (differs != NULL) violated(c, "with everything off it is rf_banked: %s", differs);
    }
    check_movement(c, in, out);
    if (c->model->cfg.reuse != 0) follow_leaders(c, in, out);
    c->limit = in->limit;
    c->cycles++;
}

const char *rf_wir_checker_violation(const rf_wir_checker *c) { return c->violation[0] != '\0' ? c->violation : NULL; }

const rf_wir *rf_wir_checker_model(const rf_wir_checker *c) { return c->model; }
