/* SPDX-License-Identifier: Apache-2.0 */
/* Transforms that pass their points through butterflies. */
#include "tb/workload/rf_kernels_run.h"

typedef struct complex_point {
    float re, im;
} complex_point;

static complex_point times(complex_point a, complex_point b) {
    return (complex_point){fmaf(a.re, b.re, -(a.im * b.im)), fmaf(a.re, b.im, a.im * b.re)};
}

enum { FFT_POINTS = 256, FFT_QUARTER = FFT_POINTS / 4 };

/* The kernel's passes, one after the other. */
static void fft_passes(complex_point x[FFT_POINTS], const complex_point turn[FFT_POINTS]) {
    for (uint32_t span = 1; span < FFT_POINTS; span *= 4) {
        complex_point y[FFT_POINTS];
        for (uint32_t t = 0; t < FFT_QUARTER; t++) {
            const uint32_t place = t % span, angle = place * (FFT_QUARTER / span);
            complex_point v[4], *const out = y + (t - place) * 4 + place;
            for (uint32_t k = 0; k < 4; k++) v[k] = k ? times(x[t + k * FFT_QUARTER], turn[k * angle]) : x[t];
            const complex_point a = {v[0].re + v[2].re, v[0].im + v[2].im}, b = {v[0].re - v[2].re, v[0].im - v[2].im};
            const complex_point c = {v[1].re + v[3].re, v[1].im + v[3].im}, d = {v[1].re - v[3].re, v[1].im - v[3].im};
            out[0] = (complex_point){a.re + c.re, a.im + c.im};
            out[span] = (complex_point){b.re + d.im, b.im - d.re};
            out[2 * span] = (complex_point){a.re - c.re, a.im - c.im};
            out[3 * span] = (complex_point){b.re - d.im, b.im + d.re};
        }
        memcpy(x, y, sizeof y);
    }
}

void rf_run_fft(rf_kernels_run *run, bool large) {
    const uint32_t signals = large ? 130 : 5, n = signals * FFT_POINTS;
    const double whole = 4 * acos(0);
    double cosine[FFT_POINTS], sine[FFT_POINTS];
    complex_point turn[FFT_POINTS], *const x = rf_run_host(run, n * sizeof *x);
    double *const exact = rf_run_host(run, 2 * (size_t)n * sizeof *exact);
    for (uint32_t i = 0; i < FFT_POINTS; i++) {
        cosine[i] = cos(whole * i / FFT_POINTS), sine[i] = sin(whole * i / FFT_POINTS);
        turn[i] = (complex_point){(float)cosine[i], (float)-sine[i]};
    }
    for (uint32_t s = 0; s < signals; s++) { /* tones between the transform's own, and a real one */
        for (uint32_t tone = 0; tone < 4; tone++) {
            const uint32_t pitch = ls_rng_below(rf_run_rng(run), 1000), loudness = 1 + ls_rng_below(rf_run_rng(run), 8);
            for (uint32_t i = 0; i < FFT_POINTS; i++) {
                x[s * FFT_POINTS + i].re += turn[pitch * i / 8 % FFT_POINTS].re * (float)loudness;
                x[s * FFT_POINTS + i].im += tone ? turn[pitch * i / 8 % FFT_POINTS].im * (float)loudness : 0;
            }
        }
        for (uint32_t k = 0; k < FFT_POINTS; k++)
            for (uint32_t i = 0; i < FFT_POINTS; i++) {
                const complex_point point = x[s * FFT_POINTS + i];
                const double c = cosine[k * i % FFT_POINTS], d = sine[k * i % FFT_POINTS];
                exact[2 * (s * FFT_POINTS + k)] += (double)point.re * c + (double)point.im * d;
                exact[2 * (s * FFT_POINTS + k) + 1] += (double)point.im * c - (double)point.re * d;
            }
    }
    const uint64_t d_out = rf_run_device(run, n * sizeof *x);
    rf_run_launch(run, "fft", (rf_dim){signals, 0}, (rf_dim){FFT_QUARTER, 0},
                  RF_RUN_VALUES(d_out, rf_run_upload(run, x, n * sizeof *x), rf_run_upload(run, turn, sizeof turn)));
    for (uint32_t s = 0; s < signals; s++) fft_passes(x + s * FFT_POINTS, turn);
    rf_run_same_f32(run, "out", d_out, &x->re, 2 * (size_t)n);
    rf_run_near_f32(run, "out against the definition", d_out, exact, 2 * (size_t)n, 5e-4, 0);
}

/* Butterflies of four from the widest to the narrowest. */
static void walsh_passes(float *x, uint32_t n) {
    for (uint32_t span = n / 4; span > 0; span /= 4)
        for (uint32_t i = 0; i < n; i++) {
            if (i / span % 4 != 0) continue;
            float *const v = x + i, a = v[0] + v[2 * span], b = v[0] - v[2 * span];
            const float c = v[span] + v[3 * span], d = v[span] - v[3 * span];
            v[0] = a + c, v[span] = a - c, v[2 * span] = b + d, v[3 * span] = b - d;
        }
}

static void walsh_launches(rf_kernels_run *run, uint64_t d_data, uint32_t n) {
    enum { BLOCK = 256 }; /* points */
    for (uint32_t span = n / 4; span >= BLOCK; span /= 4) {
        rf_run_launch(run, "walsh_pass", (rf_dim){n / BLOCK, 0}, (rf_dim){BLOCK / 4, 0}, RF_RUN_VALUES(d_data, span));
    }
    rf_run_launch(run, "walsh_blocks", (rf_dim){n / BLOCK, 0}, (rf_dim){BLOCK / 4, 0}, RF_RUN_VALUES(d_data));
}

/* A dyadic convolution: data with as many taps, 0 but for the first. */
void rf_run_walsh(rf_kernels_run *run, bool large) {
    const uint32_t n = large ? 16384 : 1024, taps = large ? 128 : 32;
    float *const data = rf_run_floats(run, n, 0, 1), *const tap = rf_run_floats(run, n, 0, 1);
    double *const exact = rf_run_host(run, n * sizeof *exact);
    memset(tap + taps, 0, (n - taps) * sizeof *tap);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < taps; k++) exact[i] += (double)data[i ^ k] * (double)tap[k];
    const uint64_t d_data = rf_run_upload(run, data, n * sizeof *data), d_tap = rf_run_upload(run, tap, n * sizeof *tap);
    const float scale = 1.0f / (float)n;
    walsh_launches(run, d_data, n);
    walsh_launches(run, d_tap, n);
    rf_run_launch(run, "walsh_product", (rf_dim){large ? 32 : 3, 0}, (rf_dim){128, 0}, RF_RUN_VALUES(d_data, d_tap, n, scale));
    walsh_launches(run, d_data, n);
    walsh_passes(data, n);
    walsh_passes(tap, n);
    for (uint32_t i = 0; i < n; i++) data[i] = scale * data[i] * tap[i];
    walsh_passes(data, n);
    rf_run_same_f32(run, "tap", d_tap, tap, n);
    rf_run_same_f32(run, "data", d_data, data, n);
    rf_run_near_f32(run, "data against the definition", d_data, exact, n, 5e-5, 0);
}

void rf_run_haar(rf_kernels_run *run, bool large) {
    enum { BLOCK = 128 }; /* samples */
    const uint32_t blocks = large ? 700 : 14, n = blocks * BLOCK;
    float *const now = rf_run_hills(run, n, 1, 1, -1, 1), *const out = rf_run_host(run, n * sizeof *out);
    const uint64_t d_out = rf_run_device(run, n * sizeof *out);
    rf_run_launch(run, "haar", (rf_dim){blocks, 0}, (rf_dim){BLOCK / 2, 0},
                  RF_RUN_VALUES(d_out, rf_run_upload(run, now, n * sizeof *now), n));
    for (uint32_t length = n / 2; length >= blocks; length /= 2)
        for (uint32_t i = 0; i < length; i++) {
            const float a = now[2 * i], b = now[2 * i + 1];
            out[length + i] = 0.707106781f * (a - b);
            out[i] = now[i] = 0.707106781f * (a + b);
        }
    rf_run_same_f32(run, "out", d_out, out, n);
}
