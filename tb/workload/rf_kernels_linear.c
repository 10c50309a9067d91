/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors and matrices. */
#include "tb/workload/rf_kernels_run.h"

void rf_run_vecadd(rf_kernels_run *run, bool large) {
    const uint32_t n = large ? 400000 : 8190, threads = 128;
    const float *const a = rf_run_floats(run, n, -1, 1), *const b = rf_run_floats(run, n, -1, 1);
    float *const c = rf_run_host(run, n * sizeof *c);
    const uint64_t d_c = rf_run_device(run, n * sizeof *c);
    rf_run_launch(run, "vecadd", (rf_dim){rf_run_ceil(n, threads), 0}, (rf_dim){threads, 0},
                  RF_RUN_VALUES(d_c, rf_run_upload(run, a, n * sizeof *a), rf_run_upload(run, b, n * sizeof *b), n));
    for (uint32_t i = 0; i < n; i++) c[i] = a[i] + b[i];
    rf_run_same_f32(run, "c", d_c, c, n);
}

void rf_run_saxpy(rf_kernels_run *run, bool large) {
    const uint32_t n = large ? 500003 : 50003;
    const float a = 1.75f, *const x = rf_run_floats(run, n, -1, 1);
    float *const y = rf_run_floats(run, n, -1, 1);
    const uint64_t d_y = rf_run_upload(run, y, n * sizeof *y);
    rf_run_launch(run, "saxpy", (rf_dim){large ? 32 : 8, 0}, (rf_dim){128, 0},
                  RF_RUN_VALUES(d_y, rf_run_upload(run, x, n * sizeof *x), a, n));
    for (uint32_t i = 0; i < n; i++) y[i] = fmaf(a, x[i], y[i]);
    rf_run_same_f32(run, "y", d_y, y, n);
}

void rf_run_sgemm(rf_kernels_run *run, bool large) {
    const uint32_t m = large ? 192 : 64, n = 128, k = large ? 96 : 32, tile = 64;
    const float alpha = 0.75f, beta = -0.5f;
    const float *const a = rf_run_floats(run, m * k, -1, 1), *const b = rf_run_floats(run, k * n, -1, 1);
    float *const c = rf_run_floats(run, m * n, -1, 1);
    const uint64_t d_c = rf_run_upload(run, c, m * n * sizeof *c);
    rf_run_launch(run, "sgemm", (rf_dim){n / tile, m / tile}, (rf_dim){16, 16},
                  RF_RUN_VALUES(d_c, rf_run_upload(run, a, m * k * sizeof *a), rf_run_upload(run, b, k * n * sizeof *b), n, k,
                                alpha, beta));
    for (uint32_t row = 0; row < m; row++)
        for (uint32_t column = 0; column < n; column++) {
            float sum = 0.0f;
            for (uint32_t i = 0; i < k; i++) sum = fmaf(a[row * k + i], b[i * n + column], sum);
            c[row * n + column] = fmaf(alpha, sum, beta * c[row * n + column]);
        }
    rf_run_same_f32(run, "c", d_c, c, m * n);
}

/* n doubles from -1 to 1. */
static double *doubles(rf_kernels_run *run, uint32_t n) {
    double *const x = rf_run_host(run, n * sizeof *x);
    for (uint32_t i = 0; i < n; i++) x[i] = (double)(int64_t)ls_rng_u64(rf_run_rng(run)) * 0x1p-63;
    return x;
}

void rf_run_dgemm(rf_kernels_run *run, bool large) {
    const uint32_t m = large ? 128 : 32, n = large ? 96 : 64, k = large ? 80 : 32, tile = 32;
    const double alpha = 0.75, beta = -0.5, *const a = doubles(run, m * k), *const b = doubles(run, k * n);
    double *const c = doubles(run, m * n);
    const uint64_t d_c = rf_run_upload(run, c, m * n * sizeof *c);
    rf_run_launch(run, "dgemm", (rf_dim){n / tile, m / tile}, (rf_dim){16, 16},
                  RF_RUN_VALUES(d_c, rf_run_upload(run, a, m * k * sizeof *a), rf_run_upload(run, b, k * n * sizeof *b), n, k,
                                alpha, beta));
    for (uint32_t row = 0; row < m; row++)
        for (uint32_t column = 0; column < n; column++) {
            double sum = 0.0;
            for (uint32_t i = 0; i < k; i++) sum = fma(a[row * k + i], b[i * n + column], sum);
            c[row * n + column] = fma(alpha, sum, beta * c[row * n + column]);
        }
    rf_run_same_f64(run, "c", d_c, c, m * n);
}

void rf_run_stencil5(rf_kernels_run *run, bool large) {
    const uint32_t width = large ? 386 : 131, height = large ? 259 : 47, steps = 2, n = width * height;
    const float centre = 0.5f, side = 0.125f;
    float *now = rf_run_picture(run, width, height, 0, 100, 0), *next = rf_run_host(run, n * sizeof *next);
    uint64_t d_now = rf_run_upload(run, now, n * sizeof *now), d_next = rf_run_upload(run, now, n * sizeof *now);
    memcpy(next, now, n * sizeof *next); /* the borders stay */
    for (uint32_t step = 0; step < steps; step++) {
        rf_run_launch(run, "stencil5", (rf_dim){rf_run_ceil(width - 2, 64), rf_run_ceil(height - 2, 8)}, (rf_dim){64, 0},
                      RF_RUN_VALUES(d_next, d_now, width, height, centre, side));
        for (uint32_t y = 1; y + 1 < height; y++)
            for (uint32_t x = 1; x + 1 < width; x++) {
                const float *const p = now + y * width + x;
                next[y * width + x] = fmaf(side, (*(p - width) + p[width]) + (p[-1] + p[1]), centre * p[0]);
            }
        float *const old = now;
        const uint64_t d_old = d_now;
        now = next, next = old;
        d_now = d_next, d_next = d_old;
    }
    rf_run_same_f32(run, "out", d_now, now, n);
}

void rf_run_transpose(rf_kernels_run *run, bool large) {
    const uint32_t width = large ? 612 : 150, height = large ? 500 : 99, n = width * height, tile = 32;
    const float *const in = rf_run_floats(run, n, -1, 1);
    float *const out = rf_run_host(run, n * sizeof *out);
    const uint64_t d_out = rf_run_device(run, n * sizeof *out);
    rf_run_launch(run, "transpose", (rf_dim){rf_run_ceil(width, tile), rf_run_ceil(height, tile)}, (rf_dim){tile, 8},
                  RF_RUN_VALUES(d_out, rf_run_upload(run, in, n * sizeof *in), width, height));
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) out[x * height + y] = in[y * width + x];
    rf_run_same_f32(run, "out", d_out, out, n);
}

/* Values on the diagonal large enough that no pivot is needed. */
static float *dominant_matrix(rf_kernels_run *run, uint32_t n) {
    float *const a = rf_run_floats(run, n * n, -1, 1);
    for (uint32_t i = 0; i < n; i++) a[i * n + i] += (float)n;
    return a;
}

void rf_run_gaussian(rf_kernels_run *run, bool large) {
    const uint32_t n = large ? 84 : 28;
    float *const a = dominant_matrix(run, n), *const b = rf_run_floats(run, n, -1, 1),
                 *const factor = rf_run_host(run, n * sizeof *factor);
    const uint64_t d_a = rf_run_upload(run, a, n * n * sizeof *a), d_b = rf_run_upload(run, b, n * sizeof *b);
    const uint64_t d_factor = rf_run_device(run, n * sizeof *factor);
    for (uint32_t k = 0; k + 1 < n; k++) {
        rf_run_launch(run, "gaussian_factor", (rf_dim){rf_run_ceil(n - k - 1, 64), 0}, (rf_dim){64, 0},
                      RF_RUN_VALUES(d_factor, d_a, n, k));
        rf_run_launch(run, "gaussian_update", (rf_dim){rf_run_ceil(n - k, 16), rf_run_ceil(n - k - 1, 16)}, (rf_dim){16, 16},
                      RF_RUN_VALUES(d_a, d_b, d_factor, n, k));
        for (uint32_t row = k + 1; row < n; row++) {
            factor[row] = a[row * n + k] / a[k * n + k];
            for (uint32_t column = k; column < n; column++)
                a[row * n + column] = fmaf(-factor[row], a[k * n + column], a[row * n + column]);
            b[row] = fmaf(-factor[row], b[k], b[row]);
        }
    }
    rf_run_same_f32(run, "a", d_a, a, n * n);
    rf_run_same_f32(run, "b", d_b, b, n);
    rf_run_same_f32(run, "factor", d_factor, factor, n);
}

void rf_run_lud(rf_kernels_run *run, bool large) {
    const uint32_t side = 16, blocks = large ? 9 : 3, n = blocks * side;
    float *const a = dominant_matrix(run, n);
    const uint64_t d_a = rf_run_upload(run, a, n * n * sizeof *a);
    for (uint32_t block = 0; block < blocks; block++) {
        const uint32_t rest = blocks - 1 - block;
        const rf_run_value *const param = RF_RUN_VALUES(d_a, n, block * side);
        rf_run_launch(run, "lud_diagonal", (rf_dim){1, 0}, (rf_dim){side, 0}, param);
        if (rest == 0) break;
        rf_run_launch(run, "lud_perimeter", (rf_dim){rest, 0}, (rf_dim){2 * side, 0}, param);
        rf_run_launch(run, "lud_internal", (rf_dim){rest, rest}, (rf_dim){side, side}, param);
    }
    /* without blocks: each element sees the same operations in the same order */
    for (uint32_t k = 0; k + 1 < n; k++)
        for (uint32_t row = k + 1; row < n; row++) {
            a[row * n + k] /= a[k * n + k];
            for (uint32_t column = k + 1; column < n; column++)
                a[row * n + column] = fmaf(-a[row * n + k], a[k * n + column], a[row * n + column]);
        }
    rf_run_same_f32(run, "a", d_a, a, n * n);
}

void rf_run_ddot(rf_kernels_run *run, bool large) {
    enum { THREADS = 128 };
    const uint32_t n = large ? 150001 : 20001, blocks = large ? 24 : 4;
    const double *const x = doubles(run, n), *const y = doubles(run, n);
    double *const out = rf_run_host(run, blocks * sizeof *out);
    const uint64_t d_out = rf_run_device(run, blocks * sizeof *out);
    rf_run_launch(run, "ddot", (rf_dim){blocks, 0}, (rf_dim){THREADS, 0},
                  RF_RUN_VALUES(d_out, rf_run_upload(run, x, n * sizeof *x), rf_run_upload(run, y, n * sizeof *y), n));
    for (uint32_t block = 0; block < blocks; block++) {
        double part[THREADS] = {0};
        for (uint32_t i = block * THREADS; i < n; i++) {
            const uint32_t place = i % (blocks * THREADS) - block * THREADS; /* wraps for other blocks' */
            if (place < THREADS) part[place] = fma(x[i], y[i], part[place]);
        }
        for (uint32_t span = THREADS / 2; span > 0; span /= 2)
            for (uint32_t t = 0; t < span; t++) part[t] += part[t + span];
        out[block] = part[0];
    }
    rf_run_same_f64(run, "out", d_out, out, blocks);
}

void rf_run_scalarprod(rf_kernels_run *run, bool large) {
    enum { SUMS = 256 };
    const uint32_t pairs = large ? 90 : 6, length = large ? 2100 : 700, n = pairs * length;
    const float *const a = rf_run_floats(run, n, 0, 1), *const b = rf_run_floats(run, n, 0, 1);
    float *const out = rf_run_host(run, pairs * sizeof *out);
    const uint64_t d_out = rf_run_device(run, pairs * sizeof *out);
    rf_run_launch(
        run, "scalarprod", (rf_dim){large ? 24 : 4, 0}, (rf_dim){SUMS / 2, 0},
        RF_RUN_VALUES(d_out, rf_run_upload(run, a, n * sizeof *a), rf_run_upload(run, b, n * sizeof *b), pairs, length));
    for (uint32_t pair = 0; pair < pairs; pair++) {
        float part[SUMS] = {0};
        for (uint32_t i = 0; i < length; i++) part[i % SUMS] = fmaf(a[pair * length + i], b[pair * length + i], part[i % SUMS]);
        for (uint32_t span = SUMS / 2; span > 0; span /= 2)
            for (uint32_t s = 0; s < span; s++) part[s] += part[s + span];
        out[pair] = part[0];
    }
    rf_run_same_f32(run, "out", d_out, out, pairs);
}
