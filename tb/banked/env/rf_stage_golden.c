/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/banked/env/rf_stage_golden.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_value.h"
#include "harness/base/memory.h"

void rf_stage_golden_init(rf_stage_golden *g, uint32_t warps, uint32_t regs, uint32_t lanes, uint32_t slots) {
    *g = (rf_stage_golden){.warps = warps, .regs = regs, .lanes = lanes, .slots = slots};
    g->value = ls_zeroed(warps * regs * sizeof *g->value);
}

void rf_stage_golden_free(rf_stage_golden *g) {
    free(g->value);
    free(g->lost);
}

void rf_stage_violated(rf_stage_golden *g, const char *format, ...) {
    if (g->violation[0] != '\0') return;
    va_list args;
    va_start(args, format);
    const int n = snprintf(g->violation, sizeof g->violation, "cycle %llu: ", (unsigned long long)g->cycle);
    (void)vsnprintf(g->violation + n, sizeof g->violation - (size_t)n, format, args);
    va_end(args);
}

static rf_vec *value_of(const rf_stage_golden *g, uint32_t w, uint32_t reg) { return &g->value[w * g->regs + reg]; }

const rf_vec *rf_stage_golden_value(const rf_stage_golden *g, uint32_t w, uint32_t reg) { return value_of(g, w, reg); }

/* Lanes of a register whose content is lost. */
static uint32_t *lost_lanes(const rf_stage_golden *g, uint32_t w, uint32_t reg) { return &g->lost[w * g->regs + reg]; }

void rf_stage_golden_launch(rf_stage_golden *g, const rf_stage_view *view, uint32_t w) {
    rf_vec room;
    for (uint32_t reg = 0; reg < g->regs; reg++) *value_of(g, w, reg) = *view->value(view->model, w, reg, &room);
    if (g->lost != NULL) memset(lost_lanes(g, w, 0), 0, g->regs * sizeof *g->lost);
}

/* Of the lanes that are not lost; RF_LANES_MAX: none. */
static uint32_t first_difference(const rf_vec *a, const rf_vec *b, uint32_t lost) {
    uint32_t l = 0;
    while (l < RF_LANES_MAX && (a->lane[l] == b->lane[l] || (lost >> l & 1) != 0)) l++;
    return l;
}

/* False: it is not the golden one, which breaks the property. */
static bool check_register(rf_stage_golden *g, const rf_stage_view *view, uint32_t w, uint32_t reg, uint64_t warp_id,
                           const char *property) {
    rf_vec room;
    const rf_vec *is = view->value(view->model, w, reg, &room), *gold = value_of(g, w, reg);
    if (memcmp(is, gold, sizeof *is) == 0) return true;
    const uint32_t l = first_difference(is, gold, g->lost != NULL ? *lost_lanes(g, w, reg) : 0);
    if (l == RF_LANES_MAX) return true;
    rf_stage_violated(g, "%s: warp %u (slot %u) R%u lane %u is %08x, golden %08x", property, (unsigned)warp_id, w, reg, l,
                      is->lane[l], gold->lane[l]);
    return false;
}

void rf_stage_golden_end(rf_stage_golden *g, const rf_stage_view *view, uint32_t w, uint64_t warp_id) {
    for (uint32_t reg = 0; reg < g->regs; reg++)
        if (!check_register(g, view, w, reg, warp_id, "final state equals sequential execution")) return;
}

void rf_stage_golden_holds(rf_stage_golden *g, const rf_stage_view *view, uint32_t w, uint32_t reg, uint64_t warp_id) {
    (void)check_register(g, view, w, reg, warp_id, "no value is lost");
}

void rf_stage_golden_lose(rf_stage_golden *g, uint32_t w, uint32_t reg, uint32_t lanes) {
    if (w >= g->warps || reg >= g->regs) return;
    if (g->lost == NULL) g->lost = ls_zeroed(g->warps * g->regs * sizeof *g->lost);
    *lost_lanes(g, w, reg) |= lanes & (uint32_t)rf_mask64(g->lanes);
}

void rf_stage_golden_found(rf_stage_golden *g, uint32_t w, uint32_t reg, const rf_vec *is, uint32_t lanes) {
    rf_vec_merge(value_of(g, w, reg), is, lanes);
}

/* What the uop writes when the instruction's operands are the golden ones. */
static void golden_result(const rf_stage_golden *g, const rf_stage_inst *i, rf_stage_uop *u) {
    const rf_inst *inst = i->inst;
    if (inst->value == NULL) {
        rf_value_result(inst, i->warp_id, u->uop.dst_index, i->golden, inst->nsrc, g->lanes, &u->result);
        return;
    }
    u->result = (rf_vec){0};
    memcpy(u->result.lane, inst->value + u->uop.dst_index * RF_LANES_MAX, g->lanes * sizeof u->result.lane[0]);
}

void rf_stage_golden_wrong_result(const rf_stage_golden *g, const rf_stage_inst *i, rf_stage_uop *u) {
    const uint32_t d = u->uop.dst_index;
    rf_inst inst = *i->inst;
    rf_vec is, gold;
    if (inst.value == NULL) {
        rf_value_result(&inst, i->warp_id, d, i->operand, inst.nsrc, g->lanes, &u->result);
        return;
    }
    inst.load = false; /* else of the addresses alone */
    rf_value_result(&inst, i->warp_id, d, i->operand, inst.nsrc, g->lanes, &is);
    rf_value_result(&inst, i->warp_id, d, i->golden, inst.nsrc, g->lanes, &gold);
    for (uint32_t l = 0; l < g->lanes; l++) u->result.lane[l] ^= is.lane[l] ^ gold.lane[l];
}

/* Nobody may need what a lost lane held; what a uop writes is there again. */
static void execute_lost(rf_stage_golden *g, rf_stage_inst *i, const rf_stage_uop *u) {
    for (uint32_t s = 0; s < u->uop.nsrc; s++) {
        const uint32_t at = u->uop.src_index + s, lost = *lost_lanes(g, i->warp, u->uop.src[s]);
        if ((lost & i->mask) != 0)
            rf_stage_violated(g, "a register lent out is never read: warp %u (slot %u) R%u tag 0x%04x lane %u",
                              (unsigned)i->warp_id, i->warp, u->uop.src[s], u->tag, rf_lowest(lost & i->mask));
        i->lost[at] = lost;
    }
    if (u->writes) *lost_lanes(g, i->warp, u->uop.dst) &= ~i->mask;
}

void rf_stage_golden_execute(rf_stage_golden *g, rf_stage_inst *i, rf_stage_uop *u) {
    if (i->mask == 0) return;
    for (uint32_t s = 0; s < u->uop.nsrc; s++) {
        const uint32_t at = u->uop.src_index + s;
        i->golden[at] = *value_of(g, i->warp, u->uop.src[s]);
        if (i->wrong) i->operand[at] = i->golden[at];
    }
    if (g->lost != NULL) execute_lost(g, i, u);
    if (!u->writes) return;
    golden_result(g, i, u);
    rf_vec_merge(value_of(g, i->warp, u->uop.dst), &u->result, i->mask);
}

void rf_stage_golden_delivered(rf_stage_golden *g, rf_stage_inst *i, const rf_stage_uop *u, const rf_vec *data) {
    if (i->mask == 0) return;
    for (uint32_t s = 0; s < u->uop.nsrc; s++) {
        const rf_vec *is = &data[(s + u->shift) % g->slots];
        const uint32_t at = u->uop.src_index + s;
        const rf_vec *gold = &i->golden[at];
        if (memcmp(is, gold, sizeof *is) == 0) continue;
        const uint32_t l = first_difference(is, gold, i->lost[at] | (g->active_lanes ? ~i->mask : 0));
        if (l == RF_LANES_MAX) continue;
        rf_stage_violated(g,
                          "a delivered operand is the golden one: warp %u (slot %u) R%u tag 0x%04x lane %u is %08x, golden "
                          "%08x",
                          (unsigned)i->warp_id, i->warp, u->uop.src[s], u->tag, l, is->lane[l], gold->lane[l]);
        if (!i->wrong) memcpy(i->operand, i->golden, i->inst->nsrc * sizeof i->operand[0]);
        i->operand[at] = *is;
        i->wrong = true;
    }
}
