/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels with approximate functions: the references compute in double, exactly where the kernel approximates. */
#include "tb/workload/rf_kernels_run.h"

static double normal(double x) { return 0.5 * erfc(-x * sqrt(0.5)); }

void rf_run_blackscholes(rf_kernels_run *run, bool large) {
    const uint32_t n = large ? 30000 : 3000;
    const float rate = 0.02f, volatility = 0.3f;
    const float *const price = rf_run_floats(run, n, 5, 30), *const strike = rf_run_floats(run, n, 1, 100);
    const float *const years = rf_run_floats(run, n, 0.25f, 10);
    double *const call = rf_run_host(run, n * sizeof *call), *const put = rf_run_host(run, n * sizeof *put);
    const uint64_t d_call = rf_run_device(run, n * sizeof(float)), d_put = rf_run_device(run, n * sizeof(float));
    const struct {
        uint64_t call, put, price, strike, years;
        float rate, volatility;
        uint32_t n;
    } param = {d_call,
               d_put,
               rf_run_upload(run, price, n * sizeof *price),
               rf_run_upload(run, strike, n * sizeof *strike),
               rf_run_upload(run, years, n * sizeof *years),
               rate,
               volatility,
               n};
    rf_run_launch(run, "blackscholes", (rf_dim){large ? 24 : 4, 0}, (rf_dim){128, 0}, &param, sizeof param);
    for (uint32_t i = 0; i < n; i++) {
        const double s = (double)price[i], x = (double)strike[i], t = (double)years[i], r = (double)rate, v = (double)volatility;
        const double d1 = (log(s / x) + (r + v * v / 2) * t) / (v * sqrt(t)), d2 = d1 - v * sqrt(t);
        call[i] = s * normal(d1) - x * exp(-r * t) * normal(d2);
        put[i] = x * exp(-r * t) * normal(-d2) - s * normal(-d1);
    }
    /* the polynomial is good to 7.5e-8, prices and strikes go to 100, differences of such products lose the rest */
    rf_run_near_f32(run, "call", d_call, call, n, 1e-4, 1e-5);
    rf_run_near_f32(run, "put", d_put, put, n, 1e-4, 1e-5);
}

void rf_run_backprop(rf_kernels_run *run, bool large) {
    const uint32_t side = 16, inputs = large ? 528 : 144, outputs = large ? 80 : 32, parts = inputs / side;
    const float rate = 0.3f, keep = 0.3f;
    const float *const input = rf_run_floats(run, inputs, 0, 1), *const delta = rf_run_floats(run, outputs, -0.1f, 0.1f);
    float *const weight = rf_run_floats(run, inputs * outputs, -0.2f, 0.2f), *const momentum = rf_run_floats(
                                                                                 run, inputs * outputs, -0.01f, 0.01f);
    float *const part = rf_run_host(run, parts * outputs * sizeof *part);
    double *const output = rf_run_host(run, outputs * sizeof *output);
    const uint64_t d_input = rf_run_upload(run, input, inputs * sizeof *input),
                   d_delta = rf_run_upload(run, delta, outputs * sizeof *delta);
    const uint64_t d_weight = rf_run_upload(run, weight, inputs * outputs * sizeof *weight);
    const uint64_t d_momentum = rf_run_upload(run, momentum, inputs * outputs * sizeof *momentum);
    const uint64_t d_part = rf_run_device(run, parts * outputs * sizeof *part),
                   d_output = rf_run_device(run, outputs * sizeof(float));
    const struct {
        uint64_t part, input, weight;
        uint32_t outputs;
    } forward = {d_part, d_input, d_weight, outputs};
    const struct {
        uint64_t output, part;
        uint32_t outputs, parts;
    } activate = {d_output, d_part, outputs, parts};
    const struct {
        uint64_t weight, momentum, input, delta;
        uint32_t outputs;
        float rate, keep;
    } adjust = {d_weight, d_momentum, d_input, d_delta, outputs, rate, keep};
    rf_run_launch(run, "backprop_forward", (rf_dim){outputs / side, parts}, (rf_dim){side, side}, &forward, sizeof forward);
    rf_run_launch(run, "backprop_activate", (rf_dim){rf_run_ceil(outputs, 64), 0}, (rf_dim){64, 0}, &activate, sizeof activate);
    rf_run_launch(run, "backprop_adjust", (rf_dim){outputs / side, parts}, (rf_dim){side, side}, &adjust, sizeof adjust);
    for (uint32_t o = 0; o < outputs; o++) {
        float sum = 0;
        for (uint32_t p = 0; p < parts; p++) {
            float product[16];
            for (uint32_t i = 0; i < side; i++) product[i] = weight[(p * side + i) * outputs + o] * input[p * side + i];
            for (uint32_t span = side / 2; span > 0; span /= 2)
                for (uint32_t i = 0; i < span; i++) product[i] += product[i + span];
            part[p * outputs + o] = product[0];
            sum += product[0];
        }
        output[o] = 1 / (1 + exp(-(double)sum));
    }
    for (uint32_t i = 0; i < inputs; i++)
        for (uint32_t o = 0; o < outputs; o++) {
            const float step = fmaf(rate * delta[o], input[i], keep * momentum[i * outputs + o]);
            weight[i * outputs + o] += step;
            momentum[i * outputs + o] = step;
        }
    rf_run_same_f32(run, "part", d_part, part, parts * outputs);
    rf_run_near_f32(run, "output", d_output, output, outputs, 0, 2e-6);
    rf_run_same_f32(run, "weight", d_weight, weight, inputs * outputs);
    rf_run_same_f32(run, "momentum", d_momentum, momentum, inputs * outputs);
}

void rf_run_nbody(rf_kernels_run *run, bool large) {
    const uint32_t n = large ? 384 : 128, threads = 64;
    const float dt = 0.01f, softening = 0.05f;
    float *const position = rf_run_floats(run, 4 * n, -1, 1), *const velocity = rf_run_floats(run, 4 * n, -0.1f, 0.1f);
    double *const new_position = rf_run_host(run, 4 * n * sizeof *new_position), *const new_velocity = rf_run_host(
                                                                                     run, 4 * n * sizeof *new_velocity);
    for (uint32_t i = 0; i < n; i++) position[4 * i + 3] = (position[4 * i + 3] + 1) / (float)n; /* mass */
    const uint64_t d_out = rf_run_device(run, 4 * n * sizeof *position),
                   d_velocity = rf_run_upload(run, velocity, 4 * n * sizeof *velocity);
    const struct {
        uint64_t out, velocity, position;
        uint32_t n;
        float dt, softening;
    } param = {d_out, d_velocity, rf_run_upload(run, position, 4 * n * sizeof *position), n, dt, softening};
    rf_run_launch(run, "nbody", (rf_dim){n / threads, 0}, (rf_dim){threads, 0}, &param, sizeof param);
    for (uint32_t i = 0; i < n; i++) {
        double a[3] = {0};
        for (uint32_t j = 0; j < n; j++) {
            double d[3], square = (double)softening;
            for (uint32_t k = 0; k < 3; k++) {
                d[k] = (double)position[4 * j + k] - (double)position[4 * i + k];
                square += d[k] * d[k];
            }
            const double s = (double)position[4 * j + 3] / (square * sqrt(square));
            for (uint32_t k = 0; k < 3; k++) a[k] += d[k] * s;
        }
        for (uint32_t k = 0; k < 4; k++) {
            new_velocity[4 * i + k] = (double)velocity[4 * i + k] + (k < 3 ? a[k] * (double)dt : 0);
            new_position[4 * i + k] = (double)position[4 * i + k] + (k < 3 ? new_velocity[4 * i + k] * (double)dt : 0);
        }
    }
    /* sums of n terms, each good to a few units of 2^-23 */
    rf_run_near_f32(run, "velocity", d_velocity, new_velocity, 4 * n, 1e-6, 0);
    rf_run_near_f32(run, "position", d_out, new_position, 4 * n, 1e-6, 0);
}

void rf_run_mriq(rf_kernels_run *run, bool large) {
    const uint32_t n = large ? 1024 : 384, samples = large ? 170 : 50, threads = 128;
    const float *const x = rf_run_floats(run, n, 0, 1), *const y = rf_run_floats(run, n, 0, 1),
                       *const z = rf_run_floats(run, n, 0, 1);
    const float *const sample = rf_run_floats(run, 4 * samples, -0.25f, 0.25f);
    double *const real = rf_run_host(run, n * sizeof *real), *const imaginary = rf_run_host(run, n * sizeof *imaginary);
    const double turn = 4 * acos(0);
    const uint64_t d_real = rf_run_device(run, n * sizeof(float)), d_imaginary = rf_run_device(run, n * sizeof(float));
    rf_run_symbol(run, "sample", sample, 4 * samples * sizeof *sample);
    const struct {
        uint64_t real, imaginary, x, y, z;
        uint32_t samples;
    } param = {d_real,
               d_imaginary,
               rf_run_upload(run, x, n * sizeof *x),
               rf_run_upload(run, y, n * sizeof *y),
               rf_run_upload(run, z, n * sizeof *z),
               samples};
    rf_run_launch(run, "mriq", (rf_dim){n / threads, 0}, (rf_dim){threads, 0}, &param, sizeof param);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t s = 0; s < samples; s++) {
            const float *const k = sample + 4 * s;
            const double angle = turn * ((double)k[0] * (double)x[i] + (double)k[1] * (double)y[i] + (double)k[2] * (double)z[i]);
            real[i] += (double)k[3] * cos(angle);
            imaginary[i] += (double)k[3] * sin(angle);
        }
    /* per term: PTX's 2^-20.5 of sin and cos, times at most a quarter; angles stay within a turn */
    rf_run_near_f32(run, "real", d_real, real, n, samples * 4e-7, 0);
    rf_run_near_f32(run, "imaginary", d_imaginary, imaginary, n, samples * 4e-7, 0);
}
