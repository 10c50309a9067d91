/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/wir/env/rf_wir_late_issue.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NONE = RF_WARPS_MAX };

void rf_wir_late_issue_start(rf_wir_late_issue *s, const rf_wir_cfg *cfg) {
    s->warps = cfg->warps;
    s->slots = cfg->slots;
    s->issues = cfg->issues;
    s->exports = cfg->exports;
    s->sched = cfg->sched;
    s->fetch = cfg->fetch;
    for (uint32_t g = 0; g < s->issues; g++) s->last[g] = s->warps / s->issues - 1;
}

static bool bit(uint64_t bits, uint32_t i) { return (bits >> i & 1) != 0; }

/* ---- the heads ---- */

/* The head of warp w; D-mask. */
static void read_head(const rf_wir_late_issue *s, const rf_wir_in *in, uint32_t w, rf_wir_shown *head) {
    const bool active = in->ib_mask[w] != 0;
    head->valid = bit(in->ib_valid, w);
    head->warp = (uint8_t)w;
    head->tag = in->ib_tag[w];
    head->port = in->ib_port[w];
    head->mask = in->ib_mask[w];
    head->dst_valid = active && bit(in->ib_dst_valid, w);
    head->dst = in->ib_dst[w];
    head->src_valid = active ? in->ib_src_valid[w] : 0;
    head->load = in->ib_space[w] == RF_SPACE_SHARED || in->ib_space[w] == RF_SPACE_GLOBAL;
    memcpy(head->src, &in->ib_src[w * s->slots], s->slots);
}

/* One of the slots in `open` names the register. */
static bool names(uint32_t open, const uint8_t *src, uint32_t slots, uint32_t reg) {
    for (uint32_t i = 0; i < slots; i++)
        if (bit(open, i) && src[i] == reg) return true;
    return false;
}

/* A collector has yet to read the register for the warp. */
static bool unread(const rf_banked *behind, uint32_t warp, uint32_t reg) {
    for (uint32_t c = 0; c < behind->cfg.collectors; c++) {
        const rf_ocu *u = &behind->ocu[c];
        const uint32_t open = u->src_valid_q & ~(uint32_t)(u->fill_q | u->ready_q);
        if (u->busy_q && u->carried_q.warp == warp && names(open, u->src_q, behind->cfg.slots, reg)) return true;
    }
    return false;
}

/* Why a head that writes `dst` or stores may not issue: an instruction of its warp in the two registers. */
static const char *overtakes(const rf_wir_late_issue *s, const rf_wir_shown *head, bool store) {
    for (uint32_t g = 0; g < s->issues; g++)
        for (uint32_t i = 0; i < 2; i++) {
            const rf_wir_shown *before = &s->behind[g][i];
            if (!before->valid || before->warp != head->warp) continue;
            if (head->dst_valid && names(before->src_valid, before->src, s->slots, head->dst)) return "D-war";
            if (store && before->load) return "D-order";
        }
    return NULL;
}

/* Why the head of warp w may not issue, or NULL. */
static const char *why(const rf_wir_late_issue *s, const rf_wir_in *in, const rf_banked *behind, uint32_t w) {
    rf_wir_shown head;
    read_head(s, in, w, &head);
    if (!head.valid) return "no head";
    for (uint32_t i = 0; i < s->slots; i++)
        if (bit(head.src_valid, i) && s->pending[w][head.src[i]]) return "RAW";
    if (head.dst_valid && s->pending[w][head.dst]) return "WAW";
    if (head.dst_valid && unread(behind, w, head.dst)) return "WAR";
    return overtakes(s, &head, head.mask != 0 && bit(in->ib_store, w));
}

/* ---- the schedulers ---- */

/* The turn of warp w among the ready ones of group g: the lowest issues, of equal ones the lower warp. */
static uint64_t turn(const rf_wir_late_issue *s, uint32_t g, uint32_t w) {
    const uint32_t count = s->warps / s->issues, number = w / s->issues, groups = (count - 1) / s->fetch + 1;
    if (s->sched == 0) return s->greedy[g] && number == s->last[g] ? 0 : 1 + s->launched[w];
    if (s->sched == 1) return (number + count - 1 - s->last[g]) % count;
    return 2 * ((number / s->fetch + groups - s->fetch_group[g]) % groups) + (number <= s->last[g]);
}

void rf_wir_late_issue_choose(rf_wir_late_issue *s, const rf_wir_in *in, const rf_banked *behind) {
    for (uint32_t w = 0; w < s->warps; w++) s->waits[w] = why(s, in, behind, w);
    for (uint32_t g = 0; g < s->issues; g++) {
        s->chosen[g] = NONE;
        for (uint32_t w = g; w < s->warps; w += s->issues)
            if (s->waits[w] == NULL && (s->chosen[g] == NONE || turn(s, g, w) < turn(s, g, s->chosen[g]))) s->chosen[g] = w;
    }
    for (uint32_t e = 0; e < s->exports; e++) {
        const rf_wbq *q = &behind->wbq[e];
        s->head_warp[e] = q->warp_q[q->ctrl.rd_ptr_q];
        s->head_reg[e] = q->reg_q[q->ctrl.rd_ptr_q];
    }
}

/* ---- the edge ---- */

/* What the system did otherwise: its warp and ours, either of them NONE. */
static const char *differs(rf_wir_late_issue *s, uint32_t g, uint32_t is, uint32_t should) {
    char ours[24] = "nothing";
    if (should != NONE) snprintf(ours, sizeof ours, "W%" PRIu32, should);
    if (is == NONE) snprintf(s->text, sizeof s->text, "group %" PRIu32 " issues nothing, where rf_banked issues %s", g, ours);
    else if (is >= s->warps || s->waits[is] == NULL)
        snprintf(s->text, sizeof s->text, "group %" PRIu32 " issues W%" PRIu32 ", where rf_banked issues %s", g, is, ours);
    else
        snprintf(s->text, sizeof s->text,
                 "group %" PRIu32 " issues W%" PRIu32 ", which must wait (%s), where rf_banked issues %s", g, is, s->waits[is],
                 ours);
    return s->text;
}

/* The instruction behind moves on when rf_banked takes it (`leaves`); whether the first register can be filled. */
static bool move_registers(rf_wir_shown *r, bool leaves) {
    if (!r[1].valid || leaves) {
        r[1] = r[0];
        r[0].valid = false;
    }
    return !r[0].valid;
}

/* The chosen warp of group g issues. */
static void issue(rf_wir_late_issue *s, const rf_wir_in *in, uint32_t g) {
    rf_wir_shown *head = &s->behind[g][0];
    read_head(s, in, s->chosen[g], head);
    if (head->dst_valid) s->pending[head->warp][head->dst] = true;
    s->greedy[g] = true;
    s->last[g] = s->chosen[g] / s->issues;
    s->fetch_group[g] = s->last[g] / s->fetch;
}

const char *rf_wir_late_issue_move(rf_wir_late_issue *s, const rf_wir_in *in, const rf_wir_out *out,
                                   const rf_banked_out *behind) {
    const char *text = NULL;
    for (uint32_t e = 0; e < s->exports; e++)
        if (bit(behind->wires.arbiter.wr_grant, e)) s->pending[s->head_warp[e]][s->head_reg[e]] = false;
    s->now++;
    for (uint32_t w = 0; w < s->warps; w++) {
        if (!bit(in->launch, w)) continue;
        s->launched[w] = s->now;
        if (s->last[w % s->issues] == w / s->issues) s->greedy[w % s->issues] = false;
    }
    for (uint32_t g = 0; g < s->issues; g++) {
        const bool room = move_registers(s->behind[g], bit(behind->issue_valid, g));
        const uint32_t is = bit(out->issue_valid, g) ? out->issue_warp[g] : NONE, should = room ? s->chosen[g] : NONE;
        if (is != should && text == NULL) text = differs(s, g, is, should);
        if (should != NONE) issue(s, in, g);
    }
    return text;
}
