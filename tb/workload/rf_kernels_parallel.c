/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions, scans, sorting and dynamic programming: work that threads do together. */
#include "tb/workload/rf_kernels_run.h"

#include <stdlib.h>

enum { REDUCE_THREADS = 256, WARP_LANES = 32 };

/* What each thread of a block has summed up over its grid stride. */
static void strided_sums(float sum[REDUCE_THREADS], const float *in, uint32_t n, uint32_t block, uint32_t blocks) {
    for (uint32_t t = 0; t < REDUCE_THREADS; t++) {
        sum[t] = 0;
        for (uint32_t i = block * REDUCE_THREADS + t; i < n; i += blocks * REDUCE_THREADS) sum[t] += in[i];
    }
}

/* One warp's sum by shuffles downwards: lanes without a partner add their own value, which lane 0 never sees. */
static float shuffled_sum(const float *value, uint32_t lanes) {
    float now[WARP_LANES];
    memcpy(now, value, lanes * sizeof *now);
    for (uint32_t delta = lanes / 2; delta > 0; delta /= 2)
        for (uint32_t lane = 0; lane < delta; lane++) now[lane] += now[lane + delta];
    return now[0];
}

static void reduce(rf_kernels_run *run, bool large, const char *kernel, bool shuffle) {
    const uint32_t n = large ? 600007 : 20007, blocks = large ? 24 : 4;
    const float *const in = rf_run_floats(run, n, -1, 1);
    float *const out = rf_run_host(run, blocks * sizeof *out);
    const uint64_t d_out = rf_run_device(run, blocks * sizeof *out);
    rf_run_launch(run, kernel, (rf_dim){blocks, 0}, (rf_dim){REDUCE_THREADS, 0},
                  RF_RUN_VALUES(d_out, rf_run_upload(run, in, n * sizeof *in), n));
    for (uint32_t block = 0; block < blocks; block++) {
        float sum[REDUCE_THREADS], part[REDUCE_THREADS / WARP_LANES];
        strided_sums(sum, in, n, block, blocks);
        if (shuffle) {
            for (uint32_t w = 0; w < REDUCE_THREADS / WARP_LANES; w++) part[w] = shuffled_sum(sum + w * WARP_LANES, WARP_LANES);
            out[block] = shuffled_sum(part, REDUCE_THREADS / WARP_LANES);
        } else {
            for (uint32_t span = REDUCE_THREADS / 2; span > 0; span /= 2)
                for (uint32_t t = 0; t < span; t++) sum[t] += sum[t + span];
            out[block] = sum[0];
        }
    }
    rf_run_same_f32(run, "out", d_out, out, blocks);
}

void rf_run_reduce_tree(rf_kernels_run *run, bool large) { reduce(run, large, "reduce_tree", false); }
void rf_run_reduce_shuffle(rf_kernels_run *run, bool large) { reduce(run, large, "reduce_shuffle", true); }

void rf_run_scan(rf_kernels_run *run, bool large) {
    const uint32_t each = 512, threads = 256, n = large ? 100001 : 4001, blocks = rf_run_ceil(n, each); /* at most 512 blocks */
    const uint32_t *const in = rf_run_words(run, n, 0);
    uint32_t *const out = rf_run_host(run, n * sizeof *out), *const before = rf_run_host(run, blocks * sizeof *before), sum = 0;
    const uint64_t d_out = rf_run_device(run, n * sizeof *out), d_total = rf_run_device(run, blocks * sizeof *before);
    const uint64_t d_before = rf_run_device(run, blocks * sizeof *before), d_all = rf_run_device(run, sizeof sum);
    rf_run_launch(run, "scan_blocks", (rf_dim){blocks, 0}, (rf_dim){threads, 0},
                  RF_RUN_VALUES(d_out, d_total, rf_run_upload(run, in, n * sizeof *in), n));
    rf_run_launch(run, "scan_blocks", (rf_dim){1, 0}, (rf_dim){threads, 0}, RF_RUN_VALUES(d_before, d_all, d_total, blocks));
    rf_run_launch(run, "scan_add", (rf_dim){blocks, 0}, (rf_dim){threads, 0}, RF_RUN_VALUES(d_out, d_before, n));
    for (uint32_t i = 0; i < n; i++) {
        if (i % each == 0) before[i / each] = sum;
        out[i] = sum;
        sum += in[i];
    }
    rf_run_same_u32(run, "out", d_out, out, n);
    rf_run_same_u32(run, "before", d_before, before, blocks);
    rf_run_same_u32(run, "all", d_all, &sum, 1);
}

void rf_run_histogram(rf_kernels_run *run, bool large) {
    const uint32_t words = large ? 200000 : 8000, blocks = large ? 24 : 4;
    uint32_t *const data = rf_run_words(run, words, 0), bins[256] = {0};
    const uint32_t *const mask = rf_run_words(run, words, 0);
    for (uint32_t i = 0; i < words; i++) data[i] &= mask[i] | 0x0f0f0f0f; /* uneven: high nibbles tend to 0 */
    const uint64_t d_bins = rf_run_device(run, sizeof bins);
    rf_run_launch(run, "histogram", (rf_dim){blocks, 0}, (rf_dim){128, 0},
                  RF_RUN_VALUES(d_bins, rf_run_upload(run, data, words * sizeof *data), words));
    for (uint32_t i = 0; i < words; i++)
        for (uint32_t shift = 0; shift < 32; shift += 8) bins[data[i] >> shift & 255]++;
    rf_run_same_u32(run, "bins", d_bins, bins, 256);
}

typedef struct sort_pair {
    uint32_t key, value;
} sort_pair;

static int by_key(const void *a, const void *b) {
    const sort_pair *const x = a, *const y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

void rf_run_bitonic(rf_kernels_run *run, bool large) {
    enum { EACH = 512 };
    const uint32_t blocks = large ? 24 : 2, n = blocks * EACH;
    uint32_t *const key = rf_run_words(run, n, 0), *const value = rf_run_words(run, n, 0);
    for (uint32_t i = 0; i < n; i++) key[i] = (key[i] & ~(EACH - 1u)) | i % EACH; /* no two alike in a block */
    const uint64_t d_key = rf_run_upload(run, key, n * sizeof *key), d_value = rf_run_upload(run, value, n * sizeof *value);
    rf_run_launch(run, "bitonic", (rf_dim){blocks, 0}, (rf_dim){EACH / 2, 0}, RF_RUN_VALUES(d_key, d_value));
    for (uint32_t block = 0; block < blocks; block++) {
        sort_pair pair[EACH];
        for (uint32_t i = 0; i < EACH; i++) pair[i] = (sort_pair){key[block * EACH + i], value[block * EACH + i]};
        qsort(pair, EACH, sizeof *pair, by_key);
        for (uint32_t i = 0; i < EACH; i++) {
            const uint32_t to = block * EACH + (block & 1 ? EACH - 1 - i : i);
            key[to] = pair[i].key, value[to] = pair[i].value;
        }
    }
    rf_run_same_u32(run, "key", d_key, key, n);
    rf_run_same_u32(run, "value", d_value, value, n);
}

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }
static int32_t smaller(int32_t a, int32_t b) { return a < b ? a : b; }

void rf_run_needle(rf_kernels_run *run, bool large) {
    const int32_t tile = 32, tiles = large ? 10 : 2, n = tile * tiles, columns = n + 1, penalty = 3;
    const size_t cells = (size_t)columns * (size_t)columns;
    uint8_t *const a = rf_run_host(run, (size_t)n), *const b = rf_run_host(run, (size_t)n);
    int32_t *const score = rf_run_host(run, cells * sizeof *score), similarity[16];
    for (int32_t i = 0; i < n; i++) {
        a[i] = (uint8_t)ls_rng_below(rf_run_rng(run), 4);
        b[i] = ls_rng_chance(rf_run_rng(run), 160) ? a[i] : (uint8_t)ls_rng_below(rf_run_rng(run), 4);
    }
    for (int32_t i = 0; i < 16; i++) similarity[i] = i / 4 == i % 4 ? 5 : -1 - (i / 4 + i % 4) % 3;
    for (int32_t i = 0; i <= n; i++) score[i] = score[i * columns] = -penalty * i;
    const uint64_t d_score = rf_run_upload(run, score, cells * sizeof *score),
                   d_similarity = rf_run_upload(run, similarity, sizeof similarity);
    const uint64_t d_a = rf_run_upload(run, a, (size_t)n), d_b = rf_run_upload(run, b, (size_t)n);
    for (int32_t diagonal = 0; diagonal < 2 * tiles - 1; diagonal++) {
        const int32_t row = smaller(diagonal, tiles - 1), column = diagonal - row, count = row - column + 1;
        rf_run_launch(run, "needle", (rf_dim){(uint32_t)count, 0}, (rf_dim){(uint32_t)tile, 0},
                      RF_RUN_VALUES(d_score, d_similarity, d_a, d_b, columns, row, column, penalty));
    }
    for (int32_t y = 1; y <= n; y++)
        for (int32_t x = 1; x <= n; x++) {
            int32_t *const here = score + y * columns + x;
            const int32_t gap = larger(here[-1], *(here - columns)) - penalty;
            *here = larger(*(here - columns - 1) + similarity[a[y - 1] * 4 + b[x - 1]], gap);
        }
    rf_run_same_u32(run, "score", d_score, (const uint32_t *)score, cells);
}

void rf_run_pathfinder(rf_kernels_run *run, bool large) {
    const int32_t columns = large ? 2000 : 300, launches = large ? 6 : 2, rows = 10, threads = 128;
    const uint32_t *const cost = rf_run_words(run, (size_t)(columns * launches * rows), 10);
    int32_t *now = rf_run_host(run, (size_t)columns * sizeof *now), *next = rf_run_host(run, (size_t)columns * sizeof *next);
    for (int32_t x = 0; x < columns; x++) now[x] = (int32_t)ls_rng_below(rf_run_rng(run), 10);
    const uint64_t d_cost = rf_run_upload(run, cost, (size_t)(columns * launches * rows) * sizeof *cost);
    uint64_t d_now = rf_run_upload(run, now, (size_t)columns * sizeof *now),
             d_next = rf_run_device(run, (size_t)columns * sizeof *now);
    for (int32_t launch = 0; launch < launches; launch++) {
        rf_run_launch(run, "pathfinder", (rf_dim){rf_run_ceil((uint32_t)columns, (uint32_t)(threads - 2 * rows)), 0},
                      (rf_dim){(uint32_t)threads, 0},
                      RF_RUN_VALUES(d_next, d_now, d_cost + (uint64_t)(launch * rows * columns) * sizeof *cost, columns, rows));
        const uint64_t d_old = d_now;
        d_now = d_next, d_next = d_old;
    }
    for (int32_t y = 0; y < launches * rows; y++) {
        for (int32_t x = 0; x < columns; x++) {
            int32_t best = now[x];
            if (x > 0) best = smaller(best, now[x - 1]);
            if (x + 1 < columns) best = smaller(best, now[x + 1]);
            next[x] = (int32_t)cost[y * columns + x] + best;
        }
        int32_t *const old = now;
        now = next, next = old;
    }
    rf_run_same_u32(run, "out", d_now, (const uint32_t *)now, (size_t)columns);
}

static int by_key_then_value(const void *a, const void *b) {
    const sort_pair *const x = a, *const y = b;
    return x->key == y->key ? (x->value < y->value ? -1 : x->value > y->value) : by_key(a, b);
}

void rf_run_mergesort(rf_kernels_run *run, bool large) {
    enum { TILE = 128, MERGE_THREADS = 64 };
    const uint32_t n = (large ? 30 : 3) * TILE;
    uint32_t *const key = rf_run_words(run, n, n / 2), *const value = rf_run_host(run, n * sizeof *value);
    sort_pair *const pair = rf_run_host(run, n * sizeof *pair);
    for (uint32_t i = 0; i < n; i++) pair[i] = (sort_pair){key[i], i};
    for (uint32_t i = 0; i < n; i++) value[i] = i; /* so that equal keys show their order */
    const uint64_t d_in_key = rf_run_upload(run, key, n * sizeof *key), d_in_value = rf_run_upload(run, value, n * sizeof *value);
    uint64_t d_key = rf_run_device(run, n * sizeof *key), d_value = rf_run_device(run, n * sizeof *value);
    uint64_t d_next_key = rf_run_device(run, n * sizeof *key), d_next_value = rf_run_device(run, n * sizeof *value);
    rf_run_launch(run, "mergesort_tiles", (rf_dim){n / TILE, 0}, (rf_dim){TILE / 2, 0},
                  RF_RUN_VALUES(d_key, d_value, d_in_key, d_in_value));
    for (uint32_t length = TILE; length < n; length *= 2) {
        rf_run_launch(run, "mergesort_merge", (rf_dim){rf_run_ceil(n, MERGE_THREADS), 0}, (rf_dim){MERGE_THREADS, 0},
                      RF_RUN_VALUES(d_next_key, d_next_value, d_key, d_value, n, length));
        const uint64_t d_old_key = d_key, d_old_value = d_value;
        d_key = d_next_key, d_value = d_next_value;
        d_next_key = d_old_key, d_next_value = d_old_value;
    }
    qsort(pair, n, sizeof *pair, by_key_then_value);
    for (uint32_t i = 0; i < n; i++) key[i] = pair[i].key, value[i] = pair[i].value;
    rf_run_same_u32(run, "key", d_key, key, n);
    rf_run_same_u32(run, "value", d_value, value, n);
}
