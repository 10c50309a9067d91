/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/malekeh/rf_malekeh.h"

#include "cmodel/banked/rf_stage_parts.h"
#include "cmodel/malekeh/rf_ccu_parts.h"
#include "cmodel/malekeh/rf_ccu_scheduler_parts.h"

/* `sched` of the units that rf_banked has: SCHED 3 is not one of them, any will do. */
static rf_banked_cfg stage_cfg(const rf_malekeh_cfg *cfg) {
    rf_banked_cfg stage = {RF_BANKED_SIZES_OF(cfg), .banks = cfg->banks, .ports = cfg->ports, .serial = cfg->serial};
    if (stage.sched == 3) stage.sched = 0;
    return stage;
}

static rf_ccu_cfg ccu_cfg(const rf_malekeh_cfg *cfg) {
    return (rf_ccu_cfg){.entries = cfg->entries,
                        .slots = cfg->slots,
                        .lanes = cfg->lanes,
                        .warps = cfg->warps,
                        .regs = cfg->regs,
                        .banks = cfg->banks,
                        .rows = cfg->warps * rf_map_rows_per_warp(cfg->regs, cfg->banks),
                        .exports = cfg->exports,
                        .cache = cfg->cache,
                        .bow = cfg->bow,
                        .serial = cfg->serial};
}

static rf_sthld_cfg sthld_cfg(const rf_malekeh_cfg *cfg) {
    return (rf_sthld_cfg){.issues = cfg->issues,
                          .interval = cfg->interval,
                          .large = cfg->large,
                          .first = cfg->sthld,
                          .climb = RF_MALEKEH_CLIMB,
                          .speculate = RF_MALEKEH_SPECULATE,
                          .back = RF_MALEKEH_BACK,
                          .probe = RF_MALEKEH_PROBE,
                          .undo = RF_MALEKEH_UNDO};
}

const char *rf_malekeh_check(const rf_malekeh_cfg *cfg) {
    if (cfg->sched > 3) return "SCHED must be 0 to 3";
    const rf_banked_cfg stage = stage_cfg(cfg);
    const char *wrong = rf_banked_check(&stage);
    if (wrong != NULL) return wrong;
    if (cfg->entries < 2 || cfg->entries > RF_CCU_ENTRIES_MAX || cfg->entries < cfg->slots)
        return "ENTRIES must be 2 to 8, at least SLOTS";
    if (cfg->cache > 1) return "CACHE must be 0 or 1";
    if (cfg->adapt > 1) return "ADAPT must be 0 or 1";
    if (cfg->sthld > 255) return "STHLD must be 0 to 255";
    if (cfg->interval < 2 || cfg->interval > 65535) return "INTERVAL must be 2 to 65535";
    if (cfg->large < 1 || cfg->large > 255) return "LARGE must be 1 to 255";
    if (cfg->clear > 1) return "CLEAR must be 0 or 1";
    if (cfg->bow > 1) return "BOW must be 0 or 1";
    return NULL;
}

int rf_malekeh_init(rf_malekeh *m, const rf_malekeh_cfg *cfg) {
    if (rf_malekeh_check(cfg) != NULL) return RF_E_CONFIG;
    const rf_banked_cfg stage = stage_cfg(cfg);
    const rf_ccu_cfg ccu = ccu_cfg(cfg);
    const rf_sthld_cfg sthld = sthld_cfg(cfg);
    int bad = 0;
    m->cfg = *cfg;
    bad |= rf_banked_init(&m->stage, &stage);
    for (uint32_t c = 0; c < RF_COLLECTORS_MAX; c++) bad |= rf_ccu_init(&m->ccu[c], &ccu);
    bad |= rf_ccu_allocator_init(
        &m->alloc,
        &(rf_ccu_allocator_cfg){.collectors = cfg->collectors, .issues = cfg->issues, .warps = cfg->warps, .clear = cfg->clear});
    for (uint32_t g = 0; g < RF_ISSUES_MAX; g++)
        bad |= rf_ccu_scheduler_init(&m->oldest[g], &(rf_ccu_scheduler_cfg){.warps = cfg->warps / cfg->issues});
    bad |= rf_sthld_init(&m->sthld, &sthld);
    bad |= rf_lfsr_init(&m->lfsr, &(rf_lfsr_cfg){.seed = RF_MALEKEH_SEED});
    return bad;
}

void rf_malekeh_reset(rf_malekeh *m) {
    rf_banked_reset(&m->stage);
    for (uint32_t c = 0; c < RF_COLLECTORS_MAX; c++) rf_ccu_reset(&m->ccu[c]);
    rf_ccu_allocator_reset(&m->alloc);
    for (uint32_t g = 0; g < RF_ISSUES_MAX; g++) rf_ccu_scheduler_reset(&m->oldest[g]);
    rf_sthld_reset(&m->sthld);
    rf_lfsr_reset(&m->lfsr);
}

/* What the CCUs say. Returns the warps whose heads' destinations, valid or not, have yet to be read (D-war). */
static inline uint64_t collectors(const rf_malekeh *m, const rf_malekeh_in *in, rf_malekeh_wires *wires, uint8_t *port) {
    const uint32_t slots = m->cfg.slots;
    rf_arbiter_in *ask = &wires->arbiter_in;
    uint32_t busy = 0, complete = 0, owned = 0, near = 0, full = 0;
    uint64_t asks = 0, own_busy = 0, held = 0, overtakes = 0;
    for (uint32_t c = 0; c < m->cfg.collectors; c++) {
        const rf_ccu *u = &m->ccu[c];
        const uint32_t w = u->carried_q.warp, open = rf_ccu_unread(u), has = rf_ccu_held(u);
        port[c] = u->port_q;
        wires->alloc_in.warp[c] = (uint8_t)w;
        busy |= (uint32_t)u->busy_q << c;
        complete |= (uint32_t)rf_ccu_ready(u) << c;
        owned |= (uint32_t)u->owned_q << c;
        near |= (uint32_t)rf_ccu_near(u) << c;
        full |= has << c;
        own_busy |= (uint64_t)(u->owned_q & u->busy_q) << w;
        held |= (uint64_t)(u->owned_q & has) << w;
        if (open == 0) continue;
        const uint32_t base = c * slots;
        asks |= (uint64_t)rf_ccu_asks(u) << base;
        for (uint32_t s = 0; s < slots; s++) {
            ask->rd_bank[base + s] = u->bank_q[s];
            ask->rd_row[base + s] = u->row_q[s];
        }
        for (uint32_t left = open; left != 0; left &= left - 1) {
            const bool hit = rf_scoreboard_overtakes(&m->stage.scoreboard, in->ib_dst[w], rf_ccu_src(u, rf_lowest(left)));
            overtakes |= (uint64_t)hit << w;
        }
    }
    wires->busy = wires->alloc_in.busy = (uint16_t)busy;
    wires->collected = (uint16_t)complete;
    wires->full = (uint16_t)full;
    wires->alloc_in.owned = (uint16_t)owned;
    wires->alloc_in.near = (uint16_t)near;
    wires->own_busy = own_busy;
    wires->held = held;
    ask->rd_valid = asks;
    return overtakes;
}

/* The warp of group g, counted in the group, among `ready` (of the group). */
static inline uint32_t choose(const rf_malekeh *m, uint32_t g, uint64_t ready, uint64_t held) {
    if (m->cfg.sched != 3) return rf_stage_choose(&m->stage, g, ready);
    return rf_ccu_scheduler_choose(&m->oldest[g], ready, rf_stage_group(&m->stage.cfg, held, g));
}

static inline void issue(const rf_malekeh *m, const rf_malekeh_in *in, uint64_t overtakes, rf_malekeh_out *out) {
    const rf_banked_cfg *cfg = &m->stage.cfg;
    rf_malekeh_wires *wires = &out->wires;
    wires->hazard = rf_stage_hazards(&m->stage, &in->stage, overtakes);
    wires->ready = in->ib_valid & ~(wires->hazard | wires->own_busy);
    wires->chosen = 0;
    for (uint32_t g = 0; g < cfg->issues && g < RF_ISSUES_MAX; g++) {
        const uint64_t ready = rf_stage_group(cfg, wires->ready, g);
        wires->chosen |= (uint8_t)((ready != 0) << g);
        wires->warp[g] = wires->alloc_in.req_warp[g] = (uint8_t)(choose(m, g, ready, wires->held) * cfg->issues + g);
    }
    wires->alloc_in.req = wires->chosen;
    wires->alloc_in.sthld = (uint8_t)(m->cfg.adapt != 0 ? m->sthld.sthld_q : m->cfg.sthld);
    rf_ccu_allocator_comb(&m->alloc, &wires->alloc_in, &wires->alloc);
    out->issue_valid = wires->alloc.grant;
    for (uint32_t g = 0; g < cfg->issues && g < RF_ISSUES_MAX; g++)
        out->issue_warp[g] = (out->issue_valid >> g & 1) != 0 ? wires->warp[g] : 0;
}

/* The queues' heads as the CCUs see them. */
static inline void heads(const rf_malekeh *m, rf_malekeh_wires *wires) {
    wires->wr_near = 0;
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        const rf_wbq *q = &m->stage.wbq[e];
        const uint32_t head = rf_wbq_head(q);
        wires->wr_warp[e] = q->warp_q[head];
        wires->wr_reg[e] = q->reg_q[head];
        wires->wr_mask[e] = q->mask_q[head];
        wires->wr_near |= (uint8_t)((rf_wbq_asks(q) && q->note_q[head]) << e);
    }
}

/* Results that are written in this cycle and belong to the warp of a CCU. */
static inline uint32_t results(const rf_malekeh *m, const rf_malekeh_wires *wires, uint32_t c) {
    return rf_ccu_results(&m->ccu[c], wires->arbiter.wr_grant, wires->wr_warp, wires->wr_mask);
}

/* Hits of the instructions that issue, and who has the CCUs' ports D. */
static inline void look_up(const rf_malekeh *m, const rf_malekeh_in *in, const rf_malekeh_out *out, rf_malekeh_wires *wires) {
    uint8_t entry[RF_SLOTS_MAX];
    memset(wires->hit, 0, sizeof wires->hit);
    memset(wires->d_sel, 0, sizeof wires->d_sel);
    wires->d_valid = 0;
    for (uint32_t left = wires->alloc.alloc; left != 0; left &= left - 1) {
        const uint32_t c = rf_lowest(left), w = out->issue_warp[wires->alloc.which[c]];
        const uint32_t valid = rf_stage_sources(&in->stage, w);
        const bool flush = (in->launch >> m->ccu[c].carried_q.warp & 1) != 0;
        wires->hit[c] = (uint8_t)rf_ccu_lookup(&m->ccu[c], w, flush, valid, &in->ib_src[w * m->cfg.slots], entry);
    }
    if ((wires->arbiter.wr_grant & (m->cfg.bow != 0 ? UINT32_MAX : wires->wr_near)) == 0) return;
    for (uint32_t c = 0; c < m->cfg.collectors; c++) {
        const bool take = (wires->alloc.alloc >> c & 1) != 0;
        const bool control = take && (in->ib_dst_near >> out->issue_warp[wires->alloc.which[c]] & 1) != 0;
        const uint32_t first = rf_ccu_port_d(&m->ccu[c], results(m, wires, c), wires->wr_near, wires->wr_reg, take, control);
        if (first == 0) continue;
        wires->d_valid |= (uint16_t)(1u << c);
        wires->d_sel[c] = (uint8_t)rf_lowest(first);
    }
}

/* Complete collectors to execution ports: everything but the operands. */
static inline void offer(const rf_malekeh *m, const rf_dispatch_in *in, rf_dispatch_out *dispatch, rf_malekeh_out *out) {
    rf_dispatch_comb(&m->stage.dispatch, in, dispatch);
    out->ex_valid = dispatch->ex_valid;
    out->ex_dst_near = 0;
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        const rf_ccu *u = &m->ccu[dispatch->ex_sel[e]];
        rf_stage_show(&out->offers, e, &u->carried_q);
        out->ex_dst_near |= (uint8_t)(u->dst_near_q << e & out->ex_valid);
    }
}

static void control(const rf_malekeh *m, const rf_malekeh_in *in, rf_malekeh_out *out) {
    rf_malekeh_wires *wires = &out->wires;
    rf_arbiter_in *ask = &wires->arbiter_in;
    rf_dispatch_in dispatch_in;
    issue(m, in, collectors(m, in, wires, dispatch_in.port), out);
    rf_stage_queues(&m->stage, &ask->wr_valid, ask->wr_bank, ask->wr_row, &out->res_ready);
    heads(m, wires);
    rf_arbiter_comb(&m->stage.arbiter, ask, &wires->arbiter);
    look_up(m, in, out, wires);
    dispatch_in.ready = wires->collected;
    dispatch_in.ex_ready = in->ex_ready;
    offer(m, &dispatch_in, &wires->dispatch, out);
}

/* The operands of what is offered. */
static inline void deliver(const rf_malekeh *m, rf_malekeh_out *out) {
    const uint32_t slots = m->cfg.slots;
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        rf_vec *data = &out->ex_data[e * slots];
        const rf_ccu *u = &m->ccu[out->wires.dispatch.ex_sel[e]];
        if ((out->ex_valid >> e & 1) == 0) memset(data, 0, slots * sizeof *data);
        else
            for (uint32_t s = 0; s < slots; s++) data[s] = *rf_ccu_operand(u, s);
    }
}

/* A CCU takes the head of warp w. */
static inline void take_head(const rf_malekeh *m, const rf_malekeh_in *in, uint32_t w, rf_ccu *u) {
    rf_stage_places places;
    const rf_stage_instr head = rf_stage_head_of(&m->stage.cfg, &in->stage, w, &places);
    const rf_ccu_inst inst = {.of = &head,
                              .bank = places.bank,
                              .row = places.row,
                              .dst_near = in->ib_dst_near >> w & 1,
                              .src_near = in->ib_src_near[w]};
    rf_ccu_take(u, &inst, m->lfsr.value_q);
}

/* Results of this cycle at one CCU, those in `counts`; an instruction that it takes at this edge is in it already. */
static inline void write(const rf_malekeh *m, const rf_malekeh_wires *wires, uint32_t counts, uint32_t c, rf_ccu *u) {
    const uint32_t first = (wires->d_valid >> c & 1u) << wires->d_sel[c];
    const rf_wbq *q = first != 0 ? &m->stage.wbq[wires->d_sel[c]] : NULL;
    const rf_vec *data = q != NULL ? &q->data_q[rf_wbq_head(q)] : NULL;
    rf_ccu_write(u, counts, first, wires->wr_reg, wires->wr_mask, data, m->lfsr.value_q);
}

static inline void clock_ccu(rf_malekeh *m, const rf_malekeh_in *in, const rf_malekeh_out *out, uint32_t c) {
    const rf_malekeh_wires *wires = &out->wires;
    const uint32_t slots = m->cfg.slots;
    const uint32_t granted = (uint32_t)(wires->arbiter.rd_grant >> (c * slots) & rf_mask64(slots));
    const uint32_t counts = wires->arbiter.wr_grant != 0 ? results(m, wires, c) : 0;
    const bool flush = (in->launch >> m->ccu[c].carried_q.warp & 1) != 0, taken = (wires->alloc.alloc >> c & 1) != 0;
    rf_ccu *u = &m->ccu[c];
    const uint32_t warp = u->carried_q.warp;
    rf_ccu_move(u, rf_ccu_served(u, granted));
    if (flush) rf_ccu_flush(u);
    if (taken) take_head(m, in, out->issue_warp[wires->alloc.which[c]], u);
    if (counts != 0 && !flush && u->carried_q.warp == warp) write(m, wires, counts, c, u);
    if ((wires->dispatch.grant >> c & 1) != 0) rf_ccu_dispatch(u);
}

/* The crossbar fills CCUs from the banks' old read data: before anything reads. */
static inline void fill(rf_malekeh *m) {
    for (uint32_t c = 0; c < m->cfg.collectors; c++) {
        rf_ccu *u = &m->ccu[c];
        for (uint32_t left = u->fill_q; left != 0; left &= left - 1) {
            const uint32_t s = rf_lowest(left);
            rf_ccu_fill(u, s, &m->stage.bank[u->bank_q[s]].rdata_q);
        }
    }
}

static inline void clock_schedulers(rf_malekeh *m, const rf_malekeh_in *in, const rf_malekeh_out *out) {
    if (m->cfg.sched != 3) {
        rf_stage_clock_schedulers(&m->stage, &in->stage, out->wires.ready, out->issue_valid);
        return;
    }
    if (in->launch == 0) return;
    for (uint32_t g = 0; g < m->cfg.issues; g++) {
        const rf_ccu_scheduler_in edge = {.launch = rf_stage_group(&m->stage.cfg, in->launch, g)};
        rf_ccu_scheduler_clock(&m->oldest[g], &edge);
    }
}

static void edge(rf_malekeh *m, const rf_malekeh_in *in, const rf_malekeh_out *out) {
    const rf_malekeh_wires *wires = &out->wires;
    rf_stage_clock_scoreboard(&m->stage, &in->stage, &out->stage, wires->arbiter.wr_grant);
    clock_schedulers(m, in, out);
    rf_ccu_allocator_edge(&m->alloc, &wires->alloc_in, &wires->alloc);
    rf_arbiter_move(&m->stage.arbiter, &wires->arbiter_in, &wires->arbiter);
    rf_dispatch_move(&m->stage.dispatch, &wires->dispatch, in->ex_ready);
    fill(m);
    rf_stage_move_rows(&m->stage, &wires->arbiter);
    for (uint32_t c = 0; c < m->cfg.collectors; c++) clock_ccu(m, in, out, c);
    uint8_t near[RF_EXPORTS_MAX];
    for (uint32_t e = 0; e < m->cfg.exports; e++) near[e] = in->res_near >> e & 1;
    rf_stage_clock_queues(&m->stage, &in->stage, near, wires->arbiter.wr_grant);
    if (m->cfg.adapt != 0) rf_sthld_clock(&m->sthld, &(rf_sthld_in){.issued = (uint8_t)__builtin_popcount(out->issue_valid)});
    m->lfsr.value_q = rf_lfsr_next(m->lfsr.value_q);
}

void rf_malekeh_comb(const rf_malekeh *m, const rf_malekeh_in *in, rf_malekeh_out *out) {
    control(m, in, out);
    deliver(m, out);
}

void rf_malekeh_clock(rf_malekeh *m, const rf_malekeh_in *in) {
    rf_malekeh_out out;
    control(m, in, &out);
    edge(m, in, &out);
}

void rf_malekeh_step(rf_malekeh *m, const rf_malekeh_in *in, rf_malekeh_out *out) {
    control(m, in, out);
    deliver(m, out);
    edge(m, in, out);
}
