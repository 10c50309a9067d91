/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/steal/rf_steal.h"

#include "cmodel/banked/rf_stage_parts.h"
#include "cmodel/steal/rf_arbiter_steal_parts.h"
#include "cmodel/steal/rf_steal_reads_parts.h"
#include "cmodel/steal/rf_steal_scheduler_parts.h"

static rf_banked_cfg stage_cfg(const rf_steal_cfg *cfg) {
    return (rf_banked_cfg){RF_BANKED_SIZES_OF(cfg), .banks = cfg->banks, .ports = 1};
}

const char *rf_steal_check(const rf_steal_cfg *cfg) {
    const rf_banked_cfg stage = stage_cfg(cfg);
    const char *wrong = rf_banked_check(&stage);
    if (wrong != NULL) return wrong;
    if (cfg->reads > 2) return "READS must be 0 to 2";
    if (cfg->writes > 1) return "WRITES must be 0 or 1";
    if (cfg->yield > 1) return "YIELD must be 0 or 1";
    return NULL;
}

int rf_steal_init(rf_steal *m, const rf_steal_cfg *cfg) {
    if (rf_steal_check(cfg) != NULL) return RF_E_CONFIG;
    const rf_banked_cfg stage = stage_cfg(cfg);
    const uint32_t per_warp = rf_stage_rows_per_warp(&stage), stealers = cfg->issues * cfg->slots;
    int bad = 0;
    m->cfg = *cfg;
    bad |= rf_banked_init(&m->stage, &stage);
    for (uint32_t g = 0; g < RF_ISSUES_MAX; g++)
        bad |= rf_steal_scheduler_init(&m->pick[g], &(rf_steal_scheduler_cfg){.warps = cfg->warps / cfg->issues});
    bad |= rf_steal_reads_init(
        &m->ahead,
        &(rf_steal_reads_cfg){
            .issues = cfg->issues, .slots = cfg->slots, .regs = cfg->regs, .banks = cfg->banks, .when = cfg->reads == 2 ? 2 : 1});
    bad |= rf_rfree_table_init(&m->table, &(rf_rfree_table_cfg){.banks = cfg->banks,
                                                                .warps = cfg->warps,
                                                                .per_warp = per_warp,
                                                                .readers = cfg->collectors * cfg->slots,
                                                                .stealers = stealers,
                                                                .writers = cfg->exports,
                                                                .drops = cfg->issues,
                                                                .names = cfg->issues * RF_FREES_MAX});
    bad |= rf_arbiter_steal_init(&m->arbiter, &(rf_arbiter_steal_cfg){.banks = cfg->banks,
                                                                      .collectors = cfg->collectors,
                                                                      .slots = cfg->slots,
                                                                      .issues = cfg->issues,
                                                                      .writers = cfg->exports,
                                                                      .rows = cfg->warps * per_warp,
                                                                      .yield = cfg->yield});
    return bad;
}

void rf_steal_reset(rf_steal *m) {
    rf_banked_reset(&m->stage);
    for (uint32_t g = 0; g < RF_ISSUES_MAX; g++) rf_steal_scheduler_reset(&m->pick[g]);
    rf_steal_reads_reset(&m->ahead);
    rf_rfree_table_reset(&m->table);
    rf_arbiter_steal_reset(&m->arbiter);
}

/* The host schedulers' finalists, the groups' candidates and who gets a collector: none of it depends on what is read ahead. */
typedef struct choice {
    rf_steal_scheduler_in pick[RF_ISSUES_MAX];
    rf_steal_reads_in ahead;
} choice;

static inline void choose(const rf_steal *m, const rf_steal_in *in, uint64_t overtakes, rf_steal_wires *wires, choice *c) {
    const rf_banked_cfg *cfg = &m->stage.cfg;
    wires->hazard = rf_stage_hazards(&m->stage, &in->stage, overtakes);
    wires->ready = in->ib_valid & ~wires->hazard;
    wires->chosen = 0;
    for (uint32_t g = 0; g < cfg->issues && g < RF_ISSUES_MAX; g++) {
        const uint64_t ready = rf_stage_group(cfg, wires->ready, g);
        const uint32_t current = rf_stage_choose(&m->stage, g, ready);
        wires->chosen |= (uint8_t)((ready != 0) << g);
        wires->current[g] = (uint8_t)(current * cfg->issues + g);
        c->pick[g].ready = ready;
        c->pick[g].current = (uint64_t)(ready != 0) << current;
        c->pick[g].other = rf_stage_other(&m->stage, g, ready, c->pick[g].current);
    }
    rf_ocu_alloc_comb(&m->stage.alloc, &(rf_ocu_alloc_in){.busy = wires->busy, .req = wires->chosen}, &wires->alloc);
}

/* The candidates' operands: requests to the arbiter where the conditions hold. */
static inline void ask_ahead(const rf_steal *m, const rf_steal_in *in, rf_steal_wires *wires, choice *c) {
    const rf_banked_cfg *cfg = &m->stage.cfg;
    rf_arbiter_steal_in *ask = &wires->arbiter_in;
    const uint32_t slots = cfg->slots;
    wires->candidate_valid = 0;
    ask->sr_valid = 0;
    c->ahead.src_valid = 0;
    if (m->cfg.reads == 0) return;
    c->ahead = (rf_steal_reads_in){0}; /* rf_dup.h looks at all slots */
    for (uint32_t g = 0; g < cfg->issues && g < RF_ISSUES_MAX; g++) {
        const uint64_t candidate = rf_steal_scheduler_candidate(&m->pick[g], &c->pick[g]);
        const uint32_t w = rf_steal_scheduler_number(candidate) * cfg->issues + g;
        wires->candidate[g] = (uint8_t)w;
        if (candidate == 0 || (wires->alloc.grant >> g & 1) == 0) continue;
        wires->candidate_valid |= (uint8_t)(1u << g);
        c->ahead.src_valid |= rf_stage_sources(&in->stage, w) << (g * slots);
        for (uint32_t s = 0; s < slots; s++) {
            const uint32_t at = g * slots + s, reg = in->ib_src[w * slots + s];
            c->ahead.src[at] = (uint8_t)reg;
            c->ahead.bank[at] = ask->sr_bank[at] = (uint8_t)rf_map_bank(w, reg, cfg->banks);
            ask->sr_row[at] = rf_stage_row(cfg, w, reg);
        }
    }
    c->ahead.valid = wires->candidate_valid;
}

/* Dependences on stolen registers: who waits, what must come back. Without a link nobody does. */
static inline void look_up(const rf_steal *m, const rf_steal_in *in, rf_steal_wires *wires, uint32_t candidates) {
    rf_arbiter_steal_in *ask = &wires->arbiter_in;
    rf_rfree_table_in query;
    rf_rfree_table_out book;
    ask->rd_blocked = 0;
    ask->sr_blocked = 0;
    ask->wr_blocked = 0;
    ask->linked = ask->force = wires->force = 0;
    ask->usable = wires->usable = 0;
    if (m->cfg.writes == 0) return;
    query.launch = in->launch;
    query.rd_valid = ask->rd_valid;
    query.sr_valid = candidates;
    query.wr_valid = ask->wr_valid;
    memcpy(query.rd_bank, ask->rd_bank, sizeof query.rd_bank);
    memcpy(query.rd_row, ask->rd_row, sizeof query.rd_row);
    memcpy(query.sr_bank, ask->sr_bank, sizeof query.sr_bank);
    memcpy(query.sr_row, ask->sr_row, sizeof query.sr_row);
    memcpy(query.wr_bank, ask->wr_bank, sizeof query.wr_bank);
    memcpy(query.wr_row, ask->wr_row, sizeof query.wr_row);
    rf_rfree_table_comb(&m->table, &query, &book);
    ask->rd_blocked = book.rd_blocked;
    ask->sr_blocked = book.sr_blocked;
    ask->wr_blocked = book.wr_blocked;
    ask->linked = book.linked;
    ask->force = wires->force = book.force;
    ask->usable = wires->usable = book.usable;
    memcpy(ask->rfree_row, book.rfree_row, sizeof ask->rfree_row);
    memcpy(ask->dest_bank, book.dest_bank, sizeof ask->dest_bank);
    memcpy(ask->dest_row, book.dest_row, sizeof ask->dest_row);
}

/* Results of all lanes: those that may be stolen. */
static inline uint32_t full_results(const rf_steal *m) {
    const uint32_t every = (uint32_t)rf_mask64(m->cfg.lanes);
    uint32_t full = 0;
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        const rf_wbq *q = &m->stage.wbq[e];
        full |= (uint32_t)(rf_wbq_asks(q) && q->mask_q[rf_wbq_head(q)] == every) << e;
    }
    return full;
}

static void control(const rf_steal *m, const rf_steal_in *in, rf_steal_out *out, choice *c) {
    const rf_banked_cfg *cfg = &m->stage.cfg;
    rf_steal_wires *wires = &out->wires;
    rf_arbiter_steal_in *ask = &wires->arbiter_in;
    rf_dispatch_in dispatch_in;
    const uint64_t overtakes = rf_stage_collectors(&m->stage, &in->stage, &wires->busy, &wires->collected, dispatch_in.port,
                                                   &ask->rd_valid, ask->rd_bank, ask->rd_row);
    rf_stage_queues(&m->stage, &ask->wr_valid, ask->wr_bank, ask->wr_row, &out->res_ready);
    choose(m, in, overtakes, wires, c);
    ask_ahead(m, in, wires, c);
    look_up(m, in, wires, c->ahead.src_valid);
    ask->wr_full = (uint8_t)full_results(m);
    c->ahead.blocked = ask->sr_blocked;
    if (wires->candidate_valid != 0) ask->sr_valid = rf_steal_reads_ask(&m->ahead, &c->ahead);
    rf_arbiter_steal_comb(&m->arbiter, ask, &wires->arbiter);
    c->ahead.grant = wires->arbiter.sr_grant;
    wires->fill = wires->arbiter.sr_grant != 0 ? rf_steal_reads_fill(&m->ahead, &c->ahead, ask->sr_valid) : 0;
    wires->steal = (uint8_t)rf_steal_reads_steal(&m->ahead, wires->fill);

    out->issue_valid = wires->alloc.grant;
    for (uint32_t g = 0; g < cfg->issues && g < RF_ISSUES_MAX; g++) {
        rf_steal_scheduler_in *pick = &c->pick[g];
        pick->take = wires->alloc.grant >> g & 1;
        pick->steal = wires->steal >> g & 1;
        const uint32_t local = rf_steal_scheduler_number(rf_steal_scheduler_warp(&m->pick[g], pick));
        out->issue_warp[g] = (uint8_t)(pick->take != 0 ? local * cfg->issues + g : 0);
    }

    dispatch_in.ready = wires->collected;
    dispatch_in.ex_ready = in->ex_ready;
    rf_stage_offer(&m->stage.dispatch, m->stage.ocu, m->stage.cfg.exports, &dispatch_in, &wires->dispatch, &out->stage);
}

/* What the instructions that issue write and name, and what the arbiter did with Rfree. */
static inline void clock_table(rf_steal *m, const rf_steal_in *in, const rf_steal_out *out) {
    const rf_banked_cfg *cfg = &m->stage.cfg;
    const rf_arbiter_steal_in *ask = &out->wires.arbiter_in;
    const rf_arbiter_steal_out *did = &out->wires.arbiter;
    rf_rfree_table_in edge;
    uint32_t drops = 0, names = 0;
    for (uint32_t left = out->issue_valid; left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left), w = out->issue_warp[g], base = g * RF_FREES_MAX;
        drops |= (uint32_t)rf_stage_writes(&in->stage, w) << g;
        edge.drop_bank[g] = (uint8_t)rf_map_bank(w, in->ib_dst[w], cfg->banks);
        edge.drop_row[g] = rf_stage_row(cfg, w, in->ib_dst[w]);
        for (uint32_t name = in->ib_name_valid[w]; name != 0; name &= name - 1) {
            const uint32_t f = rf_lowest(name), reg = in->ib_name[w * RF_FREES_MAX + f];
            names |= 1u << (base + f);
            edge.name_bank[base + f] = (uint8_t)rf_map_bank(w, reg, cfg->banks);
            edge.name_row[base + f] = rf_stage_row(cfg, w, reg);
        }
    }
    if ((drops | names | did->link | did->recall) == 0 && in->launch == 0) return;
    edge.launch = in->launch;
    edge.drop_valid = (uint8_t)drops;
    edge.name_valid = (uint16_t)names;
    edge.link = did->link;
    edge.clear = did->recall;
    for (uint32_t left = did->link; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left), e = did->bank_wsel[b];
        edge.link_bank[b] = ask->wr_bank[e];
        edge.link_row[b] = ask->wr_row[e];
    }
    rf_rfree_table_clock(&m->table, &edge);
}

/* A value that comes back is in its bank's old read data; the banks write what the arbiter says, whoever it is for. */
static inline void move_data(rf_steal *m, const rf_arbiter_steal_out *did) {
    rf_banked *s = &m->stage;
    rf_vec back;
    if (did->ret_valid) back = s->bank[did->ret_from].rdata_q;
    rf_stage_fill(s);
    rf_stage_read(s->bank, did->bank_re, did->bank_raddr);
    for (uint32_t left = did->bank_we; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left), e = did->bank_wsel[b];
        const rf_wbq *q = &s->wbq[e];
        const uint32_t head = rf_wbq_head(q);
        if (did->ret_valid && did->ret_bus == e) rf_bank_write(&s->bank[b], did->bank_waddr[b], UINT32_MAX, &back);
        else rf_bank_write(&s->bank[b], did->bank_waddr[b], q->mask_q[head], &q->data_q[head]);
    }
}

static void edge(rf_steal *m, const rf_steal_in *in, const rf_steal_out *out, choice *c) {
    const rf_steal_wires *wires = &out->wires;
    rf_banked *s = &m->stage;
    uint32_t taken = 0;
    rf_stage_clock_scoreboard(s, &in->stage, &out->stage, wires->arbiter.wr_grant);
    for (uint32_t g = 0; g < m->cfg.issues && g < RF_ISSUES_MAX; g++) {
        taken |= (uint32_t)rf_steal_scheduler_host_take(&m->pick[g], &c->pick[g]) << g;
        rf_steal_scheduler_clock(&m->pick[g], &c->pick[g]);
    }
    rf_stage_clock_schedulers(s, &in->stage, wires->ready, taken);
    clock_table(m, in, out);
    rf_arbiter_steal_move(&m->arbiter, &wires->arbiter_in, &wires->arbiter);
    rf_dispatch_move(&s->dispatch, &wires->dispatch, in->ex_ready);
    move_data(m, &wires->arbiter);
    rf_stage_clock_collectors(s, &in->stage, &out->stage, wires->arbiter.rd_grant, wires->dispatch.grant, &wires->alloc,
                              wires->fill);
    rf_stage_clock_queues(s, &in->stage, NULL, wires->arbiter.wr_grant);
}

void rf_steal_comb(const rf_steal *m, const rf_steal_in *in, rf_steal_out *out) {
    choice c;
    control(m, in, out, &c);
    rf_stage_deliver(m->stage.ocu, m->stage.cfg.exports, m->stage.cfg.slots, &out->wires.dispatch, out->ex_data);
}

void rf_steal_clock(rf_steal *m, const rf_steal_in *in) {
    rf_steal_out out;
    choice c;
    control(m, in, &out, &c);
    edge(m, in, &out, &c);
}

void rf_steal_step(rf_steal *m, const rf_steal_in *in, rf_steal_out *out) {
    choice c;
    control(m, in, out, &c);
    rf_stage_deliver(m->stage.ocu, m->stage.cfg.exports, m->stage.cfg.slots, &out->wires.dispatch, out->ex_data);
    edge(m, in, out, &c);
}
