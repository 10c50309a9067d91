/* SPDX-License-Identifier: Apache-2.0 */
/* Device memory, and what instructions do with it. Every address is checked for every lane before the first byte moves. */
#include <inttypes.h>
#include <stdlib.h>

#include "cmodel/workload/rf_simt_machine.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "device memory is little-endian and moved as it is");

#define ALIGNMENT UINT64_C(256)
#define FIRST_ALLOCATION UINT64_C(0x100000)

/* --- the machine's memory --------------------------------------------------------------------------------------------------- */

/* A region of zeros, put at its place in the table. */
static rf_simt_region *add_region(rf_simt *simt, uint64_t address, uint64_t size) {
    if (simt->count == simt->capacity) {
        const uint32_t capacity = simt->capacity ? 2 * simt->capacity : 16;
        rf_simt_region *const grown = realloc(simt->region, capacity * sizeof *grown);
        if (!grown) return NULL;
        simt->region = grown;
        simt->capacity = capacity;
    }
    if (size > SIZE_MAX - 1) return NULL;
    uint8_t *const bytes = calloc(1, size ? (size_t)size : 1);
    if (!bytes) return NULL;
    uint32_t at = simt->count++;
    for (; at > 0 && simt->region[at - 1].address > address; at--) simt->region[at] = simt->region[at - 1];
    simt->region[at] = (rf_simt_region){.address = address, .size = size, .bytes = bytes};
    return &simt->region[at];
}

rf_simt *rf_simt_new(const rf_module *module) {
    rf_simt *const simt = calloc(1, sizeof *simt);
    if (!simt) return NULL;
    const bool narrow = module->address_bits == 32;
    simt->module = module;
    simt->shared_window = narrow ? RF_SHARED_WINDOW_32 : RF_SHARED_WINDOW;
    simt->local_window = narrow ? RF_LOCAL_WINDOW_32 : RF_LOCAL_WINDOW;
    simt->end = narrow ? UINT64_C(1) << 32 : UINT64_C(0x800000000000);
    simt->next = FIRST_ALLOCATION;
    for (uint32_t i = 0; i < module->nglobal; i++) {
        const rf_kglobal *const global = &module->global[i];
        rf_simt_region *const region = add_region(simt, global->address, global->size);
        if (!region) {
            rf_simt_free(simt);
            return NULL;
        }
        if (global->init) memcpy(region->bytes, global->init, (size_t)global->size);
        region->read_only = global->space == RF_S_CONST;
        const uint64_t end = global->address + global->size;
        if (simt->next < end + ALIGNMENT) simt->next = (end + 2 * ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    }
    return simt;
}

void rf_simt_free(rf_simt *simt) {
    if (!simt) return;
    for (uint32_t i = 0; i < simt->count; i++) free(simt->region[i].bytes);
    free(simt->region);
    free(simt);
}

/* At least one aligned step between allocations belongs to nobody, so that running off one's end is noticed. */
uint64_t rf_simt_alloc(rf_simt *simt, uint64_t bytes) {
    const uint64_t address = simt->next;
    if (address > simt->shared_window || bytes > simt->shared_window - address) return 0;
    if (!add_region(simt, address, bytes)) return 0;
    simt->next = ((address + bytes + ALIGNMENT - 1) & ~(ALIGNMENT - 1)) + ALIGNMENT;
    return address;
}

/* The region that starts at or below an address, the highest such; NULL: none. */
static const rf_simt_region *find_region(rf_simt *simt, uint64_t address) {
    if (simt->count == 0) return NULL;
    const rf_simt_region *const last = &simt->region[simt->last];
    if (address - last->address < last->size) return last;
    uint32_t low = 0, high = simt->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (simt->region[middle].address <= address) low = middle + 1;
        else high = middle;
    }
    if (low == 0) return NULL;
    simt->last = low - 1;
    return &simt->region[low - 1];
}

/* The bytes behind a span of device memory, or NULL: not inside one region. */
static uint8_t *span(rf_simt *simt, uint64_t address, uint64_t bytes) {
    const rf_simt_region *const region = find_region(simt, address);
    if (!region || address - region->address > region->size || bytes > region->size - (address - region->address)) return NULL;
    return region->bytes + (address - region->address);
}

int rf_simt_write(rf_simt *simt, uint64_t address, const void *from, uint64_t bytes) {
    uint8_t *const to = span(simt, address, bytes);
    if (!to) return -1;
    if (bytes) memcpy(to, from, (size_t)bytes);
    return 0;
}

int rf_simt_read(rf_simt *simt, uint64_t address, void *to, uint64_t bytes) {
    const uint8_t *const from = span(simt, address, bytes);
    if (!from) return -1;
    if (bytes) memcpy(to, from, (size_t)bytes);
    return 0;
}

/* --- a warp's accesses ------------------------------------------------------------------------------------------------------ */

/* A piece of memory as an address sees it; `stride` apart for each lane (local memory). */
typedef struct view {
    uint64_t base, size, stride;
    uint8_t *bytes;
    bool read_only, flushes; /* flushes: atom.add.f32 takes subnormal numbers for zeros, as global memory does */
} view;

/* Where an address of a space points; a view of size 0: nowhere. */
static view find_bytes(const rf_simt_grid *g, const rf_simt_warp *w, uint8_t space, uint64_t address) {
    const rf_simt *const simt = g->simt;
    uint64_t base = 0;
    if (space == RF_S_GENERIC) {
        space = address < simt->shared_window || address >= simt->end ? RF_S_GLOBAL
                : address < simt->local_window                        ? RF_S_SHARED
                                                                      : RF_S_LOCAL;
        base = space == RF_S_SHARED ? simt->shared_window : simt->local_window;
    }
    switch (space) {
    case RF_S_PARAM:
        return (view){.size = g->kernel->param_bytes, .bytes = g->param, .read_only = true};
    case RF_S_SHARED:
        return (view){.base = base, .size = g->shared_bytes, .bytes = g->shared};
    case RF_S_LOCAL:
        return (view){.base = base, .size = g->local_bytes, .stride = g->local_bytes, .bytes = w->local};
    default:
        break;
    }
    const rf_simt_region *const region = find_region(g->simt, address);
    if (!region) return (view){0};
    return (view){region->address, region->size, 0, region->bytes, region->read_only, true};
}

static const char *space_name(uint8_t space) {
    static const char *const names[] = {"generic", "parameter", "global", "shared", "constant", "local"};
    return names[space];
}

static int bad_access(const rf_simt_grid *g, const rf_simt_warp *w, const rf_simt_step *step, uint32_t lane, const char *what) {
    return rf_simt_fail(g, w, step->inst, lane, "address 0x%" PRIx64 ", %u bytes, %s memory: %s", g->address[lane], step->bytes,
                        space_name(step->inst->space), what);
}

/* Addresses of all lanes into g->address, 0 in those that take no part. A 32-bit address wraps at 32 bits. */
static void addresses(rf_simt_grid *g, const rf_simt_step *step) {
    const rf_simt_lanes *const x = &g->lanes;
    const uint64_t offset = (uint64_t)step->inst->offset;
    const uint64_t cut = step->inst->src[0].kind == RF_O_REG && step->inst->src[0].words == 1 ? UINT32_MAX : UINT64_MAX;
    for (uint32_t l = 0; l < RF_LANES; l++) g->address[l] = x->mask >> l & 1 ? (rf_get_u64(x, 0, l) + offset) & cut : 0;
}

/* Where each active lane's bytes lie: 0, or -1 and the message of the first bad lane. */
static int locate(rf_simt_grid *g, const rf_simt_warp *w, const rf_simt_step *step, bool writes, uint8_t *where[RF_LANES],
                  uint32_t *flush) {
    const uint32_t mask = g->lanes.mask;
    const uint64_t bytes = step->bytes;
    const view first = find_bytes(g, w, step->inst->space, g->address[rf_lowest(mask)]);
    uint32_t outside = first.size < bytes ? UINT32_MAX : 0, crooked = 0;
    for (uint32_t l = 0; l < RF_LANES; l++) {
        outside |= (uint32_t)(g->address[l] - first.base > first.size - bytes) << l;
        crooked |= (uint32_t)((g->address[l] & (bytes - 1)) != 0) << l;
    }
    *flush = first.flushes ? UINT32_MAX : 0;
    if (!((outside | crooked) & mask) && !(writes && first.read_only)) {
        if (mask == UINT32_MAX)
            for (uint32_t l = 0; l < RF_LANES; l++) where[l] = first.bytes + (g->address[l] - first.base) + l * first.stride;
        else
            for (uint32_t m = mask, l = 0; m; m &= m - 1) {
                l = rf_lowest(m);
                where[l] = first.bytes + (g->address[l] - first.base) + l * first.stride;
            }
        return 0;
    }
    *flush = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t l = rf_lowest(m);
        const view here = find_bytes(g, w, step->inst->space, g->address[l]);
        const uint64_t at = g->address[l] - here.base;
        if (crooked >> l & 1) return bad_access(g, w, step, l, "not aligned to its size");
        if (here.size < bytes || at > here.size - bytes) return bad_access(g, w, step, l, "outside");
        if (writes && here.read_only) return bad_access(g, w, step, l, "read only");
        where[l] = here.bytes + at + l * here.stride;
        *flush |= (uint32_t)here.flushes << l;
    }
    return 0;
}

/* An element of each lane, extended by its type to its register. */
static void load_element(const rf_kinst *inst, rf_simt_lanes *x, uint8_t *const where[RF_LANES], uint32_t element) {
    const uint32_t bits = rf_ktype_bits(inst->type), offset = element * bits / 8, fill = 32 - (bits < 32 ? bits : 32);
    const bool is_signed = rf_ktype_signed(inst->type);
    uint32_t *const low = x->out[2 * element], *const high = x->out[2 * element + 1];
    if (x->mask == UINT32_MAX && bits == 32) { /* by far the most frequent */
        for (uint32_t l = 0; l < RF_LANES; l++) memcpy(&low[l], where[l] + offset, 4);
    } else {
        for (uint32_t m = x->mask; m; m &= m - 1) {
            const uint32_t l = rf_lowest(m);
            uint64_t v = 0;
            memcpy(&v, where[l] + offset, bits / 8);
            low[l] = (uint32_t)v;
            high[l] = (uint32_t)(v >> 32);
        }
    }
    if (fill)
        for (uint32_t l = 0; l < RF_LANES; l++)
            low[l] = is_signed ? (uint32_t)((int32_t)(low[l] << fill) >> fill) : low[l] << fill >> fill;
    if (bits < 64 && inst->dst[element].words == 2)
        for (uint32_t l = 0; l < RF_LANES; l++) high[l] = is_signed ? (uint32_t)((int32_t)low[l] >> 31) : 0;
}

static void store_element(const rf_kinst *inst, const rf_simt_lanes *x, uint8_t *const where[RF_LANES], uint32_t element) {
    const uint32_t bits = rf_ktype_bits(inst->type), offset = element * bits / 8;
    if (x->mask == UINT32_MAX && bits == 32) {
        const uint32_t *const low = x->src[2 * (element + 1)];
        for (uint32_t l = 0; l < RF_LANES; l++) memcpy(where[l] + offset, &low[l], 4);
        return;
    }
    for (uint32_t m = x->mask; m; m &= m - 1) {
        const uint32_t l = rf_lowest(m);
        const uint64_t v = rf_get_u64(x, element + 1, l);
        memcpy(where[l] + offset, &v, bits / 8);
    }
}

int rf_simt_memory(rf_simt_grid *g, rf_simt_warp *w, const rf_simt_step *step) {
    const rf_kinst *const inst = step->inst;
    rf_simt_lanes *const x = &g->lanes;
    uint8_t *where[RF_LANES];
    uint32_t flush = 0;
    addresses(g, step);
    if (locate(g, w, step, inst->op != RF_K_LD, where, &flush) != 0) return -1;
    switch (inst->op) {
    case RF_K_LD:
        for (uint32_t e = 0; e < inst->vector; e++) load_element(inst, x, where, e);
        return 0;
    case RF_K_ST:
        for (uint32_t e = 0; e < inst->vector; e++) store_element(inst, x, where, e);
        return 0;
    default:
        for (uint32_t m = x->mask; m; m &= m - 1) {
            const uint32_t l = rf_lowest(m);
            const uint64_t b = inst->nsrc > 2 ? rf_get_u64(x, 2, l) : 0;
            rf_put_u64(x, l, rf_simt_atomic(inst, where[l], rf_get_u64(x, 1, l), b, flush >> l & 1));
        }
        return 0;
    }
}
