/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_free_list.h"

const char *rf_free_list_check(const rf_free_list_cfg *cfg) {
    if (cfg->pregs < 2 || cfg->pregs > RF_PREGS_MAX) return "PREGS must be 2 to 1024";
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    if (cfg->pushes < 1 || cfg->pushes > RF_FREE_PUSHES_MAX) return "PUSHES must be 1 to 4";
    return NULL;
}

int rf_free_list_init(rf_free_list *m, const rf_free_list_cfg *cfg) {
    if (rf_free_list_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_free_list_reset(m);
    return 0;
}

void rf_free_list_reset(rf_free_list *m) { *m = (rf_free_list){.cfg = m->cfg}; }

/* Place 0 .. 2 x pregs - 1 of the ring. */
static inline uint32_t wrap(uint32_t place, uint32_t pregs) { return place >= pregs ? place - pregs : place; }

/* The register at place p of the order in which they are given out; 0 when there is none. Behind the queue come the fresh ones:
 * fresh_q + (p - level_q). */
static inline uint32_t at(const rf_free_list *m, uint32_t p, uint32_t used) {
    const uint32_t queued = m->queue_q[wrap(m->rd_ptr_q + p, m->cfg.pregs)];
    const uint32_t fresh = used + p < m->cfg.pregs ? used + p : 0;
    return p < m->level_q ? queued : fresh;
}

void rf_free_list_comb(const rf_free_list *m, const rf_free_list_in *in, rf_free_list_out *out) {
    const uint32_t used = (uint32_t)m->fresh_q - m->level_q, count = m->cfg.pregs - used; /* used: given out and not back */
    uint32_t p = 0;
    out->count = (uint16_t)count;
    out->ok = (uint8_t)rf_mask64(count < m->cfg.issues ? count : m->cfg.issues);
    for (uint32_t i = 0; i < m->cfg.issues; i++) {
        out->reg[i] = (uint16_t)at(m, p, used);
        p += in->pop >> i & 1;
    }
}

void rf_free_list_clock(rf_free_list *m, const rf_free_list_in *in) {
    const uint32_t pregs = m->cfg.pregs, used = (uint32_t)m->fresh_q - m->level_q, count = pregs - used;
    const uint32_t asked = (uint32_t)__builtin_popcount(in->pop);
    const uint32_t popped = asked < count ? asked : count;
    const uint32_t queued = popped < m->level_q ? popped : m->level_q;
    uint32_t pushed = 0, tail = m->wr_ptr_q;
    for (uint32_t k = 0; k < m->cfg.pushes; k++) {
        if ((in->push >> k & 1) == 0 || pushed == used) continue;
        m->queue_q[tail] = in->push_reg[k];
        tail = wrap(tail + 1, pregs);
        pushed++;
    }
    m->fresh_q = (uint16_t)(m->fresh_q + popped - queued);
    m->level_q = (uint16_t)(m->level_q + pushed - queued);
    m->rd_ptr_q = (uint16_t)wrap(m->rd_ptr_q + queued, pregs);
    m->wr_ptr_q = (uint16_t)tail;
}

void rf_free_list_step(rf_free_list *m, const rf_free_list_in *in, rf_free_list_out *out) {
    rf_free_list_comb(m, in, out);
    rf_free_list_clock(m, in);
}
