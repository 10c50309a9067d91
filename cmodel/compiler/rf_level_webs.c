/* SPDX-License-Identifier: Apache-2.0 */
/* Which definitions reach which reads in a region, and what follows: webs and groups. */
#include "cmodel/compiler/rf_level_webs.h"

#include <stdlib.h>
#include <string.h>

#include "cmodel/compiler/rf_names.h"

/* --- values ----------------------------------------------------------------------------------------------------------------- */

/* Room for one more node and edge. */
static bool grow(rf_level_webs *w) {
    if (w->nnode == w->node_capacity) {
        const size_t wanted = 2 * (size_t)w->node_capacity + w->kernel->nreg + 64;
        rf_level_node *const node = realloc(w->node, wanted * sizeof *node);
        if (!node) return false;
        w->node = node;
        w->node_capacity = (uint32_t)wanted;
    }
    if (w->nedge + 1 >= w->edge_capacity) {
        const size_t wanted = 2 * (size_t)w->edge_capacity + 64;
        rf_level_edge *const edge = realloc(w->edge, wanted * sizeof *edge);
        if (!edge) return false;
        w->edge = edge;
        w->edge_capacity = (uint32_t)wanted;
    }
    return w->nnode < RF_LEVEL_NONE / 4 && w->nedge < RF_LEVEL_NONE / 4;
}

/* After grow. */
static uint32_t add_node(rf_level_webs *w, uint32_t reg, uint32_t merge) {
    w->node[w->nnode] = (rf_level_node){.edge = RF_LEVEL_NONE, .parent = w->nnode, .reg = reg, .merge = merge};
    return w->nnode++;
}

/* `node` may be `value`, too. Room for one edge. */
static void add_edge(rf_level_webs *w, uint32_t node, uint32_t value) {
    w->edge[w->nedge] = (rf_level_edge){value, w->node[node].edge};
    w->node[node].edge = w->nedge++;
    w->node[node].outside |= w->node[value].outside;
}

/* The value at the start of segment `to`, of which `have` (or RF_LEVEL_NONE: nothing) is known, if it may also be `more`. */
static bool meet(rf_level_webs *w, uint32_t to, uint32_t *have, uint32_t more) {
    if (*have == RF_LEVEL_NONE) *have = more;
    if (*have == more || more == RF_LEVEL_NONE) return true;
    if (!grow(w)) return false;
    if (w->node[*have].merge != to) {
        const uint32_t merged = add_node(w, w->node[more].reg, to);
        add_edge(w, merged, *have);
        *have = merged;
        if (!grow(w)) return false;
    }
    add_edge(w, *have, more);
    return true;
}

/* A segment's values to the start of those behind it, as far as they are live there. */
static bool pass_on(rf_level_webs *w, uint32_t s, const uint32_t *value) {
    const uint32_t nreg = w->kernel->nreg;
    for (uint32_t n = 0; n < 2; n++) {
        const uint32_t to = w->seg[s].next[n];
        if (to == RF_LEVEL_NONE) continue;
        const uint64_t *const live = w->live->in + (size_t)w->seg[to].block * w->live->set_words;
        uint32_t *const row = w->row + (size_t)w->place[to] * nreg;
        for (uint32_t r = 0; r < nreg; r++)
            if (rf_set_has(live, r) && !meet(w, to, &row[r], value[r])) return false;
    }
    return true;
}

/* An event for every register of a list, each once. */
static uint32_t add_events(rf_level_webs *w, uint32_t inst, const uint16_t *word, uint32_t count, bool write) {
    const uint32_t from = w->nfound;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t e = from;
        while (e < w->nfound && w->found[e].node != word[i]) e++;
        if (e == w->nfound) w->found[w->nfound++] = (rf_level_event){.inst = inst, .node = word[i], .write = write};
        w->found[e].operands = (uint16_t)(w->found[e].operands | 1u << i);
    }
    return from;
}

/* One instruction: events, and values from in front of it to behind it. A guarded write leaves the old value to other lanes. */
static bool step(rf_level_webs *w, uint32_t i, uint32_t *value) {
    const rf_kinst *const inst = &w->kernel->inst[i];
    uint16_t src[2 * RF_KSRC_MAX], dst[2 * RF_KDST_MAX];
    uint32_t nsrc = 0, ndst = 0;
    rf_kinst_words(inst, src, &nsrc, dst, &ndst);
    for (uint32_t e = add_events(w, i, src, nsrc, false); e < w->nfound; e++) w->found[e].node = value[w->found[e].node];
    for (uint32_t e = add_events(w, i, dst, ndst, true); e < w->nfound; e++) {
        const uint32_t reg = w->found[e].node, old = value[reg];
        if (!grow(w)) return false;
        value[reg] = w->found[e].node = add_node(w, reg, RF_LEVEL_NONE);
        if (inst->guard == RF_KNONE || old == RF_LEVEL_NONE) continue;
        if (!grow(w)) return false;
        value[reg] = add_node(w, reg, RF_LEVEL_NONE);
        add_edge(w, value[reg], old);
        add_edge(w, value[reg], w->found[e].node);
    }
    return true;
}

/* --- what follows for the values -------------------------------------------------------------------------------------------- */

static void need_in_mrf(rf_level_webs *w, uint32_t node, uint32_t *depth) {
    if (w->node[node].mrf) return;
    w->node[node].mrf = true;
    w->stack[(*depth)++] = node;
}

/* Where the region is left, what is live must be in the MRF. */
static void leave(rf_level_webs *w, uint32_t s, const uint32_t *value, uint32_t *depth) {
    const uint64_t *const live = w->live_after + (size_t)s * w->live->set_words;
    if (w->seg[s].next[0] != RF_LEVEL_NONE) return;
    for (uint32_t r = 0; r < w->kernel->nreg; r++)
        if (rf_set_has(live, r) && value[r] != RF_LEVEL_NONE) need_in_mrf(w, value[r], depth);
}

static uint32_t web_of(const rf_level_webs *w, uint32_t node) {
    while (w->node[node].parent != node) {
        w->node[node].parent = w->node[w->node[node].parent].parent;
        node = w->node[node].parent;
    }
    return node;
}

/* The smaller number is the web's. */
static void join(rf_level_webs *w, uint32_t a, uint32_t b) {
    a = web_of(w, a);
    b = web_of(w, b);
    if (a < b) w->node[b].parent = a;
    else w->node[a].parent = b;
}

/* Values that may come from outside are read from the MRF, so all that they may be must be written there. All that another read
 * may get is one web [hierarchy Fig. 14]. */
static void settle(rf_level_webs *w, uint32_t depth) {
    for (uint32_t e = 0; e < w->nfound; e++)
        if (!w->found[e].write && w->node[w->found[e].node].outside) need_in_mrf(w, w->found[e].node, &depth);
    while (depth) {
        const uint32_t node = w->stack[--depth];
        for (uint32_t e = w->node[node].edge; e != RF_LEVEL_NONE; e = w->edge[e].next) need_in_mrf(w, w->edge[e].node, &depth);
    }
    for (uint32_t e = 0; e < w->nfound; e++) {
        const uint32_t node = w->found[e].node;
        if (w->found[e].write || w->node[node].outside || w->node[node].joined) continue;
        w->node[node].joined = true;
        w->stack[depth++] = node;
        while (depth) {
            const uint32_t from = w->stack[--depth];
            for (uint32_t n = w->node[from].edge; n != RF_LEVEL_NONE; n = w->edge[n].next) {
                const uint32_t to = w->edge[n].node;
                join(w, from, to);
                if (w->node[to].joined) continue;
                w->node[to].joined = true;
                w->stack[depth++] = to;
            }
        }
    }
}

/* --- instances -------------------------------------------------------------------------------------------------------------- */

/* Whose event it is: a web's, or that of reads of one value from outside. RF_LEVEL_NONE: nobody reads it here. */
static uint32_t key_of(const rf_level_webs *w, const rf_level_event *e) {
    if (w->node[e->node].joined) return web_of(w, e->node);
    return e->write ? RF_LEVEL_NONE : e->node;
}

static bool dominates(const rf_level_webs *w, uint32_t a, uint32_t b) {
    const rf_level_seg *const above = &w->seg[w->seg_of[a]], *const below = &w->seg[w->seg_of[b]];
    return below->number - above->number < above->numbers;
}

static void add_instance(rf_level_webs *w, uint32_t reg, uint32_t event, uint32_t end, bool group) {
    w->instance[w->ninstance++] = (rf_level_instance){reg, event, end - event, group};
}

/* Reads of one value from outside, to `from`, into groups at `to`: the first one without a guard, and those that it dominates;
 * then the same with the rest. Returns where they end. */
static uint32_t split(rf_level_webs *w, rf_level_event *from, uint32_t count, uint32_t to) {
    for (uint32_t head = 0; head < count; head++) {
        if (from[head].inst == RF_LEVEL_NONE || w->kernel->inst[from[head].inst].guard != RF_KNONE) continue;
        uint32_t end = to;
        for (uint32_t e = head; e < count; e++) {
            if (from[e].inst == RF_LEVEL_NONE || !dominates(w, from[head].inst, from[e].inst)) continue;
            w->event[end++] = from[e];
            if (e != head) from[e].inst = RF_LEVEL_NONE;
        }
        if (end - to < 2) continue; /* one read: nothing to keep */
        add_instance(w, w->node[from[head].node].reg, to, end, true);
        to = end;
    }
    return to;
}

/* The events of each key, keys in the order in which they come. */
static void gather(rf_level_webs *w) {
    uint32_t *const at = w->bucket, used = 0, keys = 0;
    memset(at, 0, w->nnode * sizeof *at);
    for (uint32_t e = 0; e < w->nfound; e++) {
        const uint32_t key = key_of(w, &w->found[e]);
        if (key != RF_LEVEL_NONE) at[key]++;
    }
    for (uint32_t e = 0; e < w->nfound; e++) {
        const uint32_t key = key_of(w, &w->found[e]);
        if (key == RF_LEVEL_NONE || (at[key] & UINT32_C(1) << 31)) continue;
        w->stack[keys++] = key;
        const uint32_t count = at[key];
        at[key] = used | UINT32_C(1) << 31;
        used += count;
    }
    for (uint32_t e = 0; e < w->nfound; e++) {
        const uint32_t key = key_of(w, &w->found[e]);
        if (key != RF_LEVEL_NONE) w->event[at[key]++ & ~(UINT32_C(1) << 31)] = w->found[e];
    }
    for (uint32_t k = 0, from = 0, to = 0; k < keys; k++) {
        const uint32_t key = w->stack[k], end = at[key] & ~(UINT32_C(1) << 31), count = end - from;
        memcpy(w->found, w->event + from, count * sizeof *w->found);
        if (w->node[key].joined) {
            memcpy(w->event + to, w->found, count * sizeof *w->found);
            add_instance(w, w->node[key].reg, to, to + count, false);
            to += count;
        } else {
            to = split(w, w->found, count, to);
        }
        from = end;
    }
}

/* Room for what is per node, after the last was made. */
static bool room_per_node(rf_level_webs *w, uint32_t had) {
    if (w->bucket && had == w->node_capacity) return true;
    free(w->bucket);
    free(w->stack);
    w->bucket = malloc((size_t)w->node_capacity * sizeof *w->bucket);
    w->stack = malloc((size_t)w->node_capacity * sizeof *w->stack);
    return w->bucket && w->stack;
}

int rf_level_webs_find(rf_level_webs *w, uint32_t region) {
    const uint32_t first = w->start[region], end = w->start[region + 1], nreg = w->kernel->nreg, had = w->node_capacity;
    w->nnode = w->nedge = w->nfound = w->ninstance = 0;
    memset(w->row, 0xff, (size_t)(end - first) * nreg * sizeof *w->row);
    if (!grow(w)) return -1; /* also without a register */
    for (uint32_t r = 0; r < nreg; r++) {
        if (!grow(w)) return -1;
        w->row[r] = add_node(w, r, RF_LEVEL_NONE);
        w->node[r].outside = true;
    }
    for (uint32_t s = first; s < end; s++) w->place[w->order[s]] = s - first;
    for (uint32_t s = first; s < end; s++) {
        const rf_level_seg *const seg = &w->seg[w->order[s]];
        uint32_t *const value = w->row + (size_t)(s - first) * nreg;
        for (uint32_t i = seg->first; i < seg->end; i++)
            if (!step(w, i, value)) return -1;
        if (!pass_on(w, w->order[s], value)) return -1;
    }
    if (!room_per_node(w, had)) return -1;
    uint32_t depth = 0;
    for (uint32_t s = first; s < end; s++) leave(w, w->order[s], w->row + (size_t)(s - first) * nreg, &depth);
    settle(w, depth);
    gather(w);
    return 0;
}
