/* SPDX-License-Identifier: Apache-2.0 */
/* A cycle of rf_wir: its control decides every wire but the 1024-bit ones, operands are copied to the execution ports, the edge
 * moves the state. The rules are in the headers that rf_wir_parts.h lists. */
#include "cmodel/wir/rf_wir.h"

#include "cmodel/wir/rf_wir_banks.h"
#include "cmodel/wir/rf_wir_edge.h"
#include "cmodel/wir/rf_wir_lanes.h"
#include "cmodel/wir/rf_wir_ready.h"
#include "cmodel/wir/rf_wir_references.h"

/* How many registers are free, and which become it. */
static void pool(const rf_wir *m, const rf_wir_in *in, rf_wir_wires *x) {
    rf_wir_back(&m->reuse, &x->lookups);
    rf_wir_pool(&m->results, &m->results.cfg, x->count.free, x->count.free_reg, in->limit, &x->results);
}

/* What the results that are tried come to. */
static void allocate(const rf_wir *m, rf_wir_wires *x) {
    const rf_wir_results_cfg *cfg = &m->results.cfg;
    rf_wir_turn turns[RF_ISSUES_MAX];
    uint32_t own = 0;
    rf_wir_begin(&m->results, cfg, &x->results, turns);
    for (uint32_t g = 0; g < cfg->issues && cfg->capped != 0; g++)
        own |= (uint32_t)rf_refcount_one(&m->reuse.count, rf_wir_tried_old(&m->results, cfg, &turns[g])) << g;
    rf_wir_allocate(&m->results, cfg, x->need, m->reuse.lfsr.value_q, own, turns, &x->results);
}

/* What the execution ports are offered but for the operands, which results they may give, what retires by reuse. */
static void drive_outputs(const rf_wir *m, const rf_wir_in *in, const uint8_t *collector_port, rf_wir_out *out) {
    const rf_wir_cfg *cfg = &m->cfg;
    rf_wir_wires *x = &out->wires;
    rf_dispatch_in offer;
    uint32_t reused = 0;
    offer.ready = x->collected;
    offer.ex_ready = in->ex_ready;
    memcpy(offer.port, collector_port, sizeof offer.port);
    rf_stage_offer(&m->collect.dispatch, m->collect.ocu, cfg->exports, &offer, &x->dispatch, &out->stage);
    for (uint32_t e = 0; e < cfg->exports; e++)
        out->ex_info[e] = (out->ex_valid >> e & 1) != 0 ? m->collect.info_q[x->dispatch.ex_sel[e]] : 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const bool reuse = x->front[g].act == RF_WIR_REUSE;
        reused |= (uint32_t)reuse << g;
        out->reused_warp[g] = reuse ? x->front[g].lane.warp : 0;
        out->reused_tag[g] = reuse ? x->front[g].lane.tag : 0;
    }
    out->res_ready = (uint8_t)rf_wir_accepting(&m->results, &m->results.cfg, &x->results);
    out->reused = (uint8_t)reused;
}

/* Every wire but the 1024-bit ones. `moves`: the reuse buffer when it is to make its edge, or NULL. */
static void control(const rf_wir *m, const rf_wir_in *in, rf_wir_heads *heads, rf_wir_out *out, rf_reuse_buffer *moves) {
    const rf_wir_cfg *cfg = &m->cfg;
    const rf_wir_results_cfg *results = &m->results.cfg;
    rf_wir_wires *x = &out->wires;
    uint8_t collector_port[RF_COLLECTORS_MAX] = {0};
    if (cfg->reuse != 0) pool(m, in, x);
    rf_wir_look_up(m, in, x);
    rf_wir_show_heads(m, heads);
    rf_wir_banks(m, x, heads, collector_port);
    if (cfg->reuse == 0) rf_wir_pass_on(&m->results, results, &x->results);
    else allocate(m, x);
    rf_wir_decide(m, in, x, moves);
    rf_wir_ready(m, in, out);
    if (cfg->reuse != 0) rf_wir_references(m, in, x);
    drive_outputs(m, in, collector_port, out);
}

void rf_wir_comb(const rf_wir *m, const rf_wir_in *in, rf_wir_out *out) {
    rf_wir_heads heads;
    control(m, in, &heads, out, NULL);
    rf_wir_deliver(&m->collect, &m->collect.cfg, &out->wires.dispatch, out->ex_data);
}

void rf_wir_step(rf_wir *m, const rf_wir_in *in, rf_wir_out *out) {
    rf_wir_heads heads;
    control(m, in, &heads, out, &m->reuse.buffer);
    rf_wir_deliver(&m->collect, &m->collect.cfg, &out->wires.dispatch, out->ex_data);
    rf_wir_edge(m, in, &heads, out);
}

void rf_wir_clock(rf_wir *m, const rf_wir_in *in) {
    rf_wir_out out;
    rf_wir_step(m, in, &out);
}
