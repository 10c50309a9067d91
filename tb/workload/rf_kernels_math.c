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
    rf_run_launch(run, "blackscholes", (rf_dim){large ? 24 : 4, 0}, (rf_dim){128, 0},
                  RF_RUN_VALUES(d_call, d_put, rf_run_upload(run, price, n * sizeof *price),
                                rf_run_upload(run, strike, n * sizeof *strike), rf_run_upload(run, years, n * sizeof *years),
                                rate, volatility, n));
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
    rf_run_launch(run, "backprop_forward", (rf_dim){outputs / side, parts}, (rf_dim){side, side},
                  RF_RUN_VALUES(d_part, d_input, d_weight, outputs));
    rf_run_launch(run, "backprop_activate", (rf_dim){rf_run_ceil(outputs, 64), 0}, (rf_dim){64, 0},
                  RF_RUN_VALUES(d_output, d_part, outputs, parts));
    rf_run_launch(run, "backprop_adjust", (rf_dim){outputs / side, parts}, (rf_dim){side, side},
                  RF_RUN_VALUES(d_weight, d_momentum, d_input, d_delta, outputs, rate, keep));
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
    rf_run_launch(run, "nbody", (rf_dim){n / threads, 0}, (rf_dim){threads, 0},
                  RF_RUN_VALUES(d_out, d_velocity, rf_run_upload(run, position, 4 * n * sizeof *position), n, dt, softening));
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
    rf_run_launch(run, "mriq", (rf_dim){n / threads, 0}, (rf_dim){threads, 0},
                  RF_RUN_VALUES(d_real, d_imaginary, rf_run_upload(run, x, n * sizeof *x), rf_run_upload(run, y, n * sizeof *y),
                                rf_run_upload(run, z, n * sizeof *z), samples));
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

/* What n steps of a binomial tree give: the payoffs of its leaves, each with the discounted chance of its paths. */
static double binomial_value(const float option[4], float fall, uint32_t n) {
    const double up = log((double)option[3]), down = log((double)fall);
    double value = 0, ways = 0; /* its logarithm */
    for (uint32_t rises = 0; rises <= n; rises++) {
        const double gain = (double)option[0] * exp((double)option[2] * (2.0 * rises - n)) - (double)option[1];
        if (gain > 0) value += gain * exp(ways + rises * up + (n - rises) * down);
        ways += log((double)(n - rises)) - log(rises + 1.0);
    }
    return value;
}

void rf_run_binomial(rf_kernels_run *run, bool large) {
    const uint32_t n = large ? 6 : 2, steps = large ? 508 : 124, threads = 128;
    const double rate = 0.06, volatility = 0.1;
    const float *const price = rf_run_floats(run, n, 5, 30), *const years = rf_run_floats(run, n, 0.25f, 10);
    const float *const part = rf_run_floats(run, n, 0.5f, 1.5f); /* of the price: the strike */
    float *const option = rf_run_host(run, 4 * n * sizeof *option), *const fall = rf_run_host(run, n * sizeof *fall);
    double *const value = rf_run_host(run, n * sizeof *value);
    for (uint32_t i = 0; i < n; i++) {
        const double dt = (double)years[i] / steps, rise = volatility * sqrt(dt);
        const double chance = (exp(rate * dt) - exp(-rise)) / (exp(rise) - exp(-rise));
        option[4 * i] = price[i];
        option[4 * i + 1] = price[i] * part[i];
        option[4 * i + 2] = (float)rise;
        option[4 * i + 3] = (float)(chance * exp(-rate * dt));
        fall[i] = (float)((1 - chance) * exp(-rate * dt));
        value[i] = binomial_value(option + 4 * i, fall[i], steps);
    }
    const uint64_t d_value = rf_run_device(run, n * sizeof(float));
    rf_run_launch(run, "binomial", (rf_dim){n, 0}, (rf_dim){threads, 0},
                  RF_RUN_VALUES(d_value, rf_run_upload(run, option, 4 * n * sizeof *option),
                                rf_run_upload(run, fall, n * sizeof *fall), steps));
    /* payoffs of up to 30, good to a few units of 2^-23; two roundings a step, which do not all go the same way */
    rf_run_near_f32(run, "value", d_value, value, n, 5e-6, 1e-6);
}

/* Where the normal distribution is u: Newton's method from the middle, where it never goes too far. */
static double normal_inverse(double u) {
    const double density = 1 / sqrt(4 * acos(0)), tail = u < 0.5 ? u : 1 - u;
    double x = 0;
    for (uint32_t i = 0; i < 60; i++) {
        const double step = (normal(x) - tail) / (density * exp(-x * x / 2));
        x -= step;
        if (fabs(step) < 1e-13) break;
    }
    return u < 0.5 ? x : -x;
}

void rf_run_quasirandom(rf_kernels_run *run, bool large) {
    enum { DIMENSIONS = 3, BITS = 31 };
    static const uint64_t irreducible[DIMENSIONS] = {2, 3, 7}; /* polynomials over GF(2), a bit a power: x, x + 1, x^2 + x + 1 */
    static const uint32_t degree[DIMENSIONS] = {1, 1, 2};
    const uint32_t n = large ? 5100 : 300, threads = 128, skip = large ? 1000003 : 100003, all = DIMENSIONS * n;
    uint32_t row[DIMENSIONS][BITS] = {{0}}, column[DIMENSIONS][BITS] = {{0}};
    float *const point = rf_run_host(run, all * sizeof *point);
    double *const deviate = rf_run_host(run, all * sizeof *deviate);
    for (uint32_t d = 0; d < DIMENSIONS; d++) {
        uint64_t power = 1; /* of the polynomial: the (j / degree + 1)th */
        uint32_t power_degree = 0;
        for (uint32_t j = 0; j < BITS; j++) {
            if (j % degree[d] == 0) {
                uint64_t product = 0;
                for (uint32_t k = 0; k <= degree[d]; k++) product ^= irreducible[d] >> k & 1 ? power << k : 0;
                power = product;
                power_degree += degree[d];
            }
            uint64_t rest = UINT64_C(1) << j % degree[d]; /* over the power, as a series in 1 / x */
            for (uint32_t r = 0; r < BITS; r++) {
                rest <<= 1;
                if (!(rest >> power_degree & 1)) continue;
                rest ^= power;
                row[d][j] |= UINT32_C(1) << r;
                column[d][r] |= UINT32_C(1) << (BITS - 1 - j);
            }
        }
    }
    rf_run_symbol(run, "column", column, sizeof column);
    const uint64_t d_point = rf_run_device(run, all * sizeof *point), d_deviate = rf_run_device(run, all * sizeof(float));
    rf_run_launch(run, "quasirandom_points", (rf_dim){large ? 8 : 2, DIMENSIONS}, (rf_dim){threads, 0},
                  RF_RUN_VALUES(d_point, n, skip));
    rf_run_launch(run, "quasirandom_normal", (rf_dim){large ? 24 : 2, 0}, (rf_dim){threads, 0},
                  RF_RUN_VALUES(d_deviate, d_point, all));
    for (uint32_t i = 0; i < all; i++) {
        uint32_t x = 0;
        for (uint32_t j = 0; j < BITS; j++) /* a digit: row times number */
            x |= ((uint32_t)__builtin_popcount(row[i / n][j] & (skip + i % n)) & 1) << (BITS - 1 - j);
        point[i] = (float)(x >> 8 << 1 | 1) * 0x1p-24f;
        deviate[i] = normal_inverse((double)point[i]);
    }
    rf_run_same_f32(run, "point", d_point, point, all);
    rf_run_near_f32(run, "deviate", d_deviate, deviate, all, 1e-7, 1e-6);
}

void rf_run_cutcp(rf_kernels_run *run, bool large) {
    enum { SIDE = 8 };
    const uint32_t cells_x = large ? 4 : 2, cells_y = large ? 3 : 2, cells_z = 1, cells = cells_x * cells_y * cells_z,
                   most = large ? 10 : 4;
    const uint32_t points = cells * SIDE * SIDE * SIDE;
    const float spacing = 0.5f, cutoff = SIDE * spacing;
    float *const atom = rf_run_host(run, 4 * cells * most * sizeof *atom);
    uint32_t *const first = rf_run_host(run, (cells + 1) * sizeof *first);
    double *const potential = rf_run_host(run, points * sizeof *potential);
    for (uint32_t cell = 0; cell < cells; cell++) {
        const uint32_t corner[3] = {cell % cells_x * SIDE, cell / cells_x % cells_y * SIDE, cell / cells_x / cells_y * SIDE};
        const uint32_t end = first[cell] + 1 + ls_rng_below(rf_run_rng(run), most);
        first[cell + 1] = end;
        for (uint32_t i = first[cell]; i < end; i++) {
            float *const a = atom + 4 * i;
            for (uint32_t k = 0; k < 3; k++) { /* away from the points, where the potential has poles */
                const uint32_t between = corner[k] + ls_rng_below(rf_run_rng(run), SIDE);
                a[k] = spacing * ((float)between + 0.3f + 0.4f * (float)ls_rng_below(rf_run_rng(run), 1000) / 1000);
            }
            a[3] = (float)(1 + ls_rng_below(rf_run_rng(run), 9)) * (i % 2 ? 0.1f : -0.1f); /* charge */
        }
    }
    const uint64_t d_potential = rf_run_device(run, points * sizeof(float));
    rf_run_launch(run, "cutcp", (rf_dim){cells_x, cells_y * cells_z * 2}, (rf_dim){SIDE, SIDE},
                  RF_RUN_VALUES(d_potential, rf_run_upload(run, atom, 4 * first[cells] * sizeof *atom),
                                rf_run_upload(run, first, (cells + 1) * sizeof *first), cells_x, cells_y, cells_z, spacing,
                                cutoff * cutoff));
    const uint32_t width = cells_x * SIDE, height = cells_y * SIDE;
    for (uint32_t p = 0; p < points; p++)
        for (uint32_t i = 0; i < first[cells]; i++) {
            const uint32_t place[3] = {p % width, p / width % height, p / width / height};
            double square = 0;
            for (uint32_t k = 0; k < 3; k++) {
                const double away = place[k] * (double)spacing - (double)atom[4 * i + k];
                square += away * away;
            }
            const double fade = 1 - square / ((double)cutoff * (double)cutoff);
            if (fade > 0) potential[p] += (double)atom[4 * i + 3] / sqrt(square) * fade * fade;
        }
    /* up to 60 terms of at most 3, nearly all below 1/2, each good to a few units of 2^-23 */
    rf_run_near_f32(run, "potential", d_potential, potential, points, 2e-6, 0);
}

void rf_run_lavamd(rf_kernels_run *run, bool large) {
    enum { PARTICLES = 40 };
    const uint32_t side = 2, boxes = large ? side * side * side : 2, n = boxes * PARTICLES;
    const float twice_alpha2 = 0.5f;
    float *const particle = rf_run_floats(run, 4 * n, 0, 1), *const charge = rf_run_floats(run, n, 0.1f, 1);
    int32_t *const first = rf_run_host(run, (boxes + 1) * sizeof *first), *const neighbour =
                                                                              rf_run_host(run, boxes * boxes * sizeof *neighbour);
    double *const force = rf_run_host(run, 4 * n * sizeof *force);
    for (uint32_t i = 0; i < n; i++) {
        float *const p = particle + 4 * i;
        const uint32_t box = i / PARTICLES;
        p[0] += (float)(box % side), p[1] += (float)(box / side % side), p[2] += (float)(box / side / side);
        p[3] = 0.5f * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    }
    for (uint32_t box = 0; box < boxes; box++) { /* all touch each other, the own box first */
        first[box + 1] = first[box] + (int32_t)boxes;
        for (uint32_t k = 0; k < boxes; k++) neighbour[box * boxes + k] = (int32_t)((box + k) % boxes);
    }
    const uint64_t d_force = rf_run_device(run, 4 * n * sizeof(float));
    rf_run_launch(run, "lavamd", (rf_dim){boxes, 0}, (rf_dim){64, 0},
                  RF_RUN_VALUES(d_force, rf_run_upload(run, particle, 4 * n * sizeof *particle),
                                rf_run_upload(run, charge, n * sizeof *charge),
                                rf_run_upload(run, first, (boxes + 1) * sizeof *first),
                                rf_run_upload(run, neighbour, boxes * boxes * sizeof *neighbour), twice_alpha2));
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            double away[3], square = 0;
            for (uint32_t k = 0; k < 3; k++) {
                away[k] = (double)particle[4 * i + k] - (double)particle[4 * j + k];
                square += away[k] * away[k];
            }
            const double weight = (double)charge[j] * exp(-(double)twice_alpha2 * square / 2);
            for (uint32_t k = 0; k < 3; k++) force[4 * i + k] += 2 * weight * away[k];
            force[4 * i + 3] += weight;
        }
    /* per term: at most 2, good to a few units of 2^-23, and the rounding of a running sum of up to 200 */
    rf_run_near_f32(run, "force", d_force, force, 4 * n, n * 1e-6, 0);
}
