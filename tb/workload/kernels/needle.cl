/* SPDX-License-Identifier: Apache-2.0 */
/* Needleman-Wunsch: one launch fills one diagonal of 32 x 32 tiles of the score matrix, one warp a tile. Inside the tile the 63
 * diagonals go one after the other through shared memory, thread = column. */
#include "gpu.h"

#define TILE 32

__kernel void needle(__global int *score, __global const int *restrict similarity, __global const uchar *restrict a,
                     __global const uchar *restrict b, int columns, int first_row, int first_column, int penalty) {
    __local int tile[TILE + 1][TILE + 1];
    __local int table[16];
    __local uchar letter[TILE];
    const int t = (int)TID_X;
    const int row0 = (first_row - (int)BLOCK_X) * TILE, column0 = (first_column + (int)BLOCK_X) * TILE;
    __global int *const corner = score + row0 * columns + column0; /* the tile's border row and column are known */
    const int own = b[column0 + t];

    letter[t] = a[row0 + t];
    if (t < 16) table[t] = similarity[t];
    tile[0][t + 1] = corner[t + 1];
    tile[t + 1][0] = corner[(t + 1) * columns];
    if (t == 0) tile[0][0] = corner[0];
    BARRIER();
    for (int diagonal = 0; diagonal < 2 * TILE - 1; diagonal++) {
        const int r = diagonal - t;
        if (r >= 0 && r < TILE) {
            const int match = tile[r][t] + table[letter[r] * 4 + own];
            const int gap = MAX(tile[r][t + 1], tile[r + 1][t]) - penalty;
            tile[r + 1][t + 1] = MAX(match, gap);
        }
        BARRIER();
    }
    for (int r = 0; r < TILE; r++) corner[(r + 1) * columns + t + 1] = tile[r + 1][t + 1];
}
