/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/common/rf_rr.h"

const char *rf_rr_check(const rf_rr_cfg *cfg) {
    if (cfg->n < 1 || cfg->n > 64) return "N must be 1 to 64";
    return NULL;
}

int rf_rr_init(rf_rr *m, const rf_rr_cfg *cfg) {
    if (rf_rr_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_rr_reset(m);
    return 0;
}

void rf_rr_reset(rf_rr *m) { m->mask_q = 0; }

/* The outputs; returns the grant. */
static inline uint64_t answer(const rf_rr *m, const rf_rr_in *in, rf_rr_out *out) {
    const uint64_t grant = rf_rr_pick(in->req, m->mask_q);
    out->grant = grant;
    out->valid = in->req != 0;
    return grant;
}

/* The pointer moves behind a grant that is taken: by masks, because a branch on that would be mispredicted as often as not.
 * Plain: if (take != 0 && grant != 0) m->mask_q = rf_rr_next(grant, m->cfg.n); */
static inline void advance(rf_rr *m, uint64_t grant, uint32_t take) {
    const uint64_t moves = 0 - (uint64_t)((take != 0) & (grant != 0));
    m->mask_q ^= (m->mask_q ^ rf_rr_next(grant, m->cfg.n)) & moves;
}

void rf_rr_comb(const rf_rr *m, const rf_rr_in *in, rf_rr_out *out) { (void)answer(m, in, out); }

void rf_rr_clock(rf_rr *m, const rf_rr_in *in) { advance(m, rf_rr_pick(in->req, m->mask_q), in->take); }

void rf_rr_step(rf_rr *m, const rf_rr_in *in, rf_rr_out *out) { advance(m, answer(m, in, out), in->take); }
