/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/wir/env/rf_repeat.h"

/* One step of a 64-bit hash: a bijection in either argument (finalizer of SplitMix64). */
static uint64_t hash(uint64_t h, uint64_t word) {
    h = (h ^ word) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
    return h ^ h >> 31;
}

static uint64_t hash_lanes(uint64_t h, const uint32_t *lane, uint32_t mask) {
    for (uint32_t l = 0; l < RF_LANES_MAX; l += 2) {
        const uint64_t low = (mask >> l & 1) != 0 ? lane[l] : 0, high = (mask >> (l + 1) & 1) != 0 ? lane[l + 1] : 0;
        h = hash(h, low | high << 32);
    }
    return h;
}

uint64_t rf_repeat_key(const rf_inst *inst, const rf_vec *const *operand) {
    if (inst->mask == 0 || inst->store || inst->opclass == RF_OP_CTRL) return 0;
    uint64_t h = hash(hash(hash(0, inst->opcode), (uint64_t)inst->immediate), inst->mask);
    for (uint32_t i = 0; i < inst->nsrc; i++) h = hash_lanes(h, operand[i]->lane, inst->mask);
    if (inst->value != NULL) {
        for (uint32_t i = 0; i < inst->ndst; i++) h = hash_lanes(h, &inst->value[i * RF_LANES_MAX], inst->mask);
    } else {
        h = hash(h, inst->pc);
        for (uint32_t l = 0; l < RF_LANES_MAX && inst->address != NULL; l++) h = hash(h, inst->address[l]);
    }
    return h == 0 ? 1 : h;
}

bool rf_repeat_add(rf_repeat *r, uint64_t key) {
    const uint64_t now = r->instructions++, begin = now - now % RF_REPEAT_WINDOW;
    const uint32_t at = (uint32_t)(now % RF_REPEAT_WINDOW);
    if (key == 0) return false;
    uint64_t *last = &r->last[key % RF_REPEAT_BUCKETS];
    uint64_t found = *last;
    while (found != 0 && (found - 1 + RF_REPEAT_WINDOW < now || r->key[(found - 1) % RF_REPEAT_WINDOW] != key))
        found = found - 1 + RF_REPEAT_WINDOW < now ? 0 : r->before[(found - 1) % RF_REPEAT_WINDOW];
    const bool inside = found != 0 && found - 1 >= begin;
    const uint32_t times = inside ? r->times[(found - 1) % RF_REPEAT_WINDOW] + 1 : 1;
    r->repeated += inside;
    if (times > RF_REPEAT_OFTEN) r->often += times == RF_REPEAT_OFTEN + 1 ? times : 1;
    r->near += found != 0;
    r->times[at] = times;
    r->key[at] = key;
    r->before[at] = *last;
    *last = now + 1;
    return found != 0;
}
