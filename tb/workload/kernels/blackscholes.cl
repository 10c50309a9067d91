/* SPDX-License-Identifier: Apache-2.0 */
/* Black-Scholes prices of European call and put options; the normal distribution by the polynomial of Abramowitz and
 * Stegun 26.2.17. */
#include "gpu.h"

static inline float normal(float d) {
    const float k = DIVIDE(1.0f, FMA(0.2316419f, d < 0.0f ? -d : d, 1.0f));
    const float poly = k * FMA(k, FMA(k, FMA(k, FMA(k, 1.330274429f, -1.821255978f), 1.781477937f), -0.356563782f), 0.319381530f);
    const float tail = 0.398942280f * EXP(-0.5f * d * d) * poly;
    return d > 0.0f ? 1.0f - tail : tail;
}

__kernel void blackscholes(__global float *restrict call, __global float *restrict put, __global const float *restrict price,
                           __global const float *restrict strike, __global const float *restrict years, float rate,
                           float volatility, uint n) {
    for (uint i = GLOBAL_X; i < n; i += BLOCKS_X * THREADS_X) {
        const float s = price[i], x = strike[i], t = years[i];
        const float spread = volatility * SQRT(t);
        const float d1 = DIVIDE(FMA(FMA(0.5f * volatility, volatility, rate), t, LOG(DIVIDE(s, x))), spread);
        const float d2 = d1 - spread;
        const float n1 = normal(d1), n2 = normal(d2);
        const float discounted = x * EXP(-rate * t);
        call[i] = s * n1 - discounted * n2;
        put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
    }
}
