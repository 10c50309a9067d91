/* SPDX-License-Identifier: Apache-2.0 */
/* Breadth-first search, one level a launch, over a graph in CSR form: the frontier is a queue of vertices, the next one is filled
 * by whoever reaches a vertex first. */
#include "gpu.h"

__kernel void bfs(__global int *distance, __global int *next, __global int *next_size, __global const int *restrict frontier,
                  __global const int *restrict row, __global const int *restrict column, int size, int level) {
    const int i = (int)GLOBAL_X;
    if (i >= size) return;
    const int vertex = frontier[i], end = row[vertex + 1];
    for (int e = row[vertex]; e < end; e++) {
        const int neighbour = column[e];
        if (distance[neighbour] < 0 && ATOMIC_CAS(&distance[neighbour], -1, level) == -1)
            next[ATOMIC_ADD(next_size, 1)] = neighbour;
    }
}
