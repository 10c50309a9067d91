/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/compiler/rf_deadbits.h"

#include <stdlib.h>
#include <string.h>

#include "cmodel/compiler/rf_names.h"

static bool writes(const uint16_t *dst, uint32_t ndst, uint16_t reg) {
    bool found = false;
    for (uint32_t d = 0; d < ndst; d++) found |= dst[d] == reg;
    return found;
}

/* `set`: live behind the instruction; `pending`: what lanes elsewhere may read. */
static void mark(const rf_kinst *inst, const uint64_t *set, const uint64_t *pending, rf_hint *hint) {
    uint16_t src[2 * RF_KSRC_MAX], dst[2 * RF_KDST_MAX];
    uint32_t nsrc = 0, ndst = 0;
    rf_kinst_words(inst, src, &nsrc, dst, &ndst);
    hint->src_dead = hint->dst_dead = 0;
    for (uint32_t s = 0; s < nsrc; s++) {
        const bool replaced = inst->guard == RF_KNONE && writes(dst, ndst, src[s]);
        const bool needed = rf_set_has(pending, src[s]) || (rf_set_has(set, src[s]) && !replaced);
        hint->src_dead |= needed ? 0 : UINT32_C(1) << s;
    }
    for (uint32_t d = 0; d < ndst; d++)
        if (!rf_set_has(pending, dst[d]) && !rf_set_has(set, dst[d])) hint->dst_dead |= UINT32_C(1) << d;
}

int rf_deadbits_compute(const rf_liveness *live, rf_hint *hint) {
    const rf_kernel *const kernel = live->kernel;
    const size_t words = live->set_words;
    uint64_t *const set = malloc((words + 1) * sizeof *set);
    for (uint32_t b = 0; b < kernel->nblock && set; b++) {
        const rf_kblock *const block = &kernel->block[b];
        memcpy(set, live->out + b * words, words * sizeof *set);
        for (uint32_t i = block->first + block->count; i-- > block->first;) {
            mark(&kernel->inst[i], set, live->pending + b * words, &hint[i]);
            rf_liveness_step(live, &kernel->inst[i], set);
        }
    }
    free(set);
    return set ? 0 : -1;
}
