/* SPDX-License-Identifier: Apache-2.0 */
/* Lookups in a B+ tree, a query a block, a key of the node a thread: the one lane whose interval holds the query says where to go
 * on. A node has 32 intervals: key[k] <= query < key[k + 1]. */
#include "gpu.h"

#define ORDER 32u

__kernel void btree(__global int *restrict found, __global const int *restrict key, __global const int *restrict child,
                    __global const int *restrict record, __global const int *restrict query, uint height) {
    volatile __local int at; /* else clang 14 keeps what the thread itself has stored over the barrier */
    const uint t = TID_X;
    const int wanted = query[BLOCK_X];
    if (t == 0) at = 0;
    BARRIER();
    for (uint level = 0; level < height; level++) {
        __global const int *const node = key + at * (int)(ORDER + 1);
        const int next = child[at * (int)ORDER + (int)t];
        const bool mine = node[t] <= wanted && wanted < node[t + 1];
        BARRIER();
        if (mine) at = next;
        BARRIER();
    }
    /* a leaf has records */
    const int leaf = at * (int)(ORDER + 1) + (int)t;
    if (key[leaf] == wanted) found[BLOCK_X] = record[child[at * (int)ORDER + (int)t]];
}
