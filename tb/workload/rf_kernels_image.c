/* SPDX-License-Identifier: Apache-2.0 */
/* Images and grids. */
#include "tb/workload/rf_kernels_run.h"

static int32_t clamp(int32_t x, int32_t below) { return x < 0 ? 0 : x >= below ? below - 1 : x; }

static int32_t magnitude(int32_t x) { return x < 0 ? -x : x; }

void rf_run_sobel(rf_kernels_run *run, bool large) {
    const int32_t width = large ? 398 : 90, height = large ? 220 : 60, n = width * height;
    uint8_t *const in = rf_run_host(run, (size_t)n), *const out = rf_run_host(run, (size_t)n);
    const uint64_t d_out = rf_run_device(run, (size_t)n);
    /* flat squares: edges, and most of the image without; with noise, unless as the papers' */
    for (int32_t i = 0; i < n; i++) {
        const uint32_t noise = rf_run_papers_inputs(run) ? 0 : ls_rng_below(rf_run_rng(run), 8);
        in[i] = (uint8_t)((i % width / 16 + i / width / 16) % 3 * 80 + (int32_t)noise);
    }
    rf_run_launch(run, "sobel", (rf_dim){rf_run_ceil((uint32_t)width, 32), rf_run_ceil((uint32_t)height, 8)}, (rf_dim){32, 8},
                  RF_RUN_VALUES(d_out, rf_run_upload(run, in, (size_t)n), width, height));
    static const int32_t weight[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++) {
            int32_t gx = 0, gy = 0;
            for (int32_t dy = 0; dy < 3; dy++)
                for (int32_t dx = 0; dx < 3; dx++) {
                    const int32_t pixel = in[clamp(y + dy - 1, height) * width + clamp(x + dx - 1, width)];
                    gx += weight[dy][dx] * pixel;
                    gy += weight[dx][dy] * pixel;
                }
            const int32_t sum = magnitude(gx) + magnitude(gy);
            out[y * width + x] = (uint8_t)(sum < 255 ? sum : 255);
        }
    rf_run_same_u8(run, "out", d_out, out, (size_t)n);
}

void rf_run_convolve(rf_kernels_run *run, bool large) {
    static const float half[9] = {0.0044318f, 0.0101f, 0.0205f, 0.0370f, 0.0592f, 0.0840f, 0.1059f, 0.1186f, 0.1209364f};
    const int32_t width = large ? 540 : 300, height = large ? 100 : 9, n = width * height, radius = 8;
    const float *const in = rf_run_picture(run, (uint32_t)width, (uint32_t)height, 0, 255, 255);
    float *const out = rf_run_host(run, (size_t)n * sizeof *out);
    const uint64_t d_out = rf_run_device(run, (size_t)n * sizeof *out);
    rf_run_launch(run, "convolve", (rf_dim){rf_run_ceil((uint32_t)width, 256), (uint32_t)height}, (rf_dim){64, 0},
                  RF_RUN_VALUES(d_out, rf_run_upload(run, in, (size_t)n * sizeof *in), width));
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++) {
            float sum = 0.0f;
            for (int32_t k = -radius; k <= radius; k++)
                sum = fmaf(half[radius - magnitude(k)], x + k >= 0 && x + k < width ? in[y * width + x + k] : 0.0f, sum);
            out[y * width + x] = sum;
        }
    rf_run_same_f32(run, "out", d_out, out, (size_t)n);
}

/* The kernel's even/odd decomposition, element by element `step` apart. */
static void dct8(float *p, uint32_t step) {
    static const float c[8] = {0,           0.490392640f, 0.461939766f, 0.415734806f, 0.353553391f, 0.277785117f, 0.191341716f,
                               0.097545161f};
    float s[4], d[4];
    for (uint32_t i = 0; i < 4; i++) {
        s[i] = p[i * step] + p[(7 - i) * step];
        d[i] = p[i * step] - p[(7 - i) * step];
    }
    const float e0 = s[0] + s[3], e1 = s[1] + s[2], e2 = s[0] - s[3], e3 = s[1] - s[2];
    p[0] = c[4] * (e0 + e1);
    p[4 * step] = c[4] * (e0 - e1);
    p[2 * step] = fmaf(c[2], e2, c[6] * e3);
    p[6 * step] = fmaf(c[6], e2, -c[2] * e3);
    p[1 * step] = fmaf(c[1], d[0], fmaf(c[3], d[1], fmaf(c[5], d[2], c[7] * d[3])));
    p[3 * step] = fmaf(c[3], d[0], fmaf(-c[7], d[1], fmaf(-c[1], d[2], -c[5] * d[3])));
    p[5 * step] = fmaf(c[5], d[0], fmaf(-c[1], d[1], fmaf(c[7], d[2], c[3] * d[3])));
    p[7 * step] = fmaf(c[7], d[0], fmaf(-c[5], d[1], fmaf(c[3], d[2], -c[1] * d[3])));
}

void rf_run_dct8x8(rf_kernels_run *run, bool large) {
    const uint32_t width = large ? 384 : 128, height = large ? 264 : 48, n = width * height;
    const double quarter_turn = acos(0);
    float *const v = rf_run_picture(run, width, height, -128, 127, 255);
    double *const exact = rf_run_host(run, n * sizeof *exact);
    double cosine[8][8]; /* of the definition: frequency, place */
    const uint64_t d_out = rf_run_device(run, n * sizeof *v);
    rf_run_launch(run, "dct8x8", (rf_dim){width / 64, height / 8}, (rf_dim){8, 8},
                  RF_RUN_VALUES(d_out, rf_run_upload(run, v, n * sizeof *v), width));
    for (uint32_t u = 0; u < 8; u++)
        for (uint32_t x = 0; x < 8; x++) cosine[u][x] = (u ? 0.5 : sqrt(0.125)) * cos((2 * x + 1) * u * quarter_turn / 8);
    for (uint32_t square = 0; square < n / 64; square++) {
        const uint32_t first = square / (width / 8) * 8 * width + square % (width / 8) * 8;
        double rows[8][8];
        for (uint32_t y = 0; y < 8; y++)
            for (uint32_t u = 0; u < 8; u++) {
                rows[y][u] = 0;
                for (uint32_t x = 0; x < 8; x++) rows[y][u] += cosine[u][x] * (double)v[first + y * width + x];
            }
        for (uint32_t w = 0; w < 8; w++)
            for (uint32_t u = 0; u < 8; u++)
                for (uint32_t y = 0; y < 8; y++) exact[first + w * width + u] += cosine[w][y] * rows[y][u];
        for (uint32_t y = 0; y < 8; y++) dct8(v + first + y * width, 1);
        for (uint32_t x = 0; x < 8; x++) dct8(v + first + x, width);
    }
    rf_run_same_f32(run, "out", d_out, v, n);
    rf_run_near_f32(run, "out against the definition", d_out, exact, n, 1e-3, 0);
}

void rf_run_hotspot(rf_kernels_run *run, bool large) {
    const int32_t width = large ? 140 : 34, height = large ? 130 : 22, n = width * height, core = 12;
    const uint32_t launches = 2, steps = 2;
    const float cx = 0.10f, cy = 0.12f, cz = 0.01f, cp = 0.5f, ambient = 80.0f;
    const float *const power = rf_run_picture(run, (uint32_t)width, (uint32_t)height, 0, 2, 4); /* a floor plan: flat units */
    float *now = rf_run_picture(run, (uint32_t)width, (uint32_t)height, 300, 340, 0),
          *next = rf_run_host(run, (size_t)n * sizeof *next);
    const uint64_t d_power = rf_run_upload(run, power, (size_t)n * sizeof *power);
    uint64_t d_now = rf_run_upload(run, now, (size_t)n * sizeof *now), d_next = rf_run_device(run, (size_t)n * sizeof *next);
    for (uint32_t launch = 0; launch < launches; launch++) {
        rf_run_launch(run, "hotspot",
                      (rf_dim){rf_run_ceil((uint32_t)width, (uint32_t)core), rf_run_ceil((uint32_t)height, (uint32_t)core)},
                      (rf_dim){16, 16}, RF_RUN_VALUES(d_next, d_now, d_power, width, height, cx, cy, cz, cp, ambient));
        const uint64_t d_old = d_now;
        d_now = d_next, d_next = d_old;
    }
    for (uint32_t step = 0; step < launches * steps; step++) {
        for (int32_t y = 0; y < height; y++)
            for (int32_t x = 0; x < width; x++) {
                const float here = now[y * width + x], twice = here + here;
                const float *const row = now + y * width;
                float t = cp * power[y * width + x];
                t = fmaf(cx, row[clamp(x - 1, width)] + row[clamp(x + 1, width)] - twice, t);
                t = fmaf(cy, now[clamp(y - 1, height) * width + x] + now[clamp(y + 1, height) * width + x] - twice, t);
                t = fmaf(cz, ambient - here, t);
                next[y * width + x] = here + t;
            }
        float *const old = now;
        now = next, next = old;
    }
    rf_run_same_f32(run, "out", d_now, now, (size_t)n);
}

void rf_run_lbm(rf_kernels_run *run, bool large) {
    static const int32_t ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    const int32_t width = large ? 160 : 60, height = large ? 40 : 12, n = width * height;
    const uint32_t steps = large ? 4 : 2;
    const float omega = 1.2f;
    float *now = rf_run_floats(run, 9 * (size_t)n, 0.05f, 0.15f), *next = rf_run_host(run, 9 * (size_t)n * sizeof *next);
    /* a fluid at rest, denser in a square */
    for (int32_t i = 0; rf_run_papers_inputs(run) && i < 9 * n; i++) {
        const int32_t d = i / n, x = i % width, y = i % n / width;
        const float density = x < width / 4 && y < height / 2 ? 1.1f : 1.0f;
        now[i] = density * (d == 0 ? 4.0f / 9 : d < 5 ? 1.0f / 9 : 1.0f / 36);
    }
    uint64_t d_now = rf_run_upload(run, now, 9 * (size_t)n * sizeof *now),
             d_next = rf_run_device(run, 9 * (size_t)n * sizeof *next);
    for (uint32_t step = 0; step < steps; step++) {
        rf_run_launch(run, "lbm", (rf_dim){rf_run_ceil((uint32_t)width, 64), (uint32_t)height}, (rf_dim){64, 0},
                      RF_RUN_VALUES(d_next, d_now, width, height, omega));
        for (int32_t y = 0; y < height; y++)
            for (int32_t x = 0; x < width; x++) {
                float f[9];
                for (int32_t d = 0; d < 9; d++) {
                    const int32_t from_x = (x - ex[d] + width) % width, from_y = (y - ey[d] + height) % height;
                    f[d] = now[d * n + from_y * width + from_x];
                }
                const float north = f[2] + f[5] + f[6], south = f[4] + f[7] + f[8];
                const float east = f[1] + f[5] + f[8], west = f[3] + f[6] + f[7];
                const float density = f[0] + f[1] + f[3] + north + south, inverse = 1.0f / density;
                const float ux = (east - west) * inverse, uy = (north - south) * inverse;
                const float base = fmaf(-1.5f, fmaf(ux, ux, uy * uy), 1.0f);
                for (int32_t d = 0; d < 9; d++) {
                    const float weight = d == 0 ? 4.0f / 9.0f : d < 5 ? 1.0f / 9.0f : 1.0f / 36.0f;
                    const float along = fmaf((float)ex[d], ux, (float)ey[d] * uy);
                    const float equilibrium = weight * density * fmaf(along, fmaf(4.5f, along, 3.0f), base);
                    next[d * n + y * width + x] = fmaf(omega, equilibrium - f[d], f[d]);
                }
            }
        float *const old = now;
        const uint64_t d_old = d_now;
        now = next, next = old;
        d_now = d_next, d_next = d_old;
    }
    rf_run_same_f32(run, "out", d_now, now, 9 * (size_t)n);
}

void rf_run_mandelbrot(rf_kernels_run *run, bool large) {
    const uint32_t width = large ? 180 : 60, height = large ? 110 : 30, limit = large ? 64 : 30;
    const float left = -2.0f, top = -1.2f, step = 3.0f / (float)width;
    uint32_t *const out = rf_run_host(run, width * height * sizeof *out);
    const uint64_t d_out = rf_run_device(run, width * height * sizeof *out);
    rf_run_launch(run, "mandelbrot", (rf_dim){rf_run_ceil(width, 8), rf_run_ceil(height, 8)}, (rf_dim){8, 8},
                  RF_RUN_VALUES(d_out, width, height, left, top, step, limit));
    for (uint32_t py = 0; py < height; py++)
        for (uint32_t px = 0; px < width; px++) {
            const float cx = fmaf((float)px, step, left), cy = fmaf((float)py, step, top);
            float x = 0, y = 0;
            uint32_t n = 0;
            for (; n < limit && !(x * x + y * y > 4.0f); n++) {
                const float old_x = x;
                x = old_x * old_x - y * y + cx;
                y = fmaf(old_x + old_x, y, cy);
            }
            out[py * width + px] = n;
        }
    rf_run_same_u32(run, "out", d_out, out, width * height);
}

/* The square of standard deviation over mean in the image's first 16 x 16 pixels, which stand for what has no edges. */
static float variation(const float *image, int32_t width) {
    double sum = 0, squares = 0;
    for (int32_t i = 0; i < 256; i++) {
        const double pixel = (double)image[i / 16 * width + i % 16];
        sum += pixel;
        squares += pixel * pixel;
    }
    const double mean = sum / 256;
    return (float)((squares / 256 - mean * mean) / (mean * mean));
}

void rf_run_srad(rf_kernels_run *run, bool large) {
    const int32_t width = large ? 120 : 35, height = large ? 90 : 21, n = width * height, side = 16;
    const uint32_t steps = large ? 2 : 1;
    const size_t bytes = (size_t)n * sizeof(float);
    const float rate = 0.5f;
    float *const image = rf_run_hills(run, (uint32_t)width, (uint32_t)height, 1, 0, 6);
    float *const c = rf_run_host(run, bytes), *slope[4]; /* north, south, west, east */
    uint64_t d_slope[4];
    for (int32_t i = 0; i < n; i++) image[i] = 1 + 0.1f * (image[i] + 2 * floorf(image[i])); /* organs: shades with edges */
    const uint64_t d_image = rf_run_upload(run, image, bytes), d_c = rf_run_device(run, bytes);
    for (uint32_t k = 0; k < 4; k++) slope[k] = rf_run_host(run, bytes), d_slope[k] = rf_run_device(run, bytes);
    const rf_dim grid = {rf_run_ceil((uint32_t)width, (uint32_t)side), rf_run_ceil((uint32_t)height, (uint32_t)side)};
    for (uint32_t step = 0; step < steps; step++) {
        const float q0 = variation(image, width);
        rf_run_launch(run, "srad_slopes", grid, (rf_dim){16, 16},
                      RF_RUN_VALUES(d_c, d_slope[0], d_slope[1], d_slope[2], d_slope[3], d_image, width, height, q0));
        rf_run_launch(run, "srad_update", grid, (rf_dim){16, 16},
                      RF_RUN_VALUES(d_image, d_c, d_slope[0], d_slope[1], d_slope[2], d_slope[3], width, height, rate));
        for (int32_t y = 0; y < height; y++)
            for (int32_t x = 0; x < width; x++) {
                const int32_t i = y * width + x;
                const float here = image[i], n_ = image[clamp(y - 1, height) * width + x] - here,
                            s = image[clamp(y + 1, height) * width + x] - here;
                const float w = image[y * width + clamp(x - 1, width)] - here, e = image[y * width + clamp(x + 1, width)] - here;
                const float square = fmaf(n_, n_, fmaf(s, s, fmaf(w, w, e * e))) / (here * here);
                const float bend = (n_ + s + w + e) / here, scale = fmaf(0.25f, bend, 1.0f);
                const float q = fmaf(-0.0625f * bend, bend, 0.5f * square) / (scale * scale);
                const float keep = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));
                c[i] = keep < 0 ? 0 : keep > 1 ? 1 : keep;
                slope[0][i] = n_, slope[1][i] = s, slope[2][i] = w, slope[3][i] = e;
            }
        for (int32_t y = 0; y < height; y++)
            for (int32_t x = 0; x < width; x++) {
                const int32_t i = y * width + x;
                const float below = c[clamp(y + 1, height) * width + x], right = c[y * width + clamp(x + 1, width)];
                const float flow =
                    fmaf(c[i], slope[0][i], fmaf(below, slope[1][i], fmaf(c[i], slope[2][i], right * slope[3][i])));
                image[i] = fmaf(0.25f * rate, flow, image[i]);
            }
    }
    rf_run_same_f32(run, "c", d_c, c, (size_t)n);
    rf_run_same_f32(run, "image", d_image, image, (size_t)n);
}

void rf_run_stencil7(rf_kernels_run *run, bool large) {
    const uint32_t width = large ? 100 : 42, height = large ? 60 : 11, depth = large ? 13 : 6, steps = 2,
                   n = width * height * depth, plane = width * height;
    const float centre = 1.0f / 6.0f, side = 1.0f / 36.0f;
    float *now = rf_run_hills(run, width, height, depth, 0, 100), *next = rf_run_host(run, n * sizeof *next);
    uint64_t d_now = rf_run_upload(run, now, n * sizeof *now), d_next = rf_run_upload(run, now, n * sizeof *now);
    memcpy(next, now, n * sizeof *next); /* the borders stay */
    for (uint32_t step = 0; step < steps; step++) {
        rf_run_launch(run, "stencil7", (rf_dim){rf_run_ceil(width - 2, 32), rf_run_ceil(height - 2, 4)}, (rf_dim){32, 4},
                      RF_RUN_VALUES(d_next, d_now, width, height, depth, centre, side));
        for (uint32_t z = 1; z + 1 < depth; z++)
            for (uint32_t y = 1; y + 1 < height; y++)
                for (uint32_t x = 1; x + 1 < width; x++) {
                    const float *const p = now + z * plane + y * width + x;
                    const float around = p[-1] + p[1] + *(p - width) + p[width] + *(p - plane) + p[plane];
                    next[z * plane + y * width + x] = fmaf(side, around, -centre * p[0]);
                }
        float *const old = now;
        const uint64_t d_old = d_now;
        now = next, next = old;
        d_now = d_next, d_next = d_old;
    }
    rf_run_same_f32(run, "out", d_now, now, n);
}

void rf_run_sad(rf_kernels_run *run, bool large) {
    enum { SIDE = 8, REACH = 3, ACROSS = 2 * REACH + 1, PLACES = ACROSS * ACROSS };
    const uint32_t across = large ? 12 : 3, down = large ? 9 : 2, squares = across * down, width = across * SIDE,
                   height = down * SIDE, stride = width + 2 * REACH, pixels = stride * (height + 2 * REACH);
    const float *const hills = rf_run_hills(run, stride, height + 2 * REACH, 1, 0, 1000);
    uint8_t *const before = rf_run_host(run, pixels), *const frame = rf_run_host(run, width * height);
    uint16_t *const quarter = rf_run_host(run, 4 * squares * PLACES * sizeof *quarter), *const whole =
                                                                                            rf_run_host(run, squares * PLACES *
                                                                                                                 sizeof *whole);
    for (uint32_t i = 0; i < pixels; i++) before[i] = (uint8_t)((uint32_t)hills[i] % 256); /* with edges */
    for (uint32_t i = 0; i < width * height; i++)                                          /* two to the left, one up */
        frame[i] = before[(i / width + REACH + 1) * stride + i % width + REACH + 2];
    for (uint32_t i = 0; i < squares * 4 * PLACES; i++) {
        const uint32_t place = i % PLACES, q = i / PLACES % 4, square = i / PLACES / 4;
        const uint32_t x0 = square % across * SIDE + q % 2 * 4, y0 = square / across * SIDE + q / 2 * 4;
        for (uint32_t y = y0; y < y0 + 4; y++)
            for (uint32_t x = x0; x < x0 + 4; x++)
                quarter[i] = (uint16_t)(quarter[i] + magnitude(frame[y * width + x] -
                                                               before[(y + place / ACROSS) * stride + x + place % ACROSS]));
        whole[square * PLACES + place] = (uint16_t)(whole[square * PLACES + place] + quarter[i]);
    }
    const uint64_t d_quarter = rf_run_device(run, 4 * squares * PLACES * sizeof *quarter),
                   d_whole = rf_run_device(run, squares * PLACES * sizeof *whole);
    rf_run_launch(
        run, "sad", (rf_dim){across, down}, (rf_dim){SIDE * SIDE, 0},
        RF_RUN_VALUES(d_quarter, d_whole, rf_run_upload(run, frame, width * height), rf_run_upload(run, before, pixels), width));
    rf_run_same_u8(run, "quarter", d_quarter, (const uint8_t *)quarter, 4 * squares * PLACES * sizeof *quarter);
    rf_run_same_u8(run, "whole", d_whole, (const uint8_t *)whole, squares * PLACES * sizeof *whole);
}

void rf_run_leukocyte(rf_kernels_run *run, bool large) {
    enum { POINTS = 12 };
    const uint32_t width = large ? 60 : 28, height = large ? 49 : 6, circles = large ? 5 : 3, rim = circles + 2,
                   n = width * height;
    const uint32_t stride = width + 2 * rim, all = stride * (height + 2 * rim);
    const float *const image = rf_run_hills(run, stride + 2, height + 2 * rim + 2, 1, 0, 255);
    float *const gradient_x = rf_run_host(run, all * sizeof *gradient_x), *const gradient_y =
                                                                              rf_run_host(run, all * sizeof *gradient_y);
    float *const score = rf_run_host(run, n * sizeof *score), cosine[POINTS], sine[POINTS];
    int32_t *const offset = rf_run_host(run, circles * POINTS * sizeof *offset);
    for (uint32_t i = 0; i < all; i++) {
        const float *const p = image + (i / stride + 1) * (stride + 2) + i % stride + 1;
        gradient_x[i] = 0.5f * (p[1] - p[-1]);
        gradient_y[i] = 0.5f * (p[stride + 2] - *(p - (stride + 2)));
    }
    for (uint32_t p = 0; p < POINTS; p++) {
        const double angle = 4 * acos(0) * p / POINTS;
        cosine[p] = (float)cos(angle), sine[p] = (float)sin(angle);
        for (uint32_t c = 0; c < circles; c++) /* radii from 2 on */
            offset[c * POINTS + p] =
                (int32_t)lround((c + 2) * sin(angle)) * (int32_t)stride + (int32_t)lround((c + 2) * cos(angle));
    }
    const uint64_t d_score = rf_run_device(run, n * sizeof *score);
    rf_run_launch(run, "leukocyte", (rf_dim){rf_run_ceil(n, 64), 0}, (rf_dim){64, 0},
                  RF_RUN_VALUES(d_score, rf_run_upload(run, gradient_x, all * sizeof *gradient_x),
                                rf_run_upload(run, gradient_y, all * sizeof *gradient_y),
                                rf_run_upload(run, cosine, sizeof cosine), rf_run_upload(run, sine, sizeof sine),
                                rf_run_upload(run, offset, circles * POINTS * sizeof *offset), width, height, rim, circles));
    for (uint32_t i = 0; i < n; i++) {
        const int32_t here = (int32_t)((i / width + rim) * stride + i % width + rim);
        for (uint32_t c = 0; c < circles; c++) {
            float along[POINTS], sum = 0, squares = 0;
            for (uint32_t p = 0; p < POINTS; p++) {
                const int32_t at = here + offset[c * POINTS + p];
                along[p] = fmaf(gradient_x[at], cosine[p], gradient_y[at] * sine[p]);
                sum += along[p];
            }
            const float mean = sum / (float)POINTS;
            for (uint32_t p = 0; p < POINTS; p++) squares = fmaf(along[p] - mean, along[p] - mean, squares);
            const float ratio = mean * mean / (squares / (float)(POINTS - 1));
            if (ratio > score[i]) score[i] = ratio;
        }
    }
    rf_run_same_f32(run, "score", d_score, score, n);
}
