/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_wir_lane.h"

#include "cmodel/wir/rf_wir_lane_parts.h"

const char *rf_wir_lane_check(const rf_wir_lane_cfg *cfg) {
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX || cfg->warps % cfg->issues != 0)
        return "WARPS must be 1 to 64, a multiple of ISSUES";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->slots < 1 || cfg->slots > RF_REUSE_SLOTS_MAX) return "SLOTS must be 1 to 6";
    if (cfg->exports < 1 || cfg->exports > RF_EXPORTS_MAX) return "EXPORTS must be 1 to 8";
    if (cfg->pregs < 2 || cfg->pregs > RF_PREGS_MAX) return "PREGS must be 2 to 1024";
    if (cfg->banks < 1 || cfg->banks > RF_BANKS_MAX || (cfg->banks & (cfg->banks - 1)) != 0)
        return "BANKS must be a power of two from 1 to 32";
    if (cfg->queue < 1 || cfg->queue > RF_PENDING_DEPTH_MAX) return "QUEUE must be 1 to 16";
    if (cfg->reuse > 1 || cfg->loads > 1 || cfg->retry > 1) return "REUSE, LOADS and RETRY must be 0 or 1";
    return NULL;
}

int rf_wir_lane_init(rf_wir_lane *m, const rf_wir_lane_cfg *cfg) {
    if (rf_wir_lane_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    int bad = rf_wir_front_init(&m->front, &(rf_wir_front_cfg){.warps = cfg->warps,
                                                               .regs = cfg->regs,
                                                               .lanes = cfg->lanes,
                                                               .slots = cfg->slots,
                                                               .exports = cfg->exports,
                                                               .pregs = cfg->pregs,
                                                               .loads = cfg->loads,
                                                               .retry = cfg->retry});
    bad |= rf_rename_init(
        &m->rename,
        &(rf_rename_cfg){.warps = cfg->warps / cfg->issues, .regs = cfg->regs, .slots = cfg->slots, .pregs = cfg->pregs});
    bad |= rf_pending_queue_init(&m->queue, &(rf_pending_queue_cfg){.depth = cfg->queue,
                                                                    .warps = cfg->warps,
                                                                    .regs = cfg->regs,
                                                                    .slots = cfg->slots,
                                                                    .pregs = cfg->pregs,
                                                                    .exports = cfg->exports});
    return bad;
}

void rf_wir_lane_reset(rf_wir_lane *m) {
    rf_wir_front_reset(&m->front);
    rf_rename_reset(&m->rename);
    rf_pending_queue_reset(&m->queue);
}

/* A cycle's wires, and what retires in it. */
typedef struct cycle {
    rf_wir_front_in front_in;
    rf_wir_front_out front;
    rf_rename_in rename_in;
    rf_rename_out rename;
    rf_wir_lane_wires wires;
    rf_wir_done done;
} cycle;

/* All that the cycle decides. */
RF_WIR_PART void decide(const rf_wir_lane *m, const rf_wir_lane_cfg *cfg, const rf_wir_lane_in *in, cycle *c) {
    c->wires = (rf_wir_lane_wires){&c->front_in, &c->front, &c->rename_in, &c->rename};
    memset(&c->front_in, 0, sizeof c->front_in);
    memset(&c->rename_in, 0, sizeof c->rename_in);
    c->rename.walk_valid = 0;
    rf_wir_lane_show(m, cfg, &c->wires);
    c->front_in.allow = in->allow;
    c->front_in.hit = in->hit;
    c->front_in.wait = in->wait;
    c->front_in.port = in->port;
    c->front_in.collector = in->collector;
    rf_wir_front_want(cfg->retry, &c->front_in, &c->front);
    rf_wir_front_act(&m->front, &c->front_in, &c->front);
    c->front_in.issue_valid = in->issue_valid;
    c->front_in.issue = in->issue;
    if (cfg->reuse == 0) c->front_in.issue.reuse = 0;
    c->done = (rf_wir_done){in->done != 0, in->done_warp, in->done_dst, in->done_reg, in->done_old, in->result};
    c->rename_in.walk = in->walk;
    if (cfg->reuse != 0) rf_wir_write_table(cfg, &c->wires, &c->done, in->clear);
}

/* The places before the collectors: both registers, and the queue from its head on. */
RF_WIR_PART void show_places(const rf_wir_lane *m, const rf_wir_front_out *f, rf_wir_lane_out *out) {
    const rf_pending_queue *q = &m->queue;
    out->at_valid = f->rn_valid | (uint32_t)f->ru_valid << 1 | rf_pending_queue_places(q) << 2;
    memset(out->at, 0, sizeof out->at);
    out->at[0] = f->rn;
    out->at[1] = f->ru;
    for (uint32_t p = 0; p < q->level_q; p++) out->at[2 + p] = rf_pending_queue_at(q, p);
}

RF_WIR_PART void show_lane(const rf_wir_front_out *f, rf_wir_lane_out *out) {
    out->ready = f->ready;
    out->st_valid = f->st_valid;
    out->st_shared = f->st_shared;
    out->rn_warp = f->rn.warp;
    out->lane = f->lane;
    out->lk_valid = f->lk_valid;
    out->want_port = f->want_port;
    out->want_collector = f->want_collector;
    out->leads = f->leads;
    out->leaves = f->leaves;
    out->reused = f->act == RF_WIR_REUSE;
}

RF_WIR_PART void show_references(const rf_wir_lane *m, const rf_wir_lane_cfg *cfg, const rf_wir_lane_in *in, const cycle *c,
                                 rf_wir_lane_out *out) {
    const uint32_t slots = cfg->slots, reused = out->reused;
    uint16_t ends = 0;
    const bool reuse = cfg->reuse != 0;
    out->walking = reuse ? m->rename.walking_q : 0;
    out->walk_valid = reuse ? c->rename.walk_valid : 0;
    out->inc = reuse ? (uint8_t)((in->reserved ? out->lane.opcode & ((1u << slots) - 1) : 0) | reused) : 0;
    out->dec = reuse && rf_wir_ends(cfg, &c->wires, &c->done, &ends);
    out->dec_reg = out->dec ? ends : 0;
    for (uint32_t s = 0; s < slots; s++)
        out->inc_reg[s] = (out->inc >> s & 1) == 0 ? 0 : s == 0 && reused ? in->result : out->lane.operand[s];
}

RF_WIR_PART void drive_outputs(const rf_wir_lane *m, const rf_wir_lane_cfg *cfg, const rf_wir_lane_in *in, const cycle *c,
                               rf_wir_lane_out *out) {
    show_places(m, &c->front, out);
    show_lane(&c->front, out);
    show_references(m, cfg, in, c, out);
}

void rf_wir_lane_comb(const rf_wir_lane *m, const rf_wir_lane_in *in, rf_wir_lane_out *out) {
    cycle c;
    decide(m, &m->cfg, in, &c);
    drive_outputs(m, &m->cfg, in, &c, out);
}

void rf_wir_lane_clock(rf_wir_lane *m, const rf_wir_lane_in *in) {
    cycle c;
    decide(m, &m->cfg, in, &c);
    rf_wir_clock_lane(m, &m->cfg, &c.wires);
}

void rf_wir_lane_step(rf_wir_lane *m, const rf_wir_lane_in *in, rf_wir_lane_out *out) {
    cycle c;
    decide(m, &m->cfg, in, &c);
    drive_outputs(m, &m->cfg, in, &c, out);
    rf_wir_clock_lane(m, &m->cfg, &c.wires);
}
