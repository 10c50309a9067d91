/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_wir_retire.h"

#include "cmodel/wir/rf_wir_retire_parts.h"

const char *rf_wir_retire_check(const rf_wir_retire_cfg *cfg) {
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    if (cfg->exports < cfg->issues || cfg->exports > RF_EXPORTS_MAX) return "EXPORTS must be ISSUES to 8";
    if (cfg->pregs < 2 || cfg->pregs > RF_PREGS_MAX) return "PREGS must be 2 to 1024";
    if (cfg->infow < 1 || cfg->infow > RF_WIR_INFO_MAX) return "INFOW must be 1 to 50";
    if (cfg->verifiers < 1 || cfg->verifiers > RF_VERIFIERS_MAX) return "VERIFIERS must be 1 to 4";
    if (cfg->reuse > 1) return "REUSE must be 0 or 1";
    return NULL;
}

int rf_wir_retire_init(rf_wir_retire *m, const rf_wir_retire_cfg *cfg) {
    if (rf_wir_retire_check(cfg) != NULL) return RF_E_CONFIG;
    int bad = 0;
    m->cfg = *cfg;
    for (uint32_t v = 0; v < RF_ISSUES_MAX * RF_VERIFIERS_MAX; v++)
        bad |= rf_verify_init(&m->verify[v],
                              &(rf_verify_cfg){.lanes = cfg->lanes,
                                               .pregs = cfg->pregs,
                                               .infow = rf_index_bits(cfg->regs) + rf_index_bits(cfg->warps) + cfg->infow});
    bad |= rf_unwritten_init(&m->unwritten, &(rf_unwritten_cfg){.pregs = cfg->pregs, .issues = cfg->issues});
    for (uint32_t g = 0; g < RF_ISSUES_MAX; g++) {
        bad |= rf_rr_init(&m->read_rr[g], &(rf_rr_cfg){cfg->exports}) | rf_rr_init(&m->retire_rr[g], &(rf_rr_cfg){cfg->exports});
        bad |= rf_rr_init(&m->port_rr[g], &(rf_rr_cfg){RF_WIR_PORTS});
    }
    return bad;
}

/* Only what the configuration has: the rest stays as init left it. */
void rf_wir_retire_reset(rf_wir_retire *m) {
    for (uint32_t v = 0; v < m->cfg.issues * m->cfg.verifiers; v++) rf_verify_reset(&m->verify[v]);
    rf_unwritten_reset(&m->unwritten);
    for (uint32_t g = 0; g < m->cfg.issues; g++) {
        rf_rr_reset(&m->read_rr[g]);
        rf_rr_reset(&m->retire_rr[g]);
        rf_rr_reset(&m->port_rr[g]);
    }
}

/* A cycle's inputs as the parts take them. */
typedef struct view {
    rf_wir_heads heads;
    const rf_vec *rdata[RF_ISSUES_MAX];
} view;

RF_WIR_PART void sort_inputs(const rf_wir_retire_cfg *cfg, const rf_wir_retire_in *in, view *v) {
    v->heads.valid = in->head_valid;
    for (uint32_t e = 0; e < cfg->exports; e++) {
        v->heads.op[e] = in->head_op[e];
        v->heads.warp[e] = in->head_warp[e];
        v->heads.dst[e] = in->head_dst[e];
        v->heads.preg[e] = in->head_preg[e];
        v->heads.cand[e] = in->head_cand[e];
        v->heads.mask[e] = in->head_mask[e];
        v->heads.info[e] = in->head_info[e];
        v->heads.data[e] = &in->head_data[e];
    }
    for (uint32_t g = 0; g < RF_ISSUES_MAX; g++) v->rdata[g] = &in->rdata[g];
}

/* All that the cycle decides; what is asked for is in asks_*. */
RF_WIR_PART void decide(const rf_wir_retire *m, const rf_wir_retire_cfg *cfg, const rf_wir_retire_in *in, const view *v,
                        rf_wir_retire_wires *x) {
    if (cfg->reuse == 0) {
        x->need = 0;
        x->check = x->check_fill = 0;
        rf_wir_ask_plain(&v->heads, x);
    } else {
        rf_wir_checks(m, cfg, x);
        rf_wir_ask(m, cfg, &v->heads, v->rdata, in->hit, in->walk, x);
    }
    rf_wir_granted(x, in->rd_grant, in->wr_grant);
}

RF_WIR_PART void show_writers(const rf_wir_retire *m, const rf_wir_retire_cfg *cfg, const view *v, const rf_wir_retire_wires *x,
                              rf_wir_retire_out *out) {
    static const rf_vec nothing;
    out->pop = (uint8_t)rf_wir_pops(cfg, x);
    out->wr_valid = x->asks_write;
    out->done = x->retired;
    for (uint32_t n = 0; n < cfg->exports; n++) {
        const bool asks = (x->asks_write >> n & 1) != 0, wrote = (x->retire_write >> n & 1) != 0,
                   done = (x->retired >> n & 1) != 0;
        uint32_t mask = 0;
        const rf_vec *data = asks ? rf_wir_written(m, cfg, &v->heads, x, n, &mask) : &nothing;
        out->wr_reg[n] = asks ? x->retire_preg[n] : 0;
        out->wr_mask[n] = mask;
        out->wr_data[n] = *(wrote ? data : &nothing);
        out->done_warp[n] = done ? x->retire_warp[n] : 0;
        out->done_dst[n] = done ? x->retire_dst[n] : 0;
    }
}

RF_WIR_PART void show_groups(const rf_wir_retire *m, const rf_wir_retire_cfg *cfg, const view *v, const rf_wir_retire_wires *x,
                             rf_wir_retire_out *out) {
    const bool reuse = cfg->reuse != 0;
    out->hit = out->walk = 0;
    out->rd_valid = x->asks_read;
    out->check = x->check;
    out->fill = x->check_fill;
    out->need = x->need;
    out->shared = reuse ? (uint8_t)rf_wir_shares(cfg, x) : 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const bool done = reuse && (x->retired >> g & 1) != 0;
        const uint32_t grant = reuse ? x->port_grant[g] : 0;
        out->hit |= (uint8_t)((grant >> RF_WIR_PORT_REUSE & 1) << g);
        out->walk |= (uint8_t)((grant >> RF_WIR_PORT_WALK & 1) << g);
        out->rd_reg[g] = (x->asks_read >> g & 1) != 0 ? v->heads.cand[x->read_port[g]] : 0;
        out->check_reg[g] = reuse ? x->check_reg[g] : 0;
        out->done_reg[g] = done ? x->retire_preg[g] : 0;
        out->done_info[g] = done ? x->retire_info[g] : 0;
    }
    for (uint32_t n = 0; n < cfg->issues * cfg->verifiers; n++)
        out->cand[n] = (out->need >> n & 1) != 0 ? m->verify[n].cand_q : 0;
}

void rf_wir_retire_comb(const rf_wir_retire *m, const rf_wir_retire_in *in, rf_wir_retire_out *out) {
    rf_wir_retire_wires x;
    view v;
    sort_inputs(&m->cfg, in, &v);
    decide(m, &m->cfg, in, &v, &x);
    show_writers(m, &m->cfg, &v, &x, out);
    show_groups(m, &m->cfg, &v, &x, out);
}

void rf_wir_retire_clock(rf_wir_retire *m, const rf_wir_retire_in *in) {
    rf_wir_retire_wires x;
    view v;
    if (m->cfg.reuse == 0) return;
    sort_inputs(&m->cfg, in, &v);
    decide(m, &m->cfg, in, &v, &x);
    rf_wir_clock_retire(m, &m->cfg, &v.heads, v.rdata, in->give, in->given, in->given_reg, &x);
}

void rf_wir_retire_step(rf_wir_retire *m, const rf_wir_retire_in *in, rf_wir_retire_out *out) {
    rf_wir_retire_wires x;
    view v;
    sort_inputs(&m->cfg, in, &v);
    decide(m, &m->cfg, in, &v, &x);
    show_writers(m, &m->cfg, &v, &x, out);
    show_groups(m, &m->cfg, &v, &x, out);
    if (m->cfg.reuse != 0) rf_wir_clock_retire(m, &m->cfg, &v.heads, v.rdata, in->give, in->given, in->given_reg, &x);
}
