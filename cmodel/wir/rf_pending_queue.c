/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_pending_queue.h"

#include "cmodel/wir/rf_pending_queue_parts.h"

#include <string.h>

const char *rf_pending_queue_check(const rf_pending_queue_cfg *cfg) {
    if (cfg->depth < 1 || cfg->depth > RF_PENDING_DEPTH_MAX) return "DEPTH must be 1 to 16";
    if (cfg->warps < 1 || cfg->warps > RF_WARPS_MAX) return "WARPS must be 1 to 64";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->slots < 1 || cfg->slots > RF_REUSE_SLOTS_MAX) return "SLOTS must be 1 to 6";
    if (cfg->pregs < 2 || cfg->pregs > RF_PREGS_MAX) return "PREGS must be 2 to 1024";
    if (cfg->exports < 1 || cfg->exports > RF_EXPORTS_MAX) return "EXPORTS must be 1 to 8";
    return NULL;
}

int rf_pending_queue_init(rf_pending_queue *m, const rf_pending_queue_cfg *cfg) {
    if (rf_pending_queue_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_pending_queue_reset(m);
    return 0;
}

void rf_pending_queue_reset(rf_pending_queue *m) { *m = (rf_pending_queue){.cfg = m->cfg}; }

void rf_pending_queue_comb(const rf_pending_queue *m, const rf_pending_queue_in *in, rf_pending_queue_out *out) {
    (void)in;
    out->ready = rf_pending_queue_ready(m);
    out->valid = rf_pending_queue_valid(m);
    if (rf_pending_queue_valid(m)) out->head = *rf_pending_queue_head(m);
    else memset(&out->head, 0, sizeof out->head);
    out->at_valid = (uint16_t)rf_pending_queue_places(m);
    memset(out->at, 0, sizeof out->at);
    for (uint32_t p = 0; p < m->level_q; p++) out->at[p] = rf_pending_queue_at(m, p);
}

/* The tail's entry becomes what is pushed or, in a rotation, what the head holds; in a full queue that is the head's own. */
void rf_pending_queue_clock(rf_pending_queue *m, const rf_pending_queue_in *in) {
    const bool valid = rf_pending_queue_valid(m);
    const bool push = in->push != 0 && rf_pending_queue_ready(m), pop = in->pop != 0 && valid;
    const bool rotate = in->rotate != 0 && in->push == 0 && in->pop == 0 && valid;
    if (push || rotate) m->entry_q[rf_pending_queue_entry(m, m->level_q)] = push ? in->entry : *rf_pending_queue_head(m);
    if (pop || rotate) m->rd_ptr_q = (uint8_t)rf_pending_queue_entry(m, 1);
    m->level_q = (uint8_t)(m->level_q + push - pop);
}

void rf_pending_queue_step(rf_pending_queue *m, const rf_pending_queue_in *in, rf_pending_queue_out *out) {
    rf_pending_queue_comb(m, in, out);
    rf_pending_queue_clock(m, in);
}
