/* SPDX-License-Identifier: Apache-2.0 */
/* The list of workloads. */
#include "tb/workload/rf_kernels_run.h"

#define ENTRY(name_, file_, kind_, what_)                                                                                        \
    { .name = #name_, .file = file_, .kind = kind_, .what = what_, .run = rf_run_##name_ }

const rf_kernels_entry rf_kernels_list[] = {
    ENTRY(vecadd, "vecadd", "streaming", "vector addition"),
    ENTRY(saxpy, "saxpy", "streaming", "y = a x + y, 128-bit accesses"),
    ENTRY(sgemm, "sgemm", "dense", "matrix product, 64 x 64 tiles in shared memory, 4 x 4 a thread"),
    ENTRY(stencil5, "stencil5", "streaming", "5-point Jacobi steps"),
    ENTRY(transpose, "transpose", "streaming", "matrix transpose through shared memory"),
    ENTRY(gaussian, "gaussian", "dense", "Gaussian elimination, two launches a column"),
    ENTRY(lud, "lud", "dense", "LU factors in 16 x 16 blocks"),
    ENTRY(dgemm, "dgemm", "dense", "matrix product in double precision, 32 x 32 tiles in shared memory"),
    ENTRY(ddot, "ddot", "dense", "dot product in double precision"),
    ENTRY(sobel, "sobel", "dense", "Sobel edge filter on bytes"),
    ENTRY(convolve, "convolve", "dense", "filter of 17 taps from constant memory"),
    ENTRY(dct8x8, "dct8x8", "dense", "8 x 8 cosine transform"),
    ENTRY(hotspot, "hotspot", "synchronising", "heat steps in shrinking tiles"),
    ENTRY(lbm, "lbm", "streaming", "lattice Boltzmann, nine directions"),
    ENTRY(mandelbrot, "mandelbrot", "divergent", "iterations until escape"),
    ENTRY(reduce_tree, "reduce", "synchronising", "sum by a tree in shared memory"),
    ENTRY(reduce_shuffle, "reduce", "synchronising", "sum by shuffles"),
    ENTRY(scan, "scan", "synchronising", "exclusive prefix sum, three launches"),
    ENTRY(histogram, "histogram", "irregular", "256 bins, shared and global atomics"),
    ENTRY(bitonic, "bitonic", "synchronising", "sort of keys with values"),
    ENTRY(needle, "needle", "synchronising", "Needleman-Wunsch, a diagonal of tiles a launch"),
    ENTRY(pathfinder, "pathfinder", "synchronising", "cheapest path, several rows a launch"),
    ENTRY(bfs, "bfs", "irregular", "breadth-first search, a level a launch"),
    ENTRY(spmv_scalar, "spmv", "irregular", "sparse matrix times vector, a row a thread"),
    ENTRY(spmv_vector, "spmv", "irregular", "sparse matrix times vector, a row a warp"),
    ENTRY(strsearch, "strsearch", "divergent", "word search, byte by byte"),
    ENTRY(hash64, "hash64", "integer", "64-bit mixing, 128-bit products, remainder"),
    ENTRY(kmeans, "kmeans", "dense", "nearest of several centres"),
    ENTRY(blackscholes, "blackscholes", "transcendental", "option prices"),
    ENTRY(backprop, "backprop", "dense", "a neural layer forwards, and its weights adjusted"),
    ENTRY(nbody, "nbody", "transcendental", "all-pairs gravity"),
    ENTRY(mriq, "mriq", "transcendental", "sums of sines and cosines"),
    ENTRY(bicg, "bicg", "dense", "A transposed times r, and A times p"),
    ENTRY(mvt, "mvt", "dense", "matrix times vector and transposed, sums in memory"),
    ENTRY(gemm, "gemm", "dense", "matrix product, an element a thread"),
    ENTRY(syrk, "syrk", "dense", "matrix times itself transposed, an element a thread"),
    ENTRY(gramschmidt, "gramschmidt", "dense", "QR factors, three launches a column"),
    ENTRY(fdtd2d, "fdtd2d", "streaming", "electromagnetic field, three launches a step"),
    ENTRY(srad, "srad", "dense", "diffusion that keeps edges, two launches a step"),
    ENTRY(streamcluster, "streamcluster", "dense", "what a new centre would save"),
    ENTRY(mergesort, "mergesort", "irregular", "tiles sorted and merged by binary search"),
    ENTRY(fft, "fft", "synchronising", "Fourier transforms of 256 points, radix 4"),
    ENTRY(binomial, "binomial", "synchronising", "options on a binomial tree, four steps at a time"),
    ENTRY(quasirandom, "quasirandom", "transcendental", "Niederreiter's sequence, made normal"),
    ENTRY(scalarprod, "scalarprod", "synchronising", "scalar products of many pairs of vectors"),
    ENTRY(stencil7, "stencil7", "streaming", "7-point Jacobi steps in three dimensions"),
    ENTRY(sad, "sad", "integer", "motion search by sums of absolute differences"),
    ENTRY(sobol, "sobol", "integer", "Sobol' sequence in Gray-code order"),
    ENTRY(btree, "btree", "irregular", "lookups in a B+ tree, a node's keys at once"),
    ENTRY(walsh, "walsh", "synchronising", "dyadic convolution by Walsh-Hadamard transforms"),
    ENTRY(cutcp, "cutcp", "dense", "Coulomb potential with a cutoff on a lattice"),
    ENTRY(leukocyte, "leukocyte", "dense", "scores of circles around each pixel, local memory"),
    ENTRY(lavamd, "lavamd", "transcendental", "forces between particles of neighbouring boxes"),
    ENTRY(haar, "haar", "synchronising", "Haar wavelets, seven levels"),
};
const size_t rf_kernels_count = sizeof rf_kernels_list / sizeof rf_kernels_list[0];

const rf_kernels_entry *rf_kernels_find(const char *name) {
    for (size_t i = 0; i < rf_kernels_count; i++)
        if (strcmp(rf_kernels_list[i].name, name) == 0) return &rf_kernels_list[i];
    return NULL;
}
