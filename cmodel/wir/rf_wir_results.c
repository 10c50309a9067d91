/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_wir_results.h"

#include "cmodel/wir/rf_wir_results_parts.h"

static bool power_of_two(uint32_t n, uint32_t max) { return n >= 1 && n <= max && (n & (n - 1)) == 0; }

const char *rf_wir_results_check(const rf_wir_results_cfg *cfg) {
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->exports < 1 || cfg->exports > RF_EXPORTS_MAX) return "EXPORTS must be 1 to 8";
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    if (!power_of_two(cfg->banks, RF_BANKS_MAX)) return "BANKS must be a power of two from 1 to 32";
    if (cfg->stages < 1 || cfg->stages > RF_HASH_STAGES_MAX) return "STAGES must be 1 to 5";
    if (cfg->wbdepth < 1 || cfg->wbdepth > RF_RESULT_DEPTH_MAX) return "WBDEPTH must be 1 to 16";
    if (cfg->pregs < 2 || cfg->pregs > RF_PREGS_MAX) return "PREGS must be 2 to 1024";
    if (cfg->infow < rf_index_bits(cfg->pregs) + 2 || cfg->infow > 64) return "INFOW must be ceil(log2 PREGS) + 2 to 64";
    if (cfg->verifiers < 1 || cfg->verifiers > RF_VERIFIERS_MAX) return "VERIFIERS must be 1 to 4";
    if (cfg->reuse > 1 || cfg->vsb > 1 || cfg->capped > 1) return "REUSE, VSB and CAPPED must be 0 or 1";
    if (!power_of_two(cfg->ventries, RF_VSB_ENTRIES_MAX)) return "VENTRIES must be a power of two from 1 to 512";
    if (cfg->vcache > RF_VERIFY_CACHE_MAX) return "VCACHE must be 0 to 16";
    return NULL;
}

int rf_wir_results_init(rf_wir_results *m, const rf_wir_results_cfg *cfg) {
    if (rf_wir_results_check(cfg) != NULL) return RF_E_CONFIG;
    int bad = 0;
    m->cfg = *cfg;
    for (uint32_t e = 0; e < RF_EXPORTS_MAX; e++) {
        bad |= rf_hash_pipe_init(
            &m->pipe[e],
            &(rf_hash_pipe_cfg){
                .stages = cfg->stages, .lanes = cfg->lanes, .warps = cfg->warps, .regs = cfg->regs, .infow = cfg->infow});
        bad |= rf_result_queue_init(&m->queue[e], &(rf_result_queue_cfg){.depth = cfg->wbdepth,
                                                                         .lanes = cfg->lanes,
                                                                         .warps = cfg->warps,
                                                                         .regs = cfg->regs,
                                                                         .pregs = cfg->pregs,
                                                                         .infow = cfg->infow});
    }
    bad |= rf_vsb_init(&m->vsb, &(rf_vsb_cfg){.entries = cfg->ventries, .pregs = cfg->pregs, .issues = cfg->issues});
    bad |= rf_verify_cache_init(&m->vcache, &(rf_verify_cache_cfg){.entries = cfg->vcache == 0 ? 1 : cfg->vcache,
                                                                   .pregs = cfg->pregs,
                                                                   .lanes = cfg->lanes,
                                                                   .issues = cfg->issues});
    bad |= rf_free_list_init(&m->free, &(rf_free_list_cfg){.pregs = cfg->pregs, .issues = cfg->issues, .pushes = RF_WIR_FREES});
    for (uint32_t g = 0; g < RF_ISSUES_MAX; g++) bad |= rf_rr_init(&m->take_rr[g], &(rf_rr_cfg){cfg->exports});
    m->promised_q = 0;
    return bad;
}

/* Only what the configuration has: the rest stays as init left it. */
void rf_wir_results_reset(rf_wir_results *m) {
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        rf_hash_pipe_reset(&m->pipe[e]);
        rf_result_queue_reset(&m->queue[e]);
    }
    rf_vsb_reset(&m->vsb);
    rf_verify_cache_reset(&m->vcache);
    rf_free_list_reset(&m->free);
    for (uint32_t g = 0; g < m->cfg.issues; g++) rf_rr_reset(&m->take_rr[g]);
    m->promised_q = 0;
}

/* All that the cycle decides. */
static void decide(const rf_wir_results *m, const rf_wir_results_in *in, rf_wir_turn *turns, rf_wir_results_wires *x) {
    if (m->cfg.reuse == 0) {
        rf_wir_pass_on(m, &m->cfg, x);
        return;
    }
    rf_wir_pool(m, &m->cfg, in->back, in->back_reg, in->limit, x);
    rf_wir_begin(m, &m->cfg, x, turns);
    rf_wir_allocate(m, &m->cfg, in->need, in->random, in->own, turns, x);
}

static void show_heads(const rf_wir_results *m, rf_wir_results_out *out) {
    static const rf_vec nothing;
    out->head_valid = 0;
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        const rf_result_queue *q = &m->queue[e];
        const uint32_t at = rf_result_queue_head(q);
        const bool valid = rf_result_queue_valid(q);
        out->head_valid |= (uint8_t)((uint32_t)valid << e);
        out->head_op[e] = valid ? q->op_q[at] : 0;
        out->head_warp[e] = valid ? q->warp_q[at] : 0;
        out->head_dst[e] = valid ? q->dst_q[at] : 0;
        out->head_preg[e] = valid ? q->preg_q[at] : 0;
        out->head_cand[e] = valid ? q->cand_q[at] : 0;
        out->head_mask[e] = valid ? q->mask_q[at] : 0;
        out->head_info[e] = valid ? q->info_q[at] : 0;
        out->head_data[e] = *(valid ? &q->data_q[at] : &nothing);
    }
}

/* What groups give out and name, and the old registers of what they try. */
static void show_groups(const rf_wir_results *m, const rf_wir_results_in *in, const rf_wir_turn *turns,
                        const rf_wir_results_wires *x, rf_wir_results_out *out) {
    const uint32_t verifiers = m->cfg.verifiers;
    out->low = m->cfg.reuse != 0 && x->low;
    out->give = 0;
    out->given = out->inc = out->dec = 0;
    for (uint32_t g = 0; g < m->cfg.issues; g++) {
        rf_wir_named n = {0};
        out->given_reg[g] = 0;
        out->old_reg[g] = m->cfg.reuse != 0 ? rf_wir_tried_old(m, &m->cfg, &turns[g]) : 0;
        if (m->cfg.reuse != 0) {
            const bool gave = (x->gave >> g & 1) != 0, given = (x->free_in.pop >> g & 1) != 0;
            n = rf_wir_names(x, g, gave ? in->cand[g * verifiers + x->give[g]] : 0);
            if (gave) out->give |= (uint16_t)(1u << (g * verifiers + x->give[g]));
            out->given |= (uint8_t)((uint32_t)given << g);
            if (given) out->given_reg[g] = x->free.reg[g];
        }
        out->inc |= (uint8_t)((uint32_t)n.result << (g * 2) | (uint32_t)n.table << (g * 2 + 1));
        out->dec |= (uint8_t)((uint32_t)n.ends << g);
        out->inc_reg[g * 2] = n.result ? n.result_reg : 0;
        out->inc_reg[g * 2 + 1] = n.table ? n.table_reg : 0;
        out->dec_reg[g] = n.ends ? n.ends_reg : 0;
    }
}

static void edge(rf_wir_results *m, const rf_wir_results_in *in, rf_wir_results_wires *x) {
    const rf_wir_offer offer = {in->res_valid, in->res_warp, in->res_dst, in->res_mask, in->res_data, in->res_info};
    const rf_vec *data[RF_ISSUES_MAX];
    for (uint32_t g = 0; g < RF_ISSUES_MAX; g++) data[g] = &in->fill_data[g];
    if (m->cfg.reuse != 0) rf_wir_clock_tables(m, &m->cfg, x, in->fill, in->fill_reg, data, in->shared);
    rf_wir_clock_ports(m, &m->cfg, x, in->pop, &offer);
}

void rf_wir_results_comb(const rf_wir_results *m, const rf_wir_results_in *in, rf_wir_results_out *out) {
    rf_wir_results_wires x;
    rf_wir_turn turns[RF_ISSUES_MAX];
    decide(m, in, turns, &x);
    out->res_ready = (uint8_t)rf_wir_accepting(m, &m->cfg, &x);
    show_heads(m, out);
    show_groups(m, in, turns, &x, out);
}

void rf_wir_results_clock(rf_wir_results *m, const rf_wir_results_in *in) {
    rf_wir_results_wires x;
    rf_wir_turn turns[RF_ISSUES_MAX];
    decide(m, in, turns, &x);
    edge(m, in, &x);
}

void rf_wir_results_step(rf_wir_results *m, const rf_wir_results_in *in, rf_wir_results_out *out) {
    rf_wir_results_wires x;
    rf_wir_turn turns[RF_ISSUES_MAX];
    decide(m, in, turns, &x);
    out->res_ready = (uint8_t)rf_wir_accepting(m, &m->cfg, &x);
    show_heads(m, out);
    show_groups(m, in, turns, &x, out);
    edge(m, in, &x);
}
