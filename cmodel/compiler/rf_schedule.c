/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/compiler/rf_schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/compiler/rf_liveness.h"
#include "cmodel/compiler/rf_names.h"
#include "cmodel/compiler/rf_strand.h"

#define ATTEMPTS 4u   /* orders of a block, each for a lower bound of words */
#define ACCESSES 256u /* compared with each other; what comes behind that many keeps its place among them */

/* `to` issues at least `cycles` after `from`; both count from the block's first instruction. */
typedef struct edge {
    uint32_t from, to, cycles;
} edge;

/* Files of registers, as indices. */
enum { WORDS, PREDICATES, FILES };

typedef struct scheduler {
    rf_kernel *kernel;
    rf_liveness live;
    uint32_t bound[FILES];
    /* Of each name: */
    uint32_t *writer, **reader, *readers; /* the last that writes it, who reads it since */
    uint32_t *left, *left_sum;            /* how many still read it in this block; the sum of their indices */
    uint8_t *is_live;
    /* Of each instruction of the block: */
    uint32_t *next_edge;                   /* its first edge in `edges`; one more at the end */
    uint32_t *height, *missing, *earliest; /* cycles to the end; predecessors to come; when it may issue */
    uint32_t *base;                        /* of an access: who wrote the address */
    int32_t *grows[FILES];                 /* when it is ready: by how much the registers in use grow if it goes next */
    uint32_t *ready, *order;
    /* Of the block: */
    edge *edges; /* sorted by `from` */
    size_t edge_count, edge_room;
    uint32_t access[ACCESSES], accesses, fence, exchange; /* accesses since the last fence; the last fence and exchange */
    uint64_t *set;
    rf_kinst *copy;
    bool no_room;
} scheduler;

/* --- what depends on what --------------------------------------------------------------------------------------------------- */

static uint32_t latency(const rf_kinst *inst) {
    if (rf_kinst_long_latency(inst)) return RF_SCHEDULE_MEMORY;
    if (inst->op == RF_K_LD || inst->op == RF_K_ATOM) return RF_SCHEDULE_SHARED;
    return rf_kinst_class(inst) == RF_OP_SFU ? RF_SCHEDULE_SFU : RF_SCHEDULE_ALU;
}

static void add_edge(scheduler *s, uint32_t from, uint32_t to, uint32_t cycles) {
    if (s->edge_count == s->edge_room) {
        const size_t room = s->edge_room * 2 + 256;
        edge *const more = realloc(s->edges, room * sizeof *more);
        if (!more) {
            s->no_room = true;
            return;
        }
        s->edges = more;
        s->edge_room = room;
    }
    s->edges[s->edge_count++] = (edge){from, to, cycles};
}

static bool reads_clock(const rf_kinst *inst) {
    for (uint32_t i = 0; i < inst->nsrc; i++) {
        if (inst->src[i].kind != RF_O_SPECIAL) continue;
        const uint32_t reg = inst->src[i].reg;
        if (reg == RF_SR_CLOCK || reg == RF_SR_CLOCK_HI || reg == RF_SR_CLOCK64 || reg == RF_SR_GLOBALTIMER) return true;
    }
    return false;
}

/* Volatile, or with an order that only its text has: memory is accessed before or behind it. */
static bool orders_others(const rf_kernel *kernel, const rf_kinst *inst) {
    if (rf_kinst_class(inst) != RF_OP_MEM) return false;
    const char *const text = inst->text < kernel->ntext ? kernel->texts[inst->text] : "";
    return (inst->flags & RF_F_VOLATILE) != 0 || strstr(text, ".acq") != NULL || strstr(text, ".release") != NULL;
}

/* What no memory operation passes. */
static bool is_fence(const rf_kernel *kernel, const rf_kinst *inst) {
    return inst->op == RF_K_NOP || inst->op == RF_K_BAR || inst->op == RF_K_WARPSYNC || reads_clock(inst) ||
           orders_others(kernel, inst);
}

/* Lanes wait for each other there, perhaps in another block, which has its own in the same order. */
static bool is_exchange(const rf_kinst *inst) { return (inst->flags & RF_F_SYNC) != 0 || inst->op == RF_K_ACTIVEMASK; }

static bool is_load(const rf_kinst *inst) { return inst->op == RF_K_LD; }

/* Parameters and constants do not change. */
static bool is_access(const rf_kinst *inst) {
    return rf_kinst_class(inst) == RF_OP_MEM && inst->space != RF_S_PARAM && inst->space != RF_S_CONST;
}

static uint64_t bytes_of(const rf_kinst *inst) { return (uint64_t)inst->vector * rf_ktype_bits((rf_ktype)inst->type) / 8; }

/* Whether two accesses may touch the same bytes. Constants, and offsets from the same value of a register, tell. */
static bool may_overlap(const scheduler *s, uint32_t first, uint32_t a, uint32_t b) {
    const rf_kinst *const x = &s->kernel->inst[first + a], *const y = &s->kernel->inst[first + b];
    if (x->space != y->space && x->space != RF_S_GENERIC && y->space != RF_S_GENERIC) return false;
    const rf_koperand *const p = &x->src[0], *const q = &y->src[0];
    if (x->space != y->space || p->kind != q->kind || p->reg != q->reg || s->base[a] != s->base[b]) return true;
    const uint64_t mask = p->words == 1 ? UINT32_MAX : UINT64_MAX; /* the address wraps */
    const uint64_t apart = q->imm + (uint64_t)y->offset - p->imm - (uint64_t)x->offset;
    return (apart & mask) < bytes_of(x) || (-apart & mask) < bytes_of(y);
}

/* Edges to instruction i from the memory operations, fences and exchanges before it. */
static void order_memory(scheduler *s, uint32_t first, uint32_t i) {
    const rf_kinst *const inst = &s->kernel->inst[first + i];
    const bool fence = is_fence(s->kernel, inst), exchange = is_exchange(inst);
    if (!fence && !exchange && !is_access(inst)) return;
    if (s->fence != RF_KNONE) add_edge(s, s->fence, i, 1);
    if ((fence || exchange) && s->exchange != RF_KNONE) add_edge(s, s->exchange, i, 1);
    if (exchange) s->exchange = i;
    if (!fence && !is_access(inst)) return;
    s->base[i] = inst->nsrc > 0 && inst->src[0].kind == RF_O_REG ? s->writer[inst->src[0].reg] : RF_KNONE;
    const bool ends_list = fence || s->accesses == ACCESSES;
    for (uint32_t m = 0; m < s->accesses; m++) {
        const uint32_t other = s->access[m];
        const bool loads = is_load(inst) && is_load(&s->kernel->inst[first + other]);
        if (ends_list || (!loads && may_overlap(s, first, other, i))) add_edge(s, other, i, 1);
    }
    if (ends_list) {
        s->accesses = 0;
        s->fence = i;
    } else {
        s->access[s->accesses++] = i;
    }
}

/* Name `carry` stands for the carry flag. */
static uint32_t names_of(const scheduler *s, const rf_kinst *inst, uint32_t *read, uint32_t *nread, uint32_t *written) {
    const uint32_t carry = s->live.names;
    uint32_t nwritten;
    bool partial;
    rf_liveness_names(&s->live, inst, read, nread, written, &nwritten, &partial);
    if (inst->op == RF_K_ADDC || inst->op == RF_K_SUBC || inst->op == RF_K_MADC) read[(*nread)++] = carry;
    if ((inst->flags & RF_F_CC) != 0) written[nwritten++] = carry;
    return nwritten;
}

static void add_reader(scheduler *s, uint32_t name, uint32_t i) {
    if ((s->readers[name] & (s->readers[name] - 1)) == 0) { /* the list doubles at powers of two */
        uint32_t *const more =
            realloc(s->reader[name], (size_t)(s->readers[name] == 0 ? 1 : 2 * s->readers[name]) * sizeof *more);
        if (!more) {
            s->no_room = true;
            return;
        }
        s->reader[name] = more;
    }
    s->reader[name][s->readers[name]++] = i;
}

static int by_from(const void *a, const void *b) {
    const edge *const x = (const edge *)a, *const y = (const edge *)b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

/* All edges of a block, sorted by where they begin, and each instruction's height. */
static void find_edges(scheduler *s, uint32_t first, uint32_t count) {
    uint32_t read[17], written[11], nread;
    s->edge_count = 0;
    s->accesses = 0;
    s->fence = s->exchange = RF_KNONE;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t nwritten = names_of(s, &s->kernel->inst[first + i], read, &nread, written);
        for (uint32_t r = 0; r < nread; r++) s->writer[read[r]] = RF_KNONE, s->readers[read[r]] = 0;
        for (uint32_t k = 0; k < nwritten; k++) s->writer[written[k]] = RF_KNONE, s->readers[written[k]] = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        const rf_kinst *const inst = &s->kernel->inst[first + i];
        const uint32_t nwritten = names_of(s, inst, read, &nread, written);
        order_memory(s, first, i);
        for (uint32_t r = 0; r < nread; r++) {
            const uint32_t w = s->writer[read[r]];
            if (w != RF_KNONE) add_edge(s, w, i, latency(&s->kernel->inst[first + w]));
            add_reader(s, read[r], i);
        }
        for (uint32_t k = 0; k < nwritten; k++) {
            const uint32_t name = written[k];
            if (s->writer[name] != RF_KNONE) add_edge(s, s->writer[name], i, latency(&s->kernel->inst[first + s->writer[name]]));
            for (uint32_t r = 0; r < s->readers[name]; r++)
                if (s->reader[name][r] != i) add_edge(s, s->reader[name][r], i, 1);
            s->writer[name] = i;
            s->readers[name] = 0;
        }
    }
    if (s->edge_count > 0) qsort(s->edges, s->edge_count, sizeof *s->edges, by_from);
    size_t e = 0;
    for (uint32_t i = 0; i <= count; i++) {
        while (e < s->edge_count && s->edges[e].from < i) e++;
        s->next_edge[i] = (uint32_t)e;
    }
    for (uint32_t i = count; i-- > 0;) {
        s->height[i] = latency(&s->kernel->inst[first + i]);
        for (uint32_t k = s->next_edge[i]; k < s->next_edge[i + 1]; k++) {
            const uint32_t through = s->edges[k].cycles + s->height[s->edges[k].to];
            if (through > s->height[i]) s->height[i] = through;
        }
    }
}

/* --- registers in use ------------------------------------------------------------------------------------------------------- */

static uint32_t width(const scheduler *s, uint32_t name, uint32_t *file) {
    const uint32_t bits = rf_ktype_bits((rf_ktype)s->kernel->var[name].type);
    *file = bits == 1 ? PREDICATES : WORDS;
    return bits > 32 ? 2 : 1;
}

/* Words and predicates of a set of names. */
static void count_set(const scheduler *s, const uint64_t *set, uint32_t now[FILES]) {
    now[WORDS] = now[PREDICATES] = 0;
    for (uint32_t at = 0, file; at < s->live.set_words; at++) {
        for (uint64_t rest = set[at]; rest != 0; rest &= rest - 1) {
            const uint32_t w = width(s, 64 * at + rf_lowest(rest), &file);
            now[file] += w;
        }
    }
}

/* Most words and predicates live at one time in a block whose instructions stand at `inst`: behind an instruction with what it
 * writes, whether that is read or not. */
static void pressure(scheduler *s, uint32_t b, const rf_kinst *inst, uint32_t most[FILES]) {
    const rf_kblock *const block = &s->kernel->block[b];
    uint32_t now[FILES];
    most[WORDS] = most[PREDICATES] = 0;
    memcpy(s->set, s->live.out + (size_t)b * s->live.set_words, s->live.set_words * sizeof *s->set);
    count_set(s, s->set, now);
    for (uint32_t i = block->count; i-- > 0;) {
        uint32_t read[16], written[10], nread, nwritten, file;
        bool partial;
        rf_liveness_names(&s->live, &inst[i], read, &nread, written, &nwritten, &partial);
        uint32_t behind[FILES] = {now[WORDS], now[PREDICATES]};
        for (uint32_t k = 0; k < nwritten; k++) {
            const uint32_t w = width(s, written[k], &file);
            if (!rf_set_has(s->set, written[k])) behind[file] += w;
            else if (!partial) now[file] -= w, rf_set_remove(s->set, written[k]);
        }
        for (uint32_t r = 0; r < nread; r++) {
            const uint32_t w = width(s, read[r], &file);
            if (rf_set_has(s->set, read[r])) continue;
            now[file] += w;
            rf_set_add(s->set, read[r]);
        }
        for (uint32_t f = 0; f < FILES; f++) {
            const uint32_t here = behind[f] > now[f] ? behind[f] : now[f];
            if (here > most[f]) most[f] = here;
        }
    }
}

static void start_name(scheduler *s, uint32_t name, const uint64_t *in, const uint64_t *out, uint32_t count) {
    s->is_live[name] = rf_set_has(in, name);
    s->left[name] = rf_set_has(out, name);
    s->left_sum[name] = s->left[name] * count;
}

/* The registers in use at the block's start. What is live behind it is read there, by an instruction `count`. */
static void start_registers(scheduler *s, uint32_t b, uint32_t now[FILES]) {
    const rf_kblock *const block = &s->kernel->block[b];
    const uint64_t *const in = s->live.in + (size_t)b * s->live.set_words;
    const uint64_t *const out = s->live.out + (size_t)b * s->live.set_words;
    count_set(s, in, now);
    for (uint32_t f = 0; f < FILES; f++) memset(s->grows[f], 0, (block->count + 1) * sizeof *s->grows[f]);
    for (uint32_t pass = 0; pass < 3; pass++) { /* each name anew; who reads it; who alone does */
        for (uint32_t i = 0; i < block->count; i++) {
            uint32_t name[16 + 10], nread, nwritten, file;
            bool partial;
            rf_liveness_names(&s->live, &s->kernel->inst[block->first + i], name, &nread, name + 16, &nwritten, &partial);
            for (uint32_t r = 0; r < nread; r++) {
                const uint32_t n = name[r], w = width(s, n, &file);
                if (pass == 0) start_name(s, n, in, out, block->count);
                if (pass == 1) s->left[n]++, s->left_sum[n] += i;
                if (pass == 2 && s->left[n] == 1) s->grows[file][i] -= (int32_t)w;
            }
            for (uint32_t k = 0; k < nwritten && pass == 0; k++) start_name(s, name[16 + k], in, out, block->count);
        }
    }
}

/* Instruction i can go next from now on. Who writes its results before it, or reads what they replace, is gone: they stay live,
 * or not, until it goes. */
static void get_ready(scheduler *s, uint32_t first, uint32_t i, uint32_t *count) {
    uint32_t read[16], written[10], nread, nwritten, file;
    bool partial;
    rf_liveness_names(&s->live, &s->kernel->inst[first + i], read, &nread, written, &nwritten, &partial);
    for (uint32_t k = 0; k < nwritten; k++) {
        const uint32_t w = width(s, written[k], &file);
        if (!s->is_live[written[k]]) s->grows[file][i] += (int32_t)w;
    }
    s->ready[(*count)++] = i;
}

static void take_registers(scheduler *s, uint32_t first, uint32_t i, uint32_t now[FILES]) {
    uint32_t read[16], written[10], nread, nwritten, file;
    bool partial;
    rf_liveness_names(&s->live, &s->kernel->inst[first + i], read, &nread, written, &nwritten, &partial);
    for (uint32_t r = 0; r < nread; r++) {
        const uint32_t name = read[r], w = width(s, name, &file);
        s->left_sum[name] -= i;
        if (--s->left[name] == 1) s->grows[file][s->left_sum[name]] -= (int32_t)w; /* the last ends its life */
        if (s->left[name] > 0) continue;
        if (s->is_live[name]) now[file] -= w;
        s->is_live[name] = false;
    }
    for (uint32_t k = 0; k < nwritten; k++) {
        const uint32_t w = width(s, written[k], &file);
        if (s->is_live[written[k]] || s->left[written[k]] == 0) continue;
        s->is_live[written[k]] = true;
        now[file] += w;
    }
}

/* --- the order -------------------------------------------------------------------------------------------------------------- */

/* Of the `count` instructions that nothing holds back, the one to go next: among those whose registers fit and that may issue
 * by now the one with the longest path behind it; if none may issue, the one that may first; if no registers fit, the one that
 * needs the fewest more. */
static uint32_t choose(const scheduler *s, uint32_t count, const uint32_t now[FILES], const uint32_t bound[FILES],
                       uint32_t cycle) {
    uint32_t best = RF_KNONE;
    bool best_fits = false;
    int32_t best_grows = 0;
    for (uint32_t r = 0; r < count; r++) {
        const uint32_t i = s->ready[r];
        const int32_t more = s->grows[WORDS][i] + s->grows[PREDICATES][i];
        bool fits = true;
        for (uint32_t f = 0; f < FILES; f++) fits &= s->grows[f][i] <= 0 || now[f] + (uint32_t)s->grows[f][i] <= bound[f];
        bool better = best == RF_KNONE;
        if (!better && fits != best_fits) better = fits;
        else if (!better && !fits) better = more < best_grows || (more == best_grows && i < s->ready[best]);
        else if (!better) {
            const uint32_t j = s->ready[best], wait_i = s->earliest[i] > cycle ? s->earliest[i] : cycle;
            const uint32_t wait_j = s->earliest[j] > cycle ? s->earliest[j] : cycle;
            better = wait_i != wait_j               ? wait_i < wait_j
                     : s->height[i] != s->height[j] ? s->height[i] > s->height[j]
                     : more != best_grows           ? more < best_grows
                                                    : i < j;
        }
        if (!better) continue;
        best = r;
        best_fits = fits;
        best_grows = more;
    }
    return best;
}

static bool ends_block(const rf_kinst *inst) { return inst->op == RF_K_BRA || inst->op == RF_K_EXIT || inst->op == RF_K_TRAP; }

/* One order of block `b` into s->order. */
static void list_schedule(scheduler *s, uint32_t b, const uint32_t bound[FILES]) {
    const rf_kblock *const block = &s->kernel->block[b];
    const uint32_t first = block->first, last = first + block->count - 1;
    const uint32_t movable = block->count - (ends_block(&s->kernel->inst[last]) ? 1 : 0);
    uint32_t now[FILES], count = 0, cycle = 0;
    start_registers(s, b, now);
    memset(s->missing, 0, block->count * sizeof *s->missing);
    memset(s->earliest, 0, block->count * sizeof *s->earliest);
    for (size_t e = 0; e < s->edge_count; e++) s->missing[s->edges[e].to]++;
    for (uint32_t i = 0; i < movable; i++)
        if (s->missing[i] == 0) get_ready(s, first, i, &count);
    for (uint32_t at = 0; at < movable; at++) {
        const uint32_t chosen = choose(s, count, now, bound, cycle), i = s->ready[chosen];
        s->ready[chosen] = s->ready[--count];
        s->order[at] = i;
        if (s->earliest[i] > cycle) cycle = s->earliest[i];
        take_registers(s, first, i, now);
        for (uint32_t k = s->next_edge[i]; k < s->next_edge[i + 1]; k++) {
            const edge *const e = &s->edges[k];
            if (cycle + e->cycles > s->earliest[e->to]) s->earliest[e->to] = cycle + e->cycles;
            if (--s->missing[e->to] == 0 && e->to < movable) get_ready(s, first, e->to, &count);
        }
        cycle++;
    }
    if (movable < block->count) s->order[movable] = movable;
}

/* The block in the first order that needs no more registers than it may; else as it was. */
static void schedule_block(scheduler *s, uint32_t b) {
    const rf_kblock *const block = &s->kernel->block[b];
    rf_kinst *const inst = &s->kernel->inst[block->first];
    uint32_t was[FILES], is[FILES], bound[FILES];
    if (block->count < 2) return;
    find_edges(s, block->first, block->count);
    if (s->no_room) return;
    pressure(s, b, inst, was);
    for (uint32_t f = 0; f < FILES; f++) {
        if (was[f] < s->bound[f]) was[f] = s->bound[f];
        bound[f] = was[f];
    }
    for (uint32_t attempt = 0; attempt < ATTEMPTS; attempt++) {
        list_schedule(s, b, bound);
        for (uint32_t i = 0; i < block->count; i++) s->copy[i] = inst[s->order[i]];
        pressure(s, b, s->copy, is);
        if (is[WORDS] <= was[WORDS] && is[PREDICATES] <= was[PREDICATES]) {
            memcpy(inst, s->copy, block->count * sizeof *inst);
            return;
        }
        for (uint32_t f = 0; f < FILES; f++)
            if (is[f] > was[f]) bound[f] -= (bound[f] + 3) / 4;
    }
}

static bool make_room(scheduler *s) {
    const size_t names = (size_t)s->live.names + 1;
    size_t longest = 0;
    for (uint32_t b = 0; b < s->kernel->nblock; b++)
        if (s->kernel->block[b].count > longest) longest = s->kernel->block[b].count;
    s->writer = malloc(names * sizeof *s->writer);
    s->reader = calloc(names, sizeof *s->reader);
    s->readers = calloc(names, sizeof *s->readers);
    s->left = malloc(names * sizeof *s->left);
    s->left_sum = malloc(names * sizeof *s->left_sum);
    s->is_live = malloc(names);
    uint32_t **const per_inst[] = {&s->next_edge, &s->height, &s->missing, &s->earliest, &s->base, &s->ready, &s->order};
    bool room = s->writer && s->reader && s->readers && s->left && s->left_sum && s->is_live;
    for (uint32_t f = 0; f < FILES; f++) room &= (s->grows[f] = malloc((longest + 1) * sizeof *s->grows[f])) != NULL;
    for (size_t i = 0; i < sizeof per_inst / sizeof *per_inst; i++)
        room &= (*per_inst[i] = malloc((longest + 1) * sizeof **per_inst[i])) != NULL;
    s->set = malloc((s->live.set_words + 1) * sizeof *s->set);
    s->copy = malloc((longest + 1) * sizeof *s->copy);
    return room && s->set && s->copy;
}

static void free_room(scheduler *s) {
    for (size_t n = 0; s->reader && n <= s->live.names; n++) free(s->reader[n]);
    void *const all[] = {s->writer,    s->reader, s->readers, s->left,     s->left_sum, s->is_live,      s->edges,
                         s->next_edge, s->height, s->missing, s->earliest, s->base,     s->grows[WORDS], s->grows[PREDICATES],
                         s->ready,     s->order,  s->set,     s->copy};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    rf_liveness_free(&s->live);
}

int rf_schedule(rf_kernel *kernel, uint32_t words, uint32_t predicates, char *error, size_t size) {
    rf_kernel made;
    scheduler s = {.kernel = &made, .bound = {words, predicates}};
    if (kernel->allocated) {
        (void)snprintf(error, size, "kernel %s: its registers are allocated already", kernel->name ? kernel->name : "?");
        return -1;
    }
    bool room = rf_kernel_copy(&made, kernel) == 0;
    if (room && rf_liveness_compute(&s.live, &made, RF_LIVE_LANE) == 0) {
        room = make_room(&s);
        for (uint32_t b = 0; room && b < made.nblock && !s.no_room; b++) schedule_block(&s, b);
        room &= !s.no_room;
        free_room(&s);
        if (!room) rf_kernel_free(&made);
    } else if (room) {
        rf_kernel_free(&made);
        room = false;
    }
    if (!room) {
        (void)snprintf(error, size, "kernel %s: no memory", kernel->name ? kernel->name : "?");
        return -1;
    }
    rf_kernel_free(kernel);
    *kernel = made;
    return 0;
}
