/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/compiler/rf_liveness.h"

#include <stdlib.h>
#include <string.h>

#include "cmodel/compiler/rf_divergence.h"
#include "cmodel/compiler/rf_names.h"

#define SETS_BYTES_MAX (UINT64_C(1) << 30) /* of one array of sets: a kernel that needs more is taken as no memory */

static void add_name(uint32_t name, uint32_t *list, uint32_t *count) {
    for (uint32_t i = 0; i < *count; i++)
        if (list[i] == name) return;
    list[(*count)++] = name;
}

static void add_operand(const rf_kernel *kernel, const rf_koperand *operand, uint32_t *list, uint32_t *count) {
    uint32_t first = 0;
    const uint32_t n = rf_names_of(kernel, operand, &first);
    for (uint32_t i = 0; i < n; i++) add_name(first + i, list, count);
}

void rf_liveness_names(const rf_liveness *live, const rf_kinst *inst, uint32_t *read, uint32_t *nread, uint32_t *written,
                       uint32_t *nwritten, bool *partial) {
    *nread = *nwritten = 0;
    *partial = inst->guard != RF_KNONE;
    if (*partial) add_name(rf_names_of_predicate(live->kernel, inst->guard), read, nread);
    for (uint32_t s = 0; s < inst->nsrc; s++) add_operand(live->kernel, &inst->src[s], read, nread);
    for (uint32_t d = 0; d < inst->ndst; d++) add_operand(live->kernel, &inst->dst[d], written, nwritten);
}

void rf_liveness_step(const rf_liveness *live, const rf_kinst *inst, uint64_t *set) {
    uint32_t read[16], written[10], nread, nwritten;
    bool partial;
    rf_liveness_names(live, inst, read, &nread, written, &nwritten, &partial);
    for (uint32_t i = 0; i < nwritten && !partial; i++) rf_set_remove(set, written[i]);
    for (uint32_t i = 0; i < nread; i++) rf_set_add(set, read[i]);
}

/* --- a lane ----------------------------------------------------------------------------------------------------------------- */

/* Blocks in postorder into `order`, those that nothing reaches behind them: successors mostly come first. */
static void postorder(const rf_kernel *kernel, uint32_t *order, uint32_t *stack, uint8_t *taken) {
    uint32_t count = 0;
    for (uint32_t root = 0; root < kernel->nblock; root++) { /* block 0, the entry, is the first */
        uint32_t depth = 0;
        if (taken[root]) continue;
        stack[depth++] = root;
        taken[root] = 1; /* one more than the edges that were followed */
        while (depth) {
            const uint32_t b = stack[depth - 1];
            const rf_kblock *const block = &kernel->block[b];
            if (taken[b] > block->nsucc) {
                order[count++] = b;
                depth--;
                continue;
            }
            const uint32_t next = block->succ[taken[b]++ - 1];
            if (taken[next]) continue;
            taken[next] = 1;
            stack[depth++] = next;
        }
    }
}

/* What each block reads before it writes it into `in`; what it writes, unguarded, into `killed`. */
static void summarise(const rf_liveness *live, uint64_t *killed) {
    const rf_kernel *const kernel = live->kernel;
    for (uint32_t b = 0; b < kernel->nblock; b++) {
        const rf_kblock *const block = &kernel->block[b];
        uint64_t *const in = live->in + (size_t)b * live->set_words, *const kill = killed + (size_t)b * live->set_words;
        for (uint32_t i = block->count; i-- > 0;) {
            const rf_kinst *const inst = &kernel->inst[block->first + i];
            uint32_t read[16], written[10], nread, nwritten;
            bool partial;
            rf_liveness_names(live, inst, read, &nread, written, &nwritten, &partial);
            for (uint32_t w = 0; w < nwritten && !partial; w++) rf_set_add(kill, written[w]);
            rf_liveness_step(live, inst, in);
        }
    }
}

/* The least solution of out = join of the successors' in, in = read or (out without killed), by a worklist that starts in
 * postorder (Kam and Ullman, "Global data flow analysis and iterative algorithms", JACM 23(1), 1976). queue: nblock + 1 entries.
 */
static void solve(const rf_liveness *live, const uint64_t *killed, uint32_t *queue, bool *queued) {
    const rf_kernel *const kernel = live->kernel;
    const uint32_t words = live->set_words, room = kernel->nblock + 1;
    uint32_t head = 0, tail = kernel->nblock;
    while (head != tail) {
        const uint32_t b = queue[head];
        const rf_kblock *const block = &kernel->block[b];
        uint64_t *const in = live->in + (size_t)b * words, *const out = live->out + (size_t)b * words;
        const uint64_t *const kill = killed + (size_t)b * words;
        uint64_t news = 0;
        head = head + 1 == room ? 0 : head + 1;
        queued[b] = false;
        for (uint32_t s = 0; s < block->nsucc; s++) (void)rf_set_join(out, live->in + (size_t)block->succ[s] * words, words);
        for (uint32_t w = 0; w < words; w++) {
            const uint64_t through = out[w] & ~kill[w] & ~in[w];
            in[w] |= through;
            news |= through;
        }
        for (uint32_t p = 0; p < block->npred && news; p++) {
            const uint32_t pred = block->pred[p];
            if (queued[pred]) continue;
            queued[pred] = true;
            queue[tail] = pred;
            tail = tail + 1 == room ? 0 : tail + 1;
        }
    }
}

static int compute_lane(rf_liveness *live) {
    const size_t blocks = live->kernel->nblock;
    uint64_t *const killed = calloc(blocks * live->set_words + 1, sizeof *killed);
    uint32_t *const queue = malloc((2 * blocks + 1) * sizeof *queue); /* and the stack of postorder */
    bool *const queued = malloc(blocks + 1);
    uint8_t *const taken = calloc(blocks + 1, 1);
    const bool room = killed && queue && queued && taken;
    if (room) {
        postorder(live->kernel, queue, queue + blocks + 1, taken);
        memset(queued, true, blocks);
        summarise(live, killed);
        solve(live, killed, queue, queued);
    }
    free(killed);
    free(queue);
    free(queued);
    free(taken);
    return room ? 0 : -1;
}

/* --- a warp ----------------------------------------------------------------------------------------------------------------- */

/* While one way of block b's branch runs, lanes may wait at the start of the other way, which runs before or after it, and where
 * the ways meet: what is live there lives in every block of this way. */
static void add_pending(rf_liveness *live, uint32_t b, uint32_t *list, bool *seen) {
    const rf_kblock *const block = &live->kernel->block[b];
    const uint32_t words = live->set_words, meet = block->ipdom;
    for (uint32_t way = 0; way < 2; way++) {
        const uint32_t count = rf_divergence_region(live->kernel, block->succ[way], meet, list, seen);
        const uint64_t *const other = live->in + (size_t)block->succ[1 - way] * words;
        for (uint32_t i = 0; i < count; i++) {
            uint64_t *const pending = live->pending + (size_t)list[i] * words;
            (void)rf_set_join(pending, other, words);
            if (meet != RF_KNONE) (void)rf_set_join(pending, live->in + (size_t)meet * words, words);
        }
    }
}

/* From the lanes' sets: first `pending` of every block, from them alone, then joined to them. */
static int compute_warp(rf_liveness *live) {
    const size_t blocks = live->kernel->nblock;
    rf_divergence divergence;
    live->pending = calloc(blocks * live->set_words + 1, sizeof *live->pending);
    uint32_t *const list = malloc((blocks + 1) * sizeof *list);
    bool *const seen = calloc(blocks + 1, sizeof *seen);
    const bool room = live->pending && list && seen && rf_divergence_compute(&divergence, live->kernel) == 0;
    if (room) {
        for (uint32_t b = 0; b < blocks; b++)
            if (divergence.branch[b]) add_pending(live, b, list, seen);
        (void)rf_set_join(live->in, live->pending, (uint32_t)blocks * live->set_words);
        (void)rf_set_join(live->out, live->pending, (uint32_t)blocks * live->set_words);
        rf_divergence_free(&divergence);
    }
    free(list);
    free(seen);
    return room ? 0 : -1;
}

int rf_liveness_compute(rf_liveness *live, const rf_kernel *kernel, rf_live_view view) {
    const uint32_t names = rf_names_count(kernel), words = names / 64 + (names % 64 != 0);
    const uint64_t sets = (uint64_t)kernel->nblock * words;
    *live = (rf_liveness){.kernel = kernel, .names = names, .set_words = words};
    if (sets > SETS_BYTES_MAX / sizeof(uint64_t)) return -1;
    live->in = calloc(sets + 1, sizeof *live->in);
    live->out = calloc(sets + 1, sizeof *live->out);
    if (live->in && live->out && compute_lane(live) == 0 && (view == RF_LIVE_LANE || compute_warp(live) == 0)) return 0;
    rf_liveness_free(live);
    return -1;
}

void rf_liveness_free(rf_liveness *live) {
    free(live->in);
    free(live->out);
    free(live->pending);
    *live = (rf_liveness){0};
}

void rf_liveness_after(const rf_liveness *live, uint32_t inst, uint64_t *set) {
    const uint32_t b = rf_kernel_block_of(live->kernel, inst);
    const rf_kblock *const block = &live->kernel->block[b];
    memcpy(set, live->out + (size_t)b * live->set_words, live->set_words * sizeof *set);
    for (uint32_t i = block->first + block->count; i-- > inst + 1;) rf_liveness_step(live, &live->kernel->inst[i], set);
    if (live->pending) (void)rf_set_join(set, live->pending + (size_t)b * live->set_words, live->set_words);
}
