/* SPDX-License-Identifier: Apache-2.0 */
/* All places of a word in a text, byte by byte; every lane stops at its own first difference. The places found come out as a
 * bitmap, one word a warp, and as a count. */
#include "gpu.h"

#define WORD_MAX 32

__constant__ uchar word[WORD_MAX];

extern "C" __global__ void strsearch(uint *__restrict__ found, int *count, const uchar *__restrict__ text, uint length,
                                     uint word_length) {
    const uint i = GLOBAL_X;
    bool same = i + word_length <= length;
    for (uint k = 0; same && k < word_length; k++) same = text[i + k] == word[k];
    const uint ballot = BALLOT(same);
    if (LANE == 0) {
        found[i / WARP] = ballot;
        if (ballot != 0) ATOMIC_ADD(count, __builtin_popcount(ballot));
    }
}
