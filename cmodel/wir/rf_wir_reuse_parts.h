/* SPDX-License-Identifier: Apache-2.0 */
/* The cycle of rf_wir_reuse as functions that a caller compiles in: private to the unit and rf_wir. In this order:
 *   rf_wir_back          registers that nobody names any more
 *   rf_wir_ask_guard     whether a lane may look up, and its tag
 *   rf_wir_find          what the reuse buffer says to those that look
 *   rf_wir_change        what the cycle does to reuse buffer and load guard
 *   rf_wir_info          what comes back with a lane's result
 *   rf_wir_count         a group's references that begin and end
 *   rf_wir_clock_reuse   the edge; the reuse buffer has made its own in rf_wir_change
 * A unit of which nothing is asked is left alone. */
#ifndef RF_WIR_REUSE_PARTS_H
#define RF_WIR_REUSE_PARTS_H

#include "cmodel/wir/rf_load_guard_parts.h"
#include "cmodel/wir/rf_refcount_parts.h"
#include "cmodel/wir/rf_wir_reuse.h"
#include "cmodel/wir/rf_wir_results_parts.h" /* rf_wir_named */
#include "cmodel/wir/rf_wir_words.h"

/* ---- info: {index, leader, old register, valid, pinned}, pinned in bit 0 ---- */

/* `old`: {old register, valid, pinned}. */
RF_WIR_PART uint64_t rf_wir_info(uint32_t pregs, uint32_t old, bool leader, uint32_t index) {
    const uint32_t bits = rf_wir_bits(pregs) + RF_WIR_BACK_BITS;
    return (uint64_t)old | (uint64_t)leader << bits | (uint64_t)index << (bits + 1);
}

RF_WIR_PART bool rf_wir_is_leader(uint32_t pregs, uint64_t info) {
    return (info >> (RF_WIR_BACK_BITS + rf_wir_bits(pregs)) & 1) != 0;
}
RF_WIR_PART uint16_t rf_wir_index(uint32_t pregs, uint32_t entries, uint64_t info) {
    return (uint16_t)(info >> (RF_WIR_BACK_BITS + 1 + rf_wir_bits(pregs)) & rf_mask64(rf_wir_bits(entries)));
}

/* ---- lookups ---- */

RF_WIR_PART void rf_wir_back(const rf_wir_reuse *m, rf_wir_reuse_wires *x) {
    uint16_t reg[RF_REFCOUNT_FREES_MAX];
    rf_refcount_show(rf_refcount_offer(&m->count, reg), reg, &x->count);
}

/* Whether the guard lets lane g's instruction look up; its tag's block and barrier. `block`: per warp the slot of its block. */
RF_WIR_PART bool rf_wir_ask_guard(const rf_wir_reuse *m, const uint8_t *block, uint32_t g, uint32_t warp, uint32_t space,
                                  rf_wir_reuse_wires *x) {
    return rf_load_guard_answer(&m->guard, block, warp, space, &x->reuse_in.lk_block[g], &x->reuse_in.lk_barrier[g]);
}

/* The reuse buffer is asked for the lanes `looks`, whose tags are in reuse_in. Without any it is not asked, and says no. */
RF_WIR_PART void rf_wir_find(const rf_wir_reuse *m, uint32_t looks, rf_wir_reuse_wires *x) {
    rf_reuse_buffer_in *r = &x->reuse_in;
    rf_reuse_buffer_out *o = &x->reuse;
    rf_load_guard_show_sweep(&m->guard, &x->guard);
    r->lk_valid = (uint8_t)looks;
    r->reserve = r->drop = r->fill = r->rm = 0;
    if (looks != 0) {
        rf_reuse_buffer_comb(&m->buffer, r, o);
        return;
    }
    o->hit = o->wait = o->held = o->reserved = o->filled = 0;
    o->freed = 0;
    o->rm_ready = 1;
    for (uint32_t g = 0; g < RF_ISSUES_MAX; g++) o->result[g] = o->index[g] = 0;
}

/* ---- changes ---- */

/* What happens to warps and blocks: the ports of these names. */
typedef struct rf_wir_happens {
    uint64_t launch, fence;
    uint16_t start, bar;
    uint8_t flush;
} rf_wir_happens;
#define RF_WIR_HAPPENS(in)                                                                                                       \
    ((rf_wir_happens){.launch = (in)->launch, .fence = (in)->fence, .start = (in)->start, .bar = (in)->bar, .flush = (in)->flush})

/* What the lanes and the results that retire do, issues bits; `looked`: left after a lookup. */
typedef struct rf_wir_acts {
    uint32_t leads, looked, st_valid, st_shared, done;
    const uint16_t *done_reg;  /* per group */
    const uint64_t *done_info; /* per group */
    bool low;
} rf_wir_acts;

/* What the cycle does to reuse buffer and load guard, whose st_warp is set. `moves`: the reuse buffer, which makes its edge now
 * that its last inputs are known, or NULL. */
RF_WIR_PART void rf_wir_change(const rf_wir_reuse *m, const rf_wir_reuse_cfg *cfg, const rf_wir_acts *act,
                               const rf_wir_happens *now, rf_reuse_buffer *moves, rf_wir_reuse_wires *x) {
    rf_reuse_buffer_in *r = &x->reuse_in;
    r->reserve = (uint8_t)(act->low ? 0 : act->leads);
    r->drop = (uint8_t)(act->low ? act->leads : 0);
    for (uint32_t left = act->done; left != 0; left &= left - 1) {
        const uint32_t g = rf_lowest(left);
        const uint64_t info = act->done_info[g];
        r->fill |= (uint8_t)((uint32_t)rf_wir_is_leader(cfg->pregs, info) << g);
        r->fill_index[g] = rf_wir_index(cfg->pregs, cfg->entries, info);
        r->fill_reg[g] = act->done_reg[g];
    }
    const bool random = act->low && act->looked == 0;
    r->rm = x->guard.sweep_valid || random;
    r->rm_all = x->guard.sweep_valid ? x->guard.sweep_all : 1;
    r->rm_index = x->guard.sweep_valid ? x->guard.sweep_index : (uint16_t)(m->lfsr.value_q & (cfg->entries - 1));
    r->rm_block = x->guard.sweep_block;
    if ((r->reserve | r->drop | r->fill | r->rm) != 0) {
        if (moves != NULL) rf_reuse_buffer_step(moves, r, &x->reuse);
        else rf_reuse_buffer_comb(&m->buffer, r, &x->reuse);
    }
    x->guard_in.st_valid = (uint8_t)act->st_valid;
    x->guard_in.st_shared = (uint8_t)act->st_shared;
    x->guard_in.sweep_ready = x->guard.sweep_valid && x->reuse.rm_ready;
    x->guard_in.launch = now->launch;
    x->guard_in.start = now->start;
    x->guard_in.flush = now->flush;
    x->guard_in.bar = now->bar;
    x->guard_in.fence = now->fence;
}

/* ---- references ---- */

RF_WIR_PART void rf_wir_add(uint32_t *valid, uint16_t *regs, uint32_t port, bool when, uint16_t reg) {
    *valid |= (uint32_t)when << port;
    regs[port] = reg;
}

/* Group g's references, whose ports are slots + 3 of each kind: those of its lane (`inc`: slots bits, each of register
 * inc_reg[slot]; one that ends), of the reuse buffer, of allocation. */
RF_WIR_PART void rf_wir_count(uint32_t slots, uint32_t g, uint32_t inc, const uint16_t *inc_reg, bool ends, uint16_t ends_reg,
                              uint16_t done_reg, const rf_wir_named *named, rf_wir_reuse_wires *x) {
    const uint32_t base = g * (slots + 3), lowest = g * (slots + 1);
    const uint32_t freed = x->reuse.freed >> lowest & ((1u << (slots + 1)) - 1);
    rf_refcount_in *r = &x->count_in;
    if (inc != 0) {
        r->inc |= inc << base;
        for (uint32_t s = 0; s < slots; s++) r->inc_reg[base + s] = inc_reg[s];
    }
    rf_wir_add(&r->inc, r->inc_reg, base + slots, (x->reuse.filled >> g & 1) != 0, done_reg);
    rf_wir_add(&r->inc, r->inc_reg, base + slots + 1, named->result, named->result_reg);
    rf_wir_add(&r->inc, r->inc_reg, base + slots + 2, named->table, named->table_reg);
    if (freed != 0) {
        r->dec |= freed << base;
        for (uint32_t k = 0; k <= slots; k++) r->dec_reg[base + k] = x->reuse.freed_reg[lowest + k];
    }
    rf_wir_add(&r->dec, r->dec_reg, base + slots + 1, named->ends, named->ends_reg);
    rf_wir_add(&r->dec, r->dec_reg, base + slots + 2, ends, ends_reg);
}

/* ---- the edge ---- */

RF_WIR_PART void rf_wir_clock_reuse(rf_wir_reuse *m, const uint8_t *block, const rf_wir_reuse_wires *x) {
    const rf_load_guard_in *in = &x->guard_in;
    const rf_load_guard *u = &m->guard;
    const uint64_t asked = in->launch | in->fence | in->start | in->bar | in->flush | in->st_valid;
    if ((asked | u->active_q | u->flush_q | u->sweep_q) != 0) rf_load_guard_edge(&m->guard, in, block);
    rf_refcount_count(&m->count, (uint32_t)__builtin_popcount(x->count.free), x->count.free_reg);
    rf_refcount_schedule(&m->count, &x->count_in);
    m->lfsr.value_q = rf_lfsr_next(m->lfsr.value_q);
}

#endif
