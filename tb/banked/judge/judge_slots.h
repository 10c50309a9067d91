/* SPDX-License-Identifier: Apache-2.0 */
/* Issue slots and refused dispatches by cause, counted in the slow models of the operand stages by the words of
 * docs/units/rf_banked.md ("Issue slots"); and the wires that their energies are judged with. To be included behind COUNTERS(X),
 * which has SLOT_COUNTERS(X) in it and the system's own. */
#ifndef RF_JUDGE_SLOTS_H
#define RF_JUDGE_SLOTS_H

#include "tb/banked/env/rf_stage_slots.h"
#include "tb/banked/judge/judge_stage.h"

/* clang-format off */
#define SLOT_COUNTERS(X)                                                                                                         \
    X(slot_issued) X(slot_collector) X(slot_hazard_memory) X(slot_hazard_other) X(slot_empty) X(slot_barrier) X(slot_drain)      \
    X(slot_no_warp) X(dispatch_port) X(dispatch_lost)
/* clang-format on */
#include "cmodel/energy/rf_energy.h"
#include "tb/common/judge/judge_count.h"

/* No two alike, and none as by default. */
#define JUDGE_BANK_COLLECTOR 0.5
#define JUDGE_RESULT_BANK 3.0
#define JUDGE_RESULT_CCU 0.2
static const rf_energy_wires judge_wires = {JUDGE_BANK_COLLECTOR, JUDGE_RESULT_BANK, JUDGE_RESULT_CCU};

/* A wire's length by its counter; -1 for another counter. */
static inline double judge_wire(const char *name) {
    if (strcmp(name, "energy_bank_collector_mm") == 0) return JUDGE_BANK_COLLECTOR;
    if (strcmp(name, "energy_result_bank_mm") == 0) return JUDGE_RESULT_BANK;
    return strcmp(name, "energy_result_ccu_mm") == 0 ? JUDGE_RESULT_CCU : -1;
}

/* Any waits there can be for these live warps. */
static inline rf_stage_waits draw_waits(uint64_t live, uint64_t cycle) {
    const uint64_t random = (cycle + 1) * UINT64_C(0x9e3779b97f4a7c15), other = random * UINT64_C(0xbf58476d1ce4e5b9);
    const uint64_t ending = cycle / 16 % 4 == 0 ? live : cycle / 16 % 4 == 1 ? live & random : 0;
    return (rf_stage_waits){.live = live,
                            .ending = ending,
                            .parked = live & ~ending & (cycle / 8 % 2 == 0 ? UINT64_MAX : other),
                            .memory = (uint8_t)(random >> 40 & 15)};
}

/* Whether one of the warps of group g is in `of`. */
static inline bool one_of_group(const slow_stage *s, uint32_t g, uint64_t of) {
    for (uint32_t w = g; w < s->cfg.warps; w += s->cfg.issues)
        if (judge_bit(of, w)) return true;
    return false;
}

/* One cycle. hazard[w]: the head of warp w waits for a register; own[g]: the counter of a cause of the system's own, or NONE. */
static inline void count_slots(uint64_t *n, const slow_stage *s, const slow_cycle *now, const bool *hazard, const uint32_t *own,
                               const rf_stage_in *in, const rf_stage_waits *waits) {
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        bool waiting = false;
        for (uint32_t w = g; w < s->cfg.warps; w += s->cfg.issues) waiting |= hazard[w];
        const uint64_t busy = waits->live & ~waits->ending; /* has more to do */
        if (now->goes[g] != NONE) n[C_slot_issued]++;
        else if (own[g] != NONE) n[own[g]]++;
        else if (now->chosen[g] != NONE) n[C_slot_collector]++;
        else if (waiting && judge_bit(waits->memory, g)) n[C_slot_hazard_memory]++;
        else if (waiting) n[C_slot_hazard_other]++;
        else if (one_of_group(s, g, busy & ~waits->parked)) n[C_slot_empty]++;
        else if (one_of_group(s, g, busy)) n[C_slot_barrier]++;
        else if (one_of_group(s, g, waits->live)) n[C_slot_drain]++;
        else n[C_slot_no_warp]++;
    }
    for (uint32_t c = 0; c < s->cfg.collectors; c++) {
        const slow_collector *k = &s->collector[c];
        if (is_collected(s, k) && !now->leaves[c]) n[judge_bit(in->ex_ready, k->port) ? C_dispatch_lost : C_dispatch_port]++;
    }
}

#endif
