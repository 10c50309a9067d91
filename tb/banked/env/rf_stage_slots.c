/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/banked/env/rf_stage_slots.h"

/* Warp slots of group g. */
static uint64_t group(uint32_t g, uint32_t issues) {
    static const uint64_t every[RF_ISSUES_MAX] = {UINT64_MAX, UINT64_C(0x5555555555555555), UINT64_C(0x9249249249249249),
                                                  UINT64_C(0x1111111111111111)};
    return every[issues - 1] << g;
}

/* Why group g, which issued nothing, did not. */
static rf_stage_slot cause(const rf_stage_did *did, const rf_stage_waits *waits, uint32_t g) {
    const uint64_t warps = group(g, did->issues);
    if ((did->chosen >> g & 1) != 0) return (did->held >> g & 1) != 0 ? RF_SLOT_CHOSEN : RF_SLOT_COLLECTOR;
    if ((did->kept & warps) != 0) return RF_SLOT_READY;
    if ((did->hazard & warps) != 0) return (waits->memory >> g & 1) != 0 ? RF_SLOT_MEMORY : RF_SLOT_HAZARD;
    if ((waits->live & warps) == 0) return RF_SLOT_NO_WARP;
    if ((waits->live & ~waits->ending & warps) == 0) return RF_SLOT_DRAIN;
    return (waits->live & ~(waits->ending | waits->parked) & warps) == 0 ? RF_SLOT_BARRIER : RF_SLOT_EMPTY;
}

void rf_stage_slots_cycle(rf_stage_slots *s, const rf_stage_did *did, const rf_stage_waits *waits) {
    s->of[RF_SLOT_ISSUED] += (uint64_t)__builtin_popcount(did->issued);
    for (uint32_t left = ~(uint32_t)did->issued & ((1u << did->issues) - 1); left != 0; left &= left - 1)
        s->of[cause(did, waits, rf_lowest(left))]++;
}

void rf_stage_slots_dispatch(rf_stage_slots *s, uint32_t complete, uint32_t leave, uint32_t ex_ready) {
    for (uint32_t left = complete & ~leave; left != 0; left &= left - 1) {
        const bool open = (ex_ready >> s->ports[rf_lowest(left)] & 1) != 0;
        s->lost += open;
        s->port += !open;
    }
}

void rf_stage_slots_took(rf_stage_slots *s, const rf_stage_in *in, const rf_stage_out *out, const uint8_t *sel) {
    for (uint32_t left = out->issue_valid; left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left);
        s->ports[sel[g]] = in->ib_port[out->issue_warp[g]];
    }
}

void rf_stage_slots_stalls(const rf_stage_slots *s, ls_counter_fn *sink, void *ctx) {
    sink(ctx, "stall_hazard", (double)rf_stage_slots_hazard(s));
    sink(ctx, "stall_no_collector", (double)s->of[RF_SLOT_COLLECTOR]);
    sink(ctx, "stall_nothing_ready", (double)rf_stage_slots_headless(s));
    sink(ctx, "stall_drained", (double)s->of[RF_SLOT_NO_WARP]);
}

void rf_stage_slots_report(const rf_stage_slots *s, const char *chosen, const char *ready, ls_counter_fn *sink, void *ctx) {
    const char *const names[RF_SLOTS] = {"slot_issued",        "slot_collector",    chosen,       ready,
                                         "slot_hazard_memory", "slot_hazard_other", "slot_empty", "slot_barrier",
                                         "slot_drain",         "slot_no_warp"};
    for (uint32_t i = 0; i < RF_SLOTS; i++)
        if (names[i] != NULL) sink(ctx, names[i], (double)s->of[i]);
    sink(ctx, "dispatch_port", (double)s->port);
    sink(ctx, "dispatch_lost", (double)s->lost);
}

void rf_stage_awaited_begin(rf_stage_awaited *a, uint32_t warp, uint32_t reg) {
    a->reg[warp][reg / 64] |= UINT64_C(1) << reg % 64;
    a->warps |= UINT64_C(1) << warp;
}

void rf_stage_awaited_end(rf_stage_awaited *a, uint32_t warp, uint32_t reg) {
    uint64_t any = 0;
    a->reg[warp][reg / 64] &= ~(UINT64_C(1) << reg % 64);
    for (uint32_t i = 0; i < RF_REGS_MAX / 64; i++) any |= a->reg[warp][i];
    if (any == 0) a->warps &= ~(UINT64_C(1) << warp);
}

static bool is_awaited(const rf_stage_awaited *a, uint32_t warp, uint32_t reg) {
    return (a->reg[warp][reg / 64] >> reg % 64 & 1) != 0;
}

static bool names_one(const rf_stage_awaited *a, const rf_stage_in *in, uint32_t w, uint32_t slots) {
    if ((in->ib_dst_valid >> w & 1) != 0 && is_awaited(a, w, in->ib_dst[w])) return true;
    for (uint32_t left = in->ib_src_valid[w]; left != 0; left &= left - 1)
        if (is_awaited(a, w, in->ib_src[w * slots + rf_lowest(left)])) return true;
    return false;
}

uint8_t rf_stage_awaited_by(const rf_stage_awaited *a, const rf_stage_in *in, uint32_t chosen, uint64_t hazard, uint32_t issues,
                            uint32_t slots) {
    uint32_t groups = 0;
    for (uint32_t left = ~chosen & ((1u << issues) - 1); left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left);
        for (uint64_t heads = hazard & a->warps & group(g, issues); heads != 0; heads &= heads - 1)
            if (names_one(a, in, rf_lowest(heads), slots)) {
                groups |= 1u << g;
                break;
            }
    }
    return (uint8_t)groups;
}
