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
    const struct {
        uint64_t out, in, turn;
    } param = {d_out, rf_run_upload(run, x, n * sizeof *x), rf_run_upload(run, turn, sizeof turn)};
    rf_run_launch(run, "fft", (rf_dim){signals, 0}, (rf_dim){FFT_QUARTER, 0}, &param, sizeof param);
    for (uint32_t s = 0; s < signals; s++) fft_passes(x + s * FFT_POINTS, turn);
    rf_run_same_f32(run, "out", d_out, &x->re, 2 * (size_t)n);
    rf_run_near_f32(run, "out against the definition", d_out, exact, 2 * (size_t)n, 1e-3, 0);
}
