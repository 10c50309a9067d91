/* SPDX-License-Identifier: Apache-2.0 */
/* Hints of a stream that has no control-flow graph: what a compiler that knew the warp's path would say. */
#include <stdlib.h>
#include <string.h>

#include "cmodel/compiler/rf_hints.h"
#include "cmodel/compiler/rf_not_l0.h"

/* --- reuse and dead bits, from the end up ----------------------------------------------------------------------------------- */

/* A register as seen from behind an instruction: the lanes whose content is read later, and the place of the next read. */
typedef struct future {
    uint32_t lanes;
    uint32_t shared; /* those whose content a shared unit reads */
    size_t next;
} future;

static void look_ahead(rf_warp *warp, uint32_t rthld) {
    future reg[RF_REGS_MAX] = {{0, 0, 0}};
    for (size_t i = warp->count; i-- > 0;) {
        rf_inst *const inst = &warp->inst[i];
        const bool shared = rf_opclass_shared(inst->opclass);
        rf_hint hint = {.flags = RF_HINT_PRESENT};
        for (uint32_t d = 0; d < inst->ndst; d++) {
            const future *const f = &reg[inst->dst[d]];
            if (shared || (f->shared & inst->mask)) hint.flags |= RF_HINT_NOT_L0;
            if (f->lanes == 0) hint.dst_dead |= UINT32_C(1) << d;
            else if (f->next - i < rthld) hint.dst_near |= UINT32_C(1) << d;
        }
        for (uint32_t d = 0; d < inst->ndst; d++) {
            reg[inst->dst[d]].lanes &= ~inst->mask;
            reg[inst->dst[d]].shared &= ~inst->mask;
        }
        for (uint32_t s = 0; s < inst->nsrc; s++) {
            const future *const f = &reg[inst->src[s]];
            if (f->lanes == 0) hint.src_dead |= UINT32_C(1) << s;
            else if (f->next - i < rthld) hint.src_near |= UINT32_C(1) << s;
        }
        for (uint32_t s = 0; s < inst->nsrc; s++) {
            reg[inst->src[s]].lanes |= inst->mask;
            reg[inst->src[s]].shared |= shared ? inst->mask : 0;
            reg[inst->src[s]].next = i;
        }
        inst->hint = hint;
    }
}

/* --- strands, from the start down ------------------------------------------------------------------------------------------- */

/* NVIDIA's families that end in the SM: shared memory and constants. */
static bool short_family(const char *text) {
    static const char *const family[] = {"LDS", "LDSM", "ATOMS", "LDC", "LDCU"};
    const size_t length = strcspn(text, ".");
    bool found = false;
    for (size_t f = 0; f < sizeof family / sizeof family[0]; f++)
        found |= length == strlen(family[f]) && memcmp(text, family[f], length) == 0;
    return found;
}

/* PTX's: the space is one of the suffixes. */
static bool short_space(const char *text) {
    static const char *const space[] = {".shared", ".const", ".param"};
    bool found = false;
    for (size_t s = 0; s < sizeof space / sizeof space[0]; s++) found |= strstr(text, space[s]) != NULL;
    return found;
}

static bool long_latency(const rf_inst *inst) {
    return inst->load && inst->ndst && !short_family(inst->mnemonic) && !short_space(inst->mnemonic);
}

static bool jumps_back(const rf_warp *warp, size_t i) { return i + 1 < warp->count && warp->inst[i + 1].pc <= warp->inst[i].pc; }

static int by_value(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Where the warp jumped back to, sorted; *count of them. NULL: no memory. */
static uint64_t *loop_heads(const rf_warp *warp, size_t *count) {
    size_t n = 0;
    for (size_t i = 0; i < warp->count; i++) n += jumps_back(warp, i);
    uint64_t *const head = malloc((n + 1) * sizeof *head);
    *count = 0;
    for (size_t i = 0; i < warp->count && head; i++)
        if (jumps_back(warp, i)) head[(*count)++] = warp->inst[i + 1].pc;
    if (head) qsort(head, *count, sizeof *head, by_value);
    return head;
}

static bool touches(const bool *pending, const rf_inst *inst) {
    bool touched = false;
    for (uint32_t s = 0; s < inst->nsrc; s++) touched |= pending[inst->src[s]];
    for (uint32_t d = 0; d < inst->ndst; d++) touched |= pending[inst->dst[d]];
    return touched;
}

static void cut(rf_warp *warp, const uint64_t *head, size_t heads) {
    bool pending[RF_REGS_MAX] = {false};
    for (size_t i = 0; i < warp->count; i++) {
        rf_inst *const inst = &warp->inst[i];
        if (i > 0 && bsearch(&inst->pc, head, heads, sizeof *head, by_value)) inst[-1].hint.flags |= RF_HINT_STRAND_END;
        if (touches(pending, inst)) { /* never the first instruction */
            inst[-1].hint.flags |= RF_HINT_STRAND_END | RF_HINT_DESCHEDULE;
            inst->hint.flags |= RF_HINT_LONG_CONSUMER;
            memset(pending, 0, sizeof pending);
        }
        if (!long_latency(inst)) continue;
        inst->hint.flags |= RF_HINT_LONG_LATENCY;
        for (uint32_t d = 0; d < inst->ndst; d++) pending[inst->dst[d]] = true;
    }
    if (warp->count) warp->inst[warp->count - 1].hint.flags |= RF_HINT_STRAND_END;
}

int rf_hints_of_warp(rf_warp *warp, const rf_hint_options *options) {
    size_t heads = 0;
    uint64_t *const head = loop_heads(warp, &heads);
    if (!head) return -1;
    look_ahead(warp, options && options->rthld ? options->rthld : RF_RTHLD_DEFAULT);
    cut(warp, head, heads);
    free(head);
    return 0;
}
