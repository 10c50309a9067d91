/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/wir/rf_wir_late.h"

#include <stdlib.h>
#include <string.h>

#include "cmodel/banked/rf_banked.h"
#include "harness/memory.h"

/* An instruction as its head showed it. */
typedef struct shown {
    bool valid;
    uint8_t warp, port, dst, src_valid;
    uint16_t tag;
    uint32_t mask;
    bool dst_valid;
    uint8_t src[RF_SLOTS_MAX];
} shown;

typedef struct result {
    bool valid;
    uint8_t warp, dst;
    uint32_t mask;
    rf_vec data;
} result;

struct rf_wir_late {
    uint32_t slots, issues, exports, stages;
    rf_banked model;
    rf_banked_in in;
    rf_banked_out out;
    shown behind[RF_ISSUES_MAX][2];                    /* rename, reuse */
    result before[RF_EXPORTS_MAX][RF_HASH_STAGES_MAX]; /* first to last */
};

rf_wir_late *rf_wir_late_new(const rf_wir *m) {
    const rf_wir_cfg *c = &m->cfg;
    rf_wir_late *late = ls_zeroed(sizeof *late);
    late->slots = c->slots;
    late->issues = c->issues;
    late->exports = c->exports;
    late->stages = c->delay - 2;
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
static void show(rf_wir_late *late, rf_banked_in *in) {
    in->ib_valid = 0;
    for (uint32_t g = 0; g < late->issues; g++) {
        const shown *s = &late->behind[g][1];
        const uint32_t w = s->warp;
        if (!s->valid) continue;
        in->ib_valid |= UINT64_C(1) << w;
        in->ib_tag[w] = s->tag;
        in->ib_port[w] = s->port;
        in->ib_mask[w] = s->mask;
        in->ib_dst_valid = (in->ib_dst_valid & ~(UINT64_C(1) << w)) | (uint64_t)s->dst_valid << w;
        in->ib_dst[w] = s->dst;
        in->ib_src_valid[w] = s->src_valid;
        memcpy(&in->ib_src[w * late->slots], s->src, late->slots);
    }
}

static void take(rf_wir_late *late, const rf_wir_in *in, uint32_t w, shown *s) {
    s->valid = true;
    s->warp = (uint8_t)w;
    s->tag = in->ib_tag[w];
    s->port = in->ib_port[w];
    s->mask = in->ib_mask[w];
    s->dst_valid = (in->ib_dst_valid >> w & 1) != 0;
    s->dst = in->ib_dst[w];
    s->src_valid = in->ib_src_valid[w];
    memcpy(s->src, &in->ib_src[w * late->slots], late->slots);
}

const char *rf_wir_late_step(rf_wir_late *late, const rf_wir_in *in, const rf_wir_out *out) {
    rf_banked_in *to = &late->in;
    const uint32_t last = late->stages - 1;
    show(late, to);
    to->ex_ready = in->ex_ready;
    to->res_valid = 0;
    for (uint32_t e = 0; e < late->exports; e++) {
        const result *r = &late->before[e][last];
        to->res_valid |= (uint8_t)((uint32_t)r->valid << e);
        to->res_warp[e] = r->warp;
        to->res_dst[e] = r->dst;
        to->res_mask[e] = r->mask;
        to->res_data[e] = r->data;
    }
    rf_banked_step(&late->model, to, &late->out);
    const rf_banked_out *same = &late->out;
    for (uint32_t e = 0; e < late->exports; e++) {
        const bool equal =
            ((out->ex_valid ^ same->ex_valid) >> e & 1) == 0 && out->ex_tag[e] == same->ex_tag[e] &&
            out->ex_warp[e] == same->ex_warp[e] && out->ex_mask[e] == same->ex_mask[e] &&
            ((out->ex_dst_valid ^ same->ex_dst_valid) >> e & 1) == 0 && out->ex_dst[e] == same->ex_dst[e] &&
            memcmp(&out->ex_data[e * late->slots], &same->ex_data[e * late->slots], late->slots * sizeof out->ex_data[0]) == 0;
        if (!equal) return "what leaves for execution differs from rf_banked's with the same latency";
    }
    for (uint32_t e = 0; e < late->exports; e++) {
        result *r = late->before[e];
        bool moves = (same->res_ready >> e & 1) != 0, takes = false;
        for (uint32_t s = late->stages; s-- > 0;) {
            takes = !r[s].valid || moves;
            if (takes) {
                if (s > 0) r[s] = r[s - 1];
                else
                    r[s] = (result){(in->res_valid >> e & 1) != 0, in->res_warp[e], in->res_dst[e], in->res_mask[e],
                                    in->res_data[e]};
            }
            moves = takes;
        }
        if (takes != ((out->res_ready >> e & 1) != 0))
            return "a port accepts results otherwise than rf_banked with the same latency";
    }
    for (uint32_t g = 0; g < late->issues; g++) {
        shown *s = late->behind[g];
        const bool leaves = (same->issue_valid >> g & 1) != 0, issues = (out->issue_valid >> g & 1) != 0;
        bool room_here = !s[0].valid;
        if (!s[1].valid || leaves) {
            s[1] = s[0];
            s[0].valid = false;
            room_here = true;
        }
        if (issues != (room_here && (out->wires.chosen >> g & 1) != 0))
            return "a group issues otherwise than with two registers before rf_banked";
        if (issues) take(late, in, out->issue_warp[g], &s[0]);
    }
    return NULL;
}
