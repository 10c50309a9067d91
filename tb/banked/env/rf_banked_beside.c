/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/banked/env/rf_banked_beside.h"
#include "tb/banked/env/rf_stage_carried.h"

#include <string.h>

void rf_banked_beside_start(rf_banked_beside *b, const rf_banked *stage) {
    if (b->running) return;
    b->model = *stage;
    rf_banked_reset(&b->model);
    b->running = true;
}

/* All but the operands. */
static bool control_equal(const rf_banked_cfg *cfg, const rf_stage_out *x, const rf_stage_out *y) {
    bool equal = x->issue_valid == y->issue_valid && x->res_ready == y->res_ready &&
                 memcmp(x->issue_warp, y->issue_warp, cfg->issues) == 0;
    for (uint32_t e = 0; e < cfg->exports && equal; e++) equal = rf_stage_same_offer(&x->offers, &y->offers, e);
    return equal;
}

bool rf_banked_beside_step(rf_banked_beside *b, const rf_stage_in *in, const rf_stage_out *out, bool sources_only) {
    const rf_banked_cfg *cfg = &b->model.cfg;
    const rf_stage_out *same = &b->out.stage;
    const uint8_t all = (uint8_t)rf_mask64(cfg->slots);
    uint8_t sources[RF_COLLECTORS_MAX];
    for (uint32_t c = 0; c < cfg->collectors; c++) sources[c] = b->model.ocu[c].src_valid_q;
    b->in.stage = *in;
    rf_banked_step(&b->model, &b->in, &b->out);
    if (!control_equal(cfg, out, same)) return false;
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const bool leaves = (same->ex_valid >> e & 1) != 0;
        const uint8_t counts = leaves && sources_only ? sources[b->out.wires.dispatch.ex_sel[e]] : all;
        for (uint32_t left = counts; left != 0; left &= left - 1) {
            const uint32_t at = e * cfg->slots + rf_lowest(left);
            if (memcmp(&out->ex_data[at], &same->ex_data[at], sizeof(rf_vec)) != 0) return false;
        }
    }
    return true;
}
