/* SPDX-License-Identifier: Apache-2.0 */
/* Linear algebra and fields as Polybench writes them: an element a thread, no tiles, matrices filled from their indices. */
#include "tb/workload/rf_kernels_run.h"

/* (i + di)(j + dj) / rows: what grows along both indices. */
static float *index_products(rf_kernels_run *run, uint32_t rows, uint32_t columns, uint32_t di, uint32_t dj) {
    float *const a = rf_run_host(run, rows * columns * sizeof *a);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j++) a[i * columns + j] = (float)((i + di) * (j + dj)) / (float)rows;
    return a;
}

/* sum += row . vector, in steps of `step` through the row. */
static float dot(const float *row, uint32_t step, const float *vector, uint32_t n, float sum) {
    for (uint32_t i = 0; i < n; i++) sum = fmaf(row[i * step], vector[i], sum);
    return sum;
}

void rf_run_bicg(rf_kernels_run *run, bool large) {
    const uint32_t rows = large ? 310 : 65, columns = large ? 270 : 101, threads = large ? 256 : 64;
    const float *const a = index_products(run, rows, columns, 0, 0);
    float *const r = rf_run_host(run, rows * sizeof *r), *const p = rf_run_host(run, columns * sizeof *p);
    float *const s = rf_run_host(run, columns * sizeof *s), *const q = rf_run_host(run, rows * sizeof *q);
    for (uint32_t i = 0; i < rows; i++) r[i] = (float)i * 3.14159265f;
    for (uint32_t j = 0; j < columns; j++) p[j] = (float)j * 3.14159265f;
    const uint64_t d_a = rf_run_upload(run, a, rows * columns * sizeof *a);
    const uint64_t d_s = rf_run_device(run, columns * sizeof *s), d_q = rf_run_device(run, rows * sizeof *q);
    rf_run_launch(run, "bicg_columns", (rf_dim){rf_run_ceil(columns, threads), 0}, (rf_dim){threads, 0},
                  RF_RUN_VALUES(d_s, d_a, rf_run_upload(run, r, rows * sizeof *r), rows, columns));
    rf_run_launch(run, "bicg_rows", (rf_dim){rf_run_ceil(rows, threads), 0}, (rf_dim){threads, 0},
                  RF_RUN_VALUES(d_q, d_a, rf_run_upload(run, p, columns * sizeof *p), rows, columns));
    for (uint32_t j = 0; j < columns; j++) s[j] = dot(a + j, columns, r, rows, 0);
    for (uint32_t i = 0; i < rows; i++) q[i] = dot(a + i * columns, 1, p, columns, 0);
    rf_run_same_f32(run, "s", d_s, s, columns);
    rf_run_same_f32(run, "q", d_q, q, rows);
}

void rf_run_mvt(rf_kernels_run *run, bool large) {
    const uint32_t n = large ? 290 : 70, threads = large ? 256 : 64;
    const float *const a = index_products(run, n, n, 0, 0);
    float *v[4]; /* x1, x2, y1, y2 */
    for (uint32_t k = 0; k < 4; k++) {
        v[k] = rf_run_host(run, n * sizeof *v[k]);
        for (uint32_t i = 0; i < n; i++) v[k][i] = (float)(i + k) / (float)n;
    }
    const uint64_t d_a = rf_run_upload(run, a, n * n * sizeof *a);
    const uint64_t d_x1 = rf_run_upload(run, v[0], n * sizeof(float)), d_y1 = rf_run_upload(run, v[2], n * sizeof(float));
    const uint64_t d_x2 = rf_run_upload(run, v[1], n * sizeof(float)), d_y2 = rf_run_upload(run, v[3], n * sizeof(float));
    rf_run_launch(run, "mvt_rows", (rf_dim){rf_run_ceil(n, threads), 0}, (rf_dim){threads, 0}, RF_RUN_VALUES(d_x1, d_a, d_y1, n));
    rf_run_launch(run, "mvt_columns", (rf_dim){rf_run_ceil(n, threads), 0}, (rf_dim){threads, 0},
                  RF_RUN_VALUES(d_x2, d_a, d_y2, n));
    for (uint32_t i = 0; i < n; i++) {
        v[0][i] = dot(a + i * n, 1, v[2], n, v[0][i]);
        v[1][i] = dot(a + i, n, v[3], n, v[1][i]);
    }
    rf_run_same_f32(run, "x1", d_x1, v[0], n);
    rf_run_same_f32(run, "x2", d_x2, v[1], n);
}

enum { WIDE = 32, ROWS = 8 }; /* a block of the kernels on matrices and fields */

static void launch_on_grid(rf_kernels_run *run, const char *kernel, uint32_t width, uint32_t height, const rf_run_value *value) {
    rf_run_launch(run, kernel, (rf_dim){rf_run_ceil(width, WIDE), rf_run_ceil(height, ROWS)}, (rf_dim){WIDE, ROWS}, value);
}

void rf_run_gemm(rf_kernels_run *run, bool large) {
    const uint32_t m = large ? 94 : 15, n = large ? 120 : 38, k = large ? 38 : 14;
    const float alpha = 1.5f, beta = 1.2f;
    const float *const a = index_products(run, m, k, 0, 1), *const b = index_products(run, k, n, 0, 1);
    float *const c = index_products(run, m, n, 0, 2);
    const uint64_t d_c = rf_run_upload(run, c, m * n * sizeof *c);
    launch_on_grid(run, "gemm", n, m,
                   RF_RUN_VALUES(d_c, rf_run_upload(run, a, m * k * sizeof *a), rf_run_upload(run, b, k * n * sizeof *b), m, n, k,
                                 alpha, beta));
    for (uint32_t row = 0; row < m; row++)
        for (uint32_t column = 0; column < n; column++) {
            float sum = beta * c[row * n + column];
            for (uint32_t i = 0; i < k; i++) sum = fmaf(alpha * a[row * k + i], b[i * n + column], sum);
            c[row * n + column] = sum;
        }
    rf_run_same_f32(run, "c", d_c, c, m * n);
}

void rf_run_syrk(rf_kernels_run *run, bool large) {
    const uint32_t n = large ? 100 : 34, k = large ? 34 : 10;
    const float alpha = 1.5f, beta = 1.2f;
    const float *const a = index_products(run, n, k, 1, 1);
    float *const c = index_products(run, n, n, 2, 1);
    const uint64_t d_c = rf_run_upload(run, c, n * n * sizeof *c);
    launch_on_grid(run, "syrk", n, n, RF_RUN_VALUES(d_c, rf_run_upload(run, a, n * k * sizeof *a), n, k, alpha, beta));
    for (uint32_t row = 0; row < n; row++)
        for (uint32_t column = 0; column < n; column++) {
            float sum = beta * c[row * n + column];
            for (uint32_t i = 0; i < k; i++) sum = fmaf(alpha * a[row * k + i], a[column * k + i], sum);
            c[row * n + column] = sum;
        }
    rf_run_same_f32(run, "c", d_c, c, n * n);
}

void rf_run_gramschmidt(rf_kernels_run *run, bool large) {
    const uint32_t rows = large ? 70 : 37, columns = large ? 50 : 8, threads = 32, size = rows * columns;
    float *const a = rf_run_host(run, size * sizeof *a), *const q = rf_run_host(run, size * sizeof *q);
    float *const r = rf_run_host(run, columns * columns * sizeof *r);
    for (uint32_t i = 0; i < rows; i++) /* remainders: columns that do not depend on each other */
        for (uint32_t j = 0; j < columns; j++) a[i * columns + j] = (float)(i * j % rows) / (float)rows * 100 + 10;
    const uint64_t d_a = rf_run_upload(run, a, size * sizeof *a), d_q = rf_run_device(run, size * sizeof *q);
    const uint64_t d_r = rf_run_device(run, columns * columns * sizeof *r);
    for (uint32_t k = 0; k < columns; k++) {
        rf_run_launch(run, "gramschmidt_length", (rf_dim){1, 0}, (rf_dim){threads, 0}, RF_RUN_VALUES(d_r, d_a, rows, columns, k));
        rf_run_launch(run, "gramschmidt_scale", (rf_dim){rf_run_ceil(rows, threads), 0}, (rf_dim){threads, 0},
                      RF_RUN_VALUES(d_q, d_a, d_r, rows, columns, k));
        if (k + 1 < columns)
            rf_run_launch(run, "gramschmidt_subtract", (rf_dim){rf_run_ceil(columns - k - 1, threads), 0}, (rf_dim){threads, 0},
                          RF_RUN_VALUES(d_a, d_r, d_q, rows, columns, k));
        float sum = 0;
        for (uint32_t i = 0; i < rows; i++) sum = fmaf(a[i * columns + k], a[i * columns + k], sum);
        r[k * columns + k] = sqrtf(sum);
        for (uint32_t i = 0; i < rows; i++) q[i * columns + k] = a[i * columns + k] / r[k * columns + k];
        for (uint32_t j = k + 1; j < columns; j++) {
            float along = 0;
            for (uint32_t i = 0; i < rows; i++) along = fmaf(q[i * columns + k], a[i * columns + j], along);
            r[k * columns + j] = along;
            for (uint32_t i = 0; i < rows; i++) a[i * columns + j] = fmaf(-q[i * columns + k], along, a[i * columns + j]);
        }
    }
    rf_run_same_f32(run, "a", d_a, a, size);
    rf_run_same_f32(run, "q", d_q, q, size);
    rf_run_same_f32(run, "r", d_r, r, columns * columns);
}

void rf_run_fdtd2d(rf_kernels_run *run, bool large) {
    const uint32_t width = large ? 134 : 37, height = large ? 70 : 13, steps = large ? 4 : 2, n = width * height;
    float *const ex = index_products(run, height, width, 1, 1), *const ey = index_products(run, height, width, 2, 2);
    float *const hz = index_products(run, height, width, 3, 4);
    const uint64_t d_ex = rf_run_upload(run, ex, n * sizeof *ex), d_ey = rf_run_upload(run, ey, n * sizeof *ey);
    const uint64_t d_hz = rf_run_upload(run, hz, n * sizeof *hz);
    for (uint32_t step = 0; step < steps; step++) {
        const float source = (float)step;
        launch_on_grid(run, "fdtd2d_ey", width, height, RF_RUN_VALUES(d_ey, d_hz, width, height, source));
        launch_on_grid(run, "fdtd2d_ex", width, height, RF_RUN_VALUES(d_ex, d_hz, width, height));
        launch_on_grid(run, "fdtd2d_hz", width, height, RF_RUN_VALUES(d_hz, d_ex, d_ey, width, height));
        for (uint32_t i = 0; i < n; i++) {
            ey[i] = i < width ? source : fmaf(-0.5f, hz[i] - hz[i - width], ey[i]);
            if (i % width > 0) ex[i] = fmaf(-0.5f, hz[i] - hz[i - 1], ex[i]);
        }
        for (uint32_t i = 0; i + width < n; i++)
            if (i % width + 1 < width) hz[i] = fmaf(-0.7f, ex[i + 1] - ex[i] + ey[i + width] - ey[i], hz[i]);
    }
    rf_run_same_f32(run, "ex", d_ex, ex, n);
    rf_run_same_f32(run, "ey", d_ey, ey, n);
    rf_run_same_f32(run, "hz", d_hz, hz, n);
}
