/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/workload/rf_level_limit.h"

#include <stdlib.h>
#include <string.h>

#include "cmodel/compiler/rf_not_l0.h"
#include "cmodel/workload/rf_crack.h"
#include "cmodel/workload/rf_program.h"

#define MOST RF_LEVEL_ENTRIES_MAX

typedef struct executed {
    const rf_kernel *kernel; /* which one; not looked into after the first warp */
    uint32_t ninst, strands;
    uint32_t *strand;         /* per instruction */
    double (*price)[MOST];    /* per instruction: of an execution with active lanes, by entries - 1 */
    uint64_t *issued, *costs; /* per instruction: executions, and those with active lanes */
} executed;

struct rf_level_limit {
    rf_level_options options;
    uint32_t active;
    bool unflushed;
    executed *kernel;
    uint32_t count;
};

rf_level_limit *rf_level_limit_new(const rf_level_options *options, uint32_t active, bool unflushed) {
    rf_level_limit *const limit = calloc(1, sizeof *limit);
    if (limit) *limit = (rf_level_limit){.options = *options, .active = active, .unflushed = unflushed};
    return limit;
}

static void free_kernel(executed *k) {
    free(k->strand);
    free(k->price);
    free(k->issued);
    free(k->costs);
}

void rf_level_limit_free(rf_level_limit *limit) {
    if (!limit) return;
    for (uint32_t k = 0; k < limit->count; k++) free_kernel(&limit->kernel[k]);
    free(limit->kernel);
    free(limit);
}

/* --- what an instruction costs ---------------------------------------------------------------------------------------------- */

static const rf_level_energy *level_of(const rf_level_options *o, uint32_t place) {
    return (place & RF_LEVEL_NAME) >= RF_LEVEL_L0 ? &o->l0_energy : &o->l1;
}

static double read_price(const rf_level_energy *level, bool shared) { return shared ? level->read_shared : level->read_private; }
static double write_price(const rf_level_energy *level, bool shared) {
    return shared ? level->write_shared : level->write_private;
}

/* Sources of a uop: a register that is named twice is read once, and one operand is kept. */
static double reads_of(const rf_level_options *o, const rf_uop *uop, const uint8_t *from, bool shared) {
    double price = 0;
    bool kept = false;
    for (uint32_t s = 0; s < uop->nsrc; s++) {
        const bool upper = (from[s] & RF_FROM_UPPER) != 0, keeps = !upper && (from[s] & RF_FROM_KEEP) != 0;
        bool again = false;
        for (uint32_t before = 0; before < s; before++)
            again |= uop->src[before] == uop->src[s] && ((from[before] & RF_FROM_UPPER) != 0) == upper;
        if (!again) price += read_price(upper ? level_of(o, from[s]) : &o->mrf, shared);
        if (keeps && !kept) price += write_price(level_of(o, from[s]), shared);
        kept |= keeps;
    }
    return price;
}

static double price_of(const rf_level_options *o, const rf_inst *inst, const rf_hint *hint) {
    const bool shared = rf_opclass_shared(inst->opclass);
    double price = 0;
    for (uint32_t u = 0; u < rf_crack_count(inst, o->slots); u++) {
        rf_uop uop;
        rf_crack(inst, o->slots, u, &uop);
        price += reads_of(o, &uop, &hint->src_from[uop.nsrc != 0 ? u * o->slots : 0], shared);
        if (!uop.has_dst) continue;
        const uint32_t to = hint->dst_to[uop.dst_index];
        if ((to & RF_TO_UPPER) != 0) price += write_price(level_of(o, to), shared);
        if ((to & RF_TO_NOT_MRF) == 0) price += write_price(&o->mrf, shared);
    }
    return price;
}

/* --- kernels ---------------------------------------------------------------------------------------------------------------- */

static bool allocate(const rf_level_limit *limit, const rf_strands *strands, executed *k) {
    rf_liveness live;
    rf_hint *const hint = calloc((size_t)k->ninst + 1, sizeof *hint);
    if (rf_liveness_compute(&live, strands->kernel, RF_LIVE_LANE)) {
        free(hint);
        return false;
    }
    bool good = hint != NULL;
    for (uint32_t entries = 1; entries <= MOST && good; entries++) {
        rf_level_options o = limit->options;
        o.entries = entries;
        if (limit->active) rf_level_energies(&o, limit->active);
        good = rf_level_alloc(strands, &live, &o, hint) == 0;
        for (uint32_t i = 0; i < k->ninst && good; i++) {
            rf_inst inst;
            rf_program_inst(strands->kernel, i, &inst);
            k->price[i][entries - 1] = price_of(&o, &inst, &hint[i]);
        }
    }
    rf_liveness_free(&live);
    free(hint);
    return good;
}

static bool open_kernel(const rf_level_limit *limit, const rf_kernel *kernel, executed *k) {
    const size_t room = (size_t)kernel->ninst + 1;
    rf_strands strands;
    *k = (executed){.kernel = kernel,
                    .ninst = kernel->ninst,
                    .strand = malloc(room * sizeof *k->strand),
                    .price = malloc(room * sizeof *k->price),
                    .issued = calloc(room, sizeof *k->issued),
                    .costs = calloc(room, sizeof *k->costs)};
    if (!k->strand || !k->price || !k->issued || !k->costs || rf_strands_compute(&strands, kernel)) return false;
    memcpy(k->strand, strands.of, k->ninst * sizeof *k->strand);
    k->strands = strands.count;
    const bool good = allocate(limit, &strands, k);
    rf_strands_free(&strands);
    return good;
}

/* The same of a copy in which nothing takes a long latency: loads and atomics are of shared memory, which is no other unit's. */
static bool open_unflushed(const rf_level_limit *limit, const rf_kernel *kernel, executed *k) {
    rf_kernel copy;
    *k = (executed){0};
    if (rf_kernel_copy(&copy, kernel)) return false;
    for (uint32_t i = 0; i < copy.ninst; i++)
        if (rf_kinst_long_latency(&copy.inst[i])) copy.inst[i].space = RF_S_SHARED;
    const bool good = open_kernel(limit, &copy, k);
    k->kernel = kernel;
    rf_kernel_free(&copy);
    return good;
}

static executed *find(rf_level_limit *limit, const rf_kernel *kernel) {
    for (uint32_t k = 0; k < limit->count; k++)
        if (limit->kernel[k].kernel == kernel) return &limit->kernel[k];
    executed *const more = realloc(limit->kernel, (limit->count + 1) * sizeof *more);
    if (!more) return NULL;
    limit->kernel = more;
    executed *const k = &more[limit->count];
    if (!(limit->unflushed ? open_unflushed : open_kernel)(limit, kernel, k)) {
        free_kernel(k);
        return NULL;
    }
    limit->count++;
    return k;
}

int rf_level_limit_warp(rf_level_limit *limit, const rf_kernel *kernel, const rf_warp *warp) {
    executed *const k = find(limit, kernel);
    if (!k) return -1;
    for (size_t i = 0; i < warp->count; i++) {
        k->issued[warp->inst[i].index]++;
        k->costs[warp->inst[i].index] += warp->inst[i].mask != 0;
    }
    return 0;
}

/* --- energies --------------------------------------------------------------------------------------------------------------- */

double rf_level_limit_fixed(const rf_level_limit *limit, uint32_t entries) {
    double energy = 0;
    for (const executed *k = limit->kernel; k < limit->kernel + limit->count; k++)
        for (uint32_t i = 0; i < k->ninst; i++) energy += (double)k->costs[i] * k->price[i][entries - 1];
    return energy;
}

/* A strand's executions together: energy by entries - 1, and the instructions during which they have them. */
typedef struct use {
    double energy[MOST], time;
} use;

/* `more` entries in each execution of a strand save so much. */
typedef struct step {
    double saved, time;
} step;

static int by_worth(const void *left, const void *right) {
    const step *const x = left, *const y = right;
    const double a = x->saved / x->time, b = y->saved / y->time;
    return a > b ? -1 : a < b;
}

/* The steps of the lower convex hull of a strand's energies, the steepest first, as long as they save. */
static uint32_t steps_of(const use *u, step *to) {
    uint32_t count = 0, at = 0;
    while (u->time > 0 && at + 1 < MOST) {
        uint32_t best = at;
        double slope = 0;
        for (uint32_t n = at + 1; n < MOST; n++) {
            const double here = (u->energy[at] - u->energy[n]) / (n - at);
            if (here > slope) slope = here, best = n;
        }
        if (best == at) break;
        to[count++] = (step){.saved = u->energy[at] - u->energy[best], .time = u->time * (best - at)};
        at = best;
    }
    return count;
}

/* Of one kernel: every strand has one entry; then the steps that save most for the time that their entries are held, until the
 * average is used up, the last one in part. */
static double least_of(const executed *k, double entries) {
    use *const u = calloc((size_t)k->strands + 1, sizeof *u);
    step *const all = malloc(((size_t)k->strands + 1) * MOST * sizeof *all);
    double energy = 0, time = 0;
    uint32_t count = 0;
    if (u && all) {
        for (uint32_t i = 0; i < k->ninst; i++) {
            u[k->strand[i]].time += (double)k->issued[i];
            for (uint32_t n = 0; n < MOST; n++) u[k->strand[i]].energy[n] += (double)k->costs[i] * k->price[i][n];
        }
        for (uint32_t s = 0; s < k->strands; s++) {
            energy += u[s].energy[0];
            time += u[s].time;
            count += steps_of(&u[s], all + count);
        }
        qsort(all, count, sizeof *all, by_worth);
        double left = (entries - 1) * time;
        for (uint32_t n = 0; n < count && left > 0; n++) {
            const double part = all[n].time <= left ? 1 : left / all[n].time;
            energy -= part * all[n].saved;
            left -= part * all[n].time;
        }
    }
    const bool good = u && all;
    free(u);
    free(all);
    return good ? energy : -1;
}

double rf_level_limit_least(const rf_level_limit *limit, double entries) {
    double energy = 0;
    for (uint32_t k = 0; k < limit->count; k++) {
        const double one = least_of(&limit->kernel[k], entries);
        if (one < 0) return -1;
        energy += one;
    }
    return energy;
}
