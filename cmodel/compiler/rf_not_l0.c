/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/compiler/rf_not_l0.h"

#include <stdlib.h>
#include <string.h>

#include "cmodel/compiler/rf_names.h"

/* Up a block: `set`, the registers that a shared unit may read before an unguarded write, from behind it to in front of it. With
 * `hint` the instructions' flags too. */
static void walk(const rf_kernel *kernel, const rf_kblock *block, uint64_t *set, rf_hint *hint) {
    for (uint32_t i = block->first + block->count; i-- > block->first;) {
        const rf_kinst *const inst = &kernel->inst[i];
        const bool shared = rf_opclass_shared(rf_kinst_class(inst));
        uint16_t src[2 * RF_KSRC_MAX], dst[2 * RF_KDST_MAX];
        uint32_t nsrc = 0, ndst = 0;
        bool barred = false;
        rf_kinst_words(inst, src, &nsrc, dst, &ndst);
        for (uint32_t d = 0; d < ndst; d++) barred |= shared || rf_set_has(set, dst[d]);
        if (hint && barred) hint[i].flags |= RF_HINT_NOT_L0;
        for (uint32_t d = 0; d < ndst && inst->guard == RF_KNONE; d++) rf_set_remove(set, dst[d]);
        for (uint32_t s = 0; s < nsrc && shared; s++) rf_set_add(set, src[s]);
    }
}

/* Backward flow; most edges lead to later blocks. */
int rf_not_l0_compute(const rf_kernel *kernel, rf_hint *hint) {
    const uint32_t words = kernel->nreg / 64 + 1;
    uint64_t *const in = calloc(((size_t)kernel->nblock + 1) * words, sizeof *in);
    bool last = in == NULL;
    for (bool changed = true; !last;) { /* when nothing has changed, once more for the flags */
        last = !changed;
        changed = false;
        uint64_t *const set = in + (size_t)kernel->nblock * words;
        for (uint32_t b = kernel->nblock; b-- > 0;) {
            const rf_kblock *const block = &kernel->block[b];
            memset(set, 0, words * sizeof *set);
            for (uint32_t s = 0; s < block->nsucc; s++) (void)rf_set_join(set, in + (size_t)block->succ[s] * words, words);
            walk(kernel, block, set, last ? hint : NULL);
            changed |= rf_set_join(in + (size_t)b * words, set, words);
        }
    }
    free(in);
    return in ? 0 : -1;
}
