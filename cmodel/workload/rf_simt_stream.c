/* SPDX-License-Identifier: Apache-2.0 */
/* Executed instructions into a warp's stream. */
#include "cmodel/workload/rf_simt_machine.h"

int rf_simt_record(const rf_simt_grid *g, rf_simt_warp *w, const rf_simt_step *step, uint32_t mask) {
    rf_warp *const stream = &w->stream;
    const uint32_t addresses = step->bytes ? RF_LANES : 0, words = mask ? step->nword : 0;
    if (rf_warp_reserve(stream, addresses, words * RF_LANES) != 0) return -1;
    rf_inst *const inst = &stream->inst[stream->count++];
    *inst = step->record;
    inst->mask = mask;
    if (mask == 0) inst->nsrc = inst->ndst = 0;
    if (addresses) {
        inst->address = &stream->address[stream->address_count];
        if (mask) memcpy(inst->address, g->address, sizeof g->address);
        else memset(inst->address, 0, sizeof g->address);
        stream->address_count += RF_LANES;
    }
    if (words == 0) return 0;
    inst->value = &stream->value[stream->value_count];
    stream->value_count += words * RF_LANES;
    for (uint32_t i = 0; i < words; i++) {
        uint32_t *const to = inst->value + i * RF_LANES;
        const uint32_t *const from = g->lanes.out[step->word[i].out];
        if (mask == UINT32_MAX) memcpy(to, from, RF_LANES * sizeof *to);
        else
            for (uint32_t l = 0; l < RF_LANES; l++) to[l] = mask >> l & 1 ? from[l] : 0;
    }
    return 0;
}
