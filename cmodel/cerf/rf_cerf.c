/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/cerf/rf_cerf.h"

#include "cmodel/banked/rf_stage_parts.h"
#include "cmodel/cerf/rf_cerf_memory_parts.h"
#include "cmodel/cerf/rf_miss_ocu_parts.h"
#include "cmodel/cerf/rf_reindex_parts.h"

static rf_banked_cfg stage_cfg(const rf_cerf_cfg *cfg) {
    return (rf_banked_cfg){.warps = cfg->warps,
                           .collectors = cfg->collectors,
                           .banks = cfg->banks,
                           .regs = cfg->regs,
                           .lanes = cfg->lanes,
                           .slots = cfg->slots,
                           .exports = cfg->exports,
                           .issues = cfg->issues,
                           .ports = 1,
                           .sched = cfg->sched,
                           .fetch = cfg->fetch,
                           .wbdepth = cfg->wbdepth};
}

static rf_cerf_memory_cfg memory_cfg(const rf_cerf_cfg *cfg) {
    return (rf_cerf_memory_cfg){.collectors = cfg->collectors,
                                .slots = cfg->slots,
                                .writers = cfg->exports,
                                .registers = cfg->warps * cfg->regs,
                                .banks = cfg->banks,
                                .sets = cfg->sets,
                                .ways = cfg->ways,
                                .lanes = cfg->lanes,
                                .line_w = RF_CERF_LINE_W,
                                .prefix = cfg->prefix,
                                .mshrs = cfg->mshrs,
                                .targets = cfg->targets,
                                .queue = cfg->queue,
                                .reserve = cfg->integrated && cfg->policy != RF_POLICY_REGISTERS,
                                .policy = cfg->integrated ? cfg->policy : RF_POLICY_FAIR};
}

/* Registers have numbers here; where they lie is the memory's. */
static inline rf_reindex_cfg names_of(const rf_cerf_cfg *cfg) { return (rf_reindex_cfg){.warps = cfg->warps, .regs = cfg->regs}; }

const char *rf_cerf_check(const rf_cerf_cfg *cfg) {
    const rf_banked_cfg stage = stage_cfg(cfg);
    const rf_cerf_memory_cfg memory = memory_cfg(cfg);
    if (cfg->integrated > 1) return "INTEGRATED must be 0 or 1";
    if (cfg->liveness > 1) return "LIVENESS must be 0 or 1";
    if (cfg->policy > RF_POLICY_CACHE) return "POLICY must be 0 to 2";
    if (cfg->banks > RF_CERF_BANKS_MAX || !rf_power_of_two(cfg->banks)) return "BANKS must be a power of two, 1 to 8";
    if (cfg->collectors < 1 || cfg->collectors >= RF_COLLECTORS_MAX) return "COLLECTORS must be 1 to 15";
    const char *wrong = rf_banked_check(&stage);
    if (wrong == NULL) wrong = rf_cerf_memory_check(&memory);
    if (wrong != NULL) return wrong;
    if (cfg->integrated && cfg->policy == RF_POLICY_REGISTERS && cfg->warps * cfg->regs > cfg->sets * cfg->ways)
        return "WARPS x REGS must be at most SETS x WAYS with POLICY 1";
    return NULL;
}

int rf_cerf_init(rf_cerf *m, const rf_cerf_cfg *cfg) {
    if (rf_cerf_check(cfg) != NULL) return RF_E_CONFIG;
    const rf_banked_cfg stage = stage_cfg(cfg);
    const rf_cerf_memory_cfg memory = memory_cfg(cfg);
    const rf_miss_ocu_cfg ocu = {
        .slots = cfg->slots, .lanes = cfg->lanes, .warps = cfg->warps, .regs = cfg->regs, .exports = cfg->exports};
    int bad = rf_banked_init(&m->stage, &stage) | rf_cerf_memory_init(&m->memory, &memory);
    m->cfg = *cfg;
    for (uint32_t c = 0; c < RF_COLLECTORS_MAX; c++) bad |= rf_miss_ocu_init(&m->ocu[c], &ocu);
    for (uint32_t e = 0; e < RF_EXPORTS_MAX && cfg->integrated; e++)
        bad |= rf_wbq_init(&m->stage.wbq[e], &(rf_wbq_cfg){.depth = cfg->wbdepth,
                                                           .lanes = cfg->lanes,
                                                           .warps = cfg->warps,
                                                           .regs = cfg->regs,
                                                           .banks = 1,
                                                           .rows = 1,
                                                           .note = 1});
    return bad;
}

void rf_cerf_reset(rf_cerf *m) {
    rf_banked_reset(&m->stage);
    rf_cerf_memory_reset(&m->memory);
    for (uint32_t c = 0; c < RF_COLLECTORS_MAX; c++) rf_miss_ocu_reset(&m->ocu[c]);
}

/* ---- requests of the memory ---- */

/* The load/store unit and L2. */
static rf_cerf_memory_asks asks_of(const rf_cerf_in *in) {
    return (rf_cerf_memory_asks){.mem_valid = in->mem_valid != 0,
                                 .l2_ready = in->l2_ready != 0,
                                 .fill_valid = in->fill_valid != 0,
                                 .mem_op = in->mem_op,
                                 .mem_way = in->mem_way,
                                 .mem_id = in->mem_id,
                                 .fill_bank = in->fill_bank,
                                 .fill_entry = in->fill_entry,
                                 .mem_line = in->mem_line,
                                 .mem_mask = in->mem_mask,
                                 .mem_data = &in->mem_data,
                                 .fill_data = &in->fill_data};
}

/* What the stage asks for beside, and where it stands. */
typedef struct reads {
    uint16_t wr_number[RF_EXPORTS_MAX];
    uint32_t wr_mask[RF_EXPORTS_MAX];
    uint64_t unread;
} reads;

/* D-last: those of `last` whose register no other collector has yet to read. */
static uint64_t deaths(const rf_cerf *m, const rf_cerf_wires *wires, const reads *x) {
    const uint32_t slots = m->cfg.slots;
    uint64_t dies = wires->rd_last;
    for (uint64_t left = dies; left != 0; left &= left - 1) {
        const uint32_t r = rf_lowest(left), own = r / slots * slots;
        uint64_t others = x->unread & ~(rf_mask64(slots) << own);
        for (; others != 0; others &= others - 1)
            if (wires->number[rf_lowest(others)] == wires->number[r]) dies &= ~(UINT64_C(1) << r);
    }
    return dies;
}

/* What the collectors say. Returns the warps whose heads' destinations, valid or not, have yet to be read (D-war). */
static inline uint64_t collectors(const rf_cerf *m, const rf_cerf_in *in, rf_cerf_wires *wires, uint8_t *port, reads *x,
                                  rf_cerf_memory_asks *asks) {
    const uint32_t slots = m->cfg.slots;
    uint64_t overtakes = 0;
    wires->busy = wires->collected = 0;
    wires->rd_last = 0;
    x->unread = 0;
    for (uint32_t c = 0; c < m->cfg.collectors; c++) {
        const rf_miss_ocu *u = &m->ocu[c];
        const uint32_t open = rf_miss_ocu_unread(u), base = c * slots;
        port[c] = u->port_q;
        wires->busy |= (uint16_t)(u->busy_q << c);
        wires->collected |= (uint16_t)(rf_miss_ocu_ready(u) << c);
        for (uint32_t s = 0; s < slots; s++) wires->number[base + s] = u->number_q[s];
        if (open == 0) continue;
        const uint32_t ask = rf_miss_ocu_asks(u);
        x->unread |= (uint64_t)open << base;
        asks->rd_valid |= (uint64_t)ask << base;
        wires->rd_last |= (uint64_t)rf_miss_ocu_last(u, ask) << base;
        for (uint32_t left = open; left != 0; left &= left - 1) {
            const uint32_t w = u->carried_q.warp;
            const bool hit = rf_scoreboard_overtakes(&m->stage.scoreboard, in->ib_dst[w], u->src_q[rf_lowest(left)]);
            overtakes |= (uint64_t)hit << w;
        }
    }
    asks->rd_number = wires->number;
    asks->rd_dead = wires->rd_dead = deaths(m, wires, x);
    return overtakes;
}

/* The heads of the write-back queues. */
static inline void results(const rf_cerf *m, reads *x, rf_cerf_memory_asks *asks, rf_cerf_out *out) {
    const rf_reindex_cfg names = names_of(&m->cfg);
    out->res_ready = 0;
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        const rf_wbq *q = &m->stage.wbq[e];
        const uint32_t head = rf_wbq_head(q);
        const bool valid = rf_wbq_asks(q);
        out->res_ready |= (uint8_t)(rf_wbq_ready(q) << e);
        x->wr_number[e] = (uint16_t)(valid ? rf_reindex_number(&names, q->warp_q[head], q->reg_q[head]) : 0);
        x->wr_mask[e] = q->mask_q[head];
        asks->wr_valid |= (uint32_t)valid << e;
        asks->wr_data[e] = &q->data_q[head];
    }
    asks->wr_number = x->wr_number;
    asks->wr_mask = x->wr_mask;
}

/* ---- control ---- */

static inline void issue(const rf_cerf *m, const rf_cerf_in *in, uint64_t overtakes, rf_cerf_out *out) {
    const rf_cerf_cfg *cfg = &m->cfg;
    rf_cerf_wires *wires = &out->wires;
    uint8_t warp[RF_ISSUES_MAX];
    wires->hazard = rf_stage_hazards(&m->stage, &in->stage, overtakes);
    wires->ready = in->ib_valid & ~wires->hazard;
    wires->chosen = 0;
    for (uint32_t g = 0; g < cfg->issues && g < RF_ISSUES_MAX; g++) {
        const uint64_t ready = rf_stage_group(&m->stage.cfg, wires->ready, g);
        wires->chosen |= (uint8_t)((ready != 0) << g);
        warp[g] = (uint8_t)(rf_stage_choose(&m->stage, g, ready) * cfg->issues + g);
    }
    rf_ocu_alloc_comb(&m->stage.alloc, &(rf_ocu_alloc_in){.busy = wires->busy, .req = wires->chosen}, &wires->alloc);
    out->issue_valid = wires->alloc.grant;
    for (uint32_t g = 0; g < cfg->issues && g < RF_ISSUES_MAX; g++)
        out->issue_warp[g] = (out->issue_valid >> g & 1) != 0 ? warp[g] : 0;
}

static inline void offer(const rf_cerf *m, const rf_dispatch_in *in, rf_cerf_out *out) {
    rf_dispatch_out *dispatch = &out->wires.dispatch;
    rf_dispatch_comb(&m->stage.dispatch, in, dispatch);
    out->ex_valid = dispatch->ex_valid;
    for (uint32_t e = 0; e < m->cfg.exports; e++) rf_stage_show(&out->stage.offers, e, &m->ocu[dispatch->ex_sel[e]].carried_q);
}

/* Everything but 1024-bit wires. `x` holds what `asks` points to. */
static void control(const rf_cerf *m, const rf_cerf_in *in, reads *x, rf_cerf_memory_asks *asks, rf_cerf_memory_cycle *cycle,
                    rf_cerf_out *out) {
    rf_cerf_wires *wires = &out->wires;
    rf_dispatch_in dispatch;
    *asks = asks_of(in);
    if (m->cfg.integrated) {
        const uint64_t overtakes = collectors(m, in, wires, dispatch.port, x, asks);
        issue(m, in, overtakes, out);
        results(m, x, asks, out);
        dispatch.ready = wires->collected;
        dispatch.ex_ready = in->ex_ready;
        offer(m, &dispatch, out);
    }
    rf_cerf_memory_decide(&m->memory, asks, &wires->memory, cycle);
    wires->rd_accept = cycle->rd_accept;
    wires->wr_accept = (uint8_t)cycle->wr_accept;
    out->mem_accept = cycle->mem_accept;
    out->fill_ready = cycle->fill_ready;
}

/* Loads answered, and the message to L2. */
static void put_memory(const rf_cerf *m, rf_cerf_out *out) {
    const uint32_t sends = out->wires.memory.sends, b = sends != 0 ? rf_lowest(sends) : 0;
    rf_miss_queue_message head = {.data = NULL};
    out->ld_valid = 0;
    for (uint32_t i = 0; i < m->cfg.banks; i++) {
        const rf_cerf_memory_answer a = rf_cerf_memory_answers(&m->memory, i);
        const bool loads = a.valid && a.of_mem;
        out->ld_valid |= (uint8_t)(loads << i);
        out->ld_id[i] = loads ? a.id : 0;
        if (loads && a.data != NULL) out->ld_data[i] = *a.data;
        else memset(&out->ld_data[i], 0, sizeof out->ld_data[i]);
    }
    if (sends != 0) head = rf_cerf_memory_message(&m->memory, sends);
    out->l2_valid = sends != 0;
    out->l2_op = head.op;
    out->l2_line = head.line;
    out->l2_bank = (uint8_t)b;
    out->l2_entry = head.entry;
    out->l2_mask = head.mask;
    if (head.data != NULL) out->l2_data = *head.data;
    else memset(&out->l2_data, 0, sizeof out->l2_data);
}

/* The operands of what is offered. */
static void deliver(const rf_cerf *m, rf_cerf_out *out) {
    const uint32_t slots = m->cfg.slots;
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        rf_vec *data = &out->ex_data[e * slots];
        if ((out->ex_valid >> e & 1) != 0) memcpy(data, m->ocu[out->wires.dispatch.ex_sel[e]].data_q, slots * sizeof *data);
        else memset(data, 0, slots * sizeof *data);
    }
}

/* ---- edge ---- */

/* What the memory answers fills collectors: before its banks read again. */
static void fill(rf_cerf *m) {
    static const rf_vec nothing;
    const uint32_t slots = m->cfg.slots;
    for (uint32_t b = m->cfg.banks; b-- > 0;) {
        const rf_cerf_memory_answer a = rf_cerf_memory_answers(&m->memory, b);
        if (!a.valid || a.of_mem) continue;
        rf_miss_ocu *u = &m->ocu[a.id / slots];
        if ((rf_miss_ocu_awaited(u) >> a.id % slots & 1) != 0)
            rf_miss_ocu_fill(u, a.id % slots, a.data != NULL ? a.data : &nothing);
    }
}

static void clock_collectors(rf_cerf *m, const rf_cerf_in *in, const rf_cerf_out *out) {
    const rf_cerf_cfg *cfg = &m->cfg;
    const rf_reindex_cfg names = names_of(cfg);
    const rf_cerf_wires *wires = &out->wires;
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        const uint32_t accepted = (uint32_t)(wires->rd_accept >> (c * cfg->slots) & rf_mask64(cfg->slots));
        rf_miss_ocu_accept(&m->ocu[c], accepted);
        if ((wires->dispatch.grant >> c & 1) != 0) rf_miss_ocu_dispatch(&m->ocu[c]);
    }
    for (uint32_t left = wires->alloc.alloc; left != 0; left &= left - 1) {
        const uint32_t c = rf_lowest(left), w = out->issue_warp[wires->alloc.which[c]];
        rf_stage_instr inst = rf_stage_head_at(&in->stage.heads, w, cfg->slots);
        uint16_t number[RF_SLOTS_MAX];
        inst.dst_valid = rf_stage_writes(&in->stage, w);
        inst.src_valid = (uint16_t)rf_stage_sources(&in->stage, w);
        for (uint32_t s = 0; s < cfg->slots; s++) number[s] = rf_reindex_number(&names, w, inst.src[s]);
        rf_miss_ocu_take(&m->ocu[c], &inst, number, cfg->liveness ? in->ib_last[w] : 0);
    }
}

static void clock_queues(rf_cerf *m, const rf_cerf_in *in, uint32_t written) {
    for (uint32_t left = in->res_valid | written; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        const rf_wbq_result result = {
            .data = &in->res_data[e], .mask = in->res_mask[e], .warp = in->res_warp[e], .reg = in->res_dst[e]};
        rf_wbq_move(&m->stage.wbq[e], (in->res_valid >> e & 1) != 0 ? &result : NULL, (written >> e & 1) != 0);
    }
}

static void edge(rf_cerf *m, const rf_cerf_in *in, const rf_cerf_out *out, const rf_cerf_memory_asks *asks,
                 const rf_cerf_memory_cycle *cycle) {
    const rf_cerf_wires *wires = &out->wires;
    if (m->cfg.integrated) {
        rf_stage_clock_scoreboard(&m->stage, &in->stage, &out->stage, wires->wr_accept);
        rf_stage_clock_schedulers(&m->stage, &in->stage, wires->ready, out->issue_valid);
        rf_dispatch_move(&m->stage.dispatch, &wires->dispatch, in->ex_ready);
        fill(m);
    }
    rf_cerf_memory_move(&m->memory, asks, &wires->memory, cycle);
    if (!m->cfg.integrated) return;
    clock_collectors(m, in, out);
    clock_queues(m, in, wires->wr_accept);
}

/* ---- a cycle ---- */

/* The instruction buffers, ports and results are the first thing in both. */
static const rf_banked_in *separate(const rf_cerf_in *in) { return (const rf_banked_in *)&in->stage; }

void rf_cerf_comb(const rf_cerf *m, const rf_cerf_in *in, rf_cerf_out *out) {
    rf_cerf_memory_asks asks;
    rf_cerf_memory_cycle cycle;
    reads x;
    control(m, in, &x, &asks, &cycle, out);
    put_memory(m, out);
    if (m->cfg.integrated) deliver(m, out);
    else rf_banked_comb(&m->stage, separate(in), &out->separate);
}

void rf_cerf_clock(rf_cerf *m, const rf_cerf_in *in) {
    rf_cerf_memory_asks asks;
    rf_cerf_memory_cycle cycle;
    rf_cerf_out out;
    reads x;
    control(m, in, &x, &asks, &cycle, &out);
    if (!m->cfg.integrated) rf_banked_clock(&m->stage, separate(in));
    edge(m, in, &out, &asks, &cycle);
}

void rf_cerf_step(rf_cerf *m, const rf_cerf_in *in, rf_cerf_out *out) {
    rf_cerf_memory_asks asks;
    rf_cerf_memory_cycle cycle;
    reads x;
    control(m, in, &x, &asks, &cycle, out);
    put_memory(m, out);
    if (m->cfg.integrated) deliver(m, out);
    else rf_banked_step(&m->stage, separate(in), &out->separate);
    edge(m, in, out, &asks, &cycle);
}
