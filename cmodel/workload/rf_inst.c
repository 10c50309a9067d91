/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/workload/rf_inst.h"

#include <stdlib.h>

/* `list` with room for `need` elements, or NULL: no memory, `list` as it was. */
static void *grow(void *list, size_t need, size_t *capacity, size_t element) {
    const size_t wanted = need < 2 * *capacity ? 2 * *capacity : need + 64;
    void *const grown = wanted <= SIZE_MAX / element ? realloc(list, wanted * element) : NULL;
    if (grown) *capacity = wanted;
    return grown;
}

int rf_warp_reserve(rf_warp *warp, size_t addresses, size_t values) {
    if (warp->count == warp->capacity) {
        rf_inst *const inst = grow(warp->inst, warp->count + 1, &warp->capacity, sizeof *inst);
        if (!inst) return -1;
        warp->inst = inst;
    }
    if (warp->address_capacity - warp->address_count < addresses) {
        uint64_t *const address = grow(warp->address, warp->address_count + addresses, &warp->address_capacity, sizeof *address);
        if (!address) return -1;
        warp->address = address;
    }
    if (warp->value_capacity - warp->value_count < values) {
        uint32_t *const value = grow(warp->value, warp->value_count + values, &warp->value_capacity, sizeof *value);
        if (!value) return -1;
        warp->value = value;
    }
    return 0;
}

void rf_warp_link(rf_warp *warp) {
    uint64_t *address = warp->address;
    uint32_t *value = warp->value;
    for (size_t i = 0; i < warp->count; i++) {
        rf_inst *const inst = &warp->inst[i];
        if (inst->address) {
            inst->address = address;
            address += RF_LANES_MAX;
        }
        if (inst->value) {
            inst->value = value;
            value += inst->ndst * RF_LANES_MAX;
        }
    }
}

void rf_warp_free(rf_warp *warp) {
    free(warp->inst);
    free(warp->address);
    free(warp->value);
    *warp = (rf_warp){0};
}
