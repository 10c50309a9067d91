/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/cerf/env/rf_cerf_l2.h"

#include "harness/base/memory.h"

void rf_cerf_l2_init(rf_cerf_l2 *l2, uint32_t lanes, uint32_t zero, const rf_memory_cfg *memory, uint64_t seed) {
    *l2 = (rf_cerf_l2){.latency = 40, .open = 256, .offered = UINT64_MAX, .timed = memory != NULL};
    rf_line_store_init(&l2->store, lanes, zero);
    if (memory != NULL) rf_memory_below_init(&l2->below, memory, 2 + rf_log2(lanes), 2);
    ls_rng_seed(&l2->rng, ls_seed_derive(seed, "l2"));
}

void rf_cerf_l2_free(rf_cerf_l2 *l2) {
    rf_line_store_free(&l2->store);
    if (l2->timed) rf_memory_below_free(&l2->below);
}

bool rf_cerf_l2_ready(rf_cerf_l2 *l2) { return l2->open >= 256 || ls_rng_chance(&l2->rng, l2->open); }

/* The cycle in which the message is over. */
static uint64_t end_of(rf_cerf_l2 *l2, const rf_cerf_message *m, uint64_t now) {
    if (l2->timed) {
        const rf_memory_sectors all = {.line = m->line, .touched = (uint32_t)rf_mask64(l2->store.lanes)};
        const rf_memory_sectors some = {.line = m->line, .touched = m->mask != 0 ? m->mask : 1};
        if (m->op == RF_MISS_FETCH) return rf_memory_below_fetch(&l2->below, all, now);
        if (m->op == RF_MISS_WRITE) return rf_memory_below_write(&l2->below, some, now);
        return rf_memory_below_atomic(&l2->below, some, now);
    }
    if (l2->jitter == 0 || !ls_rng_chance(&l2->rng, l2->jitter)) return now + l2->latency;
    return now + 1 + ls_rng_below(&l2->rng, 4 * l2->latency);
}

/* Puts an answer into its place behind those that are due before it; what is offered stays in front. */
static void queue(rf_cerf_l2 *l2, const rf_cerf_answer *answer) {
    if (l2->waiting == RF_CERF_ANSWERS_MAX) ls_die("rf_cerf: L2 owes more answers than there are MSHRs");
    const uint32_t first = l2->offered != UINT64_MAX ? 1 : 0;
    uint32_t at = l2->waiting++;
    for (; at > first && l2->answer[at - 1].due > answer->due; at--) l2->answer[at] = l2->answer[at - 1];
    l2->answer[at] = *answer;
}

uint64_t rf_cerf_l2_take(rf_cerf_l2 *l2, const rf_cerf_message *m, uint64_t now) {
    rf_cerf_answer answer = {.due = end_of(l2, m, now), .bank = m->bank, .entry = m->entry};
    if (m->op == RF_MISS_WRITE) {
        rf_line_store_write(&l2->store, m->line, m->mask, &m->data);
        return answer.due;
    }
    answer.data = m->op == RF_MISS_FETCH ? rf_line_store_read(&l2->store, m->line)
                                         : rf_line_store_add(&l2->store, m->line, m->mask, &m->data);
    queue(l2, &answer);
    return answer.due;
}

const rf_cerf_answer *rf_cerf_l2_offer(rf_cerf_l2 *l2, uint64_t now) {
    if (l2->waiting == 0 || l2->answer[0].due > now) return NULL;
    if (l2->offered == UINT64_MAX) l2->offered = now;
    return &l2->answer[0];
}

void rf_cerf_l2_answered(rf_cerf_l2 *l2) {
    l2->waiting--;
    l2->offered = UINT64_MAX;
    for (uint32_t i = 0; i < l2->waiting; i++) l2->answer[i] = l2->answer[i + 1];
}
