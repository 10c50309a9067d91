/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/banked/env/rf_stage_pipes.h"

#include <stdlib.h>

#include "harness/base/memory.h"
#include "tb/machine/env/rf_memory_access.h"

#define NONE RF_STAGE_NO_UOP
#define LOADS (RF_STAGE_PIPES - 1u) /* the pipeline of loads, where they are told from other memory instructions */

void rf_stage_pipes_init(rf_stage_pipes *p, uint32_t uops) {
    *p = (rf_stage_pipes){.machine = rf_machine_default(), .way = ls_zeroed(uops * sizeof *p->way)};
    for (uint32_t e = 0; e < RF_EXPORTS_MAX; e++) {
        rf_stage_port *port = &p->port[e];
        port->offered = port->queued.head = NONE;
        for (uint32_t c = 0; c < RF_STAGE_PIPES; c++) port->pipe[c].head = NONE;
    }
}

void rf_stage_pipes_free(rf_stage_pipes *p) { free(p->way); }

static void push(rf_stage_pipes *p, rf_stage_fifo *f, uint16_t uop) {
    p->way[uop].next = NONE;
    if (f->head == NONE) f->head = uop;
    else p->way[f->tail].next = uop;
    f->tail = uop;
}

static uint16_t pop(const rf_stage_pipes *p, rf_stage_fifo *f) {
    const uint16_t uop = f->head;
    f->head = p->way[uop].next;
    return uop;
}

/* A load or an atomic of global, local or texture memory. */
static bool is_long(const rf_inst *inst) {
    uint64_t lane[RF_LANES_MAX];
    rf_memory_access a;
    return inst->opclass == RF_OP_MEM && rf_memory_access_of(inst, 0, lane, &a) && a.kind != RF_ACCESS_STORE &&
           a.space != RF_MEMORY_SHARED && a.space != RF_MEMORY_CONSTANT;
}

void rf_stage_pipes_passes(rf_stage_pipes *p, uint64_t until) {
    if (p->busy_until < until && until != RF_STAGE_OPEN) p->busy_until = until;
}

void rf_stage_pipes_taken(rf_stage_pipes *p, uint32_t e, rf_opclass class, uint64_t now) {
    p->port[e].opens = now + p->machine.interval[class];
    rf_stage_pipes_passes(p, p->port[e].opens);
}

void rf_stage_pipes_enter(rf_stage_pipes *p, uint32_t e, uint16_t uop, const rf_inst *inst, uint8_t warp, uint8_t dst,
                          uint64_t now, uint32_t jitter, ls_rng *rng) {
    const uint32_t loads = p->machine.load_latency;
    rf_stage_port *port = &p->port[e];
    const uint32_t c = loads != 0 && is_long(inst) ? LOADS : (uint32_t)inst->opclass;
    const uint32_t latency = c == LOADS ? loads : p->machine.latency[c];
    uint64_t due = now + latency;
    if (jitter != 0 && ls_rng_chance(rng, jitter)) due = now + 1 + ls_rng_below(rng, 4 * latency);
    if (due < port->last_due[c]) due = port->last_due[c];
    port->last_due[c] = due;
    rf_stage_pipes_passes(p, due);
    port->held++;
    port->filled |= 1u << c;
    p->way[uop] = (rf_stage_way){.due = due, .warp = warp, .dst = dst};
    push(p, &port->pipe[c], uop);
}

void rf_stage_pipes_closed(rf_stage_pipes *p, uint32_t e, uint64_t now) {
    if (p->port[e].opens <= now) p->port[e].opens = now + 1;
    rf_stage_pipes_passes(p, p->port[e].opens);
}

/* The end of an access, no earlier than those before it of the same register. */
static uint64_t in_order(const rf_stage_pipes *p, const rf_stage_fifo *f, const rf_stage_way *way) {
    uint64_t due = way->due;
    for (uint16_t uop = f->head; uop != NONE && way->writes; uop = p->way[uop].next) {
        const rf_stage_way *w = &p->way[uop];
        if (w->writes && w->warp == way->warp && w->dst == way->dst && w->due > due) due = w->due;
    }
    return due;
}

/* Puts the uop into the list by its end. */
static void insert(rf_stage_pipes *p, rf_stage_fifo *f, uint16_t uop) {
    rf_stage_way *own = &p->way[uop];
    uint16_t before = NONE, behind = f->head;
    own->due = in_order(p, f, own);
    for (; behind != NONE && p->way[behind].due <= own->due; behind = p->way[behind].next) before = behind;
    own->next = behind;
    if (before == NONE) f->head = uop;
    else p->way[before].next = uop;
    if (behind == NONE) f->tail = uop;
    rf_stage_pipes_passes(p, own->due);
}

void rf_stage_pipes_access(rf_stage_pipes *p, uint32_t e, uint16_t uop, const rf_stage_way *way) {
    rf_stage_port *port = &p->port[e];
    p->way[uop] = *way;
    insert(p, &port->pipe[RF_OP_MEM], uop);
    port->held++;
    port->filled |= 1u << RF_OP_MEM;
}

void rf_stage_pipes_over(rf_stage_pipes *p, uint32_t e, uint16_t uop, uint64_t now) {
    rf_stage_fifo *f = &p->port[e].pipe[RF_OP_MEM];
    uint16_t before = NONE;
    for (uint16_t at = f->head; at != uop; at = p->way[at].next) before = at;
    if (before == NONE) f->head = p->way[uop].next;
    else p->way[before].next = p->way[uop].next;
    if (f->tail == uop) f->tail = before;
    p->way[uop].due = now;
    insert(p, f, uop);
}

/* The pipeline whose oldest uop is due first, or RF_STAGE_PIPES when none is due. */
static uint32_t first_due(const rf_stage_pipes *p, const rf_stage_port *port, uint64_t now) {
    uint64_t due = now + 1;
    uint32_t first = RF_STAGE_PIPES;
    for (uint32_t left = port->filled; left != 0; left &= left - 1) {
        const uint32_t c = rf_lowest(left);
        const uint64_t at = p->way[port->pipe[c].head].due;
        if (at < due) {
            due = at;
            first = c;
        }
    }
    return first;
}

uint16_t rf_stage_pipes_leave(rf_stage_pipes *p, uint32_t e, uint64_t now) {
    rf_stage_port *port = &p->port[e];
    const uint32_t c = first_due(p, port, now);
    if (c == RF_STAGE_PIPES) return NONE;
    const uint16_t uop = pop(p, &port->pipe[c]);
    port->filled &= ~((uint32_t)(port->pipe[c].head == NONE) << c);
    port->held--;
    return uop;
}

void rf_stage_pipes_accepted(rf_stage_pipes *p, uint32_t e) {
    rf_stage_port *port = &p->port[e];
    push(p, &port->queued, port->offered);
    port->level++;
    port->offered = NONE;
}

uint16_t rf_stage_pipes_written(rf_stage_pipes *p, uint32_t e) {
    rf_stage_port *port = &p->port[e];
    if (port->level == 0) return NONE;
    port->level--;
    return pop(p, &port->queued);
}

uint16_t rf_stage_pipes_retired(rf_stage_pipes *p, uint32_t warp, uint32_t dst) {
    for (uint32_t e = 0; e < RF_EXPORTS_MAX; e++) {
        rf_stage_port *port = &p->port[e];
        rf_stage_fifo *f = &port->queued;
        for (uint16_t uop = f->head, before = NONE; uop != NONE; before = uop, uop = p->way[uop].next) {
            if (p->way[uop].warp != warp || p->way[uop].dst != dst) continue;
            if (before == NONE) f->head = p->way[uop].next;
            else p->way[before].next = p->way[uop].next;
            if (f->tail == uop) f->tail = before;
            port->level--;
            return uop;
        }
    }
    return NONE;
}
