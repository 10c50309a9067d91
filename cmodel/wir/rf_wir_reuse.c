/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_wir_reuse.h"

#include "cmodel/wir/rf_wir_reuse_parts.h"

static bool power_of_two(uint32_t n, uint32_t max) { return n >= 1 && n <= max && (n & (n - 1)) == 0; }

const char *rf_wir_reuse_check(const rf_wir_reuse_cfg *cfg) {
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->blocks < 1 || cfg->blocks > RF_BLOCKS_MAX) return "BLOCKS must be 1 to 16";
    if (!power_of_two(cfg->entries, RF_REUSE_ENTRIES_MAX)) return "ENTRIES must be a power of two from 1 to 512";
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    if (cfg->slots < 1 || cfg->slots > RF_REUSE_SLOTS_MAX) return "SLOTS must be 1 to 6";
    if (cfg->issues * (cfg->slots + 3) > RF_REFCOUNT_PORTS_MAX) return "ISSUES x (SLOTS + 3) must be at most 24";
    if (cfg->pregs < 2 || cfg->pregs > RF_PREGS_MAX) return "PREGS must be 2 to 1024";
    if (cfg->countw < 2 || cfg->countw > 16) return "COUNTW must be 2 to 16";
    return NULL;
}

int rf_wir_reuse_init(rf_wir_reuse *m, const rf_wir_reuse_cfg *cfg) {
    if (rf_wir_reuse_check(cfg) != NULL) return RF_E_CONFIG;
    const uint32_t requests = cfg->issues * (cfg->slots + 3);
    m->cfg = *cfg;
    int bad = rf_load_guard_init(
        &m->guard,
        &(rf_load_guard_cfg){.warps = cfg->warps, .blocks = cfg->blocks, .entries = cfg->entries, .issues = cfg->issues});
    bad |= rf_reuse_buffer_init(
        &m->buffer,
        &(rf_reuse_buffer_cfg){
            .entries = cfg->entries, .slots = cfg->slots, .pregs = cfg->pregs, .blocks = cfg->blocks, .issues = cfg->issues});
    bad |= rf_refcount_init(&m->count, &(rf_refcount_cfg){.pregs = cfg->pregs,
                                                          .incs = requests,
                                                          .decs = requests,
                                                          .frees = RF_WIR_FREES,
                                                          .asks = cfg->issues,
                                                          .countw = cfg->countw});
    bad |= rf_lfsr_init(&m->lfsr, &(rf_lfsr_cfg){RF_WIR_SEED});
    return bad;
}

void rf_wir_reuse_reset(rf_wir_reuse *m) {
    rf_load_guard_reset(&m->guard);
    rf_reuse_buffer_reset(&m->buffer);
    rf_refcount_reset(&m->count);
    rf_lfsr_reset(&m->lfsr);
}

/* What the lanes get to know before they act. */
static void look_up(const rf_wir_reuse *m, const rf_wir_reuse_in *in, rf_wir_reuse_wires *x, rf_wir_reuse_out *out) {
    const uint32_t slots = m->cfg.slots;
    uint32_t allow = 0;
    memset(&x->reuse_in, 0, sizeof x->reuse_in);
    rf_wir_back(m, x);
    for (uint32_t g = 0; g < m->cfg.issues; g++) {
        allow |= (uint32_t)rf_wir_ask_guard(m, in->block, g, in->lane_warp[g], in->lane_space[g], x) << g;
        x->reuse_in.lk_opcode[g] = in->lane_opcode[g];
        memcpy(&x->reuse_in.lk_operand[g * slots], &in->lane_operand[g * slots], slots * sizeof in->lane_operand[0]);
    }
    rf_wir_find(m, in->lk_valid, x);
    out->allow = (uint8_t)allow;
    out->hit = x->reuse.hit;
    out->wait = x->reuse.wait;
    memcpy(out->result, x->reuse.result, m->cfg.issues * sizeof out->result[0]);
}

/* What becomes of the tables; the references. */
static void act(const rf_wir_reuse *m, const rf_wir_reuse_in *in, rf_reuse_buffer *moves, rf_wir_reuse_wires *x) {
    const uint32_t slots = m->cfg.slots;
    const rf_wir_happens now = RF_WIR_HAPPENS(in);
    const rf_wir_acts acts = {.leads = in->leads,
                              .looked = (uint32_t)(in->lk_valid & in->leaves),
                              .st_valid = in->st_valid,
                              .st_shared = in->st_shared,
                              .done = in->done,
                              .done_reg = in->done_reg,
                              .done_info = in->done_info,
                              .low = in->low != 0};
    memcpy(x->guard_in.st_warp, in->st_warp, sizeof x->guard_in.st_warp);
    rf_wir_change(m, &m->cfg, &acts, &now, moves, x);
    x->count_in.inc = x->count_in.dec = 0;
    for (uint32_t g = 0; g < m->cfg.issues; g++) {
        const rf_wir_named named = {.result = (in->results_inc[g] & 1) != 0,
                                    .table = (in->results_inc[g] >> 1 & 1) != 0,
                                    .ends = (in->results_dec >> g & 1) != 0,
                                    .result_reg = in->results_inc_reg[g * 2],
                                    .table_reg = in->results_inc_reg[g * 2 + 1],
                                    .ends_reg = in->results_dec_reg[g]};
        rf_wir_count(slots, g, in->lane_inc[g], &in->lane_inc_reg[g * slots], (in->lane_dec >> g & 1) != 0, in->lane_dec_reg[g],
                     in->done_reg[g], &named, x);
    }
}

static void drive_others(const rf_wir_reuse *m, const rf_wir_reuse_in *in, const rf_wir_reuse_wires *x, rf_wir_reuse_out *out) {
    out->reserved = x->reuse.reserved;
    for (uint32_t g = 0; g < m->cfg.issues; g++)
        out->info[g] = rf_wir_info(m->cfg.pregs, in->lane_back[g], (x->reuse.reserved >> g & 1) != 0, x->reuse.index[g]);
    out->own = 0;
    for (uint32_t g = 0; g < m->cfg.issues; g++) out->own |= (uint8_t)((uint32_t)rf_refcount_one(&m->count, in->own_reg[g]) << g);
    out->random = m->lfsr.value_q;
    out->back = x->count.free;
    memcpy(out->back_reg, x->count.free_reg, sizeof out->back_reg);
}

void rf_wir_reuse_comb(const rf_wir_reuse *m, const rf_wir_reuse_in *in, rf_wir_reuse_out *out) {
    rf_wir_reuse_wires x;
    look_up(m, in, &x, out);
    act(m, in, NULL, &x);
    drive_others(m, in, &x, out);
}

void rf_wir_reuse_clock(rf_wir_reuse *m, const rf_wir_reuse_in *in) {
    rf_wir_reuse_out out;
    rf_wir_reuse_step(m, in, &out);
}

void rf_wir_reuse_step(rf_wir_reuse *m, const rf_wir_reuse_in *in, rf_wir_reuse_out *out) {
    rf_wir_reuse_wires x;
    look_up(m, in, &x, out);
    act(m, in, &m->buffer, &x);
    drive_others(m, in, &x, out);
    rf_wir_clock_reuse(m, in->block, &x);
}
