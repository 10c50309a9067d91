/* SPDX-License-Identifier: Apache-2.0 */
/* The edge of rf_verify with its values by pointer, as functions that a caller compiles in: private to the unit and rf_wir. */
#ifndef RF_VERIFY_PARTS_H
#define RF_VERIFY_PARTS_H

#include "cmodel/wir/rf_verify.h"

#include <string.h>

/* Fig. 7: a verify-read whose register holds the result already; `rdata` is looked at in state CHECK only. */
static inline bool rf_verify_equal(const rf_verify *m, const rf_vec *rdata) {
    return m->state_q == RF_VERIFY_CHECK && !m->merge_q && memcmp(rdata, &m->data_q, sizeof m->data_q) == 0;
}

/* The edge of one that is idle and gets a load; `data` in place of the inputs' one, that nobody need copy it. */
static inline void rf_verify_take(rf_verify *m, const rf_verify_in *in, const rf_vec *data) {
    m->state_q = RF_VERIFY_CHECK;
    m->merge_q = in->load_merge;
    m->cand_q = in->load_cand;
    m->reg_q = in->load_reg;
    m->mask_q = in->load_mask;
    m->data_q = *data;
    m->info_q = in->load_info;
}

/* The edge of one that is not idle; `rdata` as above, `same` is what rf_verify_equal gives. */
static inline void rf_verify_move(rf_verify *m, const rf_vec *rdata, bool same, bool give, uint16_t give_reg, bool done) {
    if (m->state_q == RF_VERIFY_CHECK && m->merge_q) {
        for (uint32_t i = 0; i < m->cfg.lanes; i++)
            if ((m->mask_q >> i & 1) == 0) m->data_q.lane[i] = rdata->lane[i];
        m->state_q = RF_VERIFY_WRITE;
    } else if (m->state_q == RF_VERIFY_CHECK) {
        m->state_q = !same ? RF_VERIFY_NEED : done ? RF_VERIFY_IDLE : RF_VERIFY_SHARE;
    } else if (m->state_q == RF_VERIFY_NEED) {
        if (!give) return;
        m->reg_q = give_reg;
        m->state_q = RF_VERIFY_WRITE;
    } else if (done) { /* SHARE, WRITE */
        m->state_q = RF_VERIFY_IDLE;
    }
}

#endif
