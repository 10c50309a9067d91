/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_verify.h"

#include <string.h>

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

/* Fig. 7: a verify-read whose register holds the result already. */
static inline bool equal(const rf_verify *m, const rf_verify_in *in) {
    return m->state_q == RF_VERIFY_CHECK && !m->merge_q && memcmp(&in->rdata, &m->data_q, sizeof m->data_q) == 0;
}

/* The outputs; `same` is what equal gives. */
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

/* The edge; `same` is what equal gives. */
static inline void advance(rf_verify *m, const rf_verify_in *in, bool same) {
    switch (m->state_q) {
    case RF_VERIFY_IDLE:
        if (!in->load) return;
        m->state_q = RF_VERIFY_CHECK;
        m->merge_q = in->load_merge;
        m->cand_q = in->load_cand;
        m->reg_q = in->load_reg;
        m->mask_q = in->load_mask;
        m->data_q = in->load_data;
        m->info_q = in->load_info;
        return;
    case RF_VERIFY_CHECK:
        if (!m->merge_q) {
            m->state_q = !same ? RF_VERIFY_NEED : in->done ? RF_VERIFY_IDLE : RF_VERIFY_SHARE;
            return;
        }
        for (uint32_t i = 0; i < m->cfg.lanes; i++)
            if ((m->mask_q >> i & 1) == 0) m->data_q.lane[i] = in->rdata.lane[i];
        m->state_q = RF_VERIFY_WRITE;
        return;
    case RF_VERIFY_NEED:
        if (!in->give) return;
        m->reg_q = in->give_reg;
        m->state_q = RF_VERIFY_WRITE;
        return;
    default: /* SHARE, WRITE */
        if (in->done) m->state_q = RF_VERIFY_IDLE;
        return;
    }
}

void rf_verify_comb(const rf_verify *m, const rf_verify_in *in, rf_verify_out *out) { answer(m, equal(m, in), out); }

void rf_verify_clock(rf_verify *m, const rf_verify_in *in) { advance(m, in, equal(m, in)); }

void rf_verify_step(rf_verify *m, const rf_verify_in *in, rf_verify_out *out) {
    const bool same = equal(m, in);
    answer(m, same, out);
    advance(m, in, same);
}
