/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs, sparse matrices, trees, text, hashing, sequences, clustering. */
#include "tb/workload/rf_kernels_run.h"

typedef struct csr {
    uint32_t rows, entries;
    int32_t *row, *column; /* rows + 1, entries */
} csr;

/* Rows of 0 .. most-1 entries, most of them short: lanes of a warp have different amounts of work. Columns at random. */
static csr random_rows(rf_kernels_run *run, uint32_t rows, uint32_t most) {
    csr m = {.rows = rows, .row = rf_run_host(run, (rows + 1) * sizeof *m.row)};
    for (uint32_t r = 0; r < rows; r++) {
        const uint32_t bound = 1 + ls_rng_below(rf_run_rng(run), most);
        m.entries += ls_rng_below(rf_run_rng(run), bound);
        m.row[r + 1] = (int32_t)m.entries;
    }
    m.column = (int32_t *)rf_run_words(run, m.entries, rows);
    return m;
}

/* A graph of a few vertices with many neighbours and many with few: half as many have twice the degree. */
static csr scale_free(rf_kernels_run *run, uint32_t rows) {
    csr m = {.rows = rows, .row = rf_run_host(run, (rows + 1) * sizeof *m.row)};
    for (uint32_t r = 0; r < rows; r++) {
        uint32_t degree = 2;
        while (degree < 256 && ls_rng_below(rf_run_rng(run), 2) == 0) degree *= 2;
        m.entries += degree;
        m.row[r + 1] = (int32_t)m.entries;
    }
    m.column = (int32_t *)rf_run_words(run, m.entries, rows);
    return m;
}

/* Five points of a grid and their neighbours: the matrix of a Laplace operator, values in the order of the columns. */
static csr five_points(rf_kernels_run *run, uint32_t rows, float **values) {
    const uint32_t width = (uint32_t)sqrt((double)rows);
    csr m = {.rows = rows, .row = rf_run_host(run, (rows + 1) * sizeof *m.row)};
    m.column = rf_run_host(run, 5 * (size_t)rows * sizeof *m.column);
    *values = rf_run_host(run, 5 * (size_t)rows * sizeof **values);
    const int64_t steps[5] = {-(int64_t)width, -1, 0, 1, width};
    for (uint32_t r = 0; r < rows; r++) {
        for (uint32_t k = 0; k < 5; k++) {
            const int64_t column = r + steps[k];
            if (column < 0 || column >= rows) continue;
            (*values)[m.entries] = k == 2 ? 4 : -1;
            m.column[m.entries++] = (int32_t)column;
        }
        m.row[r + 1] = (int32_t)m.entries;
    }
    return m;
}

void rf_run_bfs(rf_kernels_run *run, bool large) {
    const uint32_t vertices = large ? 12000 : 1500;
    const csr graph = rf_run_papers_inputs(run) ? scale_free(run, vertices) : random_rows(run, vertices, 14);
    const size_t bytes = vertices * sizeof(int32_t);
    int32_t *const distance = rf_run_host(run, bytes), *const queue = rf_run_host(run, bytes);
    uint32_t source = 0;
    while (graph.row[source + 1] - graph.row[source] < 5) source++;
    for (uint32_t v = 0; v < vertices; v++) distance[v] = -1;
    distance[source] = 0;
    queue[0] = (int32_t)source;
    const uint64_t d_distance = rf_run_upload(run, distance, bytes),
                   d_row = rf_run_upload(run, graph.row, bytes + sizeof(int32_t));
    const uint64_t d_column = rf_run_upload(run, graph.column, graph.entries * sizeof *graph.column);
    const uint64_t d_size = rf_run_device(run, sizeof(int32_t));
    uint64_t d_frontier = rf_run_upload(run, queue, bytes), d_next = rf_run_device(run, bytes);
    uint32_t reached = 1;
    int32_t size = 1;
    for (int32_t level = 1; size > 0; level++) {
        const int32_t zero = 0;
        rf_run_write(run, d_size, &zero, sizeof zero);
        rf_run_launch(run, "bfs", (rf_dim){rf_run_ceil((uint32_t)size, 128), 0}, (rf_dim){128, 0},
                      RF_RUN_VALUES(d_distance, d_next, d_size, d_frontier, d_row, d_column, size, level));
        rf_run_read(run, d_size, &size, sizeof size);
        if (size < 0 || (uint32_t)size > vertices - reached) rf_run_fail(run, "a level of %d vertices", size);
        reached += (uint32_t)size;
        const uint64_t d_old = d_frontier;
        d_frontier = d_next, d_next = d_old;
    }
    uint32_t begin = 0, end = 1;
    for (; begin < end; begin++)
        for (int32_t e = graph.row[queue[begin]]; e < graph.row[queue[begin] + 1]; e++) {
            const int32_t neighbour = graph.column[e];
            if (distance[neighbour] >= 0) continue;
            distance[neighbour] = distance[queue[begin]] + 1;
            queue[end++] = neighbour;
        }
    rf_run_same_u32(run, "distance", d_distance, (const uint32_t *)distance, vertices);
    if (reached != end) rf_run_fail(run, "%u vertices went through the queue, the reference has %u", reached, end);
}

static void spmv(rf_kernels_run *run, bool by_warp, uint32_t rows, uint32_t most) {
    float *value = NULL;
    const csr m = rf_run_papers_inputs(run) ? five_points(run, rows, &value) : random_rows(run, rows, most);
    if (!rf_run_papers_inputs(run)) value = rf_run_floats(run, m.entries, -1, 1);
    const float *const x = rf_run_floats(run, rows, -1, 1);
    float *const y = rf_run_host(run, rows * sizeof *y);
    const uint64_t d_y = rf_run_device(run, rows * sizeof *y);
    rf_run_launch(
        run, by_warp ? "spmv_vector" : "spmv_scalar", (rf_dim){rf_run_ceil(by_warp ? rows * 32 : rows, 128), 0}, (rf_dim){128, 0},
        RF_RUN_VALUES(d_y, rf_run_upload(run, m.row, (rows + 1) * sizeof *m.row),
                      rf_run_upload(run, m.column, m.entries * sizeof *m.column),
                      rf_run_upload(run, value, m.entries * sizeof *value), rf_run_upload(run, x, rows * sizeof *x), rows));
    for (uint32_t r = 0; r < rows; r++) {
        float part[32] = {0};
        for (int32_t i = m.row[r]; i < m.row[r + 1]; i++) {
            float *const sum = &part[by_warp ? (i - m.row[r]) % 32 : 0];
            *sum = fmaf(value[i], x[m.column[i]], *sum);
        }
        for (uint32_t span = 16; by_warp && span > 0; span /= 2) /* addition commutes: every lane of the butterfly has this sum */
            for (uint32_t lane = 0; lane < span; lane++) part[lane] += part[lane + span];
        y[r] = part[0];
    }
    rf_run_same_f32(run, "y", d_y, y, rows);
}

void rf_run_spmv_scalar(rf_kernels_run *run, bool large) { spmv(run, false, large ? 20000 : 1000, 30); }
void rf_run_spmv_vector(rf_kernels_run *run, bool large) { spmv(run, true, large ? 3000 : 100, 300); }

void rf_run_strsearch(rf_kernels_run *run, bool large) {
    static const char word[] = "abacab";
    const uint32_t length = large ? 95000 : 6000, threads = 128, blocks = rf_run_ceil(length, threads),
                   words = blocks * threads / 32;
    const uint32_t word_length = sizeof word - 1;
    uint8_t *const text = rf_run_host(run, length);
    uint32_t *const found = rf_run_host(run, words * sizeof *found), count = 0;
    const uint64_t d_found = rf_run_device(run, words * sizeof *found), d_count = rf_run_device(run, sizeof count);
    for (uint32_t i = 0; i < length; i++) text[i] = (uint8_t)("aaabbc"[ls_rng_below(rf_run_rng(run), 6)]);
    for (uint32_t i = 0; i + word_length <= length; i += 97) memcpy(text + i, word, word_length);
    rf_run_symbol(run, "word", word, word_length);
    rf_run_launch(run, "strsearch", (rf_dim){blocks, 0}, (rf_dim){threads, 0},
                  RF_RUN_VALUES(d_found, d_count, rf_run_upload(run, text, length), length, word_length));
    for (uint32_t i = 0; i + word_length <= length; i++) {
        if (memcmp(text + i, word, word_length) != 0) continue;
        found[i / 32] |= UINT32_C(1) << i % 32;
        count++;
    }
    rf_run_same_u32(run, "found", d_found, found, words);
    rf_run_same_u32(run, "count", d_count, &count, 1);
}

static uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* The high half of a 128-bit product, from four of 64 bits. */
static uint64_t high_product(uint64_t a, uint64_t b) {
    const uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX), one = (a >> 32) * (b & UINT32_MAX),
                   two = (a & UINT32_MAX) * (b >> 32);
    const uint64_t middle = (low >> 32) + (one & UINT32_MAX) + (two & UINT32_MAX);
    return (a >> 32) * (b >> 32) + (one >> 32) + (two >> 32) + (middle >> 32);
}

void rf_run_hash64(rf_kernels_run *run, bool large) {
    const uint32_t n = large ? 14000 : 1500, rounds = large ? 7 : 5, buckets = 1021;
    const uint64_t seed = UINT64_C(0x0123456789abcdef), factor = UINT64_C(0xd6e8feb86659fd93);
    uint64_t *const key = rf_run_host(run, n * sizeof *key), *const hash = rf_run_host(run, n * sizeof *hash);
    uint32_t *const bucket = rf_run_host(run, n * sizeof *bucket);
    const uint64_t d_hash = rf_run_device(run, n * sizeof *hash), d_bucket = rf_run_device(run, n * sizeof *bucket);
    for (uint32_t i = 0; i < n; i++) key[i] = ls_rng_u64(rf_run_rng(run));
    rf_run_launch(run, "hash64", (rf_dim){rf_run_ceil(n, 128), 0}, (rf_dim){128, 0},
                  RF_RUN_VALUES(d_hash, d_bucket, rf_run_upload(run, key, n * sizeof *key), seed, rounds, buckets, n));
    for (uint32_t i = 0; i < n; i++) {
        uint64_t h = key[i] ^ seed;
        for (uint32_t r = 0; r < rounds; r++) {
            h = mix(h + UINT64_C(0x9e3779b97f4a7c15)) | 1;
            h = high_product(h, factor) ^ h * factor;
            h = h << 23 | h >> 41;
        }
        hash[i] = h;
        bucket[i] = (uint32_t)(h >> 32) % buckets;
    }
    rf_run_same_u64(run, "hash", d_hash, hash, n);
    rf_run_same_u32(run, "bucket", d_bucket, bucket, n);
}

void rf_run_kmeans(rf_kernels_run *run, bool large) {
    const uint32_t n = large ? 2200 : 500, features = large ? 18 : 11, centres = large ? 12 : 5;
    const float *const point = rf_run_floats(run, n * features, -1, 1), *const centre =
                                                                            rf_run_floats(run, centres * features, -1, 1);
    uint32_t *const member = rf_run_words(run, n, centres), changed = 0;
    const uint64_t d_member = rf_run_upload(run, member, n * sizeof *member), d_changed = rf_run_device(run, sizeof changed);
    rf_run_symbol(run, "centre", centre, centres * features * sizeof *centre);
    rf_run_launch(
        run, "kmeans", (rf_dim){rf_run_ceil(n, 128), 0}, (rf_dim){128, 0},
        RF_RUN_VALUES(d_member, d_changed, rf_run_upload(run, point, n * features * sizeof *point), n, features, centres));
    for (uint32_t i = 0; i < n; i++) {
        float best = INFINITY;
        uint32_t nearest = 0;
        for (uint32_t c = 0; c < centres; c++) {
            float distance = 0;
            for (uint32_t f = 0; f < features; f++) {
                const float d = point[f * n + i] - centre[c * features + f];
                distance = fmaf(d, d, distance);
            }
            if (distance < best) best = distance, nearest = c;
        }
        changed += member[i] != nearest;
        member[i] = nearest;
    }
    rf_run_same_u32(run, "member", d_member, member, n);
    rf_run_same_u32(run, "changed", d_changed, &changed, 1);
}

static float square_distance(const float *point, uint32_t n, uint32_t dimensions, uint32_t i, uint32_t j) {
    float distance = 0;
    for (uint32_t d = 0; d < dimensions; d++) {
        const float along = point[d * n + i] - point[d * n + j];
        distance = fmaf(along, along, distance);
    }
    return distance;
}

void rf_run_streamcluster(rf_kernels_run *run, bool large) {
    const uint32_t n = large ? 5000 : 330, dimensions = large ? 62 : 39, centres = large ? 12 : 5, threads = large ? 256 : 32;
    const float *const point = rf_run_floats(run, n * dimensions, 0, 1);
    float *const weight = rf_run_host(run, n * sizeof *weight), *const cost = rf_run_host(run, n * sizeof *cost);
    float *const saved = rf_run_host(run, n * (centres + 1) * sizeof *saved);
    uint32_t *const centre = rf_run_host(run, n * sizeof *centre), *const switches = rf_run_host(run, n * sizeof *switches);
    const uint32_t *const open = rf_run_words(run, centres, n), candidate = ls_rng_below(rf_run_rng(run), n);
    for (uint32_t i = 0; i < n; i++) {
        weight[i] = (float)(1 + ls_rng_below(rf_run_rng(run), 3)); /* points that one stands for */
        for (uint32_t c = 0; c < centres; c++) {
            const float distance = square_distance(point, n, dimensions, i, open[c]) * weight[i];
            if (c == 0 || distance < cost[i]) cost[i] = distance, centre[i] = c;
        }
    }
    const uint64_t d_saved = rf_run_device(run, n * (centres + 1) * sizeof *saved);
    const uint64_t d_switches = rf_run_device(run, n * sizeof *switches);
    rf_run_launch(run, "streamcluster", (rf_dim){rf_run_ceil(n, threads), 0}, (rf_dim){threads, 0},
                  RF_RUN_VALUES(d_saved, d_switches, rf_run_upload(run, point, n * dimensions * sizeof *point),
                                rf_run_upload(run, weight, n * sizeof *weight), rf_run_upload(run, cost, n * sizeof *cost),
                                rf_run_upload(run, centre, n * sizeof *centre), n, dimensions, centres, candidate));
    for (uint32_t i = 0; i < n; i++) {
        const float change = fmaf(square_distance(point, n, dimensions, i, candidate), weight[i], -cost[i]);
        switches[i] = change < 0;
        saved[i * (centres + 1) + (change < 0 ? centres : centre[i])] = change < 0 ? change : -change;
    }
    rf_run_same_u32(run, "switches", d_switches, switches, n);
    rf_run_same_f32(run, "saved", d_saved, saved, n * (centres + 1));
}

void rf_run_sobol(rf_kernels_run *run, bool large) {
    enum { DIMENSIONS = 7, BITS = 32, THREADS = 64 };
    static const uint32_t primitive[DIMENSIONS] = {3, 7, 11, 13, 19, 25, 37}; /* polynomials over GF(2), a bit a power */
    const uint32_t dimensions = large ? DIMENSIONS : 3, n = large ? 25000 : 1500, log_stride = large ? 9 : 7;
    uint32_t direction[DIMENSIONS][BITS];
    float *const point = rf_run_host(run, dimensions * n * sizeof *point);
    for (uint32_t d = 0; d < dimensions; d++) {
        uint32_t degree = 0, number[BITS] = {0}; /* number[k]: odd, less than 2^(k + 1) */
        while (primitive[d] >> (degree + 1) != 0) degree++;
        for (uint32_t k = 0; k < BITS; k++) {
            if (k < degree) number[k] = 2 * ls_rng_below(rf_run_rng(run), UINT32_C(1) << k) + 1;
            else {
                number[k] = number[k - degree];
                for (uint32_t power = 1; power <= degree; power++)
                    if (primitive[d] >> (degree - power) & 1) number[k] ^= number[k - power] << power;
            }
            direction[d][k] = number[k] << (BITS - 1 - k);
        }
    }
    const uint64_t d_point = rf_run_device(run, dimensions * n * sizeof *point);
    rf_run_launch(run, "sobol", (rf_dim){(UINT32_C(1) << log_stride) / THREADS, dimensions}, (rf_dim){THREADS, 0},
                  RF_RUN_VALUES(d_point, rf_run_upload(run, direction, sizeof direction), n, log_stride));
    for (uint32_t d = 0; d < dimensions; d++)
        for (uint32_t i = 0, x = 0; i < n; i++) { /* one direction number from point to point: that of the lowest 0 */
            point[d * n + i] = (float)x * 0x1p-32f;
            x ^= direction[d][__builtin_ctz(~i)];
        }
    rf_run_same_f32(run, "point", d_point, point, dimensions * n);
}

void rf_run_btree(rf_kernels_run *run, bool large) {
    enum { ORDER = 32, FILL = 20 }; /* places of a node, and how many are taken: two thirds, as insertions leave them */
    const uint32_t records = large ? 9000 : 900, queries = large ? 1500 : 50;
    int32_t *const sorted = rf_run_host(run, records * sizeof *sorted);
    const uint32_t *const record = rf_run_words(run, records, 0);
    uint32_t *const found = rf_run_host(run, queries * sizeof *found), height = 0, nodes = 1;
    for (uint32_t i = 0, last = 0; i < records; i++) sorted[i] = (int32_t)(last += 1 + ls_rng_below(rf_run_rng(run), 3));
    for (uint32_t width = FILL; width < records; width *= FILL) height++, nodes += width;
    int32_t *const key = rf_run_host(run, nodes * (ORDER + 1) * sizeof *key);
    int32_t *const child = rf_run_host(run, nodes * ORDER * sizeof *child);
    for (uint32_t i = 0; i < nodes * (ORDER + 1); i++) key[i] = INT32_MAX;
    for (uint32_t level = 0, width = 1, node = 0; level <= height; node += width, width *= FILL, level++) {
        uint32_t each = 1; /* records of a child */
        for (uint32_t below = level; below < height; below++) each *= FILL;
        for (uint32_t i = 0; i < width * FILL; i++) {
            const uint32_t first = i * each, at = node + i / FILL, k = i % FILL;
            if (first >= records) break;
            key[at * (ORDER + 1) + k] = sorted[first];
            if (first + each < records) key[at * (ORDER + 1) + k + 1] = sorted[first + each];
            child[at * ORDER + k] = (int32_t)(level < height ? node + width + i : first);
        }
        if (level < height) key[node * (ORDER + 1)] = 0;
    }
    const uint32_t *const query = rf_run_words(run, queries, (uint32_t)sorted[records - 1] + 2);
    memset(found, 0xff, queries * sizeof *found);
    const uint64_t d_found = rf_run_upload(run, found, queries * sizeof *found);
    rf_run_launch(run, "btree", (rf_dim){queries, 0}, (rf_dim){ORDER, 0},
                  RF_RUN_VALUES(d_found, rf_run_upload(run, key, nodes * (ORDER + 1) * sizeof *key),
                                rf_run_upload(run, child, nodes * ORDER * sizeof *child),
                                rf_run_upload(run, record, records * sizeof *record),
                                rf_run_upload(run, query, queries * sizeof *query), height));
    for (uint32_t q = 0; q < queries; q++)
        for (uint32_t i = 0; i < records; i++)
            if (sorted[i] == (int32_t)query[q]) found[q] = record[i];
    rf_run_same_u32(run, "found", d_found, found, queries);
}
