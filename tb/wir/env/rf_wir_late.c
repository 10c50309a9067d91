/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/wir/env/rf_wir_late.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "tb/banked/env/rf_stage_carried.h"
#include "tb/wir/env/rf_wir_late_issue.h"

typedef struct result {
    bool valid;
    uint8_t warp, dst;
    uint32_t mask;
    rf_vec data;
} result;

struct rf_wir_late {
    uint32_t slots, exports, stages;
    rf_banked model;
    rf_banked_in in;
    rf_banked_out out;
    rf_wir_late_issue issue;
    result before[RF_EXPORTS_MAX][RF_HASH_STAGES_MAX]; /* first to last */
};

rf_wir_late *rf_wir_late_new(const rf_wir *m) {
    const rf_wir_cfg *c = &m->cfg;
    rf_wir_late *late = ls_zeroed(sizeof *late);
    late->slots = c->slots;
    late->exports = c->exports;
    late->stages = c->delay - 2;
    rf_wir_late_issue_start(&late->issue, c);
    rf_banked *b = &late->model;
    const int bad = rf_banked_init(b, &(rf_banked_cfg){.warps = c->warps,
                                                       .collectors = c->collectors,
                                                       .banks = c->banks,
                                                       .regs = c->regs,
                                                       .lanes = c->lanes,
                                                       .slots = c->slots,
                                                       .exports = c->exports,
                                                       .issues = c->issues,
                                                       .ports = c->ports,
                                                       .sched = c->sched,
                                                       .fetch = c->fetch,
                                                       .wbdepth = c->wbdepth});
    if (bad != 0) ls_die("no rf_banked has the size of this rf_wir");
    for (uint32_t i = 0; i < c->banks; i++)
        memcpy(b->bank[i].mem_q, m->bank[i].mem_q, b->bank[i].cfg.rows * sizeof b->bank[i].mem_q[0]);
    return late;
}

void rf_wir_late_free(rf_wir_late *late) { free(late); }

/* What the two registers behind issue show to rf_banked. */
static void drive_heads(rf_wir_late *late, rf_banked_in *in) {
    in->ib_valid = 0;
    for (uint32_t g = 0; g < late->issue.issues; g++) {
        const rf_wir_shown *s = &late->issue.behind[g][1];
        const uint32_t w = s->warp;
        if (!s->valid) continue;
        in->ib_valid |= UINT64_C(1) << w;
        rf_stage_drive_carried(&in->heads, w, s->tag);
        in->ib_port[w] = s->port;
        in->ib_mask[w] = s->mask;
        in->ib_dst_valid = (in->ib_dst_valid & ~(UINT64_C(1) << w)) | (uint64_t)s->dst_valid << w;
        in->ib_dst[w] = s->dst;
        in->ib_src_valid[w] = s->src_valid;
        memcpy(&in->ib_src[w * late->slots], s->src, late->slots);
    }
}

/* What leaves for execution is the same. */
static bool delivers_the_same(const rf_wir_late *late, const rf_wir_out *out) {
    const rf_banked_out *same = &late->out;
    for (uint32_t e = 0; e < late->exports; e++) {
        const bool equal =
            rf_stage_same_offer(&out->offers, &same->offers, e) &&
            memcmp(&out->ex_data[e * late->slots], &same->ex_data[e * late->slots], late->slots * sizeof out->ex_data[0]) == 0;
        if (!equal) return false;
    }
    return true;
}

/* The registers between port e and its write-back queue move; whether the first one takes a result. */
static bool move_results(rf_wir_late *late, const rf_wir_in *in, uint32_t e) {
    result *r = late->before[e];
    bool moves = (late->out.res_ready >> e & 1) != 0;
    for (uint32_t s = late->stages; s-- > 0;) {
        moves = !r[s].valid || moves;
        if (!moves) continue;
        if (s > 0) r[s] = r[s - 1];
        else r[s] = (result){(in->res_valid >> e & 1) != 0, in->res_warp[e], in->res_dst[e], in->res_mask[e], in->res_data[e]};
    }
    return moves;
}

const char *rf_wir_late_step(rf_wir_late *late, const rf_wir_in *in, const rf_wir_out *out) {
    rf_banked_in *to = &late->in;
    rf_wir_late_issue_choose(&late->issue, in, &late->model);
    drive_heads(late, to);
    to->ex_ready = in->ex_ready;
    to->res_valid = 0;
    for (uint32_t e = 0; e < late->exports; e++) {
        const result *r = &late->before[e][late->stages - 1];
        to->res_valid |= (uint8_t)((uint32_t)r->valid << e);
        to->res_warp[e] = r->warp;
        to->res_dst[e] = r->dst;
        to->res_mask[e] = r->mask;
        to->res_data[e] = r->data;
    }
    rf_banked_step(&late->model, to, &late->out);
    if (!delivers_the_same(late, out)) return "what leaves for execution differs from rf_banked's with the same latency";
    for (uint32_t e = 0; e < late->exports; e++)
        if (move_results(late, in, e) != ((out->res_ready >> e & 1) != 0))
            return "a port accepts results otherwise than rf_banked with the same latency";
    return rf_wir_late_issue_move(&late->issue, in, out, &late->out);
}
