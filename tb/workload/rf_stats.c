/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/workload/rf_stats.h"

#include <stdlib.h>
#include <string.h>

#define BUCKETS (2 * RF_STATS_WINDOW)
#define NO_COMPUTATION 0 /* key of what never counts as repeated */

/* A thread's value in one register. */
typedef struct value {
    bool live;
    uint32_t reads;
    uint64_t written, first_read; /* by the how-manieth instruction of the thread */
} value;

/* A warp's register: the strands that wrote and read it last, from 1; 0: none. */
typedef struct strand_use {
    uint64_t written, read;
    bool crossed; /* a later strand has read it */
} strand_use;

/* A warp on the SM: the keys of its computations. */
typedef struct resident {
    uint64_t *key; /* NULL: the place is free */
    size_t at, count;
} resident;

struct rf_stats_maker {
    rf_stats stats;
    value value[RF_REGS_MAX][RF_LANES_MAX];
    uint32_t content[RF_REGS_MAX][RF_LANES_MAX];
    uint64_t executed[RF_LANES_MAX];
    strand_use use[RF_REGS_MAX];
    /* the SM: its warps, and its last instructions */
    resident resident[RF_STATS_RESIDENT];
    uint64_t key[RF_STATS_WINDOW];
    uint64_t before[RF_STATS_WINDOW]; /* issue number + 1 of the one before in its bucket; 0: none */
    uint64_t last[BUCKETS];
    uint64_t issued;
};

rf_stats_maker *rf_stats_new(void) {
    rf_stats_maker *const maker = calloc(1, sizeof *maker);
    if (maker) maker->stats.values_known = true;
    return maker;
}

static void end_value(rf_stats *stats, value *v) {
    if (!v->live) return;
    stats->values++;
    stats->read[v->reads < 3 ? v->reads : 3]++;
    stats->once_soon += v->reads == 1 && v->first_read - v->written <= RF_STATS_LIFETIME;
    v->live = false;
}

static void use_registers(rf_stats_maker *maker, const rf_inst *inst) {
    for (uint32_t lane = 0; lane < RF_LANES_MAX; lane++) {
        if (!(inst->mask >> lane & 1)) continue;
        const uint64_t now = ++maker->executed[lane];
        for (uint32_t s = 0; s < inst->nsrc; s++) {
            value *const v = &maker->value[inst->src[s]][lane];
            if (v->reads++ == 0) v->first_read = now;
        }
        for (uint32_t d = 0; d < inst->ndst; d++) {
            value *const v = &maker->value[inst->dst[d]][lane];
            end_value(&maker->stats, v);
            *v = (value){.live = true, .written = now};
            maker->content[inst->dst[d]][lane] = inst->value ? inst->value[d * RF_LANES_MAX + lane] : 0;
        }
    }
}

static void use_strands(rf_stats_maker *maker, const rf_inst *inst, uint64_t strand) {
    rf_stats *const stats = &maker->stats;
    for (uint32_t s = 0; s < inst->nsrc; s++) {
        strand_use *const use = &maker->use[inst->src[s]];
        if (use->written == strand || use->read == strand) continue;
        stats->outside++;
        stats->crossing += use->written != 0 && !use->crossed;
        use->read = strand;
        use->crossed = true;
    }
    for (uint32_t d = 0; d < inst->ndst; d++) maker->use[inst->dst[d]] = (strand_use){.written = strand};
}

/* One step of a 64-bit hash: a bijection in either argument (finalizer of SplitMix64). */
static uint64_t hash(uint64_t h, uint64_t word) {
    h = (h ^ word) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
    return h ^ h >> 31;
}

/* The computation as one number: opcode, immediate, mask, what the active lanes read and what they make of it. Two different ones
 * share it once in 2^64. Before the registers change. */
static uint64_t computation(const rf_stats_maker *maker, const rf_inst *inst) {
    if (inst->mask == 0 || inst->store || inst->opclass == RF_OP_CTRL) return NO_COMPUTATION;
    uint64_t h = hash(hash(hash(0, inst->opcode), (uint64_t)inst->immediate), inst->mask);
    for (uint32_t lane = 0; lane < RF_LANES_MAX; lane++) {
        if (!(inst->mask >> lane & 1)) continue;
        for (uint32_t s = 0; s < inst->nsrc; s++) h = hash(h, maker->content[inst->src[s]][lane]);
        for (uint32_t d = 0; d < inst->ndst; d++) h = hash(h, inst->value ? inst->value[d * RF_LANES_MAX + lane] : 0);
    }
    return h == NO_COMPUTATION ? 1 : h;
}

/* An instruction of the SM: is it one of the last RF_STATS_WINDOW again? */
static void issue(rf_stats_maker *maker, uint64_t key) {
    const uint64_t now = maker->issued++;
    if (key == NO_COMPUTATION) return;
    uint64_t *const last = &maker->last[key % BUCKETS];
    for (uint64_t at = *last; at != 0 && at - 1 + RF_STATS_WINDOW >= now; at = maker->before[(at - 1) % RF_STATS_WINDOW]) {
        if (maker->key[(at - 1) % RF_STATS_WINDOW] != key) continue;
        maker->stats.repeated++;
        break;
    }
    maker->key[now % RF_STATS_WINDOW] = key;
    maker->before[now % RF_STATS_WINDOW] = *last;
    *last = now + 1;
}

/* One instruction of every warp on the SM. */
static void run_round(rf_stats_maker *maker) {
    for (resident *warp = maker->resident; warp < maker->resident + RF_STATS_RESIDENT; warp++) {
        if (warp->at < warp->count) issue(maker, warp->key[warp->at++]);
        if (warp->at == warp->count) {
            free(warp->key);
            *warp = (resident){0};
        }
    }
}

static void run_to_the_end(rf_stats_maker *maker) {
    for (uint32_t i = 0; i < RF_STATS_RESIDENT; i++)
        while (maker->resident[i].key) run_round(maker);
}

/* Gives the next warp a place, if need be that of the first to end. */
static resident *place_warp(rf_stats_maker *maker, size_t instructions) {
    for (;;) {
        for (resident *warp = maker->resident; warp < maker->resident + RF_STATS_RESIDENT; warp++) {
            if (warp->key) continue;
            warp->key = malloc((instructions ? instructions : 1) * sizeof *warp->key);
            warp->count = instructions;
            return warp->key ? warp : NULL;
        }
        run_round(maker);
    }
}

static void count(rf_stats *stats, const rf_inst *inst) {
    const uint32_t lanes = (uint32_t)__builtin_popcount(inst->mask);
    stats->instructions++;
    stats->lanes += lanes;
    stats->full_mask += lanes == RF_LANES_MAX;
    stats->strands += (inst->hint.flags & RF_HINT_STRAND_END) != 0;
    if (inst->mask == 0) return;
    stats->reads += inst->nsrc;
    stats->writes += inst->ndst;
    if (inst->ndst > 0 && !inst->value) stats->values_known = false;
    if (!(inst->hint.flags & RF_HINT_PRESENT)) return;
    stats->hinted += (uint64_t)inst->nsrc + inst->ndst;
    stats->near += (uint64_t)__builtin_popcount(inst->hint.src_near & (uint32_t)rf_mask64(inst->nsrc));
    stats->near += (uint64_t)__builtin_popcount(inst->hint.dst_near & (uint32_t)rf_mask64(inst->ndst));
}

int rf_stats_warp(rf_stats_maker *maker, const rf_warp *warp, bool new_launch) {
    rf_stats *const stats = &maker->stats;
    if (new_launch) {
        run_to_the_end(maker);
        stats->launches++;
    }
    resident *const placed = place_warp(maker, warp->count);
    if (!placed) return -1;
    memset(maker->content, 0, sizeof maker->content);
    memset(maker->executed, 0, sizeof maker->executed);
    memset(maker->use, 0, sizeof maker->use);
    stats->warps++;
    for (size_t i = 0; i < warp->count; i++) {
        const rf_inst *const inst = &warp->inst[i];
        const uint64_t strand = stats->strands + 1;
        count(stats, inst);
        placed->key[i] = computation(maker, inst);
        if (inst->mask) {
            use_strands(maker, inst, strand);
            use_registers(maker, inst);
        }
    }
    if (warp->count && !(warp->inst[warp->count - 1].hint.flags & RF_HINT_STRAND_END)) stats->strands++;
    for (uint32_t r = 0; r < RF_REGS_MAX; r++)
        for (uint32_t lane = 0; lane < RF_LANES_MAX; lane++) end_value(stats, &maker->value[r][lane]);
    return 0;
}

void rf_stats_end(rf_stats_maker *maker, rf_stats *stats) {
    run_to_the_end(maker);
    *stats = maker->stats;
    free(maker);
}
