/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/banked/env/rf_stage_uops.h"

#include <stdlib.h>

#include "harness/base/memory.h"

#define NONE RF_STAGE_NO_UOP

void rf_stage_uops_init(rf_stage_uops *p, uint32_t pool) {
    *p = (rf_stage_uops){.pool = pool, .free_record = NONE, .free_flight = NONE, .factor = 1, .inverse = 1};
    p->record = ls_zeroed_pool(pool * sizeof *p->record);
    p->flight = ls_zeroed_pool(pool * sizeof *p->flight);
}

void rf_stage_uops_permute(rf_stage_uops *p, uint32_t random) {
    p->factor = (uint16_t)(random | 1u);
    p->offset = (uint16_t)(random >> 16);
    p->inverse = p->factor; /* right in the low 3 bits; each step doubles them */
    for (int step = 0; step < 3; step++) p->inverse = (uint16_t)(p->inverse * (2u - (uint32_t)p->factor * p->inverse));
}

void rf_stage_uops_free(rf_stage_uops *p) {
    free(p->record);
    free(p->flight);
}

uint16_t rf_stage_uops_new_flight(rf_stage_uops *p) {
    uint16_t f = p->free_flight;
    if (f != NONE) p->free_flight = p->flight[f].next_free;
    else f = p->used_flights++;
    if (f >= p->pool) ls_die("more than %u instructions are on their way", p->pool);
    return f;
}

void rf_stage_uops_free_flight(rf_stage_uops *p, uint16_t flight) {
    p->flight[flight].next_free = p->free_flight;
    p->free_flight = flight;
}

void rf_stage_uops_begin(rf_stage_uops *p, uint16_t flight, const rf_inst *inst, uint32_t w, uint64_t warp_id, uint32_t lanes,
                         uint32_t slots, bool words) {
    rf_stage_flight *f = &p->flight[flight];
    f->is.inst = inst;
    f->is.warp_id = warp_id;
    f->is.warp = w;
    f->is.mask = inst->mask & (uint32_t)rf_mask64(lanes);
    f->is.wrong = false;
    f->uops_left = rf_crack_count(inst, slots);
    f->words = words;
    f->source_uops = f->sources_left = words ? 0 : f->uops_left - (inst->ndst > 0 ? inst->ndst - 1u : 0);
    f->executed = false;
    f->access_done = 0;
    f->parked = NONE;
}

static uint16_t new_record(rf_stage_uops *p) {
    uint16_t r = p->free_record;
    if (r != NONE) p->free_record = p->record[r].next;
    else r = p->used_records++;
    if (r >= p->pool) ls_die("more than %u uops are on their way", p->pool);
    return r;
}

uint16_t rf_stage_uops_show(rf_stage_uops *p, uint16_t flight, uint32_t index, uint32_t slots) {
    const rf_stage_flight *f = &p->flight[flight];
    const uint16_t at = new_record(p);
    rf_stage_record *r = &p->record[at];
    rf_stage_uop *u = &r->is;
    (f->words ? rf_crack_word : rf_crack)(f->is.inst, slots, index, &u->uop);
    r->number = (uint16_t)((r->number / RF_STAGE_TAGS + 1u) * RF_STAGE_TAGS | at);
    u->tag = (uint16_t)((uint32_t)r->number * p->factor + p->offset);
    u->writes = u->uop.has_dst && f->is.mask != 0;
    u->shift = 0;
    r->state = UOP_SHOWN;
    r->flight = flight;
    return at;
}

uint16_t rf_stage_uops_issued(const rf_stage_uops *p, uint16_t tag) {
    const uint16_t r = (uint16_t)(tag - p->offset) * (uint32_t)p->inverse % RF_STAGE_TAGS;
    const bool is = r < p->used_records && p->record[r].state == UOP_ISSUED && p->record[r].is.tag == tag;
    return is ? r : NONE;
}

bool rf_stage_uops_retire(rf_stage_uops *p, uint16_t uop) {
    rf_stage_record *r = &p->record[uop];
    const bool all = --p->flight[r->flight].uops_left == 0;
    if (all) rf_stage_uops_free_flight(p, r->flight);
    r->state = UOP_FREE;
    r->next = p->free_record;
    p->free_record = uop;
    return all;
}
