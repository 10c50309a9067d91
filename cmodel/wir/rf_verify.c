/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_verify_parts.h"

const char *rf_verify_check(const rf_verify_cfg *cfg) {
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->pregs < 2 || cfg->pregs > RF_PREGS_MAX) return "PREGS must be 2 to 1024";
    if (cfg->infow < 1 || cfg->infow > 64) return "INFOW must be 1 to 64";
    return NULL;
}

int rf_verify_init(rf_verify *m, const rf_verify_cfg *cfg) {
    if (rf_verify_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_verify_reset(m);
    return 0;
}

void rf_verify_reset(rf_verify *m) { *m = (rf_verify){.cfg = m->cfg}; }

/* The outputs; `same` is what rf_verify_equal gives. */
static inline void answer(const rf_verify *m, bool same, rf_verify_out *out) {
    const uint32_t state = m->state_q;
    const bool share = state == RF_VERIFY_SHARE || same, write = state == RF_VERIFY_WRITE;
    out->data = m->data_q;
    out->busy = state != RF_VERIFY_IDLE;
    out->check = state == RF_VERIFY_CHECK;
    out->merge = m->merge_q;
    out->equal = same;
    out->share = share;
    out->need = state == RF_VERIFY_NEED;
    out->write = write;
    out->cand = m->cand_q;
    out->reg = share ? m->cand_q : write ? m->reg_q : 0;
    out->info = m->info_q;
}

/* The edge; `same` is what rf_verify_equal gives. */
static inline void advance(rf_verify *m, const rf_verify_in *in, bool same) {
    if (m->state_q != RF_VERIFY_IDLE) rf_verify_move(m, &in->rdata, same, in->give != 0, in->give_reg, in->done != 0);
    else if (in->load) rf_verify_take(m, in, &in->load_data);
}

void rf_verify_comb(const rf_verify *m, const rf_verify_in *in, rf_verify_out *out) {
    answer(m, rf_verify_equal(m, &in->rdata), out);
}

void rf_verify_clock(rf_verify *m, const rf_verify_in *in) { advance(m, in, rf_verify_equal(m, &in->rdata)); }

void rf_verify_step(rf_verify *m, const rf_verify_in *in, rf_verify_out *out) {
    const bool same = rf_verify_equal(m, &in->rdata);
    answer(m, same, out);
    advance(m, in, same);
}
