/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/wir/env/rf_wir_memory.h"

#define RUN (RF_BARRIERS_END + 1u) /* barriers after which a count that wrapped would be what it was */

void rf_wir_memory_launch(rf_wir_memory *m, uint32_t w) { m->own_shared[w] = m->own_global[w] = 0; }

void rf_wir_memory_store(rf_wir_memory *m, uint32_t w, bool global) {
    uint32_t *own = global ? m->own_global : m->own_shared;
    own[w]++;
}

uint64_t rf_wir_memory_version(const rf_wir_memory *m, uint32_t w, rf_space space) {
    const uint32_t b = w % m->blocks;
    const uint64_t own = space == RF_SPACE_SHARED ? m->own_shared[w] : space == RF_SPACE_GLOBAL ? m->own_global[w] : 0;
    const uint64_t base = space == RF_SPACE_CONST ? m->constant : space == RF_SPACE_GLOBAL ? m->global : m->shared[b];
    return base << 32 | own << 16 | (space == RF_SPACE_SHARED ? b + 1u : 0) << 8 | (own != 0 ? w + 1u : 0);
}

bool rf_wir_memory_quiet(const rf_wir_memory *m) { return m->event != RF_WIR_EVENT_NONE; }

/* A memory instruction is at a warp's head or between issue and the reuse buffer, or has uops to come. */
static bool on_the_way(const rf_wir_memory *memory, const rf_wir *m, const rf_wir_in *in) {
    if (memory->between != 0) return true;
    for (uint64_t left = in->ib_valid; left != 0; left &= left - 1) {
        const uint32_t w = rf_lowest(left);
        if (in->ib_space[w] != RF_SPACE_NONE || (in->ib_store >> w & 1) != 0) return true;
    }
    for (uint32_t g = 0; g < m->cfg.issues; g++) {
        const rf_wir_front *f = &m->lane[g].front;
        const rf_pending_queue *q = &m->lane[g].queue;
        if (f->rn_valid_q && (f->rn_q.space != RF_SPACE_NONE || f->rn_q.store)) return true;
        if (f->ru_valid_q && f->ru_q.space != RF_SPACE_NONE) return true;
        for (uint32_t i = 0, at = q->rd_ptr_q; i < q->level_q; i++, at = at + 1 == m->cfg.queue ? 0 : at + 1)
            if (q->entry_q[at].space != RF_SPACE_NONE) return true;
    }
    return false;
}

static void draw(rf_wir_memory *m, ls_rng *rng, bool counting) {
    static const rf_wir_event kinds[] = {RF_WIR_EVENT_KERNEL, RF_WIR_EVENT_BLOCK, RF_WIR_EVENT_BLOCK,   RF_WIR_EVENT_BLOCK,
                                         RF_WIR_EVENT_BLOCK,  RF_WIR_EVENT_FENCE, RF_WIR_EVENT_BARRIER, RF_WIR_EVENT_BARRIER};
    static const rf_wir_event counted[] = {RF_WIR_EVENT_FENCE, RF_WIR_EVENT_FENCE, RF_WIR_EVENT_BARRIER, RF_WIR_EVENT_BARRIERS};
    m->event = counting ? counted[ls_rng_below(rng, 4)] : kinds[ls_rng_below(rng, 8)];
    m->of = ls_rng_below(rng, m->event == RF_WIR_EVENT_FENCE ? m->warps : m->blocks);
    m->more = 0;
    if (!counting) return;
    const uint32_t length[] = {1, RUN - 1, RUN, 1 + ls_rng_below(rng, RUN + 8)};
    m->more = length[ls_rng_below(rng, 4)] - 1;
}

/* The stores of warp w are seen by all who may. */
static void publish(rf_wir_memory *m, uint32_t w) {
    m->global += m->own_global[w] != 0;
    m->own_global[w] = m->own_shared[w] = 0;
}

static void barrier(rf_wir_memory *m, uint32_t b, rf_wir_in *in) {
    in->bar |= (uint16_t)(1u << b);
    m->shared[b]++;
    for (uint32_t w = b; w < m->warps; w += m->blocks) publish(m, w);
}

static void happen(rf_wir_memory *m, rf_wir_in *in) {
    if (m->event == RF_WIR_EVENT_KERNEL) {
        in->flush = 1;
        m->constant++;
        m->global++;
        for (uint32_t b = 0; b < m->blocks; b++) m->shared[b]++;
        for (uint32_t w = 0; w < m->warps; w++) publish(m, w);
    } else if (m->event == RF_WIR_EVENT_BLOCK) {
        in->start |= (uint16_t)(1u << m->of);
        m->shared[m->of]++;
    } else if (m->event == RF_WIR_EVENT_FENCE) {
        in->fence |= UINT64_C(1) << m->of;
        m->shared[m->of % m->blocks]++;
        publish(m, m->of);
    } else if (m->event == RF_WIR_EVENT_BARRIER) {
        barrier(m, m->of, in);
    } else {
        for (uint32_t b = 0; b < m->blocks; b++) barrier(m, b, in);
    }
}

void rf_wir_memory_events(rf_wir_memory *m, ls_rng *rng, uint32_t rate, bool counting, const rf_wir *model, rf_wir_in *in) {
    if (m->event == RF_WIR_EVENT_NONE && ls_rng_below(rng, 4096) < rate) draw(m, rng, counting);
    if (m->event == RF_WIR_EVENT_NONE || on_the_way(m, model, in)) return;
    if (m->event == RF_WIR_EVENT_FENCE && (in->ib_valid >> m->of & 1) == 0) { /* nobody is there, somebody else then */
        if (in->ib_valid == 0) return;
        m->of = rf_lowest(in->ib_valid);
    }
    happen(m, in);
    if (m->more == 0) m->event = RF_WIR_EVENT_NONE;
    else if (m->event == RF_WIR_EVENT_FENCE) m->of = ls_rng_below(rng, m->warps); /* of every warp, as they come */
    m->more -= m->more != 0;
}
