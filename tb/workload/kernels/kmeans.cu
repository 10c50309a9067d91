/* SPDX-License-Identifier: Apache-2.0 */
/* k-means: each point to its nearest centre (squared Euclidean distance), points stored feature by feature, centres in constant
 * memory; counts how many points changed sides, one global atomic a warp. */
#include "gpu.h"

#define CENTRES_MAX 64
#define FEATURES_MAX 32

__constant__ float centre[CENTRES_MAX * FEATURES_MAX];

extern "C" __global__ void kmeans(int *__restrict__ member, int *changed, const float *__restrict__ point, uint n, uint features,
                                  uint centres) {
    const uint i = GLOBAL_X;
    bool moved = false;
    if (i < n) {
        float best = 3.402823466e38f;
        int nearest = 0;
        for (uint c = 0; c < centres; c++) {
            float distance = 0.0f;
            for (uint f = 0; f < features; f++) {
                const float d = point[f * n + i] - centre[c * features + f];
                distance = FMA(d, d, distance);
            }
            if (distance < best) {
                best = distance;
                nearest = (int)c;
            }
        }
        moved = member[i] != nearest;
        member[i] = nearest;
    }
    const uint ballot = BALLOT(moved);
    if (LANE == 0 && ballot != 0) ATOMIC_ADD(changed, __builtin_popcount(ballot));
}
