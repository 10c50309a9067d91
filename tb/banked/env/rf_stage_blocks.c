/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/banked/env/rf_stage_blocks.h"

#include <string.h>

void rf_stage_blocks_init(rf_stage_blocks *b, uint32_t slots, uint32_t warps, uint32_t pool) {
    *b = (rf_stage_blocks){.slots = slots, .warps = warps, .pool = pool, .open = RF_STAGE_BLOCKS_MAX};
}

uint32_t rf_stage_block_warps(const uint32_t shape[3], uint32_t lanes) {
    const uint64_t threads = (uint64_t)shape[0] * shape[1] * shape[2];
    return threads == 0 ? 1 : (uint32_t)((threads + lanes - 1) / lanes);
}

static uint64_t pool_of(const rf_stage_blocks *b) { return b->pool == 0 ? UINT32_MAX : b->pool; }

bool rf_stage_blocks_fit(const rf_stage_blocks *b, uint32_t warps, uint32_t registers) {
    return warps <= b->warps && (uint64_t)warps * registers <= pool_of(b);
}

rf_stage_block_answer rf_stage_blocks_ask(rf_stage_blocks *b, const rf_stage_block_ask *ask) {
    const bool same = b->open < RF_STAGE_BLOCKS_MAX && b->open_left > 0 && !ask->new_kernel &&
                      memcmp(b->open_id, ask->id, sizeof b->open_id) == 0;
    if (same) return RF_STAGE_BLOCK_JOINED;
    const uint32_t warps = rf_stage_block_warps(ask->shape, ask->lanes);
    const uint64_t registers = (uint64_t)warps * ask->registers;
    b->open = RF_STAGE_BLOCKS_MAX;
    if (!rf_stage_blocks_fit(b, warps, ask->registers)) return RF_STAGE_BLOCK_NEVER;
    uint32_t slot = 0;
    while (slot < b->slots && b->of[slot] != 0) slot++;
    if (slot == b->slots || (uint32_t)__builtin_popcountll(ask->live) + warps > b->warps) return RF_STAGE_BLOCK_LATER;
    if (b->registers + registers > pool_of(b)) return RF_STAGE_BLOCK_LATER;
    b->open = slot;
    b->open_left = warps;
    memcpy(b->open_id, ask->id, sizeof b->open_id);
    return RF_STAGE_BLOCK_STARTED;
}

void rf_stage_blocks_enter(rf_stage_blocks *b, uint32_t w, uint32_t registers) {
    b->open_left--;
    b->of[b->open] |= UINT64_C(1) << w;
    b->block[w] = (uint8_t)b->open;
    b->counts[w] = registers;
    b->registers += registers;
}

void rf_stage_blocks_leave(rf_stage_blocks *b, uint32_t w) {
    b->of[b->block[w]] &= ~(UINT64_C(1) << w);
    b->registers -= b->counts[w];
}

/* Whether the mnemonic is one of these, alone or with suffixes behind it. */
static bool is_one_of(const char *mnemonic, const char *const *list) {
    for (; *list != NULL; list++) {
        if (mnemonic[0] != (*list)[0]) continue; /* nearly all */
        const size_t length = strlen(*list);
        if (strncmp(mnemonic, *list, length) == 0 && (mnemonic[length] == '.' || mnemonic[length] == '\0')) return true;
    }
    return false;
}

void rf_stage_blocks_issued(rf_stage_blocks *b, uint32_t w, const rf_inst *inst) {
    static const char *const barriers[] = {"bar", "barrier", "BAR", NULL}, *const fences[] = {"membar", "fence", "MEMBAR", NULL};
    /* among the lanes of a warp; arrives without waiting */
    static const char *const passed[] = {"bar.warp", "BAR.ARV", NULL};
    if (is_one_of(inst->mnemonic, fences)) b->at_fence |= UINT64_C(1) << w;
    else if (is_one_of(inst->mnemonic, barriers) && !is_one_of(inst->mnemonic, passed)) b->at_barrier |= UINT64_C(1) << w;
}

uint64_t rf_stage_blocks_barrier(rf_stage_blocks *b, uint32_t block, uint64_t drained, bool more) {
    const uint64_t warps = b->of[block];
    if (block == b->open && b->open_left > 0 && more) return 0;
    if ((warps & ~(b->at_barrier & drained)) != 0) return 0;
    b->at_barrier &= ~warps;
    return warps;
}

uint64_t rf_stage_blocks_fences(rf_stage_blocks *b, uint64_t drained) {
    const uint64_t warps = b->at_fence & drained;
    b->at_fence &= ~warps;
    return warps;
}
